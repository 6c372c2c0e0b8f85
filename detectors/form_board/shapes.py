"""Outlines and masks: what pieces are described by, in a puzzle and in pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_medians, colors_within

Points = NDArray[np.float64]
Outline = NDArray[np.float64]
"""Corners in order, (k, 2), x and y in pixels; pixel (0, 0) covers 0 to 1."""
Mask = NDArray[np.bool_]
MASK_PX = 5  # not a threshold: the side of OpenCV's larger mask for distances
SIDES = 4  # not a threshold: pixels that share a side hang together
CORNERS = 8  # not a threshold: so do those that share a corner
_FINE_BITS = 4  # not a threshold: OpenCV's fixed point


@dataclass(frozen=True, eq=False)
class PieceShape:
    """An outline with what it is compared by, each computed once: corners in order, (k, 2), x and y in pixels."""

    corners: Outline

    @cached_property
    def size(self) -> float:
        """The area within."""
        return area_of(self.corners)

    @cached_property
    def extent(self) -> tuple[float, float]:
        """Width and height."""
        wide, high = np.ptp(self.corners, axis=0).tolist()
        return wide, high

    @cached_property
    def along(self) -> Points:
        """From each corner to the next one."""
        return np.concatenate([self.corners[1:], self.corners[:1]]) - self.corners

    @cached_property
    def lengths(self) -> NDArray[np.float64]:
        """Of its edges."""
        return np.hypot(self.along[:, 0], self.along[:, 1])

    @cached_property
    def normals(self) -> Points:
        """Across each edge, of length 1."""
        return np.stack([-self.along[:, 1], self.along[:, 0]], axis=1) / self.lengths[:, None]

    @cached_property
    def box_middle(self) -> Points:
        """The middle of its box."""
        return np.asarray((self.corners.min(axis=0) + self.corners.max(axis=0)) / 2, np.float64)

    @cached_property
    def centroid(self) -> Points:
        """Of the area within."""
        (x, y), (to_x, to_y) = self.corners.T, (self.corners + self.along).T
        cross = x * to_y - to_x * y
        sums = np.array([((x + to_x) * cross).sum(), ((y + to_y) * cross).sum()])
        return np.asarray(sums / (3.0 * cross.sum()), np.float64)

    def points(self, count: int) -> Points:
        """So many points along it, evenly."""
        closed = np.concatenate([self.corners, self.corners[:1]])
        ends = np.concatenate([[0.0], np.cumsum(self.lengths)])
        stops = np.linspace(0.0, ends[-1], count, endpoint=False)
        return np.stack([np.interp(stops, ends, closed[:, axis]) for axis in (0, 1)], axis=1)


def area_of(outline: Outline) -> float:
    """The area within an outline."""
    x, y = outline.T
    to_x, to_y = np.concatenate([outline[1:], outline[:1]]).T
    return float(abs((x * to_y - y * to_x).sum()) / 2)


def filled(outline: Outline, size: tuple[int, int]) -> Mask:
    """The pixels within an outline, (H, W) bool."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    # OpenCV counts from the middle of a pixel.
    corners = np.rint((outline - 0.5) * (1 << _FINE_BITS)).astype(np.int32)
    cv2.fillPoly(mask, [corners.reshape(-1, 1, 2)], 1, cv2.LINE_8, _FINE_BITS)
    return mask.view(np.bool_)


def depth_of(mask: Mask) -> NDArray[np.float32]:
    """How far within a mask each pixel is; what lies outside of the picture is not in it."""
    padded = cv2.copyMakeBorder(mask.view(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    return np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, MASK_PX)[1:-1, 1:-1], np.float32)


def color_of(lab: NDArray[np.float32], depth: NDArray[np.float32]) -> NDArray[np.float32]:
    """The colour of most of what lies deep in an area; black where there is none."""
    deep = depth > depth.max() / 2
    return channel_medians(colors_within(lab, deep)) if deep.any() else np.zeros(3, np.float32)


def ring_of(depth: NDArray[np.float32], from_px: float) -> Mask:
    """What lies between one depth and a pixel more."""
    return np.asarray((depth > from_px) & (depth <= from_px + 1), np.bool_)


def wider(mask: Mask, by: float) -> Mask:
    """A mask widened by so many pixels, and one at least, in all directions."""
    reach = max(1, round(by))
    return cv2.dilate(mask.astype(np.uint8), np.ones((2 * reach + 1,) * 2, np.uint8)).astype(np.bool_)
