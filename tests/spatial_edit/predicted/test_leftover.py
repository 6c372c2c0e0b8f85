"""What of an edited picture is not as predicted: nothing of a right one, and what is wrong where it is wrong."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.spatial_edit.predicted.colors import colors_of, smoothed
from detectors.spatial_edit.predicted.config import TingedConfig
from detectors.spatial_edit.predicted.leftover import left_over, longest
from detectors.spatial_edit.predicted.prediction import StandingBox, predict, scene_before
from detectors.spatial_edit.predicted.rays import seen_surfaces
from tests.spatial_edit.predicted.tables import (
    AFTER,
    BEFORE,
    BLUE,
    CONFIG,
    GROUND,
    LAMP,
    NEW,
    OLD,
    PLANE,
    RED,
    STANDING,
    STAYS,
    TABLE,
    UP,
    VIEW,
    box,
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


def test_a_box_that_stays_and_the_table_keep_their_colours():
    """A little more red on the box, and less blue on a part of the table, which pixels may be off by one by one."""
    # Faces are some 15 px wide here, and the table is a wide one without a floor.
    close = replace(CONFIG, recolored=TingedConfig(edge_px=2, least_px=30, most=0.007, most_box=0.007))
    scene = replace(SCENE, table=np.indices(OTHER.shape)[1] > 40)
    assert left_over(scene, AFTER, STANDING, close).recolored < close.recolored.most
    redder, yellower = (
        np.clip(np.rint(AFTER * np.array(gains)), 0, 255).astype(np.uint8) for gains in ((1.15, 1, 1), (1, 1, 0.94))
    )
    told = left_over(scene, np.where(OTHER[..., None], redder, AFTER), STANDING, close)
    assert told.boxes[1] > 1.0
    assert max(told.boxes[0], told.place, told.ground) < 1.0
    assert told.recolored < close.recolored.most
    told = left_over(scene, np.where(scene.table[..., None], yellower, AFTER), STANDING, close)
    assert told.recolored > close.recolored.most


def test_the_outline_of_what_is_gone_is_told_though_the_picture_before_was_smeared_there():
    """A line of a pixel around where the box was, in a darker mixture of its colour and the table's."""
    mine, square = place_of(0, [OLD, STAYS]).astype(np.uint8), np.ones((3, 3), np.uint8)
    outline = (cv2.dilate(mine, square) > mine) & (place_of(-1, [NEW, STAYS]))
    found = left(painted(outline, (np.array(TABLE) + np.array(RED)) // 2 * 2 // 3))
    assert found.place > 1.0
    assert max(*found.boxes, found.ground) < 1.0


def test_a_box_that_is_put_before_another_may_be_found_two_pixels_off():
    """Its edge lies on a box that stays, whose own edges are known to a pixel."""
    size = (0.1, 0.06, 0.1)
    found, true = box(0.05, -0.08, 0.3, size), box(0.05, -0.068, 0.3, size)
    standing = (StandingBox(found, 0, stays=False), StandingBox(STAYS, 1, stays=True))
    assert left(drawn([true, STAYS], [RED, BLUE]), standing).boxes[1] < 0.2


def beside(mask, low, high):
    """Pixels from one distance to another from a box, to the right of its upper half, in light."""
    away = cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    rows, columns = np.nonzero(mask)
    at_rows, at_columns = np.indices(mask.shape)
    upper = (at_rows < rows.mean()) & (at_columns > columns.mean()) & (at_rows > rows.min() + 3)
    return upper & (away > low) & (away <= high)


def test_a_contact_shadow_lies_at_the_foot_alone():
    """Beside the upper half of a tower of 20 cm lies table that is far behind it, which is as light as it was."""
    size = (0.06, 0.2, 0.06)
    old, new = box(-0.1, 0.0, 0.3, size), box(-0.02, -0.12, 0.3, size)
    scene = scene_before(drawn([old], [RED]), VIEW, PLANE, (old,), CONFIG)
    after = colors_of(smoothed(drawn([new], [RED]), CONFIG.smooth_px))
    surfaces = seen_surfaces(VIEW, [new], PLANE)
    made = predict(scene, after, [StandingBox(new, 0, stays=False)], surfaces, CONFIG).range.low
    tower = surfaces.box == 0
    strip = beside(tower, 1, 3)
    assert made[strip] == pytest.approx(scene.colors.brightness[strip])
    # The pixels below its lowest ones.
    rows, columns = np.nonzero(tower)
    foot = (rows.max() + 2, int(np.median(columns[rows == rows.max()])))
    assert made[foot] < 0.6 * scene.colors.brightness[foot]


def test_hues_are_smeared_where_codecs_smear_them():
    """Two fifths of the object's red in a strip from 3 to 6 pixels beside it."""
    reddish = painted(beside(OBJECT, 3, 6), (142, 70, 66))
    assert left(reddish).ground > 1.0
    assert left(reddish, config=replace(CONFIG, sharp_hue=-1.0)).ground < 1.0
    assert worst(left(jpeg(AFTER))) < 1.0


def test_a_picture_that_is_shifted_is_another():
    found = left(np.roll(AFTER, 6, axis=1))
    assert worst(found) > 1.0
    assert left(np.random.default_rng(0).integers(0, 255, AFTER.shape).astype(np.uint8)).changed > 0.25


def test_a_box_that_stays_keeps_its_edges():
    soft = AFTER.copy()
    around = cv2.dilate(OTHER.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    soft[around] = cv2.GaussianBlur(AFTER, (0, 0), 4.0)[around]
    assert left(soft).boxes[1] > 1.0


@pytest.mark.parametrize(("mask", "index"), [(OBJECT, 0), (OTHER, 1)])
def test_a_box_that_is_blurred_within_its_outline_is_told(mask, index):
    """Its outline is as sharp as it was, but what lies beside it has come in; of the picture's own blur it has not."""
    soft = cv2.GaussianBlur(AFTER, (0, 0), 8)
    assert left(painted(mask, soft[mask])).boxes[index] > 1.0
    assert left(cv2.GaussianBlur(AFTER, (0, 0), 0.9)).boxes[index] < 0.5


def test_within_boxes_less_is_seen_than_elsewhere():
    """A box that stays keeps its pixels, and its edges to a pixel; of one that is elsewhere faces are as predicted."""
    soft = cv2.GaussianBlur(AFTER, (0, 0), 6)
    mixed = np.rint(0.4 * AFTER + 0.6 * soft).astype(np.uint8)
    made = painted(OTHER, mixed[OTHER])
    as_elsewhere = replace(CONFIG, solid=1.0, solid_reach_px=CONFIG.reach_px)
    assert left(made).boxes[1] > 1.0 > left(made, config=as_elsewhere).boxes[1]
    dark = painted(inner(OBJECT), np.rint(0.6 * AFTER[inner(OBJECT)]))
    one, other = (left(dark, config=replace(CONFIG, elsewhere=share)).boxes[0] for share in (0.5, 1.0))
    assert one == pytest.approx(2.0 * other)


def test_faces_that_are_all_alike_are_a_flat_patch():
    flat = painted(OBJECT, np.rint(AFTER[OBJECT].mean(axis=0)))
    assert left(flat).flat == (0,)
    assert left(AFTER).flat == ()


@pytest.mark.parametrize(("gain", "told"), [(0.7, True), (0.97, False), (1.03, False), (1.3, True)])
def test_faces_are_as_light_as_the_lamp_makes_them(gain, told):
    """Evenly so; sRGB is near a power of 2.2, and 0.7 is 0.46 of the light, 1.3 is 1.78."""
    assert left(painted(OBJECT, np.clip(gain * AFTER[OBJECT], 0, 255))).flat == ((0,) if told else ())


def test_faces_that_differ_by_half_of_what_the_lamp_makes_are_not_lit_by_it():
    mean = AFTER[OBJECT].mean(axis=0)
    assert left(painted(OBJECT, np.rint(0.5 * AFTER[OBJECT] + 0.5 * mean))).flat == (0,)


@pytest.mark.parametrize(("far", "told"), [(1, False), (3, True)])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_box_that_stays_lies_where_it_lay(far, axis, told):
    """It is moved by so many pixels. A box that is elsewhere may lie anywhere."""
    moved = np.roll(AFTER, far, axis=axis)
    around = cv2.dilate(OTHER.astype(np.uint8), np.ones((21, 21), np.uint8)) > 0
    # Colours and edges are not looked at.
    blind = replace(CONFIG, tolerance=9.0, tint_tolerance=9.0, sharp=0.0, all_along=0.0)
    found = left(np.where(around[..., None], moved, AFTER), config=blind)
    assert (found.boxes[1] > 1.0) == told
    assert found.boxes[0] == 0.0


def test_the_edge_of_the_table_lies_where_it_lay():
    """A dark stripe beside the table, which is moved by 2 px."""
    floor = np.indices(GROUND.shape)[1] >= 148
    scene = scene_before(painted(floor, (60, 60, 60), BEFORE), VIEW, PLANE, (OLD, STAYS), CONFIG)
    moved = np.indices(GROUND.shape)[1] >= 146
    found = left_over(scene, painted(moved, (60, 60, 60)), STANDING, CONFIG)
    assert found.displaced == pytest.approx(2.0, abs=0.4)
    assert found.displaced > CONFIG.displaced.most_px
    assert left_over(scene, painted(floor, (60, 60, 60)), STANDING, CONFIG).displaced == 0.0


def test_an_object_that_did_not_move_is_compared_pixel_by_pixel():
    stood = (StandingBox(OLD, 0, stays=True), STANDING[1])
    assert worst(left(BEFORE, stood)) == 0.0
    at = inner(place_of(0, [OLD, STAYS]), 2)
    assert left(painted(at, BEFORE[at] // 2, BEFORE), stood).boxes[0] > 1.0


def test_without_a_lamp_shadows_may_lie_at_boxes_alone():
    blind = replace(CONFIG, light=replace(CONFIG.light, lamp=replace(CONFIG.light.lamp, least_fit=1.0)))
    unlit = scene_before(BEFORE, VIEW, PLANE, (OLD, STAYS), blind)
    assert unlit.lamp is None
    assert left_over(unlit, AFTER, STANDING, blind).ground < 1.0
    # As dark as a shadow, but in a corner.
    dark = painted(inner(GROUND, 2) & (np.indices(GROUND.shape)[1] > 140), (90, 84, 78))
    assert left_over(unlit, dark, STANDING, blind).ground > 1.0
    assert left_over(unlit, painted(VACATED, (60, 160, 60)), STANDING, blind).place > 1.0


def test_a_thin_line_counts_by_its_length():
    """16 px of it have 0.03 sqrt(16) along a line, and in a window; more of it more than a window has."""
    even = np.full((120, 160), 0.0, np.float32)
    even[60, 40:56] = 0.03**2
    every = np.ones(even.shape, np.bool_)
    length = CONFIG.line_share * 160  # 24 px, of which 16 have something: 0.03 sqrt(16) = 0.12
    assert longest(even, every, CONFIG) == pytest.approx(0.12, abs=1e-6)
    even[60, 20:140] = 0.03**2
    # 12 px to either side of the middle, and that.
    assert length == 24
    assert longest(even, every, CONFIG) == pytest.approx(0.03 * math.sqrt(25), abs=1e-6)
    assert longest(even, ~every, CONFIG) == 0.0


@pytest.mark.parametrize("color", [(90, 84, 78), (165, 154, 143)])
def test_a_line_across_the_table_is_no_shadow(color):
    """It begins at the box that moved, in the strength of shadows, and where the lamp allows them."""
    crossed = AFTER.copy()
    cv2.line(crossed, (70, 95), (118, 104), color, 2, cv2.LINE_AA)
    assert left(crossed).ground > 1.0


def test_what_compression_leaves_beside_all_boxes_is_noise():
    picture = AFTER.copy()
    data = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 40])[1]
    squeezed = np.ascontiguousarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1])
    assert left(squeezed).ground < 1.0
    # Beside one of two boxes it would be a mark.
    beside = cv2.dilate(OTHER.astype(np.uint8), np.ones((13, 13), np.uint8)) > 0
    assert left(squeezed, config=replace(CONFIG, beside=0.0)).ground >= left(squeezed).ground
    assert left(painted(beside & GROUND, (180, 135, 90))).ground > 1.0


def test_where_a_shadow_is_gone_none_is_left_in_the_old_place():
    """As dark as a shadow, where the old box hid one; what of that lay in sight is gone."""
    assert left(painted(inner(VACATED, 2), (92, 86, 80))).place > 1.0


def test_a_shadow_takes_no_more_light_where_one_lies():
    shade = GROUND & SCENE.shaded.cast & left_shaded()
    dark = AFTER.copy()
    dark[shade] = np.rint(dark[shade] * 0.6)
    assert left(dark).ground > 1.0


def left_shaded():
    """Where the shadow of the box that stays lies in both pictures."""
    alone = drawn([STAYS], [BLUE])
    return (alone.sum(axis=2) < 0.8 * alone.sum(axis=2)[GROUND].max()) & GROUND


def test_a_coarse_grain_is_tolerated():
    """Noise of 6 levels, as wide as a pixel and a half: three times what is left of white noise once it is smoothed."""
    grain = cv2.GaussianBlur(np.random.default_rng(1).normal(0, 1, AFTER.shape[:2]), (0, 0), 0.8)
    grainy = np.clip(np.rint(AFTER + 6 / grain.std() * grain[..., None]), 0, 255).astype(np.uint8)
    assert worst(left(grainy)) < 1.0
    strict = replace(CONFIG, grain_times=0.0)
    assert worst(left(grainy, config=strict)) > worst(left(grainy))
    # A patch on the table is seen as well.
    assert left(painted(inner(GROUND, 8), (120, 40, 40), grainy)).ground > 1.0


def test_an_object_that_is_resized_in_its_place_may_have_no_shadow():
    """It is twice as high, and drawn on the table without its shadow, which hid some of the old one."""
    tall = box(-0.1, 0.0, 0.3, (0.1, 0.2, 0.1))
    bare, right = drawn([STAYS], [BLUE]), drawn([tall, STAYS], [RED, BLUE])
    mine = place_of(0, [tall, STAYS])
    standing = (StandingBox(tall, 0, stays=False), StandingBox(STAYS, 1, stays=True))
    assert worst(left(np.where(mine[..., None], right, bare), standing)) < 1.0
    assert worst(left(right, standing)) < 1.0
