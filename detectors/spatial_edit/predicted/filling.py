"""What the table, or the floor beside it, shows where boxes hide it: what they show around, in full light."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from detectors.spatial_edit.boxes.findings import FoundBox, TablePlane
from detectors.spatial_edit.predicted.colors import ColorRange, Colors
from detectors.spatial_edit.predicted.config import PredictedConfig
from detectors.spatial_edit.predicted.rays import NOTHING, Flags, Floats, Surfaces, near_boxes

_DARK = 1e-4  # not a threshold: guards a logarithm
_NOWHERE = 1e30  # not a threshold: what a window without anything in it has, in float32
_RIM_PX = 9  # not a threshold: a box is smeared into its surroundings by anti-aliasing


def filled_table(
    colors: Colors,
    surfaces: Surfaces,
    lit: Flags,
    boxes: Sequence[FoundBox],
    plane: TablePlane,
    config: PredictedConfig,
) -> ColorRange:
    """Tells what may be seen where boxes are, if they go.

    Parameters
    ----------
    colors : Colors
        Of the picture.
    surfaces : Surfaces
        What it shows.
    lit : (H, W) bool
        Where no shadow lies on the table.
    boxes : sequence of FoundBox
    plane : TablePlane
    config : PredictedConfig
    """
    hole = surfaces.box != NOTHING
    known = _away_from(hole)
    usable = known & lit
    if not usable.any():
        usable = known if known.any() else np.ones_like(known)
    table = table_area(colors, usable, near_boxes(surfaces.ground, boxes, 1.0), config)
    # Its edge is smeared.
    rim = np.ones((2 * config.reach_px + 1,) * 2, np.uint8)
    top, beside = (usable & (cv2.erode(one.astype(np.uint8), rim) > 0) for one in (table, ~table))
    found = _around(colors, hole, top if top.any() else usable, config)
    if beside.any() and (hole & ~table).any():
        other = _around(colors, hole & ~table, beside, config)
        # At the table's edge, which is not known to a pixel, either may be seen; so it may at a corner that is hidden.
        rim = np.ones((2 * config.tint_reach_px + 1,) * 2, np.uint8)
        edge = (cv2.dilate(table.astype(np.uint8), rim) > 0) & (cv2.erode(table.astype(np.uint8), rim) == 0)
        edge |= hole & whole_table(table & ~hole, surfaces, plane) & ~table
        for layer, value, pick in zip(
            _layers(found), _layers(other), (np.minimum, np.maximum, np.minimum, np.maximum), strict=True
        ):
            both = pick(layer, value)
            layer[~table] = value[~table]
            layer[edge] = both[edge]
    return found


def whole_table(table: Flags, surfaces: Surfaces, plane: TablePlane) -> Flags:
    """Returns the smallest rectangle in space that has all of a table in it, (H, W) bool, as the picture shows it."""
    up = np.array(plane.normal, np.float32)
    right = np.cross(up, np.array([0.0, 0.0, 1.0], np.float32))
    right = right / max(float(np.linalg.norm(right)), _DARK)
    axes = np.stack([right, np.cross(right, up)])
    outline = table & (cv2.erode(table.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
    if not outline.any():
        return table
    points = np.asarray(surfaces.ground @ axes.T, np.float32)
    corners = cv2.boxPoints(cv2.minAreaRect(points[outline]))
    inside = np.ones(table.shape, np.bool_)
    middle = corners.mean(axis=0)
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = end - start
        side = along[0] * (points[..., 1] - start[1]) - along[1] * (points[..., 0] - start[0])
        inward = along[0] * (middle[1] - start[1]) - along[1] * (middle[0] - start[0])
        inside &= side * inward >= 0
    return inside


def bare_table(colors: Colors, surfaces: Surfaces, boxes: Sequence[FoundBox], config: PredictedConfig) -> Flags:
    """Tells where the table lies, (H, W) bool, of which nothing is known yet but where boxes stand on it."""
    known = _away_from(surfaces.box != NOTHING)
    return table_area(colors, known, near_boxes(surfaces.ground, boxes, 1.0), config)


def _away_from(hole: Flags) -> Flags:
    return np.asarray(cv2.dilate(hole.astype(np.uint8), np.ones((_RIM_PX, _RIM_PX), np.uint8)) == 0)


def table_area(colors: Colors, known: Flags, near: Flags, config: PredictedConfig) -> Flags:
    """Tells which pixels are the table's, (H, W) bool: it is a rectangle, so in the picture it is convex."""
    sample = known & near if (known & near).any() else known
    tint = np.median(colors.tint[sample], axis=0)
    hue = known & (np.hypot(*np.moveaxis(colors.tint - tint, 2, 0)) < config.table.tint)
    logs = np.log(np.maximum(colors.brightness, _DARK))
    middle, bright = (
        hue & (np.abs(logs - float(np.quantile(logs[sample], share))) < config.table.uneven)
        for share in (0.5, config.table.lit)  # not a threshold: the median
    )
    # Shadows may take most of what lies near to boxes, but not most of the table.
    alike = bright if np.count_nonzero(bright) > config.table.wider * np.count_nonzero(middle) else middle
    # not a threshold: 4 neighbours, so that parts that meet in a corner are two
    count, labels, stats, _ = cv2.connectedComponentsWithStats(alike.astype(np.uint8), connectivity=4)
    if count < 2:  # not a threshold: nothing but what is left out
        return np.ones_like(known)
    # Boxes and their shadows may cut it into parts.
    areas = stats[:, cv2.CC_STAT_AREA].astype(np.float64)
    areas[0] = 0.0
    rows, columns = np.nonzero((areas >= config.table.part * areas.max())[labels])
    hull = cv2.convexHull(np.stack([columns, rows], axis=1).astype(np.int32))
    area = np.zeros(known.shape, np.uint8)
    cv2.fillConvexPoly(area, hull, 1)
    return np.asarray(area > 0)


def _layers(one: ColorRange) -> tuple[Floats, Floats, Floats, Floats]:
    return one.low, one.high, one.tint_low, one.tint_high


def _around(colors: Colors, hole: Flags, usable: Flags, config: PredictedConfig) -> ColorRange:
    """Returns least and most of what is seen around each pixel of a hole."""
    away = cv2.distanceTransform((~usable).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5)
    wide = math.ceil(config.table.around * float(away[hole].max(initial=0.0))) + config.tint_reach_px
    size = (2 * wide + 1, 2 * wide + 1)
    smooth = 2.0 * config.smooth_px
    weight = cv2.GaussianBlur(usable.astype(np.float32), (0, 0), smooth)
    sure = usable & (weight > 0.5)  # not a threshold: half of what is around
    found = []
    for layer in (colors.brightness, colors.tint[..., 0], colors.tint[..., 1]):
        # Means over what is usable, so that grain counts little.
        mean = cv2.GaussianBlur(np.where(usable, layer, 0).astype(np.float32), (0, 0), smooth)
        mean = np.where(sure, mean / np.maximum(weight, _DARK), 0)
        low = cv2.erode(np.where(sure, mean, np.inf).astype(np.float32), np.ones(size, np.uint8))
        high = cv2.dilate(np.where(sure, mean, -np.inf).astype(np.float32), np.ones(size, np.uint8))
        middle = float(np.median(layer[usable]))
        found.append(tuple(np.where(np.abs(one) < _NOWHERE, one, middle) for one in (low, high)))
    (low, high), (a_low, a_high), (b_low, b_high) = found
    stacked = (low, high, np.stack([a_low, b_low], axis=2), np.stack([a_high, b_high], axis=2))
    return ColorRange(*(np.asarray(one, np.float32) for one in stacked))
