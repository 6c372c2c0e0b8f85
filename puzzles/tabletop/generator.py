"""Scenes from seeds: tables, lamps and cameras that differ, and cuboids that can be told apart."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from puzzles.common.raster import Color
from puzzles.tabletop.render import visible_shares
from puzzles.tabletop.scene import Cuboid, Light, Scene, TableCamera, TableTop, apart, in_picture, looking_at, on_table
from puzzles.tabletop.solids import Vector

Chosen = TypeVar("Chosen")

COLORS: tuple[tuple[str, Color], ...] = (
    ("red", (196, 30, 38)),
    ("orange", (232, 120, 16)),
    ("yellow", (232, 206, 30)),
    ("green", (36, 148, 60)),
    ("cyan", (30, 178, 190)),
    ("blue", (36, 76, 190)),
    ("purple", (120, 52, 176)),
    ("pink", (228, 80, 150)),
)
"""Names and paints of cuboids."""

_TABLES: tuple[Color, ...] = ((172, 158, 138), (120, 98, 78), (196, 196, 192), (112, 116, 120), (84, 70, 58))
_FLOORS: tuple[Color, ...] = ((92, 90, 88), (150, 148, 142), (60, 62, 68))
_PLACINGS = 60  # tries to find room for one cuboid
_TRIES = 400  # scenes that are drawn before a seed is given up
_MARGIN_PX = 8.0
_GAP_M = 0.02
_SIDE_M = (0.06, 0.15)
_HEIGHT_M = (0.05, 0.16)
# Sides of a footprint differ by at least this share, so that a quarter turn can be seen.
_LEAST_DIFFERENCE = 0.25
MAX_CUBOIDS = len(COLORS)


@dataclass(frozen=True)
class SceneOptions:
    """What scenes to draw.

    Attributes
    ----------
    least, most
        How many cuboids, from 1 to 8.
    twins
        Whether two of them have the same label and size; ``least`` is then at least 2.
    least_visible
        Share of each cuboid's pixels that no other may hide, 0 to 1.
    roll
        Largest roll of the camera, in radians.

    Raises
    ------
    ValueError
        If a number is out of range.
    """

    least: int = 3
    most: int = 5
    twins: bool = False
    least_visible: float = 0.6
    roll: float = 0.03

    def __post_init__(self) -> None:
        if not 1 + self.twins <= self.least <= self.most <= MAX_CUBOIDS:
            raise ValueError(f"cannot draw from {self.least} to {self.most} cuboids")
        if not 0 <= self.least_visible <= 1:
            raise ValueError(f"a share is from 0 to 1, not {self.least_visible}")


def generate_scene(seed: int = 0, options: SceneOptions | None = None) -> Scene:
    """Return a scene; the same arguments give the same one.

    All cuboids stand on the table, wholly in the picture, at least 2 cm apart.

    Parameters
    ----------
    seed
        Any whole number that is not negative.
    options
        What scenes to draw.

    Raises
    ------
    ValueError
        If the seed is negative.
    RuntimeError
        If no scene was found; take another seed.
    """
    if seed < 0:
        raise ValueError(f"the seed must not be negative, not {seed}")
    options = options or SceneOptions()
    chance = random.Random(f"tabletop {seed}")
    for _ in range(_TRIES):
        scene = _attempt(chance, options, seed)
        if scene is not None and min(visible_shares(scene)) >= options.least_visible:
            return scene
    raise RuntimeError(f"no scene was found for seed {seed}")


def between(chance: random.Random, low: float, high: float) -> float:
    """Draw a number from low to high."""
    return low + (high - low) * chance.random()


def pick(chance: random.Random, choices: Sequence[Chosen]) -> Chosen:
    """Draw one of some."""
    return choices[int(chance.random() * len(choices))]


def _attempt(chance: random.Random, options: SceneOptions, seed: int) -> Scene | None:
    camera = _camera(chance, options)
    table = _table(chance, seed)
    count = options.least + int(chance.random() * (options.most - options.least + 1))
    paints = list(COLORS)
    cuboids: tuple[Cuboid, ...] = ()
    for index in range(count):
        if options.twins and index == 1:
            model = cuboids[0]
        else:
            name, color = paints.pop(int(chance.random() * len(paints)))
            model = Cuboid(f"{name} box", color, _size(chance), (0.0, 0.0), 0.0)
        placed = _placed(chance, model, cuboids, table, camera, seed * MAX_CUBOIDS + index)
        if placed is None:
            return None
        cuboids = (*cuboids, placed)
    return Scene(cuboids, table, _light(chance), camera, noise_seed=seed)


def _placed(
    chance: random.Random,
    model: Cuboid,
    others: tuple[Cuboid, ...],
    table: TableTop,
    camera: TableCamera,
    texture_seed: int,
) -> Cuboid | None:
    for _ in range(_PLACINGS):
        place = (between(chance, -0.42, 0.42), between(chance, -0.3, 0.42))
        yaw = between(chance, -math.pi / 2, math.pi / 2)
        cuboid = Cuboid(model.label, model.color, model.size, place, yaw, texture_seed)
        if on_table(table, cuboid) and in_picture(camera, cuboid, _MARGIN_PX) and apart((*others, cuboid), _GAP_M):
            return cuboid
    return None


def _size(chance: random.Random) -> Vector:
    while True:
        width, length = (round(between(chance, *_SIDE_M), 3) for _ in range(2))
        if max(width, length) >= (1 + _LEAST_DIFFERENCE) * min(width, length):
            return (width, round(between(chance, *_HEIGHT_M), 3), length)


def _camera(chance: random.Random, options: SceneOptions) -> TableCamera:
    eye = (between(chance, -0.25, 0.25), between(chance, -0.85, -0.5), between(chance, -0.95, -0.7))
    target = (between(chance, -0.05, 0.05), 0.0, between(chance, 0.0, 0.08))
    return looking_at(eye, target, between(chance, -options.roll, options.roll), between(chance, 560, 680))


def _table(chance: random.Random, seed: int) -> TableTop:
    half = between(chance, 0.5, 0.8)
    color, floor = pick(chance, _TABLES), pick(chance, _FLOORS)
    grain = between(chance, 0.05, 0.25)
    return TableTop(color, grain, -half, half, between(chance, -0.45, -0.36), between(chance, 0.45, 0.65), floor, seed)


def _light(chance: random.Random) -> Light:
    turn, height = between(chance, 0, 2 * math.pi), between(chance, math.radians(40), math.radians(65))
    flat = math.cos(height)
    direction = (flat * math.cos(turn), -math.sin(height), flat * math.sin(turn))
    strength, ambient = between(chance, 0.6, 0.85), between(chance, 0.25, 0.4)
    # The lamp is a little warm, the light around a little cold.
    return Light(
        direction,
        pick(chance, (0.0, 0.02, 0.05)),
        (strength, strength * 0.97, strength * 0.9),
        (ambient * 0.94, ambient * 0.98, ambient),
    )
