"""How a lot looks: colours, widths in units of the lot, letters, rails, background."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from puzzles.common.lettering import Font
from puzzles.common.raster import Color
from puzzles.common.texture import Texture

PX_PER_UNIT = 120
"""Pixels a unit of the lot in the published pictures."""

_DARK: Color = (0x1B, 0x26, 0x3B)


@dataclass(frozen=True)
class LotStyle:
    """The look of a lot. Lengths are in units of the lot, colours RGB from 0 to 255.

    Attributes
    ----------
    lot_share
        The lot's side as a share of the picture's; the rest is margin.
    margin, floor, border, exit, obstacle
        Colours of the surroundings, the lot, its border, the exits' bars and the obstacles.
    border_width
        Width of the border, whose middle is the lot's side.
    border_outside
        Whether the whole border lies outside the lot instead, touching its side.
    exit_width, exit_overhang
        Width of an exit's bar across the border, and how much longer than the opening it is at each end.
    outline_width, outline_darkness
        Width of a vehicle's outline, and the share of black in it.
    disc_radius, disc_darkness
        Radius of the disc under a letter, at most 0.45 of a vehicle's width, and the share of black in it.
    letter_share
        Height of a letter as a share of the disc's diameter.
    font
        Of the letters.
    rails
        Whether the vehicles' lines are shown.
    rail_width, rail_strength, dash, dash_gap
        Their width, at least a pixel; the share of a vehicle's colour in them; lengths of dashes and of gaps.
    color_jitter
        Largest change of a channel of the vehicles' colours, 0 to 255; each colour gets its own, by the seed.
    seed
        Not negative.
    texture
        Of floor and margin, with the unit of the lot as cell size; ``None`` for plain ones.

    Raises
    ------
    ValueError
        If a number is out of range.
    """

    lot_share: float = 0.88
    margin: Color = (255, 255, 255)
    floor: Color = (255, 255, 255)
    border: Color = _DARK
    exit: Color = (0x81, 0xC7, 0x84)
    obstacle: Color = _DARK
    border_width: float = 0.04
    border_outside: bool = False
    exit_width: float = 0.4
    exit_overhang: float = 0.0
    outline_width: float = 0.03
    outline_darkness: float = 0.6
    disc_radius: float = 0.27
    disc_darkness: float = 0.8
    letter_share: float = 0.5
    font: Font = Font.PILLOW
    rails: bool = True
    rail_width: float = 0.015
    rail_strength: float = 0.5
    dash: float = 0.14
    dash_gap: float = 0.1
    color_jitter: int = 0
    seed: int = 0
    texture: Texture | None = None

    def __post_init__(self) -> None:
        if not 0 < self.lot_share <= 1:
            raise ValueError(f"lot_share must be above 0 and at most 1, not {self.lot_share}")
        for name in ("border_width", "exit_width", "disc_radius", "rail_width", "dash", "dash_gap", "letter_share"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name} must be positive, not {value}")
        for name in ("exit_overhang", "outline_width"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise ValueError(f"{name} must not be negative, not {value}")
        for name in ("outline_darkness", "disc_darkness", "rail_strength"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise ValueError(f"{name} must be from 0 to 1, not {value}")
        if not 0 <= self.color_jitter <= 255:
            raise ValueError(f"color_jitter must be from 0 to 255, not {self.color_jitter}")
        if self.seed < 0:
            raise ValueError(f"the seed must not be negative, not {self.seed}")

    def color_of(self, code: str) -> Color:
        """Return the RGB in which a vehicle of the colour ``#RRGGBB`` is drawn."""
        channels = [int(code[place : place + 2], 16) for place in (1, 3, 5)]
        if self.color_jitter:
            # Raw numbers, because NumPy promises that a bit generator keeps its stream; for distributions it does not.
            raw = np.random.PCG64([self.seed, int(code[1:], 16)]).random_raw(3)
            steps = [int(number % np.uint64(2 * self.color_jitter + 1)) - self.color_jitter for number in raw]
            channels = [min(255, max(0, channel + step)) for channel, step in zip(channels, steps, strict=True)]
        red, green, blue = channels
        return red, green, blue
