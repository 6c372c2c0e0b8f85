"""The maze in the frame in which motion is looked for: what each pixel may be, where walls and markers are."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.clips.config import SceneConfig
from detectors.maze.plan.cell_maps import OUTSIDE
from detectors.maze.plan.floorplan import Floorplan
from grader.media.pyramid import reduce_picture


class MotionScene:
    """The maze in the frame in which motion is looked for: the plan's working frame, or half of it.

    Parameters
    ----------
    plan : Floorplan
        Of the puzzle.
    config : SceneConfig

    Attributes
    ----------
    plan : of the puzzle
    factor : puzzle pixels per pixel
    size : (width, height) of frames in pixels
    borders : closed borders of which enough is seen, as pairs of cells
    cell_px : a cell's width in pixels
    smear : by how much more (0 to 255) ink on a marker differs
    speck_px : the area of the largest speck in pixels
    picture : (h, w, 3) uint8 RGB, the maze as it was; of a textured one the flat one
    reference : (h, w, 3) uint8 RGB, the maze as it was, whatever its looks
    texture : of a textured maze, in frames of the scene's size
    low, high : (h, w, 3) uint8, the range of what the maze has at and beside each pixel
    spread : (h, w) uint8, the largest spread of channels beside each pixel
    markers : of each the pixels within a box, and that box
    floor_rgb, wall_rgb : (3,) float64, 0 to 255
    floor_grey, wall_grey : 0 to 255
    border_at, border_owner : (N,) flat positions of wall pixels of closed borders, and whose they are
    border_lengths : pixels of each border
    """

    def __init__(self, plan: Floorplan, config: SceneConfig) -> None:
        self.plan, self._config = plan, config
        halved = 1
        while plan.labels.size > config.max_pixels * halved**2 and plan.cell_px >= 2 * halved * config.min_cell_px:
            halved *= 2
        self.factor = plan.factor * halved
        picture = reduce_picture(plan.picture, halved)
        self.texture = None if plan.texture is None else plan.texture.halved(halved)
        self.reference = picture if self.texture is None else self.texture.picture
        height, width = picture.shape[:2]
        self.size = (width, height)
        self.cell_px = plan.cell_width_px / halved
        self.smear = config.smear
        self.speck_px = config.speck * (plan.cell_px / halved) ** 2
        self.picture = picture
        around = np.ones((3, 3), np.uint8)
        self.low, self.high = cv2.erode(picture, around), cv2.dilate(picture, around)
        self.spread = cv2.dilate(spread_of(picture), np.ones((config.spread_px, config.spread_px), np.uint8))
        self.markers = tuple(self._marker_mask(index, halved) for index in range(len(plan.markers)))
        self._allow_smears()
        self._floor_at = _reduced_at(plan.floor_sample, plan.labels.shape[1], halved, width)
        wall_at = _reduced_at(plan.wall_sample, plan.labels.shape[1], halved, width)
        self._sample_at = np.concatenate([self._floor_at, wall_at])
        self.floor_rgb, self.wall_rgb = self.colors(self.samples(picture))
        self.floor_grey, self.wall_grey = _grey(self.floor_rgb), _grey(self.wall_rgb)
        self.border_at, self.border_owner, self.borders = self._borders(halved)
        self.border_lengths = np.bincount(self.border_owner, minlength=len(self.borders))

    def noise(self, view: NDArray[np.uint8]) -> float:
        """The standard deviation of the floor in a frame, 0 to 255, told from its quartiles."""
        off = view.reshape(-1, 3)[self._floor_at].astype(np.float64) - self.picture.reshape(-1, 3)[self._floor_at]
        off -= np.median(off, axis=0)
        low, high = np.quantile(off, (0.25, 0.75), axis=0)  # not a threshold: the quartiles, which...
        return float((high - low).max()) / 1.349  # not a threshold: ...lie so many standard deviations apart

    def samples(self, view: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The pixels of a frame of the scene's size at which colours are told: (n, 3), of floor and then of walls."""
        return view.reshape(-1, 3).take(self._sample_at, axis=0)

    def colors(self, samples: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The colours of floor and walls by a frame's `samples`, each (3,), 0 to 255; black where unknown."""
        parts = samples[: self._floor_at.size], samples[self._floor_at.size :]
        floor, wall = (_median(part) if len(part) else np.zeros(3) for part in parts)
        return floor, wall

    def _allow_smears(self) -> None:
        """Around markers, whose colour codecs smear over their blocks, only what differs by more is ink."""
        reach = 2 * round(self._config.smear_reach * self.cell_px) + 1
        kernel = np.ones((reach, reach), np.uint8)
        for mask, box in self.markers:
            marked = np.zeros(self.spread.shape, np.uint8)
            marked[box] = mask
            near = cv2.dilate(marked, kernel) > 0
            smear = round(self._config.smear)
            self.low[near] = np.maximum(self.low[near], smear) - smear
            self.high[near] = np.minimum(self.high[near], 255 - smear) + smear
            self.spread[near] = np.maximum(self.spread[near], smear)

    def _borders(self, halved: int) -> tuple[NDArray[np.intp], NDArray[np.intp], tuple[tuple[int, int], ...]]:
        """Flat positions of wall pixels of closed borders, which border each belongs to, and the borders."""
        plan, (width, height) = self.plan, self.size
        if abs(self.floor_grey - self.wall_grey) < self._config.contrast:
            return np.zeros(0, np.intp), np.zeros(0, np.intp), ()
        grey = cv2.cvtColor(self.picture, cv2.COLOR_RGB2GRAY)
        dark = self.wall_grey < self.floor_grey
        near = (cv2.erode if dark else cv2.dilate)(grey, np.ones((3, 3), np.uint8)).ravel()
        standing = (near - self.floor_grey) / (self.wall_grey - self.floor_grey) > self._config.standing
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
            if len(flat) < self._config.least_border:
                continue
            at.append(flat)
            owners.append(np.full(len(flat), len(pairs), np.intp))
            pairs.append((border.first, border.second))
        if not pairs:
            return np.zeros(0, np.intp), np.zeros(0, np.intp), ()
        return np.concatenate(at), np.concatenate(owners), tuple(pairs)

    def _marker_mask(self, index: int, halved: int) -> tuple[NDArray[np.bool_], tuple[slice, slice]]:
        """A marker's pixels within a box around it that holds its rim, and that box."""
        marker = self.plan.markers[index]
        full = np.zeros(self.plan.labels.shape, np.uint8)
        full[marker.box] = marker.mask
        level = self._config.marker_level
        small = cv2.resize(full * 255, self.size, interpolation=cv2.INTER_AREA) > level if halved > 1 else full > 0
        rows, columns = np.flatnonzero(small.any(axis=1)), np.flatnonzero(small.any(axis=0))
        if not rows.size:
            return np.zeros((1, 1), np.bool_), (slice(0, 1), slice(0, 1))
        rim = math.ceil(self._config.marker_rim * self.cell_px)
        box = (
            slice(max(0, int(rows[0]) - rim), int(rows[-1]) + 1 + rim),
            slice(max(0, int(columns[0]) - rim), int(columns[-1]) + 1 + rim),
        )
        return np.ascontiguousarray(small[box]), box


def _median(colors: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The median of each channel of (n, 3) colours; of some thousands this is faster than to count levels."""
    ranks = ((len(colors) - 1) // 2, len(colors) // 2)
    ordered = np.partition(np.ascontiguousarray(colors.T), ranks, axis=1)
    return (ordered[:, ranks[0]].astype(np.float64) + ordered[:, ranks[1]]) / 2.0


def spread_of(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The largest channel of each pixel less its least one, (h, w) of (h, w, 3)."""
    red, green, blue = cv2.split(picture)
    largest, least = cv2.max(cv2.max(red, green), blue), cv2.min(cv2.min(red, green), blue)
    return np.asarray(cv2.subtract(largest, least), np.uint8)


def _grey(rgb: NDArray[np.float64]) -> float:
    # not a threshold: the luma of ITU-R BT.601
    return float(0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2])


def _reduced_at(at: NDArray[np.intp], width: int, halved: int, small_width: int) -> NDArray[np.intp]:
    """Flat positions in the plan's frame as flat positions in the scene's."""
    rows, columns = np.divmod(at, width)
    return np.asarray((rows // halved) * small_width + columns // halved, np.intp)
