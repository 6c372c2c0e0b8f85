"""Mazes that take up a part of their picture, without a cell map, with walls as wide as corridors."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

import grader
from grader.model.verdict import Outcome
from grader.tasks.maze.model import MazeInput
from puzzles.maze.geometry import Geometry
from puzzles.maze.layout import Layout
from puzzles.maze.maze import Maze, generate_maze, solve
from puzzles.maze.render import MazeStyle, draw_path, render_maze

LEFT, TOP = 60, 40
CELLS = 4
STYLE = MazeStyle(
    cell_size_px=60,
    wall_width_px=30,
    path_width_px=8,
    disc_radius=0.16,
    disc_drop=0.0,
    cross_arm=0.2,
    cross_width=0.08,
    cross_rise=0.0,
)
SIDE = 4 * 60 + 30
"""Four cells and a wall."""


@cache
def maze() -> Maze:
    return generate_maze(Geometry.SQUARE, CELLS, seed=3)


@cache
def empty() -> np.ndarray:
    return render_maze(maze(), STYLE).input


def framed(picture: np.ndarray) -> np.ndarray:
    """With a white margin, and the label of an axis in it."""
    whole = np.full((SIDE + 2 * TOP, SIDE + 2 * LEFT, 3), 255, np.uint8)
    cv2.putText(whole, "row", (4, 160), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1, cv2.LINE_AA)
    whole[TOP : TOP + SIDE, LEFT : LEFT + SIDE] = picture
    return whole


def puzzle(**changes: object) -> MazeInput:
    facts = {
        "image": framed(empty()),
        "geometry": "square",
        "width_cells": CELLS,
        "height_cells": CELLS,
        "wall_width_px": 30,
        "path_cell_ids": solve(maze()),
        "box": (LEFT, TOP, SIDE, SIDE),
    }
    return grader.maze(**(facts | changes))


def answer() -> np.ndarray:
    return draw_path(empty(), maze(), solve(maze()), style=STYLE)


def middle(cell: int) -> tuple[int, int]:
    x, y = Layout(maze().grid, 60, 30).centre(cell)
    return round(x), round(y)


def walled() -> tuple[int, int]:
    """Two cells with a wall between them."""
    grid, passages = maze().grid, maze().passages
    pairs = ((a, b) for a in grid.cell_ids for b in grid.neighbours(a) if a < b)
    return next(pair for pair in pairs if pair not in passages)


def test_a_right_path_passes_with_margins_and_walls_as_wide_as_corridors():
    verdict = grader.grade(puzzle(), framed(answer()))
    assert (verdict.outcome, verdict.metric("coverage")) == (Outcome.PASS, 1.0)


def test_places_are_told_in_pixels_of_the_whole_picture():
    observation = grader.grade(puzzle(), framed(answer())).observation
    x, y = middle(solve(maze())[1])
    distances = [np.hypot(px - x - LEFT, py - y - TOP) for px, py in observation.polyline]
    # The line is seen to some pixels, and bends in the middle of cells or passes through it.
    assert min(distances) < 30


def test_a_path_through_a_wide_wall_fails():
    drawn = answer()
    cv2.line(drawn, middle(walled()[0]), middle(walled()[1]), STYLE.path, 8, cv2.LINE_AA)
    assert "WALL_CROSSED" in grader.grade(puzzle(), framed(drawn)).codes


def test_a_slit_in_a_wide_wall_is_a_hole():
    drawn = answer()
    first, second = (np.array(middle(cell)) for cell in walled())
    cv2.line(drawn, tuple(first.tolist()), tuple(second.tolist()), STYLE.floor, 6)
    assert "WALLS_ERASED" in grader.grade(puzzle(), framed(drawn)).codes


@pytest.mark.parametrize("color", [STYLE.floor, (150, 150, 150), (220, 40, 40), STYLE.path])
def test_a_post_between_wide_walls_that_is_painted_is_seen(color):
    """Where four cells meet: 30 pixels square."""
    x, y = (round(value) for value in np.mean([middle(cell) for cell in (6, 7, 10, 11)], axis=0))
    drawn = answer()
    drawn[y - 15 : y + 15, x - 15 : x + 15] = color
    assert grader.grade(puzzle(), framed(drawn)).outcome is Outcome.FAIL


def test_a_stroke_that_ends_deep_in_a_wide_wall_is_seen():
    path = solve(maze())
    pairs = [(a, b) for a in path[1:-1] for b in maze().grid.neighbours(a) if not maze().passages & {(a, b), (b, a)}]
    first, second = (np.array(middle(cell)) for cell in pairs[0])
    drawn = answer()
    # From the corridor's middle, 30 pixels away from that of the wall, to 8 pixels before its other side.
    cv2.line(drawn, tuple(first.tolist()), tuple((first + (second - first) * 37 // 60).tolist()), STYLE.path, 8)
    assert grader.grade(puzzle(), framed(drawn)).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("color", "code"),
    [((0, 160, 60), "FOREIGN_STROKES"), ((150, 150, 150), "WALLS_ADDED"), ((225, 230, 240), "FOREIGN_STROKES")],
)
def test_a_second_stroke_in_a_corridor_between_wide_walls_is_seen(color, code):
    off = next(pair for pair in sorted(maze().passages) if not set(pair) & set(solve(maze())))
    drawn = answer()
    cv2.line(drawn, middle(off[0]), middle(off[1]), color, 8, cv2.LINE_AA)
    assert code in grader.grade(puzzle(), framed(drawn)).codes


def test_a_cell_map_may_have_the_size_of_the_box():
    given = render_maze(maze(), STYLE).cell_map
    assert given.shape == (SIDE, SIDE)
    assert grader.grade(puzzle(cell_map=given), framed(answer())).outcome is Outcome.PASS


def test_a_maze_that_is_misread_is_refused_by_what_is_seen_on_it():
    """With a half of the path in it already, nothing can be said of what a model drew."""
    path = solve(maze())
    spoiled = draw_path(empty(), maze(), path[: len(path) // 2 + 1], style=STYLE)
    with pytest.raises(grader.InvalidRequestError, match="with nothing drawn, it shows this"):
        grader.grade(puzzle(image=framed(spoiled)), framed(answer()))


def ruled(picture: np.ndarray) -> np.ndarray:
    """With the pale lines of a grid all over the floor, as plotting libraries draw them."""
    lines = picture.copy()
    for place in range(1, 12):
        lines[:, place * SIDE // 12] = np.minimum(lines[:, place * SIDE // 12], 236)
        lines[place * SIDE // 12] = np.minimum(lines[place * SIDE // 12], 236)
    return lines


def test_what_the_puzzle_itself_shows_on_its_floor_is_no_mark():
    given = puzzle(image=framed(ruled(empty())))
    assert grader.grade(given, framed(ruled(answer()))).outcome is Outcome.PASS
    assert grader.grade(given, framed(answer())).outcome is Outcome.PASS


def test_a_pale_stroke_beside_the_lines_of_a_grid_is_a_mark():
    off = next(pair for pair in sorted(maze().passages) if not set(pair) & set(solve(maze())))
    drawn = ruled(answer())
    cv2.line(drawn, middle(off[0]), middle(off[1]), (222, 222, 222), 7, cv2.LINE_AA)
    assert "FOREIGN_STROKES" in grader.grade(puzzle(image=framed(ruled(empty()))), framed(drawn)).codes


@pytest.mark.parametrize("box", [(1, 2, 3), "140,60", (60.5, 40.0, 250, 250)])
def test_a_box_is_four_whole_numbers(box):
    with pytest.raises(grader.GraderError, match="four whole numbers of pixels"):
        puzzle(box=box)


def test_a_box_that_is_off_is_refused():
    with pytest.raises(grader.InvalidRequestError, match=r"maze\."):
        grader.grade(puzzle(box=(LEFT + 45, TOP, SIDE, SIDE)), framed(answer()))


def crossed() -> np.ndarray:
    """The right path, and a stroke through a wall."""
    drawn = answer()
    cv2.line(drawn, middle(walled()[0]), middle(walled()[1]), STYLE.path, 8, cv2.LINE_AA)
    return drawn


@pytest.mark.parametrize("join", [np.hstack, np.vstack])
@pytest.mark.parametrize("boxed", [True, False])
def test_another_answer_beside_a_right_one_fails(join, boxed):
    """With walls so wide that they are no lines, the right and the wrong maze on one canvas."""
    given = puzzle() if boxed else puzzle(image=empty(), box=None)
    right, wrong = (framed(one) if boxed else one for one in (answer(), crossed()))
    verdict = grader.grade(given, join([right, wrong]))
    assert (verdict.outcome, verdict.codes[0]) == (Outcome.FAIL, "OTHER_DRAWINGS")


def test_another_answer_in_the_margin_of_the_puzzles_own_picture_fails():
    """In a wide picture, as large as the puzzle's, with the maze on its left."""
    right, wrong = (np.pad(one, ((0, 0), (0, SIDE + 30), (0, 0)), constant_values=255) for one in (answer(), answer()))
    wrong[:, SIDE + 30 :] = crossed()
    given = puzzle(image=np.pad(empty(), ((0, 0), (0, SIDE + 30), (0, 0)), constant_values=255), box=(0, 0, SIDE, SIDE))
    assert grader.grade(given, right).outcome is Outcome.PASS
    assert "OTHER_DRAWINGS" in grader.grade(given, wrong).codes


def test_a_page_of_words_beside_the_maze_is_no_other_answer():
    page = np.full((SIDE, SIDE, 3), 255, np.uint8)
    for line in range(10):
        cv2.putText(
            page, "The way leads right, then up", (8, 24 * line + 30), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1
        )
    given = puzzle(image=empty(), box=None)
    assert grader.grade(given, np.hstack([answer(), page])).outcome is Outcome.PASS
