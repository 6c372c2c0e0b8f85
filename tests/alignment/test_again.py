"""The puzzle a second time beside the place where it was found: a copy of it is one, and words are none."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from grader.alignment.again import AgainConfig, shown_again
from grader.alignment.template import Template, make_template
from grader.media.pyramid import Pyramid
from grader.tasks.maze.settings import MazeSettings
from puzzles.maze.curved import CurvedRecipe, CurvedShape, draw_curved, make_curved

DARK, LIGHT = (28, 40, 84), (225, 230, 240)
BELOW = 140


@cache
def maze() -> np.ndarray:
    """Light walls, a quarter of a corridor and a wall wide, on a dark page: some 400 px a side."""
    made = make_curved(CurvedRecipe(CurvedShape.BENT_RINGS, size=4, seed=0, cell_px=40.0, wall=0.25))
    return draw_curved(made, floor=DARK, wall=LIGHT, page=DARK)


@cache
def template() -> Template:
    return make_template(maze(), MazeSettings().alignment)


def is_again(below: np.ndarray) -> bool:
    """Whether the maze is shown again in what lies below it."""
    picture = maze()
    height, width = picture.shape[:2]
    outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    return shown_again(Pyramid(np.vstack([picture, below])), outline, template(), AgainConfig())


def strip() -> np.ndarray:
    empty = np.empty((BELOW, maze().shape[1], 3), np.uint8)
    empty[:] = DARK
    return empty


@pytest.mark.parametrize("text", ["Solved maze", "Figure 3"])
@pytest.mark.parametrize("size", [1.2, 1.6])
def test_words_as_light_as_the_walls_are_no_second_maze(text: str, size: float) -> None:
    below = cv2.putText(strip(), text, (8, 85), cv2.FONT_HERSHEY_SIMPLEX, size, (255, 255, 255), 4, cv2.LINE_AA)
    assert not is_again(np.asarray(below, np.uint8))


@pytest.mark.parametrize("share", [0.25, 0.3])
def test_a_small_copy_is_one_also_with_a_line_and_noise(share: float) -> None:
    drawn = cv2.line(maze().copy(), (60, 200), (340, 200), (225, 40, 200), 8)
    small = cv2.resize(drawn, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    below = strip()
    below[10 : 10 + small.shape[0], 30 : 30 + small.shape[1]] = small
    noise = np.random.default_rng(2).normal(0.0, 6.0, below.shape)
    assert is_again(np.asarray(np.clip(below + noise, 0, 255), np.uint8))
