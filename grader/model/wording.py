"""Counts and lists in messages."""

from __future__ import annotations

from collections.abc import Sequence

FEW = 5
"""How many of the things that are wrong a message names."""


def count_of(number: int, one: str, many: str = "") -> str:
    """A count with its word; the word for many is that for one with an s, unless it is said.

    Examples
    --------
    >>> count_of(1, "request"), count_of(2, "request"), count_of(2, "series", "series")
    ('1 request', '2 requests', '2 series')
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def first_few(names: Sequence[object], most: int = FEW) -> str:
    """The first names, and how many more there are.

    Examples
    --------
    >>> first_few(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    shown = ", ".join(map(str, names[:most]))
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
