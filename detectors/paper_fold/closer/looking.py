"""Looks again at a sheet that seems right, for what its first reading can't tell."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.paper_fold.closer.config import CloserConfig
from detectors.paper_fold.closer.creases import CreaseStrips, find_on_creases
from detectors.paper_fold.closer.faint import find_ghosts, find_rough
from detectors.paper_fold.closer.shaded import ShadesLooked
from detectors.paper_fold.closer.shapes import find_misshapen, measure_holes
from detectors.paper_fold.finding import SheetFindings
from detectors.paper_fold.holes import Blot, BlotKind, Disc
from detectors.paper_fold.sheet import BareSheet


def look_closer(
    view: NDArray[np.uint8],
    texture: tuple[NDArray[np.uint8], NDArray[np.uint8]],
    block_px: float,
    found: SheetFindings,
    sheet: BareSheet,
    strips: CreaseStrips,
    config: CloserConfig,
    largest: Callable[[], NDArray[np.uint8]] | None = None,
) -> SheetFindings:
    """Finds what is neither hole nor crease nor paper, and adds it to what was found.

    Parameters
    ----------
    view : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the puzzle's frame, larger than the sheet's working frame where that is reduced.
    texture : pair of ndarray of shape (h, w), uint8
        Its texture, as `texture_of` has it, in the working frame.
    block_px : float
        How far compression leaves texture beside what is drawn, in working pixels.
    found : SheetFindings
        Its first reading.
    sheet : BareSheet
    strips : CreaseStrips
        Along its creases, in the view.
    config : CloserConfig
    largest : callable
        Makes the view at the size of the puzzle's picture; None where it has that size.
    """
    factor, scale = sheet.factor, view.shape[1] / sheet.size[0]
    shapes = measure_holes(view, sheet, found.discs, found.creases, config.shape)
    misshapen = find_misshapen(shapes, config.shape)
    if misshapen:
        misshapen = _still_misshapen(misshapen, view if largest is None else largest(), found, sheet, config)
    marks = [_mark(found.discs[at]) for at in misshapen]
    marks += find_on_creases(view, scale, strips, sheet.radius * factor * scale, found.discs, config.crease)
    rest: list[Blot] = []
    if found.left is not None:
        left, top = found.left.corner
        rest += [
            replace(one, box=(one.box[0] + left, one.box[1] + top, *one.box[2:]))
            for one in find_ghosts(found.left.values, found.left.usable, sheet.radius, config.ghosts)
        ]
    paper = sheet.inside & (sheet.edge_distance > block_px) & ~sheet.along_creases
    free = np.ones(paper.shape, np.uint8)
    for one in found.discs:
        x, y = (math.floor(part / factor) for part in one.center)
        far = config.shape.own * one.radius / factor + block_px
        cv2.circle(free, (x, y), math.ceil(far), 0, cv2.FILLED)
    paper &= free > 0
    rest += find_rough(texture, paper, sheet.radius, block_px, config.texture)
    scaled = [
        Blot(one.kind, tuple(factor * part for part in one.box), one.area * factor**2)  # type: ignore[arg-type]
        for one in rest
    ]
    discs = tuple(one for at, one in enumerate(found.discs) if at not in misshapen)
    return replace(found, discs=discs, blots=(*found.blots, *marks, *scaled))


def _still_misshapen(
    misshapen: list[int],
    view: NDArray[np.uint8],
    found: SheetFindings,
    sheet: BareSheet,
    config: CloserConfig,
) -> list[int]:
    """Which holes are no discs either if all of them may be drawn with the same shade."""
    scale = view.shape[1] / sheet.size[0]
    discs = list(found.discs)
    # Beside a shade a rim is told best by its edge, and from its own middle.
    for by_edges in (False, True, True):
        shades = ShadesLooked(config.shade, by_edges=by_edges)
        shapes = measure_holes(view, sheet, discs, found.creases, config.shape, shades)
        still = find_misshapen(shapes, config.shape)
        misshapen = [at for at in misshapen if at in still or at not in shapes]
        if not misshapen:
            break
        for at, one in shapes.items():
            (x, y), (across, down) = discs[at].center, one.middle
            discs[at] = replace(discs[at], center=(x + across / scale, y + down / scale), radius=one.rim / scale)
    return misshapen


def _mark(disc: Disc) -> Blot:
    """A hole that is none."""
    left, top = (part - disc.radius for part in disc.center)
    return Blot(BlotKind.MARK, (left, top, 2 * disc.radius, 2 * disc.radius), math.pi * disc.radius**2)
