"""Grid mazes as messages of the contract."""

from __future__ import annotations

from grader.tasks.grid_maze.model import GridMazeInput
from grader.v1 import grid_maze_pb2
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire


def _read(task: grid_maze_pb2.GridMazeTask, _reader: RequestReader) -> GridMazeInput:
    truth = task.truth
    reachable = truth.reachable if truth.HasField("reachable") else None
    return GridMazeInput(tuple(task.puzzle.rows), reachable, tuple(truth.accepted_shortest_paths))


WIRE = TaskWire(_read)
