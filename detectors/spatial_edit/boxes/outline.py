"""A first fit of a box to the outline of its pixels.

The outline of a box is convex, so it is told wholly by its support: how far it reaches in each direction. Rows of
numbers are moved by damped Gauss-Newton steps until theirs is that of the pixels, from several yaws at once. Where
another box or the picture's edge may hide the outline, the box may reach further than its pixels, but not less far.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.config import BoxesConfig
from detectors.spatial_edit.boxes.findings import BoxKind, BoxView, TablePlane
from detectors.spatial_edit.boxes.geometry import (
    PLACED,
    SIZED,
    TILTED,
    FloatArray,
    Rows,
    corners_of,
    onto_table,
    project,
    size_numbers,
    table_numbers,
)

_STEPS = 25
_STILL = 1e-4  # steps that are smaller end the fit
_SMALL = 1e-5  # step of the derivatives, in metres, radians and logarithms
_PITCHES = (0.4, 0.7, 1.0)  # where no table is known
_SHIFTED = (0.02, 0.1)  # two starts are the same fit if place and yaw differ by less, in metres and radians
_ASIDE_PX = 3.0  # what lies so far beside the outline may hide more of the box


@dataclass(frozen=True)
class Outline:
    """How far pixels reach.

    Attributes
    ----------
    directions : (k, 2) unit vectors
    reach : (k,) greatest projection on each, in pixels
    open : (k,) whether more of the box may be hidden there
    mask : (H, W) the pixels
    hidden : (H, W) where other boxes might hide it
    """

    directions: FloatArray
    reach: FloatArray
    open: NDArray[np.bool_]
    mask: NDArray[np.bool_]
    hidden: NDArray[np.bool_]


def outline_of(mask: NDArray[np.bool_], hidden: NDArray[np.bool_], config: BoxesConfig) -> Outline:
    """Measure the outline of a mask (H, W) that is not empty; ``hidden`` tells where something may lie in front."""
    height, width = mask.shape
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    points = np.concatenate([contour[:, 0] for contour in contours]).astype(np.float64) + 0.5
    angles = 2 * math.pi * np.arange(config.directions) / config.directions
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    along = points[:, 0] * directions[:, :1] + points[:, 1] * directions[:, 1:]
    best = along.argmax(axis=1)
    beside = points[best] + _ASIDE_PX * directions
    column, row = np.floor(beside[:, 0]).astype(int), np.floor(beside[:, 1]).astype(int)
    outside = (column < 0) | (row < 0) | (column >= width) | (row >= height)
    covered = hidden[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]
    # Pixels reach half a pixel beyond their middles.
    return Outline(directions, along.max(axis=1) + 0.5, outside | covered, mask, hidden)


def residuals(rows: Rows, outline: Outline, view: BoxView) -> FloatArray:
    """Return by how many pixels rows (n, 9) reach too far in each direction: (n, k)."""
    pixels = project(corners_of(rows), view)
    ways = outline.directions
    reach = (pixels[:, :, None, 0] * ways[:, 0] + pixels[:, :, None, 1] * ways[:, 1]).max(axis=1)
    over = reach - outline.reach
    return np.where(outline.open & (over > 0), 0.0, over)


def first_fits(
    outline: Outline, kind: BoxKind, plane: TablePlane | None, view: BoxView, config: BoxesConfig
) -> tuple[FloatArray, ...]:
    """Return rows (9,) that fit an outline, the best first, at most ``config.starts_kept``.

    A kind without size needs a table.
    """
    free = free_numbers(kind, plane)
    rows = _settle(_starts(outline, kind, plane, view, config), free, outline, view)
    costs = np.square(np.clip(residuals(rows, outline, view), -20, 20)).mean(axis=1)
    kept: list[FloatArray] = []
    for index in np.argsort(costs, kind="stable"):
        if all(_differ(rows[index], other) for other in kept):
            kept.append(rows[index])
        if len(kept) == config.starts_kept:
            break
    return tuple(kept)


def free_numbers(kind: BoxKind, plane: TablePlane | None) -> tuple[int, ...]:
    """Return which numbers of a row are not known."""
    if plane is None:
        return TILTED
    return SIZED if kind.size is None else PLACED


def _differ(one: FloatArray, other: FloatArray) -> bool:
    turn = math.remainder(float(one[2] - other[2]), math.pi)
    return bool(np.abs(one[:2] - other[:2]).max() > _SHIFTED[0] or abs(turn) > _SHIFTED[1])


def _starts(outline: Outline, kind: BoxKind, plane: TablePlane | None, view: BoxView, config: BoxesConfig) -> Rows:
    rows, columns = np.nonzero(outline.mask)
    middle = np.array([[columns.mean() + 0.5, rows.mean() + 0.5]])
    tall, wide = float(np.ptp(rows)) + 1, float(np.ptp(columns)) + 1
    found = []
    tilts = [table_numbers(plane)] if plane is not None else [(pitch, 0.0, 1.0) for pitch in _PITCHES]
    for pitch, roll, drop in tilts:
        row = np.zeros(9)
        row[6:] = pitch, roll, drop
        if kind.size is None:
            # From how large it looks where its middle would meet the table; the fit does the rest.
            (place,) = onto_table(middle, row, view, 0.0)
            depth = _depth(row, place)
            across = depth / view.focal_x
            row[3:6] = size_numbers((0.7 * wide * across, 0.6 * tall * across, 0.7 * wide * across))
        else:
            row[3:6] = size_numbers(kind.size)
            if plane is None:
                # The greatest extent should look about as large as the outline.
                seen = max(wide / view.focal_x, tall / view.focal_y)
                row[8] = math.hypot(*kind.size) / seen * math.sin(pitch)
        height = math.exp(row[4])
        (row[:2],) = onto_table(middle, row, view, height / 2)
        turns = config.first_yaws if kind.size is not None else max(1, config.first_yaws // 2)
        for index in range(turns):
            start = row.copy()
            start[2] = math.pi * index / config.first_yaws
            found.append(start)
    return np.stack(found)


def _depth(row: FloatArray, place: FloatArray) -> float:
    foot = row.copy()
    foot[:2] = place
    return max(float(corners_of(foot[None])[0, :, 2].mean()), 0.05)


def _settle(rows: Rows, free: tuple[int, ...], outline: Outline, view: BoxView) -> Rows:
    """Damped Gauss-Newton steps (Levenberg-Marquardt) for all rows at once."""
    numbers = list(free)
    damping = np.full(len(rows), 1e-2)
    errors = residuals(rows, outline, view)
    costs = np.square(errors).sum(axis=1)
    for _ in range(_STEPS):
        slopes = np.stack([_slope(rows, number, errors, outline, view) for number in numbers], axis=2)
        normal = np.einsum("nki,nkj->nij", slopes, slopes)
        downhill = np.einsum("nki,nk->ni", slopes, errors)
        scale = np.einsum("nii->ni", normal) + 1e-9
        damped = normal + (damping[:, None] * scale)[..., None] * np.eye(len(numbers))
        step = np.linalg.solve(damped, downhill[..., None])[..., 0]
        tried = rows.copy()
        # Half a metre, radian or logarithm is more than any step needs.
        tried[:, numbers] -= np.clip(step, -0.5, 0.5)
        tried_errors = residuals(tried, outline, view)
        tried_costs = np.square(tried_errors).sum(axis=1)
        better = tried_costs < costs
        rows = np.where(better[:, None], tried, rows)
        errors = np.where(better[:, None], tried_errors, errors)
        costs = np.where(better, tried_costs, costs)
        if bool((np.abs(step).max(axis=1) < _STILL)[better].all()) and (better.any() or bool((damping > 1e3).all())):
            break
        damping = np.clip(np.where(better, damping / 3, damping * 4), 1e-7, 1e6)
    return rows


def _slope(rows: Rows, number: int, errors: FloatArray, outline: Outline, view: BoxView) -> FloatArray:
    moved = rows.copy()
    moved[:, number] += _SMALL
    return (residuals(moved, outline, view) - errors) / _SMALL


def filled(row: FloatArray, view: BoxView) -> NDArray[np.bool_]:
    """Return the pixels (height, width) that a row's box covers."""
    mask = np.zeros((view.height, view.width), np.uint8)
    pixels = project(corners_of(row[None])[0], view)
    if np.abs(pixels).max() < 1e5:
        hull = cv2.convexHull(((pixels - 0.5) * 16).round().astype(np.int32))
        cv2.fillConvexPoly(mask, hull, 1, cv2.LINE_8, 4)
    return mask.astype(bool)


def overlap(row: FloatArray, outline: Outline, view: BoxView) -> float:
    """Return the share of common pixels of a row's box and an outline, 0 to 1; what may be hidden does not count."""
    box = filled(row, view)
    common = int((box & outline.mask).sum())
    # OpenCV fills every pixel that the outline touches: half a pixel too far all around.
    too_far = int((_eroded(box) & ~outline.mask & ~outline.hidden).sum())
    missed = int((outline.mask & ~box).sum())
    return common / max(common + too_far + missed, 1)


def _eroded(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
