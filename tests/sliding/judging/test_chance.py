"""How often random moves solve a sliding puzzle, as a report asks for it."""

from __future__ import annotations

import pytest

from grader.model.errors import InvalidRequestError
from grader.tasks.sliding.chance import CHANCE
from grader.tasks.sliding.model import SlidingInput
from puzzles.sliding.sweeps import SWEEPS, sweep

TARGET = (1, 2, 3, -1)


def test_levels_are_of_twelve_moves_and_of_six():
    """One move away on a ring of 12 states: the paper's table has 0.7749 for walks of 12; six reach it in 44 of 64."""
    assert [walk.key for walk in CHANCE.walks] == ["twelve", "six"]
    assert [walk.title for walk in CHANCE.walks] == ["chance (12 moves)", "chance (6 moves)"]
    found = CHANCE.levels(SlidingInput(2, (1, 2, -1, 3), None, TARGET))
    assert [level.walk for level in found] == list(CHANCE.walks)
    assert [level.probability for level in found] == pytest.approx([0.7749, 0.6875], abs=5e-5)
    assert [level.exact for level in found] == [True, True]


def test_what_is_no_puzzle_is_refused():
    with pytest.raises(InvalidRequestError) as raised:
        CHANCE.levels(SlidingInput(2, (1, 2, -1), None, TARGET))
    assert [(one.field, one.reason) for one in raised.value.violations] == [("sliding", "OUT_OF_RANGE")]


def test_a_dozen_sweeps_go_round_from_where_the_blank_is():
    assert len(SWEEPS) == len(set(SWEEPS)) == len(CHANCE.sweeps.names) == 12
    moves = [move.value for move in sweep((1, 2, -1, 3), "clockwise from right", 5)]
    assert moves == ["right", "up", "left", "down", "right"]
    for name in SWEEPS:
        assert len(sweep((1, 2, 3, 4, -1, 5, 6, 7, 8), name, 12)) == 12


def test_sweeps_round_the_ring_of_two_by_two_reach_every_state():
    solved = CHANCE.sweeps.solved(SlidingInput(2, (1, 2, -1, 3), None, TARGET))
    assert all(solved[:8])  # round and round
    with pytest.raises(InvalidRequestError):
        CHANCE.sweeps.solved(SlidingInput(2, (1, 2, -1), None, TARGET))
