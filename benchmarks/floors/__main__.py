"""How often verdicts on mazes without cells are right: ``python -m benchmarks.floors [--count N] [--seed S]``.

Curved mazes (rings, spirals, waves, bent rings; walls as lines, corridors in rock) are drawn in several looks, half of
them with a right way, half with one of the faults, each under one of the nuisances that other mazes are tried with, or
none; so what is right is known. Ends with 1 where a wrong one passes.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import grader
from benchmarks.accuracy.nuisances import CLEAN, NUISANCES, names_for
from benchmarks.accuracy.scenes import Scene
from benchmarks.floors.plans import RIGHT, WRONG
from benchmarks.floors.scenes import FloorScene, scene
from puzzles.common.raster import Picture

_OF_ONE = 8
"""Candidates of one maze: preparing it costs as much as grading some."""
_TELL = 50
"""After so many candidates it is said on stderr how far it is."""


@dataclass(frozen=True, eq=False)
class Composed:
    """A candidate: what is drawn, whether that is right, what happened to it, and its file."""

    on: FloorScene
    plan: str
    right: bool
    nuisance: str
    data: bytes


@cache
def _scene(seed: int, number: int) -> FloorScene:
    return scene(seed, number)


def compose(number: int, seed: int) -> Composed:
    """A candidate by its number."""
    dice = np.random.default_rng([seed, number, 2])
    on = _scene(seed, number // _OF_ONE)
    plans = RIGHT if number % 2 == 0 else WRONG
    start = int(dice.integers(len(plans)))
    drawn: Picture | None = None
    plan = ""
    for step in range(len(plans)):
        plan = list(plans)[(start + step) % len(plans)]
        drawn = plans[plan](on, dice)
        if drawn is not None:
            break
    if drawn is None:
        raise RuntimeError("a maze has a place for some plan")
    nuisance = names_for("maze")[int(dice.integers(len(names_for("maze"))))]
    shown = Scene(
        np.ascontiguousarray(drawn),
        free_px=on.free_px,
        edge_px=0.5 * on.maze.wall_px,
        outside=on.look.page,
        floor=on.look.floor,
        answer=on.ink,
    )
    if nuisance != CLEAN:
        name, strength = nuisance.rsplit("-", 1)
        one = NUISANCES[name]
        if one.picture is not None:
            shown = one.picture(shown, one.levels[int(strength) - 1], dice)
    return Composed(on, plan, number % 2 == 0, nuisance, shown.encoded())


def main(arguments: list[str] | None = None) -> int:
    """Prints how many of each kind end as they should; 1 if a wrong one passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="REGEX", help="only those whose look/plan/nuisance has a match")
    parser.add_argument("--numbers", type=int, nargs="*", help="only these candidates")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write overlays of wrong verdicts")
    said = parser.parse_args(arguments)
    engine, ended = grader.Engine(), defaultdict[tuple[str, str], Counter[str]](Counter)
    wrong, refused, graded = Counter[str](), Counter[str](), 0
    by_nuisance, by_look = (defaultdict[str, Counter[bool]](Counter) for _ in range(2))
    for number in said.numbers or range(said.count):
        made = compose(number, said.seed)
        look = f"{made.on.maze.recipe.shape.value}-{made.on.maze.recipe.look.value}-{made.on.look.name}"
        if not re.search(said.only, f"{look}/{made.plan}/{made.nuisance}"):
            continue
        job = grader.GradeJob("one", made.on.puzzle, grader.ImageCandidate(made.data), overlay=said.out is not None)
        try:
            verdict = engine.grade(job)
        except grader.InvalidRequestError as error:
            refused[look] += 1
            print(f"{number}: {look} refused: {str(error)[:300]}", flush=True)
            continue
        graded += 1
        code = verdict.reasons[0].code if verdict.reasons else "PASS"
        ended[("right" if made.right else "wrong", made.plan)][code] += 1
        good = (code == "PASS") == made.right
        if graded % _TELL == 0:
            print(f"{graded} graded, {wrong.total() + (not good)} of them wrongly", file=sys.stderr, flush=True)
        by_nuisance[made.nuisance.rpartition("-")[0] or made.nuisance][good] += 1
        by_look[look][good] += 1
        if not good:
            wrong["false passes" if code == "PASS" else "false fails"] += 1
            reasons = "; ".join(f"{one.code}: {one.message}" for one in verdict.reasons)
            print(f"{number}: {look}, {made.plan}, {made.nuisance}: {reasons or 'PASS'}", flush=True)
            if said.out is not None and verdict.overlay is not None:
                said.out.mkdir(parents=True, exist_ok=True)
                (said.out / f"{number}.png").write_bytes(verdict.overlay.png)
    for (kind, plan), codes in sorted(ended.items()):
        print(f"{kind:6} {plan:16} {dict(codes.most_common())}")
    for table in (by_nuisance, by_look):
        print({name: f"{counts[True]} of {counts.total()}" for name, counts in sorted(table.items()) if counts[False]})
    share = 100.0 * (1.0 - wrong.total() / max(graded, 1))
    print(f"{graded} graded, {share:.2f} % right, {dict(wrong)}, refused {dict(refused)}")
    return 1 if wrong["false passes"] else 0


if __name__ == "__main__":
    sys.exit(main())
