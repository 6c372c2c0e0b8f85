"""Mazes as messages of the contract."""

from __future__ import annotations

from grader.tasks.maze.model import (
    MazeBox,
    MazeFloorInput,
    MazeGeometry,
    MazeGridInput,
    MazeInput,
    MazeRolloutObservation,
    PathColor,
    PathObservation,
    WallCrossing,
)
from grader.v1 import maze_pb2, verdict_pb2
from grader.wire.places import cell_to_proto, event_to_proto, point_to_proto
from grader.wire.reader import RequestReader
from grader.wire.tasks import TaskWire

_GEOMETRIES = {
    maze_pb2.MAZE_GEOMETRY_SQUARE: MazeGeometry.SQUARE,
    maze_pb2.MAZE_GEOMETRY_HEXAGON: MazeGeometry.HEXAGON,
    maze_pb2.MAZE_GEOMETRY_TRIANGLE: MazeGeometry.TRIANGLE,
    maze_pb2.MAZE_GEOMETRY_CIRCLE: MazeGeometry.CIRCLE,
}
_COLORS = {
    maze_pb2.PATH_COLOR_UNSPECIFIED: PathColor.BLUE,
    maze_pb2.PATH_COLOR_BLUE: PathColor.BLUE,
    maze_pb2.PATH_COLOR_GREEN: PathColor.GREEN,
    maze_pb2.PATH_COLOR_RED: PathColor.RED,
    maze_pb2.PATH_COLOR_ORANGE: PathColor.ORANGE,
    maze_pb2.PATH_COLOR_MAGENTA: PathColor.MAGENTA,
    maze_pb2.PATH_COLOR_BLACK: PathColor.BLACK,
    maze_pb2.PATH_COLOR_WHITE: PathColor.WHITE,
    maze_pb2.PATH_COLOR_YELLOW: PathColor.YELLOW,
    maze_pb2.PATH_COLOR_CYAN: PathColor.CYAN,
    maze_pb2.PATH_COLOR_PURPLE: PathColor.PURPLE,
}


def _read(task: maze_pb2.MazeTask, reader: RequestReader) -> MazeInput:
    puzzle, truth = task.puzzle, task.truth
    return MazeInput(
        image=reader.media(puzzle, "image", "maze.puzzle.image"),
        cell_map=reader.media(puzzle, "cell_map", "maze.puzzle.cell_map"),
        geometry=_GEOMETRIES.get(puzzle.geometry),
        width_cells=puzzle.width_cells,
        height_cells=puzzle.height_cells,
        rings=puzzle.rings,
        cell_size_px=puzzle.cell_size_px,
        wall_width_px=puzzle.wall_width_px,
        path_cell_ids=tuple(truth.path_cell_ids),
        solution_image=reader.media(truth, "solution_image", "maze.truth.solution_image"),
        mask=reader.media(truth, "mask", "maze.truth.mask"),
        path_color=read_path_color(task.path_color, "maze.path_color", reader),
        any_solution=truth.any_solution,
        box=_box(puzzle.box) if puzzle.HasField("box") else None,
        goal_may_change=truth.goal_may_change,
        grid=_grid(puzzle.grid) if puzzle.HasField("grid") else None,
        floor=_floor(puzzle.floor, truth) if puzzle.HasField("floor") else None,
        floor_mask=reader.media(puzzle.floor, "mask", "maze.puzzle.floor.mask"),
        start_mask=reader.media(puzzle.floor, "start_mask", "maze.puzzle.floor.start_mask"),
        goal_mask=reader.media(puzzle.floor, "goal_mask", "maze.puzzle.floor.goal_mask"),
    )


def read_path_color(number: maze_pb2.PathColor, field: str, reader: RequestReader) -> PathColor:
    """The colour of a path by its number; blue where that is none, which is noted."""
    color = _COLORS.get(number)
    if color is None:
        reader.wrong(field, "OUT_OF_RANGE", f"{number} is no PathColor")
    return color or PathColor.BLUE


def _box(box: maze_pb2.MazeBox) -> MazeBox:
    return MazeBox(box.left_px, box.top_px, box.width_px, box.height_px)


def _grid(grid: maze_pb2.MazeGrid) -> MazeGridInput:
    return MazeGridInput(tuple(grid.rows), tuple((one.first_cell_id, one.second_cell_id) for one in grid.walls))


def _floor(floor: maze_pb2.MazeFloor, truth: maze_pb2.MazeTruth) -> MazeFloorInput:
    return MazeFloorInput(
        start=(floor.start.x_px, floor.start.y_px) if floor.HasField("start") else None,
        goal=(floor.goal.x_px, floor.goal.y_px) if floor.HasField("goal") else None,
        way=tuple((point.x_px, point.y_px) for point in truth.way),
    )


def _path(seen: PathObservation) -> verdict_pb2.PathObservation:
    path = verdict_pb2.PathObservation(
        polyline=map(point_to_proto, seen.polyline),
        visited_cells=map(cell_to_proto, seen.visited_cells),
        color_hex=seen.color_hex,
        color_as_asked=seen.color_as_asked,
        stroke_width_px=seen.stroke_width_px,
        pieces=seen.pieces,
        confidence=seen.confidence,
    )
    path.wall_crossings.extend(map(_crossing, seen.wall_crossings))
    return path


def _crossing(crossing: WallCrossing) -> verdict_pb2.WallCrossing:
    made = verdict_pb2.WallCrossing(to=cell_to_proto(crossing.to_cell), at=point_to_proto(crossing.at))
    getattr(made, "from").CopyFrom(cell_to_proto(crossing.from_cell))  # the field's name is a word of Python
    return made


def _rollout(seen: MazeRolloutObservation) -> verdict_pb2.MazeRolloutObservation:
    return verdict_pb2.MazeRolloutObservation(
        kind=seen.kind,
        policy=seen.policy,
        trajectory=[verdict_pb2.RolloutPoint(time_s=time, at=point_to_proto((x, y))) for time, x, y in seen.trajectory],
        visited_cells=map(cell_to_proto, seen.visited_cells),
        wall_crossings=map(_crossing, seen.wall_crossings),
        events=map(event_to_proto, seen.events),
        path=None if seen.path is None else _path(seen.path),
    )


WIRE = TaskWire(
    _read,
    {
        PathObservation: lambda seen: verdict_pb2.Observation(path=_path(seen)),
        MazeRolloutObservation: lambda seen: verdict_pb2.Observation(maze_rollout=_rollout(seen)),
    },
)
