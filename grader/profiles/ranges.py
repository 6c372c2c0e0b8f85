"""The ranges that settings must lie in. They are taken from the default, and from what a class says of its fields."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

_ENTRY = re.compile(r"([a-z]\w*(?:, [a-z]\w*)*) : (.*)")
"""How the part ``Attributes`` of a docstring names one field or several; what follows, indented, goes on with it."""
_FROM_TO = re.compile(r"\b(\d+(?:\.\d+)?) to (\d+(?:\.\d+)?)(?![\w.]*\d)")
_UP_TO_ONE = re.compile(r"\bshares?\b|\bOKLab\b")
"""What is called a share is 0 to 1, and so are lightness, chroma and distances in OKLab."""


@dataclass(frozen=True)
class Range:
    """The numbers that a setting may be.

    Attributes
    ----------
    least, most : both are allowed; None where there is no such bound
    """

    least: float | None = None
    most: float | None = None

    def fault(self, value: object) -> str | None:
        """What is wrong with a number, or with one in a list of numbers; None where nothing is."""
        for one in value if isinstance(value, tuple | list) else (value,):
            if not isinstance(one, int | float) or isinstance(one, bool):
                continue
            if (self.least is not None and one < self.least) or (self.most is not None and one > self.most):
                return f"must be {self._said()}, not {one:g}"
        return None

    def _said(self) -> str:
        if self.most is None:
            return f"at least {self.least:g}"
        return f"{self.least:g} to {self.most:g}"


def range_of(settings: type, name: str, default: object) -> Range:
    """The range of a field, which its default always lies in.

    Parameters
    ----------
    settings : type
        The class of settings that has the field.
    name : str
        The field.
    default : object
        A number, or a list of numbers, has a range; what else there is has none.
    """
    numbers: list[Any] = list(default) if isinstance(default, tuple | list) else [default]
    if not numbers or any(isinstance(one, bool) or not isinstance(one, int | float) for one in numbers):
        return Range()
    if min(numbers) < 0:
        return Range()
    meaning = _meanings(settings).get(name, "")
    said = _FROM_TO.findall(meaning)
    bounds = [(float(least), float(most)) for least, most in said] or (
        [(0.0, 1.0)] if _UP_TO_ONE.search(meaning) else []
    )
    if len(bounds) == 1 and bounds[0][0] <= min(numbers) and max(numbers) <= bounds[0][1]:
        return Range(*bounds[0])
    return Range(1.0 if all(isinstance(one, int) for one in numbers) and min(numbers) >= 1 else 0.0)


@cache
def _meanings(settings: type) -> dict[str, str]:
    """What a class says of each of its fields."""
    found: dict[str, str] = {}
    names: list[str] = []
    for line in inspect.cleandoc(settings.__doc__ or "").partition("Attributes\n")[2].splitlines():
        entry = _ENTRY.fullmatch(line)
        if entry is not None:
            names = entry[1].split(", ")
        for name in names:
            found[name] = f"{found.get(name, '')} {entry[2] if entry is not None else line}".strip()
    return found
