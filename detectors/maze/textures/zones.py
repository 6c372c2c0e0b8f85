"""The parts of a textured maze that are declared: floor of cells, walls between them, blocked tiles; and their looks.

A zone's look is how its colours are spread, whatever their pattern: what is floor looks like other floor, and what is
blocked like none of it.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import oklab
from detectors.maze.textures.config import ZoneConfig

_SPREAD = (0.1, 0.3, 0.5, 0.7, 0.9)  # not a threshold: evenly over a distribution
_FLOOR_SHARE = 0.5  # not a threshold: the middle one
Floats = NDArray[np.float64]


class ZoneKind(enum.Enum):
    """What a zone is."""

    FLOOR = "floor"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Zone:
    """A rectangle of a textured maze.

    Attributes
    ----------
    box : left, top, right and bottom, in pixels of the picture
    kind : what it is declared to be
    cell : whose floor it is, or which tile; 0 for what lies between cells
    pair : the cells that it lies between, the lower first; 0 is outside; None for others
    """

    box: tuple[float, float, float, float]
    kind: ZoneKind
    cell: int = 0
    pair: tuple[int, int] | None = None

    def pixels(self, inset: float = 0.0) -> tuple[slice, slice]:
        """Rows and columns, without a share of its shorter side at each edge."""
        left, top, right, bottom = self.box
        rim = inset * min(right - left, bottom - top)
        return (
            slice(max(0, round(top + rim)), max(0, round(bottom - rim))),
            slice(max(0, round(left + rim)), max(0, round(right - rim))),
        )


@dataclass(frozen=True)
class ZoneReading:
    """What the zones of a picture look like.

    Attributes
    ----------
    zones : with their kinds, none of them unknown
    wrong : what contradicts what is declared, in words; nothing where all agrees
    """

    zones: tuple[Zone, ...]
    wrong: tuple[str, ...]


def read_zones(
    picture: NDArray[np.uint8], zones: Sequence[Zone], marked: tuple[int, int], config: ZoneConfig
) -> ZoneReading:
    """Tells walls from passages where that is not declared, and holds what is declared against the picture.

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
    zones : sequence of Zone
    marked : tuple of int
        The cells of start and goal, which show more than floor.
    config : ZoneConfig
    """
    looks = [_look(picture, zone, config) for zone in zones]
    floor = [at for at, zone in enumerate(zones) if zone.kind is ZoneKind.FLOOR and zone.cell not in marked]
    floor = [at for at in floor if looks[at] is not None]
    blocked = [at for at, zone in enumerate(zones) if zone.kind is ZoneKind.BLOCKED and looks[at] is not None]
    if len(floor) < 2:
        return ZoneReading(tuple(zones), ("It shows too little floor.",))
    told: list[Zone] = []
    wrong: list[str] = []
    for at, zone in enumerate(zones):
        look = looks[at]
        if look is None or zone.cell in marked:
            told.append(zone)
            continue
        to_floor = _nearest(look, looks, [one for one in floor if one != at])
        to_blocked = _nearest(look, looks, [one for one in blocked if one != at])
        as_floor = to_floor <= max(config.least, config.apart * to_blocked)
        as_blocked = to_floor > max(config.least, to_blocked / config.apart)
        if zone.kind is ZoneKind.UNKNOWN:
            if as_floor == as_blocked:
                wrong.append(f"It can't be told whether there is a wall {_where(zone)}.")
            told.append(replace(zone, kind=ZoneKind.FLOOR if as_floor else ZoneKind.BLOCKED))
            continue
        told.append(zone)
        # One blocked tile may look like no other, as the only trap does; it is no floor, though.
        if zone.kind is ZoneKind.FLOOR and not as_floor:
            wrong.append(f"It does not look like floor {_where(zone)}.")
        if zone.kind is ZoneKind.BLOCKED and to_floor <= max(config.least, _usual(looks, floor)):
            wrong.append(f"It looks like floor {_where(zone)}, where it is blocked.")
    return ZoneReading(tuple(told), tuple(wrong))


def _usual(looks: Sequence[Floats | None], floor: Sequence[int]) -> float:
    """How much floor differs from the floor that is most like it, mostly."""
    away = [_nearest(looks[at], looks, [one for one in floor if one != at]) for at in floor]
    return float(np.median(away))


def _where(zone: Zone) -> str:
    if zone.pair is None:
        return f"in cell {zone.cell}" if zone.cell else "between cells"
    first, second = zone.pair
    return f"between the cells {first} and {second}" if first else f"around cell {second}"


def _look(picture: NDArray[np.uint8], zone: Zone, config: ZoneConfig) -> Floats | None:
    """How the colours of a zone are spread; None where it has hardly a pixel."""
    part = picture[zone.pixels(config.inset)]
    if part.shape[0] * part.shape[1] < config.least_px:
        return None
    colors = oklab(np.ascontiguousarray(part)).reshape(-1, 3)
    return np.asarray(np.quantile(colors, _SPREAD, axis=0).ravel(), np.float64)


def _nearest(look: Floats | None, looks: Sequence[Floats | None], among: Sequence[int]) -> float:
    """The least distance to some looks: the mean one of their colours."""
    others = [one for one in (looks[at] for at in among) if one is not None]
    if look is None or not others:
        return float("inf")
    steps = (np.stack(others) - look).reshape(len(others), len(_SPREAD), 3)
    return float(np.sqrt((steps**2).sum(axis=2)).mean(axis=1).min())
