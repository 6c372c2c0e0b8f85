"""Corridors of a floor without cells that a candidate closes, wherever: cells are closed at their borders only."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.plan.floorplan import Floorplan


def closed_pieces(barrier: NDArray[np.bool_], plan: Floorplan) -> tuple[tuple[int, int], ...]:
    """Passages at or beside which something closes a corridor, as pairs of pieces.

    Parameters
    ----------
    barrier : ndarray of shape (h, w), bool
        What nobody passes, in the candidate.
    plan : Floorplan
        Of the puzzle; with `pieces`.
    """
    if plan.pieces is None:
        return ()
    floor = ~(plan.walls | plan.outside)
    if not (barrier & floor).any():
        return ()
    least = plan.pieces.cut_px**2
    # What is no wider than a few pixels closes nothing, as the edge of a wall that is blurred.
    reach = 2 * plan.pieces.thin_px + 1
    left = cv2.dilate((floor & ~barrier).astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0
    # What closes a corridor is as long as that is wide; in most pictures there is nothing.
    if np.count_nonzero(floor & ~left) < plan.pieces.shut_px:
        return ()
    before, now = _large(floor, least), _large(left & floor, least)
    if now[0] <= before[0]:
        return ()
    # The largest part is the maze; what else there is was cut off.
    sizes = np.bincount(now[1].ravel())
    sizes[0] = 0
    cut = (now[1] > 0) & (now[1] != int(sizes.argmax()))
    counts = np.bincount(plan.compact_labels[cut], minlength=len(plan.cell_ids))
    whole = np.bincount(plan.compact_labels[floor], minlength=len(plan.cell_ids))
    touched = set(plan.cell_ids[(counts > 0) & (counts < whole)].tolist())
    off = set(plan.cell_ids[counts > 0].tolist())
    pairs = {pair for pair in plan.passages if len(off & set(pair)) == 1}
    pairs |= {next(pair for pair in sorted(plan.passages) if cell in pair) for cell in touched if _has(plan, cell)}
    return tuple(sorted(pairs))


def _has(plan: Floorplan, cell: int) -> bool:
    return any(cell in pair for pair in plan.passages)


def _large(mask: NDArray[np.bool_], least: float) -> tuple[int, NDArray[np.int32]]:
    """How many parts of a mask are no smaller than that, and those parts, numbered."""
    # not a threshold: nobody passes diagonally
    count, parts, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    small = stats[:, cv2.CC_STAT_AREA] < least
    small[0] = True
    return count - int(np.count_nonzero(small)), np.asarray(np.where(small[parts], 0, parts), np.int32)
