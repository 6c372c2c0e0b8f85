"""What the first frame must show, which frames need no reading, and single pictures in any state."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from detectors.rush_hour.findings import FrameBox, LotFindings
from detectors.rush_hour.lots import find_lot
from detectors.rush_hour.stills import read_lot_series, read_lot_still
from grader.media.frames import Frame
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Pose, Side
from tests.rush_hour.lot_clips import BLUE, RED, TEAL, Look, Scene, draw, rgb, vehicle

LOT = Lot(
    8.0, 6.0, (Exit(Side.RIGHT, 3.2, 4.8),),
    (
        vehicle("R", 2.0, 4.0, 0.0, RED), vehicle("A", 6.0, 3.0, math.pi / 2, BLUE), vehicle("B", 3.0, 1.0, 0.0, TEAL),
        vehicle("C", 4.5, 5.3, 0.0, "#FFD670"), vehicle("D", 4.8, 2.5, math.pi / 2, "#9B5DE5"),
        vehicle("E", 1.0, 2.3, math.pi / 2, "#F15BB5"),
    ),
    (Obstacle("wall", 0.9, 0.9, Pose(7.3, 0.8, 0.0)),),
)  # fmt: skip
LOOK = Look(size=(200, 160), share=0.75, rail=0.0)  # 20 px a unit, from (20, 20) to (180, 140)


def clip(*scenes: Scene, look: Look = LOOK, lot: Lot = LOT) -> LotFindings:
    return find_lot((Frame(k, k / 24, draw(LOT, scene, look)) for k, scene in enumerate(scenes)), lot)


def poses(**changes: Pose) -> Scene:
    return Scene(poses=changes)


class TestFirstFrame:
    def test_a_lot_that_is_there(self) -> None:
        found = clip(Scene())
        assert found.fit.is_the_puzzle
        assert (found.fit.vehicles, found.fit.misplaced) == (1.0, ())
        assert found.fit.box == FrameBox(20, 20, 180, 140)
        assert found.fit.border > 0.9
        assert [track.label for track in found.tracks] == list("RABCDE")
        assert found.events == ()

    @pytest.mark.parametrize(("off", "misplaced"), [(0.25, ()), (0.36, ("B",))])
    def test_a_vehicle_may_be_off_by_03_units(self, off: float, misplaced: tuple[str, ...]) -> None:
        found = clip(poses(B=Pose(3.0 + off, 1.0)))
        assert found.fit.misplaced == misplaced
        assert found.fit.is_the_puzzle
        assert found.fit.vehicles == pytest.approx(1 - len(misplaced) / 6)

    @pytest.mark.parametrize(("turn", "misplaced"), [(0.15, ()), (0.26, ("B",))])
    def test_it_may_be_turned_by_02(self, turn: float, misplaced: tuple[str, ...]) -> None:
        assert clip(poses(B=Pose(3.0, 1.1, turn))).fit.misplaced == misplaced

    def test_one_of_another_colour_is_misplaced(self) -> None:
        assert clip(Scene(colors={"B": (120.0, 30.0, 10.0)})).fit.misplaced == ("B",)

    @pytest.mark.parametrize(("gone", "puzzle"), [(("A",), True), (("A", "B"), False)])
    def test_four_fifths_must_stand_right(self, gone: tuple[str, ...], puzzle: bool) -> None:
        # 5 of 6 are 83 %, 4 of 6 are 67 %.
        found = clip(Scene(gone=dict.fromkeys(gone, 1.0)))
        assert found.fit.is_the_puzzle is puzzle
        assert set(gone) <= set(found.fit.misplaced)
        assert bool(found.tracks) is puzzle

    def test_the_red_car_must_be_one_of_them(self) -> None:
        found = clip(poses(R=Pose(2.6, 4.0)), Scene())
        assert found.fit.misplaced == ("R",)
        assert not found.fit.is_the_puzzle
        assert found.camera.shape == (2, 6)
        assert found.tracks == ()

    def test_a_series_starts_from_the_picture_before(self) -> None:
        # All colours drift from picture to picture, farther from the stated ones than a vehicle's may be.
        shades = (1.0, 0.8, 0.62, 0.5)
        pictures = [
            draw(LOT, Scene(poses={"B": Pose(3.0 + k, 1.0)}, colors={"B": tuple(s * c for c in rgb(TEAL))}), LOOK)
            for k, s in enumerate(shades)
        ]
        series = list(read_lot_series([*pictures[:2], None, *pictures[2:]], LOT))
        assert series[2] is None
        for k, one in enumerate([one for one in series if one is not None]):
            assert (one.vehicles[2].x, one.vehicles[2].y) == pytest.approx((3.0 + k, 1.0), abs=0.06)
            assert one.vehicles[2].seen

    def test_a_picture_of_something_else(self) -> None:
        found = find_lot([Frame(0, 0.0, np.full((100, 120, 3), 30, np.uint8))], LOT)
        assert (found.fit.is_the_puzzle, found.fit.box, found.fit.vehicles) == (False, None, 0.0)
        assert found.fit.misplaced == tuple("RABCDE")

    def test_no_frame_is_an_error(self) -> None:
        with pytest.raises(ValueError, match="no frame"):
            find_lot([], LOT)


class TestClip:
    def test_tracks_begin_at_the_stated_places(self) -> None:
        # Drawn 0.15 off, which is within what is allowed: the track is displaced by that.
        found = clip(poses(B=Pose(3.15, 1.0)), poses(B=Pose(3.45, 1.0)))
        track = found.tracks[2]
        assert (track.x[0], track.y[0], track.theta[0]) == (3.0, 1.0, 0.0)
        assert track.x[1] == pytest.approx(3.3, abs=0.04)

    def test_but_not_those_of_misplaced_ones(self) -> None:
        found = clip(poses(B=Pose(3.36, 1.0)), poses(B=Pose(3.36, 1.0)))
        assert found.fit.misplaced == ("B",)
        assert found.tracks[2].x[0] == pytest.approx(3.36, abs=0.04)

    def test_a_mixture_of_two_places_on_the_way_is_nothing_foreign(self) -> None:
        # B goes 0.9 units from frame to frame, and each second frame is the mean of those around it.
        sure = [draw(LOT, poses(B=Pose(3.0 + 0.9 * max(0, k - 3), 1.0)), LOOK) for k in range(6)]
        shown = [sure[0]]
        for one, other in itertools.pairwise(sure):
            shown += [((one.astype(int) + other) // 2).astype(np.uint8), other]
        found = find_lot([Frame(k, k / 24, one) for k, one in enumerate(shown)], LOT)
        assert found.events == ()
        assert found.tracks[2].x[-1] == pytest.approx(4.8, abs=0.06)

    def test_doubled_frames_carry_no_speed(self) -> None:
        ways = [0.0, 0.0, 0.0, 0.3, 0.9, 1.6, 2.2, 2.5, 2.5]
        frames = [draw(LOT, poses(B=Pose(3.0 + way, 1.0)), LOOK) for way in ways for _ in range(2)]
        found = find_lot([Frame(k, k / 24, one) for k, one in enumerate(frames)], LOT)
        assert found.events == ()

    def test_times_and_camera(self) -> None:
        found = clip(Scene(), Scene(), Scene())
        assert found.times_s.tolist() == [0.0, 1 / 24, 2 / 24]
        assert found.camera == pytest.approx(np.tile([20.0, 0, 20.0, 0, -20.0, 140.0], (3, 1)), abs=0.6)
        assert found.noise < 0.01

    def test_a_frame_of_another_size_is_brought_to_the_first_ones(self) -> None:
        small = draw(LOT, Scene(), LOOK)
        large = draw(LOT, poses(B=Pose(3.4, 1.0)), replace(LOOK, size=(400, 320)))
        found = find_lot([Frame(0, 0.0, small), Frame(1, 0.1, large)], LOT)
        assert found.tracks[2].x[1] == pytest.approx(3.4, abs=0.05)
        assert [one.y[1] for one in found.tracks] == pytest.approx([one.pose.y for one in LOT.vehicles], abs=0.05)
        assert all(one.seen.all() for one in found.tracks)

    def test_a_frame_like_the_last_is_as_the_last(self) -> None:
        # Once nothing moves, 6 levels of difference are none.
        still = draw(LOT, Scene(), LOOK)
        brighter = (still.astype(int) - 6).clip(0).astype(np.uint8)
        found = find_lot([Frame(k, k / 24, still) for k in range(4)] + [Frame(4, 4 / 24, brighter)], LOT)
        assert found.tracks[0].color[4].tolist() == found.tracks[0].color[3].tolist()
        other = (still.astype(int) - 7).clip(0).astype(np.uint8)
        found = find_lot([Frame(k, k / 24, still) for k in range(4)] + [Frame(4, 4 / 24, other)], LOT)
        assert found.tracks[0].color[4].tolist() != found.tracks[0].color[3].tolist()

    def test_boxes_of_vehicles_in_the_frame(self) -> None:
        found = clip(Scene())
        # R at (2, 4): column 20 + 40, row 140 - 80, 1.1 units each way.
        assert found.box_of(0, 0) == FrameBox(38, 38, 82, 82)
        assert replace(found, tracks=()).box_of(0, 0) is None


def still(scene: Scene, look: Look = LOOK, reference: bool = False):
    return read_lot_still(draw(LOT, scene, look), LOT, draw(LOT, Scene(), look) if reference else None)


class TestStill:
    def places(self, scene: Scene, reference: bool = False) -> Sequence[tuple[float, float] | None]:
        return [(one.x, one.y) if one.seen else None for one in still(scene, reference=reference).vehicles]

    def test_all_at_their_first_places(self) -> None:
        found = still(Scene())
        assert found.box == FrameBox(20, 20, 180, 140)
        assert found.missing == ()
        for one, body in zip(found.vehicles, LOT.vehicles, strict=True):
            assert one.label == body.label
            assert (one.x, one.y) == pytest.approx((body.pose.x, body.pose.y), abs=0.05)
            assert one.visible > 0.9
        assert (found.foreign, found.exits_kept, found.walls_kept) == ((), True, True)

    @pytest.mark.parametrize("reference", [True, False])
    def test_those_that_moved_are_found_where_they_are(self, reference: bool) -> None:
        found = self.places(poses(R=Pose(7.0, 4.0), A=Pose(6.0, 1.2, math.pi / 2)), reference)
        assert found[0] == pytest.approx((7.0, 4.0), abs=0.06)
        assert found[1] == pytest.approx((6.0, 1.2), abs=0.06)
        assert found[2] == pytest.approx((3.0, 1.0), abs=0.06)

    def test_a_missing_one_is_named(self) -> None:
        found = still(Scene(gone={"C": 1.0}))
        assert found.missing == ("C",)
        assert found.vehicles[3].visible == 0.0

    def test_a_further_body_is_foreign(self) -> None:
        extra = ((Pose(3.2, 2.5, 0.0), 1.2, 0.8, "#202020"),)
        (box,) = still(Scene(extra=extra)).foreign
        # From (2.6, 2.9) to (3.8, 2.1): columns 72 to 96, rows 82 to 98.
        assert (box.left, box.top, box.right, box.bottom) == pytest.approx((72, 82, 96, 98), abs=3)

    def test_exits_and_walls(self) -> None:
        assert not still(Scene(exits=())).exits_kept
        assert not still(Scene(exits=(*LOT.exits, Exit(Side.TOP, 1.0, 2.5)))).exits_kept
        assert not still(Scene(obstacles=())).walls_kept

    def test_a_vehicle_in_another_shade_is_still_it(self) -> None:
        shade = tuple(0.85 * part for part in rgb(TEAL))
        assert self.places(Scene(colors={"B": shade}))[2] == pytest.approx((3.0, 1.0), abs=0.06)

    def test_a_picture_of_something_else(self) -> None:
        found = read_lot_still(np.full((100, 120, 3), (255, 0, 255), np.uint8), LOT)
        assert (found.box, found.border, found.missing) == (None, 0.0, tuple("RABCDE"))
        assert (found.exits_kept, found.walls_kept) == (False, False)
