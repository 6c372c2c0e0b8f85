"""Mazes: only a part of the right line is drawn."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.cheats.bank import FLAWED, Candidate, Cheat, variants
from benchmarks.cheats.mazes import MazeSubject


def _prefix(maze: MazeSubject, share: float) -> Candidate:
    """The right way up to a share of its steps, rounded down."""
    return maze.draw(maze.path[: 1 + int(share * (len(maze.path) - 1))])


def _suffix(maze: MazeSubject) -> Candidate:
    return maze.draw(maze.path[1:])


def _ends(maze: MazeSubject, which: str) -> Candidate:
    pieces = {"start": [maze.path[:1]], "goal": [maze.path[-1:]], "both": [maze.path[:1], maze.path[-1:]]}[which]
    picture = maze.input
    for piece in pieces:
        picture = maze.draw(piece, picture, width=0.6 * maze.cell)
    return picture


def _gap(maze: MazeSubject) -> Candidate:
    """The cell in the middle of the path is left out."""
    middle = maze.path[len(maze.path) // 2]
    return np.where((maze.labels == middle)[..., None], maze.input, maze.solution)


def _alternating(maze: MazeSubject, offset: int) -> Candidate:
    """Every second cell of the right line."""
    shown = np.isin(maze.labels, maze.path[offset::2])
    return np.where(shown[..., None], maze.solution, maze.input)


def _fragments(maze: MazeSubject) -> Candidate | None:
    """Both ends of the path, and nothing between them."""
    third = max(2, len(maze.path) // 3)
    if 2 * third > len(maze.path):
        return None
    return maze.draw(maze.path[-third:], maze.draw(maze.path[:third]))


PARTS: tuple[Cheat, ...] = (
    *variants(
        "prefix",
        "Half an answer is worth as much as a whole one.",
        ("GOAL_NOT_REACHED",),
        {"half": partial(_prefix, share=0.5)},
        ceiling=0.45,
    ),
    *variants(
        "near_miss",
        "Nobody sees that the last steps, the first one, or one between are missing.",
        ("GOAL_NOT_REACHED", "START_NOT_REACHED", "CELLS_MISSED", "PATH_BROKEN"),
        {"nine_tenths": partial(_prefix, share=0.9), "without_start": _suffix, "gap_of_a_cell": _gap},
        ceiling=FLAWED * 0.9,
    ),
    *variants(
        "ends_only",
        "What is at the start and at the goal is a path between them.",
        ("DOTS", "START_NOT_REACHED", "GOAL_NOT_REACHED", "CELLS_FILLED"),
        {name: partial(_ends, which=name) for name in ("start", "goal", "both")},
    ),
    *variants(
        "fragments",
        "Pieces of the right line are taken for the whole.",
        ("CELLS_MISSED", "DOTS", "START_NOT_REACHED", "GOAL_NOT_REACHED", "PATH_BROKEN"),
        {
            "both_ends": _fragments,
            "every_second_cell": partial(_alternating, offset=0),
            "every_other_second": partial(_alternating, offset=1),
        },
        ceiling=FLAWED / 2,
    ),
)
