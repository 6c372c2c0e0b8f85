"""Turns of hinges: a letter, and an angle with or without its sense."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grader.answers.lexicon import meanings as m
from grader.answers.text.words import Word

ANGLE_STEP_DEG: Final = 45
"""Angles of hinges are multiples of this, in degrees, as the prompt asks."""
_SENSE: Final = m.CLOCKWISE | m.ANTICLOCKWISE
_BETWEEN: Final = m.HINGE | m.FILLER | m.IS | m.ARTICLE | m.MOVES | m.DEGREES | m.WAY | m.TO
_MIDS: Final = frozenset(":=→,()[]`'\"*_{}$~|")
_LONGEST: Final = 10
_LONGEST_ANGLE: Final = 6
_TOUCHING: Final = re.compile(r"[a-z]", re.IGNORECASE)


@dataclass(frozen=True)
class HingeTurn:
    """A hinge, which is a letter from A to Z, and the angle it is turned by, in degrees anticlockwise, 0 to 315."""

    hinge: str
    angle_deg: int


def angle_of(number: str) -> int | None:
    """The angle in degrees from 0 to 315, or None if it is no multiple of the step."""
    angle = int(number)
    return None if angle % ANGLE_STEP_DEG else angle % 360


@dataclass(frozen=True)
class Hinges:
    """The grammar of turns."""

    expected: str = f"a turn such as 'A 90', by a multiple of {ANGLE_STEP_DEG} degrees"
    units: frozenset[str] = frozenset()
    options: bool = False
    sets: bool = False

    def hinted(self, words: list[Word]) -> bool:
        """Whether there is a number."""
        return any(word.text.isdecimal() for word in words)

    def prepared(self, words: list[Word]) -> list[Word]:
        """As they are."""
        return words

    def several_at(self, words: list[Word], at: int, begun: int) -> None:
        """Nothing is written in one word."""

    def item_at(self, words: list[Word], at: int) -> tuple[HingeTurn, int] | None:
        """A hinge, its angle, and perhaps a sense, before the angle or directly after it."""
        place = at
        while (
            place < len(words)
            and words[place].means & (m.HINGE | m.MOVES | m.ARTICLE)
            and len(words[place].text) > 1
            and place < at + 4
        ):
            place += 1
        if place >= len(words) or len(words[place].text) != 1 or not _TOUCHING.fullmatch(words[place].text):
            return None
        hinge = words[place].text.upper()
        clockwise: bool | None = None
        place += 1
        for at_angle in range(place, min(place + _LONGEST, len(words))):
            word = words[at_angle]
            if word.means & _SENSE and clockwise is None:
                clockwise = bool(word.means & m.CLOCKWISE)
            elif word.text.isdecimal():
                angle = self._angle(words, at_angle)
                if angle is None:
                    return None
                end, clockwise = self._behind(words, at_angle + 1, clockwise)
                return HingeTurn(hinge, -angle % 360 if clockwise else angle), end
            elif word.text in "+-":
                if not (at_angle + 1 < len(words) and words[at_angle + 1].text.isdecimal()
                        and words[at_angle + 1].start == word.end):  # fmt: skip
                    return None
            elif not (word.text in _MIDS or (word.means & _BETWEEN and not word.means & (m.NOT | m.CHANGES))):
                return None
        return None

    def _behind(self, words: list[Word], end: int, clockwise: bool | None) -> tuple[int, bool | None]:
        """The word behind a turn, and its sense, which may follow the angle."""
        while end < len(words) and words[end].means & m.DEGREES:
            end += 1
        place = end
        while place < len(words) and words[place].text in "({[$}" and place < end + 3:
            place += 1
        if place < len(words) and words[place].means & _SENSE and clockwise is None:
            clockwise = bool(words[place].means & m.CLOCKWISE)
            end = place + 1
        return end, clockwise

    def _angle(self, words: list[Word], at: int) -> int | None:
        number = words[at].text
        if len(number) > _LONGEST_ANGLE or not number.isascii():
            return None
        sign = words[at - 1]
        if sign.text == "-" and at > 1 and sign.start == words[at - 2].end:
            return None  # "A-90" may mean a dash
        return angle_of(f"-{number}" if sign.text == "-" else number)

    def skips(self, words: list[Word], at: int) -> int:
        """Words such as "hinge"."""
        return 1 if words[at].means & (m.HINGE | m.DEGREES) else 0

    def names(self, words: list[Word], at: int) -> bool:
        """Whether a hinge or an angle is named."""
        text = words[at].text
        return text.isdecimal() or (len(text) == 1 and text.isalpha() and text.isupper())

    def mentions(self, words: list[Word]) -> bool:
        """Whether an angle is spoken of."""
        return any(word.text.isdecimal() for word in words)

    def checked(self, items: tuple[HingeTurn, ...]) -> str:  # noqa: ARG002 - as every grammar has it
        """Any turns go together."""
        return ""

    def about_others(self, words: Sequence[Word]) -> bool:  # noqa: ARG002
        """Never."""
        return False
