"""The contract: generated code is up to date, and numbers that must never change."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from grader.answers.result import Reading
from grader.model.jobs import CandidateKind, VideoPolicy
from grader.model.verdict import Outcome
from grader.tasks.maze.model import MazeGeometry, PathColor
from grader.tasks.registry import list_tasks
from grader.v1 import maze_pb2, rush_hour_pb2, service_pb2, verdict_pb2
from puzzles.rush_hour.lot import Side

ROOT = Path(__file__).resolve().parent.parent.parent


def test_generated_code_is_up_to_date(tmp_path: Path) -> None:
    """``make protos`` writes what is committed."""
    (tmp_path / "grader" / "v1").mkdir(parents=True)
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "generate_protos.py", tmp_path], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    made = {path.name: path.read_bytes() for path in (tmp_path / "grader" / "v1").iterdir()}
    kept = {
        path.name: path.read_bytes()
        for path in (ROOT / "grader" / "v1").iterdir()
        if path.is_file() and path.name != "__init__.py"
    }
    assert sorted(made) == sorted(kept)
    for name, data in made.items():
        assert data == kept[name], f"grader/v1/{name} is not what tools/generate_protos.py makes of protos/"


def test_each_task_has_its_number() -> None:
    request = service_pb2.GradeRequest.DESCRIPTOR
    tasks = {field.name: field.number for field in request.oneofs_by_name["task"].fields}
    assert tasks == {
        **{"maze": 10, "queens": 11, "rush_hour": 12, "sliding": 13, "spatial_edit": 14, "compare": 15},
        **{"form_board": 16, "hinge_folding": 17, "paper_fold": 18},
        **{"grid_maze": 19},
        "jigsaw": 20,
    }
    assert list(tasks) == [task.name for task in list_tasks()]
    candidates = {field.name: field.number for field in request.oneofs_by_name["candidate"].fields}
    assert candidates == {"image": 40, "video": 41, "frames": 42, "text": 43, "scene": 44}
    assert list(candidates) == [kind.value for kind in CandidateKind]
    rest = {field.name: field.number for field in request.fields if field.name not in {*tasks, *candidates}}
    assert rest == {"request_id": 1, "puzzle_id": 50, "model": 51, "attempt": 52, "tags": 53, "options": 60}


def test_every_enum_of_the_domain_is_in_the_contract() -> None:
    for domain, names, prefix in (
        (Outcome, verdict_pb2.Outcome.keys(), "OUTCOME_"),
        (MazeGeometry, maze_pb2.MazeGeometry.keys(), "MAZE_GEOMETRY_"),
        (PathColor, maze_pb2.PathColor.keys(), "PATH_COLOR_"),
        (Side, rush_hour_pb2.LotSide.keys(), "LOT_SIDE_"),
        (VideoPolicy, service_pb2.VideoPolicy.keys(), "VIDEO_POLICY_"),
        (Reading, verdict_pb2.Reading.keys(), "READING_"),
    ):
        assert {name.removeprefix(prefix) for name in names} == {"UNSPECIFIED", *(member.name for member in domain)}


def test_the_service_has_three_methods() -> None:
    service = service_pb2.DESCRIPTOR.services_by_name["GraderService"]
    assert service.full_name == "grader.v1.GraderService"
    assert [method.name for method in service.methods] == ["Grade", "GradeBatch", "ListTasks"]
