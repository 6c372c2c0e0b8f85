"""Marks at the edges of what counts as a disc, a line, a stroke or a blot."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from detectors.common.colors import oklab
from detectors.queens.board import read_board
from tests.queens.test_board import (
    BOARD,
    CELL,
    COLORS,
    CONFIG,
    DARK,
    PICTURE,
    REGIONS,
    SIDE,
    N,
    disc,
    drawn_board,
    find,
    inside,
    kinds,
    marks,
    middle,
    painted,
)


@pytest.mark.parametrize(("width", "kind"), [(4, []), (5, ["NOT_ROUND"])])
def test_a_stroke_as_narrow_as_a_line_is_not_solid(width, kind):
    """0.07 of cells of 60 pixels is 4.2: what a disc of 5 pixels fits into is solid."""
    board = read_board(drawn_board(60), N, REGIONS, CONFIG.board)
    picture = painted(DARK, np.s_[80 : 80 + width, 75:95], on=board.picture)
    assert kinds(find(picture, board=board)) == kind


def test_the_smallest_mark():
    """0.004 of 1600 pixels is 6.4; opening takes the corners of a rectangle: 3 x 3 leave 5, 3 x 4 leave 8."""
    assert find(painted(DARK, inside(0, 0, 3, 3))) == find(PICTURE)
    found = find(painted(DARK, inside(0, 0, 3, 4)))
    assert len(found.queens) + len(found.others) == 1


def octagon(size: int, x: int, y: int) -> np.ndarray:
    """A square without its corners' three pixels each, about the corner of four pixels."""
    picture = PICTURE.copy()
    half = size // 2
    box = picture[y - half : y + half, x - half : x + half]
    mask = np.ones((size, size), bool)
    for row, column in ((0, 0), (0, 1), (1, 0)):
        for rows in (row, size - 1 - row):
            for columns in (column, size - 1 - column):
                mask[rows, columns] = False
    box[mask] = DARK
    return picture


def test_where_lines_cross_a_small_disc_is_the_crossing():
    """Two lines' widths of 1.95 and 3 pixels are 6.9."""
    assert kinds(find(octagon(8, 80, 80))) == ["ON_BORDER"]
    assert kinds(find(octagon(6, 80, 80))) == []


def test_a_board_counts_as_darker_by_half_at_most():
    """At 0.45 of its brightness what is dark is told at 0.5: below 0.78 x 0.5 of 204.9, 79.9."""
    dim = np.rint(PICTURE * 0.45).astype(np.uint8)
    darkest = float(BOARD.region_brightness.min())
    for level, queens in ((int(0.39 * darkest) - 1, [(1, 1)]), (int(0.39 * darkest) + 1, [])):
        found = find(disc(1, 1, color=(level,) * 3, on=dim))
        assert marks(found) == queens
        assert found.recolored_cells == ()


def test_confidence_is_that_of_contrast_and_fill():
    """49 pixels in a circle of radius 4 and half a pixel, 63.6, fill 0.770 of it; 0.9 would be full."""
    (queen,) = find(disc(0, 0, 4)).queens
    assert queen.confidence == pytest.approx(49 / (np.pi * 4.5**2) / 0.9, abs=1e-3)
    # A level of 0.7 of the threshold leaves a contrast of 0.3; 441 pixels in a circle of radius 12.5 fill 0.898.
    threshold = 0.78 * float(BOARD.region_brightness.min())
    level = round(0.7 * threshold)
    (queen,) = find(disc(0, 0, 12, (level,) * 3)).queens
    assert queen.confidence == pytest.approx((0.5 + 1.0 - level / threshold) * 441 / (np.pi * 12.5**2) / 0.9, abs=1e-4)


def test_more_than_full_is_full():
    """A disc of radius 18 fills more than 0.9 of its circle: its contrast alone counts."""
    threshold = 0.78 * float(BOARD.region_brightness.min())
    level = round(0.7 * threshold)
    (queen,) = find(disc(0, 0, 17, (level,) * 3)).queens
    assert queen.confidence == pytest.approx(0.5 + 1.0 - level / threshold, abs=1e-6)


def test_a_part_of_a_disc_may_be_coloured():
    """0.15 of its inside, a pixel off its rim."""
    blue = (0, 0, 190)
    lab = oklab(np.array([blue], np.uint8))[0]
    assert lab[0] > 0.35
    assert np.hypot(*lab[1:]) > 0.1
    mask = np.zeros((SIDE, SIDE), np.uint8)
    cv2.circle(mask, middle(1, 1), 12, 1, -1)
    solid = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3)))
    core = np.argwhere(cv2.erode(solid, np.ones((3, 3), np.uint8)))
    for count, kind in ((int(0.15 * len(core)), []), (int(0.15 * len(core)) + 1, ["COLORED"])):
        picture = disc(1, 1)
        picture[tuple(core[:count].T)] = blue
        assert kinds(find(picture)) == kind


def test_a_disc_may_reach_over_the_border_by_an_eighth():
    """0.88 of it inside: discs of radius 12 about points farther and farther to the right."""
    mask = np.zeros((SIDE, SIDE), np.uint8)
    for by in range(20):
        mask[:] = 0
        x, y = middle(1, 1)
        cv2.circle(mask, (x + by, y), 12, 1, -1)
        share = np.count_nonzero(mask[:, :80]) / np.count_nonzero(mask)
        # Dark lines belong to no disc; near the threshold they may tip it.
        if abs(share - 0.88) > 0.03:
            assert ("ON_BORDER" in kinds(find(disc(1, 1, by=(by, 0))))) is bool(share < 0.88), by


def angle(rows: int) -> np.ndarray:
    """A line a pixel wide two pixels beside the seam to the left of cell (1, 1), and four pixels off to the right."""
    return painted(DARK, np.s_[46 : 46 + rows, 42:43], np.s_[52:53, 43:48])


def test_a_line_hugs_its_borders_with_most_of_it():
    """Rows and one pixel are in the margin of four pixels, four are not: 22 of 26 are 0.846, 23 of 27 0.852."""
    assert len(find(angle(21)).others) == 1
    assert find(angle(22)).others == ()


@pytest.mark.parametrize(("size", "seen"), [(4, 0), (5, 1)])
def test_a_thin_mark_is_as_large_as_a_sixth_of_a_cell(size, seen):
    """0.15 of 40 pixels is 6: strokes over 5 and over 6 pixels."""
    x, y = middle(2, 2)
    picture = PICTURE.copy()
    cv2.line(picture, (x, y), (x + size, y + size), DARK, 1)
    cv2.line(picture, (x, y + size), (x + size, y), DARK, 1)
    assert len(find(picture).others) == seen


def test_specks_near_a_mark_belong_to_it():
    """A square of 7 around it: three pixels. Rows of 60 pixels, more than 0.035 of a cell, around a queen."""
    near = disc(1, 1, 10)
    x, y = middle(1, 1)
    ring = np.zeros((SIDE, SIDE), np.uint8)
    cv2.circle(ring, (x, y), 12, 1, 1)
    # Every second pixel, so that they do not hang together.
    at = np.argwhere(ring)[::2]
    near[tuple(at.T)] = DARK
    assert "NOT_ROUND" not in kinds(find(near))
    far = disc(1, 1, 6)
    dots = [(44 + 3 * (n // 11), 44 + 3 * (n % 11)) for n in range(121)]
    outside = [(r, c) for r, c in dots if np.hypot(r - y, c - x) > 12]
    far[tuple(np.array(outside).T)] = DARK
    assert len(outside) > 56
    assert "NOT_ROUND" in kinds(find(far))


@pytest.mark.parametrize(("length", "seen"), [(26, False), (28, True)])
def test_a_cell_is_repainted_from_a_share(length, seen):
    """26 x 26 are 0.42 of 1600 pixels, 28 x 28 0.49; more than 0.45."""
    top = (CELL - length) // 2
    found = find(painted((255, 255, 255), inside(1, 1, length, length, top, top)))
    assert ((1, 1) in found.recolored_cells) is seen


def test_blots_on_small_cells_have_a_least_size():
    """Of cells of 20 pixels 0.015 is 6 pixels, but 12 are needed, three wide; a bar is two wide."""
    picture = np.repeat(np.repeat(COLORS[REGIONS], 20, axis=0), 20, axis=1)
    board = read_board(picture, N, REGIONS, CONFIG.board)
    assert board.cell == (20.0, 20.0)
    for height, width, seen in ((3, 3, 0), (3, 4, 1), (2, 8, 0), (2, 10, 1), (1, 14, 0)):
        blot = painted((255, 255, 255), np.s_[25 : 25 + height, 24 : 24 + width], on=picture)
        assert len(find(blot, board=board).others) == seen, (height, width)


def test_a_dark_mark_has_a_bright_rim_of_some_pixels():
    """0.06 of 40 is 2.4, so 2; a square of 2 x 2 + 3 = 7: three pixels around what is dark are its rim."""
    for rim, seen in ((5, False), (8, True)):
        picture = disc(1, 1, 6, on=disc(1, 1, 6 + rim, (255, 255, 255)))
        assert ("COLORED" in kinds(find(picture))) is seen, rim


def test_discs_that_run_into_lines_are_told_from_them():
    """Of radius 19 in cells of 40 with lines of 2 they touch all four; of two such each keeps its place."""
    found = find(disc(2, 0, 19, on=disc(0, 2, 19)))
    assert [(one.row, one.column) for one in found.queens] == [(0, 2), (2, 0)]
    for queen in found.queens:
        x, y = middle(queen.row, queen.column)
        assert queen.center == (pytest.approx(x + 0.5, abs=1.0), pytest.approx(y + 0.5, abs=1.0))
        assert queen.radius == pytest.approx(19.0, abs=1.0)
