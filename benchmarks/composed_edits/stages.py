"""An edit of a scene of coloured boxes, drawn before and as it is wanted, with what is where in both pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy.seeds import dice_of
from benchmarks.cheats.edit_scenes import EDITED, shrunk
from puzzles.common.raster import Picture
from puzzles.tabletop.edits import Edit, EditImpossibleError, make_edit
from puzzles.tabletop.generator import SceneOptions, generate_scene
from puzzles.tabletop.render import owners, render_scene
from puzzles.tabletop.scene import Cuboid, Scene

Mask = NDArray[np.bool_]

PER_STAGE = 20
"""Pictures of one edit, for its boxes are looked for once."""
_SCALES, _CHANCES = (0.5, 0.75, 1.0), (0.6, 0.25, 0.15)
"""Pictures are 320, 480 or 640 px wide."""


@dataclass(frozen=True, eq=False)
class EditStage:
    """An edit that is asked for, with its pictures."""

    name: str
    edit: Edit

    @property
    def target(self) -> int:
        """Index of the edited box."""
        if self.edit.target is None:
            raise RuntimeError("an edit of an object has a target")
        return self.edit.target

    @property
    def stays(self) -> bool:
        """Whether the object is still there when all is right."""
        return self.edit.wanted is not None

    @property
    def old(self) -> Cuboid:
        """The edited box before."""
        return self.edit.before.cuboids[self.target]

    @cached_property
    def before(self) -> Picture:
        """The picture before."""
        return render_scene(self.edit.before)

    @cached_property
    def after(self) -> Picture:
        """The picture that is wanted."""
        return render_scene(self.edit.after)

    @cached_property
    def emptied(self) -> Picture:
        """The table without any box, but with the floor around it."""
        return render_scene(self.edit.before.without(*range(len(self.edit.before.cuboids))))

    @cached_property
    def owners_before(self) -> NDArray[np.int16]:
        """(H, W), the box of each pixel before, -1 for none."""
        return owners(self.edit.before)

    @cached_property
    def owners_after(self) -> NDArray[np.int16]:
        """(H, W), the box of each pixel as it is wanted; by the indices of the scene that is wanted."""
        return owners(self.edit.after)

    @property
    def new_mask(self) -> Mask:
        """(H, W), where the edited box should be seen; empty for removals."""
        if not self.stays:
            return np.zeros(self.before.shape[:2], np.bool_)
        return np.asarray(self.owners_after == self.target, np.bool_)

    @property
    def vacated(self) -> Mask:
        """(H, W), where the edited box was seen, and nothing is when all is right."""
        return np.asarray((self.owners_before == self.target) & (self.owners_after < 0), np.bool_)

    @cached_property
    def others(self) -> tuple[int, ...]:
        """Indices of the other boxes in the scene that is wanted."""
        return tuple(at for at in range(len(self.edit.after.cuboids)) if not (self.stays and at == self.target))

    @cached_property
    def ground(self) -> Mask:
        """(H, W), where no box is seen in either picture, nor close by."""
        boxes = ((self.owners_before >= 0) | (self.owners_after >= 0)).astype(np.uint8)
        return np.asarray(cv2.dilate(boxes, np.ones((9, 9), np.uint8)) == 0, np.bool_)


@lru_cache(maxsize=2)
def stage_of(number: int) -> EditStage:
    """The edit of a number; the last two are kept."""
    name = f"edit-{number:06d}"
    dice = dice_of(f"composed-edits/{name}")
    operation = EDITED[number % len(EDITED)]
    scale = float(dice.choice(_SCALES, p=_CHANCES))
    while True:
        seed = int(dice.integers(1 << 30))
        scene: Scene = shrunk(generate_scene(seed, SceneOptions(least=2, most=4, twins=dice.random() < 0.15)), scale)
        try:
            return EditStage(name, make_edit(scene, operation, seed))
        except EditImpossibleError:
            continue
