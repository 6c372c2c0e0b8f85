"""Answers that a model did not give: which are expected, and how the manifest stands for them.

Who answered one puzzle of a set was asked all of them; so a puzzle without an answer is a wrong answer, and not one
puzzle less. The manifest says so by a request with an empty candidate, which can't pass, and the tag ``missing``.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from grader.model.tags import MISSING, MISSING_TAG

if TYPE_CHECKING:
    from grader.v1 import service_pb2

PuzzleT = TypeVar("PuzzleT", bound=Hashable)


class MissingAnswers(enum.Enum):
    """What becomes of answers that are missing: they count as wrong, or are left out of every denominator."""

    WRONG = "wrong"
    LEAVE_OUT = "leave-out"


def missing_attempts(given: Mapping[PuzzleT, Sequence[int]]) -> dict[PuzzleT, tuple[int, ...]]:
    """The attempts that one model is expected to have made at the puzzles of one set, and did not.

    As many are expected of each puzzle as the puzzle with most of them has. An attempt that is not numbered may be all
    of them, so a puzzle that has one lacks nothing.

    Parameters
    ----------
    given : mapping of puzzle to sequence of int
        Every puzzle of the set with the attempts at it; 0 is an attempt whose number is not said.

    Returns
    -------
    dict of puzzle to tuple of int
        Of puzzles that lack any. They are numbered where the numbers are those of attempts, 1, 2, 3 and so on, and
        otherwise 0, for numbers may count something else, such as all files. Nothing where no puzzle has an answer.

    Examples
    --------
    >>> missing_attempts({"a": [1, 2, 3], "b": [1, 3], "c": [], "d": [0]})
    {'b': (2,), 'c': (1, 2, 3)}
    >>> missing_attempts({"a": [17], "b": [18], "c": []})
    {'c': (0,)}
    """
    if not any(given.values()):
        return {}
    numbered = [attempts for attempts in given.values() if attempts and 0 not in attempts]
    most = max((len(attempts) for attempts in numbered), default=1)
    numbers = sorted({number for attempts in numbered for number in attempts})
    lacking: dict[PuzzleT, tuple[int, ...]] = {}
    for puzzle, attempts in given.items():
        short = 0 if 0 in attempts else most - len(attempts)
        if short > 0 and numbers == list(range(1, most + 1)):
            lacking[puzzle] = tuple(number for number in numbers if number not in attempts)
        elif short > 0:
            lacking[puzzle] = (0,) * short
    return lacking


def missing_names(attempts: Sequence[int]) -> Iterator[tuple[str, int]]:
    """What requests for missing attempts at one puzzle are called, each with its attempt; no two alike."""
    for place, attempt in enumerate(attempts, 1):
        number = attempt or place
        yield "missing" if len(attempts) == 1 and not attempt else f"missing_{number}", attempt


def mark_missing(request: service_pb2.GradeRequest) -> None:
    """Says in a request, whose candidate is empty, that the answer is missing."""
    request.tags[MISSING_TAG] = MISSING
