"""JSON as models write it, found in any text without falling over what stands around it.

The syntax is that of JSON, and slips are forgiven: single or typographic quotes, keys and values without quotes,
comments, a comma before a closing bracket, line breaks within strings. Numbers stay texts, so
their size does not matter.

The work is linear: nothing deeper than ``MAX_DEPTH`` brackets is read, and reading goes on after what was too deep.
"""

from __future__ import annotations

import enum
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from grader.answers.text.passages import Passage, plain_passage

MAX_DEPTH: Final = 24
_LONGEST_OBJECT: Final = 4000
_MOST_RESCUES: Final = 40
_FAR: Final = 40

_INVISIBLE = "\u200b-\u200f\u2060\ufeff\u00ad\u202a-\u202e"
_SPACE: Final = re.compile(rf"(?:[\s{_INVISIBLE}]++|//[^\n]*+|/\*.*?\*/)*+", re.DOTALL)
_OPENING: Final = re.compile(
    rf"\{{(?=[\s{_INVISIBLE}]*+(?:[\"'“”„«]|//|/\*|[^\W\d]\w{{0,40}}[\s{_INVISIBLE}]*+:))|\[(?=[\s{_INVISIBLE}]*+[\"'“{{\[])"
)
_QUOTES: Final = {'"': '"', "'": "'", "“": '”“"', "”": '”"', "„": '“”"', "«": "»"}
_TEXTS: Final = {
    quote: re.compile(
        rf"[^{re.escape(close)}\\]*+(?:\\.[^{re.escape(close)}\\]*+)*+(?=[{re.escape(close)}])", re.DOTALL
    )
    for quote, close in _QUOTES.items()
}
_SCALAR: Final = re.compile(r"(?:-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?|true|false|null|True|False|None)(?![\w.])")
_BARE_KEY: Final = re.compile(r"[^\W\d]\w{0,40}")
_BARE_VALUE: Final = re.compile(r"[^\s\"'{}\[\]][^\"{}\[\]\n]{0,2000}?(?=\s*[}\]\n])")
# A backslash that LaTeX meant, though JSON knows its letter: "\boxed" is no backspace with "oxed".
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(?=boxed|text|rightarrow|to\b|times|nearrow)|(.))", re.DOTALL)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}
_SIGNS: Final = frozenset('",:{}[]')
# Texts of ASCII without escapes, of which lists of steps are made.
_PLAIN_TEXT: Final = re.compile(r'"([ !#-\[\]-~]*+)"')
_PLAIN_LIST: Final = re.compile(r'\[\s*+"[ !#-\[\]-~]*+"\s*+(?:,\s*+"[ !#-\[\]-~]*+"\s*+)*+\]')
_WIDE: Final = {":": "：", ",": "，"}
_ANSWERS: Final = re.compile(r"[\"'](\w{0,20}answer)[\"']\s*+[:：]\s*+(?=[\"'\[{])", re.IGNORECASE)
NULLS: Final = ("null", "None")


class NodeKind(enum.Enum):
    """What a piece of JSON is."""

    TEXT = enum.auto()
    SCALAR = enum.auto()
    LIST = enum.auto()
    OBJECT = enum.auto()


@dataclass(frozen=True)
class Node:
    """A piece of JSON.

    Attributes
    ----------
    kind : what it is
    start, end : where it stands, in characters of the text that was searched
    content : of a text what it says, made plain; of a scalar how it is written
    written : of a text what it says, as it was written
    keys : of an object, one for each of its ``members``
    loose : whether a slip was forgiven that JSON in Python does not make: missing quotes, comments
    """

    kind: NodeKind
    start: int
    end: int
    content: Passage = field(default_factory=lambda: Passage(""))
    written: str = ""
    members: tuple[Node, ...] = ()
    keys: tuple[str, ...] = ()
    loose: bool = False


@dataclass(frozen=True)
class Broken:
    """An object that ends before it is whole.

    Attributes
    ----------
    start, end : from its bracket up to where reading stopped
    keys : those that were read
    cut : whether the text ended within it
    """

    start: int
    end: int
    keys: tuple[str, ...]
    cut: bool


class _SyntaxError(Exception):
    """What stands here is no JSON; ``at`` is where."""

    def __init__(self, at: int, *, cut: bool = False) -> None:
        super().__init__(at)
        self.at = at
        self.cut = cut


class _DepthError(Exception):
    """Brackets are too deep; ``start`` is the first that is."""

    def __init__(self, start: int) -> None:
        super().__init__(start)
        self.start = start


def find_objects(text: str) -> Iterator[Node | Broken]:
    """The objects and lists in a text, none of which lies within another, and objects that are broken."""
    start, rescues = 0, _MOST_RESCUES
    while (opening := _OPENING.search(text, start)) is not None:
        reader = _Reader(text)
        try:
            node = reader.node(opening.start(), 1)
        except _SyntaxError as error:
            start = opening.end()
            rescues -= not error.cut
            rescued = None if error.cut or rescues < 0 else _rescued(text, opening.start())
            if rescued is not None:
                start = rescued.end
                yield rescued
            elif reader.keys:
                yield Broken(opening.start(), error.at, tuple(reader.keys), error.cut)
        except _DepthError as error:
            start = error.start
        else:
            start = node.end
            yield node


def _rescued(text: str, start: int) -> Node | None:
    """An object with quotes in a text that are not escaped: its answer, if that can be read and ends a pair."""
    line = text.find("\n\n", start, start + _LONGEST_OBJECT)
    end = min(len(text), start + _LONGEST_OBJECT) if line < 0 else line
    last = deque(_ANSWERS.finditer(text, start, end), maxlen=1)
    found = last[0] if last else None
    if found is None:
        return None
    try:
        value = _Reader(text).node(found.end(), 2)
    except (_SyntaxError, _DepthError):
        return None
    behind = text[value.end : value.end + _FAR].lstrip()
    closing = text.find("}", value.end, end)
    if closing < 0 or behind[:1] not in ("}", ","):
        return None
    return Node(NodeKind.OBJECT, start, closing + 1, members=(value,), keys=(found[1],), loose=True)


class _Reader:
    """Reads one object, and remembers its outer keys where it breaks off."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.keys: list[str] = []
        self.loose = False

    def node(self, start: int, depth: int) -> Node:
        text = self.text
        if start >= len(text):
            raise _SyntaxError(start, cut=True)
        first = text[start]
        if first in _QUOTES:
            content, written, end = self._string(start)
            return Node(NodeKind.TEXT, start, end, content, written, loose=first not in "\"'")
        if first in "{[":
            if depth > MAX_DEPTH:
                raise _DepthError(start)
            return self._container(start, depth)
        scalar = _SCALAR.match(text, start)
        if scalar is not None:
            return Node(NodeKind.SCALAR, start, scalar.end(), Passage(scalar[0], start), scalar[0])
        bare = _BARE_VALUE.match(text, start)
        if bare is None:
            raise _SyntaxError(start)
        written = bare[0].rstrip(" ,")
        return Node(NodeKind.TEXT, start, bare.end(), plain_passage(written, start), written, loose=True)

    def _container(self, start: int, depth: int) -> Node:
        text = self.text
        if plain := _PLAIN_LIST.match(text, start):
            return _listed(text, start, plain.end())
        is_object = text[start] == "{"
        closing = "}" if is_object else "]"
        keys: list[str] = []
        members: list[Node] = []
        loose = False
        place = self._skip(start + 1)
        while text[place : place + 1] != closing:
            if is_object:
                key, place, bare = self._key(place)
                loose = loose or bare
                keys.append(key)
                if depth == 1:
                    self.keys.append(key)
                place = self._skip(self._expect(self._skip(place), ":"))
            member = self.node(place, depth + 1)
            members.append(member)
            place = self._skip(member.end)
            if text[place : place + 1] != closing:
                place = self._skip(self._expect(place, ","))
        loose = loose or self.loose or any(member.loose for member in members)
        kind = NodeKind.OBJECT if is_object else NodeKind.LIST
        return Node(kind, start, place + 1, members=tuple(members), keys=tuple(keys), loose=loose)

    def _key(self, place: int) -> tuple[str, int, bool]:
        quote = self.text[place : place + 1]
        if quote and quote in _QUOTES:
            content, _, end = self._string(place)
            return content.text, end, quote not in "\"'"
        bare = _BARE_KEY.match(self.text, place)
        if bare is None:
            raise _SyntaxError(place, cut=place >= len(self.text))
        return bare[0], bare.end(), True

    def _skip(self, start: int) -> int:
        if self.text[start : start + 1] in _SIGNS:
            return start  # as nearly always
        found = _SPACE.match(self.text, start)
        if found is None:
            return start
        if "/" in found[0]:
            self.loose = True
        return found.end()

    def _expect(self, place: int, sign: str) -> int:
        if self.text[place : place + 1] not in (sign, _WIDE[sign]):
            raise _SyntaxError(place, cut=place >= len(self.text))
        return place + 1

    def _string(self, start: int) -> tuple[Passage, str, int]:
        """What a string says, as it was written too, and where it ends."""
        found = _TEXTS[self.text[start]].match(self.text, start + 1)
        if found is None:
            raise _SyntaxError(len(self.text), cut=True)
        content, written = _decoded(found[0], start + 1)
        return content, written, found.end() + 1


def _listed(text: str, start: int, end: int) -> Node:
    """A list of plain texts, as a path of many steps is."""
    members = tuple(
        Node(NodeKind.TEXT, one.start(), one.end(), Passage(one[1], one.start() + 1), one[1])
        for one in _PLAIN_TEXT.finditer(text, start, end)
    )
    return Node(NodeKind.LIST, start, end, members=members)


def _decoded(written: str, begin: int) -> tuple[Passage, str]:
    """What a string says, made plain, and as it was written."""
    if "\\" not in written:
        return plain_passage(written, begin), written
    parts: list[str] = []
    places: list[int] = []
    last = 0
    for escape in _ESCAPE.finditer(written):
        parts.append(written[last : escape.start()])
        places.extend(range(begin + last, begin + escape.start()))
        said = _unescaped(escape)
        parts.append(said)
        places.extend([begin + escape.start()] * len(said))
        last = escape.end()
    parts.append(written[last:])
    places.extend(range(begin + last, begin + len(written) + 1))
    content = "".join(parts)
    if _SURROGATE.search(content):
        content, places = _paired(content, places)
    made = plain_passage(content)
    if made.places is None:
        return Passage(made.text, begin, tuple(places)), content
    return Passage(made.text, begin, tuple(places[place] for place in made.places)), content


def _paired(content: str, places: list[int]) -> tuple[str, list[int]]:
    """Pairs of surrogates as the character that they mean; what is left over could be written nowhere."""
    parts: list[str] = []
    kept: list[int] = []
    at = 0
    while at < len(content):
        pair = content[at : at + 2]
        size = 2 if len(pair) == 2 and "\ud800" <= pair[0] <= "\udbff" and "\udc00" <= pair[1] <= "\udfff" else 1
        parts.append(pair[:size].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))
        kept.append(places[at])
        at += size
    return "".join(parts), [*kept, places[-1]]


def _unescaped(escape: re.Match[str]) -> str:
    code, letter = escape.groups()
    if code is not None:
        return chr(int(code, 16))
    if letter is None:
        return "\\"
    return _ESCAPED.get(letter, f"\\{letter}")
