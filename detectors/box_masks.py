"""Which pixels have the paint of which kind of box, whatever light falls on them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.box_config import BoxesConfig
from detectors.box_findings import BoxKind
from detectors.colors import oklab

_SMOOTH_PX = 0.7  # the noise of single pixels is smoothed away before hues are compared
_DARK = 0.05  # lightness at which chroma no longer means anything


@dataclass(frozen=True)
class PaintMap:
    """Where the paints are.

    Attributes
    ----------
    members
        For each kind how much each pixel has its paint, (H, W) float32 from 0 to 1.
    kinds
        The index of the kind that each pixel belongs to, -1 for none: (H, W) int16.
    linear
        The picture in linear RGB, (H, W, 3) float32 from 0 to 1.
    """

    members: tuple[NDArray[np.float32], ...]
    kinds: NDArray[np.int16]
    linear: NDArray[np.float32]


def tint(lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a and b over lightness, (..., 2): the same in light and in shadow, as both scale linear RGB alike."""
    return np.asarray(lab[..., 1:] / np.maximum(lab[..., :1], _DARK), np.float32)


def has_hue(color: tuple[int, int, int], config: BoxesConfig) -> bool:
    """Whether a paint, RGB 0 to 255, has a hue by which it can be told from others and from grey."""
    paint = tint(oklab(np.array([[color]], np.uint8)))[0, 0]
    return float(np.hypot(*paint)) >= config.least_chroma


def paint_map(picture: NDArray[np.uint8], kinds: tuple[BoxKind, ...], config: BoxesConfig) -> PaintMap:
    """Tell paints apart by their hue and chroma.

    Parameters
    ----------
    picture
        (H, W, 3) uint8 RGB.
    kinds
        At least one.
    config
        Settings.

    Raises
    ------
    ValueError
        If the paint of a kind has no hue.
    """
    paints = tint(oklab(np.array([[kind.color for kind in kinds]], np.uint8)))[0]
    for kind in kinds:
        if not has_hue(kind.color, config):
            raise ValueError(f"the paint of {kind.label} has no hue to tell it by: {kind.color}")
    smooth = np.asarray(cv2.GaussianBlur(picture, (0, 0), _SMOOTH_PX), np.uint8)
    tints = tint(oklab(smooth))
    grounds = _grounds(tints, paints)
    away = np.stack([_distance(tints, ground) for ground in grounds]).min(axis=0)
    distances = np.stack([_distance(tints, paint) for paint in paints])
    members = []
    belongs = np.full(picture.shape[:2], -1, np.int16)
    for index, paint in enumerate(paints):
        others = np.concatenate([distances[:index], distances[index + 1 :], away[None]]).min(axis=0)
        own = distances[index]
        member = np.asarray(others**2 / np.maximum(others**2 + own**2, np.float32(1e-9)), np.float32)
        members.append(member)
        belongs[(member > 0.5) & (own < config.hue_reach * np.hypot(*paint))] = index
    steps = np.arange(256) / 255.0
    curve = np.where(steps <= 0.04045, steps / 12.92, ((steps + 0.055) / 1.055) ** 2.4).astype(np.float32)
    return PaintMap(tuple(members), belongs, curve[picture])


def _distance(tints: NDArray[np.float32], paint: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.hypot(tints[..., 0] - paint[0], tints[..., 1] - paint[1]), np.float32)


def _grounds(tints: NDArray[np.float32], paints: NDArray[np.float32]) -> NDArray[np.float32]:
    """Tints of what is not a box: grey, and the median of what is nearer to grey than to any paint."""
    grey = np.zeros(2, np.float32)
    to_paint = np.stack([_distance(tints, paint) for paint in paints]).min(axis=0)
    dull = tints[_distance(tints, grey) < to_paint]
    if not len(dull):
        return grey[None]
    return np.stack([grey, np.median(dull, axis=0).astype(np.float32)])


def components(paint: PaintMap, kind: int, config: BoxesConfig) -> tuple[NDArray[np.bool_], ...]:
    """Return the connected parts of a kind's pixels, each (H, W), the largest first; small ones are left out."""
    mask = (paint.kinds == kind).astype(np.uint8)
    # Bridges of one pixel, as at smeared edges, are cut.
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    order = sorted(range(1, count), key=lambda part: (-int(stats[part, cv2.CC_STAT_AREA]), part))
    return tuple(labels == part for part in order if stats[part, cv2.CC_STAT_AREA] >= config.least_area)
