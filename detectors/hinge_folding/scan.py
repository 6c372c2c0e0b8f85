"""Explains a picture by the pieces that were laid onto it: what of it is which piece, and what is something else."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median
from detectors.hinge_folding.colors import GivenLook, faint_pieces, merged_pairs, one_color
from detectors.hinge_folding.config import ChainScanConfig, ChainViewConfig
from detectors.hinge_folding.exact.shades import ShadeView, SharpEdges
from detectors.hinge_folding.fitting import EdgeCheck, inner_radius
from detectors.hinge_folding.plan import ChainPlan, Mask, corners_of, make_plan
from detectors.hinge_folding.view import ChainView, Field, Floats, farthest
from puzzles.hinge_folding.chain import HingeShape


@dataclass(frozen=True, eq=False)
class ChainPart:
    """A piece in a picture.

    Attributes
    ----------
    pose : centre in working pixels, y down, and angle in radians, counter-clockwise
    corners : in working pixels
    color : as it is seen
    contrast : its colour less the ground's
    shown : how much of it shows, in square units
    bare : share of what shows that has another colour
    size : at which it fits best, over that of all
    found : whether it is there: seen, of one colour, and not the ground's
    """

    pose: Floats
    corners: Floats
    color: Floats
    contrast: Floats
    shown: float
    bare: float
    size: float
    found: bool


@dataclass(frozen=True)
class ChainRemainder:
    """What no piece explains: its box in working pixels, its size in square units, and whether it is but a mark."""

    left: int
    top: int
    width: int
    height: int
    area: float
    mark: bool


@dataclass(frozen=True, eq=False)
class ChainScan:
    """A picture explained by a chain.

    Attributes
    ----------
    pieces : in their order
    unit_px : pixels of a unit of this chain
    remainders : what no piece explains, within the chain's reach
    outside : what is painted outside of it
    merged : pairs of pieces, from 0, that can't be told apart
    one_color : whether all pieces are of one colour, where those given were not
    blended : pairs of pieces that are both seen where they overlap
    faint : pieces, from 0, that are drawn fainter than the others
    scaled : pieces, from 0, that are larger or smaller than the others
    held : least share of a piece's free edge that lies on what is seen
    """

    pieces: tuple[ChainPart, ...]
    unit_px: float
    remainders: tuple[ChainRemainder, ...]
    outside: Mask
    merged: tuple[tuple[int, int], ...]
    one_color: bool
    blended: tuple[tuple[int, int], ...]
    faint: tuple[int, ...]
    scaled: tuple[int, ...]
    held: float

    @property
    def complete(self) -> bool:
        """Whether all pieces were found."""
        return all(piece.found for piece in self.pieces)

    def clean(self, least: float) -> bool:
        """Whether all pieces were found, nothing is drawn beside them, and less than this is unexplained."""
        drawn = any(not one.mark for one in self.remainders)
        return self.complete and not drawn and self.unexplained < least

    @property
    def unexplained(self) -> float:
        """What is drawn beside the pieces, in square units, and a unit for each piece that is not there."""
        drawn = sum(one.area for one in self.remainders if not one.mark)
        bare = sum(piece.bare for piece in self.pieces)
        unsure = len(self.merged) + len(self.blended) + len(self.pieces) * self.one_color
        return drawn + bare + unsure + sum(not piece.found for piece in self.pieces)


def scan_chain(
    view: ChainView,
    shapes: Sequence[HingeShape],
    poses: Floats,
    scale: float,
    edges: EdgeCheck,
    given: GivenLook,
    config: ChainScanConfig,
    seen: ChainViewConfig,
) -> ChainScan:
    """Explains a picture by a chain of a scale.

    ``edges`` says how those of its pieces lie on what is seen.
    """
    # The size of most; of two pieces that differ either may be the one.
    usual = float(np.median(edges.grown)) if len(shapes) > 2 else float(edges.grown[0])
    grown = edges.grown - usual
    unit = view.unit_px * scale
    corners = [corners_of(shape, pose, unit) for shape, pose in zip(shapes, poses, strict=True)]
    tolerance = config.tolerance + config.noise_weight * view.noise
    plan = make_plan(view, shapes, poses, corners, unit, config)
    colors, shown = [], []
    pixels = plan.pixels.reshape(-1, 3)
    for mask in plan.masks:
        alone = mask & (plan.covers == 1)
        own = alone & plan.free
        told = own
        if np.count_nonzero(own) < config.least_seen * unit * unit:
            # Beside its edges are lines; its own colour lies deep within what is seen of it.
            own, told = alone, _deep(alone)
        shown.append(float(np.count_nonzero(own)) / unit**2)
        colors.append(_middle(pixels, told) if told.any() else view.ground)
    owner, near, blended = _owners(plan, colors, tolerance, config, unit)
    off = view.paint > tolerance
    off[plan.box] = np.where(owner >= 0, near > tolerance, off[plan.box]) & plan.free & ~blended.mask
    # What is thin is noise or the blur of an edge.
    kernel = np.ones((config.open_px, config.open_px), np.uint8)
    off = np.asarray(cv2.morphologyEx(off.view(np.uint8), cv2.MORPH_OPEN, kernel)).view(np.bool_)
    foreign = off[plan.box] & (owner >= 0)
    if foreign.any():
        off[plan.box] &= ~_lit(plan, owner, foreign, colors, corners, unit, config)
    pieces = []
    for number, (pose, one) in enumerate(zip(poses, corners, strict=True)):
        mine = (owner == number) & plan.free
        area = float(np.count_nonzero(mine))
        if area < config.least_seen * unit * unit:
            # All that is seen of it lies near to edges or hinges.
            mine = (owner == number) & plan.masks[number]
            area = float(np.count_nonzero(mine))
        bare = float(np.count_nonzero(off[plan.box] & mine)) / area if area else 1.0
        contrast = colors[number] - view.ground
        there = shown[number] >= config.least_seen and bare <= config.most_bare
        there = there and float(np.abs(contrast).max()) >= config.least_contrast + view.noise
        there = bool(there and edges.held[number] >= config.least_held)
        pieces.append(
            ChainPart(
                pose,
                one,
                colors[number],
                contrast,
                shown[number],
                bare,
                1 + float(grown[number]) / inner_radius(shapes[number]),
                there,
            )
        )
    reach = reach_box(poses[0], given.reach * unit)
    outside = off.copy()
    outside[reach] = False
    remainders: tuple[ChainRemainder, ...] = ()
    if off[reach].any():
        edge = np.zeros(off.shape, np.uint8)
        edge[plan.box] = plan.edges
        beside = cv2.dilate(edge[reach], np.ones((3, 3), np.uint8)).view(np.bool_)
        remainders = _remainders(off[reach], beside, unit, config, (reach[1].start, reach[0].start))
    return ChainScan(
        pieces=tuple(pieces),
        unit_px=unit,
        remainders=remainders,
        outside=outside,
        merged=merged_pairs(view, plan, corners, colors, given, config, seen, unit),
        one_color=one_color(colors, given, config),
        blended=blended.pairs,
        faint=faint_pieces([piece.contrast for piece in pieces], given, config),
        scaled=tuple(int(at) for at in np.flatnonzero(np.abs(grown) > config.most_grown)),
        held=float(edges.held.min()),
    )


def _deep(mask: Mask) -> Mask:
    """What of a mask is at least half as far from its edge as anything of it."""
    depth = cv2.distanceTransform(np.pad(mask, 1).view(np.uint8), cv2.DIST_L2, 3)[1:-1, 1:-1]
    return np.asarray(mask & (depth >= depth.max() / 2), np.bool_)  # not a threshold: half


def _middle(pixels: Field, mask: Mask) -> Floats:
    """The middle colour of some of (N, 3) pixels, in each channel."""
    own = pixels.take(np.flatnonzero(mask), axis=0)
    return np.array([median(one) for one in np.ascontiguousarray(own.T)], np.float32).astype(np.float64)


@dataclass(frozen=True)
class ChainSurroundings:
    """What is outside of a chain's reach and not in the given picture.

    Attributes
    ----------
    things : what is drawn there
    colors : how many colours of pieces, or of those that were given, larger parts of it have
    """

    things: tuple[ChainRemainder, ...]
    colors: int


def look_around(view: ChainView, scan: ChainScan, given: GivenLook, config: ChainScanConfig) -> ChainSurroundings:
    """Looks at what is outside of a chain's reach."""
    outside = scan.outside
    if outside.any():
        outside = outside & ~_was_there(view, scan.pieces[0].pose, scan.unit_px, given, config)
    things = _remainders(outside, None, scan.unit_px, config)
    if not things:
        return ChainSurroundings((), 0)
    colors = [piece.color for piece in scan.pieces]
    tolerance = config.tolerance + config.noise_weight * view.noise
    return ChainSurroundings(things, _colors_in(view, outside, colors, given, tolerance, config, scan.unit_px))


@dataclass(frozen=True, eq=False)
class _Blended:
    mask: Mask
    pairs: tuple[tuple[int, int], ...]


def _owners(
    plan: ChainPlan, colors: Sequence[Floats], tolerance: float, config: ChainScanConfig, unit: float
) -> tuple[NDArray[np.int16], Field, _Blended]:
    """Of each pixel the piece that is seen there, from 0, or -1; how far its colour is; where two are seen at once."""
    owner = np.full(plan.covers.shape, -1, np.int16)
    off = np.full(plan.covers.shape, np.inf, np.float32)
    pixels = plan.pixels.reshape(-1, 3)
    for number, mask in enumerate(plan.masks):
        at = np.flatnonzero(mask)
        distance = farthest(pixels.take(at, axis=0), colors[number])
        nearer = distance < off.ravel()[at]
        at = at[nearer]
        owner.ravel()[at] = number
        off.ravel()[at] = distance[nearer]
    neither = (plan.covers > 1) & plan.free & (off > tolerance)
    mask, pairs = np.zeros(neither.shape, bool), []
    least = config.least_blend * unit * unit
    if np.count_nonzero(neither) >= least:
        for one, other in itertools.combinations(range(len(colors)), 2):
            both = plan.masks[one] & plan.masks[other] & neither
            if np.count_nonzero(both) < least:
                continue
            if _between(np.median(plan.pixels[both], axis=0), colors[one], colors[other], tolerance):
                pairs.append((one, other))
                mask |= both
    return owner, off, _Blended(mask, tuple(pairs))


def _lit(
    plan: ChainPlan,
    owner: NDArray[np.int16],
    foreign: Mask,
    colors: Sequence[Floats],
    corners: Sequence[Floats],
    unit: float,
    config: ChainScanConfig,
) -> Mask:
    """What of pieces is but darker or lighter than the rest, and has no edge of its own: gloss, bevels, shadows."""
    lit = np.zeros(foreign.shape, bool)
    away = np.asarray(cv2.distanceTransform(1 - plan.edges, cv2.DIST_L2, 3), np.float32)
    surfaces = np.asarray(colors, np.float32)[owner]
    upon = SharpEdges(plan.pixels, owner, plan.free, [one - plan.origin for one in corners], config.companions.sharp)
    view = ShadeView(plan.pixels - surfaces, surfaces, away, plan.free, unit, config.companions, upon)
    for number in np.unique(owner[foreign]):
        count, labels, stats, _ = cv2.connectedComponentsWithStats((foreign & (owner == number)).view(np.uint8))
        for label in range(1, count):
            left, top, width, height, _ = (int(value) for value in stats[label])
            window = (slice(top, top + height), slice(left, left + width))
            part = labels[window] == label
            if view.is_shade(part, (left, top), on_piece=True):
                lit[window] |= part
    return lit


def _between(color: Floats, one: Floats, other: Floats, tolerance: float) -> bool:
    """Whether a colour is a mixture of two, or darker than both as where two glasses lie on each other."""
    line = other - one
    share = float(np.clip((color - one) @ line / max(1e-9, float(line @ line)), 0, 1))
    mixed = float(np.abs(color - (one + share * line)).max()) <= tolerance
    return mixed or bool((color <= np.minimum(one, other) + tolerance).all())


def _colors_in(
    view: ChainView,
    outside: Mask,
    colors: Sequence[Floats],
    given: GivenLook,
    tolerance: float,
    config: ChainScanConfig,
    unit: float,
) -> int:
    """How many colours of pieces, as they are or as they were given, are seen in larger parts of a mask."""
    # What is thinner than this, such as letters, is no piece.
    side = max(1, round(config.around_thick * unit))
    counts = []
    for palette in (colors, view.ground + given.contrasts):
        told: list[Floats] = []
        for color in palette:
            if any(float(np.abs(color - other).max()) < config.given_pair for other in told):
                continue
            own = outside & (farthest(view.pixels, color) <= tolerance)
            thick = cv2.morphologyEx(own.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
            if np.count_nonzero(thick) >= config.around_piece * unit * unit:
                told.append(color)
        counts.append(len(told))
    return max(counts)


def reach_box(first: Floats, reach: float) -> tuple[slice, slice]:
    """Rows and columns within reach of a first piece."""
    left, top = max(0, round(first[0] - reach)), max(0, round(first[1] - reach))
    return slice(top, max(0, round(first[1] + reach))), slice(left, max(0, round(first[0] + reach)))


def _was_there(view: ChainView, first: Floats, unit: float, given: GivenLook, config: ChainScanConfig) -> Mask:
    """What is as in the given picture, laid so that the first pieces lie on each other."""
    height, width = view.paint.shape
    scale = unit / given.unit_px
    matrix = np.array([[scale, 0, first[0] - scale * given.x_px], [0, scale, first[1] - scale * given.y_px]])
    small = cv2.warpAffine(
        given.picture, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(farthest(view.pixels, np.asarray(small, np.float32)) < config.given_near)


def _remainders(
    off: Mask, beside: Mask | None, unit: float, config: ChainScanConfig, corner: tuple[int, int] = (0, 0)
) -> tuple[ChainRemainder, ...]:
    """What hangs together of a mask whose first pixel lies at a corner, x and y, of the view."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(off.astype(np.uint8))
    found = []
    for number in range(1, count):
        left, top, width, height, pixels = (int(value) for value in stats[number])
        area = pixels / unit**2
        if area < config.least_mark:
            continue
        window = (slice(top, top + height), slice(left, left + width))
        part = labels[window] == number
        # Parts that hang together at corners are one, so that what is not of it is as far as what is off.
        depth = cv2.distanceTransform(np.pad(part, 1).astype(np.uint8), cv2.DIST_L2, 3)
        thick = (2 * float(depth.max()) - 1) / unit
        thin = thick <= config.most_thin or area <= config.least_drawn
        mark = thin and max(width, height) <= config.most_extent * unit
        if beside is not None and area >= config.least_beside:
            mark = mark and not bool((beside[window] & part).any())
        found.append(ChainRemainder(corner[0] + left, corner[1] + top, width, height, area, mark))
    marks = sum(one.area for one in found if one.mark)
    if marks > config.most_marks:
        found = [ChainRemainder(one.left, one.top, one.width, one.height, one.area, False) for one in found]
    return tuple(found)
