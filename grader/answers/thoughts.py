"""What a model thought before it answered, which is no part of its answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAMES = (
    r"(?:[a-z]{1,12}:)?(?:(?:begin_of|end_of|start|end)_)?(?:think(?:ing)?|thoughts?|thought_process|reason(?:ing)?|reflection"
    r"|scratch_?pad|analysis|cot|chain_of_thought|inner_?(?:monologue|thoughts?)|deliberation)"
)
# <think>, <think lang="en">, &lt;think&gt;, [THINK], ◁think▷, <|begin_of_thought|> and <|START_THINKING|>, and what
# closes each.
_TAG = re.compile(
    rf"(?:[<◁]|&lt;)\|?\s?(?P<slash>/?)(?P<name>{_NAMES})(?:\s[^<>\n]{{0,200}}?)?\s?\|?(?:[>▷]|&gt;)"
    r"|\[(?P<bracket>/?)THINK\]"
    r"|(?P<channel><\|channel\|>(?:analysis|commentary)(?:<\|message\|>)?)"
    r"|(?P<final><\|channel\|>final(?:<\|message\|>)?|<\|start\|>assistant<\|channel\|>final)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Answered:
    """A text with thoughts blanked out, as long as it was; ``open`` says whether it ends within one."""

    text: str
    open: bool


def without_thoughts(text: str) -> Answered:
    """Blanks out thoughts: all up to the last tag that closes one, and all from one on that is never closed.

    Where a tag closes a thought whose beginning is not there, as services cut it off, all before it was thought.

    Examples
    --------
    >>> without_thoughts("<think>B</think>A").text.strip(), without_thoughts("A <think>B").text.strip()
    ('A', 'A')
    """
    begun: int | None = None
    ended = 0
    for tag in _TAG.finditer(text):
        closes = (
            tag["final"] is not None
            or "/" in (tag["slash"], tag["bracket"])
            or (tag["name"] or "").lower().startswith("end_")
        )
        if closes:
            begun, ended = None, tag.end()
        elif begun is None:
            begun = tag.start()
    kept = " " * ended + text[ended:]
    return Answered(kept if begun is None else kept[:begun] + " " * (len(text) - begun), begun is not None)
