"""Colours as people see them: OKLab, and families of hues with names.

OKLab is used because its hue stays put when a blue gets lighter or darker, which CIELAB's does not.

References
----------
.. [1] B. Ottosson, "A perceptual color space for image processing", 2020.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

# Linear sRGB -> LMS and LMS' -> Lab, the two matrices of [1].
_RGB_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LMS_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_STEPS = np.arange(256) / 255.0
# The sRGB transfer curve (IEC 61966-2-1), tabulated for the 256 values that a channel can have.
_LINEAR = np.where(_STEPS <= 0.04045, _STEPS / 12.92, ((_STEPS + 0.055) / 1.055) ** 2.4).astype(np.float32)


def oklab(rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Converts sRGB to OKLab.

    Parameters
    ----------
    rgb : ndarray of shape (..., 3), uint8

    Returns
    -------
    ndarray of shape (..., 3), float32
        Lightness (0 to 1), a (green to red) and b (blue to yellow), the latter two within about ±0.4.
    """
    if not rgb.size:
        return np.zeros(rgb.shape, np.float32)
    # cv2.transform rather than a matrix product: a BLAS may sum in another order with another number of threads.
    linear = _LINEAR[rgb].reshape(1, -1, 3)
    lab = cv2.transform(cv2.pow(cv2.transform(linear, _RGB_TO_LMS), 1.0 / 3.0), _LMS_TO_LAB)
    return np.asarray(lab, np.float32).reshape(rgb.shape)


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
        np.searchsorted(np.cumsum(np.bincount(colors[:, channel], minlength=256)), ranks) for channel in range(3)
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
        return HueRange((self.first - degrees) % 360.0, (self.last + degrees) % 360.0)

    def contains(self, degrees: NDArray[np.floating]) -> NDArray[np.bool_]:
        """Tells, for hues of any shape in degrees, 0 to 360, which lie in the range."""
        beyond = degrees - self.first
        # Not `%`, which takes ten times as long.
        beyond = np.where(beyond < 0.0, beyond + 360.0, beyond)
        inside: NDArray[np.bool_] = beyond <= (self.last - self.first) % 360.0
        return inside


# OKLab hue angles; together they close the circle. Some anchors: (255,0,0) 29.2, (255,20,0) 29.9, (255,0,20) 28.0,
# (255,128,0) 53.0, (255,255,0) 109.8, (0,255,0) 142.5, (0,255,255) 194.8, (0,180,255) 237.4, (0,107,183) 249.4,
# (0,0,255) 264.1, (128,0,255) 293.9, (255,0,255) 328.4.
HUES: dict[ColorName, HueRange] = {
    ColorName.RED: HueRange(5.0, 43.0),
    ColorName.ORANGE: HueRange(43.0, 85.0),
    ColorName.YELLOW: HueRange(85.0, 118.0),
    ColorName.GREEN: HueRange(118.0, 172.0),
    ColorName.CYAN: HueRange(172.0, 208.0),
    ColorName.BLUE: HueRange(208.0, 284.0),
    ColorName.PURPLE: HueRange(284.0, 312.0),
    ColorName.MAGENTA: HueRange(312.0, 5.0),
}


def hue_degrees(ab: NDArray[np.floating]) -> NDArray[np.floating]:
    """The hue angle in degrees, 0 to 360, of (..., 2) pairs of OKLab a and b."""
    angle: NDArray[np.floating] = np.degrees(np.arctan2(ab[..., 1], ab[..., 0]))
    return np.where(angle < 0.0, angle + 360.0, angle)


def hex_of(rgb: NDArray[np.float64]) -> str:
    """Writes an RGB colour of shape (3,), 0 to 255, as ``#RRGGBB``."""
    red, green, blue = (round(float(np.clip(value, 0, 255))) for value in rgb)
    return f"#{red:02X}{green:02X}{blue:02X}"
