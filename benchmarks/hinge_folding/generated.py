"""Whether chains keep what is promised: ``python -m benchmarks.hinge_folding.generated [--count N] [--levels 1-5]``.

Of each level, from seed 0: the solver enumerates all programs that give the silhouette, none turns fewer hinges; the
program with any one angle changed gives another silhouette, by polygons and without the solver; every piece shows at
first and after every turn. Ends with 1 where a chain does not.
"""

from __future__ import annotations

import argparse
import sys
import time

from puzzles.hinge_folding.chain import ANGLE_STEP, compare, silhouette
from puzzles.hinge_folding.generator import HingePuzzle, every_piece_shows, generate_hinges
from puzzles.hinge_folding.solver import STEPS, least_turns, solve


def broken(puzzle: HingePuzzle) -> str:
    """What a chain does not keep; empty where it keeps all."""
    target = silhouette(puzzle.shapes, puzzle.angles)
    programs = list(solve(puzzle.shapes, target))
    if puzzle.steps not in programs:
        return "its program does not give its silhouette"
    if least_turns(programs) != puzzle.level:
        return "a shorter program does"
    for at in range(puzzle.level):
        for by in range(1, STEPS):
            changed = [angle + ANGLE_STEP * by * (place == at) for place, angle in enumerate(puzzle.angles)]
            if compare(puzzle.shapes, changed, puzzle.angles).same:
                return f"hinge {at + 1} may be turned otherwise"
    if not all(every_piece_shows(puzzle.shapes, angles) for angles in puzzle.states()):
        return "a piece is hidden"
    return ""


def main(arguments: list[str] | None = None) -> int:
    """Prints a line a level; 1 if a chain does not keep what is promised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    said = parser.parse_args(arguments)
    faults = 0
    for level in said.levels:
        start = time.process_time()
        puzzles = [generate_hinges(level, seed) for seed in range(said.count)]
        made_s = time.process_time() - start
        wrong = [(puzzle.seed, why) for puzzle in puzzles if (why := broken(puzzle))]
        faults += len(wrong)
        each = 1000 * made_s / said.count
        text = f"{said.count} made in {made_s:.1f} s ({each:.0f} ms each), {len(wrong)} broken"
        print(f"level {level}: {text}", flush=True)
        for seed, why in wrong:
            print(f"  seed {seed}: {why}")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
