"""Colours of regions and cells, held against what all of the board's others let expect."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_medians
from detectors.queens.remainder.config import RegionsConfig
from detectors.queens.remainder.field import BoardResidual
from detectors.queens.remainder.plan import CloseBoard

_FEWEST = 4  # not a threshold: of fewer colours no change that all have in common is told


def faded_regions(now: NDArray[np.float32], before: NDArray[np.float32], config: RegionsConfig) -> tuple[int, ...]:
    """Regions, by position, that have faded into another one, though the others changed alike.

    A picture as a whole may be lighter or darker, paler or more vivid, and its hues may be turned: what all regions
    but one went through says what that one should look like.

    Parameters
    ----------
    now, before : ndarray of shape (regions, 3), float32
        Colours of candidate and puzzle, of `seen`.
    config : RegionsConfig
    """
    count = len(now)
    if count < _FEWEST:
        return ()
    expected, spread = np.zeros((count, 3)), np.zeros(count)
    for region in range(count):
        others = np.arange(count) != region
        expected[region], spread[region] = _expected(now[others], before[others], before[region])
    off = now - expected
    # If one is off, so are all others' expectations; the one without which the rest agree best is it.
    region = int(spread.argmin())
    distance = float(np.sqrt((off[region] ** 2).sum()))
    if distance <= max(config.shift, config.noisy * spread[region]):
        return ()
    ways = now - expected[region]
    ways[region] = 0.0
    lengths = np.sqrt((ways**2).sum(axis=1))
    ways, lengths = ways[lengths > config.shift], lengths[lengths > config.shift]
    if not len(ways):
        return ()
    along = (ways * off[region]).sum(axis=1) / lengths
    # Mostly towards another one, and a good part of the way.
    fits = (along > config.straight * distance) & (along > config.toward * lengths)
    return (region,) if fits.any() else ()


def _expected(
    now: NDArray[np.float32], before: NDArray[np.float32], own: NDArray[np.float32]
) -> tuple[NDArray[np.float64], float]:
    """What a colour has become, by what others became; and by how much those themselves are off, at the root of their
    mean square: lightness by a gain and an offset, hues turned, scaled and shifted together."""
    light = _fit(before[:, :1].astype(np.float64), now[:, 0].astype(np.float64))
    a, b = before[:, 1].astype(np.float64), before[:, 2].astype(np.float64)
    zero, one = np.zeros_like(a), np.ones_like(a)
    rows = np.concatenate([np.stack([a, -b, one, zero], axis=1), np.stack([b, a, zero, one], axis=1)])
    turn = _solve(rows, np.concatenate([now[:, 1], now[:, 2]]).astype(np.float64))
    told = np.stack(
        [light[0] + light[1] * before[:, 0], turn[0] * a - turn[1] * b + turn[2], turn[0] * b + turn[1] * a + turn[3]],
        axis=1,
    )
    spread = float(np.sqrt(((now - told) ** 2).sum(axis=1).mean()))
    expected = (
        light[0] + light[1] * own[0],
        turn[0] * own[1] - turn[1] * own[2] + turn[2],
        turn[0] * own[2] + turn[1] * own[1] + turn[3],
    )
    return np.array(expected, np.float64), spread


def _fit(before: NDArray[np.float64], now: NDArray[np.float64]) -> NDArray[np.float64]:
    """An offset and a gain; a gain of 1 where there is nothing to tell it by."""
    middle = float(before.mean())
    spread = float(((before - middle) ** 2).sum())
    # not a threshold: lightness that hardly varies gives no gain
    gain = float(((before[:, 0] - middle) * (now - now.mean())).sum() + 1e-3) / (spread + 1e-3)
    return np.array([float(now.mean()) - gain * middle, gain])


def _solve(rows: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    # Sums, not products of matrices: a BLAS may add in another order with another number of threads.
    # not a threshold: a millionth keeps a system solvable that has no answer
    system = (rows[:, :, None] * rows[:, None, :]).sum(axis=0) + 1e-6 * np.eye(rows.shape[1])
    return np.asarray(np.linalg.solve(system, (rows * values[:, None]).sum(axis=0)))


def painted_cells(residual: BoardResidual, plan: CloseBoard, config: RegionsConfig) -> tuple[int, ...]:
    """Cells, row * n + column, most of which have another colour than their region."""
    n = plan.board.n
    rows, columns = plan.bounds
    middles = np.zeros((n * n, 3))
    # not a threshold: every other pixel will do
    step = 2
    known = residual.usable & plan.inner
    for row in range(n):
        for column in range(n):
            window = (slice(rows[row], rows[row + 1], step), slice(columns[column], columns[column + 1], step))
            own = residual.values[window][known[window]]
            # not a threshold: of a cell that a queen hides nearly all of nothing is told
            if len(own) >= 0.2 * known[window].size:
                middles[row * n + column] = channel_medians(own)
    contrast = np.sqrt((middles**2).sum(axis=1))
    least = max(config.cell, config.times * min(float(np.median(contrast)), config.cell))
    return tuple(int(cell) for cell in np.flatnonzero(contrast > least))
