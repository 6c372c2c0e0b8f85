"""What is seen of plans as messages of the contract, whatever puzzle they are for."""

from __future__ import annotations

from grader.answers.result import Reading
from grader.tasks.plans.model import PlanObservation, ShownMove, StepsObservation, Track
from grader.v1 import verdict_pb2
from grader.wire.places import span_to_proto
from grader.wire.tasks import TaskWire

_READINGS = {Reading.STRICT: verdict_pb2.READING_STRICT, Reading.LENIENT: verdict_pb2.READING_LENIENT}


def _plan(seen: PlanObservation) -> verdict_pb2.PlanObservation:
    return verdict_pb2.PlanObservation(
        readings=[
            verdict_pb2.PlanReading(
                reading=_READINGS[one.reading],
                answered=one.answered,
                moves=one.moves,
                solved=one.solved,
                message=one.message,
                spans=[verdict_pb2.TextSpan(start=span.start, end=span.end) for span in one.spans],
                unread=None if one.unread is None else verdict_pb2.TextSpan(start=one.unread.start, end=one.unread.end),
            )
            for one in seen.readings
        ]
    )


def _steps(seen: StepsObservation) -> verdict_pb2.StepsObservation:
    return verdict_pb2.StepsObservation(
        steps=[
            verdict_pb2.StepSeen(
                moves=one.moves,
                legal=one.legal,
                faults=one.faults,
                tiles=one.tiles,
                vehicles=[
                    verdict_pb2.VehicleSeen(label=body.label, x=body.x, y=body.y, theta_rad=body.theta_rad)
                    for body in one.vehicles
                ],
                hinges_deg=one.hinges_deg,
            )
            for one in seen.steps
        ],
        moves_in_words=seen.moves_in_words,
    )


def move_to_proto(move: ShownMove) -> verdict_pb2.ShownMove:
    """A move that a clip shows."""
    return verdict_pb2.ShownMove(
        move=move.move, span=span_to_proto(move.span), distance=move.distance, complete=move.complete
    )


def track_to_proto(track: Track) -> verdict_pb2.Track:
    """Where a thing is over time."""
    points = [
        verdict_pb2.TrackPoint(time_s=one.time_s, x=one.x, y=one.y, theta_rad=one.theta_rad) for one in track.points
    ]
    return verdict_pb2.Track(object=track.object, points=points)


WIRE = TaskWire(
    None,
    {
        PlanObservation: lambda seen: verdict_pb2.Observation(plan=_plan(seen)),
        StepsObservation: lambda seen: verdict_pb2.Observation(steps=_steps(seen)),
    },
)
"""What plans have in common: words, and a picture after every move."""
