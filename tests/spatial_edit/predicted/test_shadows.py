"""Which dark patches of a table can be shadows of boxes."""

from __future__ import annotations

import cv2
import numpy as np

from detectors.spatial_edit.predicted.rays import seen_surfaces
from detectors.spatial_edit.predicted.shadows import bodies_of, shaded_by
from tests.spatial_edit.predicted.tables import CONFIG, OLD, PLANE, STAYS, VIEW

LIGHT = CONFIG.light
BOX = np.zeros((100, 160), np.bool_)
BOX[40:60, 40:60] = True


def filled(rows, columns):
    made = np.zeros_like(BOX)
    made[rows, columns] = True
    return made


def test_a_body_at_a_box_is_a_shadow():
    dark = filled(slice(45, 60), slice(60, 80))
    assert (bodies_of(dark, BOX, LIGHT) == dark).all()
    # A light rim of 2 px, as between an edge that is 2 px off and its shadow.
    dark = filled(slice(45, 60), slice(62, 80))
    assert (bodies_of(dark, BOX, LIGHT) == dark).all()


def test_a_sliver_along_a_box_is_a_shadow():
    dark = filled(slice(40, 60), slice(60, 62))
    assert (bodies_of(dark, BOX, LIGHT) == dark).all()


def test_a_disc_apart_from_all_boxes_is_none():
    disc = np.zeros(BOX.shape, np.uint8)
    cv2.circle(disc, (100, 50), 12, 1, -1)
    assert not bodies_of(disc > 0, BOX, LIGHT).any()
    assert not bodies_of(np.zeros_like(BOX), BOX, LIGHT).any()


def test_a_line_that_ends_at_a_box_is_none_but_for_its_end():
    line = filled(slice(50, 53), slice(60, 140))
    kept = bodies_of(line, BOX, LIGHT)
    # 4 px from the box, and nothing beyond.
    assert not kept[:, 60 + LIGHT.rim_px + 1 :].any()


def test_a_shadow_that_was_there_goes_on():
    dark = filled(slice(40, 60), slice(100, 120))
    assert not bodies_of(dark, BOX, LIGHT).any()
    assert bodies_of(dark, BOX | filled(slice(40, 60), slice(60, 100)), LIGHT).any()


def test_without_a_lamp_shadows_lie_around_boxes():
    boxes = [OLD, STAYS]
    shaded = shaded_by(None, seen_surfaces(VIEW, boxes, PLANE), boxes, LIGHT)
    assert shaded.some.any()
    assert not shaded.some[:, -10:].any()
    assert not shaded.whole.any()
