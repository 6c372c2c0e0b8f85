"""What single numbers of reading jigsaws are for: each is told by what it is handed to, or by what it lets pass."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from detectors.jigsaw import assembly, expecting, framing, leftover, placing
from detectors.jigsaw.assembly import find_assembly
from detectors.jigsaw.colors import common_tint
from detectors.jigsaw.config import AssemblyConfig
from detectors.jigsaw.leftover import _Band, _lost, _Quarter, altered_maps
from detectors.jigsaw.pieces import UPRIGHT, LaidPiece
from detectors.jigsaw.placing import Match, Placed, placed, placed_alike, ranked
from tests.jigsaw.stages.test_stages import photograph

CONFIG = AssemblyConfig()
LEFT = CONFIG.leftover
PIECE = photograph(96, 128)
LAID = LaidPiece(1, UPRIGHT, cv2.resize(PIECE, (32, 24), interpolation=cv2.INTER_AREA), PIECE)


# --- how many ways, at how many sizes ---


def test_six_of_the_best_ways_are_looked_for_at_all_sizes(monkeypatch):
    """First all are at one size: the third of four."""
    asked = []

    def search(window, laid, piece, scales, config):
        asked.append(np.round(scales.astype(float), 2).tolist())
        return Match(laid, 0.5, 0.0, 0.0, 1.0)

    monkeypatch.setattr(placing, "_search", search)
    found = ranked(photograph(240, 320), (0, 0, 320, 240), 0, [LAID] * 9, CONFIG)
    assert asked == [[1.0]] * 9 + [[0.92, 0.96, 1.0, 1.04]] * 6
    assert len(found) == 9


@pytest.mark.parametrize(("second", "close"), [(0.76, 2), (0.74, 1)])
def test_ways_that_come_near_the_best_one_are_looked_at_closely(monkeypatch, second, close):
    """By 0.15; three at most, with their longer side at 64 pixels; then the best at seven sizes about its own."""
    asked = []

    def search(window, laid, piece, scales, config):
        asked.append((piece.shape, window.shape, np.round(scales.astype(float), 3).tolist()))
        return Match(laid, 0.9 - 0.1 * len(asked), 8.0, 6.0, 0.98)

    monkeypatch.setattr(placing, "_search", search)
    matched = [Match(LAID, one, 0.0, 0.0, 1.0) for one in (0.9, second, second, second)]
    best, other = placing._near(photograph(240, 320), (0, 0, 320, 240), 0, matched, CONFIG)
    number = 3 if close == 2 else 1
    assert len(asked) == number + 1
    # 0.12 of 64 and of 48 pixels are around them.
    assert {one[:2] for one in asked} == {((48, 64, 3), (60, 80, 3))}
    assert asked[0][2] == [0.92, 0.96, 1.0, 1.04]
    assert asked[-1][2] == [0.95, 0.96, 0.97, 0.98, 0.99, 1.0, 1.01]
    # At the place where it lies to the window's rim of 8 and 6 pixels, at twice the size: 15 and 12.
    assert (best.left, best.top) == (15.0, 12.0)
    assert other == pytest.approx(0.7 if number > 1 else second)


def placed_at(detail=0.9, place=((1.0, 0.0, 15.0), (0.0, 1.0, 12.0)), quarter=0):
    window = np.zeros((120, 158, 3), np.uint8)
    best = Match(LAID, 0.95, 15.0, 12.0, 1.0)
    frame, there = (0, 0, 320, 240), np.array(place, np.float32)
    return Placed((320, 240), frame, quarter, best, 0.3, window, there, PIECE, detail, 1.2, 1.0)


def test_a_found_place_is_improved_in_small_steps(monkeypatch):
    """At most forty, down to 1e-4; its target has no rim of 0.09 of its sides."""
    asked = []

    def fit(target, grey, moved, motion, criteria, mask, size):
        asked.append((target.shape, motion, criteria[1:], size, moved[:, 2].tolist()))
        return 0.9, moved

    monkeypatch.setattr(cv2, "findTransformECC", fit)
    one = placed_at()
    placing._improved(one, one.place, ((cv2.MOTION_TRANSLATION, 2.5), (cv2.MOTION_AFFINE, 1.0)), CONFIG)
    # 0.09 of 128 and of 96 pixels are 12 and 9.
    assert [one[:4] for one in asked] == [
        ((78, 104), cv2.MOTION_TRANSLATION, (40, 1e-4), 1), ((78, 104), cv2.MOTION_AFFINE, (40, 1e-4), 1),
    ]  # fmt: skip
    assert asked[0][4] == [27.0, 21.0]


@pytest.mark.parametrize(
    ("stretch", "off", "taken"), [(0.084, 0.0, True), (0.086, 0.0, False), (0.0, 10.8, True), (0.0, 10.95, False)]
)
def test_a_place_is_not_improved_too_far(monkeypatch, stretch, off, taken):
    """By 0.085: stretched by that, or moved by so much of 128 pixels, 10.9."""

    def fit(target, grey, moved, *_):
        better = moved.copy()
        better[1, 1] += stretch
        better[1, 2] += off + stretch * 9
        return 0.9, better

    monkeypatch.setattr(cv2, "findTransformECC", fit)
    monkeypatch.setattr(placing, "_at", lambda one, place, config: replace(one, place=place, detail=0.99))
    one = placed_at()
    found = placing._improved(one, one.place, ((cv2.MOTION_AFFINE, 1.0),), CONFIG)
    assert (found.detail == 0.99) == taken


@pytest.mark.parametrize(
    ("detail", "stretch", "tried"), [(0.897, 1.0, False), (0.895, 1.0, True), (0.9, 1.009, False), (0.9, 1.011, True)]
)
def test_pieces_that_fit_worse_are_tried_as_the_best_one_lies(monkeypatch, detail, stretch, tried):
    """By 0.004, or where they are larger or more slanted by 0.01."""
    asked = []
    monkeypatch.setattr(placing, "_at", lambda one, place, config: replace(one, place=place, detail=0.5))
    monkeypatch.setattr(placing, "_improved", lambda one, start, ways, config: asked.append(start) or one)
    other = placed_at(detail, ((stretch, 0.0, 15.0), (0.0, 1.0, 12.0)), 1)
    found = placed_alike([placed_at(), other], CONFIG)
    assert bool(asked) == tried
    assert found[0].detail == 0.9
    assert not asked or asked[0] == pytest.approx(np.array([(1.0, 0.0, 15.0), (0.0, 1.0, 12.0)]))


@pytest.mark.parametrize(("alike", "taken"), [(0.891, True), (0.889, False)])
def test_a_piece_is_laid_as_the_best_one_where_that_fits_nearly_as_well(monkeypatch, alike, taken):
    """By 0.01."""
    monkeypatch.setattr(placing, "_at", lambda one, place, config: replace(one, place=place, detail=alike))
    monkeypatch.setattr(placing, "_improved", lambda one, start, ways, config: one)
    other = placed_at(0.9, ((1.02, 0.0, 15.0), (0.0, 1.0, 12.0)), 1)
    found = placed_alike([placed_at(), other], CONFIG)[1]
    assert (found.detail == alike) == taken


# --- frames ---


def test_a_place_is_improved_in_three_ways_or_in_two(monkeypatch):
    """Moved under a Gaussian of 2.5 pixels, stretched under that, and stretched under one of 1."""
    asked = []
    monkeypatch.setattr(placing, "_at", lambda one, place, config: replace(one, place=place))
    monkeypatch.setattr(placing, "_improved", lambda one, start, ways, config: asked.append(tuple(ways)) or one)
    moved, stretched = cv2.MOTION_TRANSLATION, cv2.MOTION_AFFINE
    picture = cv2.resize(photograph(240, 320), (320, 240))
    placed(picture, (0, 0, 320, 240), 0, [Match(LAID, 0.95, 15.0, 12.0, 1.0)] * 2, CONFIG)
    assert asked == [((moved, 2.5), (stretched, 2.5), (stretched, 1.0))]
    asked.clear()
    placed_alike([placed_at(), placed_at(0.5, quarter=1)], CONFIG)
    assert asked == [((moved, 2.5),), ((moved, 2.5), (stretched, 1.0))]


def test_large_candidates_are_made_smaller(monkeypatch):
    """So that their longer side has 1024 pixels; boxes are told in the candidate's own."""
    seen = []

    def find(picture, laid, config):
        seen.append(picture.shape)
        values = (0, 1, UPRIGHT, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
        quarter = assembly.QuarterSeen(*values, (1.0, 2.0, 3.0, 4.0), (0.0, 0.0, 8.0, 8.0))
        return assembly.Assembly((quarter,), (0, 0, 10, 20))

    monkeypatch.setattr(assembly, "_find", find)
    same = find_assembly(np.zeros((512, 1024, 3), np.uint8), (), CONFIG)
    twice = find_assembly(np.zeros((1024, 2048, 3), np.uint8), (), CONFIG)
    assert seen == [(512, 1024, 3), (512, 1024, 3)]
    assert same.quarters[0].box == (1.0, 2.0, 3.0, 4.0)
    assert (twice.quarters[0].box, twice.quarters[0].space) == ((2.0, 4.0, 6.0, 8.0), (0.0, 0.0, 16.0, 16.0))
    assert twice.frame == (0, 0, 20, 40)


def steps(monkeypatch, likeness=(0.99,) * 4, tight=0, details=(0.9,)):
    """What is done of a picture in which pieces are so much alike, and whose frame is tighter so often."""
    did, left = [], list(details)
    tried = assembly._Tried((0, 0, 9, 9), tuple((Match(LAID, one, 0.0, 0.0, 1.0),) for one in likeness))
    monkeypatch.setattr(assembly, "frames_of", lambda *_: [(0, 0, 9, 9)])
    monkeypatch.setattr(assembly, "_tried", lambda *_: tried)
    monkeypatch.setattr(assembly, "frame_by_pieces", lambda *_: did.append("page"))

    def closely(*_):
        return [SimpleNamespace(detail=left.pop(0) if len(left) > 1 else left[0])]

    monkeypatch.setattr(assembly, "_closely", closely)
    frames = iter([(1, 1, 8, 8)] * tight)
    monkeypatch.setattr(assembly, "tight_frame", lambda *_: did.append("tight") or next(frames, None))
    monkeypatch.setattr(assembly, "straightened", lambda *_: None)
    monkeypatch.setattr(assembly, "_seen", lambda found, *_: (found[0].detail,))
    found = find_assembly(np.zeros((9, 9, 3), np.uint8), (), CONFIG)
    return did, found.quarters[0], found.frame


@pytest.mark.parametrize(
    ("likeness", "page"),
    [
        ((0.945,) * 4, False),
        ((0.935,) * 4, True),
        ((0.99, 0.99, 0.99, 0.855), False),
        ((0.99, 0.99, 0.99, 0.845), True),
    ],
)
def test_pages_are_searched_where_quarters_are_little_like_pieces(monkeypatch, likeness, page):
    """Less than 0.94 in the mean, or one of them less than 0.85."""
    assert ("page" in steps(monkeypatch, likeness)[0]) == page


def test_pieces_are_looked_for_in_the_frame_that_they_fill_three_times(monkeypatch):
    assert steps(monkeypatch, tight=9)[0].count("tight") == 3
    assert steps(monkeypatch, tight=1)[0].count("tight") == 2


@pytest.mark.parametrize(("again", "taken"), [(0.871, True), (0.869, False)])
def test_a_tighter_frame_may_fit_a_little_worse(monkeypatch, again, taken):
    """By 0.03 of all together."""
    _, detail, frame = steps(monkeypatch, tight=1, details=(0.9, again))
    assert (detail, frame) == ((again, (1, 1, 8, 8)) if taken else (0.9, (0, 0, 9, 9)))


def test_sizes_of_pieces_on_a_page(monkeypatch):
    """Twelve, from 0.25 to 0.52 of a page of 144 pixels; then five down to 0.35 beside a frame."""
    sizes = []

    def spots(page, pieces, longest):
        sizes.append(longest)
        places = ((5, 5), (66, 5), (5, 51), (66, 51)) if len(sizes) <= 12 else ()
        return [framing._Spot(x, y, 0.7, 60, 45) for x, y in places]

    monkeypatch.setattr(framing, "_spots", spots)
    found = framing.frame_by_pieces(np.zeros((288, 432, 3), np.uint8), [LAID], CONFIG.framing)
    assert sizes[0] == pytest.approx(36.0)
    assert sizes[11] == pytest.approx(0.52 * 144)
    assert sizes[12:] == pytest.approx((60 * np.geomspace(0.35, 1, 5)).tolist())
    assert found == (15, 15, 378, 288)


@pytest.mark.parametrize(("likeness", "found"), [(0.59, False), (0.61, True)])
def test_a_piece_is_found_on_a_page(monkeypatch, likeness, found):
    def spots(page, pieces, longest):
        places = ((5, 5), (66, 5), (5, 51), (66, 51))
        return [framing._Spot(x, y, likeness, 60, 45) for x, y in places] if page.any() else []

    monkeypatch.setattr(framing, "_spots", spots)
    monkeypatch.setattr(framing, "_alone", lambda *_: True)
    page = np.full((288, 432, 3), 9, np.uint8)
    assert (framing.frame_by_pieces(page, [LAID], CONFIG.framing) is not None) == found


# --- what happened to the whole picture ---


def test_colours_are_told_of_averages_of_four_by_four_pixels():
    """What changes from pixel to pixel has no part in them."""
    piece = np.full((64, 64, 3), 100, np.uint8)
    piece[:, 32:] = 160
    shown = piece.astype(np.float32)
    checks = ((np.indices((64, 64)).sum(axis=0) % 2) * 60.0 - 30.0)[..., None].astype(np.float32)
    plain, checked = (common_tint([(one, piece)], CONFIG).matrix for one in (shown, shown + checks))
    assert checked == pytest.approx(plain, abs=0.02)


def test_some_pixels_do_not_tell_the_colours():
    """A fifth that is 80 levels off; what is 12 levels off counts half."""
    piece = photograph(64, 64)
    shown = piece.astype(np.float32)
    shown[:, :12] = np.clip(shown[:, :12] + 80, 0, 255)
    matrix = common_tint([(shown, piece)], CONFIG).matrix
    assert matrix[3] == pytest.approx([0.0] * 3, abs=1.5)


def test_every_third_pixel_within_the_rim_tells_light():
    """0.06 of 128 and of 96 pixels are 8 and 6."""
    part = expecting._inner(placed_at(), CONFIG)
    assert part == (slice(6, 90, 3), slice(8, 120, 3))


def test_colours_and_light_are_told_in_turn_twice(monkeypatch):
    asked = []
    real = expecting._light
    monkeypatch.setattr(expecting, "_light", lambda told, *rest: asked.append(len(told)) or real(told, *rest))
    found = [replace(placed_at(quarter=at), aligned=PIECE) for at in range(4)]
    found[3] = replace(found[3], best=replace(found[3].best, likeness=0.79))
    made = expecting.expected(found, CONFIG)
    assert asked == [3, 3]  # what is less like its piece than 0.8 tells nothing
    assert np.abs(made[3] - PIECE).mean() < 1.0
    assert len(expecting._blurs(PIECE.astype(np.float32), CONFIG.expecting)) == 4


# --- what is gone ---


def lost(monkeypatch, bands):
    """Of four quarters how much is told, where bands of structure are given: (product, power) a pixel, and noise."""

    def band(quarter, fine, coarse):
        product, power, noise = quarter.shown
        there = np.ones((96, 128), np.float32)
        return _Band((there * np.float32(product), there * np.float32(power), there), noise)

    monkeypatch.setattr(leftover, "_band", band)
    monkeypatch.setattr(leftover, "_windows", lambda *_: np.zeros((96, 128), bool))
    quarters = [_Quarter(one, None, np.ones((96, 128), bool)) for one in bands]
    return [float(one.mean()) for one in _lost(quarters, 1.0, [True] * 4, LEFT)]


@pytest.mark.parametrize(
    ("noise", "told"), [(0.85, False), (0.95, True)]
)  # 1.8 times the second lowest, 0.3, and 0.35 are 0.89
def test_a_piece_with_grain_of_its_own(monkeypatch, noise, told):
    found = lost(monkeypatch, [(4.0, 4.0, noise), *[(4.0, 4.0, 0.3)] * 3])
    assert found == [float(told), 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("share", "power", "told"),
    [
        (0.83, 16.0, False),
        (0.81, 16.0, True),
        (1.17, 16.0, False),
        (1.19, 16.0, True),
        (0.81, 6.0, False),
        (0.81, 8.0, True),
    ],
)
def test_a_piece_whose_structure_is_weaker_or_stronger(monkeypatch, share, power, told):
    """By 0.18, and by half a level in the mean: 0.19 of a root of 6 are 0.47."""
    found = lost(monkeypatch, [(share * power, power, 0.0), *[(power, power, 0.0)] * 3])
    assert (found[0] == 1.0) == told
    assert found[1:] == [0.0] * 3


def test_a_ghost_in_a_quarter_is_all_of_it(monkeypatch):
    """From more than 0.045 of another piece on."""
    monkeypatch.setattr(leftover, "_different", lambda quarters, *_: [np.zeros((96, 128), bool) for _ in quarters])
    monkeypatch.setattr(leftover, "_lost", lambda quarters, *_: [np.zeros((96, 128), bool) for _ in quarters])
    wanted = [PIECE.astype(np.float32)] * 2
    found = [replace(placed_at(quarter=at), aligned=PIECE) for at in range(2)]
    for ghost, told in ((0.044, 0.0), (0.046, 1.0)):
        monkeypatch.setattr(leftover, "_ghost", lambda quarter, ways, config, ghost=ghost: ghost)
        maps = altered_maps(found, wanted, [LAID, LAID], CONFIG)
        assert [float(one.mean()) for one in maps] == [told, told]
