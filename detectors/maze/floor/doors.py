"""The borders of a floor's pieces: where two touch on the floor there is a passage, all others are walls."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from detectors.maze.floor.config import FloorConfig
from detectors.maze.floor.widths import Mask, distance_into
from detectors.maze.plan.cell_maps import OUTSIDE
from detectors.maze.plan.floorplan import Border, Floorplan

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Doors:
    """A floor plan whose passages are those of a mask.

    Attributes
    ----------
    plan : the floor plan
    walled : passages of the mask that look like walls in the picture
    open : walls of the mask that look like floor in the picture
    """

    plan: Floorplan
    walled: tuple[Pair, ...]
    open: tuple[Pair, ...]


def with_doors(plan: Floorplan, passages: Collection[Pair], floor: Mask, config: FloorConfig) -> Doors:
    """Parts the borders of a floor plan, which was read from a picture, by a mask of the floor.

    Parameters
    ----------
    plan : Floorplan
        Of the pieces of a floor.
    passages : collection of (int, int)
        The pairs of pieces that touch on the floor.
    floor : ndarray of shape (h, w), bool
    config : FloorConfig
    """
    depth = distance_into(floor)
    on_floor = _met_on(floor & (depth > 1.0), plan)
    borders: list[Border] = []
    walled: list[Pair] = []
    opened: list[Pair] = []
    for border in plan.borders:
        pair = (border.first, border.second)
        rows, columns = border.pixels.T
        on = floor[rows, columns]
        if pair in on_floor and pair in passages:
            continue
        if border.first == OUTSIDE or not on.any():
            borders.append(replace(border, open=False))
        elif not on.all():
            borders.append(Border(border.first, border.second, border.pixels[~on], open=False))
        if border.first != OUTSIDE and not on.all():
            shown = plan.walls[rows[~on], columns[~on]]
            if float(shown.mean()) < config.shown:
                opened.append(pair)
    for pair in sorted(passages):
        if pair not in on_floor:
            continue
        pixels = on_floor[pair]
        borders.append(Border(*pair, pixels, open=True))
        if float(plan.walls[pixels[:, 0], pixels[:, 1]].mean()) > config.shown:
            walled.append(pair)
    borders.sort(key=lambda border: (border.first, border.second))
    return Doors(replace(plan, borders=tuple(borders)), tuple(walled), tuple(opened))


def _met_on(floor: Mask, plan: Floorplan) -> dict[Pair, NDArray[np.intp]]:
    """The pixels (row, column) on a floor at which pairs of pieces touch, by pair."""
    labels = plan.labels
    most = int(labels.max(initial=0)) + 1
    height, width = labels.shape
    flat = np.arange(height * width).reshape(height, width)
    keys: list[NDArray[np.int64]] = []
    places: list[NDArray[np.intp]] = []
    for one, other in (
        ((slice(None, -1), slice(None)), (slice(1, None), slice(None))),
        ((slice(None), slice(None, -1)), (slice(None), slice(1, None))),
    ):
        met = floor[one] & floor[other] & (labels[one] != labels[other])
        met &= (labels[one] != OUTSIDE) & (labels[other] != OUTSIDE)
        a, b = labels[one][met].astype(np.int64), labels[other][met].astype(np.int64)
        for at in (flat[one][met], flat[other][met]):
            keys.append(np.minimum(a, b) * most + np.maximum(a, b))
            places.append(at)
    key, place = np.concatenate(keys), np.concatenate(places)
    found: dict[Pair, NDArray[np.intp]] = {}
    for code in np.unique(key).tolist():
        at = np.unique(place[key == code])
        found[int(code) // most, int(code) % most] = np.stack(np.divmod(at, width), axis=1)
    return found
