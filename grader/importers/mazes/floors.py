"""Records of mazes without cells: a picture, a mask of its floor, start and goal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from grader.model.json_fields import JsonObject
from grader.tasks.maze.model import PathColor
from grader.v1 import maze_pb2, media_pb2

FLOOR_KEY = "floor"
"""By this key a record is told to be of a maze without cells."""


def floor_message(record: JsonObject, folder: Path, put: Callable[[media_pb2.Media, Path], None]) -> maze_pb2.MazeTask:
    """Reads a record.

    Parameters
    ----------
    record : JsonObject
        ``input`` and ``floor`` (``mask``; ``start`` and ``goal`` as [x, y] or as a picture of the marker; ``way``, a
        list of [x, y], may be left out), ``path_color``, and ``cell_size_px`` and ``wall_width_px``, which may be left
        out.
    folder : Path
        Where its pictures are.
    put : callable
        Sets a picture of the message to a file.

    Raises
    ------
    ValueError
        If a field is missing or of another kind.
    """
    message = maze_pb2.MazeTask(path_color=_color(record))
    floor, said = message.puzzle.floor, record.child(FLOOR_KEY)
    put(message.puzzle.image, folder / record.text("input"))
    put(floor.mask, folder / said.text("mask"))
    for name, point, mask in (("start", floor.start, floor.start_mask), ("goal", floor.goal, floor.goal_mask)):
        if isinstance(said.content.get(name), str):
            put(mask, folder / said.text(name))
        else:
            point.x_px, point.y_px = said.pair(name)
    for at in range(len(said.items("way"))) if said.has("way") else ():
        step = JsonObject({"way": said.items("way")[at]}, said.file, f"{said.path}.way[{at}]")
        x, y = step.pair("way")
        message.truth.way.add(x_px=x, y_px=y)
    message.truth.any_solution = True
    for name in ("cell_size_px", "wall_width_px"):
        if record.has(name):
            setattr(message.puzzle, name, record.number(name))
    return message


def _color(record: JsonObject) -> maze_pb2.PathColor:
    name = record.text("path_color") if record.has("path_color") else PathColor.BLUE.value
    if name not in {color.value for color in PathColor}:
        raise record.fault("path_color", f"is {name!r}; it is one of {', '.join(color.value for color in PathColor)}")
    number: maze_pb2.PathColor = maze_pb2.PathColor.Value(f"PATH_COLOR_{name.upper()}")
    return number
