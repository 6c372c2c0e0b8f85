"""Mazes with more than one way: refused by name, or, where that is said, any way from start to goal is right."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from grader.media.types import DEFAULT_LIMITS
from grader.model.errors import InvalidRequestError
from grader.model.jobs import CandidateKind, VideoPolicy
from grader.model.verdict import Outcome
from grader.tasks.maze.clips.video import judge_maze_clip
from grader.tasks.maze.puzzle import prepare_maze
from grader.tasks.maze.ways import nearest_way
from puzzles.maze.geometry import Geometry
from puzzles.maze.render import render_maze
from tests.maze.maze_clips import SETTINGS, clip
from tests.samples.puzzles import MazeSample, codes, maze_sample, metrics, passes

EVERY = pytest.mark.parametrize("geometry", list(Geometry))


@cache
def opened(geometry: Geometry) -> tuple[MazeSample, tuple[int, ...]]:
    """A maze with the wall of its shortcut taken away, and the shorter way that this opens."""
    sample = maze_sample(geometry)
    one, other = sample.shortcut
    maze = replace(sample.maze, passages=sample.maze.passages | {(min(one, other), max(one, other))})
    pictures = render_maze(maze, sample.style)
    # The pictures of the truth are those of the longer way.
    kept = replace(pictures, solution=sample.draw(on=pictures.input), mask=sample.pictures.mask)
    way = nearest_way(maze.passages, maze.start, maze.goal, ())
    assert way != sample.path
    return replace(sample, maze=maze, pictures=kept), way


@EVERY
def test_a_maze_with_another_way_is_refused_by_name(geometry: Geometry) -> None:
    sample, way = opened(geometry)
    with pytest.raises(InvalidRequestError, match="another way") as raised:
        sample.grade(sample.draw(way))
    (wrong,) = raised.value.violations
    assert (wrong.field, wrong.reason) == ("maze.truth.path_cell_ids", "NOT_UNIQUE")
    assert "maze.truth.any_solution" in wrong.description


@EVERY
def test_both_ways_are_right_where_that_is_said(geometry: Geometry) -> None:
    sample, way = opened(geometry)
    for path in (sample.path, way):
        verdict = sample.grade(sample.draw(path), any_solution=True)
        passes(verdict, replace(sample, path=path))
        # The solution's picture and its mask are of one way only.
        assert (metrics(verdict)["mse_in"] is None) == (path == way)


@EVERY
def test_a_wrong_way_stays_wrong_where_any_is_right(geometry: Geometry) -> None:
    sample, way = opened(geometry)
    verdict = sample.grade(sample.step(*sample.wall, sample.draw(way)), any_solution=True)
    assert verdict.outcome is Outcome.FAIL
    assert "WALL_CROSSED" in codes(verdict)


@EVERY
def test_a_loop_is_wrong_where_any_way_is_right(geometry: Geometry) -> None:
    """The stated path and the shortcut that was opened, drawn together: nobody can tell which is meant."""
    sample, _ = opened(geometry)
    verdict = sample.grade(sample.step(*sample.shortcut, sample.draw()), any_solution=True)
    assert verdict.outcome is Outcome.FAIL
    assert codes(verdict) == ["SIDE_BRANCH"]
    assert verdict.reward < 0.9


@EVERY
def test_the_longer_way_is_right_where_the_shorter_one_is_stated(geometry: Geometry) -> None:
    sample, way = opened(geometry)
    verdict = sample.grade(sample.draw(), any_solution=True, path_cell_ids=way)
    passes(verdict, sample)


def test_every_corridor_of_an_open_maze_is_no_way() -> None:
    """A maze without inner walls, with a path through all cells, and every passage drawn."""
    sample = maze_sample(Geometry.SQUARE)
    grid = sample.maze.grid
    pairs = {(min(a, b), max(a, b)) for a in grid.cell_ids for b in grid.neighbours(a)}
    maze = replace(sample.maze, passages=frozenset(pairs))
    open_sample = replace(sample, maze=maze, pictures=render_maze(maze, sample.style))
    picture = open_sample.pictures.input
    for one, other in sorted(pairs):
        picture = open_sample.step(one, other, picture)
    verdict = open_sample.grade(picture, any_solution=True)
    assert verdict.outcome is Outcome.FAIL
    assert verdict.reward < 0.2


def test_half_of_another_way_earns_its_share() -> None:
    sample, way = opened(Geometry.SQUARE)
    half = way[: len(way) // 2 + 1]
    verdict = sample.grade(sample.draw(half), any_solution=True)
    done = (len(half) - 1) / (len(way) - 1)
    assert (verdict.outcome, metrics(verdict)["progress"]) == (Outcome.FAIL, done)
    # coverage is len(half) / len(way), which is more than the steps that are done
    assert verdict.reward == pytest.approx(0.9 * done, abs=1e-12)


def test_a_marker_may_take_any_way() -> None:
    """The same in a clip: a path that grows along the other way."""
    sample, way = opened(Geometry.SQUARE)
    task = replace(sample.task, any_solution=True)
    puzzle = prepare_maze(task, SETTINGS, DEFAULT_LIMITS, CandidateKind.VIDEO)
    points = [sample.centre(cell) for cell in way]
    frames = [sample.pictures.input]
    for one, other in itertools.pairwise(points):
        for share in np.linspace(0.25, 1.0, 4):
            tip = tuple(a + share * (b - a) for a, b in zip(one, other, strict=True))
            frames.append(sample.stroke([one, tip], frames[-1]))
    judged = judge_maze_clip(puzzle, clip(frames), SETTINGS, VideoPolicy.FINAL_FRAME)
    assert [reason.code for reason in judged.reasons] == []
    found = {metric.name: metric.value for metric in judged.metrics}
    assert (found["success"], found["coverage"], found["progress"]) == (1.0, 1.0, 1.0)
