"""A square sheet that is folded along lines, and where holes that are punched through it lie once it is unfolded.

The sheet is the unit square; x goes to the right and y up. A fold line is horizontal (y = c), vertical (x = c) or one
of the diagonals y = x + c and y = -x + c. All that lies on one side of it is mirrored at it and laid on top.
Coordinates are multiples of a power of two, and so mirrored without any rounding.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import shapely

Point = tuple[float, float]
Outline = tuple[Point, ...]
"""Corners of a convex polygon, counter-clockwise."""

MOST_FOLDS = 8
MOST_PUNCHES = 16
GRID = 2.0**-20
"""What coordinates are a multiple of."""
_FAR = 8.0
_SAME_AREA = 1e-9


class FoldType(enum.Enum):
    """A kind of line, by the name that the public instances give it."""

    HORIZONTAL = "horizontal"
    VERTICAL = "vertical"
    DIAG_POS = "diag_pos"
    DIAG_NEG = "diag_neg"


_NORMALS: dict[FoldType, tuple[float, float]] = {
    FoldType.HORIZONTAL: (0.0, 1.0),
    FoldType.VERTICAL: (1.0, 0.0),
    FoldType.DIAG_POS: (-1.0, 1.0),
    FoldType.DIAG_NEG: (1.0, 1.0),
}


@dataclass(frozen=True)
class Fold:
    """A fold along a line.

    Attributes
    ----------
    kind : which line
    offset : its c
    above : whether what lies above the line is laid over; of a vertical line, what lies right of it
    """

    kind: FoldType
    offset: float
    above: bool

    def side(self, point: Point) -> float:
        """On which side of the line a point lies: positive on the one that is laid over."""
        across, up = _NORMALS[self.kind]
        beyond = across * point[0] + up * point[1] - self.offset
        return beyond if self.above else -beyond

    def mirror(self, point: Point) -> Point:
        """The point that lies as far on the other side of the line."""
        x, y = point
        match self.kind:
            case FoldType.HORIZONTAL:
                return x, 2 * self.offset - y
            case FoldType.VERTICAL:
                return 2 * self.offset - x, y
            case FoldType.DIAG_POS:
                return y - self.offset, x + self.offset
        return self.offset - y, self.offset - x

    def half_plane(self, over: bool) -> shapely.Polygon:
        """What lies on the side that is laid over, or on the other one, as far as it matters."""
        across, up = _NORMALS[self.kind]
        sign = 1.0 if over == self.above else -1.0
        size = across * across + up * up
        middle = (across * self.offset / size, up * self.offset / size)
        along, out = (-up * _FAR, across * _FAR), (sign * across * _FAR, sign * up * _FAR)
        first, last = (middle[0] - along[0], middle[1] - along[1]), (middle[0] + along[0], middle[1] + along[1])
        return shapely.Polygon([first, last, _plus(last, out), _plus(first, out)])


def _plus(point: Point, by: Point) -> Point:
    return point[0] + by[0], point[1] + by[1]


@dataclass(frozen=True)
class Layer:
    """A part of the sheet where it lies now.

    Attributes
    ----------
    outline : its corners
    folds : the folds that laid it over, in order
    """

    outline: Outline
    folds: tuple[Fold, ...] = ()

    @property
    def turned(self) -> bool:
        """Whether its back is up."""
        return len(self.folds) % 2 == 1

    @cached_property
    def shape(self) -> shapely.Polygon:
        """Its outline as a polygon."""
        return shapely.Polygon(self.outline)

    def unfolded(self, point: Point) -> Point:
        """Where a point of it lies on the flat sheet."""
        for fold in reversed(self.folds):
            point = fold.mirror(point)
        return point


@dataclass(frozen=True)
class FoldedSheet:
    """A sheet after some folds.

    Attributes
    ----------
    layers : its parts, the lowest first
    flaps : by layer, whether the last fold laid it over
    """

    layers: tuple[Layer, ...]
    flaps: tuple[bool, ...]

    @cached_property
    def silhouette(self) -> shapely.Polygon:
        """All that it covers."""
        return shapely.union_all([one.shape for one in self.layers], grid_size=GRID)

    @cached_property
    def flap(self) -> shapely.Geometry:
        """What the last fold laid over; empty of the flat sheet."""
        over = [one.shape for one, flap in zip(self.layers, self.flaps, strict=True) if flap]
        return shapely.union_all(over, grid_size=GRID)

    def clearances(self, points: Sequence[Point]) -> list[float]:
        """The distance of each point to the nearest edge of any layer, negative off the sheet."""
        edges = shapely.union_all([one.shape.exterior for one in self.layers])
        shapely.prepare(edges)
        away = shapely.distance(edges, shapely.points(points))
        x, y = zip(*points, strict=True)
        inside = shapely.contains_xy(self.silhouette, x, y)
        return [one if within else -one for one, within in zip(away.tolist(), inside.tolist(), strict=True)]


FLAT = FoldedSheet((Layer(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))),), (False,))
"""The sheet before any fold."""


def fold_sheet(sheet: FoldedSheet, fold: Fold) -> FoldedSheet:
    """Folds a sheet; ValueError where nothing lies on one of the sides, or what is laid over sticks out."""
    stays: list[Layer] = []
    over: list[Layer] = []
    for layer in sheet.layers:
        kept = _outline(shapely.intersection(layer.shape, fold.half_plane(False), grid_size=GRID))
        if kept:
            stays.append(Layer(kept, layer.folds))
        moved = _outline(shapely.intersection(layer.shape, fold.half_plane(True), grid_size=GRID))
        if moved:
            over.append(Layer(_counter_clockwise([fold.mirror(one) for one in moved]), (*layer.folds, fold)))
    if not stays or not over:
        raise ValueError("nothing lies on one side of the fold's line")
    below, flap = (shapely.union_all([one.shape for one in part], grid_size=GRID) for part in (stays, over))
    if shapely.area(shapely.difference(flap, below)) > _SAME_AREA:
        raise ValueError("what is laid over reaches beyond what lies below it")
    return FoldedSheet((*stays, *reversed(over)), (False,) * len(stays) + (True,) * len(over))


def fold_all(folds: Sequence[Fold]) -> tuple[FoldedSheet, ...]:
    """The flat sheet, and the sheet after each fold; errors as of `fold_sheet`."""
    sheets = [FLAT]
    for fold in folds:
        sheets.append(fold_sheet(sheets[-1], fold))
    return tuple(sheets)


def unfold(sheets: Sequence[FoldedSheet], folds: Sequence[Fold], punches: Sequence[Point]) -> tuple[Outline, ...]:
    """Where holes lie after no fold, after the first, ... and after the last, where the sheet was punched.

    Parameters
    ----------
    sheets : sequence of FoldedSheet
        As of `fold_all`.
    folds : sequence of Fold
    punches : sequence of (x, y)
        Where all layers are punched.

    Returns
    -------
    tuple of tuple of (x, y)
        Each without doubles; the first are those of the unfolded sheet.
    """
    holes = list(dict.fromkeys(punches))
    found = [tuple(holes)]
    for sheet, fold in zip(reversed(sheets[1:]), reversed(folds), strict=True):
        holes = list(dict.fromkeys([*holes, *(fold.mirror(one) for one in doubled(sheet, holes))]))
        found.append(tuple(holes))
    return tuple(reversed(found))


def doubled(sheet: FoldedSheet, holes: Sequence[Point]) -> list[Point]:
    """The holes that the last fold's flap has too."""
    return [one for one in holes if shapely.contains_xy(sheet.flap, *one)]


def creases(sheets: Sequence[FoldedSheet], folds: Sequence[Fold], number: int) -> tuple[tuple[Point, Point], ...]:
    """Where the folds after the first ``number`` have left creases on the sheet as it is after these.

    Parameters
    ----------
    sheets : sequence of FoldedSheet
        As of `fold_all`.
    folds : sequence of Fold
    number : int

    Returns
    -------
    tuple of pair of (x, y)
        Ends of straight lines.
    """
    lines: list[tuple[Point, Point]] = []
    for at in range(len(folds) - 1, number - 1, -1):
        fold, flap = folds[at], sheets[at + 1].flap
        for ends in list(lines):
            for one, other in _segments(shapely.intersection(shapely.LineString(ends), flap)):
                lines.append((fold.mirror(one), fold.mirror(other)))
        lines += _segments(crease_of(sheets[at], fold))
    return tuple(dict.fromkeys(lines))


def crease_of(sheet: FoldedSheet, fold: Fold) -> shapely.Geometry:
    """The part of a fold's line that lies on a sheet which is not yet folded there."""
    return shapely.intersection(sheet.silhouette, fold.half_plane(True).boundary)


def _segments(shape: shapely.Geometry) -> list[tuple[Point, Point]]:
    """The straight lines of a geometry, by their ends."""
    found = []
    for part in shapely.get_parts(shape):
        if isinstance(part, shapely.LineString) and not part.is_empty:
            ends = shapely.get_coordinates(part).tolist()
            found.append(((ends[0][0], ends[0][1]), (ends[-1][0], ends[-1][1])))
    return found


def _outline(shape: shapely.Geometry) -> Outline:
    """The corners of a convex polygon; nothing of what has no area."""
    if not isinstance(shape, shapely.Polygon) or shape.area <= _SAME_AREA:
        return ()
    return _counter_clockwise([(x, y) for x, y in shapely.get_coordinates(shape)[:-1].tolist()])


def _counter_clockwise(corners: Sequence[Point]) -> Outline:
    ring = shapely.LinearRing(corners)
    ordered = list(corners) if ring.is_ccw else list(reversed(corners))
    return tuple(ordered)
