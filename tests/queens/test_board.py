"""A board's picture, and marks on it, threshold by threshold: four rows of cells of 40 pixels, lines of 2."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.common.colors import oklab
from detectors.queens.board import Board, cell_colors, changed_regions, corner_brightness, read_board
from detectors.queens.config import BoardConfig, QueensConfig
from detectors.queens.queens import BoardFindings, QueenMark, find_queens
from grader.media.pyramid import reduce_picture

N, CELL, LINE = 4, 40, 2
SIDE = N * CELL
REGIONS = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 3], [2, 2, 3, 3]], np.int64)
COLORS = np.array([(240, 200, 190), (190, 240, 200), (200, 200, 245), (235, 235, 170)], np.uint8)
DARK = (15, 15, 15)
CONFIG = QueensConfig()


def drawn_board(cell: int = CELL, line: int = LINE) -> np.ndarray:
    picture = np.repeat(np.repeat(COLORS[REGIONS], cell, axis=0), cell, axis=1)
    for at in range(N + 1):
        low, high = max(0, at * cell - line // 2), at * cell + line // 2
        picture[low:high] = DARK
        picture[:, low:high] = DARK
    return picture


PICTURE = drawn_board()
BOARD = read_board(PICTURE, N, REGIONS, CONFIG.board)
SMALL = replace(CONFIG.board, min_px=0.0)
"""As boards of more cells are read."""


def middle(row: int, column: int) -> tuple[int, int]:
    """(x, y)."""
    return column * CELL + CELL // 2, row * CELL + CELL // 2


def disc(row: int, column: int, radius: int = 12, color=DARK, by=(0, 0), on=None) -> np.ndarray:
    picture = (PICTURE if on is None else on).copy()
    x, y = middle(row, column)
    cv2.circle(picture, (x + by[0], y + by[1]), radius, color, -1)
    return picture


def painted(color, *boxes, on=None) -> np.ndarray:
    picture = (PICTURE if on is None else on).copy()
    for box in boxes:
        picture[box] = color
    return picture


def inside(row: int, column: int, height: int, width: int, top: int = 12, left: int = 12):
    y, x = row * CELL + top, column * CELL + left
    return slice(y, y + height), slice(x, x + width)


def find(picture, config=CONFIG, board=BOARD, covered=None) -> BoardFindings:
    return find_queens(picture, covered, board, config)


def marks(found: BoardFindings) -> list[tuple[int, int]]:
    return [(one.row, one.column) for one in found.queens]


def kinds(found: BoardFindings) -> list[str]:
    return [one.code for one in found.others]


# --- the board ---


def test_a_board_is_read_at_32_pixels_a_cell_at_least():
    for cell, factor in ((40, 1), (63, 1), (64, 2), (127, 2), (128, 4)):
        assert read_board(drawn_board(cell), N, REGIONS, SMALL).factor == factor
    large = read_board(drawn_board(64), N, REGIONS, SMALL)
    assert (large.size, large.picture.shape, large.cell) == ((256, 256), (128, 128, 3), (32.0, 32.0))


def test_a_board_of_few_cells_is_read_at_200_pixels_at_least():
    """Four cells of 100 at half their size."""
    for cell, factor in ((99, 1), (100, 2)):
        assert read_board(drawn_board(cell), N, REGIONS, CONFIG.board).factor == factor


def test_lines_are_much_darker_than_their_cells():
    expected = np.zeros((SIDE, SIDE), bool)
    for at in range(N + 1):
        expected[max(0, at * CELL - 1) : at * CELL + 1] = True
        expected[:, max(0, at * CELL - 1) : at * CELL + 1] = True
    assert np.array_equal(BOARD.grid, expected)
    # 4 x (160 + 160) pixels of a line's width each; the lines cover 8 of 160 rows and of 160 columns.
    assert BOARD.line_width == (SIDE**2 - (SIDE - 8) ** 2) / (N * 2 * SIDE)
    assert np.array_equal(BOARD.wide_grid, cv2.dilate(expected.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)
    # A line of 0.6 of its cell's brightness is none: of 210, the grey of the first region, that is 126.
    grey = int(cv2.cvtColor(PICTURE, cv2.COLOR_RGB2GRAY)[20, 20])
    for level, line in ((int(0.6 * grey), True), (int(0.6 * grey) + 1, False)):
        faint = painted((level,) * 3, np.s_[10:12, 10:30])
        assert Board((SIDE, SIDE), 1, N, REGIONS, faint, CONFIG.board).grid[10, 20] == line


def test_colours_are_told_by_the_corners_which_a_queen_leaves_free():
    expected = oklab(COLORS[REGIONS])
    assert np.allclose(BOARD.cell_colors, expected, atol=1e-6)
    # A disc of 0.3 of a cell changes nothing, one that covers all does.
    assert np.array_equal(cell_colors(disc(0, 0), BOARD), BOARD.cell_colors)
    assert not np.array_equal(cell_colors(disc(0, 0, 30), BOARD), BOARD.cell_colors)
    grey = cv2.cvtColor(PICTURE, cv2.COLOR_RGB2GRAY)
    assert corner_brightness(grey, BOARD).tolist() == [
        [float(grey[row * CELL + 20, column * CELL + 20]) for column in range(N)] for row in range(N)
    ]
    assert BOARD.region_brightness.tolist() == [
        float(grey[y, x]) for y, x in ((20, 20), (20, 100), (100, 20), (100, 100))
    ]


def test_some_pixels_off_the_lines():
    at = np.flatnonzero(~BOARD.wide_grid)
    assert BOARD.sample.tolist() == at[:: at.size // 1500].tolist()
    few = Board((SIDE, SIDE), 1, N, REGIONS, PICTURE, BoardConfig(samples=10))
    assert few.sample.size in (10, 11)


def shaded(color: np.ndarray, distance: float) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """The last of a row of darker shades that is nearer than a distance in OKLab, and the first that is not."""
    shades = [tuple(int(value) for value in np.clip(color.astype(int) - step, 0, 255)) for step in range(120)]
    own = oklab(color[None])[0]
    far = next(
        i for i, one in enumerate(shades) if np.linalg.norm(oklab(np.array([one], np.uint8))[0] - own) > distance
    )
    return shades[far - 1], shades[far]


def test_a_cell_leaves_its_region_s_colour_by_a_distance():
    near, far = shaded(COLORS[0], 0.06)
    for color, recolored in ((near, ()), (far, ((0, 0),))):
        assert changed_regions(painted(color, inside(0, 0, 36, 36, 2, 2)), BOARD) == (recolored, ())


def test_a_cell_nearer_to_another_region_is_not_of_its_own():
    """By more than 0.02. Regions 0 and 1 are drawn so alike that 0.03 is nearer to the other."""
    alike = COLORS.copy()
    alike[0], alike[1] = (200, 200, 200), (215, 215, 215)
    picture = np.repeat(np.repeat(alike[REGIONS], CELL, axis=0), CELL, axis=1)
    board = read_board(picture, N, REGIONS, CONFIG.board)
    for level, recolored in ((204, ()), (212, ((0, 0),))):
        changed = painted((level,) * 3, inside(0, 0, 40, 40, 0, 0), on=picture)
        assert changed_regions(changed, board)[0] == recolored


def test_regions_have_merged_when_little_contrast_is_left():
    """Less than 0.4 of it: 0.39 of the way is too little, 0.41 is not."""
    first, second = COLORS[0].astype(float), COLORS[1].astype(float)
    before = np.linalg.norm(oklab(COLORS[0][None])[0] - oklab(COLORS[1][None])[0])
    for left, merged in ((0.35, ((0, 1),)), (0.45, ())):
        color = np.rint(first + left * (second - first)).astype(np.uint8)
        share = np.linalg.norm(oklab(color[None])[0] - oklab(COLORS[0][None])[0]) / before
        assert bool(share < 0.4) is bool(merged)
        picture = PICTURE.copy()
        picture[:80, 81:159] = np.where(BOARD.grid[:80, 81:159, None], picture[:80, 81:159], color)
        assert changed_regions(picture, BOARD)[1] == merged


# --- queens ---


def test_the_board_itself_has_no_marks():
    assert find(PICTURE) == BoardFindings((), (), False, (), ())


def test_a_dark_disc_is_a_queen_in_its_cell():
    found = find(disc(1, 2))
    (queen,) = found.queens
    assert (queen.row, queen.column) == (1, 2)
    x, y = middle(1, 2)
    assert queen.center == (pytest.approx(x + 0.5), pytest.approx(y + 0.5))
    assert queen.radius == pytest.approx(12.0, abs=0.7)
    assert 0.9 <= queen.confidence <= 1.0
    assert (found.others, found.recolored_cells, found.merged_regions) == ((), (), ())


def test_queens_come_row_by_row():
    picture = PICTURE
    for row, column in ((3, 0), (0, 2), (1, 1)):
        picture = disc(row, column, on=picture)
    assert marks(find(picture)) == [(0, 2), (1, 1), (3, 0)]


def test_a_reduced_board_gives_places_in_its_own_pixels():
    picture = drawn_board(80)
    cv2.circle(picture, (3 * 80 - 40, 40), 24, DARK, -1)
    board = read_board(drawn_board(80), N, REGIONS, SMALL)
    assert board.factor == 2
    (queen,) = find(
        np.ascontiguousarray(cv2.resize(picture, (160, 160), interpolation=cv2.INTER_AREA)), board=board
    ).queens
    assert (queen.row, queen.column) == (0, 2)
    assert queen.center == (pytest.approx(200, abs=1.5), pytest.approx(40, abs=1.5))
    assert queen.radius == pytest.approx(24, abs=1.5)


def test_a_mark_is_dark_below_a_share_of_the_darkest_region():
    """0.78 of 201 or so."""
    grey = float(BOARD.region_brightness.min())
    for level, dark in ((int(0.78 * grey) - 1, True), (int(0.78 * grey) + 1, False)):
        found = find(disc(0, 0, color=(level,) * 3))
        assert (marks(found) == [(0, 0)]) is dark, level
    # On a board that is darker as a whole it is darker too, but at most by half.
    dim = (PICTURE * 0.7).astype(np.uint8)
    level = int(0.78 * 0.7 * grey)
    assert marks(find(disc(0, 0, color=(level - 3,) * 3, on=dim))) == [(0, 0)]
    assert marks(find(disc(0, 0, color=(level + 3,) * 3, on=dim))) == []
    gloomy = (PICTURE * 0.3).astype(np.uint8)
    assert find(gloomy).recolored_cells != ()


def test_small_marks_are_not_looked_at():
    """0.004 of 1600 pixels is 6.4. Of a disc of radius 3 the raster makes a lozenge, of one of 4 a disc."""
    assert find(painted(DARK, inside(0, 0, 2, 2, 19, 19))) == find(PICTURE)
    assert kinds(find(disc(0, 0, 3))) == ["NOT_ROUND"]
    assert marks(find(disc(0, 0, 4))) == [(0, 0)]


@pytest.mark.parametrize(("axes", "queen"), [((12, 10), True), ((14, 10), False)])
def test_a_disc_is_no_oval(axes, queen):
    """1.35 at most: 25 to 21 is 1.19, 29 to 21 is 1.38; both ways."""
    for across, down in (axes, axes[::-1]):
        picture = PICTURE.copy()
        cv2.ellipse(picture, middle(1, 1), (across, down), 0, 0, 360, DARK, -1)
        found = find(picture)
        assert (marks(found) == [(1, 1)]) is queen
        assert kinds(found) == ([] if queen else ["NOT_ROUND"])


def test_a_square_is_no_disc():
    """It fills 0.64 of its circle, a small one whose corners the raster rounds more: below 150 pixels 0.74 will do."""
    assert kinds(find(painted(DARK, inside(1, 1, 20, 20, 10, 10)))) == ["NOT_ROUND"]
    for side, code in ((12, []), (13, ["NOT_ROUND"])):
        assert kinds(find(painted(DARK, inside(1, 1, side, side, 14, 14)))) == code
    # An octagon, a square without its corners, is one.
    octagon = painted(DARK, inside(1, 1, 20, 20, 10, 10))
    for dy in range(6):
        for dx in range(6 - dy):
            for y in (50 + dy, 69 - dy):
                for x in (50 + dx, 69 - dx):
                    octagon[y, x] = PICTURE[45, 45]
    assert marks(find(octagon)) == [(1, 1)]


def test_a_ring_is_no_disc():
    """Holes of more than 0.06 within its outline: a hole of radius 2 has 13 of 441 pixels, of radius 3 29, 0.066."""
    for radius, kind in ((2, []), (3, ["RING"]), (8, ["RING"])):
        picture = disc(1, 1)
        cv2.circle(picture, middle(1, 1), radius, tuple(int(value) for value in COLORS[0]), -1)
        found = find(picture)
        assert kinds(found) == kind, radius
        assert (marks(found) == [(1, 1)]) is (not kind)


def test_a_coloured_disc_is_no_queen():
    """An OKLab chroma above 0.1, unless its lightness is at most 0.35; or a part of 0.15 of its inside."""
    blues = [(0, 0, level) for level in range(60, 200)]
    labs = oklab(np.array(blues, np.uint8))
    chroma = np.hypot(labs[:, 1], labs[:, 2])
    light = next(i for i in range(len(blues)) if labs[i, 0] > 0.35)
    assert chroma[light] > 0.1
    assert kinds(find(disc(1, 1, color=blues[light]))) == ["COLORED"]
    assert marks(find(disc(1, 1, color=blues[light - 1]))) == [(1, 1)]
    greys = [(100, 100, 100 + step) for step in range(120)]
    labs = oklab(np.array(greys, np.uint8))
    vivid = next(i for i in range(len(greys)) if np.hypot(*labs[i, 1:]) > 0.1)
    assert marks(find(disc(1, 1, color=greys[vivid - 1]))) == [(1, 1)]
    assert kinds(find(disc(1, 1, color=greys[vivid]))) == ["COLORED"]
    for rows, kind in ((2, []), (5, ["COLORED"])):
        part = disc(1, 1)
        at = part[..., 0] == DARK[0]
        at &= ~BOARD.grid
        at[: middle(1, 1)[1]] = False
        at[middle(1, 1)[1] + rows :] = False
        part[at] = blues[light]
        assert kinds(find(part)) == kind, rows


def test_a_disc_lies_in_one_cell():
    """At least 0.88 of it: moved by 8 of 12 to the border, then by 14."""
    assert marks(find(disc(1, 1, by=(8, 0)))) == [(1, 1)]
    found = find(disc(1, 1, by=(14, 0)))
    assert (marks(found), kinds(found)) == ([], ["ON_BORDER"])
    assert kinds(find(disc(1, 1, by=(0, 14)))) == ["ON_BORDER"]


def test_a_covered_board():
    """Dark to more than 0.6; the lines are dark too."""
    lines = np.count_nonzero(BOARD.grid) / SIDE**2
    rows = (0.6 - lines) / (1 - lines) * SIDE
    assert not find(painted(DARK, np.s_[: int(rows) - 3])).covered
    assert find(painted(DARK, np.s_[: int(rows) + 6])).covered


@pytest.mark.parametrize(("level", "told"), [(105, ["ON_BORDER"]), (120, [])])
def test_a_shadow_on_a_line_is_far_from_as_black_as_queens(level, told):
    """Below 0.78 of the darkest region's 201 it is dark, 157; a queen at 15 is 0.9 of the way from there to black, of
    which 0.3 is 0.27: what is lighter than 114 is no such mark."""
    picture = painted((level,) * 3, np.s_[34:47, 50:70], on=disc(2, 0))
    assert kinds(find(picture)) == told
    # Without a queen nothing tells how black they are.
    assert kinds(find(painted((level,) * 3, np.s_[34:47, 50:70]))) == ["ON_BORDER"]


@pytest.mark.parametrize(("share", "told"), [(0.0, []), (0.25, []), (0.5, ["NOT_ROUND"]), (1.0, ["NOT_ROUND"])])
def test_compression_smears_some_of_the_ground_s_colour_into_a_highlight(share, told):
    """Less than 0.35 of its chroma; a hole in a queen has all of it."""
    grey, ground = np.full(3, 205.0), COLORS[0].astype(float)
    picture = disc(1, 1)
    x, y = middle(1, 1)
    cv2.circle(picture, (x - 4, y - 4), 4, (grey + share * (ground - grey)).round().tolist(), -1)
    config = replace(CONFIG, discs=replace(CONFIG.discs, gloss_chroma=0.0))
    assert kinds(find(picture, config=config)) == told


# --- other colours ---


def test_a_cell_as_dark_as_a_queen_is_recoloured():
    found = find(painted(DARK, inside(1, 1, 38, 38, 1, 1)))
    assert (1, 1) in found.recolored_cells


def test_what_is_not_covered_says_nothing():
    covered = np.ones((SIDE, SIDE), bool)
    covered[40:80, 40:80] = False
    found = find(disc(1, 1, on=painted((250, 60, 60), inside(1, 1, 10, 10, 2, 2))), covered=covered)
    assert (found.queens, found.others) == ((), ())


def test_marks_are_plain_data():
    mark = QueenMark(0, 1, (2.0, 3.0), 4.0, 0.5)
    assert replace(mark, confidence=0.5) == mark


def test_places_are_those_of_the_picture_and_not_of_the_frame_it_is_looked_at_in() -> None:
    """Cells of 160 pixels are seen at 40: a bar of 60 by 40 pixels, widened by a working pixel or not at all."""
    picture = drawn_board(160, 8)
    board = read_board(picture, N, REGIONS, SMALL)
    picture[220:260, 370:430] = (200, 30, 30)
    (bar,) = find(reduce_picture(picture, board.factor), board=board).others
    assert (board.factor, bar.box) == (4, (368.0, 220.0, 64.0, 40.0))
