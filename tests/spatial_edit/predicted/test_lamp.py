"""Where the light comes from, by shadows on the table."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.spatial_edit.predicted.colors import colors_of, smoothed
from detectors.spatial_edit.predicted.lamp import find_lamp
from detectors.spatial_edit.predicted.rays import seen_surfaces
from tests.spatial_edit.predicted.tables import BEFORE, BLUE, CONFIG, LAMP, OLD, PLANE, RED, STAYS, UP, VIEW, drawn

BOXES = [OLD, STAYS]
SURFACES = seen_surfaces(VIEW, BOXES, PLANE)


EVERY = np.ones(BEFORE.shape[:2], np.bool_)


def found(picture, boxes=BOXES, config=CONFIG.light.lamp, table=EVERY):
    brightness = colors_of(smoothed(picture, 1.0)).brightness
    return find_lamp(brightness, SURFACES, table, boxes, PLANE, config)


def test_a_lamp_is_found_by_its_shadows():
    lamp = found(BEFORE)
    assert math.degrees(math.acos(min(1.0, float(lamp.toward @ LAMP)))) < 3.0
    # 0.35 of 0.35 + 0.65 cos: what is left of the light in a shadow.
    assert lamp.shadow == pytest.approx(0.35 / (0.35 + 0.65 * float(UP @ LAMP)), abs=0.05)
    assert lamp.fit > 0.8


def test_a_lamp_has_the_correlation_by_which_it_was_found():
    fit = found(BEFORE).fit
    assert found(BEFORE, config=replace(CONFIG.light.lamp, least_fit=fit)) is not None
    assert found(BEFORE, config=replace(CONFIG.light.lamp, least_fit=fit + 1e-9)) is None


def test_another_lamp_is_another():
    low = np.array([-0.9, 0.0, 0.0]) + 0.6 * UP
    lamp = found(drawn(BOXES, [RED, BLUE], low / np.linalg.norm(low)))
    assert float(lamp.toward @ low) / np.linalg.norm(low) > 0.99


def test_without_shadows_there_is_none():
    even = np.full_like(BEFORE, 140)
    assert found(even) is None
    assert found(BEFORE, []) is None
    assert found(BEFORE, config=replace(CONFIG.light.lamp, least_fit=1.0)) is None


def test_what_is_darker_than_a_shadow_is_no_table():
    """The upper part of the picture is a black floor, which would outweigh any shadow."""
    floor = BEFORE.copy()
    floor[:30] = 8
    assert float(found(floor).toward @ LAMP) > 0.99


def test_where_the_table_ends_close_to_boxes_shadows_still_tell():
    """Far from boxes more is dark of the floor beside the table than of shadows."""
    floor = BEFORE.copy()
    floor[:38] = 70
    floor[-22:] = 70
    far = replace(CONFIG.light.lamp, near=(4.0,))
    assert found(floor, config=far) is None or float(found(floor, config=far).toward @ LAMP) < 0.99
    assert float(found(floor).toward @ LAMP) > 0.99


def test_only_the_table_tells_of_shadows():
    """A dark floor reaches below the boxes to where a shadow of theirs could lie."""
    floor = BEFORE.copy()
    floor[60:] = 70
    table = EVERY.copy()
    table[60:] = False
    mixed = found(floor)
    assert mixed is None or float(mixed.toward @ LAMP) < 0.99
    assert float(found(floor, table=table).toward @ LAMP) > 0.98


def test_what_is_hardly_dark_is_no_shadow():
    assert found(BEFORE, config=replace(CONFIG.light.lamp, faintest=0.3)) is None
