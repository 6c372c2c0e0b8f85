"""Companions of shapes, which models draw with them: shadows, glows, shading, gloss. They change no truth.

A companion follows its shape at a constant offset and only darkens or lightens, smoothly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from puzzles.common.raster import Picture

Cover = NDArray[np.float32]
"""(H, W), how much of each pixel a shape covers, 0 to 1."""
Dice = np.random.Generator
_LIGHT = 255.0


def shadow(ground: Picture, shape: Cover, length: float, dice: Dice) -> Picture:
    """A soft shadow beneath a shape, to be drawn before it; lengths are up to a sixth of ``length``, in pixels."""
    far, soft = dice.uniform(0.04, 0.16) * length, dice.uniform(0.03, 0.13) * length
    return _darker(ground, _blurred(_shifted(shape, far, _slanted(dice)), soft) * dice.uniform(0.12, 0.45))


def halo(ground: Picture, shape: Cover, length: float, dice: Dice) -> Picture:
    """A soft dark rim all around a shape; parameters are those of `shadow`."""
    return _darker(ground, _blurred(shape, dice.uniform(0.04, 0.13) * length) * dice.uniform(0.15, 0.45))


def glow(ground: Picture, shape: Cover, length: float, dice: Dice) -> Picture:
    """A soft light rim all around a shape; parameters are those of `shadow`."""
    return _lighter(ground, _blurred(shape, dice.uniform(0.04, 0.13) * length) * dice.uniform(0.3, 0.7))


BENEATH: dict[str, Callable[[Picture, Cover, float, Dice], Picture]] = {
    one.__name__: one for one in (shadow, halo, glow)
}
"""What is drawn on the ground before the shapes are."""


def gradient(picture: Picture, shapes: Sequence[Cover], _length: float, dice: Dice) -> Picture:
    """Each shape darker towards one side, all towards the same."""
    turn, by = dice.uniform(0, 2 * np.pi), dice.uniform(0.05, 0.14)
    for shape in shapes:
        along = _along(shape, turn)
        picture = _darker(picture, shape * np.float32(by) * (1 + along))
    return picture


def gloss(picture: Picture, shapes: Sequence[Cover], _length: float, dice: Dice) -> Picture:
    """A soft light spot on each shape, towards the same side."""
    turn, by = _slanted(dice), dice.uniform(0.1, 0.35)
    for shape in shapes:
        along, across = _along(shape, turn), _along(shape, turn + np.pi / 2)
        spot = np.exp(-((along + 0.35) ** 2 + across**2) / (2 * 0.3**2))
        picture = _lighter(picture, shape * spot.astype(np.float32) * np.float32(by))
    return picture


def bevel(picture: Picture, shapes: Sequence[Cover], length: float, dice: Dice) -> Picture:
    """Rims that are lighter towards one side, and darker on the other."""
    turn, by = _slanted(dice), dice.uniform(0.1, 0.35)
    far = dice.uniform(0.03, 0.09) * length
    for shape in shapes:
        soft = _blurred(shape, 0.5 * far)
        rim = shape * (_shifted(soft, far, turn) - _shifted(soft, -far, turn))
        picture = _darker(picture, np.maximum(rim, 0) * np.float32(by))
        picture = _lighter(picture, np.maximum(-rim, 0) * np.float32(by))
    return picture


def inner_shadow(picture: Picture, shapes: Sequence[Cover], length: float, dice: Dice) -> Picture:
    """A shadow that the rim of each shape casts into it."""
    turn, by = _slanted(dice), dice.uniform(0.15, 0.5)
    far, soft = dice.uniform(0.03, 0.14) * length, dice.uniform(0.01, 0.09) * length
    for shape in shapes:
        picture = _darker(picture, shape * (1 - _blurred(_shifted(shape, far, turn), soft)) * np.float32(by))
    return picture


def inner_glow(picture: Picture, shapes: Sequence[Cover], length: float, dice: Dice) -> Picture:
    """A lighter rim within each shape, all around."""
    soft, by = dice.uniform(0.03, 0.1) * length, dice.uniform(0.2, 0.5)
    for shape in shapes:
        picture = _lighter(picture, shape * (1 - _blurred(shape, soft)) * np.float32(by))
    return picture


UPON: dict[str, Callable[[Picture, Sequence[Cover], float, Dice], Picture]] = {
    one.__name__: one for one in (gradient, gloss, bevel, inner_shadow, inner_glow)
}
"""What is drawn on the shapes once they are there."""


def _slanted(dice: Dice) -> float:
    """A direction that shadows fall to: down and to a side, mostly."""
    return float(dice.uniform(0.15, 0.85) * np.pi)


def _blurred(shape: Cover, soft: float) -> Cover:
    return np.asarray(cv2.GaussianBlur(shape, (0, 0), max(0.3, soft)), np.float32)


def _shifted(shape: Cover, far: float, turn: float) -> Cover:
    by = np.array([[1, 0, far * np.cos(turn)], [0, 1, far * np.sin(turn)]])
    return np.asarray(cv2.warpAffine(shape, by, shape.shape[::-1]), np.float32)


def _along(shape: Cover, turn: float) -> Cover:
    """How far each pixel lies along a direction: -1 to 1 within the shape."""
    y, x = np.indices(shape.shape, np.float32)
    far = np.asarray(x * np.cos(turn) + y * np.sin(turn), np.float32)
    own = far[shape > 0]
    if not own.size:
        return np.zeros_like(shape)
    low, high = float(own.min()), float(own.max())
    return np.asarray(np.clip((2 * far - low - high) / max(1.0, high - low), -1, 1), np.float32)


def _darker(picture: Picture, share: Cover) -> Picture:
    return _whole(picture.astype(np.float32) * (1 - share)[..., None])


def _lighter(picture: Picture, share: Cover) -> Picture:
    shown = picture.astype(np.float32)
    return _whole(shown + (_LIGHT - shown) * share[..., None])


def _whole(values: Cover) -> Picture:
    return np.clip(np.rint(values), 0, _LIGHT).astype(np.uint8)
