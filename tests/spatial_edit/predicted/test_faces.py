"""How light faces are that are turned, told by those of the picture before."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detectors.spatial_edit.boxes.findings import TablePlane
from detectors.spatial_edit.predicted.config import PredictedConfig
from detectors.spatial_edit.predicted.faces import FaceLight, FaceRange, LitFace, find_face_light, range_of, sides_of
from detectors.spatial_edit.predicted.lamp import Lamp
from detectors.spatial_edit.predicted.rays import normal_of
from detectors.spatial_edit.predicted.shadows import Shaded
from tests.spatial_edit.predicted.tables import BLUE, NEW, RED, STAYS, drawn, looked_at

CONFIG = PredictedConfig()
FACES, SHADOWS = CONFIG.paint.light, CONFIG.light
UP, SIDE, FRONT = np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, -1.0])
TOWARD = np.array([0.6, -0.8, 0.0])
PLANE = TablePlane((0.0, -1.0, 0.0), -0.6)


def lamp_of(strength: float) -> Lamp:
    """A level shadow leaves 1 / (1 + 0.8 strength) of the light."""
    return Lamp(TOWARD, 1.0 / (1.0 + 0.8 * strength), 0.9)


LIGHT = FaceLight(lamp_of(2.0), UP, 2.0, 0.8, 0.0)


def test_light_is_that_from_all_sides_and_the_lamps_by_the_cosine():
    assert LIGHT.on(UP, TOWARD) == pytest.approx(1.0 + 2.0 * 0.8)
    assert LIGHT.on(SIDE, TOWARD) == pytest.approx(0.8 + 2.0 * 0.6)
    assert LIGHT.on(FRONT, TOWARD) == pytest.approx(0.8)
    assert LIGHT.on(-SIDE, TOWARD) == pytest.approx(0.8)


@pytest.mark.parametrize(("strength", "upright"), [(2.0, 0.8), (0.8, 0.9), (4.0, 0.7)])
def test_the_light_of_all_boxes_is_told_by_the_ratios_of_their_faces(strength, upright):
    """Steps of strength are a ratio of 300^(1/39) = 1.16, and of the upright share 0.05."""
    light = FaceLight(lamp_of(strength), UP, strength, upright, 0.0)
    boxes = [[LitFace(one, paint * light.on(one, TOWARD)) for one in (UP, SIDE, FRONT)] for paint in (0.1, 0.4)]
    found = find_face_light(boxes, lamp_of(strength), PLANE, FACES)
    assert found is not None
    assert found.strength == pytest.approx(strength, rel=0.16)
    assert found.upright == pytest.approx(upright, abs=0.051)
    assert found.worst < 0.05
    # What the paint is makes no difference, and without a lamp nothing is told.
    assert find_face_light([], lamp_of(strength), PLANE, FACES).strength == pytest.approx(strength, rel=0.16)
    assert find_face_light(boxes, None, PLANE, FACES) is None


def test_faces_that_no_light_explains_are_told_less_exactly():
    """A face that is turned away is twice as light as the top, under a lamp above."""
    odd = [[LitFace(UP, 0.2), LitFace(-SIDE, 0.4)]]
    found = find_face_light(odd, lamp_of(2.0), PLANE, FACES)
    assert found.worst > math.log(1.4)
    wanted = range_of(SIDE, odd[0], found, SHADOWS, FACES)
    assert wanted.factor == pytest.approx(FACES.factor * math.exp(found.worst))


def test_a_face_that_is_turned_by_little_keeps_its_light():
    sides = [LitFace(UP, 0.5), LitFace(FRONT, 0.2)]
    turned = np.array([math.sin(math.radians(11.0)), 0.0, -math.cos(math.radians(11.0))])
    assert range_of(turned, sides, LIGHT, SHADOWS, FACES) == FaceRange(0.2, 0.2, SHADOWS.same)
    assert range_of(turned, [], LIGHT, SHADOWS, FACES) is None


def test_a_face_that_is_turned_has_the_light_that_comes_to_it():
    """Its paint is 0.25, of a top of 0.25 (1 + 1.6); beside the lamp it gets 0.25 (0.8 + 1.2) = 0.5."""
    wanted = range_of(SIDE, [LitFace(UP, 0.65)], LIGHT, SHADOWS, FACES)
    assert wanted.low < 0.5 < wanted.high
    assert wanted.middle == pytest.approx(0.5, rel=0.05)
    assert wanted.factor == pytest.approx(FACES.factor)
    # A lamp that is 3 degrees elsewhere gives by 2 (sin 3) more or less to a face along its light.
    along = np.array([0.8, 0.6, 0.0])
    wide = range_of(along, [LitFace(UP, 0.65)], LIGHT, SHADOWS, FACES)
    assert wide.high / wide.low > 1.0 + 2.0 * math.sin(FACES.lamp_rad) / 0.8 * 0.9


def test_without_a_lamp_a_face_may_be_much_lighter_or_darker():
    assert range_of(SIDE, [LitFace(UP, 0.5)], None, SHADOWS, FACES) == FaceRange(0.5, 0.5, SHADOWS.turned**2)


def test_a_range_allows_what_is_off_by_its_factor():
    one = FaceRange(0.2, 0.4, 1.25)
    assert [one.allows(value, 1.1) for value in (0.159, 0.161, 0.499, 0.501)] == [False, True, True, False]
    assert [one.allows(value, 2.0) for value in (0.099, 0.101, 0.799, 0.801)] == [False, True, True, False]
    assert [one.clipped(value) for value in (0.1, 0.3, 0.9)] == pytest.approx([0.16, 0.3, 0.5])


def test_faces_are_told_where_no_shadow_lies_on_them():
    scene = looked_at(drawn([NEW, STAYS], [RED, BLUE]))
    brightness, surfaces = scene.colors.brightness, scene.surfaces
    none = np.zeros(surfaces.box.shape, np.bool_)
    sides = sides_of(brightness, surfaces, 1, STAYS, Shaded(none, none, none, none), FACES)
    seen = [normal_of(STAYS, face) for face in np.unique(surfaces.face[surfaces.box == 1]).tolist()]
    assert 2 <= len(sides) <= len(seen)
    dark = np.ones_like(none)
    assert sides_of(brightness, surfaces, 1, STAYS, Shaded(dark, dark, dark, dark), FACES) == ()
