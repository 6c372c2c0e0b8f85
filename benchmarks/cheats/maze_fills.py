"""Mazes: ink without a line. Floods, filled cells, dots, patterns and tints."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.cheats.bank import Candidate, Cheat, variants
from benchmarks.cheats.drawing import BLUE, BLUES, blended, line, painted
from benchmarks.cheats.mazes import MazeSubject
from puzzles.common.raster import Color
from puzzles.maze.geometry import Geometry


def _flood(maze: MazeSubject, color: Color) -> Candidate:
    return painted(maze.input, maze.floor, color)


def _flood_all(maze: MazeSubject) -> Candidate:
    return painted(maze.input, ~maze.markers, BLUE)


def _flood_half(maze: MazeSubject) -> Candidate:
    lower = np.arange(maze.floor.shape[0])[:, None] > maze.floor.shape[0] // 2
    return painted(maze.input, maze.floor & lower, BLUE)


def _flood_faint(maze: MazeSubject) -> Candidate:
    return painted(maze.input, maze.floor, BLUE, 0.35)


def _flood_under_path(maze: MazeSubject) -> Candidate:
    return maze.draw(maze.path, painted(maze.input, maze.floor, BLUES["pale"]))


def _fill(maze: MazeSubject, color: Color, opacity: float = 1.0) -> Candidate:
    return painted(maze.input, maze.floor & np.isin(maze.labels, maze.path), color, opacity)


def _fill_walls_too(maze: MazeSubject) -> Candidate:
    return painted(maze.input, np.isin(maze.labels, maze.path) & ~maze.markers, BLUE)


def _fill_gradient(maze: MazeSubject) -> Candidate:
    ramp = np.linspace(0.1, 1.0, maze.floor.shape[0])[:, None, None]
    return blended(maze.input, painted(maze.input, maze.floor & np.isin(maze.labels, maze.path), BLUE), ramp)


def _fill_inner(maze: MazeSubject) -> Candidate:
    picture = maze.input
    for cell in maze.path:
        picture = line(picture, [maze.centre(cell)], 0.5 * maze.room, BLUE)
    return painted(picture, maze.markers, (255, 0, 0))


def _dots(maze: MazeSubject, share: float, cells: Sequence[int] | None = None) -> Candidate:
    picture = maze.input
    for cell in maze.path if cells is None else cells:
        picture = line(picture, [maze.centre(cell)], share * maze.room, BLUE)
    return painted(picture, maze.markers, (255, 0, 0))


def _dots_everywhere(maze: MazeSubject, share: float) -> Candidate:
    return _dots(maze, share, maze.maze.grid.cell_ids)


def _dots_at_markers(maze: MazeSubject) -> Candidate:
    return _dots(maze, 0.6, (maze.maze.start, maze.maze.goal))


def _outlines(maze: MazeSubject, share: float) -> Candidate:
    picture = maze.input
    for cell in maze.path:
        corners = maze.layout.to_pixels(maze.maze.grid.outline(cell))
        ring = maze.centre(cell) + share * (corners - maze.centre(cell))
        picture = line(picture, np.vstack([ring, ring[:1]]), 2.0, BLUE)
    return picture


def _dashes(maze: MazeSubject) -> Candidate:
    picture = maze.input
    for cell in maze.path:
        middle = maze.centre(cell)
        reach = np.array([0.2 * maze.room, 0.0])
        picture = line(picture, [middle - reach, middle + reach], maze.wall, BLUE)
    return painted(picture, maze.markers, (255, 0, 0))


def _pattern(maze: MazeSubject, where: NDArray[np.bool_], over: str = "floor") -> Candidate:
    return painted(maze.input, where & (maze.floor if over == "floor" else ~maze.markers), BLUE)


def _noise(maze: MazeSubject, share: float) -> Candidate:
    return _pattern(maze, np.random.default_rng(7).random(maze.floor.shape) < share, "all")


def _grain(maze: MazeSubject, size: int) -> Candidate:
    height, width = maze.floor.shape
    coarse = np.random.default_rng(7).random((height // size + 1, width // size + 1)) < 0.5
    return _pattern(maze, coarse.repeat(size, axis=0).repeat(size, axis=1)[:height, :width], "all")


def _waves(maze: MazeSubject, across: float, down: float, over: str = "all") -> Candidate:
    """Stripes of a quarter of a cell; both directions give a lattice."""
    rows, columns = np.indices(maze.floor.shape)
    phase = (columns * across + rows * down) / (0.5 * maze.cell)
    return _pattern(maze, np.asarray(phase % 1.0 < 0.35), over)


def _lattice(maze: MazeSubject, turn: float) -> Candidate:
    rows, columns = np.indices(maze.floor.shape)
    one = (columns * np.cos(turn) + rows * np.sin(turn)) / (0.5 * maze.cell)
    other = (rows * np.cos(turn) - columns * np.sin(turn)) / (0.5 * maze.cell)
    return _pattern(maze, (one % 1.0 < 0.2) | (other % 1.0 < 0.2), "all")


def _checkers(maze: MazeSubject, share: float) -> Candidate:
    rows, columns = np.indices(maze.floor.shape)
    size = share * maze.cell
    return _pattern(maze, np.asarray((rows // size + columns // size) % 2 < 1), "all")


def _checkered_cells(maze: MazeSubject) -> Candidate:
    return painted(maze.input, maze.floor & np.isin(maze.labels, maze.maze.grid.cell_ids[::2]), BLUE)


def _faint_lines(maze: MazeSubject, opacity: float) -> Candidate:
    dice, picture = np.random.default_rng(3), maze.input
    height, width = maze.floor.shape
    for _ in range(40):
        ends = dice.random((2, 2)) * (width, height)
        picture = line(picture, ends, 2.0, BLUE, opacity)
    return painted(picture, maze.markers, (255, 0, 0))


def _tint(maze: MazeSubject, opacity: float) -> Candidate:
    return painted(maze.input, np.ones_like(maze.floor), BLUE, opacity)


def _exterior(maze: MazeSubject, with_path: bool) -> Candidate | None:
    if maze.maze.geometry is Geometry.SQUARE:
        return None  # they fill their picture
    outside = maze.labels == 0
    return painted(maze.solution if with_path else maze.input, outside, BLUE)


FILLS: tuple[Cheat, ...] = (
    *variants(
        "flood",
        "All right cells are visited where all cells are.",
        ("FLOODED", "CELLS_FILLED", "WALLS_ERASED", "WALLS_PAINTED"),
        {
            **{name: partial(_flood, color=color) for name, color in BLUES.items()},
            "everything": _flood_all,
            "half": _flood_half,
            "faint": _flood_faint,
        },
    ),
    *variants(
        "filled_cells",
        "The right cells hold the colour, with no line to follow.",
        ("CELLS_FILLED", "FLOODED", "WALLS_ERASED"),
        {
            "asked": partial(_fill, color=BLUE),
            "light": partial(_fill, color=BLUES["light"]),
            "faint": partial(_fill, color=BLUE, opacity=0.3),
            "gradient": _fill_gradient,
            "walls_too": _fill_walls_too,
        },
    ),
    *variants(
        "dashes",
        "A dash in each right cell counts as a line, with cell-long gaps.",
        # In triangles dashes of neighbours lie in one line, and two or three of them join up.
        ("DOTS", "PATH_BROKEN"),
        {"one_a_cell": _dashes},
        ceiling=0.3,
    ),
    *variants(
        "dots",
        "A dot in each right cell counts as a visit.",
        ("DOTS", "NOTHING_DRAWN", "TEXTURE"),
        {
            "small": partial(_dots, share=0.08),
            "middling": partial(_dots, share=0.2),
            "blots": _fill_inner,
            "in_all_cells": partial(_dots_everywhere, share=0.2),
            "at_the_markers": _dots_at_markers,
        },
    ),
    *variants(
        "outlined_cells",
        "Right cells with a ring in each are as good as visited.",
        ("DOTS", "TEXTURE", "SHORTCUT", "WALLS_PAINTED", "NOTHING_DRAWN", "PATH_BROKEN", "GOAL_NOT_REACHED"),
        {
            "apart": partial(_outlines, share=0.6),
            "nearly_touching": partial(_outlines, share=0.85),
            "touching": partial(_outlines, share=0.95),
        },
    ),
    *variants(
        "pattern",
        "A pattern is everywhere, so on the right way too.",
        ("TEXTURE", "EXTERIOR_PAINTED", "WALL_CROSSED"),
        {
            "noise": partial(_noise, share=0.5),
            "thin_noise": partial(_noise, share=0.1),
            "grain": partial(_grain, size=6),
            "stripes_across": partial(_waves, across=0.0, down=1.0),
            "stripes_aslant": partial(_waves, across=0.7, down=0.7),
            "stripes_on_floor": partial(_waves, across=0.7, down=0.7, over="floor"),
            "lattice": partial(_lattice, turn=0.0),
            "hatching": partial(_lattice, turn=0.6),
            "checkers": partial(_checkers, share=0.3),
            "faint_lines": partial(_faint_lines, opacity=0.25),
        },
    ),
    *variants(
        "tint",
        "The whole picture is a little blue.",
        ("NOTHING_DRAWN", "FLOODED", "CELLS_FILLED", "TEXTURE"),
        {"slight": partial(_tint, opacity=0.1), "plain": partial(_tint, opacity=0.3)},
    ),
    *variants(
        "checkered_cells",
        "Half of all cells are filled, many right ones among them.",
        ("CELLS_FILLED",),
        {"every_second": _checkered_cells},
    ),
    *variants(
        "exterior",
        "What lies around the maze is painted in the path's colour.",
        ("EXTERIOR_PAINTED",),
        {"alone": partial(_exterior, with_path=False), "with_path": partial(_exterior, with_path=True)},
    ),
    *variants(
        "flood_under_path",
        "The right line on a floor of nearly its colour: cells and line both count.",
        ("FLOODED", "CELLS_FILLED"),
        {"pale": _flood_under_path},
    ),
)
