"""What is fitted to people on one part of the puzzles, and judged on the other."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from calibration.cases import CONFIDENCE, CalibrationOptions, LabelledCase, LabelledRun, puzzles_of, with_number
from calibration.statistics.bounds import upper_bound
from calibration.statistics.probability import (
    CurveBin,
    ProbabilityMap,
    brier,
    curve,
    expected_error,
    fit,
    log_loss,
)
from calibration.statistics.ranking import Bools
from calibration.statistics.thresholds import Tally, bounded, least_cost, tally
from calibration.statistics.undefined import Floats, Indices, Undefined, estimate_rows
from grader.report.data.estimates import Estimate, Samples, estimate
from grader.report.tables.table import Better, Cell, Column, Part, Table, Unit


@dataclass(frozen=True)
class FittedProbability:
    """A number made a probability.

    Attributes
    ----------
    number, of : the number, and what is probable
    fitted_on, judged_on : candidates of either part
    map : how; or why there is none
    raw, fitted : calibration curves on the part that it is judged by, of the number as it is and of the probability
    """

    number: str
    of: str
    fitted_on: int
    judged_on: int
    map: ProbabilityMap | Undefined
    raw: tuple[tuple[CurveBin, Estimate], ...]
    fitted: tuple[tuple[CurveBin, Estimate], ...]


class ThresholdKind(enum.Enum):
    """What a threshold is chosen for: false passes below a bound, or the least cost."""

    BOUND = "bound"
    COST = "cost"


@dataclass(frozen=True)
class FittedThreshold:
    """A threshold.

    Attributes
    ----------
    kind : what it was chosen for
    rule : the same in words
    threshold : or why there is none
    fitted, judged : what it does on either part
    bound : of the share of wrong candidates that pass, on the part that it is judged by
    """

    kind: ThresholdKind
    rule: str
    threshold: float | Undefined
    fitted: Tally | None
    judged: Tally | None
    bound: float | None


@dataclass(frozen=True)
class Fitted:
    """All that was fitted, with its tables."""

    maps: tuple[FittedProbability, ...]
    thresholds: tuple[FittedThreshold, ...]
    tables: tuple[Table, ...]


def fit_all(matched: LabelledRun, options: CalibrationOptions) -> Fitted:
    """Fits probabilities and thresholds to one part of the puzzles, and judges them by the other."""
    maps: list[FittedProbability] = []
    rows: list[tuple[Cell, ...]] = []
    told = matched.told
    wanted = [(options.number, "people call it right", [one.right for one in told])]
    if options.number != CONFIDENCE:
        agrees = [one.right == one.record.passed for one in told]
        wanted.append((CONFIDENCE, "people say as the verdict does", agrees))
    for number, of, yes in wanted:
        made, row = _fitted_map(number, of, told, yes, options)
        maps.append(made)
        rows.append(row)
    thresholds = _thresholds(told, options)
    tables = (_map_table(rows, options), _threshold_table(thresholds, told, options))
    return Fitted(tuple(maps), thresholds, tables)


_OfProbabilities = Callable[[Floats, Bools], float | Undefined]

_JUDGED = (
    Column("brier_raw", "Brier before", Unit.NUMBER, Better.DOWN, over="judged"),
    Column("brier", "Brier", Unit.NUMBER, Better.DOWN, over="judged"),
    Column("log_loss", "log loss", Unit.NUMBER, Better.DOWN, over="judged"),
    Column("error_raw", "calibration error before", Unit.NUMBER, Better.DOWN, over="judged"),
    Column("error", "calibration error", Unit.NUMBER, Better.DOWN, over="judged"),
)


def _fitted_map(
    number: str, of: str, told: Sequence[LabelledCase], yes: Sequence[bool], options: CalibrationOptions
) -> tuple[FittedProbability, tuple[Cell, ...]]:
    said = {id(one): value for one, value in zip(told, yes, strict=True)}

    def part(fitted: bool) -> tuple[Floats, Bools, Indices]:
        found, numbers = with_number(told, number, lambda one: one.fitted is fitted)
        return numbers, np.array([said[id(one)] for one in found], np.bool_), puzzles_of(found)

    (numbers, right, _), (others, others_right, puzzles) = part(True), part(False)
    how = options.resampling
    made = fit(numbers, right, options.kind)
    probabilities = None if isinstance(made, Undefined) else made(others)

    def judged(statistic: _OfProbabilities, values: Floats | None) -> Estimate:
        if values is None:
            return Estimate(None, len(others), why=made.why if isinstance(made, Undefined) else "")
        if not bool(((values >= 0.0) & (values <= 1.0)).all()):
            return Estimate(None, len(others), why=f"{number} is not within 0 and 1")
        rows = np.stack([values, others_right.astype(np.float64)], axis=1)
        return estimate_rows(partial(_of_columns, statistic), rows, puzzles, how)

    cells: tuple[Cell, ...] = (
        number,
        of,
        options.kind.value,
        len(numbers),
        len(others),
        judged(brier, others),
        judged(brier, probabilities),
        judged(log_loss, probabilities),
        # Resamples of few items are further from the line than the items are, so intervals would be beside the value.
        replace(judged(_error, others), interval=None),
        replace(judged(_error, probabilities), interval=None),
    )

    def shown(values: Floats | None) -> tuple[tuple[CurveBin, Estimate], ...]:
        if values is None or not len(values) or not bool(((values >= 0.0) & (values <= 1.0)).all()):
            return ()
        return tuple((one, _share(one, others_right, puzzles, options)) for one in curve(values, others_right))

    fitted = FittedProbability(number, of, len(numbers), len(others), made, shown(others), shown(probabilities))
    return fitted, cells


def _of_columns(statistic: _OfProbabilities, rows: Floats) -> float | Undefined:
    return statistic(rows[:, 0], rows[:, 1] > 0)


def _error(probabilities: Floats, yes: Bools) -> float | Undefined:
    return expected_error(curve(probabilities, yes))


def _share(one: CurveBin, yes: Bools, puzzles: Indices, options: CalibrationOptions) -> Estimate:
    samples = Samples(is_rate=True)
    for place in one.places:
        samples.add(int(puzzles[place]), float(yes[place]))
    return estimate([samples], options.resampling)[0]


def _map_table(rows: Sequence[tuple[Cell, ...]], options: CalibrationOptions) -> Table:
    columns = (
        Column("number", "number"),
        Column("of", "probability that"),
        Column("kind", "fitted as"),
        Column("fitted", "fitted to", Unit.COUNT),
        Column("judged", "judged by", Unit.COUNT),
        *_JUDGED,
    )
    notes = (
        f"Puzzles are parted by a hash with seed {options.resampling.seed}; a share of {options.split:g} is fitted to. "
        "Before: the number is taken for the probability.",
    )
    return Table("probabilities", "Numbers as probabilities", columns, tuple(rows), notes, brief=True)


def _thresholds(told: Sequence[LabelledCase], options: CalibrationOptions) -> tuple[FittedThreshold, ...]:
    def part(fitted: bool) -> tuple[Floats, Bools]:
        found, numbers = with_number(told, options.number, lambda one: one.fitted is fitted)
        return numbers, np.array([one.right for one in found], np.bool_)

    (numbers, right), (others, others_right) = part(True), part(False)
    level = options.resampling.level
    costs = options.false_pass_cost, options.false_fail_cost
    rules = (
        (
            ThresholdKind.COST,
            f"least cost ({costs[0]:g} a false pass, {costs[1]:g} a false fail)",
            least_cost(numbers, right, *costs),
        ),
        (
            ThresholdKind.BOUND,
            f"false passes below {options.most_false_passes:g}, to {100 * level:g} %",
            bounded(numbers, right, options.most_false_passes, level),
        ),
    )
    made = []
    for kind, rule, threshold in rules:
        if isinstance(threshold, Undefined):
            made.append(FittedThreshold(kind, rule, threshold, None, None, None))
            continue
        judged = tally(others, others_right, threshold)
        bound = bound_of(judged, level)
        made.append(FittedThreshold(kind, rule, threshold, tally(numbers, right, threshold), judged, bound))
    return tuple(made)


def bound_of(done: Tally, level: float) -> float | None:
    """The upper bound on the share of wrong items that pass; None where none is wrong."""
    return upper_bound(done.false_passes, done.wrong, level) if done.wrong else None


def _threshold_table(
    thresholds: Sequence[FittedThreshold], told: Sequence[LabelledCase], options: CalibrationOptions
) -> Table:
    columns = (
        Column("rule", "chosen for"),
        Column("threshold", f"{options.number} at least", Unit.NUMBER),
        Column("fitted_false_passes", "wrong that pass, fitted", Unit.COUNT),
        Column("fitted_false_fails", "right that fail, fitted", Unit.COUNT),
        Column("false_passes", "wrong that pass", Unit.COUNT),
        Column("bound", "of all wrong, at most", Unit.PERCENT, Better.DOWN),
        Column("false_fails", "right that fail", Unit.COUNT),
        Column("cost", "cost", Unit.NUMBER, Better.DOWN),
    )
    level = options.resampling.level
    rows: list[tuple[Cell, ...]] = []
    as_it_is = [_outcomes([one for one in told if one.fitted is fitted]) for fitted in (True, False)]
    every: list[tuple[str, Estimate, Tally, Tally]] = [
        ("the outcome as it is", Estimate(None, 0, why="the outcome is no number"), as_it_is[0], as_it_is[1])
    ]
    for one in thresholds:
        if isinstance(one.threshold, Undefined) or one.fitted is None or one.judged is None:
            why = one.threshold.why if isinstance(one.threshold, Undefined) else ""
            none = Estimate(None, 0, why=why)
            rows.append((one.rule, none, *(Part(0, 0) for _ in range(3)), none, Part(0, 0), none))
            continue
        infinite = math.isinf(one.threshold)
        shown = Estimate(None, 0, why="letting nothing pass costs least") if infinite else Estimate(one.threshold, 0)
        every.append((one.rule, shown, one.fitted, one.judged))
    done = [_threshold_row(rule, shown, fitted, judged, options) for rule, shown, fitted, judged in every]
    notes = (
        'Columns without "fitted" are of the other part of the puzzles, which nothing was fitted to: these count. '
        f'"At most" is the upper bound of Clopper and Pearson, to {100 * level:g} %, which takes candidates for '
        "independent.",
    )
    return Table("thresholds", f"Thresholds on {options.number}", columns, (*done, *rows), notes, brief=True)


def _outcomes(cases: Sequence[LabelledCase]) -> Tally:
    """What the verdicts' own outcomes do."""
    passed = np.array([one.record.passed for one in cases], np.float64)
    return tally(passed, np.array([one.right for one in cases], np.bool_), 1.0)


def _threshold_row(
    rule: str, threshold: Estimate, fitted: Tally, judged: Tally, options: CalibrationOptions
) -> tuple[Cell, ...]:
    bound = bound_of(judged, options.resampling.level)
    why = "people called none of the candidates to judge by wrong"
    n = judged.wrong + judged.right
    cost = judged.cost(options.false_pass_cost, options.false_fail_cost)
    return (
        rule,
        threshold,
        Part(fitted.false_passes, fitted.wrong),
        Part(fitted.false_fails, fitted.right),
        Part(judged.false_passes, judged.wrong),
        Estimate(bound, judged.wrong, why="" if bound is not None else why),
        Part(judged.false_fails, judged.right),
        Estimate(cost, n) if n else Estimate(None, 0, why="no candidates to judge by"),
    )
