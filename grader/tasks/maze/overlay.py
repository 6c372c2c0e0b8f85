"""Draws what was seen and judged of a path on a maze. Never on the scoring path."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import project
from detectors.maze.plan.floorplan import Border
from detectors.maze.remainder.roles import Role
from grader.alignment.align import warp
from grader.drawing import canvas as brush
from grader.drawing.canvas import AMBER, BLUE, GREY, INK, PURPLE, VERMILION, Canvas, Color, Points, Sheet
from grader.drawing.strip import LegendEntry, Strip, describe_alignment, with_strip
from grader.media.pyramid import Pyramid, resize
from grader.metrics.cells import coverage, pass_score, violation

if TYPE_CHECKING:
    from detectors.maze.alterations import Alterations
    from detectors.maze.paths import PathFindings
    from detectors.maze.remainder.finding import MazeRemainder
    from grader.model.verdict import Alignment
    from grader.tasks.maze.judge import MazeJudgement
    from grader.tasks.maze.puzzle import MazePuzzle


def draw_maze_overlay(
    puzzle: MazePuzzle,
    candidate: NDArray[np.uint8],
    alignment: Alignment,
    found: PathFindings,
    altered: Alterations,
    left: MazeRemainder,
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
    left : MazeRemainder
        What neither the maze nor the path explains.
    judged : MazeJudgement
    score : float, optional
        The verdict's score; left out, it is computed from the visited cells.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8 RGB
        The puzzle's picture is at the upper left, at `grader.drawing.canvas.drawn_scale`.
    """
    view, covered = warp(Pyramid(candidate), alignment, puzzle.size, 1)
    sheet = brush.make_sheet(view, covered, puzzle.plan.cell_px * puzzle.plan.factor)
    scene = _Scene(sheet, puzzle)
    entries = [
        *_draw_cells(scene, found),
        *_draw_remainder(scene, left),
        *_draw_alterations(scene, altered, left, found),
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
        describe_alignment(alignment),
    )
    return with_strip(sheet.canvas, strip)


class _Scene:
    """A sheet with the maze's cells and borders on it."""

    def __init__(self, sheet: Sheet, puzzle: MazePuzzle) -> None:
        self.sheet = sheet
        self.canvas = sheet.canvas
        self.puzzle = puzzle
        self.plan = puzzle.plan
        self.unit = sheet.unit
        self.cell_px = puzzle.plan.cell_px * puzzle.plan.factor * sheet.scale
        self.labels = sheet.spread(puzzle.drawn_cells)
        height, width = sheet.canvas.shape[:2]
        picture = resize(puzzle.picture, (width, height))
        # Tints leave out the puzzle's walls, so that it stays plain to see whether those are still there.
        self.floor = np.clip(project(picture, self.plan.wall_rgb, self.plan.floor_rgb), 0.0, 1.0)

    def mask(self, cells: Iterable[int]) -> NDArray[np.bool_]:
        """(H, W) bool, the pixels of cells."""
        return np.isin(self.labels, np.array(sorted(cells), np.int32))

    def cover(self, cells: Iterable[int]) -> NDArray[np.float32]:
        """(H, W) float32, the floor of cells."""
        return brush.smooth_cover(self.mask(cells), self.sheet.scale) * self.floor

    def middle(self, cell: int) -> Points:
        """The middle (x, y) of a cell on the canvas, (1, 2)."""
        rows, columns = np.nonzero(self.labels == cell)
        return np.array([[columns.mean() + 0.5, rows.mean() + 0.5]])

    def border(self, border: Border) -> Points:
        """The border of two cells as a line on the canvas.

        Seen from within a cell the pixels of its border lie one after the other, whatever the cell's shape.
        """
        pixels = border.pixels
        margin = math.ceil(self.plan.cell_px)
        top, left = (max(0, int(value) - margin) for value in pixels.min(axis=0))
        bottom, right = (int(value) + margin for value in pixels.max(axis=0))
        inside = np.argwhere(self.plan.labels[top:bottom, left:right] == border.second).mean(axis=0)
        offset = pixels - (inside + np.array([top, left]))
        angle = np.arctan2(offset[:, 0], offset[:, 1])
        order = np.argsort(angle, kind="stable")
        gaps = np.diff(angle[order], append=angle[order[0]] + 2.0 * math.pi)
        order = np.roll(order, -int(gaps.argmax()) - 1)
        # A border is two pixels wide; means of some neighbours run between them.
        groups = np.array_split(pixels[order][:, ::-1] + 0.5, max(2, len(order) // 6))
        return self.sheet.at(np.array([group.mean(axis=0) for group in groups]) * self.plan.factor)


def _draw_cells(scene: _Scene, found: PathFindings) -> Iterable[LegendEntry]:
    """Tints right, missed and wrong cells; outlines filled ones."""
    goal, visited = set(scene.puzzle.path), found.visited
    unit = scene.unit
    for cells, paint, label in (
        (goal & visited, brush.paint_right, f"right cells: {len(goal & visited)} of {len(goal)}"),
        (goal - visited, brush.paint_missed, f"missed cells: {len(goal - visited)}"),
        (visited - goal, brush.paint_wrong, f"wrong cells: {len(visited - goal)}"),
    ):
        if cells:
            # A cell that is filled with ink would hide a tint that makes way for ink.
            paint(scene.canvas, scene.cover(cells - found.filled), unit)
            paint(scene.canvas, scene.cover(cells & found.filled), unit, over_ink=True)
            yield LegendEntry(label, partial(_paint_key, paint))
    for marked, color, label in (
        (found.filled, PURPLE, "filled cells"),
        (found.specked - visited, GREY, "cells with dots or specks"),
    ):
        if marked:
            yield _outlined(scene, sorted(marked), color, f"{label}: {len(marked)}")


def _draw_remainder(scene: _Scene, left: MazeRemainder) -> Iterable[LegendEntry]:
    """Outlines the cells in which something shows that belongs neither to the maze nor to the path, by its role."""
    for roles, color, label in (
        ({Role.WALL}, VERMILION, "cells with added walls"),
        ({Role.WAY, Role.MARK}, BLUE, "cells with other strokes or marks"),
        ({Role.AT_MARKER}, GREY, "writing at a marker"),
    ):
        cells = {cell for thing in left.things if thing.role in roles for cell in thing.cells}
        if cells:
            yield _outlined(scene, sorted(cells), color, f"{label}: {len(cells)}")


def _outlined(scene: _Scene, cells: Sequence[int], color: Color, label: str) -> LegendEntry:
    mark = partial(_outline_cells, color=color)
    for cell in cells:
        left, top, width, height = cv2.boundingRect((scene.labels == cell).astype(np.uint8))
        box = (slice(top, top + height), slice(left, left + width))
        cover = brush.smooth_cover(np.pad(scene.labels[box] == cell, 1), scene.sheet.scale)[1:-1, 1:-1]
        mark(scene.canvas[box], cover > 0.5, scene.unit)
    return LegendEntry(label, partial(_outline_key, mark))


def _paint_key(paint: Callable[[Canvas, NDArray[np.float32], float], None], canvas: Canvas) -> None:
    paint(canvas, np.ones(canvas.shape[:2], np.float32), 2.5)


def _outline_cells(canvas: Canvas, mask: NDArray[np.bool_], unit: float, color: Color) -> None:
    brush.outline(canvas, mask, color, max(2.0, 0.7 * unit), inset=2.0 * unit)


def _outline_key(mark: partial[None], canvas: Canvas) -> None:
    mark(canvas, np.ones(canvas.shape[:2], np.bool_), 4.0)


def _draw_alterations(
    scene: _Scene, altered: Alterations, left: MazeRemainder, found: PathFindings
) -> Iterable[LegendEntry]:
    """Marks what was changed of the maze: dashed where something is gone, solid where something was added."""
    borders = {(border.first, border.second): border for border in scene.plan.borders}
    wall = max(3.0, 0.45 * scene.plan.wall_px * scene.plan.factor * scene.sheet.scale)
    if found.exterior_painted:
        exterior = np.asarray(scene.sheet.spread(scene.plan.exterior, scene.plan.factor), np.float32)
        _paint_exterior(scene.canvas, exterior, scene.unit)
        yield LegendEntry("exterior painted", partial(_paint_key, _paint_exterior))
    for pairs, draw, label in (
        (tuple(sorted({*altered.erased_walls, *left.holed_walls})), brush.dashed_line, "erased walls"),
        (altered.closed_passages, brush.line, "closed passages"),
    ):
        if pairs:
            for pair in pairs:
                draw(scene.canvas, scene.border(borders[pair]), VERMILION, wall, casing=1.5)
            yield LegendEntry(f"{label}: {len(pairs)}", partial(_line_key, partial(draw, color=VERMILION, width=5.0)))
    factor = scene.plan.factor
    lost = [scene.plan.markers[index] for index in left.gone_markers]
    gone = [((marker.center[0] + 0.5) * factor, (marker.center[1] + 0.5) * factor) for marker in lost]
    for points, dashes, label in (
        (gone, True, "erased markers"),
        ([point for point, _ in altered.added_markers], False, "added markers"),
    ):
        if points:
            mark_ring = partial(brush.ring, color=VERMILION, width=max(2.0, scene.unit), dashes=dashes)
            for point in points:
                mark_ring(scene.canvas, scene.sheet.at(point), 0.38 * scene.cell_px)
            yield LegendEntry(f"{label}: {len(points)}", partial(_ring_key, dashes))


def _paint_exterior(canvas: Canvas, cover: NDArray[np.float32], unit: float) -> None:
    brush.tint(canvas, brush.hatched(cover, 9.0 * unit, 1.2 * unit), VERMILION, 0.9, over_ink=True)


def _line_key(draw: partial[None], canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    draw(canvas, np.array([[8.0, height / 2.0], [width - 8.0, height / 2.0]]))


def _ring_key(dashes: bool, canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    brush.ring(canvas, np.array([[width / 2.0, height / 2.0]]), 0.34 * height, VERMILION, 3.0, dashes=dashes)


def _draw_path(scene: _Scene, found: PathFindings, judged: MazeJudgement) -> Iterable[LegendEntry]:
    """Draws the observed path from its start, and where it breaks or goes through walls."""
    if len(found.polyline) > 1:
        stroke = 2.0 * found.half_width_px * scene.sheet.scale
        _draw_route(scene.canvas, scene.sheet.at(np.array(found.polyline)), scene.unit, scene.cell_px, stroke)
        yield LegendEntry("path as seen, from its start", _route_key)
    radius = max(9.0, min(0.22 * scene.cell_px, 30.0))
    gaps = [reason for reason in judged.reasons if reason.code == "PATH_BROKEN"]
    for reason in gaps:
        ends = [scene.middle(place.cell.id) for place in reason.places if place.cell is not None]
        if ends:
            brush.ring(scene.canvas, np.mean(ends, axis=0), radius, AMBER, max(2.0, 0.7 * scene.unit), dashes=True)
            yield LegendEntry("gap in the path", _gap_key)
    for crossing in found.crossings:
        _draw_crossing(scene.canvas, scene.sheet.at(crossing.at), radius)
    if found.crossings:
        yield LegendEntry(f"wall crossings: {len(found.crossings)}", _crossing_key)


def _draw_route(canvas: Canvas, points: Points, unit: float, cell_px: float, stroke: float) -> None:
    width = max(2.0, 0.45 * unit)
    # On a narrow stroke a casing would hide the stroke itself.
    brush.line(canvas, points, INK, width, casing=max(1.0, 0.3 * unit) if stroke > 2.0 * width + 3.0 else 0.0)
    steps = np.hypot(*np.diff(points, axis=0).T)
    travelled = np.concatenate([[0.0], np.cumsum(steps)])
    size = max(7.0, min(0.14 * cell_px, 20.0))
    # One arrow near the start, and more on long paths, to be followed through a large maze.
    for at in np.arange(min(0.75 * cell_px, 0.8 * travelled[-1]), travelled[-1], 7.0 * cell_px):
        tip, before = (
            np.array([np.interp(where, travelled, points[:, axis]) for axis in (0, 1)]) for where in (at, at - size)
        )
        brush.arrow_head(canvas, tip, tip - before, size, INK)
    brush.disc(canvas, points[:1], max(4.0, 0.4 * size), INK)


def _route_key(canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    points = np.array([[10.0, height / 2.0], [width - 8.0, height / 2.0]])
    _draw_route(canvas, points, 5.0, 40.0, 20.0)


def _gap_key(canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    brush.ring(canvas, np.array([[width / 2.0, height / 2.0]]), 0.34 * height, AMBER, 3.0, dashes=True)


def _draw_crossing(canvas: Canvas, center: Points, radius: float) -> None:
    width = max(2.0, 0.2 * radius)
    brush.ring(canvas, center, radius, VERMILION, width)
    brush.cross(canvas, center, 0.72 * radius, VERMILION, width)


def _crossing_key(canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    _draw_crossing(canvas, np.array([[width / 2.0, height / 2.0]]), 0.36 * height)
