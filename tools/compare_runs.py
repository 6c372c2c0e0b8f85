"""Compares the verdicts of two run folders, such as those of two versions of the grader on one manifest.

Every field of every verdict and status, and every overlay, is compared to the bit; apart from what says which version
and settings made a verdict. Exit code 1 where anything differs, 2 where the folders can't be compared.

example:
  python tools/compare_runs.py runs/before runs/after
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

APART = ("graderVersion", "profileDigest")
"""Fields of a provenance that are no part of what is said of a candidate."""
MOST_SHOWN = 20


def main(words: Sequence[str] | None = None) -> int:
    """Prints what differs, and how much; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="a run folder")
    parser.add_argument("after", type=Path, help="another one of the same manifest")
    options = parser.parse_args(words)
    try:
        before, after = read(options.before), read(options.after)
    except (OSError, ValueError) as error:
        print(f"compare_runs: {error}", file=sys.stderr)
        return 2
    differing = 0
    for request_id in sorted(before.keys() | after.keys()):
        found = list(differences(before.get(request_id), after.get(request_id), ""))
        if found:
            differing += 1
            if differing <= MOST_SHOWN:
                print(request_id, *found, sep="\n  ")
    pictures = list(overlays(options.before, options.after))
    for name in pictures[:MOST_SHOWN]:
        print(f"overlay {name}")
    print(f"{len(before.keys() | after.keys())} results, {differing} differ; {len(pictures)} overlays differ")
    return 1 if differing or pictures else 0


def read(folder: Path) -> dict[str, Any]:
    """Results of a run by request_id, without what says who made them; numbers stay as they are written."""
    results = {}
    with (folder / "results.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            said = json.loads(line, parse_float=str)
            if not isinstance(said, dict) or "requestId" not in said:
                raise ValueError(f"{folder}: line {number} of results.jsonl is no result")
            made = said.get("verdict", {}).get("provenance", {})
            for name in APART:
                made.pop(name, None)
            results[str(said["requestId"])] = said
    return results


def differences(one: Any, other: Any, path: str) -> Iterator[str]:
    """Each field that differs, with both values."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            yield from differences(one.get(name), other.get(name), f"{path}.{name}".lstrip("."))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(*pair, f"{path}[{place}]")
    elif one != other:
        yield f"{path}: {json.dumps(one)[:200]} -> {json.dumps(other)[:200]}"


def overlays(before: Path, after: Path) -> Iterator[str]:
    """Names of overlays that differ in a byte, or that one run has alone."""
    folders = (before / "overlays", after / "overlays")
    names = {path.name for folder in folders if folder.is_dir() for path in folder.iterdir()}
    for name in sorted(names):
        first, second = (folder / name for folder in folders)
        if not (first.is_file() and second.is_file() and first.read_bytes() == second.read_bytes()):
            yield name


if __name__ == "__main__":
    sys.exit(main())
