"""Messages to jobs, verdicts to messages, statuses both ways."""

import pytest
from google.rpc import code_pb2

from grader.contract.requests import job_from_proto
from grader.contract.verdicts import verdict_to_proto
from grader.media.pictures import MediaLimits
from grader.metrics.runs.aggregates import ItemEnd, status_end
from grader.model import verdict
from grader.model.errors import FieldViolation, InvalidRequestError
from grader.model.jobs import ImageCandidate
from grader.model.places import Cell, PixelBox, Place
from grader.serving.work import default_spec, inline_only
from grader.tasks.maze.model import MazeGeometry, MazeGridInput, MazeInput, PathColor, PathObservation, WallCrossing
from grader.tasks.queens.model import Queen, QueensInput, QueensObservation, RejectedMark
from grader.v1 import maze_pb2, service_pb2, verdict_pb2
from grader.wire import statuses


def maze_request():
    request = service_pb2.GradeRequest(request_id="r", puzzle_id="p", model="m", attempt=2, tags={"k": "v"})
    puzzle = request.maze.puzzle
    puzzle.image.data, puzzle.cell_map.data = b"image", b"cells"
    puzzle.geometry = maze_pb2.MAZE_GEOMETRY_HEXAGON
    puzzle.width_cells, puzzle.height_cells, puzzle.rings = 3, 4, 0
    puzzle.cell_size_px, puzzle.wall_width_px = 20.0, 2.0
    request.maze.truth.path_cell_ids.extend([1, 2, 3])
    request.image.data = b"candidate"
    return request


def wrong_fields(request, resolve=inline_only):
    with pytest.raises(InvalidRequestError) as raised:
        job_from_proto(request, resolve)
    return {(wrong.field, wrong.reason) for wrong in raised.value.violations}


def test_maze():
    job = job_from_proto(maze_request(), inline_only)
    assert job.task == MazeInput(
        image=b"image",
        cell_map=b"cells",
        geometry=MazeGeometry.HEXAGON,
        width_cells=3,
        height_cells=4,
        rings=0,
        cell_size_px=20.0,
        wall_width_px=2.0,
        path_cell_ids=(1, 2, 3),
        solution_image=None,
        mask=None,
        path_color=PathColor.BLUE,
    )
    assert (job.candidate, job.profile, job.overlay) == (ImageCandidate(b"candidate"), "default", False)
    assert (job.request_id, job.puzzle_id, job.model, job.attempt, job.tags) == ("r", "p", "m", 2, {"k": "v"})


def test_a_maze_s_grid():
    request = maze_request()
    request.maze.puzzle.grid.rows.extend(["S.", "#G"])
    request.maze.puzzle.grid.walls.add(first_cell_id=1, second_cell_id=2)
    assert job_from_proto(request, inline_only).task.grid == MazeGridInput(("S.", "#G"), ((1, 2),))


def test_queens():
    request = service_pb2.GradeRequest(request_id="r")
    request.queens.puzzle.image.data = b"board"
    request.queens.puzzle.size_cells = 2
    request.queens.puzzle.regions.extend([0, 0, 1, 1])
    request.queens.truth.queens.add(row=0, column=1)
    request.image.data = b""
    request.options.profile, request.options.overlay = "strict", True
    job = job_from_proto(request, inline_only)
    assert job.task == QueensInput(b"board", 2, (0, 0, 1, 1), ((0, 1),), None)
    assert (job.candidate, job.profile, job.overlay) == (ImageCandidate(b""), "strict", True)


def test_enums():
    request = maze_request()
    for value in (maze_pb2.MAZE_GEOMETRY_UNSPECIFIED, 77):
        request.maze.puzzle.geometry = value
        assert job_from_proto(request, inline_only).task.geometry is None
    for name, value in maze_pb2.MazeGeometry.items():
        request.maze.puzzle.geometry = value
        found = job_from_proto(request, inline_only).task.geometry
        assert value == 0 or found.name == name.removeprefix("MAZE_GEOMETRY_")
    for name, value in maze_pb2.PathColor.items():
        request.maze.path_color = value
        found = job_from_proto(request, inline_only).task.path_color
        assert found.name == (name.removeprefix("PATH_COLOR_") if value else "BLUE")
    request.maze.path_color = 77
    assert wrong_fields(request) == {("maze.path_color", "OUT_OF_RANGE")}


def test_every_wrong_field_is_named_at_once():
    assert wrong_fields(service_pb2.GradeRequest()) == {
        ("request_id", "MISSING"),
        ("task", "MISSING"),
        ("candidate", "MISSING"),
    }
    request = maze_request()
    request.request_id, request.attempt = "x" * 513, -1
    for media in (request.image, request.maze.truth.mask, request.maze.puzzle.image):
        media.SetInParent()
        media.ClearField("source")
    request.maze.truth.solution_image.uri = "somewhere.png"
    assert wrong_fields(request) == {
        ("request_id", "TOO_LONG"),
        ("attempt", "OUT_OF_RANGE"),
        ("image", "MISSING"),
        ("maze.truth.mask", "MISSING"),
        ("maze.puzzle.image", "MISSING"),
        ("maze.truth.solution_image", "URI_NOT_ALLOWED"),
    }
    request = maze_request()
    request.request_id = "é" * 512
    assert job_from_proto(request, inline_only).request_id == request.request_id


def test_uris_below_a_root(tmp_path):
    (tmp_path / "one.png").write_bytes(b"one")
    resolve = default_spec(MediaLimits(), (tmp_path,)).resolve
    request = maze_request()
    request.image.uri = "one.png"
    assert job_from_proto(request, resolve).candidate == ImageCandidate(b"one")
    request.image.uri = "two.png"
    assert wrong_fields(request, resolve) == {("image", "URI_NOT_FOUND")}
    request.image.uri = "../../etc/hosts"
    assert [field for field, _ in wrong_fields(request, resolve)] == ["image"]


PROVENANCE = verdict.Provenance(
    "1",
    "default",
    "ab",
    {"image": "cd"},
    {"numpy": "2"},
    (verdict.MeasuredWith("lpips_alex", "cuda:1", "ef"),),
    "finder 3",
)


def test_a_whole_verdict():
    cell, outside = Cell(5, 1, 2), Cell(0, -1, 0)
    box = PixelBox(1.0, 2.0, 3.0, 4.0)
    made = verdict_to_proto(
        verdict.Verdict(
            outcome=verdict.Outcome.FAIL,
            score=0.0,
            reward=0.25,
            metrics=(verdict.Metric("coverage", 0.0), verdict.Metric("mse_in", None, "no solution image")),
            reasons=(verdict.Reason("WALL_CROSSED", "text", (Place(cell), Place(box=box))),),
            observation=PathObservation(
                polyline=((1.0, 2.0), (3.0, 4.0)),
                visited_cells=(cell,),
                wall_crossings=(WallCrossing(cell, outside, (9.0, 8.0)),),
                color_hex="#0000FF",
                color_as_asked=True,
                stroke_width_px=3.0,
                pieces=1,
                confidence=0.5,
            ),
            alignment=verdict.Alignment((10, 20), (1.0, 2.0), (3.0, 4.0), 0.1, (1, 0, 0, 0, 1, 0), "RESIZED", 0.9, 1.0),
            provenance=PROVENANCE,
            notes=(verdict.Note("REPAINTED", "text"),),
            overlay=verdict.Overlay(b"png", 7, 8),
        )
    )
    assert made.outcome == verdict_pb2.OUTCOME_FAIL
    assert (made.HasField("score"), made.score, made.reward) == (True, 0.0, 0.25)
    assert (made.metrics[0].HasField("value"), made.metrics[0].value) == (True, 0.0)
    assert (made.metrics[1].HasField("value"), made.metrics[1].unavailable_reason) == (False, "no solution image")
    places = made.reasons[0].places
    assert [places[0].cell.id, places[0].cell.row, places[0].cell.column] == [5, 1, 2]
    assert (places[0].HasField("box"), places[1].HasField("cell")) == (False, False)
    assert [places[1].box.left_px, places[1].box.top_px, places[1].box.width_px, places[1].box.height_px] == [
        1,
        2,
        3,
        4,
    ]
    path = made.observation.path
    assert [(point.x_px, point.y_px) for point in path.polyline] == [(1, 2), (3, 4)]
    crossing = path.wall_crossings[0]
    assert (getattr(crossing, "from").id, crossing.to.id, crossing.to.row, crossing.at.y_px) == (5, 0, -1, 8.0)
    assert (path.color_hex, path.color_as_asked, path.stroke_width_px, path.pieces) == ("#0000FF", True, 3.0, 1)
    alignment = made.alignment
    assert (alignment.candidate_width_px, alignment.candidate_height_px, alignment.scale_y) == (10, 20, 2.0)
    assert (alignment.shift_y_px, list(alignment.matrix), alignment.method) == (4.0, [1, 0, 0, 0, 1, 0], "RESIZED")
    assert dict(made.provenance.input_sha256) == {"image": "cd"}
    assert dict(made.provenance.library_versions) == {"numpy": "2"}
    (measured,) = made.provenance.measured_with
    assert (measured.measure, measured.device, measured.weights_sha256) == ("lpips_alex", "cuda:1", "ef")
    assert made.provenance.box_detector == "finder 3"
    assert (made.notes[0].code, made.overlay.png, made.overlay.height_px) == ("REPAINTED", b"png", 8)


def test_a_bare_verdict_leaves_absent_what_is_none():
    bare = verdict.Verdict(
        verdict.Outcome.UNGRADABLE, None, 0.0, (), (verdict.Reason("UNDECODABLE", "x"),), None, None, PROVENANCE
    )
    made = verdict_to_proto(bare)
    for name in ("score", "observation", "alignment", "overlay"):
        assert not made.HasField(name)
    assert made.HasField("reward")


def test_queens_seen():
    seen = QueensObservation((Queen(1, 2, (3.0, 4.0), 5.0, 0.5),), (RejectedMark(PixelBox(1, 2, 3, 4), "RING"),))
    made = verdict_to_proto(verdict.Verdict(verdict.Outcome.MEASURED, None, None, (), (), seen, None, PROVENANCE))
    assert made.outcome == verdict_pb2.OUTCOME_MEASURED
    queen, mark = made.observation.queens.queens[0], made.observation.queens.rejected_marks[0]
    assert (queen.row, queen.column, queen.center.x_px, queen.radius_px) == (1, 2, 3.0, 5.0)
    assert (mark.code, mark.box.height_px) == ("RING", 4.0)


VIOLATION = FieldViolation("image", "MISSING", "it is not set")
STATUSES = {
    "invalid": statuses.invalid_request(InvalidRequestError(VIOLATION)),
    "large": statuses.message_too_large(11, 10),
    "overloaded": statuses.overloaded(3),
    "died": statuses.worker_died(),
    "down": statuses.shutting_down(),
    "late": statuses.deadline_exceeded(60.0),
    "gone": statuses.cancelled(),
    "bug": statuses.internal("abc"),
}


@pytest.mark.parametrize("name", STATUSES)
def test_statuses_survive_the_way_through_google_rpc(name):
    assert statuses.from_rpc_status(statuses.to_rpc_status(STATUSES[name])) == STATUSES[name]


def test_which_statuses_are_worth_another_try_and_whose_fault_they_are():
    transient = {name for name, status in STATUSES.items() if statuses.is_transient(status)}
    assert transient == {"overloaded", "died", "down", "late", "gone"}
    assert {name for name, status in STATUSES.items() if status.HasField("retry_delay")} == {
        "overloaded",
        "died",
        "down",
    }
    callers = {
        name for name, status in STATUSES.items() if status_end(status.code, status.reason) is ItemEnd.CALLER_ERROR
    }
    assert callers == {"invalid", "large"}


def test_many_violations_are_cut_to_what_a_trailer_holds():
    many = [FieldViolation(f"field{i}" * 20, "MISSING", "long text " * 100) for i in range(100)]
    status = statuses.to_rpc_status(statuses.invalid_request(InvalidRequestError(*many)))
    assert status.ByteSize() < statuses.MAX_DETAILS_BYTES
    read = statuses.from_rpc_status(status)
    assert read.code == code_pb2.INVALID_ARGUMENT
    assert read.field_violations[-1].reason == "MORE"
    assert f"{101 - len(read.field_violations)} more" in read.field_violations[-1].description
