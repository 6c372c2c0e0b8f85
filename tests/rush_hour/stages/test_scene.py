"""Exits, obstacles and free floor in small pictures of classes, painted with known sizes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.rush_hour.colors import DARK, EXIT, FIRST_VEHICLE, FLOOR, FOREIGN, LotPalette
from detectors.rush_hour.config import LOT_CONFIG
from detectors.rush_hour.scene import SceneReader, SceneReading
from detectors.rush_hour.view import CameraView
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Pose, Side
from tests.rush_hour.lot_clips import BLUE, RED, vehicle
from tests.rush_hour.stages.small_pictures import Labels, floor, inside, paint, view_of

R = vehicle("R", 2.0, 4.0, 0.0, RED, length=2.0, width=0.9)
A = vehicle("A", 6.0, 3.0, math.pi / 2, BLUE, length=2.0, width=0.9)
WALL = Obstacle("wall", 1.6, 0.8, Pose(2.0, 1.5, 0.0))
LOT = Lot(8.0, 6.0, (Exit(Side.RIGHT, 3.0, 5.0),), (R, A), (WALL,))
VIEW, SHAPE = view_of(LOT)  # 20 px a unit
PALETTE = LotPalette(np.array([[98.0, 0, 0]]), np.zeros(3), np.array([75.0, -35.0, 25.0]), np.zeros((2, 3)))
HOMES = [(R.pose,), (A.pose,)]


def lot(exit_at: Pose | None = None, exit_length: float = 2.0, wall: int = DARK) -> Labels:
    """The lot: a dark border line, an exit of 0.3 x 2 units on the right side, vehicles, and the obstacle."""
    labels = floor(SHAPE)
    labels[inside(VIEW, SHAPE, Pose(4.0, 3.0), 8.2, 6.2) & ~inside(VIEW, SHAPE, Pose(4.0, 3.0), 7.8, 5.8)] = DARK
    labels = paint(labels, VIEW, exit_at or Pose(8.0, 4.0), 0.3, exit_length, EXIT)
    labels = paint(labels, VIEW, WALL.pose, 1.6, 0.8, wall)
    for place, body in enumerate((R, A)):
        labels = paint(labels, VIEW, body.pose, 2.0, 0.9, FIRST_VEHICLE + place)
    return labels


PLAIN = lot()


def reader(first: Labels = PLAIN, palette: LotPalette = PALETTE, layout: Lot = LOT) -> SceneReader:
    return SceneReader(first, VIEW, layout, palette, LOT_CONFIG)


def read(labels: Labels, first: Labels = PLAIN, places: list[Pose] | None = None) -> SceneReading:
    return reader(first).read(labels, VIEW, HOMES if places is None else [(at,) for at in places])


def patch(pose: Pose, length: float, width: float, kind: int = FOREIGN, under: Labels = PLAIN) -> Labels:
    return paint(under, VIEW, pose, length, width, kind)


def test_a_lot_as_it_should_be() -> None:
    assert read(PLAIN) == SceneReading((1.0,), 0.0, None, (1.0,), 0.0, None, False, 0.0)


class TestExits:
    @pytest.mark.parametrize("length", [0.5, 1.0, 1.5])
    def test_the_share_that_shows(self, length: float) -> None:
        seen = read(patch(Pose(8.0, 5.0 - (2.0 - length) / 2), 0.3, 2.0 - length, FLOOR))
        assert seen.exits[0] == pytest.approx(length / 2.0, abs=0.03)  # 20 points along 2 units

    def test_exits_are_looked_at_where_they_are_drawn(self) -> None:
        # An exit that is drawn 0.3 units outside is one there, and none at the border itself.
        outside = lot(Pose(8.35, 4.0))
        assert read(outside, outside).exits == (1.0,)
        assert read(PLAIN, outside).exits == (0.0,)

    def test_also_where_one_is_drawn_that_is_too_short(self) -> None:
        # Half of it, 0.3 units outside: lines that show three quarters of that are as good as the best one.
        outside = lot(Pose(8.35, 4.0), 1.0)
        assert read(outside, outside).exits[0] == pytest.approx(0.5, abs=0.06)

    def test_it_is_looked_for_up_to_045_units_off(self) -> None:
        for off, share in ((0.44, 1.0), (0.75, 0.0)):
            apart = lot(Pose(8.0 + off, 4.0))
            assert read(apart, apart).exits == (share,)

    def test_a_vehicle_in_it_hides_it_with_its_outline(self) -> None:
        # The car covers 0.9 of 2 units: 9 points and two to either side; of the other 7 all show it.
        labels = patch(Pose(8.0, 4.0), 2.0, 0.9, FIRST_VEHICLE)
        assert read(labels).exits == (1.0,)
        # What shows no exit within two points of the car counts as hidden: 0.9 + 2 * 0.2 units.
        labels = patch(Pose(8.0, 4.0), 0.3, 1.3, FLOOR)
        labels = patch(Pose(8.0, 4.0), 2.0, 0.9, FIRST_VEHICLE, labels)
        assert read(labels).exits == (1.0,)
        labels = patch(Pose(8.0, 4.0), 0.3, 1.7, FLOOR)
        labels = patch(Pose(8.0, 4.0), 2.0, 0.9, FIRST_VEHICLE, labels)
        # 20 points: 9 of the car, 4 beside it hidden, 17 not the exit: 3 of 7 that are not hidden show it.
        assert read(labels).exits[0] == pytest.approx(3 / 7)

    @pytest.mark.parametrize(("wide", "share"), [(0.7, 0.0), (1.1, 1.0)])
    def test_one_that_is_hidden_by_more_than_60_percent_is_there(self, wide: float, share: float) -> None:
        # 0.7 units and two points to either side are 11 of 20, 55 %; 1.1 units 15 of 20, 75 %.
        labels = patch(Pose(8.0, 4.0), 0.6, 2.1, FLOOR)
        labels = patch(Pose(8.0, 4.0), 2.0, wide, FIRST_VEHICLE, labels)
        assert read(labels).exits == (share,)

    def test_foreign_things_do_not_hide_it(self) -> None:
        assert read(patch(Pose(8.0, 4.0), 0.6, 2.2, FOREIGN)).exits == (0.0,)

    @pytest.mark.parametrize(("closed", "share"), [(1.1, 1.0), (1.3, 0.0)])
    def test_one_without_a_colour_is_there_until_it_is_closed(self, closed: float, share: float) -> None:
        # From 60 % of dark on, 1.2 of 2 units.
        bare = replace(PALETTE, exit=None)
        opened = patch(Pose(8.0, 4.0), 0.4, 2.0, FLOOR)
        first = reader(opened, bare)
        assert first.read(opened, VIEW, HOMES).exits == (1.0,)
        shut = patch(Pose(8.0, 3.0 + closed / 2), 0.4, closed, DARK, opened)
        seen = first.read(shut, VIEW, HOMES)
        assert seen.exits == (share,)
        assert (seen.extra, seen.extra_box) == (0.0, None)


class TestFurtherExits:
    @pytest.mark.parametrize("length", [0.6, 1.2])
    @pytest.mark.parametrize(
        ("x", "y", "upright"), [(0.0, 3.0, True), (4.0, 0.0, False), (4.0, 6.0, False), (8.0, 1.2, True)]
    )
    def test_the_longest_on_any_side(self, length: float, x: float, y: float, upright: bool) -> None:
        long, thick = (0.3, length) if upright else (length, 0.3)
        seen = read(patch(Pose(x, y), long, thick, EXIT))
        assert seen.extra == pytest.approx(length, abs=0.11)
        assert seen.extra_box is not None
        middle = ((seen.extra_box.left + seen.extra_box.right) / 2, (seen.extra_box.top + seen.extra_box.bottom) / 2)
        assert middle == pytest.approx(tuple(VIEW.to_small(np.array([x, y]))), abs=3.0)
        # Its points are 0.1 units, 2 px, apart, and 3 px are added around and one for the last.
        along = (
            (seen.extra_box.bottom - seen.extra_box.top) if upright else (seen.extra_box.right - seen.extra_box.left)
        )
        assert along == pytest.approx(20 * length - 2 + 7, abs=2.1)

    def test_of_two_the_longer_one(self) -> None:
        labels = patch(Pose(4.0, 6.0), 1.5, 0.3, EXIT, patch(Pose(0.0, 3.0), 0.3, 0.8, EXIT))
        assert read(labels).extra == pytest.approx(1.5, abs=0.11)
        labels = patch(Pose(4.0, 6.0), 0.5, 0.3, EXIT, patch(Pose(0.0, 3.0), 0.3, 0.8, EXIT))
        assert read(labels).extra == pytest.approx(0.8, abs=0.11)

    def test_a_thin_line_of_its_colour_is_none(self) -> None:
        # It has to show at more than half of the three lines that are looked at, 0.075 units apart.
        assert read(patch(Pose(0.0, 3.0), 0.05, 2.0, EXIT)).extra == 0.0

    @pytest.mark.parametrize(("beyond", "length"), [(0.25, 0.0), (0.6, 0.3)])
    def test_what_goes_on_beside_a_stated_one_is_that_one(self, beyond: float, length: float) -> None:
        # 0.3 units to either side belong to it.
        for y in (5.0 + beyond / 2, 3.0 - beyond / 2):
            assert read(patch(Pose(8.0, y), 0.3, beyond, EXIT)).extra == pytest.approx(length, abs=0.06)


class TestObstacles:
    @pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
    def test_the_share_that_is_dark(self, share: float) -> None:
        seen = read(patch(Pose(1.2 + 0.8 * share, 1.5), 1.6 * share, 0.8, FLOOR))
        assert seen.obstacles[0] == pytest.approx(1 - share, abs=0.13)

    def test_foreign_things_are_not_dark_and_vehicles_tell_nothing(self) -> None:
        assert read(patch(WALL.pose, 1.6, 0.8, FOREIGN)).obstacles == (0.0,)
        half = patch(Pose(1.6, 1.5), 0.8, 0.8, FIRST_VEHICLE)
        assert read(half).obstacles == (1.0,)

    @pytest.mark.parametrize(("wide", "share"), [(1.0, 0.0), (1.3, 1.0)])
    def test_one_of_which_a_fifth_is_free_or_less_is_there(self, wide: float, share: float) -> None:
        # Its 5 columns of points lie at -0.51, -0.26, 0, 0.26 and 0.51 units: 1.0 wide from the left frees 2, 1.3 one.
        labels = patch(WALL.pose, 1.6, 0.8, FLOOR)
        labels = patch(Pose(1.2 + wide / 2, 1.5), wide, 0.9, FIRST_VEHICLE, labels)
        assert read(labels).obstacles == (share,)


class TestForeign:
    AT = Pose(4.2, 1.0)

    @pytest.mark.parametrize("kind", [FOREIGN, DARK, EXIT])
    def test_a_body_on_the_floor(self, kind: int) -> None:
        seen = read(patch(self.AT, 0.8, 0.6, kind))
        assert seen.foreign == pytest.approx(0.48, abs=0.02)
        assert not seen.like_vehicle
        assert seen.foreign_box is not None
        column, row = VIEW.to_small(np.array([4.2 - 0.4, 1.0 + 0.3]))
        assert (seen.foreign_box.left, seen.foreign_box.top) == pytest.approx((column, row), abs=1.0)
        assert seen.foreign_box.right - seen.foreign_box.left == pytest.approx(16, abs=1)

    def test_of_two_the_larger(self) -> None:
        labels = patch(self.AT, 0.8, 0.6, FOREIGN, patch(Pose(4.2, 5.2), 0.5, 0.5))
        seen = read(labels)
        assert seen.foreign == pytest.approx(0.48, abs=0.02)
        assert seen.strewn == pytest.approx(0.25, abs=0.05)  # the smaller one, its corners rounded

    @pytest.mark.parametrize(("thick", "area"), [(0.2, 0.0), (0.3, 0.6)])
    def test_it_is_a_quarter_unit_thick(self, thick: float, area: float) -> None:
        seen = read(patch(Pose(4.2, 1.0), 2.0, thick))
        assert seen.foreign == pytest.approx(area, abs=0.03)
        assert seen.strewn == pytest.approx(0.4 if not area else 0.0, abs=0.05)

    @pytest.mark.parametrize(("thick", "area"), [(2, 0.0), (3, 3 * 12 / 64)])
    def test_in_a_small_picture_it_is_three_pixels_thick(self, thick: int, area: float) -> None:
        # 8 pixels a unit: a quarter unit would be two.
        view, shape = view_of(LOT, 8.0)
        small = floor(shape)
        shown = small.copy()
        row, column = (round(float(one)) for one in view.to_small(np.array([4.0, 4.6]))[::-1])
        shown[row : row + thick, column : column + 12] = FOREIGN
        made = SceneReader(small, view, LOT, PALETTE, LOT_CONFIG).read(shown, view, HOMES)
        assert made.foreign == pytest.approx(area)

    @pytest.mark.parametrize(("area", "like"), [(0.65, False), (0.75, True), (1.8, True), (2.8, True), (3.0, False)])
    def test_a_vehicles_colour_and_about_its_size_are_like_a_vehicle(self, area: float, like: bool) -> None:
        # Both have 1.8 square units: from 0.4 * 1.8 = 0.72 to 1.6 * 1.8 = 2.88.
        bare = replace(LOT, vehicles=(R, A), obstacles=())
        labels = paint(floor(SHAPE), VIEW, Pose(4.0, 3.0), 2.0, area / 2, FIRST_VEHICLE)
        seen = SceneReader(PLAIN, VIEW, bare, PALETTE, LOT_CONFIG).read(
            labels, VIEW, [(Pose(-5.0, 0.0),), (Pose(-5.0, 0.0),)]
        )
        assert seen.foreign == pytest.approx(area, abs=0.11)
        assert seen.like_vehicle is like

    def test_half_of_it_in_a_vehicles_colour_is_not_enough(self) -> None:
        labels = patch(Pose(4.2, 1.0), 1.2, 1.0, FIRST_VEHICLE, patch(self.AT, 1.2, 1.0))
        assert read(labels).like_vehicle
        labels = patch(Pose(3.9, 1.0), 0.6, 1.0, FIRST_VEHICLE, patch(self.AT, 1.2, 1.0))
        assert not read(labels).like_vehicle

    def test_where_vehicles_are_now_nothing_is_foreign(self) -> None:
        moved = [Pose(3.0, 4.0), A.pose]
        labels = patch(Pose(3.0, 4.0), 2.0, 0.9, FIRST_VEHICLE)
        assert read(labels, places=moved).foreign == pytest.approx(1.0 * 0.9 - 0.18 * 0.9, abs=0.1)
        assert read(labels).foreign > 0.5

    @pytest.mark.parametrize(("rim", "there"), [(0.15, False), (0.55, True)])
    def test_around_a_body_nothing_is(self, rim: float, there: bool) -> None:
        for body, length, width in ((R, 2.0, 0.9), (WALL, 1.6, 0.8)):
            ring = patch(body.pose, length + 2 * rim, width + 2 * rim)
            ring = patch(body.pose, length, width, DARK if body is WALL else FIRST_VEHICLE, ring)
            seen = read(ring)
            assert bool(seen.foreign) is there
            assert bool(seen.strewn) is (there and seen.strewn > 0)

    @pytest.mark.parametrize(("deep", "there"), [(0.29, False), (0.6, True)])
    def test_nor_at_the_border(self, deep: float, there: bool) -> None:
        for at in (Pose(deep / 2, 5.0), Pose(8.0 - deep / 2, 1.0)):
            assert (read(patch(at, deep, 1.0)).foreign > 0) is there
        for at in (Pose(5.0, deep / 2), Pose(4.0, 6.0 - deep / 2)):
            assert (read(patch(at, 1.0, deep)).foreign > 0) is there

    @pytest.mark.parametrize(("deep", "there"), [(0.65, False), (1.0, True)])
    def test_nor_inside_of_an_exit(self, deep: float, there: bool) -> None:
        assert (read(patch(Pose(8.0 - deep / 2, 4.0), deep, 1.8)).foreign > 0) is there

    @pytest.mark.parametrize(("off", "strewn"), [(0.0, 0.0), (0.05, 0.0), (0.32, 0.25), (-0.32, 0.25)])
    def test_a_rail_on_an_axis_is_not_strewn(self, off: float, strewn: float) -> None:
        # A line 0.2 thick, too thin for a body, and 1.6 long; 0.17 units to either side of the axis a rail may be.
        assert read(patch(Pose(4.3, 4.0 + off), 1.6, 0.2)).strewn == pytest.approx(strewn, abs=0.06)
        assert read(patch(Pose(6.0 + off, 1.0), 0.2, 1.0)).strewn == pytest.approx(strewn / 1.6, abs=0.05)

    def test_thin_writing_is_strewn(self) -> None:
        labels = PLAIN
        for number in range(5):
            labels = patch(Pose(3.6 + 0.5 * number, 1.0), 0.15, 0.8, FOREIGN, labels)
        seen = read(labels)
        assert seen.foreign == 0.0
        assert seen.strewn == pytest.approx(5 * 0.15 * 0.8, abs=0.08)

    def test_single_pixels_are_not(self) -> None:
        labels = PLAIN.copy()
        labels[100:116:3, 80:110:3][labels[100:116:3, 80:110:3] == FLOOR] = FOREIGN
        assert read(labels).strewn == 0.0


class TestRepeats:
    def test_the_next_picture_is_read_anew(self) -> None:
        reading = reader()
        changed = patch(WALL.pose, 1.6, 0.8, FLOOR)
        assert reading.read(PLAIN, VIEW, HOMES).obstacles == (1.0,)
        assert reading.read(changed, VIEW, HOMES).obstacles == (0.0,)
        assert reading.read(PLAIN, VIEW, HOMES).obstacles == (1.0,)

    def test_another_view_is_drawn_anew(self) -> None:
        reading = reader()
        reading.read(PLAIN, VIEW, HOMES)
        shifted = CameraView(VIEW.matrix, VIEW.shift + np.array([5.0, 0.0]), VIEW.cut, VIEW.scale)
        labels = np.roll(PLAIN, 5, axis=1)
        seen = reading.read(labels, shifted, HOMES)
        assert (seen.exits, seen.obstacles, seen.foreign) == ((1.0,), (1.0,), 0.0)
