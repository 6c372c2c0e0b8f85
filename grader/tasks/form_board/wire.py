"""Form boards as messages of the contract."""

from __future__ import annotations

from collections.abc import Iterable

from grader.tasks.form_board.model import FormBoardInput, FormBoardObservation
from grader.v1 import form_board_pb2, verdict_pb2
from grader.wire.places import box_to_proto
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire
from puzzles.form_board.rules import Corners


def _read(task: form_board_pb2.FormBoardTask, reader: RequestReader) -> FormBoardInput:
    puzzle = task.puzzle
    return FormBoardInput(
        labels=tuple(puzzle.labels),
        solution=tuple(task.truth.labels),
        image=reader.media(puzzle, "image", "form_board.puzzle.image"),
        silhouette=_corners(puzzle.silhouette),
        pieces=tuple(_corners(piece.corners) for piece in puzzle.pieces),
    )


def _corners(corners: Iterable[form_board_pb2.FormBoardCorner]) -> Corners:
    return tuple((corner.x_px, corner.y_px) for corner in corners)


def _seen(seen: FormBoardObservation) -> verdict_pb2.Observation:
    shapes = [
        verdict_pb2.FormShapeObservation(
            piece=one.piece,
            change=one.change,
            like=one.like,
            moved_x_px=one.moved_px[0],
            moved_y_px=one.moved_px[1],
            deviation=one.deviation,
            box=box_to_proto(one.box),
        )
        for one in seen.shapes
    ]
    observation = verdict_pb2.FormBoardObservation(
        shapes=shapes, silhouette_iou=seen.silhouette_iou, beside=map(box_to_proto, seen.beside)
    )
    return verdict_pb2.Observation(form_board=observation)


WIRE = TaskWire(_read, {FormBoardObservation: _seen})
