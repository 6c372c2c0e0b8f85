"""Reads profiles: the package's own, and those in a folder of the user's. Every wrong field is named."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any

from grader import __version__
from grader.model.jobs import DEFAULT_PROFILE
from grader.model.json_fields import canonical_digest, shown
from grader.profiles.calibrated import FittedCalibration, misfit, read_calibration
from grader.profiles.changes import changed, parse, paths_of, said_twice, unknown
from grader.profiles.profile import Profile, ProfileError, ProfileSet, plain
from grader.tasks.registry import list_tasks

PROFILES_VARIABLE = "GRADER_PROFILES"
"""The environment variable that names a folder of the user's own profiles."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_OWN_FIELDS = ("name", "description", "extends", "calibration")
_MOST_FAULTS = 20


@cache
def package_profiles() -> ProfileSet:
    """The profiles that come with this package."""
    entries = [entry for entry in resources.files(__package__).iterdir() if entry.name.endswith(".json")]
    return _read_all({entry.name: entry.read_bytes() for entry in entries}, ProfileSet(()))


def load_profiles(folder: str | PathLike[str] | None = None) -> ProfileSet:
    """The package's profiles, and those of a folder.

    Parameters
    ----------
    folder : path, optional
        Holds one JSON file for each profile.

    Raises
    ------
    ProfileError
        If the folder can't be read, or holds files that are no profiles, with a line for each of them.
    """
    known = package_profiles()
    if folder is None:
        return known
    texts = {str(path): _bytes_of(path) for path in sorted(Path(folder).glob("*.json"))}
    if not texts:
        raise ProfileError(f"{folder}: there is no profile in this folder; a profile is a file NAME.json")
    return ProfileSet((*known.profiles, *_read_all(texts, known).profiles))


@dataclass(frozen=True)
class CheckedFile:
    """What a file turned out to be.

    Attributes
    ----------
    file : as it was asked for
    profile : None where it is no profile
    fault : then, what is wrong with it, a line for each field
    """

    file: Path
    profile: Profile | None
    fault: str = ""


def check_files(files: Iterable[Path]) -> tuple[CheckedFile, ...]:
    """Says of each file whether it is a profile. It may extend the others, and those that lie beside it."""
    wanted = {path.resolve(): path for path in reversed(list(files))}
    asked = list(reversed(wanted.values()))
    beside = [path for one in asked for path in sorted(one.parent.glob("*.json")) if path.resolve() not in wanted]
    texts: dict[str, bytes] = {}
    faults: dict[Path, str] = {}
    for path in (*asked, *beside):
        try:
            texts[str(path)] = _bytes_of(path)
        except ProfileError as error:
            faults[path] = str(error)
    reader = _Files(texts, package_profiles())
    checked = []
    for path in asked:
        try:
            fault = faults.get(path, "")
            checked.append(CheckedFile(path, None if fault else reader.read(str(path)), fault))
        except ProfileError as error:
            checked.append(CheckedFile(path, None, str(error)))
    return tuple(checked)


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
    return _Files({file: text}, known).read(file)


class _FaultsError(ProfileError):
    """A file that is no profile, with every wrong field."""

    def __init__(self, file: str, faults: Sequence[str]) -> None:
        more = f"\n  and {len(faults) - _MOST_FAULTS} more" if len(faults) > _MOST_FAULTS else ""
        super().__init__(f"{file} is no profile:\n  " + "\n  ".join(faults[:_MOST_FAULTS]) + more)
        self._file, self._faults = file, faults

    def in_short(self) -> str:
        """One line: the first wrong field, and how to see the others."""
        others = len(self._faults) - 1
        more = f" (and {others} more; `grader profile check` names them)" if others else ""
        return f"{self._file} is no profile: {self._faults[0]}{more}"


def _every_path() -> list[str]:
    return [path for task in list_tasks() for path in paths_of(task.settings_type(), task.name)]


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ProfileError(f"{path}: {error.strerror}") from error


def _read_all(texts: Mapping[str, bytes], known: ProfileSet) -> ProfileSet:
    """The profiles of all files; what is wrong is told in a line for each file."""
    reader = _Files(texts, known)
    found: list[Profile] = []
    faults: list[str] = []
    for file in texts:
        try:
            found.append(reader.read(file))
        except _FaultsError as error:
            faults.append(error.in_short())
        except ProfileError as error:
            faults.append(str(error))
    if faults:
        raise ProfileError("\n".join(faults))
    return ProfileSet(tuple(sorted(found, key=lambda profile: (profile.name != DEFAULT_PROFILE, profile.name))))


class _Files:
    """Files of profiles that may extend each other, whatever the order; each is read when it is asked for.

    Parameters
    ----------
    texts : mapping
        By what messages call the files. Of two with one name the first has it.
    known : ProfileSet
        Profiles that they may extend too, and whose names they can't take.
    """

    def __init__(self, texts: Mapping[str, bytes], known: ProfileSet) -> None:
        self._known = known
        self._said: dict[str, dict[str, Any]] = {}
        self._broken: dict[str, ProfileError] = {}
        self._by_name: dict[str, str] = {}
        self._read: dict[str, Profile] = {}
        for file, text in texts.items():
            try:
                said = self._said[file] = _object(text, file)
            except ProfileError as error:
                self._broken[file] = error
                continue
            if isinstance(said.get("name"), str):
                self._by_name.setdefault(said["name"], file)

    def read(self, file: str) -> Profile:
        """The profile of a file; ProfileError where it is none."""
        if file not in self._read:
            self._read[file] = self._make(file)
        return self._read[file]

    def _make(self, file: str) -> Profile:
        if file in self._broken:
            raise self._broken[file]
        said = self._said[file]
        faults = said_twice(said)
        name, description = said.get("name"), said.get("description")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            faults.append(f"name: give 1 to 64 letters, digits, '_', '.', '-', not {shown(name)}")
        elif name in self._known.names or self._by_name[name] != file:
            faults.append(f"name: there is a profile {name!r} already; give it another name")
        if not isinstance(description, str) or not description.strip():
            faults.append("description: say in a sentence what the profile is for")
        base = self._base(file, faults) if "extends" in said else None
        tasks = {task.name: task for task in list_tasks()}
        names = (*tasks, *_OWN_FIELDS)
        faults += [f"{key}: {unknown(key, names, _every_path())}" for key in said if key not in names]
        settings: dict[str, Any] = {}
        for task in tasks.values():
            start = task.settings_type() if base is None else base.settings_of(task)
            settings[task.name] = changed(start, said.get(task.name, {}), task.name, faults)
        calibration = self._calibration(said, settings, faults) if "calibration" in said else None
        if faults:
            raise _FaultsError(file, faults)
        return Profile(str(name), str(description), settings, calibration)

    def _calibration(
        self, said: dict[str, Any], settings: Mapping[str, Any], faults: list[str]
    ) -> FittedCalibration | None:
        found = read_calibration(said, faults)
        if found is not None and not faults:
            digests = {task: canonical_digest(plain(one)) for task, one in settings.items()}
            why = misfit(found, str(said["name"]), __version__, digests)
            faults += [why] if why else []
        return found

    def _base(self, file: str, faults: list[str]) -> Profile | None:
        """The profile that one extends, or None with what is wrong."""
        name = self._extended(file)
        found = self._known.find(name) if name else None
        if found is not None:
            return found
        if name in self._by_name and "calibration" in self._said[self._by_name[name]]:
            faults.append(f"extends: {name} is fitted to people's labels, which say nothing of other settings")
            return None
        if name not in self._by_name:
            others = (other for other, at in self._by_name.items() if at != file)
            names = ", ".join(dict.fromkeys((*self._known.names, *others)))
            faults.append(f"extends: there is no profile {shown(self._said[file]['extends'])}; there are: {names}")
            return None
        circle = self._circle(file)
        if circle:
            names = " and ".join(circle)
            faults.append(f"extends: {names} extend each other" if len(circle) > 1 else "extends: it extends itself")
            return None
        other = self._by_name[name]
        try:
            return self.read(other)
        except ProfileError:
            faults.append(f"extends: {name} is no profile; see `grader profile check {other}`")
            return None

    def _extended(self, file: str) -> str:
        extends = self._said[file].get("extends")
        return extends if isinstance(extends, str) else ""

    def _circle(self, file: str) -> list[str]:
        """The names of those that extend each other in a circle, from a file on; empty where that is in none."""
        names: list[str] = []
        at, passed = file, set()
        while at not in passed:
            passed.add(at)
            name = self._extended(at)
            names.append(name)
            if name in self._known.names or name not in self._by_name:
                return []
            at = self._by_name[name]
        return [names[-1], *names[:-1]] if at == file else []


def _object(text: bytes, file: str) -> dict[str, Any]:
    try:
        said = parse(text)
    except ValueError as error:
        raise ProfileError(f"{file} is no JSON: {error}") from error
    if not isinstance(said, dict):
        raise ProfileError(f"{file} is no profile: it must be a JSON object, not {shown(said)}")
    return said
