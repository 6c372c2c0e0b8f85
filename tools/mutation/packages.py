"""What belongs together: the files of a task that are mutated, and the tests that have to tell."""

from __future__ import annotations

import hashlib
import subprocess
from dataclasses import dataclass
from pathlib import Path

SOURCES = ("detectors", "grader/tasks")
# Declarations, words and drawings: none of them decides a verdict.
UNDECIDED = frozenset({"__init__.py", "overlay.py", "wire.py", "reasons.py", "registry.py", "base.py"})
COMMON_TESTS = "tests/common"
# Steps and answers in words are judged alike for plans of both tasks, and tested in one place.
MORE_TESTS = {"rush_hour": ("tests/plans",), "sliding": ("tests/plans",)}


@dataclass(frozen=True)
class Package:
    """The files of one task that decide verdicts, and the folders of its tests."""

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]


def tracked(root: Path) -> list[str]:
    """The files of a checkout, also those that are new; not those that git ignores."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, check=True, capture_output=True).stdout.decode().split("\0")
    return sorted({name for name in listed if name and (root / name).is_file()})


def packages(root: Path, files: list[str]) -> list[Package]:
    """Finds the packages of a tree: one for each name of a folder below ``detectors`` and ``grader/tasks``."""
    found: dict[str, list[str]] = {}
    for file in files:
        for source in SOURCES:
            inside = file.removeprefix(f"{source}/").split("/")
            if (
                file.startswith(f"{source}/")
                and len(inside) > 1
                and file.endswith(".py")
                and inside[-1] not in UNDECIDED
            ):
                found.setdefault(inside[0], []).append(file)
    result = []
    for name, sources in sorted(found.items()):
        tests = dict.fromkeys([f"tests/{name}", COMMON_TESTS, *MORE_TESTS.get(name, ())])
        result.append(Package(name, tuple(sources), tuple(f"{test}/" for test in tests if (root / test).is_dir())))
    return result


def digest(root: Path, files: list[str]) -> str:
    """A digest of names and contents."""
    total = hashlib.sha256()
    for file in files:
        total.update(f"{file}\0{hashlib.sha256((root / file).read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()[:16]
