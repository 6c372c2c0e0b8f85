"""Draws what was seen and judged of a path on a maze. Never on the scoring path."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from detectors.walls import Border, Floorplan, project
from grader import overlay
from grader.alignment import warp
from grader.metrics.cells import coverage, pass_score, violation
from grader.overlay import AMBER, GREEN, GREY, INK, PURPLE, VERMILION, Canvas, Color, LegendEntry, Points, Sheet, Strip

if TYPE_CHECKING:
    from detectors.alterations import Alterations
    from detectors.paths import PathFindings
    from grader.tasks.maze_judge import MazeJudgement
    from grader.tasks.maze_puzzle import MazePuzzle
    from grader.verdict import Alignment


def draw_maze_overlay(
    puzzle: MazePuzzle,
    candidate: NDArray[np.uint8],
    alignment: Alignment,
    found: PathFindings,
    altered: Alterations,
    judged: MazeJudgement,
    *,
    score: float | None = None,
) -> NDArray[np.uint8]:
    """Draws a verdict on a maze: right, missed and wrong cells, the path as seen, faults, and why.

    Parameters
    ----------
    puzzle : MazePuzzle
    candidate : ndarray of shape (H, W, 3), uint8 RGB
    alignment : Alignment
        Of the candidate with the puzzle.
    found : PathFindings
        What was drawn.
    altered : Alterations
        What was changed of the maze.
    judged : MazeJudgement
    score : float, optional
        The verdict's score; left out, it is computed from the visited cells.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8 RGB
        The puzzle's picture is at the upper left, at `grader.overlay.drawn_scale`.
    """
    view, covered = warp(candidate, alignment, puzzle.size, 1)
    sheet = overlay.make_sheet(view, covered, puzzle.plan.cell_px * puzzle.plan.factor)
    scene = _Scene(sheet, puzzle)
    entries = [
        *_draw_cells(scene, found),
        *_draw_alterations(scene, altered, found),
        *_draw_path(scene, found, judged),
    ]
    visited = sorted(found.visited)
    shares = coverage(visited, puzzle.path), violation(visited, puzzle.path)
    facts = (
        ("score", f"{pass_score(*shares) if score is None else score:.3f}"),
        ("reward", f"{judged.reward:.3f}"),
        ("coverage", f"{shares[0]:.3f}"),
        ("violation", f"{shares[1]:.3f}"),
        ("progress", f"{judged.progress:.3f}"),
    )
    strip = Strip(
        facts,
        "One stroke leads from start to goal along the right path.",
        judged.reasons,
        tuple(entries),
        overlay.describe_alignment(alignment),
    )
    return overlay.with_strip(sheet.canvas, strip)


class _Scene:
    """A sheet with the maze's cells and borders on it."""

    def __init__(self, sheet: Sheet, puzzle: MazePuzzle) -> None:
        self.sheet = sheet
        self.puzzle = puzzle
        self.cells = sheet.spread(puzzle.drawn_cells)
        # Walls stay as they are: on them tints would hide whether they are there.
        plan = puzzle.plan
        floor = project(plan.picture, plan.wall_rgb, plan.floor_rgb).clip(0.0, 1.0)
        self.floor = np.asarray(sheet.spread(floor, plan.factor), np.float32)

    @property
    def cell(self) -> float:
        """Length of a cell in drawn pixels."""
        plan = self.puzzle.plan
        return plan.cell_px * plan.factor * self.sheet.scale

    def mask(self, cells: Iterable[int]) -> NDArray[np.bool_]:
        """(H, W) bool, the pixels of cells."""
        return np.isin(self.cells, list(cells))

    def center(self, cell: int) -> Points:
        """The middle of a cell on the canvas."""
        return self.sheet.at(_centers(self.puzzle.plan, (cell,)) * self.puzzle.plan.factor)

    def border(self, border: Border) -> Points:
        """A border between cells as a line on the canvas."""
        center = _centers(self.puzzle.plan, (border.second,))
        return self.sheet.at(_in_order(border, center) * self.puzzle.plan.factor)


def _centers(plan: Floorplan, cells: tuple[int, ...]) -> Points:
    """The middle (x, y) of each cell in working pixels."""
    middles = [np.argwhere(plan.labels == cell).mean(axis=0)[::-1] + 0.5 for cell in cells]
    return np.array(middles, np.float64)
