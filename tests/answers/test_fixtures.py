"""Against forms of answers, and real answers, that this project did not write: every one of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grader.answers.result import FoundAs, NoAnswer, Parsed, Reading, Unread
from tests.samples.answers import FIXTURES, PARSERS, short

pytestmark = pytest.mark.shared

TASKS = {
    "rushhour": "rush_hour",
    "sliding-puzzle": "sliding",
    "hinge-folding": "hinge_folding",
    "form-board": "form_board",
    "paper-fold": "paper_fold",
}
COUNTS = {"rushhour": 91, "sliding-puzzle": 23, "hinge-folding": 35, "form-board": 17, "paper-fold": 12}


def load(path: str) -> Any:
    # Without the folder there is nothing to collect, and the mark keeps the one test that says so out of the way.
    file = FIXTURES / path
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else []


FORMS = load("answer_forms.json")
RECORDS = load("expected_verdicts.json")


def text_of(record: dict[str, Any]) -> str:
    """What the model wrote; nothing where the request failed."""
    responses = load(f"responses/{record['file']}")["responses"]
    (found,) = [response for response in responses if response["puzzle_id"] == record["puzzle_id"]]
    return found["raw_text"] or ""


def expected_parse(record: dict[str, Any]) -> list[str] | str | None:
    """The recorded parse in short; an empty list of moves is no answer."""
    parsed = record["parsed"]
    match record["task"]:
        case "rushhour":
            short_moves = [move.replace(" forward", "+").replace(" backward", "-") for move in parsed or []]
            return short_moves or None
        case "hinge-folding":
            return [hinge + angle for hinge, angle in parsed] if parsed else None
        case "paper-fold":
            return parsed[0] if parsed else None
    return parsed or None


def test_there_is_something_to_compare() -> None:
    assert len(FORMS) == 34
    counts = {task: sum(record["task"] == task for record in RECORDS) for task in TASKS}
    assert counts == COUNTS


@pytest.mark.parametrize("reading", Reading, ids=lambda reading: reading.value.lower())
@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form['task']}-{form['text'][:40]!r}")
def test_forms(form: dict[str, Any], reading: Reading) -> None:
    expected = form[reading.value.lower()]
    found = PARSERS[form["task"]](form["text"], reading)
    if form["task"] == "rush_hour" or expected is None:
        assert short(found) == expected
    elif form["task"] == "hinge_folding":
        assert isinstance(found, Parsed)
        # As sums per hinge, which is what a pose depends on.
        assert {turn.hinge: turn.angle_deg for turn in found.value} == expected
        assert len(found.value) == len(expected)
    else:
        assert short(found) == expected


@pytest.mark.parametrize("task", TASKS)
def test_extracted_answers_agree(task: str) -> None:
    """All of them, to the character; an answer that was never given is MISSING."""
    differences = []
    for record in (record for record in RECORDS if record["task"] == task):
        found = PARSERS[TASKS[task]](text_of(record), Reading.LENIENT).extraction
        recorded, here = record["extracted_answer"], None if found.written is None else found.written.text
        if recorded != here:
            differences.append((record["file"], record["puzzle_id"], recorded, here))
        if recorded is None:
            assert (found.found_as, found.why_none) == (FoundAs.NONE, NoAnswer.MISSING)
        else:
            assert found.found_as in (FoundAs.JSON, FoundAs.FENCED_JSON)
    assert differences == []


@pytest.mark.parametrize("task", TASKS)
def test_parsed_answers_agree(task: str) -> None:
    """Where the record has a parse, both readings are it; where it says that there is none, there is none here."""
    differences = []
    for record in (record for record in RECORDS if record["task"] == task):
        if record["verdict"] == "no_metadata":
            continue  # those were extracted only; the next tests read them
        for reading in Reading:
            here = short(PARSERS[TASKS[task]](text_of(record), reading))
            if here != expected_parse(record):
                differences.append((record["file"], record["puzzle_id"], reading, expected_parse(record), here))
    assert differences == []


# The answers that the strict reading does not read, by how they begin, with what the strict and the lenient one say.
# Their record holds no parse; the two that are read leniently hedge, and name every angle.
UNREAD_STRICTLY = {
    "I’m not able to determine a reliable set": (NoAnswer.REFUSED, None),
    "I’m unable to reliably determine the exac": (NoAnswer.REFUSED, None),
    "Cannot determine the required rotations": (NoAnswer.REFUSED, None),
    "Unable to determine uniquely": (NoAnswer.REFUSED, None),
    "insufficient information": (NoAnswer.REFUSED, None),
    "unknown": (NoAnswer.REFUSED, None),
    "Approximate solution:": (NoAnswer.UNREADABLE, ["A270", "B90", "C270"]),
    "I'm not certain from the image alone": (NoAnswer.UNREADABLE, ["A90", "B90", "C270"]),
}


def test_answers_that_are_none() -> None:
    """Each answer that the strict reading does not read, with the reason; nothing else is unread."""
    reasons = dict.fromkeys(NoAnswer, 0)
    for record in RECORDS:
        parse, text, answer = PARSERS[TASKS[record["task"]]], text_of(record), record["extracted_answer"]
        strict, lenient = parse(text, Reading.STRICT), short(parse(text, Reading.LENIENT))
        if not isinstance(strict, Unread):
            continue
        reasons[strict.why] += 1
        if not answer:
            expected = (NoAnswer.MISSING if answer is None else NoAnswer.EMPTY, None)
        elif record["task"] == "rushhour":
            # One refusal, of several sentences.
            expected = (NoAnswer.REFUSED, None)
        else:
            (expected,) = [value for begin, value in UNREAD_STRICTLY.items() if answer.startswith(begin)]
        assert (strict.why, lenient) == expected, answer
    # One request failed; empty are 9 answers to sliding puzzles and 1 to a hinge folding.
    assert reasons == {NoAnswer.MISSING: 1, NoAnswer.EMPTY: 10, NoAnswer.REFUSED: 7, NoAnswer.UNREADABLE: 2,
                       NoAnswer.AMBIGUOUS: 0}  # fmt: skip
