"""Recorded rollouts: a folder of clips and series of pictures with a ``truth.json``, as requests with their records.

The layout: ``truth.json`` with ``clips`` and ``step_sequences``; each names its file or folder, its puzzle's
``metadata`` and what a grader should say. Beside a maze's metadata stand its pictures, beside a sliding puzzle's its
``initial.png``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.importers.amaze.records import read_record
from grader.importers.mentisoculi.messages import lot_message, tiles_message
from grader.importers.mentisoculi.records import read_rush_hour, read_sliding
from grader.v1 import maze_pb2, service_pb2


class RecordedError(ValueError):
    """A folder that is not laid out as it should be; the message names the file."""


@dataclass(frozen=True)
class Recorded:
    """One rollout with what is recorded of it.

    Attributes
    ----------
    name : the record's id
    task, kind : as recorded
    request : what a grader is asked
    solved : whether it should pass; None where it is not to be scored
    strict : whether every move keeps the rules; None where it is not to be scored
    first_moves : whether the first moves solve the lot; None where it is not recorded
    moves : the moves that are shown; None where they are not recorded
    first_wrong_step : the first picture that does not follow, 0 for none; None for clips
    why : the record's own words
    """

    name: str
    task: str
    kind: str
    request: service_pb2.GradeRequest
    solved: bool | None
    strict: bool | None
    first_moves: bool | None
    moves: tuple[str, ...] | None
    first_wrong_step: int | None
    why: str


def read_recorded(folder: Path) -> list[Recorded]:
    """All records of a folder, in the order of ``truth.json``.

    Raises
    ------
    RecordedError
        If a file is missing or has another form.
    """
    path = folder / "truth.json"
    try:
        truth = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordedError(f"{path} can't be read: {error.strerror}; is this a folder of recorded rollouts?") from None
    except ValueError as error:
        raise RecordedError(f"{path} is no JSON: {error}") from None
    found: list[Recorded] = []
    for field, read in (("clips", _clip), ("step_sequences", _series)):
        for place, record in enumerate(truth.get(field, ())):
            try:
                found.append(read(folder, record))
            except KeyError as error:
                raise RecordedError(f"{path}: {field}[{place}] has no {error}") from None
            except OSError as error:
                raise RecordedError(f"{path}: {field}[{place}]: {error.filename}: {error.strerror}") from None
    return found


def _clip(folder: Path, record: dict[str, Any]) -> Recorded:
    request = _request(folder, record, record["task"])
    request.video.data = (folder / record["file"]).read_bytes()
    # What decodes of a damaged clip is judged: it is right where its record says so.
    solved = None if record["expect"] == "either" else bool(record["solved"])
    lenient = record.get("strict_ambiguous", False)
    legal = record.get("strict_legal", record.get("legal"))
    return Recorded(
        name=record["id"],
        task=record["task"],
        kind=record["kind"],
        request=request,
        solved=solved,
        strict=None if lenient or legal is None or record["expect"] == "either" else bool(legal),
        first_moves=None if record["expect"] == "either" else record.get("literal_first_move_rule"),
        moves=_moves(record),
        first_wrong_step=None,
        why=record["why"],
    )


def _moves(record: dict[str, Any]) -> tuple[str, ...] | None:
    if record["expect"] == "either" or record.get("scene_invalid"):
        return None
    if record["task"] == "sliding":
        return tuple(record["implied_moves"]) if record.get("strict_legal") else None
    if record["task"] == "rushhour" and record.get("strict_legal"):
        return tuple(f"{move['label']} {move['word']}" for move in record["moves"])
    return None


def _series(folder: Path, record: dict[str, Any]) -> Recorded:
    request = _request(folder, record, record["task"].removeprefix("steps_"))
    request.frames.text = record["answer_text"]
    for step in record["steps"]:
        request.frames.images.add(data=(folder / record["folder"] / step["file"]).read_bytes())
    return Recorded(
        name=record["id"],
        task=record["task"],
        kind=record["kind"],
        request=request,
        solved=None if record["expect"] == "either" else bool(record["solved_by_images"]),
        strict=None,
        first_moves=None,
        moves=None,
        first_wrong_step=record["first_bad_step"] or 0,
        why=record["why"],
    )


def _request(folder: Path, record: dict[str, Any], task: str) -> service_pb2.GradeRequest:
    request = service_pb2.GradeRequest(request_id=record["id"], puzzle_id=record["puzzle"])
    path = folder / record["metadata"]
    if task == "rushhour":
        request.rush_hour.CopyFrom(lot_message(read_rush_hour(path).lot))
    elif task == "sliding":
        puzzle = read_sliding(path)
        request.sliding.CopyFrom(tiles_message(puzzle.puzzle))
        request.sliding.puzzle.image.data = (path.parent / (puzzle.initial_image or "initial.png")).read_bytes()
    elif task == "maze":
        maze = read_record(path.read_text(encoding="utf-8"), str(path)).task
        if not isinstance(maze, maze_pb2.MazeTask):
            raise RecordedError(f"{path} is no record of a maze")
        request.maze.CopyFrom(maze)
        request.maze.puzzle.image.data = (path.parent / "input.png").read_bytes()
        request.maze.puzzle.cell_map.data = (path.parent / "cell_map.png").read_bytes()
        request.maze.truth.solution_image.data = (path.parent / "solution.png").read_bytes()
        request.maze.truth.mask.data = (path.parent / "mask.png").read_bytes()
    else:
        raise RecordedError(f"{folder / 'truth.json'}: {record['id']} is of the task {task!r}, which is not known here")
    return request
