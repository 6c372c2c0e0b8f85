"""What each pixel of a picture of boxes on a table shows, and what of it the lamp sees. Frames as in `findings`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_sums
from detectors.spatial_edit.boxes.findings import BoxView, FoundBox, TablePlane

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int16]

NOTHING = -1  # not a threshold: what a pixel shows that shows no box
_TINY = 1e-9  # not a threshold: guards a division
_FAR_M = 1e6  # not a threshold: where rays meet a table that they never meet
_CLOSE_M = 1e-3  # not a threshold: guards a division by depth
_OFF = 1e-4  # not a threshold: metres by which a surface is left before it can hide the lamp from itself
FACES = 6  # not a threshold: of a box


@dataclass(frozen=True, eq=False)
class Surfaces:
    """What pixels show.

    Attributes
    ----------
    box : (H, W) int16, index of the box, `NOTHING` for none
    face : (H, W) int16, which of its faces: twice the axis, and one more on its far side; of no box `NOTHING`
    points : (H, W, 3) float32, where that is in space, m; of no box, on the table
    ground : (H, W, 3) float32, where the table would be
    """

    box: Numbers
    face: Numbers
    points: Floats
    ground: Floats


def rays_of(view: BoxView) -> Floats:
    """Returns the directions of pixels, (H, W, 3), with z = 1."""
    across = (np.arange(view.width, dtype=np.float32) + np.float32(0.5 - view.center_x)) / np.float32(view.focal_x)
    down = (np.arange(view.height, dtype=np.float32) + np.float32(0.5 - view.center_y)) / np.float32(view.focal_y)
    rays = np.ones((view.height, view.width, 3), np.float32)
    rays[..., 0], rays[..., 1] = across[None, :], down[:, None]
    return rays


def seen_surfaces(view: BoxView, boxes: Sequence[FoundBox], plane: TablePlane) -> Surfaces:
    """Tells what each pixel shows."""
    rays = rays_of(view)
    normal = np.array(plane.normal, np.float32)
    falls = np.einsum("hwi,i->hw", rays, normal)
    # Above the horizon the table is far away.
    depth = np.where(falls < -_TINY, np.float32(plane.offset) / np.minimum(falls, -_TINY), np.float32(_FAR_M))
    ground = rays * depth[..., None]
    box = np.full(depth.shape, NOTHING, np.int16)
    face = np.full(depth.shape, NOTHING, np.int16)
    nearest = np.full(depth.shape, np.inf, np.float32)
    for index, one in enumerate(boxes):
        part = _bounds(view, one)
        shape = depth[part].shape
        near, far, first = _slabs(np.zeros(3, np.float32), rays[part].reshape(-1, 3), one)
        hit = ((near <= far) & (near > 0)).reshape(shape) & (near.reshape(shape) < nearest[part])
        nearest[part][hit] = near.reshape(shape)[hit]
        box[part][hit] = index
        face[part][hit] = first.reshape(shape)[hit]
    points = np.where((box >= 0)[..., None], rays * np.where(box >= 0, nearest, 0)[..., None], ground)
    return Surfaces(box, face, np.asarray(points, np.float32), np.asarray(ground, np.float32))


def _bounds(view: BoxView, box: FoundBox) -> tuple[slice, slice]:
    """Returns rows and columns of a picture between which a box is seen; all where one of its corners is too close."""
    axes, signs = np.array(box.rotation), np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
    corners = np.array(box.center) + ((signs * np.array(box.size))[:, None] * axes).sum(axis=2)
    if float(corners[:, 2].min()) <= _CLOSE_M:
        return slice(0, view.height), slice(0, view.width)
    # A pixel more on each side for what rounds.
    across = view.center_x + view.focal_x * corners[:, 0] / corners[:, 2]
    down = view.center_y + view.focal_y * corners[:, 1] / corners[:, 2]
    (top, bottom), (left, right) = (
        (max(0, math.floor(max(one.min(), -1.0)) - 1), math.ceil(max(one.max(), -1.0)) + 2) for one in (down, across)
    )
    return slice(top, min(bottom, view.height)), slice(left, min(right, view.width))


def _slabs(start: Floats, ways: Floats, box: FoundBox) -> tuple[Floats, Floats, Numbers]:
    """Returns where rays, (n, 3), enter and leave a box, and through which face they enter."""
    axes = np.array(box.rotation, np.float32)
    offset = np.einsum("i,ij->j", start - np.array(box.center, np.float32), axes)
    # One row an axis: over three numbers that lie side by side NumPy's least and most take ten times as long.
    slopes = np.ascontiguousarray(_sloped(np.einsum("ni,ij->nj", ways, axes)).T)
    half = np.array(box.size, np.float32) / 2
    one, other = (-half - offset)[:, None] / slopes, (half - offset)[:, None] / slopes
    into, out = np.minimum(one, other), np.maximum(one, other)
    axis = (into[1] > into[0]).astype(np.int16)
    nearer = np.maximum(into[0], into[1])
    axis[into[2] > nearer] = 2
    back = np.where(axis == 0, slopes[0], np.where(axis == 1, slopes[1], slopes[2])) < 0
    return np.maximum(nearer, into[2]), np.minimum(np.minimum(out[0], out[1]), out[2]), 2 * axis + back


def _sloped(slopes: Floats) -> Floats:
    return np.where(np.abs(slopes) < _TINY, np.float32(_TINY), slopes)


def normal_of(box: FoundBox, face: int) -> NDArray[np.float64]:
    """Returns the outward normal of a face."""
    column = np.array(box.rotation)[:, face // 2]
    return np.asarray(column if face % 2 else -column)


@dataclass(frozen=True, eq=False)
class Shade:
    """Points, in the frames of the boxes that may hide the lamp from them."""

    places: tuple[Floats, ...]
    boxes: tuple[FoundBox, ...]
    shape: tuple[int, ...]

    @staticmethod
    def of(points: Floats, boxes: Sequence[FoundBox]) -> Shade:
        """Takes points, (..., 3)."""
        flat = points.reshape(-1, 3)
        places = []
        for one in boxes:
            # Each axis by itself, side by side: einsum leaves them apart, and takes several times as long.
            off = np.ascontiguousarray((flat - np.array(one.center, np.float32)).T)
            turn = np.array(one.rotation, np.float32)
            places.append(np.stack([off[0] * x + off[1] * y + off[2] * z for x, y, z in turn.T]))
        return Shade(tuple(places), tuple(boxes), points.shape[:-1])

    def hidden(self, toward: NDArray[np.float64]) -> Flags:
        """Tells which points a box hides from a lamp far away in this direction."""
        hidden = np.zeros(int(np.prod(self.shape)), np.bool_)
        # A lamp is looked for in hundreds of directions, and to make arrays takes longer than to fill them.
        middle, edge, near, far = np.empty((4, hidden.size), np.float32)  # not a threshold: arrays
        for place, one in zip(self.places, self.boxes, strict=True):
            slopes = _sloped(np.einsum("i,ij->j", np.asarray(toward, np.float32), np.array(one.rotation, np.float32)))
            for axis, (offset, slope, extent) in enumerate(zip(place, slopes, one.size, strict=True)):
                reach = np.float32(abs(extent / 2 / slope))
                np.divide(offset, -slope, out=middle)
                np.subtract(middle, reach, out=edge if axis else near)
                np.add(middle, reach, out=middle if axis else far)
                if axis:
                    np.maximum(near, edge, out=near)
                    np.minimum(far, middle, out=far)
            hidden |= (near <= far) & (far > _OFF) & (near > -_OFF)
        return hidden.reshape(self.shape)


def near_boxes(ground: Floats, boxes: Sequence[FoundBox], times: float) -> Flags:
    """Tells which points, (..., 3), are near to boxes, by times their longest extents."""
    near = np.zeros(ground.shape[:-1], np.bool_)
    for one in boxes:
        away = channel_sums((ground - np.array(one.center, np.float32)) ** 2)
        near |= away < (times * max(one.size)) ** 2
    return near
