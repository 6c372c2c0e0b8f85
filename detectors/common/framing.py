"""A picture within a picture: the puzzle's own ground amid a margin of another colour, as figures and pages have it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Frame = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels."""


@dataclass(frozen=True)
class InnerFrameConfig:
    """When a picture is one within another one.

    Attributes
    ----------
    levels : colours that differ by at most this from the corners', 0 to 255, are margin
    thin : what is thinner than this share of the shorter side is no part of it, such as ticks and letters
    least : share of the picture that it takes at least
    filled : share of its box that its outline encloses
    """

    levels: float = 7.0
    thin: float = 0.02
    least: float = 0.2
    filled: float = 0.98


def inner_frame(picture: Pixels, config: InnerFrameConfig) -> Frame | None:
    """The rectangle that a picture has within a margin of its corner's colour; None where there is none.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
    config : InnerFrameConfig
    """
    height, width = picture.shape[:2]
    margin = np.median(picture[:: max(1, height - 1), :: max(1, width - 1)].reshape(-1, 3), axis=0)
    low, high = (np.clip(margin + sign * config.levels, 0, 255).astype(np.uint8) for sign in (-1, 1))
    off = cv2.bitwise_not(cv2.inRange(picture, low, high))
    # Ticks and letters are thin.
    side = max(3, round(config.thin * min(height, width)))
    opened = cv2.morphologyEx(off, cv2.MORPH_OPEN, np.ones((side, side), np.uint8), borderValue=0)
    # What has the margin's colour within it, such as lines and letters, is no part of the margin.
    outlines, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not outlines:
        return None
    largest = max(outlines, key=cv2.contourArea)
    left, top, wide, high_ = cv2.boundingRect(largest)
    # A contour runs through the middles of pixels.
    area = cv2.contourArea(largest) + wide + high_ - 1
    if wide * high_ < config.least * width * height or area < config.filled * wide * high_:
        return None
    if (wide, high_) == (width, height):
        return None
    return left, top, left + wide, top + high_


def alone_in(picture: Pixels, frame: Frame) -> Pixels:
    """A picture with the ground within a frame continued to all that is beyond it."""
    left, top, right, bottom = frame
    inner = picture[top:bottom, left:right]
    rim = np.concatenate([inner[0], inner[-1], inner[:, 0], inner[:, -1]])
    made = np.empty_like(picture)
    made[:] = np.median(rim, axis=0).astype(np.uint8)
    made[top:bottom, left:right] = inner
    return made
