"""Which dark patches of a table can be shadows of boxes."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from detectors.spatial_edit.predicted.lamp import Lamp
from detectors.spatial_edit.predicted.rays import seen_surfaces
from detectors.spatial_edit.predicted.shadows import Shaded, around_sharp, bodies_of, shaded_by, shadows_that_stay
from tests.spatial_edit.predicted.tables import CONFIG, LAMP, OLD, PLANE, STAYS, VIEW

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


def test_a_shadow_takes_all_light_near_where_the_lamps_middle_casts_it():
    boxes = [OLD, STAYS]
    shaded = shaded_by(Lamp(LAMP, 0.4, 1.0), seen_surfaces(VIEW, boxes, PLANE), boxes, LIGHT)
    assert (shaded.deep >= shaded.cast).all()
    assert (shaded.some >= shaded.deep).all()
    assert np.count_nonzero(shaded.some) > 1.2 * np.count_nonzero(shaded.deep)


def test_only_boxes_that_stay_surely_cast_a_shadow():
    boxes = [OLD, STAYS]
    lamp, surfaces = Lamp(LAMP, 0.4, 1.0), seen_surfaces(VIEW, boxes, PLANE)
    sharp = replace(LIGHT, softness_rad=0.05, rim_px=1)
    both, one = (shaded_by(lamp, surfaces, boxes, sharp, firm) for firm in (None, [STAYS]))
    assert (one.some == both.some).all()
    assert 0 < np.count_nonzero(one.whole) < np.count_nonzero(both.whole)
    assert not shaded_by(lamp, surfaces, boxes, sharp, []).whole.any()


def test_an_old_shadow_stays_where_most_of_it_is_still_dark():
    """Of the light a shadow leaves 0.25; half of the light that is gone is back at the root of that, 0.5."""
    lamp, place = Lamp(LAMP, 0.25, 1.0), filled(slice(40, 60), slice(60, 80))
    shadow, every = Shaded(place, place, place, place), np.ones_like(BOX)
    before = np.where(place, 0.25, 1.0).astype(np.float32)

    def stays(after, ground=every, light=lamp):
        return shadows_that_stay(light, [shadow], before, after.astype(np.float32), ground, LIGHT)

    assert stays(before) == [shadow]
    assert stays(np.where(place, 0.45, 1.0)) == [shadow]
    assert stays(np.where(place, 0.55, 1.0)) == []
    # A third of it is dark; and of one that is hidden, or has no lamp, nothing is known.
    assert stays(np.where(filled(slice(40, 60), slice(60, 67)), 0.25, 1.0)) == []
    assert stays(np.ones_like(before), ground=~place) == [shadow]
    assert stays(np.ones_like(before), light=None) == [shadow]


def shadow_of(columns):
    """A shadow of 20 x 20 pixels, that may reach 15 pixels farther."""
    cast, some = filled(slice(40, 60), columns), filled(slice(25, 75), slice(columns.start - 15, columns.stop + 15))
    return Shaded(some, some, np.zeros_like(cast), cast)


def test_shadows_are_as_sharp_as_they_were_unless_all_are_softer():
    """Beyond 4 pixels from them nothing may get darker, but where all are surrounded by a dim rim of 6."""
    shadows = [shadow_of(slice(30, 50)), shadow_of(slice(100, 120))]
    before, ground = np.full(BOX.shape, 0.5, np.float32), np.ones_like(BOX)
    patch = before.copy()
    patch[50:70, 118:134] = 0.3
    closed = around_sharp(shadows, before, patch, ground, LIGHT)
    assert closed[50, 126]
    assert not closed[50, 122]
    assert not closed[10, 10]
    soft = before.copy()
    for one in shadows:
        soft[cv2.dilate(one.cast.astype(np.uint8), np.ones((13, 13), np.uint8)) > 0] = 0.45
    assert not around_sharp(shadows, before, soft, ground, LIGHT).any()
    assert not around_sharp([], before, patch, ground, LIGHT).any()
