"""Pictures of folded sheets: each state with its holes, and the question with its folds and its five options."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import shapely

from puzzles.common.arrays import FloatArray
from puzzles.common.lettering import draw_text
from puzzles.common.raster import Color, Picture, cover_line, cover_polygon, new_coverage, paint
from puzzles.common.texture import lay_texture
from puzzles.paper_fold.generator import LABELS, PaperFoldPuzzle
from puzzles.paper_fold.patterns import RADIUS
from puzzles.paper_fold.rules import FLAT, Fold, FoldedSheet, Outline, Point
from puzzles.paper_fold.style import FoldStyle

_HEAD = 0.16  # of a row of panels, for letters, as a share of a panel
_FAINT = 0.45
_DASHES = 24


class UnitSquare:
    """Where the unit square lies in a picture of a side in pixels."""

    def __init__(self, side: int, share: float, at: tuple[float, float] = (0.0, 0.0)) -> None:
        self.scale = side * share
        self._left = at[0] + side * (1 - share) / 2
        self._bottom = at[1] + side * (1 + share) / 2

    def of(self, points: Sequence[Point]) -> FloatArray:
        """Points (n, 2) in pixels."""
        away = np.asarray(points, np.float64).reshape(-1, 2)
        return np.stack([self._left + self.scale * away[:, 0], self._bottom - self.scale * away[:, 1]], axis=1)


def render_sheet(sheet: FoldedSheet, holes: Outline, style: FoldStyle, side: int) -> Picture:
    """A sheet as it lies after some folds, alone in a square picture.

    Parameters
    ----------
    sheet
        The sheet.
    holes
        Where it has holes.
    style
        Colours and widths.
    side
        Of the picture in pixels.
    """
    picture = np.full((side, side, 3), style.ground, np.uint8)
    _draw_sheet(picture, sheet, holes, UnitSquare(side, style.sheet_share), style)
    return _textured(picture, style, side)


def render_unfolding(puzzle: PaperFoldPuzzle, style: FoldStyle, side: int) -> list[Picture]:
    """The picture after each fold is undone, the last fold first: as many as there are folds."""
    return [
        render_sheet(puzzle.sheets[at], puzzle.holes[at], style, side) for at in range(len(puzzle.folds) - 1, -1, -1)
    ]


def render_question(puzzle: PaperFoldPuzzle, style: FoldStyle, side: int) -> Picture:
    """The question: the sheet after each fold and after the punches above, and the labelled options below.

    Parameters
    ----------
    puzzle
        The puzzle.
    style
        Colours and widths.
    side
        Width of the picture in pixels.
    """
    steps, choices = len(puzzle.folds) + 1, len(puzzle.options)
    upper, lower = side // max(steps, 3), side // choices
    head = round(_HEAD * lower)
    picture = np.full((upper + 2 * head + lower, side, 3), style.ground, np.uint8)
    left = (side - steps * upper) / 2
    for at, fold in enumerate(puzzle.folds):
        frame = UnitSquare(upper, style.sheet_share, (left + at * upper, 0.0))
        _draw_dashes(picture, FLAT.layers[0].outline, frame, style)
        _draw_sheet(picture, puzzle.sheets[at + 1], (), frame, style)
        _draw_arrow(picture, puzzle.sheets[at + 1], fold, frame, style)
    frame = UnitSquare(upper, style.sheet_share, (left + len(puzzle.folds) * upper, 0.0))
    _draw_dashes(picture, FLAT.layers[0].outline, frame, style)
    _draw_sheet(picture, puzzle.sheets[-1], puzzle.punches, frame, style)
    for at, option in enumerate(puzzle.options):
        centre = ((at + 0.5) * lower, upper + 1.2 * head)
        draw_text(picture, LABELS[at], centre, 0.7 * head, style.ink, style.font)
        _draw_sheet(
            picture, FLAT, option, UnitSquare(lower, style.sheet_share, (at * lower, upper + 1.6 * head)), style
        )
    return _textured(picture, style, lower)


def _draw_sheet(picture: Picture, sheet: FoldedSheet, holes: Outline, frame: UnitSquare, style: FoldStyle) -> None:
    for layer in sheet.layers:
        corners = frame.of(layer.outline)[::-1]  # up is down on the screen
        _lay(picture, corners, style.back if layer.turned else style.front)
        edge = np.concatenate([corners, corners[:1]])
        _draw_line(picture, edge, style.edge, style.edge_width * frame.scale)
    for hole in holes:
        draw_hole(picture, hole, frame, style)


def draw_hole(picture: Picture, hole: Point, frame: UnitSquare, style: FoldStyle, radius: float = RADIUS) -> None:
    """Draws a hole with its rim, whose middle line is the hole's edge, in place."""
    place = frame.of([hole])
    for color, grown in ((style.rim, style.rim_width / 2), (style.hole, -style.rim_width / 2)):
        _draw_line(picture, place, color, 2 * (radius + grown) * frame.scale)


def lay_outline(
    picture: Picture, outline: Outline, color: Color, style: FoldStyle, frame: UnitSquare, *, hole: bool = False
) -> None:
    """Lays a convex area with its edge on a picture, in place; nothing of one that is seen from its side.

    Parameters
    ----------
    picture
        Changed in place.
    outline
        Corners on the unit square, in either order.
    color
        Of the area.
    style
        Of its edge.
    frame
        Where the unit square lies.
    hole
        Whether it has the edge of a hole.
    """
    corners = frame.of(outline)
    x, y = corners[:, 0], corners[:, 1]
    area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2
    if abs(area) > 1.0:
        _lay(picture, corners if area > 0 else corners[::-1], color)
    width = style.rim_width if hole else style.edge_width
    _draw_line(picture, np.concatenate([corners, corners[:1]]), style.rim if hole else style.edge, width * frame.scale)


def _lay(picture: Picture, corners: FloatArray, color: Color) -> None:
    part, origin = _part(picture, corners, 1.0)
    coverage = new_coverage(*part.shape[:2])
    cover_polygon(coverage, corners - origin)
    paint(part, coverage, color)


def _draw_line(picture: Picture, points: FloatArray, color: Color, width: float, opacity: float = 1.0) -> None:
    """A line through points, (n, 2) in pixels; one point gives a disc."""
    if width <= 0:
        return
    part, origin = _part(picture, points, width)
    coverage = new_coverage(*part.shape[:2])
    cover_line(coverage, points - origin, width)
    paint(part, coverage, color, opacity)


def _part(picture: Picture, points: FloatArray, margin: float) -> tuple[Picture, FloatArray]:
    """The window of a picture that points reach with a margin, and its first pixel (x, y)."""
    low = np.maximum(np.floor(points.min(axis=0) - margin - 1), 0).astype(int)
    high = np.maximum(np.ceil(points.max(axis=0) + margin + 1), 0).astype(int)
    return picture[low[1] : high[1], low[0] : high[0]], low.astype(np.float64)


def _textured(picture: Picture, style: FoldStyle, side: int) -> Picture:
    if style.texture is not None:
        lay_texture(picture, style.texture, side)
    return picture


def _draw_dashes(picture: Picture, outline: Outline, frame: UnitSquare, style: FoldStyle) -> None:
    """Where the flat sheet lay, dashed."""
    corners = frame.of((*outline, outline[0]))
    for start, end in pairwise(corners):
        for dash in range(0, _DASHES, 2):
            ends = np.array([start + (end - start) * at / _DASHES for at in (dash, dash + 1)])
            _draw_line(picture, ends, style.ink, max(1.0, 0.006 * frame.scale), _FAINT)


def _draw_arrow(picture: Picture, sheet: FoldedSheet, fold: Fold, frame: UnitSquare, style: FoldStyle) -> None:
    """From where the flap lay to where it lies."""
    middle = shapely.get_coordinates(shapely.centroid(sheet.flap))[0].tolist()
    lies = (middle[0], middle[1])
    start, end = frame.of([fold.mirror(lies), lies])
    length = math.dist(start, end)
    ahead = (end - start) / max(length, 1.0)
    aside = np.array([-ahead[1], ahead[0]])
    size = 0.05 * frame.scale
    width = max(1.0, 0.012 * frame.scale)
    head = [end - size * (ahead + 0.6 * aside), end, end - size * (ahead - 0.6 * aside)]
    for points in ([start, end], head):
        _draw_line(picture, np.array(points), style.ink, width)
