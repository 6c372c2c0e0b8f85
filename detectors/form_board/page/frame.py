"""What of a page is known before an answer is looked at: where what is given lies on it, at two sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import distance_to
from detectors.form_board.shapes import Mask, Outline, area_of, depth_of, filled, ring_of, wider


@dataclass(frozen=True, eq=False)
class PageFrame:
    """The whole picture at the size at which the silhouette is looked at.

    Attributes
    ----------
    size : width and height
    scale : pixels of the puzzle's picture for one of these
    area : of the silhouette
    outside : (h, w) float32, how far from the silhouette
    printed : (h, w) bool, what is drawn in the puzzle's picture and is no piece, with some room: labels
    pieces : by label where they are given: with some room, deeper in them than that, and their rims, (h, w) bool
    free : flat positions of pixels that show paper in the puzzle's picture
    """

    size: tuple[int, int]
    scale: float
    area: float
    outside: NDArray[np.float32]
    printed: Mask
    pieces: Mapping[str, tuple[Mask, Mask, Mask]]
    free: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class GlanceFrame:
    """The whole picture at half the size of a view.

    Attributes
    ----------
    size : width and height
    outside : (h, w) float32, how far from the silhouette, in these pixels
    bare : (h, w) bool, neither pieces as they are given nor labels, each with some room
    pieces : the window of each piece as it is given, and in it the piece with its line and without it, (h, w) bool
    free : flat positions of some pixels that show paper in the puzzle's picture
    """

    size: tuple[int, int]
    outside: NDArray[np.float32]
    bare: Mask
    pieces: tuple[tuple[tuple[slice, slice], Mask, Mask], ...]
    free: NDArray[np.intp]


def frame_page(
    silhouette: Outline, pieces: Mapping[str, Outline], printed: Mask, room: float, size: tuple[int, int]
) -> PageFrame:
    """Where what is given lies on a page of a (width, height).

    Parameters
    ----------
    silhouette : ndarray of shape (k, 2)
    pieces : mapping of label to ndarray of shape (k, 2)
    printed : (H, W) bool
        Labels.
    room : float
        How far what is given may be displaced. All of these in pixels of the puzzle's picture.
    size : (width, height)
    """
    scale = printed.shape[1] / size[0]
    room /= scale
    within = filled(silhouette / scale, size)
    given = wider(_reduced(printed, scale, size), room)
    laid: dict[str, tuple[Mask, Mask, Mask]] = {}
    taken = given | wider(within, 2 * room)
    for label, corners in pieces.items():
        own = filled(corners / scale, size)
        depth = depth_of(own)
        laid[label] = wider(own, room), np.asarray(depth > room, np.bool_), ring_of(depth, 0.0)
        taken = taken | laid[label][0]
    return PageFrame(
        size, scale, area_of(silhouette) / scale**2, distance_to(within), given, laid, np.flatnonzero(~taken)
    )


def frame_glance(
    silhouette: Outline,
    pieces: Mapping[str, Outline],
    printed: Mask,
    room: float,
    line: float,
    factor: int,
) -> GlanceFrame:
    """The same for a glance.

    Parameters
    ----------
    silhouette, pieces, printed, room
        As for `frame_page`.
    line : float
        How far lines of pieces reach, in the same pixels.
    factor : int
        So many of them are one of the glance.
    """
    size = -(-printed.shape[1] // factor), -(-printed.shape[0] // factor)
    outside = distance_to(filled(silhouette / factor, size))
    bare = ~wider(_reduced(printed, factor, size), room / factor)
    smear = line / factor + 2.0  # not a threshold: lines smear by so much
    laid = []
    for corners in pieces.values():
        within = filled(corners / factor, size)
        own, depth = wider(within, smear), depth_of(within)
        left, top, wide, high = cv2.boundingRect(own.view(np.uint8))
        window = slice(top, top + high), slice(left, left + wide)
        inner = depth[window] > min(smear, float(depth.max()) / 2)  # not a threshold: half of the way in
        laid.append((window, np.ascontiguousarray(own[window]), np.asarray(inner, np.bool_)))
    for window, own, _ in laid:
        bare[window] &= ~own
    free = np.flatnonzero(bare & (outside > 2 * room / factor))
    # not a threshold: so many will do for a median
    return GlanceFrame(size, outside, np.asarray(bare, np.bool_), tuple(laid), free[:: max(1, free.size // 1000)])


def _reduced(printed: Mask, scale: float, size: tuple[int, int]) -> Mask:
    """Whatever of a pixel of a smaller (width, height) is drawn."""
    small = cv2.resize(wider(printed, scale).view(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    return np.asarray(small > 0, np.bool_)
