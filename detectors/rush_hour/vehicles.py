"""Measures where one vehicle is in a small picture whose pixels are classed by colour.

The pixels of its colour near its expected place make a hull; a hull of the right size tells centre and angle by its
moments. Where another body hides a part, or one of a like colour touches it, the rectangle of the known size is moved
to where it covers the most of its colour and the least of its surroundings; hidden pixels do not count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.rush_hour.colors import DARK, EXIT, FIRST_VEHICLE, FLOOR, FOREIGN, Labels, at_pixels, pixels_at, sampled
from detectors.rush_hour.config import ShapeConfig, VehicleConfig
from detectors.rush_hour.config.vehicles import HullConfig, PlaceFitConfig
from detectors.rush_hour.findings import Flags, Floats
from detectors.rush_hour.place import inside_points, placed
from detectors.rush_hour.view import CameraView
from puzzles.rush_hour.lot import Pose, Vehicle


@dataclass(frozen=True, eq=False)
class VehicleSighting:
    """Where a vehicle was found.

    Attributes
    ----------
    place : where
    visible : share of its uncovered area that shows its colour, 0 to 1
    covered : share of its area that shows other bodies, 0 to 1
    whole : whether it was measured by its own outline, rather than fitted
    pixels : (P,) which pixels of the small picture show its inside, counted row by row; None if not looked up
    """

    place: Pose
    visible: float
    covered: float
    whole: bool
    pixels: NDArray[np.int32] | None = None


class VehicleShape:
    """The points at which a vehicle and its surroundings are looked at."""

    def __init__(self, vehicle: Vehicle, config: ShapeConfig) -> None:
        length, width = vehicle.length, vehicle.width
        self.length, self.width = length, width
        self.reach = math.hypot(length, width) / 2
        hole = min(config.inside.hole, config.disc_share * width)
        self.inside = inside_points(length, width, replace(config.inside, hole=hole))
        along = np.linspace(-length / 2, length / 2, config.ring_along)
        across = np.linspace(-width / 2, width / 2, config.ring_across)
        beside, beyond = width / 2 + config.ring, length / 2 + config.ring
        sides = [np.stack([along, np.full(len(along), s * beside)], axis=-1) for s in (-1, 1)]
        ends = [np.stack([np.full(len(across), s * beyond), across], axis=-1) for s in (-1, 1)]
        self.ring = np.concatenate([*sides, *ends])


def core(view: CameraView, config: HullConfig) -> NDArray[np.uint8]:
    """Returns the square of pixels that fits into every part of a vehicle, and into no rail."""
    size = max(config.thin_px, int(config.thin * view.unit) | 1)
    return np.ones((size, size), np.uint8)


def shares(
    labels: Labels, view: CameraView, shape: VehicleShape, place: Pose, own: Flags
) -> tuple[float, float, float]:
    """Returns which shares of a rectangle show its colour, other bodies, and floor, 0 to 1."""
    return _shares_at(labels, inside_pixels(labels, view, shape, place), own)


def inside_pixels(labels: Labels, view: CameraView, shape: VehicleShape, place: Pose) -> NDArray[np.int32]:
    """Returns which pixels (P,), counted row by row, of a small picture show a vehicle's inside."""
    return pixels_at(labels.shape, view, placed(shape.inside, place.x, place.y, place.theta))


def whole_share(labels: Labels, view: CameraView, shape: VehicleShape, place: Pose, own: Flags) -> float:
    """Returns which share of a rectangle shows its colour, 0 to 1, of what does not show other bodies or its disc."""
    seen = at_pixels(labels, inside_pixels(labels, view, shape, place))
    mine = int(np.count_nonzero(own[seen]))
    against = int(np.count_nonzero(~own[seen] & ((seen == FLOOR) | (seen == FOREIGN))))
    return mine / max(1, mine + against)


def _shares_at(labels: Labels, pixels: NDArray[np.int32], own: Flags) -> tuple[float, float, float]:
    seen = at_pixels(labels, pixels)
    mine, count = own[seen], len(seen)
    other = ~mine & (seen >= FIRST_VEHICLE) & (seen != FOREIGN)
    return np.count_nonzero(mine) / count, np.count_nonzero(other) / count, np.count_nonzero(seen == FLOOR) / count


def measure(
    labels: Labels, view: CameraView, shape: VehicleShape, expected: Pose, own: Flags, reach: float,
    config: VehicleConfig,
) -> VehicleSighting | None:  # fmt: skip
    """Finds a vehicle within ``reach`` units of its expected place; None if it is not there.

    Parameters
    ----------
    labels : (h, w)
        The classes of the pixels.
    view
        Where the lot is.
    shape, expected
        The vehicle, and where it should be.
    own : (256,)
        Which classes its pixels may have.
    reach
        How far to look.
    config
        The settings.
    """
    near = reach <= config.hull.most_reach * shape.length
    hull = _hull(labels, view, shape, expected, own, reach, config.hull) if near else None
    if hull is not None:
        place = _by_moments(hull, shape, expected, config.hull)
        if place is not None:
            place = _upright(labels, view, shape, place, expected.theta, own, config)
            pixels = inside_pixels(labels, view, shape, place)
            mine, other, _ = _shares_at(labels, pixels, own)
            if mine >= config.min_visible * (1 - other):
                return VehicleSighting(place, mine / max(1e-9, 1 - other), other, True, pixels)
    return _by_fit(labels, view, shape, expected, own, reach, config)


def find_anywhere(
    mask: NDArray[np.uint8], view: CameraView, shape: VehicleShape, last: Pose, config: VehicleConfig
) -> list[Pose]:
    """Returns the places at which a mask (h, w) of its colour has the vehicle's size, those near the last one first."""
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, core(view, config.hull))
    # A disc may cut a vehicle in two.
    gap = round(2 * config.hull.largest_disc * view.unit) | 1
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    least = config.min_visible * shape.length * shape.width * view.unit**2
    found: list[tuple[float, Pose]] = []
    for contour in contours:
        if cv2.contourArea(contour) < least:
            continue
        hull = view.to_lot(cv2.convexHull(contour)[:, 0, :].astype(np.float64))
        place = _by_moments(hull, shape, last, config.hull)
        if place is not None:
            found.append((math.hypot(place.x - last.x, place.y - last.y), place))
    return [place for _, place in sorted(found, key=lambda pair: pair[0])]


def find_covered(
    mask: NDArray[np.uint8], labels: Labels, view: CameraView, shape: VehicleShape, last: Pose, own: Flags,
    config: VehicleConfig,
) -> VehicleSighting | None:  # fmt: skip
    """Finds a vehicle of which other bodies show only a part; None if no part of a mask (h, w) of its colour fits.

    Parameters
    ----------
    mask
        Where its colour is that no other vehicle shows.
    labels, view, own, config
        As for `measure`.
    shape, last
        The vehicle, and where it was seen last; its angle is taken to be the same.
    """
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, core(view, config.hull))
    # not a threshold: pixels that touch at a corner are one part
    count, _, stats, centers = cv2.connectedComponentsWithStats(opened, connectivity=8)
    least = config.shown_part * shape.length * shape.width * view.unit**2
    best: VehicleSighting | None = None
    for part in range(1, count):
        if stats[part, cv2.CC_STAT_AREA] < least:
            continue
        x, y = (float(value) for value in view.to_lot(centers[part]))
        cos, sin = math.cos(last.theta), math.sin(last.theta)
        across = -sin * (x - last.x) + cos * (y - last.y)
        if abs(across) < shape.width / 2:
            # What is seen of it may lie to one side of its axis.
            x, y = x + sin * across, y - cos * across
        reach = config.shown_reach * shape.length
        found = _by_fit(labels, view, shape, Pose(x, y, last.theta), own, reach, config)
        if found is None or (best is not None and found.visible <= best.visible):
            continue
        seen = sampled(labels, view, placed(shape.inside, found.place.x, found.place.y, found.place.theta))
        mine = float(own[seen].mean())
        # Exits, the border and the disc on a vehicle tell nothing, as bodies over it do not.
        against = float((~own[seen] & ((seen == FLOOR) | (seen == FOREIGN))).mean())
        if mine >= config.shown_part and mine >= config.shown_sure * (mine + against):
            best = found
    return best


def _hull(
    labels: Labels, view: CameraView, shape: VehicleShape, expected: Pose, own: Flags, reach: float,
    config: HullConfig,
) -> Floats | None:  # fmt: skip
    """Returns the hull (P, 2), in units of the lot, of the pixels of its colour at about its place."""
    size = (shape.reach + reach) * view.unit
    m, shift = view.matrix_values, view.shift_values
    center = (
        m[0] * expected.x + m[1] * expected.y + shift[0],
        m[2] * expected.x + m[3] * expected.y + shift[1],
    )
    left, top = max(0, int(center[0] - size)), max(0, int(center[1] - size))
    window = labels[top : max(0, int(center[1] + size)) + 1, left : max(0, int(center[0] + size)) + 1]
    if min(window.shape) < 3:
        return None
    mask = cv2.morphologyEx(cv2.LUT(window, own.view(np.uint8)), cv2.MORPH_OPEN, core(view, config))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE, offset=(left, top))
    area = shape.length * shape.width * view.unit**2
    parts = []
    for contour in contours:
        moments = cv2.moments(contour)
        share = moments["m00"] / area
        if share >= config.least_part:
            middle = (moments["m10"] / moments["m00"], moments["m01"] / moments["m00"])
            away = math.hypot(middle[0] - center[0], middle[1] - center[1]) / view.unit
            parts.append((min(share, 1.0) - config.away_weight * away / max(reach, 1e-9), share, middle, contour))
    if not parts:
        return None
    _, share, middle, _ = max(parts, key=lambda part: part[0])
    if share < 2 * config.least_part:
        return None
    # A disc may cut a vehicle in two: what is near enough to the main part to be of it belongs to it.
    near = config.near * shape.length * view.unit
    points = np.concatenate([part[3] for part in parts if math.dist(part[2], middle) <= near])
    return view.to_lot(cv2.convexHull(points)[:, 0, :].astype(np.float64))


def _by_moments(hull: Floats, shape: VehicleShape, expected: Pose, config: HullConfig) -> Pose | None:
    """Returns the place of a hull that has the vehicle's size; None if it has another one."""
    if len(hull) < 3:
        return None
    moments = cv2.moments(hull.astype(np.float32)[:, None, :])
    if moments["m00"] <= 0:
        return None
    xx, yy, xy = (moments[name] / moments["m00"] for name in ("mu20", "mu02", "mu11"))
    spread, mean = math.hypot((xx - yy) / 2, xy), (xx + yy) / 2
    # not a threshold: a rectangle's variance along a side is a twelfth of the side's square
    length, width = (math.sqrt(12 * max(variance, 0.0)) for variance in (mean + spread, mean - spread))
    if abs(length / shape.length - 1) > config.size_tolerance or abs(width / shape.width - 1) > config.width_tolerance:
        return None
    theta = 0.5 * math.atan2(2 * xy, xx - yy)
    theta = expected.theta + math.remainder(theta - expected.theta, math.pi)
    return Pose(moments["m10"] / moments["m00"], moments["m01"] / moments["m00"], theta)


def _upright(
    labels: Labels, view: CameraView, shape: VehicleShape, place: Pose, theta: float, own: Flags, config: VehicleConfig
) -> Pose:
    """Returns the place at the expected angle, where that explains as much of what is seen as the hull's own angle.

    Where a side is covered or runs into something of its colour, a hull is askew.
    """
    if abs(math.remainder(place.theta - theta, math.pi)) < config.hull.askew:
        return place
    along, none = Pose(place.x, place.y, theta), np.zeros((1, 2))
    as_turned, as_along = (float(_scores(labels, view, shape, at, own, none, config.fit)[0]) for at in (place, along))
    return along if as_along >= as_turned else place


def _by_fit(
    labels: Labels, view: CameraView, shape: VehicleShape, expected: Pose, own: Flags, reach: float,
    config: VehicleConfig,
) -> VehicleSighting | None:  # fmt: skip
    """Returns where the vehicle's rectangle fits best, at its expected angle; None if it fits nowhere."""
    best: tuple[float, Pose] | None = None
    fit = config.fit
    for step, across in ((fit.coarse, fit.coarse_across), (fit.fine, fit.fine_across)):
        center, span = (expected, reach) if best is None else (best[1], fit.fine_reach)
        along = np.arange(-span, span + step / 2, step)
        ways = np.stack(np.meshgrid(along, across), axis=-1).reshape(-1, 2)
        scores = _scores(labels, view, shape, center, own, ways, fit)
        # Of equal scores the one nearest to where it should be counts.
        top = int(np.argmax(scores - fit.pull * np.hypot(ways[:, 0], ways[:, 1])))
        spot = placed(ways[top : top + 1], center.x, center.y, center.theta)[0]
        best = (float(scores[top]), Pose(float(spot[0]), float(spot[1]), center.theta))
    if best is None or best[0] < config.min_visible:
        return None
    mine, other, _ = shares(labels, view, shape, best[1], own)
    if other > config.most_covered or mine < config.min_visible * (1 - other):
        return None
    return VehicleSighting(best[1], mine / max(1e-9, 1 - other), other, False)


def _scores(
    labels: Labels, view: CameraView, shape: VehicleShape, center: Pose, own: Flags, ways: Floats, fit: PlaceFitConfig
) -> Floats:
    """Returns how well the rectangle fits after each of the ways (K, 2), along and across; at most 1."""
    results = []
    for points, sign in ((shape.inside, 1.0), (shape.ring, -1.0)):
        moved = (points[None, :, :] + ways[:, None, :]).reshape(-1, 2)
        seen = sampled(labels, view, placed(moved, center.x, center.y, center.theta)).reshape(len(ways), -1)
        mine = own[seen]
        # Other bodies, exits and the border may hide it or touch it; they tell nothing.
        dumb = ~mine & (((seen >= FIRST_VEHICLE) & (seen != FOREIGN)) | (seen == EXIT) | (seen == DARK))
        told = (~dumb).sum(axis=1)
        share = mine.sum(axis=1) / np.maximum(told, 1)
        results.append(np.where(told >= fit.told * len(points), sign * share, 0.0))
    return np.asarray(results[0] + fit.ring_weight * results[1])
