"""``grader make``: what is asked for on the command line, as recipes and a look. Imported late where it is heavy."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grader.cli.common.output import EXIT_CODES, Json, Output, Quiet, epilog
from grader.cli.making.floor_maze import FLOOR_EPILOG, floor_maze
from grader.cli.making.form_board import FORM_BOARD_EPILOG, form_board
from grader.cli.making.grid_maze import GRID_MAZE_EPILOG, grid_maze
from grader.cli.making.hinge_folding import HINGE_EPILOG, hinge_folding
from grader.cli.making.jigsaw import JIGSAW_EPILOG, jigsaw
from grader.cli.making.options import Count, Jobs, Out, Seed, Training, numbers, once, processes, seeds
from grader.cli.making.paper_fold import PAPER_FOLD_EPILOG, paper_fold
from grader.cli.making.tabletop import TABLETOP_EPILOG, OperationName, tabletop
from grader.cli.making.telling import made_answer, make_epilog, tell_answers, tell_import, tell_made
from grader.model.errors import GraderError

if TYPE_CHECKING:
    from puzzles.amaze.presets import Preset
    from puzzles.amaze.recipes import Recipe
    from puzzles.mentis.recipes import PlanRecipe

make_app = typer.Typer(
    no_args_is_help=True,
    help="Make puzzles of our own, with their solutions: test sets and training sets of any size.",
    epilog="Start with `grader make maze --out runs/mazes`; `grader make list` shows styles and presets.\n\n"
    f"{EXIT_CODES}",
)


class GeometryName(enum.StrEnum):
    """What can be given as ``--geometry``."""

    SQUARE = "square"
    HEXAGON = "hexagon"
    TRIANGLE = "triangle"
    CIRCLE = "circle"


class AlgorithmName(enum.StrEnum):
    """What can be given as ``--algorithm``."""

    DEPTH_FIRST = "depth_first"
    BREADTH_FIRST = "breadth_first"


_Style = Annotated[str, typer.Option(help="A style that `grader make list` shows; random: one of its own for each.")]
_CellSize = Annotated[
    float | None,
    typer.Option(help="Pixels a cell. Cells get smaller where a side of the picture would be over 3300 px."),
]
_Size = Annotated[int | None, typer.Option(help="Longest side of the pictures in pixels, instead of --cell-size.")]
_Side = Annotated[int, typer.Option(help="Side of the pictures in pixels, 128 to 3300.")]
_VideoSide = Annotated[int, typer.Option(help="Side of the video in pixels, even, 128 to 3300; 0 for no video.")]
_Preset = Annotated[str | None, typer.Option(help="A set that `grader make list` shows, instead of the options above.")]


@make_app.command(
    epilog=make_epilog(
        "grader make maze --out runs/mazes",
        "grader make maze --out runs/big --geometry circle --scale 20-30 --count 5 --size 2048",
        "grader make maze --out runs/train --geometry square --scale 3,5,8 --algorithm depth_first --algorithm "
        "breadth_first --count 1000 --style random --training",
        "grader make maze --out runs/amaze --preset amaze-test",
    )
)
def maze(
    out: Out,
    geometry: Annotated[list[GeometryName] | None, typer.Option(help="May be given again [default: all four].")] = None,
    scale: Annotated[
        str | None, typer.Option(help="Rows and columns, or rings; 3 to 30, such as 5 or 3-16 or 3,8,16 [default: 5].")
    ] = None,
    algorithm: Annotated[
        list[AlgorithmName] | None, typer.Option(help="May be given again [default: depth_first].")
    ] = None,
    count: Count = None,
    seed: Seed = None,
    preset: _Preset = None,
    style: _Style = "published",
    cell_size: _CellSize = None,
    size: _Size = None,
    training: Training = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make mazes with their solutions.

    Every geometry is combined with every scale and algorithm, and --count mazes are made of each. The same options give
    the same bytes. What is there already is kept, so that more can be added to a folder. `grader import amaze` reads
    the folder.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out):
        from puzzles.amaze.presets import MAZE_PRESETS
        from puzzles.amaze.recipes import MAX_SCALE, MIN_SCALE, MazeRecipe
        from puzzles.maze.geometry import Geometry
        from puzzles.maze.maze import MazeAlgorithm

        recipes: Sequence[Recipe]
        if preset is not None:
            given = {
                "--geometry": geometry,
                "--scale": scale,
                "--algorithm": algorithm,
                "--count": count,
                "--seed": seed,
            }
            recipes = _preset(preset, MAZE_PRESETS, given)
        else:
            scales = numbers("--scale", scale or "5", MIN_SCALE, MAX_SCALE)
            geometries = [Geometry(name) for name in once(geometry or list(GeometryName))]
            algorithms = [MazeAlgorithm(name) for name in once(algorithm or [AlgorithmName.DEPTH_FIRST])]
            recipes = [
                MazeRecipe(one, cells, way, number)
                for one in geometries
                for cells in scales
                for way in algorithms
                for number in seeds(seed, count)
            ]
        _make(shown, out, recipes, style, cell_size, size, training=training, jobs=jobs)


@make_app.command(
    epilog=make_epilog(
        "grader make queens --out runs/boards",
        "grader make queens --out runs/train --n 4-12 --count 500 --style random --training",
        "grader make queens --out runs/amaze --preset amaze-test",
    )
)
def queens(
    out: Out,
    n: Annotated[
        str | None, typer.Option(help="Rows, columns and queens; 4 to 12, such as 8 or 4-10 or 4,7,10 [default: 8].")
    ] = None,
    count: Count = None,
    seed: Seed = None,
    preset: _Preset = None,
    style: _Style = "published",
    cell_size: _CellSize = None,
    size: _Size = None,
    training: Training = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make Queens boards with their only solution.

    --count boards are made of each size. The same options give the same bytes. What is there already is kept, so that
    more can be added to a folder. `grader import amaze` reads the folder.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out):
        from puzzles.amaze.presets import QUEENS_PRESETS
        from puzzles.amaze.recipes import QueensRecipe
        from puzzles.queens.board import MAX_SIZE, MIN_SIZE

        recipes: Sequence[Recipe]
        if preset is not None:
            recipes = _preset(preset, QUEENS_PRESETS, {"--n": n, "--count": count, "--seed": seed})
        else:
            sizes = numbers("--n", n or "8", MIN_SIZE, MAX_SIZE)
            recipes = [QueensRecipe(cells, number) for cells in sizes for number in seeds(seed, count)]
        _make(shown, out, recipes, style, cell_size, size, training=training, jobs=jobs)


@make_app.command(
    "rush-hour",
    epilog=make_epilog(
        "grader make rush-hour --out runs/lots",
        "grader make rush-hour --out runs/lots --level 3-5 --count 100 --style random --training",
        "grader make rush-hour --out runs/lots --level 1 --video-size 0",
    ),
)
def rush_hour(
    out: Out,
    level: Annotated[
        str | None,
        typer.Option(
            help="Least number of moves, such as 3 or 1-5; up to 7, which takes up to a minute [default: 1-5]."
        ),
    ] = None,
    count: Count = None,
    seed: Seed = None,
    style: _Style = "published",
    size: _Side = 1024,
    video_size: _VideoSide = 512,
    training: Training = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make parking lots with shortest solutions.

    --count lots are made of each level: the picture, metadata.json as the public MentisOculi puzzles have it, a
    picture of every step, the solution as a video and as an answer in words, and the lot as text. The same options
    give the same bytes. What is there already is kept, so that more can be added to a folder.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out):
        from puzzles.mentis.recipes import RushHourRecipe
        from puzzles.rush_hour.generator import MAX_LEVEL

        levels = numbers("--level", level or "1-5", 1, MAX_LEVEL)
        recipes: list[PlanRecipe] = [RushHourRecipe(one, number) for one in levels for number in seeds(seed, count)]
        _make_plans(shown, out, recipes, style, size, video_size, training=training, jobs=jobs)


@make_app.command(
    epilog=make_epilog(
        "grader make sliding --out runs/tiles",
        "grader make sliding --out runs/tiles --n 2,3 --moves 1-6 --count 50 --style random --training",
        "grader make sliding --out runs/tiles --n 4 --moves 20",
    )
)
def sliding(
    out: Out,
    n: Annotated[str | None, typer.Option(help="Rows and columns; 2 to 4, such as 3 or 2-4 [default: 2].")] = None,
    moves: Annotated[
        str | None,
        typer.Option(
            help="Least number of moves, such as 5 or 1-5; at most 6 for n = 2, 31 for 3, 24 for 4 [default: 1-5]."
        ),
    ] = None,
    count: Count = None,
    seed: Seed = None,
    style: _Style = "published",
    size: _Side = 1024,
    video_size: _VideoSide = 512,
    training: Training = False,
    jobs: Jobs = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make sliding puzzles with shortest solutions, on pictures that are drawn here.

    --count puzzles are made of each n and number of moves: start and target, metadata.json as the public MentisOculi
    puzzles have it, a picture of every step, and the solution as a video and as an answer in words. The same options
    give the same bytes. What is there already is kept, so that more can be added to a folder.
    """
    shown = Output(quiet, as_json)
    with shown.errors(out):
        from puzzles.mentis.recipes import MAX_TILES, MIN_TILES, MOST_MOVES, SlidingRecipe

        sizes = numbers("--n", n or str(MIN_TILES), MIN_TILES, MAX_TILES)
        lengths = numbers("--moves", moves or "1-5", 1, min(MOST_MOVES[one] for one in sizes))
        recipes: list[PlanRecipe] = [
            SlidingRecipe(one, length, number) for one in sizes for length in lengths for number in seeds(seed, count)
        ]
        _make_plans(shown, out, recipes, style, size, video_size, training=training, jobs=jobs)


def _preset(name: str, presets: Mapping[str, Preset], given: Mapping[str, object]) -> Sequence[Recipe]:
    clash = [option for option, value in given.items() if value not in (None, [])]
    if clash:
        raise GraderError(f"a preset says what to make; leave out {' and '.join(clash)}, or --preset")
    if name not in presets:
        raise GraderError(f"there is no preset {name!r}; there are {', '.join(presets)}")
    return presets[name].recipes()


def _make(
    shown: Output,
    out: Path,
    recipes: Sequence[Recipe],
    style: str,
    cell_size: float | None,
    size: int | None,
    *,
    training: bool,
    jobs: int | None,
) -> None:
    from grader.make.sets import make_instances
    from puzzles.amaze.instances import MAX_SIDE_PX, Look

    try:
        look = Look(style, cell_size, size)
    except ValueError as error:
        raise GraderError(str(error)) from None
    report = make_instances(out, recipes, look, jobs=processes(jobs), training=training, progress=shown.progress)
    tell_made(shown, report)
    if report.shrunk:
        verb = "has" if report.shrunk == 1 else "have"
        shown.note(f"{report.shrunk} {verb} smaller cells, so that no side of a picture is over {MAX_SIDE_PX} px")
    tell_import(shown, "amaze", out)
    shown.answer(made_answer(report))


def _make_plans(
    shown: Output,
    out: Path,
    recipes: list[PlanRecipe],
    style: str,
    size: int,
    video_size: int,
    *,
    training: bool,
    jobs: int | None,
) -> None:
    from grader.make.plans import PlanLook, make_plans

    try:
        look = PlanLook(style, size, video_size or None)
    except ValueError as error:
        raise GraderError(str(error)) from None
    report = make_plans(out, recipes, look, jobs=processes(jobs), training=training, progress=shown.progress)
    tell_made(shown, report)
    tell_answers(shown, "mentisoculi", "puzzle", out)
    shown.line("or has made clips of the ways, CLIPS/NAME.mp4: the same with --clips CLIPS in place of --answers")
    shown.answer(made_answer(report))


make_app.command("floor-maze", epilog=FLOOR_EPILOG)(floor_maze)
make_app.command("form-board", epilog=FORM_BOARD_EPILOG)(form_board)
make_app.command("grid-maze", epilog=GRID_MAZE_EPILOG)(grid_maze)
make_app.command("hinge-folding", epilog=HINGE_EPILOG)(hinge_folding)
make_app.command("paper-fold", epilog=PAPER_FOLD_EPILOG)(paper_fold)
make_app.command(epilog=TABLETOP_EPILOG)(tabletop)
make_app.command(epilog=JIGSAW_EPILOG)(jigsaw)


@make_app.command("list", epilog=epilog("grader make list", "grader make list --json", codes="Exit codes: 0 always."))
def list_(quiet: Quiet = False, as_json: Json = False) -> None:
    """List the styles of all puzzles, the presets of mazes and boards, and the operations of edits."""
    from puzzles.amaze.presets import MAZE_PRESETS, QUEENS_PRESETS
    from puzzles.amaze.styles import MAZE_STYLES, QUEENS_STYLES
    from puzzles.grid_maze.palettes import PALETTES
    from puzzles.hinge_folding.style import HINGE_STYLES
    from puzzles.mentis.form_boards import FORM_STYLES
    from puzzles.mentis.paper_folds import FOLD_STYLES
    from puzzles.mentis.styles import LOT_STYLES, SLIDING_STYLES

    presets = {"maze": MAZE_PRESETS, "queens": QUEENS_PRESETS}
    styles = {"maze": MAZE_STYLES, "queens": QUEENS_STYLES, "rush-hour": LOT_STYLES, "sliding": SLIDING_STYLES}
    styles["form-board"] = FORM_STYLES
    styles |= {"hinge-folding": HINGE_STYLES}
    styles["paper-fold"] = FOLD_STYLES
    out = Output(quiet, as_json)
    for task, names in styles.items():
        out.line(f"{task} styles: {', '.join(names)}, random")
        if task in presets:
            out.line(f"{task} presets:")
            for name, preset in presets[task].items():
                out.line(f"  {name} ({len(preset)}): {preset.meaning}")
    out.line(f"grid-maze palettes: {', '.join(PALETTES)}; its groups have no styles beside")
    out.line(f"tabletop operations: {', '.join(OperationName)}; scenes have no styles: each has a look of its own")
    out.answer(
        {
            "styles": {task: [*names, "random"] for task, names in styles.items()},
            "presets": {
                task: [{"name": name, "instances": len(one), "meaning": one.meaning} for name, one in sets.items()]
                for task, sets in presets.items()
            },
            "operations": [one.value for one in OperationName],
            "palettes": list(PALETTES),
        }
    )
