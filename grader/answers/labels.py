"""Labels read from what a model wrote: pieces of a form board, a pattern of a paper fold, turns of hinges.

``docs/answers.md`` defines both readings. Whether the labels are right is for those who know the puzzle.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from grader.answers.reading import ReadingFault, fault_at, items_of, read
from grader.answers.result import Parsed, Reading, Unread
from grader.answers.words import HEDGES, NOUNS, SIGNS, Piece, following, is_article, is_step_number, pieces_of

FIVE_LABELS = "ABCDE"
"""The labels that form boards and paper folds of MentisOculi have."""

ANGLE_STEP_DEG = 45
"""Angles of hinges are multiples of this, in degrees, as the prompt asks."""


@dataclass(frozen=True)
class HingeTurn:
    """A hinge, which is a letter from A to Z, and the angle it is turned by, in degrees anticlockwise, 0 to 315."""

    hinge: str
    angle_deg: int


_A_TURN = f"a turn such as 'A 90', by a multiple of {ANGLE_STEP_DEG} degrees"

_STRICT_LETTER = re.compile(r"[a-z](?!\w)", re.IGNORECASE | re.ASCII)
_STRICT_TURN = re.compile(
    r"(?P<hinge>[a-z])\s{1,4}(?P<angle>[+-]?\d{1,6})(?:\s{0,2}(?:°|deg|degrees?))?(?![\w.])", re.IGNORECASE | re.ASCII
)

_PIECES = frozenset({"piece", "pieces", "label", "labels", "needed", "required", "use", "using", "set", "subset"})
_OPTIONS = frozenset({"option", "choice", "pattern", "letter", "unfolded", "paper"})
_PIECE_WORDS = HEDGES | _PIECES | {"and", "only"}
_OPTION_WORDS = HEDGES | _OPTIONS | {"only"}
_NOUNS = NOUNS | _PIECES | _OPTIONS

_TURN_WORDS = HEDGES | {"hinge", "hinges", "rotate", "rotated", "rotation", "turn", "by", "angle", "and", "then", "of"}
_UNITS = frozenset({"°", "º", "deg", "degree", "degrees"})
_CLOCKWISE = frozenset({"clockwise", "cw"})
_ANTICLOCKWISE = frozenset({"anticlockwise", "counterclockwise", "ccw", "acw"})
_HYPHENED = re.compile(r"\b(?:anti|counter)[- ]clockwise", re.IGNORECASE)


def parse_form_board(text: str, reading: Reading, labels: str = FIVE_LABELS) -> Parsed[tuple[str, ...]] | Unread:
    """Read the set of pieces that an answer names.

    Parameters
    ----------
    text : str
        What a model wrote.
    reading : Reading
        Strict or lenient.
    labels : str
        The labels that there are, capital letters.

    Returns
    -------
    Parsed or Unread
        The labels, ascending, each once and at least one; or why there are none.

    Raises
    ------
    ValueError
        If ``labels`` is not made of different capital letters.

    Examples
    --------
    >>> parse_form_board('{"answer": "e, c, a"}', Reading.STRICT).value
    ('A', 'C', 'E')
    """
    _check(labels)
    return read(
        text, reading, lambda value: _strict_set(value, labels), lambda value: _lenient_set(value, labels, _PIECE_WORDS)
    )


def parse_paper_fold(text: str, reading: Reading, labels: str = FIVE_LABELS) -> Parsed[str] | Unread:
    """Read the one pattern that an answer names. Parameters and errors are those of ``parse_form_board``."""
    _check(labels)
    return read(
        text,
        reading,
        lambda value: _only_one(value, _strict_set(value, labels)),
        lambda value: _only_one(value, _lenient_set(value, labels, _OPTION_WORDS)),
    )


def parse_hinge_folding(text: str, reading: Reading) -> Parsed[tuple[HingeTurn, ...]] | Unread:
    """Read the turns of an answer, in the order in which they are written; a hinge may come more than once.

    Examples
    --------
    >>> turns = parse_hinge_folding('{"answer": "B 270°, A -90"}', Reading.STRICT).value
    >>> [(turn.hinge, turn.angle_deg) for turn in turns]
    [('B', 270), ('A', 270)]
    """
    return read(text, reading, _strict_turns, _lenient_turns)


def _check(labels: str) -> None:
    if not labels or len(set(labels)) != len(labels) or not all("A" <= label <= "Z" for label in labels):
        raise ValueError(f"the labels are {labels!r}; they have to be different capital letters")


def _expected(labels: str) -> str:
    return f"a letter of {', '.join(labels)}"


def _strict_set(text: str, labels: str) -> tuple[str, ...] | ReadingFault:
    found = items_of(text, _STRICT_LETTER, _expected(labels))
    if isinstance(found, ReadingFault):
        return found
    named: set[str] = set()
    for letter in found:
        label = letter.group().upper()
        if label not in labels or label in named:
            return fault_at(text, letter.start(), f"{_expected(labels)}, each once")
        named.add(label)
    return tuple(sorted(named))


def _only_one(text: str, found: tuple[str, ...] | ReadingFault) -> str | ReadingFault:
    if isinstance(found, ReadingFault):
        return found
    return found[0] if len(found) == 1 else fault_at(text, 0, "one letter")


def _lenient_set(text: str, labels: str, words: frozenset[str]) -> tuple[str, ...] | ReadingFault:
    pieces = pieces_of(text)
    named: set[str] = set()
    for i, piece in enumerate(pieces):
        label = piece.text.upper()
        if len(label) == 1 and label in labels:
            # "A likely piece" does not name the piece A, and "A - E" is no list.
            if is_article(pieces, i, _NOUNS) or _is_range(text, pieces, i):
                return fault_at(text, piece.start, _expected(labels))
            named.add(label)
        elif _is_compact(piece, labels) and words is _PIECE_WORDS and not named:
            named.update(piece.text)
        elif not is_step_number(pieces, i) and piece.lower not in words and piece.text not in SIGNS | {"+", "&"}:
            return fault_at(text, piece.start, _expected(labels))
    return tuple(sorted(named)) or fault_at(text, len(text), _expected(labels))


def _is_compact(piece: Piece, labels: str) -> bool:
    """Whether a word in capitals is made of different labels: ACE."""
    return piece.text.isupper() and set(piece.text) <= set(labels) and len(set(piece.text)) == len(piece.text)


def _is_range(text: str, pieces: tuple[Piece, ...], i: int) -> bool:
    if following(pieces, i) != "-" or i + 2 >= len(pieces):
        return False
    return "\n" not in text[pieces[i].start : pieces[i + 2].start]


def _angle(number: str) -> int | None:
    """The angle in degrees from 0 to 315, or None if it is no multiple of the step."""
    angle = int(number)
    return None if angle % ANGLE_STEP_DEG else angle % 360


def _strict_turns(text: str) -> tuple[HingeTurn, ...] | ReadingFault:
    found = items_of(text, _STRICT_TURN, _A_TURN)
    if isinstance(found, ReadingFault):
        return found
    turns = []
    for turn in found:
        angle = _angle(turn.group("angle"))
        if angle is None:
            return fault_at(text, turn.start(), _A_TURN)
        turns.append(HingeTurn(turn.group("hinge").upper(), angle))
    return tuple(turns)


def _lenient_turns(text: str) -> tuple[HingeTurn, ...] | ReadingFault:
    """Walks through the pieces: a hinge, its angle, and perhaps a sense, before the angle or directly after it."""
    pieces = pieces_of(_HYPHENED.sub(lambda found: "anticlockwise".ljust(len(found.group())), text))
    turns: list[HingeTurn] = []
    hinge: str | None = None
    clockwise: bool | None = None
    open_to_sense = False
    for i, piece in enumerate(pieces):
        if hinge is None and len(piece.lower) == 1 and "a" <= piece.lower <= "z":
            if is_article(pieces, i, NOUNS | {"hinge"}):
                return fault_at(text, piece.start, _A_TURN)
            hinge, clockwise, open_to_sense = piece.lower.upper(), None, False
        elif hinge is not None and piece.text.isdecimal():
            angle = _signed_angle(pieces, i)
            if angle is None:
                return fault_at(text, piece.start, _A_TURN)
            turns.append(HingeTurn(hinge, -angle % 360 if clockwise else angle))
            hinge, open_to_sense = None, clockwise is None
        elif piece.lower in _CLOCKWISE | _ANTICLOCKWISE and clockwise is None and (hinge or open_to_sense):
            clockwise = piece.lower in _CLOCKWISE
            if hinge is None:
                turns[-1] = HingeTurn(turns[-1].hinge, -turns[-1].angle_deg % 360 if clockwise else turns[-1].angle_deg)
        elif piece.text in (",", ";"):
            open_to_sense = False
        elif not is_step_number(pieces, i) and not _says_nothing(pieces, i):
            return fault_at(text, piece.start, _A_TURN)
    return fault_at(text, len(text), _A_TURN) if hinge is not None or not turns else tuple(turns)


def _says_nothing(pieces: tuple[Piece, ...], i: int) -> bool:
    piece = pieces[i]
    if piece.text in ("+", "-"):
        # A sign belongs to the number that it touches; apart from it, a dash could be a minus as well.
        return following(pieces, i).isdecimal() and pieces[i + 1].start == piece.start + 1
    return piece.lower in _TURN_WORDS | _UNITS or piece.text in SIGNS


def _signed_angle(pieces: tuple[Piece, ...], i: int) -> int | None:
    if len(pieces[i].text) > 6:
        return None
    sign = pieces[i - 1]
    if sign.text == "-" and i > 1 and sign.start == pieces[i - 2].start + len(pieces[i - 2].text):
        # "A-90" may mean a dash.
        return None
    return _angle(f"{'-' if sign.text == '-' else ''}{pieces[i].text}")
