"""Accuracy by kind of question, beside guessing and people; anomalies by line.

References
----------
.. [1] "Jigsaw-Puzzles: From Seeing to Understanding to Reasoning in Vision-Language Models", section 4 and tables 2, 3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from grader.metrics.runs.guessing import least_beyond_chance
from grader.report.data.beside import GivenRole, GivenRow
from grader.report.data.chances import Chances
from grader.report.data.estimates import Estimate, Resampling, Samples, estimate, mean_of_means, metric_samples
from grader.report.data.estimates import pass_samples as passes
from grader.report.data.grouping import Records
from grader.report.tables.jigsaw.likeness import correlation_tables
from grader.report.tables.table import Better, Cell, Column, Table, Unit

JIGSAW: Final = "jigsaw"
OVERALL_KINDS: Final = {
    "missing_piece_easy": "missing piece, easy",
    "missing_piece_hard": "missing piece, hard",
    "localization_easy": "localization, easy",
    "localization_hard": "localization, hard",
    "connection": "connection",
    "anomaly": "anomaly",
    "order_restoration": "order restoration",
}
"""The seven columns of [1]_ whose mean is the overall one, with their titles."""
KINDS: Final = {**OVERALL_KINDS, "order_generation": "order generation"}
"""All columns; the last counts in no mean, for [1]_ asks it of fewer photographs."""
_KIND, _PHOTOGRAPH = "kind", "photograph"
_LEVEL: Final = 0.05
_LINES: Final = {"judgment_right": "judgment", "position_right": "position", "change_right": "change"}


@dataclass(frozen=True)
class ModelKinds:
    """A row of accuracies; kinds that were not asked have none.

    Attributes
    ----------
    name : of the model, or of who answered
    kinds : by kind
    overall : the mean of the seven
    """

    name: str
    kinds: Mapping[str, Estimate]
    overall: Estimate


def jigsaw_tables(
    task: str, records: Records, chances: Chances, how: Resampling, given: Sequence[GivenRow] = ()
) -> list[Table]:
    """The tables of jigsaw puzzles; nothing for other tasks, nor where no item says what kind of question it is.

    Parameters
    ----------
    task, records : str, list of Record
    chances : Chances
        Of the questions.
    how : Resampling
        How intervals are made: photographs are drawn, with all questions about each.
    given : sequence of GivenRow
        People, and further models.
    """
    asked = [record for record in records if record.tag(_KIND) in KINDS]
    if task != JIGSAW or not asked:
        return []
    photographs = _clusters(asked)
    by_model: dict[str, Records] = {}
    for record in asked:
        by_model.setdefault(record.model, []).append(record)
    models = [_model_row(name, by_model[name], photographs, how) for name in sorted(by_model)]
    others = [_given_row(row) for row in given if row.role is GivenRole.MODEL]
    tables = [
        _kind_table(asked, chances, [_given_row(row) for row in given if row.role is GivenRole.PERSON], others, models)
    ]
    lines = _line_table(by_model, photographs, how)
    columns = {name: _values(name, [*others, *models]) for name in KINDS}
    return [*tables, *lines, *correlation_tables(JIGSAW, KINDS, columns, [row.name for row in (*others, *models)])]


def _values(kind: str, rows: Sequence[ModelKinds]) -> list[float | None]:
    return [row.kinds[kind].value for row in rows]


def _clusters(records: Records) -> dict[int, int]:
    """Of each puzzle a number for its photograph; a puzzle that does not say which has one of its own."""
    names: dict[str, int] = {}
    return {
        record.cluster: names.setdefault(record.tag(_PHOTOGRAPH) or f"\0{record.cluster}", len(names))
        for record in records
    }


def _by_photograph(samples: Samples, photographs: Mapping[int, int]) -> Samples:
    return Samples(samples.is_rate, samples.values, [photographs[one] for one in samples.clusters], samples.left_out)


def _model_row(name: str, records: Records, photographs: Mapping[int, int], how: Resampling) -> ModelKinds:
    samples = {
        kind: _by_photograph(passes([one for one in records if one.tag(_KIND) == kind]), photographs) for kind in KINDS
    }
    found = dict(zip(samples, estimate(list(samples.values()), how), strict=True))
    return ModelKinds(name, found, mean_of_means([samples[kind] for kind in OVERALL_KINDS], how))


def _given_row(row: GivenRow) -> ModelKinds:
    kinds = {
        kind: Estimate(row.values[kind], 0) if kind in row.values else Estimate(None, 0, why="the file does not say it")
        for kind in KINDS
    }
    return ModelKinds(row.name, kinds, overall([kinds[kind] for kind in OVERALL_KINDS]))


def overall(columns: Sequence[Estimate]) -> Estimate:
    """The mean of columns; none where one of them is missing."""
    values = [one.value for one in columns if one.value is not None]
    if len(values) < len(columns):
        return Estimate(None, 0, why="a column is missing")
    return Estimate(math.fsum(values) / len(values), min(one.n for one in columns))


def _kind_table(
    records: Records,
    chances: Chances,
    people: Sequence[ModelKinds],
    others: Sequence[ModelKinds],
    models: Sequence[ModelKinds],
) -> Table:
    questions = {kind: _chances(records, kind, chances) for kind in KINDS}
    random, least = guess_rows(questions)
    rows: list[tuple[Cell, ...]] = []
    for role, row in (
        ("chance", random),
        ("chance", least),
        *(("person", one) for one in people),
        *(("given", one) for one in others),
        *(("model", one) for one in models),
    ):
        rows.append((role, row.name, *(row.kinds[kind] for kind in KINDS), row.overall))
    columns = (
        Column("role", "role"),
        Column("model", "model"),
        *(Column(kind, title, Unit.PERCENT, Better.UP) for kind, title in KINDS.items()),
        Column("overall", "overall", Unit.PERCENT, Better.UP),
    )
    notes = (
        "Accuracy over all questions; what is missing or can't be read is wrong. Overall: the mean of the seven "
        "columns before order generation, each weighing the same.",
        f"Random guess: the mean over the questions of the chance of a guess. {least.name}: the least accuracy that "
        "guessing reaches with p < 0.05 (one-sided binomial, with the number of questions of this run), each column "
        "rounded to 0.1 before the mean.",
        "Intervals draw photographs with all questions about each.",
    )
    return Table(
        f"{JIGSAW}_kinds", "jigsaw: accuracy by kind of question", columns, tuple(rows), notes, brief=True, task=JIGSAW
    )


def _chances(records: Records, kind: str, chances: Chances) -> list[float]:
    """Of each question of a kind, once, how often a guess is right."""
    found: dict[int, float] = {}
    for record in records:
        levels = chances.of(record.cluster)
        if record.tag(_KIND) == kind and levels:
            found[record.cluster] = levels[0].probability
    return [found[cluster] for cluster in sorted(found)]


def guess_rows(questions: Mapping[str, Sequence[float]]) -> tuple[ModelKinds, ModelKinds]:
    """What guessing gives, and what is more than that.

    Parameters
    ----------
    questions : mapping
        By kind, the chance of a guess at each question; empty where there are none.

    Examples
    --------
    >>> random, least = guess_rows({kind: [0.25] * 1100 for kind in KINDS})
    >>> random.overall.value, least.kinds["connection"].value
    (0.25, 0.273)
    """
    why = "there is no such question, or the manifest can't be read"
    random: dict[str, Estimate] = {}
    least: dict[str, Estimate] = {}
    for kind, chances in questions.items():
        if not chances:
            random[kind] = least[kind] = Estimate(None, 0, why=why)
            continue
        n, chance = len(chances), math.fsum(chances) / len(chances)
        random[kind] = Estimate(_rounded(chance, 4), n)
        needed = least_beyond_chance(n, chance, _LEVEL)
        more = "even all answers right would be no less likely"
        least[kind] = Estimate(None, n, why=more) if needed is None else Estimate(_rounded(needed / n, 3), n)
    return (
        ModelKinds("random guess", random, overall([random[kind] for kind in OVERALL_KINDS])),
        ModelKinds("beyond chance from", least, overall([least[kind] for kind in OVERALL_KINDS])),
    )


def _rounded(value: float, digits: int) -> float:
    """Rounded as people do: 0.28125 to 0.2813."""
    scale = float(10**digits)
    return math.floor(value * scale + 0.5 + 1e-9) / scale


def _line_table(by_model: Mapping[str, Records], photographs: Mapping[int, int], how: Resampling) -> list[Table]:
    rows: list[tuple[Cell, ...]] = []
    for name in sorted(by_model):
        records = [one for one in by_model[name] if one.tag(_KIND) == "anomaly" and one.is_candidate]
        if records:
            samples = [passes(records), *(metric_samples(records, line) for line in _LINES)]
            rows.append((name, len(records), *estimate([_by_photograph(one, photographs) for one in samples], how)))
    if not rows:
        return []
    columns = (
        Column("model", "model"),
        Column("questions", "questions", Unit.COUNT),
        Column("whole", "all three", Unit.PERCENT, Better.UP, "questions"),
        *(Column(line, title, Unit.PERCENT, Better.UP, "questions") for line, title in _LINES.items()),
    )
    notes = ("A line is right by itself, whatever the others say; one that is left out is as one that is left blank.",)
    return [Table(f"{JIGSAW}_anomaly_lines", "jigsaw: anomalies by line", columns, tuple(rows), notes, task=JIGSAW)]
