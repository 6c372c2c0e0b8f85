"""Answers that are one object, read: as a fair person takes it, and to the letter.

To the letter an answer is all of a text, or what stands from its first brace to its last. Strictly read is only what a
person reads in it too, so what is denied, thought or quoted is no answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

from grader.answers.grammar.records import RecordGrammar
from grader.answers.reading import LOOKED_AT, understand
from grader.answers.result import NoAnswer, Parsed, Readings, Unread
from grader.answers.strict import StrictFault
from grader.answers.text.passages import without_unseen
from grader.answers.text.thoughts import without_thoughts

T = TypeVar("T")

StrictRecord = Callable[[Sequence[tuple[str, object]]], "T | StrictFault"]
"""From the members of an object, as they are written, to what it says, or to what could not be read."""


def read_record(text: str, strict: StrictRecord[T], grammar: RecordGrammar[T]) -> Readings[tuple[T, ...]]:
    """Finds the object that a text answers with, in both readings; parameters and result as of `reading.read`."""
    understood = understand(text, grammar)
    if isinstance(understood, Unread):
        return Readings(understood, understood)
    parsed = understood[0]
    fault = _fault(text, parsed, strict)
    if fault is None:
        return Readings(parsed, parsed)
    return Readings(Unread(NoAnswer.UNREADABLE, fault, parsed.extraction), parsed)


def _fault(text: str, parsed: Parsed[tuple[T, ...]], strict: StrictRecord[T]) -> str | None:
    """What an answer, which a person can read, is not to the letter; None where it is."""
    seen = without_unseen(text)
    answered = without_thoughts(seen.text).text
    begin, end = answered.find("{"), answered.rfind("}") + 1
    if answered[:begin].strip() == "[" and answered[end:].strip() == "]":
        return "All of the text is a list, and no JSON object."
    if not 0 <= begin < end or end - begin > LOOKED_AT:
        return "There is no JSON object."
    place = seen.span(begin, end)
    try:
        # Lists of pairs, so that a key that is there twice is seen.
        members = json.loads(text[place.start : place.end], object_pairs_hook=_Pairs, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return "From its first brace to its last the text is no JSON object."
    said = strict(members) if isinstance(members, _Pairs) else StrictFault(0, "", "an object")
    if isinstance(said, StrictFault):
        return f"Not to the letter: {said.piece}; expected {said.expected}."
    if said != parsed.value[0]:
        return "To the letter the answer says something else than a person reads in it."
    return None


class _Pairs(list[tuple[str, object]]):
    """The members of an object, in their order."""


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")
