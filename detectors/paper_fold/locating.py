"""Guesses where in a candidate a sheet lies: areas of one colour that have its shape."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects

from detectors.paper_fold.sheet import BareSheet
from grader.media.pyramid import Pyramid


@dataclass(frozen=True, eq=False)
class SheetFrameGuess:
    """An area of the sheet's shape: its box (left, top, width, height), and the map from there to the puzzle."""

    box: tuple[float, float, float, float]
    matrix: NDArray[np.float64]


def find_frames(candidate: Pyramid, sheet: BareSheet) -> list[SheetFrameGuess]:
    """Areas of a candidate that have the sheet's shape, the largest first.

    Parameters
    ----------
    candidate : Pyramid
        Of a picture of shape (H, W, 3), uint8 RGB.
    sheet : BareSheet
    """
    config = sheet.config.locating
    factor = 1
    while max(candidate.picture.shape[:2]) / factor > config.longest_px:
        factor *= 2
    small = cv2.medianBlur(candidate.reduced(factor), 3)  # not a threshold: a pixel's neighbours
    around = np.ones((3, 3), np.uint8)  # not a threshold: a pixel's neighbours
    red, green, blue = cv2.split(cv2.morphologyEx(small, cv2.MORPH_GRADIENT, around))
    level = cv2.max(cv2.max(red, green), blue) <= config.step
    plain = cv2.morphologyEx(level.astype(np.uint8), cv2.MORPH_OPEN, around)
    # Without their sizes, which would take OpenCV twice as long again.
    _, labels = cv2.connectedComponents(plain, connectivity=4)  # not a threshold: no corners
    corners = np.asarray(sheet.outline) * sheet.factor
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    area = cv2.contourArea(corners.astype(np.float32)) / ((right - left) * (bottom - top))
    found: list[SheetFrameGuess] = []
    for label, (rows, columns) in enumerate(find_objects(labels), 1):
        x, y, width, height = columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start
        if min(width, height) < config.least * min(small.shape[:2]):
            continue
        piece = (labels[rows, columns] == label).astype(np.uint8)
        if np.count_nonzero(piece) < config.filled * width * height / 2:
            continue
        contours, _ = cv2.findContours(piece, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        # Holes near the edge cut into what is plain.
        hull = cv2.convexHull(np.concatenate(contours))
        share = cv2.contourArea(hull) / max(1.0, (width - 1.0) * (height - 1.0))
        if abs(share - area) > 1.0 - config.filled:
            continue
        # The sheet's own edge lies beside what is plain.
        across = (right - left) / ((width + 2.0) * factor)
        down = (bottom - top) / ((height + 2.0) * factor)
        move = (left - across * (x - 1.0) * factor, top - down * (y - 1.0) * factor)
        # not a threshold: centres of pixels lie at whole numbers there
        shift = (0.5 * across - 0.5 + move[0], 0.5 * down - 0.5 + move[1])
        matrix = np.array([[across, 0.0, shift[0]], [0.0, down, shift[1]]])
        box = (float(x * factor), float(y * factor), float(width * factor), float(height * factor))
        found.append(SheetFrameGuess(box, matrix))
    found.sort(key=lambda one: -one.box[2] * one.box[3])
    return found[: config.most]
