"""Thin straight lines that run right across a sheet, from rim to rim: creases, wherever they are drawn."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.paper_fold.config import CreaseLinesConfig
from detectors.paper_fold.sheet import BareSheet, Line

# not a threshold: along quarters of half a turn
_ALONG = tuple((math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)) for turn in range(4))
"""Directions that sheets are folded along."""


def find_lines(drawn: NDArray[np.uint8], sheet: BareSheet) -> tuple[Line, ...]:
    """Finds lines that are no known creases, (x, y) of both ends in working pixels.

    Parameters
    ----------
    drawn : ndarray of shape (h, w), uint8
        1 where something is drawn.
    sheet : BareSheet
    """
    config, marks = sheet.config.lines, sheet.config.marks
    width = 2 * max(1, round(marks.crease * sheet.radius + marks.crease_px)) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    solid = cv2.dilate(cv2.morphologyEx(drawn, cv2.MORPH_OPEN, disc), disc)
    clear = sheet.inside & (sheet.edge_distance > sheet.config.paper.reach_px)
    thin = (drawn > 0) & (solid == 0) & clear
    left, top, right, bottom = sheet.box
    side = float(max(right - left, bottom - top))
    if np.count_nonzero(thin) < config.covered * config.least * side:
        return ()
    rows, columns = np.nonzero(thin)
    found: list[Line] = []
    for along in _ALONG:
        found += _lines_along(along, (rows, columns), clear & (solid == 0), side, config)
    # So many lines are a grid.
    return tuple(found) if len(found) <= config.most else ()


def with_lines(sheet: BareSheet, lines: tuple[Line, ...]) -> BareSheet:
    """A sheet on which creases may show along further lines, too."""
    if not lines:
        return sheet
    made = replace(sheet, creases=(*sheet.creases, *lines))
    # All else that was read of it stays as it is.
    vars(made).update({name: one for name, one in vars(sheet).items() if name not in ("along_creases", "creases")})
    return made


def _lines_along(
    along: tuple[float, float],
    at: tuple[NDArray[np.intp], NDArray[np.intp]],
    clear: NDArray[np.bool_],
    side: float,
    config: CreaseLinesConfig,
) -> list[Line]:
    """Lines in one direction, the plainest first."""
    ax, ay = along
    rows, columns = at
    away, far = ay * columns - ax * rows, ax * columns + ay * rows
    low = int(np.floor(away.min())) - 1
    places = np.rint(away).astype(np.intp) - low
    counts = np.bincount(places, minlength=int(places.max()) + 2).astype(np.float64)
    height, width = clear.shape
    found = []
    while counts.max() >= config.covered * config.least * side:
        peak = int(counts.argmax())
        near = np.abs(away - low - peak) <= config.beside_px
        counts[max(0, peak - config.apart_px) : peak + config.apart_px + 1] = 0.0
        own = float(away[near].mean())
        # All of the line within the picture, pixel by pixel.
        steps = np.arange(-float(np.hypot(height, width)), float(np.hypot(height, width)))
        x, y = ax * steps + ay * own, ay * steps - ax * own
        across, down = np.rint(x).astype(np.intp), np.rint(y).astype(np.intp)
        held = (across >= 0) & (across < width) & (down >= 0) & (down < height)
        steps, across, down = steps[held], across[held], down[held]
        told = clear[down, across]
        if np.count_nonzero(told) < config.least * side:
            continue
        shown = np.zeros(len(steps), np.bool_)
        places_along = np.rint(far[near] - steps[0]).astype(np.intp)
        shown[places_along[(places_along >= 0) & (places_along < len(steps))]] = True
        # Gaps are told where the line is in sight.
        marked = shown[told]
        gaps = np.diff(np.concatenate([[-1], np.flatnonzero(marked), [len(marked)]])) - 1
        if marked.mean() < config.covered or gaps.max() > config.gap * side:
            continue
        first, last = np.flatnonzero(told)[[0, -1]].tolist()
        middle = 0.5  # not a threshold: the middle of a pixel
        ends = [(ax * steps[end] + ay * own + middle, ay * steps[end] - ax * own + middle) for end in (first, last)]
        found.append((_pair(ends[0]), _pair(ends[1])))
        if len(found) > config.most:
            break
    return found


def _pair(point: tuple[float, float]) -> tuple[float, float]:
    return float(point[0]), float(point[1])
