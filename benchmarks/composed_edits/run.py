"""The command line: ``python -m benchmarks.composed_edits``."""

from __future__ import annotations

import argparse
import multiprocessing
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, partial
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np

from benchmarks.accuracy.processes import work_through
from benchmarks.accuracy.results import ERROR, RecordsFile, ResultsError
from benchmarks.accuracy.run import ROOT, identity
from benchmarks.accuracy.tables import Share
from benchmarks.cheats.edit_scenes import GateBySsim
from benchmarks.composed.chart import draw_curve
from benchmarks.composed.grading import Graded
from benchmarks.composed.tables import curve, failed, grouped, passed, said
from benchmarks.composed.visibility import EASILY
from benchmarks.composed.writing import suffix_of, write_picture
from benchmarks.composed_edits.cases import ComposedEdit, compose
from benchmarks.composed_edits.stages import PER_STAGE
from benchmarks.edits import EditCase, edit_job
from grader.engine.engine import Engine
from grader.model.jobs import GradeJob, ImageCandidate

MOST_PASSED = 0.005
"""Of wrong edits that are easily seen, the share that may pass."""
MOST_FAILED = 0.01
"""Of right edits, the share that may fail."""
LEAST_WRONG = 2000
_SEEDS_PER_SEED = 1_000_000


@cache
def engine() -> Engine:
    """The engine of this process; its gate stands on SSIM alone."""
    cv2.setNumThreads(1)
    return Engine(measures=GateBySsim(), puzzle_cache_size=2)


def job_of(case: ComposedEdit, *, overlay: bool = False) -> GradeJob:
    """The job of grading a case from its picture alone."""
    edit = case.stage.edit
    made = edit_job(EditCase(case.stage.name, edit, "right", edit.before))
    return replace(made, candidate=ImageCandidate(case.data), overlay=overlay)


def grade_seeds(seeds: tuple[int, ...], only: str = "", save: Path | None = None) -> list[Graded]:
    """Composes and grades edits; those whose family and role do not match a pattern are left out."""
    found = []
    for seed in seeds:
        started = time.perf_counter()
        case = compose(seed)
        if not re.search(only, f"{case.family}-{case.role}"):
            continue
        composed = 1000 * (time.perf_counter() - started)
        graded = replace(grade(case), compose_ms=round(composed, 1))
        if save is not None and graded.bad:
            _keep(save, case, graded)
        found.append(graded)
    return found


def grade(case: ComposedEdit) -> Graded:
    """Grades a case; an exception of the grader becomes a result of its own kind."""
    operation = case.stage.edit.operation.value
    role = f"{case.family}-{case.role}" if case.role else case.family
    graded = Graded(
        seed=case.seed,
        instance=case.stage.name,
        task="spatial_edit",
        kind=operation,
        size_px=case.stage.before.shape[1],
        wrong=case.wrong,
        family=case.family,
        role=role,
        ink_kind="",
        texture="",
        opacity=0.0,
        width_px=0.0,
        beside="",
        nuisance=case.nuisance,
        visibility=case.visibility,
    )
    started = time.perf_counter()
    try:
        verdict = engine().grade(job_of(case))
    except Exception:  # noqa: BLE001 - a crash of what is measured is a measurement
        return replace(graded, error=traceback.format_exc(limit=-3))
    return replace(
        graded,
        got=verdict.outcome.value,
        reasons=tuple(reason.code for reason in verdict.reasons),
        reward=verdict.reward,
        grade_ms=round(1000 * (time.perf_counter() - started), 1),
    )


def _keep(folder: Path, case: ComposedEdit, graded: Graded) -> None:
    """Writes a case beside the picture before and the right one, in a folder by its role."""
    place = folder / graded.role
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{case.seed}.{suffix_of(case.data)}").write_bytes(case.data)
    row = np.concatenate([case.stage.before, case.stage.after, case.picture], axis=1)
    write_picture(place / f"{case.seed}.before-right-sent.png", row)


def judged(results: list[Graded]) -> tuple[str, ...]:
    """One line a target; a missed one begins with MISSED."""
    lines = []
    for what, share, bound in (
        ("wrong and easily seen, yet PASS", passed(results), MOST_PASSED),
        ("right, yet not PASS", failed(results), MOST_FAILED),
    ):
        reached = share.value is not None and share.value <= bound
        word = "reached" if reached else "UNKNOWN" if share.value is None else "MISSED "
        lines.append(f"{word} {what}: {share.hits} of {share.count}, {share} %, asked <= {100 * bound:g} %")
    wrong = [one for one in results if one.wrong]
    lines.append(f"of all {len(wrong)} wrong ones, seen or not: {_passing(wrong)} % pass")
    enough = "enough" if len(wrong) >= LEAST_WRONG else "too few for a claim"
    errors = sum(one.got == ERROR for one in results)
    lines.append(f"{len(results)} edits: {enough} (a claim needs {LEAST_WRONG} wrong ones); errors: {errors}")
    return tuple(lines)


def _passing(results: Iterable[Graded]) -> Share:
    found = list(results)
    return Share(sum(one.got == "PASS" for one in found), len(found))


_GROUPS: tuple[tuple[str, Callable[[Graded], str]], ...] = (
    ("Where", lambda one: one.family),
    ("What", lambda one: one.role),
    ("Operation", lambda one: one.kind),
    ("Width of the picture", lambda one: f"{one.size_px} px"),
    ("Nuisance", lambda one: one.nuisance),
)


def page(results: list[Graded]) -> str:
    """All tables; shares are per cent with Wilson 95 % intervals."""
    wrong, right = [one for one in results if one.wrong], [one for one in results if not one.wrong]
    parts = ["# Composed edits", "", *(f"- {line}" for line in judged(results)), ""]
    parts += ["## Wrong ones that fail, by visibility (1 is a person's threshold)", "", "| visibility | n | fail % |"]
    parts += ["|---|---|---|"]
    parts += [f"| {one.low:g} to {one.high:g} | {one.failed.count} | {one.failed} |" for one in curve(wrong)]
    for title, name in _GROUPS:
        parts += [
            "",
            f"## Wrong: {title}",
            "",
            f"| | n | easily seen (from {EASILY:g}): n | of these pass % | reasons |",
        ]
        parts += ["|---|---|---|---|---|"]
        for own, group in grouped(wrong, name):
            seen = passed(group)
            parts.append(f"| {own} | {len(group)} | {seen.count} | {seen} | {said(o for o in group if o.right)} |")
        if title == "What":
            continue
        parts += ["", f"## Right: {title}", "", "| | n | fail % | reasons |", "|---|---|---|---|"]
        for own, group in grouped(right, name):
            parts.append(f"| {own} | {len(group)} | {failed(group)} | {said(o for o in group if not o.right)} |")
    return "\n".join([*parts, ""])


def main(arguments: list[str] | None = None) -> int:
    """Runs the benchmark; 2 where the command can't be followed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.composed_edits", description=__doc__)
    parser.add_argument("--pictures", type=int, default=1000, metavar="N", help="how many (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which row of pictures (default: 1)")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count(), metavar="N", help="processes")
    parser.add_argument("--only", default="", metavar="REGEX", help="only places and roles with a match of this")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="for results (default: one in runs/ by the code)")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="keep pictures here that come out wrong, by role")
    parser.add_argument("--case", type=int, metavar="NUMBER", help="show one picture, and stop")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        return _run(options)
    except (ResultsError, ValueError, re.error) as error:
        print(f"composed_edits: {error}", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    if min(options.pictures, options.workers) < 1 or options.seed < 0:
        raise ValueError("--pictures and --workers have to be at least 1, and --seed 0")
    re.compile(options.only)
    who = identity("benchmarks/composed_edits")
    folder = options.out or ROOT / "runs" / f"composed-edits-{who.split()[1][:10]}"
    if options.case is not None:
        _show(options.case, folder)
        return 0
    first = options.seed * _SEEDS_PER_SEED
    seeds = list(range(first, first + options.pictures))
    with RecordsFile(folder, who, Graded, "seed") as file:
        waiting = [seed for seed in seeds if seed not in file.done]
        groups = [tuple(group) for _, group in groupby(waiting, key=lambda seed: seed // PER_STAGE)]
        work = partial(grade_seeds, only=options.only, save=options.save)
        done = len(seeds) - len(waiting)
        work_through(groups, work, file, jobs=options.workers, total=len(seeds), done=done, unit="picture")
        results = [file.done[seed] for seed in seeds if seed in file.done]
    results = [one for one in results if re.search(options.only, one.role)]
    (folder / "tables.md").write_text(page(results), encoding="utf-8")
    write_picture(folder / "curve.png", draw_curve({"edits": (curve(results), (30, 90, 200))}, "Wrong edits that fail"))
    print("\n".join(judged(results)))
    print(f"tables.md and curve.png in {folder}")
    return 0


def _show(seed: int, folder: Path) -> None:
    case = compose(seed)
    graded = grade(case)
    _keep(folder, case, graded)
    overlay = engine().grade(job_of(case, overlay=True)).overlay
    if overlay is not None:
        (folder / graded.role / f"{seed}.overlay.png").write_bytes(overlay.png)
    print(f"{seed}: {graded.role} on {graded.instance}, {graded.kind}, nuisance {graded.nuisance}")
    print(f"visibility {graded.visibility:.2f} (1 threshold, {EASILY:g} easily seen)")
    print(f"expected {'FAIL' if case.wrong else 'PASS'}, got {graded.got} {' '.join(graded.reasons)} {graded.reward}")
    print(f"pictures in {folder / graded.role}/{seed}.*")
