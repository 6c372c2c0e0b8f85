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

from detectors.spatial_edit.boxes.config import OutlineConfig
from detectors.spatial_edit.boxes.findings import BoxKind, BoxView, TablePlane
from detectors.spatial_edit.boxes.geometry import (
    FAR_PX,
    HEIGHT,
    NUMBERS,
    PLACED,
    SIZED,
    STEP,
    TILTED,
    FloatArray,
    Rows,
    corners_of,
    hull_mask,
    onto_table,
    project,
    size_numbers,
    table_numbers,
)

# The damping of Levenberg's and Marquardt's steps, how it changes, its range, and from where on nothing gets better.
_DAMPING = 1e-2  # not a threshold: a fit ends in the same place with another
_EASED, _RAISED = 3, 4  # not a threshold: likewise
_LEAST_DAMPING, _MOST_DAMPING, _HOPELESS = 1e-7, 1e6, 1e3  # not a threshold: likewise


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


def outline_of(mask: NDArray[np.bool_], hidden: NDArray[np.bool_], config: OutlineConfig) -> Outline:
    """Measures the outline of a mask (H, W) that is not empty; ``hidden`` tells where something may lie in front."""
    height, width = mask.shape
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    points = np.concatenate([contour[:, 0] for contour in contours]).astype(np.float64) + 0.5
    angles = 2 * math.pi * np.arange(config.directions) / config.directions
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    along = points[:, 0] * directions[:, :1] + points[:, 1] * directions[:, 1:]
    best = along.argmax(axis=1)
    beside = points[best] + config.aside_px * directions
    column, row = np.floor(beside[:, 0]).astype(int), np.floor(beside[:, 1]).astype(int)
    outside = (column < 0) | (row < 0) | (column >= width) | (row >= height)
    covered = hidden[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]
    # Pixels reach half a pixel beyond their middles.
    return Outline(directions, along.max(axis=1) + 0.5, outside | covered, mask, hidden)


def residuals(rows: Rows, outline: Outline, view: BoxView) -> FloatArray:
    """Returns by how many pixels rows (n, 9) reach too far in each direction: (n, k)."""
    pixels = project(corners_of(rows), view)
    ways = outline.directions
    reach = (pixels[:, :, None, 0] * ways[:, 0] + pixels[:, :, None, 1] * ways[:, 1]).max(axis=1)
    over = reach - outline.reach
    return np.where(outline.open & (over > 0), 0.0, over)


def first_fits(
    outline: Outline, kind: BoxKind, plane: TablePlane | None, view: BoxView, config: OutlineConfig
) -> tuple[FloatArray, ...]:
    """Returns rows (9,) that fit an outline, the best first, at most ``config.kept``.

    A kind without size needs a table.
    """
    free = free_numbers(kind, plane)
    rows = _settle(_starts(outline, kind, plane, view, config), free, outline, view, config)
    most = config.most_off_px
    costs = np.square(np.clip(residuals(rows, outline, view), -most, most)).mean(axis=1)
    kept: list[FloatArray] = []
    for index in np.argsort(costs, kind="stable"):
        if all(_differ(rows[index], other, config) for other in kept):
            kept.append(rows[index])
        if len(kept) == config.kept:
            break
    return tuple(kept)


def other_heights(
    row: FloatArray,
    free: tuple[int, ...],
    factors: tuple[float, ...],
    outline: Outline,
    view: BoxView,
    config: OutlineConfig,
) -> tuple[FloatArray, ...]:
    """Returns fits of nearly the same outline as a row's, of other heights.

    A lower and longer box has nearly the same outline. Which of them it is only the edge between its faces tells.
    """
    rows = np.repeat(row[None], len(factors), axis=0)
    rows[:, HEIGHT] += np.log(factors)
    held = tuple(number for number in free if number != HEIGHT)
    return tuple(_settle(rows, held, outline, view, config))


def free_numbers(kind: BoxKind, plane: TablePlane | None) -> tuple[int, ...]:
    """Returns which numbers of a row are not known."""
    if plane is None:
        return TILTED
    return SIZED if kind.size is None else PLACED


def _differ(one: FloatArray, other: FloatArray, config: OutlineConfig) -> bool:
    turn = math.remainder(float(one[2] - other[2]), math.pi)
    return bool(np.abs(one[:2] - other[:2]).max() > config.same_m or abs(turn) > config.same_rad)


def _starts(outline: Outline, kind: BoxKind, plane: TablePlane | None, view: BoxView, config: OutlineConfig) -> Rows:
    rows, columns = np.nonzero(outline.mask)
    middle = np.array([[columns.mean() + 0.5, rows.mean() + 0.5]])
    tall, wide = float(np.ptp(rows)) + 1, float(np.ptp(columns)) + 1
    found = []
    tilts = [table_numbers(plane)] if plane is not None else [(pitch, 0.0, 1.0) for pitch in config.pitches]
    for pitch, roll, drop in tilts:
        row = np.zeros(NUMBERS)
        row[6:] = pitch, roll, drop
        if kind.size is None:
            # From how large it looks where its middle would meet the table; the fit does the rest.
            (place,) = onto_table(middle, row, view, 0.0)
            depth = max(_depth(row, place), config.nearest_m)
            across = depth / view.focal_x
            width, height, length = config.size_shares
            row[3:6] = size_numbers((width * wide * across, height * tall * across, length * wide * across))
        else:
            row[3:6] = size_numbers(kind.size)
            if plane is None:
                # The greatest extent should look about as large as the outline.
                seen = max(wide / view.focal_x, tall / view.focal_y)
                row[8] = math.hypot(*kind.size) / seen * math.sin(pitch)
        height = math.exp(row[4])
        (row[:2],) = onto_table(middle, row, view, height / 2)
        turns = config.yaws if kind.size is not None else max(1, config.yaws // 2)
        for index in range(turns):
            start = row.copy()
            start[2] = math.pi * index / config.yaws
            found.append(start)
    return np.stack(found)


def _depth(row: FloatArray, place: FloatArray) -> float:
    foot = row.copy()
    foot[:2] = place
    return float(corners_of(foot[None])[0, :, 2].mean())


def _settle(rows: Rows, free: tuple[int, ...], outline: Outline, view: BoxView, config: OutlineConfig) -> Rows:
    """Makes damped Gauss-Newton steps (Levenberg-Marquardt) for all rows at once."""
    numbers = list(free)
    damping = np.full(len(rows), _DAMPING)
    errors = residuals(rows, outline, view)
    costs = np.square(errors).sum(axis=1)
    for _ in range(config.rounds):
        slopes = np.stack([_slope(rows, number, errors, outline, view) for number in numbers], axis=2)
        normal = np.einsum("nki,nkj->nij", slopes, slopes)
        downhill = np.einsum("nki,nk->ni", slopes, errors)
        scale = np.einsum("nii->ni", normal) + 1e-9
        damped = normal + (damping[:, None] * scale)[..., None] * np.eye(len(numbers))
        step = np.linalg.solve(damped, downhill[..., None])[..., 0]
        tried = rows.copy()
        tried[:, numbers] -= np.clip(step, -config.most_step, config.most_step)
        tried_errors = residuals(tried, outline, view)
        tried_costs = np.square(tried_errors).sum(axis=1)
        better = tried_costs < costs
        rows = np.where(better[:, None], tried, rows)
        errors = np.where(better[:, None], tried_errors, errors)
        costs = np.where(better, tried_costs, costs)
        still = bool((np.abs(step).max(axis=1) < config.still)[better].all())
        if still and (better.any() or bool((damping > _HOPELESS).all())):
            break
        damping = np.where(better, damping / _EASED, damping * _RAISED)
        damping = np.clip(damping, _LEAST_DAMPING, _MOST_DAMPING)
    return rows


def _slope(rows: Rows, number: int, errors: FloatArray, outline: Outline, view: BoxView) -> FloatArray:
    moved = rows.copy()
    moved[:, number] += STEP
    return (residuals(moved, outline, view) - errors) / STEP


def filled(row: FloatArray, view: BoxView) -> NDArray[np.bool_]:
    """Returns the pixels (height, width) that a row's box covers."""
    pixels = project(corners_of(row[None])[0], view)
    shape = (view.height, view.width)
    return hull_mask(pixels, shape) if np.abs(pixels).max() < FAR_PX else np.zeros(shape, np.bool_)


def overlap(row: FloatArray, outline: Outline, view: BoxView) -> float:
    """Returns the share of common pixels of a row's box and an outline, 0 to 1; what may be hidden does not count."""
    box = filled(row, view)
    common = int((box & outline.mask).sum())
    # OpenCV fills every pixel that the outline touches: half a pixel too far all around.
    too_far = int((_eroded(box) & ~outline.mask & ~outline.hidden).sum())
    missed = int((outline.mask & ~box).sum())
    return common / max(common + too_far + missed, 1)


def _eroded(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
