"""Reading MentisOculi records: what is taken, and messages that name the file and the field."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from grader.importers.mentisoculi.records import parse_rush_hour, parse_sliding, read_rush_hour, read_sliding
from puzzles.rush_hour.lot import Exit, Obstacle, Pose, Side, Vehicle
from puzzles.rush_hour.rules import Direction, Move
from puzzles.sliding.tiles import BlankMove, SlidingPuzzle

# A move that the record of the vehicle's way would not allow: that record is not to be read.
STALE = {"t_min": 0, "t_max": 0, "line": []}


def rush_hour() -> dict[str, Any]:
    return {
        "level": 2,
        "puzzle_id": 7,
        "actions": [
            {"object_id": "blocker_A", "direction": 1, "distance": 4.0},
            {"object_id": "red_car", "direction": -1, "distance": 8.1},
        ],
        "solution_length": 2,
        "board": {
            "width": 10,
            "height": 10.0,
            "exits": [{"side": "left", "opening_start": 4.5, "opening_end": 5.5}],
        },
        "objects": [
            {
                "id": "red_car",
                "shape": "rectangle",
                "size": [1.8, 0.9],
                "pose": {"x": 9.0, "y": 5.0, "theta": 0.0},
                "local_axis": [1.0, 0.0],
                "movable": True,
                "color_hex": "#E85D75",
                "drive_segment": STALE,
            },
            {
                "id": "blocker_A",
                "shape": "rectangle",
                "size": [2.0, 0.9],
                "pose": {"x": 5.0, "y": 5.0, "theta": math.pi / 2},
                "local_axis": [0.0, 1.0],
                "movable": True,
                "color_hex": "#0090C1",
                "label": "Q",
                "drive_segment": STALE,
            },
            {
                "id": "static_obs_0",
                "shape": "rectangle",
                "size": [1.0, 2.0],
                "pose": {"x": 1.0, "y": 8.0, "theta": 0.0},
                "local_axis": [1.0, 0.0],
                "movable": False,
                "color_hex": "#1B263B",
            },
        ],
    }


def sliding() -> dict[str, Any]:
    return {
        "puzzle_id": 3,
        "grid_size": 2,
        "solution_moves": ["right", "down"],
        "initial_state": [[-1, 1], [3, 2]],
        "target_state": [[1, 2], [3, -1]],
        "source_image": "a.jpeg",
    }


def changed(record: dict[str, Any], path: str, value: object) -> bytes:
    """The record as JSON, with one field set, or taken out if the value is ``KeyError``."""
    *ways, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    place: Any = record
    for step in ways:
        place = place[step]
    if value is KeyError:
        del place[last]
    else:
        place[last] = value
    return json.dumps(record).encode()


def test_rush_hour_records(tmp_path: Path) -> None:
    path = tmp_path / "metadata.json"
    path.write_text(json.dumps(rush_hour()))
    record = read_rush_hour(path)
    assert (record.level, record.puzzle_id, record.solution_length) == (2, 7, 2)
    assert record.lot.exits == (Exit(Side.LEFT, 4.5, 5.5),)
    assert record.lot.vehicles == (
        Vehicle("red_car", "R", 1.8, 0.9, Pose(9, 5), (1, 0), True, "#E85D75"),
        Vehicle("blocker_A", "Q", 2.0, 0.9, Pose(5, 5, math.pi / 2), (0, 1), True, "#0090C1"),
    )
    assert record.lot.obstacles == (Obstacle("static_obs_0", 1, 2, Pose(1, 8)),)
    assert record.moves == (Move("Q", Direction.FORWARD), Move("R", Direction.BACKWARD))
    assert record.distances == (4, 8.1)


def test_sliding_records(tmp_path: Path) -> None:
    path = tmp_path / "metadata.json"
    path.write_text(json.dumps(sliding()))
    record = read_sliding(path)
    assert record.puzzle == SlidingPuzzle((-1, 1, 3, 2), (1, 2, 3, -1))
    assert record.moves == (BlankMove.RIGHT, BlankMove.DOWN)
    assert (record.puzzle_id, record.source_image, record.initial_image) == (3, "a.jpeg", "")


def test_sliding_records_in_no_level_have_a_name(tmp_path: Path) -> None:
    path = tmp_path / "metadata.json"
    path.write_text(json.dumps(sliding() | {"puzzle_id": "board_08", "initial_image": "initial.png"}))
    record = read_sliding(path)
    assert (record.puzzle_id, record.initial_image) == ("board_08", "initial.png")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("board", KeyError, "board is missing"),
        ("board", [], "board must be an object, not []"),
        ("board/width", "10", 'board.width must be a finite number, not "10"'),
        ("board/width", True, "board.width must be a finite number, not true"),
        ("board/width", math.nan, "board.width must be a finite number, not NaN"),
        ("board/width", 10**400, "board.width must be a finite number, not 1000"),
        ("board/exits", [], "the record is wrong: the lot has no exit"),
        ("board/exits/0/side", "north", 'board.exits[0].side must be one of left, right, bottom, top, not "north"'),
        ("board/exits/0/opening_end", 4, "board.exits[0] is wrong: the exit's opening must go"),
        ("objects/1/pose", KeyError, "objects[1].pose is missing"),
        ("objects/1/pose/theta", None, "objects[1].pose.theta must be a finite number, not null"),
        ("objects/1/shape", "disc", 'objects[1].shape must be "rectangle", not "disc"'),
        ("objects/1/size", [2.0], "objects[1].size must be two numbers, not 1"),
        ("objects/1/size", [2.0, "x"], 'objects[1].size[1] must be a finite number, not "x"'),
        ("objects/1/size", [2.0, 0], "objects[1] is wrong: vehicle 'blocker_A' must have sides"),
        ("objects/1/local_axis", [1, 0], "objects[1] is wrong: vehicle 'blocker_A' has its axis at 0 degrees"),
        ("objects/1/label", KeyError, "objects[1].label is missing"),
        ("objects/1/movable", 1, "objects[1].movable must be true or false, not 1"),
        ("objects/0/id", "other", "objects[0].label is missing"),
        ("objects/1/pose/x", 9.0, "the record is wrong: 'red_car' and 'blocker_A' overlap"),
        ("actions/0/object_id", "x", 'actions[0].object_id names "x", which is no vehicle of this lot'),
        ("actions/0/direction", 0, "actions[0].direction must be 1 or -1, not 0"),
        ("solution_length", 2.5, "solution_length must be a whole number, not 2.5"),
    ],
)
def test_wrong_rush_hour_records_are_named(path: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=r"\Aa/metadata\.json: ") as caught:
        parse_rush_hour(changed(rush_hour(), path, value), "a/metadata.json")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("grid_size", 3, "initial_state must be 3 rows of 3 numbers, as grid_size says"),
        ("grid_size", KeyError, "grid_size is missing"),
        ("initial_state", [[-1, 1], [2, 3]], "the record is wrong: no moves lead from the start to the target"),
        ("initial_state", [[-1, 1], [3, 2.5]], "initial_state must hold whole numbers"),
        ("initial_state", 5, "initial_state must be a list, not 5"),
        ("target_state", [[1, 2], [3, 4]], "the record is wrong: a state must hold one blank"),
        ("solution_moves", ["right", "D"], 'solution_moves[1] must be one of up, down, left, right, not "D"'),
        ("source_image", None, "source_image must be a text, not null"),
        ("initial_image", None, "initial_image must be a text, not null"),
        ("puzzle_id", 1.5, "puzzle_id must be a whole number, not 1.5"),
    ],
)
def test_wrong_sliding_records_are_named(path: str, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=r"\Aa/metadata\.json: ") as caught:
        parse_sliding(changed(sliding(), path, value), "a/metadata.json")
    assert message in str(caught.value)


@pytest.mark.parametrize("data", [b"{", b"\xff", b"[" * 100_000, b'{"level": ' + b"9" * 5000 + b"}"])
def test_what_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="x: is not JSON in UTF-8"):
        parse_rush_hour(data, "x")


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(ValueError, match="x: must hold an object, not list"):
        parse_sliding(b"[]", "x")
