"""What is said of clips and series by what lies in the quarters of each picture: no pictures are read."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from detectors.common.changes import BlockChange, ChangeKind
from grader.media.frames import Frame
from grader.model.jobs import VideoPolicy
from grader.tasks.jigsaw import rollouts
from grader.tasks.jigsaw.judge import judge_assembly
from grader.tasks.jigsaw.model import AssemblyObservation
from grader.tasks.jigsaw.puzzle import JigsawPuzzle
from grader.tasks.jigsaw.rollouts import judge_jigsaw_frames, judge_jigsaw_pictures
from grader.tasks.jigsaw.settings import JigsawSettings
from puzzles.jigsaw.kinds import QuestionKind
from tests.jigsaw.stages.test_judging import ORDER, RULES, quarter

SETTINGS = JigsawSettings()
PUZZLE = JigsawPuzzle(QuestionKind.ORDER_GENERATION, {}, ORDER)

# What a picture shows, by its grey: the pieces in its quarters, and by how much the first one is altered.
SHOWN = {0: ((0, 0, 0, 0), 0.0), 1: ((3, 1, 0, 0), 0.0), 2: (ORDER, 0.0), 3: ((3, 1, 2, 4), 0.0), 4: (ORDER, 0.5)}


@pytest.fixture(autouse=True)
def given_looks(monkeypatch):
    def look(puzzle, picture, settings):
        pieces, altered = SHOWN[int(picture[0, 0, 0])]
        quarters = [quarter(piece, likeness=0.9 if piece else 0.1) for piece in pieces]
        quarters[0] = quarter(pieces[0], altered_share=altered, likeness=0.9 if pieces[0] else 0.1)
        return AssemblyObservation(tuple(quarters)), judge_assembly(quarters, puzzle.order, RULES)

    monkeypatch.setattr(rollouts, "_look", look)


def grey(level):
    return np.full((4, 4, 3), level, np.uint8)


def codes(found):
    return [one.code for one in found.reasons]


def values(found):
    return {one.name: one.value for one in found.metrics}


JUMP, FADE, MOVE = ChangeKind.JUMPED, ChangeKind.FADED, ChangeKind.MOVED


def change(kind, first, last, block=0):
    return BlockChange(block, kind, first, last, first / 10, last / 10)


MOVED, BOTH = (change(MOVE, 0, 1),), (change(FADE, 1, 2), change(JUMP, 1, 2))


def clip(monkeypatch, *levels, changes=MOVED, rests=(), policy=VideoPolicy.FINAL_FRAME, puzzle=PUZZLE):
    frames = [Frame(at, at / 10, grey(level)) for at, level in enumerate(levels)]
    shown = SimpleNamespace(
        first=frames[0], last=frames[-1], rests=tuple(frames[at] for at in rests), changes=tuple(changes),
        count=len(frames),
    )  # fmt: skip
    monkeypatch.setattr(rollouts, "see_clip", lambda *_: shown)
    return judge_jigsaw_frames(puzzle, frames, SETTINGS, policy)


@pytest.mark.parametrize(
    ("levels", "more", "reasons", "reward", "ever"),
    [
        ((0, 1, 2), {}, [], 1.0, 1.0),
        ((0, 1, 1), {}, ["PIECE_MISSING"], 0.45, 0.0),  # two of four are right
        ((0, 1, 3), {}, ["WRONG_ORDER"], 0.45, 0.0),
        ((0, 1, 4), {}, ["PIECE_ALTERED"], 0.0, 0.0),
        ((2, 2, 2), {}, ["NOTHING_MOVES"], 0.9, 1.0),
        ((1, 1, 1), {"changes": ()}, ["NOTHING_MOVES", "PIECE_MISSING"], 0.0, 0.0),
        ((0, 2, 2), {"changes": ()}, [], 1.0, 1.0),
        ((0, 2, 1), {"rests": (1,)}, ["SOLVED_THEN_UNDONE", "PIECE_MISSING"], 0.45, 1.0),
        ((0, 2, 1), {"rests": (1,), "policy": VideoPolicy.BEST_FRAME}, [], 1.0, 1.0),
        ((0, 1, 2), {"changes": (*MOVED, change(JUMP, 1, 2))}, ["PIECE_JUMPED"], 0.0, 1.0),
        ((0, 1, 2), {"changes": (*MOVED, *BOTH)}, ["PIECE_JUMPED", "CROSS_FADE"], 0.0, 1.0),
        ((0, 2, 1), {"rests": (1,), "policy": VideoPolicy.BEST_FRAME, "changes": (*MOVED, *BOTH)}, [], 1.0, 1.0),
        ((0, 1, 3), {"changes": (change(FADE, 0, 1),)}, ["CROSS_FADE", "WRONG_ORDER"], 0.0, 0.0),
    ],
)  # fmt: skip
def test_clips_are_judged_by_how_they_change(monkeypatch, levels, more, reasons, reward, ever):
    found = clip(monkeypatch, *levels, **more)
    assert codes(found) == reasons
    assert (found.score, values(found)["ever_solved"]) == (float(not reasons), ever)
    assert found.reward == pytest.approx(reward)


def test_metrics_of_a_clip_are_shares(monkeypatch):
    assert values(clip(monkeypatch, 0, 1, 1)) == {
        "places_right": 0.5, "pieces_found": 0.5, "pieces_intact": 0.5, "ever_solved": 0.0,
    }  # fmt: skip


def test_a_jump_is_told_with_its_quarter_and_time(monkeypatch):
    found = clip(monkeypatch, 0, 1, 2, changes=(change(JUMP, 1, 2, 3), change(JUMP, 0, 2, 1), *MOVED))
    (reason,) = found.reasons
    assert reason.message.startswith("The quarter at the bottom right changes")
    assert reason.message.endswith("at 0.20 s.")
    assert [(one.span.first_frame, one.span.last_frame, one.span.start_s) for one in reason.places] == [
        (1, 2, 0.1), (0, 2, 0.0),
    ]  # fmt: skip
    assert [(one.code, one.span.last_frame) for one in found.observation.events] == [("PIECE_JUMPED", 2)] * 2


def test_moments_of_a_clip_are_where_pieces_stop(monkeypatch):
    """And what is wrong there, first."""
    asked = []
    monkeypatch.setattr(rollouts, "chosen_moments", lambda moments, count: asked.append((list(moments), count)) or ())
    clip(monkeypatch, 0, 1, 2, changes=(change(MOVE, 0, 1), change(JUMP, 1, 2)))
    assert asked == [([(2, "PIECE_JUMPED"), (1, ""), (2, "")], 3)]


def test_pieces_that_were_given_in_order_need_not_move(monkeypatch):
    given = JigsawPuzzle(QuestionKind.ORDER_GENERATION, {}, (1, 2, 3, 4))
    monkeypatch.setitem(SHOWN, 5, ((1, 2, 3, 4), 0.0))
    assert codes(clip(monkeypatch, 5, 5, 5, puzzle=given)) == []


def series(*levels, text="[3, 1, 4, 2]"):
    images = [None if level is None else grey(level) for level in levels]
    return judge_jigsaw_pictures(PUZZLE, images, text, SETTINGS)


@pytest.mark.parametrize(
    ("levels", "reasons", "reward", "metrics"),
    [
        ((1, 2), [], 1.0, {"solved_by_images": 1.0, "images": 2.0, "first_wrong_step": None, "agreement": 1.0}),
        ((2, 1), ["PIECE_MISSING"], 0.45, {"places_right": 0.5, "agreement": 0.5}),
        ((), ["NO_IMAGES"], 0.0, {"images": 0.0, "agreement": None}),
        ((4, 2), ["STEP_ALTERED"], 0.0, {"first_wrong_step": 1.0}),
        ((1, 4), ["PIECE_ALTERED"], 0.0, {"places_right": 1.0}),
        ((1, None), ["STEP_UNREADABLE"], 0.0, {"first_wrong_step": 2.0, "places_right": 0.0}),
        ((None, 3), ["STEP_UNREADABLE", "WRONG_ORDER"], 0.45, {"first_wrong_step": 1.0}),
    ],
)
def test_a_series_is_judged_by_its_last_picture(levels, reasons, reward, metrics):
    found = series(*levels)
    assert codes(found) == reasons
    assert found.reward == pytest.approx(reward)
    assert metrics.items() <= values(found).items()
    assert values(found)["solved_by_words"] == 1.0
    for reason in found.reasons:
        if reason.code in ("PIECE_MISSING", "WRONG_ORDER", "PIECE_ALTERED"):
            assert {place.step for place in reason.places} == {len(levels)}


def test_words_that_name_another_order_agree_by_places():
    """Of [3, 1, 2, 4] two places are as in the picture."""
    found = values(series(1, 2, text="[3, 1, 2, 4]"))
    assert (found["agreement"], found["solved_by_words"]) == (0.5, 0.0)


def test_a_picture_is_two_pieces_wide_and_high():
    assert JigsawPuzzle(QuestionKind.ORDER_GENERATION, {}, ORDER, (), (40, 30)).size == (80, 60)
