"""What a series of pictures says of moves, by what lies in the silhouette in each: each fault by its code."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from detectors.form_board.fitting import ShapeChange
from grader.media.frames import Frame
from grader.tasks.form_board import clips
from grader.tasks.form_board.clips import _like, _moves, _within
from grader.tasks.form_board.judge import laid_piece
from grader.tasks.form_board.pictures import look_closely
from grader.tasks.form_board.puzzle import PreparedBoard
from grader.tasks.form_board.settings import BoardClipRules, FormBoardSettings
from grader.tasks.form_board.steps import moves_left, moves_that_matter, read_form_steps
from tests.form_board.test_judging import PUZZLE, RULES, A, B, seen, shape

C = shape("C")


def read(*pictures):
    found = read_form_steps(PUZZLE, pictures, RULES)
    return [one.seen.moves for one in found.steps], [one.seen.faults for one in found.steps], found


def test_a_piece_a_picture_is_a_move():
    moves, faults, found = read(seen(A), seen(A, B))
    assert (moves, faults) == ([("A",), ("B",)], [(), ()])
    assert all(one.seen.legal for one in found.steps)
    assert (found.reached, found.left) == (True, 0)


@pytest.mark.parametrize(
    ("pictures", "moves", "faults", "left"),
    [
        ((seen(A, B),), [("A", "B")], [("STEP_MISSING",)], 2),
        ((None, seen(A)), [(), ("A",)], [("STEP_UNREADABLE",), ()], 2),
        ((seen(A), seen(A)), [("A",), ()], [(), ()], 1),
        ((seen(A), seen()), [("A",), ("-A",)], [(), ()], 2),
        # By more than a fortieth of 200 pixels it was moved.
        ((seen(A), seen(shape("A", (-6.0, 0.0)))), [("A",), ("A",)], [(), ()], 2),
        ((seen(A), seen(shape("A", (4.0, 0.0)))), [("A",), ()], [(), ()], 1),
        # Six hundredths of 110 pixels are 6.6.
        ((seen(shape("A", (-6.0, 0.0))),), [("A",)], [()], 2),
        ((seen(shape("A", (-7.0, 0.0))),), [("A",)], [("STEP_ILLEGAL",)], 2),
        # Of the smaller piece, 90 wide, that is 5.4.
        ((seen(A), seen(A, shape("B", (-5.0, 0.0)))), [("A",), ("B",)], [(), ()], 0),
        ((seen(A), seen(A, shape("B", (-6.0, 0.0)))), [("A",), ("B",)], [(), ("STEP_ILLEGAL",)], 1),
        ((seen(shape("A", change=ShapeChange.MIRRORED)),), [()], [("STEP_ALTERED",)], 2),
        ((seen(A, A),), [()], [("STEP_ALTERED",)], 2),
        ((seen(A, beside=(0.039,)),), [("A",)], [()], 1),
        ((seen(A, beside=(0.04,)),), [()], [("STEP_ALTERED",)], 2),
        # What hardly reaches into the silhouette is not in it.
        ((seen(shape("A", inside=0.049)),), [()], [()], 2),
    ],
)
def test_moves_and_what_is_wrong_with_them(pictures, moves, faults, left):
    found = read(*pictures)
    assert found[:2] == (moves, faults)
    assert found[2].left == left


def test_messages_name_the_piece():
    altered = read(seen(shape("A", change=ShapeChange.MIRRORED)))[2].steps[0].fault
    assert altered.message == "piece A lies there mirrored."
    twice = read(seen(A, A))[2].steps[0].fault
    assert twice.message == "piece A is there 2 times."
    out = read(seen(shape("A", (-7.0, 0.0))))[2].steps[0].fault
    assert out.message == "piece A sticks out of the silhouette."
    over = read(seen(A), seen(A, shape("B", (-6.0, 0.0))))[2].steps[1].fault
    assert over.message == "piece B lies on piece A."
    assert over.object == "B"


def test_how_many_moves_are_left():
    """A piece that is not needed has to go, and one that lies elsewhere is moved at once."""
    assert moves_left(PUZZLE, {}, RULES) == 2
    assert moves_left(PUZZLE, {"A": A}, RULES) == 1
    assert moves_left(PUZZLE, {"A": shape("A", (5.1, 0.0))}, RULES) == 2
    assert moves_left(PUZZLE, {"A": shape("A", (5.0, 0.0))}, RULES) == 1
    assert moves_left(PUZZLE, {"A": A, "C": C}, RULES) == 2


def test_moves_that_matter_are_of_pieces_that_stay():
    assert moves_that_matter(PUZZLE, ["A", "B"]) == 2
    assert moves_that_matter(PUZZLE, ["A", "C", "-C", "B"]) == 2
    assert moves_that_matter(PUZZLE, ["A", "A", "B"]) == 2
    assert moves_that_matter(PUZZLE, ["A", "C"]) is None


def test_where_a_piece_seems_to_lie():
    assert laid_piece(PUZZLE, A).bounds == (0.0, 0.0, 110.0, 200.0)
    assert laid_piece(PUZZLE, shape("B", (3.0, 0.0), change=ShapeChange.ALTERED)).bounds == (113.0, 0.0, 203.0, 200.0)
    assert laid_piece(PUZZLE, shape("A", change=ShapeChange.TURNED)) is None
    assert laid_piece(PreparedBoard("AB", frozenset("AB")), A) is None
    with pytest.raises(ValueError, match="words"):
        _ = PUZZLE.drawn


# --- clips ---


class Looked:
    """A frame that was looked at."""

    def __init__(self, *shapes, loose=()):
        self.seen = seen(*shapes, loose=loose)
        self.judged = type("Judged", (), {"shapes": shapes})()


def test_pieces_that_come_to_rest_are_moves():
    """Where they lie to less than a pixel as in the frame before."""
    near = shape("A", (0.9, 0.0))
    frames = [Looked(), Looked(A), Looked(near), Looked(near, B), Looked(near, B), Looked(B, loose=(A,))]
    assert [label for _, label in _moves(frames)] == ["A", "B", "-A"]
    assert [label for _, label in _moves([Looked(A), Looked(shape("A", (1.1, 0.0)))])] == []


@pytest.mark.parametrize(
    ("size", "like"), [(0.55 * 1.59, True), (0.55 * 1.61, False), (0.55 / 1.59, True), (0.55 / 1.61, False)]
)
def test_what_may_be_a_piece_half_hidden(size, like):
    """Up to 1.6 times larger or smaller than it, if it is no other piece as it was given."""
    other = shape("B", change=ShapeChange.UNKNOWN, size=size)
    assert bool(_like(Looked(other), A, BoardClipRules())) == like
    assert not _like(Looked(shape("B", size=size)), A, BoardClipRules())
    assert _like(Looked(loose=(shape("A", size=9.0),)), A, BoardClipRules())


def test_boxes_within_others():
    assert _within((1.0, 1.0, 9.0, 9.0), (0.0, 0.0, 10.0, 10.0), 0.0)
    assert _within((-1.0, 0.0, 10.0, 11.0), (0.0, 0.0, 10.0, 10.0), 1.0)
    for box in ((-1.1, 0, 9, 9), (0, -1.1, 9, 9), (0, 0, 11.1, 9), (0, 0, 9, 11.1)):
        assert not _within(box, (0.0, 0.0, 10.0, 10.0), 1.0)


def test_what_was_not_looked_at_closely_can_not_be_explained():
    with pytest.raises(ValueError, match="was not looked at closely"):
        look_closely(None, seen(A), None, FormBoardSettings(), PUZZLE.tilings[0])


def test_the_last_frame_of_a_clip_is_looked_at_once_and_closely(monkeypatch):
    looked = []

    def look(_puzzle, frame, *_, closely=False):
        looked.append((frame.index, closely))
        return SimpleNamespace(index=frame.index, closely=closely)

    monkeypatch.setattr(clips, "_seen", look)
    monkeypatch.setattr(clips, "read_board", lambda *_: ("in place", None))
    frames = [Frame(at, at / 2, np.zeros((8, 8, 3), np.uint8)) for at in range(3)]
    _, found = clips._look(SimpleNamespace(drawn=None), frames, FormBoardSettings())
    assert [(one.index, one.closely) for one in found] == [(0, False), (1, False), (2, True)]
