"""Mazes: passages between the cells of a tiling, how to make one and how to solve it."""

from __future__ import annotations

import enum
import random
from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from puzzles.maze.geometry import CellGrid, Geometry
from puzzles.maze.grids import make_grid

Passage = tuple[int, int]


class MazeAlgorithm(enum.Enum):
    """How passages are carved.

    DEPTH_FIRST gives long winding corridors; BREADTH_FIRST gives many short branches.
    """

    DEPTH_FIRST = "depth_first"
    BREADTH_FIRST = "breadth_first"


@dataclass(frozen=True)
class Maze:
    """A maze and where to go in it.

    Attributes
    ----------
    geometry
        The shape of the cells.
    width, height
        Columns and rows; 0 for circles.
    rings
        Rings including the middle, for circles; 0 otherwise.
    passages
        Pairs of adjacent ids without a wall between them, the smaller id first.
    start, goal
        Ids of two different cells.
    algorithm, seed
        What it was made with; ``None`` and 0 if it was not generated here.
    openings
        Borders with the outside that have no wall: (id, position in ``grid.outer_borders(id)``).

    Raises
    ------
    ValueError
        If an id is of no cell, a passage joins cells that are not adjacent or is not sorted, an opening does not
        exist, or start and goal are one.
    """

    geometry: Geometry
    width: int
    height: int
    rings: int
    passages: frozenset[Passage]
    start: int
    goal: int
    algorithm: MazeAlgorithm | None = None
    seed: int = 0
    openings: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        self.grid.row_column(self.start)
        self.grid.row_column(self.goal)
        if self.start == self.goal:
            raise ValueError("start and goal must be different cells")
        for first, second in self.passages:
            if first >= second:
                raise ValueError(f"a passage must name the smaller id first, not ({first}, {second})")
            self.grid.border(first, second)
        for cell, position in self.openings:
            if not 0 <= position < len(self.grid.outer_borders(cell)):
                raise ValueError(f"cell {cell} has no outer border {position}")

    @cached_property
    def grid(self) -> CellGrid:
        """The tiling."""
        return make_grid(self.geometry, width=self.width, height=self.height, rings=self.rings)

    def linked(self, first: int, second: int) -> bool:
        """Whether there is a passage between two cells."""
        return (min(first, second), max(first, second)) in self.passages

    def walls(self) -> tuple[Passage, ...]:
        """Return the pairs of adjacent ids with a wall between them, each with the smaller id first, ascending."""
        pairs = ((cell, other) for cell in self.grid.cell_ids for other in self.grid.neighbours(cell) if cell < other)
        return tuple(pair for pair in pairs if pair not in self.passages)


def default_ends(grid: CellGrid) -> tuple[int, int]:
    """Return (start, goal) where the AMAZE mazes have them.

    The start is in the middle of the bottom row and the goal of the top row, one column further where a triangle
    there has no border with the outside; for circles the start is the cell of the outer ring just past south,
    clockwise, and the goal the middle.
    """
    last_row, _ = grid.row_column(grid.cell_ids[-1])
    if grid.geometry is Geometry.CIRCLE:
        count = sum(grid.row_column(cell)[0] == last_row for cell in grid.cell_ids)
        return grid.id_of(last_row, count // 2), grid.cell_ids[0]
    columns = grid.row_column(grid.cell_ids[-1])[1] + 1
    column = (columns - 1) // 2
    start, goal = column, column
    if grid.geometry is Geometry.TRIANGLE:
        # The base is south where row + column is odd. A grid one column wide has no other cell to choose.
        start = min(column + (last_row + column + 1) % 2, columns - 1)
        goal = min(column + column % 2, columns - 1)
    return grid.id_of(last_row, start), grid.id_of(0, goal)


def default_openings(grid: CellGrid, start: int, goal: int) -> tuple[tuple[int, int], ...]:
    """Return the outer borders that the AMAZE drawings leave open: the start's lowest and the goal's highest."""
    openings = []
    for cell, direction in ((start, -1.0), (goal, 1.0)):
        # Rounded, so that two sides of a hexagon at one height count as equal and the first one is taken.
        heights = [round(direction * border.midpoint[1], 6) for border in grid.outer_borders(cell)]
        if heights:
            openings.append((cell, heights.index(min(heights))))
    return tuple(openings)


def generate_maze(
    geometry: Geometry,
    scale: int,
    algorithm: MazeAlgorithm = MazeAlgorithm.DEPTH_FIRST,
    seed: int = 0,
    *,
    height: int = 0,
) -> Maze:
    """Return a perfect maze: every two cells are joined by exactly one way. The same arguments give the same maze.

    Parameters
    ----------
    geometry
        The shape of the cells.
    scale
        Rows and columns, or rings for circles; at least 2.
    algorithm
        How passages are carved.
    seed
        Any whole number that is not negative.
    height
        Rows, where they are not as many as columns; not for circles.

    Raises
    ------
    ValueError
        If the scale is below 2 or the seed negative.
    """
    if scale < 2:
        raise ValueError(f"a maze needs a scale of at least 2, not {scale}")
    if seed < 0:
        raise ValueError(f"the seed must not be negative, not {seed}")
    circle = geometry is Geometry.CIRCLE
    width, rings = (0, scale) if circle else (scale, 0)
    height = 0 if circle else height or scale
    grid = make_grid(geometry, width=width, height=height, rings=rings)
    start, goal = default_ends(grid)
    dice = random.Random(seed)
    passages = _carve(grid, algorithm, dice)
    return Maze(
        geometry, width, height, rings, passages, start, goal, algorithm, seed, default_openings(grid, start, goal)
    )


def solve(maze: Maze) -> tuple[int, ...]:
    """Return a shortest way from start to goal, both included; in a perfect maze it is the only one.

    Raises
    ------
    ValueError
        If no way leads to the goal.
    """
    ways = _ways(maze.passages)
    came_from = {maze.start: 0}
    waiting = deque([maze.start])
    while waiting and maze.goal not in came_from:
        cell = waiting.popleft()
        for following in ways.get(cell, ()):
            if following not in came_from:
                came_from[following] = cell
                waiting.append(following)
    if maze.goal not in came_from:
        raise ValueError("no way leads from the start to the goal")
    path = [maze.goal]
    while path[-1] != maze.start:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))


def is_perfect(cells: Collection[int], passages: Collection[Passage]) -> bool:
    """Whether the passages join all cells and none of them is more than needed."""
    ways = _ways(passages)
    first = next(iter(cells))
    seen = {first}
    waiting = [first]
    while waiting:
        for following in ways.get(waiting.pop(), ()):
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return len(passages) == len(cells) - 1 and seen == set(cells)


def _ways(passages: Iterable[Passage]) -> dict[int, list[int]]:
    """Return the linked cells of each cell, ascending, so that no result depends on a set's order."""
    ways: dict[int, list[int]] = {}
    for first, second in sorted(passages):
        ways.setdefault(first, []).append(second)
        ways.setdefault(second, []).append(first)
    return ways


def _carve(grid: CellGrid, algorithm: MazeAlgorithm, dice: random.Random) -> frozenset[Passage]:
    """Grow a tree from a random cell: on from the newest cell (depth first) or from the oldest one (breadth first)."""
    first = _pick(grid.cell_ids, dice)
    seen = {first}
    active = deque([first])
    passages = set()
    while active:
        newest = algorithm is MazeAlgorithm.DEPTH_FIRST
        cell = active[-1] if newest else active[0]
        fresh = [other for other in grid.neighbours(cell) if other not in seen]
        if fresh:
            following = _pick(fresh, dice)
            passages.add((min(cell, following), max(cell, following)))
            seen.add(following)
            active.append(following)
        elif newest:
            active.pop()
        else:
            active.popleft()
    return frozenset(passages)


def _pick(cells: list[int] | tuple[int, ...], dice: random.Random) -> int:
    # Only random() is promised to give the same numbers in every Python version.
    return cells[int(dice.random() * len(cells))]
