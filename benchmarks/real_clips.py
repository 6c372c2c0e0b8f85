"""Grades clips that video models made of mazes, and says where a person sees it otherwise.

``python -m benchmarks.real_clips DIR``: DIR has ``clips.json``, a list of records with the clip, the puzzle's picture,
the box of the maze in it, its cell map, grid, path, and what a person says.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from tqdm import tqdm

import grader
from grader.model.verdict import Outcome
from grader.tasks.maze.model import MazeInput

Record = Mapping[str, Any]


def read_records(folder: Path) -> list[Record]:
    """The records of a folder, in their order.

    Raises
    ------
    FileNotFoundError
        If it has none.
    """
    records: list[Record] = json.loads((folder / "clips.json").read_text())
    return records


def read_cell_ids(path: Path) -> NDArray[np.int32]:
    """(H, W) int32, the ids of a cell map, R + 256 G + 65536 B."""
    rgb = np.asarray(Image.open(path).convert("RGB"), np.int32)
    return np.asarray(rgb @ np.array([1, 256, 65536], np.int32), np.int32)


def puzzle_of(folder: Path, record: Record) -> MazeInput:
    """The maze of a record, as it was given to the model: within its larger picture."""
    return grader.maze(
        folder / record["puzzle_picture"],
        read_cell_ids(folder / record["cell_map_of_box"]),
        geometry="square",
        width_cells=record["grid"][0],
        height_cells=record["grid"][1],
        cell_size_px=record["cell_size_px"],
        wall_width_px=record["wall_width_px"],
        path_cell_ids=record["path_cell_ids"],
        path_color="red" if "red" in record["answer"] else "blue",
        box=tuple(record["maze_box"]),
        # A flag becomes a trophy: so this data shows that it was reached.
        goal_may_change=True,
    )


def agrees(record: Record, outcome: Outcome) -> bool:
    """Whether a verdict is what a person says."""
    return outcome is (Outcome.PASS if record["person"] == "right" else Outcome.FAIL)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; 1 if a verdict is not a person's."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real_clips", description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="folder with clips.json")
    folder: Path = parser.parse_args(arguments).folder
    try:
        records = read_records(folder)
    except FileNotFoundError as error:
        print(f"{error.filename} is absent; name a folder with clips.json", file=sys.stderr)
        return 2
    told = [record for record in records if record["cell_map_of_box"]]
    same = 0
    for record in tqdm(told, unit="clip", disable=None):
        begin = time.perf_counter()
        verdict = grader.grade(puzzle_of(folder, record), folder / record["clip"])
        right = agrees(record, verdict.outcome)
        same += right
        print(
            f"{record['id']:24s} a person says {record['person']:5s}  {verdict.outcome.name:4s} "
            f"{'' if right else 'DIFFERS '}{', '.join(verdict.codes)} ({time.perf_counter() - begin:.1f} s)"
        )
    print(f"{same} of {len(told)} as a person says; {len(records) - len(told)} without cells are left out")
    return 0 if same == len(told) else 1


if __name__ == "__main__":
    sys.exit(main())
