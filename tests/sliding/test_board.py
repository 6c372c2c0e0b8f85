"""Where a board lies in a frame: cut out, registered, searched, compared."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.sliding.board import (
    TileBox,
    board_step,
    camera_step,
    correlation,
    likely_boxes,
    moved_much,
    rectify,
    stepped,
)
from detectors.sliding.config import TILE_CONFIG
from tests.sliding.tile_clips import shapes

RULES = TILE_CONFIG.registration
SIDE = 72
PICTURE = cv2.resize(shapes(4), (144, 144), interpolation=cv2.INTER_AREA)
BOX = TileBox(40.0, 30.0, 100.0, 100.0)


def frame(box: TileBox = BOX, size: tuple[int, int] = (160, 200)) -> np.ndarray:
    """A grey frame with the picture in a box."""
    pixels = np.full((*size, 3), 128, np.uint8)
    wide, high = box.width / 144, box.height / 144
    way = np.array([[wide, 0, box.left + 0.5 * wide - 0.5], [0, high, box.top + 0.5 * high - 0.5]])
    return cv2.warpAffine(PICTURE, way, size[::-1], pixels, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)


def seen(box: TileBox = BOX, pixels: np.ndarray | None = None) -> np.ndarray:
    return rectify(frame() if pixels is None else pixels, box, SIDE, TILE_CONFIG.board)


GOAL = rectify(PICTURE, TileBox(0, 0, 144, 144), SIDE, TILE_CONFIG.board)


class TestBox:
    def test_the_part_around_cells(self) -> None:
        box = TileBox(10.0, 20.0, 90.0, 60.0)
        assert box.part(3, (1, 5)) == TileBox(40.0, 20.0, 60.0, 40.0)  # row 0 column 1 and row 1 column 2
        assert box.part(3, (6,)) == TileBox(10.0, 60.0, 30.0, 20.0)
        assert box.part(3, ()) == box


class TestRectify:
    def test_each_pixel_is_the_mean_of_its_part(self) -> None:
        # A ramp of 2 levels a pixel, 100 px wide, reduced to 50: pixel k is the mean of 2 k and 2 k + 1, smoothed.
        ramp = np.repeat(np.arange(0, 200, 2, dtype=np.uint8)[None, :, None], 3, axis=2).repeat(100, axis=0)
        small = rectify(ramp, TileBox(0, 0, 100, 100), 50, TILE_CONFIG.board)
        assert small.shape == (50, 50, 3)
        assert small.dtype == np.float32
        assert small[25, 5:45, 1] == pytest.approx(4 * np.arange(5, 45) + 1, abs=0.35)
        turned = rectify(ramp.transpose(1, 0, 2).copy(), TileBox(0, 0, 100, 100), 50, TILE_CONFIG.board)
        assert turned == pytest.approx(small.transpose(1, 0, 2), abs=0.01)

    def test_a_box_may_leave_the_frame_whose_edge_goes_on(self) -> None:
        pixels = np.zeros((20, 20, 3), np.uint8)
        pixels[:, :10] = 200
        small = rectify(pixels, TileBox(-20, 0, 40, 20), 40, TILE_CONFIG.board)
        assert small[:, :28] == pytest.approx(200.0)
        assert small[:, 32:] == pytest.approx(0.0)

    def test_smoothing_spreads_a_step_over_three_pixels(self) -> None:
        # Weights of a Gaussian of 0.7: exp(-1 / 0.98) = 0.36 beside 1, so 0.21, 0.58, 0.21.
        pixels = np.zeros((30, 30, 3), np.uint8)
        pixels[:, 15:] = 100
        small = rectify(pixels, TileBox(0, 0, 30, 30), 30, TILE_CONFIG.board)
        weight = np.exp(-1 / (2 * 0.7**2))
        beside = 100 * weight / (1 + 2 * weight)
        assert small[10, 13:17, 0] == pytest.approx([0.0, beside, 100 - beside, 100.0], abs=9.0)
        assert small[10, 12, 0] == 0.0


class TestSteps:
    @pytest.mark.parametrize(("dx", "dy"), [(1.5, 0.0), (0.0, -1.5), (-1.0, 1.0)])
    def test_a_step_takes_a_box_nearer(self, dx: float, dy: float) -> None:
        box = TileBox(40.0 + dx, 30.0 + dy, 100.0, 100.0)
        for _ in range(8):
            box = stepped(box, board_step(GOAL, seen(box), RULES), RULES)
        assert (box.left, box.top, box.width, box.height) == pytest.approx((40.0, 30.0, 100.0, 100.0), abs=0.3)

    def test_width_and_height_are_found_apart(self) -> None:
        box = TileBox(38.0, 31.0, 104.0, 98.0)
        for _ in range(8):
            box = stepped(box, board_step(GOAL, seen(box), RULES), RULES)
        assert (box.left, box.top, box.width, box.height) == pytest.approx((40.0, 30.0, 100.0, 100.0), abs=0.3)

    def test_a_camera_keeps_the_boards_shape(self) -> None:
        step = camera_step(GOAL, seen(TileBox(38.0, 31.0, 104.0, 98.0)), None, RULES)
        assert step[2] == step[3]
        box = TileBox(38.5, 29.0, 103.0, 103.0)
        for _ in range(8):
            box = stepped(box, camera_step(GOAL, seen(box), None, RULES), RULES)
        assert (box.left, box.top, box.width, box.height) == pytest.approx((40.0, 30.0, 100.0, 100.0), abs=0.3)

    def test_a_wrong_tile_pulls_little(self) -> None:
        pixels = frame()
        pixels[30:63, 40:73] = np.roll(pixels, 33, axis=1)[30:63, 40:73]
        clean = board_step(GOAL, seen(TileBox(41.0, 30.0, 100.0, 100.0)), RULES)
        step = board_step(GOAL, seen(TileBox(41.0, 30.0, 100.0, 100.0), pixels), RULES)
        assert step[0] == pytest.approx(clean[0], abs=0.004)

    def test_a_flat_board_has_no_step(self) -> None:
        flat = np.full((SIDE, SIDE, 3), 90, np.float32)
        assert board_step(flat, flat + 5, RULES) == pytest.approx((0.0, 0.0, 0.0, 0.0))

    def test_no_step_that_fits_a_cell_worse(self) -> None:
        # The board stays but the middle cell's content goes 2 px to the right: no camera moves.
        shown = seen().copy()
        cell = slice(24, 48)
        shown[:, :24] = GOAL[:, :24]
        shown[cell, cell] = np.roll(GOAL, 2, axis=1)[cell, cell]
        blank = (0.0, 0.0, 0.0, 0.0)
        free = camera_step(GOAL, shown, None, RULES)
        assert free != blank
        mixed = GOAL.copy()
        mixed[cell, cell] = np.roll(GOAL, 3, axis=1)[cell, cell]
        assert camera_step(GOAL, mixed, 3, RULES) == blank or camera_step(GOAL, mixed, 3, RULES)[0] == pytest.approx(
            0, abs=0.01
        )
        whole = np.roll(GOAL, 1, axis=1)
        assert camera_step(GOAL, whole, 3, RULES, 3)[0] == pytest.approx(1 / SIDE, abs=0.004)

    def test_a_cell_where_tiles_move_may_fit_worse(self) -> None:
        flat = np.full((SIDE, SIDE, 3), 100, np.float32)
        stripes = flat + 40 * np.sin(np.arange(SIDE) / 3.0)[None, :, None]
        stripes[24:48, 24:48] = 100
        shifted = np.roll(stripes, 1, axis=1)
        shifted[24:48, 24:48] = 100
        shifted[34:38, 34:38] = 180  # something else within the middle cell, with a slope of its own
        goal = stripes.astype(np.float32)
        step = camera_step(goal, shifted.astype(np.float32), 3, RULES, 3, busy=(4,))
        assert step[0] == pytest.approx(1 / SIDE, abs=0.006)

    def test_a_growth_about_the_middle_is_no_shift(self) -> None:
        step = board_step(GOAL, seen(TileBox(39.0, 29.0, 102.0, 102.0)), RULES)
        assert step[:2] == pytest.approx((0.0, 0.0), abs=0.002)
        assert step[2:] == pytest.approx((-0.02, -0.02), abs=0.006)

    @pytest.mark.parametrize("edge", [0, -1])
    def test_the_outermost_pixels_do_not_count(self, edge: int) -> None:
        board = seen(TileBox(41.0, 30.5, 100.0, 100.0))
        step = board_step(GOAL, board, RULES)
        for axis in (0, 1):
            other = board.copy()
            np.moveaxis(other, axis, 0)[edge] = np.roll(np.moveaxis(board, axis, 0)[edge], 9, axis=0)
            goal = GOAL.copy()
            np.moveaxis(goal, axis, 0)[edge] = 255 - np.moveaxis(goal, axis, 0)[edge]
            # The slopes beside it are of it as well, but only those across it.
            changed = board_step(goal, other, RULES)
            assert changed[1 - axis if axis else 0] == pytest.approx(step[1 - axis if axis else 0], abs=0.004)

    def test_steps_are_bounded(self) -> None:
        box = stepped(TileBox(0.0, 0.0, 100.0, 200.0), (0.5, -0.5, 0.5, -0.5), RULES)
        # Shifts of 5 % of a side, and growth by 5 % about the middle.
        assert (box.width, box.height) == pytest.approx((105.0, 190.0))
        assert (box.left, box.top) == pytest.approx((5.0 - 2.5, -10.0 + 5.0))


class TestSearch:
    @pytest.mark.parametrize("box", [BOX, TileBox(10.0, 20.0, 120.0, 120.0), TileBox(120.0, 90.0, 60.0, 60.0)])
    def test_the_likeliest_place_is_near(self, box: TileBox) -> None:
        found = likely_boxes(frame(box), PICTURE, TILE_CONFIG.search)
        assert len(found) == 3
        best = found[0]
        # The frame is reduced by 112 / 200, so a pixel there is 1.8; sizes are 5 % apart.
        assert (best.left, best.top) == pytest.approx((box.left, box.top), abs=0.05 * box.width + 2)
        assert best.width == pytest.approx(box.width, rel=0.05)
        assert best.height == pytest.approx(best.width, abs=2.0)

    @pytest.mark.parametrize(("side", "found"), [(60, True), (32, False)])
    def test_boards_of_a_third_of_the_frame_are_found(self, side: float, found: bool) -> None:
        # The largest that fits a frame of 160 x 200 has a side of 160; 0.3 of it are 48.
        best = likely_boxes(frame(TileBox(50.0, 50.0, side, side)), PICTURE, TILE_CONFIG.search)[0]
        assert (abs(best.width - side) < 4) is found

    def test_no_board_is_larger_than_the_frame_by_more_than_a_tenth(self) -> None:
        for one in likely_boxes(frame(TileBox(-20.0, -40.0, 240.0, 240.0)), PICTURE, TILE_CONFIG.search):
            assert one.width <= 1.1 * 160 + 2

    def test_a_board_may_leave_the_frame_a_little(self) -> None:
        box = TileBox(-8.0, 10.0, 140.0, 140.0)
        best = likely_boxes(frame(box), PICTURE, TILE_CONFIG.search)[0]
        assert (best.left, best.top, best.width) == pytest.approx((-8.0, 10.0, 140.0), abs=6.0)

    def test_the_most_likely_comes_first(self) -> None:
        sizes = [one.width for one in likely_boxes(frame(), PICTURE, TILE_CONFIG.search)]
        assert abs(sizes[0] - 100) <= abs(sizes[1] - 100) + 1e-9 or abs(sizes[0] - 100) < 4

    def test_a_tiny_frame_has_none(self) -> None:
        assert likely_boxes(np.zeros((4, 4, 3), np.uint8), PICTURE, TILE_CONFIG.search) is not None
        assert all(one.width > 0 for one in likely_boxes(np.zeros((9, 9, 3), np.uint8), PICTURE, TILE_CONFIG.search))


class TestLikeness:
    def test_correlation(self) -> None:
        one = np.random.default_rng(1).normal(0, 1, (8, 8, 3)).astype(np.float32)
        assert correlation(one, 3 * one + 7) == pytest.approx(1.0)
        assert correlation(one, -one) == pytest.approx(-1.0)
        assert correlation(one, np.zeros_like(one)) == 0.0

    def test_each_channel_has_its_own_mean(self) -> None:
        one = np.random.default_rng(1).normal(0, 1, (8, 8, 3)).astype(np.float32)
        assert correlation(one, one + np.array([10.0, -20.0, 5.0], np.float32)) == pytest.approx(1.0)

    @pytest.mark.parametrize(
        ("box", "much"),
        [
            (TileBox(0, 0, 100, 80), False),
            (TileBox(-9.5, 0, 119, 80), False),
            (TileBox(-10.5, 0, 121, 80), True),
            (TileBox(0, -7.6, 100, 95.2), False),
            (TileBox(0, -8.4, 100, 96.8), True),
            (TileBox(10.5, 0, 79, 80), True),
            (TileBox(19, 0, 100, 80), False),
            (TileBox(21, 0, 100, 80), True),
            (TileBox(-21, 0, 100, 80), True),
            (TileBox(0, 15.2, 100, 80), False),
            (TileBox(0, 16.8, 100, 80), True),
            (TileBox(0, -16.8, 100, 80), True),
        ],
    )
    def test_a_board_that_moved_by_a_fifth_of_its_side_moved_much(self, box: TileBox, much: bool) -> None:
        assert moved_much(box, TileBox(0, 0, 100, 80), 0.2) is much
