"""Grades composed clips: by what happens, by what hides it, by what the video does, and a curve over time."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tqdm import tqdm

from benchmarks.accuracy.tables import Share
from benchmarks.rollouts.composed.cases import LEAST_S, ComposedCase, case_clip, case_look, composed_cases, truth_of
from benchmarks.rollouts.composed.maze_deeds import subject_of
from benchmarks.rollouts.grading import Said, grade, grade_job, in_processes
from benchmarks.rollouts.puzzle_sets import lot_record, tile_puzzle
from benchmarks.rollouts.records import Task
from benchmarks.rollouts.sheets import sheet_png
from grader.importers.mentisoculi.messages import lot_message, tiles_message
from grader.model.jobs import GradeJob, VideoCandidate
from grader.v1 import service_pb2
from puzzles.amaze.files import png_bytes
from puzzles.sliding.render import render_board

_SHEETS = 40
_STEPS_S = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 99.0)


@dataclass(frozen=True)
class Composed:
    """A case with what was said of it, for how long its fault is shown, in seconds, and what should be said."""

    case: ComposedCase
    said: Said
    fault_s: float
    solved: bool | None

    @property
    def right(self) -> bool | None:
        """Whether the outcome is right; None where it is not scored."""
        return None if self.solved is None else (self.said.outcome == "PASS") == self.solved


def request_of(case: ComposedCase) -> service_pb2.GradeRequest:
    """A case as a request, with its clip."""
    request = service_pb2.GradeRequest(request_id=case.id, puzzle_id=case.puzzle)
    if case.task is Task.RUSH_HOUR:
        request.rush_hour.CopyFrom(lot_message(lot_record(case.puzzle).lot))
    else:
        one = tile_puzzle(case.puzzle)
        request.sliding.CopyFrom(tiles_message(one.puzzle))
        style = replace(case_look(case).tiles, board_share=1.0, border_share=0.0)
        board = render_board(one.picture(), one.puzzle.start, one.puzzle.target, style)
        request.sliding.puzzle.image.data = png_bytes(board)
    request.video.data = case_clip(case)
    return request


def _made_and_graded(case: ComposedCase, *, by_floor: bool) -> Said:
    if case.task is Task.MAZE:
        subject = subject_of(case.puzzle, case.id)
        task = subject.floor_task if by_floor else subject.task
        return grade_job(GradeJob(case.id, task, VideoCandidate(case_clip(case))))
    return grade(request_of(case).SerializeToString())


def run_composed(count: int, out: Path | None, jobs: int, only: str, first: int = 0, *, by_floor: bool = False) -> int:
    """Grades so many composed clips, from a number on; 0 if none passes whose fault is shown long enough, else 1.

    Mazes are told by their cells, or by the mask of their floor.
    """
    cases = [case for case in composed_cases(count, first) if re.search(only, case.id)]
    if not cases:
        raise ValueError(f"no clip's name matches {only!r}")
    answers = in_processes(partial(_made_and_graded, by_floor=by_floor), cases, jobs)
    found: list[Composed] = []
    for case, said in tqdm(zip(cases, answers, strict=True), total=len(cases), unit="clip", disable=None):
        found.append(Composed(case, said, *truth_of(case)))
    for line in report(found):
        print(line)
    if out is not None:
        _save(found, out)
    return 1 if any(one.solved is False and one.said.outcome == "PASS" for one in found) else 0


def report(found: list[Composed]) -> Iterator[str]:
    """The tables and the curve, line by line."""
    keys: tuple[tuple[str, Callable[[Composed], str]], ...] = (
        ("kind", lambda one: f"{one.case.task.value} {one.case.kind}"),
        ("deed", lambda one: f"{one.case.task.value} {one.case.deed}"),
        ("hidden by", lambda one: f"{one.case.task.value} {one.case.kind} {one.case.hide.value}"),
        ("video", lambda one: one.case.video),
        ("all", lambda _: "all"),
    )
    for name, key in keys:
        yield f"{name:34s} {'right passes':>16s} {'wrong fails':>16s} {'outcome right':>30s}"
        for value in dict.fromkeys(sorted(map(key, found))):
            of = [one for one in found if key(one) == value]
            good = [one.right for one in of if one.solved is True]
            bad = [one.right for one in of if one.solved is False]
            yield f"{value:34s} {_counted(good):>16s} {_counted(bad):>16s} {_share([*good, *bad]):>30s}"
        yield ""
    yield f"{'fault shown for':34s} {'passes':>16s}   (below {LEAST_S} s it is not scored)"
    wrong = [one for one in found if one.case.kind != "right"]
    for low, high in itertools.pairwise(_STEPS_S):
        of = [one for one in wrong if low <= one.fault_s < high]
        if of:
            passed = sum(one.said.outcome == "PASS" for one in of)
            yield f"{f'{low:.2f} to {high:.2f} s':34s} {f'{passed} of {len(of)}':>16s}"
    yield ""
    for one in found:
        if one.right is False:
            yield f"wrong: {one.case.id}: {one.said.outcome} {', '.join(one.said.reasons)} {one.said.message}"


def _counted(right: list[bool | None]) -> str:
    return f"{sum(map(bool, right))} of {len(right)}" if right else "-"


def _share(right: list[bool | None]) -> str:
    share = Share(sum(map(bool, right)), len(right))
    if share.value is None:
        return "-"
    low, high = share.interval
    return f"{100 * share.value:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def _save(found: list[Composed], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with (out / "composed.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("id", "kind", "fault_s", "solved", "outcome", "reasons"))
        for one in found:
            row = (one.case.id, one.case.kind, round(one.fault_s, 3), one.solved, one.said.outcome)
            writer.writerow((*row, " ".join(one.said.reasons)))
    for one in [one for one in found if one.right is False][:_SHEETS]:
        text = f"{one.case.id}: {one.said.outcome} {', '.join(one.said.reasons)}"
        name = one.case.id.replace("/", "-")
        (out / f"wrong-{name}.png").write_bytes(sheet_png(case_clip(one.case), text))
