"""Reads profiles: the package's own, and those in a folder of the user's. Every wrong field is named."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

from grader.model.jobs import DEFAULT_PROFILE
from grader.model.json_fields import parse_json, shown
from grader.profiles.profile import Profile, ProfileError, ProfileSet
from grader.tasks.registry import list_tasks

PROFILES_VARIABLE = "GRADER_PROFILES"
"""The environment variable that names a folder of the user's own profiles."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_OWN_FIELDS = ("name", "description", "extends")
_MOST_FAULTS = 20


@cache
def package_profiles() -> ProfileSet:
    """The profiles that come with this package."""
    entries = [entry for entry in resources.files(__package__).iterdir() if entry.name.endswith(".json")]
    return _read_all([(entry.name, entry.read_bytes()) for entry in entries], ProfileSet(()))


def load_profiles(folder: str | PathLike[str] | None = None) -> ProfileSet:
    """The package's profiles, and those of a folder.

    Parameters
    ----------
    folder : path, optional
        Holds one JSON file for each profile.

    Raises
    ------
    ProfileError
        If the folder can't be read, or holds a file that is no profile, with every wrong field.
    """
    known = package_profiles()
    if folder is None:
        return known
    try:
        files = [(str(path), path.read_bytes()) for path in sorted(Path(folder).glob("*.json"))]
    except OSError as error:
        raise ProfileError(f"{error.filename or folder}: {error.strerror}") from error
    if not files:
        raise ProfileError(f"{folder}: there is no profile in this folder; a profile is a file NAME.json")
    own = _read_all(files, known)
    return ProfileSet((*known.profiles, *own.profiles))


def check_files(files: Sequence[Path]) -> tuple[Profile, ...]:
    """The profiles of files, which may extend each other and those beside them.

    Raises
    ------
    ProfileError
        If one can't be read or is no profile, with every wrong field of the first such file.
    """
    wanted = {path.resolve() for path in files}
    beside = {path.resolve() for one in wanted for path in one.parent.glob("*.json")}
    texts: dict[Path, bytes] = {}
    for path in sorted(wanted | beside):
        try:
            texts[path] = path.read_bytes()
        except OSError as error:
            raise ProfileError(f"{path}: {error.strerror}") from error
    needed = [path for path in texts if path in wanted or _is_named(texts[path], [texts[one] for one in wanted])]
    return _read_all([(str(path), texts[path]) for path in needed], package_profiles()).profiles


def _is_named(text: bytes, others: Iterable[bytes]) -> bool:
    """Whether one of the other profiles extends this one; what is no JSON object is told elsewhere."""
    try:
        name = _object(text, "").get("name")
        return any(_extends(other, "") == name for other in others)
    except ProfileError:
        return False


def profiles_of_environment() -> ProfileSet:
    """The package's profiles, and those of the folder that ``GRADER_PROFILES`` names, if it does."""
    folder = os.environ.get(PROFILES_VARIABLE)
    return load_profiles(Path(folder) if folder else None)


def read_profile(text: bytes, file: str, known: ProfileSet) -> Profile:
    """A profile's JSON file: a name, a description, and for each task the settings that differ.

    Parameters
    ----------
    text : bytes
        JSON. ``extends`` names the profile that it departs from; without it that is the code's defaults.
    file : str
        What messages call it.
    known : ProfileSet
        What ``extends`` may name.

    Raises
    ------
    ProfileError
        With every wrong field.
    """
    faults: list[str] = []
    said = _object(text, file)
    name, description = said.get("name"), said.get("description")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        faults.append(f"name: give 1 to 64 letters, digits, '_', '.', '-', not {shown(name)}")
    if not isinstance(description, str) or not description.strip():
        faults.append("description: say in a sentence what the profile is for")
    base: Profile | None = None
    if "extends" in said:
        base = known.find(said["extends"]) if isinstance(said["extends"], str) and said["extends"] else None
        if base is None:
            faults.append(f"extends: there is no profile {shown(said['extends'])}; there are: {', '.join(known.names)}")
    tasks = {task.name: task for task in list_tasks()}
    faults += [f"{key}: {_unknown(key, (*tasks, *_OWN_FIELDS))}" for key in said if key not in (*tasks, *_OWN_FIELDS)]
    settings: dict[str, Any] = {}
    for task in tasks.values():
        start = task.settings_type() if base is None else base.settings_of(task)
        settings[task.name] = _changed(start, said.get(task.name, {}), task.name, faults)
    if faults:
        more = f"\n  and {len(faults) - _MOST_FAULTS} more" if len(faults) > _MOST_FAULTS else ""
        raise ProfileError(f"{file} is no profile:\n  " + "\n  ".join(faults[:_MOST_FAULTS]) + more)
    return Profile(str(name), str(description), settings)


def _read_all(files: Iterable[tuple[str, bytes]], known: ProfileSet) -> ProfileSet:
    """Profiles of files; one may extend another whatever the order."""
    left = list(files)
    found: list[Profile] = []
    while left:
        names = {*known.names, *(profile.name for profile in found)}
        ready = [(file, text) for file, text in left if _extends(text, file) in (None, *names)]
        # Where nothing is ready, reading it says which name is unknown.
        for file, text in ready or left:
            profile = read_profile(text, file, ProfileSet((*known.profiles, *found)))
            if profile.name in names:
                raise ProfileError(f"{file}: there is a profile {profile.name!r} already; give it another name")
            names.add(profile.name)
            found.append(profile)
        left = [one for one in left if one not in ready]
    return ProfileSet(tuple(sorted(found, key=lambda profile: (profile.name != DEFAULT_PROFILE, profile.name))))


def _object(text: bytes, file: str) -> dict[str, Any]:
    try:
        said = parse_json(text)
    except ValueError as error:
        raise ProfileError(f"{file} is no JSON: {error}") from error
    if not isinstance(said, dict):
        raise ProfileError(f"{file} is no profile: it must be a JSON object, not {shown(said)}")
    return said


def _extends(text: bytes, file: str) -> object:
    return _object(text, file).get("extends")


def _unknown(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), 1)
    return "there is no such setting" + (f"; did you mean {near[0]}?" if near else "")


def _changed(settings: Any, said: Any, path: str, faults: list[str]) -> Any:
    """Settings with what a profile says of them; what is wrong is noted."""
    if not isinstance(said, dict):
        faults.append(f"{path}: must be an object with settings, not {shown(said)}")
        return settings
    hints = get_type_hints(type(settings))
    known = [one.name for one in fields(settings)]
    changes: dict[str, Any] = {}
    for name, value in said.items():
        here = f"{path}.{name}"
        if name not in known:
            faults.append(f"{here}: {_unknown(name, known)}")
        elif is_dataclass(getattr(settings, name)):
            changes[name] = _changed(getattr(settings, name), value, here, faults)
        else:
            try:
                adapter: TypeAdapter[Any] = TypeAdapter(hints[name], config=ConfigDict(allow_inf_nan=False))
                changes[name] = adapter.validate_json(json.dumps(value), strict=True)
            except ValidationError as error:
                faults.extend(f"{here}: {wrong['msg'].lower()}, not {shown(value)}" for wrong in error.errors()[:1])
    try:
        return replace(settings, **changes)
    except ValueError as error:
        faults.append(f"{path}: {error}")
        return settings
