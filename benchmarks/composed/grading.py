"""Grades composed pictures in this process, and keeps those that come out wrong."""

from __future__ import annotations

import json
import re
import time
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2

from benchmarks.accuracy.instances import build
from benchmarks.accuracy.results import ERROR
from benchmarks.composed.cases import ComposedCase, compose
from benchmarks.composed.visibility import EASILY
from benchmarks.composed.writing import suffix_of, told, write_picture, write_puzzle, written_cases
from grader.engine.engine import Engine
from grader.model.jobs import GradeJob, ImageCandidate, TaskInput
from grader.model.verdict import Verdict


@dataclass(frozen=True)
class Graded:
    """What was true of a composed picture and what was said of it.

    Attributes
    ----------
    seed, instance, task, kind, size_px, wrong, family, role, ink_kind, texture, opacity, width_px, beside, nuisance
        As of `ComposedCase`.
    visibility
        Likewise.
    got
        PASS, FAIL, UNGRADABLE, or ERROR.
    reasons
        Codes, gravest first.
    reward
        ``None`` on ERROR.
    alignment
        By which method the candidate was brought into the puzzle's frame.
    compose_ms, grade_ms
        Milliseconds.
    error
        What was raised, on ERROR.
    """

    seed: int
    instance: str
    task: str
    kind: str
    size_px: int
    wrong: bool
    family: str
    role: str
    ink_kind: str
    texture: str
    opacity: float
    width_px: float
    beside: str
    nuisance: str
    visibility: float
    got: str = ERROR
    reasons: tuple[str, ...] = ()
    reward: float | None = None
    alignment: str = ""
    compose_ms: float = 0.0
    grade_ms: float = 0.0
    error: str = ""

    @property
    def right(self) -> bool:
        """Whether the outcome is the expected one."""
        return self.got == ("FAIL" if self.wrong else "PASS")

    @property
    def easily_seen(self) -> bool:
        """Whether what was added is seen with ease."""
        return self.visibility >= EASILY

    @property
    def bad(self) -> bool:
        """Whether a person would object: a right answer that fails, or a plainly wrong one that passes."""
        return not self.right and (self.easily_seen or not self.wrong)


@cache
def engine() -> Engine:
    """The engine of this process."""
    cv2.setNumThreads(1)
    return Engine(puzzle_cache_size=2)


def grade_seeds(seeds: tuple[int, ...], only: str = "", save: Path | None = None) -> list[Graded]:
    """Composes and grades pictures; those whose role does not match a pattern are left out."""
    found = []
    for seed in seeds:
        started = time.perf_counter()
        case = compose(seed)
        if not re.search(only, case.role):
            continue
        graded = replace(grade(case, engine()), compose_ms=round(1000 * (time.perf_counter() - started), 1))
        graded = replace(graded, compose_ms=round(graded.compose_ms - graded.grade_ms, 1))
        if save is not None and graded.bad:
            keep(save, case, graded)
        found.append(graded)
    return found


def grade_written(seeds: tuple[int, ...], folder: Path, only: str = "", save: Path | None = None) -> list[Graded]:
    """Grades pictures that were written before, as `grade_seeds`; those that a folder lacks are left out."""
    found = []
    for seed in seeds:
        facts = written_cases(folder).get(seed)
        if facts is None or not re.search(only, facts["role"]):
            continue
        started = time.perf_counter()
        job = _job(seed, build(facts["instance"]).task, (folder / facts["candidate"]).read_bytes())
        graded = _graded(facts, job, engine())
        spent = 1000 * (time.perf_counter() - started) - graded.grade_ms
        found.append(replace(graded, compose_ms=round(spent, 1)))
        if save is not None and graded.bad:
            keep(save, compose(seed), graded)
    return found


def grade(case: ComposedCase, by: Engine) -> Graded:
    """Grades a case; an exception of the grader becomes a result of its own kind."""
    return _graded(told(case), job_of(case), by)


def _graded(facts: Mapping[str, Any], job: GradeJob, by: Engine) -> Graded:
    graded = Graded(**{name: facts[name] for name in _SHARED})
    started = time.perf_counter()
    try:
        verdict = by.grade(job)
    except Exception:  # noqa: BLE001 - a crash of what is measured is a measurement
        return replace(graded, error=traceback.format_exc(limit=-3))
    return replace(_with_verdict(graded, verdict), grade_ms=round(1000 * (time.perf_counter() - started), 1))


_SHARED = (
    "seed", "instance", "task", "kind", "size_px", "wrong", "family", "role", "ink_kind", "texture", "opacity",
    "width_px", "beside", "nuisance", "visibility",
)  # fmt: skip


def job_of(case: ComposedCase, *, overlay: bool = False) -> GradeJob:
    """The job of grading a case."""
    return _job(case.seed, case.puzzle, case.data, overlay=overlay)


def _job(seed: int, puzzle: TaskInput, data: bytes, *, overlay: bool = False) -> GradeJob:
    return GradeJob(f"composed-{seed}", puzzle, ImageCandidate(data), overlay=overlay)


def _with_verdict(graded: Graded, verdict: Verdict) -> Graded:
    return replace(
        graded,
        got=verdict.outcome.value,
        reasons=tuple(reason.code for reason in verdict.reasons),
        reward=verdict.reward,
        alignment=verdict.alignment.method if verdict.alignment else "",
    )


def keep(folder: Path, case: ComposedCase, graded: Graded) -> None:
    """Writes a case, the picture without what was added, its puzzle, and what was said, in a folder by its role."""
    place = folder / case.role
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{case.seed}.{suffix_of(case.data)}").write_bytes(case.data)
    write_picture(place / f"{case.seed}.without.png", case.plain)
    write_puzzle(folder / "puzzles" / case.instance, case)
    (place / f"{case.seed}.json").write_text(json.dumps(told(case) | asdict(graded), indent=1), encoding="utf-8")


def show(seed: int, folder: Path) -> Iterable[str]:
    """Writes one case with its overlay, and yields what is known of it, line by line."""
    case = compose(seed)
    graded = grade(case, engine())
    keep(folder, case, graded)
    overlay = engine().grade(job_of(case, overlay=True)).overlay
    if overlay is not None:
        (folder / case.role / f"{seed}.overlay.png").write_bytes(overlay.png)
    yield f"{seed}: {case.role} on {case.instance} at {case.size_px} px, nuisance {case.nuisance}"
    yield f"ink {case.ink or 'none'}; visibility {case.visibility:.2f} (1 threshold, {EASILY:g} easily seen)"
    yield f"expected {'FAIL' if case.wrong else 'PASS'}, got {graded.got} {' '.join(graded.reasons)} {graded.reward}"
    yield f"pictures in {folder / case.role}/{seed}.*"
