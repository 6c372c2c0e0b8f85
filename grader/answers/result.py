"""What is found in a text, and what it is read as: plain data. No answer and an empty answer are never a value."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


class Reading(enum.Enum):
    """How an answer is read: as the prompt asks for it, or as a person would still understand it."""

    STRICT = "STRICT"
    LENIENT = "LENIENT"


class FoundAs(enum.Enum):
    """In which form an answer was found."""

    JSON = "JSON"
    FENCED_JSON = "FENCED_JSON"
    BOXED = "BOXED"
    PROSE = "PROSE"
    NONE = "NONE"


class NoAnswer(enum.Enum):
    """Why there is no answer. Each of them counts as a wrong answer.

    MISSING: nothing looks like an answer. EMPTY: an answer without content, such as "". REFUSED: it says that it gives
    none, such as "unknown". UNREADABLE: there is something, and it does not follow the rules. AMBIGUOUS: there are
    several that differ, and none of them is chosen.
    """

    MISSING = "MISSING"
    EMPTY = "EMPTY"
    REFUSED = "REFUSED"
    UNREADABLE = "UNREADABLE"
    AMBIGUOUS = "AMBIGUOUS"


class ValueForm(enum.Enum):
    """What stood after the key: TEXT, a LIST of texts, or OTHER (a number, an object, a list of such)."""

    TEXT = "TEXT"
    LIST = "LIST"
    OTHER = "OTHER"


@dataclass(frozen=True)
class Span:
    """A stretch of a text, in characters: from ``start`` up to but without ``end``."""

    start: int
    end: int


@dataclass(frozen=True)
class Value:
    """An answer as it was written, with escapes of JSON undone.

    Attributes
    ----------
    items : the texts of a list; for a text that one text
    form : what it was
    """

    items: tuple[str, ...]
    form: ValueForm = ValueForm.TEXT

    @property
    def text(self) -> str:
        """The items with a comma and a space between them."""
        return ", ".join(self.items)


@dataclass(frozen=True)
class Extraction:
    """What was found in a text.

    Attributes
    ----------
    found_as : the form of the answer; NONE if there is none
    span : where the value stands in the text, its quotes included; None if there is none
    written : the value as it stands there, even if it is empty or refuses to answer
    why_none : why there is no value; None if there is one

    Raises
    ------
    ValueError
        If these contradict each other.
    """

    found_as: FoundAs
    span: Span | None
    written: Value | None
    why_none: NoAnswer | None

    def __post_init__(self) -> None:
        nothing = self.found_as is FoundAs.NONE
        if nothing != (self.span is None) or nothing != (self.written is None):
            raise ValueError("a span and a value are given where something was found, and only there")
        if nothing and self.why_none is None:
            raise ValueError("where nothing was found, a reason is given")

    @property
    def value(self) -> Value | None:
        """The value, or None where ``why_none`` says why there is none."""
        return self.written if self.why_none is None else None


@dataclass(frozen=True)
class Parsed(Generic[T]):
    """An answer that was read.

    Attributes
    ----------
    value : what it says; never empty
    extraction : where it was found
    spans : where each part of the value stands in the text: each move, each turn, each label

    Raises
    ------
    ValueError
        If the value is empty: that is no answer, and has to be an ``Unread``.
    """

    value: T
    extraction: Extraction
    spans: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        if not self.value:
            raise ValueError("an answer that was read has content; without it there is no answer, which is Unread")


@dataclass(frozen=True)
class Unread:
    """An answer that could not be read, which is a wrong answer. It has no value on purpose.

    Attributes
    ----------
    why : the kind of reason
    message : a sentence that says what could not be read, and where
    extraction : what was found in the text
    piece : what could not be read, at most 40 characters; "" if the reason is another one
    span : where that stands in the text; None if the reason is another one
    cut : whether the text was cut off before there was an answer, as at a limit of tokens
    """

    why: NoAnswer
    message: str
    extraction: Extraction
    piece: str = ""
    span: Span | None = None
    cut: bool = False


@dataclass(frozen=True)
class Readings(Generic[T]):
    """An answer in both readings; where the strict one is read, the lenient one says the same."""

    strict: Parsed[T] | Unread
    lenient: Parsed[T] | Unread

    def of(self, reading: Reading) -> Parsed[T] | Unread:
        """One of them."""
        return self.strict if reading is Reading.STRICT else self.lenient
