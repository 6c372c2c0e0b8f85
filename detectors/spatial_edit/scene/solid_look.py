"""Whether a box that was found looks like the solid that it was before: filled with its paint, and with faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from detectors.spatial_edit.scene.colors import Flags, SurfaceColors, accounted_for, shrunk
from detectors.spatial_edit.scene.config import SolidConfig


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
        """Tells whether it is filled with its paint and has faces, if it had any."""
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
    then: SurfaceColors,
    now: SurfaceColors,
    place_before: SolidPlace,
    place_after: SolidPlace,
    config: SolidConfig,
) -> SolidLook | None:
    """Compares an object with what it was.

    Parameters
    ----------
    then, now : SurfaceColors
        Of the picture before, and of the edited one.
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
    known = accounted_for(now, now_at, then, then_at, config.alike)
    return SolidLook(
        1.0 - float(known.mean()),
        _relief(now, place_after, now_at, config),
        _relief(then, place_before, then_at, config),
    )


def _relief(colors: SurfaceColors, place: SolidPlace, inside: Flags, config: SolidConfig) -> float | None:
    """Measures by how much faces differ in lightness, each by its median, or most of the object does."""
    parts = [shrunk(face, config.margin_px) & inside for face in place.faces]
    lightness = [np.median(colors.lightness[at]) for at in parts if np.count_nonzero(at) >= config.least_face_px]
    if len(lightness) < 2:
        return None
    # Where the object does not quite fit the box, its faces are not where those of the box are.
    spread = float(np.ptp(np.quantile(colors.lightness[inside], config.most_of_it)))
    return max(float(max(lightness) - min(lightness)), spread)
