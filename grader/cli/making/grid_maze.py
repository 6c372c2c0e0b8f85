"""``grader make grid-maze``: mazes of whole tiles, as MazeBench has them. Imported late where it is heavy."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.common.output import Json, Output, Quiet
from grader.cli.making.options import Count, Jobs, Out, Seed, Training, numbers, once, processes, seeds
from grader.cli.making.telling import made_answer, make_epilog, tell_answers, tell_made
from grader.model.errors import GraderError

if TYPE_CHECKING:
    from puzzles.grid_maze.recipes import GridMazeRecipe


class PaletteName(enum.StrEnum):
    """What can be given as ``--palette``."""

    FOREST = "forest"
    DESERT = "desert"
    DUNGEON = "dungeon"
    MEADOW = "meadow"


GRID_MAZE_EPILOG = make_epilog(
    "grader make grid-maze --out runs/grids --groups",
    "grader make grid-maze --out runs/grids --rows 5-13 --density 0.25 --density 0.4 --traps 0,4 --count 5",
    "grader make grid-maze --out runs/walled --rows 9 --cols 12 --border --unreachable --palette dungeon",
    "grader import mazebench runs/grids --answers answers.jsonl --manifest words.jsonl",
)


def grid_maze(
    out: Out,
    groups: Annotated[
        bool,
        typer.Option(
            "--groups", help="The 110 mazes of MazeBench's groups A to H and X, instead of the options below."
        ),
    ] = False,
    rows: Annotated[str | None, typer.Option(help="Such as 9 or 5-13 or 5,9,13; 3 to 64 [default: 9].")] = None,
    cols: Annotated[str | None, typer.Option(help="Likewise [default: as many as rows].")] = None,
    density: Annotated[
        list[float] | None,
        typer.Option(help="Share of free tiles that become walls, 0 to 0.9; may be given again [default: 0.25]."),
    ] = None,
    traps: Annotated[str | None, typer.Option(help="How many, such as 3 or 0,4 [default: 0].")] = None,
    unreachable: Annotated[bool, typer.Option("--unreachable", help="No path leads to the goal.")] = False,
    border: Annotated[bool, typer.Option("--border", help="A ring of walls lies around.")] = False,
    least_length: Annotated[
        int | None, typer.Option(min=0, help="Steps that a shortest path has at least [default: 0].")
    ] = None,
    palette: Annotated[
        list[PaletteName] | None, typer.Option(help="May be given again: each maze in each [default: forest].")
    ] = None,
    count: Count = None,
    seed: Seed = None,
    size: Annotated[int, typer.Option(help="Side of the pictures in pixels, 512 to 3300.")] = 1024,
    training: Training = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make mazes of whole tiles with walls and traps, as pixel art and as text, with all that is known of them.

    All values are combined, and --count mazes are made of each. With --groups, --seed gives another set of the same
    kinds. The same options give the same bytes. What is there already is kept, so that more can be added to a folder.

    meta.json and maze_annotations.json list all mazes of the folder as MazeBench does; `grader import mazebench` reads
    them.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out):
        from grader.make.grid_mazes import make_grid_mazes

        given: dict[str, object] = {
            "--rows": rows,
            "--cols": cols,
            "--density": density,
            "--traps": traps,
            "--unreachable": unreachable,
        }
        given |= {"--border": border, "--least-length": least_length, "--palette": palette, "--count": count}
        clash = [option for option, value in given.items() if value not in (None, [], False)]
        if groups and clash:
            raise GraderError(f"--groups says what to make; leave out {' and '.join(clash)}")
        recipes = (
            _groups(seed or 0)
            if groups
            else [
                *_recipes(
                    numbers("--rows", rows or "9", 3, 64),
                    None if cols is None else numbers("--cols", cols, 3, 64),
                    once(density or [0.25]),
                    numbers("--traps", traps or "0", 0, 4096),
                    [unreachable, border],
                    least_length or 0,
                    once(palette or [PaletteName.FOREST]),
                    seeds(seed, count),
                )
            ]
        )
        report = make_grid_mazes(out, recipes, size, jobs=processes(jobs), training=training, progress=shown.progress)
        tell_made(shown, report)
        tell_answers(shown, "mazebench", "maze", out)
        shown.answer(made_answer(report))


def _groups(seed: int) -> list[GridMazeRecipe]:
    from puzzles.grid_maze.recipes import group_recipes

    return list(group_recipes(seed))


def _recipes(
    rows: list[int],
    cols: list[int] | None,
    densities: list[float],
    traps: list[int],
    flags: list[bool],
    least: int,
    palettes: list[PaletteName],
    numbered: range,
) -> list[GridMazeRecipe]:
    """Recipes of all values together; GraderError for values that go with no maze."""
    from puzzles.grid_maze.generator import MazeParameters
    from puzzles.grid_maze.recipes import GridMazeRecipe

    unreachable, border = flags
    try:
        return [
            GridMazeRecipe(MazeParameters(high, wide, density, many, unreachable, border, seed, least), palette.value)
            for high in rows
            for wide in (cols or [high])
            for density in densities
            for many in traps
            for seed in numbered
            for palette in palettes
        ]
    except ValueError as error:
        raise GraderError(str(error)) from None
