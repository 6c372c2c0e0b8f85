"""A chain held against its picture, stage by stage, at each stage's bounds: on grey pixels with 40 to a unit."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from detectors.hinge_folding.config import ChainViewConfig
from detectors.hinge_folding.exact import close as close_module
from detectors.hinge_folding.exact import edges
from detectors.hinge_folding.exact.close import (
    CloseView,
    _without_pepper,
    codes_of,
    colors_of_pieces,
    look_closely,
    middle_of,
    owners_of,
    share_of,
)
from detectors.hinge_folding.exact.config import ExactConfig, LeftConfig
from detectors.hinge_folding.exact.corners import cut_corners
from detectors.hinge_folding.exact.edges import (
    SeenOutlines,
    _crossing,
    _lines,
    _longest,
    _noise,
    _owned,
    _points,
    fit_pieces,
    fit_whole,
    see_outlines,
)
from detectors.hinge_folding.plan import corners_of
from puzzles.hinge_folding.chain import HingeShape

SQUARE, DIAMOND, TRIANGLE, RECTANGLE = HingeShape
EXACT, SEEN, LEFT = ExactConfig(), ChainViewConfig(), LeftConfig()
UNIT = 40.0


def close_of(pixels, unit=UNIT):
    pixels = np.asarray(pixels, np.float32)
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, axis=2)
    height, width = pixels.shape[:2]
    return CloseView(pixels, unit, np.zeros(2), np.ones(2), (0.0, 0.0, float(width), float(height)))


# --- the part of the picture that is looked at ---


def test_so_much_around_the_pieces_is_looked_at():
    """0.4 units of 40 pixels are 16, and of 73 pixels, halved, 29."""
    picture = np.full((300, 400, 3), 255, np.uint8)
    corners = [np.array([(100.0, 110.0), (140.0, 150.0)])]
    found = look_closely(picture, corners, (40.0, 40.0), EXACT, SEEN)
    assert (found.origin.tolist(), found.pixels.shape, found.unit) == ([84.0, 94.0], (73, 73, 3), 40.0)
    assert found.inner == (-84.0, -94.0, 316.0, 206.0)
    assert found.at(np.array([[100.0, 110.0]])).tolist() == [[16.0, 16.0]]
    assert look_closely(picture, corners, (72.0, 72.0), EXACT, SEEN).unit == 72.0
    half = look_closely(picture, corners, (73.0, 73.0), EXACT, SEEN)
    assert (half.unit, half.scale.tolist(), half.origin.tolist()) == (36.5, [0.5, 0.5], [70.0, 80.0])


def test_a_stretched_picture_gets_its_own_shape():
    """From a factor of 1.003 on; 113 pixels across are 40/60 of that then."""
    picture = np.full((300, 400, 3), 255, np.uint8)
    corners = [np.array([(100.0, 110.0), (140.0, 150.0)])]
    assert look_closely(picture, corners, (40.1, 40.0), EXACT, SEEN).scale.tolist() == [1.0, 1.0]
    wide = [np.array([(10.0, 110.0), (390.0, 150.0)])]
    assert look_closely(picture, wide, (40.11, 40.0), EXACT, SEEN).scale.tolist() == [1.0, 1.0]
    assert look_closely(picture, wide, (40.14, 40.0), EXACT, SEEN).scale.tolist() == [399 / 400, 1.0]
    found = look_closely(picture, corners, (60.0, 40.0), EXACT, SEEN)
    # 24 pixels on either side of 40, and one: 89, of which 59 are left.
    assert found.pixels.shape == (73, 59, 3)
    assert found.scale.tolist() == [59 / 89, 1.0]


@pytest.mark.parametrize(
    ("specks", "levels", "together", "gone"),
    [(2, 51, 1, False), (3, 51, 1, True), (3, 50, 1, False), (3, 51, 2, True), (3, 51, 3, False)],
)
def test_pepper_is_taken_off_where_there_is_much(specks, levels, together, gone):
    """From 0.0003 of 100 x 100 pixels on, 51 levels from what is around, with one beside at most."""
    pixels = np.full((100, 100, 3), 200, np.uint8)
    for at in range(specks):
        pixels[10, 20 * at + 10 : 20 * at + 10 + together] = 200 - levels
    assert (_without_pepper(pixels, EXACT) == 200).all() == gone


def two_squares(upper=0.0):
    """Two pieces that share 20 of their 40 columns; of what they share the upper share of rows has the first's grey."""
    pixels = np.full((60, 100), 250.0)
    pixels[10:50, 10:50] = 100.0
    pixels[10:50, 30:70] = 50.0
    pixels[10 : 10 + round(40 * upper), 30:50] = 100.0
    outlines = [np.array([(x, 10.0), (x + 40, 10.0), (x + 40, 50.0), (x, 50.0)]) for x in (10.0, 30.0)]
    close = close_of(pixels)
    codes = codes_of(close, outlines)
    return close, codes, colors_of_pieces(close, codes, outlines, EXACT)


def test_pieces_have_the_colours_that_they_have_alone():
    close, codes, colors = two_squares()
    assert codes[30, [5, 20, 40, 60]].tolist() == [0, 1, 3, 2]
    assert colors.tolist() == [[100.0] * 3, [50.0] * 3, [250.0] * 3]
    assert close.pixels.shape == (60, 100, 3)


def test_colours_are_told_by_some_hundred_pixels(monkeypatch):
    """Of 900 within a piece each third, and of 2700 of the ground each ninth; and so of what two pieces share."""
    asked, real = [], close_module.middle_of
    monkeypatch.setattr(close_module, "middle_of", lambda values: asked.append(len(values)) or real(values))
    outlines = [np.array([(x, 10.0), (x + 40, 10.0), (x + 40, 50.0), (x, 50.0)]) for x in (10.0, 60.0)]
    codes = np.zeros((60, 120), np.int32)
    codes[15:45, 15:45] = 1
    codes[15:45, 65:95] = 2
    codes[:, 100:] = 3
    close = close_of(np.full((60, 120), 250.0))
    colors = colors_of_pieces(close, codes, outlines, EXACT)
    assert asked[:2] == [300, 300]
    assert asked[2] == -(-(60 * 100 - 1800) // 14)
    shared = []
    monkeypatch.setattr(close_module, "share_of", lambda values, share: shared.append((len(values), share)) or 0.0)
    owners_of(close, codes, colors, EXACT)
    assert shared == [(300, 0.25)] * 2


def test_a_piece_has_the_colour_of_its_middle():
    """Of 40 pixels 30 are looked at: 28 of them are dark, though in all of the piece most are not."""
    pixels = np.full((60, 60), 250.0)
    pixels[10:50, 10:50] = 200.0
    pixels[16:44, 16:44] = 90.0
    outline = [np.array([(10.0, 10.0), (50.0, 10.0), (50.0, 50.0), (10.0, 50.0)])]
    close = close_of(pixels)
    assert colors_of_pieces(close, codes_of(close, outline), outline, EXACT)[0].tolist() == [90.0] * 3


@pytest.mark.parametrize(("upper", "owner"), [(0.2, 1), (0.3, 0)])
def test_of_pieces_that_lie_on_each_other_one_is_seen(upper, owner):
    """That whose colour a quarter of what they share has; of both, the first."""
    close, codes, colors = two_squares(upper)
    owners = owners_of(close, codes, colors, EXACT)
    assert owners[30, [5, 20, 40, 60]].tolist() == [2, 0, owner, 1]


def test_shares_and_middles_of_values():
    values = np.array([5, 1, 4, 2, 3], np.float32)
    assert [share_of(values, share) for share in (0.0, 0.25, 0.5, 1.0)] == [1.0, 2.0, 3.0, 5.0]
    assert middle_of(np.array([[1, 9], [3, 7], [2, 8], [4, 6]], np.float32)).tolist() == [3.0, 8.0]


# --- outlines ---


def test_where_values_rise_above_a_level():
    reach = np.array([-1.0, 0.0, 1.0, 2.0])
    values = np.array([[0, 2, 6, 9], [5, 9, 9, 9], [0, 0, 0, 0]], np.float32)
    # Between 2 and 6 a level of 3 is a quarter of the way from 0 to 1.
    assert _crossing(values, np.array([3, 3, 3], np.float32), reach).tolist() == [0.25, -1.0, 2.0]


def test_a_line_is_what_is_farthest_from_mixtures():
    own, other = np.array([[100.0] * 3], np.float32), np.array([[200.0] * 3], np.float32)
    shown = np.array([[[100] * 3, [150] * 3, [20] * 3, [180] * 3, [230] * 3]], np.float32)
    peak, strength = _lines(shown, own, other)
    assert (peak.tolist(), strength.tolist()) == ([[20.0] * 3], [80.0])


def test_noise_is_told_within_pieces():
    """Of the five places from -1 to 1 the one below -1/2 counts."""
    reach = np.linspace(-1, 1, 5)
    shown = np.full((3, 5, 3), 100, np.float32)
    shown[:, 0] += np.array([[4], [-2], [3]])
    assert _noise(shown, np.full((3, 3), 100, np.float32), reach) == pytest.approx(1.4826 * 3)


def test_the_longest_run_goes_around():
    def run(text, usable=None):
        bad = np.array([one == "x" for one in text])
        return _longest(bad, np.array([one == "1" for one in usable]) if usable else np.ones(len(text), bool))

    assert [run(one) for one in ("....", "xxxx", ".xx.", "xx.x", ".x.xxx.x")] == [0, 4, 2, 3, 3]
    assert run("x.xx", "1011") == 3  # what is not seen says nothing
    assert run("x.xx", "0100") == 0


def outlines(shapes=(SQUARE,), unit=UNIT, **parts):
    """Outlines that are seen where they were laid, but for some parts."""
    poses = np.array([(60.0 + 50 * at, 60.0, 0.0) for at in range(len(shapes))])
    points = _points(shapes, poses, unit, EXACT)
    count = len(points.piece)
    whole = SeenOutlines(
        points, np.ones(count, bool), points.usable.copy(), np.zeros(count), np.full(count, 0.05), 0.05, None
    )
    return replace(whole, **parts)


def terms_of(local, outward):
    """By how much an edge point goes out where its piece is moved along, up, turned, or grown."""
    return np.column_stack([outward, outward[:, 1] * local[:, 0] - outward[:, 0] * local[:, 1], np.ones(len(local))])


def ridge(terms, wanted, noise, prior):
    """The least squares that hold what is fitted to 0 with such deviations."""
    more = np.vstack([terms / noise, np.diag(1 / np.array(prior))])
    return np.linalg.lstsq(more, np.concatenate([wanted / noise, np.zeros(len(prior))]), rcond=None)[0]


def test_points_at_hinges_are_not_asked_for():
    """Nearer than 0.17 units: of a row of three pieces the first has one hinge, and the second has two."""
    points = _points((SQUARE, SQUARE, SQUARE), np.zeros((3, 3)), UNIT, EXACT)
    away = [np.hypot(points.local[:, 0] - end, points.local[:, 1]) for end in (-0.5, 0.5)]
    wanted = [away[1] > 0.17, (away[0] > 0.17) & (away[1] > 0.17), away[0] > 0.17]
    for number in range(3):
        mine = points.piece == number
        assert points.usable[mine].tolist() == wanted[number][mine].tolist()
        assert mine.sum() == 4 * round(20 / np.sqrt(2))


@pytest.mark.parametrize("unit", [40.0, 5.0])
def test_how_a_piece_lies_is_fitted(unit):
    """With deviations of 0.06 units, 0.08 radians and 0.06 units, and of 0.012 units and 0.25 pixels of each point."""
    seen = outlines((RECTANGLE,), unit)
    terms = terms_of(seen.points.local, seen.points.outward)
    middle = terms @ np.array([0.012, -0.008, 0.01, 0.009])
    (fit,) = fit_pieces(replace(seen, middle=middle), 1, unit, EXACT)
    wanted = ridge(terms, middle, 0.012 + 0.25 / unit, (0.06, 0.06, 0.08, 0.06))
    assert (*fit.moved, fit.turned, fit.grown) == pytest.approx(wanted, rel=1e-6)
    assert (fit.seen, fit.run) == (1.0, 0.0)
    system = terms.T @ terms + np.diag((0.012 + 0.25 / unit) ** 2 / np.array([0.06, 0.06, 0.08, 0.06]) ** 2)
    assert fit.unsure == pytest.approx((0.012 + 0.25 / unit) * np.sqrt(np.linalg.inv(system)[2, 2]))


@pytest.mark.parametrize(
    ("off", "thick", "run"), [(0.040, 0.05, 0.0), (0.046, 0.05, 0.15), (0.0, 0.11, 0.0), (0.0, 0.13, 0.15)]
)
def test_a_stretch_of_edge_that_is_off_is_told(off, thick, run):
    """Off by 0.025 units and 0.7 pixels of 40, 0.0425, or with a line by 0.07 wider: three points, 20 to a unit."""
    seen = outlines()
    middle, thickness = seen.middle.copy(), seen.thick.copy()
    middle[5:8], thickness[5:8] = off, thick
    (fit,) = fit_pieces(replace(seen, middle=middle, thick=thickness), 1, UNIT, EXACT)
    assert fit.run == pytest.approx(run)


def test_a_piece_of_which_little_is_seen_is_not_held_to_its_shape():
    for number, told in ((7, False), (8, True)):
        usable = np.zeros(56, bool)
        usable[:number] = True
        (fit,) = fit_pieces(outlines(usable=usable, middle=np.full(56, 0.03)), 1, UNIT, EXACT)
        assert np.isfinite(fit.unsure) == told
        assert (fit.moved != (0.0, 0.0)) == told


def whole(middle_of_points, shapes=(SQUARE, SQUARE, SQUARE), **parts):
    seen = outlines(shapes, **parts)
    out = seen.points.normals * (1, -1)
    at = (seen.points.places - (60.0, 60.0)) / UNIT * (1, -1)
    along = out * at
    terms = np.column_stack(
        [out, out[:, 1] * at[:, 0] - out[:, 0] * at[:, 1], along.sum(axis=1), along[:, 0] - along[:, 1]]
    )
    seen = replace(seen, middle=terms @ np.array(middle_of_points))
    return fit_whole(seen, np.array([60.0, 60.0]), UNIT, EXACT), terms[seen.usable], seen.middle[seen.usable]


def test_a_whole_chain_is_moved_turned_and_resized():
    found, terms, middle = whole([0.02, -0.03, 0.01, 0.015, 0.0])
    wanted = ridge(terms[:, :4], middle, 0.03, (0.1, 0.1, 0.05, 0.06))
    assert found.moved == pytest.approx(wanted[:2], rel=1e-3)
    assert found.turned == pytest.approx(wanted[2], rel=1e-3)
    assert found.grown == pytest.approx((1 + wanted[3],) * 2, rel=1e-5)
    assert found.matters


def test_a_whole_chain_is_stretched_where_that_fits_much_better():
    found, terms, middle = whole([0.0, 0.0, 0.0, 0.0, 0.03])
    wanted = ridge(terms, middle, 0.03, (0.1, 0.1, 0.05, 0.06, 0.04))
    assert found.grown == pytest.approx((1 + wanted[3] + wanted[4], 1 + wanted[3] - wanted[4]), rel=1e-4)
    assert found.grown[0] > 1.02 > 0.98 > found.grown[1]


@pytest.mark.parametrize(("off", "matters"), [(0.0048, False), (0.0052, True)])
def test_a_whole_chain_that_lies_well_is_not_moved(off, matters):
    """Where edges are off by less than 0.005 units in the mean."""
    seen = outlines()
    seen = replace(seen, middle=np.full(len(seen.middle), off))
    found = fit_whole(seen, np.array([60.0, 60.0]), UNIT, EXACT)
    assert found.matters == matters
    assert found.moved == pytest.approx((0.0, 0.0), abs=1e-9)
    few = replace(seen, usable=np.arange(len(seen.middle)) < 7, middle=seen.middle * 10)
    nothing = fit_whole(few, np.array([60.0, 60.0]), UNIT, EXACT)
    assert (nothing.moved.tolist(), nothing.turned, nothing.grown) == ([0.0, 0.0], 0.0, (1.0, 1.0))


def drawn_square(grown=0.0, line=0.0, cut=0.0, levels=100.0):
    """A square that stands on its corner, drawn on a white ground with 40 pixels to a unit, each the mean of 8 x 8."""
    rows, columns = np.mgrid[: 120 * 8, : 120 * 8] / 8 + 1 / 16 - 60.0
    away = (np.abs(rows) + np.abs(columns)) / np.sqrt(2)
    shown = np.where(away <= (0.3536 + grown) * UNIT, levels, 250.0)
    shown = np.where(np.abs(away - (0.3536 + grown) * UNIT) <= line * UNIT / 2, 20.0, shown)
    shown = np.where(columns > (0.5 - cut) * UNIT, 250.0, shown)
    return shown.reshape(120, 8, 120, 8).mean(axis=(1, 3))


def looked(pixels):
    close = close_of(pixels)
    poses = np.array([(60.0, 60.0, 0.0)])
    outline = [corners_of(SQUARE, poses[0], UNIT)]
    codes = codes_of(close, outline)
    colors = colors_of_pieces(close, codes, outline, EXACT)
    owner = owners_of(close, codes, colors, EXACT)
    return close, owner, colors, poses


def looked_at(pixels):
    close, owner, colors, poses = looked(pixels)
    return close, owner, colors, (SQUARE,), poses, (), EXACT


@pytest.mark.parametrize(("far", "usable"), [(0.0, False), (0.2, False), (0.26, True)])
def test_nothing_is_asked_of_edges_that_are_looked_across_through_a_disc(far, usable):
    """The disc of 0.1 units lies `far` outside of the middle of an edge, and 0.14 are looked at on both sides of it."""
    pixels = drawn_square()
    close, owner, colors, poses = looked(pixels)
    plain = see_outlines(close, owner, colors, (SQUARE,), poses, (), EXACT)
    at = int(np.abs(plain.points.local @ plain.points.outward[0]).argmax())
    x, y = plain.points.places[at] + (far * UNIT) * plain.points.normals[at]
    discs = [(float(x), float(y), 0.1 * UNIT)]
    seen = see_outlines(close, owner, colors, (SQUARE,), poses, discs, EXACT)
    assert plain.points.usable[at]
    assert seen.points.usable[at] == usable


@pytest.mark.parametrize("grown", [-0.02, 0.0, 0.02])
def test_an_edge_is_seen_to_a_part_of_a_pixel(grown):
    close, owner, colors, poses = looked(drawn_square(grown))
    seen = see_outlines(close, owner, colors, (SQUARE,), poses, (), EXACT)
    assert np.median(seen.middle[seen.usable]) == pytest.approx(grown, abs=0.003)
    assert (seen.ink, seen.line) == (None, pytest.approx(0.0, abs=0.01))
    (fit,) = fit_pieces(seen, 1, UNIT, EXACT)
    assert fit.grown == pytest.approx(grown, abs=0.004)
    assert fit.moved == pytest.approx((0.0, 0.0), abs=0.003)


def test_an_outline_is_seen_with_its_width_and_colour():
    close, owner, colors, poses = looked(drawn_square(line=0.06))
    seen = see_outlines(close, owner, colors, (SQUARE,), poses, (), EXACT)
    assert seen.line == pytest.approx(0.06, abs=0.015)
    assert seen.ink == pytest.approx([20.0] * 3, abs=30)
    assert np.median(seen.middle[seen.usable]) == pytest.approx(0.0, abs=0.004)


@pytest.mark.parametrize(("levels", "seen"), [(233.0, False), (231.0, True)])
def test_edges_between_like_colours_say_nothing(levels, seen):
    """From 18 levels on."""
    close, owner, colors, poses = looked(drawn_square(levels=levels))
    assert see_outlines(close, owner, colors, (SQUARE,), poses, (), EXACT).usable.any() == seen


@pytest.mark.parametrize(("cut", "bent"), [(0.044, ()), (0.05, (0,))])
def test_a_corner_that_is_cut_is_told(cut, bent):
    """By 0.035 units and 1.2 pixels of 40, 0.065, of which a sharp corner loses some by what is half as dark."""
    close, owner, colors, poses = looked(drawn_square(cut=cut))
    assert cut_corners(close, owner, colors, (SQUARE,), poses, EXACT) == bent


def told_plainly(part=None, below=108.2):
    """Whether an edge of a piece above it, seen at (100.5, 100.5) with 100 pixels to a unit, has nothing else near."""
    owner = np.ones((200, 200), np.int16)
    owner[:100] = 0
    if part is not None:
        owner[part] = 5
    reach = np.linspace(-0.14, 0.14, 58)  # not a step of which a bound is a multiple
    place, normal = np.array([[100.5, 100.5]]), np.array([[0.0, 1.0]])
    points = SimpleNamespace(piece=np.array([0]), places=place, normals=normal)
    close = SimpleNamespace(inner=(0.0, 0.0, 200.0, below), unit=100.0)
    tried = tuple(place[:, [axis]] + 100 * reach * normal[:, [axis]] for axis in (0, 1))
    beyond, plain = _owned(close, owner, points, tried, reach, EXACT)
    assert beyond.tolist() == [1]
    return bool(plain[0])


@pytest.mark.parametrize(
    ("part", "plain"),
    [
        (None, True),
        # Nearer than 0.04 of 100 pixels, which are 4 or, as lines reach beyond pieces, 5, nothing is looked at.
        (np.s_[96:105, 100], True),
        (np.s_[95, 100], False),
        (np.s_[105, 100], False),
        # 0.14 units, 14 pixels, and 0.03 more are; and 3 to either side.
        (np.s_[83, 100], False),
        (np.s_[82, 100], True),
        (np.s_[80:90, 103], False),
        (np.s_[80:90, 97], False),
        (np.s_[80:90, 104], True),
        (np.s_[80:90, 96], True),
    ],
)
def test_near_an_edge_lies_nothing_else(part, plain):
    assert told_plainly(part) == plain


def test_an_edge_lies_within_the_picture():
    """By 0.07 units, of which 6.6 pixels are looked at, and a pixel more: to 108.13."""
    assert told_plainly(below=108.2)
    assert not told_plainly(below=108.1)


@pytest.mark.parametrize(("levels", "seen"), [(221.0, False), (219.0, True)])
def test_noise_hides_edges_between_like_colours(monkeypatch, levels, seen):
    """Three times its deviation of 4 levels."""
    monkeypatch.setattr(edges, "_noise", lambda *_: 4.0)
    assert see_outlines(*looked_at(drawn_square(levels=levels))).usable.any() == seen


@pytest.mark.parametrize(("strength", "lined"), [(35.0, False), (37.0, True)])
def test_a_line_stands_out_from_noise(monkeypatch, strength, lined):
    """By 24 levels, and three times its deviation of 4 more."""
    monkeypatch.setattr(edges, "_noise", lambda *_: 4.0)
    monkeypatch.setattr(
        edges, "_lines", lambda shown, *_: (np.full((len(shown), 3), 20.0), np.full(len(shown), strength))
    )
    assert (see_outlines(*looked_at(drawn_square())).ink is not None) == lined


@pytest.mark.parametrize(("every", "lined"), [(5, False), (3, True)])
def test_pieces_have_outlines_where_a_quarter_of_their_edges_has(monkeypatch, every, lined):
    def lines(shown, *_):
        return np.full((len(shown), 3), 20.0), np.where(np.arange(len(shown)) % every, 0.0, 99.0)

    monkeypatch.setattr(edges, "_lines", lines)
    assert (see_outlines(*looked_at(drawn_square())).ink is not None) == lined


def test_points_along_edges_of_a_grid_of_twenty_by_four(monkeypatch):
    """20 to a unit along edges."""
    asked, real = [], edges.samples_of
    monkeypatch.setattr(edges, "samples_of", lambda *what: asked.append(what) or real(*what))
    _points((SQUARE,), np.array([(60.0, 60.0, 0.0)]), UNIT, EXACT)
    assert set(asked) == {(SQUARE, 20.0, 4)}
