"""Requests of the contract as jobs: plain data, whose fields are checked as far as that needs no look into pictures."""

from __future__ import annotations

from typing import Any

from grader.model.errors import InvalidRequestError
from grader.model.jobs import (
    Candidate,
    CompareInput,
    ExitInput,
    FramesCandidate,
    GradeJob,
    ImageCandidate,
    MazeGeometry,
    MazeInput,
    PathColor,
    QueensInput,
    RectangleInput,
    RushHourInput,
    Similarity,
    SlidingInput,
    TaskInput,
    TextCandidate,
    VehicleInput,
    VideoCandidate,
    VideoPolicy,
)
from grader.v1 import maze_pb2, queens_pb2, rush_hour_pb2, service_pb2, sliding_pb2
from grader.wire.edits import edit_input, scene_candidate
from grader.wire.reader import RequestReader, Resolve
from puzzles.rush_hour.lot import Side

MAX_REQUEST_ID_CHARS = 512
DEFAULT_PROFILE = "default"

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
_SIDES = {
    rush_hour_pb2.LOT_SIDE_LEFT: Side.LEFT,
    rush_hour_pb2.LOT_SIDE_RIGHT: Side.RIGHT,
    rush_hour_pb2.LOT_SIDE_BOTTOM: Side.BOTTOM,
    rush_hour_pb2.LOT_SIDE_TOP: Side.TOP,
}
_POLICIES = {
    service_pb2.VIDEO_POLICY_UNSPECIFIED: VideoPolicy.FINAL_FRAME,
    service_pb2.VIDEO_POLICY_FINAL_FRAME: VideoPolicy.FINAL_FRAME,
    service_pb2.VIDEO_POLICY_BEST_FRAME: VideoPolicy.BEST_FRAME,
}


_SIMILARITIES = {
    service_pb2.SIMILARITY_SSIM: Similarity.SSIM,
    service_pb2.SIMILARITY_LPIPS_ALEX: Similarity.LPIPS_ALEX,
    service_pb2.SIMILARITY_LPIPS_VGG: Similarity.LPIPS_VGG,
    service_pb2.SIMILARITY_LPIPS_SQUEEZE: Similarity.LPIPS_SQUEEZE,
}


def _maze(task: maze_pb2.MazeTask, reader: RequestReader) -> MazeInput:
    puzzle, truth = task.puzzle, task.truth
    color = _COLORS.get(task.path_color)
    if color is None:
        reader.wrong("maze.path_color", "OUT_OF_RANGE", f"{task.path_color} is no PathColor")
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
        path_color=color or PathColor.BLUE,
    )


def _queens(task: queens_pb2.QueensTask, reader: RequestReader) -> QueensInput:
    return QueensInput(
        image=reader.media(task.puzzle, "image", "queens.puzzle.image"),
        size_cells=task.puzzle.size_cells,
        regions=tuple(task.puzzle.regions),
        queens=tuple((cell.row, cell.column) for cell in task.truth.queens),
        solution_image=reader.media(task.truth, "solution_image", "queens.truth.solution_image"),
    )


def _rectangle(body: Any, field: str, reader: RequestReader) -> RectangleInput:
    if not body.HasField("pose"):
        reader.wrong(f"{field}.pose", "MISSING", "say where it stands: x, y and theta_rad")
    return RectangleInput(body.length, body.width, body.pose.x, body.pose.y, body.pose.theta_rad)


def _rush_hour(task: rush_hour_pb2.RushHourTask, reader: RequestReader) -> RushHourInput:
    puzzle, where = task.puzzle, "rush_hour.puzzle"
    return RushHourInput(
        width=puzzle.width,
        height=puzzle.height,
        exits=tuple(ExitInput(_SIDES.get(one.side), one.start, one.end) for one in puzzle.exits),
        vehicles=tuple(
            VehicleInput(
                label=one.label,
                body=_rectangle(one, f"{where}.vehicles[{place}]", reader),
                forward_reversed=one.forward_reversed,
                fixed=one.fixed,
                color_hex=one.color_hex,
            )
            for place, one in enumerate(puzzle.vehicles)
        ),
        obstacles=tuple(
            _rectangle(one, f"{where}.obstacles[{place}]", reader) for place, one in enumerate(puzzle.obstacles)
        ),
    )


def _sliding(task: sliding_pb2.SlidingTask, reader: RequestReader) -> SlidingInput:
    return SlidingInput(
        size_cells=task.puzzle.size_cells,
        tiles=tuple(task.puzzle.tiles),
        image=reader.media(task.puzzle, "image", "sliding.puzzle.image"),
        target_tiles=tuple(task.truth.tiles),
    )


def _task(request: service_pb2.GradeRequest, reader: RequestReader) -> TaskInput | None:
    match request.WhichOneof("task"):
        case "maze":
            return _maze(request.maze, reader)
        case "queens":
            return _queens(request.queens, reader)
        case "rush_hour":
            return _rush_hour(request.rush_hour, reader)
        case "sliding":
            return _sliding(request.sliding, reader)
        case "spatial_edit":
            return edit_input(request.spatial_edit, reader)
        case "compare":
            compare = request.compare
            return CompareInput(
                reference=reader.media(compare, "reference", "compare.reference"),
                mask=reader.media(compare, "mask", "compare.mask"),
            )
        case _:
            known = ", ".join(field.name for field in request.DESCRIPTOR.oneofs_by_name["task"].fields)
            text = f"no task is set, or one that this version does not know; set one of: {known}"
            reader.wrong("task", "MISSING", text)
            return None


def _candidate(request: service_pb2.GradeRequest, reader: RequestReader) -> Candidate | None:
    match request.WhichOneof("candidate"):
        case "image":
            data = reader.source(request.image, "image")
            return None if data is None else ImageCandidate(data)
        case "video":
            data = reader.source(request.video, "video")
            return None if data is None else VideoCandidate(data)
        case "frames":
            images = [reader.source(one, f"frames.images[{place}]") for place, one in enumerate(request.frames.images)]
            return FramesCandidate(tuple(data for data in images if data is not None), request.frames.text)
        case "text":
            return TextCandidate(request.text)
        case "scene":
            return scene_candidate(request.scene, reader)
        case _:
            text = (
                "no candidate is set; set image, video, frames, text or scene to what the model made, if need be empty"
            )
            reader.wrong("candidate", "MISSING", text)
            return None


def _similarities(options: service_pb2.GradeOptions, reader: RequestReader) -> tuple[Similarity, ...]:
    found: dict[Similarity, None] = {}
    for place, number in enumerate(options.similarity):
        if number not in _SIMILARITIES:
            text = f"{number} is no Similarity that can be measured"
            reader.wrong(f"options.similarity[{place}]", "OUT_OF_RANGE", text)
        else:
            found[_SIMILARITIES[number]] = None
    return tuple(found)


def job_from_proto(request: service_pb2.GradeRequest, resolve: Resolve) -> GradeJob:
    """Makes a job of a request.

    Checked here is what can be said without looking into a picture; the engine checks the task's fields.

    Parameters
    ----------
    request : GradeRequest
        As it came.
    resolve : callable
        Gives the bytes of a Media; see `Resolve`.

    Returns
    -------
    GradeJob

    Raises
    ------
    InvalidRequestError
        With every wrong field, each by its path in the request.
    """
    reader = RequestReader(resolve)
    if not request.request_id:
        reader.wrong("request_id", "MISSING", "a request needs a request_id; its answer carries it")
    elif len(request.request_id) > MAX_REQUEST_ID_CHARS:
        found = len(request.request_id)
        reader.wrong("request_id", "TOO_LONG", f"it has {found} characters; at most {MAX_REQUEST_ID_CHARS} are taken")
    if request.attempt < 0:
        reader.wrong("attempt", "OUT_OF_RANGE", f"it is {request.attempt}; attempts count from 1, 0 means not said")
    policy = _POLICIES.get(request.options.video_policy)
    if policy is None:
        text = f"{request.options.video_policy} is no VideoPolicy"
        reader.wrong("options.video_policy", "OUT_OF_RANGE", text)
    similarity = _similarities(request.options, reader)
    task = _task(request, reader)
    candidate = _candidate(request, reader)
    if reader.violations or task is None or candidate is None or policy is None:
        raise InvalidRequestError(*reader.violations)
    return GradeJob(
        request_id=request.request_id,
        task=task,
        candidate=candidate,
        profile=request.options.profile or DEFAULT_PROFILE,
        overlay=request.options.overlay,
        annotated_video=request.options.annotated_video,
        video_policy=policy,
        similarity=similarity,
        puzzle_id=request.puzzle_id,
        model=request.model,
        attempt=request.attempt,
        tags=dict(request.tags),
    )
