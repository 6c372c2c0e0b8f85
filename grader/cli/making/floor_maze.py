"""``grader make floor-maze``: a maze without cells, from a picture and a mask. Imported late where it is heavy."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.common.output import Json, Output, Quiet, epilog
from grader.cli.making.options import Out
from grader.cli.making.telling import tell_grade
from grader.model.errors import GraderError

if TYPE_CHECKING:
    from grader.make.floors.making import Place

FLOOR_EPILOG = epilog(
    "grader make floor-maze --picture garden.png --mask floor.png --start 412,590 --goal 300,305 --out runs/gardens",
    "grader make floor-maze --picture a.png --mask a_floor.png --start a_start.png --goal a_goal.png --color red "
    "--out runs/gardens",
    codes="Exit codes: 0 it is made; 1 the disk is full; 2 options are wrong, or the maze can't be read from the "
    "picture.",
)
_NUMBER = r"\s*(\d+(?:\.\d*)?)\s*"


def floor_maze(
    out: Out,
    picture: Annotated[Path, typer.Option(help="The maze, without a path.")],
    mask: Annotated[Path, typer.Option(help="A picture of the same size: its floor in white, all else in black.")],
    start: Annotated[
        str, typer.Option(help="Where the way starts: X,Y in pixels, or a picture of its marker in white.")
    ],
    goal: Annotated[str, typer.Option(help="Where it ends, likewise.")],
    way: Annotated[
        str | None,
        typer.Option(help='The way that lengths are held against, as "X,Y X,Y ..." [default: a shortest one].'),
    ] = None,
    color: Annotated[str, typer.Option(help="Colour of the path that is asked for.")] = "blue",
    name: Annotated[str | None, typer.Option(help="Of its folder [default: the picture's].")] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make a puzzle of a maze without cells: curved corridors, a labyrinth, the photograph of a maze.

    It is read as it will be when answers are graded, and refused if that can't be done. The folder gets the pictures, a
    right way drawn on the maze, metadata.json, which `grader.load_puzzle` reads, and manifest.jsonl with the right ways
    of all such mazes in it, to be graded.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out):
        from grader.make.floors.making import MANIFEST_NAME, FloorFiles, make_floor
        from grader.tasks.maze.model import PathColor

        if color not in {one.value for one in PathColor}:
            raise GraderError(f"--color {color!r} is none of {', '.join(one.value for one in PathColor)}")
        points = tuple(_point("--way", part) for part in (way or "").split())
        files = FloorFiles(
            name or picture.stem,
            picture,
            mask,
            _place("--start", start),
            _place("--goal", goal),
            points,
            PathColor(color),
        )
        folder = make_floor(out, files)
        shown.line(f"{folder}: made")
        tell_grade(shown, out / MANIFEST_NAME)
        shown.answer({"instance": str(folder), "manifest": str(out / MANIFEST_NAME)})


def _place(option: str, text: str) -> Place:
    if re.fullmatch(f"{_NUMBER},{_NUMBER}", text):
        return _point(option, text)
    if not Path(text).is_file():
        raise GraderError(
            f"{option} {text!r} is neither a place, X,Y in pixels such as 40,65, nor a picture of its marker"
        )
    return Path(text)


def _point(option: str, text: str) -> tuple[float, float]:
    found = re.fullmatch(f"{_NUMBER},{_NUMBER}", text)
    if found is None:
        raise GraderError(f"{option} {text!r} is no place; give X,Y in pixels, such as 40,65")
    return float(found[1]), float(found[2])
