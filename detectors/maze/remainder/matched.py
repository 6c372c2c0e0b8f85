"""Looks for what is left just where it would count: across the borders of cells, and along the ways between them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.plan.corridors import Lines
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.remainder.config import MatchedConfig
from detectors.maze.remainder.field import MazeResidual


@dataclass(frozen=True)
class BorderMatches:
    """What is left across each border between cells, or along the way through it; in the order of `Corridors.pairs`.

    Attributes
    ----------
    plainness : (N,), how many times as plain as what is just seen
    contrast : (N,), in OKLab with a and b doubled
    color : (N, 3), what is left
    """

    plainness: NDArray[np.float64]
    contrast: NDArray[np.float64]
    color: NDArray[np.float64]


def matched(
    residual: MazeResidual,
    plan: Floorplan,
    scale_px: float,
    lined: NDArray[np.bool_],
    beside_line: float,
    config: MatchedConfig,
) -> BorderMatches:
    """Averages what is left over bars across borders, and over ways from cell to cell, less what lies beside them.

    A bar or a way as wide as a corridor is some hundred pixels, over which noise averages out; so it is seen at a
    contrast at which a single pixel says nothing.

    Parameters
    ----------
    residual : MazeResidual
    plan : Floorplan
    scale_px : float
        The length by which bars are narrow or wide, in working pixels: that of a cell, or of a part of a large one.
    lined : ndarray of shape (len(plan.cell_ids),), bool
        The cells through which the line leads...
    beside_line : float
        ...and where something has to be up to so many times as plain, if noise is there.
    config : MatchedConfig
    """
    corridors = plan.corridors
    count = len(corridors.pairs)
    side = max(3, round(config.smooth * scale_px)) | 1  # not a threshold: a pixel's neighbours
    stacked = np.dstack([residual.values, residual.usable.astype(np.float32)])
    total = cv2.boxFilter(stacked, -1, (side, side), normalize=False, borderType=cv2.BORDER_CONSTANT)
    sums = np.asarray(total, np.float32)
    contrast, plainness, color = np.zeros(count), np.zeros(count), np.zeros((count, 3))
    for lines, halves in ((corridors.along, 1), (corridors.across, 2)):
        own, shown, known = _beside_flanks(sums, lines, halves * count, side, config.flank * scale_px)
        # What lies to the side only is none of the bar's, though it makes the bar differ from it.
        lesser = np.sqrt(np.minimum((own**2).sum(axis=1), (shown**2).sum(axis=1)))
        # A mark in a cell's middle lies on all ways that end there; a way shows on both sides of its border.
        strength = np.where(known, lesser, 0.0).reshape(count, halves).min(axis=1)
        looked = known.reshape(count, halves).all(axis=1)
        usual = float(np.median(strength[looked])) if looked.any() else 0.0
        # What is everywhere may be noise only as far as the floor itself is noisy.
        least = np.full(count, max(config.visible, config.times * min(usual, residual.ground.noise)))
        beside = looked & lined[corridors.pairs].all(axis=1)
        if beside.any():
            noise = config.times * float(np.median(strength[beside]))
            least[beside] = np.clip(noise, least[beside], beside_line * least[beside])
        better = strength / least > plainness
        plainness = np.where(better, strength / least, plainness)
        contrast = np.where(better, strength, contrast)
        color[better] = own.reshape(count, halves, 3).mean(axis=1)[better]
        if halves == 1:
            alike = _alike(shown, known, config)
            better = alike > plainness
            plainness = np.where(better, alike, plainness)
            contrast = np.where(better, strength, contrast)
            color[better] = shown[better]
    return BorderMatches(plainness, contrast, color)


def _alike(shown: NDArray[np.float64], known: NDArray[np.bool_], config: MatchedConfig) -> NDArray[np.float64]:
    """How plain bars are that lie alike across most passages: each may be as faint as noise, which is not alike."""
    plain = np.zeros(len(shown))
    if np.count_nonzero(known) < config.fewest:
        return plain
    usual = np.median(shown[known], axis=0)
    length = float(np.sqrt((usual**2).sum()))
    along = (shown * usual).sum(axis=1) / max(length, 1e-9)  # not a threshold: against a division by 0
    deviation = float(np.median(np.abs(along[known] - length)))
    least = max(config.alike, config.sure * deviation / float(np.sqrt(np.count_nonzero(known))))
    # not a threshold: half of the usual one is nearer to it than to nothing
    plain[known & (along >= 0.5 * length)] = length / least
    return plain


def _beside_flanks(
    sums: NDArray[np.float32], lines: Lines, count: int, side: int, flank: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """The mean along each line, the same less what lies to both sides of it, and whether enough of them is in sight."""
    own, known = _average(sums, lines, 0.0, count, side)
    shown = own
    for by in (-flank, flank):
        beside, there = _average(sums, lines, by, count, side)
        shown, known = shown - 0.5 * beside, known & there
    return own, shown, known


def _average(
    sums: NDArray[np.float32], lines: Lines, by: float, count: int, side: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The mean of what is left along each line, moved to one side, and whether enough of it is in sight."""
    at = lines.points + by * lines.normals
    rows = np.clip(np.rint(at[:, 0]).astype(np.intp), 0, sums.shape[0] - 1)
    columns = np.clip(np.rint(at[:, 1]).astype(np.intp), 0, sums.shape[1] - 1)
    values = sums[rows, columns].astype(np.float64)
    totals = np.stack(
        [np.bincount(lines.owner, weights=values[:, axis], minlength=count) for axis in range(values.shape[1])], axis=1
    )
    points = np.bincount(lines.owner, minlength=count)
    shown = np.bincount(lines.owner, weights=values[:, 3] >= 0.5 * side**2, minlength=count)
    known = (points > 0) & (shown >= 0.5 * points)
    return totals[:, :3] / np.maximum(totals[:, 3:], 1.0), known
