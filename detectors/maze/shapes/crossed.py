"""Whether thin strokes cross a marker out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import distance_to, seen
from detectors.maze.plan.floorplan import Marker

if TYPE_CHECKING:
    from detectors.maze.remainder.config import MarkerShapeConfig


def is_crossed_out(
    picture: NDArray[np.uint8],
    marker: Marker,
    hidden: NDArray[np.bool_],
    line_px: float,
    config: MarkerShapeConfig,
) -> bool:
    """Whether thin strokes lie across a disc, darker or lighter than that, which are no part of the line.

    They come to its edge from several sides, unlike what of the line shows beneath or beside it.

    Parameters as of `is_marker_gone`; ``hidden`` is what the line hides. Beside that its rim or its shadow may lie.
    """
    size = max(marker.mask.shape)
    away = distance_to(hidden[marker.box])
    # not a threshold: the side of OpenCV's larger mask
    depth = cv2.distanceTransform(np.pad(marker.mask, 1).view(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    # not a threshold: nearer to its edge a marker is mixed with the floor
    inner = (depth > 1.5) & (away > max(config.fringe_px, config.beside_line * line_px))
    rim = inner & (depth <= config.outline_px)
    # not a threshold: arms are no wider than that
    if depth.max() < 0.3 * size or np.count_nonzero(inner) < config.least_inner * np.count_nonzero(marker.mask):
        return False
    lightness = seen(picture[marker.box])[..., 0].astype(np.float32)
    middle = float(np.median(lightness[inner]))
    # Blur, an outline and shading go around all of its edge, which strokes cross in a few places.
    for step in range(1, int(0.5 * depth.max()) + 1):  # not a threshold: strokes meet in the middle
        ring = inner & (depth > step - 0.5) & (depth <= step + 0.5)
        if ring.any():
            lightness[ring] += np.float32(middle - float(np.median(lightness[ring])))
    # not a threshold: single pixels are noise
    lightness = np.asarray(cv2.blur(np.where(inner, lightness, np.float32(middle)), (3, 3)), np.float32)
    side = 2 * round(config.thin_stroke * size) + 1
    kernel = np.ones((side, side), np.uint8)
    for kind in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        off = cv2.morphologyEx(lightness, kind, kernel)
        thin = (off > max(config.stroke, config.rough * float(np.median(off[inner])))) & inner
        # not a threshold: a pixel's neighbours
        count, parts, stats, _ = cv2.connectedComponentsWithStats(thin.view(np.uint8), connectivity=8)
        spans = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1)
        met = np.zeros(count, np.bool_)
        met[np.unique(parts[rim])] = True
        met &= spans >= config.piece * size
        met[0] = False
        if int(spans[met].sum()) < config.across * size:
            continue
        places = np.argwhere(rim & met[parts]) - (np.array(marker.mask.shape) - 1.0) / 2.0
        turns = np.degrees(np.arctan2(places[:, 0], places[:, 1]))
        # not a threshold: a half turn
        apart = np.abs((turns[:, None] - turns + 180.0) % 360.0 - 180.0)
        if float(apart.max()) >= config.apart_deg:
            return True
    return False
