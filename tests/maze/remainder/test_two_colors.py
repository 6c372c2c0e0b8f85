"""A line with a core, a side or dashes in another hue has two colours."""

from __future__ import annotations

import numpy as np
import pytest

from detectors.common.residual.mixing import seen, seen_color
from detectors.maze.remainder.config import TwoColorsConfig
from detectors.maze.remainder.two_colors import is_varied, second_color
from tests.maze.remainder.scenes import BLUE, NO_LINE, PLAN, at, box, through

LINE = through(2, 3, 4, 8, 7, 6, 5, 9, 10, 11)
AREA = int(np.count_nonzero(LINE))
ORANGE = (255, 140, 0)


def found(picture: np.ndarray, line=LINE, half_width: float = 2.0, floor=(255, 255, 255)) -> int:
    """How many pixels have another hue."""
    other = second_color(picture, line, half_width, np.array(floor, float), PLAN, TwoColorsConfig())
    return int(np.count_nonzero(other))


def drawn() -> np.ndarray:
    picture = PLAN.picture.copy()
    picture[LINE] = BLUE
    return picture


def dotted(count: int, color, where=LINE) -> np.ndarray:
    """The line with some pixels far from markers in another colour."""
    picture = drawn()
    pixels = np.argwhere(where & PLAN.open_floor & (PLAN.marker_distance > 8))
    picture[tuple(pixels[:count].T)] = color
    return picture


def hued(turn: float, length: float) -> tuple[int, int, int]:
    """A colour with a hue turned from the line's, and of a length."""
    steps = np.arange(100, 256, 5, dtype=np.uint8)
    colors = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    hues = seen(colors)[:, 1:] - seen_color(np.full(3, 255.0))[1:]
    line = seen_color(np.array(BLUE, float))[1:]
    angle = np.degrees(np.arctan2(hues[:, 1], hues[:, 0]) - np.arctan2(line[1], line[0])) - turn
    away = np.abs((angle + 180.0) % 360.0 - 180.0) / 45.0 + np.abs(np.hypot(*hues.T) - length) / 0.02
    return tuple(int(value) for value in colors[int(away.argmin())])


def test_a_line_of_one_colour():
    assert found(drawn()) == 0
    assert found(PLAN.picture, NO_LINE.strokes) == 0


@pytest.mark.parametrize(("turn", "share", "seen_"), [(20.0, 0.4, False), (40.0, 0.4, True), (40.0, 0.05, False)])
def test_it_is_told_from_some_pixels_whether_hues_vary(turn, share, seen_):
    """By 28 degrees between a tenth and nine tenths of them."""
    picture = dotted(round(share * AREA), hued(turn, 0.15))
    assert is_varied(picture, LINE, np.full(3, 255.0), TwoColorsConfig()) is seen_
    assert not is_varied(picture, NO_LINE.strokes, np.full(3, 255.0), TwoColorsConfig())


def test_a_core_in_another_hue_and_grey_highlights():
    core = through(2, 3, 4, 8, 7, 6, 5, 9, 10, 11, width=1)
    picture = drawn()
    picture[core] = ORANGE
    assert found(picture) > 0.2 * AREA
    for grey in (0, 128, 255):
        picture[core] = grey
        assert found(picture) == 0


@pytest.mark.parametrize(("share", "seen_"), [(0.035, False), (0.045, True)])
def test_a_share_of_the_line(share, seen_):
    """More than 0.04 of its pixels."""
    count = round(share * AREA)
    assert found(dotted(count, ORANGE)) == (count if seen_ else 0)


@pytest.mark.parametrize(("turn", "seen_"), [(45.0, False), (56.0, True), (-45.0, False), (-56.0, True), (180.0, True)])
def test_another_hue_is_fifty_degrees_off(turn, seen_):
    assert (found(dotted(AREA // 20, hued(turn, 0.15))) > 0) is seen_


@pytest.mark.parametrize(
    ("turn", "share", "seen_"),
    [
        (20.0, 0.4, False),
        (40.0, 0.4, True),
        (-40.0, 0.6, True),
        (40.0, 0.2, True),
        (20.0, 0.2, False),
        (45.0, 0.05, False),
    ],
)
def test_of_two_hues_that_lie_close_together_neither_is_the_middle(turn, share, seen_):
    """From 28 degrees on, where the middle half of the line holds both, or more than 0.06 of it lie apart."""
    picture = dotted(round(share * AREA), hued(turn, 0.15))
    assert (found(picture) > 0) is seen_
    assert found(picture) <= 0.5 * AREA


@pytest.mark.parametrize(("length", "seen_"), [(0.09, False), (0.11, True)])
def test_a_hue_is_strong_enough(length, seen_):
    """Its a and b, doubled, are 0.1 long."""
    assert (found(dotted(AREA // 3, hued(150.0, length))) > 0) is seen_


def test_on_a_noisy_floor_hues_come_by_chance():
    """Grain in all hues, on the line and beside it: not more than anywhere else on the floor."""
    noise = np.random.default_rng(2).normal(0.0, 25.0, PLAN.picture.shape)
    noisy = np.clip(np.rint(drawn() + noise), 0, 255).astype(np.uint8)
    assert found(noisy) == 0
    cored = drawn()
    cored[through(2, 3, 4, 8, 7, 6, 5, 9, 10, 11, width=1)] = ORANGE
    assert found(np.clip(np.rint(cored + noise), 0, 255).astype(np.uint8)) > 0


def beside(by: int) -> np.ndarray:
    """A line in cells 6 and 7 of four rows from Y - 2, and orange so many rows below its last."""
    x, y = at(7)
    picture = PLAN.picture.copy()
    picture[y + 1 + by, x - 30 : x + 8] = ORANGE
    return picture


def test_beside_it_is_looked_at_up_to_two_half_widths():
    x, y = at(7)
    line = np.zeros(LINE.shape, bool)
    line[y - 2 : y + 2, x - 30 : x + 8] = True
    for half_width, last in ((2.0, 4), (0.2, 1)):
        for by in (last, last + 1):
            picture = beside(by)
            picture[line] = BLUE
            assert (found(picture, line, half_width) > 0) is (by == last), (half_width, by)
    # Of 1.5 pixels at least: one row, and what is aslant to it.
    x, y = at(7)
    dot = np.zeros(LINE.shape, bool)
    dot[y, x] = True
    picture = PLAN.picture.copy()
    picture[box(x, y, 7, 7)] = ORANGE
    picture[dot] = BLUE
    assert found(picture, dot, 0.2) == 8


def test_near_a_marker_its_colour_is_no_second_one():
    """Up to five pixels off the disc, which reaches six from its middle: of 16 red ones one is as near."""
    x, y = at(1)
    line = np.zeros(LINE.shape, bool)
    line[y - 1 : y + 1, x + 30 : x + 60] = True
    for by, count in ((5, 15), (6, 16)):
        near = line.copy()
        near[y - 1 : y + 1, x + 6 + by : x + 6 + by + 8] = True
        picture = PLAN.picture.copy()
        picture[near] = BLUE
        picture[y - 1 : y + 1, x + 6 + by : x + 6 + by + 8] = (255, 0, 0)
        assert found(picture, near, 0.2) == count
