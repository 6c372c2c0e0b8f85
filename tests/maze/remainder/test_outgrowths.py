"""What hangs on a line in its own colour, on a way of 4 pixels' width along the middles of cells of 32."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from detectors.maze.strokes.config import OutgrowthConfig
from detectors.maze.strokes.outgrowths import outgrowths
from detectors.maze.strokes.segments import trace_strokes
from tests.maze.remainder.scenes import PLAN, SHAPE, at, through

HALF = 2.0
LINE = through(1, 2, 3, 4, 8, 7)
BARE = np.zeros(SHAPE, bool)
CONFIG = OutgrowthConfig()
X, Y = at(3)


def route() -> np.ndarray:
    """The pixels of the line's middle."""
    found = []
    for (x, y), (right, down) in pairwise([at(cell) for cell in (1, 2, 3, 4, 8, 7)]):
        steps = max(abs(right - x), abs(down - y))
        found += [(round(y + (down - y) * k / steps), round(x + (right - x) * k / steps)) for k in range(steps + 1)]
    return np.array(found, np.intp)


def found(drawn: np.ndarray, config: OutgrowthConfig = CONFIG) -> np.ndarray:
    strokes = LINE | drawn
    return outgrowths(strokes, route(), trace_strokes(strokes).pixels, (), HALF, PLAN, config)


def drawn(how, *arguments) -> np.ndarray:
    mask = np.zeros(SHAPE, np.uint8)
    how(mask, *arguments)
    return mask > 0


def test_a_line_is_no_outgrowth_of_itself():
    assert not found(BARE).any()
    assert not outgrowths(LINE, np.zeros((0, 2), np.intp), route(), (), HALF, PLAN, CONFIG).any()


@pytest.mark.parametrize(
    ("mark", "told"),
    [
        # Farther than 2.5 * 2 + 1.5 = 6.5 pixels, 9 * 2 * 2 = 36 pixels, and 40 at least.
        (drawn(cv2.circle, (X, Y), 11, 1, 2), True),
        (drawn(cv2.circle, (X, Y), 12, 1, -1), True),
        (drawn(cv2.rectangle, (X - 8, Y + 1), (X - 7, Y + 12), 1, -1), False),
        (drawn(cv2.rectangle, (X - 4, Y + 1), (X + 3, Y + 12), 1, -1), True),
        # The head of an arrow, 14 pixels wide where it is widest.
        (drawn(cv2.fillPoly, [np.array([(X + 8, Y), (X - 4, Y - 7), (X - 4, Y + 7)])], 1), False),
    ],
    ids=["ring", "disc", "thin spur", "block", "head of an arrow"],
)
def test_rings_discs_and_blocks_are_and_heads_of_arrows_are_not(mark, told):
    assert found(mark).any() is np.bool_(told)
    assert not (found(mark) & LINE).any()


def test_pieces_of_a_scribble_count_together_and_others_do_not():
    """Three of 2 x 11 beyond 4.5 pixels, 4 pixels apart: 66, and they hang on 14 pixels of the line, more than 12."""
    pieces = [drawn(cv2.rectangle, (X + by, Y + 7), (X + by + 1, Y + 17), 1, -1) for by in (-8, -2, 4)]
    far = drawn(cv2.rectangle, (X + 13, Y + 7), (X + 14, Y + 17), 1, -1)
    assert found(pieces[0] | pieces[1] | pieces[2]).any()
    assert not found(pieces[0] | pieces[2] | far).any()
    assert not found(pieces[0]).any()


def test_a_point_of_the_line_s_width_is_a_sharp_turn():
    """With a share of 0.15 it may reach 4.8 pixels of 32, and half the line's 4, beyond 4.5: 9 rows do, and have 20
    pixels there, and 13 do not.
    """
    straight = replace(CONFIG, least_px=15.0, point_long=0.15)
    config = replace(straight, point_deg=0.0)
    short, long = (drawn(cv2.rectangle, (X - 2, Y + 1), (X + 1, Y + down), 1, -1) for down in (9, 13))
    assert not found(short, config).any()
    assert found(long, config).any()
    # The line goes straight on here, and where it does not turn there is no point.
    assert found(short, straight).any()
    for other in (
        replace(config, point=0.0, point_wide=0.0),
        replace(config, point_wide=-0.3),
        replace(config, point_long=0.0),
    ):
        assert found(short, other).any()


def test_a_second_rail_all_along_is_how_the_line_is_drawn():
    rail = through(1, 2, 3, 4, 8, 7, width=4, by=(9, 9))
    assert not found(rail).any()
    # In one cell it is none.
    assert found(rail & (PLAN.labels == 3)).any()


def test_what_leads_into_other_cells_or_from_one_to_another_is_a_branch():
    """Cell 6 is none of the route's; cells 2 and 3 are, and 0.75 of a cell of 32 pixels are 24."""
    x, y = at(2)
    assert not found(drawn(cv2.rectangle, (x - 2, y), (x + 1, y + 32), 1, -1)).any()
    assert not found(drawn(cv2.rectangle, (x - 4, y - 12), (X + 4, y - 8), 1, -1)).any()


def test_what_lies_at_a_marker_is_its_own_matter():
    x, y = at(1)
    assert not found(drawn(cv2.circle, (x, y), 8, 1, -1)).any()
