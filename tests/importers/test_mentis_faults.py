"""MentisOculi to manifests: what is wrong with files is named."""

import json
from pathlib import Path

import pytest
from google.protobuf import json_format
from typer.testing import CliRunner

from grader.cli.main import app
from grader.engine.engine import Engine
from grader.importers.common.errors import ImportFormatError
from grader.importers.mentisoculi.messages import lot_message
from grader.importers.mentisoculi.records import parse_rush_hour
from grader.model.errors import GraderError
from grader.model.verdict import Outcome
from grader.v1 import rush_hour_pb2, service_pb2
from tests.samples.mentis import (
    answers,
    body,
    data_set,
    imported,
    job_of,
    lot_record,
    png,
    public,
    requests_of,
    tiles_record,
    write,
)


def refused(tmp_path, message, **sources):
    with pytest.raises(ImportFormatError, match=message) as caught:
        imported(tmp_path, **sources)
    assert isinstance(caught.value, GraderError)
    assert not list(tmp_path.glob("*run.jsonl*"))


def test_missing_things_are_named(tmp_path):
    refused(tmp_path, "give --answers, --clips, --steps or --pictures")
    refused(tmp_path, "there is no folder .*data; name the folder", clips=tmp_path)
    write(tmp_path / "data/mirror-text/level_01/puzzle_0001/metadata.json", {})
    refused(tmp_path, r"holds no puzzle of .* or paper-fold; .* \(mirror-text can't be graded\)", clips=tmp_path)
    data_set(tmp_path / "data")
    refused(tmp_path, "no answers at .*none", answers=tmp_path / "none")
    refused(tmp_path, "no folder .*none of clips", clips=tmp_path / "none")
    refused(tmp_path, "no folder .*none of step pictures", series=tmp_path / "none")
    write(tmp_path / "out" / "a.mp4", b"")
    text = (
        r"nothing belongs to the 3 puzzles .* 1 clip, 0 series, 0 pictures .* \(a.mp4\); "
        r".* such as rushhour/level_01/puzzle_0001"
    )
    refused(tmp_path, text, clips=tmp_path / "out")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{", "is not JSON"),
        (lot_record() | {"board": {}}, "board.exits is missing"),
        (lot_record(level=2), "level is 2, its path says 1; put the record where it belongs"),
        (lot_record(1, 7), "puzzle_id is 7, its path says 1"),
        (lot_record(1, 1, body("car", 1.5, 5.0, label="A")), "overlap"),
    ],
)
def test_broken_lots_are_named(tmp_path, record, message):
    data_set(tmp_path / "data")
    write(tmp_path / "data/rushhour/level_01/puzzle_0001/metadata.json", record)
    answers(tmp_path / "a.json", "R forward")
    refused(tmp_path, rf"puzzle_0001/metadata\.json.*{message}", answers=tmp_path / "a.json")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"initial_image": "other.png"}, r"other\.png is missing; clips and step pictures"),
        ({"initial_image": "../initial.png"}, "initial_image is '../initial.png'"),
        ({"initial_image": "photo.png"}, "the picture of the puzzle is unusable"),
        ({"puzzle_id": 2}, "puzzle_id is 2, its path says 1"),
        ({"target_state": [[2, 1], [3, -1]]}, "an odd number of swaps"),
    ],
)
def test_broken_tiles_are_named(tmp_path, changed, message):
    data_set(tmp_path / "data")
    home = tmp_path / "data/sliding-puzzle/level_01/puzzle_0001"
    write(home / "metadata.json", tiles_record(**changed))
    write(home / "photo.png", b"no picture")
    write(tmp_path / "out/sliding/level_01/puzzle_0001.mp4", b"")
    refused(tmp_path, message, clips=tmp_path / "out")


def test_words_need_no_picture(tmp_path):
    data_set(tmp_path / "data")
    (tmp_path / "data/sliding-puzzle/level_01/puzzle_0001/initial.png").unlink()
    answers(tmp_path / "a.json", "right", task="sliding-puzzle")
    (request,) = requests_of(imported(tmp_path, answers=tmp_path / "a.json"))
    assert not request.sliding.puzzle.HasField("image")
    assert Engine().grade(job_of(request)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "must hold an object"),
        ({"task": "rushhour", "level": 1}, "responses is missing"),
        ({"level": 1, "responses": []}, "task is missing"),
        ({"task": "rushhour", "responses": []}, "level is missing"),
        ({"task": "rushhour", "level": 1, "responses": [{"puzzle_id": 1, "words": "R forward"}]},
         "responses have no raw_text and no output_text and no text in any entry"),
        ({"task": "rushhour", "level": 1, "responses": [{"raw_text": ""}]}, r"responses\[0\].puzzle_id is missing"),
        ({"task": "rushhour", "level": 1, "responses": [{"puzzle_id": "x", "raw_text": ""}]},
         "such as 5 or puzzle_0005"),
        ({"task": "rushhour", "level": 1, "responses": [{"puzzle_id": 1, "raw_text": 7}]}, "must be a text, not 7"),
        ({"task": "rushhour", "level": 1, "responses": [{"puzzle_id": 1, "raw_text": ""}] * 2},
         r"responses\[1\] is a second answer to rushhour/level_01/puzzle_0001"),
        ({"task": "rushhour", "level": 1, "responses": [{"puzzle_dir": "rushhour/level_02/puzzle_0001",
                                                         "output_text": ""}]}, "of another level or task"),
    ],
)  # fmt: skip
def test_broken_answers_are_named(tmp_path, content, message):
    data_set(tmp_path / "data")
    write(tmp_path / "answers.json", content)
    refused(tmp_path, rf"answers\.json.*{message}", answers=tmp_path / "answers.json")


def test_a_public_file_in_another_tasks_folder_is_named(tmp_path):
    data_set(tmp_path / "data")
    public(tmp_path / "m-1/simple/sliding-puzzle/level_01/responses_0.json", {1: "a"})
    refused(tmp_path, "task is not what its path says", answers=tmp_path / "m-1")


def test_steps_that_are_missing_or_double_are_named(tmp_path):
    data_set(tmp_path / "data")
    home = tmp_path / "out" / "rushhour" / "level_01" / "puzzle_0001"
    write(home / "step_01.png", png())
    write(home / "step_03.png", png())
    refused(tmp_path, "step 2 is missing, and there are 2 steps", series=tmp_path / "out")
    write(home / "step_2.png", png())
    write(home / "step_02.jpg", png())
    refused(tmp_path, "is step 2, and so is", series=tmp_path / "out")
    (home / "step_2.png").unlink()
    write(home / "answer.txt", b"\xff")
    refused(tmp_path, r"answer\.txt is not UTF-8", series=tmp_path / "out")
    write(home / "answer.json", "{}")
    refused(tmp_path, r"has answer\.txt and answer\.json; keep the one", series=tmp_path / "out")


def test_a_puzzle_that_is_there_twice_is_named(tmp_path):
    data_set(tmp_path / "data")
    write(tmp_path / "data/copy/rushhour/level_01/puzzle_0001.json", lot_record())
    refused(tmp_path, "rushhour/level_01/puzzle_0001 is in .* too", clips=tmp_path)


def test_equal_request_ids_are_refused(tmp_path):
    data_set(tmp_path / "data")
    answers(tmp_path / "answers/one/a.json", "R forward")
    answers(tmp_path / "answers/two/a.json", "R forward")
    refused(tmp_path, "would be that of .* too; rename one of them", answers=tmp_path / "answers")


def test_a_failed_import_leaves_the_old_manifest(tmp_path):
    data_set(tmp_path / "data")
    answers(tmp_path / "a.json", "R forward")
    before = imported(tmp_path, answers=tmp_path / "a.json").manifest.read_bytes()
    write(tmp_path / "data/rushhour/level_01/puzzle_0002/metadata.json", "{")
    answers(tmp_path / "a.json", "R forward", "R forward")
    with pytest.raises(ImportFormatError):
        imported(tmp_path, answers=tmp_path / "a.json")
    assert (tmp_path / "run.jsonl").read_bytes() == before
    assert not list(tmp_path.glob("*.tmp"))


def test_lots_of_the_contract_name_no_side_unsaid(tmp_path):
    read = parse_rush_hour(json.dumps(lot_record()).encode(), "a").lot
    assert [one.side for one in lot_message(read).puzzle.exits] == [rush_hour_pb2.LOT_SIDE_RIGHT]


def test_puzzles_that_make_wrote_are_found_with_their_levels(tmp_path: Path) -> None:
    """``instances/rush-hour-2-0000000``: a lot of level 2; a clip is named after it."""
    done = CliRunner().invoke(
        app, ["make", "rush-hour", "--out", str(tmp_path / "lots"), "--level", "2", "--count", "1", "--video-size", "0"]
    )
    assert done.exit_code == 0, done.output
    (folder,) = (tmp_path / "lots" / "instances").iterdir()
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips" / f"{folder.name}.mp4").write_bytes(b"not looked into")
    done = CliRunner().invoke(
        app,
        [
            *("import", "mentisoculi", str(tmp_path / "lots"), "--clips", str(tmp_path / "clips")),
            *("--manifest", str(tmp_path / "m.jsonl")),
        ],
    )
    assert done.exit_code == 0, done.output
    request = json_format.Parse((tmp_path / "m.jsonl").read_text(encoding="utf-8"), service_pb2.GradeRequest())
    assert (request.puzzle_id, dict(request.tags)["level"]) == (f"rushhour/{folder.name}", "2")


def test_what_belongs_to_no_puzzle_is_named_wherever_it_lies(tmp_path: Path) -> None:
    """Clips of other kinds, and pictures beside the folders of steps."""
    data_set(tmp_path / "data")
    out = tmp_path / "out"
    write(out / "rushhour/level_01/puzzle_0001.mp4", b"clip")
    write(out / "rushhour/level_01/puzzle_0002.mov", b"clip")
    assert imported(tmp_path, clips=out).unmatched_clips == ("rushhour/level_01/puzzle_0002.mov",)
    write(out / "rushhour/level_01/puzzle_0001/step_01.png", png())
    write(out / "rushhour/level_01/puzzle_0001/initial.png", png())
    write(out / "rushhour_level_01_puzzle_0002_1.png", png())
    assert imported(tmp_path, series=out).unmatched_series == ("rushhour_level_01_puzzle_0002_1.png",)
