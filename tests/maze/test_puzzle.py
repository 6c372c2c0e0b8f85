"""Mazes: perfect, reproducible, solved."""

from __future__ import annotations

from itertools import pairwise

import pytest

from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import Maze, MazeAlgorithm, default_openings, generate_maze, is_perfect, solve

KINDS = [(geometry, algorithm) for geometry in Geometry for algorithm in MazeAlgorithm]


@pytest.mark.parametrize(("geometry", "algorithm"), KINDS)
@pytest.mark.parametrize("scale", [2, 3, 6])
def test_mazes_are_perfect_and_reproducible(geometry: Geometry, algorithm: MazeAlgorithm, scale: int) -> None:
    for seed in range(4):
        maze = generate_maze(geometry, scale, algorithm, seed)
        assert len(maze.passages) == len(maze.grid.cell_ids) - 1
        assert is_perfect(maze.grid.cell_ids, maze.passages)
        assert generate_maze(geometry, scale, algorithm, seed) == maze


@pytest.mark.parametrize(("geometry", "algorithm"), KINDS)
def test_seeds_give_different_mazes(geometry: Geometry, algorithm: MazeAlgorithm) -> None:
    assert len({generate_maze(geometry, 5, algorithm, seed).passages for seed in range(5)}) == 5


@pytest.mark.parametrize(("geometry", "algorithm"), KINDS)
def test_the_path_is_the_only_one(geometry: Geometry, algorithm: MazeAlgorithm) -> None:
    maze = generate_maze(geometry, 5, algorithm, 3)
    path = solve(maze)
    assert (path[0], path[-1]) == (maze.start, maze.goal)
    assert len(set(path)) == len(path)
    assert all(maze.linked(before, after) for before, after in pairwise(path))
    for before, after in pairwise(path):
        blocked = maze.passages - {(min(before, after), max(before, after))}
        with pytest.raises(ValueError, match="no way"):
            solve(
                Maze(maze.geometry, maze.width, maze.height, maze.rings, blocked, maze.start, maze.goal),
            )


def test_depth_first_paths_are_longer() -> None:
    lengths = {
        algorithm: sum(len(solve(generate_maze(Geometry.SQUARE, 10, algorithm, seed))) for seed in range(5))
        for algorithm in MazeAlgorithm
    }
    assert lengths[MazeAlgorithm.DEPTH_FIRST] > lengths[MazeAlgorithm.BREADTH_FIRST]


def test_a_maze_stays_the_same_from_version_to_version() -> None:
    maze = generate_maze(Geometry.SQUARE, 3, MazeAlgorithm.DEPTH_FIRST, 7)
    assert sorted(maze.passages) == [(1, 4), (2, 3), (2, 5), (4, 5), (4, 7), (6, 9), (7, 8), (8, 9)]


@pytest.mark.parametrize(
    ("geometry", "scale", "start", "goal"),
    [
        (Geometry.SQUARE, 8, 60, 4),
        (Geometry.HEXAGON, 3, 8, 2),
        (Geometry.TRIANGLE, 3, 8, 3),
        (Geometry.TRIANGLE, 8, 61, 5),
        (Geometry.CIRCLE, 8, 70025, 1),
    ],
)
def test_ends_are_where_the_records_have_them(geometry: Geometry, scale: int, start: int, goal: int) -> None:
    maze = generate_maze(geometry, scale)
    assert (maze.start, maze.goal) == (start, goal)
    ends = {start} if geometry is Geometry.CIRCLE else {start, goal}
    assert {cell for cell, _ in maze.openings} == ends
    assert default_openings(maze.grid, start, goal) == maze.openings


def test_walls_and_passages_are_all_borders() -> None:
    maze = generate_maze(Geometry.HEXAGON, 4)
    walls = set(maze.walls())
    assert not walls & maze.passages
    assert len(walls | maze.passages) == sum(len(maze.grid.neighbours(cell)) for cell in maze.grid.cell_ids) // 2


def test_wrong_mazes_are_refused() -> None:
    def square(passages: set[tuple[int, int]], start: int = 1, goal: int = 2, **more: object) -> Maze:
        return Maze(Geometry.SQUARE, 2, 2, 0, frozenset(passages), start, goal, **more)  # type: ignore[arg-type]

    square({(1, 2)})
    with pytest.raises(ValueError, match="smaller id first"):
        square({(2, 1)})
    with pytest.raises(ValueError, match="share no border"):
        square({(1, 4)})
    with pytest.raises(ValueError, match="different cells"):
        square({(1, 2)}, goal=1)
    with pytest.raises(ValueError, match="no cell"):
        square({(1, 2)}, goal=5)
    with pytest.raises(ValueError, match="no outer border"):
        square({(1, 2)}, openings=((1, 2),))


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="scale"):
        generate_maze(Geometry.SQUARE, 1)
    with pytest.raises(ValueError, match="seed"):
        generate_maze(Geometry.SQUARE, 3, seed=-1)
