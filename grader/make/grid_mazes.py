"""Grid mazes as files: picture, grid as text, record, right answer; and the public annotations of all of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from PIL import Image

from grader.make.errors import MakeError
from grader.make.sets import MakeReport, make_planned
from grader.model.json_fields import load_object
from grader.output.files import replacing
from puzzles.amaze.instances import RECIPE_NAME
from puzzles.grid_maze.generator import generate_grid_maze
from puzzles.grid_maze.recipes import GridMazeRecipe
from puzzles.grid_maze.records import ANNOTATIONS_NAME, META_NAME, annotation_of, meta_of, right_answer
from puzzles.grid_maze.render import PICTURE_PX, render_grid_maze

PICTURE_NAME, TEXT_NAME, RECORD_NAME, ANSWER_NAME = "maze.png", "maze.txt", "metadata.json", "answer.json"
LEAST_PX, MOST_PX = 512, 3300
"""Sides of pictures."""

_INSTRUCTION = (
    "The picture shows a maze of square tiles seen from above, with a player, a treasure, floor, walls and traps. The "
    "player goes one tile up, down, left or right at a time, never into a wall or a trap. Say whether the treasure can "
    "be reached, and by which shortest path. Reply with one JSON object and nothing else, with just these keys: "
    '"grid_size" ([rows, columns]), "start_found", "goal_found", "reachable" (booleans), "shortest_path_length" '
    '(whole number, or null if unreachable), "path" (list of "U", "D", "L", "R"; empty if unreachable), "confidence" '
    '("high", "medium" or "low"; "low" if start or goal was not found), "image_ambiguity" ("none", "minor" or "major").'
)


@dataclass(frozen=True)
class GridMazeInstance:
    """An instance that can be made: a recipe, and the side of its square picture in pixels, 512 to 3300.

    Raises
    ------
    ValueError
        If the side is out of range.
    """

    recipe: GridMazeRecipe
    side_px: int = PICTURE_PX

    def __post_init__(self) -> None:
        if not LEAST_PX <= self.side_px <= MOST_PX:
            raise ValueError(f"the picture's side must be from {LEAST_PX} to {MOST_PX} px, not {self.side_px}")

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.recipe.name

    @property
    def shrunk(self) -> bool:
        """Whether it is smaller than asked for; it never is."""
        return False

    @property
    def files(self) -> tuple[str, ...]:
        """Names of the files that a whole instance has."""
        return (PICTURE_NAME, TEXT_NAME, RECORD_NAME, ANSWER_NAME, RECIPE_NAME)

    @property
    def text(self) -> str:
        """The content of ``recipe.json``: two instances with the same one are the same."""
        recipe = self.recipe
        content: dict[str, object] = {"task": "grid_maze", "name": recipe.name, **asdict(recipe.parameters)}
        content |= {"style": recipe.palette, "group": recipe.group, "side_px": self.side_px}
        return json.dumps(content | {"instruction": _INSTRUCTION}, indent=1) + "\n"


def make_grid_mazes(
    out: Path,
    recipes: Sequence[GridMazeRecipe],
    side_px: int = PICTURE_PX,
    *,
    jobs: int = 1,
    training: bool = False,
    progress: bool = True,
) -> MakeReport:
    """Makes mazes as ``out/instances/<name>/``, as `grader.make.sets.make_planned` says, and the public annotations.

    These are ``out/maze_annotations.json`` and ``out/meta.json``, of all mazes that are in ``out``.
    MakeError too if the pictures' side is out of range.
    """
    try:
        planned = [GridMazeInstance(recipe, side_px) for recipe in recipes]
    except ValueError as error:
        raise MakeError(str(error)) from None
    report = make_planned(out, planned, write_grid_maze, jobs=jobs, training=training, progress=progress)
    _write_annotations(out, report.instances)
    return report


def write_grid_maze(folder: Path, instance: GridMazeInstance) -> None:
    """Writes an instance's files into a folder, which is made if absent; ``recipe.json`` is the last one.

    OSError if the folder can't be written. The same instance gives the same bytes.

    Raises
    ------
    MakeError
        If no maze of the least length was met.
    """
    recipe = instance.recipe
    try:
        maze = generate_grid_maze(recipe.parameters)
    except ValueError as error:
        raise MakeError(f"{recipe.name}: {error}") from None
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(render_grid_maze(maze, recipe.palette, instance.side_px)).save(folder / PICTURE_NAME, "PNG")
    record = meta_of(maze, recipe, instance.side_px) | annotation_of(maze)
    for name, text in (
        (TEXT_NAME, maze.text),
        (RECORD_NAME, json.dumps(record, indent=1) + "\n"),
        (ANSWER_NAME, right_answer(maze) + "\n"),
        (RECIPE_NAME, instance.text),
    ):
        (folder / name).write_text(text, encoding="utf-8")


def _write_annotations(out: Path, instances: Path) -> None:
    """The records of all mazes in a folder, in the public form; other puzzles may lie beside them."""
    meta: dict[str, object] = {}
    said: dict[str, object] = {}
    for path in sorted(instances.glob(f"*/{TEXT_NAME}")):
        place = path.parent / RECORD_NAME
        try:
            record = dict(load_object(place.read_bytes(), str(place)).content)
            said[path.parent.name] = {key: record[key] for key in ("reachable", "accepted_shortest_paths")}
            del record["accepted_shortest_paths"]
        except (OSError, ValueError, KeyError) as error:
            raise MakeError(
                f"{place} can't be read ({error!r}); remove its folder, and run the command again"
            ) from None
        meta[path.parent.name] = record
    for name, content in ((META_NAME, meta), (ANNOTATIONS_NAME, said)):
        with replacing(out / name) as stream:
            json.dump(content, stream, indent=1)
            stream.write("\n")
