"""``python -m benchmarks.answers sweeps``: what plans earn that look at nothing."""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tqdm import tqdm

from benchmarks.accuracy.tables import Share
from grader.importers.mentisoculi.records import read_rush_hour, read_sliding
from grader.model.verdict import Outcome
from grader.tasks.common.judgement import Judgement
from grader.tasks.rush_hour.progress import least_moves_in_lot
from grader.tasks.rush_hour.puzzle import LotPuzzle
from grader.tasks.rush_hour.settings import RUSH_HOUR_SETTINGS
from grader.tasks.rush_hour.words import judge_lot_words
from grader.tasks.sliding.progress import least_moves_of_tiles
from grader.tasks.sliding.puzzle import TilePuzzle
from grader.tasks.sliding.settings import SLIDING_SETTINGS
from grader.tasks.sliding.words import judge_tile_words
from puzzles.rush_hour.generator import generate_lot
from puzzles.rush_hour.lot import Lot
from puzzles.rush_hour.plans import sweeps as lot_sweeps
from puzzles.sliding import sweeps as tile_sweeps
from puzzles.sliding.tiles import SlidingPuzzle, generate_sliding

MOST_EARNED = 0.1
"""What a sweep may earn in the mean at each of the levels."""
JUDGED_LEVELS = (3, 4, 5)
TILE_SIZES = {2: (1, 2, 3, 4, 5, 6), 3: (1, 2, 3, 4, 5)}
"""Levels of own sliding puzzles by their rows."""
TILE_MOVES = 6


@dataclass(frozen=True)
class Earned:
    """Of a sweep at a puzzle: whether it passes, and its reward with and without regard to moves that do not matter."""

    passed: bool
    before: float
    after: float


Found = dict[tuple[str, str, str], list[Earned]]
"""By task, level and sweep."""


def earned_in_lot(puzzle: LotPuzzle, name: str) -> Earned:
    """What a sweep earns at a lot."""
    settings = RUSH_HOUR_SETTINGS
    old = replace(settings, plan=replace(settings.plan, graded=False))
    most = settings.plan.most_moves(known_least(puzzle.least_moves))
    plan = ", ".join(map(str, lot_sweeps.sweep(puzzle.lot, name, most)))
    text = json.dumps({"answer": plan})
    return _earned(judge_lot_words(puzzle, text, old), judge_lot_words(puzzle, text, settings))


def earned_at_tiles(puzzle: TilePuzzle, name: str, moves: int) -> Earned:
    """What a sweep of so many moves earns at a sliding puzzle."""
    settings = SLIDING_SETTINGS
    old = replace(settings, plan=replace(settings.plan, graded=False))
    plan = ", ".join(move.value for move in tile_sweeps.sweep(puzzle.puzzle.start, name, moves))
    text = json.dumps({"answer": plan})
    return _earned(judge_tile_words(puzzle, text, old), judge_tile_words(puzzle, text, settings))


def _earned(before: Judgement, after: Judgement) -> Earned:
    if before.reward is None or after.reward is None:
        raise ValueError("a plan in words has a reward, whether it passes or not")
    return Earned(after.outcome is Outcome.PASS, before.reward, after.reward)


def known_least(moves: int | None) -> int:
    """The least number of moves; ValueError where it is not known, for then nothing says how long a plan may be."""
    if moves is None:
        raise ValueError("the least number of moves is not known: the puzzle has too many states, or no solution")
    return moves


def own_lots(count: int) -> Iterator[tuple[str, LotPuzzle]]:
    """Generated lots with their levels."""
    for level in JUDGED_LEVELS:
        for seed in range(count):
            yield f"level {level}", LotPuzzle(generate_lot(level, seed).lot, level)


def read_lots(folder: Path) -> Iterator[tuple[str, LotPuzzle]]:
    """Lots of a folder that is laid out as the public data set."""
    for path in sorted(folder.glob("rushhour/level_*/puzzle_*/metadata.json")):
        lot: Lot = read_rush_hour(path).lot
        least = least_moves_in_lot(lot, RUSH_HOUR_SETTINGS.plan.most_states)
        yield f"level {int(path.parts[-3][-2:])}", LotPuzzle(lot, least)


def own_tiles(count: int) -> Iterator[tuple[str, TilePuzzle]]:
    """Generated sliding puzzles with their levels."""
    for size, levels in TILE_SIZES.items():
        for level in levels:
            for seed in range(count):
                yield f"{size} x {size}, level {level}", TilePuzzle(generate_sliding(size, level, seed), level, None)


def read_tiles(folder: Path) -> Iterator[tuple[str, TilePuzzle]]:
    """Sliding puzzles of such a folder."""
    for path in sorted(folder.glob("sliding-puzzle/level_*/puzzle_*/metadata.json")):
        puzzle: SlidingPuzzle = read_sliding(path).puzzle
        least = least_moves_of_tiles(puzzle.start, puzzle.target, SLIDING_SETTINGS.plan.most_states)
        yield f"level {int(path.parts[-3][-2:])}", TilePuzzle(puzzle, least, None)


def main(arguments: Sequence[str]) -> int:
    """Runs the command; 1 if a sweep earns too much at a lot of levels 3 to 5."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.answers sweeps",
        description="Grades plans that look at nothing, before and after rewards regard which moves matter.",
        epilog="Own puzzles are made anew: 30 lots for each of the levels 3 to 5, sliding puzzles of 2 x 2 and 3 x 3.",
    )
    parser.add_argument("--puzzles", type=Path, metavar="DIR", help="a folder laid out as the public data set instead")
    parser.add_argument("--lots", type=int, default=30, metavar="N", help="own puzzles a level (default: 30)")
    options = parser.parse_args(arguments)
    if options.lots < 1:
        print("sweeps: --lots has to be at least 1", file=sys.stderr)
        return 2
    lots = list(read_lots(options.puzzles) if options.puzzles else own_lots(options.lots))
    tiles = list(read_tiles(options.puzzles) if options.puzzles else own_tiles(options.lots))
    try:
        found = grade_all(lots, tiles)
    except ValueError as error:
        print(f"sweeps: {error}", file=sys.stderr)
        return 2
    print("\n".join(report(found)))
    return 0 if reached(found) else 1


def grade_all(lots: Sequence[tuple[str, LotPuzzle]], tiles: Sequence[tuple[str, TilePuzzle]]) -> Found:
    """What each sweep earns at each puzzle."""
    found: Found = defaultdict(list)
    for level, lot in tqdm(lots, unit="lot", disable=None):
        for name in lot_sweeps.SWEEPS:
            found["rush hour", level, name].append(earned_in_lot(lot, name))
    for level, puzzle in tqdm(tiles, unit="puzzle", disable=None):
        for name in tile_sweeps.SWEEPS:
            found[f"sliding, {TILE_MOVES} moves", level, name].append(earned_at_tiles(puzzle, name, TILE_MOVES))
            known = earned_at_tiles(puzzle, name, known_least(puzzle.least_moves))
            found["sliding, the least number of moves", level, name].append(known)
    return found


def report(found: Found) -> Iterator[str]:
    """A line a task, level and sweep, the best of each level first, and what is asked of lots."""
    for task, level in dict.fromkeys((task, level) for task, level, _ in found):
        yield f"{task}, {level}"
        yield f"  {'sweep':44s} {'PASS':28s} {'reward before':14s} reward"
        rows = [(name, of) for (one, there, name), of in found.items() if (one, there) == (task, level)]
        for name, of in sorted(rows, key=lambda row: -sum(one.after for one in row[1])):
            passed = Share(sum(one.passed for one in of), len(of))
            before, after = (sum(numbers) / len(of) for numbers in zip(*((o.before, o.after) for o in of), strict=True))
            yield f"  {name:44s} {f'{passed} of {len(of)}':28s} {before:<14.3f} {after:.3f}"
    yield ""
    yield f"{'reached' if reached(found) else 'MISSED '} no sweep earns over {MOST_EARNED:g} at lots of levels 3 to 5"


def reached(found: Found) -> bool:
    """Whether no sweep earns too much at lots of the judged levels."""
    levels = {f"level {level}" for level in JUDGED_LEVELS}
    rows = [of for (task, level, _), of in found.items() if task == "rush hour" and level in levels]
    return all(sum(one.after for one in of) / len(of) <= MOST_EARNED for of in rows)
