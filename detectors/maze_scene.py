"""One frame of a clip against the maze as it was: ink, walls that are gone, markers that are gone.

A pixel is compared with the range of what the puzzle has at and beside its place, so that an edge which is blurred or
lies a pixel off is no ink. Between black and white this range holds every grey and, channel by channel, every colour;
the spread of the channels tells colour there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.cell_maps import OUTSIDE
from detectors.colors import median_rgb
from detectors.floorplan import Floorplan
from detectors.maze_motion_config import MotionConfig
from detectors.pictures import reduce_picture


@dataclass(frozen=True, eq=False)
class Reading:
    """What one frame shows.

    Attributes
    ----------
    ink : (h, w) uint8, 1 where something is drawn, else 0; specks left out
    labels, stats : its connected components, as OpenCV gives them, within the box around it
    origin : left and top of that box
    kept : labels of the components that are no specks
    borders_gone : positions in `MotionScene.borders` of walls that are gone
    markers_gone : positions of markers that are gone
    share : of the picture that differs
    """

    ink: NDArray[np.uint8]
    labels: NDArray[np.int32]
    stats: NDArray[np.int32]
    origin: tuple[int, int]
    kept: NDArray[np.intp]
    borders_gone: NDArray[np.intp]
    markers_gone: tuple[int, ...]
    share: float


class MotionScene:
    """The maze in the frame in which motion is looked for: the plan's working frame, or half of it.

    Parameters
    ----------
    plan : Floorplan
        Of the puzzle.
    config : MotionConfig

    Attributes
    ----------
    factor : puzzle pixels per pixel
    size : (width, height) of frames in pixels
    borders : closed borders of which enough is seen, as pairs of cells
    cell_px : a cell's width in pixels
    speck_px : the area of the largest speck in pixels
    """

    def __init__(self, plan: Floorplan, config: MotionConfig) -> None:
        self._plan, self._config = plan, config
        halved = 1
        while plan.labels.size > config.max_pixels * halved**2 and plan.cell_px >= 2 * halved * config.min_cell_px:
            halved *= 2
        self.factor = plan.factor * halved
        picture = reduce_picture(plan.picture, halved)
        height, width = picture.shape[:2]
        self.size = (width, height)
        self.cell_px = plan.cell_width_px / halved
        self.speck_px = config.speck * (plan.cell_px / halved) ** 2
        self.picture = picture
        around = np.ones((3, 3), np.uint8)
        self._low, self._high = cv2.erode(picture, around), cv2.dilate(picture, around)
        self._spread = cv2.dilate(_spread(picture), np.ones((5, 5), np.uint8))
        self.markers = tuple(self._marker_mask(index, halved) for index in range(len(plan.markers)))
        self._allow_smears()
        self._floor_at = _reduced_at(plan.floor_sample, plan.labels.shape[1], halved, width)
        self._wall_at = _reduced_at(plan.wall_sample, plan.labels.shape[1], halved, width)
        self._floor_rgb, self._wall_rgb = self._colors(picture)
        self._floor_grey, self._wall_grey = _grey(self._floor_rgb), _grey(self._wall_rgb)
        self._border_at, self._border_owner, self.borders = self._borders(halved)
        self._border_lengths = np.bincount(self._border_owner, minlength=len(self.borders))

    def noise(self, view: NDArray[np.uint8]) -> float:
        """The standard deviation of the floor in a frame, 0 to 255, told from its quartiles."""
        off = view.reshape(-1, 3)[self._floor_at].astype(np.float64) - self.picture.reshape(-1, 3)[self._floor_at]
        off -= np.median(off, axis=0)
        # The quartiles of a normal distribution lie 1.349 standard deviations apart.
        low, high = np.quantile(off, (0.25, 0.75), axis=0)
        return float((high - low).max()) / 1.349

    def read(self, view: NDArray[np.uint8], noise: float) -> Reading:
        """Reads one aligned frame.

        Parameters
        ----------
        view : ndarray of shape (h, w, 3), uint8 RGB
            In the scene's frame.
        noise : float
            As `noise` told it for the first frame.
        """
        config = self._config
        view = self._even(view)
        least = min(max(config.ink, config.noise_factor * noise), config.max_noise)
        least_spread = min(max(config.spread, config.noise_factor * noise), config.max_noise)
        beyond = cv2.max(cv2.subtract(view, self._high), cv2.subtract(self._low, view))
        red, green, blue = cv2.split(beyond)
        differs = _above(cv2.max(cv2.max(red, green), blue), least)
        spread = _above(cv2.subtract(_spread(view), self._spread), least_spread)
        ink = np.asarray(cv2.bitwise_or(differs, spread), np.uint8)
        self._add_upon(view, ink, least)
        markers_gone = self._strip_markers(view, ink, least)
        self._add_hidden(view, ink)
        # Only the box around the ink is searched for its parts.
        left, top, width, height = cv2.boundingRect(ink)
        box = (slice(top, top + height), slice(left, left + width))
        labels, stats = np.zeros((0, 0), np.int32), np.zeros((1, 5), np.int32)
        if width:
            _, parts, boxes, _ = cv2.connectedComponentsWithStatsWithAlgorithm(ink[box], 8, cv2.CV_32S, cv2.CCL_BOLELLI)
            labels, stats = np.asarray(parts, np.int32), np.asarray(boxes, np.int32)
        large = stats[:, cv2.CC_STAT_AREA] >= self.speck_px
        large[0] = False
        if not large[1:].all():
            ink[box] = large.astype(np.uint8).take(labels)
        return Reading(
            ink=ink,
            labels=labels,
            stats=stats,
            origin=(left, top),
            kept=np.flatnonzero(large),
            borders_gone=self._gone(view, spread),
            markers_gone=markers_gone,
            share=cv2.countNonZero(ink) / ink.size,
        )

    def _even(self, view: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Undoes a drift of colours, by the medians of floor and walls."""
        floor, wall = self._colors(view)
        drift = self._config.max_drift
        steady = self._config.steady
        # Thin walls grow paler by mere resampling.
        if np.abs(floor - self._floor_rgb).max() <= steady and np.abs(wall - self._wall_rgb).max() <= 8.0 * steady:
            return view
        floor = np.clip(floor, self._floor_rgb - drift, self._floor_rgb + drift)
        wall = np.clip(wall, self._wall_rgb - drift, self._wall_rgb + drift)
        table = np.empty((1, 256, 3), np.uint8)
        steps = np.arange(256.0)
        for channel in range(3):
            span = floor[channel] - wall[channel]
            meant = self._floor_rgb[channel] - self._wall_rgb[channel]
            gain = meant / span if abs(span) > 2.0 * drift else 1.0
            moved = self._floor_rgb[channel] + gain * (steps - floor[channel])
            table[0, :, channel] = np.clip(np.rint(moved), 0, 255)
        return np.asarray(cv2.LUT(view, table), np.uint8)

    def _colors(self, view: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        flat = view.reshape(-1, 3)
        black = np.zeros(3)
        floor = median_rgb(flat.take(self._floor_at, axis=0)) if self._floor_at.size else black
        return floor, median_rgb(flat.take(self._wall_at, axis=0)) if self._wall_at.size else black

    def _allow_smears(self) -> None:
        """Around markers, whose colour codecs smear over their blocks, only what differs by more is ink."""
        reach = 2 * round(self._config.smear_reach * self.cell_px) + 1
        kernel = np.ones((reach, reach), np.uint8)
        for mask, box in self.markers:
            marked = np.zeros(self._spread.shape, np.uint8)
            marked[box] = mask
            near = cv2.dilate(marked, kernel) > 0
            smear = round(self._config.smear)
            self._low[near] = np.maximum(self._low[near], smear) - smear
            self._high[near] = np.minimum(self._high[near], 255 - smear) + smear
            self._spread[near] = np.maximum(self._spread[near], smear)

    def _add_upon(self, view: NDArray[np.uint8], ink: NDArray[np.uint8], least: float) -> None:
        """What lies on a marker, where the range of colours is wide. Lines that a slight shift makes are opened."""
        for _, (rows, columns) in self.markers:
            red, green, blue = cv2.split(cv2.absdiff(view[rows, columns], self.picture[rows, columns]))
            differs = _above(cv2.max(cv2.max(red, green), blue), least + self._config.smear)
            opened = cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
            ink[rows, columns] |= np.asarray(opened, np.uint8)

    def _strip_markers(self, view: NDArray[np.uint8], ink: NDArray[np.uint8], least: float) -> tuple[int, ...]:
        """Takes floor, where a marker was, out of the ink; says which markers are gone."""
        gone = []
        floor = self._floor_rgb.astype(np.int16)
        for index, (mask, (rows, columns)) in enumerate(self.markers):
            as_floor = np.abs(view[rows, columns].astype(np.int16) - floor).max(axis=2) <= least
            ink[rows, columns][as_floor] = 0
            if np.count_nonzero(as_floor & mask) > self._config.marker_gone * np.count_nonzero(mask):
                gone.append(index)
        return tuple(gone)

    def _add_hidden(self, view: NDArray[np.uint8], ink: NDArray[np.uint8]) -> None:
        """A dot on a cross of its colour hardly differs from it; what shows between the arms is joined over them."""
        for index, (mask, (rows, columns)) in enumerate(self.markers):
            marker = self._plan.markers[index]
            if marker.solid > self._config.disc:
                continue
            alike = np.abs(view[rows, columns].astype(np.int16) - marker.rgb.astype(np.int16)).max(axis=2)
            near = (alike <= self._config.marker_alike).astype(np.uint8)
            around = cv2.dilate(mask.view(np.uint8), np.ones((3, 3), np.uint8))
            between = cv2.subtract(near, around)
            if cv2.countNonZero(between) < self.speck_px:
                continue
            arm = math.ceil(2.0 * marker.half_arm * self._plan.factor / self.factor)
            kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * arm + 1, 2 * arm + 1))
            ink[rows, columns] |= near & cv2.morphologyEx(between, cv2.MORPH_CLOSE, kernel)

    def _gone(self, view: NDArray[np.uint8], colored: NDArray[np.uint8]) -> NDArray[np.intp]:
        """Which closed borders are floor now. The darkest pixel around each counts, or a shift of one would erase."""
        if not len(self.borders):
            return np.zeros(0, np.intp)
        grey = cv2.cvtColor(view, cv2.COLOR_RGB2GRAY)
        dark = self._wall_grey < self._floor_grey
        around = np.ones((3, 3), np.uint8)
        near = (cv2.erode if dark else cv2.dilate)(grey, around).ravel()[self._border_at].astype(np.float64)
        toward_wall = (near - self._floor_grey) / (self._wall_grey - self._floor_grey)
        free = colored.ravel()[self._border_at] == 0
        missing = np.bincount(
            self._border_owner, weights=free & (toward_wall < self._config.standing), minlength=len(self.borders)
        )
        return np.flatnonzero(missing > self._config.gone * self._border_lengths)

    def _borders(self, halved: int) -> tuple[NDArray[np.intp], NDArray[np.intp], tuple[tuple[int, int], ...]]:
        """Flat positions of wall pixels of closed borders, which border each belongs to, and the borders."""
        plan, (width, height) = self._plan, self.size
        if abs(self._floor_grey - self._wall_grey) < 1.0:
            return np.zeros(0, np.intp), np.zeros(0, np.intp), ()
        grey = cv2.cvtColor(self.picture, cv2.COLOR_RGB2GRAY)
        dark = self._wall_grey < self._floor_grey
        near = (cv2.erode if dark else cv2.dilate)(grey, np.ones((3, 3), np.uint8)).ravel()
        standing = (near - self._floor_grey) / (self._wall_grey - self._floor_grey) > 0.7
        at: list[NDArray[np.intp]] = []
        owners: list[NDArray[np.intp]] = []
        pairs: list[tuple[int, int]] = []
        for border in plan.borders:
            if border.open or border.first == OUTSIDE:
                continue
            rows = np.minimum(border.pixels[:, 0] // halved, height - 1)
            columns = np.minimum(border.pixels[:, 1] // halved, width - 1)
            flat = np.unique(rows * width + columns)
            flat = flat[standing[flat]]
            if len(flat) < 3:
                continue
            at.append(flat)
            owners.append(np.full(len(flat), len(pairs), np.intp))
            pairs.append((border.first, border.second))
        if not pairs:
            return np.zeros(0, np.intp), np.zeros(0, np.intp), ()
        return np.concatenate(at), np.concatenate(owners), tuple(pairs)

    def _marker_mask(self, index: int, halved: int) -> tuple[NDArray[np.bool_], tuple[slice, slice]]:
        """A marker's pixels within a box around it that holds its rim, and that box."""
        marker = self._plan.markers[index]
        full = np.zeros(self._plan.labels.shape, np.uint8)
        full[marker.box] = marker.mask
        small = cv2.resize(full * 255, self.size, interpolation=cv2.INTER_AREA) > 96 if halved > 1 else full > 0
        rows, columns = np.flatnonzero(small.any(axis=1)), np.flatnonzero(small.any(axis=0))
        if not rows.size:
            return np.zeros((1, 1), np.bool_), (slice(0, 1), slice(0, 1))
        rim = math.ceil(0.1 * self.cell_px)
        box = (
            slice(max(0, int(rows[0]) - rim), int(rows[-1]) + 1 + rim),
            slice(max(0, int(columns[0]) - rim), int(columns[-1]) + 1 + rim),
        )
        return np.ascontiguousarray(small[box]), box


def _above(values: cv2.typing.MatLike, least: float) -> NDArray[np.uint8]:
    """1 where a value is above the least, else 0."""
    return np.asarray(cv2.threshold(values, least, 1, cv2.THRESH_BINARY)[1], np.uint8)


def _spread(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    red, green, blue = cv2.split(picture)
    largest, least = cv2.max(cv2.max(red, green), blue), cv2.min(cv2.min(red, green), blue)
    return np.asarray(cv2.subtract(largest, least), np.uint8)


def _grey(rgb: NDArray[np.float64]) -> float:
    return float(0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2])


def _reduced_at(at: NDArray[np.intp], width: int, halved: int, small_width: int) -> NDArray[np.intp]:
    """Flat positions in the plan's frame as flat positions in the scene's."""
    rows, columns = np.divmod(at, width)
    return np.asarray((rows // halved) * small_width + columns // halved, np.intp)
