"""Which boxes hang in the air: their shadows lie where those of boxes off the table would."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.findings import FoundBox
from detectors.spatial_edit.predicted.colors import Colors
from detectors.spatial_edit.predicted.config import HangingConfig
from detectors.spatial_edit.predicted.lamp import correlation
from detectors.spatial_edit.predicted.prediction import SceneBefore, StandingBox
from detectors.spatial_edit.predicted.rays import NOTHING, Floats, Shade, Surfaces, near_boxes
from detectors.spatial_edit.predicted.shadows import Shaded, points_of

_DARK = 1e-3  # not a threshold: guards a logarithm


def hanging_boxes(
    before: SceneBefore,
    after: Colors,
    standing: Sequence[StandingBox],
    now: Surfaces,
    stay: Sequence[Shaded],
    config: HangingConfig,
) -> tuple[int, ...]:
    """Tells which boxes that are new in their place cast a shadow that says that they do not stand there.

    A box that is nearer to the camera, and as much smaller, has the same picture; its shadow lies elsewhere. Shadows
    that are still there tell nothing, nor does a box that has none.

    Parameters
    ----------
    before : SceneBefore
    after : Colors
        Of the edited picture.
    standing : sequence of StandingBox
        What is found in it.
    now : Surfaces
        What its pixels show by these.
    stay : sequence of Shaded
        The shadows of the picture before that are still there.
    config : HangingConfig
    """
    lamp = before.lamp
    if lamp is None:
        return ()
    height, width = after.brightness.shape
    step = max(1, math.ceil(max(height, width) / config.most_px))
    then = before.surfaces.box[::step, ::step]
    ground = now.ground[::step, ::step]
    bare = now.box[::step, ::step] == NOTHING
    stays = Shaded.union(stay, after.brightness.shape).cast[::step, ::step]
    old = Shade.of(ground, before.boxes).hidden(lamp.toward)
    smear = np.ones((3, 3), np.uint8)  # not a threshold: a pixel's neighbours
    bare &= cv2.dilate(stays.astype(np.uint8), smear) == 0
    # Where a box was, or a shadow that is gone, the table is as it is around.
    other = (then != NOTHING) | (cv2.dilate(old.astype(np.uint8), smear) > 0)
    table = np.sqrt(np.maximum(before.filled.low * before.filled.high, 0))
    lit = np.where(other, table[::step, ::step], before.colors.brightness[::step, ::step])
    lost = np.log((lit + _DARK) / (after.brightness[::step, ::step] + _DARK)).astype(np.float64)
    ways = points_of(lamp, config.softness_rad)
    deep = -config.deep * math.log(max(lamp.shadow, _DARK))
    found = []
    for index, one in enumerate(standing):
        if one.stays:
            continue
        others = [other.box for at, other in enumerate(standing) if at != index]
        # In the shadow of another box nothing is told, nor where the box's own edge is smeared.
        near = np.ones((2 * config.edge_px + 1,) * 2, np.uint8)
        beside = cv2.dilate((now.box[::step, ::step] == index).astype(np.uint8), near) > 0
        told = (
            bare & ~beside & ~Shade.of(ground, others).hidden(lamp.toward) & near_boxes(ground, [one.box], config.near)
        )
        nearer = (_nearer(one.box, share) for share in config.nearer)
        fits = [_fit(ground[told], lost[told], box, lamp.toward, deep) for box in nearer]
        # Its own shadow may be sharp or soft.
        shade = Shade.of(ground[told], [one.box])
        hidden = [shade.hidden(way) for way in ways]
        soft = np.asarray(np.mean(hidden, axis=0, dtype=np.float64), np.float64)
        stands = max(correlation(hidden[0], lost[told]), correlation(soft, lost[told]))
        if max(fits, default=0.0) >= max(config.least_fit, stands + config.better):
            found.append(index)
    return tuple(found)


def _nearer(box: FoundBox, share: float) -> FoundBox:
    """Returns the box with the same picture at this share of the distance."""
    x, y, z = box.center
    width, height, length = box.size
    return replace(box, center=(share * x, share * y, share * z), size=(share * width, share * height, share * length))


def _fit(points: Floats, lost: NDArray[np.float64], box: FoundBox, toward: NDArray[np.float64], deep: float) -> float:
    """Returns how well a box's shadow fits to what got dark; 0 where it is not dark enough for one."""
    shaded = Shade.of(points, [box]).hidden(toward)
    if not shaded.any() or float(lost[shaded].mean()) < deep:
        return 0.0
    return correlation(shaded, lost)
