"""What plans earn, by their moves, by how many matter, and by the settings."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from grader.tasks.plans.rewards import plan_reward
from grader.tasks.plans.settings import PLAN_RULES
from grader.tasks.rush_hour.progress import moves_that_matter as matter_in_lot
from grader.tasks.sliding.progress import moves_that_matter as matter_of_tiles
from grader.tasks.sliding.progress import until_target
from puzzles.rush_hour.generator import generate_lot
from puzzles.rush_hour.plans.sweeps import SWEEPS, sweep
from puzzles.sliding.tiles import SlidingPuzzle
from tests.plans.test_steps import LOT

# 3 1      1 2
# _ 2  ->  3 _  by up, right, down.
TILES = SlidingPuzzle((3, 1, -1, 2), (1, 2, 3, -1))


def earned(taken, needed, matter=None, passed=True, progress=1.0, rules=PLAN_RULES):
    """Of a plan of so many moves, of which so many matter, or all."""
    return plan_reward(
        ["A forward"] * taken,
        passed=passed,
        progress=progress,
        needed=needed,
        matter=lambda moves: len(moves) if matter is None else matter,
        rules=rules,
    )


@pytest.mark.parametrize(
    ("taken", "needed", "reward"),
    [
        (1, 1, 1.0),
        (5, 3, 1.0),  # two more
        (6, 3, 0.5),  # three more
        (10, 8, 1.0),
        (25, 20, 1.0),  # a quarter more
        (26, 20, 20 / 26),
        (20, 2, 0.1),
        (40, None, 1.0),  # nobody knows what is needed
    ],
)
def test_of_plans_whose_moves_all_matter_long_ones_earn_the_least_over_what_they_take(taken, needed, reward):
    assert earned(taken, needed) == pytest.approx(reward)


@pytest.mark.parametrize(("taken", "matter", "reward"), [(4, 3, (3 / 4) ** 3), (6, 3, 0.5 * 0.5**3), (6, 6, 0.5)])
def test_moves_that_do_not_matter_cost_more(taken, matter, reward):
    assert earned(taken, 3, matter) == pytest.approx(reward)


def test_a_shortest_plan_is_not_asked_which_of_its_moves_matter():
    assert earned(3, 3, matter=0) == 1.0


def test_a_plan_that_pictures_alone_show_to_solve_is_held_against_the_least():
    moves = ["A forward"] * 4
    found = plan_reward(moves, passed=True, progress=1.0, needed=3, matter=lambda _: None, rules=PLAN_RULES)
    assert found == pytest.approx((3 / 4) ** 3)


def test_of_a_plan_that_fails_what_brought_it_nearer_matters():
    # Two of four moves are left, so two brought it nearer: 0.9 x 0.5 x (4/6)^3 = 2/15.
    assert earned(2, 4, passed=False, progress=0.5) == pytest.approx(2 / 15)
    assert earned(4, 4, passed=False, progress=0.5) == pytest.approx(2 / 15 / 8)
    assert earned(8, 4, passed=False, progress=0.5) == pytest.approx(2 / 15 * 0.5 / 64)
    assert earned(0, 4, passed=False, progress=0.0) == 0.0
    assert earned(3, None, passed=False, progress=0.0) == 0.0


@pytest.mark.parametrize("needed", [1, 2, 3, 5, 8, 13, 40])
def test_no_plan_that_fails_earns_more_than_one_that_solves_within_the_free_moves(needed):
    wasteful = int(PLAN_RULES.free_moves(needed))
    solves = earned(wasteful, needed, matter=needed)
    best_failing = earned(needed - 1, needed, passed=False, progress=(needed - 1) / needed)
    assert 0 <= best_failing < solves


def test_a_profile_can_turn_it_off():
    rules = replace(PLAN_RULES, graded=False)
    assert earned(30, 3, matter=3, rules=rules) == 1.0
    assert earned(30, 4, passed=False, progress=0.5, rules=rules) == pytest.approx(0.45)
    assert earned(4, 3, matter=3, rules=replace(PLAN_RULES, idle_power=1.0)) == pytest.approx(0.75)
    assert earned(5, 3, rules=replace(PLAN_RULES, free_more=1)) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("moves", "matter"),
    [
        ("A backward, R forward", 2),
        ("B forward, A backward, R forward", 2),
        ("A backward, R forward, B forward", 2),  # after the end
        ("R forward, A backward, B forward, B backward, R forward", 2),
        ("A backward", None),
        ("Z forward, A backward, R forward", None),
    ],
)
def test_moves_of_a_lot_matter_that_the_red_car_needs(moves, matter):
    assert matter_in_lot(LOT, moves.split(", ")) == matter


@pytest.mark.parametrize(
    ("moves", "matter"),
    [
        ("up right down", 3),
        ("up down up right down", 3),
        ("right up left down right up left down right", 9),  # round the other way, and never twice at one state
        ("up right down up down", 3),
        ("up right", None),
        ("left up right down", None),
    ],
)
def test_moves_of_tiles_matter_that_lead_to_no_state_twice(moves, matter):
    assert matter_of_tiles(TILES, moves.split()) == matter


def test_what_comes_after_the_target_can_be_left_out():
    assert until_target(TILES, ["up", "right", "down", "up"]) == ("up", "right", "down")
    assert until_target(TILES, ["up"]) == ("up",)


@pytest.mark.parametrize("level", [3, 4, 5])
def test_blind_sweeps_earn_little_at_a_few_lots_of_every_level(level):
    """The whole of it is `python -m benchmarks.answers sweeps`."""
    lots = [generate_lot(level, seed).lot for seed in range(4)]
    for name in SWEEPS:
        rewards = []
        for lot in lots:
            plan = [str(move) for move in sweep(lot, name, PLAN_RULES.most_moves(level))]
            solved = matter_in_lot(lot, plan) is not None
            matter = partial(matter_in_lot, lot)
            rewards.append(
                plan_reward(plan, passed=solved, progress=float(solved), needed=level, matter=matter, rules=PLAN_RULES)
            )
        assert sum(rewards) / len(rewards) <= 0.15, name
