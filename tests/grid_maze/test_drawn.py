"""Grid mazes that are answered by drawing: MazeBench's pixel art, with own palettes."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

import grader
from grader.model.verdict import Outcome
from puzzles.grid_maze.maze import parse_lines
from puzzles.grid_maze.render import layout_of, render_grid_maze

ROWS = ("S..#", ".#..", "..TG", "##..")
"""The way along the top has 5 steps; the ones along the left end before a trap and a wall."""
CUT = ("S.#.", ".##.", "..#G", "##..")
SIDE = 420
RIGHT = (1, 2, 3, 7, 8, 12)


@cache
def picture(rows: tuple[str, ...] = ROWS) -> np.ndarray:
    return render_grid_maze(parse_lines(rows), "dungeon", SIDE)


def stroke(rows: tuple[str, ...], *ways: tuple[int, ...]) -> np.ndarray:
    place, drawn = layout_of(4, 4, SIDE), picture(rows).copy()
    for way in ways:
        spots = [divmod(cell - 1, 4) for cell in way]
        points = [
            [round(place.origin_xy[axis] + (spot[1 - axis] + 0.5) * place.tile_px) for axis in (0, 1)] for spot in spots
        ]
        cv2.polylines(drawn, [np.array(points)], False, (230, 30, 30), 12, cv2.LINE_AA)
    return drawn


def graded(rows: tuple[str, ...], *ways: tuple[int, ...]):
    maze = grader.grid_maze(rows, image=picture(rows), path_color="red")
    return grader.grade(maze, stroke(rows, *ways))


def test_a_shortest_path_passes() -> None:
    verdict = graded(ROWS, RIGHT)
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.PASS, 1.0, 1.0)
    told = ("reachability", "path", "said_reachable", "moves", "least_moves", "cells_visited", "walls_entered")
    assert [verdict.metric(name) for name in told] == [1.0, 1.0, 1.0, 5.0, 5.0, 6.0, 0.0]


def test_walls_and_traps_that_a_path_enters_are_told() -> None:
    verdict = graded(ROWS, (1, 5, 9, 10, 11, 12), (5, 6))
    assert verdict.outcome is Outcome.FAIL
    assert {"ENTERS_WALL", "ENTERS_TRAP"} <= set(verdict.codes)
    assert (verdict.metric("walls_entered"), verdict.metric("traps_entered")) == (1.0, 1.0)


def test_a_path_that_is_longer_than_need_be_fails() -> None:
    rows = ("S...", ".##.", "....", "##.G")
    verdict = graded(rows, (1, 2, 3, 4, 8, 12, 11, 15, 16))
    assert (verdict.outcome, verdict.codes) == (Outcome.FAIL, ("NOT_SHORTEST",))
    assert 0.0 < verdict.reward < 1.0


def test_nothing_drawn_says_that_the_goal_cannot_be_reached() -> None:
    right, wrong = graded(CUT), graded(ROWS)
    # What a blank answer knows of the maze nobody can tell, so it earns nothing.
    assert (right.outcome, right.score, right.reward, right.codes) == (Outcome.PASS, 1.0, 0.0, ())
    assert (wrong.outcome, wrong.codes) == (Outcome.FAIL, ("CLAIMS_UNREACHABLE", "NOTHING_DRAWN"))


def test_a_path_to_a_goal_that_cannot_be_reached_fails() -> None:
    verdict = graded(CUT, (1, 2, 3, 4, 8, 12))
    assert verdict.outcome is Outcome.FAIL
    assert {"CLAIMS_REACHABLE", "ENTERS_WALL"} <= set(verdict.codes)
    assert verdict.reward == 0.0


def test_a_drawn_answer_needs_the_picture() -> None:
    with pytest.raises(grader.InvalidRequestError, match=r"grid_maze\.puzzle\.image"):
        grader.grade(grader.grid_maze(ROWS), picture())


def test_a_picture_of_another_maze_is_refused_by_its_field() -> None:
    with pytest.raises(grader.InvalidRequestError, match=r"^grid_maze\.puzzle\.image: .* looks like floor in cell"):
        grader.grade(grader.grid_maze(ROWS, image=picture(("S..#", "..#.", "..TG", "##.."))), picture())
