"""Tables of pass@k: by the outcome, and by a score of 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.report.data.estimates import Estimate, PassAtK, PuzzleAttempts, Samples
from grader.report.data.grouping import Dimensions, Key
from grader.report.tables.table import Better, Cell, Column, Table, Unit, key_columns


@dataclass(frozen=True)
class AttemptRow:
    """A row: the attempts at each puzzle; for each sense of pass@k its samples and its estimate."""

    groups: tuple[PuzzleAttempts, ...]
    samples: tuple[Samples, ...]
    estimates: tuple[Estimate, ...]


def senses(k_values: Sequence[int]) -> list[PassAtK]:
    """Every sense: those by the outcome, then those by the score. Of one attempt, any and mean are the same."""
    kinds = [(kind, k) for k in k_values for kind in ("any", "mean", "unbiased") if k > 1 or kind != "any"]
    return [PassAtK(kind, k, by_score) for by_score in (False, True) for kind, k in kinds]


def pass_column(sense: PassAtK) -> Column:
    """The column of one sense of pass@k."""
    kind = "" if sense.k == 1 and sense.kind == "mean" else sense.kind
    prefix = "score" if sense.by_score else ""
    key = "_".join(part for part in (prefix, f"pass_at_{sense.k}", kind) if part)
    title = " ".join(part for part in (prefix, f"pass@{sense.k}", kind) if part)
    return Column(key, title, Unit.PERCENT, Better.UP, "puzzles")


def attempt_table(
    task: str,
    rows: Mapping[Key, AttemptRow],
    chosen: Sequence[PassAtK],
    dimensions: Dimensions,
    *,
    by_score: bool,
    brief: bool,
) -> Table:
    """Pass@k in every sense, by the outcome or by a score of 1.

    Parameters
    ----------
    task : str
        What the rows are about.
    rows : mapping
        By what they are called.
    chosen : sequence of PassAtK
        What the samples and estimates of each row are of.
    dimensions : Dimensions
        What rows are called by.
    by_score, brief : bool
        Which senses; and whether the terminal shows the table.
    """
    places = [place for place, sense in enumerate(chosen) if sense.by_score is by_score]
    made: list[tuple[Cell, ...]] = []
    for key, row in rows.items():
        found = [one.by_outcome for one in row.groups]
        counts = (
            len(found),
            sum(one.given for one in found),
            sum(one.missing for one in found),
            sum(one.repeated for one in found),
        )
        made.append((*key, *counts, *(row.estimates[place] for place in places)))
    columns = (
        *key_columns(dimensions.names),
        Column("puzzles", "puzzles", Unit.COUNT),
        Column("attempts", "attempts", Unit.COUNT),
        Column("missing", "missing", Unit.COUNT),
        Column("repeated", "repeated", Unit.COUNT),
        *(pass_column(chosen[place]) for place in places),
    )
    what, prefix = ("score = 1", "score_") if by_score else ("outcome PASS", "")
    return Table(
        f"{task}_{prefix}attempts_by_{dimensions.key}",
        f"{task}: pass@k by {what}, by {dimensions.title}",
        columns,
        tuple(made),
        (*_attempt_notes(rows), *_left_out(rows, [(chosen[place], place) for place in places])),
        brief=brief,
        task=task,
    )


def _attempt_notes(rows: Mapping[Key, AttemptRow]) -> list[str]:
    found = [one.by_outcome for row in rows.values() for one in row.groups]
    notes = []
    if missing := sum(one.missing for one in found):
        notes.append(f"{missing} attempts are missing below a puzzle's highest number; they count as not passed.")
    if repeated := sum(one.repeated for one in found):
        notes.append(
            f"{repeated} attempts have the number of another at the same puzzle by the same model; the first in the "
            "manifest counts. A table by the tag that tells them apart (--by) has them all."
        )
    if unnumbered := sum(len(one.unnumbered) for one in found):
        notes.append(
            f"{unnumbered} attempts have no number: such a puzzle has pass@k any and mean only where it has exactly k "
            "of them."
        )
    return notes


def _left_out(rows: Mapping[Key, AttemptRow], places: Sequence[tuple[PassAtK, int]]) -> list[str]:
    """Why some puzzles have no pass@k; where none has one, the table says so by itself."""
    total = sum(len(row.groups) for row in rows.values())
    said: dict[str, list[str]] = {}
    for sense, place in places:
        left: Counter[str] = Counter()
        for row in rows.values():
            left += row.samples[place].left_out
        if 0 < left.total() < total:
            causes = "; ".join(f"{cause} ({n})" for cause, n in left.most_common())
            why = f"{left.total()} of {total} puzzles are left out: {causes}."
            said.setdefault(why, []).append(pass_column(sense).title)
    return [f"{', '.join(titles)}: {why}" for why, titles in said.items()]
