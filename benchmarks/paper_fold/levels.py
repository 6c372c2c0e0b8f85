"""Whether generated paper folds keep what they promise: ``python -m benchmarks.paper_fold.levels [--count N]``.

Each puzzle has to have as many folds as its level says, each of which doubles a hole and can't be forgotten, one right
option, and options that differ by the stated minimum. Ends with 1 where one does not.
"""

from __future__ import annotations

import argparse
import sys
import time

from puzzles.paper_fold.generator import LABELS, generate_paper_fold, is_exact, solve
from puzzles.paper_fold.patterns import LEAST_DIFFERENCE, difference, is_drawable


def broken(level: int, seed: int) -> str:
    """What a puzzle does not keep; empty where it keeps all."""
    puzzle = generate_paper_fold(level, seed)
    if puzzle.level != level or not is_exact(puzzle.sheets, puzzle.folds, puzzle.punches):
        return "its level is not exact"
    if LABELS[solve(puzzle)] != puzzle.label or difference(puzzle.options[solve(puzzle)], puzzle.holes[0]) > 0:
        return "no option is what it shows"
    options = puzzle.options
    apart = min(difference(one, other) for at, one in enumerate(options) for other in options[:at])
    if apart < LEAST_DIFFERENCE or not all(map(is_drawable, options)):
        return f"options differ by {apart}"
    return ""


def main(arguments: list[str] | None = None) -> int:
    """Prints a line a level; 1 if a puzzle does not keep its promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--levels", default="1,2,3,4,5")
    said = parser.parse_args(arguments)
    bad = 0
    for level in map(int, said.levels.split(",")):
        started = time.process_time()
        faults = [(seed, fault) for seed in range(said.count) if (fault := broken(level, seed))]
        bad += len(faults)
        took = time.process_time() - started
        print(f"level {level}: {said.count} puzzles, {len(faults)} broken {faults[:3]}, {took:.1f} s", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
