"""Whether the camera turned between two pictures of a scene, from the features that both show.

An edit shall turn an object and leave the camera where it is. A picture that shows the scene from the side instead
shows the object turned just as well, but everything else too.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.viewpoint.config import FeaturesConfig, ViewpointConfig
from detectors.spatial_edit.viewpoint.epipolar import candidate_poses, fit_motion, rays

Floats = NDArray[np.float64]

_DESCRIPTOR = 128  # not a threshold: numbers of a descriptor, as SIFT has them


@dataclass(frozen=True, eq=False)
class Features:
    """Features of a picture.

    Attributes
    ----------
    points : (n, 2) pixels of the picture as it was given, (x, y), with (0, 0) the corner of the first pixel
    descriptors : (n, 128) float32, as SIFT has them
    scale : the picture was reduced to this share
    """

    points: Floats
    descriptors: NDArray[np.float32]
    scale: float


class Viewpoint(enum.Enum):
    """What became of the camera's view; the values are stable."""

    KEPT = "KEPT"
    TURNED = "TURNED"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True)
class ViewpointFinding:
    """What was found.

    Attributes
    ----------
    state : KEPT, TURNED, or UNKNOWN where the features are too few or fit both
    rotation_rad : by how much the camera turned, 0 to pi; None where that is not known
    matches : features that both pictures have
    agreeing : those of them that agree with the motion that was found
    """

    state: Viewpoint
    rotation_rad: float | None
    matches: int
    agreeing: int


def find_features(picture: NDArray[np.uint8], looked_at: NDArray[np.bool_] | None, config: FeaturesConfig) -> Features:
    """Finds features (SIFT, Lowe 2004).

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    looked_at : ndarray of shape (H, W), bool, or None
        Where features count, such as what stands still; None for all.
    config : FeaturesConfig
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    scale = min(1.0, config.side_px / max(grey.shape))
    if scale < 1.0:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found, described = cv2.SIFT.create(config.most, contrastThreshold=config.contrast).detectAndCompute(grey, None)
    if described is None:
        return Features(np.zeros((0, 2)), np.zeros((0, _DESCRIPTOR), np.float32), scale)
    points = (np.array([one.pt for one in found], np.float64) + 0.5) / scale
    descriptors = np.asarray(described, np.float32)
    if looked_at is not None:
        height, width = looked_at.shape
        columns = np.clip(points[:, 0].astype(np.int64), 0, width - 1)
        rows = np.clip(points[:, 1].astype(np.int64), 0, height - 1)
        counts = looked_at[rows, columns]
        points, descriptors = points[counts], descriptors[counts]
    return Features(points, descriptors, scale)


def compare_viewpoints(
    before: Features, after: Features, intrinsics: Floats, config: ViewpointConfig
) -> ViewpointFinding:
    """Finds out whether the camera turned.

    The motion that explains the most features is compared with the best that turns by no more than
    `ViewpointConfig.most_rad`. So features that a small turn explains nearly as well, such as those of a plane, few, or
    displaced ones, do not prove a large turn.

    Parameters
    ----------
    before, after : Features
        Of two pictures of one size.
    intrinsics : ndarray of shape (3, 3)
        K, in pixels of the pictures as they were given.
    config : ViewpointConfig
    """
    motion = config.motion
    first, second = matched_features(before, after, config.features)
    count = len(first)
    if count < config.features.least_matches:
        return ViewpointFinding(Viewpoint.UNKNOWN, None, count, 0)
    # Reduced pictures have fewer pixels to a ray, and reaches are in pixels of those.
    to_working = np.diag([before.scale, before.scale, 1.0])
    camera = to_working @ intrinsics
    starts = candidate_poses(first * before.scale, second * before.scale, camera, motion)
    reach = motion.reach_px / math.sqrt(camera[0, 0] * camera[1, 1])
    seen = rays(first, intrinsics), rays(second, intrinsics)
    free = fit_motion(*seen, starts, reach, config.most_turn_rad, motion)
    small = fit_motion(*seen, starts, reach, config.most_rad, motion)
    if free is None or small is None:
        return ViewpointFinding(Viewpoint.UNKNOWN, None, count, 0)
    best = small if small.cost <= free.cost else free
    agreeing = int(best.agrees.sum())
    if agreeing < config.features.least_matches:
        return ViewpointFinding(Viewpoint.UNKNOWN, None, count, agreeing)
    if best is small or free.rotation_rad <= config.most_rad:
        return ViewpointFinding(Viewpoint.KEPT, best.rotation_rad, count, agreeing)
    if small.cost - free.cost < max(config.least_gain, config.least_gain_share * agreeing):
        return ViewpointFinding(Viewpoint.UNKNOWN, None, count, agreeing)
    return ViewpointFinding(Viewpoint.TURNED, free.rotation_rad, count, agreeing)


def matched_features(before: Features, after: Features, config: FeaturesConfig) -> tuple[Floats, Floats]:
    """Returns the pixels (n, 2) of the same features in both pictures; none is used twice."""
    if min(len(before.points), len(after.points)) < 2:
        return np.zeros((0, 2)), np.zeros((0, 2))
    pairs: dict[tuple[float, ...], tuple[float, int, int]] = {}
    for best, second in cv2.BFMatcher(cv2.NORM_L2).knnMatch(before.descriptors, after.descriptors, k=2):
        if best.distance < config.ratio * second.distance:
            # A place may have several features, one for each direction; and a feature may be like several.
            key = tuple(after.points[best.trainIdx].tolist())
            known = pairs.get(key)
            if known is None or best.distance < known[0]:
                pairs[key] = (best.distance, best.queryIdx, best.trainIdx)
    places = {tuple(before.points[query].tolist()): (query, train) for _, query, train in pairs.values()}
    chosen = sorted(places.values())
    chosen = chosen[:: 1 + len(chosen) // config.most_matches]
    if not chosen:
        return np.zeros((0, 2)), np.zeros((0, 2))
    rows = np.array(chosen)
    return before.points[rows[:, 0]], after.points[rows[:, 1]]
