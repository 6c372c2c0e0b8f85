"""Builds the tables of a report. docs/report.md defines each column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from grader.metrics.runs.aggregates import NO_VERDICT, ItemEnd
from grader.model.failure import FailureMode
from grader.model.wording import count_of
from grader.report.data.beside import GivenRow
from grader.report.data.chances import Chances, walks_of
from grader.report.data.estimates import (
    Resampling,
    Samples,
    attempt_samples,
    estimate,
    gather_attempts,
    metric_samples,
    number_samples,
    pass_samples,
)
from grader.report.data.failure_modes import mode_of
from grader.report.data.grouping import Dimensions, Key, Records, by_task, check_names, has, rows_by, usual_dimensions
from grader.report.data.labels import NO_LABELS, Labels, label_notes
from grader.report.data.records import Record, ReportError, Results
from grader.report.tables.attempts import AttemptRow, attempt_table, pass_column, senses
from grader.report.tables.edits import EDITS, edit_tables
from grader.report.tables.failures import mode_table, reason_table
from grader.report.tables.grids.tables import grid_tables
from grader.report.tables.jigsaw.kinds import jigsaw_tables
from grader.report.tables.levels import level_table
from grader.report.tables.ranking import ranking_tables
from grader.report.tables.table import Better, Cell, Column, Table, Unit, key_columns
from grader.tasks.common.declarations import MetricInfo
from grader.tasks.registry import list_tasks

_TABLE_1 = ("violation", "violation_complement", "coverage", "mse_in", "mse_out")
"""Metrics of AMAZE's Table 1, in its order."""


@dataclass(frozen=True)
class TableOptions:
    """What tables are made.

    Attributes
    ----------
    by : rows; None for the usual ones
    matrix : two names whose values become rows and columns; None for no matrix
    k : the k of pass@k, ascending
    resampling : how intervals are made
    given : people and further models, beside those of jigsaw puzzles
    """

    by: tuple[Dimensions, ...] | None = None
    matrix: tuple[str, str] | None = None
    k: tuple[int, ...] = (1, 5)
    resampling: Resampling = field(default_factory=Resampling)
    given: tuple[GivenRow, ...] = ()


def parse_k(text: str) -> tuple[int, ...]:
    """Reads ``--k``: positive whole numbers divided by commas; ascending, each once.

    Raises
    ------
    ReportError
        If it is something else.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and 0 < int(part) < 10**6 for part in parts):
        raise ReportError(f"--k {text!r} is no list of positive whole numbers; write it as 1,5")
    return tuple(sorted({int(part) for part in parts}))


def build_tables(
    results: Results, options: TableOptions, chances: Chances | None = None, labels: Labels = NO_LABELS
) -> list[Table]:
    """All tables: counts first, then for each task its metrics, attempts, failure modes, reasons and matrices.

    Tables of plans say how often random moves solve the puzzles, where ``chances`` says that; those of edits how far
    verdicts agree with what people said, where there are ``labels``.

    Raises
    ------
    ReportError
        If tables are asked for by a name that no item has.
    """
    check_names(results, [name for one in options.by or () for name in one.names] + list(options.matrix or ()))
    tables = [_counts(results, options), *_faults(results)]
    for task, records in by_task(results).items():
        tables += ranking_tables(task, records, options.resampling)
        tables += jigsaw_tables(task, records, chances or Chances(), options.resampling, options.given)
        if walks_of(task):
            tables.append(level_table(results, task, records, chances or Chances(), options.resampling))
        tables += edit_tables(results, task, records, options.resampling, labels)
        tables += grid_tables(task, records, options.resampling, chances or Chances())
        wanted = usual_dimensions(records) if options.by is None else options.by
        for position, dimensions in enumerate(wanted):
            # A tag that this task's items don't have would only repeat what they have in common.
            if all(has(records, name) for name in dimensions.names):
                tables += _by(results, task, records, dimensions, options, first=position == 0)
        if any(record.mode is not None for record in records):
            tables.append(reason_table(task, records))
        if any(record.measures.names for record in records):
            tables.append(_all_metrics(results, task, records, options))
        if options.matrix is not None:
            tables += _matrices(results, task, records, options.matrix, options)
    return tables


def _candidates(records: Iterable[Record]) -> int:
    return sum(record.is_candidate for record in records)


def _counts(results: Results, options: TableOptions) -> Table:
    """How items ended, and the rates that are over all candidates."""
    ends: list[tuple[str, str, ItemEnd | None]] = [
        ("passed", "PASS", ItemEnd.PASS),
        ("failed", "FAIL", ItemEnd.FAIL),
        ("ungradable", "UNGRADABLE", ItemEnd.UNGRADABLE),
        ("measured", "MEASURED", ItemEnd.MEASURED),
        ("caller_errors", "wrong requests", ItemEnd.CALLER_ERROR),
        ("missing_preconditions", "not installed", ItemEnd.MISSING_PRECONDITION),
        ("grader_failures", "grader failures", ItemEnd.GRADER_FAILURE),
        ("no_result", "no result yet", None),
    ]
    dimensions = Dimensions(("task", "model"))
    found = Counter(record.end for record in results.records)
    # Ends that never came are left out of the table, but for those that every run is asked about.
    ends = [one for one in ends if found[one[2]] or one[2] in (ItemEnd.PASS, ItemEnd.FAIL, ItemEnd.UNGRADABLE)]
    absent = any(record.missing for record in results.records)
    rows: list[tuple[Cell, ...]] = []
    for key, records in rows_by(results, results.records, dimensions).items():
        count = Counter(record.end for record in records)
        samples = [
            pass_samples(records),
            number_samples(records, lambda record: record.score, "no score"),
            number_samples(records, lambda record: record.reward, "no reward"),
        ]
        rows.append(
            (
                *key,
                len(records),
                *(count[end] for *_, end in ends),
                *([sum(record.missing for record in records)] if absent else []),
                _candidates(records),
                *estimate(samples, options.resampling),
            )
        )
    columns = (
        *key_columns(dimensions.names),
        Column("items", "items", Unit.COUNT),
        *(Column(name, title, Unit.COUNT) for name, title, _ in ends),
        *([Column("missing_answers", "missing answers", Unit.COUNT)] if absent else []),
        Column("candidates", "candidates", Unit.COUNT),
        Column("pass_rate", "pass rate", Unit.PERCENT, Better.UP, "candidates"),
        Column("score", "score", Unit.PERCENT, Better.UP, "candidates"),
        Column("reward", "reward", Unit.PERCENT, Better.UP, "candidates"),
    )
    notes = ["Candidates are PASS, FAIL and UNGRADABLE; the pass rate is over all of them."]
    if absent:
        notes.append(
            "Missing answers are puzzles that a model was asked and gave nothing for; they are candidates that did not "
            "pass."
        )
    return Table("counts", "How items ended", columns, tuple(rows), tuple(notes), brief=True)


def _faults(results: Results) -> list[Table]:
    faults = Counter(
        (record.item.task, record.model, record.end.value, record.fault)
        for record in results.records
        if record.end in NO_VERDICT
    )
    if not faults:
        return []
    columns = (
        Column("task", "task"),
        Column("model", "model"),
        Column("whose", "whose fault"),
        Column("reason", "status reason"),
        Column("items", "items", Unit.COUNT),
    )
    whose = {
        ItemEnd.CALLER_ERROR.value: "the request's",
        ItemEnd.MISSING_PRECONDITION.value: "nobody's: something is not installed",
        ItemEnd.GRADER_FAILURE.value: "the grader's",
    }
    rows = tuple((task, model, whose[end], fault, n) for (task, model, end, fault), n in sorted(faults.items()))
    notes = ["They say nothing about the model, and count in no rate and no mean."]
    if any(end == ItemEnd.MISSING_PRECONDITION.value for _, _, end, _ in faults):
        notes.append(
            "What is not installed, and how to get it, is said in the items' status in results.jsonl. Install it and "
            "run the same `grader grade` again, which grades these items alone."
        )
    return [Table("faults", "Items without a verdict", columns, rows, tuple(notes), brief=True)]


def _by(
    results: Results, task: str, records: Records, dimensions: Dimensions, options: TableOptions, *, first: bool
) -> list[Table]:
    """The tables whose rows are one choice of names. All numbers of a row come from the same resamples."""
    rows = rows_by(results, records, dimensions)
    named = {name for names in {record.measures.names for record in records} for name in names}
    metrics = [name for name in _TABLE_1 if name in named]
    # A candidate makes attempts; items that were only measured do not.
    chosen = senses(options.k) if any(record.is_candidate for record in records) else []
    main: list[tuple[Cell, ...]] = []
    attempts: dict[Key, AttemptRow] = {}
    shown = [place for place, sense in enumerate(chosen) if sense.kind == "mean" and not sense.by_score]
    for key, part in rows.items():
        groups = gather_attempts(part)
        own = [pass_samples(part), *(metric_samples(part, name) for name in metrics)]
        passes = [attempt_samples(groups, sense) for sense in chosen]
        found = estimate([*own, *passes], options.resampling)
        of_passes = tuple(found[len(own) :])
        attempts[key] = AttemptRow(tuple(groups), tuple(passes), of_passes)
        counts = (_candidates(part), len(groups))
        main.append((*key, *counts, *found[: len(own)], *(of_passes[place] for place in shown)))
    columns = (
        *key_columns(dimensions.names),
        Column("candidates", "candidates", Unit.COUNT),
        Column("puzzles", "puzzles", Unit.COUNT),
        Column("pass_rate", "pass rate", Unit.PERCENT, Better.UP, "candidates"),
        *(_metric_column(task, name, Unit.PERCENT) for name in metrics),
        *(pass_column(chosen[place]) for place in shown),
    )
    title, notes = f"{task}: by {dimensions.title}", ("Metrics are means over the verdicts that have them.",)
    tables = [Table(f"{task}_by_{dimensions.key}", title, columns, tuple(main), notes, brief=True, task=task)]
    if chosen:
        tables += [
            attempt_table(task, attempts, chosen, dimensions, by_score=False, brief=first),
            attempt_table(task, attempts, chosen, dimensions, by_score=True, brief=first),
            mode_table(task, rows, dimensions, brief=first),
        ]
    return tables


def _metric_column(task: str, name: str, unit: Unit) -> Column:
    known = _declared(task, name)
    better = Better.NEITHER if known is None else Better.UP if known.higher_is_better else Better.DOWN
    return Column(name, name.replace("_", " "), unit, better, "candidates")


def _declared(task: str, name: str) -> MetricInfo | None:
    return next(
        (one for known in list_tasks() if known.name == task for one in known.metrics if one.name == name), None
    )


def _all_metrics(results: Results, task: str, records: Records, options: TableOptions) -> Table:
    """Every metric that a verdict of the task names, for each model."""
    names = list(dict.fromkeys(name for record in records for name in record.measures.names))
    rows: list[tuple[Cell, ...]] = []
    for (model,), part in rows_by(results, records, Dimensions(("model",))).items():
        found = estimate([metric_samples(part, name) for name in names], options.resampling)
        for name, one in zip(names, found, strict=True):
            info = _declared(task, name)
            better = "" if info is None else "↑" if info.higher_is_better else "↓"
            rows.append((model, f"{name} {better}".strip(), one, one.n, "" if info is None else info.description))
    columns = (
        Column("model", "model"),
        Column("metric", "metric"),
        Column("mean", "mean", Unit.NUMBER, over="n"),
        Column("n", "n", Unit.COUNT),
        Column("meaning", "meaning"),
    )
    return Table(f"{task}_metrics", f"{task}: all metrics", columns, tuple(rows), task=task)


def _matrices(
    results: Results, task: str, records: Records, names: Sequence[str], options: TableOptions
) -> list[Table]:
    """Pass rate and mean score for each pair of values of two names."""
    down, across = names
    if not (has(records, down) and has(records, across)):
        return []
    cells = rows_by(results, records, Dimensions((down, across)))
    firsts = [key for (key,) in rows_by(results, records, Dimensions((down,)))]
    seconds = [key for (key,) in rows_by(results, records, Dimensions((across,)))]
    tables = []
    for name, title in (("pass_rate", "pass rate"), ("score", "score")):
        rows: list[tuple[Cell, ...]] = []
        for first in firsts:
            made: list[Cell] = []
            for second in seconds:
                samples = _matrix_samples(name, cells.get((first, second), []))
                made += estimate([samples], options.resampling)
            rows.append((first, *made))
        columns = (Column(down, down), *(Column(one, one, Unit.PERCENT, Better.UP, "n") for one in seconds))
        key = f"{task}_matrix_{name}_{Dimensions((down, across)).key}"
        heading = f"{task}: {title}, {down} by {across}"
        brief = name == "pass_rate"
        tables.append(Table(key, heading, columns, tuple(rows), brief=brief, task=task, heat=True))
    return tables


def _matrix_samples(name: str, records: Records) -> Samples:
    if name == "pass_rate":
        return pass_samples(records)
    return number_samples(records, lambda record: record.score, "no score")


def notes_of(results: Results, labels: Labels = NO_LABELS) -> list[str]:
    """What a reader has to know before the tables: what is missing, repeated, or not comparable."""
    notes = []
    for run in results.runs:
        if run.torn:
            notes.append(f"{run.name}: the last line of its results is half written and counts as not there.")
        if run.repeated:
            notes.append(
                f"{run.name}: {run.repeated} lines are about items that have a line already; the first counts."
            )
        if run.not_selected:
            notes.append(
                f"{run.name}: {run.not_selected} items of its manifest were not selected (--only, --limit); they count "
                "nowhere, and not as missing."
            )
    left = Counter(results.runs[record.run].name for record in results.records if record.end is None)
    for name, n in left.items():
        notes.append(
            f"{name}: {n} items have no result yet; they count nowhere. Run its `grader grade` again to finish."
        )
    absent = Counter(record.model for record in results.records if record.missing)
    for model, n in sorted(absent.items()):
        notes.append(f"{model}: {count_of(n, 'answer')} {'is' if n == 1 else 'are'} missing, and so wrong.")
    # Tasks don't share their metrics, so each may have a profile of its own.
    for task, records in by_task(results).items():
        made_by = sorted({record.made_by for record in records if record.made_by})
        if len(made_by) > 1:
            notes.append(
                f"{task}: verdicts were made by {len(made_by)} settings, which need not be comparable: "
                f"{'; '.join(made_by)}. Where a candidate has a verdict by several of them, each stands as a model of "
                "its own, so that none counts twice; --by profile keeps them apart otherwise."
            )
    unknown = sorted(
        {code for record in results.records for code in record.codes if mode_of(code) is FailureMode.UNKNOWN}
    )
    if unknown:
        notes.append(f"This version of the report does not know the reasons {', '.join(unknown)}.")
    return notes + label_notes(results, labels, EDITS)
