"""How a way that is shown compares with the one that lengths are held against: VR-Bench's measures."""

from __future__ import annotations

import numpy as np

from grader.metrics.rollouts import EPSILON_SHARE, exact_match, path_length, precision, step_deviation
from grader.model.verdict import Metric
from grader.tasks.maze.puzzle import MazePuzzle
from puzzles.common.arrays import FloatArray


def length_metrics(puzzle: MazePuzzle, line: FloatArray | None, success: bool, why: str) -> tuple[Metric, ...]:
    """Success, precision, step deviation and exact match of a line (x, y) in pixels of the puzzle.

    Parameters
    ----------
    puzzle : MazePuzzle
    line : ndarray of shape (N, 2), or None
        From its start; None where there is none.
    success : bool
    why : str
        Why there is no precision where there is no line.
    """
    reference = puzzle.reference
    followed: float | None = None
    deviation: float | None = None
    if line is not None and len(line) > 1 and path_length(line) > 0.0:
        followed = precision(line, reference, EPSILON_SHARE * max(puzzle.size))
        deviation = step_deviation(line, reference) if success else None
    return (
        Metric("success", float(success)),
        Metric("precision", followed) if followed is not None else Metric("precision", None, why),
        Metric("step_deviation", deviation)
        if deviation is not None
        else Metric("step_deviation", None, "it is measured only where the task succeeds"),
        Metric("exact_match", float(exact_match(success, followed or 0.0, deviation))),
    )


def from_start(puzzle: MazePuzzle, line: tuple[tuple[float, float], ...]) -> FloatArray | None:
    """A line turned so that the end which is nearer to the start comes first; None for none."""
    if len(line) < 2:
        return None
    points = np.array(line, np.float64)
    start = puzzle.reference[0]
    first, last = (float(np.hypot(*(points[at] - start))) for at in (0, -1))
    return points if first <= last else points[::-1]
