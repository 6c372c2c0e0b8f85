"""What words before a plan make of it: an answer, a proposal, a denial, a quotation, a try."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Final, TypeVar

from grader.answers.grammar.plans import Grammar
from grader.answers.grammar.words import denies, number_of, step_number
from grader.answers.lexicon import meanings as m
from grader.answers.text.words import Word

T = TypeVar("T")


class Lead(enum.Enum):
    """What a plan is that follows.

    CORRECTS: the answer in place of all before it. FINAL: the answer, more than one that is only called so.
    COMMITS: the answer. NOTHING: words say nothing of it. PROPOSES: one that may be chosen. DENIES: not the answer.
    ASIDE: tried, explained, thought of. QUOTES: an example of the format. OTHERS: of other things than the task moves.
    UNKNOWN: something else is said, in which a plan may occur.
    """

    CORRECTS = enum.auto()
    FINAL = enum.auto()
    COMMITS = enum.auto()
    NOTHING = enum.auto()
    PROPOSES = enum.auto()
    DENIES = enum.auto()
    ASIDE = enum.auto()
    QUOTES = enum.auto()
    OTHERS = enum.auto()
    UNKNOWN = enum.auto()


_NEUTRAL: Final = (m.FILLER | m.WRITER | m.THEN | m.ORDINAL | m.ARTICLE | m.MOVES | m.AND | m.STEP | m.ADVERB
                   | m.YES | m.IS | m.TO | m.THING | m.BLANK | m.OBJECT | m.HINGE | m.PIECE)  # fmt: skip
_RENAMES: Final = m.THIS | m.IS | m.ARTICLE | m.ANSWER | m.FINAL | m.HEDGE | m.OPTION | m.PIECE | m.PATTERN | m.GOOD
"""What may stand between a no and what is right instead: "no, it is", "no: the right answer is"."""
_STOPS: Final = frozenset({",", ".", ";", ":", "!", "-", "–", "—"})
_CONDITIONS: Final = m.IF | m.WHEN
_MOST_WORDS: Final = 30
_FEW: Final = 8
_SHORT: Final = 2


def lead_of(words: Sequence[Word], grammar: Grammar[T]) -> Lead:
    """What words before a plan make of it.

    Examples
    --------
    >>> from grader.answers.grammar.vehicles import Vehicles
    >>> from grader.answers.text.passages import plain_passage
    >>> from grader.answers.text.words import words_of
    >>> texts = ("The answer is", "Failed attempts:", "Option 2:")
    >>> [lead_of(words_of(plain_passage(text)), Vehicles()).name for text in texts]
    ['COMMITS', 'DENIES', 'PROPOSES']
    """
    if not words:
        return Lead.NOTHING
    words = _behind_purpose(_without_numbers(words))
    said = [word for word in words if word.means or word.text[0].isalpha()][-_MOST_WORDS:]
    if not said:
        return Lead.NOTHING
    last = _last_sign(words[:-1], ";")
    if last >= 0 and any(word.means for word in words[last + 1 :]):
        return lead_of(words[last + 1 :], grammar)  # the clause that stands next to it
    together = 0
    for word in said:
        together |= word.means
    answers = bool(together & m.ANSWER)
    final = bool(together & m.FINAL) and (answers or bool(together & m.CHOOSES))
    if said[0].means & m.NO and len(said) <= _SHORT:
        # "No, A" says what is right; "No A" that A is not.
        return Lead.CORRECTS if any(word.text in ",.;:!-" for word in words) else Lead.DENIES
    if _turned_by_no(words):
        return Lead.CORRECTS
    if denies(_last_clause(words)):
        return Lead.DENIES
    if grammar.about_others(said):
        return Lead.OTHERS
    if together & (m.QUOTES | m.FORMAT) and not (answers and _own(said)):
        return Lead.QUOTES
    if _named(words) and not grammar.options:
        return Lead.PROPOSES
    if together & (m.OPTION | m.OPTIONS) and _proposes(said, grammar):
        return Lead.PROPOSES
    if said[0].means & m.OR and not said[0].means & m.HEDGE and len(said[0].text) > 1:
        return Lead.PROPOSES
    if together & (m.TAKES_BACK | m.TURNS) and (answers or final or together & m.TAKES_BACK) and not together & m.TRIED:
        return Lead.CORRECTS
    if together & m.AMENDS and (answers or words[-1].means & m.AMENDS):
        return Lead.UNKNOWN  # "Answer: everything but ..."
    if said[0].means & m.NO and together & (m.FINAL | m.GOOD) and len(said) > 1:
        return Lead.CORRECTS
    if together & m.CHOOSES and not together & m.TRIED:
        return Lead.FINAL
    if together & (m.TRIED | m.EARLIER) and not final:
        return Lead.ASIDE
    if together & m.EXPLAINS and (not answers or _explains(said)):
        return Lead.ASIDE
    if together & m.THOUGHT and not answers and not together & (m.HEDGE | m.FINAL):
        return Lead.ASIDE
    # "After careful analysis, the answer is" says when it was found, not when it holds.
    next_to = _last_clause(words) if said[0].means & m.WHEN and not together & m.IF else said
    first = next((word for word in next_to if word.means or word.text[0].isalpha()), said[0])
    if first.means & _CONDITIONS and not (len(said) > 1 and said[1].means & m.WRITER):
        return Lead.UNKNOWN
    if final:
        return Lead.FINAL
    if answers:
        return Lead.COMMITS
    if together & _CONDITIONS:
        return Lead.UNKNOWN
    single = bool(together & m.ONE_MOVE)
    if together & m.HEDGE or (together & m.FINAL and not single and together & (m.IS | m.ARTICLE | m.MOVES | m.FINAL)):
        called = len(said) <= _FEW and (any(word.text == ":" for word in words) or bool(said[-1].means & m.IS))
        return Lead.COMMITS if called or not _unknown(said) else Lead.UNKNOWN
    if (not _unknown(said) or _concludes(words)) and not together & m.NOT and not (single and together & m.IS):
        return Lead.NOTHING
    return Lead.UNKNOWN


def _turned_by_no(words: Sequence[Word]) -> bool:
    """ "Wait, no: A", "hm, no. It is A": a no that stands by itself denies what was said, and not what follows."""
    place = next((at for at, word in enumerate(words[:-1]) if word.means & m.NO), -1)
    if place <= 0 or words[place + 1].text not in _STOPS:
        return False
    before, behind = words[:place], words[place + 2 :]
    return all(
        not word.text[0].isalnum() or word.means & allowed
        for part, allowed in ((before, m.TURNS | m.FILLER | m.BUT), (behind, _RENAMES))
        for word in part
    )


def _last_sign(words: list[Word], signs: str) -> int:
    """The number of the last word that is one of some signs; -1 where none is."""
    for place in range(len(words) - 1, -1, -1):
        if words[place].text in signs:
            return place
    return -1


def _last_clause(words: list[Word]) -> list[Word]:
    """The clause next to a plan, if it speaks of an answer: "Unless I'm mistaken, the answer is"; else all."""
    last = words[_last_sign(words, ",;") + 1 :]
    return last if len(last) < len(words) and any(word.means & m.ANSWER for word in last) else words


def _behind_purpose(words: list[Word]) -> list[Word]:
    """Without what says what for, at the beginning: "To free the red car, ..."."""
    if words and words[0].lower.partition(" ")[0] in ("to", "for") and words[0].means & (m.TO | m.BECAUSE):
        comma = next((place for place, word in enumerate(words) if word.text == ","), -1)
        return words[comma + 1 :] if comma > 0 else words
    return words


def _without_numbers(words: Sequence[Word]) -> list[Word]:
    """Without what only counts steps."""
    kept: list[Word] = []
    place = 0
    while place < len(words):
        named = bool(kept) and kept[-1].text[0].isalnum()
        number = 0 if named else step_number(words, place)
        if number and not words[place].means & (m.OPTION | m.OPTIONS):
            place += number
        else:
            kept.append(words[place])
            place += 1
    return kept


def _own(said: Sequence[Word]) -> bool:
    """Whether somebody gives an answer of theirs: "my answer in the format"."""
    return any(word.means & m.OWN for word in said)


def _named(words: Sequence[Word]) -> bool:
    """ "Plan B:", "Solution 2 -", "Candidate 1": one of several by its name."""
    said = [word for word in words if word.text not in "*_#\n\"'`•(["]
    for place, word in enumerate(said[:-1]):
        if word.means & (m.ANSWER | m.OPTION | m.OPTIONS) and not word.means & (m.STEP | m.MOVES) and place <= 2:
            after = said[place + 1]
            letter = len(after.text) == 1 and after.text.isalpha() and after.text.isupper()
            if ((letter or number_of(after) is not None) and not after.means & m.ARTICLE) or letter:
                behind = said[place + 2] if place + 2 < len(said) else None
                if behind is None or behind.text in ":.-)=→" or behind.means & m.IS:
                    return True
    return False


def _proposes(said: Sequence[Word], grammar: Grammar[T]) -> bool:
    """Whether it is a matter of options: "option" is not what the task asks for, and not "the best option"."""
    for word in said:
        if word.means & m.OPTION and not (grammar.options and word.means & m.PATTERN):
            hedge = word.means & m.HEDGE
            if not hedge or word.means & m.OR:
                return not any(one.means & m.FINAL for one in said)
        if word.means & m.OPTIONS and not word.means & (m.ANSWER | m.HEDGE):
            return not any(one.means & m.CHOOSES for one in said)
    return False


def _explains(said: Sequence[Word]) -> bool:
    """Whether words begin with what is said about an answer: "Explanation of the answer"."""
    first = said[0]
    return bool(first.means & m.EXPLAINS) and not first.means & (m.ANSWER | m.STEP) and len(first.text.split()) == 1


def _unknown(said: Sequence[Word]) -> bool:
    """Whether something else is said: "the truck blocks"."""
    neutral = _NEUTRAL | m.HEDGE | m.FINAL | m.THIS | m.BUT | m.CONCLUDES
    return any(not word.means & neutral for word in said)


def _concludes(words: Sequence[Word]) -> bool:
    """ "So, to free it:" - a conclusion and a colon."""
    return _ends(words, ":") and bool(words[0].means & (m.BECAUSE | m.THEN))


def _ends(words: Sequence[Word], sign: str) -> bool:
    signs = [word for word in words if word.text not in "*_`\"'\n"]
    return bool(signs) and signs[-1].text == sign
