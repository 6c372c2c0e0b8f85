"""A tiny run graded by the real engine, and the report of it."""

import contextlib
import json

import pytest
from google.protobuf import json_format

from grader.report.make import make_report
from grader.report.tables.build import TableOptions
from grader.runs import backends
from grader.runs.batch import grade_manifest
from grader.serving.settings import ServerSettings
from puzzles.maze.geometry import Geometry
from tests.fakes.processes import PoolHere
from tests.report.test_page import Page
from tests.samples.puzzles import maze_sample, png
from tests.whole.test_end_to_end import maze_request

MAZE = maze_sample(Geometry.SQUARE)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two models, three attempts each: A right, through a wall, nothing; B right, right, not decodable."""
    folder = tmp_path_factory.mktemp("tiny")
    right, crossing, nothing = png(MAZE.pictures.solution), png(MAZE.step(*MAZE.wall)), png(MAZE.pictures.input)
    lines = []
    for model, answers in (("A", (right, crossing, nothing)), ("B", (right, right, right[: len(right) // 2]))):
        for attempt, candidate in enumerate(answers, 1):
            request = maze_request(f"{model}/{attempt}", candidate)
            request.puzzle_id, request.model, request.attempt = "maze-0", model, attempt
            request.tags.update({"geometry": "square", "scale": "4"})
            (folder / f"{model}{attempt}.png").write_bytes(candidate)
            request.image.uri = f"{model}{attempt}.png"
            lines.append(json_format.MessageToJson(request, indent=None))
    manifest = folder / "manifest.jsonl"
    manifest.write_text("\n".join(lines) + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backends, "WorkerPool", PoolHere)
        with contextlib.closing(backends.LocalBackend(ServerSettings(workers=1))) as backend:
            grade_manifest(manifest, folder / "run", backend, overlays=True, progress=False)
    return folder / "run"


def test_report_of_a_graded_run(run):
    report = make_report([run], options=TableOptions(k=(1, 3)), examples=2)
    tables = {table["key"]: table for table in json.loads((run / "report" / "tables.json").read_text())["tables"]}
    keys = [column["key"] for column in tables["maze_attempts_by_model"]["columns"]]
    values = {
        line[0]: {key: round(cell["value"], 4) for key, cell in zip(keys, line, strict=True) if isinstance(cell, dict)}
        for line in tables["maze_attempts_by_model"]["rows"]
    }
    assert values["A"] == {
        "pass_at_1": 1.0,
        "pass_at_1_unbiased": 0.3333,  # 1 of 3
        "pass_at_3_any": 1.0,
        "pass_at_3_mean": 0.3333,
        "pass_at_3_unbiased": 1.0,
    }
    assert values["B"]["pass_at_3_mean"] == 0.6667  # the file that does not decode is not left out
    modes = [column["key"] for column in tables["maze_failure_modes_by_model"]["columns"]]
    assert modes[2:] == ["passed", "constraint_violation", "no_answer", "unreadable"]
    assert [[cell["count"] for cell in line[2:]] for line in tables["maze_failure_modes_by_model"]["rows"]] == [
        [1, 1, 1, 0],
        [2, 0, 0, 1],
    ]
    names = [column["key"] for column in tables["maze_by_model"]["columns"]]
    line = dict(zip(names, tables["maze_by_model"]["rows"][1], strict=True))
    assert (line["coverage"]["value"], line["coverage"]["n"], line["violation"]["value"]) == (1.0, 2, 0.0)
    page = Page(report.page.read_text(encoding="utf-8"))
    # Two of the passes, a crossing and an empty one have a picture; the broken one has words instead.
    assert page.classes.count("thumb") == 5
    assert page.tags.count("img") == 4 + page.tags.count("article")
