"""Measures on cells: what share of the goal was drawn, and what share of the drawing is wrong.

References
----------
.. [1] "Probing Visual Planning in Image Editing Models" (AMAZE), section 2.2: coverage, violation, and
   PASS = max(0, coverage - violation).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

CellId = TypeVar("CellId")


def coverage(found: Collection[CellId], goal: Collection[CellId]) -> float:
    """Share of the goal's cells that were found, 0 to 1 [1]_. Raises ValueError where the goal is empty."""
    if not goal:
        raise ValueError("a goal has at least one cell")
    return len(set(found) & set(goal)) / len(set(goal))


def violation(found: Sequence[CellId], goal: Collection[CellId]) -> float:
    """Share of the found cells that are not the goal's, 0 to 1 [1]_; 0 where nothing was found.

    A cell that was found twice is wrong the second time: two queens in one cell are one too many.
    """
    if not found:
        return 0.0
    right = len(set(found) & set(goal))
    return (len(found) - right) / len(found)


def violation_background(found: Collection[CellId], goal: Collection[CellId], cell_count: int) -> float:
    """Wrong cells as a share of all cells that are not the goal's, 0 to 1; 0 where there are none."""
    background = cell_count - len(set(goal))
    return len(set(found) - set(goal)) / background if background > 0 else 0.0


def pass_score(coverage: float, violation: float) -> float:
    """PASS = max(0, coverage - violation) [1]_."""
    return max(0.0, coverage - violation)
