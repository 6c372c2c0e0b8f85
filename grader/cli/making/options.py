"""What the commands of ``grader make`` have in common: options, and how numbers are read. Imported late where heavy."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from grader.model.errors import GraderError

Item = TypeVar("Item")

_COUNT = 10
_MAX_COUNT = 1_000_000

Out = Annotated[Path, typer.Option(help="Folder to write to; it gets a folder instances/NAME for each.")]
Count = Annotated[int | None, typer.Option(min=1, max=_MAX_COUNT, help="Puzzles of each kind [default: 10].")]
Seed = Annotated[
    int | None, typer.Option(min=0, help="Seed of the first of each kind; the next has the next [default: 0].")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "--workers", min=1, help="Processes; the result is the same [default: one for each CPU]."),
]
Training = Annotated[bool, typer.Option("--training", help="Write train.jsonl too: a line for each instance in --out.")]


def once(items: Sequence[Item]) -> list[Item]:
    """What was given, each once, in order."""
    return list(dict.fromkeys(items))


def numbers(option: str, text: str, least: int, most: int) -> list[int]:
    """Reads ``5``, ``3-16`` or ``3,8,16``; ascending, each once.

    Raises
    ------
    GraderError
        If it is something else, or out of range.
    """
    found: set[int] = set()
    for part in text.split(","):
        ends = re.fullmatch(r"\s*([0-9]{1,6})\s*(?:-\s*([0-9]{1,6})\s*)?", part)
        if ends is None:
            raise GraderError(f"{option} {text!r} is no list of numbers; give such as {least} or {least}-{most}")
        first, last = int(ends[1]), int(ends[2] or ends[1])
        if not least <= first <= last <= most:
            raise GraderError(f"{option} {part.strip()!r} is out of range; give {least} to {most}, the smaller first")
        found.update(range(first, last + 1))
    return sorted(found)


def seeds(first: int | None, count: int | None) -> range:
    """The seeds of ``--seed`` and ``--count``; GraderError if the last is out of range."""
    from puzzles.amaze.recipes import MAX_SEED

    start, many = first or 0, _COUNT if count is None else count
    if start + many - 1 > MAX_SEED:
        raise GraderError(f"--seed {start} with --count {many} ends at {start + many - 1}; the last seed is {MAX_SEED}")
    return range(start, start + many)


def processes(jobs: int | None) -> int:
    """The number of processes of ``--jobs``."""
    return len(os.sched_getaffinity(0)) if jobs is None else jobs
