"""A maze of twice the size is read in the frame of the small one; what is said of it is in its own pixels."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from detectors.common.colors import ColorName
from detectors.maze.alterations import AlterationConfig, find_alterations
from detectors.maze.clips.blobs import Spot, Travel
from detectors.maze.clips.config import ClipConfig, GrowthConfig, StepConfig
from detectors.maze.clips.findings import Blob
from detectors.maze.clips.kind import KindFindings, MotionKind, tell_kind
from detectors.maze.clips.motion import read_motion
from detectors.maze.clips.scene import MotionScene
from detectors.maze.clips.steps import cell_at, walk_cells
from detectors.maze.ink import InkConfig, find_ink
from detectors.maze.paths import find_path
from detectors.maze.strokes.config import PathConfig
from grader.media.frames import Frame
from grader.model.jobs import VideoPolicy
from grader.tasks.maze.clips.marker import judge_marker
from grader.tasks.maze.clips.path import judge_growth
from grader.tasks.maze.judge import judge_maze
from grader.tasks.maze.settings import PathRules
from tests.maze.clip_stages.scenes import spot
from tests.maze.stages.plans import CELL, MARGIN, RED, corner, doubled_plan, middle, plan_of
from tests.maze.stages.test_judge import ALIGNED, NOTHING_LEFT, PUZZLE, RIGHT, UNALTERED, WHOLE, still

WAYS = {(1, 2), (2, 3), (3, 6), (5, 6), (4, 5)}
SMALL = plan_of(2, 3, WAYS, {1: "disc", 4: "cross"})
LARGE = doubled_plan(2, 3, WAYS, {1: "disc", 4: "cross"})
BLUE = (0, 107, 183)


def test_the_frame_is_that_of_the_small_one():
    assert (LARGE.factor, LARGE.size, LARGE.cell_px, LARGE.wall_px) == (2, (256, 192), 32.0, 4.0)
    assert np.array_equal(LARGE.picture, SMALL.picture)
    assert np.array_equal(LARGE.labels, SMALL.labels)
    assert LARGE.passages == SMALL.passages


def seen(picture, plan):
    ink = find_ink(picture, None, plan, ColorName.BLUE, InkConfig())
    return find_path(picture, ink, plan, PathConfig()), find_alterations(picture, None, ink, plan, AlterationConfig())


def test_places_are_in_its_own_pixels():
    picture = SMALL.picture.copy()
    for one, other in ((1, 2), (2, 5)):
        cv2.line(picture, middle(one, 3), middle(other, 3), BLUE, 4)
    cv2.circle(picture, middle(6, 3), 6, RED, -1)
    (small, small_altered), (large, large_altered) = seen(picture, SMALL), seen(picture, LARGE)
    assert small.crossings[0].at == (small.crossings[0].at[0], pytest.approx(corner(5, 3)[1], abs=1.5))
    assert large.crossings[0].at == tuple(2 * value for value in small.crossings[0].at)
    assert np.array_equal(np.array(large.polyline), 2 * np.array(small.polyline))
    assert large.half_width_px == 2 * small.half_width_px
    ((at, cell),) = large_altered.added_markers
    ((small_at, small_cell),) = small_altered.added_markers
    assert (at, cell) == (tuple(2 * value for value in small_at), small_cell)


def blob(x: float, y: float) -> Blob:
    return Blob(x, y, 4.0, (200.0, 0.0, 0.0), 50.0)


def walked(plan, scale: int, *points):
    spots = [Spot(n, n / 25, blob(scale * x, scale * y)) for n, (x, y) in enumerate(points)]
    walk = walk_cells(spots, plan, StepConfig())
    return [(one.cell, one.fault) for one in walk.visits]


RIGHT_X, BOTTOM_Y = corner(3, 3)[0], corner(6, 3)[1]
FIRST_X, FIRST_Y = middle(1, 3)


@pytest.mark.parametrize(
    "points",
    [
        [middle(1, 3), middle(2, 3), middle(3, 3), middle(6, 3)],
        [middle(1, 3), middle(4, 3)],
        [(FIRST_X - 8, FIRST_Y), (FIRST_X - 8 + 1.5 * CELL, FIRST_Y)],
        [(FIRST_X - 8, FIRST_Y), (FIRST_X - 8 + 1.6 * CELL, FIRST_Y)],
        [(RIGHT_X + 5, BOTTOM_Y - 5), (RIGHT_X - 5, BOTTOM_Y + 5)],
        [(RIGHT_X + 6, BOTTOM_Y - 6), (RIGHT_X - 6, BOTTOM_Y + 6)],
        [middle(2, 3), (middle(2, 3)[0], MARGIN - 8)],
        [(FIRST_X + 0.6 * CELL * (n % 2), FIRST_Y) for n in range(9)] + [(FIRST_X + 1.75 * CELL, FIRST_Y)],
    ],
)
def test_steps_are_judged_alike(points):
    assert walked(LARGE, 2, *points) == walked(SMALL, 1, *points)


def test_cells_have_their_place():
    for cell in range(1, 7):
        x, y = middle(cell, 3)
        assert cell_at(LARGE, 2 * x + 1, 2 * y + 1) == cell


def test_clips_are_told_alike():
    config = ClipConfig()
    scene = MotionScene(LARGE, config.scene)
    assert scene.factor == 2
    x, y = middle(4, 3)
    pictures = [SMALL.picture, *[spot(x + 12 + 2 * n, y, 5, RED, on=SMALL.picture) for n in range(20)]]
    found = read_motion([Frame(n, n / 25, picture) for n, picture in enumerate(pictures)], scene, config)
    kind = tell_kind(found, LARGE, config)
    assert kind.kind is MotionKind.MOVING_MARKER
    first, second = kind.travel.spots[:2]
    # The cross, from which it comes, and where it is first seen.
    center = LARGE.markers[1].center
    assert (first.blob.x, first.blob.y) == (2 * center[0], 2 * center[1])
    assert (second.blob.x, second.blob.y) == (
        pytest.approx(2 * (x + 12.5), abs=1.0),
        pytest.approx(2 * (y + 0.5), abs=1.0),
    )


def test_a_wall_s_box_is_in_its_own_pixels():
    puzzle = replace(PUZZLE, plan=doubled_plan(2, 3, WAYS, {1: "disc", 6: "cross"}))
    altered = replace(UNALTERED, erased_walls=((1, 4),))
    boxes = [
        judge_maze(one, ALIGNED, RIGHT, altered, NOTHING_LEFT, False, PathRules()).reasons[0].places[0].box
        for one in (PUZZLE, puzzle)
    ]
    assert (boxes[1].left, boxes[1].top) == (2 * boxes[0].left, 2 * boxes[0].top)
    assert (boxes[1].width, boxes[1].height) == (2 * boxes[0].width, 2 * boxes[0].height)


def test_a_marker_that_had_just_left_the_start():
    puzzle = replace(PUZZLE, plan=doubled_plan(2, 3, WAYS, {1: "disc", 6: "cross"}))
    x, y = middle(1, 3)
    for by, begins in ((1.45, True), (1.48, True)):
        points = [(x + by * CELL, y), middle(3, 3), middle(6, 3)]
        spots = tuple(Spot(n, n / 25, blob(2 * px, 2 * py)) for n, (px, py) in enumerate(points))
        seen_ = KindFindings(MotionKind.MOVING_MARKER, False, Travel(spots, ()))
        walk = walk_cells(spots, puzzle.plan, StepConfig())
        history = judge_marker(puzzle, seen_, walk, VideoPolicy.FINAL_FRAME, StepConfig())
        assert history.starts_at_start is begins
        # A step of 1.4 cells would have been too far.
        assert not judge_marker(puzzle, seen_, walk, VideoPolicy.FINAL_FRAME, StepConfig(longest=1.4)).starts_at_start


def test_ink_that_was_taken_away_is_measured_in_its_own_cells():
    """0.1 of a cell of 64 x 64 pixels is 409.6."""
    puzzle = replace(PUZZLE, plan=doubled_plan(2, 3, WAYS, {1: "disc", 6: "cross"}))
    found = read_motion([], MotionScene(SMALL, ClipConfig().scene), ClipConfig())
    for gone, codes in ((409.0, []), (410.0, ["PATH_ERASED"])):
        history = judge_growth(
            puzzle,
            still("GOAL_NOT_REACHED"),
            WHOLE,
            replace(found, most_area=1000.0, most_index=2),
            1000.0 - gone,
            lambda n: n / 25,
            lambda x, y: puzzle.cell(2),
            GrowthConfig(),
        )
        assert [one.code for one in history.reasons] == codes
