"""Shortest paths of a grid maze: how long, how many, which; and what a list of steps comes to."""

from __future__ import annotations

import enum
import itertools
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from puzzles.grid_maze.maze import OFFSETS, GridMaze, MazeStep, Spot, Tile

LISTED_PATHS = 50
"""At so many the published lists of shortest paths stop."""


def distances(maze: GridMaze, origin: Spot) -> dict[Spot, int]:
    """Least steps from a place to each one that can be reached, breadth first."""
    found = {origin: 0}
    queue = deque([origin])
    while queue:
        here = queue.popleft()
        for _, there in maze.neighbours(here):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


@dataclass(frozen=True)
class ShortestPaths:
    """The shortest paths of a maze.

    Attributes
    ----------
    maze : the maze
    left : least steps to the goal from each place that leads there
    """

    maze: GridMaze
    left: dict[Spot, int]

    @property
    def length(self) -> int | None:
        """Steps of a shortest path; None where the goal can't be reached."""
        return self.left.get(self.maze.start)

    @property
    def count(self) -> int:
        """How many there are, exactly and without a limit."""
        ways = {self.maze.goal: 1}
        for here in sorted(self.left, key=self.left.__getitem__):
            if here != self.maze.goal:
                ways[here] = sum(ways[there] for _, there in self._onward(here))
        return ways.get(self.maze.start, 0)

    def _onward(self, here: Spot) -> Iterator[tuple[MazeStep, Spot]]:
        """The steps from a place that bring the goal nearer."""
        wanted = self.left[here] - 1
        return ((step, there) for step, there in self.maze.neighbours(here) if self.left.get(there) == wanted)

    def paths(self) -> Iterator[tuple[MazeStep, ...]]:
        """All of them, in the order U, D, L, R of their first steps that differ; there may be very many."""
        if self.length is None:
            return
        steps: list[MazeStep] = []
        open_ways = [self._onward(self.maze.start)]
        while open_ways:
            if len(steps) == self.length:
                yield tuple(steps)
                found = None
                open_ways.pop()
            else:
                found = next(open_ways[-1], None)
                if found is None:
                    open_ways.pop()
            if found is not None:
                steps.append(found[0])
                open_ways.append(self._onward(found[1]))
            elif steps:
                steps.pop()

    def listed(self) -> tuple[tuple[MazeStep, ...], ...]:
        """The first ones, as many as the published lists have at most."""
        return tuple(itertools.islice(self.paths(), LISTED_PATHS))


def shortest_paths(maze: GridMaze) -> ShortestPaths:
    """The shortest paths of a maze."""
    return ShortestPaths(maze, distances(maze, maze.goal))


class WalkEnd(enum.Enum):
    """What a list of steps comes to."""

    AT_GOAL = "AT_GOAL"
    ELSEWHERE = "ELSEWHERE"
    WALL = "WALL"
    TRAP = "TRAP"
    LEFT_GRID = "LEFT_GRID"


@dataclass(frozen=True)
class MazeWalk:
    """Steps that were made.

    Attributes
    ----------
    spots : the places that were legally entered, with the start; the last is where it ended
    end : what it came to
    failed_step : the number of the step that can't be made, from 0; None if all can
    failed_spot : where that step would have led
    """

    spots: tuple[Spot, ...]
    end: WalkEnd
    failed_step: int | None = None
    failed_spot: Spot | None = None


_BLOCKS = {None: WalkEnd.LEFT_GRID, Tile.WALL: WalkEnd.WALL, Tile.TRAP: WalkEnd.TRAP}


def walk(maze: GridMaze, steps: Iterable[MazeStep]) -> MazeWalk:
    """Makes steps from the start, up to the first that leads into a wall, into a trap or out of the grid."""
    spots = [maze.start]
    for number, step in enumerate(steps):
        down, right = OFFSETS[step]
        there = (spots[-1][0] + down, spots[-1][1] + right)
        tile = maze.tile(there)
        if tile in _BLOCKS:
            return MazeWalk(tuple(spots), _BLOCKS[tile], number, there)
        spots.append(there)
    return MazeWalk(tuple(spots), WalkEnd.AT_GOAL if spots[-1] == maze.goal else WalkEnd.ELSEWHERE)
