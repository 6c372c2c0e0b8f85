"""Sliding puzzles as messages of the contract."""

from __future__ import annotations

from grader.tasks.plans.wire import move_to_proto, track_to_proto
from grader.tasks.sliding.model import SlidingInput, TilesObservation
from grader.v1 import sliding_pb2, verdict_pb2
from grader.wire.places import event_to_proto
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire


def _read(task: sliding_pb2.SlidingTask, reader: RequestReader) -> SlidingInput:
    return SlidingInput(
        size_cells=task.puzzle.size_cells,
        tiles=tuple(task.puzzle.tiles),
        image=reader.media(task.puzzle, "image", "sliding.puzzle.image"),
        target_tiles=tuple(task.truth.tiles),
    )


def _tiles(seen: TilesObservation) -> verdict_pb2.TilesObservation:
    return verdict_pb2.TilesObservation(
        moves=map(move_to_proto, seen.moves),
        tracks=map(track_to_proto, seen.tracks),
        events=map(event_to_proto, seen.events),
        final_tiles=seen.final_tiles,
    )


WIRE = TaskWire(_read, {TilesObservation: lambda seen: verdict_pb2.Observation(tiles=_tiles(seen))})
