"""Where two pictures of a scene differ at all, and how far what they both show is off its place or its colour."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median
from detectors.common.residual.mixing import HUE_WEIGHT, channel_maxima, channel_medians, channel_sums
from detectors.spatial_edit.predicted.config import DisplacedConfig, TingedConfig
from detectors.spatial_edit.predicted.rays import Flags, Floats

_DEVIATION = 1.4826  # not a threshold: standard deviation of normal noise over its median size


@dataclass(frozen=True)
class ChangesConfig:
    """What counts as another pixel.

    Attributes
    ----------
    smooth_px : the noise of single pixels is smoothed away with this standard deviation
    least : a difference, in levels of 255...
    grain : ...and times the standard deviation that noise has once it is smoothed
    most_share : a place of whose pixels no more are others shows what it showed
    least_seen : of a place of which less is in sight, beside what moved before it, nothing is told
    """

    smooth_px: float = 2.0
    least: float = 6.0
    grain: float = 5.0
    most_share: float = 0.01
    least_seen: float = 0.4


def changed_pixels(before: NDArray[np.uint8], after: NDArray[np.uint8], config: ChangesConfig) -> Flags:
    """Tells which pixels are others, but for a shift of all colours: (H, W) bool of two (H, W, 3) uint8 RGB."""
    off = after.astype(np.float32) - before.astype(np.float32)
    off -= channel_medians(off.reshape(-1, off.shape[2]))
    smooth = cv2.GaussianBlur(off, (0, 0), config.smooth_px)
    # What is left of white noise of deviation 1 after a Gaussian blur of s pixels is 1 / (2 sqrt(pi) s).
    noise = _DEVIATION * median(np.abs(off - smooth)) / (2.0 * math.sqrt(math.pi) * config.smooth_px)
    return np.asarray(channel_maxima(np.abs(smooth)) > max(config.least, config.grain * noise))


def is_unchanged(changed: Flags, place: Flags, config: ChangesConfig) -> bool:
    """Tells whether a place, (H, W) bool, shows what it showed; not of one that is nowhere in the picture."""
    return bool(place.any()) and float(changed[place].mean()) <= config.most_share


def displacements(
    before: Floats, after: Floats, still: Flags, places: Sequence[Flags], config: DisplacedConfig
) -> tuple[float, ...]:
    """Measures how far what should have stayed lies off its place, in pixels, where it does most in each place.

    In each window the shift is fitted by which the picture before best explains the other one (Lucas and Kanade, 1981).
    It counts where it explains most of their difference: what has another light or colour, or is gone, did not move.

    Parameters
    ----------
    before, after : (H, W, 3) float32
        Colours, in which distances are contrasts.
    still : (H, W) bool
        What should have stayed.
    places : sequence of (H, W) bool
    config : DisplacedConfig
    """
    held = _apart(still, config)
    products = _products(before, after, config)
    found = []
    for place in places:
        within = np.zeros_like(products)
        within[held & place] = products[held & place]
        found.append(_displacement(within, config))
    return tuple(found)


def displacement_of_all(before: Floats, after: Floats, still: Flags, config: DisplacedConfig) -> float:
    """Measures how far all that should have stayed lies off its place, in pixels: shifted, turned and zoomed as one.

    Many edges of a coarse picture tell together what none of them tells by itself. Arguments as in `displacements`.

    Returns
    -------
    float
        Of the tenth of the edges that lies off farthest, the least.
    """
    held = _apart(still, config)
    xx, yy, xy, x_off, y_off, _ = np.moveaxis(_products(before, after, config)[held].astype(np.float64), 1, 0)
    edges = xx + yy > config.least**2
    if np.count_nonzero(edges) < config.least_edges:
        return 0.0
    rows, columns = (one.astype(np.float64) for one in np.nonzero(held))
    scale = math.hypot(*held.shape) / 2
    x, y = (columns - held.shape[1] / 2) / scale, (rows - held.shape[0] / 2) / scale
    # The shift at (x, y) is (right + zoom x - roll y, below + zoom y + roll x).
    one, none = np.ones_like(x), np.zeros_like(x)
    ways = ((one, none), (none, one), (x, y), (-y, x))
    matrix = np.empty((len(ways), len(ways)))
    for place, (a, b) in enumerate(ways):
        for other, (c, d) in enumerate(ways[: place + 1]):
            matrix[place, other] = matrix[other, place] = float((a * c * xx + b * d * yy + (a * d + b * c) * xy).sum())
    wanted = [-float((a * x_off + b * y_off).sum()) for a, b in ways]
    found = np.linalg.lstsq(matrix, np.array(wanted), rcond=None)[0]
    across, down = (sum(part * way[axis] for part, way in zip(found, ways, strict=True)) for axis in (0, 1))
    return float(np.quantile(np.hypot(across, down)[edges], config.farthest))


def recolored(before: Floats, after: Floats, places: Sequence[Flags], config: TingedConfig) -> tuple[float, ...]:
    """Measures by how much what should have stayed has another colour all over, in each place; 0 where few pixels tell.

    A change of tone that is the same for all of a picture is taken off: another contrast, and another saturation.

    Parameters
    ----------
    before, after : (H, W, 3) float32
        Colours, in which distances are contrasts.
    places : sequence of (H, W) bool
        In the same light in both pictures.
    config : TingedConfig
    """
    near = np.ones((2 * config.edge_px + 1,) * 2, np.uint8)
    inner = [cv2.erode(place.astype(np.uint8), near) > 0 for place in places]
    told = [index for index, one in enumerate(inner) if np.count_nonzero(one) >= config.least_px]
    found = [0.0] * len(places)
    if not told:
        return tuple(found)
    weights = np.sqrt([float(np.count_nonzero(inner[index])) for index in told])
    was = np.array([channel_medians(before[inner[index]]) for index in told], np.float64)
    off = np.array([channel_medians(after[inner[index]] - before[inner[index]]) for index in told], np.float64)
    none = np.zeros(len(told))
    one = none + 1.0
    light = _without([off[:, 0]], [[one]], [[was[:, 0]]], weights, config.most_tone)
    hues = _without(
        [off[:, 1], off[:, 2]], [[one, none], [none, one]], [[was[:, 1], was[:, 2]]], weights, config.most_tone
    )
    for index, (lightness, *tint) in zip(told, zip(*light, *hues, strict=True), strict=True):
        found[index] = math.hypot(lightness, HUE_WEIGHT * math.hypot(*tint))
    return tuple(found)


def _without(
    off: Sequence[NDArray[np.float64]],
    shifts: Sequence[Sequence[NDArray[np.float64]]],
    slopes: Sequence[Sequence[NDArray[np.float64]]],
    weights: NDArray[np.float64],
    most: float,
) -> list[NDArray[np.float64]]:
    """Takes shifts, and slopes up to a size, off what is off on each axis, (n,) each, by weighted least squares."""
    weight = np.tile(weights, len(off))
    values = np.concatenate(off)
    level, steep = (np.stack([np.concatenate(one) for one in ways], axis=1) for ways in (shifts, slopes))
    matrix = np.hstack([level, steep]) * weight[:, None]
    slope = np.linalg.lstsq(matrix, values * weight, rcond=None)[0][level.shape[1] :]
    rest = values - steep @ np.clip(slope, -most, most)
    shift = np.linalg.lstsq(level * weight[:, None], rest * weight, rcond=None)[0]
    return np.split(rest - level @ shift, len(off))


def _apart(still: Flags, config: DisplacedConfig) -> Flags:
    """Tells what of a place is not smeared with what lies beside it; beyond the rim of a picture nothing is known."""
    other = cv2.copyMakeBorder((~still).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=1)
    return np.asarray(~grown(other > 0, config)[1:-1, 1:-1])


def _products(before: Floats, after: Floats, config: DisplacedConfig) -> Floats:
    """Returns products of gradients and differences, (H, W, 6): xx, yy, xy, x off, y off, off off."""
    one, other = (cv2.GaussianBlur(picture, (0, 0), config.smooth_px) for picture in (before, after))
    middle, off = (one + other) / 2, other - one
    # not a threshold: what Sobel's kernels of 3 x 3 add up to is 8.
    across, down = (np.asarray(cv2.Sobel(middle, cv2.CV_32F, *way) / 8, np.float32) for way in ((1, 0), (0, 1)))
    pairs = ((across, across), (down, down), (across, down), (across, off), (down, off), (off, off))
    return np.stack([channel_sums(a * b) for a, b in pairs], axis=2)


def grown(mask: Flags, config: DisplacedConfig) -> Flags:
    """Returns where a place is smeared to."""
    width = 2 * math.ceil(3.0 * config.smooth_px) + 1  # not a threshold: as far as a Gaussian reaches
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((width, width), np.uint8)) > 0)


def _displacement(products: Floats, config: DisplacedConfig) -> float:
    """Returns the greatest shift that is told of products of gradients and differences, (H, W, 6)."""
    if not products.any():
        return 0.0
    least = np.float32(config.least**2)
    xx, yy, xy, x_off, y_off, off = cv2.split(cv2.GaussianBlur(products, (0, 0), config.window_px))
    xx, yy = xx + least, yy + least
    # Brightness is kept: off = -shift . gradient, solved by least squares.
    scale = xx * yy - xy * xy
    x, y = (xy * y_off - yy * x_off) / scale, (xy * x_off - xx * y_off) / scale
    explained = -(x * x_off + y * y_off)
    told = (off > least) & (explained > config.explained * off)
    return float(np.hypot(x, y)[told].max(initial=0.0))
