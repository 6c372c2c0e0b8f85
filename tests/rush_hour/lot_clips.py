"""Draws clips of parking lots for tests, in different looks, with what is wrong in them known by construction."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.media.frames import Frame
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Pose, Side, Vehicle
from puzzles.rush_hour.rules import Direction, Move, simulate

Picture = NDArray[np.uint8]
RED, BLUE, TEAL, YELLOW = "#E85D75", "#0090C1", "#2EC4B6", "#FFD670"
_SHIFT = 4  # cv2 draws to 1/16 of a pixel


@dataclass(frozen=True)
class Look:
    """How a lot is drawn; lengths in units of the lot, colours RGB."""

    size: tuple[int, int] = (240, 240)
    share: float = 0.86
    aspect: float = 1.0
    margin: tuple[int, int, int] = (255, 255, 255)
    floor: tuple[int, int, int] = (255, 255, 255)
    texture: float = 0.0
    border: float = 0.06
    exit_depth: float = 0.2
    disc: float = 0.28
    rail: float = 0.03
    rail_strength: float = 0.35
    noise: float = 0.0
    blur: float = 0.0
    dim: float = 1.0


@dataclass(frozen=True)
class Scene:
    """What is drawn in one frame besides the lot at its first poses."""

    poses: Mapping[str, Pose] = field(default_factory=dict)
    colors: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    gone: Mapping[str, float] = field(default_factory=dict)
    extra: tuple[tuple[Pose, float, float, str], ...] = ()
    exits: tuple[Exit, ...] | None = None
    obstacles: tuple[Obstacle, ...] | None = None
    shift: tuple[float, float] = (0.0, 0.0)
    zoom: float = 1.0
    text: str = ""
    order: tuple[str, ...] = ()


def vehicle(
    label: str, x: float, y: float, theta: float, color: str, length: float = 2.0, width: float = 0.9
) -> Vehicle:
    return Vehicle(label, label, length, width, Pose(x, y, theta), (math.cos(theta), math.sin(theta)), True, color)


def small_lot() -> Lot:
    """A red car that goes right; A, upright, blocks it and goes up or down; B stands aside, at 30 degrees."""
    return Lot(
        10.0, 10.0, (Exit(Side.RIGHT, 5.5, 6.5),),
        (
            vehicle("R", 1.0, 6.0, 0.0, RED, 1.8),
            vehicle("A", 5.0, 5.6, math.pi / 2, BLUE),
            vehicle("B", 7.0, 2.5, math.pi / 6, TEAL),
        ),
        (Obstacle("wall", 2.0, 0.9, Pose(2.5, 2.5, 0.0)),),
    )  # fmt: skip


def rgb(color: str) -> tuple[float, float, float]:
    return tuple(float(int(color[i : i + 2], 16)) for i in (1, 3, 5))


@dataclass(frozen=True)
class _Frame:
    """Where a lot lies in a picture."""

    left: float
    bottom: float
    unit_x: float
    unit_y: float

    def points(self, corners: Sequence[tuple[float, float]]) -> NDArray[np.int32]:
        """Corners in the lot as those of a polygon that cv2 fills."""
        places = [(self.left + x * self.unit_x, self.bottom - y * self.unit_y) for x, y in corners]
        return np.rint(np.array(places) * (1 << _SHIFT)).astype(np.int32)

    def fill(
        self,
        picture: NDArray[np.float32],
        corners: Sequence[tuple[float, float]],
        color: tuple[float, float, float],
        alpha: float = 1.0,
    ) -> NDArray[np.float32]:
        """Fill a polygon, in place where it hides all below it; return the picture."""
        over = picture.copy() if alpha < 1 else picture
        cv2.fillPoly(over, [self.points(corners)], color, cv2.LINE_AA, _SHIFT)
        return over if alpha == 1 else picture + np.float32(alpha) * (over - picture)


def draw(lot: Lot, scene: Scene, look: Look, seed: int = 0) -> Picture:
    """Draw one frame, (H, W, 3) uint8 RGB."""
    frame, ground = _ground(lot, look, scene.shift, scene.zoom, scene.exits, scene.obstacles)
    wide, high = look.size
    picture = ground.copy()
    poses = {v.label: scene.poses.get(v.label, v.pose) for v in lot.vehicles}
    order = scene.order or tuple(v.label for v in lot.vehicles)
    for label in order:
        v = next(v for v in lot.vehicles if v.label == label)
        alpha = 1 - scene.gone.get(label, 0.0)
        if alpha <= 0:
            continue
        body = replace(v, pose=poses[label], axis=(math.cos(poses[label].theta), math.sin(poses[label].theta)))
        picture = frame.fill(picture, body.outline(), scene.colors.get(label, rgb(v.color)), alpha)
        if look.disc:
            ring = [(poses[label].x + look.disc * math.cos(t), poses[label].y + look.disc * math.sin(t))
                    for t in np.linspace(0, 2 * math.pi, 24, endpoint=False)]  # fmt: skip
            picture = frame.fill(picture, ring, (40, 40, 50), alpha)
    for pose, length, width, color in scene.extra:
        picture = frame.fill(picture, Obstacle("x", length, width, pose).outline(), rgb(color))
    if scene.text:
        written = np.zeros((high, wide), np.uint8)
        cv2.putText(written, scene.text, (int(0.15 * wide), int(0.8 * high)), cv2.FONT_HERSHEY_SIMPLEX, high / 240,
                    255, max(1, high // 120), cv2.LINE_AA)  # fmt: skip
        picture *= 1 - written[..., None] / np.float32(255)
    picture *= look.dim
    if look.blur:
        picture = cv2.GaussianBlur(picture, (0, 0), look.blur)
    if look.noise:
        picture = picture + np.random.default_rng(1000 + seed).normal(0, look.noise, picture.shape)
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)


# Most frames of a clip, and of the clips after it, have the ground of the frame before them.
@lru_cache(maxsize=16)
def _ground(
    lot: Lot,
    look: Look,
    shift: tuple[float, float],
    zoom: float,
    exits: tuple[Exit, ...] | None,
    obstacles: tuple[Obstacle, ...] | None,
) -> tuple[_Frame, NDArray[np.float32]]:
    """A lot without its vehicles, float RGB, and where it lies."""
    wide, high = look.size
    unit_y = look.share * min(wide / look.aspect, high) / lot.height * zoom
    unit_x = unit_y * look.aspect
    left = wide / 2 - unit_x * lot.width / 2 + shift[0] * unit_x
    bottom = high / 2 + unit_y * lot.height / 2 - shift[1] * unit_y
    frame = _Frame(left, bottom, unit_x, unit_y)
    picture = np.empty((high, wide, 3), np.float32)
    picture[:] = look.margin

    def box(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, float]]:
        return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]

    dark = rgb("#1B263B")
    b = look.border / 2
    frame.fill(picture, box(-b, -b, lot.width + b, lot.height + b), dark)
    frame.fill(picture, box(b, b, lot.width - b, lot.height - b), look.floor)
    if look.texture:
        rng = np.random.default_rng(7)
        grain = cv2.GaussianBlur(rng.normal(0, 1, (high, wide)).astype(np.float32), (0, 0), 2.0)
        inside = np.zeros((high, wide), np.uint8)
        cv2.fillPoly(inside, [frame.points(box(b, b, lot.width - b, lot.height - b))], 1, cv2.LINE_8, _SHIFT)
        picture += (inside * grain / grain.std() * look.texture)[..., None]
    for v in lot.vehicles:
        _rail(v, frame, picture, look)
    for o in lot.obstacles if obstacles is None else obstacles:
        frame.fill(picture, o.outline(), dark)
    for e in lot.exits if exits is None else exits:
        d = look.exit_depth
        frame.fill(
            picture,
            {
                Side.LEFT: box(-d, e.start, d, e.end), Side.RIGHT: box(lot.width - d, e.start, lot.width + d, e.end),
                Side.BOTTOM: box(e.start, -d, e.end, d), Side.TOP: box(e.start, lot.height - d, e.end, lot.height + d),
            }[e.side],
            rgb("#81C784"),
        )  # fmt: skip
    return frame, picture


def _rail(v: Vehicle, frame: _Frame, picture: NDArray[np.float32], look: Look) -> None:
    if not look.rail:
        return
    color = tuple(255 + look.rail_strength * (c - 255) for c in rgb(v.color))
    for k in range(-40, 40):
        middle = 0.25 * k
        x, y = v.pose.x + middle * v.axis[0], v.pose.y + middle * v.axis[1]
        if 0.2 < x < 9.8 and 0.2 < y < 9.8:
            frame.fill(picture, Obstacle("x", 0.13, look.rail, Pose(x, y, v.pose.theta)).outline(), color)


def slide(lot: Lot, moves: Sequence[Move], frames: int = 14, rest: int = 5) -> list[Scene]:
    """The scenes of a clip in which the moves are made by the rules, eased, with rests between them."""
    states = simulate(lot, moves).poses
    labels = [v.label for v in lot.vehicles]
    scenes = [Scene(poses=dict(zip(labels, states[0], strict=True)))] * rest
    for before, after in itertools.pairwise(states):
        scenes += between(labels, before, after, frames)
        scenes += [scenes[-1]] * rest
    return scenes


def between(labels: Sequence[str], before: Sequence[Pose], after: Sequence[Pose], frames: int) -> list[Scene]:
    """Scenes from one state to another, eased, without the first."""
    scenes = []
    for k in range(1, frames + 1):
        s = 0.5 - 0.5 * math.cos(math.pi * k / frames)
        scenes.append(
            Scene(poses={
                label: Pose(p.x + s * (q.x - p.x), p.y + s * (q.y - p.y), p.theta + s * (q.theta - p.theta))
                for label, p, q in zip(labels, before, after, strict=True)
            })
        )  # fmt: skip
    return scenes


def forward(label: str) -> Move:
    return Move(label, Direction.FORWARD)


def backward(label: str) -> Move:
    return Move(label, Direction.BACKWARD)


def solution() -> list[Move]:
    """Solves `small_lot`."""
    return [forward("A"), forward("R")]


def film(lot: Lot, scenes: Sequence[Scene], look: Look, rate: float = 24.0) -> Iterator[Frame]:
    """The frames of a clip, drawn one after another."""
    before, picture = None, None
    for index, scene in enumerate(scenes):
        # At rest one scene follows itself; noise is another in each frame.
        if picture is None or scene is not before or look.noise:
            picture = draw(lot, scene, look, index)
        before = scene
        yield Frame(index, index / rate, picture)


LOT = small_lot()
LABELS = [v.label for v in LOT.vehicles]
FIRSTS = [v.pose for v in LOT.vehicles]


def rest(count: int = 6) -> list[Scene]:
    return [Scene()] * count


def solving() -> list[Scene]:
    return slide(LOT, solution(), frames=12, rest=3)


def end_of(scenes: Sequence[Scene], **poses: Pose) -> list[Pose]:
    """The poses after scenes, some of them replaced."""
    return [poses.get(label, scenes[-1].poses.get(label, first)) for label, first in zip(LABELS, FIRSTS, strict=True)]


def go(start: Sequence[Pose], frames: int = 14, **poses: Pose) -> list[Scene]:
    """Scenes in which vehicles go from a state to other poses, and rest there."""
    after = [poses.get(label, pose) for label, pose in zip(LABELS, start, strict=True)]
    scenes = between(LABELS, start, after, frames)
    return [*scenes, *[scenes[-1]] * 5]
