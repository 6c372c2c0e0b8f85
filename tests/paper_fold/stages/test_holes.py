"""What counts as a hole, at each of its bounds: told from contrasts alone, on a sheet whose holes have 20 pixels."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from detectors.paper_fold.config import SheetConfig
from detectors.paper_fold.holes import BlotKind, drawn_level, find_drawn
from detectors.paper_fold.residual import SheetResidual
from detectors.paper_fold.sheet import BareSheet

SIDE, RADIUS = 400, 20.0
PAPER, GROUND = (206, 222, 240), (250, 250, 250)


@cache
def bare(creases=()):
    """A sheet from 40 to 360, without a line around it."""
    picture = np.full((SIDE, SIDE, 3), GROUND, np.uint8)
    picture[40:360, 40:360] = PAPER
    outline = ((40.0, 40.0), (360.0, 40.0), (360.0, 360.0), (40.0, 360.0))
    return BareSheet((SIDE, SIDE), 1, picture, outline, RADIUS, creases, SheetConfig())


def left(contrast, noise=0.0, gone=None):
    """What is left of a sheet where only its contrast is asked for."""
    values = np.repeat(contrast[..., None], 3, axis=2)
    whole = np.ones(contrast.shape, bool)
    nothing = np.zeros(contrast.shape, bool) if gone is None else gone
    return SheetResidual(values, whole, noise, values, contrast, 0.0, nothing)


def plain():
    return np.zeros((SIDE, SIDE), np.float32)


def with_disc(picture, x, y, radius, contrast=0.5):
    rows, columns = np.mgrid[:SIDE, :SIDE]
    picture[np.hypot(columns + 0.5 - x, rows + 0.5 - y) <= radius] = contrast
    return picture


def with_box(picture, x, y, wide, high, contrast=0.5):
    picture[y : y + high, x : x + wide] = contrast
    return picture


def kinds(picture, creases=(), **more):
    """How many holes there are, of them of the right size, and the kinds of all marks."""
    found = find_drawn(left(picture, **more), bare(creases))
    return len(found.discs), sum(one.fits for one in found.discs), [one.kind.name for one in found.blots]


def test_a_disc_is_measured_by_its_pixels():
    found = find_drawn(left(with_disc(plain(), 120.0, 150.0, 20.0)), bare())
    (disc,) = found.discs
    assert disc.center == pytest.approx((120.0, 150.0), abs=0.05)
    assert disc.radius == pytest.approx(20.0, abs=0.3)
    assert (disc.contrast, disc.fits, disc.outside, found.blots) == (0.5, True, False, ())
    assert found.taken[150, 101]
    assert not found.taken[150, 98]
    assert not found.torn.any()


def test_discs_come_from_top_to_bottom():
    picture = with_disc(with_disc(with_disc(plain(), 200, 300, 20), 300, 100, 20), 100, 100, 20)
    assert [tuple(map(round, one.center)) for one in find_drawn(left(picture), bare()).discs] == [
        (100, 100), (300, 100), (200, 300),
    ]  # fmt: skip


@pytest.mark.parametrize(("noise", "level"), [(0.0, 0.045), (0.008, 0.045), (0.01, 0.05), (0.03, 0.15), (0.1, 0.15)])
def test_what_is_drawn_stands_out_from_noise(noise, level):
    """By five times the noise, which is at most 0.03."""
    assert drawn_level(left(plain(), noise), bare()) == pytest.approx(level)


@pytest.mark.parametrize(
    ("radius", "holes", "right"),
    [
        (7.5, 0, 0),  # half of 0.79 is 7.9 pixels
        (8.5, 1, 0),
        (15.5, 1, 0),  # 0.79 is 15.8
        (16.2, 1, 1),
        (32.2, 1, 1),  # 1.62 is 32.4
        (32.9, 1, 0),
        (64.2, 1, 0),  # twice that is 64.8
        (65.5, 0, 0),
    ],
)
def test_how_large_a_hole_is(radius, holes, right):
    assert kinds(with_disc(plain(), 200, 200, radius))[:2] == (holes, right)


@pytest.mark.parametrize(
    ("contrast", "found"),
    [(0.06, (0, 0, ["FAINT"])), (0.07, (1, 1, [])), (0.04, (0, 0, [])), (0.05, (0, 0, ["FAINT"]))],
)
def test_how_plain_a_hole_is(contrast, found):
    """Something is drawn from 0.045 on, and is a hole from 0.065 on."""
    assert kinds(with_disc(plain(), 200, 200, 20, contrast)) == found


@pytest.mark.parametrize(("contrast", "found"), [(0.23, (2, 2, ["FAINT"])), (0.25, (3, 3, []))])
def test_a_hole_is_as_plain_as_the_others(contrast, found):
    """At least 0.3 times the middle one's contrast of 0.8."""
    picture = with_disc(with_disc(plain(), 100, 100, 20, 0.8), 300, 100, 20, 0.8)
    assert kinds(with_disc(picture, 200, 300, 20, contrast)) == found


@pytest.mark.parametrize(("contrast", "radius"), [(0.28, 26.0), (0.27, 20.0)])
def test_a_hole_ends_where_it_is_half_as_plain(contrast, radius):
    """0.55 of its 0.5 are 0.275."""
    (disc,) = find_drawn(left(with_disc(with_disc(plain(), 200, 200, 26, contrast), 200, 200, 20)), bare()).discs
    assert disc.radius == pytest.approx(radius, abs=0.4)


@pytest.mark.parametrize(("inner", "contrast"), [(7.5, 0.1), (8.0, 0.5)])
def test_a_holes_contrast_is_that_of_its_plainest_part(inner, contrast):
    """0.15 of its area is a disc of 0.387 of its radius: 7.75 pixels."""
    (disc,) = find_drawn(left(with_disc(with_disc(plain(), 200, 200, 20, 0.1), 200, 200, inner)), bare()).discs
    assert disc.contrast == np.float32(contrast)


def ellipse(length, width):
    rows, columns = np.mgrid[:SIDE, :SIDE] + 0.5 - 200.0
    picture = plain()
    picture[(columns / length) ** 2 + (rows / width) ** 2 <= 1.0] = 0.5
    return picture


@pytest.mark.parametrize(("length", "found"), [(29.0, (1, 1, [])), (31.0, (0, 0, ["MARK"]))])
def test_how_long_a_hole_may_be(length, found):
    """Its circle over the circle of its area: 1.2 and 0.6 pixels. The root of 20 times 29 is 24.1: 29 - 0.6 < 28.9.

    That of 20 times 31 is 24.9, and 31 - 0.6 > 29.9.
    """
    assert kinds(ellipse(length, 20.0)) == found


@pytest.mark.parametrize(("gap", "found"), [(4, (1, 1, [])), (5, (0, 0, []))])
def test_a_ring_may_have_a_gap_that_is_closed(gap, found):
    """0.24 radii are closed: by 2 pixels from either side. What is not closed is a line, and too short a one."""
    picture = with_disc(with_disc(plain(), 200, 200, 20, 0.1), 200, 200, 17, 0.0)
    assert kinds(with_box(picture, 200, 215, gap, 10, 0.0)) == found


@pytest.mark.parametrize(("width", "found"), [(14, []), (15, ["MARK"])])
def test_what_is_narrow_is_a_line(width, found):
    """Opened by 0.34 radii, 7 pixels to either side; a bar that is too faint to be a stroke is nothing by then."""
    assert kinds(with_box(plain(), 150, 200, 80, width, 0.08))[2] == found


@pytest.mark.parametrize(("outer", "filled"), [(45.5, True), (49.5, False)])
def test_rings_are_filled_up_to_a_size(outer, filled):
    """4.6 radii across are 92 pixels; what is wider keeps its middle, which is wider than 3.24 radii, 64.8."""
    found = find_drawn(left(with_disc(with_disc(plain(), 200, 200, outer), 200, 200, 33.5, 0.0)), bare())
    assert found.taken[200, 200] == filled
    assert found.taken[200, 240]


@pytest.mark.parametrize(("inner", "filled"), [(31.4, True), (33.6, False)])
def test_rings_that_touch_are_filled_each(inner, filled):
    """Two of them are wider than 4.6 radii; a gap up to the width of the largest hole, 64.8 pixels, is a hole's own."""
    picture = plain()
    for x in (140, 223):
        with_disc(picture, x, 200, 44.0)
    for x in (140, 223):
        with_disc(picture, x, 200, inner, 0.0)
    found = find_drawn(left(picture), bare())
    assert found.taken[200, 140] == filled


@pytest.mark.parametrize(
    ("radius", "holes"),
    [(20.9, 0), (21.8, 2), (52.4, 2), (54.0, 0)],
)
def test_holes_that_touch_are_parted(radius, holes):
    """Both together have 2 (r / 20)^2 holes' area: from 2.3 (r = 21.4) up to 14 (r = 52.9)."""
    apart = 2 * radius - 4
    picture = with_disc(plain(), 200 - apart / 2, 200, radius)
    assert kinds(with_disc(picture, 200 + apart / 2, 200, radius))[0] == holes


@pytest.mark.parametrize(("smaller", "holes"), [(17.0, 1), (19.0, 2)])
def test_a_second_middle_is_nearly_as_deep_as_the_first(smaller, holes):
    """0.7 of the deepest one's 26 pixels are 18.2."""
    picture = with_disc(with_disc(plain(), 160, 200, 26.0), 160 + 24 + smaller, 200, smaller)
    assert kinds(picture)[0] == (holes if holes == 2 else 0)


@pytest.mark.parametrize(("side", "kind"), [(70, "MARK"), (72, "TORN")])
def test_a_mark_of_four_holes_area_is_a_change_of_the_sheet(side, kind):
    """Four holes have 5027 pixels: the square of 70.9."""
    bar = with_box(plain(), 100, 200, 2 * side, side // 2)
    found = find_drawn(left(bar), bare())
    assert [one.kind.name for one in found.blots] == [kind]
    assert found.blots[0].box == (100.0, 200.0, 2.0 * side, side / 2)
    assert found.torn.any() == (kind == "TORN")


@pytest.mark.parametrize(
    ("height", "kind"),
    [
        (60, "MARK"),  # within 10 pixels of the edge lie 10 x 60, less than half of a hole's 1257
        (66, "TORN"),  # and 10 x 66 are more; all of it, 66 x 20, is more than a hole
    ],
)
def test_a_mark_at_the_edge_is_a_change_of_the_sheet(height, kind):
    assert kinds(with_box(plain(), 40, 150, 22, height))[2] == [kind]


def test_what_touches_the_edge_does_so_within_half_a_radius():
    """Up to 10 pixels to either side of it lie 20 x 36 of it: more than half of a hole's 1257 pixels."""
    mark = with_box(with_box(plain(), 28, 150, 22, 36), 50, 160, 60, 16)
    assert kinds(mark)[2] == ["TORN"]
    assert kinds(np.roll(mark, 8, axis=1))[2] == ["MARK"]


@pytest.mark.parametrize(("x", "outside"), [(36, True), (44, False)])
def test_a_hole_lies_where_most_of_it_does(x, outside):
    (disc,) = find_drawn(left(with_disc(plain(), x, 200, 20.0)), bare()).discs
    assert disc.outside == outside


def test_marks_come_from_top_to_bottom_and_from_left_to_right():
    picture = with_box(with_box(with_box(plain(), 200, 100, 60, 3), 100, 200, 60, 3), 100, 100, 60, 3)
    assert [one.box[:2] for one in find_drawn(left(picture), bare()).blots] == [(100, 100), (200, 100), (100, 200)]


def test_what_lies_beside_the_sheet_is_no_mark_on_it():
    assert kinds(with_box(plain(), 2, 150, 16, 60)) == (0, 0, [])
    (disc,) = find_drawn(left(with_disc(plain(), 18, 200, 16.0)), bare()).discs
    assert disc.outside


def test_faint_holes_beside_the_sheet_are_none():
    assert kinds(with_disc(plain(), 18, 200, 16.0, 0.06)) == (0, 0, [])


@pytest.mark.parametrize(
    ("length", "width", "contrast", "marks"),
    [
        (33, 3, 0.5, 0),  # 99 pixels of 0.08 times a hole's 1257, which are 100.5
        (34, 3, 0.5, 1),
        (13, 13, 0.5, 0),  # 0.7 radii are 14 pixels
        (14, 13, 0.5, 1),
        (60, 3, 0.1, 0),
        (60, 3, 0.12, 1),  # plain to see from 0.11 on
    ],
)
def test_strokes_are_marks_where_they_are_long_and_plain(length, width, contrast, marks):
    found = find_drawn(left(with_box(plain(), 150, 200, length, width, contrast)), bare())
    assert [(one.kind, one.box, one.area) for one in found.blots] == [
        (BlotKind.MARK, (150.0, 200.0, float(length), float(width)), float(length * width))
    ] * marks


@pytest.mark.parametrize(("contrast", "marks"), [(0.19, 0), (0.21, 1)])
def test_a_stroke_is_twice_as_plain_as_what_is_just_drawn(contrast, marks):
    """Under a noise of 0.02 something is drawn from 0.1 on, and a stroke is plain from 0.2 on."""
    assert len(kinds(with_box(plain(), 150, 200, 60, 3, contrast), noise=0.02)[2]) == marks


@pytest.mark.parametrize(("inner", "marks"), [(26.0, 0), (26.5, 1)])
def test_what_lies_close_to_a_hole_is_its_own(inner, marks):
    """0.2 radii and 2 pixels are 6; of an arc of 3 x 36 pixels a row less is less than a mark."""
    rows, columns = np.mgrid[:SIDE, :SIDE] + 0.5 - 200.0
    away, turn = np.hypot(rows, columns), np.abs(np.arctan2(rows, columns))
    picture = with_disc(plain(), 200, 200, 20)
    picture[(away > inner) & (away <= inner + 3) & (turn < 0.64)] = 0.3
    assert len(kinds(picture)[2]) == marks


@pytest.mark.parametrize(("lines", "marks"), [(12, 0), (13, 1)])
def test_much_that_is_faint_is_one_mark(lines, marks):
    """Within 3 pixels of its edge the sheet has some 314 x 314 pixels, of which 0.04 are 3944; a line has 310."""
    picture = plain()
    for at in range(lines):
        with_box(picture, 45, 60 + 20 * at, 310, 1, 0.08)
    assert len(kinds(picture)[2]) == marks


def joined(gap, contrast, high=12):
    """Two holes, a gap apart, and a stroke between them."""
    picture = with_disc(with_disc(plain(), 160, 200, 22), 204 + gap, 200, 22)
    return with_box(picture, 178, 200 - high // 2, gap + 8, high, contrast)


def test_a_stroke_from_hole_to_hole_is_a_mark():
    """Discs that were parted lie 0.2 radii, 4 pixels, from each other at most, unless a stroke joins them..."""
    assert kinds(joined(2, 0.5)) == (2, 2, [])
    holes, _, marks = kinds(joined(8, 0.5, 16))
    assert (holes, marks) == (2, ["MARK"])
    # A pixel of either disc at the seam, as high as the stroke.
    for picture, box in ((joined(8, 0.5, 16), (185, 192, 2, 16)), (joined(8, 0.5, 16).T, (192, 185, 16, 2))):
        (blot,) = find_drawn(left(np.ascontiguousarray(picture)), bare()).blots
        assert (blot.box, blot.area) == (box, 32.0)


@pytest.mark.parametrize(("contrast", "marks"), [(0.17, []), (0.18, ["MARK"])])
def test_a_stroke_from_hole_to_hole_is_a_third_as_plain(contrast, marks):
    """...which has more than 0.35 of their contrast of 0.5."""
    assert kinds(joined(8, contrast, 16))[2] == marks


@pytest.mark.parametrize(
    ("top", "width", "marks"),
    [
        (197, 6, []),  # as wide as 0.12 radii and a pixel, 3.4, to either side of its middle
        (196, 8, ["MARK"]),
        (204, 3, []),  # and as far aside as 0.12 radii more, 5.8
        (205, 3, ["MARK"]),
        (194, 3, []),
        (193, 3, ["MARK"]),
    ],
)
def test_what_is_thin_along_a_crease_is_the_crease(top, width, marks):
    creases = (((60.0, 200.0), (340.0, 200.0)),)
    assert kinds(with_box(plain(), 100, top, 200, width), creases)[2] == marks


def test_where_the_edge_is_gone_the_sheet_is_torn():
    gone = np.zeros((SIDE, SIDE), bool)
    gone[38:43, 100:160] = True
    found = find_drawn(left(plain(), gone=gone), bare())
    assert [(one.kind, one.box, one.area) for one in found.blots] == [(BlotKind.TORN, (100.0, 38.0, 60.0, 5.0), 300.0)]
    assert (found.torn == gone).all()
