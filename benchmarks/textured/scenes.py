"""Mazes with textures, tiles and sprites, of known truth."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

import grader
from grader.tasks.maze.model import MazeInput
from puzzles.grid_maze.generator import MazeParameters, generate_grid_maze
from puzzles.grid_maze.maze import OFFSETS, Tile
from puzzles.grid_maze.palettes import PALETTES
from puzzles.grid_maze.paths import shortest_paths
from puzzles.grid_maze.render import layout_of, render_grid_maze
from puzzles.grid_maze.sprites import sprite
from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import Maze, generate_maze, solve

Picture = NDArray[np.uint8]
Point = tuple[float, float]
COLORS = {"red": (230, 30, 30), "blue": (20, 60, 230), "magenta": (230, 30, 220), "yellow": (255, 235, 20)}


@dataclass(frozen=True)
class Scene:
    """An instance: its puzzle, its picture, and what is needed to draw on it.

    Attributes
    ----------
    puzzle : what is graded against
    picture : without an answer
    path : middles of the right path's cells
    unit : side of a cell's floor in pixels
    blocked : pairs of points with a wall between them, one of them on the path
    aside : pairs of points joined by floor, off the path
    walls : boxes of walls (x, y, width, height) that part two cells
    floor : middles of cells off the path
    name : of its form and look
    """

    puzzle: MazeInput
    picture: Picture
    path: list[Point]
    unit: float
    blocked: list[tuple[Point, Point]]
    aside: list[tuple[Point, Point]]
    walls: list[tuple[int, int, int, int]]
    floor: list[Point]
    name: str
    color: tuple[int, int, int]


def tile_of(kind: Tile, palette: str, side: int, variant: int) -> Picture:
    """A sprite of a side."""
    made = sprite(kind, PALETTES[palette], variant)
    return np.asarray(cv2.resize(made, (side, side), interpolation=cv2.INTER_NEAREST), np.uint8)


def tiles_scene(rng: random.Random) -> Scene:
    """Tiles as in MazeBench, with traps; any way is right."""
    palette, side = rng.choice(sorted(PALETTES)), rng.choice((420, 600, 1024))
    rows, cols = rng.choice((5, 7, 9)), rng.choice((5, 7, 9))
    while True:
        parameters = MazeParameters(
            rows,
            cols,
            rng.choice((0.25, 0.35)),
            rng.choice((0, 2)),
            border_walls=rng.random() < 0.5,
            seed=rng.randrange(10**6),
        )
        maze = generate_grid_maze(parameters)
        way = next(iter(shortest_paths(maze).paths()), None)
        if way is not None and len(way) >= 3:
            break
    place, picture = layout_of(rows, cols, side), render_grid_maze(maze, palette, side)
    (left, top), tile = place.origin_xy, place.tile_px
    spots = [maze.start]
    for step in way:
        spots.append((spots[-1][0] + OFFSETS[step][0], spots[-1][1] + OFFSETS[step][1]))

    def middle(spot: tuple[int, int]) -> Point:
        return left + (spot[1] + 0.5) * tile, top + (spot[0] + 0.5) * tile

    on, blocked, aside, walls, floor = set(spots), [], [], [], []
    for row, col in itertools.product(range(rows), range(cols)):
        kind = maze.tiles[row][col]
        if kind in (Tile.WALL, Tile.TRAP):
            walls.append((left + col * tile, top + row * tile, tile, tile))
            near = [one for one in beside((row, col), rows, cols) if one in on]
            blocked += [(middle(one), middle((row, col))) for one in near[:1]]
        elif (row, col) not in on:
            floor.append(middle((row, col)))
            for other in beside((row, col), rows, cols):
                if maze.tiles[other[0]][other[1]] is Tile.FLOOR and other not in on:
                    aside.append((middle((row, col)), middle(other)))
    color = pick(rng, palette)
    puzzle = grader.maze_from_grid(
        picture,
        ["".join(one.value for one in line) for line in maze.tiles],
        box=(left, top, cols * tile, rows * tile),
        path_color=color,
        any_solution=True,
    )
    path = [middle(one) for one in spots]
    return Scene(puzzle, picture, path, tile, blocked, aside, walls, floor, f"tiles-{palette}", COLORS[color])


def beside(spot: tuple[int, int], rows: int, cols: int) -> list[tuple[int, int]]:
    """The spots beside one."""
    near = [(spot[0] + down, spot[1] + right) for down, right in OFFSETS.values()]
    return [(row, col) for row, col in near if 0 <= row < rows and 0 <= col < cols]


def pick(rng: random.Random, palette: str) -> str:
    """A colour that stands out from a palette's floor."""
    names = {"forest": ("blue", "red", "magenta"), "desert": ("blue", "magenta"), "dungeon": ("red", "yellow")}
    return rng.choice(names.get(palette, ("red", "blue", "magenta")))


def walled_scene(rng: random.Random) -> Scene:
    """Walls between cells, drawn with the tiles of a palette: as wide as corridors, or thin."""
    palette, count = rng.choice(sorted(PALETTES)), rng.choice((4, 5, 6))
    wide = rng.random() < 0.6
    floor_px = rng.choice((40, 56, 72))
    wall_px = floor_px if wide else round(floor_px * rng.choice((0.25, 0.4)))
    cell = floor_px + wall_px
    maze: Maze = generate_maze(Geometry.SQUARE, count, seed=rng.randrange(10**6))
    way = solve(maze)
    side = count * cell + wall_px
    picture = np.empty((side, side, 3), np.uint8)
    for row, col in itertools.product(range(side // floor_px + 1), repeat=2):
        y, x = row * floor_px, col * floor_px
        part = picture[y : y + floor_px, x : x + floor_px]
        part[:] = tile_of(Tile.FLOOR, palette, floor_px, (row * 5 + col * 3) % 4)[: part.shape[0], : part.shape[1]]
    stone = tile_of(Tile.WALL, palette, floor_px, 0)
    passages = {(min(one), max(one)) for one in maze.passages}
    walls, blocked, aside = [], [], []

    def middle(number: int) -> Point:
        row, col = divmod(number - 1, count)
        return wall_px + col * cell + floor_px / 2, wall_px + row * cell + floor_px / 2

    def wall(x: int, y: int, across: int, down: int) -> None:
        for yy, xx in itertools.product(range(y, y + down, floor_px), range(x, x + across, floor_px)):
            part = picture[yy : min(yy + floor_px, y + down), xx : min(xx + floor_px, x + across)]
            part[:] = stone[: part.shape[0], : part.shape[1]]

    for row, col in itertools.product(range(count + 1), repeat=2):
        number = row * count + col + 1
        if row < count and (col in (0, count) or (number - 1, number) not in passages):
            wall(col * cell, row * cell + wall_px, wall_px, floor_px)
        if col < count and (row in (0, count) or (number - count, number) not in passages):
            wall(col * cell + wall_px, row * cell, floor_px, wall_px)
        wall(col * cell, row * cell, wall_px, wall_px)
    for first in range(1, count * count + 1):
        for second in ([first + 1] if first % count else []) + ([first + count] if first + count <= count**2 else []):
            row, col = divmod(second - 1, count)
            if (first, second) in passages:
                if not {first, second} & set(way):
                    aside.append((middle(first), middle(second)))
                continue
            one = (
                (col * cell, row * cell + wall_px, wall_px, floor_px)
                if second == first + 1
                else (col * cell + wall_px, row * cell, floor_px, wall_px)
            )
            walls.append(one)
            if {first, second} & set(way):
                blocked.append((middle(first), middle(second)))
    for number, kind in ((way[0], Tile.START), (way[-1], Tile.GOAL)):
        x, y = (round(value - floor_px / 2) for value in middle(number))
        picture[y : y + floor_px, x : x + floor_px] = tile_of(kind, palette, floor_px, 0)
    color = pick(rng, palette)
    declared = rng.random() < 0.5
    puzzle = grader.maze_from_grid(
        picture,
        [("." * count)] * count if declared else None,
        passages=sorted(passages) if declared else None,
        cells=way,
        width_cells=count,
        height_cells=count,
        wall_width_px=wall_px,
        path_color=color,
    )
    floor = [middle(number) for number in range(1, count * count + 1) if number not in way]
    name = f"{'wide' if wide else 'thin'}-{palette}"
    return Scene(
        puzzle, picture, [middle(one) for one in way], floor_px, blocked, aside, walls, floor, name, COLORS[color]
    )
