"""A maze without cells as a folder of files, from a picture and a mask of its floor, with the right way drawn."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from grader.importers.common.manifest_file import whole_manifest
from grader.importers.mazes.floors import floor_message
from grader.make.errors import MakeError
from grader.media.types import DEFAULT_LIMITS
from grader.model.errors import InvalidRequestError
from grader.model.jobs import CandidateKind
from grader.model.json_fields import load_object
from grader.output.files import replacing
from grader.tasks.maze.model import MazeFloorInput, MazeInput, PathColor
from grader.tasks.maze.puzzle import MazePuzzle
from grader.tasks.maze.self_check import prepare_readable_maze
from grader.tasks.maze.settings import MazeSettings
from grader.v1 import media_pb2, service_pb2

MANIFEST_NAME, RECORD_NAME, SOLUTION_NAME, MASK_NAME = "manifest.jsonl", "metadata.json", "solution.png", "floor.png"
_INSTANCES = "instances"
_SHIFT = 6
_WIDTH = 0.2
_MODEL = "right"
_PAINT = {
    PathColor.BLUE: (30, 60, 230),
    PathColor.GREEN: (30, 160, 60),
    PathColor.RED: (225, 35, 35),
    PathColor.ORANGE: (245, 140, 20),
    PathColor.MAGENTA: (225, 40, 200),
    PathColor.BLACK: (0, 0, 0),
    PathColor.WHITE: (255, 255, 255),
    PathColor.YELLOW: (250, 225, 30),
    PathColor.CYAN: (20, 190, 210),
    PathColor.PURPLE: (130, 50, 190),
}

Place = tuple[float, float] | Path
"""Start or goal: (x, y) in pixels of the picture, or a picture of its marker's mask."""


@dataclass(frozen=True)
class FloorFiles:
    """What a maze without cells is made from.

    Attributes
    ----------
    name : of its folder
    picture, mask : the maze, and its floor in white
    start, goal : where the way starts and ends
    way : points of the way that lengths are held against; none for a shortest one
    color : of the path that is asked for
    """

    name: str
    picture: Path
    mask: Path
    start: Place
    goal: Place
    way: tuple[tuple[float, float], ...] = ()
    color: PathColor = PathColor.BLUE


def make_floor(out: Path, files: FloorFiles) -> Path:
    """Makes a maze as ``out/instances/<name>/``, and ``out/manifest.jsonl`` with the right ways of all that are there.

    Returns
    -------
    Path
        The instance's folder.

    Raises
    ------
    MakeError
        If a file is missing, the maze can't be read, or a folder of that name is there.
    OSError
        If the folder can't be written.
    """
    folder = out / _INSTANCES / files.name
    if folder.exists():
        raise MakeError(f"{folder} is there already; remove it, or give another --name")
    for path in (files.picture, files.mask, *(one for one in (files.start, files.goal) if isinstance(one, Path))):
        if not path.is_file():
            raise MakeError(f"there is no file {path}")
    try:
        puzzle = prepare_readable_maze(_input(files), MazeSettings(), DEFAULT_LIMITS, CandidateKind.IMAGE)
    except InvalidRequestError as error:
        if files.picture.read_bytes() == files.mask.read_bytes():
            raise MakeError(
                f"{files.picture} can't be its own mask; a mask has the floor in white and all else in black"
            ) from None
        raise MakeError(f"{files.picture} can't be made a puzzle of: {error}") from None
    folder.mkdir(parents=True)
    picture_name = f"input{files.picture.suffix.lower()}"
    shutil.copyfile(files.picture, folder / picture_name)
    shutil.copyfile(files.mask, folder / MASK_NAME)
    floor: dict[str, object] = {"mask": MASK_NAME}
    for name, place in (("start", files.start), ("goal", files.goal)):
        if isinstance(place, Path):
            shutil.copyfile(place, folder / f"{name}.png")
            floor[name] = f"{name}.png"
        else:
            floor[name] = list(place)
    if files.way:
        floor["way"] = [list(point) for point in files.way]
    Image.fromarray(_solution(puzzle, files.color)).save(folder / SOLUTION_NAME, "PNG")
    record = {"input": picture_name, "floor": floor, "path_color": files.color.value, "instruction": _told(files)}
    with replacing(folder / RECORD_NAME) as stream:
        stream.write(json.dumps(record, indent=1) + "\n")
    _write_manifest(out)
    return folder


def _told(files: FloorFiles) -> str:
    return (
        f"Draw one {files.color.value} line on this picture of a maze, from the start to the goal, along the corridors"
        " and through no wall. Change nothing else."
    )


def _input(files: FloorFiles) -> MazeInput:
    start, goal = (None if isinstance(one, Path) else one for one in (files.start, files.goal))
    masks = [one.read_bytes() if isinstance(one, Path) else None for one in (files.start, files.goal)]
    return MazeInput(
        image=files.picture.read_bytes(),
        cell_map=None,
        geometry=None,
        width_cells=0,
        height_cells=0,
        rings=0,
        cell_size_px=0.0,
        wall_width_px=0.0,
        path_cell_ids=(),
        solution_image=None,
        mask=None,
        path_color=files.color,
        any_solution=True,
        floor=MazeFloorInput(start, goal, files.way),
        floor_mask=files.mask.read_bytes(),
        start_mask=masks[0],
        goal_mask=masks[1],
    )


def _solution(puzzle: MazePuzzle, color: PathColor) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    drawn = puzzle.picture.copy()
    points = np.rint((puzzle.reference - 0.5) * 2**_SHIFT).astype(np.int32).reshape(-1, 1, 2)
    plan = puzzle.plan
    width = max(1, round(_WIDTH * (plan.cell_px - plan.wall_px) * plan.factor))
    cv2.polylines(drawn, [points], False, _PAINT[color], width, cv2.LINE_AA, _SHIFT)
    return drawn


def _write_manifest(out: Path) -> None:
    """The right ways of all mazes without cells of a folder; other puzzles may lie beside them."""
    with whole_manifest(out.resolve() / MANIFEST_NAME) as writer:

        def put(media: media_pb2.Media, path: Path) -> None:
            media.uri = writer.uri(path)

        for record in sorted((out.resolve() / _INSTANCES).glob(f"*/{RECORD_NAME}")):
            folder = record.parent
            if not (folder / MASK_NAME).is_file():
                continue
            try:
                message = floor_message(load_object(record.read_bytes(), str(record)), folder, put)
            except (OSError, ValueError) as error:
                raise MakeError(f"{record} can't be read ({error}); remove its folder, and run it again") from None
            request = service_pb2.GradeRequest(
                request_id=f"{folder.name}/solution", puzzle_id=folder.name, model=_MODEL, maze=message
            )
            request.image.uri = writer.uri(folder / SOLUTION_NAME)
            writer.write(request, folder / SOLUTION_NAME)
