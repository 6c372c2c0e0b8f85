"""Chains of pieces as messages of the contract."""

from __future__ import annotations

from grader.tasks.hinge_folding.model import ChainObservation, ChainPlaceInput, HingeFoldingInput, HingeTurnInput
from grader.v1 import hinge_folding_pb2, verdict_pb2
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire
from puzzles.hinge_folding.chain import HingeShape

_SHAPES = {hinge_folding_pb2.HingeShape.Value(f"HINGE_SHAPE_{shape.name}"): shape for shape in HingeShape}


def _read(task: hinge_folding_pb2.HingeFoldingTask, reader: RequestReader) -> HingeFoldingInput:
    for piece, number in enumerate(task.puzzle.shapes):
        if number and number not in _SHAPES:
            field = f"hinge_folding.puzzle.shapes[{piece}]"
            reader.wrong(field, "OUT_OF_RANGE", f"there is no shape {number}; give one of HingeShape")
    place = task.puzzle.place if task.puzzle.HasField("place") else None
    return HingeFoldingInput(
        shapes=tuple(_SHAPES.get(number) for number in task.puzzle.shapes),
        turns=tuple(HingeTurnInput(turn.hinge, turn.angle_deg) for turn in task.truth.turns),
        image=reader.media(task.puzzle, "image", "hinge_folding.puzzle.image"),
        place=None if place is None else ChainPlaceInput(place.unit_px, place.x_px, place.y_px),
    )


def _chain(seen: ChainObservation) -> verdict_pb2.Observation:
    pieces = [
        verdict_pb2.ChainPiece(
            found=one.found,
            corners=[verdict_pb2.Point(x_px=x, y_px=y) for x, y in one.corners],
            size=one.size,
            bare_share=one.bare_share,
        )
        for one in seen.pieces
    ]
    hinges = [
        verdict_pb2.ChainHinge(hinge=one.hinge, angle_deg=one.angle_deg, gap_units=one.gap_units) for one in seen.hinges
    ]
    return verdict_pb2.Observation(chain=verdict_pb2.ChainObservation(pieces=pieces, hinges=hinges))


WIRE = TaskWire(_read, {ChainObservation: _chain})
