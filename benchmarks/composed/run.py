"""The command line: ``python -m benchmarks.composed``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
from tqdm import tqdm

from benchmarks.composed.writing import write_cases

_EPILOG = """
examples:
  python -m benchmarks.composed --pictures 300 --write build/composed     pictures, puzzles, and cases.jsonl
"""
SEEDS_PER_SEED = 1_000_000
"""Seeds of pictures that belong to one --seed."""


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.composed",
        description="What the grader sees of one wrong or harmless thing on a right answer.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pictures", type=int, default=1000, metavar="N", help="how many (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which row of pictures (default: 1)")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="only write them, and what is true of them")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Runs the benchmark; 2 where the command can't be followed."""
    options = _options(arguments)
    cv2.setNumThreads(1)
    first = options.seed * SEEDS_PER_SEED
    seeds = range(first, first + options.pictures)
    if options.write is None:
        print("composed: give --write FOLDER", file=sys.stderr)
        return 2
    for _ in tqdm(write_cases(options.write, seeds), total=len(seeds), unit="picture"):
        pass
    return 0
