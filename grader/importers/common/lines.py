"""Reads answers that stand a line each: JSON Lines or CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from grader.importers.common.errors import ImportFormatError
from grader.model.json_fields import JsonObject, is_blank, load_object, shown

LINE_SUFFIXES = (".jsonl", ".csv")


def attempt_of(entry: JsonObject) -> int:
    """Which attempt a line is; 0 where it does not say."""
    value = entry.content.get("attempt")
    if value is None or value == "":
        return 0
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else value
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number < 2**31:
        raise entry.fault("attempt", f"must be a whole number from 1, not {shown(value)}")
    return number


def entries_of(file: Path) -> Iterator[JsonObject]:
    """The lines of a file in JSON Lines or CSV as objects that know their line; ValueError naming a broken one."""
    if file.suffix.lower() == ".csv":
        yield from _cells(file)
        return
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not is_blank(line):
                yield load_object(line, f"{file}:{number}", lone_surrogates=True)


def _cells(file: Path) -> Iterator[JsonObject]:
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportFormatError(f"{file} is not UTF-8 ({error}); export it again") from error
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise ImportFormatError(f"{file}:{line}: is no CSV ({error}); export it again") from error
        if row is None:
            return
        if not any(row):
            continue
        if header is None:
            header = [name.strip() for name in row]
            continue
        if len(row) > len(header):
            raise ImportFormatError(f"{file}:{line}: has {len(row)} cells, and the header {len(header)}; quote texts")
        # CSV has no null: a cell without content is as one that is not there.
        yield JsonObject({name: cell or None for name, cell in zip(header, row, strict=False)}, f"{file}:{line}")
