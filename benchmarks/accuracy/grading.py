"""Builds one case from its name, and grades it in this process."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.accuracy.board_plans import board_plan
from benchmarks.accuracy.cases import Case, Strength
from benchmarks.accuracy.drawing import MarkLook, StrokeLook, draw_board_plan, draw_maze_plan
from benchmarks.accuracy.instances import BoardInstance, MazeInstance, build
from benchmarks.accuracy.maze_plans import maze_plan
from benchmarks.accuracy.nuisances import Stage
from benchmarks.accuracy.plans import BoardPlan, Expectation, MazePlan, expectation
from benchmarks.accuracy.results import ERROR, Result
from benchmarks.accuracy.scenes import Scene
from benchmarks.accuracy.seeds import dice_of
from grader.engine.engine import Engine
from grader.model.jobs import GradeJob, ImageCandidate
from grader.model.verdict import Verdict


@dataclass(frozen=True)
class Candidate:
    """A candidate's file with what is asked of it and what is true of it."""

    job: GradeJob
    data: bytes
    truth: Expectation


def build_case(case: Case) -> Candidate | None:
    """Draws a case; ``None`` where its puzzle has no place for its plan.

    Raises
    ------
    UncertainTruthError
        If the drawing would not visit just the cells of the plan.
    """
    instance = build(str(case.instance))
    if isinstance(instance, MazeInstance):
        plan = maze_plan(instance, case.plan)
        if plan is None:
            return None
        scene, truth = _maze_scene(case, instance, plan), expectation(plan.visited, instance.path, plan.passes)
    else:
        queens = board_plan(instance, case.plan)
        if queens is None:
            return None
        scene = _board_scene(case, instance, queens)
        truth = expectation(queens.queens, instance.board.queens, queens.passes)
    scene = _changed(case, scene, after=Stage.STROKE)
    data = scene.encoded()
    return Candidate(GradeJob(case.id, instance.task, ImageCandidate(data)), data, truth)


def _maze_scene(case: Case, instance: MazeInstance, plan: MazePlan) -> Scene:
    style = instance.style
    ground = Scene(
        instance.pictures.input,
        instance.free_px,
        style.wall_width_px,
        style.outside,
        style.floor,
        style.path,
        instance.floor_share if any(one.name == "floor" for one in case.nuisances) else None,
        instance.exterior if any(one.name in ("exterior", "watermark") for one in case.nuisances) else None,
    )
    ground = _changed(case, ground, before=Stage.STROKE)
    look = StrokeLook()
    for one in case.nuisances:
        if one.nuisance.stroke:
            look = one.nuisance.stroke(look, one.level)
    drawn = draw_maze_plan(instance, plan, look, ground.picture, dice_of(f"{case.id}/stroke"))
    if instance.margins is None:
        return replace(ground, picture=drawn)
    return replace(ground, picture=instance.framed(drawn), floor_share=None, exterior=None)


def _board_scene(case: Case, instance: BoardInstance, plan: BoardPlan) -> Scene:
    style = instance.style
    look = MarkLook()
    for one in case.nuisances:
        if one.nuisance.mark:
            look = one.nuisance.mark(look, one.level)
    drawn = draw_board_plan(instance, plan, look, instance.pictures.input, dice_of(f"{case.id}/marks"))
    white = (255, 255, 255)
    return Scene(drawn, instance.free_px, 0.15 * instance.free_px, white, white, style.queen)


def _changed(case: Case, scene: Scene, before: Stage = Stage.FILE, after: Stage = Stage.GROUND) -> Scene:
    """Applies the pictures' nuisances of some stages: those before a stage, or those after one."""
    for one in case.nuisances:
        stage = one.nuisance.stage
        chosen = stage < before if before is Stage.STROKE else stage > after
        if chosen and one.nuisance.picture:
            scene = one.nuisance.picture(scene, one.level, _dice(case, one))
    return scene


def _dice(case: Case, one: Strength) -> np.random.Generator:
    return dice_of(f"{case.id}/{one}")


def grade_case(engine: Engine, case: Case) -> Result | None:
    """Builds and grades a case; ``None`` where its puzzle has no place for its plan.

    An exception of the grader becomes a result of its own kind. One of the benchmark itself goes up, for then nothing
    is known of the case. Times of an instance's first case include its making and preparing.
    """
    started = time.perf_counter()
    candidate = build_case(case)
    if candidate is None:
        return None
    built = time.perf_counter()
    result = _expected(case, candidate.truth)
    try:
        verdict = engine.grade(candidate.job)
    except Exception:  # noqa: BLE001 - a crash of what is measured is a measurement
        text = traceback.format_exc(limit=-3)
        return replace(result, got=ERROR, error=text, build_ms=1000 * (built - started))
    done = time.perf_counter()
    return replace(
        _with_verdict(result, verdict),
        build_ms=round(1000 * (built - started), 1),
        grade_ms=round(1000 * (done - built), 1),
    )


def _expected(case: Case, truth: Expectation) -> Result:
    return Result(
        case=case.id,
        task=case.instance.task,
        kind=case.instance.kind,
        scale=case.instance.scale,
        look=case.instance.look,
        plan=case.plan,
        nuisances=tuple(str(one) for one in case.nuisances),
        expected="PASS" if truth.passes else "FAIL",
        got=ERROR,
        expected_coverage=truth.coverage,
        expected_violation=truth.violation,
    )


def _with_verdict(result: Result, verdict: Verdict) -> Result:
    metrics = {metric.name: metric.value for metric in verdict.metrics}
    return replace(
        result,
        got=verdict.outcome.value,
        coverage=metrics.get("coverage"),
        violation=metrics.get("violation"),
        reasons=tuple(reason.code for reason in verdict.reasons),
        reward=verdict.reward,
        alignment=verdict.alignment.method if verdict.alignment else "",
        quality=round(verdict.alignment.quality, 4) if verdict.alignment else None,
    )
