"""Clips in which a sheet is unfolded."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from grader.media.frames import Frame
from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind, VideoPolicy
from grader.model.verdict import Outcome
from grader.tasks.paper_fold.clips import judge_sheet_clip
from grader.tasks.paper_fold.puzzle import prepare_paper_fold
from grader.tasks.paper_fold.settings import PaperFoldSettings
from puzzles.paper_fold.motion import clip_frames
from puzzles.paper_fold.render import render_sheet
from tests.paper_fold.drawn import SIDE, sheet

FPS = 12
SETTINGS = PaperFoldSettings()
ONE = sheet()
HOLES = ONE.puzzle.holes[0]


@cache
def puzzle():
    return prepare_paper_fold(ONE.task, SETTINGS, MediaLimits(), CandidateKind.VIDEO)


@cache
def unfolding():
    return tuple(clip_frames(ONE.puzzle, ONE.style, SIDE, FPS))


def shown(number, holes=None):
    return render_sheet(
        ONE.puzzle.sheets[number], ONE.puzzle.holes[number] if holes is None else holes, ONE.style, SIDE
    )


FOLDED, FLAT = shown(2), shown(0)


def mixed(share):
    return np.rint((1 - share) * FOLDED + share * FLAT).astype(np.uint8)


def one_more():
    """A hole that is there from one frame to the next, while the sheet rests."""
    return [*unfolding()[:-3], *[shown(0, (*HOLES, (0.5, 0.92)))] * 3]


def marked():
    """A bar that grows across the flat sheet."""
    pictures = []
    for step in range(1, 9):
        picture = FLAT.copy()
        picture[60:66, 60 : 60 + 12 * step] = (200, 30, 30)
        pictures.append(picture)
    return [*unfolding(), *pictures, *[pictures[-1]] * 3]


def judged(pictures, policy=VideoPolicy.FINAL_FRAME):
    frames = [Frame(at, at / FPS, one) for at, one in enumerate(pictures)]
    return judge_sheet_clip(puzzle(), frames, SETTINGS, policy)


def test_a_sheet_that_is_unfolded_passes():
    verdict = judged(unfolding())
    assert (verdict.outcome, verdict.reward, verdict.reasons) == (Outcome.PASS, 1.0, ())


@pytest.mark.parametrize(
    ("pictures", "codes", "reward"),
    [
        ([FOLDED] * 6 + [FLAT] * 6, ["SHEET_JUMPED"], 0.0),
        ([FOLDED] * 6 + [mixed(at / 10) for at in range(1, 10)] + [FLAT] * 6, ["CROSS_FADE"], 0.0),
        ([FLAT] * 6, ["NOTHING_MOVES"], 0.0),
        (unfolding()[: len(unfolding()) // 2 + 2], ["GOAL_NOT_SHOWN"], 0.45),  # one of two folds
        (unfolding()[-14:], ["NOT_THE_PUZZLE"], 0.0),
        (one_more(), ["SHEET_JUMPED", "SOLVED_THEN_UNDONE", "HOLES_EXTRA"], 0.0),
    ],
    ids=["jump", "fade", "answer alone", "half", "amid", "a hole jumps in"],
)
def test_what_was_not_unfolded_fails_by_name(pictures, codes, reward):
    verdict = judged(pictures)
    assert [one.code for one in verdict.reasons] == codes
    assert verdict.reward == pytest.approx(reward)
    assert verdict.drawing is not None
    assert verdict.drawing.draw(Frame(len(pictures) - 1, 0.0, pictures[-1])).shape == FLAT.shape


def test_the_best_frame_is_before_what_is_drawn_on_it():
    verdict = judged(marked(), VideoPolicy.BEST_FRAME)
    assert (verdict.outcome, verdict.reward) == (Outcome.PASS, 1.0)
