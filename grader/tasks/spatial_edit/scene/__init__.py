"""A scene with the edit that is asked for, and the boxes that are found in its pictures."""
