"""Writes composed pictures with what is true of them into a folder, for use without this benchmark."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any

import cv2

from benchmarks.composed.cases import ComposedCase, compose
from benchmarks.composed.stages import PER_STAGE
from puzzles.amaze.files import png_bytes
from puzzles.common.raster import Picture

CASES_NAME = "cases.jsonl"
_PICTURES = ("data", "picture", "plain", "puzzle")
"""Fields that are files, not values."""


def told(case: ComposedCase) -> dict[str, Any]:
    """A case without its pixels, ready for JSON."""
    return {one.name: getattr(case, one.name) for one in fields(case) if one.name not in _PICTURES} | {
        "size_px": case.size_px
    }


def suffix_of(data: bytes) -> str:
    """The file suffix of a candidate."""
    return {b"\x89PNG": "png", b"RIFF": "webp"}.get(data[:4], "jpg")


@cache
def written_cases(folder: Path) -> dict[int, dict[str, Any]]:
    """What is true of the pictures that `write_cases` wrote into a folder, by seed.

    Raises
    ------
    ValueError
        If nothing was written there.
    """
    path = folder / CASES_NAME
    if not path.is_file():
        raise ValueError(f"{path} is not there; --write makes it")
    lines = path.read_bytes().splitlines(keepends=True)
    return {one["seed"]: one for one in (json.loads(line) for line in lines if line.endswith(b"\n"))}


def write_cases(folder: Path, seeds: Sequence[int], workers: int = 1) -> Iterator[int]:
    """Writes candidates, their puzzles, and a line a case with what is true of it; yields how many are there so far.

    ``cases.jsonl`` names the candidate's file and a folder in ``puzzles`` with the puzzle's picture, its cell map for
    mazes, and ``input.json`` with the other fields of the request. What is there already is not composed again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / CASES_NAME
    done = set()
    if path.exists():
        whole = [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
        path.write_bytes(b"".join(whole))  # without a torn last line
        done = {json.loads(line)["seed"] for line in whole}
    waiting = [seed for seed in seeds if seed not in done]
    groups = [tuple(group) for _, group in groupby(waiting, key=lambda seed: seed // PER_STAGE)]
    there = len(seeds) - len(waiting)
    yield there
    spawn = multiprocessing.get_context("spawn")
    with path.open("a", encoding="utf-8") as lines, ProcessPoolExecutor(workers, mp_context=spawn) as pool:
        for found in pool.map(partial(_write_group, folder), groups):
            lines.writelines(found)
            lines.flush()
            there += len(found)
            yield there


def _write_group(folder: Path, seeds: tuple[int, ...]) -> list[str]:
    """Writes candidates and puzzles; returns the lines about them."""
    cv2.setNumThreads(1)
    found = []
    for seed in seeds:
        case = compose(seed)
        name = f"{seed:06d}.{suffix_of(case.data)}"
        (folder / name).write_bytes(case.data)
        write_puzzle(folder / "puzzles" / case.instance, case)
        line = told(case) | {"candidate": name, "puzzle": f"puzzles/{case.instance}"}
        found.append(json.dumps(line) + "\n")
    return found


def write_puzzle(folder: Path, case: ComposedCase) -> None:
    """Writes a request's puzzle: its files, and ``input.json`` with its other fields; what is there is left alone."""
    if (folder / "input.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    values: dict[str, Any] = {}
    if not is_dataclass(case.puzzle):
        raise TypeError(f"{case.instance}: a puzzle's input is a dataclass")
    for one in fields(case.puzzle):
        value = getattr(case.puzzle, one.name)
        if isinstance(value, bytes):
            (folder / f"{one.name}.png").write_bytes(value)
        else:
            values[one.name] = value.value if isinstance(value, Enum) else value
    (folder / "input.json").write_text(json.dumps(values), encoding="utf-8")


def write_picture(path: Path, picture: Picture) -> None:
    """Writes a picture as PNG."""
    path.write_bytes(png_bytes(picture))
