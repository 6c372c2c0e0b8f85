"""From a mask of ink to its centrelines: a graph of skeleton pixels, cut into segments that each lie in one cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components, dijkstra
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

    @cached_property
    def ends(self) -> NDArray[np.intp]:
        """Positions of pixels where a stroke ends: those with at most one neighbour."""
        degree = np.bincount(self.edges.ravel(), minlength=len(self.pixels))
        return np.flatnonzero(degree <= 1)

    @cached_property
    def pieces(self) -> tuple[int, NDArray[np.int32]]:
        """Number of connected pieces, and for each pixel which it belongs to."""
        return self.pieces_by(self.edges)

    def pieces_by(self, edges: NDArray[np.intp]) -> tuple[int, NDArray[np.int32]]:
        """The same by some of the edges only."""
        if not len(self.pixels):
            return 0, np.zeros(0, np.int32)
        adjacency = self._adjacency if edges is self.edges else self._graph(edges)
        count, labels = connected_components(adjacency, directed=False)
        return int(count), labels.astype(np.int32)

    def distances_from(self, places: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """How far each pixel is along the strokes from some, infinite where it is apart, and from which of them."""
        step = self.pixels[self.edges[:, 0]] - self.pixels[self.edges[:, 1]]
        lengths = np.sqrt((step**2).sum(axis=1))
        source, target = self.edges.T
        count = len(self.pixels)
        graph = csr_matrix((lengths, (source, target)), shape=(count, count))
        found = dijkstra(graph, directed=False, indices=places, min_only=True, return_predecessors=True)
        return found[0], found[2]

    @cached_property
    def _adjacency(self) -> csr_matrix:
        return self._graph(self.edges)

    def _graph(self, edges: NDArray[np.intp]) -> csr_matrix:
        """Each edge in both directions, as the rows of a sparse matrix."""
        count = len(self.pixels)
        source = np.concatenate([edges[:, 0], edges[:, 1]]).astype(np.int32)
        target = np.concatenate([edges[:, 1], edges[:, 0]]).astype(np.int32)
        order = np.argsort(source, kind="stable")
        starts = np.zeros(count + 1, np.int32)
        np.cumsum(np.bincount(source, minlength=count), out=starts[1:])
        return csr_matrix((np.ones(len(order), np.float64), target[order], starts), shape=(count, count))

    @cached_property
    def length(self) -> float:
        """Length of all centrelines in pixels: a straight step is 1 long, a diagonal one the root of 2."""
        step = self.pixels[self.edges[:, 0]] - self.pixels[self.edges[:, 1]]
        return float(np.sqrt((step**2).sum(axis=1)).sum())

    def with_edges(self, more: NDArray[np.intp]) -> StrokeGraph:
        """The same pixels with further edges."""
        if not len(more):
            return self
        return StrokeGraph(self.pixels, np.concatenate([self.edges, more]), self.half_widths)

    def with_lines(self, pairs: NDArray[np.intp]) -> StrokeGraph:
        """The same graph with straight lines of pixels between pairs of its own."""
        pixels, edges, widths = [self.pixels], [self.edges], [self.half_widths]
        count = len(self.pixels)
        for one, other in np.unique(np.sort(pairs, axis=1), axis=0).tolist():
            steps = int(np.abs(self.pixels[other] - self.pixels[one]).max())
            line = np.linspace(self.pixels[one], self.pixels[other], steps + 1).round().astype(np.intp)[1:-1]
            chain = np.array([one, *range(count, count + len(line)), other], np.intp)
            pixels.append(line)
            edges.append(np.stack([chain[:-1], chain[1:]], axis=1))
            widths.append(np.full(len(line), min(self.half_widths[one], self.half_widths[other]), np.float32))
            count += len(line)
        return StrokeGraph(np.concatenate(pixels), np.concatenate(edges), np.concatenate(widths))

    def with_pixel(self, pixel: NDArray[np.intp], beside: int) -> StrokeGraph:
        """The same graph with one more pixel, joined to one that it has."""
        edge = np.array([[beside, len(self.pixels)]], np.intp)
        widths = np.append(self.half_widths, self.half_widths[beside])
        return StrokeGraph(np.vstack([self.pixels, pixel[None]]), np.vstack([self.edges, edge]), widths)

    def route(self, source: int, target: int | None) -> NDArray[np.intp]:
        """Positions of pixels from one to another along the strokes, or to the farthest one where none is given."""
        order, before = breadth_first_order(self._adjacency, source, directed=True)
        if target is None:
            target = int(order[-1])
        parents = before.tolist()
        route = [target]
        while route[-1] != source:
            previous = parents[route[-1]]
            if previous < 0:
                return np.array([source], np.intp)
            route.append(previous)
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
    ink = mask[top : rows[-1] + 1, left : columns[-1] + 1].astype(np.uint8)
    box = cv2.copyMakeBorder(ink, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    thin: NDArray[np.bool_] = skeletonize(box.view(np.bool_))  # type: ignore[no-untyped-call]
    distance = cv2.distanceTransform(box, cv2.DIST_L2, 5).ravel()  # not a threshold: the side of OpenCV's larger mask
    width = box.shape[1]
    at = np.flatnonzero(thin)
    position = np.full(box.size, -1, np.int32)
    position[at] = np.arange(at.size, dtype=np.int32)
    pairs: list[NDArray[np.intp]] = []
    for row_step, column_step in ((0, 1), (1, 0), (1, 1), (1, -1)):
        other = position[at + row_step * width + column_step]
        found = other >= 0
        if row_step and column_step:
            # A diagonal is left out where a straight way around exists, so that corners make no loops.
            found &= (position[at + width] < 0) & (position[at + column_step] < 0)
        pairs.append(np.stack([np.flatnonzero(found), other[found]], axis=1))
    row, column = np.divmod(at, width)
    pixels = np.stack([row + top - 1, column + left - 1], axis=1)
    return StrokeGraph(pixels, np.concatenate(pairs), distance[at].astype(np.float32))


def median_along(values: NDArray[np.float32], graph: StrokeGraph) -> float:
    """The median of an (H, W) array along centrelines; 0 where there are none."""
    return float(np.median(values[graph.pixels[:, 0], graph.pixels[:, 1]])) if len(graph.pixels) else 0.0
