"""Which candidates of a run people are asked about."""

from __future__ import annotations

import enum
import random
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.cases import NUMBERS, number_of
from calibration.labelling.model import DrawnItem
from calibration.labels import CalibrationError
from grader.metrics.runs.aggregates import ItemEnd
from grader.report.data.grouping import Dimensions, check_names, rows_by
from grader.report.data.records import CANDIDATE_ENDS, Record, Results

_SHOWABLE = (*CANDIDATE_ENDS, ItemEnd.MEASURED)
_OF_VERDICTS = ("outcome", "reason")


class SampleKind(enum.Enum):
    """How candidates are drawn."""

    RANDOM = "random"
    STRATUM = "stratum"
    CLOSE = "close"
    DISAGREEMENT = "disagreement"


@dataclass(frozen=True)
class SampleWish:
    """So many candidates, drawn in one way; None for all that there are."""

    kind: SampleKind
    count: int | None

    @property
    def text(self) -> str:
        """As it is written."""
        return f"{self.kind.value}={'all' if self.count is None else self.count}"


def parse_wishes(texts: Sequence[str]) -> tuple[SampleWish, ...]:
    """Reads ``random=100``, ``close=all``.

    Raises
    ------
    CalibrationError
        Where one is none of these, or a kind is there twice.
    """
    kinds = {kind.value: kind for kind in SampleKind}
    wishes = []
    for text in texts:
        name, _, count = text.partition("=")
        if name not in kinds or not (count == "all" or (count.isascii() and count.isdigit() and int(count) > 0)):
            raise CalibrationError(f"--sample {text!r}: write KIND=N or KIND=all, where KIND is {', '.join(kinds)}")
        wishes.append(SampleWish(kinds[name], None if count == "all" else int(count)))
    if len({one.kind for one in wishes}) < len(wishes):
        raise CalibrationError("--sample names one kind twice")
    # A random part of the run has to be drawn from all of it.
    return tuple(sorted(wishes, key=lambda one: list(SampleKind).index(one.kind)))


@dataclass(frozen=True)
class SampleOptions:
    """How candidates are drawn.

    Attributes
    ----------
    wishes : what is drawn, one after the other from what is left
    by : what makes a stratum: task, model, outcome, reason, or any tag
    number, threshold : close is what has this number of a verdict near the threshold
    twice : share of the candidates that each person is asked about again
    seed : of all that is drawn
    """

    wishes: tuple[SampleWish, ...] = (SampleWish(SampleKind.RANDOM, 100),)
    by: tuple[str, ...] = ("task", "outcome")
    number: str = "score"
    threshold: float = 0.5
    twice: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0.0 <= self.twice <= 0.5:
            raise CalibrationError("the share that is asked about twice is between 0 and 0.5")


def draw(results: Results, options: SampleOptions, other: Results | None = None) -> tuple[DrawnItem, ...]:
    """Draws candidates; the same run, options and seed draw the same.

    Parameters
    ----------
    results : Results
        The run.
    options : SampleOptions
        What is wanted.
    other : Results, optional
        Another run of the same candidates, for disagreement.

    Raises
    ------
    CalibrationError
        Where nothing can be drawn as asked.
    ReportError
        Where strata are asked for by a name that no item has.
    """
    left = {one.item.request_id: one for one in results.records if one.end in _SHOWABLE}
    drawn: list[DrawnItem] = []
    for wish in options.wishes:
        found = _of_kind(results, list(left.values()), wish, options, other)
        if not found:
            raise CalibrationError(f"--sample {wish.text}: {_NOTHING[wish.kind]}")
        drawn += found
        for one in found:
            del left[one.request_id]
    return tuple(drawn)


_NOTHING = {
    SampleKind.RANDOM: "the run has no verdict to ask people about",
    SampleKind.STRATUM: "nothing is left to draw",
    SampleKind.CLOSE: "no verdict that is left has that number",
    SampleKind.DISAGREEMENT: "the two runs say the same of all that is left",
}


def _of_kind(
    results: Results, left: list[Record], wish: SampleWish, options: SampleOptions, other: Results | None
) -> list[DrawnItem]:
    dice = random.Random(f"{options.seed} {wish.kind.value}")
    most = len(left) if wish.count is None else wish.count
    match wish.kind:
        case SampleKind.RANDOM:
            chosen = [(one, "random") for one in dice.sample(left, min(most, len(left)))]
        case SampleKind.STRATUM:
            chosen = _strata(results, left, most, options, dice)
        case SampleKind.CLOSE:
            chosen = [(one, "close") for one in _close(left, options, dice)[:most]]
        case SampleKind.DISAGREEMENT:
            chosen = [(one, "disagreement") for one in _differing(left, other, dice)[:most]]
    return [DrawnItem(one.item.request_id, stratum) for one, stratum in chosen]


def _strata(
    results: Results, left: Sequence[Record], most: int, options: SampleOptions, dice: random.Random
) -> list[tuple[Record, str]]:
    """As many of each stratum as of the others, as long as it has some."""
    names = tuple(name for name in options.by if name not in _OF_VERDICTS)
    check_names(results, names)
    groups: dict[str, list[Record]] = {}
    for key, records in rows_by(results, left, Dimensions(names)).items() if names else [((), left)]:
        values = dict(zip(names, key, strict=True))
        for one in records:
            values["outcome"] = one.end.value if one.end is not None else ""
            values["reason"] = one.codes[0] if one.codes else "(none)"
            groups.setdefault(", ".join(values[name] for name in options.by), []).append(one)
    queues = []
    for stratum in sorted(groups):
        members = groups[stratum]
        dice.shuffle(members)
        queues.append((stratum, members))
    chosen: list[tuple[Record, str]] = []
    while len(chosen) < most and any(members for _, members in queues):
        for stratum, members in queues:
            if members and len(chosen) < most:
                chosen.append((members.pop(), stratum))
    return chosen


def _close(left: Sequence[Record], options: SampleOptions, dice: random.Random) -> list[Record]:
    """The nearest to the threshold first; of those as near in an order that is drawn."""
    if options.number not in NUMBERS and not any(options.number in one.measures.names for one in left):
        raise CalibrationError(f"--number: no verdict has the number {options.number!r}")
    shuffled = list(left)
    dice.shuffle(shuffled)
    near = [
        (abs(value - options.threshold), at)
        for at, one in enumerate(shuffled)
        if (value := number_of(one, options.number)) is not None
    ]
    return [shuffled[at] for _, at in sorted(near)]


def _differing(left: Sequence[Record], other: Results | None, dice: random.Random) -> list[Record]:
    if other is None:
        raise CalibrationError("--sample disagreement: name the other run with --against")
    ends = {one.item.request_id: one.end for one in other.records if one.end in _SHOWABLE}
    found = [one for one in left if ends.get(one.item.request_id, one.end) is not one.end]
    dice.shuffle(found)
    return found
