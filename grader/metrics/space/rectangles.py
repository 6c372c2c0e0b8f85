"""Upright rectangles in a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class PixelRectangle:
    """An upright rectangle in a picture, pixels; (0, 0) is the corner of the first pixel. It has an area."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        """Square pixels."""
        return (self.right - self.left) * (self.bottom - self.top)


def rectangle_around(outline: NDArray[np.float64], size: tuple[int, int] | None) -> PixelRectangle | None:
    """The rectangle around an outline, (n, 2) pixels, so far as it is in a picture of a size (width, height).

    None where nothing of it is. Without a size nothing is cut off.
    """
    if not len(outline):
        return None
    (left, top), (right, bottom) = outline.min(axis=0).tolist(), outline.max(axis=0).tolist()
    if size is not None:
        left, right = max(left, 0.0), min(right, float(size[0]))
        top, bottom = max(top, 0.0), min(bottom, float(size[1]))
    return PixelRectangle(left, top, right, bottom) if left < right and top < bottom else None


def rectangle_overlap(one: PixelRectangle, other: PixelRectangle) -> float:
    """Intersection over union of two rectangles, 0 to 1."""
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    if across <= 0.0 or down <= 0.0:
        return 0.0
    common = across * down
    return min(1.0, common / (one.area + other.area - common))
