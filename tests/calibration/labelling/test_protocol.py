"""What people are asked: the published protocols, and own ones from a file."""

import json

import pytest

from calibration.labelling.protocol import BUILT_IN, load_protocol, parse_protocol
from calibration.labels import CalibrationError, read_people
from grader.tasks.registry import list_tasks
from tests.calibration.labelling.study import own_protocol


def labels_of(protocol):
    return {one.name: [label.label for label in one.labels] for one in protocol.questions}


def test_the_published_protocols():
    levels = ["completely", "partially", "not_at_all"]
    assert labels_of(load_protocol("right_or_wrong")) == {"right": ["right", "wrong", "cant_tell"]}
    assert labels_of(load_protocol("three_levels")) == {"ic": levels, "el": levels, "ac": levels}


def test_hints_are_of_tasks():
    """A task without a hint is labelled without one."""
    hints = load_protocol("right_or_wrong").hints
    assert {"maze", "queens", "spatial_edit"} <= set(hints) <= {task.name for task in list_tasks()}


@pytest.mark.parametrize("name", BUILT_IN)
def test_what_they_say_is_what_a_calibration_reads(tmp_path, name):
    for question, labels in labels_of(load_protocol(name)).items():
        file = tmp_path / "labels.csv"
        file.write_text("request_id,label\n" + "".join(f"{at},{label}\n" for at, label in enumerate(labels)))
        assert len(read_people([file]).first) == len(labels), question


def test_an_own_protocol_is_a_file(tmp_path):
    file = tmp_path / "own.json"
    file.write_text(own_protocol(hints={"maze": "Look at the goal."}))
    found = load_protocol(str(file))
    assert (found.name, labels_of(found), found.hints) == (
        "own",
        {"q": ["right", "wrong"]},
        {"maze": "Look at the goal."},
    )
    with pytest.raises(CalibrationError, match="no protocol 'nowhere'; take right_or_wrong or three_levels, or a JSON"):
        load_protocol("nowhere")


LABEL = {"key": "y", "label": "right", "text": "yes"}
OTHER = {"key": "n", "label": "wrong", "text": "no"}


def asked(*labels, **more):
    return {"name": "q", "text": "Well?", "labels": list(labels)} | more


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"questions": []}, "questions: list should have at least 1"),
        ({"questions": [asked(LABEL)]}, "questions[0].labels: list should have at least 2"),
        ({"questions": [asked(LABEL, OTHER | {"key": "Y"})]}, "questions[0]: two labels have one key"),
        ({"questions": [asked(LABEL, OTHER | {"label": "right"})]}, "questions[0]: two labels have one label"),
        ({"questions": [asked(LABEL, OTHER | {"key": "U"})]}, "questions[0]: the page needs the key 'u' itself"),
        ({"questions": [asked(LABEL, OTHER | {"key": "no"})]}, "questions[0].labels[1].key: string should have at"),
        ({"questions": [asked(LABEL, OTHER), asked(LABEL, OTHER)]}, "it: two questions have one name"),
        ({"questions": [asked(LABEL, OTHER, name="Q 1")]}, "questions[0].name: string should match pattern"),
        ({"color": "red"}, "color: extra inputs are not permitted"),
        ({"description": 5}, "description: input should be a valid string"),
    ],
)  # fmt: skip
def test_each_wrong_field_is_named(more, fault):
    with pytest.raises(CalibrationError) as caught:
        parse_protocol(own_protocol(**more).encode(), "own.json")
    assert "own.json is no protocol:\n" in str(caught.value)
    assert fault in str(caught.value)


@pytest.mark.parametrize("text", [b"{", b"[1]", b'"x"', json.dumps(None).encode()])
def test_what_is_no_object_is_refused(text):
    with pytest.raises(CalibrationError, match=r"own.json is no (JSON|protocol)"):
        parse_protocol(text, "own.json")
