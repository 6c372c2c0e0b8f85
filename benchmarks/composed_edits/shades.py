"""What may pass for light and shadow: lines and discs as dark as shadows are, and a box that hangs above its own."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.composed_edits.stages import EditStage
from puzzles.common.raster import Picture
from puzzles.tabletop.render import render_scene

_SHARES = (0.35, 0.45, 0.6, 0.75)
"""Of the light, as shadows leave them."""
_CLOSE = 9
"""What is drawn stays so many pixels away from boxes, in both directions together."""


def crossed(stage: EditStage, dice: np.random.Generator) -> Picture | None:
    """A long thin line across the table, darker or lighter than it."""
    start, end = _spot(stage, dice), _spot(stage, dice)
    if start is None or end is None or np.hypot(start[0] - end[0], start[1] - end[1]) < 0.25 * stage.ground.shape[1]:
        return None
    shape = np.zeros(stage.ground.shape, np.uint8)
    cv2.line(shape, start, end, 255, int(dice.integers(1, 4)), cv2.LINE_AA)
    share = float(dice.choice((*_SHARES, 1.3, 1.6)))
    return _shaded(stage, shape, share)


def shaded(stage: EditStage, dice: np.random.Generator) -> Picture | None:
    """A round patch, as dark as a shadow, apart from all boxes; its edge is sharp or soft."""
    spot = _spot(stage, dice)
    if spot is None:
        return None
    shape = np.zeros(stage.ground.shape, np.uint8)
    radius = max(3, round(float(dice.uniform(0.02, 0.05)) * stage.ground.shape[1]))
    cv2.circle(shape, spot, radius, 255, -1, cv2.LINE_AA)
    if dice.random() < 0.5:
        shape = np.asarray(cv2.GaussianBlur(shape, (0, 0), radius / 5), np.uint8)
    return _shaded(stage, shape, float(dice.choice(_SHARES)))


def hanging(stage: EditStage, dice: np.random.Generator) -> Picture | None:
    """The object is higher in the picture than it should be, by a part of its height, and its shadow is not."""
    if not stage.stays or not stage.new_mask.any():
        return None
    rows = np.flatnonzero(stage.new_mask.any(axis=1))
    lift = round(float(dice.uniform(0.25, 0.5)) * len(rows))
    if rows[0] < lift:
        return None
    drawn = stage.after.copy()
    near = cv2.dilate(stage.new_mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    drawn[near] = render_scene(stage.edit.after.without(stage.target))[near]
    moved = np.roll(stage.new_mask, -lift, axis=0)
    drawn[moved] = np.roll(stage.after, -lift, axis=0)[moved]
    return drawn


def _spot(stage: EditStage, dice: np.random.Generator) -> tuple[int, int] | None:
    """A place on the table, as (x, y), away from all boxes."""
    away = cv2.erode(stage.ground.astype(np.uint8), np.ones((_CLOSE, _CLOSE), np.uint8))
    rows, columns = np.nonzero(away)
    if not len(rows):
        return None
    # The floor lies at the top and the bottom of a picture.
    height = stage.ground.shape[0]
    held = np.flatnonzero((rows > 0.35 * height) & (rows < 0.85 * height))
    pick = int(dice.choice(held)) if len(held) else int(dice.integers(len(rows)))
    return int(columns[pick]), int(rows[pick])


def _shaded(stage: EditStage, shape: NDArray[np.uint8], share: float) -> Picture:
    """The picture with so much of its light where a shape is, but not on boxes."""
    weight = np.where(stage.ground, shape, 0)[..., None] / 255.0
    return np.asarray(np.clip(np.rint(stage.after * (1.0 + weight * (share - 1.0))), 0, 255), np.uint8)
