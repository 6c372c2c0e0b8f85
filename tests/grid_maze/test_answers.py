"""Answers to grid mazes: what is read of them, as a person reads it and to the letter."""

from __future__ import annotations

import json

import pytest

from grader.answers.result import NoAnswer, Parsed, Unread
from grader.answers.tasks import read_grid_maze
from tests.grid_maze.answers import NO_PATH, RIGHT, said, without

GOOD, NONE, OTHER = json.dumps(RIGHT), json.dumps(NO_PATH), said(path=["R", "R", "D", "D"])


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\n  {json.dumps(RIGHT, indent=2)}\n",
        f"```json\n{GOOD}\n```",
        f"I looked at the maze, and the way is down and right.\n{GOOD}\nGood luck!",
        f"<think>First I thought {OTHER}</think>\n{GOOD}",
        f"(1, 1) is a trap. No, the path to the right is blocked. Alternative: down.\n{GOOD}",
    ],
)
def test_what_is_to_the_letter_is_read_in_both_readings(text):
    readings = read_grid_maze(text)
    assert isinstance(readings.strict, Parsed)
    assert readings.strict.value == readings.lenient.value
    assert (readings.lenient.value[0].path, readings.lenient.value[0].grid_size) == ("DDRR", (3, 3))


@pytest.mark.parametrize(
    "text",
    [
        said(path="DDRR"),
        said(path="d, d, r, r"),
        said(path=["d", "d", "r", "r"]),
        said(path=["down", "Down", "right", "RIGHT"]),
        said(path=["↓", "↓", "→", "→"]),
        said(path="down twice, then right, right"),
        said(path=["DDRR"]),
        said(reasoning="down the left side"),
        said(grid_size="3x3"),
        said(grid_size={"rows": 3, "cols": 3}),
        said(shortest_path_length="4"),
        said(shortest_path_length=None),
        said(confidence="certain"),
        said(start_found=False),  # with high confidence
        without("confidence", "image_ambiguity"),
        without("shortest_path_length"),
        without("reachable"),
        GOOD.replace('"', "'").replace("true", "True"),
        f"{GOOD[:-1]},}}",
        json.dumps({"answer": RIGHT}),
        f"[{GOOD}]",
        f"{OTHER}\n\n{GOOD}",
        f"{OTHER}\nWait, (0, 2) is a wall. Let me redo it.\n{GOOD}",
        f"This is wrong: {OTHER}\n\nCorrect answer: {GOOD}",
        f'The format is {{"grid_size": [rows, cols], "reachable": true/false, "path": ["U"]}}.\n{GOOD}',
        f"{GOOD}\n{said(path=[[0, 1], [0, 2]])}",  # the last valid one
        f'{GOOD}\nTo check it: {{"reachable": true, "path": "DDRR"}}',
        f'{OTHER}\nCorrection: {{"reachable": true, "path": "DDRR"}}',
    ],
)
def test_what_a_person_understands_is_read_leniently_alone(text):
    readings = read_grid_maze(text)
    assert isinstance(readings.lenient, Parsed), readings.lenient
    answer = readings.lenient.value[0]
    assert (answer.reachable, answer.path, answer.length) == (True, "DDRR", 4)
    assert isinstance(readings.strict, Unread)


@pytest.mark.parametrize(
    "text",
    [
        NONE,
        f"There is no path from start to goal:\n{NONE}",
        f"The goal is not reachable. {NONE}",
        f"**Analysis**: it is impossible to reach the treasure.\n\n**Answer:**\n{NONE}",
        f"I could not find any valid path, so my final answer is:\n{NONE}",
        f"The maze is unsolvable, so the answer is {NONE}",
        f"{NONE}\nThe goal can't be reached because walls block every route.",
    ],
)
def test_to_say_that_there_is_no_path_denies_no_answer(text):
    readings = read_grid_maze(text)
    assert isinstance(readings.strict, Parsed), readings.strict
    assert (readings.strict.value[0].reachable, readings.strict.value[0].path) == (False, "")


@pytest.mark.parametrize("changed", [{"shortest_path_length": 0}, {"shortest_path_length": -1}, {"path": None}])
def test_what_stands_for_no_path_is_none(changed):
    readings = read_grid_maze(json.dumps(NO_PATH | changed))
    assert (readings.lenient.value[0].length, readings.lenient.value[0].path) == (None, "")
    assert isinstance(readings.strict, Unread)


@pytest.mark.parametrize(
    ("text", "why", "cut"),
    [
        ("", NoAnswer.MISSING, False),
        ("I went down and to the right.", NoAnswer.MISSING, False),
        ("I'm sorry, I can't help with that.", NoAnswer.REFUSED, False),
        ('{"finish_reason": "content_filter"}', NoAnswer.REFUSED, False),
        ('{"finish_reason": "length"}', NoAnswer.MISSING, True),
        (f"<think>It may be {GOOD}", NoAnswer.MISSING, True),
        (GOOD[:-40], NoAnswer.UNREADABLE, True),
        (f"{OTHER}\nNo, better:\n{GOOD[:-40]}", NoAnswer.UNREADABLE, True),
        (f"{GOOD} Scratch that.", NoAnswer.MISSING, False),
        (f"{GOOD}\nThat is wrong.", NoAnswer.MISSING, False),
        (f"The path above is invalid: {GOOD}", NoAnswer.MISSING, False),
        (json.dumps(RIGHT | {"valid": False}), NoAnswer.MISSING, False),
        (f"Option 1: {GOOD}\nOption 2: {OTHER}", NoAnswer.AMBIGUOUS, False),
        (f"[{GOOD}, {OTHER}]", NoAnswer.AMBIGUOUS, False),
        (said(path=[[0, 1], [0, 2]]), NoAnswer.UNREADABLE, False),
        (said(path=["D", "X"]), NoAnswer.UNREADABLE, False),
        (said(path={"steps": "DDRR"}), NoAnswer.UNREADABLE, False),
        (said(reachable="perhaps"), NoAnswer.UNREADABLE, False),
        (said(shortest_path_length="four or so"), NoAnswer.UNREADABLE, False),
        (without("path"), NoAnswer.UNREADABLE, False),
        (without("reachable", of=NO_PATH), NoAnswer.UNREADABLE, False),
    ],
)
def test_where_there_is_no_answer_it_is_said_why(text, why, cut):
    readings = read_grid_maze(text)
    assert isinstance(readings.lenient, Unread), readings.lenient
    assert (readings.lenient.why, readings.lenient.cut) == (why, cut)
    assert isinstance(readings.strict, Unread)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"grid_size": [3, 0]}, "grid_size"),
        ({"grid_size": [3.0, 3]}, "grid_size"),
        ({"grid_size": [True, 3]}, "grid_size"),
        ({"goal_found": 1}, "goal_found"),
        ({"shortest_path_length": 4.0}, "shortest_path_length"),
        ({"shortest_path_length": 5}, "the number of steps"),
        ({"path": ["d", "d", "r", "r"]}, "path"),
        ({"confidence": "High"}, "confidence"),
        ({"image_ambiguity": "some"}, "image_ambiguity"),
        ({"goal_found": False}, "low where start or goal was not found"),
        ({"reachable": False}, "null and an empty path"),
        ({"more": 1}, "with more"),
    ],
)
def test_rules_of_the_letter_are_named_where_one_is_broken(changed, says):
    strict = read_grid_maze(said(**changed)).strict
    assert isinstance(strict, Unread)
    assert says in strict.message


def test_low_confidence_may_go_with_a_start_that_was_not_found():
    assert isinstance(read_grid_maze(said(start_found=False, confidence="low")).strict, Parsed)


def test_keys_that_are_there_twice_are_not_to_the_letter():
    readings = read_grid_maze(f'{{"path": ["U"], {GOOD[1:]}')
    assert (readings.lenient.value[0].path, isinstance(readings.strict, Unread)) == ("DDRR", True)


def test_each_step_has_its_place_in_the_text():
    text = f"Here: {said(path=['D', 'down', 'R', 'R'])} and {said(path='DDRR')}"
    for one in (text[: text.index(" and")], text[text.index("and") :]):
        spans = read_grid_maze(one).lenient.spans
        assert len(spans) == 4
        assert {one[span.start : span.end].strip('"')[0].upper() for span in spans} == {"D", "R"}
