"""The picture of a sheet without holes, understood: its areas of one colour, its edges, where it lies."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.edges import rings
from detectors.common.residual.mixing import channel_maxima, channel_medians, distance_to, left_of_two, seen
from detectors.paper_fold.config import SheetConfig
from grader.media.pyramid import factor_for, reduce_picture

Points = Sequence[tuple[float, float]]
Line = tuple[tuple[float, float], tuple[float, float]]
"""(x, y) of both ends."""
_FIXED = 4  # not a threshold: bits of a fraction of a pixel, for OpenCV


@dataclass(frozen=True, eq=False)
class BareSheet:
    """A sheet's picture without holes, understood. Lengths in pixels are those of the working frame.

    Attributes
    ----------
    size : (width, height) of the picture in its own pixels
    factor : picture pixels per working pixel
    picture : (h, w, 3) uint8, in the working frame
    outline : corners (x, y) of what the sheet covers
    radius : of a hole
    creases : ends (x, y) of the lines where creases may show
    config : how it is looked at
    """

    size: tuple[int, int]
    factor: int
    picture: NDArray[np.uint8]
    outline: tuple[tuple[float, float], ...]
    radius: float
    creases: tuple[Line, ...]
    config: SheetConfig

    @cached_property
    def lab(self) -> NDArray[np.float32]:
        """(h, w, 3), the picture in the colours of `seen`."""
        return seen(self.picture)

    @cached_property
    def inside(self) -> NDArray[np.bool_]:
        """(h, w), what the sheet covers."""
        filled = np.zeros(self.picture.shape[:2], np.uint8)
        cv2.fillPoly(filled, [_fixed(self.outline)], 1, shift=_FIXED)
        return filled > 0

    @cached_property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of that, in pixels."""
        left, top, wide, high = cv2.boundingRect(self.inside.view(np.uint8))
        return left, top, left + wide, top + high

    @cached_property
    def marked(self) -> NDArray[np.bool_]:
        """(h, w), where marks are looked for: all of it but the pixels of edges."""
        return np.asarray(self.inside & (self.edge_distance > 1.0), np.bool_)  # not a threshold: an edge's own pixel

    @cached_property
    def depth(self) -> NDArray[np.float32]:
        """(h, w), how far within the sheet a pixel lies; negative outside of it."""
        return np.asarray(distance_to(~self.inside) - distance_to(self.inside), np.float32)

    @cached_property
    def along_creases(self) -> NDArray[np.bool_]:
        """(h, w), where a crease may show."""
        found = np.zeros(self.picture.shape[:2], np.uint8)
        marks = self.config.marks
        width = max(1, round(2 * ((marks.crease_aside + marks.crease) * self.radius + marks.crease_px)))
        for ends in self.creases:
            cv2.polylines(found, [_fixed(ends)], False, 1, width, shift=_FIXED)
        return np.asarray((found > 0) & self.inside, np.bool_)

    @cached_property
    def edges(self) -> NDArray[np.bool_]:
        """(h, w), pixels of lines and borders of the picture, or beside them."""
        paper = self.config.paper
        soft = cv2.GaussianBlur(self.lab, (0, 0), paper.smooth_px)
        around = np.ones((3, 3), np.uint8)  # not a threshold: a pixel's neighbours
        change = channel_maxima(cv2.dilate(soft, around) - cv2.erode(soft, around))
        wide = np.ones((2 * paper.thin_px + 1, 2 * paper.thin_px + 1), np.uint8)
        plain = cv2.morphologyEx((change <= paper.edge).astype(np.uint8), cv2.MORPH_OPEN, wide)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(plain, connectivity=4)  # not a threshold: no corners
        small = np.flatnonzero(stats[:, cv2.CC_STAT_AREA] < paper.least_area_px)
        return np.asarray((plain == 0) | np.isin(labels, small[small < count]), np.bool_)

    @cached_property
    def areas(self) -> tuple[NDArray[np.intp], ...]:
        """Flat positions of the pixels of each colour that the picture has: those around the sheet first.

        What hangs together between edges is of one colour, so that grain does not mix papers that are nearly alike.
        """
        lab = self.lab.reshape(-1, 3)
        found: list[list[NDArray[np.intp]]] = []
        for region in (~self.edges & ~self.inside, ~self.edges & self.inside):
            # not a threshold: no corners
            count, labels = cv2.connectedComponents(region.view(np.uint8), connectivity=4)
            order = np.argsort(labels, axis=None, kind="stable")
            bounds = np.searchsorted(labels.ravel()[order], np.arange(1, count + 1))
            parts = [order[start:end] for start, end in itertools.pairwise(bounds.tolist())]
            alike: list[tuple[NDArray[np.float32], list[NDArray[np.intp]]]] = []
            for part in sorted(parts, key=len, reverse=True):
                color = channel_medians(lab.take(part, axis=0))
                near = [own for first, own in alike if math.dist(color, first) <= self.config.paper.alike]
                if near:
                    near[0].append(part)
                else:
                    alike.append((color, [part]))
            found += [own for _, own in alike]
        areas = [np.sort(np.concatenate(own)) for own in found]
        return tuple(part for part in areas if part.size >= self.config.paper.least_area_px)

    @cached_property
    def area_of(self) -> NDArray[np.intp]:
        """(h, w), the place in `areas` of each pixel; of one of an edge that of the nearest on its side."""
        found = np.zeros(self.picture.shape[:2], np.intp)
        best = np.full(found.shape, np.inf, np.float32)
        for place, at in enumerate(self.areas):
            mask = np.zeros(found.shape, np.bool_)
            mask.ravel()[at] = True
            away = distance_to(mask)
            own = self.inside == bool(self.inside.ravel()[at[0]])
            away = np.where(own, away, away + sum(found.shape))
            nearer = away < best
            found[nearer], best[nearer] = place, away[nearer]
        return found

    def painted(self, colors: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        """(h, w, 3), each area in a colour."""
        table = np.zeros((256, 1, 3), np.float32)  # not a threshold: what a byte can tell
        table[: len(colors), 0] = colors
        return np.asarray(cv2.LUT(self._area_bytes, table), np.float32)

    @cached_property
    def _area_bytes(self) -> NDArray[np.uint8]:
        """`area_of` as bytes, thrice, to be looked up in a table of colours."""
        return np.asarray(cv2.merge([self.area_of.astype(np.uint8)] * 3), np.uint8)

    def part(self, place: int) -> NDArray[np.uint8]:
        """(h, w), 1 where `area_of` has this place."""
        return np.asarray(self.area_of == place, np.uint8)

    @cached_property
    def near_edges(self) -> NDArray[np.bool_]:
        """(h, w), where edges mix into areas."""
        return np.asarray(self.edge_distance <= self.config.paper.reach_px, np.bool_)

    @cached_property
    def beside_edges(self) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], ...]:
        """Of each area the flat positions of its pixels so near to an edge: right at it, and farther off."""
        core = self.edge_distance <= self.config.paper.core_px
        zones = (self.near_edges & core, self.near_edges & ~core)
        found = [[np.flatnonzero(zone & (self.area_of == place)) for zone in zones] for place in range(len(self.areas))]
        return tuple((one, other) for one, other in found)

    @cached_property
    def inner(self) -> NDArray[np.intp]:
        """Flat positions of the sheet's pixels that are away from edges."""
        return np.flatnonzero(self.inside & ~self.near_edges)

    @cached_property
    def outline_at(self) -> NDArray[np.intp]:
        """Flat positions of pixels in the middle of the sheet's own edge."""
        core = np.zeros(self.inside.size, np.bool_)
        core[self.edge_core] = True
        # not a threshold: the line's middle lies on the edge
        return np.flatnonzero(core & (np.abs(self.depth) <= self.config.paper.reach_px).ravel())

    @cached_property
    def is_lined(self) -> bool:
        """Whether a line along the sheet's edge stands out from all mixtures of the areas' colours."""
        line = channel_medians(self.lab.reshape(-1, 3).take(self.outline_at, axis=0))
        return _off_mixtures(line, list(self.colors)) >= self.config.paper.line

    @cached_property
    def outline_zone(self) -> NDArray[np.intp]:
        """Flat positions of those, and of pixels so near that the line may lie there."""
        side = 2 * self.config.paper.line_px + 1
        at = np.zeros(self.inside.shape, np.uint8)
        at.ravel()[self.outline_at] = 1
        return np.flatnonzero(cv2.dilate(at, np.ones((side, side), np.uint8)))

    @cached_property
    def edge_distance(self) -> NDArray[np.float32]:
        """(h, w), the distance of each pixel to an edge."""
        return distance_to(self.edges)

    @cached_property
    def edge_rings(self) -> tuple[NDArray[np.intp], ...]:
        """Flat positions of pixels by their distance to an edge."""
        return rings(self.edge_distance, self.config.paper.rings_px)

    @cached_property
    def colors(self) -> NDArray[np.float32]:
        """(areas, 3), the middle colour of each area, in the colours of `seen`."""
        lab = self.lab.reshape(-1, 3)
        return np.stack([np.median(lab[at], axis=0) for at in self.areas])

    @cached_property
    def edge_core(self) -> NDArray[np.intp]:
        """Flat positions of the pixels in the middle of edges: as far from all areas as is usual along the outline."""
        away = distance_to(~self.edges)
        along = away[(np.abs(self.depth) <= 1.0) & self.edges]
        usual = float(np.median(along)) if along.size else 1.0
        return np.flatnonzero(away >= max(1.0, self.config.paper.middle * usual))

    @cached_property
    def sample(self) -> NDArray[np.intp]:
        """Flat positions of pixels by which light is told."""
        at = np.concatenate(self.areas) if self.areas else np.zeros(0, np.intp)
        return at[:: max(1, at.size // max(1, self.config.paper.light.samples))]


def read_sheet(
    picture: NDArray[np.uint8],
    outline: Points,
    radius: float,
    creases: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    config: SheetConfig,
) -> BareSheet:
    """Reads the picture of a sheet without holes.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    outline : sequence of (x, y)
        Corners of what the sheet covers, in pixels.
    radius : float
        Of a hole, in pixels.
    creases : sequence of pair of (x, y)
        Where creases may show.
    config : SheetConfig
    """
    height, width = picture.shape[:2]
    factor = factor_for(radius, config.paper.least_radius_px)
    return BareSheet(
        (width, height),
        factor,
        reduce_picture(picture, factor),
        tuple((x / factor, y / factor) for x, y in outline),
        radius / factor,
        tuple(((a / factor, b / factor), (c / factor, d / factor)) for (a, b), (c, d) in creases),
        config,
    )


def _off_mixtures(color: NDArray[np.float32], colors: list[NDArray[np.float32]]) -> float:
    """How far a colour lies from all mixtures of two others, and from these."""
    least = np.inf
    for one in colors:
        for other in colors:
            left = left_of_two((color - one)[None], (other - one, other - one), 1.0)
            least = min(least, float(np.sqrt((left**2).sum())))
    return least


def _fixed(points: Points) -> NDArray[np.int32]:
    # not a threshold: the middle of the first pixel lies at a half
    return np.rint((np.asarray(points, np.float64) - 0.5) * (1 << _FIXED)).astype(np.int32).reshape(-1, 1, 2)
