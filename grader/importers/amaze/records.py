"""What a record of AMAZE says, as tasks of the contract. No files are read here; the importer does that."""

from __future__ import annotations

import base64
import binascii
import math
from dataclasses import dataclass

import numpy as np

from grader.importers.common.errors import ImportFormatError
from grader.media.pictures import MediaError, decode_image, decode_labels, recognise
from grader.media.types import DEFAULT_LIMITS
from grader.model.json_fields import parse_json
from grader.v1 import maze_pb2, queens_pb2

_KEYS = {"maze": "maze_config", "queens": "regions"}
"""What only a task's records have."""

_GEOMETRIES = {
    "square": maze_pb2.MAZE_GEOMETRY_SQUARE,
    "hexagon": maze_pb2.MAZE_GEOMETRY_HEXAGON,
    "triangle": maze_pb2.MAZE_GEOMETRY_TRIANGLE,
    "circle": maze_pb2.MAZE_GEOMETRY_CIRCLE,
}
# A key of this project's own mazes; AMAZE's records have none, and all their paths are blue.
_PATH_COLORS = {
    "blue": maze_pb2.PATH_COLOR_BLUE,
    "green": maze_pb2.PATH_COLOR_GREEN,
    "red": maze_pb2.PATH_COLOR_RED,
    "orange": maze_pb2.PATH_COLOR_ORANGE,
    "magenta": maze_pb2.PATH_COLOR_MAGENTA,
}


@dataclass(frozen=True)
class AmazeRecord:
    """An instance without its pictures.

    Attributes
    ----------
    task : MazeTask or QueensTask, its media not set
    size_px : (width, height) of its picture as the record has it, or None
    tags : (key, value) pairs for tables: geometry, scale, algorithm and difficulty, where known
    """

    task: maze_pb2.MazeTask | queens_pb2.QueensTask
    size_px: tuple[int, int] | None
    tags: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Pictures:
    """The encoded pictures of an instance; boards have neither cell map nor mask in the contract."""

    image: bytes
    solution: bytes
    cell_map: bytes | None
    mask: bytes | None


@dataclass(frozen=True)
class _Json:
    """A JSON value that knows where it stands, so that every complaint names the place."""

    value: object
    where: str

    def get(self, name: str) -> _Json:
        if not isinstance(self.value, dict) or name not in self.value:
            raise ImportFormatError(f"{self.where}: {name!r} is missing; check that the record is AMAZE's and whole")
        return _Json(self.value[name], f"{self.where}, {name!r}")

    def has(self, name: str) -> bool:
        return isinstance(self.value, dict) and name in self.value

    def items(self) -> list[_Json]:
        if not isinstance(self.value, list):
            raise self._wrong("a list")
        return [_Json(item, f"{self.where}[{index}]") for index, item in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self._wrong("a text")
        return self.value

    def number(self) -> float:
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self._wrong("a number")
        try:
            number = float(self.value)
        except OverflowError:
            raise self._wrong("a number that is not so large") from None
        if not math.isfinite(number):
            raise self._wrong("a number")
        return number

    def integer(self, least: int, most: int = 2**31 - 1) -> int:
        number = self.value
        if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
            raise self._wrong(f"a whole number from {least} to {most}")
        return number

    def _wrong(self, expected: str) -> ImportFormatError:
        return ImportFormatError(f"{self.where} is {str(self.value)[:40]!r}; it has to be {expected}")


def tasks_of(text: str) -> frozenset[str]:
    """The task that a text is the metadata of, ``maze`` or ``queens``: none of another's, both where it is broken."""
    try:
        record = _Json(parse_json(text), "")
    except ValueError:
        return frozenset(_KEYS)
    return frozenset(task for task, key in _KEYS.items() if record.has(key))


def read_record(text: str, where: str) -> AmazeRecord:
    """Read the metadata of a maze or of a board.

    Parameters
    ----------
    text : str
        ``metadata`` of a maze, or ``sample_json`` of a board.
    where : str
        The file, and the row or column, for messages.

    Returns
    -------
    Record

    Raises
    ------
    ImportFormatError
        If the text is no JSON, or a field is missing or wrong.
    """
    try:
        value = parse_json(text)
    except ValueError as error:
        raise ImportFormatError(f"{where} is no JSON ({error}); fetch or export the record again") from error
    record = _Json(value, where)
    if record.has(_KEYS["maze"]):
        return _maze(record)
    if record.has(_KEYS["queens"]):
        return _board(record)
    raise ImportFormatError(f"{where} has neither 'maze_config' nor 'regions'; it is no record of a maze or a board")


def _maze(record: _Json) -> AmazeRecord:
    config, picture = record.get("maze_config"), record.get("image_size")
    shape = config.get("shape").text()
    if shape not in _GEOMETRIES:
        raise ImportFormatError(f"{config.where}: the shape is {shape!r}; known are {', '.join(_GEOMETRIES)}")
    task = maze_pb2.MazeTask()
    puzzle = task.puzzle
    puzzle.geometry = _GEOMETRIES[shape]
    if shape == "circle":
        # Width and height of a circle's record are left-overs of the generator's form.
        puzzle.rings = config.get("layers").integer(1)
        scale = str(puzzle.rings)
    else:
        puzzle.width_cells = config.get("width").integer(1)
        puzzle.height_cells = config.get("height").integer(1)
        square = puzzle.width_cells == puzzle.height_cells
        scale = str(puzzle.width_cells) if square else f"{puzzle.width_cells}x{puzzle.height_cells}"
    puzzle.cell_size_px = picture.get("cell_size").number()
    puzzle.wall_width_px = picture.get("wall_width").number()
    task.truth.path_cell_ids.extend(cell.integer(1, 2**24 - 1) for cell in record.get("path_cell_ids").items())
    if not task.truth.path_cell_ids:
        raise ImportFormatError(f"{record.where}: 'path_cell_ids' is empty; a path has at least one cell")
    if record.has("path_color"):
        color = record.get("path_color")
        if color.text() not in _PATH_COLORS:
            raise ImportFormatError(f"{color.where} is {color.text()!r}; known are {', '.join(_PATH_COLORS)}")
        task.path_color = _PATH_COLORS[color.text()]
    tags = [("geometry", shape), ("scale", scale)]
    if config.has("algorithm"):
        tags.append(("algorithm", config.get("algorithm").text()))
    if record.has("difficulty") and record.get("difficulty").has("difficulty"):
        tags.append(("difficulty", f"{record.get('difficulty').get('difficulty').number():.4g}"))
    return AmazeRecord(task, (picture.get("width").integer(1), picture.get("height").integer(1)), tuple(tags))


def _board(record: _Json) -> AmazeRecord:
    size = record.get("n").integer(1, 1000)
    task = queens_pb2.QueensTask()
    task.puzzle.size_cells = size
    rows = record.get("regions").items()
    for row in rows:
        regions = [region.integer(0, size - 1) for region in row.items()]
        if len(rows) != size or len(regions) != size:
            raise ImportFormatError(
                f"{record.where}: 'regions' has {len(rows)} rows and one of {len(regions)}; n is {size}"
            )
        task.puzzle.regions.extend(regions)
    for queen in record.get("queens").items():
        place = [number.integer(0, size - 1) for number in queen.items()]
        if len(place) != 2:
            raise ImportFormatError(f"{queen.where} has {len(place)} numbers; a queen is [row, column]")
        task.truth.queens.add(row=place[0], column=place[1])
    if len(task.truth.queens) != size or len(task.puzzle.regions) != size * size:
        raise ImportFormatError(f"{record.where}: there are {len(task.truth.queens)} queens for n = {size}")
    sides = (record.get(side).integer(1) for side in ("width", "height"))
    picture = tuple(sides) if record.has("width") else None
    return AmazeRecord(task, (picture[0], picture[1]) if picture else None, (("scale", str(size)),))


def read_base64(text: object, where: str) -> bytes:
    """Decode a picture that a column holds as base64.

    Raises
    ------
    ImportFormatError
        If the column holds no base64 text.
    """
    if not isinstance(text, str):
        raise ImportFormatError(f"{where} holds {type(text).__name__}; it has to be a picture as base64 text")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ImportFormatError(f"{where} is no base64 ({error}); fetch or export the file again") from error


def check_pictures(record: AmazeRecord, pictures: Pictures, where: str) -> None:
    """Check what would make every verdict on an instance wrong: pictures that do not fit each other or the path.

    Raises
    ------
    ImportFormatError
        If a picture does not decode, sizes differ, or a cell of the path is not in the cell map.
    """
    name = "the picture of the puzzle"
    try:
        height, width = decode_image(pictures.image).pixels.shape[:2]
        name = "the solution"
        recognise(pictures.solution, DEFAULT_LIMITS)
        if record.size_px not in (None, (width, height)):
            raise ImportFormatError(
                f"{where}: the picture has {width} x {height} px, its record says {record.size_px}; they do not belong "
                "together"
            )
        if pictures.mask is not None:
            name = "the mask"
            recognise(pictures.mask, DEFAULT_LIMITS)
        if pictures.cell_map is None or isinstance(record.task, queens_pb2.QueensTask):
            return
        name = "the cell map"
        labels = decode_labels(pictures.cell_map)
    except MediaError as error:
        raise ImportFormatError(f"{where}: {name} is unusable: {error}") from error
    if labels.shape != (height, width):
        raise ImportFormatError(
            f"{where}: the cell map has {labels.shape[1]} x {labels.shape[0]} px, the picture {width} x {height}; "
            "they do not belong together"
        )
    present = np.zeros(2**24, bool)
    present[labels.ravel()] = True
    absent = [cell for cell in record.task.truth.path_cell_ids if not present[cell]]
    if absent:
        raise ImportFormatError(
            f"{where}: cells {absent[:5]} of 'path_cell_ids' are not in the cell map; they do not belong together"
        )
