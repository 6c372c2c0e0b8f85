"""Letters and numbers as coverage: how much of each pixel their strokes cover, from the fonts of Pillow or OpenCV."""

from __future__ import annotations

import enum
import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from puzzles.common.raster import Color, Coverage, Picture, paint

# Letters are drawn this much larger and averaged, so that they are as smooth at any place.
_OVERSAMPLING = 4
_THICKNESS = 0.12  # of OpenCV's strokes, as a share of a letter's height
_BOLD_THICKNESS = 0.2


class Font(enum.Enum):
    """A font. PILLOW is Pillow's default one; OPENCV and OPENCV_BOLD are what `cv2.putText` draws."""

    PILLOW = "pillow"
    OPENCV = "opencv"
    OPENCV_BOLD = "opencv_bold"


def draw_text(
    picture: Picture,
    text: str,
    centre: tuple[float, float],
    height_px: float,
    color: Color,
    font: Font = Font.PILLOW,
    opacity: float = 1.0,
) -> None:
    """Write a short text upright on a picture, in place; what lies outside is left out.

    Parameters
    ----------
    picture
        Shape (H, W, 3), uint8, RGB; changed in place.
    text
        Not empty; of ASCII characters that leave a mark.
    centre
        The middle of the text's marks, (x, y) in pixels.
    height_px
        Height of the marks, positive. It is rounded to a quarter of a pixel, at least one pixel.
    color
        RGB from 0 to 255.
    font
        What it is drawn with.
    opacity
        From 0 to 1.
    """
    marks = _marks(text, max(4, round(4 * height_px)), font)
    height, width = marks.shape
    left, top = centre[0] - width / 2, centre[1] - height / 2
    column, row = math.floor(left), math.floor(top)
    shifted = _shifted(marks, left - column, top - row)
    y0, x0 = max(0, row), max(0, column)
    y1 = min(picture.shape[0], row + shifted.shape[0])
    x1 = min(picture.shape[1], column + shifted.shape[1])
    if y0 < y1 and x0 < x1:
        part = np.ascontiguousarray(shifted[y0 - row : y1 - row, x0 - column : x1 - column])
        paint(picture[y0:y1, x0:x1], part, color, opacity)


@lru_cache(maxsize=256)
def _marks(text: str, quarters: int, font: Font) -> Coverage:
    """Return a text's coverage, cut to its marks, which are as high as so many quarters of a pixel."""
    large = _pillow(text, quarters) if font is Font.PILLOW else _strokes(text, quarters, font)
    rows, columns = np.flatnonzero(large.any(axis=1)), np.flatnonzero(large.any(axis=0))
    cut = large[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height = quarters / 4
    width = max(1.0, cut.shape[1] * height / cut.shape[0])
    # Whole pixels with the marks in the middle; the size in between is met by the oversampled picture.
    fine = cv2.resize(
        cut,
        (max(1, round(width * _OVERSAMPLING)), max(1, round(height * _OVERSAMPLING))),
        interpolation=cv2.INTER_AREA,
    )
    pads = [-side % (2 * _OVERSAMPLING) for side in fine.shape]
    fine = np.pad(fine, [(pad // 2, pad - pad // 2) for pad in pads])
    rows_out, columns_out = fine.shape[0] // _OVERSAMPLING, fine.shape[1] // _OVERSAMPLING
    blocks = fine.reshape(rows_out, _OVERSAMPLING, columns_out, _OVERSAMPLING).astype(np.float32)
    marks: Coverage = blocks.mean(axis=(1, 3)) / 255
    marks.setflags(write=False)
    return marks


def _pillow(text: str, quarters: int) -> NDArray[np.uint8]:
    # Letters are some 0.7 of a font's size high; _marks brings them to the height asked for.
    font = ImageFont.load_default(size=float(quarters * _OVERSAMPLING) / 4 / 0.7)
    left, top, right, bottom = font.getbbox(text, stroke_width=1)
    canvas = Image.new("L", (math.ceil(right - left) + 4, math.ceil(bottom - top) + 4))
    ImageDraw.Draw(canvas).text((2 - left, 2 - top), text, fill=255, font=font, stroke_width=1)
    return np.asarray(canvas)


def _strokes(text: str, quarters: int, font: Font) -> NDArray[np.uint8]:
    height = quarters * _OVERSAMPLING / 4
    share = _BOLD_THICKNESS if font is Font.OPENCV_BOLD else _THICKNESS
    thickness = max(1, round(share * height))
    scale = cv2.getFontScaleFromHeight(cv2.FONT_HERSHEY_SIMPLEX, max(2, round(height) - thickness), thickness)
    (width, above), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thickness)
    canvas = np.zeros((above + below + 4 * thickness + 4, width + 4 * thickness + 4), np.uint8)
    place = (2 * thickness + 2, above + 2 * thickness + 2)
    cv2.putText(canvas, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thickness, cv2.LINE_AA)
    return canvas


def _shifted(marks: Coverage, right: float, down: float) -> Coverage:
    """Return coverage moved by a part of a pixel, one row and column larger."""
    padded = np.pad(marks, ((1, 1), (1, 1)))
    rows = padded[1:] * (1 - down) + padded[:-1] * down
    moved: Coverage = (rows[:, 1:] * (1 - right) + rows[:, :-1] * right).astype(np.float32)
    return moved
