"""Whether a puzzle's picture of a sheet can be what it is said to be: its outline is there, and no hole is yet."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_maxima, lengths, seen
from detectors.paper_fold.config import PlausibleConfig

Points = Sequence[tuple[float, float]]
_FIXED = 4  # not a threshold: bits of a fraction of a pixel, for OpenCV


def edges_seen(picture: NDArray[np.uint8], outline: Points, config: PlausibleConfig) -> list[bool | None]:
    """Whether each edge of an outline is seen; None where it lies at the picture's own edge.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    outline : sequence of (x, y)
        Corners in pixels.
    config : PlausibleConfig
    """
    lab = cv2.GaussianBlur(seen(picture), (0, 0), config.smooth_px)
    reach = 2 * max(config.reach_px, round(config.reach * max(lab.shape[:2]))) + 1
    around = np.ones((reach, reach), np.uint8)
    change = channel_maxima(cv2.dilate(lab, around) - cv2.erode(lab, around))
    height, width = change.shape
    found: list[bool | None] = []
    for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0]), strict=True):
        count = max(2, round(math.dist((x0, y0), (x1, y1))))  # not a threshold: the edge's ends
        share = np.linspace(config.corner, 1.0 - config.corner, count)
        x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
        clear = (x >= reach) & (y >= reach) & (x < width - reach) & (y < height - reach)
        if not clear.any():
            found.append(None)
            continue
        there = change[y[clear].astype(np.intp), x[clear].astype(np.intp)] > config.edge
        found.append(bool(there.mean() >= config.seen))
    return found


def punched(
    picture: NDArray[np.uint8], outline: Points, holes: Points, radius: float, config: PlausibleConfig
) -> list[int]:
    """Which of the places of holes do not look as the sheet does elsewhere; parameters are those of `edges_seen`.

    Parameters
    ----------
    picture, outline, config
    holes : sequence of (x, y)
        Middles in pixels.
    radius : float
        In pixels.
    """
    lab = seen(picture)
    paper = np.zeros(lab.shape[:2], np.uint8)
    cv2.fillPoly(paper, [_fixed(outline)], 1, shift=_FIXED)
    # What is at the sheet's edge may be the ground, or a line.
    within = 2 * math.ceil(config.within * radius) + 1
    paper = np.asarray(cv2.erode(paper, np.ones((within, within), np.uint8), borderValue=0), np.uint8)
    for x, y in holes:
        cv2.circle(paper, _at(x, y), math.ceil(config.around * radius), 0, cv2.FILLED)
    usual = lab[paper > 0]
    usual = usual[:: max(1, len(usual) // config.samples)]
    found = []
    for place, (x, y) in enumerate(holes):
        reach = math.ceil(radius) + 2  # not a threshold: neighbours of the last pixel
        left, top = max(0, math.floor(x) - reach), max(0, math.floor(y) - reach)
        part = lab[top : math.ceil(y) + reach, left : math.ceil(x) + reach]
        rows, columns = np.indices(part.shape[:2])
        away = np.hypot(columns + 0.5 + left - x, rows + 0.5 + top - y)  # not a threshold: the middle of a pixel
        for inner, outer in ((0.0, config.middle), (config.rim, 1.0)):
            ring = part[(away >= inner * radius) & (away <= max(1.0, outer * radius))]
            if not len(ring) or not len(usual):
                continue
            color = np.median(ring, axis=0).astype(np.float32)
            alike = lengths(np.ascontiguousarray(usual[:, None] - color)) <= config.alike
            if alike.mean() < config.common:
                found.append(place)
                break
    return found


def _fixed(points: Points) -> NDArray[np.int32]:
    # not a threshold: the middle of the first pixel lies at a half
    return np.rint((np.asarray(points, np.float64) - 0.5) * (1 << _FIXED)).astype(np.int32).reshape(-1, 1, 2)


def _at(x: float, y: float) -> tuple[int, int]:
    return math.floor(x), math.floor(y)
