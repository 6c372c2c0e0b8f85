"""Mazes: the colour of the path that is asked for."""

from __future__ import annotations

from dataclasses import replace

import cv2
import pytest

from grader.model.errors import InvalidRequestError
from grader.tasks.maze.model import PathColor
from puzzles.maze.geometry import Geometry
from puzzles.maze.render import MazeStyle
from tests.samples.puzzles import codes, jpeg, maze_sample, passes, png

BLACK_ON_WHITE = MazeStyle(cell_size_px=46, wall_width_px=5, path_width_px=6, path=(0, 0, 0))
WHITE_ON_DARK = replace(
    BLACK_ON_WHITE,
    path=(255, 255, 255),
    floor=(30, 30, 40),
    wall=(200, 200, 210),
    outside=(90, 90, 100),
    halo=(30, 30, 40),
)


@pytest.mark.parametrize(
    ("asked", "color"),
    [
        (PathColor.GREEN, (0, 160, 60)),
        (PathColor.RED, (220, 20, 20)),
        (PathColor.ORANGE, (255, 140, 0)),
        (PathColor.MAGENTA, (230, 0, 230)),
        (PathColor.YELLOW, (235, 200, 0)),
        (PathColor.CYAN, (0, 190, 190)),
        (PathColor.PURPLE, (130, 40, 220)),
    ],
)
def test_another_color_can_be_asked_for(asked: PathColor, color: tuple[int, int, int]) -> None:
    sample = maze_sample(Geometry.SQUARE)
    picture = sample.draw(color=color)
    passes(sample.grade(picture, path_color=asked, solution_image=png(picture)), sample)
    assert codes(sample.grade(sample.pictures.solution, path_color=asked)) == ["WRONG_COLOR"]


# White on dark is read by the same rule turned round, so one shape does for it.
IN_THE_WALLS_COLOR = (
    *((geometry, BLACK_ON_WHITE, PathColor.BLACK) for geometry in (Geometry.TRIANGLE, Geometry.CIRCLE)),
    (Geometry.SQUARE, WHITE_ON_DARK, PathColor.WHITE),
)
# What happens to a right picture, and what is wrong with a wrong one, takes turns.
HARMLESS = (lambda picture: jpeg(picture, 60), lambda picture: cv2.GaussianBlur(picture, (0, 0), 1.0))
WRONG = (
    (lambda sample: sample.pictures.input, "NOTHING_DRAWN"),
    (lambda sample: sample.step(*sample.branch), "SIDE_BRANCH"),
    (lambda sample: sample.step(*sample.wall), "WALL_CROSSED"),
    (lambda sample: sample.step(*sample.shortcut), "SHORTCUT"),
    (lambda sample: sample.draw(sample.path[:-2]), "CELLS_MISSED"),
    (lambda sample: sample.draw(color=(0, 107, 183)), "WRONG_COLOR"),
)


@pytest.mark.parametrize("turn", range(len(IN_THE_WALLS_COLOR)))
def test_a_path_in_black_or_white_is_read(turn: int) -> None:
    """Black beside black walls has no hue to tell it by; right and wrong paths are told apart all the same."""
    geometry, style, asked = IN_THE_WALLS_COLOR[turn]
    sample = maze_sample(geometry, style=style)
    passes(sample.grade(HARMLESS[turn % 2](sample.pictures.solution), path_color=asked), sample)
    for draw, code in WRONG[turn :: len(IN_THE_WALLS_COLOR)]:
        assert code in codes(sample.grade(draw(sample), path_color=asked))


def test_a_path_in_the_color_of_the_floor_cannot_be_asked_for() -> None:
    sample = maze_sample(Geometry.SQUARE)
    with pytest.raises(InvalidRequestError) as error:
        sample.grade(sample.pictures.solution, path_color=PathColor.WHITE)
    assert [violation.field for violation in error.value.violations] == ["maze.path_color"]
