"""MentisOculi to manifests: public puzzles and answers, made-up clips and series."""

import json
import math
from pathlib import Path

import pytest

from grader.engine.engine import Engine
from grader.importers.common.missing import MissingAnswers
from grader.importers.mentisoculi.importer import MentisSources, import_mentisoculi
from grader.importers.mentisoculi.messages import lot_message
from grader.importers.mentisoculi.names import attempts_of, name_in
from grader.importers.mentisoculi.records import parse_rush_hour, read_rush_hour
from grader.media.types import DEFAULT_LIMITS
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome
from grader.tasks.rush_hour.puzzle import prepare_lot
from grader.tasks.rush_hour.settings import RushHourSettings
from grader.v1 import service_pb2
from tests.samples.mentis import (
    FIXTURES,
    answers,
    body,
    data_set,
    imported,
    job_of,
    lot_record,
    png,
    public,
    requests_of,
    write,
)

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
    assert (made.skipped_instances, made.skipped_answers) == ((), ())
    records = json.loads((FIXTURES / "expected_verdicts.json").read_text())
    expected, elsewhere = {}, set()
    for record in records:
        place = f"{record['task']}/level_{record['level']:02d}/puzzle_{record['puzzle_id']:04d}"
        name = (record["model"], record["strategy"], place)
        if record["verdict"] == "no_metadata":
            elsewhere.add(" ".join(name))
        else:
            expected[name] = record["verdict"] == "solved"
    assert len(expected) == 162  # 91 + 23 + 17 + 35 + 12, less the 16 of which the puzzle is not there
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
    assert sum(found.values()) == 21 + 3 + 11 + 3  # rush hour, form board, hinges, paper


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
        ("hinge-folding/level_01/puzzle_0001", ("hinge-folding/level_01/puzzle_0001", "")),
        ("knot-tying/level_01/puzzle_0001", None),
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
