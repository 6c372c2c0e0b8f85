"""Gaps in the border of a lot: along each side the line has to differ from what lies outside of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import seen
from detectors.rush_hour.config.border import SideGapConfig
from detectors.rush_hour.findings import Flags, Floats
from detectors.rush_hour.place import Picture
from detectors.rush_hour.view import CameraView
from puzzles.rush_hour.lot import Lot, Side


def has_gap(picture: Picture, view: CameraView, lot: Lot, config: SideGapConfig) -> bool:
    """Whether a piece of a lot's border is gone in a small picture.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
    view : CameraView
        Where the lot is in it.
    lot : Lot
    config : SideGapConfig

    Returns
    -------
    bool
        False also where what lies outside of the lot is not in the picture, or no border is seen.
    """
    lab = seen(picture)
    sides = [_contrast(lab, view, lot, side, config) for side in Side]
    known = np.concatenate([one[np.isfinite(one)] for one in sides])
    usual = float(np.median(known)) if known.size else 0.0
    if usual < config.visible:
        return False
    # What is not known parts two pieces.
    runs = [_longest(np.nan_to_num(one, nan=np.inf) < config.faded * usual) for one in sides]
    return max(runs) * config.step >= config.gap


def _contrast(
    lab: NDArray[np.float32], view: CameraView, lot: Lot, side: Side, config: SideGapConfig
) -> NDArray[np.float64]:
    """(n,) at places along a side by how much the border differs from what lies outside; NaN where that is not told."""
    upright = side in (Side.LEFT, Side.RIGHT)
    length, depth = (lot.height, lot.width) if upright else (lot.width, lot.height)
    along = np.arange(config.corner, length - config.corner, config.step)
    inwards = 1.0 if side in (Side.LEFT, Side.BOTTOM) else -1.0
    at = 0.0 if inwards > 0 else depth
    steps = np.arange(-config.near, config.near, 0.5 / view.unit)  # not a threshold: half a pixel
    across = at + inwards * np.concatenate([[-config.outside], steps])
    first, second = np.broadcast_arrays(along[:, None], across[None, :])
    spots = view.to_small(np.stack((second, first) if upright else (first, second), axis=-1))
    columns, rows = np.rint(spots[..., 0]).astype(np.intp), np.rint(spots[..., 1]).astype(np.intp)
    inside = (rows >= 0) & (rows < lab.shape[0]) & (columns >= 0) & (columns < lab.shape[1])
    colors = lab[np.clip(rows, 0, lab.shape[0] - 1), np.clip(columns, 0, lab.shape[1] - 1)]
    found: Floats = np.sqrt(((colors[:, 1:] - colors[:, :1]) ** 2).sum(axis=2)).max(axis=1).astype(np.float64)
    found[~inside.all(axis=1)] = np.nan
    for opening in lot.exits:
        if opening.side is side:
            found[(along > opening.start - config.exit) & (along < opening.end + config.exit)] = np.nan
    return found


def _longest(gone: Flags) -> int:
    """The longest run of what is gone."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], gone.view(np.int8), [0]])))
    return int((edges[1::2] - edges[::2]).max(initial=0))
