"""What is said of an anomaly: a judgment, a position, a kind of change; in lines, in an object, in a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from grader.answers.compounds.signs import Signs, TextEdit
from grader.answers.text.passages import Passage

FIELDS: Final = ("judgment", "position", "change")
NOTHING: Final = ""
"""A position or change that is left blank."""


@dataclass(frozen=True)
class AnomalyAnswer:
    """Three answers.

    Attributes
    ----------
    judgment : ``A`` for a picture that is as it was, ``B`` for one that is not
    position : of the changed piece, ``A`` to ``D``; empty if it is left blank; None if the line is missing
    change : ``A`` rotated, ``B`` mirrored; empty or None likewise
    """

    judgment: str
    position: str | None = None
    change: str | None = None


UNREADABLE: Final = AnomalyAnswer("")
"""Lines that hold something else than they can."""

_NAMES: Final = {
    "judgment": r"judge?ment|verdict|decision",
    "position": r"(?:error|anomaly|anomalous|abnormal)[\s_-]?(?:position|location|piece|sub-?image)|position|location",
    "change": r"(?:error|anomaly|change)[\s_-]?(?:type|kind)|type(?:[\s_-]of[\s_-](?:change|error))?|change",
}
_MARKS: Final = r"[\"'*`_]{0,4}"
_VALUE: Final = r"[^\n,;|{}]{0,60}?"
_SEPARATOR: Final = r"\s{0,3}(?:[:=：]|->|→|\bis\b|(?<=\s)-(?=\s))"
_ANY_NAME: Final = "|".join(_NAMES.values())
_FIELD: Final = re.compile(
    rf"(?<![\w-]){_MARKS}(?:" + "|".join(rf"(?P<{name}>{said})" for name, said in _NAMES.items())
    + rf"){_MARKS}{_SEPARATOR}{_MARKS}[ \t]{{0,3}}(?P<value>{_VALUE})[ \t]{{0,3}}"
    rf"(?=$|[\n,;|{{}}]|\.\s|\.?\Z|{_MARKS}(?:{_ANY_NAME}){_MARKS}{_SEPARATOR})",
    re.IGNORECASE | re.MULTILINE,
)  # fmt: skip
_APART: Final = re.compile(
    r"[\s,;.|\"'*`•\\-]{0,12}(?:and\s)?(?:the\s|its\s)?(?:\d[.)]\s{0,3})?[\s\"'*`_-]{0,6}", re.IGNORECASE
)
_LETTERS: Final = re.compile(
    r"\s*(?:[-*]\s|\d[.)]\s)?(?P<judgment>[AB])\s*[\n,;/]\s*(?:[-*]\s|\d[.)]\s)?(?P<position>[A-D])\s*[\n,;/]\s*"
    r"(?:[-*]\s|\d[.)]\s)?(?P<change>[AB])[.\s]*",
)
_ALONE: Final = re.compile(r"[\s\"'*`]*(?P<judgment>A)[.\s\"'*`]*|[\s\"'*`]*correct[.\s\"'*`]*", re.IGNORECASE)
_LEAD: Final = re.compile(r"(?P<letter>[A-D])(?![\w'])[.):\s-]{0,4}", re.IGNORECASE)
_FORM: Final = re.compile(r"[A-D]\s?(?:/|\bor\b|\|)|[<\[(]\s?(?:letter|A\b.{0,9}B|your)|_{2,}|\.{3}", re.IGNORECASE)
_BEHIND: Final = re.compile(r"(?P<meaning>[a-z][a-z -]{2,40}?)\s?\(?(?P<letter>(?<=\()[a-d])")
_FAR: Final = 200
_PIECES: Final = re.compile(r"[,;]|\.\s")
_BESIDE: Final = re.compile(r"^(?:(?:and|or|maybe|perhaps|wait|no|rather|also)\b[\s.:-]*)+", re.IGNORECASE)
_STRIP: Final = " \t\"'*`_.()[]<>"
_BLANKS: Final = frozenset(
    {"", "-", "--", "none", "n/a", "na", "null", "blank", "left blank", "leave blank", "empty", "nothing", "no error"}
)
_MEANINGS: Final = {
    "judgment": {
        "A": re.compile(r"(?:it is |is )?(?:correct|normal|as it was|no (?:anomaly|error)|intact)"),
        "B": re.compile(r"(?:it is |is )?(?:incorrect|not correct|abnormal|wrong|changed|anomal(?:y|ous))"),
    },
    "position": {
        "A": re.compile(r"(?:the )?(?:top|upper)[ -_]?left.*"),
        "B": re.compile(r"(?:the )?(?:top|upper)[ -_]?right.*"),
        "C": re.compile(r"(?:the )?(?:bottom|lower)[ -_]?left.*"),
        "D": re.compile(r"(?:the )?(?:bottom|lower)[ -_]?right.*"),
    },
    "change": {
        "A": re.compile(r"rotat(?:ion|ed)"),
        "B": re.compile(r"mirror(?:ing|ed)?|flip(?:ped)?|reflect(?:ion|ed)"),
    },
}


@dataclass(frozen=True)
class _Said:
    """A field of a text with its value, and where both stand; the value is None where it can't be read.

    ``form`` says whether it lists what can be filled in.
    """

    name: str
    value: str | None
    start: int
    end: int
    form: bool


def read_field(name: str, written: str) -> str | None:
    """What a value says: a letter, its meaning, both if they agree, or nothing; None where it can't be read."""
    text = " ".join(written.strip(_STRIP).lower().split())
    if text in _BLANKS:
        return NOTHING if name != "judgment" else None
    meanings = _MEANINGS[name]
    behind = _BEHIND.fullmatch(text)
    if behind is not None:
        text = f"{behind['letter']} {behind['meaning']}"  # "Incorrect (B)"
    letter = _LEAD.match(text)
    rest = text if letter is None else text[letter.end() :].strip(_STRIP)
    meant = next((one for one, said in meanings.items() if said.fullmatch(rest)), None)
    if letter is None:
        return meant
    said = letter["letter"].upper()
    if said not in meanings or (rest and meant != said):
        return None
    return said


def find_anomalies(text: str) -> list[tuple[int, int, AnomalyAnswer]]:
    """All answers of a text with where they stand, from the front.

    Fields beside one another are one answer, in any order. Fields that are far apart are one where each is said once.
    """
    whole = _LETTERS.fullmatch(text) or _ALONE.fullmatch(text)
    if whole is not None:
        groups = whole.groupdict()
        answer = AnomalyAnswer(groups.get("judgment") or "A", groups.get("position"), groups.get("change"))
        return [(whole.start(), whole.end(), answer)]
    said = [_field(match) for match in _FIELD.finditer(text)]
    blocks: list[list[_Said]] = []
    for one in said:
        block = blocks[-1] if blocks else []
        near = block and _APART.fullmatch(text, block[-1].end, one.start) is not None
        if near and one.name not in [other.name for other in block]:
            block.append(one)
        else:
            blocks.append([one])
    names = [one.name for one in said]
    if len(blocks) > 1 and len(set(names)) == len(names) and "judgment" in names:
        blocks = [said]  # with reasons between them
    found = []
    for block in blocks:
        said_there = _answer(block)
        if said_there is not None:
            start, end = _with_object(text, block[0].start, block[-1].end)
            found.append((start, end, said_there))
    return found


def _field(match: re.Match[str]) -> _Said:
    name = next(one for one in FIELDS if match[one])
    form = _FORM.search(match["value"]) is not None
    value = read_field(name, match["value"])
    value = None if _goes_on(name, match, value) else value
    return _Said(name, value, match.start(), match.end(), form)


def _goes_on(name: str, match: re.Match[str], value: str | None) -> bool:
    """Whether other values of a field stand behind the first in its line: "C, A, B, D" names no piece."""
    line = match.string[match.end() : match.end() + _FAR].split("\n", 1)[0]
    for piece in _PIECES.split(line):
        if ":" in piece:
            return False  # the next field
        said = read_field(name, _BESIDE.sub("", piece.strip(_STRIP)))
        if said not in (None, NOTHING, value):
            return True
    return False


def _answer(block: Sequence[_Said]) -> AnomalyAnswer | None:
    """None for fields that are no answer: without a judgment, or a form that is to be filled in; ``UNREADABLE`` where
    two fields and more say something else than they can."""
    values = {one.name: one.value for one in block}
    if "judgment" not in values or any(one.form for one in block):
        return None
    judgment = values["judgment"]
    if judgment is None or None in values.values():
        return UNREADABLE if len(block) > 1 else None
    return replace(AnomalyAnswer(judgment), position=values.get("position"), change=values.get("change"))


def _with_object(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with the braces around it, if they hold nothing else."""
    opening = re.search(r"\{\s{0,8}\Z", text[max(0, start - 9) : start])
    closing = re.match(r"\s{0,8},?\s{0,8}\}", text[end : end + 18])
    if opening is None or closing is None:
        return start, end
    return start - len(opening.group()), end + closing.end()


def signed_anomalies(passage: Passage, signs: Signs[AnomalyAnswer]) -> list[TextEdit]:
    """Edits that put a sign in place of each answer of a text."""
    edits = []
    for start, end, answer in find_anomalies(passage.text):
        sign = signs.sign(answer)
        if sign:
            edits.append(TextEdit(start, end, sign))
    return edits
