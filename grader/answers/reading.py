"""Answers read: the last commitment that was not taken back, as a fair person takes it, and as the prompt asks for it.

Lenient: any form. Strict: the commitment is the value of the key "answer" of a JSON object, and follows the task's
grammar to the letter. So what strict reads, lenient reads, and the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from grader.answers.contents import LONGEST_ANSWER, AnswerContent
from grader.answers.discourse.statements import Statement
from grader.answers.discourse.telling import Discourse
from grader.answers.grammar.plans import Grammar, RowFault
from grader.answers.refusals import finish_reason, refuses
from grader.answers.result import Extraction, FoundAs, NoAnswer, Parsed, Readings, Span, Unread, Value, ValueForm
from grader.answers.strict import Strict, StrictFault
from grader.answers.structures.objects import KEY
from grader.answers.text.blocks import part
from grader.answers.text.objects import NULLS, Node, NodeKind
from grader.answers.text.passages import Passage, without_unseen
from grader.answers.text.thoughts import without_thoughts

T = TypeVar("T")

LOOKED_AT: Final = 3 * 2**13
"""Characters from the end of a text that are looked at; answers stand at the end."""
_LONGEST_PIECE: Final = 40
_LIMITS: Final = re.compile(r"length|limit|max|token|truncat|incomplete", re.IGNORECASE)
"""Why a service stopped a model, where that is no filter: it had said enough."""
_BEGUN: Final = re.compile(r"[\"']answer[\"']\s*+:")
# Beside these, strict values are ASCII: typographic dashes, spaces and apostrophes, and the sign of degrees.
_NOT_STRICT: Final = re.compile(r"[^\x00-\x7f\u2212\u2013\u00a0\u202f\u2009\u200b’°º]")


@dataclass(frozen=True)
class LookedAt:
    """What of a text is looked at: without thoughts, from the end.

    Attributes
    ----------
    passage : with its places in all that a model wrote
    open : whether the text ends within a thought
    """

    passage: Passage
    open: bool


def read(text: str, strict: Strict[T], grammar: Grammar[T]) -> Readings[tuple[T, ...]]:
    """Finds the answer in a text and reads it, as the prompt asks for it and as a person understands it.

    Parameters
    ----------
    text : str
        All that a model wrote, of any length; the last ``LOOKED_AT`` characters are looked at.
    strict : callable
        From the text of a value to its items, or to what could not be read.
    grammar : Grammar
        Of the task.

    Returns
    -------
    Readings
        In each, the items in the order in which they are written, at least one, and where each stands; or why
        there are none.
    """
    understood = understand(text, grammar)
    if isinstance(understood, Unread):
        objects = (FoundAs.JSON, FoundAs.FENCED_JSON, FoundAs.NONE)
        same = understood.extraction.found_as in objects
        return Readings(understood if same else _no_object(understood.extraction, text), understood)
    parsed, statement, places = understood
    return Readings(_strictly(text, parsed, statement, strict, places), parsed)


def understand(text: str, grammar: Grammar[T]) -> tuple[Parsed[tuple[T, ...]], Statement[T], Passage] | Unread:
    """What a person reads, the statement that it stands in, and where its characters are in the text."""
    return _understand(text, answered(text), grammar)


def read_to_the_letter(text: str, seen: LookedAt, exact: Strict[T], grammar: Grammar[T]) -> Readings[tuple[T, ...]]:
    """The same where a prompt asks for the answer and nothing else, in a form of its own.

    Parameters
    ----------
    text : str
        All that a model wrote.
    seen : LookedAt
        What of it is looked at; stretches may have been replaced by signs.
    exact : callable
        From what is left of a text without thoughts, and without spaces around it, to the items, or to what could not
        be read.
    grammar : Grammar
        Of the task.
    """
    understood = _understand(text, seen, grammar)
    if isinstance(understood, Unread):
        return Readings(understood, understood)
    parsed = understood[0]
    exactly = exact(answered(text).passage.text.strip())
    if isinstance(exactly, StrictFault):
        message = f"The answer is not written as the question asks; expected {exactly.expected}."
        return Readings(Unread(NoAnswer.UNREADABLE, message, parsed.extraction), parsed)
    if exactly != parsed.value:
        message = "To the letter the answer says something else than a person reads in it."
        return Readings(Unread(NoAnswer.UNREADABLE, message, parsed.extraction), parsed)
    return Readings(parsed, parsed)


def answered(text: str) -> LookedAt:
    """What of a text is looked at."""
    seen = without_unseen(text)
    left = without_thoughts(seen.text)
    skipped = _skipped(left.text)
    cut = seen.cut(skipped, len(seen.text))
    return LookedAt(Passage(left.text[skipped:], cut.begin, cut.places), left.open)


def _understand(
    text: str, seen: LookedAt, grammar: Grammar[T]
) -> tuple[Parsed[tuple[T, ...]], Statement[T], Passage] | Unread:
    """What a person reads, the statement that it stands in, and where its characters are in the text."""
    discourse = Discourse(grammar)
    discourse.read(part(seen.passage.text))
    left = discourse.memory.outcome()
    if left is None:
        planned = any(one.content.items for one in discourse.memory.seen)
        return _nothing(seen.passage.text, thinks=seen.open, denied=discourse.memory.taken_back, planned=planned)
    places = seen.passage
    left = _moved(left, places)
    extraction = _extraction(left, text)
    content = left.content
    if content.why is None:
        return Parsed(content.items, extraction, content.spans), left, places
    return _unread(content, extraction, text)


def _skipped(text: str) -> int:
    """Where looking begins: behind a line or a sentence, for what is left of one may say the opposite of it."""
    if len(text) <= LOOKED_AT:
        return 0
    begin = len(text) - LOOKED_AT
    found = re.compile(r"\n|[.!?]\s").search(text, begin)
    return begin if found is None else found.end()


def _moved(statement: Statement[T], passage: Passage) -> Statement[T]:
    """With its places in all that a model wrote."""
    if passage.places is None and not passage.begin:
        return statement
    content = statement.content
    spans = tuple(passage.span(span.start, span.end) for span in content.spans)
    fault = content.fault
    if fault is not None:
        place = passage.span(fault.start, fault.end)
        fault = replace(fault, start=place.start, end=place.end)
    span = passage.span(statement.span.start, statement.span.end)
    return replace(statement, content=replace(content, spans=spans, fault=fault), span=span)


def _extraction(statement: Statement[T], text: str) -> Extraction:
    if statement.found_as is FoundAs.NONE:
        return Extraction(FoundAs.NONE, None, None, NoAnswer.UNREADABLE)
    why = statement.content.why
    if statement.node is not None:
        value = _value(statement.node[1])
    else:
        value = Value((text[statement.span.start : statement.span.end],))
    none = why if why in (NoAnswer.EMPTY, NoAnswer.REFUSED) else None
    return Extraction(statement.found_as, statement.span, value, none)


def _value(node: Node) -> Value:
    if node.kind is NodeKind.TEXT:
        return Value((node.written,))
    if node.kind is NodeKind.SCALAR:
        return Value(("",)) if node.written in NULLS else Value((node.written,), ValueForm.OTHER)
    if node.kind is NodeKind.LIST and all(member.kind is NodeKind.TEXT for member in node.members):
        return Value(tuple(member.written for member in node.members), ValueForm.LIST)
    return Value(tuple(_texts(node)), ValueForm.OTHER)


def _texts(node: Node) -> list[str]:
    if not node.members:
        return [node.written]
    keys = node.keys or ("",) * len(node.members)
    return [f"{key} {' '.join(_texts(member))}".strip() for key, member in zip(keys, node.members, strict=True)]


def _strictly(
    text: str, parsed: Parsed[tuple[T, ...]], statement: Statement[T], strict: Strict[T], places: Passage
) -> Parsed[tuple[T, ...]] | Unread:
    """The same answer, if it is written as the prompt asks."""
    found = parsed.extraction
    if statement.node is None:
        return _no_object(found, text)
    outer, value = statement.node
    written = found.written
    last = max((place for place, key in enumerate(outer.keys) if key == KEY), default=None)
    if written is None or last is None or outer.members[last] is not value:
        return _no_object(found, text)
    if outer.loose:
        return Unread(NoAnswer.UNREADABLE, "The JSON object with the key 'answer' is broken.", found)
    if written.form is ValueForm.OTHER:
        message = "The value of 'answer' is neither a text nor a list of texts."
        return Unread(NoAnswer.UNREADABLE, message, found, written.text[:_LONGEST_PIECE], found.span)
    odd = None if found.span is None else _NOT_STRICT.search(text, found.span.start, found.span.end)
    plain = ", ".join(member.content.text for member in (value.members or (value,)))
    read_strictly = strict(plain) if odd is None else StrictFault(0, odd[0], "letters as the prompt has them")
    if isinstance(read_strictly, StrictFault):
        return _not_strict(read_strictly, found, value, places)
    if read_strictly != parsed.value:
        return Unread(
            NoAnswer.UNREADABLE, "To the letter the answer says something else than a person reads in it.", found
        )
    return parsed


def _no_object(found: Extraction, text: str) -> Unread:
    begin = max(0, len(text) - LOOKED_AT)
    if text.find(KEY, begin) >= 0 and _BEGUN.search(text, begin) is not None:
        return Unread(NoAnswer.UNREADABLE, "The JSON object with the key 'answer' is broken.", found)
    return Unread(NoAnswer.MISSING, "There is no JSON object with the key 'answer'.", found)


def _not_strict(fault: StrictFault, found: Extraction, value: Node, places: Passage) -> Unread:
    """What could not be read strictly, and where it stands in the text."""
    offset = fault.offset
    for member in value.members or (value,):
        size = len(member.content.text)
        if offset <= size:
            inner = member.content.span(min(offset, size), min(offset + len(fault.piece), size))
            span = places.span(inner.start, inner.end)
            return Unread(NoAnswer.UNREADABLE, _message(fault.piece, span, fault.expected), found, fault.piece, span)
        offset -= size + len(", ")
    return Unread(
        NoAnswer.UNREADABLE, f"Cannot read the answer; expected {fault.expected}.", found, fault.piece, found.span
    )


def _message(piece: str, span: Span, expected: str) -> str:
    seen = f"{piece!r} at character {span.start} of the text" if piece else "on at the end of the answer"
    return f"Cannot read {seen}; expected {expected}."


def _nothing(text: str, *, thinks: bool, denied: bool, planned: bool) -> Unread:
    # Who speaks of moves does not refuse.
    refused = bool(text.strip()) and not planned and refuses(text)
    why = NoAnswer.REFUSED if refused else NoAnswer.MISSING
    found = Extraction(FoundAs.NONE, None, None, why)
    if refused:
        return Unread(why, "The text says that it gives no answer.", found)
    if thinks:
        return Unread(why, "There is no answer: the text ends within a thought.", found, cut=True)
    stopped = finish_reason(text)
    if stopped:
        message = f"There is no answer: the model was stopped ({stopped})."
        return Unread(why, message, found, cut=_LIMITS.search(stopped) is not None)
    if denied:
        return Unread(why, "There is no answer: what was said is denied or taken back.", found)
    return Unread(why, "There is no answer in the text.", found)


def _unread(content: AnswerContent[T], found: Extraction, text: str) -> Unread:
    why = content.why or NoAnswer.UNREADABLE
    if why is NoAnswer.AMBIGUOUS:
        return Unread(why, "The text names several answers that differ, and none of them is chosen.", found)
    if why is NoAnswer.EMPTY:
        return Unread(why, "The answer is empty.", found)
    if why is NoAnswer.REFUSED:
        return Unread(why, "The text says that it gives no answer.", found)
    fault = content.fault
    if fault is None or found.span is None:
        message = "An answer is begun, but its object is not closed or broken."
        return Unread(why, message, found, cut=content.cut)
    return _unreadable(fault, found, text)


def _unreadable(fault: RowFault, found: Extraction, text: str) -> Unread:
    if fault.end - fault.start > LONGEST_ANSWER:
        return Unread(NoAnswer.UNREADABLE, f"The answer has more than {LONGEST_ANSWER} characters.", found)
    written = text[fault.start : fault.end][:_LONGEST_PIECE].encode("utf-8", "replace").decode()
    piece = written.split("\n", maxsplit=1)[0].strip()
    span = Span(fault.start, fault.end)
    return Unread(NoAnswer.UNREADABLE, _message(piece, span, fault.expected), found, piece, span)
