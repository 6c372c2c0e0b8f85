"""The plans within a sentence or a line, and what the words between and behind them make of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from grader.answers.discourse.statements import PlanPart, Statement
from grader.answers.discourse.talk import named_end, refutes, takes_back
from grader.answers.grammar.leads import Lead, lead_of
from grader.answers.grammar.plans import Grammar, RowFault
from grader.answers.grammar.rows import MOST_ITEMS, harmless, run_at
from grader.answers.grammar.words import step_number
from grader.answers.lexicon import meanings as m
from grader.answers.text.blocks import ISLAND
from grader.answers.text.words import Word

T = TypeVar("T")

_OR_SIGNS: Final = frozenset("|/")
_TAIL_SIGNS: Final = frozenset(",;.!\"'`*_)]}$✓:-→~\\#•|?") | {ISLAND}
_NOUNS: Final = m.OBJECT | m.COLOR | m.HEDGE | m.FINAL | m.GOOD | m.STEP | m.ANSWER | m.OPTION
_AGREES: Final = m.ADVERB | m.YES | m.FILLER | m.THIS | m.GOOD | m.IS | m.ARTICLE | m.FINAL
_NAMES: Final = m.ANSWER | m.OPTION | m.OPTIONS | m.STEP


def parts_of(words: list[Word], apart: dict[int, Statement[T]], grammar: Grammar[T]) -> list[PlanPart[T]]:
    """The plans in the words of a unit; ``apart`` are those that stand for one sign, by where they begin."""
    hinted = grammar.hinted(words)
    if not hinted and not (apart and any(word.text == ISLAND for word in words)):
        return []
    parts: list[PlanPart[T]] = []
    place, last = named_end(words), 0
    while place < len(words):
        if words[place].text == ISLAND:
            found = apart.get(words[place].start)
            if found is not None:
                parts.append(PlanPart(words[last:place], place, place + 1, apart=found))
                last = place + 1
            place += 1
            continue
        run = run_at(words, place, grammar) if hinted else None
        if run is None:
            number = step_number(words, place)
            last = place + number if number and place == last else last
            place += number or 1
            continue
        if len(run.items) >= MOST_ITEMS and run.stop < len(words):
            # More than any plan has: the rest is not looked at.
            parts.append(PlanPart(words[last:place], place, len(words), run=run, broken=words[run.stop]))
            break
        parts.append(PlanPart(words[last:place], place, run.stop, run=run))
        place = last = run.stop
    return parts


def only_a_word(words: list[Word], part: PlanPart[T]) -> bool:
    """Whether what looks like one item is a word of a sentence that takes something back: "the plan above fails"."""
    if part.run is None or len(part.run.items) > 1 or any(word.text in ':"`' for word in words[:-1]):
        return False
    word = words[part.start]
    return part.stop == part.start + 1 and (takes_back(words) or bool(word.means & m.THIS and refutes(words)))


def leaves_open(parts: Sequence[PlanPart[T]]) -> bool:
    """Whether plans in one unit are alternatives: "either", or an "or" between two of them."""
    for part in parts[1:]:
        says_or = any(
            word.means & m.OR or (word.means & m.OPTION and not word.means & m.HEDGE) or word.text in _OR_SIGNS
            for word in part.before
        )
        if says_or and not any(word.means & m.TRIED for word in part.before):
            return True
    return any(word.means & m.EITHER for word in parts[0].before)


def merged(words: list[Word], parts: list[PlanPart[T]], grammar: Grammar[T]) -> list[PlanPart[T]]:
    """Rows with words between them that say nothing of them are one that can't be read."""
    made: list[PlanPart[T]] = []
    for part in parts:
        before = made[-1] if made else None
        if before is not None and before.run is not None and part.run is not None and not takes_back(part.before):
            lead = lead_of(part.before, grammar)
            within = sum((word.text == "(") - (word.text == ")") for word in part.before) > 0
            if within or (lead in (Lead.NOTHING, Lead.UNKNOWN) and not refutes(part.before)):
                made[-1] = PlanPart(before.before, before.start, part.stop, run=before.run, broken=words[before.stop])
                continue
        made.append(part)
    return made


def explained(marked: bool, part: PlanPart[T], behind: list[Word], grammar: Grammar[T]) -> bool:
    """Whether what stands behind the one item of an entry of a list can't change it."""
    if not marked or not part.single or behind[0].text not in ",-:(;*_`":
        return False
    return harmless(behind, grammar) and not any(grammar.names(behind, place) for place in range(len(behind)))


def all_named(part: PlanPart[T], grammar: Grammar[T]) -> bool:
    """False where the words before a row name a thing, whose move was not read."""
    if part.run is None:
        return True
    before = part.before
    begin = max(
        (place + 1 for place, word in enumerate(before) if word.text == ":" or word.means & m.ANSWER), default=0
    )
    for place in range(begin, len(before)):
        word = before[place]
        step = step_number(before, place)
        if step:
            continue
        if word.means & m.CHANGES and not word.means & (m.BECAUSE | m.ANSWER | m.FINAL):
            return False
        after = before[place + 1] if place + 1 < len(before) else None
        if word.text.isdecimal() and grammar.names(before, place):
            return False
        article = word.text == "I" or (word.text == "A" and after is not None and bool(after.means & _NOUNS))
        if grammar.names(before, place) and len(word.text) == 1 and word.text.isupper() and not article:
            ahead = before[place - 1] if place else None
            if ahead is None or not ahead.means & _NAMES:
                return False
            if ahead.means & m.MOVES and not ahead.means & m.ANSWER and after is not None and after.text == ",":
                return False  # "Move E, ..."
    return True


def unclear_in(behind: Sequence[Word]) -> Word | None:
    """The first word behind a row that says something."""
    for place, word in enumerate(behind):
        if word.text == "." and place + 1 < len(behind) and behind[place + 1].text == ".":
            return word  # something was left out
        if word.text in _TAIL_SIGNS:
            continue
        if word.means & _AGREES and not word.means & (m.NOT | m.CHANGES | m.BAD | m.OR | m.AMENDS):
            continue
        return word
    return None


def fault_of(marked: bool, part: PlanPart[T], behind: list[Word], grammar: Grammar[T]) -> RowFault | None:
    """What makes a row one that can't be read: words behind it or within it, or a thing before it without a way."""
    unclear = part.broken or unclear_in(behind)
    if unclear is not None and (part.broken is not None or not explained(marked, part, behind, grammar)):
        end = max(unclear.end, behind[-1].end if behind else 0)
        return RowFault(unclear.start, end, grammar.expected, begun=1)
    if not all_named(part, grammar):
        return RowFault(part.before[0].start, part.before[-1].end, grammar.expected)
    return None
