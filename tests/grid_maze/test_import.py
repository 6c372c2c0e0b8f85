"""``grader import mazebench``: mazes in the public form, answers with what they took, and what is missing."""

from __future__ import annotations

import json

import pytest

from grader.importers.common.errors import ImportFormatError
from grader.importers.common.missing import MissingAnswers
from grader.importers.mazebench.importer import BenchSources, import_mazebench
from grader.make.grid_mazes import make_grid_mazes
from grader.runs.manifest import load_manifest
from puzzles.grid_maze.recipes import group_recipes
from tests.cli.run import run
from tests.grid_maze.answers import NO_PATH, said

RECIPES = [one for one in group_recipes() if one.number in (1, 2, 39, 40, 51)]  # of A two, a pair of D, one of E


@pytest.fixture(scope="module")
def mazes(tmp_path_factory):
    """Five mazes of three groups."""
    out = tmp_path_factory.mktemp("mazes")
    make_grid_mazes(out, RECIPES, progress=False)
    return out


def lines(path, *entries):
    path.write_text("".join(json.dumps(one) + "\n" for one in entries), encoding="utf-8")
    return path


def imported(mazes, tmp_path, answers, **more):
    summary = import_mazebench(BenchSources(mazes, answers, **more), tmp_path / "m.jsonl", progress=False)
    manifest = load_manifest(summary.manifest)
    return summary, [manifest.read(index, max_bytes=1 << 20) for index in range(len(manifest))]


def test_an_answer_becomes_a_request_with_all_that_tables_need(mazes, tmp_path):
    entry = {"maze": "gen_maze_040.png", "model": "one", "condition": "image", "text": said(), "thinking_tokens": 900}
    entry |= {"output_tokens": 120, "latency_s": 12.5, "finish_reason": "stop"}
    answers = lines(tmp_path / "a.jsonl", entry)
    summary, requests = imported(mazes, tmp_path, answers, missing=MissingAnswers.LEAVE_OUT)
    (request,) = requests
    assert (request.request_id, request.puzzle_id, request.model) == ("one/image/gen_maze_040", "gen_maze_040", "one")
    assert request.text == said()
    meta = json.loads((mazes / "meta.json").read_text(encoding="utf-8"))["gen_maze_040"]
    annotated = json.loads((mazes / "maze_annotations.json").read_text(encoding="utf-8"))["gen_maze_040"]
    assert list(request.grid_maze.puzzle.rows) == meta["text_grid"]
    assert request.grid_maze.truth.reachable is True
    assert list(request.grid_maze.truth.accepted_shortest_paths) == annotated["accepted_shortest_paths"]
    assert dict(request.tags) == {
        "group": "D",
        "level": "D",
        "palette": meta["palette"],
        "traps": "with",
        "border": "without",
        "pair": "D-4001",
        "condition": "image",
        "tokens": "1020",
        "latency_s": "12.5",
        "finish_reason": "stop",
    }
    assert (summary.mazes, summary.without_answers, summary.cut_off) == (5, 4, 0)


def test_who_answered_one_maze_of_a_group_was_asked_all_of_it(mazes, tmp_path):
    answers = lines(
        tmp_path / "a.jsonl",
        {"maze": "gen_maze_001", "model": "one", "text": said()},
        {"maze": "gen_maze_039", "model": "one", "text": None, "finish_reason": "max_tokens", "tokens": 8192},
        {"maze": "gen_maze_051", "model": "two", "text": None},
        {"maze": "gen_maze_099", "model": "two", "text": said()},
    )
    summary, requests = imported(mazes, tmp_path, answers)
    found = {one.request_id: (one.text, one.tags.get("missing"), one.tags.get("cut_off")) for one in requests}
    assert found == {
        "one/gen_maze_001": (said(), None, None),
        "one/gen_maze_039": ('{"finish_reason": "max_tokens"}', None, "true"),
        "two/gen_maze_051": ("", "true", None),
        "one/gen_maze_002": ("", "true", None),
        "one/gen_maze_040": ("", "true", None),
    }
    assert summary.missing_answers == ("two gen_maze_051", "one gen_maze_002", "one gen_maze_040")
    assert (summary.unmatched_answers, summary.cut_off) == (("two gen_maze_099",), 1)
    left, kept = imported(mazes, tmp_path, answers, missing=MissingAnswers.LEAVE_OUT)
    assert (left.requests, len(kept)) == (2, 2)


def test_csv_and_files_that_say_once_what_holds_for_all_are_read(mazes, tmp_path):
    table = tmp_path / "a.csv"
    table.write_text('maze,text,total_tokens,latency_ms\ngen_maze_001,"{""path"": ""R""}",900,1500\n', encoding="utf-8")
    whole = tmp_path / "a.json"
    whole.write_text(
        json.dumps({"model": "m", "condition": "text_grid", "results": [{"name": "gen_maze_001", "output_text": "x"}]}),
        encoding="utf-8",
    )
    _, (first, *_) = imported(mazes, tmp_path, table, model="m", condition="image")
    assert (first.request_id, first.tags["tokens"], first.tags["latency_s"]) == ("m/image/gen_maze_001", "900", "1.5")
    _, (first, *_) = imported(mazes, tmp_path, whole)
    assert (first.request_id, first.text) == ("m/text_grid/gen_maze_001", "x")
    (tmp_path / "both").mkdir()
    for path in (table, whole):
        path.rename(tmp_path / "both" / path.name)
    summary, _ = imported(mazes, tmp_path, tmp_path / "both", missing=MissingAnswers.LEAVE_OUT)
    assert summary.requests == 2


def test_annotations_survive_the_round_trip_and_may_be_left_out(tmp_path):
    make_grid_mazes(tmp_path / "mazes", RECIPES[:1], progress=False)
    answers = lines(tmp_path / "a.jsonl", {"maze": "gen_maze_001", "text": json.dumps(NO_PATH)})
    (tmp_path / "mazes" / "maze_annotations.json").unlink()
    _, (request,) = imported(tmp_path / "mazes", tmp_path, answers)
    assert not request.grid_maze.HasField("truth")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"text": "x"}, "maze is missing"),
        ({"maze": "gen_maze_001"}, "text is missing"),
        ({"maze": "gen_maze_001", "text": 5}, "text"),
        ({"maze": "gen_maze_001", "text": "x", "tokens": "many"}, "tokens must be a number from 0"),
        ({"maze": "gen_maze_001", "text": "x", "latency_s": -1}, "latency_s must be a number from 0"),
        ({"maze": "gen_maze_001", "text": "x", "attempt": 0}, "attempt"),
        ({"maze": "maze_7", "text": "x"}, "nothing belongs to the 5 mazes"),
    ],
)
def test_a_broken_answer_is_named_by_line_and_field(mazes, tmp_path, entry, message):
    answers = lines(tmp_path / "a.jsonl", entry)
    with pytest.raises(ImportFormatError, match=message):
        imported(mazes, tmp_path, answers)


def test_an_answer_that_is_there_twice_is_refused(mazes, tmp_path):
    entry = {"maze": "gen_maze_001", "text": "x"}
    said = r"a\.jsonl:2 is a second answer to gen_maze_001, after .*a\.jsonl:1; say in attempt, from 1, which each is"
    with pytest.raises(ImportFormatError, match=said):
        imported(mazes, tmp_path, lines(tmp_path / "a.jsonl", entry, entry))
    _, requests = imported(mazes, tmp_path, lines(tmp_path / "a.jsonl", entry | {"attempt": 1}, entry | {"attempt": 2}))
    assert [one.request_id for one in requests[:2]] == ["gen_maze_001/attempt_1", "gen_maze_001/attempt_2"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("meta.json", None, r"has no meta\.json, which holds the grids"),
        ("meta.json", {}, "holds no maze"),
        ("meta.json", {"a": {"text_grid": ["S.", ".X"]}}, "text_grid is no grid: row 1 has 'X'"),
        ("meta.json", {"a": {"text_grid": [1]}}, "text_grid must be a list of rows"),
        ("maze_annotations.json", {"a": {"reachable": True, "accepted_shortest_paths": [1]}}, "list of texts"),
    ],
)
def test_broken_mazes_are_named_by_file_and_field(tmp_path, name, content, message):
    (tmp_path / "meta.json").write_text(json.dumps({"a": {"text_grid": ["S.", ".G"]}}), encoding="utf-8")
    if content is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ImportFormatError, match=message):
        imported(tmp_path, tmp_path, lines(tmp_path / "a.jsonl", {"maze": "a", "text": "x"}))


def test_the_command_says_what_it_made_and_what_is_missing(mazes, tmp_path):
    answers = lines(
        tmp_path / "a.jsonl",
        {"maze": "gen_maze_001", "text": "x", "stop_reason": "length"},
        {"maze": "gen_maze_111", "text": "x"},
    )
    done = run("import", "mazebench", mazes, "--answers", answers, "--manifest", tmp_path / "m.jsonl")
    assert done.exit_code == 0
    assert f"{tmp_path / 'm.jsonl'}: 2 requests" in done.output
    for note in ("1 answer has the tag cut_off", "1 answer is missing and counts as wrong", "3 of 5 instances have"):
        assert note in done.output
    assert "1 answer is to a maze that is not there: gen_maze_111" in done.output
