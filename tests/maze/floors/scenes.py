"""A floor that is told by hand: a hairpin around a wall, with a side corridor; and drawings on it."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

import grader

WIDTH, HEIGHT = 260, 240
START, GOAL = (30, 40), (30, 120)
WAY = ((30, 40), (180, 40), (180, 120), (30, 120))
BLUE = (30, 60, 230)


@cache
def floor() -> np.ndarray:
    """Corridors of 40 pixels, walls as wide: there, around, and back; and a dead end from the right below both."""
    mask = np.zeros((HEIGHT, WIDTH), np.bool_)
    mask[20:60, 10:200] = True
    mask[100:140, 10:200] = True
    mask[20:140, 160:200] = True
    mask[65:95, 200:250] = True
    mask[65:220, 220:250] = True
    mask[180:220, 10:250] = True
    mask.flags.writeable = False
    return mask


@cache
def picture() -> np.ndarray:
    """White floor, black walls, a red disc and a green square."""
    drawn = np.where(floor()[..., None], np.uint8(255), np.uint8(0)).repeat(3, axis=2)
    cv2.circle(drawn, START, 9, (220, 30, 30), -1)
    cv2.rectangle(drawn, (GOAL[0] - 8, GOAL[1] - 8), (GOAL[0] + 8, GOAL[1] + 8), (20, 150, 60), -1)
    drawn.flags.writeable = False
    return drawn


def stroke(*points: tuple[int, int], on: np.ndarray | None = None, width: int = 7) -> np.ndarray:
    drawn = (picture() if on is None else on).copy()
    return cv2.polylines(drawn, [np.array(points, np.int32)], False, BLUE, width, cv2.LINE_AA)


def puzzle(image: np.ndarray | None = None, mask: np.ndarray | None = None, **changes: object):
    told = {"start": START, "goal": GOAL} | changes
    return grader.maze_from_mask(picture() if image is None else image, floor() if mask is None else mask, **told)
