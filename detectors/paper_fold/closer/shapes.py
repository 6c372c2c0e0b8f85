"""Whether each hole of a sheet that seems right is one disc: looked at more closely than the rest of the picture.

A disc is laid onto each hole where its rim is seen, and what of the picture it does not explain is told in units of the
noise beside it: a rim that is no circle, another colour within it, something drawn right around it. All is told along
rays from the hole's middle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_sums, seen
from detectors.paper_fold.closer.config import HoleShapeConfig
from detectors.paper_fold.holes import Disc
from detectors.paper_fold.sheet import BareSheet

_ROUND = 2  # not a threshold: an ellipse has so many turns
Values = NDArray[np.float32]


@dataclass(frozen=True)
class HoleShape:
    """What of a hole one disc leaves unexplained.

    Attributes
    ----------
    radius : of the hole, in the pixels that were looked at
    uneven : middle distance of its rim from an ellipse, as far as it is no noise, as a share of its radius
    slim : length of that ellipse over its width
    alien : share of its area whose colour is another one than is usual at that depth, by how much it is another
    around : area right around it that is drawn on, as a share of its own
    """

    radius: float
    uneven: float
    slim: float
    alien: float
    around: float


def find_misshapen(shapes: dict[int, HoleShape], config: HoleShapeConfig) -> list[int]:
    """Which holes are no discs."""
    usual = float(np.median([one.uneven - config.all_uneven_px / one.radius for one in shapes.values()] or [0.0]))
    return [
        at
        for at, one in shapes.items()
        if one.uneven > config.uneven + config.uneven_px / one.radius
        or usual > config.all_uneven
        or one.slim > config.slim
        or one.alien > config.alien + config.alien_px / one.radius
        or one.around > config.around
    ]


def measure_holes(
    view: NDArray[np.uint8], sheet: BareSheet, discs: Sequence[Disc], creased: float, config: HoleShapeConfig
) -> dict[int, HoleShape]:
    """The shapes of holes by their place among them.

    Parameters
    ----------
    view : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the puzzle's frame, larger than the sheet's working frame.
    sheet : BareSheet
    discs : sequence of Disc
        In pixels of the puzzle's picture.
    creased : float
        Share of the creases that shows.
    config : HoleShapeConfig
    """
    scale = view.shape[1] / sheet.size[0]
    near = (sheet.edge_distance <= config.edge_px) | ~sheet.inside
    if creased > config.creased:
        near = near | sheet.along_creases
    # Holes in pixels of the view.
    holes = [(one.center[0] * scale, one.center[1] * scale, one.radius * scale) for one in discs]
    found = {}
    for at, disc in enumerate(discs):
        if not disc.outside and disc.fits:
            shape = _measure(_Rays(view, holes, at, near, sheet.factor * scale, config), config)
            if shape is not None:
                found[at] = shape
    return found


class _Rays:
    """What is seen along rays from a hole's middle, and where something else is drawn.

    Parameters
    ----------
    view : (h, w, 3) uint8 RGB
    holes : sequence of (x, y, radius)
        All of them, in pixels.
    at : int
        Which one it is.
    near : (h, w) bool
        Where the sheet's own edges are drawn, by working pixels...
    unit : float
        ...of so many pixels.
    config : HoleShapeConfig
    """

    def __init__(
        self, view: NDArray[np.uint8], holes: Sequence[tuple[float, float, float]], at: int, near: NDArray[np.bool_],
        unit: float, config: HoleShapeConfig,
    ) -> None:  # fmt: skip
        self.x, self.y, self.radius = holes[at]
        reach = math.ceil(config.reach * self.radius) + 3  # not a threshold: pixels that a blur reaches
        self._corner = max(0, math.floor(self.x) - reach), max(0, math.floor(self.y) - reach)
        part = view[self._corner[1] : math.ceil(self.y) + reach, self._corner[0] : math.ceil(self.x) + reach]
        self._lab = seen(np.asarray(cv2.GaussianBlur(part, (0, 0), config.smooth_px), np.uint8))
        self.angles = np.asarray(np.arange(config.rays) * (2 * math.pi / config.rays), np.float64)
        self._turns = np.cos(self.angles), np.sin(self.angles)
        others = [one for place, one in enumerate(holes) if place != at]
        self._others = [
            (x, y, config.own * radius + config.own_px)
            for x, y, radius in others
            if math.dist((x, y), (self.x, self.y)) <= reach + config.own * radius + config.own_px
        ]
        self._near, self._unit = near, unit

    def _places(self, depths: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self.x + depths * self._turns[0], self.y + depths * self._turns[1]

    def colors(self, depths: NDArray[np.float64]) -> Values:
        """(n, rays, 3), the colours at depths (n, rays) in pixels."""
        x, y = (
            (place - corner - 0.5).astype(np.float32)  # not a threshold: centres of pixels lie at whole numbers there
            for place, corner in zip(self._places(depths), self._corner, strict=True)
        )
        return np.asarray(cv2.remap(self._lab, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)

    def hidden(self, depths: NDArray[np.float64]) -> NDArray[np.bool_]:
        """(n, rays), where another hole is, or an edge."""
        x, y = self._places(depths)
        columns = np.clip((x / self._unit).astype(np.intp), 0, self._near.shape[1] - 1)
        rows = np.clip((y / self._unit).astype(np.intp), 0, self._near.shape[0] - 1)
        found = self._near[rows, columns]
        for other_x, other_y, far in self._others:
            found = found | ((x - other_x) ** 2 + (y - other_y) ** 2 <= far**2)
        return np.asarray(found, np.bool_)


def _measure(rays: _Rays, config: HoleShapeConfig) -> HoleShape | None:
    """What of one hole a disc leaves unexplained; None where too little of it is in sight."""
    radius = rays.radius
    steps = np.arange(0.0, config.reach * radius, config.step_px)
    depths = np.broadcast_to(steps[:, None], (len(steps), config.rays))
    hidden, values = rays.hidden(depths), rays.colors(depths)
    ground = (depths >= config.beside * radius) & ~hidden
    if ground.mean() < config.paper:
        return None
    paper = np.median(values[ground], axis=0)
    contrast = _lengths(values - paper)
    noise = float(np.quantile(contrast[ground], config.usual))
    rims, told, plain = _rims(contrast, hidden, steps, radius, noise, config)
    if told.sum() < config.told * config.rays:
        return None
    uneven, shape = _unevenness(rays.angles, rims, told, config)
    middle, swing = float(shape.mean()), float(np.ptp(shape)) / 2  # not a threshold: half of its range
    level = max(config.visible, config.other * noise)
    inner = np.arange(0.0, 1.0 - config.rim_px / radius, config.step_px / radius)[:, None] * shape
    unseen = rays.hidden(inner) | ~told
    alien = _alien(rays.colors(inner) - paper, inner, shape, unseen, plain, level, config)
    beside = (depths > (1 + config.clear) * shape + config.clear_px) & ~hidden
    strong = beside & (contrast > max(config.drawn, config.drawn_noise * noise, config.drawn_share * plain))
    # A step along a ray stands for an area as wide as the rays are apart there.
    area = float(depths[strong].sum()) * config.step_px * 2 * math.pi / config.rays
    around = area / (math.pi * radius**2)
    # Of a rim with a gap the ellipse is not told well enough.
    whole = told.sum() >= config.whole * config.rays
    slim = (middle + swing) / max(middle - swing, config.step_px) if whole else 1.0
    return HoleShape(radius, uneven / radius, slim, alien, around)


def _rims(
    contrast: Values, hidden: NDArray[np.bool_], steps: NDArray[np.float64], radius: float, noise: float,
    config: HoleShapeConfig,
) -> tuple[NDArray[np.float64], NDArray[np.bool_], float]:  # fmt: skip
    """Where along each ray the rim is, whether it is in sight, and how plain it usually is."""
    rays = np.arange(config.rays)
    near = (steps >= config.rim * radius) & (steps < config.beside * radius)
    half = np.where(hidden[near], 0, contrast[near]).max(axis=0) / 2  # not a threshold: half way
    plain = float(2 * np.median(half))  # not a threshold: all of it
    drawn = (contrast >= np.maximum(half, config.other * noise)) & (steps < config.beside * radius)[:, None] & ~hidden
    last = len(steps) - 1 - drawn[::-1].argmax(axis=0)
    after = np.minimum(last + 1, len(steps) - 1)
    high, low = contrast[last, rays], contrast[after, rays]
    share = np.clip((high - half) / np.maximum(high - low, 1e-9), 0.0, 1.0)  # not a threshold: against a division by 0
    # Of what goes on behind something else the end is not seen.
    clear = ~(hidden & (steps >= config.rim * radius)[:, None] & (np.arange(len(steps))[:, None] <= last + 2)).any(
        axis=0
    )
    return np.asarray(steps[last] + share * config.step_px, np.float64), drawn.any(axis=0) & clear, plain


def _unevenness(
    angles: NDArray[np.float64], rims: NDArray[np.float64], told: NDArray[np.bool_], config: HoleShapeConfig
) -> tuple[float, NDArray[np.float64]]:
    """How far a rim is from an ellipse, less what noise makes of it; and the ellipse, by rays."""
    turns = [np.ones_like(angles)]
    turns += [f(k * angles) for k in range(1, config.turns + 1) for f in (np.cos, np.sin)]
    design = np.stack(turns, axis=1)
    few = 1 + 2 * _ROUND
    round_fit, *_ = np.linalg.lstsq(design[told][:, :few], rims[told], rcond=None)
    shape = (design[:, :few] * round_fit).sum(axis=1)
    if told.sum() < config.many * config.rays:
        # Of a part of a rim only the whole unevenness is told.
        return float(np.sqrt(((rims - shape)[told] ** 2).mean())) * config.in_part, shape
    fit, *_ = np.linalg.lstsq(design[told], rims[told], rcond=None)
    close = (design[told] * fit).sum(axis=1)
    left, off = rims[told] - close, close - shape[told]
    noise = float((left**2).sum()) / max(1, int(told.sum()) - design.shape[1])
    spurious = noise * (design.shape[1] - few) / int(told.sum())
    return math.sqrt(max(0.0, float((off**2).mean()) - spurious)), shape


def _alien(
    values: Values, depths: NDArray[np.float64], shape: NDArray[np.float64], hidden: NDArray[np.bool_], plain: float,
    level: float, config: HoleShapeConfig,
) -> float:  # fmt: skip
    """The share of a hole's area whose colours are not those of its rings, of which each may lie a little aside."""
    usual = np.median(values, axis=1)
    least = np.full(values.shape[:2], np.inf, np.float32)
    rings = np.arange(len(usual))
    for aside in range(-config.aside, config.aside + 1):
        beside = usual[np.clip(rings + aside, 0, len(usual) - 1)]
        least = np.minimum(least, _lengths(values - beside[:, None]))
    # The rim is often plainer than what it goes around.
    deep = depths.mean(axis=1) <= (1 - config.deep) * float(shape.mean())
    inner = float(np.median(_lengths(usual[deep][:, None]))) if deep.any() else plain
    strong = np.where(deep, max(level, config.foreign * min(inner, plain)), max(level, config.foreign * plain))
    foreign = (least > strong[:, None]) & ~hidden
    # What is as plain as the rim counts whole.
    weight = np.minimum(least / max(plain, level), 1.0) * depths
    return float(weight[foreign].sum()) / max(float(depths[~hidden].sum()), 1.0)  # not a threshold: against nothing


def _lengths(values: Values) -> Values:
    return np.asarray(np.sqrt(channel_sums(values * values)), np.float32)
