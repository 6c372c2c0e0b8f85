"""Mazes of the public generator, which this project did not draw: truths, numbers of shortest paths, answers.

They are in ../shared/fixtures/mazebench.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

import grader
from grader.answers.structures.grid_mazes import MazeAnswer
from grader.answers.tasks import read_grid_maze
from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind
from grader.tasks.grid_maze.model import GridMazeInput
from grader.tasks.grid_maze.puzzle import prepare_grid_maze
from grader.tasks.grid_maze.settings import GridMazeSettings
from grader.tasks.grid_maze.words import judge_maze_words, mark_answer
from puzzles.grid_maze.maze import Tile, parse_lines, parse_steps
from puzzles.grid_maze.paths import WalkEnd, shortest_paths, walk
from puzzles.grid_maze.render import layout_of
from tests.grid_maze.answers import NO_PATH, RIGHT

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


def all_shortest(lines):
    """Every shortest path of a grid, by trying words of growing length: independent of the project's search."""
    tiles = {(row, col): sign for row, line in enumerate(lines) for col, sign in enumerate(line)}
    (start,) = (spot for spot, sign in tiles.items() if sign == "S")
    words, seen = {start: [""]}, {start}
    while words and not any(tiles[spot] == "G" for spot in words):
        longer = {}
        for (row, col), ways in words.items():
            for letter, spot in zip(
                "UDLR", ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)), strict=True
            ):
                if tiles.get(spot, "#") in "SG." and spot not in seen:
                    longer.setdefault(spot, []).extend(way + letter for way in ways)
        words = longer
        seen |= set(words)
    return {way for spot, ways in words.items() if tiles[spot] == "G" for way in ways}


def answer(record, path):
    size = [record["rows"], record["cols"]]
    if path is None:
        return json.dumps(NO_PATH | {"grid_size": size})
    return json.dumps(RIGHT | {"grid_size": size, "shortest_path_length": len(path), "path": list(path)})


def test_every_shortest_path_passes_and_one_with_another_letter_fails_or_is_one_too():
    meta = json.loads((FOLDER / "meta.json").read_text(encoding="utf-8"))
    said = json.loads((FOLDER / "maze_annotations.json").read_text(encoding="utf-8"))
    settings, changed = GridMazeSettings(), 0
    for name, record in meta.items():
        listed = said[name]["accepted_shortest_paths"]
        task = GridMazeInput(tuple(record["text_grid"]), record["reachable"], tuple(listed))
        puzzle = prepare_grid_maze(task, settings, MediaLimits(), CandidateKind.TEXT)
        paths = all_shortest(record["text_grid"])
        assert len(paths) == record["n_shortest_paths_true"], name
        assert set(listed) <= paths, name
        for path in sorted(paths) or [None]:
            judged = judge_maze_words(puzzle, answer(record, path), settings)
            found = {metric.name: metric.value for metric in judged.metrics}
            assert (judged.score, judged.reward, judged.reasons) == (1.0, 1.0, ()), (name, path)
            assert found["parse_strict"] == 1.0, (name, path)
            assert found["upstream_list_match"] == float(path is None or path in listed), (name, path)
        read = read_grid_maze(answer(record, min(paths, default=None))).lenient
        for path in paths:
            for place, letter in ((place, letter) for place in range(len(path)) for letter in "UDLR"):
                other = path[:place] + letter + path[place + 1 :]
                marks = mark_answer(puzzle, _with(read, MazeAnswer(True, other, len(other))))
                assert marks.solved is (other in paths), (name, other)
                assert (marks.reasons == ()) is marks.solved, (name, other)
                changed += other != path
    assert changed > 5000


def _with(read, answered):
    return type(read)((answered,), read.extraction, ())


@pytest.mark.parametrize("name", ["gen_maze_009"])
def test_the_public_pixel_art_is_read_and_drawn_on(name):
    """Swords and letters beside the player; a maze that can't be solved, whose picture as it is says so."""
    rows = json.loads((FOLDER / "meta.json").read_text(encoding="utf-8"))[name]["text_grid"]
    maze = parse_lines(rows)
    given = grader.grid_maze(rows, image=FOLDER / f"{name}.png", path_color="magenta")
    path = next(iter(shortest_paths(maze).paths()), None)
    if path is None:
        assert grader.grade(given, FOLDER / f"{name}.png").codes == ()
        return
    place = layout_of(maze.rows, maze.cols)
    spots = walk(maze, path).spots
    points = [
        [round(place.origin_xy[axis] + (spot[1 - axis] + 0.5) * place.tile_px) for axis in (0, 1)] for spot in spots
    ]
    drawn = cv2.imread(str(FOLDER / f"{name}.png"))[..., ::-1].copy()
    cv2.polylines(drawn, [np.array(points)], False, (235, 30, 220), 14, cv2.LINE_AA)
    assert grader.grade(given, drawn).codes == ()
