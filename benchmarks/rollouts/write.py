"""Writes the clips of the suite, their truth, and contact sheets: ``python -m benchmarks.rollouts.write OUT``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tqdm import tqdm

from benchmarks.rollouts.records import RolloutCase, Task
from benchmarks.rollouts.sheets import sheet_png
from benchmarks.rollouts.suite import all_cases, make_clip, solved_first_moves


def main() -> int:
    """Writes ``OUT/<task>-<puzzle>-<fault>-<look>.mp4`` for each case, and ``OUT/truth.jsonl``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rollouts.write", description=__doc__)
    parser.add_argument("out", type=Path, help="folder to write to")
    parser.add_argument("--only", default="", help="cases whose name holds this text, such as /red_through/")
    parser.add_argument("--sheets", action="store_true", help="write a contact sheet beside each clip")
    parser.add_argument("--no-clips", action="store_true", help="write the list of cases only")
    given = parser.parse_args()
    cases = [case for case in all_cases() if given.only in case.id]
    if not cases:
        print(f"no case's name holds {given.only!r}", file=sys.stderr)
        return 2
    given.out.mkdir(parents=True, exist_ok=True)
    with (given.out / "truth.jsonl").open("w", encoding="utf-8") as stream:
        for case in cases:
            stream.write(json.dumps(_line(case)) + "\n")
    for case in tqdm([] if given.no_clips else cases, unit="clip", disable=None):
        clip = make_clip(case)
        path = given.out / _file_name(case)
        path.write_bytes(clip)
        if given.sheets:
            path.with_suffix(".png").write_bytes(sheet_png(clip, f"{case.id}   solved: {case.truth.solved}"))
    return 0


def _file_name(case: RolloutCase) -> str:
    return case.id.replace("/", "-") + ".mp4"


def _line(case: RolloutCase) -> dict[str, object]:
    return {
        "id": case.id,
        "file": _file_name(case),
        "task": case.task.value,
        "puzzle": case.puzzle,
        "level": case.level,
        "fault": case.fault.value,
        "look": case.look,
        "solved": case.truth.solved,
        "strict_legal": case.truth.strict_legal,
        "solved_first_moves": solved_first_moves(case) if case.task is Task.RUSH_HOUR else None,
    }


if __name__ == "__main__":
    sys.exit(main())
