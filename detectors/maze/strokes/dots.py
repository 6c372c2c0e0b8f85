"""Dotted lines: a row of discs, alike and close to each other, each of which belongs to the next."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial import cKDTree

from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.strokes.config import DotConfig
from detectors.maze.strokes.gaps import wall_between
from detectors.maze.strokes.segments import StrokeGraph


def is_dotted(graph: StrokeGraph, config: DotConfig) -> bool:
    """Whether nearly all that is drawn are discs of one size, each with another one near it."""
    count, piece = graph.pieces
    if not config.many <= count <= config.most:
        return False
    lengths = np.bincount(piece, minlength=count)
    widths = np.zeros(count)
    np.maximum.at(widths, piece, graph.half_widths)
    # The centreline of a disc is a pixel or two; of two that touch it is as long as one is wide.
    round_ones = lengths <= np.maximum(config.round * widths, 1.0)
    if np.count_nonzero(round_ones) < config.share * count:
        return False
    usual = widths[round_ones]
    if float(np.quantile(usual, 0.9)) > config.alike * float(np.quantile(usual, 0.1)):  # not a threshold: most of them
        return False
    if float(lengths[~round_ones].sum()) > config.solid * 2.0 * float(usual.sum()):
        return False
    middles = np.stack([np.bincount(piece, graph.pixels[:, axis], count) for axis in (0, 1)], axis=1) / lengths[:, None]
    nearest = cKDTree(middles).query(middles[round_ones], k=2)[0][:, 1]
    close = nearest <= 2.0 * (1.0 + config.gap) * float(np.median(usual))
    return float(close.mean()) >= config.share


def along_dots(graph: StrokeGraph, plan: Floorplan, config: DotConfig) -> NDArray[np.intp]:
    """Edges (n, 2) that make one line of dots: the shortest ones that join them all, none over a wide gap or a wall."""
    _, piece = graph.pieces
    reach = 2.0 * (1.0 + config.gap) * float(np.median(graph.half_widths)) + config.more_px
    pairs = cKDTree(graph.pixels).query_pairs(reach, output_type="ndarray")
    pairs = pairs[piece[pairs[:, 0]] != piece[pairs[:, 1]]]
    pairs = pairs[[not wall_between(graph.pixels[one], graph.pixels[other], plan) for one, other in pairs]]
    if not len(pairs):
        return np.zeros((0, 2), np.intp)
    apart = np.hypot(*(graph.pixels[pairs[:, 0]] - graph.pixels[pairs[:, 1]]).T)
    # Of each two pieces the pixels that are nearest.
    names = np.sort(piece[pairs], axis=1)
    order = np.lexsort((apart, names[:, 1], names[:, 0]))
    first = np.unique(names[order], axis=0, return_index=True)[1]
    chosen = order[first]
    one, other = names[chosen].T
    count = int(piece.max()) + 1
    tree = minimum_spanning_tree(csr_matrix((apart[chosen], (one, other)), shape=(count, count))).tocoo()
    kept = {(int(row), int(column)) for row, column in zip(tree.row, tree.col, strict=True)}
    return np.asarray(
        pairs[[at for at in chosen.tolist() if tuple(np.sort(piece[pairs[at]]).tolist()) in kept]], np.intp
    )
