"""How visible a thing is to a person who was not told where to look: 1 is the threshold, from 5 on it is easily seen.

The model, step by step:

1. *Light.* Both pictures as an eye gets them from a screen: 3 % of white is everywhere, from the room and from stray
   light in the eye. Without it OKLab, whose lightness is a cube root, would call two near-blacks far apart.
2. *Contrast.* The difference in OKLab with a and b doubled, for in OKLab a step in hue counts less than it is seen.
3. *The eye's blur.* A Gaussian of 1 px, so that a line of one pixel loses more than a wide one, and what alternates
   from pixel to pixel cancels out.
4. *Area.* The squared difference is summed over a window of 16 x 16 px: contrast times the root of the area, as a
   matched filter has it (and as Ricco's and Piper's laws have it in between). The window is where summation saturates.
5. *Noise.* The sum is divided by the power of what hides it: the eye's own noise; the picture's noise, measured as its
   power at the scale of thin strokes, for which a thing has to stand out four times since nobody says where it is; and
   a share of the contrast that the picture has in the window, for edges mask what lies beside them.
6. *Pooling.* Windows add up by their fourth powers, as chances to see one of several things do: ten times as much of
   the same is seen 1.8 times as well.

Lengths are pixels of the candidate at its own size, which is how a person looks at it; on a common screen at arm's
length a pixel is about 1.5 minutes of arc. So a line of 1 px and 3 % contrast has about 0.8 and is not seen, and a way
of 20 px and 5 % has about 12 and is seen with ease. The constants were set by looking: see docs/composed.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import linear_rgb, oklab_of_linear
from puzzles.common.raster import Picture

FloatPicture = NDArray[np.float32]

EASILY = 5.0
"""Visibility from which a person sees a thing with ease, without searching."""


@dataclass(frozen=True)
class EyeSettings:
    """The constants of the model.

    Attributes
    ----------
    flare : share of white that a screen reflects
    chroma : times a and b count
    blur_px : sigma of the eye's blur
    window_px : side of the window over which contrast is summed
    own_noise : contrast times pixels at which a single window is at threshold, on a plain ground
    noise_gain : times that a change has to exceed the picture's noise
    grain_px : sigma of the blur after which that noise is measured
    masking : share of the picture's own contrast in the window that counts as noise
    pooling : exponent by which windows add up
    """

    flare: float = 0.03
    chroma: float = 2.0
    blur_px: float = 1.0
    window_px: int = 16
    own_noise: float = 0.18
    noise_gain: float = 4.0
    grain_px: float = 1.5
    masking: float = 0.1
    pooling: float = 4.0


EYE = EyeSettings()


def visibility(without: Picture, changed: Picture, noisy: Picture | None = None, eye: EyeSettings = EYE) -> float:
    """How visible it is that a picture was changed.

    Parameters
    ----------
    without, changed
        Shape (H, W, 3), uint8, RGB, of one size, free of noise.
    noisy
        The changed picture as it is seen, with noise or traces of compression; as it is where left out.
    eye
        The model's constants.

    Returns
    -------
    float
        0 where nothing differs; 1 at threshold.
    """
    channels = np.asarray(cv2.absdiff(without, changed), np.uint8)
    differs = channels[..., 0] | channels[..., 1] | channels[..., 2]
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return 0.0
    margin = 2 * eye.window_px
    window = tuple(slice(max(0, int(one[0]) - margin), int(one[-1]) + margin + 1) for one in (rows, columns))
    below, above = seen(without[window], eye), seen(changed[window], eye)
    summed = _summed(((above - below) ** 2).sum(axis=2), eye)
    deviation = below - cv2.blur(below, (eye.window_px, eye.window_px))
    power = eye.own_noise**2 + eye.masking**2 * _summed((deviation**2).sum(axis=2), eye)
    if noisy is not None:
        power = power + eye.noise_gain**2 * noise_power(changed[window], noisy[window], eye)
    detected = (summed / power) ** (eye.pooling / 2)
    return float((detected.sum(dtype=np.float64) / eye.window_px**2) ** (1 / eye.pooling))


def seen(picture: Picture, eye: EyeSettings = EYE) -> FloatPicture:
    """A picture as the eye has it: (H, W, 3), lightness and doubled a and b of OKLab, blurred."""
    return np.asarray(cv2.GaussianBlur(_colors(picture, eye), (0, 0), eye.blur_px), np.float32)


def noise_power(clean: Picture, noisy: Picture, eye: EyeSettings = EYE) -> FloatPicture:
    """Power of a picture's noise around each pixel, (H, W): for white noise the variance of a pixel.

    Coarse grain, which hides more than its variance says, has more. What differs smoothly, as uneven light does, is
    no noise.
    """
    difference = _colors(noisy, eye) - _colors(clean, eye)
    size = (eye.window_px, eye.window_px)
    grain = cv2.GaussianBlur(difference - cv2.blur(difference, size), (0, 0), eye.grain_px)
    # A Gaussian blur divides the variance of white noise by 4 pi sigma squared.
    return np.asarray(4 * np.pi * eye.grain_px**2 * cv2.blur(grain**2, size).sum(axis=2), np.float32)


def _colors(picture: Picture, eye: EyeSettings) -> FloatPicture:
    """Lightness and doubled a and b of OKLab under stray light, (H, W, 3)."""
    lit = linear_rgb(picture) * np.float32(1 - eye.flare) + np.float32(eye.flare)
    return np.asarray(oklab_of_linear(lit) * np.array([1.0, eye.chroma, eye.chroma], np.float32), np.float32)


def _summed(energy: FloatPicture, eye: EyeSettings) -> FloatPicture:
    size = (eye.window_px, eye.window_px)
    return np.asarray(cv2.boxFilter(energy, -1, size, normalize=False, borderType=cv2.BORDER_CONSTANT), np.float32)
