"""Splits records into the rows of tables: by model, run, or any tag."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from grader.report.data.records import Record, ReportError, Results
from grader.runs.items import NOT_SAID

BUILT_IN = ("model", "task", "run", "puzzle", "attempt", "profile")
"""What tables can be made by beside tags. ``tag:NAME`` names a tag that is called like one of these."""

_TAG = "tag:"
_USUAL = ("geometry", "scale")

Key = tuple[str, ...]
Records = list[Record]


@dataclass(frozen=True)
class Dimensions:
    """Names that together make the rows of a table, such as (model, scale)."""

    names: tuple[str, ...]

    @property
    def key(self) -> str:
        """For file names."""
        return "_".join(re.sub(r"[^A-Za-z0-9]+", "-", name) for name in self.names)

    @property
    def title(self) -> str:
        """For people."""
        return " and ".join(self.names)


def parse_by(text: str) -> tuple[Dimensions, ...]:
    """Reads ``--by``: tables divided by commas, names within one by plus signs.

    Raises
    ------
    ReportError
        If a name is empty or a table is named twice.

    Examples
    --------
    >>> [one.names for one in parse_by("model,geometry+scale")]
    [('model',), ('geometry', 'scale')]
    """
    parsed = [tuple(name.strip() for name in part.split("+")) for part in text.split(",")]
    if not all(name for names in parsed for name in names) or len(set(parsed)) < len(parsed):
        raise ReportError(f"--by {text!r} has an empty or a repeated name; write it as model,geometry+scale")
    return tuple(Dimensions(names) for names in parsed)


def natural(text: str) -> tuple[tuple[int, float, str], ...]:
    """Sort key: numbers by their value, then texts with the numbers in them by theirs, then what is not said."""
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text, re.ASCII):
        return ((0, float(text), text),)
    pieces = re.split(r"([0-9]+)", text)
    parts = ((0, float(piece), piece) if at % 2 else (1, 0.0, piece) for at, piece in enumerate(pieces))
    return ((2 if text.startswith(NOT_SAID) else 1, 0.0, ""), *parts)


def _getter(name: str, results: Results) -> Callable[[Record], str]:
    """What gives a record's value for one name; `NOT_SAID` where it does not have the tag."""
    match name:
        case "model":
            return lambda record: record.model
        case "task":
            return lambda record: record.item.task
        case "run":
            return lambda record: results.runs[record.run].name
        case "puzzle":
            return lambda record: record.item.puzzle
        case "attempt":
            return lambda record: str(record.item.attempt or NOT_SAID)
        case "profile":
            return lambda record: record.made_by or NOT_SAID
        case _:
            tag = name.removeprefix(_TAG)
            return lambda record: record.tag(tag) or NOT_SAID


def has(records: Iterable[Record], name: str) -> bool:
    """Whether tables can be made by a name: it is built in, or a tag that a record has."""
    return name in BUILT_IN or any(record.tag(name.removeprefix(_TAG)) is not None for record in records)


def check_names(results: Results, names: Iterable[str]) -> None:
    """Refuses names that no record has.

    Raises
    ------
    ReportError
        Naming them and what there is.
    """
    unknown = [name for name in dict.fromkeys(names) if not has(results.records, name)]
    if unknown:
        tags = sorted({tag for record in results.records for tag, _ in record.item.tags})
        raise ReportError(
            f"no item has the tag {', '.join(unknown)}; tables can be made by {', '.join([*BUILT_IN, *tags])}"
        )


def rows_by(results: Results, records: Iterable[Record], dimensions: Dimensions) -> dict[Key, Records]:
    """Splits records by what they have for each name; rows in natural order, records in theirs."""
    getters = [_getter(name, results) for name in dimensions.names]
    rows: dict[Key, Records] = {}
    for record in records:
        rows.setdefault(tuple([getter(record) for getter in getters]), []).append(record)
    return dict(sorted(rows.items(), key=lambda item: tuple(natural(part) for part in item[0])))


def by_task(results: Results) -> dict[str, Records]:
    """Splits records by task, because tasks do not share their metrics."""
    return {key[0]: records for key, records in rows_by(results, results.records, Dimensions(("task",))).items()}


def usual_dimensions(records: Sequence[Record]) -> tuple[Dimensions, ...]:
    """Tables that are made unless others are asked for: model; geometry, scale, and both, within models if many."""
    there = [name for name in _USUAL if has(records, name)]
    several = len({record.model for record in records}) > 1
    prefix = ("model",) if several else ()
    made = [("model",), *((*prefix, name) for name in there)]
    if len(there) > 1:
        made.append((*prefix, *there))
    return tuple(Dimensions(names) for names in made)
