"""What an object left behind where it stood: colours that nothing around has, or its outline.

Looked at is the place in the edited picture, held against the surroundings in the picture before. Shadow and light that
fall there are the same surface, darker or lighter; a repair that is smoother than its surroundings is no trace.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.scene.colors import Flags, SurfaceColors, accounted_for, grown, shrunk, surface_colors

_INNER_PX, _OUTER_PX = (3.0, 4.0, 5.0), (3.0, 4.0, 5.0)
"""So far from the outline the colours on its two sides are taken; nearer, they are smeared into each other."""
_SPACING_PX = 2.0
_CORNER_PX = 3.0
_TRACE_PX = (-1.0, 0.0, 1.0)


@dataclass(frozen=True)
class TracesConfig:
    """What counts as a trace. Lengths in pixels are for the picture as it is given.

    Attributes
    ----------
    margin_px : so far inside of the outline and outside of other objects colours are looked at
    least_area_px : a place of fewer pixels is not looked at
    ring_share : width of the ring of surroundings, as a share of the square root of the object's pixels
    least_ring_px : and at least this
    tint_reach : so near to each other two tints, OKLab's a and b over lightness, are those of one surface
    least_light, most_light : lightness, as a share of that of the surroundings, that light and shadow account for
    least_strange : with this share of colours that the surroundings do not have, the place is not cleared
    least_step : a step in OKLab across the outline, or a line along it, that can be seen
    grain : it is this many times what is usual beside the outline
    least_outline : with this share of the outline to be seen, the place is not cleared
    least_points : with fewer free places along the outline nothing is said of it
    least_free : nor if less than this share of it is free, where an edge of a shadow may happen to lie
    """

    margin_px: int = 3
    least_area_px: int = 60
    ring_share: float = 0.5
    least_ring_px: int = 8
    tint_reach: float = 0.05
    least_light: float = 0.55
    most_light: float = 1.12
    least_strange: float = 0.1
    least_step: float = 0.025
    grain: float = 3.0
    least_outline: float = 0.65
    least_points: int = 12
    least_free: float = 0.4


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
        """Whether something other than the surface around is seen there."""
        return self.strange >= config.least_strange or (self.outline or 0.0) >= config.least_outline


def find_traces(
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
    place: Flags,
    outline: NDArray[np.float64],
    taken: Flags,
    config: TracesConfig,
) -> PlaceTraces | None:
    """Look at the place that an object left.

    Parameters
    ----------
    before, after : ndarray of shape (H, W, 3), uint8 RGB
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
    then, now = surface_colors(before), surface_colors(after)
    light = (config.least_light, config.most_light)
    strange = 1.0 - float(accounted_for(now, inside, then, ring, config.tint_reach, light).mean())
    return PlaceTraces(strange, _outline_left(now, outline, ~others, place, reach, config))


def _outline_left(
    colors: SurfaceColors, outline: NDArray[np.float64], free: Flags, place: Flags, reach: int, config: TracesConfig
) -> float | None:
    lab = colors.lab
    steps, lines = _profiles(lab, outline, free)
    if len(steps) < max(config.least_points, config.least_free * len(_along(outline)[0])):
        return None
    beside = [
        _profiles(lab, outline + np.array(shift), free & ~grown(place, 2))
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
    lab: NDArray[np.float32], outline: NDArray[np.float64], free: Flags
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Along an outline: how far inside and outside differ, and how far a line between them differs from both."""
    points, normals = _along(outline)
    inside, inside_free = _taken_at(lab, points, normals, [-one for one in _INNER_PX], free)
    outside, outside_free = _taken_at(lab, points, normals, list(_OUTER_PX), free)
    middle, _ = _taken_at(lab, points, normals, list(_TRACE_PX), free)
    known = inside_free & outside_free
    step = np.linalg.norm(inside - outside, axis=1)
    # A line differs from both sides the same way; the middle of a step lies between them.
    line = np.minimum(np.linalg.norm(middle - inside, axis=1), np.linalg.norm(middle - outside, axis=1)) - step / 2
    return step[known], line[known]


def _along(outline: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Places along a convex outline, away from its corners, and the normals that point out of it, both (n, 2)."""
    points, normals = [np.zeros((0, 2))], [np.zeros((0, 2))]
    middle = outline.mean(axis=0)
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        length = float(np.hypot(*(end - start)))
        count = int((length - 2 * _CORNER_PX) / _SPACING_PX) + 1
        if length <= 2 * _CORNER_PX:
            continue
        way = (end - start) / length
        normal = np.array([way[1], -way[0]])
        if float(normal @ (start - middle)) < 0:
            normal = -normal
        along = np.linspace(_CORNER_PX, length - _CORNER_PX, count)
        points.append(start + along[:, None] * way)
        normals.append(np.repeat(normal[None], count, axis=0))
    return np.concatenate(points), np.concatenate(normals)


def _taken_at(
    lab: NDArray[np.float32],
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    offsets: list[float],
    free: Flags,
) -> tuple[NDArray[np.float64], Flags]:
    """Mean colours at some distances from places, (n, 3), and which of these are free."""
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
