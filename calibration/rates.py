"""The pass rate that people would give the whole run, and what another run of the same candidates says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.cases import CalibrationOptions, LabelledCase, LabelledRun, puzzles_of
from calibration.labels import CalibrationError
from calibration.statistics.powered import LabelledPart, powered_rates
from grader.metrics.runs.paired import mcnemar_exact
from grader.report.data.estimates import Estimate, estimate, pass_samples
from grader.report.data.records import Record, Results
from grader.report.tables.table import Cell, Column, Table, Unit


def rate_table(matched: LabelledRun, options: CalibrationOptions) -> Table:
    """The pass rate by labels alone, by labels and verdicts, and by verdicts alone."""
    told = [one for one in matched.cases if any(label.level is not None for label in one.labels)]
    part = LabelledPart(
        said=np.array([_rightness(one) for one in told], np.float64),
        verdicts=np.array([one.record.passed for one in told], np.float64),
        clusters=puzzles_of(told),
        other_verdicts=np.array([one.passed for one in matched.others], np.float64),
        other_clusters=np.array([one.cluster for one in matched.others], np.intp),
    )
    found = powered_rates(part, options.resampling.level)
    verdicts = estimate([pass_samples([*(one.record for one in matched.cases), *matched.others])], options.resampling)[
        0
    ]
    rows: tuple[tuple[Cell, ...], ...] = (
        ("labels alone (classical)", found.classical.n, found.classical),
        ("labels and verdicts (prediction-powered)", found.powered.n, found.powered),
        ("verdicts alone", verdicts.n, verdicts),
    )
    notes = [
        "The first two hold where the labelled candidates are a random part of the run. A candidate of which people "
        "say two things as often counts as the share of them who call it right."
    ]
    if found.weight is not None:
        notes.append(f"Verdicts count with a weight of {found.weight:.3g}, of 0 to 1.")
        if found.powered.interval is None:
            notes.append("Labels that are all the same, or of one puzzle, don't say how much they vary: no interval.")
    columns = (
        Column("by", "by"),
        Column("n", "candidates", Unit.COUNT),
        Column("rate", "pass rate", Unit.PERCENT, over="n"),
    )
    return Table("pass_rate", "Pass rate of the run", columns, rows, tuple(notes), brief=True)


def _rightness(case: LabelledCase) -> float:
    """1 or 0 where most people say so, else the share of them who do."""
    if case.truth is not None:
        return float(case.right)
    levels = [one.level for one in case.labels if one.level is not None]
    return levels.count(case.top) / len(levels)


@dataclass(frozen=True)
class Flip:
    """A candidate whose outcome is another one in the other run.

    Attributes
    ----------
    record, other : both verdicts
    case : what people said; None where nobody labelled it or they are of two minds
    """

    record: Record
    other: Record
    case: LabelledCase | None

    @property
    def nearer(self) -> str:
        """Which run says as people do."""
        if self.case is None:
            return "not labelled"
        if self.record.passed is self.case.right:
            return "this run"
        return "the other"


@dataclass(frozen=True)
class RunsCompared:
    """Two runs of the same candidates: tables, and the candidates of which one passes in one run only."""

    tables: tuple[Table, ...]
    flips: tuple[Flip, ...]


def compare_runs(matched: LabelledRun, results: Results, other: Results) -> RunsCompared:
    """Compares two runs, candidate by candidate.

    Raises
    ------
    CalibrationError
        If they have no candidate in common.
    """
    theirs = {one.item.request_id: one for one in other.records if one.is_candidate}
    both = [
        (one, theirs[one.item.request_id])
        for one in results.records
        if one.is_candidate and one.item.request_id in theirs
    ]
    if not both:
        raise CalibrationError(f"{other.runs[0].folder} has no candidate of {results.runs[0].folder} by request_id")
    cases = {one.record.item.request_id: one for one in matched.told}
    flips = [Flip(one, two, cases.get(one.item.request_id)) for one, two in both if one.passed is not two.passed]
    labelled = [
        (one.passed is case.right, two.passed is case.right)
        for one, two in both
        if (case := cases.get(one.item.request_id)) is not None
    ]
    columns = (
        Column("what", "what"),
        Column("both", "both runs", Unit.COUNT),
        Column("only_this", "this run only", Unit.COUNT),
        Column("only_other", "the other only", Unit.COUNT),
        Column("neither", "neither", Unit.COUNT),
        Column("p", "p", Unit.NUMBER),
    )
    rows = (
        _tested("passes", [(one.passed, two.passed) for one, two in both]),
        _tested("as people say", labelled),
    )
    notes = (
        "p is that of McNemar's exact test, two-sided: the chance of counts at least as uneven if both runs were "
        "alike. It takes candidates for independent.",
    )
    compared = Table("runs_compared", "This run and the other", columns, rows, notes, brief=True)
    return RunsCompared((compared, _flip_table(flips)), tuple(flips))


def _tested(what: str, pairs: Sequence[tuple[bool, bool]]) -> tuple[Cell, ...]:
    both, this, other, neither = (
        pairs.count(ends) for ends in ((True, True), (True, False), (False, True), (False, False))
    )
    p = (
        Estimate(mcnemar_exact(this, other), len(pairs))
        if pairs
        else Estimate(None, 0, why="nobody labelled any of them")
    )
    return (what, both, this, other, neither, p)


def _flip_table(flips: Sequence[Flip]) -> Table:
    columns = (
        Column("request_id", "candidate"),
        Column("task", "task"),
        Column("model", "model"),
        Column("this", "this run"),
        Column("this_reason", "reason"),
        Column("other", "the other"),
        Column("other_reason", "reason there"),
        Column("nearer", "as people say"),
    )
    rows = tuple(
        (
            one.record.item.request_id,
            one.record.item.task,
            one.record.model,
            *(cell for side in (one.record, one.other) for cell in (_end(side), (side.codes or ("",))[0])),
            one.nearer,
        )
        for one in flips
    )
    return Table("flips", "Candidates that pass in one run only", columns, rows, brief=bool(rows) and len(rows) <= 30)


def _end(record: Record) -> str:
    return "" if record.end is None else record.end.value
