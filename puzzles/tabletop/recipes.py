"""What an edit of a tabletop scene is made from. A recipe's name is its folder's name."""

from __future__ import annotations

from dataclasses import dataclass

from puzzles.amaze.recipes import MAX_SEED
from puzzles.tabletop.edits import Edit, EditImpossibleError, Operation, make_edit
from puzzles.tabletop.generator import MAX_CUBOIDS, SceneOptions, generate_scene

LEAST_BOXES = 2
"""With fewer nothing could be placed by another, or mistaken for it."""
_TRIES = 50  # scenes of a seed that are asked for room for the edit


@dataclass(frozen=True)
class TabletopRecipe:
    """An edit that can be made. Recipes of one seed have the same scene, if that has room for the edit.

    Attributes
    ----------
    operation
        What the edit does.
    seed
        From 0 to 9,999,999; of the scene with its camera, table and lamp, and of the edit.
    twins
        Whether two boxes have one label and size, so that the instruction has to say which of them is meant.
    least, most
        How many boxes the scene has, from 2 to 8.

    Raises
    ------
    ValueError
        If a number is out of range.
    """

    operation: Operation
    seed: int
    twins: bool = False
    least: int = 3
    most: int = 5

    def __post_init__(self) -> None:
        if not 0 <= self.seed <= MAX_SEED:
            raise ValueError(f"seed must be from 0 to {MAX_SEED}, not {self.seed}")
        if not LEAST_BOXES <= self.least <= self.most <= MAX_CUBOIDS:
            raise ValueError(f"a scene has {LEAST_BOXES} to {MAX_CUBOIDS} boxes, not {self.least} to {self.most}")

    @property
    def name(self) -> str:
        """Such as ``tabletop-move-0000012``, or ``tabletop-move-twins-0000012``."""
        return f"tabletop-{self.operation.value}{'-twins' if self.twins else ''}-{self.seed:07}"

    def edit(self) -> Edit:
        """Return the edit; RuntimeError if no scene with room for it was found from this seed."""
        options = SceneOptions(self.least, self.most, self.twins)
        for number in range(_TRIES):
            # Further scenes have seeds that no recipe has as its own.
            scene = generate_scene(self.seed + number * (MAX_SEED + 1), options)
            try:
                return make_edit(scene, self.operation, self.seed)
            except EditImpossibleError:
                continue
        raise RuntimeError(f"no scene with room for the edit was found for seed {self.seed}")
