"""The flat maze that stands for a textured one: one colour for floor, one for walls, one for each marker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import ColorName, hue_degrees, oklab
from detectors.common.residual.mixing import channel_maxima
from detectors.maze.textures.config import FlatConfig, ZoneConfig
from detectors.maze.textures.zones import Zone, ZoneKind

_TINY = 1e-9  # not a threshold: against a division by 0

Rgb = tuple[float, float, float]
_BLACK, _WHITE = np.zeros(3), np.full(3, 255.0)  # not a threshold: they are black and white


@dataclass(frozen=True, eq=False)
class FlatMaze:
    """A flat maze.

    Attributes
    ----------
    picture : (H, W, 3) uint8 RGB
    colors : (3,) of floor and walls
    marker_colors : (cell, colour) of each marker, as the textured maze has it
    wrong : what keeps it from standing for the textured one, in words
    """

    picture: NDArray[np.uint8]
    colors: tuple[NDArray[np.float64], NDArray[np.float64]]
    marker_colors: tuple[tuple[int, Rgb], ...]
    wrong: tuple[str, ...]


def draw_flat(
    picture: NDArray[np.uint8],
    zones: Sequence[Zone],
    marked: tuple[int, int],
    asked: ColorName,
    cell_px: float,
    config: FlatConfig,
    looks: ZoneConfig,
) -> FlatMaze:
    """Draws the flat maze.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
        The textured maze.
    zones : sequence of Zone
        None of them unknown. What lies in none is outside, and drawn like walls.
    marked : tuple of int
        The cells of start and goal.
    asked : ColorName
        The colour of the path that is asked for.
    cell_px : float
        Distance between the middles of cells.
    config : FlatConfig
    looks : ZoneConfig
    """
    floor = [zone for zone in zones if zone.kind is ZoneKind.FLOOR]
    plain = [zone for zone in floor if zone.cell and zone.cell not in marked]
    blocked = [zone for zone in zones if zone.kind is ZoneKind.BLOCKED]
    floor_rgb = _middle(picture, plain, looks)
    wall_rgb = _middle(picture, blocked, looks) if blocked else floor_rgb
    if _apart(floor_rgb, wall_rgb) < config.apart:
        wall_rgb = max((_BLACK, _WHITE), key=lambda one: _apart(floor_rgb, one))
    flat = np.empty_like(picture)
    flat[:] = np.rint(wall_rgb).astype(np.uint8)
    for zone in floor:
        flat[zone.pixels()] = np.rint(floor_rgb).astype(np.uint8)
    wrong = []
    between = [zone for zone in floor if not zone.cell]
    if _drawn_already(picture, plain, between, looks, cell_px):
        wrong.append("A mark as long as a cell lies on the floor, as if an answer were drawn already.")
    colors = []
    usual = _Usual(picture, plain)
    least = cell_px**2
    for cell in marked:
        place = next(zone for zone in floor if zone.cell == cell)
        mask = _marker(picture, place, usual, cell_px, config)
        area = int(np.count_nonzero(mask))
        least = min(least, area)
        if area < config.marker * cell_px**2:
            wrong.append(f"There is no marker in cell {cell}, where the path starts or ends.")
            continue
        own = np.median(picture[place.pixels()][mask], axis=0).astype(np.float64)
        flat[place.pixels()][mask] = np.rint(_marker_color(own, floor_rgb, wall_rgb, asked, config)).astype(np.uint8)
        colors.append((cell, (float(own[0]), float(own[1]), float(own[2]))))
    for place in () if wrong else plain:
        if np.count_nonzero(_marker(picture, place, usual, cell_px, config)) >= config.stray * least:
            wrong.append(f"There is a mark in cell {place.cell}, where the path neither starts nor ends.")
    return FlatMaze(flat, (np.rint(floor_rgb), np.rint(wall_rgb)), tuple(colors), tuple(wrong))


def draw_flat_floor(
    picture: NDArray[np.uint8],
    floor: NDArray[np.bool_],
    walls: NDArray[np.bool_],
    marks: Sequence[NDArray[np.bool_]],
    asked: ColorName,
    config: FlatConfig,
) -> FlatMaze:
    """Draws the flat maze of one whose floor is told by a mask.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
        The textured maze.
    floor : ndarray of shape (H, W), bool
    walls : ndarray of shape (H, W), bool
        What of the rest tells the walls' colour.
    marks : sequence of ndarray of shape (H, W), bool
        What marks start and goal; one that is empty marks nothing.
    asked : ColorName
        The colour of the path that is asked for.
    config : FlatConfig
    """
    marked = np.logical_or.reduce([*marks, np.zeros(floor.shape, np.bool_)])
    floor_rgb = np.asarray(np.median(picture[floor & ~marked], axis=0), np.float64)
    wall_rgb = np.asarray(np.median(picture[walls], axis=0), np.float64) if walls.any() else floor_rgb
    if _apart(floor_rgb, wall_rgb) < config.apart:
        wall_rgb = max((_BLACK, _WHITE), key=lambda one: _apart(floor_rgb, one))
    flat = np.empty_like(picture)
    flat[:] = np.rint(wall_rgb).astype(np.uint8)
    flat[floor] = np.rint(floor_rgb).astype(np.uint8)
    colors = []
    for number, mark in enumerate(marks):
        if mark.any():
            own = np.median(picture[mark], axis=0).astype(np.float64)
            flat[mark] = np.rint(_marker_color(own, floor_rgb, wall_rgb, asked, config)).astype(np.uint8)
            colors.append((number, (float(own[0]), float(own[1]), float(own[2]))))
    return FlatMaze(flat, (np.rint(floor_rgb), np.rint(wall_rgb)), tuple(colors), ())


def _middle(picture: NDArray[np.uint8], zones: Sequence[Zone], looks: ZoneConfig) -> NDArray[np.float64]:
    parts = [picture[zone.pixels(looks.inset)].reshape(-1, 3) for zone in zones]
    return np.asarray(np.median(np.concatenate(parts), axis=0), np.float64)


def _lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    # not a threshold: the range of a channel
    return np.asarray(oklab(np.clip(np.rint(rgb), 0, 255).astype(np.uint8)[None])[0], np.float64)


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(_lab(one) - _lab(other)))


def _marker_color(
    own: NDArray[np.float64],
    floor: NDArray[np.float64],
    wall: NDArray[np.float64],
    asked: ColorName,
    config: FlatConfig,
) -> NDArray[np.float64]:
    """A marker's own colour where it is no mixture of floor and wall, else one that is none, nor the path's."""

    def off(rgb: NDArray[np.float64]) -> float:
        start, axis = _lab(floor), _lab(wall) - _lab(floor)
        along = min(1.0, max(0.0, float(((_lab(rgb) - start) * axis).sum()) / max(float((axis**2).sum()), _TINY)))
        return float(np.linalg.norm(_lab(rgb) - start - along * axis))

    if off(own) >= config.marker_apart:
        return own
    named = config.named.ranges.get(asked)
    hues = [np.array(hue, np.float64) for hue in config.hues]
    free = [hue for hue in hues if named is None or not named.widened(config.slack_deg).contains(_hue(hue)).any()]
    return max(free, key=off)


def _hue(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(hue_degrees(_lab(rgb)[None, 1:]), np.float64)


class _Usual:
    """What the floor of cells has in each place, at least and at most.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    floor : sequence of Zone
        At least two, all of about one size.
    """

    def __init__(self, picture: NDArray[np.uint8], floor: Sequence[Zone]) -> None:
        first = picture[floor[0].pixels()]
        self._size = (first.shape[1], first.shape[0])
        self._cells = [zone.cell for zone in floor]
        parts = np.stack([self._fitted(picture[zone.pixels()]) for zone in floor])
        parts.sort(axis=0)
        self._least, self._most = parts[:2].copy(), parts[-2:].copy()

    def beyond(self, part: NDArray[np.uint8], cell: int) -> NDArray[np.float32]:
        """(h, w), by how much a cell's floor is beyond what that of all others has at and beside each place."""
        own = self._fitted(part)
        low, high = self._least[0], self._most[-1]
        if cell in self._cells:
            # Where it is the least or the most itself, the next one counts.
            low = np.where(own == low, self._least[1], low)
            high = np.where(own == high, self._most[0], high)
        around = np.ones((3, 3), np.uint8)
        low, high = cv2.erode(low, around).astype(np.float32), cv2.dilate(high, around).astype(np.float32)
        found = channel_maxima(np.maximum(low - own, own - high))
        return np.asarray(cv2.resize(found, (part.shape[1], part.shape[0])), np.float32)

    def _fitted(self, part: NDArray[np.uint8]) -> NDArray[np.uint8]:
        if (part.shape[1], part.shape[0]) == self._size:
            return part
        return np.asarray(cv2.resize(part, self._size, interpolation=cv2.INTER_AREA), np.uint8)


def _marker(
    picture: NDArray[np.uint8], place: Zone, usual: _Usual, cell_px: float, config: FlatConfig
) -> NDArray[np.bool_]:
    """(h, w) bool, which pixels of a zone are beyond what the floor of all others has in the same place."""
    own = picture[place.pixels()]
    height, width = own.shape[:2]
    beyond = usual.beyond(own, place.cell) > config.beyond
    # not a threshold: half of it to either side
    reach = 2 * round(0.5 * config.closed * cell_px) + 1
    closed = cv2.morphologyEx(beyond.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    mask = np.zeros((height, width), np.uint8)
    if outlines:
        # The largest part, in a plain shape, stands for all of a sprite: labels, swords and sparks are no part of it.
        largest = max(outlines, key=cv2.contourArea)
        cv2.fillConvexPoly(mask, cv2.convexHull(largest), 1)
    rim = max(1, round(config.inside * min(height, width)))
    mask[:rim], mask[-rim:], mask[:, :rim], mask[:, -rim:] = 0, 0, 0, 0
    return mask > 0


def _drawn_already(
    picture: NDArray[np.uint8], floor: Sequence[Zone], between: Sequence[Zone], looks: ZoneConfig, cell_px: float
) -> bool:
    """Whether colours that most of the floor does not have hang together over more than a cell."""
    step = looks.binned
    binned = picture.astype(np.int64) // step
    kinds = 256 // step + 1  # not a threshold: the values that a channel can have
    codes = (binned[..., 0] * kinds + binned[..., 1]) * kinds + binned[..., 2]
    at_home = np.zeros(kinds**3)
    for zone in floor:
        at_home[np.unique(codes[zone.pixels()])] += 1.0
    rare = at_home < looks.most * len(floor)
    mask = np.zeros(codes.shape, np.uint8)
    for zone in (*floor, *between):
        mask[zone.pixels()] = rare[codes[zone.pixels()]]
    # not a threshold: single pixels, and lines between tiles, are no marks
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)  # not a threshold: a pixel's neighbours
    sides = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    return bool(len(sides)) and float(sides.max()) > looks.long * cell_px
