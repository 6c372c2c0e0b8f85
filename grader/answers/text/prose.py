"""Prose as words, with one sign for each sentence that can't matter to any plan, for there are many of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from grader.answers.lexicon import meanings as m
from grader.answers.lexicon.table import MEANINGS, PHRASES, STEMS
from grader.answers.text.passages import Passage
from grader.answers.text.words import Word, words_of

DULL: Final = "\ue004"
"""Stands for a sentence that says nothing of any plan."""

_SHORTEST_STEM: Final = 4
# A plain sentence: words in small letters behind the first, no signs but commas.
_PLAIN: Final = r"[a-z]{1,20}(?:,? [a-z]{1,20}){2,60}\."
_SENTENCE: Final = re.compile(rf"[A-Z](?<!\S.){_PLAIN}(?=\s|\Z)")
_SENTENCES: Final = re.compile(rf"[A-Z](?<!\S.){_PLAIN}(?: [A-Z]{_PLAIN}){{0,40}}(?=\s|\Z)")
"""Several in a row, which are looked at together first."""
_WAYS: Final = m.FORWARD | m.BACKWARD | m.UP | m.DOWN | m.LEFT | m.RIGHT | m.CLOCKWISE | m.ANTICLOCKWISE
_DOES: Final = m.TAKES_BACK | m.CHOOSES | m.TURNS | m.AMENDS | m.CHANGES | m.NOT | m.BAD | m.NO | m.OR
_SAYS: Final = _WAYS | _DOES | m.ANSWER | m.FINAL | m.OPTION | m.OPTIONS | m.RED | m.COLOR | m.MOVES
_COMMON: Final = frozenset(
    "a again an all and any as at back be by can do for from go good have i in is it just let me my no not of on one or"  # noqa: SIM905
    " our out so that the them then there these this to up we with you your".split()
)


def _telling() -> frozenset[str]:
    """Words of which a sentence has to have one to matter: of phrases the first that is not common."""
    words = {word for word, means in MEANINGS.items() if means & _SAYS}
    for first, rest in PHRASES.items():
        for second, tails in rest.items():
            for tail, means in tails:
                if means & _SAYS:
                    words.add(next((word for word in (first, second, *tail) if word not in _COMMON), first))
    return frozenset(words | set("bcdefghjklmnopqrstuvwxyz"))


_TELLING: Final = _telling()
_BEGINNINGS: Final = frozenset(stem[:_SHORTEST_STEM] for stem in STEMS)


@lru_cache(maxsize=16384)
def _tells(word: str) -> bool:
    """Whether a sentence with this word may matter to a plan."""
    lower = word.lower()
    return lower in _TELLING or lower[:_SHORTEST_STEM] in _BEGINNINGS


def _dull(text: str) -> Iterator[re.Match[str]]:
    """Plain sentences that say nothing of any plan, several in a row as one."""
    for run in _SENTENCES.finditer(text):
        if not any(map(_tells, run[0].replace(",", "").replace(".", "").split(" "))):
            yield run
            continue
        for found in _SENTENCE.finditer(text, run.start(), run.end()):
            if not any(map(_tells, found[0][:-1].replace(",", "").split(" "))):
                yield found


def words_of_prose(passage: Passage) -> list[Word]:
    """As ``words_of``, with `DULL` for each plain sentence none of whose words says anything of a plan.

    Examples
    --------
    >>> from grader.answers.text.passages import plain_passage
    >>> text = "The picture shows a small lot. The lane is long. A back."
    >>> [word.lower for word in words_of_prose(plain_passage(text))][:3] == [DULL, ".", "a"]
    True
    """
    text = passage.text
    made: list[Word] = []
    last = 0
    for found in _dull(text):
        start, end = found.start(), found.end() - 1
        between = text[last:start]
        if not (last and between.startswith(".") and between[1:].isspace() and "\n" not in between):
            # Of several in a row, one sign is enough.
            made += words_of(passage.cut(last, start))
            span = passage.span(start, end)
            made.append(Word(DULL, DULL, span.start, span.end, 0))
        last = end
    if not last:
        return words_of(passage)
    made += words_of(passage.cut(last, len(text)))
    return made
