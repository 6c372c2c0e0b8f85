"""Grid mazes as messages of the contract."""

from __future__ import annotations

from grader.tasks.grid_maze.model import GridMazeInput
from grader.tasks.maze.model import MazeBox
from grader.tasks.maze.wire import read_path_color
from grader.v1 import grid_maze_pb2
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire


def _read(task: grid_maze_pb2.GridMazeTask, reader: RequestReader) -> GridMazeInput:
    truth = task.truth
    reachable = truth.reachable if truth.HasField("reachable") else None
    puzzle = task.puzzle
    box = puzzle.box
    return GridMazeInput(
        tuple(puzzle.rows),
        reachable,
        tuple(truth.accepted_shortest_paths),
        image=reader.media(puzzle, "image", "grid_maze.puzzle.image"),
        box=MazeBox(box.left_px, box.top_px, box.width_px, box.height_px) if puzzle.HasField("box") else None,
        path_color=read_path_color(task.path_color, "grid_maze.path_color", reader),
    )


WIRE = TaskWire(_read)
