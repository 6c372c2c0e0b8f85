"""Files for spreadsheets: no cell becomes a formula, numbers stay numbers, and all verdicts are one flat table."""

import csv
import io

import pyarrow.parquet as pq
import pytest

from grader.report.make import make_report
from grader.report.tables.sheets import csv_field, csv_text
from grader.runs.rows import run_rows
from tests.samples.report import FAIL, PASS, Line, write_run

FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", '=HYPERLINK("http://x")', "-", "=-1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_text_that_begins_like_a_formula_is_guarded(text):
    (row,) = csv.reader(io.StringIO(csv_text([text], []), newline=""))
    assert row == [f"'{text}"]


@pytest.mark.parametrize("text", ["-5", "+0.5", "-1e-3", "a=b", "", " =1", "'x"])
def test_numbers_and_other_text_stay_as_they_are(text):
    assert list(csv.reader(io.StringIO(csv_text(["a", text], [])))) == [["a", text]]


def test_numbers_are_exact_and_what_is_not_there_is_empty():
    assert csv_text(["a", "b", "c"], [(-0.1, -3, None), (1 / 3, 2, "")]) == f"a,b,c\n-0.1,-3,\n{1 / 3!r},2,\n"


@pytest.mark.parametrize("text", ["a;=1+1", "a,=1+1", "a\t=1+1", "a\n=1+1", 'a",=1+1'])
def test_no_cell_begins_within_a_field_whatever_the_separator(text):
    field = csv_field(text)
    assert field.startswith('"')
    assert field.endswith('"')
    assert '"' not in field[1:-1].replace('""', "")


def evil_run(folder):
    lines = [
        Line("=cmd", FAIL, "@p", 1, "+model", 0.5, {"coverage": 0.25}, ("DOTS",), {"=tag": "=1+1"}, message="-1+cmd"),
        Line("b", PASS, "p", 1, "model", 1.0, tags={"=tag": "-4"}),
    ]
    return write_run(folder, lines)


def test_every_csv_of_a_report_is_guarded(tmp_path):
    run = evil_run(tmp_path)
    make_report([run])
    files = sorted((run / "report").rglob("*.csv"))
    assert len(files) > 8
    for path in files:
        with path.open(newline="", encoding="utf-8") as lines:
            for row in csv.reader(lines):
                for cell in row:
                    assert not cell.startswith(("=", "+", "@", "\t", "\r")), path.name
                    assert not cell.startswith("-") or float(cell) < 0


def test_verdicts_are_one_row_a_candidate(tmp_path):
    run = evil_run(tmp_path)
    make_report([run])
    with (run / "report" / "verdicts.csv").open(newline="", encoding="utf-8") as lines:
        first, second = csv.DictReader(lines)
    assert (first["request_id"], first["puzzle_id"], first["model"], first["tag.=tag"]) == (
        "'=cmd",
        "'@p",
        "'+model",
        "'=1+1",
    )
    assert (first["metric.coverage"], first["reason"], first["message"]) == ("0.25", "DOTS", "'-1+cmd")
    assert (second["tag.=tag"], second["metric.coverage"], second["score"]) == ("-4", "", "1.0")


def test_parquet_has_the_same_as_they_were_said(tmp_path):
    run = evil_run(tmp_path)
    make_report([run])
    table = pq.read_table(run / "report" / "verdicts.parquet")
    assert table.to_pylist() == run_rows(run)
    kinds = {field.name: str(field.type) for field in table.schema}
    assert (kinds["attempt"], kinds["score"], kinds["metric.coverage"]) == ("int64", "double", "double")
    assert kinds["status"] == "string"


def test_several_runs_say_which(tmp_path):
    one = write_run(tmp_path / "x", [Line("a", PASS, "p", 1, "M", 1.0, {"coverage": 1.0})], name="one")
    two = write_run(tmp_path / "y", [Line("a", FAIL, "p", 1, "N", 0.0, codes=("DOTS",), tags={"t": "1"})], name="two")
    make_report([one, two], tmp_path / "both")
    table = pq.read_table(tmp_path / "both" / "verdicts.parquet")
    assert table.column_names[:3] == ["run", "request_id", "puzzle_id"]
    assert table.column("run").to_pylist() == ["one", "two"]
    assert table.column("metric.coverage").to_pylist() == [1.0, None]
