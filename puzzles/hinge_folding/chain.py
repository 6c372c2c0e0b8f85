"""A chain of pieces on hinges, and the silhouette that turning the hinges gives.

Pieces stand side by side on the x axis, joined at their joints; y goes up. A hinge turns all that is to the right of it
about the place where it is. Where the pieces end hangs on the sum of the turns of each hinge alone, in whatever order
they were made [1]_: piece k is turned by the sum over the hinges before it.

References
----------
.. [1] MentisOculi, section 2 and the public instances' pieces and joints.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FULL_TURN = 2 * math.pi
ANGLE_STEP = math.pi / 4
"""Hinges are turned by multiples of this, in radians."""
MOST_PIECES = 27
"""One more than there are letters for hinges."""
SAME_AREA = 1e-4
"""Silhouettes that differ by less, in units of area, are one (MentisOculi)."""
GRID = 1e-9
"""Corners are brought to a grid this fine, in units, when areas are computed, so that rounding does no harm."""
_RADIUS = 0.5


class HingeShape(enum.Enum):
    """A piece, by the name that the public instances give it; to the eye square and diamond are exchanged."""

    SQUARE = "square"
    DIAMOND = "diamond"
    TRIANGLE = "triangle"
    RECTANGLE = "rectangle"


@dataclass(frozen=True)
class PieceOutline:
    """A piece, centred: its corners, counter-clockwise, and where on the x axis its left and right joints are."""

    corners: tuple[tuple[float, float], ...]
    left: float
    right: float


def _regular(count: int, first: float) -> tuple[tuple[float, float], ...]:
    """Corners on a circle of radius 1/2, the first of them at an angle in radians."""
    angles = [first + FULL_TURN * corner / count for corner in range(count)]
    return tuple((_RADIUS * math.cos(angle), _RADIUS * math.sin(angle)) for angle in angles)


_PIECES = {
    HingeShape.SQUARE: PieceOutline(_regular(4, 0.0), -_RADIUS, _RADIUS),
    HingeShape.DIAMOND: PieceOutline(_regular(4, ANGLE_STEP), -_RADIUS * math.sqrt(0.5), _RADIUS * math.sqrt(0.5)),
    HingeShape.TRIANGLE: PieceOutline(_regular(3, 0.0), -_RADIUS / 2, _RADIUS),
    HingeShape.RECTANGLE: PieceOutline(
        ((-0.5, -0.25), (0.5, -0.25), (0.5, 0.25), (-0.5, 0.25)), -_RADIUS, _RADIUS
    ),
}  # fmt: skip


def outline_of(shape: HingeShape) -> PieceOutline:
    """The outline of a piece."""
    return _PIECES[shape]


def reach_of(shapes: Sequence[HingeShape]) -> float:
    """How far from the first piece's centre the last joint can be, if corners beyond joints are left out."""
    first = _PIECES[shapes[0]]
    return first.right + sum(_PIECES[shape].right - _PIECES[shape].left for shape in shapes[1:])


def folded(shapes: Sequence[HingeShape], angles: Sequence[float]) -> tuple[Floats, ...]:
    """Where the pieces of a chain are after its hinges were turned.

    Parameters
    ----------
    shapes : sequence of HingeShape
        From the left to the right.
    angles : sequence of float
        By how much each hinge was turned in all, in radians, counter-clockwise; one fewer than there are pieces.

    Returns
    -------
    tuple of (N, 2) float64
        The corners of each piece, counter-clockwise.

    Raises
    ------
    ValueError
        If there is no piece, or there are more or fewer angles than hinges.
    """
    if not shapes or len(angles) != len(shapes) - 1:
        raise ValueError(f"{len(shapes)} pieces have {max(0, len(shapes) - 1)} hinges; {len(angles)} angles are given")
    placed = []
    joint, turn = np.zeros(2), 0.0
    for number, shape in enumerate(shapes):
        piece = _PIECES[shape]
        turn += angles[number - 1] if number else 0.0
        cos, sin = math.cos(turn), math.sin(turn)
        rotation = np.array([[cos, -sin], [sin, cos]])
        if number == 0:
            joint = np.array([piece.left, 0.0])  # so that the first piece is centred at the origin
        placed.append((np.array(piece.corners) - (piece.left, 0.0)) @ rotation.T + joint)
        joint = joint + rotation @ (piece.right - piece.left, 0.0)
    return tuple(placed)


@lru_cache(maxsize=256)
def silhouette(shapes: tuple[HingeShape, ...], angles: tuple[float, ...]) -> shapely.Geometry:
    """The union of the pieces; parameters and errors as of `folded`. Kept, for many answers are held against one."""
    return shapely.union_all([shapely.Polygon(corners) for corners in folded(shapes, angles)], grid_size=GRID)


@dataclass(frozen=True)
class SilhouetteOverlap:
    """How two silhouettes lie on each other: area of both over area of either, and the area of one alone."""

    iou: float
    apart: float

    @property
    def same(self) -> bool:
        """Whether they are one silhouette."""
        return self.apart < SAME_AREA


def compare(shapes: Sequence[HingeShape], angles: Sequence[float], target: Sequence[float]) -> SilhouetteOverlap:
    """How the silhouettes of a chain at two settings of its hinges lie on each other; as `folded`."""
    return _overlap(silhouette(tuple(shapes), tuple(angles)), silhouette(tuple(shapes), tuple(target)))


def overlap_of(
    pieces: Sequence[Sequence[tuple[float, float]]], shapes: Sequence[HingeShape], target: Sequence[float]
) -> SilhouetteOverlap:
    """How pieces that lie anywhere, by their corners, lie on the silhouette of a chain; as `compare`."""
    made = shapely.union_all([shapely.Polygon(corners) for corners in pieces], grid_size=GRID)
    return _overlap(made, silhouette(tuple(shapes), tuple(target)))


def _overlap(made: shapely.Geometry, wanted: shapely.Geometry) -> SilhouetteOverlap:
    if made == wanted:
        return SilhouetteOverlap(1.0, 0.0)
    both = made.intersection(wanted, grid_size=GRID).area
    either = made.area + wanted.area - both
    return SilhouetteOverlap(min(1.0, both / either), made.symmetric_difference(wanted, grid_size=GRID).area)
