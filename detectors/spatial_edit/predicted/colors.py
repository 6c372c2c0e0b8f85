"""Colours of a picture as they are compared: brightness, and a tint that light leaves as it is."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import linear_rgb, oklab_of_linear
from detectors.common.residual.mixing import channel_sums
from detectors.spatial_edit.predicted.rays import Floats

_DARK = 1e-3  # not a threshold: guards divisions by lightness
_FLARE = 0.03  # not a threshold: of white that a screen reflects, which defines how lightness is told
_LUMA = np.array([0.2126, 0.7152, 0.0722], np.float32)  # not a threshold: of linear sRGB


@dataclass(frozen=True, eq=False)
class Colors:
    """A picture's smoothed colours: brightness, linear, (H, W) float32, and tint, OKLab's a and b over lightness."""

    brightness: Floats
    tint: Floats


@dataclass(frozen=True, eq=False)
class ColorRange:
    """Least and most brightness, linear, (H, W) float32, and tint, (H, W, 2) float32."""

    low: Floats
    high: Floats
    tint_low: Floats
    tint_high: Floats


def smoothed(picture: NDArray[np.uint8], smooth_px: float) -> Floats:
    """Takes a picture, (H, W, 3) uint8 RGB, to smoothed linear RGB."""
    return np.asarray(cv2.GaussianBlur(linear_rgb(picture), (0, 0), smooth_px), np.float32)


def colors_of(linear: Floats) -> Colors:
    """Takes brightness and tint of linear RGB, (H, W, 3)."""
    lab = oklab_of_linear(linear)
    tint = lab[..., 1:] / np.maximum(lab[..., :1], np.float32(_DARK))
    return Colors(np.asarray(channel_sums(linear * _LUMA), np.float32), np.asarray(tint, np.float32))


def lightness(brightness: Floats) -> Floats:
    """Returns OKLab's lightness of a linear brightness under stray light."""
    return np.asarray(np.cbrt(np.maximum(brightness, 0) * np.float32(1 - _FLARE) + np.float32(_FLARE)), np.float32)


def contrasts(colors: Colors) -> Floats:
    """Returns colours in which distances are contrasts, (H, W, 3) float32: lightness, and tint as it is seen at it."""
    scale = np.cbrt(np.maximum(colors.brightness, 0))[..., None]
    return np.concatenate([lightness(colors.brightness)[..., None], colors.tint * scale], axis=2)
