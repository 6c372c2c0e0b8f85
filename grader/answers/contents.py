"""What a part of a text says, if it is meant as an answer: items with their places, or why it says none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from grader.answers.grammar.plans import Grammar, Plan, RowFault
from grader.answers.grammar.rows import starts_at
from grader.answers.grammar.values import read_value
from grader.answers.refusals import says_nothing
from grader.answers.result import NoAnswer, Span
from grader.answers.text.words import Word

T = TypeVar("T")

_PLACEHOLDER: Final = re.compile(
    r"\W*\.{2,}\W*|\s*<[^<>]{0,80}>\s*|\s*\[[^\[\]]{0,80}\]\s*|\s*_{2,}\s*|[^.]{0,80}\.{3}\s*"
    r"|\W*(?:your|my|the|insert|put)?\s*\w{0,12}\s*"
    r"(?:moves?|answers?|sequence|solution|steps?|plan|actions?|directions?)\s*"
    r"(?:here|go here|sequence|string|list)?\W*",
    re.IGNORECASE,
)
LONGEST_ANSWER: Final = 10_000
"""Characters of an answer that are read; a longer one is unreadable. It has room for some 800 moves."""


@dataclass(frozen=True)
class AnswerContent(Generic[T]):
    """What is said.

    Attributes
    ----------
    items : moves, steps, turns or labels; empty where there is none
    spans : where each stands
    why : why there is none; None where there are items
    fault : what could not be read
    quoted : whether a placeholder stands in place of an answer
    foreign : whether it speaks of nothing that the task is about, as a number of moves does
    cut : whether the text ends within it
    """

    items: tuple[T, ...] = ()
    spans: tuple[Span, ...] = ()
    why: NoAnswer | None = None
    fault: RowFault | None = None
    quoted: bool = False
    foreign: bool = False
    cut: bool = False

    def same(self, other: AnswerContent[T], grammar: Grammar[T]) -> bool:
        """Whether two say the same."""
        if grammar.sets:
            return set(self.items) == set(other.items)
        return self.items == other.items


def nothing(why: NoAnswer, fault: RowFault | None = None) -> AnswerContent[T]:
    """No items."""
    return AnswerContent(why=why, fault=fault)


def content_of(words: Sequence[Word], grammar: Grammar[T], text: str = "") -> AnswerContent[T]:
    """What words say that are an answer and nothing else; ``text`` is what is searched for a refusal."""
    said = list(words)
    if said and said[-1].end - said[0].start > LONGEST_ANSWER:
        return nothing(
            NoAnswer.UNREADABLE, RowFault(said[0].start, said[-1].end, f"at most {LONGEST_ANSWER} characters")
        )
    read = read_value(said, grammar)
    if not isinstance(read, Plan) and text.strip() and _PLACEHOLDER.fullmatch(text) and not (read and read.begun):
        return AnswerContent(why=NoAnswer.MISSING, quoted=True)
    if read is None:
        return nothing(NoAnswer.REFUSED if "?" in text else NoAnswer.EMPTY)
    if isinstance(read, Plan):
        return AnswerContent(read.items, tuple(Span(*place) for place in read.places))
    begun = read.begun or any(starts_at(said, place, grammar) is not None for place in range(len(said)))
    if not begun and text and says_nothing(text):
        return nothing(NoAnswer.REFUSED)
    foreign = not begun and not grammar.mentions(said)
    return AnswerContent(why=NoAnswer.AMBIGUOUS if read.open else NoAnswer.UNREADABLE, fault=read, foreign=foreign)


def joined(contents: Sequence[AnswerContent[T]]) -> AnswerContent[T]:
    """Several parts of one answer; the first that says none decides."""
    for one in contents:
        if one.why is not None:
            return one
    return AnswerContent(
        tuple(item for one in contents for item in one.items), tuple(span for one in contents for span in one.spans)
    )


def agreed(contents: Sequence[AnswerContent[T]], grammar: Grammar[T]) -> AnswerContent[T]:
    """Several answers that should be one: ambiguous where they differ."""
    first = contents[0]
    if all(one.why is first.why and one.same(first, grammar) for one in contents):
        return first
    return nothing(NoAnswer.AMBIGUOUS)
