"""Requests of several tasks, right and wrong, with what they must be answered to the bit; and faulty ones."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from PIL import Image

from benchmarks.speed import board_subject, maze_subject
from grader.media.pictures import MediaLimits
from grader.model.jobs import GradeJob
from grader.serving.work import Grading, default_spec
from grader.tasks.maze.model import MazeInput
from grader.tasks.queens.model import QueensInput
from grader.v1 import maze_pb2, queens_pb2, service_pb2
from puzzles.maze.geometry import Geometry

T = TypeVar("T")
_GEOMETRIES = {
    Geometry.SQUARE: maze_pb2.MAZE_GEOMETRY_SQUARE,
    Geometry.HEXAGON: maze_pb2.MAZE_GEOMETRY_HEXAGON,
    Geometry.TRIANGLE: maze_pb2.MAZE_GEOMETRY_TRIANGLE,
    Geometry.CIRCLE: maze_pb2.MAZE_GEOMETRY_CIRCLE,
}


@dataclass(frozen=True)
class Sample:
    """A request without an id, and the bytes of its verdict; None for one that is refused as INVALID_ARGUMENT."""

    name: str
    request: service_pb2.GradeRequest
    verdict: bytes | None

    def named(self, request_id: str) -> service_pb2.GradeRequest:
        """The request under an id."""
        made = service_pb2.GradeRequest()
        made.CopyFrom(self.request)
        made.request_id = request_id
        return made


def maze_request(side: int, geometry: Geometry = Geometry.SQUARE, seed: int = 7) -> service_pb2.GradeRequest:
    """A maze of about so many pixels a side with its solution as the candidate."""
    subject = maze_subject(geometry, side, seed)
    task = _task_of(subject.job, MazeInput)
    request = service_pb2.GradeRequest()
    puzzle = request.maze.puzzle
    puzzle.image.data, puzzle.cell_map.data = task.image or b"", task.cell_map or b""
    puzzle.geometry = _GEOMETRIES[geometry]
    puzzle.width_cells, puzzle.height_cells, puzzle.rings = task.width_cells, task.height_cells, task.rings
    puzzle.cell_size_px, puzzle.wall_width_px = task.cell_size_px, task.wall_width_px
    request.maze.truth.path_cell_ids.extend(task.path_cell_ids)
    request.image.data = subject.encoded
    return request


def board_request(side: int) -> service_pb2.GradeRequest:
    """A board with its solution as the candidate."""
    subject = board_subject(side)
    task = _task_of(subject.job, QueensInput)
    request = service_pb2.GradeRequest()
    request.queens.puzzle.image.data = task.image or b""
    request.queens.puzzle.size_cells = task.size_cells
    request.queens.puzzle.regions.extend(task.regions)
    request.queens.truth.queens.extend(queens_pb2.QueenCell(row=row, column=column) for row, column in task.queens)
    request.image.data = subject.encoded
    return request


def _task_of(job: GradeJob, kind: type[T]) -> T:
    if not isinstance(job.task, kind):
        raise TypeError(f"the job is no {kind.__name__}")
    return job.task


def jpeg_of(data: bytes, quality: int = 80) -> bytes:
    """A picture saved as JPEG."""
    stream = io.BytesIO()
    with Image.open(io.BytesIO(data)) as picture:
        picture.convert("RGB").save(stream, "JPEG", quality=quality)
    return stream.getvalue()


def good_requests(side: int) -> dict[str, service_pb2.GradeRequest]:
    """Requests that get a verdict: right ones, wrong ones, and candidates that do not decode."""
    made = {f"maze {geometry.value}": maze_request(side, geometry) for geometry in _GEOMETRIES}
    made["board"] = board_request(side)
    found = dict(made)
    for name, request in made.items():
        for what, data in (
            ("jpeg", jpeg_of(request.image.data)),
            ("blank", (request.maze if request.HasField("maze") else request.queens).puzzle.image.data),
            ("cut", request.image.data[: len(request.image.data) // 2]),
        ):
            changed = found[f"{name} {what}"] = service_pb2.GradeRequest()
            changed.CopyFrom(request)
            changed.image.data = data
    return found


def bad_requests(side: int) -> dict[str, service_pb2.GradeRequest]:
    """Requests that are refused as INVALID_ARGUMENT."""
    whole = maze_request(side)
    found = {}
    for name in ("no candidate", "no truth", "puzzle cut", "unknown profile", "a uri"):
        wrong = found[name] = service_pb2.GradeRequest()
        wrong.CopyFrom(whole)
        match name:
            case "no candidate":
                wrong.ClearField("image")
            case "no truth":
                wrong.maze.ClearField("truth")
            case "puzzle cut":
                wrong.maze.puzzle.image.data = whole.maze.puzzle.image.data[:100]
            case "unknown profile":
                wrong.options.profile = "no such"
            case _:
                wrong.image.uri = "../../etc/passwd"
    return found


def samples(side: int) -> tuple[Sequence[Sample], Sequence[Sample]]:
    """Good and bad ones, with verdicts by this process, one after another."""
    grading = Grading(default_spec(MediaLimits(), log_level="CRITICAL"))
    good = []
    for name, request in good_requests(side).items():
        request.request_id = name
        answer = service_pb2.GradeBatchResponse.FromString(grading.answer(request.SerializeToString()))
        if answer.status.code:
            raise RuntimeError(f"{name} gets no verdict: {answer.status.message}")
        good.append(Sample(name, request, verdict_bytes(answer)))
    return good, [Sample(name, request, None) for name, request in bad_requests(side).items()]


def verdict_bytes(answer: service_pb2.GradeBatchResponse | service_pb2.GradeResponse) -> bytes:
    """A verdict in a form in which equal ones are equal."""
    return bytes(answer.verdict.SerializeToString(deterministic=True))
