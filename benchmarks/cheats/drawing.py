"""Shapes, paint and frames that cheats are made of. Every function returns a new picture."""

from __future__ import annotations

import io
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Color, Picture, cover_line, cover_polygon, new_coverage, paint

BLUE = (0, 107, 183)
BLUES: dict[str, Color] = {
    "asked": BLUE,
    "light": (96, 165, 250),
    "pale": (190, 220, 255),
    "navy": (0, 0, 110),
    "pure": (0, 0, 255),
}
Points = Sequence[Sequence[float] | FloatArray] | FloatArray
"""Points (x, y) in pixels."""

WHITE = (255, 255, 255)
BLACK = (0, 0, 0)
GREY = (128, 128, 128)
RED = (255, 0, 0)
GREEN = (0, 160, 60)


def line(picture: Picture, points: Points, width: float, color: Color, opacity: float = 1.0) -> Picture:
    """Draw a line with round caps; a single point gives a disc of that diameter."""
    drawn, coverage = picture.copy(), new_coverage(*picture.shape[:2])
    cover_line(coverage, np.array(points, np.float64).reshape(-1, 2), width)
    paint(drawn, coverage, color, opacity)
    return drawn


def polygon(picture: Picture, corners: Points, color: Color) -> Picture:
    """Fill a convex polygon, corners clockwise."""
    drawn, coverage = picture.copy(), new_coverage(*picture.shape[:2])
    cover_polygon(coverage, np.array(corners, np.float64))
    paint(drawn, coverage, color)
    return drawn


def box(picture: Picture, left: float, top: float, width: float, height: float, color: Color) -> Picture:
    """Fill a box, to whole pixels."""
    drawn = picture.copy()
    drawn[max(0, round(top)) : round(top + height), max(0, round(left)) : round(left + width)] = color
    return drawn


def painted(picture: Picture, where: NDArray[np.bool_], color: Color, opacity: float = 1.0) -> Picture:
    """Lay a colour on a mask."""
    drawn = picture.copy()
    drawn[where] = np.rint(picture[where] * (1 - opacity) + np.array(color) * opacity).astype(np.uint8)
    return drawn


def blended(below: Picture, above: Picture, share: float | NDArray[np.float64]) -> Picture:
    """Mix two pictures; the share of the upper one may be an array that broadcasts to (H, W, 3)."""
    return np.asarray(np.rint(below * (1 - share) + above * share).astype(np.uint8))


def label(picture: Picture, text: str, left: float, bottom: float, height: float, color: Color) -> Picture:
    """Write a text in capitals of a height in pixels."""
    drawn = picture.copy()
    scale = height / 21.0
    thick = max(1, round(height / 8))
    at = (round(left), round(bottom))
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, color, thick, cv2.LINE_AA)
    return drawn


def resized(picture: Picture, width: int, height: int) -> Picture:
    """Scale to a size."""
    shrinks = width <= picture.shape[1]
    return np.asarray(
        cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC), np.uint8
    )


def scaled(picture: Picture, factor: float) -> Picture:
    """Scale by a factor."""
    return resized(picture, round(picture.shape[1] * factor), round(picture.shape[0] * factor))


def padded(picture: Picture, left: int, top: int, right: int, bottom: int, color: Color) -> Picture:
    """Add margins in one colour."""
    height, width = picture.shape[:2]
    frame = np.empty((height + top + bottom, width + left + right, 3), np.uint8)
    frame[:] = color
    frame[top : top + height, left : left + width] = picture
    return frame


def pasted(picture: Picture, inset: Picture, left: int, top: int) -> Picture:
    """Lay a smaller picture on a larger one."""
    drawn = picture.copy()
    drawn[top : top + inset.shape[0], left : left + inset.shape[1]] = inset
    return drawn


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    """Encode with Pillow."""
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def part(points: FloatArray, begin: float, end: float) -> FloatArray:
    """Return a piece of a line, from one share of its length to another, with its corners kept."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    at = np.concatenate([[0.0], np.cumsum(steps)]) / steps.sum()
    wanted = np.concatenate([[begin], at[(at > begin) & (at < end)], [end]])
    return np.stack([np.interp(wanted, at, points[:, axis]) for axis in (0, 1)], axis=1)
