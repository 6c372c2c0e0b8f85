"""Looks for a puzzle as a whole in a larger picture: what has no rhythm of rows and columns is told by its likeness."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.alignment.framing import Matrix
from grader.media.pyramid import Pyramid


@dataclass(frozen=True)
class WholeConfig:
    """How a puzzle is looked for as a whole.

    Attributes
    ----------
    doubtful : agreement of another explanation below which it is looked for
    side_px : the candidate's longer side as it is looked at first...
    finer : ...and so many times as long where it may be
    step : sizes are tried by this factor, the largest first that the candidate has room for...
    least : ...as far as this share of that
    kept : so many of the likeliest sizes are looked at more closely...
    close : ...by so many steps within one step, to either side
    """

    doubtful: float = 0.9
    side_px: int = 160
    finer: int = 2
    step: float = 0.97
    least: float = 0.4
    kept: int = 3
    close: int = 3


def find_whole(candidate: Pyramid, puzzle: NDArray[np.uint8], config: WholeConfig) -> tuple[Matrix, ...]:
    """Maps from a candidate's pixels to a puzzle's, the likeliest first, where all of that lies upright in it.

    Parameters
    ----------
    candidate : Pyramid
        Of a picture of shape (H, W, 3), uint8 RGB.
    puzzle : ndarray of shape (h, w, 3), uint8 RGB
    config : WholeConfig
    """
    height, width = candidate.picture.shape[:2]
    own = (puzzle.shape[1], puzzle.shape[0])
    room = min(width / own[0], height / own[1])
    count = int(np.log(config.least) / np.log(config.step))
    coarse = _Search(candidate.picture, puzzle, config.side_px)
    sizes = [room * config.step**power for power in range(count + 1)]
    found = sorted((coarse.best(size) for size in sizes), key=lambda one: -one[0])
    fine = _Search(candidate.picture, puzzle, config.finer * config.side_px)
    maps: list[tuple[float, Matrix]] = []
    for _, size, _, _ in found[: config.kept]:
        powers = np.linspace(-1.0, 1.0, 2 * config.close + 1)
        near = [min(room, size * config.step**power) for power in powers.tolist()]
        likeness, scale, left, top = max(fine.best(one) for one in near)
        shift = [(0.5 - left) / scale - 0.5, (0.5 - top) / scale - 0.5]
        maps.append((likeness, np.array([[1.0 / scale, 0.0, shift[0]], [0.0, 1.0 / scale, shift[1]]])))
    return tuple(matrix for _, matrix in sorted(maps, key=lambda one: -one[0]))


class _Search:
    """A candidate at a size at which a puzzle is looked for in it."""

    def __init__(self, candidate: NDArray[np.uint8], puzzle: NDArray[np.uint8], side: int) -> None:
        self._ratio = min(1.0, side / max(candidate.shape[:2]))
        self._seen = _sized(candidate, self._ratio)
        self._puzzle = puzzle

    def best(self, scale: float) -> tuple[float, float, float, float]:
        """Likeness (-1 to 1) where it is greatest for a size of the puzzle, that, and left and top in the candidate."""
        model = _sized(self._puzzle, scale * self._ratio)
        rows, columns = (min(one, other) for one, other in zip(model.shape, self._seen.shape, strict=True))
        likeness = cv2.matchTemplate(self._seen, model[:rows, :columns], cv2.TM_CCOEFF_NORMED)
        _, most, _, (left, top) = cv2.minMaxLoc(likeness)
        return float(most), scale, left / self._ratio, top / self._ratio


def _sized(picture: NDArray[np.uint8], scale: float) -> NDArray[np.float32]:
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    # not a threshold: fewer pixels are no picture
    size = tuple(max(2, round(side * scale)) for side in grey.shape[::-1])
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)
