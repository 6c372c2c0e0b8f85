"""From a picture of a sheet to its holes, and all else that was drawn or changed. Where holes belong is not seen."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.edges import distrust, rings
from detectors.common.residual.mixing import distance_to, times
from detectors.common.residual.windows import averages
from detectors.paper_fold.holes import Blot, BlotKind, Disc, Drawn, drawn_level, find_drawn, thin_along_creases
from detectors.paper_fold.lines import find_lines, with_lines
from detectors.paper_fold.residual import SheetResidual, find_residual
from detectors.paper_fold.sheet import BareSheet, Line


@dataclass(frozen=True, eq=False)
class LeftOnSheet:
    """What is left beside holes, in a part of the picture that holds the sheet.

    Attributes
    ----------
    values : (h, w, 3) float32, in the colours of `seen`; 0 where it is not told
    usable : (h, w) bool, where it is told
    corner : x and y of its first pixel in the sheet's working frame
    """

    values: NDArray[np.float32]
    usable: NDArray[np.bool_]
    corner: tuple[int, int]


@dataclass(frozen=True)
class SheetFindings:
    """What a picture of a sheet shows. Lengths are pixels of the puzzle's picture.

    Attributes
    ----------
    discs : holes, and what looks like some beside the sheet
    blots : what is no hole
    creases : share of the lines where folds were along which something thin is drawn
    repainted : whether the sheet has another colour
    whole : area of the sheet that is as it was, over that and all that was changed, 0 to 1
    lines : ends of creases that were drawn elsewhere, from rim to rim, in the sheet's working frame
    left : what is left beside holes, in the sheet's working frame; None where nothing is
    """

    discs: tuple[Disc, ...]
    blots: tuple[Blot, ...]
    creases: float
    repainted: bool
    whole: float
    lines: tuple[Line, ...] = ()
    left: LeftOnSheet | None = field(default=None, compare=False, repr=False)


def find_sheet(view: NDArray[np.uint8], covered: NDArray[np.bool_] | None, sheet: BareSheet) -> SheetFindings:
    """Finds holes and changes on an aligned candidate.

    Parameters
    ----------
    view : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the sheet's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    sheet : BareSheet
    """
    residual = find_residual(view, covered, sheet)
    drawn, creased, marks, left = _read(residual, sheet)
    lines: tuple[Line, ...] = ()
    if drawn.blots or marks:
        # Only what is no crease where creases may show can be one elsewhere.
        lines = find_lines((residual.contrast > drawn_level(residual, sheet)).view(np.uint8), sheet)
    if lines:
        sheet = with_lines(sheet, lines)
        drawn, creased, marks, left = _read(residual, sheet)
    factor = sheet.factor
    discs = tuple(
        Disc((one.center[0] * factor, one.center[1] * factor), one.radius * factor, one.contrast, one.fits, one.outside)
        for one in drawn.discs
    )
    blots = tuple(
        Blot(one.kind, tuple(factor * part for part in one.box), one.area * factor**2)  # type: ignore[arg-type]
        for one in (*drawn.blots, *marks)
    )
    gone, beside = drawn.torn & sheet.inside, drawn.torn & ~sheet.inside
    if covered is not None:
        gone |= sheet.inside & ~covered
    area = int(np.count_nonzero(sheet.inside))
    whole = max(0, area - int(np.count_nonzero(gone))) / max(1, area + int(np.count_nonzero(beside)))
    repainted = residual.repainted > sheet.config.paper.repainted
    return SheetFindings(discs, blots, creased, repainted, whole, lines, left)


def _read(residual: SheetResidual, sheet: BareSheet) -> tuple[Drawn, float, tuple[Blot, ...], LeftOnSheet | None]:
    """What is drawn, the share of the creases that shows, and what else is left; of what that was told."""
    drawn = find_drawn(residual, sheet)
    creased, values = _without_creases(residual, drawn, sheet)
    marks, left = _marks(values, residual, drawn, sheet)
    return drawn, creased, marks, left


def _without_creases(residual: SheetResidual, drawn: Drawn, sheet: BareSheet) -> tuple[float, NDArray[np.float32]]:
    """The share of the creases that shows, and what is left without what is thin along them."""
    zone = sheet.along_creases
    if not zone.any():
        return 0.0, residual.values
    thin = thin_along_creases((residual.contrast > drawn_level(residual, sheet)).view(np.uint8), sheet) & ~drawn.taken
    if not thin.any():
        return 0.0, residual.values
    # not a threshold: what is soft beside a line is its own
    around = cv2.dilate(thin.view(np.uint8), np.ones((5, 5), np.uint8)) > 0
    values = residual.values.copy()
    values.reshape(-1, 3)[np.flatnonzero(around & zone)] = 0.0
    length = math.fsum(math.dist(*ends) for ends in sheet.creases)
    share = int(np.count_nonzero(thin)) / max(1.0, length)
    return min(1.0, share), values


def _marks(
    values: NDArray[np.float32], residual: SheetResidual, drawn: Drawn, sheet: BareSheet
) -> tuple[tuple[Blot, ...], LeftOnSheet | None]:
    """What is left on the sheet, by tiles that adjoin; and what that was told from."""
    config, radius = sheet.config.marks, sheet.radius
    height, width = residual.usable.shape
    side = config.cell * radius
    rows = np.unique(np.rint(np.linspace(0, height, max(2, round(height / side)) + 1)).astype(np.intp))
    columns = np.unique(np.rint(np.linspace(0, width, max(2, round(width / side)) + 1)).astype(np.intp))
    # Beside the tiles that hold the sheet nothing is told, and nothing is looked at.
    far = math.ceil(config.around * radius + max(config.around_px, sheet.config.paper.rings_px)) + 1
    left, top, right, bottom = sheet.box
    down, rows = _around(rows, top - far, bottom + far)
    across, columns = _around(columns, left - far, right + far)
    window = (down, across)
    away = distance_to(drawn.taken[window])
    own = away <= config.around * radius + config.around_px
    usable = residual.usable[window] & sheet.marked[window] & ~own
    values = times(values[window], usable.astype(np.float32))
    if max(abs(value) for value in cv2.minMaxLoc(values.reshape(len(values), -1))[:2]) < config.nothing:
        return (), None
    distrust(values, usable, rings(away, round(config.around * radius + sheet.config.paper.rings_px)),
             sheet.config.paper.trusted, sheet.config.paper.visible)  # fmt: skip
    in_tiles = np.add.reduceat(np.add.reduceat(usable.astype(np.int32), rows[:-1], axis=0), columns[:-1], axis=1)
    counted = in_tiles > 0
    found = np.zeros(counted.shape, np.bool_)
    for averaged in averages(values, usable, side, config.windows, plain_only=True):
        most = np.maximum.reduceat(np.maximum.reduceat(averaged.contrast, rows[:-1], axis=0), columns[:-1], axis=1)
        found |= counted & (most > averaged.just_seen(most[counted]))
    count, labels = cv2.connectedComponents(found.astype(np.uint8), connectivity=8)  # not a threshold: neighbours
    blots = []
    rows, columns = rows + down.start, columns + across.start
    for label in range(1, count):
        at = np.argwhere(labels == label)
        (top, left), (bottom, right) = at.min(axis=0), at.max(axis=0) + 1
        box = (columns[left], rows[top], columns[right] - columns[left], rows[bottom] - rows[top])
        area = float(in_tiles[labels == label].sum())
        blots.append(Blot(BlotKind.MARK, tuple(map(float, box)), area))  # type: ignore[arg-type]
    return tuple(blots), LeftOnSheet(values, usable, (across.start, down.start))


def _around(bounds: NDArray[np.intp], low: float, high: float) -> tuple[slice, NDArray[np.intp]]:
    """The pixels of the tiles between two places, from an even one on, and where these tiles begin and end in them."""
    first = max(0, int(np.searchsorted(bounds, low, side="right")) - 1)
    last = min(len(bounds) - 1, int(np.searchsorted(bounds, high)))
    start = int(bounds[first]) // 2 * 2  # not a threshold: noise is told at every other pixel
    return slice(start, int(bounds[last])), bounds[first : last + 1] - start
