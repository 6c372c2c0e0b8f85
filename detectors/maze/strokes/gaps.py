"""Gaps in strokes that nobody would call a gap: dashes, what a marker hides, a wall that was drawn over a stroke."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from detectors.maze.plan.cell_maps import OUTSIDE
from detectors.maze.plan.floorplan import Floorplan, Marker
from detectors.maze.strokes.config import ApproachConfig, DashConfig, GapConfig, PathConfig
from detectors.maze.strokes.network import distance_to
from detectors.maze.strokes.segments import StrokeGraph, median_along, trace_strokes


def lead_under_markers(
    graph: StrokeGraph,
    strokes: NDArray[np.bool_],
    ink: NDArray[np.bool_],
    strength: NDArray[np.float32],
    dashed: bool,
    plan: Floorplan,
    config: PathConfig,
) -> StrokeGraph:
    """Leads centrelines on to ink that shows at a marker's rim, in its cell: the rest of the stroke lies beneath it."""
    if not len(graph.pixels):
        return graph
    # Smears are paler than the stroke that they come from.
    plain = config.approach.plain * median_along(strength, graph)
    drawn = strokes | (ink & (strength >= plain))
    margin = config.approach.margin_px
    for marker in plan.markers:
        rows, columns = marker.box
        window = (
            slice(max(0, rows.start - margin), rows.stop + margin),
            slice(max(0, columns.start - margin), columns.stop + margin),
        )
        # Between the arms of a cross no more than a speck of the stroke may show.
        at_rim = plan.marker_rims[window] & drawn[window]
        at_rim &= (plan.labels[window] == marker.cell) & (plan.depth[window] > 0.5 * plan.wall_px)
        rim = np.argwhere(at_rim) + np.array([window[0].start, window[1].start])
        pixels = rim[distance_to(marker, rim) <= config.approach.rim_px] if len(rim) else rim
        if not len(pixels):
            continue
        tip = pixels[int(plan.depth[pixels[:, 0], pixels[:, 1]].argmax())]
        offset = graph.pixels - tip
        distance = np.hypot(offset[:, 0], offset[:, 1])
        nearest = int(distance.argmin())
        # Thinning takes as much off an end as the stroke is wide.
        apart = distance - graph.half_widths
        # What hides the stroke between is the marker, and no more than that.
        hidden = apart[nearest] <= config.approach.beneath * max(marker.mask.shape)
        if dashed and not hidden:
            # The last dash may be no more than what shows at the rim; before it lies a gap.
            gap = float(np.hypot(*(rim - graph.pixels[nearest]).T).min() - graph.half_widths[nearest])
            hidden = gap <= _reach(dashed, plan, config)
        if hidden and _bare(graph.pixels[nearest], tip, drawn | plan.marker_mask) <= _reach(dashed, plan, config):
            pieces = graph.pieces[1]
            others = _nearest_of_others(pieces, int(pieces[nearest]), apart, marker, config)
            at = len(graph.pixels)
            graph = graph.with_pixel(tip, nearest)
            # A cross cuts a wide stroke into pieces, one between each two of its arms and one in front of them.
            more = [
                one
                for one in others
                if _bare(graph.pixels[one], tip, drawn | plan.marker_mask) <= _reach(dashed, plan, config)
            ]
            graph = graph.with_edges(np.array([[one, at] for one in more], np.intp).reshape(-1, 2))
    return graph


def _nearest_of_others(
    pieces: NDArray[np.int32], own: int, distance: NDArray[np.float64], marker: Marker, config: PathConfig
) -> list[int]:
    """Of each other piece of a graph the pixel nearest to a place, where that is no farther than a marker hides."""
    near = np.flatnonzero((pieces != own) & (distance <= config.approach.beneath * max(marker.mask.shape)))
    order = near[np.argsort(distance[near], kind="stable")]
    _, first = np.unique(pieces[order], return_index=True)
    return [int(one) for one in order[first]]


def lead_onto_marker(
    graph: StrokeGraph, half_width: float, marker: Marker, dashed: bool, plan: Floorplan, config: PathConfig
) -> StrokeGraph:
    """Leads a stroke that runs into a marker already in the cell before on to the marker in its own cell.

    An arm of a cross reaches out of a small cell, and may hide a thin stroke all the way from there; and of a dashed
    stroke one gap may lie there.
    """
    reach = _reach(dashed, plan, config) if dashed else config.approach.touch * plan.cell_px
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
    if gaps[nearest] > config.approach.touch * plan.cell_px and not _points_at(graph, end, marker, config.approach):
        return graph
    offset = own - graph.pixels[end]
    distance = np.hypot(offset[:, 0], offset[:, 1])
    entry = own[int(distance.argmin())]
    # A stroke that ends in the middle of the cell before may touch an arm there, and has not arrived all the same: its
    # end is free, and too wide for the arm to hide the rest of its way. A disc hides whatever runs into it.
    thin = half_width <= config.approach.hidden * marker.half_arm
    cut = graph.half_widths[end] <= config.approach.cut * float(np.median(graph.half_widths))
    # One that runs right into it and points at it is seen to arrive.
    meets = gaps[nearest] <= config.approach.meets * plan.cell_px and _points_at(graph, end, marker, config.approach)
    if (
        not (dashed or marker.solid > config.approach.disc or thin or cut or meets)
        or distance.min() > reach + plan.wall_reach_px + graph.half_widths[end]
    ):
        return graph
    return graph.with_pixel(entry, end)


def _points_at(graph: StrokeGraph, end: int, marker: Marker, config: ApproachConfig) -> bool:
    """Whether a stroke's end points at a marker: one that goes another way is no line with its last gap before it."""
    offset = graph.pixels - graph.pixels[end]
    distance = np.hypot(offset[:, 0], offset[:, 1])
    along = -offset[distance <= max(config.tip_px, config.tip_widths * graph.half_widths[end])].mean(axis=0)
    to_marker = marker.outline - graph.pixels[end]
    to_marker = to_marker[int(np.hypot(to_marker[:, 0], to_marker[:, 1]).argmin())]
    lengths = float(np.hypot(*along) * np.hypot(*to_marker))
    return bool(along @ to_marker >= config.pointing * lengths)


def _is_bump(graph: StrokeGraph, end: int, config: GapConfig) -> bool:
    """Whether an end is what thinning leaves of a bump or a corner of a wide stroke, and no end of it."""
    here, before, steps = end, -1, 0
    while True:
        beside = graph.edges[(graph.edges == here).any(axis=1)]
        ahead = beside[beside != here]
        ahead = ahead[ahead != before]
        if len(ahead) != 1:
            return len(ahead) > 1 and steps <= config.bump * float(graph.half_widths[here])
        here, before, steps = int(ahead[0]), here, steps + 1
        if steps > config.bump * float(graph.half_widths.max()):
            return False


def _leads_to(graph: StrokeGraph, end: int, others: NDArray[np.intp], config: ApproachConfig) -> NDArray[np.bool_]:
    """Which pixels of others a stroke's end points at: beyond a wide wall of a floor others may end by chance."""
    offset = (graph.pixels - graph.pixels[end]).astype(np.float64)
    distance = np.hypot(offset[:, 0], offset[:, 1])
    along = -offset[distance <= max(config.tip_px, config.tip_widths * graph.half_widths[end])].mean(axis=0)
    ways = offset[others]
    lengths = np.hypot(*along) * distance[others]
    return np.asarray((ways * along).sum(axis=1) >= config.pointing * lengths, np.bool_)


def is_dashed(
    graph: StrokeGraph,
    strokes: NDArray[np.bool_],
    strength: NDArray[np.float32],
    plan: Floorplan,
    config: PathConfig,
) -> bool:
    """Whether a line is drawn in dashes; where these hang together by pale pixels, without those."""
    if _in_dashes(graph, plan, config.dashes):
        return True
    # Fine dashes run together in the working frame, where a gap is a pale pixel or two.
    dark = strokes & (strength >= config.dashes.pale * median_along(strength, graph))
    # not a threshold: a pixel's neighbours
    apart = cv2.connectedComponents(dark.view(np.uint8), connectivity=8)[0] - 1
    if apart < max(config.dashes.many, 2 * graph.pieces[0]) or apart > config.gaps.most_ends:
        return False
    return _in_dashes(trace_strokes(dark), plan, config.dashes)


def _in_dashes(graph: StrokeGraph, plan: Floorplan, config: DashConfig) -> bool:
    """Whether most of a line, in number and in length, are short pieces that are no dots."""
    # Each dash has two ends.
    if graph.ends.size < 2 * config.few:
        return False
    count, piece = graph.pieces
    if count < config.few:
        return False
    lengths = np.bincount(piece, minlength=count)
    # A centreline is shorter than its dash by the dash's width; that of a dot is a pixel or two long.
    least = max(config.least_px, float(np.median(graph.half_widths)))
    dashes = (lengths >= least) & (lengths <= config.length * plan.cell_width_px)
    if count < config.many:
        # A few pieces may as well be what is left of a broken line, unless they are alike.
        return bool(dashes.all() and lengths.max() <= config.alike * lengths.min())
    mostly = lengths[dashes].sum() >= config.share * lengths.sum()
    number = int(np.count_nonzero(dashes))
    if number < config.many:
        return False
    # Between dashes there may be dots, as wide as they are, and no more of them.
    widths = np.zeros(count)
    np.maximum.at(widths, piece, graph.half_widths)
    dots = (lengths < least) & (widths >= config.as_wide * float(np.median(widths[dashes])))
    with_dots = number + min(int(np.count_nonzero(dots)), number + 1)
    return bool(with_dots >= config.share * count and mostly)


def _reach(dashed: bool, plan: Floorplan, config: PathConfig) -> float:
    if dashed:
        return config.dashes.bridge * plan.cell_width_px
    # In a large cell a gap is as plain as in others.
    return config.gaps.bridge * plan.cell_width_px * plan.unit_px / plan.cell_px


def bridges(
    graph: StrokeGraph, strokes: NDArray[np.bool_], dashed: bool, plan: Floorplan, config: PathConfig
) -> NDArray[np.intp]:
    """Edges from ends of strokes over gaps: dashes and small breaks where no wall lies between, and strokes that go on
    beyond a wall which was drawn over them."""
    # Dust has ends without number, and no stroke to bridge.
    if not 0 < graph.ends.size <= config.gaps.most_ends:
        return np.zeros((0, 2), np.intp)
    _, piece = graph.pieces
    reach = _reach(dashed, plan, config)
    # A pixel more, since both ends are found to half a pixel. A gap between dashes may happen to lie on a wall.
    under_wall = max(config.gaps.under_wall * plan.wall_reach_px + 1.0, reach if dashed else 0.0)
    # Thinning takes more off an end than the stroke is wide there, and most off a short dash, or one around a corner.
    widely = reach + config.gaps.thinned_px + (2.0 * float(np.median(graph.half_widths)) if dashed else 0.0)
    labels = plan.labels[graph.pixels[:, 0], graph.pixels[:, 1]]
    widest = float(graph.half_widths.max())
    # Built in a hurry: it is asked only a few times.
    tree = cKDTree(graph.pixels, compact_nodes=False, balanced_tree=False)
    found: list[tuple[int, int]] = []
    for end in graph.ends.tolist():
        around = tree.query_ball_point(graph.pixels[end], max(widely, under_wall) + widest + graph.half_widths[end])
        near = np.sort(np.array(around, np.intp))
        offset = graph.pixels[near] - graph.pixels[end]
        gap = np.hypot(offset[:, 0], offset[:, 1]) - graph.half_widths[near] - graph.half_widths[end]
        elsewhere = (piece[near] != piece[end]) & (gap <= widely)
        ahead = np.ones(len(near), np.bool_)
        if dashed and elsewhere.any():
            ahead[elsewhere] = _ahead(
                graph.pixels, end, near[piece[near] == piece[end]], near[elsewhere], config.dashes
            )
            elsewhere &= ahead
        if elsewhere.any():
            nearest = int(near[elsewhere][gap[elsewhere].argmin()])
            bare = _bare(graph.pixels[end], graph.pixels[nearest], strokes)
            if bare <= reach and not wall_between(graph.pixels[end], graph.pixels[nearest], plan):
                found.append((end, nearest))
                continue
        # Strokes in cells that a passage joins are nearer, and say nothing of the wall.
        here = int(labels[end])
        walled = [one for one in np.unique(labels[near]).tolist() if one != here and not plan.joined(one, here)]
        beyond = ahead & (gap <= under_wall) & np.isin(labels[near], walled)
        if plan.pieces is not None and beyond.any() and _is_bump(graph, end, config.gaps):
            continue
        if plan.pieces is not None and beyond.any():
            beyond[beyond] = _leads_to(graph, end, near[beyond], config.approach)
        if beyond.any():
            other = int(near[beyond][gap[beyond].argmin()])
            if wall_between(graph.pixels[end], graph.pixels[other], plan) and (
                # Of a wide wall what lies on both sides is far apart, and has to come up to it.
                plan.pieces is None or _bare(graph.pixels[end], graph.pixels[other], strokes | plan.walls) <= reach
            ):
                found.append((end, other))
    return np.array(found, np.intp).reshape(-1, 2)


def _ahead(
    pixels: NDArray[np.intp], end: int, own: NDArray[np.intp], others: NDArray[np.intp], config: DashConfig
) -> NDArray[np.bool_]:
    """Which pixels of others a dash's end is no farther from than the rest of its dash: what it points away from is met
    by its other end."""
    apart = np.hypot(*(pixels[others][:, None] - pixels[own][None]).transpose(2, 0, 1)).min(axis=1)
    nearness: NDArray[np.bool_] = np.hypot(*(pixels[others] - pixels[end]).T) <= apart + config.ahead_px
    return nearness


def wall_between(one: NDArray[np.intp], other: NDArray[np.intp], plan: Floorplan) -> bool:
    """Whether a wall lies on the straight way from one pixel to another."""
    return bool(plan.walls[_line(one, other)].any())


def _bare(one: NDArray[np.intp], other: NDArray[np.intp], seen: NDArray[np.bool_]) -> float:
    """How much of the straight way from one pixel to another is not in a mask, in pixels."""
    rows, columns = _line(one, other)
    return math.dist(one, other) / max(1, len(rows) - 1) * int(np.count_nonzero(~seen[rows, columns]))


def _line(one: NDArray[np.intp], other: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the pixels from one to another."""
    steps = int(np.abs(other - one).max()) + 1
    line = np.linspace(one, other, steps).round().astype(np.intp)
    return line[:, 0], line[:, 1]
