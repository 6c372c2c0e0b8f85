"""Draws which piece was seen where in a silhouette, and what is wrong there. Never on the scoring path."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray

from detectors.form_board.fitting import ShapeChange
from detectors.form_board.scene import Box
from grader.alignment.align import warp
from grader.drawing import canvas as brush
from grader.drawing.canvas import AMBER, BLUE, GREEN, VERMILION, Canvas, Color, Sheet
from grader.drawing.strip import LegendEntry, Strip, with_strip
from grader.media.pyramid import Pyramid

if TYPE_CHECKING:
    from detectors.form_board.board import FormBoardFindings, ShapeSeen
    from grader.model.verdict import Alignment
    from grader.tasks.form_board.judge import BoardFit
    from grader.tasks.form_board.puzzle import PreparedBoard

_LABEL_PX = 22
_RIGHT, _WRONG = "a piece in its place", "a piece that is wrong here"
_CHANGED, _GAP, _BESIDE = "no piece as it was given", "left free", "drawn beside"
_COLORS: dict[str, Color] = {_RIGHT: GREEN, _WRONG: VERMILION, _CHANGED: AMBER, _GAP: VERMILION, _BESIDE: AMBER}


def draw_form_board(
    puzzle: PreparedBoard,
    candidate: NDArray[np.uint8],
    alignment: Alignment,
    seen: FormBoardFindings,
    judged: BoardFit,
) -> NDArray[np.uint8]:
    """Draws a verdict on the aligned candidate: outlines of pieces where they were found, with their labels.

    Parameters
    ----------
    puzzle : PreparedBoard
    candidate : (H, W, 3) uint8 RGB
    alignment : Alignment
    seen : FormBoardFindings
    judged : BoardFit
    """
    view, covered = warp(Pyramid(candidate), alignment, puzzle.drawn.scene.size, 1)
    sheet = brush.make_sheet(view, covered, puzzle.side / 6)
    used: list[str] = []
    brush.dashed_line(sheet.canvas, sheet.at(puzzle.drawn.scene.silhouette), BLUE, sheet.unit, closed=True)
    for shape, right in zip(judged.shapes, judged.right, strict=True):
        kind = _RIGHT if right else _WRONG if shape.change is ShapeChange.AS_GIVEN else _CHANGED
        used.append(kind)
        _outline(sheet, puzzle, shape, _COLORS[kind])
    for kind, things in ((_GAP, seen.gaps), (_BESIDE, seen.beside)):
        for thing in things:
            used.append(kind)
            corners = sheet.at(_corners(thing.box))
            brush.dashed_line(sheet.canvas, corners, _COLORS[kind], 1.5 * sheet.unit, closed=True, casing=sheet.unit)
    facts = (
        ("pieces in place", f"{sum(judged.right)} of {len(judged.tiling.labels)}"),
        ("silhouette, overlap", f"{seen.silhouette_iou:.3f}"),
        ("left free", f"{100 * judged.gaps:.1f} %"),
    )
    entries = tuple(LegendEntry(kind, partial(_swatch, kind)) for kind in dict.fromkeys(used))
    praise = "Every piece lies in its place, as it was given, and nothing is left free."
    footer = f"Alignment: {alignment.method.lower()}, agreement {alignment.quality:.2f}."
    return with_strip(sheet.canvas, Strip(facts, praise, judged.reasons, entries, footer))


def draw_board_frame(
    puzzle: PreparedBoard, picture: NDArray[np.uint8], alignment: Alignment, judged: BoardFit
) -> NDArray[np.uint8]:
    """A frame of a clip with the outlines of the pieces in the silhouette, (H, W, 3) uint8 RGB of its size."""
    canvas = picture.copy()
    back = cv2.invertAffineTransform(np.array(alignment.matrix, np.float64).reshape(2, 3))

    def at(points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((points[:, None, :] * back[None, :, :2]).sum(axis=2) + back[:, 2], np.float64)

    brush.dashed_line(canvas, at(puzzle.drawn.scene.silhouette), BLUE, 2, closed=True)
    for shape, right in zip(judged.shapes, judged.right, strict=True):
        kind = _RIGHT if right else _WRONG if shape.change is ShapeChange.AS_GIVEN else _CHANGED
        corners = _shape_of(puzzle, shape)
        brush.line(canvas, at(_corners(shape.box) if corners is None else corners), _COLORS[kind], 2, closed=True)
    return canvas


def _shape_of(puzzle: PreparedBoard, shape: ShapeSeen) -> NDArray[np.float64] | None:
    """The corners of a piece where it lies; None for what is none, or was turned or scaled."""
    if puzzle.board is None or shape.change not in (ShapeChange.AS_GIVEN, ShapeChange.ALTERED):
        return None
    corners = next(one.corners for one in puzzle.board.pieces if one.label == shape.label)
    return np.array(corners, np.float64) + shape.moved


def _outline(sheet: Sheet, puzzle: PreparedBoard, shape: ShapeSeen, color: Color) -> None:
    """The outline of a piece that was found, or else the box of what is none; with its label."""
    found = _shape_of(puzzle, shape)
    corners = sheet.at(_corners(shape.box) if found is None else found)
    draw = brush.dashed_line if shape.change is ShapeChange.ALTERED else brush.line
    draw(sheet.canvas, corners, color, 1.5 * sheet.unit, closed=True)
    middle = corners.mean(axis=0)
    if found is not None:
        middle = sheet.at(np.array(shapely.Polygon(found).representative_point().coords[0]))[0]
    text = shape.label if shape.change is ShapeChange.AS_GIVEN else f"{shape.label or '?'} {shape.change.value}"
    brush.tag(sheet.canvas, middle, text, color, _LABEL_PX)


def _corners(box: Box) -> NDArray[np.float64]:
    left, top, right, bottom = box
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)


def _swatch(kind: str, canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    draw = brush.dashed_line if kind in (_GAP, _BESIDE) else brush.line
    draw(canvas, _corners((4, 4, width - 4, height - 4)), _COLORS[kind], 4.0, closed=True)
