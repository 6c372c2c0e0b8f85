"""Takes off a candidate what makes it hard to read everywhere alike: uneven light, and noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class LightConfig:
    """What counts as light.

    Attributes
    ----------
    least : range of the natural logarithm of the light, over the picture, from which it is taken off
    most : range above which it is no light any more
    explained : share of the changes of brightness that may be left, for them to be light
    dark : grey level, 0 to 255, of pixels that are too dark to measure the light by
    tolerance : deviation of the logarithm at which a pixel counts half
    dark_now : the same as `dark` for the candidate, whose light may be less
    samples : the light is measured at about so many pixels...
    least_samples : ...and is not, where fewer than this are bright enough
    tails : one in so many pixels at either end of the range of ratios may be drawn
    middle : share of the range of the light that the rest of them spans at least
    rounds : how often the light is fitted, each time but the first with less weight on what deviates
    """

    least: float = 0.05
    most: float = 0.9
    explained: float = 0.5
    dark: float = 40.0
    tolerance: float = 0.04
    dark_now: float = 10.0
    samples: int = 800
    least_samples: int = 50
    tails: int = 8
    middle: float = 0.25
    rounds: int = 4


def even_light(
    picture: NDArray[np.uint8], expected: NDArray[np.uint8], sample: NDArray[np.intp], config: LightConfig
) -> NDArray[np.uint8]:
    """Evens out light that varies slowly over a picture: a vignette, or one side darker than the other.

    Parameters
    ----------
    picture, expected : ndarray of shape (h, w, 3), uint8 RGB
        The aligned candidate and its puzzle.
    sample : ndarray of int
        Flat positions of pixels to measure the light by: floor, or cells.
    config : LightConfig

    Returns
    -------
    ndarray of shape (h, w, 3), uint8 RGB
        The picture itself where there is nothing to even out.
    """
    gain = light_gain(picture, expected, sample, config)
    return picture if gain is None else np.asarray(np.clip(np.rint(picture * gain[..., None]), 0, 255), np.uint8)


def light_gain(
    picture: NDArray[np.uint8], expected: NDArray[np.uint8], sample: NDArray[np.intp], config: LightConfig
) -> NDArray[np.float32] | None:
    """The factor of each pixel, (h, w), that evens out light; None where there is nothing to even out.

    The logarithm of the ratio of brightnesses is fitted with a polynomial of second degree in x and y, robustly:
    neither strokes nor single cells in another shade sway it. Of a picture whose changes that does not explain nothing
    is evened out. Parameters are those of `even_light`.
    """
    height, width = picture.shape[:2]
    at = sample[:: max(1, sample.size // config.samples)]
    now = picture.reshape(-1, 3).take(at, axis=0).sum(axis=1, dtype=np.float64) / 3.0
    before = expected.reshape(-1, 3).take(at, axis=0).sum(axis=1, dtype=np.float64) / 3.0
    bright = (before > config.dark) & (now > config.dark_now)
    if np.count_nonzero(bright) < config.least_samples:
        return None
    ratio = np.log(now[bright] / before[bright])
    ordered = np.sort(ratio)
    # Nothing varies: the usual case, which is to cost nothing. The middle three quarters of the values of a polynomial
    # of second degree span at least 0.3 of all (over a square, by trial of 20,000); what lies beyond them may be drawn.
    low, high = ratio.size // config.tails, ratio.size * (config.tails - 1) // config.tails
    if ordered[high] - ordered[low] < config.middle * config.least:
        return None
    ratio -= ordered[ratio.size // 2]
    row, column = np.divmod(at[bright], width)
    basis = _basis(2.0 * column / max(width - 1, 1) - 1.0, 2.0 * row / max(height - 1, 1) - 1.0)
    weight = np.ones_like(ratio)
    fit = np.zeros(len(basis))
    for _ in range(config.rounds):
        weighted = basis * weight
        # Sums, not products of matrices: a BLAS may add in another order with another number of threads.
        # not a threshold: a millionth keeps a system solvable that has no answer
        system = (weighted[:, None, :] * basis[None, :, :]).sum(axis=2) + 1e-6 * np.eye(len(basis))
        fit = np.linalg.solve(system, (weighted * ratio).sum(axis=1))
        left = ratio - (fit[:, None] * basis).sum(axis=0)
        weight = 1.0 / (1.0 + (left / config.tolerance) ** 2)
    light = (fit[:, None] * basis).sum(axis=0)
    span = float(light.max() - light.min())
    if not config.least <= span <= config.most or np.median(np.abs(left)) > config.explained * np.median(np.abs(ratio)):
        return None
    across, down = np.meshgrid(np.linspace(-1.0, 1.0, width), np.linspace(-1.0, 1.0, height))
    return np.asarray(np.exp(-(fit[:, None, None] * _basis(across, down)).sum(axis=0)), np.float32)


def noise_level(shift: NDArray[np.floating]) -> float:
    """The standard deviation, per axis, of two-dimensional noise with some outliers.

    Parameters
    ----------
    shift : ndarray of shape (n, 2)
        Deviations from the middle; their lengths have a Rayleigh distribution, whose median is 1.177 sigma.
    """
    # not a threshold: the median of Rayleigh's distribution
    return float(np.median(np.hypot(shift[:, 0], shift[:, 1]))) / 1.1774 if len(shift) else 0.0


def _basis(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y])
