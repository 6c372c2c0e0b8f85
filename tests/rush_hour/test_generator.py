"""Generated rush-hour lots: of the level asked for, reproducible, without near contacts."""

from __future__ import annotations

from itertools import combinations

import pytest

from puzzles.rush_hour.contact import overlap_depth
from puzzles.rush_hour.description import describe
from puzzles.rush_hour.generator import MARGIN, generate_lot
from puzzles.rush_hour.lot import Side
from puzzles.rush_hour.rules import simulate
from puzzles.rush_hour.solver import solve


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6])
def test_generated_lots(level: int) -> None:
    for seed in range(1 if level > 5 else 2):
        puzzle = generate_lot(level, seed)
        lot = puzzle.lot
        found = solve(lot, limit=50)
        assert found is not None
        assert found.length == level == len(puzzle.solution) == puzzle.level
        assert puzzle.solution in found.solutions
        assert simulate(lot, puzzle.solution).solved
        assert simulate(lot, puzzle.solution, 2 / 120).solved  # two pixels of 120 a unit
        assert simulate(lot, puzzle.solution, -2 / 120).solved
        # No two bodies are nearer at first than two margins.
        outlines = [*(vehicle.outline(MARGIN) for vehicle in lot.vehicles), *(body.outline() for body in lot.obstacles)]
        assert all(overlap_depth(*pair) <= 0 for pair in combinations(outlines, 2))
        assert len({vehicle.label for vehicle in lot.vehicles}) == len(lot.vehicles)
        assert len({vehicle.color for vehicle in lot.vehicles}) == len(lot.vehicles)
        # The red car stands opposite the exit, 1 from the wall, on the exit's middle.
        (opening,), red = lot.exits, lot.red.pose
        far = {Side.LEFT: (9, 0), Side.RIGHT: (1, 0), Side.BOTTOM: (9, 1), Side.TOP: (1, 1)}[opening.side]
        along, across = (red.x, red.y) if far[1] == 0 else (red.y, red.x)
        assert along == pytest.approx(far[0])
        assert across == pytest.approx((opening.start + opening.end) / 2)


def test_lots_are_reproducible_and_differ_by_seed() -> None:
    assert generate_lot(4, 7) == generate_lot(4, 7)
    assert describe(generate_lot(4, 7).lot) == describe(generate_lot(4, 7).lot)
    lots = [generate_lot(2, seed).lot for seed in range(12)]
    assert len(set(lots)) == 12
    assert {lot.exits[0].side for lot in lots} == set(Side)


def test_wrong_arguments_are_refused() -> None:
    for level, seed in ((0, 0), (8, 0), (1, -1)):
        with pytest.raises(ValueError, match="must"):
            generate_lot(level, seed)
