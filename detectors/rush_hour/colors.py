"""Tells which thing of a parking lot each pixel of a small picture shows, by the nearest of the colours in it.

The nearest colour is looked up in a table of 32 x 32 x 32 RGB values, which is made anew, a colour at a time, when a
colour has drifted.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.rush_hour.config import LotConfig
from detectors.rush_hour.findings import Flags, Floats
from detectors.rush_hour.place import DARK_COLOR, EXIT_COLOR, Picture, hex_lab, inside_points, lab_of, placed
from detectors.rush_hour.view import LotView
from puzzles.rush_hour.lot import Exit, Lot, Side

Labels = NDArray[np.uint8]
FLOOR, DARK, EXIT, FIRST_VEHICLE, FOREIGN = 0, 1, 2, 3, 255
_BITS = 3  # of each channel are left out
_FLOORS = 6  # tones a floor may have
_FLOOR_KNOWN = 12.0  # farther from every tone of the floor a pixel shows no floor
_FLOOR_SPREAD = 30.0  # and its tones are no farther than this from the commonest
_STILL_SPREAD = 14.0  # the same where bodies that are not in the puzzle may stand on it
_DISC = 0.34  # radius of what may be written on a vehicle, in units of the lot
_EXIT_REACH = 0.5  # how far from the side an exit may be drawn, in units of the lot


@dataclass(frozen=True, eq=False)
class LotPalette:
    """The colours of the first frame in CIELAB.

    Attributes
    ----------
    floors : (F, 3) tones of the floor, the commonest first
    dark : (3,) of obstacles and border
    exit : (3,) of the exits; None if none shows a colour like the stated one
    vehicles : (V, 3) in the lot's order
    """

    floors: Floats
    dark: Floats
    exit: Floats | None
    vehicles: Floats


def color_gap(first: Floats, second: Floats, config: LotConfig) -> Floats:
    """Return the colour distance of (..., 3) and (..., 3)."""
    away = np.asarray(first) - np.asarray(second)
    light = config.lightness_weight * away[..., 0]
    return np.asarray(np.sqrt(light * light + away[..., 1] ** 2 + away[..., 2] ** 2))


def sampled(picture: NDArray[np.uint8], view: LotView, points: Floats) -> NDArray[np.uint8]:
    """Return what is at points (P, 2) of the lot in a small picture; beyond its edge, what is at the edge."""
    return at_pixels(picture, pixels_at(picture.shape, view, points))


def pixels_at(shape: tuple[int, ...], view: LotView, points: Floats) -> NDArray[np.int32]:
    """Return which pixels (P,), counted row by row, of a small picture (h, w, ...) show points (P, 2) of the lot."""
    height, width = shape[:2]
    places = (view.to_small(points) + 0.5).astype(np.int32)
    columns = np.minimum(np.maximum(places[:, 0], 0), width - 1)
    rows = np.minimum(np.maximum(places[:, 1], 0), height - 1)
    return np.asarray(rows * width + columns)


def at_pixels(picture: NDArray[np.uint8], pixels: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return what a picture (h, w, ...) shows at pixels (P,) that are counted row by row."""
    height, width = picture.shape[:2]
    return np.asarray(picture.reshape(height * width, *picture.shape[2:])[pixels])


def side_points(opening: Exit, lot: Lot, offset: float, step: float = 0.1) -> Floats:
    """Return points (P, 2) along an opening, ``offset`` units outside of its side."""
    count = max(2, round((opening.end - opening.start) / step))
    along = opening.start + (np.arange(count) + 0.5) * (opening.end - opening.start) / count
    level = {Side.LEFT: -offset, Side.BOTTOM: -offset, Side.RIGHT: lot.width + offset, Side.TOP: lot.height + offset}
    across = np.full(count, level[opening.side])
    upright = opening.side in (Side.LEFT, Side.RIGHT)
    return np.stack([across, along] if upright else [along, across], axis=-1)


def read_palette(picture: Picture, view: LotView, lot: Lot, config: LotConfig) -> LotPalette:
    """Read the colours of a small picture in which all things stand at their first places."""
    vehicles = []
    for vehicle in lot.vehicles:
        inside = inside_points(0.84 * vehicle.length, 0.84 * vehicle.width, _DISC)
        spots = placed(inside, vehicle.pose.x, vehicle.pose.y, vehicle.pose.theta)
        vehicles.append(np.median(lab_of(sampled(picture, view, spots)), axis=0).astype(np.float64))
    known = np.array(vehicles)
    return LotPalette(
        _floor_tones(picture, view, lot, known, config), _dark(picture, view, lot), _exit(picture, view, lot, config),
        known,
    )  # fmt: skip


def stated_palette(picture: Picture, view: LotView, lot: Lot, config: LotConfig) -> LotPalette:
    """Return the stated colours of the vehicles, and the others as a small picture with the lot in any state has them.

    Notes
    -----
    A vehicle may stand before an exit or where another one stood; medians and colours that are kept apart bear it.
    """
    vehicles = np.array([hex_lab(vehicle.color) for vehicle in lot.vehicles])
    floors = _floor_tones(picture, view, lot, vehicles, config, _STILL_SPREAD)
    return LotPalette(floors, _dark(picture, view, lot), _exit(picture, view, lot, config), vehicles)


def _floor_tones(
    picture: Picture, view: LotView, lot: Lot, vehicles: Floats, config: LotConfig, spread: float = _FLOOR_SPREAD
) -> Floats:
    """Return the commonest colours of the free floor that are apart from each other and from the vehicles'."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    corners = np.array(
        [[0.3, 0.3], [lot.width - 0.3, 0.3], [lot.width - 0.3, lot.height - 0.3], [0.3, lot.height - 0.3]]
    )
    cv2.fillConvexPoly(mask, np.rint(view.to_small(corners)).astype(np.int32), 1)
    for body in lot.bodies:
        inside = inside_points(body.length + 0.4, body.width + 0.4, 0.0, 2)
        hull = placed(inside, body.pose.x, body.pose.y, body.pose.theta)
        cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(view.to_small(hull)).astype(np.int32)), 0)
    free = picture[mask > 0]
    if not len(free):
        return np.array([[98.0, 0.0, 0.0]])
    keys, counts = np.unique(_keys(free[None]), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    tones: list[Floats] = [np.median(lab_of(free), axis=0).astype(np.float64)]
    centers = _table_lab()
    for place in order:
        if counts[place] < config.floor_share * len(free) or len(tones) == _FLOORS:
            break
        tone = centers[keys[place]].astype(np.float64)
        if color_gap(np.array(tones), tone, config).min() < _FLOOR_KNOWN / 2:
            continue
        near = float(color_gap(tones[0], tone, config)) < spread
        if near and color_gap(vehicles, tone, config).min() > config.known / 2:
            tones.append(tone)
    return np.array(tones)


def _dark(picture: Picture, view: LotView, lot: Lot) -> Floats:
    if not lot.obstacles:
        return hex_lab(DARK_COLOR)
    spots = [
        placed(inside_points(0.8 * o.length, 0.8 * o.width, 0.0, 4), o.pose.x, o.pose.y, o.pose.theta)
        for o in lot.obstacles
    ]
    return np.median(lab_of(sampled(picture, view, np.concatenate(spots))), axis=0).astype(np.float64)


def _exit(picture: Picture, view: LotView, lot: Lot, config: LotConfig) -> Floats | None:
    offsets = np.arange(-_EXIT_REACH, _EXIT_REACH + 0.01, 0.05)
    spots = np.concatenate([side_points(opening, lot, float(offset)) for opening in lot.exits for offset in offsets])
    colors = lab_of(sampled(picture, view, spots)).astype(np.float64)
    like = color_gap(colors, hex_lab(EXIT_COLOR), config) < config.known
    if like.mean() < 0.04:
        return _exit_elsewhere(picture, view, lot, config)
    return np.median(colors[like], axis=0).astype(np.float64)


def _exit_elsewhere(picture: Picture, view: LotView, lot: Lot, config: LotConfig) -> Floats | None:
    """Return the colour of an exit that stands where the lot has none; None where no exit's colour is seen at all.

    Without it, a lot whose exit was moved would pass for one whose exits can't be told by their colour.
    """
    vehicles = np.array([hex_lab(vehicle.color) for vehicle in lot.vehicles])
    offsets = np.arange(-_EXIT_REACH, _EXIT_REACH + 0.01, 0.05)
    for side in Side:
        end = lot.height if side in (Side.LEFT, Side.RIGHT) else lot.width
        rows = [side_points(Exit(side, 0.0, end), lot, float(offset)) for offset in offsets]
        colors = lab_of(sampled(picture, view, np.concatenate(rows))).astype(np.float64)
        gap = color_gap(colors, hex_lab(EXIT_COLOR), config)
        others = np.min([color_gap(colors, one, config) for one in vehicles], axis=0)
        like = ((gap < config.known) & (gap < others)).reshape(len(offsets), -1)
        if like.any(axis=0).sum() * end / like.shape[1] > config.exit_run:
            return np.asarray(np.median(colors[like.ravel()], axis=0), np.float64)
    return None


def _keys(rgb: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Return the place of each colour (H, W, 3) in the table: five bits of each channel, red in the lowest bits."""
    packed = cv2.cvtColor(rgb, cv2.COLOR_BGR2BGR555)
    return np.asarray(packed).view(np.uint16)[..., 0]


def _table_lab() -> NDArray[np.float32]:
    """Return CIELAB of the table's colours, (32768, 3)."""
    places = np.arange(1 << 15)
    levels = np.stack([(places >> shift) & 31 for shift in (0, 5, 10)], axis=-1)
    return lab_of(((levels << _BITS) + (1 << (_BITS - 1))).astype(np.uint8))


class ColorClasses:
    """The classes of pixels: `FLOOR`, `DARK`, `EXIT`, `FIRST_VEHICLE` + place in the lot, or `FOREIGN`.

    Parameters
    ----------
    palette
        The colours to begin with.
    config
        The settings.

    Attributes
    ----------
    vehicles
        (V, 3) the vehicles' colours of now.
    """

    def __init__(self, palette: LotPalette, config: LotConfig) -> None:
        self._config = config
        self._planes = tuple(np.ascontiguousarray(plane) for plane in _table_lab().T)
        self.vehicles = palette.vehicles.copy()
        self._floors = palette.floors.copy()
        self._shown = np.full((FIRST_VEHICLE + len(self.vehicles), 3), np.nan)
        self._gaps = np.full((len(self._shown), len(self._planes[0])), np.float32(1e9))
        self._set(FLOOR, self._floors)
        self._set(DARK, palette.dark[None, :])
        if palette.exit is not None:
            self._set(EXIT, palette.exit[None, :])
        for place, color in enumerate(self.vehicles):
            self._set(FIRST_VEHICLE + place, color[None, :])
        self._make()

    @property
    def floor(self) -> Floats:
        """The floor's main tone, (3,)."""
        return np.asarray(self._floors[0])

    @property
    def alike(self) -> Flags:
        """(V, 256) whether a vehicle's pixels may have a class: its own, and those of like colours."""
        return self._alike

    def classes(self, picture: Picture) -> Labels:
        """Return the class of each pixel, (h, w)."""
        # "clip" spares the check of each place, which takes longer than the look-up.
        return np.take(self._table, _keys(picture), mode="clip")

    def update(self, vehicles: Floats, floor: Floats) -> bool:
        """Follow the colours, (V, 3) of vehicles and (3,) of the floor's main tone; tell if pixels are classed anew."""
        self.vehicles = vehicles
        self._floors = self._floors + (floor - self._floors[0])
        stale = False
        if color_gap(self._floors[0], self._shown[FLOOR], self._config) > self._config.refresh:
            self._set(FLOOR, self._floors)
            stale = True
        for place, color in enumerate(vehicles):
            if color_gap(color, self._shown[FIRST_VEHICLE + place], self._config) > self._config.refresh:
                self._set(FIRST_VEHICLE + place, color[None, :])
                stale = True
        if stale:
            self._make()
        return stale

    def _set(self, kind: int, colors: Floats) -> None:
        self._shown[kind] = colors[0]
        light, a, b = self._planes
        weight = np.float32(self._config.lightness_weight)
        nearest = np.full(len(light), np.float32(1e9))
        for color in colors.astype(np.float32):
            away = (light - color[0]) * weight
            away *= away
            for plane, level in ((a, color[1]), (b, color[2])):
                other = plane - level
                other *= other
                away += other
            nearest = np.minimum(nearest, away)
        self._gaps[kind] = nearest

    def _make(self) -> None:
        # Squares of distances are compared; the floor's limit is another one than that of things.
        least = np.full(self._gaps.shape[1], np.float32(self._config.known**2))
        table = np.full(self._gaps.shape[1], FOREIGN, np.uint8)
        for kind, gaps in enumerate(self._gaps):
            nearer = gaps < least
            table[nearer] = kind
            np.minimum(least, gaps, out=least)
        table[(table == FLOOR) & (least > np.float32(_FLOOR_KNOWN**2))] = FOREIGN
        self._table = table
        apart = color_gap(self.vehicles[:, None, :], self.vehicles[None, :, :], self._config)
        self._alike = np.zeros((len(self.vehicles), 256), bool)
        self._alike[:, FIRST_VEHICLE : FIRST_VEHICLE + len(self.vehicles)] = apart < self._config.alike
