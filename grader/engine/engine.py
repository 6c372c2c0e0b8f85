"""Grades one job in this process: decode, align, detect, judge. Knows neither gRPC nor protobuf."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from importlib import metadata
from typing import Any

from grader import __version__
from grader.engine.candidates import Judged, check_kind, check_options, digests_of, judge_candidate
from grader.engine.puzzles import PuzzleCache
from grader.lpips.availability import LpipsSource
from grader.media.pictures import MediaError, MediaLimits
from grader.model.errors import FieldViolation, InvalidRequestError
from grader.model.jobs import CandidateKind, GradeJob, TaskInput
from grader.model.verdict import MeasuredWith, Outcome, Provenance, Reason, Verdict
from grader.processes.stages import Stage, stage
from grader.profiles.profile import ProfileSet
from grader.profiles.reading import package_profiles
from grader.tasks.common.spec import AnyTask, Prepared
from grader.tasks.registry import task_for
from grader.tools.box_sources import BoxSource, Tools
from grader.tools.similarity import Measures


class Engine:
    """Grades jobs, and remembers the puzzles that it has seen.

    Several threads may use one engine: each call to `grade` is by itself, and its verdict is that of a single thread.

    Parameters
    ----------
    limits : MediaLimits
        What pictures may be like.
    puzzle_cache_size : int
        Most prepared puzzles that are kept.
    puzzle_cache_pixels : int
        Most pixels that they have together; a pixel takes some 10 bytes. The newest is kept in any case.
    measures : Measures, optional
        What takes measures of similarity.
    boxes : BoxSource, optional
        What finds boxes in pictures.
    profiles : ProfileSet, optional
        The profiles that jobs may name; by default the package's own.
    """

    def __init__(
        self,
        limits: MediaLimits | None = None,
        puzzle_cache_size: int = 64,
        puzzle_cache_pixels: int = 64_000_000,
        measures: Measures | None = None,
        boxes: BoxSource | None = None,
        profiles: ProfileSet | None = None,
    ) -> None:
        self.limits = limits or MediaLimits()
        self._tools = Tools(measures or Measures(), boxes)
        self._profiles = profiles or package_profiles()
        self._puzzles = PuzzleCache(puzzle_cache_size, puzzle_cache_pixels)

    def grade(self, job: GradeJob) -> Verdict:
        """Grades one candidate.

        Raises
        ------
        InvalidRequestError
            Naming each field of the request that is missing, undecodable or contradictory.
        MeasureUnavailableError
            If a measure is needed that can't be taken on this machine.
        LpipsFailedError
            If the process that measures LPIPS failed.
        BoxDetectorError
            If boxes are needed and the detector gave none.
        """
        profile = self._profiles.find(job.profile)
        if profile is None:
            known = ", ".join(self._profiles.names)
            raise InvalidRequestError(
                FieldViolation("options.profile", "UNKNOWN", f"there is no profile {job.profile!r}; there are: {known}")
            )
        task = task_for(job.task)
        kind = check_kind(task, job.candidate)
        check_options(task, kind, job)
        settings, digest = profile.settings_of(task), profile.digest_of(task)
        with stage(Stage.PUZZLE):
            puzzle, digests = self._puzzle(task, job.task, settings, digest, kind)
        digests = {**digests, **digests_of(job.candidate)}
        provenance = Provenance(__version__, profile.name, digest, digests, library_versions(kind))
        tools = self._tools_for(job)
        try:
            judged = judge_candidate(task, puzzle, job, settings, self.limits, tools)
        except MediaError as error:
            return _ungradable(error, provenance)
        verdict = _verdict(judged, _with_tools(provenance, tools.measures.used, judged.judgement.box_detector))
        return verdict if profile.calibration is None else profile.calibration.applied(verdict, task.name)

    def _tools_for(self, job: GradeJob) -> Tools:
        boxes = self._tools.boxes
        if boxes is not None and job.end_at is not None:
            boxes = boxes.until(job.end_at)
        return Tools(self._tools.measures.for_one_job(), boxes)

    def _puzzle(
        self, task: AnyTask, task_input: TaskInput, settings: Any, digest: str, kind: CandidateKind
    ) -> tuple[Prepared, dict[str, str]]:
        digests = _digests(task_input)
        rest = [getattr(task_input, one.name) for one in fields(task_input)]
        plain = repr([_without_bytes(value) for value in rest if not isinstance(value, bytes)])
        key = repr((task.name, kind, sorted(digests.items()), plain, digest))
        return self._puzzles.get(key, lambda: task.prepare(task_input, settings, self.limits, kind)), digests


def _without_bytes(value: object) -> object:
    """The same, with digests in place of files in a tuple: to write these out takes longer than to grade."""
    if isinstance(value, tuple):
        return tuple(_without_bytes(one) for one in value)
    return hashlib.sha256(value).digest() if isinstance(value, bytes) else value


def _digests(task_input: TaskInput) -> dict[str, str]:
    """SHA-256 of each encoded input, by the path of its field in the request."""
    found: dict[str, str] = {}
    for one in fields(task_input):
        value = getattr(task_input, one.name)
        if isinstance(value, bytes):
            found[one.metadata["path"]] = hashlib.sha256(value).hexdigest()
    return found


def _ungradable(error: MediaError, provenance: Provenance) -> Verdict:
    return Verdict(
        outcome=Outcome.UNGRADABLE,
        score=None,
        reward=0.0,
        metrics=(),
        reasons=(Reason(error.reason.value, str(error)),),
        observation=None,
        alignment=None,
        provenance=provenance,
    )


def _verdict(judged: Judged, provenance: Provenance) -> Verdict:
    judgement = judged.judgement
    return Verdict(
        outcome=judgement.outcome,
        score=judgement.score,
        reward=judgement.reward,
        metrics=judgement.metrics,
        reasons=judgement.reasons,
        observation=judgement.observation,
        alignment=judgement.alignment,
        provenance=provenance,
        notes=judgement.notes,
        overlay=judged.overlay,
        clip=judged.clip,
        annotated_video=judged.annotated_video,
    )


def _with_tools(provenance: Provenance, used: Mapping[str, LpipsSource], box_detector: str) -> Provenance:
    """Adds what LPIPS was measured with, by the measure's name, and what found boxes."""
    versions = dict(provenance.library_versions)
    for source in used.values():
        versions |= {"torch": source.torch_version, "lpips": source.lpips_version}
    measured = tuple(MeasuredWith(name, source.device, source.weights_sha256) for name, source in used.items())
    return replace(provenance, library_versions=versions, measured_with=measured, box_detector=box_detector)


@cache
def library_versions(kind: CandidateKind) -> dict[str, str]:
    """Versions of the libraries that decide what a verdict on a kind of candidate says."""
    names = ["numpy", "opencv-python-headless", "pillow", "scikit-image", "scipy"]
    if kind is CandidateKind.VIDEO:
        names.append("av")
    return {name: metadata.version(name) for name in names}
