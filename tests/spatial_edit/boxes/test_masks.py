"""Paints told apart by hue and chroma, and the parts of a picture that have one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detectors.common.colors import linear_rgb, oklab
from detectors.spatial_edit.boxes.config import PaintConfig, PartsConfig
from detectors.spatial_edit.boxes.findings import BoxKind
from detectors.spatial_edit.boxes.masks import PaintMap, alike_paints, grown, has_hue, paint_map, paint_parts, tint

PAINT, PARTS = PaintConfig(), PartsConfig()
RED, BLUE, GREY = (196, 30, 38), (36, 76, 190), (128, 128, 128)
KINDS = (BoxKind("red", RED), BoxKind("blue", BLUE))


def tint_of(color) -> np.ndarray:
    lightness, a, b = oklab(np.array([[color]], np.uint8))[0, 0]
    return np.array([a, b]) / max(lightness, 0.05)


def picture(ground=GREY, patch=RED, patched=slice(10, 30)) -> np.ndarray:
    made = np.tile(np.array(ground, np.uint8), (40, 60, 1))
    made[patched, 20:40] = patch
    return made


def test_a_tint_is_divided_by_lightness_or_by_5_percent():
    found = tint(np.array([[0.5, 0.1, -0.2], [0.02, 0.01, 0.005]], np.float32), PAINT)
    assert found == pytest.approx(np.array([[0.2, -0.4], [0.2, 0.1]]))


def test_a_paint_needs_a_hue():
    """Of (200, x, x) the tint gets shorter as x gets larger: 0.12 lies between 148 and 149."""
    lengths = {x: float(np.hypot(*tint_of((200, x, x)))) for x in range(130, 170)}
    last = max(x for x, length in lengths.items() if length >= 0.12)
    assert has_hue((200, last, last), PAINT)
    assert not has_hue((200, last + 1, last + 1), PAINT)
    assert not has_hue(GREY, PAINT)
    with pytest.raises(ValueError, match="grey box has no hue"):
        paint_map(picture(), (*KINDS, BoxKind("grey box", GREY)), PAINT)


def test_two_paints_have_to_differ():
    base = tint_of((200, 40, 40))
    far = {x: float(np.hypot(*(tint_of((200, x, 40)) - base))) for x in range(40, 120)}
    last = max(x for x, off in far.items() if off < 0.06)
    assert alike_paints([(200, 40, 40), (200, last, 40)], PAINT) == (0, 1)
    assert alike_paints([(200, 40, 40), (200, last + 1, 40)], PAINT) is None
    assert alike_paints([RED, BLUE, (36, 77, 190), RED], PAINT) == (1, 2)
    assert alike_paints([RED], PAINT) is None
    with pytest.raises(ValueError, match="paints of red and scarlet are too much alike"):
        paint_map(picture(), (BoxKind("red", RED), BoxKind("scarlet", RED)), PAINT)


def test_pixels_belong_to_their_paint():
    found = paint_map(picture(), KINDS, PAINT)
    assert found.kinds[20, 30] == 0
    assert found.kinds[5, 5] == -1
    assert found.kinds.shape == (40, 60)
    assert found.members[0][20, 30] == pytest.approx(1.0, abs=1e-3)
    assert found.members[0][5, 5] == pytest.approx(0.0, abs=1e-3)
    assert found.members[1][20, 30] < 0.1
    assert found.linear[20, 30] == pytest.approx(linear_rgb(np.array(RED, np.uint8)))
    assert found.linear[5, 5] == pytest.approx([((128 / 255 + 0.055) / 1.055) ** 2.4] * 3)
    assert paint_map(picture(patch=BLUE), KINDS, PAINT).kinds[20, 30] == 1


def test_membership_is_by_the_squares_of_distances():
    """How near a pixel is to the paint, beside how near it is to grey or to another paint."""
    patch = (170, 70, 74)
    found = paint_map(picture(patch=patch), KINDS, PAINT)
    own = np.hypot(*(tint_of(patch) - tint_of(RED)))
    others = min(np.hypot(*tint_of(patch)), np.hypot(*(tint_of(patch) - tint_of(BLUE))))
    assert found.members[0][20, 30] == pytest.approx(others**2 / (others**2 + own**2), abs=1e-4)


def test_a_pixel_is_at_most_055_of_the_chroma_from_its_paint():
    """A paint that is far more vivid: the tint of (230, 20, 10) is so long that duller reds do not reach it."""
    reds = [(180, x, x) for x in range(40, 130)]
    paint = tint_of(RED)
    off = [float(np.hypot(*(tint_of(red) - paint)) / np.hypot(*paint)) for red in reds]
    inside = max((o, red) for o, red in zip(off, reds, strict=True) if o < 0.45)
    outside = min((o, red) for o, red in zip(off, reds, strict=True) if o > 0.55)
    assert paint_map(picture(patch=inside[1]), KINDS, PAINT).kinds[20, 30] == 0
    assert paint_map(picture(patch=outside[1]), KINDS, PAINT).kinds[20, 30] == -1
    # Nearer to the paint than to grey it has to be as well: with a larger reach only that is asked.
    wide = PaintConfig(hue_reach=10.0)
    half = max((o, red) for o, red in zip(off, reds, strict=True) if o < 0.49)
    past = min((o, red) for o, red in zip(off, reds, strict=True) if o > 0.53)
    assert paint_map(picture(patch=half[1]), KINDS, wide).kinds[20, 30] == 0
    assert paint_map(picture(patch=past[1]), KINDS, wide).kinds[20, 30] == -1
    narrow = PaintConfig(hue_reach=0.3)
    assert paint_map(picture(patch=half[1]), KINDS, narrow).kinds[20, 30] == -1


def test_8_percent_of_a_picture_are_frequent():
    """192 of 2400 pixels: 5 whole columns of 40 are enough, 4 are not; one more is smoothed into the grey."""
    brown, between = (140, 90, 84), (165, 75, 76)
    own = float(np.hypot(*(tint_of(between) - tint_of(RED))))
    for columns, is_ground in ((5, False), (6, True)):
        made = picture(patch=between, patched=slice(10, 30))
        made[:, :columns] = brown
        others = float(np.hypot(*(tint_of(between) - (tint_of(brown) if is_ground else 0.0))))
        found = paint_map(made, KINDS, PAINT)
        assert found.members[0][20, 30] == pytest.approx(others**2 / (others**2 + own**2), abs=0.01)


@pytest.mark.parametrize(("share", "is_ground"), [(0.25, True), (0.2501, False)])
def test_as_much_as_is_asked_for_is_frequent(share, is_ground):
    """15 of 60 columns: a quarter. Hardly smoothed, its last column keeps its tint."""
    brown, between = (140, 90, 84), (165, 75, 76)
    made = picture(patch=between)
    made[:, :15] = brown
    config = PaintConfig(smooth_px=0.3, ground_share=share)
    own = float(np.hypot(*(tint_of(between) - tint_of(RED))))
    others = float(np.hypot(*(tint_of(between) - (tint_of(brown) if is_ground else 0.0))))
    found = paint_map(made, KINDS, config).members[0][20, 30]
    assert found == pytest.approx(others**2 / (others**2 + own**2), abs=0.01)


def test_a_trace_is_the_share_of_the_chroma_along_the_hue():
    """Aside of the hue counts one and a half times as much."""
    for patch in ((150, 100, 100), (160, 90, 120), (140, 110, 90)):
        t, p = tint_of(patch), tint_of(RED)
        along = (t @ p) / (p @ p)
        aside = abs(t[0] * p[1] - t[1] * p[0]) / (p @ p)
        wanted = min(1.0, max(0.0, along - 1.5 * aside))
        small = picture(patch=patch, patched=slice(12, 20))  # 160 of 2400 pixels are no ground
        assert paint_map(small, KINDS, PAINT).traces[0][16, 30] == pytest.approx(wanted, abs=1e-3)
    found = paint_map(picture(), KINDS, PAINT)
    assert found.traces[0][20, 30] == pytest.approx(1.0)
    assert found.traces[0][5, 5] == pytest.approx(0.0, abs=1e-6)
    assert found.traces[1][20, 30] == 0.0


def test_a_trace_starts_at_the_nearest_ground():
    """On a reddish table, over a quarter of the picture, what is a little redder has a lesser share of the paint."""
    brown, patch = (140, 90, 84), (160, 80, 80)
    made = picture(ground=brown, patch=patch, patched=slice(12, 20))
    made[:, 45:] = GREY

    def share(ground):
        t, p = tint_of(patch) - ground, tint_of(RED) - ground
        aside = abs(t[0] * p[1] - t[1] * p[0]) / (p @ p)
        return (t @ p) / (p @ p) - 1.5 * aside

    wanted = min(share(np.zeros(2)), share(tint_of(brown)))
    assert wanted == share(tint_of(brown)) > 0
    assert paint_map(made, KINDS, PAINT).traces[0][16, 30] == pytest.approx(wanted, abs=5e-3)


def test_a_single_pixel_is_smoothed_away():
    """With a deviation of 0.7 its own weight is (0.554)^2 = 0.31 or so: its neighbours win."""
    made = picture(patched=slice(0, 0))
    made[20, 30] = RED
    assert paint_map(made, KINDS, PAINT).kinds[20, 30] == -1
    assert paint_map(made, KINDS, PaintConfig(smooth_px=0.3)).kinds[20, 30] == 0


def mapped(own: np.ndarray, other: np.ndarray | None = None, trace: np.ndarray | None = None) -> PaintMap:
    """A map whose first paint is where ``own`` is, and its second where ``other`` is."""
    other = np.zeros_like(own) if other is None else other
    kinds = np.where(own, 0, np.where(other, 1, -1)).astype(np.int16)
    members = tuple(one.astype(np.float32) for one in (own, other))
    traces = own.astype(np.float32) if trace is None else trace.astype(np.float32)
    return PaintMap(members, kinds, np.zeros((*own.shape, 3), np.float32), (traces, other.astype(np.float32)))


def blot(rows: slice, columns: slice) -> np.ndarray:
    mask = np.zeros((60, 80), np.bool_)
    mask[rows, columns] = True
    return mask


def test_parts_are_connected_and_the_largest_comes_first():
    small, large = blot(slice(5, 15), slice(5, 15)), blot(slice(5, 15), slice(30, 50))
    first, second = paint_parts(mapped(small | large), 0, PARTS)
    assert (first.mask == large).all()
    assert (second.mask == small).all()
    assert (first.strength, second.strength) == (1.0, 1.0)
    assert paint_parts(mapped(small), 1, PARTS) == ()


def test_parts_of_fewer_than_80_pixels_are_left_out():
    assert len(paint_parts(mapped(blot(slice(5, 13), slice(5, 15))), 0, PARTS)) == 1  # 8 x 10
    assert paint_parts(mapped(blot(slice(5, 12), slice(5, 16))), 0, PARTS) == ()  # 7 x 11 = 77


def test_bridges_narrower_than_3_pixels_are_cut():
    both = blot(slice(5, 15), slice(5, 15)) | blot(slice(5, 15), slice(30, 40))
    assert len(paint_parts(mapped(both | blot(slice(8, 10), slice(10, 35))), 0, PARTS)) == 2
    assert len(paint_parts(mapped(both | blot(slice(8, 11), slice(10, 35))), 0, PARTS)) == 1
    # Those that meet in a corner are two.
    assert (
        len(paint_parts(mapped(blot(slice(5, 15), slice(5, 15)) | blot(slice(15, 25), slice(15, 25))), 0, PARTS)) == 2
    )


def test_what_has_little_of_the_chroma_is_a_faint_part():
    """It has 0.3 of it, up to where half of that is left; at most 2 pixels more."""
    trace = 0.3 * blot(slice(20, 40), slice(20, 40))
    trace[20:40, 40:45] = 0.151, 0.151, 0.151, 0.149, 0.149
    trace[15:20, 20:40] = 0.149
    (part,) = paint_parts(mapped(np.zeros((60, 80), bool), trace=trace), 0, PARTS)
    assert part.strength == pytest.approx(0.3, abs=0.01)
    assert part.member[30, 30] == 1.0
    assert part.member[30, 42] == pytest.approx(0.151 / 0.3)
    assert (part.mask == blot(slice(20, 40), slice(20, 43))).all()


@pytest.mark.parametrize(("trace", "many"), [(0.121, 1), (0.119, 0)])
def test_a_faint_part_has_12_percent_of_the_chroma(trace, many):
    shown = trace * blot(slice(20, 40), slice(20, 40))
    assert len(paint_parts(mapped(np.zeros((60, 80), bool), trace=shown), 0, PARTS)) == many


def test_bridges_of_faint_paint_are_cut_below_5_pixels():
    both = blot(slice(20, 40), slice(10, 30)) | blot(slice(20, 40), slice(50, 70))
    nothing = np.zeros((60, 80), bool)
    for wide, many in ((4, 2), (5, 1)):
        trace = 0.3 * (both | blot(slice(28, 28 + wide), slice(25, 55)))
        assert len(paint_parts(mapped(nothing, trace=trace), 0, PARTS)) == many


def test_smeared_hues_around_another_paint_are_no_part():
    """Within 4 pixels of it nothing is looked at: of 12 columns 8 are left, 20 rows high."""
    nothing = np.zeros((60, 80), bool)
    trace = 0.3 * blot(slice(20, 40), slice(20, 32))
    (part,) = paint_parts(mapped(nothing, blot(slice(0, 60), slice(32, 80)), trace), 0, PARTS)
    assert (part.mask == blot(slice(20, 40), slice(20, 28))).all()
    # Its own paint is no other one.
    assert len(paint_parts(mapped(blot(slice(0, 60), slice(32, 80)), trace=trace), 0, PARTS)) == 2


def test_a_faint_part_that_is_mostly_solid_is_told_once():
    """Of 20 x 20 pixels 14 rows, 0.7 of them, are solid, or 13."""
    whole = blot(slice(20, 40), slice(20, 40))
    for rows, many in ((14, 1), (13, 2)):
        own = blot(slice(20, 20 + rows), slice(20, 40))
        trace = np.where(own, 1.0, 0.4 * whole)
        parts = paint_parts(mapped(own, trace=trace), 0, PARTS)
        assert len(parts) == many
        assert (parts[0].mask == own).all()


def test_masks_grow_over_corners():
    dot = blot(slice(30, 31), slice(30, 31))
    assert (grown(dot, 2) == blot(slice(28, 33), slice(28, 33))).all()
    assert (grown(dot, 0) == dot).all()
    assert math.isclose(grown(dot, 1).sum(), 9)


def test_what_has_the_paint_of_a_neighbour_is_none_of_its_own():
    """Of three paints, whichever is shown: the one before and the one after count too."""
    kinds = (*KINDS, BoxKind("green", (30, 150, 60)))
    for shown, kind in enumerate(kinds):
        found = paint_map(picture(patch=kind.color), kinds, PAINT)
        middle = [float(member[20, 30]) for member in found.members]
        assert middle[shown] > 0.95
        assert max(one for at, one in enumerate(middle) if at != shown) < 0.05
