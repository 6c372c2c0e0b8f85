"""Answers to what is asked of jigsaw puzzles, in both readings: a letter, an order, what is wrong with a picture.

Strict is what the question asks for to the letter: the letter alone, a Python list alone, three lines alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from typing import Final, TypeVar

from grader.answers.compounds.anomalies import AnomalyAnswer, signed_anomalies
from grader.answers.compounds.choices import (
    Echoes,
    echoed_away,
    lists_alone,
    lists_with_letters,
    said_to_be_it,
    said_to_belong,
    things_away,
    words_alone,
)
from grader.answers.compounds.order_claims import contradicts, row_by_row_away
from grader.answers.compounds.orders import Order, find_orders, is_order, signed_orders
from grader.answers.compounds.signs import Signs, TextEdit, edited
from grader.answers.grammar.labels import LabelSet
from grader.answers.reading import LookedAt, answered, read_to_the_letter
from grader.answers.result import NoAnswer, Parsed, Readings, Unread
from grader.answers.strict import StrictFault
from grader.answers.text.passages import Passage

ValueT = TypeVar("ValueT", bound=Hashable)

_LIST: Final = re.compile(r"\[([1-9]), ?([1-9]), ?([1-9]), ?([1-9])\]")
_LINES: Final = re.compile(
    r"Judgment: ?(?P<judgment>[AB])[ ]?\r?\nError Position:[ ]?(?P<position>[A-D]?)[ ]?\r?\n"
    r"Error Type:[ ]?(?P<change>[AB]?)"
)
NO_ECHOES: Final[Echoes] = {}


def read_choice(
    text: str, labels: str, echoes: Echoes = NO_ECHOES, orders: Mapping[str, Order] | None = None
) -> Readings[tuple[str, ...]]:
    """Reads the one letter that an answer names.

    Parameters
    ----------
    text : str
        All that a model wrote.
    labels : str
        The letters that there are.
    echoes : mapping
        What each option says in words.
    orders : mapping, optional
        The order that each option lists, where options are orders.
    """
    seen = answered(text)
    options = orders or {}
    passage = edited(seen.passage, lists_with_letters(seen.passage.text, options))
    passage = edited(passage, echoed_away(passage.text, echoes))

    def exact(said: str) -> tuple[str, ...] | StrictFault:
        return (said,) if len(said) == 1 and said in labels else StrictFault(0, "", "the letter alone")

    def letters(changed: Passage) -> Readings[tuple[str, ...]]:
        changed = edited(changed, things_away(changed.text, labels))
        changed = edited(changed, said_to_be_it(changed))
        return read_to_the_letter(text, LookedAt(changed, seen.open), exact, LabelSet(labels, one=True))

    found = letters(passage)
    if isinstance(found.lenient, Parsed) or found.lenient.why is not NoAnswer.MISSING:
        return found
    # Without a letter what an option says is taken for it.
    passage = edited(passage, lists_alone(passage.text, options))
    passage = edited(passage, words_alone(passage.text, echoes))
    return letters(edited(passage, said_to_belong(passage.text, labels)))


def read_order(text: str) -> Readings[tuple[Order, ...]]:
    """Reads the one order that an answer gives: each number from 1 to 4 once."""

    def exact(said: str) -> Order | StrictFault:
        listed = _LIST.fullmatch(said)
        if listed is None:
            return StrictFault(0, "", "a Python list of four numbers alone")
        first, second, third, fourth = (int(number) for number in listed.groups())
        return (first, second, third, fourth)

    def found(passage: Passage, signs: Signs[Order]) -> list[TextEdit]:
        return [*row_by_row_away(passage.text), *signed_orders(passage, signs)]

    read = _read_signed(text, found, exact, "an order such as [3, 1, 4, 2]")
    said = answered(text).passage.text
    return Readings(_checked(read.strict, said), _checked(read.lenient, said))


def _checked(read: Parsed[tuple[Order, ...]] | Unread, said: str) -> Parsed[tuple[Order, ...]] | Unread:
    if isinstance(read, Unread):
        return read
    if is_order(read.value[0]):
        last = [found for found in find_orders(said) if found.order == read.value[0]][-1:]
        if not any(contradicts(said, found.start, found.end, found.order) for found in last):
            return read
        message = "What is said beside the order would make another one of it."
        return Unread(NoAnswer.UNREADABLE, message, read.extraction)
    message = f"{list(read.value[0])} is no order of four pieces; expected each number from 1 to 4 once."
    return Unread(NoAnswer.UNREADABLE, message, read.extraction, span=read.spans[0] if read.spans else None)


def read_anomaly(text: str) -> Readings[tuple[AnomalyAnswer, ...]]:
    """Reads the three lines of an answer, in any order; lines may be missing but the judgment."""

    def exact(said: str) -> AnomalyAnswer | StrictFault:
        found = _LINES.fullmatch(said)
        if found is None:
            return StrictFault(0, "", "the three lines alone")
        return AnomalyAnswer(found["judgment"], found["position"], found["change"])

    read = _read_signed(text, signed_anomalies, exact, "a line such as 'Judgment: A'")
    return Readings(_told(read.strict), _told(read.lenient))


def _told(read: Parsed[tuple[AnomalyAnswer, ...]] | Unread) -> Parsed[tuple[AnomalyAnswer, ...]] | Unread:
    if isinstance(read, Unread) or read.value[0].judgment:
        return read
    message = "The lines hold something else than the letters that are asked for, or contradict their letters."
    return Unread(NoAnswer.UNREADABLE, message, read.extraction, span=read.spans[0] if read.spans else None)


def _read_signed(
    text: str,
    find: Callable[[Passage, Signs[ValueT]], list[TextEdit]],
    exact: Callable[[str], ValueT | StrictFault],
    expected: str,
) -> Readings[tuple[ValueT, ...]]:
    """Reads one value of several parts, each different one as a sign."""
    seen = answered(text)
    signs: Signs[ValueT] = Signs(text)
    passage = edited(seen.passage, find(seen.passage, signs))
    passage = edited(passage, said_to_be_it(passage))

    def exact_sign(said: str) -> tuple[str, ...] | StrictFault:
        value = exact(said)
        return value if isinstance(value, StrictFault) else (signs.sign(value),)

    grammar = LabelSet(signs.used, one=True, wanted=expected)
    read = read_to_the_letter(text, LookedAt(passage, seen.open), exact_sign, grammar)

    def meant(one: Parsed[tuple[str, ...]] | Unread) -> Parsed[tuple[ValueT, ...]] | Unread:
        if isinstance(one, Unread):
            return one
        return Parsed((signs.value(one.value[0]),), one.extraction, one.spans)

    return Readings(meant(read.strict), meant(read.lenient))
