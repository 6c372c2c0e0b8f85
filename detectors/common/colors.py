"""Colours as people see them: OKLab, and families of hues with names.

OKLab is used because its hue stays put when a blue gets lighter or darker, which CIELAB's does not.

References
----------
.. [1] B. Ottosson, "A perceptual color space for image processing", 2020.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

# Linear sRGB -> LMS and LMS' -> Lab, the two matrices of [1].
_RGB_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],  # not a threshold: as in [1]
        [0.2119034982, 0.6806995451, 0.1073969566],  # not a threshold: as in [1]
        [0.0883024619, 0.2817188376, 0.6299787005],  # not a threshold: as in [1]
    ]
)
_LMS_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],  # not a threshold: as in [1]
        [1.9779984951, -2.4285922050, 0.4505937099],  # not a threshold: as in [1]
        [0.0259040371, 0.7827717662, -0.8086757660],  # not a threshold: as in [1]
    ]
)
_STEPS = np.arange(256) / 255.0  # not a threshold: the values that a channel can have
# The sRGB transfer curve, tabulated for them; not a threshold: the numbers are those of IEC 61966-2-1.
_LINEAR = np.where(_STEPS <= 0.04045, _STEPS / 12.92, ((_STEPS + 0.055) / 1.055) ** 2.4).astype(np.float32)
_TURN = 360.0  # not a threshold: degrees


def linear_rgb(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Converts sRGB of any shape, 0 to 255, to linear RGB, 0 to 1."""
    if not rgb.size:
        return np.zeros(rgb.shape, np.float32)
    # OpenCV looks up in a fifth of the time that indexing takes.
    return np.asarray(cv2.LUT(np.ascontiguousarray(rgb).reshape(1, -1), _LINEAR), np.float32).reshape(rgb.shape)


def oklab(rgb: NDArray[np.uint8], hue_weight: float = 1.0) -> NDArray[np.float32]:
    """Converts sRGB to OKLab.

    Parameters
    ----------
    rgb : ndarray of shape (..., 3), uint8
    hue_weight : float
        By which a and b are multiplied.

    Returns
    -------
    ndarray of shape (..., 3), float32
        Lightness (0 to 1), a (green to red) and b (blue to yellow), the latter two within about ±0.4.
    """
    return oklab_of_linear(linear_rgb(rgb), hue_weight)


def oklab_of_linear(linear: NDArray[np.float32], hue_weight: float = 1.0) -> NDArray[np.float32]:
    """Converts linear RGB (..., 3), 0 to 1, to OKLab, as `oklab` does."""
    if not linear.size:
        return np.zeros(linear.shape, np.float32)
    # cv2.transform rather than a matrix product: a BLAS may sum in another order with another number of threads.
    flat = linear.reshape(1, -1, 3)
    to_lab = _LMS_TO_LAB * np.array([[1.0], [hue_weight], [hue_weight]])
    lab = cv2.transform(cv2.pow(cv2.transform(flat, _RGB_TO_LMS), 1.0 / 3.0), to_lab)
    return np.asarray(lab, np.float32).reshape(linear.shape)


def project(
    picture: NDArray[np.uint8], origin: NDArray[np.float64], target: NDArray[np.float64]
) -> NDArray[np.float32]:
    """How far each pixel of (..., 3) lies on the way from one colour (0) to another (1)."""
    axis = target - origin
    scale = (axis / max(float((axis**2).sum()), 1.0)).astype(np.float32)
    # Summed by hand: a BLAS may add in another order with another number of threads.
    weighted = picture[..., 0] * scale[0] + picture[..., 1] * scale[1] + picture[..., 2] * scale[2]
    return np.asarray(weighted - np.float32((origin * scale).sum()), np.float32)


def median_rgb(colors: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The median of each channel of (n, 3) colours, n at least 1, as `numpy.median` has it: (3,), 0 to 255.

    Counted, not sorted, which is several times faster.
    """
    count = len(colors)
    ranks = np.array([(count - 1) // 2, count // 2]) + 1
    middles = [
        np.searchsorted(np.cumsum(np.bincount(colors[:, channel], minlength=len(_STEPS))), ranks)
        for channel in range(3)
    ]
    return np.asarray(np.asarray(middles, np.float64).mean(axis=1), np.float64)


class ColorName(enum.Enum):
    """A family of colours that people call by one name."""

    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    CYAN = "cyan"
    BLUE = "blue"
    PURPLE = "purple"
    MAGENTA = "magenta"
    BLACK = "black"
    WHITE = "white"


LIGHTNESS: dict[ColorName, float] = {ColorName.BLACK: 0.0, ColorName.WHITE: 1.0}
"""OKLab lightness of the colours that have no hue."""


@dataclass(frozen=True)
class HueRange:
    """Hues from ``first`` up to ``last`` in degrees, counter-clockwise; past 360 where ``last`` is the lesser."""

    first: float
    last: float

    def widened(self, degrees: float) -> HueRange:
        """The same range with so many degrees more at each end."""
        return HueRange((self.first - degrees) % _TURN, (self.last + degrees) % _TURN)

    def contains(self, degrees: NDArray[np.floating]) -> NDArray[np.bool_]:
        """Tells, for hues of any shape in degrees, 0 to 360, which lie in the range."""
        beyond = degrees - self.first
        # Not `%`, which takes ten times as long.
        beyond = np.where(beyond < 0.0, beyond + _TURN, beyond)
        inside: NDArray[np.bool_] = beyond <= (self.last - self.first) % _TURN
        return inside


@dataclass(frozen=True)
class HuesConfig:
    """Where the colours that people call by one name begin, as OKLab hue angles.

    Each ends where the next begins; together they close the circle. Some anchors: (255,0,0) 29.2, (255,20,0) 29.9,
    (255,0,20) 28.0, (255,128,0) 53.0, (255,255,0) 109.8, (0,255,0) 142.5, (0,255,255) 194.8, (0,180,255) 237.4,
    (0,107,183) 249.4, (0,0,255) 264.1, (128,0,255) 293.9, (255,0,255) 328.4.

    Attributes
    ----------
    red, orange, yellow, green, cyan, blue, purple, magenta : in degrees
    """

    red: float = 5.0
    orange: float = 43.0
    yellow: float = 85.0
    green: float = 118.0
    cyan: float = 172.0
    blue: float = 208.0
    purple: float = 284.0
    magenta: float = 312.0

    @property
    def ranges(self) -> dict[ColorName, HueRange]:
        """The hues of every colour that has one, in order around the circle."""
        firsts = {ColorName(one.name): float(getattr(self, one.name)) for one in fields(self)}
        lasts = [*list(firsts.values())[1:], self.red]
        return {name: HueRange(first, last) for (name, first), last in zip(firsts.items(), lasts, strict=True)}


def hue_degrees(ab: NDArray[np.floating]) -> NDArray[np.floating]:
    """The hue angle in degrees, 0 to 360, of (..., 2) pairs of OKLab a and b."""
    angle: NDArray[np.floating] = np.degrees(np.arctan2(ab[..., 1], ab[..., 0]))
    return np.where(angle < 0.0, angle + _TURN, angle)


def hue_difference(one: NDArray[np.floating], other: NDArray[np.floating]) -> NDArray[np.floating]:
    """By how many degrees, 0 to 180, two hues differ the shorter way around."""
    difference: NDArray[np.floating] = np.abs((one - other + _TURN / 2) % _TURN - _TURN / 2)
    return difference


def hex_of(rgb: NDArray[np.float64]) -> str:
    """Writes an RGB colour of shape (3,), 0 to 255, as ``#RRGGBB``."""
    red, green, blue = (round(float(np.clip(value, 0, 255))) for value in rgb)
    return f"#{red:02X}{green:02X}{blue:02X}"
