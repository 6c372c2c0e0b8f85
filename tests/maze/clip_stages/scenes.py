"""A small maze, pictures of it as frames of a clip, and what is read of them."""

from __future__ import annotations

import cv2
import numpy as np

from detectors.maze.clips.config import ClipConfig
from detectors.maze.clips.findings import MotionFindings
from detectors.maze.clips.kind import tell_kind
from detectors.maze.clips.motion import read_motion
from detectors.maze.clips.reading import FrameReader
from detectors.maze.clips.scene import MotionScene
from grader.media.frames import Frame
from tests.maze.stages.plans import CELL, corner, middle, plan_of

WAYS = {(1, 2), (2, 3), (3, 6), (5, 6), (4, 5)}
PLAN = plan_of(2, 3, WAYS, {1: "disc", 4: "cross"})
CONFIG = ClipConfig()
SCENE = MotionScene(PLAN, CONFIG.scene)
X, Y = middle(5, 3)
LEFT, TOP = corner(5, 3)
BLUE = (0, 107, 183)
WALL_BOX = (slice(TOP - 2, TOP + 2), slice(LEFT + 2, LEFT + CELL - 2))


def painted(color, *boxes, on=None) -> np.ndarray:
    picture = (PLAN.picture if on is None else on).copy()
    for box in boxes:
        picture[box] = color
    return picture


def spot(x: int, y: int, radius: int = 5, color=BLUE, on=None) -> np.ndarray:
    picture = (PLAN.picture if on is None else on).copy()
    cv2.circle(picture, (x, y), radius, color, -1)
    return picture


def read_one(picture, config=CONFIG.frame, scene=SCENE):
    return FrameReader(scene, config).read(picture)


def findings(*pictures, config=CONFIG, scene=SCENE, rate=25) -> MotionFindings:
    return read_motion([Frame(index, index / rate, one) for index, one in enumerate(pictures)], scene, config)


def strip(columns: int) -> np.ndarray:
    return painted(BLUE, np.s_[Y - 2 : Y + 2, LEFT + 4 : LEFT + 4 + columns])


def kind(*pictures, config=CONFIG):
    return tell_kind(findings(*pictures, config=config), PLAN, config)


def moving(count: int, radius: int = 5, trail: int = 0, first: int = 2, color=BLUE) -> list[np.ndarray]:
    """A dot from cell 2 to cell 3, and a line behind it, ``trail`` pixels wide."""
    (left, y), (right, _) = middle(first, 3), middle(3, 3)
    xs = np.linspace(left, right, count).round().astype(int)
    frames = []
    for x in xs.tolist():
        picture = PLAN.picture.copy()
        if trail:
            picture[y - trail // 2 : y - trail // 2 + trail, left : x + 1] = color
        frames.append(spot(x, y, radius, color, on=picture))
    return frames
