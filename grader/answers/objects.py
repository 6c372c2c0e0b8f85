"""Finds JSON objects with the key "answer" in any text, without falling over what stands around them.

The syntax is that of JSON, and three slips are forgiven: single quotes, a comma before a closing bracket, and line
breaks within strings. Numbers stay texts, so their size does not matter. Of equal keys the last counts.

The work is linear: nothing deeper than ``MAX_DEPTH`` brackets is read, and reading goes on after what was too deep.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.answers.result import Span, Value, ValueForm

MAX_DEPTH = 8
KEY = "answer"

_SPACE = re.compile(r"\s*+")
_OPENING = re.compile(r"\{(?=\s*+[\"'])")
_TEXT = re.compile(r"\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\"|'[^'\\]*+(?:\\.[^'\\]*+)*+'", re.DOTALL)
_SCALAR = re.compile(r"(?:-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?|true|false|null|True|False|None)(?![\w.])")
_NULLS = ("null", "None")
# A backslash that LaTeX meant, though JSON knows its letter: "\boxed" is no backspace with "oxed".
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(?=boxed|text|rightarrow|to\b|times)|(.))", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}


class _Kind(enum.Enum):
    TEXT = enum.auto()
    SCALAR = enum.auto()
    LIST = enum.auto()
    OBJECT = enum.auto()


@dataclass(frozen=True)
class _Node:
    """A piece of JSON; ``keys`` are those of an object, one for each of its ``members``."""

    kind: _Kind
    span: Span
    text: str = ""
    members: tuple[_Node, ...] = ()
    keys: tuple[str, ...] = ()


class _SyntaxError(Exception):
    """What stands here is no JSON."""


class _DepthError(Exception):
    """Brackets are too deep; ``start`` is the first that is."""

    def __init__(self, start: int) -> None:
        super().__init__(start)
        self.start = start


@dataclass(frozen=True)
class AnswerObject:
    """An object with the key: where it stands, its value, and where that stands."""

    span: Span
    value: Value
    value_span: Span


def find_objects(text: str) -> Iterator[AnswerObject]:
    """The objects with the key "answer", in the order of the text.

    An object within an object with the key is part of its value or a remark, and not an answer of its own.
    """
    start = 0
    while (opening := _OPENING.search(text, start)) is not None:
        try:
            node = _node(text, opening.start(), 1)
        except _SyntaxError:
            start = opening.end()
        except _DepthError as error:
            start = error.start
        else:
            start = node.span.end
            yield from _answers(node)


def _answers(node: _Node) -> Iterator[AnswerObject]:
    if KEY in node.keys:
        last = len(node.keys) - 1 - node.keys[::-1].index(KEY)
        found = node.members[last]
        yield AnswerObject(node.span, _value(found), found.span)
        return
    for member in node.members:
        yield from _answers(member)


def _value(node: _Node) -> Value:
    if node.kind is _Kind.TEXT:
        return Value((node.text,))
    if node.kind is _Kind.SCALAR:
        # A null is an answer without content, as "" is.
        return Value(("",)) if node.text in _NULLS else Value((node.text,), ValueForm.OTHER)
    if node.kind is _Kind.LIST and all(member.kind is _Kind.TEXT for member in node.members):
        return Value(tuple(member.text for member in node.members), ValueForm.LIST)
    return Value(tuple(_flat(node)), ValueForm.OTHER)


def _flat(node: _Node) -> Iterator[str]:
    """The items of a list or an object, each as one text: ``{"A": 90}`` is "A 90", and so is ``[["A", 90]]``."""
    if node.kind is _Kind.OBJECT and all(len(key) == 1 for key in node.keys):
        for key, member in zip(node.keys, node.members, strict=True):
            yield f"{key} {_words(member)}"
    elif node.kind is _Kind.OBJECT:
        # {"vehicle": "A", "direction": "forward"}: the keys say what the values are, the values are the answer.
        yield _words(node)
    else:
        for member in node.members:
            yield from _flat(member) if member.kind is _Kind.OBJECT else (_words(member),)


def _words(node: _Node) -> str:
    return " ".join(_words(member) for member in node.members) if node.members else node.text


def _node(text: str, start: int, depth: int) -> _Node:
    if start >= len(text):
        raise _SyntaxError
    first = text[start]
    if first in "\"'":
        content, end = _string(text, start)
        return _Node(_Kind.TEXT, Span(start, end), content)
    if first in "{[":
        if depth > MAX_DEPTH:
            raise _DepthError(start)
        return _container(text, start, depth)
    scalar = _SCALAR.match(text, start)
    if scalar is None:
        raise _SyntaxError
    return _Node(_Kind.SCALAR, Span(start, scalar.end()), scalar.group())


def _container(text: str, start: int, depth: int) -> _Node:
    is_object = text[start] == "{"
    closing = "}" if is_object else "]"
    keys: list[str] = []
    members: list[_Node] = []
    place = _skip(text, start + 1)
    while text[place : place + 1] != closing:
        if is_object:
            key, place = _string(text, place)
            keys.append(key)
            place = _skip(text, _expect(text, _skip(text, place), ":"))
        member = _node(text, place, depth + 1)
        members.append(member)
        place = _skip(text, member.span.end)
        if text[place : place + 1] != closing:
            place = _skip(text, _expect(text, place, ","))
    kind = _Kind.OBJECT if is_object else _Kind.LIST
    return _Node(kind, Span(start, place + 1), members=tuple(members), keys=tuple(keys))


def _skip(text: str, start: int) -> int:
    found = _SPACE.match(text, start)
    return start if found is None else found.end()


def _expect(text: str, place: int, sign: str) -> int:
    if text[place : place + 1] != sign:
        raise _SyntaxError
    return place + 1


def _string(text: str, start: int) -> tuple[str, int]:
    found = _TEXT.match(text, start)
    if found is None:
        raise _SyntaxError
    content = _ESCAPE.sub(_unescape, found.group()[1:-1])
    if _SURROGATE.search(content):
        # Pairs become their character; what is left over could be written nowhere.
        content = content.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return content, found.end()


def _unescape(escape: re.Match[str]) -> str:
    code, letter = escape.groups()
    if code is not None:
        return chr(int(code, 16))
    if letter is None:
        return "\\"
    return _ESCAPED.get(letter, f"\\{letter}")
