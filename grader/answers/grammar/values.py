"""A value: words that are an answer and nothing else, such as the text behind a key, or what a box holds."""

from __future__ import annotations

from typing import Final, TypeVar

from grader.answers.grammar.leads import Lead, lead_of
from grader.answers.grammar.plans import Grammar, Plan, RowFault
from grader.answers.grammar.rows import SIGNS, ItemRun, run_at, starts_at
from grader.answers.grammar.words import denies, step_number
from grader.answers.lexicon import meanings as m
from grader.answers.text.blocks import BOX, CLOSED, TAG
from grader.answers.text.words import Word

T = TypeVar("T")

_LEADS: Final = (m.ANSWER | m.FINAL | m.HEDGE | m.IS | m.ARTICLE | m.FILLER | m.WRITER | m.THEN | m.ORDINAL | m.STEP
                 | m.THIS | m.MOVES | m.AND | m.PIECE | m.HINGE)  # fmt: skip
_NEVER: Final = m.NOT | m.BAD | m.CHANGES | m.OPTIONS | m.OR | m.TRIED
_OR_SIGNS: Final = frozenset("|/")
_AROUND: Final = SIGNS | {BOX, TAG, CLOSED, "!", "?"}


def read_value(words: list[Word], grammar: Grammar[T]) -> Plan[T] | RowFault | None:
    """Reads a value; None where nothing but signs stands there."""
    words = grammar.prepared(words)
    if all(word.text in _AROUND and starts_at(words, place, grammar) is None for place, word in enumerate(words)):
        return None
    at = _behind_lead(words, grammar)
    if isinstance(at, RowFault):
        return at
    run = run_at(words, at, grammar)
    if run is None:
        return _fault(words, at, grammar, 0)
    rest = _behind(words, run.stop)
    if rest < len(words):
        return _what_follows(words, rest, run, grammar)
    expected = grammar.checked(run.items)
    if expected:
        return RowFault(words[run.first].start, words[run.stop - 1].end, expected, begun=len(run.items))
    if several_plans(run, grammar):
        return RowFault(words[run.first].start, words[run.stop - 1].end, "one plan", open=True, begun=len(run.items))
    return Plan(run.items, run.places, tuple(words[:at]), run.entries)


def several_plans(run: ItemRun[T], grammar: Grammar[T]) -> bool:
    """Whether a run is entries that each could be a plan, so that they may be plans to choose from."""
    return not grammar.sets and len(run.entries) > 1 and min(run.entries) > 1


def _behind(words: list[Word], at: int) -> int:
    """The next word that is no sign and counts no step."""
    while at < len(words) and (
        words[at].text in _AROUND or (words[at].means & m.ADVERB and not words[at].means & m.NOT)
    ):
        at += 1
    return at


def _behind_lead(words: list[Word], grammar: Grammar[T]) -> int | RowFault:
    """The first word of the first item, or what stands before it and says something else."""
    at = 0
    while at < len(words):
        if starts_at(words, at, grammar) is not None:
            return at
        word = words[at]
        number = step_number(words, at)
        if number:
            at += number
        elif word.text in _AROUND or (word.means & _LEADS and not word.means & _NEVER and not grammar.names(words, at)):
            at += 1
        elif skipped := (grammar.skips(words, at) if not word.means & _NEVER else 0):
            at += skipped
        elif word.means & m.OR and (others := _items_from(words, at + 1, grammar)):
            return RowFault(word.start, words[-1].end, "one plan", open=True, begun=others)
        else:
            return _behind_sentence(words, at, grammar)
    return _fault(words, len(words), grammar, 0)


def _items_from(words: list[Word], at: int, grammar: Grammar[T]) -> int:
    """How many items begin from a word on."""
    return sum(starts_at(words, place, grammar) is not None for place in range(at, len(words)))


def _behind_sentence(words: list[Word], at: int, grammar: Grammar[T]) -> int | RowFault:
    """The same behind words that are not all known, if they announce an answer and end with a colon."""
    for place in range(at + 1, len(words)):
        if words[place - 1].text in ':"`*' and starts_at(words, place, grammar) is not None:
            lead = words[:place]
            if lead_of(lead, grammar) in (Lead.COMMITS, Lead.FINAL, Lead.CORRECTS) and not any(
                grammar.names(words, one) or starts_at(words, one, grammar) for one in range(at, place)
            ):
                return place
            break
    return _fault(words, at, grammar, 0)


def _what_follows(words: list[Word], at: int, run: ItemRun[T], grammar: Grammar[T]) -> Plan[T] | RowFault:
    """What words behind a row make of it."""
    begun = len(run.items)
    word = words[at]
    others = _items_from(words, at, grammar)
    if others and (word.text in _OR_SIGNS or word.means & (m.OR | m.OPTION)):
        return RowFault(word.start, words[-1].end, "one plan", open=True, begun=begun)
    sentence = any(one.text in ".!\n" for one in words[run.stop : at])
    said = words[at:]
    if sentence and not others and not denies(said) and not any(
        one.means & (m.CHANGES | m.MOVES | m.OR | m.OPTION | m.NOT) or grammar.names(words, place)
        for place, one in enumerate(said, at)
    ):  # fmt: skip
        return Plan(run.items, run.places, (), run.entries)
    return _fault(words, at, grammar, begun)


def _fault(words: list[Word], at: int, grammar: Grammar[T], begun: int) -> RowFault:
    if at >= len(words):
        end = words[-1].end if words else 0
        return RowFault(end, end, grammar.expected, begun=begun)
    end = next((place for place in range(at + 1, len(words)) if words[place].text in ",;\n"), len(words))
    is_open = bool(words[at].means & m.OR) and begun > 0 and grammar.sets
    return RowFault(words[at].start, words[end - 1].end, grammar.expected, open=is_open, begun=begun)
