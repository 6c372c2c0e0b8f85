"""What an import of AMAZE reads: instances on disk with their outputs, in a fixed order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.importers.amaze.records import AmazeRecord
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.walking import PICTURE_SUFFIXES


@dataclass(frozen=True)
class AmazeOutput:
    """A picture that a model made, and which attempt it is; 0 when not said."""

    path: Path
    attempt: int


@dataclass(frozen=True)
class AmazeInstance:
    """An instance whose pictures lie on disk; boards have no cell map and no mask.

    ``missing`` has the attempts that the model is expected to have made and did not; 0 where the number is not known.
    """

    puzzle_id: str
    record: AmazeRecord
    image: Path
    solution: Path
    cell_map: Path | None
    mask: Path | None
    outputs: tuple[AmazeOutput, ...]
    missing: tuple[int, ...]


@dataclass(frozen=True)
class DataSet:
    """A data set as it is read.

    Attributes
    ----------
    total : how many instances it has
    instances : one by one; None for one that there is nothing to say of
    unmatched : pictures among the outputs that belong to no instance
    naming : a sentence that says how outputs have to be named
    left_out : what is missing and has no line, each as instance and attempt
    """

    total: int
    instances: Iterator[AmazeInstance | None]
    unmatched: tuple[Path, ...]
    naming: str
    left_out: tuple[str, ...]


def natural(path: Path) -> tuple[list[tuple[int, str]], str]:
    """Sort key that puts 2 before 10."""
    pieces = re.split(r"([0-9]+)", path.as_posix())
    return [(int(piece) if index % 2 else 0, piece) for index, piece in enumerate(pieces)], path.as_posix()


def pictures_in(folder: Path) -> list[Path]:
    """List a folder's pictures in natural order, by suffix; a picture is not opened."""
    files = (path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES and path.is_file())
    return sorted(files, key=natural)


def outputs_by_instance(root: Path, names: Iterable[str]) -> dict[str, tuple[AmazeOutput, ...]]:
    """The outputs of each instance, in a folder of its name below a root; none where that is not there."""
    drawn = {name: pictures_in(root / name) if (root / name).is_dir() else [] for name in names}
    return numbered(drawn)


def outputs_folder(outputs: Path | None, beside: Path) -> Path:
    """The folder of a model's outputs, resolved: ``outputs`` beside the instances where none is named.

    Raises
    ------
    ImportFormatError
        If it is not there.
    """
    folder = beside / "outputs" if outputs is None else outputs
    if not folder.is_dir():
        hint = "name the folder of the model's outputs" if outputs is None else "check the path"
        raise ImportFormatError(f"there is no folder {folder} with the model's outputs; {hint}")
    return folder.resolve()


def numbered(drawn: Mapping[str, Sequence[Path]]) -> dict[str, tuple[AmazeOutput, ...]]:
    """Take the attempt from the end of each name, such as 3 of ``try_3.png``.

    It is taken where all names of an instance end in different numbers. Attempts count from 1; where names count from
    0, each is one more. That is so if a name of any instance has the number 0, for one that lacks its first attempt
    does not begin with its second.
    """
    numbers = {name: _distinct_ends(paths) for name, paths in drawn.items()}
    first = 1 if any(0 in found for found in numbers.values()) else 0
    return {
        name: tuple(
            AmazeOutput(path, number + first if numbers[name] else 0)
            for path, number in zip(paths, numbers[name] or [0] * len(paths), strict=True)
        )
        for name, paths in drawn.items()
    }


def _distinct_ends(paths: Sequence[Path]) -> list[int]:
    """The numbers that names end in, where each has another one; else none."""
    ends = [re.search("[0-9]{1,8}$", path.stem) for path in paths]
    numbers = [int(end.group()) for end in ends if end]
    return numbers if len(set(numbers)) == len(paths) else []
