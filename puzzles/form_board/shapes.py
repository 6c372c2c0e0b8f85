"""Silhouettes by name, drawn by chance within a box whose longer side is 10 units; y down."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from puzzles.form_board.rules import Corners

SIDE: Final = 10.0
"""The longer side of every silhouette's box, in units."""

_Dice = random.Random


def _between(dice: _Dice, least: float, most: float) -> float:
    # Only random() is promised to give the same numbers in every Python version.
    return least + (most - least) * dice.random()


def _square(_dice: _Dice) -> Corners:
    return ((0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE))


def _rectangle(dice: _Dice) -> Corners:
    high = _between(dice, 6.0, 8.0)
    return _upright(((0, 0), (SIDE, 0), (SIDE, high), (0, high)), dice)


def _l_shape(dice: _Dice) -> Corners:
    across, down = _between(dice, 4.0, 6.0), _between(dice, 4.0, 6.0)
    return _flipped(((0, 0), (across, 0), (across, SIDE - down), (SIDE, SIDE - down), (SIDE, SIDE), (0, SIDE)), dice)


def _t_shape(dice: _Dice) -> Corners:
    bar, left, wide = _between(dice, 3.6, 4.6), _between(dice, 2.6, 3.4), _between(dice, 3.6, 4.6)
    right = left + wide
    return _flipped(
        ((0, 0), (SIDE, 0), (SIDE, bar), (right, bar), (right, SIDE), (left, SIDE), (left, bar), (0, bar)), dice
    )


def _triangle(dice: _Dice) -> Corners:
    return _flipped(((_between(dice, 2.0, 8.0), 0), (SIDE, _between(dice, 8.6, 10.0)), (0, SIDE)), dice)


def _trapezoid(dice: _Dice) -> Corners:
    left, right, high = _between(dice, 1.2, 3.0), _between(dice, 6.6, 9.0), _between(dice, 7.0, 9.0)
    return _flipped(((left, 0), (right, 0), (SIDE, high), (0, high)), dice)


def _house(dice: _Dice) -> Corners:
    eaves, ridge = _between(dice, 3.0, 4.4), _between(dice, 3.4, 6.6)
    return ((ridge, 0), (SIDE, eaves), (SIDE, SIDE), (0, SIDE), (0, eaves))


def _hexagon(dice: _Dice) -> Corners:
    start = math.pi / 6 * int(2 * dice.random())
    return _regular(6, start)


def _octagon(_dice: _Dice) -> Corners:
    return _regular(8, math.pi / 8)


def _arrow(dice: _Dice) -> Corners:
    neck, top, bottom = _between(dice, 4.4, 5.6), _between(dice, 2.4, 3.0), _between(dice, 7.0, 7.6)
    points = ((0, top), (neck, top), (neck, 0), (SIDE, 5.0), (neck, SIDE), (neck, bottom), (0, bottom))
    return _upright(_flipped(points, dice), dice)


def _regular(corners: int, start: float) -> Corners:
    points = [(math.cos(start + 2 * math.pi * at / corners), math.sin(start + 2 * math.pi * at / corners))
              for at in range(corners)]  # fmt: skip
    left, top = min(x for x, _ in points), min(y for _, y in points)
    longest = max(max(x for x, _ in points) - left, max(y for _, y in points) - top)
    return tuple(((x - left) * SIDE / longest, (y - top) * SIDE / longest) for x, y in points)


def _flipped(points: Corners, dice: _Dice) -> Corners:
    """Mirrored left and right, and top and bottom, by chance."""
    across, down = dice.random() < 0.5, dice.random() < 0.5  # drawn both, so that the next numbers are the same
    high = max(y for _, y in points)
    return tuple((SIDE - x if across else x, high - y if down else y) for x, y in points)


def _upright(points: Corners, dice: _Dice) -> Corners:
    """With rows and columns exchanged, by chance."""
    return tuple((y, x) for x, y in points) if dice.random() < 0.5 else points


SILHOUETTES: Mapping[str, Callable[[_Dice], Corners]] = MappingProxyType(
    {
        "square": _square,
        "rectangle": _rectangle,
        "L_shape": _l_shape,
        "T_shape": _t_shape,
        "triangle": _triangle,
        "trapezoid": _trapezoid,
        "house": _house,
        "hexagon": _hexagon,
        "octagon": _octagon,
        "arrow": _arrow,
    }
)
"""Silhouettes by name; the first four are those of the public boards."""
