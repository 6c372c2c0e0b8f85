"""Has a task judge a clip, and draws what was seen in it: a contact sheet and an annotated clip.

Frames are streamed and never kept. Drawing goes through the clip a second time, for what is to be shown is known only
when the verdict is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.drawing.clip import contact_sheet
from grader.media.clips.video import open_video
from grader.media.encoding import encode_mp4
from grader.media.frames import Frame
from grader.media.pictures import MediaError, MediaLimits, MediaReason
from grader.model.jobs import GradeJob
from grader.model.verdict import AnnotatedVideo, ClipFacts
from grader.processes.stages import Stage, stage
from grader.tasks.common.judgement import ClipDrawing, Judgement
from grader.tasks.common.spec import AnyTask, Prepared

_DEFAULT_RATE = 24.0
"""Frames a second of an annotated clip whose own rate can't be told, as of one frame."""


@dataclass(frozen=True, eq=False)
class JudgedClip:
    """A judgement with the clip's facts and, where they were asked for, its pictures."""

    judgement: Judgement
    facts: ClipFacts
    sheet: NDArray[np.uint8] | None
    annotated: AnnotatedVideo | None


def judge_clip(
    task: AnyTask, puzzle: Prepared, data: bytes, job: GradeJob, settings: Any, limits: MediaLimits
) -> JudgedClip:
    """Judges an encoded clip.

    Raises
    ------
    MediaError
        If it does not decode, has no frame, or is over a limit.
    """
    if task.judges.clip is None:
        raise TypeError(f"{task.name} takes no clips")
    with stage(Stage.JUDGE), open_video(data, limits) as clip:
        frames = clip.frames()
        first = next(frames, None)
        if first is None:
            raise MediaError(MediaReason.NO_FRAMES, "the clip holds no frame that decodes; send it whole")
        judgement = task.judges.clip(puzzle, _with(first, frames), settings, job.video_policy)
        for _ in frames:  # what a task has not looked at is still counted
            pass
        summary, header = clip.summary(), clip.header
    facts = ClipFacts(
        size=(header.width_px, header.height_px),
        decoded_frames=summary.decoded_frames,
        declared_frames=summary.declared_frames,
        duration_s=summary.duration_s,
        codec=header.codec,
        truncated=summary.truncated,
        damaged_frames=summary.damaged_frames,
    )
    judgement = replace(judgement, notes=(*summary.notes, *judgement.notes))
    drawing = judgement.drawing
    sheet = _sheet(data, limits, drawing) if job.overlay and drawing is not None else None
    annotated = _annotated(data, limits, drawing) if job.annotated_video and drawing is not None else None
    return JudgedClip(judgement, facts, sheet, annotated)


def _with(first: Frame, rest: Iterator[Frame]) -> Iterator[Frame]:
    yield first
    yield from rest


def _sheet(data: bytes, limits: MediaLimits, drawing: ClipDrawing) -> NDArray[np.uint8]:
    wanted = dict(drawing.moments)
    drawn: list[tuple[str, NDArray[np.uint8]]] = []
    with stage(Stage.DRAW), open_video(data, limits) as clip:
        for frame in clip.frames():
            if frame.index in wanted:
                drawn.append((f"{frame.time_s:.2f} s  {wanted[frame.index]}", drawing.draw(frame)))
            if len(drawn) == len(wanted):
                break
    return contact_sheet(drawn, drawing.strip)


def _annotated(data: bytes, limits: MediaLimits, drawing: ClipDrawing) -> AnnotatedVideo:
    with stage(Stage.DRAW), open_video(data, limits) as clip:
        rate = clip.header.fps or _DEFAULT_RATE
        size = (clip.header.width_px, clip.header.height_px)
        encoded = encode_mp4((drawing.draw(frame) for frame in clip.frames()), rate)
    return AnnotatedVideo(encoded, size[0] + size[0] % 2, size[1] + size[1] % 2, rate)
