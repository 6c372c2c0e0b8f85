"""What is compared of a piece and what is shown in its place: smoothed pictures, and their fine structure."""

from __future__ import annotations

import cv2
import numpy as np

from detectors.jigsaw.config import Floats, Pixels


def smoothed(picture: Pixels | Floats, deviation_px: float) -> Floats:
    """A picture under a Gaussian."""
    return np.asarray(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), deviation_px), np.float32)


def grey_of(picture: Pixels | Floats) -> Floats:
    """The mean of the channels; NumPy's own over so short an axis takes ten times as long."""
    shown = picture.astype(np.float32, copy=False)
    return np.asarray((shown[..., 0] + shown[..., 1] + shown[..., 2]) / 3, np.float32)


def strongest(picture: Floats) -> Floats:
    """The largest of the channels."""
    return np.asarray(np.maximum(np.maximum(picture[..., 0], picture[..., 1]), picture[..., 2]), np.float32)


def detail_of(shown: Floats, piece: Floats, detail_px: float) -> float:
    """Correlation of what is finer than some pixels, over both pictures' greys, -1 to 1."""
    greys = (grey_of(shown), grey_of(piece))
    fine = [grey - cv2.GaussianBlur(grey, (0, 0), detail_px) for grey in greys]
    product = float((fine[0] * fine[1]).sum())
    norm = float(np.sqrt((fine[0] ** 2).sum() * (fine[1] ** 2).sum()))
    return product / norm if norm > 0 else 0.0


def beside(shown: Pixels, wanted: Floats, rim: float, rough_px: float) -> tuple[float, float]:
    """By how many levels what is shown is lighter or darker than what was expected, and how far its finest structure is
    off; within a rim, a share of the sides."""
    height, width = wanted.shape[:2]
    across, down = round(rim * width), round(rim * height)
    inner = np.s_[down : height - down, across : width - across]
    off = shown[inner].astype(np.float32) - wanted[inner]
    shift = float(np.abs(np.median(off.reshape(-1, 3), axis=0)).max())
    fine = off - cv2.GaussianBlur(off, (0, 0), rough_px)
    return shift, float(np.sqrt((fine**2).mean()))
