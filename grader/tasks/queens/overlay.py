"""Draws what was seen and judged of queens on a board. Never on the scoring path."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from detectors.queens.remainder.finding import BoardRole
from grader.alignment.align import warp
from grader.drawing import canvas as brush
from grader.drawing.canvas import BLUE, GREEN, GREY, INK, PAPER, VERMILION, Canvas, Color, Points, Sheet
from grader.drawing.strip import LegendEntry, Strip, describe_alignment, with_strip
from grader.media.pyramid import Pyramid
from grader.metrics.cells import pass_score
from puzzles.queens.board import ConflictKind, legality

if TYPE_CHECKING:
    from detectors.queens.board import Board
    from detectors.queens.queens import BoardFindings, QueenMark
    from detectors.queens.remainder.finding import BoardRemainder
    from grader.model.verdict import Alignment
    from grader.tasks.queens.judge import BoardJudgement
    from grader.tasks.queens.puzzle import QueensPuzzle

_MOST_LABELLED, _MOST_JOINED = 6, 24
"""Conflicting pairs up to which each is labelled, and joined by a line; more would hide the board."""

_RING = 1.3
"""Radius of the ring around a queen, relative to the queen's."""

_RULES = {
    ConflictKind.ROW: "row",
    ConflictKind.COLUMN: "column",
    ConflictKind.REGION: "region",
    ConflictKind.TOUCHING: "touching",
}


def draw_board_overlay(
    puzzle: QueensPuzzle,
    candidate: NDArray[np.uint8],
    alignment: Alignment,
    found: BoardFindings,
    left: BoardRemainder,
    judged: BoardJudgement,
    *,
    score: float | None = None,
) -> NDArray[np.uint8]:
    """Draws a verdict on a board: right and wrong queens, missed cells, rejected marks, broken rules, and why.

    Parameters
    ----------
    puzzle : QueensPuzzle
    candidate : ndarray of shape (H, W, 3), uint8 RGB
    alignment : Alignment
        Of the candidate with the puzzle.
    found : BoardFindings
        What was drawn.
    left : BoardRemainder
        What neither the board nor its queens explain.
    judged : BoardJudgement
    score : float, optional
        The verdict's score; left out, it is computed from coverage and violation.

    Returns
    -------
    ndarray of shape (h, w, 3), uint8 RGB
        The puzzle's picture is at the upper left, at `grader.drawing.canvas.drawn_scale`.
    """
    view, covered = warp(Pyramid(candidate), alignment, puzzle.size, 1)
    sheet = brush.make_sheet(view, covered, min(puzzle.size) / puzzle.n)
    entries = (
        *_draw_cells(sheet, puzzle, found, left, judged),
        *_draw_conflicts(sheet, puzzle, found),
        *_draw_queens(sheet, found, judged),
        *_draw_rejected(sheet, puzzle, found),
    )
    facts = (
        ("score", f"{pass_score(judged.coverage, judged.violation) if score is None else score:.3f}"),
        ("reward", f"{judged.reward:.3f}"),
        ("coverage", f"{judged.coverage:.3f}"),
        ("violation", f"{judged.violation:.3f}"),
        ("conflicts", str(judged.conflicts)),
    )
    praise = f"All {puzzle.n} queens stand where they belong; no rule is broken."
    if judged.missed:
        praise = f"{puzzle.n} queens are placed, and no rule is broken."
    strip = Strip(facts, praise, judged.reasons, entries, describe_alignment(alignment))
    return with_strip(sheet.canvas, strip)


def _cell_cover(sheet: Sheet, board: Board, cell: tuple[int, int]) -> NDArray[np.float32]:
    """(H, W) float32, 1 within a cell, without grid lines."""
    height, width = sheet.canvas.shape[:2]
    mask = np.zeros((height, width), np.bool_)
    rows, columns = (
        slice(round(side * at / board.n), round(side * (at + 1) / board.n))
        for side, at in zip((height, width), cell, strict=True)
    )
    lines = sheet.spread(board.grid, board.factor)
    mask[rows, columns] = ~lines[rows, columns].astype(np.bool_)
    return mask.astype(np.float32)


def _draw_cells(
    sheet: Sheet, puzzle: QueensPuzzle, found: BoardFindings, left: BoardRemainder, judged: BoardJudgement
) -> Iterable[LegendEntry]:
    """Hatches missed cells; outlines recoloured ones, those beside broken lines, and those with marks."""
    # Another placement that keeps every rule is right, and misses nothing.
    missed = () if judged.legal else judged.missed
    for cells, paint, label in (
        (missed, _paint_missed, "cells that miss a queen"),
        (tuple(sorted({*found.recolored_cells, *left.painted_cells})), _paint_recolored, "cells whose colour changed"),
        (_beside_lines(puzzle, left), _paint_recolored, "cells whose lines are gone"),
        (_marked_cells(left, {BoardRole.DECORATION}, other=True), _paint_marked, "cells with marks"),
        (_marked_cells(left, {BoardRole.DECORATION}), _paint_decorated, "cells with decoration"),
    ):
        if cells:
            for cell in cells:
                paint(sheet.canvas, _cell_cover(sheet, puzzle.board, cell), sheet.unit)
            yield LegendEntry(f"{label}: {len(cells)}", partial(_paint_key, paint))


def _beside_lines(puzzle: QueensPuzzle, left: BoardRemainder) -> tuple[tuple[int, int], ...]:
    return tuple(sorted({divmod(cell, puzzle.n) for pair in left.broken_lines for cell in pair}))


def _marked_cells(left: BoardRemainder, roles: set[BoardRole], *, other: bool = False) -> tuple[tuple[int, int], ...]:
    """Cells with what has one of some roles, or with what has another one."""
    return tuple(sorted({cell for thing in left.things if (thing.role in roles) is not other for cell in thing.cells}))


def _paint_marked(canvas: Canvas, cover: NDArray[np.float32], unit: float) -> None:
    brush.outline(canvas, cover > 0, BLUE, unit, inset=1.5 * unit)


def _paint_decorated(canvas: Canvas, cover: NDArray[np.float32], unit: float) -> None:
    brush.outline(canvas, cover > 0, GREY, unit, inset=1.5 * unit)


def _paint_missed(canvas: Canvas, cover: NDArray[np.float32], unit: float) -> None:
    # Regions have colours of their own, some of them close to amber. Dark marks stay as they are.
    light = canvas.max(axis=2) > 110
    brush.tint(canvas, np.asarray(cover * light, np.float32), PAPER, 0.85)
    brush.paint_missed(canvas, cover, unit)


def _paint_recolored(canvas: Canvas, cover: NDArray[np.float32], unit: float) -> None:
    brush.outline(canvas, cover > 0, VERMILION, unit, inset=1.5 * unit, dashes=True)


def _paint_key(paint: Callable[[Canvas, NDArray[np.float32], float], None], canvas: Canvas) -> None:
    paint(canvas, np.ones(canvas.shape[:2], np.float32), 2.5)


def _draw_conflicts(sheet: Sheet, puzzle: QueensPuzzle, found: BoardFindings) -> Iterable[LegendEntry]:
    """Joins queens that break a rule together, each with the next one."""
    queens = {(queen.row, queen.column): queen for queen in found.queens}
    pairs: dict[tuple[tuple[int, int], tuple[int, int]], list[str]] = {}
    for conflict in legality(sorted(queens), puzzle.regions):
        for pair in itertools.pairwise(conflict.cells):
            pairs.setdefault(pair, []).append(_RULES[conflict.kind])
    lines = [(_between(sheet, queens[one], queens[other]), names) for (one, other), names in pairs.items()]
    if not 0 < len(lines) <= _MOST_JOINED:
        return
    for ends, _ in lines:
        brush.line(sheet.canvas, ends, INK, max(3.0, 0.8 * sheet.unit), casing=max(1.5, 0.4 * sheet.unit))
    if len(lines) <= _MOST_LABELLED:
        for ends, names in lines:
            brush.tag(sheet.canvas, ends.mean(axis=0), " + ".join(names), INK, 20)
    yield LegendEntry(f"pairs of queens that break a rule: {len(lines)}", _conflict_key)


def _between(sheet: Sheet, one: QueenMark, other: QueenMark) -> Points:
    """A line from ring to ring."""
    ends = sheet.at(np.array([one.center, other.center]))
    away = ends[1] - ends[0]
    length = max(float(np.hypot(away[0], away[1])), 1.0)
    trims = [min(_RING * mark.radius * sheet.scale / length, 0.4) for mark in (one, other)]
    return np.stack([ends[0] + trims[0] * away, ends[1] - trims[1] * away])


def _conflict_key(canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    brush.line(canvas, np.array([[8.0, height / 2.0], [width - 8.0, height / 2.0]]), INK, 4.0)


def _draw_queens(sheet: Sheet, found: BoardFindings, judged: BoardJudgement) -> Iterable[LegendEntry]:
    """Rings right queens; crosses out wrong ones, and every queen after the first in a cell."""
    wrong_cells = set() if judged.legal else set(judged.wrong)
    right: list[QueenMark] = []
    wrong: list[QueenMark] = []
    taken: set[tuple[int, int]] = set()
    for queen in found.queens:
        cell = (queen.row, queen.column)
        (wrong if cell in wrong_cells or cell in taken else right).append(queen)
        taken.add(cell)
    for queens, draw, label in (
        (right, _draw_right, "right queens"),
        (wrong, _draw_wrong, "wrong queens"),
    ):
        if queens:
            for queen in queens:
                radius = max(queen.radius * sheet.scale, 8.0)
                draw(sheet.canvas, sheet.at(queen.center), radius)
            yield LegendEntry(f"{label}: {len(queens)}", partial(_queen_key, draw))


def _draw_right(canvas: Canvas, center: Points, radius: float) -> None:
    brush.ring(canvas, center, _RING * radius, GREEN, max(3.0, 0.2 * radius))


def _draw_wrong(canvas: Canvas, center: Points, radius: float) -> None:
    brush.ring(canvas, center, _RING * radius, VERMILION, max(3.0, 0.14 * radius))
    brush.cross(canvas, center, 1.1 * radius, VERMILION, max(3.0, 0.2 * radius))


def _queen_key(draw: Callable[[Canvas, Points, float], None], canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    center = np.array([[width / 2.0, height / 2.0]])
    brush.fill(canvas, brush.circle_points(center, 0.26 * height), INK)
    draw(canvas, center, 0.26 * height)


def _draw_rejected(sheet: Sheet, puzzle: QueensPuzzle, found: BoardFindings) -> Iterable[LegendEntry]:
    """Boxes dark marks that are no queens; the largest one in a cell says why not."""
    if found.covered or not found.others:
        # On a board that is dark all over nothing is told apart.
        return
    margin, cell = 1.5 * sheet.unit, min(puzzle.size) / puzzle.n
    names: dict[tuple[int, int], tuple[Points, str]] = {}
    for mark in sorted(found.others, key=lambda one: (-one.box[2] * one.box[3], one.box)):
        left, top, width, height = mark.box
        right, bottom = left + width, top + height
        corners = sheet.at(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]))
        corners += np.array([[-margin, -margin], [margin, -margin], [margin, margin], [-margin, margin]])
        _draw_box(sheet.canvas, corners, max(2.0, 0.7 * sheet.unit))
        home = (int((top + bottom) / 2.0 / cell), int((left + right) / 2.0 / cell))
        names.setdefault(home, (corners[:2].mean(axis=0), _spoken(mark.code)))
    for at, name in names.values():
        brush.tag(sheet.canvas, at, name, VERMILION, 18)
    counts = Counter(_spoken(mark.code) for mark in found.others)
    listed = ", ".join(f"{count} {code}" for code, count in sorted(counts.items()))
    yield LegendEntry(f"marks that are no queens: {listed}", _box_key)


def _spoken(code: str) -> str:
    return code.replace("_", " ").lower()


def _draw_box(canvas: Canvas, corners: Points, width: float, color: Color = VERMILION) -> None:
    brush.line(canvas, corners, color, width, closed=True, casing=1.5)


def _box_key(canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    _draw_box(
        canvas, np.array([[14.0, 8.0], [width - 14.0, 8.0], [width - 14.0, height - 8.0], [14.0, height - 8.0]]), 3.0
    )
