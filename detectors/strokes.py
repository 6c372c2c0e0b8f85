"""From a mask of ink to its centrelines: a graph of skeleton pixels, cut into segments that each lie in one cell."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components, dijkstra
from skimage.morphology import skeletonize


@dataclass(frozen=True)
class StrokeGraph:
    """Centrelines of strokes.

    Attributes
    ----------
    pixels : (N, 2) intp, row and column of each skeleton pixel
    edges : (E, 2) intp, pairs of pixels (positions in ``pixels``) that touch, each once
    half_widths : (N,) float32, distance in pixels from each skeleton pixel to the edge of its stroke
    """

    pixels: NDArray[np.intp]
    edges: NDArray[np.intp]
    half_widths: NDArray[np.float32]

    @property
    def ends(self) -> NDArray[np.intp]:
        """Positions of pixels where a stroke ends: those with at most one neighbour."""
        degree = np.bincount(self.edges.ravel(), minlength=len(self.pixels))
        return np.flatnonzero(degree <= 1)

    def components(self, edges: NDArray[np.intp] | None = None) -> tuple[int, NDArray[np.int32]]:
        """Number of connected pieces, and for each pixel which it belongs to; by all edges or by the given ones."""
        chosen = self.edges if edges is None else edges
        count = len(self.pixels)
        if not count:
            return 0, np.zeros(0, np.int32)
        graph = coo_matrix((np.ones(len(chosen), np.int8), (chosen[:, 0], chosen[:, 1])), shape=(count, count))
        pieces, labels = connected_components(graph, directed=False)
        return int(pieces), labels.astype(np.int32)

    def with_edges(self, more: NDArray[np.intp]) -> StrokeGraph:
        """The same pixels with further edges."""
        if not len(more):
            return self
        return StrokeGraph(self.pixels, np.concatenate([self.edges, more]), self.half_widths)

    def with_pixel(self, pixel: NDArray[np.intp], beside: int) -> StrokeGraph:
        """The same graph with one more pixel, joined to one that it has."""
        edge = np.array([[beside, len(self.pixels)]], np.intp)
        widths = np.append(self.half_widths, self.half_widths[beside])
        return StrokeGraph(np.vstack([self.pixels, pixel[None]]), np.vstack([self.edges, edge]), widths)

    def route(self, source: int, target: int | None) -> NDArray[np.intp]:
        """Positions of pixels from one to another along the strokes, or to the farthest one where none is given."""
        count = len(self.pixels)
        steps = self.pixels[self.edges[:, 0]] - self.pixels[self.edges[:, 1]]
        lengths = np.hypot(steps[:, 0], steps[:, 1])
        graph = coo_matrix((lengths, (self.edges[:, 0], self.edges[:, 1])), shape=(count, count)).tocsr()
        distances, before = dijkstra(graph, directed=False, indices=source, return_predecessors=True)
        if target is None:
            reachable = np.where(np.isfinite(distances), distances, -1.0)
            target = int(reachable.argmax())
        if not np.isfinite(distances[target]):
            return np.array([source], np.intp)
        route = [target]
        while route[-1] != source:
            route.append(int(before[route[-1]]))
        return np.array(route[::-1], np.intp)


def trace_strokes(mask: NDArray[np.bool_]) -> StrokeGraph:
    """Thins a mask to its centrelines.

    Parameters
    ----------
    mask : ndarray of shape (H, W), bool

    Returns
    -------
    StrokeGraph
    """
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return StrokeGraph(np.zeros((0, 2), np.intp), np.zeros((0, 2), np.intp), np.zeros(0, np.float32))
    # Only the box around the ink is thinned. It keeps a margin, without which the picture's edge would count as ink's.
    top, left = int(rows[0]), int(columns[0])
    box = np.pad(mask[top : rows[-1] + 1, left : columns[-1] + 1], 1)
    thin: NDArray[np.bool_] = skeletonize(box)  # type: ignore[no-untyped-call]
    distance = cv2.distanceTransform(box.astype(np.uint8), cv2.DIST_L2, 5)
    row, column = np.nonzero(thin)
    position = np.full(box.shape, -1, np.intp)
    position[row, column] = np.arange(row.size)
    pairs: list[NDArray[np.intp]] = []
    for row_step, column_step in ((0, 1), (1, 0), (1, 1), (1, -1)):
        other = position[row + row_step, column + column_step]
        found = other >= 0
        if row_step and column_step:
            # A diagonal is left out where a straight way around exists, so that corners make no loops.
            around = (position[row + row_step, column] >= 0) | (position[row, column + column_step] >= 0)
            found &= ~around
        pairs.append(np.stack([np.flatnonzero(found), other[found]], axis=1))
    pixels = np.stack([row + top - 1, column + left - 1], axis=1)
    return StrokeGraph(pixels, np.concatenate(pairs), distance[row, column].astype(np.float32))
