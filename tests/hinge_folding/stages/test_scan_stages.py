"""How what is seen is explained by pieces, stage by stage, at each stage's bounds: with 40 pixels to a unit."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.hinge_folding.colors import GivenLook, faint_pieces, merged_pairs, one_color
from detectors.hinge_folding.config import ChainConfig, ChainScanConfig, ChainViewConfig, PlacingConfig
from detectors.hinge_folding.fits import (
    _mean,
    covered_by,
    joint_of,
    less_hidden,
    open_points_of,
    planes_of,
    radius_of,
    samples_of,
)
from detectors.hinge_folding.fitting import EdgeCheck, inner_radius
from detectors.hinge_folding.plan import corners_of, edge_zone, make_plan
from detectors.hinge_folding.scan import (
    _between,
    _colors_in,
    _remainders,
    _was_there,
    look_around,
    reach_box,
    scan_chain,
)
from detectors.hinge_folding.view import (
    ChainView,
    changes,
    farthest,
)
from puzzles.hinge_folding.chain import HingeShape

SQUARE, DIAMOND, TRIANGLE, RECTANGLE = HingeShape
CONFIG = ChainConfig()
SCAN, SEEN, PLACING = ChainScanConfig(), ChainViewConfig(), PlacingConfig()
UNIT = 40.0
GROUND = np.array([250.0, 250.0, 250.0])


def view_of(pixels, noise=0.0):
    pixels = np.asarray(pixels, np.float32)
    return ChainView(pixels, changes(pixels), farthest(pixels, GROUND), GROUND, noise, UNIT, (1.0, 1.0))


# --- pieces in a picture ---


def test_points_on_a_pieces_axis_and_its_corners():
    """Angles go against the clock, and y points down."""
    assert joint_of(np.array([10.0, 20.0, np.pi / 2]), 0.5, UNIT) == pytest.approx((10.0, 0.0))
    assert joint_of(np.array([10.0, 20.0, 0.0]), -0.25, UNIT) == pytest.approx((0.0, 20.0))
    corners = corners_of(RECTANGLE, np.array([100.0, 50.0, np.pi / 2]), UNIT)
    assert corners == pytest.approx(np.array([(110, 70), (110, 30), (90, 30), (90, 70)]))
    assert radius_of(RECTANGLE) == pytest.approx(np.hypot(0.5, 0.25))
    # Two areas over the perimeter: 2 x 1/2 / 3.
    assert inner_radius(RECTANGLE) == pytest.approx(1 / 3)
    outward, reach = planes_of(RECTANGLE)
    assert np.allclose(outward.T, [(0, -1), (0.5, 0), (0, 1), (-0.5, 0)])
    assert reach == pytest.approx([0.25, 0.25, 0.25, 0.25])


def test_places_within_a_piece_and_a_rim():
    """A rectangle that stands upright reaches 10 pixels to the sides, and a rim of 0.05 units 2 more."""
    pose = np.array([100.0, 50.0, np.pi / 2])
    places = np.array([(111.9, 50.0), (112.1, 50.0), (100.0, 71.9), (100.0, 72.1), (111.9, 71.9)])
    assert covered_by(places, RECTANGLE, pose, UNIT, 0.05).tolist() == [True, False, True, False, True]
    assert covered_by(places - (2, 0), RECTANGLE, pose, UNIT, 0.0).tolist() == [True, False, False, False, False]


def test_what_other_pieces_cover_begins_within_their_edges():
    """By 0.03 units of a rectangle's length, as its planes have it."""
    points = samples_of(SQUARE, PLACING.samples_unit, PLACING.inner_grid)
    every = np.concatenate([points.edge, points.inner])
    before = np.array([[[100.0, 50.0, 0.0]]])
    pose = np.array([[120.0, 50.0, 0.0]])
    shown = open_points_of((RECTANGLE, SQUARE), before, pose, UNIT, PLACING)[0]
    at = every + np.array([0.5, 0.0])
    hidden = (np.abs(at[:, 0]) < 0.5 - 0.03 / 0.5) & (np.abs(at[:, 1]) < 0.25 - 0.03)
    assert shown.tolist() == (~hidden).tolist()
    far = open_points_of((RECTANGLE, SQUARE), before, pose + np.array([100.0, 0.0, 0.0]), UNIT, PLACING)
    assert far.all()


def test_a_piece_that_is_hidden_loses_its_score():
    """Of a rectangle's 16 points within 11 are 0.6875: 4 x 0.0875 more than 0.6."""
    count = len(samples_of(RECTANGLE, PLACING.samples_unit, PLACING.inner_grid).edge)
    shown = np.ones((2, count + 16), bool)
    shown[0, count : count + 11] = shown[1, count : count + 9] = False
    assert less_hidden(RECTANGLE, np.array([2.0, 2.0]), shown, PLACING) == pytest.approx([2.0 - 4 * 0.0875, 2.0])
    assert _mean(np.array([[1.0, 3.0], [4.0, 4.0]], np.float32), np.array([[1, 0], [0.0, 0.5]])).tolist() == [1.0, 2.0]


def drawn(poses, colors, size=(120, 200), shapes=None):
    pixels = np.full((*size, 3), 250, np.float32)
    for shape, pose, color in zip(shapes or [RECTANGLE] * len(poses), poses, colors, strict=True):
        corners = np.rint((corners_of(shape, np.array(pose), UNIT) - 0.5) * 16).astype(np.int32)
        cv2.fillConvexPoly(pixels, corners, [float(part) for part in color], shift=4)
    return pixels


POSES = np.array([(60.0, 60.0, 0.0), (100.0, 60.0, 0.0), (140.0, 60.0, 0.0)])
COLORS = ((200, 60, 60), (60, 160, 60), (60, 60, 200))
CONTRASTS = np.array(COLORS, float) - 250


def given(contrasts=CONTRASTS, picture=None):
    picture = np.full((120, 200, 3), 250, np.uint8) if picture is None else picture
    return GivenLook(np.array(contrasts, float), picture, UNIT, 60.0, 60.0, 4.0)


def scanned(pixels=None, held=(1.0, 1.0, 1.0), grown=(0.0, 0.0, 0.0), noise=0.0, poses=POSES, reach=4.0):
    pixels = drawn(POSES, COLORS) if pixels is None else pixels
    look = replace(given(), reach=reach)
    edges = EdgeCheck(np.array(held), np.array(grown))
    return scan_chain(view_of(pixels, noise), [RECTANGLE] * 3, poses, 1.0, edges, look, SCAN, SEEN)


def test_a_chain_explains_its_picture():
    found = scanned()
    assert found.clean(0.001)
    assert (found.unit_px, found.remainders, found.merged, found.blended, found.faint, found.scaled) == (
        40.0, (), (), (), (), (),
    )  # fmt: skip
    assert [one.color.tolist() for one in found.pieces] == [list(map(float, one)) for one in COLORS]
    assert [one.contrast.tolist() for one in found.pieces] == CONTRASTS.tolist()
    assert [(one.bare, one.size, one.found) for one in found.pieces] == [(0.0, 1.0, True)] * 3
    assert not found.outside.any()


@pytest.mark.parametrize(("held", "there"), [(0.59, False), (0.61, True)])
def test_a_piece_whose_edge_is_not_seen_is_not_there(held, there):
    found = scanned(held=(1.0, 1.0, held))
    assert [one.found for one in found.pieces] == [True, True, there]
    assert found.held == held


@pytest.mark.parametrize(("grown", "scaled"), [(0.052, ()), (0.054, (2,)), (-0.052, ()), (-0.054, (2,))])
def test_a_piece_of_another_size_than_most(grown, scaled):
    found = scanned(grown=(0.01, 0.01, 0.01 + grown))
    assert found.scaled == scaled
    # Of a rectangle an edge lies 1/3 of a unit out in the mean.
    assert found.pieces[2].size == pytest.approx(1 + 3 * grown)


@pytest.mark.parametrize(
    ("levels", "noise", "there"), [(15, 0.0, False), (17, 0.0, True), (17, 2.0, False), (19, 2.0, True)]
)
def test_a_piece_differs_from_the_ground(levels, noise, there):
    """By 16 levels, and as many more as there is noise."""
    found = scanned(drawn(POSES, (*COLORS[:2], (250 - levels,) * 3)), noise=noise)
    assert found.pieces[2].found == there


@pytest.mark.parametrize(("side", "there"), [(6, True), (9, False)])
def test_a_piece_has_one_colour(side, there):
    """Off its edges by 2.6 pixels, and hinges by 6.8, it has some 34 x 14 of its 40 x 20: 0.16 of them are 77."""
    pixels = drawn(POSES, COLORS)
    pixels[60 - side // 2 : 60 + side // 2 + 1, 136 : 136 + side + 3] = 0.0
    found = scanned(pixels).pieces[2]
    assert found.found == there
    assert (found.bare > 0.16) == (not there)


@pytest.mark.parametrize(
    ("levels", "noise", "there"), [(25, 0.0, False), (27, 0.0, True), (40, 5.0, False), (42, 5.0, True)]
)
def test_what_is_drawn_beside_a_chain_stands_out(levels, noise, there):
    """By 26 levels, and three times the noise; what is opened by two pixels is moved by one."""
    pixels = drawn(POSES, COLORS)
    pixels[20:32, 20:32] = 250 - levels
    found = scanned(pixels, noise=noise)
    assert len(found.remainders) == there
    for one in found.remainders:
        assert (one.left, one.top, one.width, one.height, one.area) == (21, 21, 12, 12, 144 / 1600)


def test_what_lies_out_of_reach_is_outside():
    """Of 0.9 units: 36 pixels around the first piece's middle at 60."""
    pixels = drawn(POSES, COLORS)
    pixels[5:17, 90:110] = 0.0
    found = scanned(pixels, reach=0.9)
    assert found.remainders == ()
    assert np.argwhere(found.outside).min(axis=0).tolist() == [6, 91]
    assert reach_box(np.array([60.0, 20.0, 0.0]), 36.0) == (slice(0, 56), slice(24, 96))


def remainders(parts, beside=None, corner=(0, 0)):
    off = np.zeros((120, 200), bool)
    for x, y, wide, high in parts:
        off[y : y + high, x : x + wide] = True
    return _remainders(off, beside, UNIT, SCAN, corner)


@pytest.mark.parametrize(
    ("size", "found"),
    [
        ((3, 3), []),  # 9 pixels of 0.006 x 1600
        ((5, 2), [True]),
        ((18, 4), [True]),  # as OpenCV counts, thinner than 0.075 units, 3 pixels, and 0.45 units, 18, long
        ((19, 4), [False]),
        ((18, 5), [False]),
        ((7, 5), [True]),  # 35 pixels of 0.022 x 1600
        ((6, 6), [False]),
    ],
)
def test_what_is_a_mark(size, found):
    things = remainders([(10, 20, *size)], corner=(3, 4))
    assert [one.mark for one in things] == found
    assert [(one.left, one.top, one.width, one.height) for one in things] == [(13, 24, *size)] * len(found)


@pytest.mark.parametrize(("number", "marks"), [(6, True), (7, False)])
def test_many_marks_are_something_drawn(number, marks):
    """Seven of 18 x 4 pixels are 504 of 0.3 x 1600."""
    things = remainders([(10, 10 * at + 5, 18, 4) for at in range(number)])
    assert [one.mark for one in things] == [marks] * number


@pytest.mark.parametrize(("size", "mark"), [((9, 2), True), ((10, 2), False)])
def test_what_touches_a_piece_is_no_mark(size, mark):
    """From 0.012 units, 19.2 pixels, on."""
    beside = np.zeros((120, 200), bool)
    beside[22] = True
    (one,) = remainders([(10, 21, *size)], beside)
    assert one.mark == mark
    beside[22] = False
    beside[23] = True
    assert remainders([(10, 21, *size)], beside)[0].mark


def test_mixtures_of_two_colours():
    one, other = np.array([200.0, 100.0, 50.0]), np.array([100.0, 200.0, 50.0])
    assert _between(np.array([150.0, 150.0, 75.0]), one, other, 26.0)
    assert not _between(np.array([150.0, 150.0, 77.0]), one, other, 26.0)
    assert _between(np.array([125.0, 125.0, 75.0]), one, other, 26.0)  # darker than both, as glass on glass
    assert not _between(np.array([250.0, 50.0, 50.0]), one, other, 26.0)


def overlapping(color, wide):
    """Three pieces, of which the last lies on the second by so many columns, that have a colour of their own there."""
    poses = POSES.copy()
    poses[2, 0] = poses[1, 0] + 40 - wide
    pixels = drawn(poses, COLORS)
    pixels[50:70, round(poses[2, 0]) - 20 : 120] = color
    return scanned(pixels, poses=poses)


@pytest.mark.parametrize(("wide", "pairs"), [(12, ()), (14, ((1, 2),))])
def test_pieces_that_shine_through_each_other(wide, pairs):
    """Where what they share, off edges and hinges, has 0.02 units, 32 pixels, of a mixture of both."""
    assert overlapping((60, 110, 130), wide).blended == pairs
    assert overlapping(COLORS[1], wide).blended == ()
    assert overlapping((250, 250, 250), wide).blended == ()


def test_the_plan_of_a_chain():
    """0.17 units around it and 2 pixels are 9; nothing is free within 2.6 pixels of an edge or 7 of a hinge."""
    view = view_of(drawn(POSES, COLORS))
    corners = [corners_of(RECTANGLE, pose, UNIT) for pose in POSES]
    plan = make_plan(view, [RECTANGLE] * 3, POSES, corners, UNIT, SCAN)
    assert plan.box == (slice(41, 80), slice(31, 170))
    assert plan.origin == (31, 41)
    row = plan.free[60 - 41]
    assert np.flatnonzero(~row).tolist() == [*range(6, 13), *range(42, 57), *range(82, 97), *range(126, 133)]
    # Both columns, and both rows, that a piece ends in are its own.
    assert [int(one.sum()) for one in plan.masks] == [41 * 21] * 3
    assert (plan.covers[19, 49], plan.covers[19, 48]) == (2, 1)
    assert edge_zone([corners[0]], (120, 200), 1)[[50, 60], [60, 40]].tolist() == [1, 1]


# --- what surrounds it ---


def test_what_was_in_the_given_picture_was_there():
    """As long as it differs by less than 40 levels from it, laid so that first pieces lie on each other."""
    picture = np.full((120, 200, 3), 250, np.uint8)
    picture[10:20, 150:160] = 100
    pixels = np.full((120, 200, 3), 250, np.float32)
    pixels[30:40, 160:170] = 139.0
    pixels[35:40, 160:170] = 141.0
    there = _was_there(view_of(pixels), np.array([70.0, 80.0, 0.0]), UNIT, given(picture=picture), SCAN)
    assert there[32, 165]
    assert not there[37, 165]
    assert there[5, 5]


@pytest.mark.parametrize(("size", "colors"), [((5, 30), 0), ((6, 15), 0), ((6, 17), 1), ((6, 16), 1)])
def test_colours_of_pieces_elsewhere(size, colors):
    """In parts that are nowhere thinner than 0.14 units, 6 pixels, and have 0.06, 96 pixels."""
    pixels = np.full((120, 200, 3), 250, np.float32)
    pixels[10 : 10 + size[0], 20 : 20 + size[1]] = COLORS[0]
    palette = [np.array(one, float) for one in COLORS]
    outside = np.ones((120, 200), bool)
    assert _colors_in(view_of(pixels), outside, palette, given(), 26.0, SCAN, UNIT) == colors
    like = [palette[0], palette[0] + 35.0]
    assert _colors_in(view_of(pixels), outside, like, given(np.zeros((2, 3)) + 99), 60.0, SCAN, UNIT) == colors


def test_things_around_a_chain_are_told():
    pixels = drawn(POSES, COLORS)
    pixels[5:17, 100:140] = COLORS[0]
    found = look_around(view_of(pixels), scanned(pixels, reach=0.9), replace(given(), reach=0.9), SCAN)
    assert found.colors >= 1
    assert any((one.left, one.top) == (101, 6) for one in found.things)
    nothing = look_around(view_of(drawn(POSES, COLORS)), scanned(), given(), SCAN)
    assert (nothing.things, nothing.colors) == ((), 0)


# --- colours ---


@pytest.mark.parametrize(("off", "given_off", "alike"), [(12.9, 37, True), (13.1, 37, False), (12.9, 35, False)])
def test_pieces_of_one_colour(off, given_off, alike):
    """Up to 13 levels, where they were given with 36 between them."""
    colors = [np.array([100.0, 100, 100]), np.array([100.0, 100 + off, 100])]
    assert one_color(colors, given([(0, 0, 0), (given_off, 0, 0)]), SCAN) == alike


@pytest.mark.parametrize(("off", "given_off", "pairs"), [(12, 37, ((0, 1),)), (14, 37, ()), (12, 35, ())])
def test_pieces_that_run_into_each_other(off, given_off, pairs):
    colors = [(100, 100, 100), (100, 100 + off, 100)]
    poses = POSES[:2]
    view = view_of(drawn(poses, colors))
    corners = [corners_of(RECTANGLE, pose, UNIT) for pose in poses]
    plan = make_plan(view, [RECTANGLE] * 2, poses, corners, UNIT, SCAN)
    look = given([(0, 0, 0), (0, given_off, 0)])
    shown = [np.array(one, float) for one in colors]
    # A step of 12 levels changes by 6 a pixel, which is 6/(6 + 7) of an edge where 0.35 are a line: too much.
    smooth = replace(view, change=np.zeros_like(view.change))
    assert merged_pairs(smooth, plan, corners, shown, look, SCAN, SEEN, UNIT) == pairs
    assert merged_pairs(view, plan, corners, shown, look, SCAN, SEEN, UNIT) == ()


def test_a_line_between_pieces_is_as_strong_as_an_edge():
    """0.35 of one: a change of 3.77 levels a pixel, for 3.77/(3.77 + 7) are 0.35."""
    colors = [(100, 100, 100)] * 2
    poses = POSES[:2]
    view = view_of(drawn(poses, colors))
    corners = [corners_of(RECTANGLE, pose, UNIT) for pose in poses]
    plan = make_plan(view, [RECTANGLE] * 2, poses, corners, UNIT, SCAN)
    look = given([(0, 0, 0), (0, 99, 0)])
    for change, pairs in ((3.7, ((0, 1),)), (3.85, ())):
        even = np.zeros_like(view.change)
        even[..., 1] = change
        found = merged_pairs(replace(view, change=even), plan, corners,
                             [np.array(colors[0], float)] * 2, look, SCAN, SEEN, UNIT)  # fmt: skip
        assert found == pairs


@pytest.mark.parametrize(("share", "faint"), [(0.51, (1,)), (0.53, ())])
def test_a_piece_is_faint_by_its_strength(share, faint):
    """Less than 0.52 of what the others have."""
    shown = CONTRASTS * np.array([[1.0], [share], [1.0]])
    assert faint_pieces(list(shown), given(), SCAN) == faint


def test_a_piece_of_another_hue_is_not_faint():
    """Where the cosine of both is less than 0.97: a turn of 14.1 degrees."""
    wanted = np.array([(-100.0, 0, 0), (0, -100.0, 0), (0, 0, -100.0)])
    for degrees, faint in ((13.5, (1,)), (14.5, ())):
        turn = np.radians(degrees)
        shown = wanted.copy()
        shown[1] = 0.3 * np.array([0.0, -100 * np.cos(turn), -100 * np.sin(turn)])
        assert faint_pieces(list(shown), given(wanted), SCAN) == faint
