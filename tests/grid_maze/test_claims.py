"""What is said behind an answer to a grid maze has to be what the answer says; else nobody knows which is meant."""

from __future__ import annotations

import json

import pytest

from grader.answers.result import Parsed
from grader.answers.tasks import read_grid_maze


def answer(path: str, *, reachable: bool = True) -> str:
    """An answer to a maze of three by three cells."""
    return json.dumps(
        {
            "grid_size": [3, 3],
            "start_found": True,
            "goal_found": True,
            "reachable": reachable,
            "shortest_path_length": len(path) if reachable else None,
            "path": list(path),
            "confidence": "high",
            "image_ambiguity": "none",
        }
    )


WAY, NONE = answer("RRDD"), answer("", reachable=False)


@pytest.mark.parametrize(
    "said",
    [
        "The goal is reachable in 4 steps.",
        "The path avoids all walls and traps, and it never hits a wall.",
        "Any other route would hit a wall.",
        "Going down first would run into a trap.",
        "This path has four steps, the shortest length.",
        "Final answer: RRDD",
        "So the path is R, R, D, D.",
        "No shorter path exists. There is no other path of this length.",
        "Note: the cell (1,1) is a wall and cannot be entered.",
        "The left part of the maze is unreachable, but the goal is not affected.",
        "I verified that no step hits a wall or a trap.",
        "If the wall were at (0,1), the goal would be unreachable.",
        "Is it unreachable? No.",
        "Is there a shorter path? No.",
        "**Explanation**\n- Start at (0,0).\n- Right twice to (0,2).\n- Down twice to reach the goal at (2,2).",
        "The first step leads to (0,1), then to (0,2).",
        "Image ambiguity: none.",
        "The path leads to the right edge and then down to the goal.",
        "The path runs through the grid from left to right.",
        "This path passes through the top border row.",
        "The solution leads through the maze, and it contains no walls.",
        "It is blocked in the middle, so we go around it.",
        "It is impossible to go through the middle.",
        "The maze is enclosed by a border of walls.",
        "The goal cannot be reached diagonally. Diagonal moves are not allowed.",
        "No path of 3 steps exists. It can't be shorter than 4.",
        "The path should be valid.",
        '{"reachable": true, "path": ["R", "R", "D", "D"]}',
    ],
)
def test_what_goes_with_a_path_leaves_it_as_it_is(said):
    read = read_grid_maze(f"{WAY}\n{said}").lenient
    assert isinstance(read, Parsed)
    assert read.value[0].path == "RRDD"


@pytest.mark.parametrize(
    "said",
    [
        "The goal is unreachable because walls surround it.",
        "No path exists. Every route is blocked by a wall.",
        "There is no way to reach the goal, so the path is empty.",
        "All paths lead to a wall or a trap.",
        "(There is a path only through a trap, which isn't allowed.)",
        "Only the three cells beside the start can be reached.",
    ],
)
def test_what_goes_with_no_path_leaves_it_as_it_is(said):
    read = read_grid_maze(f"{NONE}\n{said}").lenient
    assert isinstance(read, Parsed)
    assert not read.value[0].reachable


@pytest.mark.parametrize(
    "said",
    [
        "Final answer: unreachable",
        "Actually, the goal can't be reached.",
        "Unreachable.",
        "reachable: false",
        "Verdict: NO PATH",
        "\\boxed{unreachable}",
        "<answer>unreachable</answer>",
        "Das Ziel ist nicht erreichbar.",
        "这个迷宫不可达。",
        "The goal lies in a sealed room.",
        "The second move hits a wall.",
        "Step two bumps the wall.",
        "This would hit a wall at step 2.",
        "The path collides with a wall at step 2.",
        "The last step leaves the grid.",
        "The path doesn't reach the goal.",
        "Hmm, the third move is not possible.",
        "Final answer: DDRR",
        "\\boxed{DDRR}",
        "```\nDDRR\n```",
        "path = D, D, R, R",
        "So the shortest path has 6 steps.",
        "The shortest route takes six steps.",
        "Length should be 6.",
        "Reverse the path.",
        "Swap the first and the last step.",
        "I doubt that this works.",
        "This was only an example.",
        '{"reachable": false}',
        '{"path": ["D", "D", "R", "R"]}',
        '{"shortest_path_length": 6}',
    ],
)
def test_a_path_that_words_behind_it_contradict_is_no_answer(said):
    assert not isinstance(read_grid_maze(f"{WAY}\n{said}").lenient, Parsed)


@pytest.mark.parametrize(
    "said",
    ["Final answer: the goal is reachable.", "The path is RRDD.", "The maze can be solved.", "A way exists: RRDD"],
)
def test_no_path_that_words_behind_it_contradict_is_no_answer(said):
    assert not isinstance(read_grid_maze(f"{NONE}\n{said}").lenient, Parsed)


@pytest.mark.parametrize("key", ["valid", "is_answer", "accepted", "is_correct"])
def test_an_object_that_says_of_what_it_holds_that_it_is_no_answer_holds_none(key):
    assert not isinstance(read_grid_maze(json.dumps({"answer": json.loads(WAY), key: False})).lenient, Parsed)


def test_a_whole_answer_behind_what_was_doubted_counts():
    read = read_grid_maze(f"{WAY}\nThe second move hits a wall.\n{answer('DDRR')}").lenient
    assert isinstance(read, Parsed)
    assert read.value[0].path == "DDRR"
