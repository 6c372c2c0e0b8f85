"""Clips that this project did not draw: ../shared/fixtures/rollouts/dev, each with what happens in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import av
import numpy as np
import pytest

from detectors.maze.clips.kind import MotionKind
from grader.media.frames import Frame
from grader.media.types import DEFAULT_LIMITS
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome
from grader.tasks.maze.clips.clip import MazeClipJudgement
from grader.tasks.maze.clips.video import judge_maze_clip
from grader.tasks.maze.model import MazeGeometry, MazeInput, PathColor
from grader.tasks.maze.puzzle import MazePuzzle, prepare_maze
from grader.tasks.maze.settings import MazeSettings

pytestmark = pytest.mark.shared

ROOT = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "rollouts" / "dev"

NAMES = (
    *("mz_path_correct", "mz_path_correct_2", "mz_path_correct_3", "mz_dot_trail_correct", "mz_dot_no_trail_correct"),
    *("mz_dot_no_trail_correct_2", "mz_path_stops_half_way", "mz_path_crosses_wall", "mz_path_crosses_wall_2"),
    *("mz_path_jumps", "mz_dot_jumps", "mz_path_erased", "mz_path_complete_in_last_frame", "mz_maze_redrawn_used"),
    *("mz_maze_redrawn_unused", "mz_dot_passes_goal_ends_elsewhere", "mz_path_dead_end"),
)

# Of the larger ones, whose kind another clip or one that test_video draws shows as well;
# `python -m benchmarks.rollouts DIR` grades all of them.
LEFT_OUT = {
    *("mz_path_correct", "mz_path_correct_2", "mz_path_correct_3", "mz_path_crosses_wall_2"),
    *("mz_dot_no_trail_correct", "mz_dot_jumps", "mz_dot_trail_correct", "mz_path_crosses_wall"),
}
JUDGED = [name for name in NAMES if name not in LEFT_OUT]

ILLEGAL = {
    "MARKER_CROSSED_WALL",
    "JUMP",
    "MARKER_LEFT_MAZE",
    "WALL_CROSSED",
    "SHORTCUT",
    "OUTSIDE_MAZE",
    "PATH_JUMPS",
    "PATH_APPEARS_AT_ONCE",
}
"""What makes a way illegal. A gap in the drawn line shows as cells that are missed between two that are not."""


@cache
def records() -> dict[str, dict]:
    if not ROOT.is_dir():
        pytest.fail(f"{ROOT} is absent; these tests need the rollout fixtures beside the checkout")
    truth = json.loads((ROOT / "truth.json").read_text())
    return {clip["id"]: clip for clip in truth["clips"] if clip["task"] == "maze"}


@cache
def puzzle(instance: str) -> MazePuzzle:
    folder = ROOT / "puzzles" / "maze" / instance
    facts = json.loads((folder / "metadata.json").read_text())
    files = {path.stem: path.read_bytes() for path in folder.glob("*.png")}
    config, size = facts["maze_config"], facts["image_size"]
    task = MazeInput(
        image=files["input"],
        cell_map=files["cell_map"],
        geometry=MazeGeometry(config["shape"]),
        width_cells=config["width"],
        height_cells=config["height"],
        rings=config["layers"],
        cell_size_px=size["cell_size"],
        wall_width_px=size["wall_width"],
        path_cell_ids=tuple(facts["path_cell_ids"]),
        solution_image=files["solution"],
        mask=files["mask"],
        path_color=PathColor.BLUE,
    )
    return prepare_maze(task, MazeSettings(), DEFAULT_LIMITS, CandidateKind.VIDEO)


def frames(path: Path) -> Iterator[Frame]:
    """Every third frame of a path, to which things happen slowly; every other one of a dot."""
    step = 2 if "dot" in path.name else 3
    with av.open(str(path)) as container:
        for index, frame in enumerate(islice(container.decode(video=0), 0, None, step)):
            pixels = np.ascontiguousarray(frame.to_ndarray(format="rgb24"))
            yield Frame(index, float(frame.pts * frame.time_base), pixels)


@cache
def judged(name: str) -> MazeClipJudgement:
    record = records()[name]
    return judge_maze_clip(puzzle(record["puzzle"]), frames(ROOT / record["file"]), MazeSettings())


def codes(name: str) -> set[str]:
    return {reason.code for reason in judged(name).reasons}


def test_every_clip_is_looked_at():
    assert sorted(records()) == sorted(NAMES)


@pytest.mark.parametrize("name", JUDGED)
def test_clips_are_solved_as_recorded(name):
    record, judgement = records()[name], judged(name)
    marker = record["mode"].startswith("moving")
    assert judgement.kind is (MotionKind.MOVING_MARKER if marker else MotionKind.GROWING_PATH)
    assert judgement.has_trail == (record["mode"] == "moving dot with trail")
    if record["expect"] != "either":
        assert (judgement.outcome is Outcome.PASS) == record["solved"]
    if record["legal"]:
        assert not codes(name) & ILLEGAL
    elif name != "mz_path_jumps":
        assert codes(name) & ILLEGAL


@pytest.mark.parametrize("name", [name for name in JUDGED if "dot" in name])
def test_dots_visit_the_recorded_cells(name):
    record, judgement = records()[name], judged(name)
    cells = [point.cell.id for point in judgement.trajectory]
    order = [cell for at, cell in enumerate(cells) if not at or cell != cells[at - 1]]
    assert order == record["visited_cell_ids"]


@pytest.mark.parametrize("name", [name for name in JUDGED if name.startswith("mz_path")])
def test_paths_cover_the_recorded_share(name):
    covered = next(metric.value for metric in judged(name).metrics if metric.name == "coverage")
    # The record counts pixels of ink in a cell, the judge the middle of the line: at an end they differ by one cell.
    assert covered == pytest.approx(records()[name]["final"]["path_cell_coverage"], abs=1 / 15 + 0.001)


def test_a_gap_in_the_line_is_told():
    assert codes("mz_path_jumps") == {"CELLS_MISSED"}


def test_walls_that_vanish_are_told():
    assert "WALLS_CHANGED" in codes("mz_maze_redrawn_used")
    # Three pieces of wall fade away.
    assert len([event for event in judged("mz_maze_redrawn_unused").events if event.code == "WALL_GONE"]) == 3


def test_what_is_undone_is_undone():
    assert "PATH_ERASED" in codes("mz_path_erased")
    assert codes("mz_dot_passes_goal_ends_elsewhere") == {"GOAL_LEFT"}
