"""The command line: ``python -m benchmarks.composed``."""

from __future__ import annotations

import argparse
import multiprocessing
import re
import sys
from functools import partial
from itertools import groupby, islice
from pathlib import Path

import cv2
from tqdm import tqdm

from benchmarks.accuracy.processes import work_through
from benchmarks.accuracy.results import RESULTS_NAME, RecordsFile, ResultsError, read_records
from benchmarks.accuracy.run import ROOT, identity
from benchmarks.composed.chart import draw_curve, sheet, worst
from benchmarks.composed.grading import Graded, grade_seeds, grade_written, show
from benchmarks.composed.stages import PER_STAGE, task_of
from benchmarks.composed.tables import curve, judged, page
from benchmarks.composed.writing import write_cases, write_picture, written_cases

_DESCRIPTION = """
What does the grader see of one thing more on a right answer?

Every picture is a right answer, a path in a maze or the queens of a board, and one thing more. Three in five get a
wrong thing: a role (a second way, a wall, a hole, a marker, a mark, words, ...) in an ink (lighter or darker than the
floor, any hue, 4 to 100 % opaque, from a hair line to half a cell, solid, dashed, sprayed, ...) at a place. They have
to FAIL. The others get a harmless thing (a shadow, a rim, a caption, a frame, ...) or none, and have to PASS. How
visible the thing is to a person is computed: 1 is the threshold, from 5 on it is seen with ease.
"""
_EPILOG = """
examples:
  python -m benchmarks.composed --pictures 300                            a first look, in minutes
  python -m benchmarks.composed --pictures 20000 --seed 1 --workers 2     what a claim needs, in hours
  python -m benchmarks.composed --pictures 300 --save build/wrong         keeps what comes out wrong, by role
  python -m benchmarks.composed --only 'way|wall'                         only roles whose name has a match
  python -m benchmarks.composed --task queens                             boards only
  python -m benchmarks.composed --again runs/composed-0123456789          what came out wrong there, once more
  python -m benchmarks.composed --case 1000123                            one picture: files, overlay, verdict
  python -m benchmarks.composed --pictures 300 --write build/composed     pictures and cases.jsonl, nothing graded
  python -m benchmarks.composed --read build/composed                     those graded, and not composed again

The folder gets results.jsonl (a picture a line), tables.md, curve.png (the share of wrong ones that fail, against
their visibility) and worst.png. A run that was stopped goes on when the same command is given again. Picture k of
--seed s has the number 1000000 s + k, and is the same everywhere. See docs/composed.md.
"""
SEEDS_PER_SEED = 1_000_000
"""Seeds of pictures that belong to one --seed."""
_CURVES = {"mazes": ("maze", (30, 90, 200)), "boards": ("queens", (200, 90, 20))}


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.composed",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pictures", type=int, default=1000, metavar="N", help="how many (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which row of pictures (default: 1)")
    parser.add_argument("--task", choices=("maze", "queens"), help="pictures of this one only")
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count(), metavar="N", help="processes")
    parser.add_argument("--only", default="", metavar="REGEX", help="only roles whose name has a match of this")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="for results (default: one in runs/ by the code)")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="keep pictures here that come out wrong, by role")
    parser.add_argument("--again", type=Path, metavar="FOLDER", help="only what came out wrong in this earlier run")
    parser.add_argument("--case", type=int, metavar="NUMBER", help="show one picture, and stop")
    parser.add_argument("--read", type=Path, metavar="FOLDER", help="grade pictures that --write wrote there before")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="only write pictures and what is true of them")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Runs the benchmark; 2 where the command can't be followed."""
    options = _options(arguments)
    cv2.setNumThreads(1)
    try:
        return _run(options)
    except (ResultsError, ValueError, re.error) as error:
        print(f"composed: {error}", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    if min(options.pictures, options.workers) < 1 or options.seed < 0:
        raise ValueError("--pictures and --workers have to be at least 1, and --seed 0")
    re.compile(options.only)
    seeds = seeds_of(options.seed, options.pictures, options.task)
    if options.write is not None:
        with tqdm(total=len(seeds), unit="picture") as bar:
            for there in write_cases(options.write, seeds, options.workers):
                bar.update(there - bar.n)
        return 0
    who = identity("benchmarks/composed")
    folder = options.out or ROOT / "runs" / f"composed-{who.split()[1][:10]}"
    if options.case is not None:
        print("\n".join(show(options.case, folder / "cases")))
        return 0
    if options.read is not None:
        seeds = sorted(written_cases(options.read))
    if options.again is not None:
        known = set(seeds)
        seeds = [seed for seed in _once_wrong(options.again) if options.read is None or seed in known]
    with RecordsFile(folder, who, Graded, "seed") as file:
        _grade(seeds, file, options)
        results = [file.done[seed] for seed in seeds if seed in file.done]
    results = [one for one in results if re.search(options.only, one.role)]
    report(results, folder)
    return 0


def seeds_of(seed: int, count: int, task: str | None = None) -> list[int]:
    """The first seeds of pictures of a row, all or those of a task."""
    row = range(seed * SEEDS_PER_SEED, (seed + 1) * SEEDS_PER_SEED)
    own = (one for one in row if task is None or task_of(str(one // PER_STAGE)) == task)
    return list(islice(own, count))


def _once_wrong(folder: Path) -> list[int]:
    path = folder / RESULTS_NAME
    if not path.is_file():
        raise ValueError(f"{path} is not there; --again takes the folder of an earlier run")
    return sorted(one.seed for one in read_records(path, Graded) if one.bad)


def _grade(seeds: list[int], file: RecordsFile[Graded], options: argparse.Namespace) -> None:
    waiting = [seed for seed in seeds if seed not in file.done]
    groups = [tuple(group) for _, group in groupby(waiting, key=lambda seed: seed // PER_STAGE)]
    work = partial(grade_seeds, only=options.only, save=options.save)
    if options.read is not None:
        work = partial(grade_written, folder=options.read, only=options.only, save=options.save)
    done = len(seeds) - len(waiting)
    work_through(groups, work, file, jobs=options.workers, total=len(seeds), done=done, unit="picture")


def report(results: list[Graded], folder: Path) -> None:
    """Writes tables, curve and the worst pictures, and prints the verdict on the targets."""
    (folder / "tables.md").write_text(page(results), encoding="utf-8")
    curves = {
        name: (curve(one for one in results if one.task == task), color) for name, (task, color) in _CURVES.items()
    }
    write_picture(folder / "curve.png", draw_curve(curves, "Wrong pictures that fail"))
    bad = worst(results)
    if bad:
        write_picture(folder / "worst.png", sheet(bad))
    print("\n".join(judged(results)))
    print(f"tables.md, curve.png{' and worst.png' if bad else ''} in {folder}")
