"""Pictures for sliding puzzles, drawn by a seed: fields of colour with shapes, so that no photo is needed."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from puzzles.common.arrays import FloatArray
from puzzles.common.raster import Color, Picture, cover_line, cover_polygon, new_coverage, paint

LEAST_DIFFERENCE = 20.0
"""Any two tiles of a picture of `make_picture` differ by so much in the mean of all channels, of 255."""

_MIN_SIDE = 32
_TRIES = 200
_SIZES = (2, 3, 4)
_THUMB = 8  # tiles are compared at so many squares a side


def make_picture(side_px: int, seed: int = 0) -> Picture:
    """Return a square picture, (S, S, 3) uint8 RGB, whose tiles can be told apart if it is cut 2 x 2 to 4 x 4.

    Parameters
    ----------
    side_px
        Its side, at least 32.
    seed
        Not negative. The same arguments give the same bytes; another side gives the same scene.

    Raises
    ------
    ValueError
        If an argument is out of range.
    RuntimeError
        If no such picture was found; take another seed.
    """
    _check(side_px, seed)
    for attempt in range(_TRIES):
        dice = _Dice(seed, attempt)
        picture = _field(side_px, dice)
        for _ in range(9):
            _draw_shape(picture, dice)
        if all(least_tile_difference(picture, size) >= LEAST_DIFFERENCE for size in _SIZES):
            return picture
    raise RuntimeError(f"no picture with tiles that differ was found from seed {seed}; take another seed")


def make_lookalikes(side_px: int, size: int, seed: int = 0) -> Picture:
    """Return a square picture of which all size x size tiles are the same but for one small disc, elsewhere on each.

    Such tiles are hard to tell apart. Parameters, bytes and errors as of `make_picture`; ``size`` is from 2 to 5.
    """
    _check(side_px, seed)
    if not 2 <= size <= 5:
        raise ValueError(f"the size must be from 2 to 5, not {size}")
    dice = _Dice(seed, 0)
    tile = -(-side_px // size)
    base = _field(tile, dice)
    for _ in range(2):
        _draw_shape(base, dice)
    picture = np.zeros((tile * size, tile * size, 3), np.uint8)
    color = dice.color()
    for place in range(size * size):
        row, column = divmod(place, size)
        part = picture[row * tile : (row + 1) * tile, column * tile : (column + 1) * tile]
        part[:] = base
        # The places go round the tile's middle, so that no two discs are near each other.
        angle = 2 * math.pi * place / (size * size)
        centre = np.array([[tile * (0.5 + 0.3 * math.cos(angle)), tile * (0.5 + 0.3 * math.sin(angle))]])
        coverage = new_coverage(tile, tile)
        cover_line(coverage, centre, 0.2 * tile)
        paint(part, coverage, color)
    return np.ascontiguousarray(picture[:side_px, :side_px])


def least_tile_difference(picture: Picture, size: int) -> float:
    """Return how much the two most alike of size x size tiles differ: the mean over channels and 8 x 8 squares."""
    side = picture.shape[0] // size
    block = side // _THUMB
    thumbs = []
    for place in range(size * size):
        row, column = divmod(place, size)
        tile = picture[row * side :, column * side :][: block * _THUMB, : block * _THUMB].astype(np.float64)
        thumbs.append(tile.reshape(_THUMB, block, _THUMB, block, 3).mean(axis=(1, 3)))
    return min(float(np.abs(one - other).mean()) for one, other in combinations(thumbs, 2))


class _Dice:
    """Numbers that a seed fixes, the same in every NumPy version: raw ones of a bit generator."""

    def __init__(self, seed: int, attempt: int) -> None:
        self._bits = np.random.PCG64([seed, attempt])

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * (int(self._bits.random_raw()) >> 11) / 2**53

    def grid(self, *shape: int) -> FloatArray:
        raw = self._bits.random_raw(math.prod(shape)) >> np.uint64(11)
        return raw.astype(np.float64).reshape(shape) / 2**53

    def color(self) -> Color:
        red, green, blue = (round(self.between(15, 245)) for _ in range(3))
        return red, green, blue


def _field(side: int, dice: _Dice) -> Picture:
    """Return smooth colours: 4 x 4 random ones with cosine steps between them."""
    knots = 25 + 205 * dice.grid(4, 4, 3)
    at = (np.arange(side) + 0.5) / side * 3
    low = np.minimum(at.astype(np.int64), 2)
    share = (1 - np.cos(np.pi * (at - low))) / 2
    rows = knots[low] * (1 - share)[:, None, None] + knots[low + 1] * share[:, None, None]
    whole = rows[:, low] * (1 - share)[None, :, None] + rows[:, low + 1] * share[None, :, None]
    field: Picture = np.rint(whole).astype(np.uint8)
    return field


def _draw_shape(picture: Picture, dice: _Dice) -> None:
    """Lay a disc, a bar or a triangle on a picture."""
    side = picture.shape[0]
    kind = int(dice.between(0, 3))
    x, y = dice.between(0.1, 0.9) * side, dice.between(0.1, 0.9) * side
    reach, angle = dice.between(0.06, 0.17) * side, dice.between(0, 2 * math.pi)
    coverage = new_coverage(side, side)
    if kind == 0:
        cover_line(coverage, np.array([[x, y]]), 2 * reach)
    elif kind == 1:
        along = np.array([math.cos(angle), math.sin(angle)]) * reach * 1.6
        middle = np.array([x, y])
        cover_line(coverage, np.stack([middle - along, middle + along]), 0.35 * reach)
    else:
        turns = angle + np.arange(3) * 2 * math.pi / 3  # y goes down, so growing angles go clockwise
        cover_polygon(coverage, np.stack([x + reach * np.cos(turns), y + reach * np.sin(turns)], axis=1))
    paint(picture, coverage, dice.color())


def _check(side_px: int, seed: int) -> None:
    if side_px < _MIN_SIDE:
        raise ValueError(f"the side must be at least {_MIN_SIDE} px, not {side_px}")
    if seed < 0:
        raise ValueError(f"the seed must not be negative, not {seed}")
