"""Sums a residual over windows of several sizes, as the eye does: a wide faint stroke shows like a thin strong one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median, quantile
from detectors.common.residual.mixing import lengths, times

_STEP = 2  # not a threshold: every other pixel will do for a median


@dataclass(frozen=True)
class WindowConfig:
    """A window in which a residual is averaged.

    Attributes
    ----------
    side : its side, as a share of a cell...
    least_px : ...but at least so many working pixels
    filled : least share of it that has to be in sight
    visible : contrast, averaged over it, from which something is plain to see
    times : ...if it is also so many times the noise that is everywhere alike, as the middle one of all cells has it...
    tail : ...and so many times what that one has beyond: what compression leaves at edges is seldom, and strong
    drawn : where the middle one of all cells has more than this, most have something drawn in them, unless the floor
        itself is as noisy
    alone : what lies in one cell alone, and leads nowhere, is plain to see from this contrast
    """

    side: float
    least_px: int
    filled: float
    visible: float
    times: float
    tail: float
    drawn: float
    alone: float

    def side_px(self, cell_px: float) -> int:
        """Its side in working pixels, an odd number."""
        return max(self.least_px, round(self.side * cell_px)) | 1


@dataclass(frozen=True)
class WindowsConfig:
    """Windows of all sizes.

    Attributes
    ----------
    dot, spot, blot, patch : square ones
    line : a row of pixels, along the rows, the columns and both diagonals
    surround : side of the window, as a share of a cell, whose average is taken off first
    uneven : of a pixel up to this contrast counts for that average: what is stronger lies on an uneven floor
    even : noise that is everywhere alike has so many times as much in the middle one of all cells as in the middle one
        of all places
    quiet : and so many times as much as at a quarter of all places, before the surround is taken off
    alone : what lies in one cell alone has to be so many times stronger still than noise, and as many times as plain...
    strong : ...where it has a dot of this contrast: a speck is no wide faint mark
    clean, lone : where noise is no more than this share of what is plain to see, down to nothing, what lies alone has
        to be less plain, down to this share
    unreduced : what lies alone in a large cell, which is not reduced, has to be so many times as plain
    beside : of large cells, parts within this share of their length from a line are as those it leads through
    kept : where most cells are drawn on, this share of `drawn` is noise in any case
    by_area : whether square windows that are in sight in part count as the smaller ones that they are: the contrast
        that is plain to see goes by a window's side
    """

    dot: WindowConfig = WindowConfig(0.0, 3, 0.5, 0.055, 3.0, 5.5, 10.0, 0.172)
    spot: WindowConfig = WindowConfig(0.15, 7, 0.5, 0.0195, 3.0, 6.5, 0.021, 0.0195)
    blot: WindowConfig = WindowConfig(0.3, 9, 0.4, 0.015, 3.0, 7.0, 0.018, 0.015)
    patch: WindowConfig = WindowConfig(0.6, 17, 0.35, 0.0077, 3.0, 5.0, 0.0112, 0.0077)
    line: WindowConfig = WindowConfig(0.25, 7, 0.7, 0.048, 3.0, 5.5, 10.0, 0.144)
    surround: float = 1.4
    uneven: float = 0.03
    even: float = 4.0
    quiet: float = 6.0
    alone: float = 1.6
    strong: float = 0.1
    clean: float = 0.3
    lone: float = 0.55
    unreduced: float = 1.6
    beside: float = 0.5
    kept: float = 0.0
    by_area: bool = False


def coarser(config: WindowsConfig, factor: float) -> WindowsConfig:
    """The same windows in a frame in which all is so many times as large: none is smaller than it was.

    Where there is noise, the lightness of what is averaged after it was told is farther off than that of what was
    averaged before.
    """
    if factor == 1.0:
        return config

    def larger(one: WindowConfig) -> WindowConfig:
        return replace(one, least_px=round(factor * one.least_px), alone=config.unreduced * one.alone)

    return replace(
        config,
        lone=1.0,
        dot=larger(config.dot),
        spot=larger(config.spot),
        blot=larger(config.blot),
        patch=larger(config.patch),
        line=larger(config.line),
    )


@dataclass(frozen=True)
class Averaged:
    """A residual averaged over a window.

    Attributes
    ----------
    window : the window
    contrast : (h, w) float32, by the window's middle; 0 where too little of the window is in sight
    told : (h, w) bool, every so many pixels, where noise is told
    plain : gives the same contrasts before the surround was taken off
    config : of all windows
    """

    window: WindowConfig
    contrast: NDArray[np.float32]
    told: NDArray[np.bool_]
    plain: Callable[[], NDArray[np.float32]]
    config: WindowsConfig

    def just_seen(self, most: NDArray[np.floating], drawn: NDArray[np.floating] | None = None) -> float:
        """The contrast from which something is plain to see; parameters are those of `noise`."""
        return max(self.window.visible, self.noise(most, drawn))

    def alone(self, noise: float) -> float:
        """The contrast from which what lies in one cell alone is plain to see; in a picture without noise it is less.

        ``noise`` is the contrast up to which something may be noise.
        """
        window, config = self.window, self.config
        if window is config.dot:  # a speck stays one
            return window.alone
        noisy = min(1.0, noise / (config.clean * window.visible))
        return max(window.visible, window.alone * (config.lone + (1.0 - config.lone) * noisy))

    def noise(self, most: NDArray[np.floating], drawn: NDArray[np.floating] | None = None) -> float:
        """The contrast up to which something may be noise.

        Parameters
        ----------
        most : ndarray of shape (n,)
            The greatest contrast of each cell.
        drawn : ndarray of shape (m,), optional
            That of the cells which tell whether most have something drawn in them, if these are not all.
        """
        usual = median(most) if most.size else 0.0
        drawn = most if drawn is None else drawn
        sample = self.contrast[::_STEP, ::_STEP][self.told]
        middle = median(sample) if sample.size else 0.0
        if drawn.size and sample.size and median(drawn) > self.window.drawn:
            # not a threshold: a quarter, which is floor even where most cells are drawn on
            quarter = quantile(self.plain()[::_STEP, ::_STEP][self.told], 0.25)
            usual = min(usual, max(self.config.quiet * quarter, self.config.kept * self.window.drawn))
        even = min(usual, self.config.even * middle)
        return self.window.times * even + self.window.tail * (usual - even)


def averages(
    values: NDArray[np.float32],
    usable: NDArray[np.bool_],
    cell_px: float,
    config: WindowsConfig,
    *,
    plain_only: bool = False,
) -> Iterator[Averaged]:
    """Contrast of the average of each window, by its middle.

    Parameters
    ----------
    values : ndarray of shape (h, w, 3), float32
        A residual; 0 where it is not usable.
    usable : ndarray of shape (h, w), bool
    cell_px : float
        Length of a cell in pixels.
    config : WindowsConfig
    plain_only : bool
        Whether windows are left out over which nothing can be plain to see, whatever is noise.

    Yields
    ------
    Averaged
    """
    weight = usable.astype(np.float32)
    side = round(config.surround * cell_px) | 1
    size = lengths(values)
    flat = values
    if float(size.max(initial=0.0)) > config.uneven:
        flat = times(values, np.minimum(np.float32(1.0), config.uneven / np.maximum(size, config.uneven)))
    count = np.maximum(_sum(weight, side, side), np.float32(1.0))
    around = np.asarray(_sum(flat, side, side) / cv2.merge([count] * values.shape[2]), np.float32)
    left = times(values - around, weight)
    told = usable[::_STEP, ::_STEP]
    # No average is longer than the longest of what it is of.
    peak = float(lengths(left).max(initial=0.0)) if plain_only else np.inf
    for window in (config.dot, config.spot, config.blot, config.patch):
        if peak > window.visible:
            side = window.side_px(cell_px)
            square = partial(
                _average, weight=weight, wide=side, high=side, filled=window.filled, by_area=config.by_area
            )
            averaged = Averaged(window, square(left), told, partial(square, values), config)
            if not plain_only or averaged.contrast.max() > window.visible:
                yield averaged
    window = config.line
    if peak <= window.visible:
        return
    side = window.side_px(cell_px)
    ways = [partial(_average, weight=weight, wide=wide, high=high) for wide, high in ((side, 1), (1, side))]
    ways += [partial(_diagonal, weight=weight, side=side, down=down) for down in (True, False)]
    for way in ways:
        along = partial(way, filled=window.filled)
        averaged = Averaged(window, along(left), told, partial(along, values), config)
        if not plain_only or averaged.contrast.max() > window.visible:
            yield averaged


def _sum(picture: NDArray[np.float32], wide: int, high: int) -> NDArray[np.float32]:
    return np.asarray(
        cv2.boxFilter(picture, -1, (wide, high), normalize=False, borderType=cv2.BORDER_CONSTANT), np.float32
    )


def _average(
    values: NDArray[np.float32],
    weight: NDArray[np.float32],
    wide: int,
    high: int,
    filled: float,
    by_area: bool = False,
) -> NDArray[np.float32]:
    count = _sum(weight, wide, high)
    enough = count >= filled * wide * high
    if by_area:
        # The mean, times the root of the share in sight.
        count = np.sqrt(np.maximum(count, np.float32(1.0)) * np.float32(wide * high))
    return np.where(enough, lengths(_sum(values, wide, high)) / np.maximum(count, 1.0), np.float32(0.0))


def _diagonal(
    values: NDArray[np.float32], weight: NDArray[np.float32], side: int, down: bool, filled: float
) -> NDArray[np.float32]:
    """Averages along diagonals."""
    # A step along a diagonal is longer than one along a row.
    side = max(3, round(side / 2**0.5)) | 1
    summed = _along_diagonal(values, side, down)
    count = _along_diagonal(weight, side, down)
    return np.where(count >= filled * side, lengths(summed) / np.maximum(count, 1.0), np.float32(0.0))


def _along_diagonal(picture: NDArray[np.float32], side: int, down: bool) -> NDArray[np.float32]:
    """The sum of so many pixels along a diagonal, an odd number, by the middle one; beyond the picture there is none.

    Sums of 1, 2, 4, ... pixels are put together.
    """
    height, width = picture.shape[:2]
    reach = side // 2
    padded = np.asarray(
        cv2.copyMakeBorder(picture, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0), np.float32
    )
    total: NDArray[np.float32] | None = None
    sums, length, done = padded, 1, 0
    while True:
        if side & length:
            # What begins `done` pixels after the first one.
            left = done if down else 2 * reach - done - (length - 1)
            part = sums[done : done + height, left : left + width]
            total = part.copy() if total is None else total + part
            done += length
        if 2 * length > side:
            break
        high, wide = sums.shape[0] - length, sums.shape[1] - length
        upper, lower = sums[:high], sums[length:]
        sums = upper[:, :wide] + lower[:, length:] if down else upper[:, length:] + lower[:, :wide]
        length *= 2
    return picture if total is None else total
