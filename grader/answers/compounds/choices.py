"""One letter of several, said with what it stands for: "B. One above the other", "C (Candidate 3)", "[2, 3, 1, 4]"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from grader.answers.compounds.orders import Order, find_orders
from grader.answers.compounds.signs import TextEdit
from grader.answers.text.passages import Passage

Echoes = Mapping[str, re.Pattern[str]]
"""Of each letter, what its option says in words; nothing beside it."""

_BEFORE: Final = re.compile(
    r"(?<![\w'])[\"'*`(\[]{0,4}(?P<letter>[A-Z])[\"'*`)\]]{0,4}[ \t]{0,2}[.):=,–-]?[ \t]{0,3}[(\"'*`]{0,3}\Z"
)
_LETTER: Final = re.compile(
    r"(?<![\w'])(?P<letter>[A-Z])(?P<after>[\"'*`)\]]{0,4}[ \t]{0,2}[.):=,–-]?[ \t]{0,3}[(\"'*`]{0,3})(?=\w)"
)
_ANNOUNCED: Final = re.compile(
    r"(?:\A|\n|boxed\{|\banswer(?:\s(?:is|would be)|\W{0,5}:)|\boption(?:\sis|:))[\s\"'*`:({\[]{0,6}\Z", re.IGNORECASE
)
_ENDS: Final = re.compile(r"[.\s\"'*`)}\]]{0,8}(?:\Z|\n)")
_BELONGS: Final = re.compile(
    r"(?:\A|\n|[.!:]\s)\s{0,3}(?![^.\n]{0,120}(?:\bnot\b|n't|\bnever\b|\bif\b|\bwould\b|\bcould\b|\?|\bor\b))"
    r"(?P<said>[^.\n]{0,60}?\b(?:belongs?|corresponds?|match(?:es)?|fits?|comes?|lies|masked|covered)\s"
    r"(?:to\s|in\s|into\s|under\s|with\s|at\s|from\s)?(?:the\s)?(?:masked\s|covered\s)?"
    r"(?:region\s|area\s|place\s|mask\s|cover\s|position\s|label\s)?[\"'*(]{0,3}(?P<letter>[A-D])[\"'*)]{0,3})(?![\w'])"
)
_IS_IT: Final = re.compile(
    r"(?:\A|\n|[.:!]\s|\bso\s|\bthus,\s|\btherefore,\s)\s{0,2}"
    r"(?P<said>[\"'*`(]{0,3}(?P<sign>[A-Z\u13a0-\u13f5])[\"'*`)]{0,3}\s{0,2}"
    r"(?:is|must be)\s(?:clearly\s|most likely\s)?(?:the\s|my\s)?(?:only\s|most\s)?"
    r"(?:right|correct|best|final|true|appropriate|matching)(?:\s(?:answer|one|option|choice|candidate|order|match|fit|piece|arrangement))?)"
    r"(?![^.\n]{0,80}\?)",
    re.IGNORECASE,
)  # fmt: skip
_CLOSES: Final = re.compile(r"[\"'*`)]{0,4}")
_THING: Final = re.compile(
    r"\b(?i:image|picture|patch|region|area|mask|place|candidate|piece|tile)\s(?P<letter>[A-Z])(?![\w'])"
)
_LONGEST: Final = 16
_NEAR: Final = 40


def echoed_away(text: str, echoes: Echoes) -> list[TextEdit]:
    """Edits that leave a letter alone where its option's words stand behind it, and both letters where another's do."""
    edits: list[TextEdit] = []
    for match in _LETTER.finditer(text):
        if edits and match.start() < edits[-1].end:
            continue
        for letter, echo in echoes.items():
            said = echo.match(text, match.end())
            if said is not None and match["letter"] in echoes and _ENDS.match(text, said.end()) is not None:
                both = match["letter"] if match["letter"] == letter else f"{match['letter']} or {letter}"
                edits.append(TextEdit(match.start(), said.end(), both))
                break
    return edits


def words_alone(text: str, echoes: Echoes) -> list[TextEdit]:
    """Edits that put an option's letter in place of its words, where these are all that is answered."""
    edits: list[TextEdit] = []
    for letter, echo in echoes.items():
        for said in echo.finditer(text):
            alone = _ANNOUNCED.search(text[max(0, said.start() - _NEAR) : said.start()]) and _ENDS.match(
                text, said.end()
            )
            if alone and not any(one.start < said.end() and said.start() < one.end for one in edits):
                edits.append(TextEdit(said.start(), said.end(), letter))
    return edits


def lists_with_letters(text: str, options: Mapping[str, Order]) -> list[TextEdit]:
    """Edits that leave the letter alone where the order that its option lists stands behind it."""
    edits: list[TextEdit] = []
    for found in find_orders(text):
        meant = _letters(options).get(found.order)
        begin = max(edits[-1].end if edits else 0, found.start - _LONGEST)
        before = _BEFORE.search(text[begin : found.start])
        if meant is None or before is None or before["letter"] not in options:
            continue
        closed = _CLOSES.match(text, found.end)
        opened = any(sign in before.group() for sign in "(\"'*`")
        end = closed.end() if opened and closed is not None else found.end
        letter = before["letter"]
        edits.append(
            TextEdit(found.start - len(before.group()), end, letter if letter == meant else f"{letter} or {meant}")
        )
    return edits


def lists_alone(text: str, options: Mapping[str, Order]) -> list[TextEdit]:
    """Edits that put an option's letter in place of the order that it lists."""
    letters = _letters(options)
    return [
        TextEdit(found.start, found.end, letters[found.order]) for found in find_orders(text) if found.order in letters
    ]


def _letters(options: Mapping[str, Order]) -> dict[Order, str]:
    return {order: letter for letter, order in options.items()}


def things_away(text: str, labels: str) -> list[TextEdit]:
    """Edits that leave the letter of "Image C" alone."""
    return [
        TextEdit(found.start(), found.end(), found["letter"])
        for found in _THING.finditer(text)
        if found["letter"] in labels
    ]


def said_to_belong(text: str, labels: str) -> list[TextEdit]:
    """Edits that make "It belongs to region B." an announcement; where a text says nothing plainer."""
    return [
        TextEdit(found.start("said"), found.end("said"), f"the answer is {found['letter']}")
        for found in _BELONGS.finditer(text)
        if found["letter"] in labels
    ]


def said_to_be_it(passage: Passage) -> list[TextEdit]:
    """Edits that make "C is the best match", at the beginning of a sentence, an announcement."""
    return [
        TextEdit(found.start("said"), found.end("said"), f"the answer is {found['sign']}")
        for found in _IS_IT.finditer(passage.text)
    ]
