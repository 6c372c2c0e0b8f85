"""How a silhouette is read, stage by stage, at each stage's bounds: with 200 pixels of its longer side."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.common.residual.ground import Ground, GroundConfig
from detectors.common.residual.mixing import seen
from detectors.form_board import fitting, segments
from detectors.form_board.board import _gaps, _lines, _rejoined
from detectors.form_board.config import FitConfig, FormBoardConfig, SegmentConfig
from detectors.form_board.fitting import Area, Fit, ShapeChange, _is_fit, _ratio, _settled, _variants, recognise
from detectors.form_board.scene import given_color
from detectors.form_board.segments import _grown, _holes_filled, _room, _seeds, _slopes, _without_small, take_apart
from detectors.form_board.segments import _spread as spread
from detectors.form_board.shapes import PieceShape, area_of, color_of, depth_of, filled, ring_of, wider

CONFIG, SEGMENTS, FIT = FormBoardConfig(), SegmentConfig(), FitConfig()
SIDE = 200.0
L_SHAPE = np.array([(0, 0), (60, 0), (60, 40), (25, 40), (25, 80), (0, 80)], float)


def box(left, top, wide, high):
    return np.array([(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)], float)


# --- outlines ---


def test_what_an_outline_is():
    shape = PieceShape(L_SHAPE)
    assert (shape.size, shape.extent) == (60 * 40 + 25 * 40, (60.0, 80.0))
    assert shape.lengths.tolist() == [60, 40, 35, 40, 25, 80]
    assert shape.box_middle.tolist() == [30.0, 40.0]
    # Of 2400 at (30, 20) and of 1000 at (12.5, 60).
    assert shape.centroid == pytest.approx(((2400 * 30 + 1000 * 12.5) / 3400, (2400 * 20 + 1000 * 60) / 3400))
    assert shape.normals[0].tolist() == [0.0, 1.0]
    # Four points, 70 apart on an outline of 280.
    assert shape.points(4).tolist() == [[0, 0], [60, 10], [25, 45], [0, 70]]
    assert area_of(L_SHAPE[::-1]) == 3400


def test_depths_and_colours_of_areas():
    mask = np.zeros((9, 9), bool)
    mask[2:9, 2:7] = True
    depth = depth_of(mask)
    assert depth[5, 2:7].tolist() == pytest.approx([1, 2, 3, 2, 1], abs=0.01)
    assert depth[8, 4] == pytest.approx(1.0, abs=0.01)  # beyond the picture there is none of it
    lab = np.zeros((9, 9, 3), np.float32)
    lab[depth > 1.5] = 0.4
    assert color_of(lab, depth).tolist() == pytest.approx([0.4] * 3)
    assert color_of(lab, np.zeros_like(depth)).tolist() == [0.0] * 3
    picture = np.full((9, 9, 3), 250, np.uint8)
    picture[depth > 1.5] = (200, 60, 40)
    assert given_color(picture, box(2, 2, 5, 7)).tolist() == pytest.approx(seen(picture)[5, 4].tolist())
    assert given_color(picture, box(20, 2, 5, 7)).tolist() == [0.0] * 3
    assert ring_of(depth, 1.0).sum() == (depth > 1.5).sum() - (depth > 2.5).sum()
    assert wider(mask, 1.4).sum() == 7 * 8  # a pixel to three sides


# --- areas of one colour ---


def with_square(contrast, paper=0.0, size=40):
    """A square on paper, in the colours of contrasts, and where paper is."""
    lab = np.zeros((120, 120, 3), np.float32)
    lab[:20, :20, 0] = paper
    lab[60 : 60 + size, 60 : 60 + size, 0] = contrast
    at = np.ones((120, 120), bool)
    at[55:105, 55:105] = False
    return lab, np.flatnonzero(at)


@pytest.mark.parametrize(
    ("contrast", "numbers", "marked"),
    [(0.034, (), False), (0.036, (2,), False), (0.119, (2,), False), (0.121, (2,), True)],
)
def test_what_is_drawn_differs_from_paper(contrast, numbers, marked):
    lab, paper = with_square(contrast)
    found = take_apart(lab, paper, SIDE, 10000.0, SEGMENTS)
    assert tuple(found.labels[60:100, 60:100].ravel().tolist()[820:821]) == (numbers or (0,))
    assert (len(found.numbers), found.marked.any()) == (len(numbers), marked)
    assert found.enclosed == 0


def test_slopes_are_told_a_pixel():
    lab = np.zeros((20, 20, 3), np.float32)
    lab[..., 0] = np.arange(20) * 0.01
    lab[..., 1] = np.arange(20)[:, None] * 0.02
    assert _slopes(lab)[10, 10] == pytest.approx(math.hypot(0.01, 0.02))


@pytest.mark.parametrize(
    ("noise", "contrast", "numbers", "marked"),
    # 1.3 times the noise of paper, but no more than 0.08; plainly drawn is what differs twice as much.
    [(0.03, 0.038, (), False), (0.03, 0.04, (2,), False), (0.1, 0.079, (), False), (0.1, 0.081, (2,), False),
     (0.1, 0.159, (2,), False), (0.1, 0.161, (2,), True)],
)  # fmt: skip
def test_what_is_drawn_differs_from_noise_of_paper(monkeypatch, noise, contrast, numbers, marked):
    told = []

    def fit(lab, at, config):
        told.append(config)
        return Ground(np.zeros_like(lab), np.zeros(3, np.float32), noise)

    monkeypatch.setattr(segments, "fit_ground", fit)
    lab, paper = with_square(contrast)
    found = take_apart(lab, paper, SIDE, 10000.0, SEGMENTS)
    assert (found.numbers, bool(found.marked.any())) == (numbers, marked)
    assert told == [GroundConfig(samples=1000, rounds=3)]


@pytest.mark.parametrize(("slope", "flat"), [(0.0219, True), (0.0221, False)])
def test_what_is_flat_is_as_flat_as_paper(monkeypatch, slope, flat):
    """Up to 2.2 times the slope that half of 4000 pixels of the paper stay below."""
    asked = []

    def usual(values):
        asked.append(values.size)
        return 0.01

    monkeypatch.setattr(segments, "_slopes", lambda lab: np.full(lab.shape[:2], slope, np.float32))
    monkeypatch.setattr(segments, "median", usual)
    lab, paper = with_square(0.3)
    found = take_apart(lab, paper[:8000], SIDE, 10000.0, SEGMENTS)
    assert (bool(found.numbers), asked) == (flat, [4000])


@pytest.mark.parametrize(("slope", "flat"), [(0.0135, True), (0.0145, False)])
def test_what_is_flat_is_an_area(slope, flat):
    lab, paper = with_square(0.3)
    lab[60:100, 60:100, 0] = 0.2 + slope * np.arange(40)
    found = take_apart(lab, paper, SIDE, 10000.0, SEGMENTS)
    assert bool(found.numbers) == flat


def seeds(*widths, ground=False):
    """The numbers of bars of so many pixels, across a picture of 120."""
    drawn = np.zeros((120, 120), bool)
    for at, width in enumerate(widths):
        drawn[10:110, 30 * at + 5 : 30 * at + 5 + width] = True
    found, sizes = _seeds(drawn if ground else np.ones_like(drawn), drawn if ground else ~drawn, SIDE, SEGMENTS)
    return [int(found[60, 30 * at + 5]) for at in range(len(widths))], sizes


def test_what_is_narrow_is_a_line_or_a_seam():
    """Half of a line has 0.022 x 200 pixels, of which blur takes one: 3.4, which bars of 7 reach in their middle.

    Half of a seam has 2.2, and 1.2 with it.
    """
    assert seeds(6, 7, 20) == ([0, 2, 3], {2: 700, 3: 2000})
    assert seeds(2, 3, 20, ground=True) == ([0, 1, 1], {})


@pytest.mark.parametrize(("off", "beside"), [(0.049, True), (0.051, False)])
def test_areas_spread_over_what_has_their_colour(off, beside):
    """Up to 4 pixels, and up to a contrast of 0.05."""
    lab = np.zeros((40, 40, 3), np.float32)
    lab[:, 15:] = off / np.sqrt(3)
    start = np.zeros((40, 40), np.int32)
    start[:, :15] = 2
    found = spread(start, lab, {2: 600}, SEGMENTS)
    assert np.flatnonzero(found[20] == 2).tolist() == list(range(19 if beside else 15))


def test_an_areas_colour_is_told_by_some_hundred_pixels(monkeypatch):
    """Of 800 pixels each second one."""
    asked = []
    monkeypatch.setattr(segments, "channel_medians", lambda colors: asked.append(len(colors)) or np.zeros(3))
    start = np.zeros((40, 40), np.int32)
    start[:, :20] = 2
    spread(start, np.zeros((40, 40, 3), np.float32), {2: 800}, SEGMENTS)
    assert asked == [400]


def test_each_pixel_belongs_to_the_nearest_area():
    start = np.zeros((5, 12), np.int32)
    start[:, 0], start[:, 7], start[:, 10] = 1, 2, 3
    assert _grown(start)[2].tolist() == [0, 0, 0, 0, 2, 2, 2, 2, 2, 3, 3, 3]
    assert not _grown(np.zeros((5, 5), np.int32)).any()
    assert _room(start == 2, 2) == (slice(0, 7), slice(5, 10))


def areas(size, beside=0, within=0):
    """An area of 3 beside one of 2 in a row of so many pixels, or within it."""
    labels = np.zeros((60, 60), np.int32)
    labels[10:50, 10:50] = 2
    if within:
        labels[20 : 20 + within // 10, 20:30] = 3
    else:
        labels[10 : 10 + size // 10, 50:60] = 3
    return _without_small(labels, {2: 1600, 3: size or within}, 10000.0, SEGMENTS)


@pytest.mark.parametrize(("size", "left"), [(80, False), (90, True)])
def test_small_areas_are_given_to_their_neighbours(size, left):
    """Up to 0.008 of 10 000 pixels. Of 36 pixels around it most are paper."""
    made, enclosed = areas(size)
    assert ((made == 3).any(), enclosed) == (left, 0)
    assert left or (made[10:18, 50:60] == 0).all()


@pytest.mark.parametrize(("within", "enclosed"), [(80, 1), (90, 0)])
def test_small_areas_within_one_are_part_of_it(within, enclosed):
    made, number = areas(0, within=within)
    assert (number, (made == 3).any()) == (enclosed, not enclosed)
    assert not enclosed or (made[10:50, 10:50] == 2).all()


@pytest.mark.parametrize(("rows", "left"), [(4, False), (5, True)])
def test_small_islands_of_paper_are_part_of_what_is_around(rows, left):
    """Up to 40 pixels."""
    labels = np.zeros((60, 60), np.int32)
    labels[10:50, 10:50] = 2
    labels[20 : 20 + rows, 20:30] = 0
    made, enclosed = _holes_filled(labels, 40.0, 0)
    assert ((made[20:40, 20:40] == 0).any(), enclosed) == (left, 1 - left)
    labels[20:24, 20:30] = 0
    labels[20:24, 30:50] = 3
    assert _holes_filled(labels, 40.0, 0)[1] == 0  # between two areas


@pytest.mark.parametrize(("wide", "left"), [(10, False), (11, True)])
def test_islands_of_paper_are_filled_up_to_four_thousandths(wide, left):
    """Of 10 000 pixels: 4 rows of 10 are, and of 11 are not."""
    labels = np.zeros((60, 60), np.int32)
    labels[10:50, 10:50] = 2
    labels[20:24, 20 : 20 + wide] = 0
    made, enclosed = _without_small(labels, {2: 1600}, 10000.0, SEGMENTS)
    assert ((made[20:40, 20:40] == 0).any(), enclosed) == (left, 1 - left)


def test_an_area_that_a_smaller_one_was_given_to_is_no_small_one():
    """70 pixels are; 70 and 20 within them are more than 80."""
    labels = np.zeros((60, 60), np.int32)
    labels[10:50, 10:50] = 2
    labels[20:29, 20:30] = 3
    labels[22:26, 22:27] = 4
    made, enclosed = _without_small(labels, {2: 1510, 3: 70, 4: 20}, 10000.0, SEGMENTS)
    assert (int((made == 3).sum()), enclosed) == (90, 1)


# --- what an area is ---


@pytest.mark.parametrize(
    ("deviation", "farthest", "misfit", "fits"),
    [
        (3.79, 20.9, 0.0, True),  # 0.014 x 200 and a pixel, 0.1 x 200 and one
        (3.81, 0.0, 0.0, False),
        (0.0, 21.1, 0.0, False),
        # An outline of 280 around 3400: 0.012 and 0.007 x 200 x 280 / 3400, which is 0.1273.
        (0.0, 0.0, 0.127, True),
        (0.0, 0.0, 0.1276, False),
    ],
)
def test_when_an_area_is_a_piece(deviation, farthest, misfit, fits):
    assert _is_fit(Fit((0.0, 0.0), deviation, farthest, misfit), PieceShape(L_SHAPE), SIDE, FIT) == fits


def area(corners, size=200):
    return Area(filled(np.asarray(corners, float), (size, size)), FIT)


def test_an_outline_of_an_area_is_looked_at_at_some_points(monkeypatch):
    """Its rim of 156 pixels at each second one, and a piece's outline at 72; 12 pixels around it are looked at."""
    found = area(box(50, 50, 39, 39))
    assert found.size == 40 * 40
    assert len(found.points) == 78
    assert found.distances(np.array([(95.5, 70.5), (130.5, 70.5)])).tolist() == pytest.approx([6.0, 12.0], abs=0.1)
    asked = []
    monkeypatch.setattr(Area, "distances", lambda self, points: asked.append(len(points)) or np.zeros(len(points)))
    fitting.fit_outline(found, PieceShape(box(0, 0, 40, 40)), SIDE, FIT)
    assert asked == [72]


@pytest.mark.parametrize(("off", "times"), [(0.049, 1), (0.051, 12)])
def test_an_outline_is_moved_until_it_hardly_moves(monkeypatch, off, times):
    """By less than 0.05 pixels, or twelve times."""
    asked = []

    def apart(points, shape):
        asked.append(len(points))
        return np.full((len(points), 2), off), np.arange(len(points)) % 2

    monkeypatch.setattr(fitting, "_apart", apart)
    moved = _settled(np.zeros((8, 2)), PieceShape(box(0, 0, 40, 40)), np.zeros(2), FIT)
    assert asked == [8] * times
    assert moved == pytest.approx([off * times] * 2)


def test_an_outline_that_fits_is_not_moved_from_elsewhere(monkeypatch):
    fits = [Fit((0.0, 0.0), 0.0, 0.0, 0.02), Fit((1.0, 0.0), 0.0, 0.0, 0.01)]
    monkeypatch.setattr(fitting, "_measured", lambda *_: fits.pop(0))
    shape = PieceShape(box(0, 0, 40, 40))
    assert fitting.fit_outline(area(box(50, 50, 39, 39)), shape, SIDE, FIT).misfit == 0.02
    # Else the one that fits better is, of what starts at the middles of boxes and at those of areas.
    fits[:] = [Fit((0.0, 0.0), 9.0, 0.0, 0.02), Fit((1.0, 0.0), 9.0, 0.0, 0.03)]
    assert fitting.fit_outline(area(box(50, 50, 39, 39)), shape, SIDE, FIT).misfit == 0.02
    assert not fits


@pytest.mark.parametrize(
    ("change", "misfit", "told"),
    [
        (ShapeChange.TURNED, 0.079, False),
        (ShapeChange.TURNED, 0.081, True),
        (ShapeChange.MIRRORED, 0.079, False),
        (ShapeChange.MIRRORED, 0.081, True),
        (ShapeChange.SCALED, 0.0, True),
        (ShapeChange.AS_GIVEN, 0.0, True),
    ],
)
def test_a_piece_was_turned_if_it_fits_better_then(monkeypatch, change, misfit, told):
    """By 0.08 of it."""
    shape = PieceShape(L_SHAPE)
    monkeypatch.setattr(fitting, "_variants", lambda *_: [(change, shape)])
    monkeypatch.setattr(fitting, "fit_outline", lambda *_: Fit((0.0, 0.0), 0.0, 0.0, 0.0))
    known = {"L": Fit((0.0, 0.0), 9.0, 0.0, misfit)}
    found = fitting._changed(area(L_SHAPE), {"L": shape}, known, SIDE, FIT)
    assert (found is not None and (found.label, found.change) == ("L", change)) == told


@pytest.mark.parametrize(("high", "number"), [(61, 15), (62, 0), (49, 15), (48, 0)])
def test_pieces_are_turned_where_an_area_is_nearly_as_large(high, number):
    """By 1.12: of 3400 pixels up to 3808, or down to 3036. Eight turns, mirrored or not, but for one; and two sizes."""
    mask = np.zeros((200, 200), bool)
    mask[20 : 20 + high, 20:82] = True
    found = list(_variants(Area(mask, FIT), PieceShape(L_SHAPE), FIT))
    assert len(found) == number + 2
    assert [change for change, _ in found[:number]] == [ShapeChange.TURNED] * min(7, number) + [
        ShapeChange.MIRRORED
    ] * max(0, number - 7)
    if number:
        # An eighth of a turn.
        corner = found[0][1].corners[1] - found[0][1].corners[0]
        assert corner == pytest.approx((60 / math.sqrt(2), 60 / math.sqrt(2)))


@pytest.mark.parametrize(("times", "change"), [(1.04, ShapeChange.AS_GIVEN), (1.06, ShapeChange.SCALED)])
def test_a_piece_of_nearly_the_same_size_is_as_given(times, change):
    """Up to 0.05 in either direction; an area of pixels is a pixel wider."""
    found = list(_variants(area(box(10, 10, 100 * times - 1, 100 * times - 1)), PieceShape(box(0, 0, 100, 100)), FIT))
    assert found[-1][0] is change
    assert found[-2][0] is change


def test_sizes_are_compared_either_way():
    assert (_ratio(4.0, 2.0), _ratio(2.0, 4.0), _ratio(3.0, 3.0)) == (2.0, 2.0, 1.0)


@pytest.mark.parametrize(("length", "change"), [(190, ShapeChange.UNKNOWN), (200, ShapeChange.JOINED)])
def test_what_is_larger_than_any_piece_is_several(length, change):
    """Larger than 1.15 x 3400; a bar of 20 and one more."""
    found = recognise(area(box(20, 20, length - 1, 19), 300), {"L": PieceShape(L_SHAPE)}, SIDE, FIT)
    assert (found.label, found.change) == ("", change)


@pytest.mark.parametrize(("times", "known"), [(1.55, True), (1.65, False)])
def test_areas_of_another_size_are_not_compared(times, known):
    """From 1.6 times on; below, what is like a piece by 0.45 of it is that, altered."""
    square = PieceShape(box(0, 0, 40, 40))
    # Of 40 x 40 all is covered; what is more is 0.55 of it, or 0.65, but its half is cut off elsewhere.
    wide = area(box(20, 20, 40 * times - 1, 39), 300)
    found = recognise(wide, {"S": square}, SIDE, replace(FIT, like=0.7, misfit=-1.0))
    assert (found.label == "S") == known


@pytest.mark.parametrize(("wide", "like"), [(57, True), (59, False)])
def test_what_is_like_a_piece(wide, like):
    """By 0.45 of it: 58 of 40 columns are 0.45 more."""
    found = recognise(area(box(20, 20, wide - 1, 39), 300), {"S": PieceShape(box(0, 0, 40, 40))}, SIDE,
                      replace(FIT, misfit=-1.0))  # fmt: skip
    assert (found.change is ShapeChange.ALTERED) == like


def test_points_pull_an_outline_onto_them():
    """All but a fifth, which lie farthest off."""
    square = PieceShape(box(0, 0, 40, 40))
    points = square.points(80) + np.array([13.0, 7.0])
    assert _settled(points, square, np.array([10.0, 10.0]), FIT) == pytest.approx((13.0, 7.0), abs=0.06)
    points[:16] += (0.0, -30.0)
    assert _settled(points, square, np.array([12.0, 8.0]), FIT) == pytest.approx((13.0, 7.0), abs=0.06)
    points[16:20] += (0.0, -30.0)
    assert abs(_settled(points, square, np.array([12.0, 8.0]), FIT)[1] - 7.0) > 0.06


# --- what else is seen ---


@pytest.mark.parametrize(("wide", "seen"), [(6, 0), (7, 1)])
def test_a_gap_is_wider_than_a_seam(wide, seen):
    """Half of it has 0.011 x 200 pixels and one: 3.2, which the fourth of seven pixels reaches."""
    free = np.zeros((60, 60), bool)
    free[10:40, 10 : 10 + wide] = True
    free[50:59, 40:59] = True
    found = _gaps(free, SIDE, 1000.0, lambda one: tuple(map(float, one)), CONFIG)
    assert len(found) == 1 + seen
    assert [one.size for one in found] == [0.21, 0.171][: 1 + seen] if seen else [0.171]
    assert found[-1].box == (40.0, 50.0, 59.0, 59.0)
    assert _gaps(free & False, SIDE, 1000.0, tuple, CONFIG) == ()


def test_lines_apart_are_one():
    apart = np.zeros((60, 60), bool)
    apart[10, 5:15] = apart[30, 20:25] = True
    found = _lines(apart, 1000.0, lambda one: tuple(map(float, one)))
    assert (found.size, found.box) == (0.015, (5.0, 10.0, 25.0, 31.0))


@pytest.mark.parametrize(("off", "apart", "number"), [(0.09, 0, 1), (0.11, 0, 2), (0.09, 3, 2)])
def test_two_areas_of_a_colour_that_a_letter_took_apart_are_one(off, apart, number):
    """Up to twice a contrast of 0.05, and beside each other."""
    pieces = {"S": PieceShape(box(0, 0, 60, 40))}
    labels, lab = np.zeros((120, 120), np.int32), np.zeros((120, 120, 3), np.float32)
    labels[20:60, 20:50], labels[20:60, 50 + apart : 80] = 1, 2
    lab[labels == 2, 0] = off
    known = []
    for mask in (labels == 1, labels == 2):
        shape = Area(mask, FIT)
        known.append((mask, shape, recognise(shape, pieces, SIDE, FIT, closely=False)))
    found = _rejoined(known, lab, pieces, SIDE, CONFIG)
    assert len(found) == number
    assert number > 1 or found[0][2].change is ShapeChange.AS_GIVEN
