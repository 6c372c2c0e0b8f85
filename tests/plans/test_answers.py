"""Written plans are read and simulated; the reason says which move failed, and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.answers.__main__ import main
from grader.answers.result import Reading
from grader.tasks.plans.answers import PlanFault
from grader.tasks.rush_hour.words import judge_rush_hour
from grader.tasks.sliding.words import judge_sliding
from puzzles.rush_hour.generator import generate_lot
from puzzles.rush_hour.lot import Lot
from puzzles.sliding.tiles import SlidingPuzzle

FIXTURES = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "mentisoculi"
# 1 2      1 2
# _ 3  ->  3 _  by one move of the blank to the right.
ONE_MOVE = SlidingPuzzle((1, 2, -1, 3), (1, 2, 3, -1))


def lot() -> tuple[Lot, str]:
    """A lot that takes two moves, and its solution in words."""
    made = generate_lot(2, seed=1)
    return made.lot, ", ".join(map(str, made.solution))


@pytest.mark.parametrize("reading", Reading)
def test_a_right_plan_is_right_in_both_readings(reading: Reading) -> None:
    puzzle, solution = lot()
    judged = judge_rush_hour(puzzle, json.dumps({"answer": solution}))[reading]
    assert (judged.solved, judged.fault, judged.failed_move) == (True, None, None)
    assert judged.moves == tuple(solution.split(", "))
    assert judge_sliding(ONE_MOVE, '{"answer": "right"}')[reading].solved


def test_prose_is_read_leniently_only() -> None:
    puzzle, solution = lot()
    text = f"The answer is {solution}."
    assert judge_rush_hour(puzzle, text)[Reading.LENIENT].solved
    assert judge_rush_hour(puzzle, text)[Reading.STRICT].fault is PlanFault.ANSWER_MISSING


def test_a_plan_that_stops_early_says_where_the_red_car_is() -> None:
    puzzle, solution = lot()
    first = solution.split(", ")[0]
    judged = judge_rush_hour(puzzle, json.dumps({"answer": first}))[Reading.STRICT]
    assert judged.fault is PlanFault.GOAL_NOT_REACHED
    assert judged.message == "The red car is never moved in 1 move."


def test_an_unknown_vehicle_is_named_with_its_move() -> None:
    """The plan is wrong; whether it would be right without that move is said beside it."""
    puzzle, solution = lot()
    judged = judge_rush_hour(puzzle, json.dumps({"answer": f"Z forward, {solution}"}))[Reading.STRICT]
    assert (judged.fault, judged.failed_move, judged.solved_without_unknown) == (PlanFault.UNKNOWN_VEHICLE, 0, True)
    assert "'Z'" in judged.message


def test_a_move_off_the_grid_is_named() -> None:
    """The blank is at the bottom left: it can go up and right."""
    judged = judge_sliding(ONE_MOVE, '{"answer": "up, up"}')[Reading.STRICT]
    assert (judged.fault, judged.failed_move) == (PlanFault.OFF_THE_GRID, 1)
    assert judge_sliding(ONE_MOVE, '{"answer": "up"}')[Reading.STRICT].fault is PlanFault.GOAL_NOT_REACHED


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", PlanFault.ANSWER_MISSING),
        ('{"answer": ""}', PlanFault.ANSWER_EMPTY),
        ('{"answer": "unknown"}', PlanFault.ANSWER_REFUSED),
        ('{"answer": "sideways"}', PlanFault.ANSWER_UNREADABLE),
    ],
)
@pytest.mark.parametrize("reading", Reading)
def test_no_answer_is_a_wrong_answer(text: str, fault: PlanFault, reading: Reading) -> None:
    for judged in (judge_rush_hour(lot()[0], text)[reading], judge_sliding(ONE_MOVE, text)[reading]):
        assert (judged.solved, judged.fault, judged.moves) == (False, fault, ())


def folder(tmp_path: Path, verdict: str) -> Path:
    """One sliding puzzle with one answer, which solves it, recorded with a verdict."""
    puzzle = {
        **{"puzzle_id": 1, "grid_size": 2, "num_scramble_moves": 1, "num_solution_moves": 1},
        **{"initial_state": [[1, 2], [-1, 3]], "target_state": [[1, 2], [3, -1]], "solution_moves": ["right"]},
        **{"initial_image": "a.png", "target_image": "b.png", "source_image": "c.jpg"},
    }
    place = tmp_path / "sliding-puzzle" / "level_01" / "puzzle_0001"
    place.mkdir(parents=True)
    (place / "metadata.json").write_text(json.dumps(puzzle))
    (tmp_path / "responses").mkdir()
    answers = {"responses": [{"puzzle_id": 1, "raw_text": '{"answer": "right"}'}]}
    (tmp_path / "responses" / "mine.json").write_text(json.dumps(answers))
    record = {"file": "mine.json", "task": "sliding-puzzle", "level": 1, "puzzle_id": 1, "verdict": verdict}
    (tmp_path / "expected_verdicts.json").write_text(json.dumps([record, {**record, "task": "mirror-text"}]))
    return tmp_path


def test_the_benchmark_prints_agreement(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder(tmp_path, "solved"))]) == 0
    printed = capsys.readouterr().out
    assert "all: 2 of 2 agree; 0 differences" in printed
    assert "left out: 1 (mirror-text is not judged yet)" in printed


def test_the_benchmark_prints_every_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder(tmp_path, "unsolved"))]) == 1
    printed = capsys.readouterr().out
    assert "all: 0 of 2 agree; 2 differences" in printed
    assert "mine.json puzzle 1 (strict): recorded unsolved, judged solved" in printed


def test_a_folder_that_is_none_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "expected_verdicts.json can't be read" in capsys.readouterr().err


@pytest.mark.shared
def test_real_answers_get_their_recorded_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    """90 of rush hour, 20 sliding puzzles, 24 of hinges, 16 form boards, 12 of paper, each read in both ways: 324."""
    assert main([str(FIXTURES)]) == 0
    assert "all: 324 of 324 agree; 0 differences" in capsys.readouterr().out


def test_the_last_way_of_a_list_is_read_before_a_verb() -> None:
    """ "right is the answer" behind other ways is a step, and not an adjective."""
    for text, moves in (("up, right is the answer.", ("up", "right")), ("right, right です。", ("right", "right"))):
        assert judge_sliding(ONE_MOVE, text)[Reading.LENIENT].moves == moves
