"""What of an edited picture is not as predicted: nothing of a right one, and what is wrong where it is wrong."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.spatial_edit.predicted.leftover import left_over
from detectors.spatial_edit.predicted.prediction import StandingBox
from tests.spatial_edit.predicted.tables import (
    AFTER,
    BEFORE,
    BLUE,
    CONFIG,
    GROUND,
    LAMP,
    NEW,
    OLD,
    RED,
    STANDING,
    STAYS,
    UP,
    drawn,
    looked_at,
    place_of,
)

SCENE = looked_at()
VACATED = place_of(0, [OLD, STAYS]) & place_of(-1, [NEW, STAYS])
OBJECT, OTHER = place_of(0, [NEW, STAYS]), place_of(1, [NEW, STAYS])


def left(picture, standing=STANDING, config=CONFIG):
    return left_over(SCENE, picture, standing, config)


def worst(found):
    return max(*found.boxes, found.place, found.ground)


def painted(mask, color, picture=AFTER):
    made = picture.copy()
    made[mask] = color
    return made


def inner(mask, by=4):
    return cv2.erode(mask.astype(np.uint8), np.ones((2 * by + 1,) * 2, np.uint8)) > 0


def noisy(picture):
    noise = np.random.default_rng(0).normal(0, 6, picture.shape)
    return np.clip(np.rint(picture + noise), 0, 255).astype(np.uint8)


def jpeg(picture):
    data = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 75])[1]
    return np.ascontiguousarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1])


def resampled(picture):
    small = cv2.resize(picture, (120, 90), interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (160, 120), interpolation=cv2.INTER_CUBIC)


@pytest.mark.parametrize(
    "look", [lambda one: one, noisy, jpeg, resampled, lambda one: cv2.GaussianBlur(one, (0, 0), 0.8)]
)
def test_nothing_is_left_of_a_right_edit(look):
    found = left(look(AFTER))
    assert worst(found) < 1.0
    assert found.changed < 0.02
    assert found.flat == ()
    assert found.tone == pytest.approx(1.0, abs=0.02)


def test_a_shadow_may_stay_be_missing_or_be_soft():
    """The lamp may as well stand nearly above: the new shadow is short, and the old one is gone."""
    steep = LAMP + 0.2 * UP
    assert worst(left(drawn([NEW, STAYS], [RED, BLUE], steep / np.linalg.norm(steep)))) < 1.0
    kept = np.where(OBJECT[..., None], AFTER, BEFORE)
    clean = drawn([STAYS], [BLUE])
    kept[VACATED] = clean[VACATED]
    assert worst(left(kept)) < 1.0


def test_one_gain_a_channel_is_told_and_taken_off():
    found = left(np.clip(np.rint(AFTER * np.array([0.95, 1.0, 1.03])), 0, 255).astype(np.uint8))
    assert worst(found) < 1.0
    # sRGB is near a power of 2.2: (1.03 / 0.95)^2.2
    assert found.tint == pytest.approx((1.03 / 0.95) ** 2.2, abs=0.04)
    assert left((AFTER * 0.7).astype(np.uint8)).tone == pytest.approx(0.7**2.2, abs=0.03)


@pytest.mark.parametrize(
    ("picture", "index"),
    [
        (painted(inner(VACATED, 2), (60, 160, 60)), "place"),
        (painted(VACATED, (70, 66, 62)), "place"),  # the table's hue, darker than a shadow
        (painted(inner(GROUND, 2) & (np.indices(GROUND.shape)[1] > 140), (20, 20, 20)), "ground"),
        (painted(inner(OTHER), (240, 240, 240)), 1),
        (painted(inner(OTHER), AFTER[inner(OTHER)] // 2), 1),
        (painted(inner(OBJECT), (40, 160, 160)), 0),
        (painted(inner(OBJECT, 2) & (np.indices(OBJECT.shape)[1] % 8 < 4), (240, 240, 240)), 0),
        (painted(OBJECT, drawn([STAYS], [BLUE])[OBJECT]), 0),
    ],
)  # fmt: skip
def test_what_is_wrong_is_left_where_it_is(picture, index):
    found = left(picture)
    told = {"place": found.place, "ground": found.ground, 0: found.boxes[0], 1: found.boxes[1]}
    assert told.pop(index) > 1.0
    assert max(told.values()) < 1.0


def test_a_picture_that_is_shifted_is_another():
    found = left(np.roll(AFTER, 6, axis=1))
    assert worst(found) > 1.0
    assert left(np.random.default_rng(0).integers(0, 255, AFTER.shape).astype(np.uint8)).changed > 0.25


def test_a_box_that_stays_keeps_its_edges():
    soft = AFTER.copy()
    around = cv2.dilate(OTHER.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    soft[around] = cv2.GaussianBlur(AFTER, (0, 0), 4.0)[around]
    assert left(soft).boxes[1] > 1.0


def test_faces_that_are_all_alike_are_a_flat_patch():
    flat = painted(OBJECT, np.rint(AFTER[OBJECT].mean(axis=0)))
    assert left(flat).flat == (0,)
    assert left(AFTER).flat == ()


def test_an_object_that_did_not_move_is_compared_pixel_by_pixel():
    stood = (StandingBox(OLD, 0, stays=True), STANDING[1])
    assert worst(left(BEFORE, stood)) == 0.0
    at = inner(place_of(0, [OLD, STAYS]), 2)
    assert left(painted(at, BEFORE[at] // 2, BEFORE), stood).boxes[0] > 1.0


def test_without_a_lamp_shadows_may_be_anywhere_on_the_table():
    dark = painted(inner(GROUND, 2) & (np.indices(GROUND.shape)[1] > 140), (90, 84, 78))
    assert left(dark).ground > 1.0
    blind = replace(CONFIG, light=replace(CONFIG.light, lamp=replace(CONFIG.light.lamp, least_fit=1.0)))
    from tests.spatial_edit.predicted.tables import PLANE, VIEW, scene_before

    unlit = scene_before(BEFORE, VIEW, PLANE, (OLD, STAYS), blind)
    assert unlit.lamp is None
    assert left_over(unlit, dark, STANDING, blind).ground < 1.0
    assert left_over(unlit, painted(VACATED, (60, 160, 60)), STANDING, blind).place > 1.0
