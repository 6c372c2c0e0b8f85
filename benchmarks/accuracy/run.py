"""The command line: ``python -m benchmarks.accuracy``."""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path

import cv2

from benchmarks.accuracy.cases import Case, all_cases, parse_case, sample
from benchmarks.accuracy.grading import build_case, grade_case
from benchmarks.accuracy.processes import work_through
from benchmarks.accuracy.results import Result, ResultsError, ResultsFile
from benchmarks.accuracy.tables import judged, markdown, tables, write_csv
from benchmarks.accuracy.worst import sheet, worst
from grader import __version__
from grader.engine.engine import Engine, library_versions
from grader.model.jobs import CandidateKind
from grader.profiles.reading import package_profiles
from puzzles.amaze.files import png_bytes

ROOT = Path(__file__).resolve().parents[2]
_CODE = ("benchmarks/accuracy", "detectors", "grader", "puzzles")
_GROUP = 40
"""Cases that one process takes at a time, at most; all are of one instance, which is made once."""

_EPILOG = """
examples:
  python -m benchmarks.accuracy --sample 2000            a part that has every kind, in minutes
  python -m benchmarks.accuracy                          all cases
  python -m benchmarks.accuracy --only 'circle.*/warp'   those whose id matches
  python -m benchmarks.accuracy --case maze-square-05-dfs-red/branch/jpeg-3

The folder gets results.jsonl (a case a line), tables.md, tables.csv and worst.png. A run that was stopped goes on when
the same command is given again. See docs/accuracy.md.
"""


def identity(*more: str) -> str:
    """What graded: version, profiles, libraries, and a digest of the code, with that in more folders."""
    digest = hashlib.sha256()
    for place in (*_CODE, *more):
        for path in sorted((ROOT / place).rglob("*.py")):
            digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    profiles = ",".join(f"{one.name}={one.digest}" for one in package_profiles())
    versions = sorted(library_versions(CandidateKind.IMAGE).items())
    libraries = ",".join(f"{name}={version}" for name, version in versions)
    return f"code {digest.hexdigest()}\ngrader {__version__}\nprofiles {profiles}\nlibraries {libraries}\n"


@cache
def _engine() -> Engine:
    """The engine of this process."""
    cv2.setNumThreads(1)
    return Engine(puzzle_cache_size=2)


def grade_group(case_ids: tuple[str, ...]) -> list[Result]:
    """Grades cases of one instance in this process; those that have no place on their puzzle are left out."""
    found = (grade_case(_engine(), parse_case(case_id)) for case_id in case_ids)
    return [result for result in found if result is not None]


def _groups(cases: list[Case]) -> Iterator[tuple[str, ...]]:
    ordered = sorted(cases, key=lambda case: str(case.instance))
    for _, group in groupby(ordered, key=lambda case: case.instance):
        ids = [case.id for case in group]
        for place in range(0, len(ids), _GROUP):
            yield tuple(ids[place : place + _GROUP])


def grade_all(cases: list[Case], file: ResultsFile, jobs: int) -> None:
    """Grades cases in processes, with a progress bar.

    Raises
    ------
    ResultsError
        If a process dies; what was graded is kept.
    """
    waiting = [case for case in cases if case.id not in file.done]
    work_through(
        _groups(waiting), grade_group, file, jobs=jobs, total=len(cases), done=len(cases) - len(waiting), unit="case"
    )


def show(case_id: str, folder: Path) -> None:
    """Writes one case's candidate and overlay, and prints its verdict."""
    case = parse_case(case_id)
    candidate = build_case(case)
    if candidate is None:
        raise ValueError(f"{case_id}: this puzzle has no place for the plan")
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^A-Za-z0-9_+-]", "_", case.id)
    suffix = {b"\x89PNG": "png", b"RIFF": "webp"}.get(candidate.data[:4], "jpg")
    (folder / f"{name}.{suffix}").write_bytes(candidate.data)
    verdict = _engine().grade(replace(candidate.job, overlay=True))
    if verdict.overlay is not None:
        (folder / f"{name}.overlay.png").write_bytes(verdict.overlay.png)
    metrics = {one.name: one.value for one in verdict.metrics}
    truth = candidate.truth
    print(case.id)
    print(f"expected {'PASS' if truth.passes else 'FAIL'}, got {verdict.outcome.value}, reward {verdict.reward}")
    print(f"coverage {truth.coverage:.4f} expected, {metrics.get('coverage')} got")
    print(f"violation {truth.violation:.4f} expected, {metrics.get('violation')} got")
    for reason in verdict.reasons:
        places = ", ".join(str(place.cell.id) for place in reason.places if place.cell)
        print(f"  {reason.code}: {reason.message} {f'(cells {places})' if places else ''}")
    print(f"alignment {verdict.alignment}")
    print(f"pictures in {folder}/{name}.*")


def report(results: list[Result], folder: Path) -> None:
    """Writes tables and the worst cases, and prints the verdict on the targets."""
    found, lines = tables(results), judged(results)
    (folder / "tables.md").write_text(markdown(found, lines), encoding="utf-8")
    write_csv(folder / "tables.csv", found)
    bad = worst(results)
    if bad:
        (folder / "worst.png").write_bytes(png_bytes(sheet(bad, _engine())))
    print(markdown(found[:5], lines))
    print(f"{sum(not one.right for one in results)} wrong outcomes of {len(results)}; all tables in {folder}/tables.md")


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.accuracy",
        description="How often verdicts are right, on pictures whose truth is known by construction.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sample", type=int, metavar="N", help="about N cases of every kind instead of all")
    parser.add_argument("--tasks", default="maze,queens", help="maze, queens or both with a comma (default: both)")
    parser.add_argument("--only", metavar="REGEX", help="only cases whose id has a match of this")
    parser.add_argument("--case", metavar="ID", help="show one case: writes candidate and overlay, prints the verdict")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder (default: one in runs/ named by the code)")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count(), metavar="N", help="processes")
    parser.add_argument("--list", action="store_true", help="print the ids of the cases and stop")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Runs the benchmark; 2 where the command can't be followed."""
    options = _options(arguments)
    try:
        return _run(options)
    except (ResultsError, ValueError, re.error) as error:
        print(f"accuracy: {error}", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    who = identity()
    folder = options.out or ROOT / "runs" / f"accuracy-{who.split()[1][:10]}"
    if options.case:
        show(options.case, folder / "cases")
        return 0
    tasks = tuple(options.tasks.split(","))
    if set(tasks) - {"maze", "queens"}:
        raise ValueError(f"--tasks is {options.tasks!r}; give maze, queens, or maze,queens")
    if options.jobs < 1 or (options.sample is not None and options.sample < 1):
        raise ValueError("--jobs and --sample have to be at least 1")
    cases = list(all_cases(tasks))
    if options.only:
        pattern = re.compile(options.only)
        cases = [case for case in cases if pattern.search(case.id)]
    if options.sample:
        cases = sample(cases, options.sample)
    if not cases:
        raise ValueError("no case is left; look at --list without --only")
    if options.list:
        print("\n".join(case.id for case in cases))
        return 0
    with ResultsFile(folder, who) as file:
        grade_all(cases, file, options.jobs)
        results = [file.done[case.id] for case in cases if case.id in file.done]
    report(results, folder)
    return 0
