"""From a candidate and the line that was read to what is left of it, on drawn pictures."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.maze.remainder.config import RemainderConfig, StrokePieceConfig
from detectors.maze.remainder.finding import MazeRemainder, find_remainder, line_of
from detectors.maze.remainder.roles import Role
from tests.maze.remainder.scenes import BLUE, NO_LINE, PLAN, SHAPE, at, box, grey, ink_of, path_of, through
from tests.maze.stages.plans import CELL, FLOOR, corner

CONFIG = RemainderConfig()
NONE = MazeRemainder((), (), (), (), companions=False, decorated=False)
LINE = through(1, 2, 3, 4, 8, 7)
LEFT, TOP = corner(7, 4)


def found(picture, strokes=NO_LINE.strokes, plan=PLAN, covered=None, config=CONFIG) -> MazeRemainder:
    path = path_of(strokes) if strokes.any() else NO_LINE
    return find_remainder(picture, covered, ink_of(picture, asked=strokes), path, plan, config, candidate_px=1.0)


def drawn(strokes=LINE) -> np.ndarray:
    picture = PLAN.picture.copy()
    picture[strokes] = BLUE
    return picture


def told(left: MazeRemainder) -> list[tuple[Role, tuple[int, ...]]]:
    return [(thing.role, thing.cells) for thing in left.things]


def test_nothing_is_left_of_the_puzzle_or_of_a_line_on_it():
    assert found(PLAN.picture) == NONE
    assert found(drawn(), LINE) == NONE
    assert found(drawn(), LINE, covered=np.ones(SHAPE, bool)) == NONE


# --- what is seen ---


def test_a_wide_faint_stroke_is_seen_where_a_dot_as_faint_is_not():
    """Greys of a contrast of 0.05, from cell 10 to 11, and in cell 10."""
    stroke, dot = drawn(), drawn()
    stroke[through(10, 11, width=8)] = grey(0.05)
    dot[box(*at(10), 3, 3)] = grey(0.05)
    assert told(found(stroke, LINE)) == [(Role.WAY, (10, 11))]
    assert told(found(dot, LINE)) == []
    strong = drawn()
    strong[box(*at(10), 5, 5)] = grey(0.5)
    assert told(found(strong, LINE)) == [(Role.WALL, (10,))]


@pytest.mark.parametrize("color", [(255, 240, 225), (225, 255, 235), (240, 240, 240)])
def test_any_colour_is_seen(color):
    picture = drawn()
    picture[through(9, 10, 11, width=8) & PLAN.open_floor] = color
    assert told(found(picture, LINE)) == [(Role.WAY, (9, 10, 11))]


def test_what_is_lighter_than_a_dark_floor_is_seen():
    picture = drawn()
    picture[PLAN.open_floor & ~LINE] = 120
    ink, path = ink_of(asked=LINE, floor=(120, 120, 120)), path_of(LINE)
    assert find_remainder(picture, None, ink, path, PLAN, CONFIG, candidate_px=1.0).things == ()
    picture[through(9, 10, 11, width=8) & PLAN.open_floor] = 135
    assert told(find_remainder(picture, None, ink, path, PLAN, CONFIG, candidate_px=1.0)) == [(Role.WAY, (9, 10, 11))]


def test_a_bar_across_a_passage_is_seen_at_a_lower_contrast_than_a_mark_of_its_size():
    """Between cells 10 and 11, and in the middle of cell 10."""
    left, top = corner(11, 4)
    bar, mark = drawn(), drawn()
    bar[top + 3 : top + CELL - 3, left - 3 : left + 3] = grey(0.017)
    x, y = at(10)
    mark[y - 13 : y + 13, x - 3 : x + 3] = grey(0.017)
    assert told(found(bar, LINE)) == [(Role.WAY, (10, 11))]
    assert told(found(mark, LINE)) == []


def test_noise_leaves_nothing():
    for seed in range(3):
        noise = np.random.default_rng(seed).normal(0.0, 8.0, PLAN.picture.shape)
        noisy = np.clip(np.rint(drawn() + noise), 0, 255).astype(np.uint8)
        assert told(found(noisy, LINE)) == [], seed


def test_uneven_light_leaves_nothing():
    y, x = np.mgrid[-1 : 1 : SHAPE[0] * 1j, -1 : 1 : SHAPE[1] * 1j]
    light = 0.9 - 0.05 * x + 0.04 * x * y - 0.04 * y * y
    assert told(found(np.rint(drawn() * light[..., None]).astype(np.uint8), LINE)) == []


def test_blur_leaves_nothing():
    assert told(found(np.asarray(cv2.GaussianBlur(drawn(), (0, 0), 1.2), np.uint8), LINE)) == []


def test_jpeg_leaves_nothing():
    for quality in (90, 60):
        _, data = cv2.imencode(".jpg", drawn()[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
        assert told(found(np.ascontiguousarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1]), LINE)) == [], quality


def test_floor_within_a_level_of_its_colour_is_not_looked_at():
    picture = drawn()
    picture[through(9, 10, 11, width=12)] = 254
    assert found(picture, LINE) == NONE


def test_a_shadow_is_a_companion_and_no_remainder():
    shadow = through(1, 2, 3, 4, 8, 7, by=(3, 3))
    picture = PLAN.picture.copy()
    picture[shadow & PLAN.open_floor] = grey(0.2)
    picture[LINE] = BLUE
    assert found(picture, LINE) == replace(NONE, companions=True)


# --- holes and markers ---


def test_a_hole_of_a_pixel_is_told():
    picture = PLAN.picture.copy()
    picture[TOP - 2 : TOP + 2, LEFT + 8] = FLOOR
    assert found(picture).holed_walls == ((3, 7),)


@pytest.mark.parametrize(("columns", "told_"), [(2, ()), (4, ((3, 7),))])
def test_in_a_corner_of_the_picture_a_small_one_is_decoration(columns, told_):
    """Something pale that lies on a wall: where it is larger than 0.07 of a cell and 3 pixels it is a hole."""
    picture = PLAN.picture.copy()
    picture[TOP - 2 : TOP + 2, LEFT + 10 : LEFT + 10 + columns] = FLOOR
    config = replace(CONFIG, roles=replace(CONFIG.roles, corner_width=0.5, corner_height=0.5))
    assert found(picture, config=config).holed_walls == told_


@pytest.mark.parametrize(
    ("color", "outwards", "told_"),
    [(FLOOR, 0, ((0, 4),)), (FLOOR, 10, ((0, 4),)), ((140, 140, 140), 0, ((0, 4),)), ((140, 140, 140), 10, ())],
)
def test_a_sign_in_a_corner_lies_on_what_is_around_the_maze_too(color, outwards, told_):
    """On the right wall of cell 4; a hole does not go on there, nor does what wiped it out, which is floor."""
    picture = PLAN.picture.copy()
    left, top = corner(4, 4)
    picture[top + 8 : top + 20, left + CELL - 2 : left + CELL + 2 + outwards] = color
    config = replace(CONFIG, roles=replace(CONFIG.roles, corner_width=0.5, corner_height=0.5, apart=0.1))
    assert found(picture, config=config).holed_walls == told_
    # Elsewhere there are no signs.
    config = replace(CONFIG, roles=replace(CONFIG.roles, corner_width=0.0))
    assert found(picture, config=config).holed_walls == ((0, 4),)


def test_markers_that_are_gone():
    picture = PLAN.picture.copy()
    picture[PLAN.markers[1].box][PLAN.markers[1].mask] = FLOOR
    assert found(picture).gone_markers == (1,)
    # Of one that is cut off, be it by a row, nothing is said.
    rows = PLAN.markers[1].box[0]
    for cut, gone in ((0, (1,)), (1, ())):
        covered = np.ones(SHAPE, bool)
        covered[rows.stop - cut :] = False
        assert found(picture, covered=covered).gone_markers == gone
    assert found(PLAN.picture, covered=covered).gone_markers == ()


# --- corners ---


def corner_mark(
    x: int, y: int, strokes: np.ndarray = LINE, color=(100, 100, 100), *, whole: bool = False
) -> MazeRemainder:
    """A cross, or a block, of 8 x 8 about a place, on a maze of which only a hair of a margin belongs to no cell.

    Arms of 2 pixels: it has 28, and its convex hull, an octagon, 64 - 4 * 3 * 3 / 2 = 46.
    """
    picture = drawn(strokes)
    for bar in ((8, 8),) if whole else ((8, 2), (2, 8)):
        picture[box(x, y, *bar)] = color
    path, ink = path_of(strokes), ink_of(asked=strokes)
    crop = (slice(14, SHAPE[0] - 14), slice(14, SHAPE[1] - 14))
    plan = replace(
        PLAN,
        picture=np.ascontiguousarray(PLAN.picture[crop]),
        labels=np.ascontiguousarray(PLAN.labels[crop]),
        walls=np.ascontiguousarray(PLAN.walls[crop]),
        depth=np.ascontiguousarray(PLAN.depth[crop]),
        markers=tuple(replace(one, left=one.left - 14, top=one.top - 14) for one in PLAN.markers),
        borders=tuple(replace(one, pixels=one.pixels - 14) for one in PLAN.borders),
    )
    masks = {
        name: getattr(ink, name)[crop] for name in ("asked", "other", "grey", "dark", "barrier", "erased", "strength")
    }
    return find_remainder(
        np.ascontiguousarray(picture[crop]),
        None,
        replace(ink, **masks),
        replace(path, strokes=np.ascontiguousarray(strokes[crop]), aside=np.zeros(plan.labels.shape, bool)),
        plan,
        replace(CONFIG, roles=replace(CONFIG.roles, corner_height=0.25)),
        candidate_px=1.0,
    )


def test_a_mark_in_a_free_corner_is_decoration():
    """Of 100 x 132 pixels the corners are 25 rows by 33 columns; 23 rows and 31 columns lie in cells."""
    left, bottom = corner(9, 4)[0], corner(9, 4)[1] + CELL
    assert corner_mark(left + 10, bottom - 12) == replace(NONE, decorated=True)
    # What reaches out of it is left, wherever it began.
    for x, y in ((left + 10, bottom - 24), (left + 44, bottom - 12)):
        assert corner_mark(x, y).things, (x, y)


@pytest.mark.parametrize(("level", "decorated"), [(254, False), (236, True)])
def test_decoration_is_plain(level, decorated):
    """Of a contrast of 0.01 or more over 3 x 3 pixels; a level off the floor is none."""
    left, bottom = corner(9, 4)[0], corner(9, 4)[1] + CELL
    assert corner_mark(left + 10, bottom - 12, color=(level,) * 3).decorated is decorated


def test_a_blot_in_a_free_corner_is_no_decoration():
    """It fills its convex hull."""
    left, bottom = corner(9, 4)[0], corner(9, 4)[1] + CELL
    assert corner_mark(left + 10, bottom - 12, whole=True).things


def test_what_lies_across_the_line_in_a_corner_is_looked_at():
    """A tenth of it may lie within 0.08 of a cell of 32, 2.6 pixels, of the line."""
    left, bottom = corner(9, 4)[0], corner(9, 4)[1] + CELL
    for by, seen in ((-2, True), (7, False)):
        line = LINE.copy()
        line[bottom - 20 : bottom - 2, left + 10 + 3 + by : left + 10 + 3 + by + 4] = True
        assert bool(corner_mark(left + 10, bottom - 12, line).things) is seen


# --- which strokes are the line ---


def kept(strokes: np.ndarray, half_width: float = 2.0, *, dashed: bool = False) -> np.ndarray:
    return line_of(path_of(strokes, half_width, dashed=dashed), ink_of(), PLAN, StrokePieceConfig())


def piece(width: int, height: int, cell: int = 10) -> np.ndarray:
    mask = np.zeros(SHAPE, bool)
    mask[box(*at(cell), width, height)] = True
    return mask


def test_nothing_has_no_pieces():
    assert not kept(NO_LINE.strokes).any()


@pytest.mark.parametrize(
    ("cell_px", "half_width", "length", "belongs"),
    [(64.0, 2.0, 76, False), (64.0, 2.0, 77, True), (32.0, 4.0, 20, False), (32.0, 4.0, 21, True)],
)
def test_a_long_piece_belongs_to_the_line(cell_px, half_width, length, belongs):
    """0.6 of 64 times a half-width of 2 are 76.8 pixels; 0.02 of 32 squared, 20.5, are enough for any."""
    crumb = np.zeros(SHAPE, bool)
    crumb[at(10)[1], 40 : 40 + length] = True
    plan = replace(PLAN, cell_px=cell_px)
    assert bool(line_of(path_of(LINE | crumb, half_width), ink_of(), plan, StrokePieceConfig())[crumb].all()) is belongs


def test_a_piece_as_wide_as_the_line_belongs_to_it():
    """Three half-widths squared, 14.5 of 2.2 and 17.3 of 2.4, and 0.75 of one: a piece of two rows is 1 deep."""
    for half_width, belongs in ((2.2, True), (2.4, False)):
        crumb = piece(4, 4)
        assert (3.0 * half_width**2 <= 16) is belongs
        assert bool(kept(LINE | crumb, half_width)[crumb].all()) is belongs
    for half_width, belongs in ((1.2, True), (1.4, False)):
        crumb = piece(6, 2)
        assert (0.75 * half_width <= 1.0) is belongs
        assert bool(kept(LINE | crumb, half_width)[crumb].all()) is belongs


def test_dashes_belong_to_a_dashed_line():
    """Of those of 12 pixels, 0.4 of them are 4.8."""
    dashes = np.zeros(SHAPE, bool)
    for cell in (1, 2, 3, 4, 8):
        dashes |= piece(6, 2, cell)
    for length, belongs in ((4, False), (5, True)):
        crumb = piece(length, 1)
        assert bool(kept(dashes | crumb, 3.0, dashed=True)[crumb].all()) is belongs
        assert not kept(dashes | crumb, 3.0)[crumb].any()


def test_crumbs_beside_a_line_have_to_be_explained():
    """A dot in a cell that the line does not visit: 9 pixels are less than three half-widths squared, 12."""
    strokes = LINE | piece(3, 3, 10)
    assert 10 in {cell for thing in found(drawn(strokes), strokes).things for cell in thing.cells}
    # One as wide as the line is a piece of it, and judged as such.
    whole = LINE | piece(4, 4, 10)
    assert found(drawn(whole), whole) == NONE


def test_a_crumb_between_the_arms_of_a_cross_belongs_to_a_line_that_comes_there():
    """Three pixels above the middle of the cross, which has 17 x 17."""
    x, y = at(12)
    crumb = np.zeros(SHAPE, bool)
    crumb[y - 6, x - 1 : x + 2] = True
    assert not (crumb & PLAN.marker_mask).any()
    for way, belongs in (((10, 11, 12), True), ((9, 10, 11), False)):
        line = through(*way, width=6) & ~PLAN.marker_mask
        found_ink = ink_of(asked=line | crumb)
        lined = line_of(path_of(line | crumb, 3.0), found_ink, PLAN, StrokePieceConfig())
        assert bool(lined[crumb].all()) is belongs, way


def test_what_lies_aside_is_no_part_of_a_whole_line():
    """Of a dashed one it may be a dash."""
    mark = piece(8, 6)
    for dashed, belongs in ((False, False), (True, True)):
        path = replace(path_of(LINE | mark, 2.0, dashed=dashed), aside=mark)
        assert bool(line_of(path, ink_of(), PLAN, StrokePieceConfig())[mark].any()) is belongs


def test_a_marker_that_has_lost_its_colour_beside_one_that_has_not_is_gone():
    """Red markers in a grey as light as they are; where both are grey, the picture has lost its colours."""
    one, both = drawn(), drawn()
    light = np.full(3, 127, np.uint8)
    for picture, indices in ((one, (0,)), (both, (0, 1))):
        for index in indices:
            marker = PLAN.markers[index]
            picture[marker.box][marker.mask] = light
    assert 0 in found(one, LINE).gone_markers
    assert 1 not in found(one, LINE).gone_markers
    config = replace(CONFIG, markers=replace(CONFIG.markers, alike=-1.0, shown=0.0, differs=9.0))
    assert found(one, LINE, config=config).gone_markers == (0,)
    assert found(both, LINE, config=config).gone_markers == ()


def test_what_is_darker_all_along_a_line_s_rim_is_its_outline():
    """A light middle within blue; the same blue on a part of a light line is something that lies on it."""
    pale = np.array((190.0, 225.0, 250.0))
    line, middle = through(1, 2, 3, 4, 8, 7, width=9), through(1, 2, 3, 4, 8, 7, width=3)

    def left(picture) -> MazeRemainder:
        path = replace(path_of(line, 4.5), rgb=pale)
        return find_remainder(picture, None, ink_of(asked=line), path, PLAN, CONFIG, candidate_px=1.0)

    outlined = drawn(line)
    outlined[middle] = pale
    assert told(left(outlined)) == []
    blotted = drawn(line)
    blotted[line] = pale
    blotted[box(*at(3), 14, 14)] = BLUE
    assert [cells for _, cells in told(left(blotted))] == [(3,)]


def test_a_line_s_rim_goes_on_over_a_marker():
    """A pale rim of 2 pixels along a line of 3 that leads to the middle of the start's disc, of 13."""
    line, rim = through(1, 2, 3, 4, 8, 7, width=3), through(1, 2, 3, 4, 8, 7, width=7)
    picture = PLAN.picture.copy()
    picture[rim & ~PLAN.walls] = (235, 235, 235)
    picture[line] = BLUE
    assert found(picture, line).gone_markers == ()
    # What lies farther beside the line is none.
    picture[box(*at(1), 14, 14)] = (235, 235, 235)
    assert found(picture, line).gone_markers == (0,)
