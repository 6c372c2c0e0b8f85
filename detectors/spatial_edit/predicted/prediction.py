"""Predicts a picture after an edit, as a range of lightness and tint for each pixel.

What shows no box before and after stays; where a box was, the table goes on; a box that stays keeps its pixels; one
that is new, or elsewhere, has faces in the paint that it had, as light as the lamp makes them. Light and shadow may
change where the lamp says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.findings import BoxView, FoundBox, TablePlane
from detectors.spatial_edit.predicted.colors import ColorRange, Colors, colors_of, smoothed
from detectors.spatial_edit.predicted.config import PredictedConfig
from detectors.spatial_edit.predicted.faces import FaceLight, LitFace, find_face_light, inside_of, range_of, sides_of
from detectors.spatial_edit.predicted.filling import bare_table, filled_table
from detectors.spatial_edit.predicted.lamp import Lamp, find_lamp
from detectors.spatial_edit.predicted.rays import NOTHING, Flags, Floats, Surfaces, normal_of, seen_surfaces
from detectors.spatial_edit.predicted.shadows import Shaded, around_sharp, bodies_of, shaded_by, shadows_that_stay

_DARK = 1e-3  # not a threshold: guards divisions by lightness


@dataclass(frozen=True, eq=False)
class SceneBefore:
    """What is known of the picture before an edit.

    Attributes
    ----------
    linear : (H, W, 3) float32, smoothed, linear RGB
    colors : Colors
    view : BoxView
    plane : TablePlane
    boxes : the boxes in it
    surfaces : what its pixels show
    table : (H, W) bool, where the table lies, also behind boxes
    lamp : where the light comes from, or None
    shaded : where its shadows lie
    shaded_table : and where they lie on the table, also where a box hides it, by the boxes that cast them
    filled : the table where boxes hide it
    sides : faces of each box
    face_light : the light on them, or None
    """

    linear: Floats
    colors: Colors
    view: BoxView
    plane: TablePlane
    boxes: tuple[FoundBox, ...]
    surfaces: Surfaces
    table: Flags
    lamp: Lamp | None
    shaded: Shaded
    shaded_table: tuple[Shaded, ...]
    filled: ColorRange
    sides: tuple[tuple[LitFace, ...], ...]
    face_light: FaceLight | None


@dataclass(frozen=True, eq=False)
class StandingBox:
    """A box of the edited picture.

    Attributes
    ----------
    box : where it is found
    was : index of the box before that it is
    stays : whether it stands as it stood
    """

    box: FoundBox
    was: int
    stays: bool


@dataclass(frozen=True, eq=False)
class Prediction:
    """What a picture should show.

    Attributes
    ----------
    range : of its colours
    surfaces : what its pixels should show
    shaded : where its shadows may lie
    stay : the shadows of the picture before that are still there, on the table
    vacated : (H, W) bool, where a box was and none is
    flat : indices of boxes whose faces are all alike although the light makes a difference
    unlit : and of those with a face that is darker or lighter than the lamp can make it
    """

    range: ColorRange
    surfaces: Surfaces
    shaded: Shaded
    stay: tuple[Shaded, ...]
    vacated: Flags
    flat: tuple[int, ...]
    unlit: tuple[int, ...]


def scene_before(
    picture: NDArray[np.uint8], view: BoxView, plane: TablePlane, boxes: Sequence[FoundBox], config: PredictedConfig
) -> SceneBefore:
    """Looks at the picture before an edit, (H, W, 3) uint8 RGB of the view's size."""
    linear = smoothed(picture, config.smooth_px)
    colors = colors_of(linear)
    surfaces = seen_surfaces(view, boxes, plane)
    table = bare_table(colors, surfaces, boxes, config)
    lamp = find_lamp(colors.brightness, surfaces, table, boxes, plane, config.light.lamp)
    bare = replace(surfaces, box=np.full_like(surfaces.box, NOTHING), points=surfaces.ground)
    shaded = shaded_by(lamp, surfaces, boxes, config.light)
    shaded_table = tuple(shaded_by(lamp, bare, [one], config.light) for one in boxes)
    lit = np.ones_like(shaded.some)
    if lamp is not None:
        lit &= ~Shaded.union(shaded_table, lit.shape).some
    filled = filled_table(colors, surfaces, lit, boxes, plane, config)
    faces = config.paint.light
    sides = tuple(sides_of(colors.brightness, surfaces, index, one, shaded, faces) for index, one in enumerate(boxes))
    face_light = find_face_light(sides, lamp, plane, faces)
    return SceneBefore(
        linear,
        colors,
        view,
        plane,
        tuple(boxes),
        surfaces,
        table,
        lamp,
        shaded,
        shaded_table,
        filled,
        sides,
        face_light,
    )


def predict(
    before: SceneBefore, after: Colors, standing: Sequence[StandingBox], surfaces: Surfaces, config: PredictedConfig
) -> Prediction:
    """Predicts the picture after an edit.

    Parameters
    ----------
    before : SceneBefore
    after : Colors
        Of the edited picture, from which only the light on faces that were turned is taken, within bounds.
    standing : sequence of StandingBox
        What is found in it.
    surfaces : Surfaces
        What its pixels show by these.
    config : PredictedConfig
    """
    then, light = before.surfaces, config.light
    # A box that is put somewhere may have no shadow.
    firm = [one.box for one in standing if one.stays]
    now = shaded_by(before.lamp, surfaces, [one.box for one in standing], light, firm)
    shadow = light.shadow if before.lamp is None else before.lamp.shadow / light.turned
    # What stays keeps its pixels; the table goes on where a box was.
    hole = (then.box != NOTHING) & (surfaces.box == NOTHING)
    # The edges of what is gone were smeared into the table, and went with it.
    gone = (then.box != NOTHING) & ~np.isin(then.box, [one.was for one in standing if one.stays])
    smear = np.ones((2 * config.table.smear_px + 1,) * 2, np.uint8)
    hole |= (cv2.dilate(gone.astype(np.uint8), smear) > 0) & (then.box == NOTHING) & (surfaces.box == NOTHING)
    color, tint = before.colors.brightness, before.colors.tint
    made = ColorRange(color.copy(), color.copy(), tint.copy(), tint.copy())
    for target, source in zip(_layers(made), _layers(before.filled), strict=True):
        target[hole] = source[hole]
    # Where a shadow comes, it may be darker, and where one goes lighter; but it may also stay, or be missing.
    darker, lighter = now.some & ~before.shaded.whole & ~hole, before.shaded.some & ~now.whole & ~hole
    # Where a box is put, little light from all sides comes to the table at its foot.
    foot = surfaces.box == NOTHING
    foot &= _at_foot(before.view, surfaces, [(at, one.box) for at, one in enumerate(standing) if not one.stays], config)
    darker |= foot & ~hole
    # Shadows of boxes that stay are as sharp as they were, or all are softer.
    fresh = shaded_by(before.lamp, surfaces, [one.box for one in standing if not one.stays], light).some
    kept = [before.shaded_table[one.was] for one in standing if one.stays]
    free = (then.box == NOTHING) & (surfaces.box == NOTHING) & ~fresh
    if before.lamp is not None:
        darker &= ~around_sharp(kept, color, after.brightness, free, light)
    # What got darker is a shadow only if it begins at a box, or at a shadow that was there.
    lit = np.where(hole, before.filled.low, color)
    dark = (surfaces.box == NOTHING) & (after.brightness < math.exp(-light.dark) * lit)
    ground = (then.box == NOTHING) & (surfaces.box == NOTHING)
    stay = shadows_that_stay(before.lamp, before.shaded_table, color, after.brightness, ground & ~now.cast, light)
    stays = Shaded.union(stay, color.shape)
    old = stays.cast & ground
    # A new shadow may lie where an old one was, so that nothing got darker there.
    both = before.shaded.cast & now.some & ground & (after.brightness < color / math.sqrt(shadow))
    bodies = ~dark | bodies_of(dark | old | both, (surfaces.box != NOTHING) | old, light)
    brightest = _brightest(before, config)
    leaves = np.where(now.deep | stays.deep | foot, shadow, (1.0 + shadow) / 2)  # not a threshold: half
    made.low[darker & bodies] *= leaves[darker & bodies]
    # Where a shadow lies already another one takes no more light.
    lies = darker & before.shaded.cast
    made.low[lies] = np.maximum(made.low, np.minimum(color, brightest * shadow))[lies]
    made.high[lighter] = np.minimum(made.high[lighter] / shadow, brightest[lighter])
    # The table that a box hid was filled in as it is in full light.
    hidden = hole & bodies & (now.some | stays.some | foot)
    made.low[hidden] *= leaves[hidden]
    flat = []
    for index, one in enumerate(standing):
        new = surfaces.box == index
        if one.stays:
            new &= then.box != one.was
        if new.any() and _paint_faces(made, before, after, one, surfaces, now, new, config):
            flat.append(index)
    unlit = (index for index, one in enumerate(standing) if _is_unlit(before, after, one, index, surfaces, now, config))
    return Prediction(made, surfaces, now, tuple(stay), hole, tuple(flat), tuple(unlit))


def _at_foot(
    view: BoxView, surfaces: Surfaces, boxes: Sequence[tuple[int, FoundBox]], config: PredictedConfig
) -> Flags:
    """Tells where boxes, with their indices, stand on the table close by, as close as a contact shadow is."""
    found = np.zeros(surfaces.box.shape, np.bool_)
    reach = max(config.light.rim_px, round(config.light.contact * max(found.shape)))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    for index, one in boxes:
        beside = cv2.dilate((surfaces.box == index).astype(np.uint8), disc) > 0
        # Beside its upper part lies table that is farther away.
        axes = np.array(one.rotation, np.float32)[:, [0, 2]]
        off = (
            np.abs((surfaces.ground - np.array(one.center, np.float32)) @ axes)
            - np.array(one.size, np.float32)[[0, 2]] / 2
        )
        away = np.hypot(*np.moveaxis(np.maximum(off, 0), 2, 0))
        found |= beside & (away < config.light.aslant * reach * surfaces.ground[..., 2] / view.focal_x)
    return found


def _brightest(before: SceneBefore, config: PredictedConfig) -> Floats:
    """Returns what is as bright as anything close by on the same surface: no shadow that goes leaves more."""
    reach = 2 * round(config.light.near * math.hypot(*before.colors.brightness.shape)) + 1
    bright = before.colors.brightness
    found = bright.copy()
    for index in range(NOTHING, len(before.boxes)):
        mine = before.surfaces.box == index
        if mine.any():
            most = cv2.dilate(np.where(mine, bright, 0).astype(np.float32), np.ones((reach, reach), np.uint8))
            found[mine] = most[mine]
    return found


def _layers(one: ColorRange) -> tuple[Floats, Floats, Floats, Floats]:
    return one.low, one.high, one.tint_low, one.tint_high


def _paint_faces(
    made: ColorRange,
    before: SceneBefore,
    after: Colors,
    one: StandingBox,
    surfaces: Surfaces,
    shaded: Shaded,
    fresh: Flags,
    config: PredictedConfig,
) -> bool:
    """Predicts the faces of a box that is elsewhere: its paint, as light as the lamp makes them, and evenly so.

    Returns whether they are all alike although the light makes a difference.
    """
    then = before.surfaces
    was = then.box == one.was
    inner = cv2.erode(was.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.bool_)
    own = inner if inner.any() else was
    tints = before.colors.tint[own] if own.any() else after.tint[fresh]
    tint_low, tint_high = np.quantile(tints, (config.paint.rare, 1.0 - config.paint.rare), axis=0)
    shadowed = []
    grain = 0.0
    for face in np.unique(then.face[own]).tolist() if own.any() else ():
        values = before.colors.brightness[own & (then.face == face)]
        if values.size < config.paint.least_px:
            continue
        median = float(np.median(values))
        grain = max(grain, _grain(values, median, config))
        shadowed.append(LitFace(normal_of(before.boxes[one.was], face), median))
    sides = before.sides[one.was] or shadowed
    logs_found, logs_wanted = [], []
    turned = config.light.turned
    grain = min(grain, config.paint.most_grain)
    for face in np.unique(surfaces.face[fresh]).tolist():
        at = fresh & (surfaces.face == face)
        lit = at & ~shaded.some
        # The face as it is found tells its light, so far as the lamp may make it so.
        values = after.brightness[lit if np.count_nonzero(lit) >= config.paint.least_px else at]
        found = float(np.median(values))
        wanted = range_of(normal_of(one.box, face), sides, before.face_light, config.light, config.paint.light)
        if wanted is not None:
            # Into a thin face what lies beside it is smeared.
            inner = after.brightness[at & inside_of(lit, config.paint.light)]
            if inner.size >= config.paint.light.least_px:
                logs_found.append(math.log(max(float(np.median(inner)), _DARK)))
                logs_wanted.append(math.log(max(wanted.middle, _DARK)))
            found = wanted.clipped(found)
        made.low[at], made.high[at] = found * (1.0 - grain), found * (1.0 + grain)
    made.tint_low[fresh], made.tint_high[fresh] = tint_low, tint_high
    if before.lamp is not None:
        made.low[fresh & shaded.some] *= before.lamp.shadow / turned
    relief = np.ptp(logs_wanted) if logs_wanted else 0.0
    return bool(
        not one.stays and relief > config.paint.least_relief and np.ptp(logs_found) < config.paint.flat * relief
    )


def _is_unlit(
    before: SceneBefore,
    after: Colors,
    one: StandingBox,
    index: int,
    surfaces: Surfaces,
    shaded: Shaded,
    config: PredictedConfig,
) -> bool:
    """Tells whether a face of a box that is elsewhere is darker or lighter than the lamp can make it."""
    faces = config.paint.light
    if one.stays or before.face_light is None:
        return False
    for side in sides_of(after.brightness, surfaces, index, one.box, shaded, faces):
        wanted = range_of(side.normal, before.sides[one.was], before.face_light, config.light, faces)
        if wanted is not None and not wanted.allows(side.brightness, faces.factor):
            return True
    return False


def _grain(values: Floats, median: float, config: PredictedConfig) -> float:
    return float(np.quantile(np.abs(values / max(median, _DARK) - 1.0), config.paint.grain))
