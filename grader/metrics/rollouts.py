"""Measures of a path shown in a clip, named as by VR-Bench: precision, step deviation, exact match, fidelity.

Pure functions over polylines and pictures. Distances have one scale: x and y are never divided by width and height
apart, so that a circle stays a circle in a picture that is no square.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

EPSILON_SHARE = 0.05
"""Largest deviation from the reference path, as a share of the picture's longer side."""

SAMPLES = 1000
"""Into so many equal parts of its length a path is divided."""

EXACT_PRECISION = 0.98
EXACT_DEVIATION = 0.1


def path_length(points: FloatArray) -> float:
    """The length of a polyline.

    Parameters
    ----------
    points : ndarray of shape (N, 2), float64
        (x, y), N at least 1.

    Returns
    -------
    float
        :math:`\\sum_i |p_{i+1} - p_i|`, in the points' unit; 0 for a single point.

    Raises
    ------
    ValueError
        If the points have another shape, or one is not finite.
    """
    _check(points)
    step = np.diff(points, axis=0)
    return float(np.hypot(step[:, 0], step[:, 1]).sum())


def resample(points: FloatArray, samples: int = SAMPLES) -> FloatArray:
    """Points at equal distances along a polyline.

    Parameters
    ----------
    points : ndarray of shape (N, 2), float64
        (x, y), N at least 1.
    samples : int
        Into how many parts the length is divided, at least 1.

    Returns
    -------
    ndarray of shape (samples + 1, 2), float64
        The first and the last are the polyline's own ends.

    Raises
    ------
    ValueError
        If the points have another shape, one is not finite, or ``samples`` is below 1.
    """
    _check(points)
    if samples < 1:
        raise ValueError(f"a path is divided into at least 1 part, not {samples}")
    step = np.diff(points, axis=0)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(step[:, 0], step[:, 1]))])
    at = np.linspace(0.0, along[-1], samples + 1)
    return np.stack([np.interp(at, along, points[:, axis]) for axis in (0, 1)], axis=1)


def precision(path: FloatArray, reference: FloatArray, epsilon: float, samples: int = SAMPLES) -> float:
    """The share of the reference path that a path follows before it first deviates (PR).

    Both are walked in order. Let :math:`r(s)` be the reference at arc length s, L its length, and :math:`s_0 = 0`. Each
    sample p of the path is matched with the place next to it that is not behind the last one,

    .. math:: s_k = \\arg\\min_{s_{k-1} \\le s \\le s_{k-1} + w} |p_k - r(s)|,

    where w is the distance of neighbouring samples of the path plus ``epsilon``. The walk ends where the path does, or
    before the first sample with :math:`|p_k - r(s_k)| > \\epsilon`; the precision is the last :math:`s_k / L`.

    Parameters
    ----------
    path, reference : ndarray of shape (N, 2), float64
        (x, y) in pixels from start to goal, N at least 1; the reference is longer than 0.
    epsilon : float
        Largest deviation in pixels, above 0: `EPSILON_SHARE` of the picture's longer side.
    samples : int
        Into how many parts each is divided.

    Returns
    -------
    float
        0 to 1.

    Raises
    ------
    ValueError
        If a polyline has another shape or is not finite, the reference has no length, or ``epsilon`` is not above 0.
    """
    if not epsilon > 0.0:
        raise ValueError(f"epsilon is {epsilon}; give a distance above 0")
    length = path_length(reference)
    if length == 0.0:
        raise ValueError("the reference path has no length")
    # As complex numbers, between which a distance takes one step.
    walked, along = (line[:, 0] + 1j * line[:, 1] for line in (resample(path, samples), resample(reference, samples)))
    window = path_length(path) / samples + epsilon
    reach = max(1, int(np.ceil(window / (length / samples))))
    here = 0
    for point in walked:
        distances = np.abs(along[here : here + reach + 1] - point)
        best = int(distances.argmin())
        if distances[best] > epsilon:
            return here / samples
        here += best
    return here / samples


def step_deviation(path: FloatArray, reference: FloatArray) -> float:
    """How much longer a path is than the reference (SD), to be given only where it succeeds.

    Parameters
    ----------
    path, reference : ndarray of shape (N, 2), float64
        (x, y) in one unit; the reference is longer than 0.

    Returns
    -------
    float
        :math:`|path| / |reference| - 1`, at least -1; negative where corners are cut.

    Raises
    ------
    ValueError
        If a polyline has another shape or is not finite, or the reference has no length.
    """
    length = path_length(reference)
    if length == 0.0:
        raise ValueError("the reference path has no length")
    return path_length(path) / length - 1.0


def exact_match(success: bool, precision_share: float, deviation: float | None) -> bool:
    """Whether a path is the reference to the letter (EM): success, PR >= 0.98 and abs(SD) <= 0.1.

    Parameters
    ----------
    success : bool
        SR. Without it nothing is an exact match, however near.
    precision_share : float
        PR, 0 to 1.
    deviation : float or None
        SD, or None where it was not measured.
    """
    if not success or deviation is None:
        return False
    return precision_share >= EXACT_PRECISION and abs(deviation) <= EXACT_DEVIATION


def background_fidelity(
    first: NDArray[np.uint8], frame: NDArray[np.uint8], unmasked: NDArray[np.bool_], tolerance: int = 5
) -> float | None:
    """The share of the background that stays as in the first frame (MF).

    .. math:: MF = \\frac{|\\{q \\in U : |g(q) - g_0(q)| \\le \\tau\\}|}{|U|}

    Parameters
    ----------
    first, frame : ndarray of shape (H, W), uint8
        Grey values.
    unmasked : ndarray of shape (H, W), bool
        U, the pixels that count: neither path nor marker.
    tolerance : int
        Largest difference that still counts as the same, 0 to 255.

    Returns
    -------
    float or None
        0 to 1; None where no pixel counts.

    Raises
    ------
    ValueError
        If the shapes differ.
    """
    if not first.shape == frame.shape == unmasked.shape or first.ndim != 2:
        raise ValueError(f"shapes {first.shape}, {frame.shape} and {unmasked.shape} are not one (H, W)")
    count = int(np.count_nonzero(unmasked))
    if not count:
        return None
    same = np.abs(first.astype(np.int16) - frame) <= tolerance
    return int(np.count_nonzero(same & unmasked)) / count


def _check(points: FloatArray) -> None:
    if points.ndim != 2 or points.shape[1] != 2 or not len(points):
        raise ValueError(f"a polyline has shape (N, 2) with N at least 1, not {points.shape}")
    if not np.isfinite(points).all():
        raise ValueError("a polyline has only finite coordinates")
