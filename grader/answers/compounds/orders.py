"""Orders of pieces: lists of numbers in any form, and what piece lies where, in any order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from grader.answers.compounds.order_lines import told_by_lines
from grader.answers.compounds.signs import Signs, TextEdit
from grader.answers.text.passages import Passage

Order = tuple[int, ...]

PLACES: Final = 4
"""Numbers that an order of pieces has: those of the top left, the top right, the bottom left and the bottom right."""
_THING: Final = r"(?:<?(?:image|img|picture|pic|piece|crop|patch|number|no\.?|#)[\s_]{0,2})?"
_NUMBER: Final = rf"[\"'*`]{{0,3}}{_THING}(\d{{1,2}})>?[\"'*`]{{0,3}}"
_COMMA: Final = r"\s{0,3}[,，、;]\s{0,3}"
_LISTED: Final = re.compile(
    rf"[\[(]\s{{0,4}}{_NUMBER}(?:{_COMMA}{_NUMBER}){{1,8}}\s{{0,4}},?\s{{0,4}}[\])]", re.IGNORECASE
)
_ROWS: Final = re.compile(
    rf"[\[(]\s{{0,9}}[\[(]\s?{_NUMBER}{_COMMA}{_NUMBER}\s?[\])]\s{{0,3}},\s{{0,9}}[\[(]\s?{_NUMBER}{_COMMA}{_NUMBER}\s?"
    r"[\])],?\s{0,9}[\])]",
    re.IGNORECASE,
)
_BETWEEN: Final = r"(?:\s{0,3}(?:,\s{0,3}(?:and\b)?|->|→|=>|>|-|\||\band\b)\s{0,3}|\s{1,3})"
_BARE: Final = re.compile(
    rf"(?<![\w.,/-])(?<![.,\d]\s)(?<!images\s)(?<!pictures\s)(?<!pieces\s){_THING}([1-9])(?:{_BETWEEN}{_THING}([1-9])){{3}}(?![\w/:-])(?![.,]\d)(?!,\s?\d)",
    re.IGNORECASE,
)
_TOGETHER: Final = re.compile(r"(?<![\w.])(?=[1-4]{4}(?![\w]|\.\d))(?!.?(.).{0,2}\1)\d{4}")
_DIGITS: Final = re.compile(r"\d{1,2}")
_PLACE: Final = (
    r"(?P<{v}>top|upper|bottom|lower)[\s_-]{{0,2}}(?P<{h}>left|right)"
    r"(?:[\s_-]{{0,2}}(?:corner|piece|region|quadrant|part))?"
)
_FILL: Final = r"[^\d\n.;]{0,30}?"
_PLACE_FIRST: Final = re.compile(
    _PLACE.format(v="v", h="h") + rf"\W{{1,6}}(?:is\s|image\s|should be\s|=\s){{0,2}}{_FILL}(?P<n>\d{{1,2}})(?!\d)",
    re.IGNORECASE,
)
_NUMBER_FIRST: Final = re.compile(
    r"(?<![\d.])(?:(?:image|picture|piece)\s#?|#)?(?P<n>[1-9])[\"'*`)]{0,3}\s{0,2}"
    r"(?:[:=→-]{1,2}|is|goes|belongs|as|at|in)?" + _FILL + _PLACE.format(v="v", h="h"),
    re.IGNORECASE,
)
_APART: Final = re.compile(
    r"(?:\s?\([^()\d\n]{0,60}\))?[\s,;.|{}\"'*`•)(\[\]#-]{0,12}(?:and[\s*]{0,3})?(?:\d[.)]\s)?(?:the\s)?"
    r"(?:image\s|picture\s|piece\s)?[*\"']{0,3}",
    re.IGNORECASE,
)
_DENIES: Final = re.compile(r"\b(?:not|never|no|cannot)\b|n't\b", re.IGNORECASE)
_SLOTS: Final = {("top", "left"): 0, ("top", "right"): 1, ("bottom", "left"): 2, ("bottom", "right"): 3}


@dataclass(frozen=True)
class FoundOrder:
    """An order, right or not, and where it stands."""

    start: int
    end: int
    order: Order


def is_order(order: Order) -> bool:
    """Whether each number from 1 to 4 is there once."""
    return sorted(order) == list(range(1, PLACES + 1))


def find_orders(text: str) -> list[FoundOrder]:
    """All orders of a text, from the front; what is written in brackets is one whatever numbers it has."""
    found = [*_by_place(text, _PLACE_FIRST), *_by_place(text, _NUMBER_FIRST)]
    found += [FoundOrder(start, end, order) for start, end, order in told_by_lines(text)]
    for pattern in (_ROWS, _LISTED, _BARE, _TOGETHER):
        for match in pattern.finditer(text):
            numbers = _DIGITS.findall(match.group())
            if pattern is _TOGETHER:
                numbers = list(match.group())
            found.append(FoundOrder(match.start(), match.end(), tuple(map(int, numbers))))
    # Of two that overlap the first, and of these the longer one: a nested list is one and not two.
    left: list[FoundOrder] = []
    for one in sorted(found, key=lambda each: (each.start, -each.end)):
        if not left or one.start >= left[-1].end:
            left.append(one)
    return left


def _by_place(text: str, pattern: re.Pattern[str]) -> Iterator[FoundOrder]:
    """Runs of four statements that say which piece lies where, with little between them."""
    run: list[re.Match[str]] = []
    for match in pattern.finditer(text):
        if _DENIES.search(match.group()) is not None:
            run = []
            continue
        if run and (_APART.fullmatch(text, run[-1].end(), match.start()) is None or _slot(match) in map(_slot, run)):
            run = []
        run.append(match)
        if len(run) == PLACES:
            numbers = {_slot(one): int(one["n"]) for one in run}
            start, end = run[0].start(), run[-1].end()
            yield FoundOrder(*_with_braces(text, start, end), tuple(numbers[slot] for slot in range(PLACES)))
            run = []


def _slot(match: re.Match[str]) -> int:
    down = "top" if match["v"].lower() in ("top", "upper") else "bottom"
    return _SLOTS[down, match["h"].lower()]


def _with_braces(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with the object that holds it and nothing else, and the quotes around what it holds."""
    opening = re.search(r"\{\s*[\"']?\Z", text[max(0, start - 8) : start])
    closing = re.match(r"[\"']?\s*,?\s*\}", text[end : end + 8])
    if opening is None or closing is None:
        return start, end
    return start - (len(opening.group())), end + closing.end()


def signed_orders(passage: Passage, signs: Signs[Order]) -> list[TextEdit]:
    """Edits that put a sign in place of each order of a text."""
    edits = []
    for found in find_orders(passage.text):
        sign = signs.sign(found.order)
        if sign:
            edits.append(TextEdit(found.start, found.end, sign))
    return edits
