"""Lists of moves: their numbers, and entries that can't be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from grader.answers.discourse.units import TextUnit
from grader.answers.grammar.leads import Lead, lead_of
from grader.answers.grammar.plans import Grammar
from grader.answers.grammar.rows import harmless
from grader.answers.grammar.words import number_of, step_number
from grader.answers.lexicon import meanings as m
from grader.answers.text.words import Word

T = TypeVar("T")

_SHORT_LINE: Final = 4
_FEW: Final = 2
_FEW_WORDS: Final = 3


def breaks(unit: TextUnit, words: list[Word], grammar: Grammar[T], *, opened: bool) -> bool:
    """Whether a line within a list says something that can't be read."""
    if not unit.begins_line or unit.gap:
        return False
    if unit.marked and unit.means & m.CHANGES:
        return True
    content = [place for place, word in enumerate(words) if word.text[0].isalnum()]
    if unit.marked:
        colon = next((place for place, word in enumerate(words) if word.text == ":"), 0)
        if colon and lead_of(words[:colon], grammar) is Lead.ASIDE:
            return False  # "Result: A is at the wall"
        if opened and not any(words[place].means & ~m.STEP for place in content):
            return True  # an entry that says nothing
        tells = unit.means & (m.MOVES | m.COLOR) or grammar.mentions(words)
        return bool(tells) or not harmless(words, grammar) or _names_first(words, grammar)
    return len(content) <= _SHORT_LINE and any(grammar.names(words, place) for place in content[:_FEW])


def _names_first(words: list[Word], grammar: Grammar[T]) -> bool:
    """Whether an entry begins with a thing, and does not only say where it is."""
    place = step_number(words, 0) if words else 0
    while place < len(words) and not words[place].text[0].isalnum():
        place += 1
    if place >= len(words) or not grammar.names(words, place):
        return False
    behind = words[place + 1] if place + 1 < len(words) else None
    return behind is None or not behind.means & (m.IS | m.MAY)


def of_one_move(words: Sequence[Word]) -> bool:
    """Whether words speak of one move of a plan: "the first move", "step 2"."""
    return any(word.means & m.ONE_MOVE for word in words) and not any(
        word.means & m.ANSWER for word in words if not word.means & m.ONE_MOVE
    )


def entry_number(unit: TextUnit) -> int | None:
    """The number of an entry of a list; None where it has none."""
    if not unit.marked or not unit.begins_line:
        return None
    numbers = [number_of(word) for word in unit.words[:_FEW_WORDS]]
    return next((number for number in numbers if number is not None), None)
