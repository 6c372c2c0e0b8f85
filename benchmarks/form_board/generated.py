"""Whether boards keep what is promised: ``python -m benchmarks.form_board.generated [--count N] [--levels 1 2 3 4 5]``.

Of each level, from seed 0: as many pieces as the level fill the silhouette, where they are laid; the exact cover finds
no other set that does, with the slack by which answers are judged. Ends with 1 where a board does not.
"""

from __future__ import annotations

import argparse
import sys
import time

import shapely

from grader.tasks.form_board.settings import CoverRules
from puzzles.form_board.generator import FormBoardPuzzle, generate_form_board
from puzzles.form_board.rules import moved, tilings

_LEFT = 1e-6
"""Share of the silhouette's area that pieces in their places may leave free, or cover twice."""


def broken(puzzle: FormBoardPuzzle, rules: CoverRules) -> str:
    """What a board does not keep; empty where it keeps all."""
    board = puzzle.board
    if len(puzzle.labels) != puzzle.level:
        return f"{len(puzzle.labels)} pieces fill it"
    laid = [
        moved(one.polygon, puzzle.solution.offsets[one.label]) for one in board.pieces if one.label in puzzle.labels
    ]
    area = board.polygon.area
    # By sums of areas, which rounding of corners does not change much.
    off = abs(sum(one.area for one in laid) - area)
    missing = sum(shapely.difference(one, board.polygon.buffer(1e-6)).area for one in laid)
    if off > _LEFT * area or missing > _LEFT * area:
        return "its pieces do not fill it"
    found = [tiling.labels for tiling in tilings(board, rules.slack, rules.near)]
    return "" if found == [frozenset(puzzle.labels)] else f"{len(found)} sets fill it"


def main(arguments: list[str] | None = None) -> int:
    """Prints a line a level; 1 if a board does not keep what is promised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    said = parser.parse_args(arguments)
    faults, rules = 0, CoverRules()
    for level in said.levels:
        start = time.process_time()
        wrong = [(seed, why) for seed in range(said.count) if (why := broken(generate_form_board(level, seed), rules))]
        faults += len(wrong)
        took = time.process_time() - start
        print(f"level {level}: {said.count} boards, {len(wrong)} broken, {took:.1f} s with the checks", flush=True)
        for seed, why in wrong:
            print(f"  seed {seed}: {why}")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
