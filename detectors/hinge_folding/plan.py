"""Where the pieces of a chain lie in a picture, pixel by pixel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.hinge_folding.config import ChainScanConfig
from detectors.hinge_folding.fits import joint_of
from detectors.hinge_folding.view import ChainView, Field, Floats
from puzzles.hinge_folding.chain import HingeShape, outline_of

Mask = NDArray[np.bool_]
_SUBPIXEL = 4  # not a threshold: bits of a pixel that OpenCV's corners have


@dataclass(frozen=True, eq=False)
class ChainPlan:
    """Where pieces lie, within the box that holds all of them.

    Attributes
    ----------
    box : rows and columns of the view
    pixels : the view's, there
    masks : of each piece
    covers : how many pieces lie over a pixel
    free : what is neither near to an edge nor to a hinge
    edges : what is near to an edge, as 1
    origin : column and row of the box in the view
    """

    box: tuple[slice, slice]
    pixels: Field
    masks: tuple[Mask, ...]
    covers: NDArray[np.uint8]
    free: Mask
    edges: NDArray[np.uint8]
    origin: tuple[int, int]


def corners_of(shape: HingeShape, pose: Floats, unit_px: float) -> Floats:
    """The corners of a piece in pixels, y down."""
    local = np.array(outline_of(shape).corners) * unit_px
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    return np.stack(
        [pose[0] + cos * local[:, 0] - sin * local[:, 1], pose[1] - sin * local[:, 0] - cos * local[:, 1]], axis=1
    )


def make_plan(
    view: ChainView,
    shapes: Sequence[HingeShape],
    poses: Floats,
    corners: Sequence[Floats],
    unit: float,
    config: ChainScanConfig,
) -> ChainPlan:
    """Lays out pieces by their corners in pixels of a view."""
    height, width = view.paint.shape
    every = np.concatenate(corners)
    pad = 2 + round(config.joint * unit)
    # At least a pixel of the view, so that what lies outside has an empty mask.
    left, top = (
        max(0, min(side - 1, int(low) - pad)) for side, low in zip((width, height), every.min(axis=0), strict=True)
    )
    right, bottom = (
        max(low + 1, min(side, int(high) + pad + 1))
        for side, low, high in zip((width, height), (left, top), every.max(axis=0), strict=True)
    )
    origin, size = np.array([left, top]), (bottom - top, right - left)
    placed = [one - origin for one in corners]
    masks = [_filled(one, size) for one in placed]
    edges = edge_zone(placed, size, 2 * config.zone * unit)
    busy = edges.copy()
    for number, pose in enumerate(poses):
        piece = outline_of(shapes[number])
        ends = ([piece.left] if number else []) + ([piece.right] if number < len(poses) - 1 else [])
        for end in ends:
            x, y = joint_of(pose, end, unit) - origin
            cv2.circle(busy, (round(float(x)), round(float(y))), max(1, round(config.joint * unit)), 1, -1)
    covers = np.zeros(size, np.uint8)
    for mask in masks:
        covers += mask
    box = (slice(top, bottom), slice(left, right))
    return ChainPlan(
        box, view.pixels[box], tuple(one.astype(bool) for one in masks), covers, busy == 0, edges, (left, top)
    )


def _filled(corners: Floats, size: tuple[int, int]) -> NDArray[np.uint8]:
    mask = np.zeros(size, np.uint8)
    fixed = np.rint((corners - 0.5) * 2**_SUBPIXEL).astype(np.int32)
    cv2.fillConvexPoly(mask, fixed, 1, shift=_SUBPIXEL)
    return mask


def edge_zone(corners: Sequence[Floats], size: tuple[int, int], width: float) -> NDArray[np.uint8]:
    """What is near to any piece's edge."""
    mask = np.zeros(size, np.uint8)
    fixed = [np.rint((one - 0.5) * 2**_SUBPIXEL).astype(np.int32) for one in corners]
    cv2.polylines(mask, fixed, True, 1, max(1, round(width)), shift=_SUBPIXEL)
    return mask
