"""Mazes of tiles and sprites, whose grid is declared: what passes, what fails, and what is refused."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

import grader
from grader.model.verdict import Outcome
from puzzles.grid_maze.maze import Tile
from tests.maze.textured.scenes import ROWS, SIDE, TILE, WAY, jpeg, put, stroke, tile, tiles

Change = Callable[[np.ndarray], np.ndarray]


def puzzle(image: np.ndarray | None = None, rows: object = ROWS, **changes: object):
    facts = {"path_color": "red", "any_solution": True} | changes
    return grader.maze_from_grid(tiles() if image is None else image, rows, **facts)


def moved(picture: np.ndarray) -> np.ndarray:
    by = np.array([[1.0, 0.0, 2.3], [0.0, 1.0, -1.6]])
    return cv2.warpAffine(picture, by, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)


@pytest.mark.parametrize(
    "change",
    [
        lambda picture: picture,
        lambda picture: jpeg(picture, 60),
        lambda picture: cv2.resize(picture, None, fx=1.6, fy=1.6, interpolation=cv2.INTER_CUBIC),
        lambda picture: cv2.GaussianBlur(picture, (0, 0), 1.0),
        lambda picture: np.clip(picture * 0.9 + 10, 0, 255).astype(np.uint8),
        moved,
    ],
    ids=["as it is", "jpeg", "resized", "blurred", "another tone", "shifted"],
)
def test_a_right_way_passes(change: Change) -> None:
    verdict = grader.grade(puzzle(), change(stroke(tiles(), WAY)))
    assert (verdict.outcome, verdict.codes) == (Outcome.PASS, ())
    assert sorted(cell.id for cell in verdict.observation.visited_cells) == sorted(WAY)


def test_the_grid_s_other_way_passes_where_any_is_right() -> None:
    verdict = grader.grade(puzzle(), stroke(tiles(), (1, 5, 9, 10, 11, 15, 16, 12)))
    assert (verdict.outcome, verdict.metric("coverage")) == (Outcome.PASS, 1.0)


@pytest.mark.parametrize(
    ("drawn", "code"),
    [
        (tiles(), "NOTHING_DRAWN"),
        (stroke(tiles(), WAY[:-1]), "GOAL_NOT_REACHED"),
        (stroke(stroke(tiles(), WAY), (11, 7)), "WALL_CROSSED"),
        (stroke(stroke(tiles(), WAY), (5, 6)), "WALL_CROSSED"),
        (stroke(stroke(tiles(), WAY), (12, 8)), "SIDE_BRANCH"),
        (stroke(stroke(tiles(), WAY), (4, 8), (250, 250, 250)), "FOREIGN_STROKES"),
        (stroke(tiles(), WAY, (30, 60, 230)), "WRONG_COLOR"),
        (stroke(put(tiles(), 3, tile(Tile.FLOOR)), WAY), "WALLS_ERASED"),
        (stroke(put(tiles(), 12, tile(Tile.FLOOR)), WAY), "MARKER_ERASED"),
    ],
    ids=["nothing", "short", "a wall", "a trap", "a branch", "another stroke", "blue", "wall gone", "goal gone"],
)
def test_a_wrong_answer_fails_by_what_is_seen(drawn: np.ndarray, code: str) -> None:
    verdict = grader.grade(puzzle(), drawn)
    assert verdict.outcome is Outcome.FAIL
    assert code in verdict.codes


def test_a_wall_s_picture_on_the_floor_fails() -> None:
    assert grader.grade(puzzle(), stroke(put(tiles(), 4, tile(Tile.WALL)), WAY)).outcome is Outcome.FAIL


def test_tiles_may_lie_within_a_larger_picture() -> None:
    def framed(picture: np.ndarray) -> np.ndarray:
        return np.pad(picture, ((30, 20), (40, 60), (0, 0)), constant_values=20)

    given = puzzle(framed(tiles()), box=(40, 30, SIDE, SIDE))
    assert grader.grade(given, framed(stroke(tiles(), WAY))).outcome is Outcome.PASS
    assert "OUTSIDE_MAZE" in grader.grade(given, stroke_out(framed(stroke(tiles(), WAY)))).codes


def stroke_out(picture: np.ndarray) -> np.ndarray:
    """With a stroke out of the maze on its right, from the goal."""
    drawn, (x, y) = picture.copy(), (40 + SIDE - TILE // 2, 30 + 2 * TILE + TILE // 2)
    cv2.line(drawn, (x, y), (x + TILE, y), (230, 30, 30), 6)
    return drawn


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (("S##.", ".T#.", "...G", "##.."), "looks like floor in cell 2, where it is blocked"),
        (("S.#.", ".T..", "...G", "##.."), "does not look like floor in cell 7"),
        (("..#.", ".TS.", "...G", "##.."), "mark in cell 1, where"),
    ],
)
def test_a_grid_that_is_not_the_picture_s_is_refused_by_what_is_seen(rows: tuple[str, ...], said: str) -> None:
    with pytest.raises(grader.InvalidRequestError, match=said):
        grader.grade(puzzle(rows=rows), stroke(tiles(), WAY))


def test_a_picture_with_an_answer_in_it_already_is_refused() -> None:
    with pytest.raises(grader.InvalidRequestError, match="drawn already"):
        grader.grade(puzzle(stroke(tiles(), WAY, width=10)), stroke(tiles(), WAY))


def test_tiles_that_are_off_their_place_are_refused() -> None:
    with pytest.raises(grader.InvalidRequestError, match="can't be read"):
        grader.grade(puzzle(np.roll(tiles(), 18, axis=1)), stroke(tiles(), WAY))
