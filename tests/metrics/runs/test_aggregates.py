"""Denominators of a run."""

import json

import pytest

from grader.metrics.runs.aggregates import (
    ItemEnd,
    ItemFault,
    ResultsError,
    fault_messages,
    first_faults,
    summarize,
    summarize_ends,
)


def line(outcome=None, code=0, reason=""):
    if outcome is None:
        return json.dumps({"requestId": "r", "status": {"code": code, "reason": reason}})
    return json.dumps({"requestId": "r", "verdict": {"outcome": f"OUTCOME_{outcome}"}, "status": {}})


def test_rates_are_over_all_candidates(tmp_path):
    """Case A15: 172 items, 108 pass, 24 of the rest are undecodable: 108 / 172 = 0.6279."""
    lines = [line("PASS")] * 108 + [line("UNGRADABLE")] * 24 + [line("FAIL")] * 40
    faults = [line(code=14, reason="WORKER_DIED")] * 3 + [line(code=3, reason="INVALID_FIELD")] * 2
    path = tmp_path / "results.jsonl"
    path.write_text("\n".join(lines) + "\n")
    summary = summarize(path)
    assert (summary.total, summary.graded, summary.passed, summary.failed, summary.ungradable) == (
        172,
        148,
        108,
        40,
        24,
    )
    assert round(summary.pass_rate, 4) == 0.6279
    path.write_text("\n".join(lines + faults) + "\n")
    more = summarize(path)
    assert (more.total, more.candidates, more.grader_failures, more.caller_errors) == (177, 172, 3, 2)
    assert more.pass_rate == summary.pass_rate


@pytest.mark.parametrize(
    ("code", "reason", "end"),
    [
        (3, "INVALID_FIELD", ItemEnd.CALLER_ERROR),
        (8, "MESSAGE_TOO_LARGE", ItemEnd.CALLER_ERROR),
        (9, "MEASURE_UNAVAILABLE", ItemEnd.MISSING_PRECONDITION),
        (8, "OVERLOADED", ItemEnd.GRADER_FAILURE),
        (13, "INTERNAL", ItemEnd.GRADER_FAILURE),
        (4, "DEADLINE_EXCEEDED", ItemEnd.GRADER_FAILURE),
    ],
)
def test_whose_fault(tmp_path, code, reason, end):
    path = tmp_path / "results.jsonl"
    path.write_text(line(code=code, reason=reason) + "\n")
    assert summarize(path) == summarize_ends([end])
    assert summarize(path).pass_rate is None


def test_measured_has_no_rate():
    summary = summarize_ends([ItemEnd.MEASURED, ItemEnd.MEASURED])
    assert (summary.graded, summary.measured, summary.candidates, summary.pass_rate) == (2, 2, 0, None)


@pytest.mark.parametrize("bad", ["junk", "[]", "{}", line("UNSPECIFIED"), '{"verdict": {"outcome": 3}, "status": {}}'])
def test_a_line_that_is_no_result_is_named(tmp_path, bad):
    path = tmp_path / "results.jsonl"
    path.write_text(f"{line('PASS')}\n{bad}\n")
    with pytest.raises(ResultsError, match=r"results.jsonl:2: this line is no GradeBatchResponse"):
        summarize(path)


def test_the_first_faults_are_named_in_the_order_of_the_lines(tmp_path):
    path = tmp_path / "results.jsonl"
    items = [
        {"requestId": name, "status": {"code": code, "message": f"why {name}"}}
        for name, code in zip("abcd", (3, 13, 3, 3), strict=True)
    ]
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    assert first_faults(path, ItemEnd.CALLER_ERROR, 2) == (ItemFault("a", "why a"), ItemFault("c", "why c"))
    assert first_faults(path, ItemEnd.GRADER_FAILURE, 5) == (ItemFault("b", "why b"),)
    assert first_faults(path, ItemEnd.PASS, 5) == ()


def test_what_is_not_installed_is_no_failure_of_the_grader():
    summary = summarize_ends([ItemEnd.PASS, ItemEnd.MISSING_PRECONDITION, ItemEnd.MISSING_PRECONDITION])
    assert (summary.total, summary.missing_preconditions, summary.grader_failures) == (3, 2, 0)
    assert (summary.candidates, summary.pass_rate) == (1, 1.0)


def test_messages_of_faults_are_said_once_each(tmp_path):
    path = tmp_path / "results.jsonl"
    said = [(9, "get torch"), (9, "get weights"), (9, "get torch"), (13, "a bug")]
    items = [{"requestId": str(at), "status": {"code": code, "message": text}} for at, (code, text) in enumerate(said)]
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    assert fault_messages(path, ItemEnd.MISSING_PRECONDITION) == (("get torch", 2), ("get weights", 1))
    assert fault_messages(path, ItemEnd.CALLER_ERROR) == ()
