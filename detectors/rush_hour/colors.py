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
from detectors.rush_hour.view import CameraView
from puzzles.rush_hour.lot import Exit, Lot, Obstacle, Side

Labels = NDArray[np.uint8]
FLOOR, DARK, EXIT, FIRST_VEHICLE, FOREIGN = 0, 1, 2, 3, 255
_LEFT_OUT, _KEPT = 3, 5  # not a threshold: bits of each channel in the table of cv2.COLOR_BGR2BGR555


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
    """Returns the colour distance of (..., 3) and (..., 3)."""
    away = np.asarray(first) - np.asarray(second)
    light = config.colors.lightness_weight * away[..., 0]
    return np.asarray(np.sqrt(light * light + away[..., 1] ** 2 + away[..., 2] ** 2))


def sampled(picture: NDArray[np.uint8], view: CameraView, points: Floats) -> NDArray[np.uint8]:
    """Returns what is at points (P, 2) of the lot in a small picture; beyond its edge, what is at the edge."""
    return at_pixels(picture, pixels_at(picture.shape, view, points))


def pixels_at(shape: tuple[int, ...], view: CameraView, points: Floats) -> NDArray[np.int32]:
    """Returns which pixels (P,), counted row by row, of a small picture (h, w, ...) show points (P, 2) of the lot."""
    height, width = shape[:2]
    places = (view.to_small(points) + 0.5).astype(np.int32)
    columns = np.minimum(np.maximum(places[:, 0], 0), width - 1)
    rows = np.minimum(np.maximum(places[:, 1], 0), height - 1)
    return np.asarray(rows * width + columns)


def at_pixels(picture: NDArray[np.uint8], pixels: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Returns what a picture (h, w, ...) shows at pixels (P,) that are counted row by row."""
    height, width = picture.shape[:2]
    return np.asarray(picture.reshape(height * width, *picture.shape[2:])[pixels])


def side_points(opening: Exit, lot: Lot, offset: float, step: float) -> Floats:
    """Returns points (P, 2) along an opening, about ``step`` apart, ``offset`` units outside of its side."""
    count = max(2, round((opening.end - opening.start) / step))
    along = opening.start + (np.arange(count) + 0.5) * (opening.end - opening.start) / count
    level = {Side.LEFT: -offset, Side.BOTTOM: -offset, Side.RIGHT: lot.width + offset, Side.TOP: lot.height + offset}
    across = np.full(count, level[opening.side])
    upright = opening.side in (Side.LEFT, Side.RIGHT)
    return np.stack([across, along] if upright else [along, across], axis=-1)


def obstacle_points(obstacle: Obstacle, config: LotConfig) -> Floats:
    """Returns points (P, 2) inside an obstacle."""
    inside, pose = inside_points(obstacle.length, obstacle.width, config.palette.obstacle), obstacle.pose
    return placed(inside, pose.x, pose.y, pose.theta)


def within(lot: Lot, edge: float) -> Floats:
    """Returns the corners (4, 2) of what is farther than ``edge`` units from the sides of a lot."""
    right, top = lot.width - edge, lot.height - edge
    return np.array([[edge, edge], [right, edge], [right, top], [edge, top]])


def read_palette(picture: Picture, view: CameraView, lot: Lot, config: LotConfig) -> LotPalette:
    """Reads the colours of a small picture in which all things stand at their first places."""
    vehicles = []
    for vehicle in lot.vehicles:
        inside = inside_points(vehicle.length, vehicle.width, config.palette.vehicle)
        spots = placed(inside, vehicle.pose.x, vehicle.pose.y, vehicle.pose.theta)
        vehicles.append(np.median(lab_of(sampled(picture, view, spots)), axis=0).astype(np.float64))
    known = np.array(vehicles)
    return LotPalette(
        _floor_tones(picture, view, lot, known, config, config.palette.floor_spread),
        _dark(picture, view, lot, config),
        _exit(picture, view, lot, config),
        known,
    )


def stated_palette(picture: Picture, view: CameraView, lot: Lot, config: LotConfig) -> LotPalette:
    """Returns the stated colours of the vehicles, and the others as a small picture with the lot in any state has them.

    Notes
    -----
    A vehicle may stand before an exit or where another one stood; medians and colours that are kept apart bear it.
    """
    vehicles = np.array([hex_lab(vehicle.color) for vehicle in lot.vehicles])
    floors = _floor_tones(picture, view, lot, vehicles, config, config.palette.still_spread)
    return LotPalette(floors, _dark(picture, view, lot, config), _exit(picture, view, lot, config), vehicles)


def _floor_tones(
    picture: Picture, view: CameraView, lot: Lot, vehicles: Floats, config: LotConfig, spread: float
) -> Floats:
    """Returns the commonest colours of the free floor that are apart from each other and from the vehicles'."""
    mask, palette = np.zeros(picture.shape[:2], np.uint8), config.palette
    cv2.fillConvexPoly(mask, np.rint(view.to_small(within(lot, palette.floor_edge))).astype(np.int32), 1)
    around = 2 * palette.floor_around
    for body in lot.bodies:
        inside = inside_points(body.length + around, body.width + around, palette.body)
        hull = placed(inside, body.pose.x, body.pose.y, body.pose.theta)
        cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(view.to_small(hull)).astype(np.int32)), 0)
    free = picture[mask > 0]
    if not len(free):
        return np.array([[98.0, 0.0, 0.0]])  # not a threshold: nothing is floor then, and white is as good as any
    keys, counts = np.unique(_keys(free[None]), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    tones: list[Floats] = [np.median(lab_of(free), axis=0).astype(np.float64)]
    centers = _table_lab()
    for place in order:
        if counts[place] < palette.floor_share * len(free) or len(tones) == palette.floors:
            break
        tone = centers[keys[place]].astype(np.float64)
        if color_gap(np.array(tones), tone, config).min() < config.colors.floor_known / 2:
            continue
        near = float(color_gap(tones[0], tone, config)) < spread
        if near and color_gap(vehicles, tone, config).min() > config.colors.known / 2:
            tones.append(tone)
    return np.array(tones)


def _dark(picture: Picture, view: CameraView, lot: Lot, config: LotConfig) -> Floats:
    if not lot.obstacles:
        return hex_lab(DARK_COLOR)
    spots = [obstacle_points(obstacle, config) for obstacle in lot.obstacles]
    return np.median(lab_of(sampled(picture, view, np.concatenate(spots))), axis=0).astype(np.float64)


def _exit(picture: Picture, view: CameraView, lot: Lot, config: LotConfig) -> Floats | None:
    offsets, step = _exit_offsets(config), config.palette.side_step
    spots = np.concatenate(
        [side_points(opening, lot, float(offset), step) for opening in lot.exits for offset in offsets]
    )
    colors = lab_of(sampled(picture, view, spots)).astype(np.float64)
    gap = color_gap(colors, hex_lab(EXIT_COLOR), config)
    # A grey margin is like a pale green, too; what is most like it counts.
    like = gap < min(config.colors.known, float(gap.min()) + config.colors.floor_known)
    if like.mean() < config.palette.exit_share:
        return _exit_elsewhere(picture, view, lot, config)
    return np.median(colors[like], axis=0).astype(np.float64)


def _exit_offsets(config: LotConfig) -> Floats:
    """Returns how far outside of the side, (N,), an exit's colour is looked for; the last half step is for rounding."""
    reach, step = config.palette.exit_reach, config.palette.exit_step
    return np.arange(-reach, reach + step / 2, step)


def _exit_elsewhere(picture: Picture, view: CameraView, lot: Lot, config: LotConfig) -> Floats | None:
    """Returns the colour of an exit that stands where the lot has none; None where no exit's colour is seen at all.

    Without it, a lot whose exit was moved would pass for one whose exits can't be told by their colour.
    """
    vehicles = np.array([hex_lab(vehicle.color) for vehicle in lot.vehicles])
    offsets = _exit_offsets(config)
    for side in Side:
        end = lot.height if side in (Side.LEFT, Side.RIGHT) else lot.width
        rows = [side_points(Exit(side, 0.0, end), lot, float(offset), config.palette.side_step) for offset in offsets]
        colors = lab_of(sampled(picture, view, np.concatenate(rows))).astype(np.float64)
        gap = color_gap(colors, hex_lab(EXIT_COLOR), config)
        others = np.min([color_gap(colors, one, config) for one in vehicles], axis=0)
        like = ((gap < config.colors.known) & (gap < others)).reshape(len(offsets), -1)
        if like.any(axis=0).sum() * end / like.shape[1] > config.events.change.exit_run:
            return np.asarray(np.median(colors[like.ravel()], axis=0), np.float64)
    return None


def _keys(rgb: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Returns the place of each colour (H, W, 3) in the table: five bits of each channel, red in the lowest bits."""
    packed = cv2.cvtColor(rgb, cv2.COLOR_BGR2BGR555)
    return np.asarray(packed).view(np.uint16)[..., 0]


def _table_lab() -> NDArray[np.float32]:
    """Returns CIELAB of the table's colours, (32768, 3)."""
    places = np.arange(1 << 3 * _KEPT)
    levels = np.stack([(places >> channel * _KEPT) & ((1 << _KEPT) - 1) for channel in range(3)], axis=-1)
    return lab_of(((levels << _LEFT_OUT) + (1 << (_LEFT_OUT - 1))).astype(np.uint8))


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
        self._gaps = np.full((len(self._shown), len(self._planes[0])), np.float32(np.inf))
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
        """Returns the class of each pixel, (h, w)."""
        # "clip" spares the check of each place, which takes longer than the look-up.
        return np.take(self._table, _keys(picture), mode="clip")

    def update(self, vehicles: Floats, floor: Floats) -> bool:
        """Follows the colours, (V, 3) of vehicles and (3,) of the main floor tone; tells if pixels are classed anew."""
        self.vehicles = vehicles
        self._floors = self._floors + (floor - self._floors[0])
        stale = False
        if color_gap(self._floors[0], self._shown[FLOOR], self._config) > self._config.colors.refresh:
            self._set(FLOOR, self._floors)
            stale = True
        for place, color in enumerate(vehicles):
            if color_gap(color, self._shown[FIRST_VEHICLE + place], self._config) > self._config.colors.refresh:
                self._set(FIRST_VEHICLE + place, color[None, :])
                stale = True
        if stale:
            self._make()
        return stale

    def _set(self, kind: int, colors: Floats) -> None:
        self._shown[kind] = colors[0]
        light, a, b = self._planes
        weight = np.float32(self._config.colors.lightness_weight)
        nearest = np.full(len(light), np.float32(np.inf))
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
        least = np.full(self._gaps.shape[1], np.float32(self._config.colors.known**2))
        table = np.full(self._gaps.shape[1], FOREIGN, np.uint8)
        for kind, gaps in enumerate(self._gaps):
            nearer = gaps < least
            table[nearer] = kind
            np.minimum(least, gaps, out=least)
        table[(table == FLOOR) & (least > np.float32(self._config.colors.floor_known**2))] = FOREIGN
        self._table = table
        apart = color_gap(self.vehicles[:, None, :], self.vehicles[None, :, :], self._config)
        self._alike = np.zeros((len(self.vehicles), FOREIGN + 1), bool)
        self._alike[:, FIRST_VEHICLE : FIRST_VEHICLE + len(self.vehicles)] = apart < self._config.colors.alike
