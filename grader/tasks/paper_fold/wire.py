"""Folded sheets as messages of the contract."""

from __future__ import annotations

from grader.tasks.paper_fold.model import PaperFoldInput, SheetFrame, SheetObservation
from grader.v1 import paper_fold_pb2, verdict_pb2
from grader.wire.places import box_to_proto, point_to_proto
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire
from puzzles.paper_fold.rules import Fold, FoldType

_LINES = {paper_fold_pb2.FoldLine.Value(f"FOLD_LINE_{kind.name}"): kind for kind in FoldType}


def _read(task: paper_fold_pb2.PaperFoldTask, reader: RequestReader) -> PaperFoldInput:
    puzzle = task.puzzle
    sheets = tuple(
        reader.source(media, f"paper_fold.puzzle.sheets[{place}]") for place, media in enumerate(puzzle.sheets)
    )
    frame = SheetFrame(puzzle.frame.left_px, puzzle.frame.top_px, puzzle.frame.side_px)
    return PaperFoldInput(
        labels=tuple(puzzle.labels),
        solution=task.truth.label,
        folds=tuple(_fold(one, place, reader) for place, one in enumerate(puzzle.folds)),
        punches=tuple((one.x, one.y) for one in puzzle.punches),
        hole_radius=puzzle.hole_radius,
        sheets=sheets,
        frame=frame if puzzle.HasField("frame") else None,
    )


def _fold(fold: paper_fold_pb2.SheetFold, place: int, reader: RequestReader) -> Fold | None:
    if fold.line and fold.line not in _LINES:
        text = f"there is no line {fold.line}; give one of FoldLine"
        reader.wrong(f"paper_fold.puzzle.folds[{place}].line", "OUT_OF_RANGE", text)
    kind = _LINES.get(fold.line)
    return None if kind is None else Fold(kind, fold.offset, fold.above)


def _sheet(seen: SheetObservation) -> verdict_pb2.Observation:
    holes = [
        verdict_pb2.SheetHole(
            center=point_to_proto(one.center),
            radius_px=one.radius_px,
            contrast=one.contrast,
            fits=one.fits,
            outside=one.outside,
        )
        for one in seen.holes
    ]
    marks = [verdict_pb2.RejectedMark(box=box_to_proto(one.box), code=one.code) for one in seen.marks]
    return verdict_pb2.Observation(
        sheet=verdict_pb2.SheetObservation(holes=holes, marks=marks, creases=seen.creases, sheet_iou=seen.whole)
    )


WIRE = TaskWire(_read, {SheetObservation: _sheet})
