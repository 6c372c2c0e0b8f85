"""Which colours of an edited picture its surroundings account for: the same surface, in more or in less light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import oklab

Flags = NDArray[np.bool_]
Floats = NDArray[np.float32]

_SMOOTH_PX = 1.0
_DARK = 0.05
_SAMPLES = 512
_CHUNK = 1 << 15


@dataclass(frozen=True)
class SurfaceColors:
    """A picture's colours, smoothed.

    Attributes
    ----------
    lightness : (H, W) float32, OKLab's, 0 to 1
    tint : (H, W, 2) float32, OKLab's a and b over lightness, which light and shadow leave as they are
    """

    lightness: Floats
    tint: Floats

    @property
    def lab(self) -> Floats:
        """OKLab, (H, W, 3)."""
        lightness = self.lightness[..., None]
        return np.concatenate([lightness, self.tint * np.maximum(lightness, _DARK)], axis=2)


def surface_colors(picture: NDArray[np.uint8]) -> SurfaceColors:
    """Colours of a picture, (H, W, 3) uint8 RGB, without the noise of single pixels."""
    lab = cv2.GaussianBlur(oklab(picture), (0, 0), _SMOOTH_PX)
    lightness = np.asarray(lab[..., 0], np.float32)
    tint = np.asarray(lab[..., 1:] / np.maximum(lab[..., :1], _DARK), np.float32)
    return SurfaceColors(lightness, tint)


def grown(mask: Flags, by: int) -> Flags:
    """A mask, (H, W), grown by some pixels all around."""
    return np.asarray(cv2.dilate(mask.astype(np.uint8), _disc(by)) > 0)


def shrunk(mask: Flags, by: int) -> Flags:
    """A mask, (H, W), shrunk by some pixels all around, but not at the picture's border."""
    return np.asarray(cv2.erode(mask.astype(np.uint8), _disc(by), borderValue=1) > 0)


def _disc(radius: int) -> NDArray[np.uint8]:
    side = 2 * radius + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def accounted_for(
    colors: SurfaceColors, where: Flags, known: SurfaceColors, around: Flags, reach: float, light: tuple[float, float]
) -> Flags:
    """Tell which pixels show a surface that is seen around, in another light at most.

    Parameters
    ----------
    colors : SurfaceColors
        Of the picture that is looked at.
    where : (H, W) bool
        Which of its pixels are looked at.
    known : SurfaceColors
        Of the picture whose surfaces are known.
    around : (H, W) bool
        Which of its pixels show them; at least one.
    reach : float
        So near to each other two tints are those of one surface.
    light : tuple of float
        The least and the most lightness, as a share of that of the surface where it is seen.

    Returns
    -------
    (n,) bool
        For each pixel of ``where``, in order of rows.
    """
    step = max(1, int(np.count_nonzero(around)) // _SAMPLES)
    lightness, tint = known.lightness[around][::step], known.tint[around][::step]
    found = []
    light_in, tint_in = colors.lightness[where], colors.tint[where]
    for start in range(0, len(light_in), _CHUNK):
        of_light = light_in[start : start + _CHUNK, None]
        of_tint = tint_in[start : start + _CHUNK]
        off = np.hypot(of_tint[:, :1] - tint[None, :, 0], of_tint[:, 1:] - tint[None, :, 1])
        alike = (off < reach) & (of_light > light[0] * lightness) & (of_light < light[1] * lightness)
        found.append(alike.any(axis=1))
    return np.concatenate(found) if found else np.zeros(0, np.bool_)
