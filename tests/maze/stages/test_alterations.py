"""What was changed of a maze, threshold by threshold, on a maze of 2 x 3 cells of 32 pixels with walls of 4."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.common.colors import ColorName, oklab
from detectors.maze.alterations import AlterationConfig, Alterations, find_alterations
from detectors.maze.ink import InkConfig, find_ink
from detectors.maze.plan.floorplan import Floorplan
from tests.maze.stages.plans import AROUND, CELL, DARK, FLOOR, MARGIN, RED, WALL, corner, middle, plan_of

WAYS = {(1, 2), (2, 3), (3, 6), (5, 6), (4, 5)}
PLAN = plan_of(2, 3, WAYS, {1: "disc", 4: "cross"})
CONFIG = AlterationConfig()
BLUE = (0, 107, 183)
X, Y = middle(5, 3)
LEFT, TOP = corner(5, 3)
"""Above cell 5 is a wall to cell 2, from LEFT to LEFT + CELL; passages are to its left and right."""


def found(picture, plan: Floorplan = PLAN, covered=None, config=CONFIG) -> Alterations:
    ink = find_ink(picture, covered, plan, ColorName.BLUE, InkConfig())
    return find_alterations(picture, covered, ink, plan, config)


def painted(color, *boxes: tuple[slice, slice], plan: Floorplan = PLAN) -> np.ndarray:
    picture = plan.picture.copy()
    for box in boxes:
        picture[box] = color
    return picture


def wall_box(columns: int, start: int = LEFT + 5) -> tuple[slice, slice]:
    """Some columns of the wall between cells 2 and 5, from where its pixels count."""
    return slice(TOP - 2, TOP + 2), slice(start, start + columns)


def test_the_puzzle_itself_is_unaltered():
    assert found(PLAN.picture) == Alterations((), (), (), 8, 5, (), (), ())
    # Two walls between cells, and a border with the outside for each of six; five passages.
    everything = np.ones(PLAN.labels.shape, bool)
    assert found(PLAN.picture, covered=everything) == found(PLAN.picture)


# --- walls ---


@pytest.mark.parametrize(("columns", "erased"), [(4, ()), (5, ((2, 5),))])
def test_a_wall_is_erased_by_a_hole_in_it(columns, erased):
    """44 pixels of it count, two in each column, which are fewer than two cell lengths: 0.22 of them is 9.68."""
    assert found(painted(FLOOR, wall_box(columns))).erased_walls == erased


@pytest.mark.parametrize(("columns", "erased"), [(5, 0), (6, 1)])
def test_an_outer_wall_is_erased_likewise(columns, erased):
    """24 pixels of it count, one in each column: 0.22 of 24 is 5.28."""
    top = corner(2, 3)[1]
    start = corner(2, 3)[0] + 10
    hole = (slice(top - 2, top + 2), slice(start, start + columns))
    picture = painted(FLOOR, hole)
    assert len(found(picture).erased_walls) == erased
    if erased:
        assert found(picture).erased_walls == ((0, 2),)


def test_a_wall_that_was_displaced_by_a_pixel_stands_beside_it():
    y = TOP
    picture = painted(FLOOR, wall_box(CELL - 4, LEFT + 2))
    moved = picture.copy()
    moved[y - 1 : y + 3, LEFT + 2 : LEFT + CELL - 2] = DARK
    assert found(moved).erased_walls == ()
    assert found(picture).erased_walls == ((2, 5),)
    # Two pixels in a row across the border have to look like wall: a hair-line does not do...
    hair = picture.copy()
    hair[y, LEFT + 2 : LEFT + CELL - 2] = DARK
    assert found(hair).erased_walls == ((2, 5),)
    # ...unless the puzzle's own walls are hair-lines.
    assert found(hair, config=replace(CONFIG, walls=replace(CONFIG.walls, hair_line_px=4.5))).erased_walls == ()


def test_a_wall_in_the_path_s_colour_was_painted_over():
    """0.85 of 44 is 37.4: 18 columns are 36, 19 are 38."""
    assert found(painted(BLUE, wall_box(18))).painted_walls == ()
    assert found(painted(BLUE, wall_box(19))).painted_walls == ((2, 5),)
    # What is gone is erased, not painted over.
    both = painted(BLUE, wall_box(13))
    both[wall_box(9, LEFT + 18)] = FLOOR
    assert (found(both).erased_walls, found(both).painted_walls) == (((2, 5),), ())


def test_where_floor_and_walls_look_alike_there_are_no_walls():
    picture = np.full_like(PLAN.picture, 255)
    picture[PLAN.outside] = AROUND
    gone = found(picture)
    assert len(gone.erased_walls) == gone.wall_count == 8


# --- passages ---


@pytest.mark.parametrize(("rows", "closed"), [(14, 0), (16, 1)])
def test_a_passage_is_closed_by_what_is_dark_along_it(rows, closed):
    """44 pixels of it count, two in each row: more than half are 23, and more than 0.7 of 21 + 1 in span is 15.4."""
    bar = (slice(Y - rows // 2, Y + rows - rows // 2), slice(LEFT - 2, LEFT + 2))
    assert found(painted(DARK, bar)).closed_passages == (((4, 5),) if closed else ())


def test_dark_to_more_than_half_closes():
    """22 of 44 pixels, in 21 rows, span it but are not more than half of them; 24 are."""
    comb = PLAN.picture.copy()
    rows = range(TOP + 5, TOP + CELL - 5)
    for row in [*rows][::2]:
        comb[row, LEFT - 2 : LEFT + 2] = DARK
    assert found(comb).closed_passages == ()
    comb[[*rows][1], LEFT - 2 : LEFT + 2] = DARK
    assert found(comb).closed_passages == ((4, 5),)


def test_a_bar_in_the_path_s_colour_closes_a_passage_and_a_stroke_through_it_does_not():
    """0.2 of 32 pixels are 6.4: a bar of 10 does not reach 6 to either side, one of 14 does."""
    rows = slice(TOP + 2, TOP + CELL - 2)
    narrow = painted(BLUE, (rows, slice(LEFT - 5, LEFT + 5)))
    wide = painted(BLUE, (rows, slice(LEFT - 8, LEFT + 8)))
    assert found(narrow).closed_passages == ((4, 5),)
    assert found(wide).closed_passages == ()
    # It goes on to one side over 0.4 of the passage: 9 of 22 rows are 18 of 44 pixels.
    for height, closed in ((8, ((4, 5),)), (9, ())):
        picture = narrow.copy()
        picture[Y - 4 : Y - 4 + height, LEFT : LEFT + 14] = BLUE
        assert found(picture).closed_passages == closed, height
    # 0.85 of 44 is 37.4: a bar that leaves 4 of 22 rows open is none, since 36 are inked.
    for gap, closed in ((3, ((4, 5),)), (4, ())):
        picture = narrow.copy()
        picture[Y - 2 : Y - 2 + gap] = PLAN.picture[Y - 2 : Y - 2 + gap]
        assert found(picture).closed_passages == closed, gap


# --- cells ---


def test_a_cell_is_covered_where_its_floor_turned_grey():
    """Cell 5 has 505... floor pixels; more than 0.3 of them."""
    area = int(PLAN.cell_areas[5])
    at = np.argwhere(PLAN.floor & (PLAN.labels == 5))
    for count, cells in ((int(0.3 * area), ()), (int(0.3 * area) + 1, (5,))):
        picture = PLAN.picture.copy()
        picture[tuple(at[:count].T)] = (190, 190, 190)
        assert found(picture).covered_cells == cells


def test_a_cell_is_cut_off_where_half_of_it_is_not_covered():
    area = int(PLAN.cell_areas[5])
    at = np.argwhere(PLAN.floor & (PLAN.labels == 5))
    for count, cells in ((area // 2, ()), (area // 2 + 1, (5,))):
        covered = np.ones(PLAN.labels.shape, bool)
        covered[tuple(at[:count].T)] = False
        assert found(PLAN.picture, covered=covered).hidden_cells == cells
    assert found(PLAN.picture, covered=np.zeros(PLAN.labels.shape, bool)).hidden_cells == (1, 2, 3, 4, 5, 6)


# --- markers ---


def test_a_mark_like_a_marker_is_an_added_one():
    picture = PLAN.picture.copy()
    cv2.circle(picture, (X, Y), 6, RED, -1)
    (((x, y), cell),) = found(picture).added_markers
    assert cell == 5
    assert (x, y) == (X + 0.5, Y + 0.5)


def rectangle(width: int, height: int, color=RED) -> np.ndarray:
    return painted(
        color, (slice(Y - height // 2, Y - height // 2 + height), slice(X - width // 2, X - width // 2 + width))
    )


def test_an_added_marker_has_a_marker_s_size():
    """0.4 of the smaller area to 2.5 of the larger; here 113 and 133 pixels: 45.2 to 332.5."""
    areas = [np.count_nonzero(one.mask) for one in PLAN.markers]
    assert (0.4 * min(areas), 2.5 * max(areas)) == (pytest.approx(45.2), pytest.approx(332.5))
    for (width, height), seen in (((5, 9), 0), ((6, 8), 1), ((18, 18), 1), ((19, 18), 0)):
        assert len(found(rectangle(width, height)).added_markers) == seen, (width, height)


def test_an_added_marker_has_a_marker_s_shape():
    """Its sides are as 1 to 2 at most, the longer 1.6 times that of the larger marker, 17: 27.2; both ways."""
    for (width, height), seen in (((6, 12), 1), ((6, 13), 0), ((12, 6), 1), ((13, 6), 0)):
        assert len(found(rectangle(width, height)).added_markers) == seen, (width, height)
    longest = max(max(one.mask.shape) for one in PLAN.markers)
    assert longest == 17
    roomy = replace(CONFIG, markers=replace(CONFIG.markers, added_area=(0.4, 10.0), added_aspect=0.1))
    for width, seen in ((27, 1), (28, 0)):
        assert len(found(rectangle(width, 8), config=roomy).added_markers) == seen
    # A hollow square of 14 with lines a pixel wide fills 52 of 196, 0.27 of its box; with 2 pixels 96, 0.49.
    for line, seen in ((1, 0), (2, 1)):
        picture = rectangle(14, 14)
        picture[Y - 7 + line : Y + 7 - line, X - 7 + line : X + 7 - line] = FLOOR
        assert len(found(picture).added_markers) == seen


def test_an_added_marker_has_a_marker_s_colour():
    red = oklab(np.array([RED], np.uint8))[0]
    reds = [(255, step, 0) for step in range(0, 200)]
    distance = [float(np.linalg.norm(oklab(np.array([color], np.uint8))[0] - red)) for color in reds]
    last = max(index for index, value in enumerate(distance) if value < 0.16)
    assert len(found(rectangle(10, 10, reds[last])).added_markers) == 1
    assert found(rectangle(10, 10, reds[last + 2])).added_markers == ()


def test_beside_a_marker_no_other_is_looked_for():
    """A square of 7 reaches 3 pixels around it: what is nearer is cut off a mark."""
    disc = PLAN.markers[0]
    right = disc.left + disc.mask.shape[1]
    row = disc.top + disc.mask.shape[0] // 2
    for gap in (0, 3):
        picture = PLAN.picture.copy()
        picture[row - 4 : row + 4, right + gap : right + gap + 8] = RED
        (((x, _), _),) = found(picture).added_markers or (((0.0, 0.0), 0),)
        # Cut at 3 from the disc's own pixels in these rows.
        assert x == 0.0 or x >= right + 3 + 2
    bare = plan_of(2, 3, WAYS)
    assert found(painted(RED, (slice(Y - 4, Y + 4), slice(X - 4, X + 4)), plan=bare), bare).added_markers == ()


def test_where_an_outside_has_the_walls_colour_an_outer_wall_stands_where_that_begins():
    """An outside as black as the walls: a rim wall that ends a pixel or two farther out is the same."""
    plan = PLAN
    picture = plan.picture.copy()
    picture[plan.outside] = DARK
    black = replace(plan, picture=picture)
    assert np.abs(black.exterior_rgb - black.wall_rgb).max() < CONFIG.walls.alike
    shifted = picture.copy()
    top = corner(2, 3)[1]
    left = corner(2, 3)[0]
    shifted[top - 1 : top + 2, left + 4 : left + CELL - 4] = FLOOR
    assert found(shifted, black).erased_walls == ()
    shifted[top - 2, left + 4 : left + CELL - 4] = FLOOR
    assert found(shifted, black).erased_walls == ((0, 2),)
    # Beside a lighter outside, of which nothing looks like wall, it is gone.
    light = painted(FLOOR, (slice(top - 1, top + 2), slice(left + 4, left + CELL - 4)))
    light[top - 2, left + 4 : left + CELL - 4] = AROUND
    assert found(light).erased_walls == ((0, 2),)
    assert MARGIN > WALL


# --- walls in another colour ---


@pytest.mark.parametrize("color", [(30, 120, 60), (0, 100, 30), (160, 20, 20), (130, 60, 20), (110, 40, 160)])
def test_a_wall_in_another_colour_than_the_rest_was_painted_over(color):
    assert found(painted(color, wall_box(CELL - 4, LEFT + 2))).painted_walls == ((2, 5),)


def test_a_piece_of_it_tells():
    """Pieces of 0.35 of a cell's 32 pixels, in the order of its pixels: of both rows the first 11."""
    assert found(painted((110, 40, 160), wall_box(11))).painted_walls == ((2, 5),)
    assert found(painted((110, 40, 160), wall_box(2))).painted_walls == ()


@pytest.mark.parametrize("color", [(0, 0, 0), (60, 60, 60)])
def test_darkness_is_no_other_colour(color):
    assert found(painted(color, wall_box(CELL - 4, LEFT + 2))).painted_walls == ()


def test_walls_that_are_all_repainted_are_as_the_rest():
    picture = PLAN.picture.copy()
    picture[PLAN.walls | PLAN.outside] = (110, 50, 10)
    assert found(picture).painted_walls == ()


def test_beside_the_line_hues_are_its_glow():
    """Nearer than 0.2 of a cell, 6.4 pixels, to ink: a bar of it 3 pixels above the wall, and one 10 above."""
    glow = painted((0, 80, 30), wall_box(CELL - 4, LEFT + 2))
    for above, told in ((3, ()), (10, ((2, 5),))):
        picture = glow.copy()
        picture[TOP - 2 - above - 4 : TOP - 2 - above, LEFT - 6 : LEFT + CELL + 6] = BLUE
        assert found(picture).painted_walls == told
