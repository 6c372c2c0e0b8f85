"""Looks in one small picture of a lot at all that should stay as it is: exits, obstacles, border, and free floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.rush_hour.colors import (
    DARK,
    EXIT,
    FIRST_VEHICLE,
    FLOOR,
    FOREIGN,
    Labels,
    LotPalette,
    at_pixels,
    obstacle_points,
    pixels_at,
    sampled,
    side_points,
    within,
)
from detectors.rush_hour.config import LotConfig
from detectors.rush_hour.findings import FrameBox
from detectors.rush_hour.tracks import fill_way
from detectors.rush_hour.vehicles import VehicleShape
from detectors.rush_hour.view import CameraView
from puzzles.rush_hour.contact import rectangle
from puzzles.rush_hour.lot import Exit, Lot, Pose, Side

_BOX_PX = 3  # how far around a further exit its box is drawn


@dataclass(frozen=True)
class SceneReading:
    """What one picture shows of the scene.

    Attributes
    ----------
    exits : share of each exit's uncovered length that shows its colour, 0 to 1; 1 where it is hidden or has no colour
    extra : length of the longest further exit, in units of the lot
    extra_box : where it is
    obstacles : the same share of each obstacle's area
    foreign : area of the largest foreign body, in square units
    foreign_box : where it is
    like_vehicle : whether that body has the colour and about the size of a vehicle
    strewn : area of all else that is foreign, however thin, away from the rails, in square units
    """

    exits: tuple[float, ...]
    extra: float
    extra_box: FrameBox | None
    obstacles: tuple[float, ...]
    foreign: float
    foreign_box: FrameBox | None
    like_vehicle: bool
    strewn: float


@dataclass(frozen=True)
class ExitPlaces:
    """How far outside of the side exits are drawn, in units of the lot, and which share of them shows their colour."""

    offsets: tuple[float, ...]
    shown: float


@dataclass(frozen=True, eq=False)
class _Drawing:
    """What is looked at in the small pictures of one view.

    Attributes
    ----------
    view : the view
    pixels : (P,) where exits, sides and obstacles are looked at, counted row by row
    free : (h, w) 1 where the floor should be, vehicles aside
    beside_rails : (h, w) 0 where a rail may be drawn, else 1
    """

    view: CameraView
    pixels: NDArray[np.int32]
    free: NDArray[np.uint8]
    beside_rails: NDArray[np.uint8]


class SceneReader:
    """Reads pictures of one lot.

    Parameters
    ----------
    labels, view
        The classes of the first small picture's pixels, and where the lot is in it; from them it is learned how far
        from the side the exits are drawn.
    lot, palette, config
        The lot, its colours, the settings.
    drawn
        How far from the side exits are drawn, where a picture before told it; it counts if they show no better here.

    Attributes
    ----------
    drawn
        The same for the next picture.
    """

    def __init__(
        self, labels: Labels, view: CameraView, lot: Lot, palette: LotPalette, config: LotConfig,
        drawn: ExitPlaces | None = None,
    ) -> None:  # fmt: skip
        self._lot, self._fixed, self._rules = lot, config.scene.fixed, config.scene.foreign
        self._shapes = [VehicleShape(vehicle, config.vehicles.shape) for vehicle in lot.vehicles]
        self._has_exit_color = palette.exit is not None
        here = self._exit_offsets(labels, view)
        self.drawn = drawn if drawn is not None and drawn.shown >= here.shown else here
        self._offsets = self.drawn.offsets
        self._sides = [
            Exit(Side.LEFT, 0.0, lot.height), Exit(Side.RIGHT, 0.0, lot.height),
            Exit(Side.BOTTOM, 0.0, lot.width), Exit(Side.TOP, 0.0, lot.width),
        ]  # fmt: skip
        self._apart = [self._beside_openings(side) for side in self._sides]
        # All points that are looked at, in one array, since each look-up costs more than its points.
        step = self._fixed.step
        groups = [side_points(side, lot, d, step) for side in (*lot.exits, *self._sides) for d in self._offsets]
        groups += [obstacle_points(obstacle, config) for obstacle in lot.obstacles]
        self._spots = np.concatenate(groups)
        self._ends = np.cumsum([len(group) for group in groups])[:-1]
        self._drawn: _Drawing | None = None
        self._last: tuple[Labels, SceneReading] | None = None
        around = 2 * self._rules.around
        self._static = [
            np.array(rectangle(o.pose.x, o.pose.y, o.pose.theta, o.length + around, o.width + around))
            for o in lot.obstacles
        ]
        far = lot.width + lot.height
        self._rails = [
            np.array([[v.pose.x + s * far * v.axis[0], v.pose.y + s * far * v.axis[1]] for s in (-1, 1)])
            for v in lot.vehicles
        ]
        across = (-self._rules.exit_inside, self._rules.exit_outside)
        self._static += [
            np.concatenate([side_points(opening, lot, d, step)[[0, -1]] for d in across])[[0, 1, 3, 2]]
            for opening in lot.exits
        ]

    def read(self, labels: Labels, view: CameraView, places: Sequence[Sequence[Pose]]) -> SceneReading:
        """Reads a small picture in which each vehicle is at a place, or on a way, given by the ends of its pieces."""
        if self._drawn is None or self._drawn.view is not view:
            self._drawn = self._drawing(labels.shape, view)
            self._last = None
        seen = at_pixels(labels, self._drawn.pixels)
        if self._last is None or not np.array_equal(seen, self._last[0]):
            self._last = seen, self._fixed_parts(seen, view)
        foreign, foreign_box, like, strewn = self._foreign(labels, self._drawn, places)
        return replace(self._last[1], foreign=foreign, foreign_box=foreign_box, like_vehicle=like, strewn=strewn)

    def _fixed_parts(self, seen: Labels, view: CameraView) -> SceneReading:
        """Reads exits and obstacles from the classes of all points that are looked at."""
        parts = np.split(seen, self._ends)
        deep = len(self._offsets)
        openings, sides = len(self._lot.exits), len(self._sides)
        bands = [np.stack(parts[i * deep : (i + 1) * deep]) for i in range(openings + sides)]
        exits = tuple(self._exit_share(band) for band in bands[:openings])
        extra, extra_box = self._further_exit(bands[openings:], view)
        obstacles = tuple(self._dark_share(part) for part in parts[(openings + sides) * deep :])
        return SceneReading(exits, extra, extra_box, obstacles, 0.0, None, False, 0.0)

    def _drawing(self, shape: tuple[int, ...], view: CameraView) -> _Drawing:
        """Draws what of the lot is looked at, for one view."""
        free, rails = np.zeros(shape, np.uint8), np.ones(shape, np.uint8)
        corners = within(self._lot, self._rules.edge)
        cv2.fillConvexPoly(free, np.rint(view.to_small(corners)).astype(np.int32), 1)
        for outline in self._static:
            cv2.fillConvexPoly(free, np.rint(view.to_small(outline)).astype(np.int32), 0)
        for ends in self._rails:
            first, last = np.rint(view.to_small(ends)).astype(int).tolist()
            cv2.line(rails, first, last, 0, max(self._rules.line_px, round(2 * self._rules.rail * view.unit)))
        return _Drawing(view, pixels_at(shape, view, self._spots), free, rails)

    def _exit_offsets(self, labels: Labels, view: CameraView) -> ExitPlaces:
        """Returns a few distances from the side at which the exits show their colour best."""
        fixed = self._fixed
        reach, step = fixed.offset_reach, fixed.offset_step
        offsets = np.arange(-reach, reach + step / 2, step)
        shown = np.array(
            [
                np.mean([(sampled(labels, view, side_points(o, self._lot, float(d), fixed.step)) == EXIT).mean()
                         for o in self._lot.exits])
                for d in offsets
            ]
        )  # fmt: skip
        good = offsets[shown >= fixed.offset_good * max(float(shown.max()), 1e-9)]
        middle = good[len(good) // 2] if len(good) else 0.0
        near = sorted(good, key=lambda d: (abs(d - middle), d))[: fixed.offsets]
        return ExitPlaces(tuple(sorted(float(d) for d in near)) or (0.0,), float(shown.max()))

    def _beside_openings(self, side: Exit) -> NDArray[np.bool_]:
        """Tells at which points along a side, (P,), a further exit may be."""
        count = len(side_points(side, self._lot, 0.0, self._fixed.step))
        along = (np.arange(count) + 0.5) * side.end / count
        apart, beside = np.ones(count, bool), self._fixed.beside
        for opening in self._lot.exits:
            if opening.side is side.side:
                apart &= (along < opening.start - beside) | (along > opening.end + beside)
        return apart

    def _exit_share(self, seen: Labels) -> float:
        """Returns how much of an exit is there, from the classes (offsets, P) along it."""
        if not self._has_exit_color:
            # An exit of another colour is there as long as the border is not closed.
            return float((seen == DARK).any(axis=0).mean() < self._fixed.closed)
        # A vehicle in the opening hides it, with its outline, and with the dark disc on it.
        hidden = ((seen >= FIRST_VEHICLE) & (seen != FOREIGN)).any(axis=0)
        near = np.ones((1, self._fixed.hidden_points), np.uint8)
        hidden = cv2.dilate(hidden.astype(np.uint8)[None, :], near)[0] > 0
        shown = (seen == EXIT).any(axis=0)
        if hidden.mean() > self._fixed.hidden and not shown.any():
            return 1.0
        return float(shown.sum() / max(1, (shown | ~hidden).sum()))

    def _further_exit(self, bands: list[Labels], view: CameraView) -> tuple[float, FrameBox | None]:
        """Returns the longest further exit, from the classes (offsets, P) along each side."""
        if not self._has_exit_color:
            return 0.0, None
        best, box = 0.0, None
        for side, seen, apart in zip(self._sides, bands, self._apart, strict=True):
            exits = seen == EXIT
            if not exits.any():
                continue
            begin, end = _longest_run((exits.sum(axis=0) * 2 > len(seen)) & apart)
            length = (end - begin) * side.end / seen.shape[1]
            if length > best:
                best = length
                spots = side_points(side, self._lot, self._offsets[0], self._fixed.step)
                spots = view.to_small(spots[[begin, end - 1]])
                low, high = np.floor(spots.min(axis=0)), np.ceil(spots.max(axis=0))
                left, top = int(low[0]) - _BOX_PX, int(low[1]) - _BOX_PX
                wide, deep = (int(high[axis] - low[axis]) + 2 * _BOX_PX + 1 for axis in (0, 1))
                box = view.frame_box((left, top, wide, deep))
        return best, box

    def _dark_share(self, seen: Labels) -> float:
        free = (seen < FIRST_VEHICLE) | (seen == FOREIGN)
        # What little is left between vehicles that stand over it tells nothing.
        return float((seen[free] == DARK).mean()) if free.mean() > self._fixed.obstacle_free else 1.0

    def _foreign(
        self, labels: Labels, drawn: _Drawing, places: Sequence[Sequence[Pose]]
    ) -> tuple[float, FrameBox | None, bool, float]:
        view = drawn.view
        mask = (labels != FLOOR).view(np.uint8)
        mask &= drawn.free
        for shape, ways in zip(self._shapes, places, strict=True):
            fill_way(mask, view, shape, ways, 0, self._rules.around)
        strewn = mask & drawn.beside_rails
        area = 0.0
        if cv2.countNonZero(strewn):
            area = cv2.countNonZero(cv2.medianBlur(strewn, self._rules.speckle_px)) / view.unit**2
        largest = self._largest(mask, labels, view)
        return *largest, max(0.0, area - largest[0])

    def _largest(
        self, mask: NDArray[np.uint8], labels: Labels, view: CameraView
    ) -> tuple[float, FrameBox | None, bool]:
        core = max(self._rules.line_px, round(self._rules.core * view.unit))
        thick = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((core, core), np.uint8))
        if not cv2.countNonZero(thick):
            return 0.0, None, False
        # not a threshold: pixels that touch at a corner are one body
        _, parts, stats, _ = cv2.connectedComponentsWithStats(thick, connectivity=8)
        part = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
        area = float(stats[part, cv2.CC_STAT_AREA]) / view.unit**2
        left, top, wide, high = (int(value) for value in stats[part, :4])
        kinds = labels[parts == part]
        vehicle = float(((kinds >= FIRST_VEHICLE) & (kinds != FOREIGN)).mean()) > 0.5
        sizes = [shape.length * shape.width for shape in self._shapes]
        like = vehicle and self._rules.least_like * min(sizes) <= area <= self._rules.most_like * max(sizes)
        return area, view.frame_box((left, top, wide, high)), like


def _longest_run(shown: NDArray[np.bool_]) -> tuple[int, int]:
    """Returns the first and the last + 1 place of the longest run of true values; (0, 0) if there is none."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], shown.astype(np.int8), [0]])))
    if not len(edges):
        return 0, 0
    begins, ends = edges[::2], edges[1::2]
    longest = int((ends - begins).argmax())
    return int(begins[longest]), int(ends[longest])
