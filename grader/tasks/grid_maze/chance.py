"""How often an answer that looks at nothing solves a grid maze."""

from __future__ import annotations

from grader.model.errors import FieldViolation, InvalidRequestError
from grader.tasks.common.chance import ChanceLevel, PlanChance, Walk
from grader.tasks.grid_maze.model import GridMazeInput
from puzzles.grid_maze.maze import STEPS, parse_lines
from puzzles.grid_maze.paths import shortest_paths

GUESS = Walk(
    "guess",
    "chance (a guess)",
    "Reachable or not, each as likely; and if so random steps, as many as a shortest path has.",
)
NEVER = Walk("unreachable", "always unreachable", "Every maze is said to have no path.")


def _levels(task: GridMazeInput) -> tuple[ChanceLevel, ...]:
    try:
        paths = shortest_paths(parse_lines(task.rows))
    except ValueError as error:
        raise InvalidRequestError(FieldViolation("grid_maze.puzzle.rows", "OUT_OF_RANGE", str(error))) from error
    if paths.length is None:
        return ChanceLevel(GUESS, 0.5, True), ChanceLevel(NEVER, 1.0, True)
    # Whole numbers, which may be larger than any float, until they are divided.
    return ChanceLevel(GUESS, paths.count / (2 * len(STEPS) ** paths.length), True), ChanceLevel(NEVER, 0.0, True)


CHANCE = PlanChance((GUESS, NEVER), _levels)
"""The chance levels of a grid maze."""
