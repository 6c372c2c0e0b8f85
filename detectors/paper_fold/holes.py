"""From what is left of a sheet to the holes in it, and to what is drawn there and is no hole."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects

from detectors.paper_fold.residual import SheetResidual
from detectors.paper_fold.sheet import BareSheet


@dataclass(frozen=True)
class Disc:
    """A hole: its middle (x, y) and radius in working pixels, its contrast, and whether it is of the right size."""

    center: tuple[float, float]
    radius: float
    contrast: float
    fits: bool
    outside: bool


class BlotKind(enum.Enum):
    """What a mark is that is no hole: just that, a hole that is hardly seen, or a change of the sheet."""

    MARK = "mark"
    FAINT = "faint"
    TORN = "torn"


@dataclass(frozen=True)
class Blot:
    """What is drawn and no hole: its box (left, top, width, height) and area in working pixels."""

    kind: BlotKind
    box: tuple[float, float, float, float]
    area: float


@dataclass(frozen=True, eq=False)
class Drawn:
    """All that is plain to see beside the sheet itself.

    Attributes
    ----------
    discs, blots : by place
    taken : (h, w) bool, the pixels of both
    torn : (h, w) bool, the pixels of changes of the sheet
    """

    discs: tuple[Disc, ...]
    blots: tuple[Blot, ...]
    taken: NDArray[np.bool_]
    torn: NDArray[np.bool_]


def find_drawn(residual: SheetResidual, sheet: BareSheet) -> Drawn:
    """Finds holes, and marks that are none."""
    config, radius = sheet.config.holes, sheet.radius
    level = drawn_level(residual, sheet)
    drawn = ((residual.contrast > level) & residual.usable).astype(np.uint8)
    creased = thin_along_creases(drawn, sheet)
    if creased.any():
        # A hole may lie so near to a crease that its rim is thin where the crease may show.
        creased &= ~_round(drawn, sheet)
    drawn[creased] = 0
    closed = np.asarray(cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, _disc(config.closed * radius / 2)), np.uint8)
    beside_edges = sheet.edge_distance <= sheet.config.paper.reach_px + config.rim * radius
    bridged = np.asarray(cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, _disc(config.rim * radius)), np.uint8)
    cut_by_edges = bridged & beside_edges
    if (cut_by_edges > closed).any():
        # Of a rim beside an edge, what has the edge's colour was taken off with it.
        whole = closed | cut_by_edges
        closed |= np.where(_round(whole, sheet), whole, 0)
    filled = _filled(closed, config.widest * radius, 2 * config.largest * radius)
    solid = np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, _disc(config.opened * radius)), np.uint8)
    count, labels, stats, seams = _parts(solid, sheet)
    discs: list[tuple[int, Disc]] = []
    blots: list[Blot] = []
    taken = np.zeros(solid.shape, np.bool_)
    torn = np.zeros(solid.shape, np.bool_)
    area_of_hole = math.pi * radius**2
    for label in range(1, count):
        left, top, width, height, area = (int(value) for value in stats[label])
        window = (slice(top, top + height), slice(left, left + width))
        piece = labels[window] == label
        within = float((piece & sheet.inside[window]).sum()) / area
        disc = _as_disc(piece, (left, top), residual.contrast[window], within, sheet)
        if disc is not None and disc.contrast >= level:
            discs.append((label, disc))
            continue
        at_edge = piece & (np.abs(sheet.depth[window]) <= config.touching * radius)
        touches = float(at_edge.sum()) >= config.touching * area_of_hole
        if within == 0.0 and not touches:
            continue  # it lies beside the sheet
        kind = BlotKind.MARK
        if area >= config.torn * area_of_hole or (touches and area >= area_of_hole):
            kind = BlotKind.TORN
        elif area < config.mark * area_of_hole:
            continue
        taken[window] |= piece
        if kind is BlotKind.TORN:
            torn[window] |= piece
        blots.append(Blot(kind, (float(left), float(top), float(width), float(height)), float(area)))
    blots += _gone(residual, torn)
    usual = float(np.median([disc.contrast for _, disc in discs])) if discs else 0.0
    kept: list[Disc] = []
    of_discs = np.zeros(count, np.bool_)
    of_discs[[label for label, _ in discs]] = True
    taken |= of_discs[labels]
    for label, disc in discs:
        left, top, width, height, area = (int(value) for value in stats[label])
        if disc.contrast < max(config.plain, config.fainter * usual):
            if not disc.outside:
                box = (float(left), float(top), float(width), float(height))
                blots.append(Blot(BlotKind.FAINT, box, float(area)))
        else:
            kept.append(disc)
    blots += [*_strokes(residual, drawn, taken, sheet), *_bridges(seams, kept, residual, sheet)]
    return Drawn(
        tuple(sorted(kept, key=lambda one: (one.center[1], one.center[0]))),
        tuple(sorted(blots, key=lambda one: (one.box[1], one.box[0]))),
        taken,
        torn,
    )


def thin_along_creases(drawn: NDArray[np.uint8], sheet: BareSheet) -> NDArray[np.bool_]:
    """(h, w) bool, what of a drawing, (h, w) of 0 and 1, is thin and lies where creases may show."""
    zone = sheet.along_creases
    if not zone.any():
        return zone
    widest = sheet.config.marks.crease * sheet.radius + sheet.config.marks.crease_px
    solid = cv2.morphologyEx(drawn, cv2.MORPH_OPEN, _disc(widest))
    return np.asarray(zone & (drawn > 0) & (solid == 0), np.bool_)


def _round(drawn: NDArray[np.uint8], sheet: BareSheet) -> NDArray[np.bool_]:
    """(h, w) bool, what goes around something round as a hole's rim does where a hole looks like paper."""
    config, radius = sheet.config.holes, sheet.radius
    found = np.zeros(drawn.shape, np.uint8)
    contours, tree = cv2.findContours(drawn, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for at, one in enumerate(contours):
        if tree[0][at][3] < 0:  # not a threshold: nothing goes around it
            continue
        own = math.sqrt(cv2.contourArea(one) / math.pi)
        circle = cv2.minEnclosingCircle(one)[1]
        large = config.smallest * radius / 2 <= own <= config.largest * radius  # not a threshold: within its rim
        if large and circle <= config.compact * own + config.raster_px:
            cv2.drawContours(found, [one], -1, 1, cv2.FILLED)
    return np.asarray(cv2.dilate(found, _disc(config.rim * radius)) > 0, np.bool_)


def drawn_level(residual: SheetResidual, sheet: BareSheet) -> float:
    """The contrast from which something is drawn."""
    config = sheet.config.holes
    return max(config.visible, config.noise * min(residual.noise, config.loudest))


def _strokes(
    residual: SheetResidual, drawn: NDArray[np.uint8], taken: NDArray[np.bool_], sheet: BareSheet
) -> list[Blot]:
    """Thin things that are plain to see, and a mark over all of the sheet where much of it is drawn on."""
    config, radius = sheet.config.holes, sheet.radius
    own = cv2.dilate(taken.astype(np.uint8), _disc(sheet.config.marks.around * radius + config.beside_px)) > 0
    clear = sheet.inside & ~own & (sheet.edge_distance > sheet.config.paper.reach_px)
    rest = (drawn > 0) & clear
    if not rest.any():
        return []
    blots: list[Blot] = []
    if rest.sum() > config.busy * max(1, int(clear.sum())):
        left, top, width, height = cv2.boundingRect(rest.astype(np.uint8))
        return [Blot(BlotKind.MARK, (float(left), float(top), float(width), float(height)), float(rest.sum()))]
    plain = max(config.stroke, config.surely * drawn_level(residual, sheet))
    strong = (rest & (residual.contrast > plain)).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(strong, connectivity=8)  # not a threshold: neighbours
    for box in stats[1:count].tolist():
        if box[4] >= config.mark * math.pi * radius**2 and max(box[2], box[3]) >= config.long * radius:
            blots.append(Blot(BlotKind.MARK, tuple(map(float, box[:4])), float(box[4])))  # type: ignore[arg-type]
    return blots


def _gone(residual: SheetResidual, torn: NDArray[np.bool_]) -> list[Blot]:
    """Where the sheet's edge is gone, which is noted in ``torn``."""
    if not residual.gone.any():
        return []
    count, _, stats, _ = cv2.connectedComponentsWithStats(residual.gone.astype(np.uint8))
    torn |= residual.gone
    boxes = stats[1:count].tolist()
    return [Blot(BlotKind.TORN, tuple(map(float, box[:4])), float(box[4])) for box in boxes]  # type: ignore[arg-type]


def _as_disc(
    piece: NDArray[np.bool_],
    corner: tuple[int, int],
    contrast: NDArray[np.float32],
    within: float,
    sheet: BareSheet,
) -> Disc | None:
    """The disc that a piece is; None where it has another shape."""
    config = sheet.config.holes
    points = cv2.findNonZero(piece.view(np.uint8))
    equal = math.sqrt(len(points) / math.pi)
    _, around = cv2.minEnclosingCircle(points)
    # not a threshold: the circle goes through the middles of pixels
    if around + 0.5 - config.raster_px > config.compact * equal:
        return None
    if not config.smallest / 2 <= equal / sheet.radius <= 2 * config.largest:
        return None
    plain = float(np.sort(contrast[piece])[int((1.0 - config.share) * (len(points) - 1))])
    hull = cv2.convexHull(cv2.findNonZero(((contrast >= config.half * plain) & piece).view(np.uint8)))
    core = np.zeros(piece.shape, np.uint8)
    cv2.fillConvexPoly(core, hull, 1)
    sums = cv2.moments(core, binaryImage=True)
    radius = math.sqrt(sums["m00"] / math.pi)
    fits = config.smallest <= radius / sheet.radius <= config.largest
    # not a threshold: pixel (0, 0) covers 0 to 1
    center = (sums["m10"] / sums["m00"] + 0.5 + corner[0], sums["m01"] / sums["m00"] + 0.5 + corner[1])
    # not a threshold: most of it lies there
    return Disc(center, radius, plain, fits, within < 0.5)


def _bridges(
    seams: Sequence[NDArray[np.intp]], discs: Sequence[Disc], residual: SheetResidual, sheet: BareSheet
) -> list[Blot]:
    """Strokes from one disc to the next: seams, (n, 2) rows and columns, that are plain, and that no disc reaches."""
    config = sheet.config.holes
    blots = []
    for seam in seams:
        y, x = (seam.mean(axis=0) + 0.5).tolist()  # not a threshold: the middle of a pixel
        near = sorted((math.dist(one.center, (x, y)) - one.radius, at) for at, one in enumerate(discs))[:2]
        if len(near) < 2:  # not a threshold: a stroke has two ends
            continue
        ends = [discs[at] for _, at in near]
        # A seam is some pixels wide; those beside a disc have its own rim in them.
        to_one, to_other = (np.hypot(*(seam + 0.5 - one.center[::-1]).T) - one.radius for one in ends)
        middle = np.abs(to_one - to_other) <= config.middle_px
        contrast = float(residual.contrast[tuple(seam[middle].T)].max(initial=0.0))
        plain = max(config.stroke, config.bridging * min(one.contrast for one in ends))
        if sum(away for away, _ in near) > config.bridge * sheet.radius and contrast > plain:
            (top, left), (bottom, right) = seam.min(axis=0).tolist(), (seam.max(axis=0) + 1).tolist()
            box = (float(left), float(top), float(right - left), float(bottom - top))
            blots.append(Blot(BlotKind.MARK, box, float(len(seam))))
    return blots


def _parts(
    solid: NDArray[np.uint8], sheet: BareSheet
) -> tuple[int, NDArray[np.int32], NDArray[np.int32], list[NDArray[np.intp]]]:
    """How many pieces there are, that of each pixel, where and how large each is; discs are parted at seams."""
    config = sheet.config.holes
    seams: list[NDArray[np.intp]] = []
    count, labels, stats = _components(solid)
    area_of_hole = math.pi * sheet.radius**2
    for label in range(1, count):
        left, top, width, height, area = (int(value) for value in stats[label])
        if not config.merged * area_of_hole <= area <= config.most_merged * area_of_hole:
            continue
        window = (slice(top, top + height), slice(left, left + width))
        piece = (labels[window] == label).astype(np.uint8)
        depth = cv2.distanceTransform(np.pad(piece, 1), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)[1:-1, 1:-1]
        middles = (depth >= config.deep * depth.max()).astype(np.uint8)
        number, seeds = cv2.connectedComponents(middles, connectivity=8)  # not a threshold: neighbours
        if number <= 2:  # not a threshold: the ground and one middle
            continue
        apart = [(seeds != seed).astype(np.uint8) for seed in range(1, number)]
        distances = np.stack([cv2.distanceTransform(one, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) for one in apart])
        nearest = distances.argmin(axis=0).astype(np.int16)
        around = np.ones((3, 3), np.uint8)  # not a threshold: a pixel's neighbours
        border = cv2.dilate(nearest, around) != cv2.erode(nearest, around)
        seam = (piece > 0) & border
        solid[window][seam] = 0
        pieces, lines = cv2.connectedComponents(seam.astype(np.uint8), connectivity=8)  # not a threshold: neighbours
        seams += [np.argwhere(lines == line) + np.array([top, left]) for line in range(1, pieces)]
    if seams:
        count, labels, stats = _components(solid)
    return count, labels, stats, seams


def _components(solid: NDArray[np.uint8]) -> tuple[int, NDArray[np.int32], NDArray[np.int32]]:
    """What `cv2.connectedComponentsWithStats` tells of a few pieces that share sides, in two thirds of its time."""
    count, numbers = cv2.connectedComponents(solid, connectivity=4)  # not a threshold: neighbours
    labels = np.asarray(numbers, np.int32)
    height, width = labels.shape
    stats = [(0, 0, width, height, np.count_nonzero(labels == 0))]
    for label, (rows, columns) in enumerate(find_objects(labels), 1):
        area = np.count_nonzero(labels[rows, columns] == label)
        stats.append((columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start, area))
    return count, labels, np.array(stats, np.int32)


def _filled(drawn: NDArray[np.uint8], widest: float, around: float) -> NDArray[np.uint8]:
    """What is drawn, with all that small pieces of it go around, and what is small and larger ones go around."""
    found = drawn.copy()
    outlines = cv2.findContours(drawn, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    if all(max(cv2.boundingRect(one)[2:]) <= widest for one in outlines):
        cv2.drawContours(found, outlines, -1, 1, cv2.FILLED)
        return found
    count, labels, stats, _ = cv2.connectedComponentsWithStats(drawn, connectivity=8)  # not a threshold: neighbours
    for label in range(1, count):
        left, top, width, height = (int(value) for value in stats[label][:4])
        window = found[top : top + height, left : left + width]
        piece = (labels[top : top + height, left : left + width] == label).astype(np.uint8)
        if max(width, height) > widest:
            # Rings that touch.
            for contour in cv2.findContours(piece, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)[0]:
                if max(cv2.boundingRect(contour)[2:]) <= around:
                    cv2.drawContours(window, [contour], -1, 1, cv2.FILLED)
            continue
        contours, _ = cv2.findContours(piece, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(window, contours, -1, 1, cv2.FILLED)
    return found


def _disc(radius: float) -> NDArray[np.uint8]:
    side = 2 * max(1, round(radius)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
