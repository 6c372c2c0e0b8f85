"""What an object left behind where it stood: colours that nothing around has, or its outline.

Looked at is the place in the edited picture, held against the surroundings in the picture before. Shadow and light that
fall there are the same surface, darker or lighter; a repair that is smoother than its surroundings is no trace.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.scene.colors import Flags, SurfaceColors, accounted_for, grown, shrunk
from detectors.spatial_edit.scene.config import ContourConfig, TracesConfig


@dataclass(frozen=True)
class PlaceTraces:
    """What is seen where an object stood.

    Attributes
    ----------
    strange : share of the place's pixels in colours that its surroundings do not have
    outline : share of its outline along which there is an edge or a line; None where too little of it is free
    """

    strange: float
    outline: float | None

    def left(self, config: TracesConfig) -> bool:
        """Tells whether something other than the surface around is seen there."""
        return self.strange >= config.least_strange or (self.outline or 0.0) >= config.contour.least


def find_traces(
    then: SurfaceColors,
    now: SurfaceColors,
    place: Flags,
    outline: NDArray[np.float64],
    taken: Flags,
    config: TracesConfig,
) -> PlaceTraces | None:
    """Looks at the place that an object left.

    Parameters
    ----------
    then, now : SurfaceColors
        Of the picture before, and of the edited one.
    place : (H, W) bool
        Where the object was seen, or could be.
    outline : (K, 2) float64
        The convex outline of that place, (x, y) in pixels.
    taken : (H, W) bool
        Where other objects are seen, before or after.
    config : TracesConfig

    Returns
    -------
    PlaceTraces or None
        None where too little of the place, or nothing of its surroundings, is free to be looked at.
    """
    others = grown(taken, config.margin_px + 1)
    inside = shrunk(place, config.margin_px) & ~others
    reach = max(config.least_ring_px, round(config.ring_share * float(np.sqrt(np.count_nonzero(place)))))
    ring = grown(place, reach) & ~grown(place, config.margin_px + 1) & ~others
    if np.count_nonzero(inside) < config.least_area_px or not ring.any():
        return None
    strange = 1.0 - float(accounted_for(now, inside, then, ring, config.alike).mean())
    return PlaceTraces(strange, _outline_left(now, outline, ~others, place, reach, config.contour))


def _outline_left(
    colors: SurfaceColors, outline: NDArray[np.float64], free: Flags, place: Flags, reach: int, config: ContourConfig
) -> float | None:
    lab = colors.lab
    steps, lines = _profiles(lab, outline, free, config)
    if len(steps) < max(config.least_points, config.least_free * len(_along(outline, config)[0])):
        return None
    beside = [
        _profiles(lab, outline + np.array(shift), free & ~grown(place, config.clear_px), config)
        for shift in ((reach, 0), (-reach, 0), (0, reach), (0, -reach))
    ]
    usual_step = _median(np.concatenate([step for step, _ in beside]))
    usual_line = _median(np.concatenate([line for _, line in beside]))
    seen_step = steps > max(config.least_step, config.grain * usual_step)
    seen_line = lines > max(config.least_step, config.grain * usual_line)
    return float(max(seen_step.mean(), seen_line.mean()))


def _median(numbers: NDArray[np.float64]) -> float:
    return float(np.median(numbers)) if numbers.size else 0.0


def _profiles(
    lab: NDArray[np.float32], outline: NDArray[np.float64], free: Flags, config: ContourConfig
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Measures, along an outline, how far its sides differ, and how far a line between them differs from both."""
    points, normals = _along(outline, config)
    inside, inside_free = _taken_at(lab, points, normals, tuple(-one for one in config.sides_px), free)
    outside, outside_free = _taken_at(lab, points, normals, config.sides_px, free)
    middle, _ = _taken_at(lab, points, normals, config.line_px, free)
    known = inside_free & outside_free
    step = np.linalg.norm(inside - outside, axis=1)
    # A line differs from both sides the same way; the middle of a step lies between them.
    line = np.minimum(np.linalg.norm(middle - inside, axis=1), np.linalg.norm(middle - outside, axis=1)) - step / 2
    return step[known], line[known]


def _along(outline: NDArray[np.float64], config: ContourConfig) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns places along a convex outline, away from its corners, and outward normals, both (n, 2)."""
    points, normals = [np.zeros((0, 2))], [np.zeros((0, 2))]
    middle, corner = outline.mean(axis=0), config.corner_px
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        length = float(np.hypot(*(end - start)))
        count = int((length - 2 * corner) / config.spacing_px) + 1
        if length <= 2 * corner:
            continue
        way = (end - start) / length
        normal = np.array([way[1], -way[0]])
        if float(normal @ (start - middle)) < 0:
            normal = -normal
        along = np.linspace(corner, length - corner, count)
        points.append(start + along[:, None] * way)
        normals.append(np.repeat(normal[None], count, axis=0))
    return np.concatenate(points), np.concatenate(normals)


def _taken_at(
    lab: NDArray[np.float32],
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    offsets: tuple[float, ...],
    free: Flags,
) -> tuple[NDArray[np.float64], Flags]:
    """Takes mean colours at some distances from places, (n, 3), and which of these are free."""
    height, width = free.shape
    known = np.ones(len(points), np.bool_)
    total = np.zeros((len(points), 3))
    for offset in offsets:
        at = np.floor(points + offset * normals).astype(int)
        kept = (at >= 0).all(axis=1) & (at[:, 0] < width) & (at[:, 1] < height)
        columns, rows = np.clip(at[:, 0], 0, width - 1), np.clip(at[:, 1], 0, height - 1)
        known &= kept & free[rows, columns]
        total += lab[rows, columns]
    return total / len(offsets), known
