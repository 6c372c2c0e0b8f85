"""One vehicle measured in a small picture of classes: by its outline, fitted, anywhere, and under others."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.rush_hour.colors import DARK, EXIT, FLOOR, FOREIGN
from detectors.rush_hour.config import LOT_CONFIG
from detectors.rush_hour.vehicles import (
    VehicleShape,
    VehicleSighting,
    core,
    find_anywhere,
    find_covered,
    inside_pixels,
    measure,
    shares,
)
from puzzles.rush_hour.lot import Exit, Lot, Pose, Side
from tests.rush_hour.lot_clips import RED, vehicle
from tests.rush_hour.stages.small_pictures import OWN, Labels, classes, floor, paint, view_of

CAR = vehicle("R", 3.0, 2.0, 0.0, RED, length=2.0, width=1.0)
LOT = Lot(6.0, 4.0, (Exit(Side.RIGHT, 1.5, 2.5),), (CAR,), ())
VIEW, SHAPE = view_of(LOT)  # 20 px a unit: 160 x 120
CONFIG = LOT_CONFIG.vehicles
FORM = VehicleShape(CAR, CONFIG.shape)
MINE, OTHER = classes(OWN), OWN + 1
HOME = CAR.pose
EMPTY = floor(SHAPE)


def car(pose: Pose = HOME, length: float = 2.0, width: float = 1.0, under: Labels = EMPTY) -> Labels:
    return paint(under, VIEW, pose, length, width, OWN)


def seen(labels: Labels, at: Pose = HOME, reach: float = 0.5) -> VehicleSighting | None:
    return measure(labels, VIEW, FORM, at, MINE, reach, CONFIG)


class TestShape:
    def test_the_inside_is_a_grid_without_the_disc(self) -> None:
        # 0.92 * 2 = 1.84 long at 6 a unit: 11 points; 0.92 wide: round(5.52) = 6. Those within 0.34 are left out.
        along, across = ((np.arange(n) + 0.5) / n - 0.5 for n in (11, 6))
        grid = np.stack(np.meshgrid(along * 1.84, across * 0.92), axis=-1).reshape(-1, 2)
        kept = grid[np.hypot(grid[:, 0], grid[:, 1]) >= 0.34]
        assert np.allclose(FORM.inside, kept)
        assert 50 < len(kept) < 66

    def test_the_disc_of_a_narrow_vehicle_is_smaller(self) -> None:
        narrow = VehicleShape(vehicle("A", 3, 2, 0, RED, length=2.0, width=0.6), CONFIG.shape)
        nearest = np.hypot(*narrow.inside.T).min()
        assert 0.4 * 0.6 <= nearest < 0.34  # 0.24

    def test_the_ring_is_outside_of_all_sides(self) -> None:
        # 9 points along each side and 5 along each end, 0.13 outside: 2 * 9 + 2 * 5.
        assert len(FORM.ring) == 28
        assert np.abs(FORM.ring[:18, 1]) == pytest.approx(0.63)
        assert np.abs(FORM.ring[18:, 0]) == pytest.approx(1.13)
        assert (FORM.ring[:9, 0].min(), FORM.ring[:9, 0].max()) == (-1.0, 1.0)
        assert (FORM.ring[18:23, 1].min(), FORM.ring[18:23, 1].max()) == (-0.5, 0.5)
        assert FORM.ring.sum(axis=0) == pytest.approx(0.0)

    def test_its_reach_is_half_its_diagonal(self) -> None:
        assert pytest.approx(math.hypot(2.0, 1.0) / 2) == FORM.reach

    @pytest.mark.parametrize(("unit", "side"), [(10.0, 3), (20.0, 3), (24.0, 5), (30.0, 5), (36.0, 7)])
    def test_the_core_is_thicker_than_a_rail_and_odd(self, unit: float, side: int) -> None:
        # 0.17 of a unit, made odd upwards: 1.7 -> 3, 3.4 -> 3, 4.08 -> 5, 5.1 -> 5, 6.12 -> 7.
        view, _ = view_of(LOT, unit)
        assert core(view, CONFIG.hull).shape == (side, side)


class TestShares:
    def test_own_other_and_floor_add_up(self) -> None:
        labels = paint(car(), VIEW, Pose(2.25, 2.0), 0.5, 1.0, OTHER)  # the left quarter
        own, other, ground = shares(labels, VIEW, FORM, HOME, MINE)
        columns = FORM.inside[:, 0] < -0.45  # those at 0.5 and 0.67 of a unit lie in the quarter, rounded to pixels
        assert (own, other, ground) == ((~columns).mean(), columns.mean(), 0.0)

    @pytest.mark.parametrize(
        ("kind", "told"),
        [
            (FLOOR, (0, 0, 1)),
            (DARK, (0, 0, 0)),
            (EXIT, (0, 0, 0)),
            (FOREIGN, (0, 0, 0)),
            (OTHER, (0, 1, 0)),
            (OWN, (1, 0, 0)),
        ],
    )
    def test_what_a_pixel_counts_as(self, kind: int, told: tuple[int, int, int]) -> None:
        assert shares(np.full(SHAPE, kind, np.uint8), VIEW, FORM, HOME, MINE) == told

    def test_pixels_beyond_the_edge_are_those_at_the_edge(self) -> None:
        pixels = inside_pixels(EMPTY, VIEW, FORM, Pose(-9.0, 2.0))
        assert set(pixels % SHAPE[1]) == {0}


class TestWhole:
    @pytest.mark.parametrize("pose", [HOME, Pose(3.3, 1.8, 0.0), Pose(2.8, 2.2, 0.3), Pose(3.1, 2.1, -0.4)])
    def test_place_and_angle_follow_from_the_outline(self, pose: Pose) -> None:
        found = seen(car(pose))
        assert found is not None
        assert found.whole
        # A hull through pixel centres is up to half a pixel, 0.025 units, smaller on each side; its middle is not off.
        assert (found.place.x, found.place.y) == pytest.approx((pose.x, pose.y), abs=0.02)
        assert found.place.theta == pytest.approx(pose.theta, abs=0.02)
        assert (found.visible, found.covered) == (1.0, 0.0)
        assert found.pixels is not None
        assert np.array_equal(found.pixels, inside_pixels(EMPTY, VIEW, FORM, found.place))

    def test_the_angle_is_the_one_next_to_the_expected(self) -> None:
        found = seen(car(), Pose(3.0, 2.0, 3.0))
        assert found is not None
        assert found.place.theta == pytest.approx(math.pi, abs=0.02)

    def test_upright_vehicles_are_as_well_found(self) -> None:
        found = seen(car(Pose(3.0, 2.0, 1.5)), Pose(3.0, 2.0, math.pi / 2))
        assert found is not None
        assert found.whole
        assert found.place.theta == pytest.approx(1.5, abs=0.03)

    # Drawn sides are measured about a pixel, 0.05, shorter: through the pixels' centres.
    @pytest.mark.parametrize(("length", "whole"), [(1.75, True), (1.65, False), (2.3, True), (2.45, False)])
    def test_the_length_may_be_off_by_17_percent(self, length: float, whole: bool) -> None:
        found = seen(car(length=length))
        assert (found is not None and found.whole) is whole

    @pytest.mark.parametrize(("width", "whole"), [(0.75, True), (0.7, False), (1.3, True), (1.35, False)])
    def test_the_width_may_be_off_by_25_percent(self, width: float, whole: bool) -> None:
        found = seen(car(width=width))
        assert (found is not None and found.whole) is whole

    def test_it_shows_its_colour_by_less_where_it_is_speckled(self) -> None:
        labels = car()
        spots = np.stack(np.unravel_index(inside_pixels(labels, VIEW, FORM, HOME), SHAPE), axis=1)
        for row, column in spots[:20]:
            labels[row, column] = FLOOR
        found = seen(labels)
        assert found is not None
        assert found.whole
        share = 1 - len({tuple(spot) for spot in spots[:20]}) / len(spots)
        assert found.visible == pytest.approx(share, abs=0.12)
        assert found.visible < 0.95

    def test_two_parts_of_a_cut_vehicle_are_one(self) -> None:
        # A stripe of 0.6 across its middle, as a disc with its rim may be; the parts' middles are 0.65 from the middle.
        found = seen(paint(car(), VIEW, HOME, 0.6, 1.0, FLOOR))
        assert found is not None
        assert found.whole
        assert (found.place.x, found.place.y) == pytest.approx((3.0, 2.0), abs=0.02)

    def test_a_like_thing_far_off_is_no_part_of_it(self) -> None:
        # 1.6 lengths away is farther than 0.8 lengths from the main part, and within the window of 1.12 + 2.3 units.
        found = seen(paint(car(), VIEW, Pose(5.0, 2.0), 0.7, 0.7, OWN), reach=2.3)
        assert found is not None
        assert found.whole
        assert found.place.x == pytest.approx(3.0, abs=0.02)

    def test_a_rail_is_no_part_of_it(self) -> None:
        found = seen(paint(car(), VIEW, Pose(3.0, 2.0), 6.0, 0.1, OWN))  # 2 px thick; the core is 3 px
        assert found is not None
        assert found.whole
        assert found.place.x == pytest.approx(3.0, abs=0.02)

    @pytest.mark.parametrize(("x", "there"), [(3.4, True), (4.9, False)])
    def test_it_is_looked_for_within_the_reach_only(self, x: float, there: bool) -> None:
        found = seen(car(Pose(x, 2.0)), Pose(3.0, 2.0), reach=0.5)
        assert (found is not None and abs(found.place.x - x) < 0.03) is there

    def test_nothing_is_found_on_an_empty_floor_or_off_the_picture(self) -> None:
        assert seen(EMPTY) is None
        assert seen(EMPTY, Pose(30.0, 2.0)) is None

    def test_labels_may_be_of_any_shape(self) -> None:
        narrow = np.ascontiguousarray(car()[:, 40:120])  # the car begins at column 60 - 20
        view = replace(VIEW, shift=VIEW.shift - np.array([40.0, 0.0]))
        found = measure(narrow, view, FORM, HOME, MINE, 0.5, CONFIG)
        assert found is not None
        assert found.place.x == pytest.approx(3.0, abs=0.02)


class TestFitted:
    def test_a_half_hidden_vehicle_is_fitted_by_what_is_seen(self) -> None:
        labels = paint(car(), VIEW, Pose(2.4, 2.0), 0.8, 1.4, OTHER)  # hides 0.8 of its 2 units
        found = seen(labels, Pose(3.2, 2.0), reach=0.5)
        assert found is not None
        assert not found.whole
        # Of the places at which all that is free shows its colour, 3.1 is the nearest to 3.2 in coarse steps of 0.1.
        assert found.place.x == pytest.approx(3.1)
        assert found.covered == 24 / 54  # of its 54 points 4 columns of 6 lie under the other body
        assert found.visible == 1.0
        assert found.pixels is None

    def test_a_fitted_vehicle_keeps_its_angle(self) -> None:
        pose = Pose(3.0, 2.0, 0.5)
        labels = paint(car(pose), VIEW, Pose(2.2, 1.5), 1.0, 1.0, OTHER)
        found = seen(labels, Pose(3.3, 2.15, 0.5), reach=0.4)
        assert found is not None
        assert not found.whole
        assert found.place.theta == 0.5
        assert math.hypot(found.place.x - 3.0, found.place.y - 2.0) < 0.2

    @pytest.mark.parametrize(("hidden", "there"), [(1.6, True), (1.7, False)])
    def test_it_may_be_covered_by_70_percent(self, hidden: float, there: bool) -> None:
        # 36 of its 54 points at 3.1, 67 %; with 1.7 units hidden 42 of them, 78 %.
        labels = paint(car(), VIEW, Pose(2.0 + hidden / 2 - 0.2, 2.0), hidden + 0.4, 1.6, OTHER)
        assert (seen(labels, reach=0.1) is not None) is there

    @pytest.mark.parametrize(("share", "there"), [(0.35, True), (0.3, False)])
    def test_enough_of_what_is_not_covered_must_be_its_colour(self, share: float, there: bool) -> None:
        # The right part of it is gone. With 0.7 units left 26 of 54 points are its own, 48 %; with 0.6 units too few.
        labels = car(Pose(2.0 + share, 2.0), length=2 * share)
        found = measure(labels, VIEW, FORM, HOME, MINE, 0.05, replace(CONFIG, hull=replace(CONFIG.hull, most_reach=0)))
        assert (found is not None) is there

    def test_of_two_ways_that_fit_alike_the_nearer_counts(self) -> None:
        # The colour goes on along the axis for 1 unit more: from 2.5 to 3.5 all fits, best where the ring is free.
        labels = paint(EMPTY, VIEW, HOME, 3.0, 1.0, OWN)
        labels = paint(labels, VIEW, Pose(1.4, 2.0), 0.4, 2.0, OTHER)
        labels = paint(labels, VIEW, Pose(4.6, 2.0), 0.4, 2.0, OTHER)
        for expected, at in ((2.6, 2.6), (2.8, 2.7), (3.2, 3.3)):
            found = seen(labels, Pose(expected, 2.0), reach=0.4)
            assert found is not None
            assert found.place.x == pytest.approx(at)

    def test_it_is_moved_across_its_axis_too(self) -> None:
        labels = paint(car(Pose(3.0, 2.2)), VIEW, Pose(2.3, 2.0), 0.7, 1.8, OTHER)
        found = seen(labels, HOME, reach=0.3)
        assert found is not None
        assert not found.whole
        assert found.place.y == pytest.approx(2.15)

    def test_its_surroundings_should_not_show_its_colour(self) -> None:
        # A field of the colour twice as wide: inside all fits; the ring tells against it, and so it is none.
        # Score 1 - 0.5 * 1 = 0.5 is above 0.45; but with a third of the inside gone it is 2/3 - 1/2.
        field = paint(EMPTY, VIEW, HOME, 6.0, 4.0, OWN)
        assert seen(field, reach=0.1) is not None
        holes = paint(field, VIEW, Pose(2.3, 2.0), 0.6, 1.0, FLOOR)
        assert seen(holes, reach=0.05) is None


class TestAnywhere:
    def mask(self, labels: Labels) -> Labels:
        return MINE[labels].astype(np.uint8)

    def test_all_places_of_its_size_nearest_first(self) -> None:
        labels = car(Pose(1.2, 0.8), under=car(Pose(4.6, 3.0)))
        first, second = find_anywhere(self.mask(labels), VIEW, FORM, Pose(4.0, 3.0), CONFIG)
        assert (first.x, first.y, second.x, second.y) == pytest.approx((4.6, 3.0, 1.2, 0.8), abs=0.03)

    def test_a_disc_does_not_cut_it_in_two(self) -> None:
        labels = paint(car(), VIEW, HOME, 0.6, 1.0, FLOOR)
        (found,) = find_anywhere(self.mask(labels), VIEW, FORM, Pose(1.0, 1.0), CONFIG)
        assert found.x == pytest.approx(3.0, abs=0.03)

    def test_a_wider_gap_does(self) -> None:
        # The closing is 2 * 0.38 units, 15.2 px, made odd: 15 px. A gap of 0.9 units is 18 px.
        labels = paint(car(length=2.9), VIEW, HOME, 0.9, 1.0, FLOOR)
        assert find_anywhere(self.mask(labels), VIEW, FORM, HOME, CONFIG) == []

    @pytest.mark.parametrize(("length", "count"), [(1.75, 1), (0.8, 0), (2.6, 0)])
    def test_other_sizes_do_not_count(self, length: float, count: int) -> None:
        assert len(find_anywhere(self.mask(car(length=length)), VIEW, FORM, HOME, CONFIG)) == count

    def test_there_is_none_on_an_empty_floor(self) -> None:
        assert find_anywhere(self.mask(EMPTY), VIEW, FORM, HOME, CONFIG) == []


class TestCovered:
    def found(self, labels: Labels, last: Pose | None = None) -> VehicleSighting | None:
        mask = MINE[labels].astype(np.uint8)
        return find_covered(mask, labels, VIEW, FORM, last or Pose(1.5, 2.0), MINE, CONFIG)

    def test_what_shows_beside_a_body_tells_where_it_is(self) -> None:
        labels = paint(car(), VIEW, Pose(3.7, 2.0), 1.2, 2.0, OTHER)  # it shows from 2.0 to 3.1
        found = self.found(labels)
        assert found is not None
        assert found.place.x == pytest.approx(2.85)  # where its rear, and the ring around it, still fit
        assert found.place.y == 2.0
        assert found.covered == 24 / 54

    def test_a_part_to_one_side_of_its_axis_is_taken_to_it(self) -> None:
        # Only the upper 0.4 units of it show; its middle is 0.3 above the axis, less than half its width.
        labels = paint(car(), VIEW, Pose(3.0, 1.8), 2.4, 0.8, OTHER)
        found = self.found(labels, Pose(2.5, 2.0))
        assert found is not None
        assert found.place.y == pytest.approx(2.0, abs=0.11)

    @pytest.mark.parametrize(("shown", "there"), [(0.5, True), (0.2, False)])
    def test_15_percent_must_show(self, shown: float, there: bool) -> None:
        labels = paint(car(), VIEW, Pose(2.0 + shown + 1.2, 2.0), 2.4, 2.0, OTHER)
        assert (self.found(labels) is not None) is there

    def test_floor_where_it_should_be_speaks_against_it(self) -> None:
        # 0.6 units of its colour alone on the floor: of its 2 units the rest shows floor.
        assert self.found(car(length=0.6)) is None

    def test_the_best_of_several_parts_counts(self) -> None:
        labels = paint(car(Pose(3.0, 3.2)), VIEW, Pose(4.0, 3.2), 1.0, 1.4, OTHER)  # three quarters show
        labels = paint(car(Pose(3.0, 1.0), under=labels), VIEW, Pose(4.0, 1.0), 1.0, 1.4, OTHER)
        labels = paint(labels, VIEW, Pose(2.2, 1.0), 0.4, 0.5, FLOOR)
        found = self.found(labels, Pose(3.0, 1.2))
        assert found is not None
        assert found.place.y == pytest.approx(3.2, abs=0.1)

    def test_there_is_none_on_an_empty_floor(self) -> None:
        assert self.found(EMPTY) is None


class TestTurnedPicture:
    """The same in a picture in which the lot is turned, and in units of another length."""

    LENGTH, WIDTH = 1.8, 0.7
    BODY = vehicle("R", 3.0, 2.0, 0.4, RED, length=LENGTH, width=WIDTH)
    BODY_FORM = VehicleShape(BODY, CONFIG.shape)
    TURNED = replace(
        VIEW,
        matrix=26.0 * np.array([[math.cos(0.3), math.sin(0.3)], [math.sin(0.3), -math.cos(0.3)]]),
        shift=np.array([5.0, 110.0]),
    )
    SIZE = (170, 190)

    def drawn(self, pose: Pose, length: float = LENGTH) -> Labels:
        return paint(floor(self.SIZE), self.TURNED, pose, length, self.WIDTH, OWN)

    @pytest.mark.parametrize("pose", [BODY.pose, Pose(3.2, 2.15, 0.5), Pose(2.7, 1.9, 0.3)])
    def test_it_is_measured(self, pose: Pose) -> None:
        found = measure(self.drawn(pose), self.TURNED, self.BODY_FORM, self.BODY.pose, MINE, 0.4, CONFIG)
        assert found is not None
        assert found.whole
        assert (found.place.x, found.place.y, found.place.theta) == pytest.approx(
            (pose.x, pose.y, pose.theta), abs=0.03
        )

    @pytest.mark.parametrize(("length", "count"), [(1.56, 1), (1.45, 0), (2.1, 1), (2.2, 0)])
    def test_it_is_found_anywhere_by_its_size(self, length: float, count: int) -> None:
        # 0.83 and 1.17 of 1.8 are 1.49 and 2.11; a drawn one is measured by a pixel, 0.04 units, shorter.
        mask = MINE[self.drawn(Pose(3.4, 2.4, 0.4), length)].astype(np.uint8)
        found = find_anywhere(mask, self.TURNED, self.BODY_FORM, self.BODY.pose, CONFIG)
        assert [(one.x, one.y) for one in found] == [pytest.approx((3.4, 2.4), abs=0.03)] * count

    def test_it_is_found_under_another(self) -> None:
        pose = Pose(3.4, 2.4, 0.4)
        over = Pose(3.4 + 0.6 * math.cos(0.4), 2.4 + 0.6 * math.sin(0.4), 0.4)
        labels = paint(self.drawn(pose), self.TURNED, over, 0.7, 1.2, OTHER)
        found = find_covered(
            MINE[labels].astype(np.uint8), labels, self.TURNED, self.BODY_FORM, self.BODY.pose, MINE, CONFIG
        )
        assert found is not None
        assert math.hypot(found.place.x - 3.4, found.place.y - 2.4) < 0.15
        assert found.place.theta == 0.4


class TestParts:
    @pytest.mark.parametrize(("side", "counts"), [(6, False), (7, True)])
    def test_parts_of_four_percent_count(self, side: int, counts: bool) -> None:
        # The vehicle has 800 pixels; contours run through pixels' centres, so 6 x 6 are 25, 3.1 %, and 7 x 7 36, 4.5 %.
        labels = car()
        labels[65 : 65 + side, 104 : 104 + side] = OWN  # 0.2 units before its front
        found = seen(labels)
        assert found is not None
        assert (found.place == seen(car()).place) is not counts  # type: ignore[union-attr]

    def test_four_corners_of_a_covered_vehicle_are_no_outline(self) -> None:
        labels = paint(EMPTY, VIEW, HOME, 2.0, 1.0, OTHER)
        for top in (50, 63):
            for left in (60, 93):
                labels[top : top + 7, left : left + 7] = OWN  # 4.5 % each; the main part must be 8 %
        found = seen(labels)
        assert found is None or not found.whole

    def test_a_vehicle_under_a_stripe_is_whole(self) -> None:
        # A body over its middle, 0.9 of 2 units: both ends make its outline, and half of it is its own.
        found = seen(paint(car(), VIEW, HOME, 0.9, 1.4, OTHER))
        assert found is not None
        assert found.whole
        assert found.place.x == pytest.approx(3.0, abs=0.02)
        assert found.visible == pytest.approx(1.0)
        assert 0.3 < found.covered < 0.6

    def test_a_thin_outline_of_its_size_is_none(self) -> None:
        # Three sides of 3 x 2 units, 0.2 thick: 1.36 of 6 square units are 23 %, and the gap is too wide to be closed.
        large = VehicleShape(vehicle("R", 3.0, 2.0, 0.0, RED, length=3.0, width=2.0), CONFIG.shape)
        labels = paint(paint(EMPTY, VIEW, HOME, 3.0, 2.0, OWN), VIEW, Pose(3.2, 2.0), 3.0, 1.6, FLOOR)
        assert find_anywhere(MINE[labels].astype(np.uint8), VIEW, large, HOME, CONFIG) == []
        full = paint(EMPTY, VIEW, HOME, 3.0, 2.0, OWN)
        assert len(find_anywhere(MINE[full].astype(np.uint8), VIEW, large, HOME, CONFIG)) == 1

    def test_of_two_parts_the_larger_and_nearer_is_the_main_one(self) -> None:
        # Both of its size: one at 0.6 off, one at 1.9 off.
        labels = car(Pose(2.4, 2.0), under=car(Pose(4.9, 2.0)))
        found = seen(labels, Pose(3.0, 2.0), reach=2.2)
        assert found is not None
        assert found.place.x == pytest.approx(2.4, abs=0.03)
