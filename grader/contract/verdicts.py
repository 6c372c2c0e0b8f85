"""Verdicts and tasks as messages of the contract. No gRPC and no grading here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.contract.wires import observation_to_proto
from grader.model import verdict as domain
from grader.v1 import service_pb2, verdict_pb2
from grader.wire.places import place_to_proto

if TYPE_CHECKING:  # importing a task imports every detector, which reading and writing messages has no use for
    from grader.tasks.common.spec import AnyTask

_OUTCOMES = {
    domain.Outcome.PASS: verdict_pb2.OUTCOME_PASS,
    domain.Outcome.FAIL: verdict_pb2.OUTCOME_FAIL,
    domain.Outcome.UNGRADABLE: verdict_pb2.OUTCOME_UNGRADABLE,
    domain.Outcome.MEASURED: verdict_pb2.OUTCOME_MEASURED,
}


def _alignment(alignment: domain.Alignment) -> verdict_pb2.Alignment:
    return verdict_pb2.Alignment(
        candidate_width_px=alignment.candidate_size[0],
        candidate_height_px=alignment.candidate_size[1],
        scale_x=alignment.scale[0],
        scale_y=alignment.scale[1],
        shift_x_px=alignment.shift_px[0],
        shift_y_px=alignment.shift_px[1],
        rotation_rad=alignment.rotation_rad,
        matrix=alignment.matrix,
        method=alignment.method,
        quality=alignment.quality,
        covered=alignment.covered,
        bend=None if alignment.bend is None else _bend_to_proto(alignment.bend),
    )


def _clip(clip: domain.ClipFacts) -> verdict_pb2.Clip:
    return verdict_pb2.Clip(
        width_px=clip.size[0],
        height_px=clip.size[1],
        decoded_frames=clip.decoded_frames,
        declared_frames=clip.declared_frames,
        duration_s=clip.duration_s,
        codec=clip.codec,
        truncated=clip.truncated,
        damaged_frames=clip.damaged_frames,
    )


def _annotated(video: domain.AnnotatedVideo) -> verdict_pb2.AnnotatedVideo:
    return verdict_pb2.AnnotatedVideo(
        mp4=video.mp4, width_px=video.width_px, height_px=video.height_px, frames_per_s=video.frames_per_s
    )


def verdict_to_proto(verdict: domain.Verdict) -> verdict_pb2.Verdict:
    """Makes the contract's message of a verdict; what is ``None`` stays absent."""
    made = verdict.provenance
    overlay = verdict.overlay
    return verdict_pb2.Verdict(
        outcome=_OUTCOMES[verdict.outcome],
        score=verdict.score,
        reward=verdict.reward,
        metrics=[
            verdict_pb2.Metric(name=metric.name, value=metric.value, unavailable_reason=metric.unavailable_reason)
            for metric in verdict.metrics
        ],
        reasons=[
            verdict_pb2.Reason(code=reason.code, message=reason.message, places=map(place_to_proto, reason.places))
            for reason in verdict.reasons
        ],
        observation=None if verdict.observation is None else observation_to_proto(verdict.observation),
        alignment=None if verdict.alignment is None else _alignment(verdict.alignment),
        provenance=verdict_pb2.Provenance(
            grader_version=made.grader_version,
            profile=made.profile,
            profile_digest=made.profile_digest,
            input_sha256=made.input_sha256,
            library_versions=made.library_versions,
            measured_with=[
                verdict_pb2.MeasuredWith(measure=one.measure, device=one.device, weights_sha256=one.weights_sha256)
                for one in made.measured_with
            ],
            box_detector=made.box_detector,
        ),
        notes=[verdict_pb2.Note(code=note.code, message=note.message) for note in verdict.notes],
        overlay=None
        if overlay is None
        else verdict_pb2.Overlay(
            png=overlay.png, width_px=overlay.width_px, height_px=overlay.height_px, html=overlay.html
        ),
        clip=None if verdict.clip is None else _clip(verdict.clip),
        annotated_video=None if verdict.annotated_video is None else _annotated(verdict.annotated_video),
    )


def task_to_proto(task: AnyTask) -> service_pb2.TaskInfo:
    """Makes the contract's message of what a task declares."""
    return service_pb2.TaskInfo(
        name=task.name,
        description=task.description,
        metrics=[
            service_pb2.MetricInfo(
                name=metric.name,
                description=metric.description,
                unit=metric.unit,
                higher_is_better=metric.higher_is_better,
                lower_bound=metric.lower_bound,
                upper_bound=metric.upper_bound,
                candidates=[kind.value for kind in metric.kinds],
                on_request=metric.on_request,
            )
            for metric in task.metrics
        ],
        reasons=[service_pb2.ReasonInfo(code=reason.code, description=reason.description) for reason in task.reasons],
        candidates=[kind.value for kind in task.kinds],
    )


def _bend_to_proto(bend: domain.Bend) -> verdict_pb2.Bend:
    return verdict_pb2.Bend(
        rows=bend.rows, columns=bend.columns, offsets_px=bend.offsets_px, largest_px=bend.largest_px
    )
