"""A picture after each fold that is undone."""

from __future__ import annotations

from dataclasses import replace

import pytest
import shapely

import grader
from benchmarks.paper_fold.drawing import DrawnSheet
from grader import FramesCandidate
from grader.media.pictures import decode_image
from grader.model.verdict import Outcome
from puzzles.mentis.paper_folds import FOLD_STYLES, random_fold_style
from puzzles.paper_fold.generator import generate_paper_fold
from puzzles.paper_fold.render import draw_hole, render_sheet, render_unfolding
from tests.paper_fold.drawn import SIDE, sheet
from tests.samples.media import encode

ONE = sheet()
STEPS = render_unfolding(ONE.puzzle, ONE.style, SIDE)


def _graded(pictures, text="", of=ONE):
    found = grader.grade(of.task, FramesCandidate(tuple(encode(one) for one in pictures), text))
    return found, {one.name: one.value for one in found.metrics}


def test_every_unfolding_in_order_passes():
    found, metrics = _graded(STEPS, f"The answer is {ONE.puzzle.label}.")
    assert (found.outcome, found.score, found.reward, found.reasons) == (Outcome.PASS, 1.0, 1.0, ())
    assert (metrics["solved_by_words"], metrics["images_minus_expected"], metrics["hole_recall"]) == (1.0, 0.0, 1.0)


def _is_turned(sheet, hole):
    """Whether the paper's back is up where a hole is."""
    return [layer for layer in sheet.layers if shapely.contains_xy(layer.shape, *hole)][-1].turned


@pytest.mark.parametrize(("seed", "style"), [(13, "bare"), (9, "paper")])
def test_holes_may_lie_on_both_sides_of_the_paper(seed, style):
    """A folded sheet shows front and back, in two colours; its holes are alike all the same."""
    one = DrawnSheet(generate_paper_fold(2, seed), FOLD_STYLES[style], 2 * SIDE)
    folded, holes = one.puzzle.sheets[1], one.puzzle.holes[1]
    assert {_is_turned(folded, hole) for hole in holes} == {False, True}
    steps = render_unfolding(one.puzzle, one.style, one.side)
    assert _graded(steps, of=one)[0].reasons == ()
    less = render_sheet(folded, holes[1:], one.style, one.side)
    assert [reason.code for reason in _graded([less, steps[1]], of=one)[0].reasons] == ["STEP_ILLEGAL"]
    red = less.copy()
    draw_hole(red, holes[0], one.frame, replace(one.style, hole=(205, 30, 40)))
    assert [reason.code for reason in _graded([red, steps[1]], of=one)[0].reasons][:1] == ["STEP_ALTERED"]


def test_wide_lines_are_edges():
    """At 1024 pixels the lines of this look are 8 pixels wide: the middle of one is farther from its rims than 3."""
    one = DrawnSheet(generate_paper_fold(5, 1024), random_fold_style(1024), 1024)
    assert one.style.edge_width * one.frame.scale == pytest.approx(8.4, abs=0.1)
    assert _graded(render_unfolding(one.puzzle, one.style, one.side), of=one)[0].reasons == ()


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
