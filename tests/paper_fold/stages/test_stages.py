"""How a sheet is read, stage by stage, at each stage's bounds; contrasts are given where no picture is needed."""

from __future__ import annotations

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from detectors.paper_fold import residual
from detectors.paper_fold import sheet as sheet_module
from detectors.paper_fold.config import PaperConfig, PlausibleConfig, SheetConfig
from detectors.paper_fold.finding import _around, find_sheet
from detectors.paper_fold.locating import find_frames
from detectors.paper_fold.plausible import edges_seen, punched
from detectors.paper_fold.residual import _even_color, _is_everywhere, _without_pepper, find_residual
from detectors.paper_fold.sheet import BareSheet, read_sheet
from grader.media.pyramid import Pyramid

PAPER, GROUND, INK = (206, 222, 240), (250, 250, 250), (40, 40, 60)
SQUARE = ((40.0, 40.0), (200.0, 40.0), (200.0, 200.0), (40.0, 200.0))


def drawn(line=0, side=240):
    """A sheet from 40 to 200, with a line of so many pixels around it."""
    picture = np.full((side, side, 3), GROUND, np.uint8)
    picture[40:200, 40:200] = PAPER
    if line:
        cv2.rectangle(picture, (40, 40), (200, 200), INK, line)
    return picture


def bare(picture=None, radius=10.0, creases=()):
    picture = drawn() if picture is None else picture
    height, width = picture.shape[:2]
    return BareSheet((width, height), 1, picture, SQUARE, radius, creases, SheetConfig())


# --- the picture of the sheet itself ---


@pytest.mark.parametrize(("radius", "factor"), [(11.9, 1), (12.1, 2), (17.9, 2), (18.1, 3)])
def test_a_picture_is_made_smaller_as_long_as_holes_have_six_pixels(radius, factor):
    read = read_sheet(drawn(), SQUARE, radius, [((40.0, 120.0), (200.0, 120.0))], SheetConfig())
    assert (read.factor, read.radius, read.size) == (factor, radius / factor, (240, 240))
    assert read.outline[2] == (200.0 / factor, 200.0 / factor)
    assert read.creases == (((40.0 / factor, 120.0 / factor), (200.0 / factor, 120.0 / factor)),)
    assert read.picture.shape == (240 // factor, 240 // factor, 3)


def test_what_a_sheet_covers():
    found = bare()
    assert found.inside[120, [39, 40, 199]].tolist() == [False, True, True]
    assert found.box == (40, 40, 201, 201)
    assert (found.depth[120, 120], found.depth[120, 30]) == pytest.approx((81.0, -10.0), abs=0.5)
    assert np.allclose(found.colors[:, 0], [found.lab[0, 0, 0], found.lab[120, 120, 0]])
    assert found.area_of[120, [10, 30, 50, 120]].tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(("width", "areas"), [(10, 2), (11, 3)])
def test_areas_are_wider_than_lines(width, areas):
    """A bar has 3 pixels to either side of its middle, where it is plain, 2 from what it lies on."""
    picture = drawn()
    picture[60:180, 100 : 100 + width] = (120, 120, 120)
    assert len(bare(picture).areas) == areas


@pytest.mark.parametrize(("width", "areas"), [(13, 3), (11, 3), (10, 2)])
def test_small_areas_are_edges(width, areas):
    """Of a square of 11 pixels 7 x 7 are plain, and 40 are needed."""
    picture = drawn()
    picture[100 : 100 + width, 100 : 100 + width] = (120, 120, 120)
    assert len(bare(picture).areas) == areas


@pytest.mark.parametrize(("levels", "areas"), [(22, 2), (23, 3)])
def test_areas_are_parted_by_edges(levels, areas):
    """From a contrast of 0.05 from one pixel to the next, of a step of 0.071 that is smoothed."""
    picture = drawn()
    picture[60:180, 60:100] = np.array(PAPER) - levels
    assert len(bare(picture).areas) == areas


@pytest.mark.parametrize(("levels", "areas"), [(12, 3), (14, 4)])
def test_areas_of_nearly_one_colour_are_one(levels, areas):
    """Up to a contrast of 0.04: a level is 0.0031."""
    picture = drawn()
    picture[60:180, 60:90] = np.array(PAPER) - 40
    picture[60:180, 130:150] = np.array(PAPER) - 40 - levels
    assert len(bare(picture).areas) == areas


def test_how_near_to_edges_things_lie():
    """The edge takes the columns 39 and 40; up to 1.5 pixels from there it is right there, up to 3 it is near."""
    found = bare()
    assert found.edges[120, 30:50].nonzero()[0].tolist() == [9, 10]
    assert found.near_edges[120, 30:50].nonzero()[0].tolist() == list(range(6, 14))
    assert found.marked[120, 40:46].tolist() == [False, False, True, True, True, True]
    right_at, farther = found.beside_edges[1]
    row = 240 * 120
    assert [at - row for at in right_at.tolist() if row < at < row + 120] == [40, 41]
    assert [at - row for at in farther.tolist() if row < at < row + 120] == [42, 43]
    assert found.inner[0] == 240 * 44 + 44
    assert len(found.edge_rings) == 9


@pytest.mark.parametrize(("line", "lined"), [(0, False), (2, True)])
def test_an_outline_stands_out_from_what_it_lies_between(line, lined):
    assert bare(drawn(line)).is_lined == lined


# --- what is left ---


@pytest.mark.parametrize(
    ("others", "off", "even"), [(24, 0.0031, True), (26, 0.0031, False), (26, 0.0029, True), (100, 0.5, True)]
)
def test_an_area_of_one_colour(others, off, even):
    """Three quarters of its pixels lie within 0.003 of the middle one."""
    lab = np.zeros((10, 10, 3), np.float32)
    lab.reshape(-1, 3)[:others, 1] = off
    found = _even_color(lab, np.arange(100), PaperConfig())
    assert (found is not None) == even
    assert found is None or found.tolist() == lab[5, 5].tolist()
    assert _even_color(lab, np.arange(0), PaperConfig()) is None


@pytest.mark.parametrize(("tiles", "everywhere"), [(1, False), (2, False), (3, True)])
def test_pepper_is_everywhere(tiles, everywhere):
    """Of 5 x 5 tiles of three radii 2 are just 0.08."""
    lone = np.zeros((150, 150), bool)
    lone[5, [5, 35, 65][:tiles]] = True
    sheet = BareSheet((150, 150), 1, np.zeros((150, 150, 3), np.uint8), SQUARE, 10.0, (), SheetConfig())
    assert _is_everywhere(lone, sheet) == everywhere
    assert not _is_everywhere(np.zeros_like(lone), sheet)


def peppered(levels, pixels):
    """A sheet with a speck, of so many pixels beside each other, in the middle of each tile of its paper."""
    view = drawn()
    for y in range(60, 200, 30):
        for x in range(60, 200, 30):
            view[y, x : x + pixels] = np.array(PAPER) - levels
    return view


@pytest.mark.parametrize(("levels", "gone"), [(40, False), (41, True)])
def test_pepper_is_taken_off(levels, gone):
    assert (_without_pepper(peppered(levels, 1), bare()) == drawn()).all() == gone


@pytest.mark.parametrize(("pixels", "gone"), [(1, True), (5, True), (6, False)])
def test_what_is_larger_than_pepper_stays(pixels, gone):
    view = peppered(100, pixels)
    found = _without_pepper(view, bare())
    assert (found == drawn()).all() == gone
    assert (found == view).all() == (not gone)


def test_nothing_is_left_of_a_sheet_but_what_is_drawn():
    found = find_residual(drawn(), None, bare())
    assert (found.noise, found.repainted, found.contrast.max()) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    assert not found.gone.any()
    view = drawn()
    view[100:110, 100:110] = INK
    left = find_residual(view, None, bare())
    assert left.contrast[105, 105] > 0.5
    assert left.contrast[120, 120] < 1e-6


def test_what_is_not_covered_is_not_told():
    covered = np.ones((240, 240), bool)
    covered[:, :60] = False
    view = drawn()
    view[:, :60] = 0
    found = find_residual(view, covered, bare())
    assert not found.values[:, :60].any()
    assert (found.usable == covered).all()
    assert find_sheet(view, covered, bare()).whole == pytest.approx(1 - 20 / 161, abs=0.001)


@pytest.mark.parametrize(("grey", "repainted"), [(False, False), (True, True)])
def test_a_sheet_of_another_colour(grey, repainted):
    view = drawn()
    view[40:200, 40:200] = (90, 90, 90) if grey else (190, 215, 240)
    assert find_sheet(view, None, bare()).repainted == repainted


def erased(length):
    """A lined sheet without a part of its left line."""
    view = drawn(2)
    view[100 : 100 + length, 36:40] = GROUND
    view[100 : 100 + length, 40:44] = PAPER
    return find_residual(view, None, bare(drawn(2))).gone


def test_a_line_that_is_gone_is_told_from_a_length_on():
    """Two and a half radii are 25 pixels, with 2 pixels around what is gone, whose ends still touch a line."""
    assert not erased(24).any()
    assert erased(25).any()
    rows, columns = np.nonzero(erased(60))
    assert rows.min() == pytest.approx(100, abs=3)
    assert rows.max() == pytest.approx(160, abs=3)
    assert (columns.min(), columns.max()) == pytest.approx((38, 43), abs=2)


def test_tiles_around_a_sheet_begin_at_an_even_pixel():
    bounds = np.array([0, 15, 31, 46, 60])
    part, within = _around(bounds, 20.0, 40.0)
    assert (part, within.tolist()) == (slice(14, 46), [1, 17, 32])
    part, within = _around(bounds, -5.0, 100.0)
    assert (part, within.tolist()) == (slice(0, 60), [0, 15, 31, 46, 60])


# --- the puzzle's pictures ---

PLAUSIBLE = PlausibleConfig()


@pytest.mark.parametrize(("end", "seen"), [(151, False), (153, True)])
def test_an_edge_is_there_on_three_quarters_of_its_length(end, seen):
    """Of 160 pixels the 9.6 at either end do not count; three quarters of the rest, with 3 beyond, end at 152.2."""
    picture = drawn()
    picture[end:, :120] = PAPER
    assert edges_seen(picture, SQUARE, PLAUSIBLE)[3] == seen


@pytest.mark.parametrize(("aside", "seen"), [(3, True), (4, False)])
def test_an_edge_may_lie_three_pixels_off(aside, seen):
    picture = np.roll(drawn(), aside, axis=1)
    assert edges_seen(picture, SQUARE, PlausibleConfig(smooth_px=0.1))[3] == seen


@pytest.mark.parametrize(("levels", "seen"), [(9, False), (10, True)])
def test_an_edge_has_a_contrast(levels, seen):
    """Of 0.03, which 9.5 levels of a light grey are."""
    picture = np.full((240, 240, 3), 230, np.uint8)
    picture[40:200, 40:200] = 230 - levels
    assert edges_seen(picture, SQUARE, PLAUSIBLE) == [seen] * 4


DARKER = (150, 170, 190)
ROWS, COLUMNS = np.mgrid[:240, :240] + 0.5 - 120.0
AWAY = np.hypot(ROWS, COLUMNS)


def is_punched(picture):
    """Whether there seems to be a hole of 20 pixels in the sheet's middle, of two places for one."""
    found = punched(picture, SQUARE, [(400.0, 400.0), (120.0, 120.0)], 20.0, PLAUSIBLE)
    return found == [1]


@pytest.mark.parametrize(
    ("inner", "outer", "there"),
    [(0, 9.5, False), (0, 10.5, True), (17, 18.4, False), (17, 19, True), (18.3, 20, True), (18.8, 20, False)],
)
def test_a_hole_shows_in_its_middle_or_at_its_rim(inner, outer, there):
    """Of 20 pixels the middle goes up to 14, and half of its area up to 9.9; the rim from 17, half of it from 18.6."""
    picture = drawn()
    picture[(inner <= AWAY) & (outer >= AWAY)] = INK
    assert is_punched(picture) == there


@pytest.mark.parametrize(("outer", "there"), [(25.5, True), (29, False)])
def test_what_surrounds_a_hole_is_not_paper(outer, there):
    """Up to 1.3 radii, 26 pixels; a ring from there to 29 pixels is 0.03 of the paper, and 0.02 are enough."""
    picture = drawn()
    picture[outer >= AWAY] = DARKER
    assert is_punched(picture) == there


@pytest.mark.parametrize(("width", "there"), [(9, True), (12, False)])
def test_what_lies_at_the_sheets_edge_is_not_paper(width, there):
    """Within half a radius, 10 pixels."""
    picture = drawn()
    picture[40:201, 40:201] = DARKER
    picture[40 + width : 201 - width, 40 + width : 201 - width] = PAPER
    picture[AWAY <= 20] = DARKER
    assert is_punched(picture) == there


@pytest.mark.parametrize(("side", "there"), [(18, True), (21, False)])
def test_a_colour_that_is_elsewhere_is_the_papers_own(side, there):
    """Off its edges the paper has 141 x 141 pixels, less 2124 around the hole: of 17757 a share of 0.02 is 355."""
    picture = drawn()
    picture[AWAY <= 20] = DARKER
    picture[60 : 60 + side, 60 : 60 + side] = DARKER
    assert is_punched(picture) == there


@pytest.mark.parametrize(("levels", "there"), [(16, False), (17, True)])
def test_a_hole_has_another_colour(levels, there):
    """From a contrast of 0.05 on."""
    picture = drawn()
    picture[AWAY <= 20] = np.array(PAPER) - levels
    assert is_punched(picture) == there


# --- where the sheet lies ---


def boxes(picture):
    return [one.box for one in find_frames(Pyramid(picture), bare())]


def test_a_sheet_is_found_by_its_shape():
    """What is plain begins a pixel within it; the picture's own rim has that shape, too."""
    assert boxes(drawn()) == [(0.0, 0.0, 240.0, 240.0), (41.0, 41.0, 158.0, 158.0)]
    found = find_frames(Pyramid(drawn()), bare())[1].matrix
    assert found == pytest.approx(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    half = find_frames(Pyramid(cv2.resize(drawn(), (480, 480), interpolation=cv2.INTER_NEAREST)), bare())[1]
    # Of twice the size it is halved first: a pixel of 480 is half of one of 240, and its middle lies a quarter aside.
    assert half.box == (82.0, 82.0, 316.0, 316.0)
    assert half.matrix == pytest.approx(np.array([[0.5, 0.0, -0.25], [0.0, 0.5, -0.25]]))


def grey_squares(levels, corners, side=40):
    picture = np.full((240, 240, 3), 100, np.uint8)
    for x, y in corners:
        picture[y : y + side, x : x + side] = 100 + levels
    return picture


@pytest.mark.parametrize(("levels", "number"), [(24, 1), (25, 2)])
def test_a_sheet_is_told_from_what_is_around_it(levels, number):
    assert len(boxes(grey_squares(levels, [(100, 100)]))) == number


@pytest.mark.parametrize(("side", "number"), [(25, 1), (26, 2)])
def test_a_sheet_is_not_tiny(side, number):
    """A tenth of 240 pixels, less one on either side."""
    assert len(boxes(grey_squares(50, [(100, 100)], side))) == number


def test_the_largest_eight_are_looked_at():
    found = boxes(grey_squares(50, [(x, y) for x in (5, 65, 125, 185) for y in (5, 65, 125)]))
    assert [one[2] for one in found] == [240.0] + [38.0] * 7


@pytest.mark.parametrize(("cut", "number"), [(13, 2), (14, 1)])
def test_areas_of_another_shape_are_none(cut, number):
    """A corner that is off takes half of its square from the hull: 0.07 of 38 x 38 are 101, the half of 14.2 x 14.2."""
    picture = grey_squares(50, [(100, 100)])
    cv2.fillPoly(picture, [np.array([(99, 99), (100 + cut, 99), (99, 100 + cut)])], (100, 100, 100))
    assert len(boxes(picture)) == number


# --- mixtures with edges ---


def test_so_much_of_an_edges_colour_is_taken_off(monkeypatch):
    """At most 1.3 of it close by, 0.4 farther off; what nine tenths beside edges stay below, over 0.012, is noise."""
    asked, rings_ = [], []

    def left(own, axes, most):
        asked.append((len(own), most, [axis.tolist() for axis in axes]))
        return own / 2

    monkeypatch.setattr(residual, "left_of_two", left)
    monkeypatch.setattr(residual, "distrust", lambda *what: rings_.append(what[3:]))
    config = SheetConfig()
    sheet = SimpleNamespace(
        config=config, edge_core=np.array([9]), near_edges=None, edge_rings=None,
        beside_edges=[(np.array([0, 1, 2]), np.array([3])), (np.array([4]), np.zeros(0, int))],
    )  # fmt: skip
    values, lab = np.full((2, 5, 3), 0.1, np.float32), np.zeros((2, 5, 3), np.float32)
    lab[1, 4] = 0.25
    values[0, 1], values[0, 2] = 0.0017, 0.0018
    colors = [np.zeros(3, np.float32), np.ones(3, np.float32)]
    residual._take_off_edges(values, lab, sheet, colors)
    one, other = [[1.0] * 3, [0.25] * 3], [[-1.0] * 3, [-0.75] * 3]
    # What differs by no more than 0.003 is nothing: 0.0017 of three channels are less, and 0.0018 more.
    assert asked == [(2, 1.3, one), (1, 0.4, one), (1, 1.3, other), (0, 0.4, other)]
    assert values[0].tolist() == pytest.approx(
        np.array([[0.05] * 3, [0.0017] * 3, [0.0009] * 3, [0.05] * 3, [0.05] * 3])
    )
    assert (values[1] == np.float32(0.1)).all()
    assert rings_ == [(0.9, 0.012)]


@pytest.mark.parametrize(("away", "core"), [(2.9, False), (3.1, True)])
def test_the_middle_of_an_edge_is_three_quarters_as_deep_as_usual(monkeypatch, away, core):
    one = bare()
    shape = one.edges.shape
    depths = np.full(shape, 4.0, np.float32)
    depths[0, 0] = away
    monkeypatch.setattr(sheet_module, "distance_to", lambda mask: depths)
    one.__dict__["depth"] = np.zeros(shape, np.float32)
    assert (0 in one.edge_core.tolist()) == core
