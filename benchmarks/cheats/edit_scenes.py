"""The scenes of coloured boxes that cheats at spatial edits are drawn on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cheats.subjects import Subject
from benchmarks.edits import EditCase, edit_job
from grader.model.jobs import GradeJob, Similarity
from grader.tasks.spatial_edit.model import SpatialEditInput
from grader.tools.similarity import Measured, Measures
from puzzles.common.raster import Picture
from puzzles.tabletop.edits import Edit, EditImpossibleError, Operation, make_edit
from puzzles.tabletop.generator import SceneOptions, generate_scene
from puzzles.tabletop.render import owners, render_scene
from puzzles.tabletop.scene import Cuboid, Scene, TableCamera

SCALE = 0.5
"""Pictures are 320 x 240: as large as boxes need to be told apart, and quick to grade."""
EDITED = (Operation.MOVE, Operation.PLACE, Operation.ROTATE, Operation.RESIZE, Operation.REMOVE)
"""The operations that cheats are drawn for."""
Mask = NDArray[np.bool_]


class GateBySsim(Measures):
    """LPIPS as if it saw every difference, where torch is missing: a gate of either measure stands on SSIM alone."""

    def take(
        self,
        similarity: Similarity,
        candidate: NDArray[np.uint8],
        reference: NDArray[np.uint8],
        kept: NDArray[np.bool_] | None,
    ) -> Measured:
        """SSIM as it is; an LPIPS of 1."""
        if similarity is not Similarity.SSIM:
            return Measured(1.0)
        return super().take(similarity, candidate, reference, kept)


@dataclass(frozen=True, eq=False)
class EditSubject(Subject):
    """An edit of a generated scene."""

    edit: Edit

    @property
    def input(self) -> Picture:
        """The picture before."""
        return self.before

    @property
    def solution(self) -> Picture:
        """The picture that is wanted."""
        return self.after

    @cached_property
    def task(self) -> SpatialEditInput:
        """The scene before, and what is asked."""
        found = edit_job(EditCase("cheat", self.edit, "right", self.edit.after)).task
        if not isinstance(found, SpatialEditInput):
            raise TypeError("an edit's job holds an edit")
        return found

    def job(self, candidate: NDArray[np.uint8] | bytes, *, overlay: bool = False) -> GradeJob:
        """Return the job of grading a candidate, by the gate for photographs."""
        return replace(super().job(candidate, overlay=overlay), profile="gsi_real")

    @property
    def operation(self) -> Operation:
        """What is asked."""
        return self.edit.operation

    @property
    def stays(self) -> bool:
        """Whether the object is still to be seen when all is right."""
        return self.operation is not Operation.REMOVE

    @property
    def leaves(self) -> bool:
        """Whether the object leaves its place."""
        return self.operation in (Operation.MOVE, Operation.PLACE, Operation.REMOVE)

    @property
    def moves(self) -> bool:
        """Whether the object goes elsewhere."""
        return self.operation in (Operation.MOVE, Operation.PLACE)

    @property
    def target(self) -> int:
        """Index of the edited box."""
        if self.edit.target is None:
            raise RuntimeError("an edit of an object has a target")
        return self.edit.target

    @property
    def old(self) -> Cuboid:
        """The edited box before."""
        return self.edit.before.cuboids[self.target]

    @property
    def new(self) -> Cuboid:
        """The edited box as it is wanted; not for removals."""
        return self.edit.after.cuboids[self.target]

    @property
    def others(self) -> Sequence[int]:
        """Indices of the other boxes."""
        return [index for index in range(len(self.edit.before.cuboids)) if index != self.target]

    @cached_property
    def before(self) -> Picture:
        """The picture before."""
        return render_scene(self.edit.before)

    @cached_property
    def after(self) -> Picture:
        """The picture that is wanted."""
        return render_scene(self.edit.after)

    @cached_property
    def empty(self) -> Picture:
        """The scene without the edited box and its shadow."""
        return render_scene(self.edit.before.without(self.target))

    @cached_property
    def old_mask(self) -> Mask:
        """(H, W), where the edited box is seen before."""
        return _grown(owners(self.edit.before) == self.target)

    @cached_property
    def new_mask(self) -> Mask:
        """(H, W), where the edited box should be seen; empty for removals."""
        if not self.stays:
            return np.zeros_like(self.old_mask)
        return _grown(owners(self.edit.after) == self.target)

    @property
    def vacated(self) -> Mask:
        """(H, W), where the edited box was seen and should no longer be."""
        return self.old_mask & ~self.new_mask

    def with_old(self, **changes: object) -> Scene:
        """The scene before, with another edited box."""
        return self.edit.before.with_cuboid(self.target, replace(self.old, **changes))  # type: ignore[arg-type]

    def with_new(self, **changes: object) -> Scene:
        """The scene that is wanted, with another edited box."""
        return self.edit.after.with_cuboid(self.target, replace(self.new, **changes))  # type: ignore[arg-type]


def _grown(mask: Mask) -> Mask:
    """A pixel more all around, which is where a box's colour is smeared into its surroundings."""
    return cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def shrunk(scene: Scene, scale: float = SCALE) -> Scene:
    """Return the scene as a smaller picture shows it."""
    camera = scene.camera
    size = (round(camera.width * scale), round(camera.height * scale))
    small = TableCamera(*size, camera.focal_px * scale, camera.rotation, camera.translation)
    return replace(scene, camera=small)


@cache
def edit_subject(operation: Operation, seed: int = 0) -> EditSubject:
    """Return an edit of a scene of two boxes; of seeds that have no room for one, the next that has.

    Moves of less than 12 cm are left out: with them old and new place overlap so far that little is left to cheat with.
    """
    while True:
        scene = shrunk(generate_scene(seed, SceneOptions(least=2, most=2)))
        try:
            found = EditSubject(make_edit(scene, operation, seed))
        except EditImpossibleError:
            seed += 1
            continue
        if not found.moves or math.dist(found.old.place, found.new.place) >= 0.12:
            return found
        seed += 1
