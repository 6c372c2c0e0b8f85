"""Sliding puzzles: rules, solver, generator, chance."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from puzzles.common.search import StateLimitError
from puzzles.sliding.chance import Success, chance
from puzzles.sliding.tiles import (
    BlankMove,
    SlidingPuzzle,
    State,
    apply_move,
    generate_sliding,
    is_solvable,
    legal_moves,
    simulate,
    solve,
)

UP, DOWN, LEFT, RIGHT = BlankMove
SMALL = (1, 2, 3, -1)
MIDDLE = (1, 2, 3, 4, 5, 6, 7, 8, -1)


def distances(target: State, most: int) -> dict[State, int]:
    """Distances of all states that at most so many moves reach, by a plain search."""
    found = {target: 0}
    waiting = [target]
    for state in waiting:
        for move in legal_moves(state) if found[state] < most else ():
            near = apply_move(state, move)
            if near not in found:
                found[near] = found[state] + 1
                waiting.append(near)
    return found


def test_a_move_takes_the_blank_along() -> None:
    # 1 2        1 .
    # 3 .   up   3 2
    assert apply_move(SMALL, UP) == (1, -1, 3, 2)
    assert apply_move(SMALL, LEFT) == (1, 2, -1, 3)
    assert apply_move((-1, 2, 3, 1), DOWN) == (3, 2, -1, 1)
    assert apply_move((-1, 2, 3, 1), RIGHT) == (2, -1, 3, 1)
    assert [move.opposite for move in BlankMove] == [DOWN, UP, RIGHT, LEFT]


def test_legal_moves_stay_on_the_grid() -> None:
    assert legal_moves(SMALL) == (UP, LEFT)
    assert legal_moves((1, 2, 3, 4, -1, 5, 6, 7, 8)) == (UP, DOWN, LEFT, RIGHT)
    assert legal_moves((1, -1, 2, 3, 4, 5, 6, 7, 8)) == (DOWN, LEFT, RIGHT)


def test_simulation_gives_all_states() -> None:
    run = simulate((3, 1, 2, -1), (LEFT, UP, RIGHT, DOWN))
    # 3 1   3 1   . 1   1 .   1 2
    # 2 .   . 2   3 2   3 2   3 .
    assert run.states == ((3, 1, 2, -1), (3, 1, -1, 2), (-1, 1, 3, 2), (1, -1, 3, 2), SMALL)
    assert run.failure is None
    assert run.reaches(SMALL)
    assert not run.reaches((3, 1, 2, -1))
    assert simulate(SMALL, ()).states == (SMALL,)


def test_simulation_says_where_and_why_it_fails() -> None:
    run = simulate(SMALL, (UP, UP, LEFT))
    assert run.states == (SMALL, (1, -1, 3, 2))
    assert run.failure is not None
    assert (run.failure.place, run.failure.move) == (1, UP)
    assert run.failure.message == "move 2 takes the blank up from row 1, column 2, off the grid"
    assert not run.reaches((1, -1, 3, 2))  # a list with a move that cannot be made reaches nothing
    with pytest.raises(ValueError, match="off the grid"):
        apply_move(SMALL, RIGHT)


def test_half_of_all_states_can_be_solved() -> None:
    reached = distances(SMALL, 99)
    assert len(reached) == 12  # 4! / 2
    for state in permutations(SMALL):
        assert is_solvable(state, SMALL) == (state in reached)
    assert not is_solvable((2, 1, 3, 4, 5, 6, 7, 8, -1), MIDDLE)  # one swap
    assert is_solvable((2, 1, 4, 3, 5, 6, 7, 8, -1), MIDDLE)  # two swaps


def test_solutions_are_as_short_as_can_be() -> None:
    for state, distance in distances(SMALL, 99).items():
        found = solve(state, SMALL)
        assert len(found) == distance
        assert simulate(state, found).reaches(SMALL)
    # Every 7th of the states of 3 x 3 that are up to eight moves away from a target with the blank in its middle.
    target = (1, 2, 3, 4, -1, 5, 6, 7, 8)
    reached = distances(target, 8)
    for state in list(reached)[::7]:
        found = solve(state, target)
        assert len(found) == reached[state]
        assert simulate(state, found).reaches(target)


def test_the_solver_says_that_it_cannot() -> None:
    with pytest.raises(ValueError, match="no moves lead"):
        solve((2, 1, 3, -1), SMALL)
    with pytest.raises(StateLimitError, match="more than 100 states"):
        solve((8, 6, 7, 2, 5, 4, 3, -1, 1), MIDDLE, max_states=100)
    assert len(solve((8, 6, 7, 2, 5, 4, 3, -1, 1), MIDDLE)) == 31  # the farthest that a state of 3 x 3 can be


@pytest.mark.parametrize(("size", "moves"), [*((2, moves) for moves in range(1, 7)), (3, 8), (3, 22), (4, 14), (5, 12)])
def test_generated_puzzles_need_the_moves_asked_for(size: int, moves: int) -> None:
    puzzle = generate_sliding(size, moves, 1)
    assert (puzzle.size, puzzle.seed) == (size, 1)
    assert len(solve(puzzle.start, puzzle.target)) == moves
    assert puzzle == generate_sliding(size, moves, 1)


@pytest.mark.parametrize(("size", "moves"), [(2, 3), (3, 8)])
def test_generated_puzzles_differ_by_their_seed(size: int, moves: int) -> None:
    assert len({generate_sliding(size, moves, seed).target.index(-1) for seed in range(6)}) > 1


def test_a_generated_puzzle_is_the_same_in_every_version() -> None:
    assert generate_sliding(3, 6, 1, MIDDLE) == SlidingPuzzle((1, 5, 2, 4, 3, 6, 7, 8, -1), MIDDLE, 1)


def test_wrong_arguments_are_refused() -> None:
    for size, moves, seed, message in (
        (1, 1, 0, "size"),
        (6, 1, 0, "size"),
        (3, 0, 0, "at least 1"),
        (4, 25, 0, "at most 24"),
        (3, 1, -1, "seed"),
        (2, 7, 0, "no state is 7 moves away"),
    ):
        with pytest.raises(ValueError, match=message):
            generate_sliding(size, moves, seed)
    with pytest.raises(ValueError, match="2 x 2, not 3 x 3"):
        generate_sliding(3, 1, 0, SMALL)
    for state, message in (
        ((1, 2, -1), "n x n"),
        ((-1,), "n x n"),
        ((1, 2, 3, 4), "one blank"),
        ((1, 2, 2, -1), "once"),
    ):
        with pytest.raises(ValueError, match=message):
            simulate(state, ())
    with pytest.raises(ValueError, match="same tiles"):
        is_solvable((1, 2, 4, -1), SMALL)
    with pytest.raises(ValueError, match="odd number of swaps"):
        SlidingPuzzle((2, 1, 3, -1), SMALL)


def test_chance_is_that_of_the_published_tables() -> None:
    # A state of 2 x 2 has two moves, and its 12 states form a ring. The table of the paper holds walks of 12 moves.
    starts = [generate_sliding(2, distance, 0, SMALL).start for distance in range(1, 6)]
    walks = [chance(start, SMALL, 12) for start in starts]
    assert walks == pytest.approx([0.7749, 0.5845, 0.3940, 0.2893, 0.1846], abs=5e-5)
    walks = [chance(start, SMALL, 6) for start in starts]
    assert walks == pytest.approx([0.6875, 0.4531, 0.21875, 0.125, 0.03125], abs=5e-5)
    # Five steps away, six moves: only the five moves at once get there, 2^-5. To end there takes an odd number.
    assert chance(starts[4], SMALL, 6) == 2**-5
    assert chance(starts[4], SMALL, 6, Success.AT_END) == 0
    # From one step away, one move: 1/2; three moves end there in 3 of 8 ways.
    assert chance(starts[0], SMALL, 1, Success.AT_END) == 1 / 2
    assert chance(starts[0], SMALL, 3, Success.AT_END) == 3 / 8


@pytest.mark.parametrize("success", Success)
def test_chance_is_that_of_trying_all_walks(success: Success) -> None:
    start = generate_sliding(3, 4, 2, MIDDLE).start
    total = 0.0
    for moves in product(BlankMove, repeat=6):
        run = simulate(start, moves)
        if run.failure is None and (MIDDLE in run.states if success is Success.ANY_POINT else run.reaches(MIDDLE)):
            share = 1.0
            for state in run.states[:-1]:
                share /= len(legal_moves(state))
            total += share
    assert total > 0
    assert chance(start, MIDDLE, 6, success) == pytest.approx(total, abs=1e-12)


def test_chance_at_the_target_and_out_of_reach() -> None:
    assert chance(SMALL, SMALL, 0, Success.AT_END) == 1
    assert chance(SMALL, SMALL, 5) == 1
    assert chance((2, 1, 3, -1), SMALL, 50) == 0
    with pytest.raises(ValueError, match="negative"):
        chance(SMALL, SMALL, -1)
