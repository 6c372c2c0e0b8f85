"""Takes typed fields out of JSON records, with errors that name the file and the field."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

Built = TypeVar("Built")

_SHOWN = 60
_MARK = "\ufeff"
_SURROGATE = re.compile("[\ud800-\udfff]|\\\\u[dD][89a-fA-F]")
"""A surrogate, or how one is escaped; whether it is half of a pair is looked at where there is any."""


@dataclass(frozen=True)
class JsonObject:
    """An object within a JSON record.

    Attributes
    ----------
    content
        Its fields, as `json` gives them.
    file
        What messages call the record.
    path
        The object's place in the record, such as ``board.exits[0]``; empty for the record itself.

    Notes
    -----
    Each method that takes a field raises ValueError if it is absent or of another kind.
    """

    content: dict[str, object]
    file: str
    path: str = ""

    def fault(self, field: str, message: str) -> ValueError:
        """Return the error that says what is wrong with a field; an empty name means the object itself."""
        place = ".".join(part for part in (self.path, field) if part) or "the record"
        return ValueError(f"{self.file}: {place} {message}")

    def has(self, field: str) -> bool:
        """Whether a field is there."""
        return field in self.content

    def number(self, field: str) -> float:
        """Return a finite number."""
        value = self._get(field)
        # A whole number beyond all floats is none either; comparing it needs no conversion.
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
            raise self.fault(field, f"must be a finite number, not {shown(value)}")
        return float(value)

    def whole(self, field: str) -> int:
        """Return a whole number."""
        value = self._get(field)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.fault(field, f"must be a whole number, not {shown(value)}")
        return value

    def text(self, field: str) -> str:
        """Return a text."""
        value = self._get(field)
        if not isinstance(value, str):
            raise self.fault(field, f"must be a text, not {shown(value)}")
        return value

    def whole_or_text(self, field: str) -> int | str:
        """Return a whole number or a text."""
        return self.text(field) if isinstance(self._get(field), str) else self.whole(field)

    def flag(self, field: str) -> bool:
        """Return true or false."""
        value = self._get(field)
        if not isinstance(value, bool):
            raise self.fault(field, f"must be true or false, not {shown(value)}")
        return value

    def items(self, field: str) -> list[object]:
        """Return a list of anything."""
        value = self._get(field)
        if not isinstance(value, list):
            raise self.fault(field, f"must be a list, not {shown(value)}")
        return value

    def pair(self, field: str) -> tuple[float, float]:
        """Return a list of two finite numbers."""
        values = self.items(field)
        entries = JsonObject({f"{field}[{place}]": value for place, value in enumerate(values)}, self.file, self.path)
        if len(values) != 2:
            raise self.fault(field, f"must be two numbers, not {len(values)}")
        return entries.number(f"{field}[0]"), entries.number(f"{field}[1]")

    def child(self, field: str) -> JsonObject:
        """Return an object."""
        return self._object(self._get(field), field)

    def children(self, field: str) -> tuple[JsonObject, ...]:
        """Return a list of objects."""
        return tuple(self._object(value, f"{field}[{place}]") for place, value in enumerate(self.items(field)))

    def build(self, make: Callable[..., Built], *arguments: object) -> Built:
        """Return ``make(*arguments)``; its ValueError gets the file and the object's place in front."""
        try:
            return make(*arguments)
        except ValueError as error:
            raise self.fault("", f"is wrong: {error}") from error

    def _get(self, field: str) -> object:
        if field not in self.content:
            raise self.fault(field, "is missing")
        return self.content[field]

    def _object(self, value: object, field: str) -> JsonObject:
        if not isinstance(value, dict):
            raise self.fault(field, f"must be an object, not {shown(value)}")
        return JsonObject(value, self.file, f"{self.path}.{field}" if self.path else field)


def parse_json(
    data: bytes | str,
    *,
    strict: bool = True,
    lone_surrogates: bool = False,
    make_object: Callable[[list[tuple[str, Any]]], Any] | None = None,
) -> Any:
    """Return what JSON, in UTF-8 where it is bytes, holds; the one reader of JSON that others wrote.

    A byte order mark before it, as editors on Windows write one, is passed over.

    Parameters
    ----------
    data : bytes or str
    strict : bool
        Whether control characters within texts are faults.
    lone_surrogates : bool
        Whether halves of surrogate pairs are taken, for texts that are only compared, or are mended before they are
        written.
    make_object : function, optional
        Makes an object of its names and values, of which a dict keeps one of those that have the same name.

    Raises
    ------
    ValueError
        If it is not UTF-8 or no JSON; if it nests too deeply or has too long a number; or if a text of it holds half of
        a surrogate pair, which could be written to no file.
    """
    try:
        text = (data if isinstance(data, str) else data.decode("utf-8")).removeprefix(_MARK)
        content = json.loads(text, strict=strict, object_pairs_hook=make_object)
        if not lone_surrogates and _SURROGATE.search(text):
            json.dumps(content, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"a text holds half a surrogate pair, {error.object[error.start]!a}") from error
    except RecursionError as error:
        raise ValueError("it nests too deeply") from error
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except ValueError as error:  # Python's own words tell how to take its limit off
        raise ValueError(f"a number has more than {sys.get_int_max_str_digits()} digits") from error
    return content


def is_blank(line: bytes) -> bool:
    """Whether a line of JSON Lines holds nothing: a byte order mark alone is nothing too."""
    return not line.removeprefix(_MARK.encode()).strip()


def load_object(data: bytes, file: str, *, lone_surrogates: bool = False) -> JsonObject:
    """Return the object that JSON in UTF-8 holds; ValueError naming the file if it holds none (see `parse_json`)."""
    try:
        content = parse_json(data, lone_surrogates=lone_surrogates)
    except ValueError as error:
        raise ValueError(f"{file}: is not JSON in UTF-8: {error}") from error
    if isinstance(content, dict):
        return JsonObject(content, file)
    raise ValueError(f"{file}: must hold an object, not {type(content).__name__}")


def canonical_digest(content: object) -> str:
    """SHA-256, hex, of what JSON knows, whatever the order of names and however it is laid out."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def shown(value: object) -> str:
    """Return a JSON value as messages show it, cut where it is long."""
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
