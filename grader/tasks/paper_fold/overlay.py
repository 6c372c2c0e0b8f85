"""Draws what was seen and judged of holes in a sheet. Never on the scoring path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.alignment.align import warp
from grader.drawing import canvas as brush
from grader.drawing.canvas import AMBER, GREEN, PURPLE, VERMILION, Canvas, Color, Points, Sheet
from grader.drawing.strip import LegendEntry, Strip, describe_alignment, with_strip
from grader.media.pyramid import Pyramid

if TYPE_CHECKING:
    from detectors.paper_fold.finding import SheetFindings
    from grader.model.verdict import Alignment
    from grader.tasks.paper_fold.judge import SheetJudgement
    from grader.tasks.paper_fold.puzzle import SheetState


@dataclass(frozen=True)
class SheetMoment:
    """When a quarter of a clip's picture, 0 top left to 3 bottom right, changes without that anything moves."""

    first_frame: int
    last_frame: int
    quarter: int
    code: str


def draw_sheet_overlay(
    state: SheetState,
    candidate: NDArray[np.uint8],
    alignment: Alignment,
    found: SheetFindings | None,
    judged: SheetJudgement,
) -> NDArray[np.uint8]:
    """Draws a verdict: rings around right holes, crosses over wrong ones, dashed rings where one is missing.

    Parameters
    ----------
    state : SheetState
    candidate : (H, W, 3) uint8 RGB
    alignment : Alignment
    found : SheetFindings or None
    judged : SheetJudgement
    """
    view, covered = warp(Pyramid(candidate), alignment, state.size, 1)
    sheet = brush.make_sheet(view, covered, 4 * state.radius)
    width = 1.6 * sheet.unit
    legend: dict[str, LegendEntry] = {}
    for disc in judged.right:
        brush.ring(sheet.canvas, sheet.at(disc.center), 1.35 * disc.radius * sheet.scale, GREEN, width)
        legend["a hole where one belongs"] = _ring_entry("a hole where one belongs", GREEN, dashes=False)
    moved = {id(disc) for disc, _ in judged.moved}
    for disc in judged.wrong:
        label = "a misplaced hole, and where it belongs" if id(disc) in moved else "a hole that does not belong there"
        brush.ring(sheet.canvas, sheet.at(disc.center), 1.35 * disc.radius * sheet.scale, VERMILION, width)
        brush.cross(sheet.canvas, sheet.at(disc.center), 1.2 * disc.radius * sheet.scale, VERMILION, width)
        legend[label] = LegendEntry(label, partial(_cross_swatch, VERMILION))
    for disc, place in judged.moved:
        _draw_arrow(sheet, np.array(disc.center), np.array(place), width)
    for hole in judged.missing:
        brush.ring(sheet.canvas, sheet.at(hole), 1.35 * state.radius * sheet.scale, AMBER, width, dashes=True)
        legend["a missing hole"] = _ring_entry("a missing hole", AMBER, dashes=True)
    for disc in () if found is None else found.discs:
        if disc.outside:
            brush.cross(sheet.canvas, sheet.at(disc.center), 1.2 * disc.radius * sheet.scale, PURPLE, width)
            legend["a hole beside the sheet"] = LegendEntry("a hole beside the sheet", partial(_cross_swatch, PURPLE))
    for blot in () if found is None else found.blots:
        left, top, across, down = blot.box
        corners = np.array([(left, top), (left + across, top), (left + across, top + down), (left, top + down)])
        brush.dashed_line(sheet.canvas, sheet.at(corners), PURPLE, width, closed=True, casing=1.0)
        legend["drawn, and no hole"] = LegendEntry("drawn, and no hole", partial(_box_swatch, PURPLE))
    facts = (
        ("score", f"{judged.score:.3f}"),
        ("reward", f"{judged.reward:.3f}"),
        ("hole precision", f"{judged.precision:.3f}"),
        ("hole recall", f"{judged.recall:.3f}"),
        ("sheet iou", f"{judged.whole:.3f}"),
    )
    praise = f"All {len(judged.right)} holes lie where they belong, and the sheet is whole."
    strip = Strip(facts, praise, judged.reasons, tuple(legend.values()), describe_alignment(alignment))
    return with_strip(sheet.canvas, strip)


def draw_sheet_frame(
    picture: NDArray[np.uint8],
    state: SheetState,
    alignment: Alignment,
    judged: SheetJudgement | None,
    moments: Sequence[SheetMoment],
) -> NDArray[np.uint8]:
    """A frame of a clip: with its holes where it is the one that counts, and with what changes there suddenly.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
    state : SheetState
    alignment : Alignment
        How the frame that counts lies.
    judged : SheetJudgement or None
        None for all other frames.
    moments : sequence of SheetMoment
        What changes in this frame.
    """
    canvas = picture.copy()
    height, width = canvas.shape[:2]
    size = max(11, round(min(height, width) / 18))
    if judged is not None:
        back = cv2.invertAffineTransform(np.array(alignment.matrix, np.float64).reshape(2, 3))
        scale = float(np.sqrt(abs(np.linalg.det(back[:, :2]))))
        for places, color in (
            ([one.center for one in judged.right], GREEN),
            ([one.center for one in judged.wrong], VERMILION),
            (judged.missing, AMBER),
        ):
            for place in places:
                at = back[:, :2] @ np.array(place) + back[:, 2]
                brush.ring(canvas, at, 1.35 * state.radius * scale, color, size / 8, dashes=color == AMBER)
    for one in moments:
        row, column = divmod(one.quarter, 2)
        left, top = (column + 0.03) * width / 2, (row + 0.03) * height / 2
        right, bottom = (column + 0.97) * width / 2, (row + 0.97) * height / 2
        corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        brush.line(canvas, corners, VERMILION, size / 5, closed=True, casing=1.0)
        brush.tag(canvas, corners.mean(axis=0), one.code, VERMILION, size)
    return canvas


def _draw_arrow(sheet: Sheet, start: Points, end: Points, width: float) -> None:
    points = sheet.at(np.stack([start, end]))
    brush.line(sheet.canvas, points, VERMILION, width, casing=1.0)
    brush.arrow_head(sheet.canvas, points[1], points[1] - points[0], 4 * width, VERMILION)


def _ring_entry(label: str, color: Color, *, dashes: bool) -> LegendEntry:
    return LegendEntry(label, partial(_ring_swatch, color, dashes))


def _ring_swatch(color: Color, dashes: bool, canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    brush.ring(canvas, np.array([width / 2, height / 2]), 0.3 * min(width, height), color, 3.0, dashes=dashes)


def _cross_swatch(color: Color, canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    brush.cross(canvas, np.array([width / 2, height / 2]), 0.35 * min(width, height), color, 3.0)


def _box_swatch(color: Color, canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    corners = np.array([(4, 4), (width - 4, 4), (width - 4, height - 4), (4, height - 4)], np.float64)
    brush.dashed_line(canvas, corners, color, 3.0, closed=True)
