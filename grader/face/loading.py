"""Reads puzzles from folders in the layouts that ``grader make`` writes and ``grader import`` reads."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from grader.contract.requests import job_from_proto
from grader.face.errors import NoFileError, WrongKindError
from grader.face.pictures import PathKind, what_is_at
from grader.importers.amaze.records import read_record
from grader.importers.common.errors import ImportFormatError
from grader.importers.common.kinds import RECORD_KEYS, RecordKind, kind_of
from grader.importers.mazebench.records import grid_message
from grader.importers.mazes.floors import floor_message
from grader.importers.mentisoculi.instances import MentisInstance, read_task
from grader.importers.mentisoculi.messages import set_task
from grader.importers.mentisoculi.names import MentisTask
from grader.importers.tabletop.messages import load_record, tabletop_message
from grader.media.types import DEFAULT_LIMITS, MediaError, recognise
from grader.model.jobs import TaskInput
from grader.model.json_fields import JsonObject
from grader.model.wording import count_of
from grader.v1 import maze_pb2, media_pb2, service_pb2

_RECORD = "metadata.json"
_INSTANCES = "instances"
"""The folder into which ``grader make`` writes puzzles."""
_MOST_SHOWN = 200
"""Characters of a path that leads nowhere that a message shows."""
_PLANS = {
    RecordKind.RUSH_HOUR: MentisTask.RUSH_HOUR,
    RecordKind.FORM_BOARD: MentisTask.FORM_BOARD,
    RecordKind.HINGE_FOLDING: MentisTask.HINGE_FOLDING,
    RecordKind.PAPER_FOLD: MentisTask.PAPER_FOLD,
    RecordKind.SLIDING: MentisTask.SLIDING,
}


def load_puzzle(place: str | PathLike[str]) -> TaskInput:
    """Reads a puzzle with its truth and its pictures.

    Parameters
    ----------
    place : path
        A folder with ``metadata.json`` and pictures (AMAZE's instances, MentisOculi's puzzles, edits of a scene, all
        that ``grader make`` writes), or the JSON file itself.

    Raises
    ------
    WrongKindError
        If it is no path.
    NoFileError
        If nothing is there.
    ImportFormatError
        If a folder holds no puzzle, a file is no record of one, or a picture is missing.
    """
    if not isinstance(place, str | PathLike):
        raise WrongKindError(f"a puzzle is read from a path, not from {type(place).__name__}")
    try:
        return job_from_proto(request_of(place), _inline).task
    except (NoFileError, ImportFormatError) as error:
        raise error from None  # it says all that its causes do


def request_of(place: str | PathLike[str]) -> service_pb2.GradeRequest:
    """Reads a puzzle as a request about no words yet; raises as `load_puzzle`."""
    file = Path(place)
    there = what_is_at(file)
    if there is PathKind.NOTHING:
        raise NoFileError(f"there is no file {str(place)[:_MOST_SHOWN]}; name the folder of one puzzle")
    if there is PathKind.FOLDER:
        file /= _RECORD
        if not file.is_file():
            raise ImportFormatError(_why_no_record(Path(place)))
    data = file.read_bytes()
    if why := _what_else(file, data):
        raise ImportFormatError(why)
    record = load_record(data, str(file))
    request = service_pb2.GradeRequest(request_id="puzzle", text="")
    kind = kind_of(record)
    match kind:
        case None:
            *most, last = RECORD_KEYS
            raise ImportFormatError(f"{file} is no record of a puzzle: it has no {', '.join(most)} or {last}")
        case RecordKind.MAZE | RecordKind.QUEENS:
            _drawn(request, data.decode("utf-8"), file)
        case RecordKind.FLOOR:
            request.maze.CopyFrom(floor_message(record, file.parent, _put))
        case RecordKind.GRID_MAZE:
            request.grid_maze.CopyFrom(grid_message(record))
            if (file.parent / "maze.png").exists():  # answers in words need no picture
                request.grid_maze.puzzle.image.data = _bytes(file, "maze.png")
        case RecordKind.EDIT:
            _edit(request, record, file)
        case _:
            _plan(request, file, _PLANS[kind])
    return request


def _why_no_record(place: Path) -> str:
    """What is said of a folder in which there is no record, with the puzzles that lie below it."""
    below = next((one for one in (place, place / _INSTANCES) if any(one.glob(f"*/{_RECORD}"))), None)
    if below is None:
        return f"there is no file {place / _RECORD}; name the folder of one puzzle"
    found = sorted(file.parent for file in below.glob(f"*/{_RECORD}"))
    return f"{place} holds {count_of(len(found), 'puzzle')}; name the folder of one, such as {found[0]}"


def _what_else(file: Path, data: bytes) -> str:
    """What a file is that is no record, in words; empty where that is not known."""
    if file.suffix.lower() == ".jsonl":
        return f"{file} is no puzzle; a manifest is read by grader.load_manifest"
    try:
        name = recognise(data, DEFAULT_LIMITS)
    except MediaError:
        return ""
    near = f", {file.parent}" if (file.parent / _RECORD).is_file() else ""
    return f"{file} is a picture ({name}); name the folder of the puzzle{near}"


def _drawn(request: service_pb2.GradeRequest, text: str, file: Path) -> None:
    task = read_record(text, str(file)).task
    if isinstance(task, maze_pb2.MazeTask):
        request.maze.CopyFrom(task)
        request.maze.puzzle.image.data = _bytes(file, "input.png")
        request.maze.puzzle.cell_map.data = _bytes(file, "cell_map.png")
        request.maze.truth.solution_image.data = _bytes(file, "solution.png")
        request.maze.truth.mask.data = _bytes(file, "mask.png")
    else:
        request.queens.CopyFrom(task)
        request.queens.puzzle.image.data = _bytes(file, "input.png")
        request.queens.truth.solution_image.data = _bytes(file, "solution.png")


def _plan(request: service_pb2.GradeRequest, file: Path, task: MentisTask) -> None:
    read = read_task(MentisInstance(file.parent.name, task, None, None, file), with_picture=True)
    set_task(request, read.message)
    for sheet in read.sheets:
        request.paper_fold.puzzle.sheets.add(data=_bytes(file, sheet.name))
    if read.picture is not None:
        if task is MentisTask.SLIDING:
            image = request.sliding.puzzle.image
        elif task is MentisTask.FORM_BOARD:
            image = request.form_board.puzzle.image
        else:
            image = request.hinge_folding.puzzle.image
        image.data = _bytes(read.picture, read.picture.name)


def _edit(request: service_pb2.GradeRequest, record: JsonObject, file: Path) -> None:
    request.spatial_edit.CopyFrom(tabletop_message(record))
    request.spatial_edit.puzzle.image.data = _bytes(file, "before.png")
    if not record.has("original_bbox_3d"):  # a change of view is judged by the picture that is wanted
        request.spatial_edit.truth.image.data = _bytes(file, "after.png")


def _put(media: media_pb2.Media, path: Path) -> None:
    media.data = _bytes(path, path.name)


def _bytes(record: Path, name: str) -> bytes:
    """The file of a name beside another one."""
    try:
        return (record.parent / name).read_bytes()
    except FileNotFoundError:
        raise ImportFormatError(f"{record.parent} has no {name}; make or fetch the puzzle again") from None
    except IsADirectoryError:
        raise ImportFormatError(f"{record.parent / name} is a folder; make or fetch the puzzle again") from None


def _inline(media: media_pb2.Media, _: str) -> bytes | None:
    return bytes(media.data)
