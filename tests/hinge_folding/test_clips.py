"""Clips in which chains are folded."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

import grader
from benchmarks.hinge_folding.clips import CLIP_FAULTS, folding
from benchmarks.hinge_folding.subjects import ChainSubject
from grader import VideoCandidate
from grader.engine.engine import Engine
from grader.make.hinge_folding import make_hinges
from grader.make.plans import PlanLook
from grader.media.frames import Frame
from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind, VideoPolicy
from grader.model.verdict import Outcome
from grader.tasks.hinge_folding import pictures as judging
from grader.tasks.hinge_folding.pictures import judge_hinge_clip
from grader.tasks.hinge_folding.puzzle import prepare_hinges
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from puzzles.hinge_folding.style import HINGE_STYLES
from puzzles.mentis.hinges import HingeRecipe

SETTINGS, FPS = HingeFoldingSettings(), 24.0
ONE = ChainSubject(2, 5, HINGE_STYLES["flat"], 192)


@cache
def right():
    return folding(ONE, np.random.default_rng(1), FPS)


@cache
def puzzle():
    return prepare_hinges(ONE.task, SETTINGS, MediaLimits(), CandidateKind.VIDEO)


def judged(pictures, policy=VideoPolicy.FINAL_FRAME):
    frames = [Frame(index, index / FPS, picture) for index, picture in enumerate(pictures)]
    return judge_hinge_clip(puzzle(), frames, SETTINGS, policy)


def test_a_chain_that_is_folded_passes():
    verdict = judged(right())
    assert (verdict.outcome, verdict.reward, verdict.reasons) == (Outcome.PASS, 1.0, ())


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("jump", "CHAIN_JUMPED"),
        ("last_jumps", "CHAIN_JUMPED"),
        ("fade", "CROSS_FADE"),
        ("answer_alone", "NOTHING_MOVES"),
        ("start_alone", "NOTHING_MOVES"),
        ("starts_late", "NOT_THE_PUZZLE"),
        ("undone", "SOLVED_THEN_UNDONE"),
    ],
)
def test_clips_in_which_it_is_not_fail_by_name(fault, code):
    verdict = judged(CLIP_FAULTS[fault](ONE, right(), np.random.default_rng(1)))
    assert (verdict.outcome, verdict.reasons[0].code) == (Outcome.FAIL, code)
    assert (verdict.reward > 0) <= (fault == "undone")


def test_a_thing_that_comes_in_slowly_and_goes_again_is_named():
    def with_bar(picture, width):
        painted = picture.copy()
        painted[4:14, :width] = (20, 160, 60)
        return painted

    clip = right()
    bar = [with_bar(clip[0], 6 * step) for step in range(12)]
    verdict = judged([clip[0], *bar, *bar[-1:] * 10, *bar[::-1], *clip])
    assert [one.code for one in verdict.reasons] == ["SHOWN_ON_THE_WAY"]


def test_one_that_ends_early_has_the_wrong_silhouette_and_by_the_best_frame_what_is_undone_passes():
    assert judged(right()[: len(right()) // 2]).outcome is Outcome.FAIL
    undone = CLIP_FAULTS["undone"](ONE, right(), np.random.default_rng(1))
    assert judged(undone, VideoPolicy.BEST_FRAME).outcome is Outcome.PASS


def test_the_video_of_a_made_chain_passes_and_is_drawn(tmp_path):
    make_hinges(tmp_path, [HingeRecipe(1, 4)], PlanLook("paper", 256, 192), progress=False)
    jobs = grader.load_manifest(tmp_path / "requests.jsonl").jobs()
    (job,) = [one for one in jobs if isinstance(one.candidate, VideoCandidate)]
    verdict = Engine().grade(replace(job, overlay=True))
    assert verdict.outcome is Outcome.PASS
    assert verdict.overlay is not None


def test_the_frame_that_a_clip_begins_with_is_no_rest_on_the_way(monkeypatch):
    frames = [Frame(at, at / FPS, np.zeros((4, 4, 3), np.uint8)) for at in (0, 3)]
    judged_fine = SimpleNamespace(reasons=())
    monkeypatch.setattr(judging, "_at", lambda _puzzle, frame, _: SimpleNamespace(frame=frame, judged=judged_fine))
    clip = SimpleNamespace(first=frames[0], rests=frames)
    first = SimpleNamespace(judged=judged_fine)
    assert [one.frame.index for one in judging._rests(puzzle(), clip, first, SETTINGS)] == [3]
