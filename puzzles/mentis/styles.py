"""Named looks of lots and of sliding boards, and looks drawn by chance."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from puzzles.common.lettering import Font
from puzzles.common.texture import Texture, TextureKind
from puzzles.rush_hour.style import LotStyle
from puzzles.sliding.render import SlidingStyle

_Chosen = TypeVar("_Chosen")

LOT_STYLES: Mapping[str, LotStyle] = MappingProxyType(
    {
        "published": LotStyle(),
        "margins": LotStyle(lot_share=0.72, margin=(240, 240, 240)),
        "frame": LotStyle(border_width=0.12, border_outside=True),
        "dark": LotStyle(margin=(24, 26, 34), border=(90, 96, 110), border_width=0.08, border_outside=True),
        "bare": LotStyle(rails=False, outline_width=0.0),
        "large_letters": LotStyle(disc_radius=0.36, letter_share=0.6, font=Font.OPENCV_BOLD),
        "paper": LotStyle(
            floor=(246, 243, 236), texture=Texture(TextureKind.GRAIN, amplitude=7, period=0.08), margin=(236, 232, 222)
        ),
    }
)
"""Looks of lots by name."""

SLIDING_STYLES: Mapping[str, SlidingStyle] = MappingProxyType(
    {
        "published": SlidingStyle(),
        "margins": SlidingStyle(board_share=0.8),
        "gaps": SlidingStyle(gap_share=0.03, gap=(255, 255, 255)),
        "frame": SlidingStyle(board_share=0.86, border_share=0.06),
        "grey": SlidingStyle(blank=(128, 128, 128)),
        "numbers": SlidingStyle(numbers=True),
    }
)
"""Looks of sliding boards by name."""


def random_lot_style(seed: int) -> LotStyle:
    """Return a look of its own for a seed: margins, border, letters, rails, and colours a little off."""
    dice = random.Random(seed)
    grey = 200 + int(dice.random() * 56)
    share = 0.7 + 0.22 * dice.random()
    return LotStyle(
        lot_share=share,
        margin=(grey, grey, grey),
        border_width=0.03 + 0.09 * dice.random(),
        border_outside=dice.random() < 0.5,
        exit_overhang=_pick(dice, (0.0, 0.1, 0.15)),
        outline_width=_pick(dice, (0.0, 0.02, 0.03, 0.05)),
        disc_radius=0.22 + 0.14 * dice.random(),
        letter_share=0.45 + 0.15 * dice.random(),
        font=_pick(dice, tuple(Font)),
        rails=dice.random() < 0.8,
        rail_width=0.01 + 0.03 * dice.random(),
        rail_strength=0.3 + 0.4 * dice.random(),
        color_jitter=int(16 * dice.random()),
        seed=seed,
    )


def random_sliding_style(seed: int) -> SlidingStyle:
    """Return a look of its own for a seed: margins, gaps, frame, colour of the blank, numbers."""
    dice = random.Random(seed)
    grey = int(dice.random() * 256)
    return SlidingStyle(
        board_share=0.75 + 0.25 * dice.random(),
        margin=_pick(dice, ((255, 255, 255), (240, 240, 240), (0, 0, 0), (30, 34, 44))),
        blank=_pick(dice, ((0, 0, 0), (grey, grey, grey))),
        gap_share=_pick(dice, (0.0, 0.0, 0.02, 0.04)),
        gap=_pick(dice, ((255, 255, 255), (20, 20, 20))),
        border_share=_pick(dice, (0.0, 0.04, 0.08)),
        numbers=dice.random() < 0.25,
        font=_pick(dice, tuple(Font)),
    )


def _pick(dice: random.Random, choices: Sequence[_Chosen]) -> _Chosen:
    # Only random() is promised to give the same numbers in every Python version.
    return choices[int(dice.random() * len(choices))]
