"""Rush hour: lots, moves, shortest solutions, chance and description."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from puzzles.common.search import StateLimitError
from puzzles.rush_hour.chance import Draw, chance, chances
from puzzles.rush_hour.description import describe
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Pose, Side, Vehicle
from puzzles.rush_hour.rules import (
    Direction,
    FaultKind,
    Move,
    Stop,
    StopKind,
    Trajectory,
    move_numbers,
    simulate,
)
from puzzles.rush_hour.solver import solve


def car(label: str, x: float, y: float, degrees: float = 0, length: float = 2.0, movable: bool = True) -> Vehicle:
    theta = math.radians(degrees)
    axis = (math.cos(theta), math.sin(theta))
    return Vehicle(f"car_{label}", label, length, 0.9, Pose(x, y, theta), axis, movable)


def moves(text: str) -> tuple[Move, ...]:
    """Moves as people write them: AF CB RF."""
    directions = {"F": Direction.FORWARD, "B": Direction.BACKWARD}
    return tuple(Move(word[0], directions[word[1]]) for word in text.split())


def ways(run: Trajectory) -> list[float]:
    return [step.distance for step in run.steps]


RED = car("R", 1, 5, length=1.8)
EXIT = Exit(Side.RIGHT, 4.5, 5.5)
ALONE = Lot(10, 10, (EXIT,), (RED,))
CROSSED = Lot(10, 10, (EXIT,), (RED, car("A", 5, 5, 90)))
# A blocks the red car, B and the obstacle block A.
LOCKED = Lot(
    10,
    10,
    (EXIT,),
    (RED, car("A", 5, 5, 90), car("B", 5, 7)),
    (Obstacle("wall", 2, 1, Pose(5, 2.5)),),
)


def test_a_move_goes_on_to_the_first_contact() -> None:
    run = simulate(CROSSED, moves("RF RF RB"))
    # The front is at 1 + 0.9, A's side at 5 - 0.45: 2.65 apart. Back to the wall: 2.65 and the 0.1 behind the car.
    assert ways(run) == pytest.approx([2.65, 0, 2.75])
    assert [step.stop for step in run.steps] == [
        Stop(StopKind.VEHICLE, "A"),
        Stop(StopKind.VEHICLE, "A"),
        Stop(StopKind.EDGE, "left"),
    ]
    assert [poses[0].x for poses in run.poses] == pytest.approx([1, 3.65, 3.65, 0.9])
    assert all(poses[1] == CROSSED.vehicles[1].pose for poses in run.poses)
    assert (run.failure, run.solved, run.first_solved) == (None, False, None)


def test_the_red_car_at_the_exit_solves() -> None:
    run = simulate(CROSSED, moves("AF RF"))
    assert ways(run) == pytest.approx([4, 8.1])  # 10 - 5 - 1 up to the top; 10 - 0.9 - 1
    assert (run.solved, run.first_solved) == (True, 2)
    # What counts is where the list ends; that it was there before is said beside it.
    run = simulate(CROSSED, moves("AF RF RB"))
    assert (run.solved, run.first_solved) == (False, 2)
    run = simulate(CROSSED, moves("AF RF RB RF AB"))
    assert (run.solved, run.first_solved) == (True, 2)
    assert run.steps[-1].distance == pytest.approx(8)  # from 9 down to 1, behind the red car
    assert not simulate(CROSSED, ()).solved


def test_the_centre_must_be_in_the_opening() -> None:
    for start, end, solved in ((4.5, 5.5, True), (5, 6, True), (5.01, 6, False), (3, 4.99, False)):
        lot = replace(ALONE, exits=(Exit(Side.RIGHT, start, end),))
        assert simulate(lot, moves("RF")).solved is solved
    # The same lot turned: up, left, down.
    for side, vehicle, move in (
        (Side.TOP, car("R", 5, 1, 90, 1.8), "RF"),
        (Side.LEFT, car("R", 9, 5, 0, 1.8), "RB"),
        (Side.LEFT, car("R", 9, 5, 180, 1.8), "RF"),
        (Side.BOTTOM, car("R", 5, 9, 90, 1.8), "RB"),
    ):
        run = simulate(Lot(10, 10, (Exit(side, 4.5, 5.5),), (vehicle,)), moves(move))
        assert ways(run) == pytest.approx([8.1])
        assert run.solved
        assert run.steps[0].stop == Stop(StopKind.EDGE, side.value)


def test_turned_cars_touch_with_their_corners() -> None:
    lot = replace(CROSSED, vehicles=(RED, car("A", 5, 5, 30)))
    run = simulate(lot, moves("RF"))
    # A's corner (-1, 0.45), turned by 30 degrees, is at x = -cos 30 - 0.45 sin 30 = -1.091 from its centre.
    assert ways(run) == pytest.approx([5 - math.cos(math.pi / 6) - 0.225 - 1.9])
    # Forward along 30 degrees A's corner (1, 0.45) is at y = sin 30 + 0.45 cos 30 = 0.890 from its centre.
    way = (5 - 0.5 - 0.45 * math.cos(math.pi / 6)) / 0.5
    run = simulate(lot, moves("AF"))
    to_the_right = (5 - math.cos(math.pi / 6) + 0.225 - 0.45) / math.cos(math.pi / 6)  # its corner (1, -0.45)
    assert to_the_right < way
    assert ways(run) == pytest.approx([to_the_right])
    assert run.steps[0].stop == Stop(StopKind.EDGE, "right")
    assert run.poses[1][1].y == pytest.approx(5 + to_the_right / 2)


def test_cars_that_touch_slide_along_one_another() -> None:
    lot = replace(ALONE, vehicles=(RED, car("A", 5, 5.9), car("B", 5, 5)))
    assert ways(simulate(lot, moves("AF AB BF BB"))) == pytest.approx([4, 8, 4, 6.1])  # B back to the red car: 9 - 2.9
    assert simulate(lot, moves("AF AB BF BB")).steps[-1].stop == Stop(StopKind.VEHICLE, "R")


def test_obstacles_stop() -> None:
    run = simulate(LOCKED, moves("AB AF"))
    assert ways(run) == pytest.approx([1, 1.55])  # 4 - 3 down to the wall; from 3 + 2 up to B's side at 6.55
    assert [step.stop for step in run.steps] == [Stop(StopKind.OBSTACLE, "wall"), Stop(StopKind.VEHICLE, "B")]


def test_the_first_wrong_move_ends_the_run() -> None:
    run = simulate(CROSSED, moves("AF XF RF"))
    assert run.failure is not None
    assert (run.failure.place, run.failure.move, run.failure.kind) == (1, moves("XF")[0], FaultKind.UNKNOWN_LABEL)
    assert run.failure.message == "move 2 names vehicle 'X', which is not in the lot; there are A, R"
    assert (len(run.steps), len(run.poses), run.solved) == (1, 2, False)
    parked = replace(CROSSED, vehicles=(RED, car("A", 5, 5, 90, movable=False)))
    run = simulate(parked, moves("RF AF"))
    assert run.failure is not None
    assert (run.failure.place, run.failure.kind) == (1, FaultKind.IMMOVABLE)
    assert "cannot move" in run.failure.message
    # At the exit before the wrong move: not solved, but it was there.
    run = simulate(ALONE, moves("RF AF"))
    assert (run.solved, run.first_solved) == (False, 1)


def test_larger_cars_show_near_misses() -> None:
    lot = replace(ALONE, vehicles=(RED, car("A", 5, 5.92)))  # 0.02 between their sides
    assert simulate(lot, moves("RF"), 0.009).solved
    assert not simulate(lot, moves("RF"), 0.011).solved
    assert ways(simulate(lot, moves("RF"), 0.05)) == pytest.approx([2])  # 4 - 1.9 less 0.05 twice
    # With smaller cars a graze becomes a miss: here their sides overlap by 0.02.
    graze = replace(lot, vehicles=(RED, car("A", 5, 5.88)))
    assert not simulate(graze, moves("RF")).solved
    assert simulate(graze, moves("RF"), -0.011).solved
    with pytest.raises(ValueError, match=r"margin of -0\.45 leaves nothing of vehicle R"):
        simulate(lot, (), -0.45)
    with pytest.raises(ValueError, match="finite"):
        simulate(lot, (), math.inf)


def test_shortest_solutions() -> None:
    found = solve(CROSSED, limit=10)
    assert found is not None
    assert (found.length, found.complete) == (2, True)
    assert found.solutions == (moves("AF RF"), moves("AB RF"))
    found = solve(CROSSED)
    assert found is not None
    assert (found.solutions, found.complete) == ((moves("AF RF"),), False)
    assert solve(CROSSED, max_moves=1) is None
    # B goes away on either side; A then goes up, past B, and the red car out.
    found = solve(LOCKED, limit=10)
    assert found is not None
    assert found.solutions == (moves("BF AF RF"), moves("BB AF RF"))
    assert all(simulate(LOCKED, solution).solved for solution in found.solutions)


def test_shortest_solutions_are_those_of_trying_everything() -> None:
    lot = replace(LOCKED, vehicles=(*LOCKED.vehicles, car("C", 7.8, 7.5, 30)))
    every = tuple(move_numbers(lot))
    found = solve(lot, limit=100)
    assert found is not None
    for length in range(found.length + 1):
        tried = {listed for listed in product(every, repeat=length) if simulate(lot, listed).solved}
        assert tried == (set(found.solutions) if length == found.length else set())


def test_lots_that_cannot_be_solved() -> None:
    assert solve(replace(CROSSED, vehicles=(RED, car("A", 5, 5, 90, movable=False)))) is None
    assert solve(replace(ALONE, vehicles=(replace(RED, movable=False),))) is None
    there = replace(ALONE, vehicles=(car("R", 9.1, 5, length=1.8),))
    found = solve(there)
    assert found is not None
    assert (found.length, found.solutions) == (0, ((),))
    with pytest.raises(StateLimitError, match="more than 3 states"):
        solve(LOCKED, max_states=3)
    with pytest.raises(ValueError, match="limit"):
        solve(ALONE, limit=0)


def test_chance_by_hand() -> None:
    # Alone, each move is out with 1/2.
    assert chance(ALONE, 6).probability == 1 - 2**-6
    # Drawn among moves that move: the first is out with 1/2, or at the wall, from where only out is left.
    assert [chance(ALONE, count, Draw.MOVING).probability for count in (0, 1, 2)] == [0, 0.5, 1]
    # A forward or backward, then R forward: 2/4 of 1/4.
    found = chance(CROSSED, 2)
    assert (found.probability, found.standard_error, found.exact, found.samples) == (1 / 8, 0, True, 0)
    assert chance(replace(ALONE, vehicles=(replace(RED, movable=False),)), 5).probability == 0
    assert chance(replace(ALONE, vehicles=(car("R", 9.1, 5, length=1.8),)), 0).probability == 1


@pytest.mark.parametrize("draw", Draw)
def test_chance_is_that_of_trying_all_walks(draw: Draw) -> None:
    total = 0.0
    every = tuple(move_numbers(LOCKED))
    moving = {}
    for listed in product(every, repeat=3):
        run = simulate(LOCKED, listed)
        share = 1.0
        for count, step in enumerate(run.steps):
            key = listed[:count]
            if draw is Draw.MOVING and key not in moving:
                moving[key] = sum(simulate(LOCKED, (*key, move)).steps[-1].distance > 1e-6 for move in every)
            drawn = draw is Draw.ALL or step.distance > 1e-6
            share *= drawn / (len(every) if draw is Draw.ALL else moving[key])
        total += share * (run.first_solved is not None)
    assert total > 0
    assert chance(LOCKED, 3, draw).probability == pytest.approx(total, abs=1e-12)
    sampled = chance(LOCKED, 3, draw, seed=1, max_states=0, samples=4000)
    assert (sampled.exact, sampled.samples, sampled.states) == (False, 4000, 0)
    assert sampled == chance(LOCKED, 3, draw, seed=1, max_states=0, samples=4000)
    assert sampled.standard_error == math.sqrt(sampled.probability * (1 - sampled.probability) / 4000)
    assert abs(sampled.probability - total) < 4 * math.sqrt(total * (1 - total) / 4000)


@pytest.mark.parametrize("max_states", [20_000, 0])
def test_chances_together_are_those_one_by_one(max_states: int) -> None:
    found = chances(LOCKED, 4, tuple(Draw), seed=3, max_states=max_states, samples=500)
    assert found == tuple(chance(LOCKED, 4, draw, seed=3, max_states=max_states, samples=500) for draw in Draw)
    assert found[0].probability != found[1].probability


def test_chance_refuses_wrong_numbers() -> None:
    with pytest.raises(ValueError, match="negative"):
        chance(ALONE, -1)
    with pytest.raises(ValueError, match="sample"):
        chance(ALONE, 1, samples=0)


def test_description() -> None:
    lot = replace(LOCKED, vehicles=(RED, car("A", 5, 5, -30), car("B", 5, 8, 90, movable=False)))
    assert describe(lot) == (
        "Lot: 10.00 wide, 10.00 high; x goes right and y up from the lower left corner.\n"
        "Exit: right side, y from 4.50 to 5.50.\n"
        "Vehicle R: length 1.80, width 0.90, centre (1.00, 5.00), angle 0.00; forward is (1.00, 0.00).\n"
        "Vehicle A: length 2.00, width 0.90, centre (5.00, 5.00), angle -30.00; forward is (0.87, -0.50).\n"
        "Vehicle B: length 2.00, width 0.90, centre (5.00, 8.00), angle 90.00; it cannot move.\n"
        "Obstacle: length 2.00, width 1.00, centre (5.00, 2.50), angle 0.00.\n"
    )


def test_wrong_lots_are_refused() -> None:
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: Exit(Side.TOP, 2, 2), "opening"),
        (lambda: replace(ALONE, exits=()), "no exit"),
        (lambda: replace(ALONE, exits=(Exit(Side.TOP, 9.5, 10.5),)), "exit on the top goes from 9.5 to 10.5"),
        (lambda: replace(ALONE, width=0.0), "the lot must have sides"),
        (lambda: replace(ALONE, vehicles=(car("A", 5, 5),)), "no vehicle has the label R"),
        (lambda: replace(ALONE, vehicles=(RED, RED)), "id 'car_R' is there more than once"),
        (lambda: replace(ALONE, vehicles=(RED, replace(RED, id="x"))), "label 'R' is there more than once"),
        (lambda: replace(ALONE, vehicles=(RED, car("A", 9.5, 5))), "'car_A' stands out of the lot by 0.5"),
        (lambda: replace(ALONE, vehicles=(RED, car("A", 2.8, 5))), "'car_R' and 'car_A' overlap by 0.1"),
        (lambda: replace(LOCKED, obstacles=(Obstacle("o", 1, 1, Pose(5, 5)),)), "'car_A' and 'o' overlap"),
        (lambda: replace(RED, label=""), "needs an id and a label"),
        (lambda: replace(RED, length=math.nan), "sides from 0.01 to 1000"),
        (lambda: replace(RED, axis=(2.0, 0.0)), "axis of length 2"),
        (lambda: replace(RED, axis=(math.nan, 0.0)), "axis of length nan"),
        (lambda: replace(RED, axis=(0.0, 1.0)), "its axis at 90 degrees but its length at 0"),
        (lambda: replace(RED, color="red"), "#RRGGBB"),
        (lambda: Pose(math.inf, 0), "finite"),
        (lambda: replace(ALONE, obstacles=tuple(Obstacle(f"{i}", 1, 1, Pose(0, 0)) for i in range(64))), "at most 64"),
    ]
    for make, message in cases:
        with pytest.raises(ValueError, match=message):
            make()
