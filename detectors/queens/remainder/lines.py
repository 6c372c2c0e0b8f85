"""Grid lines: where they are gone or have faded, and where something lies on them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.queens.remainder.config import GridConfig
from detectors.queens.remainder.plan import (
    CloseBoard,
    LineDarkness,
    Ridges,
    integral,
    line_darkness,
    line_ridges,
    strip_sums,
)

Border = tuple[int, int]
_AROUND = ((0, 0), (0, 1), (1, 0), (1, 1))
_LEAST = 0.01  # not a threshold: against a division by 0, and for what sums of floats leave
_DRAWN = 0.02  # not a threshold: a line of less darkness was not drawn
_MOST = 0.75  # not a threshold: the quartile of lines that are left best
_TOLD = 0.3  # not a threshold: of a line of which less is in sight nothing is told
_MOVED_PX = 1.0  # not a threshold: what lies off by less mixes in anyway


@dataclass(frozen=True)
class GridLeft:
    """What a candidate's grid lines say.

    Attributes
    ----------
    gone : length of inner lines that is gone or has faded, as a share of all of it
    gone_cells : the same in lengths of a cell
    broken : pairs of cells, row * n + column, between which a part of the line is gone
    marked : cells beside lines on which something lies
    """

    gone: float
    gone_cells: float
    broken: tuple[Border, ...]
    marked: tuple[int, ...]


@dataclass(frozen=True)
class _Lines:
    """All lines in one direction: darkness (lines, length) of candidate and puzzle, and where it is in sight."""

    now: NDArray[np.float32]
    before: NDArray[np.float32]
    known: NDArray[np.bool_]
    cells: NDArray[np.intp]


def grid_left(
    deeper: NDArray[np.float32],
    clear: NDArray[np.bool_],
    sight: NDArray[np.bool_],
    black: tuple[float, float],
    plan: CloseBoard,
    config: GridConfig,
) -> GridLeft:
    """Holds the grid lines of a candidate against the puzzle's.

    A line's darkness is summed across it, so that neither blur nor a displacement by some pixels matters. Where a queen
    comes too close for that, it is looked at whether there is a line at all.

    Parameters
    ----------
    deeper : ndarray of shape (h, w), float32
        How far each pixel is on the way from its cell's lightness to a line's.
    clear : ndarray of shape (h, w), bool
        Where neither a queen nor its shadow lies, and the candidate has pixels.
    sight : ndarray of shape (h, w), bool
        Where no queen, nor anything around her that covers, lies; a line shows through a shadow.
    black : tuple of float
        Lightness of queens, and of their cells: in a pale picture lines are pale too.
    plan : CloseBoard
        Of the puzzle.
    config : GridConfig
    """
    n, cell = plan.board.n, plan.cell_px
    now, before = line_darkness(deeper, plan), plan.darkness
    hidden = strip_sums(integral((~clear).view(np.uint8)), plan, plan.strip[1])
    directions = (
        _lines(now.down.T, before.down.T, hidden.down.T, plan.bounds[0], cell, config),
        _lines(now.across, before.across, hidden.across, plan.bounds[1], cell, config),
    )
    contrast = float(np.median(plan.colors[:, 0]) - plan.line_color[0])
    pale = min(1.0, max(0.0, black[1] - black[0]) / max(contrast, _LEAST))
    held = [_held(lines, n) for lines in directions]
    if any(one.left < config.least_left * pale for one in held):
        return GridLeft(1.0, float(2 * n * (n - 1)), (), ())
    crossed = _crossed(now, before, hidden, float(np.mean([one.left for one in held])), plan, config)
    marked = {int((row + by) * n + column + aside) for row, column in np.argwhere(crossed) for by, aside in _AROUND}
    broken: list[Border] = []
    gone = 0.0
    ridges = zip(line_ridges(deeper, sight, plan), plan.ridges, plan.bounds, strict=True)
    close = [_ridge_lines(ridge, own, bounds, cell, config) for ridge, own, bounds in ridges]
    for down, lines, near, one in zip((True, False), directions, close, held, strict=True):
        lost, over = _off(lines, one, cell, config)
        lost |= ~lines.known & _gone_beside(near, n, config)
        covered = _segments(lines, over)
        marked.update(cell for line, along in covered for cell in _beside(line, along, down, n))
        for line, along in covered | _touching(crossed if down else crossed.T):
            # Where something lies on a line it is covered, not gone.
            lost[line, lines.cells[line] == along] = False
        gone += float(np.count_nonzero(lost)) / ((1.0 - 2.0 * config.crossing) * cell)
        broken += [_beside(line, along, down, n) for line, along in _segments(lines, lost)]
    total = float(2 * n * (n - 1))
    return GridLeft(min(1.0, gone / total), gone, tuple(sorted(broken)), tuple(sorted(marked)))


@dataclass(frozen=True)
class _Held:
    """Lines in one direction held against the puzzle's: what is left of them as a whole, and along each cell.

    ``spread`` is how much that differs between lines of which most is left.
    """

    left: float
    middle: NDArray[np.float64]
    own: NDArray[np.float64]
    spread: float


def _held(lines: _Lines, n: int) -> _Held:
    middle, own = _middles(lines, n)
    share = (middle / np.maximum(own, _LEAST))[(own > _DRAWN) & np.isfinite(middle)]
    if not share.size:
        return _Held(1.0, middle, np.zeros_like(own), 0.0)
    # All lines may have faded a little; where some have and others have not, those others tell.
    left = float(np.quantile(share, _MOST))
    return _Held(left, middle, own, float(np.median(np.abs(share[share >= np.median(share)] - left) * np.median(own))))


def _off(lines: _Lines, held: _Held, cell: float, config: GridConfig) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where lines (lines, length) are gone or have faded, and where something lies on them."""
    along = np.maximum(lines.cells, 0)
    middle = np.take_along_axis(held.middle, along, axis=1)
    expected = held.left * np.take_along_axis(held.own, along, axis=1)
    known = lines.known & np.isfinite(middle) & (expected > _DRAWN)
    off = np.where(known, lines.now - middle, 0.0)
    noise = config.noisy * (float(np.median(np.abs(off[known]))) if known.any() else 0.0)
    spread = config.noisy * held.spread
    lost = known & (lines.now < config.gone * expected) & (expected - lines.now > noise)
    # The middle of a whole line has little noise, and where half of all lines have faded they differ much.
    faded = known & (middle < config.faded * expected)
    if faded.any():
        lost |= faded & ~_drawn_thinner(lines, held, config)
    thick = max(config.thicker_px, config.thicker * cell) * held.left
    usual = float(np.median((middle - expected)[known])) if known.any() else 0.0
    over = known & ((off > max(thick, noise)) | (middle - expected - usual > max(thick, spread)))
    return lost, over


def _drawn_thinner(lines: _Lines, held: _Held, config: GridConfig) -> NDArray[np.bool_]:
    """(lines, length), stretches that are as dark as their line as a whole, which has not faded."""
    share = np.where(held.own > _DRAWN, held.middle / np.maximum(held.own, _LEAST), np.nan)
    whole = np.array([np.median(one[np.isfinite(one)]) if np.isfinite(one).any() else 0.0 for one in share])[:, None]
    thinner = (whole >= config.thinned * held.left) & (np.nan_to_num(share) >= config.alike * whole)
    return np.asarray(np.take_along_axis(thinner, np.maximum(lines.cells, 0), axis=1), np.bool_)


def _gone_beside(lines: _Lines, n: int, config: GridConfig) -> NDArray[np.bool_]:
    """Where there is no line beside a queen, (lines, length), though a good part of that side of a cell is in sight."""
    held = _held(lines, n)
    along = np.maximum(lines.cells, 0)
    expected = held.left * np.take_along_axis(held.own, along, axis=1)
    middle = np.take_along_axis(held.middle, along, axis=1)
    known = lines.known & np.isfinite(middle) & (expected > _DRAWN)
    off = np.abs(lines.now - middle)[known]
    noise = config.noisy * (float(np.median(off)) if off.size else 0.0)
    return known & (lines.now < config.gone_beside * expected) & (expected - lines.now > noise)


def _segments(lines: _Lines, where: NDArray[np.bool_]) -> set[tuple[int, int]]:
    """Lines, and cells along them, with a place that is marked."""
    return {(int(line), int(lines.cells[line, place])) for line, place in np.argwhere(where)}


def _touching(crossed: NDArray[np.bool_]) -> set[tuple[int, int]]:
    """Lines, and cells along them, that end at crossings (along, line) which are marked."""
    return {(int(line), int(at + by)) for at, line in np.argwhere(crossed) for by in (0, 1)}


def displaced_lines(deeper: NDArray[np.float32], reach: float, plan: CloseBoard) -> NDArray[np.bool_] | None:
    """(h, w) bool, what lines cover that lie beside their places, as a bent picture has them; None where none does.

    A line's place is the middle of what is dark in the strip along it.
    """
    found: NDArray[np.bool_] | None = None
    far = plan.strip[0]
    steps = np.arange(-far, far + 1, dtype=np.float32)
    side = max(3, round(plan.grid.smooth * plan.cell_px)) | 1
    for down in (True, False):
        dark = np.clip(deeper if down else deeper.T, 0.0, None)
        own = plan.darkness.down if down else plan.darkness.across.T
        for line, at in enumerate(plan.bounds[1 if down else 0][1:-1].tolist()):
            strip = dark[:, at - far : at + far + 1]
            if strip.shape[1] != steps.size:
                continue
            total = cv2.blur(np.ascontiguousarray(strip.sum(axis=1)[:, None]), (1, side))[:, 0]
            middle = cv2.blur(np.ascontiguousarray((strip * steps).sum(axis=1)[:, None]), (1, side))[:, 0]
            # not a threshold: half of a line tells where it is
            middle = np.where(total > 0.5 * own[:, line], middle / np.maximum(total, _LEAST), 0.0)
            usual = float(np.median(middle))
            if np.abs(middle - usual).max() < _MOVED_PX and abs(usual) < 2.0 * _MOVED_PX:
                continue
            if found is None:
                found = np.zeros(deeper.shape, np.bool_)
            zone = np.abs(steps)[None, :] <= (np.abs(middle) + reach)[:, None]
            (found if down else found.T)[:, at - far : at + far + 1] |= zone
    return found


def _lines(
    now: NDArray[np.float32],
    before: NDArray[np.float32],
    hidden: NDArray[np.float32],
    bounds: NDArray[np.intp],
    cell: float,
    config: GridConfig,
) -> _Lines:
    """Smooths along lines, and says which cell each place is beside, -1 near crossings."""
    length = now.shape[1]
    side = max(3, round(config.smooth * cell)) | 1
    places = np.arange(length)
    cells = np.clip(np.searchsorted(bounds, places, side="right") - 1, 0, len(bounds) - 2)
    into = np.minimum(places - bounds[cells], bounds[cells + 1] - 1 - places)
    cells = np.where(into >= config.crossing * cell, cells, -1)
    size = (side, 1)
    smooth = [np.asarray(cv2.blur(np.ascontiguousarray(one), size), np.float32) for one in (now, before)]
    known = (cells >= 0)[None, :] & (cv2.blur(np.ascontiguousarray(np.abs(hidden)), size) < _LEAST)
    return _Lines(smooth[0], smooth[1], np.asarray(known, np.bool_), np.broadcast_to(cells, now.shape).astype(np.intp))


def _ridge_lines(now: Ridges, before: Ridges, bounds: NDArray[np.intp], cell: float, config: GridConfig) -> _Lines:
    return _lines(now.darkness, before.darkness, (~now.seen).astype(np.float32), bounds, cell, config)


def _middles(lines: _Lines, n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(lines, n), the middle darkness of each line along each cell: of the candidate (NaN where hidden), the puzzle."""
    now, before = np.full((len(lines.now), n), np.nan), np.zeros((len(lines.now), n))
    for along in range(n):
        at = np.flatnonzero(lines.cells[0] == along)
        before[:, along] = np.median(lines.before[:, at], axis=1)
        own, known = lines.now[:, at], lines.known[:, at]
        sight = np.count_nonzero(known, axis=1)
        whole = sight == at.size
        # Most lines are in sight all along a cell: of them all at once.
        now[whole, along] = np.median(own[whole], axis=1)
        for line in np.flatnonzero(~whole & (sight >= _TOLD * at.size)).tolist():
            now[line, along] = np.median(own[line, known[line]])
    return now, before


def _beside(line: int, along: int, down: bool, n: int) -> Border:
    """The two cells on either side of a line."""
    return (along * n + line, along * n + line + 1) if down else (line * n + along, (line + 1) * n + along)


def _crossed(
    now: LineDarkness,
    before: LineDarkness,
    hidden: LineDarkness,
    left: float,
    plan: CloseBoard,
    config: GridConfig,
) -> NDArray[np.bool_]:
    """(n - 1, n - 1), crossings on which something dark lies."""
    known = np.abs(hidden.crossings) < _LEAST
    off = now.crossings - left * before.crossings
    if not known.any():
        return known
    least = (config.crossed * plan.cell_px) ** 2 * left
    # What all have alike is a matter of how lines are drawn, but only up to a part of what would be seen.
    usual = min(float(np.median(off[known])), 0.5 * least)
    spread = float(np.median(np.abs(off[known] - np.median(off[known]))))
    return np.asarray(known & (off - usual > max(least, config.noisy * spread)), np.bool_)
