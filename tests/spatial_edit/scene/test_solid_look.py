"""Whether an object is filled with its paint and has faces."""

from __future__ import annotations

import pytest

from detectors.spatial_edit.scene.config import SolidConfig
from detectors.spatial_edit.scene.solid_look import SolidLook, SolidPlace, look_at_solid
from tests.spatial_edit.scene.surfaces import flags, plain

CONFIG = SolidConfig()
SHOWN = flags(slice(30, 70), slice(30, 70))
UPPER, LOWER = flags(slice(30, 50), slice(30, 70)), flags(slice(50, 70), slice(30, 70))
BOX = SolidPlace(SHOWN, (UPPER, LOWER))


def solid(relief: float = 0.2, lightness: float = 0.5):
    """A box whose upper face is lighter by so much."""
    colors = plain()
    colors.tint[SHOWN] = 0.3, 0.1
    colors.lightness[SHOWN] = lightness
    colors.lightness[UPPER] += relief
    return colors


def look(now, then=None, place_now=BOX, place_then=BOX, config=CONFIG):
    return look_at_solid(then or solid(), now, place_then, place_now, config)


def test_an_object_that_looks_as_before_is_solid():
    found = look(solid())
    assert found.strange == 0.0
    assert (found.relief, found.relief_before) == (pytest.approx(0.2), pytest.approx(0.2))
    assert found.solid(CONFIG)


def test_holes_are_counted_inside_of_the_margin():
    """34 x 34 pixels are looked at, of which a fifth is 231.2: 6 rows are 204, 7 are 238."""
    for rows, filled in ((6, True), (7, False)):
        now = solid()
        now.tint[33 : 33 + rows] = 0.0
        found = look(now)
        assert found.strange == pytest.approx(rows / 34)
        assert found.solid(CONFIG) == filled
    now = solid()
    now.tint[30:33] = 0.0
    assert look(now).strange == 0.0
    assert SolidLook(0.2, None, None).solid(CONFIG)
    assert not SolidLook(0.201, None, None).solid(CONFIG)


@pytest.mark.parametrize(("light", "strange"), [(0.41, 0.0), (0.39, 1.0), (2.19, 0.0), (2.21, 1.0)])
def test_it_may_be_turned_to_or_from_the_light(light, strange):
    assert look(solid(0.0, 0.4 * light), solid(0.0, 0.4)).strange == strange


@pytest.mark.parametrize(("tint", "strange"), [(0.379, 0.0), (0.381, 1.0)])
def test_it_has_its_paint(tint, strange):
    now = solid()
    now.tint[SHOWN, 0] = tint
    assert look(now).strange == strange


def test_a_small_object_is_not_looked_at():
    """14 x 14 pixels leave 8 x 8 = 64, 13 x 14 leave 56, below 60: before as after."""
    enough = SolidPlace(flags(slice(40, 54), slice(40, 54)), ())
    few = SolidPlace(flags(slice(40, 53), slice(40, 54)), ())
    assert look(solid(), place_now=enough, place_then=enough) is not None
    assert look(solid(), place_now=few, place_then=enough) is None
    assert look(solid(), place_now=enough, place_then=few) is None


def test_without_two_faces_there_is_no_relief():
    """Faces of 40 pixels: shrunk by 3, 16 x 10 of them leave 10 x 4, and 15 x 10 leave 9 x 4 = 36."""
    for width, relief in ((16, 0.2), (15, None)):
        small = flags(slice(30, 40), slice(40, 40 + width))
        found = look(solid(), place_now=SolidPlace(SHOWN, (small, LOWER)))
        assert found.relief == (None if relief is None else pytest.approx(relief))
        assert found.relief_before == pytest.approx(0.2)
    assert look(solid(), place_now=SolidPlace(SHOWN, (LOWER,))).relief is None
    # Only what is seen of a face counts.
    shown = SolidPlace(LOWER, (UPPER, LOWER))
    assert look(solid(), place_now=shown).relief is None


def test_faces_are_compared_by_their_medians_or_by_most_of_the_object():
    """Where faces are not where they should be, both have the same median; lightness spans 0.2 all the same."""
    left, right = flags(slice(30, 70), slice(30, 50)), flags(slice(30, 70), slice(50, 70))
    assert look(solid(), place_now=SolidPlace(SHOWN, (left, right))).relief == pytest.approx(0.2)
    # A tenth at either end does not count: 3 of 34 rows are less, 4 are more.
    for rows, relief in ((3, 0.0), (4, 0.3)):
        now = solid(0.0)
        now.lightness[33 : 33 + rows, :] = 0.8
        assert look(now, place_now=SolidPlace(SHOWN, (left, right))).relief == pytest.approx(relief, abs=1e-6)


@pytest.mark.parametrize(
    ("relief", "before", "is_solid"),
    [
        (0.051, 0.2, True),  # a quarter of 0.2 is 0.05
        (0.049, 0.2, True),  # which is above a quarter of 0.05
        (0.0126, 0.2, True),
        (0.0124, 0.2, False),
        (0.0124, 0.05, False),
        (0.0, 0.0499, True),  # it had no relief
        (None, 0.2, True),
        (0.0, None, True),
    ],
)
def test_a_flat_patch_is_not_solid(relief, before, is_solid):
    """Enough is a quarter of the difference before, or of 0.05 = 0.0125."""
    assert SolidLook(0.0, relief, before).solid(CONFIG) == is_solid
