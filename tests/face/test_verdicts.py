"""Verdicts as people use them: metrics by name, codes, JSON, HTML, text, and tables of many."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import cache

import pandas
import pytest

import grader
from grader.model.verdict import Metric, Outcome, Overlay, Reason, Verdict
from puzzles.maze.geometry import Geometry
from tests.samples.puzzles import maze_sample


@cache
def passed() -> Verdict:
    sample = maze_sample(Geometry.SQUARE)
    return grader.grade(sample.task, sample.pictures.solution)


@cache
def failed() -> Verdict:
    sample = maze_sample(Geometry.SQUARE)
    return grader.grade(sample.task, sample.step(*sample.wall), overlay=True)


@cache
def ungradable() -> Verdict:
    return grader.grade(maze_sample(Geometry.SQUARE).task, b"nothing")


def test_metrics_by_name():
    assert passed().metric("coverage") == 1.0
    missing = replace(passed(), metrics=(*passed().metrics, Metric("likeness", None, "no mask")))
    assert missing.metric("likeness") is None
    assert ungradable().metric("coverage") is None
    with pytest.raises(KeyError, match=r"no metric 'covrage'; it has: .*coverage"):
        passed().metric("covrage")


def test_codes_and_text():
    assert (passed().codes, str(passed())) == ((), "PASS, score 1, reward 1")
    assert failed().codes == tuple(reason.code for reason in failed().reasons)
    assert str(failed()).startswith("FAIL, score ")
    assert f"\n  {failed().reasons[0].code}: {failed().reasons[0].message}" in str(failed())
    assert str(ungradable()).startswith("UNGRADABLE, reward 0\n  UNKNOWN_FORMAT: ")


@pytest.mark.parametrize("graded", [passed, failed, ungradable])
def test_a_dict_has_all_but_pictures(graded):
    verdict = graded()
    said = verdict.to_dict()
    assert json.loads(json.dumps(said)) == said
    assert (said["outcome"], said["reward"]) == (verdict.outcome.value, verdict.reward)
    assert said.get("score") == verdict.score
    assert [one["code"] for one in said["reasons"]] == list(verdict.codes)
    assert [(one["name"], one.get("value")) for one in said["metrics"]] == [
        (metric.name, metric.value) for metric in verdict.metrics
    ]
    assert said["provenance"]["input_sha256"] == dict(verdict.provenance.input_sha256)
    assert not {"overlay", "annotated_video"} & set(said)


def test_a_page_shows_all_and_escapes_what_it_shows():
    page = failed()._repr_html_()
    assert "data:image/png;base64," in page
    assert all(metric.name in page for metric in failed().metrics)
    sly = replace(passed(), outcome=Outcome.FAIL, reasons=(Reason("A<B", "<script>alert(1)</script>"),))
    assert "<script" not in sly._repr_html_()
    assert "&lt;script&gt;" in sly._repr_html_()


def test_pictures_do_not_fill_the_screen():
    assert "\\x" not in repr(failed())
    assert Overlay(b"abc", 1, 1)._repr_png_() == b"abc"
    assert Overlay(b"abc", 1, 1) != Overlay(b"abd", 1, 1)


def test_a_row_a_verdict():
    rows = grader.to_rows([passed(), failed(), ungradable()])
    assert [row["outcome"] for row in rows] == ["PASS", "FAIL", "UNGRADABLE"]
    assert [row["metric.coverage"] for row in rows] == [1.0, failed().metric("coverage"), None]
    assert [row["reason"] for row in rows] == [None, failed().codes[0], "UNKNOWN_FORMAT"]
    assert len({tuple(row) for row in rows}) == 1


def test_a_frame_of_verdicts_or_of_rows():
    verdicts = [passed(), failed()]
    frame = grader.to_frame(verdicts)
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["metric.coverage"]) == [verdict.metric("coverage") for verdict in verdicts]
    pandas.testing.assert_frame_equal(grader.to_frame(grader.to_rows(verdicts)), frame)
    assert frame["codes"].tolist() == ["", " ".join(failed().codes)]
    assert frame["notes"].tolist() == ["", ""]
    assert list(grader.to_frame([{"puzzle_id": "a", "mine": 1}]).columns) == ["mine", "puzzle_id"]


def test_without_pandas_it_is_said_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(grader.PandasMissingError, match="pip install pandas"):
        grader.to_frame([passed()])
    assert len(grader.to_rows([passed()])) == 1
