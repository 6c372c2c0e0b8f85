"""Lines through cells, in cell units: cut by length, put beside themselves, shaken, and traced through the cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from puzzles.common.arrays import FloatArray
from puzzles.maze.geometry import CellGrid

_TRACE_STEP = 0.01
LEAST_VISIT = 0.1
"""Length in cell units from which a line is in a cell."""
GRAZE = 0.03
"""Length in cell units up to which a line only touches a corner. What lies between has no certain truth."""


class UncertainTruthError(Exception):
    """A drawing that does not visit exactly the cells that its plan says."""


def lengths_along(points: FloatArray) -> FloatArray:
    """Distance from the first point along the line, shape (k,)."""
    return np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])


def resampled(points: FloatArray, step: float) -> FloatArray:
    """Points at even distances of at most ``step`` along a line, both ends included; corners may be cut."""
    along = lengths_along(points)
    count = max(2, int(np.ceil(along[-1] / step)) + 1)
    at = np.linspace(0.0, along[-1], count)
    return np.stack([np.interp(at, along, points[:, 0]), np.interp(at, along, points[:, 1])], axis=1)


def part(points: FloatArray, begin: float, end: float) -> FloatArray:
    """The piece of a line between two distances from its first point, corners kept."""
    along = lengths_along(points)
    inner = points[(along > begin) & (along < end)]
    ends = [[np.interp(at, along, points[:, axis]) for axis in (0, 1)] for at in (begin, end)]
    return np.concatenate([[ends[0]], inner, [ends[1]]])


def dashes(points: FloatArray, dash: float, gap: float) -> Iterator[FloatArray]:
    """Pieces of a line with gaps; the first and the last piece reach its ends. Lengths in cell units."""
    total = float(lengths_along(points)[-1])
    if total <= 2 * dash + gap:
        yield points
        return
    count = max(2, round((total + gap) / (dash + gap)))
    dash = (total - (count - 1) * gap) / count
    for place in range(count):
        begin = place * (dash + gap)
        yield part(points, begin, begin + dash)


def beside(points: FloatArray, distance: float) -> FloatArray:
    """A line at a distance to the left of another, joined to its ends; corners are rounded off."""
    fine = resampled(points, 0.08)
    run = np.gradient(_smooth(fine, 3), axis=0)
    normal = np.stack([run[:, 1], -run[:, 0]], axis=1) / np.maximum(np.hypot(*run.T), 1e-9)[:, None]
    ramp = np.minimum(1.0, np.minimum(lengths_along(fine), lengths_along(fine)[-1] - lengths_along(fine)) / 0.2)
    return np.asarray(fine + distance * ramp[:, None] * normal)


def wobbled(points: FloatArray, amplitude: float, dice: np.random.Generator) -> FloatArray:
    """A line shaken as a hand would, up to ``amplitude`` cell units to either side; the ends stay."""
    fine = resampled(points, 0.12)
    noise = _smooth(dice.normal(size=(len(fine), 1)), 4)[:, 0]
    peak = float(np.abs(noise).max())
    run = np.gradient(_smooth(fine, 2), axis=0)
    normal = np.stack([run[:, 1], -run[:, 0]], axis=1) / np.maximum(np.hypot(*run.T), 1e-9)[:, None]
    along = lengths_along(fine)
    ramp = np.minimum(1.0, np.minimum(along, along[-1] - along) / 0.4)
    return np.asarray(fine + (amplitude * ramp * noise / max(peak, 1e-9))[:, None] * normal)


def _smooth(values: FloatArray, half: int) -> FloatArray:
    """Moving mean over ``2 * half + 1`` rows, the ends repeated."""
    padded = np.pad(values, ((half, half), (0, 0)), mode="edge")
    sums = np.cumsum(np.pad(padded, ((1, 0), (0, 0))), axis=0)
    return np.asarray((sums[2 * half + 1 :] - sums[: -2 * half - 1]) / (2 * half + 1))


def traced(grid: CellGrid, lines: tuple[FloatArray, ...]) -> frozenset[int]:
    """The cells that lines lie in, by the tiling's own geometry.

    Raises
    ------
    UncertainTruthError
        If a line lies in a cell for more than `GRAZE` and less than `LEAST_VISIT`, or leaves the maze.
    """
    lengths: Counter[int] = Counter()
    for line in lines:
        fine = resampled(line, _TRACE_STEP)
        found, counts = np.unique(grid.cells_at(fine), return_counts=True)
        lengths.update(dict(zip(found.tolist(), counts.tolist(), strict=True)))
    visited = frozenset(cell for cell, count in lengths.items() if count * _TRACE_STEP >= LEAST_VISIT)
    unsure = {cell for cell, count in lengths.items() if GRAZE < count * _TRACE_STEP < LEAST_VISIT}
    if unsure or 0 in visited:
        raise UncertainTruthError(f"it is not certain whether cells {sorted(unsure)} are visited")
    return visited
