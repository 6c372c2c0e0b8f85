"""What is left of a candidate once the sheet itself is taken away, with all that mixes into it at its edges."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.light import even_light
from detectors.common.quantiles import median
from detectors.common.residual.edges import distrust
from detectors.common.residual.ground import fit_ground
from detectors.common.residual.mixing import channel_medians, channel_sums, left_of_two, lengths, seen, times
from detectors.paper_fold.config import PaperConfig
from detectors.paper_fold.sheet import BareSheet


@dataclass(frozen=True, eq=False)
class SheetResidual:
    """What is left.

    Attributes
    ----------
    values : (h, w, 3) float32, in the colours of `seen`
    usable : (h, w) bool, where it is told
    noise : contrast that most of what is left stays below, once it is smoothed
    soft : (h, w, 3) float32, the same, smoothed
    contrast : (h, w) float32, its length
    repainted : contrast between the sheet's colours and the puzzle's, of the area in which it is greatest
    gone : (h, w) bool, where a line along the sheet's edge is gone
    """

    values: NDArray[np.float32]
    usable: NDArray[np.bool_]
    noise: float
    soft: NDArray[np.float32]
    contrast: NDArray[np.float32]
    repainted: float
    gone: NDArray[np.bool_]


def find_residual(view: NDArray[np.uint8], covered: NDArray[np.bool_] | None, sheet: BareSheet) -> SheetResidual:
    """Takes the sheet off a candidate.

    Parameters
    ----------
    view : ndarray of shape (h, w, 3), uint8 RGB
        In the sheet's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    sheet : BareSheet
    """
    paper, holes = sheet.config.paper, sheet.config.holes
    view = _without_pepper(view, sheet)
    view = even_light(view, sheet.picture, sheet.sample, paper.light)
    lab = _seen(view, sheet)
    usable = np.ones(lab.shape[:2], np.bool_) if covered is None else covered
    told = usable.ravel()
    colors: list[NDArray[np.float32]] = []
    uneven: list[tuple[int, NDArray[np.float32]]] = []
    repainted = 0.0
    for place, at in enumerate(sheet.areas):
        shown = at if covered is None else at[told[at]]
        color = _even_color(lab, shown, paper)
        if color is None:
            ground = fit_ground(lab, shown, paper.ground)
            color = ground.color
            uneven.append((place, ground.surface))
        colors.append(color)
        if sheet.inside.ravel()[at[0]]:
            change = float(np.sqrt(((color - sheet.colors[place]) ** 2).sum()))
            repainted = max(repainted, change)
    surface = sheet.painted(colors)
    for place, fitted in uneven:
        cv2.copyTo(fitted, sheet.part(place), surface)
    values = lab - surface
    if covered is not None:
        values = times(values, usable.astype(np.float32))
    _take_off_edges(values, lab, sheet, colors)
    soft = np.asarray(cv2.GaussianBlur(values, (0, 0), max(holes.least_px, holes.smooth * sheet.radius)), np.float32)
    contrast = lengths(soft)
    inner = contrast.ravel()[sheet.inner if covered is None else sheet.inner[told[sheet.inner]]]
    noise = median(inner) if inner.size else 0.0
    return SheetResidual(values, usable, noise, soft, contrast, repainted, _gone_lines(lab, usable, sheet, colors))


def _seen(view: NDArray[np.uint8], sheet: BareSheet) -> NDArray[np.float32]:
    """A view in the colours of `seen`; where it is as the sheet's own picture, and mostly it is, these are known."""
    same = cv2.inRange(cv2.absdiff(view, sheet.picture), (0, 0, 0), (0, 0, 0))
    # not a threshold: with fewer, all are as quick
    if 2 * np.count_nonzero(same) < same.size:
        return seen(view)
    lab = sheet.lab.copy()
    at = np.flatnonzero(same == 0)
    lab.reshape(-1, 3)[at] = seen(view.reshape(-1, 3).take(at, axis=0))
    return lab


def _even_color(lab: NDArray[np.float32], at: NDArray[np.intp], config: PaperConfig) -> NDArray[np.float32] | None:
    """The colour of an area that nearly all of its pixels have; None where it has no such one."""
    colors = lab.reshape(-1, 3).take(at[:: max(1, at.size // config.ground.samples)], axis=0)
    if not len(colors):
        return None
    middle = channel_medians(colors)
    off = channel_sums((colors - middle) ** 2)
    same = float(np.count_nonzero(off <= config.same**2) / len(off))
    return middle if same >= config.even else None


def _take_off_edges(
    values: NDArray[np.float32], lab: NDArray[np.float32], sheet: BareSheet, colors: list[NDArray[np.float32]]
) -> None:
    """Takes off, in place, what is a mixture with an edge's colour and that of the next area."""
    paper = sheet.config.paper
    core = sheet.edge_core
    line = channel_medians(lab.reshape(-1, 3).take(core, axis=0)) if core.size else None
    flat = values.reshape(-1, 3)
    for place, color in enumerate(colors):
        for at, most in zip(sheet.beside_edges[place], (paper.most, paper.soft), strict=True):
            own = flat.take(at, axis=0)
            more = channel_sums(own * own) > paper.same**2  # what is left of nothing is nothing
            at, own = at[more], own[more]
            for other, far in enumerate(colors):
                if other != place:
                    axes = (far - color, (line if line is not None else far) - color)
                    left = left_of_two(own, axes, most)
                    less = channel_sums(left**2) < channel_sums(own**2)
                    own[less] = left[less]
            flat[at] = own
    distrust(values, sheet.near_edges, sheet.edge_rings, paper.trusted, paper.visible)


def _gone_lines(
    lab: NDArray[np.float32], usable: NDArray[np.bool_], sheet: BareSheet, colors: list[NDArray[np.float32]]
) -> NDArray[np.bool_]:
    """Where the line along the sheet's edge is gone, as far as it stands out from the areas beside it."""
    paper = sheet.config.paper
    gone = np.zeros(usable.shape, np.bool_)
    at = sheet.outline_at[usable.ravel()[sheet.outline_at]]
    if not at.size or not sheet.is_lined:
        return gone
    line = channel_medians(lab.reshape(-1, 3).take(at, axis=0))
    zone = sheet.outline_zone
    own = lab.reshape(-1, 3).take(zone, axis=0)
    least = np.full(zone.size, np.inf, np.float32)
    for color in colors:
        axis = (line - color).astype(np.float32)
        length = float((axis**2).sum())
        if length > 0:
            least = np.minimum(least, channel_sums((own - color) * axis) / length)
    shares = np.full(usable.shape, -np.inf, np.float32)
    shares.ravel()[zone] = least
    side = 2 * paper.line_px + 1
    nearby = cv2.dilate(shares, np.ones((side, side), np.uint8)).ravel()[at]
    gone.ravel()[at[nearby < paper.line_left * median(nearby)]] = True
    if not gone.any():
        return gone
    grown = cv2.dilate(gone.view(np.uint8), np.ones((side, side), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=8)  # not a threshold: neighbours
    reach = paper.line_gone * sheet.radius
    for label in range(1, count):
        if max(stats[label, cv2.CC_STAT_WIDTH], stats[label, cv2.CC_STAT_HEIGHT]) < reach:
            grown[labels == label] = 0
    return np.asarray(grown > 0, np.bool_)


def _without_pepper(view: NDArray[np.uint8], sheet: BareSheet) -> NDArray[np.uint8]:
    """A picture whose lone pixels, where they are all over it, have the colour of those around."""
    paper = sheet.config.paper
    smooth = np.asarray(cv2.medianBlur(view, 3), np.uint8)  # not a threshold: a pixel's neighbours
    # Where no pixel is lone, which is usual, that is to cost little.
    high = cv2.inRange(cv2.absdiff(view, smooth), (0, 0, 0), (paper.lone,) * view.shape[2]) == 0
    lone = high & (sheet.edge_distance > paper.core_px)
    if not _is_everywhere(lone, sheet):
        return view
    pixels = lone.view(np.uint8)
    _, parts, stats, _ = cv2.connectedComponentsWithStats(pixels, connectivity=8)  # not a threshold: with diagonals
    lone &= stats[parts, cv2.CC_STAT_AREA] <= paper.lone_px
    return np.where(lone[..., None], smooth, view) if _is_everywhere(lone, sheet) else view


def _is_everywhere(lone: NDArray[np.bool_], sheet: BareSheet) -> bool:
    """Whether lone pixels, (h, w), are all over a picture."""
    at = np.flatnonzero(lone)
    if not at.size:
        return False
    side = max(1, round(3 * sheet.radius))  # not a threshold: tiles that are larger than a hole
    rows, columns = (-(-length // side) for length in lone.shape)
    row, column = np.divmod(at, lone.shape[1])
    held = np.bincount(row // side * columns + column // side, minlength=rows * columns) > 0
    return bool(held.mean() > sheet.config.paper.peppered)
