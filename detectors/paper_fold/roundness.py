"""Whether something drawn is one disc and nothing else: how round its rim is, and what no disc explains within it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.paper_fold.config import RoundConfig


@dataclass(frozen=True)
class Roundness:
    """How much of a piece a disc explains.

    Attributes
    ----------
    uneven : middle distance of its rim from the ellipse that fits it best, as a share of its radius
    slim : length of that ellipse over its width
    alien : share of its area whose colour is another one than is usual at that depth
    """

    uneven: float
    slim: float
    alien: float

    def fits(self, radius: float, config: RoundConfig) -> bool:
        """Whether that is all there is, of a hole of this radius in pixels."""
        uneven = config.uneven + config.uneven_px / radius
        alien = config.alien + config.alien_px / radius
        return self.uneven <= uneven and self.slim <= config.slim and self.alien <= alien


def find_roundness(
    soft: NDArray[np.float32],
    contrast: NDArray[np.float32],
    unknown: NDArray[np.bool_],
    center: tuple[float, float],
    radius: float,
    plain: float,
    level: float,
    config: RoundConfig,
) -> Roundness:
    """Measures what of a piece is no disc.

    Parameters
    ----------
    soft : ndarray of shape (h, w, 3), float32
        What is left of the picture.
    contrast : ndarray of shape (h, w), float32
        The length of that.
    unknown : ndarray of shape (h, w), bool
        Where something else is drawn, or nothing is told.
    center, radius : of the piece, in pixels
    plain : its contrast
    level : contrast from which something is drawn
    config : RoundConfig
    """
    angles = np.arange(config.rays) * (2 * math.pi / config.rays)
    depths = np.arange(0.0, config.reach * radius, config.step_px)
    # not a threshold: centres of pixels lie at whole numbers there
    x = (center[0] - 0.5 + depths[:, None] * np.cos(angles)).astype(np.float32)
    y = (center[1] - 0.5 + depths[:, None] * np.sin(angles)).astype(np.float32)
    along = cv2.remap(contrast, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    hidden = cv2.remap(unknown.astype(np.uint8), x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT) > 0
    drawn = (along >= max(level, config.half * plain)) & ~hidden
    last = len(depths) - 1 - drawn[::-1].argmax(axis=0)
    rims = np.where(drawn.any(axis=0), depths[last], 0.0)
    told = ~(hidden[np.minimum(last + 2, len(depths) - 1), np.arange(config.rays)])
    if told.sum() < config.told * config.rays:
        return Roundness(0.0, 1.0, 0.0)
    turns = np.stack([np.ones_like(angles), *(f(k * angles) for k in (1, 2) for f in (np.cos, np.sin))], axis=1)
    fitted, *_ = np.linalg.lstsq(turns[told], rims[told], rcond=None)
    shape = turns @ fitted
    off = (rims - shape)[told]
    uneven = float(np.sqrt((off**2).mean())) / radius
    middle, swing = float(fitted[0]), float(np.hypot(*fitted[-2:]))
    slim = (middle + swing) / (middle - swing) if swing < middle else math.inf
    return Roundness(uneven, slim, _alien(soft, unknown, center, shape, plain, level, config))


def _alien(
    soft: NDArray[np.float32],
    unknown: NDArray[np.bool_],
    center: tuple[float, float],
    rims: NDArray[np.float64],
    plain: float,
    level: float,
    config: RoundConfig,
) -> float:
    """The share of an area whose colours are not those of its rings: each pixel may lie a ring deeper or less deep."""
    rows, columns = np.indices(unknown.shape)
    down, across = rows + 0.5 - center[1], columns + 0.5 - center[0]
    turn = np.arctan2(down, across) % (2 * math.pi)
    out = np.interp(turn, np.arange(len(rims) + 1) * (2 * math.pi / len(rims)), np.append(rims, rims[0]))
    depth = np.hypot(down, across) - out
    at = (depth <= -config.rim_px) & ~unknown
    if not at.any():
        return 0.0
    colors, deep_at = soft[at], -depth[at] / config.ring_px
    steps = np.rint(deep_at).astype(np.intp)
    usual = np.zeros((int(steps.max()) + 1, 3), np.float32)
    last = np.zeros(3, np.float32)
    for step in range(len(usual)):
        own = colors[steps == step]
        if len(own) >= config.least_px:
            last = np.median(own, axis=0)
        usual[step] = last
    off = np.full(len(colors), np.inf, np.float32)
    for aside in np.linspace(-config.aside, config.aside, config.between):
        beside = np.stack([np.interp(deep_at + aside, np.arange(len(usual)), part) for part in usual.T], axis=1)
        off = np.minimum(off, np.sqrt(((colors - beside) ** 2).sum(axis=1)))
    # The rim is often plainer than what it goes around.
    deep = -depth[at] >= config.deep * float(np.median(rims))
    inner = float(np.median(np.sqrt((colors[deep] ** 2).sum(axis=1)))) if deep.any() else plain
    return float((off > np.maximum(level, config.foreign * np.where(deep, min(inner, plain), plain))).mean())
