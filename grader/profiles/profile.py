"""Named, immutable settings. A verdict carries the name of its profile and the digest of its task's settings in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from grader.model.errors import GraderError
from grader.model.jobs import DEFAULT_PROFILE
from grader.model.json_fields import canonical_digest
from grader.profiles.calibrated import FittedCalibration
from grader.tasks.common.spec import AnyTask, InputT, PuzzleT, SettingsT, TaskSpec


class ProfileError(GraderError):
    """A profile that can't be used; the message names the file and each wrong field."""


@dataclass(frozen=True)
class Profile:
    """One set of settings. A profile's file states where it departs from the defaults that stand in the code.

    Attributes
    ----------
    name : what a request calls it by
    description : what it is for
    settings : of each task, by the task's name
    calibration : what was fitted to people's labels, if anything was
    """

    name: str
    description: str
    settings: Mapping[str, Any]
    calibration: FittedCalibration | None = None

    def settings_of(self, task: TaskSpec[InputT, PuzzleT, SettingsT]) -> SettingsT:
        """The settings of a task."""
        found = self.settings[task.name]
        if not isinstance(found, task.settings_type):
            raise TypeError(f"settings of {task.name} are no {task.settings_type.__name__}")
        return found

    def digest_of(self, task: AnyTask) -> str:
        """SHA-256, hex, of a task's settings as canonical JSON, with what was fitted for it; no other task counts."""
        return self._digests[task.name]

    @cached_property
    def _digests(self) -> dict[str, str]:
        return {name: canonical_digest(self._said(name)) for name in self.settings}

    def _said(self, task: str) -> dict[str, Any]:
        settings = plain(self.settings[task])
        fitted = self.calibration
        return settings if fitted is None or task not in fitted.tasks else {**settings, "calibration": fitted.content}

    @cached_property
    def digest(self) -> str:
        """SHA-256, hex, of all settings as canonical JSON."""
        return canonical_digest({name: self._said(name) for name in self.settings})


@dataclass(frozen=True)
class ProfileSet:
    """The profiles that a grader knows, the default one first."""

    profiles: tuple[Profile, ...]

    def __iter__(self) -> Iterator[Profile]:
        return iter(self.profiles)

    @property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(profile.name for profile in self.profiles)

    def find(self, name: str) -> Profile | None:
        """The profile of a name, the default one for an empty name, or None."""
        return next((one for one in self.profiles if one.name == (name or DEFAULT_PROFILE)), None)


def plain(settings: Any) -> dict[str, Any]:
    """Settings as what JSON knows: objects, lists, texts, numbers."""
    made: dict[str, Any] = json.loads(json.dumps(asdict(settings), default=lambda member: member.value))
    return made


def flat(settings: Any) -> dict[str, Any]:
    """Settings by the path of each field, such as ``ink.min_chroma``."""
    return dict(_flat(plain(settings), ""))


def _flat(said: Mapping[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    for name, value in said.items():
        here = f"{path}.{name}" if path else name
        if isinstance(value, dict):
            yield from _flat(value, here)
        else:
            yield here, value
