"""From what a model wrote to its answer: the last JSON object with the key "answer", a box, or a sentence that says it.

An object wins over a box, and a box over a sentence, whatever stands last. Of several of a kind the last counts, so an
example copied from the prompt is an answer only if none follows. What is readable wins over what is cut off.

The work is linear in the length of what is looked at, and no more than the last ``LOOKED_AT`` characters are.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from typing import TypeVar

from grader.answers.objects import find_objects
from grader.answers.refusals import refuses
from grader.answers.result import Extraction, FoundAs, NoAnswer, Span, Value

T = TypeVar("T")

LOOKED_AT = 2**17
"""Characters from the end of a text that are looked at; answers stand at the end."""

LONGEST_SENTENCE = 2000
"""Characters of an answer in prose that are looked at."""

_KEY = re.compile(r"[\"']answer[\"']\s*+:")
_CONTROL_TOKEN = re.compile(r"<\|[^<>|\n]{1,40}\|>|</?s>")
_FENCE = re.compile(r"```")
_BRACES = re.compile(r"(\\boxed\s*+\{)|\\[{}]|[{}]")
_IS = r"(?:\s{1,4}(?:is|are|would be|should be|must be)\b[*_\s]{0,4}:?|\s{0,4}[:=])"
_MARKS = r"[*_`]{0,4}"
# A key without its object, and a tag; both say where the answer ends.
_ENCLOSED = (
    re.compile(r"[\"“]answer[\"”]\s*+:\s*+[\"“]([^\"“”\n]{1,2000})[\"”]", re.IGNORECASE),
    re.compile(r"<answer>\s*+([^<]{1,2000})</answer>", re.IGNORECASE),
)
_LEADS = (
    re.compile(rf"\bfinal answer\b{_MARKS}{_IS}", re.IGNORECASE),
    re.compile(rf"\banswer\b{_MARKS}{_IS}", re.IGNORECASE),
    re.compile(r"^[ #*_]{0,8}(?:final )?answer[*_: ]{0,6}$", re.IGNORECASE | re.MULTILINE),
    re.compile(rf"\b(?:solution|(?:correct|right|matching) (?:option|choice|pattern))\b{_MARKS}{_IS}", re.IGNORECASE),
)
_AFTER_LEAD = re.compile(r"[\s*_]{0,12}")
_BLANK_LINE = re.compile(r"\n[ \t]{0,8}\r?\n")
# Arrows may be steps, and "?" says that the answer is not known.
_NO_CONTENT = re.compile(r"[^\w↑↓←→⬆⬇⬅➡?]*+_*+[^\w↑↓←→⬆⬇⬅➡?]*+")
_REFUSING_WORDS = re.compile(
    r"\W{0,4}(?:unknown|none|null|n/?a|nan|nil|idk|undetermined|indeterminate|unsolvable|unclear|uncertain|not sure"
    r"|no (?:valid )?(?:answer|solution)|i don'?t know)\W{0,4}",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"(?:\b(?:cannot|can't|can not|could not|couldn't|unable to|not able to|(?:im|not )possible to)\s{1,3}"
    r"(?:\w{1,20}\s{1,3}){0,2}?"
    r"(?:determine|solve|tell|see|view|access|identify|infer|state|compute|find|answer|provide|give|deduce|work out)\b"
    r"|\b(?:insufficient|not enough)\s{1,3}(?:\w{1,20}\s{1,3})?(?:information|data|detail)"
    r"|\b(?:do not|don't) know\b|\bunable to determine\b)",
    re.IGNORECASE,
)
# "I can't tell for sure; my best guess: A 90" does answer.
_YET = re.compile(
    r"\b(?:guess|plausible|approximat\w{1,4}|likely|probabl[ey]|possible|tentative|estimate)\b[^:]{0,60}:",
    re.IGNORECASE,
)


def extract(text: str) -> Extraction:
    """Find the answer in a text.

    Parameters
    ----------
    text : str
        Anything, of any length; the last ``LOOKED_AT`` characters are looked at. Whoever has no text at all passes "".

    Returns
    -------
    Extraction
        Its span counts from the beginning of the whole text.

    Examples
    --------
    >>> found = extract('So it is {"answer": "A C"}.')
    >>> found.found_as.value, found.written.text, found.span
    ('JSON', 'A C', Span(start=20, end=25))
    >>> extract('{"answer": "unknown"}').why_none.value, extract("Let me see").why_none.value
    ('REFUSED', 'MISSING')
    """
    skipped = max(0, len(text) - LOOKED_AT)
    # Same length, so that spans hold.
    looked_at = _CONTROL_TOKEN.sub(lambda token: " " * len(token.group()), text[skipped:])
    found = _last_object(looked_at) or _last_box(looked_at) or _last_sentence(looked_at)
    if found is None:
        return Extraction(FoundAs.NONE, None, None, _why_nothing(looked_at))
    kind, start, end, value = found
    return Extraction(kind, Span(skipped + start, skipped + end), value, _why_no_value(value, kind))


def begins_an_object(text: str) -> bool:
    """Whether the key of an answer stands in what is looked at, in an object that can be read or not."""
    return _KEY.search(text, max(0, len(text) - LOOKED_AT)) is not None


def _why_no_value(value: Value, kind: FoundAs) -> NoAnswer | None:
    """Why a value says nothing: it has no content, or refuses to answer. None if it may say something."""
    text = value.text[:LONGEST_SENTENCE]
    if kind is FoundAs.PROSE:
        # What is said after the first sentence explains the answer, and may speak of what could not be done.
        text = re.split(r"\n|[.!]\s", text, maxsplit=1)[0]
    if _NO_CONTENT.fullmatch(value.text):
        return NoAnswer.EMPTY
    return NoAnswer.REFUSED if _refuses(text) or refuses(text) else None


def _refuses(text: str) -> bool:
    text = text.replace("’", "'")
    if _REFUSING_WORDS.fullmatch(text) or not text.strip(" ?"):
        return True
    refusal = _REFUSAL.search(text)
    return refusal is not None and _YET.search(text, refusal.end()) is None


def _why_nothing(text: str) -> NoAnswer:
    if _KEY.search(text) or "\\boxed" in text:
        return NoAnswer.UNREADABLE
    end = text[-LONGEST_SENTENCE:]
    return NoAnswer.REFUSED if end.strip() and (_refuses(end) or refuses(text)) else NoAnswer.MISSING


def _last(found: Iterable[T]) -> T | None:
    return next(iter(deque(found, maxlen=1)), None)


def _last_object(text: str) -> tuple[FoundAs, int, int, Value] | None:
    if _KEY.search(text) is None:
        return None
    last = _last(find_objects(text))
    if last is None:
        return None
    fenced = sum(1 for _ in _FENCE.finditer(text, 0, last.span.start)) % 2 == 1
    kind = FoundAs.FENCED_JSON if fenced else FoundAs.JSON
    return kind, last.value_span.start, last.value_span.end, last.value


def _last_box(text: str) -> tuple[FoundAs, int, int, Value] | None:
    """The content of the box that is closed last; braces are counted, so that those within it do not close it."""
    if "\\boxed" not in text:
        return None
    last = None
    opened: list[int | None] = []
    for brace in _BRACES.finditer(text):
        if brace.group(1):
            opened.append(brace.end())
        elif brace.group() == "{":
            opened.append(None)
        elif brace.group() == "}" and opened:
            start = opened.pop()
            if start is not None:
                last = (start, brace.start())
    if last is None:
        return None
    return FoundAs.BOXED, *last, Value((text[slice(*last)],))


def _last_sentence(text: str) -> tuple[FoundAs, int, int, Value] | None:
    """What a tag or a lone key encloses, or what follows the last words that announce an answer up to an empty line."""
    for enclosed in _ENCLOSED:
        found = _last(enclosed.finditer(text))
        if found is not None and found.group(1).strip():
            return FoundAs.PROSE, *found.span(1), Value((found.group(1),))
    for lead in _LEADS:
        last = _last(lead.finditer(text))
        if last is None:
            continue
        skipped = _AFTER_LEAD.match(text, last.end())
        start = last.end() if skipped is None else skipped.end()
        blank = _BLANK_LINE.search(text, start, start + LONGEST_SENTENCE)
        end = blank.start() if blank else min(len(text), start + LONGEST_SENTENCE)
        written = text[start:end].rstrip()
        if written:
            return FoundAs.PROSE, start, start + len(written), Value((written,))
    return None
