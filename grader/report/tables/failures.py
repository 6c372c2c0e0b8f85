"""Tables of how candidates failed: by mode, and by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from grader.model.failure import FailureMode
from grader.report.data.failure_modes import mode_of
from grader.report.data.grouping import Dimensions, Key, Records
from grader.report.tables.table import Better, Cell, Column, Part, Table, Unit, key_columns
from grader.tasks.registry import list_tasks


def mode_table(task: str, rows: Mapping[Key, Records], dimensions: Dimensions, *, brief: bool) -> Table:
    """How candidates failed, each by its gravest reason, so that a row adds up to its candidates."""
    there = {record.mode for part in rows.values() for record in part}
    modes = [mode for mode in FailureMode if mode in there]
    made: list[tuple[Cell, ...]] = []
    for key, part in rows.items():
        candidates = [record for record in part if record.is_candidate]
        count = Counter(record.mode for record in candidates)
        n = len(candidates)
        made.append((*key, n, Part(count[None], n), *(Part(count[mode], n) for mode in modes)))
    columns = (
        *key_columns(dimensions.names),
        Column("candidates", "candidates", Unit.COUNT),
        Column("passed", "PASS", Unit.COUNT, Better.UP),
        *(Column(mode.name.lower(), mode.value, Unit.COUNT, Better.DOWN) for mode in modes),
    )
    return Table(
        f"{task}_failure_modes_by_{dimensions.key}",
        f"{task}: failure modes, by {dimensions.title}",
        columns,
        tuple(made),
        ("Each candidate counts once, by its gravest reason.",),
        brief=brief,
        task=task,
    )


def reason_table(task: str, records: Records) -> Table:
    """Each reason that was given: how often as the gravest one, and how often at all."""
    failed = [record for record in records if record.mode is not None]
    gravest = Counter(record.codes[0] for record in failed if record.codes)
    given = Counter(code for record in failed for code in set(record.codes))
    said = {info.code: info.description for known in list_tasks() if known.name == task for info in known.reasons}
    rows = tuple(
        (code, mode_of(code).value, Part(gravest[code], len(failed)), Part(n, len(failed)), said.get(code, ""))
        for code, n in sorted(given.items(), key=lambda item: (-item[1], item[0]))
    )
    columns = (
        Column("code", "reason"),
        Column("mode", "failure mode"),
        Column("gravest", "as the gravest", Unit.COUNT),
        Column("given", "at all", Unit.COUNT),
        Column("meaning", "meaning"),
    )
    notes = (
        f"Of {len(failed)} candidates that are FAIL or UNGRADABLE. One can have several reasons.",
        *(f"{mode.value}: {mode.meaning}" for mode in FailureMode if mode in {record.mode for record in failed}),
    )
    return Table(f"{task}_reasons", f"{task}: reasons", columns, rows, notes, task=task)
