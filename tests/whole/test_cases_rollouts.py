"""Failures that people met with graders of video: the public cases A1, A2, A6, A17 and A18."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.rollouts.records import LotFault, TileFault
from grader.contract.requests import job_from_proto
from grader.media.clips.video import open_video
from grader.media.encoding import encode_mp4
from grader.metrics.trajectories import identity_switches
from grader.model.jobs import GradeJob, VideoCandidate
from grader.model.verdict import Outcome, Verdict
from grader.serving.work import inline_only
from puzzles.maze.geometry import Geometry
from tests.maze.maze_clips import growing, square, way
from tests.samples.clips import write
from tests.samples.puzzles import maze_sample
from tests.samples.rollouts import ENGINE, codes, find_case, grade, message, tiny_case, values

# --- A1: a clip that repeats its first frame ---


def maze_clip(pictures: list[np.ndarray], sample=None) -> Verdict:
    sample = sample or square()
    return ENGINE.grade(GradeJob("m", sample.task, VideoCandidate(encode_mp4(pictures, 24.0, crf=12))))


def test_a1_a_maze_that_stands_still_earns_nothing_and_a_partly_right_one_more() -> None:
    """The picture is kept perfectly, which must not count: half a path, with its ink, earns more."""
    sample = square()
    still = maze_clip([sample.pictures.input] * 24)
    found = values(still)
    assert (still.outcome, still.score, still.reward) == (Outcome.FAIL, 0.0, 0.0)
    assert (found["coverage"], found["success"]) == (0.0, 0.0)
    # The coder leaves fewer than one pixel in a hundred more than 5 levels off.
    assert found["background_fidelity"] > 0.99
    half = maze_clip(growing(sample, way(sample, sample.path[: len(sample.path) // 2])))
    assert half.outcome is Outcome.FAIL
    assert half.reward > still.reward


@pytest.mark.parametrize("fault", [LotFault.STATIC, TileFault.STATIC], ids=["lot", "tiles"])
def test_a1_a_plan_that_stands_still_earns_nothing_and_a_prefix_more(fault: LotFault | TileFault) -> None:
    still = grade(message(tiny_case(fault)))
    assert (still.outcome, still.score, still.reward) == (Outcome.FAIL, 0.0, 0.0)
    prefix = grade(message(tiny_case(LotFault.PREFIX if isinstance(fault, LotFault) else TileFault.PREFIX)))
    assert prefix.outcome is Outcome.FAIL
    assert prefix.reward > 0.0


# --- A2: the look changes no verdict ---


# "small", and "margins" of a lot, are graded in tests/plans; more looks are read in tests/rush_hour and tests/sliding.
LOT_LOOKS = ("letters",)
TILE_LOOKS = ("frame",)


@pytest.mark.parametrize(
    ("fault", "look"),
    [*((LotFault.NONE, look) for look in LOT_LOOKS), *((TileFault.NONE, look) for look in TILE_LOOKS)],
    ids=[*(f"lot-{look}" for look in LOT_LOOKS), *(f"tiles-{look}" for look in TILE_LOOKS)],
)
def test_a2_a_right_clip_passes_in_every_look(fault: LotFault | TileFault, look: str) -> None:
    case = find_case(fault, look)
    verdict = grade(message(case))
    assert (verdict.outcome, codes(verdict)) == (Outcome.PASS, [])
    assert values(verdict)["moves"] == case.level


@pytest.mark.parametrize("geometry", [Geometry.SQUARE, Geometry.TRIANGLE], ids=lambda geometry: geometry.value)
def test_a2_a_growing_path_passes_in_every_geometry(geometry: Geometry) -> None:
    sample = maze_sample(geometry)
    assert codes(maze_clip(growing(sample, way(sample)), sample)) == []


# --- A6: truncated video ---


@pytest.mark.parametrize("fault", [LotFault.NONE], ids=["lot"])
def test_a6_a_clip_without_its_last_bytes_is_judged_and_flagged(fault: LotFault | TileFault) -> None:
    """30 % of the bytes are cut off; the index stands in front and still claims every frame."""
    request = message(tiny_case(fault))
    whole = grade(request).clip
    request.video.data = request.video.data[: int(0.7 * len(request.video.data))]
    verdict = grade(request)
    assert verdict.outcome in (Outcome.PASS, Outcome.FAIL)
    assert verdict.clip.truncated
    assert 0 < verdict.clip.decoded_frames < verdict.clip.declared_frames == whole.decoded_frames
    # The engine keeps working.
    assert ENGINE.grade(job_from_proto(message(tiny_case(fault)), inline_only)).outcome is Outcome.PASS


def test_a6_a_clip_of_which_no_frame_is_left_is_ungradable() -> None:
    request = message(find_case(LotFault.NONE, "small"))
    request.video.data = request.video.data[:40]
    assert grade(request).outcome is Outcome.UNGRADABLE


# --- A17: identity ---


def test_a17_a_track_that_leaves_and_comes_back_switches_twice() -> None:
    """T1, T1, T1, T2, T1: to T2, and back. A gap is no switch: the last match before it has priority."""
    assert identity_switches([1, 1, 1, 2, 1]) == 2
    assert identity_switches([1, None, 1]) == 0


# --- A18: rotated video ---


def test_a18_a_clip_with_a_display_matrix_is_graded_upright() -> None:
    """The stored frames lie on their side; the matrix says how to turn them."""
    request = message(tiny_case(LotFault.NONE))
    plain = grade(request)
    with open_video(request.video.data) as clip:
        upright = [frame.pixels.copy() for frame in clip.frames()]
    stored = [np.ascontiguousarray(np.rot90(frame, k=-1)) for frame in upright]
    request.video.data = write(stored, turn=(90.0, False, False), options={"crf": "16"})
    with open_video(request.video.data) as clip:
        first = next(iter(clip.frames())).pixels
    assert np.abs(first.astype(int) - upright[0]).mean() < 3.0
    turned = grade(request)
    assert (turned.outcome, codes(turned)) == (plain.outcome, codes(plain)) == (Outcome.PASS, [])
    # As it is stored, without the matrix, it is not the puzzle.
    request.video.data = encode_mp4(stored, 24.0)
    assert grade(request).outcome is Outcome.FAIL
