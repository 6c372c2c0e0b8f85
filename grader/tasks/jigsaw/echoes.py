"""What options say in words, as models repeat it behind a letter or in its place."""

from __future__ import annotations

import re
from typing import Final

from grader.answers.compounds.choices import Echoes
from puzzles.jigsaw.kinds import QuestionKind

_PICTURES: Final = {"A": ("1", "second"), "B": ("2", "third"), "C": ("3", "fourth"), "D": ("4", "fifth")}
_TWO: Final = r"(?:the\s)?(?:two\s)?(?:images|pictures|pieces)?\s?(?:are\s|were\s|lie\s|lay\s)?"


def _said(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_CANDIDATES: Final[Echoes] = {
    letter: _said(
        rf"candidate\s{number}(?!\d)(?:\s\(the\s{place}[\w\s]{{0,20}}\))?|the\s{place}\s(?:input\s)?(?:image|picture)"
    )
    for letter, (number, place) in _PICTURES.items()
}
_CONNECTIONS: Final[Echoes] = {
    "A": _said(
        _TWO
        + r"(?:side by side|adjacent horizontally|horizontally adjacent|left and right|left-right)"
        + r"(?:,?\s\(?left[\w\s-]{0,24}\)?)?"
    ),
    "B": _said(
        _TWO
        + r"(?:one above the other|adjacent vertically|vertically adjacent|top-bottom)(?:\s\(?top[\w\s-]{0,24}\)?)?"
    ),
    "C": _said(
        _TWO
        + r"(?:at opposite corners|not adjacent|diagonal)(?:,? without a common edge|\sin the original(?:\simage)?)?"
    ),
}
_NONE: Final[Echoes] = {}


def echoes_of(kind: QuestionKind) -> Echoes:
    """Of the options of a kind of question, by their letters; nothing where letters stand for places."""
    match kind:
        case QuestionKind.MISSING_PIECE_EASY | QuestionKind.MISSING_PIECE_HARD:
            return _CANDIDATES
        case QuestionKind.CONNECTION:
            return _CONNECTIONS
    return _NONE
