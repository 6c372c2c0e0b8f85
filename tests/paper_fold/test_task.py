"""Paper folds in words: by the pattern that is named."""

from __future__ import annotations

import pytest

import grader
from grader import TextCandidate
from grader.model.errors import InvalidRequestError
from grader.model.verdict import Outcome
from grader.tasks.paper_fold.model import PaperFoldInput
from grader.tasks.paper_fold.spec import SPEC

SHEET = PaperFoldInput(("A", "B", "C", "D", "E"), "D")


@pytest.mark.parametrize("text", ['{"answer": "D"}', "D: correct", "The answer is D.", "\\boxed{D}", "Option D", "(D)"])
def test_the_right_pattern_passes(text):
    verdict = grader.grade(SHEET, TextCandidate(text))
    assert (verdict.outcome, verdict.score, verdict.reward, verdict.reasons) == (Outcome.PASS, 1.0, 1.0, ())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"answer": "A"}', "WRONG_PATTERN"),
        ("It is not D. The answer is B.", "WRONG_PATTERN"),
        ("", "ANSWER_MISSING"),
        ('{"answer": ""}', "ANSWER_EMPTY"),
        ('{"answer": "cannot determine"}', "ANSWER_REFUSED"),
        ("A or D", "ANSWER_AMBIGUOUS"),
        ('{"answer": "A, B, C, D, E"}', None),  # all of them is none
        ('{"answer": "F"}', "ANSWER_UNREADABLE"),
    ],
)
def test_another_pattern_or_none_fails(text, code):
    verdict = grader.grade(SHEET, TextCandidate(text))
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.FAIL, 0.0, 0.0)
    assert code is None or [one.code for one in verdict.reasons] == [code]


@pytest.mark.parametrize(
    ("labels", "solution", "field", "reason"),
    [
        ((), "A", "paper_fold.puzzle.labels", "MISSING"),
        (("A", "B"), "", "paper_fold.truth.label", "MISSING"),
        (("A", "B"), "E", "paper_fold.truth.label", "MISMATCH"),
        (("A", "BC"), "A", "paper_fold.puzzle.labels", "OUT_OF_RANGE"),
    ],
)
def test_a_wrong_puzzle_is_refused_by_field(labels, solution, field, reason):
    with pytest.raises(InvalidRequestError) as caught:
        grader.grade(PaperFoldInput(labels, solution), TextCandidate("A"))
    assert (field, reason) in [(one.field, one.reason) for one in caught.value.violations]


def test_a_guess_is_right_once_in_five():
    (level,) = SPEC.chance.levels(SHEET)
    assert level.probability == 1 / 5
