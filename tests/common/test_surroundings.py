"""Drawings beside a puzzle are seen; bars, captions and blurred backgrounds are none."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.common.surroundings import SurroundingsConfig, drawn_beside
from grader.media.pyramid import Pyramid
from puzzles.maze.geometry import Geometry
from tests.samples.puzzles import maze_sample

PUZZLE = maze_sample(Geometry.SQUARE).pictures.solution
HEIGHT, WIDTH = PUZZLE.shape[:2]
CONFIG = SurroundingsConfig()


def between(left: np.ndarray, right: np.ndarray) -> tuple[Pyramid, np.ndarray]:
    """A candidate with the puzzle between two pictures, and the corners of the puzzle in it."""
    start = left.shape[1]
    corners = np.array([[start, 0], [start + WIDTH, 0], [start + WIDTH, HEIGHT], [start, HEIGHT]], np.float64)
    return Pyramid(np.hstack([left, PUZZLE, right])), corners


def bar(color: int, width: int = WIDTH // 3) -> np.ndarray:
    return np.full((HEIGHT, width, 3), color, np.uint8)


def captioned(color: int) -> np.ndarray:
    written = bar(color)
    cv2.putText(written, "model A", (8, HEIGHT - 20), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255 - color,) * 3, 2)
    return written


def test_panels_are_drawings() -> None:
    assert drawn_beside(*between(PUZZLE, PUZZLE), CONFIG)
    assert drawn_beside(*between(PUZZLE, bar(255)), CONFIG)
    assert drawn_beside(*between(bar(0), PUZZLE[:, : WIDTH // 2]), CONFIG)


@pytest.mark.parametrize("color", [0, 128, 255])
def test_bars_and_captions_are_none(color: int) -> None:
    assert not drawn_beside(*between(bar(color), bar(color)), CONFIG)
    assert not drawn_beside(*between(captioned(color), bar(color)), CONFIG)


def test_a_blurred_background_is_none() -> None:
    blurred = cv2.GaussianBlur(PUZZLE, (0, 0), 12.0)
    assert not drawn_beside(*between(blurred, blurred), CONFIG)


def test_a_narrow_rim_has_no_room_for_a_drawing() -> None:
    """Two strips of a twentieth of the puzzle's width each, where a drawing is a fifth wide at least."""
    strip = PUZZLE[:, : WIDTH // 20]
    assert not drawn_beside(*between(strip, strip), CONFIG)


def test_nothing_lies_beside_a_puzzle_that_fills_the_picture() -> None:
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float64)
    assert not drawn_beside(Pyramid(PUZZLE), corners, CONFIG)
    # Nor beside one that reaches beyond it.
    assert not drawn_beside(Pyramid(PUZZLE), 1.2 * corners - 20.0, CONFIG)


@pytest.mark.parametrize(("paper", "ink"), [(255, 0), (0, 255)])
@pytest.mark.parametrize(("size", "thick", "lines"), [(0.5, 1, 8), (1.0, 2, 5), (1.6, 4, 3)])
def test_words_are_no_drawing(paper: int, ink: int, size: float, thick: int, lines: int) -> None:
    """However many lines, and however large and bold: letters are small pieces."""
    page = np.full((HEIGHT, WIDTH, 3), paper, np.uint8)
    for line in range(lines):
        place = (12, round((line + 0.9) * HEIGHT / lines))
        cv2.putText(page, "Solution way", place, cv2.FONT_HERSHEY_SIMPLEX, size, (ink,) * 3, thick, cv2.LINE_AA)
    assert not drawn_beside(*between(page, page), CONFIG)


def test_rules_and_frames_are_no_drawing() -> None:
    """Lines across the page, and a frame around the puzzle at a distance."""
    ruled = bar(255, WIDTH // 2)
    ruled[20::30] = 0
    assert not drawn_beside(*between(ruled, ruled), CONFIG)
    candidate, corners = between(bar(255), bar(255))
    wide = cv2.copyMakeBorder(candidate.picture, 60, 60, 0, 0, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    height, width = wide.shape[:2]
    cv2.rectangle(wide, (25, 25), (width - 26, height - 26), (0, 0, 0), 4)
    assert not drawn_beside(Pyramid(wide), corners + np.array([0, 60]), CONFIG)


LARGE = replace(CONFIG, looked_at_px=4000)


def crossed(width: int, height: int, level: int = 0, thick: int = 2) -> np.ndarray:
    """A cross of lines in the middle of a white bar, of a width and height in pixels."""
    panel = bar(255, WIDTH // 2)
    left, top = (WIDTH // 2 - width) // 2, (HEIGHT - height) // 2
    panel[top : top + height, left + width // 2 : left + width // 2 + thick] = level
    panel[top + height // 2 : top + height // 2 + thick, left : left + width] = level
    return panel


def test_a_drawing_spreads_both_ways_by_a_fifth() -> None:
    """Of 210 pixels 42."""
    assert HEIGHT == WIDTH == 210
    for width, height, drawn in ((42, 42, True), (41, 60, False), (60, 41, False), (60, 60, True)):
        assert drawn_beside(*between(crossed(width, height), bar(255)), LARGE) is drawn
        assert drawn_beside(*between(bar(255), crossed(width, height)), LARGE) is drawn


def test_a_line_is_sharp_by_some_levels() -> None:
    for level, drawn in ((255 - 56, False), (255 - 57, True)):
        assert drawn_beside(*between(crossed(60, 60, level), bar(255)), LARGE) is drawn


def test_what_is_thick_is_an_area() -> None:
    """0.06 of 210 pixels is 12.6, so a square of 13: a line of 12 is taken for one, and one of 13 is not."""
    for thick, drawn in ((12, True), (13, False)):
        assert drawn_beside(*between(crossed(90, 90, thick=thick), bar(255)), LARGE) is drawn


@pytest.mark.parametrize(("away", "drawn"), [(3, False), (4, True)])
def test_the_puzzle_s_own_edge_is_no_drawing(away: int, drawn: bool) -> None:
    """Four pixels around it, of which the nearest is the puzzle's at its left."""
    panel = bar(255, WIDTH // 2)
    # A line down along the puzzle at a distance, and one across that ends there.
    panel[60:150, -away - 1] = 0
    panel[100, 40:-away] = 0
    assert drawn_beside(*between(panel, bar(255)), replace(LARGE, extent=0.25)) is drawn
