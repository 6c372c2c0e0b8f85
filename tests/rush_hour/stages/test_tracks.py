"""Vehicles followed from frame to frame in small pictures, drawn with known places and colours."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.rush_hour.colors import ColorClasses, LotPalette
from detectors.rush_hour.config import LOT_CONFIG, LotConfig
from detectors.rush_hour.findings import VehicleTrack
from detectors.rush_hour.place import hex_lab, lab_of
from detectors.rush_hour.tracks import VehicleFollower, fill_body
from detectors.rush_hour.vehicles import VehicleShape
from puzzles.rush_hour.lot import Exit, Lot, Pose, Side
from tests.rush_hour.lot_clips import BLUE, RED, rgb, vehicle
from tests.rush_hour.stages.small_pictures import inside, view_of

R = vehicle("R", 2.0, 4.0, 0.0, RED, length=2.0, width=0.9)
A = vehicle("A", 6.0, 3.0, math.pi / 2, BLUE, length=2.4, width=0.9)
LOT = Lot(9.0, 6.0, (Exit(Side.RIGHT, 3.0, 5.0),), (R, A), ())
VIEW, SHAPE = view_of(LOT)  # 20 px a unit
FLOOR_RGB = (235, 235, 235)
Color = tuple[float, float, float]


def scene(
    red: Pose | None = R.pose, blue: Pose | None = A.pose, colors: dict[str, Color] | None = None, lot: Lot = LOT
) -> np.ndarray:
    """Vehicles on a plain floor, the second one on top; None for one that is not there."""
    picture = np.full((*SHAPE, 3), FLOOR_RGB, np.uint8)
    for body, pose in zip(lot.vehicles, (red, blue), strict=True):
        if pose is not None:
            color = (colors or {}).get(body.label, rgb(body.color))
            picture[inside(VIEW, SHAPE, pose, body.length, body.width)] = color
    return picture


def follower(lot: Lot = LOT, config: LotConfig = LOT_CONFIG) -> VehicleFollower:
    floors = lab_of(np.array([FLOOR_RGB], np.uint8)).astype(np.float64)
    palette = LotPalette(floors, np.array([15.0, 0, -15]), None, np.array([hex_lab(v.color) for v in lot.vehicles]))
    return VehicleFollower(lot, palette, ColorClasses(palette, config), config)


def followed(*pictures: np.ndarray, lot: Lot = LOT) -> tuple[VehicleTrack, ...]:
    following = follower(lot)
    for picture in pictures:
        following.follow(picture, VIEW)
    return following.tracks()


class TestPlaces:
    def test_what_rests_is_where_it_is(self) -> None:
        red, blue = followed(scene(), scene())
        assert (red.label, blue.label) == ("R", "A")
        assert red.seen.tolist() == [True, True]
        assert red.x == pytest.approx([2.0, 2.0], abs=0.02)
        assert blue.y == pytest.approx([3.0, 3.0], abs=0.02)
        assert blue.theta == pytest.approx([math.pi / 2] * 2, abs=0.02)
        assert red.visible.tolist() == [1.0, 1.0]
        assert red.covered.tolist() == [0.0, 0.0]
        assert red.color[0] == pytest.approx(hex_lab(RED), abs=0.5)

    def test_motion_is_followed(self) -> None:
        ways = [0.0, 0.3, 0.8, 1.4, 2.0, 2.0]
        red, _ = followed(*(scene(Pose(2.0 + way, 4.0)) for way in ways))
        assert red.x == pytest.approx(np.array(ways) + 2.0, abs=0.03)
        assert red.seen.all()

    def test_fast_motion_is_foreseen(self) -> None:
        # 1.2 units a frame are more than 0.7, where one at rest is looked for first; it is found by its colour.
        red, _ = followed(*(scene(Pose(2.0 + 1.2 * step, 4.8), blue=None) for step in range(4)))
        assert red.x == pytest.approx([2.0, 3.2, 4.4, 5.6], abs=0.03)

    def test_a_jump_is_found_anywhere(self) -> None:
        red, _ = followed(scene(), scene(Pose(7.5, 1.0)))
        assert (red.x[1], red.y[1]) == pytest.approx((7.5, 1.0), abs=0.03)
        assert red.seen.all()

    def test_who_is_nowhere_keeps_its_place_and_comes_back(self) -> None:
        red, _ = followed(scene(), scene(Pose(2.4, 4.0)), scene(red=None), scene(red=None), scene(Pose(2.6, 4.0)))
        assert red.seen.tolist() == [True, True, False, False, True]
        assert red.x == pytest.approx([2.0, 2.4, 2.4, 2.4, 2.6], abs=0.03)
        assert red.visible[2] == 0.0
        assert red.covered[2] == 0.0

    def test_one_that_is_driven_over_is_covered_more_and_more(self) -> None:
        # The blue one, 2.4 x 0.9, comes from below; the red one is 0.9 wide, of which 6 rows of points are looked at.
        lot = replace(LOT, vehicles=(R, replace(A, pose=Pose(2.0, 2.6), axis=(1.0, 0.0))))
        steps = [2.6, 3.0, 3.4, 3.7, 4.0]
        red, blue = followed(*(scene(blue=Pose(2.0, y), lot=lot) for y in steps), lot=lot)
        assert blue.y == pytest.approx(steps, abs=0.03)
        assert red.seen.tolist() == [True, True, True, True, False]
        assert red.covered[0] == 0.0
        assert red.covered[2] == pytest.approx(18 / 42)  # of 42 points
        assert red.covered[4] == 1.0
        assert red.y[:3] == pytest.approx([4.0] * 3, abs=0.06)

    @pytest.mark.parametrize(("x", "back"), [(9.0, False), (7.9, True)])
    def test_one_that_left_the_lot_is_not_looked_for_elsewhere(self, x: float, back: bool) -> None:
        # At 9.0 its front, with the ring around it, is 9 + 1.13 - 9 = 1.13 outside; at 7.9 it is 0.03 outside.
        red, _ = followed(
            *(scene(Pose(x + way, 4.0), blue=None) for way in (-1.0, -0.5, 0.0)), scene(Pose(2.0, 1.0), blue=None)
        )
        assert bool(red.seen[3]) is back

    def test_a_view_that_moves_is_taken_into_account(self) -> None:
        following = follower()
        following.follow(scene(), VIEW)
        moved = replace(VIEW, shift=VIEW.shift + np.array([10.0, -6.0]))
        following.follow(np.roll(scene(), (-6, 10), axis=(0, 1)), moved)
        red, blue = following.tracks()
        assert red.x == pytest.approx([2.0, 2.0], abs=0.03)
        assert blue.y == pytest.approx([3.0, 3.0], abs=0.03)


class TestLikeOnes:
    TWINS = Lot(9.0, 6.0, LOT.exits, (R, replace(A, color=RED)), ())

    def test_each_is_the_one_whose_place_is_nearer(self) -> None:
        red, twin = followed(scene(lot=self.TWINS), scene(Pose(2.4, 4.0), Pose(6.0, 3.4, math.pi / 2), lot=self.TWINS),
                             lot=self.TWINS)  # fmt: skip
        assert red.x[1] == pytest.approx(2.4, abs=0.03)
        assert twin.y[1] == pytest.approx(3.4, abs=0.03)

    def test_two_are_not_at_one_place(self) -> None:
        same = replace(self.TWINS, vehicles=(R, replace(R, id="A", label="A", pose=Pose(5.0, 4.0))))
        one, other = followed(scene(blue=Pose(5.0, 4.0), lot=same), scene(Pose(4.6, 4.0), None, lot=same), lot=same)
        # One of them stands at 4.6: the second, whose place was 0.4 off, not the first, 2.6 off.
        assert other.seen.tolist() == [True, True]
        assert other.x[1] == pytest.approx(4.6, abs=0.03)
        assert one.seen.tolist() == [True, False]

    def test_a_twin_that_others_are_is_not_found_anywhere(self) -> None:
        red, twin = followed(scene(lot=self.TWINS), scene(red=None, lot=self.TWINS), lot=self.TWINS)
        assert red.seen.tolist() == [True, False]
        assert twin.seen.tolist() == [True, True]


class TestColors:
    def test_a_drifting_colour_is_followed_by_a_third_each_frame(self) -> None:
        darker = (200.0, 80.0, 102.0)
        red, _ = followed(scene(), *[scene(colors={"R": darker})] * 2)
        first = hex_lab(RED)
        now = lab_of(np.array([darker], np.uint8))[0].astype(np.float64)
        assert red.color[1] == pytest.approx(first + 0.35 * (now - first), abs=0.3)
        assert red.color[2] == pytest.approx(first + (1 - 0.65**2) * (now - first), abs=0.3)

    def test_so_is_the_floors(self) -> None:
        following = follower()
        following.follow(scene(), VIEW)
        before = following.classes.floor.copy()
        picture = scene()
        picture[(picture == 235).all(axis=2)] = 220
        following.follow(picture, VIEW)
        now = lab_of(np.full((1, 3), 220, np.uint8))[0].astype(np.float64)
        assert following.classes.floor == pytest.approx(before + 0.35 * (now - before), abs=0.1)

    def test_a_hidden_floor_is_not_followed(self) -> None:
        # A quarter of the 16 x 16 points must show it.
        following = follower()
        picture = np.full((*SHAPE, 3), (20, 20, 30), np.uint8)
        picture[:, :55] = 225
        before = following.classes.floor.copy()
        following.follow(picture, VIEW)
        assert np.array_equal(following.classes.floor, before)

    @pytest.mark.parametrize(("share", "seen"), [(0.45, True), (0.8, False)])
    def test_a_vehicle_that_fades_away_is_no_longer_seen(self, share: float, seen: bool) -> None:
        pictures = [scene()]
        for step in range(1, 13):
            part = share * step / 12
            pictures.append(
                scene(colors={"R": tuple(c + part * (f - c) for c, f in zip(rgb(RED), FLOOR_RGB, strict=True))})
            )
        red, _ = followed(*pictures, *[pictures[-1]] * 4)
        assert bool(red.seen[-1]) is seen

    def test_who_is_repainted_on_the_spot_stays_who_it_is(self) -> None:
        green = (60.0, 180.0, 60.0)
        red, _ = followed(scene(), scene(colors={"R": green}), scene(Pose(2.4, 4.0), colors={"R": green}))
        assert red.seen.all()
        assert red.x == pytest.approx([2.0, 2.0, 2.4], abs=0.03)
        assert red.color[1] == pytest.approx(lab_of(np.array([green], np.uint8))[0], abs=0.5)
        assert (red.visible[1], red.covered[1]) == (1.0, 0.0)

    def test_one_that_faded_into_the_floor_was_not(self) -> None:
        red, _ = followed(scene(), scene(colors={"R": (225.0, 225.0, 225.0)}))
        assert red.seen.tolist() == [True, False]

    def test_nor_one_where_all_is_of_another_colour(self) -> None:
        picture = np.full((*SHAPE, 3), (60, 180, 60), np.uint8)
        red, blue = followed(scene(), picture)
        assert not red.seen[1]
        assert not blue.seen[1]

    def test_nor_one_that_is_speckled(self) -> None:
        picture = scene(red=None)
        noise = np.random.default_rng(1).integers(0, 256, picture.shape, np.uint8)
        where = inside(VIEW, SHAPE, R.pose, 2.0, 0.9)
        picture[where] = noise[where]
        red, _ = followed(scene(), picture)
        assert not red.seen[1]


class TestRest:
    def test_a_picture_like_the_last_settles_it(self) -> None:
        following = follower()
        following.follow(scene(), VIEW)
        following.follow(scene(), VIEW)
        assert following.settled
        assert following.seen == [True, True]
        following.rest()
        assert [len(track.x) for track in following.tracks()] == [3, 3]
        assert following.tracks()[0].x[2] == following.tracks()[0].x[1]

    def test_a_moving_vehicle_does_not(self) -> None:
        following = follower()
        for x in (2.0, 2.0, 2.4):
            following.follow(scene(Pose(x, 4.0)), VIEW)
        assert not following.settled
        assert following.places[0].x == pytest.approx(2.4, abs=0.03)

    def test_nor_does_one_that_is_gone_now(self) -> None:
        following = follower()
        following.follow(scene(), VIEW)
        following.follow(scene(red=None), VIEW)
        assert not following.settled
        assert following.seen == [False, True]

    def test_nor_does_a_colour_that_is_followed(self) -> None:
        following = follower()
        following.follow(scene(), VIEW)
        following.follow(scene(colors={"R": (210.0, 84.0, 106.0)}), VIEW)
        assert not following.settled


class TestFill:
    @pytest.mark.parametrize(("margin", "area"), [(0.0, 2.0 * 0.9), (0.2, 2.4 * 1.3)])
    def test_a_body_with_its_margin(self, margin: float, area: float) -> None:
        mask = np.zeros(SHAPE, np.uint8)
        fill_body(mask, VIEW, VehicleShape(R, LOT_CONFIG.vehicles.shape), Pose(4.0, 3.0, 0.3), 7, margin)
        assert set(np.unique(mask)) == {0, 7}
        # cv2 fills up to the pixels of the corners, half a pixel more on each side.
        assert np.count_nonzero(mask) / 400 == pytest.approx(area, abs=0.25)
        rows, columns = np.nonzero(mask)
        assert (columns.mean(), rows.mean()) == pytest.approx(tuple(VIEW.to_small(np.array([4.0, 3.0]))), abs=0.3)
        wanted = inside(VIEW, SHAPE, Pose(4.0, 3.0, 0.3), 2.0 + 2 * margin, 0.9 + 2 * margin)
        assert np.count_nonzero(wanted & (mask == 0)) < 12


class TestDetails:
    def test_nothing_is_settled_before_the_first_frame(self) -> None:
        assert not follower().settled

    def test_a_turned_view(self) -> None:
        cos, sin = math.cos(0.3), math.sin(0.3)
        turned = replace(VIEW, matrix=18.0 * np.array([[cos, sin], [sin, -cos]]), shift=np.array([5.0, 100.0]))
        shape = (220, 260)

        def drawn(x: float) -> np.ndarray:
            picture = np.full((*shape, 3), FLOOR_RGB, np.uint8)
            for body, pose in ((R, Pose(x, 4.0)), (A, A.pose)):
                picture[inside(turned, shape, pose, body.length, body.width)] = rgb(body.color)
            return picture

        following = follower()
        for x in (2.0, 2.0, 2.3, 2.7, 2.7):
            following.follow(drawn(x), turned)
        red, blue = following.tracks()
        assert red.x == pytest.approx([2.0, 2.0, 2.3, 2.7, 2.7], abs=0.03)
        assert red.seen.all()
        assert blue.y == pytest.approx([3.0] * 5, abs=0.03)
        mask = np.zeros(shape, np.uint8)
        fill_body(mask, turned, VehicleShape(R, LOT_CONFIG.vehicles.shape), Pose(3.0, 4.0, 0.2), 1, 0.1)
        wanted = inside(turned, shape, Pose(3.0, 4.0, 0.2), 2.2, 1.1)
        assert np.count_nonzero(wanted & (mask == 0)) < 12
        assert np.count_nonzero(~wanted & (mask == 1)) < 90  # half a pixel around, of 2 * (2.2 + 1.1) * 18 = 119

    def test_few_changed_pixels_change_nothing(self) -> None:
        # 0.006 of its 1.8 square units, 720 pixels, are 4.3 pixels.
        for side, same in ((2, True), (8, False)):
            other = scene()
            other[52 : 52 + side, 44 : 44 + side] = FLOOR_RGB
            red, _ = followed(scene(), other)
            assert bool(red.visible[1] == 1.0) is same

    def test_two_at_one_place_are_parted_by_their_way(self) -> None:
        # Both twins are found at 4.6: that one has it whose expected place is nearer, whichever comes first in the lot.
        one, other = replace(R, pose=Pose(5.0, 4.0)), replace(R, id="A", label="A", pose=Pose(2.4, 4.0))
        lot = replace(LOT, vehicles=(one, other))
        first, second = followed(
            scene(Pose(5.0, 4.0), Pose(2.4, 4.0), lot=lot), scene(Pose(4.6, 4.0), None, lot=lot), lot=lot
        )
        assert first.seen.tolist() == [True, True]
        assert second.seen.tolist() == [True, False]

    def test_two_at_one_place_may_both_be_near(self) -> None:
        # 0.4 units before and behind: both are found at the one that is left, 0.1 off the one and 0.3 off the other.
        lot = replace(LOT, vehicles=(replace(R, length=1.0, pose=Pose(3.0, 4.0)), replace(
            R, id="A", label="A", length=1.0, pose=Pose(4.05, 4.0))))  # fmt: skip
        first, second = followed(
            scene(Pose(3.0, 4.0), Pose(4.05, 4.0), lot=lot), scene(Pose(3.35, 4.0), None, lot=lot), lot=lot
        )
        assert first.seen[1]
        assert first.x[1] == pytest.approx(3.35, abs=0.04)
        assert not (second.seen[1] and abs(second.x[1] - 3.35) < 0.2)

    def test_a_hidden_one_is_not_looked_for_elsewhere(self) -> None:
        # The blue one covers 4 of its 6 rows of points, more than half; a red body stands elsewhere.
        lot = replace(LOT, vehicles=(R, replace(A, pose=Pose(2.0, 2.6), axis=(1.0, 0.0))))
        for y, seen in ((3.7, False), (3.2, True)):
            pictures = [scene(blue=Pose(2.0, at), lot=lot) for at in (2.6, (2.6 + y) / 2, y)]
            last = scene(Pose(7.0, 1.0), Pose(2.0, y), lot=lot)
            red, _ = followed(*pictures, last, lot=lot)
            assert bool(red.seen[-1]) is seen
            assert bool(abs(red.x[-1] - 7.0) < 0.05) is seen

    def test_a_vehicle_that_is_under_a_fifth_of_a_body_is_followed(self) -> None:
        # Where it moves, the way of the last frame is added: 1 unit a frame is more than the search of 0.7 alone.
        places = [2.0, 2.5, 3.3, 4.3, 5.3]
        red, _ = followed(*(scene(Pose(x, 4.8), None) for x in places))
        assert red.x == pytest.approx(places, abs=0.03)

    @pytest.mark.parametrize(("gap", "found"), [(0.3, True), (0.6, False)])
    def test_a_repainted_body_fills_its_place(self, gap: float, found: bool) -> None:
        # A green body that fills less than half of the place: its median is the floor's.
        picture = scene(red=None)
        picture[inside(VIEW, SHAPE, Pose(2.0 - gap, 4.0), 2.0 - 2 * gap, 0.9)] = (60, 180, 60)
        red, _ = followed(scene(), picture)
        assert bool(red.seen[1]) is found

    @pytest.mark.parametrize(("color", "found"), [((215, 235, 215), False), ((185, 235, 185), True)])
    def test_a_repainted_body_differs_from_the_floor(self, color: tuple[int, int, int], found: bool) -> None:
        # By 18: the paler green is some 13 from the floor's grey, the other one some 29.
        red, _ = followed(scene(), scene(colors={"R": color}))
        assert bool(red.seen[1]) is found

    def test_twins_anywhere_in_the_lot_are_parted(self) -> None:
        twins = replace(R, id="B", label="B", pose=Pose(3.0, 1.0)), replace(R, id="C", label="C", pose=Pose(5.2, 1.0))
        lot = replace(LOT, vehicles=(replace(R, color="#FFD670", pose=Pose(2.0, 4.5)), *twins))
        where = ((3.0, 5.2), (4.8, None))

        def drawn(places: tuple[float | None, ...]) -> np.ndarray:
            picture = np.full((*SHAPE, 3), FLOOR_RGB, np.uint8)
            picture[inside(VIEW, SHAPE, Pose(2.0, 4.5), 2.0, 0.9)] = rgb("#FFD670")
            for x in places:
                if x is not None:
                    picture[inside(VIEW, SHAPE, Pose(x, 1.0), 2.0, 0.9)] = rgb(RED)
            return picture

        _, first, second = followed(*(drawn(places) for places in where), lot=lot)
        assert first.seen.tolist() == [True, False]
        assert second.seen.tolist() == [True, True]
        assert second.x[1] == pytest.approx(4.8, abs=0.03)

    def test_the_classes_of_the_pixels_are_handed_on(self) -> None:
        following = follower()
        labels = following.follow(scene(), VIEW)
        assert labels.shape == SHAPE
        assert np.array_equal(labels, following.classes.classes(scene()))
