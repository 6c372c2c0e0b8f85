"""Marks at the edges of what counts as a disc, a line, a stroke or a blot."""

from __future__ import annotations

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from detectors.common.colors import oklab
from detectors.queens.board import read_board
from detectors.queens.queens import QueenMark, _signs, _usual_at_crossings
from detectors.queens.remainder.finding import BoardRemainder
from tests.queens.test_board import (
    BOARD,
    CELL,
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


def test_discs_that_run_into_lines_are_told_from_them():
    """Of radius 19 in cells of 40 with lines of 2 they touch all four; of two such each keeps its place."""
    found = find(disc(2, 0, 19, on=disc(0, 2, 19)))
    assert [(one.row, one.column) for one in found.queens] == [(0, 2), (2, 0)]
    for queen in found.queens:
        x, y = middle(queen.row, queen.column)
        assert queen.center == (pytest.approx(x + 0.5, abs=1.0), pytest.approx(y + 0.5, abs=1.0))
        assert queen.radius == pytest.approx(19.0, abs=1.0)


@pytest.mark.parametrize(("radius", "beside", "sign"), [(5, 8, True), (5, 19, False), (9, 13, False)])
def test_a_small_disc_in_a_corner_of_the_picture_is_the_sign_of_who_made_it(radius, beside, sign):
    """Queens of 11 pixels, and a disc below 0.6 of that, within a tenth of 160 pixels of both sides of a corner."""
    picture = PICTURE
    for column, row in enumerate((1, 3, 0, 2)):
        picture = disc(row, column, 11, on=picture)
    away = CELL // 2 - beside
    found = find(disc(N - 1, N - 1, radius, by=(away, away), on=picture))
    assert len(found.queens) == (4 if sign else 5)
    assert ("SIGN" in kinds(found)) is sign


@pytest.mark.parametrize(("radius", "kind"), [(5, []), (9, ["NOT_ROUND"])])
def test_a_highlight_at_the_outline_of_a_disc(radius, kind):
    """It may take up to three tenths of her: a circle of 5 pixels at 7 from the middle of 10 does, one of 9 takes more.

    She is as large and lies where she would without it.
    """
    x, y = middle(1, 1)
    picture = disc(1, 1, 10)
    cv2.circle(picture, (x - 5, y - 5), radius, (250, 250, 250), -1)
    found = find(picture)
    assert kinds(found) == kind
    if not kind:
        (queen,) = found.queens
        assert queen.radius > 9.4
        assert queen.center == pytest.approx((x + 0.5, y + 0.5), abs=0.8)


@pytest.mark.parametrize(
    ("number", "off", "usual"), [(5, 0.0, 4.0), (4, 0.0, 0.0), (5, 2.9, 4.0), (5, -2.9, 4.0), (5, 3.1, 0.0)]
)
def test_marks_on_crossings(number, off, usual):
    """More than half of the nine between four cells, within a line's width of 2 pixels and one more; the middle one."""
    board = SimpleNamespace(cell=(60.0, 40.0), n=4, line_width=2.0)
    at = [(60.0 * column, 40.0 * row) for row in (1, 2, 3) for column in (1, 2, 3)][:number]
    # Marks on the outer line and within a cell do not count.
    at += [(0.0, 40.0), (240.0, 80.0), (60.0, 160.0), (90.0, 60.0)]
    centers = np.array([(0.0, 0.0), *at]) + off - 0.5
    stats = np.zeros((len(centers), cv2.CC_STAT_MAX), np.int32)
    stats[1 : number + 1, cv2.CC_STAT_WIDTH], stats[1 : number + 1, cv2.CC_STAT_HEIGHT] = 9, [2, 3, 4, 7, 8][:number]
    stats[number + 1 :, cv2.CC_STAT_WIDTH : cv2.CC_STAT_HEIGHT + 1] = 30
    assert _usual_at_crossings(stats, centers, board) == usual


def test_nothing_is_left_where_nothing_was_looked_for():
    assert BoardRemainder() == BoardRemainder((), (), 0.0, (), (), companions=False, told=False)


@pytest.mark.parametrize(
    ("number", "radius", "at", "found"),
    [
        (4, 5.9, 19.9, True),
        (3, 5.9, 19.9, False),  # of three discs none is a sign
        (4, 6.1, 19.9, False),  # nor one of 0.6 of the middle one's radius of 10
        (4, 5.9, 20.1, False),  # or a tenth of 200 pixels from a side
    ],
)
def test_a_sign_is_a_small_disc_in_a_corner(number, radius, at, found):
    board = SimpleNamespace(cell=(25.0, 12.5), n=4, factor=2)
    queens = [QueenMark(0, 0, (100.0, 50.0), 10.0, 1.0)] * (number - 1)
    for x, y in ((at, at / 2), (200 - at, at / 2), (at, 100 - at / 2)):
        sign = QueenMark(0, 0, (x, y), radius, 1.0)
        assert (_signs([*queens, sign], board, CONFIG) == [sign]) == found
    aside = QueenMark(0, 0, (at, 50.0), radius, 1.0)
    assert _signs([*queens, aside], board, CONFIG) == []
