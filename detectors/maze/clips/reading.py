"""One frame of a clip against the maze as it was: ink, walls that are gone, markers that are gone.

A pixel is compared with the range of what the puzzle has at and beside its place, so that an edge which is blurred or
lies a pixel off is no ink. Between black and white this range holds every grey and, channel by channel, every colour;
the spread of the channels tells colour there.

Only what changed since the frame before, be it by one level of one pixel, is read anew; so what is read is the same as
if every frame were read whole.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.clips.config import FrameConfig
from detectors.maze.clips.scene import MotionScene, spread_of
from grader.media.changes import Box, changed_boxes, everywhere, grown

_NARROW_LABELS_PX = 4 * 65535  # not a threshold: what is found is the same with wide labels
"""Of 8-connected parts there is at most one in four pixels; up to this size their labels fit into 16 bits."""

_AROUND = np.ones((3, 3), np.uint8)
_LEVELS = np.arange(256.0)  # not a threshold: the values that a channel can have


@dataclass(frozen=True, eq=False)
class FrameInk:
    """What is drawn in a frame.

    Attributes
    ----------
    mask : (h, w) uint8, 1 where something is drawn, else 0; specks left out
    labels, stats : its connected components, as OpenCV gives them, within the box around it
    origin : left and top of that box
    kept : labels of the components that are no specks
    share : of the picture that differs
    """

    mask: NDArray[np.uint8]
    labels: NDArray[np.integer]
    stats: NDArray[np.int32]
    origin: tuple[int, int]
    kept: NDArray[np.intp]
    share: float


@dataclass(frozen=True, eq=False)
class MazeFrameReading:
    """What one frame shows.

    Attributes
    ----------
    ink : what is drawn; the very one of the frame before where no pixel of it changed
    grey : (h, w) uint8, the frame's grey as it came
    borders_gone : positions in `MotionScene.borders` of walls that are gone
    markers_gone : positions of markers that are gone
    """

    ink: FrameInk
    grey: NDArray[np.uint8]
    borders_gone: NDArray[np.intp]
    markers_gone: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _MarkerSight:
    """The place of a marker: what lies upon it, where floor is, what is joined over its arms, whether it is gone."""

    upon: NDArray[np.uint8]
    not_floor: NDArray[np.uint8]
    joined: NDArray[np.uint8] | None
    gone: bool


class FrameReader:
    """Reads the frames of one clip, aligned and of the scene's size, in order.

    Parameters
    ----------
    scene : MotionScene
        Of the puzzle.
    config : FrameConfig
    """

    def __init__(self, scene: MotionScene, config: FrameConfig) -> None:
        width, height = scene.size
        self._scene, self._config = scene, config
        self._view: NDArray[np.uint8] | None = None
        self._samples: NDArray[np.uint8] | None = None
        self._colors: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
        self._table: NDArray[np.uint8] | None = None
        self._evened = np.zeros((height, width, 3), np.uint8)
        self._raw, self._vivid = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
        self._near, self._grey = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
        self._sights: list[_MarkerSight] = []
        self._with_specks: NDArray[np.uint8] | None = None
        self._reading: MazeFrameReading | None = None
        span = scene.wall_grey - scene.floor_grey
        toward_wall = (_LEVELS - scene.floor_grey) / span if len(scene.borders) else np.zeros(_LEVELS.shape)
        self._as_floor = toward_wall < config.standing

    def read(self, view: NDArray[np.uint8], changed: tuple[Box, ...] | None = None) -> MazeFrameReading:
        """Reads the next frame; gives the reading of the one before again where the two are equal.

        Parameters
        ----------
        view : ndarray of shape (h, w, 3), uint8 RGB
            In the scene's frame. It must not change any more.
        changed : tuple of Box, optional
            Parts that hold all in which it differs from the frame before, where that is known.
        """
        before, whole = self._view, everywhere(view.shape)
        if before is None:
            self._begin(view)
            boxes = whole
        else:
            boxes = changed if changed is not None else changed_boxes(before, view)
        self._view = view
        if self._reading is not None and not boxes:
            return self._reading
        samples = self._scene.samples(view)
        if self._samples is None or not np.array_equal(samples, self._samples):
            self._samples = samples
            colors = self._scene.colors(samples)
            if self._colors is None or not np.array_equal(colors, self._colors):
                self._colors = colors
                table = drift_table(colors, (self._scene.floor_rgb, self._scene.wall_rgb), self._config)
                if not _alike(table, self._table):
                    boxes = whole
                self._table = table
        even = self._compare(view, boxes)
        gone = self._strip(even, boxes)
        self._reading = MazeFrameReading(self._inked(), self._grey, self._gone(), gone)
        return self._reading

    def _begin(self, view: NDArray[np.uint8]) -> None:
        """Sets the bounds of what is no ink, by the noise of the first frame."""
        scene, config = self._scene, self._config
        noise = scene.noise(view)
        self._least = min(max(config.ink, config.noise_factor * noise), config.max_noise)
        least_spread = min(max(config.spread, config.noise_factor * noise), config.max_noise)
        # Of whole levels the difference is above a least one if it is above that one's whole part.
        by = np.full_like(view, math.floor(self._least))
        self._low, self._high = cv2.subtract(scene.low, by), cv2.add(scene.high, by)
        self._colorful = cv2.add(scene.spread, np.full_like(scene.spread, math.floor(least_spread)))
        floor = scene.floor_rgb.astype(np.int64)
        self._floor = _range(floor, self._least)

    def _compare(self, view: NDArray[np.uint8], boxes: tuple[Box, ...]) -> NDArray[np.uint8]:
        """Compares some boxes with the maze, pixel by pixel; the frame with its drift undone."""
        dark = self._scene.wall_grey < self._scene.floor_grey
        for box in boxes:
            part = view[box]
            grey = cv2.cvtColor(part, cv2.COLOR_RGB2GRAY)
            self._grey[box] = grey
            if self._table is not None:
                part = np.asarray(cv2.LUT(part, self._table), np.uint8)
                self._evened[box] = part
            alike = cv2.inRange(part, self._low[box], self._high[box])
            vivid = cv2.compare(spread_of(part), self._colorful[box], cv2.CMP_GT)
            self._vivid[box] = vivid
            self._raw[box] = cv2.bitwise_or(cv2.bitwise_not(alike), vivid)
        even = view if self._table is None else self._evened
        for box in boxes:
            # The darkest pixel around each counts, or a shift of one would erase a wall; so a box is read with its rim.
            wide, wider = grown(box, 1, even.shape), grown(box, 2, even.shape)
            grey = self._grey[wider] if self._table is None else cv2.cvtColor(even[wider], cv2.COLOR_RGB2GRAY)
            near = (cv2.erode if dark else cv2.dilate)(grey, _AROUND)
            top, left = wide[0].start - wider[0].start, wide[1].start - wider[1].start
            rows, columns = (one.stop - one.start for one in wide)
            self._near[wide] = near[top : top + rows, left : left + columns]
        return even

    def _strip(self, even: NDArray[np.uint8], boxes: tuple[Box, ...]) -> tuple[int, ...]:
        """Looks at the markers anew that lie in some boxes; says which are gone."""
        for index, (_, place) in enumerate(self._scene.markers):
            if index == len(self._sights):
                self._sights.append(self._look(even, index))
            elif any(_meet(box, place) for box in boxes):
                self._sights[index] = self._look(even, index)
        return tuple(index for index, sight in enumerate(self._sights) if sight.gone)

    def _look(self, even: NDArray[np.uint8], index: int) -> _MarkerSight:
        scene = self._scene
        mask, place = scene.markers[index]
        part = np.ascontiguousarray(even[place])
        # What lies on a marker, where the range of colours is wide. Lines that a slight shift makes are opened.
        red, green, blue = cv2.split(cv2.absdiff(part, scene.picture[place]))
        off = cv2.max(cv2.max(red, green), blue)
        differs = cv2.threshold(off, self._least + scene.smear, 1, cv2.THRESH_BINARY)[1]
        upon = np.asarray(cv2.morphologyEx(differs, cv2.MORPH_OPEN, _AROUND), np.uint8)
        # Floor, where a marker was, is no ink.
        as_floor = cv2.inRange(part, *self._floor)
        pixels = mask.view(np.uint8)
        gone = cv2.countNonZero(cv2.bitwise_and(as_floor, pixels)) > self._config.marker_gone * cv2.countNonZero(pixels)
        return _MarkerSight(upon, np.asarray(cv2.bitwise_not(as_floor), np.uint8), self._hidden(part, index), gone)

    def _hidden(self, part: NDArray[np.uint8], index: int) -> NDArray[np.uint8] | None:
        """A dot on a cross of its colour hardly differs from it; what shows between the arms is joined over them."""
        scene, marker = self._scene, self._scene.plan.markers[index]
        if marker.solid > self._config.disc:
            return None
        alike = cv2.inRange(part, *_range(marker.rgb.astype(np.int64), self._config.marker_alike))
        near = cv2.bitwise_and(alike, np.ones_like(alike))
        around = cv2.dilate(scene.markers[index][0].view(np.uint8), _AROUND)
        between = cv2.subtract(near, around)
        if cv2.countNonZero(between) < scene.speck_px:
            return None
        arm = math.ceil(2.0 * marker.half_arm * scene.plan.factor / scene.factor)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * arm + 1, 2 * arm + 1))
        return np.asarray(cv2.bitwise_and(near, cv2.morphologyEx(between, cv2.MORPH_CLOSE, kernel)), np.uint8)

    def _inked(self) -> FrameInk:
        """The ink of the frame, in its connected parts, without specks."""
        ink = np.asarray(cv2.threshold(self._raw, 0, 1, cv2.THRESH_BINARY)[1], np.uint8)
        places = [place for _, place in self._scene.markers]
        for place, sight in zip(places, self._sights, strict=True):
            ink[place] |= sight.upon
        for place, sight in zip(places, self._sights, strict=True):
            ink[place] &= sight.not_floor
        for place, sight in zip(places, self._sights, strict=True):
            if sight.joined is not None:
                ink[place] |= sight.joined
        if self._reading is not None and self._with_specks is not None and np.array_equal(ink, self._with_specks):
            return self._reading.ink
        self._with_specks = ink
        return _parted(ink, self._scene.speck_px)

    def _gone(self) -> NDArray[np.intp]:
        """Which closed borders are floor now, where no colour lies on them."""
        scene = self._scene
        if not len(scene.borders):
            return np.zeros(0, np.intp)
        as_floor = self._as_floor.take(self._near.ravel().take(scene.border_at))
        as_floor &= self._vivid.ravel().take(scene.border_at) == 0
        missing = np.bincount(scene.border_owner[as_floor], minlength=len(scene.borders))
        return np.flatnonzero(missing > self._config.gone * scene.border_lengths)


def drift_table(
    seen: tuple[NDArray[np.float64], NDArray[np.float64]],
    meant: tuple[NDArray[np.float64], NDArray[np.float64]],
    config: FrameConfig,
) -> NDArray[np.uint8] | None:
    """Returns the table (1, 256, 3), uint8, that undoes a drift of colours; None without one.

    Parameters
    ----------
    seen : pair of (3,) float64, 0 to 255
        The colours of floor and walls in a frame.
    meant : pair of (3,) float64, 0 to 255
        The puzzle's.
    config : FrameConfig
    """
    drift = config.max_drift
    (floor, wall), (meant_floor, meant_wall) = seen, meant
    steady = np.abs(floor - meant_floor).max() <= config.steady
    if steady and np.abs(wall - meant_wall).max() <= config.wall_steady:
        return None
    floor = np.clip(floor, meant_floor - drift, meant_floor + drift)
    wall = np.clip(wall, meant_wall - drift, meant_wall + drift)
    table = np.empty((1, len(_LEVELS), 3), np.uint8)
    for channel in range(3):
        span = floor[channel] - wall[channel]
        gain = (meant_floor[channel] - meant_wall[channel]) / span if abs(span) > 2.0 * drift else 1.0
        moved = meant_floor[channel] + gain * (_LEVELS - floor[channel])
        table[0, :, channel] = np.clip(np.rint(moved), 0, 255)
    return table


def _parted(with_specks: NDArray[np.uint8], speck_px: float) -> FrameInk:
    """Ink in its connected parts, those left out that are smaller than a speck."""
    # Only the box around the ink is searched for its parts.
    left, top, width, height = cv2.boundingRect(with_specks)
    box = (slice(top, top + height), slice(left, left + width))
    ink = with_specks
    labels, stats = np.zeros((0, 0), np.uint16), np.zeros((1, cv2.CC_STAT_MAX), np.int32)
    if width:
        kind = cv2.CV_16U if width * height <= _NARROW_LABELS_PX else cv2.CV_32S
        # not a threshold: a pixel's neighbours
        _, parts, boxes, _ = cv2.connectedComponentsWithStatsWithAlgorithm(ink[box], 8, kind, cv2.CCL_BOLELLI)
        labels, stats = np.asarray(parts), np.asarray(boxes, np.int32)
    large = stats[:, cv2.CC_STAT_AREA] >= speck_px
    large[0] = False
    if not large[1:].all():
        ink = with_specks.copy()
        ink[box] = large.astype(np.uint8).take(labels)
    share = int(stats[large, cv2.CC_STAT_AREA].sum()) / ink.size
    return FrameInk(ink, labels, stats, (left, top), np.flatnonzero(large), share)


def _range(rgb: NDArray[np.int64], by: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The whole levels that differ from a colour by so much at most, channel by channel."""
    low, high = np.ceil(rgb - by), np.floor(rgb + by)
    return tuple(np.clip(low, 0, 255).tolist()), tuple(np.clip(high, 0, 255).tolist())


def _alike(one: NDArray[np.uint8] | None, other: NDArray[np.uint8] | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))


def _meet(one: Box, other: Box) -> bool:
    return all(a.start < b.stop and b.start < a.stop for a, b in zip(one, other, strict=True))
