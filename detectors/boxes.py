"""From a picture of coloured boxes on a table to their places in space: pixels of a hue, outline, edges.

`find_boxes` is told the paint and, where it is known, the size of each kind of box, the camera, and the table, never
what the picture should show. It takes each connected part of a paint for a box, fits the outline, then the edges, and
decides which boxes stand before which others. It sees solid boxes that stand upright on the table; a box that hangs in
the air looks like a larger one further off, and is reported as that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.box_config import BoxesConfig
from detectors.box_edges import EdgeFit, refine
from detectors.box_findings import (
    BoxFinding,
    BoxFindings,
    BoxKind,
    BoxView,
    FoundBox,
    SizeSource,
    TablePlane,
    same_looking,
)
from detectors.box_geometry import (
    FACES,
    FloatArray,
    box_of,
    corners_of,
    entry_depth,
    project,
    seen_faces,
)
from detectors.box_masks import PaintMap, components, paint_map
from detectors.box_outline import Outline, first_fits, free_numbers, outline_of, overlap
from detectors.box_split import split_rows

_TOUCH_PX = 5  # parts that are so near to another paint may go on behind it
_JOINED_OVERLAP = 0.9  # two parts are one box that something hides in the middle if it fits so well


@dataclass(frozen=True)
class _Part:
    """A connected part of a paint with the fits that are possible."""

    kind: int
    outline: Outline
    rows: tuple[FloatArray, ...]
    source: SizeSource


@dataclass(frozen=True)
class _Fit:
    """A box that was fitted: its kind, outline, edges, common pixels, and where the size comes from."""

    kind: int
    outline: Outline
    edges: EdgeFit
    overlap: float
    source: SizeSource

    @property
    def quality(self) -> float:
        return self.edges.support * self.overlap


def find_boxes(
    picture: NDArray[np.uint8],
    view: BoxView,
    kinds: tuple[BoxKind, ...],
    plane: TablePlane | None = None,
    config: BoxesConfig | None = None,
) -> BoxFindings:
    """Find boxes of some kinds.

    Parameters
    ----------
    picture
        (height, width, 3) uint8 RGB, of the size that ``view`` is for.
    view
        The camera.
    kinds
        What to look for; labels differ, and so do paints.
    plane
        The table in the camera's frame. Without it every kind needs a size.
    config
        Settings.

    Returns
    -------
    BoxFindings
        Also boxes that are seen only in part, with less confidence. Parts that look like no box are left out.

    Raises
    ------
    ValueError
        If the picture has another size than the view, there is no kind, two have the same label, a paint has no hue, or
        a kind has no size and there is no plane.
    """
    config = config or BoxesConfig()
    if picture.shape != (view.height, view.width, 3) or picture.dtype != np.uint8:
        raise ValueError(f"the picture must be {view.width} x {view.height} uint8 RGB, not {picture.shape}")
    if not kinds or len({kind.label for kind in kinds}) != len(kinds):
        raise ValueError("kinds need labels that differ")
    if plane is None and any(kind.size is None for kind in kinds):
        raise ValueError("without a table every kind needs a size")
    paint = paint_map(picture, kinds, config)
    parts = [part for index in range(len(kinds)) for part in _parts(index, kinds[index], paint, plane, view, config)]
    first = [part.rows[0] for part in parts]
    fits = [_best(part, _without(first, i), kinds, paint, plane, view, config) for i, part in enumerate(parts)]
    refined = [fit.edges.row for fit in fits]
    last = replace(config, windows_px=config.windows_px[-3:])
    fits = [_again(fit, _without(refined, i), kinds, paint, plane, view, last) for i, fit in enumerate(fits)]
    rows = [fit.edges.row for fit in fits]
    found = [
        (fit.kind, _finding(fit, _without(rows, i), kinds[fit.kind], view, config))
        for i, fit in enumerate(fits)
        if fit.overlap >= config.found_overlap
    ]
    return BoxFindings(tuple(box for _, box in sorted(found, key=lambda one: (one[0], one[1].bounds))))


def _without(rows: list[FloatArray], index: int) -> tuple[FloatArray, ...]:
    return tuple(row for other, row in enumerate(rows) if other != index)


def _parts(
    index: int, kind: BoxKind, paint: PaintMap, plane: TablePlane | None, view: BoxView, config: BoxesConfig
) -> list[_Part]:
    masks = list(components(paint, index, config))
    foreign = _grown((paint.kinds >= 0) & (paint.kinds != index), _TOUCH_PX)
    parts = []
    while masks:
        mask = masks.pop(0)
        outline, rows = _fitted(mask, foreign, kind, plane, view, config)
        for other in [mask_ for mask_ in masks if (mask_ & foreign).any() and (mask & foreign).any()]:
            joined, joined_rows = _fitted(mask | other, foreign, kind, plane, view, config)
            if overlap(joined_rows[0], joined, view) >= _JOINED_OVERLAP:
                masks = [mask_ for mask_ in masks if mask_ is not other]
                mask, outline, rows = mask | other, joined, joined_rows
        source = SizeSource.PICTURE if kind.size is None else SizeSource.GIVEN
        pair = None
        if kind.size is not None and plane is not None and overlap(rows[0], outline, view) < config.split_overlap:
            pair = split_rows(outline, rows[0], view, config)
        if pair is None:
            parts.append(_Part(index, outline, rows, source))
        else:
            parts.extend(_Part(index, outline, (row,), source) for row in pair)
    return parts


def _fitted(
    mask: NDArray[np.bool_],
    foreign: NDArray[np.bool_],
    kind: BoxKind,
    plane: TablePlane | None,
    view: BoxView,
    config: BoxesConfig,
) -> tuple[Outline, tuple[FloatArray, ...]]:
    outline = outline_of(mask, foreign & ~mask, config)
    return outline, first_fits(outline, kind, plane, view, config)


def _grown(mask: NDArray[np.bool_], radius: int) -> NDArray[np.bool_]:
    return cv2.dilate(mask.astype(np.uint8), np.ones((2 * radius + 1, 2 * radius + 1), np.uint8)).astype(bool)


def _best(
    part: _Part,
    others: tuple[FloatArray, ...],
    kinds: tuple[BoxKind, ...],
    paint: PaintMap,
    plane: TablePlane | None,
    view: BoxView,
    config: BoxesConfig,
) -> _Fit:
    """The start that leads to the best fit; with the size of the picture if the given one does not fit."""
    kind = kinds[part.kind]
    member = paint.members[part.kind]

    def best_of(rows: tuple[FloatArray, ...], free: tuple[int, ...], source: SizeSource) -> _Fit:
        fits = []
        for row in rows:
            edges = refine(row, free, others, member, paint.linear, view, config)
            fits.append(_Fit(part.kind, part.outline, edges, overlap(edges.row, part.outline, view), source))
        return max(fits, key=lambda fit: (fit.quality, -fit.edges.spread))

    fit = best_of(part.rows, free_numbers(kind, plane), part.source)
    fits_well = fit.edges.support >= config.given_share and fit.overlap >= config.given_overlap
    if plane is None or kind.size is None or fits_well or len(part.rows) == 0:
        return fit
    unsized = replace(kind, size=None)
    rows = first_fits(part.outline, unsized, plane, view, config)
    freed = best_of(rows, free_numbers(unsized, plane), SizeSource.PICTURE)
    return freed if freed.quality > fit.quality + config.freed_gain else fit


def _again(
    fit: _Fit,
    others: tuple[FloatArray, ...],
    kinds: tuple[BoxKind, ...],
    paint: PaintMap,
    plane: TablePlane | None,
    view: BoxView,
    config: BoxesConfig,
) -> _Fit:
    """The same fit, now that it is known where the other boxes are."""
    kind = kinds[fit.kind]
    free = free_numbers(replace(kind, size=None) if fit.source is SizeSource.PICTURE else kind, plane)
    edges = refine(fit.edges.row, free, others, paint.members[fit.kind], paint.linear, view, config)
    return replace(fit, edges=edges, overlap=overlap(edges.row, fit.outline, view))


def _finding(
    fit: _Fit, others: tuple[FloatArray, ...], kind: BoxKind, view: BoxView, config: BoxesConfig
) -> BoxFinding:
    row = fit.edges.row
    points = corners_of(row[None])[0]
    pixels = project(points, view)
    seen = seen_faces(points)
    turned = [i for i in range(8) if any(seen[f] and i in face for f, face in enumerate(FACES))]
    free = [i for i in turned if all(entry_depth(other, pixels[i : i + 1], view)[0] > points[i, 2] for other in others)]
    left, top = (float(number) for number in pixels.min(axis=0))
    right, bottom = (float(number) for number in pixels.max(axis=0))
    visible = 1 - fit.edges.hidden
    return BoxFinding(
        label=kind.label,
        box=_named(row, fit.source, kind, config),
        confidence=fit.quality * min(1.0, 2 * visible),
        size_source=fit.source,
        bounds=(left, top, right, bottom),
        corners=tuple((float(pixels[i, 0]), float(pixels[i, 1])) for i in free),
        visible=visible,
    )


def _named(row: FloatArray, source: SizeSource, kind: BoxKind, config: BoxesConfig) -> FoundBox:
    """The box under that of its names which `BoxFinding` promises."""
    box = box_of(row)
    width, _, length = box.size
    measured = source is SizeSource.PICTURE
    square = abs(width - length) <= config.equal_sides * max(width, length)
    names = same_looking(box, math.inf if measured else config.equal_sides)
    if kind.rotation is not None:
        # Of two that are equally near, as quarter turns may be, the first; rounding must not choose.
        before = np.array(kind.rotation)
        return max(names, key=lambda name: round(float((before * np.array(name.rotation)).sum()), 9))
    down = np.array(box.rotation)[:, 1]
    level = np.array([math.cos(row[7]), math.sin(row[7]), 0.0])
    upright = [name for name in names if (np.array(name.rotation)[:, 1] * down).sum() > 0.5]
    if not (square or measured):
        upright = [name for name in upright if name.size == box.size]
    return max(upright, key=lambda name: round(float((np.array(name.rotation)[:, 0] * level).sum()), 9))
