"""A row of discs is a line where they are alike, close, and nearly all that is drawn."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from detectors.maze.plan.walls import FloorplanConfig, read_floorplan
from detectors.maze.strokes.config import DotConfig
from detectors.maze.strokes.dots import along_dots, is_dotted
from detectors.maze.strokes.segments import StrokeGraph, trace_strokes
from tests.maze.stages.plans import CELL, WALL, drawn_maze, middle

WAYS = {(1, 2), (2, 3), (3, 6), (5, 6), (4, 5)}
PICTURE, LABELS = drawn_maze(2, 3, WAYS, {})
PLAN = read_floorplan(PICTURE, (LABELS,), CELL, WALL, 1, FloorplanConfig())
CONFIG = DotConfig()
X, Y = middle(1, 3)


def dots(step: float, count: int = 6, radius: int = 4, radii: dict[int, int] | None = None) -> np.ndarray:
    """Discs of 9 pixels in a row, so many pixels from one middle to the next."""
    mask = np.zeros((120, 400), np.uint8)
    for place in range(count):
        cv2.circle(mask, (20 + round(place * step), 40), (radii or {}).get(place, radius), 1, -1)
    return mask > 0


def dotted(mask: np.ndarray, config: DotConfig = CONFIG) -> bool:
    return is_dotted(trace_strokes(mask), config)


def test_discs_are_a_line_up_to_gaps_of_three_quarters_of_their_width():
    """Half-widths of 4.2 pixels as they are measured: middles up to 2 x 1.75 x 4.2 = 14.7 apart."""
    assert dotted(dots(14))
    assert not dotted(dots(16))
    assert not dotted(dots(13, count=CONFIG.many - 1))


def test_discs_of_different_sizes_are_crumbs():
    assert not dotted(dots(13, radii={0: 2, 2: 2, 4: 2}))


def test_a_line_with_some_dots_beside_it_is_none():
    """Six discs of 9 pixels are 54 long; a stroke of 60 is more than three quarters of that."""
    mask = dots(13)
    for length, found in ((30, True), (70, False)):
        drawn = mask.view(np.uint8).copy()
        cv2.line(drawn, (20, 80), (20 + length, 80), 1, 9)
        assert dotted(drawn > 0, replace(CONFIG, share=0.6)) is found


def test_dots_are_joined_one_after_the_other():
    """Each by the shortest way: five edges for six dots, and none over a wall."""
    row = np.array([[Y, X - 10 + 5 * place] for place in range(6)], np.intp)
    graph = StrokeGraph(row, np.zeros((0, 2), np.intp), np.full(6, 1.5, np.float32))
    joined = along_dots(graph, PLAN, CONFIG)
    assert sorted(map(sorted, joined.tolist())) == [[place, place + 1] for place in range(5)]
    # From the middle of cell 1 down to that of cell 4 there is a wall.
    column = np.array([[Y + 4 + 8 * place, X] for place in range(4)], np.intp)
    graph = StrokeGraph(column, np.zeros((0, 2), np.intp), np.full(4, 2.0, np.float32))
    assert sorted(map(sorted, along_dots(graph, PLAN, CONFIG).tolist())) == [[0, 1], [2, 3]]
    assert len(along_dots(StrokeGraph(column[:1], graph.edges, graph.half_widths[:1]), PLAN, CONFIG)) == 0
