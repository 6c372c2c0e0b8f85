"""Whether a textured picture looks like what a mask of its floor says: floor like other floor, and walls unlike it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import oklab
from detectors.common.residual.mixing import channel_maxima
from detectors.maze.floor.config import FloorConfig
from detectors.maze.floor.widths import Mask, distance_into

_SPREAD = (0.1, 0.3, 0.5, 0.7, 0.9)  # not a threshold: evenly over a distribution
_LEAST = 1e-6  # not a threshold: against a division by 0
_Floats = NDArray[np.float64]


def look_alike(
    picture: NDArray[np.uint8], labels: NDArray[np.int32], floor: Mask, marks: Mask, wall: float, config: FloorConfig
) -> tuple[str, ...]:
    """What of a picture contradicts a mask of its floor, in words, with the place in pixels of the picture given.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
    labels : ndarray of shape (h, w), int32
        The pieces of the floor, with the walls beside them.
    floor, marks : ndarray of shape (h, w), bool
        Where one may walk, and what marks start and goal.
    wall : float
        Width of a wall in pixels.
    config : FloorConfig
    """
    inner = distance_into(floor & ~marks) > config.edge_px
    # not a threshold: the side of OpenCV's larger mask
    away = cv2.distanceTransform((~floor).view(np.uint8), cv2.DIST_L2, 5)
    beside = (away > config.walls[0] * wall) & (away <= max(2.0, config.walls[1] * wall)) & ~marks
    colors = np.asarray(oklab(picture), np.float64)
    floors, walls = (_looks(colors, labels, part, config) for part in (inner, beside))
    ids = sorted(floors)
    if len(ids) < 3 or not walls:
        return ()
    look_of = np.stack([floors[one] for one in ids])
    wall_of = np.stack([walls[one] for one in sorted(walls)])
    to_floor = _nearest(look_of, look_of, same=True)
    to_wall = _nearest(look_of, wall_of, same=False)
    said = [
        (ids[at], "it does not look like other floor")
        for at in np.flatnonzero(to_floor > np.maximum(config.alike, config.apart * to_wall)).tolist()
    ]
    usual = float(np.median(to_floor))
    near = _nearest(wall_of, look_of, same=False)
    said += [
        (sorted(walls)[at], "the wall looks like floor")
        for at in np.flatnonzero(near <= max(config.alike, config.apart * usual)).tolist()
    ]
    return tuple(f"at {_middle(labels, floor, one)} {text}" for one, text in said)


def has_drawing(picture: NDArray[np.uint8], floor: Mask, marks: Mask, unit: float, config: FloorConfig) -> bool:
    """Whether something unlike the floor around it hangs together on the floor, long enough to be drawn."""
    inner = distance_into(floor & ~marks) > config.edge_px
    if not inner.any():
        return False
    values = picture.astype(np.float32)
    plain, off = inner, np.zeros(floor.shape, np.float32)
    # Again without what differs most: it sways what lies around.
    for _ in range(2):
        weight = cv2.GaussianBlur(plain.astype(np.float32), (0, 0), config.around * unit)
        around = cv2.GaussianBlur(values * plain[..., None], (0, 0), config.around * unit)
        off = channel_maxima(np.abs(values - around / np.maximum(weight, _LEAST)[..., None])) * inner
        plain = inner & (off <= np.quantile(off[inner], config.trimmed))
    usual = float(np.quantile(off[inner], config.usual))
    drawn = (off > max(config.plain, config.plainer * usual)).astype(np.uint8)
    # not a threshold: single pixels are no marks
    drawn = np.asarray(cv2.morphologyEx(drawn, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(drawn, connectivity=8)  # not a threshold: a pixel's neighbours
    sides = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    return bool(len(sides)) and float(sides.max()) > config.long * unit


def _looks(colors: _Floats, labels: NDArray[np.int32], part: Mask, config: FloorConfig) -> dict[int, _Floats]:
    """How the colours of each piece are spread, of those with enough pixels."""
    at = np.flatnonzero(part & (labels > 0))
    owner = labels.ravel()[at]
    order = np.argsort(owner, kind="stable")
    at, owner = at[order], owner[order]
    ids, starts = np.unique(owner, return_index=True)
    found: dict[int, _Floats] = {}
    for one, pixels in zip(ids.tolist(), np.split(at, starts[1:]), strict=True):
        if len(pixels) >= config.least_px:
            found[one] = np.quantile(colors.reshape(-1, 3)[pixels], _SPREAD, axis=0)
    return found


def _nearest(looks: _Floats, others: _Floats, *, same: bool) -> _Floats:
    """(n,), the least distance of each look to some, but not to itself."""
    found = np.empty(len(looks))
    for at, look in enumerate(looks):
        away = np.sqrt(((others - look) ** 2).sum(axis=2)).mean(axis=1)
        if same:
            away[at] = np.inf
        found[at] = away.min()
    return found


def _middle(labels: NDArray[np.int32], floor: Mask, piece: int) -> str:
    rows, columns = np.nonzero((labels == piece) & floor)
    return f"({columns.mean():.0f}, {rows.mean():.0f})"
