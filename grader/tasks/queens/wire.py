"""Queens boards as messages of the contract."""

from __future__ import annotations

from grader.tasks.queens.model import QueensInput, QueensObservation
from grader.v1 import queens_pb2, verdict_pb2
from grader.wire.places import box_to_proto, point_to_proto
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire


def _read(task: queens_pb2.QueensTask, reader: RequestReader) -> QueensInput:
    return QueensInput(
        image=reader.media(task.puzzle, "image", "queens.puzzle.image"),
        size_cells=task.puzzle.size_cells,
        regions=tuple(task.puzzle.regions),
        queens=tuple((cell.row, cell.column) for cell in task.truth.queens),
        solution_image=reader.media(task.truth, "solution_image", "queens.truth.solution_image"),
        any_solution=task.truth.any_solution,
    )


def _queens_seen(seen: QueensObservation) -> verdict_pb2.QueensObservation:
    return verdict_pb2.QueensObservation(
        queens=[
            verdict_pb2.Queen(
                row=queen.row,
                column=queen.column,
                center=point_to_proto(queen.center),
                radius_px=queen.radius_px,
                confidence=queen.confidence,
            )
            for queen in seen.queens
        ],
        rejected_marks=[
            verdict_pb2.RejectedMark(box=box_to_proto(mark.box), code=mark.code) for mark in seen.rejected_marks
        ],
    )


WIRE = TaskWire(_read, {QueensObservation: lambda seen: verdict_pb2.Observation(queens=_queens_seen(seen))})
