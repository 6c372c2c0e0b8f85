"""The leaderboard of grid mazes, its groups, and claims about goals that can't be reached [1]_.

References
----------
.. [1] MazeBench, tables 1 to 5.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from grader.report.data.chances import Chances, walks_of
from grader.report.data.estimates import Estimate, Resampling, Samples, estimate, metric_samples, pass_samples
from grader.report.data.grouping import Records, has, natural
from grader.report.data.records import Record
from grader.report.tables.grids.costs import cut_off, latency_samples, tokens_per_solve, total_tokens
from grader.report.tables.grids.matched import matched_table, sat, sitting_columns
from grader.report.tables.table import Better, Cell, Column, Part, Table, Unit
from grader.runs.items import NOT_SAID
from grader.tasks.common.chance import Walk

GRIDS = "grid_maze"
"""The task whose verdicts these tables are of."""
ULTRA_HARD = "X"
"""The group that stands apart from the core."""
_GROUP = "group"
_UNREACHABLE_GROUP = "E"
_METRICS = (
    ("reachability", "reachability"),
    ("length", "length"),
    ("path", "path"),
    ("grid_size", "grid size"),
    ("parse_lenient", "solved"),
    ("parse_strict", "strictly"),
    ("upstream_list_match", "in the list"),
)
_INTERVALS = "Intervals draw whole mazes with all that was answered to them."


def grid_tables(task: str, records: Records, how: Resampling, chances: Chances) -> list[Table]:
    """The tables of a task's grid mazes; none where the task is another, or nothing was judged.

    Parameters
    ----------
    task, records : str, list of Record
        The task with its items.
    how : Resampling
        How intervals are made: whole puzzles are drawn.
    chances : Chances
        Of the puzzles.
    """
    judged = [record for record in records if record.is_candidate] if task == GRIDS else []
    if not judged:
        return []
    core = [record for record in judged if record.tag(_GROUP) != ULTRA_HARD]
    hard = [record for record in judged if record.tag(_GROUP) == ULTRA_HARD]
    made = [
        _leaderboard(part, how, chances, key, title)
        for part, key, title in (
            (core, "leaderboard", "leaderboard"),
            (hard, "ultra_hard", f"leaderboard of group {ULTRA_HARD}"),
        )
        if part
    ]
    if core:
        made.append(_parts(core, how))
    if has(judged, _GROUP):
        made.append(_groups(judged))
    if core:
        made.append(_unreachable(core, how))
    matched = matched_table(GRIDS, judged, how)
    return made if matched is None else [*made, matched]


def _leaderboard(
    records: Records,
    how: Resampling,
    chances: Chances,
    key: str,
    title: str,
) -> Table:
    ranked = sorted(sat(records).items(), key=lambda row: -_share_solved(row[1]))
    rows: list[tuple[Cell, ...]] = []
    for names, part in ranked:
        samples = [pass_samples(part), metric_samples(part, "reachability"), latency_samples(part)]
        solved, reachability, latency = estimate(samples, how)
        tokens = total_tokens(part)
        rows.append(
            (
                *names,
                len(part),
                sum(record.passed for record in part),
                solved,
                reachability,
                cut_off(part),
                "" if tokens is None else tokens,
                tokens_per_solve(part, how),
                latency,
            )
        )
    rows += [_chance_row(walk, records, chances) for walk in walks_of(GRIDS)]
    columns = (
        *sitting_columns(),
        Column("n", "n", Unit.COUNT),
        Column("solved", "solved", Unit.COUNT, Better.UP),
        Column("solved_rate", "solved of all", Unit.PERCENT, Better.UP, "n"),
        Column("reachability", "reachability", Unit.PERCENT, Better.UP, "n"),
        Column("cut_off", "cut off", Unit.COUNT, Better.DOWN),
        Column("tokens", "tokens", Unit.COUNT, Better.DOWN),
        Column("tokens_per_solve", "tokens per solve", Unit.NUMBER, Better.DOWN, "n"),
        Column("latency_s", "latency, s", Unit.NUMBER, Better.DOWN, "n"),
    )
    notes = (
        "Solved: reachability, length and path are all right. Answers that are missing, cut off or can't be read are "
        "wrong in each column.",
        "Tokens per solve: tokens of all answers over solved mazes, by the tag tokens; latency is the mean of the tag "
        "latency_s.",
        _INTERVALS,
        *(f"{walk.title}: {walk.meaning}" for walk in walks_of(GRIDS)),
    )
    return Table(f"{GRIDS}_{key}", f"{GRIDS}: {title}", columns, tuple(rows), notes, brief=True, task=GRIDS)


def _parts(core: Records, how: Resampling) -> Table:
    """What of an answer is right, by itself."""
    named = {name for record in core for name in record.measures.names}
    metrics = [(name, shown) for name, shown in _METRICS if name in named]
    rows: list[tuple[Cell, ...]] = []
    for names, part in sat(core).items():
        rows.append((*names, len(part), *estimate([metric_samples(part, name) for name, _ in metrics], how)))
    columns = (
        *sitting_columns(),
        Column("n", "n", Unit.COUNT),
        *(Column(name, shown, Unit.PERCENT, Better.UP, "n") for name, shown in metrics),
    )
    notes = (
        "All groups but X. Strictly: solved by an answer that is written to the letter. In the list: solved by a path "
        "of the published list, which stops at 50.",
        _INTERVALS,
    )
    return Table(f"{GRIDS}_parts", f"{GRIDS}: what is right", columns, tuple(rows), notes, brief=True, task=GRIDS)


def _share_solved(records: Records) -> float:
    return sum(record.passed for record in records) / len(records)


def _chance_row(walk: Walk, records: Records, chances: Chances) -> tuple[Cell, ...]:
    """What is solved by an answer that looks at nothing, over the mazes of a table, each once."""
    found = {
        record.cluster: level.probability
        for record in records
        for level in chances.of(record.cluster)
        if level.walk is walk
    }
    share = Estimate(None, 0, why="the puzzles can't be read from the manifest")
    if found:
        share = Estimate(math.fsum(found[cluster] for cluster in sorted(found)) / len(found), len(found))
    return (walk.title, "", share.n, "", share, "", "", "", "", "")


def _groups(records: Records) -> Table:
    groups = sorted({record.tag(_GROUP) or NOT_SAID for record in records}, key=natural)
    rows: list[tuple[Cell, ...]] = []
    for names, part in sat(records).items():
        within = {group: [record for record in part if (record.tag(_GROUP) or NOT_SAID) == group] for group in groups}
        core = [record for record in part if record.tag(_GROUP) not in (ULTRA_HARD, None)]
        rows.append((*names, *(_solved(within[group]) for group in groups), _solved(core)))
    columns = (
        *sitting_columns(),
        *(Column(f"group_{group}", group, Unit.COUNT, Better.UP) for group in groups),
        Column("core", "all but X", Unit.COUNT, Better.UP),
    )
    return Table(
        f"{GRIDS}_by_group",
        f"{GRIDS}: solved by group",
        columns,
        tuple(rows),
        ("Solved mazes of each group, and their share of the candidates.",),
        brief=True,
        task=GRIDS,
    )


def _solved(records: Sequence[Record]) -> Part:
    return Part(sum(record.passed for record in records), len(records))


def _is_unreachable(record: Record) -> bool:
    """Whether the goal of its maze can't be reached: then the verdict has no least number of steps."""
    return record.measures.value("least_moves") is None and bool(record.measures.why_absent("least_moves"))


def _unreachable(core: Records, how: Resampling) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for names, part in sat(core).items():
        none = [record for record in part if _is_unreachable(record)]
        some = [record for record in part if not _is_unreachable(record)]
        of_group = [record for record in none if record.tag(_GROUP) == _UNREACHABLE_GROUP]
        samples = [_claims(none, reachable=True), _claims(of_group, reachable=False), _claims(some, reachable=False)]
        wrong, recall, lost = estimate(samples, how)
        rows.append(
            (
                *names,
                _counted(samples[0]),
                wrong,
                sum(record.measures.value("said_reachable") is None for record in none),
                _counted(samples[1]),
                recall,
                _counted(samples[2]),
                lost,
            )
        )
    columns = (
        *sitting_columns(),
        Column("false_positives", "said reachable", Unit.COUNT, Better.DOWN),
        Column("false_positive_rate", "false positives", Unit.PERCENT, Better.DOWN),
        Column("no_answer", "no answer", Unit.COUNT, Better.DOWN),
        Column("recalled", "told, group E", Unit.COUNT, Better.UP),
        Column("recall", "recall, group E", Unit.PERCENT, Better.UP),
        Column("false_negatives", "reachable, said not", Unit.COUNT, Better.DOWN),
        Column("false_negative_rate", "false negatives", Unit.PERCENT, Better.DOWN),
    )
    notes = (
        "False positives: unreachable mazes of all groups but X that are said to be reachable, over all of them. "
        "Recall: mazes of group E that are said to be unreachable, over all of it.",
        "False negatives: reachable mazes that are said not to be, over all of them. No answer is neither.",
    )
    return Table(
        f"{GRIDS}_unreachable",
        f"{GRIDS}: goals that can't be reached",
        columns,
        tuple(rows),
        notes,
        brief=True,
        task=GRIDS,
    )


def _claims(records: Records, *, reachable: bool) -> Samples:
    """Whether each answer says that the goal can be reached, or that it can't; no answer says neither."""
    samples = Samples(is_rate=True)
    for record in records:
        samples.add(record.cluster, float(record.measures.value("said_reachable") == float(reachable)))
    return samples


def _counted(samples: Samples) -> Part:
    return Part(round(sum(samples.values)), len(samples.values))
