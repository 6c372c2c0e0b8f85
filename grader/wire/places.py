"""Places and events as messages of the contract."""

from __future__ import annotations

from grader.model.observations import SceneEvent
from grader.model.places import Cell, PixelBox, Place, TimeSpan
from grader.v1 import verdict_pb2


def cell_to_proto(cell: Cell) -> verdict_pb2.Cell:
    """A cell."""
    return verdict_pb2.Cell(id=cell.id, row=cell.row, column=cell.column)


def box_to_proto(box: PixelBox) -> verdict_pb2.PixelBox:
    """A box of pixels."""
    return verdict_pb2.PixelBox(left_px=box.left, top_px=box.top, width_px=box.width, height_px=box.height)


def point_to_proto(point: tuple[float, float]) -> verdict_pb2.Point:
    """A point (x, y) in pixels."""
    return verdict_pb2.Point(x_px=point[0], y_px=point[1])


def span_to_proto(span: TimeSpan) -> verdict_pb2.TimeSpan:
    """A stretch of a clip."""
    return verdict_pb2.TimeSpan(
        first_frame=span.first_frame, last_frame=span.last_frame, start_s=span.start_s, end_s=span.end_s
    )


def event_to_proto(event: SceneEvent) -> verdict_pb2.SceneEvent:
    """Something in a clip beside moves."""
    return verdict_pb2.SceneEvent(
        code=event.code,
        span=span_to_proto(event.span),
        object=event.object,
        box=None if event.box is None else box_to_proto(event.box),
    )


def place_to_proto(place: Place) -> verdict_pb2.Place:
    """A place; what is None stays absent."""
    return verdict_pb2.Place(
        cell=None if place.cell is None else cell_to_proto(place.cell),
        box=None if place.box is None else box_to_proto(place.box),
        span=None if place.span is None else span_to_proto(place.span),
        object=place.object,
        move=place.move,
        step=place.step,
    )
