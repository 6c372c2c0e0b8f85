"""Settings with the changes that a profile's file asks for. Every wrong field is named, with its whole path."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

from grader.model.json_fields import parse_json, shown
from grader.profiles.ranges import range_of

_MOST_MEANT = 3


class JsonSettings(dict[str, Any]):
    """An object of a profile's file, which knows the names that it gives twice."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(name for name, _ in pairs)
        self.repeated = [name for name, count in counts.items() if count > 1]


def parse(text: bytes) -> Any:
    """What a profile's file says; ValueError where it is no JSON."""
    return parse_json(text, make_object=JsonSettings)


def said_twice(said: Any, path: str = "") -> list[str]:
    """A fault for each name that an object gives twice; JSON would take the last without a word."""
    repeated = said.repeated if isinstance(said, JsonSettings) else []
    return [f"{path}.{name}: is said twice".lstrip(".") for name in repeated]


def changed(settings: Any, said: Any, path: str, faults: list[str]) -> Any:
    """Settings of a task with what a profile says of them.

    Parameters
    ----------
    settings : dataclass
        What the profile departs from.
    said : object
        The task's part of the file.
    path : str
        The task's name.
    faults : list of str
        Gets what is wrong, for each field with its path.
    """
    return _changed(settings, type(settings)(), said, path, faults, lambda: paths_of(settings, path))


def unknown(path: str, near: Iterable[str], everything: Iterable[str]) -> str:
    """What to say of a setting that does not exist: that, and which may be meant.

    Parameters
    ----------
    path : str
        What was asked for.
    near : iterable of str
        What there is at its place, of which that with nearly its name may be meant.
    everything : iterable of str
        Paths of settings anywhere, of which those with its last name may be meant too.
    """
    last = path.rpartition(".")[2]
    by_name: dict[str, list[str]] = {}
    for one in everything:
        by_name.setdefault(one.rpartition(".")[2], []).append(one)
    meant = by_name.get(last, [])
    if not meant:
        here = {one.rpartition(".")[2]: one for one in near}
        meant = [here[name] for name in difflib.get_close_matches(last, list(here), 1)]
    # A name that is only nearly like one in another part means something else there.
    if not meant:
        return "there is no such setting"
    meant = sorted(meant, key=lambda one: -difflib.SequenceMatcher(None, path, one).ratio())[:_MOST_MEANT]
    return f"there is no such setting; did you mean {' or '.join(meant)}?"


def paths_of(settings: Any, path: str) -> tuple[str, ...]:
    """The paths of all settings, and of the groups that they stand in."""
    return tuple(_paths(settings, path))


def _paths(settings: Any, path: str) -> Iterator[str]:
    for one in fields(settings):
        here = f"{path}.{one.name}"
        yield here
        if is_dataclass(getattr(settings, one.name)):
            yield from _paths(getattr(settings, one.name), here)


def in_a_line(message: str) -> str:
    """A message as it goes on within a line; the values that it names keep their letters."""
    return message[:1].lower() + message[1:]


def _changed(
    settings: Any, default: Any, said: Any, path: str, faults: list[str], everything: Callable[[], Iterable[str]]
) -> Any:
    if not isinstance(said, dict):
        faults.append(f"{path}: must be an object with settings, not {shown(said)}")
        return settings
    faults += said_twice(said, path)
    hints = get_type_hints(type(settings))
    known = [one.name for one in fields(settings)]
    changes: dict[str, Any] = {}
    for name, value in said.items():
        here = f"{path}.{name}"
        if name not in known:
            faults.append(f"{here}: {unknown(here, [f'{path}.{one}' for one in known], everything())}")
        elif is_dataclass(getattr(settings, name)):
            before = getattr(settings, name)
            changes[name] = _changed(before, getattr(default, name), value, here, faults, everything)
        else:
            try:
                adapter: TypeAdapter[Any] = TypeAdapter(hints[name], config=ConfigDict(allow_inf_nan=False))
                taken = adapter.validate_json(json.dumps(value), strict=True)
            except ValidationError as error:
                faults.extend(f"{here}: {in_a_line(wrong['msg'])}, not {shown(value)}" for wrong in error.errors()[:1])
                continue
            fault = range_of(type(settings), name, getattr(default, name)).fault(taken)
            if fault is None:
                changes[name] = taken
            else:
                faults.append(f"{here}: {fault}")
    try:
        return replace(settings, **changes)
    except ValueError as error:
        faults.append(f"{path}: {error}")
        return settings
