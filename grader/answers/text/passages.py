"""Text made plain, each of its characters with its place in the text that a model wrote.

Compatibility forms (full width, ligatures, circled numbers) become plain ones, format characters vanish (direction
marks, zero width, byte order), typographic quotes, dashes, spaces and arrows become one of each kind.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from grader.answers.result import Span

_NOT_PLAIN = re.compile(r"[^\x20-\x7e\n]")
_TYPOGRAPHY: Final = {
    **dict.fromkeys("“”„‟«»″＂「」『』", '"'),
    **dict.fromkeys("‘’‚‛′＇`´", "'"),
    **dict.fromkeys("−–‒‑‐﹣－", "-"),
    **dict.fromkeys("—―⸺", " - "),
    **dict.fromkeys("⬆⇧⇑▲△🠉🡹🔼", "↑"),
    **dict.fromkeys("⬇⇩⇓▼▽🠋🡻🔽", "↓"),
    **dict.fromkeys("⬅⇦⇐◀◁🠈🡸", "←"),
    **dict.fromkeys("➡⇨⇒▶▷🠊🡺➜➔➙➞➝⟶⟹➤➨", "→"),
    **dict.fromkeys("•‣◦∙·▪▫●○◆", "•"),
    **dict.fromkeys("、，﹑､", ","),
    **dict.fromkeys("。．｡", ". "),
    **dict.fromkeys("✓✔✅☑", " ✓ "),
    **dict.fromkeys("✗✘✕✖❌❎", " ✗ "),
    **{"º": "°", "˚": "°", "…": "...", "×": "x", "\t": " ", "\r": " ", "\x0b": " ", "\x0c": "\n"},
    **{"\u2028": "\n", "\u2029": "\n", "\u20e3": ". ", "∕": "/", "⁄": "/", "∨": " or ", "∧": " and ", "¬": " not "},
    **{chr(0x1F170): "A", chr(0x1F171): "B", chr(0x1F17E): "O", chr(0x1F17F): "P"},
}
_LONGEST_FORM: Final = 4
_INVISIBLE: Final = frozenset({"Cf", "Mn", "Me", "Cs"})


@dataclass(frozen=True)
class Passage:
    """A stretch of a text, made plain.

    Attributes
    ----------
    text : as it is read
    begin : where it begins in the text that a model wrote
    places : the place of each character there, and that behind the last; None where they follow each other from
        ``begin``
    """

    text: str
    begin: int = 0
    places: tuple[int, ...] | None = None

    def place(self, index: int) -> int:
        """Where the character at an index stands in the text that a model wrote."""
        return self.begin + index if self.places is None else self.places[index]

    def span(self, start: int, end: int) -> Span:
        """Where a stretch stands in the text that a model wrote."""
        if end <= start:
            return Span(self.place(start), self.place(start))
        # What stands for several characters (an escape) ends where the next begins; what one became ends behind it.
        return Span(self.place(start), max(self.place(end), self.place(end - 1) + 1))

    def cut(self, start: int, end: int) -> Passage:
        """A part of it."""
        if self.places is None:
            return Passage(self.text[start:end], self.begin + start)
        return Passage(self.text[start:end], self.places[start], self.places[start : end + 1])


def plain_passage(text: str, begin: int = 0) -> Passage:
    """A text made plain.

    Examples
    --------
    >>> made = plain_passage("\u200bＡ\u200b back")
    >>> made.text, made.span(0, 1)
    ('A back', Span(start=1, end=3))
    """
    if _NOT_PLAIN.search(text) is None:
        return Passage(text, begin)
    kinds = {sign: _plain(sign) for sign in set(_NOT_PLAIN.findall(text))}
    forms = {sign: made for sign, made in kinds.items() if made != sign}
    if all(len(made) == 1 and made not in forms for made in forms.values()):
        for sign, form in forms.items():
            text = text.replace(sign, form)
        return Passage(text, begin)
    changes = [(found.start(), forms[found[0]]) for found in _NOT_PLAIN.finditer(text) if found[0] in forms]
    parts: list[str] = []
    last = 0
    for start, made in changes:
        parts += (text[last:start], made)
        last = start + 1
    parts.append(text[last:])
    places: list[int] = []
    last = 0
    for start, made in changes:
        places.extend(range(begin + last, begin + start))
        places.extend([begin + start] * len(made))
        last = start + 1
    places.extend(range(begin + last, begin + len(text) + 1))
    return Passage("".join(parts), begin, tuple(places))


_UNSEEN: Final = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e007f]+"
)


def without_unseen(text: str) -> Passage:
    """A text without characters that nobody sees, which may stand within marks of all kinds."""
    if text.isascii() or text.replace("\n", "").isprintable() or _UNSEEN.search(text) is None:
        return Passage(text)
    kept: list[str] = []
    places: list[int] = []
    last = 0
    for found in _UNSEEN.finditer(text):
        kept.append(text[last : found.start()])
        places.extend(range(last, found.start()))
        last = found.end()
    kept.append(text[last:])
    places.extend(range(last, len(text) + 1))
    return Passage("".join(kept), 0, tuple(places))


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    known = _TYPOGRAPHY.get(character)
    if known is not None:
        return known
    category = unicodedata.category(character)
    if category in _INVISIBLE:
        return ""
    if category == "Zs":
        return " "
    made = unicodedata.normalize("NFKC", character)
    if category == "No" and made.isdecimal() and not "²³¹⁰⁴⁵⁶⁷⁸⁹".count(character):
        # A circled number counts steps.
        return f"{made}. "
    if len(made) > _LONGEST_FORM:
        return character  # a whole phrase in one sign, which is no part of any answer
    return "".join(_TYPOGRAPHY.get(one, one) for one in made)
