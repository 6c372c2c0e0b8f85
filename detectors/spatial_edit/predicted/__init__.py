"""How a picture of coloured boxes should look after an edit, and what of it does not look so."""
