"""Clips and series of pictures in which pieces are put together."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

import grader
from benchmarks.jigsaw.clips import CLIP_FAULTS, RIGHT_CLIPS, as_frames
from detectors.common.changes import BlockConfig, ChangeKind, see_clip
from detectors.jigsaw.pieces import lay_pieces
from grader.contract.verdicts import verdict_to_proto
from grader.model.jobs import VideoPolicy
from grader.model.verdict import Outcome
from grader.tasks.jigsaw.puzzle import JigsawPuzzle
from grader.tasks.jigsaw.rollouts import judge_jigsaw_frames, judge_jigsaw_pictures
from grader.tasks.jigsaw.settings import JigsawSettings
from puzzles.jigsaw.cuts import HALVES, joined
from puzzles.jigsaw.kinds import QuestionKind
from puzzles.jigsaw.rendered import render_landscape

GIVEN = (2, 0, 3, 1)
"""The quarter that each given piece is, from 0."""
ORDER = tuple(GIVEN.index(place) + 1 for place in range(4))
SETTINGS = JigsawSettings()


@cache
def quarters():
    return [np.ascontiguousarray(one) for one in HALVES.cut(render_landscape(9001, (208, 160)))]


@cache
def puzzle():
    laid = lay_pieces([quarters()[one] for one in GIVEN], SETTINGS.assembly)
    return JigsawPuzzle(QuestionKind.ORDER_GENERATION, {}, ORDER, laid, (104, 80))


def clip(kind, fault=None, *, noise=3.0):
    dice = np.random.default_rng(4)
    pictures = RIGHT_CLIPS[kind](quarters(), GIVEN, 128)
    if fault is not None:
        pictures = CLIP_FAULTS[fault](pictures, quarters(), dice)
    return as_frames(pictures, dice, noise)


def judged(frames, policy=VideoPolicy.FINAL_FRAME):
    return judge_jigsaw_frames(puzzle(), frames, SETTINGS, policy)


@pytest.mark.parametrize("kind", RIGHT_CLIPS)
def test_pieces_that_come_to_their_places_pass(kind):
    verdict = judged(clip(kind))
    assert (verdict.outcome, verdict.reward, verdict.reasons) == (Outcome.PASS, 1.0, ())


@pytest.mark.parametrize(
    ("fault", "code", "reward"),
    [
        ("one_jumps", "PIECE_JUMPED", 0.0),
        ("fade", "CROSS_FADE", 0.0),
        ("one_fades", "CROSS_FADE", 0.0),
        ("unmoved", "NOTHING_MOVES", 0.0),
        ("stopped", "WRONG_ORDER", 0.45),  # two of four pieces, times 0.9
        ("undone", "SOLVED_THEN_UNDONE", 0.0),  # none of these lies in its place as it was given
    ],
)
def test_clips_in_which_they_do_not_fail_by_name(fault, code, reward):
    verdict = judged(clip("sorted_by_exchanges", fault))
    assert (verdict.outcome, verdict.reasons[0].code) == (Outcome.FAIL, code)
    assert verdict.reward == pytest.approx(reward)


def test_by_the_best_frame_what_is_undone_was_solved():
    verdict = judged(clip("sorted_by_exchanges", "undone"), VideoPolicy.BEST_FRAME)
    assert verdict.outcome is Outcome.PASS


def test_light_that_changes_is_no_fade():
    frames = clip("brought_in", noise=0)
    lit = [
        type(one)(one.index, one.time_s, np.clip(one.pixels * (1 - 0.002 * one.index), 0, 255).astype(np.uint8))
        for one in frames
    ]
    assert {one.kind for one in see_clip(lit, BlockConfig()).changes} == {ChangeKind.MOVED}
    assert judged(lit).outcome is Outcome.PASS


def test_a_clip_as_it_is_sent_is_graded_and_drawn():
    given = grader.jigsaw("order_generation", ORDER, pieces=[quarters()[one] for one in GIVEN])
    pictures = [one.pixels for one in clip("brought_in", "one_jumps", noise=0)]
    verdict = grader.grade(given, encoded(pictures), overlay=True)
    assert verdict.codes[0] == "PIECE_JUMPED"
    assert verdict_to_proto(verdict).observation.assembly.events[0].code == "PIECE_JUMPED"
    assert verdict.overlay is not None


def encoded(pictures):
    """An animated WebP of 16 pictures a second."""
    animation = cv2.Animation()
    animation.frames = [np.ascontiguousarray(cv2.cvtColor(one, cv2.COLOR_RGB2BGRA)) for one in pictures]
    animation.durations = np.full(len(pictures), 62)
    return bytes(cv2.imencodeanimation(".webp", animation)[1])


# --- series ---


def stage(*laid):
    blank = np.full_like(quarters()[0], 128)
    return joined([blank if piece is None else quarters()[piece] for piece in laid])


def series(images, text=""):
    return judge_jigsaw_pictures(puzzle(), images, text, SETTINGS)


def test_a_series_that_ends_with_all_in_order_passes():
    images = [stage(0, None, None, None), stage(0, 1, None, None), stage(0, 1, None, 3), stage(0, 1, 2, 3)]
    verdict = series(images, f"The order is {list(ORDER)}.")
    said = {metric.name: metric.value for metric in verdict.metrics}
    assert (verdict.outcome, verdict.reward) == (Outcome.PASS, 1.0)
    assert (said["images"], said["solved_by_words"], said["agreement"]) == (4, 1, 1)


def test_of_a_series_the_last_picture_counts():
    verdict = series([stage(0, 1, 2, 3), stage(1, 0, 2, 3)])
    assert (verdict.reasons[0].code, verdict.reasons[0].places[0].step) == ("WRONG_ORDER", 2)
    assert verdict.reward == pytest.approx(0.45)


def test_a_picture_before_the_last_that_was_painted_on_fails():
    painted = stage(0, 1, None, None)
    cv2.circle(painted, (52, 40), 16, (235, 20, 20), -1)
    verdict = series([painted, stage(0, 1, 2, 3)])
    assert (verdict.reasons[0].code, verdict.reasons[0].places[0].step) == ("STEP_ALTERED", 1)
    assert verdict.reward == 0


@pytest.mark.parametrize(("images", "code"), [([], "NO_IMAGES"), ([None, None], "STEP_UNREADABLE")])
def test_a_series_without_pictures_fails(images, code):
    verdict = series(images)
    assert (verdict.outcome, verdict.reasons[0].code, verdict.reward) == (Outcome.FAIL, code, 0)
