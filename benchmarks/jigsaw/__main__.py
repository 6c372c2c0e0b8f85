"""How often verdicts on assemblies are right: ``python -m benchmarks.jigsaw [--count N] [--seed S]``.

Pictures are cut into quarters and put together, half of them rightly, half with one of the faults, each under one of
the nuisances; so what is right is known. Ends with 1 where a wrong one passes that a person sees with ease.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import cv2

from benchmarks.composed.visibility import EASILY
from benchmarks.jigsaw.clips import RIGHT, grade_clips
from benchmarks.jigsaw.composing import Kinds, compose
from benchmarks.jigsaw.hidden import ALL_FAULTS
from benchmarks.jigsaw.nuisances import NUISANCES

_BINS = (0.0, 1.0, 2.0, EASILY, 10.0, 20.0, float("inf"))
"""Of the visibility of faults."""


def main(arguments: list[str] | None = None) -> int:
    """Prints how many of each kind end as they should; 1 if a wrong one that is seen with ease passes."""
    said = _parser().parse_args(arguments)
    if said.clips:
        return int(grade_clips(said.clips, said.seed) > 0)
    photographs = tuple(sorted(one for one in said.photos.iterdir() if one.is_file())) if said.photos else ()
    kinds = Kinds(tuple(said.faults or ALL_FAULTS), tuple(said.nuisances or NUISANCES), photographs)
    ended: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    seen: Counter[tuple[float, bool]] = Counter()
    wrong = Counter({"false passes": 0, "unseen": 0, "false fails": 0})
    for number in range(said.first, said.first + said.count):
        one = compose(number, said.seed, kinds)
        verdict = one.verdict()
        code = verdict.reasons[0].code if verdict.reasons else "PASS"
        ended[one.fault, one.nuisance if one.fault == RIGHT else ""][code] += 1
        if one.fault != RIGHT:
            seen[max(edge for edge in _BINS if edge <= one.visible), code == "PASS"] += 1
        if (code == "PASS") != (one.fault == RIGHT):
            unseen = "unseen" if one.visible < EASILY else "false passes"
            wrong[unseen if code == "PASS" else "false fails"] += 1
            print(f"candidate {number}: {one.fault} ({one.visible:.1f}), {one.nuisance}: {code}", flush=True)
            if said.keep:
                said.keep.mkdir(parents=True, exist_ok=True)
                name = f"{said.seed}-{number}-{one.fault}-{one.nuisance}-{code}.png"
                cv2.imwrite(str(said.keep / name), one.picture[..., ::-1])
    for (fault, nuisance), codes in sorted(ended.items()):
        print(f"{fault:16} {nuisance:10} {', '.join(f'{code} {n}' for code, n in codes.most_common())}")
    for low, high in pairwise(_BINS):
        passed, failed = seen[low, True], seen[low, False]
        if passed + failed:
            print(f"visibility {low:g} to {high:g}: {passed} of {passed + failed} wrong ones pass")
    share = 1 - sum(wrong.values()) / said.count
    print(
        f"{said.count} candidates: {100 * share:.2f} % right, {wrong['false passes']} false passes, and "
        f"{wrong['unseen']} below a visibility of {EASILY:g}; {wrong['false fails']} false fails"
    )
    return int(wrong["false passes"] > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the number of the first candidate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clips", type=int, default=0, help="so many clips instead")
    parser.add_argument("--faults", nargs="+", choices=sorted(ALL_FAULTS), help="these alone")
    parser.add_argument("--nuisances", nargs="+", choices=sorted(NUISANCES), help="these alone")
    parser.add_argument("--photos", type=Path, help="a folder of photographs to cut in place of drawn landscapes")
    parser.add_argument("--keep", type=Path, help="a folder for the pictures whose verdicts are wrong")
    return parser


if __name__ == "__main__":
    sys.exit(main())
