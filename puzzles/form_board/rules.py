"""What a form board is, and which of its pieces fill the silhouette: an exact cover by polygons that only slide."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import shapely

Point = tuple[float, float]
Corners = tuple[Point, ...]
Offset = tuple[float, float]
"""By how much a piece is moved from where it is given, (x, y)."""

MOST_PIECES: Final = 16
"""The most pieces of a board: all their sets are looked at."""
_GRID: Final = 1e-9
"""Areas are laid over each other on a grid of this share of their size.

Without one, GEOS 3.14 now and then takes edges that lie on one another to within rounding for something else, and calls
two areas that touch one inside the other.
"""
_MITRE: Final = 20.0
_ALIKE = (1.0, 0.1, 0.001)  # shares of what is near
_EXACT = 1e-6  # of coordinates that were not rounded
"""How far a sharp corner may reach when an area is made smaller and larger again, so that it stays what it was."""


@dataclass(frozen=True)
class FormPiece:
    """A piece: its label, and its corners in order, x to the right and y down."""

    label: str
    corners: Corners

    @cached_property
    def polygon(self) -> shapely.Polygon:
        """Its area."""
        return shapely.Polygon(self.corners)


@dataclass(frozen=True)
class FormBoard:
    """A silhouette with the pieces that are offered, all at one scale; pieces are neither turned nor scaled."""

    silhouette: Corners
    pieces: tuple[FormPiece, ...]

    @cached_property
    def polygon(self) -> shapely.Polygon:
        """The silhouette's area."""
        return shapely.Polygon(self.silhouette)

    @property
    def size(self) -> float:
        """The longer side of the silhouette's box."""
        left, top, right, bottom = self.polygon.bounds
        return float(max(right - left, bottom - top))


@dataclass(frozen=True)
class Tiling:
    """Pieces that fill the silhouette: of each label by how much the piece is moved."""

    offsets: Mapping[str, Offset]

    @property
    def labels(self) -> frozenset[str]:
        """The pieces."""
        return frozenset(self.offsets)


def tilings(board: FormBoard, slack: float = 1e-6, near: float = 1e-6, ways: int = 1) -> tuple[Tiling, ...]:
    """Every set of pieces that fills the silhouette without gap and overlap, with so many ways to lay each at most.

    The part that is still free has a corner that is highest, and leftmost among those; the piece that covers it has
    its own such corner there. So a set of pieces can be laid in few ways, and all of them are tried.

    Parameters
    ----------
    board : FormBoard
    slack : float
        Areas count as equal, and a piece as inside, up to this share of the silhouette's area.
    near : float
        Corners count as equally high within this share of the silhouette's size, and what is left free is nothing
        where it is not twice as wide.
    ways : int

    Raises
    ------
    ValueError
        If there are more than 16 pieces.
    """
    if len(board.pieces) > MOST_PIECES:
        raise ValueError(f"there are {len(board.pieces)} pieces; at most {MOST_PIECES} can be looked at")
    area = board.polygon.area
    found = []
    for chosen in sets_of_area(board.pieces, area, slack * area):
        # Corners that are nearly as high as another may be taken for another one's; then they have to be more alike.
        shares = _ALIKE if near > _EXACT else _ALIKE[:1]
        for share in shares:
            laid = _laid(board.polygon, chosen, slack * area, near * board.size, share)
            some = [Tiling(offsets) for offsets in itertools.islice(laid, ways)]
            found += some
            if some:
                break
    return tuple(found)


def sets_of_area(pieces: Sequence[FormPiece], area: float, slack: float) -> Iterator[tuple[FormPiece, ...]]:
    """The sets of pieces whose areas add up to one, within a slack of the same unit; smaller sets first."""
    areas = {piece.label: float(piece.polygon.area) for piece in pieces}
    for count in range(1, len(pieces) + 1):
        for chosen in itertools.combinations(pieces, count):
            if abs(sum(areas[piece.label] for piece in chosen) - area) <= slack:
                yield chosen


def moved(polygon: shapely.Polygon, offset: Offset) -> shapely.Polygon:
    """A polygon somewhere else."""
    return shapely.transform(polygon, lambda points: points + offset)


def area_without(one: shapely.Geometry, other: shapely.Geometry) -> float:
    """The area that one has and another has not."""
    return float(shapely.difference(one, other, grid_size=_grid(one)).area)


def shared_area(one: shapely.Geometry, other: shapely.Geometry) -> float:
    """The area that both have."""
    return float(shapely.intersection(one, other, grid_size=_grid(one)).area)


def _grid(area: shapely.Geometry) -> float:
    left, top, right, bottom = area.bounds
    return _GRID * float(max(right - left, bottom - top))


def _laid(
    free: shapely.Geometry, pieces: tuple[FormPiece, ...], slack: float, near: float, share: float
) -> Iterator[dict[str, Offset]]:
    """The ways in which pieces fill what is free. Corners are as high within a share of what is near."""
    if not pieces or free.area <= slack:
        if not pieces and free.area <= slack:
            yield {}
        return
    corner = _first(free, share * near)
    for place, piece in enumerate(pieces):
        own = _first(piece.polygon, share * near)
        offset = (corner[0] - own[0], corner[1] - own[1])
        laid = moved(piece.polygon, offset)
        if area_without(laid, free) > slack:
            continue
        rest = _opened(shapely.difference(free, laid, grid_size=_grid(free)), near)
        for others in _laid(rest, pieces[:place] + pieces[place + 1 :], slack, near, share):
            yield {piece.label: offset} | others


def _opened(rest: shapely.Geometry, near: float) -> shapely.Geometry:
    """What is left, without what is so thin that only rounding left it."""
    with np.errstate(divide="ignore", invalid="ignore"):  # of edges that vanish
        thinner = rest.buffer(-near, join_style="mitre", mitre_limit=_MITRE)
        return thinner.buffer(near, join_style="mitre", mitre_limit=_MITRE)


def _first(area: shapely.Geometry, near: float) -> Point:
    """The highest corner, and the leftmost among those."""
    points = shapely.get_coordinates(area)
    highest = points[points[:, 1] <= points[:, 1].min() + near]
    x, y = highest[highest[:, 0].argmin()]
    return float(x), float(y)
