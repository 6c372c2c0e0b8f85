"""Grades recorded rollouts and prints agreement and every difference: ``python -m benchmarks.rollouts DIR``.

Without a folder it grades the project's own suite of rendered clips, whose truth is known by construction.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from pathlib import Path

from tqdm import tqdm

from benchmarks.rollouts.composed.run import run_composed
from benchmarks.rollouts.composed.series import run_series
from benchmarks.rollouts.grading import Said, grade, in_processes
from benchmarks.rollouts.marked.run import run_marked
from benchmarks.rollouts.own import run_suite
from benchmarks.rollouts.recorded import Recorded, RecordedError, read_recorded


def differences(record: Recorded, said: Said) -> list[str]:
    """What is said otherwise than recorded, in words; empty if everything agrees."""
    found = []
    passed = said.outcome == "PASS"
    because = f" ({', '.join(said.reasons)}: {said.message})" if said.message else ""
    if record.solved is not None and passed != record.solved:
        found.append(f"recorded {'solved' if record.solved else 'not solved'}, judged {said.outcome}{because}")
    name = "legal" if record.task == "maze" else "strict_legal"
    for what, wanted, metric in (
        (name, record.strict, name),
        ("solved by first moves", record.first_moves, "solved_first_moves"),
    ):
        if wanted is not None and metric in said.metrics and said.metrics[metric] != float(wanted):
            found.append(f"{what} recorded {wanted}, judged {said.metrics[metric]}")
    if record.moves is not None and said.moves is not None and said.moves != record.moves:
        found.append(f"moves recorded {', '.join(record.moves)}, read {', '.join(said.moves)}")
    if record.first_wrong_step is not None:
        step = said.metrics.get("first_wrong_step") or 0
        if step != record.first_wrong_step:
            found.append(f"first wrong picture recorded {record.first_wrong_step}, judged {step:.0f}")
    return found


def grade_folder(folder: Path, jobs: int, only: str) -> int:
    """Grades a folder; 0 if everything agrees, 1 if not."""
    records = [record for record in read_recorded(folder) if re.search(only, record.name)]
    same: Counter[tuple[str, str]] = Counter()
    count: Counter[tuple[str, str]] = Counter()
    differing: list[str] = []
    answers = in_processes(grade, (record.request.SerializeToString() for record in records), jobs)
    for record, said in tqdm(zip(records, answers, strict=True), total=len(records), unit="rollout", disable=None):
        wrong = differences(record, said)
        count[record.task, record.kind] += 1
        same[record.task, record.kind] += not wrong
        differing += [f"{record.name}: {text}\n    record: {record.why}" for text in wrong]
    for key in count:
        print(f"{key[0]:16s} {key[1]:32s} {same[key]:3d} of {count[key]:3d} agree")
    print(f"all: {same.total()} of {count.total()} agree; {len(differing)} differences")
    print(*differing, sep="\n", end="\n" if differing else "")
    return 1 if differing else 0


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; 0 if everything agrees, 1 if not, 2 if something can't be read."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.rollouts",
        description="Grades recorded rollouts and prints agreement with their records and every difference; without a "
        "folder, the project's own suite of clips.",
        epilog="DIR has truth.json, the clips and series that it names, and the puzzles.",
    )
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR", help="folder of recorded rollouts")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one for each CPU)")
    parser.add_argument("--only", default="", help="rollouts whose name matches this regular expression")
    parser.add_argument("--sample", type=int, metavar="N", help="for the suite: N of its clips, spread over all kinds")
    parser.add_argument("--composed", type=int, metavar="N", help="N composed clips instead of the suite")
    parser.add_argument("--floors", action="store_true", help="composed mazes are told by the mask of their floor")
    parser.add_argument("--series", type=int, metavar="N", help="N of the maker's own series instead of the suite")
    parser.add_argument("--marked", type=int, metavar="N", help="N series, some of them drawn on, instead of the suite")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first of them (default: 0)")
    parser.add_argument("--out", type=Path, help="for the suite: folder for results and the sheets of wrong clips")
    options = parser.parse_args(arguments)
    try:
        if options.composed is not None:
            return run_composed(
                options.composed, options.out, options.jobs, options.only, options.first, by_floor=options.floors
            )
        if options.marked is not None:
            return run_marked(options.first, options.marked, options.jobs, options.out)
        if options.series is not None:
            return run_series(options.series, options.jobs)
        if options.folder is None:
            return run_suite(options.out, options.jobs, options.only, options.sample)
        return grade_folder(options.folder, options.jobs, options.only)
    except (RecordedError, ValueError, OSError, re.error) as error:
        print(f"rollouts: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
