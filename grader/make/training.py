"""Lists what was made for training: ``train.jsonl``, a line for each instance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from grader.make.errors import MakeError
from grader.model.json_fields import load_object
from grader.output.files import replacing
from puzzles.amaze.instances import RECIPE_NAME

TRAINING_NAME = "train.jsonl"

# What a line names of an instance of a task: facts of its recipe, files.
_FACTS = {
    "maze": ("instruction", "geometry", "scale", "algorithm"),
    "queens": ("instruction", "n"),
    "rush_hour": ("instruction", "level"),
    "sliding": ("instruction", "size", "moves"),
    "form_board": ("instruction", "level"),
    "hinge_folding": ("instruction", "level"),
    "tabletop": ("operation", "twins"),
    "grid_maze": ("instruction", "rows", "cols", "wall_density", "trap_count"),
    "paper_fold": ("instruction", "level"),
}
_FILES = {
    "maze": {"input": "input.png", "solution": "solution.png", "cell_map": "cell_map.png", "mask": "mask.png"},
    "queens": {"input": "input.png", "solution": "solution.png", "cell_map": "cell_map.png"},
    "rush_hour": {"input": "initial.png", "metadata": "metadata.json", "answer": "answer.json"},
    "sliding": {
        "input": "initial.png",
        "target": "target.png",
        "metadata": "metadata.json",
        "answer": "answer.json",
    },
    "form_board": {
        "input": "initial.png",
        "solution": "solution.png",
        "metadata": "metadata.json",
        "answer": "answer.json",
    },
    "hinge_folding": {
        "input": "combined.png",
        "target": "target.png",
        "metadata": "metadata.json",
        "answer": "answer.json",
    },
    "tabletop": {"input": "before.png", "solution": "after.png", "metadata": "metadata.json"},
    "paper_fold": {
        "input": "combined.png",
        "sheet": "sheet_00.png",
        "metadata": "metadata.json",
        "answer": "answer.json",
    },
    "grid_maze": {"input": "maze.png", "text": "maze.txt", "metadata": "metadata.json", "answer": "answer.json"},
}
_VIDEO_NAME = "solution.mp4"


def write_training(out: Path, instances: Path) -> tuple[Path, int]:
    """Writes a line for each instance with a recipe, by name; the file appears whole or not at all.

    Parameters
    ----------
    out : Path
        The folder of the list.
    instances : Path
        The folder of the instances, below ``out``.

    Returns
    -------
    tuple of Path and int
        The list and its number of lines.

    Raises
    ------
    MakeError
        If an instance can't be read.
    OSError
        If the list can't be written.
    """
    place, count = out / TRAINING_NAME, 0
    with replacing(place) as stream:
        for recipe in sorted(instances.glob(f"*/{RECIPE_NAME}")):
            stream.write(_line(recipe, recipe.parent.relative_to(out)) + "\n")
            count += 1
    return place, count


def _line(recipe: Path, folder: Path) -> str:
    try:
        made = load_object(recipe.read_bytes(), str(recipe))
        task = made.text("task")
        facts = {name: made.content[name] for name in (*_FACTS[task], "seed", "style")}
        files = dict(_FILES[task])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _unreadable(recipe, error) from None
    if task == "tabletop":
        record = recipe.parent / files["metadata"]
        try:
            facts = _edit_facts(load_object(record.read_bytes(), str(record)).content, folder) | facts
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise _unreadable(record, error) from None
    if (recipe.parent / _VIDEO_NAME).is_file():
        files["video"] = _VIDEO_NAME
    paths = {key: (folder / file).as_posix() for key, file in files.items()}
    return json.dumps({"id": folder.name, "task": task, **paths, **facts}, ensure_ascii=False)


def _unreadable(file: Path, error: Exception) -> MakeError:
    return MakeError(f"{file} can't be read ({error!r}); remove its folder, and run the command again")


def _edit_facts(record: dict[str, Any], folder: Path) -> dict[str, Any]:
    """What only the record of an edit says: the instruction, whom it is about, and wrong results by what is wrong."""
    facts = {"instruction": record["prompt"]}
    if "target" in record:
        facts["label"] = record["target"]
    if record["wrong_results"]:
        facts["wrong"] = {one["wrong"]: (folder / one["image"]).as_posix() for one in record["wrong_results"]}
    return facts
