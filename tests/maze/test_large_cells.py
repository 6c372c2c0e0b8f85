"""Mazes of few, large cells: what is drawn in them is as small as in others, and is seen as well."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import generate_maze, solve
from puzzles.maze.render import MazeStyle, render_maze
from tests.samples.puzzles import WHITE, MazeSample, codes, line, passes, resized

STYLE = MazeStyle(cell_size_px=170.0, wall_width_px=20.0, path_width_px=12.0)
"""Three cells a side: 510 px. By cells alone the working frame would be a quarter of that, 128 px, and 1 px of ink a
quarter of one there."""


@cache
def sample() -> MazeSample:
    maze = generate_maze(Geometry.SQUARE, 3, seed=3)
    return MazeSample(maze, STYLE, render_maze(maze, STYLE), solve(maze), (), (), (), ())


def off_path() -> int:
    return next(cell for cell in sample().maze.grid.cell_ids if cell not in sample().path)


def test_the_right_path_passes_at_any_size() -> None:
    right = sample().pictures.solution
    height, width = right.shape[:2]
    larger, smaller = resized(right, 3 * width // 2, 3 * height // 2), resized(right, width // 2, height // 2)
    for candidate in (right, larger, smaller, cv2.GaussianBlur(right, (0, 0), 1.5)):
        passes(sample().grade(candidate), sample())


@pytest.mark.parametrize("angle_deg", [0.0, 33.0, 60.0, 90.0])
def test_a_pale_hair_line_in_one_cell_is_seen(angle_deg: float) -> None:
    x, y = sample().centre(off_path())
    dx, dy = 55.0 * np.cos(np.radians(angle_deg)), 55.0 * np.sin(np.radians(angle_deg))
    drawn = line(sample().pictures.solution, [(x - dx, y - dy), (x + dx, y + dy)], 1.5, (150, 200, 150))
    assert codes(sample().grade(drawn)) == ["FOREIGN_STROKES"]


def wall_middle() -> tuple[float, float]:
    """The middle of a wall between cells."""
    one, other = sample().maze.walls()[0]
    (x, y), (u, v) = sample().centre(one), sample().centre(other)
    return (x + u) / 2, (y + v) / 2


@pytest.mark.parametrize("width", [4.0, 8.0])
def test_a_slanting_slit_through_a_wide_wall_is_a_hole(width: float) -> None:
    """At 45 degrees no row across the wall lacks much of it."""
    x, y = wall_middle()
    cut = line(sample().pictures.solution, [(x - 16, y - 16), (x + 16, y + 16)], width, WHITE)
    assert "WALLS_ERASED" in codes(sample().grade(cut))
