"""What single words and stretches of them do in a sentence, whatever the task: deny, number, repeat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grader.answers.lexicon import meanings as m
from grader.answers.text.words import Word

NUMBERS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "once": 1, "twice": 2, "thrice": 3, "un": 1, "deux": 2, "trois": 3, "dos": 2, "tres": 3, "due": 2, "tre": 3,
    "dois": 2, "duas": 2, "einmal": 1, "zweimal": 2, "dreimal": 3, "два": 2, "три": 3, "дважды": 2, "трижды": 3,
    "一": 1, "二": 2, "三": 3, "两": 2, "one time": 1,
}  # fmt: skip
"""What words of numbers count."""
MOST_TIMES: Final = 50
"""How often a move may be repeated in words."""
STOPS: Final = frozenset(".;!?\n")
"""What ends a clause, beside commas."""
_NEAR: Final = 3
_REACH: Final = 7


def number_of(word: Word) -> int | None:
    """What a word counts; None if it is no number, or a larger one than anybody repeats."""
    if word.text.isdecimal() and word.text.isascii():
        return int(word.text) if len(word.text) <= 3 else None
    return NUMBERS.get(word.lower)


def denies(words: Sequence[Word]) -> bool:
    """Whether a clause says that something is wrong, can't be, or is not.

    A word such as "wrong" does, unless a "not" stands shortly before it; so does a "not" with a word such as "works",
    "right" or "answer" shortly after it, or at the end.
    """
    for place, word in enumerate(words):
        if word.means & m.BAD and not _negated(words, place):
            return True
        if word.means & m.NOT and not word.means & m.BAD:
            if not word.text.isascii() and _verb_last(words, place):
                return True
            if place and words[place - 1].lower in ("may", "might"):
                continue  # modesty
            after = _clause(words, place + 1)
            good = next((at for at, one in enumerate(after) if one.means & m.GOOD), None)
            if good is not None and not any(one.means & (m.BAD | m.UNSURE) for one in after[: good + 1]):
                return True
            is_not = place and words[place - 1].text.isalpha() and after and after[0].means & m.IS
            if (
                (is_not or not word.means & m.NO)
                and len(after) < _REACH
                and all(one.means & (m.IS | m.ARTICLE | m.THIS) for one in after if one.text[0].isalnum())
            ):
                return True
    return False


def _verb_last(words: Sequence[Word], place: int) -> bool:
    """Whether a language that ends with the verb says "is not" of a word such as "answer"."""
    if not any("\u3040" <= sign <= "\u30ff" or "\uac00" <= sign <= "\ud7af" for sign in words[place].text):
        return False
    before = words[max(0, place - _NEAR) : place]
    return any(one.means & m.GOOD for one in before) and not any(one.means & m.BAD for one in before)


def _negated(words: Sequence[Word], place: int) -> bool:
    before = words[max(0, place - _NEAR) : place]
    for word in reversed(before):
        if word.lower in STOPS or word.lower == ",":
            return False
        if word.means & m.NOT and not word.means & m.BAD:
            return True
    return False


def _clause(words: Sequence[Word], start: int) -> Sequence[Word]:
    """The next words of a clause."""
    for place in range(start, min(start + _REACH, len(words))):
        if words[place].lower in STOPS or words[place].lower in (",", ":", "(", ")"):
            return words[start:place]
    return words[start : start + _REACH]


def times_at(words: Sequence[Word], at: int, units: frozenset[str]) -> tuple[int, int]:
    """How often what stands before a word is meant, and the word behind what says so; 1 and the same if none."""
    count = len(words)
    place = at
    closing = place < count and words[place].lower == "("
    if closing:
        place += 1
    if place < count and words[place].lower in ("by", "for", "um", "de", "di", "на"):
        place += 1
    if place >= count:
        return 1, at
    word = words[place]
    found, end = None, place
    if word.means & m.TIMES and word.means & m.NUMBER:
        found, end = number_of(word), place + 1
    elif word.lower in ("x", "*") and place + 1 < count:
        found, end = number_of(words[place + 1]), place + 2
    else:
        number = number_of(word)
        if number is not None and place + 1 < count:
            after = words[place + 1]
            if after.means & m.TIMES or after.lower in units:
                found, end = number, place + 2
    touching = closing and at > 0 and words[at].start == words[at - 1].end
    if found is None and touching and number_of(word) is not None:
        found, end = number_of(word), place + 1  # "up(3)"
    elif closing and end > place and words[end - 1].lower in units:
        return 1, at  # "(3 moves)" says how many there are
    if found is None or not 1 <= found <= MOST_TIMES:
        return 1, at
    if closing:
        if end >= count or words[end].lower != ")":
            return 1, at
        end += 1
    return found, end


def times_before(words: Sequence[Word], at: int) -> tuple[int, int]:
    """As ``times_at``, for what stands after: "2x left", "one left"."""
    number = number_of(words[at])
    if number is None or not 1 <= number <= MOST_TIMES or at + 1 >= len(words):
        return 1, at
    after = words[at + 1]
    if after.lower == "x" or (after.means & m.TIMES and not after.means & m.NUMBER):
        return number, at + 2
    if not words[at].text.isdecimal():
        return number, at + 1
    return 1, at


_ROMAN: Final = frozenset({"i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"})


def _lettered(words: Sequence[Word], at: int) -> int:
    """How many words at the beginning of a line count by letters: "a)", "(b)", "(ii)", "[x]"; 0 if they do not."""
    if at and words[at - 1].text not in "\n-*•;,":
        return 0
    opened = words[at].text in "(["
    place = at + opened
    if place + 1 >= len(words) or words[place + 1].text not in ")].":
        return 0
    behind = words[place + 2] if place + 2 < len(words) else None
    if behind is None or behind.start == words[place + 1].end:
        return 0
    name = words[place].text
    letter = len(name) == 1 and name.isalpha() and name.isascii() and (name.islower() or not opened)
    if not (letter or name.lower() in _ROMAN) or (words[place + 1].text == "." and opened):
        return 0
    ways = m.FORWARD | m.BACKWARD
    says = behind.means & ways and not behind.means & m.MOVES
    return 0 if says or behind.text in ":=,;→-" else place + 2 - at


def step_number(words: Sequence[Word], at: int) -> int:
    """How many words at a place only count steps: "1.", "2)", "(3)", "Step 4:", "#5", "step one -"; else 0."""
    count = len(words)
    first = words[at]
    if not (first.means & (m.STEP | m.NUMBER) or first.lower in "([#" or first.text.isdecimal()) and (
        at + 1 >= count or words[at + 1].text not in ")]."
    ):
        return 0  # as most words do not
    lettered = _lettered(words, at)
    if lettered:
        return lettered
    place = at
    opened = words[place].lower in "(["
    if opened:
        place += 1
    named = False
    while place < count and (words[place].means & m.STEP or words[place].lower == "#"):
        named = True
        place += 1
    if place >= count:
        return 0
    number = number_of(words[place])
    if number is None:
        if named and words[place].means & m.ORDINAL:
            return place + 1 - at
        return 0
    place += 1
    if opened:
        return place + 1 - at if place < count and words[place].lower in ")]" else 0
    if place < count and words[place].lower in ".):]":
        return place + 1 - at
    if named:
        if place < count and words[place].lower in ("-", "→", "=", "번", "步"):
            place += 1
        return place - at
    # "1 - A", at the beginning of a line.
    if place < count and words[place].lower == "-" and (at == 0 or words[at - 1].lower == "\n"):
        return place + 1 - at
    return 0
