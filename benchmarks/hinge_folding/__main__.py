"""How often verdicts on folded chains are right: ``python -m benchmarks.hinge_folding [--count N] [--seed S]``.

Chains of levels 1 to 5 are drawn, half of them rightly, half with one of the faults, each under up to two of the
nuisances of mazes; so what is right is known. Ends with 1 where a wrong one passes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path

import grader
from benchmarks.hinge_folding.cases import RIGHT, compose
from benchmarks.hinge_folding.clips import grade_clips
from grader import ImageCandidate


def main(arguments: list[str] | None = None) -> int:
    """Prints how many of each kind end as they should; 1 if a wrong one passes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for pictures whose verdict is wrong")
    parser.add_argument("--clips", type=int, default=0, help="so many clips instead")
    said = parser.parse_args(arguments)
    if said.clips:
        return int(grade_clips(said.first, said.clips, said.seed) > 0)
    ended: dict[str, Counter[str]] = defaultdict(Counter)
    wrong = Counter({"false passes": 0, "false fails": 0})
    for number in range(said.first, said.first + said.count):
        case = compose(number, said.seed)
        verdict = grader.grade(case.subject.task, ImageCandidate(case.data))
        code = verdict.reasons[0].code if verdict.reasons else "PASS"
        ended[case.fault][code] += 1
        if (code == "PASS") != (case.fault == RIGHT):
            wrong["false passes" if code == "PASS" else "false fails"] += 1
            text = "; ".join(one.message for one in verdict.reasons)
            print(
                f"case {number}, level {case.subject.level}: {case.fault}, {case.nuisances}: {code} {text}", flush=True
            )
            if said.keep is not None:
                said.keep.mkdir(parents=True, exist_ok=True)
                (said.keep / f"{number}").write_bytes(case.data)
    for fault, codes in sorted(ended.items()):
        print(f"{fault:16} {', '.join(f'{code} {n}' for code, n in codes.most_common())}")
    share = 1 - sum(wrong.values()) / said.count
    print(
        f"{said.count} candidates: {100 * share:.2f} % right, {', '.join(f'{n} {kind}' for kind, n in wrong.items())}"
    )
    return int(wrong["false passes"] > 0)


if __name__ == "__main__":
    sys.exit(main())
