"""What each pixel of a picture of boxes on a table shows, and what of it the lamp sees. Frames as in `findings`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.findings import BoxView, FoundBox, TablePlane

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.int16]

NOTHING = -1  # not a threshold: what a pixel shows that shows no box
_TINY = 1e-9  # not a threshold: guards a division
_FAR_M = 1e6  # not a threshold: where rays meet a table that they never meet
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
        near, far, first = _slabs(np.zeros(3, np.float32), rays.reshape(-1, 3), one)
        hit = ((near <= far) & (near > 0)).reshape(depth.shape) & (near.reshape(depth.shape) < nearest)
        nearest[hit] = near.reshape(depth.shape)[hit]
        box[hit] = index
        face[hit] = first.reshape(depth.shape)[hit]
    points = np.where((box >= 0)[..., None], rays * np.where(box >= 0, nearest, 0)[..., None], ground)
    return Surfaces(box, face, np.asarray(points, np.float32), np.asarray(ground, np.float32))


def _slabs(start: Floats, ways: Floats, box: FoundBox) -> tuple[Floats, Floats, Numbers]:
    """Returns where rays, (n, 3), enter and leave a box, and through which face they enter."""
    axes = np.array(box.rotation, np.float32)
    offset = np.einsum("i,ij->j", start - np.array(box.center, np.float32), axes)
    slopes = _sloped(np.einsum("ni,ij->nj", ways, axes))
    half = np.array(box.size, np.float32) / 2
    one, other = (-half - offset) / slopes, (half - offset) / slopes
    into = np.minimum(one, other)
    axis = into.argmax(axis=1)
    first = 2 * axis + (slopes[np.arange(len(axis)), axis] < 0)
    return into.max(axis=1), np.maximum(one, other).min(axis=1), np.asarray(first, np.int16)


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
        places = tuple(
            np.einsum("ni,ij->jn", flat - np.array(one.center, np.float32), np.array(one.rotation, np.float32))
            for one in boxes
        )
        return Shade(places, tuple(boxes), points.shape[:-1])

    def hidden(self, toward: NDArray[np.float64]) -> Flags:
        """Tells which points a box hides from a lamp far away in this direction."""
        hidden = np.zeros(int(np.prod(self.shape)), np.bool_)
        for place, one in zip(self.places, self.boxes, strict=True):
            slopes = _sloped(np.einsum("i,ij->j", np.asarray(toward, np.float32), np.array(one.rotation, np.float32)))
            near, far = np.full(hidden.shape, -np.inf, np.float32), np.full(hidden.shape, np.inf, np.float32)
            for offset, slope, extent in zip(place, slopes, one.size, strict=True):
                middle, reach = -offset / slope, np.float32(abs(extent / 2 / slope))
                near, far = np.maximum(near, middle - reach), np.minimum(far, middle + reach)
            hidden |= (near <= far) & (far > _OFF) & (near > -_OFF)
        return hidden.reshape(self.shape)


def near_boxes(ground: Floats, boxes: Sequence[FoundBox], times: float) -> Flags:
    """Tells which points, (..., 3), are near to boxes, by times their longest extents."""
    near = np.zeros(ground.shape[:-1], np.bool_)
    for one in boxes:
        away = ((ground - np.array(one.center, np.float32)) ** 2).sum(axis=-1)
        near |= away < (times * max(one.size)) ** 2
    return near
