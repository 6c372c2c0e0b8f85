"""What a model thought before it answered, which is no part of its answer.

A thought stands between tags whose name has a word for thinking, whatever the tag's form, or in a fence of that name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_THINKING: Final = re.compile(
    r"think|thought|reason|scratch|analy[sz]|reflect|deliberat|(?:^|[_\W])cot(?:$|[_\W])|monologue|ponder|brainstorm|rationale"
    r"|contemplat|consider|explor|(?:^|[_\W])(?:work(?:ing|ings)?|internal|inner|hidden|private|chain|notes?|draft|mind|plan(?:ning))(?:$|[_\W])"
    r"|denk|gedank|überleg|pens[eéi]|réflex|razon|ragion|racioc|мысл|рассужд|思考|推理|思维|考え|생각|추론|사고",
    re.IGNORECASE,
)
_FAR: Final = 2**17
_STEMS: Final = (
    "think", "thought", "reason", "scratch", "analy", "reflect", "deliberat", "cot", "monologue", "ponder",
    "brainstorm", "rationale", "contemplat", "consider", "explor", "work", "intern", "inner", "hidden", "private",
    "chain", "note", "draft", "mind", "planning", "denk", "gedank", "pens", "razon", "ragion", "racioc",
)  # fmt: skip
"""Each ASCII word for thinking has one of these."""
_ANSWERING: Final = re.compile(r"answer|final|solution|result|output|response|move|step|box", re.IGNORECASE)
_NAME = r"[^\W\d][\w:.-]{0,40}"
# <think>, <think lang="en">, &lt;think&gt;, ◁think▷, <|begin_of_thought|>, <|START_THINKING|>, and what closes each;
# [THINK]; the channels of one family of models; a fence; and what some runners print.
# All begin with a sign that stands first in the pattern, so that a search skips what lies between such signs.
_TAG = re.compile(
    r"[<◁&\[`](?:(?<=<)\|channel\|>(?P<channel>\w{1,20})(?:\s*<\|message\|>)?"
    rf"|(?<!`.)(?:(?<=[<◁])|(?<=&)lt;)\|?[ ]?(?P<slash>/?)(?P<name>{_NAME})(?:[ \t][^<>\n]{{0,200}})?"
    r"[ ]?\|?/?(?:[>▷]|&gt;)(?!`)"
    r"|(?<=\[)(?P<bracket>/?)(?P<inner>[A-Za-z_ ]{3,20})\]"
    r"|(?<=`)(?:(?<=\n`)|(?<![\s\S]`))``[ ]?(?P<fence>\w{1,20})[ ]*$"
    r")",
    re.IGNORECASE | re.MULTILINE,
)
_OPENING_SIGNS: Final = "<◁&[`"
# What some runners print where a thought ends.
_ENDED = re.compile(r"^(?:\.\.\.|… ?)?done thinking\.?[ ]*$|\bassistantfinal", re.IGNORECASE | re.MULTILINE)
_BRACKETED = re.compile(r"\[/([A-Za-z_ ]{3,20})\]")
_ENDS = re.compile(r"^(?:end|close|stop|finish)[_\W]|[_\W]end$", re.IGNORECASE)


@dataclass(frozen=True)
class Answered:
    """A text with thoughts blanked out, as long as it was; ``open`` says whether it ends within one."""

    text: str
    open: bool


def without_thoughts(text: str) -> Answered:
    """Blanks out thoughts: between tags, before one that closes what never began, and after one that is never closed.

    Examples
    --------
    >>> without_thoughts("<think>B</think>A").text.strip(), without_thoughts("A <think>B").text.strip()
    ('A', 'A')
    """
    begun: int | None = None
    closed = frozenset(_BRACKETED.findall(text)) if "[/" in text else frozenset()
    thoughts: list[tuple[int, int]] = []
    told: dict[str, bool | None] = {}
    if "done thinking" in text or "assistantfinal" in text:
        last = max((found.end() for found in _ENDED.finditer(text)), default=0)
        if last:
            thoughts.append((0, last))
    for tag in _TAG.finditer(text, max(thoughts[0][1] if thoughts else 0, _first(text))):
        written = tag[0]
        closes = told[written] if written in told else told.setdefault(written, _closes(tag, closed))
        if closes is None:
            continue
        if closes:
            if begun is None:
                # Services cut off the tag that opens; all before the one that closes was thought.
                thoughts.clear()
            thoughts.append((begun or 0, tag.end()))
            begun = None
        elif begun is None:
            begun = tag.start()
            if tag["fence"]:
                end = text.find("\n```", tag.end())
                if end < 0:
                    continue
                thoughts.append((begun, end + 4))
                begun = None
    if begun is not None:
        thoughts.append((begun, len(text)))
    if not thoughts:
        return Answered(text, False)
    parts: list[str] = []
    last = 0
    for start, end in thoughts:
        if start < last:
            continue
        parts += (text[last:start], _blank(end - start))
        last = end
    parts.append(text[last:])
    return Answered("".join(parts), begun is not None)


def _first(text: str) -> int:
    """Where tags of thoughts may begin: of a long text at its end, if no word for thinking stands before."""
    begin = min((place for place in map(text.find, _OPENING_SIGNS) if place >= 0), default=len(text))
    far = len(text) - _FAR
    if far <= begin:
        return begin
    before = text[:far]
    if not before.isascii():
        return begin
    before = before.lower()
    return begin if any(stem in before for stem in _STEMS) else far


def _blank(size: int) -> str:
    # A thought ends the paragraph.
    return "\n\n".ljust(size)[:size]


def _closes(tag: re.Match[str], closed: frozenset[str]) -> bool | None:
    """Whether a tag closes a thought, or opens one; None for another tag."""
    channel = tag["channel"]
    if channel:
        return channel.lower() == "final"
    if tag["fence"]:
        return False if _THINKING.search(tag["fence"]) else None
    inner = tag["inner"]
    if inner:
        if _THINKING.search(inner) is None:
            return None
        # A heading in brackets is no tag; one that is closed somewhere is.
        is_tag = tag["bracket"] or inner == "THINK" or inner in closed
        return bool(tag["bracket"]) if is_tag else None
    kind = _kind(tag["name"])
    return None if kind is None else bool(tag["slash"]) or kind


@lru_cache(maxsize=512)
def _kind(name: str) -> bool | None:
    """Whether a name is that of the end of a thought, or of a thought; None for another."""
    if _THINKING.search(name) is None or _ANSWERING.search(name):
        return None
    return _ENDS.search(name) is not None
