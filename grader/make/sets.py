"""Makes instances into a folder: in parallel, resumable, the same bytes each time.

Each instance is written beside the others under another name and then renamed, so that one that is there is whole,
whatever stopped the command.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol, TypeVar

from grader.make.errors import MakeError, MakeIncompleteError
from grader.make.training import write_training
from grader.output.files import naming
from grader.output.progress import progress_of
from puzzles.amaze.instances import RECIPE_NAME, Look, plan_instance, write_instance
from puzzles.amaze.recipes import Recipe

INSTANCES_NAME = "instances"
_PART_PREFIX = ".making-"
_CHUNK = 4


class Makeable(Protocol):
    """An instance that can be made: what all kinds have in common."""

    @property
    def name(self) -> str:
        """The name of its folder."""

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files that a whole instance has."""

    @property
    def text(self) -> str:
        """The content of ``recipe.json``: two instances with the same one are the same."""

    @property
    def shrunk(self) -> bool:
        """Whether it is smaller than asked for."""


_Item = TypeVar("_Item", bound=Makeable)


@dataclass(frozen=True)
class MakeReport:
    """What was done.

    Attributes
    ----------
    instances : folder of the instances
    made : instances that were made
    kept : instances that were there already
    shrunk : instances whose cells are smaller than asked for, because their picture would have been too large
    training : the list for training and its number of lines, where one was asked for
    """

    instances: Path
    made: int
    kept: int
    shrunk: int
    training: tuple[Path, int] | None


def make_instances(
    out: Path,
    recipes: Sequence[Recipe],
    look: Look,
    *,
    jobs: int = 1,
    training: bool = False,
    progress: bool = True,
) -> MakeReport:
    """Makes mazes and boards as ``out/instances/<name>/``, as `make_planned` says, in a folder that can be imported.

    MakeError too if a look or size is impossible.
    """
    try:
        planned = [plan_instance(recipe, look) for recipe in recipes]
    except ValueError as error:
        raise MakeError(str(error)) from None
    return make_planned(out, planned, write_instance, jobs=jobs, training=training, progress=progress)


def make_planned(
    out: Path,
    planned: Sequence[_Item],
    write: Callable[[Path, _Item], None],
    *,
    jobs: int = 1,
    training: bool = False,
    progress: bool = True,
) -> MakeReport:
    """Makes instances as ``out/instances/<name>/``; those that are there already, made in the same way, are kept.

    Parameters
    ----------
    out : Path
        Is made where it is not there.
    planned : sequence of Makeable
        What to make; each once.
    write : callable
        Writes one into a folder, which it makes, with ``recipe.json`` last. A function of a module, for processes.
    jobs : int
        Processes, at least 1; they change nothing in what is made.
    training : bool
        Whether to write ``out/train.jsonl`` too: a line for every instance in ``out`` that was made by this command.
    progress : bool
        Whether to show on stderr how far it is.

    Returns
    -------
    MakeReport

    Raises
    ------
    MakeError
        If a folder of an instance's name is there and was made in another way.
    MakeIncompleteError
        If a process died.
    OSError
        If the folder can't be written.
    """
    instances = out / INSTANCES_NAME
    instances.mkdir(parents=True, exist_ok=True)
    _remove_left_overs(out)
    left = [instance for instance in planned if not _is_whole(instances / instance.name, instance)]
    with _part_folder(out) as parts:
        make = partial(_make, parts, instances, write)
        kept = len(planned) - len(left)
        with progress_of("make", len(planned), "puzzle", show=progress, initial=kept) as bar:
            for _ in map(make, left) if jobs == 1 or len(left) < 2 else _in_parallel(make, left, jobs):
                bar.update()
    return MakeReport(
        instances=instances,
        made=len(left),
        kept=kept,
        shrunk=sum(instance.shrunk for instance in planned),
        training=write_training(out, instances) if training else None,
    )


def _in_parallel(make: partial[None], left: Sequence[Makeable], jobs: int) -> Iterator[None]:
    pool = ProcessPoolExecutor(
        min(jobs, len(left)), mp_context=get_context("spawn"), initializer=_leave_interrupts_to_the_parent
    )
    try:
        yield from pool.map(make, left, chunksize=_CHUNK)
    except BrokenProcessPool:
        raise MakeIncompleteError(
            "a process that makes puzzles died, perhaps for want of memory; run the same command again with fewer "
            "--jobs, and it goes on"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _make(parts: Path, instances: Path, write: Callable[[Path, _Item], None], instance: _Item) -> None:
    """Makes one instance beside its place, then moves it there."""
    name = instance.name
    part, place = parts / name, instances / name
    with naming(place):
        write(part, instance)
        if place.exists():  # ours, with a file missing; see _is_whole
            shutil.rmtree(place)
        part.rename(place)


def _is_whole(place: Path, instance: Makeable) -> bool:
    """Whether an instance is there; False also for one of which files are missing.

    Raises
    ------
    MakeError
        If what is there was made in another way.
    """
    if not place.exists():
        return False
    try:
        text = (place / RECIPE_NAME).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
        raise MakeError(f"{place} is there and was not made by this command; give another --out") from None
    if text != instance.text:
        raise MakeError(
            f"{place} is there and was made with another style, size or other option, or by another version; give "
            "another --out, or the same options as then"
        )
    return all((place / name).is_file() for name in instance.files)


@contextlib.contextmanager
def _part_folder(out: Path) -> Iterator[Path]:
    """A folder of this process for what is not yet whole."""
    parts = out / f"{_PART_PREFIX}{os.getpid()}"
    parts.mkdir()
    try:
        yield parts
    finally:
        shutil.rmtree(parts, ignore_errors=True)


def _remove_left_overs(out: Path) -> None:
    """Removes what killed processes left behind; that of living ones stays."""
    for part in out.glob(f"{_PART_PREFIX}*"):
        owner = part.name.removeprefix(_PART_PREFIX)
        if owner.isdecimal() and (int(owner) == os.getpid() or not Path(f"/proc/{owner}").exists()):
            shutil.rmtree(part, ignore_errors=True)
