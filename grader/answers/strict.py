"""The strict reading: the value of the key "answer" follows the grammar of the prompt to the letter."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from grader.answers.grammar.blank import BlankStep
from grader.answers.grammar.hinges import ANGLE_STEP_DEG, HingeTurn, angle_of
from grader.answers.grammar.vehicles import SaidDirection, VehicleMove

T = TypeVar("T")

_LONGEST_PIECE: Final = 40
_BETWEEN: Final = re.compile(r"\s++,?\s*+|,\s*+")
_MOVE: Final = re.compile(
    r"(?:(?P<label>red(?:\s{1,4}car)?|[a-z])"
    r"(?:\s{1,4}(?P<word>forwards?|fwd|f|backwards?|back|b)|\s{0,4}(?P<sign>[+-])1?)"
    r"|(?P<pair>[a-z][fb]))(?![\w+-])",
    re.IGNORECASE | re.ASCII,
)
_STEP: Final = re.compile(r"(?P<step>up|down|left|right)(?!\w)", re.IGNORECASE | re.ASCII)
_LETTER: Final = re.compile(r"[a-z](?!\w)", re.IGNORECASE | re.ASCII)
_TURN: Final = re.compile(
    r"(?P<hinge>[a-z])\s{1,4}(?P<angle>[+-]?\d{1,6})(?:\s{0,2}(?:°|deg|degrees?))?(?![\w.])", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True)
class StrictFault:
    """What could not be read: where it begins, in characters of the value's text, and what was expected."""

    offset: int
    piece: str
    expected: str


Strict = Callable[[str], "tuple[T, ...] | StrictFault"]


def strict_moves(text: str) -> tuple[VehicleMove, ...] | StrictFault:
    """Moves of vehicles."""
    found = _items(text, _MOVE, "a move such as 'A forward'")
    if isinstance(found, StrictFault):
        return found
    moves = []
    for move in found:
        label, word, sign, pair = move.group("label", "word", "sign", "pair")
        letter, way = (label[0], word or sign) if pair is None else (pair[0], pair[1])
        direction = SaidDirection.FORWARD if way[0] in "fF+" else SaidDirection.BACKWARD
        moves.append(VehicleMove(letter.upper(), direction))
    return tuple(moves)


def strict_steps(text: str) -> tuple[BlankStep, ...] | StrictFault:
    """Steps of the blank."""
    found = _items(text, _STEP, "up, down, left or right")
    return found if isinstance(found, StrictFault) else tuple(BlankStep(step.group().lower()) for step in found)


def strict_labels(text: str, labels: str, *, one: bool) -> tuple[str, ...] | StrictFault:
    """Different labels, each once; or one."""
    expected = f"a letter of {', '.join(labels)}"
    found = _items(text, _LETTER, expected)
    if isinstance(found, StrictFault):
        return found
    named: list[str] = []
    for letter in found:
        label = letter.group().upper()
        if label not in labels or label in named:
            return _fault(text, letter.start(), f"{expected}, each once")
        named.append(label)
    if one and len(named) != 1:
        return _fault(text, 0, "one letter")
    return tuple(named)


def strict_turns(text: str) -> tuple[HingeTurn, ...] | StrictFault:
    """Turns of hinges."""
    expected = f"a turn such as 'A 90', by a multiple of {ANGLE_STEP_DEG} degrees"
    found = _items(text, _TURN, expected)
    if isinstance(found, StrictFault):
        return found
    turns = []
    for turn in found:
        angle = angle_of(turn.group("angle"))
        if angle is None:
            return _fault(text, turn.start(), expected)
        turns.append(HingeTurn(turn.group("hinge").upper(), angle))
    return tuple(turns)


def _items(text: str, item: re.Pattern[str], expected: str) -> tuple[re.Match[str], ...] | StrictFault:
    """The items of a value, at least one: between two of them stand spaces, a comma, or both."""
    found: list[re.Match[str]] = []
    text = text.rstrip()
    place = len(text) - len(text.lstrip())
    while True:
        match = item.match(text, place)
        if match is None:
            return _fault(text, place, expected)
        found.append(match)
        if match.end() == len(text):
            return tuple(found)
        between = _BETWEEN.match(text, match.end())
        if between is None:
            return _fault(text, match.end(), expected)
        place = between.end()


def _fault(text: str, offset: int, expected: str) -> StrictFault:
    """What could not be read from ``offset`` on: up to the next comma, semicolon or line break."""
    rest = text[offset : offset + _LONGEST_PIECE].lstrip()
    return StrictFault(offset, re.split(r"[,;\n]", rest, maxsplit=1)[0].rstrip() or rest.strip(), expected)
