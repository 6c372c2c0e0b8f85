"""Answers drawn on mazes with textures, right and wrong, and what happens to pictures."""

from __future__ import annotations

import random
from collections.abc import Callable

import cv2
import numpy as np

from benchmarks.textured.scenes import COLORS, Picture, Point, Scene


def line(picture: Picture, points: list[Point], color: tuple[int, int, int], width: float) -> Picture:
    """With strokes from point to point."""
    drawn = picture.copy()
    dots = np.rint(np.array(points) * 8).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(drawn, [dots], False, color, max(1, round(width)), cv2.LINE_AA, 3)
    return drawn


Answer = Callable[[Scene, random.Random], Picture | None]


def right(scene: Scene, rng: random.Random) -> Picture:
    """The right path, in one of some widths."""
    return line(scene.picture, scene.path, scene.color, scene.unit * rng.choice((0.1, 0.18, 0.3)))


def through_wall(scene: Scene, rng: random.Random) -> Picture | None:
    """A stroke through a wall beside the right path."""
    if not scene.blocked:
        return None
    return line(right(scene, rng), list(rng.choice(scene.blocked)), scene.color, scene.unit * 0.15)


def branch(scene: Scene, rng: random.Random) -> Picture | None:
    """A stroke in a corridor off the path."""
    if not scene.aside:
        return None
    return line(right(scene, rng), list(rng.choice(scene.aside)), scene.color, scene.unit * 0.15)


def other_ink(scene: Scene, rng: random.Random) -> Picture | None:
    """A stroke in another colour in a corridor off the path."""
    if not scene.aside:
        return None
    color = rng.choice([one for one in COLORS.values() if one != scene.color] + [(255, 255, 255), (0, 0, 0)])
    return line(right(scene, rng), list(rng.choice(scene.aside)), color, scene.unit * 0.15)


def stops_short(scene: Scene, _rng: random.Random) -> Picture:
    """A path that ends before the goal."""
    return line(scene.picture, scene.path[:-1], scene.color, scene.unit * 0.18)


def broken(scene: Scene, rng: random.Random) -> Picture | None:
    """A path without one of its steps."""
    if len(scene.path) < 5:
        return None
    at = rng.randrange(1, len(scene.path) - 3)
    drawn = line(scene.picture, scene.path[: at + 1], scene.color, scene.unit * 0.18)
    return line(drawn, scene.path[at + 2 :], scene.color, scene.unit * 0.18)


def wall_gone(scene: Scene, rng: random.Random) -> Picture | None:
    """Floor in a wall's place."""
    if not scene.walls or not scene.floor:
        return None
    x, y, across, down = rng.choice(scene.walls)
    drawn = right(scene, rng)
    fx, fy = rng.choice(scene.floor)
    half = scene.unit / 2
    tile = scene.picture[round(fy - half) : round(fy + half), round(fx - half) : round(fx + half)]
    drawn[y : y + down, x : x + across] = cv2.resize(tile, (across, down))
    return drawn


def wall_added(scene: Scene, rng: random.Random) -> Picture | None:
    """A wall's picture on the floor of a cell off the path."""
    if not scene.walls or not scene.floor:
        return None
    x, y, across, down = rng.choice(scene.walls)
    fx, fy = rng.choice(scene.floor)
    side = round(scene.unit)
    drawn = right(scene, rng)
    left, top = round(fx - side / 2), round(fy - side / 2)
    drawn[top : top + side, left : left + side] = cv2.resize(scene.picture[y : y + down, x : x + across], (side, side))
    return drawn


def goal_gone(scene: Scene, rng: random.Random) -> Picture | None:
    """Floor in the goal's place, beneath the path."""
    if not scene.floor:
        return None
    drawn, side = scene.picture.copy(), round(scene.unit)
    (x, y), (fx, fy) = scene.path[-1], rng.choice(scene.floor)
    to, of = ((round(px - side / 2), round(py - side / 2)) for px, py in ((x, y), (fx, fy)))
    drawn[to[1] : to[1] + side, to[0] : to[0] + side] = scene.picture[of[1] : of[1] + side, of[0] : of[0] + side]
    return line(drawn, scene.path, scene.color, scene.unit * 0.18)


def nothing(scene: Scene, _rng: random.Random) -> Picture:
    """Nothing."""
    return scene.picture.copy()


ANSWERS: dict[str, Answer] = {
    "right": right,
    "through_wall": through_wall,
    "branch": branch,
    "other_ink": other_ink,
    "stops_short": stops_short,
    "broken": broken,
    "wall_gone": wall_gone,
    "wall_added": wall_added,
    "goal_gone": goal_gone,
    "nothing": nothing,
}


def nuisance(picture: Picture, kind: str, rng: random.Random) -> Picture:
    """What happens to pictures."""
    height, width = picture.shape[:2]
    if kind == "jpeg":
        _, data = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, rng.choice((50, 70, 90))])
        return np.ascontiguousarray(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)[..., ::-1])
    if kind == "resize":
        scale = rng.choice((0.7, 1.25, 1.6))
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=how), np.uint8)
    if kind == "shift":
        moved = np.array([[1, 0, rng.uniform(-4, 4)], [0, 1, rng.uniform(-4, 4)]])
        return np.asarray(cv2.warpAffine(picture, moved, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    if kind == "blur":
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.choice((0.8, 1.3))), np.uint8)
    if kind == "tone":
        gain, shift = rng.uniform(0.85, 1.1), rng.uniform(-12, 12)
        return np.asarray(np.clip(picture * gain + shift, 0, 255), np.uint8)
    if kind == "noise":
        noise = np.random.default_rng(rng.randrange(10**6)).normal(0, rng.choice((4, 8)), picture.shape)
        return np.asarray(np.clip(picture + noise, 0, 255), np.uint8)
    if kind == "bars":
        bar = round(0.2 * width)
        return np.asarray(cv2.copyMakeBorder(picture, 0, 0, bar, bar, cv2.BORDER_CONSTANT, value=(0, 0, 0)), np.uint8)
    return picture


NUISANCES = ("none", "jpeg", "resize", "shift", "blur", "tone", "noise", "bars")
