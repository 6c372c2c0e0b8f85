"""Colours of a plain surface, to be painted on, without a picture."""

from __future__ import annotations

import numpy as np

from detectors.spatial_edit.scene.colors import SurfaceColors

SIDE = 100
LIGHT = 0.6


def plain(side: int = SIDE, lightness: float = LIGHT) -> SurfaceColors:
    """A grey surface, evenly lit."""
    return SurfaceColors(np.full((side, side), lightness, np.float32), np.zeros((side, side, 2), np.float32), dark=0.05)


def flags(rows: slice, columns: slice, side: int = SIDE) -> np.ndarray:
    """A rectangle as a mask."""
    mask = np.zeros((side, side), np.bool_)
    mask[rows, columns] = True
    return mask
