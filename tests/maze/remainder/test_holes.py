"""Holes in walls, however small, on walls of 4 pixels whose middle two count; 22 columns of them between two cells."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.maze.remainder.cuts import CutsConfig, cut_walls
from detectors.maze.remainder.holes import HoleConfig, holes
from tests.maze.remainder.scenes import PLAN, SHAPE, WAYS, ink_of
from tests.maze.stages.plans import CELL, DARK, FLOOR, corner

CONFIG = HoleConfig()
LEFT, TOP = corner(7, 4)
"""Above cell 7 is a wall to cell 3, in rows TOP - 2 to TOP + 2."""

BORDERS = [(border.first, border.second) for border in PLAN.borders]


def found(picture, plan=PLAN, covered=None, ink=None, config=CONFIG) -> dict[tuple[int, int], float]:
    """Length of the holes in each wall that has some."""
    lengths = holes(picture, covered, plan, ink or ink_of(), config, 1.0)
    return {pair: float(length) for pair, length in zip(BORDERS, lengths, strict=True) if length}


def holed(columns: int, level: int = 255, start: int = LEFT + 8) -> np.ndarray:
    picture = PLAN.picture.copy()
    picture[TOP - 2 : TOP + 2, start : start + columns] = level
    return picture


def toned(levels: dict[tuple[int, int], float]) -> np.ndarray:
    """Every wall standing so far, from 0 (floor) to 1, in its pixels and what is within three of them."""
    picture = PLAN.picture.copy()
    dark = (PLAN.picture == DARK).all(axis=2)
    for border in PLAN.borders:
        near = np.zeros(SHAPE, bool)
        for row, column in border.pixels:
            near[row - 3 : row + 4, column - 3 : column + 4] = True
        picture[near & dark] = round(255 * (1.0 - levels[border.first, border.second]))
    return picture


WALLS = [pair for pair in BORDERS if pair not in WAYS]
AROUND = np.ones((3, 3), np.uint8)


def test_the_puzzle_s_walls_have_none():
    assert found(PLAN.picture) == {}
    assert found(PLAN.picture, covered=np.ones(SHAPE, bool)) == {}


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_the_length_of_a_hole(columns):
    """Columns are averaged with their neighbours, which lack as much less as these lack more."""
    assert found(holed(columns)) == {(3, 7): pytest.approx(columns, abs=1e-3)}


@pytest.mark.parametrize(("share", "told"), [(0.45, False), (0.55, True)])
def test_what_a_wall_lacks_is_summed(share, told):
    """Of a column of it, half."""
    picture = holed(1, round(255 * share))
    assert ((3, 7) in found(picture)) is told


def test_a_hole_in_an_outer_wall():
    top = corner(2, 4)[1]
    picture = PLAN.picture.copy()
    picture[top - 2 : top + 2, LEFT - 20 : LEFT - 16] = FLOOR
    assert found(picture) == {(0, 2): 4.0}


def test_passages_have_no_holes():
    picture = PLAN.picture.copy()
    picture[TOP + 2 : TOP + CELL - 2, LEFT - 2 : LEFT + 2] = DARK
    assert found(picture) == {}


def test_a_wall_beside_its_place_is_whole_and_so_is_a_blurred_one():
    for by, gone in ((1, False), (2, False), (6, True)):
        picture = holed(CELL - 6, start=LEFT + 3)
        picture[TOP - 2 + by : TOP + 2 + by, LEFT + 3 : LEFT + CELL - 3] = DARK
        assert ((3, 7) in found(picture)) is gone, by
    for sigma in (0.7, 1.5):
        assert found(cv2.GaussianBlur(PLAN.picture, (0, 0), sigma)) == {}
        assert (3, 7) in found(cv2.GaussianBlur(holed(3), (0, 0), sigma))


def test_a_wall_that_is_thinned_is_paler():
    """By 0.34, summed across: three of four rows stand, or two."""
    for rows, gone in ((3, False), (2, True)):
        picture = holed(CELL - 6, start=LEFT + 3)
        picture[TOP - 2 : TOP - 2 + rows, LEFT + 3 : LEFT + CELL - 3] = DARK
        lengths = found(picture)
        assert (lengths.get((3, 7), 0.0) >= 22.0) is gone, rows


def test_walls_that_are_all_as_pale_are_the_puzzle_s():
    pale = toned(dict.fromkeys(BORDERS, 0.7))
    assert found(pale) == {}
    # Darker ones too, where they have the colour that all walls have.
    assert found(pale, ink=ink_of(wall=(77, 77, 77))) == {}


@pytest.mark.parametrize(("standing", "length"), [(0.91, None), (0.68, None), (0.64, 22.0)])
def test_one_paler_wall_is_gone_as_a_whole(standing, length):
    """By 0.34 paler than most; by a tenth or so a part of it lacks, but not all."""
    picture = toned({pair: standing if pair == (3, 7) else 1.0 for pair in BORDERS})
    picture[TOP - 2 : TOP + 2, LEFT + 3 : LEFT + CELL - 3] = round(255 * (1.0 - standing))
    lengths = found(picture)
    assert ((3, 7) in lengths) is (standing < 0.9)
    assert (lengths.get((3, 7), 0.0) == 22.0) is (length is not None)


@pytest.mark.parametrize(("level", "gone"), [(0, False), (150, True)])
def test_thinner_walls_are_the_puzzle_s_where_what_lies_around_says_how_dark_they_are(level, gone):
    """Of four rows two are left of walls across, half of them, and three of walls along; or all are paler, by 0.59."""
    picture = PLAN.picture.copy()
    picture[PLAN.outside] = DARK
    plan = replace(PLAN, picture=picture)
    candidate = picture.copy()
    for border in PLAN.borders:
        if border.open or not border.first:
            continue
        (top, left), (bottom, right) = border.pixels.min(axis=0), border.pixels.max(axis=0)
        rows, columns = (slice(top - 5, bottom + 6), slice(left - 5, right + 6))
        wall = (picture[rows, columns] == DARK).all(axis=2)
        lying = bottom - top < right - left
        edges = wall.copy()
        kept = slice(6 - 1, 6 + 1) if lying else slice(5 - 1, 6 + 1)
        edges[(kept, slice(None)) if lying else (slice(None), kept)] = False
        candidate[rows, columns][wall] = level
        candidate[rows, columns][edges] = FLOOR
    lengths = found(candidate, plan)
    assert any(pair[0] for pair in lengths) is gone


def test_walls_that_are_rough_have_deeper_holes():
    """A third of the walls each at 1, 0.9 and 0.8: 3.5 times their deviation of 0.1 is noise."""
    levels = {pair: (1.0, 0.9, 0.8)[index % 3] for index, pair in enumerate(WALLS)}
    smooth = toned({**dict.fromkeys(BORDERS, 0.9), **levels, (3, 7): 0.9})
    for standing, deep in ((0.62, False), (0.3, True)):
        picture = smooth.copy()
        picture[TOP - 2 : TOP + 2, LEFT + 10 : LEFT + 16] = round(255 * (1.0 - standing))
        assert ((3, 7) in found(picture)) is deep, standing


def test_where_the_rim_is_darker_the_walls_between_cells_have_faded():
    """The middle wall tells the colour of walls; here it is that of faded ones, and the rim's is twice as dark."""
    outside = (200, 200, 255)
    picture = PLAN.picture.copy()
    for pair in WALLS:
        if pair[0]:
            for row, column in next(border.pixels for border in PLAN.borders if (border.first, border.second) == pair):
                picture[row - 2 : row + 2, column - 2 : column + 2] = 140
    pale = ink_of(wall=(140, 140, 140))
    around = np.where(PLAN.outside[..., None] & (PLAN.picture != DARK), outside, PLAN.picture)
    plan = replace(PLAN, picture=around.astype(np.uint8))
    lengths = found(picture, plan=plan, ink=pale)
    assert {pair for pair in lengths if pair[0]} == {pair for pair in WALLS if pair[0]}


def test_strokes_over_a_wall_are_no_holes_and_what_is_cut_off_is_none():
    stroke = np.zeros(SHAPE, bool)
    stroke[TOP - 6 : TOP + 6, LEFT + 7 : LEFT + 13] = True
    picture = holed(4)
    picture[stroke] = (150, 200, 255)
    assert found(picture, ink=ink_of(asked=stroke)) == {}
    assert found(picture, ink=ink_of(other=stroke)) == {}
    assert list(found(picture)) == [(3, 7)]
    covered = np.ones(SHAPE, bool)
    covered[TOP - 4 : TOP + 4, LEFT + 6 : LEFT + 14] = False
    assert found(holed(4), covered=covered) == {}
    assert found(holed(4), covered=np.zeros(SHAPE, bool)) == {}


@pytest.mark.parametrize(("level", "gone"), [(40, False), (52, True)])
def test_where_an_outside_has_the_walls_colour_the_rim_begins_where_that_does(level, gone):
    """Within 48 levels of black: of four rows beyond the border's the wall's last one and the outside's first stand."""
    picture = PLAN.picture.copy()
    picture[PLAN.outside & (picture != DARK).all(axis=2)] = level
    plan = replace(PLAN, picture=picture)
    top = corner(2, 4)[1]
    candidate = picture.copy()
    candidate[top - 1 : top + 2, LEFT - 26 : LEFT - 16] = FLOOR
    assert ((0, 2) in found(candidate, plan)) is gone


def test_a_scratch_through_several_walls_is_a_hole_in_each():
    """A fifth paler in one column of two pixels: 0.1 of their walls, no hole by itself. There are six walls."""
    two = replace(CONFIG, cuts=replace(CONFIG.cuts, many=2))
    walls = [(1, 5), (2, 6), (3, 7)]
    for many, cut in ((1, []), (2, walls[:2]), (3, [])):
        # What half of the walls have is how they are drawn.
        picture = PLAN.picture.copy()
        for border in PLAN.borders:
            if (border.first, border.second) in walls[:many]:
                row, column = np.rint(border.pixels.mean(axis=0)).astype(int)
                picture[row - 3 : row + 4, column] = np.maximum(picture[row - 3 : row + 4, column], 51)
        assert sorted(found(picture, config=two)) == cut
        assert found(picture) == {}
    thin = replace(two, cuts=replace(two.cuts, wall_px=PLAN.wall_px + 0.1))
    assert found(picture, config=thin) == {}


def test_a_scratch_tells_nothing_where_all_walls_are_drawn_thinner():
    """Two pixels of their four, of which one in a column is a tenth paler, as a redrawn slant wall varies."""
    two = replace(CONFIG, cuts=replace(CONFIG.cuts, many=2))
    picture = PLAN.picture.copy()
    picture[
        (picture == DARK).all(axis=2) & (cv2.erode((picture == DARK).all(axis=2).astype(np.uint8), AROUND) == 0)
    ] = FLOOR
    for pair in ((1, 5), (2, 6)):
        row, column = np.rint(PLAN.borders[BORDERS.index(pair)].pixels.mean(axis=0)).astype(int)
        picture[row - 3 : row + 4, column] = np.maximum(picture[row - 3 : row + 4, column], 51)
    assert found(picture, config=two) == {}
    thinner = replace(two, cuts=replace(two.cuts, wall_px=1.9))
    assert sorted(found(picture, config=thinner)) == [(1, 5), (2, 6)]


# --- cuts ---

CUTS = CutsConfig()
CLOSED = [index for index, border in enumerate(PLAN.borders) if not border.open]
OWNER = PLAN.border_pixels[1]
WHICH = np.flatnonzero(np.isin(OWNER, CLOSED))


def cut(changes: dict[int, float], wide: float = 4.0, at: float = 0.5) -> list[int]:
    """Of whole walls those that are cut, by number, if one place of some, so far along, shows so much more."""
    share = np.ones(len(WHICH), np.float32)
    for wall, change in changes.items():
        own = np.flatnonzero(OWNER[WHICH] == CLOSED[wall])
        own = own[np.argsort(sum(np.divmod(PLAN.border_pixels[0][WHICH[own]], PLAN.labels.shape[1])), kind="stable")]
        share[own[int(at * (len(own) - 1))]] += change
    return [CLOSED.index(wall) for wall in cut_walls(share, WHICH, wide, PLAN, CUTS).tolist()]


def test_several_walls_with_a_thin_cut_are_told_and_two_are_not():
    assert cut({1: -0.1, 4: -0.1, 6: -0.1}) == [1, 4, 6]
    assert cut({1: -0.1, 4: -0.1}) == []
    # 0.04 is less than the least of 0.05.
    assert cut({1: -0.04, 4: -0.04, 6: -0.04}) == []
    assert cut({1: -0.1, 4: -0.1, 6: -0.1}, wide=2.9) == []


@pytest.mark.parametrize(("length", "told"), [(8, True), (16, False)])
def test_what_is_paler_along_a_part_of_a_wall_is_no_thin_cut(length: int, told: bool):
    """Of the two rows of a border so many pixels, where up to 11 are thin."""
    share = np.ones(len(WHICH), np.float32)
    for wall in (1, 4, 6):
        own = np.flatnonzero(OWNER[WHICH] == CLOSED[wall])
        middle = (len(own) - length) // 2
        share[own[middle : middle + length]] -= 0.1
    found = cut_walls(share, WHICH, 4.0, PLAN, CUTS)
    assert [CLOSED.index(wall) for wall in found.tolist()] == ([1, 4, 6] if told else [])


def test_at_a_wall_s_end_nothing_is_told():
    """It mixes with what lies there."""
    assert cut({1: -0.1, 4: -0.1, 6: -0.1}, at=0.0) == []


@pytest.mark.parametrize(("rise", "told"), [(0.08, True), (0.09, False)])
def test_what_is_darker_elsewhere_by_as_much_is_no_cut(rise, told):
    """A resized picture does both to slant walls: 1.2 times 0.08 are 0.096, and 1.2 times 0.09 are 0.108."""
    dips = {1: -0.1, 4: -0.1, 6: -0.1}
    assert (cut(dips | {2: rise, 3: rise, 5: rise}) == [1, 4, 6]) is told
    # Two that are darker are a stroke's edge.
    assert cut(dips | {2: rise, 3: rise}) == [1, 4, 6]
