"""What stands apart from words: objects, tables, boxes and tags, each with the plan in it."""

from __future__ import annotations

from typing import TypeVar

from grader.answers.contents import AnswerContent, content_of
from grader.answers.discourse.statements import Statement
from grader.answers.grammar.leads import Lead
from grader.answers.grammar.plans import Grammar
from grader.answers.grammar.records import RecordGrammar
from grader.answers.result import FoundAs, NoAnswer, Span
from grader.answers.structures.keys import KeyRole, role_of
from grader.answers.structures.objects import read_structure
from grader.answers.structures.tables import read_table
from grader.answers.text.blocks import BOX, CLOSED, ISLAND, TAG, Parted, TextTable
from grader.answers.text.objects import Broken, Node
from grader.answers.text.prose import words_of_prose
from grader.answers.text.words import Word, words_of

T = TypeVar("T")


def set_apart(parted: Parted, grammar: Grammar[T]) -> tuple[dict[int, Statement[T]], list[Word]]:
    """Objects, tables and boxes, by where they begin, and the words of a text with a sign for each.

    Parameters
    ----------
    parted : Parted
        A text.
    grammar : Grammar
        Of the task.
    """
    # Behind an object any sentence may say something of it.
    record = isinstance(grammar, RecordGrammar)
    words = words_of(parted.passage) if record else words_of_prose(parted.passage)
    apart: dict[int, Statement[T]] = {}
    islands = iter(parted.islands)
    for word in words:
        if word.text == ISLAND:
            island = next(islands)
            made = _island(island, word, parted, grammar)
            if made is not None:
                apart[word.start] = made
    text = parted.passage.text
    return apart, _boxed(words, apart, grammar) if BOX in text or TAG in text or CLOSED in text else words


def _island(island: Node | Broken | TextTable, word: Word, parted: Parted, grammar: Grammar[T]) -> Statement[T] | None:
    span = Span(word.start, word.start + island.end - island.start)
    if isinstance(island, Broken):
        record = isinstance(grammar, RecordGrammar) and grammar.tells(island.keys)
        if record or any(role_of(key) is KeyRole.ANSWER for key in island.keys):
            content: AnswerContent[T] = AnswerContent(why=NoAnswer.UNREADABLE, cut=island.cut)
            return Statement(content, Lead.COMMITS, FoundAs.NONE, span)
        return None
    if isinstance(island, TextTable):
        read = read_table(island, grammar)
        if read is None:
            return None
        content, optional = read
        return Statement(content, Lead.PROPOSES if optional else Lead.NOTHING, FoundAs.PROSE, span)
    found = read_structure(island, grammar)
    if found is None:
        return None
    fenced = sum(1 for place in parted.fenced if place < island.start) % 2 == 1
    kind = FoundAs.FENCED_JSON if fenced else FoundAs.JSON
    lead = Lead.DENIES if found.denied else Lead.COMMITS if found.whole else Lead.NOTHING
    value = found.value
    place = Span(value.start, value.end) if value is not None else span
    return Statement(found.content, lead, kind, place, None if value is None else (island, value))


def _boxed(words: list[Word], apart: dict[int, Statement[T]], grammar: Grammar[T]) -> list[Word]:
    """Words with boxes and tags as one sign each; what is within one that holds more than a plan stands as it is."""
    made: list[Word] = []
    ends = [len(words)] * len(words)
    for place in range(len(words) - 1, -1, -1):
        closes = words[place].text == CLOSED
        ends[place] = place if closes else ends[place + 1] if place + 1 < len(words) else len(words)
    place = 0
    while place < len(words):
        word = words[place]
        if word.text not in (BOX, TAG):
            if word.text != CLOSED:
                made.append(word)
            place += 1
            continue
        end = ends[place]
        inside = next((at for at in range(place + 1, end) if words[at].text in (BOX, TAG)), None)
        if inside is not None:
            made += words[place + 1 : inside]
            place = inside  # the inner one counts
            continue
        inner = words[place + 1 : end]
        statement = _box(word, inner, grammar)
        if statement is None:
            made += inner
        else:
            apart[word.start] = statement
            made.append(word._replace(text=ISLAND, lower=ISLAND, end=statement.span.end))
        place = end + 1
    return made


def _box(opening: Word, inner: list[Word], grammar: Grammar[T]) -> Statement[T] | None:
    """A box or a tag that holds a plan and nothing else; None for one that is to be read as words."""
    if any(one.text == ISLAND for one in inner):
        return None
    text = " ".join(word.text for word in inner)
    content = content_of(inner, grammar, text)
    if content.why is not None and isinstance(grammar, RecordGrammar):
        return None  # "unreachable" in a box
    box = opening.text == BOX
    if content.why is not None and not box and len({word.text for word in inner} & {":", "\n"}) > 0:
        return None
    span = Span(inner[0].start, inner[-1].end) if inner else Span(opening.start, opening.end)
    return Statement(content, Lead.COMMITS, FoundAs.BOXED if box else FoundAs.PROSE, span)
