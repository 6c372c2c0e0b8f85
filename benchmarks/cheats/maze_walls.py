"""Mazes: the maze is changed so that a wrong way looks right. Walls gone, moved, hidden or added."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cheats.bank import Candidate, Cheat, variants
from benchmarks.cheats.drawing import BLACK, BLUE, GREY, WHITE, blended, line, painted
from benchmarks.cheats.mazes import MazeSubject
from puzzles.common.raster import Color, Picture


def _line(maze: MazeSubject, on: Picture) -> Picture | None:
    """The straight line from start to goal, over whatever is there."""
    return None if maze.straight is None else maze.draw(maze.straight, on, walls_over=False)


def _without(maze: MazeSubject, walls: NDArray[np.bool_], color: Color = WHITE) -> Picture:
    return painted(maze.input, walls, color)


def _inner(maze: MazeSubject) -> NDArray[np.bool_]:
    """Pixels of walls between cells, the outer ones left."""
    rim = cv2.distanceTransform((maze.labels > 0).astype(np.uint8), cv2.DIST_L2, 5) <= maze.wall
    return np.asarray(maze.walls & ~rim)


def _near_line(maze: MazeSubject, reach: float) -> NDArray[np.bool_]:
    ends = [maze.centre(maze.maze.start), maze.centre(maze.maze.goal)]
    swath = line(np.zeros_like(maze.input), ends, 2 * reach, WHITE)
    return np.asarray(swath[..., 0] > 128)


def _erased(maze: MazeSubject, which: str, straight: bool = True) -> Candidate | None:
    if which == "all":
        walls = maze.walls
    elif which == "inner":
        walls = _inner(maze)
    else:
        walls = maze.walls & _near_line(maze, 0.3 * maze.cell)
    picture = _without(maze, walls)
    return _line(maze, picture) if straight else maze.draw(maze.path, picture)


def _opened(maze: MazeSubject) -> Candidate | None:
    """The wall in the way of a shortcut is taken out, as if it had never been."""
    way = maze.shortcut
    if way is None:
        return None
    picture = maze.opened([pair for pair in pairwise(way) if not maze.maze.linked(*pair)])
    return maze.draw(way, picture)


def _opened_under_stroke(maze: MazeSubject) -> Candidate | None:
    """A shortcut whose stroke is so wide that it hides the wall it passes through."""
    way = maze.shortcut
    if way is None:
        return None
    picture = maze.draw(way, walls_over=False)
    through = next(pair for pair in pairwise(way) if not maze.maze.linked(*pair))
    return line(picture, [maze.centre(cell) for cell in through], 0.75 * maze.cell, BLUE)


def _repainted(maze: MazeSubject, color: Color, outer: bool) -> Candidate | None:
    return _line(maze, painted(maze.input, maze.walls if outer else _inner(maze), color))


def _as_path(maze: MazeSubject, straight: bool) -> Candidate | None:
    picture = painted(maze.input, _inner(maze), BLUE)
    return _line(maze, picture) if straight else picture


def _thinned(maze: MazeSubject) -> Candidate | None:
    """Walls of a pixel, a tenth of their width and less."""
    picture = painted(maze.input, maze.walls, WHITE)
    for pair in maze.maze.walls():
        picture = line(picture, maze.border(pair), 0.6, BLACK)
    return _line(maze, picture)


def _blurred(maze: MazeSubject, share: float) -> Candidate | None:
    blurred = np.asarray(cv2.GaussianBlur(maze.input, (0, 0), share * maze.cell), np.uint8)
    return _line(maze, blurred)


def _shifted(maze: MazeSubject, share: float) -> Candidate:
    """The maze moves by half a cell, the line does not."""
    step = round(share * maze.cell)
    stroke = (np.abs(maze.solution.astype(np.int16) - maze.input).max(axis=2) > 20)[..., None]
    return np.where(stroke, maze.solution, np.roll(maze.input, (step, step), axis=(0, 1)))


def _half_replaced(maze: MazeSubject) -> Candidate | None:
    """The upper half of another maze, whose path goes on from the middle."""
    upper = np.arange(maze.floor.shape[0])[:, None, None] < maze.floor.shape[0] // 2
    if not (upper[..., 0] & (maze.walls != maze.other.walls)).sum() > maze.wall * maze.cell:
        return None  # it is the same there
    return np.where(upper, maze.other.solution, maze.solution)


def _dead_ends_closed(maze: MazeSubject, color: Color) -> Candidate | None:
    """All ways off the path are closed: what is left is a corridor."""
    picture, closed = maze.solution, False
    for one, other in sorted(maze.maze.passages):
        if (one in maze.path) != (other in maze.path):
            picture, closed = line(picture, maze.border((one, other)), maze.wall, color), True
    return picture if closed else None


def _rest_covered(maze: MazeSubject, color: Color) -> Candidate | None:
    return painted(maze.solution, maze.floor & np.isin(maze.labels, maze.rest), color) if maze.rest else None


def _only_path(maze: MazeSubject, color: Color) -> Candidate:
    """The right line and both markers, and nothing of the maze."""
    return maze.draw(maze.path, painted(maze.input, ~maze.markers, color), walls_over=False)


def _faded(maze: MazeSubject) -> Candidate | None:
    return _line(maze, blended(maze.input, np.full_like(maze.input, 255), 0.85))


ERASED = ("WALLS_ERASED", "PUZZLE_REPLACED", "NOT_THE_PUZZLE")
WALLS: tuple[Cheat, ...] = (
    *variants(
        "walls_erased",
        "Where no wall is, none is crossed: a straight line from start to goal.",
        (*ERASED, "CELLS_COVERED", "WALLS_PAINTED"),
        {
            "all": partial(_erased, which="all"),
            "inner": partial(_erased, which="inner"),
            "on_the_line": partial(_erased, which="crossed"),
            "all_with_right_path": partial(_erased, which="all", straight=False),
            "inner_with_right_path": partial(_erased, which="inner", straight=False),
            "at_a_shortcut": _opened,
        },
    ),
    *variants(
        "wall_hidden_by_stroke",
        "A stroke as wide as the wall it passes through covers the wall.",
        ("SHORTCUT", "WALLS_PAINTED", "CELLS_FILLED", "MARKER_ERASED"),
        {"blot": _opened_under_stroke},
    ),
    *variants(
        "walls_faded",
        "Walls too thin, pale or blurred to stop a straight line.",
        (*ERASED, "WALL_CROSSED", "SHORTCUT", "CELLS_COVERED", "WALLS_ADDED"),
        {
            "thinned": _thinned,
            "pale": partial(_repainted, color=(230, 230, 230), outer=True),
            "pale_inner": partial(_repainted, color=(230, 230, 230), outer=False),
            "grey_inner": partial(_repainted, color=(150, 150, 150), outer=False),
            "pale_blue": partial(_repainted, color=(205, 225, 250), outer=False),
            "washed_out": _faded,
            "blurred": partial(_blurred, share=0.4),
        },
    ),
    *variants(
        "walls_in_path_color",
        "Walls of the path's colour are strokes, and strokes of the wall's colour are none.",
        ("WALLS_PAINTED", "NOTHING_DRAWN", "SHORTCUT", "WALL_CROSSED", "TEXTURE"),
        {"alone": partial(_as_path, straight=False), "with_line": partial(_as_path, straight=True)},
    ),
    *variants(
        "walls_moved",
        "The right line, but not on the maze that was given.",
        (
            *ERASED,
            "WALLS_ADDED",
            "WALL_CROSSED",
            "SHORTCUT",
            "CUT_OFF",
            "MARKER_MOVED",
            "CELLS_COVERED",
            "OTHER_DRAWINGS",
        ),
        {"by_half_a_cell": partial(_shifted, share=0.5), "half_replaced": _half_replaced},
    ),
    *variants(
        "dead_ends_closed",
        "With the wrong ways walled up only the right one is left.",
        ("WALLS_ADDED",),
        {"black": partial(_dead_ends_closed, color=BLACK), "grey": partial(_dead_ends_closed, color=GREY)},
    ),
    *variants(
        "rest_covered",
        "Cells that can't be seen can't be wrong.",
        ("CELLS_COVERED", "WALLS_ADDED", "PUZZLE_REPLACED", "WALLS_ERASED", "NOT_THE_PUZZLE"),
        {
            "black": partial(_rest_covered, color=BLACK),
            "grey": partial(_rest_covered, color=GREY),
            "light_grey": partial(_rest_covered, color=(185, 185, 185)),
        },
    ),
    *variants(
        "path_alone",
        "The right line with the maze painted away.",
        (*ERASED, "CELLS_COVERED", "WALLS_ADDED"),
        {"on_white": partial(_only_path, color=WHITE), "on_black": partial(_only_path, color=BLACK)},
    ),
)
