"""Grain of table and faces, and the camera's noise: fixed by a seed to the byte."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

_TEXELS = 256  # side of a texture
_LAST = _TEXELS - 1
_OCTAVES = ((8, 0.5), (32, 0.3), (128, 0.2))  # squares on a side, and share of the strength

Texture = NDArray[np.float32]


def _raw(seed: int, count: int) -> NDArray[np.float32]:
    # Raw numbers, because NumPy promises that a bit generator keeps its stream; for distributions it does not.
    numbers = np.random.PCG64(seed).random_raw(count) >> np.uint64(40)
    return (numbers.astype(np.float32) / np.float32(1 << 23)) - np.float32(1.0)


@lru_cache(maxsize=64)
def texture(seed: int) -> Texture:
    """Return smooth noise, (256, 256) float32 from -1 to 1, that can be repeated without a seam; read-only."""
    total = np.zeros((_TEXELS, _TEXELS), np.float32)
    for octave, (squares, share) in enumerate(_OCTAVES):
        coarse = _raw(seed * len(_OCTAVES) + octave, squares * squares).reshape(squares, squares)
        # One more square on each side than needed, so that both ends meet.
        wrapped = np.pad(coarse, 1, mode="wrap")
        scale = _TEXELS // squares
        fine = cv2.resize(wrapped, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
        total += np.float32(share) * fine[scale:-scale, scale:-scale]
    total.flags.writeable = False
    return total


def sample(grain: Texture, u: NDArray[np.floating], v: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return the texture between texels, at (u, v): two arrays of one shape with any finite numbers."""
    across, along = np.floor(u), np.floor(v)
    right, down = (u - across).astype(np.float32), (v - along).astype(np.float32)
    # A power of two, so that the remainder is what these bits hold, also below zero.
    column, row = across.astype(np.int64) & _LAST, along.astype(np.int64) & _LAST
    next_column = (column + 1) & _LAST
    this, below = row * _TEXELS, ((row + 1) & _LAST) * _TEXELS
    texels, left = grain.ravel(), 1 - right
    upper = texels.take(this + column) * left + texels.take(this + next_column) * right
    lower = texels.take(below + column) * left + texels.take(below + next_column) * right
    return np.asarray(upper * (1 - down) + lower * down, np.float32)


def camera_noise(height: int, width: int, deviation: float, seed: int) -> NDArray[np.float32]:
    """Return noise of shape (height, width, 3), nearly normal: the sum of three even ones."""
    parts = _raw(seed, height * width * 9).reshape(3, height, width, 3)
    # Each part has the variance 1/3, so their sum has 1.
    return np.asarray(parts.sum(axis=0) * np.float32(deviation), np.float32)
