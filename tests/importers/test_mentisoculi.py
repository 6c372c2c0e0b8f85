"""MentisOculi to manifests: public puzzles and answers, made-up clips and series, and what is wrong with files."""

import json
import math
from pathlib import Path

import pytest
from google.protobuf import json_format
from typer.testing import CliRunner

from grader.cli.main import app
from grader.contract.requests import job_from_proto
from grader.engine.engine import Engine
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.missing import MissingAnswers
from grader.importers.mentisoculi.importer import MentisSources, import_mentisoculi
from grader.importers.mentisoculi.messages import lot_message
from grader.importers.mentisoculi.names import attempts_of, name_in
from grader.importers.mentisoculi.records import parse_rush_hour, read_rush_hour
from grader.media.types import DEFAULT_LIMITS
from grader.model.errors import GraderError
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome
from grader.tasks.rush_hour.puzzle import prepare_lot
from grader.tasks.rush_hour.settings import RushHourSettings
from grader.v1 import rush_hour_pb2, service_pb2
from tests.samples.mentis import FIXTURES, answers, body, data_set, lot_record, png, tiles_record, write


def requests_of(made):
    lines = made.manifest.read_text(encoding="utf-8").splitlines()
    requests = [json_format.Parse(line, service_pb2.GradeRequest()) for line in lines]
    assert len(requests) == made.requests == len({request.request_id for request in requests})
    return requests


def imported(tmp_path, **sources):
    return import_mentisoculi(
        MentisSources(instances=tmp_path / "data", **sources), tmp_path / "run.jsonl", progress=False
    )


def job_of(request):
    return job_from_proto(request, lambda media, _: media.data or None)


# --- lots ---


def same_lot(read, graded):
    """Equal but for the ids, which the contract does not have."""
    assert (graded.width, graded.height, graded.exits) == (read.width, read.height, read.exits)
    assert len(graded.vehicles) == len(read.vehicles)
    assert len(graded.obstacles) == len(read.obstacles)
    for one, other in zip(graded.vehicles, read.vehicles, strict=True):
        assert (one.label, one.length, one.width, one.pose) == (other.label, other.length, other.width, other.pose)
        assert (one.movable, one.color) == (other.movable, other.color)
        assert one.axis == pytest.approx(other.axis, abs=1e-12)
    for one, other in zip(graded.obstacles, read.obstacles, strict=True):
        assert (one.length, one.width, one.pose) == (other.length, other.width, other.pose)


def graded_lot(lot):
    request = service_pb2.GradeRequest(request_id="a", text="", rush_hour=lot_message(lot))
    return prepare_lot(job_of(request).task, RushHourSettings(), DEFAULT_LIMITS, CandidateKind.FRAMES).lot


@pytest.mark.parametrize("degrees", [0, 15, -30, 90])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_lot_comes_through_the_contract_unchanged(degrees, sign):
    theta = math.radians(degrees)
    axis = (sign * math.cos(theta), sign * math.sin(theta))
    record = lot_record(
        1,
        1,
        body("car", 7.0, 8.0, theta, label="A", axis=axis),
        body("parked", 7.0, 2.0, label="B", movable=False),
        body("wall", 2.0, 1.0, movable=False),
    )
    read = parse_rush_hour(json.dumps(record).encode(), "a").lot
    assert [vehicle.label for vehicle in read.vehicles] == ["R", "A", "B"]
    same_lot(read, graded_lot(read))
    assert lot_message(read).puzzle.vehicles[1].forward_reversed == (sign < 0)


@pytest.mark.shared
def test_every_public_lot_comes_through_unchanged():
    records = sorted(FIXTURES.glob("rushhour/*/*/metadata.json"))
    assert len(records) == 54
    for record in records:
        read = read_rush_hour(record).lot
        same_lot(read, graded_lot(read))


# --- answers ---


@pytest.mark.shared
def test_public_answers_are_graded_as_others_graded_them(tmp_path):
    made = import_mentisoculi(
        MentisSources(instances=FIXTURES, answers=FIXTURES / "responses"), tmp_path / "run.jsonl", progress=False
    )
    assert made.skipped_instances == (("form-board", 20), ("hinge-folding", 20), ("paper-fold", 20))
    assert made.skipped_answers == (("form-board", 17), ("hinge-folding", 35), ("paper-fold", 12))
    records = json.loads((FIXTURES / "expected_verdicts.json").read_text())
    expected, elsewhere = {}, set()
    for record in records:
        if record["task"] in ("rushhour", "sliding-puzzle"):
            place = f"{record['task']}/level_{record['level']:02d}/puzzle_{record['puzzle_id']:04d}"
            name = (record["model"], record["strategy"], place)
            if record["verdict"] == "no_metadata":
                elsewhere.add(" ".join(name))
            else:
                expected[name] = record["verdict"] == "solved"
    assert len(expected) == 110  # 91 + 23, less the 4 of which the puzzle is not there
    assert set(made.unmatched_answers) == elsewhere
    engine = Engine()
    found = {}
    for request in requests_of(made):
        assert dict(request.tags) == {
            "task": request.puzzle_id.split("/")[0],
            "level": str(int(request.puzzle_id.split("/")[1][-2:])),
            "strategy": request.tags["strategy"],
        }
        verdict = engine.grade(job_of(request))
        found[(request.model, request.tags["strategy"], request.puzzle_id)] = verdict.outcome is Outcome.PASS
    assert found == expected
    assert sum(found.values()) == 21


def test_files_that_say_what_they_are_about(tmp_path):
    data_set(tmp_path / "data")
    answers(tmp_path / "a.json", "R forward", None)
    made = imported(tmp_path, answers=tmp_path / "a.json")
    first, second = requests_of(made)
    assert (first.model, first.puzzle_id, first.attempt, first.text) == (
        "m", "rushhour/level_01/puzzle_0001", 0, "R forward",
    )  # fmt: skip
    assert first.request_id == "m/simple/rushhour/level_01/puzzle_0001/a"
    assert dict(first.tags) == {"task": "rushhour", "level": "1", "strategy": "simple"}
    assert (second.WhichOneof("candidate"), second.text) == ("text", "")
    assert (made.instances, made.without_outputs) == (3, 1)


def public(path, texts, **said):
    """A file as the public results have it."""
    responses = [
        {"puzzle_dir": f"../../../datasets/rushhour/output/level_01/puzzle_{number:04d}", "output_text": text}
        for number, text in texts.items()
    ]
    return write(path, {"task": "rushhour", "model": "provider/m-1", "responses": responses} | said)


def test_the_public_layout_names_models_and_strategies_by_folders(tmp_path):
    write(tmp_path / "data/rushhour/output/level_01/puzzle_0001/metadata.json", lot_record())
    home = tmp_path / "responses" / "m-high" / "simple" / "rushhour" / "level_01"
    public(home / "responses_0.json", {1: "R forward"})
    (request,) = requests_of(imported(tmp_path, answers=tmp_path / "responses"))
    assert (request.model, request.tags["strategy"], request.tags["level"]) == ("m-high", "simple", "1")
    # A copy of one model's folder, which is called as the file says.
    public(tmp_path / "m-1" / "cot" / "rushhour" / "level_01" / "responses_0.json", {1: "R forward"})
    (request,) = requests_of(imported(tmp_path, answers=tmp_path / "m-1"))
    assert (request.model, request.tags["strategy"]) == ("m-1", "cot")
    # Folders that say neither.
    public(tmp_path / "x" / "rushhour" / "level_01" / "responses_0.json", {1: "R forward"})
    (request,) = requests_of(imported(tmp_path, answers=tmp_path / "x", strategy="mine"))
    assert (request.model, request.tags["strategy"]) == ("provider/m-1", "mine")


def test_files_that_answer_a_puzzle_again_are_attempts(tmp_path):
    data_set(tmp_path / "data")
    home = tmp_path / "responses" / "m" / "simple" / "rushhour" / "level_01"
    public(home / "responses_0.json", {1: "a", 2: "b"})
    public(home / "responses_1.json", {1: "c"})
    made = imported(tmp_path, answers=tmp_path / "responses", missing=MissingAnswers.LEAVE_OUT)
    assert [(r.text, r.attempt) for r in requests_of(made)] == [("a", 1), ("b", 1), ("c", 2)]
    # Attempt 2 at puzzle 2 is missing, and with it the last line.
    assert made.missing_answers == ("m simple rushhour/level_01/puzzle_0002",)
    made = imported(tmp_path, answers=tmp_path / "responses")
    last = requests_of(made)[-1]
    assert (last.puzzle_id, last.attempt, last.text) == ("rushhour/level_01/puzzle_0002", 2, "")


def test_files_that_answer_other_puzzles_are_parts_of_one_attempt(tmp_path):
    data_set(tmp_path / "data")
    home = tmp_path / "responses" / "m" / "simple" / "rushhour" / "level_01"
    public(home / "responses_0.json", {1: "a"})
    public(home / "responses_1.json", {2: "b"})
    made = imported(tmp_path, answers=tmp_path / "responses")
    assert [(r.text, r.attempt) for r in requests_of(made)][:2] == [("a", 0), ("b", 0)]
    assert made.missing_answers == ()


def test_what_a_model_left_out_is_wrong_or_left_out(tmp_path):
    data_set(tmp_path / "data", lots=(1, 2, 3), tiles=(1, 2))
    answers(tmp_path / "a.json", (2, "R forward"))
    made = imported(tmp_path, answers=tmp_path / "a.json", missing=MissingAnswers.LEAVE_OUT)
    left = ("m simple rushhour/level_01/puzzle_0001", "m simple rushhour/level_01/puzzle_0003")
    assert (made.requests, made.missing_answers) == (1, left)  # it answered no sliding puzzle at all
    made = imported(tmp_path, answers=tmp_path / "a.json")
    assert (made.requests, made.missing_answers) == (3, left)
    requests = requests_of(made)
    assert [r.tags.get("missing") for r in requests] == [None, "true", "true"]
    assert [(r.puzzle_id[-4:], r.text) for r in requests] == [("0002", "R forward"), ("0001", ""), ("0003", "")]
    verdict = Engine().grade(job_of(requests[1]))
    assert (verdict.outcome, verdict.reward, verdict.reasons[0].code) == (Outcome.FAIL, 0.0, "ANSWER_MISSING")
    # As if it had been answered: the id is the same.
    answers(tmp_path / "a.json", "R forward", "R forward", None)
    again = requests_of(imported(tmp_path, answers=tmp_path / "a.json"))
    assert {r.request_id for r in again} == {r.request_id for r in requests}


def test_halves_of_characters_do_not_stop_an_import(tmp_path):
    data_set(tmp_path / "data")
    answers(tmp_path / "a.json", "R forward \ud83d")  # json writes it as an escape
    request = requests_of(imported(tmp_path, answers=tmp_path / "a.json"))[0]
    assert request.text == "R forward \ufffd"


# --- clips and series ---


def test_clips_are_matched_by_their_paths(tmp_path):
    data_set(tmp_path / "data")
    out = tmp_path / "out"
    for name in (
        "rushhour/level_01/puzzle_0001/attempt_2.mp4",
        "rushhour/level_01/puzzle_0001/attempt_10.mp4",
        "x/rushhour_level_01_puzzle_0002.webm",
        "sliding-puzzle/level_01/puzzle_0001.MP4",
        "rushhour/level_01/puzzle_0009.mp4",
        "holiday.mp4",
    ):
        write(out / name, b"clip")
    write(out / "rushhour/level_01/puzzle_0001/notes.txt", "no clip")
    made = imported(tmp_path, clips=out, model="m")
    assert made.unmatched_clips == ("holiday.mp4", "rushhour/level_01/puzzle_0009.mp4")
    requests = requests_of(made)
    assert [(r.puzzle_id, r.attempt, r.video.uri) for r in requests] == [
        ("rushhour/level_01/puzzle_0001", 2, "out/rushhour/level_01/puzzle_0001/attempt_2.mp4"),
        ("rushhour/level_01/puzzle_0001", 10, "out/rushhour/level_01/puzzle_0001/attempt_10.mp4"),
        ("sliding-puzzle/level_01/puzzle_0001", 0, "out/sliding-puzzle/level_01/puzzle_0001.MP4"),
        ("rushhour/level_01/puzzle_0002", 0, "out/x/rushhour_level_01_puzzle_0002.webm"),
    ]
    assert {(r.model, r.tags["strategy"]) for r in requests} == {("m", "video")}
    assert requests[2].sliding.puzzle.image.uri == "data/sliding-puzzle/level_01/puzzle_0001/initial.png"
    # The folder itself may be within the layout.
    made = imported(tmp_path, clips=out / "rushhour" / "level_01", strategy="mine")
    # Two attempts are expected of each puzzle; which these were is not known, for 2 and 10 need not be attempts.
    assert [(r.puzzle_id[-4:], r.attempt) for r in requests_of(made)] == [
        ("0001", 2), ("0001", 10), ("0002", 0), ("0002", 0),
    ]  # fmt: skip
    assert made.missing_answers == ("mine rushhour/level_01/puzzle_0002",) * 2
    last = requests_of(made)[-1]
    assert (last.WhichOneof("candidate"), last.text, last.tags["missing"]) == ("text", "", "true")
    made = imported(tmp_path, clips=out / "rushhour" / "level_01", missing=MissingAnswers.LEAVE_OUT)
    assert (made.requests, len(made.missing_answers)) == (2, 2)


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("a/rushhour/level_03/puzzle_0005", ("rushhour/level_03/puzzle_0005", "")),
        ("rushhour/output/level_03/puzzle_0005/b_2", ("rushhour/level_03/puzzle_0005", "/b_2")),
        ("Rush_Hour_Level3_Puzzle5_try7", ("rushhour/level_03/puzzle_0005", "_try7")),
        ("sliding-level-2-puzzle-11.3", ("sliding-puzzle/level_02/puzzle_0011", ".3")),
        ("sliding_puzzle_level_2_puzzle_11", ("sliding-puzzle/level_02/puzzle_0011", "")),
        # The last one counts, and words that only hold the task's name do not.
        ("rushhour/level_01/puzzle_0001/rushhour/level_02/puzzle_0002", ("rushhour/level_02/puzzle_0002", "")),
        ("notrushhour/level_01/puzzle_0001", None),
        ("rushhour/level_01/puzzle_0001b", None),
        ("hinge-folding/level_01/puzzle_0001", None),
        # Puzzles in no level: the longest name that fits.
        ("x/board_08", ("sliding-puzzle/board_08", "")),
        ("x/board_08_2", ("sliding-puzzle/board_08", "_2")),
        ("board/deep/take_3", ("sliding-puzzle/board", "/deep/take_3")),
        ("boardwalk", None),
    ],
)
def test_what_paths_say(path, named):
    found = name_in(Path(path), ["sliding-puzzle/board", "sliding-puzzle/board_08"])
    assert (None if found is None else (found.puzzle_id, found.rest)) == named


@pytest.mark.parametrize(
    ("outputs", "attempts"),
    [
        ([("a", "_1"), ("a", "_2"), ("b", "_10")], [1, 2, 10]),
        ([("a", "_0"), ("a", "_1"), ("b", "_1")], [1, 2, 2]),  # b's is the second too
        ([("a", "_1"), ("a", "/x_1"), ("b", "_1")], [0, 0, 1]),
        ([("a", "_1"), ("a", "_final")], [0, 0]),
        ([("a", "")], [0]),
        ([], []),
    ],
)
def test_attempts_are_read_off_names_where_all_say(outputs, attempts):
    assert attempts_of(outputs) == attempts


def test_series_have_pictures_in_order_and_words(tmp_path):
    data_set(tmp_path / "data")
    home = tmp_path / "out" / "rushhour" / "level_01"
    for name in ("initial.png", "step_2.png", "step_10.png", *(f"step_{n}.png" for n in (1, 3, 4, 5, 6, 7, 8, 9))):
        write(home / "puzzle_0001" / name, png())
    write(home / "puzzle_0001" / "answer.txt", "R forward ✓")
    write(home / "puzzle_0002_3" / "answer.json", {"answer": "R forward"})
    write(tmp_path / "out" / "other" / "step_01.png", png())
    made = imported(tmp_path, series=tmp_path / "out")
    assert made.unmatched_series == ("other",)
    first, second = requests_of(made)
    assert [Path(one.uri).name for one in first.frames.images] == [f"step_{n}.png" for n in range(1, 11)]
    assert (first.frames.text, first.attempt, first.tags["strategy"]) == ("R forward ✓", 0, "frames")
    assert (second.WhichOneof("candidate"), len(second.frames.images)) == ("frames", 0)
    assert (second.frames.text, second.attempt) == ('{"answer": "R forward"}', 3)


def test_a_folder_of_steps_may_be_a_series_itself(tmp_path):
    data_set(tmp_path / "data")
    home = tmp_path / "out" / "rushhour" / "level_01" / "puzzle_0001"
    write(home / "step_01.png", png())
    (request,) = requests_of(imported(tmp_path, series=home, missing=MissingAnswers.LEAVE_OUT))
    assert request.request_id == "frames/rushhour/level_01/puzzle_0001/puzzle_0001"


@pytest.mark.shared
def test_puzzles_in_no_level(tmp_path):
    """The rollouts' layouts: rushhour/level_LL/puzzle_NNNN.json and sliding/<id>/metadata.json, with series by name."""
    rollouts = FIXTURES.parent / "rollouts" / "dev"
    (tmp_path / "data").symlink_to(rollouts / "puzzles")
    steps = sorted((rollouts / "steps").glob("st_sl_*"))
    assert steps
    home = tmp_path / "out" / "steps_2x2_astronaut_crop" / "try_1"
    home.parent.mkdir(parents=True)
    home.symlink_to(steps[0])
    (tmp_path / "out" / "rushhour_level_03_puzzle_0005").symlink_to(steps[0])
    made = imported(tmp_path, series=tmp_path / "out", missing=MissingAnswers.LEAVE_OUT)
    assert made.unmatched_series == ()
    lot, tiles = requests_of(made)
    assert (lot.puzzle_id, len(lot.rush_hour.puzzle.vehicles) > 1) == ("rushhour/level_03/puzzle_0005", True)
    assert (tiles.puzzle_id, tiles.attempt) == ("sliding-puzzle/steps_2x2_astronaut_crop", 1)
    assert dict(tiles.tags) == {"task": "sliding-puzzle", "strategy": "frames"}
    assert (tmp_path / tiles.sliding.puzzle.image.uri).is_file()
    assert list(tiles.sliding.puzzle.tiles) != list(tiles.sliding.truth.tiles)


# --- what is wrong ---


def refused(tmp_path, message, **sources):
    with pytest.raises(ImportFormatError, match=message) as caught:
        imported(tmp_path, **sources)
    assert isinstance(caught.value, GraderError)
    assert not list(tmp_path.glob("*run.jsonl*"))


def test_missing_things_are_named(tmp_path):
    refused(tmp_path, "give --answers, --clips or --steps")
    refused(tmp_path, "there is no folder .*data; name the folder", clips=tmp_path)
    write(tmp_path / "data/paper-fold/level_01/puzzle_0001/metadata.json", {})
    refused(tmp_path, r"holds no rush hour .* \(paper-fold can't be graded\)", clips=tmp_path)
    data_set(tmp_path / "data")
    refused(tmp_path, "no answers at .*none", answers=tmp_path / "none")
    refused(tmp_path, "no folder .*none of clips", clips=tmp_path / "none")
    refused(tmp_path, "no folder .*none of step pictures", series=tmp_path / "none")
    write(tmp_path / "out" / "a.mp4", b"")
    text = (
        r"nothing belongs to the 3 puzzles .* 1 clip, 0 series .* \(a.mp4\); .* such as rushhour/level_01/puzzle_0001"
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
