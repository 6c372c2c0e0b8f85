"""A run as flat rows: one a candidate, whatever became of it."""

import json

import pytest

from grader.runs.folder import RunError
from grader.runs.rows import columns, run_rows
from tests.samples.report import FAIL, PASS, UNGRADABLE, Line, write_run

LINES = [
    Line("a", PASS, "p", 1, "M", 1.0, {"coverage": 1.0, "mse_in": None}, tags={"scale": "3", "=x": "1"}),
    Line("b", FAIL, "p", 2, "M", 0.5, {"coverage": 0.5, "depth": 2.0}, ("DOTS", "WALL_CROSSED"), message="two dots"),
    Line("c", UNGRADABLE, codes=("EMPTY",), model=""),
    Line("d", (3, "INVALID_FIELD")),
    Line("e", None),
]


def test_one_row_a_candidate_in_the_order_of_the_manifest(tmp_path):
    rows = run_rows(write_run(tmp_path, LINES, order=-1))
    assert [row["request_id"] for row in rows] == ["a", "b", "c", "d", "e"]
    assert rows[0] == {
        "request_id": "a",
        "puzzle_id": "p",
        "task": "maze",
        "model": "M",
        "attempt": 1,
        "tag.=x": "1",
        "tag.scale": "3",
        "outcome": "PASS",
        "score": 1.0,
        "reward": 1.0,
        "metric.coverage": 1.0,
        "metric.mse_in": None,
        "metric.depth": None,
        "reason": None,
        "message": None,
        "codes": "",
        "notes": "",
        "status": None,
        "status_message": None,
    }
    said = [rows[1][name] for name in ("reason", "message", "codes", "score", "metric.depth", "tag.scale")]
    assert said == ["DOTS", "two dots", "DOTS WALL_CROSSED", 0.5, 2.0, None]
    # A puzzle and a model that were not said.
    assert [rows[2][name] for name in ("puzzle_id", "model", "attempt", "outcome", "score")] == [
        "c",
        None,
        None,
        "UNGRADABLE",
        None,
    ]


def test_what_ended_without_a_verdict_has_a_status(tmp_path):
    rows = run_rows(write_run(tmp_path, LINES))
    assert [row["status"] for row in rows] == [None, None, None, "INVALID_FIELD", "NO_RESULT"]
    assert rows[3]["outcome"] is None
    assert "grader grade" in str(rows[4]["status_message"])


def test_all_rows_have_the_same_columns_in_one_order(tmp_path):
    rows = run_rows(write_run(tmp_path, LINES))
    assert {tuple(row) for row in rows} == {tuple(columns(rows))}
    # Rows of several runs together: what only one has comes where it belongs.
    mixed = columns([{"run": "x", **rows[0]}, {"metric.zeal": 1.0, "tag.a": "1"}])
    assert mixed[:7] == ["run", "request_id", "puzzle_id", "task", "model", "attempt", "tag.=x"]
    assert mixed.index("metric.zeal") == mixed.index("reason") - 1


def test_notes_are_named(tmp_path):
    run = write_run(tmp_path, [Line("a", PASS)])
    said = json.loads((run / "results.jsonl").read_text())
    said["verdict"]["notes"] = [{"code": "FLOOR_REPAINTED"}, {"code": "ICC_CONVERTED"}]
    (run / "results.jsonl").write_text(json.dumps(said) + "\n")
    assert run_rows(run)[0]["notes"] == "FLOOR_REPAINTED ICC_CONVERTED"


def test_of_two_lines_the_first_counts_and_a_torn_one_not(tmp_path):
    run = write_run(tmp_path, [Line("a", PASS), Line("b", PASS)])
    first, second = (run / "results.jsonl").read_text().splitlines()
    (run / "results.jsonl").write_text(f"{first}\n{first.replace('OUTCOME_PASS', 'OUTCOME_FAIL')}\n{second[:-9]}")
    assert [(row["outcome"], row["status"]) for row in run_rows(run)] == [("PASS", None), (None, "NO_RESULT")]


def test_a_broken_line_is_named(tmp_path):
    run = write_run(tmp_path, [Line("a", PASS)])
    whole = (run / "results.jsonl").read_text()
    for broken in ("junk\n", "[]\n", whole.replace('"reward": 0.0', '"reward": NaN'), whole.replace('"a"', '"z"')):
        (run / "results.jsonl").write_text(broken)
        with pytest.raises(RunError, match=r"results.jsonl:1: this line is no result"):
            run_rows(run)


def test_what_a_run_was_not_to_grade_has_no_row(tmp_path):
    run = write_run(tmp_path, LINES[:2] + LINES[4:])
    said = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(said | {"selections": [{"only": ["puzzle=p"], "limit": None}]}))
    assert [row["request_id"] for row in run_rows(run)] == ["a", "b"]
