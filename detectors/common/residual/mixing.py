"""Takes off a picture what is known of it: its ground, and what mixes into the ground near a thing.

Everything is told in OKLab with its two axes of hue doubled, since the eye is some times as keen on them as a step of
lightness of the same length says. Near a thing (a wall, a marker, a stroke) the ground may have any mixture of both:
anti-aliasing, blur, a displacement by a pixel, the smear of a JPEG all give just that.
"""

from __future__ import annotations

from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import oklab
from detectors.common.quantiles import median

HUE_WEIGHT = 2.0  # not a threshold: it defines the colour space in which every contrast here is told
_AnyT = TypeVar("_AnyT", bound=np.generic)
_SUM = np.ones((1, 3), np.float32)  # not a threshold: it adds channels up
_LEAST_AXIS = 1e-6  # not a threshold: against a division by 0


def seen(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Converts sRGB of shape (..., 3), uint8, to OKLab with a and b doubled, float32."""
    return oklab(rgb, HUE_WEIGHT)


def seen_color(rgb: NDArray[np.float64]) -> NDArray[np.float32]:
    """The same of one colour of shape (3,), 0 to 255."""
    # not a threshold: the range of a channel
    return np.asarray(seen(np.clip(np.rint(rgb), 0, 255).astype(np.uint8)[None])[0], np.float32)


def lengths(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The contrast of each pixel of (h, w, 3): the length of its vector, (h, w)."""
    return np.asarray(cv2.sqrt(cv2.transform(cv2.multiply(values, values), _SUM)), np.float32)


def contrasts(values: NDArray[np.float32], color: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far each pixel of (h, w, 3) is from a colour of shape (3,): ``lengths(values - color)``, but faster."""
    less = np.column_stack([np.eye(3, dtype=np.float32), -color])
    return lengths(np.asarray(cv2.transform(values, less), np.float32))


def times(values: NDArray[np.float32], factor: NDArray[np.float32]) -> NDArray[np.float32]:
    """``values * factor[..., None]`` of (h, w, 3) and (h, w), to the bit; NumPy takes several times as long."""
    return np.asarray(values * cv2.merge([factor] * values.shape[2]), np.float32)


def colors_within(picture: NDArray[_AnyT], mask: NDArray[np.bool_]) -> NDArray[_AnyT]:
    """``picture[mask]`` of (h, w, 3), which takes several times as long: (n, 3)."""
    return picture.reshape(-1, picture.shape[-1]).take(np.flatnonzero(mask), axis=0)


def channel_medians(values: NDArray[np.generic]) -> NDArray[np.float32]:
    """``numpy.median(values, axis=0)`` of (n, 3), n at least 1, as float32; in a fraction of the time."""
    return np.array([median(one) for one in np.ascontiguousarray(values.T)], np.float32)


def channel_sums(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """``values.sum(axis=-1)`` of (..., 3), to the bit; over so few numbers NumPy's own sum takes ten times as long."""
    return np.asarray(values[..., 0] + values[..., 1] + values[..., 2], np.float32)


def channel_maxima(values: NDArray[_AnyT]) -> NDArray[_AnyT]:
    """``values.max(axis=-1)`` of (..., 3); over so few numbers NumPy's own maximum takes some fifty times as long."""
    return np.asarray(np.maximum(np.maximum(values[..., 0], values[..., 1]), values[..., 2]))


def take_off(
    values: NDArray[np.float32], zone: NDArray[np.bool_], axis: NDArray[np.float32], least: float, most: float
) -> None:
    """Takes off every pixel of a zone what it has of a mixture with a thing, in place.

    Parameters
    ----------
    values : ndarray of shape (h, w, 3), float32
        The residual, in the colours of `seen`.
    zone : ndarray of shape (h, w), bool
        Where the thing may mix in.
    axis : ndarray of shape (3,), float32
        From the ground's colour to the thing's.
    least : float
        A thing that differs less than this from the ground mixes in unseen.
    most : float
        The largest share of the axis that is taken off; 1 is the thing itself.
    """
    length = float(np.sqrt((axis**2).sum()))
    if length < max(least, _LEAST_AXIS):
        return
    at = np.flatnonzero(zone)
    flat = values.reshape(-1, 3)
    own = flat[at]
    unit = axis / length
    along = np.clip(channel_sums(own * unit), 0.0, most * length)
    flat[at] = own - along[:, None] * unit


def take_off_subsampled(values: NDArray[np.float32], zone: NDArray[np.bool_], axis: NDArray[np.float32]) -> None:
    """Takes off mixtures with a thing whose hue and lightness mix in by shares of their own, in place.

    Video and most JPEGs keep hues at half the resolution, so that at a thing's edge they lie a pixel beside its
    lightness.

    Parameters
    ----------
    values : ndarray of shape (h, w, 3), float32
        The residual, in the colours of `seen`.
    zone : ndarray of shape (h, w), bool
        Where that may be.
    axis : ndarray of shape (3,), float32
        From the ground's colour to the thing's.
    """
    lightness, hue = axis.copy(), axis.copy()
    lightness[1:] = 0.0
    hue[0] = 0.0
    for part in (lightness, hue):
        take_off(values, zone, part, _LEAST_AXIS, 1.0)


def take_off_pattern(values: NDArray[np.float32], pattern: NDArray[np.float32], most: float) -> None:
    """Takes off every pixel what it has of a pattern that is known to be there, in place.

    Parameters
    ----------
    values, pattern : ndarray of shape (h, w, 3), float32
        In the colours of `seen`; where the pattern is 0 nothing is taken off.
    most : float
        The largest share of the pattern that is.
    """
    at = np.flatnonzero(pattern[..., 0].astype(bool) | pattern[..., 1].astype(bool) | pattern[..., 2].astype(bool))
    known, flat = pattern.reshape(-1, 3)[at], values.reshape(-1, 3)
    own = flat[at]
    share = np.clip(channel_sums(own * known) / channel_sums(known * known), 0.0, most)
    flat[at] = own - share[:, None] * known


def distance_to(mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """(h, w) float32, the distance of each pixel to a mask; far beyond everything where it is empty."""
    if not mask.any():
        return np.full(mask.shape, float(sum(mask.shape)), np.float32)
    # not a threshold: the side of OpenCV's larger mask
    return np.asarray(cv2.distanceTransform((~mask).view(np.uint8), cv2.DIST_L2, 5), np.float32)


def take_off_two(
    values: NDArray[np.float32],
    zone: NDArray[np.bool_],
    axes: tuple[NDArray[np.float32], NDArray[np.float32]],
    most: float,
) -> None:
    """Takes off every pixel of a zone what it has of a mixture with two things at once, in place.

    Parameters
    ----------
    values : ndarray of shape (h, w, 3), float32
        The residual, in the colours of `seen`; contiguous.
    zone : ndarray of shape (h, w), bool
        Where the things may mix in.
    axes : pair of ndarray of shape (3,), float32
        From the ground's colour to each thing's.
    most : float
        The largest share of both together.
    """
    at = np.flatnonzero(zone)
    flat = values.reshape(-1, 3)
    flat[at] = left_of_two(flat[at], axes, most)


def left_of_two(
    own: NDArray[np.float32], axes: tuple[NDArray[np.float32], NDArray[np.float32]], most: float
) -> NDArray[np.float32]:
    """What is left of pixels (N, 3) beside a mixture with two things; parameters are those of `take_off_two`."""
    # Channel by channel, since NumPy is slow over an axis of three.
    planes = np.ascontiguousarray(own.T)
    one, other = axes
    best, sizes = planes.copy(), _squares(planes)
    # What is nearest in a triangle lies within it, or on one of its three sides.
    first, second, both = (float((a * b).sum()) for a, b in ((one, one), (other, other), (one, other)))
    size = first * second - both**2
    nothing = np.zeros(3, np.float32)
    for axis, start in ((one, nothing), (other, nothing), (other - one, one)):
        length = float((axis**2).sum())
        if length < _LEAST_AXIS:
            continue
        away = planes - (most * start)[:, None]
        share = np.clip(_along(away, axis) / length, 0.0, most)
        _keep_less(best, sizes, away - share * axis[:, None])
    if size > _LEAST_AXIS:
        along, beside = _along(planes, one), _along(planes, other)
        s, t = (along * second - beside * both) / size, (beside * first - along * both) / size
        inside = (s >= 0) & (t >= 0) & (s + t <= most)
        left = planes - s * one[:, None] - t * other[:, None]
        _keep_less(best, sizes, np.where(inside, left, planes))
    return np.ascontiguousarray(best.T)


def _along(planes: NDArray[np.float32], axis: NDArray[np.float32]) -> NDArray[np.float32]:
    """The product of each colour of (3, N) with an axis of shape (3,), (N,)."""
    return np.asarray(planes[0] * axis[0] + planes[1] * axis[1] + planes[2] * axis[2], np.float32)


def _squares(planes: NDArray[np.float32]) -> NDArray[np.float32]:
    """The squared length of each colour of (3, N), (N,)."""
    return np.asarray(planes[0] ** 2 + planes[1] ** 2 + planes[2] ** 2, np.float32)


def _keep_less(best: NDArray[np.float32], sizes: NDArray[np.float32], left: NDArray[np.float32]) -> None:
    """Keeps, in place, of what is left in either of two ways, (3, N) each, the lesser."""
    squares = _squares(left)
    less = squares < sizes
    np.copyto(best, left, where=less)
    np.copyto(sizes, squares, where=less)
