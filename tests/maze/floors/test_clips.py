"""Clips on a maze without cells: a path that grows, a marker that travels, right and wrong; and what is not taken."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest

import grader
from grader.media.types import DEFAULT_LIMITS
from grader.model.errors import InvalidRequestError
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome
from grader.tasks.maze.clips.video import judge_maze_clip
from grader.tasks.maze.puzzle import MazePuzzle, prepare_maze
from grader.tasks.maze.settings import MazeSettings
from tests.maze.floors.scenes import BLUE, GOAL, START, WAY, picture, puzzle, stroke
from tests.maze.maze_clips import clip, held

Points = Sequence[tuple[int, int]]
SIDE = ((30, 40), (180, 40), (180, 80), (235, 80), (180, 80), (180, 120), (30, 120))
INTO = ((30, 40), (100, 40), (100, 80), (100, 40), (180, 40), (180, 120), (30, 120))


@cache
def prepared() -> MazePuzzle:
    return prepare_maze(puzzle(), MazeSettings(), DEFAULT_LIMITS, CandidateKind.VIDEO)


def places(points: Points) -> np.ndarray:
    """Points along a line, some 15 pixels apart."""
    legs = [
        np.linspace(one, other, max(2, int(np.hypot(*np.subtract(other, one)) / 15)), endpoint=False)
        for one, other in itertools.pairwise(points)
    ]
    return np.concatenate([*legs, [points[-1]]]).astype(np.int32)


def growing(points: Points) -> list[np.ndarray]:
    line = places(points)
    drawn = [
        cv2.polylines(picture().copy(), [line[: at + 1]], False, BLUE, 7, cv2.LINE_AA) for at in range(1, len(line))
    ]
    return held([picture(), *drawn])


def travelling(points: Points, *, trail: bool = False) -> list[np.ndarray]:
    line = places(points)
    frames = []
    for at, (x, y) in enumerate(line.tolist()):
        drawn = picture().copy()
        if trail and at:
            cv2.polylines(drawn, [line[: at + 1]], False, BLUE, 5, cv2.LINE_AA)
        frames.append(cv2.circle(drawn, (x, y), 10, (230, 40, 200), -1, cv2.LINE_AA))
    return held(frames)


def codes(frames: list[np.ndarray]) -> list[str]:
    judged = judge_maze_clip(prepared(), clip(frames), MazeSettings())
    assert (judged.outcome is Outcome.PASS) == (not judged.reasons)
    return [reason.code for reason in judged.reasons]


@pytest.mark.parametrize("trail", [False, True], ids=["alone", "trail"])
def test_a_marker_that_travels_the_way_is_right(trail: bool) -> None:
    assert codes(travelling(WAY, trail=trail)) == []


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (growing((START, GOAL)), "SHORTCUT"),
        (growing(WAY[:3]), "GOAL_NOT_REACHED"),
        (growing(SIDE), "SIDE_BRANCH"),
        (growing(INTO), "WALL_CROSSED"),
        (held([picture(), stroke(*WAY)]), "PATH_APPEARS_AT_ONCE"),
        (travelling((START, GOAL)), "MARKER_CROSSED_WALL"),
        (travelling(WAY[:3]), "GOAL_NOT_REACHED"),
        (travelling((*WAY, WAY[2])), "GOAL_LEFT"),
    ],
    ids=["through", "half", "aside", "into-wall", "cut", "dot-through", "dot-half", "dot-back"],
)
def test_what_is_wrong_in_a_clip_is_said(frames: list[np.ndarray], code: str) -> None:
    assert code in codes(frames)


def test_a_wall_that_is_gone_for_a_time_is_said() -> None:
    frames = growing(WAY)
    for at in range(8, 16):
        frames[at] = cv2.rectangle(frames[at].copy(), (60, 140), (159, 180), (255, 255, 255), -1)
    assert "WALLS_CHANGED" in codes(frames)


def test_a_picture_after_every_step_is_refused_with_what_is_taken() -> None:
    series = [stroke(*WAY[:count]) for count in (2, 3, 4)]
    with pytest.raises(InvalidRequestError, match="takes no frames; send one of: image, video"):
        grader.grade(puzzle(), series)
