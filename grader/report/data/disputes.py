"""Which verdicts a person would most likely dispute, and why. The rule is told to whoever reads the page."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from grader.report.data.grouping import natural
from grader.report.data.records import Record


class Doubt(enum.Enum):
    """A ground for doubt: a few words for people."""

    RIGHT_BY_SCORE = "FAIL at a score of 1"
    READINGS_DIFFER = "readings of the answer differ"
    HIGH_REWARD = "FAIL with a high reward"
    NEARLY_RIGHT = "FAIL just below a score of 1"
    BELOW_ONE = "PASS below a score of 1"
    BADLY_ALIGNED = "PASS, badly aligned"
    UNSURE = "the detector was unsure"
    NOTES = "PASS with notes"


HIGH_REWARD = 0.7
"""A FAIL has at most 0.9."""
NEARLY = 0.95
SURE = 0.8
_NOTES_WEIGHT = 0.3

RULE = (
    "Each ground has a weight from 0 to 1. A FAIL at a score of 1 weighs 1; strict and lenient readings of words that "
    f"differ, 0.95; a FAIL with a reward of at least {HIGH_REWARD:g} that reward, one with a score of at least "
    f"{NEARLY:g} that score; a PASS below a score of 1 what it lacks; a PASS whose picture was aligned with a quality "
    f"below {SURE:g}, and any verdict whose detector was sure to less than {SURE:g}, what is lacking to 1; a PASS with "
    f"notes, {_NOTES_WEIGHT:g}. The heaviest ground counts, then how many there are, then the order of ids. Of each "
    "heaviest ground a third of the places is shown first, so that one kind can't hide the others."
)


@dataclass(frozen=True)
class Disputable:
    """A verdict with its grounds for doubt, the heaviest first."""

    record: Record
    grounds: tuple[tuple[Doubt, float], ...]

    @property
    def weight(self) -> float:
        """That of the heaviest ground."""
        return self.grounds[0][1]


def grounds(record: Record) -> tuple[tuple[Doubt, float], ...]:
    """Grounds for doubt with their weights, the heaviest first; see `RULE`."""
    if not record.is_candidate or record.score is None:
        return ()
    found: list[tuple[Doubt, float]] = []
    if record.split:
        found.append((Doubt.READINGS_DIFFER, 0.95))
    if record.passed:
        if not record.scored:
            found.append((Doubt.BELOW_ONE, 1.0 - record.score))
        if record.quality is not None and record.quality < SURE:
            found.append((Doubt.BADLY_ALIGNED, 1.0 - record.quality))
        if record.notes:
            found.append((Doubt.NOTES, _NOTES_WEIGHT))
    elif record.scored:
        found.append((Doubt.RIGHT_BY_SCORE, 1.0))
    elif record.score >= NEARLY:
        found.append((Doubt.NEARLY_RIGHT, record.score))
    if not record.passed and record.reward is not None and record.reward >= HIGH_REWARD:
        found.append((Doubt.HIGH_REWARD, record.reward))
    if record.confidence is not None and record.confidence < SURE and record.confidence != record.quality:
        found.append((Doubt.UNSURE, 1.0 - record.confidence))
    return tuple(sorted(found, key=lambda ground: -ground[1]))


def most_disputable(records: Iterable[Record], limit: int) -> list[Disputable]:
    """The verdicts most worth disputing, in an order that is always the same; see `RULE`."""
    found = [Disputable(record, why) for record in records if (why := grounds(record))]
    found.sort(key=lambda one: (-one.weight, -len(one.grounds), natural(one.record.item.request_id), one.record.run))
    each = -(-limit // 3)
    times: Counter[Doubt] = Counter()
    first: list[int] = []
    for place, one in enumerate(found):
        kind = one.grounds[0][0]
        if times[kind] < each:
            times[kind] += 1
            first.append(place)
    chosen = set(first[:limit])
    rest = (place for place in range(len(found)) if place not in chosen)
    while len(chosen) < min(limit, len(found)):
        chosen.add(next(rest))
    return [found[place] for place in sorted(chosen)]
