"""What a board shows beside its tiles: whatever is drawn over tiles or the blank.

The board is predicted, the puzzle's pieces in their cells, and compared at a finer scale than tiles are told by. A
pixel is explained if its colour lies between those that the prediction has close by, which a part of a pixel's shift,
a blur or a change of scale leave; near strong edges a little more than that.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import linear_rgb, oklab_of_linear
from detectors.common.residual.mixing import HUE_WEIGHT, channel_maxima, channel_sums, lengths
from detectors.common.residual.windows import averages
from detectors.sliding.board import TileBox, board_step, rectify, stepped
from detectors.sliding.config import TileConfig, TileRemainderConfig
from detectors.sliding.model import Arrangement, color_change, joined, recolored, split

_HALF = 127.5  # not a threshold: half the range of a channel
_EVEN = 25.0  # not a threshold: a few levels squared, so that an even tile keeps its contrast
_TINY = 1e-6  # not a threshold: against a division by 0


@dataclass(frozen=True)
class DrawnOnTile:
    """Something drawn.

    Attributes
    ----------
    cell : in which it is plainest, row by row
    plainness : how many times as plain it is as what is just seen
    """

    cell: int
    plainness: float


class TileRemainderFinder:
    """Finds what is left in pictures of one board.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The puzzle: the board and nothing else.
    size : int
        Rows and columns.
    blank : int
        The piece that is the blank.
    config : TileConfig
    """

    def __init__(self, picture: NDArray[np.uint8], size: int, blank: int, config: TileConfig) -> None:
        self._picture, self._size, self._blank, self._config = picture, size, blank, config
        self._patches: dict[int, NDArray[np.float32]] = {}

    def find(
        self, pixels: NDArray[np.uint8], box: TileBox, arrangement: Arrangement, busy: tuple[int, ...] = ()
    ) -> tuple[DrawnOnTile, ...]:
        """Looks at a picture in which the board lies in about a box; a thing a cell, the plainest first.

        Nothing is told of busy cells: a tile is on its way there.
        """
        values, usable = self.residual(pixels, box, arrangement, busy)
        cell, rules = values.shape[0] // self._size, self._config.remainder
        found = np.zeros(self._size**2)
        part = cell // rules.parts
        for averaged in averages(values, usable, cell, rules.windows):
            parts = averaged.contrast.reshape(len(values) // part, part, len(values) // part, part).max(axis=(1, 3))
            least = max(averaged.just_seen(parts.ravel()), averaged.window.visible)
            cells = parts.reshape(self._size, rules.parts, self._size, rules.parts).max(axis=(1, 3)).ravel()
            np.maximum(found, cells / least, out=found)
        order = np.argsort(-found, kind="stable")
        return tuple(DrawnOnTile(int(one), float(found[one])) for one in order if found[one] >= rules.least)

    def residual(
        self, pixels: NDArray[np.uint8], box: TileBox, arrangement: Arrangement, busy: tuple[int, ...] = ()
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """What is left of a board, (S, S, 3) in the colours of `seen`, and where it is told."""
        config, size = self._config, self._size
        rules = config.remainder
        cell = int(np.clip(min(box.width, box.height) / size, rules.least_px, rules.most_px))
        cell -= cell % rules.parts
        side = cell * size
        pieces = self._pieces(cell)
        goal = joined(pieces[list(arrangement)], size)
        board = rectify(pixels, box, side, config.board)
        rests = np.ones(size * size)
        rests[list(busy)] = 0.0
        still = np.kron(rests.reshape(size, size), np.ones((cell, cell))) > 0
        weight = still.astype(np.float64)
        colors = None
        for _ in range(rules.steps):
            change = color_change(board, goal, weight, config.colors)
            colors = change if change is not None else colors
            shown = board if colors is None else recolored(board, colors)
            goal = joined(self._shaded(pieces, split(shown, size), arrangement)[list(arrangement)], size)
            shown = np.where(still[..., None], shown, goal)
            box = stepped(box, board_step(goal, shown, config.registration), config.registration)
            board = rectify(pixels, box, side, config.board)
            off = channel_maxima(np.abs((board if colors is None else recolored(board, colors)) - goal))
            weight = still / (1.0 + np.square(off / np.float32(config.registration.robust), dtype=np.float64))
        shown = _bent(board if colors is None else recolored(board, colors), goal, weight, rules)
        shown = _toned(shown, goal, weight, size, rules.most_gain)
        goal = joined(self._shaded(pieces, split(shown, size), arrangement)[list(arrangement)], size)
        values = _beyond(_colors(shown, rules.flare), _colors(goal, rules.flare), cell, size, rules)
        usable = still & _inner(size, cell, max(1, round(rules.rim * cell)))
        values[~usable] = 0.0
        return values, usable

    def _pieces(self, cell: int) -> NDArray[np.float32]:
        if cell not in self._patches:
            high, wide = self._picture.shape[:2]
            board = rectify(self._picture, TileBox(0, 0, wide, high), cell * self._size, self._config.board)
            self._patches[cell] = split(board, self._size)
        return self._patches[cell]

    def _shaded(
        self, pieces: NDArray[np.float32], cells: NDArray[np.float32], arrangement: Arrangement
    ) -> NDArray[np.float32]:
        """The pieces with the blank in the colour that most of it shows: it may have another shade."""
        at, rim = arrangement.index(self._blank), max(1, round(self._config.remainder.rim * pieces.shape[1]))
        inner = slice(rim, -rim)
        shown, own = cells[at][inner, inner].reshape(-1, 3), pieces[self._blank][inner, inner].reshape(-1, 3)
        shaded = pieces.copy()
        shaded[self._blank] += np.median(shown, axis=0) - np.median(own, axis=0)
        return shaded


def _bent(
    shown: NDArray[np.float32], goal: NDArray[np.float32], weight: NDArray[np.float64], rules: TileRemainderConfig
) -> NDArray[np.float32]:
    """A board in the colours of the puzzle: a turn of hues, or less of them, is a polynomial of the colours."""
    terms = _terms(shown)
    step = (slice(None, None, rules.every_px), slice(None, None, rules.every_px))
    every, shares = _terms(shown[step]).reshape(len(terms), -1), weight[step].ravel()
    off = (goal - shown)[step].reshape(-1, 3).astype(np.float64)
    total = max(float(shares.sum()), 1.0)
    # Sums, not products of matrices: a BLAS may add in another order with another number of threads.
    normal = np.array([[float((one * other * shares).sum()) for other in every] for one in every]) / total
    right = np.array([[float((one * off[:, c] * shares).sum()) for c in range(3)] for one in every]) / total
    change = np.linalg.solve(normal + np.eye(len(terms)) * rules.stiffness, right)
    # Channel by channel: along so short an axis NumPy takes several times as long.
    moved = [sum(term * share for term, share in zip(terms, column, strict=True)) for column in change.T]
    return np.asarray(shown + np.stack(moved, axis=2), np.float32)


def _toned(
    shown: NDArray[np.float32], goal: NDArray[np.float32], weight: NDArray[np.float64], size: int, most: float
) -> NDArray[np.float32]:
    """A board whose tiles have the tone that they should: each channel of each tile may be lighter and stronger."""
    cells, goals = split(shown, size).astype(np.float64), split(goal, size).astype(np.float64)
    shares = split(np.repeat(weight[..., None], 3, axis=2).astype(np.float32), size) + _TINY
    axes = (1, 2)
    total = shares.sum(axis=axes, keepdims=True)
    means = [(one * shares).sum(axis=axes, keepdims=True) / total for one in (cells, goals)]
    spread = (shares * (cells - means[0]) ** 2).sum(axis=axes, keepdims=True) / total
    shared = (shares * (cells - means[0]) * (goals - means[1])).sum(axis=axes, keepdims=True) / total
    gain = np.clip((shared + _EVEN) / (spread + _EVEN), 1.0 / most, most)
    return joined(np.asarray(means[1] + gain * (cells - means[0]), np.float32), size)


def _terms(board: NDArray[np.float32]) -> NDArray[np.float64]:
    """Colours from -1 to 1, their squares and products, and 1: (10, h, w)."""
    red, green, blue = np.moveaxis(board.astype(np.float64) / _HALF - 1.0, -1, 0)
    products = (red * green, green * blue, blue * red)
    return np.stack([np.ones_like(red), red, green, blue, red**2, green**2, blue**2, *products])


def _colors(board: NDArray[np.float32], flare: float) -> NDArray[np.float32]:
    """The colours of `seen` under stray light, without which noise on black would be the strongest of all."""
    lit = linear_rgb(np.clip(np.rint(board), 0, 255).astype(np.uint8))  # not a threshold: the range of a channel
    lab = oklab_of_linear(lit * np.float32(1.0 - flare) + np.float32(flare))
    lab[..., 1:] *= HUE_WEIGHT
    return lab


def _beyond(
    shown: NDArray[np.float32], goal: NDArray[np.float32], cell: int, size: int, rules: TileRemainderConfig
) -> NDArray[np.float32]:
    """By how much pixels are beyond what the prediction has close by in their own cell."""
    near = np.ones((2 * max(1, round(rules.reach * cell)) + 1,) * 2, np.uint8)
    low, high = np.empty_like(goal), np.empty_like(goal)
    for row in range(size):
        for column in range(size):
            part = (slice(row * cell, (row + 1) * cell), slice(column * cell, (column + 1) * cell))
            low[part], high[part] = cv2.erode(goal[part], near), cv2.dilate(goal[part], near)
    beyond = np.asarray(np.maximum(shown - high, 0) - np.maximum(low - shown, 0), np.float32)
    # What is sharpened or compressed is beyond by a share of what changes there.
    allowed = rules.beyond * lengths(high - low)
    length = np.sqrt(channel_sums(beyond**2))
    left = beyond * (np.maximum(0.0, length - allowed) / np.maximum(length, _TINY))[..., None]
    return np.asarray(left, np.float32)


def _inner(size: int, cell: int, rim: int) -> NDArray[np.bool_]:
    one = np.zeros((cell, cell), bool)
    one[rim:-rim, rim:-rim] = True
    return np.tile(one, (size, size))
