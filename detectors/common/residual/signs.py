"""Signs in a picture's corners, a watermark, say: told by what they look like, for a mark may lie there, too."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import lengths


@dataclass(frozen=True)
class SignConfig:
    """What is told to be a sign in a corner of the picture.

    Attributes
    ----------
    visible, noisy, weak : what shows over 3 x 3 pixels at this contrast, at so many times the noise of one, and at this
        share of the most that shows in any corner hangs together
    joined : gaps of up to this share of the picture's smaller side part letters of one sign
    inside : this share of what shows of it lies in the corner...
    width, height : ...and it is at most this share of the picture's sides wide and high
    filled : it fills at most this share of its convex hull, as letters and sparkles do; a disc, a bar, or a painted
        cell fills it all...
    soft, edge : ...or, by how plain it is, at most this share of the hull of what is at least this share as plain as
        its plainest pixel: a small sparkle has a peak, and a disc none
    grained : what it fills is told over 3 x 3 pixels where the noise is more than this share of the most that shows
    most : there are at most so many
    """

    visible: float = 0.01
    noisy: float = 2.0
    weak: float = 0.25
    joined: float = 0.012
    inside: float = 0.9
    width: float = 0.2
    height: float = 0.1
    filled: float = 0.78
    soft: float = 0.0
    edge: float = 0.2
    grained: float = 0.1
    most: int = 2


def signs(
    values: NDArray[np.float32], corners: NDArray[np.bool_], noise: float, config: SignConfig
) -> NDArray[np.bool_]:
    """Where signs lie, with a rim of half the gaps between their letters.

    Parameters
    ----------
    values : ndarray of shape (h, w, 3), float32
        What neither the puzzle nor the answer explains, in the colours of `seen`; 0 where nothing is told.
    corners : ndarray of shape (h, w), bool
        Where signs may lie.
    noise : float
        Of the contrast where nothing is.
    config : SignConfig

    Returns
    -------
    ndarray of shape (h, w), bool
    """
    contrast = lengths(np.asarray(cv2.blur(values, (3, 3)), np.float32))  # not a threshold: a pixel's neighbours
    found = np.zeros(contrast.shape, np.bool_)
    least = max(config.visible, config.noisy * noise, config.weak * float(contrast[corners].max(initial=0.0)))
    shown = contrast > least
    if not (shown & corners).any():
        return found
    height, width = contrast.shape
    near = np.ones((max(1, round(config.joined * min(height, width))) | 1,) * 2, np.uint8)
    # not a threshold: a pixel's neighbours
    _, groups, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(shown.view(np.uint8), near), connectivity=8)
    count = 0
    for group in np.unique(groups[shown & corners]).tolist():
        left, top, wide, high = stats[group, : cv2.CC_STAT_AREA].tolist()
        box = slice(top, top + high), slice(left, left + wide)
        own = np.where(groups[box] == group, contrast[box], np.float32(0.0))
        sharp = own
        if noise < config.grained * float(own.max()):
            sharp = np.where(groups[box] == group, lengths(values[box]), np.float32(0.0))
        inside = float(own[corners[box]].sum()) >= config.inside * float(own.sum())
        small = wide <= config.width * width + len(near) and high <= config.height * height + len(near)
        if inside and small and _is_open(sharp, config):
            found[box] |= groups[box] == group
            count += 1
    return found if count <= config.most else np.zeros(contrast.shape, np.bool_)


def corners_of(shape: tuple[int, ...], width: float, height: float) -> NDArray[np.bool_]:
    """(h, w) bool, the corners of a picture of some shape, so wide and high, in shares of its sides."""
    wide, high = round(width * shape[1]), round(height * shape[0])
    found = np.zeros(shape, np.bool_)
    for rows in (slice(0, high), slice(shape[0] - high, shape[0])):
        for columns in (slice(0, wide), slice(shape[1] - wide, shape[1])):
            found[rows, columns] = True
    return found


def _is_open(contrast: NDArray[np.float32], config: SignConfig) -> bool:
    """Whether something leaves much of its convex hull empty."""
    most = float(contrast.max())
    # not a threshold: where a soft edge is half as strong; of a letter that lies near a wall less is left
    for share in (0.5, config.weak):
        shown = contrast > share * most
        if np.count_nonzero(shown) <= config.filled * _hull_area(shown):
            return True
    return float(contrast.sum()) <= config.soft * most * _hull_area(contrast > config.edge * most)


def _hull_area(shown: NDArray[np.bool_]) -> float:
    """The area of the convex hull of pixels, which are squares."""
    rows, columns = np.nonzero(shown)
    corners = np.concatenate([np.column_stack([columns + x, rows + y]) for x in (0, 1) for y in (0, 1)])
    return float(cv2.contourArea(cv2.convexHull(corners.astype(np.float32))))
