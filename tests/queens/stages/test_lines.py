"""Grid lines held against the puzzle's: what is gone, what is covered, and what lies aside."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from detectors.queens.remainder.lines import GridLeft, _Held, _Lines, _off, displaced_lines, grid_left
from detectors.queens.remainder.plan import CloseBoard
from tests.queens.stages.close_board import CLOSE, CONFIG, SIDE, darkness

BLACK = (0.1, 0.9)
EVERYWHERE = np.ones((SIDE, SIDE), bool)
INTACT = GridLeft(0.0, 0.0, (), ())
# The first inner line that leads down covers columns 59 and 60, beside the second row of cells rows 60 to 120.
DOWN, ACROSS = slice(56, 64), slice(56, 64)


def left(deeper: np.ndarray, clear: np.ndarray = EVERYWHERE, black: tuple[float, float] = BLACK) -> GridLeft:
    return grid_left(deeper, clear, clear, black, CLOSE, CONFIG.grid)


def without(rows: slice, columns: slice) -> np.ndarray:
    deeper = darkness()
    deeper[rows, columns] = 0.0
    return deeper


def test_the_puzzle_s_own_lines_are_left() -> None:
    assert left(darkness()) == INTACT
    # Neither blur nor a step aside changes what is summed across a line.
    assert left(np.roll(darkness(), 2, axis=1)) == INTACT


@pytest.mark.parametrize(
    ("rows", "columns", "border"),
    [(slice(62, 118), DOWN, (4, 5)), (slice(182, 238), DOWN, (12, 13)), (ACROSS, slice(122, 178), (2, 6))],
)
def test_a_line_that_is_gone_lies_between_two_cells(rows: slice, columns: slice, border: tuple[int, int]) -> None:
    """Of 60 pixels 6 at either end tell nothing; the mean over 5 pixels reaches beyond them."""
    found = left(without(rows, columns))
    assert found.broken == (border,)
    assert found.marked == ()
    assert found.gone_cells == pytest.approx(1.0)
    assert found.gone == pytest.approx(1.0 / 24.0)


def test_a_line_out_of_sight_is_not_gone() -> None:
    clear = EVERYWHERE.copy()
    clear[62:118, 50:70] = False
    assert left(without(slice(62, 118), DOWN), clear) == INTACT


def test_a_line_that_has_faded_is_gone_along_the_whole_cell_or_nowhere() -> None:
    """As a whole where less than 0.62 is left of it, at single places where less than 0.42 is."""
    for share, gone in ((0.7, False), (0.55, True)):
        deeper = darkness()
        deeper[62:118, DOWN] *= share
        assert bool(left(deeper).broken) is gone
    deeper = darkness()
    deeper[80:95, DOWN] *= 0.55
    assert left(deeper) == INTACT
    deeper[80:95, DOWN] = 0.0
    assert left(deeper).broken == ((4, 5),)


def test_all_lines_together_may_fade_to_six_tenths() -> None:
    """Twenty-four lines of a cell's length; in a pale picture, where queens are pale as well, to less."""
    assert left(0.7 * darkness()) == INTACT
    assert left(0.5 * darkness()) == GridLeft(1.0, 24.0, (), ())
    assert left(0.0 * darkness()) == GridLeft(1.0, 24.0, (), ())
    assert left(0.5 * darkness(), black=(0.55, 0.9)) == INTACT


def test_what_is_darker_on_a_crossing_lies_on_it() -> None:
    """0.07 of a cell is 4.2 pixels: a square of 4 is too little, one of 8 is enough."""
    for side, cells in ((4, ()), (8, (5, 6, 9, 10))):
        deeper = darkness()
        deeper[120 - side // 2 : 120 + side // 2, 120 - side // 2 : 120 + side // 2] = 1.0
        found = left(deeper)
        assert found.marked == cells
        assert found.broken == ()


def test_what_makes_a_line_wider_lies_on_it_and_the_line_is_not_gone() -> None:
    """0.05 of a cell, and 1.5 pixels: wider by one is not told, by six it is."""
    deeper = darkness()
    deeper[70:110, 61:62] = 1.0
    assert left(deeper) == INTACT
    deeper[70:90, 58:66] = 1.0
    found = left(deeper)
    assert (found.marked, found.broken) == ((4, 5), ())
    # What is gone beside it was covered.
    deeper[92:112, DOWN] = 0.0
    assert left(deeper).broken == ()


def test_lines_in_their_places_are_not_displaced() -> None:
    assert displaced_lines(darkness(), 2.0, CLOSE) is None
    assert displaced_lines(np.zeros_like(darkness()), 2.0, CLOSE) is None


def test_a_line_that_is_bent_is_displaced_as_far_as_it_reaches() -> None:
    """Along 80 pixels it lies 4 beside its place; what counts reaches 2 pixels beyond."""
    deeper = darkness()
    deeper[80:160, 50:72] = np.roll(deeper[80:160, 50:72], 4, axis=1)
    found = displaced_lines(deeper, 2.0, CLOSE)
    assert found is not None
    columns = np.flatnonzero(found[100])
    assert (columns.min(), columns.max()) == (60 - 5, 60 + 5)
    assert not found[:, 70:].any()
    turned = displaced_lines(np.ascontiguousarray(deeper.T), 2.0, CLOSE)
    assert turned is not None
    assert (turned == found.T).all()
    # So is a line that lies aside as a whole.
    assert displaced_lines(np.roll(darkness(), 3, axis=1), 2.0, CLOSE) is not None


@pytest.mark.parametrize(("own", "lost"), [(0.02, False), (0.021, True)])
def test_a_line_of_hardly_any_darkness_was_not_drawn(own: float, lost: bool) -> None:
    """From a fiftieth on it was, and is gone where nothing is left of it."""
    nothing, all_known = np.zeros((1, 8)), np.ones((1, 8), bool)
    lines = _Lines(nothing, np.full((1, 8), own), all_known, np.zeros((1, 8), int))
    gone, over = _off(lines, _Held(1.0, np.zeros((1, 1)), np.array([[own]]), 0.0), 60.0, CONFIG.grid)
    assert (gone.all(), gone.any()) == (lost, lost)
    assert not over.any()


def test_borders_of_cells_count_as_lines_where_none_is_drawn() -> None:
    """Four cells of 60 pixels: their inner borders are at 60, 120 and 180."""
    board = SimpleNamespace(
        grid=np.zeros((SIDE, SIDE), bool), picture=np.zeros((SIDE, SIDE, 3), np.uint8), n=4, cell=(60.0, 60.0)
    )
    distance = CloseBoard(board, CONFIG.grid, CONFIG.mixing).line_distance
    assert distance[90, [60, 120, 180]] == pytest.approx(0.0, abs=1.0)
    assert distance[[60, 120, 180], 90] == pytest.approx(0.0, abs=1.0)
    assert distance[90, 80] == pytest.approx(20.0, abs=1.0)
    assert distance[80, 90] == pytest.approx(20.0, abs=1.0)
