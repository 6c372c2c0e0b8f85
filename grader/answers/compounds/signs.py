"""Answers of several parts as single signs, so that what is said about them is read as of labels.

"First I had [1, 2, 3, 4]. No, it is [2, 1, 3, 4]." takes an order back and names another. What tells that knows
labels: one word, one item. So each different order of a text is replaced by a letter that nobody writes, and put back
afterwards.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from grader.answers.text.passages import Passage

ValueT = TypeVar("ValueT", bound=Hashable)

_SIGNS: Final = "".join(map(chr, range(0x13A0, 0x13F6)))
"""Cherokee capitals: letters, and like no Latin ones to the reader of words."""


@dataclass(frozen=True)
class TextEdit:
    """A stretch of a text, and what is read in its place."""

    start: int
    end: int
    text: str


class Signs(Generic[ValueT]):
    """Gives each different value a sign of its own, which the text does not have.

    Parameters
    ----------
    text : str
        That signs are put into.
    """

    def __init__(self, text: str) -> None:
        self._free = [sign for sign in _SIGNS if sign not in text]
        self._values: dict[str, ValueT] = {}
        self._signs: dict[ValueT, str] = {}

    @property
    def used(self) -> str:
        """The signs that were given; one that stands for nothing where there are none, for there has to be a label."""
        return "".join(self._values) or _SIGNS[-1]

    def sign(self, value: ValueT) -> str:
        """The sign of a value; empty where the text has more values than there are signs."""
        if value not in self._signs:
            if not self._free:
                return ""
            sign = self._free.pop(0)
            self._values[sign], self._signs[value] = value, sign
        return self._signs[value]

    def value(self, sign: str) -> ValueT:
        """What a sign stands for."""
        return self._values[sign]


def edited(passage: Passage, edits: Sequence[TextEdit]) -> Passage:
    """A text with stretches replaced, each of its signs with the place that it stands for.

    Parameters
    ----------
    passage : Passage
    edits : sequence of TextEdit
        Of stretches that do not overlap; spaces are put around each text.
    """
    if not edits:
        return passage
    parts: list[str] = []
    places: list[int] = []
    last = 0
    for edit in sorted(edits, key=lambda one: one.start):
        parts += (passage.text[last : edit.start], f" {edit.text} ")
        places.extend(passage.place(at) for at in range(last, edit.start))
        begin, end = passage.place(edit.start), passage.place(edit.end)
        places.extend([begin] * (1 + len(edit.text)))
        places.append(end)
        last = edit.end
    parts.append(passage.text[last:])
    places.extend(passage.place(at) for at in range(last, len(passage.text) + 1))
    return Passage("".join(parts), places[0], tuple(places))
