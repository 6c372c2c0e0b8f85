"""Parking lots in pictures and clips: where they lie, their vehicles, and what happens."""
