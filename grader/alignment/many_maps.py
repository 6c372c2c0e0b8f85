"""Compares a candidate with a template under many maps at once, on a grid of points: tells where to begin."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.alignment.framing import Matrix
from grader.alignment.template import SearchConfig, Template, grey_and_spread
from grader.alignment.warping import is_covered

Floats = NDArray[np.float32]


def best_of(source: NDArray[np.uint8], matrices: list[Matrix], template: Template) -> int:
    """Which of some maps agrees best.

    Parameters
    ----------
    source : ndarray of shape (H, W, 3), uint8 RGB
        The candidate, with less than two of its pixels to one of the template's.
    matrices : list of ndarray of shape (2, 3)
        From the source's pixels to those of the template.
    template : Template

    Returns
    -------
    int
        The place of the map with the largest agreement; the first of several.
    """
    config = template.config
    height, width = template.grey.shape
    step = math.ceil(max(height, width) / config.search.sampled_px)
    down, across = np.arange(0, height, step, dtype=np.float32), np.arange(0, width, step, dtype=np.float32)
    # One row of the grid below the other, and one map's grid below the other's, so that one call samples them all.
    back = np.stack([cv2.invertAffineTransform(one) for one in matrices]).astype(np.float32)
    x, y = (
        back[:, axis, 0, None, None] * across
        + back[:, axis, 1, None, None] * down[:, None]
        + back[:, axis, 2, None, None]
        for axis in (0, 1)
    )
    tall = (len(matrices) * down.size, across.size)
    greys, spread = grey_and_spread(source)
    seen = cv2.remap(
        cv2.merge([greys, spread]), x.reshape(tall), y.reshape(tall), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).reshape(len(matrices), -1, 2)
    inside = is_covered(x, y, (source.shape[1], source.shape[0]))
    grid = np.ix_(np.arange(0, height, step), np.arange(0, width, step))
    colorless, compared = template.colorless[grid].ravel(), template.compared[grid].ravel()
    usable = inside.reshape(len(matrices), -1) & compared & ~((seen[..., 1] >= config.marks.colorful) & colorless)
    target, possible = template.grey[grid].ravel(), int(np.count_nonzero(compared))
    scores = correlations(seen[..., 0].astype(np.float32), target, usable, possible, config.search)
    return int(scores.argmax())


def correlations(
    seen: Floats, target: Floats, usable: NDArray[np.bool_], possible: int, config: SearchConfig
) -> NDArray[np.float64]:
    """Pearson's r of each row over its usable points, less where they are few of the possible; 0 where either is flat.

    Parameters
    ----------
    seen : ndarray of shape (n, p), float32, 0 to 255
        Greys of a candidate, a row a map.
    target : ndarray of shape (p,), float32, 0 to 255
    usable : ndarray of shape (n, p), bool
    possible : int
        How many points could be compared at best.
    config : SearchConfig

    Returns
    -------
    ndarray of shape (n,), float64, -1 to 1
    """
    weight = usable.astype(np.float32)
    sums = [_sums(*rows) for rows in zip(seen * weight, target * weight, strict=True)]
    count = np.count_nonzero(usable, axis=1).astype(np.float64)
    mean_a, mean_b, square_a, square_b, product = np.array(sums).T / np.maximum(count, 1.0)
    variance_a, variance_b = square_a - mean_a**2, square_b - mean_b**2
    # not a threshold: a variance in grey levels squared that only a flat picture has, up to rounding
    told = (count >= config.least_pixels) & (np.minimum(variance_a, variance_b) >= 1e-3)
    r = (product - mean_a * mean_b) / np.sqrt(np.where(told, variance_a * variance_b, 1.0))
    # Leaving most of the puzzle uncovered must not look like a better explanation.
    return np.where(told, r * np.minimum(1.0, count / (config.compared_share * max(possible, 1))), 0.0)


def sum_of_squares(greys: Floats) -> float:
    """Of whole numbers up to 255, at most 10^11 of them: exact, though OpenCV rounds its root."""
    return float(round(cv2.norm(greys, cv2.NORM_L2SQR)))


def _sums(one: Floats, other: Floats) -> tuple[float, float, float, float, float]:
    """Sums of two rows of p greys, of their squares, and of their products.

    Greys are whole numbers and sums are held as doubles, so they are exact in any order. OpenCV takes a third of the
    time that NumPy does, and unlike a BLAS one thread.
    """
    return (
        cv2.sumElems(one)[0],
        cv2.sumElems(other)[0],
        sum_of_squares(one),
        sum_of_squares(other),
        cv2.sumElems(cv2.multiply(one, other))[0],
    )
