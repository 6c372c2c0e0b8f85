"""What marks start and goal on textures: how much of it a candidate still shows."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import hue_degrees, hue_difference, oklab
from detectors.maze.textures.config import DifferenceConfig

_LEAST = 1e-3  # not a threshold: against a division by 0
_Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class TextureMarks:
    """What marks start and goal of a textured maze.

    Attributes
    ----------
    mask : (h, w) bool
    floor_rgb : (3,) the floor's colour, of the maze and of the flat one, 0 to 255
    """

    mask: NDArray[np.bool_]
    floor_rgb: NDArray[np.float64]

    def halved(self, size: tuple[int, int]) -> TextureMarks:
        """The same in a smaller picture, of so many columns and rows."""
        small = cv2.resize(self.mask.view(np.uint8), size, interpolation=cv2.INTER_AREA) > 0
        return TextureMarks(np.asarray(small, np.bool_), self.floor_rgb)

    def of_their_hue(self, colored: _Floats, picture: NDArray[np.uint8], config: DifferenceConfig) -> NDArray[np.bool_]:
        """(h, w) bool, where they have their hue still, in a picture of stronger or weaker colours.

        Parameters
        ----------
        colored : ndarray of shape (h, w, 3), float32
            The candidate in the maze's colours, 0 to 255.
        picture : ndarray of shape (h, w, 3), uint8 RGB
            The maze.
        config : DifferenceConfig
        """
        found = np.zeros(self.mask.shape, np.bool_)
        at = np.flatnonzero(self.mask)
        # not a threshold: the range of a channel
        now = np.clip(np.rint(colored.reshape(-1, 3)[at]), 0, 255).astype(np.uint8)
        one, other = (oklab(colors)[:, 1:] for colors in (now, picture.reshape(-1, 3)[at]))
        chroma, before = np.hypot(*one.T), np.hypot(*other.T)
        same = hue_difference(hue_degrees(one), hue_degrees(other)) <= config.mark_hue_deg
        same &= (before >= config.mark_chroma) & (chroma >= config.mark_kept * before)
        found.ravel()[at[same]] = True
        return found

    def show(
        self,
        shown: _Floats,
        colored: _Floats,
        expected: _Floats,
        flat: _Floats,
        known: NDArray[np.bool_],
        config: DifferenceConfig,
    ) -> None:
        """Shows on the flat maze, in place, what is left of them: all, or as little as there is more floor instead.

        At edges the range of colours that a place may have takes in both floor and mark, and tells them not apart.

        Parameters
        ----------
        shown : ndarray of shape (h, w, 3), float32
            What the candidate shows on the flat maze, 0 to 255.
        colored, expected, flat : ndarray of shape (h, w, 3), float32
            The candidate in the maze's colours, the maze, and the flat one, as blurred as the candidate.
        known : ndarray of shape (h, w), bool
            Where they are told already to be there (`of_their_hue`).
        config : DifferenceConfig
        """
        at = np.flatnonzero(self.mask & ~known)
        floor = self.floor_rgb.astype(np.float32)
        now, before, painted = (one.reshape(-1, 3)[at] - floor for one in (colored, expected, flat))
        length = np.sqrt((before**2).sum(axis=1))
        share = np.clip((now * before).sum(axis=1) / np.maximum(length**2, _LEAST), 0.0, 1.0)[:, None]
        mixed = np.sqrt(((now - share * before) ** 2).sum(axis=1)) <= config.mark_aside * length
        pixels = shown.reshape(-1, 3)
        pixels[at[mixed]] = floor + share[mixed] * painted[mixed]
        # Anything else in the colour that stands for theirs would be taken for them: it is shown without a hue.
        rest = pixels[at] - floor
        axis = np.sqrt((painted**2).sum(axis=1))
        along = np.clip((rest * painted).sum(axis=1) / np.maximum(axis**2, _LEAST), 0.0, 1.0)[:, None]
        alike = np.sqrt(((rest - along * painted) ** 2).sum(axis=1)) <= config.mark_aside * axis
        false = alike & ~mixed & (np.abs(now - rest).max(axis=1) < 1.0)  # not a threshold: it was painted over
        pixels[at[false]] = pixels[at[false]].mean(axis=1, keepdims=True)
