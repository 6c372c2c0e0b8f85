"""Lots as messages of the contract."""

from __future__ import annotations

from typing import Any

from grader.tasks.plans.wire import move_to_proto, track_to_proto
from grader.tasks.rush_hour.model import ExitInput, LotObservation, RectangleInput, RushHourInput, VehicleInput
from grader.v1 import rush_hour_pb2, verdict_pb2
from grader.wire.places import event_to_proto
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire
from puzzles.rush_hour.lot import Side

_SIDES = {
    rush_hour_pb2.LOT_SIDE_LEFT: Side.LEFT,
    rush_hour_pb2.LOT_SIDE_RIGHT: Side.RIGHT,
    rush_hour_pb2.LOT_SIDE_BOTTOM: Side.BOTTOM,
    rush_hour_pb2.LOT_SIDE_TOP: Side.TOP,
}


def _read(task: rush_hour_pb2.RushHourTask, reader: RequestReader) -> RushHourInput:
    puzzle, where = task.puzzle, "rush_hour.puzzle"
    return RushHourInput(
        width=puzzle.width,
        height=puzzle.height,
        exits=tuple(ExitInput(_SIDES.get(one.side), one.start, one.end) for one in puzzle.exits),
        vehicles=tuple(
            VehicleInput(
                label=one.label,
                body=_rectangle(one, f"{where}.vehicles[{place}]", reader),
                forward_reversed=one.forward_reversed,
                fixed=one.fixed,
                color_hex=one.color_hex,
            )
            for place, one in enumerate(puzzle.vehicles)
        ),
        obstacles=tuple(
            _rectangle(one, f"{where}.obstacles[{place}]", reader) for place, one in enumerate(puzzle.obstacles)
        ),
    )


def _rectangle(body: Any, field: str, reader: RequestReader) -> RectangleInput:
    if not body.HasField("pose"):
        reader.wrong(f"{field}.pose", "MISSING", "say where it stands: x, y and theta_rad")
    return RectangleInput(body.length, body.width, body.pose.x, body.pose.y, body.pose.theta_rad)


def _lot(seen: LotObservation) -> verdict_pb2.LotObservation:
    return verdict_pb2.LotObservation(
        moves=map(move_to_proto, seen.moves),
        tracks=map(track_to_proto, seen.tracks),
        events=map(event_to_proto, seen.events),
    )


WIRE = TaskWire(_read, {LotObservation: lambda seen: verdict_pb2.Observation(lot=_lot(seen))})
