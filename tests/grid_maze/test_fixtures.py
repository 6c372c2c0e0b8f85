"""Mazes of the public generator, which this project did not draw: truths, numbers of shortest paths, text grids.

They are in ../shared/fixtures/mazebench.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puzzles.grid_maze.maze import Tile, parse_lines, parse_steps
from puzzles.grid_maze.paths import WalkEnd, shortest_paths, walk
from puzzles.grid_maze.render import layout_of

pytestmark = pytest.mark.shared

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "mazebench"


def test_truths_agree():
    meta = json.loads((FOLDER / "meta.json").read_text(encoding="utf-8"))
    said = json.loads((FOLDER / "maze_annotations.json").read_text(encoding="utf-8"))
    assert len(meta) == 19
    for name, record in meta.items():
        maze = parse_lines(record["text_grid"])
        paths = shortest_paths(maze)
        assert (maze.rows, maze.cols) == (record["rows"], record["cols"]), name
        assert (list(maze.start), list(maze.goal)) == (record["start"], record["goal"]), name
        assert (maze.count(Tile.WALL), maze.count(Tile.TRAP)) == (record["walls"], record["traps_placed"]), name
        assert paths.length == record["shortest_path_length"], name
        assert paths.count == record["n_shortest_paths_true"], name
        assert (paths.length is not None) is said[name]["reachable"], name
        listed = said[name]["accepted_shortest_paths"]
        assert len(listed) == min(paths.count, 50), name
        for path in listed:
            assert (len(path), walk(maze, parse_steps(path)).end) == (paths.length, WalkEnd.AT_GOAL), name
        place = layout_of(maze.rows, maze.cols)
        assert (place.tile_px, list(place.origin_xy)) == (record["tile_px"], record["origin_xy"]), name
