"""Grades a few puzzles by ``examples/node`` and by Python's client, and compares: ``make node``.

Exits with 1 where the two say anything else of a candidate.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from examples.demo import read_requests, running_server
from examples.demo_set import write_set
from grader.client import GraderClient
from grader.v1 import verdict_pb2

NODE = Path(__file__).parent / "node"


def by_node(address: str, manifest: Path) -> set[str]:
    """The lines that the program for Node prints."""
    done = subprocess.run(
        ["node", NODE / "grade.mjs", address, manifest], stdout=subprocess.PIPE, text=True, check=True
    )
    return set(done.stdout.splitlines())


def by_python(address: str, folder: Path) -> set[str]:
    """The same lines, by `GraderClient`."""
    lines = set()
    with GraderClient(address) as client:
        for answer in client.grade_batch(read_requests(folder)):
            verdict = answer.verdict
            outcome = verdict_pb2.Outcome.Name(verdict.outcome).removeprefix("OUTCOME_")
            reasons = " ".join(reason.code for reason in verdict.reasons)
            lines.add(f"{answer.request_id}\t{outcome}\t{verdict.reward:.3f}\t{reasons}")
    return lines


def main() -> int:
    """Runs both."""
    with tempfile.TemporaryDirectory() as name, running_server(Path(name) / "server.log") as address:
        folder = Path(name) / "set"
        list(write_set(folder))
        wanted = by_python(address, folder)
        found = by_node(address, folder / "manifest.jsonl")
    for line in sorted(wanted ^ found):
        print("only Node says" if line in found else "only Python says", line)
    print(f"{len(found & wanted)} of {len(wanted)} candidates: Node and Python say the same")
    return int(found != wanted)


if __name__ == "__main__":
    sys.exit(main())
