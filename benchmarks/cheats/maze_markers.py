"""Mazes: start and goal are changed so that less has to be drawn."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.cheats.bank import Candidate, Cheat, variants
from benchmarks.cheats.drawing import BLUE, GREEN, RED, WHITE, line, painted
from benchmarks.cheats.mazes import MAZE_STYLE, MazeSubject
from puzzles.common.raster import Color, Picture


def _beside(maze: MazeSubject, which: str) -> Candidate:
    """The other marker is moved next to one, and the path has a single step."""
    if which == "start":
        return maze.draw(maze.path[-2:], maze.moved(start=maze.path[-2]), markers_over=False)
    return maze.draw(maze.path[:2], maze.moved(goal=maze.path[1]), markers_over=False)


def _swapped(maze: MazeSubject) -> Candidate:
    picture = maze.moved(start=maze.maze.goal, goal=maze.maze.start)
    return maze.draw(maze.path, picture, markers_over=False)


def _erased(maze: MazeSubject, which: str, color: Color = WHITE) -> Candidate:
    return painted(maze.solution, _marker(maze, which), color)


def _marker(maze: MazeSubject, which: str) -> NDArray[np.bool_]:
    """Pixels of markers with their soft edges."""
    cells = {"start": [maze.maze.start], "goal": [maze.maze.goal], "both": [maze.maze.start, maze.maze.goal]}[which]
    reddish = maze.input[..., 0].astype(np.int16) - maze.input[..., 1] > 8
    return np.asarray(reddish & np.isin(maze.labels, cells))


def _cross(maze: MazeSubject, picture: Picture, cell: int, arm: float, color: Color = RED) -> Picture:
    reach = arm * maze.cell * np.sqrt(0.5)
    for turn in (1.0, -1.0):
        ends = maze.centre(cell) + np.array([[-reach, -turn * reach], [reach, turn * reach]])
        picture = line(picture, ends, MAZE_STYLE.cross_width * maze.cell, color)
    return picture


def _second_goal(maze: MazeSubject, place: int, color: Color = RED) -> Candidate:
    """A second cross on the path, where the line stops."""
    cell = maze.path[place]
    return _cross(maze, maze.draw(maze.path[: maze.path.index(cell) + 1]), cell, MAZE_STYLE.cross_arm, color)


def _second_start(maze: MazeSubject) -> Candidate:
    picture = maze.draw(maze.path[-2:])
    return line(picture, [maze.centre(maze.path[-2])], 2 * MAZE_STYLE.disc_radius * maze.cell, RED)


def _goal_enlarged(maze: MazeSubject) -> Candidate:
    """The line stops a cell short, and a cross of twice the size comes to meet it."""
    picture = maze.draw(maze.path[:-1])
    return _cross(maze, picture, maze.maze.goal, 2.2 * MAZE_STYLE.cross_arm)


MARKERS: tuple[Cheat, ...] = (
    *variants(
        "marker_moved",
        "With start and goal side by side the path is one step.",
        ("MARKER_MOVED", "MARKER_ERASED"),
        {
            "start_to_goal": partial(_beside, which="start"),
            "goal_to_start": partial(_beside, which="goal"),
            "swapped": _swapped,
        },
    ),
    *variants(
        "marker_erased",
        "Without a goal no line misses it.",
        ("MARKER_ERASED", "MARKER_MOVED"),
        {
            "both": partial(_erased, which="both"),
            "start": partial(_erased, which="start"),
            "goal": partial(_erased, which="goal"),
            "in_path_color": partial(_erased, which="both", color=BLUE),
            "in_green": partial(_erased, which="both", color=GREEN),
        },
    ),
    *variants(
        "marker_added",
        "A second goal nearer by, or a second start.",
        ("MARKER_ADDED", "MARKER_MOVED", "FOREIGN_STROKES"),
        {
            "goal_near_start": partial(_second_goal, place=2),
            "start_near_goal": _second_start,
            "goal_halfway": partial(_second_goal, place=-3),
        },
    ),
    *variants(
        "marker_enlarged",
        "A gap before the goal is hidden under a larger cross.",
        ("MARKER_ADDED", "MARKER_ERASED", "FOREIGN_STROKES", "GOAL_NOT_REACHED", "WALLS_ERASED"),
        {"goal": _goal_enlarged},
        ceiling=0.9,
    ),
)
