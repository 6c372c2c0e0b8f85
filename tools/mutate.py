"""Puts small faults into detectors and judges, one at a time, and counts how many the tests of their package tell.

A fault is one changed operator, number, branch, bound or statement. Lines are drawn by --seed, each as likely as any
other, one fault on each. A fault is put into a scratch copy of the checkout (never into the checkout), and those tests
of its package that run the line are run there, fastest first, until one fails: then the fault is caught. A run that
takes far longer than without the fault is ended, and counts as caught. What slips through is printed with its place: a
test is missing there, or the line is not needed, or nothing can tell (then list it, with the reason, in
tools/mutate_equivalent.txt).

The tests of a package are those of its folder below tests/ and those in tests/common; for rush_hour and sliding also
tests/plans. Tests on reference data beside the checkout count with --shared only.

The first run of a package notes which test runs which line (coverage.py), which takes some times as long as its tests;
it is kept in build/mutation, file of tests by file of tests, until code or tests change. Results are kept there as
well: a run that was stopped goes on where it was, and after a change of tests only what slipped through is tried again.

examples:
  python tools/mutate.py --mutations 300 --seed 1 --jobs 2      all packages
  python tools/mutate.py --mutations 40 --only detectors/maze   one package, file, or folder; may be given again
  python tools/mutate.py --mutations 40 --only grader/tasks/queens --list   says what would be tried, and runs nothing
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from mutation.choice import choose, read_equivalents
from mutation.lines import GatheringError, gather
from mutation.packages import packages, tracked
from mutation.sites import Mutation
from mutation.trees import Tree
from mutation.trials import Result, Results, Trial, run_all, trials_of

from grader.metrics.runs.bootstrap import wilson_interval

ROOT = Path(__file__).resolve().parent.parent
EQUIVALENTS = "tools/mutate_equivalent.txt"


def main(words: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Runs the tool.

    Returns
    -------
    0, or 1 where fewer are caught than asked for, or 2 where the tests fail as they are
    """
    options = _options(words)
    files = tracked(root)
    found = packages(root, files)
    sources = {
        path: (root / path).read_bytes()
        for package in found
        for path in package.sources
        if any(path == only or path.startswith(f"{only}/") for only in options.only) or not options.only
    }
    if not sources:
        print(f"--only: no code of a detector or judge is in {', '.join(options.only)}", file=sys.stderr)
        return 2
    chosen, passed, stale = choose(sources, options.mutations, options.seed, read_equivalents(root / EQUIVALENTS))
    for item in stale:
        print(f"{EQUIVALENTS}: no such line in {item.path} any more, remove it: {item.before}", file=sys.stderr)
    if options.list:
        for mutation in sorted(chosen, key=lambda one: (one.path, one.line)):
            print(_place(mutation))
        return 0
    build = root / "build" / "mutation"
    marks = "not lpips" if options.shared else "not lpips and not shared"
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        trees = [Tree(root, Path(folder) / str(index), files) for index in range(options.jobs)]
        trials: list[Trial] = []
        for package in found:
            own = [mutation for mutation in chosen if mutation.path in package.sources]
            if own:
                print(f"{package.name}: {len(own)} faults; which test runs which line ...", file=sys.stderr, flush=True)
                try:
                    coverage, tests_digest = gather(files, package, trees[0], build, marks)
                except GatheringError as error:
                    print(error, file=sys.stderr)
                    return 2
                trials += trials_of(package.name, own, coverage, tests_digest)
        results = run_all(trials, trees, Results(build / "results.jsonl"), _tell)
    print(_summary(results, len(passed)))
    rate = sum(result.caught for result in results) / max(1, len(results))
    return int(rate < options.at_least)


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutations", type=int, default=100, metavar="N", help="how many faults (100)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which lines are drawn (1)")
    parser.add_argument("--only", action="append", default=[], metavar="PATH", help="this folder or file")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="faults tried at once, a core each (1)")
    parser.add_argument("--shared", action="store_true", help="tests on reference data beside the checkout count too")
    parser.add_argument("--list", action="store_true", help="say what would be tried, and run nothing")
    parser.add_argument("--at-least", type=float, default=0.0, metavar="RATE", help="exit with 1 below this rate")
    options = parser.parse_args(words)
    options.only = [only.rstrip("/") for only in options.only]
    return options


def _place(fault: Mutation | Result) -> str:
    return f"{fault.path}:{fault.line} ({fault.operator})\n  - {fault.before}\n  + {fault.after}"


def _tell(result: Result) -> None:
    if not result.caught:
        print(f"slipped through, {result.by}: {_place(result)}", flush=True)


def _summary(results: Sequence[Result], passed: int) -> str:
    """All that slipped through, then caught of tried, with Wilson's interval of 95 %, by package and in all."""
    slipped = [result for result in results if not result.caught]
    lines = [f"\nslipped through: {len(slipped)}"]
    lines += [f"{_place(result)}\n  {result.by}" for result in sorted(slipped, key=lambda one: (one.path, one.line))]
    lines += ["", f"{'package':<14}{'caught':>12}{'rate':>8}   95 % interval"]
    names = sorted({result.package for result in results})
    for name, own in [(name, [result for result in results if result.package == name]) for name in names] + [
        ("all", list(results))
    ]:
        caught = sum(result.caught for result in own)
        if own:
            bounds = wilson_interval(caught, len(own))
            share = f"{caught}/{len(own)}"
            lines.append(f"{name:<14}{share:>12}{caught / len(own):>8.1%}   {bounds.low:.1%} to {bounds.high:.1%}")
    if passed:
        lines.append(f"{passed} drawn lines have a fault that nothing can tell ({EQUIVALENTS}); they are not counted.")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
