"""Where ways lead through a maze: across the borders of its cells, open or not, and from them to the cells' middles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.maze.plan.cell_maps import OUTSIDE


@dataclass(frozen=True)
class Lines:
    """Points that lie along lines.

    Attributes
    ----------
    points : (N, 2), row and column in working pixels
    normals : (N, 2), the unit vector across the line
    owner : (N,), which line each belongs to
    """

    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    owner: NDArray[np.intp]


@dataclass(frozen=True)
class Corridors:
    """The borders between cells, with the lines along them and across them.

    Attributes
    ----------
    pairs : (N, 2), positions in ``cell_ids`` of the cells on either side of each border between two cells
    along : points of the open ones, each border a line
    across : points on the straight lines from the middle of a border to those of its two cells, for all of them;
        the two lines of border i are 2 i and 2 i + 1
    """

    pairs: NDArray[np.intp]
    along: Lines
    across: Lines


def trace_corridors(
    borders: Sequence[tuple[int, int, bool, NDArray[np.intp], NDArray[np.float64]]],
    cell_ids: NDArray[np.int32],
    centers: NDArray[np.float64],
) -> Corridors:
    """Lays lines along and across the borders between cells.

    Parameters
    ----------
    borders : sequence of tuple
        Of each the two cells, whether it is open, its pixels (row, column) and the unit vectors across it.
    cell_ids : ndarray of shape (n,)
        The cells, ascending.
    centers : ndarray of shape (n, 2)
        Their middles (row, column).
    """
    pairs: list[tuple[int, int]] = []
    along: list[tuple[NDArray[np.float64], NDArray[np.float64], int]] = []
    across: list[tuple[NDArray[np.float64], NDArray[np.float64], int]] = []
    for first, second, is_open, pixels, normals in borders:
        if first == OUTSIDE:
            continue
        index = len(pairs)
        one, other = (int(place) for place in np.searchsorted(cell_ids, [first, second]))
        pairs.append((one, other))
        if is_open:
            along.append((pixels.astype(np.float64), normals, index))
        middle = pixels.mean(axis=0)
        for half, cell in enumerate((one, other)):
            way = centers[cell] - middle
            length = float(np.hypot(way[0], way[1]))
            # not a threshold: a point every two pixels
            steps = np.linspace(0.0, 1.0, max(2, round(length / 2.0)))
            normal = np.array([-way[1], way[0]]) / max(length, 1.0)
            across.append((middle + steps[:, None] * way, np.broadcast_to(normal, (len(steps), 2)), 2 * index + half))
    return Corridors(np.array(pairs, np.intp).reshape(-1, 2), _lines(along), _lines(across))


def _lines(parts: Sequence[tuple[NDArray[np.float64], NDArray[np.float64], int]]) -> Lines:
    if not parts:
        return Lines(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0, np.intp))
    owner = [np.full(len(points), index, np.intp) for points, _, index in parts]
    return Lines(
        np.concatenate([points for points, _, _ in parts]),
        np.concatenate([normals for _, normals, _ in parts]),
        np.concatenate(owner),
    )


def near_pairs(labels: NDArray[np.int32], reach: int) -> NDArray[np.intp]:
    """Pairs of labels of (h, w), lower one first, that come as near to each other as so many pixels."""
    found: list[NDArray[np.int64]] = []
    height, width = labels.shape
    most = int(labels.max()) + 1
    for down, right in ((0, reach), (reach, 0), (reach, reach), (reach, -reach)):
        one = labels[: height - down, max(0, -right) : width - max(0, right)]
        other = labels[down:, max(0, right) : width - max(0, -right)]
        apart = one != other
        low, high = np.minimum(one, other)[apart], np.maximum(one, other)[apart]
        found.append(np.unique(low.astype(np.int64) * most + high))
    return np.stack(np.divmod(np.unique(np.concatenate(found)), most), axis=1).astype(np.intp)
