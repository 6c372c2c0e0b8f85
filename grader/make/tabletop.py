"""Edits of tabletop scenes as files: pictures before and after, wrong results, and a record for requests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from grader.importers.tabletop.importer import write_results
from grader.make.errors import MakeError
from grader.make.sets import MakeReport, make_planned
from puzzles.amaze.instances import RANDOM, RECIPE_NAME
from puzzles.tabletop.edit_files import AFTER_NAME, BEFORE_NAME, RECORD_NAME, instance_json
from puzzles.tabletop.edits import Edit
from puzzles.tabletop.faults import Fault, wrong_results
from puzzles.tabletop.recipes import TabletopRecipe
from puzzles.tabletop.render import render_scene
from puzzles.tabletop.scene import Scene

LEAST_PX, MOST_PX, STEP_PX = 320, 1920, 4
"""Pictures are as wide as this, in steps of so much, which keeps 4 : 3."""
MANIFEST_NAME = "requests.jsonl"


@dataclass(frozen=True)
class TabletopLook:
    """How pictures are to be, and which.

    Attributes
    ----------
    width_px
        Of the pictures, 320 to 1920, a multiple of 4; they are three quarters as high.
    wrong
        Whether wrong results are drawn too, and half done ones.

    Raises
    ------
    ValueError
        If the width is out of range.
    """

    width_px: int = 640
    wrong: bool = False

    def __post_init__(self) -> None:
        if not LEAST_PX <= self.width_px <= MOST_PX or self.width_px % STEP_PX:
            raise ValueError(
                f"the pictures' width is {self.width_px} px; give a multiple of {STEP_PX} from {LEAST_PX} to "
                f"{MOST_PX}, such as 640"
            )


@dataclass(frozen=True)
class TabletopInstance:
    """An instance that can be made."""

    recipe: TabletopRecipe
    look: TabletopLook

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
        """Names of the files that a whole instance has, but for wrong results that not every edit has."""
        wrong = (wrong_name(Fault.NO_OP),) if self.look.wrong else ()
        return (BEFORE_NAME, AFTER_NAME, *wrong, RECORD_NAME, RECIPE_NAME)

    @property
    def text(self) -> str:
        """The content of ``recipe.json``: two instances with the same one are the same.

        The instruction is in the record, for it is known only once the scene is there.
        """
        recipe = self.recipe
        content = {
            "task": "tabletop",
            "name": recipe.name,
            "operation": recipe.operation.value,
            "seed": recipe.seed,
            "twins": recipe.twins,
            "least_boxes": recipe.least,
            "most_boxes": recipe.most,
            # Table, lamp, camera and boxes of each are drawn by its seed.
            "style": RANDOM,
            "width_px": self.look.width_px,
            "wrong": self.look.wrong,
        }
        return json.dumps(content, indent=1) + "\n"


@dataclass(frozen=True)
class TabletopReport:
    """What was done: instances, and the manifest of their results with its number of lines."""

    made: MakeReport
    manifest: Path
    requests: int


def make_tabletop(
    out: Path,
    recipes: Sequence[TabletopRecipe],
    look: TabletopLook,
    *,
    jobs: int = 1,
    training: bool = False,
    progress: bool = True,
) -> TabletopReport:
    """Makes edits as ``out/instances/<name>/``, as `grader.make.sets.make_planned` says, and ``out/requests.jsonl``.

    That is a manifest of the results that lie in all instances of ``out``, right and wrong, for ``grader grade``.
    """
    planned = [TabletopInstance(recipe, look) for recipe in recipes]
    report = make_planned(out, planned, write_tabletop, jobs=jobs, training=training, progress=progress)
    manifest = out / MANIFEST_NAME
    return TabletopReport(report, manifest, write_results(out, manifest))


def wrong_name(fault: Fault) -> str:
    """The name of a wrong result's picture, such as ``wrong_no_op.png`` or ``wrong_direction.png``."""
    return f"wrong_{fault.name.lower().removeprefix('wrong_')}.png"


def write_tabletop(folder: Path, instance: TabletopInstance) -> None:
    """Writes an instance's files into a folder, which is made if absent; ``recipe.json`` is the last one.

    OSError if the folder can't be written. The same instance gives the same bytes.

    Raises
    ------
    MakeError
        If no scene with room for the edit was found from the recipe's seed.
    """
    try:
        edit = instance.recipe.edit()
    except RuntimeError as error:
        raise MakeError(f"{instance.name}: {error}") from None
    folder.mkdir(parents=True, exist_ok=True)
    width = instance.look.width_px
    wrong = _wrong(edit, width) if instance.look.wrong else []
    for name, scene in (
        (BEFORE_NAME, edit.before.scaled(width)),
        (AFTER_NAME, edit.after.scaled(width)),
        *((name, scene) for name, _, scene in wrong),
    ):
        Image.fromarray(render_scene(scene)).save(folder / name, "PNG")
    (folder / RECORD_NAME).write_text(instance_json(edit.scaled(width), wrong), encoding="utf-8")
    (folder / RECIPE_NAME).write_text(instance.text, encoding="utf-8")


def _wrong(edit: Edit, width: int) -> list[tuple[str, str, Scene]]:
    """Wrong results with the names of their pictures and what is wrong, the same whatever the pictures' width."""
    return [(wrong_name(one.fault), one.fault.value, one.scene.scaled(width)) for one in wrong_results(edit)]
