"""How form boards look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from puzzles.common.lettering import Font
from puzzles.common.raster import Color
from puzzles.common.texture import Texture

PALETTE: Final[tuple[Color, ...]] = (
    (232, 93, 117),
    (0, 144, 193),
    (46, 196, 182),
    (255, 200, 60),
    (120, 80, 200),
    (240, 140, 50),
    (110, 180, 70),
    (200, 90, 190),
    (150, 110, 80),
    (90, 120, 220),
)
"""Colours of pieces; each may be used once on a board."""


@dataclass(frozen=True)
class FormStyle:
    """How a board is drawn.

    Attributes
    ----------
    ground : the paper
    outline, outline_width : of the silhouette; its width in units, of which the silhouette has 10
    edge : outline of pieces; None for none
    edge_width : its width in units
    letter : colour of labels
    font : of labels
    colors : of pieces, in the order of their labels
    texture : of the paper
    seed : shuffles the colours
    """

    ground: Color = (255, 255, 255)
    outline: Color = (0, 0, 0)
    outline_width: float = 0.14
    edge: Color | None = (40, 40, 40)
    edge_width: float = 0.07
    letter: Color = (0, 0, 0)
    font: Font = Font.PILLOW
    colors: tuple[Color, ...] = PALETTE
    texture: Texture | None = None
    seed: int = 0
