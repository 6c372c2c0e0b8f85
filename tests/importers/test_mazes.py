"""Mazes in the layouts of VR-Bench and DiffThinker, from their pictures to verdicts."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

import grader
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.missing import MissingAnswers
from grader.importers.mazes.importer import import_mazes
from puzzles.grid_maze.maze import parse_lines
from puzzles.grid_maze.palettes import PALETTES
from puzzles.grid_maze.sprites import sprite

TILE = 40
ROWS = ("#####", "#S..#", "##.##", "#..G#", "#####")
WAY = ((1, 1), (1, 2), (2, 2), (3, 2), (3, 3))
SIDE, WALL = 4, 20
"""Cells of a maze with walls, and how wide they are: a quarter of a cell's length."""
LINKS = ("01", "12", "23", "37", "7b", "bf", "04", "45", "56", "6a", "a9", "98", "8c", "cd", "de")
"""Cells in hexadecimal digits, row by row, without a wall between them."""


def bits_of(cell: int) -> int:
    """The walls of a cell as bits: 1 north, 2 south, 4 west, 8 east."""
    beside = {other for link in LINKS for one, other in (link, link[::-1]) if int(one, 16) == cell}
    near = ((1, -SIDE), (2, SIDE), (4, -1), (8, 1))
    return sum(bit for bit, step in near if f"{cell + step:x}" not in beside)


BITS = tuple(tuple(bits_of(row * SIDE + column) for column in range(SIDE)) for row in range(SIDE))


def tiles(rows: tuple[str, ...], palette: str = "dungeon") -> np.ndarray:
    kinds = parse_lines(rows).tiles
    drawn = [[sprite(kind, PALETTES[palette], 0) for kind in row] for row in kinds]
    small = np.vstack([np.hstack(row) for row in drawn])
    return cv2.resize(small, (len(rows[0]) * TILE, len(rows) * TILE), interpolation=cv2.INTER_NEAREST)


def stroke(picture: np.ndarray, spots: tuple[tuple[int, int], ...], cell: int, width: int) -> np.ndarray:
    points = np.array([[round((column + 0.5) * cell), round((row + 0.5) * cell)] for row, column in spots])
    return cv2.polylines(picture.copy(), [points], False, (255, 0, 0), width)


def save(path: Path, picture: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), picture[..., ::-1])


def vr_bench(folder: Path) -> None:
    numbers = {".": 0, "#": 1, "S": 2, "G": 3}
    grid = {"data": [[numbers[sign] for sign in row] for row in ROWS], "height": 5, "width": 5}
    for name, game in (("easy_1", "maze"), ("easy_2", "maze"), ("hard_1", "sokoban")):
        path = folder / "1" / "states" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"version": "1.0", "game_type": game, "grid": grid, "render": {}}))
        save(folder / "1" / "images" / f"{name}.png", tiles(ROWS))


def walled() -> np.ndarray:
    """White cells with black walls between, of which the picture's edges cut the outer ones; pale lines, two discs."""
    cell, half = 4 * WALL, WALL // 2
    picture = np.zeros((SIDE * cell, SIDE * cell, 3), np.uint8)
    for row in range(SIDE):
        for column in range(SIDE):
            top, left = row * cell + half, column * cell + half
            down = cell if not BITS[row][column] & 2 else cell - WALL
            right = cell if not BITS[row][column] & 8 else cell - WALL
            picture[top : top + cell - WALL, left : left + right] = 255
            picture[top : top + down, left : left + cell - WALL] = 255
    for (row, column), color in (((0, 0), (255, 255, 0)), ((3, 3), (0, 0, 255))):
        cv2.circle(picture, (column * cell + cell // 2, row * cell + cell // 2), 14, color, -1, cv2.LINE_AA)
    return picture


def diffthinker(folder: Path) -> None:
    save(folder / "4_1_001.png", walled())
    lines = [str(SIDE), "0 0", "3 3", *(" ".join(map(str, row)) for row in BITS)]
    (folder / "4_1_001.txt").write_text("\n".join(lines) + "\n")
    (folder / "path.json").write_text('{"4_1_001": "RRRDDD"}')


def lake(folder: Path) -> None:
    signs = {"#": "#", ".": "_", "S": "@", "G": "*"}
    lines = ["| | " + " | ".join(f"Col {at + 1}" for at in range(5)) + " |"]
    lines += [f"| Row {at + 1} | " + " | ".join(signs[one] for one in row) + " |" for at, row in enumerate(ROWS)]
    (folder / "table").mkdir(parents=True)
    (folder / "table" / "5_1_0.8_001.txt").write_text("\n".join(lines))
    save(folder / "5_1_0.8_001.png", tiles(tuple(row.replace("#", "T") for row in ROWS)))


def test_mazes_of_vr_bench(tmp_path: Path) -> None:
    vr_bench(tmp_path / "data")
    save(tmp_path / "out" / "easy_1.png", stroke(tiles(ROWS), WAY, TILE, 6))
    made = import_mazes(tmp_path / "data", tmp_path / "out", tmp_path / "m.jsonl", model="mine", progress=False)
    assert (made.requests, made.instances, made.missing_answers) == (2, 2, ("1/easy_2/missing",))
    first, second = grader.load_manifest(tmp_path / "m.jsonl").requests()
    assert (first.request_id, first.puzzle_id, dict(first.tags)) == (
        "mine/1/easy_1/easy_1.png",
        "1/easy_1",
        {"level": "easy", "game": "maze"},
    )
    assert list(first.maze.puzzle.grid.rows) == ["#####", "#S..#", "##.##", "#..G#", "#####"]
    assert second.tags["missing"] == "true"
    # Models are asked for clips there, so no colour is asked for: blue where one is drawn.
    assert "WRONG_COLOR" in verdicts(tmp_path / "m.jsonl")[0].codes


def test_mazes_and_frozen_lakes_of_diffthinker(tmp_path: Path) -> None:
    diffthinker(tmp_path / "data" / "Maze")
    lake(tmp_path / "data" / "FrozenLake")
    way = ((0, 0), (0, 1), (0, 2), (0, 3), (1, 3), (2, 3), (3, 3))
    save(tmp_path / "out" / "4_1_001.png", stroke(walled(), way, 4 * WALL, WALL))
    save(
        tmp_path / "out" / "5_1_0.8_001.png", stroke(tiles(tuple(row.replace("#", "T") for row in ROWS)), WAY, TILE, 10)
    )
    import_mazes(tmp_path / "data", tmp_path / "out", tmp_path / "m.jsonl", progress=False)
    assert [one.codes for one in verdicts(tmp_path / "m.jsonl")] == [(), ()]


def verdicts(manifest: Path) -> list[grader.Verdict]:
    engine = grader.Engine()
    return [engine.grade(job) for job in grader.load_manifest(manifest).jobs()]


def test_outputs_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    diffthinker(tmp_path / "data" / "a")
    diffthinker(tmp_path / "data" / "b")
    save(tmp_path / "out" / "b" / "4_1_001.png", walled())
    save(tmp_path / "out" / "4_1_001.png", walled())
    made = import_mazes(
        tmp_path / "data", tmp_path / "out", tmp_path / "m.jsonl", missing=MissingAnswers.LEAVE_OUT, progress=False
    )
    assert [one.puzzle_id for one in grader.load_manifest(tmp_path / "m.jsonl").requests()] == ["b/4_1_001"]
    assert made.unmatched_outputs == (Path("4_1_001.png"),)


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("states/easy_1.json", '{"game_type": "chess", "grid": {"data": []}}', "maze and trapfield are graded"),
        ("states/easy_1.json", '{"game_type": "maze", "grid": {"data": [[7]]}}', "must be rows of 0"),
        ("states/easy_1.json", '{"game_type": "maze", "grid": {"data": [[2, 3]]}}', "is missing"),
        ("table/a.txt", "| Row 1 | @ | x |", "is no row of signs"),
        ("nothing.txt", "", "holds no mazes"),
    ],
)
def test_what_is_broken_is_named(tmp_path: Path, file: str, text: str, said: str) -> None:
    path = tmp_path / "data" / file
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(ImportFormatError, match=said):
        import_mazes(tmp_path / "data", tmp_path, tmp_path / "m.jsonl", progress=False)
