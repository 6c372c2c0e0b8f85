"""Reads the public MentisOculi puzzles: ``metadata.json`` of rush hour and of the sliding puzzle.

The records also hold how far each vehicle can go (``drive_segment``). Some of these are out of date, so they are not
read: the rules say how far a vehicle goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.model.json_fields import JsonObject, load_object, shown
from puzzles.rush_hour.lot import RED_LABEL, Exit, Lot, Obstacle, Pose, Side, Vehicle
from puzzles.rush_hour.rules import Direction, Move
from puzzles.sliding.tiles import BlankMove, SlidingPuzzle, State

_RED_ID = "red_car"


@dataclass(frozen=True)
class RushHourRecord:
    """A public rush-hour puzzle.

    Attributes
    ----------
    level, puzzle_id
        Its place in the data set.
    lot
        The lot. The red car, which has no label in the record, has the label R.
    moves, distances
        The published solution, and how far each move goes by the record, in units of the lot.
    solution_length
        The least number of moves by the record.
    """

    level: int
    puzzle_id: int
    lot: Lot
    moves: tuple[Move, ...]
    distances: tuple[float, ...]
    solution_length: int


@dataclass(frozen=True)
class SlidingRecord:
    """A public sliding puzzle.

    Attributes
    ----------
    puzzle_id
        Its place in its level, or its name where it is in none.
    puzzle
        The puzzle.
    moves
        The published solution.
    source_image
        The name of the photograph that its tiles show.
    initial_image
        The name of the file beside the record that shows the puzzle; empty where the record does not say it.
    """

    puzzle_id: int | str
    puzzle: SlidingPuzzle
    moves: tuple[BlankMove, ...]
    source_image: str
    initial_image: str


def read_rush_hour(path: Path) -> RushHourRecord:
    """Read a rush-hour ``metadata.json``; OSError if that fails, otherwise as `parse_rush_hour`."""
    return parse_rush_hour(path.read_bytes(), str(path))


def read_sliding(path: Path) -> SlidingRecord:
    """Read a sliding puzzle's ``metadata.json``; OSError if that fails, otherwise as `parse_sliding`."""
    return parse_sliding(path.read_bytes(), str(path))


def parse_rush_hour(data: bytes, name: str) -> RushHourRecord:
    """Return the puzzle of a rush-hour record.

    Parameters
    ----------
    data
        JSON in UTF-8.
    name
        What messages call it, such as its path.

    Raises
    ------
    ValueError
        If it is no such record; the message names the file and the field.
    """
    record = load_object(data, name)
    board = record.child("board")
    exits = tuple(
        entry.build(Exit, _side(entry), entry.number("opening_start"), entry.number("opening_end"))
        for entry in board.children("exits")
    )
    vehicles: list[Vehicle] = []
    obstacles: list[Obstacle] = []
    for entry in record.children("objects"):
        body = _body(entry)
        if isinstance(body, Vehicle):
            vehicles.append(body)
        else:
            obstacles.append(body)
    lot = record.build(Lot, board.number("width"), board.number("height"), exits, tuple(vehicles), tuple(obstacles))
    labels = {vehicle.id: vehicle.label for vehicle in vehicles}
    actions = record.children("actions")
    return RushHourRecord(
        record.whole("level"),
        record.whole("puzzle_id"),
        lot,
        tuple(_move(entry, labels) for entry in actions),
        tuple(entry.number("distance") for entry in actions),
        record.whole("solution_length"),
    )


def parse_sliding(data: bytes, name: str) -> SlidingRecord:
    """Return the puzzle of a sliding puzzle's record; parameters and errors as of `parse_rush_hour`."""
    record = load_object(data, name)
    size = record.whole("grid_size")
    start, target = (_state(record, field, size) for field in ("initial_state", "target_state"))
    words = {move.value: move for move in BlankMove}
    moves = []
    for place, word in enumerate(record.items("solution_moves")):
        if not isinstance(word, str) or word not in words:
            raise record.fault(f"solution_moves[{place}]", f"must be one of {', '.join(words)}, not {shown(word)}")
        moves.append(words[word])
    return SlidingRecord(
        record.whole_or_text("puzzle_id"),
        record.build(SlidingPuzzle, start, target),
        tuple(moves),
        record.text("source_image"),
        record.text("initial_image") if record.has("initial_image") else "",
    )


def _side(entry: JsonObject) -> Side:
    word = entry.text("side")
    if word not in {side.value for side in Side}:
        raise entry.fault("side", f"must be one of {', '.join(side.value for side in Side)}, not {shown(word)}")
    return Side(word)


def _body(entry: JsonObject) -> Vehicle | Obstacle:
    identity = entry.text("id")
    if entry.text("shape") != "rectangle":
        raise entry.fault("shape", f'must be "rectangle", not {shown(entry.text("shape"))}')
    length, width = entry.pair("size")
    place = entry.child("pose")
    pose = Pose(place.number("x"), place.number("y"), place.number("theta"))
    movable = entry.flag("movable")
    if identity == _RED_ID:
        label = RED_LABEL
    elif movable or entry.has("label"):
        label = entry.text("label")
    else:
        return entry.build(Obstacle, identity, length, width, pose)
    axis, color = entry.pair("local_axis"), entry.text("color_hex")
    return entry.build(Vehicle, identity, label, length, width, pose, axis, movable, color)


def _move(entry: JsonObject, labels: dict[str, str]) -> Move:
    identity, sign = entry.text("object_id"), entry.whole("direction")
    if identity not in labels:
        raise entry.fault("object_id", f"names {shown(identity)}, which is no vehicle of this lot")
    if sign not in (1, -1):
        raise entry.fault("direction", f"must be 1 or -1, not {sign}")
    return Move(labels[identity], Direction.FORWARD if sign == 1 else Direction.BACKWARD)


def _state(record: JsonObject, field: str, size: int) -> State:
    rows = record.items(field)
    if len(rows) != size or any(not isinstance(row, list) or len(row) != size for row in rows):
        raise record.fault(field, f"must be {size} rows of {size} numbers, as grid_size says")
    tiles = [tile for row in rows if isinstance(row, list) for tile in row]
    if any(type(tile) is not int for tile in tiles):
        raise record.fault(field, f"must hold whole numbers, not {shown(tiles)}")
    return tuple(tiles)
