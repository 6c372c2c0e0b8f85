"""Motions on a line, and what the judge of rush-hour clips says of tracks that are written rather than seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from detectors.rush_hour.findings import LotFindings, LotFit, VehicleTrack
from grader.metrics.trajectories import find_motions, identity_switches
from grader.tasks.rush_hour.clips.through import overlaps
from grader.tasks.rush_hour.clips.video import LotClipJudgement, LotVideoFault, judge_lot_clip
from puzzles.rush_hour.lot import Lot, Pose
from puzzles.rush_hour.rules import Direction, simulate
from tests.rush_hour.lot_clips import FIRSTS, LOT, Scene, backward, end_of, forward, go, rest, slide, solution, solving


def faults(judgement: LotClipJudgement) -> set[LotVideoFault]:
    return {reason.fault for reason in judgement.reasons}


# Motions on a line


def test_a_motion_has_its_onset_its_end_and_its_way() -> None:
    places = np.array([0.0] * 5 + [0.5, 1.0, 1.5, 2.0] + [2.0] * 5)
    (motion,) = find_motions(places, np.ones(len(places), bool), 0.1, 0.03, 3)
    # The last frame at rest is 4; the median over three frames keeps a ramp, so 2.0 is reached at frame 8.
    assert (motion.first, motion.last, motion.distance) == (4, 8, 2.0)


def test_trembling_drift_and_spikes_are_no_motion() -> None:
    rng = np.random.default_rng(1)
    trembling = rng.normal(0, 0.02, 60)
    trembling[30] = 3.0
    assert find_motions(trembling, np.ones(60, bool), 0.1, 0.03, 3) == ()
    assert find_motions(np.linspace(0, 0.09, 60), np.ones(60, bool), 0.1, 0.03, 3) == ()


def test_there_and_back_are_two_motions() -> None:
    places = np.concatenate([np.linspace(0, 2, 11), np.linspace(1.8, 0, 10), np.zeros(5)])
    motions = find_motions(places, np.ones(len(places), bool), 0.1, 0.03, 3)
    assert [motion.distance > 0 for motion in motions] == [True, False]


def test_a_creeping_thing_moves() -> None:
    motions = find_motions(np.linspace(0, 2, 400), np.ones(400, bool), 0.1, 0.03, 3)
    assert motions
    assert all(motion.distance > 0 for motion in motions)
    # What is left at the end is at most the threshold, once for the last rest, and the start of a motion is counted.
    assert sum(motion.distance for motion in motions) >= 2 - 0.1 - 0.03


def test_motions_need_sensible_settings() -> None:
    with pytest.raises(ValueError, match="settled"):
        find_motions(np.zeros(3), np.ones(3, bool), 0.1, 0.2, 3)
    with pytest.raises(ValueError, match="3 places but 2 flags"):
        find_motions(np.zeros(3), np.ones(2, bool), 0.1, 0.03, 3)


def test_identity_switches_compare_with_the_last_match() -> None:
    assert identity_switches([1, 1, 1, 2, 1]) == 2  # to 2 and back
    assert identity_switches([1, None, None, 1]) == 0
    assert identity_switches([1, None, 2]) == 1
    assert identity_switches([]) == 0


# The judge alone, on tracks that were not seen but written


def tracks_of(scenes: Sequence[Scene], lot: Lot = LOT) -> LotFindings:
    """What a perfect detector would find in scenes."""
    count = len(scenes)
    tracks = []
    for v in lot.vehicles:
        poses = [scene.poses.get(v.label, v.pose) for scene in scenes]
        tracks.append(
            VehicleTrack(
                v.label,
                np.ones(count, bool),
                np.array([p.x for p in poses]),
                np.array([p.y for p in poses]),
                np.array([p.theta for p in poses]),
                np.ones(count),
                np.zeros(count),
                np.zeros((count, 3)),
            )
        )
    camera = np.tile([30.0, 0.0, 0.0, 0.0, -30.0, 300.0], (count, 1))
    fit = LotFit(True, 1.0, 1.0, (), None)
    return LotFindings(np.arange(count) / 24.0, fit, tuple(tracks), camera, (), 0.0)


def judged_tracks(scenes: Sequence[Scene], lot: Lot = LOT) -> LotClipJudgement:
    return judge_lot_clip(lot, tracks_of(scenes, lot))


def test_the_solution_is_read_as_it_was_made() -> None:
    judgement = judged_tracks(solving())
    assert [(move.label, move.direction) for move in judgement.moves] == [
        ("A", Direction.FORWARD),
        ("R", Direction.FORWARD),
    ]
    # A's centre goes from 5.6 to 10 - 2 / 2 = 9; R's from 1 to 10 - 1.8 / 2 = 9.1.
    assert [move.distance for move in judgement.moves] == pytest.approx([3.4, 8.1], abs=1e-9)
    assert [move.gap for move in judgement.moves] == [0.0, 0.0]
    assert judgement.solved
    assert judgement.solved_first_moves
    assert judgement.solved_strict
    assert judgement.progress == 1.0
    assert judgement.reasons == ()


def test_nothing_moves() -> None:
    judgement = judged_tracks(rest(20))
    assert faults(judgement) == {LotVideoFault.NOTHING_MOVES, LotVideoFault.RED_NOT_AT_EXIT}
    assert judgement.strict_legal
    assert judgement.progress == 0.0


def test_one_of_two_moves_is_half_the_way() -> None:
    judgement = judged_tracks(slide(LOT, [forward("A")]))
    assert not judgement.solved
    assert judgement.strict_legal
    assert judgement.progress == pytest.approx(1 - 1 / 2)


def test_a_pause_on_the_way_is_one_move_but_not_strict() -> None:
    start = rest() + go(FIRSTS, A=Pose(5.0, 7.0, math.pi / 2))
    onward = start + go(end_of(start), A=Pose(5.0, 9.0, math.pi / 2))
    judgement = judged_tracks(onward + go(end_of(onward), R=Pose(9.1, 6.0)))
    assert [(move.label, move.pieces) for move in judgement.moves] == [("A", 2), ("R", 1)]
    assert judgement.solved
    assert not judgement.strict_legal


def test_a_way_back_is_a_move_of_its_own() -> None:
    scenes = slide(LOT, [backward("A"), forward("A"), forward("R")])
    judgement = judged_tracks(scenes)
    assert [str(move.move) for move in judgement.moves] == ["A backward", "A forward", "R forward"]
    assert judgement.solved
    # A's first move, backward, is 5.6 - 1 = 4.6 long and frees the way as well.
    assert judgement.solved_first_moves


def test_red_that_stops_short_is_not_at_the_exit() -> None:
    start = slide(LOT, [forward("A")])
    judgement = judged_tracks(start + go(end_of(start), R=Pose(8.2, 6.0)))
    assert faults(judgement) == {LotVideoFault.RED_NOT_AT_EXIT}
    assert judgement.solved_first_moves
    assert judgement.progress == pytest.approx(1 - 1 / 2)


def test_motion_after_the_goal_does_not_matter() -> None:
    scenes = solving()
    judgement = judged_tracks(scenes + go(end_of(scenes), R=Pose(4.0, 6.0)))
    assert judgement.solved


def test_red_through_a_blocker() -> None:
    judgement = judged_tracks(rest() + go(FIRSTS, 24, R=Pose(9.1, 6.0)))
    assert faults(judgement) == {LotVideoFault.THROUGH_VEHICLE, LotVideoFault.PLAN_DOES_NOT_SOLVE}
    assert judgement.progress == 0.0


def test_a_blocker_that_moves_a_little_before_red_goes_through_it() -> None:
    """By its list of moves this is solved, A forward and R forward; what is seen says otherwise."""
    start = rest() + go(FIRSTS, A=Pose(5.0, 6.1, math.pi / 2))
    through = start + go(end_of(start), 24, R=Pose(9.1, 6.0))
    judgement = judged_tracks(through)
    assert judgement.solved_first_moves
    assert faults(judgement) == {LotVideoFault.THROUGH_VEHICLE}


def test_two_at_once_may_be_solved_but_are_not_strict() -> None:
    start = rest()
    early = [Scene(poses={"A": s.poses["A"]}) for s in go(FIRSTS, 14, A=Pose(5.0, 9.0, math.pi / 2))]
    late = go(FIRSTS, 30, R=Pose(9.1, 6.0))
    both = [
        Scene(poses={"A": early[min(i, len(early) - 1)].poses["A"], "R": scene.poses["R"]})
        for i, scene in enumerate(late)
    ]
    judgement = judged_tracks(start + both)
    assert judgement.solved
    assert not judgement.strict_legal


def test_overlaps_are_as_deep_as_bodies_are_in_one_another() -> None:
    # R's right side at 4.2 + 0.9 = 5.1, A's left side at 5 - 0.45 = 4.55: 0.55 deep.
    scenes = [Scene(poses={"R": Pose(4.2, 6.0)})] * 4
    (found,) = overlaps(LOT, tracks_of(scenes), 0.35)
    assert (found.one, found.other, found.first, found.last) == ("R", "A", 0, 3)
    assert found.depth == pytest.approx(0.55)


def test_a_car_that_passes_another_between_two_frames_is_seen_to() -> None:
    """R goes from x = 3 to 7 in one frame, past A at x = 5: deep in one another for much more than 0.6 units."""
    scenes = [Scene(poses={"R": Pose(3.0, 6.0)})] * 3 + [Scene(poses={"R": Pose(7.0, 6.0)})] * 3
    (found,) = overlaps(LOT, tracks_of(scenes), 0.35)
    assert (found.one, found.other, found.first, found.last) == ("R", "A", 2, 3)


def test_a_car_that_is_hidden_for_a_while_is_still_there() -> None:
    """A is not seen while R passes, and stands where it stood after it."""
    ways = [3.0, 4.0, 5.0, 6.0, 7.0]
    scenes = [Scene(poses={"R": Pose(x, 6.0)}) for x in ways]
    seen = tracks_of(scenes)
    blinking = replace(
        seen,
        tracks=tuple(
            replace(one, seen=np.array([True, False, False, False, True])) if one.label == "A" else one
            for one in seen.tracks
        ),
    )
    assert [overlap.other for overlap in overlaps(LOT, blinking, 0.35)] == ["A"]


def test_the_drawn_lot_is_solved_by_its_solution() -> None:
    assert simulate(LOT, solution()).solved
