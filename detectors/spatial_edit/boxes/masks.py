"""Which pixels have the paint of which kind of box, whatever light falls on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import linear_rgb, oklab
from detectors.spatial_edit.boxes.config import PaintConfig, PartsConfig
from detectors.spatial_edit.boxes.findings import BoxKind

_PAIRED = 1000  # not a threshold: makes one number of two steps of a tint, of which there are fewer


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
    traces
        For each kind the share of its chroma that a pixel has of just its hue: 0 for what has none, 1 for its paint,
        less for paint that one can see through; (H, W) float32.
    """

    members: tuple[NDArray[np.float32], ...]
    kinds: NDArray[np.int16]
    linear: NDArray[np.float32]
    traces: tuple[NDArray[np.float32], ...]


@dataclass(frozen=True)
class PaintPart:
    """A connected part of a paint.

    Attributes
    ----------
    mask
        Its pixels, (H, W).
    member
        How much each pixel of the picture has its paint, (H, W) float32 from 0 to 1.
    strength
        The share of the paint's chroma that it has; below 1 for what one can see through.
    """

    mask: NDArray[np.bool_]
    member: NDArray[np.float32]
    strength: float


def tint(lab: NDArray[np.float32], config: PaintConfig) -> NDArray[np.float32]:
    """Returns a and b over lightness, (..., 2): the same in light and in shadow, as both scale linear RGB alike."""
    return np.asarray(lab[..., 1:] / np.maximum(lab[..., :1], config.dark), np.float32)


def has_hue(color: tuple[int, int, int], config: PaintConfig) -> bool:
    """Tells whether a paint, RGB 0 to 255, has a hue by which it can be told from others and from grey."""
    paint = tint(oklab(np.array([[color]], np.uint8)), config)[0, 0]
    return float(np.hypot(*paint)) >= config.least_chroma


def paint_map(picture: NDArray[np.uint8], kinds: tuple[BoxKind, ...], config: PaintConfig) -> PaintMap:
    """Tells paints apart by their hue and chroma.

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
        If the paint of a kind has no hue, or two paints can not be told apart.
    """
    paints = tint(oklab(np.array([[kind.color for kind in kinds]], np.uint8)), config)[0]
    for kind in kinds:
        if not has_hue(kind.color, config):
            raise ValueError(f"the paint of {kind.label} has no hue to tell it by: {kind.color}")
    pair = alike_paints([kind.color for kind in kinds], config)
    if pair is not None:
        raise ValueError(f"the paints of {kinds[pair[0]].label} and {kinds[pair[1]].label} are too much alike")
    smooth = np.asarray(cv2.GaussianBlur(picture, (0, 0), config.smooth_px), np.uint8)
    tints = tint(oklab(smooth), config)
    distances = np.stack([_distance(tints, paint) for paint in paints])
    grounds = _grounds(tints, distances.min(axis=0), config)
    away = np.stack([_distance(tints, ground) for ground in grounds]).min(axis=0)
    members = []
    belongs = np.full(picture.shape[:2], -1, np.int16)
    for index, paint in enumerate(paints):
        others = np.concatenate([distances[:index], distances[index + 1 :], away[None]]).min(axis=0)
        own = distances[index]
        member = np.asarray(others**2 / np.maximum(others**2 + own**2, np.float32(1e-9)), np.float32)
        members.append(member)
        belongs[(member > 0.5) & (own < config.hue_reach * np.hypot(*paint))] = index
    traces = tuple(_trace(tints, paint, grounds, config) for paint in paints)
    return PaintMap(tuple(members), belongs, linear_rgb(picture), traces)


def _trace(
    tints: NDArray[np.float32], paint: NDArray[np.float32], grounds: NDArray[np.float32], config: PaintConfig
) -> NDArray[np.float32]:
    found = []
    for ground in grounds:
        way = paint - ground
        length = np.float32(np.hypot(*way))
        along = ((tints[..., 0] - ground[0]) * way[0] + (tints[..., 1] - ground[1]) * way[1]) / length**2
        aside = ((tints[..., 0] - ground[0]) * way[1] - (tints[..., 1] - ground[1]) * way[0]) / length**2
        found.append(along - config.other_hue * np.abs(aside))
    return np.asarray(np.clip(np.minimum.reduce(found), 0, 1), np.float32)


def _distance(tints: NDArray[np.float32], paint: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.hypot(tints[..., 0] - paint[0], tints[..., 1] - paint[1]), np.float32)


def _grounds(tints: NDArray[np.float32], to_paint: NDArray[np.float32], config: PaintConfig) -> NDArray[np.float32]:
    """Returns tints of what is no box, (k, 2): grey, and those that are frequent and nearer to it than to a paint."""
    grey = np.zeros(2, np.float32)
    dull = tints[_distance(tints, grey) < to_paint]
    steps = np.floor(dull / config.ground_step).astype(np.int64)
    _, inverse, counts = np.unique(steps[:, 0] * _PAIRED + steps[:, 1], return_inverse=True, return_counts=True)
    least = config.ground_share * tints.shape[0] * tints.shape[1]
    frequent = [index for index, count in enumerate(counts) if count >= least]
    return np.stack([grey, *(np.median(dull[inverse == index], axis=0).astype(np.float32) for index in frequent)])


def alike_paints(colors: Sequence[tuple[int, int, int]], config: PaintConfig) -> tuple[int, int] | None:
    """Returns the first two of some paints, RGB from 0 to 255, that are too much alike to be told apart, or None."""
    paints = tint(oklab(np.array([colors], np.uint8)), config)[0]
    for index, paint in enumerate(paints):
        for other in range(index):
            if float(np.hypot(*(paint - paints[other]))) < config.least_difference:
                return other, index
    return None


def paint_parts(paint: PaintMap, kind: int, config: PartsConfig) -> tuple[PaintPart, ...]:
    """Returns the connected parts of a kind's pixels; small ones are left out.

    Parts that are solid come first, the largest before the others. Then come parts that have the hue, but for the most
    part not the chroma; these may have pixels of the solid ones, too.
    """
    solid = _connected(paint.kinds == kind, config.bridge_px, config)
    return (
        *(PaintPart(mask, paint.members[kind], _strength(paint.traces[kind], mask)) for mask in solid),
        *_faint_parts(paint, kind, config),
    )


def _faint_parts(paint: PaintMap, kind: int, config: PartsConfig) -> tuple[PaintPart, ...]:
    trace = paint.traces[kind]
    # Smeared hues lie around all that has paint.
    near = grown((paint.kinds >= 0) & (paint.kinds != kind), config.smear_px)
    found = []
    for mask in _connected((trace >= config.least_trace) & ~near, config.faint_bridge_px, config):
        if (paint.kinds[mask] == kind).mean() >= config.solid_share:
            continue
        strength = _strength(trace, mask)
        member = np.asarray(np.minimum(trace / np.float32(strength), 1), np.float32)
        # Up to where half of its paint is left.
        rim = np.asarray(grown(mask, config.rim_px) & (member > 0.5) & ~near, np.bool_)
        if rim.any():
            found.append(PaintPart(rim, member, strength))
    return tuple(found)


def grown(mask: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
    """Grows a mask by some pixels all around, diagonals too."""
    return cv2.dilate(mask.astype(np.uint8), np.ones((2 * by + 1, 2 * by + 1), np.uint8)).astype(bool)


def _strength(trace: NDArray[np.float32], mask: NDArray[np.bool_]) -> float:
    return float(np.median(trace[mask]))


def _connected(mask: NDArray[np.bool_], bridge: int, config: PartsConfig) -> tuple[NDArray[np.bool_], ...]:
    # Narrow bridges, as at smeared edges, are cut.
    cut = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((bridge, bridge), np.uint8))
    # not a threshold: 4 neighbours, as parts that meet in a corner are two
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cut, connectivity=4)
    order = sorted(range(1, count), key=lambda part: (-int(stats[part, cv2.CC_STAT_AREA]), part))
    return tuple(labels == part for part in order if stats[part, cv2.CC_STAT_AREA] >= config.least_area)
