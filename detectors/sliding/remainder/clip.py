"""What is drawn over a board in the course of a clip."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.sliding.board import TileBox
from detectors.sliding.config import TileConfig
from detectors.sliding.model import Arrangement
from detectors.sliding.remainder.finding import TileRemainderFinder
from grader.media.frames import Frame, frames_lasting


class DrawnFollower:
    """Looks at a board in the frames of a clip, in order.

    Parameters
    ----------
    finder : TileRemainderFinder
        Of the board.
    config : TileConfig
    """

    def __init__(self, finder: TileRemainderFinder, config: TileConfig) -> None:
        self._finder, self._config = finder, config
        self._cells: list[frozenset[int]] = []
        self._busy: list[frozenset[int]] = []
        self._times: list[float] = []
        self._seen: NDArray[np.uint8] | None = None
        self._looked: tuple[Arrangement, float] | None = None

    def take(self, frame: Frame, box: TileBox, arrangement: Arrangement | None, busy: tuple[int, ...] = ()) -> None:
        """Takes the next frame; no arrangement where none explains it, and the cells in which a tile is on its way."""
        self._times.append(frame.time_s)
        self._busy.append(frozenset(busy))
        rules = self._config.remainder
        if arrangement is None:
            self._looked = None
            self._cells.append(frozenset())
            return
        before = self._looked
        if before is not None and before[0] == arrangement and not busy:
            seen = self._seen
            if (
                seen is not None
                and seen.shape == frame.pixels.shape
                and _apart(frame.pixels, seen) <= rules.same_levels
            ):
                self._cells.append(self._cells[-1])
                return
        elif before is None or before[0] != arrangement:
            before = None
        if before is not None and frame.time_s - before[1] < rules.every_s:
            self._cells.append(self._cells[-1])
            return
        things = self._finder.find(frame.pixels, box, arrangement, busy)
        cells = frozenset(one.cell for one in things if one.plainness >= rules.least_in_clips)
        self._cells.append(cells)
        self._seen, self._looked = frame.pixels, (arrangement, frame.time_s)

    def runs(self) -> tuple[tuple[int, int, int], ...]:
        """For each cell over which something is drawn that lasts: the cell, and from which frame to which."""
        rate = (len(self._times) - 1) / max(self._times[-1] - self._times[0], 1e-9) if self._times else 0.0
        least = max(self._config.stretch.settle_frames, frames_lasting(self._config.remainder.lasting_s, rate))
        near = np.ones((1, 2 * frames_lasting(self._config.remainder.sets_off_s, rate) + 1), np.uint8)
        found = []
        for cell in sorted(frozenset().union(*self._cells)):
            # A tile that sets off, or has nearly arrived, is not told from one that rests.
            busy = cv2.dilate(np.array([[cell in cells for cells in self._busy]], np.uint8), near)[0] > 0
            frames = np.flatnonzero([cell in cells for cells in self._cells] & ~busy)
            runs = [r for r in np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1) if len(r) >= least]
            if runs:
                found.append((cell, int(runs[0][0]), int(runs[-1][-1])))
        return tuple(found)


def _apart(picture: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """The largest difference of a channel between pictures of one size, 0 to 255."""
    return float(cv2.norm(picture, other, cv2.NORM_INF))
