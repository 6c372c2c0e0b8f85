"""What a shell offers where Tab is pressed. Each press runs this program, so nothing heavy is imported."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import grader

_KEYS = ("id=", "puzzle=", "model=", "task=", "attempt=")


def _folders(place: Path) -> list[str]:
    """Names of packages that declare a task."""
    return sorted(path.parent.name for path in place.glob("*/spec.py") if path.parent.name != "common")


def task_names() -> list[str]:
    """The tasks, by the folders that they live in."""
    return _folders(Path(grader.__file__).parent / "tasks")


def complete_task(incomplete: str) -> list[str]:
    """Tasks that begin so."""
    return [name for name in task_names() if name.startswith(incomplete)]


def complete_profile(incomplete: str) -> list[tuple[str, str]]:
    """Profiles that begin so, with what they are: the package's, and those in the folder of ``GRADER_PROFILES``."""
    own = os.environ.get("GRADER_PROFILES")
    folders = [Path(grader.__file__).parent / "profiles", *([Path(own)] if own else [])]
    found: dict[str, str] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*.json"))):
        # A file that is no profile is told where it is used, and not while somebody types.
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            said = json.loads(path.read_bytes())
            found.setdefault(str(said["name"]), str(said.get("description", "")))
    return [(name, meaning) for name, meaning in found.items() if name.startswith(incomplete)]


def complete_only(incomplete: str) -> list[str]:
    """Keys of ``--only``, and tasks behind ``task=``."""
    offered = [*_KEYS, *(f"task={name}" for name in task_names() if incomplete.startswith("task="))]
    return [text for text in offered if text.startswith(incomplete) and text != incomplete]


def complete_by(incomplete: str) -> list[str]:
    """What ``grader report --by`` always knows; tags are the manifest's."""
    begun, comma, last = incomplete.rpartition(",")
    known = ("model", "run", "attempt", "puzzle", "profile")
    return [f"{begun}{comma}{name}" for name in known if name.startswith(last)]


def complete_device(incomplete: str) -> list[str]:
    """Devices of LPIPS."""
    return [name for name in ("cpu", "cuda", "cuda:0") if name.startswith(incomplete)]
