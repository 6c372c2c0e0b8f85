"""Labels in and out of files."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from calibration.labelling.rows import SUFFIXES, LabelRow, read_rows, write_rows
from calibration.labels import CalibrationError, read_people
from grader.report.data.records import ReportError

ROWS = [
    LabelRow("a/1", "ann", "ic", "completely", 1, 'odd, "very"\nodd', "random", "", 1.5, "2026-11-29T10:00:00+00:00"),
    LabelRow("a/1", "ann", "el", "partially", 1, 'odd, "very"\nodd', "random", "", 0.75, "2026-11-29T10:00:01+00:00"),
    LabelRow("b/é", "ben", "ic", "not_at_all", 1, "", "close", "", None, "2026-11-29T10:00:02+00:00"),
    LabelRow("a/1", "ann", "ic", "partially", 2, "", "random", "", 2.0, "2026-11-29T10:00:03+00:00"),
    LabelRow("b/é", "cyd", "ic", "completely", 1, "", "close", "yes", 4.0, "2026-11-29T10:00:04+00:00"),
]  # fmt: skip


def order(row):
    return row.request_id, row.rater, row.visit, row.question


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_written_is_read(tmp_path, suffix):
    file = tmp_path / f"labels{suffix}"
    write_rows(file, ROWS)
    found = [row for _, row in read_rows(file)]
    assert sorted(found, key=order) == sorted(ROWS, key=order)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_calibration_reads_what_is_written(tmp_path, suffix):
    """What was asked again and what decides count for what they are."""
    file = tmp_path / f"labels{suffix}"
    write_rows(file, ROWS)
    with pytest.raises(CalibrationError, match=r"several questions: ic in .*, el in .*; choose one with --question"):
        read_people([file])
    with pytest.raises(CalibrationError, match="no label is of the question 'ac'; there are ic, el"):
        read_people([file], "ac")
    found = read_people([file], "ic")
    assert [(one.request_id, one.rater, one.level) for one in found.first] == [("a/1", "ann", 2), ("b/é", "ben", 0)]
    assert [(one.request_id, one.level) for one in found.again] == [("a/1", 1)]
    assert {name: (one.rater, one.level) for name, one in found.decided.items()} == {"b/é": ("cyd", 2)}
    assert (found.first[0].comment, found.first[0].stratum) == ('odd, "very"\nodd', "random")
    assert [one.level for one in read_people([file], "el").first] == [1]


def test_what_label_studio_exports_is_read(tmp_path):
    """People by number, a time for the whole, choices with capitals, what was cancelled, and other kinds of results."""
    choice = {"from_name": "verdict", "to_name": "img", "type": "choices", "value": {"choices": ["Right"]}}
    box = {"from_name": "box", "to_name": "img", "type": "rectanglelabels", "value": {"x": 1}}
    tasks = [
        {"id": 7, "data": {"request_id": "a", "image": "x.png"},
         "annotations": [
             {"id": 1, "completed_by": 5, "result": [box, choice], "lead_time": 3.5, "created_at": "2026-01-01"},
             {"id": 2, "completed_by": {"id": 6, "email": "b@c"}, "result": [choice], "was_cancelled": True}]},
        {"id": 8, "data": {"request_id": "b"}, "annotations": []},
    ]  # fmt: skip
    file = tmp_path / "project.json"
    file.write_text(json.dumps(tasks))
    assert [row for _, row in read_rows(file)] == [LabelRow("a", "5", "verdict", "Right", took_s=3.5, at="2026-01-01")]
    assert read_people([file]).first[0].level == 1


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "labels.json: is no JSON"),
        ("{}", "must be a list of tasks"),
        ('[{"data": {}}]', r"task 1: is no task of Label Studio with data.request_id"),
        ('[{"data": {"request_id": "a"}, "annotations": [{"result": [{"type": "choices"}]}]}]', "task 1: is no task"),
        ('[{"data": {"request_id": "a"}, "annotations": [{}]}]', "task 1: is no task"),
    ],
)
def test_what_is_no_project_is_refused(tmp_path, text, fault):
    file = tmp_path / "labels.json"
    file.write_text(text)
    with pytest.raises(ReportError, match=fault):
        list(read_rows(file))


def test_what_is_no_table_is_refused(tmp_path):
    file = tmp_path / "labels.parquet"
    file.write_bytes(b"PAR1 and then not")
    with pytest.raises(ReportError, match="is no Parquet"):
        list(read_rows(file))
    pq.write_table(pa.table({"request_id": ["a"]}), file)
    with pytest.raises(ReportError, match="needs request_id and label"):
        list(read_rows(file))
    with pytest.raises(CalibrationError, match=r"written as \.csv, \.parquet, \.json"):
        write_rows(tmp_path / "labels.txt", ROWS)
    for cell, fault in (("x", "visit is 'x', which is no number"), ("-1", "visit is -1")):
        (tmp_path / "labels.csv").write_text(f"request_id,label,visit\na,right,{cell}\n")
        with pytest.raises(CalibrationError, match=fault):
            list(read_rows(tmp_path / "labels.csv"))
    (tmp_path / "labels.csv").write_text("request_id,label,adjudicated\na,right,perhaps\n")
    with pytest.raises(CalibrationError, match="adjudicated is 'perhaps'; write yes, or nothing"):
        read_people([tmp_path / "labels.csv"])
    (tmp_path / "labels.csv").write_text("request_id,label\n,right\n")
    with pytest.raises(CalibrationError, match=r"labels.csv:2: request_id is empty"):
        list(read_rows(tmp_path / "labels.csv"))


def test_rows_without_a_visit_are_counted(tmp_path):
    file = tmp_path / "labels.csv"
    file.write_text("request_id,rater,label\na,x,right\na,y,right\na,x,wrong\n")
    assert [(row.rater, row.visit) for _, row in read_rows(file)] == [("x", 1), ("y", 1), ("x", 2)]
