"""Moves of vehicles: a thing, and which way."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from grader.answers.lexicon import meanings as m
from grader.answers.lexicon.table import LOOK_ALIKES
from grader.answers.text.words import Word


class SaidDirection(enum.Enum):
    """Which way a vehicle moves along its axis, as its arrow points or against it."""

    FORWARD = "forward"
    BACKWARD = "backward"


@dataclass(frozen=True)
class VehicleMove:
    """One move of rush hour: a label, which is a letter from A to Z (R for the red car), and a direction."""

    label: str
    direction: SaidDirection


RED: Final = "R"
_WAYS: Final = m.FORWARD | m.BACKWARD
_COMPACT: Final = re.compile(r"(?:[A-Z][FB])+")
_MIDS: Final = frozenset(":=>→-()[]`'\"*_,{}$~")
_BETWEEN: Final = m.IS | m.FILLER | m.ARTICLE | m.MOVES | m.MAY | m.OBJECT | m.COLOR | m.AND | m.ADVERB | m.TO
_CHANGING: Final = m.NOT | m.BAD | m.CHANGES
_SHORT: Final = frozenset("+-fbFB")
_LONGEST: Final = 14
_NOUNS: Final = m.OBJECT | m.COLOR | m.ANSWER | m.HEDGE | m.FINAL | m.EARLIER | m.OPTION | m.TRIED | m.BAD | m.GOOD


def _way(means: int) -> SaidDirection:
    return SaidDirection.FORWARD if means & m.FORWARD else SaidDirection.BACKWARD


def label_of(word: Word) -> str | None:
    """The label that a word is: one letter, also of another script where it looks the same."""
    text = word.text
    if len(text) != 1:
        return None
    if text.isascii():
        return text.upper() if text.isalpha() else None
    letter = text.translate(LOOK_ALIKES)
    return letter if "A" <= letter <= "Z" and text.isupper() else None


@dataclass(frozen=True)
class Vehicles:
    """The grammar of moves of vehicles.

    Attributes
    ----------
    colors : the label of each colour that only one vehicle has, by the colour's name
    """

    colors: Mapping[str, str] = field(default_factory=dict)
    expected: str = "a move such as 'A forward'"
    units: frozenset[str] = frozenset({"move", "moves"})
    options: bool = False
    sets: bool = False

    def hinted(self, words: list[Word]) -> bool:
        """Whether a word says a way, or a sign, or may be a label and a letter for a way."""
        for word in words:
            text = word.text
            if word.means & _WAYS or text in _SHORT:
                return True
            if len(text) == 2 and text[1] in "fb" and not word.means:
                return True
            if len(text) > 1 and text[1] in "FB" and _COMPACT.fullmatch(text) is not None:
                return True
        return False

    def prepared(self, words: list[Word]) -> list[Word]:
        """As they are."""
        return words

    def several_at(self, words: list[Word], at: int, begun: int) -> tuple[tuple[VehicleMove, ...], int] | None:  # noqa: ARG002
        """AFCBRF."""
        text = words[at].text
        if len(text) == 2 and text.islower() and text[1] in "fb" and text.isascii() and not words[at].means:
            text = text.upper()
        if _COMPACT.fullmatch(text) is None:
            return None
        moves = tuple(
            VehicleMove(letter, SaidDirection.FORWARD if way == "F" else SaidDirection.BACKWARD)
            for letter, way in zip(text[::2], text[1::2], strict=True)
        )
        return moves, at + 1

    def item_at(self, words: list[Word], at: int) -> tuple[VehicleMove, int] | None:
        """A thing and a way, in either order, with a verb before or between."""
        word = words[at]
        if word.text in "+-":
            return self._sign_first(words, at)
        place, verb = at, 0
        while place < len(words) and words[place].means & m.MOVES and label_of(words[place]) is None and place < at + 3:
            verb |= words[place].means & _WAYS
            place += 1
            if place < len(words) and words[place].means & m.ARTICLE and label_of(words[place]) is None:
                place += 1
        if (
            place == at
            and place + 1 < len(words)
            and word.means & _WAYS
            and not word.means & m.MOVES
            and len(word.text) > 1
        ):
            return self._way_first(words, at)
        if place < len(words) and words[place].lower in "*`\"'(":
            if place == at:
                return None
            place += 1
        thing = self._thing(words, place)
        if thing is None:
            return None
        label, place = thing
        return self._with_way(words, place, label, verb)

    def _with_way(
        self,
        words: list[Word],
        place: int,
        label: str,
        verb: int,
    ) -> tuple[VehicleMove, int] | None:
        """The way of a thing that was named: behind it, or in the verb before it."""
        start = place
        while place < len(words) and place < start + _LONGEST:
            word = words[place]
            if word.means & _WAYS and (len(word.text) > 1 or not word.text.isascii()):
                if verb and word.means & m.MOVES and self._takes_thing(words, place):
                    break  # "back up A, advance R": the way of the next
                return VehicleMove(label, _way(word.means)), place + 1
            if word.text in "+-":
                after = words[place + 1] if place + 1 < len(words) else None
                spoken = after is not None and after.means & _WAYS and len(after.text) > 1
                if not spoken:
                    return self._signed(words, place, label)
            elif word.lower in ("f", "b"):
                before = words[place - 1].lower
                if (place == start or before in ":=>→-([`'\"*_") and not self._takes_way(words, place):
                    way = SaidDirection.FORWARD if word.lower == "f" else SaidDirection.BACKWARD
                    return VehicleMove(label, way), place + 1
                return None
            named = self._thing(words, place)
            if named is not None:
                if named[0] != label:
                    break
                place = named[1]
                continue
            if not (word.text in _MIDS or (word.means & _BETWEEN and not word.means & _CHANGING)):
                break
            if word.means & m.AND and len(word.text) > 1 and not word.means & m.THEN:
                break
            verb |= word.means & _WAYS
            place += 1
        return (VehicleMove(label, _way(verb)), start) if verb else None

    def _way_first(self, words: list[Word], at: int) -> tuple[VehicleMove, int] | None:
        """ "Backward A": a way and a thing that has no way of its own."""
        named = self._thing(words, at + 1)
        if named is None:
            return None
        label, place = named
        after = words[place] if place < len(words) else None
        if after is not None and (after.means & (_WAYS | _BETWEEN) or after.text in ":=+-→("):
            return None
        return VehicleMove(label, _way(words[at].means)), place

    def _takes_thing(self, words: list[Word], at: int) -> bool:
        """Whether a verb has a thing of its own behind it, and no way."""
        named = self._thing(words, at + 1) if at + 1 < len(words) else None
        if named is None:
            return False
        behind = words[named[1]] if named[1] < len(words) else None
        return behind is None or not behind.means & _WAYS

    def _takes_way(self, words: list[Word], at: int) -> bool:
        """Whether a letter that may mean a way has a way of its own behind it, so that it is a label."""
        if at + 1 >= len(words):
            return False
        after = words[at + 1]
        if after.means & _WAYS and len(after.text) > 1:
            return True
        return after.text in ":=" and at + 2 < len(words) and bool(words[at + 2].means & _WAYS)

    def _signed(self, words: list[Word], at: int, label: str) -> tuple[VehicleMove, int] | None:
        way = SaidDirection.FORWARD if words[at].text == "+" else SaidDirection.BACKWARD
        end = at + 1
        if end < len(words) and words[end].text.isdecimal():
            if words[end].text != "1":
                return None
            # "A - 1. B": a dash and a number of a step, or a sign; people would ask.
            end += 1
        elif words[at].text == "-" and end < len(words) and words[end].text not in ",;.(:)]}\n'\"*`|→$":
            touching = words[at].start == words[at - 1].end
            if not touching and label_of(words[end]) is None:
                return None
        return VehicleMove(label, way), end

    def _sign_first(self, words: list[Word], at: int) -> tuple[VehicleMove, int] | None:
        if at + 1 >= len(words) or words[at + 1].start != words[at].end:
            return None
        label = label_of(words[at + 1])
        if label is None:
            return None
        after = words[at + 2] if at + 2 < len(words) else None
        if after is not None and (after.means & (_WAYS | _BETWEEN) or after.text in ":=+-"):
            return None
        way = SaidDirection.FORWARD if words[at].text == "+" else SaidDirection.BACKWARD
        return VehicleMove(label, way), at + 2

    def _thing(self, words: list[Word], at: int) -> tuple[str, int] | None:
        """The label of the thing that is named from a word on, and the word behind it."""
        place = at
        color: str | None = None
        named = False
        while place < len(words) and place < at + 6:
            word = words[place]
            label = label_of(word)
            if label is not None and not self._article(words, place):
                if color == RED and label != RED:
                    return None
                return label, self._behind(words, place + 1)
            if word.means & m.RED:
                color = RED
                named = True
            elif word.means & m.COLOR:
                color = color or self.colors.get(word.lower, "")
                named = True
            elif word.means & m.OBJECT:
                named = True
            elif (
                not (word.means & m.ARTICLE and place == at)
                and not (named and word.text in "(*`\"'#" and place + 1 < len(words) and label_of(words[place + 1]))
                and not (
                    named
                    and word.lower
                    in ("one", "number", "label", "labeled", "labelled", "marked", "named", "called", "的")
                )
            ):
                break
            place += 1
        if color and named:
            return color, place
        return None

    def _behind(self, words: list[Word], place: int) -> int:
        """The word behind a label, after what only says its colour or kind again: "A (the blue car)"."""
        end = place
        if end < len(words) and words[end].text == "(":
            inner = end + 1
            while (
                inner < len(words) and words[inner].means & (m.COLOR | m.OBJECT | m.ARTICLE | m.RED) and inner < end + 5
            ):
                inner += 1
            if inner > end + 1 and inner < len(words) and words[inner].text == ")":
                return inner + 1
        return end

    def _article(self, words: list[Word], at: int) -> bool:
        """Whether an "a" stands before a noun or an adjective, so that it need not be the label A."""
        word = words[at]
        if word.text not in ("a", "A") or at + 1 >= len(words):
            return False
        after = words[at + 1]
        return bool(after.means & _NOUNS) and not after.means & (_WAYS | m.MOVES) and len(after.text) > 1

    def skips(self, words: list[Word], at: int) -> int:  # noqa: ARG002
        """Nothing."""
        return 0

    def names(self, words: list[Word], at: int) -> bool:
        """Whether a vehicle is named."""
        word = words[at]
        if len(word.text) == 1 and not word.text.isupper():
            return False
        if word.text == "I" and word.means & m.WRITER:
            return self.item_at(words, at) is not None
        return self._thing(words, at) is not None or bool(word.means & m.OBJECT)

    def mentions(self, words: list[Word]) -> bool:
        """Whether a way is spoken of."""
        return any(word.means & _WAYS and (len(word.text) > 1 or not word.text.isascii()) for word in words)

    def checked(self, items: tuple[VehicleMove, ...]) -> str:  # noqa: ARG002
        """Any moves go together."""
        return ""

    def about_others(self, words: Sequence[Word]) -> bool:  # noqa: ARG002
        """Never."""
        return False
