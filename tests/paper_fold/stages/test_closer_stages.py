"""What a second look at a sheet tells, stage by stage, at each stage's bounds."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from detectors.paper_fold.closer.config import CreaseConfig, GhostConfig, HoleShapeConfig, PaperTextureConfig
from detectors.paper_fold.closer.creases import CreaseStrip, _foreign, _with_holes, find_on_creases, strips_of
from detectors.paper_fold.closer.faint import _ring, find_ghosts, find_rough, texture_of
from detectors.paper_fold.closer.shapes import HoleShape, _fitted, _middles, _turns, find_misshapen, measure_holes
from detectors.paper_fold.config import SheetConfig
from detectors.paper_fold.holes import Disc
from detectors.paper_fold.sheet import BareSheet

TEXTURE, SHAPE, CREASE, GHOST = PaperTextureConfig(), HoleShapeConfig(), CreaseConfig(), GhostConfig()
ROUND = HoleShape(10.0, 0.0, 1.0, 0.0, 0.0)


def misshapen(**parts):
    """Of three holes of ten pixels the first has these faults."""
    shapes = {4: HoleShape(**{**vars(ROUND), **parts}), 5: ROUND, 6: ROUND}
    return find_misshapen(shapes, SHAPE)


@pytest.mark.parametrize(
    ("part", "most"),
    [
        ({"uneven": 0.024}, "0.012 and 0.12 pixels of 10"),
        ({"uneven": 0.0132, "radius": 100.0}, "0.012 and 0.12 pixels of 100"),
        ({"slim": 1.3}, "1.3 times as long as wide"),
        ({"alien": 0.007}, "0.005 and 0.02 over 10"),
        ({"alien": 0.0052, "radius": 100.0}, "0.005 and 0.02 over 100"),
        ({"around": 0.02}, "0.02 of its area"),
    ],
)
def test_what_is_no_disc(part, most):
    name = next(iter(part))
    assert misshapen(**{**part, name: part[name] - 1e-4}) == []
    assert misshapen(**{**part, name: part[name] + 1e-4}) == [4], most


def test_a_hole_may_be_just_as_slim_as_that():
    assert misshapen(slim=SHAPE.slim) == []


@pytest.mark.parametrize(("uneven", "found"), [(0.0159, []), (0.0161, [0, 1, 2])])
def test_holes_that_are_all_uneven_are_none(uneven, found):
    """The middle one is so by more than 0.01, and 0.06 pixels of 10."""
    shapes = {at: HoleShape(10.0, uneven, 1.0, 0.0, 0.0) for at in range(3)}
    assert find_misshapen(shapes, SHAPE) == found
    assert find_misshapen({}, SHAPE) == []


# --- holes along rays ---


MIDDLES = ((70.0, 70.0), (170.0, 70.0), (120.0, 170.0))


@cache
def three_holes():
    """A sheet of 240 pixels with three holes of 20, each pixel the mean of 8 x 8."""
    picture = np.full((240, 240, 3), (206.0, 222.0, 240.0))
    rows, columns = np.mgrid[: 48 * 8, : 48 * 8] / 8 + 1 / 16 - 24
    shares = (np.hypot(rows, columns) <= 20.0).reshape(48, 8, 48, 8).mean(axis=(1, 3))[..., None]
    for x, y in MIDDLES:
        part = picture[int(y) - 24 : int(y) + 24, int(x) - 24 : int(x) + 24]
        part[:] = (1 - shares) * part + shares * np.array([30.0, 30.0, 36.0])
    return np.rint(picture).astype(np.uint8)


def seen_holes(draw):
    """The shapes of the three holes once something is drawn on them."""
    view = three_holes().copy()
    draw(view)
    return measure_holes(view, flat(), [Disc(at, 20.0, 0.7, True, False) for at in MIDDLES], 0.0, SHAPE)


def flat(creases=(), radius=20.0):
    picture = np.full((240, 240, 3), (250, 250, 250), np.uint8)
    picture[10:230, 10:230] = (206, 222, 240)
    outline = ((10.0, 10.0), (230.0, 10.0), (230.0, 230.0), (10.0, 230.0))
    return BareSheet((240, 240), 1, picture, outline, radius, creases, SheetConfig())


def test_discs_leave_nothing_unexplained():
    shapes = seen_holes(lambda view: None)
    assert set(shapes) == {0, 1, 2}
    for one in shapes.values():
        assert one.radius == 20.0
        assert one.uneven < 0.003
        assert one.slim == pytest.approx(1.0, abs=0.01)
        assert (one.alien, one.around) == (0.0, 0.0)


def test_a_dot_within_a_hole_is_another_colour_by_its_area():
    """Eight by eight pixels of a hole's 1257, more or less as they are smoothed, and as plain as they are."""

    def dot(view):
        view[66:74, 77:85] = (206, 222, 240)

    first, second, _ = seen_holes(dot).values()
    assert first.alien == pytest.approx(64 / 1257, rel=0.35)
    assert second.alien == 0.0


def test_what_is_drawn_beside_a_hole_is_measured_by_its_area():
    """Beyond 0.1 radii and 1.5 pixels, 3.5, all counts up to 1.9 radii: a bar of 4 x 16 pixels."""

    def bar(view):
        view[68:72, 94:110] = (120, 120, 120)

    first, second, _ = seen_holes(bar).values()
    # From 24 to 38 pixels off its middle lie 14 of the bar's 16.
    assert first.around == pytest.approx(4 * 14 / 1257, rel=0.3)
    assert second.around == 0.0


def test_a_long_hole_is_told_by_its_ellipse():
    def longer(view):
        rows, columns = np.mgrid[:240, :240] + 0.5 - 70.0
        view[((columns / 24) ** 2 + (rows / 20) ** 2) <= 1] = (30, 30, 36)

    first, second, _ = seen_holes(longer).values()
    assert first.slim == pytest.approx(24 / 20, abs=0.02)
    assert second.slim == pytest.approx(1.0, abs=0.01)


def test_holes_that_are_not_looked_at():
    discs = [Disc((70.0, 70.0), 20.0, 0.7, False, False), Disc((170.0, 70.0), 20.0, 0.7, True, True)]
    assert measure_holes(np.zeros((240, 240, 3), np.uint8), flat(), discs, 0.0, SHAPE) == {}


def test_turns_fit_what_they_are_made_of():
    design = _turns(40, 8)
    assert design.shape == (40, 17)
    rims = 20.0 + 0.5 * design[:, 3] - 0.25 * design[:, 2]
    whole = np.ones((2, 40), bool)
    whole[1, 5:9] = False
    assert _fitted(design, np.stack([rims, np.where(whole[1], rims, 99.0)]), whole) == pytest.approx(
        np.stack([rims, rims])
    )
    values = np.array([[3.0, 1.0, 2.0, 9.0], [5.0, 5.0, 1.0, 2.0]], np.float32)
    assert _middles(values).tolist() == [2.5, 3.5]
    assert _middles(values[:, :3]).tolist() == [2.0, 5.0]


# --- texture ---


@pytest.mark.parametrize(("levels", "capped", "speck"), [(44, 39, 0), (45, 40, 0), (46, 40, 255)])
def test_texture_is_what_differs_from_what_is_around(levels, capped, speck):
    """A pixel of so many levels more lies 8/9 of them from the mean of its 3 x 3 pixels; 40 at most count."""
    picture = np.full((9, 9, 3), 100, np.uint8)
    picture[4, 4] = 100 + levels
    strength, specks = texture_of(picture, TEXTURE)
    assert (strength[4, 4], specks[4, 4]) == (capped, speck)
    assert (strength[4, 6], strength[4, 5]) == (0, round(levels / 9))


def rough(strength, paper=None, specks=None):
    nothing = np.zeros(strength.shape, np.uint8)
    whole = np.ones(strength.shape, bool)
    found = find_rough((strength, nothing if specks is None else specks), whole if paper is None else paper, 8.0, 4.0,
                       TEXTURE)  # fmt: skip
    return [one.box for one in found]


@pytest.mark.parametrize(
    ("usual", "strong", "found"), [(10, 19, []), (10, 20, [(55, 55, 1, 1)]), (0, 2, []), (0, 3, [(54, 54, 3, 3)])]
)
def test_how_strong_a_texture_is(usual, strong, found):
    """From 1.7 times the usual one and 2.5 levels more, averaged over 11 x 11 pixels: 1.2 radii of 8.

    A square of 11 x 11 pixels is averaged alone at its middle; a pixel aside 10/11 of it are, which makes 19.1 of 20,
    and 2.73 of 3; at the corner beside that it is 2.48.
    """
    strength = np.full((120, 120), usual, np.uint8)
    strength[50:61, 50:61] = strong
    assert rough(strength) == found


def test_at_the_papers_edge_what_there_is_is_averaged():
    """From 0.55 of the square on: of its 11 columns 7 are paper at the second pixel within it."""
    strength = np.full((120, 120), 10, np.uint8)
    strength[:, 60:66] = 40
    paper = np.zeros((120, 120), bool)
    paper[:, 60:] = True
    ((left, top, _, high),) = rough(strength, paper)
    assert (left, top, high) == (61, 1, 118)


@pytest.mark.parametrize(("tiles", "number"), [(2, 1), (3, 0)])
def test_specks_that_are_everywhere_are_none_of_the_papers_texture(tiles, number):
    """In more than 0.08 of 5 x 5 tiles of three radii."""
    strength, specks = np.full((120, 120), 10, np.uint8), np.zeros((120, 120), np.uint8)
    strength[50:62, 50:62] = 30
    specks[50:62:4, 50:62:4] = 255
    specks[50:62, 72:] = 0
    for at in range(tiles - 1):
        specks[5, 5 + 24 * at] = 255
    assert len(rough(strength, specks=specks)) == number


# --- rings ---


def test_a_ring_less_one_around_it():
    kernel = _ring(8.0, 0.8, 3.0)
    assert kernel.shape == (27, 27)  # 8 + 3 + 1.6 to either side
    assert kernel.sum() == pytest.approx(0.0, abs=1e-6)
    assert kernel[kernel > 0].sum() == pytest.approx(0.943, abs=0.001)  # less what the other one has there
    assert kernel[13, 21] == kernel.max()
    assert kernel[13, 24] == pytest.approx(kernel.min(), rel=0.01)


def ghost(times, contrast):
    """A ring of so many radii of 8 pixels, of which the mean is this contrast, found where its middle is."""
    rows, columns = np.mgrid[:100, :100] - np.array([50, 40])[:, None, None]
    ring = np.exp(-(((np.hypot(rows, columns) - 8.0 * times) / 0.8) ** 2) / 2)
    kernel = _ring(8.0 * times, 0.8, 3.0)
    values = np.zeros((100, 100, 3), np.float32)
    reach = len(kernel) // 2
    part = ring[50 - reach : 51 + reach, 40 - reach : 41 + reach]
    values[..., 1] = ring * contrast / float((part * kernel).sum())
    return [(one.box[0] + one.box[2] / 2, one.box[1] + one.box[3] / 2)
            for one in find_ghosts(values, np.ones((100, 100), bool), 8.0, GHOST)]  # fmt: skip


@pytest.mark.parametrize("times", [0.9, 1.05, 1.25])
def test_rings_of_a_holes_size_are_seen_from_a_contrast(times):
    assert ghost(times, 0.0109) == []
    assert ghost(times, 0.0113) == [(40.5, 50.5)]


# --- along creases ---

ALONG = (((20.0, 120.0), (220.0, 120.0)),)


def test_how_far_a_crease_is_looked_at():
    """0.24 radii of 20 and a pixel, and 4 pixels more: 9.8, so 10 rows to either side."""
    (strip,) = strips_of(flat(ALONG), 1.0, CREASE).strips
    assert strip.x.shape == (21, 200)
    assert (strip.x[10, 0], strip.y[10, 0], strip.y[0, 0], strip.y[20, 0]) == (19.5, 119.5, 109.5, 129.5)
    # The sheet's edge takes the columns 9 and 10, and 3 pixels more are near.
    assert strip.hidden.any() == (strip.x[10, 0] < 14)
    longer = strips_of(flat((((11.0, 120.0), (229.0, 120.0)),)), 1.0, CREASE).strips[0]
    assert longer.hidden[10, :8].tolist() == [True] * 3 + [False] * 5
    twice = strips_of(flat(ALONG), 2.0, CREASE).strips[0]
    assert twice.x.shape == (2 * 15 + 1, 400)  # 0.24 x 40 + 1 + 4 are 14.6


@pytest.mark.parametrize(("length", "number"), [(19.5, 0), (19.7, 1)])
def test_short_creases_are_not_looked_at(length, number):
    """Twice 9.8 pixels."""
    found = strips_of(flat((((20.0, 120.0), (20.0 + length, 120.0)),)), 1.0, CREASE)
    assert len(found.strips) == number
    assert found.x.shape == (21, number * (20 + 4))  # two pixels are mirrored at either end


def test_a_crease_that_crosses_is_hidden():
    """By 4 pixels to either side, and beyond its ends."""
    first, _ = strips_of(flat((*ALONG, ((120.0, 115.0), (120.0, 60.0)))), 1.0, CREASE).strips
    assert np.flatnonzero(first.hidden[5]).tolist() == [97, 98, 99, 100, 101, 102, 103, 104]  # x from 116.5 to 123.5
    assert np.flatnonzero(first.hidden[:, 100]).tolist() == list(range(10))  # y up to 119


def test_holes_hide_a_crease():
    """By 1.3 radii of 10, and 2 pixels: 15."""
    (strip,) = strips_of(flat(ALONG), 1.0, CREASE).strips
    hidden = _with_holes(strip, np.array([[100.0, 119.5, 10.0]]), CREASE)
    assert np.flatnonzero(hidden[10]).tolist() == list(range(66, 96))  # x from 85.5 to 114.5, beginning at 19.5
    assert not strip.hidden.any()
    off = _with_holes(strip, np.array([[100.0, 119.5 + 24.4, 10.0]]), CREASE)
    assert np.argwhere(off)[:, 0].min() == 20
    assert not _with_holes(strip, np.array([[100.0, 119.5 + 26.0, 10.0], [0.0, 119.5, 3.0]]), CREASE).any()


def foreign(shown, hidden=None, area=None):
    """What of a strip of 21 x 100 pixels is foreign, on paper of one colour unless its areas are told."""
    none, ends = np.zeros((21, 100), bool), np.zeros((21, 100), np.float32)
    strip = CreaseStrip(ends, ends, none, np.zeros((21, 100), np.intp) if area is None else area)
    return _foreign(shown, none if hidden is None else hidden, strip, CREASE)


def on_strip(rows, columns, contrast=0.2, noise=0.0):
    """What of a drawing on a strip of 21 x 100 pixels is foreign."""
    strip = np.zeros((21, 100, 3), np.float32)
    strip[:2, ::3, 1] = noise
    strip[-2:, ::3, 1] = noise
    strip[rows, columns, 1] = contrast
    return foreign(strip)


@pytest.mark.parametrize(
    ("contrast", "noise", "number"), [(0.069, 0.0, 0), (0.071, 0.0, 25), (0.099, 0.02, 0), (0.101, 0.02, 25)]
)
def test_what_is_drawn_on_a_crease_stands_out(contrast, noise, number):
    """From 0.07 on, and five times the noise, which a third of the paper has."""
    found = on_strip(slice(8, 13), slice(40, 45), contrast, noise)
    assert np.count_nonzero(found) == number


@pytest.mark.parametrize(("length", "number"), [(34, 34), (35, 0)])
def test_a_line_along_a_crease_is_one(length, number):
    assert np.count_nonzero(on_strip(slice(10, 11), slice(10, 10 + length))) == number


def test_what_stands_on_a_line_is_foreign():
    """A line of one row is half a pixel to either side; up to 1.5 more are its own rim."""
    strip = np.zeros((21, 100, 3), np.float32)
    strip[10, 10:90, 1] = 0.2
    strip[6:13, 50, 1] = 0.2
    found = foreign(strip)
    assert np.argwhere(found).tolist() == [[6, 50], [7, 50]]
    wide = np.zeros((21, 100, 3), np.float32)
    wide[9:12, 10:90, 1] = 0.2
    wide[6:9, 50, 1] = 0.2
    assert np.argwhere(foreign(wide)).tolist() == [[6, 50]]


def test_the_outermost_two_rows_are_paper():
    """Where all but those have another colour, that is drawn; it is a line, and no part of it foreign."""
    strip = np.zeros((21, 100, 3), np.float32)
    strip[2:-2, :10, 1] = 0.2
    assert np.count_nonzero(foreign(strip)) == 170
    hidden = np.ones((21, 100), bool)
    assert not foreign(strip, hidden).any()


def test_a_strip_may_go_over_both_sides_of_the_paper():
    """Another colour on 15 of 100 columns is foreign on one paper, and is the paper of an area of its own."""
    strip = np.zeros((21, 100, 3), np.float32)
    strip[:, 85:, 1] = 0.2
    area = np.zeros((21, 100), np.intp)
    area[:, 85:] = 1
    assert np.count_nonzero(foreign(strip)) == 21 * 15
    assert not foreign(strip, area=area).any()
    strip[8:13, 90:95, 1] = 0.4
    assert np.count_nonzero(foreign(strip, area=area)) == 25


@pytest.mark.parametrize(("wide", "marks"), [(4, 0), (5, 1)])
def test_a_mark_on_a_crease_has_a_size(wide, marks):
    """0.02 of a hole's 1257 pixels are 25.1; rows lie between pixels, so that a bar of 4 x 4 has 5 x 5 there."""
    view = np.full((240, 240, 3), (206, 222, 240), np.uint8)
    view[118:122, 100 : 100 + wide] = (30, 30, 36)
    strips = strips_of(flat(ALONG), 1.0, CREASE)
    found = find_on_creases(view, 1.0, strips, 20.0, [], CREASE)
    assert len(found) == marks
    assert [(one.box, one.area) for one in found] == [((99.5, 117.5, 5.0, 4.0), 30.0)] * marks
    assert find_on_creases(view, 1.0, strips, 20.0, [Disc((103.0, 120.0), 10.0, 0.5, True, False)], CREASE) == ()
    assert find_on_creases(view, 1.0, strips_of(flat(), 1.0, CREASE), 20.0, [], CREASE) == ()
