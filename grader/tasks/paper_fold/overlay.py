"""Draws what was seen and judged of holes in a sheet. Never on the scoring path."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

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
