"""Gaps in strokes that nobody would call a gap: dashes, what a marker hides, a wall that was drawn over a stroke."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from detectors.cell_maps import OUTSIDE
from detectors.floorplan import Floorplan, Marker
from detectors.path_config import PathConfig
from detectors.stroke_network import distance_to
from detectors.strokes import StrokeGraph, median_along


def lead_under_markers(
    graph: StrokeGraph,
    strokes: NDArray[np.bool_],
    ink: NDArray[np.bool_],
    strength: NDArray[np.float32],
    plan: Floorplan,
) -> StrokeGraph:
    """Leads centrelines on to ink that shows at a marker's rim, in its cell: the rest of the stroke lies beneath it."""
    if not len(graph.pixels):
        return graph
    # Smears are paler than the stroke that they come from.
    plain = 0.3 * median_along(strength, graph)
    margin = 4
    for marker in plan.markers:
        rows, columns = marker.box
        window = (
            slice(max(0, rows.start - margin), rows.stop + margin),
            slice(max(0, columns.start - margin), columns.stop + margin),
        )
        # Between the arms of a cross no more than a speck of the stroke may show.
        shown = strokes[window] | (ink[window] & (strength[window] >= plain))
        at_rim = plan.marker_rims[window] & shown
        at_rim &= (plan.labels[window] == marker.cell) & (plan.depth[window] > 0.5 * plan.wall_px)
        pixels = np.argwhere(at_rim) + np.array([window[0].start, window[1].start])
        pixels = pixels[distance_to(marker, pixels) <= 2.0] if len(pixels) else pixels
        if not len(pixels):
            continue
        tip = pixels[int(plan.depth[pixels[:, 0], pixels[:, 1]].argmax())]
        offset = graph.pixels - tip
        distance = np.hypot(offset[:, 0], offset[:, 1])
        nearest = int(distance.argmin())
        # What hides the stroke between is the marker, and no more than that.
        if distance[nearest] <= 0.75 * max(marker.mask.shape):
            graph = graph.with_pixel(tip, nearest)
    return graph


def lead_onto_marker(
    graph: StrokeGraph, marker: Marker, dashed: bool, plan: Floorplan, config: PathConfig
) -> StrokeGraph:
    """Leads a stroke that runs into a marker already in the cell before on to the marker in its own cell.

    An arm of a cross reaches out of a small cell, and may hide a thin stroke all the way from there; and of a dashed
    stroke one gap may lie there.
    """
    reach = _reach(dashed, plan, config) if dashed else config.marker_touch * plan.cell_px
    if not len(graph.pixels):
        return graph
    rows, columns = graph.pixels[:, 0], graph.pixels[:, 1]
    labels = plan.labels[rows, columns]
    arrived = (labels == marker.cell) & (plan.depth[rows, columns] > 0.5 * plan.wall_px)
    if marker.cell == OUTSIDE or arrived.any():
        return graph
    near = [label == marker.cell or plan.joined(label, marker.cell) for label in labels[graph.ends].tolist()]
    ends = graph.ends[near]
    own = np.argwhere(marker.mask) + np.array([marker.top, marker.left])
    own = own[
        (plan.labels[own[:, 0], own[:, 1]] == marker.cell) & (plan.depth[own[:, 0], own[:, 1]] > 0.5 * plan.wall_px)
    ]
    if not ends.size or not len(own):
        return graph
    gaps = distance_to(marker, graph.pixels[ends]) - graph.half_widths[ends]
    nearest = int(gaps.argmin())
    if gaps[nearest] > reach:
        return graph
    end = int(ends[nearest])
    offset = own - graph.pixels[end]
    distance = np.hypot(offset[:, 0], offset[:, 1])
    # A stroke that ends in the middle of the cell before may touch an arm there, and has not arrived all the same; nor
    # has one that is too wide to be hidden by the arm for the rest of its way.
    entry = own[int(distance.argmin())]
    row, column = entry - np.array([marker.top, marker.left])
    thickness = cv2.distanceTransform(np.pad(marker.mask, 4).astype(np.uint8), cv2.DIST_L2, 5)
    arm = float(thickness[max(0, row) : row + 9, max(0, column) : column + 9].max(initial=0.0))
    # A disc hides whatever runs into it.
    hidden = dashed or marker.solid > config.disc or graph.half_widths[end] <= config.hidden * arm
    if not hidden or distance.min() > reach + plan.wall_px + graph.half_widths[end]:
        return graph
    return graph.with_pixel(entry, end)


def is_dashed(graph: StrokeGraph, plan: Floorplan, config: PathConfig) -> bool:
    """Whether a line is drawn in dashes: several short pieces, most of them longer than wide, which dots are not."""
    # Each dash has two ends.
    if graph.ends.size < 2 * config.dashes:
        return False
    count, piece = graph.pieces
    if count < config.dashes:
        return False
    lengths = np.bincount(piece, minlength=count)
    dashes = (lengths >= 2.0 * float(np.median(graph.half_widths))) & (lengths <= config.dash * plan.cell_width_px)
    return bool(np.count_nonzero(dashes) >= max(config.dashes, 0.6 * count))


def _reach(dashed: bool, plan: Floorplan, config: PathConfig) -> float:
    return (config.dashed_bridge if dashed else config.bridge) * plan.cell_width_px


def bridges(graph: StrokeGraph, dashed: bool, plan: Floorplan, config: PathConfig) -> NDArray[np.intp]:
    """Edges from ends of strokes over gaps: dashes and small breaks where no wall lies between, and strokes that go on
    beyond a wall which was drawn over them."""
    # Dust has ends without number, and no stroke to bridge.
    if not 0 < graph.ends.size <= config.most_ends:
        return np.zeros((0, 2), np.intp)
    _, piece = graph.pieces
    reach = _reach(dashed, plan, config)
    # A pixel more, since both ends are found to half a pixel.
    under_wall = config.under_wall * plan.wall_px + 1.0
    labels = plan.labels[graph.pixels[:, 0], graph.pixels[:, 1]]
    widest = float(graph.half_widths.max())
    # Built in a hurry: it is asked only a few times.
    tree = cKDTree(graph.pixels, compact_nodes=False, balanced_tree=False)
    found: list[tuple[int, int]] = []
    for end in graph.ends.tolist():
        around = tree.query_ball_point(graph.pixels[end], max(reach, under_wall) + widest + graph.half_widths[end])
        near = np.sort(np.array(around, np.intp))
        offset = graph.pixels[near] - graph.pixels[end]
        gap = np.hypot(offset[:, 0], offset[:, 1]) - graph.half_widths[near] - graph.half_widths[end]
        elsewhere = near[(piece[near] != piece[end]) & (gap <= reach)]
        if elsewhere.size:
            nearest = int(elsewhere[gap[np.isin(near, elsewhere)].argmin()])
            if not _wall_between(graph.pixels[end], graph.pixels[nearest], plan):
                found.append((end, nearest))
                continue
        beyond = (gap <= under_wall) & (labels[near] != labels[end])
        if beyond.any():
            other = int(near[beyond][gap[beyond].argmin()])
            if _wall_between(graph.pixels[end], graph.pixels[other], plan):
                found.append((end, other))
    return np.array(found, np.intp).reshape(-1, 2)


def _wall_between(one: NDArray[np.intp], other: NDArray[np.intp], plan: Floorplan) -> bool:
    steps = int(np.abs(other - one).max()) + 1
    line = np.linspace(one, other, steps).round().astype(np.intp)
    return bool(plan.walls[line[:, 0], line[:, 1]].any())
