"""What comes of the messages of a stream, without a server."""

import json
import math

import pytest

from calibration.service.process import StreamLimits, StreamWork
from grader.v1 import calibration_service_pb2 as messages
from grader.v1 import service_pb2
from tests.calibration.service.stream import candidate, many, rows

QUICK = {"resamples": 0}


def worked(*items, limits=None, **options):
    """The answer to a stream, or the status that ends it."""
    work = StreamWork(limits or StreamLimits(1000, 10_000))
    first = messages.CalibrateRequest(options=messages.CalibrateOptions(**QUICK | options))
    for one in (first, *(messages.CalibrateRequest(candidate=item) for item in items)):
        status = work.take(one.SerializeToString())
        if status is not None:
            return status
    return work.end()


def wrong_fields(status):
    assert (status.code, status.reason) == (3, "INVALID_FIELD")
    return [(one.field, one.reason) for one in status.field_violations]


FOUR = (
    candidate("a", "PASS", 0.9, ("x", "right"), ("y", "right")),
    candidate("b", "PASS", 0.8, ("x", "wrong"), ("y", "wrong"), model="B"),
    candidate("c", "FAIL", 0.7, ("x", "right"), ("y", "cant_tell")),
    candidate("d", "FAIL", 0.1, ("x", "wrong"), ("y", "wrong"), ("x", "right")),
    candidate("e", "UNGRADABLE"),
)


def test_a_stream_gets_the_figures_of_the_command():
    """a and d as people say, b passes falsely, c fails falsely: kappa 0. Scores order 3 of 4 pairs as people do."""
    answer = worked(*FOUR)
    said = answer.labels
    assert (said.question, list(said.raters), said.labels, said.candidates, said.told, said.unlabelled) == (
        "right_or_wrong", ["x", "y"], 9, 4, 4, 1,
    )  # fmt: skip
    (people,), (verdicts,) = rows(answer, "people"), rows(answer, "verdicts")
    assert (people["percent"].value, people["unsure"].count, people["unsure"].of) == (1.0, 1, 8)
    assert (verdicts["n"], verdicts["accuracy"].value, verdicts["kappa"].value) == (4, 0.5, 0.0)
    assert verdicts["auroc"].value == 0.75
    assert {row["model"]: row["accuracy"].value for row in rows(answer, "verdicts_by_model")}["B *"] == 0.0
    assert [(one.request_id, one.people) for one in answer.disagreements] == [("b", "wrong"), ("c", "right")]
    assert rows(answer, "pass_rate")[2]["rate"].value == 0.4
    assert not answer.HasField("profile")


def test_what_was_fitted_is_a_profile_that_engines_load(tmp_path):
    from grader.profiles.reading import load_profiles

    answer = worked(*many(), profile_name="strict", most_false_passes=0.2)
    cost, bound = answer.thresholds
    assert (cost.threshold, cost.judged.false_passes, cost.judged.false_fails) == (0.5, 0, 0)
    assert 0.4 < bound.threshold < 0.5
    assert answer.maps[0].isotonic.probabilities[0] == 0.0
    assert answer.maps[1].unavailable_reason
    content = json.loads(answer.profile.json)
    assert content["calibration"]["threshold"] == bound.threshold
    assert content["calibration"]["labels"]["digest"] == answer.labels.digest
    (tmp_path / "strict.json").write_text(answer.profile.json)
    with pytest.raises(Exception, match=r"0\.1\.0"):  # what it was fitted to is not this version; it is read, and told
        load_profiles(tmp_path)
    platt = worked(*many(), profile_name="cheap", profile_threshold=messages.THRESHOLD_RULE_COST,
                   fit=messages.PROBABILITY_FIT_PLATT)  # fmt: skip
    assert platt.maps[0].platt.slope > 0
    assert json.loads(platt.profile.json)["calibration"]["threshold"] == 0.5


def test_without_enough_labels_there_is_agreement_and_no_profile():
    answer = worked(*FOUR, profile_name="strict")
    assert answer.profile.json == ""
    assert "no threshold" in answer.profile.unavailable_reason
    assert answer.thresholds[1].unavailable_reason


def test_each_wrong_field_of_a_message_is_named():
    bad = candidate("", "PASS", 1.5, "maybe", task="chess", attempt=-1, puzzle="p" * 513)
    bad.verdict.metrics.add(name="", value=math.nan)
    assert set(wrong_fields(worked(FOUR[0], bad))) == {
        ("candidates[1].request_id", "MISSING"),
        ("candidates[1].puzzle_id", "TOO_LONG"),
        ("candidates[1].task", "UNKNOWN"),
        ("candidates[1].attempt", "OUT_OF_RANGE"),
        ("candidates[1].verdict.score", "OUT_OF_RANGE"),
        ("candidates[1].verdict.metrics[0].name", "MISSING"),
        ("candidates[1].verdict.metrics[0].value", "OUT_OF_RANGE"),
        ("candidates[1].labels[0].label", "UNKNOWN"),
    }


@pytest.mark.parametrize(
    ("items", "field", "reason"),
    [
        ((FOUR[0], FOUR[0]), "candidates[1].request_id", "MISMATCH"),
        ((candidate("a", 0, None, "right"),), "candidates[0].verdict.outcome", "MISSING"),
        ((FOUR[0], candidate("b", "PASS", None, "partially")), "candidates[1].labels[0].label", "MISMATCH"),
        ((candidate("a", "PASS", None, "right", "wrong"),), "candidates[0].labels[0].rater", "MISSING"),
        ((candidate("a", "PASS", None, *[("x", "right")] * 101),), "candidates[0].labels", "TOO_LONG"),
        ((candidate("a"),), "candidates", "MISSING"),
        ((candidate("a", "PASS", None, "cant_tell"),), "candidates", "MISSING"),
        ((candidate("a", 4, None, "right"),), "candidates", "MISMATCH"),
    ],
    ids=["twice", "no verdict", "two questions", "who", "many labels", "no labels", "nobody knows", "measured"],
)
def test_what_can_t_be_used_is_refused(items, field, reason):
    assert (field, reason) in wrong_fields(worked(*items))


@pytest.mark.parametrize(
    ("options", "field", "reason"),
    [
        ({"number": "sore"}, "options.number", "MISMATCH"),
        ({"by": ["geometri"]}, "options.by", "UNKNOWN"),
        ({"by": ["a,,b"]}, "options.by", "OUT_OF_RANGE"),
        ({"by": ["task"] * 9}, "options.by", "TOO_LONG"),
        ({"split_share": 1.0}, "options", "OUT_OF_RANGE"),
        ({"most_false_passes": math.nan}, "options", "OUT_OF_RANGE"),
        ({"resamples": 10**6}, "options.resamples", "OUT_OF_RANGE"),
        ({"seed": -1}, "options.seed", "OUT_OF_RANGE"),
        ({"fit": 9}, "options.fit", "UNKNOWN"),
        ({"profile_name": "../x"}, "options.profile_name", "OUT_OF_RANGE"),
    ],
)
def test_wrong_options_are_refused_by_name(options, field, reason):
    assert (field, reason) in wrong_fields(worked(*FOUR, **options))


def test_options_come_first_and_messages_hold_something():
    work = StreamWork(StreamLimits(10, 10))
    options = messages.CalibrateRequest(options=messages.CalibrateOptions())
    assert wrong_fields(work.take(messages.CalibrateRequest().SerializeToString())) == [("item", "MISSING")]
    assert work.take(messages.CalibrateRequest(candidate=FOUR[0]).SerializeToString()) is None
    assert wrong_fields(work.take(options.SerializeToString())) == [("options", "NOT_TAKEN")]
    assert wrong_fields(work.take(b"\xff\xff")) == [("", "UNDECODABLE")]


def test_a_stream_is_bounded():
    for limits, what in ((StreamLimits(2, 100), "2 candidates"), (StreamLimits(100, 3), "3 labels")):
        status = worked(*FOUR, limits=limits)
        assert isinstance(status, service_pb2.ItemStatus)
        assert (status.code, status.reason) == (8, "STREAM_TOO_LONG")
        assert what in status.message


def test_the_order_of_a_stream_changes_no_figure():
    one, two = worked(*FOUR), worked(*reversed(FOUR))
    assert rows(one, "verdicts") == rows(two, "verdicts")
    assert rows(one, "people") == rows(two, "people")
