"""Pure maths on pixels, cells and tracks; nothing is detected or judged here."""
