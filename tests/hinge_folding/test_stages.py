"""Stages of reading a drawn chain, each by itself: the frame, what is left unexplained, hinges, colours, outlines."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from detectors.common.framing import InnerFrameConfig, alone_in, inner_frame
from detectors.hinge_folding.colors import GivenLook, faint_pieces, one_color
from detectors.hinge_folding.config import ChainScanConfig
from detectors.hinge_folding.exact.config import HingeDiscConfig
from detectors.hinge_folding.exact.hinges import foreign_at_hinges
from detectors.hinge_folding.fits import samples_of
from detectors.hinge_folding.plan import corners_of
from detectors.hinge_folding.scan import ChainPart, ChainRemainder, ChainScan
from puzzles.hinge_folding.chain import HingeShape, outline_of

SQUARE, DIAMOND, TRIANGLE, RECTANGLE = HingeShape
FRAMING, SCAN, DISC = InnerFrameConfig(), ChainScanConfig(), HingeDiscConfig()


# --- a picture within a picture ---


def page(margin=200, inner=255, box=(20, 10, 120, 90), size=(160, 100)):
    """A page of one grey with a rectangle, left, top, right and bottom, of another."""
    picture = np.full((size[1], size[0], 3), margin, np.uint8)
    left, top, right, bottom = box
    picture[top:bottom, left:right] = inner
    return picture


def test_a_frame_is_what_differs_from_the_corners():
    assert inner_frame(page(), FRAMING) == (20, 10, 120, 90)
    # Up to seven levels from the corners' colour is margin.
    assert inner_frame(page(200, 207), FRAMING) is None
    assert inner_frame(page(200, 208), FRAMING) == (20, 10, 120, 90)
    assert inner_frame(page(200, 192), FRAMING) == (20, 10, 120, 90)


def test_ticks_are_no_part_of_a_frame():
    picture = page()
    picture[50, 8:20] = picture[90:97, 60] = 0  # two hundredths of 100 are 2 pixels, but 3 are the least
    assert inner_frame(picture, FRAMING) == (20, 10, 120, 90)


def test_a_frame_takes_a_fifth_of_the_picture_and_is_full():
    # 3200 of 16000 pixels are a fifth; 64 x 50 and 63 x 50.
    assert inner_frame(page(box=(20, 10, 84, 60)), FRAMING) == (20, 10, 84, 60)
    assert inner_frame(page(box=(20, 10, 83, 60)), FRAMING) is None
    # Of 8000 pixels 2 in a hundred, 160, may lack at a corner; what has the margin's colour within it does not.
    bitten = page()
    bitten[10:20, 20:36] = 200
    assert inner_frame(bitten, FRAMING) == (20, 10, 120, 90)
    bitten[10:21, 20:36] = 200
    assert inner_frame(bitten, FRAMING) is None
    holed = page()
    holed[30:60, 40:80] = 200
    assert inner_frame(holed, FRAMING) == (20, 10, 120, 90)


def test_what_has_no_margin_has_no_frame():
    assert inner_frame(np.full((60, 80, 3), 9, np.uint8), FRAMING) is None
    # Half black and half white: in the mean of its corners it has no colour that it shows, and so no margin.
    halves = np.zeros((60, 80, 3), np.uint8)
    halves[:, 40:] = 255
    assert inner_frame(halves, FRAMING) is None


def test_a_frame_goes_on_with_its_own_ground():
    picture = page(inner=(10, 20, 30))
    picture[40:50, 60:70] = 99
    alone = alone_in(picture, (20, 10, 120, 90))
    assert (alone[0, 0] == (10, 20, 30)).all()
    assert (alone[10:90, 20:120] == picture[10:90, 20:120]).all()


# --- what a scan leaves ---


def part(found=True, bare=0.0):
    nothing = np.zeros(3)
    return ChainPart(nothing, np.zeros((4, 2)), nothing, nothing, 0.5, bare, 1.0, found)


def scan(*parts, left=(), merged=(), blended=(), alike=False):
    return ChainScan(parts, 20.0, left, np.zeros((2, 2), bool), merged, alike, blended, faint=(), scaled=(), held=1.0)


def remainder(area, mark=False):
    return ChainRemainder(0, 0, 5, 5, area, mark)


def test_what_is_unexplained_is_counted_in_square_units_and_pieces():
    assert scan(part(), part()).unexplained == 0.0
    # 0.3 and 0.2 of drawn things, not the mark; 0.1 and 0.05 of bare pieces.
    drawn = scan(part(bare=0.1), part(bare=0.05), left=(remainder(0.3), remainder(0.2), remainder(9.0, mark=True)))
    assert drawn.unexplained == pytest.approx(0.3 + 0.2 + 0.1 + 0.05)
    # A unit for each pair that can't be told apart, for each piece of one colour, and for each that is missing.
    assert scan(part(), part(), merged=((0, 1),), blended=((0, 1),)).unexplained == 2.0
    assert scan(part(), part(), part(), alike=True).unexplained == 3.0
    assert scan(part(), part(found=False), part(found=False)).unexplained == 2.0


def test_a_clean_scan_has_all_pieces_and_nothing_beside_them():
    assert scan(part(bare=0.1), part()).clean(0.11)
    assert not scan(part(bare=0.1), part()).clean(0.1)
    assert scan(part(), left=(remainder(5.0, mark=True),)).clean(0.1)
    assert not scan(part(), left=(remainder(0.01),)).clean(0.1)
    assert not scan(part(), part(found=False)).clean(9.0)
    assert not scan(part(), part(found=False)).complete


# --- what lies at hinges ---

GROUND = np.array([250.0, 250.0, 250.0])
GREY = np.array([-150.0, -150.0, -150.0])
"""The contrast of discs as they were given: 100 on 250."""


def at_hinges(*colors, given=GREY, size=12.0, config=DISC):
    """Which of the hinges of a row, with spots of a radius of 5 in these colours on the ground, are foreign."""
    pixels = np.full((40, 40 * len(colors), 3), GROUND, np.float32)
    places = [(40.0 * at + 20, 20.0, size) for at in range(len(colors))]
    for color, (x, y, _) in zip(colors, places, strict=True):
        if color is not None:
            mask = cv2.circle(np.zeros(pixels.shape[:2], np.uint8), (int(x), int(y)), 5, 1, -1) > 0
            pixels[mask] = color
    found = foreign_at_hinges(
        pixels, pixels - GROUND.astype(np.float32), np.ones(pixels.shape[:2], bool), places, given, GROUND, None, config
    )
    return [int(x) // 40 for x, _, _ in found]


def test_a_disc_as_it_was_given_and_none_are_both_right():
    assert at_hinges((100, 100, 100), (100, 100, 100)) == []
    assert at_hinges(None, None) == []


def test_another_colour_at_a_hinge_is_foreign():
    assert at_hinges((100, 100, 100), (40, 220, 40)) == [1]
    # Where half of the hinges have it, it would be a disc; but discs were grey.
    assert at_hinges((40, 220, 40), (40, 220, 40)) == [0, 1]
    # The mixture of disc and ground that is nearest to (100, 100, v) is 2/3 x (v - 100) levels off: 57 and 63, where 60
    # is little.
    assert at_hinges((100, 100, 100), (100, 100, 185)) == []
    assert at_hinges((100, 100, 100), (100, 100, 195)) == [1]


def test_a_disc_may_be_paler_by_half():
    # 175 is 75 below the ground, half of 150.
    assert at_hinges((175, 175, 175), (175, 175, 175)) == []
    assert at_hinges((175, 120, 250), (175, 120, 250)) == [0, 1]


def test_where_none_were_given_discs_are_what_half_of_the_hinges_have():
    grey = (100, 100, 100)
    assert at_hinges(grey, None, None, given=None) == [0]
    assert at_hinges(grey, grey, None, given=None) == []


def test_little_at_a_hinge_is_noise():
    # A circle of a radius of 5 pixels covers some 80; 0.12 of a disc of a radius of 16, 804, are 96.
    assert at_hinges((100, 100, 100), (40, 220, 40), size=12.0) == [1]
    assert at_hinges((100, 100, 100), (40, 220, 40), size=16.0) == []


def test_much_in_another_colour_than_the_discs_of_others_is_foreign():
    """Spots of some 80 pixels cover half of the 154 of hinges of a radius of 7, and 0.18 of those of one of 12.

    (100, 100, 185) is a mixture of the disc's colour and the ground's, as a letter's rim has it, but not all of a disc.
    """
    grey, mixture = (100, 100, 100), (100, 100, 185)
    assert at_hinges(grey, mixture, grey, size=7.0) == [1]
    assert at_hinges(grey, mixture, grey, size=12.0) == []
    assert at_hinges(grey, None, grey, size=7.0) == []


# --- colours ---


def look(*contrasts):
    return GivenLook(np.array(contrasts, float), np.zeros((2, 2, 3), np.uint8), 20.0, 1.0, 1.0, 3.0)


RED, GREEN, BLUE = (0.0, -180.0, -180.0), (-180.0, 0.0, -180.0), (-180.0, -180.0, 0.0)


def test_one_colour_is_told_where_several_were_given():
    several, one = look(RED, GREEN), look(RED, RED)
    least = SCAN.least_pair
    alike = [np.array([100.0, 100, 100]), np.array([100.0 + 0.9 * least, 100, 100])]
    apart = [np.array([100.0, 100, 100]), np.array([100.0 + 1.1 * least, 100, 100])]
    assert one_color(alike, several, SCAN)
    assert not one_color(apart, several, SCAN)
    assert not one_color(alike, one, SCAN)
    assert not one_color(alike[:1], look(RED), SCAN)


def test_a_piece_is_faint_against_the_others():
    given = look(RED, GREEN, BLUE)
    shown = np.array([RED, GREEN, BLUE])
    assert faint_pieces(list(shown), given, SCAN) == ()
    # The picture as a whole may be pale.
    assert faint_pieces(list(0.3 * shown), given, SCAN) == ()
    for share, told in ((1.05, ()), (0.95, (1,))):
        pale = shown * np.array([[1.0], [share * SCAN.faint], [1.0]])
        assert faint_pieces(list(pale), given, SCAN) == told
    # In other colours nothing is fainter than it should be.
    assert faint_pieces(list(shown[[1, 2, 0]] * [[1.0], [0.1], [1.0]]), given, SCAN) == ()


# --- outlines ---


@pytest.mark.parametrize("shape", HingeShape)
def test_points_lie_on_edges_and_normals_point_out(shape):
    points = samples_of(shape, 20.0, 6)
    corners = np.array(outline_of(shape).corners)
    lengths = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    # Twenty a unit of each edge.
    assert len(points.edge) == sum(max(2, round(20 * length)) for length in lengths)
    assert np.hypot(*points.normal.T) == pytest.approx(1.0)
    inside = cv2.pointPolygonTest
    outline = (1000 * corners).astype(np.float32)[:, None]
    for at, out in zip(points.edge, points.normal, strict=True):
        assert abs(inside(outline, (1000 * at).tolist(), True)) < 1.0
        assert inside(outline, (1000 * (at + 0.01 * out)).tolist(), False) < 0
    assert all(inside(outline, (1000 * at).tolist(), True) > -1.0 for at in points.inner)


def test_corners_turn_against_the_clock_and_y_points_down():
    # A square that stands on its corner has one at (1/2, 0); by a quarter of a turn that one points up.
    corners = corners_of(SQUARE, np.array([100.0, 50.0, math.pi / 2]), 40.0)
    local = np.array(outline_of(SQUARE).corners)
    wanted = np.stack([100 - 40 * local[:, 1], 50 - 40 * local[:, 0]], axis=1)
    assert corners == pytest.approx(wanted)
