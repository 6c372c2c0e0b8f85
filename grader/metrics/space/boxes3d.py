"""Oriented boxes in space, and exactly how much two of them overlap.

Boxes are as in GSI-Bench [1]_: a centre and full extents in metres in the camera's frame (+x right, +y down, +z
forward), and a rotation whose columns are the box's own axes; a corner is R (±w/2, ±h/2, ±l/2) + c.

Overlap is computed by one method, exact but for rounding. In the frame of box A, the lines along x that meet A pass
its (y, z) rectangle. A line enters the other box B through one face and leaves it through another, so

    |A and B| = sum over faces F of B of  integral over F of (clamp(x, -w/2, w/2) + w/2) n_x dS,

where F is cut to A's rectangle in (y, z), and n_x dS is its signed shadow on that plane. (It is the divergence theorem
for the field that has divergence 1 in A and 0 elsewhere.) Only faces of B are looked at, and the integrand is
continuous, so that nothing has to be decided about faces that coincide: a face of B in the plane of one of A's is
either clamped, or has no shadow. That is where clippers which count faces of both boxes go wrong. The IoU is off by
some 1e-16 times the ratio of the greatest extent of both boxes to the least, as the boxes' own numbers are.

References
----------
.. [1] "Exploring Spatial Intelligence from a Generative Perspective" (GSI-Bench), supplement, sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grader.metrics.space.box_clipping import above, cut
from grader.metrics.space.geometry_errors import GeometryError, GeometryFault
from grader.metrics.space.rotations import from_axis, from_matrix, matmul, read_numbers, transpose, yaw_of

Floats = NDArray[np.float64]
Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

LEAST_EXTENT_M: Final = 1e-9
"""A box that is thinner is taken to have no volume."""
MOST_M: Final = 1e9
"""Extents and coordinates go no farther, so that volumes neither overflow nor vanish."""
_CHUNK: Final = 2048
"""Pairs that are computed at a time: some 10 MB."""
_REACH: Final = 1 + 1e-9
_SIGNS: Final = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
"""The corners of a box, (8, 3); corner 4 a + 2 b + c has signs a, b and c."""
_FACES: Final = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
"""Corners of the faces, counter-clockwise seen from outside."""


@dataclass(frozen=True)
class OrientedBox:
    """One box.

    Attributes
    ----------
    center : x, y, z in metres
    size : full extents along its own axes, metres, more than zero
    rotation : rows of R; its columns are the box's own axes. What is given is replaced by the nearest rotation

    Raises
    ------
    GeometryError
        Naming ``center``, ``size`` or ``rotation``.
    """

    center: Vector
    size: Vector
    rotation: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

    def __post_init__(self) -> None:
        center, size = _center(self.center, "center"), _size(self.size, "size")
        rotation = from_matrix(self.rotation, "rotation")
        for field, value, shape in (("center", center, (3,)), ("size", size, (3,)), ("rotation", rotation, (3, 3))):
            if value.shape != shape:
                raise GeometryError(field, GeometryFault.WRONG_SHAPE, f"its shape is {value.shape}; give one box's")
        object.__setattr__(self, "center", tuple(center.tolist()))
        object.__setattr__(self, "size", tuple(size.tolist()))
        object.__setattr__(self, "rotation", tuple(map(tuple, rotation.tolist())))

    @property
    def matrix(self) -> Floats:
        """The rotation, (3, 3) float64."""
        return np.array(self.rotation, np.float64)

    @property
    def volume(self) -> float:
        """In cubic metres."""
        return self.size[0] * self.size[1] * self.size[2]

    def corners(self) -> Floats:
        """The corners, (8, 3) float64, metres."""
        return np.asarray(BoxArray.of([self]).corners()[0], np.float64)


def read_box(center: ArrayLike, size: ArrayLike, rotation: ArrayLike) -> OrientedBox:
    """A box of whatever holds numbers: lists, arrays, repeated fields; see `OrientedBox`."""
    return OrientedBox(center, size, rotation)  # type: ignore[arg-type]


def yaw_box(values: ArrayLike, field: str = "bbox_3d") -> OrientedBox:
    """A box of seven numbers x, y, z, w, h, l, yaw: it stands upright, R = R_y(yaw).

    Raises
    ------
    GeometryError
        Naming ``field``.
    """
    numbers = read_numbers(values, (7,), field)
    if numbers.shape != (7,):
        raise GeometryError(field, GeometryFault.WRONG_SHAPE, f"its shape is {numbers.shape}; give seven numbers")
    center, size = _center(numbers[:3], field), _size(numbers[3:6], field)
    return read_box(center, size, from_axis("y", numbers[6], field))


def upright(box: OrientedBox) -> OrientedBox:
    """The box with its yaw alone: what code sees of it that knows no other rotation."""
    return read_box(box.center, box.size, from_axis("y", yaw_of(box.matrix)))


def _center(values: ArrayLike, field: str) -> Floats:
    center = read_numbers(values, (3,), field)
    if (np.abs(center) > MOST_M).any():
        raise GeometryError(field, GeometryFault.OUT_OF_RANGE, f"a coordinate is beyond {MOST_M:g} m")
    return center


def _size(values: ArrayLike, field: str) -> Floats:
    size = read_numbers(values, (3,), field)
    if (size < LEAST_EXTENT_M).any():
        text = f"an extent is {size.min():.6g} m; a box has a volume, so each is at least {LEAST_EXTENT_M:g} m"
        raise GeometryError(field, GeometryFault.ZERO_SIZE, text)
    if (size > MOST_M).any():
        raise GeometryError(field, GeometryFault.OUT_OF_RANGE, f"an extent is beyond {MOST_M:g} m")
    return size


@dataclass(frozen=True, eq=False)
class BoxArray:
    """Many boxes.

    Attributes
    ----------
    centers, sizes : (N, 3) float64, as in `OrientedBox`
    rotations : (N, 3, 3) float64

    Raises
    ------
    GeometryError
        Naming ``centers``, ``sizes`` or ``rotations``.
    """

    centers: Floats
    sizes: Floats
    rotations: Floats

    def __post_init__(self) -> None:
        centers, sizes = _center(self.centers, "centers"), _size(self.sizes, "sizes")
        rotations = from_matrix(self.rotations, "rotations")
        if not (centers.ndim == 2 and sizes.shape == centers.shape and rotations.shape == (len(centers), 3, 3)):
            text = f"shapes are {centers.shape}, {sizes.shape}, {rotations.shape}; give (N, 3), (N, 3), (N, 3, 3)"
            raise GeometryError("centers", GeometryFault.WRONG_SHAPE, text)
        for name, value in (("centers", centers), ("sizes", sizes), ("rotations", rotations)):
            value.flags.writeable = False
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, boxes: Sequence[OrientedBox]) -> BoxArray:
        """Gathers boxes."""
        return cls(
            np.array([box.center for box in boxes], np.float64).reshape(-1, 3),
            np.array([box.size for box in boxes], np.float64).reshape(-1, 3),
            np.array([box.rotation for box in boxes], np.float64).reshape(-1, 3, 3),
        )

    def __len__(self) -> int:
        return len(self.centers)

    def corners(self) -> Floats:
        """The corners, (N, 8, 3) float64, metres."""
        half = _SIGNS * (0.5 * self.sizes[:, None, :])
        return self.centers[:, None, :] + _turned(self.rotations[:, None], half)

    @property
    def volumes(self) -> Floats:
        """(N,) float64, cubic metres."""
        return self.sizes[:, 0] * self.sizes[:, 1] * self.sizes[:, 2]


def _turned(rotations: Floats, vectors: Floats) -> Floats:
    """Products R v, of (..., 3, 3) and (..., 3)."""
    return (
        rotations[..., :, 0] * vectors[..., 0, None]
        + rotations[..., :, 1] * vectors[..., 1, None]
        + rotations[..., :, 2] * vectors[..., 2, None]
    )


@dataclass(frozen=True, eq=False)
class Overlaps:
    """How much pairs of boxes overlap, each (N,) float64.

    Attributes
    ----------
    intersection, union : cubic metres; the union is more than zero
    iou : intersection over union, 0 to 1
    """

    intersection: Floats
    union: Floats
    iou: Floats


def box_overlaps(one: BoxArray, other: BoxArray) -> Overlaps:
    """The overlap of each box with its counterpart.

    Parameters
    ----------
    one, other : BoxArray
        Of the same length.

    Returns
    -------
    Overlaps
        The same to the bit with the arguments exchanged, and whatever else is in the batch. Never above 1.

    Raises
    ------
    ValueError
        If the lengths differ.
    """
    if len(one) != len(other):
        raise ValueError(f"there are {len(one)} and {len(other)} boxes; give pairs")
    volumes, others = one.volumes, other.volumes
    intersection = np.zeros(len(one))
    # What is farther apart than its corners reach is apart; the factor keeps rounding out of the decision.
    reach = 0.5 * (_length(one.sizes) + _length(other.sizes)) * _REACH
    near = np.flatnonzero(_length(other.centers - one.centers) <= reach)
    for start in range(0, len(near), _CHUNK):
        part = near[start : start + _CHUNK]
        intersection[part] = _intersections(*_ordered(_pick(one, part), _pick(other, part)))
    intersection = np.clip(intersection, 0.0, np.minimum(volumes, others))
    union = np.maximum(volumes + others - intersection, np.maximum(volumes, others))
    return Overlaps(intersection, union, intersection / union)


def box_ious(one: BoxArray, other: BoxArray) -> Floats:
    """Intersection over union of each box with its counterpart, (N,) float64, 0 to 1; see `box_overlaps`."""
    return box_overlaps(one, other).iou


def box_iou(one: OrientedBox, other: OrientedBox) -> float:
    """Intersection over union of two boxes, 0 to 1.

    Examples
    --------
    >>> cube = OrientedBox((0.0, 0.0, 2.0), (1.0, 1.0, 1.0))
    >>> box_iou(cube, OrientedBox((0.5, 0.0, 2.0), (1.0, 1.0, 1.0))) == 0.5 / 1.5
    True
    """
    return float(box_ious(BoxArray.of([one]), BoxArray.of([other]))[0])


def iou_table(rows: Sequence[OrientedBox], columns: Sequence[OrientedBox]) -> Floats:
    """Intersection over union of every box with every other, (len(rows), len(columns)) float64."""
    first = BoxArray.of([row for row in rows for _ in columns])
    second = BoxArray.of([column for _ in rows for column in columns])
    return box_ious(first, second).reshape(len(rows), len(columns))


class _Boxes(NamedTuple):
    """Boxes that were checked: centers and sizes (N, 3), rotations (N, 3, 3)."""

    centers: Floats
    sizes: Floats
    rotations: Floats


def _pick(boxes: BoxArray, indices: NDArray[np.integer]) -> _Boxes:
    return _Boxes(boxes.centers[indices], boxes.sizes[indices], boxes.rotations[indices])


def _length(vectors: Floats) -> Floats:
    return np.asarray(np.sqrt(vectors[:, 0] ** 2 + vectors[:, 1] ** 2 + vectors[:, 2] ** 2), np.float64)


def _ordered(one: _Boxes, other: _Boxes) -> tuple[_Boxes, _Boxes]:
    """Each pair in an order that does not depend on how it was given: by its numbers."""
    ones, others = (np.concatenate([b.sizes, b.centers, b.rotations.reshape(-1, 9)], axis=1) for b in (one, other))
    rows, first = np.arange(len(ones)), np.argmax(ones != others, axis=1)
    swap = (ones[rows, first] > others[rows, first])[:, None]

    def choose(yes: _Boxes, no: _Boxes) -> _Boxes:
        return _Boxes(
            np.where(swap, yes.centers, no.centers),
            np.where(swap, yes.sizes, no.sizes),
            np.where(swap[:, :, None], yes.rotations, no.rotations),
        )

    return choose(other, one), choose(one, other)


def _intersections(frame: _Boxes, others: _Boxes) -> Floats:
    """The volumes that boxes share with their counterparts, (N,) float64; see the module's description."""
    to_frame = transpose(frame.rotations)
    half = 0.5 * frame.sizes
    corners = _SIGNS * (0.5 * others.sizes[:, None, :])
    corners = _turned(matmul(to_frame, others.rotations)[:, None], corners)
    corners += _turned(to_frame, others.centers - frame.centers)[:, None, :]
    # (3, 4, 6 N): faces of one box are N apart.
    polygons = np.concatenate([corners.transpose(2, 1, 0)[:, face] for face in _FACES], axis=2)
    pair = np.tile(np.arange(len(half)), len(_FACES))
    for axis in (1, 2):
        for sign in (1.0, -1.0):
            polygons, kept = cut(polygons, axis, half[pair, axis], sign)
            polygons, pair = polygons[:, :, kept], pair[kept]
    total = np.zeros(len(half))
    for sign in (-1.0, 1.0):
        # clamp(x, -h, h) + h is what x is above -h, less what it is above h.
        polygons, kept = cut(polygons, 0, -sign * half[pair, 0], -1.0)
        polygons, pair = polygons[:, :, kept], pair[kept]
        shares = above(polygons, sign * half[pair, 0])
        # bincount adds in the order of faces, so a pair's sum does not depend on the batch.
        total -= sign * np.bincount(pair, weights=shares, minlength=len(half))
    return total
