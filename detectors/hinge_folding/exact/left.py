"""What is left of a picture beside its pieces and its ground, in units of its noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.compression import without_compression
from detectors.common.residual.mixing import channel_sums, times
from detectors.hinge_folding.exact.close import SUBPIXEL, CloseView, Owners, middle_of, share_of
from detectors.hinge_folding.exact.config import LeftConfig, LeftWindowConfig
from detectors.hinge_folding.exact.hinges import foreign_at_hinges
from detectors.hinge_folding.exact.shades import ShadeView, SharpEdges
from detectors.hinge_folding.view import Field, Floats, farthest

Flags = NDArray[np.bool_]
_NOTHING = np.zeros(3, np.float32)
_TINY = 1e-9  # not a threshold: nothing is divided by nothing
_MOST = np.float32(255)  # not a threshold: the range of a channel


@dataclass(frozen=True)
class LeftThing:
    """What is neither a piece nor ground: its box in pixels, its area in square units, and where it lies.

    Attributes
    ----------
    left, top, width, height : its box, in pixels
    area : in square units
    mark : whether it is but a mark beside the chain, such as a letter
    on_piece : whether it lies on a piece
    wide : how wide it is at its widest, in units
    strength : by how much it differs, 0 to 255, at most
    """

    left: float
    top: float
    width: float
    height: float
    area: float
    mark: bool
    on_piece: bool
    wide: float
    strength: float


def find_left(
    close: CloseView,
    owner: Owners,
    ground: int,
    around: tuple[Floats, Floats],
    discs: Sequence[tuple[float, float, float]],
    contrast: Floats | None,
    line: float,
    ink: Floats | None,
    config: LeftConfig,
    outlines: Sequence[Floats] = (),
) -> tuple[LeftThing, ...]:
    """Takes off a picture its pieces, its ground and what lies near the edges between them.

    Parameters
    ----------
    close : CloseView
    owner : (h, w)
        Which piece is seen where.
    ground : int
        Its number there.
    around : pair of (x, y)
        The least and the largest place where nothing else may be, in pixels.
    discs : sequence of (x, y, radius)
        Hinges, in pixels, where discs and letters may be.
    contrast : (3,) or None
        The colour of discs less the ground's, as they were given; None where none were.
    line : float
        Width of the outlines of pieces, in pixels.
    ink : (3,) or None
        Their colour; None where there are none.
    config : LeftConfig
    outlines : sequence of (K, 2)
        The corners of each piece, in pixels.
    """
    edge = np.zeros(owner.shape, np.uint8)
    edge[:, 1:] |= owner[:, 1:] != owner[:, :-1]
    edge[1:] |= owner[1:] != owner[:-1]
    away = np.asarray(cv2.distanceTransform(1 - edge, cv2.DIST_L2, 3), np.float32)
    free = away > line / 2 + config.edge_px + config.edge * close.unit
    inner = np.zeros(free.shape, bool)
    left, top = (max(0, round(float(low))) for low in np.maximum(np.array(close.inner[:2]) + config.rim_px, around[0]))
    right, bottom = (
        max(0, round(float(high))) for high in np.minimum(np.array(close.inner[2:]) - config.rim_px, around[1])
    )
    inner[top:bottom, left:right] = True
    busy = np.zeros(owner.shape, np.uint8)
    for x, y, radius in discs:
        # not a threshold: the middle of the first pixel lies at a half
        centre = (round((x - 0.5) * 2**SUBPIXEL), round((y - 0.5) * 2**SUBPIXEL))
        cv2.circle(busy, centre, round((radius + 0.5) * 2**SUBPIXEL), 1, cv2.FILLED, cv2.LINE_8, SUBPIXEL)
    open_ = inner & (busy == 0)
    surfaces = _surfaces(close, owner, ground, free & open_, config)
    residual = close.pixels - surfaces
    told = (away > line / 2 + config.edge_px) & open_
    upon = SharpEdges(close.pixels, owner, told, outlines, config.companions.sharp)
    shades = ShadeView(residual.copy(), surfaces, away, told, close.unit, config.companions, upon)
    pieces_away = cv2.distanceTransform((owner == ground).astype(np.uint8), cv2.DIST_L2, 3)
    on_ground = owner == ground
    _take_off_shade(residual, surfaces, on_ground & (pieces_away <= config.shade_reach * close.unit), config)
    near = on_ground & (pieces_away <= config.block_px * float(close.scale.max()))
    places = _Places(owner, on_ground, near, pieces_away, close.unit, shades)
    paper, clear = _ground_of(surfaces, on_ground, config), away > config.blur_px + line / 2
    strange = foreign_at_hinges(close.pixels, residual, clear, discs, contrast, paper, ink, config.hinges)
    # Within its edge a piece has its own colour, or that of its line, and nothing of what lies beyond.
    shore = ~free & open_ & (owner != ground) & (away > config.blur_px)
    if ink is not None:
        _take_off_ink(residual, surfaces, np.asarray(ink, np.float32), shore, config.ink)
    plain = free & open_

    def found(values: Field) -> list[LeftThing]:
        things = _found(values, plain, places, config.windows, config)
        return [*things, *_found(values, shore, places, config.shore, config)]

    things = found(residual)
    if any(not one.mark for one in things):
        outlined = surfaces if ink is None else np.where((away <= line / 2)[..., None], np.float32(ink), surfaces)
        known = np.clip(np.rint(outlined), 0, 255).astype(np.uint8)  # not a threshold: whole levels
        there = plain | shore
        values = np.asarray(times(residual, there.astype(np.float32)) / _MOST, np.float32)
        candidate_px = float(1 / close.scale.max())
        weaker = without_compression(values, there, known, ~on_ground, candidate_px, config.compressed)
        if weaker is not None:
            things = found(np.asarray(weaker * _MOST, np.float32))
    things += _rough(residual, plain, places, ground, config)
    for x, y, radius in strange:
        wide, side = 2 * radius / close.unit, 2 * radius
        things.append(LeftThing(x - radius, y - radius, side, side, wide * wide, False, True, wide, config.hinges.off))
    return tuple(things)


@dataclass(frozen=True, eq=False)
class _Places:
    """What lies where: the piece that is seen, the ground, what of it is near to pieces, how near, and the shades."""

    owner: Owners
    ground: Flags
    near: Flags
    away: Field
    unit: float
    shades: ShadeView | None = None


def _ground_of(surfaces: Field, on_ground: Flags, config: LeftConfig) -> Floats:
    """The colour of the ground."""
    at = np.flatnonzero(on_ground)
    colors = surfaces.reshape(-1, 3).take(at[:: max(1, at.size // config.fitted)], axis=0)
    return np.asarray(middle_of(colors) if len(colors) else np.full(3, 255.0))


def _found(
    residual: Field, part: Flags, places: _Places, windows: Sequence[LeftWindowConfig], config: LeftConfig
) -> list[LeftThing]:
    """What stands out of a part of a picture, in windows of several sizes."""
    things: list[LeftThing] = []
    at = np.flatnonzero(part)[:: config.sample]
    if not at.size:
        return things
    weight, left = part.astype(np.float32), part.copy()
    weighted = times(residual, weight)
    # No average is farther off than the farthest of what it is of.
    peak = float(farthest(weighted, _NOTHING).max())
    windows = [window for window in windows if window.visible < peak]
    owners = places.owner.ravel()[at]
    grounded, nearby = (one.ravel()[at] for one in (places.ground, places.near))
    for window in windows:
        size = _averaged(weighted, weight, window)
        told = size.ravel()[at]
        # What compression leaves beside edges lies beside pieces, and in them.
        beside = share_of(told[nearby], config.blocky) if nearby.any() else 0.0
        common = _usual(told[grounded], owners[grounded], config) if grounded.any() else 0.0
        for region, here, pieces in (
            (~places.ground, ~grounded, True),
            (places.near, nearby, False),
            (places.ground & ~places.near, grounded & ~nearby, False),
        ):
            if not here.any():
                continue
            usual = max(_usual(told[here], owners[here], config), 0.0 if pieces else common)
            if pieces:
                usual = max(usual, min(share_of(told[here], config.blocky), config.blocks * beside))
                if window.times * usual > window.visible:
                    # Light that varies slowly over pieces is no noise.
                    varying = _varying(weighted, weight, window, config).ravel()[at]
                    usual = min(usual, _usual(varying[here], owners[here], config))
            found = left & region & (size > max(window.visible, window.times * min(config.noisy, usual)))
            if found.any():
                shown = found.copy()
                things += _things(shown, size, places, window.area, config)
                # On a piece, what is too small for one window may be a part of what another one shows whole; on the
                # ground it may be a letter, which is not to be one with those beside it.
                found = shown if pieces else found
                left &= cv2.dilate(found.view(np.uint8), np.ones((3, 3), np.uint8)) == 0
    return things


def _varying(weighted: Field, weight: Field, window: LeftWindowConfig, config: LeftConfig) -> Field:
    """How far averages over windows are from those over windows that are some times as large."""
    means = []
    for times_as_large in (1, config.slowly):
        side = (times_as_large * window.wide, times_as_large * window.high)
        sums, count = (
            cv2.boxFilter(one, -1, side, normalize=False, borderType=cv2.BORDER_CONSTANT) for one in (weighted, weight)
        )
        means.append(times(np.asarray(sums, np.float32), np.asarray(1 / np.maximum(count, np.float32(1)), np.float32)))
    return farthest(means[0], means[1])


def _rough(residual: Field, part: Flags, places: _Places, ground: int, config: LeftConfig) -> list[LeftThing]:
    """Pieces whose colour varies much more from pixel to pixel than that of others and of the ground beside them."""
    pieces = (places.owner == number for number in range(ground))
    areas = [*(np.flatnonzero(part & own) for own in pieces if own.any()), np.flatnonzero(part & places.near)]
    told = [at.size >= config.fewest for at in areas]
    # Light that a plane does not follow varies slowly, and stripes from pixel to pixel.
    mask, side = part.astype(np.float32), (config.fine_px, config.fine_px)
    around = cv2.blur(times(residual, mask), side) / np.maximum(cv2.blur(mask, side), np.float32(_TINY))[..., None]
    fine = np.asarray(residual - around, np.float32)
    each = []
    for values, least in ((residual, config.rough), (fine, config.finely)):
        flat = values.reshape(-1, 3)
        sizes = [float(farthest(flat.take(at, axis=0), _NOTHING).mean()) if at.size else 0.0 for at in areas]
        usual = median_low([size for size, known in zip(sizes, told, strict=True) if known] or [0.0])
        each.append([size > max(least, config.rougher * usual) for size in sizes])
    things, unit = [], places.unit
    for at, size, known, *found in zip(areas[:-1], sizes[:-1], told[:-1], *(one[:-1] for one in each), strict=True):
        if not (known and any(found)):
            continue
        rows, columns = np.divmod(at, places.owner.shape[1])
        left, top = float(columns.min()), float(rows.min())
        width, height = float(columns.max()) + 1 - left, float(rows.max()) + 1 - top
        wide = min(width, height) / unit
        things.append(LeftThing(left, top, width, height, at.size / unit**2, False, True, wide, size))
    return things


def _usual(sizes: Field, owners: Owners, config: LeftConfig) -> float:
    """What most pixels of most pieces, or of the ground, stay below."""
    each = sorted(share_of(sizes[owners == number], config.quantile) for number in np.unique(owners))
    return each[(len(each) - 1) // 2]


def _take_off_shade(residual: Field, ground: Field, near: Flags, config: LeftConfig) -> None:
    """Takes off, in place, the shade that pieces cast on the ground near by."""
    at = np.flatnonzero(near)
    own, colors = (one.reshape(-1, 3).take(at, axis=0) for one in (residual, ground))
    share = -channel_sums(own * colors) / np.maximum(channel_sums(colors * colors), np.float32(1))
    shaded = np.where((share > 0) & (share <= config.shade), share, np.float32(0))
    residual.reshape(-1, 3)[at] = own + shaded[:, None] * colors


def _take_off_ink(residual: Field, surfaces: Field, ink: Field, shore: Flags, most: float) -> None:
    """Takes off, in place, what is a mixture with an outline's colour, or up to so many times as strong."""
    at = np.flatnonzero(shore)
    own, axis = residual.reshape(-1, 3).take(at, axis=0), ink - surfaces.reshape(-1, 3).take(at, axis=0)
    length = np.maximum(channel_sums(axis * axis), np.float32(1))
    share = np.minimum(np.maximum(channel_sums(own * axis) / length, np.float32(0)), np.float32(most))
    residual.reshape(-1, 3)[at] = own - share[:, None] * axis


def _surfaces(close: CloseView, owner: Owners, ground: int, free: Flags, config: LeftConfig) -> Field:
    """What each pixel would have if it had what its piece, or the ground, mostly has, evenly lit."""
    surfaces = close.pixels.copy()
    height, width = owner.shape
    flat = close.pixels.reshape(-1, 3)
    for number in range(ground + 1):
        own = owner == number
        at = np.flatnonzero(own & free)
        if at.size < config.fewest:
            continue
        some = at[:: max(1, at.size // config.fitted)]
        pixels = flat.take(some, axis=0)
        near = farthest(pixels, middle_of(pixels)) < config.near
        if near.sum() < config.fewest:
            continue
        known = _terms(some[near], (height, width), close.unit, curved=number == ground)
        slope = np.clip(_solved(known, np.asarray(pixels[near], np.float64))[1:], -config.slope, config.slope)
        middle = middle_of(np.asarray(pixels[near] - known[:, 1:] @ slope, np.float32))
        left, top, wide, high = cv2.boundingRect(own.view(np.uint8))
        box = (slice(top, top + high), slice(left, left + wide))
        cv2.copyTo(_light(middle, slope, box, (height, width), close.unit), own[box].view(np.uint8), surfaces[box])
    return surfaces


def _light(middle: Floats, slope: Floats, box: tuple[slice, slice], size: tuple[int, int], unit: float) -> Field:
    """An even light in a part of a picture: its colour in the middle of that, and what it changes, by `_terms`."""
    y, x = (
        ((np.arange(one.start, one.stop) - length / 2) / unit).astype(np.float32)
        for one, length in zip(box, size, strict=True)
    )
    planes = []
    # Channel by channel, since NumPy is slow over an axis of three.
    for level, by in zip(middle.astype(np.float32), slope.astype(np.float32).T, strict=True):
        across, down = x * by[0], (level + y * by[1])[:, None]
        if len(by) > 2:  # not a threshold: it is no plane
            plane = (across + x * x * by[2]) + (down + (y * y * by[4])[:, None])
            plane += (y * by[3])[:, None] * x
        else:
            plane = across + down
        planes.append(plane)
    return np.asarray(cv2.merge(planes), np.float32)


def _terms(at: NDArray[np.intp], size: tuple[int, int], unit: float, *, curved: bool) -> Floats:
    """Of what an even light is made at flat positions: of a piece a plane, of the ground with curves."""
    row, column = np.divmod(at, size[1])
    x, y = (column - size[1] / 2) / unit, (row - size[0] / 2) / unit
    return np.column_stack([np.ones_like(x), x, y, *((x * x, x * y, y * y) if curved else ())])


def _solved(terms: Floats, values: Floats) -> Floats:
    known = terms.T @ terms + 1e-9 * np.eye(terms.shape[1])
    return np.asarray(np.linalg.solve(known, terms.T @ values), np.float64)


def _averaged(weighted: Field, weight: Field, window: LeftWindowConfig) -> Field:
    """How far averages over windows of what counts are from nothing; 0 where less than half of one does."""
    side = (window.wide, window.high)
    sums = cv2.boxFilter(weighted, -1, side, normalize=False, borderType=cv2.BORDER_CONSTANT)
    count = cv2.boxFilter(weight, -1, side, normalize=False, borderType=cv2.BORDER_CONSTANT)
    off = farthest(np.asarray(sums, np.float32), _NOTHING) / np.maximum(count, np.float32(1))
    return np.where(count >= window.wide * window.high / 2, off, np.float32(0))  # not a threshold: half of it


def _things(found: Flags, size: Field, places: _Places, least: float, config: LeftConfig) -> list[LeftThing]:
    """What of some pixels hangs together and is large enough; what is not is taken off them, in place."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(found.view(np.uint8))
    things, unit = [], places.unit
    for number in range(1, count):
        left, top, width, height, pixels = (int(value) for value in stats[number])
        part = labels[top : top + height, left : left + width] == number
        if pixels < least * unit * unit:
            found[top : top + height, left : left + width] &= ~part
            continue
        nearest = float(places.away[top : top + height, left : left + width][part].min())
        on_piece = nearest == 0.0
        if places.shades is not None and places.shades.is_shade(part, (left, top), on_piece=on_piece):
            continue
        depth = cv2.distanceTransform(np.pad(part, 1).astype(np.uint8), cv2.DIST_L2, 3)
        wide, extent = (2 * float(depth.max()) - 1) / unit, max(width, height) / unit
        beside = not on_piece and nearest > config.touch * unit
        mark = beside and wide <= config.mark_wide and extent <= config.mark_extent
        strength = float(size[top : top + height, left : left + width][part].max())
        things.append(
            LeftThing(
                float(left), float(top), float(width), float(height), pixels / unit**2, mark, on_piece, wide, strength
            )
        )
    return things
