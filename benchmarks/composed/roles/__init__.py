"""Roles: what a wrong thing is in a maze or on a board, whatever it is drawn with."""
