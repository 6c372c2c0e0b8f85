"""Moves of rush hour and of sliding puzzles, read from what a model wrote. ``docs/answers.md`` defines both readings.

Whether a vehicle of that label exists, or a step stays on the board, is for those who know the puzzle.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from grader.answers.reading import ReadingFault, fault_at, items_of, read
from grader.answers.result import Parsed, Reading, Unread
from grader.answers.words import HEDGES, NOUNS, SIGNS, Piece, following, is_article, is_step_number, pieces_of


class SaidDirection(enum.Enum):
    """Which way a vehicle moves along its axis, as its arrow points or against it."""

    FORWARD = "forward"
    BACKWARD = "backward"


class BlankStep(enum.Enum):
    """Where the blank of a sliding puzzle goes; up is to the row above."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True)
class VehicleMove:
    """One move of rush hour: a label, which is a letter from A to Z (R for the red car), and a direction."""

    label: str
    direction: SaidDirection


_A_MOVE = "a move such as 'A forward'"
_A_DIRECTION = "forward or backward"
_A_STEP = "up, down, left or right"

_STRICT_MOVE = re.compile(
    r"(?:(?P<label>red(?:\s{1,4}car)?|[a-z])"
    r"(?:\s{1,4}(?P<word>forwards?|fwd|f|backwards?|back|b)|\s{0,4}(?P<sign>[+-])1?)"
    r"|(?P<pair>[a-z][fb]))(?![\w+-])",
    re.IGNORECASE | re.ASCII,
)
_STRICT_STEP = re.compile(r"(?P<step>up|down|left|right)(?!\w)", re.IGNORECASE | re.ASCII)

_FORWARD = frozenset({"forward", "forwards", "fwd", "fwds", "ahead"})
_BACKWARD = frozenset({"backward", "backwards", "back", "bwd", "bkwd", "reverse"})
_VEHICLE = frozenset({"car", "vehicle", "truck", "block"})
# They may stand beside a label. Alone they are none: which colour has which label is not known here, but for red.
_COLORS = frozenset({"blue", "green", "teal", "yellow", "orange", "purple", "magenta", "pink", "violet", "brown"})
_MOVING = frozenset(
    {"move", "moves", "moved", "moving", "drive", "step", "to", "then", "and", "next", "now", "finally"}
)
_ORDER = frozenset({"first", "second", "third", "lastly"})
_FILLERS = HEDGES | _VEHICLE | _COLORS | _MOVING | _ORDER
_NOUNS = NOUNS | _VEHICLE | _COLORS
_COMPACT = re.compile(r"(?:[A-Z][FB])+")

_STEPS = {step.value: step for step in BlankStep}
_LETTERS = {step.value[0]: step for step in BlankStep}
_ARROWS = {"↑": BlankStep.UP, "↓": BlankStep.DOWN, "←": BlankStep.LEFT, "→": BlankStep.RIGHT}
_BLANK_FILLERS = HEDGES | _MOVING | _ORDER | {"blank", "empty", "space", "square"}


def parse_rush_hour(text: str, reading: Reading) -> Parsed[tuple[VehicleMove, ...]] | Unread:
    """Read the moves of a rush-hour answer.

    Parameters
    ----------
    text : str
        What a model wrote.
    reading : Reading
        Strict or lenient.

    Returns
    -------
    Parsed or Unread
        The moves in their order, at least one, labels in capitals; or why there are none.

    Examples
    --------
    >>> moves = parse_rush_hour('{"answer": "AF, red car back"}', Reading.STRICT).value
    >>> [(move.label, move.direction.value) for move in moves]
    [('A', 'forward'), ('R', 'backward')]
    """
    return read(text, reading, _strict_moves, _lenient_moves)


def parse_sliding(text: str, reading: Reading) -> Parsed[tuple[BlankStep, ...]] | Unread:
    """Read the steps of the blank from an answer to a sliding puzzle; at least one, in their order."""
    return read(text, reading, _strict_steps, _lenient_steps)


def _strict_moves(text: str) -> tuple[VehicleMove, ...] | ReadingFault:
    found = items_of(text, _STRICT_MOVE, _A_MOVE)
    if isinstance(found, ReadingFault):
        return found
    moves = []
    for move in found:
        label, word, sign, pair = move.group("label", "word", "sign", "pair")
        letter, way = (label[0], word or sign) if pair is None else (pair[0], pair[1])
        moves.append(VehicleMove(letter.upper(), _direction(way)))
    return tuple(moves)


def _strict_steps(text: str) -> tuple[BlankStep, ...] | ReadingFault:
    found = items_of(text, _STRICT_STEP, _A_STEP)
    return found if isinstance(found, ReadingFault) else tuple(_STEPS[step.group().lower()] for step in found)


def _direction(word: str) -> SaidDirection:
    return SaidDirection.FORWARD if word[0] in "fF+" else SaidDirection.BACKWARD


def _lenient_moves(text: str) -> tuple[VehicleMove, ...] | ReadingFault:
    pieces = pieces_of(text)
    moves: list[VehicleMove] = []
    label: str | None = None
    i = 0
    while i < len(pieces):
        piece = pieces[i]
        named = _label(pieces, i)
        used = 1
        if label is None:
            if named is not None:
                label = named
            elif _COMPACT.fullmatch(piece.text):
                pairs = zip(piece.text[::2], piece.text[1::2], strict=True)
                moves.extend(VehicleMove(letter, _direction(way)) for letter, way in pairs)
            elif not is_step_number(pieces, i) and not _says_nothing(piece):
                return fault_at(text, piece.start, _A_MOVE)
        else:
            way, used = _way(pieces, i)
            if way is not None:
                moves.append(VehicleMove(label, way))
                label = None
            elif named != label and not _says_nothing(piece):
                return fault_at(text, piece.start, _A_DIRECTION)
        i += used
    if label is not None or not moves:
        return fault_at(text, len(text), _A_MOVE if label is None else _A_DIRECTION)
    return tuple(moves)


def _says_nothing(piece: Piece) -> bool:
    return piece.lower in _FILLERS or piece.text in SIGNS


def _label(pieces: tuple[Piece, ...], i: int) -> str | None:
    """The label that a piece is, or None."""
    lower = pieces[i].lower
    if lower == "red":
        return "R"
    return lower.upper() if len(lower) == 1 and "a" <= lower <= "z" and not is_article(pieces, i, _NOUNS) else None


def _way(pieces: tuple[Piece, ...], i: int) -> tuple[SaidDirection | None, int]:
    """The direction that a piece behind a label is, if it is one, and how many pieces it takes."""
    piece, before, after = pieces[i], pieces[i - 1], following(pieces, i)
    if piece.lower in _FORWARD | _BACKWARD:
        return SaidDirection.FORWARD if piece.lower in _FORWARD else SaidDirection.BACKWARD, 1
    if piece.lower in ("f", "b"):
        # "A and B" and "A, B" name two vehicles.
        apart = before.text in (",", ";", ".") or before.lower in _MOVING
        return None if apart else _direction(piece.text), 1
    # A dash before a direction only stands between it and the label, and a number other than 1 is no direction.
    if piece.text not in ("+", "-") or after in _FORWARD | _BACKWARD or (after.isdecimal() and after != "1"):
        return None, 1
    return _direction(piece.text), 2 if after == "1" else 1


def _lenient_steps(text: str) -> tuple[BlankStep, ...] | ReadingFault:
    pieces = pieces_of(text)
    words = any(piece.lower in _STEPS for piece in pieces)
    steps: list[BlankStep] = []
    for i, piece in enumerate(pieces):
        short = piece.text if piece.text.isupper() else piece.lower if len(piece.text) == 1 else ""
        if piece.lower in _STEPS:
            steps.append(_STEPS[piece.lower])
        elif piece.text in _ARROWS:
            # Between words an arrow says what comes next; by itself it is a step.
            steps.extend([] if words else [_ARROWS[piece.text]])
        elif short and set(short.lower()) <= set(_LETTERS) and not words:
            steps.extend(_LETTERS[letter] for letter in short.lower())
        elif not is_step_number(pieces, i) and piece.lower not in _BLANK_FILLERS and piece.text not in SIGNS:
            return fault_at(text, piece.start, _A_STEP)
    return tuple(steps) or fault_at(text, len(text), _A_STEP)
