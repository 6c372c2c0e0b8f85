"""Brings a picture to the size of the one that it is compared with."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.model.verdict import Note


@dataclass(frozen=True)
class FittingSettings:
    """When a picture counts as stretched.

    Attributes
    ----------
    same_shape : logarithm of the ratio of two pictures' aspects up to which they are of one shape
    """

    same_shape: float = 0.02


def fit(
    picture: NDArray[np.uint8], size: tuple[int, int], settings: FittingSettings
) -> tuple[NDArray[np.uint8], tuple[Note, ...]]:
    """Brings a picture, (H, W, 3) uint8 RGB, to a size (width, height) in pixels, and says so.

    A picture of another shape is stretched, as editing models that work on squares expect; where a model padded or cut
    it instead, nothing fits, so that is said too.
    """
    height, width = picture.shape[:2]
    if (width, height) == size:
        return picture, ()
    smaller = size[0] * size[1] < width * height
    resized = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC)
    text = f"it has {width}x{height} pixels and was resized to {size[0]}x{size[1]} before it was compared"
    notes = [Note("RESIZED", text)]
    stretch = size[0] * height / (width * size[1])
    if abs(math.log(stretch)) > settings.same_shape:
        text = f"its shape differs, so it was stretched across by {stretch:.3g} against down; if it was padded, cut it"
        notes.append(Note("STRETCHED", text))
    return np.asarray(resized, np.uint8), tuple(notes)
