"""What a detector of boxes is told and what it finds: plain frozen data, in the camera's frame.

Frame: x right, y down, z forward, metres. A box has full extents (w, h, l) along its local x, y and z, which are the
columns of its rotation. Points of the picture are (x, y) pixels; the pixel in column i and row j has its middle at
(i + 0.5, j + 0.5), so that (0, 0) and (width, height) are corners of the picture.
"""

from __future__ import annotations

import enum
import itertools
import math
from dataclasses import dataclass

import numpy as np

Vector = tuple[float, float, float]
Rotation = tuple[Vector, Vector, Vector]
Pixel = tuple[float, float]

_UNIT = 1e-6  # not a threshold: rounding; how far a normal may be from unit length


@dataclass(frozen=True)
class FoundBox:
    """An oriented box: centre, full extents (w, h, l) and the three rows of the rotation."""

    center: Vector
    size: Vector
    rotation: Rotation


@dataclass(frozen=True)
class BoxView:
    """The camera's intrinsics and the size of the picture they hold for, all in pixels.

    Raises
    ------
    ValueError
        If a number is not finite, or a focal length or the size is not positive.
    """

    focal_x: float
    focal_y: float
    center_x: float
    center_y: float
    width: int
    height: int

    def __post_init__(self) -> None:
        numbers = (self.focal_x, self.focal_y, self.center_x, self.center_y)
        if not all(map(math.isfinite, numbers)) or min(self.focal_x, self.focal_y, self.width, self.height) <= 0:
            raise ValueError(f"no intrinsics: {self}")

    @staticmethod
    def of(intrinsics: Rotation, width: int, height: int) -> BoxView:
        """Takes the numbers from the rows of K; what K holds besides focal lengths and principal point must be zero."""
        (fx, skew, cx), (zero, fy, cy), last = intrinsics
        if skew != 0 or zero != 0 or tuple(last) != (0, 0, 1):
            raise ValueError(f"intrinsics with skew or another last row are not supported: {intrinsics}")
        return BoxView(float(fx), float(fy), float(cx), float(cy), width, height)


@dataclass(frozen=True)
class TablePlane:
    """The plane that boxes stand on: all p with ``normal . p = offset``; the normal points up, with unit length.

    Raises
    ------
    ValueError
        If the normal has another length, a number is not finite, or the camera is not above the plane.
    """

    normal: Vector
    offset: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.offset) or not abs(math.hypot(*self.normal) - 1) <= _UNIT:
            raise ValueError(f"a plane needs a normal of unit length and a finite offset, not {self}")
        if self.offset >= 0:
            raise ValueError("the camera must be above the table: the offset of a normal that points up is negative")

    @staticmethod
    def under(box: FoundBox) -> TablePlane:
        """Returns the plane that an upright box stands on: its local y points down, out of the face it stands on."""
        down = np.array(box.rotation)[:, 1]
        foot = np.array(box.center) + down * (box.size[1] / 2)
        x, y, z = (float(-number) for number in down)
        return TablePlane((x, y, z), float(-(down * foot).sum()))


@dataclass(frozen=True)
class BoxKind:
    """What boxes to look for.

    Attributes
    ----------
    label
        What they are called.
    color
        RGB of their paint, 0 to 255; it must have a hue.
    size
        Extents (w, h, l) in metres, or ``None`` if the picture shall tell.
    rotation
        One that such a box had before. Among the rotations that look the same, the nearest to it is reported. ``None``
        for the rule of `FoundBox` in `BoxFinding`.
    twins
        Boxes of this kind that stood there before, where the picture shall tell the extents of another one: what looks
        like one box may be one of them with that.

    Raises
    ------
    ValueError
        If an extent is not positive and finite.
    """

    label: str
    color: tuple[int, int, int]
    size: Vector | None = None
    rotation: Rotation | None = None
    twins: tuple[FoundBox, ...] = ()

    def __post_init__(self) -> None:
        if self.size is not None and not all(0 < extent < math.inf for extent in self.size):
            raise ValueError(f"extents must be positive, not {self.size}")


class SizeSource(enum.Enum):
    """Where a box's extents come from: what the caller said, or the picture and the table it stands on."""

    GIVEN = "given"
    PICTURE = "picture"


@dataclass(frozen=True)
class BoxFinding:
    """A box that was found.

    Attributes
    ----------
    label
        Of its kind.
    box
        Centre, extents and rotation. A box looks the same after half a turn about any local axis, and after a quarter
        turn where two extents are equal. The local y points down. Of the turns about it that look the same, that with
        the local x nearest to the picture's right is reported: the yaw against the camera's level axis is in
        [-pi/2, pi/2), or in [-pi/4, pi/4) if the footprint is square or its extents are not known. Where the kind has a
        size that does not fit, its axes are named so that the extents come nearest to multiples of it. Where the kind
        has a rotation of before, the names nearest to that are reported instead of all this.
    confidence
        0 to 1: how much of what should be seen is seen, and where it should be. Below about 0.5 do not rely on it.
    size_source
        Where the extents come from.
    bounds
        (left, top, right, bottom) of the eight corners, in pixels; it may go beyond the picture.
    corners
        The pixels of the corners that are turned to the camera and that no other box hides.
    visible
        Share of the outline that no other box and no edge of the picture hides, 0 to 1.
    fit
        0 to 1: how much of its outline and edges, and of its pixels, is where it should be, whatever hides it. Below
        0.85 or so it has another shape than a box.
    paint
        Share of the paint's chroma that it has, 0 to 1. Well below 1 for a box that one can see through, as is left
        where something was not wholly removed.
    """

    label: str
    box: FoundBox
    confidence: float
    size_source: SizeSource
    bounds: tuple[float, float, float, float]
    corners: tuple[Pixel, ...]
    visible: float
    fit: float
    paint: float


@dataclass(frozen=True)
class BoxFindings:
    """All boxes that were found, by label in the order of the catalogue, then from left to right."""

    boxes: tuple[BoxFinding, ...]

    def of(self, label: str) -> tuple[BoxFinding, ...]:
        """Returns those of a label."""
        return tuple(found for found in self.boxes if found.label == label)


def same_looking(box: FoundBox, equal: float) -> tuple[FoundBox, ...]:
    """Returns all boxes that are the same solid: other names for its axes, with extents renamed alike.

    Only such are given whose extents, axis by axis, differ from the box's by at most the share ``equal``; with an
    infinite ``equal`` it is all 24. The box itself comes first.
    """
    columns = np.array(box.rotation)
    found = []
    for order in itertools.permutations(range(3)):
        size = (box.size[order[0]], box.size[order[1]], box.size[order[2]])
        if any(abs(one - other) > equal * max(one, other) for one, other in zip(size, box.size, strict=True)):
            continue
        for signs in itertools.product((1.0, -1.0), repeat=3):
            turned = columns[:, list(order)] * np.array(signs)
            if np.linalg.det(turned) > 0:
                first, second, third = ((float(row[0]), float(row[1]), float(row[2])) for row in turned)
                found.append(FoundBox(box.center, size, (first, second, third)))
    return tuple(found)
