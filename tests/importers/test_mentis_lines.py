"""Answers a line each, as one writes them oneself: on one's own puzzles and on public ones, as JSON Lines and CSV."""

import json

import pytest
from google.protobuf import json_format
from typer.testing import CliRunner

from grader.cli.main import app
from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.missing import MissingAnswers
from grader.importers.mentisoculi.importer import MentisSources, import_mentisoculi
from grader.v1 import service_pb2
from tests.samples.mentis import data_set, lot_record, write

OWN = ("rush-hour-1-0000000", "rush-hour-1-0000001")


@pytest.fixture
def own(tmp_path):
    """Two lots where `grader make rush-hour` puts them; R forward solves each."""
    for name in OWN:
        write(tmp_path / "data/instances" / name / "metadata.json", lot_record(1, 0))
    return tmp_path


def lines(path, *entries):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return path


def imported(tmp_path, answers, **more):
    sources = MentisSources(instances=tmp_path / "data", answers=answers, **more)
    made = import_mentisoculi(sources, tmp_path / "run.jsonl", progress=False)
    text = made.manifest.read_text(encoding="utf-8").splitlines()
    return made, [json_format.Parse(line, service_pb2.GradeRequest()) for line in text]


def codes(requests):
    engine = Engine()
    verdicts = [engine.grade(job_from_proto(request, lambda media, _: media.data)) for request in requests]
    return [[reason.code for reason in verdict.reasons] for verdict in verdicts]


def test_words_on_own_puzzles(tmp_path):
    """From `grader make` to a verdict, as a user does it."""
    made = ["make", "rush-hour", "--out", str(tmp_path / "lots"), "--level", "1", "--count", "2", "--video-size", "0",
            "--jobs", "1"]  # fmt: skip
    assert CliRunner().invoke(app, made).exit_code == 0
    first, second = sorted((tmp_path / "lots/instances").iterdir())
    answer = json.loads((first / "answer.json").read_text())
    lines(
        tmp_path / "answers.jsonl",
        {"puzzle": first.name, "model": "mine", "attempt": 1, "text": json.dumps(answer)},
        {"puzzle": f"rushhour/{second.name}", "model": "mine", "attempt": 1, "text": "I can't help with that."},
    )
    done = CliRunner().invoke(
        app,
        [
            *("import", "mentisoculi", str(tmp_path / "lots"), "--answers", str(tmp_path / "answers.jsonl")),
            *("--manifest", str(tmp_path / "run.jsonl")),
        ],
    )
    assert (done.exit_code, done.stderr) == (0, "")
    requests = [
        json_format.Parse(line, service_pb2.GradeRequest())
        for line in (tmp_path / "run.jsonl").read_text().splitlines()
    ]
    assert [(one.model, one.attempt, one.tags["level"]) for one in requests] == [("mine", 1, "1")] * 2
    assert codes(requests) == [[], ["ANSWER_REFUSED"]]


def test_lines_say_model_attempt_and_strategy(own):
    answers = lines(
        own / "a.jsonl",
        {"puzzle": OWN[0], "model": "a", "attempt": 1, "text": "one"},
        {"puzzle": OWN[0], "model": "a", "attempt": "2", "text": "two"},
        {"puzzle_id": f"rushhour/{OWN[1]}", "model": "a", "attempt": 1, "output_text": "three"},
        {"puzzle": OWN[0], "text": "four", "strategy": "cot"},
        {"puzzle": "nowhere", "model": "a", "text": "five"},
    )
    made, requests = imported(own, answers, model="b")
    assert [(one.model, one.tags["strategy"], one.puzzle_id[-1], one.attempt, one.text) for one in requests] == [
        ("a", "", "0", 1, "one"),
        ("a", "", "1", 1, "three"),
        ("a", "", "0", 2, "two"),
        ("b", "cot", "0", 0, "four"),
        # Attempt 2 of the one, and the only one of the other.
        ("a", "", "1", 2, ""),
        ("b", "cot", "1", 0, ""),
    ]
    assert len({one.request_id for one in requests}) == 6
    assert [one.tags.get("missing") for one in requests] == [None] * 4 + ["true"] * 2
    assert made.missing_answers == (f"a rushhour/{OWN[1]}", f"b cot rushhour/{OWN[1]}")
    assert made.unmatched_answers == ("a nowhere",)
    made, requests = imported(own, answers, model="b", missing=MissingAnswers.LEAVE_OUT)
    assert (len(requests), len(made.missing_answers)) == (4, 2)


def test_csv_says_the_same(own):
    text = f'puzzle,model,attempt,text\r\n{OWN[0]},a,1,"A forward,\nR ""forward"""\r\n\r\n{OWN[1]},a,1,\r\n'
    (own / "a.csv").write_text("\ufeff" + text, encoding="utf-8")
    made, (first, second) = imported(own, own / "a.csv")
    assert (first.text, first.attempt, first.tags.get("missing")) == ('A forward,\nR "forward"', 1, None)
    # CSV has no null: an empty cell is an answer that is missing.
    assert (second.text, second.tags["missing"]) == ("", "true")
    assert made.missing_answers == (f"a rushhour/{OWN[1]}",)


def test_why_a_service_stopped_a_model_is_told(own):
    answers = lines(
        own / "a.jsonl",
        {"puzzle": OWN[0], "text": None, "finish_reason": "content_filter"},
        {"puzzle": OWN[1], "text": "", "stop_reason": "length"},
    )
    made, requests = imported(own, answers)
    assert made.missing_answers == ()
    assert [one.tags["finish_reason"] for one in requests] == ["content_filter", "length"]
    assert codes(requests) == [["ANSWER_REFUSED"], ["ANSWER_MISSING"]]
    # With a text it does not matter.
    _, (first, _) = imported(own, lines(own / "a.jsonl", {"puzzle": OWN[0], "text": "x", "finish_reason": "length"}))
    assert (first.text, "finish_reason" in first.tags) == ("x", False)


def test_lines_may_be_about_public_puzzles(tmp_path):
    data_set(tmp_path / "data")
    answers = lines(
        tmp_path / "in" / "a.jsonl",
        {"puzzle": "rushhour/level_01/puzzle_0001", "text": "a"},
        {"puzzle": "rush_hour/level_1/puzzle_2", "text": "b"},
    )
    # Of a folder, files without such lines are passed over.
    (tmp_path / "in" / "scores.csv").write_text("model,score\na,1\n")
    _, requests = imported(tmp_path, answers.parent)
    assert [(one.puzzle_id[-4:], one.text) for one in requests] == [("0001", "a"), ("0002", "b")]
    with pytest.raises(ImportFormatError, match=r"a\.jsonl:1: puzzle is \"puzzle_0001\" and may be rushhour/level_01"):
        imported(tmp_path, lines(tmp_path / "a.jsonl", {"puzzle": "puzzle_0001", "text": "a"}))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", "{", r"a\.jsonl:1: is not JSON"),
        ("a.jsonl", "\n[]", r"a\.jsonl:2: must hold an object"),
        ("a.jsonl", '{"text": "a"}', r"a\.jsonl:1: puzzle is missing"),
        ("a.jsonl", '{"puzzle": "a"}', r"a\.jsonl:1: text is missing; it is null where the model gave none"),
        ("a.jsonl", '{"puzzle": 3, "text": "a"}', r"a\.jsonl:1: puzzle must be a text, not 3; write a line an answer"),
        ("a.jsonl", '{"puzzle": "a", "text": 3}', r"a\.jsonl:1: text must be a text, not 3"),
        ("a.jsonl", '{"puzzle": "a", "text": "a", "attempt": 0}', r"attempt must be a whole number from 1, not 0"),
        ("a.jsonl", f'{{"puzzle": "{OWN[0]}", "text": "a"}}\n' * 2, r"a\.jsonl:2: .*is a second answer to rushhour/"),
        (
            "a.jsonl",
            f'{{"puzzle": "{OWN[0]}", "text": "a"}}\n{{"puzzle": "{OWN[1]}", "text": "a", "attempt": 1}}',
            r"a\.jsonl:2: attempt is said in some lines of a model and not in others",
        ),
        ("a.csv", "puzzle,score\na,b", r"a\.csv:2: text is missing"),
        ("a.csv", "puzzle,text\na,b,c", r"a\.csv:2: has 3 cells, and the header 2; quote texts"),
        ("a.csv", 'puzzle,text\na,"b', r"a\.csv:2: is no CSV"),
    ],
)
def test_broken_lines_are_named(own, name, content, message):
    (own / name).write_text(content)
    with pytest.raises(ImportFormatError, match=message):
        imported(own, own / name)
    assert not (own / "run.jsonl").exists()
