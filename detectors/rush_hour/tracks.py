"""Follows the vehicles of a lot from frame to frame, by place and colour.

A vehicle is looked for, in this order: by its colour near where its last motion leads; as a body of another colour at
its place, which is a vehicle that was repainted; by its colour anywhere in the picture, which is a jump. The first that
finds it counts. So of several past matches the last one has priority, and of place and colour the place: who changes
colour on the spot stays who it is. Of two vehicles of like colours that are found at one place, that one has it whose
expected place is nearer.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.rush_hour.colors import (
    FIRST_VEHICLE,
    FLOOR,
    ColorClasses,
    Labels,
    LotPalette,
    at_pixels,
    color_gap,
    pixels_at,
    sampled,
)
from detectors.rush_hour.config import LotConfig
from detectors.rush_hour.findings import Flags, Floats, VehicleTrack
from detectors.rush_hour.place import Picture, lab_of, placed
from detectors.rush_hour.vehicles import (
    VehicleShape,
    VehicleSighting,
    find_anywhere,
    find_covered,
    inside_pixels,
    measure,
    shares,
)
from detectors.rush_hour.view import CameraView
from puzzles.rush_hour.lot import Lot, Pose


@dataclass
class _State:
    """What is known of one vehicle between two frames."""

    place: Pose
    speed: tuple[float, float] = (0.0, 0.0)
    seen: bool = True
    visible: float = 1.0
    covered: float = 0.0
    look: Labels | None = None  # the classes around it when it was measured last
    sighting: VehicleSighting | None = None  # and what was measured
    moved: bool = True  # whether it is elsewhere, or seen otherwise, than a frame before


@dataclass
class _Spots:
    """Which pixels show a vehicle's inside, and for which place and view that was found."""

    at: Pose
    view: CameraView
    pixels: NDArray[np.int32]


class VehicleFollower:
    """Follows all vehicles of a lot.

    Parameters
    ----------
    lot
        The lot, with the vehicles at their first places.
    palette
        The colours of the first frame.
    classes
        The classes of pixels by these colours; their colours are followed from here on.
    config
        The settings.

    Attributes
    ----------
    classes
        The colours of now.
    """

    def __init__(self, lot: Lot, palette: LotPalette, classes: ColorClasses, config: LotConfig) -> None:
        self._lot, self._config, self._rules = lot, config, config.tracks
        self._first_colors = palette.vehicles.copy()
        self._first_floor = palette.floors[0].copy()
        self.classes = classes
        self._shapes = [VehicleShape(vehicle, config.vehicles.shape) for vehicle in lot.vehicles]
        self._states = [_State(v.pose) for v in lot.vehicles]
        self._rows: list[list[tuple[float, ...]]] = [[] for _ in lot.vehicles]
        self._known_spots: list[_Spots | None] = [None for _ in lot.vehicles]
        self._known_floor: tuple[CameraView, NDArray[np.int32]] | None = None
        self._settled = False
        count = config.tracks.floor_points
        places = np.arange(count) + 0.5
        self._floor_spots = np.stack(
            np.meshgrid(places * lot.width / count, places * lot.height / count), axis=-1
        ).reshape(-1, 2)

    @property
    def places(self) -> list[Pose]:
        """Where the vehicles are, or were last seen."""
        return [state.place for state in self._states]

    @property
    def seen(self) -> list[bool]:
        """Whether each is seen in this frame."""
        return [state.seen for state in self._states]

    @property
    def settled(self) -> bool:
        """Whether the last picture, read again, would say the same: nothing moves, and no colour is followed."""
        return self._settled

    def rest(self) -> None:
        """Takes a further picture, which looks like the last one, as read."""
        for rows in self._rows:
            rows.append(rows[-1])

    def follow(self, picture: Picture, view: CameraView) -> Labels:
        """Finds the vehicles in the next small picture; returns its pixels' classes."""
        labels = self.classes.classes(picture)
        expected = [self._expected(state) for state in self._states]
        found: list[VehicleSighting | None] = [
            self._near(labels, view, place, expected[place]) for place in range(len(self._states))
        ]
        self._part(found, expected)
        colors = self._colors(picture, labels, view, found)
        for place, sighting in enumerate(found):
            if sighting is None:
                found[place] = self._repainted(picture, labels, view, place, found, colors)
        for place, sighting in enumerate(found):
            if sighting is None:
                found[place] = self._anywhere(labels, view, place, found)
        self._note(found, labels, view, colors)
        floor = self._floor(picture, labels, view)
        drift = max(
            float(np.abs(colors - self.classes.vehicles).max()), float(np.abs(floor - self.classes.floor).max())
        )
        anew = self.classes.update(colors, floor)
        self._settled = drift <= self._rules.drift and not anew and not any(state.moved for state in self._states)
        return labels

    def tracks(self) -> tuple[VehicleTrack, ...]:
        """Returns what was found so far."""
        tracks = []
        for vehicle, rows in zip(self._lot.vehicles, self._rows, strict=True):
            # not a threshold: what `_note` puts into a row
            table = np.array(rows, np.float64).reshape(-1, 9)
            tracks.append(
                VehicleTrack(
                    vehicle.label, table[:, 0] > 0, table[:, 1].copy(), table[:, 2].copy(), table[:, 3].copy(),
                    table[:, 4].copy(), table[:, 5].copy(), table[:, 6:9].copy(),
                )
            )  # fmt: skip
        return tuple(tracks)

    @staticmethod
    def _expected(state: _State) -> Pose:
        if not state.seen:
            return state.place
        return Pose(state.place.x + state.speed[0], state.place.y + state.speed[1], state.place.theta)

    def _near(self, labels: Labels, view: CameraView, place: int, expected: Pose) -> VehicleSighting | None:
        state, shape = self._states[place], self._shapes[place]
        last = state.sighting
        if state.seen and last is not None and last.place == state.place and state.look is not None:
            look = self._look(labels, view, place)
            changed = cv2.countNonZero(cv2.absdiff(look, state.look)) if look.shape == state.look.shape else look.size
            if changed < self._rules.same * shape.length * shape.width * view.unit**2:
                return last
        speed = math.hypot(*state.speed)
        own = self.classes.alike[place]
        sighting = None
        for at, reach in (
            (expected, min(self._rules.near + speed, self._rules.search)),
            (expected, self._rules.search + self._rules.speed_reach * speed),
            (state.place, self._rules.search),
        ):
            here = measure(labels, view, shape, at, own, reach, self._config.vehicles)
            if here is not None and (sighting is None or here.visible > sighting.visible):
                sighting = here
            # What shows only a part of it, with nothing over it, may be part of it as it stands farther on.
            if sighting is not None and (sighting.whole or sighting.visible >= self._rules.sure):
                break
        state.look, state.sighting = None, sighting
        if sighting is not None and sighting.pixels is not None:
            self._known_spots[place] = _Spots(sighting.place, view, sighting.pixels)
        return sighting

    def _look(self, labels: Labels, view: CameraView, place: int) -> Labels:
        """Returns the classes around a vehicle's last place."""
        at, m, (right, down) = self._states[place].place, view.matrix_values, view.shift_values
        size = (self._shapes[place].reach + self._rules.claim) * view.unit
        column, row = m[0] * at.x + m[1] * at.y + right, m[2] * at.x + m[3] * at.y + down
        top, left = max(0, round(row - size)), max(0, round(column - size))
        return labels[top : max(0, round(row + size)), left : max(0, round(column + size))]

    def _part(self, found: list[VehicleSighting | None], expected: list[Pose]) -> None:
        """Of two like vehicles at one place, keep the one that should be nearer."""
        for one in range(len(found)):
            for other in range(one):
                first, second = found[one], found[other]
                if first is None or second is None:
                    continue
                gap = math.hypot(first.place.x - second.place.x, first.place.y - second.place.y)
                shapes = self._shapes[one], self._shapes[other]
                alike = self.classes.alike[one][FIRST_VEHICLE + other]
                if not alike or gap > self._rules.apart * min(shape.width for shape in shapes):
                    continue
                ways = [
                    math.hypot(s.place.x - e.x, s.place.y - e.y)
                    for s, e in ((first, expected[one]), (second, expected[other]))
                ]
                found[one if ways[0] > ways[1] else other] = None

    def _colors(
        self, picture: Picture, labels: Labels, view: CameraView, found: list[VehicleSighting | None]
    ) -> Floats:
        """Returns the vehicles' colours, moved towards what is seen of them; a vehicle that fades is struck out."""
        colors = self.classes.vehicles.copy()
        places = [place for place, sighting in enumerate(found) if sighting is not None]
        if not places:
            return colors
        spots = [self._pixels(place, s.place, labels, view) for place, s in enumerate(found) if s is not None]
        sizes = np.array([len(part) for part in spots])
        every = np.concatenate(spots)
        mine = self.classes.alike[np.repeat(places, sizes), at_pixels(labels, every)]
        shown = lab_of(at_pixels(picture, every)) * mine[:, None]
        begins = np.cumsum(sizes) - sizes
        counts = np.add.reduceat(mine.astype(np.intp), begins)
        means = np.add.reduceat(shown, begins, axis=0, dtype=np.float64) / np.maximum(counts, 1)[:, None]
        faded = self._faded(places, means)
        for number, place in enumerate(places):
            if not counts[number]:
                continue
            if faded[number]:
                found[place] = None
            else:
                colors[place] += self._rules.adapt * (means[number] - colors[place])
        return colors

    def _faded(self, places: list[int], colors: Floats) -> Flags:
        """Tells which vehicles' colours (P, 3) lie on the way from their own to the floor's, beyond the limit."""
        floor = self.classes.floor
        ways = self._first_colors[places] - floor
        lengths = np.maximum(1e-6, (ways * ways).sum(axis=1))  # not a threshold: a guard against a division by 0
        shares = (ways * (colors - floor)).sum(axis=1) / lengths
        beside = color_gap(colors, floor + shares[:, None] * ways, self._config)
        return np.asarray((shares < self._rules.faded) & (beside < self._rules.mixed))

    def _spots(self, place: int, at: Pose) -> Floats:
        return placed(self._shapes[place].inside, at.x, at.y, at.theta)

    def _pixels(self, place: int, at: Pose, labels: Labels, view: CameraView) -> NDArray[np.int32]:
        """Returns which pixels show a vehicle's inside, counted row by row."""
        known = self._known_spots[place]
        if known is None or known.at != at or known.view is not view:
            known = _Spots(at, view, inside_pixels(labels, view, self._shapes[place], at))
            self._known_spots[place] = known
        return known.pixels

    def _repainted(
        self,
        picture: Picture,
        labels: Labels,
        view: CameraView,
        place: int,
        found: list[VehicleSighting | None],
        colors: Floats,
    ) -> VehicleSighting | None:
        """Finds a body of another colour at a vehicle's place, and takes on its colour."""
        state, shape, repaint = self._states[place], self._shapes[place], self._rules.repaint
        if not state.seen:
            return None
        for other, sighting in enumerate(found):
            # Who may stand there is not this one.
            at = sighting.place if sighting is not None else self._states[other].place
            near = math.hypot(at.x - state.place.x, at.y - state.place.y) < shape.reach + self._shapes[other].reach
            own = self.classes.alike[other]
            if other != place and near and shares(labels, view, shape, state.place, own)[0] > repaint.other:
                return None
        at = state.place
        shown = lab_of(sampled(picture, view, self._spots(place, at))).astype(np.float64)
        color = np.median(shown, axis=0)
        uniform = float(np.median(color_gap(shown, color, self._config))) < repaint.uniform
        ring = placed(shape.ring, at.x, at.y, at.theta)
        outside = lab_of(sampled(picture, view, ring)).astype(np.float64)
        stands_out = float((color_gap(outside, color, self._config) > repaint.body).mean()) >= repaint.around
        body = float(color_gap(color, self.classes.floor, self._config)) >= repaint.body
        if not (uniform and stands_out and body) or self._faded([place], color[None, :])[0]:
            return None
        colors[place] = color
        return VehicleSighting(at, 1.0, 0.0, False)

    def _anywhere(
        self, labels: Labels, view: CameraView, place: int, found: list[VehicleSighting | None]
    ) -> VehicleSighting | None:
        """Finds a vehicle of its colour that no other vehicle is, anywhere, unless it is hidden or has left."""
        state, shape, own = self._states[place], self._shapes[place], self.classes.alike[place]
        _, other, _ = shares(labels, view, shape, state.place, own)
        if other > self._config.vehicles.covered or self._has_left(place):
            return None
        mask = own[labels].astype(np.uint8)
        for number, sighting in enumerate(found):
            if sighting is not None:
                fill_body(mask, view, self._shapes[number], sighting.place, 0, self._rules.claim)
        places = find_anywhere(mask, view, shape, state.place, self._config.vehicles)
        if not places:
            return find_covered(mask, labels, view, shape, state.place, own, self._config.vehicles)
        at = places[0]
        mine, other, _ = shares(labels, view, shape, at, own)
        enough = mine >= self._config.vehicles.min_visible
        return VehicleSighting(at, mine / max(1e-9, 1 - other), other, True) if enough else None

    def _has_left(self, place: int) -> bool:
        """Tells whether a vehicle was seen last as it stood out of the lot."""
        at = self._states[place].place
        spots = placed(self._shapes[place].ring, at.x, at.y, at.theta)
        out = np.maximum(np.maximum(-spots, spots - np.array([self._lot.width, self._lot.height])), 0).max()
        return float(out) > self._rules.left

    def _note(self, found: list[VehicleSighting | None], labels: Labels, view: CameraView, colors: Floats) -> None:
        for place, (state, sighting) in enumerate(zip(self._states, found, strict=True)):
            before = state.place, state.seen
            if sighting is not None:
                speed = (sighting.place.x - state.place.x, sighting.place.y - state.place.y)
                near = state.seen and math.hypot(*speed) <= self._rules.max_speed
                state.speed = speed if near else (0.0, 0.0)
                state.place, state.seen = sighting.place, True
                state.visible, state.covered = sighting.visible, sighting.covered
            else:
                mine, other, _ = shares(labels, view, self._shapes[place], state.place, self.classes.alike[place])
                state.seen, state.speed, state.visible, state.covered = False, (0.0, 0.0), mine, other
            state.moved = (state.place, state.seen) != before
            if state.look is None and state.seen:
                state.look = self._look(labels, view, place).copy()
            at = state.place
            self._rows[place].append(
                (float(state.seen), at.x, at.y, at.theta, state.visible, state.covered, *map(float, colors[place]))
            )

    def _floor(self, picture: Picture, labels: Labels, view: CameraView) -> Floats:
        """Returns the floor's main tone of now."""
        known = self._known_floor
        if known is None or known[0] is not view:
            known = self._known_floor = (view, pixels_at(labels.shape, view, self._floor_spots))
        pixels = known[1]
        free = pixels[at_pixels(labels, pixels) == FLOOR]
        if len(free) < self._rules.floor_free * len(pixels):
            return self.classes.floor
        shown = lab_of(at_pixels(picture, free)).mean(axis=0, dtype=np.float64)
        return np.asarray(self.classes.floor + self._rules.adapt * (shown - self.classes.floor))


def fill_body(
    mask: NDArray[np.uint8], view: CameraView, shape: VehicleShape, at: Pose, value: int, margin: float
) -> None:
    """Fills a vehicle's rectangle, with a margin in units of the lot, in a mask (h, w)."""
    cv2.fillConvexPoly(mask, np.array(_corners(view, shape, at, margin), np.int32), value)


def fill_way(
    mask: NDArray[np.uint8], view: CameraView, shape: VehicleShape, ways: Sequence[Pose], value: int, margin: float
) -> None:
    """Fills all that a vehicle's rectangle sweeps on straight ways from each of some places to the next."""
    corners = [_corners(view, shape, at, margin) for at in ways]
    if len(corners) == 1:
        fill_body(mask, view, shape, ways[0], value, margin)
    for one, other in itertools.pairwise(corners):
        hull = cv2.convexHull(np.array([*one, *other], np.int32))
        cv2.fillConvexPoly(mask, hull, value)


def _corners(view: CameraView, shape: VehicleShape, at: Pose, margin: float) -> list[tuple[int, int]]:
    m, (right, down) = view.matrix_values, view.shift_values
    cos, sin = math.cos(at.theta), math.sin(at.theta)
    a, b = shape.length / 2 + margin, shape.width / 2 + margin
    corners = []
    for along, across in ((-a, -b), (a, -b), (a, b), (-a, b)):
        x, y = at.x + cos * along - sin * across, at.y + sin * along + cos * across
        corners.append((round(m[0] * x + m[1] * y + right), round(m[2] * x + m[3] * y + down)))
    return corners
