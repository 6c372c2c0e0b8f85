"""Grid mazes by their parameters.

Start and goal are drawn on opposite edges, walls on a share of the other tiles, then traps. A wall or a trap that
would part the goal from the start is left out again, unless the goal is not to be reached: then walls are put onto the
middle of what paths are left, before the traps, so that a maze has the same walls with traps and without [1]_.

References
----------
.. [1] MazeBench, section 3.2.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from puzzles.grid_maze.maze import MOST_SIDE, GridMaze, Spot, Tile
from puzzles.grid_maze.paths import distances, shortest_paths

LEAST_INSIDE = 3
"""Rows and columns without the border."""
MOST_SEED = 9_999_999
_TRIES = 500  # mazes that are drawn before a least length is given up


@dataclass(frozen=True)
class MazeParameters:
    """What a maze is made with.

    Attributes
    ----------
    rows, cols : with the border; without it at least 3
    wall_density : share of the tiles beside start, goal and border that become walls, 0 to 0.9
    trap_count : traps, as many as there is room for
    force_unreachable : whether the goal is not to be reached
    border_walls : whether a ring of walls lies around the maze
    seed : from 0 to 9,999,999
    least_length : steps that a shortest path has at least; mazes are drawn until one has. 0 for any

    Raises
    ------
    ValueError
        If a number is out of range, more traps are asked for than there are tiles, or a least length is asked for of a
        goal that is not to be reached.
    """

    rows: int
    cols: int
    wall_density: float = 0.25
    trap_count: int = 0
    force_unreachable: bool = False
    border_walls: bool = False
    seed: int = 0
    least_length: int = 0

    def __post_init__(self) -> None:
        least = LEAST_INSIDE + 2 * self.border_walls
        _require("rows", self.rows, least, MOST_SIDE)
        _require("cols", self.cols, least, MOST_SIDE)
        _require("wall density", self.wall_density, 0, 0.9)
        _require("number of traps", self.trap_count, 0, MOST_SIDE**2)
        room = (self.rows - 2 * self.border_walls) * (self.cols - 2 * self.border_walls) - 2
        if self.trap_count > room:
            raise ValueError(f"{self.rows} rows and {self.cols} columns have room for {room} traps at most")
        _require("seed", self.seed, 0, MOST_SEED)
        _require("least length", self.least_length, 0, MOST_SIDE**2)
        if self.least_length and self.force_unreachable:
            raise ValueError("a goal that is not to be reached has no least length")


def _require(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ValueError(f"the {name} must be from {least} to {most}, not {value:g}")


def generate_grid_maze(parameters: MazeParameters) -> GridMaze:
    """A maze; the same parameters give the same one.

    Raises
    ------
    ValueError
        If no maze of the least length was met.
    """
    rng = random.Random(parameters.seed)
    for _ in range(_TRIES if parameters.least_length else 1):
        maze = _drawn(parameters, rng)
        length = shortest_paths(maze).length
        if length is None or length >= parameters.least_length:
            return maze
    raise ValueError(f"no maze with a shortest path of {parameters.least_length} steps was met; ask for a shorter one")


def _drawn(asked: MazeParameters, rng: random.Random) -> GridMaze:
    ring = 1 if asked.border_walls else 0
    inside = [(row, col) for row in range(ring, asked.rows - ring) for col in range(ring, asked.cols - ring)]
    start, goal = _ends(asked, ring, rng)
    tiles = {(row, col): Tile.WALL for row in range(asked.rows) for col in range(asked.cols)}
    tiles |= dict.fromkeys(inside, Tile.FLOOR) | {start: Tile.START, goal: Tile.GOAL}
    others = [spot for spot in inside if spot not in (start, goal)]
    _place(tiles, rng.sample(others, len(others)), Tile.WALL, int(asked.wall_density * len(others)), asked)
    if asked.force_unreachable:
        _cut(tiles, asked)
    left = [spot for spot in others if tiles[spot] is Tile.FLOOR]
    # From a generator of its own: what is drawn after the walls does not hang on how many were drawn.
    traps = random.Random(rng.getrandbits(64))
    _place(tiles, traps.sample(left, len(left)), Tile.TRAP, asked.trap_count, asked)
    return _grid(tiles, asked)


def _ends(asked: MazeParameters, ring: int, rng: random.Random) -> tuple[Spot, Spot]:
    """Start and goal on opposite edges, as far apart as a third of rows and columns together."""
    top, bottom, left, right = ring, asked.rows - 1 - ring, ring, asked.cols - 1 - ring
    along = range(left, right + 1), range(top, bottom + 1)
    pairs = {
        True: [((top, one), (bottom, other)) for one in along[0] for other in along[0]],
        False: [((one, left), (other, right)) for one in along[1] for other in along[1]],
    }
    least = (asked.rows + asked.cols) // 3
    far = {upright: [pair for pair in found if _apart(*pair) >= least] for upright, found in pairs.items()}
    upright = rng.random() < 0.5
    chosen = far[upright] or far[not upright]
    start, goal = chosen[rng.randrange(len(chosen))]
    return (start, goal) if rng.random() < 0.5 else (goal, start)


def _apart(one: Spot, other: Spot) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _place(tiles: dict[Spot, Tile], order: list[Spot], tile: Tile, wanted: int, asked: MazeParameters) -> None:
    """Puts so many tiles down, in an order, and takes back those that part the goal from the start."""
    for spot in order:
        if wanted <= 0:
            return
        tiles[spot] = tile
        if asked.force_unreachable or _reachable(_grid(tiles, asked)):
            wanted -= 1
        else:
            tiles[spot] = Tile.FLOOR


def _cut(tiles: dict[Spot, Tile], asked: MazeParameters) -> None:
    """Puts walls onto the middle of shortest paths until none is left."""
    while True:
        maze = _grid(tiles, asked)
        steps = next(iter(shortest_paths(maze).paths()), None)
        if steps is None:
            return
        here = maze.start
        for step in steps[: len(steps) // 2]:
            here = next(there for way, there in maze.neighbours(here) if way is step)
        tiles[here] = Tile.WALL


def _reachable(maze: GridMaze) -> bool:
    return maze.goal in distances(maze, maze.start)


def _grid(tiles: dict[Spot, Tile], asked: MazeParameters) -> GridMaze:
    return GridMaze(tuple(tuple(tiles[row, col] for col in range(asked.cols)) for row in range(asked.rows)))
