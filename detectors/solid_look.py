"""Whether a box that was found looks like the solid that it was before: filled with its paint, and with faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.scene_colors import Flags, accounted_for, shrunk, surface_colors


@dataclass(frozen=True)
class SolidConfig:
    """What counts as solid.

    Attributes
    ----------
    margin_px : so far inside of the outlines colours are looked at
    least_area_px : an object of fewer pixels is not looked at
    tint_reach : so near to each other two tints, OKLab's a and b over lightness, are those of one paint
    least_light, most_light : lightness, as a share of that before, that a turn to or from the light accounts for
    most_strange : with more of it in other colours, it has holes, or one can see through it
    least_relief : a spread of lightness before, from the tenth to the ninetieth percentile, that shows faces
    flat : with less than this share of it left, it is a flat patch
    """

    margin_px: int = 3
    least_area_px: int = 60
    tint_reach: float = 0.08
    least_light: float = 0.4
    most_light: float = 2.2
    most_strange: float = 0.2
    least_relief: float = 0.05
    flat: float = 0.25


@dataclass(frozen=True)
class SolidLook:
    """How an object looks.

    Attributes
    ----------
    strange : share of it in colours that it did not have before
    relief, relief_before : spread of lightness
    """

    strange: float
    relief: float
    relief_before: float

    def solid(self, config: SolidConfig) -> bool:
        """Whether it is filled with its paint and has faces, if it had any."""
        flat = self.relief_before >= config.least_relief and self.relief < config.flat * self.relief_before
        return self.strange <= config.most_strange and not flat


def look_at_solid(
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
    place_before: Flags,
    place_after: Flags,
    config: SolidConfig,
) -> SolidLook | None:
    """Compare an object with what it was.

    Parameters
    ----------
    before, after : ndarray of shape (H, W, 3), uint8 RGB
    place_before, place_after : (H, W) bool
        Where the object is seen, and nothing before it, in each.
    config : SolidConfig

    Returns
    -------
    SolidLook or None
        None where too little of it is seen.
    """
    then_at, now_at = shrunk(place_before, config.margin_px), shrunk(place_after, config.margin_px)
    if min(np.count_nonzero(then_at), np.count_nonzero(now_at)) < config.least_area_px:
        return None
    then, now = surface_colors(before), surface_colors(after)
    light = (config.least_light, config.most_light)
    known = accounted_for(now, now_at, then, then_at, config.tint_reach, light)
    reliefs = [
        float(np.ptp(np.quantile(one[at], (0.1, 0.9))))
        for one, at in ((now.lightness, now_at), (then.lightness, then_at))
    ]
    return SolidLook(1.0 - float(known.mean()), reliefs[0], reliefs[1])
