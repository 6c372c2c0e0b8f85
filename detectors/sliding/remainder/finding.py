"""What a board shows beside its tiles: whatever is drawn over tiles or the blank.

The board is predicted, the puzzle's pieces in their cells, and compared at a finer scale than tiles are told by. A pixel
is explained if its colour lies between those that the prediction has close by, which a part of a pixel's shift, a blur
or a change of scale leave; near strong edges a little more than that.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import linear_rgb, oklab_of_linear
from detectors.common.residual.mixing import HUE_WEIGHT, channel_sums, lengths
from detectors.common.residual.windows import averages
from detectors.sliding.board import TileBox, board_step, rectify, stepped
from detectors.sliding.config import TileConfig, TileRemainderConfig
from detectors.sliding.model import Arrangement, color_change, joined, recolored, split

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

    def find(self, pixels: NDArray[np.uint8], box: TileBox, arrangement: Arrangement) -> tuple[DrawnOnTile, ...]:
        """Looks at a picture in which the board lies in about a box; a thing a cell, the plainest first."""
        values, usable = self.residual(pixels, box, arrangement)
        cell, rules = values.shape[0] // self._size, self._config.remainder
        found = np.zeros(self._size**2)
        part = cell // rules.parts
        for averaged in averages(values, usable, cell, rules.windows):
            parts = averaged.contrast.reshape(len(values) // part, part, len(values) // part, part).max(axis=(1, 3))
            least = max(averaged.just_seen(parts.ravel()), averaged.window.visible)
            cells = parts.reshape(self._size, rules.parts, self._size, rules.parts).max(axis=(1, 3)).ravel()
            np.maximum(found, cells / least, out=found)
        order = np.argsort(-found, kind="stable")
        return tuple(DrawnOnTile(int(one), float(found[one])) for one in order if found[one] >= 1.0)

    def residual(
        self, pixels: NDArray[np.uint8], box: TileBox, arrangement: Arrangement
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
        weight = np.ones((side, side))
        colors = None
        for _ in range(rules.steps):
            change = color_change(board, goal, weight, config.colors)
            colors = change if change is not None else colors
            shown = board if colors is None else recolored(board, colors)
            box = stepped(box, board_step(goal, shown, config.registration), config.registration)
            board = rectify(pixels, box, side, config.board)
            off = np.abs((board if colors is None else recolored(board, colors)) - goal).max(axis=2)
            weight = 1.0 / (1.0 + np.square(off / np.float32(config.registration.robust), dtype=np.float64))
        shown = board if colors is None else recolored(board, colors)
        goal = joined(self._shaded(pieces, split(shown, size), arrangement)[list(arrangement)], size)
        values = _beyond(_colors(shown, rules.flare), _colors(goal, rules.flare), cell, size, rules)
        usable = _inner(size, cell, max(1, round(rules.rim * cell)))
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
    return beyond * (np.maximum(0.0, length - allowed) / np.maximum(length, _TINY))[..., None]


def _inner(size: int, cell: int, rim: int) -> NDArray[np.bool_]:
    one = np.zeros((cell, cell), bool)
    one[rim:-rim, rim:-rim] = True
    return np.tile(one, (size, size))
