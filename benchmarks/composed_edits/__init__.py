"""Composed edits: a right edit of coloured boxes with one thing wrong (what, where, how visible), or a harmless one."""
