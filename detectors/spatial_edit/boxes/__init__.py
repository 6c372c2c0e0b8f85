"""From a picture of coloured boxes on a table to their places in space."""
