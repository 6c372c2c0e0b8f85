"""CSV that spreadsheets open: text can't become a formula, numbers stay numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

Value = str | int | float | None

_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
"""What a cell begins with that a spreadsheet may take for a formula, full width too (OWASP, "CSV Injection")."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_QUOTED = re.compile("[\",;\t\r\n']")


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """A table as CSV in UTF-8; lines end with a line feed, and what is not there is an empty field."""
    return "".join(f"{','.join(map(csv_field, row))}\n" for row in (head, *rows))


def csv_field(value: Value) -> str:
    """One field.

    A text that begins like a formula gets an apostrophe before it, unless it is a number and nothing else. Fields with
    separators, of other countries too, are quoted, so that no cell begins within one.

    Examples
    --------
    >>> csv_field("=1+1"), csv_field("-0.5"), csv_field(-0.5), csv_field("a;=b"), csv_field(None)
    ("\\"'=1+1\\"", '-0.5', '-0.5', '"a;=b"', '')
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        return repr(value)
    if value.startswith(_FORMULA) and not _NUMBER.fullmatch(value):
        value = f"'{value}"
    return '"' + value.replace('"', '""') + '"' if _QUOTED.search(value) else value
