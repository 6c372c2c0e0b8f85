"""A floor plan's derived masks, colours and borders, pixel by pixel, on a maze of 2 x 3 cells of 32 pixels."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from detectors.maze.plan.cell_maps import OUTSIDE, CellMapConfig, fit_cell_map
from detectors.maze.plan.floorplan import Marker
from detectors.maze.plan.normals import normals_across
from detectors.maze.plan.rims import RimConfig
from detectors.maze.plan.walls import FloorplanConfig, read_floorplan
from tests.maze.stages.plans import AROUND, CELL, DARK, FLOOR, MARGIN, RED, WALL, corner, drawn_maze, middle, plan_of

WAYS = {(1, 2), (2, 3), (3, 6), (5, 6), (4, 5)}
PLAN = plan_of(2, 3, WAYS, {1: "disc", 4: "cross"})
CONFIG = FloorplanConfig()


def border(first: int, second: int, plan=PLAN):
    return next(one for one in plan.borders if (one.first, one.second) == (first, second))


def read(picture, labels, config=CONFIG, wall=WALL):
    return read_floorplan(picture, (labels,), CELL, wall, 1, config)


# --- markers ---


def test_a_marker_knows_its_rim_its_box_and_its_arms():
    mask = np.zeros((5, 7), bool)
    mask[1:4, 2:6] = True
    marker = Marker(mask, left=10, top=20, center=(13.5, 22.0), cell=3, rgb=np.array(RED, float), solid=12 / 35)
    assert marker.box == (slice(20, 25), slice(10, 17))
    # 3 x 4 pixels, all but the two in the middle of which lie at the edge.
    assert sorted(map(tuple, marker.outline.tolist())) == sorted(
        (20 + row, 10 + column) for row in (1, 2, 3) for column in (2, 3, 4, 5) if (row, column) not in ((2, 3), (2, 4))
    )
    assert marker.half_arm == 12 / (4 * math.hypot(5, 7))


def test_a_marker_that_fills_its_box_has_an_edge_all_the_same():
    marker = Marker(np.ones((3, 3), bool), 0, 0, (1.0, 1.0), 1, np.array(RED, float), 1.0)
    assert len(marker.outline) == 8


def test_markers_are_found_where_they_are_drawn():
    disc, cross = PLAN.markers
    for marker, cell in ((disc, 1), (cross, 4)):
        assert marker.cell == cell
        assert marker.center == pytest.approx(middle(cell, 3), abs=0.5)
        assert marker.rgb.tolist() == list(RED)
        assert marker.solid == np.count_nonzero(marker.mask) / marker.mask.size
    assert disc.solid > cross.solid
    assert PLAN.marker_mask.sum() == sum(np.count_nonzero(one.mask) for one in PLAN.markers)


def test_the_fuller_marker_comes_first_wherever_it_is():
    plan = plan_of(2, 3, WAYS, {1: "cross", 4: "disc"})
    assert [one.cell for one in plan.markers] == [4, 1]


@pytest.mark.parametrize(("side", "seen"), [(3, 0), (4, 1)])
def test_a_marker_has_a_least_area(side, seen):
    """0.01 of 32 x 32 pixels is 10.24: 3 x 3 are less, 4 x 4 more."""
    picture, labels = drawn_maze(2, 3, WAYS, {})
    x, y = middle(5, 3)
    picture[y : y + side, x : x + side] = RED
    assert len(read(picture, labels).markers) == seen


def test_a_marker_is_of_a_colour_that_floor_and_wall_have_not():
    """The line from white to black is grey; (255, 135, 135) has a chroma of 0.146, (255, 130, 130) one of 0.152."""
    picture, labels = drawn_maze(2, 3, WAYS, {})
    x, y = middle(5, 3)
    for color, seen in (((128, 128, 128), 0), ((255, 135, 135), 0), ((255, 130, 130), 1)):
        painted = picture.copy()
        painted[y : y + 8, x : x + 8] = color
        assert len(read(painted, labels).markers) == seen, color


def test_what_differs_little_from_the_floor_is_no_marker_in_any_case():
    """Even where the distance in OKLab would do: 24 levels do not, 25 do."""
    picture, labels = drawn_maze(2, 3, WAYS, {})
    x, y = middle(5, 3)
    loose = replace(CONFIG, marker_distance=0.001)
    for level, seen in ((255 - 24, 0), (255 - 25, 1)):
        painted = picture.copy()
        painted[y : y + 8, x : x + 8] = (255, 255, level)
        assert len(read(painted, labels, loose).markers) == seen


# --- masks ---


def test_the_rim_of_markers_reaches_four_pixels():
    """A square of 9 reaches 4 to each side."""
    disc = PLAN.markers[0]
    top, bottom = disc.top, disc.top + disc.mask.shape[0]
    column = disc.left + disc.mask.shape[1] // 2
    assert PLAN.marker_rims[top - 4 : bottom + 4, column].all()
    assert not PLAN.marker_rims[top - 5, column]
    assert not PLAN.marker_rims[bottom + 4, column]


def test_floor_is_a_pixel_from_what_is_none():
    """Half of an outer wall of four lies in cell 6, to the right; what touches it is no floor any more."""
    left, top = corner(6, 3)
    row = top + CELL // 2
    assert PLAN.open_floor[row, left + CELL - WALL // 2 - 1]
    assert not PLAN.open_floor[row, left + CELL - WALL // 2]
    assert PLAN.floor[row, left + CELL - WALL // 2 - 2]
    assert not PLAN.floor[row, left + CELL - WALL // 2 - 1]
    assert not (PLAN.open_floor & (PLAN.walls | PLAN.marker_mask | PLAN.outside)).any()


@pytest.mark.parametrize(("wall", "reach"), [(2, 3), (4, 4), (6, 6)])
def test_the_rim_of_walls_is_a_wall_wide_but_three_pixels_at_least(wall, reach):
    plan = plan_of(2, 3, WAYS, {}, wall)
    left, top = corner(6, 3)
    row = top + CELL // 2
    inner = left + CELL - wall // 2  # the first column of the outer wall
    assert plan.wall_rims[row, inner - reach]
    assert not plan.wall_rims[row, inner - reach - 1]


def test_cores_of_walls_are_their_middles():
    """A wall of 4 between cells has a middle of 2; of an outer one only 2 are inside, and no middle."""
    x = corner(2, 3)[0] + CELL // 2
    y = corner(5, 3)[1]
    assert PLAN.walls[y - 2 : y + 2, x].all()
    assert PLAN.wall_cores[y - 2 : y + 2, x].tolist() == [False, True, True, False]
    thin = plan_of(2, 3, WAYS, {}, 2)
    # Walls of two pixels have no middle at all: then all of them counts.
    assert (thin.wall_cores == thin.walls).all()


def test_the_exterior_is_farther_out_than_a_wall_is_wide():
    row = corner(1, 3)[1] + CELL // 2
    # Pixel MARGIN - 1 is half a pixel from the border; MARGIN - 5 four and a half.
    assert PLAN.outside[row, MARGIN - 1]
    assert not PLAN.exterior[row, MARGIN - 4]
    assert PLAN.exterior[row, MARGIN - 5]
    assert PLAN.exterior_rgb.tolist() == list(AROUND)


def test_without_an_outside_its_colour_is_the_walls():
    picture, labels = drawn_maze(2, 3, WAYS, {})
    inner = (slice(MARGIN, -MARGIN), slice(MARGIN, -MARGIN))
    plan = read(picture[inner], labels[inner])
    assert not plan.exterior.any()
    assert plan.exterior_sample.size == 0
    assert plan.exterior_rgb.tolist() == list(DARK)


def test_colours_are_told_by_some_pixels_evenly_taken():
    """Every n-th of N, with n = N // 1500: 4418 pixels of floor give every second."""
    count = np.count_nonzero(PLAN.floor)
    assert PLAN.floor_sample.tolist() == np.flatnonzero(PLAN.floor)[:: count // 1500].tolist()
    few = replace(PLAN, rims=RimConfig(samples=10))
    assert few.wall_sample.tolist() == np.flatnonzero(PLAN.wall_cores)[:: PLAN.wall_cores.sum() // 10].tolist()
    assert few.exterior_sample.size in range(10, 12)
    assert plan_of(1, 2, {(1, 2)}).wall_sample.size > 0


# --- colours ---


def test_floor_and_wall_have_their_colours():
    assert PLAN.floor_rgb.tolist() == list(FLOOR)
    assert PLAN.wall_rgb.tolist() == list(DARK)


def test_the_floor_is_told_away_from_the_borders():
    """1.5 walls are 6 pixels; a rim of 5 in another colour is not looked at."""
    picture, labels = drawn_maze(2, 3, WAYS, {})
    x, y = corner(5, 3)
    for cell in range(1, 7):
        left, top = corner(cell, 3)
        inside = picture[top + 5 : top + CELL - 5, left + 5 : left + CELL - 5]
        inside[:] = (240, 230, 220)
    assert read(picture, labels).floor_rgb.tolist() == [240, 230, 220]
    assert picture[y + 3, x + 16].tolist() != [240, 230, 220]


# --- borders ---


def test_borders_are_passages_or_walls():
    assert PLAN.passages == WAYS
    assert {(one.first, one.second) for one in PLAN.borders} == WAYS | {(1, 4), (2, 5)} | {(0, n) for n in range(1, 7)}
    assert PLAN.open_borders.tolist() == [one.open for one in PLAN.borders]
    assert PLAN.outer_borders.tolist() == [one.first == OUTSIDE for one in PLAN.borders]
    assert PLAN.joined(2, 1)
    assert PLAN.joined(1, 2)
    assert not PLAN.joined(4, 1)


def test_a_border_is_the_two_rows_of_pixels_beside_it_without_its_ends():
    """What lies within a wall's width of its two ends is left off."""
    y = corner(5, 3)[1]
    pixels = border(2, 5).pixels
    assert sorted(set(pixels[:, 0].tolist())) == [y - 1, y]
    left = corner(2, 3)[0]
    middle_x = left + (CELL - 1) / 2
    reach = math.hypot(CELL / 2 - 0.5, 0.5) - WALL
    kept = [x for x in range(left, left + CELL) if math.hypot(x - middle_x, 0.5) <= reach]
    assert sorted(set(pixels[:, 1].tolist())) == kept
    assert PLAN.border_lengths[PLAN.borders.index(border(2, 5))] == 2 * len(kept)


@pytest.mark.parametrize(("gap", "open_"), [(10, False), (12, True)])
def test_a_border_is_open_where_half_of_its_middle_is(gap, open_):
    """22 columns of it count, and a passage has less than half of them walled: a gap of 10 leaves 12, one of 12 10."""
    picture, labels = drawn_maze(2, 3, WAYS, {})
    x, y = corner(2, 3)[0] + CELL // 2, corner(5, 3)[1]
    picture[y - 2 : y + 2, x - gap // 2 : x + gap // 2] = FLOOR
    plan = read(picture, labels)
    assert plan.border_lengths[plan.borders.index(border(2, 5, plan))] == 44
    assert border(2, 5, plan).open is open_


def test_border_pixels_know_their_border_and_whether_a_wall_stands_there():
    at, owner = PLAN.border_pixels
    assert len(at) == len(owner) == PLAN.border_lengths.sum()
    for index, one in enumerate(PLAN.borders):
        rows, columns = np.divmod(at[owner == index], PLAN.labels.shape[1])
        assert np.array_equal(np.stack([rows, columns], axis=1), one.pixels)
        # Both rows of a wall of four between cells are its middle; of an outer wall what is inside.
        assert PLAN.border_walls[owner == index].all() == (not one.open)


def test_normals_point_across_borders_and_outwards_at_the_rim():
    at, owner = PLAN.border_pixels
    normals = PLAN.border_normals

    def of(first, second):
        return normals[owner == PLAN.borders.index(border(first, second))]

    assert np.abs(of(2, 5)) == pytest.approx(np.tile([1.0, 0.0], (44, 1)), abs=1e-9)
    assert np.abs(of(1, 2)) == pytest.approx(np.tile([0.0, 1.0], (44, 1)), abs=1e-9)
    # The rim of cell 2 lies above it, that of cell 5 below.
    assert of(0, 2)[:, 0].max() < -0.99
    assert of(0, 5)[:, 0].min() > 0.99
    # A corner has two outer walls, each with its own.
    columns = at[owner == PLAN.borders.index(border(0, 1))] % PLAN.labels.shape[1]
    upper = of(0, 1)[columns > MARGIN + 12]
    assert upper[:, 0].max() < -0.9


def test_around_a_corner_normals_turn_with_the_border():
    """Two pixels wide, 30 down and 30 to the right; away from the corner they lead across, not along."""
    down = [(row, column) for row in range(30) for column in (0, 1)]
    right = [(row, column) for column in range(2, 30) for row in (28, 29)]
    normals = np.abs(normals_across(np.array(down + right, np.intp), RimConfig()))
    assert normals[:44].min(axis=0) == pytest.approx([0.0, 1.0], abs=0.02)
    assert normals[-44:].min(axis=0) == pytest.approx([1.0, 0.0], abs=0.02)
    # A straight one has one for all, at its ends too.
    assert np.abs(normals_across(np.array(down, np.intp), RimConfig())).min(axis=0) == pytest.approx([0.0, 1.0])


def test_the_rim_is_the_second_row_where_the_wall_has_one():
    """Half of 4 is 2, at least 1.6: the second row of pixels; half of 2 is 1: the first."""
    row = corner(2, 3)[1]
    assert set(border(0, 2).pixels[:, 0].tolist()) == {row + 1}
    thin = plan_of(2, 3, WAYS, {}, 2)
    assert set(border(0, 2, thin).pixels[:, 0].tolist()) == {row}


def test_cells_that_meet_in_a_corner_have_no_border():
    pairs = {(one.first, one.second) for one in PLAN.borders}
    assert not pairs & {(1, 5), (2, 4), (2, 6), (3, 5)}
    # Nor do those of a jagged map: 0.15 of the median border of 64 pixels is 9.6; a notch of n has 2 n + 2.
    picture, labels = drawn_maze(2, 3, WAYS, {})
    x, y = corner(5, 3)
    for notch, met in ((3, False), (4, True)):
        jagged = labels.copy()
        jagged[y - 1 : y, x - notch : x] = 5  # cell 5 below cell 1
        plan = read(picture, jagged)
        assert ((1, 5) in {(one.first, one.second) for one in plan.borders}) is met


def test_thin_walls_have_no_holes():
    """Of walls of less than three pixels what is 0.3 on the way to wall stands, and a pixel beside it."""
    picture, labels = drawn_maze(2, 3, WAYS, {}, 2)
    y = corner(5, 3)[1]
    left = corner(2, 3)[0]
    wall = (slice(y - 1, y + 1), slice(left, left + CELL))
    for level, stands in ((170, True), (185, False)):  # (255 - 170) / 255 = 0.33, (255 - 185) / 255 = 0.27
        faded = picture.copy()
        faded[wall] = level
        plan = read(faded, labels, wall=2)
        assert border(2, 5, plan).open is not stands
        # Walls that are wider stand where half is left.
        assert border(2, 5, read(faded, labels, wall=3)).open


# --- cells ---


def test_areas_and_ids():
    assert PLAN.cell_ids.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert np.array_equal(PLAN.compact_labels, PLAN.labels)
    assert PLAN.cell_areas.tolist() == [np.count_nonzero(PLAN.floor & (PLAN.labels == cell)) for cell in range(7)]
    sparse = replace(PLAN, labels=np.where(PLAN.labels > 0, PLAN.labels * 10000, 0).astype(np.int32))
    assert sparse.cell_ids.tolist() == [0, 10000, 20000, 30000, 40000, 50000, 60000]
    assert np.array_equal(sparse.compact_labels, PLAN.labels)
    full = replace(PLAN, labels=np.maximum(PLAN.labels, 1))
    assert full.cell_ids.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert full.compact_labels.min() == 1


def test_how_wide_a_cell_is():
    """The side of a square of its area, no less than the cell length."""
    assert PLAN.cell_width_px == CELL
    assert replace(PLAN, cell_px=20.0).cell_width_px == CELL
    assert replace(PLAN, cell_px=40.0).cell_width_px == 40.0


# --- cell maps ---


def test_a_map_is_brought_onto_its_drawing_as_far_as_it_may_be_off():
    """0.15 of 32 pixels are 4.8, rounded to 5. Walls of 4 pixels do not tell a shift by one, so the least will do."""
    picture, labels = drawn_maze(2, 3, WAYS, {})
    for by, back, fits in ((1, 0, True), (3, 2, True), (6, 5, True), (7, 5, False)):
        for axis, direction in ((1, np.array([1, 0])), (0, np.array([0, 1]))):
            for sign in (1, -1):
                fitted = fit_cell_map(picture, (np.roll(labels, sign * by, axis=axis),), CELL, WALL, CONFIG.maps)
                assert list(fitted.shift) == (-sign * back * direction).tolist()
                assert (fitted.misfit == 0.0) is fits
                # What is moved in at an edge continues what was there.
                moved = np.roll(labels, sign * (by - back), axis=axis)
                assert np.array_equal(fitted.labels[8:-8, 8:-8], moved[8:-8, 8:-8])
    # 0.04 of 32 are 1.28, and one pixel is looked for in any case.
    still = fit_cell_map(picture, (np.roll(labels, 4, axis=1),), CELL, WALL, CellMapConfig(max_shift=0.04))
    assert still.shift == (-1, 0)
    none = fit_cell_map(picture, (np.roll(labels, 4, axis=1),), CELL, WALL, CellMapConfig(max_shift=0.0))
    assert none.shift == (-1, 0)


def test_what_contradicts_a_map_is_measured():
    """One voter in all, a dark pixel 10 deep in a cell: 10 less half a wall and half a pixel, but at most a wall: 4."""
    labels = np.ones((41, 41), np.int32)
    labels[:, :20] = 2
    picture = np.full((41, 41, 3), 255, np.uint8)
    picture[20, 30] = 0
    assert fit_cell_map(picture, (labels,), 8, 4, CellMapConfig(max_shift=0.0)).misfit == 4.0
    # 3.5 from the border (column 20 is 0.5 from it): 3.5 - 2 - 0.5 = 1, and 0 by the shift of one that is always tried.
    picture = np.full((41, 41, 3), 255, np.uint8)
    picture[20, 23] = 0
    assert fit_cell_map(picture, (labels,), 8, 4, CellMapConfig(max_shift=0.0)).misfit == pytest.approx(0.0)


def test_a_lattice_of_voters_finds_the_same():
    picture, labels = drawn_maze(2, 3, WAYS, {})
    fitted = fit_cell_map(picture, (np.roll(labels, 4, axis=1),), CELL, WALL, CellMapConfig(voters=2000))
    assert fitted.shift == (-3, 0)


def test_what_lies_around_tells_where_it_differs():
    """On a picture with a dark outside, floor outside contradicts a map too: a map that is too large by 6 columns."""
    picture, labels = drawn_maze(2, 3, WAYS, {})
    picture[labels == 0] = DARK
    wide = labels.copy()
    wide[MARGIN : MARGIN + CELL, MARGIN + 3 * CELL : MARGIN + 3 * CELL + 6] = 3
    narrow = np.where(np.roll(labels == 0, -10, axis=1), 0, labels)
    still = CellMapConfig(max_shift=0.0)
    assert fit_cell_map(picture, (wide, labels), CELL, WALL, still).labels is labels
    assert fit_cell_map(picture, (narrow, labels), CELL, WALL, still).labels is labels
    # Where it looks like floor, floor outside says nothing.
    picture[labels == 0] = FLOOR
    assert fit_cell_map(picture, (narrow, labels), CELL, WALL, still).labels is narrow
