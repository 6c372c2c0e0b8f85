"""Guesses at how a candidate was framed: bars, cuts, a content box. They are tried, not believed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
"""(2, 3) float64; maps (x, y, 1) to (x, y), with pixel centres at whole numbers."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels, the latter two exclusive."""


@dataclass(frozen=True)
class FramingConfig:
    """What counts as a frame around a drawing.

    Attributes
    ----------
    bar_noise : difference of a channel (0 to 255) up to which a pixel may still be one of a bar
    other_shape : ratio of two pictures' aspects above which one was fitted into the other with bars, or cut
    least_content : least share of width and of height that is left between bars
    stretched : by how much more than its height a puzzle's width may be scaled, or the other way round, before that is
        told, as a share
    """

    bar_noise: int = 24
    other_shape: float = 1.01
    least_content: float = 0.25
    stretched: float = 0.03


def compose(after: Matrix, before: Matrix) -> Matrix:
    """The affine map that applies ``before``, then ``after``."""
    composed = np.empty((2, 3))
    composed[:, :2] = after[:, :2] @ before[:, :2]
    composed[:, 2] = after[:, :2] @ before[:, 2] + after[:, 2]
    return composed


def scaling(scale_x: float, scale_y: float) -> Matrix:
    """Scales pixel areas: the corner of pixel 0 stays a corner, and its centre lies half a pixel inside."""
    return np.array([[scale_x, 0.0, 0.5 * scale_x - 0.5], [0.0, scale_y, 0.5 * scale_y - 0.5]])


def stretch(source: tuple[float, float], target: tuple[float, float]) -> Matrix:
    """Maps a picture of one (width, height) onto another as a plain resize does."""
    return scaling(target[0] / source[0], target[1] / source[1])


def of_areas(matrix: Matrix) -> Matrix:
    """The same map in coordinates in which pixel (0, 0) covers (0, 0) to (1, 1), and its centre is (0.5, 0.5)."""
    half = np.array([0.5, 0.5])
    return np.column_stack([matrix[:, :2], matrix[:, 2] + half - matrix[:, :2] @ half])


def of_centers(matrix: Matrix) -> Matrix:
    """The way back: a map of areas in coordinates that have the centres of pixels at whole numbers."""
    half = np.array([0.5, 0.5])
    return np.column_stack([matrix[:, :2], matrix[:, 2] - half + matrix[:, :2] @ half])


def letterboxes(
    candidate: NDArray[np.uint8], puzzle_size: tuple[int, int], puzzle_box: Box | None, config: FramingConfig
) -> list[Matrix]:
    """Maps that keep the puzzle's aspect, with bars (or cut) on two sides or a strip on one, and one that maps content
    to content."""
    height, width = candidate.shape[:2]
    puzzle_width, puzzle_height = puzzle_size
    found: list[Matrix] = []
    fit = min(width / puzzle_width, height / puzzle_height)
    fill = max(width / puzzle_width, height / puzzle_height)
    if fill / fit > config.other_shape:
        for ratio in (fit, fill):
            left, top = (width - puzzle_width * ratio) / 2.0, (height - puzzle_height * ratio) / 2.0
            scale = scaling(1.0 / ratio, 1.0 / ratio)
            # A strip beside a picture, with a title say, leaves it flush with the other side.
            for part in (1.0, 0.0, 2.0) if ratio == fit else (1.0,):
                found.append(compose(scale, np.array([[1.0, 0.0, -part * left], [0.0, 1.0, -part * top]])))
    box = content_box(candidate, config)
    if box is not None:
        found.append(onto(box, (0, 0, puzzle_width, puzzle_height)))
        # Bars in the colour of the puzzle's own rim hide where the one ends and the other begins.
        if puzzle_box is not None:
            found.append(onto(box, puzzle_box))
    return found


def onto(box: tuple[float, float, float, float], target: tuple[float, float, float, float]) -> Matrix:
    """Maps one box (left, top, right, bottom) of areas onto another."""
    left, top, right, bottom = box
    move = np.array([[1.0, 0.0, -float(left)], [0.0, 1.0, -float(top)]])
    scale = stretch((right - left, bottom - top), (target[2] - target[0], target[3] - target[1]))
    return compose(np.array([[1.0, 0.0, float(target[0])], [0.0, 1.0, float(target[1])]]), compose(scale, move))


def content_box(picture: NDArray[np.uint8], config: FramingConfig) -> Box | None:
    """The box (left, top, right, bottom) inside uniform bars, or None where there are none."""
    height, width = picture.shape[:2]
    # Bars have one colour all around or on two opposite sides; each side is measured against its own corner.
    first, last = picture[0, 0].astype(np.int16), picture[-1, -1].astype(np.int16)
    rows_low, columns_low = _unlike(picture, first, config.bar_noise)
    rows_high, columns_high = (
        (rows_low, columns_low) if (first == last).all() else _unlike(picture, last, config.bar_noise)
    )
    if not (rows_low.any() and rows_high.any()):
        return None
    left, top = int(columns_low.argmax()), int(rows_low.argmax())
    right, bottom = width - int(columns_high[::-1].argmax()), height - int(rows_high[::-1].argmax())
    trimmed = left > 0 or top > 0 or right < width or bottom < height
    # Of few pixels the least share is none, and nothing can be mapped onto a box without pixels.
    least_width, least_height = (max(1, int(config.least_content * side)) for side in (width, height))
    if not trimmed or right - left < least_width or bottom - top < least_height:
        return None
    return left, top, right, bottom


def _unlike(
    picture: NDArray[np.uint8], rgb: NDArray[np.int16], noise: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which rows and which columns hold a pixel that differs from a colour by more than a bar's noise."""
    low, high = (tuple((rgb + off).tolist()) for off in (-noise, noise))
    alike = cv2.inRange(picture, low, high)
    rows, columns = (cv2.reduce(alike, axis, cv2.REDUCE_MIN).ravel() for axis in (1, 0))
    return np.asarray(rows == 0), np.asarray(columns == 0)
