"""From a picture of a sheet to its holes, and all else that was drawn or changed. Where holes belong is not seen."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.edges import distrust, rings
from detectors.common.residual.mixing import distance_to
from detectors.common.residual.windows import averages
from detectors.paper_fold.holes import Blot, BlotKind, Disc, Drawn, drawn_level, find_drawn, thin_along_creases
from detectors.paper_fold.residual import SheetResidual, find_residual
from detectors.paper_fold.sheet import BareSheet


@dataclass(frozen=True, eq=False)
class LeftOnSheet:
    """What is left beside holes: (h, w, 3) float32 in the colours of `seen`, and (h, w) bool, where it is told."""

    values: NDArray[np.float32]
    usable: NDArray[np.bool_]


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
    left : what is left beside holes, in the sheet's working frame; None where nothing is
    """

    discs: tuple[Disc, ...]
    blots: tuple[Blot, ...]
    creases: float
    repainted: bool
    whole: float
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
    drawn = find_drawn(residual, sheet)
    creased, values = _without_creases(residual, drawn, sheet)
    marks, left = _marks(values, residual, drawn, sheet)
    factor = sheet.factor
    discs = tuple(
        Disc((one.center[0] * factor, one.center[1] * factor), one.radius * factor, one.contrast, one.fits, one.outside)
        for one in drawn.discs
    )
    blots = tuple(
        Blot(one.kind, tuple(factor * part for part in one.box), one.area * factor**2)  # type: ignore[arg-type]
        for one in (*drawn.blots, *marks)
    )
    gone = drawn.torn & sheet.inside
    if covered is not None:
        gone |= sheet.inside & ~covered
    area = float(sheet.inside.sum())
    whole = max(0.0, area - float(gone.sum())) / max(1.0, area + float((drawn.torn & ~sheet.inside).sum()))
    repainted = residual.repainted > sheet.config.paper.repainted
    return SheetFindings(discs, blots, creased, repainted, whole, left)


def _without_creases(residual: SheetResidual, drawn: Drawn, sheet: BareSheet) -> tuple[float, NDArray[np.float32]]:
    """The share of the creases that shows, and what is left without what is thin along them."""
    zone = sheet.along_creases
    if not zone.any():
        return 0.0, residual.values
    thin = thin_along_creases((residual.contrast > drawn_level(residual, sheet)).astype(np.uint8), sheet) & ~drawn.taken
    # not a threshold: what is soft beside a line is its own
    around = cv2.dilate(thin.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    values = residual.values.copy()
    values[around & zone] = 0.0
    length = math.fsum(math.dist(*ends) for ends in sheet.creases)
    share = float(thin.sum()) / max(1.0, length)
    return min(1.0, share), values


def _marks(
    values: NDArray[np.float32], residual: SheetResidual, drawn: Drawn, sheet: BareSheet
) -> tuple[tuple[Blot, ...], LeftOnSheet | None]:
    """What is left on the sheet, by tiles that adjoin; and what that was told from."""
    config, radius = sheet.config.marks, sheet.radius
    away = distance_to(drawn.taken)
    own = away <= config.around * radius + config.around_px
    usable = residual.usable & sheet.inside & ~own & (sheet.edge_distance > 1.0)  # not a threshold: an edge's own pixel
    values = values * usable[..., None]
    if float(np.abs(values).max(initial=0.0)) < config.nothing:
        return (), None
    distrust(values, usable, rings(away, round(config.around * radius + sheet.config.paper.rings_px)),
             sheet.config.paper.trusted, sheet.config.paper.visible)  # fmt: skip
    height, width = usable.shape
    side = config.cell * radius
    rows = np.unique(np.rint(np.linspace(0, height, max(2, round(height / side)) + 1)).astype(np.intp))
    columns = np.unique(np.rint(np.linspace(0, width, max(2, round(width / side)) + 1)).astype(np.intp))
    in_tiles = np.add.reduceat(np.add.reduceat(usable.astype(np.int64), rows[:-1], axis=0), columns[:-1], axis=1)
    counted = in_tiles > 0
    found = np.zeros(counted.shape, np.bool_)
    for averaged in averages(values, usable, side, config.windows):
        most = np.maximum.reduceat(np.maximum.reduceat(averaged.contrast, rows[:-1], axis=0), columns[:-1], axis=1)
        found |= counted & (most > averaged.just_seen(most[counted]))
    count, labels = cv2.connectedComponents(found.astype(np.uint8), connectivity=8)  # not a threshold: neighbours
    blots = []
    for label in range(1, count):
        at = np.argwhere(labels == label)
        (top, left), (bottom, right) = at.min(axis=0), at.max(axis=0) + 1
        box = (columns[left], rows[top], columns[right] - columns[left], rows[bottom] - rows[top])
        area = float(in_tiles[labels == label].sum())
        blots.append(Blot(BlotKind.MARK, tuple(map(float, box)), area))  # type: ignore[arg-type]
    return tuple(blots), LeftOnSheet(values, usable)
