"""How often verdicts on drawn boards are right: ``python -m benchmarks.form_board [--count N] [--seed S]``.

Boards of levels 1 to 5 are drawn, half of them rightly in one of several ways, half with one of the faults, each under
one of the nuisances that mazes and Queens boards are tried with, or none; so what is right is known. Ends with 1 where
a wrong one passes.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import grader
from benchmarks.accuracy.nuisances import CLEAN, NUISANCES, names_for
from benchmarks.accuracy.scenes import Scene
from benchmarks.form_board.boards import DrawnOn, board
from benchmarks.form_board.faults import FAULTS
from benchmarks.form_board.right import RIGHT
from puzzles.common.raster import Picture

_LEVELS = 5
_CELL = 2.5
"""Units of a cell's free width, which nuisances are measured by: about the width of a piece."""
_TELL = 50
"""After so many candidates it is said on stderr how far it is."""


@dataclass(frozen=True, eq=False)
class Composed:
    """A candidate: the board, what is drawn, whether that is right, what happened to it, and its file."""

    board: DrawnOn
    plan: str
    right: bool
    nuisance: str
    data: bytes


def compose(number: int, seed: int) -> Composed:
    """A candidate by its number."""
    dice = np.random.default_rng([seed, number])
    level = 1 + number // 2 % _LEVELS
    start = int(dice.integers(len(FAULTS)))
    drawn: Picture | None = None
    on = board(level, seed * 100_000 + number // 2)
    plan = ""
    if number % 2 == 0:
        plan = list(RIGHT)[int(dice.integers(len(RIGHT)))]
        drawn = RIGHT[plan](on, dice)
    for step in range(len(FAULTS)):
        if drawn is not None:
            break
        plan = list(FAULTS)[(start + step) % len(FAULTS)]
        drawn = FAULTS[plan](on, dice)
    if drawn is None:
        raise RuntimeError("a board has a place for some fault")
    nuisance = names_for("queens")[int(dice.integers(len(names_for("queens"))))]
    scene = Scene(
        np.ascontiguousarray(drawn),
        free_px=_CELL * on.unit,
        edge_px=0.5 * on.unit,
        outside=on.style.ground,
        floor=on.style.ground,
        answer=on.style.colors[0],
    )
    if nuisance != CLEAN:
        name, strength = nuisance.rsplit("-", 1)
        one = NUISANCES[name]
        if one.picture is not None:
            scene = one.picture(scene, one.levels[int(strength) - 1], dice)
    return Composed(on, plan, number % 2 == 0, nuisance, scene.encoded())


def main(arguments: list[str] | None = None) -> int:
    """Prints how many of each kind end as they should; 1 if a wrong one passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="REGEX", help="only candidates whose plan/nuisance has a match")
    parser.add_argument("--numbers", type=int, nargs="*", help="only these candidates")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write overlays of wrong verdicts")
    said = parser.parse_args(arguments)
    engine, ended = grader.Engine(), defaultdict[tuple[str, str], Counter[str]](Counter)
    wrong, graded = Counter[str](), 0
    by_nuisance = defaultdict[str, Counter[bool]](Counter)
    for number in said.numbers or range(said.count):
        made = compose(number, said.seed)
        if not re.search(said.only, f"{made.plan}/{made.nuisance}"):
            continue
        job = grader.GradeJob("one", made.board.task, grader.ImageCandidate(made.data), overlay=said.out is not None)
        verdict = engine.grade(job)
        graded += 1
        code = verdict.reasons[0].code if verdict.reasons else "PASS"
        ended[("right" if made.right else "wrong", made.plan)][code] += 1
        good = (code == "PASS") == made.right
        if graded % _TELL == 0:
            print(f"{graded} graded, {wrong.total() + (not good)} of them wrongly", file=sys.stderr, flush=True)
        by_nuisance[made.nuisance.rpartition("-")[0] or made.nuisance][good] += 1
        if not good:
            wrong["false passes" if code == "PASS" else "false fails"] += 1
            reasons = "; ".join(f"{one.code}: {one.message}" for one in verdict.reasons)
            print(
                f"{number}: level {made.board.puzzle.level}, {made.plan}, {made.nuisance}: {reasons or 'PASS'}",
                flush=True,
            )
            if said.out is not None and verdict.overlay is not None:
                said.out.mkdir(parents=True, exist_ok=True)
                (said.out / f"{number}-{made.plan}-{made.nuisance}.png").write_bytes(verdict.overlay.png)
    for (kind, plan), codes in sorted(ended.items()):
        print(f"{kind} {plan:18} {', '.join(f'{code} {n}' for code, n in codes.most_common())}")
    print("by nuisance, wrong of all: " + ", ".join(
        f"{name} {counts[False]}/{counts.total()}" for name, counts in sorted(by_nuisance.items()) if counts[False]
    ))  # fmt: skip
    share = 1 - sum(wrong.values()) / max(1, graded)
    print(f"{graded} candidates: {100 * share:.2f} % right, "
          f"{', '.join(f'{n} {kind}' for kind, n in wrong.items()) or 'none wrong'}")  # fmt: skip
    return int(wrong["false passes"] > 0)


if __name__ == "__main__":
    sys.exit(main())
