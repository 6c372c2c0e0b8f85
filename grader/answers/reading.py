"""The way from a text to an answer that all tasks share; what an answer looks like is the task's.

Strict: a JSON object, whose value follows the task's grammar to the letter.
Lenient: any form, whose value may hold words that change nothing. A word that is not known makes the answer unreadable,
so that nothing is left out of it. Beside the whole value, three parts of it are tried: what follows a colon after words
that announce an answer, the first sentence of prose, and, in a text without any form of answer, its last lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from grader.answers.extract import LOOKED_AT, begins_an_object, extract
from grader.answers.refusals import finish_reason
from grader.answers.result import Extraction, FoundAs, NoAnswer, Parsed, Reading, Span, Unread, Value, ValueForm
from grader.answers.thoughts import without_thoughts
from grader.answers.words import plain, tidy

T = TypeVar("T")

LONGEST_ANSWER = 10_000
"""Characters of an answer that are read; a longer one is unreadable. It has room for some 800 moves."""

LONGEST_LAST_LINES = 2000
"""Characters at the end of a text without any form of answer that may be one."""

_LONGEST_PIECE = 40
_LONGEST_HEDGE = 1000
_ANNOUNCES = re.compile(
    r"\b(?:solutions?|sequence|answer|guess|moves?|rotations?|angles?|pieces?|options?|order|plan|approximat\w{1,4}"
    r"|plausible|likely|estimated?)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:not|never|wrong|incorrect|invalid|fails?)\b[^,;.]{0,30}$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+|[+-]\d*")
_BETWEEN = re.compile(r"\s++,?\s*+|,\s*+")
_CLAUSES = re.compile(r"[.,;\n]")
_SENTENCE_END = re.compile(r"(?<=[^\s,;:>-])(?:[.!](?=\s)|\n)")


@dataclass(frozen=True)
class ReadingFault:
    """What a task could not read: where it begins, in characters of the value's text, and what was expected."""

    offset: int
    piece: str
    expected: str


Reader = Callable[[str], T | ReadingFault]


def read(text: str, reading: Reading, strict: Reader[T], lenient: Reader[T]) -> Parsed[T] | Unread:
    """Find an answer in a text and read it.

    Parameters
    ----------
    text : str
        What a model wrote.
    reading : Reading
        Which of the readers is to be used, and which forms of answers.
    strict, lenient : callable
        From the text of a value to what it says or what could not be read; it never returns anything empty.
    """
    answered = without_thoughts(text)
    text = answered.text
    found = extract(text)
    if found.why_none is NoAnswer.REFUSED and _has_plan(text, strict, lenient):
        # Who answers all the same does not refuse.
        found = replace(found, why_none=NoAnswer.MISSING if found.written is None else None)
    as_asked = _read_strict(text, found, strict)
    if reading is Reading.STRICT or isinstance(as_asked, Parsed):
        # So the lenient reading never differs from a strict one, and only adds to it.
        return as_asked
    if found.found_as is FoundAs.NONE:
        # Lines after an object that is broken off are a part of it, so they are tried only where nothing was begun.
        lines = _read_last_lines(text, lenient) if found.why_none is NoAnswer.MISSING else None
        return lines or _nothing(found, text, thinks=answered.open)
    if found.written is None or found.why_none is not None:
        return _nothing(found)
    if len(found.written.text) > LONGEST_ANSWER:
        return _too_long(found)
    first_fault = None
    for start, part in _parts(found.written.text, found.found_as, lenient):
        result = lenient(plain(part))
        if not isinstance(result, ReadingFault):
            return Parsed(result, found)
        first_fault = first_fault or _unreadable(found, result, start)
    return first_fault or _nothing(found)


def _has_plan(text: str, strict: Reader[T], lenient: Reader[T]) -> bool:
    """Whether a clause can be read as an answer, or two or three words as asked: then something was answered."""
    text = plain(text[-LONGEST_ANSWER:])
    if _says_something(text, lenient):
        return True
    words = [word.span() for word in _WORD.finditer(text)]
    return any(
        not isinstance(strict(tidy(text[start : words[last][1]])), ReadingFault)
        for first, (start, _) in enumerate(words)
        for last in range(first + 1, min(first + 3, len(words)))
    )


def fault_at(text: str, offset: int, expected: str) -> ReadingFault:
    """What could not be read from ``offset`` on: up to the next comma, semicolon or line break."""
    rest = text[offset : offset + _LONGEST_PIECE].lstrip()
    return ReadingFault(offset, re.split(r"[,;\n]", rest, maxsplit=1)[0].rstrip() or rest.strip(), expected)


def items_of(text: str, item: re.Pattern[str], expected: str) -> tuple[re.Match[str], ...] | ReadingFault:
    """The items of a strict value, at least one: between two of them stand spaces, a comma, or both."""
    found: list[re.Match[str]] = []
    text = text.rstrip()
    place = len(text) - len(text.lstrip())
    while True:
        match = item.match(text, place)
        if match is None:
            return fault_at(text, place, expected)
        found.append(match)
        if match.end() == len(text):
            return tuple(found)
        between = _BETWEEN.match(text, match.end())
        if between is None:
            return fault_at(text, match.end(), expected)
        place = between.end()


def _read_strict(text: str, found: Extraction, strict: Reader[T]) -> Parsed[T] | Unread:
    if found.found_as in (FoundAs.BOXED, FoundAs.PROSE):
        if begins_an_object(text):
            return Unread(NoAnswer.UNREADABLE, "The JSON object with the key 'answer' is broken.", found)
        return Unread(NoAnswer.MISSING, "There is no JSON object with the key 'answer'.", found)
    if found.written is None or found.why_none is not None:
        return _nothing(found, text)
    if found.written.form is ValueForm.OTHER:
        piece = found.written.text[:_LONGEST_PIECE]
        message = "The value of 'answer' is neither a text nor a list of texts."
        return Unread(NoAnswer.UNREADABLE, message, found, piece, 0)
    if len(found.written.text) > LONGEST_ANSWER:
        return _too_long(found)
    result = strict(tidy(found.written.text))
    return _unreadable(found, result, 0) if isinstance(result, ReadingFault) else Parsed(result, found)


def _nothing(found: Extraction, text: str = "", *, thinks: bool = False) -> Unread:
    why = found.why_none or NoAnswer.UNREADABLE
    if why is NoAnswer.MISSING and thinks:
        return Unread(why, "There is no answer: the text ends within a thought.", found)
    if why is NoAnswer.MISSING and (stopped := finish_reason(text)):
        return Unread(why, f"There is no answer: the model was stopped ({stopped}).", found)
    says = {
        NoAnswer.MISSING: "There is no answer in the text.",
        NoAnswer.EMPTY: "The answer is empty.",
        NoAnswer.REFUSED: "The text says that it gives no answer.",
        NoAnswer.UNREADABLE: "An answer is begun, but its object or box is not closed or broken.",
    }
    return Unread(why, says[why], found)


def _too_long(found: Extraction) -> Unread:
    return Unread(NoAnswer.UNREADABLE, f"The answer has more than {LONGEST_ANSWER} characters.", found)


def _unreadable(found: Extraction, fault: ReadingFault, start: int) -> Unread:
    offset = start + fault.offset
    seen = f"{fault.piece!r}" if fault.piece else "the end"
    message = f"Cannot read {seen} at character {offset} of the answer; expected {fault.expected}."
    return Unread(NoAnswer.UNREADABLE, message, found, fault.piece, offset)


def _parts(text: str, found_as: FoundAs, lenient: Reader[T]) -> Iterator[tuple[int, str]]:
    """What may be the answer within a value, with its offset: all of it, then parts whose surroundings say nothing."""
    yield 0, text
    for colon in re.finditer(":", text[:_LONGEST_HEDGE]):
        before = text[: colon.start()]
        if _ANNOUNCES.search(before):
            if not _DENIES.search(before) and not _says_something(before, lenient):
                yield colon.end(), text[colon.end() :]
            break
    if found_as is FoundAs.PROSE:
        end = _SENTENCE_END.search(text)
        if end is not None and not _says_something(text[end.end() : end.end() + _LONGEST_HEDGE], lenient):
            yield 0, text[: end.start()]


def _says_something(text: str, lenient: Reader[T]) -> bool:
    """Whether a clause can be read as an answer: then leaving it out would change what was said."""
    return any(not isinstance(lenient(plain(clause)), ReadingFault) for clause in _CLAUSES.split(text))


def _is_blank(line: str) -> bool:
    return line.strip() in ("", "```")


def _read_last_lines(text: str, lenient: Reader[T]) -> Parsed[T] | None:
    """The longest end of the text all of whose lines can be read, or None. Lines before it may say anything."""
    end = text[-LOOKED_AT:].rstrip()
    lines = end[-LONGEST_LAST_LINES:].split("\n")
    if len(end) > LONGEST_LAST_LINES:
        # What is left of a line that was cut may say the opposite of the line.
        del lines[0]
    first = len(lines)
    while first and (_is_blank(lines[first - 1]) or not isinstance(lenient(plain(lines[first - 1])), ReadingFault)):
        first -= 1
    written = "\n".join(lines[first:]).strip().removeprefix("```").removesuffix("```").strip()
    if not written or (first and _DENIES.search(lines[first - 1].rstrip(" :"))):
        return None
    result = lenient(plain(written))
    if isinstance(result, ReadingFault):
        return None
    start = text.rindex(written)
    return Parsed(result, Extraction(FoundAs.PROSE, Span(start, start + len(written)), Value((written,)), None))
