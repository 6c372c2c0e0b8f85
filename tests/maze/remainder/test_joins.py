"""Holes that join floor to floor at a post, on walls of 4 pixels: no border between cells runs there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.maze.remainder.holes import HoleConfig, holes
from detectors.maze.remainder.joins import JoinConfig, _reached, joins
from tests.maze.remainder.scenes import PLAN, SHAPE, ink_of
from tests.maze.stages.plans import CELL, DARK, WALL, corner

LEFT, TOP = corner(7, 4)
"""A post in the wall between the first row and the second, of which only what leads left and right stands."""
END = LEFT + CELL + WALL // 2
"""Where that wall ends."""


def holed(columns: tuple[int, int], rows: tuple[int, int] = (-2, 2), level: int = 255) -> np.ndarray:
    """The puzzle with what lies there, beside the post, in another grey."""
    picture = PLAN.picture.copy()
    picture[TOP + rows[0] : TOP + rows[1], LEFT + columns[0] : LEFT + columns[1]] = level
    return picture


def found(picture: np.ndarray, covered: np.ndarray | None = None, **ink: object) -> list[tuple[int, int, int]]:
    """Row, column and length of holes."""
    told = joins(picture, covered, PLAN, ink_of(picture, **ink), JoinConfig())
    return [(round(one.middle[0]), round(one.middle[1]), round(one.length)) for one in told]


def test_the_puzzle_has_none():
    assert found(PLAN.picture) == []


@pytest.mark.parametrize("half", [2, 4])
def test_a_hole_at_a_post(half):
    """Of four rows the outer two are the wall's edges, and the middle ones at TOP - 1 and TOP."""
    ((row, column, length),) = found(holed((-half, half)))
    assert abs(row - (TOP - 0.5)) <= 1
    assert abs(column - (LEFT - 0.5)) <= 1
    assert length == 2 * half


def test_it_is_a_hole_in_a_wall_beside_the_post():
    lengths = holes(holed((-3, 3)), None, PLAN, ink_of(), HoleConfig(), 1.0)
    pairs = [(PLAN.borders[index].first, PLAN.borders[index].second) for index in np.flatnonzero(lengths)]
    assert len(pairs) == 1
    assert pairs[0] in {(2, 6), (3, 7)}


def test_what_takes_a_part_of_the_wall_s_width_joins_nothing():
    assert found(holed((-4, 4), (-2, 0))) == []
    assert found(holed((-4, 4), (0, 2))) == []


def test_a_wall_that_ends_sooner_has_no_hole():
    picture = PLAN.picture.copy()
    picture[TOP - 2 : TOP + 2, END - 6 : END] = 255
    assert found(picture) == []


def test_a_wall_beside_its_place_and_a_blurred_one_have_none():
    moved = np.roll(PLAN.picture, (1, 1), axis=(0, 1))
    assert found(moved) == []
    assert found(cv2.GaussianBlur(PLAN.picture, (0, 0), 1.2)) == []
    assert len(found(cv2.GaussianBlur(holed((-4, 4)), (0, 0), 0.8))) == 1


def test_a_mark_in_grey_or_in_a_colour_is_no_hole():
    """A grey is 0.51 of the way to the floor."""
    assert found(holed((-5, 5), level=130)) == []
    colored = holed((-5, 5))
    colored[(colored != DARK).any(axis=2) & PLAN.walls] = (255, 140, 0)
    assert found(colored) == []


def test_strokes_and_what_is_cut_off_are_none():
    stroke = np.zeros(SHAPE, bool)
    stroke[TOP - 6 : TOP + 6, LEFT - 5 : LEFT + 5] = True
    assert found(holed((-4, 4)), asked=stroke) == []
    assert found(holed((-4, 4)), other=stroke) == []
    covered = np.ones(SHAPE, bool)
    covered[TOP - 6 : TOP + 6, LEFT - 6 : LEFT + 6] = False
    assert found(holed((-4, 4)), covered) == []


def test_a_wall_that_is_drawn_thinner_around_its_end_reaches_floor_at_one_place():
    """A wall in ten rows that ends; its second pixels show floor all around, its edge not everywhere."""
    floor = np.ones((24, 44), bool)
    floor[7:17, :32] = False
    hole, light = np.zeros_like(floor), np.zeros_like(floor)
    hole[8:16, :31] = True
    hole[9:15, :30] = False
    light[7:17, :32] = True
    light[9:15, :30] = False
    light[7, 8:14] = False
    assert _reached(hole, light, floor, JoinConfig()) == 1
    through = np.zeros_like(floor)
    through[8:16, 12:14] = True
    assert _reached(through, light | through, floor, JoinConfig()) == 2
