"""A text with its parts told apart: objects, tables, boxes and tags become single signs among the words around them.

What says nothing (control tokens, marks of quotes and fences, tags of layout) or was struck through, or is a comment,
becomes blank. The text stays as long as it was, so places hold.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from grader.answers.text.objects import Broken, Node, find_objects
from grader.answers.text.passages import Passage, plain_passage

ISLAND: Final = "\ue000"
"""Stands for an object, a broken one, or a table."""
BOX, TAG, CLOSED = "\ue001", "\ue002", "\ue003"
"""Stand where a box opens, where a tag that announces an answer opens, and where either closes."""

_OWN_SIGNS: Final = re.compile(f"[{ISLAND}{BOX}{TAG}{CLOSED}\ue004]")
_LONGEST_STRUCK = 2000
_STRUCK: Final = re.compile(
    rf"<!--.*?(?:-->|\Z)|~~(?=\S)[^~]{{1,{_LONGEST_STRUCK}}}?~~|<(del|s|strike)>[^<]{{0,{_LONGEST_STRUCK}}}</\1>",
    re.DOTALL,
)
# Boxes of a list that are not ticked, where others are; and comments of Markdown.
_UNTICKED: Final = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]*\[ \][^\n]*$", re.MULTILINE)
_TICKED: Final = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]*\[[xX✓✔]\]", re.MULTILINE)
_REMARK: Final = re.compile(r"^[ \t]*\[(?://|comment)\]:[ \t]*#[^\n]*$", re.MULTILINE | re.IGNORECASE)
_BOX_TOKENS: Final = re.compile(r"<\|(?:(begin)|end)_of_box\|>")
_CONTROL: Final = re.compile(r"<\|[^<>|\n]{1,40}\|>|</?s>|<(?:end|start)_of_turn>|<(?:eos|bos|pad|unk)>|\[/?INST\]")
_BRACES: Final = re.compile(r"((?<!\\)\\{1,4}f?boxed\s*+\{)|\\[{}]|[{}]")
_ANSWER_TAG: Final = re.compile(
    r"<(/?)(?:[\w-]{0,20}?)(?:answers?|solutions?|output|result|response|moves|plan|final|conclusion|antwort|答案)(?:[\w-]{0,20})>",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"</?[a-zA-Z][^<>\n]{0,80}>")
_NAMED: Final = re.compile(r"<([a-zA-Z][\w-]{2,30})>[^<]{0,2000}</\1>")
_DENYING: Final = re.compile(
    r"reject|wrong|invalid|fail|incorrect|example|sample|template|format|draft|discard|illegal|impossible|bad|blocked|old",
    re.IGNORECASE,
)
_BREAK: Final = re.compile(r"<(?:br|p|li|div)\s?/?>|</(?:p|li|div|tr|ul|ol)>", re.IGNORECASE)
_MARGIN: Final = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_FENCE: Final = re.compile(
    r"^[ \t]*(?:```|~~~)+[\w+-]*[ \t]*(?=\r?$)|```(?:json|text|plaintext|markdown)?(?![\w])", re.MULTILINE
)
_FENCED: Final = re.compile(r"```")
_TABLE: Final = re.compile(r"(?:^[ \t]*\|[^\n]{0,2000}\|[ \t]*\r?(?:\n|\Z)){2,}", re.MULTILINE)
_RULE: Final = re.compile(r"[\s|:=-]*\Z")


@dataclass(frozen=True)
class TextTable:
    """A table: of each row, where its cells stand in the text.

    Attributes
    ----------
    start, end : where it stands
    heads : the cells above a rule; empty where there is none
    rows : the others
    """

    start: int
    end: int
    heads: tuple[Passage, ...]
    rows: tuple[tuple[Passage, ...], ...]


Island = Node | Broken | TextTable


@dataclass(frozen=True)
class Parted:
    """A text, parted.

    Attributes
    ----------
    passage : made plain, with signs for what was set apart
    islands : what each `ISLAND` stands for, in their order
    fenced : where code fences stand, in characters of the text
    """

    passage: Passage
    islands: tuple[Island, ...]
    fenced: tuple[int, ...]


def part(text: str) -> Parted:
    """Parts a text without thoughts."""
    if not text.isascii():
        text = _OWN_SIGNS.sub(" ", text)
    if "<" in text or "~~" in text:
        text = _STRUCK.sub(_blanked, text)
        text = _BOX_TOKENS.sub(lambda found: (BOX if found[1] else CLOSED).ljust(len(found[0])), text)
        text = _CONTROL.sub(_blanked, text)
    if "]" in text and ("[ ]" in text or "]:" in text):
        text = _REMARK.sub(_blanked, text)
        if _TICKED.search(text) is not None:
            text = _UNTICKED.sub(_blanked, text)
    if "</" in text:
        text = _NAMED.sub(_unless_denied, text)
    if "boxed" in text:
        text = _boxes(text)
    if ">" in text:
        text = _MARGIN.sub(_blanked, text)
    islands: list[Island] = []
    pieces: list[str] = []
    last = 0
    for found in find_objects(text):
        if found.start < last:
            continue
        end = _end_of_broken(text, found) if isinstance(found, Broken) else found.end
        islands.append(found)
        pieces += (text[last : found.start], ISLAND.ljust(end - found.start))
        last = end
    pieces.append(text[last:])
    text = "".join(pieces)
    if "|" in text:
        text, islands = _tables(text, islands)
    fenced = tuple(found.start() for found in _FENCED.finditer(text))
    if "```" in text or "~~~" in text:
        text = _FENCE.sub(_blanked, text)
    if "<" in text:
        text = _ANSWER_TAG.sub(lambda found: (CLOSED if found[1] else TAG).ljust(len(found[0])), text)
        text = _BREAK.sub(lambda found: "\n".ljust(len(found[0])), text)
        text = _TAG.sub(_blanked, text)
    return Parted(plain_passage(text), tuple(islands), fenced)


def _unless_denied(found: re.Match[str]) -> str:
    """What stands in a tag that says that it is no answer, or an example, becomes blank."""
    return _blanked(found) if _DENYING.search(found[1]) else found[0]


def _blanked(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0]) if "\n" in found[0] else " " * len(found[0])


def _boxes(text: str) -> str:
    """Closed boxes between signs; braces are counted, so that those within one do not close it."""
    marks: list[tuple[int, int, str]] = []
    opened: list[tuple[int, int] | None] = []
    for brace in _BRACES.finditer(text):
        if brace[1]:
            opened.append(brace.span())
        elif brace[0] == "{":
            opened.append(None)
        elif brace[0] == "}" and opened:
            box = opened.pop()
            if box is not None:
                marks += ((*box, BOX), (brace.start(), brace.end(), CLOSED))
    pieces: list[str] = []
    last = 0
    for start, end, sign in sorted(marks):
        pieces += (text[last:start], sign.ljust(end - start))
        last = end
    pieces.append(text[last:])
    return "".join(pieces)


def _end_of_broken(text: str, broken: Broken) -> int:
    """What follows a broken object belongs to it: up to an empty line, or to the end of the text if that cut it off."""
    if broken.cut:
        following = text.find("{", broken.start + 1)
        return len(text) if following < 0 else following
    blank = text.find("\n\n", broken.start)
    following = text.find("{", broken.start + 1)
    ends = [end for end in (blank, following, len(text)) if end >= 0]
    return min(ends)


def _tables(text: str, islands: list[Island]) -> tuple[str, list[Island]]:
    """Tables as islands, in their order among the others."""
    pieces: list[str] = []
    made: list[Island] = []
    last = used = 0
    for found in _TABLE.finditer(text):
        held = text.count(ISLAND, found.start(), found.end())
        if held:
            continue
        table = _table(found[0], found.start())
        if table is None:
            continue
        before = text.count(ISLAND, last, found.start())
        made += (*islands[used : used + before], table)
        used += before
        size = found.end() - found.start()
        pieces += (
            text[last : found.start()],
            ISLAND.ljust(size - 1) + "\n" if found[0].endswith("\n") else ISLAND.ljust(size),
        )
        last = found.end()
    if not made:
        return text, islands
    pieces.append(text[last:])
    return "".join(pieces), [*made, *islands[used:]]


def _table(written: str, start: int) -> TextTable | None:
    """Nothing where no rule parts the heads from the rows."""
    rows: list[tuple[Passage, ...]] = []
    heads: tuple[Passage, ...] = ()
    place = start
    for line in written.split("\n"):
        if line.strip():
            if _RULE.match(line):
                if rows and not heads:
                    heads = rows.pop()
            else:
                rows.append(_cells(line.rstrip(), place))
        place += len(line) + 1
    return TextTable(start, start + len(written), heads, tuple(rows)) if heads and rows else None


def _cells(line: str, start: int) -> tuple[Passage, ...]:
    cells = []
    place = line.index("|") + 1
    while place < len(line):
        end = line.find("|", place)
        end = len(line) if end < 0 else end
        cells.append(plain_passage(line[place:end], start + place))
        place = end + 1
    return tuple(cells)
