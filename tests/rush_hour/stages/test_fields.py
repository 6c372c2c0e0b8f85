"""Numbers of settings that no whole clip needs exactly: each where it tells the difference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from detectors.rush_hour.colors import FIRST_VEHICLE, LotPalette
from detectors.rush_hour.config import LOT_CONFIG
from detectors.rush_hour.events import EventFinder, LotReading
from detectors.rush_hour.findings import LotEventKind, VehicleTrack
from detectors.rush_hour.place import LotBorder, _color_fit, _peaks, find_border
from detectors.rush_hour.vehicles import VehicleShape, VehicleSighting, find_covered, measure
from detectors.rush_hour.view import BorderFollower, _pieces
from puzzles.rush_hour.lot import Exit, Lot, Pose, Side
from tests.rush_hour.lot_clips import RED, Look, Scene, draw, vehicle
from tests.rush_hour.stages.small_pictures import OWN, classes, floor, paint, view_of
from tests.rush_hour.stages.test_events import CALM, LOT, track
from tests.rush_hour.stages.test_place import LOT as WIDE
from tests.rush_hour.stages.test_tracks import LOT as YARD
from tests.rush_hour.stages.test_tracks import VIEW as SMALL
from tests.rush_hour.stages.test_tracks import follower, scene

RULES = LOT_CONFIG.border.rectangles
# One car and an exit, nothing else.
BARE = Lot(8.0, 6.0, (Exit(Side.RIGHT, 3.0, 4.5),), (vehicle("R", 2.0, 2.0, 0.0, RED),), ())


def found(pixels: np.ndarray, lot: Lot = WIDE, **border: object) -> tuple[float, ...]:
    config = replace(LOT_CONFIG, border=replace(LOT_CONFIG.border, **border))
    made = find_border(pixels, lot, config)
    assert made is not None
    return made.left, made.top, made.right, made.bottom


class TestBorder:
    @pytest.mark.parametrize(("high", "reduced"), [(480, False), (500, True)])
    def test_pictures_higher_than_480_pixels_are_searched_in_a_smaller_one(self, high: int, reduced: bool) -> None:
        pixels = draw(WIDE, Scene(), Look(size=(640, high), share=0.75, rail=0.0))
        assert (found(pixels) != found(pixels, side_px=100_000)) is reduced

    def test_lines_that_are_tried_are_more_than_three_rows_apart(self) -> None:
        profile = np.zeros(40, np.float32)
        profile[[10, 12, 13, 14, 30]] = 1.0, 0.9, 0.8, 0.7, 0.6
        assert _peaks(profile, replace(RULES, peaks=3)) == [10, 14, 30]

    def test_seven_lines_are_tried(self) -> None:
        profile = np.arange(100, dtype=np.float32)
        assert _peaks(profile, RULES) == [99, 95, 91, 87, 83, 79, 75]

    @pytest.mark.parametrize(("thick", "middle"), [(7, True), (11, False)])
    def test_a_line_is_as_thick_as_a_fiftieth_of_the_lot(self, thick: int, middle: bool) -> None:
        """The lot is 400 pixels high, so its outer edge is looked for up to 8 pixels from the inner one."""
        unit = 400 / 6
        look = Look(size=(600, 470), share=400 / 470, rail=0.0, border=thick / unit, exit_depth=0.0)
        top = found(draw(WIDE, Scene(), look))[1]
        # The middle of the line is at (470 - 400) / 2 from the top.
        assert (top == pytest.approx(35.0, abs=1.2)) is middle
        assert top - 35.0 < thick / 2 + 1.0

    @pytest.mark.parametrize(("margin", "middle"), [(130, True), (75, False)])
    def test_the_outer_edge_counts_from_two_fifths_of_the_inner_one_on(self, margin: int, middle: bool) -> None:
        """The line is black, the floor white; a margin of grey 130 is half as light as the floor, 75 less than a third.

        The line is 4 pixels wide, so its middle is 2 pixels outside of its inner edge.
        """
        look = Look(size=(200, 160), share=0.75, rail=0.0, border=0.2, margin=(margin,) * 3)
        pixels = draw(WIDE, Scene(), look)
        dark = np.abs(pixels.astype(int) - (27, 38, 59)).max(axis=2) < 12
        pixels[dark] = 0
        left, top, _, _ = found(pixels)
        assert left == pytest.approx(20.0 if middle else 22.0, abs=0.9)
        assert top == pytest.approx(20.0 if middle else 22.0, abs=0.9)

    def test_an_exit_counts_as_two_bodies(self) -> None:
        """In any state, of a car that has gone and an exit that is seen: (0 + 1 + 1) / 3. The car alone: 1 / 3."""
        border = LotBorder(20.0, 20.0, 180.0, 140.0, 1.0)
        look = Look(size=(200, 160), share=0.75, rail=0.0)
        gone = draw(BARE, Scene(poses={"R": Pose(5.0, 5.0)}), look)
        assert _color_fit(gone, border, BARE, LOT_CONFIG, at_start=False) == pytest.approx(2 / 3, abs=0.02)
        closed = draw(BARE, Scene(exits=()), look)
        assert _color_fit(closed, border, BARE, LOT_CONFIG, at_start=False) == pytest.approx(1 / 3, abs=0.02)
        # At first the car alone counts.
        assert _color_fit(gone, border, BARE, LOT_CONFIG, at_start=True) == 0.0


class TestFollowing:
    LOT = Lot(6.0, 4.0, (Exit(Side.TOP, 2.5, 3.5),), (vehicle("R", 2.0, 2.0, 0.0, RED),), ())

    def test_pieces_are_a_unit_long_and_lie_along_all_sides(self) -> None:
        sides = [_pieces(side, self.LOT, LOT_CONFIG.follow) for side in range(4)]
        assert sides[0] == [(0.0, y, True, 0) for y in (0.5, 1.5, 2.5, 3.5)]
        assert sides[1] == [(6.0, y, True, 1) for y in (0.5, 1.5, 2.5, 3.5)]
        assert sides[2] == [(x, 0.0, False, 2) for x in (0.5, 1.5, 2.5, 3.5, 4.5, 5.5)]
        # Pieces from 2 to 4 touch the exit.
        assert sides[3] == [(x, 4.0, False, 3) for x in (0.5, 1.5, 4.5, 5.5)]

    def test_half_a_piece_holds_a_zoom(self) -> None:
        """Eight upright pieces, all at the farthest u, tell the zoom of x: of it 8 / (8 + 0.5) is taken on."""
        view, shape = view_of(self.LOT, 16.0)
        following = BorderFollower(np.full(shape, 200, np.uint8), view, self.LOT, LOT_CONFIG.follow)
        u, v = following._u - following._u.mean(), following._v - following._v.mean()
        ways = np.where(following._upright, 0.04 * u, 0.0)
        solved = following._solve(ways, np.ones(len(u), bool))
        assert solved is not None
        assert solved[1] == pytest.approx(0.04 * 8 / 8.5, rel=1e-6)
        # The rows' zoom: ten pieces lie 2 units from the middle, of at most 3; ten (2/3)^2 are 4.44.
        size, along = 3.0, ~following._upright
        weight = float(np.square(v[along] / 16.0 / size).sum())
        ways = np.where(along, 0.04 * v, 0.0)
        solved = following._solve(ways, np.ones(len(u), bool))
        assert solved is not None
        assert solved[5] == pytest.approx(0.04 * weight / (weight + 0.5), rel=0.02)


class TestVehicles:
    CAR = vehicle("R", 3.0, 2.0, 0.0, RED, length=2.0, width=1.0)
    YARD = Lot(6.0, 4.0, (Exit(Side.RIGHT, 1.5, 2.5),), (CAR,), ())
    VIEW, SHAPE = view_of(YARD)
    SHAPED = VehicleShape(CAR, LOT_CONFIG.vehicles.shape)

    def seen(self, own: int, over: int, *spans: tuple[float, float]) -> VehicleSighting | None:
        """A car from x = 2 to 4 with other bodies over it, from one x to another."""
        labels = paint(floor(self.SHAPE), self.VIEW, self.CAR.pose, 2.0, 1.0, own)
        for first, last in spans:
            labels = paint(labels, self.VIEW, Pose((first + last) / 2, 2.0), last - first, 1.6, over)
        return measure(labels, self.VIEW, self.SHAPED, self.CAR.pose, classes(own), 0.3, LOT_CONFIG.vehicles)

    @pytest.mark.parametrize(("end", "there"), [(0.64, True), (0.72, False)])
    def test_a_fitted_one_may_be_covered_by_seven_tenths(self, end: float, there: bool) -> None:
        """By as much from both ends: of the points outside of the disc 36 of 54 are covered, 67 %, or 38, 70.4 %."""
        found = self.seen(OWN, OWN + 1, (1.5, 2.0 + end), (4.0 - end, 4.5))
        assert (found is not None) is there
        assert found is None or found.covered == pytest.approx(36 / 54)

    ALL = replace(LOT_CONFIG.vehicles, min_visible=1.0)

    def test_a_fitted_one_all_of_whose_free_part_shows_is_there_if_all_has_to_show(self) -> None:
        labels = paint(floor(self.SHAPE), self.VIEW, self.CAR.pose, 2.0, 1.0, OWN)
        labels = paint(labels, self.VIEW, Pose(2.1, 2.0), 1.2, 1.6, OWN + 1)  # up to x = 2.7
        found = measure(labels, self.VIEW, self.SHAPED, self.CAR.pose, classes(OWN), 0.3, self.ALL)
        assert found is not None
        assert not found.whole
        assert found.visible == pytest.approx(1.0)

    def test_one_elsewhere_all_of_which_shows_is_there_if_all_has_to_show(self) -> None:
        """It jumps by 2.8 units, and is drawn larger by a tenth, so that its outline has the area that it should."""
        following = follower(config=replace(LOT_CONFIG, vehicles=self.ALL))
        following.follow(scene(), SMALL)
        red = replace(YARD.vehicles[0], length=2.2, width=1.0)
        larger = replace(YARD, vehicles=(red, YARD.vehicles[1]))
        following.follow(scene(Pose(2.5, 1.2), lot=larger), SMALL)
        assert following.seen == [True, True]
        assert (following.places[0].x, following.places[0].y) == pytest.approx((2.5, 1.2), abs=0.05)

    def test_what_is_seen_of_one_may_lie_beside_its_axis(self) -> None:
        """Its right half lies under another body: what is seen has its middle 0.35 units off the axis."""
        body = vehicle("R", 3.0, 2.0, 0.4, RED, length=2.0, width=1.4)
        ahead, left = np.array([np.cos(0.4), np.sin(0.4)]), np.array([-np.sin(0.4), np.cos(0.4)])
        labels = paint(floor(self.SHAPE), self.VIEW, body.pose, 2.0, 1.4, OWN)
        x, y = np.array([3.0, 2.0]) - 0.35 * left
        labels = paint(labels, self.VIEW, Pose(float(x), float(y), 0.4), 2.6, 0.7, OWN + 1)
        x, y = np.array([3.0, 2.0]) - 0.33 * ahead
        shape, config = VehicleShape(body, LOT_CONFIG.vehicles.shape), LOT_CONFIG.vehicles
        own = classes(OWN)
        mask = own[labels].astype(np.uint8)
        found = find_covered(mask, labels, self.VIEW, shape, Pose(float(x), float(y), 0.4), own, config)
        assert found is not None
        assert (found.place.x, found.place.y) == pytest.approx((3.0, 2.0), abs=0.06)
        assert found.covered == pytest.approx(0.5, abs=0.05)

    def test_the_first_vehicle_hides_others_as_well(self) -> None:
        assert FIRST_VEHICLE == OWN
        by_first, by_other = (self.seen(OWN + 1, over, (1.5, 3.0)) for over in (OWN, OWN + 2))
        assert by_first is not None
        assert by_other is not None
        assert (by_first.place, by_first.visible, by_first.covered) == (
            by_other.place, by_other.visible, by_other.covered,
        )  # fmt: skip


class TestEvents:
    COLORS = np.array([[50.0, 0.0, 0.0], [50.0, 0.0, 0.0], [70.0, -60.0, 0.0]])

    def kinds(self, apart: float) -> set[LotEventKind]:
        """The red car and A, whose colours are so far apart, exchange them."""
        colors = self.COLORS.copy()
        colors[1, 1] = apart
        tracks: list[VehicleTrack] = []
        for place in range(3):
            other = {0: 1, 1: 0}.get(place, place)
            shown = np.repeat(colors[place][None], 40, axis=0)
            shown[10:] = colors[other]
            tracks.append(track(place, color=shown))
        palette = LotPalette(np.array([[98.0, 0.0, 0.0]]), np.zeros(3), None, colors)
        readings = [LotReading(CALM, 1.0)] * 40
        camera = np.repeat(np.array([[10.0, 0.0, 5.0, 0.0, -10.0, 105.0]]), 40, axis=0)
        finder = EventFinder(LOT, palette, LOT_CONFIG, np.arange(40) / 22, tuple(tracks), readings, camera)
        return {event.kind for event in finder.events()}

    @pytest.mark.parametrize(("apart", "told"), [(20.0, False), (24.5, False), (25.5, True), (34.0, True)])
    def test_a_colour_has_changed_from_25_on(self, apart: float, told: bool) -> None:
        assert (LotEventKind.IDENTITY_SWAP in self.kinds(apart)) is told

    def test_what_is_seen_at_a_jump_is_no_part_of_it(self) -> None:
        """Only a fade mixes two pictures. B jumps from frame 9 to 10, and a second exit is seen then."""
        jumping = track(2, x=np.where(np.arange(40) < 10, 3.0, 6.0))
        other = replace(CALM, extra=0.5)
        readings = [LotReading(other if 9 <= frame <= 11 else CALM, 1.0) for frame in range(40)]
        palette = LotPalette(np.array([[98.0, 0.0, 0.0]]), np.zeros(3), None, self.COLORS)
        camera = np.repeat(np.array([[10.0, 0.0, 5.0, 0.0, -10.0, 105.0]]), 40, axis=0)
        tracks = (track(0), track(1), jumping)
        finder = EventFinder(LOT, palette, LOT_CONFIG, np.arange(40) / 22, tracks, readings, camera)
        kinds = {event.kind for event in finder.events()}
        assert kinds == {LotEventKind.TELEPORT, LotEventKind.EXTRA_EXIT}
