"""How well each piece of a chain would fit at every place of a small picture, at each angle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from detectors.hinge_folding.config import ChainConfig, ChainSearchConfig
from detectors.hinge_folding.plan import corners_of
from detectors.hinge_folding.view import ChainView, Field, Floats, farthest
from puzzles.hinge_folding.chain import FULL_TURN, HingeShape


class PieceMaps:
    """How well each shape at each angle would fit at every place of a small picture; each map is made once."""

    def __init__(self, view: ChainView, search: ChainSearchConfig, config: ChainConfig) -> None:
        self._search = search
        self._view = view
        across, down = view.change[..., 0], -view.change[..., 1]
        strength = np.hypot(across, down)
        # Where there is little noise, faint pieces count as much as others: no edge is to be counted twice instead.
        quiet = min(1.0, max(search.quietest, view.noise / search.noisy))
        sure = strength / (strength + quiet * config.view.edge_half)
        safe = np.maximum(strength, 1e-9)
        # Of an edge's normal twice the angle, so that opposite ones are one.
        self._cos = sure * (across**2 - down**2) / safe**2
        self._sin = sure * 2 * across * down / safe**2
        self._pad = int(np.ceil(search.unit_px)) + 1
        self._size = (view.paint.shape[0], view.paint.shape[1])
        paint_half = quiet * config.placing.paint_half
        self._paint = np.pad((view.paint / (view.paint + paint_half)).astype(np.float32), self._pad)
        self._weight = config.placing.inner_weight
        self._edges: dict[int, Field] = {}
        self._fits: dict[tuple[HingeShape, int], Field] = {}
        self._sides: dict[tuple[HingeShape, int], Field] = {}

    def of(self, shape: HingeShape, turn: int) -> Field:
        """The map of a shape at an angle, of whatever colour."""
        if (shape, turn) not in self._fits:
            self._fits[(shape, turn)] = self._inside(shape, turn, self._paint) + self._beside(shape, turn)
        return self._fits[(shape, turn)]

    def colored(self, shape: HingeShape, contrast: Floats) -> list[Field]:
        """The maps at all angles of a piece of a colour, that less the ground's."""
        view = self._view
        off = farthest(np.asarray(view.pixels - view.ground.astype(np.float32), np.float32), contrast)
        likely = np.exp(-np.square(off / np.float32(self._search.like))).astype(np.float32)
        paint = np.pad(likely, self._pad)
        return [self._inside(shape, turn, paint) + self._beside(shape, turn) for turn in range(self._search.turns)]

    def _inside(self, shape: HingeShape, turn: int, paint: Field) -> Field:
        inner, _ = _points(shape, turn, self._search)
        return np.asarray(self._sum(paint, inner) * np.float32(self._weight / len(inner)), np.float32)

    def _beside(self, shape: HingeShape, turn: int) -> Field:
        if (shape, turn) not in self._sides:
            _, sides = _points(shape, turn, self._search)
            fit = np.zeros(self._size, np.float32)
            for normal_deg, weight, points in sides:
                fit += self._sum(self._edge(normal_deg), points) * np.float32(weight / len(points))
            self._sides[(shape, turn)] = fit
        return self._sides[(shape, turn)]

    def _sum(self, padded: Field, points: Sequence[tuple[int, int]]) -> Field:
        """The sum of a padded field at points around every place."""
        height, width = self._size
        pad = self._pad
        total = np.zeros(self._size, np.float32)
        for x, y in points:
            total += padded[pad + y : pad + y + height, pad + x : pad + x + width]
        return total

    def _edge(self, normal_deg: int) -> Field:
        """How strong edges of a direction are, and their near surroundings."""
        if normal_deg not in self._edges:
            angle = 2 * np.radians(normal_deg)
            along = np.maximum(0, self._cos * np.cos(angle) + self._sin * np.sin(angle)).astype(np.float32)
            self._edges[normal_deg] = np.pad(cv2.dilate(along, np.ones((3, 3), np.uint8)), self._pad)
        return self._edges[normal_deg]


_Point = tuple[int, int]


@lru_cache(maxsize=256)  # not a threshold: how much is kept
def _points(
    shape: HingeShape, turn: int, search: ChainSearchConfig
) -> tuple[tuple[_Point, ...], tuple[tuple[int, float, tuple[_Point, ...]], ...]]:
    """Pixels of a piece at an angle, from its centre.

    Those of its inside; and of each side the angle of its normal in degrees, its share of all sides, and its pixels.
    """
    unit = search.unit_px
    corners = corners_of(shape, np.array([0.0, 0.0, turn * FULL_TURN / search.turns]), unit)
    lengths = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    sides = []
    inner: set[_Point] = set()
    for start, end, length in zip(corners, np.roll(corners, -1, axis=0), lengths, strict=True):
        shares = (np.arange(search.side_points) + 0.5) / search.side_points
        points = start + shares[:, None] * (end - start)
        right_angle = 90  # not a threshold: what a normal stands at
        normal = np.degrees(np.arctan2(-(end - start)[1], (end - start)[0])) + right_angle
        step = search.normal_step_deg
        rounded = round(normal / step) * step % (2 * right_angle)
        sides.append((rounded, float(length / lengths.sum()), tuple(_pixel(point) for point in points)))
        inner |= {_pixel(point / 2) for point in points}
    return tuple(sorted(inner)), tuple(sides)


def _pixel(point: Floats) -> _Point:
    return round(float(point[0])), round(float(point[1]))
