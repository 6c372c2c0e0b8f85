"""One candidate judged by several settings counts once in each row."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

from grader.report.data.apart import keep_apart
from grader.report.data.reading import read_runs
from grader.report.make import make_report
from tests.samples.report import FAIL, PASS, Line, write_run

LINES = [
    Line("a", PASS, "p1", 1, score=1.0),
    Line("b", FAIL, "p2", 1, score=0.0, codes=("DOTS",)),
    Line("c", (13, "INTERNAL"), "p3", 1),
]


def runs(tmp_path: Path, *profiles: str) -> list[Path]:
    return [
        write_run(tmp_path, [replace(line, profile=profile) for line in LINES], name=f"run{at}")
        for at, profile in enumerate(profiles)
    ]


def models(tmp_path: Path, *profiles: str) -> list[str]:
    return [record.model for record in keep_apart(read_runs(runs(tmp_path, *profiles), ())).records]


def test_one_profile_is_left_as_it_is(tmp_path: Path) -> None:
    assert models(tmp_path, "default") == ["A", "A", "A"]


def test_what_has_no_verdict_goes_with_its_run(tmp_path: Path) -> None:
    assert models(tmp_path, "default", "mine") == 3 * ["A [default]"] + 3 * ["A [mine]"]


def test_runs_of_other_candidates_by_other_profiles_are_one_model(tmp_path: Path) -> None:
    first = write_run(tmp_path, LINES[:1], name="first")
    second = write_run(tmp_path, [replace(LINES[1], profile="mine")], name="second")
    assert [record.model for record in keep_apart(read_runs([first, second], ())).records] == ["A", "A"]


def test_each_candidate_counts_once_in_a_row(tmp_path: Path) -> None:
    report = make_report(runs(tmp_path, "default", "mine"), tmp_path / "out")
    text = (tmp_path / "out" / "tables" / "maze_ranking.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert [(row["model"], row["passed"], row["candidates"]) for row in rows] == [
        ("A [default]", "1", "2"),
        ("A [mine]", "1", "2"),
    ]
    assert any("none counts twice" in note for note in report.notes)
