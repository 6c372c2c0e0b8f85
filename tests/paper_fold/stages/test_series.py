"""What is said of series and clips of a sheet by what each picture shows, and where a sheet lies."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from detectors.common.changes import BlockChange, ChangeKind
from detectors.paper_fold.finding import SheetFindings
from detectors.paper_fold.holes import Blot, BlotKind, Disc
from detectors.paper_fold.locating import SheetFrameGuess
from grader.media.frames import Frame
from grader.media.pyramid import Pyramid
from grader.model.jobs import VideoPolicy
from grader.model.places import PixelBox
from grader.model.verdict import Alignment
from grader.tasks.paper_fold import clips, steps
from grader.tasks.paper_fold.clips import judge_sheet_clip
from grader.tasks.paper_fold.judge import judge_sheet
from grader.tasks.paper_fold.pictures import (
    SheetLook,
    _is_in_place,
    _notes,
    _sheets_beside,
    _stretch_of,
    is_changed,
    observation,
)
from grader.tasks.paper_fold.puzzle import FoldedPuzzle
from grader.tasks.paper_fold.settings import PaperFoldSettings
from grader.tasks.paper_fold.steps import judge_sheet_steps

SETTINGS = PaperFoldSettings()
ALIGNED = Alignment((100, 100), (1.0, 1.0), (0.0, 0.0), 0.0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0), "NONE", 0.9, 0.9)
HOLES = {
    0: ((20.0, 20.0), (80.0, 20.0), (20.0, 80.0), (80.0, 80.0)),
    1: ((20.0, 20.0), (80.0, 20.0)),
    2: ((20.0, 20.0),),
}
PUZZLE = FoldedPuzzle(
    "AB", "A",
    tuple(SimpleNamespace(number=at, holes=HOLES[at], radius=5.0, size=(100, 100)) for at in range(3)), 2,
)  # type: ignore[arg-type]  # fmt: skip

# What a picture shows, by its grey: a state with some of its holes, and whether the sheet is as it was.
SHOWN = {
    0: (0, 4, 1.0),
    1: (1, 2, 1.0),
    2: (2, 1, 1.0),
    3: (0, 3, 1.0),
    4: (0, 4, 0.5),
    5: (0, 1, 1.0),
    6: (None, 0, 1.0),
}


def seen(state, pyramid, _settings):
    """What a picture shows as one of a state: its own holes if it is, and another sheet if not."""
    number, holes, whole = SHOWN[int(pyramid.picture[0, 0, 0])]
    if number is None:
        return SheetLook(ALIGNED, None, judge_sheet(None, state.holes, state.radius, SETTINGS.rules))
    discs = tuple(Disc(at, 5.0, 0.5, True, False) for at in HOLES[number][:holes])
    found = SheetFindings(discs, (), 0.0, False, whole if number == state.number else 0.4)
    return SheetLook(ALIGNED, found, judge_sheet(found, state.holes, state.radius, SETTINGS.rules))


def picture(grey):
    return np.full((4, 4, 3), grey, np.uint8)


@pytest.fixture(autouse=True)
def given_looks(monkeypatch):
    monkeypatch.setattr(steps, "look_at", seen)
    monkeypatch.setattr(clips, "look_at", seen)


def series(*greys, text=""):
    return judge_sheet_steps(PUZZLE, [None if grey is None else picture(grey) for grey in greys], text, SETTINGS)


def codes(found):
    return [one.code for one in found.reasons]


def values(found):
    return {one.name: one.value for one in found.metrics}


def test_a_series_in_order_passes():
    found = series(1, 0, text="The answer is A.")
    assert (codes(found), found.score, found.reward) == ([], 1.0, 1.0)
    assert values(found) == {
        "solved_by_images": 1.0, "solved_by_words": 1.0, "images": 2.0, "images_minus_expected": 0.0,
        "first_wrong_step": None, "missing_steps": 0.0, "extra_steps": 0.0,
        "hole_precision": 1.0, "hole_recall": 1.0, "sheet_iou": 1.0, "holes": 4.0,
    }  # fmt: skip
    assert [(one.moves, one.legal, one.faults) for one in found.observation.steps] == [
        (("unfold 2",), True, ()), (("unfold 1",), True, ()),
    ]  # fmt: skip


FAULTS_OF = {
    (): (), (1,): (), (0,): ("STEP_MISSING",), (2, 1, 0): (), (1, 1, 0): (), (1, 3): ("STEP_ILLEGAL",),
    (1, 4): ("STEP_ALTERED",), (1, 0, 1): ("STEP_ILLEGAL",), (1, None): ("STEP_UNREADABLE",),
    (1, 6): ("STEP_UNREADABLE",), (4, None, 3): ("STEP_ALTERED", "STEP_UNREADABLE", "STEP_ILLEGAL"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("greys", "reasons", "reward", "metrics"),
    [
        ((), ["NO_IMAGES"], 0.0, {"images": 0.0, "images_minus_expected": -2.0}),
        ((1,), ["GOAL_NOT_SHOWN"], 0.45, {"images_minus_expected": -1.0}),  # one of two folds, of 0.9
        ((0,), ["STEP_MISSING"], 0.0, {"missing_steps": 1.0, "first_wrong_step": 1.0}),
        ((2, 1, 0), [], 1.0, {"extra_steps": 1.0}),
        ((1, 1, 0), [], 1.0, {"extra_steps": 1.0}),
        ((1, 3), ["STEP_ILLEGAL"], 0.45, {"first_wrong_step": 2.0}),  # a hole is missing
        ((1, 4), ["STEP_ALTERED"], 0.0, {"first_wrong_step": 2.0, "sheet_iou": 0.5}),
        ((1, 0, 1), ["STEP_ILLEGAL"], 0.9, {"first_wrong_step": 3.0}),  # a fold is there again
        ((1, None), ["STEP_UNREADABLE"], 0.45, {"first_wrong_step": 2.0, "hole_recall": 0.0}),
        ((1, 6), ["STEP_UNREADABLE"], 0.45, {"first_wrong_step": 2.0}),
        ((4, None, 3), ["STEP_ALTERED", "STEP_UNREADABLE", "STEP_ILLEGAL"], 0.0, {"first_wrong_step": 1.0}),
    ],
)
def test_wrong_series_are_named(greys, reasons, reward, metrics):
    found = series(*greys)
    assert codes(found) == reasons
    assert found.reward == pytest.approx(reward)
    assert metrics.items() <= values(found).items()
    assert [one.faults for one in found.observation.steps if one.faults] == [(code,) for code in FAULTS_OF[greys]]
    for reason in found.reasons:
        if reason.code.startswith("STEP_"):
            assert reason.places[0].step is not None
            assert reason.message.startswith(f"Picture {reason.places[0].step}: ")


def test_words_count_for_themselves():
    assert values(series(1, 0, text="The answer is B."))["solved_by_words"] == 0.0
    nameless = FoldedPuzzle("", "", PUZZLE.states, 2)
    found = judge_sheet_steps(nameless, [picture(1), picture(0)], "", SETTINGS)
    assert values(found)["solved_by_words"] is None


# --- clips ---

JUMP, FADE, MOVE = ChangeKind.JUMPED, ChangeKind.FADED, ChangeKind.MOVED


def change(kind, first, last, block=0):
    return BlockChange(block, kind, first, last, first / 10, last / 10)


MOVED = (change(MOVE, 1, 3),)


def clip(monkeypatch, *greys, changes=MOVED, rests=(), policy=VideoPolicy.FINAL_FRAME):
    frames = [Frame(at, at / 10, picture(grey)) for at, grey in enumerate(greys)]
    shown = SimpleNamespace(
        first=frames[0], last=frames[-1], rests=tuple(frames[at] for at in rests), changes=tuple(changes),
        count=len(frames),
    )  # fmt: skip
    monkeypatch.setattr(clips, "see_clip", lambda *_: shown)
    return judge_sheet_clip(PUZZLE, frames, SETTINGS, policy)


def test_a_sheet_that_is_unfolded_passes(monkeypatch):
    found = clip(monkeypatch, 2, 1, 0)
    assert (codes(found), found.score, found.reward, values(found)["ever_solved"]) == ([], 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("greys", "more", "reasons", "reward"),
    [
        ((2, 1, 1), {}, ["GOAL_NOT_SHOWN"], 0.45),
        ((2, 1, 3), {}, ["HOLES_MISSING"], 0.9 * 0.75),
        ((0, 0, 0), {}, ["NOTHING_MOVES"], 0.0),
        ((2, 2, 0), {"changes": ()}, ["NOTHING_MOVES"], 0.0),
        ((1, 1, 0), {}, ["NOT_THE_PUZZLE"], 0.0),
        ((2, 0, 3), {"rests": (1,)}, ["SOLVED_THEN_UNDONE", "HOLES_MISSING"], 0.9 * 0.75),
        ((2, 0, 3), {"rests": (1,), "policy": VideoPolicy.BEST_FRAME}, [], 1.0),
        ((2, 1, 0), {"changes": (change(JUMP, 1, 2),)}, ["SHEET_JUMPED"], 0.0),
        ((2, 1, 0), {"changes": (change(FADE, 1, 2), change(JUMP, 0, 1))}, ["SHEET_JUMPED", "CROSS_FADE"], 0.0),
        # What comes after the frame that counts is none of it.
        ((2, 0, 3), {"rests": (1,), "policy": VideoPolicy.BEST_FRAME, "changes": (change(JUMP, 1, 2),)}, [], 1.0),
    ],
)
def test_wrong_clips_are_named(monkeypatch, greys, more, reasons, reward):
    found = clip(monkeypatch, *greys, **more)
    assert codes(found) == reasons
    assert found.reward == pytest.approx(reward)
    assert values(found)["ever_solved"] == float(not reasons or "rests" in more or greys[-1] == 0)


def test_a_jump_is_named_by_its_place_and_time(monkeypatch):
    jumped = clip(monkeypatch, 2, 1, 0, changes=(change(JUMP, 1, 2, block=3), change(JUMP, 0, 1, block=0)))
    (reason,) = jumped.reasons
    assert reason.message.startswith("The picture's bottom right changes")
    assert reason.message.endswith("at 0.20 s.")
    spans = [one.span for one in reason.places]
    assert [(one.first_frame, one.last_frame, one.start_s, one.end_s) for one in spans] == [
        (1, 2, 0.1, 0.2), (0, 1, 0.0, 0.1),
    ]  # fmt: skip


# --- where a sheet lies ---


def state(size=(100, 200)):
    return SimpleNamespace(size=size, sheet=SimpleNamespace(outline=((10, 10), (90, 10), (90, 90), (10, 90)), factor=1))


@pytest.mark.parametrize(("off", "there"), [(1.9, True), (2.1, False)])
def test_a_sheet_lies_in_its_place(off, there):
    """Up to 0.01 of 200 pixels from where a plain resize has it."""
    candidate = Pyramid(np.zeros((400, 200, 3), np.uint8))
    plain = np.array([[0.5, 0.0, -0.25], [0.0, 0.5, -0.25]])
    assert _is_in_place(plain + np.array([[0, 0, off], [0, 0, 0]]), candidate, state(), SETTINGS) == there
    assert _is_in_place(plain + np.array([[0, 0, 0], [0, off / 400, 0]]), candidate, state(), SETTINGS) == there


@pytest.mark.parametrize(("size", "ratio"), [((400, 200), 1.0), ((200, 200), 2.0), ((400, 100), 2.0)])
def test_by_how_much_a_resize_stretches(size, ratio):
    assert _stretch_of(Pyramid(np.zeros((*size, 3), np.uint8)), state()) == pytest.approx(ratio)


@pytest.mark.parametrize(
    ("box", "beside"),
    [
        ((100.0, 10.0, 20.0, 20.0), True),  # 0.06 of 80 x 80 pixels are 384
        ((100.0, 10.0, 19.0, 20.0), False),
        ((100.0, 10.0, 25.0, 20.0), True),  # 1.25 times as wide for its height
        ((100.0, 10.0, 26.0, 20.0), False),
        ((100.0, 10.0, 20.0, 25.0), True),
        ((100.0, 10.0, 20.0, 26.0), False),
        ((60.0, 60.0, 40.0, 40.0), False),  # its middle lies on the sheet
        ((10.0, 95.0, 40.0, 40.0), True),
        ((0.0, 0.0, 400.0, 400.0), False),  # the sheet lies on it
    ],
)
def test_another_sheet_beside_this_one(box, beside):
    frames = [SheetFrameGuess(box, np.eye(2, 3))]
    assert _sheets_beside(ALIGNED, state(), frames, SETTINGS) == beside


def test_what_is_seen_of_a_sheet_is_told_as_it_is():
    disc = Disc((10.0, 20.0), 5.0, 0.5, True, False)
    found = SheetFindings((disc,), (Blot(BlotKind.TORN, (1.0, 2.0, 3.0, 4.0), 9.0),), 0.25, False, 0.75)
    seen_there = observation(found)
    (hole,), (mark,) = seen_there.holes, seen_there.marks
    assert (hole.center, hole.radius_px, hole.contrast, hole.fits, hole.outside) == (
        (10.0, 20.0),
        5.0,
        0.5,
        True,
        False,
    )
    assert (mark.box, mark.code) == (PixelBox(1.0, 2.0, 3.0, 4.0), "TORN")
    assert (seen_there.creases, seen_there.whole) == (0.25, 0.75)
    assert observation(None) is None


@pytest.mark.parametrize(("creases", "noted"), [(0.149, 0), (0.15, 1)])
def test_creases_are_noted(creases, noted):
    assert len(_notes(SheetFindings((), (), creases, False, 1.0), SETTINGS)) == noted
    assert _notes(None, SETTINGS) == ()


def test_a_sheet_that_is_not_as_it_was_is_changed():
    assert is_changed(seen(PUZZLE.states[0], Pyramid(picture(4)), SETTINGS))
    assert is_changed(seen(PUZZLE.states[0], Pyramid(picture(6)), SETTINGS))
    assert not is_changed(seen(PUZZLE.states[0], Pyramid(picture(3)), SETTINGS))


@pytest.mark.parametrize(
    ("index", "found", "judged", "marked"),
    [
        (3, True, None, [0]),
        (4, True, None, [0, 1]),
        (6, True, "judged", [1]),
        (6, False, None, [1]),
        (7, True, None, []),
    ],
)
def test_a_clip_is_drawn_over_with_what_happens(monkeypatch, index, found, judged, marked):
    """Against the unfolded sheet: what was judged at its frame, and what happens then, from the first to the last."""
    asked = []
    monkeypatch.setattr(clips, "draw_sheet_frame", lambda *what: asked.append(what) or "drawn")
    moments = [SimpleNamespace(first_frame=2, last_frame=4), SimpleNamespace(first_frame=4, last_frame=6)]
    look = SimpleNamespace(judged="judged", found="found" if found else None, alignment=ALIGNED)
    assert clips._drawn(PUZZLE, look, 6, moments, Frame(index, 0.1 * index, "pixels")) == "drawn"
    assert asked == [("pixels", PUZZLE.states[0], ALIGNED, judged, [moments[at] for at in marked])]
