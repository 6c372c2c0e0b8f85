"""Whether a marker of a maze is still the one that the puzzle has: by its shape, at any size near its own."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_maxima, distance_to, seen, seen_color
from detectors.maze.plan.floorplan import Floorplan, Marker
from detectors.maze.remainder.config import MarkerShapeConfig
from detectors.maze.shapes.outlines import is_uneven

_RIM_PX = 3  # not a threshold: wide enough for a blurred edge


def is_marker_gone(
    picture: NDArray[np.uint8],
    marker: Marker,
    floor_rgb: NDArray[np.float64],
    strokes: NDArray[np.bool_],
    plan: Floorplan,
    config: MarkerShapeConfig,
    through: NDArray[np.bool_] | None = None,
    line_px: float = 0.0,
) -> bool:
    """Whether in a marker's place there is nothing, another shape, or only a part of it.

    Its colour may be darker or paler, and its size and place a little different.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    marker : Marker
    floor_rgb : ndarray of shape (3,)
        The candidate's floor.
    strokes : ndarray of shape (h, w), bool
        The line that was read: what it hides tells nothing, unless that is nearly all.
    plan : Floorplan
    config : MarkerShapeConfig
    through : ndarray of shape (h, w), bool, optional
        Where a line that is not opaque shows markers through it (`seen_through`): that hides nothing, and has no shape.
    line_px : float
        Width of the line in working pixels.
    """
    shown = config.shown if through is None else config.least_shown
    if float((~strokes[marker.box])[marker.mask].mean()) < shown:
        return True
    height, width = marker.mask.shape
    blurs = max(config.blurs, int(config.blurred * max(height, width)))
    pad = round(0.5 * (config.step**config.sizes - 1.0) * max(height, width)) + config.shift_px + blurs + 1
    top, left = marker.top - pad, marker.left - pad
    rows = np.clip(np.arange(top, top + height + 2 * pad), 0, picture.shape[0] - 1)
    columns = np.clip(np.arange(left, left + width + 2 * pad), 0, picture.shape[1] - 1)
    window = np.ix_(rows, columns)
    shown_share = _share(picture[window], floor_rgb, marker)
    drawn = strokes if through is None else strokes | through
    hidden = (plan.walls | plan.outside | drawn)[window]
    weight = cv2.erode((~hidden).astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=1).astype(np.float32)
    weight[_written(shown_share, np.pad(marker.mask, pad), config)] = 0.0
    weight[_outline(picture[window], floor_rgb, marker, np.pad(marker.mask, pad), config)] = 0.0
    if through is not None:
        # The soft edge of a line is mixed with the marker, and so is all of a thin one.
        foreign = _is_foreign(picture[window], floor_rgb, marker) & np.pad(marker.mask, pad)
        fringe = foreign & (distance_to(drawn[window]) <= config.fringe_px)
        weight[fringe | _thin(foreign, drawn[window], line_px)] = 0.0
        # One that is paler all over, as in a picture of weaker colours, has its shape still.
        in_sight = np.pad(marker.mask, pad) & (weight > 0.0)
        _, aside, length = _mixture(picture[window], floor_rgb, marker)
        if in_sight.any() and float(np.median(aside[in_sight])) <= config.aside * length:
            shown_share = np.minimum(shown_share / max(float(np.median(shown_share[in_sight])), config.palest), 1.0)
    # Where a stroke hides most of a place, what little is in sight of it would be like a marker that is small.
    own = weight * np.pad(marker.mask, pad)
    if through is not None and float(own.sum()) < config.least_seen * np.count_nonzero(marker.mask):
        if float(through[marker.box][marker.mask].mean()) >= config.whole:
            return False  # all of it shows through the line
        # Of a small one beneath a wide line only edges are in sight, which have its colour and no shape.
        bare = np.pad(marker.mask, pad) & ~hidden
        return not bare.any() or float(np.median(shown_share[bare])) < 0.5  # not a threshold: nearer to the floor's
    if float((weight * shown_share).sum()) < config.shown * float(own.sum()):
        return True
    shape = marker.mask.astype(np.float32)
    whole = shown_share[np.pad(marker.mask, pad) & (weight > 0.0)]
    if through is not None and max(marker.mask.shape) < config.small_px and float(np.median(whole)) >= config.whole:
        # A pixel more or less makes much of the likeness of a few.
        config = replace(config, alike=config.small_alike)
    if _is_found(shown_share, weight, shape, config):
        return False
    # Much of a small marker are soft edges, which its mask has not.
    return not _is_found(shown_share, weight, _soft_shape(marker, plan), config)


def rim_over(
    picture: NDArray[np.uint8],
    marker: Marker,
    floor_rgb: NDArray[np.float64],
    strokes: NDArray[np.bool_],
    most: int,
    config: MarkerShapeConfig,
) -> int:
    """How many working pixels beside strokes over a marker have none of its colour: their rim; at most so many.

    Parameters as of `is_marker_gone`.
    """
    reach = most + 1
    rows, columns = marker.box
    window = (
        slice(max(0, rows.start - reach), rows.stop + reach),
        slice(max(0, columns.start - reach), columns.stop + reach),
    )
    top, left = rows.start - window[0].start, columns.start - window[1].start
    away = distance_to(strokes[window])[top : top + marker.mask.shape[0], left : left + marker.mask.shape[1]]
    share = _share(picture[marker.box], floor_rgb, marker)
    # not a threshold: the side of OpenCV's larger mask
    depth = cv2.distanceTransform(np.pad(marker.mask, 1).view(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    # not a threshold: at a marker's own edge it has less of its colour, and another shape has none of it
    inner = depth > max(1.0, 0.5 * float(depth.max()))
    width = 0
    for step in range(1, most + 1):
        ring = inner & (away > step - 0.5) & (away <= step + 0.5)
        # not a threshold: nearer to the floor's colour, or to none of both
        if not ring.any() or float((share[ring] < 0.5).mean()) < config.rimmed:
            break
        width = step
    return width


def _outline(
    picture: NDArray[np.uint8],
    floor_rgb: NDArray[np.float64],
    marker: Marker,
    mask: NDArray[np.bool_],
    config: MarkerShapeConfig,
) -> NDArray[np.bool_]:
    """What outlines a marker's mask in another colour, nearly all around it; nothing where it does not."""
    inked = mask.view(np.uint8)
    # not a threshold: a pixel to either side of the edge
    around = np.ones((3, 3), np.uint8)
    edge = cv2.dilate(inked, around) != cv2.erode(inked, around)
    wide = np.ones((2 * round(config.outline_px) + 1,) * 2, np.uint8)
    line = _is_foreign(picture, floor_rgb, marker) & (cv2.dilate(edge.view(np.uint8), wide) > 0)
    near = cv2.dilate(line.view(np.uint8), around) > 0
    # Within its outline there has to be a marker.
    left = float((~line)[mask].mean())
    outlined = left >= config.shown and float(near[edge].mean()) >= config.outlined
    return line if outlined else np.zeros_like(line)


def _thin(foreign: NDArray[np.bool_], drawn: NDArray[np.bool_], line_px: float) -> NDArray[np.bool_]:
    """What is foreign on a marker, no wider than a line, and hangs together with it."""
    side = 2 * math.ceil(0.5 * line_px + 1.0) + 1  # not a threshold: a pixel more to either side
    kernel = np.ones((side, side), np.uint8)
    wide = cv2.dilate(cv2.morphologyEx(foreign.view(np.uint8), cv2.MORPH_OPEN, kernel), np.ones((3, 3), np.uint8))
    thin = foreign & (wide == 0)
    near = cv2.dilate(drawn.view(np.uint8), np.ones((5, 5), np.uint8))  # not a threshold: its soft edge
    _, parts = cv2.connectedComponents(np.maximum(near, thin.view(np.uint8)), connectivity=8)
    return np.asarray(thin & np.isin(parts, np.unique(parts[drawn])), np.bool_)


def seen_through(
    picture: NDArray[np.uint8],
    marker: Marker,
    floor_rgb: NDArray[np.float64],
    stroke_rgb: NDArray[np.float64],
    strokes: NDArray[np.bool_],
    plan: Floorplan,
    config: MarkerShapeConfig,
) -> NDArray[np.bool_]:
    """(h, w) bool of a marker's mask, where it is seen through a line that is not opaque and goes on over it.

    Paint p of opacity a makes of a floor f the colour of the line, f + a (p - f), and of a marker m what differs from
    that by (1 - a) (m - f).
    """
    found = np.zeros(marker.mask.shape, np.bool_)
    off = picture[marker.box].astype(np.float64) - stroke_rgb
    # Of a textured maze what is painted over is shown in its own colours.
    own = () if plan.texture is None else plan.texture.marker_colors
    for rgb in (marker.rgb, *(np.array(color) for cell, color in own if cell == marker.cell)):
        axis = rgb - floor_rgb
        line = stroke_rgb - floor_rgb
        # A marker in the line's own colour is no mixture with it.
        if float(axis @ line) > config.same * float(np.linalg.norm(axis) * np.linalg.norm(line)):
            return np.zeros(marker.mask.shape, np.bool_)
        share = (off * axis).sum(axis=2) / max(float((axis**2).sum()), 1.0)  # not a threshold: against a division by 0
        apart = channel_maxima(np.abs(off - share[..., None] * axis))
        slack = config.through / max(float(np.abs(axis).max()), 1.0)  # not a threshold: against a division by 0
        most = min(1.0, 1.0 - _least_opacity(stroke_rgb, floor_rgb) + slack)
        shown = marker.mask & (apart <= config.through) & (share >= config.opaque) & (share <= most)
        # The edges of the line are mixed with the marker, and small.
        found |= cv2.morphologyEx(shown.view(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) > 0
    return _going_on(found & marker.mask, marker, strokes, 1)


def _least_opacity(shown: NDArray[np.float64], floor: NDArray[np.float64]) -> float:
    """The least opacity, 0 to 1, with which any paint makes of a floor's colour another one, both 0 to 255."""
    # not a threshold: the range of a channel
    room = np.where(shown > floor, 255.0 - floor, floor)
    return float((np.abs(shown - floor) / np.maximum(room, 1.0)).max())


def drawn_over(
    picture: NDArray[np.uint8],
    marker: Marker,
    stroke_rgb: NDArray[np.float64],
    strokes: NDArray[np.bool_],
    config: MarkerShapeConfig,
) -> NDArray[np.bool_]:
    """(h, w) bool of a marker's mask, where a line goes on over it in its own colour, whichever that is."""
    own = channel_maxima(np.abs(picture[marker.box].astype(np.float64) - stroke_rgb)) <= config.through
    # not a threshold: as far as the rim of a marker is mixed
    return _going_on(marker.mask & own, marker, strokes, 3)


def _going_on(part: NDArray[np.bool_], marker: Marker, strokes: NDArray[np.bool_], reach: int) -> NDArray[np.bool_]:
    """What of a part of a marker's mask hangs together with strokes, where these come as near as some pixels."""
    rows, columns = marker.box
    window = (
        slice(max(0, rows.start - reach), rows.stop + reach),
        slice(max(0, columns.start - reach), columns.stop + reach),
    )
    top, left = rows.start - window[0].start, columns.start - window[1].start
    line = np.asarray(strokes[window], np.uint8)
    near = cv2.dilate(line, np.ones((2 * reach - 1, 2 * reach - 1), np.uint8))
    inner = (slice(top, top + part.shape[0]), slice(left, left + part.shape[1]))
    near[inner] = np.maximum(near[inner], part.view(np.uint8))
    _, parts = cv2.connectedComponents(near, connectivity=8)  # not a threshold: a pixel's neighbours
    return np.asarray(part & np.isin(parts, np.unique(parts[line > 0]))[inner], np.bool_)


def hue_kept(
    picture: NDArray[np.uint8],
    marker: Marker,
    floor_rgb: NDArray[np.float64],
    strokes: NDArray[np.bool_],
    plan: Floorplan,
    config: MarkerShapeConfig,
) -> float | None:
    """How much of a marker's colour, beside that of the floor, its middle pixel in sight has; None if it has little.

    Parameters as of `is_marker_gone`. One in a picture that has lost its colours everywhere has none either.
    """
    own = (seen_color(marker.rgb) - seen_color(plan.floor_rgb))[1:]
    length = float(np.hypot(*own))
    sight = marker.mask & ~strokes[marker.box]
    if length < config.colorful or not sight.any():
        return None
    shown = (seen(picture[marker.box][sight]) - seen_color(floor_rgb))[:, 1:]
    return float(np.median((shown * own).sum(axis=1))) / length**2


def _share(picture: NDArray[np.uint8], floor_rgb: NDArray[np.float64], marker: Marker) -> NDArray[np.float32]:
    """How far pixels are on the way from floor to marker, 0 to 1; 0 for what is no mixture of the two."""
    share, aside, length = _mixture(picture, floor_rgb, marker)
    return np.where(aside > 0.5 * length, 0.0, share).astype(np.float32)


def _is_foreign(picture: NDArray[np.uint8], floor_rgb: NDArray[np.float64], marker: Marker) -> NDArray[np.bool_]:
    """Which pixels are no mixture of floor and marker."""
    _, aside, length = _mixture(picture, floor_rgb, marker)
    return np.asarray(aside > 0.5 * length, np.bool_)


def _mixture(
    picture: NDArray[np.uint8], floor_rgb: NDArray[np.float64], marker: Marker
) -> tuple[NDArray[np.float32], NDArray[np.float32], float]:
    """How far pixels are on the way from floor to marker, 0 to 1, how far beside it, and how long it is."""
    shown = seen(picture) - seen_color(floor_rgb)
    axis = seen_color(marker.rgb) - seen_color(floor_rgb)
    share = np.clip((shown * axis).sum(axis=2) / max(float((axis**2).sum()), 1e-6), 0.0, 1.0)  # not a threshold: / 0
    aside = np.sqrt(((shown - share[..., None] * axis) ** 2).sum(axis=2))
    return share, aside, float(np.sqrt((axis**2).sum()))


def _is_found(
    share: NDArray[np.float32], weight: NDArray[np.float32], shape: NDArray[np.float32], config: MarkerShapeConfig
) -> bool:
    """Whether a shape is whole in a picture, at any size and blur that is allowed."""
    blurs = max(config.blurs, int(config.blurred * max(shape.shape)))
    for blur_px, power in itertools.product(range(blurs + 1), sorted(range(-config.sizes, config.sizes + 1), key=abs)):
        model = _model(shape, config.step**power, blur_px)
        if model.shape[0] > share.shape[0] or model.shape[1] > share.shape[1]:
            continue
        likeness, row, column = _best_place(share, weight, model, config.shift_px)
        there = (slice(row, row + model.shape[0]), slice(column, column + model.shape[1]))
        # As it is in most pictures, at its own size; the others need not be tried then.
        if likeness >= config.alike and _is_whole(share[there], weight[there], model, config):
            return not is_uneven(share[there], weight[there], model, blur_px, config.outlines)
    return False


def _soft_shape(marker: Marker, plan: Floorplan) -> NDArray[np.float32]:
    """How far the pixels of a marker, and of its rim, are on the way from floor to marker in the puzzle itself."""
    height, width = plan.labels.shape
    rows, columns = marker.mask.shape
    box = (
        slice(max(0, marker.top - 1), min(height, marker.top + rows + 1)),
        slice(max(0, marker.left - 1), min(width, marker.left + columns + 1)),
    )
    share = _share(plan.picture[box], plan.floor_rgb, marker)
    share[plan.walls[box]] = 0.0
    return share


def _written(share: NDArray[np.float32], mask: NDArray[np.bool_], config: MarkerShapeConfig) -> NDArray[np.bool_]:
    """What has a whole marker's colour beside it in a low row: a word, and no part of another shape."""
    nothing = np.zeros(mask.shape, np.bool_)
    if float(share[mask].mean()) < config.whole:
        return nothing
    pixels = np.ones((3, 3), np.uint8)
    # not a threshold: a marker's soft edge
    near = cv2.dilate(mask.view(np.uint8), pixels, iterations=2) > 0
    beside = ((share > config.inked) & ~near).view(np.uint8)
    # Letters are joined to words, which are longer than high; a knob is not, nor is what makes a marker larger.
    joined = cv2.dilate(beside, pixels)
    # not a threshold: a pixel's neighbours
    _, pieces, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    width, height = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    words = (height < config.low * max(mask.shape)) & (width > config.long * height)
    words[0] = False
    found = words[pieces] & (beside > 0)
    return np.asarray(cv2.dilate(found.view(np.uint8), pixels) > 0, np.bool_) & ~near


def _model(full: NDArray[np.float32], size: float, blur_px: int) -> NDArray[np.float32]:
    """A marker's shape at another size, blurred, with some floor around it, which tells a square from a disc."""
    height, width = full.shape
    # not a threshold: fewer pixels have no shape
    shape = (max(3, round(width * size)), max(3, round(height * size)))
    small = cv2.resize(full, shape, interpolation=cv2.INTER_AREA)
    rim = _RIM_PX + blur_px
    model = cv2.copyMakeBorder(small, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=0.0)
    if blur_px:
        model = cv2.GaussianBlur(model, (0, 0), float(blur_px))
    return np.asarray(model, np.float32)


def _is_whole(
    picture: NDArray[np.float32], weight: NDArray[np.float32], model: NDArray[np.float32], config: MarkerShapeConfig
) -> bool:
    """Whether a picture nowhere differs from a model over more than a thin edge."""
    side = max(3, round(config.part * max(model.shape))) | 1  # not a threshold: a pixel's neighbours
    size = (side, side)
    off = cv2.boxFilter((picture - model) * weight, -1, size, normalize=True, borderType=cv2.BORDER_CONSTANT)
    return float(np.abs(off).max()) <= config.differs


def _best_place(
    picture: NDArray[np.float32], weight: NDArray[np.float32], model: NDArray[np.float32], shift: int
) -> tuple[float, int, int]:
    """The best weighted correlation of a model with a picture at most so far from its middle, and the place of it."""
    # Sums over the model's window at every place, weighted by what is in sight.
    ones = np.ones_like(model)
    methods = cv2.TM_CCORR
    n = cv2.matchTemplate(weight, ones, methods)
    p = cv2.matchTemplate(weight * picture, ones, methods)
    pp = cv2.matchTemplate(weight * picture**2, ones, methods)
    m = cv2.matchTemplate(weight, model, methods)
    mm = cv2.matchTemplate(weight, model**2, methods)
    pm = cv2.matchTemplate(weight * picture, model, methods)
    n = np.maximum(n, 1.0)
    covariance = pm / n - p * m / n**2
    own = mm / n - (m / n) ** 2
    variances = (pp / n - (p / n) ** 2) * own
    # not a threshold: a flat picture has no shape; where only the marker's inside is in sight, its strength has to do
    r = np.where(own > 0.01, covariance / np.sqrt(np.maximum(variances, 1e-6)), 1.0 - np.abs(p - m) / n)
    row, column = (side // 2 for side in r.shape)
    near = r[max(0, row - shift) : row + shift + 1, max(0, column - shift) : column + shift + 1]
    best = np.unravel_index(int(near.argmax()), near.shape)
    return float(near.max()), int(best[0]) + max(0, row - shift), int(best[1]) + max(0, column - shift)
