"""Clips that video models made of mazes in larger pictures: ../shared/fixtures/real_clips, with what a person says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import av
import pytest

import grader
from benchmarks.real_clips import Record, agrees, puzzle_of, read_cell_ids, read_records
from grader.media.frames import Frame
from grader.media.types import DEFAULT_LIMITS
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome
from grader.tasks.maze.clips.clip import MazeClipJudgement
from grader.tasks.maze.clips.video import judge_maze_clip
from grader.tasks.maze.model import MazeInput
from grader.tasks.maze.self_check import prepare_readable_maze
from grader.tasks.maze.settings import MazeSettings

pytestmark = pytest.mark.shared

ROOT = Path(__file__).resolve().parents[4] / "shared" / "fixtures" / "real_clips"

NAMES = ("wan_maze3_1", "wan_maze4_1_cut60", "wan_maze4_1_rev", "wan_maze4_1_fade")
"""Some of each kind; ``python -m benchmarks.real_clips`` grades all."""
RING = (1, 2, 6, 5, 9, 10, 11, 15, 16)
"""One of the two ways of the textured mazes, cells row by row from 1."""


@cache
def records() -> dict[str, Record]:
    if not ROOT.is_dir():
        pytest.fail(f"{ROOT} is absent; these tests need the clips beside the checkout")
    return {record["id"]: record for record in read_records(ROOT)}


def frames(path: Path, step: int) -> Iterator[Frame]:
    """Each ``step``-th frame: what happens takes many, and a part of them takes a part of the time."""
    with av.open(str(path)) as container:
        for index, frame in enumerate(islice(container.decode(video=0), 0, None, step)):
            yield Frame(index, frame.time or 0.0, frame.to_ndarray(format="rgb24"))


def judged(task: MazeInput, path: Path, step: int) -> MazeClipJudgement:
    puzzle = prepare_readable_maze(task, MazeSettings(), DEFAULT_LIMITS, CandidateKind.VIDEO)
    return judge_maze_clip(puzzle, frames(path, step), MazeSettings())


@pytest.mark.parametrize("name", NAMES)
def test_clips_of_video_models_are_judged_as_a_person_judges_them(name):
    """As they are, with margins, labels of axes and black bars around the maze, and trophies where a flag was."""
    record = records()[name]
    judgement = judged(puzzle_of(ROOT, record), ROOT / record["clip"], 5)
    assert agrees(record, judgement.outcome), judgement.reasons


def test_a_puzzle_with_walls_as_wide_as_corridors_shows_nothing_but_itself():
    """The picture as the model got it, in a taller one with black bars."""
    record = records()["sora2_sora_cr1"]
    verdict = grader.grade(puzzle_of(ROOT, record), ROOT / record["puzzle_picture"])
    assert verdict.codes == ("NOTHING_DRAWN",)


def tiles(name: str) -> MazeInput:
    return grader.maze(
        ROOT / "textured" / f"{name}.png",
        read_cell_ids(ROOT / "textured" / "cells.png"),
        geometry="square",
        width_cells=4,
        height_cells=4,
        cell_size_px=128,
        wall_width_px=64,
        path_cell_ids=RING,
        path_color="red",
        any_solution=True,
    )


@pytest.mark.parametrize(
    ("name", "kind", "step", "outcome"),
    [("s1", "right", 6, Outcome.PASS), ("s2", "wrong", 12, Outcome.FAIL)],
)
def test_tiles_and_textures_are_read(name, kind, step, outcome):
    """White tiles with outlines; rocks on grass, with sprites as markers."""
    judgement = judged(tiles(name), ROOT / "textured" / f"{name}_{kind}.mp4", step)
    assert judgement.outcome is outcome, judgement.reasons
