"""What neither a board nor its queens explain, kind by kind: four rows of cells of 60 pixels, lines of 2."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.common.residual.edges import distrust, rings
from detectors.common.residual.mixing import seen
from detectors.queens.board import Board
from detectors.queens.config import QueensConfig
from detectors.queens.queens import QueenMark
from detectors.queens.remainder.colors import faded_regions
from detectors.queens.remainder.config import BoardRemainderConfig
from detectors.queens.remainder.finding import BoardRemainder, BoardRole, find_board_remainder
from detectors.queens.remainder.plan import CloseBoard
from tests.queens.test_board import COLORS, DARK, REGIONS, N, drawn_board

CELL = 60
CONFIG = BoardRemainderConfig()
PICTURE = drawn_board(CELL)

CLOSE = CloseBoard(Board((240, 240), 1, N, REGIONS, PICTURE, QueensConfig().board), CONFIG.grid, CONFIG.mixing)
CELLS = ((0, 1), (1, 3), (2, 0), (3, 2))
RADIUS = 15
WHITE = (250, 250, 250)
NOISE = np.random.default_rng(1).normal(0, 8, PICTURE.shape)


def middle(row: float, column: float) -> tuple[int, int]:
    """(x, y)."""
    return int((column + 0.5) * CELL), int((row + 0.5) * CELL)


def disc(picture: np.ndarray, at: tuple[int, int], radius: int, color=DARK) -> np.ndarray:
    drawn = picture.copy()
    cv2.circle(drawn, at, radius, color, -1, cv2.LINE_AA)
    return drawn


def sparkle(picture: np.ndarray, at: tuple[int, int], reach: int, color=DARK) -> np.ndarray:
    """A star of four points whose sides are hollow."""
    drawn, waist = picture.copy(), reach // 4
    turns = ((0, -reach), (waist, -waist), (reach, 0), (waist, waist), (0, reach), (-waist, waist), (-reach, 0))
    points = np.array([*turns, (-waist, -waist)]) + at
    cv2.fillPoly(drawn, [points.astype(np.int32)], color, cv2.LINE_AA)
    return drawn


def with_queens(picture: np.ndarray = PICTURE, rim: int = 2) -> np.ndarray:
    for cell in CELLS:
        picture = disc(disc(picture, middle(*cell), RADIUS + rim, WHITE), middle(*cell), RADIUS)
    return picture


def find(
    picture: np.ndarray, cells=CELLS, covered=None, close=CLOSE, candidate_px=1.0, config=CONFIG
) -> BoardRemainder:
    queens = [QueenMark(row, column, tuple(v + 0.5 for v in middle(row, column)), RADIUS, 1.0) for row, column in cells]
    return find_board_remainder(picture, covered, queens, close, config, candidate_px=candidate_px)


def roles(found: BoardRemainder) -> set[BoardRole]:
    return {thing.role for thing in found.things}


def clean(found: BoardRemainder) -> bool:
    return not (found.things or found.broken_lines or found.painted_cells or found.faded_regions)


def cell_of(row: int, column: int) -> tuple[slice, slice]:
    return slice(row * CELL + 1, (row + 1) * CELL - 1), slice(column * CELL + 1, (column + 1) * CELL - 1)


def blended(picture: np.ndarray, mask: np.ndarray, color, share: float) -> np.ndarray:
    mixed = picture + share * mask[..., None] * (np.array(color, np.float64) - picture)
    return np.clip(np.rint(mixed), 0, 255).astype(np.uint8)


def test_a_right_board_leaves_nothing():
    found = find(with_queens())
    assert clean(found)
    assert (found.told, found.companions, found.lines_gone) == (True, True, 0.0)
    assert clean(find(PICTURE, cells=()))


@pytest.mark.parametrize(
    "change",
    [
        lambda picture: (picture * np.linspace(0.75, 1, 240)[None, :, None]).astype(np.uint8),
        lambda picture: cv2.GaussianBlur(picture, (0, 0), 1.2),
        lambda picture: np.roll(picture, (1, 1), axis=(0, 1)),
        lambda picture: np.clip(picture * 0.7 + 40, 0, 255).astype(np.uint8),
        lambda picture: np.clip(picture + np.random.default_rng(1).normal(0, 8, picture.shape), 0, 255).astype(
            np.uint8
        ),
    ],
    ids=["light", "blur", "shift", "pale", "noise"],
)
def test_what_changes_a_picture_as_a_whole_is_no_mark(change):
    assert clean(find(change(with_queens())))


def test_pepper_is_noise_and_a_few_specks_are_none():
    dice = np.random.default_rng(2)
    picture = with_queens()
    picture[dice.integers(0, 240, 60), dice.integers(0, 240, 60)] = 0
    assert clean(find(picture))


@pytest.mark.parametrize("color", [(0, 0, 0), (255, 0, 0)])
def test_strokes_of_one_pixel_all_over_the_board_are_no_pepper(color):
    picture = with_queens()
    for at in range(10, 240, 20):
        cv2.line(picture, (0, at), (239, at), color, 1)
    assert not clean(find(picture))


@pytest.mark.parametrize("color", [(255, 255, 255), (0, 0, 0), (255, 0, 0), (60, 90, 255)])
@pytest.mark.parametrize("share", [0.25, 1.0])
def test_a_mark_in_any_ink_is_seen(color, share):
    mask = np.zeros((240, 240))
    cv2.circle(mask, middle(1, 1), 12, 1.0, -1)
    found = find(blended(with_queens(), mask, color, share))
    assert roles(found) == {BoardRole.MARK}
    assert (1, 1) in found.things[0].cells


def test_what_is_hardly_to_be_seen_is_not_told():
    mask = np.zeros((240, 240))
    cv2.circle(mask, middle(1, 1), 12, 1.0, -1)
    assert clean(find(blended(with_queens(), mask, (0, 0, 0), 0.01)))


@pytest.mark.parametrize(("noise", "seen_there"), [(0.0, True), (1.0, False)])
def test_what_is_faint_is_seen_where_there_is_no_noise(noise, seen_there):
    """A disc of a twentieth of black."""
    mask = np.zeros((240, 240))
    cv2.circle(mask, middle(1, 1), 12, 1.0, -1)
    picture = blended(with_queens(), mask, (0, 0, 0), 0.05)
    found = find(np.clip(picture + noise * NOISE, 0, 255).astype(np.uint8))
    assert roles(found) == ({BoardRole.MARK} if seen_there else set())


def test_in_a_queens_cell_it_has_to_be_plainer():
    """A square of a sixth of a cell."""
    for cell, seen_there in ((CELLS[0], set()), ((1, 1), {BoardRole.MARK})):
        x, y = middle(*cell)
        mask = np.zeros((240, 240))
        mask[y + 13 : y + 23, x + 13 : x + 23] = 1.0
        assert roles(find(blended(with_queens(), mask, (0, 0, 0), 0.04))) == seen_there


def test_a_thin_line_is_seen_and_one_over_three_cells_is_writing():
    picture = with_queens()
    cv2.line(picture, (75, 75), (105, 100), (200, 40, 40), 1, cv2.LINE_AA)
    assert roles(find(picture)) == {BoardRole.MARK}
    picture = with_queens()
    cv2.line(picture, (70, 90), (170, 90), (200, 40, 40), 3, cv2.LINE_AA)
    cv2.line(picture, (165, 90), (165, 165), (200, 40, 40), 3, cv2.LINE_AA)
    assert BoardRole.WRITING in roles(find(picture))


def test_a_sign_in_a_corner_is_decoration_but_not_in_the_middle():
    """A tenth of 240 is 24: a sparkle that reaches 9 about (12, 12), and one about (30, 30)."""
    assert roles(find(sparkle(with_queens(), (12, 12), 9, WHITE))) == {BoardRole.DECORATION}
    assert roles(find(sparkle(with_queens(), (30, 30), 9, WHITE))) == {BoardRole.MARK}


@pytest.mark.parametrize("color", [DARK, WHITE, (150, 150, 150), (200, 40, 40)])
@pytest.mark.parametrize("radius", [6, 3])
def test_a_disc_in_a_corner_is_no_sign_however_small(color, radius):
    """It fills its convex hull, and a sign less than 0.78 of it; of a queen's radius it has 0.4 and 0.2."""
    assert roles(find(disc(with_queens(), (12, 12), radius, color))) == {BoardRole.MARK}


def test_a_queen_that_has_faded_is_not_as_the_others():
    """Of opacities: 0.85 of the middle queen's is asked for, in lightness."""
    for opacity, faded in ((0.9, False), (0.75, True), (0.5, True)):
        picture = with_queens()
        one = disc(picture, middle(*CELLS[1]), RADIUS + 2, PICTURE[middle(*CELLS[1])[::-1]].tolist())
        picture = np.rint(opacity * picture + (1.0 - opacity) * one).astype(np.uint8)
        assert (BoardRole.NOT_ONE_DISC in roles(find(picture))) is faded, opacity
    # All of them may be pale.
    pale = np.rint(0.6 * with_queens() + 0.4 * PICTURE).astype(np.uint8)
    assert BoardRole.NOT_ONE_DISC not in roles(find(pale))


def test_a_sign_may_overlap_the_queen_of_a_corner_but_lies_beyond_her_middle():
    picture = disc(disc(with_queens(), middle(0, 0), RADIUS + 2, WHITE), middle(0, 0), RADIUS)
    cells = ((0, 0), *CELLS)
    assert clean(find(picture, cells))
    assert roles(find(sparkle(picture, (14, 14), 10, (110, 110, 110)), cells)) <= {
        BoardRole.DECORATION,
        BoardRole.NOT_ONE_DISC,
    }
    assert BoardRole.MARK in roles(find(sparkle(picture, (14, 46), 10, (110, 110, 110)), cells))


def test_a_queen_of_a_corner_that_is_crossed_out_is_told():
    """The cross reaches 18 pixels about her middle, three beyond her, into all four quarters of her cell."""
    picture = disc(disc(with_queens(), middle(0, 0), RADIUS + 2, WHITE), middle(0, 0), RADIUS)
    for first, last in (((12, 12), (48, 48)), ((12, 48), (48, 12))):
        cv2.line(picture, first, last, (200, 200, 200), 2, cv2.LINE_AA)
    assert roles(find(picture, ((0, 0), *CELLS))) & {BoardRole.ON_QUEEN, BoardRole.MARK}


@pytest.mark.parametrize("aside", [(1, 0), (1, 1), (0, -1)])
def test_a_rim_that_lies_a_pixel_aside_is_still_a_rim(aside):
    picture = with_queens(rim=3)
    x, y = middle(*CELLS[0])
    picture[cell_of(*CELLS[0])] = COLORS[REGIONS[CELLS[0]]]
    picture = disc(disc(picture, (x + aside[0], y + aside[1]), RADIUS + 3, WHITE), (x, y), RADIUS)
    assert clean(find(picture))


def test_a_ring_beyond_a_gap_is_no_rim_even_if_all_queens_have_it():
    picture = with_queens()
    for cell in CELLS:
        cv2.circle(picture, middle(*cell), RADIUS + 9, (120, 120, 120), 3, cv2.LINE_AA)
    assert roles(find(picture)) & {BoardRole.MARK, BoardRole.WRITING}


def test_a_blurred_rim_is_as_light_on_dark_cells_as_on_light_ones():
    picture = PICTURE.copy()
    picture[cell_of(0, 1)] = (90, 80, 230)
    regions = REGIONS.copy()
    regions[0, 1] = 4
    close = CloseBoard(Board((240, 240), 1, N, regions, picture, QueensConfig().board), CONFIG.grid, CONFIG.mixing)
    blurred = cv2.GaussianBlur(with_queens(picture), (0, 0), 2.0)
    assert clean(find(blurred, close=close))


def test_shadows_are_companions_if_all_queens_have_them():
    shadow = np.zeros((240, 240))
    for cell in CELLS:
        x, y = middle(*cell)
        cv2.circle(shadow, (x + 4, y + 4), RADIUS + 2, 1.0, -1)
    soft = cv2.GaussianBlur(shadow, (0, 0), 2.0)
    found = find(with_queens(blended(PICTURE, soft, (0, 0, 0), 0.4)))
    assert clean(found)
    assert found.companions
    one = np.zeros((240, 240))
    cv2.circle(one, middle(*CELLS[0]), RADIUS + 8, 1.0, 3)
    assert roles(find(blended(with_queens(), one, (0, 0, 0), 0.5))) & {BoardRole.MARK, BoardRole.WRITING}


def test_a_highlight_is_part_of_a_queen_and_a_cross_is_not():
    picture = with_queens()
    for cell in CELLS:
        x, y = middle(*cell)
        picture = disc(picture, (x - 5, y - 5), 4, (200, 200, 200))
    assert clean(find(picture))
    for color in ((255, 255, 255), (255, 0, 0)):
        crossed = with_queens()
        x, y = middle(*CELLS[0])
        cv2.line(crossed, (x - 11, y - 11), (x + 11, y + 11), color, 2, cv2.LINE_AA)
        cv2.line(crossed, (x - 11, y + 11), (x + 11, y - 11), color, 2, cv2.LINE_AA)
        assert BoardRole.ON_QUEEN in roles(find(crossed))


def test_a_highlight_takes_at_most_a_part_of_a_queen():
    """Her inside has a radius of 0.85 x 15 = 12.75 pixels: one of 6 takes 0.22 of it, one of 9 takes half."""
    for radius, seen_on in ((6, set()), (9, {BoardRole.ON_QUEEN})):
        picture = with_queens()
        for cell in CELLS:
            x, y = middle(*cell)
            picture = disc(picture, (x - 2, y - 2), radius, (200, 200, 200))
        assert roles(find(picture)) == seen_on


@pytest.mark.parametrize(("share", "seen_on"), [(0.66, {BoardRole.ON_QUEEN}), (0.08, set())])
def test_a_queen_of_which_a_part_has_faded_is_not_as_the_others(share, seen_on):
    """A third of the way to white, over two thirds of her or a twelfth; alike on all it would be a highlight."""
    x, y = middle(*CELLS[0])
    faded = np.zeros((240, 240))
    faded[y - RADIUS : round(y - RADIUS + 2 * RADIUS * share), x - RADIUS : x + RADIUS] = 1.0
    inside = np.zeros((240, 240), np.uint8)
    cv2.circle(inside, (x, y), RADIUS, 1, -1)
    assert roles(find(blended(with_queens(), faded * inside, WHITE, 0.33))) == seen_on


def test_hatching_over_a_queen_is_seen_by_its_energy():
    """Stripes in turn, of 30 levels more, over all of her: no one stroke is long or light, and her half stays dark.

    On a candidate of four times the size, where she is 120 pixels wide.
    """
    picture = with_queens()
    x, y = middle(*CELLS[0])
    stripes = np.zeros((240, 240))
    stripes[y - 11 : y + 12 : 4, x - 11 : x + 12] = stripes[y - 10 : y + 12 : 4, x - 11 : x + 12] = 1.0
    inside = np.zeros((240, 240), np.uint8)
    cv2.circle(inside, (x, y), 11, 1, -1)
    hatched = blended(picture, stripes * inside, WHITE, 0.12)
    assert clean(find(hatched, candidate_px=1.0))
    assert roles(find(hatched, candidate_px=4.0)) == {BoardRole.ON_QUEEN}
    # As drawn alike on all of them it is a way of drawing queens.
    for cell in CELLS[1:]:
        by = (middle(*cell)[1] - y, middle(*cell)[0] - x)
        hatched = blended(hatched, np.roll(stripes * inside, by, axis=(0, 1)), WHITE, 0.12)
    assert clean(find(hatched, candidate_px=4.0))


def test_hatching_in_a_cell_is_seen_by_its_energy():
    """Stripes lighter and darker in turn, by 6 levels: no window has an average of them."""
    rows, columns = cell_of(1, 1)
    stripes = np.where(np.arange(CELL - 2) // 3 % 2, 6, -6)[:, None, None]
    picture = with_queens().astype(np.int16)
    picture[rows, columns] += stripes
    hatched = np.clip(picture, 0, 255).astype(np.uint8)
    assert roles(find(hatched, candidate_px=4.0)) == {BoardRole.MARK}


def test_in_a_queen_s_cell_it_takes_more_of_it():
    """1.2 times the energy, for more is left around her of what lies around all of them."""
    rows, columns = cell_of(*CELLS[0])
    stripes = np.where(np.arange(CELL - 2) // 3 % 2, 9, -9)[:, None, None]
    picture = with_queens().astype(np.int16)
    around = np.ones((240, 240), np.uint8)
    cv2.circle(around, middle(*CELLS[0]), RADIUS + 4, 0, -1)
    picture[rows, columns] += stripes * around[rows, columns, None]
    hatched = np.clip(picture, 0, 255).astype(np.uint8)
    one, more = (
        find(hatched, candidate_px=4.0, config=replace(CONFIG, companions=replace(CONFIG.companions, doubted=share)))
        for share in (1.0, 1.2)
    )
    assert one.things[0].cells == more.things[0].cells == (CELLS[0],)
    assert one.things[0].plainness == pytest.approx(1.2 * more.things[0].plainness)


def test_ticks_at_all_queens_are_no_companions():
    """Four at each: of a ring around her they take a tenth, so they do not count as what compression leaves there."""
    picture = with_queens()
    for x, y in (middle(*cell) for cell in CELLS):
        for across, down in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            cv2.line(picture, (x + 11 * across, y + 11 * down), (x + 15 * across, y + 15 * down), (70, 70, 70), 2)
    assert roles(find(picture)) & {BoardRole.MARK, BoardRole.WRITING}


def test_something_coloured_on_a_queen_is_seen_though_it_is_as_dark_as_she_is():
    """A dark blue of about her lightness, 0.09 above it, and a contrast of 0.18; a grey as light as that is hers."""
    for color, seen_on in (((0, 0, 118), {BoardRole.ON_QUEEN}), ((34, 34, 34), set())):
        assert roles(find(disc(with_queens(), middle(*CELLS[0]), 6, color))) == seen_on


def test_a_queen_is_one_whole_disc():
    """Another disc, 7 pixels aside, makes her half of a radius longer; a straight cut takes a part of her."""
    x, y = middle(*CELLS[0])
    assert BoardRole.NOT_ONE_DISC in roles(find(disc(with_queens(), (x + 7, y), RADIUS)))
    cut = with_queens()
    cut[y + 4 : y + RADIUS + 3, x - RADIUS - 3 : x + RADIUS + 3] = COLORS[0]
    (thing,) = [one for one in find(cut).things if one.role is BoardRole.NOT_ONE_DISC]
    # How plain it is, is not told.
    assert (thing.cells, thing.plainness) == ((CELLS[0],), 1.0)


def test_a_line_between_two_cells_that_is_gone():
    """Of the cell's side four fifths are told: one cell's length at most."""
    picture = with_queens()
    picture[62:118, 57:63] = COLORS[0]
    found = find(picture)
    assert found.broken_lines == ((4, 5),)
    assert found.lines_gone == pytest.approx(1.0, abs=0.15)
    assert not found.things
    part = with_queens()
    part[62:80, 57:63] = COLORS[0]
    # From 6 to 20 of the 48 pixels that are told.
    assert find(part).lines_gone == pytest.approx(14 / 48, abs=0.1)


def test_all_lines_that_are_gone_or_have_faded():
    """Six tenths have to be left, where queens are black; 2 x 4 x 3 lines of a cell's length."""
    bare = np.repeat(np.repeat(COLORS[REGIONS], CELL, axis=0), CELL, axis=1)
    for left, gone in ((0.0, 24.0), (0.4, 24.0), (0.85, 0.0)):
        faded = np.rint(left * PICTURE + (1 - left) * bare).astype(np.uint8)
        assert find(with_queens(faded)).lines_gone == gone


def test_half_of_all_lines_that_have_faded():
    """Those of the upper half of the board, to a half: 2 lines across, 3 down, of 4 and 2 cells."""
    bare = np.repeat(np.repeat(COLORS[REGIONS], CELL, axis=0), CELL, axis=1)
    faded = PICTURE.copy()
    faded[:130] = np.rint(0.5 * PICTURE + 0.5 * bare)[:130]
    assert find(with_queens(faded)).lines_gone > 8.0


def test_a_dark_dot_on_a_line_or_a_crossing():
    found = find(disc(with_queens(), (60, 90), 6))
    assert BoardRole.ON_LINES in roles(found)
    assert {cell for thing in found.things for cell in thing.cells} >= {(1, 0), (1, 1)}
    found = find(disc(with_queens(), (120, 120), 6))
    (thing,) = [one for one in found.things if one.role is BoardRole.ON_LINES]
    assert set(thing.cells) <= {(1, 1), (1, 2), (2, 1), (2, 2)}
    assert not found.broken_lines


def test_a_cell_in_another_colour():
    picture = PICTURE.copy()
    picture[cell_of(1, 1)] = COLORS[0].astype(int) - (0, 25, 25)
    found = find(with_queens(picture))
    assert (1, 1) in found.painted_cells


def test_a_region_that_has_faded_into_another():
    """Half way; a quarter of the way, and more than 0.03, would do. What all regions go through is no fading."""
    before = seen(COLORS[None])[0]
    now = before.copy()
    now[0] = 0.5 * (before[0] + before[1])
    assert faded_regions(now, before, CONFIG.regions) == (0,)
    assert faded_regions(0.8 * before + 0.05, before, CONFIG.regions) == ()
    assert faded_regions(now[:3], before[:3], CONFIG.regions) == ()


def test_what_is_not_covered_says_nothing():
    covered = np.ones((240, 240), bool)
    covered[:, 170:] = False
    picture = with_queens()
    picture[:, 175:] = 255
    found = find(picture, covered=covered)
    assert not any(
        column == 3 for thing in found.things for _, column in thing.cells if thing.role is BoardRole.WRITING
    )


def test_rings_and_distrust():
    """Distances that round to 0, 1 and 2; what 95 % of a ring has above 0.03 is lowered to it."""
    distance = np.array([[0.0, 0.4, 0.6, 1.5, 1.6, 2.5, 2.6]], np.float32)
    assert [ring.tolist() for ring in rings(distance, 2)] == [[0, 1], [2, 3], [4, 5]]
    values = np.zeros((10, 10, 3), np.float32)
    values[..., 0] = 0.06
    distrust(values, np.ones((10, 10), bool), (np.arange(70), np.arange(70, 100)), 0.95, 0.03)
    assert values.reshape(-1, 3)[:70, 0] == pytest.approx(0.03)
    # Thirty pixels are too few to tell by.
    assert values.reshape(-1, 3)[70:, 0] == pytest.approx(0.06)
