"""Boxes that hang in the air, told by their shadows."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from detectors.spatial_edit.predicted.colors import colors_of, smoothed
from detectors.spatial_edit.predicted.hanging import hanging_boxes
from detectors.spatial_edit.predicted.lamp import Lamp
from detectors.spatial_edit.predicted.prediction import predict
from detectors.spatial_edit.predicted.rays import Shade, seen_surfaces
from detectors.spatial_edit.predicted.shadows import Shaded
from tests.spatial_edit.predicted.tables import (
    AFTER,
    BEFORE,
    BLUE,
    CONFIG,
    LAMP,
    NEW,
    OLD,
    PLANE,
    RED,
    RIGHT,
    STANDING,
    STAYS,
    UP,
    VIEW,
    drawn,
    looked_at,
)  # fmt: skip

SCENE = looked_at()
NOW = seen_surfaces(VIEW, [NEW, STAYS], PLANE)


def told(picture, scene=SCENE, standing=STANDING, config=CONFIG.hanging):
    after = colors_of(smoothed(picture, 1.0))
    stay = predict(scene, after, standing, NOW, CONFIG).stay
    return hanging_boxes(scene, after, standing, NOW, stay, config)


def lifted(share=0.87):
    """The picture of NEW, whose shadow is that of a box at this share of the distance, and as much smaller."""
    near = replace(
        NEW, center=tuple(share * one for one in NEW.center), size=tuple(share * one for one in NEW.size)
    )  # fmt: skip
    bare = np.where(NOW.box[..., None] == 0, AFTER, drawn([STAYS], [BLUE]))
    dark = Shade.of(NOW.ground, [near]).hidden(LAMP) & (NOW.box == -1)
    bare[dark] = np.rint(bare[dark] * 0.62)
    return bare


def test_a_box_that_stands_does_not_hang():
    assert told(AFTER) == ()
    assert told(drawn([NEW, STAYS], [RED, BLUE])) == ()


def test_a_box_whose_shadow_lies_below_it_hangs():
    assert told(lifted()) == (0,)


def test_a_box_without_a_shadow_or_with_its_old_one_is_not_told():
    bare = np.where(NOW.box[..., None] == 0, AFTER, drawn([STAYS], [BLUE]))
    assert told(bare) == ()
    kept = np.where(NOW.box[..., None] == 0, AFTER, BEFORE)
    assert told(kept) == ()


def test_nothing_is_told_without_a_lamp_or_of_a_box_that_stays():
    assert told(lifted(), scene=replace(SCENE, lamp=None)) == ()
    assert told(lifted(), standing=(replace(STANDING[0], stays=True), STANDING[1])) == ()
    assert told(lifted(), config=replace(CONFIG.hanging, nearer=())) == ()
    assert OLD in SCENE.boxes


def test_what_is_hardly_darker_is_no_shadow_below():
    """A tenth of what a shadow takes, where that of a box that hangs would lie."""
    bare = np.where(NOW.box[..., None] == 0, AFTER, drawn([STAYS], [BLUE]))
    faint = np.rint(0.9 * bare + 0.1 * lifted()).astype(np.uint8)
    easy = replace(CONFIG.hanging, least_fit=0.2, better=0.05)
    assert told(faint, config=replace(easy, deep=0.0)) == (0,)
    assert told(faint, config=easy) == ()


def test_a_smeared_edge_is_no_shadow_below():
    """A lamp behind the camera: the box hides its own shadow, but a little of that of a box just above would be seen.

    The edge of the box is smeared by two pixels, as compression does.
    """
    behind = -np.array(NEW.center) / np.linalg.norm(NEW.center) + 0.4 * UP + 0.2 * RIGHT
    none = Shaded.union((), NOW.box.shape)
    scene = replace(SCENE, lamp=Lamp(behind / np.linalg.norm(behind), 0.4, 0.9), shaded_table=(none, none))
    bare = np.where(NOW.box[..., None] == 0, AFTER, drawn([STAYS], [BLUE]))
    edge = (cv2.dilate((NOW.box == 0).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0) & (NOW.box == -1)
    smeared = np.where(edge[..., None], np.rint(0.6 * bare), bare).astype(np.uint8)
    easy = replace(CONFIG.hanging, least_fit=0.4, better=0.1)
    assert told(smeared, scene=scene, config=replace(easy, edge_px=0)) == (0,)
    assert told(smeared, scene=scene, config=easy) == ()
