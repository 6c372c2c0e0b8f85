"""From pixels to observation. A detector sees the puzzle and never the answer."""
