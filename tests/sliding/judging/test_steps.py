"""What one picture of a series of tiles shows against the one before: a move, nothing new, or a fault by its code."""

from __future__ import annotations

import pytest

from grader.tasks.sliding.steps import read_tile_steps
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import SlidingPuzzle

# 1 2
# 3 .
START = (1, 2, 3, BLANK)
UP, UP_LEFT = (1, BLANK, 3, 2), (BLANK, 1, 3, 2)
PUZZLE = SlidingPuzzle(START, UP_LEFT)


def read(*pictures, drawn=()):
    return read_tile_steps(PUZZLE, pictures, drawn=drawn)


def told(plan):
    return [(one.seen.moves, one.seen.legal, one.seen.faults) for one in plan.steps]


def test_moves_one_after_another_reach_the_goal():
    plan = read(UP, UP_LEFT)
    assert told(plan) == [(("up",), True, ()), (("left",), True, ())]
    assert [one.seen.tiles for one in plan.steps] == [UP, UP_LEFT]
    assert (plan.reached, plan.left) == (True, 0)


def test_the_same_state_again_is_no_move_and_no_fault():
    plan = read(START, UP)
    assert told(plan) == [((), False, ()), (("up",), True, ())]
    assert [one.fault for one in plan.steps] == [None, None]
    assert (plan.reached, plan.left) == (False, 1)


@pytest.mark.parametrize(
    ("picture", "code", "message", "about"),
    [
        (None, "STEP_UNREADABLE", "it can't be read.", ""),
        (UP_LEFT, "STEP_MISSING", "2 moves at once: up, left.", ""),
        ((2, 1, 3, BLANK), "STEP_ILLEGAL", "2 cells change, which no move does.", ""),
        ((2, 3, 1, BLANK), "STEP_ILLEGAL", "3 cells change, which no move does.", ""),
        ((1, 1, 3, BLANK), "STEP_ALTERED", "tile 1 is there 2 times.", "1"),
        ((1, 2, BLANK, BLANK), "STEP_ALTERED", "there are 2 blank cells.", ""),
        ((1, 2, 3, 0), "STEP_ALTERED", "there are 0 blank cells.", ""),
        ((1, 0, 3, BLANK), "STEP_ALTERED", "tile 2 is not there.", "2"),
    ],
)
def test_a_picture_that_does_not_follow_is_told_by_its_code(picture, code, message, about):
    (step,) = read(picture).steps
    assert (step.fault.code, step.fault.message, step.fault.object) == (code, message, about)
    assert (step.seen.legal, step.seen.faults) == (False, (code,))
    assert step.seen.moves == (("up", "left") if code == "STEP_MISSING" else ())


def test_what_follows_a_fault_is_compared_with_the_last_state_that_was_one():
    plan = read(UP, (1, 1, 3, BLANK), UP_LEFT)
    assert [one.fault is None for one in plan.steps] == [True, False, True]
    # What is left counts from the state before the first fault: one move.
    assert (plan.reached, plan.left) == (True, 1)


def test_what_is_drawn_over_a_tile_or_the_blank_alters_it():
    plan = read(UP, UP_LEFT, drawn=(2, BLANK))
    assert [one.fault.message for one in plan.steps] == [
        "something is drawn over tile 2.",
        "something is drawn over the blank.",
    ]
    assert [one.fault.object for one in plan.steps] == ["2", ""]
    assert told(plan) == [(("up",), False, ("STEP_ALTERED",)), (("left",), False, ("STEP_ALTERED",))]
    # Where the tiles themselves are altered that is said, and nothing is said of pictures that nothing is drawn on.
    altered = read((1, 1, 3, BLANK), UP, drawn=(1, None))
    assert altered.steps[0].fault.message == "tile 1 is there 2 times."
    assert read(UP, UP_LEFT, drawn=(2,)).steps[1].fault is None
