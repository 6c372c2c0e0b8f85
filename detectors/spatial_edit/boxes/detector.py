"""From a picture of coloured boxes on a table to their places in space: pixels of a hue, outline, edges.

`find_boxes` is told the paint and, where it is known, the size of each kind of box, the camera, and the table, never
what the picture should show. It takes each connected part of a paint for a box, fits the outline, then the edges, and
decides which boxes stand before which others. It sees solid boxes that stand upright on the table; a box that hangs in
the air looks like a larger one further off, and is reported as that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.spatial_edit.boxes.config import BoxesConfig, ChoiceConfig
from detectors.spatial_edit.boxes.edges import EdgeFit, Surroundings, refine, unevenness
from detectors.spatial_edit.boxes.findings import (
    BoxFinding,
    BoxFindings,
    BoxKind,
    BoxView,
    FoundBox,
    SizeSource,
    TablePlane,
    same_looking,
)
from detectors.spatial_edit.boxes.geometry import (
    FACES,
    NUMBERS,
    FloatArray,
    box_of,
    corners_of,
    entry_depth,
    onto_table,
    project,
    row_of,
    seen_faces,
    size_numbers,
)
from detectors.spatial_edit.boxes.masks import PaintMap, PaintPart, grown, paint_map, paint_parts
from detectors.spatial_edit.boxes.outline import (
    Outline,
    filled,
    first_fits,
    free_numbers,
    other_heights,
    outline_of,
    overlap,
)
from detectors.spatial_edit.boxes.split import shares, split_rows

_UNFITTED = EdgeFit(np.zeros(NUMBERS), 0.0, 0.0, 1.0, 0.0)
_DIGITS = 9  # not a threshold: names are compared to so many digits, so that rounding does not choose


_Known = tuple[int, FloatArray]
"""A box of which so much is known: its kind, and its row."""


@dataclass(frozen=True)
class _Part:
    """A connected part of a paint, with the first fits of a box to its outline."""

    kind: int
    paint: PaintPart
    outline: Outline
    rows: tuple[FloatArray, ...]
    source: SizeSource


@dataclass(frozen=True)
class _Fit:
    """A box that was fitted: its kind, paint, outline, edges, common pixels, and where the size comes from."""

    kind: int
    paint: PaintPart
    outline: Outline
    edges: EdgeFit
    overlap: float
    source: SizeSource

    @property
    def quality(self) -> float:
        return self.edges.support * self.overlap

    @property
    def known(self) -> _Known:
        return self.kind, self.edges.row


def find_boxes(
    picture: NDArray[np.uint8],
    view: BoxView,
    kinds: tuple[BoxKind, ...],
    plane: TablePlane | None = None,
    config: BoxesConfig | None = None,
) -> BoxFindings:
    """Finds boxes of some kinds.

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
        If the picture has another size than the view, there is no kind, two have the same label or nearly the same
        paint, a paint has no hue, or a kind has no size and there is no plane.
    """
    config = config or BoxesConfig()
    if picture.shape != (view.height, view.width, 3) or picture.dtype != np.uint8:
        raise ValueError(f"the picture must be {view.width} x {view.height} uint8 RGB, not {picture.shape}")
    if not kinds or len({kind.label for kind in kinds}) != len(kinds):
        raise ValueError("kinds need labels that differ")
    if plane is None and any(kind.size is None for kind in kinds):
        raise ValueError("without a table every kind needs a size")
    paint = paint_map(picture, kinds, config.paint)
    look = _Look(paint, kinds, plane, view, config)
    # Of each kind the most likely come first, so of many kinds each keeps some.
    limits = config.parts
    most = max(1, min(limits.most, limits.most_in_all // len(kinds)))
    parts = [part for index in range(len(kinds)) for part in _parts(index, look, most)]
    # What is faint may be anything, so that it hides nothing until it has proved to be a box.
    first = [(part.kind, part.rows[0]) for part in parts if part.paint.strength >= limits.solid_trace]
    single = [_best(part, _around(first, (part.kind, part.rows[0])), look) for part in parts]
    single = [
        fit for fit in single if fit.paint.strength >= limits.solid_trace or fit.quality >= limits.faint_confidence
    ]
    single = _one_of_each(single)
    fits = [half for fit in single for half in _divided(fit, _around(_known(single), fit.known), look)]
    fits = [fit for fit in fits if _plausible(fit, look)]
    for _ in range(config.choice.rounds):
        fits = [_again(fit, _around(_known(fits), fit.known), look) for fit in fits]
    fits = [fit for fit in fits if _plausible(fit, look)]
    found = [(fit.kind, _finding(fit, _around(_known(fits), fit.known), look)) for fit in fits]
    # Of what one can see through only sure boxes are told of, as other things may have a little of a hue.
    found = [one for one in found if one[1].paint >= limits.solid_trace or one[1].confidence >= limits.faint_confidence]
    return BoxFindings(tuple(box for _, box in sorted(found, key=lambda one: (one[0], one[1].bounds))))


@dataclass(frozen=True)
class _Look:
    """What is looked at, and for what."""

    paint: PaintMap
    kinds: tuple[BoxKind, ...]
    plane: TablePlane | None
    view: BoxView
    config: BoxesConfig


def _one_of_each(fits: list[_Fit]) -> list[_Fit]:
    """Keeps, of fits to the same pixels, as parts and as part of something faint, the best only."""
    kept: list[_Fit] = []
    for fit in sorted(fits, key=lambda fit: -fit.quality):
        if not any(fit.kind == other.kind and (fit.paint.mask & other.paint.mask).any() for other in kept):
            kept.append(fit)
    return [fit for fit in fits if any(fit is other for other in kept)]


def _known(fits: list[_Fit]) -> list[_Known]:
    return [fit.known for fit in fits]


def _around(rows: list[_Known], own: _Known) -> Surroundings:
    """Returns all boxes, given with their kinds, besides one."""
    others = [one for one in rows if one[1] is not own[1]]
    return Surroundings(tuple(row for _, row in others), tuple(row for kind, row in others if kind == own[0]))


def _parts(index: int, look: _Look, most: int) -> list[_Part]:
    kinds = look.paint.kinds
    left = list(paint_parts(look.paint, index, look.config.parts)[:most])
    foreign = grown((kinds >= 0) & (kinds != index), look.config.parts.touch_px)
    parts = []
    while left:
        one = left.pop(0)
        part = _part(index, one, foreign, look)
        for other in [other for other in left if (other.mask & foreign).any() and (one.mask & foreign).any()]:
            both = replace(one, mask=one.mask | other.mask)
            joined = _part(index, both, foreign, look)
            if overlap(joined.rows[0], joined.outline, look.view) >= look.config.parts.joined_overlap:
                left = [rest for rest in left if rest is not other]
                one, part = both, joined
        parts.append(part)
    return parts


def _part(index: int, paint: PaintPart, foreign: NDArray[np.bool_], look: _Look) -> _Part:
    kind = look.kinds[index]
    outline = outline_of(paint.mask, foreign & ~paint.mask, look.config.outline)
    source = SizeSource.PICTURE if kind.size is None else SizeSource.GIVEN
    return _Part(index, paint, outline, _first_rows(outline, kind, look), source)


def _first_rows(outline: Outline, kind: BoxKind, look: _Look) -> tuple[FloatArray, ...]:
    """Returns first fits: of a size that is not known also by what is seen alone, where another box touches.

    Whether that hides more of it is only known once both are fitted; till then a box may be as tall as it likes.
    """
    rows = first_fits(outline, kind, look.plane, look.view, look.config.outline)
    if kind.size is not None or not outline.open.any():
        return rows
    whole = replace(outline, open=np.zeros_like(outline.open))
    return rows + first_fits(whole, kind, look.plane, look.view, look.config.outline)


def _best(part: _Part, around: Surroundings, look: _Look) -> _Fit:
    """Returns the best fit of all starts; with the size of the picture if the given one does not fit."""
    kind, config = look.kinds[part.kind], look.config.choice
    fit = _best_of(part, around, look)
    fits_well = fit.edges.support >= config.given_support and fit.overlap >= config.given_overlap
    if look.plane is None or kind.size is None or fits_well:
        return fit
    unsized = replace(kind, size=None)
    rows = _first_rows(part.outline, unsized, look)
    freed = _best_of(replace(part, rows=rows, source=SizeSource.PICTURE), around, look)
    return freed if freed.quality > fit.quality + config.freed_gain else fit


def _best_of(part: _Part, around: Surroundings, look: _Look) -> _Fit:
    start = _Fit(part.kind, part.paint, part.outline, _UNFITTED, 0.0, part.source)
    fits = _refined_all(start, part.rows, around, look)
    if part.source is SizeSource.GIVEN:
        return max(fits, key=lambda fit: (fit.quality, -fit.edges.spread))
    best, uneven = _most_even(fits, look)
    if uneven <= look.config.choice.uneven:
        return best
    # Boxes of other heights have nearly the same outline.
    free = free_numbers(replace(look.kinds[part.kind], size=None), look.plane)
    heights = look.config.choice.other_heights
    rows = other_heights(best.edges.row, free, heights, part.outline, look.view, look.config.outline)
    return _most_even([best, *_refined_all(start, rows, around, look)], look)[0]


def _most_even(fits: list[_Fit], look: _Look) -> tuple[_Fit, float]:
    """Returns the best of fits whose faces are even, and how uneven they are."""
    found = [(fit, unevenness(fit.edges.row, fit.outline.mask, look.paint.linear, look.view)) for fit in fits]
    return max(found, key=lambda one: (one[0].quality * (1.0 - one[1]), -one[0].edges.spread))


def _refined_all(start: _Fit, rows: Sequence[FloatArray], around: Surroundings, look: _Look) -> list[_Fit]:
    return [_refined(start, row, around, look, look.config.edges.windows_px) for row in rows]


def _refined(fit: _Fit, row: FloatArray, around: Surroundings, look: _Look, windows: tuple[float, ...]) -> _Fit:
    """Returns a fit from another start."""
    size = None if fit.source is SizeSource.PICTURE else look.kinds[fit.kind].size
    free = free_numbers(replace(look.kinds[fit.kind], size=size), look.plane)
    edges = refine(row, free, around, fit.paint.member, look.paint.linear, look.view, look.config.edges, windows)
    return replace(fit, edges=edges, overlap=overlap(edges.row, fit.outline, look.view))


def _divided(fit: _Fit, around: Surroundings, look: _Look) -> tuple[_Fit, ...]:
    """Returns two boxes instead of one, if these fit better than one of whatever size."""
    kind, config = look.kinds[fit.kind], look.config.split
    if look.plane is None or fit.quality >= config.quality:
        return (fit,)
    if kind.size is None:
        pairs = [_beside_twin(fit, row_of(twin, look.plane), around, look) for twin in kind.twins]
        tried = [_both(fit, pair, SizeSource.PICTURE, around, look) for pair in pairs if pair is not None]
        return max(tried, key=lambda one: float(np.mean([part.quality for part in one])), default=(fit,))
    row = fit.edges.row.copy()
    row[3:6] = size_numbers(kind.size)
    if int(fit.outline.mask.sum()) > config.area * int(_in_the_middle(row, fit.outline, look.view).sum()):
        return (fit,)
    pair = split_rows(fit.outline, row, look.view, config)
    return (fit,) if pair is None else _both(fit, pair, SizeSource.GIVEN, around, look)


def _beside_twin(
    fit: _Fit, twin: FloatArray, around: Surroundings, look: _Look
) -> tuple[FloatArray, FloatArray] | None:
    """Returns a box that stands where it stood, and the best one for the rest of an outline, if there is any."""
    cover, mask = filled(twin, look.view), fit.outline.mask
    if int((cover & mask).sum()) < look.config.split.inside * int(cover.sum()) or not cover.any():
        return None
    # Its rim is half a pixel wider than what is left beside it.
    rest = mask & ~grown(cover, 1)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(rest.astype(np.uint8))
    if count < 2 or look.plane is None:  # not a threshold: nothing but what is left out
        return None
    largest = labels == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    outline = outline_of(largest, fit.outline.hidden | cover, look.config.outline)
    kind = look.kinds[fit.kind]
    part = _Part(fit.kind, fit.paint, outline, _first_rows(outline, kind, look), SizeSource.PICTURE)
    beside = Surroundings((*around.others, twin), (*around.twins, twin))
    return twin, _best_of(part, beside, look).edges.row


def _both(
    fit: _Fit, pair: tuple[FloatArray, FloatArray], source: SizeSource, around: Surroundings, look: _Look
) -> tuple[_Fit, ...]:
    """Returns two boxes, fitted together, or the one instead of which they are if they do not fit better."""
    config, view = look.config.split, look.view
    for _ in range(config.rounds):
        outlines = shares(pair, fit.outline, view, look.config.outline)
        beside = [Surroundings((*around.others, pair[1 - i]), (*around.twins, pair[1 - i])) for i in range(2)]
        given = [replace(fit, outline=outline, source=source) for outline in outlines]
        one, other = (_refined(given[i], pair[i], beside[i], look, look.config.edges.windows_px) for i in range(2))
        pair = (one.edges.row, other.edges.row)
    better = (one.quality + other.quality) / 2 > fit.quality + config.gain
    return (one, other) if better else (fit,)


def _in_the_middle(row: FloatArray, outline: Outline, view: BoxView) -> NDArray[np.bool_]:
    """Returns the pixels of a row's box put in the middle of an outline."""
    rows, columns = np.nonzero(outline.mask)
    middle = np.array([[columns.mean() + 0.5, rows.mean() + 0.5]])
    moved = row.copy()
    (moved[:2],) = onto_table(middle, row, view, math.exp(row[4]) / 2)
    return filled(moved, view)


def _plausible(fit: _Fit, look: _Look) -> bool:
    """Tells whether it covers its paint, and extents that the picture tells are not wholly other than those given."""
    if fit.overlap < look.config.choice.least_overlap:
        return False
    size = look.kinds[fit.kind].size
    if size is None or fit.source is SizeSource.GIVEN:
        return True
    # Largest with largest, as axes may have other names.
    change = np.sort(fit.edges.row[3:6]) - np.sort(np.log(np.array(size)))
    return bool(np.abs(change).max() <= math.log(look.config.choice.most_scaled))


def _again(fit: _Fit, around: Surroundings, look: _Look) -> _Fit:
    """Returns the same fit, now that it is known where the other boxes are."""
    return _refined(fit, fit.edges.row, around, look, look.config.edges.last_windows_px)


def _finding(fit: _Fit, around: Surroundings, look: _Look) -> BoxFinding:
    row, kind = fit.edges.row, look.kinds[fit.kind]
    points = corners_of(row[None])[0]
    pixels = project(points, look.view)
    seen = seen_faces(points)
    turned = [i for i in range(len(points)) if any(seen[f] and i in face for f, face in enumerate(FACES))]
    depths = [entry_depth(other, pixels, look.view) for other in around.others]
    free = [i for i in turned if all(depth[i] > points[i, 2] for depth in depths)]
    left, top = (float(number) for number in pixels.min(axis=0))
    right, bottom = (float(number) for number in pixels.max(axis=0))
    visible = 1 - fit.edges.hidden
    relief = look.config.edges.relief
    solid = 1.0 if fit.edges.relief >= relief.least else relief.flat_trust
    return BoxFinding(
        label=kind.label,
        box=_named(row, fit.source, kind, look.config.choice),
        confidence=fit.quality * min(1.0, visible / look.config.choice.sure_visible) * solid,
        size_source=fit.source,
        bounds=(left, top, right, bottom),
        corners=tuple((float(pixels[i, 0]), float(pixels[i, 1])) for i in free),
        visible=visible,
        fit=fit.quality,
        paint=fit.paint.strength,
    )


def _named(row: FloatArray, source: SizeSource, kind: BoxKind, config: ChoiceConfig) -> FoundBox:
    """Returns the box under that of its names which `BoxFinding` promises."""
    box = box_of(row)
    width, _, length = box.size
    measured = source is SizeSource.PICTURE
    square = abs(width - length) <= config.equal_sides * max(width, length)
    names = same_looking(box, math.inf if measured else config.equal_sides)
    if kind.rotation is not None:
        # Of two that are equally near, as quarter turns may be, the first; rounding must not choose.
        before = np.array(kind.rotation)
        return max(names, key=lambda name: round(float((before * np.array(name.rotation)).sum()), _DIGITS))
    down = np.array(box.rotation)[:, 1]
    level = np.array([math.cos(row[7]), math.sin(row[7]), 0.0])
    upright = [name for name in names if (np.array(name.rotation)[:, 1] * down).sum() > 0.5]
    if not (square or measured):
        upright = [name for name in upright if name.size == box.size]

    def rank(name: FoundBox) -> tuple[float, float]:
        scales = np.zeros(1)
        if measured and kind.size is not None:
            scales = np.log(np.array(name.size) / np.array(kind.size))
        right = float((np.array(name.rotation)[:, 0] * level).sum())
        return -round(float(np.ptp(scales)), _DIGITS), round(right, _DIGITS)

    return max(upright, key=rank)
