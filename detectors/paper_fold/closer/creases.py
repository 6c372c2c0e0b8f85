"""What is drawn along creases and is no crease: letters that stand on it, dots, ends of strokes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median, quantile
from detectors.common.residual.mixing import channel_medians, contrasts, seen
from detectors.paper_fold.closer.config import CreaseConfig
from detectors.paper_fold.holes import Blot, BlotKind, Disc
from detectors.paper_fold.sheet import BareSheet

Line = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True, eq=False)
class CreaseStrip:
    """What is looked at along a crease, a row for each distance from it.

    Attributes
    ----------
    x, y : (h, w) float32, in pixels of the view
    hidden : (h, w) bool, where another crease, or the sheet's edge is
    area : (h, w) int, the place in the sheet's `areas` of each pixel: a folded sheet shows both sides of the paper
    is_line : whether a line was seen to go along it
    """

    x: NDArray[np.float32]
    y: NDArray[np.float32]
    hidden: NDArray[np.bool_]
    area: NDArray[np.intp]
    is_line: bool = False


@dataclass(frozen=True, eq=False)
class CreaseStrips:
    """Strips along creases in a view; it depends on the puzzle alone.

    Attributes
    ----------
    strips : one a crease that is longer than wide
    x, y : (h, n) float32, where all of them are, side by side, each continued by some mirrored pixels at its ends
    """

    strips: tuple[CreaseStrip, ...]
    x: NDArray[np.float32]
    y: NDArray[np.float32]


_MIRRORED = 2  # not a threshold: pixels that a blur reaches
_MOST_OTHER = 0.3  # not a threshold: with more of another colour, a strip is quicker looked at as others are


def strips_of(sheet: BareSheet, scale: float, config: CreaseConfig, seen_lines: int = 0) -> CreaseStrips:
    """Strips along the creases of a sheet, for views that have so many pixels for one of the puzzle's picture.

    Along so many of the last ones a line was seen.
    """
    lines = [_scaled(one, sheet.factor * scale) for one in sheet.creases]
    radius = sheet.radius * sheet.factor * scale
    reach = (sheet.config.marks.crease_aside + sheet.config.marks.crease) * radius + sheet.config.marks.crease_px
    reach = config.reach * reach + config.reach_px
    found = []
    for at, line in enumerate(lines):
        length = math.dist(*line)
        if length >= 2 * reach:  # not a threshold: longer than wide
            x, y = _along(line, length, reach)
            others = [one for other, one in enumerate(lines) if other != at]
            is_line = at >= len(lines) - seen_lines
            rows, columns = _working_pixels(x, y, sheet, scale)
            hidden = _hidden(x, y, sheet, (rows, columns), others, config)
            found.append(CreaseStrip(x, y, hidden, sheet.area_of[rows, columns], is_line))
    pad = ((0, 0), (_MIRRORED, _MIRRORED))
    beside = [np.zeros((2 * math.ceil(reach) + 1, 0), np.float32)]
    x, y = (
        np.concatenate(beside + [np.pad(one, pad, mode="reflect") for one in parts], axis=1)
        for parts in ([one.x for one in found], [one.y for one in found])
    )
    return CreaseStrips(tuple(found), x, y)


def find_on_creases(
    view: NDArray[np.uint8], scale: float, strips: CreaseStrips, radius: float, discs: Sequence[Disc],
    config: CreaseConfig,
) -> tuple[Blot, ...]:  # fmt: skip
    """Marks on creases.

    Parameters
    ----------
    view : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the puzzle's frame, larger than the sheet's working frame...
    scale : float
        ...with so many pixels for one of the puzzle's picture.
    strips : CreaseStrips
    radius : float
        Of a hole, in pixels of the view.
    discs : sequence of Disc
        In pixels of the puzzle's picture.
    config : CreaseConfig
    """
    if not strips.strips:
        return ()
    shown = cv2.remap(view, strips.x, strips.y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = np.asarray(cv2.GaussianBlur(shown, (0, 0), config.smooth_px), np.uint8)
    # A pixel's colour as one number; in most pictures that models make hardly any is that of its neighbour.
    flat = cv2.cvtColor(smooth, cv2.COLOR_RGB2RGBA).view(np.uint32)[..., 0]
    is_flat = 2 * np.count_nonzero(flat[:, 1:] == flat[:, :-1]) > flat.size  # not a threshold: most of them
    found = []
    start = 0
    holes = np.array([(*one.center, one.radius) for one in discs], np.float64).reshape(-1, 3) * scale
    for one in strips.strips:
        x, y = one.x, one.y
        start += _MIRRORED
        here = slice(start, start + x.shape[1])
        start += x.shape[1] + _MIRRORED
        if is_flat and _is_bare(flat[:, here], one, holes, config):
            continue
        foreign = _foreign(seen(np.ascontiguousarray(smooth[:, here])), _with_holes(one, holes, config), one, config)
        if np.count_nonzero(foreign) < config.least * math.pi * radius**2:
            continue
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


def _is_bare(flat: NDArray[np.uint32], strip: CreaseStrip, holes: NDArray[np.float64], config: CreaseConfig) -> bool:
    """Whether a strip has one and the same colour, (h, w), wherever neither an edge nor a hole (x, y, radius) is.

    Then nothing is drawn on it. A picture that was made by a program, and not by a model, tells so at once.
    """
    other = np.flatnonzero((flat != flat[0, 0]) & ~strip.hidden)
    if not other.size:
        return True
    if other.size > _MOST_OTHER * flat.size:
        return False
    near, _ = _near(strip, holes, config)
    off_x = strip.x.ravel()[other][:, None] - holes[near, 0]
    off_y = strip.y.ravel()[other][:, None] - holes[near, 1]
    return bool((off_x * off_x + off_y * off_y <= _reach(holes[near], config) ** 2).any(axis=1).all())


def _reach(holes: NDArray[np.float64], config: CreaseConfig) -> NDArray[np.float64]:
    """How far from its middle each hole hides what is there."""
    return config.own * holes[:, 2] + config.own_px


def _near(
    strip: CreaseStrip, holes: NDArray[np.float64], config: CreaseConfig
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Which holes hide some of a strip, or nearly, and how far along the strip each of all is."""
    x, y = strip.x, strip.y
    middle = len(x) // 2
    off = holes[:, :2] - (float(x[middle, 0]), float(y[middle, 0]))
    dx, dy = float(x[middle, 1] - x[middle, 0]), float(y[middle, 1] - y[middle, 0])
    along, beside = off[:, 0] * dx + off[:, 1] * dy, np.abs(off[:, 1] * dx - off[:, 0] * dy)
    reach = _reach(holes, config)
    # not a threshold: a pixel beyond it
    near = (beside <= reach + middle + 1) & (along >= -reach - 1) & (along <= reach + x.shape[1] + 1)
    return np.flatnonzero(near), along


def _with_holes(strip: CreaseStrip, holes: NDArray[np.float64], config: CreaseConfig) -> NDArray[np.bool_]:
    """What of a strip is hidden, by holes (x, y, radius), (n, 3), too."""
    x, y, hidden = strip.x, strip.y, strip.hidden.copy()
    near, along = _near(strip, holes, config)
    reach = _reach(holes, config)
    for at in near.tolist():
        far = float(reach[at])
        part = slice(max(0, int(along[at] - far) - 1), int(along[at] + far) + 2)  # not a threshold: the same
        away = (x[:, part] - holes[at, 0]) ** 2 + (y[:, part] - holes[at, 1]) ** 2
        hidden[:, part] |= away <= far**2
    return hidden


def _foreign(
    shown: NDArray[np.float32], hidden: NDArray[np.bool_], strip: CreaseStrip, config: CreaseConfig
) -> NDArray[np.bool_]:
    """What is drawn on a strip, the crease along its rows' middle, and is neither a line along it nor a part of one."""
    clear = ~hidden
    if not clear.any():
        return np.zeros(hidden.shape, np.bool_)
    outer = clear.copy()
    outer[config.beside_px : -config.beside_px] = False
    at = np.flatnonzero(outer)
    away = np.zeros(hidden.shape, np.float32)
    for place in np.unique(strip.area[clear]).tolist():
        own = strip.area == place
        told = np.flatnonzero(outer & own)
        told = told if told.size else np.flatnonzero(clear & own)
        paper = channel_medians(shown.reshape(-1, 3).take(told, axis=0))
        away = np.where(own, contrasts(shown, paper), away)
    noise = quantile(away.ravel()[at], config.usual) if at.size else 0.0
    drawn = (away > max(config.drawn, config.noise * noise)) & clear
    across = drawn.any(axis=0)
    seen_at = clear.any(axis=0)
    if not across.any():
        return drawn
    if not strip.is_line and across.sum() < config.line * max(1, int(seen_at.sum())):
        return drawn
    # A line: where it is, and how wide, as most of it is.
    rows = np.arange(len(drawn))[:, None]
    first, last = drawn.argmax(axis=0), len(drawn) - 1 - drawn[::-1].argmax(axis=0)
    middle = median((first + last)[across]) / 2  # not a threshold: between its two sides
    half = median((last - first + 1)[across]) / 2  # not a threshold: half of its width
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


def _working_pixels(
    x: NDArray[np.float32], y: NDArray[np.float32], sheet: BareSheet, scale: float
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Row and column in the sheet's working frame of pixels of a view, or of the nearest there."""
    shrunk = 1.0 / (scale * sheet.factor)
    height, width = sheet.inside.shape
    columns = np.clip(((x + 0.5) * shrunk).astype(np.intp), 0, width - 1)  # not a threshold: the middle of a pixel
    rows = np.clip(((y + 0.5) * shrunk).astype(np.intp), 0, height - 1)  # not a threshold: the same
    return rows, columns


def _hidden(
    x: NDArray[np.float32], y: NDArray[np.float32], sheet: BareSheet,
    working: tuple[NDArray[np.intp], NDArray[np.intp]], others: Sequence[Line], config: CreaseConfig,
) -> NDArray[np.bool_]:  # fmt: skip
    """Where another crease, or the sheet's edge is."""
    hidden = ~sheet.inside[working] | (sheet.edge_distance[working] <= sheet.config.paper.reach_px)
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
