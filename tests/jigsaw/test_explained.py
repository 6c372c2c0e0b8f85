"""What happened to the whole picture is told of all pieces together; what one of them shows beside that is its own."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from benchmarks.jigsaw.composing import Kinds, compose
from benchmarks.jigsaw.nuisances import on_a_page
from detectors.jigsaw.assembly import find_assembly
from detectors.jigsaw.config import AssemblyConfig
from detectors.jigsaw.expecting import expected
from detectors.jigsaw.framing import frame_by_pieces
from detectors.jigsaw.leftover import altered_maps
from detectors.jigsaw.pieces import lay_pieces
from detectors.jigsaw.placing import Placed, placed, ranked
from detectors.jigsaw.straightening import displaced, straightened, tight_frame
from puzzles.jigsaw.cuts import HALVES, joined
from puzzles.jigsaw.rendered import render_landscape

CONFIG = AssemblyConfig()
SIZE = (256, 192)


@cache
def picture():
    return render_landscape(11, SIZE)


def quarters():
    return [np.ascontiguousarray(one) for one in HALVES.cut(picture())]


@cache
def laid():
    return lay_pieces(quarters(), CONFIG)


def look(shown, frame=None) -> list[Placed]:
    """All quarters of a picture, each with the piece that is most like it."""
    frame = frame or (0, 0, shown.shape[1], shown.shape[0])
    return [placed(shown, frame, at, ranked(shown, frame, at, laid(), CONFIG), CONFIG) for at in range(4)]


def altered(shown) -> list[float]:
    """The share of each quarter that is not explained."""
    found = look(shown)
    return [float(one.mean()) for one in altered_maps(found, expected(found, CONFIG), laid(), CONFIG)]


def sidelit(shown):
    """Twice as bright at the right as at the left."""
    return np.clip(shown * np.linspace(0.9, 1.1, shown.shape[1])[None, :, None], 0, 255).astype(np.uint8)


# --- what happened to all of it ---


@pytest.mark.parametrize(
    "change",
    [
        lambda one: np.clip(one * [0.9, 1.0, 1.1] + [6, -4, 0], 0, 255).astype(np.uint8),
        sidelit,
        lambda one: (255 * (one / 255.0) ** 0.85).astype(np.uint8),
        lambda one: cv2.GaussianBlur(one, (0, 0), 1.0),
    ],
    ids=["cast", "light", "curve", "blur"],
)
def test_what_happens_to_all_pieces_is_expected_of_each(change):
    found = look(change(picture()))
    for one, wanted in zip(found, expected(found, CONFIG), strict=True):
        off = np.abs(one.aligned.astype(np.float32) - wanted)[8:-8, 8:-8]
        before = np.abs(one.aligned.astype(np.float32) - one.piece)[8:-8, 8:-8]
        assert float(off.mean()) < 2.0
        assert float(off.mean()) < float(before.mean())


def test_one_piece_in_other_colours_does_not_change_what_is_expected_of_the_others():
    shown = quarters()
    shown[2] = (shown[2] * 0.6).astype(np.uint8)
    shares = altered(joined(shown))
    assert shares[2] > 0.5
    assert max(shares[:2] + shares[3:]) == 0.0


def test_a_blank_quarter_does_not_change_what_is_expected_of_the_others():
    shown = quarters()
    shown[1] = np.full_like(shown[1], 128)
    shares = altered(joined(shown))
    assert shares[1] > 0.9
    assert shares[0] == shares[2] == shares[3] == 0.0


# --- what is left over ---


def test_a_right_picture_leaves_nothing():
    assert altered(picture()) == [0.0] * 4


def test_a_faint_wide_thing_is_told_by_many_pixels():
    """Twelve levels, which noise of eight hides at each pixel."""
    shown = quarters()
    shown[0] = shown[0].copy()
    cv2.circle(shown[0], (64, 40), 22, tuple(map(int, shown[0][30:50, 54:74].mean(axis=(0, 1)) * 0 + 12)), -1)
    plain = quarters()
    disc = np.zeros(plain[0].shape[:2], np.uint8)
    cv2.circle(disc, (64, 40), 22, 1, -1)
    shown[0] = np.clip(plain[0].astype(int) + 12 * disc[..., None], 0, 255).astype(np.uint8)
    noise = np.random.default_rng(1).normal(0, 8, picture().shape)
    shares = altered(np.clip(joined(shown) + noise, 0, 255).astype(np.uint8))
    assert shares[0] > 0.02
    assert shares[1] == shares[2] == shares[3] == 0.0


def test_structure_that_is_gone_along_a_cut_is_told_on_both_sides():
    shown = picture().copy()
    shown[:96, 120:136] = cv2.GaussianBlur(picture(), (0, 0), 5)[:96, 120:136]
    shares = altered(shown)
    assert min(shares[:2]) > 0.0
    assert shares[2] == shares[3] == 0.0


def test_another_order_that_shines_through_is_told():
    shown = quarters()
    mixed = [cv2.addWeighted(one, 0.92, shown[3 - at], 0.08, 0) for at, one in enumerate(shown)]
    assert max(altered(joined(mixed))) == 1.0


def test_grain_on_one_piece_is_its_own():
    shown = quarters()
    noise = np.random.default_rng(1).normal(0, 12, shown[3].shape)
    shown[3] = np.clip(shown[3] + noise, 0, 255).astype(np.uint8)
    shares = altered(joined(shown))
    assert shares[3] == 1.0
    assert max(shares[:3]) == 0.0


# --- where pieces lie ---


def test_pieces_in_line_are_in_their_places():
    assert max(displaced(look(picture()), CONFIG)) < 0.01


def test_a_piece_out_of_line_and_a_larger_one_are_off():
    found = look(picture())
    aside, larger = found[0].place.copy(), found[3].place.copy()
    aside[0, 2] += 8
    larger[:, :2] *= 1.06
    off = displaced([replace(found[0], place=aside), *found[1:]], CONFIG)
    assert off[0] == pytest.approx(8 / 128, abs=0.01)
    assert max(off[1:]) < 0.02
    assert displaced([*found[:3], replace(found[3], place=larger)], CONFIG)[3] == pytest.approx(0.06, abs=0.01)


def test_where_all_pieces_lie_aside_the_one_that_does_not_is_off():
    """Three are 12 pixels to the right of their quarters, the first one 4: of its column it is the one out of line."""
    found = look(picture())
    places = [one.place.copy() for one in found]
    for place, by in zip(places, (4, 12, 12, 12), strict=True):
        place[0, 2] += by
    off = displaced([replace(one, place=place) for one, place in zip(found, places, strict=True)], CONFIG)
    assert off[0] == pytest.approx(8 / 128, abs=0.01)
    assert max(off[1:]) < 0.02


def test_pieces_that_fill_a_frame_need_no_tighter_one():
    page = np.pad(picture(), ((60, 50), (40, 30), (0, 0)), constant_values=240)
    frame = (40, 60, 296, 252)
    found = look(page, frame)
    assert tight_frame(found, frame, CONFIG) is None
    wide = (40, 60, 296 + 12, 252)
    assert tight_frame(look(page, wide), wide, CONFIG) == pytest.approx(frame, abs=2)
    unlike = replace(found[1], best=replace(found[1].best, likeness=CONFIG.expecting.alike - 0.01))
    assert tight_frame([found[0], unlike, *found[2:]], wide, CONFIG) is None


def test_a_piece_that_is_hardly_like_itself_has_its_place_from_the_others():
    """The farther one of two tells which is off, but where only one of them is plainly its piece."""
    found = look(picture())
    aside = found[2].place.copy()
    aside[1, 2] += 0.1 * 96
    unlike = replace(found[2].best, likeness=CONFIG.expecting.alike - 0.05)
    off = displaced([*found[:2], replace(found[2], place=aside, best=unlike), found[3]], CONFIG)
    assert off[2] == pytest.approx(0.1, abs=0.02)
    assert max(off[0], off[1], off[3]) < 0.02
    alone = [replace(one, best=replace(one.best, likeness=0.0)) for one in found]
    assert max(displaced(alone, CONFIG)) == 0.0


def test_a_picture_on_a_page_is_found_by_its_pieces():
    page = np.full((300, 330, 3), 240, np.uint8)
    page[60:252, 40:296] = picture()
    left, top, right, bottom = frame_by_pieces(page, laid(), CONFIG.framing)
    assert (left, top, right, bottom) == pytest.approx((40, 60, 296, 252), abs=8)
    found = look(page, (left, top, right, bottom))
    tight = tight_frame(found, (left, top, right, bottom), CONFIG) or (left, top, right, bottom)
    assert tight == pytest.approx((40, 60, 296, 252), abs=2)


def test_a_page_with_a_second_picture_of_the_pieces_holds_none():
    page = np.full((420, 300, 3), 240, np.uint8)
    page[20:212, 20:276] = picture()
    shown = quarters()
    page[230:374, 40:232] = cv2.resize(joined([shown[1], shown[0], shown[2], shown[3]]), (192, 144))
    assert frame_by_pieces(page, laid(), CONFIG.framing) is None


def test_a_page_without_pieces_holds_no_picture():
    assert frame_by_pieces(render_landscape(77, (200, 200)), laid(), CONFIG.framing) is None


def test_a_picture_taken_aslant_is_made_straight():
    matrix = cv2.getRotationMatrix2D((128, 96), 3, 0.9)
    shown = cv2.warpAffine(picture(), matrix, SIZE, borderMode=cv2.BORDER_CONSTANT, borderValue=(90, 90, 90))
    straight = straightened(shown, look(shown), CONFIG)
    assert straight is not None
    assert straight.picture.shape[:2] == pytest.approx((173, 230), abs=4)
    left, top, right, bottom = straight.back((0, 0, *straight.picture.shape[1::-1]))
    corners = np.array([(0, 0), (256, 0), (256, 192), (0, 192)], np.float64) @ matrix[:, :2].T + matrix[:, 2]
    assert (left, top, right, bottom) == pytest.approx((*corners.min(axis=0), *corners.max(axis=0)), abs=3)
    assert [one.piece for one in find_assembly(shown, laid(), CONFIG).quarters] == [1, 2, 3, 4]


def test_a_straight_picture_is_left_as_it_is():
    assert straightened(picture(), look(picture()), CONFIG) is None


# --- the bench ---


def test_candidates_are_composed_by_their_numbers():
    kinds = Kinds(faults=("swapped", "melted"), nuisances=("nothing",))
    right, swapped, melted = (compose(number, 3, kinds) for number in (0, 1, 3))
    assert (right.fault, swapped.fault, melted.fault) == ("right", "swapped", "melted")
    assert right.visible == 0.0
    assert swapped.visible > melted.visible > 1.0
    assert sorted(right.given) == [0, 1, 2, 3]
    assert np.array_equal(compose(3, 3, kinds).picture, melted.picture)
    assert on_a_page(right.picture, np.random.default_rng(1)).shape[0] > right.picture.shape[0] + 34
