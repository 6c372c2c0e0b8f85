"""How the strokes on a maze hang together: cut at the borders of cells, joined through passages, crossing walls."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.plan.cell_maps import OUTSIDE, nearest_cell
from detectors.maze.plan.floorplan import Floorplan, Marker
from detectors.maze.strokes.config import ExteriorConfig, TextureConfig
from detectors.maze.strokes.segments import StrokeGraph

_ON_MARKER = 0.5  # not a threshold: half of what leads aside
_WHOLE = 0.5  # not a threshold: half as wide as elsewhere


@dataclass(frozen=True)
class Crossing:
    """A stroke through a wall between two cells (0 is outside), at (x, y) in puzzle pixels."""

    first: int
    second: int
    at: tuple[float, float]


@dataclass(frozen=True)
class StrokePiece:
    """Strokes that hang together without crossing a wall: the cells they visit, and the steps between them."""

    cells: frozenset[int]
    steps: frozenset[tuple[int, int]]


class StrokeNetwork:
    """Strokes cut at the borders of cells, and how the parts hang together."""

    def __init__(self, graph: StrokeGraph, plan: Floorplan, marker_reach: float) -> None:
        self.graph = graph
        self.plan = plan
        rows, columns = graph.pixels[:, 0], graph.pixels[:, 1]
        self.labels = plan.labels[rows, columns]
        depth = plan.depth[rows, columns]
        within = self.labels[graph.edges[:, 0]] == self.labels[graph.edges[:, 1]]
        self.count, self.segment = graph.pieces_by(graph.edges[within])
        self.segment_label = np.zeros(self.count, np.int64)
        self.segment_label[self.segment] = self.labels
        self.segment_depth = np.zeros(self.count, np.float64)
        np.maximum.at(self.segment_depth, self.segment, depth)
        # The centreline has to enter a cell by more than half a wall's width.
        self.deep = self.segment_depth > 0.5 * plan.wall_px
        between = graph.edges[~within]
        self._met = self._met_on_floor(between)
        self._leave_out_grazed(between)
        contacts = self._contacts(between)
        self.touched = {
            index: self._touch(marker, between, contacts, marker_reach) for index, marker in enumerate(plan.markers)
        }
        self.links: set[tuple[int, int]] = set()
        self.steps: set[tuple[int, int, int, int]] = set()
        self._crossings: dict[tuple[int, int], tuple[float, float]] = {}
        self._connect(between)
        # Strokes that run into one marker meet beneath it.
        for touching in self.touched.values():
            first, *rest = sorted(touching) or [-1]
            self.links.update((first, other) for other in rest)
        self.parent = list(range(self.count))
        for one, other in self.links:
            self._union(one, other)

    def _leave_out_grazed(self, between: NDArray[np.intp]) -> None:
        """Segments that came into their piece through passages only are deep where they do more than graze it.

        Half a wall's width says nothing of them, which may be as much as a piece is wide.
        """
        if self.plan.pieces is None:
            return
        shallow = self.segment_depth <= self.plan.pieces.grazed_px
        # What reaches a marker has come to it.
        walled = np.isin(self.segment_label, [marker.cell for marker in self.plan.markers])
        alone = np.ones(self.count, np.bool_)
        for one, other in self.segment[between].tolist():
            alone[[one, other]] = False
            if not self.plan.joined(int(self.segment_label[one]), int(self.segment_label[other])):
                walled[[one, other]] = True
        self.deep = np.where(walled | alone, self.deep, ~shallow)

    def _met_on_floor(self, between: NDArray[np.intp]) -> frozenset[tuple[int, int]]:
        """Pieces of a floor, lower one first, from one to another of which strokes lead on the floor only.

        Where three meet around a wall's end two of them touch in a corner, which is no passage.
        """
        if self.plan.pieces is None or not len(between):
            return frozenset()
        rows, columns = self.graph.pixels.T
        on_floor = (self.plan.solid_depth[rows, columns] == 0.0) & (self.labels != OUTSIDE)
        # Gaps that were closed may lie beneath walls.
        beside = np.abs(self.graph.pixels[between[:, 0]] - self.graph.pixels[between[:, 1]]).max(axis=1) <= 1
        whole = on_floor[between].all(axis=1) & beside
        pairs = [(min(pair), max(pair)) for pair in self.labels[between].tolist()]
        through = {pair for pair, free in zip(pairs, whole.tolist(), strict=True) if not free}
        return frozenset(set(pairs) - through)

    @property
    def crossings(self) -> tuple[Crossing, ...]:
        """Crossings, by cells."""
        return tuple(Crossing(first, second, at) for (first, second), at in sorted(self._crossings.items()))

    def is_texture(self, config: TextureConfig) -> bool:
        """Whether the strokes visit more than a share of all cells and cross more than a share of all walls."""
        cells = len(self.plan.cell_ids) - 1
        visited = len(set(self.segment_label[self.deep].tolist()) - {OUTSIDE})
        walls = sum(1 for border in self.plan.borders if not border.open and border.first != OUTSIDE)
        inner = sum(1 for first, _ in self._crossings if first != OUTSIDE)
        return visited > config.cells * cells and inner > max(config.least_crossings, config.crossings * walls)

    def pieces(self) -> tuple[StrokePiece, ...]:
        """Strokes that hang together without crossing a wall, those with most cells first."""
        cells: dict[int, set[int]] = {}
        steps: dict[int, set[tuple[int, int]]] = {}
        for segment in np.flatnonzero(self.deep).tolist():
            root = self._find(segment)
            cells.setdefault(root, set()).add(int(self.segment_label[segment]))
            steps.setdefault(root, set())
        for segment, _, first, second in self.steps:
            steps[self._find(segment)].add((min(first, second), max(first, second)))
        found = [StrokePiece(frozenset(cells[root]), frozenset(steps[root])) for root in cells]
        return tuple(sorted(found, key=lambda piece: (-len(piece.cells), sorted(piece.cells))))

    def longest_route(self) -> NDArray[np.intp]:
        """Skeleton pixels from the first marker that a stroke touches to the next one, or to the farthest pixel."""
        if not len(self.graph.pixels):
            return np.zeros(0, np.intp)
        anchors = [
            self._nearest_pixel(self.plan.markers[index], touching)
            for index, touching in self.touched.items()
            if touching
        ]
        if len(anchors) >= 2:
            route = self.graph.route(anchors[0], anchors[1])
            if len(route) > 1:
                return route
        if anchors:
            return self.graph.route(anchors[0], None)
        _, piece = self.graph.pieces
        largest = int(np.bincount(piece).argmax())
        inside = np.flatnonzero(piece == largest)
        ends = np.intersect1d(self.graph.ends, inside)
        first = int(ends[0]) if ends.size else int(inside[0])
        farthest = int(self.graph.route(first, None)[-1])
        return self.graph.route(farthest, None)

    def spurs(self, route: NDArray[np.intp], least: float) -> tuple[tuple[int, int], ...]:
        """The cells in which strokes leave a route and in which they end, where they are longer than that, in pixels.

        Of what is wide only what reaches out of the route's own stroke counts.
        """
        if not len(route):
            return ()
        away, roots = self.graph.distances_from(route)
        rows, columns = self.graph.pixels.T
        # What lies on a marker is the marker, or has come to it. Ends may be joined to others by gaps that were closed.
        far = np.isfinite(away) & (self.plan.marker_distance[rows, columns] > _ON_MARKER * least)
        far &= away - 2.0 * self.graph.half_widths[np.maximum(roots, 0)] > least
        found: dict[int, int] = {}
        for pixel in np.flatnonzero(far)[np.argsort(away[far], kind="stable")].tolist():
            found[int(roots[pixel])] = pixel
        # Strokes that wind about in one place, as beneath a marker, lead nowhere.
        on = self.graph.pixels[route].astype(np.float64)
        spurs: set[tuple[int, int]] = set()
        for root, pixel in found.items():
            out = float(np.hypot(*(on - self.graph.pixels[pixel]).T).min())
            if out - float(self.graph.half_widths[root]) > least:
                spurs.add((int(self.labels[root]), int(self.labels[pixel])))
        return tuple(sorted(spurs))

    def sunk(self, least: float) -> tuple[Crossing, ...]:
        """Where strokes run within a wall, on its middle or deeper than that in it, in pixels; one a cell."""
        rows, columns = self.graph.pixels[:, 0], self.graph.pixels[:, 1]
        if not len(rows):
            return ()
        within = ((self.plan.solid_depth > least) | self.plan.wall_ridges)[rows, columns]
        # Thinning leads from a wide stroke's middle to bumps at its edge.
        within &= self.graph.half_widths >= _WHOLE * float(np.median(self.graph.half_widths))
        factor = self.plan.factor
        found: dict[int, Crossing] = {}
        for at in np.flatnonzero(within).tolist():
            cell = int(self.labels[at])
            if cell == OUTSIDE:
                cell = nearest_cell(self.plan.labels, int(rows[at]), int(columns[at]))
            place = ((float(columns[at]) + 0.5) * factor, (float(rows[at]) + 0.5) * factor)
            found.setdefault(cell, Crossing(cell, cell, place))
        return tuple(found[cell] for cell in sorted(found))

    def apart(self, route: NDArray[np.intp], strokes: NDArray[np.bool_], rail: float) -> NDArray[np.bool_]:
        """(h, w) bool, those of the strokes that lie apart from a route, and lead into no cell of their own.

        Such strokes say nothing about the path: they lie beside it in its cells, or on walls. One that a gap was
        bridged to is apart all the same, unless the route leads over the gap. What is as long as the share ``rail`` of
        the route is the second one of two rails, and belongs to the line.
        """
        # not a threshold: a pixel's neighbours
        count, areas = cv2.connectedComponents(strokes.view(np.uint8), connectivity=8)
        if count <= 2 or not len(route):
            return np.zeros_like(strokes)
        piece = areas[self.graph.pixels[:, 0], self.graph.pixels[:, 1]]
        deep = self.deep[self.segment] & (self.labels != OUTSIDE)
        on_route = np.zeros(count, np.bool_)
        on_route[piece[route]] = True
        # What leads on where no ink is, beneath a marker say, is of no area.
        on_route[0] = True
        own = on_route[piece]
        visited = np.unique(self.labels[own & deep])
        elsewhere = np.zeros(count, np.bool_)
        elsewhere[piece[deep & ~np.isin(self.labels, visited)]] = True
        # What passes through a wall is told as a crossing.
        through = {cell for pair in self._crossings for cell in pair}
        elsewhere[piece[deep & np.isin(self.labels, list(through))]] = True
        rails = np.bincount(piece, minlength=count) >= rail * len(route)
        return np.asarray((~on_route & ~elsewhere & ~rails)[areas], np.bool_)

    def cells_along(self, route: NDArray[np.intp]) -> tuple[int, ...]:
        """The visited cells along a route, each once, in order."""
        labels = self.labels[route[self.deep[self.segment[route]]]]
        cells, first = np.unique(labels, return_index=True)
        return tuple(int(cell) for cell in cells[np.argsort(first)] if cell != OUTSIDE)

    def _contacts(self, between: NDArray[np.intp]) -> NDArray[np.intp]:
        """With how many others each segment meets at the borders of its cell."""
        pairs = np.sort(self.segment[between].reshape(-1, 2).astype(np.int64), axis=1)
        distinct = np.unique(pairs[:, 0] * self.count + pairs[:, 1])
        return np.bincount(np.concatenate(np.divmod(distinct, self.count)), minlength=self.count)

    def _touch(
        self, marker: Marker, between: NDArray[np.intp], contacts: NDArray[np.intp], marker_reach: float
    ) -> frozenset[int]:
        """Segments that reach a marker in its own cell. What lies under the marker belongs to them.

        A stroke that ends in the cell but far from the marker has not arrived; its segment is no longer deep. One that
        came through a wall has crossed it all the same.
        """
        inside = np.flatnonzero(self.labels == marker.cell)
        if not inside.size or marker.cell == OUTSIDE:
            return frozenset()
        near = np.full(self.count, np.inf)
        gaps = distance_to(marker, self.graph.pixels[inside]) - self.graph.half_widths[inside]
        np.minimum.at(near, self.segment[inside], gaps)
        own = self.segment_label == marker.cell
        reach = marker_reach * self.plan.cell_px
        short = np.flatnonzero(own & (near > reach) & (contacts <= 1))
        self.deep[[one for one in short.tolist() if not self._through_wall(one, between)]] = False
        return frozenset(np.flatnonzero(own & self.deep & (near <= reach)).tolist())

    def _through_wall(self, segment: int, between: NDArray[np.intp]) -> bool:
        """Whether a segment hangs together with one in a cell that no passage leads to."""
        pairs = self.segment[between].reshape(-1, 2)
        others = pairs[(pairs == segment).any(axis=1)].ravel()
        here = int(self.segment_label[segment])
        cells = {int(self.segment_label[other]) for other in others.tolist()} - {here}
        return any(not self.plan.joined(here, cell) for cell in cells)

    def _nearest_pixel(self, marker: Marker, segments: frozenset[int]) -> int:
        inside = np.flatnonzero(np.isin(self.segment, list(segments)))
        offset = self.graph.pixels[inside] - (marker.center[1], marker.center[0])
        return int(inside[np.hypot(offset[:, 0], offset[:, 1]).argmin()])

    def _connect(self, borders: NDArray[np.intp]) -> None:
        """Follows the strokes over borders: steps through passages, and crossings of walls."""
        contacts: dict[tuple[int, int], int] = {}
        for one, other in borders.tolist():
            key = (int(self.segment[one]), int(self.segment[other]))
            contacts.setdefault((min(key), max(key)), one)
        shallow: dict[int, list[tuple[int, int]]] = {}
        for (one, other), at in contacts.items():
            if self.deep[one] and self.deep[other]:
                self._step(one, other, (), at)
            for segment, neighbour in ((one, other), (other, one)):
                if not self.deep[segment]:
                    shallow.setdefault(segment, []).append((neighbour, at))
        for group in _groups(shallow, self.deep):
            rim = sorted({(neighbour, at) for one in group for neighbour, at in shallow[one] if self.deep[neighbour]})
            through = tuple(int(self.segment_label[one]) for one in group)
            for index, (one, at) in enumerate(rim):
                for other, _ in rim[index + 1 :]:
                    if one != other:
                        self._step(one, other, through, at)

    def _step(self, one: int, other: int, through: tuple[int, ...], at: int) -> None:
        first, second = int(self.segment_label[one]), int(self.segment_label[other])
        if first == second or self._open_way(first, second, through):
            self.links.add((one, other))
            if first != second:
                self.steps.add((one, other, first, second))
            return
        row, column = self.graph.pixels[at]
        factor = self.plan.factor
        key = (min(first, second), max(first, second))
        self._crossings.setdefault(key, ((float(column) + 0.5) * factor, (float(row) + 0.5) * factor))

    def _open_way(self, first: int, second: int, through: tuple[int, ...]) -> bool:
        """Whether passages lead from one cell to another by way of cells whose rim was grazed."""
        reached, waiting = {first}, [first]
        around = {*through, second}
        while waiting:
            here = waiting.pop()
            if here == second:
                return True
            for there in around - reached:
                if here == there or self.plan.joined(here, there) or (min(here, there), max(here, there)) in self._met:
                    reached.add(there)
                    waiting.append(there)
        return False

    def _find(self, segment: int) -> int:
        while self.parent[segment] != segment:
            self.parent[segment] = self.parent[self.parent[segment]]
            segment = self.parent[segment]
        return segment

    def _union(self, one: int, other: int) -> None:
        self.parent[self._find(one)] = self._find(other)


def rim_crossings(strokes: NDArray[np.bool_], plan: Floorplan, config: ExteriorConfig) -> tuple[Crossing, ...]:
    """Strokes through an outer wall, all the way across it; a maze may fill its picture, with no outside to draw in.

    Parameters
    ----------
    strokes : ndarray of shape (h, w), bool
    plan : Floorplan
    config : ExteriorConfig
    """
    at, owner = plan.border_pixels
    height, width = plan.labels.shape
    inked = np.flatnonzero(strokes.ravel()[at])
    inked = inked[plan.outer_borders[owner[inked]] & plan.walls.ravel()[at[inked]]]
    through = np.ones(inked.size, np.bool_)
    for step in range(1, math.ceil(plan.wall_px + 1.0) + 1):
        row, column = np.divmod(at[inked], width)
        rows = np.rint(row + step * plan.border_normals[inked, 0]).astype(np.intp)
        columns = np.rint(column + step * plan.border_normals[inked, 1]).astype(np.intp)
        within = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        through[within] &= strokes[rows[within], columns[within]]
    found: list[Crossing] = []
    for index in np.unique(owner[inked[through]]).tolist():
        own = at[inked[through & (owner[inked] == index)]]
        # A pixel or two are the edge of a stroke along the wall.
        if own.size < config.through_px:
            continue
        border, middle = plan.borders[index], int(own[own.size // 2])
        place = ((middle % width + 0.5) * plan.factor, (middle // width + 0.5) * plan.factor)
        found.append(Crossing(border.first, border.second, place))
    return tuple(found)


def distance_to(marker: Marker, pixels: NDArray[np.intp]) -> NDArray[np.float64]:
    """Distance of each (row, column) of (N, 2) to the nearest pixel of a marker; 0 inside."""
    offset = pixels[:, None, :] - marker.outline[None, :, :]
    distance = np.sqrt((offset**2).sum(axis=2).min(axis=1))
    local = pixels - np.array([marker.top, marker.left])
    within = ((local >= 0) & (local < marker.mask.shape)).all(axis=1)
    inside = np.zeros(len(pixels), np.bool_)
    inside[within] = marker.mask[local[within, 0], local[within, 1]]
    return np.where(inside, 0.0, distance)


def _groups(shallow: dict[int, list[tuple[int, int]]], deep: NDArray[np.bool_]) -> Iterable[list[int]]:
    """Segments that only graze their cells, gathered where they touch."""
    seen: set[int] = set()
    for start in sorted(shallow):
        if start in seen:
            continue
        group, waiting = [], [start]
        seen.add(start)
        while waiting:
            here = waiting.pop()
            group.append(here)
            for neighbour, _ in shallow[here]:
                if not deep[neighbour] and neighbour not in seen:
                    seen.add(neighbour)
                    waiting.append(neighbour)
        yield sorted(group)
