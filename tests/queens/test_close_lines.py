"""Large queens come close to grid lines: a line of which a good part is in sight has to be there."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from detectors.queens.remainder.plan import line_ridges
from grader.model.verdict import Outcome
from tests.queens.board_faults import SIZE, passes, sample_5
from tests.queens.stages.close_board import CLOSE, SIDE, darkness
from tests.queens.test_remainder import blended
from tests.samples.puzzles import board_sample, codes, jpeg, resized

Looks = Callable[[np.ndarray, tuple[float, float], float], np.ndarray]


def round_mask(at: tuple[float, float], radius: float, soft: float = 0.0) -> np.ndarray:
    """(h, w), 1 inside a disc around (x, y), with a soft edge."""
    height, width = sample_5().pictures.input.shape[:2]
    down, right = np.mgrid[:height, :width]
    mask = np.clip(radius - np.hypot(right - at[0], down - at[1]) + 0.5, 0, 1)
    return cv2.GaussianBlur(mask, (0, 0), soft) if soft else mask


def plain(picture: np.ndarray, at: tuple[float, float], radius: float) -> np.ndarray:
    return blended(picture, round_mask(at, radius), (15, 15, 15), 1.0)


def rimmed(picture: np.ndarray, at: tuple[float, float], radius: float) -> np.ndarray:
    return plain(blended(picture, round_mask(at, 1.12 * radius), (255, 255, 255), 1.0), at, radius)


def shaded(picture: np.ndarray, at: tuple[float, float], radius: float) -> np.ndarray:
    below = (at[0] + 2, at[1] + 2)
    return plain(blended(picture, round_mask(below, radius, 1.5), (0, 0, 0), 0.4), at, radius)


def glowing(picture: np.ndarray, at: tuple[float, float], radius: float) -> np.ndarray:
    return plain(blended(picture, round_mask(at, 1.1 * radius, 3.0), (255, 255, 255), 0.6), at, radius)


def glossy(picture: np.ndarray, at: tuple[float, float], radius: float) -> np.ndarray:
    light = round_mask((at[0] - 0.35 * radius, at[1] - 0.35 * radius), 0.22 * radius, 0.7)
    return blended(plain(picture, at, radius), light, (255, 255, 255), 0.6)


LOOKS: tuple[Looks, ...] = (plain, rimmed, shaded, glowing, glossy)


def drawn(picture: np.ndarray, share: float, look: Looks) -> np.ndarray:
    """Queens of a radius that is this share of a cell, in the right cells."""
    for row, column in sample_5().board.queens:
        picture = look(picture, ((column + 0.5) * SIZE, (row + 0.5) * SIZE), share * SIZE)
    return picture


def without_line(picture: np.ndarray, row: int, column: int) -> np.ndarray:
    """The line above a cell painted over with what lies on both sides of it, but for 4 pixels at either end."""
    changed = picture.copy()
    y, across = row * SIZE, slice(column * SIZE + 4, (column + 1) * SIZE - 4)
    changed[y - 4 : y, across] = picture[y - 6, across]
    changed[y : y + 4, across] = picture[y + 6, across]
    return changed


def below_the_first_row() -> tuple[int, int]:
    return next(cell for cell in sample_5().board.queens if cell[0] > 0)


@pytest.mark.parametrize(("share", "look"), [((0.4, 0.36)[turn % 2], look) for turn, look in enumerate(LOOKS)])
def test_large_queens_pass_however_they_are_drawn(share: float, look: Looks) -> None:
    passes(sample_5().grade(drawn(sample_5().pictures.input, share, look)), sample_5().board)


@pytest.mark.parametrize(
    ("share", "look"), [(share, look) for turn, share in enumerate((0.25, 0.36, 0.4)) for look in LOOKS[turn % 2 :: 2]]
)
def test_a_line_beside_a_large_queen_has_to_be_there(share: float, look: Looks) -> None:
    """She covers nothing of it: her outline ends a tenth of a cell before."""
    picture = drawn(without_line(sample_5().pictures.input, *below_the_first_row()), share, look)
    verdict = sample_5().grade(picture)
    assert (verdict.outcome, verdict.reward) == (Outcome.FAIL, 0.0)
    assert "GRID_ERASED" in codes(verdict)


def test_all_lines_above_queens_are_gone() -> None:
    """As long as four queens' cells; the one in the first row has none above."""
    picture = sample_5().pictures.input
    for row, column in sample_5().board.queens:
        picture = without_line(picture, row, column) if row else picture
    assert "GRID_ERASED" in codes(sample_5().grade(drawn(picture, 0.4, plain)))


def test_a_line_stands_out_where_what_is_close_beside_it_is_lighter() -> None:
    """Two pixels of full darkness; in sight over its own width and so much again on one side."""
    assert CLOSE.core == 2
    everywhere = np.ones((SIDE, SIDE), bool)
    down, across = line_ridges(darkness(), everywhere, CLOSE)
    for ridges in (down, across):
        assert ridges.seen.all()
        assert float(np.median(ridges.darkness)) == pytest.approx(2.0, abs=0.1)
    # A stain as wide as the strips is no line.
    stained = darkness()
    stained[62:118, 40:80] = 1.0
    assert line_ridges(stained, everywhere, CLOSE)[0].darkness[0, 70:110].max() < 0.1
    # Columns 58 to 62 are its own: what hides one of them hides the line, what hides one side does not.
    for hidden, seen in (((61, 80), False), ((64, 80), True)):
        clear = everywhere.copy()
        clear[62:118, slice(*hidden)] = False
        assert bool(line_ridges(darkness(), clear, CLOSE)[0].seen[0, 90]) is seen


@pytest.mark.parametrize("share", [0.25, 0.34])
def test_ovals_of_a_hand_are_queens_some_wide_and_some_tall(share: float) -> None:
    """Axes that differ by up to 16 %, as 1.35 are allowed."""
    picture = sample_5().pictures.input.copy()
    for (row, column), ratio in zip(sample_5().board.queens, (0.86, 1.16, 0.9, 1.0, 1.14), strict=True):
        middle = (round((column + 0.5) * SIZE * 16), round((row + 0.5) * SIZE * 16))
        axes = (round(share * SIZE * 16), round(share * ratio * SIZE * 16))
        cv2.ellipse(picture, middle, axes, 0, 0, 360, (15, 15, 15), -1, cv2.LINE_AA, 4)
    passes(sample_5().grade(picture), sample_5().board)


@pytest.mark.parametrize(("n", "factor"), [(5, 1.33), (5, 1.7)])
def test_lines_that_repeated_pixels_make_thicker_and_thinner_are_all_there(n: int, factor: float) -> None:
    board = board_sample(n)
    side = round(factor * board.pictures.solution.shape[0])
    larger = cv2.resize(board.pictures.solution, (side, side), interpolation=cv2.INTER_NEAREST)
    passes(board.grade(larger), board.board)
    # A whole line that is gone is gone nonetheless, and so is one stretch that has faded.
    height, width = larger.shape[:2]
    y = round(2 * height / n)
    gone = larger.copy()
    gone[y - 5 : y] = larger[y - 7]
    gone[y : y + 5] = larger[y + 7]
    assert "GRID_ERASED" in codes(board.grade(gone))
    faded = larger.copy()
    stretch = slice(round(width / n) + 5, round(2 * width / n) - 5)
    mixed = (0.6 * gone + 0.4 * larger).round().astype(np.uint8)
    faded[y - 5 : y + 5, stretch] = mixed[y - 5 : y + 5, stretch]
    assert "GRID_ERASED" in codes(board.grade(faded))


def test_large_queens_pass_in_a_jpeg_and_at_another_size() -> None:
    picture = drawn(sample_5().pictures.input, 0.4, plain)
    for candidate in (jpeg(picture, 60), resized(picture, 400, 400)):
        passes(sample_5().grade(candidate), sample_5().board)
