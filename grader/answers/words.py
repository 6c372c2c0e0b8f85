"""Text into words and signs, and those of them that change nothing in an answer.

Whatever is neither a part of an answer nor named here makes it unreadable. So words that may change something have no
place here: not, or, except, but, if, tile (it goes where the blank does not).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

SIGNS: Final = frozenset(",;:.>|→=-`'\"*_#•()[]{}<$!~“”")
"""Signs between words. A dash is one only where a task gives it no meaning."""

NOUNS: Final = frozenset(
    {
        *("final", "answer", "answers", "solution", "sequence", "best", "guess", "approximate", "probable", "likely"),
        *("plausible", "possible", "estimate", "estimated", "correct"),
    }
)
"""Words that announce an answer or say how sure it is, and before which an "a" is an article."""

HEDGES: Final = NOUNS | {
    *("is", "are", "be", "would", "should", "my", "so", "thus", "hence", "therefore", "it", "the", "this"),
    *("approximately", "approx", "probably", "possibly", "perhaps", "maybe"),
}
"""These and the other words of that kind."""

# An arrow to the right is ">" from here on, whatever it was drawn with; "→" alone may be a step of a sliding puzzle.
_LATEX = (
    (re.compile(r"\^\s{0,2}\{?\s{0,2}\\circ\s{0,2}\}?|\\degree"), "°"),
    (re.compile(r"\\(?:long)?rightarrow|\\to\b|[-=]{1,2}>|➜|➔|⇒"), ">"),
    (re.compile(r"\\(?:text|textbf|mathrm|mathbf|boxed|left|right|quad)\b|\\[,;:! {}]|```\w{0,12}"), " "),
)
_TYPOGRAPHY = str.maketrans(
    {
        **{"−": "-", "–": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u200b": " ", "’": "'"},
        # Arrows as emoji; the sign after one that asks for colour says nothing.
        **{"⬆": "↑", "⬇": "↓", "⬅": "←", "➡": "→", "\ufe0f": " "},
    }
)
_WORD_OR_SIGN = re.compile(r"[^\W\d_]+|\d+|\S")


@dataclass(frozen=True)
class Piece:
    """A word, a number or a sign: as it stands there, where (in characters), and in lower case."""

    text: str
    start: int
    lower: str


def tidy(text: str) -> str:
    """The text with plain dashes, spaces and apostrophes. Its length stays the same."""
    return text.translate(_TYPOGRAPHY)


def plain(text: str) -> str:
    """The text, tidied, without LaTeX and with plain arrows. Its length stays the same."""
    for pattern, sign in _LATEX:
        text = pattern.sub(_padded(sign), text)
    return tidy(text)


def pieces_of(text: str) -> tuple[Piece, ...]:
    """The words, numbers and signs of a text; spaces are left out."""
    return tuple(Piece(p.group(), p.start(), p.group().lower()) for p in _WORD_OR_SIGN.finditer(text))


def following(pieces: tuple[Piece, ...], i: int) -> str:
    """The piece after ``i`` in lower case, "" at the end."""
    return pieces[i + 1].lower if i + 1 < len(pieces) else ""


def is_step_number(pieces: tuple[Piece, ...], i: int) -> bool:
    """Whether a number counts steps: "1.", "1)", "1:" before what it counts."""
    return pieces[i].text.isdecimal() and len(pieces[i].text) <= 4 and following(pieces, i) in (".", ")", ":")


def is_article(pieces: tuple[Piece, ...], i: int, nouns: frozenset[str]) -> bool:
    """Whether an "a" stands before a noun or an adjective, so that it need not be the label A."""
    return pieces[i].lower == "a" and following(pieces, i) in nouns


def _padded(sign: str) -> Callable[[re.Match[str]], str]:
    return lambda found: sign.ljust(len(found.group()))
