"""A maze's floor plan: its walls, floor, markers and passages, in a working frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import project
from detectors.common.residual.mixing import distance_to, lengths, seen, seen_color
from detectors.maze.plan.cell_maps import OUTSIDE, sample
from detectors.maze.plan.corridors import Corridors, near_pairs, trace_corridors
from detectors.maze.plan.normals import normals_across
from detectors.maze.plan.parts import CellParts, cut_cells, largest_of_each, whole_cells
from detectors.maze.plan.rims import PieceRules, RimConfig
from detectors.maze.textures.texture import MazeTexture


@dataclass(frozen=True)
class Marker:
    """A start or goal marker: its pixels in the working frame, the cell of its centre, and its colour.

    ``mask`` covers the box at (``left``, ``top``) only. ``solid`` tells a disc from a cross: its area over its box's.
    """

    mask: NDArray[np.bool_]
    left: int
    top: int
    center: tuple[float, float]
    cell: int
    rgb: NDArray[np.float64]
    solid: float

    @cached_property
    def half_arm(self) -> float:
        """Half the mean width of a cross's two arms in pixels, which lie along its box's diagonals."""
        # not a threshold: two arms as long as a diagonal, twice half their width
        return float(np.count_nonzero(self.mask)) / (4.0 * math.hypot(*self.mask.shape))

    @cached_property
    def outline(self) -> NDArray[np.intp]:
        """(N, 2) row and column, in the working frame, of the pixels at its edge."""
        inner = cv2.erode(self.mask.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0) > 0
        return np.asarray(np.argwhere(self.mask & ~inner) + np.array([self.top, self.left]), np.intp)

    @property
    def box(self) -> tuple[slice, slice]:
        """Rows and columns of the working frame that ``mask`` covers."""
        rows, columns = self.mask.shape
        return slice(self.top, self.top + rows), slice(self.left, self.left + columns)


@dataclass(frozen=True)
class Border:
    """The border of two cells (``first`` < ``second``; 0 is outside): its pixels (row, column), and if it is open."""

    first: int
    second: int
    pixels: NDArray[np.intp]
    open: bool


@dataclass(frozen=True)
class Floorplan:
    """A maze's picture, understood.

    Attributes
    ----------
    size, factor : (width, height) of the picture in pixels, and picture pixels per working pixel
    picture, labels : (h, w, 3) uint8 and (h, w) int32, the picture in the working frame and its cell ids, 0 outside
    walls : (h, w) bool, dark pixels of walls, inside cells
    markers : start and goal markers, largest fill first
    depth : (h, w) float32, distance to the border of a pixel's own cell, in working pixels
    borders : every pair of adjoining cells, and every cell's border with the outside
    floor_rgb, wall_rgb : (3,) the colours of floor and wall
    cell_px, wall_px, rims : cell length and wall width in working pixels; how near to a thing something is a part of it
    unit_px : by this length what is drawn is looked at: that of a cell, or, of large cells, a half or a quarter of it
    texture : where the picture is a flat one that stands for a textured maze, that; else None
    pieces : of cells that are pieces of a floor, how strokes on them are told; else None
    """

    size: tuple[int, int]
    factor: int
    picture: NDArray[np.uint8]
    labels: NDArray[np.int32]
    walls: NDArray[np.bool_]
    markers: tuple[Marker, ...]
    depth: NDArray[np.float32]
    borders: tuple[Border, ...]
    floor_rgb: NDArray[np.float64]
    wall_rgb: NDArray[np.float64]
    cell_px: float
    wall_px: float
    unit_px: float
    rims: RimConfig
    texture: MazeTexture | None = None
    pieces: PieceRules | None = None

    def flattened(self, view: NDArray[np.uint8], covered: NDArray[np.bool_] | None) -> NDArray[np.uint8]:
        """An aligned candidate as it is looked at: of a textured maze, what it shows on the flat one."""
        return view if self.texture is None else self.texture.flattened(view, covered)

    @cached_property
    def cell_width_px(self) -> float:
        """How wide a cell is in working pixels: the side of a square of its area, but no less than the cell length.

        The cell length of a hexagon is its radius, of which it is nearly two wide.
        """
        areas = np.bincount(self.compact_labels.ravel(), minlength=len(self.cell_ids))[1:]
        return max(self.cell_px, float(np.sqrt(np.median(areas))))

    @property
    def wall_reach_px(self) -> float:
        """How far from a wall something may still be that wall, in working pixels: its width, less where it is wide."""
        return min(self.wall_px, self.rims.corridor * (self.cell_px - self.wall_px))

    @cached_property
    def passages(self) -> frozenset[tuple[int, int]]:
        """The pairs of cells, lower id first, with no wall between them."""
        return frozenset((border.first, border.second) for border in self.borders if border.open)

    @cached_property
    def floor_pattern(self) -> NDArray[np.float32] | None:
        """(h, w, 3) float32, what the puzzle's floor shows beside its colour: the lines of a grid, a light texture.

        It is told in the colours of `seen`, and of each pixel and its neighbours that which is plainest is taken, for a
        candidate may lie a pixel beside its place. None where the floor is plain.
        """
        away = self.open_floor & (self.wall_distance > self.rims.pattern_px)
        away &= self.marker_distance > self.rims.pattern_px
        own = (seen(self.picture) - seen_color(self.floor_rgb)) * away[..., None]
        contrast = lengths(own)
        shown = contrast > self.rims.pattern
        if np.count_nonzero(shown) <= self.rims.pattern_px * self.cell_px:
            return None
        own[~shown] = 0.0
        plainest, most = own.copy(), contrast * shown
        height, width = most.shape
        padded, padded_most = np.pad(own, ((1, 1), (1, 1), (0, 0))), np.pad(most, 1)
        for down in range(3):
            for right in range(3):
                near = padded_most[down : down + height, right : right + width]
                better = near > most
                plainest[better] = padded[down : down + height, right : right + width][better]
                most = np.maximum(most, near)
        return plainest

    @cached_property
    def marker_mask(self) -> NDArray[np.bool_]:
        """(h, w) bool, the pixels of all markers."""
        mask = np.zeros(self.labels.shape, np.bool_)
        for marker in self.markers:
            mask[marker.box] |= marker.mask
        return mask

    @cached_property
    def marker_rims(self) -> NDArray[np.bool_]:
        """(h, w) bool, markers and what lies so close around them that JPEG smears their colour over it."""
        around = np.ones((self.rims.marker_px, self.rims.marker_px), np.uint8)
        grown: NDArray[np.bool_] = cv2.dilate(self.marker_mask.astype(np.uint8), around) > 0
        return grown

    @cached_property
    def outside(self) -> NDArray[np.bool_]:
        """(h, w) bool, what belongs to no cell."""
        return np.asarray(self.labels == OUTSIDE, np.bool_)

    @cached_property
    def open_floor(self) -> NDArray[np.bool_]:
        """(h, w) bool, what is neither wall, marker nor outside."""
        return ~(self.walls | self.marker_mask | self.outside)

    @cached_property
    def floor(self) -> NDArray[np.bool_]:
        """(h, w) bool, the open floor, and not at the rim of what is none."""
        floor: NDArray[np.bool_] = cv2.dilate((~self.open_floor).view(np.uint8), np.ones((3, 3), np.uint8)) == 0
        return floor

    @cached_property
    def inner_floor(self) -> NDArray[np.bool_]:
        """(h, w) bool, the open floor, and not near what is none: edges mix in two pixels or so."""
        around = np.ones((5, 5), np.uint8)  # not a threshold: as far as soft edges reach
        inner: NDArray[np.bool_] = cv2.dilate((~self.open_floor).view(np.uint8), around) == 0
        return inner

    @cached_property
    def wall_rims(self) -> NDArray[np.bool_]:
        """(h, w) bool, walls, outside, and what lies so close that it may be the same, drawn wider or displaced."""
        dark = (self.walls | self.outside).view(np.uint8)
        reach = 2 * max(self.rims.wall_px, round(self.wall_reach_px)) + 1
        near: NDArray[np.bool_] = cv2.dilate(dark, np.ones((reach, reach), np.uint8)) > 0
        return near

    @cached_property
    def wall_distance(self) -> NDArray[np.float32]:
        """(h, w) float32, distance in working pixels to the nearest wall, or to the outside."""
        return distance_to(self.walls | self.outside)

    @cached_property
    def floor_distance(self) -> NDArray[np.float32]:
        """(h, w) float32, distance in working pixels to what is no wall and lies in a cell."""
        return distance_to(~(self.walls | self.outside))

    @cached_property
    def solid_depth(self) -> NDArray[np.float32]:
        """(h, w) float32, how deep a pixel lies within walls, be they cells' or rock around them; 0 where none is."""
        rock = self.outside & (project(self.picture, self.floor_rgb, self.wall_rgb) > 0.5)  # not a threshold: nearer
        return distance_to(~(self.walls | rock))

    @cached_property
    def wall_ridges(self) -> NDArray[np.bool_]:
        """(h, w) bool, the middles of walls: where the floor is as far away as at no pixel beside."""
        most = cv2.dilate(self.floor_distance, np.ones((3, 3), np.uint8))
        near = max(1.0, 0.3 * self.wall_px)  # not a threshold: less than half a wall
        # not a threshold: of two pixels side by side both are the middle
        return np.asarray(self.walls & (self.floor_distance >= np.maximum(most - 0.25, near)), np.bool_)

    @cached_property
    def outside_distance(self) -> NDArray[np.float32]:
        """(h, w) float32, distance in working pixels to the outside."""
        return distance_to(self.outside)

    @cached_property
    def marker_distances(self) -> tuple[NDArray[np.float32], ...]:
        """For each marker (h, w) float32, the distance in working pixels to it."""
        masks = np.zeros((len(self.markers), *self.labels.shape), np.bool_)
        for mask, marker in zip(masks, self.markers, strict=True):
            mask[marker.box] |= marker.mask
        return tuple(distance_to(mask) for mask in masks)

    @cached_property
    def marker_distance(self) -> NDArray[np.float32]:
        """(h, w) float32, distance in working pixels to the nearest marker."""
        return distance_to(self.marker_mask)

    @cached_property
    def corridors(self) -> Corridors:
        """The borders between cells, with lines along them and across them."""
        ends = np.cumsum([len(border.pixels) for border in self.borders])
        normals = np.split(self.border_normals, ends[:-1])
        borders = [
            (border.first, border.second, border.open, border.pixels, across)
            for border, across in zip(self.borders, normals, strict=True)
        ]
        return trace_corridors(borders, self.cell_ids, self.cell_centers)

    @cached_property
    def near_cells(self) -> NDArray[np.intp]:
        """(N, 2), positions in ``cell_ids`` of the pairs of cells that lie beside each other or touch at a corner."""
        # not a threshold: farther than any wall is wide, and less than a cell
        pairs = near_pairs(self.compact_labels, max(1, round(self.cell_px / 3)))
        return np.asarray(pairs[(self.cell_ids[pairs] != OUTSIDE).all(axis=1)], np.intp)

    @cached_property
    def by_cell(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Flat positions of all pixels, cell by cell in the order of ``cell_ids``, and where each cell begins."""
        flat = self.compact_labels.ravel()
        counts = np.bincount(flat, minlength=len(self.cell_ids))
        return np.argsort(flat, kind="stable"), np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.intp)

    def cell_maxima(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """(len(cell_ids),), the largest of (h, w) values in each cell; 0 outside and where a cell has no pixel."""
        return np.where(self.cell_ids == OUTSIDE, 0.0, largest_of_each(values, *self.by_cell))

    @cached_property
    def parts(self) -> CellParts:
        """Cells, or, where they are large, parts of them that are about a unit wide."""
        if self.unit_px >= self.cell_px:
            return whole_cells(*self.by_cell, self.cell_ids, self.corridors.pairs)
        return cut_cells(self.labels, self.cell_ids, self.unit_px)

    def pixels_of(self, position: int) -> NDArray[np.intp]:
        """Flat positions of the pixels of a cell, by its position in ``cell_ids``."""
        order, starts = self.by_cell
        return order[starts[position] : starts[position + 1] if position + 1 < len(starts) else order.size]

    @cached_property
    def cell_centers(self) -> NDArray[np.float64]:
        """(len(cell_ids), 2), the mean (row, column) of each cell's pixels, in working pixels."""
        rows, columns = np.indices(self.labels.shape)
        flat = self.compact_labels.ravel()
        count = np.maximum(np.bincount(flat, minlength=len(self.cell_ids)), 1)
        sums = [np.bincount(flat, weights=axis.ravel(), minlength=len(self.cell_ids)) for axis in (rows, columns)]
        return np.stack(sums, axis=1) / count[:, None]

    @cached_property
    def exterior(self) -> NDArray[np.bool_]:
        """(h, w) bool, what lies outside by more than a wall's width."""
        far: NDArray[np.bool_] = self.outside & (self.depth > self.wall_px)
        return far

    @cached_property
    def wall_cores(self) -> NDArray[np.bool_]:
        """(h, w) bool, the middles of walls: their edges are mixed with floor, and shift with any misalignment."""
        core = cv2.erode(self.walls.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=1) > 0
        return core if core.any() else self.walls

    @cached_property
    def floor_sample(self) -> NDArray[np.intp]:
        """Flat positions of a thousand or so floor pixels, evenly taken."""
        return sample(self.floor, self.rims.samples)

    @cached_property
    def wall_sample(self) -> NDArray[np.intp]:
        """Flat positions of a thousand or so wall pixels, evenly taken."""
        return sample(self.wall_cores, self.rims.samples)

    @cached_property
    def exterior_rgb(self) -> NDArray[np.float64]:
        """(3,) the colour of what lies outside; that of the walls where nothing does."""
        sample = self.picture.reshape(-1, 3)[self.exterior_sample]
        return np.asarray(np.median(sample, axis=0), np.float64) if len(sample) else self.wall_rgb

    @cached_property
    def exterior_sample(self) -> NDArray[np.intp]:
        """Flat positions of a thousand or so pixels outside, evenly taken."""
        return sample(self.exterior, self.rims.samples)

    @cached_property
    def border_pixels(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Flat positions of the pixels of all borders one after the other, and the border that each belongs to."""
        width = self.labels.shape[1]
        flat = [border.pixels[:, 0] * width + border.pixels[:, 1] for border in self.borders]
        owner = [np.full(len(pixels), index, np.intp) for index, pixels in enumerate(flat)]
        return np.concatenate(flat or [np.zeros(0, np.intp)]), np.concatenate(owner or [np.zeros(0, np.intp)])

    @cached_property
    def border_lengths(self) -> NDArray[np.intp]:
        """(len(borders),) how many pixels each border has."""
        return np.bincount(self.border_pixels[1], minlength=len(self.borders))

    @cached_property
    def border_walls(self) -> NDArray[np.bool_]:
        """(N,) for each of `border_pixels` whether a wall stands there: the middle of one between cells.

        Of an outer wall only the inner half lies in the maze; it is too narrow to have a middle.
        """
        at, owner = self.border_pixels
        return np.where(self.outer_borders[owner], self.walls.ravel()[at], self.wall_cores.ravel()[at])

    @cached_property
    def outer_borders(self) -> NDArray[np.bool_]:
        """(len(borders),) whether a border is one with the outside."""
        return np.array([border.first == OUTSIDE for border in self.borders], np.bool_)

    @cached_property
    def open_borders(self) -> NDArray[np.bool_]:
        """(len(borders),) whether a border is a passage."""
        return np.array([border.open for border in self.borders], np.bool_)

    @cached_property
    def border_normals(self) -> NDArray[np.float64]:
        """(N, 2), for each of `border_pixels` the unit vector (row, column) across its border; outwards at the rim."""
        normals: list[NDArray[np.float64]] = []
        # Pixel by pixel at the rim: a cell in a corner has two outer walls.
        inside = cv2.GaussianBlur((self.labels != OUTSIDE).astype(np.float32), (0, 0), self.rims.blur_px)
        inwards = np.stack([cv2.Sobel(inside, cv2.CV_32F, 0, 1), cv2.Sobel(inside, cv2.CV_32F, 1, 0)], axis=-1)
        for border in self.borders:
            if border.first == OUTSIDE:
                slope = inwards[border.pixels[:, 0], border.pixels[:, 1]].astype(np.float64)
                # not a threshold: against a division by 0
                normals.append(-slope / np.maximum(np.hypot(slope[:, 0], slope[:, 1]), 1e-6)[:, None])
                continue
            normals.append(normals_across(border.pixels, self.rims))
        return np.concatenate(normals or [np.zeros((0, 2))])

    @cached_property
    def cell_areas(self) -> NDArray[np.int64]:
        """Floor pixels of each cell, indexed by position in ``cell_ids``."""
        return np.bincount(self.compact_labels[self.floor], minlength=len(self.cell_ids)).astype(np.int64)

    @cached_property
    def cell_ids(self) -> NDArray[np.int32]:
        """The ids in the cell map, ascending, 0 first."""
        return self._compaction[0]

    @cached_property
    def compact_labels(self) -> NDArray[np.int32]:
        """(h, w) int32, positions in ``cell_ids``; circles' ids are too sparse to count by."""
        return self._compaction[1]

    @cached_property
    def _compaction(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        ids = np.unique(self.labels)
        if ids[0] != OUTSIDE:
            ids = np.concatenate([np.array([OUTSIDE], np.int32), ids])
        return ids.astype(np.int32), np.searchsorted(ids, self.labels).astype(np.int32)

    def joined(self, first: int, second: int) -> bool:
        """Whether two cells have a passage between them."""
        return (min(first, second), max(first, second)) in self.passages
