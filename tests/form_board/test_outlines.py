"""Form boards with outlines: any set of pieces that fills the silhouette is right, and what is wrong is named."""

from __future__ import annotations

import math

import pytest

import grader
from grader import TextCandidate
from grader.model.errors import InvalidRequestError
from grader.model.verdict import Outcome

SQUARE = ((10, 10), (50, 10), (50, 50), (10, 50))
HALF = ((60, 0), (80, 0), (80, 40), (60, 40))
OTHER = ((90, 0), (110, 0), (110, 40), (90, 40))
WHOLE = ((60, 60), (100, 60), (100, 100), (60, 100))
SECOND = "form_board.puzzle.pieces[1].corners"
PIECES = {"A": HALF, "B": OTHER, "C": WHOLE}


def puzzle(solution="AB", silhouette=SQUARE, pieces=None, labels="ABC"):
    return grader.form_board(labels, solution, silhouette=silhouette, pieces=PIECES if pieces is None else pieces)


@pytest.mark.parametrize(("text", "outcome"), [("A B", Outcome.PASS), ("C", Outcome.PASS), ("A C", Outcome.FAIL)])
def test_any_set_that_fills_the_silhouette_is_right(text, outcome):
    verdict = grader.grade(puzzle(), TextCandidate(f'{{"answer": "{text}"}}'))
    assert verdict.outcome is outcome
    (note,) = verdict.notes
    assert (note.code, note.message) == (
        "JUDGED_BY_OUTLINES",
        "By the outlines 2 sets of pieces fill the silhouette.",
    )


def test_a_wrong_set_is_held_against_the_right_one_that_is_nearest():
    verdict = grader.grade(puzzle(), TextCandidate("A, C"))
    (reason,) = verdict.reasons
    assert reason.message == "Piece A is not needed."  # C alone fills it
    assert (verdict.metric("piece_precision"), verdict.metric("piece_recall")) == (0.5, 1.0)


def test_without_outlines_labels_decide_and_the_verdict_says_so():
    verdict = grader.grade(grader.form_board("ABC", "AB"), TextCandidate("C"))
    assert verdict.outcome is Outcome.FAIL
    assert [note.code for note in verdict.notes] == ["JUDGED_BY_LABELS"]


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"solution": "A"}, "form_board.truth.labels", "MISMATCH"),
        ({"silhouette": ()}, "form_board.puzzle.silhouette", "MISSING"),
        ({"silhouette": SQUARE[:2]}, "form_board.puzzle.silhouette", "OUT_OF_RANGE"),
        ({"silhouette": ((0, 0), (23, 0), (23, 90), (0, 90))}, "form_board.puzzle.silhouette", "OUT_OF_RANGE"),
        ({"pieces": {**PIECES, "B": (*OTHER[:3], (math.nan, 0))}}, SECOND, "OUT_OF_RANGE"),
        ({"pieces": {**PIECES, "B": (OTHER[0], OTHER[2], OTHER[1], OTHER[3])}}, SECOND, "OUT_OF_RANGE"),
        ({"pieces": {}}, "form_board.puzzle.pieces", "MISMATCH"),
    ],
)
def test_wrong_outlines_are_named(change, field, reason):
    with pytest.raises(InvalidRequestError) as caught:
        grader.grade(puzzle(**change), TextCandidate("A"))
    assert (field, reason) in [(one.field, one.reason) for one in caught.value.violations]


def test_a_silhouette_of_24_pixels_is_large_enough():
    """0.6 times 40."""
    silhouette, *pieces = (tuple((0.6 * x, 0.6 * y) for x, y in corners) for corners in (SQUARE, *PIECES.values()))
    small = puzzle(silhouette=silhouette, pieces=dict(zip(PIECES, pieces, strict=True)))
    assert grader.grade(small, TextCandidate("C")).outcome is Outcome.PASS


def test_outlines_of_other_labels_are_refused():
    with pytest.raises(grader.GraderError, match="'C'"):
        puzzle(labels="AB")
