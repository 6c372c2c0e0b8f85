"""What changed outside of the edited objects: tone, colours, marks, edges, and the place of features."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.spatial_edit.scene.config import MarksConfig
from detectors.spatial_edit.scene.marks import (
    SceneMarks,
    Shown,
    around,
    find_marks,
    mask_overlap,
    staying_places,
)
from tests.spatial_edit.scene.surfaces import LIGHT, flags, plain

CONFIG = MarksConfig()
ALL, NONE = np.ones((100, 100), np.bool_), np.zeros((100, 100), np.bool_)
GREY = np.full((100, 100, 3), 128, np.uint8)
SAME = SceneMarks(1.0, 0.0, 0.0, (), None, None)


def marks(now, then=None, kept=ALL):
    """What changed of a surface, where the pictures themselves tell nothing."""
    return find_marks(Shown(GREY, then or plain()), Shown(GREY, now), kept, NONE, NONE, CONFIG)


def test_a_scene_that_stayed_has_no_marks():
    assert marks(plain()) == SAME
    assert not SAME.other_look(CONFIG)
    assert marks(plain(), kept=NONE) is None


@pytest.mark.parametrize(
    ("light", "other"), [(0.871, False), (0.869, True), (1.149, False), (1.151, True), (1.0, False), (0.5, True)]
)
def test_another_light_is_another_look(light, other):
    found = marks(plain(lightness=LIGHT * light))
    assert found.tone == pytest.approx(light)
    assert found.other_look(CONFIG) == other


def test_tone_is_that_of_the_middle_of_what_was_kept():
    now = plain()
    now.lightness[:49] = 0.1
    assert marks(now).tone == 1.0
    assert marks(now, kept=flags(slice(0, 49), slice(0, 100))).tone == pytest.approx(1 / 6)


@pytest.mark.parametrize(("shift", "other"), [((0.03, 0.039), False), ((0.03, -0.041), True)])
def test_a_shift_of_all_tints_is_another_look(shift, other):
    """hypot(0.03, 0.04) = 0.05."""
    now = plain()
    now.tint[:] = shift
    found = marks(now)
    assert found.tone_tint == pytest.approx(np.hypot(*shift))
    assert (found.strange, found.other_look(CONFIG)) == (0.0, other)


def test_a_quarter_in_other_colours_is_another_picture():
    for rows, other in ((25, False), (26, True)):
        now = plain()
        now.tint[:rows] = 0.5
        found = marks(now)
        assert found.strange == pytest.approx(rows / 100)
        assert found.other_look(CONFIG) == other


@pytest.mark.parametrize(
    ("edges", "staying", "other"),
    [(0.5, None, False), (0.49, None, True), (None, 0.25, False), (None, 0.24, True), (1.0, 1.0, False)],
)
def test_blurred_or_shifted_pictures_look_otherwise(edges, staying, other):
    assert replace(SAME, edges=edges, staying=staying).other_look(CONFIG) == other


def sizes(found: SceneMarks) -> list[tuple[int, int]]:
    return [(right - left, bottom - top) for left, top, right, bottom in found.marks]


def dotted(rows: slice, columns: slice, tint: float = 0.3):
    now = plain()
    now.tint[rows, columns] = tint
    return now


def test_marks_are_told_with_their_places():
    now = dotted(slice(10, 14), slice(20, 30))
    now.tint[60:90, 50:52] = 0.3
    found = marks(now)
    first, second = sorted(found.marks)
    assert first == pytest.approx((20, 10, 30, 14), abs=1)
    assert second == pytest.approx((50, 60, 52, 90), abs=1)
    assert found.strange == pytest.approx(100 / 10_000)
    # What lies on objects is none.
    assert sizes(marks(now, kept=~flags(slice(0, 40), slice(0, 100)))) == [(2, 30)]


def test_marks_of_less_than_24_pixels_or_of_single_lines_are_none():
    assert sizes(marks(dotted(slice(10, 14), slice(20, 26)))) == [(6, 4)]
    small = dotted(slice(10, 14), slice(20, 26))
    small.tint[10:12, 20] = 0.0
    assert marks(small).marks == ()  # 22
    assert marks(dotted(slice(10, 11), slice(0, 100))).marks == ()
    assert sizes(marks(dotted(slice(10, 12), slice(5, 90)))) == [(85, 2)]


def test_of_large_pictures_marks_have_a_share():
    """0.0004 of 260 x 260 pixels are 27."""
    config = replace(CONFIG, near_share=0.01)
    grey = np.full((260, 260, 3), 128, np.uint8)
    nowhere = np.zeros((260, 260), np.bool_)
    for width, many in ((9, 1), (8, 0)):
        now = plain(260)
        now.tint[100:103, 100 : 100 + width] = 0.3
        found = find_marks(Shown(grey, plain(260)), Shown(grey, now), ~nowhere, nowhere, nowhere, config)
        assert len(found.marks) == many


def test_lines_go_on_across_corners():
    """Squares of 4 x 4 = 16 pixels that meet in a corner are one mark of 32."""
    now = dotted(slice(10, 14), slice(20, 24))
    now.tint[14:18, 24:28] = 0.3
    assert sizes(marks(now)) == [(8, 8)]


@pytest.mark.parametrize(("tint", "many"), [((0.059, 0.0), 0), ((0.061, 0.0), 1), ((0.0, -0.061), 1)])
def test_a_mark_has_another_tint(tint, many):
    now = plain()
    now.tint[10:20, 10:20] = tint
    assert len(marks(now).marks) == many


def test_a_shift_of_all_tints_is_no_mark_and_hides_none():
    now = plain()
    now.tint[:] = 0.1
    now.tint[10:20, 10:20] = 0.0
    assert sizes(marks(now)) == [(10, 10)]


@pytest.mark.parametrize(("light", "many"), [(0.51, 0), (0.49, 1), (1.09, 0), (1.11, 1)])
def test_a_mark_is_darker_than_shadow_or_lighter_than_all_close_by(light, many):
    now = plain()
    now.lightness[10:20, 10:20] *= light
    assert len(marks(now).marks) == many


def test_what_is_just_as_light_as_may_be_is_no_mark():
    now = plain()
    now.lightness[10:20, 10:20] *= np.float32(1.1)
    assert marks(now).marks == ()


def test_marks_are_told_in_the_light_of_before():
    """All is darker by a tenth, so a shadow may leave 0.45 of it; at half the light, only 0.87 are taken for light."""
    for light, dark, many in ((0.9, 0.46, 0), (0.9, 0.44, 1), (0.5, 0.44, 0), (0.5, 0.43, 1)):
        now = plain(lightness=LIGHT * light)
        now.lightness[10:20, 10:20] = LIGHT * dark
        assert len(marks(now).marks) == many


def test_close_by_is_8_percent_of_the_diagonal():
    """round(0.08 * 141.4) = 11 pixels: as far from a lamp that was there before, what is lighter is no mark.

    Columns 50 to 59 are lighter. The lamp in column 70 accounts for column 59 alone, that in column 71 for none.
    """
    for lamp, width in ((70, 9), (71, 10)):
        then, now = plain(), plain()
        then.lightness[:, lamp] = now.lightness[:, lamp] = 0.9
        now.lightness[46:52, 50:60] = 0.8
        assert sizes(marks(now, then)) == [(width, 6)]
        turned = [replace(one, lightness=one.lightness.T.copy()) for one in (now, then)]
        assert sizes(marks(*turned)) == [(6, width)]
    # A lamp on an object is none of the surface.
    then.lightness[:, 62] = 0.9
    assert marks(now, then).marks == ()
    assert sizes(marks(now, then, kept=~flags(slice(0, 100), slice(62, 63)))) == [(10, 6)]


def test_the_picture_may_be_displaced_by_a_pixel():
    """round(0.004 * 141.4) = 1: a stripe that moves by a pixel is the same; by two, two columns are not."""
    then = plain()
    then.tint[:, 40:60, 0] = 0.2
    for by, strange in ((1, 0.0), (-1, 0.0), (2, 0.02), (-2, 0.02)):
        now = plain()
        now.tint[:, 40 + by : 60 + by, 0] = 0.2
        assert marks(now, then).strange == pytest.approx(strange)
        turned = [replace(one, tint=one.tint.transpose(1, 0, 2).copy()) for one in (now, then)]
        assert marks(*turned).strange == pytest.approx(strange)


def test_the_edge_of_a_shadow_may_be_displaced_by_a_pixel():
    """Next to a dark surface a pixel may be as dark as that."""
    then = plain()
    then.lightness[:, 60:] = 0.1
    for by, strange in ((1, 0.0), (2, 0.01)):
        now = plain()
        now.lightness[:, 60 - by :] = 0.1
        assert marks(now, then).strange == pytest.approx(strange)


BAR = flags(slice(0, 100), slice(44, 56))


def edges(after, before, staying=BAR):
    return find_marks(Shown(before, plain()), Shown(after, plain()), ALL, staying, NONE, CONFIG).edges


def barred(contrast: int = 100, at: int = 48) -> np.ndarray:
    picture = GREY.copy()
    picture[:, at : at + 4] = 128 - contrast
    return picture


def test_edges_that_are_fainter_or_elsewhere_are_gone():
    """Gradients of a bar with 0.41 of the contrast have 0.41 of the strength, along the same way."""
    before = barred()
    assert edges(before, before) == 1.0
    assert edges(barred(41), before) == 1.0
    assert edges(barred(39), before) == 0.0
    assert edges(GREY, before) == 0.0
    assert edges(barred(-100), before) == 0.0
    # One pixel off is in place; by two pixels one of the two columns of each edge is, by three none.
    assert edges(barred(at=49), before) == 1.0
    assert edges(barred(at=50), before) == 0.5
    assert edges(barred(at=51), before) == 0.0
    across = [one.transpose(1, 0, 2).copy() for one in (barred(at=50), before)]
    assert edges(*across, BAR.T) == 0.5
    assert edges(across[1], before) < 0.1
    half = barred()
    half[:50] = 128
    assert edges(half, before) == pytest.approx(0.5, abs=0.02)


def test_edges_are_looked_for_on_objects_that_stay():
    assert edges(barred(), barred(), NONE) is None
    faint = barred()
    faint[:50] = 128
    assert edges(faint, barred(), BAR & flags(slice(50, 100), slice(0, 100))) == pytest.approx(1.0, abs=0.03)


def test_the_strongest_tenth_of_edges_is_compared_if_it_is_enough():
    """Two columns of 20 x 20 pixels lie on the left edge of the bar: 40 pixels. Of 19 x 20 they are 38."""
    before = barred()
    assert edges(before, before, flags(slice(40, 60), slice(29, 49))) == 1.0
    assert edges(before, before, flags(slice(40, 59), slice(29, 49))) is None
    # What is even does not count, though it is the same.
    assert edges(GREY, before, flags(slice(40, 60), slice(29, 49))) == 0.0


def test_features_that_moved_are_not_in_their_place():
    """Within 2 x 1 + 1 = 3 pixels they are."""
    noise = np.random.default_rng(0).normal(size=(140, 140, 3))
    wide = cv2.GaussianBlur(noise, (0, 0), 1.5)
    wide = np.clip(128 + 60 * wide / wide.std(), 0, 255).astype(np.uint8)
    before = wide[20:120, 20:120].copy()

    def staying(by: int, still=ALL) -> float | None:
        after = wide[20:120, 20 + by : 120 + by].copy()
        return find_marks(Shown(before, plain()), Shown(after, plain()), ALL, NONE, still, CONFIG).staying

    assert staying(0) == 1.0
    assert staying(2) > 0.9
    assert staying(5) < 0.1
    assert staying(0, flags(slice(0, 10), slice(0, 10))) is None
    assert staying(0, NONE) is None


def test_masks_overlap_and_stay():
    one, half = flags(slice(0, 10), slice(0, 10)), flags(slice(0, 10), slice(0, 5))
    assert mask_overlap(one, half) == 0.5
    assert mask_overlap(one, NONE) == mask_overlap(NONE, NONE) == 0.0
    assert staying_places([one, NONE], [half], 0.5) == [one]
    assert staying_places([one], [half], 0.51) == []
    assert staying_places([one], [], 0.0) == []


def test_masks_are_joined_and_grown():
    union = around([flags(slice(10, 11), slice(10, 11)), flags(slice(50, 51), slice(50, 51))], 2, (100, 100))
    assert union.sum() == 2 * 13 + 2 * 4  # a disc of radius 2: 21 pixels
    assert union[10, 8]
    assert not union[10, 7]
    assert around([], 3, (4, 5)).shape == (4, 5)
    assert not around([], 3, (4, 5)).any()
