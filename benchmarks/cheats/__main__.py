"""Grades the bank of cheats and prints what the grader says of each: ``python -m benchmarks.cheats``.

Every cheat is drawn on generated mazes (four geometries) or Queens boards of several sizes, or scenes of
coloured boxes (five operations), and graded in this process.
The exit status is 1 if a cheat passes, earns more than its ceiling, or fails for an unexpected reason; known holes
are shown and counted too.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

from benchmarks.cheats.bank import Cheat
from benchmarks.cheats.boards import board_subject
from benchmarks.cheats.catalogue import BANK, KNOWN_HOLES, table
from benchmarks.cheats.edit_scenes import EDITED, GateBySsim, edit_subject
from benchmarks.cheats.fold_cheats import fold_subject
from benchmarks.cheats.form_board_cheats import form_board_subject
from benchmarks.cheats.grid_cheats import grid_subject
from benchmarks.cheats.hinge_cheats import hinge_subject
from benchmarks.cheats.jigsaw_cheats import jigsaw_subject
from benchmarks.cheats.mazes import maze_subject
from benchmarks.cheats.sheet import write_sheets
from benchmarks.cheats.subjects import Subject
from grader.engine.engine import Engine
from grader.model.verdict import Verdict
from puzzles.maze.geometry import Geometry


@dataclass(frozen=True)
class Grading:
    """A cheat on a puzzle, with what was said of it."""

    task: str
    cheat: Cheat
    column: str
    size: int
    verdict: Verdict
    objections: tuple[str, ...]

    @property
    def text(self) -> str:
        """Outcome, first reason and reward in short."""
        first = self.verdict.reasons[0].code if self.verdict.reasons else "-"
        reward = -1.0 if self.verdict.reward is None else self.verdict.reward
        mark = "!! " if self.objections else ""
        return f"{mark}{self.size}: {self.verdict.outcome.value} {first} {reward:.2f}"


def _subjects(
    scales: list[int], sizes: list[int], seeds: list[int], floors: list[int]
) -> list[tuple[str, str, int, Subject]]:
    mazes = [("maze", geometry.value, scale) for scale in scales for geometry in Geometry]
    boards = [("queens", "board", n) for n in sizes]
    alone = [(geometry, scale) for scale in floors for geometry in Geometry]
    return [
        *((task, column, size, maze_subject(Geometry(column), size)) for task, column, size in mazes),
        *(("maze", f"{one.value} floor", scale, maze_subject(one, scale).floor_alone) for one, scale in alone),
        *((task, column, size, board_subject(size)) for task, column, size in boards),
        *(("spatial_edit", one.value, seed, edit_subject(one, seed)) for seed in seeds for one in EDITED),
        *(("jigsaw", "landscape", seed, jigsaw_subject(seed)) for seed in seeds),
        *(("grid_maze", "dungeon", seed, grid_subject(seed)) for seed in seeds),
        *(("hinge_folding", "chain", seed, hinge_subject(seed)) for seed in seeds),
        *(("paper_fold", "sheet", seed, fold_subject(seed)) for seed in seeds),
        *(("form_board", "board", seed, form_board_subject(seed)) for seed in seeds),
    ]


def grade_bank(
    scales: list[int],
    sizes: list[int],
    seeds: list[int],
    only: str,
    *,
    floors: list[int] | None = None,
    overlay: bool = False,
) -> list[Grading]:
    """Grade the cheats whose name a regular expression finds, on every puzzle that has a place for them."""
    engine, wanted = Engine(measures=GateBySsim()), re.compile(only)
    work = [
        (task, cheat, column, size, subject)
        for task, column, size, subject in _subjects(scales, sizes, seeds, floors or [])
        for cheat in BANK[task]
        if wanted.search(cheat.name)
    ]
    found = []
    for task, cheat, column, size, subject in tqdm(work, unit="cheat", disable=None):
        candidate = cheat.build(subject)
        if candidate is not None:
            verdict = engine.grade(subject.job(candidate, overlay=overlay))
            found.append(Grading(task, cheat, column, size, verdict, cheat.objections(verdict)))
    return found


def _print(gradings: list[Grading], console: Console) -> None:
    for task in BANK:
        of_task = [one for one in gradings if one.task == task]
        columns = list(dict.fromkeys(one.column for one in of_task))
        shown = Table(title=f"{task}: size: outcome, first reason, reward; !! is not as expected", show_lines=True)
        for heading in ("cheat", *columns):
            shown.add_column(heading, overflow="fold")
        for name in dict.fromkeys(one.cheat.name for one in of_task):
            cells = ["\n".join(one.text for one in of_task if (one.cheat.name, one.column) == (name, column))
                     for column in columns]  # fmt: skip
            shown.add_row(name, *cells)
        if of_task:
            console.print(shown)


def main() -> int:
    """Grade, print, and say by the exit status whether the bank holds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="REGEX", help="only cheats whose kind/variant it finds")
    parser.add_argument("--scales", type=int, nargs="*", default=[3, 5, 8, 16], help="scales of mazes")
    parser.add_argument(
        "--floors", type=int, nargs="*", default=[8], help="scales of mazes told by a mask of the floor"
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=[4, 6, 8, 10], help="rows of boards")
    parser.add_argument("--scenes", type=int, nargs="*", default=[1, 2], help="seeds of tabletop scenes")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write contact sheets: each cheat beside its overlay")
    parser.add_argument("--docs", action="store_true", help="print the tables of docs/cheats.md and stop")
    options = parser.parse_args()
    if options.docs:
        for task in BANK:
            print(f"## {task}\n\n{table(task)}")
        return 0
    cv2.setNumThreads(1)
    gradings = grade_bank(
        options.scales,
        options.sizes,
        options.scenes,
        options.only,
        floors=options.floors,
        overlay=options.out is not None,
    )
    console = Console(width=None if sys.stdout.isatty() else 200)
    _print(gradings, console)
    if options.out is not None:
        for path in write_sheets(options.out, [(f"{one.task} {one.column} {one.size} {one.cheat.name}", one.text,
                                                one.verdict.overlay) for one in gradings]):  # fmt: skip
            console.print(f"wrote {path}")
    bad = [one for one in gradings if one.objections]
    for one in bad:
        known = KNOWN_HOLES.get((one.task, one.cheat.name))
        note = f" (known: {known})" if known else ""
        console.print(f"{one.task} {one.column} {one.size} {one.cheat.name}: {'; '.join(one.objections)}{note}")
    console.print(f"{len(gradings)} gradings of {len({(one.task, one.cheat.name) for one in gradings})} cheats, "
                  f"{len(bad)} not as expected")  # fmt: skip
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
