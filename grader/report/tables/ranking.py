"""Tables of models beside one another: the ranking of a task, and each two models at the puzzles that both tried."""

from __future__ import annotations

from grader.report.data.estimates import Estimate, Resampling
from grader.report.data.grouping import Records
from grader.report.data.pairs import MOST_MODELS, Pair, Rank, by_model, compare, rank
from grader.report.tables.table import Better, Column, Table, Unit

_RANK_NOTE = (
    "A rank is a range: models whose difference at the same puzzles has an interval around 0 can't be told apart, and "
    "may share or change places."
)


def ranking_tables(task: str, records: Records, how: Resampling) -> list[Table]:
    """The ranking of a task, and where there are several models, the pairs of them; nothing without candidates."""
    models = by_model(records)
    if not models:
        return []
    pairs = compare(models, how)
    tables = [_ranking(task, rank(models, pairs, how), how)]
    if pairs:
        tables.append(_pairs(task, pairs, len(models)))
    return tables


def rank_text(one: Rank) -> str:
    """A rank as people read it."""
    return str(one.low) if one.low == one.high else f"{one.low} to {one.high}"


def _ranking(task: str, ranks: list[Rank], how: Resampling) -> Table:
    columns = (
        Column("rank", "rank"),
        Column("model", "model"),
        Column("pass_rate", "pass rate", Unit.PERCENT, Better.UP, "candidates"),
        Column("reward", "reward", Unit.PERCENT, Better.UP, "candidates"),
        Column("passed", "PASS", Unit.COUNT, Better.UP),
        Column("candidates", "candidates", Unit.COUNT),
        Column("puzzles", "puzzles", Unit.COUNT),
        Column("ungradable", "UNGRADABLE", Unit.COUNT, Better.DOWN),
        Column("missing", "not answered", Unit.COUNT, Better.DOWN),
    )
    rows = tuple(
        (
            rank_text(one),
            one.model,
            one.rate,
            one.reward,
            one.passed,
            one.candidates,
            one.puzzles,
            one.ungradable,
            one.missing,
        )
        for one in ranks
    )
    notes = [_RANK_NOTE] if len(ranks) > 1 and how.resamples else []
    if any(one.missing for one in ranks):
        notes.append("An answer that is missing is counted as not answered, and not as UNGRADABLE too.")
    return Table(f"{task}_ranking", f"{task}: ranking of models", columns, rows, tuple(notes), task=task)


def _pairs(task: str, pairs: list[Pair], models: int) -> Table:
    columns = (
        Column("model", "model"),
        Column("other", "other"),
        Column("puzzles", "puzzles of both", Unit.COUNT),
        Column("rate", "pass rate", Unit.PERCENT, Better.UP),
        Column("other_rate", "other's", Unit.PERCENT),
        Column("difference", "difference", Unit.PERCENT, Better.UP, "puzzles"),
        Column("only_model", "only model", Unit.COUNT),
        Column("only_other", "only other", Unit.COUNT),
        Column("both", "both", Unit.COUNT),
        Column("neither", "neither", Unit.COUNT),
        Column("p", "p", Unit.NUMBER, Better.NEITHER),
        Column("p_holm", "p (Holm)", Unit.NUMBER, Better.NEITHER),
    )
    rows = tuple(
        (
            one.first,
            one.second,
            one.puzzles,
            one.first_rate,
            one.second_rate,
            one.difference,
            one.only_first,
            one.only_second,
            one.both,
            one.neither,
            Estimate(one.chance, one.only_first + one.only_second),
            Estimate(one.adjusted, one.only_first + one.only_second),
        )
        for one in pairs
    )
    notes = [
        "Rates and differences are over the puzzles that both models tried, each weighing the same; intervals draw "
        "whole puzzles with the results of both.",
        "Only model, only other, both, neither: puzzles by whose first attempt passed. p is McNemar's exact test on "
        "the two first of these; Holm's correction is for all pairs of the table.",
    ]
    if models > MOST_MODELS:
        notes.append(f"The first {MOST_MODELS} of {models} models are compared.")
    return Table(f"{task}_pairs", f"{task}: models at the same puzzles", columns, rows, tuple(notes), task=task)
