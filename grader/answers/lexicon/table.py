"""The table of all words, by what a word looks like without accents and in lower case."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from grader.answers.lexicon import meanings as m
from grader.answers.lexicon.asian import CHINESE, JAPANESE, KOREAN
from grader.answers.lexicon.english import ENGLISH, VERBS
from grader.answers.lexicon.function_words import FUNCTION_WORDS
from grader.answers.lexicon.german import GERMAN
from grader.answers.lexicon.romance import FRENCH, ITALIAN, PORTUGUESE, SPANISH
from grader.answers.lexicon.russian import RUSSIAN

LOOK_ALIKES: Final = str.maketrans(
    "аеорсухіјѕԁԛһкмтнвАВЕКМНОРСТХУІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεικνορτυχ",
    "aeopcyxijsdqhkmthbABEKMHOPCTXYIJSABEZHIKMNOPTYXaβεικvoptux",
)
"""Letters of Cyrillic and Greek that look like Latin ones."""


_LANGUAGES: Final = (
    ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, RUSSIAN, CHINESE, JAPANESE, KOREAN, FUNCTION_WORDS,
)  # fmt: skip


@lru_cache(maxsize=8192)
def folded(word: str) -> str:
    """A word in lower case and without accents; a mark alone is itself."""
    if word.isascii():
        return word.lower()
    apart = unicodedata.normalize("NFD", word.lower())
    kept = "".join(one for one in apart if not ("\u0300" <= one <= "\u036f"))
    return unicodedata.normalize("NFC", kept) or word


def _inflected(verbs: str) -> Iterable[str]:
    for verb in verbs.split(", "):
        stem = verb.removesuffix("e")
        double = verb in ("step", "swap", "steer") and verb != "steer"
        last = verb[-1] if double else ""
        third = f"{verb}es" if verb.endswith("sh") else f"{verb}s"
        yield from (verb, third, f"{stem}{last}ing", f"{stem}{last}ed")


def _made() -> tuple[dict[str, int], dict[str, dict[str, tuple[tuple[tuple[str, ...], int], ...]]], dict[str, int]]:
    words: dict[str, int] = {}
    phrases: dict[tuple[str, ...], int] = {}
    stems: dict[str, int] = {}
    entries = [entry for language in _LANGUAGES for entry in language]
    entries.append((m.MOVES, ", ".join(_inflected(VERBS))))
    for meaning, listed in entries:
        for entry in listed.split(","):
            parts = tuple(folded(entry.strip()).replace("-", " - ").replace(".", " . ").split())
            if len(parts) == 1 and parts[0].endswith("*"):
                stems[parts[0][:-1]] = stems.get(parts[0][:-1], 0) | meaning
            elif len(parts) == 1:
                words[parts[0]] = words.get(parts[0], 0) | meaning
            elif parts:
                phrases[parts] = phrases.get(parts, 0) | meaning
    by_words: dict[str, dict[str, tuple[tuple[tuple[str, ...], int], ...]]] = {}
    for parts, meaning in sorted(phrases.items(), key=lambda one: (-len(one[0]), one[0])):
        known = by_words.setdefault(parts[0], {})
        known[parts[1]] = (*known.get(parts[1], ()), (parts[2:], meaning))
    return words, by_words, stems


MEANINGS, PHRASES, STEMS = _made()
"""What single words mean; what phrases mean, by their first word and their second, the longest first, each as the words
behind these; what words mean that begin so."""
WITHIN: Final = frozenset(PHRASES) | {
    part for rest in PHRASES.values() for second, tails in rest.items() for tail, _ in tails for part in (second, *tail)
}
"""All words that occur in phrases."""
