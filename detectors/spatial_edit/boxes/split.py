"""Two boxes of one paint and size that look like one: places for both are tried."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.config import OutlineConfig, SplitConfig
from detectors.spatial_edit.boxes.findings import BoxView
from detectors.spatial_edit.boxes.geometry import (
    NUMBERS,
    FloatArray,
    Rows,
    corners_of,
    entry_depth,
    onto_table,
    project,
)
from detectors.spatial_edit.boxes.outline import Outline, filled, outline_of


def split_rows(
    outline: Outline, row: FloatArray, view: BoxView, config: SplitConfig
) -> tuple[FloatArray, FloatArray] | None:
    """Returns two rows of the size of ``row`` (9,) that cover an outline better than any one, or ``None``.

    Both stand on the row's table, and apart.
    """
    rows = _places(outline, row, view, config)
    mask = _small(outline.mask, config)
    allowed = mask | _small(outline.hidden, config)
    kept, covers = [], []
    for candidate in rows:
        # Drawn at full size, for a rim of half a coarse pixel is much of a small box.
        cover = _small(filled(candidate, view), config)
        area = int(cover.sum())
        if area and (cover & allowed).sum() >= config.inside * area:
            kept.append(candidate)
            covers.append(cover[mask])
    if len(kept) < 2:
        return None
    # Those that cover most first; the sort is stable, so that ties keep the order of the places.
    order = np.argsort([-int(cover.sum()) for cover in covers], kind="stable")[: config.most]
    bits = np.stack([covers[index] for index in order]).astype(np.int32)
    areas = bits.sum(axis=1)
    common = np.einsum("ip,jp->ij", bits, bits)
    union = areas[:, None] + areas[None, :] - common
    places = np.array([kept[index][:2] for index in order])
    reach = min(math.exp(row[3]), math.exp(row[5]))
    near = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) < reach
    union[near] = 0
    first, second = np.unravel_index(int(union.argmax()), union.shape)
    if union[first, second] < areas.max() + config.cover_gain * mask.sum():
        return None
    pair = (kept[order[first]], kept[order[second]])
    return _settled(pair, outline, view, config)


def _settled(
    pair: tuple[FloatArray, FloatArray], outline: Outline, view: BoxView, config: SplitConfig
) -> tuple[FloatArray, FloatArray]:
    """Moves and turns both by smaller and smaller steps for as long as they cover the outline better."""
    rows = [pair[0], pair[1]]
    covers = [filled(row, view) for row in rows]
    best = _gain(covers[0] | covers[1], outline)
    steps = np.array([config.step_m, config.step_m, math.pi / config.yaws])
    for _ in range(config.halvings):
        steps = steps / 2
        for index in (0, 1):
            for number in range(3):
                for sign in (1.0, -1.0):
                    tried = rows[index].copy()
                    tried[number] += sign * steps[number]
                    cover = filled(tried, view)
                    gain = _gain(cover | covers[1 - index], outline)
                    if gain > best:
                        rows[index], covers[index], best = tried, cover, gain
    return rows[0], rows[1]


def _gain(cover: NDArray[np.bool_], outline: Outline) -> int:
    return int((cover & outline.mask).sum()) - int((cover & ~outline.mask & ~outline.hidden).sum())


def shares(
    pair: tuple[FloatArray, FloatArray], outline: Outline, view: BoxView, config: OutlineConfig
) -> tuple[Outline, Outline]:
    """Divides an outline between two boxes: each pixel goes to the box that is nearer there.

    What neither covers goes to that whose middle is nearer. Each box may be hidden by the other.
    """
    rows, columns = np.nonzero(outline.mask)
    pixels = np.stack([columns, rows], axis=1).astype(np.float64) + 0.5
    depths = np.stack([entry_depth(row, pixels, view) for row in pair])
    middles = [project(corners_of(row[None])[0].mean(axis=0), view) for row in pair]
    aside = np.stack([np.hypot(*(pixels - middle).T) for middle in middles])
    neither = ~np.isfinite(depths).any(axis=0)
    to_first = np.where(neither, aside[0] <= aside[1], depths[0] <= depths[1])
    found = []
    for own in (to_first, ~to_first):
        mask = np.zeros_like(outline.mask)
        mask[rows[own], columns[own]] = True
        # An empty share would have no outline; the whole one is then the worse, which is meant.
        found.append(outline_of(mask if own.any() else outline.mask, outline.hidden | (outline.mask & ~mask), config))
    return found[0], found[1]


def _places(outline: Outline, row: FloatArray, view: BoxView, config: SplitConfig) -> Rows:
    """Returns rows at all places of a grid on the table whose middle lies on the paint, at several yaws."""
    height = math.exp(row[4])
    contours, _ = cv2.findContours(outline.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    points = np.concatenate([contour[:, 0] for contour in contours]).astype(np.float64) + 0.5
    on_table = onto_table(points, row, view, height / 2)
    low, high = on_table.min(axis=0), on_table.max(axis=0)
    step = config.step_m
    found = []
    for right in np.arange(low[0], high[0] + step, step):
        for away in np.arange(low[1], high[1] + step, step):
            at = row.copy()
            at[:2] = right, away
            middle = project(corners_of(at[None])[0].mean(axis=0), view)
            x, y = int(middle[0]), int(middle[1])
            if 0 <= x < view.width and 0 <= y < view.height and (outline.mask | outline.hidden)[y, x]:
                for turn in range(config.yaws):
                    turned = at.copy()
                    turned[2] = math.pi * turn / config.yaws
                    found.append(turned)
    return np.stack(found) if found else np.zeros((0, NUMBERS))


def _small(mask: NDArray[np.bool_], config: SplitConfig) -> NDArray[np.bool_]:
    coarse = config.coarse_px
    return mask[coarse // 2 :: coarse, coarse // 2 :: coarse]
