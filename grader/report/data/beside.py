"""Rows that stand beside the models of a run: people, and models whose accuracies are known from elsewhere."""

from __future__ import annotations

import csv
import enum
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.wording import first_few
from grader.report.data.records import ReportError

_NAME, _ROLE = "name", "role"


class GivenRole(enum.Enum):
    """Who a row is about."""

    PERSON = "person"
    MODEL = "model"


@dataclass(frozen=True)
class GivenRow:
    """A row that a file gives.

    Attributes
    ----------
    name : for tables
    role : people stand above models, and are left out of correlations
    values : by column, 0 to 1
    """

    name: str
    role: GivenRole
    values: Mapping[str, float]


def read_given(files: Sequence[Path], columns: Sequence[str]) -> tuple[GivenRow, ...]:
    """Reads CSV files with a column ``name``, perhaps ``role``, and accuracies in per cent in columns of given names.

    Parameters
    ----------
    files : sequence of Path
    columns : sequence of str
        What accuracies may be called; other columns are refused, for a slip would lose them.

    Raises
    ------
    ReportError
        Naming file and line.
    OSError
        If a file can't be read.
    """
    rows = [row for file in files for row in _rows(file, columns)]
    names = [row.name for row in rows]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ReportError(f"{first_few(twice)}: is there twice; give each row a name of its own")
    return tuple(rows)


def _rows(file: Path, columns: Sequence[str]) -> list[GivenRow]:
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReportError(f"{file} is not UTF-8 ({error}); export it again") from error
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    names = reader.fieldnames or ()
    strange = [name for name in names if name not in (_NAME, _ROLE, *columns)]
    if _NAME not in names or strange:
        told = f"{first_few(strange)} is none of them" if strange else "there is no name"
        raise ReportError(
            f"{file}: needs the columns {_NAME}, perhaps {_ROLE}, and some of {', '.join(columns)}; {told}"
        )
    found = []
    try:
        for row in reader:
            place = f"{file}:{reader.line_num}"
            if None in row or not row[_NAME]:
                raise ReportError(f"{place}: needs a name, and no more cells than the header")
            found.append(GivenRow(row[_NAME], _role(row.get(_ROLE), place), _values(row, columns, place)))
    except csv.Error as error:
        raise ReportError(f"{file}:{reader.line_num}: is no CSV ({error}); export it again") from error
    return found


def _role(said: str | None, place: str) -> GivenRole:
    if not said:
        return GivenRole.PERSON
    found = next((role for role in GivenRole if role.value == said), None)
    if found is None:
        raise ReportError(f"{place}: role is {said!r}; it is person or model")
    return found


def _values(row: Mapping[str, str | None], columns: Sequence[str], place: str) -> dict[str, float]:
    values = {}
    for column in columns:
        said = row.get(column)
        if said is None or not said.strip():
            continue
        try:
            number = float(said)
        except ValueError:
            number = math.nan
        if not 0 <= number <= 100:
            raise ReportError(f"{place}: {column} is {said!r}; give per cent, 0 to 100")
        values[column] = number / 100
    return values
