"""The grid-maze task: answers are walked, and every way to fail has its reason."""

from __future__ import annotations

import json
import math

import pytest

import grader
from grader import TextCandidate
from grader.model.errors import InvalidRequestError
from grader.model.verdict import Outcome
from grader.tasks.grid_maze.model import GridMazeInput
from grader.tasks.grid_maze.spec import SPEC
from tests.grid_maze.answers import NO_PATH, RIGHT, said

ROWS = ("S.#", ".T.", "..G")
MAZE = GridMazeInput(ROWS)
ANNOTATED = GridMazeInput(ROWS, True, ("DDRR",))
CUT = GridMazeInput(("S#.", "##.", "..G"), False)
# Two ways around the middle, each of four steps; the list has one of them.
RING = GridMazeInput(("S..", ".#.", "..G"), True, ("RRDD",))
NONE = json.dumps(NO_PATH)


def graded(task, text):
    return grader.grade(task, TextCandidate(text))


def numbers(verdict):
    return {metric.name: metric.value for metric in verdict.metrics}


def codes(verdict):
    return [reason.code for reason in verdict.reasons]


def test_a_right_path_passes_in_both_readings():
    verdict = graded(ANNOTATED, json.dumps(RIGHT))
    assert (verdict.outcome, verdict.score, verdict.reward, codes(verdict)) == (Outcome.PASS, 1.0, 1.0, [])
    assert numbers(verdict) == {
        "parse_strict": 1.0,
        "parse_lenient": 1.0,
        "upstream_list_match": 1.0,
        "grid_size": 1.0,
        "reachability": 1.0,
        "length": 1.0,
        "path": 1.0,
        "said_reachable": 1.0,
        "said_length": 4.0,
        "moves": 4.0,
        "least_moves": 4.0,
        "plan_progress": 1.0,
    }


def test_a_right_no_passes_too():
    verdict = graded(CUT, NONE)
    assert (verdict.outcome, verdict.score, verdict.reward, codes(verdict)) == (Outcome.PASS, 1.0, 1.0, [])
    said_of = numbers(verdict)
    assert (said_of["said_reachable"], said_of["upstream_list_match"], said_of["path"]) == (0.0, 1.0, 1.0)
    assert (said_of["least_moves"], said_of["said_length"], said_of["plan_progress"]) == (None, None, None)


def test_a_path_that_no_list_has_is_right_by_the_rules():
    """The published lists stop at 50 paths, so a right one may not be there."""
    for path, listed in (("RRDD", 1.0), ("DDRR", 0.0)):
        verdict = graded(RING, said(path=list(path)))
        assert verdict.outcome is Outcome.PASS
        assert numbers(verdict)["upstream_list_match"] == listed
    assert numbers(graded(MAZE, said()))["upstream_list_match"] is None


@pytest.mark.parametrize(
    ("changed", "expected", "marks"),
    [
        ({"path": ["R", "R", "D", "D"]}, ["ENTERS_WALL"], (1, 1, 0)),
        ({"path": ["D", "R", "R", "D"]}, ["ENTERS_TRAP"], (1, 1, 0)),
        ({"path": ["D", "D", "D", "R"]}, ["LEAVES_GRID"], (1, 1, 0)),
        ({"path": ["D", "D", "R", "U"]}, ["ENTERS_TRAP"], (1, 1, 0)),
        ({"path": ["D", "D", "R", "L"]}, ["GOAL_NOT_REACHED"], (1, 1, 0)),
        ({"path": [], "shortest_path_length": 0}, ["GOAL_NOT_REACHED", "WRONG_LENGTH"], (1, 0, 0)),
        ({"path": list("DDRRUD"), "shortest_path_length": 6}, ["NOT_SHORTEST", "WRONG_LENGTH"], (1, 0, 0)),
        ({"path": list("DDRRUD"), "shortest_path_length": 4}, ["NOT_SHORTEST"], (1, 1, 0)),
        ({"shortest_path_length": 5}, ["WRONG_LENGTH"], (1, 0, 1)),
        (NO_PATH, ["CLAIMS_UNREACHABLE"], (0, 0, 0)),
        ({"reachable": False}, ["CLAIMS_UNREACHABLE", "ANSWER_CONTRADICTS_ITSELF"], (0, 1, 1)),
    ],
)
def test_each_way_to_fail_has_its_reason(changed, expected, marks):
    verdict = graded(ANNOTATED, said(**changed))
    assert (verdict.outcome, verdict.score, codes(verdict)) == (Outcome.FAIL, 0.0, expected)
    found = numbers(verdict)
    assert (found["reachability"], found["length"], found["path"]) == marks
    assert (found["parse_strict"], found["parse_lenient"], found["upstream_list_match"]) == (0.0, 0.0, 0.0)
    assert verdict.reward < 0.9


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ["CLAIMS_REACHABLE", "ENTERS_WALL"]),
        ({"reachable": False}, ["ANSWER_CONTRADICTS_ITSELF"]),
        ({**NO_PATH, "shortest_path_length": 4}, ["ANSWER_CONTRADICTS_ITSELF"]),
        ({"path": [], "shortest_path_length": None}, ["CLAIMS_REACHABLE", "GOAL_NOT_REACHED"]),
    ],
)
def test_a_goal_that_can_not_be_reached_asks_for_no_path_at_all(changed, expected):
    verdict = graded(CUT, said(**changed))
    assert (verdict.outcome, codes(verdict), verdict.reward) == (Outcome.FAIL, expected, 0.0)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "ANSWER_MISSING"),
        ("I'm sorry, I can't help with that.", "ANSWER_REFUSED"),
        (json.dumps(RIGHT)[:-40], "ANSWER_CUT_OFF"),
        ("<think>Row 0 has a wall", "ANSWER_CUT_OFF"),
        ('{"finish_reason": "max_tokens"}', "ANSWER_CUT_OFF"),
        (said(path=[[0, 1]]), "ANSWER_UNREADABLE"),
        (f"Option 1: {said()}\nOption 2: {NONE}", "ANSWER_AMBIGUOUS"),
    ],
)
def test_no_answer_is_wrong_and_counted(text, code):
    verdict = graded(ANNOTATED, text)
    assert (verdict.outcome, verdict.score, verdict.reward, codes(verdict)) == (Outcome.FAIL, 0.0, 0.0, [code])
    found = numbers(verdict)
    for name in ("parse_strict", "upstream_list_match", "grid_size", "reachability", "length", "path", "plan_progress"):
        assert found[name] == 0.0, name
    assert (found["said_reachable"], found["moves"]) == (None, None)


@pytest.mark.parametrize(
    "text",
    [said(path="DDRR"), said(more=1), f"{NONE}\n{said()}", said(confidence="sure"), json.dumps({"answer": RIGHT})],
)
def test_what_is_not_to_the_letter_passes_leniently_alone(text):
    verdict = graded(MAZE, text)
    found = numbers(verdict)
    assert (verdict.outcome, found["parse_strict"], found["parse_lenient"]) == (Outcome.PASS, 0.0, 1.0)
    strict, lenient = verdict.observation.readings
    assert (strict.answered, lenient.answered, strict.message != "") == (False, True, True)


def test_what_is_denied_passes_in_no_reading():
    found = numbers(graded(MAZE, f"{said()}\nThat is wrong."))
    assert (found["parse_strict"], found["parse_lenient"]) == (0.0, 0.0)


def test_a_reason_says_which_step_leads_where():
    (reason,) = graded(MAZE, said(path=["R", "R", "D", "D"])).reasons
    (place,) = reason.places
    assert (place.move, place.cell.id, place.cell.row, place.cell.column) == (2, 2, 0, 2)
    assert reason.message == "Step 2, R, leads from row 0, column 1 into a wall."
    (reason,) = graded(MAZE, said(path=["U", "D", "D", "R"])).reasons
    assert (reason.places[0].move, reason.places[0].cell) == (1, None)


def test_what_was_read_is_said_in_both_readings():
    for task, text, message in (
        (MAZE, said(), "The goal is reached by a shortest path of 4 steps."),
        (CUT, NONE, "The goal can't be reached, as the answer says."),
        (MAZE, NONE, "The goal can be reached in 4 steps."),
    ):
        seen = graded(task, text).observation.readings
        assert [(one.answered, one.message) for one in seen] == 2 * [(True, message)]
    seen = graded(MAZE, said(path=["D", "X"])).observation.readings
    text = said(path=["D", "X"])
    assert [text[one.unread.start : one.unread.end] for one in seen] == 2 * ['["D", "X"]']
    assert all("expected a path of the letters U, D, L, R" in one.message for one in seen)


def test_a_contradiction_is_named_by_what_is_given():
    for changed, message in (
        ({"reachable": False}, "it gives a path of 4 steps"),
        (NO_PATH | {"shortest_path_length": 7}, "it gives a length of 7"),
    ):
        (reason,) = graded(CUT, said(**changed)).reasons
        assert message in reason.message


def test_the_grid_size_is_a_number_of_its_own():
    verdict = graded(MAZE, said(grid_size=[4, 3]))
    assert (verdict.outcome, numbers(verdict)["grid_size"], verdict.reward) == (Outcome.PASS, 0.0, 1.0)


def test_to_call_every_maze_unreachable_earns_nothing():
    """It is right of the unreachable ones; but who did not look does not know how large the grid is."""
    blind = json.dumps(NO_PATH | {"grid_size": [9, 9]})
    verdict = graded(CUT, blind)
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.PASS, 1.0, 0.0)
    assert graded(MAZE, blind).reward == 0.0


def test_a_longer_way_earns_more_than_none_and_less_than_a_short_one():
    tried = ["DD", "DDR", "DDRRUDUD", "DDRRUD"]
    earned = [graded(MAZE, said(path=list(path), shortest_path_length=4)).reward for path in tried]
    assert 0 < earned[0] < earned[1] < 0.9
    assert 0 < earned[2] < earned[3] < 0.9


def test_words_are_shown_with_the_steps_that_were_read():
    verdict = grader.grade(MAZE, TextCandidate(said()), overlay=True)
    assert verdict.overlay.html.count("<mark") >= 4


# --- puzzles that are none ---


@pytest.mark.parametrize(
    ("task", "field", "reason"),
    [
        (GridMazeInput(()), "grid_maze.puzzle.rows", "MISSING"),
        (GridMazeInput(("S.", "..")), "grid_maze.puzzle.rows", "OUT_OF_RANGE"),
        (GridMazeInput(("S?", ".G")), "grid_maze.puzzle.rows", "OUT_OF_RANGE"),
        (GridMazeInput(ROWS, False), "grid_maze.truth.reachable", "MISMATCH"),
        (GridMazeInput(CUT.rows, True, ("DDRR",)), "grid_maze.truth.reachable", "MISMATCH"),
        (GridMazeInput(ROWS, None, ("DDRR",)), "grid_maze.truth.reachable", "MISSING"),
        (GridMazeInput(ROWS, True), "grid_maze.truth.accepted_shortest_paths", "MISSING"),
        (GridMazeInput(ROWS, True, ("DDRR", "RRDD")), "grid_maze.truth.accepted_shortest_paths[1]", "MISMATCH"),
        (GridMazeInput(ROWS, True, ("ddrr",)), "grid_maze.truth.accepted_shortest_paths[0]", "MISMATCH"),
        (GridMazeInput(CUT.rows, False, ("DDRR",)), "grid_maze.truth.accepted_shortest_paths[0]", "MISMATCH"),
    ],
)
def test_a_wrong_puzzle_is_refused_by_field(task, field, reason):
    with pytest.raises(InvalidRequestError) as caught:
        graded(task, "")
    assert [(one.field, one.reason) for one in caught.value.violations] == [(field, reason)]


def test_chance_levels_are_those_of_answers_that_look_at_nothing():
    def levels(task):
        return {level.walk.key: level.probability for level in SPEC.chance.levels(task)}

    assert levels(CUT) == {"guess": 1 / 2, "unreachable": 1.0}
    assert levels(RING) == {"guess": 2 / 4**4 / 2, "unreachable": 0.0}
    wide = GridMazeInput(("S" + "." * 39, *["." * 40] * 38, "." * 39 + "G"))
    assert 0 < levels(wide)["guess"] < 1e-20
    assert math.isfinite(levels(wide)["guess"])
    with pytest.raises(InvalidRequestError, match="rows"):
        levels(GridMazeInput(("S.",)))
