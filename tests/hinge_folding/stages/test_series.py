"""What is said of series and clips of a chain by what each picture shows: no pictures are read."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from detectors.common.changes import BlockChange, ChangeKind
from detectors.hinge_folding.colors import GivenLook
from grader.media.frames import Frame
from grader.model.jobs import VideoPolicy
from grader.model.places import PixelBox
from grader.tasks.hinge_folding import pictures, steps
from grader.tasks.hinge_folding.judge import ChainFaults, judge_chain
from grader.tasks.hinge_folding.model import ChainHingeSeen, ChainObservation, ChainPieceSeen
from grader.tasks.hinge_folding.pictures import FrameRead, judge_hinge_clip, judge_hinge_picture
from grader.tasks.hinge_folding.puzzle import HingeChain
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from grader.tasks.hinge_folding.steps import judge_hinge_pictures
from puzzles.hinge_folding.chain import HingeShape, folded

SQUARE, DIAMOND, TRIANGLE, RECTANGLE = HingeShape
SHAPES = (SQUARE, RECTANGLE, TRIANGLE)
SETTINGS = HingeFoldingSettings()
GIVEN = GivenLook(np.zeros((3, 3)), np.zeros((50, 80, 3), np.uint8), 20.0, 25.0, 25.0, 3.0)
PUZZLE = HingeChain(SHAPES, (math.pi / 2, math.pi / 4), GIVEN)
THING = ChainFaults(extras=(PixelBox(1, 2, 3, 4),))

# What a picture shows, by its grey: angles of both hinges in degrees, which pieces are there, and faults.
SHOWN = {
    0: ((0.0, 0.0), 3, ChainFaults()),
    1: ((90.0, 0.0), 3, ChainFaults()),
    2: ((90.0, 45.0), 3, ChainFaults()),
    3: ((90.0, 22.0), 3, ChainFaults()),
    4: ((90.0, None), 2, ChainFaults()),
    5: ((90.0, 45.0), 3, THING),
    6: ((None, None), 0, ChainFaults()),
    7: ((90.0, 45.0), 3, ChainFaults(turned_deg=20.0)),
    8: ((30.2, 0.0), 3, ChainFaults()),
    9: ((29.8, None), 2, ChainFaults()),
    10: ((29.0, None), 1, ChainFaults()),
}


def read(picture):
    angles, found, faults = SHOWN[int(picture[0, 0, 0])]
    pieces = tuple(ChainPieceSeen(at < found, ((0.0, 0.0), (4.0, 2.0)), 1.0, 0.0) for at in range(3))
    hinges = tuple(ChainHingeSeen("AB"[at], one, None if one is None else 0.0) for at, one in enumerate(angles))
    turns = [math.radians(one or 0.0) for one in angles]
    units = tuple(tuple(map(tuple, one)) for one in folded(SHAPES, turns))
    return SimpleNamespace(seen=ChainObservation(pieces, hinges), faults=replace(faults, units=units), found=None)


@pytest.fixture(autouse=True)
def given_readings(monkeypatch):
    monkeypatch.setattr(steps, "read_chain", lambda puzzle, picture, settings: read(picture))
    monkeypatch.setattr(pictures, "read_chain", lambda puzzle, picture, settings: read(picture))
    monkeypatch.setattr(pictures, "read_from_the_other_end", lambda *_: None)


def grey(level):
    return np.full((4, 4, 3), level, np.uint8)


def codes(found):
    return [one.code for one in found.reasons]


def values(found):
    return {one.name: one.value for one in found.metrics}


# --- series ---


def series(*levels, text=""):
    images = [None if level is None else grey(level) for level in levels]
    return judge_hinge_pictures(PUZZLE, images, text, SETTINGS)


def test_a_turn_a_picture_passes():
    found = series(1, 2, text='{"answer": "A 90, B 45"}')
    assert (codes(found), found.score, found.reward) == ([], 1.0, 1.0)
    assert values(found)["solved_by_words"] == 1.0
    assert [(one.moves, one.legal, one.hinges_deg) for one in found.observation.steps] == [
        (("A 90",), True, (90.0, 0.0)), (("B 45",), True, (90.0, 45.0)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("levels", "reason", "faults"),
    [
        ((2,), "STEP_MISSING", ("STEP_MISSING",)),
        ((1, 3), "STEP_ILLEGAL", ("STEP_ILLEGAL",)),
        ((1, 4), "STEP_ALTERED", ("STEP_ALTERED",)),  # a piece is missing
        ((1, 5), "STEP_ALTERED", ("STEP_ALTERED",)),
        ((1, 6), "STEP_UNREADABLE", ("STEP_UNREADABLE",)),
        ((1, 7), "STEP_ILLEGAL", ("STEP_ILLEGAL",)),  # turned as a whole
        ((1, None), "STEP_UNREADABLE", ("STEP_UNREADABLE",)),
    ],
)
def test_wrong_steps_are_named(levels, reason, faults):
    found = series(*levels)
    assert reason in codes(found)
    last = found.observation.steps[-1]
    assert (last.faults, last.legal) == (faults, False)
    (own,) = [one for one in found.reasons if one.code == reason]
    assert [place.step for place in own.places] == [len(levels)]


def test_a_picture_that_shows_the_same_is_no_move():
    found = series(1, 1, 2)
    assert [(one.moves, one.legal) for one in found.observation.steps][1] == ((), False)
    # From what a faulty picture shows it goes on: of two turns one is told after it.
    again = series(3, 1)
    assert again.observation.steps[1].moves == ("A 90",)
    assert series(1).reward < 1.0
    assert series(1).reward > series(3).reward


# --- pictures and clips ---


def test_a_picture_is_judged_by_its_chain():
    right = judge_hinge_picture(PUZZLE, grey(2), SETTINGS)
    assert (codes(right), right.score, right.reward) == ([], 1.0, 1.0)
    assert values(right) == {
        "silhouette_iou": 1.0, "angle_error": 0.0, "joints_joined": 1.0, "pieces_found": 1.0,
    }  # fmt: skip
    wrong = judge_hinge_picture(PUZZLE, grey(1), SETTINGS)
    assert (codes(wrong), wrong.score, wrong.reward) == (["WRONG_SILHOUETTE"], 0.0, 0.45)
    assert values(judge_hinge_picture(PUZZLE, grey(6), SETTINGS))["angle_error"] is None


def test_a_chain_may_be_read_from_its_other_end(monkeypatch):
    """Where it has another silhouette so, and only where that is right."""
    for level, reasons in ((2, []), (0, ["WRONG_SILHOUETTE"])):
        monkeypatch.setattr(pictures, "read_from_the_other_end", lambda *_, level=level: read(grey(level)))
        assert codes(judge_hinge_picture(PUZZLE, grey(1), SETTINGS)) == reasons
        assert codes(judge_hinge_picture(PUZZLE, grey(5), SETTINGS)) == ["SOMETHING_DRAWN"]


JUMP, FADE, MOVE = ChangeKind.JUMPED, ChangeKind.FADED, ChangeKind.MOVED
MOVED = (BlockChange(0, MOVE, 0, 2, 0.0, 0.2),)


def clip(monkeypatch, *levels, changes=MOVED, rests=(), policy=VideoPolicy.FINAL_FRAME, puzzle=PUZZLE):
    frames = [Frame(at, at / 10, grey(level)) for at, level in enumerate(levels)]
    shown = SimpleNamespace(
        first=frames[0], last=frames[-1], rests=tuple(frames[at] for at in rests), changes=tuple(changes),
        count=len(frames),
    )  # fmt: skip
    monkeypatch.setattr(pictures, "see_clip", lambda *_: shown)
    return judge_hinge_clip(puzzle, frames, SETTINGS, policy)


def sudden(kind, first, last):
    return BlockChange(1, kind, first, last, first / 10, last / 10)


@pytest.mark.parametrize(
    ("levels", "more", "reasons", "reward"),
    [
        ((0, 1, 2), {}, [], 1.0),
        ((0, 1, 1), {}, ["WRONG_SILHOUETTE"], 0.45),
        ((8, 1, 2), {}, ["NOT_THE_PUZZLE"], 0.0),  # a hinge is turned by more than 30 degrees
        ((9, 1, 2), {}, [], 1.0),  # by less, and two of three pieces are found
        ((10, 1, 2), {}, ["NOT_THE_PUZZLE"], 0.0),  # one of three
        ((2, 2, 2), {}, ["NOTHING_MOVES"], 0.0),
        ((0, 0, 2), {"changes": ()}, ["NOTHING_MOVES"], 0.0),
        ((0, 2, 1), {"rests": (1,)}, ["SOLVED_THEN_UNDONE", "WRONG_SILHOUETTE"], 0.45),
        ((0, 2, 1), {"rests": (1,), "policy": VideoPolicy.BEST_FRAME}, [], 1.0),
        ((0, 5, 2), {"rests": (1,)}, ["SHOWN_ON_THE_WAY"], 0.0),
        ((0, 1, 5), {"rests": (1, 2)}, ["SOMETHING_DRAWN"], 0.0),
        ((0, 5, 2, 2), {"rests": (1, 2)}, ["SHOWN_ON_THE_WAY"], 0.0),
        ((0, 2, 5, 2), {"rests": (0, 1), "changes": (sudden(JUMP, 1, 2),)}, ["CHAIN_JUMPED"], 0.0),
        ((0, 2, 1), {"rests": (1,), "policy": VideoPolicy.BEST_FRAME, "changes": (sudden(JUMP, 1, 2),)}, [], 1.0),
    ],
)
def test_clips_are_judged_by_their_way(monkeypatch, levels, more, reasons, reward):
    found = clip(monkeypatch, *levels, **more)
    assert codes(found) == reasons
    assert found.reward == pytest.approx(reward)
    assert found.score == float(not reasons)
    solved = (levels[-1] == 2 and not SHOWN[levels[-1]][2].extras) or 2 in [levels[at] for at in more.get("rests", ())]
    assert values(found)["ever_solved"] == float(solved)


def test_what_changes_at_once_is_told_with_its_time(monkeypatch):
    found = clip(monkeypatch, 0, 1, 2, changes=(sudden(FADE, 0, 2), sudden(JUMP, 1, 2), sudden(JUMP, 1, 2)))
    assert codes(found) == ["CHAIN_JUMPED", "CROSS_FADE"]
    assert found.reasons[0].message.endswith("at 0.20 s.")
    spans = [(one.span.first_frame, one.span.last_frame, one.span.start_s) for one in found.reasons[0].places]
    assert spans == [(1, 2, 0.1)]  # both blocks at one time


def test_of_a_chain_that_is_right_as_given_nothing_has_to_move(monkeypatch):
    still = HingeChain((SQUARE, SQUARE), (0.0,), GIVEN)

    def at(puzzle, frame, settings):
        chain = ChainObservation(
            tuple(ChainPieceSeen(True, ((0.0, 0.0), (4.0, 2.0)), 1.0, 0.0) for _ in range(2)),
            (ChainHingeSeen("A", 0.0, 0.0),),
        )
        units = tuple(tuple(map(tuple, one)) for one in folded((SQUARE, SQUARE), (0.0,)))
        faults = ChainFaults(units=units)
        judged = judge_chain(puzzle.shapes, puzzle.target, chain, faults, settings.drawn)
        return FrameRead(frame, SimpleNamespace(seen=chain, faults=faults), judged)

    monkeypatch.setattr(pictures, "_at", at)
    assert codes(clip(monkeypatch, 0, 0, 0, changes=(), puzzle=still)) == []
