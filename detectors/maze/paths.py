"""From the ink on a maze to the path it shows: strokes, visited cells, wall crossings. The answer is not looked at."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import distance_to
from detectors.maze.ink import Ink
from detectors.maze.plan.cell_maps import OUTSIDE
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.strokes.config import ExteriorConfig, PaleStrokeConfig, PathConfig, SpeckConfig
from detectors.maze.strokes.dots import along_dots, is_dotted
from detectors.maze.strokes.gaps import bridges, is_dashed, lead_onto_marker, lead_under_markers
from detectors.maze.strokes.network import Crossing, StrokeNetwork, StrokePiece, rim_crossings
from detectors.maze.strokes.outgrowths import outgrowths
from detectors.maze.strokes.segments import StrokeGraph, median_along, trace_strokes


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
    colorless : cells that a line in black or grey leads through, where nothing is drawn in colour
    half_width_px : half the mean width of the strokes in puzzle pixels
    strokes : (h, w) bool, the path's ink in the plan's working frame, without specks
    aside : (h, w) bool, what of it lies apart from the line and leads into no cell that the line does not visit
    dashed : whether the strokes are dashes of a line
    spurs : on the pieces of a floor, where a branch leaves the line and where it ends
    outgrown : (h, w) bool, what of the path's ink hangs on the line and is no part of it; None where nothing does
    grey_line : (h, w) bool, the line in black or grey that leads through `colorless` cells; None where there is none
    """

    as_asked: bool
    rgb: NDArray[np.float64] | None
    chroma: float
    pieces: tuple[StrokePiece, ...]
    crossings: tuple[Crossing, ...]
    polyline: tuple[tuple[float, float], ...]
    order: tuple[int, ...]
    filled: frozenset[int]
    spilled: frozenset[int]
    specked: frozenset[int]
    exterior_painted: bool
    texture: bool
    colorless: frozenset[int]
    half_width_px: float
    strokes: NDArray[np.bool_]
    aside: NDArray[np.bool_]
    dashed: bool
    spurs: tuple[tuple[int, int], ...] = ()
    grey_line: NDArray[np.bool_] | None = None
    outgrown: NDArray[np.bool_] | None = None

    @property
    def visited(self) -> frozenset[int]:
        """All cells that strokes visit or fill."""
        return self.filled.union(*(piece.cells for piece in self.pieces)) - {OUTSIDE}


@dataclass(frozen=True)
class _Cleaned:
    """Ink without specks.

    Attributes
    ----------
    strokes : their mask
    area : theirs in pixels, one half covered counting half
    specked : the cells of what was left out
    specks : how many there are
    dotted : cells with several of them
    """

    strokes: NDArray[np.bool_]
    area: float
    specked: frozenset[int]
    specks: int
    dotted: frozenset[int]


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
    painted = _exterior_painted(ink.asked, plan, config.exterior)
    asked = _clean(
        _indoors(ink.asked, plan, config.exterior) if painted else ink.asked, ink.strength, plan, config.specks
    )
    repainted = _exterior_painted(ink.other, plan, config.exterior)
    other = _clean(
        _indoors(ink.other, plan, config.exterior) if repainted else ink.other, ink.strength, plan, config.specks
    )
    # Bluish rims of a green stroke do not make it blue.
    as_asked = int(np.count_nonzero(asked.strokes)) >= config.as_asked * int(np.count_nonzero(other.strokes))
    main = asked if as_asked else other
    colorless, grey_line = _colorless_cells(ink, main, plan, config)
    if colorless and plan.pieces is not None:
        main = _Cleaned(np.zeros_like(main.strokes), 0.0, frozenset(), 0, frozenset())
    strokes = main.strokes
    drawn = ink.asked if as_asked else ink.other
    graph = trace_strokes(strokes)
    # Of the area, which tells parts of a pixel; thinning tells whole ones. A dot is as long as it is wide.
    half_width = 0.5 * main.area / max(graph.length, math.sqrt(main.area), 1.0)
    dotted = is_dotted(graph, config.dots)
    if dotted:
        half_width = float(np.median(graph.half_widths))
    dashed = dotted or is_dashed(graph, strokes, ink.strength, plan, config)
    graph = lead_under_markers(graph, strokes, drawn, ink.strength, dashed, plan, config)
    gaps = along_dots(graph, plan, config.dots) if dotted else bridges(graph, strokes, dashed, plan, config)
    # A dashed line passes through what lies in its gaps, be it a small cell.
    graph = graph.with_lines(gaps) if dashed else graph.with_edges(gaps)
    for marker in plan.markers:
        graph = lead_onto_marker(graph, half_width, marker, dashed, plan, config)
    # Of a dashed line the last gap may lie before the marker.
    network = StrokeNetwork(graph, plan, config.approach.reach + (0.5 * config.dashes.bridge if dashed else 0.0))
    texture = network.is_texture(config.texture)
    texture |= main.specks > config.texture.specks * len(plan.cell_ids)
    route = network.longest_route()
    filled = _filled_cells(drawn, half_width, plan, config)
    if texture and len(filled) < config.texture.cells * len(plan.cell_ids):
        # Where the lines of a pattern run together they fill nothing; a flood is no pattern.
        filled = frozenset()
    # Of dots and dashes there is no tube: a gap may have been bridged beside one.
    along = graph.pixels[:0] if dashed else graph.pixels[route]
    outgrown = outgrowths(
        strokes, along, graph.pixels, _with_sunk(network, half_width, plan), half_width, plan, config.outgrowths
    )
    return PathFindings(
        as_asked=as_asked,
        rgb=_mean_color(picture, graph),
        chroma=median_along(ink.strength, graph),
        # A pattern all over the maze shows no path, wherever its lines happen to run.
        pieces=() if texture else network.pieces(),
        crossings=()
        if texture
        else _with_rim(_with_sunk(network, half_width, plan), rim_crossings(strokes, plan, config.exterior)),
        polyline=() if texture else _simplify(graph.pixels[route], plan, config),
        order=() if texture else network.cells_along(route),
        filled=filled,
        spilled=_inked_cells(strokes, config.spilled, plan) - _joining(network, plan) | main.dotted,
        specked=main.specked,
        exterior_painted=painted,
        texture=texture,
        colorless=colorless,
        grey_line=grey_line,
        half_width_px=half_width * plan.factor,
        strokes=strokes,
        aside=network.apart(route, strokes, config.outgrowths.rail)
        | _pale_beside(strokes, ink.strength, graph, route, config.beside)
        | outgrown,
        dashed=dashed,
        outgrown=outgrown if outgrown.any() and not texture else None,
        spurs=() if texture or plan.pieces is None else network.spurs(route, plan.pieces.spur_px),
    )


def _pale_beside(
    strokes: NDArray[np.bool_],
    strength: NDArray[np.float32],
    graph: StrokeGraph,
    route: NDArray[np.intp],
    config: PaleStrokeConfig,
) -> NDArray[np.bool_]:
    """(h, w) bool, strokes far paler than the line that hang on it, and are neither its edge nor on its way.

    A line that fades is pale where it leads; what is pale beside it was drawn besides.
    """
    none = np.zeros_like(strokes)
    if not len(route):
        return none
    on_route = tuple(graph.pixels[route].T)
    pale = strokes & (strength < config.pale * float(np.median(strength[on_route])))
    if np.count_nonzero(pale) < config.least * np.count_nonzero(strokes):
        return none
    way = none.view(np.uint8).copy()
    way[on_route] = 1
    reach = max(config.reach_px, round(config.reach * float(np.median(graph.half_widths[route]))))
    known = cv2.dilate(way | (strokes & ~pale).view(np.uint8), _disc(reach))
    return np.asarray(pale & (known == 0), np.bool_)


def _disc(reach: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1)), np.uint8)


def _with_sunk(network: StrokeNetwork, half_width: float, plan: Floorplan) -> tuple[Crossing, ...]:
    """Crossings of walls, and of a floor's walls those that strokes run into."""
    if plan.pieces is None:
        return network.crossings
    known = {cell for one in network.crossings for cell in (one.first, one.second)}
    # Where all of a line's width lies within a wall, a person sees it there.
    least = min(max(plan.pieces.within_px, half_width + 1.0), plan.pieces.sunk_px)
    return (*network.crossings, *(one for one in network.sunk(least) if one.first not in known))


def _with_rim(crossings: tuple[Crossing, ...], rim: tuple[Crossing, ...]) -> tuple[Crossing, ...]:
    known = {(one.first, one.second) for one in crossings}
    return (*(one for one in rim if (one.first, one.second) not in known), *crossings)


def _exterior_painted(asked: NDArray[np.bool_], plan: Floorplan, config: ExteriorConfig) -> bool:
    count = int(np.count_nonzero(plan.exterior))
    inked = int(np.count_nonzero(asked & plan.exterior))
    # An exterior of a few slivers is no place to paint.
    return count > plan.cell_px**2 * config.least_area and inked > config.painted * count


def _indoors(asked: NDArray[np.bool_], plan: Floorplan, config: ExteriorConfig) -> NDArray[np.bool_]:
    """Takes away paint outside, with what of it reaches over the rim of the maze."""
    outside = plan.outside
    paint = (asked & outside).astype(np.uint8)
    near = outside | (plan.depth < config.joined * plan.wall_reach_px)
    count, pieces = cv2.connectedComponents((asked & near).astype(np.uint8))
    reached = np.unique(pieces[paint > 0])
    drop = np.zeros(count, np.bool_)
    drop[reached] = True
    drop[0] = False
    near_rim = cv2.distanceTransform((~outside).astype(np.uint8), cv2.DIST_L2, 3) < config.cut * plan.wall_reach_px
    return np.asarray(asked & ~(drop[pieces] & (outside | near_rim)), np.bool_)


def _clean(mask: NDArray[np.bool_], strength: NDArray[np.float32], plan: Floorplan, config: SpeckConfig) -> _Cleaned:
    """Closes pinholes and sorts out specks."""
    at = np.flatnonzero(mask)
    if at.size < config.area * plan.cell_px**2:
        return _Cleaned(np.zeros_like(mask), 0.0, _cells(np.unique(plan.labels.ravel()[at])), 0, frozenset())
    radius = max(1, round(config.pinhole * plan.unit_px))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    closed = cv2.morphologyEx(mask.view(np.uint8), cv2.MORPH_CLOSE, kernel)
    # What is closed across a wall that shows no ink would be a crossing that nobody drew.
    closed = cv2.bitwise_and(closed, (mask | ~plan.walls).view(np.uint8))
    # not a threshold: a pixel's neighbours
    count, pieces = cv2.connectedComponents(closed, connectivity=8)
    # Only what was drawn is measured, not the closing; a pixel half covered by a stroke's edge counts half.
    drawn, owner = strength.ravel()[at], pieces.ravel()[at]
    rank = ((config.opaque - 1) * drawn.size) // config.opaque
    full = float(np.partition(drawn, rank)[rank])
    opacity = drawn / max(full, 1e-6)  # not a threshold: against a division by 0
    weights = np.bincount(owner, weights=np.minimum(1.0, opacity), minlength=count)
    keep = weights >= config.area * plan.cell_px**2
    # What stays within the rim of a marker is its colour smeared, not a stroke.
    keep &= np.bincount(owner[~plan.marker_rims.ravel()[at]], minlength=count) > 0
    keep[0] = False
    smear = _smear(np.asarray(pieces, np.int32), keep, at, opacity, plan, config)
    keep &= ~smear
    seen = ~keep & ~smear & (weights >= config.seen * plan.cell_px**2)
    strokes = closed.view(np.bool_) if keep[1:].all() else keep[pieces]
    specked = plan.labels.ravel()[at[seen[owner]]] if seen.any() else np.zeros(0, np.int32)
    dotted = _dotted(np.asarray(pieces, np.int32), seen, plan, config)
    area = float(weights[keep].sum())
    # Around the maze there is no pattern that hides an answer, but noise on what is dark has hues.
    within = np.bincount(owner[plan.labels.ravel()[at] != OUTSIDE], minlength=count) > 0
    return _Cleaned(strokes, area, _cells(np.unique(specked)), int(np.count_nonzero(seen & within)), dotted)


def _smear(
    pieces: NDArray[np.int32],
    keep: NDArray[np.bool_],
    at: NDArray[np.intp],
    opacity: NDArray[np.float32],
    plan: Floorplan,
    config: SpeckConfig,
) -> NDArray[np.bool_]:
    """Pieces, by number, that are so pale and so near to others that compression may have left them there.

    They are no strokes. Whether they are more than that is told of what remains.
    """
    strongest = np.zeros(len(keep), np.float32)
    np.maximum.at(strongest, pieces.ravel()[at], opacity)
    pale = strongest < config.pale
    pale[0] = False
    if not pale.any() or not (keep & ~pale).any():
        return np.zeros_like(pale)
    near = distance_to((keep & ~pale)[pieces]) <= config.smear_px / plan.factor
    return np.asarray(pale & (np.bincount(pieces.ravel()[at[~near.ravel()[at]]], minlength=len(keep)) == 0), np.bool_)


def _dotted(pieces: NDArray[np.int32], seen: NDArray[np.bool_], plan: Floorplan, config: SpeckConfig) -> frozenset[int]:
    """Cells with several specks: a dotted line, however small its dots."""
    if np.count_nonzero(seen) < config.dots_in_cell:
        return frozenset()
    at = np.flatnonzero(seen[pieces])
    # One pixel of each speck says where it lies.
    _, first = np.unique(pieces.ravel()[at], return_index=True)
    cells, counts = np.unique(plan.labels.ravel()[at[first]], return_counts=True)
    return _cells(cells[counts >= config.dots_in_cell])


def _cells(labels: NDArray[np.int32]) -> frozenset[int]:
    return frozenset(int(label) for label in labels if label != OUTSIDE)


def _inked_cells(ink: NDArray[np.bool_], share: float, plan: Floorplan) -> frozenset[int]:
    """Cells of whose floor more than a share is inked."""
    at = np.flatnonzero(ink)
    at = at[plan.floor.ravel()[at]]
    inked = np.bincount(plan.compact_labels.ravel()[at], minlength=len(plan.cell_ids))
    return _cells(plan.cell_ids[(inked > share * plan.cell_areas) & (plan.cell_areas > 0)])


def _joining(network: StrokeNetwork, plan: Floorplan) -> frozenset[int]:
    """Of a floor's pieces those that touch one which strokes visit: a stroke may be as wide as to lie on both."""
    if plan.pieces is None:
        return frozenset()
    visited = set(network.segment_label[network.deep].tolist())
    return frozenset(cell for pair in plan.passages if visited & set(pair) for cell in pair)


def _filled_cells(ink: NDArray[np.bool_], half_width: float, plan: Floorplan, config: PathConfig) -> frozenset[int]:
    """Cells that are filled: a bold line, or one that glows, is no wider in a narrow one than elsewhere."""
    filled = _inked_cells(ink, config.filled, plan)
    inked = _inked_cells(ink, config.spilled, plan)
    if not filled or len(filled) > config.mostly * len(inked):
        return filled
    # not a threshold: the side of OpenCV's smaller mask
    depth = plan.cell_maxima(np.asarray(cv2.distanceTransform(ink.view(np.uint8), cv2.DIST_L2, 3), np.float32))
    elsewhere = depth[np.isin(plan.cell_ids, list(inked - filled))]
    usual = float(np.median(elsewhere)) if elsewhere.size else 0.0
    deep = depth > max(config.wider * half_width, config.deeper * usual)
    return filled & _cells(plan.cell_ids[deep])


def _colorless_cells(
    ink: Ink, drawn: _Cleaned, plan: Floorplan, config: PathConfig
) -> tuple[frozenset[int], NDArray[np.bool_] | None]:
    """Cells joined by a black or grey line, and that: no path of any colour, but a person would call it one.

    Where something is drawn in colour there is none. On a floor crumbs of colour, which compression leaves along black
    lines, are nothing beside it.
    """
    nothing = frozenset[int](), None
    if drawn.area and plan.pieces is None:
        return nothing
    # Walls of a floor may be as wide as its corridors, of which their rims would leave nothing.
    grey = ink.grey & (~plan.wall_rims if plan.pieces is None else plan.wall_distance > plan.rims.wall_px)
    if drawn.area > config.crumbs * np.count_nonzero(grey):
        return nothing
    cleaned = _clean(grey, grey.astype(np.float32), plan, config.specks).strokes
    graph = trace_strokes(cleaned)
    if not len(graph.pixels):
        return nothing
    network = StrokeNetwork(graph, plan, config.approach.reach)
    if network.is_texture(config.texture):
        return nothing
    cells = frozenset().union(*(piece.cells for piece in network.pieces() if piece.steps)) - {OUTSIDE}
    if not cells:
        return nothing
    # Near walls it may be their edge, unless it goes on there.
    shown = (ink.grey | ink.dark | cleaned).view(np.uint8)
    _, parts = cv2.connectedComponents(shown, connectivity=8)  # not a threshold: a pixel's neighbours
    return cells, np.isin(parts, np.unique(parts[cleaned]))


def _mean_color(picture: NDArray[np.uint8], graph: StrokeGraph) -> NDArray[np.float64] | None:
    """The mean colour along the centrelines, where strokes are purest."""
    if not len(graph.pixels):
        return None
    return np.asarray(picture[graph.pixels[:, 0], graph.pixels[:, 1]].mean(axis=0, dtype=np.float64), np.float64)


def _simplify(pixels: NDArray[np.intp], plan: Floorplan, config: PathConfig) -> tuple[tuple[float, float], ...]:
    if not len(pixels):
        return ()
    points = np.ascontiguousarray(pixels[:, ::-1].astype(np.float32)).reshape(-1, 1, 2)
    kept = cv2.approxPolyDP(points, max(config.simplify_px, config.simplify * plan.cell_px), False).reshape(-1, 2)
    return tuple(((float(x) + 0.5) * plan.factor, (float(y) + 0.5) * plan.factor) for x, y in kept)
