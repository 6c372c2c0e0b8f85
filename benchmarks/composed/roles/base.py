"""What a role is, and how one of several is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from benchmarks.composed.inks import LEAST_OPACITY, TEXTURES, Ink, draw_ink
from benchmarks.composed.shapes import Change
from benchmarks.composed.stages import Scene

Draw = Callable[[Any, Ink, np.random.Generator], Change | None]
"""From a scene of its task, an ink and random numbers to what is laid on; ``None`` where the puzzle has no place."""

ANY = ("lighter", "darker", "hue", "asked", "puzzle")
"""Inks that anything may be drawn with."""
PLAIN_SIGHT = 0.5
"""Least opacity of what takes away or recolours: a wall that is a tenth paler is still that wall."""
CERTAIN = 0.75
"""Least opacity of a recolouring that has to give another hue, and not a shade of the one there was."""
WHOLE = ("solid", "soft")
"""Textures of what takes away or recolours: a pattern on a wall is no hole in it."""
T = TypeVar("T")


@dataclass(frozen=True)
class Role:
    """A kind of wrong thing.

    Attributes
    ----------
    name, family : what it is, and to which group of roles it belongs
    draw : lays it on
    inks, textures, least_opacity : what ink it may have
    """

    name: str
    family: str
    draw: Draw
    inks: tuple[str, ...] = ANY
    textures: tuple[str, ...] = TEXTURES
    least_opacity: float = LEAST_OPACITY

    def ink(self, scene: Scene, dice: np.random.Generator) -> Ink:
        """An ink for it by chance."""
        return draw_ink(scene, self.inks, dice, self.textures, self.least_opacity)


def pick(choices: Sequence[T], dice: np.random.Generator) -> T:
    """One of some, each as likely."""
    return choices[int(dice.integers(len(choices)))]


def some(choices: Sequence[T], count: int, dice: np.random.Generator) -> list[T]:
    """Several of some, none twice, in their order; all where there are no more."""
    chosen = dice.permutation(len(choices))[: max(1, count)]
    return [choices[int(place)] for place in sorted(chosen)]
