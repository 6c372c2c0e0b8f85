"""Observations and places as messages of the contract."""

from __future__ import annotations

from grader.answers.result import Reading
from grader.model import observations as seen_as
from grader.model.places import Cell, PixelBox, Place, TimeSpan
from grader.v1 import verdict_pb2

_READINGS = {Reading.STRICT: verdict_pb2.READING_STRICT, Reading.LENIENT: verdict_pb2.READING_LENIENT}


def _cell(cell: Cell) -> verdict_pb2.Cell:
    return verdict_pb2.Cell(id=cell.id, row=cell.row, column=cell.column)


def _box(box: PixelBox) -> verdict_pb2.PixelBox:
    return verdict_pb2.PixelBox(left_px=box.left, top_px=box.top, width_px=box.width, height_px=box.height)


def _point(point: tuple[float, float]) -> verdict_pb2.Point:
    return verdict_pb2.Point(x_px=point[0], y_px=point[1])


def _span(span: TimeSpan) -> verdict_pb2.TimeSpan:
    return verdict_pb2.TimeSpan(
        first_frame=span.first_frame, last_frame=span.last_frame, start_s=span.start_s, end_s=span.end_s
    )


def place_to_proto(place: Place) -> verdict_pb2.Place:
    """A place; what is None stays absent."""
    return verdict_pb2.Place(
        cell=None if place.cell is None else _cell(place.cell),
        box=None if place.box is None else _box(place.box),
        span=None if place.span is None else _span(place.span),
        object=place.object,
        move=place.move,
        step=place.step,
    )


def _path(seen: seen_as.PathObservation) -> verdict_pb2.PathObservation:
    path = verdict_pb2.PathObservation(
        polyline=map(_point, seen.polyline),
        visited_cells=map(_cell, seen.visited_cells),
        color_hex=seen.color_hex,
        color_as_asked=seen.color_as_asked,
        stroke_width_px=seen.stroke_width_px,
        pieces=seen.pieces,
        confidence=seen.confidence,
    )
    path.wall_crossings.extend(map(_crossing, seen.wall_crossings))
    return path


def _crossing(crossing: seen_as.WallCrossing) -> verdict_pb2.WallCrossing:
    made = verdict_pb2.WallCrossing(to=_cell(crossing.to_cell), at=_point(crossing.at))
    getattr(made, "from").CopyFrom(_cell(crossing.from_cell))  # the field's name is a word of Python
    return made


def _queens_seen(seen: seen_as.QueensObservation) -> verdict_pb2.QueensObservation:
    return verdict_pb2.QueensObservation(
        queens=[
            verdict_pb2.Queen(
                row=queen.row,
                column=queen.column,
                center=_point(queen.center),
                radius_px=queen.radius_px,
                confidence=queen.confidence,
            )
            for queen in seen.queens
        ],
        rejected_marks=[verdict_pb2.RejectedMark(box=_box(mark.box), code=mark.code) for mark in seen.rejected_marks],
    )


def _plan(seen: seen_as.PlanObservation) -> verdict_pb2.PlanObservation:
    return verdict_pb2.PlanObservation(
        readings=[
            verdict_pb2.PlanReading(
                reading=_READINGS[one.reading],
                answered=one.answered,
                moves=one.moves,
                solved=one.solved,
                message=one.message,
            )
            for one in seen.readings
        ]
    )


def _move(move: seen_as.ShownMove) -> verdict_pb2.ShownMove:
    return verdict_pb2.ShownMove(move=move.move, span=_span(move.span), distance=move.distance, complete=move.complete)


def _track(track: seen_as.Track) -> verdict_pb2.Track:
    points = [
        verdict_pb2.TrackPoint(time_s=one.time_s, x=one.x, y=one.y, theta_rad=one.theta_rad) for one in track.points
    ]
    return verdict_pb2.Track(object=track.object, points=points)


def _event(event: seen_as.SceneEvent) -> verdict_pb2.SceneEvent:
    return verdict_pb2.SceneEvent(
        code=event.code,
        span=_span(event.span),
        object=event.object,
        box=None if event.box is None else _box(event.box),
    )


def _lot(seen: seen_as.LotObservation) -> verdict_pb2.LotObservation:
    return verdict_pb2.LotObservation(
        moves=map(_move, seen.moves), tracks=map(_track, seen.tracks), events=map(_event, seen.events)
    )


def _tiles(seen: seen_as.TilesObservation) -> verdict_pb2.TilesObservation:
    return verdict_pb2.TilesObservation(
        moves=map(_move, seen.moves),
        tracks=map(_track, seen.tracks),
        events=map(_event, seen.events),
        final_tiles=seen.final_tiles,
    )


def _steps(seen: seen_as.StepsObservation) -> verdict_pb2.StepsObservation:
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
            )
            for one in seen.steps
        ],
        moves_in_words=seen.moves_in_words,
    )


def _rollout(seen: seen_as.MazeRolloutObservation) -> verdict_pb2.MazeRolloutObservation:
    return verdict_pb2.MazeRolloutObservation(
        kind=seen.kind,
        policy=seen.policy,
        trajectory=[verdict_pb2.RolloutPoint(time_s=time, at=_point((x, y))) for time, x, y in seen.trajectory],
        visited_cells=map(_cell, seen.visited_cells),
        wall_crossings=map(_crossing, seen.wall_crossings),
        events=map(_event, seen.events),
        path=None if seen.path is None else _path(seen.path),
    )


def _edit(seen: seen_as.EditObservation) -> verdict_pb2.EditObservation:
    return verdict_pb2.EditObservation(
        objects=[
            verdict_pb2.SceneObject(label=one.label, outline=map(_point, one.outline), target=one.target)
            for one in seen.objects
        ]
    )


def observation_to_proto(seen: seen_as.Observation) -> verdict_pb2.Observation:
    """An observation of any kind."""
    match seen:
        case seen_as.PathObservation():
            return verdict_pb2.Observation(path=_path(seen))
        case seen_as.QueensObservation():
            return verdict_pb2.Observation(queens=_queens_seen(seen))
        case seen_as.PlanObservation():
            return verdict_pb2.Observation(plan=_plan(seen))
        case seen_as.LotObservation():
            return verdict_pb2.Observation(lot=_lot(seen))
        case seen_as.TilesObservation():
            return verdict_pb2.Observation(tiles=_tiles(seen))
        case seen_as.StepsObservation():
            return verdict_pb2.Observation(steps=_steps(seen))
        case seen_as.MazeRolloutObservation():
            return verdict_pb2.Observation(maze_rollout=_rollout(seen))
        case seen_as.EditObservation():
            return verdict_pb2.Observation(edit=_edit(seen))
