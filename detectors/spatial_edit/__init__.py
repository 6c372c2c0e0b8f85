"""Coloured boxes on a table: boxes in space, the looks of what stays, and the camera."""
