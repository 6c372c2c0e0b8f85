"""Two runs are compared field by field, apart from who made them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.samples.report import FAIL, PASS, Line, write_run
from tools.compare_runs import main

LINES = [Line("a", PASS, score=1.0), Line("b", FAIL, score=0.5, codes=("DOTS",))]


def compared(tmp_path: Path, lines: list[Line]) -> int:
    runs = [write_run(tmp_path, LINES, name="before"), write_run(tmp_path, lines, name="after")]
    return main([str(run) for run in runs])


def test_equal_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compared(tmp_path, LINES) == 0
    assert capsys.readouterr().out == "2 results, 0 differ; 0 overlays differ\n"


def test_what_differs_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compared(tmp_path, [LINES[0], replace(LINES[1], score=0.25)]) == 1
    out = capsys.readouterr().out
    assert out.startswith('b\n  verdict.reward: "0.5" -> "0.25"\n  verdict.score: "0.5" -> "0.25"\n')
    assert out.endswith("2 results, 1 differ; 0 overlays differ\n")


def test_a_result_that_one_run_lacks_differs(tmp_path: Path) -> None:
    assert compared(tmp_path, LINES[:1]) == 1


def test_overlays_are_compared_by_their_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [write_run(tmp_path, LINES, name=name) for name in ("before", "after")]
    for run, content in zip(runs, (b"1", b"2"), strict=True):
        (run / "overlays").mkdir()
        (run / "overlays" / "a.png").write_bytes(content)
    assert main([str(run) for run in runs]) == 1
    assert capsys.readouterr().out == "overlay a.png\n2 results, 0 differ; 1 overlays differ\n"


def test_a_folder_that_is_no_run_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), str(tmp_path)]) == 2
    assert "results.jsonl" in capsys.readouterr().err
