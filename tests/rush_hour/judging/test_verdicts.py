"""Verdicts on small clips and series of pictures of a lot, number by number and sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from detectors.rush_hour.findings import FrameBox, LotEvent, LotEventKind, LotFindings
from grader.media.frames import Frame
from grader.model.jobs import VideoPolicy
from grader.model.places import PixelBox, Place, TimeSpan
from grader.model.verdict import Outcome
from grader.tasks.common.judgement import Judgement
from grader.tasks.plans.settings import PlanRules
from grader.tasks.rush_hour.clips.video import LotVideoFault, LotVideoReason, judge_lot_clip
from grader.tasks.rush_hour.puzzle import LotPuzzle
from grader.tasks.rush_hour.rollouts import _reasons, judge_lot_frames, judge_lot_pictures
from grader.tasks.rush_hour.settings import RUSH_HOUR_SETTINGS
from puzzles.rush_hour.lot import Pose
from tests.rush_hour.lot_clips import (
    LOT,
    TEAL,
    Look,
    Scene,
    between,
    draw,
    film,
    forward,
    go,
    rest,
    slide,
    solution,
    vehicle,
)
from tests.rush_hour.test_judge import judged_tracks, tracks_of

LOOK = Look(size=(200, 200))
PUZZLE = LotPuzzle(LOT, 2)
STRICT = replace(RUSH_HOUR_SETTINGS, plan=PlanRules(most_factor=0, most_more=1))
TOO_LARGE = "the puzzle has too many states to search them all"
# 3 frames at rest, 8 in which A goes up by 3.4 units, 3 at rest, 8 in which R goes right by 8.1, 3 at rest.
BOTH = slide(LOT, solution(), 8, 3)
ONE = slide(LOT, [forward("A")], 8, 3)


def judged(scenes: Sequence[Scene], puzzle: LotPuzzle = PUZZLE, settings=RUSH_HOUR_SETTINGS) -> Judgement:
    return judge_lot_frames(puzzle, film(puzzle.lot, scenes, LOOK, 10.0), settings, VideoPolicy.FINAL_FRAME)


def series(scenes: Sequence[Scene | None], text: str = "", puzzle: LotPuzzle = PUZZLE) -> Judgement:
    images = [None if scene is None else draw(LOT, scene, LOOK) for scene in scenes]
    return judge_lot_pictures(puzzle, images, text, RUSH_HOUR_SETTINGS)


def values(judgement: Judgement) -> dict[str, float | None]:
    return {one.name: one.value for one in judgement.metrics}


def codes(judgement: Judgement) -> list[str]:
    return [reason.code for reason in judgement.reasons]


@pytest.fixture(scope="module")
def solved() -> Judgement:
    return judged(BOTH)


class TestClips:
    def test_a_clip_of_both_moves(self, solved):
        assert (solved.outcome, solved.score, solved.reward, solved.reasons) == (Outcome.PASS, 1.0, 1.0, ())
        assert values(solved) == {
            "solved": 1.0, "strict_legal": 1.0, "solved_strict": 1.0, "solved_first_moves": 1.0, "moves": 2.0,
            "least_moves": 2.0, "plan_progress": 1.0,
        }  # fmt: skip

    def test_what_is_seen_is_kept(self, solved):
        seen = solved.observation
        assert [(one.move, one.complete) for one in seen.moves] == [("A forward", True), ("R forward", True)]
        # A's centre goes from 5.6 to 10 - 2 / 2 = 9; R's from 1 to 10 - 1.8 / 2 = 9.1.
        assert [one.distance for one in seen.moves] == pytest.approx([3.4, 8.1], abs=0.1)
        first, second = (one.span for one in seen.moves)
        assert 2 <= first.first_frame < first.last_frame <= 11 < second.first_frame < second.last_frame <= 22
        assert (first.start_s, second.end_s) == pytest.approx((first.first_frame / 10, second.last_frame / 10))
        assert seen.events == ()
        assert [track.object for track in seen.tracks] == ["R", "A", "B"]
        last = seen.tracks[0].points[-1]
        assert (last.time_s, last.x, last.y) == pytest.approx((2.4, 9.1, 6.0), abs=0.1)
        assert {(point.x, point.y) for point in seen.tracks[2].points} == {(7.0, 2.5)}
        assert seen.tracks[2].points[0].theta_rad == pytest.approx(np.pi / 6)

    def test_its_strip_and_moments_tell_the_moves(self, solved):
        drawing = solved.drawing
        assert drawing.strip.facts == (
            ("moves", "A forward, R forward"), ("strictly legal", "yes"), ("by first moves", "solved"),
        )  # fmt: skip
        assert drawing.strip.praise == "The moves that are shown free the red car, and it is seen at the exit."
        said = {caption for _, caption in drawing.moments}
        assert any("A forward" in caption for caption in said)
        assert any("red at the exit" in caption for caption in said)

    def test_half_of_the_way_earns_half_of_what_a_wasteful_plan_does(self):
        found = judged(ONE)
        assert (found.outcome, found.score, found.reward) == (Outcome.FAIL, 0.0, pytest.approx(0.45 * (2 / 4) ** 3))
        assert [(one.code, one.message) for one in found.reasons] == [
            ("PLAN_DOES_NOT_SOLVE", "By the rules these moves do not free the red car: A forward."),
            ("RED_NOT_AT_EXIT", "The red car is never seen at the exit."),
        ]
        assert found.reasons[1].places[0].object == "R"
        assert values(found) == {
            "solved": 0.0, "strict_legal": 1.0, "solved_strict": 0.0, "solved_first_moves": 0.0, "moves": 1.0,
            "least_moves": 2.0, "plan_progress": 0.5,
        }  # fmt: skip
        assert found.drawing.strip.facts[2] == ("by first moves", "not solved")

    def test_nothing_moves(self):
        found = judged(rest(5))
        assert (codes(found), found.reward) == (["NOTHING_MOVES", "RED_NOT_AT_EXIT"], 0.0)
        assert found.reasons[0].message == "No vehicle moves."
        assert found.reasons[0].places == (Place(span=TimeSpan(0, 4, 0.0, 0.4)),)
        assert found.drawing.strip.facts[0] == ("moves", "none")

    def test_too_long_a_plan_scores_and_earns_nothing(self):
        """At most 0 x 2 + 1 moves are allowed here; there are 2."""
        found = judged(BOTH, settings=STRICT)
        assert (found.outcome, found.score, found.reward, codes(found)) == (Outcome.FAIL, 1.0, 0.0, ["PLAN_TOO_LONG"])
        assert (values(found)["solved"], values(found)["plan_progress"]) == (1.0, 0.0)

    def test_moves_after_the_exit_do_not_make_it_too_long(self):
        """Three moves are shown, and two of them begin before the red car is at the exit."""
        two = replace(RUSH_HOUR_SETTINGS, plan=PlanRules(most_factor=0, most_more=2))
        end = [BOTH[-1].poses[v.label] for v in LOT.vehicles]
        found = judged([*BOTH, *go(end, 8, A=Pose(5.0, 6.0, np.pi / 2))], settings=two)
        assert (found.outcome, values(found)["moves"]) == (Outcome.PASS, 3.0)

    def test_where_it_is_not_known_what_is_needed_it_says_so(self):
        found = judged(BOTH, LotPuzzle(LOT, None), STRICT)
        missing = {one.name: one.unavailable_reason for one in found.metrics if one.value is None}
        assert (found.outcome, missing) == (Outcome.PASS, {"least_moves": TOO_LARGE, "plan_progress": TOO_LARGE})

    def test_an_event_is_kept_with_its_place(self):
        """B jumps by 2 units along its axis."""
        there = Scene(poses={"B": Pose(7.0 + 2 * np.cos(np.pi / 6), 3.5, np.pi / 6)})
        found = judged([*rest(5), *[there] * 5])
        assert codes(found)[0] == "TELEPORT"
        assert found.reward == 0.0
        assert found.reasons[0].message.startswith("Vehicle B jumps from one place to another, 0.")
        event = next(one for one in found.observation.events if one.code == LotEventKind.TELEPORT.value)
        assert event.object == "B"
        assert found.reasons[0].places[0].object == "B"
        assert found.reasons[0].places[0].span == event.span
        assert (event.span.start_s, event.span.end_s) == (event.span.first_frame / 10, event.span.last_frame / 10)

    def test_another_picture_is_not_the_puzzle(self):
        frames = [Frame(0, 0.0, np.full((100, 120, 3), 30, np.uint8))]
        found = judge_lot_frames(PUZZLE, frames, RUSH_HOUR_SETTINGS, VideoPolicy.FINAL_FRAME)
        assert [(one.code, one.message) for one in found.reasons] == [
            ("NOT_THE_PUZZLE", "The first frame shows no border of a lot.")
        ]
        assert (found.reward, found.observation.moves, found.observation.tracks) == (0.0, (), ())

    def test_a_lot_whose_vehicles_stand_elsewhere_is_not_the_puzzle(self):
        """Two of three stand where they should: 67 %."""
        found = judged([Scene(poses={"B": Pose(7.0, 7.5, 0.0)})] * 2)
        text = "The first frame does not show the puzzle: 67% of the vehicles stand where they should; not B."
        assert [one.message for one in found.reasons] == [text]


class TestReasons:
    def reason(self, fault: LotVideoFault, first: int, label: str = "", box: FrameBox | None = None) -> LotVideoReason:
        return LotVideoReason(
            fault, f"it happens at {first}", first, first + 1, first / 10, (first + 1) / 10, box, label
        )

    def test_one_reason_a_code_with_all_its_places(self):
        jumps = [self.reason(LotVideoFault.TELEPORT, at, "AB"[at // 5]) for at in (2, 7)]
        fade = self.reason(LotVideoFault.CROSS_FADE, 4, box=FrameBox(10, 20, 40, 25))
        first, second = _reasons((jumps[0], fade, jumps[1]))
        assert (first.code, first.message) == ("TELEPORT", "It happens at 2.")
        assert first.places == (
            Place(span=TimeSpan(2, 3, 0.2, 0.3), object="A"), Place(span=TimeSpan(7, 8, 0.7, 0.8), object="B"),
        )  # fmt: skip
        # From columns 10 to 40 and rows 20 to 25.
        assert (second.code, second.places[0].box) == ("CROSS_FADE", PixelBox(10, 20, 30, 5))

    def events(self, *found: LotEvent) -> LotFindings:
        return replace(tracks_of(BOTH), events=found)

    @pytest.mark.parametrize(
        ("kind", "fault", "says"),
        [
            (LotEventKind.HARD_CUT, "SCENE_CUT", "the picture cuts to another state of the lot"),
            (LotEventKind.CROSS_FADE, "CROSS_FADE", "the picture dissolves into another state of the lot"),
            (LotEventKind.SCENE_REPLACED, "SCENE_REPLACED", "the scene is replaced by another one"),
            (LotEventKind.NEW_VEHICLE, "EXTRA_VEHICLE", "a body appears that is not in the puzzle"),
            (LotEventKind.OVERLAY, "SCENE_OVERLAID", "something is laid over the scene"),
            (LotEventKind.VEHICLE_VANISHED, "VEHICLE_VANISHED", "vehicle B vanishes"),
            (LotEventKind.EXTRA_EXIT, "EXTRA_EXIT", "an exit appears that is not in the puzzle"),
            (LotEventKind.EXIT_MOVED, "EXIT_MOVED", "the exit is no longer at its place"),
            (LotEventKind.IDENTITY_SWAP, "IDENTITY_SWAP", "vehicle B takes on another vehicle's colour"),
            (LotEventKind.TELEPORT, "TELEPORT", "vehicle B jumps from one place to another"),
            (LotEventKind.ROTATION, "TURNED", "vehicle B turns"),
            (LotEventKind.SIDEWAYS, "SIDEWAYS", "vehicle B leaves its axis"),
            (LotEventKind.WALLS_CHANGED, "WALLS_CHANGED", "an obstacle or the border changes"),
        ],
    )
    def test_an_event_ends_a_clip_that_is_right_but_for_it(self, kind, fault, says):
        """From frame 1 to 2 of 24 a second: 0.04 to 0.08 s."""
        found = self.events(LotEvent(kind, 1, 2, 1 / 24, 2 / 24, FrameBox(1, 2, 3, 4), "B"))
        made = judge_lot_clip(LOT, found)
        assert [(one.fault.value, one.message) for one in made.reasons] == [(fault, f"{says}, 0.04 to 0.08 s")]
        assert (made.reasons[0].first, made.reasons[0].last, made.reasons[0].label) == (1, 2, "B")
        assert made.reasons[0].box == FrameBox(1, 2, 3, 4)
        assert (made.solved, made.solved_first_moves, made.strict_legal, made.progress) == (False, False, False, 0.0)

    @pytest.mark.parametrize(("after", "counts"), [(3, True), (4, False)])
    def test_an_event_counts_up_to_three_frames_after_the_exit(self, after, counts):
        at_exit = judge_lot_clip(LOT, tracks_of(BOTH)).at_exit
        assert at_exit is not None
        scenes = [*BOTH, *[BOTH[-1]] * 5]
        first = at_exit + after
        event = LotEvent(LotEventKind.HARD_CUT, first, first, first / 24, first / 24, None, "")
        made = judge_lot_clip(LOT, replace(tracks_of(scenes), events=(event,)))
        assert made.solved is not counts
        assert not made.strict_legal

    @pytest.mark.parametrize(
        ("first", "last", "counts"), [(1, 3, True), (1, 4, False), (6, 8, False), (8, 8, False), (9, 9, True)]
    )
    def test_what_looks_drawn_over_while_two_pictures_are_mixed_is_none(self, first, last, counts):
        fade = LotEvent(LotEventKind.CROSS_FADE, 4, 8, 4 / 24, 8 / 24, None, "")
        drawn = LotEvent(LotEventKind.DRAWN, first, last, first / 24, last / 24, None, "")
        faults = [one.fault for one in judge_lot_clip(LOT, self.events(fade, drawn)).reasons]
        assert faults == [LotVideoFault.CROSS_FADE, *[LotVideoFault.SCENE_OVERLAID] * counts]

    @pytest.mark.parametrize(("after", "counts"), [(1, True), (2, False)])
    def test_a_car_through_another_counts_until_the_red_car_is_at_the_exit(self, after, counts):
        found = tracks_of([*BOTH, *[BOTH[-1]] * 5])
        at_exit = judge_lot_clip(LOT, found).at_exit
        # From then on A stands where the obstacle is; it jumps there from the frame before.
        x, y = (np.where(np.arange(len(found.times_s)) < at_exit + after, one, 2.5)
                for one in (found.tracks[1].x, found.tracks[1].y))  # fmt: skip
        tracks = (found.tracks[0], replace(found.tracks[1], x=x, y=y), *found.tracks[2:])
        made = judge_lot_clip(LOT, replace(found, tracks=tracks))
        assert (LotVideoFault.THROUGH_VEHICLE in [one.fault for one in made.reasons]) is counts

    @pytest.mark.parametrize(("others", "solves"), [(4, True), (5, False)])
    def test_of_moves_that_begin_together_720_orders_are_tried(self, others, solves):
        """A has to go before R, which comes first: so do 5! = 120 orders of 6 moves, and 6! = 720 of 7."""
        aside = tuple(vehicle(f"{x}", x, 1.3, np.pi / 2, TEAL) for x in (2.5, 3.6, 6.4, 7.5, 8.6)[:others])
        lot = replace(LOT, vehicles=(LOT.vehicles[0], *aside, LOT.vehicles[1]), obstacles=())
        after = [Pose(9.1, 6.0), *(Pose(one.pose.x, 2.3, np.pi / 2) for one in aside), Pose(5.0, 9.0, np.pi / 2)]
        scenes = between([one.label for one in lot.vehicles], [one.pose for one in lot.vehicles], after, 14)
        made = judged_tracks([*scenes, *[scenes[-1]] * 5], lot)
        assert len(made.moves) == 2 + others
        assert (LotVideoFault.PLAN_DOES_NOT_SOLVE not in [one.fault for one in made.reasons]) is solves

    def test_a_car_through_another_says_how_deep(self):
        made = judged_tracks(go([v.pose for v in LOT.vehicles], R=Pose(9.1, 6.0)))
        (through,) = [one for one in made.reasons if one.fault is LotVideoFault.THROUGH_VEHICLE]
        # A reaches up to y = 5.6 + 1, R down to 6 - 0.45: the least way out is upwards, 6.6 - 5.55.
        assert through.message == "R and A are in one another by 1.05 units"
        assert (through.label, made.progress) == ("R", 0.0)


class TestBlemishes:
    """What is against the strict verdict alone."""

    FIRSTS = tuple(v.pose for v in LOT.vehicles)

    def blemishes(self, scenes: Sequence[Scene]) -> list[tuple[str, str, str]]:
        return [(one.fault.value, one.message, one.label) for one in judged_tracks(scenes).blemishes]

    def test_a_move_that_stops_short(self):
        """B goes 1 unit along its axis, at 30 degrees, to x = 7.87.

        Its corner, with what bodies are grown by, lies 1.03 cos 30 + 0.48 sin 30 = 1.13 beside its centre, so that
        (10 - 7.87 - 1.13) / cos 30 = 1.16 are left.
        """
        (found,) = self.blemishes(go(self.FIRSTS, B=Pose(7 + np.cos(np.pi / 6), 3.0, np.pi / 6)))
        text = "B stops 1.16 units before what it would touch, or on its way there"
        assert found == ("STOPS_SHORT", text, "B")

    def test_two_at_once(self):
        scenes = go(self.FIRSTS, 24, A=Pose(5.0, 9.0, np.pi / 2), R=Pose(9.1, 6.0))
        found = [one for one in self.blemishes(scenes) if one[0] == "TWO_AT_ONCE"]
        # 24 steps at 24 frames a second; the last of an eased way is too short to be one.
        assert [(one[1], one[2]) for one in found] == [("R and A move at once for 0.96 s", "A")]

    def test_the_right_clip_has_none(self):
        assert self.blemishes(BOTH) == []


class TestSeries:
    def test_a_picture_after_each_move(self):
        found = series([ONE[-1], BOTH[-1]], '{"answer": "A forward, R forward"}')
        assert (found.outcome, found.score, found.reward, found.reasons) == (Outcome.PASS, 1.0, 1.0, ())
        assert values(found) == {
            "solved_by_images": 1.0, "solved_by_words": 1.0, "agreement": 1.0, "images": 2.0,
            "images_minus_actions": 0.0, "images_minus_expected": 0.0, "first_wrong_step": None, "missing_steps": 0.0,
            "extra_steps": 0.0, "moves": 2.0, "least_moves": 2.0, "plan_progress": 1.0,
        }  # fmt: skip
        assert [one.moves for one in found.observation.steps] == [("A forward",), ("R forward",)]
        assert [one.label for one in found.observation.steps[0].vehicles] == ["R", "A", "B"]

    def test_a_picture_of_something_else_and_one_that_does_not_decode_can_t_be_read(self):
        other = np.full((100, 120, 3), (255, 0, 255), np.uint8)
        images = [draw(LOT, ONE[-1], LOOK), other, None]
        found = judge_lot_pictures(PUZZLE, images, "", RUSH_HOUR_SETTINGS)
        assert codes(found) == ["STEP_UNREADABLE"]
        assert [place.step for place in found.reasons[0].places] == [2, 3]
        assert found.reward == pytest.approx(0.45 * (2 / 4) ** 3)

    def test_a_vehicle_that_is_not_there_is_altered(self):
        found = series([Scene(poses=ONE[-1].poses, gone={"B": 1.0})])
        assert [(one.code, one.message) for one in found.reasons] == [
            ("STEP_ALTERED", "Picture 1: vehicle B is not there.")
        ]
        assert found.reward == 0.0

    def test_a_body_that_does_not_belong_is_altered(self):
        found = series([Scene(poses=ONE[-1].poses, extra=((Pose(8.0, 8.0), 1.5, 1.5, "#4B0082"),))])
        assert [(one.code, one.message) for one in found.reasons] == [
            ("STEP_ALTERED", "Picture 1: something stands in the lot that does not belong there.")
        ]

    def test_words_that_name_no_plan_have_no_agreement(self):
        found = series([ONE[-1], BOTH[-1]], "Hm.")
        assert (values(found)["agreement"], values(found)["solved_by_words"]) == (None, 0.0)
        assert found.observation.moves_in_words == ()
