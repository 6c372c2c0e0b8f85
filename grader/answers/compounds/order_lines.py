"""Orders of pieces that are told by rows, by columns, by coordinates or by short names of places.

"Top row: 2, 1. Bottom row: 3, 4", "(1,1)=2, (1,2)=1, ...", "TL: 2, TR: 1, ...", a table of two rows: each says of all
four places which piece lies there, in whatever order it goes through them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

_THING: Final = r"(?:<?(?:images?|img|pictures?|pic|pieces?|crops?|patch|numbers?|no\.?|#)[\s_#]{0,2}){0,2}"


def _number(name: str) -> str:
    return rf"[\"'*`]{{0,3}}{_THING}(?P<{name}>[1-9])>?[\"'*`]{{0,3}}(?![\w.]?\d)"


def _cells(one: str, other: str) -> str:
    return rf"\|?[ \t]*{_number(one)}[ \t]*\|[ \t]*{_number(other)}[ \t]*\|?[ \t]*"


_BETWEEN: Final = r"(?:\s{0,3}(?:,\s{0,3}(?:and\b)?|->|→|\||-|\band\b|\bthen\b)\s{0,3}|\s{1,3})"
_VERBS: Final = (
    r"(?:\s(?:is|are|has|holds|contains|consists of|of|shows|reads|should be|must be|gets|with|the|from left to right"
    r"|from top to bottom|left to right|top to bottom)(?=[\s:,=])){0,3}"
)
_NAMED: Final = (
    r"(?<![\w-])(?=[a-z12])(?<!top[\s_-])(?<!upper[\s_-])(?<!lower[\s_-])(?<!bottom[\s_-])"
    r"(?:(?P<word>top|upper|first|1st|bottom|lower|second|2nd|last|left|right)"
    r"(?:-hand)?(?:[\s_-]{0,2}(?P<kind>row|line|column|col\b))?|(?P<counted>row|line|column|col\.?)[\s_]?#?(?P<no>[0-2]))"
)
_LINE: Final = re.compile(
    _NAMED + _VERBS + r"[\"'*`]{0,3}\W{1,4}" + r"[\[(]?" + _number("a") + _BETWEEN + _number("b") + r"[\])]?"
    r"(?!\s{0,2},?\s{0,2}[1-9])",
    re.IGNORECASE,
)
_PLACED: Final = re.compile(
    r"(?<![\w.])(?P<v>T|B)(?P<h>L|R)[\"'*`]{0,3}(?:\s{0,2}(?:[:=→-]{1,2}>?|is)\s{0,2}|\s)" + _number("a")
)
_PLACED_LAST: Final = re.compile(
    r"(?<![\w.,])(?P<a>[1-9])>?[\"'*`]{0,3}\s{0,2}(?:[:=→-]{1,2}>?|is|in|at|goes to)?\s{0,2}"
    r"\(?(?P<v>T|B)(?P<h>L|R)\b\)?"
)
_CELL: Final = re.compile(
    r"(?<![\d.])(?P<v>[0-2])\s?,\s?(?:c(?:ol(?:umn)?)?\s?)?(?P<h>[0-2])\s?[)\]]\s{0,2}(?:[:=→-]{1,2}>?|is)\s{0,2}"
    + _number("a"),
    re.IGNORECASE,
)
_TABLE: Final = re.compile(
    r"^(?=\|)(?:\|[^\n\d|]*\|[^\n\d|]*\|[ \t]*\n)?(?:\|[ \t:|-]+\|[ \t]*\n)?(?=\|)"
    + _cells("a", "b")
    + r"\n(?:\|[ \t:|-]+\|[ \t]*\n)?(?=\|)"
    + _cells("c", "d")
    + r"$",
    re.IGNORECASE | re.MULTILINE,
)
_PARTED: Final = re.compile(
    r"(?<![\w.,/-])(?P<a>[1-9])[ ,]{1,3}(?P<b>[1-9])\s{0,2}/\s{0,2}(?P<c>[1-9])[ ,]{1,3}(?P<d>[1-9])(?![\w/]|,\s?\d)"
)
_APART: Final = re.compile(
    r"[\s,;.|{}\"'*`•)(\[\]#-]{0,12}(?:and[\s*]{0,3})?(?:\d[.)]\s)?(?:the\s)?"
    r"(?:(?:images?|pictures?|pieces?|row|r)[\s#]{0,2})?[*\"']{0,3}[(\[]?",
    re.IGNORECASE,
)
_LINE_ZERO: Final = re.compile(r"(?:row|line|col(?:umn)?)[\s_]?#?0\b", re.IGNORECASE)
_FIRST: Final = frozenset({"top", "upper", "first", "1st", "left"})
_COLUMNS: Final = frozenset({"left", "right"})
_LAST_SLOT: Final = 3

Told = tuple[int, int, tuple[int, ...]]
"""Where an order begins and ends, and its numbers: of the top left, top right, bottom left and bottom right."""
_Slots = dict[int, int]


def told_by_lines(text: str) -> Iterator[Told]:
    """Orders that are told by rows, columns, coordinates or short names of places."""
    for pattern in (_TABLE, _PARTED):
        for found in pattern.finditer(text):
            yield found.start(), found.end(), tuple(int(found[name]) for name in "abcd")
    yield from _runs(text, list(_LINE.finditer(text)), _of_line)
    for pattern in (_PLACED, _PLACED_LAST):
        yield from _runs(text, list(pattern.finditer(text)), _of_place)
    cells = list(_CELL.finditer(text))
    # Rows and columns are counted from 0 where one has that number.
    base = int(not any("0" in (found["v"], found["h"]) for found in cells))

    def of_cell(found: re.Match[str]) -> _Slots:
        return {2 * (int(found["v"]) - base) + int(found["h"]) - base: int(found["a"])}

    yield from _runs(text, cells, of_cell)


def _runs(text: str, found: list[re.Match[str]], of: Callable[[re.Match[str]], _Slots]) -> Iterator[Told]:
    """Statements with little between them that tell of all four places, each once."""
    slots: _Slots = {}
    start = end = 0
    for one in found:
        own = of(one)
        apart = _APART.fullmatch(text, end, one.start()) is None
        if not slots or apart or own.keys() & slots.keys():
            slots, start = {}, one.start()
        slots |= own
        end = one.end()
        if len(slots) == _LAST_SLOT + 1:
            if max(slots) == _LAST_SLOT:
                start -= text[start - 1 : start] in ("(", "[")
                yield start, end, tuple(slots[slot] for slot in sorted(slots))
            slots = {}


def _of_line(found: re.Match[str]) -> _Slots:
    """The two places of a row or a column."""
    kind = (found["kind"] or found["counted"] or "").lower()
    word = (found["word"] or "").lower()
    columns = kind.startswith("col") or (not kind and word in _COLUMNS)
    first = word in _FIRST or found["no"] == "0" or (found["no"] == "1" and not _counts_from_zero(found))
    across = (0, 1) if first else (2, 3)
    down = (0, 2) if first else (1, 3)
    one, other = down if columns else across
    return {one: int(found["a"]), other: int(found["b"])}


def _counts_from_zero(found: re.Match[str]) -> bool:
    """Whether a row 0 stands before a row 1."""
    # not a threshold: as far as the line before it reaches
    return _LINE_ZERO.search(found.string, max(0, found.start() - 60), found.start()) is not None


def _of_place(found: re.Match[str]) -> _Slots:
    return {2 * (found["v"] == "B") + (found["h"] == "R"): int(found["a"])}
