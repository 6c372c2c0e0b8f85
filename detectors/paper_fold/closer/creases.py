"""What is drawn along creases and is no crease: letters that stand on it, dots, ends of strokes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import lengths, seen
from detectors.paper_fold.closer.config import CreaseConfig
from detectors.paper_fold.holes import Blot, BlotKind, Disc
from detectors.paper_fold.sheet import BareSheet

Line = tuple[tuple[float, float], tuple[float, float]]


def find_on_creases(
    view: NDArray[np.uint8], sheet: BareSheet, discs: Sequence[Disc], config: CreaseConfig
) -> tuple[Blot, ...]:
    """Marks on creases.

    Parameters
    ----------
    view : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the puzzle's frame, larger than the sheet's working frame.
    sheet : BareSheet
    discs : sequence of Disc
        In pixels of the puzzle's picture.
    config : CreaseConfig
    """
    scale = view.shape[1] / sheet.size[0]
    lines = [_scaled(one, sheet.factor * scale) for one in sheet.creases]
    radius = sheet.radius * sheet.factor * scale
    reach = (sheet.config.marks.crease_aside + sheet.config.marks.crease) * radius + sheet.config.marks.crease_px
    reach = config.reach * reach + config.reach_px
    found = []
    for at, line in enumerate(lines):
        length = math.dist(*line)
        if length < 2 * reach:  # not a threshold: longer than wide
            continue
        x, y = _along(line, length, reach)
        strip = cv2.remap(view, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        strip = seen(np.asarray(cv2.GaussianBlur(strip, (0, 0), config.smooth_px), np.uint8))
        hidden = _hidden(x, y, sheet, scale, discs, [one for other, one in enumerate(lines) if other != at], config)
        foreign = _foreign(strip, hidden, config)
        # not a threshold: neighbours hang together at corners, too
        count, labels, stats, _ = cv2.connectedComponentsWithStats(foreign.astype(np.uint8), connectivity=8)
        for part in range(1, count):
            if stats[part, cv2.CC_STAT_AREA] >= config.least * math.pi * radius**2:
                here = labels == part
                left, top, right, bottom = (
                    float(value) / scale for value in (x[here].min(), y[here].min(), x[here].max(), y[here].max())
                )
                found.append(Blot(BlotKind.MARK, (left, top, right - left, bottom - top), float(here.sum()) / scale**2))
    return tuple(found)


def _foreign(strip: NDArray[np.float32], hidden: NDArray[np.bool_], config: CreaseConfig) -> NDArray[np.bool_]:
    """What is drawn on a strip, the crease along its rows' middle, and is neither a line along it nor a part of one."""
    clear = ~hidden
    if not clear.any():
        return np.zeros(hidden.shape, np.bool_)
    paper = np.median(strip[clear], axis=0).astype(np.float32)
    beside = np.zeros(hidden.shape, np.bool_)
    beside[: config.beside_px], beside[-config.beside_px :] = True, True
    if (beside & clear).any():
        paper = np.median(strip[beside & clear], axis=0).astype(np.float32)
    away = lengths(np.asarray(strip - paper, np.float32))
    noise = float(np.quantile(away[beside & clear], config.usual)) if (beside & clear).any() else 0.0
    drawn = (away > max(config.drawn, config.noise * noise)) & clear
    across = drawn.any(axis=0)
    seen_at = clear.any(axis=0)
    if not across.any():
        return drawn
    if across.sum() < config.line * max(1, int(seen_at.sum())):
        return drawn
    # A line: where it is, and how wide, as most of it is.
    rows = np.arange(len(drawn))[:, None]
    first, last = drawn.argmax(axis=0), len(drawn) - 1 - drawn[::-1].argmax(axis=0)
    middle = float(np.median((first + last)[across])) / 2  # not a threshold: between its two sides
    half = float(np.median((last - first + 1)[across])) / 2  # not a threshold: half of its width
    return np.asarray(drawn & (np.abs(rows - middle) > half + config.ragged_px), np.bool_)


def _along(line: Line, length: float, reach: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where the pixels of a strip along a line are: x and y, a row for each distance from it."""
    (x0, y0), (x1, y1) = line
    along = np.arange(0.0, length)[None, :]
    across = np.arange(-math.ceil(reach), math.ceil(reach) + 1.0)[:, None]
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    # not a threshold: centres of pixels lie at whole numbers there
    x, y = x0 - 0.5 + dx * along - dy * across, y0 - 0.5 + dy * along + dx * across
    return x.astype(np.float32), y.astype(np.float32)


def _hidden(
    x: NDArray[np.float32], y: NDArray[np.float32], sheet: BareSheet, scale: float, discs: Sequence[Disc],
    others: Sequence[Line], config: CreaseConfig,
) -> NDArray[np.bool_]:  # fmt: skip
    """Where a hole, another crease, or the sheet's edge is."""
    shrunk = 1.0 / (scale * sheet.factor)
    height, width = sheet.inside.shape
    at_x = np.clip(((x + 0.5) * shrunk).astype(np.intp), 0, width - 1)  # not a threshold: the middle of a pixel
    at_y = np.clip(((y + 0.5) * shrunk).astype(np.intp), 0, height - 1)  # not a threshold: the same
    hidden = ~sheet.inside[at_y, at_x] | (sheet.edge_distance[at_y, at_x] <= sheet.config.paper.reach_px)
    for one in discs:
        far = config.own * one.radius * scale + config.own_px
        hidden |= (x - one.center[0] * scale) ** 2 + (y - one.center[1] * scale) ** 2 <= far**2
    for (x0, y0), (x1, y1) in others:
        length = max(1.0, math.dist((x0, y0), (x1, y1)))
        beside = np.abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / length
        share = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length
        near = (share >= -config.cross_px) & (share <= length + config.cross_px)
        hidden |= near & (beside <= config.cross_px)
    return np.asarray(hidden, np.bool_)


def _scaled(line: Line, by: float) -> Line:
    (x0, y0), (x1, y1) = line
    return (x0 * by, y0 * by), (x1 * by, y1 * by)
