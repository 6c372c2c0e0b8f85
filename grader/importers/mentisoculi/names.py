"""What names say in MentisOculi: task, level and puzzle, and which attempt an output is."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from grader.importers.amaze.files import natural


class MentisTask(enum.Enum):
    """A task that can be graded, by the name of its public folder."""

    RUSH_HOUR = "rushhour"
    SLIDING = "sliding-puzzle"
    FORM_BOARD = "form-board"
    HINGE_FOLDING = "hinge-folding"
    PAPER_FOLD = "paper-fold"


_TASKS = {
    "rushhour": MentisTask.RUSH_HOUR,
    "rush-hour": MentisTask.RUSH_HOUR,
    "sliding": MentisTask.SLIDING,
    "sliding-puzzle": MentisTask.SLIDING,
    "form-board": MentisTask.FORM_BOARD,
    "hinge-folding": MentisTask.HINGE_FOLDING,
    "paper-fold": MentisTask.PAPER_FOLD,
}
_FIRST_LETTERS = {
    "r": MentisTask.RUSH_HOUR,
    "s": MentisTask.SLIDING,
    "f": MentisTask.FORM_BOARD,
    "h": MentisTask.HINGE_FOLDING,
    "p": MentisTask.PAPER_FOLD,
}
_SEPARATORS = "/_.-"
_NAMED = re.compile(
    r"(?:^|[/_.-])(rush[_-]?hour|sliding(?:[_-]puzzle)?|form[_-]board|hinge[_-]folding|paper[_-]fold)(?:/output)?"
    r"[/_.-]level[_-]?([0-9]{1,6})[/_.-]puzzle[_-]?([0-9]{1,9})(?![0-9A-Za-z])",
    re.IGNORECASE,
)
_END = re.compile("[0-9]{1,8}$")


@dataclass(frozen=True)
class Named:
    """What a path says: the puzzle's id, and what stands behind the puzzle's name."""

    puzzle_id: str
    rest: str


def task_of(name: str) -> MentisTask | None:
    """The task that a folder or a field names; None for another one."""
    return _TASKS.get(name.lower().replace("_", "-"))


def made_name(name: str) -> tuple[MentisTask, int | None] | None:
    """The task, and the level where it has one, of a folder that ``grader make`` names; None for another folder."""
    leveled = re.fullmatch(r"(rush-hour|form-board|hinge-folding|paper-fold)-([0-9]{1,6})-[0-9]+", name)
    if leveled is not None:
        return _TASKS[leveled[1]], int(leveled[2])
    tiles = re.fullmatch(r"sliding-[0-9]+x[0-9]+-[0-9]+-[0-9]+", name)
    return None if tiles is None else (MentisTask.SLIDING, None)


def level_of(name: str) -> int | None:
    """The level that a folder such as ``level_03`` names; None for another folder."""
    found = re.fullmatch(r"level[_-]?([0-9]{1,6})", name, re.IGNORECASE)
    return None if found is None else int(found[1])


def number_of(name: str) -> int | None:
    """The number of a puzzle whose folder is such as ``puzzle_0005``; None for another folder."""
    found = re.fullmatch(r"puzzle[_-]?([0-9]{1,9})", name, re.IGNORECASE)
    return None if found is None else int(found[1])


def puzzle_id_of(task: MentisTask, level: int, number: int) -> str:
    """A puzzle's name in requests and tables, such as ``rushhour/level_03/puzzle_0005``."""
    return f"{task.value}/level_{level:02d}/puzzle_{number:04d}"


def flat_id_of(task: MentisTask, name: str) -> str:
    """The name of a puzzle that is in no level."""
    return f"{task.value}/{name}"


def name_in(path: PurePath, flat_ids: Collection[str]) -> Named | None:
    """The puzzle that a path names, whether there is such a puzzle or not; None where it names none.

    Parameters
    ----------
    path : PurePath
        Of a file, without suffix, or of a folder.
    flat_ids : collection of str
        Names of puzzles that are in no level, such as ``sliding-puzzle/sliding_2x2_astronaut``.
    """
    text = path.as_posix()
    found = list(_NAMED.finditer(text))
    if found:
        task = _FIRST_LETTERS.get(found[-1][1][0].lower())
        if task is not None:
            return Named(puzzle_id_of(task, int(found[-1][2]), int(found[-1][3])), text[found[-1].end() :])
    for place in range(len(path.parts) - 1, -1, -1):
        part = path.parts[place]
        # The longest first: one name may be the beginning of another.
        for flat in sorted(flat_ids, key=len, reverse=True):
            name = flat.partition("/")[2]
            if part == name or (part.startswith(name) and part[len(name)] in _SEPARATORS):
                return Named(flat, "/".join((part[len(name) :], *path.parts[place + 1 :])))
    return None


def attempts_of(outputs: Sequence[tuple[Hashable, str]]) -> list[int]:
    """Take attempts from the ends of names, such as 3 of ``_try_3``, where all of a puzzle's end in other numbers.

    Parameters
    ----------
    outputs : sequence of (puzzle, str)
        Each with what stands behind the puzzle's name.

    Returns
    -------
    list of int
        From 1, for each output; 0 where its puzzle's names do not say. Where any counts from 0, all are one more.
    """
    numbers = [None if (end := _END.search(rest)) is None else int(end[0]) for _, rest in outputs]
    times = Counter((puzzle, number) for (puzzle, _), number in zip(outputs, numbers, strict=True))
    vague = {puzzle for (puzzle, number), n in times.items() if number is None or n > 1}
    said = [None if puzzle in vague else number for (puzzle, _), number in zip(outputs, numbers, strict=True)]
    first = 1 if 0 in said else 0
    return [0 if number is None else number + first for number in said]


def in_order(paths: Collection[Path]) -> list[Path]:
    """Paths with 2 before 10."""
    return sorted(paths, key=natural)
