"""What is told of queens and of cells, stage by stage, at each stage's bounds: on the board of the stages."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from detectors.queens.queens import BoardFindings, OtherMark, QueenMark
from detectors.queens.remainder.colors import faded_regions
from detectors.queens.remainder.field import _neighbours, _without
from detectors.queens.remainder.finding import (
    BoardRemainder,
    BoardRole,
    BoardThing,
    _groups,
    _in_corners,
    _positions,
    _without_pepper,
    plainness,
)
from detectors.queens.remainder.lines import grid_left
from detectors.queens.remainder.plan import Strips, integral, line_darkness, strip_sums
from detectors.queens.remainder.queens import (
    _at,
    _longest_stroke,
    _marked,
    _own,
    _place,
    _polar,
    _turn,
    _unlike,
    _window,
    disc_distance,
)
from detectors.queens.remainder.rays import _around, _middle, _stop, companions, outlines, rays_from
from grader.tasks.queens.pictures import _notes, _observation
from tests.queens.stages.close_board import CLOSE, CONFIG, PICTURE, SIDE, darkness

OUTLINE, COMPANION, REGIONS, ROLES = CONFIG.outlines, CONFIG.companions, CONFIG.regions, CONFIG.roles
DISC = (60.0, 60.0, 20.0)
RAYS = rays_from((DISC,), COMPANION)


# --- places around a queen ---


def test_windows_and_places() -> None:
    assert _window(20.4, 30.2, 5.0, (60, 40)) == (slice(25, 37), slice(15, 27))
    assert _window(2.0, 58.0, 5.0, (60, 40)) == (slice(53, 60), slice(0, 8))
    assert _window(-20.0, 90.0, 5.0, (60, 40)) == (slice(85, 60), slice(0, 0))
    assert (_at((3.6, 99.0, 1.0), (60, 40)), _at((-3.0, 7.4, 1.0), (60, 40))) == ((59, 4), (7, 0))
    turns, shares = _polar((slice(60, 61), slice(60, 81)), DISC)
    assert (turns[0, 20], shares[0, 20], shares[0, 5]) == (0.0, 1.0, 0.25)
    down, _ = _polar((slice(70, 71), slice(60, 61)), DISC)
    # A quarter of a turn down, of 72 rays; half a pixel of 20 to a place.
    assert _turn(down, RAYS)[0, 0] == 18
    assert _turn(np.array([2 * np.pi - 0.01]), RAYS)[0] == 0
    assert _place(np.array([0.0, 0.026, 0.99, 5.0]), RAYS).tolist() == [0, 1, 39, 79]


def test_a_queens_own_lightness_is_that_of_her_darker_half() -> None:
    """The quarter quantile of the square within 0.6 of her radius."""
    lightness = np.full((120, 120), 0.9, np.float32)
    lightness[:, 48:56] = 0.2
    assert _own(lightness, DISC) == pytest.approx(0.2)
    lightness[:, 54:56] = 0.9
    assert _own(lightness, DISC) == pytest.approx(0.9)  # six of 25 columns are less
    assert _own(lightness, (-90.0, 60.0, 20.0)) == 0.0


# --- what lies on a queen ---


def marked(lab: np.ndarray, core: float = 0.85, ends: tuple[float, float] = (0.9, 0.2)) -> bool:
    """Whether something lies on the first of three queens of a board of 120 x 240 pixels."""
    discs = (DISC, (120.0, 60.0, 20.0), (180.0, 60.0, 20.0))
    rays = rays_from(discs, COMPANION)
    residual = SimpleNamespace(usable=np.ones((120, 240), bool), lab=lab.astype(np.float32))
    rising = np.zeros((3, len(rays.shares)), np.float32)
    found = _marked(residual, discs, rays, np.full((3, 72), core), np.array([ends] * 3, np.float32), rising, OUTLINE)  # type: ignore[arg-type]
    assert found in ([], [0])
    return found == [0]


def queens_lab() -> np.ndarray:
    lab = np.zeros((120, 240, 3))
    lab[..., 0] = 0.2
    return lab


def test_plain_queens_have_nothing_on_them() -> None:
    assert not marked(queens_lab())
    assert not marked(np.full((120, 240, 3), 0.5), ends=(0.9, 0.5))


@pytest.mark.parametrize(("hue", "odd"), [(0.118, False), (0.126, True)])
def test_a_colour_on_a_queen(hue: float, odd: bool) -> None:
    """From 0.12 on, averaged over a quarter of her radius: 5 pixels."""
    lab = queens_lab()
    lab[56:64, 56:64, 1] = hue
    assert marked(lab) == odd
    thin = queens_lab()
    thin[56:60, 56:60, 1] = 0.16  # 4 x 4 of 5 x 5 pixels have 0.64 of it
    assert not marked(thin)


@pytest.mark.parametrize(("length", "odd"), [(20, False), (21, True)])
def test_a_light_stroke_on_a_queen(length: int, odd: bool) -> None:
    """Of more than 0.9 radii, 18 pixels, between the middles of its ends, of which blur takes a pixel each."""
    lab = queens_lab()
    lab[59:61, 60 - length // 2 : 60 - length // 2 + length, 0] = 0.35
    assert marked(lab) == odd


@pytest.mark.parametrize(("more", "odd"), [(0.09, False), (0.11, True)])
def test_how_light_a_stroke_is(more: float, odd: bool) -> None:
    """0.1 above her own."""
    lab = queens_lab()
    lab[57:62, 46:75, 0] = 0.2 + more
    assert marked(lab) == odd


@pytest.mark.parametrize(("share", "odd"), [(0.44, False), (0.46, True)])
def test_a_highlight_takes_a_part_of_a_queen(share: float, odd: bool) -> None:
    """Up to 0.4 of what lies within 0.85 of her outline, 17 pixels, once blur has taken what is at its rim."""
    lab = queens_lab()
    rows, columns = np.mgrid[:120, :240] - 60.0
    lab[np.hypot(rows, columns) <= 17 * np.sqrt(share), 0] = 0.7
    assert marked(lab) == odd


@pytest.mark.parametrize(("core", "odd"), [(0.2, False), (0.24, True)])
def test_of_a_tiny_inside_nothing_is_told(core: float, odd: bool) -> None:
    """Of fewer than 60 pixels: a disc of 4 pixels has some 49, and one of 4.8 has 69."""
    lab = queens_lab()
    lab[50:70, 50:60, 1], lab[50:70, 60:70, 1] = 0.4, -0.4
    assert marked(lab, core) == odd


def test_beyond_the_picture_there_is_nothing_to_be_told() -> None:
    discs = ((-90.0, 60.0, 20.0),)
    rays = rays_from(discs, COMPANION)
    residual = SimpleNamespace(usable=np.ones((120, 240), bool), lab=queens_lab().astype(np.float32))
    rising = np.zeros((1, len(rays.shares)), np.float32)
    ends = np.array([[0.9, 0.2]], np.float32)
    assert _marked(residual, discs, rays, np.full((1, 72), 0.85), ends, rising, OUTLINE) == []  # type: ignore[arg-type]


def test_strokes_fill_little_of_the_circle_around_them() -> None:
    lit = np.zeros((60, 60), bool)
    lit[10, 5:26] = True
    assert _longest_stroke(lit, 0.45) == pytest.approx(20.0, abs=0.1)
    lit[:] = False
    lit[20:34, 20:34] = True  # a square fills 0.64 of its circle
    assert _longest_stroke(lit, 0.45) == 0.0
    assert _longest_stroke(lit, 0.7) > 0.0


def unlike(off: float, share: float, number: int = 3) -> list[int]:
    """Queens of which the first is lighter by so much over a share of her inside."""
    rays = rays_from((DISC,) * number, COMPANION)
    dark = np.ones((number, 72, len(rays.shares)))
    dark[0, : round(72 * share)] -= off
    return _unlike(dark, np.full((number, 72), 0.85), rays, OUTLINE)


@pytest.mark.parametrize(
    ("off", "share", "number", "told"),
    [(0.14, 0.5, 3, False), (0.16, 0.5, 3, True), (0.5, 0.28, 3, False), (0.5, 0.32, 3, True), (0.5, 0.5, 2, False)],
)
def test_a_queen_that_is_not_as_the_others(off: float, share: float, number: int, told: bool) -> None:
    """By 0.15 of the way to her cell, over 0.3 of her inside, where there are three."""
    assert unlike(off, share, number) == ([0] if told else [])


def test_a_queen_that_has_faded_is_told_by_what_is_left_of_her() -> None:
    """Nine tenths of her inside are no darker than what tells how dark she was."""
    rays = rays_from((DISC,) * 3, COMPANION)
    dark = np.ones((3, 72, len(rays.shares)))
    dark[0] = 1.5
    assert _unlike(dark, np.full((3, 72), 0.85), rays, OUTLINE) == []
    dark[0, :32] = 1.0  # which then is 1 / 1.5 of it, over 0.44 of her
    assert _unlike(dark, np.full((3, 72), 0.85), rays, OUTLINE) == [0]


# --- outlines and what lies around queens ---


def test_where_a_run_ends() -> None:
    run = np.array([[[1, 1, 1, 0, 1], [1, 1, 1, 1, 1], [0, 1, 0, 0, 0]]], bool)
    assert _stop(run, 0).tolist() == [[3, 4, 0]]
    assert _stop(run, 1).tolist() == [[3, 4, 2]]


@pytest.mark.parametrize(("dark", "ends"), [(0.54, 0.6), (0.56, 0.8)])
def test_a_queen_ends_where_half_of_her_darkness_is_left(dark: float, ends: float) -> None:
    """0.55; here up to 0.8 of her radius something is as dark, and up to 0.6 she is."""
    along = np.broadcast_to(RAYS.shares, RAYS.x.shape)
    darkness = np.where(along < 0.625, 1.0, np.where(along < 0.825, dark, 0.0)).astype(np.float32)
    found = outlines(darkness, np.zeros(RAYS.x.shape, bool), np.ones(RAYS.x.shape, bool), RAYS, OUTLINE)
    assert found.edges[0] == pytest.approx(np.full(72, ends), abs=0.04)


def test_medians_of_what_is_known() -> None:
    values = np.array([[1.0, np.nan], [5.0, np.nan], [3.0, np.nan], [np.nan, np.nan]])
    assert _middle(values)[0] == 3.0
    assert np.isnan(_middle(values)[1])
    few = np.full((1, 72, 1), np.nan)
    few[0, 10] = 4.0
    # Half of 60 degrees to either side: six rays.
    assert np.flatnonzero(_around(few, COMPANION)[:, 0]).tolist() == list(range(4, 17))


def around(light: float, cover: float, rays: int = 72) -> tuple[np.ndarray, np.ndarray]:
    """What lies around three queens alike, from their outline up to 1.3 radii, on some of the rays."""
    laid = rays_from((DISC,) * 3, COMPANION)
    base = np.tile(np.array([0.8, 0.1, 0.0], np.float32), (3, 1))
    left = np.zeros((*laid.x.shape, 3), np.float32)
    ring = (laid.shares > 1.0) & (laid.shares < 1.3)
    left[:, :rays, ring, 0] = light
    left[:, :rays, ring, 1] = -0.1 * cover
    return companions(left, base, np.ones(laid.x.shape, bool), np.ones((3, 72)), laid, COMPANION)


def test_a_shadow_around_all_queens_is_theirs() -> None:
    (low, high), covers = around(-0.2, 0.0)
    place = np.searchsorted(rays_from((DISC,), COMPANION).shares, 1.15)
    assert (low[0, 5, place], high[0, 5, place]) == pytest.approx((-0.2, -0.2))
    assert (low[0, 5, 10], covers.max()) == (0.0, 0.0)
    covering = around(-0.2, 0.6)[1]
    assert covering[5, place] == pytest.approx(0.6)
    # What less than half of the directions beside each have is none of it.
    assert np.abs(around(-0.2, 0.0, rays=5)[0]).max() == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(("light", "shown"), [(-0.019, False), (-0.021, True)])
def test_what_lies_around_queens_shows_from_a_contrast_on(light: float, shown: bool) -> None:
    """Of 0.02; beyond where it shows, and two places more, there is none."""
    low, _ = around(light, 0.0)[0]
    place = np.searchsorted(rays_from((DISC,), COMPANION).shares, 1.25)
    assert (low[0, 5, place] != 0) == shown


# --- cells, lines and corners ---


def test_neighbours_beyond_a_border() -> None:
    """Of regions of 120 x 120 pixels: three pixels from the border that leads down, and from the one across."""
    colors = np.arange(12, dtype=np.float32).reshape(4, 3)
    at = np.array([30 * SIDE + 117, 30 * SIDE + 121, 30 * SIDE + 60, 117 * SIDE + 30, 30 * SIDE + SIDE - 1])
    across = _neighbours(colors, at, 2.0, CLOSE, True)
    assert across[:, 0].tolist() == [3.0, -3.0, 0.0, 0.0, 0.0]
    down = _neighbours(colors, at, 2.0, CLOSE, False)
    assert down[:, 0].tolist() == [0.0, 0.0, 0.0, 6.0, 0.0]


def test_what_pixels_have_beside_a_mixture() -> None:
    """Up to 1.15 of it is taken off; what is nearer than 0.02 to the ground mixes in unseen."""
    axes = np.array([[0.4, 0, 0], [0.4, 0, 0], [0.4, 0, 0], [0.019, 0, 0], [0.021, 0, 0]], np.float32)
    values = np.array([[0.2, 0.1, 0], [0.5, 0, 0], [-0.2, 0, 0], [0.01, 0, 0], [0.01, 0, 0]], np.float32)
    found = _without(values, axes, CONFIG.mixing)
    assert found[:, 0] == pytest.approx([0.0, 0.04, -0.2, 0.01, 0.0], abs=1e-6)
    assert found[0, 1] == pytest.approx(0.1)


def test_sums_in_strips() -> None:
    values = np.zeros((SIDE, SIDE), np.float32)
    values[:, 58:63] = 1.0
    found = strip_sums(integral(values), CLOSE, 2)
    assert found.down[10].tolist() == [5.0, 0.0, 0.0]
    assert found.across[:, 60].tolist() == [5.0] * 3
    assert found.crossings.tolist() == [[25.0, 0.0, 0.0]] * 3
    strips = Strips(integral(values), integral((values > 0).view(np.uint8)))
    total, told = strips.between(np.array([56, 66, 238]), 3)
    assert total[0].tolist() == [1.0, 0.0, 0.0]
    assert told[0].tolist() == [False, True, False]
    # Strips of 0.14 x 60 pixels to either side of a line, and 1.6 times as far around them.
    assert CLOSE.strip == (8, 13)


@pytest.mark.parametrize(("stain", "taken"), [(0.05, 0.05), (0.08, 0.08), (0.2, 0.08)])
def test_a_stain_around_a_line_is_not_its_own(stain: float, taken: float) -> None:
    """Up to 0.08 of a line's darkness: of 17 pixels as much as the 10 beside them have, that is."""
    deeper = np.full((SIDE, SIDE), stain, np.float32)
    found = line_darkness(deeper, CLOSE).down[10, 0]
    assert found == pytest.approx(17 * stain - 17 / 10 * 10 * taken, abs=1e-4)


@pytest.mark.parametrize(("side", "told"), [(0.4, False), (0.9, True)])
def test_a_line_that_is_thicker_has_something_on_it(side: float, told: bool) -> None:
    """By 0.05 of a cell, three pixels: of eight columns beside it that have so much of its darkness."""
    deeper = darkness()
    deeper[66:114, 61:65] = side
    found = grid_left(deeper, np.ones((SIDE, SIDE), bool), np.ones((SIDE, SIDE), bool), (0.1, 0.9), CLOSE, CONFIG.grid)
    assert bool(found.marked) == told


def regions(off: tuple[float, float, float], toward: float = 0.0) -> tuple[int, ...]:
    """Regions that have faded, where the first of five is so far off, and so much of the way to the second."""
    colors = [(0.8, 0.1, 0.0), (0.7, -0.1, 0.1), (0.9, 0.0, -0.1), (0.75, 0.08, 0.12), (0.85, -0.05, -0.08)]
    before = np.array(colors, np.float32)
    now = before.copy()
    now[0] += np.array(off, np.float32)
    now[0] += np.float32(toward) * (before[1] - before[0])
    return faded_regions(now, before, REGIONS)


def test_a_region_that_fades_into_another() -> None:
    """Off by a contrast of 0.03, a quarter of the way to another's colour of 0.25, and straight towards it."""
    assert regions((0.0, 0.0, 0.0)) == ()
    assert regions((0.0, 0.0, 0.0), 0.22) == ()
    assert regions((0.0, 0.0, 0.0), 0.35) == (0,)
    assert regions((0.2, 0.0, 0.0)) == ()  # lighter than all, towards none
    before = np.array([(0.8, 0.1, 0.0), (0.7, -0.1, 0.1), (0.9, 0.0, -0.1)], np.float32)
    assert faded_regions(before[[1, 1, 2]], before, REGIONS) == ()  # of three it can't be told
    # Where all others are as the one should be, there is none that it could have faded into.
    alike = np.array([(0.5, 0.0, 0.0), (0.51, 0.0, 0.0), (0.49, 0.0, 0.01), (0.5, 0.01, 0.0)], np.float32)
    assert faded_regions(alike + np.float32(0.3) * np.eye(4, 3, dtype=np.float32)[:, :1], alike, REGIONS) == ()


def test_cells_that_adjoin_are_one_thing() -> None:
    assert sorted(_groups({0, 1, 6, 15}, 4)) == [[0, 1, 6], [15]]
    assert _positions([7, 2], 4) == ((0, 2), (1, 3))


def test_corners_of_the_picture() -> None:
    """A tenth of its sides: 24 pixels; where a queen stands, only what lies beyond her middle."""
    found = _in_corners([], CLOSE, ROLES)
    assert found.sum() == 4 * 24 * 24
    assert found[23, 216]
    assert not found[24, 10]
    queen = QueenMark(0, 3, (228.0, 16.0), 20.0, 1.0)
    beyond = _in_corners([queen], CLOSE, ROLES)
    assert beyond[15, 229]
    assert not beyond[16, 229]
    assert not beyond[15, 228]
    # In her cell all that is beyond her counts.
    assert beyond[:60, 180:].sum() == 16 * 11
    assert _in_corners([replace(queen, row=1)], CLOSE, ROLES).sum() == 4 * 24 * 24
    # The other corners are whole.
    assert beyond.sum() == 3 * 24 * 24 + 16 * 11
    last = _in_corners([QueenMark(3, 0, (10.0, 226.0), 20.0, 1.0)], CLOSE, ROLES)
    assert last.sum() == 3 * 24 * 24 + 10 * 13
    assert last[227:, :10].all()


def peppered(levels: int, pixels: int, cells: int) -> bool:
    """Whether specks in so many of 16 cells are taken off."""
    picture = PICTURE.copy()
    for cell in range(cells):
        y, x = 60 * (cell // 4) + 20, 60 * (cell % 4) + 20
        picture[y, x : x + pixels] -= np.uint8(levels)
    found = _without_pepper(picture, CLOSE, CONFIG)
    assert (found == PICTURE).all() or (found == picture).all()
    return bool((found == PICTURE).all())


@pytest.mark.parametrize(
    ("levels", "pixels", "cells", "gone"),
    [(24, 1, 3, False), (25, 1, 3, True), (60, 3, 3, True), (60, 4, 3, False), (60, 1, 2, False)],
)
def test_pepper_is_taken_off(levels: int, pixels: int, cells: int, gone: bool) -> None:
    """Specks of more than 24 levels and up to three pixels, in more than 0.15 of all cells."""
    assert peppered(levels, pixels, cells) == gone


# --- what is said of it ---


def test_what_is_left_is_observed_by_cells() -> None:
    """But for decoration, and for cells of which a mark is told already."""
    puzzle = SimpleNamespace(n=4, size=(240, 240))
    ring = OtherMark((130.0, 10.0, 20.0, 20.0), "RING")
    found = BoardFindings((QueenMark(1, 2, (150.0, 90.0), 20.0, 0.8),), (ring,), False, (), ())
    left = BoardRemainder(
        (BoardThing(BoardRole.MARK, ((0, 2), (2, 0))), BoardThing(BoardRole.DECORATION, ((0, 0), (0, 2)))), told=True
    )
    seen = _observation(puzzle, found, left)  # type: ignore[arg-type]
    assert [(one.row, one.column, one.radius_px, one.confidence) for one in seen.queens] == [(1, 2, 20.0, 0.8)]
    assert [(one.box.left, one.box.top, one.box.width, one.code) for one in seen.rejected_marks] == [
        (130.0, 10.0, 20.0, "RING"), (0.0, 120.0, 60.0, "MARK"),
    ]  # fmt: skip
    assert [one.code for one in _notes(left)] == ["DECORATION"]
    assert _notes(BoardRemainder()) == ()


def test_distances_reach_as_far_as_companions() -> None:
    found = disc_distance((DISC,), (120, 120), COMPANION.reach)
    assert (found[60, 100], found[60, 102]) == (2.0, 4.0)


def test_a_thin_line_is_plain_where_no_square_window_tells_it() -> None:
    """A pixel wide and a quarter of a cell long, amid noise; where 0.07 along a line is just seen."""
    values = np.random.default_rng(1).normal(0.0, 0.02, (SIDE, SIDE, 3)).astype(np.float32)
    values[90, 80:96, 0] += 0.12
    everywhere = np.ones((SIDE, SIDE), bool)
    plain = plainness(values, everywhere, np.ones(16), CLOSE, 60.0, CONFIG).reshape(4, 4)
    assert plain[1, 1] > 1.2
    plain[1, 1] = 0.0
    assert plain.max() < 1.0
