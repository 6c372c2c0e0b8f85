"""How pieces are looked for in a picture, stage by stage, at each stage's bounds: on small pictures with a seed."""

from __future__ import annotations

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from detectors.jigsaw.assembly import _best, _times, _Tried
from detectors.jigsaw.config import AssemblyConfig, PageConfig
from detectors.jigsaw.framing import _alone, _around, _bars, _Spot, frame_by_pieces, frames_of
from detectors.jigsaw.pieces import UPRIGHT, PieceTurn, lay_pieces, resized_to
from detectors.jigsaw.placing import Match, _inner, _scales, _search, _window, _within, placed, ranked
from detectors.jigsaw.straightening import displaced, straightened, tight_frame

CONFIG, PAGE = AssemblyConfig(), PageConfig()


def photograph(height=120, width=160, seed=0):
    """Something like a photograph: coarse and fine structure in three channels."""
    dice = np.random.default_rng(seed)
    made = np.full((height, width, 3), 128.0)
    for step, levels in ((4, 20), (12, 40), (30, 50)):
        noise = dice.normal(0, levels, (height // step + 2, width // step + 2, 3))
        made += cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(made, 5, 250).astype(np.uint8)


# --- pieces ---


def test_ways_to_lay_a_piece():
    piece = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    assert (PieceTurn(0, True).of(piece) == piece[:, ::-1]).all()
    assert (PieceTurn(1, False).of(piece)[0, 0] == piece[0, 3]).all()
    assert (PieceTurn(2, True).of(piece) == piece[::-1]).all()
    wide = lay_pieces([photograph(40, 60), photograph(40, 60, 1)], CONFIG)
    assert [(one.piece, one.turn.quarters, one.turn.mirrored) for one in wide] == [
        (number, turned, mirrored) for number in (1, 2) for mirrored in (False, True) for turned in (0, 2)
    ]
    assert (wide[0].coarse.shape, wide[0].fine.shape) == ((21, 32, 3), (85, 128, 3))
    assert len(lay_pieces([photograph(40, 40)], CONFIG)) == 8
    assert resized_to(photograph(40, 400), 64).shape == (8, 64, 3)


# --- where the picture may lie ---


def with_bars(wide, spread=0.0, size=(100, 200)):
    picture = photograph(*size)
    picture[:wide] = 30
    if spread:
        picture[:wide, ::2] = 30 + 2 * spread
    return picture


@pytest.mark.parametrize(("wide", "start"), [(1, 0), (2, 2), (30, 30), (31, 0)])
def test_a_bar_is_neither_thin_nor_wide(wide, start):
    """From 0.02 to 0.3 of 100 rows."""
    assert _bars(with_bars(wide), PAGE) == (start, 100)
    assert _bars(np.ascontiguousarray(with_bars(wide)[::-1]), PAGE) == (0, 100 - start)


@pytest.mark.parametrize(("spread", "start"), [(6, 20), (7, 0)])
def test_a_bar_has_one_colour(spread, start):
    """Half of its pixels are twice as far off as their standard deviation, which may be 6."""
    assert _bars(with_bars(20, spread), PAGE) == (start, 100)
    assert _bars(np.full((100, 100, 3), 9, np.uint8), PAGE) == (0, 100)


def test_frames_between_bars():
    whole = photograph(100, 200)
    assert frames_of(whole, PAGE) == [(0, 0, 200, 100)]
    both = cv2.copyMakeBorder(photograph(80, 160), 10, 10, 20, 20, cv2.BORDER_CONSTANT, value=(0, 0, 0))
    found = frames_of(both, PAGE)
    assert found[0] == (0, 0, 200, 100)
    assert sorted(found[1:]) == [(0, 10, 200, 90), (20, 0, 180, 100), (20, 10, 180, 90)]
    for side, number in ((15, 1), (16, 2)):
        small = cv2.copyMakeBorder(photograph(side, 60), 2, 2, 0, 0, cv2.BORDER_CONSTANT, value=(0, 0, 0))
        assert len(frames_of(small, PAGE)) == number


def spots(*places, size=(40, 30)):
    return [_Spot(x, y, 0.9, *size) for x, y in places]


@pytest.mark.parametrize(
    ("apart", "found"), [((30, 30), True), ((29, 30), False), ((50, 30), True), ((51, 30), False), ((40, 22), False),
                         ((40, 23), True), ((40, 37), True), ((40, 38), False)],
)  # fmt: skip
def test_pieces_lie_beside_each_other(apart, found):
    """At most a quarter of their sides of 40 and 30 pixels apart, or over one another."""
    frame = _around(spots((10, 20), (10 + apart[0], 20), (10, 20 + apart[1])), PAGE)
    assert frame == ((10, 20, 50 + apart[0], 50 + apart[1]) if found else None)


def test_a_frame_takes_much_of_its_page_and_has_all_pieces():
    page = np.full((100, 144, 3), 200, np.uint8)
    piece = photograph(30, 40)
    assert _alone(page, [piece], (10, 10, 94, 70), 40, PAGE)  # 5040 of 14 400 pixels are 0.35
    assert not _alone(page, [piece], (10, 10, 93, 70), 40, PAGE)
    page[66:96, 100:140] = piece
    assert not _alone(page, [piece], (10, 10, 94, 70), 40, PAGE)
    assert _alone(page, [photograph(30, 40, 5)], (10, 10, 94, 70), 40, PAGE)
    smaller = np.full((100, 144, 3), 200, np.uint8)
    smaller[80:91, 100:114] = cv2.resize(piece, (14, 11), interpolation=cv2.INTER_AREA)
    assert not _alone(smaller, [piece], (10, 10, 94, 70), 40, PAGE)  # at 0.35 of its size


def test_a_picture_on_a_page_is_found_by_its_pieces():
    whole = photograph(240, 320)
    pieces = lay_pieces([whole[:120, :160], whole[:120, 160:], whole[120:, :160], whole[120:, 160:]], CONFIG)
    page = np.full((500, 600, 3), 220, np.uint8)
    page[60:360, 100:500] = cv2.resize(whole, (400, 300), interpolation=cv2.INTER_AREA)
    assert frame_by_pieces(page, pieces, PAGE) == pytest.approx((100, 60, 500, 360), abs=8)
    assert frame_by_pieces(np.full((500, 600, 3), 220, np.uint8), pieces, PAGE) is None


# --- where pieces lie ---


def test_parts_of_a_piece():
    piece = photograph(50, 100)
    inner, across, down = _inner(piece, 0.06)
    assert (inner.shape, across, down) == ((44, 88, 3), 6, 3)
    assert _scales(CONFIG).tolist() == pytest.approx([0.92, 0.96, 1.0, 1.04])
    assert _within((0, 50), 3.2, 20.0) == slice(4, 23)
    assert _within((5, 10), -3.0, 99.0) == slice(5, 10)
    assert _within((5, 10), 20.0, -30.0) == slice(20, 0)


def test_a_window_is_a_quarter_with_what_is_around_it():
    """Of 0.12 of 50 x 40 pixels: 6 and 5."""
    picture = photograph(80, 100)
    found = _window(picture, (0, 0, 100, 80), 3, (50, 40), 0.12)
    assert found.shape == (50, 62, 3)
    assert (found[:45, :56] == picture[35:80, 44:100]).all()
    assert (found[45:, 10] == picture[79, 54]).all()  # beyond the picture its rim goes on


def test_a_piece_is_searched_in_a_window():
    picture = photograph(80, 100)
    laid = lay_pieces([np.ascontiguousarray(picture[40:, 50:])], CONFIG)[0]
    window = _window(picture, (0, 0, 100, 80), 3, (32, 26), 0.12)
    found = _search(window, laid, laid.coarse, _scales(CONFIG), CONFIG)
    assert found.likeness > 0.97
    assert (found.left, found.top, found.scale) == pytest.approx((4.0, 3.0, 1.0), abs=0.8)


def whole():
    picture = photograph(240, 320)
    parts = [picture[:120, :160], picture[:120, 160:], picture[120:, :160], picture[120:, 160:]]
    return picture, lay_pieces([np.ascontiguousarray(one) for one in parts], CONFIG)


def test_pieces_are_ranked_and_placed():
    picture, laid = whole()
    matched = ranked(picture, (0, 0, 320, 240), 2, laid, CONFIG)
    assert (matched[0].laid.piece, matched[0].laid.turn) == (3, UPRIGHT)
    assert len(matched) == 16
    assert [one.likeness for one in matched] == sorted((one.likeness for one in matched), reverse=True)
    one = placed(picture, (0, 0, 320, 240), 2, matched, CONFIG)
    assert one.space == (0.0, 120.0, 160.0, 240.0)
    assert one.corners == pytest.approx(np.array([(0, 120), (160, 120), (160, 240), (0, 240)]), abs=0.8)
    assert one.detail > 0.97
    assert (one.smooth_px, one.enlarged) == (1.2, 1.0)
    assert one.other < 0.9
    assert one.there.mean() > 0.97
    small = cv2.resize(picture, (160, 120), interpolation=cv2.INTER_AREA)
    enlarged = placed(small, (0, 0, 160, 120), 2, ranked(small, (0, 0, 160, 120), 2, laid, CONFIG), CONFIG)
    # 2 x 128 / 160 are 1.6, and its power of 1.5 times 1.2.
    assert enlarged.enlarged == pytest.approx(1.6)
    assert enlarged.smooth_px == pytest.approx(1.2 * 1.6**1.5)
    # But by no more than a quarter of a piece's longer side of 128 pixels, be it a candidate of a single pixel.
    dot = np.full((1, 1, 3), 128, np.uint8)
    least = placed(dot, (0, 0, 1, 1), 2, ranked(dot, (0, 0, 1, 1), 2, laid, CONFIG), CONFIG)
    assert least.smooth_px == 0.25 * max(laid[0].fine.shape[:2])


def test_the_best_of_several_frames_is_the_first_that_is_much_alike():
    def tried(*likeness):
        return _Tried((0, 0, 1, 1), tuple((Match(None, one, 0.0, 0.0, 1.0),) for one in likeness))

    first, same, better = tried(0.5, 0.5), tried(0.5, 0.5 + 5e-7), tried(0.5, 0.5 + 2e-6)
    assert _best([first, same], CONFIG) is first
    assert _best([first, same, better], CONFIG) is better
    assert (tried(0.2, 0.7).total, tried(0.2, 0.7).least) == (pytest.approx(0.9), 0.2)
    assert _times((1.0, 2.0, 3.0, 4.0), 2.0, 3.0) == (2.0, 6.0, 6.0, 12.0)


# --- how they lie to each other ---


def lying(*moves, likeness=(0.99,) * 4, aslant=0.0):
    """Four pieces of 100 x 80 pixels in their quarters, each moved, and larger by so many pixels."""
    found = []
    for quarter, ((x, y, more), like) in enumerate(zip(moves, likeness, strict=True)):
        left, top = 100 * (quarter % 2) + x, 80 * (quarter // 2) + y
        corners = np.array(
            [(left, top), (left + 100 + more, top), (left + 100 + more, top + 80), (left, top + 80)], float
        )
        corners = corners @ np.array([[1.0, aslant], [-aslant, 1.0]])
        space = (100.0 * (quarter % 2), 80.0 * (quarter // 2), 100.0 * (quarter % 2) + 100, 80.0 * (quarter // 2) + 80)
        found.append(SimpleNamespace(corners=corners, space=space, quarter=quarter, best=SimpleNamespace(likeness=like),
                                     place=np.array([[1.0, aslant, 0.0], [-aslant, 1.0, 0.0]])))  # fmt: skip
    return found


STILL = (0, 0, 0)


def test_pieces_in_line_are_not_displaced():
    assert displaced(lying(STILL, STILL, STILL, STILL), CONFIG) == pytest.approx([0.0] * 4)
    # How far apart they lie is free: both of a column moved by as much.
    assert displaced(lying(STILL, (4, 0, 0), STILL, (4, 0, 0)), CONFIG) == pytest.approx([0.0] * 4)


def test_a_piece_out_of_its_line_is_displaced_by_a_share_of_its_side():
    assert displaced(lying(STILL, STILL, (5, 0, 0), STILL), CONFIG) == pytest.approx([0, 0, 0.05, 0])
    assert displaced(lying(STILL, STILL, STILL, (0, -4, 0)), CONFIG) == pytest.approx([0, 0, 0, 0.05])
    assert displaced(lying((0, 0, 6), STILL, STILL, STILL), CONFIG)[0] == pytest.approx(0.06)
    unlike = displaced(lying(STILL, STILL, (5, 0, 0), STILL, likeness=(0.79, 0.99, 0.99, 0.99)), CONFIG)
    assert unlike[0] == pytest.approx(0.05)  # what is hardly like its piece is the one that is off
    assert unlike[2] == 0.0
    assert displaced(lying(*[STILL] * 4, likeness=(0.1,) * 4), CONFIG) == [0.0] * 4


@pytest.mark.parametrize(("off", "frame"), [(1, None), (2, (2, 0, 202, 160))])
def test_the_frame_that_pieces_fill(off, frame):
    """From 0.008 of 200 pixels on: 1.6."""
    moved = [(off, 0, 0)] * 4
    assert tight_frame(lying(*moved), (0, 0, 200, 160), CONFIG) == frame
    assert tight_frame(lying(*moved, likeness=(0.79, 0.9, 0.9, 0.9)), (0, 0, 200, 160), CONFIG) is None
    down = [(0, off, 0)] * 4
    assert (tight_frame(lying(*down), (0, 0, 200, 160), CONFIG) is None) == (off < 1.28)


@pytest.mark.parametrize(("aslant", "made"), [(0.0115, False), (0.0125, True)])
def test_a_picture_that_lies_aslant_is_made_straight(aslant, made):
    picture = photograph(180, 220)
    found = straightened(picture, lying(*[STILL] * 4, aslant=aslant), CONFIG)
    assert (found is not None) == made
    if found is not None:
        assert found.picture.shape == (160, 200, 3)
        left, top, right, bottom = found.back((0.0, 0.0, 200.0, 160.0))
        assert (left, top) == pytest.approx((-160 * aslant, 0.0), abs=0.1)
        assert (right, bottom) == pytest.approx((200.0, 160.0 + 200 * aslant), abs=0.1)
    # A piece that then lies farther off than 0.06 of a side of 80 is no part of a straight picture.
    assert straightened(picture, lying((12, 0, 0), STILL, STILL, (0, 12, 0), aslant=0.0125), CONFIG) is None


@pytest.mark.parametrize(("off", "made"), [(6.2, True), (6.5, False)])
def test_pieces_of_a_straight_picture_lie_in_their_quarters(off, made):
    """Up to 0.06 of a side of 80 pixels once all are made straight, which takes off a quarter of what one is moved."""
    found = straightened(photograph(180, 220), lying((off, 0, 0), STILL, STILL, STILL, aslant=0.0125), CONFIG)
    assert (found is not None) == made


def test_a_straight_picture_is_never_empty():
    """Of pieces of a pixel it has four by four."""
    small = lying(*[STILL] * 4, aslant=0.0125)
    for one in small:
        one.corners *= (0.01, 0.0125)
    found = straightened(photograph(20, 20), small, CONFIG)
    assert found is not None
    assert found.picture.shape == (4, 4, 3)
