"""Where boxes cast shadows, and which dark patches of a table can be shadows of theirs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.findings import FoundBox
from detectors.spatial_edit.predicted.config import ShadowConfig
from detectors.spatial_edit.predicted.lamp import Lamp
from detectors.spatial_edit.predicted.rays import NOTHING, Flags, Floats, Shade, Surfaces, near_boxes, normal_of

_WAYS = tuple(math.tau * part / 6 for part in range(6))  # not a threshold: points of a rim


@dataclass(frozen=True, eq=False)
class Shaded:
    """Where there may be a shadow, (H, W) bool each.

    Attributes
    ----------
    some : where there may be one at all
    deep : where it may take all of the lamp's light; elsewhere it is the soft rim of one, and takes half at most
    whole : where there surely is one
    cast : where the lamp's middle casts one
    """

    some: Flags
    deep: Flags
    whole: Flags
    cast: Flags

    @staticmethod
    def union(parts: Sequence[Shaded], shape: tuple[int, ...]) -> Shaded:
        """Returns where any of several shadows lies."""
        layers = ((one.some, one.deep, one.whole, one.cast) for one in parts)
        none = (np.zeros(shape, np.bool_),) * 4  # not a threshold: layers
        return Shaded(*(np.logical_or.reduce(layer) for layer in zip(none, *layers, strict=True)))


def shaded_by(
    lamp: Lamp | None,
    surfaces: Surfaces,
    boxes: Sequence[FoundBox],
    config: ShadowConfig,
    firm: Sequence[FoundBox] | None = None,
) -> Shaded:
    """Tells where boxes cast shadows; without a lamp there may be some around each box.

    Parameters
    ----------
    lamp : Lamp or None
    surfaces : Surfaces
        On which they fall.
    boxes : sequence of FoundBox
        All that are in the picture.
    config : ShadowConfig
    firm : sequence of FoundBox, optional
        Those that surely cast one.
    """
    shape = surfaces.box.shape
    if lamp is None:
        around = (surfaces.box == NOTHING) & near_boxes(surfaces.ground, boxes, config.around)
        return Shaded(around, around, np.zeros(shape, np.bool_), np.zeros(shape, np.bool_))
    # Each point of a lamp that is larger than it was casts its own shadow; what all hide is wholly dark.
    step = max(1, math.ceil(max(shape) / config.most_px))
    shade = Shade.of(surfaces.points[::step, ::step], boxes)
    hidden, core = (
        [_enlarged(shade.hidden(toward), step, shape) for toward in points_of(lamp, far)]
        for far in (config.softness_rad, config.deep_rad)
    )
    reach = 2 * max(config.rim_px, step) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    sure = hidden
    if firm is not None and len(firm) != len(boxes):
        shade = Shade.of(surfaces.points[::step, ::step], firm)
        sure = [_enlarged(shade.hidden(toward), step, shape) for toward in points_of(lamp, config.softness_rad)]
    ever, always, deepest = np.logical_or.reduce(hidden), np.logical_and.reduce(sure), np.logical_or.reduce(core)
    some, deep, whole = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
    # A shadow is softened within what it falls on, and a face that is turned away has none.
    for index in range(NOTHING, len(boxes)):
        mine = surfaces.box == index
        if index != NOTHING:
            for face in np.unique(surfaces.face[mine]).tolist():
                if float((normal_of(boxes[index], face) * lamp.toward).sum()) <= 0.0:
                    ever[mine & (surfaces.face == face)] = False
        if (ever & mine).any():
            some |= mine & (cv2.dilate((ever & mine).astype(np.uint8), disc) > 0)
            deep |= mine & (cv2.dilate((ever & mine & deepest).astype(np.uint8), disc) > 0)
            whole |= mine & ever & (cv2.erode(np.where(mine, always, True).astype(np.uint8), disc) > 0)
    return Shaded(some, deep, whole, hidden[0] & ever)


def shadows_that_stay(
    lamp: Lamp | None,
    shadows: Sequence[Shaded],
    before: Floats,
    after: Floats,
    ground: Flags,
    config: ShadowConfig,
) -> list[Shaded]:
    """Keeps the shadows that are still there in another picture: those of which most that is in sight is still dark.

    One of which too little is in sight may be there.

    Parameters
    ----------
    lamp : Lamp or None
    shadows : sequence of Shaded
        Of the picture before, on the table.
    before, after : (H, W) float32
        Brightness.
    ground : (H, W) bool
        Where both pictures show the table, and no other shadow came.
    config : ShadowConfig
    """
    if lamp is None:
        return list(shadows)
    # Half of the light that is gone has come back, as logarithms.
    dark = after * np.float32(math.sqrt(lamp.shadow)) < before
    found = []
    for one in shadows:
        seen = one.cast & ground
        if np.count_nonzero(seen) < config.least_px or float(dark[seen].mean()) > config.stays:
            found.append(one)
    return found


def around_sharp(
    shadows: Sequence[Shaded], before: Floats, after: Floats, ground: Flags, config: ShadowConfig
) -> Flags:
    """Tells where shadows would reach if they had got softer, but have not: (H, W) bool.

    A larger lamp makes all shadows softer, and along most of their edges.

    Parameters
    ----------
    shadows : sequence of Shaded
        Of the boxes that stay, on the table.
    before, after : (H, W) float32
        Brightness.
    ground : (H, W) bool
        Where both pictures show the table, and no shadow can come.
    config : ShadowConfig
    """
    darker = after < before * np.float32(math.exp(-config.dim))
    nearest, farthest = config.beyond_px
    every = Shaded.union(shadows, ground.shape).cast
    shares = []
    for one in shadows:
        beyond = one.some & ground & _widened(one.cast, farthest) & ~_widened(every, nearest)
        if np.count_nonzero(beyond) >= config.least_px:
            shares.append(float(darker[beyond].mean()))
    # not a threshold: the lower median
    if not shares or sorted(shares)[(len(shares) - 1) // 2] > config.softened:
        return np.zeros_like(ground)
    return Shaded.union(shadows, ground.shape).some & ground & ~_widened(every, config.rim_px)


def _widened(mask: Flags, reach: int) -> Flags:
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2)
    return np.asarray(cv2.dilate(mask.astype(np.uint8), disc) > 0)


def points_of(lamp: Lamp, softness_rad: float) -> list[NDArray[np.float64]]:
    """Returns directions to the middle of a lamp and to its rim."""
    side = np.cross(lamp.toward, np.roll(lamp.toward, 1))
    side = side / np.linalg.norm(side)
    other = np.cross(lamp.toward, side)
    far = math.tan(softness_rad)
    rim = [lamp.toward + far * (math.cos(way) * side + math.sin(way) * other) for way in _WAYS]
    return [lamp.toward, *(one / np.linalg.norm(one) for one in rim)]


def _enlarged(mask: Flags, step: int, shape: tuple[int, int]) -> Flags:
    return mask.repeat(step, axis=0).repeat(step, axis=1)[: shape[0], : shape[1]]


def bodies_of(dark: Flags, roots: Flags, config: ShadowConfig) -> Flags:
    """Keeps of dark pixels those that can be of shadows: bodies that begin at what casts them.

    A shadow begins at the foot of its box, or where a box or a shadow before it hides that, and is thin only close to
    it, where the rest of it is hidden. So a disc on the table and a line across it are none.

    Parameters
    ----------
    dark : (H, W) bool
        Where the table is darker than it was.
    roots : (H, W) bool
        Boxes, and shadows that were there.
    config : ShadowConfig
    """
    if not dark.any():
        return dark
    width = 2 * config.thin_px + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    rim = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * config.rim_px + 1, 2 * config.rim_px + 1))
    # What lies beyond the picture's edge is not known to be bright.
    wide = cv2.morphologyEx(dark.astype(np.uint8), cv2.MORPH_OPEN, disc, borderType=cv2.BORDER_REPLICATE)
    close = cv2.dilate(roots.astype(np.uint8), rim) > 0
    bodies = dark & ((cv2.dilate(wide, disc) > 0) | close)
    count, labels = cv2.connectedComponents(bodies.astype(np.uint8), connectivity=8)  # not a threshold: neighbours
    touching = np.zeros(count, np.bool_)
    touching[np.unique(labels[bodies & close])] = True
    touching[0] = False
    return np.asarray(touching[labels], np.bool_)
