"""Where two pictures of a scene differ at all: what shows the very same pixels did not move."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.predicted.rays import Flags

_DEVIATION = 1.4826  # not a threshold: standard deviation of normal noise over its median size


@dataclass(frozen=True)
class ChangesConfig:
    """What counts as another pixel.

    Attributes
    ----------
    smooth_px : the noise of single pixels is smoothed away with this standard deviation
    least : a difference, in levels of 255...
    grain : ...and times the standard deviation that noise has once it is smoothed
    most_share : a place of whose pixels no more are others shows what it showed
    least_seen : of a place of which less is in sight, beside what moved before it, nothing is told
    """

    smooth_px: float = 2.0
    least: float = 6.0
    grain: float = 5.0
    most_share: float = 0.01
    least_seen: float = 0.4


def changed_pixels(before: NDArray[np.uint8], after: NDArray[np.uint8], config: ChangesConfig) -> Flags:
    """Tells which pixels are others, but for a shift of all colours: (H, W) bool of two (H, W, 3) uint8 RGB."""
    off = after.astype(np.float32) - before.astype(np.float32)
    off -= np.median(off.reshape(-1, off.shape[2]), axis=0)
    smooth = cv2.GaussianBlur(off, (0, 0), config.smooth_px)
    # What is left of white noise of deviation 1 after a Gaussian blur of s pixels is 1 / (2 sqrt(pi) s).
    noise = _DEVIATION * float(np.median(np.abs(off - smooth))) / (2.0 * math.sqrt(math.pi) * config.smooth_px)
    return np.asarray(np.abs(smooth).max(axis=2) > max(config.least, config.grain * noise))


def is_unchanged(changed: Flags, place: Flags, config: ChangesConfig) -> bool:
    """Tells whether a place, (H, W) bool, shows what it showed; not of one that is nowhere in the picture."""
    return bool(place.any()) and float(changed[place].mean()) <= config.most_share
