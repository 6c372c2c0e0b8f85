"""Chains of pieces as messages of the contract."""

from __future__ import annotations

from grader.tasks.hinge_folding.model import HingeFoldingInput, HingeTurnInput
from grader.v1 import hinge_folding_pb2
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire
from puzzles.hinge_folding.chain import HingeShape

_SHAPES = {hinge_folding_pb2.HingeShape.Value(f"HINGE_SHAPE_{shape.name}"): shape for shape in HingeShape}


def _read(task: hinge_folding_pb2.HingeFoldingTask, reader: RequestReader) -> HingeFoldingInput:
    for place, number in enumerate(task.puzzle.shapes):
        if number and number not in _SHAPES:
            field = f"hinge_folding.puzzle.shapes[{place}]"
            reader.wrong(field, "OUT_OF_RANGE", f"there is no shape {number}; give one of HingeShape")
    return HingeFoldingInput(
        tuple(_SHAPES.get(number) for number in task.puzzle.shapes),
        tuple(HingeTurnInput(turn.hinge, turn.angle_deg) for turn in task.truth.turns),
    )


WIRE = TaskWire(_read)
