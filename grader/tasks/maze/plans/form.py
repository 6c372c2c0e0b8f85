"""A maze that is declared as a grid: signs of its cells, and walls between them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from grader.tasks.common.inputs import Inputs
from grader.tasks.maze.model import MazeGeometry, MazeGridInput, MazeInput
from grader.tasks.maze.ways import Passage, way_round
from puzzles.maze.geometry import Geometry
from puzzles.maze.grids import make_grid

START, GOAL, FLOOR, WALL, TRAP = "SG.#T"
_FIELD = "maze.puzzle.grid"


def with_grid(task: MazeInput, inputs: Inputs) -> MazeInput:
    """A maze with what its grid says of it: geometry, counts, and the way where that is not given."""
    grid = task.grid
    if grid is None:
        return task
    rows = tuple(row.replace(" ", "").upper() for row in grid.rows)
    if not _sound(rows, task, inputs):
        return task
    height, width = len(rows), len(rows[0])
    cells = make_grid(Geometry.SQUARE, width=width, height=height)
    known = set(cells.cell_ids)
    walls = tuple((min(pair), max(pair)) for pair in grid.walls)
    for first, second in walls:
        if first not in known or second not in known or second not in cells.neighbours(first):
            text = f"there can't be a wall between the cells {first} and {second}, which do not adjoin"
            inputs.fault(f"{_FIELD}.walls", "MISMATCH", text)
            return task
    cleaned = MazeGridInput(rows, walls)
    start, goal = ("".join(rows).index(sign) + 1 for sign in (START, GOAL))
    ends = (start, goal)
    passages = passages_of(cleaned)
    given = task.path_cell_ids
    way = given or _shortest(passages, *ends)
    if way is None and task.without_way:
        way = ends
    if way is None:
        inputs.fault(f"{_FIELD}.rows", "MISMATCH", "no way leads from S to G")
        return task
    if (way[0], way[-1]) != ends:
        text = f"it leads from cell {way[0]} to {way[-1]}, and the grid has S in cell {ends[0]} and G in cell {ends[1]}"
        inputs.fault("maze.truth.path_cell_ids", "MISMATCH", text)
        return task
    aside = None if given or task.without_way else way_round(passages, way)
    if aside is not None and not task.any_solution:
        text = (
            f"the grid has another way from S to G, by way of cell {aside}; set maze.truth.any_solution if any is right"
        )
        inputs.fault("maze.truth.path_cell_ids", "NOT_UNIQUE", text)
    return replace(
        task,
        geometry=MazeGeometry.SQUARE,
        grid=cleaned,
        path_cell_ids=way,
        width_cells=width,
        height_cells=height,
    )


def blocked_cells(grid: MazeGridInput) -> frozenset[int]:
    """The ids of cells that nobody may enter: walls and traps."""
    return frozenset(at + 1 for at, sign in enumerate("".join(grid.rows)) if sign in (WALL, TRAP))


def passages_of(grid: MazeGridInput) -> frozenset[Passage]:
    """The pairs of cells, lower id first, between which there is no wall, and both of which may be entered."""
    return frozenset(_passages(grid))


def _passages(grid: MazeGridInput) -> Iterator[Passage]:
    width, blocked, walls = len(grid.rows[0]), blocked_cells(grid), set(grid.walls)
    for cell in range(1, width * len(grid.rows) + 1):
        beside = [cell + 1] if cell % width else []
        for other in (*beside, cell + width):
            if other <= width * len(grid.rows) and not {cell, other} & blocked and (cell, other) not in walls:
                yield cell, other


def _sound(rows: tuple[str, ...], task: MazeInput, inputs: Inputs) -> bool:
    """Whether rows are a grid with a start and a goal, and fit the counts that are given beside them."""
    field = f"{_FIELD}.rows"
    if task.geometry not in (None, MazeGeometry.SQUARE):
        inputs.fault("maze.puzzle.geometry", "MISMATCH", "a grid has square cells")
        return False
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        inputs.fault(field, "MISMATCH", f"rows are equally long; these have {[len(row) for row in rows]} signs")
        return False
    strange = sorted(set("".join(rows)) - set(START + GOAL + FLOOR + WALL + TRAP))
    if strange:
        inputs.fault(field, "MISMATCH", f"{strange[0]!r} is no sign of a cell; these are S, G, ., # and T")
        return False
    for sign, name in ((START, "start"), (GOAL, "goal")):
        count = "".join(rows).count(sign)
        if count != 1:
            inputs.fault(field, "MISMATCH", f"it has {count} cells {sign}; a maze has one {name}")
            return False
    for name, given, own in (
        ("width_cells", task.width_cells, len(rows[0])),
        ("height_cells", task.height_cells, len(rows)),
    ):
        if given not in (0, own):
            inputs.fault(f"maze.puzzle.{name}", "MISMATCH", f"it is {given}, and the grid has {own}")
            return False
    return True


def _shortest(passages: frozenset[Passage], start: int, goal: int) -> tuple[int, ...] | None:
    """A shortest way, always the same one; None where none leads there."""
    beyond: dict[int, list[int]] = {}
    for first, second in sorted(passages):
        beyond.setdefault(first, []).append(second)
        beyond.setdefault(second, []).append(first)
    before = {start: start}
    ahead = deque([start])
    while ahead and goal not in before:
        cell = ahead.popleft()
        for other in beyond.get(cell, []):
            if other not in before:
                before[other] = cell
                ahead.append(other)
    if goal not in before:
        return None
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    return tuple(reversed(way))
