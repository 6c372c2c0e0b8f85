"""Writes puzzles as folders in the layout of the AMAZE instances: pictures as PNG and one ``metadata.json``.

The same puzzle and style give the same bytes with one version of Pillow and zlib.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from puzzles.common.raster import Picture
from puzzles.maze.difficulty import path_difficulty
from puzzles.maze.geometry import Geometry
from puzzles.maze.maze import Maze, MazeAlgorithm, solve
from puzzles.maze.render import MazePictures, MazeStyle, render_maze
from puzzles.queens.board import QueensBoard
from puzzles.queens.render import QueensPictures, QueensStyle, render_queens

# The records name depth-first mazes like this; the name for breadth-first ones is ours, since no such record was at
# hand.
_PUBLIC_ALGORITHMS = {MazeAlgorithm.DEPTH_FIRST: "recursiveBacktrack", MazeAlgorithm.BREADTH_FIRST: "breadthFirst"}
_PUBLISHED_PATH_COLOR = "blue"
_UNUSED_SIZE = 10  # what the records hold where a geometry has no rings, or no width and height
_PNG_COMPRESSION = 6


def write_maze(folder: Path, maze: Maze, style: MazeStyle | None = None) -> MazePictures:
    """Write a maze's pictures and metadata into a folder, which is made if absent.

    The files are ``input.png``, ``original_nomarkers.png``, ``solution.png``, ``mask.png`` (white = path cells),
    ``cell_map.png`` and ``metadata.json``.

    Parameters
    ----------
    folder
        Where to write; files of these names are replaced.
    maze
        One that can be solved.
    style
        The published look where left out.

    Returns
    -------
    MazePictures
        What was written.

    Raises
    ------
    ValueError
        If no way leads from the start to the goal.
    OSError
        If the folder cannot be written.
    """
    style = style or MazeStyle()
    pictures = render_maze(maze, style)
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in (
        ("input", pictures.input),
        ("original_nomarkers", pictures.no_markers),
        ("solution", pictures.solution),
        ("cell_map", encode_ids(pictures.cell_map)),
    ):
        (folder / f"{name}.png").write_bytes(png_bytes(picture))
    (folder / "mask.png").write_bytes(png_bytes(pictures.mask))
    (folder / "metadata.json").write_text(maze_metadata(maze, style), encoding="utf-8")
    return pictures


def write_queens(folder: Path, board: QueensBoard, style: QueensStyle | None = None) -> QueensPictures:
    """Write a board's pictures and metadata into a folder, which is made if absent.

    The files are ``input.png``, ``solution.png``, ``cell_map.png`` and ``metadata.json``. OSError if the folder
    cannot be written.
    """
    style = style or QueensStyle()
    pictures = render_queens(board, style)
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in (
        ("input", pictures.input),
        ("solution", pictures.solution),
        ("cell_map", encode_ids(pictures.cell_map)),
    ):
        (folder / f"{name}.png").write_bytes(png_bytes(picture))
    (folder / "metadata.json").write_text(queens_metadata(board, style), encoding="utf-8")
    return pictures


def maze_metadata(maze: Maze, style: MazeStyle | None = None) -> str:
    """Return the metadata of a maze as JSON text, with the keys of the records.

    A path that is not blue adds ``path_color``, the name of its colour.
    """
    style = style or MazeStyle()
    path = solve(maze)
    circle = maze.geometry is Geometry.CIRCLE
    width, height = style.layout(maze).picture_size
    measures = path_difficulty(maze.grid, path)
    content: dict[str, object] = {
        "path_coordinates": [_coordinates(maze, cell) for cell in path],
        "path_cell_ids": list(path),
        "start_cell": _coordinates(maze, maze.start),
        "end_cell": _coordinates(maze, maze.goal),
        "maze_config": {
            "shape": maze.geometry.value,
            "width": _UNUSED_SIZE if circle else maze.width,
            "height": _UNUSED_SIZE if circle else maze.height,
            "layers": maze.rings if circle else _UNUSED_SIZE,
            "algorithm": "unknown" if maze.algorithm is None else _PUBLIC_ALGORITHMS[maze.algorithm],
            "seed": maze.seed,
        },
        "image_size": {
            "width": width,
            "height": height,
            "cell_size": style.cell_size_px,
            "wall_width": style.wall_width_px,
        },
        "difficulty": {
            "difficulty": measures.difficulty,
            "H_turn": measures.turn_entropy,
            "H_turn_norm": measures.turn_entropy_norm,
            "H_rate": measures.turn_rate,
            "H_rate_norm": measures.turn_rate_norm,
            "turns": list(measures.turns),
            "turnCounts": dict(Counter(measures.turns)),
            "steps": measures.steps,
            "baseAngleUsed": measures.base_angle_deg,
        },
    }
    if style.path_color_name != _PUBLISHED_PATH_COLOR:
        content["path_color"] = style.path_color_name
    return json.dumps(content, indent=2) + "\n"


def queens_metadata(board: QueensBoard, style: QueensStyle | None = None) -> str:
    """Return the metadata of a board as JSON text, with the keys of the records."""
    style = style or QueensStyle()
    content = {
        "n": board.n,
        "width": board.n * style.cell_size_px,
        "height": board.n * style.cell_size_px,
        "cell_size": style.cell_size_px,
        "queen_radius": style.queen_radius_px,
        "cell_id_rule": "left_to_right_then_top_to_bottom",
        "cell_id_formula": "cell_id = row * n + col",
        "queens": [list(queen) for queen in board.queens],
        "regions": [list(row) for row in board.regions],
    }
    return json.dumps(content, indent=1) + "\n"


def _coordinates(maze: Maze, cell: int) -> list[int]:
    """Return [x, y], or [ring, index] for circles."""
    row, column = maze.grid.row_column(cell)
    return [row, column] if maze.geometry is Geometry.CIRCLE else [column, row]


def encode_ids(cell_map: NDArray[np.int32]) -> Picture:
    """Return a cell map as a picture with id = R + 256 G + 65536 B.

    Parameters
    ----------
    cell_map
        Shape (H, W), int32, from 0 to 2**24 - 1.

    Returns
    -------
    ndarray
        Shape (H, W, 3), uint8, RGB.

    Raises
    ------
    ValueError
        If an id does not fit.
    """
    if cell_map.size and not (cell_map.min() >= 0 and cell_map.max() < 1 << 24):
        raise ValueError("a cell id is negative or does not fit 24 bits")
    return np.stack([cell_map >> shift & 0xFF for shift in (0, 8, 16)], axis=-1).astype(np.uint8)


def png_bytes(picture: NDArray[np.uint8] | NDArray[np.bool_]) -> bytes:
    """Return a picture as PNG: RGB from (H, W, 3) uint8, one bit from (H, W) bool."""
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "PNG", compress_level=_PNG_COMPRESSION)
    return stream.getvalue()
