"""A plain text as words, numbers and signs, each with what it means and where it stands."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from grader.answers.lexicon import meanings as m
from grader.answers.lexicon.table import LOOK_ALIKES, MEANINGS, PHRASES, STEMS, WITHIN, folded
from grader.answers.text.passages import Passage

_ASIAN: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# Pieces that follow each other without a gap: a word with the few spaces before it, or more spaces. Plain words first,
# for most are.
_PIECE: Final = re.compile(
    rf"[^\S\n]{{0,3}}+(?:[a-zA-Z]++(?![^\x00-\x7e]|')|[^\W\d_{_ASIAN}]+(?:'[^\W\d_{_ASIAN}]+)*|[{_ASIAN}]+|\d+|\n|\S)"
    r"|[^\S\n]{1,32}"
)
_LONGEST_KEPT: Final = 64
"""Longer pieces are looked up anew each time, for what is kept must not grow with what is sent."""
_IS_HANGUL: Final = re.compile("[\uac00-\ud7af]+\\Z")
_IS_ASIAN: Final = re.compile(f"[{_ASIAN}]")
_LONGEST_TERM: Final = max(len(word) for word in MEANINGS if _IS_ASIAN.match(word))
# LaTeX and other arrows; what stands for a sign is as long as it, so that places hold.
_ARROWS: Final = {
    "left": "←", "gets": "←", "up": "↑", "down": "↓", "right": "→", "to": "→", "Left": "←", "Up": "↑", "Down": "↓",
    "Right": "→",
}  # fmt: skip
_LATEX: Final = re.compile(
    r"\\(?:long)?(left|right|up|down|Left|Right|Up|Down)arrow(?![a-zA-Z])|\\(to|gets)(?![a-zA-Z])"
    r"|\^\s{0,2}\{?\s{0,2}\\circ\s{0,2}\}?|\\degree(?![a-zA-Z])"
    r"|\\(?:text\w{0,6}|math\w{1,8}|mbox|boxed|left|right|quad|qquad|large|Large|bf|rm|it)(?![a-zA-Z])"
    r"|\\[,;:! {}()\[\]]"
    r"|[-=]{1,2}>|<[-=]{1,2}(?!\d)"
)


class Word(NamedTuple):
    """A word, a number, a sign or a line break.

    Attributes
    ----------
    text : as it stands there
    lower : in lower case and without accents
    start, end : where, in characters of the text that a model wrote
    means : bits of ``lexicon.meanings``
    """

    text: str
    lower: str
    start: int
    end: int
    means: int


def words_of(passage: Passage) -> list[Word]:
    """The words of a text, phrases of the lexicon as one word each.

    Examples
    --------
    >>> from grader.answers.text.passages import plain_passage
    >>> [word.lower for word in words_of(plain_passage("A in reverse, 答案如下"))]
    ['a', 'in reverse', ',', '答案', '如下']
    """
    text = passage.text
    if "\\" in text or ">" in text or "<" in text:
        text = _LATEX.sub(_sign, text)
    made: list[Word] = []
    starts: list[int] = []
    end = passage.begin if passage.places is None else 0
    append, kept, new = made.append, _kept, tuple.__new__
    for piece in _PIECE.findall(text):
        word, size, spaces, lower, means, begins = kept(piece) if len(piece) <= _LONGEST_KEPT else _known(piece)
        start, end = end + spaces, end + size
        if begins:
            starts.append(len(made))
        if means >= 0:
            append(new(Word, (word, lower, start, end, means)))
        elif word:
            before = len(made)
            made.extend(_terms(word, start))
            starts.extend(place for place in range(before, len(made)) if made[place].lower in PHRASES)
    if starts:
        made = _with_phrases(made, starts)
    places = passage.places
    if places is None:
        return made
    # As Passage.span has it, for words are never empty.
    return [
        new(Word, (text, lower, places[start], max(places[end], places[end - 1] + 1), means))
        for text, lower, start, end, means in made
    ]


def _sign(found: re.Match[str]) -> str:
    arrow = found[1] or found[2]
    if arrow:
        return _ARROWS[arrow].ljust(len(found[0]))
    if found[0][0] in "^" or found[0] == "\\degree":
        return "°".ljust(len(found[0]))
    if found[0][-1] == ">":
        return "→".ljust(len(found[0]))
    return ("←" if found[0][0] == "<" else " ").ljust(len(found[0]))


def _known(piece: str) -> tuple[str, int, int, str, int, bool]:
    """The word of a piece, how long the piece is, spaces before the word; the word in lower case, what it means, and
    whether phrases begin with it. What it means is below zero for what has to be taken apart, and where no word is."""
    word = "\n" if piece[-1] == "\n" else piece.lstrip()
    size = len(piece)
    if not word:
        return "", size, size, "", -1, False
    lower, means = _looked_up(word)
    return word, size, size - len(word), lower, means, means >= 0 and lower in PHRASES


_kept = lru_cache(maxsize=16384)(_known)


def _looked_up(piece: str) -> tuple[str, int]:
    """The same; a meaning below zero for words of scripts without spaces that have to be taken apart."""
    lower = folded(piece)
    if not lower.isascii():
        if lower not in MEANINGS and lower not in WITHIN and _IS_ASIAN.match(lower):
            return lower, -1
        alike = lower.translate(LOOK_ALIKES)
        if len(lower) > 1 and alike.isascii() and lower not in MEANINGS and alike in MEANINGS:
            # Letters of another script among Latin ones.
            lower = alike
    if lower not in MEANINGS and len(lower) > _SHORTEST_STEM:
        for size in range(min(len(lower), _LONGEST_STEM), _SHORTEST_STEM - 1, -1):
            if lower[:size] in STEMS:
                return lower, STEMS[lower[:size]]
    if lower not in MEANINGS and len(lower) > 2 and lower.isascii() and lower.isalpha():
        meant = _misspelt(lower)
        if meant:
            return meant, MEANINGS[meant]
    if "'" in lower and lower not in MEANINGS:
        tail = lower.rpartition("'")[2]
        if len(tail) > 2:
            return lower, MEANINGS.get(tail, 0)
        return lower, MEANINGS.get(lower.partition("'")[0], 0) | (m.NOT if lower.endswith("n't") else m.IS)
    return lower, MEANINGS.get(lower, 0)


_SHORTEST_STEM: Final = 4
_LONGEST_STEM: Final = max(map(len, STEMS))
_SPELT: Final = m.FORWARD | m.BACKWARD | m.UP | m.DOWN | m.LEFT | m.RIGHT
_CALLED: Final = m.ANSWER | m.FINAL | m.HEDGE
_LONG: Final = 6
_RIGHTLY: Final = frozenset(
    word for word, means in MEANINGS.items() if means & _SPELT and word.isascii() and len(word) > 1
)
_SAME_LETTERS: Final = {
    (word[0], len(word), "".join(sorted(word))): word
    for word, means in MEANINGS.items()
    if means & _CALLED and word.isascii() and len(word) >= _LONG
}
_LONGEST_SPELT: Final = 1 + max(len(word) for word in (*_RIGHTLY, *_SAME_LETTERS.values()))


def _misspelt(lower: str) -> str:
    """The way, or the word for an answer, that one slip of the hand makes an unknown word of; empty where none is.

    A slip is two neighbours changed, a letter twice, one too many or, in words of six letters and more, one too few.
    """
    size = len(lower)
    if size > _LONGEST_SPELT:
        return ""
    for place in range(size - 1):
        swapped = lower[:place] + lower[place + 1] + lower[place] + lower[place + 2 :]
        if swapped in _RIGHTLY and size > 3:
            return swapped
    for place in range(1, size):
        shorter = lower[:place] + lower[place + 1 :]
        if shorter in _RIGHTLY and (size > _LONG or lower[place] == lower[place - 1]):
            return shorter
    if size >= _LONG:
        for word in _RIGHTLY:
            if len(word) == size + 1 and any(
                word[:place] + word[place + 1 :] == lower for place in range(1, len(word))
            ):
                return word
    return _SAME_LETTERS.get((lower[0], size, "".join(sorted(lower))), "") if size >= _LONG else ""


def _terms(piece: str, start: int) -> list[Word]:
    """The longest known terms of a run of letters without spaces; letters of none stand alone."""
    made = []
    lower = folded(piece)
    if len(lower) != len(piece):
        lower = piece
    if _IS_HANGUL.match(piece):
        return _stem(piece, lower, start)
    place = 0
    while place < len(piece):
        size = next(
            (
                size
                for size in range(min(_LONGEST_TERM, len(piece) - place), 0, -1)
                if lower[place : place + size] in MEANINGS
            ),
            1,
        )
        term = lower[place : place + size]
        made.append(Word(piece[place : place + size], term, start + place, start + place + size, MEANINGS.get(term, 0)))
        place += size
    return made


def _stem(piece: str, lower: str, start: int) -> list[Word]:
    """A word of Korean as what it means and what it ends with: one syllable is a stem only before a particle."""
    for size in range(len(piece) - 1, 0, -1):
        stem, ending = lower[:size], lower[size:]
        if stem in MEANINGS and (size > 1 or MEANINGS.get(ending, 0) & (m.FILLER | m.IS)):
            end = start + size
            behind = Word(piece[size:], ending, end, start + len(piece), MEANINGS.get(ending, 0))
            return [Word(piece[:size], stem, start, end, MEANINGS[stem]), behind]
    return [Word(piece, lower, start, start + len(piece), 0)]


def _with_phrases(words: list[Word], starts: list[int]) -> list[Word]:
    """Phrases as one word each; they begin at ``starts`` at most."""
    made: list[Word] = []
    last, count = 0, len(words)
    for place in starts:
        behind = place + 1
        if place < last or behind == count:
            continue
        for tail, means in PHRASES[words[place].lower].get(words[behind].lower, ()):
            end = behind + 1 + len(tail)
            if end <= count and (not tail or all(words[behind + 1 + i].lower == part for i, part in enumerate(tail))):
                lower = " ".join([one.lower for one in words[place:end]])
                made += words[last:place]
                made.append(Word(lower, lower, words[place].start, words[end - 1].end, means))
                last = end
                break
    made += words[last:]
    return made
