"""The detector's own choices, in small pictures that are drawn by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.spatial_edit.boxes.config import (
    BoxesConfig,
    ChoiceConfig,
    OutlineConfig,
    PartsConfig,
    ReliefConfig,
    SplitConfig,
)
from detectors.spatial_edit.boxes.detector import find_boxes
from detectors.spatial_edit.boxes.findings import BoxKind, SizeSource
from detectors.spatial_edit.boxes.geometry import box_of
from tests.spatial_edit.boxes.views import PLANE, SIZE, VIEW, drawn, pixels_of, row_of

# Fewer starts than by default, which is as well for pictures as clear as these.
CONFIG = BoxesConfig(outline=OutlineConfig(yaws=6, kept=2))


def encoded(linear: np.ndarray) -> np.ndarray:
    """Linear RGB as sRGB, 0 to 255."""
    curve = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.rint(255 * np.clip(curve, 0, 1)).astype(np.uint8)


def picture(*rows: np.ndarray) -> np.ndarray:
    return encoded(drawn(*rows)[0])


RED = tuple(int(one) for one in encoded(np.array([0.6, 0.06, 0.06])))
KIND = BoxKind("box", RED, SIZE)


def found(shown, kind=KIND, config=CONFIG, plane=PLANE):
    return find_boxes(shown, VIEW, (kind,), plane, config).boxes


def test_a_box_is_found_where_it_is():
    (one,) = found(picture(row_of()))
    truth = box_of(row_of())
    assert one.label == "box"
    assert one.box.center == pytest.approx(truth.center, abs=0.002)
    assert one.box.size == pytest.approx(SIZE)
    assert (one.size_source, one.visible) == (SizeSource.GIVEN, 1.0)
    assert one.confidence > 0.9
    assert one.paint > 0.9
    pixels = pixels_of(row_of())
    assert one.bounds == pytest.approx((*pixels.min(axis=0), *pixels.max(axis=0)), abs=0.4)
    # Seven of eight corners are turned to the camera.
    assert len(one.corners) == 7


def test_boxes_come_from_left_to_right():
    left, right = found(picture(row_of(0.25, 0.9), row_of(-0.25, 0.8)))
    assert left.bounds[0] < right.bounds[0]


def test_a_box_half_out_of_the_picture_is_told_of_with_less_confidence():
    """In proportion below a half."""
    (one,) = found(picture(row_of(0.43)))
    assert 0.3 < one.visible < 0.95
    (strict,) = found(picture(row_of(0.43)), config=replace(CONFIG, choice=ChoiceConfig(sure_visible=1.0)))
    assert strict.confidence == pytest.approx(one.confidence * one.visible / min(1.0, 2 * one.visible))
    assert len(one.corners) == 7


def test_a_flat_patch_is_trusted_less():
    linear, (share,) = drawn(row_of())
    flat = (0.2 + share[..., None] * (np.array([0.6, 0.06, 0.06]) - 0.2)).astype(np.float32)
    (one,) = found(encoded(flat))
    (trusted,) = found(encoded(flat), config=replace(CONFIG, edges=replace(CONFIG.edges, relief=ReliefConfig(least=0))))
    assert one.confidence == pytest.approx(0.3 * trusted.confidence)
    assert trusted.confidence > 0.6
    assert linear.shape == flat.shape


@pytest.mark.parametrize(("level", "flat"), [(202, True), (201, False)])
def test_faces_that_differ_by_2_percent_are_no_flat_patch(level, flat):
    """Of 203 of 255, linear 0.597, a level less is 1.1 % less, and two are 2.2 %."""
    linear, _ = drawn(row_of())
    shown = encoded(linear)
    top = linear[..., 0] > 0.5
    side = (linear[..., 0] > 0.25) & ~top
    shown[top], shown[side] = (203, 60, 60), (level, 60, 60)
    (one,) = found(shown, BoxKind("box", (203, 60, 60), SIZE))
    assert (one.confidence < 0.4) == flat


def test_a_box_of_another_size_is_measured():
    """Half as large again as was said."""
    larger = row_of(size=tuple(1.5 * extent for extent in SIZE))
    (one,) = found(picture(larger))
    assert one.size_source is SizeSource.PICTURE
    assert one.box.size == pytest.approx(tuple(1.5 * extent for extent in SIZE), rel=0.04)
    # Where measuring would have to be better by more than it can be, what was said holds.
    kept = found(picture(larger), config=replace(CONFIG, choice=ChoiceConfig(freed_gain=1.0)))
    assert all(box.size_source is SizeSource.GIVEN for box in kept)
    # What is wholly other is another thing.
    assert found(picture(larger), config=replace(CONFIG, choice=ChoiceConfig(most_scaled=1.4))) == ()


@pytest.mark.parametrize(("choice", "source"), [
    (ChoiceConfig(), SizeSource.GIVEN),
    (ChoiceConfig(given_support=1.01), SizeSource.PICTURE),
    (ChoiceConfig(given_overlap=1.01), SizeSource.PICTURE),
])  # fmt: skip
def test_a_box_that_fits_well_enough_is_not_measured(choice, source):
    """Larger by a twentieth than was said: it fits to 0.957, and measured it would fit wholly."""
    (one,) = found(picture(row_of(size=tuple(1.05 * extent for extent in SIZE))), config=replace(CONFIG, choice=choice))
    assert one.size_source is source


def test_what_does_not_cover_its_paint_is_no_box():
    shown = picture(row_of())
    assert len(found(shown, config=replace(CONFIG, choice=ChoiceConfig(least_overlap=0.9)))) == 1
    assert found(shown, config=replace(CONFIG, choice=ChoiceConfig(least_overlap=1.01))) == ()


def test_two_that_look_like_one_are_two():
    rows = row_of(-0.06, 0.7, 0.3), row_of(0.05, 0.84, 1.2)
    shown = picture(*rows)
    quick = replace(CONFIG, split=SplitConfig(step_m=0.03, yaws=6))
    both = found(shown, config=quick)
    assert len(both) == 2
    for row in rows:
        assert min(math.dist(one.box.center, box_of(row).center) for one in both) < 0.02
    # Unless two have to be far better, or the part is too large for two, or one fits well enough.
    for split in (
        replace(quick.split, gain=1.0),
        replace(quick.split, area=0.5),
        replace(quick.split, quality=0.0),
    ):
        assert len(found(shown, config=replace(quick, split=split))) == 1
    assert len(found(shown, BoxKind("box", RED), config=quick)) <= 1


def faint(share: float, row: np.ndarray) -> np.ndarray:
    linear, _ = drawn(row)
    return encoded(0.2 + share * (linear - 0.2))


def test_what_shines_through_is_told_of_where_it_is_sure():
    (one,) = found(faint(0.5, row_of()))
    assert one.paint < 0.6
    assert one.box.center == pytest.approx(box_of(row_of()).center, abs=0.01)
    assert found(faint(0.5, row_of()), config=replace(CONFIG, parts=PartsConfig(faint_confidence=1.01))) == ()
    # If that counts as solid, no more is asked of it.
    solid = replace(CONFIG, parts=PartsConfig(solid_trace=0.2, faint_confidence=1.01))
    assert len(found(faint(0.5, row_of()), config=solid)) == 1


@pytest.mark.parametrize(("scale", "many"), [(1.07, 1), (1.08, 0)])
def test_what_shines_through_has_to_fit_to_a_confidence_of_06(scale, many):
    """Larger than was said, and not to be measured: it fits to 0.7 or so, and to 0.56."""
    shown = faint(0.5, row_of(size=tuple(scale * extent for extent in SIZE)))
    given = replace(CONFIG, choice=ChoiceConfig(freed_gain=1.0))
    boxes = found(shown, config=given)
    assert len(boxes) == many
    assert all(0.6 <= one.confidence < 0.84 for one in boxes)


def test_of_many_parts_the_largest_are_looked_at():
    rows = row_of(-0.25, 0.7), row_of(0.25, 0.7), row_of(0.0, 1.2)
    shown = picture(*rows)
    assert len(found(shown)) == 3
    assert len(found(shown, config=replace(CONFIG, parts=PartsConfig(most=2)))) == 2
    assert len(found(shown, config=replace(CONFIG, parts=PartsConfig(most_in_all=1)))) == 1
    (first,) = found(shown, config=replace(CONFIG, parts=PartsConfig(most=1)))
    assert min(math.dist(first.box.center, box_of(row).center) for row in rows[:2]) < 0.01


def test_names_of_a_box_follow_its_rotation_before():
    """Among the turns that look the same the nearest to that of before, else that with x to the right."""
    yaw = 0.7 + math.pi
    before = box_of(row_of(yaw=yaw - 0.1)).rotation
    (named,) = found(picture(row_of(yaw=yaw)), replace(KIND, rotation=before))
    assert np.array(named.box.rotation) == pytest.approx(np.array(box_of(row_of(yaw=yaw)).rotation), abs=0.02)
    (plain,) = found(picture(row_of(yaw=yaw)))
    assert np.array(plain.box.rotation) == pytest.approx(np.array(box_of(row_of(yaw=0.7)).rotation), abs=0.02)


def test_a_box_that_lies_on_another_side_is_named_as_it_stands():
    """Of the size that was given only a name on its side would be; a box's second axis points down."""
    lies = row_of(yaw=0.7, size=(0.12, 0.07, 0.1))
    (one,) = found(picture(lies), BoxKind("box", RED, (0.12, 0.1, 0.07)))
    assert one.size_source is SizeSource.PICTURE
    assert np.array(one.box.rotation)[:, 1] == pytest.approx(np.array(box_of(lies).rotation)[:, 1], abs=0.02)
    assert one.box.size[1] == pytest.approx(0.07, rel=0.05)


@pytest.mark.parametrize(("length", "square"), [(0.1165, True), (0.1160, False)])
def test_a_footprint_is_square_within_3_percent(length, square):
    """0.03 of 0.12 is 0.0036. A square one may be turned back by a quarter."""
    size = (0.12, 0.1, length)
    (one,) = found(picture(row_of(yaw=1.2, size=size)), BoxKind("box", RED, size))
    wanted = 1.2 - math.pi / 2 if square else 1.2
    assert np.array(one.box.rotation) == pytest.approx(np.array(box_of(row_of(yaw=wanted)).rotation), abs=0.05)
    assert one.box.size == pytest.approx((length, 0.1, 0.12) if square else size)


def test_a_kind_without_a_size_is_measured():
    (one,) = found(picture(row_of()), BoxKind("box", RED))
    assert one.size_source is SizeSource.PICTURE
    assert sorted(one.box.size) == pytest.approx(sorted(SIZE), rel=0.03)


def test_other_pictures_and_kinds_are_refused():
    shown = picture(row_of())
    with pytest.raises(ValueError, match="160 x 120"):
        found(shown.astype(np.float32))
    with pytest.raises(ValueError, match="160 x 120"):
        found(shown[:, :-1])
    with pytest.raises(ValueError, match="needs a size"):
        found(shown, BoxKind("box", RED), plane=None)


def test_a_box_of_unknown_size_before_another_one_is_no_taller_than_it_is():
    """What touches another paint might go on behind it; but this one stands before it, and one sees where it ends."""
    front, back = row_of(0.06, 0.6, 0.2, (0.08, 0.12, 0.06)), row_of(0.0, 0.8, 0.5, (0.16, 0.16, 0.14))
    linear, shares = drawn(front, back)
    behind = shares[1][..., None]
    shown = encoded(linear * (1 - behind) + linear[..., ::-1] * behind)
    blue = tuple(int(one) for one in encoded(np.array([0.06, 0.06, 0.6])))
    kinds = (BoxKind("front", RED, None), BoxKind("back", blue, (0.16, 0.16, 0.14)))
    (one,) = (box for box in find_boxes(shown, VIEW, kinds, PLANE, CONFIG).boxes if box.label == "front")
    assert sorted(one.box.size) == pytest.approx([0.06, 0.08, 0.12], abs=0.004)


def test_a_box_of_unknown_size_that_joins_its_twin_is_told_from_it():
    """Twice as large, it touches the one before it, and both are one patch of paint."""
    twin, grown = row_of(0.06, 0.62, 0.2, (0.08, 0.1, 0.06)), row_of(-0.03, 0.75, 0.3, (0.14, 0.2, 0.1))
    shown, free = picture(grown, twin), replace(KIND, size=None)
    assert len(found(shown, free)) == 1
    both = found(shown, replace(free, twins=(box_of(twin),)))
    assert sorted(sorted(one.box.size) for one in both) == [
        pytest.approx([0.06, 0.08, 0.1], rel=0.05),
        pytest.approx([0.1, 0.14, 0.2], rel=0.05),
    ]
    # Where it stood nothing of its paint is seen.
    alone = found(picture(grown), replace(free, twins=(box_of(row_of(0.2, 0.6, 0.2)),)))
    assert len(alone) == 1


def test_a_box_of_unknown_size_has_even_faces():
    """Its outline is also that of one of 9 x 10.5 x 4.6 cm, whose edges all lie on something."""
    size = (0.09, 0.08, 0.08)
    shown, free = picture(row_of(0.15, 0.65, 0.25, size)), replace(KIND, size=None)
    (one,) = found(shown, free)
    assert sorted(one.box.size) == pytest.approx(sorted(size), rel=0.03)
    (any_even,) = found(shown, free, config=replace(CONFIG, choice=ChoiceConfig(uneven=1.0)))
    assert min(any_even.box.size) < 0.06
