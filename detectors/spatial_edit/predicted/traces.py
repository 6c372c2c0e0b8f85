"""Whether the outline of a box that is gone is still seen on the table: a step of colour all along it.

What the table may show where a box was is known within what it shows around, which on an uneven table is a wide range.
But nothing of a table ends where a box ended: colours on both sides of that line are alike, as they are on both sides
of the same line laid anywhere else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import HUE_WEIGHT
from detectors.spatial_edit.predicted.colors import Colors, contrasts
from detectors.spatial_edit.predicted.config import TraceConfig
from detectors.spatial_edit.predicted.filling import whole_table
from detectors.spatial_edit.predicted.prediction import Prediction, SceneBefore, StandingBox
from detectors.spatial_edit.predicted.rays import NOTHING, Flags, Floats, Numbers
from detectors.spatial_edit.predicted.shadows import Shaded

Pixels = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class AcrossOutline:
    """Places on both sides of a box's outline.

    Attributes
    ----------
    inner, outer : (n, 2) row and column of pixels inside and outside
    part : (n,) which of its faces ends there
    """

    inner: Pixels
    outer: Pixels
    part: Numbers


def traces_left(
    before: SceneBefore, after: Colors, standing: Sequence[StandingBox], prediction: Prediction, config: TraceConfig
) -> float:
    """Measures the steps of colour along the outlines of all boxes that are gone, in units of what counts.

    Parameters
    ----------
    before : SceneBefore
    after : Colors
        Of the edited picture.
    standing : sequence of StandingBox
        What is found in it.
    prediction : Prediction
    config : TraceConfig

    Returns
    -------
    float
        Of the plainest step.
    """
    then, now = before.surfaces, prediction.surfaces
    kept = {one.was for one in standing if one.stays}
    shape = then.box.shape
    free = ~_near(now.box != NOTHING, config.away_px)
    free &= ~prediction.shaded.some & ~Shaded.union(prediction.stay, shape).some
    bare = free & ~_near(np.isin(then.box, sorted(kept)), config.away_px) & (then.box == NOTHING) & ~before.shaded.some
    colors = contrasts(after)
    edge = config.away_px // 2  # not a threshold: half
    # A corner of the table that a box hides may be table or not.
    whole = before.table | whole_table(before.table & (then.box == NOTHING), then, before.plane)
    surfaces = [~_near(~one, edge) for one in (before.table, ~whole)]
    gone = [index for index in range(len(before.boxes)) if index not in kept]
    return max(
        (
            trace_of(colors, then.box == index, then.face, free & one, bare & one, config)
            for index in gone
            for one in surfaces
        ),
        default=0.0,
    )


def _near(mask: Flags, reach: int) -> Flags:
    near = np.ones((2 * reach + 1,) * 2, np.uint8)
    return np.asarray(cv2.dilate(mask.astype(np.uint8), near) > 0)


def trace_of(colors: Floats, mine: Flags, face: Numbers, inside: Flags, outside: Flags, config: TraceConfig) -> float:
    """Measures the step of colour along the outline of a box that is gone, in units of what counts.

    Parameters
    ----------
    colors : (H, W, 3) float32
        Of the edited picture, in which distances are contrasts.
    mine : (H, W) bool
        Where the box was seen.
    face : (H, W) int16
        Which of its faces.
    inside, outside : (H, W) bool
        What can be compared: where no box is, and where none was either, without shadows and the table's edge.
    config : TraceConfig
    """
    outline = outline_of(mine, face, config)
    told = inside[tuple(outline.inner.T)] & outside[tuple(outline.outer.T)]
    steps = _steps(colors, outline.inner, outline.outer)
    most = 0.0
    for part in (None, *np.unique(outline.part).tolist()):
        own = told if part is None else told & (outline.part == part)
        count = int(np.count_nonzero(own))
        if count < config.least_px:
            continue
        step = float(np.linalg.norm(steps[own].mean(axis=0)))
        usual = list(_elsewhere(colors, outline, own, outside, config))
        # Of a grained table some lines have steps by chance that are many times the usual.
        noise = max(config.noise_times * float(np.median(usual)), config.most_times * max(usual)) if usual else math.inf
        # A short step is seen less than a long one.
        least = config.least * math.sqrt(max(1.0, config.long_px / count))
        most = max(most, step / max(least, noise))
    return most


def outline_of(mine: Flags, face: Numbers, config: TraceConfig) -> AcrossOutline:
    """Returns pixels on both sides of a mask's outline, in pairs across it."""
    height, width = mine.shape
    smooth = cv2.GaussianBlur(mine.astype(np.float32), (0, 0), config.normal_px)
    across, down = (cv2.Sobel(smooth, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
    near = cv2.erode(mine.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0
    rows, columns = np.nonzero(mine & near)
    slope = np.stack([down[rows, columns], across[rows, columns]], axis=1).astype(np.float64)
    length = np.linalg.norm(slope, axis=1, keepdims=True)
    inward = slope / np.where(length > 0, length, 1.0)
    starts = np.stack([rows, columns], axis=1)
    inner, outer, part = [], [], []
    for inside, outside in zip(config.inner_px, config.outer_px, strict=True):
        inner.append(np.rint(starts + inside * inward).astype(np.intp))
        outer.append(np.rint(starts - outside * inward).astype(np.intp))
        part.append(face[rows, columns])
    pairs = np.concatenate(inner), np.concatenate(outer)
    held = np.logical_and.reduce([((one >= 0) & (one < (height, width))).all(axis=1) for one in pairs])
    held &= np.concatenate([length[:, 0] > 0] * len(inner))
    return AcrossOutline(pairs[0][held], pairs[1][held], np.concatenate(part)[held])


def _steps(colors: Floats, inner: Pixels, outer: Pixels) -> NDArray[np.float64]:
    """Returns differences of colours, (n, 3), in units of lightness."""
    off = colors[tuple(inner.T)].astype(np.float64) - colors[tuple(outer.T)]
    return np.asarray(off * np.array([1.0, HUE_WEIGHT, HUE_WEIGHT]))


def _elsewhere(
    colors: Floats, outline: AcrossOutline, own: Flags, surface: Flags, config: TraceConfig
) -> Iterator[float]:
    """Yields the step along the same line laid elsewhere on the table."""
    size = np.array(surface.shape)
    inner, outer = outline.inner[own], outline.outer[own]
    moves = [np.linspace(-1.0, 1.0, config.places)] * 2
    for move in np.stack(np.meshgrid(*moves, indexing="ij"), axis=-1).reshape(-1, 2):
        by = np.rint(move * size / 2).astype(np.intp)
        one, other = inner + by, outer + by
        held = ((one >= 0) & (one < size) & (other >= 0) & (other < size)).all(axis=1)
        one, other = one[held], other[held]
        held = surface[tuple(one.T)] & surface[tuple(other.T)]
        if np.count_nonzero(held) >= config.held * np.count_nonzero(own):
            yield float(np.linalg.norm(_steps(colors, one[held], other[held]).mean(axis=0)))
