"""Rows of items in words: what holds them together, what may be said beside them, and where a row ends.

Whatever is neither an item nor known to change nothing ends a row. Nobody who reads a row may skip what ended it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from grader.answers.grammar.plans import Grammar
from grader.answers.grammar.words import denies, number_of, step_number, times_at, times_before
from grader.answers.lexicon import meanings as m
from grader.answers.text.words import Word

T = TypeVar("T")

SIGNS: Final = frozenset(",;.>→&-*_`'\"()[]{}$~:#•✓\n=\\%")
"""Signs that hold rows together, or stand around them, and say nothing."""
_SEPARATORS: Final = frozenset(",;.!\n)|]}$→✓>")
_AROUND: Final = frozenset("*_`'\"")
_OPENING: Final = {"(": ")", "[": "]"}
_JOINS: Final = m.THEN | m.AND | m.FILLER | m.WRITER | m.ORDINAL | m.ARTICLE
_NEVER: Final = m.NOT | m.BAD | m.CHANGES | m.OR | m.OPTION
_BESIDE_UNTIL: Final = (m.CONTACT | m.ARTICLE | m.FILLER | m.OBJECT | m.IS | m.THIS | m.ADVERB | m.MAY | m.COLOR
                        | m.UNTIL | m.TO | m.TIMES | m.TILE | m.BLANK)  # fmt: skip
_MOST_EXPLAINED: Final = 40
_FEW: Final = 3
MOST_ITEMS: Final = 5000
"""Items that a row may have; more are no plan."""


@dataclass(frozen=True)
class ItemRun(Generic[T]):
    """Items in a row.

    Attributes
    ----------
    items, places : of each item what it is, and its first and last word and the characters they take
    first, stop : the number of the first word, and of the one behind the last
    entries : how many items were parted from the others by a semicolon, a line break or a number
    """

    items: tuple[T, ...]
    places: tuple[tuple[int, int], ...]
    first: int
    stop: int
    entries: tuple[int, ...]


def starts_at(words: list[Word], at: int, grammar: Grammar[T], begun: int = 0) -> tuple[tuple[T, ...], int] | None:
    """The items that begin at a word, and the number of the word behind them; several for "2x left" or AFCB."""
    several = grammar.several_at(words, at, begun)
    if several is not None:
        return several
    one = grammar.item_at(words, at)
    if one is not None:
        return (one[0],), one[1]
    if words[at].means & m.NUMBER or words[at].text.isdecimal():
        times, place = times_before(words, at)
        # "The three moves are up": a number of moves.
        counts = (
            place < len(words) and words[place].means & (m.MOVES | m.ANSWER | m.STEP) and not words[place].means & m.TO
        )
        if place > at and place < len(words) and not counts:
            one = grammar.item_at(words, place)
            if one is not None:
                return (one[0],) * times, one[1]
    return None


def run_at(words: list[Word], at: int, grammar: Grammar[T]) -> ItemRun[T] | None:
    """The row that begins at a word; None if no item does."""
    found = starts_at(words, at, grammar)
    if found is None:
        return None
    items: list[T] = []
    places: list[tuple[int, int]] = []
    entries: list[int] = []
    place = stop = at
    while found is not None and len(items) < MOST_ITEMS:
        new, end = found
        if len(new) == 1:
            times, end = times_at(words, end, grammar.units)
            new = new * times
        items.extend(new)
        places.extend([(words[place].start, words[end - 1].end)] * len(new))
        entries = entries or [0]
        entries[-1] += len(new)
        stop = _beside(words, end, grammar)
        place, parted, found = _joined(words, stop, grammar, len(items))
        if place >= len(words):
            break
        if parted:
            entries.append(0)
    stop = _counted(words, stop, len(items), grammar)
    return ItemRun(tuple(items), tuple(places), at, stop, tuple(entry for entry in entries if entry))


def _counted(words: list[Word], at: int, count: int, grammar: Grammar[T]) -> int:
    """The word behind "(3 moves)" at the end of a row of so many."""
    if (
        at + 3 < len(words)
        and words[at].text == "("
        and words[at + 3].text == ")"
        and words[at + 2].lower in grammar.units
    ):
        return at + 4 if number_of(words[at + 1]) == count else at
    return at


def _joined(
    words: list[Word], at: int, grammar: Grammar[T], begun: int
) -> tuple[int, bool, tuple[tuple[T, ...], int] | None]:
    """The word at which the next item may begin, whether an entry ends before it, and what begins there."""
    place, parted = at, False
    while place < len(words):
        found = starts_at(words, place, grammar, begun)
        if found is not None:
            return place, parted, found
        number = step_number(words, place)
        if number:
            place, parted = place + number, True
            continue
        word = words[place]
        if word.text == "." and place + 1 < len(words) and words[place + 1].text == ".":
            break  # something was left out
        if word.text == "," and place > at and words[place - 1].text == ",":
            break  # so it was here
        if word.text in SIGNS:
            parted = parted or word.text in ";\n"
            place += 1
            continue
        skipped = grammar.skips(words, place)
        if skipped and not word.means & _NEVER:
            place += skipped
        elif word.means & _JOINS and not word.means & _NEVER and not grammar.names(words, place):
            place += 1
        else:
            break
    return place, parted, None


def _beside(words: list[Word], at: int, grammar: Grammar[T]) -> int:
    """The word behind what is said beside an item: how far, until what, why."""
    place = at
    while place < len(words):
        word = words[place]
        end = place
        if (
            word.means & (m.ADVERB | m.AGAIN)
            and not word.means & _NEVER
            and starts_at(words, place, grammar, 1) is None
        ):
            end = place + 1
        elif word.text in _OPENING:
            end = _enclosed(words, place, grammar)
        elif word.means & m.UNTIL and not word.means & m.THEN:
            end = _until(words, place, grammar)
            if end == place and word.means & m.BECAUSE:
                end = _explained(words, place, grammar)
        elif word.means & m.BECAUSE and not word.means & m.THEN:
            end = _explained(words, place, grammar)
        elif word.text in ",-:" and place + 1 < len(words) and place + 1 == _next(words, place + 1):
            after = words[place + 1]
            why = after.means & m.BECAUSE and not after.means & m.THEN
            if (why or word.text in "-:") and starts_at(words, place + 1, grammar, 1) is None:
                if word.text == "-" and word.start == words[place - 1].end:
                    break
                end = _explained(words, place + 1, grammar)
                if end == place + 1:
                    end = place
        elif (
            word.text in _AROUND
            and (behind := _behind_marks(words, place)) < len(words)
            and words[behind].text in "-:,("
        ):
            # "**A backward** - frees the way".
            end = _beside(words, behind, grammar)
            if end == behind:
                end = place
        if end == place:
            break
        place = end
    return place


def _behind_marks(words: list[Word], at: int) -> int:
    while at < len(words) and words[at].text in _AROUND:
        at += 1
    return at


def _next(words: list[Word], at: int) -> int:
    return at if words[at].text not in SIGNS else at + 1


def _enclosed(words: list[Word], at: int, grammar: Grammar[T]) -> int:
    """The word behind a bracket that closes; the same word if what stands within could change something."""
    closing = _OPENING[words[at].text]
    depth = 0
    for end in range(at + 1, min(at + _MOST_EXPLAINED, len(words))):
        depth += words[end].text == words[at].text
        if words[end].text == closing and depth:
            depth -= 1
        elif words[end].text == closing:
            inner = words[at + 1 : end]
            return end + 1 if inner and harmless(inner, grammar) else at
        if words[end].text == "\n":
            break
    return at


def _until(words: list[Word], at: int, grammar: Grammar[T]) -> int:
    end = at + 1
    while end < len(words) and words[end].text not in _SEPARATORS and not words[end].means & m.THEN:
        word = words[end]
        if word.text in "-:(":
            break
        if word.means & m.AND and starts_at(words, end + 1, grammar, 1) is not None if end + 1 < len(words) else False:
            break
        label = len(word.text) == 1 and word.text.isupper()
        if (
            not (word.means & _BESIDE_UNTIL or label or word.text in "'\"*`_(")
            or word.means & (m.CHANGES | m.OR) & ~m.OPTION
        ):
            return at
        end += 1
    # The last letter may be the next item's, where nothing parts the two.
    for back in range(end - 1, at, -1):
        if starts_at(words, back, grammar, 1) is not None:
            end = back
    return end if end > at + 1 else at


def _explained(words: list[Word], at: int, grammar: Grammar[T]) -> int:
    end = at
    while end < len(words) and words[end].text not in _SEPARATORS:
        if end > at and words[end].means & (m.THEN | m.AND | m.OR) and end + 1 < len(words):
            following = _next(words, end + 1)
            if following < len(words) and starts_at(words, following, grammar, 1) is not None:
                break
        end += 1
    if end - at > _MOST_EXPLAINED or not harmless(words[at:end], grammar):
        return at
    return end


def harmless(words: Sequence[Word], grammar: Grammar[T]) -> bool:
    """Whether what is said beside items can't change them: no item but one that becomes possible, no "only half"."""
    said = list(words)
    if any(word.means & m.CHANGES and not word.means & (m.BECAUSE | m.UNTIL) for word in said) or denies(said):
        return False
    if any(word.means & m.AMENDS for word in said) or (
        grammar.about_others(said)
        and any(word.means & (m.MOVES | m.WAY) for word in said)
        and not grammar.mentions(said)
    ):
        return False
    if said and (said[0].means & m.IF or (said[0].means & m.NOT and not said[0].means & m.CONTACT)):
        return False
    if said and said[0].lower in ("blocked", "stuck") and len(said) <= _FEW:
        return False
    if said and said[0].means & m.OR and len(said[0].text) > 1 and not said[0].means & (m.HEDGE | m.BECAUSE):
        return False
    if not grammar.hinted(said):
        return True
    may = any(word.means & m.MAY for word in said)
    if not may and grammar.mentions(said):
        return False
    may = False
    place = 0
    while place < len(said):
        may = may or bool(said[place].means & m.MAY)
        found = starts_at(said, place, grammar, 1)
        if found is not None:
            if not may:
                return False
            place = found[1]
        else:
            place += 1
    return True
