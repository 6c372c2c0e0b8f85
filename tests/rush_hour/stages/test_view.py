"""A lot cut out of a frame, and followed by its border."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.rush_hour.config import LOT_CONFIG
from detectors.rush_hour.findings import FrameBox
from detectors.rush_hour.place import LotBorder
from detectors.rush_hour.view import BorderFollower, CameraView, first_view
from puzzles.rush_hour.lot import Exit, Lot, Side
from tests.rush_hour.lot_clips import RED, vehicle
from tests.rush_hour.stages.small_pictures import view_of

LOT = Lot(6.0, 5.0, (Exit(Side.RIGHT, 2.0, 3.0),), (vehicle("R", 2.0, 2.5, 0.0, RED),), ())
CONFIG = LOT_CONFIG.follow
VIEW, SHAPE = view_of(LOT, 16.0)  # 128 x 112


def outline(move: np.ndarray | None = None, width: float = 2.0, gaps: tuple[tuple[float, ...], ...] = ()) -> np.ndarray:
    """A dark line around the lot on grey, drawn smoothly, after a motion of the picture (2, 3) about its middle."""
    rows, columns = np.mgrid[0 : SHAPE[0], 0 : SHAPE[1]].astype(np.float64)
    middle = np.array([(SHAPE[1] - 1) / 2, (SHAPE[0] - 1) / 2])
    if move is not None:
        u, v = columns - middle[0] - move[0, 2], rows - middle[1] - move[1, 2]
        back = np.linalg.inv(move[:, :2])
        columns = back[0, 0] * u + back[0, 1] * v + middle[0]
        rows = back[1, 0] * u + back[1, 1] * v + middle[1]
    x, y = (columns - VIEW.shift[0]) / 16.0, (VIEW.shift[1] - rows) / 16.0
    away = np.maximum(np.abs(x - 3.0) - 3.0, np.abs(y - 2.5) - 2.5) * 16.0
    shade = np.clip(width / 2 + 0.5 - np.abs(away), 0, 1)
    for left, bottom, right, top in gaps:
        shade[(x > left) & (x < right) & (y > bottom) & (y < top)] = 0
    return np.rint(200 - 160 * shade).astype(np.uint8)


def moved(dx: float = 0.0, dy: float = 0.0, zoom_x: float = 1.0, zoom_y: float = 1.0, turn: float = 0.0) -> np.ndarray:
    cos, sin = math.cos(turn), math.sin(turn)
    return np.array([[zoom_x * cos, -sin, dx], [sin, zoom_y * cos, dy]])


def follower(light: np.ndarray | None = None) -> BorderFollower:
    return BorderFollower(outline() if light is None else light, VIEW, LOT, CONFIG)


class TestView:
    TURNED = CameraView(
        np.array([[20.0, 3.0], [2.0, -18.0]]), np.array([10.0, 90.0]), FrameBox(30, 40, 230, 240), np.array([0.5, 0.25])
    )

    def test_points_of_the_lot_in_the_picture_and_back(self) -> None:
        points = np.array([[0.0, 0.0], [1.0, 2.0], [-0.5, 3.0]])
        # (1, 2): 20 + 2 * 3 + 10, 2 - 2 * 18 + 90
        small = self.TURNED.to_small(points)
        assert small.tolist() == [[10.0, 90.0], [36.0, 56.0], [9.0, 35.0]]
        assert self.TURNED.to_lot(small) == pytest.approx(points)

    def test_a_unit_is_the_root_of_the_area_of_a_square_unit(self) -> None:
        assert self.TURNED.unit == pytest.approx(math.sqrt(20 * 18 + 3 * 2))

    def test_plain_numbers(self) -> None:
        assert self.TURNED.matrix_values == (20.0, 3.0, 2.0, -18.0)
        assert self.TURNED.shift_values == (10.0, 90.0)

    def test_where_it_is_in_the_frame(self) -> None:
        # Pixel centres lie at whole numbers: 10 in the small picture is (10 + 0.5) / 0.5 - 0.5 + 30 in the frame.
        assert self.TURNED.camera().tolist() == [40.0, 6.0, 50.5, 8.0, -72.0, 401.5]

    def test_boxes_in_the_frame(self) -> None:
        assert self.TURNED.frame_box((5, 6, 7, 8)) == FrameBox(40, 64, 54, 96)

    def test_cutting_out_makes_means_over_blocks(self) -> None:
        frame = np.random.default_rng(1).integers(0, 256, (300, 300, 3), np.uint8)
        view = CameraView(np.eye(2), np.zeros(2), FrameBox(30, 40, 70, 100), np.full(2, 0.5))
        small = view.small(frame)
        assert small.shape == (30, 20, 3)
        assert small[3, 4] == pytest.approx(frame[46:48, 38:40].reshape(4, 3).mean(axis=0), abs=0.6)
        whole = CameraView(np.eye(2), np.zeros(2), FrameBox(30, 40, 70, 100), np.ones(2))
        assert np.array_equal(whole.small(frame), frame[40:100, 30:70])


class TestFirstView:
    def test_a_unit_around_belongs_to_it(self) -> None:
        view = first_view(LotBorder(100.0, 50.0, 280.0, 200.0, 1.0), LOT, (300, 400), LOT_CONFIG.view)
        # 30 pixels a unit: they stay. From 100 - 30 to 280 + 30, and from 50 - 30 to 200 + 30.
        assert view.cut == FrameBox(70, 20, 310, 230)
        assert view.scale.tolist() == [1.0, 1.0]
        assert view.to_small(np.array([0.0, 0.0])).tolist() == [30.0, 180.0]
        assert view.to_small(np.array([6.0, 5.0])).tolist() == [210.0, 30.0]

    def test_it_ends_at_the_frame(self) -> None:
        view = first_view(LotBorder(10.0, 8.0, 190.0, 158.0, 1.0), LOT, (170, 199), LOT_CONFIG.view)
        assert view.cut == FrameBox(0, 0, 199, 170)

    @pytest.mark.parametrize(("unit", "step"), [(44.0, 1), (46.0, 2), (74.0, 2), (76.0, 3), (12.0, 1)])
    def test_it_is_made_smaller_by_whole_steps(self, unit: float, step: int) -> None:
        border = LotBorder(2 * unit, 2 * unit, 8 * unit, 7 * unit, 1.0)
        view = first_view(border, LOT, (2000, 2000), LOT_CONFIG.view)
        assert view.scale.tolist() == [1 / step] * 2
        assert view.unit == pytest.approx(unit / step)
        assert (view.cut.right - view.cut.left) % step == (view.cut.bottom - view.cut.top) % step == 0
        # The camera tells where it is in the frame, whatever the step.
        camera = view.camera()
        assert (camera[2], camera[5]) == pytest.approx((2 * unit, 7 * unit))
        assert (camera[0], camera[4]) == pytest.approx((unit, -unit))

    def test_scales_of_x_and_y_may_differ(self) -> None:
        view = first_view(LotBorder(100.0, 50.0, 280.0, 220.0, 1.0), LOT, (400, 400), LOT_CONFIG.view)
        assert (view.matrix[0, 0], view.matrix[1, 1]) == (30.0, -34.0)
        assert (view.cut.left, view.cut.top) == (70, 16)


class TestFollow:
    def test_a_lot_that_stays_keeps_its_view(self) -> None:
        following = follower()
        view, seen = following.follow(outline())
        assert view is VIEW
        assert seen == 1.0
        assert following.follow(outline())[0] is VIEW

    @pytest.mark.parametrize(("dx", "dy"), [(2.0, 0.0), (0.0, -1.5), (-2.4, 1.3), (0.4, 0.4), (4.0, -4.0)])
    def test_a_shift(self, dx: float, dy: float) -> None:
        view, seen = follower().follow(outline(moved(dx, dy)))
        assert view.shift - VIEW.shift == pytest.approx([dx, dy], abs=0.12)
        assert view.matrix == pytest.approx(VIEW.matrix, abs=0.05)
        assert seen == 1.0

    @pytest.mark.parametrize(("zoom_x", "zoom_y"), [(1.04, 1.0), (1.0, 0.97), (1.03, 1.03)])
    def test_a_zoom_of_each_axis(self, zoom_x: float, zoom_y: float) -> None:
        following = follower()
        light = outline(moved(zoom_x=zoom_x, zoom_y=zoom_y))
        for _ in range(3):
            view, _ = following.follow(light)
            light = light.copy()
            light[0, 0] ^= 7  # another picture
        middle = view.to_small(np.array([3.0, 2.5]))
        assert middle == pytest.approx(VIEW.to_small(np.array([3.0, 2.5])), abs=0.15)
        assert view.matrix[0, 0] / VIEW.matrix[0, 0] == pytest.approx(zoom_x, abs=0.006)
        assert view.matrix[1, 1] / VIEW.matrix[1, 1] == pytest.approx(zoom_y, abs=0.006)

    @pytest.mark.parametrize("turn", [0.02, -0.02])
    def test_a_small_turn(self, turn: float) -> None:
        view, _ = follower().follow(outline(moved(turn=turn)))
        assert view.matrix[1, 0] / view.matrix[0, 0] == pytest.approx(turn, abs=0.006)
        assert view.matrix[0, 1] / -view.matrix[1, 1] == pytest.approx(turn, abs=0.006)

    def test_motions_add_up(self) -> None:
        following = follower()
        for step in range(1, 9):
            view, seen = following.follow(outline(moved(1.5 * step, 0.5 * step)))
            assert seen == 1.0
        assert view.shift - VIEW.shift == pytest.approx([12.0, 4.0], abs=0.15)

    def test_the_same_picture_needs_no_reading(self) -> None:
        following = follower()
        light = outline(moved(2.0, 1.0))
        first, _ = following.follow(light)
        again, _ = following.follow(light)
        assert following.follow(light)[0] is again
        assert first.shift == pytest.approx(again.shift, abs=0.2)

    @pytest.mark.parametrize(("change", "read"), [(4, False), (5, True)])
    def test_a_strip_that_differs_by_four_levels_is_the_same(self, change: int, read: bool) -> None:
        following = follower()
        light = outline()
        following.follow(light)
        other = light.copy()
        other[SHAPE[0] // 2, 16 - 4 : 16 + 5] = light[SHAPE[0] // 2, 16 - 4 : 16 + 5] + np.uint8(change)
        blank = np.full_like(light, 0)
        # What is kept is what was read: with the border painted over by less than 5 levels it is still seen.
        assert following.follow(other)[1] == 1.0
        assert following.follow(blank)[1] == 0.0
        strip = light + np.uint8(change)
        following = follower()
        following.follow(light)
        before = following._strips[0].copy()
        following.follow(strip)
        assert (not np.array_equal(before, following._strips[0])) is read

    def test_the_share_that_is_seen(self) -> None:
        # Without the left side: of 6 + 6 + 5 + 3 pieces (of the right side's 5 two touch the exit) 5 are gone.
        light = outline(gaps=((-0.5, -0.5, 0.5, 5.5),))
        _, seen = follower().follow(light)
        assert seen == pytest.approx(1 - 5 / 19, abs=0.11)
        assert seen < 0.85

    @pytest.mark.parametrize(("start", "used"), [(1.25, True), (1.15, False)])
    def test_a_piece_within_a_fifth_of_a_unit_of_an_exit_is_not_used(self, start: float, used: bool) -> None:
        # The right side's first piece is from 0 to 1; of its five, two or three are at the exit.
        lot = replace(LOT, exits=(Exit(Side.RIGHT, start, 2.25),))
        following = BorderFollower(outline(), VIEW, lot, CONFIG)
        _, seen = following.follow(outline(gaps=((5.5, 0.1, 6.5, 1.0),)))
        assert seen == (pytest.approx(1 - 1 / 20) if used else 1.0)

    def test_a_lot_without_a_border_that_is_seen_stays_where_it_was(self) -> None:
        following = follower()
        following.follow(outline(moved(2.0)))
        view, seen = following.follow(np.full(SHAPE, 200, np.uint8))
        assert seen == 0.0
        assert view.shift - VIEW.shift == pytest.approx([2.0, 0.0], abs=0.15)

    def test_pieces_that_do_not_agree_are_left_out(self) -> None:
        # The upper side is drawn 3 px farther up, all else stays.
        light = outline()
        upper = outline(moved(0.0, -3.0))
        mixed = light.copy()
        mixed[:28] = upper[:28]
        view, _ = follower().follow(mixed)
        assert view.shift - VIEW.shift == pytest.approx([0.0, 0.0], abs=0.6)

    def test_brightness_does_not_matter(self) -> None:
        darker = (outline(moved(1.0)) * 0.6).astype(np.uint8)
        view, seen = follower().follow(darker)
        assert seen == 1.0
        assert view.shift - VIEW.shift == pytest.approx([1.0, 0.0], abs=0.12)

    def test_a_lot_at_the_edge_of_the_picture(self) -> None:
        flush = CameraView(VIEW.matrix, np.array([-0.5, 5 * 16.0 - 0.5]), FrameBox(0, 0, 96, 80), np.ones(2))
        light = outline()[16:96, 16:112]
        following = BorderFollower(np.ascontiguousarray(light), flush, LOT, CONFIG)
        view, seen = following.follow(np.ascontiguousarray(light))
        assert view is flush
        assert seen == 1.0

    def test_without_any_border_nothing_is_followed(self) -> None:
        plain = np.full(SHAPE, 200, np.uint8)
        following = follower(plain)
        view, seen = following.follow(outline(moved(2.0)))
        assert view is VIEW
        assert seen == 0.0
