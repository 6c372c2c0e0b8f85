"""Answers to grid mazes, as models write them."""

from __future__ import annotations

import json

RIGHT = {
    "grid_size": [3, 3],
    "start_found": True,
    "goal_found": True,
    "reachable": True,
    "shortest_path_length": 4,
    "path": ["D", "D", "R", "R"],
    "confidence": "high",
    "image_ambiguity": "none",
}
"""To the maze ``S.# / .T. / ..G``."""
NO_PATH = RIGHT | {"reachable": False, "shortest_path_length": None, "path": []}


def said(**changed: object) -> str:
    """The right answer with some keys changed."""
    return json.dumps(RIGHT | changed)


def without(*keys: str, of: dict[str, object] = RIGHT) -> str:
    """An answer without some keys."""
    return json.dumps({key: value for key, value in of.items() if key not in keys})
