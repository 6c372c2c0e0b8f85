"""From tracks, written rather than seen, to moves, overlaps and the exit: each threshold just below and just above."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.rush_hour.findings import FrameBox, LotEvent, LotEventKind, LotFindings, LotFit, VehicleTrack
from grader.tasks.rush_hour.clips.moves import along_axis, first_at_exit, shown_moves
from grader.tasks.rush_hour.clips.through import overlaps
from grader.tasks.rush_hour.clips.video import LotVideoFault, judge_lot_clip
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Pose, Side
from puzzles.rush_hour.rules import Direction
from tests.rush_hour.lot_clips import BLUE, RED, TEAL, vehicle

R = vehicle("R", 1.0, 6.0, 0.0, RED, length=2.0, width=0.9)
A = vehicle("A", 5.0, 3.0, math.pi / 2, BLUE, length=2.0, width=0.9)
B = vehicle("B", 3.0, 1.0, 0.0, TEAL, length=2.0, width=0.9)
LOT = Lot(10.0, 10.0, (Exit(Side.RIGHT, 5.5, 6.5),), (R, A, B), (Obstacle("wall", 1.0, 1.0, Pose(8.0, 2.0, 0.0)),))
RATE = 24.0


def ramp(*knots: tuple[int, float], count: int = 60) -> np.ndarray:
    """Values over frames, straight between knots of (frame, value)."""
    return np.interp(np.arange(count), [frame for frame, _ in knots], [value for _, value in knots])


def track(place: int, gone: np.ndarray | float = 0.0, *, aside: float = 0.0, seen: np.ndarray | None = None,
          covered: np.ndarray | float = 0.0, theta: float | None = None, count: int = 60) -> VehicleTrack:  # fmt: skip
    """A vehicle that goes along its axis."""
    body, ones = LOT.vehicles[place], np.ones(count)
    gone = gone * ones
    return VehicleTrack(
        body.label, np.ones(count, bool) if seen is None else seen,
        body.pose.x + gone * body.axis[0] - aside * body.axis[1],
        body.pose.y + gone * body.axis[1] + aside * body.axis[0],
        (body.pose.theta if theta is None else theta) * ones, ones, covered * ones, np.zeros((count, 3)),
    )  # fmt: skip


def found(*tracks: VehicleTrack, noise: float = 0.0, rate: float = RATE) -> LotFindings:
    given = {one.label: one for one in tracks}
    count = len(tracks[0].x)
    whole = tuple(given.get(v.label) or track(place, count=count) for place, v in enumerate(LOT.vehicles))
    camera = np.tile([30.0, 0.0, 0.0, 0.0, -30.0, 300.0], (count, 1))
    return LotFindings(np.arange(count) / rate, LotFit(True, 1.0, 1.0, (), None), whole, camera, (), noise)


class TestMoves:
    def test_a_move_with_its_way_its_times_and_what_it_ran_against(self) -> None:
        # R from 1 to 9, where it touches the wall: 10 - 2 / 2.
        (move,) = shown_moves(LOT, found(track(0, ramp((12, 0.0), (36, 8.0)))))
        assert (move.label, move.direction, move.pieces, move.stops_short) == ("R", Direction.FORWARD, 1, False)
        assert (move.first, move.last, move.first_s, move.last_s) == (12, 36, 0.5, 1.5)
        assert (move.distance, move.gap) == pytest.approx((8.0, 0.0), abs=1e-9)
        assert str(move.move) == "R forward"

    def test_a_way_back_is_backward(self) -> None:
        (move,) = shown_moves(LOT, found(track(1, ramp((12, 0.0), (36, -2.0)))))
        assert (move.label, move.direction) == ("A", Direction.BACKWARD)
        assert (move.distance, move.gap) == pytest.approx((2.0, 0.0), abs=1e-9)  # from 3 to 1, at the wall

    @pytest.mark.parametrize(("way", "count"), [(0.09, 0), (0.11, 1), (0.13, 1)])
    def test_a_tenth_of_a_unit_is_a_move(self, way: float, count: int) -> None:
        assert len(shown_moves(LOT, found(track(0, ramp((10, 0.0), (20, way)))))) == count

    @pytest.mark.parametrize(("noise", "count"), [(0.048, 1), (0.052, 0)])
    def test_where_places_tremble_it_is_six_times_that(self, noise: float, count: int) -> None:
        # 0.3 units against 6 * 0.048 = 0.288 and 6 * 0.052 = 0.312.
        assert len(shown_moves(LOT, found(track(0, ramp((10, 0.0), (20, 0.3))), noise=noise))) == count

    @pytest.mark.parametrize(("left", "short"), [(0.15, False), (0.22, False), (0.24, True)])
    def test_a_move_ends_within_a_fifth_of_a_unit_of_what_it_would_touch(self, left: float, short: bool) -> None:
        (move,) = shown_moves(LOT, found(track(0, ramp((10, 0.0), (30, 8.0 - left)))))
        assert move.stops_short is short
        assert move.gap == pytest.approx(left - 0.03)  # it is tried 0.03 larger on each side as well

    def test_a_corner_that_just_misses_touches(self) -> None:
        # B goes right with its upper side at 1.45; A's lower side is at 1.46. So B passes by 0.01, and if both are 0.03
        # larger on each side it does not: A stands from 4.55 to 5.45, so B stops at 3.55.
        near = track(1, -0.55 + 0.01)
        (move,) = shown_moves(LOT, found(track(2, ramp((10, 0.0), (30, 0.5))), near))
        assert move.gap < 0.2

    @pytest.mark.parametrize(("free", "beyond"), [(0.0, True), (8.0, False)])
    def test_how_much_farther_than_it_could(self, free: float, beyond: bool) -> None:
        # A is moved into R's way: R's front is at 2, A's side at 4.55: free 2.55 and twice 0.05.
        blocker = track(1, 3.0 if not free else 0.0)
        (move,) = shown_moves(LOT, found(track(0, ramp((10, 0.0), (30, 8.0))), blocker))
        assert move.beyond == pytest.approx(8.0 - 2.65 if beyond else 0.0, abs=0.06)

    @pytest.mark.parametrize(("rest", "pieces"), [(3, 1), (7, 2)])
    def test_a_rest_of_a_fifth_of_a_second_parts_it(self, rest: int, pieces: int) -> None:
        # 0.2 s are 4.8 frames, so 5.
        (move,) = shown_moves(LOT, found(track(0, ramp((10, 0.0), (20, 3.0), (20 + rest, 3.0), (45, 8.0)))))
        assert move.pieces == pieces
        assert move.stops_short is (pieces == 2)
        assert move.distance == pytest.approx(8.0, abs=1e-6)

    @pytest.mark.parametrize(("dip", "count"), [(0.13, 0), (0.19, 0), (0.25, 2)])
    def test_one_that_comes_right_back_has_only_been_misread(self, dip: float, count: int) -> None:
        tracks = track(2, ramp((10, 0.0), (12, -dip), (17, -dip), (19, 0.0)))
        assert len(shown_moves(LOT, found(tracks))) == count

    def test_at_few_frames_a_second_a_rest_takes_three(self) -> None:
        tracks = track(0, ramp((2, 0.0), (6, 3.0), (8, 3.0), (14, 8.0)))
        assert shown_moves(LOT, found(tracks, rate=4.0))[0].pieces == 1
        tracks = track(0, ramp((2, 0.0), (6, 3.0), (10, 3.0), (16, 8.0)))
        assert shown_moves(LOT, found(tracks, rate=4.0))[0].pieces == 2

    def test_one_that_was_freed_meanwhile_makes_two_moves(self) -> None:
        # A stands in R's way; R goes to it, A goes on, then R does.
        blocker = track(1, ramp((0, 3.0), (25, 3.0), (35, 6.0)))
        red = track(0, ramp((5, 0.0), (15, 2.55), (40, 2.55), (55, 8.0)))
        assert [str(move.move) for move in shown_moves(LOT, found(red, blocker))] == [
            "R forward",
            "A forward",
            "R forward",
        ]

    def test_one_that_rests_away_from_all_does_not(self) -> None:
        blocker = track(1, ramp((0, 3.0), (25, 3.0), (35, 6.0)))
        red = track(0, ramp((5, 0.0), (15, 1.5), (40, 1.5), (55, 8.0)))
        moves = shown_moves(LOT, found(red, blocker))
        assert [(str(move.move), move.pieces) for move in moves] == [("R forward", 2), ("A forward", 1)]
        assert moves[0].stops_short

    def test_there_and_back_are_two(self) -> None:
        moves = shown_moves(LOT, found(track(0, ramp((5, 0.0), (20, 8.0), (30, 8.0), (45, 0.0)))))
        assert [str(move.move) for move in moves] == ["R forward", "R backward"]
        assert [move.distance for move in moves] == pytest.approx([8.0, 8.0])

    def test_moves_stand_in_the_order_of_their_beginnings(self) -> None:
        moves = shown_moves(LOT, found(track(0, ramp((30, 0.0), (50, 8.0))), track(1, ramp((10, 0.0), (25, -2.0)))))
        assert [move.label for move in moves] == ["A", "R"]

    def test_along_the_axis(self) -> None:
        assert along_axis(A, track(1, 1.5, aside=0.3)) == pytest.approx(np.full(60, 1.5))


class TestExit:
    @pytest.mark.parametrize(("gone", "frame"), [(7.74, None), (7.76, 0)])
    def test_it_is_there_within_a_quarter_unit(self, gone: float, frame: int | None) -> None:
        assert first_at_exit(LOT, track(0, gone)) == frame

    @pytest.mark.parametrize(("aside", "there"), [(0.64, True), (0.66, False), (-0.64, True), (-0.66, False)])
    def test_its_centre_may_be_beside_the_opening_by_015(self, aside: float, there: bool) -> None:
        # The opening is from 5.5 to 6.5, its middle at 6.
        assert (first_at_exit(LOT, track(0, 8.0, aside=aside)) is not None) is there

    def test_the_first_frame_in_which_it_is_seen_there_counts(self) -> None:
        gone, seen = ramp((10, 0.0), (26, 8.0)), np.ones(60, bool)
        assert first_at_exit(LOT, track(0, gone)) == 26  # at 25 it is 0.5 away
        seen[26:31] = False
        assert first_at_exit(LOT, track(0, gone, seen=seen)) == 31

    @pytest.mark.parametrize(
        ("side", "x", "y", "theta"),
        [
            (Side.LEFT, 1.0, 6.0, 0.0),
            (Side.RIGHT, 9.0, 6.0, 0.0),
            (Side.BOTTOM, 6.0, 1.0, math.pi / 2),
            (Side.TOP, 6.0, 9.0, math.pi / 2),
        ],
    )
    def test_on_every_side(self, side: Side, x: float, y: float, theta: float) -> None:
        lot = replace(LOT, exits=(Exit(side, 5.5, 6.5),))
        one = track(0)
        there = replace(one, x=np.full(60, x), y=np.full(60, y), theta=np.full(60, theta))
        assert first_at_exit(lot, there) == 0
        for dx, dy in ((0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5)):
            inward = {Side.LEFT: dx > 0, Side.RIGHT: dx < 0, Side.BOTTOM: dy > 0, Side.TOP: dy < 0}[side]
            moved = replace(there, x=there.x + dx, y=there.y + dy)
            outward = {Side.LEFT: dx < 0, Side.RIGHT: dx > 0, Side.BOTTOM: dy < 0, Side.TOP: dy > 0}[side]
            if inward or outward:
                assert (first_at_exit(lot, moved) == 0) is outward


class TestOverlaps:
    """B goes along y = 1 into A, which was moved down to it: A spans 4.55 to 5.45 in x, B's front is at 4 + way."""

    def pair(self, deep: np.ndarray | float, **values: object) -> LotFindings:
        return found(track(2, 0.55 + deep, **values), track(1, -2.0))

    @pytest.mark.parametrize(("deep", "count"), [(0.34, 0), (0.36, 1)])
    def test_they_are_as_deep_as_asked_for(self, deep: float, count: int) -> None:
        shown = overlaps(LOT, self.pair(deep), 0.35)
        assert [(one.one, one.other, one.first, one.last) for one in shown] == [("A", "B", 0, 59)][:count]
        if count:
            assert shown[0].depth == pytest.approx(deep)

    @pytest.mark.parametrize(("frames", "count"), [(1, 0), (2, 0), (3, 1)])
    def test_for_three_frames(self, frames: int, count: int) -> None:
        deep = np.full(60, 0.3)
        deep[20 : 20 + frames] = 0.36
        assert len(overlaps(LOT, self.pair(deep), 0.35)) == count

    def test_or_for_six_tenths_of_a_unit(self) -> None:
        # B goes through A in a single frame.
        shown = overlaps(LOT, found(track(2, np.where(np.arange(60) < 30, -0.5, 4.4)), track(1, -2.0)), 0.35)
        assert [(one.one, one.other, one.first, one.last) for one in shown] == [("A", "B", 29, 30)]
        # Half of both widths, 1 + 0.45, where their middles meet; of the eight places on the way one is 0.05 off.
        assert shown[0].depth == pytest.approx(1.4)

    def test_obstacles_stand_too(self) -> None:
        # The wall spans 7.5 to 8.5 in x and 1.5 to 2.5 in y; B at y = 1 is moved up by 0.9.
        shown = overlaps(LOT, found(track(2, 4.6, aside=0.9)), 0.35)
        assert [(one.one, one.other) for one in shown] == [("B", "wall")]

    def test_who_is_not_seen_is_nowhere(self) -> None:
        seen = np.ones(60, bool)
        seen[10:] = False
        deep = np.where(np.arange(60) < 12, -0.5, 0.45)
        assert overlaps(LOT, self.pair(deep, seen=seen), 0.35) == ()
        assert len(overlaps(LOT, self.pair(deep, seen=seen, covered=0.31), 0.35)) == 1
        assert overlaps(LOT, self.pair(deep, seen=seen, covered=0.29), 0.35) == ()

    @pytest.mark.parametrize(("back", "count"), [(0.19, 1), (0.21, 0)])
    def test_one_that_comes_back_at_its_place_was_there(self, back: float, count: int) -> None:
        seen = np.ones(60, bool)
        seen[20:40] = False
        deep = np.full(60, 0.3)
        deep[20:40] = 0.45
        deep[40:] = 0.3 - back
        assert len(overlaps(LOT, self.pair(deep, seen=seen), 0.35)) == count

    def test_while_it_is_not_seen_its_way_must_be_free(self) -> None:
        # B is unseen in frames 30 to 33, and on A's other side after them.
        seen = np.ones(60, bool)
        seen[30:34] = False
        through = np.where(np.arange(60) < 34, -0.5, 4.4)
        shown = overlaps(LOT, found(track(2, through, seen=seen), track(1, -2.0)), 0.35)
        assert [(one.one, one.other, one.first, one.last) for one in shown] == [("B", "A", 29, 34)]

    def test_unless_what_is_in_its_way_went_off_meanwhile(self) -> None:
        seen = np.ones(60, bool)
        seen[30:34] = False
        through = np.where(np.arange(60) < 34, -0.5, 4.4)
        off = np.where(np.arange(60) < 32, -2.0, 2.5)
        assert overlaps(LOT, found(track(2, through, seen=seen), track(1, off)), 0.35) == ()

    @pytest.mark.parametrize(("out", "count"), [(0.3, 0), (0.4, 1)])
    def test_a_lot_ends_at_its_walls(self, out: float, count: int) -> None:
        # A's upper end is at y = 4 at first; the lot ends at y = 10.
        shown = overlaps(LOT, found(track(1, ramp((10, 0.0), (20, 6.0 + out)))), 0.35)
        assert [(one.one, one.other) for one in shown] == [("A", "the wall")] * count

    def test_a_single_frame_has_none(self) -> None:
        assert overlaps(LOT, found(track(2, 1.5, count=1), track(1, -2.0, count=1)), 0.35) == ()


class TestJudge:
    def test_events_count_up_to_three_frames_after_the_goal(self) -> None:
        red = ramp((10, 0.0), (26, 8.0))
        for first, solved in ((29, False), (30, True)):
            event = LotEvent(LotEventKind.OVERLAY, first, 40, first / RATE, 40 / RATE)
            one = replace(found(track(0, red)), events=(event,))
            judged = judge_lot_clip(LOT, one)
            assert judged.solved is solved
            assert judged.solved_first_moves is solved
            assert not judged.strict_legal

    def test_moves_after_the_goal_do_not_count(self) -> None:
        # The red car is at the exit from the beginning; what moves later has not brought it there.
        judged = judge_lot_clip(LOT, found(track(0, 8.0), track(1, ramp((20, 0.0), (35, -2.0)))))
        assert judged.at_exit == 0
        assert [str(move.move) for move in judged.moves] == ["A backward"]
        assert LotVideoFault.NOTHING_MOVES in {one.fault for one in judged.reasons}

    @pytest.mark.parametrize(("later", "solved"), [(2, True), (3, False)])
    def test_moves_that_begin_within_a_tenth_of_a_second_may_change_places(self, later: int, solved: bool) -> None:
        # A stands in R's way and goes off; R begins first: 2 frames are 0.083 s, 3 are 0.125 s.
        blocker = ramp((0, 3.0), (10 + later, 3.0), (20, 6.0))
        red = ramp((10, 0.0), (20, 1.0), (40, 8.0))
        blocked = replace(LOT, vehicles=(R, replace(A, pose=Pose(5.0, 6.0, math.pi / 2)), B))
        judged = judge_lot_clip(blocked, found(track(0, red), track(1, blocker)))
        assert (LotVideoFault.PLAN_DOES_NOT_SOLVE not in {one.fault for one in judged.reasons}) is solved

    @pytest.mark.parametrize(("both", "strict"), [(6, True), (7, False)])
    def test_two_may_move_at_once_for_a_quarter_second(self, both: int, strict: bool) -> None:
        # A goes off from frame 10 to frame 20; R begins `both` frames before that ends.
        red = ramp((20 - both, 0.0), (44, 8.0))
        judged = judge_lot_clip(LOT, found(track(0, red), track(2, ramp((10, 0.0), (20, 6.0)))))
        at_once = LotVideoFault.TWO_AT_ONCE in {one.fault for one in judged.blemishes}
        assert at_once is not strict

    @pytest.mark.parametrize(("deep", "strict"), [(0.19, True), (0.22, False), (0.34, False)])
    def test_strictly_bodies_are_in_one_another_by_a_fifth_at_most(self, deep: float, strict: bool) -> None:
        one = found(track(2, 0.55 + deep), track(1, -2.0))
        through = [
            blemish for blemish in judge_lot_clip(LOT, one).blemishes if blemish.fault is LotVideoFault.THROUGH_VEHICLE
        ]
        assert (not through) is strict
        assert all(reason.fault is not LotVideoFault.THROUGH_VEHICLE for reason in judge_lot_clip(LOT, one).reasons)

    @pytest.mark.parametrize(("deep", "through"), [(0.34, False), (0.36, True)])
    def test_bodies_deeper_than_035_were_driven_through(self, deep: float, through: bool) -> None:
        judged = judge_lot_clip(LOT, found(track(2, 0.55 + deep), track(1, -2.0)))
        reasons = [one for one in judged.reasons if one.fault is LotVideoFault.THROUGH_VEHICLE]
        assert bool(reasons) is through
        if through:
            assert reasons[0].message == "A and B are in one another by 0.36 units"
            assert (reasons[0].label, reasons[0].first, reasons[0].last) == ("A", 0, 59)

    def test_a_lot_whose_border_is_not_found_is_said_to_have_none(self) -> None:
        for box, words in (
            (None, "no border"),
            (FrameBox(0, 0, 9, 9), "50% of the vehicles stand where they should; not A, B"),
        ):
            bad = replace(found(track(0)), fit=LotFit(False, 0.9, 0.5, ("A", "B"), box))
            (reason,) = judge_lot_clip(LOT, bad).reasons
            assert words in reason.message

    def test_another_puzzle_is_none(self) -> None:
        bad = replace(found(track(0)), fit=LotFit(False, 0.9, 0.5, ("A", "B"), None))
        judged = judge_lot_clip(LOT, bad)
        assert [one.fault for one in judged.reasons] == [LotVideoFault.NOT_THE_PUZZLE]
        assert (judged.solved, judged.strict_legal, judged.progress) == (False, False, 0.0)
