"""Composed clips: the same list each time, what the video does to frames, and for how long faults are shown."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from benchmarks.rollouts.composed.cases import ComposedCase, composed_cases, made_deed, truth_of
from benchmarks.rollouts.composed.film import VIDEOS, Hide, Moment, Video, film
from benchmarks.rollouts.composed.lot_deeds import LotDeed
from benchmarks.rollouts.composed.run import Composed, report
from benchmarks.rollouts.grading import Said
from benchmarks.rollouts.records import Task


@cache
def cases() -> tuple[ComposedCase, ...]:
    """Three of each kind at each task; made when they are first asked for, since pages are rendered for them."""
    return tuple(composed_cases(27))


def scene(time: float) -> np.ndarray:
    """A picture that is as bright as its time, 100 levels a second."""
    return np.full((8, 10, 3), round(100 * time), np.uint8)


def levels(video: Video, *moments: Moment) -> list[int]:
    return [int(one[0, 0, 0]) for one in film(scene, 0.5, video, moments, "name", (0, 0, 0))]


def test_the_list_is_the_same_and_a_shorter_one_is_its_beginning() -> None:
    assert cases()[:12] == tuple(composed_cases(12))
    assert len({case.id for case in cases()}) == len(cases())
    assert {(case.task, case.kind) for case in cases()} == {
        (task, kind) for task in Task for kind in ("right", "lasting", "passing")
    }


def test_truth_follows_from_how_long_a_fault_is_shown() -> None:
    for case in cases():
        shown, solved = truth_of(case)
        if case.kind == "right":
            assert (shown, solved) == (0.0, True)
        else:
            video = VIDEOS[case.video]
            frames = shown * (video.source_fps or video.fps)
            assert solved is (False if shown >= 0.1 and frames >= 2 else None)


def test_lasting_faults_of_lots_are_deep() -> None:
    deeds = [made_deed(case) for case in cases() if case.task is Task.RUSH_HOUR and case.kind == "lasting"]
    assert deeds
    assert all(isinstance(deed, LotDeed) and deed.depth > 0.3 for deed in deeds)


def test_doubled_blended_and_blurred_frames() -> None:
    assert levels(Video(fps=20))[:4] == [0, 5, 10, 15]
    assert levels(Video(fps=20, source_fps=10))[:5] == [0, 0, 10, 10, 20]
    assert levels(Video(fps=20, source_fps=10, blends=True))[:5] == [0, 5, 10, 15, 20]
    # A shutter sees the time from a frame to the next: at 0.1 s 10 to 15 levels, in the mean 12.5.
    assert levels(Video(fps=20, shutter=1.0))[2] == pytest.approx(12.5, abs=0.6)


@pytest.mark.parametrize(("hide", "level"), [(Hide.BLACK, 0), (Hide.FLASH, 255), (Hide.FREEZE, 20), (Hide.BLUR, 25)])
def test_what_hides_a_moment(hide: Hide, level: int) -> None:
    shown = levels(Video(fps=20), Moment(hide, 0.2, 0.3))
    assert shown[5] == level
    assert shown[:4] == [0, 5, 10, 15]
    assert shown[6:8] == [30, 35]


def test_the_report_names_what_is_wrong() -> None:
    wrong = next(case for case in cases() if case.kind == "lasting")
    said = Said("PASS", (), "", {}, None)
    lines = list(report([Composed(wrong, said, *truth_of(wrong))]))
    assert any(line.startswith(f"wrong: {wrong.id}: PASS") for line in lines)
