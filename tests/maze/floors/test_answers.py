"""Right and wrong drawings on a maze without cells, as pictures and as a clip, and their measures."""

from __future__ import annotations

import itertools
from functools import cache

import cv2
import numpy as np
import pytest

import grader
from grader.media.types import DEFAULT_LIMITS
from grader.model.jobs import CandidateKind
from grader.model.verdict import Outcome
from grader.tasks.maze.clips.video import judge_maze_clip
from grader.tasks.maze.puzzle import prepare_maze
from grader.tasks.maze.settings import MazeSettings
from grader.tasks.maze.ways import chords, drawn_way
from tests.maze.floors.scenes import BLUE, GOAL, START, WAY, picture, puzzle, stroke
from tests.maze.maze_clips import clip, held


@cache
def engine() -> grader.Engine:
    return grader.Engine()


def verdict(drawn: np.ndarray, **changes: object):
    job = grader.GradeJob(
        "one", puzzle(**changes), grader.ImageCandidate(cv2.imencode(".png", drawn[..., ::-1])[1].tobytes())
    )
    return engine().grade(job)


def measures(seen) -> dict[str, float | None]:
    return {metric.name: metric.value for metric in seen.metrics}


def test_the_way_through_the_middle_passes_as_an_exact_match() -> None:
    seen = verdict(stroke(*WAY))
    assert (seen.outcome, seen.reward, seen.codes) == (Outcome.PASS, 1.0, ())
    found = measures(seen)
    assert (found["success"], found["exact_match"]) == (1.0, 1.0)
    assert found["precision"] >= 0.98
    assert abs(found["step_deviation"]) <= 0.1


def test_a_way_along_the_walls_is_right_too() -> None:
    assert verdict(stroke((30, 32), (188, 32), (188, 130), (30, 130), width=5)).outcome is Outcome.PASS


def test_a_way_through_the_wall_is_none() -> None:
    seen = verdict(stroke(START, GOAL))
    assert seen.outcome is Outcome.FAIL
    assert {"WALL_CROSSED", "SHORTCUT"} & set(seen.codes)
    assert measures(seen)["success"] == 0.0
    assert measures(seen)["step_deviation"] is None


@pytest.mark.parametrize(
    ("drawn", "code"),
    [
        (stroke((30, 40), (180, 40), (180, 120), (90, 120)), "GOAL_NOT_REACHED"),
        (stroke((180, 80), (235, 80), (235, 120), on=stroke(*WAY)), "SIDE_BRANCH"),
        (stroke((100, 40), (100, 80), on=stroke(*WAY)), "WALL_CROSSED"),
        (picture(), "NOTHING_DRAWN"),
        (cv2.rectangle(stroke(*WAY), (75, 60), (95, 100), (255, 255, 255), -1), "WALLS_ERASED"),
        (cv2.rectangle(stroke(*WAY), (220, 130), (250, 145), (0, 0, 0), -1), "WALLS_ADDED"),
        (cv2.line(stroke(*WAY), (60, 200), (160, 200), (240, 150, 20), 7), "FOREIGN_STROKES"),
    ],
    ids=["short", "branch", "through", "nothing", "hole", "wall", "foreign"],
)
def test_what_is_wrong_is_said(drawn: np.ndarray, code: str) -> None:
    seen = verdict(drawn)
    assert seen.outcome is Outcome.FAIL
    assert code in seen.codes


def test_reasons_say_where_in_pixels() -> None:
    seen = verdict(stroke((30, 40), (180, 40), (180, 120), (90, 120)))
    (reason,) = [one for one in seen.reasons if one.code == "GOAL_NOT_REACHED"]
    (place,) = reason.places
    assert place.box is not None
    assert place.box.left <= GOAL[0] <= place.box.left + place.box.width


def test_a_path_that_grows_is_right_as_a_clip() -> None:
    line = np.concatenate([np.linspace(one, other, 8, endpoint=False) for one, other in itertools.pairwise(WAY)])
    line = np.concatenate([line, [WAY[-1]]]).astype(np.int32)
    frames = [picture()]
    frames += [
        cv2.polylines(picture().copy(), [line[: at + 1]], False, BLUE, 7, cv2.LINE_AA) for at in range(1, len(line))
    ]
    made = prepare_maze(puzzle(), MazeSettings(), DEFAULT_LIMITS, CandidateKind.VIDEO)
    seen = judge_maze_clip(made, clip(held(frames)), MazeSettings())
    assert (seen.outcome, seen.reasons) == (Outcome.PASS, ())
    assert {metric.name: metric.value for metric in seen.metrics}["exact_match"] == 1.0


def test_where_three_pieces_meet_a_line_may_take_two_or_all() -> None:
    passages = {(1, 2), (2, 3), (1, 3), (3, 4)}
    assert drawn_way(passages, 1, 4, {(1, 3), (3, 4)}) == (1, 3, 4)
    assert drawn_way(passages, 1, 4, {(1, 2), (2, 3), (1, 3), (3, 4)}) == (1, 2, 3, 4)
    # From the first to the third, where the second is only grazed and the two do not touch.
    assert drawn_way({(1, 2), (2, 3)}, 1, 3, {(1, 3)}) == (1, 3)
    assert chords((1, 2, 3, 4), {(1, 3), (1, 4)}, least=3) == ((1, 4),)
