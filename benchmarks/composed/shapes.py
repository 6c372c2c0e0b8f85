"""What is laid on a picture: shapes by where they lie, changes made of them, and the frame that may come around."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from puzzles.common.arrays import FloatArray
from puzzles.common.lettering import Font, draw_text
from puzzles.common.raster import Color, Coverage, Picture, cover_line, new_coverage


class Level(enum.IntEnum):
    """When a shape is laid on: under the answer, over it, or over the picture with its frame."""

    UNDER = 0
    OVER = 1
    FRAMED = 2


@dataclass(frozen=True, eq=False)
class Shape:
    """A shape on a picture.

    Attributes
    ----------
    lines : each (k, 2) in pixels; one point gives a disc
    area : how much of each pixel is covered, instead of lines or beside them
    width : of the lines, pixels; ``None`` for the ink's
    color : ``None`` for the ink's
    toward : a picture that is shown where the shape is, instead of a colour
    plain : whether it is solid and opaque whatever the ink
    clear : (H, W), where nothing is laid on
    level : when it is laid on
    """

    lines: tuple[FloatArray, ...] = ()
    area: Coverage | None = None
    width: float | None = None
    color: Color | None = None
    toward: Picture | None = None
    plain: bool = False
    clear: NDArray[np.bool_] | None = None
    level: Level = Level.OVER


@dataclass(frozen=True)
class Writing:
    """A text: its middle (x, y) and height in pixels, and its colour."""

    text: str
    middle: tuple[float, float]
    height: float
    color: Color
    font: Font = Font.PILLOW


@dataclass(frozen=True)
class Frame:
    """What comes around a picture.

    Attributes
    ----------
    margins : left, top, right, bottom, in pixels
    color : of the margins
    writings : in the framed picture
    line, line_color : width of a line along the framed picture's edge, 0 for none, and its colour
    """

    margins: tuple[int, int, int, int]
    color: Color
    writings: tuple[Writing, ...] = ()
    line: int = 0
    line_color: Color = (0, 0, 0)

    def around(self, picture: Picture) -> Picture:
        """The picture with this frame."""
        left, top, right, bottom = self.margins
        framed = np.asarray(
            cv2.copyMakeBorder(picture, top, bottom, left, right, cv2.BORDER_CONSTANT, value=self.color), np.uint8
        )
        for one in self.writings:
            draw_text(framed, one.text, one.middle, one.height, one.color, one.font)
        if self.line:
            inside = framed[self.line : -self.line, self.line : -self.line].copy()
            framed[:] = self.line_color
            framed[self.line : -self.line, self.line : -self.line] = inside
        return framed


@dataclass(frozen=True, eq=False)
class Change:
    """What is done to a right answer: shapes in order, another ground, a frame."""

    shapes: tuple[Shape, ...] = ()
    ground: Picture | None = None
    frame: Frame | None = None


def lined(size: tuple[int, int], lines: tuple[FloatArray, ...], width: float) -> Coverage:
    """Coverage of lines in a picture of (height, width)."""
    covered = new_coverage(*size)
    for line in lines:
        cover_line(covered, line, width)
    return covered


def written(size: tuple[int, int], text: str, middle: FloatArray, height: float, font: Font = Font.PILLOW) -> Coverage:
    """Coverage of a text in a picture of (height, width)."""
    slate = np.zeros((*size, 3), np.uint8)
    draw_text(slate, text, (float(middle[0]), float(middle[1])), height, (255, 255, 255), font)
    return np.asarray(slate[..., 0] / np.float32(255), np.float32)


def blended(picture: Picture, covered: Coverage, color: Color | Picture, opacity: float) -> Picture:
    """A colour, or another picture, laid on a copy of a picture by coverage times opacity."""
    rows, columns = np.flatnonzero(covered.any(axis=1)), np.flatnonzero(covered.any(axis=0))
    drawn = picture.copy()
    if not len(rows):
        return drawn
    window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    share = covered[window][..., None] * np.float32(opacity)
    above = color[window] if isinstance(color, np.ndarray) else np.array(color, np.float32)
    drawn[window] = np.rint(drawn[window] * (1 - share) + above * share).astype(np.uint8)
    return drawn


def moved(covered: Coverage, right: float, down: float) -> Coverage:
    """Coverage moved by some pixels."""
    matrix = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
    return np.asarray(cv2.warpAffine(covered, matrix, covered.shape[::-1]), np.float32)


def blurred(covered: Coverage, sigma: float) -> Coverage:
    """Coverage blurred by a Gaussian; what is nearly nothing is nothing."""
    soft = np.asarray(cv2.GaussianBlur(covered, (0, 0), max(0.3, sigma)), np.float32)
    return np.asarray(np.where(soft < 1 / 255, np.float32(0), soft), np.float32)


def circle(middle: FloatArray, radius: float, count: int = 48) -> FloatArray:
    """Points around a circle, closed, (count + 1, 2)."""
    angle = np.linspace(0, 2 * np.pi, count + 1)
    return np.asarray(middle + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def mask(where: NDArray[np.bool_]) -> Coverage:
    """Coverage 1 where a mask is set."""
    return np.asarray(where, np.float32)


def over(change: Change, level: Level) -> Change:
    """The same change with all its shapes at another level."""
    return replace(change, shapes=tuple(replace(one, level=level) for one in change.shapes))
