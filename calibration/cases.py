"""Brings verdicts and labels together, and parts them into what is fitted to and what is judged by."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.labels import CalibrationError, PeopleLabels, PersonLabel, Question
from calibration.statistics.probability import FitKind
from calibration.statistics.undefined import Floats, Indices
from grader.metrics.space.edit_tables import human_class
from grader.report.data.estimates import Resampling
from grader.report.data.grouping import Dimensions, natural
from grader.report.data.records import Record, Results

CONFIDENCE = "confidence"
NUMBERS = ("score", "reward", CONFIDENCE)
"""Numbers of a verdict that are no metrics."""

OF_HUNDRED = ("el", "ac", "el_ungated", "ac_ungated")
"""Metrics whose numbers are 0 to 100."""


@dataclass(frozen=True)
class CalibrationOptions:
    """How a calibration is made.

    Attributes
    ----------
    number : what of a verdict is fitted and given a threshold: score, reward, confidence, or a metric
    kind : how it becomes a probability
    split : share of the puzzles that is fitted to
    false_pass_cost, false_fail_cost : what a wrong candidate that passes costs, and a right one that does not
    most_false_passes : bound on the share of wrong candidates that pass
    by : slices; by task and model, and by geometry, scale and nuisance where candidates have such tags, if not said
    few, few_puzzles : a slice of fewer labelled candidates, or of fewer puzzles, is marked, for a bootstrap of a few
        puzzles says little; 0 candidates mark nothing
    worst : how many disagreements are shown
    resampling : how intervals are made; its seed parts puzzles, too
    """

    number: str = "score"
    kind: FitKind = FitKind.ISOTONIC
    split: float = 0.5
    false_pass_cost: float = 1.0
    false_fail_cost: float = 1.0
    most_false_passes: float = 0.05
    by: tuple[Dimensions, ...] | None = None
    few: int = 20
    few_puzzles: int = 5
    worst: int = 20
    resampling: Resampling = field(default_factory=Resampling)

    def __post_init__(self) -> None:
        if not (0.0 < self.split < 1.0 and 0.0 < self.most_false_passes < 1.0):
            raise CalibrationError("the split and the bound on false passes are between 0 and 1")
        costs = (self.false_pass_cost, self.false_fail_cost)
        if not all(math.isfinite(one) and one >= 0.0 for one in costs) or not any(costs):
            raise CalibrationError("costs are 0 or more, and not both 0")


@dataclass(frozen=True)
class LabelledCase:
    """A candidate with what people said of it.

    Attributes
    ----------
    record : the verdict
    labels : what each person said first
    truth : the class that was decided on, or that most people gave; None where two are given as often, or nobody
        could tell
    top : the question's best class
    fitted : whether it is of the part that is fitted to
    """

    record: Record
    labels: tuple[PersonLabel, ...]
    truth: int | None
    top: int
    fitted: bool

    @property
    def right(self) -> bool:
        """Whether people gave it the best class."""
        return self.truth == self.top

    @property
    def stratum(self) -> str:
        """How it was drawn, by the first label that says it; empty where none does."""
        return next((one.stratum for one in self.labels if one.stratum), "")

    @property
    def share(self) -> float:
        """The share of its labels that are the class that most people gave."""
        levels = [one.level for one in self.labels if one.level is not None]
        return levels.count(self.truth) / len(levels) if levels and self.truth is not None else 0.0


@dataclass(frozen=True)
class LabelledRun:
    """Labels beside verdicts.

    Attributes
    ----------
    question : what people were asked
    cases : candidates with labels and a verdict that passes or not, in the order of the run; ties among people too
    others : candidates that nobody labelled
    left_out : labelled candidates without such a verdict, by why
    strange : labelled request_ids that are not in the run
    """

    question: Question
    cases: tuple[LabelledCase, ...]
    others: tuple[Record, ...]
    left_out: tuple[tuple[str, int], ...]
    strange: tuple[str, ...]

    @property
    def told(self) -> tuple[LabelledCase, ...]:
        """The cases that people agree on enough."""
        return tuple(one for one in self.cases if one.truth is not None)


def match(results: Results, people: PeopleLabels, options: CalibrationOptions) -> LabelledRun:
    """Finds the verdict of each labelled candidate.

    Raises
    ------
    CalibrationError
        If no label is of a candidate of the run, or no verdict on such a one has the number that is asked for.
    """
    by_request = people.by_request()
    cases: list[LabelledCase] = []
    others: list[Record] = []
    left_out: Counter[str] = Counter()
    for record in results.records:
        labels = by_request.pop(record.item.request_id, None)
        if labels is None:
            others += [record] if record.is_candidate else []
        elif not record.is_candidate:
            left_out["no result yet" if record.end is None else record.fault or record.end.value] += 1
        else:
            top = len(people.question.classes) - 1
            decided = people.decided.get(record.item.request_id)
            truth = _most(labels) if decided is None else decided.level
            cases.append(LabelledCase(record, tuple(labels), truth, top, _is_fitted(record, options)))
    if not cases:
        raise CalibrationError(
            "no label is of a candidate with a verdict in this run; request_id in the labels is that of the manifest"
        )
    metrics = {name: None for one in cases for name in one.record.measures.names}
    if options.number not in (*NUMBERS, *metrics):
        raise CalibrationError(
            f"no verdict on a labelled candidate has the number {options.number!r}; there are "
            f"{', '.join((*NUMBERS, *metrics))}"
        )
    return LabelledRun(people.question, tuple(cases), tuple(others), tuple(left_out.most_common()), tuple(by_request))


def _most(labels: Iterable[PersonLabel]) -> int | None:
    given = Counter(one.level for one in labels if one.level is not None).most_common(2)
    return given[0][0] if given and (len(given) == 1 or given[0][1] > given[1][1]) else None


def _is_fitted(record: Record, options: CalibrationOptions) -> bool:
    """By a hash, so that a puzzle stays in its part when labels are added."""
    text = f"{options.resampling.seed} {record.item.task} {record.item.puzzle}"
    drawn = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") / 2**64
    return drawn < options.split


def number_of(record: Record, name: str) -> float | None:
    """A number of a verdict, by name; metrics over 100 as a share."""
    if name == "score":
        return record.score
    if name == "reward":
        return record.reward
    if name == CONFIDENCE:
        return record.confidence
    value = record.measures.value(name)
    return value / 100 if value is not None and name in OF_HUNDRED else value


def level_of(record: Record, question: Question, number: str) -> int | None:
    """The class that a verdict gives: by its outcome, or of three levels by a number, as GSI-Bench does it."""
    if question is Question.RIGHT:
        return int(record.passed)
    value = number_of(record, number)
    return None if value is None or not 0.0 <= value <= 1.0 else int(human_class(value))


def with_number(
    cases: Sequence[LabelledCase], name: str, keep: Callable[[LabelledCase], bool] = lambda _: True
) -> tuple[list[LabelledCase], Floats]:
    """The cases that have a number, and these."""
    found = [(one, value) for one in cases if keep(one) and (value := number_of(one.record, name)) is not None]
    return [one for one, _ in found], np.array([value for _, value in found], np.float64)


def puzzles_of(cases: Iterable[LabelledCase]) -> Indices:
    """The puzzle of each case."""
    return np.array([one.record.cluster for one in cases], np.intp)


def disagreements(cases: Sequence[LabelledCase]) -> list[LabelledCase]:
    """Candidates of which people say otherwise than the verdict, the worst first.

    First those that people are most of one mind about, then those that most people labelled, then those whose score
    speaks most against people; the order is always the same.
    """

    def against(one: LabelledCase) -> float:
        score = one.record.score
        return 0.0 if score is None else 1.0 - score if one.right else score

    found = [one for one in cases if one.right is not one.record.passed]
    return sorted(
        found,
        key=lambda one: (-one.share, -len(one.labels), -against(one), natural(one.record.item.request_id)),
    )
