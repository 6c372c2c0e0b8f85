"""A scene with the edit that is asked for, checked and decoded; made once and kept for all its candidates."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.predicted.changes import changed_pixels
from detectors.spatial_edit.predicted.prediction import SceneBefore
from detectors.spatial_edit.viewpoint.turning import Features, find_features
from grader.media.pictures import MediaLimits
from grader.metrics.space.boxes3d import OrientedBox
from grader.metrics.space.edit_rules import EditRules
from grader.metrics.space.edit_types import Detection, normal_label
from grader.metrics.space.edits import score_move, score_resize, score_rotate
from grader.metrics.space.geometry_errors import GeometryError
from grader.metrics.space.projection import Camera, boxes_mask
from grader.model.jobs import CandidateKind
from grader.tasks.common.inputs import Inputs
from grader.tasks.spatial_edit.model import EditOperation, SpatialEditInput
from grader.tasks.spatial_edit.scene.boxes import field_path, read_box, read_detections, read_intrinsics
from grader.tasks.spatial_edit.scene.finding import ColoredScene, find_in, look_before, read_colored
from grader.tasks.spatial_edit.scene.own_error import check_seen, reach_of
from grader.tasks.spatial_edit.scene.prompts import operation_of_prompt
from grader.tasks.spatial_edit.settings import SpatialEditSettings

_WITH_DESTINATION = (EditOperation.MOVE, EditOperation.ROTATE, EditOperation.RESIZE)
_LEAST_PX = 32  # not a threshold: what requests may hold
"""LPIPS needs as much of a side."""
_MOST_DETECTIONS = 500  # not a threshold: what requests may hold
"""More are no scene, and comparing each with each would take minutes."""


@dataclass(frozen=True, eq=False)
class EditScene:
    """A prepared edit.

    Attributes
    ----------
    operation : what is asked for
    target : the label of the edited object; empty for views
    source, destination : its box before, and as it should be; None where the operation has none
    detections : what was found before the edit
    camera : of the picture, or None where there is no picture
    picture : (H, W, 3) uint8 RGB before the edit, or None
    background : (H, W) bool, what neither box covers; None without a picture
    result : (H, W, 3) uint8 RGB, what a change of view should give, or None
    colored : what boxes look like, where they are to be found in pictures; else None
    before : what this grader's own detector found before the edit; empty where it was not asked
    features : what the picture before shows outside of the boxes, of turns; None of other edits, and without a picture
    look : how the picture before looks, where boxes are coloured ones; else None
    """

    operation: EditOperation
    target: str
    source: OrientedBox | None
    destination: OrientedBox | None
    detections: tuple[Detection, ...]
    camera: Camera | None
    picture: NDArray[np.uint8] | None
    background: NDArray[np.bool_] | None
    result: NDArray[np.uint8] | None
    colored: ColoredScene | None = None
    before: tuple[Detection, ...] = ()
    features: Features | None = None
    look: SceneBefore | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its picture in pixels; 1 x 1 without one."""
        shown = self.result if self.result is not None else self.picture
        return (1, 1) if shown is None else (shown.shape[1], shown.shape[0])


def prepare_edit(
    task: SpatialEditInput, settings: SpatialEditSettings, limits: MediaLimits, kind: CandidateKind
) -> EditScene:
    """Checks and decodes an edit; for candidates that are pictures, finds what stood there before if it is not given.

    Raises
    ------
    InvalidRequestError
        Naming each field that is missing, undecodable, no box or no rotation, or that asks for nothing.
    """
    inputs = Inputs(limits)
    operation = task.operation or operation_of_prompt(task.prompt, task.target)
    if operation is None:
        text = "set it; the prompt does not begin with a word that says it either, such as move, rotate or remove"
        inputs.fault("spatial_edit.puzzle.operation", "MISSING", text)
    _check_unused(task, operation, kind, inputs)
    finds = kind is CandidateKind.IMAGE and operation is not EditOperation.VIEW
    needed = finds or operation is EditOperation.VIEW
    picture = inputs.picture("spatial_edit.puzzle.image", task.image, required=needed)
    _check_side(picture, "spatial_edit.puzzle.image", inputs)
    if operation is EditOperation.VIEW:
        result = inputs.picture("spatial_edit.truth.image", task.result_image)
        _check_side(result, "spatial_edit.truth.image", inputs)
        _check_view(picture, result, settings, inputs)
        colored = None
        if task.colored_boxes is not None:
            colored = read_colored(task.colored_boxes, settings.boxes.paint, inputs)
        inputs.check()
        return EditScene(operation, "", None, None, (), None, picture, None, result, colored)
    source = read_box(task.source_box, "spatial_edit.puzzle.source_box", inputs)
    destination = None
    if operation in _WITH_DESTINATION:
        destination = read_box(task.destination_box, "spatial_edit.truth.destination_box", inputs)
    if not normal_label(task.target):
        inputs.fault("spatial_edit.puzzle.target", "MISSING", "give the label of the object that is edited")
    colored = None
    if finds and task.colored_boxes is not None:
        colored = read_colored(task.colored_boxes, settings.boxes.paint, inputs)
        if operation is EditOperation.RESIZE and colored is not None and colored.plane is None:
            text = "give the table: without it the size that a box has now can't be told"
            inputs.fault("spatial_edit.puzzle.colored_boxes.table", "MISSING", text)
    if operation in (EditOperation.MOVE, EditOperation.REMOVE) and not (task.detections or finds):
        text = "give what was found before the edit: objects are counted, and places compared, with it"
        inputs.fault("spatial_edit.puzzle.detections", "MISSING", text)
    check_count(task.detections, "spatial_edit.puzzle.detections", inputs)
    inputs.check()
    detections = read_detections(task.detections, "spatial_edit.puzzle.detections", inputs, task.target)
    _check_target(task.target, detections, colored, inputs)
    size = None if picture is None else (picture.shape[1], picture.shape[0])
    camera = read_intrinsics(task.intrinsics, "spatial_edit.puzzle.intrinsics", size, inputs)
    operation, source = inputs.checked(operation), inputs.checked(source)
    if destination is not None:
        _check_asked(operation, task.target, source, destination, settings.rules, inputs)
        inputs.check()
    background = None
    if size is not None and camera is not None:
        for box, path in ((source, "puzzle.source_box"), (destination, "truth.destination_box")):
            if box is not None and not boxes_mask([box], camera, *size).any():
                text = "no part of it is in the picture; boxes are in the camera's frame, with +z forward"
                inputs.fault(f"spatial_edit.{path}", "OUT_OF_RANGE", text)
        inputs.check()
        background = ~boxes_mask([box for box in (source, destination) if box is not None], camera, *size)
    before: tuple[Detection, ...] = ()
    if colored is not None and picture is not None and camera is not None:
        before = find_in(picture, camera, colored, settings).detections
        check_seen(before, task.target, source, reach_of(source, settings.finding, own=True), inputs)
    elif detections and kind is CandidateKind.SCENE:
        check_seen(detections, task.target, source, reach_of(source, settings.finding, own=False), inputs)
    inputs.check()
    look = None
    if before and colored is not None and picture is not None and camera is not None:
        look = look_before(picture, camera, colored, source, before, settings.predicted)
    features = None
    if operation is EditOperation.ROTATE and picture is not None:
        features = find_features(picture, background, settings.viewpoint.features)
    return EditScene(
        operation,
        task.target,
        source,
        destination,
        before or detections,
        camera,
        picture,
        background,
        None,
        colored,
        before,
        features,
        look,
    )


def _check_unused(task: SpatialEditInput, operation: EditOperation | None, kind: CandidateKind, inputs: Inputs) -> None:
    """Notes a fault for what says something else than the operation or the candidate, and would not be looked at."""
    if operation is None:
        return
    if task.destination_box is not None and operation not in _WITH_DESTINATION:
        text = f"the operation {operation.value} has no destination; leave it out"
        inputs.fault("spatial_edit.truth.destination_box", "NOT_TAKEN", text)
    if operation is EditOperation.VIEW:
        return
    if task.result_image is not None:
        text = f"only a change of view is compared with a picture, not the operation {operation.value}; leave it out"
        inputs.fault("spatial_edit.truth.image", "NOT_TAKEN", text)
    if task.colored_boxes is not None and kind is CandidateKind.SCENE:
        text = "a scene says what was found, so nothing is looked for; send an image, or leave colored_boxes out"
        inputs.fault("spatial_edit.puzzle.colored_boxes", "NOT_TAKEN", text)


def check_count(found: Sized, path: str, inputs: Inputs) -> None:
    """Notes a fault where there are too many detections."""
    if len(found) > _MOST_DETECTIONS:
        inputs.fault(path, "OUT_OF_RANGE", f"there are {len(found)}; at most {_MOST_DETECTIONS} are taken")


def _check_side(picture: NDArray[np.uint8] | None, path: str, inputs: Inputs) -> None:
    if picture is not None and min(picture.shape[:2]) < _LEAST_PX:
        have = f"it is {picture.shape[1]}x{picture.shape[0]}"
        inputs.fault(path, "OUT_OF_RANGE", f"{have}; give at least {_LEAST_PX} pixels a side")


def _check_view(
    picture: NDArray[np.uint8] | None, result: NDArray[np.uint8] | None, settings: SpatialEditSettings, inputs: Inputs
) -> None:
    """Notes a fault where the picture that a change of view should give is the one before."""
    if picture is None or result is None or picture.shape != result.shape:
        return
    if not changed_pixels(picture, result, settings.changes).any():
        text = "it shows what the picture before shows, so it asks for nothing; send the picture that should result"
        inputs.fault("spatial_edit.truth.image", "DEGENERATE_EDIT", text)


def _check_target(target: str, detections: tuple[Detection, ...], colored: ColoredScene | None, inputs: Inputs) -> None:
    """Notes a fault where nothing has the target's label, though it is said what is there."""
    label = normal_label(target)
    seen = [one.label for one in detections] or [kind.label for kind in (colored.kinds if colored else ())]
    if seen and label and label not in map(normal_label, seen):
        text = f"nothing that the request says is there has the label {target[:60]!r}"
        inputs.fault("spatial_edit.puzzle.target", "MISMATCH", text)


def _check_asked(
    operation: EditOperation,
    target: str,
    source: OrientedBox,
    destination: OrientedBox,
    rules: EditRules,
    inputs: Inputs,
) -> None:
    """Notes a fault where the destination asks for nothing: no way, no turn, no other size."""
    try:
        if operation is EditOperation.MOVE:
            score_move(target, source, destination, (), (), rules)
        elif operation is EditOperation.ROTATE:
            score_rotate(target, source, destination, (), rules)
        else:
            score_resize(target, source, destination, (), rules)
    except GeometryError as error:
        part = GeometryError(error.field.removeprefix("destination."), error.reason, error.description)
        path = field_path("spatial_edit.truth.destination_box", part)
        inputs.fault(path, error.reason.value, error.description)
