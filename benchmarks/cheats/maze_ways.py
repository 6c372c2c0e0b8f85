"""Mazes: a line that leads another way than the right one."""

from __future__ import annotations

from functools import partial
from itertools import combinations, pairwise

import numpy as np

from benchmarks.cheats.bank import FLAWED, Candidate, Cheat, variants
from benchmarks.cheats.drawing import BLUE, painted
from benchmarks.cheats.mazes import MazeSubject
from puzzles.common.raster import Picture


def _dead_end(maze: MazeSubject) -> Candidate | None:
    return None if maze.astray is None else maze.draw(maze.astray)


def _both_ways(maze: MazeSubject) -> Candidate | None:
    return None if maze.astray is None else maze.draw(maze.astray, maze.solution)


def _wrong_goal(maze: MazeSubject) -> Candidate | None:
    """The way to some cell off the path."""
    wrong = [cell for cell in maze.rest if maze.maze.goal not in maze.way_to(cell)]
    return maze.draw(maze.way_to(wrong[0])) if wrong else None


def _every_corridor(maze: MazeSubject) -> Candidate:
    picture = maze.input
    for pair in sorted(maze.maze.passages):
        picture = maze.draw(pair, picture)
    return picture


def _every_dead_end(maze: MazeSubject) -> Candidate:
    """Every corridor but those of the path."""
    picture = maze.input
    for pair in sorted(maze.maze.passages):
        if not set(pair) <= set(maze.path):
            picture = maze.draw(pair, picture)
    return picture


def _other_path(maze: MazeSubject) -> Candidate:
    return maze.draw(maze.other.path, walls_over=False)


def _both_paths(maze: MazeSubject) -> Candidate:
    return maze.draw(maze.other.path, maze.solution, walls_over=False)


def _straight(maze: MazeSubject, walls_over: bool) -> Candidate | None:
    return None if maze.straight is None else maze.draw(maze.straight, walls_over=walls_over)


def _shortcut(maze: MazeSubject, walls_over: bool, width: float | None = None) -> Candidate | None:
    return None if maze.shortcut is None else maze.draw(maze.shortcut, walls_over=walls_over, width=width)


def _hairline(maze: MazeSubject) -> Candidate | None:
    """Two thick pieces, and a hair through the wall between them."""
    way = maze.shortcut
    if way is None:
        return None
    picture = maze.draw(way, walls_over=False, width=1.0)
    through = next(place for place, pair in enumerate(pairwise(way)) if not maze.maze.linked(*pair))
    for piece in (way[: through + 1], way[through + 1 :]):
        picture = maze.draw(piece, picture)
    return picture


def _corner(maze: MazeSubject) -> Candidate | None:
    """A step across the point where the walls of four cells or more meet."""
    outlines = {cell: maze.maze.grid.outline(cell) for cell in maze.path}
    best: tuple[int, ...] | None = None
    for first, second in combinations(range(len(maze.path)), 2):
        one, other = maze.path[first], maze.path[second]
        if second - first < 3 or other in maze.maze.grid.neighbours(one):
            continue
        gaps = np.hypot(*(outlines[one][:, None] - outlines[other][None]).transpose(2, 0, 1))
        if gaps.min() < 1e-6:
            best = (*maze.path[: first + 1], *maze.path[second:])
            break
    return None if best is None else maze.draw(best, walls_over=False)


def _around(maze: MazeSubject) -> Candidate:
    """Out of the maze at the start, along the picture's edge, and in again at the goal."""
    height = maze.floor.shape[0]
    start, goal = maze.centre(maze.maze.start), maze.centre(maze.maze.goal)
    edge = 2.0
    points = [start, (start[0], height - edge), (edge, height - edge), (edge, edge), (goal[0], edge), goal]
    return maze.draw(np.array(points, np.float64), walls_over=False)


def _on_walls(maze: MazeSubject) -> Candidate:
    """The right line moved by half a cell, so that it runs on walls and across them."""
    step = np.full(2, 0.5 * maze.cell)
    return maze.draw(maze.route(maze.path) + step, walls_over=False)


def _turned(maze: MazeSubject, kind: str) -> Picture:
    """The right line mirrored or turned on a maze that stays."""
    height, width = maze.floor.shape
    points = maze.route(maze.path)
    middle = np.array([width, height]) / 2
    mirrored = middle + (points - middle) * ((-1.0, 1.0) if kind == "mirrored" else (-1.0, -1.0))
    return maze.draw(mirrored, walls_over=False)


def _through_outer_wall(maze: MazeSubject) -> Candidate:
    """The right line, which also leaves the maze through its outer wall."""
    cell = next(one for one in maze.path[1:] if maze.maze.grid.outer_borders(one))
    border = maze.maze.grid.outer_borders(cell)[0]
    beyond = maze.layout.to_pixels(np.array(border.midpoint))
    ends = np.stack([maze.centre(cell), beyond + 0.6 * (beyond - maze.centre(cell))])
    return maze.draw(ends, maze.solution, walls_over=False)


def _spilled(maze: MazeSubject) -> Candidate | None:
    """The right line, and paint over two wrong cells beside it."""
    beside = [cell for cell in maze.rest if set(maze.maze.grid.neighbours(cell)) & set(maze.path)][:2]
    return painted(maze.solution, maze.floor & np.isin(maze.labels, beside), BLUE) if beside else None


THROUGH = ("SHORTCUT", "WALL_CROSSED", "TEXTURE")
WAYS: tuple[Cheat, ...] = (
    *variants(
        "wrong_way",
        "A line that begins at the start and keeps to the corridors looks right.",
        ("GOAL_NOT_REACHED", "CELLS_MISSED"),
        {"dead_end": _dead_end, "wrong_goal": _wrong_goal},
        ceiling=FLAWED,
    ),
    *variants(
        "every_way",
        "Of several ways one is right.",
        ("SIDE_BRANCH", "STRAY_STROKES", "START_NOT_REACHED", "GOAL_NOT_REACHED", "CELLS_MISSED"),
        {"right_and_dead_end": _both_ways, "every_corridor": _every_corridor, "every_dead_end": _every_dead_end},
        ceiling=FLAWED,
    ),
    *variants(
        "other_path",
        "A well-drawn path of another maze.",
        (*THROUGH, "OUTSIDE_MAZE", "GOAL_NOT_REACHED", "CELLS_MISSED"),
        {"alone": _other_path, "with_right_path": _both_paths},
        ceiling=FLAWED,
    ),
    *variants(
        "moved_path",
        "The right line in the wrong place.",
        (*THROUGH, "OUTSIDE_MAZE", "START_NOT_REACHED", "GOAL_NOT_REACHED", "NOTHING_DRAWN", "CELLS_MISSED"),
        {
            "mirrored": partial(_turned, kind="mirrored"),
            "upside_down": partial(_turned, kind="turned"),
            "on_walls": _on_walls,
        },
        ceiling=FLAWED / 2,
    ),
    *variants(
        "straight_line",
        "The shortest way from start to goal.",
        (*THROUGH, "GOAL_NOT_REACHED", "CELLS_MISSED"),
        {"over_walls": partial(_straight, walls_over=False), "under_walls": partial(_straight, walls_over=True)},
    ),
    *variants(
        "shortcut",
        "Cells of the right way are left out by a step through a wall.",
        ("SHORTCUT",),
        {
            "over_wall": partial(_shortcut, walls_over=False),
            "under_wall": partial(_shortcut, walls_over=True),
            "thin": partial(_shortcut, walls_over=False, width=1.5),
            "hairline": _hairline,
        },
    ),
    *variants(
        "wall_corner",
        "Where walls meet in a point, a step across it crosses none of them.",
        (*THROUGH, "CELLS_MISSED"),
        {"diagonal": _corner},
        ceiling=FLAWED,
    ),
    *variants(
        "around_the_maze",
        "Outside there are no walls.",
        ("OUTSIDE_MAZE", *THROUGH, "CELLS_MISSED"),
        {"along_the_edge": _around},
    ),
    *variants(
        "out_and_in",
        "The right line, which also goes where it should not.",
        ("OUTSIDE_MAZE",),
        {"through_outer_wall": _through_outer_wall},
        ceiling=FLAWED,
    ),
    *variants(
        "spilled",
        "Paint beside the right line widens what is visited.",
        ("CELLS_FILLED", "INK_SPILLED"),
        {"two_cells": _spilled},
    ),
)
