"""Whether an area is one of the pieces, moved but not changed; if not, which it is most like, and how it differs."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import quantile
from detectors.form_board.config import FitConfig
from detectors.form_board.shapes import MASK_PX, Mask, PieceShape, Points, filled


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
        left, top, wide, high = cv2.boundingRect(mask.view(np.uint8))
        pad = config.pad_px
        self._corner = np.array([left - pad, top - pad], np.float64)
        self._mask = np.zeros((high + 2 * pad, wide + 2 * pad), np.bool_)
        self._mask[pad : pad + high, pad : pad + wide] = mask[top : top + high, left : left + wide]
        self.size = int(np.count_nonzero(self._mask))
        contours, _ = cv2.findContours(self._mask.view(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        rim = np.concatenate([one.reshape(-1, 2) for one in contours])
        self.points: Points = rim[:: max(1, len(rim) // config.points)] + 0.5 + self._corner
        self.box = (float(left), float(top), float(left + wide), float(top + high))
        self.middle = np.array([left + wide / 2, top + high / 2])
        edge = np.ones(self._mask.shape, np.uint8)
        edge[rim[:, 1], rim[:, 0]] = 0
        self._distance = cv2.distanceTransform(edge, cv2.DIST_L2, MASK_PX)

    @cached_property
    def centroid(self) -> Points:
        """The middle of its pixels."""
        moments = cv2.moments(self._mask.view(np.uint8), binaryImage=True)
        middle = np.array([moments["m10"], moments["m01"]]) / max(1.0, moments["m00"])
        return np.asarray(middle + 0.5 + self._corner, np.float64)

    def distances(self, points: Points) -> NDArray[np.float64]:
        """How far points are from its outline; far outside of its box, at least how far."""
        height, width = self._mask.shape
        at = points - self._corner
        columns = np.clip(at[:, 0].astype(int), 0, width - 1)
        rows = np.clip(at[:, 1].astype(int), 0, height - 1)
        return np.asarray(self._distance[rows, columns], np.float64)

    def misfit(self, shape: PieceShape, moved: Points) -> float:
        """What only the area or a shape that was moved has, over the shape's area."""
        height, width = self._mask.shape
        size = shape.size
        laid = filled(shape.corners + (moved - self._corner), (width, height))
        # What of the outline is outside of the box is of it alone.
        beyond = max(0.0, size - float(np.count_nonzero(laid)))
        return (float(np.count_nonzero(laid ^ self._mask)) + beyond) / max(1.0, size)


def recognise(
    area: Area, pieces: Mapping[str, PieceShape], side: float, config: FitConfig, *, closely: bool = True
) -> Recognised:
    """Says what an area is.

    Parameters
    ----------
    area : Area
    pieces : mapping of label to PieceShape
        In the area's pixels.
    side : float
        The silhouette's longer side in the same pixels.
    config : FitConfig
    closely : bool
        Whether to tell how a piece was changed.
    """
    fits: dict[str, Fit] = {}
    for label in sorted(pieces, key=lambda one: (_unlike(area, pieces[one]), one)):
        if _ratio(area.size, pieces[label].size) > config.area_ratio:
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
    joined = area.size > config.joined * max(one.size for one in pieces.values())
    return Recognised("", ShapeChange.JOINED if joined else ShapeChange.UNKNOWN, None)


def _unlike(area: Area, shape: PieceShape) -> float:
    """How much an area and a shape differ in size, width and height."""
    left, top, right, bottom = area.box
    wide, high = shape.extent
    return math.log(_ratio(area.size, shape.size) * _ratio(right - left, wide) * _ratio(bottom - top, high))


def _changed(
    area: Area, pieces: Mapping[str, PieceShape], fits: Mapping[str, Fit], side: float, config: FitConfig
) -> Recognised | None:
    """A piece that was mirrored, turned or scaled; as it was given where it was scaled so little."""
    found: list[tuple[float, str, ShapeChange, Fit]] = []
    for label, shape in pieces.items():
        for change, other in _variants(area, shape, config):
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


def _variants(area: Area, piece: PieceShape, config: FitConfig) -> Iterator[tuple[ShapeChange, PieceShape]]:
    middle = piece.corners.mean(axis=0)
    shape = piece.corners - middle
    if _ratio(area.size, piece.size) <= config.alike_ratio:
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
                yield ShapeChange.MIRRORED if mirrored else ShapeChange.TURNED, PieceShape(turned + middle)
    factor = math.sqrt(area.size / piece.size)
    wide, high = piece.extent
    left, top, right, bottom = area.box
    for across, down in ((factor, factor), ((right - left) / wide, (bottom - top) / high)):
        same = max(abs(across - 1), abs(down - 1)) <= config.same_scale
        yield ShapeChange.AS_GIVEN if same else ShapeChange.SCALED, PieceShape(shape * (across, down) + middle)


def fit_outline(area: Area, shape: PieceShape, side: float, config: FitConfig) -> Fit:
    """Moves an outline onto an area, and says how it fits."""
    fit = _moved_onto(area, shape, area.middle - shape.box_middle, config)
    if _is_fit(fit, shape, side, config):
        return fit
    other = _moved_onto(area, shape, area.centroid - shape.centroid, config)
    return min(fit, other, key=lambda one: one.misfit)


def _moved_onto(area: Area, shape: PieceShape, start: Points, config: FitConfig) -> Fit:
    """How an outline fits that is moved onto an area from where it starts, or there, if it fits better."""
    moved = _settled(area.points, shape, start, config)
    fit = _measured(area, shape, moved, config)
    if float(np.abs(moved - start).max()) <= config.astray_px:
        return fit
    # Of a slim piece with seams one end alone may be what lies nearest.
    return min(fit, _measured(area, shape, start, config), key=lambda one: one.misfit)


def _settled(points: Points, shape: PieceShape, start: Points, config: FitConfig) -> Points:
    """Moves an outline onto points, each of which pulls across the edge that is nearest to it."""
    moved = np.array(start, np.float64)
    kept = max(1, round(config.kept * len(points)))
    for _ in range(config.steps):
        apart, edges = _apart(points - moved, shape)
        chosen = np.argsort((apart * apart).sum(axis=1), kind="stable")[:kept]
        across = shape.normals[edges[chosen]]
        pull = (across * apart[chosen]).sum(axis=1)
        # Sums of products of columns: no BLAS, which may add in any order.
        terms = np.column_stack([across, pull])
        (xx, xy, x), (_, yy, y) = np.einsum("ni,nj->ij", across, terms, optimize=False).tolist()
        # not a threshold: against a division by 0
        size = max(1e-9, xx * yy - xy * xy)
        step = (yy * x - xy * y) / size, (xx * y - xy * x) / size
        moved = moved + step
        if max(abs(step[0]), abs(step[1])) < config.settled_px:
            break
    return moved


def _measured(area: Area, shape: PieceShape, moved: Points, config: FitConfig) -> Fit:
    off, _ = _apart(area.points - moved, shape)
    here = np.hypot(off[:, 0], off[:, 1])
    there = area.distances(shape.points(config.points) + moved)
    misfit = area.misfit(shape, moved)
    quantiles = [quantile(one, config.near) for one in (here, there)]
    return Fit((float(moved[0]), float(moved[1])), max(quantiles), float(max(here.max(), there.max())), misfit)


def _is_fit(fit: Fit, shape: PieceShape, side: float, config: FitConfig) -> bool:
    # A pixel more, since outlines of areas run through the middles of pixels.
    return (
        fit.deviation <= config.deviation * side + 1
        and fit.farthest <= config.farthest * side + 1
        and fit.misfit <= config.misfit + config.misfit_rim * side * float(shape.lengths.sum()) / shape.size
    )


def _apart(points: Points, shape: PieceShape) -> tuple[Points, NDArray[np.intp]]:
    """How far, across and down, points are from what of an outline is nearest to them, and the edges that is on."""
    (start_x, start_y), (along_x, along_y) = shape.corners.T, shape.along.T
    away_x, away_y = points[:, :1] - start_x, points[:, 1:] - start_y
    # not a threshold: against a division by 0
    share = (away_x * along_x + away_y * along_y) / np.maximum(along_x**2 + along_y**2, 1e-12)
    share = np.minimum(np.maximum(share, 0.0), 1.0)
    left_x, left_y = away_x - share * along_x, away_y - share * along_y
    edges = (left_x * left_x + left_y * left_y).argmin(axis=1)
    rows = np.arange(len(points))
    return np.stack([left_x[rows, edges], left_y[rows, edges]], axis=1), edges


def _ratio(one: float, other: float) -> float:
    return max(one, other) / max(1e-9, min(one, other))
