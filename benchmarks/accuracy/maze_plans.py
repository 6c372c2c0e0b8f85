"""Right and wrong paths on a maze."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.accuracy.instances import FREE_WIDTH, MazeInstance
from benchmarks.accuracy.lines import UncertainTruthError, beside, resampled, traced
from benchmarks.accuracy.plans import MazePlan
from benchmarks.accuracy.seeds import number_of
from puzzles.common.arrays import FloatArray
from puzzles.maze.geometry import Point
from puzzles.maze.maze import Maze

_DEPTH = 3
"""Cells that a detour goes into a wrong corridor, at most."""


def maze_plan(instance: MazeInstance, name: str) -> MazePlan | None:
    """A plan on a maze, or ``None`` where this maze has no place for it.

    Raises
    ------
    ValueError
        If there is no such plan.
    UncertainTruthError
        If the lines do not visit what the plan says, by the tiling's geometry.
    """
    if name not in MAZE_PLANS:
        raise ValueError(f"there is no plan {name!r} for mazes; there are: {', '.join(MAZE_PLANS)}")
    made = MAZE_PLANS[name](instance)
    if made is None:
        return None
    lines, visited = made
    seen = traced(instance.maze.grid, lines)
    if seen != visited:
        raise UncertainTruthError(f"{instance.name}/{name}: lines visit {sorted(seen ^ visited)} against the plan")
    return MazePlan(name, lines, visited, passes=name == "right")


_Made = tuple[tuple[FloatArray, ...], frozenset[int]] | None


def _pick(instance: MazeInstance, name: str, choices: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    return choices[number_of(f"{instance.name}/{name}") % len(choices)] if choices else None


def _right(instance: MazeInstance) -> _Made:
    return (instance.maze.grid.route(instance.path),), frozenset(instance.path)


def _gap(instance: MazeInstance) -> _Made:
    """The middle cell is left out; the strokes end in the centres of its neighbours."""
    path = instance.path
    middle = len(path) // 2
    before, after = path[:middle], path[middle + 1 :]
    if min(len(before), len(after)) < 2:
        return None
    route = instance.maze.grid.route
    return (route(before), route(after)), frozenset(before + after)


def _prefix(instance: MazeInstance, count: int) -> _Made:
    if count < 2:
        return None
    cells = instance.path[:count]
    return (instance.maze.grid.route(cells),), frozenset(cells)


def _half(instance: MazeInstance) -> _Made:
    return _prefix(instance, (len(instance.path) + 1) // 2)


def _short(instance: MazeInstance) -> _Made:
    return _prefix(instance, len(instance.path) - 1)


def _wrong_goal(instance: MazeInstance) -> _Made:
    """From the start to a cell beside the right path."""
    maze, path = instance.maze, instance.path
    ways = ways_from(maze, maze.start)
    far = [way for cell, way in sorted(ways.items()) if len(way) >= 3 and len(set(way) - set(path)) >= 2]
    if not far:
        return None
    cells = far[number_of(f"{instance.name}/wrong-goal") % len(far)]
    return (maze.grid.route(cells),), frozenset(cells)


def _branch(instance: MazeInstance) -> _Made:
    """The right path with a stub into one cell of a wrong corridor."""
    return _with_stub(instance, "branch", linked=True)


def _crossing(instance: MazeInstance) -> _Made:
    """The right path with a stroke through a wall into a wrong cell."""
    return _with_stub(instance, "crossing", linked=False)


def _with_stub(instance: MazeInstance, name: str, *, linked: bool) -> _Made:
    pair = _pick(instance, name, side_cells(instance, linked=linked))
    if pair is None:
        return None
    main = instance.maze.grid.route(instance.path)
    stub = np.array([*way_out(instance, main, *pair), instance.maze.grid.centre(pair[1])])
    return (main, stub), frozenset((*instance.path, pair[1]))


def _detour(instance: MazeInstance) -> _Made:
    """The right path with a way into a wrong corridor and back beside itself."""
    grid, maze = instance.maze.grid, instance.maze
    pair = _pick(instance, "detour", side_cells(instance, linked=True))
    if pair is None:
        return None
    corridor, came = [pair[1]], pair[0]
    while len(corridor) < _DEPTH:
        onwards = [cell for cell in grid.neighbours(corridor[-1]) if cell != came and maze.linked(cell, corridor[-1])]
        if not onwards:
            break
        came = corridor[-1]
        corridor.append(onwards[0])
    main = grid.route(instance.path)
    out = np.concatenate([np.array(way_out(instance, main, *pair)), grid.route(corridor)])
    free = FREE_WIDTH[maze.geometry] / 2 - (instance.style.wall_width_px + instance.style.path_width_px) / (
        2 * instance.style.cell_size_px
    )
    lines = (main, beside(out, 0.4 * free), beside(out, -0.4 * free))
    return lines, frozenset((*instance.path, *corridor))


def _shortcut(instance: MazeInstance) -> _Made:
    """From one cell of the right path through a wall to a later one; the cells between are left out."""
    pair = _pick(instance, "shortcut", adjoining(instance))
    if pair is None:
        return None
    path, grid = instance.path, instance.maze.grid
    first, second = path[: pair[0] + 1], path[pair[1] :]
    jump = np.array([grid.border(first[-1], second[0]).midpoint])
    line = np.concatenate([_to_centre(instance, first), jump, _to_centre(instance, second)])
    return (line,), frozenset(first + second)


def _shunt(instance: MazeInstance) -> _Made:
    """The whole right path, and a stroke through a wall between two of its cells."""
    pair = _pick(instance, "shunt", adjoining(instance))
    if pair is None:
        return None
    main = instance.maze.grid.route(instance.path)
    first, second = instance.path[pair[0]], instance.path[pair[1]]
    near, border = way_out(instance, main, first, second)
    far, _ = way_out(instance, main, second, first)
    return (main, np.array([near, border, far])), frozenset(instance.path)


MAZE_PLANS: dict[str, Callable[[MazeInstance], _Made]] = {
    "right": _right,
    "gap": _gap,
    "detour": _detour,
    "branch": _branch,
    "crossing": _crossing,
    "shortcut": _shortcut,
    "shunt": _shunt,
    "wrong-goal": _wrong_goal,
    "half": _half,
    "short": _short,
}
"""Plans by name; ``right`` alone is right."""


def _to_centre(instance: MazeInstance, cells: tuple[int, ...]) -> FloatArray:
    """The line through cells; of a single one its centre."""
    return instance.maze.grid.route(cells)


def ways_from(maze: Maze, start: int) -> dict[int, tuple[int, ...]]:
    """The cells on the way to every cell, both ends included."""
    ways: dict[int, tuple[int, ...]] = {start: (start,)}
    waiting = [start]
    while waiting:
        cell = waiting.pop()
        for other in maze.grid.neighbours(cell):
            if other not in ways and maze.linked(cell, other):
                ways[other] = (*ways[cell], other)
                waiting.append(other)
    return ways


def side_cells(instance: MazeInstance, *, linked: bool) -> list[tuple[int, int]]:
    """(cell of the path between its ends, wrong neighbour behind a passage or behind a wall)."""
    on_path = set(instance.path)
    return [
        (cell, other)
        for cell in instance.path[1:-1]
        for other in instance.maze.grid.neighbours(cell)
        if other not in on_path and instance.maze.linked(cell, other) == linked
    ]


def adjoining(instance: MazeInstance) -> list[tuple[int, int]]:
    """Places (i, j) on the path, neither at its ends, whose cells adjoin with a wall between them."""
    place = {cell: index for index, cell in enumerate(instance.path)}
    inner = range(1, len(instance.path) - 1)
    return [
        (index, place[other])
        for index in inner
        for other in instance.maze.grid.neighbours(instance.path[index])
        if place.get(other, -1) in inner and place[other] > index + 1
    ]


def way_out(instance: MazeInstance, main: FloatArray, cell: int, other: int) -> tuple[Point, Point]:
    """From the line's nearest point in a cell to the middle of its border with another."""
    border = np.array(instance.maze.grid.border(cell, other).midpoint)
    fine = resampled(main, 0.02)
    inside = fine[instance.maze.grid.cells_at(fine) == cell]
    nearest = inside[np.hypot(*(inside - border).T).argmin()]
    return (float(nearest[0]), float(nearest[1])), (float(border[0]), float(border[1]))
