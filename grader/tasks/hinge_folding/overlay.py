"""Draws what was seen of a chain against the silhouette that is right. Never on the scoring path."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray

from grader.drawing import canvas as brush
from grader.drawing.canvas import AMBER, BLUE, GREEN, VERMILION, Canvas, Color
from grader.drawing.strip import LegendEntry, Strip, with_strip
from puzzles.hinge_folding.chain import silhouette

if TYPE_CHECKING:
    from grader.media.frames import Frame
    from grader.tasks.hinge_folding.judge import ChainJudgement
    from grader.tasks.hinge_folding.model import ChainPieceSeen
    from grader.tasks.hinge_folding.puzzle import HingeChain
    from grader.tasks.hinge_folding.reading import ChainReading

_LABEL_PX = 22
_WANTED, _PIECE, _WRONG, _EXTRA = "the right silhouette", "a piece", "a piece or hinge that is wrong", "no piece"


def draw_chain(
    candidate: NDArray[np.uint8], puzzle: HingeChain, read: ChainReading, judged: ChainJudgement
) -> NDArray[np.uint8]:
    """Draws a verdict: the outline of each piece, the right silhouette, and what is too much.

    Parameters
    ----------
    candidate : (H, W, 3) uint8 RGB
    puzzle : HingeChain
    read : ChainReading
    judged : ChainJudgement
    """
    across = read.found.scan.unit_px / max(read.found.scale)
    sheet = brush.make_sheet(candidate, None, 0.3 * across)
    unit, used = sheet.unit, {_WANTED: BLUE}
    for ring in _target_rings(puzzle, read):
        brush.line(sheet.canvas, sheet.at(ring), BLUE, 3 * unit, closed=True, casing=unit)
    for number, piece in enumerate(read.seen.pieces):
        label, color = _kind(number, piece, judged)
        used[label] = color
        corners = sheet.at(np.array(piece.corners))
        brush.line(sheet.canvas, corners, color, 2 * unit, closed=True, casing=unit)
        text = str(number + 1) if piece.found else f"{number + 1} missing"
        brush.tag(sheet.canvas, corners.mean(axis=0), text, color, _LABEL_PX)
    for box in read.faults.extras:
        used[_EXTRA] = AMBER
        corners = np.array(
            [
                (box.left, box.top), (box.left + box.width, box.top),
                (box.left + box.width, box.top + box.height), (box.left, box.top + box.height),
            ]
        )  # fmt: skip
        brush.line(sheet.canvas, sheet.at(corners), AMBER, 3 * unit, closed=True, casing=unit)
    facts = tuple(
        (f"hinge {hinge.hinge}", _said(hinge.angle_deg, hinge.gap_units, right=right))
        for hinge, right in zip(read.seen.hinges, judged.hinges_right, strict=True)
    )
    entries = tuple(LegendEntry(label, partial(_swatch, color)) for label, color in used.items())
    praise = "The chain is whole and has the right silhouette."
    return with_strip(sheet.canvas, Strip(facts, praise, judged.reasons, entries, f"silhouette: {judged.iou:.0%}"))


def draw_frame(frame: Frame, *, shown: int, read: ChainReading, judged: ChainJudgement) -> NDArray[np.uint8]:
    """A frame of a clip: with its pieces if it is the one that counts."""
    canvas = frame.pixels.copy()
    if frame.index != shown:
        return canvas
    size = max(11, round(min(canvas.shape[:2]) / 26))
    for number, piece in enumerate(read.seen.pieces):
        _, color = _kind(number, piece, judged)
        corners = np.array(piece.corners)
        brush.line(canvas, corners, color, size / 7, closed=True, casing=1.0)
        brush.tag(canvas, corners.mean(axis=0), str(number + 1), color, size)
    return canvas


def _kind(number: int, piece: ChainPieceSeen, judged: ChainJudgement) -> tuple[str, Color]:
    joints = [at for at in (number - 1, number) if 0 <= at < len(judged.hinges_right)]
    right = piece.found and (not judged.reasons or judged.hinges_right[joints[0]])
    return (_PIECE, GREEN) if right else (_WRONG, VERMILION)


def _said(angle: float | None, gap: float | None, *, right: bool) -> str:
    if angle is None or gap is None:
        return "not read"
    return f"{angle % 360:.0f} degrees{'' if right else ' (wrong)'}, gap {gap:.2f}"


def _target_rings(puzzle: HingeChain, read: ChainReading) -> list[NDArray[np.float64]]:
    """The outlines of the right silhouette in pixels, with the first piece where it was found."""
    scan, scale = read.found.scan, np.array(read.found.scale)
    first = scan.pieces[0].pose
    merged = shapely.set_precision(silhouette(puzzle.shapes, puzzle.target), 1e-6)
    rings = []
    for ring in shapely.get_parts(shapely.boundary(merged)):
        points = shapely.get_coordinates(ring)[:-1]
        rings.append((first[:2] + points * (scan.unit_px, -scan.unit_px)) / scale)
    return rings


def _swatch(color: Color, canvas: Canvas) -> None:
    height, width = canvas.shape[:2]
    corners = np.array([(4, 4), (width - 4, 4), (width - 4, height - 4), (4, height - 4)], np.float64)
    brush.line(canvas, corners, color, 4.0, closed=True)
