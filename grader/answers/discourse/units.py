"""Words of a text as units: lines, and the sentences within them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from grader.answers.grammar.words import step_number
from grader.answers.lexicon import meanings as m
from grader.answers.text.words import Word

_STOPS: Final = frozenset(".!?")
_CLOSERS: Final = frozenset("\"'`*_)]")
_MARKS: Final = frozenset("-*•+–#>")
_LONGEST_NUMBER: Final = 3
_ABBREVIATED: Final = frozenset(
    {"e . g", "i . e", "g", "e", "i", "vs", "etc", "no", "nr", "z", "b", "p", "ex", "approx", "ca", "resp"}
)


@dataclass(frozen=True)
class TextUnit:
    """A sentence, or a line without one.

    Attributes
    ----------
    words : with the sign that ends it
    begins_line : whether it is the first of its line
    gap : whether an empty line stands before it
    marked : whether its line has a mark of a list or a number before it
    heading : whether its line is marked as a heading
    means : all that its words mean, together
    """

    words: list[Word]
    begins_line: bool
    gap: bool
    marked: bool
    heading: bool
    means: int


def units_of(words: list[Word]) -> Iterator[TextUnit]:
    """The units of a text, in their order."""
    line: list[Word] = []
    empty = 2
    for word in words:
        if word.text != "\n":
            line.append(word)
            continue
        if line:
            yield from _sentences(line, empty > 1)
            line, empty = [], 1
        else:
            empty += 1
    if line:
        yield from _sentences(line, empty > 1)


def _sentences(line: list[Word], gap: bool) -> Iterator[TextUnit]:
    first = 0
    if line[0].text in "*_":
        first = next((place for place, word in enumerate(line) if word.text not in "*_"), 0)
    heading = line[0].text == "#"
    marked = (line[0].text in _MARKS and not heading and len(line) > 1 and line[1].start > line[0].end) or _numbered(
        line, first
    )
    start, place, count = 0, 0, len(line)
    counted = 0
    while place < count:
        word = line[place]
        place += 1
        if word.text not in _STOPS:
            continue
        if word.text == "." and (_counts(line, place - 1, counted) or not _stops(line, place - 1, start)):
            counted += 1
            continue
        while (
            place < count
            and (line[place].text in _CLOSERS or line[place].text in _STOPS)
            and line[place].start <= line[place - 1].end
        ):
            place += 1
        if (
            place < count
            and line[place].start == line[place - 1].end
            and line[place].text[0].isalnum()
            and line[place].text.isascii()
            and word.text == "."
        ):
            continue
        if place < count and line[place].text == ",":
            continue  # "up, ?, left" and "A, ..., C" go on
        yield _unit(line[start:place], start == 0, gap, marked, heading)
        start = place
    if start < count:
        yield _unit(line[start:], start == 0, gap, marked, heading)


def _unit(words: list[Word], begins_line: bool, gap: bool, marked: bool, heading: bool) -> TextUnit:
    means = 0
    for word in words:
        means |= word.means
    return TextUnit(words, begins_line, gap and begins_line, marked, heading, means)


def _numbered(line: list[Word], first: int) -> bool:
    if line[first].means & m.STEP or line[first].text == "(":
        return step_number(line, first) > 1
    if len(line[first].text) == 1 and line[first].text.islower():
        return step_number(line, first) > 1
    number = line[first]
    if not (number.text.isdecimal() and len(number.text) <= _LONGEST_NUMBER) or first + 1 >= len(line):
        return False
    return line[first + 1].text in ".):"


def _counts(line: list[Word], at: int, counted: int) -> bool:
    """Whether a point stands behind the next number of a row of steps in one line: "1. A forward 2. B forward"."""
    before = line[at - 1].text if at else ""
    return counted > 0 and before == str(counted + 1)


def _stops(line: list[Word], at: int, start: int) -> bool:
    """Whether a point ends a sentence, and does not follow the number of a step or an abbreviation."""
    before = line[at - 1] if at > start else None
    if before is None:
        return False
    if at - 1 == start and len(before.text) == 1 and before.text.islower() and before.end == line[at].start:
        return False  # "a. A forward"
    if before.text.isdecimal() and len(before.text) <= _LONGEST_NUMBER:
        # "1. A", "Step 2. B"; but "by 90." does.
        ahead = line[at - 2] if at - 1 > start else None
        return not (ahead is None or ahead.text in ",;.)*_-:(>→•#" or ahead.lower in ("step", "and", "then"))
    return not (
        before.lower in _ABBREVIATED
        and before.end == line[at].start
        and len(before.text) <= 6
        and before.text.islower()
    )
