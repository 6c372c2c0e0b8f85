"""How often verdicts on assemblies are right: ``python -m benchmarks.jigsaw [--count N] [--seed S]``.

Landscapes are cut into quarters and put together, half of them rightly, half with one of the faults, each under one of
the nuisances; so what is right is known. Ends with 1 where a wrong one passes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence

import cv2
import numpy as np

import grader
from benchmarks.jigsaw.clips import RIGHT, grade_clips
from benchmarks.jigsaw.faults import FAULTS, Pixels
from benchmarks.jigsaw.nuisances import NUISANCES
from puzzles.jigsaw.cuts import HALVES, joined
from puzzles.jigsaw.rendered import render_landscape

SIZES = ((384, 384), (512, 384), (384, 512))


def compose(number: int, seed: int, kinds: Sequence[str] = tuple(FAULTS)) -> tuple[str, str, list[Pixels], Pixels]:
    """A candidate: what is wrong with it, what happened to it, the right quarters, and the picture."""
    dice = np.random.default_rng([seed, number])
    picture = cv2.resize(render_landscape(seed * 100_000 + number // 2), SIZES[int(dice.integers(len(SIZES)))],
                         interpolation=cv2.INTER_AREA)  # fmt: skip
    quarters = [np.ascontiguousarray(one) for one in HALVES.cut(np.asarray(picture, np.uint8))]
    shown = [one.copy() for one in quarters]
    fault = RIGHT if number % 2 == 0 else kinds[number // 2 % len(kinds)]
    if fault != RIGHT:
        FAULTS[fault](shown, int(dice.integers(4)), dice)
    nuisance = list(NUISANCES)[int(dice.integers(len(NUISANCES)))]
    return fault, nuisance, quarters, NUISANCES[nuisance](joined(shown), dice)


def verdict_on(number: int, seed: int, kinds: Sequence[str] = tuple(FAULTS)) -> tuple[str, str, grader.Verdict]:
    """What a candidate is, and the verdict on it. Pieces are given in a drawn order."""
    fault, nuisance, quarters, picture = compose(number, seed, kinds)
    given = [int(one) for one in np.random.default_rng([seed, number, 1]).permutation(4)]
    order = [given.index(place) + 1 for place in range(4)]
    puzzle = grader.jigsaw("order_generation", order, pieces=[quarters[one] for one in given])
    return fault, nuisance, grader.grade(puzzle, picture)


def main(arguments: list[str] | None = None) -> int:
    """Prints how many of each kind end as they should; 1 if a wrong one passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clips", type=int, default=0, help="so many clips instead")
    parser.add_argument("--faults", nargs="+", choices=sorted(FAULTS), help="these alone")
    said = parser.parse_args(arguments)
    if said.clips:
        return int(grade_clips(said.clips, said.seed) > 0)
    ended: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    wrong = Counter({"false passes": 0, "false fails": 0})
    for number in range(said.count):
        fault, nuisance, verdict = verdict_on(number, said.seed, said.faults or tuple(FAULTS))
        code = verdict.reasons[0].code if verdict.reasons else "PASS"
        ended[(fault, nuisance if fault == RIGHT else "")][code] += 1
        if (code == "PASS") != (fault == RIGHT):
            wrong["false passes" if code == "PASS" else "false fails"] += 1
            print(f"candidate {number}: {fault}, {nuisance}: {verdict}", flush=True)
    for (fault, nuisance), codes in sorted(ended.items()):
        print(f"{fault:16} {nuisance:10} {', '.join(f'{code} {n}' for code, n in codes.most_common())}")
    share = 1 - sum(wrong.values()) / said.count
    print(
        f"{said.count} candidates: {100 * share:.2f} % right, {', '.join(f'{n} {kind}' for kind, n in wrong.items())}"
    )
    return int(wrong["false passes"] > 0)


if __name__ == "__main__":
    sys.exit(main())
