"""Files of labels: what they may say, and how a wrong line is named."""

import pytest

from calibration.labels import CalibrationError, Question, read_people
from grader.model.errors import GraderError


def read(folder, text, name="people.csv"):
    (folder / name).write_text(text)
    return read_people([folder / name])


def test_the_two_forms_say_the_same(tmp_path):
    table = read(
        tmp_path,
        "\ufeffRequest_ID,rater,Label,stratum,seconds\na,x,Right,close,3\na,y,can\u2019t tell,close,2\nb,x,FAIL,,1\n",
    )
    lines = read(
        tmp_path,
        '{"request_id": "a", "rater": "x", "label": "correct", "stratum": "close", "seconds": 3}\n'
        '{"request_id": "a", "rater": "y", "label": "unsure", "stratum": "close"}\n'
        '{"request_id": "b", "rater": "x", "label": "wrong", "comment": null}\n',
        "people.jsonl",
    )
    for found in (table, lines):
        assert found.question is Question.RIGHT
        assert [(one.request_id, one.rater, one.level, one.stratum) for one in found.first] == [
            ("a", "x", 1, "close"), ("a", "y", None, "close"), ("b", "x", 0, ""),
        ]  # fmt: skip
        assert found.raters == ("x", "y")
    assert table.digest != lines.digest


def test_a_second_label_by_one_person_is_kept_apart(tmp_path):
    found = read(tmp_path, "request_id,rater,label\na,x,completely\na,x,Not at all\na,y,partially\n")
    assert found.question is Question.LEVELS
    assert [one.level for one in found.first] == [2, 1]
    assert [(one.rater, one.level) for one in found.again] == [("x", 0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("request_id,rater\na,x\n", r"people\.csv:1: needs request_id and label; it has request_id, rater"),
        ("request_id,label\n,right\n", r"people\.csv:2: request_id is empty"),
        ("request_id,label\na,right\nb,2\n", r"people\.csv:3: label is '2'; write right or wrong"),
        ("request_id,label\na,\n", r"people\.csv:2: label is ''"),
        ("request_id,label\na,right\na,right\n", r"people\.csv:3: request_id 'a' is labelled in .*:2 too; name the"),
        ("request_id,label\na,right\nb,partially\n", r"two questions: right or wrong in .*:2, how far in .*:3"),
        ("request_id,label\na,unsure\n", "no label says anything"),
        ("request_id,label\n", "no label says anything"),
        ("request_id,label\na,right,x\n", r"people\.csv:2: has 3 cells"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, text, message):
    with pytest.raises(GraderError, match=message):
        read(tmp_path, text)


def test_labels_of_another_type_are_named(tmp_path):
    with pytest.raises(GraderError, match=r"people\.jsonl:1: label must be a text, not 1"):
        read(tmp_path, '{"request_id": "a", "label": 1}\n', "people.jsonl")
    with pytest.raises(OSError, match="No such file"):
        read_people([tmp_path / "none.csv"])
    assert issubclass(CalibrationError, GraderError)
