"""Answers to grid mazes that are drawn: a path on the picture; a picture without one says that there is none."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from grader.model.places import Cell, Place
from grader.model.verdict import Metric, Outcome, Reason
from grader.tasks.common.judgement import Judgement, optional_metric
from grader.tasks.common.progress import count
from grader.tasks.grid_maze.puzzle import GridPuzzle
from grader.tasks.grid_maze.reasons import REASONS
from grader.tasks.grid_maze.settings import GridMazeSettings
from grader.tasks.maze.model import PathObservation
from grader.tasks.maze.pictures import judge_with_way
from grader.tasks.plans.rewards import plan_reward
from puzzles.grid_maze.maze import Tile

NOTHING = "NOTHING_DRAWN"
_UNREACHABLE = "the goal can't be reached"
_OF_A_WAY = frozenset(
    ("START_NOT_REACHED", "GOAL_NOT_REACHED", "PATH_BROKEN", "CELLS_MISSED", "SIDE_BRANCH", "STRAY_STROKES", "SHORTCUT")
)
"""What is said of a path only where there is a right one."""
_LETTERS = {(-1, 0): "U", (1, 0): "D", (0, -1): "L", (0, 1): "R"}
_RANK = {reason.code: place for place, reason in enumerate(REASONS)}


def judge_maze_drawing(puzzle: GridPuzzle, candidate: NDArray[np.uint8], settings: GridMazeSettings) -> Judgement:
    """Judges one candidate, (H, W, 3) uint8 RGB."""
    if puzzle.drawn is None:
        raise ValueError("a puzzle that is prepared for pictures has one")
    seen, way = judge_with_way(puzzle.drawn, candidate, settings.drawn)
    found = seen.observation
    visited = found.visited_cells if isinstance(found, PathObservation) else ()
    walls, traps = (_of_kind(puzzle, visited, kind) for kind in (Tile.WALL, Tile.TRAP))
    codes = {reason.code for reason in seen.reasons}
    drawn = codes != {NOTHING}
    reachable = puzzle.length is not None
    reasons = [reason for reason in seen.reasons if reachable or reason.code not in _OF_A_WAY | {NOTHING}]
    reasons += _entered(walls, traps)
    if drawn and not reachable:
        reasons.append(Reason("CLAIMS_REACHABLE", "Something is drawn, as if the goal could be reached."))
    if not drawn and puzzle.length is not None:
        text = f"Nothing is drawn, as if the goal could not be reached; it can be in {count(puzzle.length, 'step')}."
        reasons.append(Reason("CLAIMS_UNREACHABLE", text))
    taken = len(way.path) - 1
    longer = puzzle.length is not None and not reasons and taken > puzzle.length
    if longer:
        text = f"The path has {count(taken, 'step')}, and {puzzle.length} do."
        reasons.append(Reason("NOT_SHORTEST", text))
    ordered = tuple(sorted(reasons, key=lambda reason: _RANK[reason.code]))
    solved = not ordered
    steps = next((metric.value for metric in seen.metrics if metric.name == "progress"), None)
    arrived = seen.outcome is Outcome.PASS
    return replace(
        seen,
        outcome=Outcome.PASS if solved else Outcome.FAIL,
        score=float(solved),
        reward=_reward(puzzle, seen, _steps(puzzle, way.path), settings, solved=solved, longer=longer),
        metrics=(
            Metric("reachability", float(drawn is reachable)),
            Metric("path", float(solved)),
            Metric("said_reachable", float(drawn)),
            optional_metric("moves", float(taken) if arrived and reachable else None, "no path arrives"),
            optional_metric("least_moves", None if puzzle.length is None else float(puzzle.length), _UNREACHABLE),
            optional_metric("plan_progress", steps if reachable else None, _UNREACHABLE),
            Metric("cells_visited", float(len(visited))),
            Metric("walls_entered", float(len(walls))),
            Metric("traps_entered", float(len(traps))),
            optional_metric("steps_drawn", steps if reachable else None, _UNREACHABLE),
        ),
        reasons=ordered,
        comparison=None,
    )


def _of_kind(puzzle: GridPuzzle, cells: Iterable[Cell], kind: Tile) -> tuple[Cell, ...]:
    return tuple(cell for cell in cells if cell.id and puzzle.maze.tiles[cell.row][cell.column] is kind)


def _entered(walls: tuple[Cell, ...], traps: tuple[Cell, ...]) -> list[Reason]:
    found = []
    for code, cells, name in (("ENTERS_WALL", walls, "wall"), ("ENTERS_TRAP", traps, "trap")):
        if cells:
            places = tuple(Place(cell=cell) for cell in cells)
            found.append(Reason(code, f"Strokes enter {count(len(cells), name)}.", places))
    return found


def _steps(puzzle: GridPuzzle, path: tuple[int, ...]) -> str:
    """The letters of a way."""
    spots = [divmod(cell - 1, puzzle.maze.cols) for cell in path]
    moves = [(there[0] - here[0], there[1] - here[1]) for here, there in itertools.pairwise(spots)]
    return "".join(_LETTERS.get(move, "") for move in moves)


def _reward(
    puzzle: GridPuzzle, seen: Judgement, steps: str, settings: GridMazeSettings, *, solved: bool, longer: bool
) -> float:
    """As that of the drawing; of a longer way as in words; of a right empty picture as of one who sees no size."""
    if puzzle.length is None:
        return settings.unseen_reward if solved else 0.0
    if longer:
        return plan_reward(
            tuple(steps), passed=False, progress=1.0, needed=puzzle.length, matter=len, rules=settings.plan
        )
    return (seen.reward or 0.0) if solved or seen.reasons else 0.0
