"""What pictures of pieces would show, and what they show besides, stage by stage, at each stage's bounds."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from detectors.jigsaw.colors import NO_TINT, Tint, common_tint
from detectors.jigsaw.comparing import beside, detail_of, grey_of, smoothed, strongest
from detectors.jigsaw.config import AssemblyConfig, LeftoverConfig
from detectors.jigsaw.expecting import _Curve, _curved, _curves, _fitted, _focus, _focused, _gain, _light, _ways
from detectors.jigsaw.leftover import (
    _Band,
    _change,
    _compared,
    _different,
    _ghost,
    _gone,
    _middle,
    _off,
    _Quarter,
    _reduced,
    _strips,
    _structure,
    _usual,
    _windows,
)
from detectors.jigsaw.pieces import UPRIGHT, LaidPiece, resized_to
from detectors.jigsaw.placing import Match
from tests.jigsaw.stages.test_stages import photograph

CONFIG, LEFT = AssemblyConfig(), LeftoverConfig()
EXPECTING = CONFIG.expecting


# --- colours and light of all pieces ---


def test_a_change_of_colours_that_all_pieces_share_is_told():
    piece = np.clip(photograph(64, 64), 20, 220)
    matrix = np.vstack([np.diag([0.9, 1.1, 0.8]), [5.0, -3.0, 2.0]])
    shown = Tint(matrix).of(piece)
    assert shown[3, 4] == pytest.approx(np.clip(piece[3, 4] * [0.9, 1.1, 0.8] + [5, -3, 2], 0, 255), abs=1e-3)
    found = common_tint([(shown, piece)], CONFIG).matrix
    assert found[:3] == pytest.approx(matrix[:3], abs=0.02)
    assert found[3] == pytest.approx(matrix[3], abs=2.0)  # what keeps colours as they are is made up for here
    assert common_tint([(piece, piece)], CONFIG).matrix == pytest.approx(NO_TINT.matrix, abs=1e-9)


@pytest.mark.parametrize(
    ("times", "more", "told"), [(0.65, 0.0, True), (0.55, 0.0, False), (1.0, 38.0, True), (1.0, 42.0, False)]
)
def test_a_large_change_of_colours_is_not_one_of_the_picture(times, more, told):
    """By more than 0.4 of a channel, or by more than 40 levels."""
    piece = np.clip(photograph(64, 64), 0, 200)
    shown = piece * np.float32(times) + np.float32(more)
    found = common_tint([(shown, piece.astype(np.uint8))], CONFIG)
    assert (found is not NO_TINT) == told


def placed_like(aligned, piece, quarter=0, likeness=0.99, **more):
    laid = LaidPiece(1, UPRIGHT, resized_to(piece, 32), piece)
    values = {"aligned": aligned, "piece": piece, "quarter": quarter, "best": Match(laid, likeness, 0.0, 0.0, 1.0),
              "enlarged": 1.0, "smooth_px": 1.2, "there": np.ones(piece.shape[:2], bool)}  # fmt: skip
    return SimpleNamespace(**(values | more))


def test_light_falls_off_across_the_whole_picture():
    across, down, far = _ways(placed_like(None, np.zeros((3, 5, 3), np.uint8), 1))
    # The quarter at the top right goes from the middle to the right edge, and from the upper edge to the middle.
    assert across[0].tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert down[:, 0].tolist() == [-1.0, -0.5, 0.0]
    assert far[0, 4] == pytest.approx(2 - 2 / 3)
    assert _gain(placed_like(None, np.zeros((3, 5, 3), np.uint8), 1), np.array([0.1, 0.2, 0.0]))[0, 4] == pytest.approx(
        1 + 0.1 - 0.2
    )
    piece = photograph(64, 64)
    told = []
    for quarter in range(4):
        one = placed_like(piece, piece, quarter)
        gain = _gain(one, np.array([0.08, -0.05, 0.03]))
        told.append(placed_like(np.clip(piece * gain[..., None], 0, 255), piece, quarter))
    found = _light(told, [piece.astype(np.float32)] * 4, CONFIG)
    assert found == pytest.approx([0.08, -0.05, 0.03], abs=0.01)
    strong = [placed_like(piece * _gain(one, np.array([0.3, 0.0, 0.0]))[..., None], piece, one.quarter) for one in told]
    assert _light(strong, [piece.astype(np.float32)] * 4, CONFIG)[0] == pytest.approx(0.2)


def test_shares_that_explain_most_are_not_led_astray():
    """Without evidence they are the usual ones; a tenth of what is wanted is 60 levels off."""
    dice = np.random.default_rng(1)
    column = dice.normal(0, 10, 1000)
    wanted = 0.5 * column
    assert _fitted([column], wanted, np.zeros(1), 0.0, EXPECTING) == pytest.approx([0.5])
    wanted[:100] += 60.0
    assert _fitted([column], wanted, np.zeros(1), 0.0, EXPECTING) == pytest.approx([0.5], abs=0.01)
    # A ridge of as much as the column has a pixel, 100, leaves half of what is found, and half of the usual 1.
    held = _fitted([column], 0.5 * column, np.ones(1), float((column**2).mean()),
                   replace(EXPECTING, rounds=1))  # fmt: skip
    assert held == pytest.approx([0.75])


def test_a_curve_of_brightness_is_told_by_bins():
    """Twelve bins have 21.3 levels each; up to 14 levels may be explained."""
    piece = np.repeat(np.linspace(0, 255, 100).astype(np.uint8)[None, :, None], 100, axis=0).repeat(3, axis=2)
    for lighter, told in ((10.0, 10.0), (20.0, 14.0)):
        shown = piece.astype(np.float32) + lighter
        first, *_ = _curves([placed_like(shown, piece)], [piece.astype(np.float32)], CONFIG)
        assert first.levels[5] == pytest.approx(5.5 * 256 / 12)
        assert first.lighter[5] == pytest.approx(told, abs=0.1)
        assert len(first.levels) == 12
    # A hundredth of the pixels has to lie in a bin.
    few = np.full((100, 100, 3), 100, np.uint8)
    assert len(_curves([placed_like(few, few)], [few.astype(np.float32)], CONFIG)[0].levels) == 1
    made = _curved(
        np.full((1, 3, 3), 100, np.float32),
        [_Curve((90.0, 110.0), (0.0, 10.0)), _Curve((), ()), _Curve((0.0,), (3.0,))],
    )
    assert made[0, 0].tolist() == [105.0, 100.0, 103.0]


def test_how_soft_a_picture_is():
    piece = photograph(96, 96)
    soft = smoothed(piece, 1.4)
    shares = _focus([placed_like(soft, piece)], [piece.astype(np.float32)], CONFIG)
    made = _focused(piece.astype(np.float32), shares, EXPECTING)
    inner = np.s_[8:-8, 8:-8]
    assert np.abs(made - soft)[inner].mean() < 0.25 * np.abs(piece - soft)[inner].mean()
    sharp = _focus([placed_like(piece, piece)], [piece.astype(np.float32)], CONFIG)
    assert sharp == pytest.approx([1, 0, 0, 0], abs=0.02)


# --- what is compared ---


def test_greys_and_fine_structure():
    picture = photograph(64, 64)
    assert grey_of(picture)[3, 4] == pytest.approx(picture[3, 4].mean(), abs=1e-4)
    assert strongest(np.array([[[1, 5, 3], [9, 2, 4]]], np.float32)).tolist() == [[5.0, 9.0]]
    shown = picture.astype(np.float32)
    assert detail_of(shown, shown, 4.0) == pytest.approx(1.0)
    assert detail_of(255 - shown, shown, 4.0) == pytest.approx(-1.0)
    assert detail_of(shown * 0 + 9, shown, 4.0) == 0.0
    lighter = np.clip(shown + np.array([3, -7, 0], np.float32), 0, 255)
    shift, rough = beside(lighter, shown, 0.1, 1.0)
    assert (shift, rough) == (pytest.approx(7.0), pytest.approx(0.0, abs=0.4))
    rim = shown.copy()
    rim[:6] = 0.0
    assert beside(rim, shown, 0.1, 1.0) == pytest.approx((0.0, 0.0), abs=1e-4)


def test_what_is_clipped_is_no_difference():
    """Within 4 levels of the end of the range, where within 16 of it was expected."""
    shown = np.array([[4.0, 5.0, 251.0, 250.0, 4.0, 251.0]], np.float32)[..., None].repeat(3, axis=2)
    wanted = np.array([[16.0, 16.0, 239.0, 239.0, 17.0, 238.0]], np.float32)[..., None].repeat(3, axis=2)
    found = _off(_Quarter(shown, wanted, np.ones((1, 6), bool)), LEFT)
    assert found[0, :, 0].tolist() == [0.0, -11.0, 0.0, 11.0, -13.0, 13.0]


def test_changes_and_fewer_pixels():
    picture = np.zeros((9, 9, 3), np.float32)
    picture[4, 4, 1] = 8.0
    assert _change(picture, 1)[4, 2:7].tolist() == [0, 8, 8, 8, 0]
    assert _reduced(picture, 1) is picture
    assert _reduced(np.ones((9, 7, 3), np.float32), 2).shape == (4, 3, 3)


def test_the_second_lowest_of_the_quarters_that_tell():
    assert _usual([4.0, 1.0, 3.0, 2.0], [True] * 4) == 2.0
    assert _usual([4.0, 1.0, 3.0, 2.0], [True, False, True, True]) == 3.0
    assert _usual([4.0, 1.0], [False, True]) == 1.0
    assert _usual([4.0, 1.0, 3.0], [False] * 3) == 3.0
    assert _middle(np.array([[1.0, 2.0, 9.0]]), np.array([[True, True, True]])) == 2.0
    assert _middle(np.ones((1, 3)), np.zeros((1, 3), bool)) == 0.0


def compared(line=0, levels=40, spread=0, along=1.0):
    """How many rows at the top are not compared, and at the others sides."""
    wanted = np.full((128, 128, 3), 100, np.float32)
    aligned = np.full((128, 128, 3), 100, np.uint8)
    aligned[:line, : round(128 * along)] = 100 + levels
    aligned[:line, ::2] += np.uint8(spread)
    found = _compared(placed_like(aligned, aligned), wanted, LEFT)
    rows, columns = np.nonzero(found)
    return rows.min(), 127 - rows.max(), columns.min(), 127 - columns.max()


@pytest.mark.parametrize(
    ("line", "levels", "along", "rows"),
    [
        (0, 0, 1.0, 2),  # 0.016 of 128, and a pixel beside what is not shown lies within that
        (3, 40, 1.0, 5),
        (3, 11, 1.0, 2),  # from 12 levels on
        (3, 40, 0.45, 2),  # along more than a half
        (5, 40, 1.0, 8),
        (20, 40, 1.0, 8),  # up to 0.05 of 128
    ],
)
def test_lines_along_cuts_are_not_compared(line, levels, along, rows):
    found = compared(line, levels, along=along)
    assert found[0] == pytest.approx(rows, abs=1 if 0 < line < 20 and levels > 12 and along == 1.0 else 0)
    assert found[1:] == (2, 2, 2)


def test_a_line_has_one_colour():
    """A standard deviation of up to 16 levels once it is smoothed."""
    assert compared(5, 80)[0] > 5
    wanted = np.full((128, 128, 3), 100, np.float32)
    aligned = np.full((128, 128, 3), 100, np.uint8)
    aligned[:5] = 180
    for off, rows in ((15, 8), (18, 2)):
        aligned[:5, :64], aligned[:5, 64:] = 180 - off, 180 + off
        found = np.nonzero(_compared(placed_like(aligned, aligned), wanted, LEFT))[0].min()
        assert abs(int(found) - rows) <= 1


def flags(size, levels, texture=0.0):
    """Of a flat quarter how many pixels are told where a square of so many is lighter; three others are as expected."""
    quarters = []
    for at in range(4):
        wanted = np.full((128, 128, 3), 100, np.float32)
        wanted[:, np.arange(128) % 8 < 4] += texture
        shown = wanted.copy()
        if not at:
            shown[40 : 40 + size, 40 : 40 + size] += levels
        quarters.append(_Quarter(shown, wanted, np.ones((128, 128), bool)))
    found = [placed_like(None, np.zeros((128, 128, 3), np.uint8)) for _ in range(4)]
    first, *others = _different(quarters, found, [True] * 4, LEFT)
    assert not any(one.any() for one in others)
    return int(first.sum())


@pytest.mark.parametrize(
    ("size", "levels", "told"),
    [
        (5, 10.5, False),  # 11 levels under a Gaussian of one pixel: 5 pixels have 0.976 of them, across and down
        (5, 12.5, True),
        (9, 6.9, False),  # 7 of two: 0.975
        (9, 7.6, True),
        (17, 4.4, False),  # 4.5 of four: 0.966
        (17, 5.0, True),
        (40, 3.5, False),  # 3.5 of eight: 0.988
        (40, 3.8, True),
    ],
)
def test_what_differs_is_told_at_several_scales(size, levels, told):
    assert (flags(size, levels) > 0) == told


def test_where_levels_change_more_may_differ():
    """Of some 40 levels within 3 pixels, once they are smoothed, 0.16 more."""
    assert flags(5, 16.0, 50.0) == 0
    assert flags(5, 18.0, 50.0) > 0


def test_strips_lie_along_each_half_of_a_cut():
    """0.05, 0.11 and 0.19 of 128 pixels; of both sides of each of four halves."""
    found = _strips((100, 128), LEFT)
    assert len(found) == 12
    widths = [one[0][1][0].stop - one[0][1][0].start for one in found[::4]]
    assert widths == [6, 14, 24]
    every = slice(None)
    assert found[0] == ((0, (slice(94, 100), every)), (2, (slice(0, 6), every)))
    assert found[1] == ((1, (slice(94, 100), every)), (3, (slice(0, 6), every)))
    assert found[2] == ((0, (every, slice(122, 128))), (1, (every, slice(0, 6))))
    assert found[3] == ((2, (every, slice(122, 128))), (3, (every, slice(0, 6))))


def test_structure_is_gone_where_it_is_much_weaker():
    """Of a power of 400 over 100 pixels, 2 levels each: 0.3 less are 0.6 levels."""

    def gone(product, doubt=0.0, least=0.3, level=0.5, *, both=False):
        values = (np.array([value]) for value in (product, 400.0, 100.0))
        return bool(_gone(*values, doubt, least, level, both=both, nothing=1e-3)[0])

    assert [gone(281.0), gone(279.0)] == [False, True]
    assert [gone(521.0), gone(521.0, both=True), gone(519.0, both=True)] == [False, True, False]
    assert [gone(200.0, doubt=9.9), gone(200.0, doubt=10.1)] == [True, False]  # half of it, and a root of 20
    assert [gone(200.0, level=0.99), gone(200.0, level=1.01)] == [True, False]
    assert not _gone(np.zeros(1), np.zeros(1), np.ones(1), 0.0, 0.3, 0.5, both=False, nothing=1e-3)[0]


@pytest.mark.parametrize(("left", "told"), [(0.72, False), (0.68, True)])
def test_windows_without_their_structure(left, told):
    """A quarter of 128 pixels, where half of a window is shown; 0.3 less, and 1.5 levels in the mean."""
    power = np.full((128, 128), 36.0, np.float32)
    product = power.copy()
    product[40:80, 40:80] *= np.float32(left)
    there = np.ones((128, 128), np.float32)
    found = _windows(_Band((product, power, there), 0.0), 0.0, LEFT)
    assert found.any() == told
    if told:
        assert found[60, 60]
        assert not found[10, 10]
    faint = _windows(_Band((product * 0.6, power * 0.6, there), 0.0), 0.0, LEFT)
    assert not faint.any()  # 0.32 of a root of 21.6 are 1.49


@pytest.mark.parametrize(("there", "told"), [(15, False), (17, True)])
def test_windows_have_to_be_shown_by_half(there, told):
    power = np.full((128, 128), 36.0, np.float32)
    shown = np.zeros((128, 128), np.float32)
    shown[:, :there] = 1.0
    found = _windows(_Band((0 * power, power * shown, shown), 0.0), 0.0, LEFT)
    # At the left edge 16 of a window's 32 columns lie in the picture.
    assert found.any() == told


def test_another_piece_that_shines_through():
    piece, other = photograph(128, 128), photograph(128, 128, 1)
    structure = _structure(grey_of(resized_to(other, 32)), LEFT)
    assert abs(float(smoothed(structure, 3.0).mean())) < 2.0
    for share in (0.03, 0.06):
        shown = piece.astype(np.float32) * np.float32(1 - share) + other.astype(np.float32) * np.float32(share)
        quarter = _Quarter(shown, piece.astype(np.float32), np.ones((128, 128), bool))
        assert _ghost(quarter, [structure], LEFT) == pytest.approx(share, abs=0.01)
