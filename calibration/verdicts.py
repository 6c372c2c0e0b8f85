"""How far the grader agrees with people: in all, in slices, by class and by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from calibration.cases import CalibrationOptions, LabelledCase, LabelledRun, level_of, puzzles_of, with_number
from calibration.labels import Question
from calibration.people import pairs_kappa
from calibration.statistics.ranking import auroc, average_precision, spearman
from calibration.statistics.undefined import Floats, Undefined, estimate_rows
from grader.report.data.estimates import Estimate, Samples, estimate
from grader.report.data.grouping import Dimensions, Key, rows_by
from grader.report.data.records import Results
from grader.report.tables.table import Better, Cell, Column, Part, Table, Unit, key_columns
from grader.runs.items import NOT_SAID

_COMPARED = (
    Column("n", "candidates", Unit.COUNT),
    Column("accuracy", "as people say", Unit.PERCENT, Better.UP, over="n"),
    Column("kappa", "Cohen's kappa", Unit.NUMBER, Better.UP, over="n"),
    Column("false_pass", "wrong that pass", Unit.PERCENT, Better.DOWN),
    Column("false_fail", "right that fail", Unit.PERCENT, Better.DOWN),
)
_ORDER = (
    Column("auroc", "AUROC", Unit.NUMBER, Better.UP, over="n"),
    Column("average_precision", "average precision", Unit.NUMBER, Better.UP, over="n"),
    Column("spearman", "Spearman", Unit.NUMBER, Better.UP, over="n"),
)


def verdict_tables(
    matched: LabelledRun, results: Results, by: Sequence[Dimensions], options: CalibrationOptions
) -> list[Table]:
    """All tables of the grader against people, with slices by some names."""
    told = matched.told
    tables = [_overall(matched, told, options), _classes(matched, told, options), _reasons(told)]
    by_record = {id(one.record): one for one in told}
    for dimensions in by:
        rows = rows_by(results, [one.record for one in told], dimensions)
        slices = {key: [by_record[id(record)] for record in records] for key, records in rows.items()}
        tables.append(_sliced(matched.question, slices, dimensions, options))
    strata = sorted({one.stratum for one in told})
    if strata not in ([], [""]):
        by_stratum: dict[Key, list[LabelledCase]] = {
            (name or NOT_SAID,): [one for one in told if one.stratum == name] for name in strata
        }
        tables.append(_sliced(matched.question, by_stratum, Dimensions(("stratum",)), options))
    return tables


def _sliced(
    question: Question, slices: Mapping[Key, list[LabelledCase]], dimensions: Dimensions, options: CalibrationOptions
) -> Table:
    """The same comparison, a row a slice."""
    few = [
        key
        for key, cases in slices.items()
        if len(cases) < options.few
        or (options.few and len({one.record.cluster for one in cases}) < options.few_puzzles)
    ]
    marked = (
        f"Slices marked * have fewer than {options.few} labelled candidates, or of fewer than {options.few_puzzles} "
        "puzzles."
    )
    notes = (marked,) if few else ()
    rows: list[tuple[Cell, ...]] = []
    for key, cases in slices.items():
        names = (*key[:-1], f"{key[-1]} *" if key in few else key[-1])
        rows.append((*names, *_compared(question, cases, options)))
    columns = (*key_columns(dimensions.names), *_COMPARED)
    title = f"Verdicts and people by {dimensions.title}"
    return Table(f"verdicts_by_{dimensions.key}", title, columns, tuple(rows), notes, brief=len(rows) > 1)


def _compared(question: Question, cases: Sequence[LabelledCase], options: CalibrationOptions) -> list[Cell]:
    """The cells of `_COMPARED`."""
    size, how = len(question.classes), options.resampling
    classed = [(one, level) for one in cases if (level := level_of(one.record, question, options.number)) is not None]
    pairs: Floats = np.array([(one.truth, level) for one, level in classed], np.float64).reshape(-1, 2)
    equal, false_pass, false_fail = (Samples(is_rate=True) for _ in range(3))
    for one, level in classed:
        equal.add(one.record.cluster, float(one.truth == level))
    for one in cases:
        if one.right:
            false_fail.add(one.record.cluster, float(not one.record.passed))
        else:
            false_pass.add(one.record.cluster, float(one.record.passed))
    equal.left_out["the verdict has no such number"] += len(cases) - len(classed)
    false_pass.left_out["people called none of them wrong"] += 1
    false_fail.left_out["people called none of them right"] += 1
    kappa = estimate_rows(partial(pairs_kappa, size=size), pairs, puzzles_of(one for one, _ in classed), how)
    return [
        len(cases),
        estimate([equal], how)[0],
        kappa,
        estimate([false_pass], how)[0],
        estimate([false_fail], how)[0],
    ]


def _ordered(cases: Sequence[LabelledCase], options: CalibrationOptions) -> list[Cell]:
    """The cells of `_ORDER`."""
    found, numbers = with_number(cases, options.number)
    if not found:
        return [Estimate(None, 0, why=f"no labelled candidate has the number {options.number}") for _ in _ORDER]
    levels = np.array([one.truth for one in found], np.float64)
    right = np.array([one.right for one in found], np.float64)
    rows = np.stack([numbers, levels, right], axis=1)
    return [
        estimate_rows(statistic, rows, puzzles_of(found), options.resampling)
        for statistic in (_auroc, _average_precision, _spearman)
    ]


def _auroc(rows: Floats) -> float | Undefined:
    return auroc(rows[:, 0], rows[:, 2] > 0)


def _average_precision(rows: Floats) -> float | Undefined:
    return average_precision(rows[:, 0], rows[:, 2] > 0)


def _spearman(rows: Floats) -> float | Undefined:
    return spearman(rows[:, 0], rows[:, 1])


def _overall(matched: LabelledRun, told: Sequence[LabelledCase], options: CalibrationOptions) -> Table:
    cells = (*_compared(matched.question, told, options), *_ordered(told, options))
    notes = [
        f"What people say is what most of them say; {len(matched.cases) - len(told)} of {len(matched.cases)} labelled "
        "candidates, of which they say two things as often or can't tell, are left out.",
        f"AUROC, average precision and Spearman are those of {options.number}.",
    ]
    if matched.question is Question.LEVELS:
        notes.append(
            f"The verdict's class is completely for {options.number} above 0.7, partially for above 0.1, as in "
            "GSI-Bench. Right is completely."
        )
    notes += [f"{n} labelled candidates are left out: {why}." for why, n in matched.left_out]
    return Table("verdicts", "Verdicts and people", (*_COMPARED, *_ORDER), (cells,), tuple(notes), brief=True)


def _classes(matched: LabelledRun, told: Sequence[LabelledCase], options: CalibrationOptions) -> Table:
    """What people say (rows) and what the grader does (columns)."""
    names = matched.question.classes
    if matched.question is Question.RIGHT:
        ends: tuple[str, ...] = ("PASS", "FAIL", "UNGRADABLE")
        given = [one.record.end.value if one.record.end is not None else "" for one in told]
    else:
        ends = (*reversed(names), "no_number")
        found = [level_of(one.record, matched.question, options.number) for one in told]
        given = ["no_number" if level is None else names[level] for level in found]
    counts = Counter((one.truth, end) for one, end in zip(told, given, strict=True))
    rows: list[tuple[Cell, ...]] = []
    for level in reversed(range(len(names))):
        n = sum(one.truth == level for one in told)
        rows.append((names[level].replace("_", " "), n, *(Part(counts[level, end], n) for end in ends)))
    columns = (
        Column("people", "people say"),
        Column("n", "candidates", Unit.COUNT),
        *(Column(end.lower(), end.replace("_", " "), Unit.COUNT) for end in ends),
    )
    return Table("verdict_classes", "What people say and verdicts", columns, tuple(rows), brief=True)


def _reasons(told: Sequence[LabelledCase]) -> Table:
    """Which reasons people don't follow."""
    groups: dict[str, list[LabelledCase]] = {}
    for one in told:
        groups.setdefault("(passed)" if one.record.passed else (one.record.codes or ("(none)",))[0], []).append(one)
    rows = tuple(
        (code, len(cases), Part(sum(one.right for one in cases), len(cases)))
        for code, cases in sorted(groups.items(), key=lambda pair: (pair[0] != "(passed)", -len(pair[1]), pair[0]))
    )
    columns = (
        Column("reason", "gravest reason"),
        Column("n", "candidates", Unit.COUNT),
        Column("right", "people call right", Unit.COUNT),
    )
    return Table("verdict_reasons", "What people say by reason", columns, rows, brief=True)
