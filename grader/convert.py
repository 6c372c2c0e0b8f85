"""Between the contract's messages and the domain's plain data. No gRPC and no grading here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from grader import verdict as domain
from grader.errors import FieldViolation, InvalidRequestError
from grader.jobs import GradeJob, MazeGeometry, MazeInput, PathColor, QueensInput, TaskInput
from grader.v1 import maze_pb2, media_pb2, queens_pb2, service_pb2, verdict_pb2

if TYPE_CHECKING:  # importing a task imports every detector, which a client has no use for
    from grader.tasks.base import MetricInfo, ReasonInfo

MAX_REQUEST_ID_CHARS = 512
DEFAULT_PROFILE = "default"

Resolve = Callable[[media_pb2.Media, str], bytes | None]
"""Gives the bytes of a Media at a field path, or ``None`` where neither data nor uri is set.

It raises `InvalidRequestError` naming the field where a URI can't be read.
"""

_GEOMETRIES = {
    maze_pb2.MAZE_GEOMETRY_SQUARE: MazeGeometry.SQUARE,
    maze_pb2.MAZE_GEOMETRY_HEXAGON: MazeGeometry.HEXAGON,
    maze_pb2.MAZE_GEOMETRY_TRIANGLE: MazeGeometry.TRIANGLE,
    maze_pb2.MAZE_GEOMETRY_CIRCLE: MazeGeometry.CIRCLE,
}
_COLORS = {
    maze_pb2.PATH_COLOR_UNSPECIFIED: PathColor.BLUE,
    maze_pb2.PATH_COLOR_BLUE: PathColor.BLUE,
    maze_pb2.PATH_COLOR_GREEN: PathColor.GREEN,
    maze_pb2.PATH_COLOR_RED: PathColor.RED,
    maze_pb2.PATH_COLOR_ORANGE: PathColor.ORANGE,
    maze_pb2.PATH_COLOR_MAGENTA: PathColor.MAGENTA,
    maze_pb2.PATH_COLOR_BLACK: PathColor.BLACK,
    maze_pb2.PATH_COLOR_WHITE: PathColor.WHITE,
    maze_pb2.PATH_COLOR_YELLOW: PathColor.YELLOW,
    maze_pb2.PATH_COLOR_CYAN: PathColor.CYAN,
    maze_pb2.PATH_COLOR_PURPLE: PathColor.PURPLE,
}
_OUTCOMES = {
    domain.Outcome.PASS: verdict_pb2.OUTCOME_PASS,
    domain.Outcome.FAIL: verdict_pb2.OUTCOME_FAIL,
    domain.Outcome.UNGRADABLE: verdict_pb2.OUTCOME_UNGRADABLE,
    domain.Outcome.MEASURED: verdict_pb2.OUTCOME_MEASURED,
}


class _Reader:
    """Reads the media of one request and gathers every wrong field, so that a caller sees all of them at once."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self.violations: list[FieldViolation] = []

    def wrong(self, field: str, reason: str, description: str) -> None:
        self.violations.append(FieldViolation(field, reason, description))

    def media(self, message: Any, name: str, path: str) -> bytes | None:
        """The bytes of the Media field ``name``; ``None`` where it is absent, which the engine may refuse or not."""
        if not message.HasField(name):
            return None
        return self.source(getattr(message, name), path)

    def source(self, media: media_pb2.Media, path: str) -> bytes | None:
        """The bytes of a Media that is there and so must say where its bytes are."""
        try:
            found = self._resolve(media, path)
        except InvalidRequestError as error:
            self.violations.extend(error.violations)
            return None
        if found is None:
            self.wrong(path, "MISSING", "neither data nor uri is set; send the encoded picture as data")
        return found


def _maze(task: maze_pb2.MazeTask, reader: _Reader) -> MazeInput:
    puzzle, truth = task.puzzle, task.truth
    color = _COLORS.get(task.path_color)
    if color is None:
        reader.wrong("maze.path_color", "OUT_OF_RANGE", f"{task.path_color} is no PathColor")
    return MazeInput(
        image=reader.media(puzzle, "image", "maze.puzzle.image"),
        cell_map=reader.media(puzzle, "cell_map", "maze.puzzle.cell_map"),
        geometry=_GEOMETRIES.get(puzzle.geometry),
        width_cells=puzzle.width_cells,
        height_cells=puzzle.height_cells,
        rings=puzzle.rings,
        cell_size_px=puzzle.cell_size_px,
        wall_width_px=puzzle.wall_width_px,
        path_cell_ids=tuple(truth.path_cell_ids),
        solution_image=reader.media(truth, "solution_image", "maze.truth.solution_image"),
        mask=reader.media(truth, "mask", "maze.truth.mask"),
        path_color=color or PathColor.BLUE,
    )


def _queens(task: queens_pb2.QueensTask, reader: _Reader) -> QueensInput:
    return QueensInput(
        image=reader.media(task.puzzle, "image", "queens.puzzle.image"),
        size_cells=task.puzzle.size_cells,
        regions=tuple(task.puzzle.regions),
        queens=tuple((cell.row, cell.column) for cell in task.truth.queens),
        solution_image=reader.media(task.truth, "solution_image", "queens.truth.solution_image"),
    )


def _task(request: service_pb2.GradeRequest, reader: _Reader) -> TaskInput | None:
    match request.WhichOneof("task"):
        case "maze":
            return _maze(request.maze, reader)
        case "queens":
            return _queens(request.queens, reader)
        case _:
            reader.wrong(
                "task", "MISSING", "no task is set, or one that this version does not know; set maze or queens"
            )
            return None


def _candidate(request: service_pb2.GradeRequest, reader: _Reader) -> bytes | None:
    if request.WhichOneof("candidate") == "image":
        return reader.source(request.image, "image")
    reader.wrong(
        "candidate", "MISSING", "no candidate is set; set image to what the model made, if need be with empty data"
    )
    return None


def job_from_proto(request: service_pb2.GradeRequest, resolve: Resolve) -> GradeJob:
    """Makes a job of a request.

    Checked here is what can be said without looking into a picture; the engine checks the task's fields.

    Parameters
    ----------
    request : GradeRequest
        As it came.
    resolve : callable
        Gives the bytes of a Media; see `Resolve`.

    Returns
    -------
    GradeJob

    Raises
    ------
    InvalidRequestError
        With every wrong field, each by its path in the request.
    """
    reader = _Reader(resolve)
    if not request.request_id:
        reader.wrong("request_id", "MISSING", "a request needs a request_id; its answer carries it")
    elif len(request.request_id) > MAX_REQUEST_ID_CHARS:
        found = len(request.request_id)
        reader.wrong("request_id", "TOO_LONG", f"it has {found} characters; at most {MAX_REQUEST_ID_CHARS} are taken")
    if request.attempt < 0:
        reader.wrong("attempt", "OUT_OF_RANGE", f"it is {request.attempt}; attempts count from 1, 0 means not said")
    task = _task(request, reader)
    candidate = _candidate(request, reader)
    if reader.violations or task is None or candidate is None:
        raise InvalidRequestError(*reader.violations)
    return GradeJob(
        request_id=request.request_id,
        task=task,
        candidate=candidate,
        profile=request.options.profile or DEFAULT_PROFILE,
        overlay=request.options.overlay,
        puzzle_id=request.puzzle_id,
        model=request.model,
        attempt=request.attempt,
        tags=dict(request.tags),
    )


def _cell(cell: domain.Cell) -> verdict_pb2.Cell:
    return verdict_pb2.Cell(id=cell.id, row=cell.row, column=cell.column)


def _box(box: domain.PixelBox) -> verdict_pb2.PixelBox:
    return verdict_pb2.PixelBox(left_px=box.left, top_px=box.top, width_px=box.width, height_px=box.height)


def _point(point: tuple[float, float]) -> verdict_pb2.Point:
    return verdict_pb2.Point(x_px=point[0], y_px=point[1])


def _place(place: domain.Place) -> verdict_pb2.Place:
    return verdict_pb2.Place(
        cell=None if place.cell is None else _cell(place.cell),
        box=None if place.box is None else _box(place.box),
    )


def _path(seen: domain.PathObservation) -> verdict_pb2.PathObservation:
    path = verdict_pb2.PathObservation(
        polyline=map(_point, seen.polyline),
        visited_cells=map(_cell, seen.visited_cells),
        color_hex=seen.color_hex,
        color_as_asked=seen.color_as_asked,
        stroke_width_px=seen.stroke_width_px,
        pieces=seen.pieces,
        confidence=seen.confidence,
    )
    for crossing in seen.wall_crossings:
        made = path.wall_crossings.add(to=_cell(crossing.to_cell), at=_point(crossing.at))
        getattr(made, "from").CopyFrom(_cell(crossing.from_cell))  # the field's name is a word of Python
    return path


def _queens_seen(seen: domain.QueensObservation) -> verdict_pb2.QueensObservation:
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


def _observation(seen: domain.Observation) -> verdict_pb2.Observation:
    if isinstance(seen, domain.PathObservation):
        return verdict_pb2.Observation(path=_path(seen))
    return verdict_pb2.Observation(queens=_queens_seen(seen))


def _alignment(alignment: domain.Alignment) -> verdict_pb2.Alignment:
    return verdict_pb2.Alignment(
        candidate_width_px=alignment.candidate_size[0],
        candidate_height_px=alignment.candidate_size[1],
        scale_x=alignment.scale[0],
        scale_y=alignment.scale[1],
        shift_x_px=alignment.shift_px[0],
        shift_y_px=alignment.shift_px[1],
        rotation_rad=alignment.rotation_rad,
        matrix=alignment.matrix,
        method=alignment.method,
        quality=alignment.quality,
        covered=alignment.covered,
        bend=None if alignment.bend is None else _bend_to_proto(alignment.bend),
    )


def verdict_to_proto(verdict: domain.Verdict) -> verdict_pb2.Verdict:
    """Makes the contract's message of a verdict; what is ``None`` stays absent."""
    made = verdict.provenance
    overlay = verdict.overlay
    return verdict_pb2.Verdict(
        outcome=_OUTCOMES[verdict.outcome],
        score=verdict.score,
        reward=verdict.reward,
        metrics=[
            verdict_pb2.Metric(name=metric.name, value=metric.value, unavailable_reason=metric.unavailable_reason)
            for metric in verdict.metrics
        ],
        reasons=[
            verdict_pb2.Reason(code=reason.code, message=reason.message, places=map(_place, reason.places))
            for reason in verdict.reasons
        ],
        observation=None if verdict.observation is None else _observation(verdict.observation),
        alignment=None if verdict.alignment is None else _alignment(verdict.alignment),
        provenance=verdict_pb2.Provenance(
            grader_version=made.grader_version,
            profile=made.profile,
            profile_digest=made.profile_digest,
            input_sha256=made.input_sha256,
            library_versions=made.library_versions,
        ),
        notes=[verdict_pb2.Note(code=note.code, message=note.message) for note in verdict.notes],
        overlay=None
        if overlay is None
        else verdict_pb2.Overlay(png=overlay.png, width_px=overlay.width_px, height_px=overlay.height_px),
    )


def task_to_proto(
    name: str, description: str, metrics: Sequence[MetricInfo], reasons: Sequence[ReasonInfo]
) -> service_pb2.TaskInfo:
    """Makes the contract's message of what a task declares."""
    return service_pb2.TaskInfo(
        name=name,
        description=description,
        metrics=[
            service_pb2.MetricInfo(
                name=metric.name,
                description=metric.description,
                unit=metric.unit,
                higher_is_better=metric.higher_is_better,
                lower_bound=metric.lower_bound,
                upper_bound=metric.upper_bound,
            )
            for metric in metrics
        ],
        reasons=[service_pb2.ReasonInfo(code=reason.code, description=reason.description) for reason in reasons],
    )


def violations_to_proto(violations: Iterable[FieldViolation]) -> list[service_pb2.FieldViolation]:
    """Makes the contract's messages of wrong fields."""
    return [
        service_pb2.FieldViolation(field=wrong.field, reason=wrong.reason, description=wrong.description)
        for wrong in violations
    ]


def _bend_to_proto(bend: domain.Bend) -> verdict_pb2.Bend:
    return verdict_pb2.Bend(
        rows=bend.rows, columns=bend.columns, offsets_px=bend.offsets_px, largest_px=bend.largest_px
    )
