"""Reads files of labels, CSV or JSON Lines, row by row; what each row means is said elsewhere."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.json_fields import parse_json
from grader.model.wording import first_few
from grader.report.data.records import ReportError

_SHOWN, _SHOWN_CHARS = 12, 40
"""So many columns, and so much of each name, are told where some are missing."""


@dataclass(frozen=True)
class LabelColumns:
    """Which columns of a file count; others are passed over.

    Attributes
    ----------
    said : what people said: one of these columns at least has to be there
    more : what may be there beside these and ``request_id``
    """

    said: tuple[str, ...]
    more: tuple[str, ...]

    def used(self, names: Sequence[str] | Mapping[str, object]) -> list[str]:
        """Those of some names that count, in their order."""
        return [name for name in names if name in ("request_id", *self.more, *self.said)]

    def check(self, names: Sequence[str], place: str) -> None:
        """Refuses names among which something is missing, or said twice."""
        used = self.used(names)
        if "request_id" not in used or not any(name in used for name in self.said):
            wanted = f"one or more of {', '.join(self.said)}" if len(self.said) > 1 else self.said[0]
            raise ReportError(f"{place}: needs request_id and {wanted}; it has {_shown(names)}")
        if len(set(used)) < len(used):
            raise ReportError(f"{place}: a column is there twice: {_shown(used)}")


def label_rows(file: Path, columns: LabelColumns) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Each line's number and its fields as texts, by their names in lower case.

    Raises
    ------
    ReportError
        Naming file and line, and the field where it is about one.
    OSError
        If the file can't be read.
    """
    if file.suffix.lower() not in (".csv", ".jsonl"):
        raise ReportError(f"{file}: labels are read from .csv and .jsonl files")
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReportError(f"{file}: is not in UTF-8 ({error})") from error
    return _csv_rows(file, text, columns) if file.suffix.lower() == ".csv" else _json_rows(file, text, columns)


def _csv_rows(file: Path, text: str, columns: LabelColumns) -> Iterator[tuple[int, Mapping[str, str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        columns.check(names, f"{file}:1")
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(names):
                raise ReportError(
                    f"{file}:{reader.line_num}: has {len(cells)} cells, not {len(names)} as the first line"
                )
            yield reader.line_num, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        raise ReportError(f"{file}:{reader.line_num}: is no CSV ({error})") from error


def _json_rows(file: Path, text: str, columns: LabelColumns) -> Iterator[tuple[int, Mapping[str, str]]]:
    # Not splitlines: what JSON holds may have other line breaks in it.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            said = parse_json(line)
        except ValueError as error:
            raise ReportError(f"{file}:{number}: is no JSON ({error})") from error
        if not isinstance(said, dict):
            raise ReportError(f"{file}:{number}: must be an object with request_id and {', '.join(columns.said)}")
        fields = {name.strip().lower(): value for name, value in said.items() if value is not None}
        columns.check(list(fields), f"{file}:{number}")
        for name in columns.used(fields):
            if not isinstance(fields[name], str):
                raise ReportError(f"{file}:{number}: {name} must be a text, not {fields[name]!r}")
        yield number, {name: fields[name] for name in columns.used(fields)}


def _shown(names: Sequence[str]) -> str:
    return first_few([name if len(name) <= _SHOWN_CHARS else f"{name[:_SHOWN_CHARS]}..." for name in names], _SHOWN)
