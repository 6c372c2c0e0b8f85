"""Thresholds of judges of plans, each just below and just above."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.rush_hour.findings import FrameBox, LotStill, StillVehicle
from detectors.sliding.board import TileBox
from detectors.sliding.findings import MovingTile, TileFindings, TileFrame
from grader.media.types import DEFAULT_LIMITS
from grader.model.jobs import CandidateKind
from grader.tasks.plans.progress import progress_made, too_long
from grader.tasks.plans.settings import PLAN_RULES, PlanRules, TrackRules
from grader.tasks.plans.tracks import make_track
from grader.tasks.rush_hour.progress import least_moves_in_lot
from grader.tasks.rush_hour.rollouts import _picture
from grader.tasks.rush_hour.settings import RUSH_HOUR_SETTINGS
from grader.tasks.rush_hour.steps import LotPicture, read_lot_steps
from grader.tasks.sliding.clips.moves import read_moves
from grader.tasks.sliding.clips.video import judge_tile_clip
from grader.tasks.sliding.model import SlidingInput
from grader.tasks.sliding.progress import least_moves_of_tiles
from grader.tasks.sliding.puzzle import prepare_tiles
from grader.tasks.sliding.settings import SLIDING_SETTINGS
from puzzles.rush_hour.rules import simulate
from puzzles.sliding.tiles import SlidingPuzzle
from tests.plans.test_steps import LOT, SOLUTION, codes, picture
from tests.rush_hour.lot_clips import LOT as OBLIQUE
from tests.samples.puzzles import png


class TestPlans:
    @pytest.mark.parametrize(("needed", "most"), [(0, 10), (1, 15), (4, 30)])
    def test_a_plan_may_have_five_times_what_is_needed_and_ten_more(self, needed: int, most: int) -> None:
        assert PLAN_RULES.most_moves(needed) == most
        assert too_long(most, needed, PLAN_RULES) is None
        reason = too_long(most + 1, needed, PLAN_RULES)
        assert reason is not None
        assert reason.code == "PLAN_TOO_LONG"
        assert reason.message == f"{most + 1} moves, where {needed} do; at most {most} count as a plan."

    def test_where_it_is_not_known_what_is_needed_none_is_too_long(self) -> None:
        assert too_long(10_000, None, PLAN_RULES) is None

    @pytest.mark.parametrize(
        ("needed", "left", "made"),
        [(4, 4, 0.0), (4, 3, 0.25), (4, 0, 1.0), (4, 6, 0.0), (0, 0, 1.0), (0, 2, 1.0), (None, 2, 0.0), (2, None, 0.0)],
    )
    def test_progress_is_the_share_that_is_not_left(self, needed: int | None, left: int | None, made: float) -> None:
        assert progress_made(needed, left) == made

    def test_a_search_that_needs_more_states_says_nothing(self) -> None:
        assert PLAN_RULES.most_states == 60_000
        assert least_moves_in_lot(LOT, PLAN_RULES.most_states) == 2
        assert least_moves_in_lot(LOT, 2) is None
        after = simulate(LOT, SOLUTION[:1]).poses[-1]
        assert least_moves_in_lot(LOT, PLAN_RULES.most_states, after) == 1
        start, target = (8, 7, 6, 5, -1, 4, 3, 2, 1), (1, 2, 3, 4, 5, 6, 7, 8, -1)
        assert least_moves_of_tiles((1, 2, -1, 3), (1, 2, 3, -1), 60_000) == 1
        assert least_moves_of_tiles(start, target, 50) is None


class TestTracks:
    @pytest.mark.parametrize(("off", "points"), [(0.05, 2), (0.051, 3)])
    def test_a_point_is_kept_where_it_is_off_by_more(self, off: float, points: int) -> None:
        times = np.array([0.0, 1.0, 2.0])
        for axis in range(3):
            places = np.zeros((3, 3))
            places[1, axis] = off
            assert len(make_track("R", times, places, TrackRules().tolerance).points) == points

    def test_what_is_left_out_lies_on_the_way(self) -> None:
        times = np.array([0.0, 1.0, 3.0, 4.0, 8.0])
        places = np.stack([np.interp(times, [0, 4, 8], [0, 8, 8]), times, -times], axis=1)
        track = make_track("7", times, places, 0.05)
        assert track.object == "7"
        assert [(one.time_s, one.x, one.y, one.theta_rad) for one in track.points] == [
            (0.0, 0.0, 0.0, 0.0), (4.0, 8.0, 4.0, -4.0), (8.0, 8.0, 8.0, -8.0),
        ]  # fmt: skip

    def test_every_corner_of_a_long_way_is_kept(self) -> None:
        # Back and forth by 1 with a time of 2 between corners, and a point half-way on each stretch.
        times = np.arange(13.0)
        x = np.abs((times + 2) % 4 - 2) / 2
        track = make_track("7", times, np.stack([x, 0 * x, 0 * x], axis=1), 0.05)
        assert [one.time_s for one in track.points] == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0]

    def test_corners_before_and_after_the_farthest_are_kept(self) -> None:
        times = np.arange(13.0)
        x = np.interp(times, [0, 2, 4, 8, 10, 11, 12], [0, 1, 0, 3, 0, 1, 0])
        track = make_track("7", times, np.stack([0 * x, x, 0 * x], axis=1), 0.05)
        assert [(one.time_s, one.y) for one in track.points] == [
            (0.0, 0.0), (2.0, 1.0), (4.0, 0.0), (8.0, 3.0), (10.0, 0.0), (11.0, 1.0), (12.0, 0.0),
        ]  # fmt: skip

    def test_frames_of_one_time(self) -> None:
        assert len(make_track("R", np.zeros(3), np.array([[0.0] * 3, [1.0] * 3, [2.0] * 3]), 0.05).points) == 3
        assert len(make_track("R", np.zeros(1), np.zeros((1, 3)), 0.05).points) == 1


class TestLotSteps:
    STEPS = RUSH_HOUR_SETTINGS.steps

    @pytest.mark.parametrize(("off", "moves"), [(0.19, ()), (0.21, ("B forward",)), (-0.21, ("B backward",))])
    def test_a_vehicle_stands_still_within_a_fifth_of_a_unit(self, off: float, moves: tuple[str, ...]) -> None:
        plan = read_lot_steps(LOT, [picture(("B", off))])
        assert plan.steps[0].seen.moves == moves

    @pytest.mark.parametrize(
        ("short", "fault"), [(0.19, ""), (0.21, "STEP_ILLEGAL"), (-0.19, ""), (-0.21, "STEP_ILLEGAL")]
    )
    def test_a_move_ends_within_a_fifth_of_a_unit_of_contact(self, short: float, fault: str) -> None:
        # A goes back by 4 units, so displaced forward it is short of that.
        assert codes(read_lot_steps(LOT, [picture(("A", short), at=1)])) == [fault]

    def test_how_far_it_is_off_is_said(self) -> None:
        (step,) = read_lot_steps(LOT, [picture(("A", 0.5), at=1)]).steps
        assert step.fault is not None
        assert step.fault.message == "A backward ends 0.50 units before it touches anything."
        assert step.fault.object == "A"

    def changed(self, x: float = 0.0, y: float = 0.0, theta: float = 0.0) -> LotPicture:
        poses = list(picture().poses)
        pose = poses[2]
        assert pose is not None
        poses[2] = (pose[0] + x, pose[1] + y, pose[2] + theta)
        return LotPicture(tuple(poses))

    @pytest.mark.parametrize(("aside", "fault"), [(0.24, ""), (0.26, "STEP_ILLEGAL"), (-0.26, "STEP_ILLEGAL")])
    def test_a_vehicle_stands_on_its_axis(self, aside: float, fault: str) -> None:
        plan = read_lot_steps(LOT, [self.changed(y=aside)])
        assert codes(plan) == [fault]
        if fault and plan.steps[0].fault is not None:
            assert plan.steps[0].fault.message == "vehicle B stands 0.26 units off its axis."

    @pytest.mark.parametrize(
        ("degrees", "fault"), [(11.9, ""), (12.1, "STEP_ILLEGAL"), (-12.1, "STEP_ILLEGAL"), (179.0, "")]
    )
    def test_it_may_be_turned_by_12_degrees_and_by_half_a_turn(self, degrees: float, fault: str) -> None:
        plan = read_lot_steps(LOT, [self.changed(theta=math.radians(degrees))])
        assert codes(plan) == [fault]
        if fault and plan.steps[0].fault is not None:
            assert plan.steps[0].fault.message == "vehicle B is turned by 12 degrees."

    @pytest.mark.parametrize(("short", "reached"), [(0.41, True), (0.5, False)])
    def test_the_red_car_may_end_a_little_before_the_exit(self, short: float, reached: bool) -> None:
        # After a move that is too short the state is a measured one: 0.4 units, and bodies are 0.05 smaller there.
        plan = read_lot_steps(LOT, [picture(at=1), picture(("R", -short), at=2)])
        assert codes(plan) == ["", "STEP_ILLEGAL"]
        assert plan.reached is (reached and short <= 0.4)

    def test_from_a_measured_state_bodies_may_overlap_a_little(self) -> None:
        # A ends 0.3 before contact, wrongly; then R drives on to the exit, past A, from where A was measured.
        plan = read_lot_steps(LOT, [picture(("A", 0.3), at=1), picture(("A", 0.3), at=2)])
        assert codes(plan) == ["STEP_ILLEGAL", ""]
        assert plan.reached

    @pytest.mark.parametrize(
        ("along", "aside", "fault"), [(0.15, 0.0, ""), (-0.15, 0.24, ""), (0.0, 0.26, "off its axis")]
    )
    def test_an_oblique_axis(self, along: float, aside: float, fault: str) -> None:
        # B of this lot stands at 30 degrees.
        poses = [(v.pose.x, v.pose.y, v.pose.theta) for v in OBLIQUE.vehicles]
        x, y, theta = poses[2]
        cos, sin = math.cos(math.pi / 6), math.sin(math.pi / 6)
        poses[2] = (x + along * cos - aside * sin, y + along * sin + aside * cos, theta)
        (step,) = read_lot_steps(OBLIQUE, [LotPicture(tuple(poses))]).steps
        assert (step.fault is None) is (fault == "")
        assert step.fault is None or fault in step.fault.message

    def test_several_moves_at_once_are_named_by_the_first(self) -> None:
        (step,) = read_lot_steps(LOT, [picture(at=2)]).steps
        assert step.fault is not None
        assert (step.fault.code, step.fault.object) == ("STEP_MISSING", "R")
        assert step.fault.message == "2 moves at once: R forward, A backward."

    def test_only_what_is_legal_counts_for_what_is_left(self) -> None:
        assert read_lot_steps(LOT, [picture(("A", 0.5), at=1), picture(at=2)]).left == 2
        assert read_lot_steps(LOT, [picture(at=1), picture(("B", 3.0), at=2)]).left == 1
        assert read_lot_steps(LOT, [picture()], self.STEPS, PlanRules(most_states=2)).left is None

    @pytest.mark.parametrize(("visible", "altered"), [(0.86, ""), (0.84, "vehicle R is not whole.")])
    def test_a_vehicle_that_is_not_whole_is_altered(self, visible: float, altered: str) -> None:
        still = LotStill(1.0, FrameBox(0, 0, 9, 9), (StillVehicle("R", True, 1.0, 2.0, 0.1, visible),), (), True, True)
        about = "R" if altered else ""
        assert _picture(still, self.STEPS.whole) == LotPicture(((1.0, 2.0, 0.1),), 0, altered, about)

    def test_what_else_is_altered(self) -> None:
        gone = StillVehicle("R", False, 1.0, 2.0, 0.1, 0.0)
        box = FrameBox(0, 0, 9, 9)
        still = LotStill(1.0, box, (gone,), (box, box), True, True)
        assert _picture(still, 0.85) == LotPicture((None,), 2, "")
        walls = _picture(replace(still, walls_kept=False), 0.85)
        exits = _picture(replace(still, exits_kept=False), 0.85)
        assert walls is not None
        assert exits is not None
        assert walls.altered == "an obstacle or the border is not as in the puzzle."
        assert exits.altered == "the exit is not as in the puzzle."
        assert _picture(replace(still, box=None), 0.85) is None


START, TARGET = (-1, 1, 3, 2), (1, -1, 3, 2)
TILES = SlidingPuzzle(START, TARGET)


def clip(*frames: tuple[tuple[int, ...], tuple[MovingTile, ...], bool], rate: float = 25.0) -> TileFindings:
    shown = tuple(
        TileFrame(index, index / rate, state, moving, explained, 0.9)
        for index, (state, moving, explained) in enumerate(frames)
    )
    return TileFindings(2, START, TileBox(0, 0, 40, 40), 1.0, shown, ())


class TestTileClips:
    @pytest.mark.parametrize(("column", "shown"), [(0.91, False), (0.89, True), (0.11, True), (0.09, False)])
    def test_a_tile_is_on_its_way_a_tenth_off_both_ends(self, column: float, shown: bool) -> None:
        found = clip((START, (), True), (START, (MovingTile(1, 0.0, column),), True), (TARGET, (), True))
        (move,) = read_moves(found).moves
        assert move.shown is shown

    @pytest.mark.parametrize(("off", "solved"), [(0.12, True), (0.13, False)])
    def test_a_tile_has_arrived_within_012_cells(self, off: float, solved: bool) -> None:
        found = clip((START, (), True), (TARGET, (MovingTile(1, 0.0, off),), True))
        assert judge_tile_clip(TILES, found).solved is solved
        found = clip((START, (), True), (TARGET, (MovingTile(1, 1.0 - off, 0.0),), True))
        assert judge_tile_clip(TILES, found).solved is solved

    @pytest.mark.parametrize(
        ("frames", "rate", "hidden"), [(2, 26.0, False), (2, 24.0, True), (1, 5.0, False), (3, 25.0, True)]
    )
    def test_a_move_behind_something_else_is_hidden_after_008_seconds(
        self, frames: int, rate: float, hidden: bool
    ) -> None:
        # The last frame that is not explained is frame 2: 2 / 26 s are 0.077, 2 / 24 s 0.083. One is never too long.
        found = clip((START, (), True), *[(START, (), False)] * frames, (TARGET, (), True), rate=rate)
        judged = judge_tile_clip(TILES, found)
        assert judged.solved is not hidden
        assert ("MOVE_HIDDEN" in [reason.code for reason in judged.reasons]) is hidden
        assert judged.progress == (0.0 if hidden else 1.0)

    def test_beyond_the_bound_the_distance_of_tiles_stands_in(self) -> None:
        settings = replace(SLIDING_SETTINGS, clip=replace(SLIDING_SETTINGS.clip, most_states=2))
        start, target = (8, 7, 6, 5, -1, 4, 3, 2, 1), (1, 2, 3, 4, 5, 6, 7, 8, -1)
        found = TileFindings(3, start, TileBox(0, 0, 9, 9), 1.0, (TileFrame(0, 0.0, start, (), True, 1.0),), ())
        judged = judge_tile_clip(SlidingPuzzle(start, target), found, settings=settings)
        # By row and column: 8 from (0, 0) to (2, 1) is 3, 7 from (0, 1) to (2, 0) 3, 6 from (0, 2) to (1, 2) 1, 5 from
        # (1, 0) to (1, 1) 1, 4 from (1, 2) to (1, 0) 2, 3 from (2, 0) to (0, 2) 4, 2 from (2, 1) to (0, 1) 2, 1 from
        # (2, 2) to (0, 0) 4.
        assert judged.least_moves == judged.moves_left == 20
        assert SLIDING_SETTINGS.clip.most_states == 200_000


class TestRims:
    """Margins and frames around the picture of a board."""

    CORE = np.random.default_rng(5).integers(0, 256, (40, 40, 3), np.uint8)

    def size(self, picture: np.ndarray) -> tuple[int, int]:
        task = SlidingInput(2, START, png(picture), TARGET)
        made = prepare_tiles(task, SLIDING_SETTINGS, DEFAULT_LIMITS, CandidateKind.VIDEO)
        return made.size

    def framed(self, left: int, top: int, right: int, bottom: int, level: int = 250) -> np.ndarray:
        return cv2.copyMakeBorder(self.CORE, top, bottom, left, right, cv2.BORDER_CONSTANT, value=(level,) * 3)

    def test_a_margin_and_a_frame_within_it_are_taken_off(self) -> None:
        frame = self.framed(3, 3, 3, 3, 20)
        both = cv2.copyMakeBorder(frame, 8, 8, 8, 8, cv2.BORDER_CONSTANT, value=(250, 250, 250))
        assert self.size(frame) == (40, 40)
        assert self.size(both) == (40, 40)

    def test_a_third_one_is_left(self) -> None:
        rims = self.framed(3, 3, 3, 3, 20)
        for level in (250, 20):
            rims = cv2.copyMakeBorder(rims, 4, 4, 4, 4, cv2.BORDER_CONSTANT, value=(level,) * 3)
        assert self.size(rims) == (46, 46)

    @pytest.mark.parametrize(("right", "size"), [(22, (40, 40)), (23, (40, 40)), (24, (84, 80))])
    def test_it_is_as_wide_on_all_sides(self, right: int, size: tuple[int, int]) -> None:
        # Widths of 20 and 23 differ by 3, which is at most 1 + 0.1 * 23; 20 and 24 by 4, more than 1 + 0.1 * 24.
        assert self.size(self.framed(20, 20, right, 20)) == size

    @pytest.mark.parametrize(("differs", "size"), [(12, (40, 40)), (13, (60, 60))])
    def test_its_pixels_may_differ_by_12_levels(self, differs: int, size: tuple[int, int]) -> None:
        picture = self.framed(10, 10, 10, 10, 200)
        picture[2, 30:32, 1] += differs
        assert self.size(picture) == size

    @pytest.mark.parametrize(("core", "size"), [(16, (16, 16)), (15, (35, 35))])
    def test_a_board_has_16_pixels(self, core: int, size: tuple[int, int]) -> None:
        whole = cv2.copyMakeBorder(self.CORE[:core, :core], 10, 10, 10, 10, cv2.BORDER_CONSTANT, value=(250,) * 3)
        assert self.size(whole) == size

    def test_words_need_none(self) -> None:
        made = prepare_tiles(SlidingInput(2, START, None, TARGET), SLIDING_SETTINGS, DEFAULT_LIMITS, CandidateKind.TEXT)
        assert (made.picture, made.size, made.least_moves) == (None, (1, 1), 1)
