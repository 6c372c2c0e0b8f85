"""What a puzzle is compared by, and how a map is looked for that agrees."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from grader.alignment.flow import BlockFlow, FlowConfig, affine_step, block_grid, smooth_field
from grader.alignment.framing import stretch
from grader.alignment.search import Probe
from grader.alignment.template import AlignmentConfig, AnswerConfig, SearchConfig, grey_and_color, make_template
from grader.media.pyramid import Pyramid

CONFIG = AlignmentConfig()


def blocks(height: int = 120, width: int = 160, seed: int = 2) -> np.ndarray:
    """Grey tiles of 10 pixels."""
    tiles = np.random.default_rng(seed).integers(40, 220, (height // 10, width // 10), dtype=np.uint8)
    return np.repeat(np.kron(tiles, np.ones((10, 10), np.uint8))[..., None], 3, axis=2)


PICTURE = blocks()


def probe(candidate: np.ndarray, config: AlignmentConfig = CONFIG, picture: np.ndarray = PICTURE, around=None) -> Probe:
    return Probe(Pyramid(candidate), make_template(picture, config, around), config)


def plain(one: Probe) -> np.ndarray:
    height, width = one.candidate.picture.shape[:2]
    return stretch((width, height), one.template.size)


# --- templates ---


def test_a_picture_is_halved_until_it_is_small():
    for side, factor in ((320, 1), (330, 2), (640, 2), (650, 4)):
        assert make_template(blocks(200, side), CONFIG).factor == factor


def test_finer_and_coarser():
    large = make_template(blocks(400, 640), CONFIG)
    assert (large.factor, large.grey.shape, large.size) == (2, (200, 320), (640, 400))
    assert large.finer(CONFIG).factor == 1
    assert large.coarser(CONFIG).factor == 4
    assert large.finer(CONFIG).finer(CONFIG) is None
    # Below 200 pixels little would be left.
    assert make_template(blocks(100, 200), CONFIG).coarser(CONFIG).factor == 2
    assert make_template(blocks(100, 190), CONFIG).coarser(CONFIG) is None


def test_colour_is_a_difference_of_channels():
    for step, colored in ((47, False), (48, True)):
        picture = np.full((6, 6, 3), 100, np.uint8)
        picture[..., 1] = 100 + step
        assert grey_and_color(picture, CONFIG)[1].all() == colored
    grey, _ = grey_and_color(PICTURE, CONFIG)
    assert grey.dtype == np.float32
    assert grey[5, 5] == PICTURE[5, 5, 0]


def test_what_lies_around_is_not_compared():
    around = np.zeros((60, 80), bool)
    around[:, :20] = True
    template = make_template(PICTURE, CONFIG, around)
    assert not template.compared[:, :39].any()
    assert template.compared[:, 41:].all()
    assert make_template(PICTURE, CONFIG).compared.all()


def test_gradients_are_in_levels_a_pixel():
    ramp = np.repeat((np.arange(100, dtype=np.uint8) * 2)[None, :, None], 40, axis=0).repeat(3, axis=2)
    along, down = make_template(ramp, CONFIG).gradients
    assert along[20, 50] == pytest.approx(2.0)
    assert down[20, 50] == 0.0


# --- agreement ---


def test_a_picture_agrees_with_itself():
    one = probe(PICTURE)
    assert one.agreement(plain(one)) == pytest.approx(1.0, abs=1e-9)
    assert one.examine(plain(one)) == (pytest.approx(1.0), pytest.approx(0.0, abs=1e-6))
    assert probe(255 - PICTURE).agreement(plain(one)) == pytest.approx(-1.0, abs=1e-3)


def test_flat_pictures_agree_with_nothing():
    one = probe(np.full_like(PICTURE, 90))
    assert one.agreement(plain(one)) == 0.0


def test_coloured_strokes_are_not_compared():
    drawn = PICTURE.copy()
    drawn[40:80] = (0, 80, 200)
    one = probe(drawn)
    # A third of the pixels is left out; three quarters would have to be left to count in full.
    assert one.agreement(plain(one)) == pytest.approx((80 / 120) / 0.75, abs=0.03)
    drawn[:] = (0, 80, 200)
    assert probe(drawn).agreement(plain(one)) == 0.0


def test_too_few_pixels_tell_nothing():
    drawn = np.zeros_like(PICTURE)
    drawn[:] = (0, 80, 200)
    drawn[0, :15] = PICTURE[0, :15]
    one = probe(drawn)
    assert one.agreement(plain(one)) == 0.0


def test_dark_marks_are_left_out_where_answers_are_dark():
    """Darker by 96 levels in squares of 5 or more."""
    bright = np.maximum(PICTURE, 140)
    marked = bright.copy()
    cv2.circle(marked, (80, 60), 30, (10, 10, 10), -1)
    seen = probe(marked, picture=bright)
    deaf = probe(marked, replace(CONFIG, marks=AnswerConfig(are_dark=True)), bright)
    assert deaf.agreement(plain(deaf)) > 0.95 > seen.agreement(plain(seen))
    lined = bright.copy()
    lined[:, 20:24] = 10  # four wide: a line that is out of place
    thick = bright.copy()
    thick[:, 20:26] = 10
    for picture, left_out in ((lined, False), (thick, True)):
        one = probe(picture, replace(CONFIG, marks=AnswerConfig(are_dark=True)), bright)
        assert (one.agreement(plain(one)) > 0.99) is left_out


def test_settled_is_alike_and_still():
    """0.0012 of the longest side of 160 pixels is 0.192."""
    one = probe(PICTURE)
    assert one.settled(0.9, 0.19)
    assert not one.settled(0.899, 0.19)
    assert not one.settled(0.9, 0.2)


# --- the search ---


def moved(by: tuple[int, int]) -> np.ndarray:
    return np.roll(PICTURE, by[::-1], axis=(0, 1))


def test_a_shift_is_found_as_far_as_it_may_be():
    """0.06 of 160 is 9.6, rounded to 10 pixels."""
    for by, found in (((6, -4), True), ((-9, 3), True), ((25, 0), False)):
        one = probe(moved(by))
        matrix, agreement = one.refine(plain(one))
        off = matrix[:, 2] + by
        assert (bool(np.abs(off).max() < 0.5) and agreement > 0.9) is found, by


def test_a_zoom_is_found():
    height, width = PICTURE.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), 1.2, 1.04)
    one = probe(cv2.warpAffine(PICTURE, turn, (width, height), borderMode=cv2.BORDER_REPLICATE))
    matrix, agreement = one.refine(plain(one))
    assert agreement > 0.95
    assert matrix[0, 0] == pytest.approx(1 / 1.04, abs=0.01)
    assert np.arctan2(matrix[1, 0], matrix[0, 0]) == pytest.approx(np.deg2rad(1.2), abs=0.005)


def test_another_picture_is_given_up():
    one = probe(blocks(seed=9))
    matrix, agreement = one.refine(plain(one))
    assert agreement < CONFIG.accept
    assert matrix.shape == (2, 3)


def test_a_local_bend_is_found_and_only_where_it_helps():
    x, y = np.meshgrid(np.arange(160, dtype=np.float32), np.arange(120, dtype=np.float32))
    wave = 1.5 * np.sin(x / 160 * 2 * np.pi).astype(np.float32)
    one = probe(cv2.remap(PICTURE, x, y + wave, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    agreement = one.agreement(plain(one))
    field, bent = one.bend(plain(one), agreement)
    assert field is not None
    assert bent > agreement + CONFIG.search.bend_gain
    same = probe(PICTURE)
    assert same.bend(plain(same), 1.0) == (None, 1.0)
    # 0.02 of 160 is 3.2: what is bent by more was redrawn.
    narrow = probe(one.candidate.picture, replace(CONFIG, max_bend=0.002))
    assert narrow.bend(plain(narrow), agreement) == (None, agreement)
    dear = probe(one.candidate.picture, replace(CONFIG, search=replace(CONFIG.search, bend_gain=1.0)))
    assert dear.bend(plain(dear), agreement) == (None, agreement)


def test_a_smaller_candidate_is_compared_at_its_own_size():
    small = cv2.resize(PICTURE, (80, 60), interpolation=cv2.INTER_AREA)
    one = probe(small)
    assert one.agreement(plain(one)) > 0.9
    large = np.kron(PICTURE, np.ones((4, 4, 1), np.uint8))
    one = probe(large)
    assert one.small.shape[:2] == (120, 160)
    assert one.agreement(plain(one)) == pytest.approx(1.0, abs=1e-6)


# --- the arithmetic of blocks ---


def one_block(xx=100.0, xy=0.0, yy=100.0, x=50.0, y=-20.0, shape=(2, 2)) -> BlockFlow:
    return BlockFlow(*(np.full(shape, value) for value in (xx, xy, yy, x, y)))


def test_a_block_s_step_solves_its_equations():
    """(100 + 1) u = 50, (100 + 1) v = -20."""
    across, down = one_block().steps(FlowConfig())
    assert across == pytest.approx(np.full((2, 2), 50 / 101))
    assert down == pytest.approx(np.full((2, 2), -20 / 101))
    # With xy = 10: determinant 101^2 - 100.
    across, down = one_block(xy=10.0).steps(FlowConfig())
    assert across[0, 0] == pytest.approx((101 * 50 - 10 * -20) / (101**2 - 100))
    assert down[0, 0] == pytest.approx((101 * -20 - 10 * 50) / (101**2 - 100))


def test_blocks_that_agree_move_as_one():
    change = affine_step(one_block(shape=(4, 4)), FlowConfig())
    assert change[0] == pytest.approx([0.0, 0.0, 0.5], abs=0.01)
    assert change[1] == pytest.approx([0.0, 0.0, -0.2], abs=0.01)


def test_a_block_that_disagrees_is_trusted_less():
    """One of 16 moves by 5 pixels: it would take a sixteenth of 5 if all were trusted alike."""
    flow = one_block(x=0.0, y=0.0, shape=(4, 4))
    flow.x[0, 0] = 500.0
    naive = affine_step(flow, FlowConfig(affine_rounds=1))
    wary = affine_step(flow, FlowConfig())
    assert abs(wary[0, 2]) < 0.4 * abs(naive[0, 2])
    trusting = affine_step(flow, FlowConfig(half_trust_px=100.0))
    assert trusting == pytest.approx(naive, rel=0.05, abs=0.01)


def test_a_field_follows_its_blocks_and_fills_what_has_no_edges():
    field = smooth_field(one_block(shape=(3, 3)), FlowConfig())
    assert field[..., 0] == pytest.approx(np.full((3, 3), 0.5), abs=1e-3)
    assert field[..., 1] == pytest.approx(np.full((3, 3), -0.2), abs=1e-3)
    empty = one_block(shape=(3, 3))
    for values in (empty.xx, empty.xy, empty.yy, empty.x, empty.y):
        values[1, 1] = 0.0
    assert smooth_field(empty, FlowConfig())[1, 1] == pytest.approx([0.5, -0.2], abs=0.01)


def test_a_grid_has_blocks_of_some_size():
    """12 at most, of 12 pixels at least, and 2 in any case."""
    assert block_grid(143, 1000, FlowConfig()) == (11, 12)
    assert block_grid(10, 36, FlowConfig()) == (2, 3)
    assert block_grid(100, 100, FlowConfig(blocks=4)) == (4, 4)
    assert SearchConfig().local_blocks == 6
