"""Writes puzzles as the public MentisOculi records, ``metadata.json``, which MentisOculi's importer reads.

How far each vehicle can go (``drive_segment``) is left out, since nothing should rely on it; the rules say it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from puzzles.rush_hour.lot import RED_LABEL, Exit, Lot, Obstacle, Side, Vehicle
from puzzles.rush_hour.rules import Direction, Move, simulate
from puzzles.sliding.tiles import BlankMove, SlidingPuzzle

INITIAL_NAME = "initial.png"
TARGET_NAME = "target.png"


def rush_hour_record(lot: Lot, moves: Sequence[Move], puzzle_id: int, level: int, seed: int = 0) -> bytes:
    """Return a lot with its solution as JSON in UTF-8; the same arguments give the same bytes.

    Parameters
    ----------
    lot
        The lot; its red car must have the id ``red_car``, by which the records know it.
    moves
        A solution with as few moves as can be.
    puzzle_id, level, seed
        What the record says of its place and its making.

    Raises
    ------
    ValueError
        If the red car has another id, or the moves do not solve the lot.
    """
    if lot.red.id != "red_car":
        raise ValueError(f"the red car's id must be 'red_car', not {lot.red.id!r}")
    run = simulate(lot, moves)
    if not run.solved:
        raise ValueError("the moves do not bring the red car to an exit")
    ids = {vehicle.label: vehicle.id for vehicle in lot.vehicles}
    record = {
        "puzzle_id": puzzle_id,
        "level": level,
        "num_cot_images": len(moves),
        "num_actions": len(moves),
        "seed": seed,
        "initial_state_image": INITIAL_NAME,
        "cot_images": [step_name(number) for number in range(len(moves))],
        "actions": [
            {
                "object_id": ids[step.move.label],
                "direction": 1 if step.move.direction is Direction.FORWARD else -1,
                "distance": step.distance,
            }
            for step in run.steps
        ],
        "solution_length": len(moves),
        "board": {"width": lot.width, "height": lot.height, "exits": [_exit(opening, lot) for opening in lot.exits]},
        "objects": [_body(body) for body in lot.bodies],
    }
    return _bytes(record)


def sliding_record(puzzle: SlidingPuzzle, moves: Sequence[BlankMove], puzzle_id: int, source_image: str) -> bytes:
    """Return a sliding puzzle with its solution as JSON in UTF-8; the same arguments give the same bytes."""
    size = puzzle.size
    start, target = (
        [list(state[row * size : (row + 1) * size]) for row in range(size)] for state in (puzzle.start, puzzle.target)
    )
    record = {
        "puzzle_id": puzzle_id,
        "grid_size": size,
        "num_solution_moves": len(moves),
        "solution_moves": [move.value for move in moves],
        "initial_state": start,
        "target_state": target,
        "initial_image": INITIAL_NAME,
        "target_image": TARGET_NAME,
        "cot_images": [step_name(number) for number in range(len(moves))],
        "source_image": source_image,
    }
    return _bytes(record)


def step_name(number: int) -> str:
    """Return the name of the picture after a move, counted from 0."""
    return f"cot_{number:02}.png"


def _exit(opening: Exit, lot: Lot) -> dict[str, object]:
    upright = opening.side in (Side.LEFT, Side.RIGHT)
    x = lot.width if opening.side is Side.RIGHT else 0.0 if upright else opening.start
    y = lot.height if opening.side is Side.TOP else opening.start if upright else 0.0
    length = opening.end - opening.start
    return {
        "side": opening.side.value,
        "x": x,
        "y": y,
        "w": 0.0 if upright else length,
        "h": length if upright else 0.0,
        "opening_start": opening.start,
        "opening_end": opening.end,
    }


def _body(body: Vehicle | Obstacle) -> dict[str, object]:
    pose = body.pose
    record: dict[str, object] = {
        "id": body.id,
        "shape": "rectangle",
        "size": [body.length, body.width],
        "pose": {"x": pose.x, "y": pose.y, "theta": pose.theta},
    }
    if isinstance(body, Obstacle):
        return record | {"movable": False, "color_hex": "#1B263B"}
    record |= {"local_axis": list(body.axis), "movable": body.movable, "color_hex": body.color}
    return record if body.label == RED_LABEL else record | {"label": body.label}


def _bytes(record: dict[str, object]) -> bytes:
    return (json.dumps(record, indent=1) + "\n").encode("utf-8")
