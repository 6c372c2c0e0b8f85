"""The layouts of folders of mazes: VR-Bench's, and DiffThinker's mazes and frozen lakes.

VR-Bench has ``states/<difficulty>_<id>.json`` with the grid as numbers beside ``images/<difficulty>_<id>.png``. A maze
of DiffThinker is ``<name>.png`` beside ``<name>.txt``: the side, start, goal, and the walls of each cell as bits; a
frozen lake is ``<name>.png`` beside ``table/<name>.txt``, a table of signs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.walking import files_below
from grader.model.json_fields import JsonObject, load_object
from grader.v1 import maze_pb2

_VR_BLOCKED = {"maze": "#", "trapfield": "T"}
_VR_OTHERS = frozenset(("sokoban", "maze3d", "pathfinder", "3d_maze"))
_LAKE = {"@": "S", "*": "G", "#": "T", "_": "."}
_NORTH, _SOUTH, _WEST, _EAST = 1, 2, 4, 8
_WALL_SHARE = 4
"""A cell of DiffThinker's mazes is so many times as long as its walls are wide."""


@dataclass(frozen=True)
class FolderMaze:
    """A maze of a folder.

    Attributes
    ----------
    name : the file's name without its ending, with the folders between it and the source before it
    image : its picture
    message : the maze; its picture's uri is not set
    tags : for tables
    """

    name: str
    image: Path
    message: maze_pb2.MazeTask
    tags: dict[str, str]


@dataclass(frozen=True)
class FolderMazes:
    """The mazes of a folder.

    Attributes
    ----------
    mazes : in the order of their paths
    others : records of puzzles that are no mazes of square cells
    """

    mazes: tuple[FolderMaze, ...]
    others: tuple[Path, ...]


def read_folder(source: Path) -> FolderMazes:
    """The mazes below a folder, in whichever layouts they are.

    Raises
    ------
    ImportFormatError
        If there is none, a record is broken, or its picture is missing.
    """
    if not source.is_dir():
        raise ImportFormatError(f"there is no folder {source}; name the one with the mazes")
    root = source.resolve()
    mazes: list[FolderMaze] = []
    others: list[Path] = []
    for path in files_below(root):
        found = None
        if path.suffix == ".json" and path.parent.name == "states":
            found = _vr_bench(root, path)
            if found is None:
                others.append(path.relative_to(root))
        elif path.suffix == ".txt" and path.parent.name == "table":
            found = _lake(root, path)
        elif path.suffix == ".txt" and path.with_suffix(".png").is_file():
            found = _walled(root, path)
        if found is not None:
            mazes.append(found)
    if not mazes:
        raise ImportFormatError(
            f"{source} holds no mazes: neither states/*.json with images beside (VR-Bench), nor *.txt with walls beside"
            " *.png, nor table/*.txt (DiffThinker)"
        )
    return FolderMazes(tuple(mazes), tuple(others))


def _vr_bench(root: Path, path: Path) -> FolderMaze | None:
    """A maze or a field of traps; None for the other puzzles of VR-Bench."""
    try:
        record = load_object(path.read_bytes(), str(path))
        game = record.text("game_type")
        if game not in _VR_BLOCKED:
            if game in _VR_OTHERS:
                return None
            raise record.fault("game_type", f"is {game!r}; maze and trapfield are graded")
        rows = _vr_rows(record.child("grid"), _VR_BLOCKED[game])
    except ValueError as error:
        raise ImportFormatError(str(error)) from error
    image = path.parent.parent / "images" / f"{path.stem}.png"
    message = maze_pb2.MazeTask(puzzle=maze_pb2.MazePuzzle(grid=maze_pb2.MazeGrid(rows=rows)))
    message.truth.any_solution = True
    # The player that moves hides the goal when it arrives.
    message.truth.goal_may_change = True
    name = "/".join((*path.parent.parent.relative_to(root).parts, path.stem))
    return _checked(name, image, message, {"level": path.stem.rpartition("_")[0] or path.stem, "game": game})


def _vr_rows(grid: JsonObject, blocked: str) -> list[str]:
    signs = {0: ".", 1: blocked, 2: "S", 3: "G"}
    rows: list[str] = []
    for row in grid.items("data"):
        if not isinstance(row, list) or any(not isinstance(one, int) or one not in signs for one in row):
            raise grid.fault("data", f"must be rows of 0 (floor), 1 (blocked), 2 (start) and 3 (goal), not {row!r:.60}")
        rows.append("".join(signs[one] for one in row))
    return rows


def _lake(root: Path, path: Path) -> FolderMaze:
    rows: list[str] = []
    for line in _lines(path):
        cells = [part.strip() for part in line.split("|") if part.strip()]
        if not cells or cells[0].startswith("Col"):
            continue
        signs = cells[1:]
        strange = [one for one in signs if one not in _LAKE]
        if strange or not signs:
            raise ImportFormatError(f"{path}: {line.strip()[:60]!r} is no row of signs @, *, # and _")
        rows.append("".join(_LAKE[one] for one in signs))
    message = maze_pb2.MazeTask(
        puzzle=maze_pb2.MazePuzzle(grid=maze_pb2.MazeGrid(rows=rows)), path_color=maze_pb2.PATH_COLOR_RED
    )
    message.truth.any_solution = True
    folder = path.parent.parent
    name = "/".join((*folder.relative_to(root).parts, path.stem))
    return _checked(name, folder / f"{path.stem}.png", message, {"level": str(len(rows)), "game": "frozen_lake"})


def _walled(root: Path, path: Path) -> FolderMaze | None:
    """A maze with walls between its cells; None for a text that is none."""
    numbers = [[int(one) for one in line.split()] for line in _lines(path) if _are_numbers(line)]
    if len(numbers) < 3 or len(numbers[0]) != 1:
        return None
    side, start, goal, cells = numbers[0][0], numbers[1], numbers[2], numbers[3:]
    if len(start) != 2 or len(goal) != 2 or len(cells) != side or any(len(row) != side for row in cells):
        raise ImportFormatError(f"{path}: a side, start, goal and {side} rows of {side} numbers are expected")
    signs = [["."] * side for _ in range(side)]
    for sign, (row, column) in (("S", start), ("G", goal)):
        if not (0 <= row < side and 0 <= column < side):
            raise ImportFormatError(f"{path}: there is no cell in row {row}, column {column}")
        signs[row][column] = sign
    image = path.with_suffix(".png")
    length = _size(image)[0] / side
    half = round(length / _WALL_SHARE / 2)
    message = maze_pb2.MazeTask(path_color=maze_pb2.PATH_COLOR_RED)
    puzzle = message.puzzle
    puzzle.geometry = maze_pb2.MAZE_GEOMETRY_SQUARE
    puzzle.cell_size_px, puzzle.wall_width_px = length, length / _WALL_SHARE
    width, height = _size(image)
    # The outer walls are cut in half by the picture's edges.
    puzzle.box.left_px, puzzle.box.top_px = -half, -half
    puzzle.box.width_px, puzzle.box.height_px = width + 2 * half, height + 2 * half
    puzzle.grid.rows.extend("".join(row) for row in signs)
    for row in range(side):
        for column in range(side):
            cell = row * side + column + 1
            for bit, other, there in ((_EAST, cell + 1, column + 1 < side), (_SOUTH, cell + side, row + 1 < side)):
                if there and cells[row][column] & bit:
                    puzzle.grid.walls.add(first_cell_id=cell, second_cell_id=other)
    name = "/".join((*path.parent.relative_to(root).parts, path.stem))
    return _checked(name, image, message, {"level": str(side), "game": "maze"})


def _are_numbers(line: str) -> bool:
    return bool(line.split()) and all(part.isdecimal() for part in line.split())


def _lines(path: Path) -> Iterator[str]:
    try:
        yield from path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ImportFormatError(f"{path} is not UTF-8 ({error})") from error


def _size(image: Path) -> tuple[int, int]:
    try:
        with Image.open(image) as opened:
            return opened.size
    except (OSError, UnidentifiedImageError) as error:
        raise ImportFormatError(f"{image} is no picture that can be read ({error})") from error


def _checked(name: str, image: Path, message: maze_pb2.MazeTask, tags: dict[str, str]) -> FolderMaze:
    if not image.is_file():
        raise ImportFormatError(f"{image} is missing: the picture of {name}")
    return FolderMaze(name, image, message, tags)
