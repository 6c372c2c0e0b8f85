"""Draws which piece was seen in each quarter of a picture. Never on the scoring path."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from grader.drawing import canvas as brush
from grader.drawing.canvas import AMBER, GREEN, VERMILION, Canvas, Color
from grader.drawing.strip import LegendEntry, Strip, with_strip
from grader.model.places import PixelBox
from puzzles.jigsaw.kinds import POSITIONS

if TYPE_CHECKING:
    from grader.media.frames import Frame
    from grader.tasks.jigsaw.judge import AssemblyJudgement
    from grader.tasks.jigsaw.model import AssemblyObservation, QuarterObservation

_LABEL_PX = 26


def draw_assembly(
    candidate: NDArray[np.uint8], seen: AssemblyObservation, judged: AssemblyJudgement
) -> NDArray[np.uint8]:
    """Draws a verdict: a box around each quarter with the number of its piece, and how it lies.

    Parameters
    ----------
    candidate : (H, W, 3) uint8 RGB
    seen : AssemblyObservation
    judged : AssemblyJudgement
    """
    sheet = brush.make_sheet(candidate, None, min(candidate.shape[:2]) / 2)
    used: dict[str, Color] = {}
    for quarter, right, intact in zip(seen.quarters, judged.right, judged.intact, strict=True):
        label, color = _kind(quarter, right, intact)
        used[label] = color
        corners = sheet.at(_corners(quarter.box, inset=0.01))
        brush.line(sheet.canvas, corners, color, 2 * sheet.unit, closed=True, casing=sheet.unit)
        brush.tag(sheet.canvas, corners.mean(axis=0), _text(quarter), color, _LABEL_PX)
    facts = tuple(
        (place, f"{_text(quarter)} ({quarter.likeness:.2f}, {100 * quarter.altered_share:.1f} % altered)")
        for place, quarter in zip(POSITIONS, seen.quarters, strict=True)
    )
    entries = tuple(LegendEntry(label, partial(_swatch, color)) for label, color in used.items())
    return with_strip(
        sheet.canvas, Strip(facts, "Every piece lies in its place, as it was given.", judged.reasons, entries, "")
    )


def draw_frame(frame: Frame, seen: AssemblyObservation, judged: AssemblyJudgement, *, final: bool) -> NDArray[np.uint8]:
    """A frame of a clip: with its pieces if it is the one that counts, and with what changes there without moving."""
    canvas = frame.pixels.copy()
    height, width = canvas.shape[:2]
    size = max(11, round(min(height, width) / 18))
    if final:
        for quarter, right, intact in zip(seen.quarters, judged.right, judged.intact, strict=True):
            _, color = _kind(quarter, right, intact)
            corners = _corners(quarter.box, inset=0.02)
            brush.line(canvas, corners, color, size / 6, closed=True, casing=1.0)
            brush.tag(canvas, corners.mean(axis=0), _text(quarter), color, size)
    for event in seen.events:
        if event.span.first_frame <= frame.index <= event.span.last_frame:
            row, column = divmod(POSITIONS.index(event.object), 2)
            box = PixelBox(column * width / 2, row * height / 2, width / 2, height / 2)
            corners = _corners(box, inset=0.03)
            brush.line(canvas, corners, VERMILION, size / 5, closed=True, casing=1.0)
            brush.tag(canvas, corners.mean(axis=0) + np.array([0, size * 1.5]), event.code, VERMILION, size)
    return canvas


def _kind(quarter: QuarterObservation, right: bool, intact: bool) -> tuple[str, Color]:
    if not quarter.piece:
        return "no given piece", VERMILION
    if not intact:
        return "a piece that was altered", AMBER
    return ("a piece in its place", GREEN) if right else ("a piece that is wrong here", VERMILION)


def _text(quarter: QuarterObservation) -> str:
    if not quarter.piece:
        return "none"
    turned = f" turned {quarter.rotation_deg}" if quarter.rotation_deg else ""
    return f"{quarter.piece}{' mirrored' if quarter.mirrored else ''}{turned}"


def _corners(box: PixelBox, inset: float) -> NDArray[np.float64]:
    across, down = inset * box.width, inset * box.height
    left, top, right, bottom = (
        box.left + across,
        box.top + down,
        box.left + box.width - across,
        box.top + box.height - down,
    )
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)


def _swatch(color: Color, canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    corners = np.array([(4, 4), (width - 4, 4), (width - 4, height - 4), (4, height - 4)], np.float64)
    brush.line(canvas, corners, color, 4.0, closed=True)
