"""Pictures after every step, and clips: one piece at a time, each seen on its way, until the silhouette is filled."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

import grader
from benchmarks.form_board.boards import board
from grader import FramesCandidate, VideoCandidate
from grader.media.encoding import encode_mp4
from grader.model.jobs import VideoPolicy
from grader.model.verdict import Outcome
from puzzles.common.easing import Pace
from puzzles.form_board.render import FormCanvas, render_clip, render_steps
from puzzles.form_board.style import FormStyle

FPS = 12.0
QUICK = Pace(speed=40.0, least_s=0.45, before_s=0.1, pause_s=0.1, after_s=0.2)


@cache
def puzzle():
    return replace(board(2, 5, 384), style=FormStyle(seed=3))


@cache
def steps():
    return tuple(render_steps(puzzle().laid, puzzle().puzzle.order, puzzle().style))


@cache
def frames():
    return tuple(render_clip(puzzle().laid, puzzle().puzzle.order, puzzle().style, FPS, QUICK))


def codes(verdict):
    return [reason.code for reason in verdict.reasons]


def shown(*pictures, text='{"answer": ""}'):
    return grader.grade(puzzle().task, FramesCandidate(tuple(map(png, pictures)), text))


def png(picture):
    return cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))[1].tobytes()


def clip(pictures, policy=VideoPolicy.FINAL_FRAME):
    job = grader.GradeJob("one", puzzle().task, VideoCandidate(encode_mp4(iter(pictures), FPS, crf=18)),
                          video_policy=policy)  # fmt: skip
    return grader.Engine().grade(job)


def drawn(offsets, absent=()):
    return FormCanvas(puzzle().laid, puzzle().style).draw(offsets, absent)


# --- a picture after every step ---


def test_one_piece_after_another_passes_and_words_are_held_against_it():
    first, second = puzzle().puzzle.order
    verdict = shown(*steps(), text=f'{{"answer": "{first} {second}"}}')
    assert (verdict.outcome, codes(verdict), verdict.reward) == (Outcome.PASS, [], 1.0)
    assert verdict.metric("solved_by_words") == verdict.metric("agreement") == 1.0
    assert (verdict.metric("images"), verdict.metric("moves"), verdict.metric("least_moves")) == (2.0, 2.0, 2.0)
    assert [step.moves for step in verdict.observation.steps] == [(first,), (second,)]


def test_a_piece_may_be_taken_back_and_the_same_be_shown_twice():
    first, _ = puzzle().puzzle.order
    verdict = shown(steps()[0], steps()[0], puzzle().question, *steps())
    assert verdict.outcome is Outcome.PASS
    assert [step.moves for step in verdict.observation.steps][:3] == [(first,), (), (f"-{first}",)]
    assert verdict.metric("extra_steps") == 1.0
    assert verdict.reward < 1.0


def test_what_is_wrong_with_a_series_is_named():
    first, second = puzzle().puzzle.order
    offsets = puzzle().laid.solution.offsets
    aside = {first: tuple(value + 8 for value in offsets[first])}
    assert codes(shown()) == ["NO_IMAGES"]
    assert codes(shown(steps()[1])) == ["STEP_MISSING"]
    assert codes(shown(steps()[0])) == ["GOAL_NOT_SHOWN"]
    assert codes(shown(drawn(aside), *steps()))[0] == "STEP_ILLEGAL"
    over = {first: offsets[first], second: tuple(value - 25 for value in offsets[second])}
    assert codes(shown(steps()[0], drawn(over), steps()[1]))[0] in ("STEP_ALTERED", "STEP_ILLEGAL")


def test_progress_counts_up_to_the_first_fault():
    assert shown(steps()[0]).metric("plan_progress") == 0.5
    assert shown(puzzle().question).metric("plan_progress") == 0.0


# --- clips ---


def test_pieces_that_glide_into_the_silhouette_pass():
    verdict = clip(frames())
    assert (verdict.outcome, codes(verdict), verdict.reward) == (Outcome.PASS, [], 1.0)
    assert verdict.metric("solved_strict") == verdict.metric("ever_solved") == 1.0
    assert (verdict.metric("moves"), verdict.metric("least_moves")) == (2.0, 2.0)


def fade(one, other, count):
    return [np.asarray(one * (1 - share) + other * share, np.uint8) for share in np.linspace(0, 1, count)]


def wipe(one, other, count):
    edges = np.linspace(0, one.shape[1], count).astype(int)
    return [np.concatenate([other[:, :edge], one[:, edge:]], axis=1) for edge in edges]


@pytest.mark.parametrize(
    ("pictures", "first"),
    [
        (lambda: [puzzle().question, *wipe(puzzle().question, steps()[1], 20), *[steps()[1]] * 3], "MOVE_HIDDEN"),
        (lambda: [puzzle().question] * 12, "NOTHING_MOVES"),
        (lambda: [puzzle().question] * 4 + [steps()[0]] * 4 + [steps()[1]] * 4, "MOVE_HIDDEN"),
        (lambda: fade(puzzle().question, steps()[1], 14) + [steps()[1]] * 3, "MOVE_HIDDEN"),
        (lambda: [steps()[1]] * 12, "NOT_THE_PUZZLE"),
        (lambda: frames()[: len(frames()) // 2], "TARGET_NOT_REACHED"),
        (lambda: [*frames()[:5], *[np.zeros_like(frames()[0])] * 6, *frames()[5:]], "SCENE_REPLACED"),
    ],
)
def test_a_clip_that_cheats_fails_for_it(pictures, first):
    verdict = clip(pictures())
    assert verdict.outcome is Outcome.FAIL
    assert codes(verdict)[0] == first


def test_what_comes_after_counts_unless_the_best_frame_does():
    undone = [*frames(), *frames()[: len(frames()) // 2 : -1]]
    assert codes(clip(undone))[0] == "SOLVED_THEN_UNDONE"
    assert clip(undone, VideoPolicy.BEST_FRAME).outcome is Outcome.PASS
