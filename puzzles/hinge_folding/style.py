"""How chains of pieces and silhouettes look."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from puzzles.common.lettering import Font
from puzzles.common.raster import Color
from puzzles.common.texture import Texture, TextureKind

_Chosen = TypeVar("_Chosen")

PALETTE = ("#E85D75", "#0090C1", "#2EC4B6", "#FFD670", "#C42E88", "#5A4FCF", "#C46A2E", "#6BA368", "#264653")
"""Colours of pieces; as many as a chain has pieces at most."""


@dataclass(frozen=True)
class HingeStyle:
    """How a chain looks. Lengths are in units of the chain, in which a rectangle is 1 long.

    Attributes
    ----------
    ground : colour beneath the pieces
    outline, outline_width : of each piece; none where the width is 0
    disc, disc_radius : at each hinge; none where the radius is 0
    letter, letter_height, font : the label on it; none where the height is 0
    last_on_top : whether pieces lie over those before them, or under
    target : colour of the silhouette
    target_line, target_line_width : of its outline; none where the width is 0
    texture : of the ground
    margin : around the farthest that the chain reaches
    """

    ground: Color = (255, 255, 255)
    outline: Color = (27, 38, 59)
    outline_width: float = 0.03
    disc: Color = (27, 38, 59)
    disc_radius: float = 0.1
    letter: Color = (255, 255, 255)
    letter_height: float = 0.11
    font: Font = Font.PILLOW
    last_on_top: bool = True
    target: Color = (70, 76, 90)
    target_line: Color = (27, 38, 59)
    target_line_width: float = 0.0
    texture: Texture | None = None
    margin: float = 0.25


HINGE_STYLES: Mapping[str, HingeStyle] = MappingProxyType(
    {
        "published": HingeStyle(),
        "flat": HingeStyle(outline_width=0.0),
        "dark": HingeStyle(
            ground=(24, 26, 34),
            outline=(236, 236, 236),
            disc=(236, 236, 236),
            letter=(24, 26, 34),
            target=(150, 156, 170),
        ),
        "outlined_target": HingeStyle(target=(232, 234, 238), target_line_width=0.04),
        "bare": HingeStyle(disc_radius=0.0, letter_height=0.0),
        "large_letters": HingeStyle(disc_radius=0.14, letter_height=0.17, font=Font.OPENCV_BOLD),
        "paper": HingeStyle(ground=(246, 243, 236), texture=Texture(TextureKind.GRAIN, amplitude=6, period=0.08)),
        "first_on_top": HingeStyle(last_on_top=False),
    }
)
"""Looks by name."""


def random_hinge_style(seed: int) -> HingeStyle:
    """Returns a look of its own for a seed: ground, outlines, discs, letters, which piece lies on top, silhouette."""
    dice = random.Random(seed)
    ground = _pick(dice, ((255, 255, 255), (250, 248, 242), (240, 242, 246), (226, 230, 236), (24, 26, 34)))
    dark = sum(ground) < 3 * 128
    ink = (236, 236, 236) if dark else _pick(dice, ((27, 38, 59), (0, 0, 0), (70, 70, 70)))
    radius = _pick(dice, (0.0, 0.07, 0.1, 0.13))
    grain = Texture(TextureKind.GRAIN, amplitude=2 + int(5 * dice.random()), period=0.08, seed=seed)
    return HingeStyle(
        ground=ground,
        outline=ink,
        outline_width=_pick(dice, (0.0, 0.015, 0.03, 0.045)),
        disc=ink,
        disc_radius=radius,
        letter=ground,
        letter_height=1.1 * radius,
        font=_pick(dice, tuple(Font)),
        last_on_top=dice.random() < 0.5,
        target=(150, 156, 170) if dark else _pick(dice, ((70, 76, 90), (120, 120, 120), (40, 90, 70))),
        target_line=ink,
        target_line_width=_pick(dice, (0.0, 0.03)),
        texture=_pick(dice, (None, None, grain)),
        margin=0.2 + 0.3 * dice.random(),
    )


def colors_of(count: int, seed: int) -> tuple[str, ...]:
    """Colours of so many pieces, at most as many as `PALETTE` has, each another one: the order is drawn."""
    dice, left = random.Random(seed), list(PALETTE)
    return tuple(left.pop(int(dice.random() * len(left))) for _ in range(count))


def _pick(dice: random.Random, choices: Sequence[_Chosen]) -> _Chosen:
    # Only random() is promised to give the same numbers in every Python version.
    return choices[int(dice.random() * len(choices))]
