"""Messages of a stream for tests."""

from grader.v1 import calibration_service_pb2 as messages
from grader.v1 import verdict_pb2

OUTCOMES = {
    "PASS": verdict_pb2.OUTCOME_PASS,
    "FAIL": verdict_pb2.OUTCOME_FAIL,
    "UNGRADABLE": verdict_pb2.OUTCOME_UNGRADABLE,
}


def candidate(name, outcome="PASS", score=None, *labels, puzzle="", model="A", **more):
    """Labels are words, or (rater, word)."""
    verdict = verdict_pb2.Verdict(outcome=OUTCOMES.get(outcome, outcome), score=score)
    made = verdict.provenance
    made.grader_version, made.profile, made.profile_digest = "0.1.0", "default", "0" * 64
    said = [("", one) if isinstance(one, str) else one for one in labels]
    return messages.LabelledVerdict(
        **{
            "request_id": name,
            "task": "maze",
            "puzzle_id": puzzle,
            "model": model,
            "verdict": verdict,
            "labels": [messages.PersonLabel(rater=rater, label=label) for rater, label in said],
            **more,
        }
    )


def many(count=400):
    """Wrong ones have scores up to 0.49, right ones from 0.5 on; the grader passes from 0.3 on."""
    return [
        candidate(
            f"p{at}",
            "PASS" if at % 100 >= 30 else "FAIL",
            at % 100 / 100,
            "right" if at % 100 >= 50 else "wrong",
            puzzle=f"puzzle {at // 2}",
        )
        for at in range(count)
    ]


def rows(answer, key):
    """The rows of a table: what each cell has, by the key of its column."""
    (table,) = [one for one in answer.tables if one.key == key]
    return [{name: getattr(cell, cell.WhichOneof("value")) for name, cell in row.cells.items()} for row in table.rows]
