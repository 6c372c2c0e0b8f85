"""Textured walls between cells, told from the picture or declared; and what data sets have of mazes."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

import grader
from grader.model.verdict import Outcome
from grader.tasks.maze.model import MazeBox
from grader.tasks.maze.plans.form import passages_of
from grader.tasks.maze.plans.textured import read_textured
from grader.tasks.maze.settings import MazeSettings
from puzzles.grid_maze.maze import Tile
from puzzles.maze.geometry import Geometry
from puzzles.maze.grids import make_grid
from puzzles.maze.layout import Layout
from tests.maze.textured.scenes import tile, tiles

FLOOR_PX, WALL_PX = 36, 20
CELL = FLOOR_PX + WALL_PX
COUNT = 3
PASSAGES = ((1, 2), (2, 3), (3, 6), (6, 9), (1, 4), (4, 7), (7, 8), (8, 5))
WAY = (1, 2, 3, 6, 9)
SIDE = COUNT * CELL + WALL_PX


@cache
def bricks() -> np.ndarray:
    """Three by three cells: bricks around a stone floor, a player and a chest."""
    floor, wall = tile(Tile.FLOOR, 1, "dungeon"), tile(Tile.WALL, 0, "dungeon")
    picture = np.tile(wall, (SIDE // 40 + 1, SIDE // 40 + 1, 1))[:SIDE, :SIDE].copy()
    ground = np.tile(floor, (SIDE // 40 + 1, SIDE // 40 + 1, 1))[:SIDE, :SIDE]
    open_floor = np.zeros((SIDE, SIDE), np.bool_)
    for cell in range(1, COUNT**2 + 1):
        open_floor[box_of(cell)] = True
    for first, second in PASSAGES:
        one, other = box_of(first), box_of(second)
        open_floor[one[0].start : other[0].stop, one[1].start : other[1].stop] = True
    # Towards the left the cells of this pair come in the other order.
    open_floor[box_of(5)[0].start : box_of(8)[0].stop, box_of(5)[1]] = True
    picture[open_floor] = ground[open_floor]
    for cell, kind in ((1, Tile.START), (9, Tile.GOAL)):
        picture[box_of(cell)] = tile(kind, 0, "dungeon", FLOOR_PX)
    picture.flags.writeable = False
    return picture


def box_of(cell: int) -> tuple[slice, slice]:
    row, column = divmod(cell - 1, COUNT)
    top, left = row * CELL + WALL_PX, column * CELL + WALL_PX
    return slice(top, top + FLOOR_PX), slice(left, left + FLOOR_PX)


def stroke(cells: tuple[int, ...]) -> np.ndarray:
    middles = [[(one.start + one.stop) // 2 for one in box_of(cell)[::-1]] for cell in cells]
    return cv2.polylines(bricks().copy(), [np.array(middles)], False, (240, 30, 30), 5, cv2.LINE_AA)


def puzzle(**changes: object):
    facts = {"cells": WAY, "width_cells": COUNT, "height_cells": COUNT, "wall_width_px": WALL_PX, "path_color": "red"}
    return grader.maze_from_grid(bricks(), **(facts | changes))


def test_walls_are_told_from_the_picture() -> None:
    layout = Layout(make_grid(Geometry.SQUARE, width=COUNT, height=COUNT), CELL, WALL_PX)
    plan, wrong = read_textured(bricks(), puzzle(), layout, MazeBox(0, 0, SIDE, SIDE), MazeSettings())
    assert wrong == ()
    assert plan is not None
    assert plan.passages == {(min(pair), max(pair)) for pair in PASSAGES}
    assert sorted(marker.cell for marker in plan.markers) == [1, 9]


def test_a_right_way_between_bricks_passes_and_one_through_them_fails() -> None:
    assert grader.grade(puzzle(), stroke(WAY)).outcome is Outcome.PASS
    verdict = grader.grade(puzzle(), stroke((1, 2, 5, 6, 9)))
    assert (verdict.outcome, "WALL_CROSSED" in verdict.codes) == (Outcome.FAIL, True)


def test_walls_that_are_declared_otherwise_are_refused() -> None:
    given = puzzle(rows=["..."] * 3, passages=[*PASSAGES, (5, 6)], any_solution=True)
    with pytest.raises(grader.InvalidRequestError, match="between the cells 5 and 6"):
        grader.grade(given, stroke(WAY))


@pytest.mark.parametrize(
    "told",
    [
        {"moves": "RRDD", "start": (0, 0)},
        {"moves": "rrdd", "start": 1},
        {"cells": [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)]},
    ],
)
def test_a_way_is_told_by_letters_or_by_cells(told: dict[str, object]) -> None:
    made = grader.maze_from_grid(bricks(), width_cells=3, height_cells=3, wall_width_px=WALL_PX, **told)
    assert (made.path_cell_ids, made.grid) == (WAY, None)


def test_rows_are_told_by_a_mask_of_the_floor() -> None:
    mask = np.ones((160, 160), np.bool_)
    mask[:40, 80:120] = mask[40:80, 40:120] = mask[120:, :80] = False
    made = grader.maze_from_grid(tiles(), floor=mask, start=(0, 0), goal=(2, 3), width_cells=4, height_cells=4)
    assert made.grid is not None
    assert made.grid.rows == ("S.#.", ".##.", "...G", "##..")


def test_walls_between_cells_are_told_by_a_mask() -> None:
    mask = np.abs(bricks().astype(int) - tile(Tile.FLOOR, 1, "dungeon")[0, 0]).max(axis=2) < 60
    told = {"width_cells": 3, "height_cells": 3, "wall_width_px": WALL_PX}
    made = grader.maze_from_grid(bricks(), floor=mask, start=1, goal=9, **told)
    assert made.grid is not None
    assert passages_of(made.grid) == {(min(pair), max(pair)) for pair in PASSAGES}


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"rows": ["S.", "G"]}, "equally long"),
        ({"rows": ["S.", ".."]}, "no G"),
        ({"rows": ["S.", ".G"], "moves": "RU"}, "leads out of the grid"),
        ({"rows": ["S.", ".G"], "moves": "RX"}, "not 'X'"),
        ({"rows": ["S.", ".G"], "walls": [(1, 2)], "passages": [(1, 2)]}, "not both"),
        ({"width_cells": 2, "height_cells": 2, "cells": [1, 2]}, "tiles are told by rows"),
        ({"cells": [1, 2]}, "needs width_cells"),
    ],
)
def test_what_contradicts_itself_is_refused(told: dict[str, object], said: str) -> None:
    with pytest.raises(grader.GraderError, match=said):
        grader.maze_from_grid(tiles(), **told)
