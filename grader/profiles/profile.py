"""Named, immutable settings. A verdict carries the name of its profile and the digest of its task's settings in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

from pydantic import TypeAdapter

from grader.tasks.common.spec import AnyTask, InputT, PuzzleT, SettingsT, TaskSpec
from grader.tasks.registry import list_tasks


@dataclass(frozen=True)
class Profile:
    """One set of settings. A profile's file states where it departs from the defaults that stand in the code.

    Attributes
    ----------
    name : what a request calls it by
    description : what it is for
    settings : of each task, by the task's name
    """

    name: str
    description: str
    settings: Mapping[str, Any]

    def settings_of(self, task: TaskSpec[InputT, PuzzleT, SettingsT]) -> SettingsT:
        """The settings of a task."""
        found = self.settings[task.name]
        if not isinstance(found, task.settings_type):
            raise TypeError(f"settings of {task.name} are no {task.settings_type.__name__}")
        return found

    def digest_of(self, task: AnyTask) -> str:
        """SHA-256, hex, of a task's settings as canonical JSON; those of other tasks do not count."""
        return self._digests[task.name]

    @cached_property
    def _digests(self) -> dict[str, str]:
        return {name: _digest(asdict(settings)) for name, settings in self.settings.items()}

    @cached_property
    def digest(self) -> str:
        """SHA-256, hex, of all settings as canonical JSON."""
        return _digest({name: asdict(settings) for name, settings in self.settings.items()})


def _digest(settings: Mapping[str, Any]) -> str:
    text = json.dumps(settings, sort_keys=True, separators=(",", ":"), default=lambda member: member.value)
    return hashlib.sha256(text.encode()).hexdigest()


def read_profile(text: bytes) -> Profile:
    """A profile's JSON file: name, description, and of each task the settings that are not the defaults."""
    said = json.loads(text)
    settings = {
        task.name: TypeAdapter(task.settings_type).validate_python(said.get(task.name, {})) for task in list_tasks()
    }
    return Profile(said["name"], said["description"], settings)


@cache
def list_profiles() -> tuple[Profile, ...]:
    """All profiles, the default one first."""
    files = [entry for entry in resources.files(__package__).iterdir() if entry.name.endswith(".json")]
    found = [read_profile(entry.read_bytes()) for entry in files]
    return tuple(sorted(found, key=lambda profile: (profile.name != "default", profile.name)))


def find_profile(name: str) -> Profile | None:
    """The profile of a name, the default one for an empty name, or None."""
    return next((profile for profile in list_profiles() if profile.name == (name or "default")), None)
