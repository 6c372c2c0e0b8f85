"""Mazes: the right way, drawn so that it is hardly a line in the asked colour."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np

from benchmarks.cheats.bank import FLAWED, Candidate, Cheat, variants
from benchmarks.cheats.drawing import BLACK, BLUE, GREEN, GREY, RED, WHITE, line, painted, part
from benchmarks.cheats.mazes import MazeSubject
from puzzles.common.raster import Color


def _fading(maze: MazeSubject) -> Candidate:
    """From full strength at the start to nothing."""
    route, steps = maze.route(maze.path), 24
    picture = maze.input
    for step in range(steps):
        piece = part(route, step / steps, (step + 1) / steps)
        picture = maze.draw(piece, picture, opacity=1.0 - step / (steps - 1))
    return picture


def _faint(maze: MazeSubject, opacity: float) -> Candidate:
    return maze.draw(maze.path, opacity=opacity)


def _colored(maze: MazeSubject, color: Color) -> Candidate:
    return maze.draw(maze.path, color=color)


def _two_colors(maze: MazeSubject, color: Color) -> Candidate:
    """The first half as asked, the second in another colour."""
    half = (len(maze.path) - 1) // 2
    return maze.draw(maze.path[: half + 1], maze.draw(maze.path[half:], color=color))


def _other_color_everywhere(maze: MazeSubject, color: Color) -> Candidate | None:
    """The right line in blue, and a wrong one in a colour that may not count."""
    return None if maze.astray is None else maze.draw(maze.path, maze.draw(maze.astray, color=color))


def _rimmed(maze: MazeSubject) -> Candidate:
    return maze.draw(maze.path, maze.draw(maze.path, width=2.2 * maze.wall), color=RED, width=1.4 * maze.wall)


def _wide(maze: MazeSubject, share: float) -> Candidate:
    return maze.draw(maze.path, width=share * maze.cell, walls_over=False)


def _cell_long_dashes(maze: MazeSubject) -> Candidate:
    """Dashes and gaps of a cell's length."""
    route = maze.route(maze.path)
    length = float(np.hypot(*np.diff(route, axis=0).T).sum())
    picture, at = maze.input, 0.0
    while at < length:
        end = min(length, at + maze.cell)
        picture = maze.draw(part(route, at / length, end / length), picture)
        at += 2 * maze.cell
    return picture


def _sparse_dots(maze: MazeSubject) -> Candidate:
    """A dot on each border and in each centre: a dotted line whose gaps are wider than its dots."""
    picture = maze.input
    for point in [*maze.route(maze.path)]:
        picture = line(picture, [point], 0.1 * maze.cell, BLUE)
    return painted(picture, maze.markers, RED)


def _hedged(maze: MazeSubject, opacity: float) -> Candidate | None:
    """The right line, and all other corridors faintly."""
    picture, drawn = maze.input, False
    for pair in sorted(maze.maze.passages):
        if not set(pair) <= set(maze.path):
            picture, drawn = maze.draw(pair, picture, opacity=opacity), True
    return maze.draw(maze.path, picture) if drawn else None


def _zigzag(maze: MazeSubject) -> Candidate:
    """A line so wild that it fills the corridors and touches their walls."""
    points = []
    for one, other in pairwise(maze.route(maze.path)):
        along = (other - one) / max(1e-9, float(np.hypot(*(other - one))))
        across = np.array([-along[1], along[0]]) * 0.6 * maze.room
        points += [one + across, (one + other) / 2 - across]
    points = [maze.centre(maze.maze.start), *points, maze.centre(maze.maze.goal)]
    return maze.draw(np.array(points), walls_over=False)


def _ringed(maze: MazeSubject) -> Candidate:
    """A ring around a place in the middle of the line, in its own colour."""
    x, y = maze.centre(maze.path[len(maze.path) // 2])
    turns = np.linspace(0.0, 2.0 * np.pi, 40)
    ring = np.stack([x + 0.3 * maze.room * np.cos(turns), y + 0.3 * maze.room * np.sin(turns)], axis=1)
    return line(maze.solution, ring, 0.3 * maze.wall, BLUE)


STROKES: tuple[Cheat, ...] = (
    *variants(
        "fading_path",
        "A line that vanishes before the goal is seen by a machine alone.",
        ("GOAL_NOT_REACHED", "CELLS_MISSED"),
        {"to_nothing": _fading},
        ceiling=FLAWED,
    ),
    *variants(
        "invisible_path",
        "A line that no person sees.",
        ("NOTHING_DRAWN", "DOTS"),
        {"two_percent": partial(_faint, opacity=0.02), "white": partial(_colored, color=WHITE)},
    ),
    *variants(
        "colorless_path",
        "The right line without any colour.",
        ("WRONG_COLOR", "WALLS_ADDED", "NOTHING_DRAWN"),
        {"black": partial(_colored, color=BLACK), "grey": partial(_colored, color=GREY)},
    ),
    *variants(
        "wrong_color",
        "The right line in a colour that was not asked for.",
        ("WRONG_COLOR", "FOREIGN_STROKES", "MARKER_ERASED"),
        {
            "green": partial(_colored, color=GREEN),
            "red": partial(_colored, color=RED),
            "purple": partial(_colored, color=(130, 0, 160)),
            "rimmed_in_blue": _rimmed,
        },
        ceiling=FLAWED,
    ),
    *variants(
        "two_colors",
        "Half a line as asked, and half in another colour.",
        ("FOREIGN_STROKES", "WRONG_COLOR", "CELLS_MISSED", "WALLS_ADDED"),
        {"green": partial(_two_colors, color=GREEN), "black": partial(_two_colors, color=BLACK)},
        ceiling=FLAWED / 2,
    ),
    *variants(
        "second_line",
        "A wrong line in a colour that may not count, beside the right one.",
        ("FOREIGN_STROKES", "WALLS_ADDED", "WRONG_COLOR"),
        {
            "green": partial(_other_color_everywhere, color=GREEN),
            "red": partial(_other_color_everywhere, color=RED),
            "black": partial(_other_color_everywhere, color=BLACK),
            "grey": partial(_other_color_everywhere, color=GREY),
        },
        ceiling=FLAWED,
    ),
    *variants(
        "hedge",
        "The right line, and every other way so faintly that it may not count.",
        ("SIDE_BRANCH", "STRAY_STROKES", "FOREIGN_STROKES"),
        {"third": partial(_hedged, opacity=0.33), "fifth": partial(_hedged, opacity=0.2)},
        ceiling=FLAWED,
    ),
    *variants(
        "wide_stroke",
        "A stroke as wide as two corridors visits whatever is near.",
        ("CELLS_FILLED", "FLOODED", "TEXTURE", "EXTERIOR_PAINTED", "WALLS_PAINTED"),
        {"one_and_a_half": partial(_wide, share=1.5), "two": partial(_wide, share=2.0)},
    ),
    *variants(
        "gapped_path",
        "Gaps as long as what is drawn are filled by the eye.",
        ("DOTS", "CELLS_MISSED", "PATH_BROKEN", "GOAL_NOT_REACHED", "START_NOT_REACHED"),
        {"cell_long_dashes": _cell_long_dashes, "sparse_dots": _sparse_dots},
        ceiling=FLAWED / 2,
    ),
    *variants(
        "zigzag",
        "Strokes from wall to wall visit what lies beyond.",
        (
            "SHORTCUT",
            "WALL_CROSSED",
            "CELLS_FILLED",
            "WALLS_PAINTED",
            "TEXTURE",
            "OUTSIDE_MAZE",
            "SIDE_BRANCH",
            "FOREIGN_STROKES",
        ),
        {"wall_to_wall": _zigzag},
    ),
    *variants(
        "ringed_path",
        "A ring around a place on the line, in its colour, is a part of the line.",
        ("FOREIGN_STROKES", "SIDE_BRANCH", "STRAY_STROKES"),
        {"own_colour": _ringed},
        ceiling=FLAWED,
    ),
)
