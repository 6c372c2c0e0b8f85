"""Whether what lies outside of the edited objects still looks as before: its tone, its edges, and nothing drawn on it.

Light and shadow may change: an object that goes takes its shadow along. So a pixel may become darker or lighter, within
what shadows do, but not of another hue.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.scene.colors import Flags, Floats, SurfaceColors, grown
from detectors.spatial_edit.scene.config import KeptEdgesConfig, MarksConfig
from detectors.spatial_edit.viewpoint.turning import find_features, matched_features

_BLACK = 1e-3  # not a threshold: guards a division by lightness


@dataclass(frozen=True, eq=False)
class Shown:
    """A picture, (H, W, 3) uint8 RGB, with the colours of its surfaces."""

    picture: NDArray[np.uint8]
    colors: SurfaceColors


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
        """Tells whether the picture as a whole looks otherwise."""
        return (
            not config.tone.least <= self.tone <= config.tone.most
            or self.tone_tint > config.tone.tint
            or self.strange > config.most_strange
            or (self.edges is not None and self.edges < config.edges.least)
            or (self.staying is not None and self.staying < config.least_staying)
        )


def find_marks(
    before: Shown,
    after: Shown,
    kept: Flags,
    staying: Flags,
    still: Flags,
    config: MarksConfig,
) -> SceneMarks | None:
    """Compares what should have stayed.

    Parameters
    ----------
    before, after : Shown
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
    then, now = before.colors, after.colors
    tone = float(np.median(now.lightness[kept]) / max(float(np.median(then.lightness[kept])), _BLACK))
    shift = np.median(now.tint[kept], axis=0) - np.median(then.tint[kept], axis=0)
    light = np.float32(np.clip(tone, config.tone.least, config.tone.most))
    toned = replace(now, lightness=now.lightness / light, tint=np.asarray(now.tint - shift, np.float32))
    strange = _strange(toned, then, kept, diagonal, config)
    least = max(config.blob_px, round(config.blob_share * kept.size))
    line = np.ones((config.line_px, config.line_px), np.uint8)
    cut = cv2.morphologyEx((strange & kept).astype(np.uint8), cv2.MORPH_OPEN, line)
    # not a threshold: 8 neighbours, as thin lines go on across corners
    _, _, stats, _ = cv2.connectedComponentsWithStats(cut, connectivity=8)
    marks = tuple(
        (int(left), int(top), int(left + width), int(top + height))
        for left, top, width, height, area in stats[1:]
        if area >= least
    )
    reach = round(diagonal * config.shift_share)
    edges = _edges_kept(before.picture, after.picture, staying, reach, config.edges)
    in_place = _in_place(before.picture, after.picture, still, reach, config)
    return SceneMarks(tone, float(np.hypot(*shift)), float(strange[kept].mean()), marks, edges, in_place)


def _strange(now: SurfaceColors, then: SurfaceColors, kept: Flags, diagonal: float, config: MarksConfig) -> Flags:
    """Tells which pixels have another hue than before, or are darker or lighter than shadows make them."""
    near = 2 * round(config.near_share * diagonal) + 1
    lightest = cv2.dilate(np.where(kept, then.lightness, 0).astype(np.float32), np.ones((near, near), np.uint8))
    lit = now.lightness > config.most_light * np.maximum(lightest, then.lightness)
    reach = round(diagonal * config.shift_share)
    side = 2 * reach + 1
    darkest = cv2.erode(then.lightness, np.ones((side, side), np.uint8))
    dark = now.lightness < config.least_light * darkest
    return np.asarray(_of_another_hue(now.tint, then.tint, reach, config.tint_reach) | lit | dark)


def _of_another_hue(now: Floats, then: Floats, reach: int, most: float) -> Flags:
    """Tells where no pixel before within reach, to each side, has the tint of a pixel now."""
    height, width = now.shape[:2]
    now, then = now.reshape(-1, 2), then.reshape(-1, 2)
    around_it = range(-reach, reach + 1)
    rest = np.arange(height * width)
    # Nearly all pixels stay where they are, so after the first look few are left to be looked for elsewhere.
    for down, across in ((0, 0), *itertools.product(around_it, around_it)):
        rows, columns = np.divmod(rest, width)
        there = (rows - down) % height * width + (columns - across) % width
        off = np.hypot(*(now[rest] - then[there]).T).astype(np.float32)
        rest = rest[off > most]
    other = np.zeros(height * width, np.bool_)
    other[rest] = True
    return other.reshape(height, width)


def _edges_kept(
    before: NDArray[np.uint8], after: NDArray[np.uint8], staying: Flags, reach: int, config: KeptEdgesConfig
) -> float | None:
    if not staying.any():
        return None
    then, now = _gradients(before), _gradients(after)
    length = np.sqrt((then**2).sum(axis=2))
    rows, columns = np.nonzero(staying & (length >= np.quantile(length[staying], config.strong)))
    if len(rows) < config.fewest:
        return None
    best = np.zeros(len(rows), np.float32)
    height, width = staying.shape
    for down in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            there = now[np.clip(rows + down, 0, height - 1), np.clip(columns + across, 0, width - 1)]
            best = np.maximum(best, (there * then[rows, columns]).sum(axis=1))
    return float((best >= config.strength * length[rows, columns] ** 2).mean())


def _gradients(picture: NDArray[np.uint8]) -> Floats:
    """Returns the gradients of the three channels, across and down: (H, W, 6)."""
    channels = picture.astype(np.float32)
    return np.concatenate([cv2.Sobel(channels, cv2.CV_32F, 1, 0), cv2.Sobel(channels, cv2.CV_32F, 0, 1)], axis=2)


def _in_place(
    before: NDArray[np.uint8], after: NDArray[np.uint8], still: Flags, reach: int, config: MarksConfig
) -> float | None:
    """Returns the share of the features that both pictures have that did not move."""
    then, now = (find_features(picture, still, config.features) for picture in (before, after))
    first, second = matched_features(then, now, config.features)
    if len(first) < config.features.least_matches:
        return None
    return float((np.hypot(*(second - first).T) <= 2 * reach + 1).mean())


def staying_places(before: list[Flags], after: list[Flags], least: float) -> list[Flags]:
    """Returns the masks before that have one after with at least this intersection over union."""
    return [one for one in before if any(mask_overlap(one, other) >= least for other in after)]


def mask_overlap(one: Flags, other: Flags) -> float:
    """Intersection over union of two masks; 0 of empty ones."""
    both = int(np.count_nonzero(one | other))
    return np.count_nonzero(one & other) / both if both else 0.0


def around(masks: list[Flags], by: int, shape: tuple[int, int]) -> Flags:
    """Returns the union of masks, grown by some pixels; an empty one of this shape without any."""
    union = np.zeros(shape, np.bool_)
    for mask in masks:
        union |= mask
    return grown(union, by)
