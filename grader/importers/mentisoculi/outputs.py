"""Finds clips and series of step pictures, and which puzzles and attempts their names say."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.walking import PICTURE_SUFFIXES, files_below
from grader.importers.mentisoculi.names import attempts_of, in_order, name_in

_CLIPS = frozenset((".mp4", ".webm"))
_OTHER_CLIPS = frozenset((".mov", ".avi", ".mkv", ".m4v", ".mpg", ".mpeg", ".gif", ".ogv", ".wmv"))
"""Clips too, which are not taken: they are named, for else nobody would know that they are left out."""
_STEP = re.compile(r"step[_-]?([0-9]{1,6})\.(?:png|jpe?g|webp|avif|gif)", re.IGNORECASE)
_WORDS = ("answer.txt", "answer.json")


@dataclass(frozen=True)
class MentisOutput:
    """A clip, or a series of pictures with words.

    Attributes
    ----------
    path : the clip, or the folder of the series
    name : its path in the folder of outputs
    puzzle_id : the puzzle that its name says
    attempt : from 1; 0 where the names do not say
    pictures : of a series, in order
    text : what the model wrote beside a series
    """

    path: Path
    name: str
    puzzle_id: str
    attempt: int
    pictures: tuple[Path, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class Matched:
    """Outputs whose names say a puzzle that there is, and the names of what else lies there."""

    outputs: tuple[MentisOutput, ...]
    unmatched: tuple[str, ...]


def find_clips(folder: Path, puzzle_ids: Collection[str], flat_ids: Collection[str]) -> Matched:
    """Finds clips below a folder, by suffix; they are not opened.

    Parameters
    ----------
    folder : Path
    puzzle_ids : collection of str
        The puzzles that there are.
    flat_ids : collection of str
        Those of them that are in no level.

    Raises
    ------
    ImportFormatError
        If there is no such folder.
    """
    files = _files(folder, "clips")
    matched = _matched(
        folder, in_order([path for path in files if path.suffix.lower() in _CLIPS]), puzzle_ids, flat_ids
    )
    others = [_name(path, folder) for path in in_order([path for path in files if path.suffix.lower() in _OTHER_CLIPS])]
    return replace(matched, unmatched=(*matched.unmatched, *others))


def find_pictures(folder: Path, puzzle_ids: Collection[str], flat_ids: Collection[str]) -> Matched:
    """Finds pictures below a folder, by suffix; they are not opened. Parameters and errors are as of `find_clips`."""
    files = [path for path in _files(folder, "pictures") if path.suffix.lower() in PICTURE_SUFFIXES]
    return _matched(folder, in_order(files), puzzle_ids, flat_ids)


def find_series(folder: Path, puzzle_ids: Collection[str], flat_ids: Collection[str]) -> Matched:
    """Finds folders of ``step_01.png``, ``step_02.png`` and so on, with words in ``answer.txt`` or ``answer.json``.

    Parameters and errors are as of `find_clips`; ImportFormatError also if a step is missing or there twice, or the
    words can't be read.
    """
    files = _files(folder, "step pictures")
    homes = {path.parent for path in files if _STEP.fullmatch(path.name) or path.name in _WORDS}
    matched = _matched(folder, in_order(homes), puzzle_ids, flat_ids)
    # Pictures that are no step lie beside nothing, or beside steps, where they may be the one before the first action.
    loose = [path for path in files if path.suffix.lower() in PICTURE_SUFFIXES and path.parent not in homes]
    return replace(
        matched,
        unmatched=(*matched.unmatched, *(_name(path, folder) for path in in_order(loose))),
        outputs=tuple(replace(one, pictures=_steps(one.path), text=_words(one.path)) for one in matched.outputs),
    )


def _files(folder: Path, what: str) -> list[Path]:
    if not folder.is_dir():
        raise ImportFormatError(f"there is no folder {folder} of {what}; check the path")
    return list(files_below(folder.resolve()))


def _matched(folder: Path, paths: Sequence[Path], puzzle_ids: Collection[str], flat_ids: Collection[str]) -> Matched:
    root = folder.resolve()
    outputs: list[MentisOutput] = []
    rests: list[tuple[str, str]] = []
    unmatched: list[str] = []
    for path in paths:
        name = _name(path, root)
        found = name_in(path.with_suffix("") if path.suffix.lower() in {*_CLIPS, *PICTURE_SUFFIXES} else path, flat_ids)
        if found is None or found.puzzle_id not in puzzle_ids:
            unmatched.append(name)
        else:
            outputs.append(MentisOutput(path, name, found.puzzle_id, 0))
            rests.append((found.puzzle_id, found.rest))
    numbered = [replace(one, attempt=n) for one, n in zip(outputs, attempts_of(rests), strict=True)]
    return Matched(tuple(numbered), tuple(unmatched))


def _name(path: Path, folder: Path) -> str:
    """What an output is called in messages and requests: its path in the folder of outputs."""
    root = folder.resolve()
    return path.name if path == root else path.relative_to(root).as_posix()


def _steps(folder: Path) -> tuple[Path, ...]:
    steps: dict[int, Path] = {}
    for path in in_order([path for path in folder.iterdir() if path.is_file()]):
        found = _STEP.fullmatch(path.name)
        if found is None:
            continue
        other = steps.setdefault(int(found[1]), path)
        if other is not path:
            raise ImportFormatError(f"{path} is step {int(found[1])}, and so is {other.name}; keep one of them")
    for number in range(1, len(steps) + 1):
        if number not in steps:
            raise ImportFormatError(
                f"{folder}: step {number} is missing, and there are {len(steps)} steps; number the pictures from 1, "
                "the first after the first action"
            )
    return tuple(steps[number] for number in sorted(steps))


def _words(folder: Path) -> str:
    there = [folder / name for name in _WORDS if (folder / name).is_file()]
    if len(there) > 1:
        raise ImportFormatError(f"{folder} has {' and '.join(_WORDS)}; keep the one that the model wrote")
    if not there:
        return ""
    try:
        return there[0].read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportFormatError(f"{there[0]} is not UTF-8 ({error}); export it again") from error
