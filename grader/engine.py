"""Grades one job in this process: decode, align, detect, judge. Knows neither gRPC nor protobuf."""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict
from dataclasses import fields
from functools import cache
from importlib import metadata
from typing import Any, Protocol

import cv2
import numpy as np

from grader import __version__
from grader.errors import FieldViolation, InvalidRequestError
from grader.jobs import GradeJob, TaskInput
from grader.media import DecodedImage, MediaError, MediaLimits, decode_image
from grader.profiles import Profile, find_profile, list_profiles
from grader.tasks import task_for
from grader.tasks.base import Task
from grader.verdict import Outcome, Overlay, Provenance, Reason, Verdict


class Prepared(Protocol):
    """A prepared puzzle of any task."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its picture in pixels."""


class Engine:
    """Grades jobs one at a time, and remembers the puzzles that it has seen.

    Parameters
    ----------
    limits : MediaLimits
        What pictures may be like.
    puzzle_cache_size : int
        Most prepared puzzles that are kept.
    puzzle_cache_pixels : int
        Most pixels that they have together; a pixel takes some 10 bytes. The newest is kept in any case.
    """

    def __init__(
        self, limits: MediaLimits | None = None, puzzle_cache_size: int = 64, puzzle_cache_pixels: int = 64_000_000
    ) -> None:
        self.limits = limits or MediaLimits()
        self._capacity = puzzle_cache_size
        self._pixels = puzzle_cache_pixels
        self._puzzles: OrderedDict[str, Prepared] = OrderedDict()

    def grade(self, job: GradeJob) -> Verdict:
        """Grades one candidate.

        Raises
        ------
        InvalidRequestError
            Naming each field of the request that is missing, undecodable or contradictory.
        """
        profile = find_profile(job.profile)
        if profile is None:
            known = ", ".join(one.name for one in list_profiles())
            raise InvalidRequestError(
                FieldViolation("options.profile", "UNKNOWN", f"there is no profile {job.profile!r}; there are: {known}")
            )
        task = task_for(job.task)
        puzzle, digests = self._puzzle(task, job.task, profile)
        digests = {**digests, "image": hashlib.sha256(job.candidate).hexdigest()}
        provenance = Provenance(__version__, profile.name, profile.digest, digests, library_versions())
        try:
            candidate = decode_image(job.candidate, self.limits)
        except MediaError as error:
            return _ungradable(error, provenance)
        return _verdict(task, puzzle, candidate, profile, provenance, job.overlay)

    def _puzzle(self, task: Task[Any, Any], task_input: TaskInput, profile: Profile) -> tuple[Prepared, dict[str, str]]:
        digests = _digests(task_input)
        rest = [getattr(task_input, one.name) for one in fields(task_input)]
        plain = repr([value for value in rest if not isinstance(value, bytes)])
        key = repr((task.name, sorted(digests.items()), plain, profile.digest))
        if key in self._puzzles:
            self._puzzles.move_to_end(key)
        else:
            self._puzzles[key] = task.prepare(task_input, profile, self.limits)
            while len(self._puzzles) > 1 and self._over_capacity():
                self._puzzles.popitem(last=False)
        return self._puzzles[key], digests

    def _over_capacity(self) -> bool:
        pixels = sum(math.prod(puzzle.size) for puzzle in self._puzzles.values())
        return len(self._puzzles) > self._capacity or pixels > self._pixels


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


def _verdict(
    task: Task[Any, Any],
    puzzle: Prepared,
    candidate: DecodedImage,
    profile: Profile,
    provenance: Provenance,
    overlay: bool,
) -> Verdict:
    judged = task.judge(puzzle, candidate.pixels, profile)
    return Verdict(
        outcome=judged.outcome,
        score=judged.score,
        reward=judged.reward,
        metrics=judged.metrics,
        reasons=judged.reasons,
        observation=judged.observation,
        alignment=judged.alignment,
        provenance=provenance,
        notes=(*candidate.notes, *judged.notes),
        overlay=_encode(judged.overlay()) if overlay else None,
    )


def _encode(picture: np.ndarray[Any, np.dtype[np.uint8]]) -> Overlay:
    _, encoded = cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_PNG_COMPRESSION, 6])
    return Overlay(encoded.tobytes(), picture.shape[1], picture.shape[0])


@cache
def library_versions() -> dict[str, str]:
    """Versions of the libraries that decide what a verdict says."""
    names = ("numpy", "opencv-python-headless", "pillow", "scikit-image", "scipy")
    return {name: metadata.version(name) for name in names}
