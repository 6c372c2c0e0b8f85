"""What a model was asked and did not answer: which attempts that are, and that they can't pass and are counted."""

import json

import pytest

from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.importers.amaze.files import outputs_by_instance
from grader.importers.amaze.importer import import_amaze
from grader.importers.common.manifest_file import media_outside
from grader.importers.common.missing import MissingAnswers, missing_attempts, missing_names
from grader.model.verdict import Outcome
from grader.runs.manifest import load_manifest
from tests.importers.test_amaze import AMAZE, BOARD, MAZE, drawn, instance, table
from tests.samples.mentis import write


@pytest.mark.parametrize(
    ("given", "lacking"),
    [
        ({"a": [], "b": []}, {}),  # nobody was asked
        ({"a": [0], "b": []}, {"b": (0,)}),
        ({"a": [1], "b": []}, {"b": (1,)}),
        ({"a": [1, 2], "b": [2], "c": []}, {"b": (1,), "c": (1, 2)}),
        ({"a": [1, 2], "b": [0]}, {}),  # not numbered: it may be all of them
        ({"a": [0, 0, 0], "b": [], "c": [0]}, {"b": (0,)}),
        ({"a": [31], "b": [32], "c": []}, {"c": (0,)}),  # a number of all files
        ({"a": [1, 2], "b": [3, 4], "c": [5]}, {"c": (0,)}),
    ],
)
def test_which_attempts_are_missing(given, lacking):
    assert missing_attempts(given) == lacking


def test_names_of_missing_attempts_differ():
    assert list(missing_names((0,))) == [("missing", 0)]
    assert list(missing_names((0, 0))) == [("missing_1", 0), ("missing_2", 0)]
    assert list(missing_names((2, 5))) == [("missing_2", 2), ("missing_5", 5)]


def lines_of(made):
    return [json.loads(line) for line in made.manifest.read_text().splitlines()]


def test_mazes_and_boards_without_an_output(tmp_path):
    for name, record in (("maze-1", MAZE), ("maze-2", MAZE), ("queens", BOARD), ("queens-2", BOARD)):
        instance(tmp_path / "instances" / name, record)
    # Of another task, in the same folder: nobody asked for it here.
    write(tmp_path / "instances" / "rush-hour-1-0" / "metadata.json", {"board": {}})
    drawn(*(tmp_path / "outputs" / "maze-1" / f"try_{number}.png" for number in (1, 2)))
    drawn(tmp_path / "outputs" / "maze-2" / "try_2.png")
    drawn(tmp_path / "outputs" / "queens" / "try_1.png")
    made = import_amaze(tmp_path, None, tmp_path / "run.jsonl", model="m", progress=False)
    # Boards are a set of their own: that mazes have two attempts says nothing of them.
    assert made.missing_answers == ("maze-2/missing_1", "queens-2/missing_1")
    lines = lines_of(made)
    assert len(lines) == made.requests == 6
    for line in lines:
        missing = "missing" in line["requestId"]
        assert line["tags"].get("missing") == ("true" if missing else None)
        assert (line["image"] == {"data": ""}) == missing
        assert line["model"] == "m"
    assert [line["attempt"] for line in lines] == [1, 2, 2, 1, 1, 1]
    made = import_amaze(tmp_path, None, tmp_path / "run.jsonl", missing=MissingAnswers.LEAVE_OUT, progress=False)
    assert (made.requests, made.instances_without_outputs, len(made.missing_answers)) == (4, 2, 2)


def test_boards_of_which_there_is_nothing_were_not_asked(tmp_path):
    for name, record in (("maze", MAZE), ("queens", BOARD)):
        instance(tmp_path / "instances" / name, record)
    drawn(tmp_path / "outputs" / "maze" / "a.png")
    made = import_amaze(tmp_path, None, tmp_path / "run.jsonl", progress=False)
    assert (made.missing_answers, made.instances_without_outputs, made.requests) == ((), 1, 1)


def test_each_file_of_parquet_is_a_set(tmp_path):
    table(tmp_path / "d" / "a.parquet", ["one", "two"])
    table(tmp_path / "d" / "b.parquet", ["three"])
    drawn(tmp_path / "outputs" / "one_1.png")
    made = import_amaze(tmp_path / "d", tmp_path / "outputs", tmp_path / "run.jsonl", progress=False)
    assert made.missing_answers == ("two/missing_1",)
    assert [line["requestId"] for line in lines_of(made)] == ["one/one_1.png", "two/missing_1"]
    made = import_amaze(
        tmp_path / "d", tmp_path / "outputs", tmp_path / "run.jsonl", missing=MissingAnswers.LEAVE_OUT, progress=False
    )
    assert (made.missing_answers, made.requests) == (("two/missing_1",), 1)


@pytest.mark.shared
def test_a_missing_picture_does_not_pass_and_has_no_score(tmp_path):
    for name in ("square-3-0", "square-8-0"):
        (tmp_path / "instances").mkdir(exist_ok=True)
        (tmp_path / "instances" / name).symlink_to(AMAZE / "instances" / name)
    drawn(tmp_path / "outputs" / "square-3-0" / "a.png")
    made = import_amaze(tmp_path, None, tmp_path / "run.jsonl", progress=False)
    manifest = load_manifest(made.manifest, [AMAZE])
    place = manifest.index_of("square-8-0/missing")
    job = job_from_proto(manifest.read(place, max_bytes=1 << 25), lambda media, _: media.data)
    verdict = Engine().grade(job)
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.UNGRADABLE, None, 0.0)


def test_one_instance_that_counts_from_0_makes_all_of_the_set_count_from_0(tmp_path):
    """So a first attempt that is not there is the one that is missing, and not the last."""
    for name, tries in {"a": (0, 1, 2), "b": (1, 2), "c": ()}.items():
        (tmp_path / name).mkdir()
        for one in tries:
            (tmp_path / name / f"try_{one}.png").write_bytes(b"")
    found = outputs_by_instance(tmp_path, ["a", "b", "c"])
    assert {name: [output.attempt for output in made] for name, made in found.items()} == {
        "a": [1, 2, 3],
        "b": [2, 3],
        "c": [],
    }


def test_media_that_are_not_below_the_manifest_are_told_with_their_folder(tmp_path):
    own, store = tmp_path / "own", tmp_path / "store"
    for folder in (own, store / "a", store / "b"):
        folder.mkdir(parents=True)
    (own / "link").symlink_to(store / "b")
    manifest = own / "m.jsonl"

    def outside(*uris):
        manifest.write_text("".join(json.dumps({"image": {"uri": uri}}) + "\n" for uri in uris))
        return media_outside(manifest)

    assert outside("a.png", "x/../b.png", "../own/c.png") is None
    assert outside("a.png", "../store/a/1.png", "../store/a/2.png") == store / "a"
    assert outside("link/1.png") == store / "b"
    assert outside("../store/a/1.png", "link/1.png") == store
