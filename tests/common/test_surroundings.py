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


def test_a_narrow_rim_is_not_looked_at() -> None:
    """Two strips of a twentieth of the puzzle's width each are less than 15 % of the picture."""
    strip = PUZZLE[:, : WIDTH // 20]
    assert not drawn_beside(*between(strip, strip), CONFIG)


def test_nothing_lies_beside_a_puzzle_that_fills_the_picture() -> None:
    corners = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float64)
    assert not drawn_beside(Pyramid(PUZZLE), corners, CONFIG)
    # Nor beside one that reaches beyond it.
    assert not drawn_beside(Pyramid(PUZZLE), 1.2 * corners - 20.0, CONFIG)


def striped(every: int, width: int = WIDTH // 2, level: int = 255) -> np.ndarray:
    """A black panel with lines of a pixel every so many columns; each makes sharp edges of three pixels."""
    panel = np.zeros((HEIGHT, width, 3), np.uint8)
    panel[:, ::every] = level
    return panel


def test_a_share_of_sharp_edges_makes_a_drawing():
    """Three of every n columns: of 40 they are 0.075, of 60 0.05. More than 0.06 are drawn on."""
    for every, drawn in ((40, True), (60, False)):
        small = replace(CONFIG, looked_at_px=4000)
        assert drawn_beside(*between(striped(every), striped(every)), small) is drawn


def test_an_edge_is_sharp_by_some_levels():
    small = replace(CONFIG, looked_at_px=4000)
    for level, drawn in ((56, False), (57, True)):
        assert drawn_beside(*between(striped(10, level=level), bar(0)), small) is drawn


def test_how_much_lies_beside():
    """A share of 0.15 of the picture: b / (1 + b) for bars of b widths of the puzzle; 0.17 is 0.145, 0.18 is 0.153."""
    for share, drawn in ((0.17, False), (0.18, True)):
        panel = striped(4, round(share * WIDTH))
        assert drawn_beside(*between(panel, panel[:, :0]), CONFIG) is drawn


@pytest.mark.parametrize(("away", "drawn"), [(3, False), (4, True)])
def test_the_puzzle_s_own_edge_is_no_drawing(away, drawn):
    """Four pixels around it; a line makes sharp edges of the pixels beside it too: of the fourth one of the fifth."""
    small = replace(CONFIG, looked_at_px=4000, edges=0.0)
    quiet = np.zeros((HEIGHT, 60, 3), np.uint8)
    left, right = quiet.copy(), quiet.copy()
    left[:, -away] = 255
    # The pixel at the corner's own coordinate still counts as the puzzle's.
    right[:, away] = 255
    assert not drawn_beside(*between(quiet, quiet), small)
    assert drawn_beside(*between(left, quiet), small) is drawn
    assert drawn_beside(*between(quiet, right), small) is drawn
