"""Pictures of our own to cut puzzles from, where there are no photographs: landscapes with things, by a seed."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from puzzles.jigsaw.draw import SeededDraw
from puzzles.jigsaw.rules import Pixels

Rgb = tuple[int, int, int]
_SUBPIXELS: Final = 4  # bits behind the point of what is drawn
_SHARE: Final = 1 << _SUBPIXELS
_FEWEST, _MOST = 18, 34
_GRAINS: Final = ((48, 14.0), (12, 9.0), (3, 7.0))
"""Sides of squares in pixels at a width of 640, and by how many levels they change brightness at most."""
_WIDTH: Final = 640


def render_landscape(seed: int, size: tuple[int, int] = (640, 480)) -> Pixels:
    """Draws a landscape: a sky, ranges of hills, a plain, and houses, trees, boats, balloons, rocks and fences.

    Parameters
    ----------
    seed : int
        The same seed gives the same bytes.
    size : tuple of int
        Width and height in pixels.
    """
    draw = SeededDraw("landscape", seed)
    width, height = size
    horizon = draw.between(0.3, 0.55) * height
    picture = _sky(draw, width, height)
    _discs(picture, draw, horizon)
    for layer in range(3):
        _hills(picture, draw, horizon, layer)
    _plain(picture, draw, horizon)
    count = _FEWEST + draw.below(_MOST - _FEWEST)
    # From far to near, so that what is near covers what is far.
    feet = sorted(draw.between(horizon + 0.02 * height, 1.02 * height) for _ in range(count))
    for foot in feet:
        near = (foot - horizon) / (height - horizon)
        place = (draw.between(-0.02, 1.02) * width, foot)
        draw.one((_house, _tree, _tree, _rock, _fence, _pole))(picture, draw, place, (0.06 + 0.22 * near) * height)
    for _ in range(2 + draw.below(4)):
        _balloon(picture, draw, (draw.between(0, width), draw.between(0.05, 0.9) * horizon), 0.09 * height)
    return _grained(picture, draw, width / _WIDTH)


def _colour(draw: SeededDraw, hue: float | None = None, saturation: float = 0.55, value: float = 0.75) -> Rgb:
    turned = draw.between(0, 1) if hue is None else hue + draw.between(-0.05, 0.05)
    lighter = min(1.0, max(0.0, value + draw.between(-0.2, 0.2)))
    red, green, blue = colorsys.hsv_to_rgb(turned % 1.0, min(1.0, saturation + draw.between(-0.2, 0.3)), lighter)
    return (round(255 * red), round(255 * green), round(255 * blue))


def _fill(picture: Pixels, corners: Sequence[tuple[float, float]], colour: Rgb) -> None:
    points = np.round(np.array(corners) * _SHARE).astype(np.int32)
    cv2.fillPoly(picture, [points], colour, cv2.LINE_AA, _SUBPIXELS)


def _box(picture: Pixels, left: float, top: float, right: float, bottom: float, colour: Rgb) -> None:
    _fill(picture, [(left, top), (right, top), (right, bottom), (left, bottom)], colour)


def _disc(picture: Pixels, centre: tuple[float, float], radii: tuple[float, float], colour: Rgb) -> None:
    turns = [2 * math.pi * step / 40 for step in range(40)]
    _fill(
        picture,
        [(centre[0] + radii[0] * math.cos(one), centre[1] + radii[1] * math.sin(one)) for one in turns],
        colour,
    )


def _mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return (red, green, blue)


def _sky(draw: SeededDraw, width: int, height: int) -> Pixels:
    top, bottom = _colour(draw), _colour(draw, saturation=0.3, value=0.85)
    across = _colour(draw, saturation=0.4)
    down = np.linspace(0, 1, height)[:, None, None]
    aside = np.linspace(0, 0.45, width)[None, :, None]
    mixed = np.array(top) * (1 - down) + np.array(bottom) * down
    return np.round(mixed * (1 - aside) + np.array(across) * aside).astype(np.uint8)


def _discs(picture: Pixels, draw: SeededDraw, horizon: float) -> None:
    """A sun and clouds."""
    height, width = picture.shape[:2]
    radius = draw.between(0.04, 0.08) * height
    _disc(picture, (draw.between(0, width), draw.between(0.1, 0.8) * horizon), (radius, radius), (255, 236, 170))
    for _ in range(5 + draw.below(5)):
        colour = _colour(draw, saturation=0.1, value=0.8)
        centre = (draw.between(0, width), draw.between(0.02, 0.9) * horizon)
        for _ in range(5):
            shifted = (centre[0] + draw.between(-0.07, 0.07) * width, centre[1] + draw.between(-0.02, 0.02) * height)
            _disc(picture, shifted, (draw.between(0.03, 0.07) * width, draw.between(0.015, 0.035) * height), colour)


def _hills(picture: Pixels, draw: SeededDraw, horizon: float, layer: int) -> None:
    height, width = picture.shape[:2]
    waves = [(draw.between(1, 3) * 2**n, draw.between(0, 6.3), 0.12 / 1.8**n) for n in range(5)]
    base = horizon - (0.12 - 0.05 * layer) * height
    places = np.linspace(-5, width + 5, 160)
    tops = [
        base
        - height * sum(strong * math.sin(often * place / width * 3.1 + phase) for often, phase, strong in waves) / 2
        for place in places
    ]
    colour = _colour(draw, saturation=0.35 + 0.1 * layer, value=0.65 - 0.1 * layer)
    for shade in range(4):  # bands along the slope
        sunk = [(float(place), top + shade * 0.035 * height) for place, top in zip(places, tops, strict=True)]
        _fill(picture, [*sunk, (width + 5, height), (-5, height)], _mixed(colour, (20, 24, 30), 0.13 * shade))


def _plain(picture: Pixels, draw: SeededDraw, horizon: float) -> None:
    height, width = picture.shape[:2]
    near = _colour(draw, value=0.5)
    far = _mixed(near, (235, 225, 190), 0.4)
    strips = 14
    for strip in range(strips):
        top = horizon + (height - horizon) * (strip / strips) ** 1.5
        tilt = draw.between(-0.05, 0.05) * height
        colour = _mixed(far, near, strip / strips)
        colour = _mixed(colour, _colour(draw), 0.18)
        _fill(picture, [(0, top + tilt), (width, top - tilt), (width, height), (0, height)], colour)
    # A road or a brook from the horizon to the lower edge.
    ends = draw.between(0.2, 0.8) * width, draw.between(-0.2, 1.2) * width
    bend, wide = draw.between(-0.3, 0.3) * width, draw.between(0.08, 0.2) * width
    sides: tuple[list[tuple[float, float]], list[tuple[float, float]]] = ([], [])
    for step in range(30):
        at = step / 29
        middle = ends[0] + (ends[1] - ends[0]) * at + bend * math.sin(math.pi * at)
        for side, sign in zip(sides, (-1, 1), strict=True):
            side.append(
                (middle + sign * (0.004 * width + wide * at**1.5 / 2), horizon + (height * 1.02 - horizon) * at)
            )
    _fill(picture, [*sides[0], *reversed(sides[1])], _colour(draw, saturation=0.3, value=0.6))


def _house(picture: Pixels, draw: SeededDraw, foot: tuple[float, float], tall: float) -> None:
    wide, wall = tall * draw.between(0.7, 1.3), tall * 0.62
    left, right, top = foot[0] - wide / 2, foot[0] + wide / 2, foot[1] - wall
    walls, roof = _colour(draw), _colour(draw, value=0.5)
    _box(picture, left, top, right, foot[1], walls)
    _box(picture, left + 0.7 * wide, top, right, foot[1], _mixed(walls, (0, 0, 0), 0.25))
    _fill(picture, [(left - 0.08 * wide, top), ((left + right) / 2, foot[1] - tall), (right + 0.08 * wide, top)], roof)
    panes = _colour(draw, saturation=0.3, value=0.8)
    for column in range(3):
        for row in range(2):
            if draw.below(4):
                x, y = left + (0.12 + 0.3 * column) * wide, top + (0.12 + 0.45 * row) * wall
                _box(picture, x, y, x + 0.16 * wide, y + 0.28 * wall, panes)


def _tree(picture: Pixels, draw: SeededDraw, foot: tuple[float, float], tall: float) -> None:
    trunk, leaves = _colour(draw, 0.08, value=0.35), _colour(draw, draw.between(0.1, 0.42), value=0.45)
    _box(picture, foot[0] - 0.04 * tall, foot[1] - 0.5 * tall, foot[0] + 0.04 * tall, foot[1], trunk)
    if draw.below(2):
        for step in range(3):
            low, wide = foot[1] - (0.25 + 0.22 * step) * tall, (0.36 - 0.09 * step) * tall
            corners = [(foot[0] - wide, low), (foot[0], low - 0.42 * tall), (foot[0] + wide, low)]
            _fill(picture, corners, _mixed(leaves, (255, 255, 255), 0.1 * step))
        return
    for _ in range(9):
        centre = (foot[0] + draw.between(-0.25, 0.25) * tall, foot[1] - draw.between(0.45, 0.95) * tall)
        radius = draw.between(0.08, 0.19) * tall
        _disc(picture, centre, (radius, radius), _mixed(leaves, _colour(draw, 0.2), draw.between(0, 0.4)))


def _rock(picture: Pixels, draw: SeededDraw, foot: tuple[float, float], tall: float) -> None:
    colour = _colour(draw, saturation=0.15, value=0.5)
    for share in (1.0, 0.7, 0.4):
        corners = []
        for step in range(7):
            turn, far = math.pi * step / 6, tall * share * draw.between(0.25, 0.5)
            corners.append((foot[0] + far * math.cos(turn) * 1.4, foot[1] - far * math.sin(turn)))
        _fill(picture, corners, _mixed(colour, (255, 250, 235), 0.5 * (1 - share)))


def _fence(picture: Pixels, draw: SeededDraw, foot: tuple[float, float], tall: float) -> None:
    colour, tall = _colour(draw, saturation=0.3), 0.4 * tall
    for post in range(7):
        left = foot[0] + (post - 3) * 0.5 * tall
        _box(picture, left, foot[1] - tall * draw.between(0.85, 1.1), left + 0.12 * tall, foot[1], colour)
    for rail in (0.35, 0.75):
        low = foot[1] - rail * tall
        _box(picture, foot[0] - 1.6 * tall, low, foot[0] + 1.7 * tall, low + 0.1 * tall, colour)


def _pole(picture: Pixels, draw: SeededDraw, foot: tuple[float, float], tall: float) -> None:
    """A sign on a pole."""
    tall *= 0.9
    _box(picture, foot[0] - 0.02 * tall, foot[1] - tall, foot[0] + 0.02 * tall, foot[1], _colour(draw, value=0.3))
    board, stripe = _colour(draw), _colour(draw, value=0.9)
    way = 1 if draw.below(2) else -1
    for row in range(3):
        low, colour = foot[1] - tall + 0.13 * row * tall, board if row % 2 else stripe
        corners = [(foot[0], low), (foot[0] + way * 0.5 * tall, low + 0.03 * tall)]
        _fill(
            picture, [*corners, (foot[0] + way * 0.5 * tall, low + 0.12 * tall), (foot[0], low + 0.13 * tall)], colour
        )


def _balloon(picture: Pixels, draw: SeededDraw, centre: tuple[float, float], tall: float) -> None:
    colours = (_colour(draw), _colour(draw, value=0.9))
    radius = tall * draw.between(0.4, 0.8)
    for step in range(5):
        _disc(picture, centre, (radius * (1 - 0.2 * step), radius * 1.15), colours[step % 2])
    low = centre[1] + 1.5 * radius
    _box(picture, centre[0] - 0.2 * radius, low, centre[0] + 0.2 * radius, low + 0.3 * radius, _colour(draw, 0.08))


def _grained(picture: Pixels, draw: SeededDraw, scale: float) -> Pixels:
    """With brightness that varies at several sizes, as light and stuff do."""
    height, width = picture.shape[:2]
    total: NDArray[np.float32] = np.zeros((height, width), np.float32)
    for side, strong in _GRAINS:
        squares = (math.ceil(height / (side * scale)) + 1, math.ceil(width / (side * scale)) + 1)
        raw = np.random.PCG64(draw.below(2**31)).random_raw(squares[0] * squares[1]).reshape(squares)
        steps = (raw % np.uint64(2001)).astype(np.float32) / 1000 - 1
        total += strong * cv2.resize(steps, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.clip(np.round(picture + total[..., None]), 0, 255).astype(np.uint8)
