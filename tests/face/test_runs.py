"""A run folder as one flat row a candidate."""

import json

from typer.testing import CliRunner

import grader
from grader.cli.main import app
from grader.runs import backends
from puzzles.maze.geometry import Geometry
from tests.fakes.processes import PoolHere
from tests.samples.puzzles import maze_sample, png

SAMPLE = maze_sample(Geometry.SQUARE)


def test_a_run_is_read_as_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(backends, "WorkerPool", PoolHere)
    (tmp_path / "reference.png").write_bytes(png(SAMPLE.pictures.solution))
    (tmp_path / "broken.png").write_bytes(b"nothing")
    lines = [
        {
            "request_id": name,
            "puzzle_id": "p",
            "model": "m",
            "attempt": attempt,
            "tags": {"style": "plain"},
            "compare": {"reference": {"uri": "reference.png"}},
            "image": {"uri": f"{name}.png"},
        }
        for attempt, name in enumerate(("reference", "broken"), start=1)
    ]
    manifest = tmp_path / "manifest.jsonl"
    manifest.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ended = CliRunner().invoke(app, ["grade", str(manifest), "--run", str(tmp_path / "run")])
    assert ended.exit_code == 0, ended.output
    first, second = grader.load_run(str(tmp_path / "run"))
    asked = ("request_id", "puzzle_id", "model", "attempt", "tag.style", "outcome", "score", "reward", "reason")
    assert [first[name] for name in asked] == ["reference", "p", "m", 1, "plain", "MEASURED", None, None, None]
    assert [second[name] for name in asked] == [
        "broken",
        "p",
        "m",
        2,
        "plain",
        "UNGRADABLE",
        None,
        0.0,
        "UNKNOWN_FORMAT",
    ]
    assert (first["metric.mse_in"], second["metric.mse_in"]) == (0.0, None)
    assert list(grader.to_frame([first, second])["attempt"]) == [1, 2]
