"""Form boards in words: by the set of pieces that is named."""

from __future__ import annotations

import pytest

import grader
from grader import TextCandidate
from grader.model.errors import InvalidRequestError
from grader.model.verdict import Outcome
from grader.tasks.form_board.model import FormBoardInput
from grader.tasks.form_board.spec import SPEC

BOARD = FormBoardInput(("A", "B", "C", "D", "E"), ("A", "C", "E"))


def graded(text):
    return grader.grade(BOARD, TextCandidate(text))


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "A C E"}',
        '{"answer": ["E", "A", "C"]}',
        "The pieces are C, E and A.",
        "$\\boxed{\\text{A C E}}$",
        "A, C, E, A",  # twice is once
    ],
)
def test_the_right_set_in_any_order_passes(text):
    verdict = graded(text)
    assert (verdict.outcome, verdict.score, verdict.reward, verdict.reasons) == (Outcome.PASS, 1.0, 1.0, ())
    assert (verdict.metric("piece_precision"), verdict.metric("piece_recall")) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("text", "code", "message", "precision", "recall"),
    [
        ("A C", "PIECES_MISSING", "Piece E is missing.", 1.0, 2 / 3),
        ("A B C D E", "WRONG_PIECES", "Pieces B and D are not needed.", 3 / 5, 1.0),
        ("A B", "WRONG_PIECES", "Piece B is not needed, and pieces C and E are missing.", 1 / 2, 1 / 3),
        ("B", "WRONG_PIECES", "Piece B is not needed, and pieces A, C and E are missing.", 0.0, 0.0),
    ],
)
def test_another_set_fails_and_says_how_it_differs(text, code, message, precision, recall):
    verdict = graded(f'{{"answer": "{text}"}}')
    (reason,) = verdict.reasons
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.FAIL, 0.0, 0.0)
    assert (reason.code, reason.message) == (code, message)
    assert verdict.metric("piece_precision") == pytest.approx(precision)
    assert verdict.metric("piece_recall") == pytest.approx(recall)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "ANSWER_MISSING"),
        ('{"answer": ""}', "ANSWER_EMPTY"),
        ('{"answer": "unknown"}', "ANSWER_REFUSED"),
        ('{"answer": "A C E or A B"}', "ANSWER_AMBIGUOUS"),
        ('{"answer": "A C F"}', "ANSWER_UNREADABLE"),
    ],
)
def test_no_answer_is_a_wrong_answer(text, code):
    verdict = graded(text)
    assert (verdict.outcome, verdict.reward, [one.code for one in verdict.reasons]) == (Outcome.FAIL, 0.0, [code])
    assert verdict.metric("piece_recall") is None


def test_strict_is_the_letter_of_the_prompt():
    assert graded('{"answer": "A C E"}').metric("parse_strict") == 1.0
    assert graded("The answer is A, C, E.").metric("parse_strict") == 0.0


@pytest.mark.parametrize(
    ("labels", "solution", "field", "reason"),
    [
        ((), ("A",), "form_board.puzzle.labels", "MISSING"),
        (("A",), ("A",), "form_board.puzzle.labels", "OUT_OF_RANGE"),
        (("A", "a"), ("A",), "form_board.puzzle.labels", "OUT_OF_RANGE"),
        (("A", "A"), ("A",), "form_board.puzzle.labels", "OUT_OF_RANGE"),
        (("A", "B"), (), "form_board.truth.labels", "MISSING"),
        (("A", "B"), ("C",), "form_board.truth.labels", "MISMATCH"),
        (("A", "B"), ("A", "A"), "form_board.truth.labels", "OUT_OF_RANGE"),
    ],
)
def test_a_wrong_puzzle_is_refused_by_field(labels, solution, field, reason):
    with pytest.raises(InvalidRequestError) as caught:
        grader.grade(FormBoardInput(labels, solution), TextCandidate("A"))
    assert (field, reason) in [(one.field, one.reason) for one in caught.value.violations]


def test_a_corner_beyond_any_picture_is_refused():
    square = ((0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (0.0, 60.0))
    far = ((0.0, 0.0), (60.0, -1e9), (60.0, 60.0))
    task = FormBoardInput(("A", "B"), ("A",), silhouette=square, pieces=(square, far))
    with pytest.raises(InvalidRequestError) as caught:
        grader.grade(task, TextCandidate("A"))
    assert [one.field for one in caught.value.violations] == ["form_board.puzzle.pieces[1].corners"]


def test_a_guess_is_right_once_in_all_sets():
    (level,) = SPEC.chance.levels(BOARD)
    assert (level.probability, level.exact) == (1 / 31, True)  # 2^5 - 1 sets with a piece in them
    assert SPEC.chance.sweeps is None
    with pytest.raises(InvalidRequestError):
        SPEC.chance.levels(FormBoardInput((), ()))


@pytest.mark.parametrize(
    "text",
    [
        "A: no\nC: no\nE: no",  # a yes or no for each is no list of pieces
        "A: yes\nC: yes\nE: no",
        '{"unused": ["A", "C", "E"]}',
        "Pieces A, C, E are left over",
        "Answer: none of A, C, E",
        "Answer: anything but A, C, E",
        "Answer: at least A, C, E",
        "Answer: A, C, E\nD",
        "Answer: A, C, E. Plus D.",
        "No A, C, E",
        "The answer cannot possibly be A, C, E.",
        "The answer is A, C, E. Just kidding, it's A, D.",
        "- [ ] A, C, E\n- [x] A, D",
    ],
)
def test_the_right_set_denied_or_with_more_fails(text):
    assert graded(text).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    "text",
    [
        "After careful analysis, the answer is A, C, E.",
        '{"answer": "A, C, E"} Let me know if you need more.',
        "The only possibility is A, C, E.",
    ],
)
def test_words_around_the_right_set_do_no_harm(text):
    assert graded(text).outcome is Outcome.PASS
