"""Reads mazes in the public form: ``meta.json`` with their grids, and ``maze_annotations.json``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from grader.importers.common.errors import ImportFormatError
from grader.model.json_fields import JsonObject, load_object
from grader.v1 import grid_maze_pb2
from puzzles.grid_maze.maze import parse_lines
from puzzles.grid_maze.records import ANNOTATIONS_NAME, META_NAME

_WITH = {True: "with", False: "without"}


@dataclass(frozen=True)
class BenchMaze:
    """A maze that can be graded.

    Attributes
    ----------
    name : such as ``gen_maze_012``
    group : of the benchmark; empty where that is not said
    message : the maze with its annotation
    tags : what tables are made by
    """

    name: str
    group: str
    message: grid_maze_pb2.GridMazeTask
    tags: dict[str, str]


@dataclass(frozen=True)
class BenchMazes:
    """The mazes of a folder, and names that are annotated and whose grid is not there."""

    source: Path
    mazes: tuple[BenchMaze, ...]
    without_grid: tuple[str, ...]


def read_mazes(folder: Path) -> BenchMazes:
    """Reads the mazes of a folder.

    Parameters
    ----------
    folder : Path
        It holds ``meta.json``, and perhaps ``maze_annotations.json``.

    Raises
    ------
    ImportFormatError
        If a file is not there or broken, or a grid is none.
    """
    if not (folder / META_NAME).is_file():
        raise ImportFormatError(
            f"{folder} has no {META_NAME}, which holds the grids: annotations list at most 50 paths, and answers are "
            "judged by walking them; name a folder that `grader make grid-maze` wrote, or put that file there"
        )
    try:
        meta = _entries(folder / META_NAME)
        said = _entries(folder / ANNOTATIONS_NAME) if (folder / ANNOTATIONS_NAME).is_file() else {}
        # Mazes of a group that share a seed differ in one thing.
        seeds = Counter(_pair_of(record) for record in meta.values())
        mazes = tuple(_maze(name, record, said.get(name), seeds) for name, record in meta.items())
    except ValueError as error:
        raise ImportFormatError(str(error)) from error
    if not mazes:
        raise ImportFormatError(f"{folder / META_NAME} holds no maze")
    return BenchMazes(folder, mazes, tuple(name for name in said if name not in meta))


def grid_message(record: JsonObject, annotation: JsonObject | None = None) -> grid_maze_pb2.GridMazeTask:
    """A record with a ``text_grid`` as a task; ValueError naming a field that is wrong.

    Parameters
    ----------
    record : JsonObject
    annotation : JsonObject, optional
        Where the list of shortest paths is; by default in the record, if it has one.
    """
    rows = record.items("text_grid")
    if not all(isinstance(row, str) for row in rows):
        raise record.fault("text_grid", "must be a list of rows, a text each")
    lines = [str(row) for row in rows]
    try:
        parse_lines(lines)
    except ValueError as error:
        raise record.fault("text_grid", f"is no grid: {error}") from error
    message = grid_maze_pb2.GridMazeTask(puzzle=grid_maze_pb2.GridMazePuzzle(rows=lines))
    source = annotation or record
    if source.has("accepted_shortest_paths"):
        paths = source.items("accepted_shortest_paths")
        if not all(isinstance(path, str) for path in paths):
            raise source.fault("accepted_shortest_paths", "must be a list of texts such as RRDD")
        message.truth.reachable = source.flag("reachable")
        message.truth.accepted_shortest_paths.extend(str(path) for path in paths)
    return message


def _entries(path: Path) -> dict[str, JsonObject]:
    """The entries of a file by name, each knowing where it is."""
    whole = load_object(path.read_bytes(), str(path))
    return {name: whole.child(name) for name in whole.content}


def _pair_of(record: JsonObject) -> tuple[str, int]:
    return _group(record), record.whole("seed") if record.has("seed") else -1


def _group(record: JsonObject) -> str:
    return record.text("group") if record.has("group") else ""


def _maze(name: str, record: JsonObject, said: JsonObject | None, seeds: Counter[tuple[str, int]]) -> BenchMaze:
    message = grid_message(record, said)
    signs = "".join(message.puzzle.rows)
    group = _group(record)
    tags = {"traps": _WITH["T" in signs]}
    if group:
        tags |= {"group": group, "level": group}
    if record.has("palette") and record.content["palette"]:
        tags["palette"] = record.text("palette")
    if record.has("border_walls"):
        tags["border"] = _WITH[record.flag("border_walls")]
    pair = _pair_of(record)
    # Only the benchmark's groups say that mazes of one seed differ in one thing.
    if group and seeds[pair] > 1 and pair[1] >= 0:
        tags["pair"] = f"{group}-{pair[1]}"
    return BenchMaze(name, group, message, tags)
