"""What words behind an answer that is one object say of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from grader.answers.discourse.memory import Memory
from grader.answers.grammar.plans import Grammar
from grader.answers.grammar.records import RecordGrammar
from grader.answers.text.words import Word

T = TypeVar("T")


def contradicted(words: Sequence[Word], memory: Memory[T]) -> bool:
    """Whether words say something else than the object that was answered last."""
    grammar, answers = memory.grammar, memory.answers
    if not isinstance(grammar, RecordGrammar) or not answers or not words:
        return False
    items = answers[-1].content.items
    return bool(items) and grammar.contradicts(words, items[0])


def about_puzzle(words: Sequence[Word], grammar: Grammar[T]) -> bool:
    """Whether words speak of the puzzle and of no answer, where answers are objects."""
    return isinstance(grammar, RecordGrammar) and grammar.is_about_puzzle(words)
