"""The ends of the design through real gRPC, with real worker processes and the real engine."""

from __future__ import annotations

import random

import grpc
import numpy as np
import pytest
from google.protobuf import json_format

from grader.client import GraderCallError, GraderClient
from grader.serving.catalogue import make_catalogue
from grader.serving.server import GraderServer
from grader.serving.settings import ServerSettings
from grader.serving.work import default_spec
from grader.serving.workers import WorkerPool
from grader.v1 import maze_pb2, media_pb2, queens_pb2, service_pb2, verdict_pb2
from puzzles.maze.geometry import Geometry
from tests.engine.test_engine import huge_png
from tests.samples.puzzles import board_sample, maze_sample, png

MAZE = maze_sample(Geometry.SQUARE)
BOARD = board_sample()


@pytest.fixture(scope="module")
def client():
    settings = ServerSettings(port=0, workers=2)
    pool = WorkerPool(default_spec(settings.media_limits), 2, settings.queue_size, settings.request_timeout_s)
    try:
        pool.wait_ready()
        server = GraderServer(
            settings, pool, make_catalogue(settings, service_pb2.ListTasksResponse.FromString(pool.about()))
        )
        try:
            with GraderClient(f"127.0.0.1:{server.port}") as made:
                made.wait_ready()
                yield made
        finally:
            server.stop()
    finally:
        pool.close()


def media(data: bytes) -> media_pb2.Media:
    return media_pb2.Media(data=data)


def maze_request(request_id: str, candidate: bytes) -> service_pb2.GradeRequest:
    task = MAZE.task
    return service_pb2.GradeRequest(
        request_id=request_id,
        maze=maze_pb2.MazeTask(
            puzzle=maze_pb2.MazePuzzle(
                image=media(task.image),
                cell_map=media(task.cell_map),
                geometry=maze_pb2.MAZE_GEOMETRY_SQUARE,
                width_cells=task.width_cells,
                height_cells=task.height_cells,
                cell_size_px=task.cell_size_px,
                wall_width_px=task.wall_width_px,
            ),
            truth=maze_pb2.MazeTruth(
                path_cell_ids=task.path_cell_ids, solution_image=media(task.solution_image), mask=media(task.mask)
            ),
        ),
        image=media(candidate),
    )


def board_request(request_id: str, candidate: bytes) -> service_pb2.GradeRequest:
    task = BOARD.task
    return service_pb2.GradeRequest(
        request_id=request_id,
        queens=queens_pb2.QueensTask(
            puzzle=queens_pb2.QueensPuzzle(image=media(task.image), size_cells=task.size_cells, regions=task.regions),
            truth=queens_pb2.QueensTruth(queens=[queens_pb2.QueenCell(row=r, column=c) for r, c in task.queens]),
        ),
        image=media(candidate),
    )


def candidates() -> list[service_pb2.GradeRequest]:
    """Right, wrong, displaced, resized and broken candidates of two puzzles."""
    dice = np.random.default_rng(50)
    pictures = [MAZE.pictures.solution, MAZE.pictures.input, MAZE.step(*MAZE.branch), MAZE.step(*MAZE.wall)]
    requests = []
    for index in range(15):
        if index % 5 == 4:
            requests.append(board_request(f"b{index}", png(np.roll(BOARD.pictures.solution, index // 5, axis=0))))
            continue
        picture = np.roll(pictures[index % 4], int(dice.integers(0, 4)), axis=int(dice.integers(0, 2)))
        data = png(picture)
        requests.append(maze_request(f"m{index}", data[: len(data) // 2] if index % 17 == 3 else data))
    return requests


def exact(verdict: verdict_pb2.Verdict) -> bytes:
    return verdict.SerializeToString(deterministic=True)


def test_alone_or_in_a_batch_in_any_order_the_verdict_is_the_same_to_the_bit(client: GraderClient) -> None:
    requests = candidates()
    alone = {one.request_id: exact(client.grade(one).verdict) for one in requests}
    assert len({verdict_pb2.Verdict.FromString(one).outcome for one in alone.values()}) == 3
    shuffled = random.Random(1).sample(requests, len(requests))
    answers = list(client.grade_batch(shuffled))
    assert len(answers) == len(requests)
    assert {one.request_id: exact(one.verdict) for one in answers} == alone


def test_undecodable_candidates_are_ungradable_without_a_score(client: GraderClient) -> None:
    for data, code in ((b"no picture", "UNKNOWN_FORMAT"), (huge_png(), "SIDE_TOO_LONG"), (b"", "EMPTY")):
        verdict = client.grade(maze_request("x", data)).verdict
        assert verdict.outcome == verdict_pb2.OUTCOME_UNGRADABLE
        assert not verdict.HasField("score")
        assert verdict.reward == 0.0
        assert [reason.code for reason in verdict.reasons] == [code]


def wrong_puzzle(request: service_pb2.GradeRequest) -> None:
    request.maze.puzzle.image.data = b"no picture"


def huge_puzzle(request: service_pb2.GradeRequest) -> None:
    request.maze.puzzle.image.data = huge_png()


def no_truth(request: service_pb2.GradeRequest) -> None:
    request.maze.ClearField("truth")


def no_geometry(request: service_pb2.GradeRequest) -> None:
    request.maze.puzzle.geometry = maze_pb2.MAZE_GEOMETRY_UNSPECIFIED


def strange_geometry(request: service_pb2.GradeRequest) -> None:
    request.maze.puzzle.geometry = 99


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (wrong_puzzle, "maze.puzzle.image"),
        (huge_puzzle, "maze.puzzle.image"),
        (no_truth, "maze.truth.path_cell_ids"),
        (no_geometry, "maze.puzzle.geometry"),
        (strange_geometry, "maze.puzzle.geometry"),
    ],
)
def test_a_wrong_request_is_an_invalid_argument_that_names_the_field(client: GraderClient, spoil, field: str) -> None:
    request = maze_request("x", MAZE.task.solution_image)
    spoil(request)
    with pytest.raises(GraderCallError) as caught:
        client.grade(request)
    assert caught.value.code == grpc.StatusCode.INVALID_ARGUMENT
    assert field in [violation.field for violation in caught.value.violations]
    (answer,) = client.grade_batch([request])
    assert answer.status.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert field in [violation.field for violation in answer.status.field_violations]
    assert not answer.HasField("verdict")


def test_a_request_of_20_mb_is_graded(client: GraderClient) -> None:
    # What follows a picture's end is no part of it: megabytes on the way, and few pixels to look at.
    request = maze_request("large", png(MAZE.pictures.input) + np.random.default_rng(20).bytes(20_000_000))
    assert request.ByteSize() > 20_000_000
    assert client.grade(request).verdict.outcome == verdict_pb2.OUTCOME_FAIL


def test_verdicts_survive_json(client: GraderClient) -> None:
    for request in (maze_request("m", MAZE.task.solution_image), board_request("b", BOARD.task.solution_image)):
        response = client.grade(request)
        assert response.verdict.outcome == verdict_pb2.OUTCOME_PASS
        text = json_format.MessageToJson(response, always_print_fields_with_no_presence=True)
        assert json_format.Parse(text, service_pb2.GradeResponse()) == response
