"""Which colours of an edited picture its surroundings account for: the same surface, in more or in less light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import oklab
from detectors.spatial_edit.scene.config import AlikeConfig, SurfaceConfig

Flags = NDArray[np.bool_]
Floats = NDArray[np.float32]

_CHUNK = 1 << 15  # not a threshold: pixels that are compared at once, to save memory


@dataclass(frozen=True)
class SurfaceColors:
    """A picture's colours, smoothed.

    Attributes
    ----------
    lightness : (H, W) float32, OKLab's, 0 to 1
    tint : (H, W, 2) float32, OKLab's a and b over lightness, which light and shadow leave as they are
    dark : the lightness that they are divided by where it is less
    """

    lightness: Floats
    tint: Floats
    dark: float

    @property
    def lab(self) -> Floats:
        """OKLab, (H, W, 3)."""
        lightness = self.lightness[..., None]
        return np.concatenate([lightness, self.tint * np.maximum(lightness, self.dark)], axis=2)


def surface_colors(picture: NDArray[np.uint8], config: SurfaceConfig) -> SurfaceColors:
    """Takes the colours of a picture, (H, W, 3) uint8 RGB, without the noise of single pixels."""
    lab = cv2.GaussianBlur(oklab(picture), (0, 0), config.smooth_px)
    lightness = np.asarray(lab[..., 0], np.float32)
    tint = np.asarray(lab[..., 1:] / np.maximum(lab[..., :1], config.dark), np.float32)
    return SurfaceColors(lightness, tint, config.dark)


def grown(mask: Flags, by: int) -> Flags:
    """Grows a mask, (H, W), by some pixels all around."""
    return np.asarray(cv2.dilate(mask.astype(np.uint8), _disc(by)) > 0)


def shrunk(mask: Flags, by: int) -> Flags:
    """Shrinks a mask, (H, W), by some pixels all around, but not at the picture's border."""
    return np.asarray(cv2.erode(mask.astype(np.uint8), _disc(by), borderValue=1) > 0)


def _disc(radius: int) -> NDArray[np.uint8]:
    side = 2 * radius + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)


def accounted_for(
    colors: SurfaceColors, where: Flags, known: SurfaceColors, around: Flags, config: AlikeConfig
) -> Flags:
    """Tells which pixels show a surface that is seen around, in another light at most.

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
    config : AlikeConfig

    Returns
    -------
    (n,) bool
        For each pixel of ``where``, in order of rows.
    """
    step = max(1, int(np.count_nonzero(around)) // config.samples)
    lightness, tint = known.lightness[around][::step], known.tint[around][::step]
    least, most = config.least_light, config.most_light
    found = []
    light_in, tint_in = colors.lightness[where], colors.tint[where]
    for start in range(0, len(light_in), _CHUNK):
        of_light = light_in[start : start + _CHUNK, None]
        of_tint = tint_in[start : start + _CHUNK]
        off = np.hypot(of_tint[:, :1] - tint[None, :, 0], of_tint[:, 1:] - tint[None, :, 1])
        alike = (off < config.reach) & (of_light > least * lightness) & (of_light < most * lightness)
        found.append(alike.any(axis=1))
    return np.concatenate(found) if found else np.zeros(0, np.bool_)
