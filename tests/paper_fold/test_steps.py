"""A picture after each fold that is undone."""

from __future__ import annotations

import pytest

import grader
from grader import FramesCandidate
from grader.media.pictures import decode_image
from grader.model.verdict import Outcome
from puzzles.paper_fold.render import render_sheet, render_unfolding
from tests.paper_fold.drawn import SIDE, sheet
from tests.samples.media import encode

ONE = sheet()
STEPS = render_unfolding(ONE.puzzle, ONE.style, SIDE)


def _graded(pictures, text=""):
    found = grader.grade(ONE.task, FramesCandidate(tuple(encode(one) for one in pictures), text))
    return found, {one.name: one.value for one in found.metrics}


def test_every_unfolding_in_order_passes():
    found, metrics = _graded(STEPS, f"The answer is {ONE.puzzle.label}.")
    assert (found.outcome, found.score, found.reward, found.reasons) == (Outcome.PASS, 1.0, 1.0, ())
    assert (metrics["solved_by_words"], metrics["images_minus_expected"], metrics["hole_recall"]) == (1.0, 0.0, 1.0)


def _folded(number, holes=None):
    return render_sheet(
        ONE.puzzle.sheets[number], ONE.puzzle.holes[number] if holes is None else holes, ONE.style, SIDE
    )


@pytest.mark.parametrize(
    ("pictures", "code", "reward"),
    [
        ([], "NO_IMAGES", 0.0),
        (STEPS[:1], "GOAL_NOT_SHOWN", 0.45),  # one of two folds
        (STEPS[1:], "STEP_MISSING", 0.0),
        ([STEPS[0], _folded(0, ONE.puzzle.holes[0][1:])], "STEP_ILLEGAL", 0.45),
        ([STEPS[0], STEPS[1], STEPS[0]], "STEP_ILLEGAL", 0.9),
    ],
    ids=["none", "one", "last", "a hole less", "folded again"],
)
def test_wrong_series(pictures, code, reward):
    found, _ = _graded(pictures)
    assert found.reasons[0].code == code
    assert found.reward == pytest.approx(reward)


def test_pictures_are_what_the_renderer_draws():
    assert decode_image(encode(STEPS[1])).pixels.shape == (SIDE, SIDE, 3)
