"""How a board's place is found and refined, with numbers that follow from the settings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.sliding.board import TileBox, board_step, camera_step, likely_boxes, rectify
from detectors.sliding.config import TILE_CONFIG
from tests.sliding.test_board import PICTURE, frame

RULES, SEARCH = TILE_CONFIG.registration, TILE_CONFIG.search
SIDE = 72
SLOPE = 2.0  # levels a pixel
RAMP = np.repeat((40 + SLOPE * np.arange(SIDE, dtype=np.float32))[None, :, None], SIDE, axis=0).repeat(3, axis=2)
NONE = (0.0, 0.0, 0.0, 0.0)


def lighter(*parts: tuple[slice, slice, float], all_by: float = 0.0) -> np.ndarray:
    """The ramp, lighter by so many levels: what a board looks like that lies so far to the left."""
    made = RAMP + np.float32(all_by)
    for rows, columns, by in parts:
        made[rows, columns] = RAMP[rows, columns] + np.float32(by)
    return made


class TestSteps:
    def test_a_step_is_drawn_to_none_by_a_thousandth(self):
        """2 levels at 2 levels a pixel are a pixel of 72.

        The pull is a thousandth of the mean weight of four numbers. Of these the shift across has 1, the growth across
        the mean square of places from -0.5 to 0.5, which is about 1 / 12, and those down have none.
        """
        places = (np.arange(SIDE) + 0.5)[1:-1] / SIDE - 0.5
        pull = 1e-3 * (1 + float(np.square(places).mean())) / 4
        assert board_step(lighter(all_by=2.0), RAMP, RULES)[0] == pytest.approx(1 / SIDE / (1 + pull), rel=2e-5)

    def test_differences_beyond_20_levels_count_little(self):
        """Half is off by 4 levels, half by 40: weights 1 / (1 + 0.2^2) and 1 / (1 + 2^2), so 10.2 in all."""
        mixed = lighter((slice(36, 72), slice(None), 40.0), all_by=4.0)
        step = board_step(mixed, RAMP, RULES)
        assert step[0] * SIDE * SLOPE == pytest.approx((0.9615 * 4 + 0.2 * 40) / 1.1615, rel=0.05)

    @pytest.mark.parametrize(("others", "taken"), [(1.05, True), (1.2, False)])
    def test_a_cell_that_fits_exactly_may_be_worse_by_one_level_squared(self, others, taken):
        """The middle cell of nine is as it should be: a step that fits the others puts it off by 8 / 9 of theirs.

        0.93^2 is 0.87, 1.07^2 is 1.14.
        """
        seen = lighter((slice(24, 48), slice(24, 48), 0.0), all_by=others)
        assert (camera_step(seen, RAMP, 3, RULES, 3) != NONE) is taken
        assert camera_step(seen, RAMP, None, RULES) != NONE
        assert camera_step(seen, RAMP, 3, RULES, 3, busy=(4,)) != NONE

    @pytest.mark.parametrize(("others", "taken"), [(0.85, True), (1.3, False)])
    def test_one_that_does_not_may_be_worse_by_a_tenth(self, others, taken):
        """The middle cell is off by 5 levels the other way, its square 25: up to 25 x 1.1 + 1 = 28.5 are no worse.

        It weighs 0.94, so the step is of (8 x 0.85 - 0.94 x 5) / 8.94 = 0.23 levels, or of 0.64: 5.23^2 = 27.4, and
        5.64^2 = 31.8.
        """
        seen = lighter((slice(24, 48), slice(24, 48), -5.0), all_by=others)
        assert (camera_step(seen, RAMP, 3, RULES, 3) != NONE) is taken


class TestCutting:
    def test_a_step_is_taken_in_thirds_and_smoothed(self):
        """A step from 0 to 100 at column 15, each pixel taken at -1/3, 0 and 1/3: 0, 11, 89, 100 (11.3 by 32nds).

        Smoothed with 0.7 pixels, by weights of 0.209, 0.581, 0.209.
        """
        pixels = np.zeros((30, 30, 3), np.uint8)
        pixels[:, 15:] = 100
        small = rectify(pixels, TileBox(0, 0, 30, 30), 30, TILE_CONFIG.board)
        first = 0.209 * 11.3, 0.581 * 11.3 + 0.209 * 88.7
        assert small[10, 13:17, 0] == pytest.approx([*first, 100 - first[1], 100 - first[0]], abs=0.25)


class TestSearch:
    def test_the_frame_is_searched_at_112_pixels(self):
        """Of 200 pixels across: places are whole steps of 200 / 112."""
        for box in likely_boxes(frame(), PICTURE, SEARCH):
            steps = box.left * 112 / 200
            assert steps == pytest.approx(round(steps), abs=1e-9)

    @pytest.mark.parametrize(("left", "found"), [(-18.0, True), (-27.0, False)])
    def test_a_board_may_leave_the_frame_by_a_tenth(self, left, found):
        """A tenth of 112 pixels, rounded up, are 12: 21.4 of the frame's."""
        best = likely_boxes(frame(TileBox(left, 10.0, 140.0, 140.0)), PICTURE, SEARCH)[0]
        assert (best.left == pytest.approx(left, abs=3.0)) is found
        assert best.left >= -12 * 200 / 112 - 1e-9

    def test_a_board_has_at_least_8_pixels(self):
        tiny = np.random.default_rng(1).integers(0, 256, (13, 13, 3), np.uint8)
        boxes = likely_boxes(tiny, PICTURE, replace(SEARCH, candidates=99))
        assert min(box.width for box in boxes) == 8.0
        # A frame of 5 pixels is enlarged to 8, which are one board of the frame's size.
        boxes = likely_boxes(tiny[:5, :5], PICTURE, replace(SEARCH, candidates=99))
        assert {round(box.width * 8 / 5) for box in boxes} <= {8, 9}
