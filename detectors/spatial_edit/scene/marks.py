"""Whether what lies outside of the edited objects still looks as before: its tone, its edges, and nothing drawn on it.

Light and shadow may change: an object that goes takes its shadow along. So a pixel may become darker or lighter, within
what shadows do, but not of another hue.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.scene.colors import Flags, Floats, SurfaceColors, grown, surface_colors
from detectors.spatial_edit.viewpoint.config import ViewpointConfig
from detectors.spatial_edit.viewpoint.turning import find_features, matched_features

_EDGE_SHARE = 0.9
"""Edges stronger than this share of all are compared."""
_LEAST_EDGES = 40


@dataclass(frozen=True)
class MarksConfig:
    """What counts as changed. Lengths are shares of the picture's diagonal; tints are OKLab's a and b over lightness.

    Attributes
    ----------
    least_tone, most_tone : lightness of all that was kept, as a share of that before, that is no other light
    tone_tint : a shift of all tints by no more is no other light either
    tint_reach : beyond that shift, a tint that is so near to the one before, or to one close by, is the same
    least_light : a shadow leaves at least this share of the lightness
    most_light : nothing is lighter than the lightest close by, by this factor
    near_share : what is close by
    shift_share : the picture may be displaced by so much
    most_strange : with more of it in other colours, it is another picture
    blob_share : area of a mark, as a share of the picture's
    blob_px : and at least so many pixels
    least_edge : an edge is still there that has this share of its strength, across the same way
    least_edges : at least this share of the edges of objects that stay has to be
    features : how features are found, which tell whether the picture was shifted
    least_staying : with fewer of the features that both pictures have in their place, it was
    """

    least_tone: float = 0.87
    most_tone: float = 1.15
    tone_tint: float = 0.05
    tint_reach: float = 0.06
    least_light: float = 0.5
    most_light: float = 1.1
    near_share: float = 0.08
    shift_share: float = 0.004
    most_strange: float = 0.25
    blob_share: float = 0.0004
    blob_px: int = 24
    least_edge: float = 0.4
    least_edges: float = 0.5
    features: ViewpointConfig = field(default_factory=lambda: ViewpointConfig(side_px=640, most_features=600))
    least_staying: float = 0.25


@dataclass(frozen=True)
class SceneMarks:
    """What changed outside of the edited objects.

    Attributes
    ----------
    tone : median lightness as a share of that before
    tone_tint : how far all tints shifted
    strange : share of its pixels in other colours than before
    marks : boxes (left, top, right, bottom) of what is drawn on it, pixels
    edges : share of the edges of objects that stay that are still there; None where there are too few
    staying : share of the features that both pictures have that are in their place; None where there are too few
    """

    tone: float
    tone_tint: float
    strange: float
    marks: tuple[tuple[int, int, int, int], ...]
    edges: float | None
    staying: float | None

    def other_look(self, config: MarksConfig) -> bool:
        """Whether the picture as a whole looks otherwise."""
        return (
            not config.least_tone <= self.tone <= config.most_tone
            or self.tone_tint > config.tone_tint
            or self.strange > config.most_strange
            or (self.edges is not None and self.edges < config.least_edges)
            or (self.staying is not None and self.staying < config.least_staying)
        )


def find_marks(
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
    kept: Flags,
    staying: Flags,
    still: Flags,
    config: MarksConfig,
) -> SceneMarks | None:
    """Compare what should have stayed.

    Parameters
    ----------
    before, after : ndarray of shape (H, W, 3), uint8 RGB
    kept : (H, W) bool
        Where no object is seen, before or after.
    staying : (H, W) bool
        Objects that stay where they were, with their edges.
    still : (H, W) bool
        All but the edited object, before and after.
    config : MarksConfig

    Returns
    -------
    SceneMarks or None
        None where nothing was kept.
    """
    if not kept.any():
        return None
    diagonal = float(np.hypot(*kept.shape))
    then, now = surface_colors(before), surface_colors(after)
    tone = float(np.median(now.lightness[kept]) / max(float(np.median(then.lightness[kept])), 1e-3))
    shift = np.median(now.tint[kept], axis=0) - np.median(then.tint[kept], axis=0)
    toned = SurfaceColors(now.lightness / np.float32(np.clip(tone, config.least_tone, config.most_tone)),
                          np.asarray(now.tint - shift, np.float32))  # fmt: skip
    strange = _strange(toned, then, kept, diagonal, config)
    least = max(config.blob_px, round(config.blob_share * kept.size))
    cut = cv2.morphologyEx((strange & kept).astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(cut, connectivity=8)
    marks = tuple(
        (int(left), int(top), int(left + width), int(top + height))
        for left, top, width, height, area in stats[1:]
        if area >= least
    )
    reach = round(diagonal * config.shift_share)
    edges = _edges_kept(before, after, staying, reach, config)
    in_place = _in_place(before, after, still, reach, config)
    return SceneMarks(tone, float(np.hypot(*shift)), float(strange[kept].mean()), marks, edges, in_place)


def _strange(now: SurfaceColors, then: SurfaceColors, kept: Flags, diagonal: float, config: MarksConfig) -> Flags:
    """Which pixels have another hue than before, or are darker or lighter than shadows make them."""
    near = 2 * round(config.near_share * diagonal) + 1
    lightest = cv2.dilate(np.where(kept, then.lightness, 0).astype(np.float32), np.ones((near, near), np.uint8))
    lit = now.lightness > config.most_light * np.maximum(lightest, then.lightness)
    reach = round(diagonal * config.shift_share)
    off = np.full(now.lightness.shape, np.inf, np.float32)
    side = 2 * reach + 1
    darkest = cv2.erode(then.lightness, np.ones((side, side), np.uint8))
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            moved = np.roll(then.tint, (down, across), axis=(0, 1))
            off = np.asarray(np.minimum(off, np.hypot(*(now.tint - moved).transpose(2, 0, 1))), np.float32)
    dark = now.lightness < config.least_light * darkest
    return np.asarray((off > config.tint_reach) | lit | dark)


def _edges_kept(
    before: NDArray[np.uint8], after: NDArray[np.uint8], staying: Flags, reach: int, config: MarksConfig
) -> float | None:
    if not staying.any():
        return None
    then, now = _gradients(before), _gradients(after)
    length = np.sqrt((then**2).sum(axis=2))
    rows, columns = np.nonzero(staying & (length >= np.quantile(length[staying], _EDGE_SHARE)))
    if len(rows) < _LEAST_EDGES:
        return None
    best = np.zeros(len(rows), np.float32)
    height, width = staying.shape
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            there = now[np.clip(rows + down, 0, height - 1), np.clip(columns + across, 0, width - 1)]
            best = np.maximum(best, (there * then[rows, columns]).sum(axis=1))
    return float((best >= config.least_edge * length[rows, columns] ** 2).mean())


def _gradients(picture: NDArray[np.uint8]) -> Floats:
    """Gradients of the three channels, across and down: (H, W, 6)."""
    channels = picture.astype(np.float32)
    return np.concatenate([cv2.Sobel(channels, cv2.CV_32F, 1, 0), cv2.Sobel(channels, cv2.CV_32F, 0, 1)], axis=2)


def _in_place(
    before: NDArray[np.uint8], after: NDArray[np.uint8], still: Flags, reach: int, config: MarksConfig
) -> float | None:
    """The share of the features that both pictures have that did not move."""
    then, now = (find_features(picture, still, config.features) for picture in (before, after))
    first, second = matched_features(then, now, config.features)
    if len(first) < config.features.least_matches:
        return None
    return float((np.hypot(*(second - first).T) <= 2 * reach + 1).mean())


def staying_places(before: list[Flags], after: list[Flags], least: float = 0.5) -> list[Flags]:
    """Which of the masks before have one after that covers it, by intersection over union."""
    return [one for one in before if any(_overlap(one, other) >= least for other in after)]


def _overlap(one: Flags, other: Flags) -> float:
    both = int(np.count_nonzero(one | other))
    return np.count_nonzero(one & other) / both if both else 0.0


def around(masks: list[Flags], by: int, shape: tuple[int, int]) -> Flags:
    """The union of masks, grown by some pixels; an empty one of this shape without any."""
    union = np.zeros(shape, np.bool_)
    for mask in masks:
        union |= mask
    return grown(union, by)
