"""What keys and heads of columns say of what stands under them."""

from __future__ import annotations

import enum
import re
from functools import lru_cache
from typing import Final

from grader.answers.grammar.words import denies, number_of
from grader.answers.lexicon import meanings as m
from grader.answers.text.passages import plain_passage
from grader.answers.text.words import Word, words_of


class KeyRole(enum.Enum):
    """What a key says of its value."""

    ANSWER = enum.auto()
    DENIED = enum.auto()
    ASIDE = enum.auto()
    OPTION = enum.auto()
    STEP = enum.auto()
    THING = enum.auto()
    WAY = enum.auto()
    LABEL = enum.auto()
    VALID = enum.auto()
    TIMES = enum.auto()
    UNKNOWN = enum.auto()


_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|[_\s-]+|(?<=[^\W\d])(?=\d)")
_ASIDES: Final = m.EXPLAINS | m.THOUGHT | m.TRIED | m.EARLIER | m.QUOTES | m.STATE | m.FORMAT
_LONGEST_KEY: Final = 60


def words_of_key(key: str) -> list[Word]:
    """The words that a key is made of, with signs, capitals and numbers between them."""
    return words_of(plain_passage(" ".join(_CAMEL.split(key[:_LONGEST_KEY]))))


@lru_cache(maxsize=2048)
def role_of(key: str) -> KeyRole:
    """What a key says of its value.

    Examples
    --------
    >>> keys = ("final_answer", "doNot", "option1", "step 3", "vehicle", "dir", "A", "reasoning")
    >>> [role_of(key).name for key in keys]
    ['ANSWER', 'DENIED', 'OPTION', 'STEP', 'THING', 'WAY', 'LABEL', 'ASIDE']
    """
    key = key.strip()
    if len(key) == 1 and key.isalpha():
        return KeyRole.LABEL
    words = words_of_key(key)
    if not words:
        return KeyRole.UNKNOWN
    together = 0
    for word in words:
        together |= word.means
    numbered = any(number_of(word) is not None for word in words[-1:])
    if len(words) == 1 and words[0].lower in ("no", "nr", "step", "number", "index", "order", "#", "turn"):
        return KeyRole.STEP
    if denies(words) or (together & m.NOT and not words[0].means & m.STEP) or together & m.BAD:
        return KeyRole.DENIED
    if len(words) == 1 or (len(words) == 2 and words[0].lower in ("is", "was", "seems")):
        alone = _alone(words[-1])
        if alone is not None:
            return alone
    if numbered:
        if (
            together & m.OPTION
            or (together & m.ANSWER and not together & (m.STEP | m.MOVES))
            or together & m.OPTIONS & ~m.ANSWER
        ):
            return KeyRole.OPTION
        return KeyRole.STEP if together & (m.STEP | m.MOVES | m.ORDINAL) or len(words) == 1 else KeyRole.UNKNOWN
    if together & m.ANSWER and len(words[-1].text) == 1:
        return KeyRole.OPTION
    if together & (m.OPTION | m.OPTIONS) and not (together & m.ANSWER and len(words) == 1) and not together & m.FINAL:
        return (
            KeyRole.OPTION
            if not together & m.ANSWER or together & m.OPTION or len(words) > 1 or words[0].means & m.HEDGE
            else KeyRole.ANSWER
        )
    if together & m.FINAL and not together & (m.EXPLAINS | m.STATE):
        return KeyRole.ANSWER
    if together & _ASIDES and not (together & m.ANSWER and not words[0].means & _ASIDES):
        return KeyRole.ASIDE
    if together & m.ANSWER:
        return KeyRole.ANSWER
    if together & (m.STEP | m.ORDINAL):
        return KeyRole.STEP
    if together & (m.THING | m.VEHICLE):
        return KeyRole.THING
    if together & (m.WAY | m.BLANK | m.DEGREES | m.HINGE):
        return KeyRole.WAY
    return KeyRole.ANSWER if together & (m.HEDGE | m.MOVES) or words[0].lower == "do" else KeyRole.UNKNOWN


def _alone(word: Word) -> KeyRole | None:
    """The role of a key of one word that has several meanings."""
    if word.lower in (
        "valid",
        "correct",
        "works",
        "legal",
        "solved",
        "success",
        "accepted",
        "approved",
        "feasible",
        "ok",
        "complete",
    ):
        return KeyRole.VALID
    if word.lower in (
        "direction",
        "dir",
        "way",
        "move",
        "action",
        "to",
        "heading",
        "movement",
        "blank",
        "angle",
        "degrees",
        "rotation",
    ):
        return KeyRole.WAY
    if (word.means & m.TIMES and not word.means & m.EXPLAINS) or word.lower in ("count", "repeat", "repetitions"):
        return KeyRole.TIMES
    if word.means == m.CONTACT:
        return KeyRole.ASIDE  # "blocked", "walls"
    if word.lower in ("distance", "units", "color", "colour"):
        return KeyRole.UNKNOWN
    if word.means & m.THING and not word.means & (m.EXPLAINS | m.ANSWER):
        return KeyRole.THING
    if word.means & m.WAY and not word.means & (m.ANSWER | m.STEP):
        return KeyRole.WAY
    if word.text.isdecimal() or word.means & m.ORDINAL:
        return KeyRole.STEP
    if word.means & m.ANSWER:
        return KeyRole.ANSWER
    return None
