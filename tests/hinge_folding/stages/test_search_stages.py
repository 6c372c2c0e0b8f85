"""How a chain is looked for, stage by stage: sizes that a picture may mean, maps of pieces, which find is the best."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detectors.hinge_folding.colors import GivenLook
from detectors.hinge_folding.config import ChainConfig, ChainSearchConfig, PlacingConfig
from detectors.hinge_folding.maps import _points
from detectors.hinge_folding.search import (
    ChainSighting,
    _at_size,
    _boxes,
    _continued,
    _explained,
    _frames,
    _is_back,
    _offset,
    _same,
    _traced,
    _trimmed,
    _units,
    same_shape,
    same_size,
    search_colored,
    sizes_to_try,
    sizes_within,
)
from puzzles.hinge_folding.chain import HingeShape

SQUARE, DIAMOND, TRIANGLE, RECTANGLE = HingeShape
CONFIG, SEARCH, PLACING = ChainConfig(), ChainSearchConfig(), PlacingConfig()


def given(x=50.0, y=50.0, size=(100, 200), unit=10.0, contrasts=((-100.0, 0, 0), (0, -100.0, 0))):
    """A picture of 200 x 100 pixels whose chain begins at (50, 50): its part of it is 100 x 100."""
    return GivenLook(np.array(contrasts), np.zeros((*size, 3), np.uint8), unit, x, y, 3.0)


def picture(high, wide, levels=250):
    return np.full((high, wide, 3), levels, np.uint8)


# --- sizes and places ---


@pytest.mark.parametrize(
    ("x", "y", "frames"),
    [
        (100.0, 50.0, ((200.0, 100.0),)),
        (100.9, 50.0, ((200.0, 100.0),)),
        (101.1, 50.0, ((200.0, 100.0), (202.2, 100.0))),
        (100.0, 51.1, ((200.0, 100.0), (200.0, 102.2))),
        (50.0, 50.0, ((200.0, 100.0), (100.0, 100.0))),
    ],
)
def test_what_of_the_given_picture_may_be_shown(x, y, frames):
    """All of it, and the part around the first piece, if that is another by two pixels."""
    assert _frames(given(x, y)) == frames


@pytest.mark.parametrize(
    ("wide", "same"), [(202, True), (204, False), (101, True), (102, False), (99, True), (98, False)]
)
def test_pictures_of_the_given_shape(wide, same):
    """Up to a factor of 1.015."""
    assert same_shape(picture(100, wide), given(), SEARCH) == same


def test_a_picture_of_the_given_size_means_that_first():
    first, second, *_ = sizes_to_try(picture(100, 200), given(), SEARCH)
    assert first == ((10.0, 10.0), (50.0, 50.0))
    # With bars on two sides its part is as high, and 50 pixels in.
    assert second == ((10.0, 10.0), (100.0, 50.0))


def test_sizes_that_a_square_picture_may_mean():
    """Of 100 x 100 pixels: the part as it was, or all of it in its upper, its middle or its lower half."""
    found = list(sizes_to_try(picture(100, 100), given(), SEARCH))
    assert found == [
        ((10.0, 10.0), (50.0, 50.0)),
        ((5.0, 5.0), (25.0, 50.0)),
        ((5.0, 5.0), (25.0, 75.0)),
        ((5.0, 5.0), (25.0, 25.0)),
    ]


@pytest.mark.parametrize(("wide", "number"), [(130, 1), (131, 0), (77, 1), (76, 0)])
def test_how_far_a_picture_may_be_stretched(wide, number):
    """By a factor of 1.3: of 100 x 100 pixels 130 x 100, or 76.9 x 100."""
    found = [one for one in sizes_within((0, 0, wide, 100), given(), SEARCH) if one[0][1] == 10.0]
    assert found == [((wide / 10, 10.0), (wide / 2, 50.0))] * number
    tried = [one for one in sizes_to_try(picture(100, wide), given(), SEARCH) if one[0] == (wide / 10, 10.0)]
    assert len(tried) == number


def test_a_margin_is_taken_off():
    """What differs by up to 24 levels from the first pixel is margin."""
    shown = picture(60, 80, 200)
    shown[10:50, 20:70] = 176
    assert _trimmed(shown, SEARCH) == (0, 0, 80, 60)
    shown[10:50, 20:70] = 175
    assert _trimmed(shown, SEARCH) == (20, 10, 70, 50)
    shown[0, 0] = (200, 0, 0)
    assert _trimmed(shown, SEARCH) == (0, 0, 80, 60)
    assert (20.0, 10.0, 50.0, 40.0) in list(_boxes(picture(60, 80) - np.pad(
        np.full((40, 50, 3), 90, np.uint8), ((10, 10), (20, 10), (0, 0))), given(), SEARCH))  # fmt: skip


def test_sizes_near_to_each_other_are_one():
    """By less than 0.02 units: of 10 pixels 0.2."""
    found = list(sizes_to_try(picture(100, 100), given(50.1, 50.1), SEARCH))
    assert len(found) == len(list(sizes_to_try(picture(100, 100), given(), SEARCH)))


def test_sizes_of_a_unit_go_on_by_a_factor():
    """From half of the least to 1.75 times the largest that the picture's size may mean, in steps of 1.12."""
    found = list(_units(picture(100, 100), given(100.0, 50.0), SEARCH))
    # 100 x 100 for 200 x 100: a unit has 5 pixels across and 10 down; stretched by more than 1.3, that is no ratio.
    ups = [up for _, up in found]
    assert all(across == up for across, up in found)
    assert ups[0] == 2.5
    assert ups[1] / ups[0] == pytest.approx(1.12)
    # 17.5 / 2.5 are 1.12 to the power of 17.2.
    assert len(ups) == 19
    stretched = list(_units(picture(100, 220), given(100.0, 50.0), SEARCH))
    assert {round(across / up, 3) for across, up in stretched} == {1.0, 1.1}
    nearly = list(_units(picture(100, 205), given(100.0, 50.0), SEARCH))
    assert {across / up for across, up in nearly} == {1.0}


@pytest.mark.parametrize(
    ("x", "unit", "same"), [(9.9, 10.0, True), (10.1, 10.0, False), (0.0, 12.4, True), (0.0, 12.6, False)]
)
def test_sightings_near_to_each_other_are_one(x, unit, same):
    """Nearer than a unit, and of sizes that differ by less than 1.25."""
    one = ChainSighting((10.0, 10.0), ((0.0, 0.0, 0.0),), 1.0)
    other = ChainSighting((unit, unit), ((x, 0.0, 0.0),), 1.0)
    assert (_same(one, other, SEARCH), _same(other, one, SEARCH)) == (same, same)


# --- maps ---


def test_from_hinge_to_hinge_on_the_map():
    """Seven pixels a unit, and angles of an eighth of a turn, against the clock; y points down."""
    assert _offset(0, 0, 0.5, 0.5, SEARCH) == (7, 0)
    assert _offset(0, 2, 0.5, 0.5, SEARCH) == (4, -4)  # 3.5 rounds to the even 4
    assert _offset(2, 2, 0.5, 0.5, SEARCH) == (0, -7)
    assert _offset(4, 0, 0.5, 0.25, SEARCH) == (-2, 0)
    assert [at for at in range(8) if _is_back(1, at, SEARCH)] == [5]


def test_points_of_a_piece_on_the_map():
    """A rectangle: three quarters of its edges' length by its long sides; five points of each; normals as they are."""
    inner, sides = _points(RECTANGLE, 0, SEARCH)
    assert [(normal, round(share, 3)) for normal, share, _ in sides] == [
        (90, 0.333), (0, 0.167), (90, 0.333), (0, 0.167),
    ]  # fmt: skip
    assert sides[0][2] == ((-3, 2), (-1, 2), (0, 2), (1, 2), (3, 2))
    assert (0, 1) in inner
    assert all(abs(x) <= 2 and abs(y) <= 1 for x, y in inner)
    turned = _points(RECTANGLE, 1, SEARCH)[1]
    assert sorted({normal for normal, _, _ in turned}) == [45, 135]


def fields():
    """Of each of eight angles a field without scores."""
    return [np.zeros((20, 20), np.float32) for _ in range(8)]


def test_a_chain_goes_on_where_it_scores_best():
    """From (10, 10) to the right a rectangle's hinge is 3.5 pixels off, and the next one's middle as much again."""
    following = fields()
    following[0][10, 17] = 1.0
    following[4][10, 10] = 1.3  # back on the first one, which takes 0.6 off
    best = _continued(following, 0, 0.5, 0.5, SEARCH)
    assert best[10, 10] == pytest.approx(1.0)
    assert best[10, 12] == 0.0
    assert best[10, 19] == pytest.approx(-0.6)  # but back, there is no place
    following[4][10, 10] = 1.7
    assert _continued(following, 0, 0.5, 0.5, SEARCH)[10, 10] == pytest.approx(1.1)
    traced = _traced([fields(), following], [RECTANGLE, RECTANGLE], 0, 10, 10, SEARCH)
    assert traced == [(10, 10, 0), (10, 10, 4)]
    following[4][10, 10] = 1.5
    assert _traced([fields(), following], [RECTANGLE, RECTANGLE], 0, 10, 10, SEARCH) == [(10, 10, 0), (17, 10, 0)]
    # Of angles as good as each other the first counts.
    assert _traced([fields(), fields()], [RECTANGLE, RECTANGLE], 0, 10, 10, SEARCH)[1][2] == 0


def test_what_is_beyond_the_map_is_no_place():
    best = _continued([np.ones((5, 5), np.float32)] * 8, 0, 2.0, 0.0, SEARCH)
    assert (best == -1.0).all()
    assert _traced([fields(), fields()], [RECTANGLE, RECTANGLE], 0, 19, 10, SEARCH)[1] == (19, 10, 4)


def test_how_much_of_a_chain_is_painted():
    """Of two rectangles of 7 x 3.5 pixels, 24.5, on each other half of their area is explained at most."""
    painted = np.ones((30, 30), bool)
    once = _explained(painted, [RECTANGLE], [(10, 10, 0)], SEARCH)
    twice = _explained(painted, [RECTANGLE, RECTANGLE], [(10, 10, 0), (10, 10, 4)], SEARCH)
    assert once == pytest.approx(2 * twice)
    assert once == pytest.approx(40 / 24.5)  # 8 x 5 pixels are touched
    painted[:, 11:] = False
    assert _explained(painted, [RECTANGLE], [(10, 10, 0)], SEARCH) == pytest.approx(20 / 24.5)


def small_chain():
    """Two rectangles in a row, with 14 pixels to a unit, on a white ground; the first one's middle is at (40, 60)."""
    shown = picture(100, 140)
    shown[57:64, 33:47] = (200, 40, 40)
    shown[57:64, 47:61] = (40, 160, 40)
    return shown


def test_a_chain_is_sighted_at_its_size():
    best, *others = _at_size(small_chain(), [RECTANGLE, RECTANGLE], (14.0, 14.0), 2, CONFIG)
    (x, y, turn), (next_x, next_y, _) = best.poses
    assert (x, y) == pytest.approx((40.0, 60.0), abs=2.0)
    assert (next_x, next_y) == pytest.approx((54.0, 60.0), abs=2.5)
    assert turn == 0.0
    assert best.score > 1.0
    # Others begin a unit from there at least.
    assert all(math.dist(one.poses[0][:2], best.poses[0][:2]) > 14.0 for one in others)
    # Halves of a unit, on a map of more than 90 000 pixels, and of a picture with none, are not looked at.
    assert _at_size(picture(100, 140), [RECTANGLE], (2.8, 2.8), 2, CONFIG) != []
    assert _at_size(picture(100, 140), [RECTANGLE], (2.7, 2.7), 2, CONFIG) == []
    assert _at_size(picture(3, 140), [RECTANGLE], (11.0, 11.0), 2, CONFIG) == []


def test_colours_tell_pieces_apart_that_lie_close_together():
    """Squares of 28 pixels, the last one turned down at the right of the second: edges and paint of many chains."""
    colors = np.array([(200, 60, 60), (60, 160, 60), (60, 60, 200)])
    picture = np.full((120, 120, 3), 250, np.uint8)
    for (x, y), color in zip(((30, 30), (58, 30), (72, 44)), colors, strict=True):
        picture[y : y + 28, x : x + 28] = color
    look = given(unit=40.0, contrasts=colors - 250.0)
    best = search_colored(picture, (DIAMOND,) * 3, look, CONFIG)[0]
    assert np.array(best.poses)[:, :2] == pytest.approx(np.array([(44, 44), (72, 44), (86, 58)]), abs=4)
    # Where all have one colour it tells nothing.
    assert search_colored(picture, (DIAMOND,) * 3, given(contrasts=((-100.0,) * 3,) * 3), CONFIG) == []


@pytest.mark.parametrize(
    ("high", "wide", "same"), [(100, 200, True), (100, 100, True), (101, 200, False), (100, 201, False)]
)
def test_a_picture_as_large_as_the_given_one_or_as_the_chains_part_of_it(high, wide, same):
    """To less than a pixel."""
    assert same_size(picture(high, wide), given()) is same
