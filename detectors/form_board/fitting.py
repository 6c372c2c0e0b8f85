"""Whether an area is one of the pieces, moved but not changed; if not, which it is most like, and how it differs."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.form_board.config import FitConfig
from detectors.form_board.scene import MASK_PX, Mask, Outline, filled

Points = NDArray[np.float64]


class ShapeChange(enum.Enum):
    """What became of a piece."""

    AS_GIVEN = "as_given"
    MIRRORED = "mirrored"
    TURNED = "turned"
    SCALED = "scaled"
    ALTERED = "altered"
    JOINED = "joined"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Fit:
    """How an area fits an outline.

    Attributes
    ----------
    moved : by how much the outline is moved onto it, in pixels
    deviation : how far most of either outline is from the other, in pixels
    farthest : how far all of it is
    misfit : what only one of them has, over the outline's area
    """

    moved: tuple[float, float]
    deviation: float
    farthest: float
    misfit: float


@dataclass(frozen=True)
class Recognised:
    """What an area is.

    Attributes
    ----------
    label : the piece that it is, or is most like; empty if it is like none
    change : what became of that
    fit : how it fits the piece, changed so; None if it is like none
    """

    label: str
    change: ShapeChange
    fit: Fit | None


class Area:
    """An area of one colour with its outline.

    Parameters
    ----------
    mask : (h, w) bool
    config : FitConfig
    """

    def __init__(self, mask: Mask, config: FitConfig) -> None:
        left, top, wide, high = cv2.boundingRect(mask.astype(np.uint8))
        pad = config.pad_px
        self._corner = np.array([left - pad, top - pad], np.float64)
        self._mask = np.pad(mask[top : top + high, left : left + wide], pad)
        self.size = int(self._mask.sum())
        contours, _ = cv2.findContours(self._mask.astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        rim = np.concatenate([one.reshape(-1, 2) for one in contours])
        self.points: Points = rim[:: max(1, len(rim) // config.points)] + 0.5 + self._corner
        self.box = (float(left), float(top), float(left + wide), float(top + high))
        self.middle = np.array([left + wide / 2, top + high / 2])
        rows, columns = np.nonzero(self._mask)
        self.centroid = np.array([columns.mean() + 0.5, rows.mean() + 0.5]) + self._corner
        edge = np.ones(self._mask.shape, np.uint8)
        edge[rim[:, 1], rim[:, 0]] = 0
        self._distance = cv2.distanceTransform(edge, cv2.DIST_L2, MASK_PX)

    def distances(self, points: Points) -> NDArray[np.float64]:
        """How far points are from its outline; far outside of its box, at least how far."""
        height, width = self._mask.shape
        at = points - self._corner
        columns = np.clip(at[:, 0].astype(int), 0, width - 1)
        rows = np.clip(at[:, 1].astype(int), 0, height - 1)
        return np.asarray(self._distance[rows, columns], np.float64)

    def misfit(self, outline: Outline) -> float:
        """What only the area or an outline has, over the outline's area."""
        height, width = self._mask.shape
        size = area_of(outline)
        laid = filled(outline - self._corner, (width, height))
        # What of the outline is outside of the box is of it alone.
        beyond = max(0.0, size - float(laid.sum()))
        return (float((laid ^ self._mask).sum()) + beyond) / max(1.0, size)


def recognise(
    area: Area, pieces: Mapping[str, Outline], side: float, config: FitConfig, *, closely: bool = True
) -> Recognised:
    """Says what an area is.

    Parameters
    ----------
    area : Area
    pieces : mapping of label to outline
        In the area's pixels.
    side : float
        The silhouette's longer side in the same pixels.
    config : FitConfig
    closely : bool
        Whether to tell how a piece was changed.
    """
    sizes = {label: area_of(outline) for label, outline in pieces.items()}
    fits: dict[str, Fit] = {}
    for label in sorted(pieces, key=lambda one: (_unlike(area, pieces[one], sizes[one]), one)):
        if _ratio(area.size, sizes[label]) > config.area_ratio:
            continue
        fit = fit_outline(area, pieces[label], side, config)
        # Pieces differ so much that no area fits two of them; the likeliest are tried first.
        if _is_fit(fit, pieces[label], side, config):
            return Recognised(label, ShapeChange.AS_GIVEN, fit)
        fits[label] = fit
    changed = _changed(area, pieces, fits, side, config) if closely else None
    if changed is not None:
        return changed
    like = [label for label in fits if fits[label].misfit <= config.like]
    if like:
        best = min(like, key=lambda label: (fits[label].misfit, label))
        return Recognised(best, ShapeChange.ALTERED, fits[best])
    joined = area.size > config.joined * max(sizes.values())
    return Recognised("", ShapeChange.JOINED if joined else ShapeChange.UNKNOWN, None)


def _unlike(area: Area, outline: Outline, size: float) -> float:
    """How much an area and an outline differ in size, width and height."""
    left, top, right, bottom = area.box
    wide, high = np.ptp(outline, axis=0)
    return math.log(_ratio(area.size, size) * _ratio(right - left, wide) * _ratio(bottom - top, high))


def _changed(
    area: Area, pieces: Mapping[str, Outline], fits: Mapping[str, Fit], side: float, config: FitConfig
) -> Recognised | None:
    """A piece that was mirrored, turned or scaled; as it was given where it was scaled so little."""
    found: list[tuple[float, str, ShapeChange, Fit]] = []
    for label, outline in pieces.items():
        for change, other in _variants(area, outline, area_of(outline), config):
            fit = fit_outline(area, other, side, config)
            # A piece that is nearly the same when it is mirrored or turned was not.
            turned = change in (ShapeChange.MIRRORED, ShapeChange.TURNED)
            if turned and label in fits and fits[label].misfit < fit.misfit + config.told:
                continue
            if _is_fit(fit, other, side, config):
                found.append((fit.misfit, label, change, fit))
    if not found:
        return None
    # What can be had by turning was turned, and not scaled.
    _, label, change, fit = min(found, key=lambda one: (_RANK[one[2]], one[0], one[1]))
    return Recognised(label, change, fit)


_RANK = {ShapeChange.AS_GIVEN: 0, ShapeChange.MIRRORED: 1, ShapeChange.TURNED: 2, ShapeChange.SCALED: 3}


def _variants(area: Area, outline: Outline, size: float, config: FitConfig) -> Iterator[tuple[ShapeChange, Outline]]:
    middle = outline.mean(axis=0)
    shape = outline - middle
    if _ratio(area.size, size) <= config.alike_ratio:
        for mirrored in (False, True):
            base = shape * (-1.0, 1.0) if mirrored else shape
            for step in range(round(360 / config.turn_deg)):  # not a threshold: degrees of a whole turn
                if not mirrored and not step:
                    continue
                angle = math.radians(step * config.turn_deg)
                cosine, sine = math.cos(angle), math.sin(angle)
                turned = np.stack(
                    [cosine * base[:, 0] - sine * base[:, 1], sine * base[:, 0] + cosine * base[:, 1]], axis=1
                )
                yield ShapeChange.MIRRORED if mirrored else ShapeChange.TURNED, turned + middle
    factor = math.sqrt(area.size / size)
    wide, high = np.ptp(outline, axis=0)
    left, top, right, bottom = area.box
    for across, down in ((factor, factor), ((right - left) / wide, (bottom - top) / high)):
        same = max(abs(across - 1), abs(down - 1)) <= config.same_scale
        yield ShapeChange.AS_GIVEN if same else ShapeChange.SCALED, shape * (across, down) + middle


def fit_outline(area: Area, outline: Outline, side: float, config: FitConfig) -> Fit:
    """Moves an outline onto an area, and says how it fits."""
    box = (outline.min(axis=0) + outline.max(axis=0)) / 2
    fit = _measured(area, outline, _settled(area.points, outline, area.middle - box, config), config)
    if _is_fit(fit, outline, side, config):
        return fit
    other = _measured(area, outline, _settled(area.points, outline, area.centroid - _centroid(outline), config), config)
    return min(fit, other, key=lambda one: one.misfit)


def _settled(points: Points, outline: Outline, start: Points, config: FitConfig) -> Points:
    """Moves an outline onto points, each of which pulls across the edge that is nearest to it."""
    moved = np.array(start, np.float64)
    kept = max(1, round(config.kept * len(points)))
    along = np.roll(outline, -1, axis=0) - outline
    normals = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.sqrt((along**2).sum(axis=1))[:, None]
    for _ in range(config.steps):
        near, edges = _nearest(points - moved, outline)
        apart = points - moved - near
        chosen = np.argsort((apart**2).sum(axis=1), kind="stable")[:kept]
        across = normals[edges[chosen]]
        pull = (across * apart[chosen]).sum(axis=1)
        xx, yy, xy = (float((across[:, i] * across[:, j]).sum()) for i, j in ((0, 0), (1, 1), (0, 1)))
        x, y = (float((across[:, i] * pull).sum()) for i in (0, 1))
        # not a threshold: against a division by 0
        size = max(1e-9, xx * yy - xy * xy)
        step = np.array([(yy * x - xy * y) / size, (xx * y - xy * x) / size])
        moved = moved + step
        if float(np.abs(step).max()) < config.settled_px:
            break
    return moved


def _measured(area: Area, outline: Outline, moved: Points, config: FitConfig) -> Fit:
    laid = outline + moved
    here = np.sqrt(((area.points - _nearest(area.points, laid)[0]) ** 2).sum(axis=1))
    there = area.distances(_along(laid, config.points))
    misfit = area.misfit(laid)
    quantiles = [float(np.quantile(one, config.near)) for one in (here, there)]
    return Fit((float(moved[0]), float(moved[1])), max(quantiles), float(max(here.max(), there.max())), misfit)


def _is_fit(fit: Fit, outline: Outline, side: float, config: FitConfig) -> bool:
    # A pixel more, since outlines of areas run through the middles of pixels.
    return (
        fit.deviation <= config.deviation * side + 1
        and fit.farthest <= config.farthest * side + 1
        and fit.misfit <= _most_misfit(outline, side, config)
    )


def _most_misfit(outline: Outline, side: float, config: FitConfig) -> float:
    length = float(np.sqrt(((np.roll(outline, -1, axis=0) - outline) ** 2).sum(axis=1)).sum())
    return config.misfit + config.misfit_rim * side * length / area_of(outline)


def _nearest(points: Points, outline: Outline) -> tuple[Points, NDArray[np.intp]]:
    """The points of an outline that are nearest to some, and the edges that they lie on."""
    along = np.roll(outline, -1, axis=0) - outline
    away = points[:, None, :] - outline[None, :, :]
    # not a threshold: against a division by 0
    share = (away * along).sum(axis=2) / np.maximum((along**2).sum(axis=1), 1e-12)
    at = outline + np.clip(share, 0.0, 1.0)[..., None] * along
    edges = ((points[:, None, :] - at) ** 2).sum(axis=2).argmin(axis=1)
    return np.asarray(at[np.arange(len(points)), edges], np.float64), edges


def _along(outline: Outline, count: int) -> Points:
    """Points along an outline, evenly."""
    closed = np.concatenate([outline, outline[:1]])
    ends = np.concatenate([[0.0], np.cumsum(np.sqrt((np.diff(closed, axis=0) ** 2).sum(axis=1)))])
    stops = np.linspace(0.0, ends[-1], count, endpoint=False)
    return np.stack([np.interp(stops, ends, closed[:, axis]) for axis in (0, 1)], axis=1)


def area_of(outline: Outline) -> float:
    """The area within an outline."""
    x, y = outline.T
    return float(abs((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()) / 2)


def _centroid(outline: Outline) -> Points:
    x, y = outline.T
    to_x, to_y = np.roll(x, -1), np.roll(y, -1)
    cross = x * to_y - to_x * y
    sums = np.array([((x + to_x) * cross).sum(), ((y + to_y) * cross).sum()])
    return np.asarray(sums / (3.0 * cross.sum()), np.float64)


def _ratio(one: float, other: float) -> float:
    return max(one, other) / max(1e-9, min(one, other))
