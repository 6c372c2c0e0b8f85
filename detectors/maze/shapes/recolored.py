"""Whether a marker of a maze is there in another colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import hue_degrees, hue_difference
from detectors.common.residual.mixing import channel_medians, distance_to, seen, seen_color
from detectors.maze.plan.floorplan import Floorplan, Marker

_Color = NDArray[np.float64]


@dataclass(frozen=True)
class RecoloredConfig:
    """When a marker has another colour than the puzzle's.

    What changes a whole picture's colours (light, a tint, weaker or stronger colours) leaves a hue nearly what it is.

    Attributes
    ----------
    beside_px : a marker is looked at from so many working pixels beside the line on...
    rim_px : ...and so far within its own outline...
    least_px, part : ...in parts of at least so many pixels, and of this share of its own
    colorful : a colour whose a and b, doubled, are at least this long has a hue...
    hue_deg : ...which is the marker's up to so many degrees
    mixed : what is off every mixture of floor, line and marker by no more than this share of what the marker is off the
        floor is one of these
    drained : a colour without a hue is a marker's that lost its own, as far as it is no darker or lighter than this
    """

    beside_px: float = 1.5
    rim_px: float = 1.0
    least_px: int = 6
    part: float = 0.06
    colorful: float = 0.12
    hue_deg: float = 25.0
    mixed: float = 0.2
    drained: float = 0.2


def recolored(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    floor_rgb: _Color,
    line_rgb: _Color | None,
    hidden: NDArray[np.bool_],
    plan: Floorplan,
    config: RecoloredConfig,
) -> list[int]:
    """The positions in a plan's markers of those of which a part that is in sight has another colour.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    floor_rgb : ndarray of shape (3,)
        The candidate's floor.
    line_rgb : ndarray of shape (3,), or None
        The line that was read.
    hidden : ndarray of shape (h, w), bool
        What that line hides, and where markers are seen through it.
    plan : Floorplan
        Of the puzzle.
    config : RecoloredConfig
    """
    # On textures a marker is shown in a colour that stands for its own, and what is painted over in the candidate's.
    textured = {} if plan.texture is None else dict(plan.texture.marker_colors)
    found = []
    unseen = hidden if covered is None else hidden | ~covered
    for index, marker in enumerate(plan.markers):
        own = np.array(textured.get(marker.cell, marker.rgb), np.float64)
        for color in _colors_in_sight(picture, marker, unseen, config):
            if (
                not _is_mixed(color, marker.rgb, floor_rgb, own, config)
                and not _is_mixed(color, own, floor_rgb, line_rgb, config)
                and _has_other_hue(color, own, config)
            ):
                found.append(index)
                break
    return found


def _colors_in_sight(
    picture: NDArray[np.uint8], marker: Marker, hidden: NDArray[np.bool_], config: RecoloredConfig
) -> list[NDArray[np.float32]]:
    """The middle colours, as of `seen`, of the parts of a marker that are in sight."""
    # not a threshold: the side of OpenCV's larger mask
    depth = cv2.distanceTransform(np.pad(marker.mask, 1).view(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    rows, columns = marker.box
    reach = int(np.ceil(config.beside_px)) + 1
    window = (
        slice(max(0, rows.start - reach), rows.stop + reach),
        slice(max(0, columns.start - reach), columns.stop + reach),
    )
    top, left = rows.start - window[0].start, columns.start - window[1].start
    away = distance_to(hidden[window])[top : top + marker.mask.shape[0], left : left + marker.mask.shape[1]]
    core = (depth > config.rim_px) & (away > config.beside_px)
    # not a threshold: a pixel's neighbours
    count, parts, stats, _ = cv2.connectedComponentsWithStats(core.view(np.uint8), connectivity=8)
    least = max(config.least_px, config.part * np.count_nonzero(marker.mask))
    masks = [parts == part for part in range(1, count) if stats[part, cv2.CC_STAT_AREA] >= least]
    if not masks:
        # Of a small one beneath a wide line crumbs are left on all sides, and edges.
        masks = [one for one in (core, marker.mask & (away > config.beside_px)) if np.count_nonzero(one) >= least][:1]
    own = picture[marker.box]
    return [channel_medians(np.asarray(seen(own[one]), np.float32)) for one in masks]


def _is_mixed(
    color: NDArray[np.float32], marker: _Color, floor: _Color, line: _Color | None, config: RecoloredConfig
) -> bool:
    """Whether a colour, as of `seen`, is a mixture of a marker with floor and line."""
    corners = [np.asarray(seen_color(rgb), np.float64) for rgb in (floor, marker, *(() if line is None else (line,)))]
    return _off_mixtures(color, corners) <= config.mixed * float(np.linalg.norm(corners[1] - corners[0]))


def _has_other_hue(color: NDArray[np.float32], marker: _Color, config: RecoloredConfig) -> bool:
    """Whether a colour, as of `seen`, has another hue than a marker, or none where that has one, or one where not."""
    own = seen_color(marker)
    shown_chroma, chroma = (float(np.hypot(*one[1:])) for one in (color, own))
    if chroma < config.colorful:
        return shown_chroma >= config.colorful
    if shown_chroma < config.colorful:
        return abs(float(color[0] - own[0])) > config.drained
    shown, before = (hue_degrees(one[None, 1:]) for one in (color, own))
    return bool(hue_difference(shown, before)[0] > config.hue_deg)


def _off_mixtures(color: NDArray[np.float32], corners: Sequence[_Color]) -> float:
    """How far a colour is from the nearest mixture of two or three others, told in steps of a twentieth."""
    steps = np.linspace(0.0, 1.0, 21)  # not a threshold: finer than what is told by it
    first, second = (one.ravel() for one in np.meshgrid(steps, steps))
    kept = first + second <= 1.0
    first, second = first[kept, None], second[kept, None]
    mixed = corners[0] + first * (corners[1] - corners[0]) + second * (corners[-1] - corners[0])
    return float(np.linalg.norm(mixed - color, axis=1).min())
