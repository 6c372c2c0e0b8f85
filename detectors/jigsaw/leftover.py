"""What quarters show that their pieces do not explain: what differs, structure that is gone, other pieces in them.

All of it is told beside what the whole picture went through, and beside the noise that it has everywhere: what differs
is summed at several scales, and structure is compared in windows and along cuts, so that what no single pixel tells is
told by many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.jigsaw.comparing import grey_of, smoothed, strongest
from detectors.jigsaw.config import AssemblyConfig, Flags, Floats, LeftoverConfig
from detectors.jigsaw.pieces import LaidPiece
from detectors.jigsaw.placing import Placed

Sums = NDArray[np.float32] | NDArray[np.float64]
Part = tuple[slice, slice]
_SIDES = 4  # not a threshold: of a piece


@dataclass(frozen=True, eq=False)
class _Quarter:
    """What is shown, what was expected, and where both can be compared."""

    shown: Floats
    expected: Floats
    there: Flags


def altered_maps(
    found: Sequence[Placed], wanted: Sequence[Floats], laid: Sequence[LaidPiece], config: AssemblyConfig
) -> list[Flags]:
    """Of each quarter which pixels its piece, as it was given, does not explain.

    Parameters
    ----------
    found : sequence of Placed
        Of all quarters.
    wanted : sequence of (h, w, 3) float32
        What each would show.
    laid : sequence of LaidPiece
        All pieces in all ways.
    config : AssemblyConfig
    """
    own = config.leftover
    quarters = [
        _Quarter(one.aligned.astype(np.float32), want, _compared(one, want, own))
        for one, want in zip(found, wanted, strict=True)
    ]
    # Of what is like no piece nothing is told of the noise of all.
    told = [one.best.likeness >= config.expecting.alike for one in found]
    altered = _different(quarters, found, told, own)
    for flags, lost in zip(altered, _lost(quarters, found[0].enlarged, told, own), strict=True):
        flags |= lost
    others = [_structure(grey_of(one.coarse), own) for one in laid]
    for flags, quarter, one in zip(altered, quarters, found, strict=True):
        ways = [shown for other, shown in zip(laid, others, strict=True) if other is not one.best.laid]
        if _ghost(quarter, ways, own) > own.most_ghost:
            flags[:] = True
    return altered


def _compared(one: Placed, wanted: Floats, config: LeftoverConfig) -> Flags:
    """Which pixels are compared: those that are shown, without what resizing makes of cuts, and lines along them.

    A line has one colour, and runs along most of a cut. What covers a part of it only, as a disc where pieces meet, or
    has the picture in it, as cuts that were melted, is none.
    """
    reach = np.ones((2 * config.beside_px + 1,) * 2, np.uint8)
    compared = np.asarray(cv2.erode(one.there.astype(np.uint8), reach) > 0, np.bool_)
    longest = max(compared.shape)
    least, most = max(2, round(config.least_seam * longest)), round(config.most_seam * longest)  # not a threshold: px
    soft = smoothed(one.aligned, 1)
    differing = strongest(np.abs(soft - smoothed(wanted, 1))) > config.seam_level
    for side in range(_SIDES):
        differs, shown, there, kept = (np.rot90(each, side) for each in (differing, soft, one.there, compared))
        wide = 0
        for depth in range(most):
            within = there[depth]
            if not within.any():
                continue
            plain = float(shown[depth][within].std(axis=0).max()) <= config.seam_spread
            if not plain or float(differs[depth][within].mean()) <= config.seam_share:
                break
            wide = depth + 1
        kept[: wide + least] = False
    return compared


def _different(
    quarters: Sequence[_Quarter], found: Sequence[Placed], told: Sequence[bool], config: LeftoverConfig
) -> list[Flags]:
    """Where, at some scale, more is left than noise and edges that lie a little aside explain."""
    altered = [np.zeros(one.there.shape, np.bool_) for one in quarters]
    left = [np.where(one.there[..., None], _off(one, config), 0).astype(np.float32) for one in quarters]
    textures = [_change(smoothed(one.expected, config.scales_px[0]), config.edge_px) for one in quarters]
    for scale, visible in zip(config.scales_px, config.visible, strict=True):
        # What is wide is told as well on fewer pixels.
        step = max(1, round(scale / 2))
        sums = [strongest(np.abs(smoothed(_reduced(one, step), scale / step))) for one in left]
        there = [_reduced(one.there.astype(np.float32), step) > 0 for one in quarters]
        noise = _usual([_middle(*one) for one in zip(sums, there, strict=True)], told)
        for flags, one, quarter, texture, place in zip(altered, sums, quarters, textures, found, strict=True):
            soft = smoothed(_reduced(quarter.expected, step), scale / step)
            change = _change(soft, max(config.edge_px, round(scale)) // step)
            fine = config.texture_share * smoothed(_reduced(texture, step), scale / step)
            explained = visible + config.edge_share * np.maximum(change, fine)
            beyond = (one > place.enlarged * explained + config.noise_times * noise).astype(np.uint8)
            size = (quarter.there.shape[1], quarter.there.shape[0])
            flags |= quarter.there & (cv2.resize(beyond, size, interpolation=cv2.INTER_NEAREST) > 0)
    return altered


def _off(one: _Quarter, config: LeftoverConfig) -> Floats:
    """By how much more is shown than was expected; nothing where levels end, and it was expected near there."""
    dark = np.maximum(one.shown - config.clipped, one.expected - config.near_clipped) <= 0
    light = np.minimum(one.shown + config.clipped, one.expected + config.near_clipped) >= np.iinfo(np.uint8).max
    return np.where(dark | light, np.float32(0), one.shown - one.expected)


def _change(picture: Floats, reach: int) -> Floats:
    """By how much levels change within so many pixels."""
    kernel = np.ones((2 * reach + 1,) * 2, np.uint8)
    return strongest(cv2.dilate(picture, kernel) - cv2.erode(picture, kernel))


def _reduced(picture: Floats, step: int) -> Floats:
    """A picture with so many times fewer rows and columns."""
    size = (max(1, picture.shape[1] // step), max(1, picture.shape[0] // step))
    return picture if step == 1 else np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)


def _lost(quarters: Sequence[_Quarter], enlarged: float, told: Sequence[bool], config: LeftoverConfig) -> list[Flags]:
    """Windows, whole pieces, and strips along cuts, in which structure that the picture has elsewhere is gone.

    What is finer than the pixels of a candidate that was enlarged is not told.
    """
    altered = [np.zeros(one.there.shape, np.bool_) for one in quarters]
    pools = [*_strips(quarters[0].there.shape, config), *(((at, np.s_[:, :]),) for at in range(len(quarters)))]
    for fine, coarse in pairwise(config.structure_px):
        bands = [_band(one, enlarged * fine, enlarged * coarse) for one in quarters]
        noise = _usual([one.noise for one in bands], told)
        for flags, band in zip(altered, bands, strict=True):
            flags |= _windows(band, noise, config)
            if band.noise > config.grain_times * noise + config.least_grain:
                flags[:] = True
        for pool in pools:
            sums = [[float(bands[at].sums[which][part].sum()) for which in range(3)] for at, part in pool]
            product, power, count = (np.array(sum(one)) for one in zip(*sums, strict=True))
            whole = len(pool) == 1
            least, level = (config.piece_loss, config.piece_level) if whole else (config.least_loss, config.strip_level)
            if _gone(product, power, count, noise * config.sure, least, level, both=whole, nothing=config.least_power):
                for (at, part), (own, own_power, _) in zip(pool, sums, strict=True):
                    # Of a strip the side that has lost its part.
                    if whole or own <= (1 - config.least_loss / 2) * own_power:
                        altered[at][part] |= quarters[at].there[part]
    return altered


@dataclass(frozen=True, eq=False)
class _Band:
    """Structure of one size: its product with what was expected, the power of that, and where both are; its noise."""

    sums: tuple[Floats, Floats, Floats]
    noise: float


def _band(one: _Quarter, fine: float, coarse: float) -> _Band:
    want = grey_of(one.expected)
    # What is not compared must not reach into what is.
    grey = np.where(one.there, grey_of(one.shown), want).astype(np.float32)
    shown, wanted = (smoothed(flat, fine) - smoothed(flat, coarse) for flat in (grey, want))
    there = one.there.astype(np.float32)
    off = _middle(np.abs(shown - wanted), one.there)
    return _Band((shown * wanted * there, wanted * wanted * there, there), off)


def _windows(band: _Band, noise: float, config: LeftoverConfig) -> Flags:
    """Which pixels lie in windows without their structure."""
    height, width = band.sums[0].shape
    side = max(1, round(config.window * max(height, width)))
    size = (side, side)
    product, power, count = (
        np.asarray(cv2.boxFilter(one, -1, size, normalize=False, borderType=cv2.BORDER_CONSTANT), np.float32)
        for one in band.sums
    )
    doubt, least = noise * config.sure, config.least_loss
    level, nothing = config.window_level, config.least_power
    gone = _gone(product, power, count, doubt, least, level, both=False, nothing=nothing)
    gone &= count >= config.least_window * side * side
    return np.asarray(cv2.dilate(gone.astype(np.uint8), np.ones(size, np.uint8)) > 0, np.bool_)


def _strips(size: tuple[int, ...], config: LeftoverConfig) -> list[tuple[tuple[int, Part], ...]]:
    """What lies along each half of a cut, on both sides of it, in several widths: quarters with rows and columns."""
    height, width = size
    every = slice(None)
    found: list[tuple[tuple[int, Part], ...]] = []
    for share in config.strips:
        wide = max(1, round(share * max(size)))
        before, after = slice(height - wide, height), slice(0, wide)
        found += [((0, (before, every)), (2, (after, every))), ((1, (before, every)), (3, (after, every)))]
        before = slice(width - wide, width)
        found += [((0, (every, before)), (1, (every, after))), ((2, (every, before)), (3, (every, after)))]
    return found


def _gone(
    product: Sums, power: Sums, count: Sums, doubt: float, least: float, level: float, *, both: bool, nothing: float
) -> Flags:
    """Whether so much of the structure is gone (or, with ``both``, was added), beyond doubt, that it is seen."""
    power = np.maximum(power, nothing)
    loss = np.abs(1 - product / power) if both else 1 - product / power
    seen = loss * np.sqrt(power / np.maximum(count, 1)) >= level
    return np.asarray((loss >= least) & (loss >= doubt / np.sqrt(power)) & seen, np.bool_)


def _ghost(quarter: _Quarter, others: Sequence[Floats], config: LeftoverConfig) -> float:
    """The largest share of another piece, or of its own in another way, that shines through a quarter."""
    size = (others[0].shape[1], others[0].shape[0])
    left = grey_of(quarter.shown - quarter.expected) * quarter.there.astype(np.float32)
    left = _structure(np.asarray(cv2.resize(left, size, interpolation=cv2.INTER_AREA), np.float32), config)
    return max(float((one * left).sum()) / max(float((one**2).sum()), config.least_power) for one in others)


def _structure(grey: Floats, config: LeftoverConfig) -> Floats:
    return np.asarray(grey - smoothed(grey, config.ghost_px), np.float32)


def _middle(values: Floats, there: Flags) -> float:
    """The median of what is there."""
    return float(np.median(values[there])) if there.any() else 0.0


def _usual(values: Sequence[float], told: Sequence[bool]) -> float:
    """Of the quarters that tell, the second lowest: what the picture has where at most two of them are spoilt."""
    kept = sorted(value for value, tells in zip(values, told, strict=True) if tells or not any(told))
    return kept[min(1, len(kept) - 1)]
