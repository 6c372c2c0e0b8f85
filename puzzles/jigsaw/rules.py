"""Which photographs and pieces make fair questions: every threshold, with its unit."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

_THUMB = 16  # pictures are compared at so many squares a side


@dataclass(frozen=True)
class JigsawRules:
    """What qualifies.

    Attributes
    ----------
    least_side_px : the shorter side of a photograph has at least so many pixels
    most_aspect : its longer side is at most so many times the shorter
    least_sharpness : variance of the Laplacian of its brightness, at a shorter side of ``sharpness_side_px``
    sharpness_side_px : the shorter side that photographs are reduced to before their sharpness is measured, in pixels
    flat_contrast : a piece whose brightness has a smaller standard deviation is near-flat, 0 to 255
    flat_seam : so has a strip beside a cut that says nothing of what lies beyond, along the cut, 0 to 255
    strip_px : width of these strips in pixels
    least_difference : least mean difference of two options, or of two pieces of one question, in levels of 255 at 16 x
        16 squares
    """

    least_side_px: int = 320
    most_aspect: float = 2.0
    least_sharpness: float = 30.0
    sharpness_side_px: int = 320
    flat_contrast: float = 8.0
    flat_seam: float = 3.0
    strip_px: int = 4
    least_difference: float = 8.0


def brightness(picture: Pixels) -> NDArray[np.uint8]:
    """Of a picture, (H, W) uint8."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)


def sharpness(picture: Pixels, side_px: int) -> float:
    """Variance of the Laplacian, at a shorter side of so many pixels; a smaller picture is taken as it is."""
    scale = side_px / min(picture.shape[:2])
    small = picture if scale >= 1 else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return float(cv2.Laplacian(brightness(np.asarray(small, np.uint8)), cv2.CV_64F).var())


def thumb(picture: Pixels) -> NDArray[np.float32]:
    """A picture at 16 x 16 squares, float32."""
    return np.asarray(cv2.resize(picture, (_THUMB, _THUMB), interpolation=cv2.INTER_AREA), np.float32)


def difference(one: Pixels, other: Pixels) -> float:
    """How much two pictures differ to the eye: the mean of all channels at 16 x 16 squares, 0 to 255."""
    return float(np.abs(thumb(one) - thumb(other)).mean())


def all_differ(pictures: list[Pixels], least: float) -> bool:
    """Whether each two pictures differ by at least so much."""
    small = [thumb(one) for one in pictures]
    return all(float(np.abs(one - other).mean()) >= least for place, one in enumerate(small) for other in small[:place])
