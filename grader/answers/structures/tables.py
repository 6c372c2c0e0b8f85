"""Tables as answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from grader.answers.contents import AnswerContent, agreed, content_of, joined, nothing
from grader.answers.grammar.plans import Grammar
from grader.answers.grammar.rows import harmless
from grader.answers.grammar.words import denies, number_of
from grader.answers.result import NoAnswer
from grader.answers.structures.keys import KeyRole, role_of
from grader.answers.text.blocks import TextTable
from grader.answers.text.passages import Passage
from grader.answers.text.words import Word, words_of

T = TypeVar("T")


def read_table(table: TextTable, grammar: Grammar[T]) -> tuple[AnswerContent[T], bool] | None:
    """What a table says, and whether its rows are options; None where no column holds moves."""
    columns = [
        _column(
            table.heads[place].text if place < len(table.heads) else "",
            [row[place] for row in table.rows if place < len(row)],
            grammar,
        )
        for place in range(max(len(row) for row in table.rows))
    ]
    if any(grammar.about_others(words_of(head)) for head in table.heads):
        return nothing(NoAnswer.UNREADABLE), False
    contents: list[AnswerContent[T]] = []
    some_denied = False
    for cells in table.rows:
        row: list[Word] = []
        denied = False
        for role, cell in zip(columns, cells, strict=False):
            words = words_of(cell)
            if role in (KeyRole.THING, KeyRole.WAY, KeyRole.ANSWER):
                row += words
            elif role in (KeyRole.VALID, KeyRole.DENIED) and (
                denies(words) or "✗" in cell.text or cell.text.strip().lower() == "no"
            ):
                denied = True
            elif role is KeyRole.UNKNOWN and grammar.hinted(words) and not harmless(words, grammar):
                return nothing(NoAnswer.UNREADABLE), False
        some_denied = some_denied or denied
        if not denied and any(word.text.isalnum() or grammar.hinted([word]) for word in row):
            contents.append(content_of(row, grammar))
    if not contents or not any(role in (KeyRole.THING, KeyRole.WAY, KeyRole.ANSWER) for role in columns):
        return None
    plans = [one for one in contents if len(set(one.spans)) > 1]
    optional = KeyRole.OPTION in columns or (bool(plans) and len(plans) == len(contents))
    if some_denied and not optional:
        return nothing(NoAnswer.UNREADABLE), False  # a step that is none
    return (agreed(contents, grammar) if optional else joined(contents)), optional


def _column(head: str, cells: Sequence[Passage], grammar: Grammar[T]) -> KeyRole:
    """What a column holds: by its head, or by what stands in it."""
    words = [words_of(cell) for cell in cells]
    role = role_of(head.strip(" *_`"))
    if all(_numbers(one) for one in words):
        return KeyRole.STEP if role is not KeyRole.OPTION else role
    if role in (KeyRole.ASIDE, KeyRole.THING, KeyRole.WAY, KeyRole.OPTION, KeyRole.VALID, KeyRole.DENIED):
        return role
    if all(content_of(one, grammar).items for one in words):
        return KeyRole.ANSWER
    if all(len(one) == 1 and len(one[0].text) == 1 for one in words):
        return KeyRole.THING
    if role is KeyRole.ANSWER or all(len(one) == 1 and grammar.mentions(one) for one in words):
        return KeyRole.WAY
    return KeyRole.UNKNOWN


def _numbers(words: Sequence[Word]) -> bool:
    return all(number_of(word) is not None or word.text in ".)#(" for word in words)
