"""Clips of mazes, drawn frame by frame: paths that grow, dots that travel, and what can go wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from grader.media.frames import Frame
from grader.media.types import DEFAULT_LIMITS
from grader.model.jobs import CandidateKind, VideoPolicy
from grader.tasks.maze.clips.clip import MazeClipJudgement
from grader.tasks.maze.clips.video import judge_maze_clip
from grader.tasks.maze.model import PathColor
from grader.tasks.maze.puzzle import MazePuzzle, prepare_maze
from grader.tasks.maze.settings import MazeSettings
from puzzles.maze.geometry import Geometry
from tests.samples.puzzles import STYLE, MazeSample, line, maze_sample

RATE = 24.0
SETTINGS = MazeSettings()
DOT = (230, 40, 200)


@cache
def prepared(sample: MazeSample) -> MazePuzzle:
    task = replace(sample.task, path_color=PathColor(sample.style.path_color_name))
    return prepare_maze(task, SETTINGS, DEFAULT_LIMITS, CandidateKind.VIDEO)


def clip(pictures: Iterable[np.ndarray]) -> Iterator[Frame]:
    for index, picture in enumerate(pictures):
        yield Frame(index, index / RATE, np.ascontiguousarray(picture))


def judge(
    sample: MazeSample, pictures: Iterable[np.ndarray], policy: VideoPolicy = VideoPolicy.FINAL_FRAME
) -> MazeClipJudgement:
    return judge_maze_clip(prepared(sample), clip(pictures), SETTINGS, policy)


def codes(judgement: MazeClipJudgement) -> list[str]:
    return [reason.code for reason in judgement.reasons]


def values(judgement: MazeClipJudgement) -> dict[str, float | None]:
    return {metric.name: metric.value for metric in judgement.metrics}


def way(sample: MazeSample, cells: Sequence[int] | None = None) -> np.ndarray:
    """The polyline through cells, (k, 2) in pixels."""
    return sample.layout.to_pixels(sample.maze.grid.route(sample.path if cells is None else cells))


def along(points: np.ndarray, share: float) -> np.ndarray:
    """The beginning of a polyline, by its share of the length."""
    legs = np.hypot(*np.diff(points, axis=0).T)
    marks = np.concatenate([[0.0], np.cumsum(legs)])
    end = share * marks[-1]
    kept = points[marks < end]
    last = [[np.interp(end, marks, points[:, axis]) for axis in (0, 1)]]
    return np.concatenate([kept, last]) if len(kept) else np.array(last)


def between(points: np.ndarray, first: float, last: float) -> np.ndarray:
    """A part of a polyline, by shares of its length."""
    return along(along(points, last)[::-1], 1.0 - first / last)[::-1]


def held(pictures: Sequence[np.ndarray], before: int = 3, after: int = 4) -> list[np.ndarray]:
    return [pictures[0]] * before + list(pictures) + [pictures[-1]] * after


def shares(frames: int) -> np.ndarray:
    """From nothing to all in so many steps."""
    return np.linspace(0.0, 1.0, frames + 1)


def growing(
    sample: MazeSample, points: np.ndarray | None = None, frames: int = 24, on: np.ndarray | None = None, **look: object
) -> list[np.ndarray]:
    """A path that grows evenly."""
    picture = sample.pictures.input if on is None else on
    line_points = way(sample) if points is None else points
    drawn = [sample.stroke(along(line_points, share), picture, **look) for share in shares(frames)[1:]]
    return held([picture, *drawn])


def dot(
    sample: MazeSample,
    at: Sequence[float],
    color: tuple[int, int, int] = DOT,
    on: np.ndarray | None = None,
    radius: float = 0.16,
) -> np.ndarray:
    picture = sample.pictures.input if on is None else on
    return line(picture, [at], 2.0 * radius * sample.style.cell_size_px, color)


def travelling(
    sample: MazeSample,
    points: np.ndarray | None = None,
    frames: int = 24,
    trail: bool = False,
    color: tuple[int, int, int] = DOT,
    radius: float = 0.16,
    on: np.ndarray | None = None,
) -> list[np.ndarray]:
    """A dot that travels evenly along a line, with or without a trail."""
    picture = sample.pictures.input if on is None else on
    line_points = way(sample) if points is None else points
    drawn = []
    for share in shares(frames):
        done = along(line_points, share)
        below = sample.stroke(done, picture) if trail and share else picture
        drawn.append(dot(sample, done[-1], color, below, radius))
    return held(drawn)


def square() -> MazeSample:
    return maze_sample(Geometry.SQUARE, style=STYLE)


def noisy(pictures: Sequence[np.ndarray], sigma: float, seed: int = 0) -> list[np.ndarray]:
    dice = np.random.default_rng(seed)
    return [
        np.clip(picture + sigma * dice.standard_normal(picture.shape, np.float32), 0, 255).astype(np.uint8)
        for picture in pictures
    ]


def faded(first: np.ndarray, last: np.ndarray, frames: int) -> list[np.ndarray]:
    """A cross-fade between two pictures, both included."""
    return [(first * (1.0 - share) + last * share).round().astype(np.uint8) for share in shares(frames)]


def without_wall(sample: MazeSample, picture: np.ndarray, one: int, other: int) -> np.ndarray:
    """A picture with the wall between two cells painted over in the floor's colour."""
    return line(picture, sample.border(one, other), 1.3 * sample.style.wall_width_px, sample.style.floor)


def places(points: np.ndarray, frames: int) -> list[np.ndarray]:
    """Points at equal distances along a polyline, its ends included."""
    return [along(points, share)[-1] for share in shares(frames)]


def through_wall(sample: MazeSample) -> np.ndarray:
    """The right way as far as a cell beside it behind a wall, and straight into that."""
    cell, wrong = sample.wall
    until = sample.path[: sample.path.index(cell) + 1]
    return np.array([*way(sample, until), sample.middle(cell, wrong), sample.centre(wrong)])


def with_detour(sample: MazeSample) -> np.ndarray:
    """The right way, with a step into a wrong cell behind a passage and back."""
    cell, wrong = sample.branch
    at = sample.path.index(cell)
    return way(sample, [*sample.path[: at + 1], wrong, *sample.path[at:]])


def moved_by(picture: np.ndarray, x: float, y: float, zoom: float) -> np.ndarray:
    """A picture as a camera sees it that moved by some pixels and came nearer."""
    height, width = picture.shape[:2]
    matrix = np.array([[zoom, 0.0, (1.0 - zoom) * width / 2 + x], [0.0, zoom, (1.0 - zoom) * height / 2 + y]])
    return cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
