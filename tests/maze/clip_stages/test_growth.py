"""How a path came, by when its places appeared: along a straight line of 320 pixels, in cells of 32."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.maze.clips.config import GrowthConfig
from detectors.maze.clips.growth import Growth, read_growth

CELL = 32.0
LENGTH = 320
LINE = ((10.0, 20.0), (10.0 + LENGTH, 20.0))
ENDS = ((10.0, 20.0), (330.0, 20.0))
CONFIG = GrowthConfig()


def arrivals(*pieces: tuple[int, int, int]) -> np.ndarray:
    """Ink in rows 18 to 22 that came in a frame from one column to another: (frame, first, last)."""
    when = np.full((40, 360), -1, np.int32)
    for frame, first, last in pieces:
        when[18:23, first:last] = frame
    return when


def drawn(frames: int, first: int = 0, last: int = LENGTH, at: int = 0) -> list[tuple[int, int, int]]:
    """A line that grows evenly."""
    step = (last - first) / frames
    return [
        (at + number, 10 + round(first + number * step), 10 + round(first + (number + 1) * step) + (last == LENGTH))
        for number in range(frames)
    ]


def read(*pieces, line=LINE, anchors=ENDS, config=CONFIG) -> Growth:
    return read_growth(line, arrivals(*pieces), 1, anchors, CELL, config)


def test_no_path_and_no_ink():
    assert read(line=()) == Growth(0.0, (), (), (), False, 0.0)
    assert read(line=LINE[:1]) == Growth(0.0, (), (), (), False, 0.0)
    assert read() == Growth(320.0, (), (), (), False, 0.0)


def test_a_path_that_grows():
    growth = read(*drawn(20))
    assert (growth.length, growth.jumps, growth.at_once, growth.appeared) == (320.0, (), (), False)
    assert growth.before_fault == 320.0
    assert [index for index, _, _ in growth.tip] == list(range(20))
    xs = [x for _, x, _ in growth.tip]
    assert xs == sorted(xs)
    assert growth.tip[-1][1:] == (330.0, 20.0)
    # A sixteenth of a cell is looked up to either side, so the tip is not far off 10 + 16.
    assert growth.tip[0][1] == pytest.approx(26.0, abs=3.3)


def test_a_path_that_grows_from_the_goal_or_from_both_ends():
    backwards = [(19 - number, first, last) for number, first, last in drawn(20)]
    assert read(*backwards).before_fault == 320.0
    assert read(*backwards).jumps == ()
    both = [*drawn(10, 0, 160), *[(9 - number, first, last) for number, first, last in drawn(10, 160, 320)]]
    assert (read(*both).jumps, read(*both).at_once) == ((), ())


@pytest.mark.parametrize(("cells", "many"), [(2.0, 0), (2.2, 1)])
def test_a_piece_may_appear_at_once_up_to_a_length(cells, many):
    """The more of 1.6 cells, 51.2 pixels, and of a fifth of the path, 64."""
    first, last = 160, 160 + round(cells * CELL)
    growth = read(*drawn(10, 0, first), (10, 10 + first, 10 + last), *drawn(10, last, LENGTH, 11))
    assert len(growth.at_once) == many
    if many:
        (piece,) = growth.at_once
        assert piece.index == 10
        assert piece.first == pytest.approx(first, abs=3.3)
        assert piece.length == pytest.approx(last - first, abs=6.6)
        assert piece.at[1] == 20.0
        assert growth.before_fault == piece.first
        assert not growth.appeared
    strict = replace(CONFIG, at_once_share=0.1, at_once=1.0)
    assert (
        len(
            read(*drawn(10, 0, first), (10, 10 + first, 10 + last), *drawn(10, last, LENGTH, 11), config=strict).at_once
        )
        == 1
    )


def test_a_path_of_which_half_is_shown_has_appeared():
    """More than 0.5 of 320: 150 of it at once is drawn all the same, 170 is not."""
    for last, appeared in ((150, False), (170, True)):
        growth = read((0, 10, 10 + last), *drawn(10, last, LENGTH, 1))
        assert growth.appeared is appeared
        assert len(growth.at_once) == 1


@pytest.mark.parametrize(("gap", "jumps"), [(19, 0), (32, 1)])
def test_ink_that_appears_apart_has_jumped(gap, jumps):
    """0.8 cells are 25.6 pixels. It grows for 60 pixels before what lies between is drawn."""
    first = 100 + gap
    growth = read(
        *drawn(6, 0, 100), *drawn(4, first, first + 60, 6), (10, 110, 110 + gap), *drawn(8, first + 60, LENGTH, 11)
    )
    assert len(growth.jumps) == jumps
    if jumps:
        (piece,) = growth.jumps
        assert piece.index == 6
        assert (piece.first, piece.last) == (pytest.approx(first, abs=3.3), pytest.approx(first + 60, abs=3.3))
        assert growth.before_fault == piece.first


def test_a_speck_apart_is_no_jump():
    """0.25 cells are 8 pixels."""
    for length, jumps in ((4, 0), (16, 1)):
        pieces = [*drawn(6, 0, 100), (6, 170, 170 + length), (7, 110, 170), *drawn(8, 160 + length, LENGTH, 8)]
        assert len(read(*pieces).jumps) == jumps


def test_without_markers_what_comes_first_has_nothing_to_join():
    """A path from nowhere may begin in its middle; one between markers may not."""
    middle = [*drawn(4, 100, 160), *drawn(8, 160, LENGTH, 4), *[(20 - n, a, b) for n, a, b in drawn(8, 0, 100)]]
    assert read(*middle, anchors=()).jumps == ()
    assert len(read(*middle).jumps) == 1
    # A marker is near an end up to a cell away.
    assert len(read(*middle, anchors=((41.0, 20.0), (299.0, 20.0))).jumps) == 1
    assert read(*middle, anchors=((43.0, 20.0), (297.0, 20.0))).jumps == ()


def test_the_frame_of_a_place_is_the_median_around_it():
    """0.06 cells are 1.92 pixels, so 2 to each side: single pixels of another frame do not count."""
    when = arrivals(*drawn(20))
    when[20, ::5][when[20, ::5] >= 0] = 19
    assert read_growth(LINE, when, 1, ENDS, CELL, CONFIG).jumps == ()
    narrow = replace(CONFIG, around=0.0)
    assert read_growth(LINE, when, 1, ENDS, CELL, narrow).length == 320.0


def test_puzzle_pixels_are_reduced_by_the_factor():
    when = arrivals(*drawn(20))[::2, ::2]
    growth = read_growth(LINE, when, 2, ENDS, CELL, CONFIG)
    assert (growth.jumps, growth.at_once, growth.before_fault) == ((), (), 320.0)


def test_down_is_down():
    when = arrivals(*drawn(20)).T
    line = tuple((y, x) for x, y in LINE)
    growth = read_growth(line, when, 1, tuple((y, x) for x, y in ENDS), CELL, CONFIG)
    assert growth.before_fault == 320.0
    assert growth.tip[-1][1:] == (20.0, 330.0)
