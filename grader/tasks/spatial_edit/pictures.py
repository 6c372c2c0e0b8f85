"""Verdicts on edited pictures, by the boxes that are given or found and by the background."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from detectors.common.bars import without_bars
from detectors.spatial_edit.predicted.changes import ChangesConfig, changed_pixels
from detectors.spatial_edit.viewpoint.config import ViewpointConfig
from detectors.spatial_edit.viewpoint.turning import Viewpoint, ViewpointFinding, compare_viewpoints, find_features
from grader.lpips.availability import NETS
from grader.lpips.nets import LpipsNet
from grader.media.pictures import MediaLimits
from grader.metrics.space.edit_tables import Background
from grader.metrics.space.edit_types import Detection
from grader.metrics.space.projection import box_outline, camera_matrix
from grader.metrics.space.sightings import Sighting
from grader.model.errors import FieldViolation, InvalidRequestError
from grader.model.jobs import SceneCandidate, Similarity
from grader.model.verdict import Note, Outcome
from grader.tasks.common.fitting import fit
from grader.tasks.common.inputs import Inputs
from grader.tasks.common.judgement import Judgement
from grader.tasks.spatial_edit.judging.judge import EditEvidence, EditJudgement, judge_edit
from grader.tasks.spatial_edit.judging.looks import look_at_edit, look_at_view
from grader.tasks.spatial_edit.metrics import edit_metrics
from grader.tasks.spatial_edit.model import EditObservation, EditOperation, SceneObject
from grader.tasks.spatial_edit.overlay import draw_edit_overlay
from grader.tasks.spatial_edit.scene.boxes import read_scene
from grader.tasks.spatial_edit.scene.finding import Finds, find_in, free_label
from grader.tasks.spatial_edit.scene.own_error import (
    AskedEdit,
    check_seen,
    named_alike,
    reach_of,
    seen_before,
    without_error,
)
from grader.tasks.spatial_edit.scene.scene import EditScene, check_count
from grader.tasks.spatial_edit.scene.still import ChangedPixels
from grader.tasks.spatial_edit.settings import FindingSettings, SpatialEditSettings
from grader.tools.box_sources import BoxSource, Tools
from grader.tools.similarity import Measures

_MEASURE_OF = {net: similarity for similarity, net in NETS.items()}


def judge_edited_scene(
    puzzle: EditScene,
    picture: NDArray[np.uint8] | None,
    scene: SceneCandidate | None,
    tools: Tools,
    settings: SpatialEditSettings,
) -> Judgement:
    """Judges one edited picture, (H, W, 3) uint8 RGB or None, with what came with it or is found in it."""
    notes: tuple[Note, ...] = ()
    # Without a picture before there is nothing whose size it could be brought to.
    if picture is None or (puzzle.picture is None and puzzle.result is None):
        fitted = picture
    else:
        # What came with a scene is said in pixels of all of its picture.
        shown = picture if scene is not None else without_bars(picture, puzzle.size, settings.bars)
        fitted, notes = fit(shown, puzzle.size, settings.fitting)
        if shown is not picture:
            text = f"bars were cut off: of {_size_text(picture)} pixels {_size_text(shown)} were looked at"
            notes = (Note("BARS_CUT", text), *notes)
    unsure: tuple[str, ...] | None = None
    loose: tuple[int, ...] = ()
    detector = ""
    if scene is not None:
        found, only_seen, rating = *_read(puzzle, picture, scene), scene.appearance_rating
    else:
        if puzzle.colored is None and puzzle.operation is not EditOperation.VIEW:
            puzzle = _looked_at(puzzle, settings.finding, tools)
        finds, only_seen, rating = _found(puzzle, fitted, settings, tools), (), None
        found, unsure = finds.detections, finds.unsure if puzzle.colored is not None else None
        detector, loose = finds.detector, finds.loose
        if finds.unsure:
            text = f"the detector is not sure of: {', '.join(sorted(set(finds.unsure)))}"
            notes = (*notes, Note("UNSURE_DETECTION", text))
    sent = puzzle, found
    puzzle, found = _without_error(puzzle, found, settings.finding)
    background = _background(puzzle, fitted, tools.measures, settings.net)
    before = None
    if puzzle.operation is EditOperation.VIEW and puzzle.picture is not None:
        unedited = fit(puzzle.picture, puzzle.size, settings.fitting)[0]
        before = _background(puzzle, unedited, tools.measures, settings.net)
    viewpoint = _viewpoint(puzzle, fitted, settings.viewpoint)
    if viewpoint is not None and viewpoint.state is Viewpoint.UNKNOWN:
        text = (
            f"the pictures have {viewpoint.matches} features in common outside of the boxes, and these do not say "
            "whether the camera turned; the outcome does not depend on it"
        )
        notes = (*notes, Note("VIEWPOINT_UNKNOWN", text))
    looks = look_at_edit(sent[0], fitted, sent[1], settings)
    still = _stillness(puzzle, fitted, settings.changes)
    view = look_at_view(puzzle, fitted, settings) if puzzle.operation is EditOperation.VIEW else ()
    evidence = EditEvidence(
        found, background, rating, before, viewpoint, only_seen, unsure, looks, sent, still, view, loose
    )
    judged = judge_edit(puzzle, evidence, settings)
    if judged.seen.only_seen:
        text = "a box in the picture lies where the object should be, but none in space does; was it missed there?"
        notes = (*notes, Note("SEEN_IN_PICTURE_ONLY", text))
    if judged.outcome is Outcome.MEASURED:
        text = "the background could not be looked at, so this edit is measured, not judged; send both pictures"
        notes = (*notes, Note("GATE_NOT_AVAILABLE", text))
    if puzzle.operation is EditOperation.VIEW:
        text = "GSI-Bench gives no rule for views: SA = 0.5 SSIM + 0.5 (1 - LPIPS), IC = SA >= 0.5 are this grader's"
        notes = (*notes, Note("OWN_RULE_FOR_VIEWS", text))
    return Judgement(
        outcome=judged.outcome,
        score=judged.score,
        reward=judged.reward,
        metrics=edit_metrics(judged.shown, evidence, judged.seen.overlap),
        reasons=judged.reasons,
        observation=_observation(puzzle, found, judged.target),
        notes=notes,
        overlay=_overlay(puzzle, fitted, found, judged),
        box_detector=detector,
    )


def _size_text(picture: NDArray[np.uint8]) -> str:
    return f"{picture.shape[1]}x{picture.shape[0]}"


def _overlay(
    puzzle: EditScene, picture: NDArray[np.uint8] | None, found: tuple[Detection, ...], judged: EditJudgement
) -> Callable[[], NDArray[np.uint8]] | None:
    """What draws the verdict; None without a picture."""
    if picture is None:
        return None
    return lambda: draw_edit_overlay(puzzle, picture, found, judged)


def _read(
    puzzle: EditScene, picture: NDArray[np.uint8] | None, scene: SceneCandidate
) -> tuple[tuple[Detection, ...], tuple[Sighting, ...]]:
    """What was found in space, and what in the picture alone."""
    inputs = Inputs(MediaLimits())
    if puzzle.operation is EditOperation.VIEW and picture is None:
        inputs.fault("scene.image", "MISSING", "a change of view is judged by its picture; send it")
    rating = scene.appearance_rating
    # not a threshold: the contract's scale
    if rating is not None and not 0.0 <= rating <= 10.0:
        inputs.fault("scene.appearance_rating", "OUT_OF_RANGE", f"it is {rating:g}; give 0 to 10, or leave it out")
    check_count(scene.detections, "scene.detections", inputs)
    inputs.check()
    scale = (1.0, 1.0)
    if picture is not None and puzzle.picture is not None:
        scale = (puzzle.size[0] / picture.shape[1], puzzle.size[1] / picture.shape[0])
    found = read_scene(scene.detections, "scene.detections", inputs, scale, puzzle.target)
    inputs.check()
    return found


def _looked_at(puzzle: EditScene, settings: FindingSettings, tools: Tools) -> EditScene:
    """The puzzle with what the operator's detector finds in its picture, where the request does not say it."""
    detector = _detector(tools)
    if puzzle.picture is None or puzzle.camera is None or puzzle.source is None:
        return puzzle
    labels = dict.fromkeys((puzzle.target, *(one.label for one in puzzle.detections)))
    before = detector.find(puzzle.picture, puzzle.camera, tuple(labels)).detections
    inputs = Inputs(MediaLimits())
    check_seen(before, puzzle.target, puzzle.source, reach_of(puzzle.source, settings, own=False), inputs)
    inputs.check()
    return replace(puzzle, detections=before, before=before)


def _without_error(
    puzzle: EditScene, found: tuple[Detection, ...], settings: FindingSettings
) -> tuple[EditScene, tuple[Detection, ...]]:
    """The puzzle and what was found after the edit, without the error that the detector had before it."""
    source = puzzle.source
    if source is None:
        return puzzle, found
    own = puzzle.colored is not None
    seen = seen_before(puzzle.detections, puzzle.target, source, reach_of(source, settings, own=own))[0]
    if seen is not None:
        asked = AskedEdit(puzzle.operation, puzzle.target, source, puzzle.destination)
        detections, before = (without_error(one, seen, asked, settings) for one in (puzzle.detections, puzzle.before))
        puzzle = replace(puzzle, detections=detections, before=before)
        found = without_error(found, seen, asked, settings)
    if own and puzzle.operation is EditOperation.ROTATE and puzzle.destination is not None:
        found = named_alike(found, puzzle.target, source, puzzle.destination, settings)
    return puzzle, found


def _stillness(puzzle: EditScene, picture: NDArray[np.uint8] | None, config: ChangesConfig) -> ChangedPixels | None:
    """What did not change; None without two pictures and a camera."""
    if puzzle.picture is None or puzzle.camera is None or picture is None:
        return None
    return ChangedPixels(changed_pixels(puzzle.picture, picture, config), puzzle.camera, config)


def _detector(tools: Tools) -> BoxSource:
    """The operator's detector."""
    if tools.boxes is None:
        text = (
            "this grader finds boxes only where it is told what they look like, or where its operator named a detector "
            "(GRADER_BOX_DETECTOR); give colored_boxes, or send a scene"
        )
        raise InvalidRequestError(FieldViolation("spatial_edit.puzzle.colored_boxes", "MISSING", text))
    return tools.boxes


def _found(puzzle: EditScene, picture: NDArray[np.uint8] | None, settings: SpatialEditSettings, tools: Tools) -> Finds:
    """Returns the boxes of a picture."""
    if puzzle.operation is EditOperation.VIEW:
        return Finds((), ())
    if picture is None or puzzle.camera is None:
        raise RuntimeError("boxes are to be found, but there is no picture or no camera")
    if puzzle.colored is None:
        labels = dict.fromkeys((puzzle.target, *(one.label for one in puzzle.detections)))
        seen = _detector(tools).find(picture, puzzle.camera, tuple(labels))
        return Finds(seen.detections, (), seen.detector)
    free = free_label(puzzle.operation, puzzle.target)
    source = puzzle.source if free else None
    return find_in(picture, puzzle.camera, puzzle.colored, settings, free=free, source=source, before=puzzle.before)


def _background(
    puzzle: EditScene, picture: NDArray[np.uint8] | None, measures: Measures, net: LpipsNet
) -> Background | None:
    """How alike the pictures are outside of the boxes, or, of a view, all over."""
    before = puzzle.result if puzzle.operation is EditOperation.VIEW else puzzle.picture
    if picture is None or before is None:
        return None
    kept = puzzle.background
    if kept is not None and not kept.any():
        return Background(None, None, empty=True)
    ssim = measures.take(Similarity.SSIM, picture, before, kept)
    lpips = measures.take(_MEASURE_OF[net], picture, before, kept)
    return Background(ssim.value, lpips.value)


def _viewpoint(
    puzzle: EditScene, picture: NDArray[np.uint8] | None, config: ViewpointConfig
) -> ViewpointFinding | None:
    """Whether the camera turned; None where that is not asked, or there are no two pictures."""
    if puzzle.features is None or puzzle.camera is None or picture is None:
        return None
    after = find_features(picture, puzzle.background, config.features)
    return compare_viewpoints(puzzle.features, after, camera_matrix(puzzle.camera), config)


def _observation(puzzle: EditScene, found: tuple[Detection, ...], target: int | None) -> EditObservation:
    camera = puzzle.camera
    outlines = [() if camera is None else tuple(map(tuple, box_outline(one.box, camera).tolist())) for one in found]
    return EditObservation(
        tuple(
            SceneObject(one.label, outline, place == target)
            for place, (one, outline) in enumerate(zip(found, outlines, strict=True))
        )
    )
