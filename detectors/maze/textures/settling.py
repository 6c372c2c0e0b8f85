"""Brings a candidate onto its textures to a part of a pixel: what is drawn on it must not sway that."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.textures.config import SettlingConfig

Floats = NDArray[np.float32]


def settled(
    view: NDArray[np.uint8], seen: NDArray[np.bool_], picture: NDArray[np.uint8], config: SettlingConfig
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """A candidate displaced by the small affine map under which most of its pixels are the puzzle's.

    Parameters
    ----------
    view : ndarray of shape (h, w, 3), uint8 RGB
        The aligned candidate.
    seen : ndarray of shape (h, w), bool
        Where it has pixels.
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The puzzle.
    config : SettlingConfig

    Returns
    -------
    view, seen : ndarray
        As given, where it lies well already.
    """
    own, want = (cv2.cvtColor(one, cv2.COLOR_RGB2GRAY).astype(np.float32) for one in (view, picture))
    height, width = own.shape
    matrix = np.eye(2, 3)
    for blur in config.blurs:
        smooth, expected = (np.asarray(cv2.GaussianBlur(one, (0, 0), blur), np.float32) for one in (own, want))
        slopes = [_slope(expected, along_x) for along_x in (1, 0)]
        for _ in range(config.rounds):
            step = _step(smooth, expected, slopes, seen, matrix, config)
            matrix = matrix + step
            if _largest(step, width, height) < config.rest_px:
                break
    moved = _largest(matrix - np.eye(2, 3), width, height)
    if not config.still_px < moved <= config.most_px:
        return view, seen
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    drawn = cv2.warpAffine(view, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpAffine(seen.astype(np.uint8), matrix, (width, height), flags=flags, borderValue=0)
    return np.asarray(drawn, np.uint8), np.asarray(inside > 0, np.bool_)


def _step(
    own: Floats,
    want: Floats,
    slopes: list[Floats],
    seen: NDArray[np.bool_],
    matrix: NDArray[np.float64],
    config: SettlingConfig,
) -> NDArray[np.float64]:
    """The change of a map that takes off most of what differs, by pixels that differ little."""
    height, width = own.shape
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    drawn = cv2.warpAffine(own, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=-1.0)
    kept = np.flatnonzero(seen & (drawn >= 0.0))
    kept = kept[:: max(1, kept.size // config.samples)]
    if kept.size < config.least:
        return np.zeros((2, 3))
    now, expected = drawn.ravel()[kept].astype(np.float64), want.ravel()[kept].astype(np.float64)
    off = expected - now
    off -= np.median(off)
    scale = max(float(np.quantile(np.abs(off), config.trimmed)), 1.0)  # not a threshold: a level
    weight = 1.0 / (1.0 + (off / scale) ** 2) ** 2
    row, column = np.divmod(kept, width)
    x, y = column / width - 0.5, row / height - 0.5
    terms = [one.ravel()[kept].astype(np.float64) * basis for one in slopes for basis in (np.ones_like(x), x, y)]
    # Sums, not products of matrices: a BLAS may add in another order with another number of threads.
    system = np.array([[float((one * other * weight).sum()) for other in terms] for one in terms])
    target = np.array([float((one * off * weight).sum()) for one in terms])
    # not a threshold: a little keeps a system solvable that has no answer
    system += 1e-3 * max(float(np.trace(system)), 1.0) / len(terms) * np.eye(len(terms))
    shift_x, x_by_x, x_by_y, shift_y, y_by_x, y_by_y = np.linalg.solve(system, target)
    # A pixel at p shows what the candidate has at p plus this.
    return np.array(
        [
            [x_by_x / width, x_by_y / height, shift_x - 0.5 * (x_by_x + x_by_y)],
            [y_by_x / width, y_by_y / height, shift_y - 0.5 * (y_by_x + y_by_y)],
        ]
    )


def _slope(grey: Floats, along_x: int) -> Floats:
    """Levels a pixel along x, or along y."""
    # not a threshold: it makes Sobel's sum a slope
    return np.asarray(cv2.Sobel(grey, cv2.CV_32F, along_x, 1 - along_x, scale=0.125), np.float32)


def _largest(step: NDArray[np.float64], width: int, height: int) -> float:
    """How far a change moves a corner at most."""
    corners = np.array([[0.0, 0.0, 1.0], [width, 0.0, 1.0], [0.0, height, 1.0], [width, height, 1.0]])
    moved = (corners[:, None, :] * step[None, :, :]).sum(axis=2)
    return float(np.hypot(moved[:, 0], moved[:, 1]).max())
