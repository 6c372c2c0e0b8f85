"""Whether a box that was found looks like the solid that it was before: filled with its paint, and with faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.scene.colors import Flags, SurfaceColors, accounted_for, shrunk, surface_colors

_MOST_OF_IT = (0.1, 0.9)


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
    least_face_px : a face of fewer pixels is not looked at
    least_relief : faces that differ by as much in lightness are told apart
    flat : with less than this share of the difference before, and of `least_relief`, it is a flat patch
    """

    margin_px: int = 3
    least_area_px: int = 60
    tint_reach: float = 0.08
    least_light: float = 0.4
    most_light: float = 2.2
    most_strange: float = 0.2
    least_face_px: int = 40
    least_relief: float = 0.05
    flat: float = 0.25


@dataclass(frozen=True)
class SolidLook:
    """How an object looks.

    Attributes
    ----------
    strange : share of it in colours that it did not have before
    relief, relief_before : by how much the lightness of its faces differs, now and before; None where there are no two
        faces to be seen
    """

    strange: float
    relief: float | None
    relief_before: float | None

    def solid(self, config: SolidConfig) -> bool:
        """Whether it is filled with its paint and has faces, if it had any."""
        if self.strange > config.most_strange:
            return False
        if self.relief is None or self.relief_before is None or self.relief_before < config.least_relief:
            return True
        return self.relief >= config.flat * self.relief_before or self.relief >= config.flat * config.least_relief


@dataclass(frozen=True, eq=False)
class SolidPlace:
    """Where an object is seen in a picture.

    Attributes
    ----------
    shown : (H, W) bool, where it is seen, and nothing before it
    faces : each (H, W) bool, its faces that are turned to the camera
    """

    shown: Flags
    faces: tuple[Flags, ...]


def look_at_solid(
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
    place_before: SolidPlace,
    place_after: SolidPlace,
    config: SolidConfig,
) -> SolidLook | None:
    """Compare an object with what it was.

    Parameters
    ----------
    before, after : ndarray of shape (H, W, 3), uint8 RGB
    place_before, place_after : SolidPlace
        Where the object is seen in each.
    config : SolidConfig

    Returns
    -------
    SolidLook or None
        None where too little of it is seen.
    """
    then_at, now_at = (shrunk(one.shown, config.margin_px) for one in (place_before, place_after))
    if min(np.count_nonzero(then_at), np.count_nonzero(now_at)) < config.least_area_px:
        return None
    then, now = surface_colors(before), surface_colors(after)
    light = (config.least_light, config.most_light)
    known = accounted_for(now, now_at, then, then_at, config.tint_reach, light)
    return SolidLook(
        1.0 - float(known.mean()),
        _relief(now, place_after, now_at, config),
        _relief(then, place_before, then_at, config),
    )


def _relief(colors: SurfaceColors, place: SolidPlace, inside: Flags, config: SolidConfig) -> float | None:
    """By how much faces differ in lightness, each by its median, or most of the object does."""
    parts = [shrunk(face, config.margin_px) & inside for face in place.faces]
    lightness = [np.median(colors.lightness[at]) for at in parts if np.count_nonzero(at) >= config.least_face_px]
    if len(lightness) < 2:
        return None
    # Where the object does not quite fit the box, its faces are not where those of the box are.
    spread = float(np.ptp(np.quantile(colors.lightness[inside], _MOST_OF_IT)))
    return max(float(max(lightness) - min(lightness)), spread)
