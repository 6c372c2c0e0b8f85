"""Jigsaw puzzles as messages of the contract."""

from __future__ import annotations

from grader.tasks.jigsaw.model import AnomalyTruth, AssemblyObservation, JigsawInput
from grader.v1 import jigsaw_pb2, verdict_pb2
from grader.wire.places import box_to_proto, event_to_proto
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire
from puzzles.jigsaw.kinds import Order, PieceChange, QuestionKind

_KINDS = {jigsaw_pb2.JigsawKind.Value(f"JIGSAW_KIND_{kind.name}"): kind for kind in QuestionKind}
_CHANGES = {jigsaw_pb2.JigsawChange.Value(f"JIGSAW_CHANGE_{change.name}"): change for change in PieceChange}


def _read(task: jigsaw_pb2.JigsawTask, reader: RequestReader) -> JigsawInput:
    kind = task.puzzle.kind
    if kind and kind not in _KINDS:
        reader.wrong("jigsaw.puzzle.kind", "OUT_OF_RANGE", f"there is no kind {kind}; give one of JigsawKind")
    options = tuple(tuple(order.pieces) for order in task.puzzle.options)
    pieces = tuple(
        reader.source(media, f"jigsaw.puzzle.pieces[{place}]") for place, media in enumerate(task.puzzle.pieces)
    )
    return JigsawInput(_KINDS.get(kind), options, _truth(task.truth, reader), pieces)


def _truth(truth: jigsaw_pb2.JigsawTruth, reader: RequestReader) -> str | Order | AnomalyTruth | None:
    match truth.WhichOneof("answer"):
        case "label":
            return truth.label
        case "order":
            return tuple(truth.order.pieces)
        case "anomaly":
            change = truth.anomaly.change
            if change and change not in _CHANGES:
                text = f"there is no change {change}; give one of JigsawChange"
                reader.wrong("jigsaw.truth.anomaly.change", "OUT_OF_RANGE", text)
            return AnomalyTruth(truth.anomaly.position, _CHANGES.get(change))
    return None


def _assembly(seen: AssemblyObservation) -> verdict_pb2.Observation:
    quarters = [
        verdict_pb2.QuarterObservation(
            piece=one.piece,
            rotation_deg=one.rotation_deg,
            mirrored=one.mirrored,
            likeness=one.likeness,
            detail=one.detail,
            shift_levels=one.shift,
            rough_levels=one.rough,
            displaced_share=one.displaced,
            altered_share=one.altered_share,
            box=box_to_proto(one.box),
        )
        for one in seen.quarters
    ]
    return verdict_pb2.Observation(
        assembly=verdict_pb2.AssemblyObservation(quarters=quarters, events=map(event_to_proto, seen.events))
    )


WIRE = TaskWire(_read, {AssemblyObservation: _assembly})
