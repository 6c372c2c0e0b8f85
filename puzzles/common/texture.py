"""Textures of floors: small steps of brightness that a seed fixes to the byte."""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzles.common.raster import Picture

MAX_AMPLITUDE = 24


class TextureKind(enum.Enum):
    """What a floor looks like.

    GRAIN is that of paper: each small square has a brightness of its own. TILES are squares, each of one brightness,
    with darker joints.
    """

    GRAIN = "grain"
    TILES = "tiles"


@dataclass(frozen=True)
class Texture:
    """A texture.

    Attributes
    ----------
    kind
        What it looks like.
    amplitude
        Largest change of a channel, from 1 to 24 of 255.
    period
        Side of a square as a share of the cell size; positive. It is drawn in whole pixels, at least one.
    seed
        Not negative. The same seed gives the same texture.

    Raises
    ------
    ValueError
        If a number is out of range.
    """

    kind: TextureKind
    amplitude: int = 6
    period: float = 0.02
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.amplitude <= MAX_AMPLITUDE:
            raise ValueError(f"amplitude must be from 1 to {MAX_AMPLITUDE}, not {self.amplitude}")
        if not 0 < self.period < float("inf"):
            raise ValueError(f"period must be positive, not {self.period}")
        if self.seed < 0:
            raise ValueError(f"the seed must not be negative, not {self.seed}")


def lay_texture(picture: Picture, texture: Texture, cell_size_px: float) -> None:
    """Change a picture's brightness by a texture, in place; what would leave 0 to 255 stays at that end.

    Parameters
    ----------
    picture
        Shape (H, W, 3), uint8, RGB.
    texture
        What to lay on it.
    cell_size_px
        What the period is a share of, in pixels.
    """
    height, width = picture.shape[:2]
    side = max(1, round(texture.period * cell_size_px))
    steps = _squares(height, width, side, texture)
    if texture.kind is TextureKind.TILES:
        joint = max(1, side // 24)
        steps[np.arange(height) % side < joint] = -texture.amplitude
        steps[:, np.arange(width) % side < joint] = -texture.amplitude
    picture[:] = np.clip(picture + steps[..., None], 0, 255).astype(np.uint8)


def _squares(height: int, width: int, side: int, texture: Texture) -> NDArray[np.int16]:
    """Return one of the whole numbers from -amplitude to amplitude for each square, as pixels (H, W)."""
    rows, columns = -(-height // side), -(-width // side)
    # Raw numbers, because NumPy promises that a bit generator keeps its stream; for distributions it does not.
    raw = np.random.PCG64(texture.seed).random_raw(rows * columns).reshape(rows, columns)
    steps = (raw % np.uint64(2 * texture.amplitude + 1)).astype(np.int16) - np.int16(texture.amplitude)
    return steps.repeat(side, axis=0).repeat(side, axis=1)[:height, :width]
