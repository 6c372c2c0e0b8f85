"""Decodes a candidate of any kind and has its task judge it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.media.pictures import NOTHING_OPAQUE, MediaError, MediaLimits, decode_image
from grader.model.errors import FieldViolation, InvalidRequestError
from grader.model.jobs import (
    Candidate,
    CandidateKind,
    FramesCandidate,
    GradeJob,
    ImageCandidate,
    SceneCandidate,
    TextCandidate,
    VideoCandidate,
    VideoPolicy,
)
from grader.model.verdict import AnnotatedVideo, ClipFacts, MarkedWords, Metric, Note, Overlay
from grader.processes.stages import Stage, stage
from grader.tasks.common.judgement import Judgement
from grader.tasks.common.spec import AnyTask, Prepared
from grader.tools.box_sources import Tools
from grader.tools.similarity import similarity_metrics

_KINDS: dict[type[Candidate], CandidateKind] = {
    ImageCandidate: CandidateKind.IMAGE,
    VideoCandidate: CandidateKind.VIDEO,
    FramesCandidate: CandidateKind.FRAMES,
    TextCandidate: CandidateKind.TEXT,
    SceneCandidate: CandidateKind.SCENE,
}


@dataclass(frozen=True)
class Judged:
    """A judgement with what decoding and drawing add to it."""

    judgement: Judgement
    overlay: Overlay | None = None
    clip: ClipFacts | None = None
    annotated_video: AnnotatedVideo | None = None


def kind_of(candidate: Candidate) -> CandidateKind:
    """The kind of a candidate."""
    return _KINDS[type(candidate)]


def check_kind(task: AnyTask, candidate: Candidate) -> CandidateKind:
    """The kind of a candidate; raises InvalidRequestError where the task does not take it."""
    kind = kind_of(candidate)
    if kind not in task.kinds:
        taken = ", ".join(one.value for one in task.kinds)
        text = f"the task {task.name} takes no {kind.value}; send one of: {taken}"
        raise InvalidRequestError(FieldViolation("candidate", "NOT_TAKEN", text))
    return kind


def check_options(task: AnyTask, kind: CandidateKind, job: GradeJob) -> None:
    """Raises InvalidRequestError naming each option that is asked for and would change nothing for this kind.

    That is a measure of similarity that the task has not, and what is about the frames of a clip for all else. An
    overlay may be asked for of anything.
    """
    wrong = []
    declared = {one.name for one in task.metrics if kind in one.kinds}
    for place, similarity in enumerate(job.similarity):
        if f"{similarity.value}_in" not in declared:
            text = f"the task {task.name} does not compare a candidate of the kind {kind.value}; leave it out"
            wrong.append(FieldViolation(f"options.similarity[{place}]", "NOT_TAKEN", text))
    if kind is not CandidateKind.VIDEO:
        text = f"it is about the frames of a clip, and the candidate is of the kind {kind.value}; leave it out"
        if job.annotated_video:
            wrong.append(FieldViolation("options.annotated_video", "NOT_TAKEN", text))
        if job.video_policy is VideoPolicy.BEST_FRAME:
            wrong.append(FieldViolation("options.video_policy", "NOT_TAKEN", text))
    if wrong:
        raise InvalidRequestError(*wrong)


def digests_of(candidate: Candidate) -> dict[str, str]:
    """SHA-256 of what a model made, hex, by the path of its field in the request."""
    parts: dict[str, bytes]
    match candidate:
        case ImageCandidate(data):
            parts = {"image": data}
        case VideoCandidate(data):
            parts = {"video": data}
        case TextCandidate(text):
            parts = {"text": text.encode()}
        case FramesCandidate(images, text):
            parts = {f"frames.images[{place}]": data for place, data in enumerate(images)}
            parts["frames.text"] = text.encode()
        case SceneCandidate(image, detections, rating):
            parts = {} if image is None else {"scene.image": image}
            parts["scene.detections"] = repr((detections, rating)).encode()
    return {path: hashlib.sha256(data).hexdigest() for path, data in parts.items()}


def judge_candidate(
    task: AnyTask, puzzle: Prepared, job: GradeJob, settings: Any, limits: MediaLimits, tools: Tools
) -> Judged:
    """Decodes and judges; `check_kind` and `check_options` were called before.

    Raises
    ------
    MediaError
        If there is nothing to judge: it does not decode, or is over a limit.
    MeasureUnavailableError
        If a measure is needed that can't be taken on this machine.
    """
    match job.candidate:
        case ImageCandidate(data):
            return _picture(task, puzzle, data, job, settings, limits, tools)
        case SceneCandidate(image, _, _):
            if task.judges.scene is None:
                raise TypeError(f"{task.name} takes no scenes")
            with stage(Stage.CANDIDATE):
                picture = None if image is None else decode_image(image, limits)
            pixels, notes = (None, ()) if picture is None else (picture.pixels, picture.notes)
            with stage(Stage.JUDGE):
                judged = task.judges.scene(puzzle, pixels, job.candidate, tools, settings)
            return _drawn(replace(judged, notes=(*notes, *judged.notes)), job)
        case VideoCandidate(data):
            return _clip(task, puzzle, data, job, settings, limits)
        case FramesCandidate(images, text):
            return _steps(task, puzzle, images, text, job, settings, limits)
        case TextCandidate(text):
            if task.judges.words is None:
                raise TypeError(f"{task.name} takes no words")
            with stage(Stage.JUDGE):
                judged = task.judges.words(puzzle, text, settings)
            return _drawn(judged, job)


def _picture(
    task: AnyTask,
    puzzle: Prepared,
    data: bytes,
    job: GradeJob,
    settings: Any,
    limits: MediaLimits,
    tools: Tools,
) -> Judged:
    with stage(Stage.CANDIDATE):
        picture = decode_image(data, limits)
    if task.judges.scene is not None:
        with stage(Stage.JUDGE):
            judged = task.judges.scene(puzzle, picture.pixels, None, tools, settings)
        return _drawn(_with_notes(judged, picture.notes), job)
    if task.judges.picture is None:
        raise TypeError(f"{task.name} takes no pictures")
    with stage(Stage.JUDGE):
        judged = task.judges.picture(puzzle, picture.pixels, settings)
    more: tuple[Metric, ...] = ()
    if job.similarity and judged.comparison is not None:
        why = f"the request has no solution to compare with; see {task.name}.truth"
        with stage(Stage.MEASURE):
            more = similarity_metrics(judged.comparison(), job.similarity, tools.measures, why)
    return _drawn(_with_notes(replace(judged, metrics=(*judged.metrics, *more)), picture.notes), job)


def _with_notes(judged: Judgement, notes: tuple[Note, ...]) -> Judgement:
    """Puts what decoding had to note before the judge's notes.

    Where nothing of a picture shows, the first reason says so too: in other programs such a picture may look like
    something.
    """
    reasons = judged.reasons
    unseen = next((note.message for note in notes if note.code == NOTHING_OPAQUE), "")
    if unseen and reasons:
        first = replace(reasons[0], message=f"{reasons[0].message} {unseen[0].upper()}{unseen[1:]}.")
        reasons = (first, *reasons[1:])
    return replace(judged, reasons=reasons, notes=(*notes, *judged.notes))


def _steps(
    task: AnyTask,
    puzzle: Prepared,
    images: tuple[bytes, ...],
    text: str,
    job: GradeJob,
    settings: Any,
    limits: MediaLimits,
) -> Judged:
    if task.judges.steps is None:
        raise TypeError(f"{task.name} takes no series of pictures")
    with stage(Stage.CANDIDATE):
        pictures = _series(images, limits)
    with stage(Stage.JUDGE):
        judged = task.judges.steps(puzzle, pictures, text, settings)
    return _drawn(judged, job)


def _series(images: tuple[bytes, ...], limits: MediaLimits) -> list[NDArray[np.uint8] | None]:
    """Decodes pictures, None for one that does not; raises MediaError where none does."""
    pictures: list[NDArray[np.uint8] | None] = []
    refusal: MediaError | None = None
    pixels = 0
    limits.check_frames(len(images))
    for data in images:
        limits.check_series(pixels)
        try:
            picture = decode_image(data, limits).pixels
            pictures.append(picture)
            pixels += picture.shape[0] * picture.shape[1]
        except MediaError as error:
            pictures.append(None)
            refusal = error
    if refusal is not None and all(picture is None for picture in pictures):
        raise refusal
    return pictures


def _clip(task: AnyTask, puzzle: Prepared, data: bytes, job: GradeJob, settings: Any, limits: MediaLimits) -> Judged:
    from grader.engine.clips import judge_clip  # the decoder of clips is slow to import

    judged = judge_clip(task, puzzle, data, job, settings, limits)
    with stage(Stage.DRAW):
        sheet = None if judged.sheet is None else encode_overlay(judged.sheet)
    return Judged(judged.judgement, sheet, judged.facts, judged.annotated)


def _drawn(judged: Judgement, job: GradeJob) -> Judged:
    if not job.overlay:
        return Judged(judged)
    with stage(Stage.DRAW):
        if judged.marked is not None:
            return Judged(judged, MarkedWords(html=judged.marked()))
        return Judged(judged, None if judged.overlay is None else encode_overlay(judged.overlay()))


def encode_overlay(picture: NDArray[np.uint8]) -> Overlay:
    """A picture, (H, W, 3) uint8 RGB, as PNG."""
    _, encoded = cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_PNG_COMPRESSION, 6])
    return Overlay(encoded.tobytes(), picture.shape[1], picture.shape[0])
