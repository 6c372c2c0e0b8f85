"""Steps of the blank of a sliding puzzle: a way, with or without the blank."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grader.answers.lexicon import meanings as m
from grader.answers.text.words import Word


class BlankStep(enum.Enum):
    """Where the blank of a sliding puzzle goes; up is to the row above."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"


_STEPS: Final = {m.UP: BlankStep.UP, m.DOWN: BlankStep.DOWN, m.LEFT: BlankStep.LEFT, m.RIGHT: BlankStep.RIGHT}
_WAYS: Final = m.UP | m.DOWN | m.LEFT | m.RIGHT
_ARROWS: Final = {"↑": BlankStep.UP, "↓": BlankStep.DOWN, "←": BlankStep.LEFT, "→": BlankStep.RIGHT}
_UNITS: Final = frozenset(
    f"{word}{plural}"
    for word in ("step", "move", "cell", "square", "tile", "space", "place", "position")
    for plural in ("", "s")
)
_LETTERS: Final = {step.value[0]: step for step in BlankStep}
_SHORT: Final = frozenset(_ARROWS) | frozenset(_LETTERS)
_COMPACT: Final = re.compile(r"[UDLR]+")
_BEFORE: Final = m.MOVES | m.BLANK | m.ARTICLE | m.IS | m.TO
_PRONOUNS: Final = frozenset({"it"})
_LONGEST: Final = 7
_GOES_ON: Final = frozenset({"so", "the", "let's", "here", "then", "now", "i", "thus", "my"})
_BEHIND_WAYS: Final = m.THEN | m.AND | m.ADVERB | m.TIMES | m.UNTIL | m.BECAUSE
# "Moves left", "set up", "the right sequence": words that are ways elsewhere.
_ADJECTIVES: Final = m.ANSWER | m.FINAL | m.IS | m.TILE | m.OBJECT | m.HEDGE | m.OPTION | m.PATTERN


@dataclass(frozen=True)
class BlankSteps:
    """The grammar of steps of the blank."""

    expected: str = "up, down, left or right"
    units: frozenset[str] = _UNITS
    options: bool = False
    sets: bool = False

    def hinted(self, words: list[Word]) -> bool:
        """Whether there is a way, an arrow, or a letter for one."""
        for word in words:
            if word.means & _WAYS or word.lower in _SHORT or (word.text[0] in "UDLR" and _COMPACT.fullmatch(word.text)):
                return True
        return False

    def prepared(self, words: list[Word]) -> list[Word]:
        """Between words and letters an arrow only says what comes next; it becomes a comma."""
        if _ARROWS.keys().isdisjoint([word.text for word in words]):
            return words
        spoken = any(
            (
                word.means & _WAYS
                and (len(word.text) > 1 or not word.text.isascii())
                and not self._adjective(words, place)
            )
            or (word.text in "UDLRudlr" and len(word.text) == 1)
            or (len(word.text) > 1 and _COMPACT.fullmatch(word.text))
            for place, word in enumerate(words)
        )
        if not spoken:
            return words
        return [word._replace(text=",", lower=",", means=0) if word.text in _ARROWS else word for word in words]

    def several_at(self, words: list[Word], at: int, begun: int) -> tuple[tuple[BlankStep, ...], int] | None:  # noqa: ARG002 - as every grammar has it
        """URDL."""
        text = words[at].text
        if len(text) < 2 or _COMPACT.fullmatch(text) is None:
            return None
        return tuple(_LETTERS[letter.lower()] for letter in text), at + 1

    def item_at(self, words: list[Word], at: int) -> tuple[BlankStep, int] | None:
        """A way, behind a verb, the blank, or both."""
        place, blank = at, False
        while place < len(words) and place < at + _LONGEST:
            word = words[place]
            if word.text in _ARROWS:
                return _ARROWS[word.text], place + 1
            if word.lower in _LETTERS and len(word.text) == 1 and not (word.means & m.ARTICLE):
                return _LETTERS[word.lower], place + 1
            if word.means & _WAYS:
                if self._adjective(words, place) or self._askew(words, place):
                    return None
                way = word.means & _WAYS
                return (_STEPS[way], place + 1) if way in _STEPS else None
            blank = blank or bool(word.means & m.BLANK)
            moves = place + 1 < len(words) and words[place + 1].means & m.MOVES
            joins = (word.means & _BEFORE or (word.lower in _PRONOUNS and moves)) and not word.means & m.NOT
            if not (joins or (blank and place > at and (word.means & (m.FILLER | m.ADVERB) or word.text in ":=-"))):
                return None
            place += 1
        return None

    def _adjective(self, words: list[Word], at: int) -> bool:
        """Whether "right" or "left" is no way here: "the right sequence", "you're right", "the moves left are"."""
        word = words[at]
        after = words[at + 1] if at + 1 < len(words) else None
        before = words[at - 1] if at else None
        if word.lower == "left":
            counted = before is not None and before.lower in ("moves", "steps") and not self._moves(words, at - 1)
            return counted and (after is None or bool(after.means & m.IS) or after.text == ":")
        if word.lower != "right":
            return False
        listed = before is not None and before.text in ",→" and at > 1 and bool(words[at - 2].means & _WAYS)
        if listed and after is not None and after.means & m.IS:
            return False  # "left, right is the answer"
        if after is not None and after.means & _ADJECTIVES and not after.means & (m.THEN | _WAYS):
            return True
        if before is None:
            third = words[at + 2] if after is not None and after.text == "," and at + 2 < len(words) else None
            if third is None or third.lower not in _GOES_ON:
                return False
            # "Right, then the plan is"; but "right, then up".
            return not (third.means & m.THEN and at + 3 < len(words) and words[at + 3].means & _WAYS)
        if before.means & m.IS and "'" in before.text:
            return True
        if before.lower in ("the", "a"):
            return after is not None and after.text[0].isalpha() and not after.means & _BEHIND_WAYS
        if before.lower == "is":
            return after is not None and after.lower not in (",", ".", ";")
        return before.lower in ("are", "all", "was", "be", "not")

    def _moves(self, words: list[Word], at: int) -> bool:
        """Whether "moves" is a verb: something stands before it that does."""
        return at > 0 and bool(words[at - 1].means & (m.BLANK | m.THIS))

    def _askew(self, words: list[Word], at: int) -> bool:
        """ "Up-left": one step that there is not."""
        if at + 2 >= len(words) or words[at + 1].text != "-" or not words[at + 2].means & _WAYS:
            return False
        touching = words[at].end == words[at + 1].start and words[at + 1].end == words[at + 2].start
        further = (at + 3 < len(words) and words[at + 3].text == "-") or (at > 0 and words[at - 1].text == "-")
        upright = bool(words[at].means & (m.UP | m.DOWN)) != bool(words[at + 2].means & (m.UP | m.DOWN))
        return touching and upright and not further

    def skips(self, words: list[Word], at: int) -> int:
        """The blank, which is all that moves."""
        return 1 if words[at].means & m.BLANK else 0

    def names(self, words: list[Word], at: int) -> bool:
        """Whether a tile is named, or a number that is its own: it goes where the blank does not."""
        word = words[at]
        if word.text.isdecimal():
            return at > 0 and bool(words[at - 1].means & m.MOVES)
        return bool(word.means & m.TILE) and not word.means & m.BLANK

    def mentions(self, words: list[Word]) -> bool:
        """Whether a way is spoken of."""
        return any(word.means & _WAYS and not self._adjective(words, place) for place, word in enumerate(words))

    def checked(self, items: tuple[BlankStep, ...]) -> str:  # noqa: ARG002 - as every grammar has it
        """Any steps go together."""
        return ""

    def about_others(self, words: Sequence[Word]) -> bool:
        """Whether it is tiles that are spoken of."""
        return any(word.means & m.TILE for word in words) and not any(word.means & m.BLANK for word in words)
