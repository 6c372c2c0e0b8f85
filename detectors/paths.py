"""From the ink on a maze to the path it shows: strokes, visited cells, wall crossings. The answer is not looked at."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from detectors.cell_maps import OUTSIDE
from detectors.ink import Ink
from detectors.stroke_network import Crossing, Piece, StrokeNetwork, distance_to, rim_crossings
from detectors.strokes import StrokeGraph, trace_strokes
from detectors.walls import Floorplan, Marker


@dataclass(frozen=True)
class PathConfig:
    """What counts as a stroke.

    Attributes
    ----------
    speck_area : ink of less than this share of the cell length squared, apart from any stroke, is noise
    bridge : gaps up to this share of a cell's width are closed where no wall lies between
    most_ends : strokes with more ends than this are dust, whose gaps are not bridged
    under_wall : strokes that end on two sides of a wall, at most this many walls' widths apart, go on beneath it
    seen_speck : specks smaller than this share are not even counted
    marker_reach : a stroke that ends in a marker's cell has to come this close to it, as a share of the cell length
    marker_touch : one that ends in the cell before, at an arm of a marker that reaches into it, this close
    hidden : a stroke whose half width is at most this share of an arm's may lie hidden beneath it
    dashes : strokes with this many gaps or more are dashed
    pinhole : gaps up to this share of the cell length are closed anyway
    filled : a cell whose floor is inked to more than this share is filled, not passed through
    painted : exterior inked to more than this share is painted, not drawn on
    foreign_chroma : least OKLab chroma of strokes in a foreign colour; JPEG smears weaker ones
    foreign_area : least area of them in a cell, as a share of the cell length squared
    spilled : a cell inked to more than this share is not beside the path any more
    texture_cells : strokes that visit more than this share of all cells...
    texture_specks : more specks than this for each cell are a texture too
    texture_crossings : ...and cross more than this share of all walls are a texture, not an answer
    """

    speck_area: float = 0.0025
    bridge: float = 0.2
    most_ends: int = 4000
    under_wall: float = 1.6
    seen_speck: float = 0.0006
    marker_reach: float = 0.25
    marker_touch: float = 0.1
    hidden: float = 0.75
    dashes: int = 3
    pinhole: float = 0.03
    filled: float = 0.72
    painted: float = 0.25
    foreign_chroma: float = 0.05
    foreign_area: float = 0.005
    spilled: float = 0.05
    texture_cells: float = 0.7
    texture_crossings: float = 0.3
    texture_specks: float = 2.0


@dataclass(frozen=True)
class PathFindings:
    """What was drawn on a maze.

    Attributes
    ----------
    as_asked : whether the strokes have the colour that was asked for
    rgb : (3,) mean colour of the strokes, or None where nothing was drawn
    chroma : median OKLab chroma by which the strokes differ from what was there; 0 where nothing was drawn
    pieces : strokes that hang together, largest first
    crossings : where strokes pass through walls
    polyline : (x, y) in puzzle pixels along the longest chain, from a start marker where it touches one
    order : cells along the polyline
    filled : cells whose floor is covered with ink
    spilled : cells of whose floor a visible part is covered with ink, by a stroke through them or beside them
    specked : cells with specks of ink that belong to no stroke
    exterior_painted : whether what lies outside the maze was painted in the path's colour
    texture : whether the ink is a pattern all over the maze
    foreign : cells with strokes in another colour than that of the path
    colorless : cells that a line in black or grey leads through, where nothing is drawn in colour
    half_width_px : median half width of the strokes in puzzle pixels
    """

    as_asked: bool
    rgb: NDArray[np.float64] | None
    chroma: float
    pieces: tuple[Piece, ...]
    crossings: tuple[Crossing, ...]
    polyline: tuple[tuple[float, float], ...]
    order: tuple[int, ...]
    filled: frozenset[int]
    spilled: frozenset[int]
    specked: frozenset[int]
    exterior_painted: bool
    texture: bool
    foreign: frozenset[int]
    colorless: frozenset[int]
    half_width_px: float

    @property
    def visited(self) -> frozenset[int]:
        """All cells that strokes visit or fill."""
        return self.filled.union(*(piece.cells for piece in self.pieces)) - {OUTSIDE}


@dataclass(frozen=True)
class _Cleaned:
    """Ink without specks: the mask of strokes, the cells of what was left out, and how many specks those were."""

    strokes: NDArray[np.bool_]
    specked: frozenset[int]
    specks: int


def find_path(picture: NDArray[np.uint8], ink: Ink, plan: Floorplan, config: PathConfig) -> PathFindings:
    """Reads the strokes of an aligned candidate.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    ink : Ink
        Its classified pixels.
    plan : Floorplan
        Of the puzzle.
    config : PathConfig
    """
    painted = _exterior_painted(ink.asked, plan, config)
    asked = _clean(_indoors(ink.asked, plan) if painted else ink.asked, ink.strength, plan, config)
    repainted = _exterior_painted(ink.other, plan, config)
    other = _clean(_indoors(ink.other, plan) if repainted else ink.other, ink.strength, plan, config)
    asked_area, other_area = int(asked.strokes.sum()), int(other.strokes.sum())
    # Bluish rims of a green stroke do not make it blue.
    as_asked = asked_area >= 0.25 * other_area
    main, foreign = (asked, other) if as_asked else (other, asked)
    strokes = main.strokes
    drawn = ink.asked if as_asked else ink.other
    graph = _under_markers(trace_strokes(strokes), strokes, drawn, ink.strength, plan)
    bridges = _bridges(graph, plan, config)
    graph = graph.with_edges(bridges)
    for marker in plan.markers:
        graph = _onto_marker(graph, marker, len(bridges) >= config.dashes, plan, config)
    network = StrokeNetwork(graph, plan, config.marker_reach)
    texture = network.is_texture(config.texture_cells, config.texture_crossings)
    texture |= main.specks > config.texture_specks * len(plan.cell_ids)
    route = network.longest_route()
    filled = _inked_cells(drawn, config.filled, plan)
    if texture and len(filled) < config.texture_cells * len(plan.cell_ids):
        # Where the lines of a pattern run together they fill nothing; a flood is no pattern.
        filled = frozenset()
    return PathFindings(
        as_asked=as_asked,
        rgb=_mean_color(picture, graph),
        chroma=_median_along(ink.strength, graph),
        # A pattern all over the maze shows no path, wherever its lines happen to run.
        pieces=() if texture else network.pieces(),
        crossings=() if texture else _with_rim(network.crossings, rim_crossings(strokes, plan)),
        polyline=() if texture else _simplify(graph.pixels[route], plan),
        order=() if texture else network.cells_along(route),
        filled=filled,
        spilled=_inked_cells(strokes, config.spilled, plan),
        specked=main.specked,
        exterior_painted=painted,
        texture=texture,
        foreign=_foreign_cells(foreign.strokes, strokes, ink, plan, config) if as_asked else frozenset(),
        colorless=frozenset() if strokes.any() else _colorless_cells(ink, plan, config),
        half_width_px=float(np.median(graph.half_widths)) * plan.factor if len(graph.pixels) else 0.0,
    )


def _with_rim(crossings: tuple[Crossing, ...], rim: tuple[Crossing, ...]) -> tuple[Crossing, ...]:
    known = {(one.first, one.second) for one in crossings}
    return (*(one for one in rim if (one.first, one.second) not in known), *crossings)


def _exterior_painted(asked: NDArray[np.bool_], plan: Floorplan, config: PathConfig) -> bool:
    count = int(np.count_nonzero(plan.exterior))
    inked = int(np.count_nonzero(asked & plan.exterior))
    # An exterior of a few slivers is no place to paint.
    return count > plan.cell_px**2 * 0.1 and inked > config.painted * count


def _indoors(asked: NDArray[np.bool_], plan: Floorplan) -> NDArray[np.bool_]:
    """Takes away paint outside, with what of it reaches over the rim of the maze."""
    outside = plan.labels == OUTSIDE
    paint = (asked & outside).astype(np.uint8)
    count, pieces = cv2.connectedComponents((asked & (outside | (plan.depth < 2.0 * plan.wall_px))).astype(np.uint8))
    reached = np.unique(pieces[paint > 0])
    drop = np.zeros(count, np.bool_)
    drop[reached] = True
    drop[0] = False
    near_rim = cv2.distanceTransform((~outside).astype(np.uint8), cv2.DIST_L2, 3) < 1.5 * plan.wall_px
    return np.asarray(asked & ~(drop[pieces] & (outside | near_rim)), np.bool_)


def _clean(mask: NDArray[np.bool_], strength: NDArray[np.float32], plan: Floorplan, config: PathConfig) -> _Cleaned:
    """Closes pinholes and sorts out specks."""
    at = np.flatnonzero(mask)
    if at.size < config.speck_area * plan.cell_px**2:
        return _Cleaned(np.zeros_like(mask), _cells(np.unique(plan.labels.ravel()[at])), 0)
    radius = max(1, round(config.pinhole * plan.cell_px))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    closed = cv2.morphologyEx(mask.view(np.uint8), cv2.MORPH_CLOSE, kernel)
    # What is closed across a wall that shows no ink would be a crossing that nobody drew.
    closed = np.where(mask | ~plan.walls, closed, 0).astype(np.uint8)
    count, pieces = cv2.connectedComponents(closed, connectivity=8)
    # Only what was drawn is measured, not the closing; a pixel half covered by a stroke's edge counts half.
    drawn, owner = strength.ravel()[at], pieces.ravel()[at]
    full = float(np.partition(drawn, (9 * drawn.size) // 10)[(9 * drawn.size) // 10])
    opacity = np.minimum(1.0, drawn / max(full, 1e-6))
    weights = np.bincount(owner, weights=opacity, minlength=count)
    keep = weights >= config.speck_area * plan.cell_px**2
    # What stays within the rim of a marker is its colour smeared, not a stroke.
    keep &= np.bincount(owner[~plan.marker_rims.ravel()[at]], minlength=count) > 0
    keep[0] = False
    seen = ~keep & (weights >= config.seen_speck * plan.cell_px**2)
    strokes = closed.view(np.bool_) if keep[1:].all() else keep[pieces]
    specked = plan.labels.ravel()[at[seen[owner]]] if seen.any() else np.zeros(0, np.int32)
    return _Cleaned(strokes, _cells(np.unique(specked)), int(np.count_nonzero(seen)))


def _cells(labels: NDArray[np.int32]) -> frozenset[int]:
    return frozenset(int(label) for label in labels if label != OUTSIDE)


def _under_markers(
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
    plain = 0.3 * _median_along(strength, graph)
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


def _onto_marker(graph: StrokeGraph, marker: Marker, dashed: bool, plan: Floorplan, config: PathConfig) -> StrokeGraph:
    """Leads a stroke that runs into a marker already in the cell before on to the marker in its own cell.

    An arm of a cross reaches out of a small cell, and may hide a thin stroke all the way from there; and of a dashed
    stroke one gap may lie there.
    """
    reach = config.bridge * plan.cell_width_px if dashed else config.marker_touch * plan.cell_px
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
    row, column = graph.pixels[end] - np.array([marker.top, marker.left])
    thickness = cv2.distanceTransform(np.pad(marker.mask, 4).astype(np.uint8), cv2.DIST_L2, 5)
    arm = float(thickness[max(0, row) : row + 9, max(0, column) : column + 9].max(initial=0.0))
    hidden = dashed or graph.half_widths[end] <= config.hidden * arm
    if not hidden or distance.min() > reach + plan.wall_px + graph.half_widths[end]:
        return graph
    return graph.with_pixel(own[int(distance.argmin())], end)


def _bridges(graph: StrokeGraph, plan: Floorplan, config: PathConfig) -> NDArray[np.intp]:
    """Edges from ends of strokes over gaps: dashes and small breaks where no wall lies between, and strokes that go on
    beyond a wall which was drawn over them."""
    # Dust has ends without number, and no stroke to bridge.
    if not 0 < graph.ends.size <= config.most_ends:
        return np.zeros((0, 2), np.intp)
    _, piece = graph.pieces
    reach = config.bridge * plan.cell_width_px
    # A pixel more, since both ends are found to half a pixel.
    under_wall = config.under_wall * plan.wall_px + 1.0
    labels = plan.labels[graph.pixels[:, 0], graph.pixels[:, 1]]
    widest = float(graph.half_widths.max())
    tree = cKDTree(graph.pixels)
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


def _inked_cells(ink: NDArray[np.bool_], share: float, plan: Floorplan) -> frozenset[int]:
    """Cells of whose floor more than a share is inked."""
    at = np.flatnonzero(ink)
    at = at[plan.floor.ravel()[at]]
    inked = np.bincount(plan.compact_labels.ravel()[at], minlength=len(plan.cell_ids))
    return _cells(plan.cell_ids[(inked > share * plan.cell_areas) & (plan.cell_areas > 0)])


def _foreign_cells(
    foreign: NDArray[np.bool_], strokes: NDArray[np.bool_], ink: Ink, plan: Floorplan, config: PathConfig
) -> frozenset[int]:
    """Cells with strokes in a foreign colour: plain ones, not smears around the path and the markers."""
    plain = foreign & (ink.strength >= config.foreign_chroma) & ~plan.marker_rims
    if not plain.any():
        return frozenset()
    # Unless they rival the path itself: then it is another colour with a rim of the right one.
    if np.count_nonzero(plain) < 0.6 * np.count_nonzero(strokes):
        plain &= cv2.dilate(strokes.astype(np.uint8), np.ones((7, 7), np.uint8)) == 0
    counts = np.bincount(plan.compact_labels[plain], minlength=len(plan.cell_ids))
    return _cells(plan.cell_ids[counts >= max(4.0, config.foreign_area * plan.cell_px**2)])


def _colorless_cells(ink: Ink, plan: Floorplan, config: PathConfig) -> frozenset[int]:
    """Cells joined by a black or grey line: no path of any colour, but a person would call it one."""
    grey = ink.grey & ~plan.wall_rims & (plan.labels != OUTSIDE)
    graph = trace_strokes(_clean(grey, grey.astype(np.float32), plan, config).strokes)
    if not len(graph.pixels):
        return frozenset()
    network = StrokeNetwork(graph, plan, config.marker_reach)
    if network.is_texture(config.texture_cells, config.texture_crossings):
        return frozenset()
    return frozenset().union(*(piece.cells for piece in network.pieces() if piece.steps)) - {OUTSIDE}


def _mean_color(picture: NDArray[np.uint8], graph: StrokeGraph) -> NDArray[np.float64] | None:
    """The mean colour along the centrelines, where strokes are purest."""
    if not len(graph.pixels):
        return None
    return np.asarray(picture[graph.pixels[:, 0], graph.pixels[:, 1]].mean(axis=0, dtype=np.float64), np.float64)


def _median_along(values: NDArray[np.float32], graph: StrokeGraph) -> float:
    return float(np.median(values[graph.pixels[:, 0], graph.pixels[:, 1]])) if len(graph.pixels) else 0.0


def _simplify(pixels: NDArray[np.intp], plan: Floorplan) -> tuple[tuple[float, float], ...]:
    if not len(pixels):
        return ()
    points = np.ascontiguousarray(pixels[:, ::-1].astype(np.float32)).reshape(-1, 1, 2)
    kept = cv2.approxPolyDP(points, max(1.0, 0.03 * plan.cell_px), False).reshape(-1, 2)
    return tuple(((float(x) + 0.5) * plan.factor, (float(y) + 0.5) * plan.factor) for x, y in kept)
