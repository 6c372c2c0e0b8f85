"""Grades composed series: the share of marks that are seen, by how visible they are, and of right series that pass."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.accuracy.tables import Share
from benchmarks.rollouts.grading import Said, grade, in_processes
from benchmarks.rollouts.marked.cases import MarkedCase, case_of, make_case

EASY = 5.0
"""From this visibility on a mark is seen with ease."""

_BINS = (0.0, 1.0, 2.0, 5.0, 10.0, 25.0, 1e9)
_SHEET_PX = 420


@dataclass(frozen=True)
class Marked:
    """A case with how visible its mark is, and what was said of it."""

    case: MarkedCase
    visible: float
    said: Said


def _made_and_graded(seed: int) -> Said:
    made = make_case(seed)
    said = grade(made.request.SerializeToString())
    return Said(said.outcome, said.reasons, said.message, {"visible": made.visible}, said.moves)


def run_marked(first: int, count: int, jobs: int, out: Path | None) -> int:
    """Grades so many series; 0 if no easily seen mark passes and no right series fails, 1 otherwise."""
    seeds, found = list(range(first, first + count)), []
    answers = in_processes(_made_and_graded, seeds, jobs)
    for seed, said in tqdm(zip(seeds, answers, strict=True), total=count, unit="series", disable=None):
        found.append(Marked(case_of(seed), said.metrics["visible"] or 0.0, said))
    for line in report(found):
        print(line)
    wrong = [one for one in found if _is_wrong(one)]
    if out is not None:
        _save(found, wrong, out)
    return 1 if wrong else 0


def _is_wrong(one: Marked) -> bool:
    passed = one.said.outcome == "PASS"
    return not passed if one.case.mark is None else passed and one.visible >= EASY


def report(found: list[Marked]) -> Iterator[str]:
    """The tables, line by line."""
    marked = [one for one in found if one.case.mark is not None]
    right = [one for one in found if one.case.mark is None]
    yield f"right series that pass: {_passed(right)}"
    yield f"marks seen with ease that pass: {_passed([one for one in marked if one.visible >= EASY])}"
    for low, high in itertools.pairwise(_BINS):
        of = [one for one in marked if low <= one.visible < high]
        yield f"marks of visibility {low:g} to {high:g} that pass: {_passed(of)}"
    keys: tuple[tuple[str, Callable[[MarkedCase], str]], ...] = (
        ("task", lambda case: case.task),
        ("shape", lambda case: case.mark.shape if case.mark else ""),
        ("ink", lambda case: case.mark.ink if case.mark else ""),
        ("place", lambda case: f"{case.task} {case.place}"),
        ("span", lambda case: case.span),
        ("nuisance", lambda case: case.nuisance),
    )
    for name, key in keys:
        for value in sorted({key(one.case) for one in marked}):
            of = [one for one in marked if key(one.case) == value and one.visible >= EASY]
            fine = [one for one in right if key(one.case) == value]
            yield f"{name:9s} {value:16s} seen with ease, yet PASS: {_passed(of):28s} right, PASS: {_passed(fine)}"
    for one in found:
        if _is_wrong(one):
            yield f"wrong: {one.case}, visibility {one.visible:.1f}: {one.said.outcome} {one.said.message}"


def _passed(of: list[Marked]) -> str:
    share = Share(sum(one.said.outcome == "PASS" for one in of), len(of))
    return "-" if share.value is None else f"{share.hits} of {share.count} = {100 * share.value:.1f} %"


def _save(found: list[Marked], wrong: list[Marked], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with (out / "results.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("seed", "task", "mark", "place", "span", "nuisance", "visible", "outcome", "message"))
        for one in found:
            case, said = one.case, one.said
            row = (case.seed, case.task, case.mark, case.place, case.span, case.nuisance)
            writer.writerow((*row, round(one.visible, 2), said.outcome, said.message))
    for one in wrong:
        pictures = make_case(one.case.seed).pictures
        size = (_SHEET_PX, _SHEET_PX)
        sheet = np.hstack([cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in pictures])
        cv2.imwrite(str(out / f"wrong-{one.case.seed}.png"), sheet[..., ::-1])
