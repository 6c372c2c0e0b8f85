"""Looks at each queen: is she one whole disc, what lies on her, and what close around her."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.edges import distrust, rings
from detectors.common.residual.energy import EnergyConfig, energies
from detectors.common.residual.mixing import channel_sums, lengths
from detectors.queens.remainder.config import BoardRemainderConfig, QueenCompanionConfig, QueenOutlineConfig
from detectors.queens.remainder.field import BoardResidual
from detectors.queens.remainder.plan import CloseBoard
from detectors.queens.remainder.rays import Disc, Rays, companions, outlines, rays_from

_WHOLE = 0.99  # not a threshold: all four pixels around a place
_CORE = 0.6  # not a threshold: share of the radius within which a queen's own lightness is told


@dataclass(frozen=True)
class QueensLeft:
    """What is odd about queens, by position.

    Attributes
    ----------
    not_one : queens whose outline is not that of one whole disc
    marked : queens on which something lies
    black : lightness of the middle queen, and that of her cell
    companions : whether they have a rim, a shadow or a glow
    beside : (h, w) bool, pixels in which that shows
    covers : (h, w) bool, and those in which it hides a line
    """

    not_one: tuple[int, ...]
    marked: tuple[int, ...]
    black: tuple[float, float]
    companions: bool
    beside: NDArray[np.bool_]
    covers: NDArray[np.bool_]


def disc_distance(discs: tuple[Disc, ...], shape: tuple[int, int], reach: float) -> NDArray[np.float32]:
    """(h, w), the distance of each pixel to the nearest queen's middle, in her radii, as far as a reach."""
    found = np.full(shape, 2.0 * reach, np.float32)
    for x, y, radius in discs:
        rows, columns = _window(x, y, reach * radius, shape)
        down = (np.arange(rows.start, rows.stop) - y)[:, None]
        right = (np.arange(columns.start, columns.stop) - x)[None, :]
        found[rows, columns] = np.minimum(found[rows, columns], np.hypot(down, right) / radius)
    return found


def look_at_queens(
    residual: BoardResidual,
    discs: tuple[Disc, ...],
    plan: CloseBoard,
    config: BoardRemainderConfig,
    *,
    candidate_px: float,
) -> QueensLeft:
    """Looks at queens, and takes off the residual, in place, what lies close around all of them alike.

    Parameters
    ----------
    residual : BoardResidual
    discs : tuple of Disc
        The queens.
    plan : CloseBoard
    config : BoardRemainderConfig
    candidate_px : float
        How many pixels of the candidate's own come on one of the frame's, along a side.
    """
    shape = residual.usable.shape
    if not discs:
        return QueensLeft((), (), (0.0, 1.0), False, *np.zeros((2, *shape), np.bool_))
    outline = config.outlines
    clear = (plan.line_distance > config.mixing.reach_px).astype(np.float32)
    lightness = residual.lab[..., 0]
    ends = np.array([[residual.base[_at(disc, shape)][0], _own(lightness, disc)] for disc in discs], np.float32)
    span = np.maximum(ends[:, 0] - ends[:, 1], 0.05)[:, None, None]  # not a threshold: against a division by 0
    hues = np.array([np.hypot(*residual.base[_at(disc, shape)][1:]) for disc in discs])
    smooth = np.asarray(cv2.blur(residual.lab, (3, 3)), np.float32)  # not a threshold: a pixel's neighbours
    # Once more from where their outlines have their middles: a highlight moves that of what is dark.
    for _ in range(2):
        rays = rays_from(discs, config.companions)
        known = rays.sample(clear) > _WHOLE
        darkness = 1.0 - (rays.sample(lightness) - ends[:, 1, None, None]) / span
        hue = np.minimum(*(np.hypot(one[..., 1], one[..., 2]) for one in map(rays.sample, (residual.lab, smooth))))
        hue /= np.maximum(hues, 1e-6)[:, None, None]  # not a threshold: against a division by 0
        # In a noisy picture what most queens have at a place tells it better than one of them does.
        lit = np.median(hue, axis=0) < outline.grey
        grey = (hue < outline.grey) | (lit & (hue < outline.less_grey))
        found = outlines(darkness.astype(np.float32), grey, known, rays, outline)
        discs = found.discs
    discs = rays.discs
    radii = np.array([radius for *_, radius in discs])
    # Paint of opacity a leaves her so much of the way from her cell's lightness to that of the paint.
    opaque = ends[:, 0] - np.median(ends[:, 1])
    # In a cell that is as dark as queens nothing is told.
    faded = (opaque > 0.05) & (ends[:, 0] - ends[:, 1] < outline.faded * opaque)  # not a threshold: as in `span`
    not_one = (
        faded
        | (found.uneven > np.maximum(outline.uneven, outline.uneven_px / radii))
        | (found.oval > np.maximum(outline.oval, 0.5 * outline.uneven_px / radii))
    )
    # A blurred queen grows lighter towards her outline, all around alike.
    rising = np.minimum.accumulate(np.median(1.0 - darkness, axis=1)[:, ::-1], axis=1)[:, ::-1] * span[..., 0]
    marked = _marked(residual, discs, rays, outline.core * found.edges, ends, rising, outline)
    over = _drawn_over(residual.lab, discs, rays, outline.core * found.edges, config.energy, candidate_px)
    marked = sorted({*marked, *over, *_unlike(darkness, outline.core * found.edges, rays, outline)})
    known &= rays.sample(residual.usable.astype(np.float32)) > _WHOLE
    # What the puzzle's lines leave along rays tells nothing of companions.
    base = np.array([residual.base[_at(disc, shape)] for disc in discs], np.float32)
    around, share = companions(rays.sample(residual.values), base, known, found.edges, rays, config.companions)
    beside, covers = np.zeros((2, *shape), np.bool_)
    for queen, disc in enumerate(discs):
        _take_off_companion(residual, disc, found.edges[queen], around[:, queen], rays, beside, plan, config)
        covers |= _covered(disc, share, rays, shape, config.companions)
    return QueensLeft(
        tuple(int(one) for one in np.flatnonzero(not_one)),
        tuple(marked),
        (float(np.median(ends[:, 1])), float(np.median(ends[:, 0]))),
        bool((np.abs(around) > config.companions.visible).any()),
        beside,
        covers & beside,
    )


def _covered(
    disc: Disc, share: NDArray[np.float32], rays: Rays, shape: tuple[int, int], config: QueenCompanionConfig
) -> NDArray[np.bool_]:
    """(h, w), where what lies around a queen takes so much, (A, K), of a cell that no line shows through."""
    found = np.zeros(shape, np.bool_)
    window = _window(disc[0], disc[1], config.reach * disc[2], shape)
    turns, shares = _polar(window, disc)
    found[window] = (shares < config.reach) & (share[_turn(turns, rays), _place(shares, rays)] > config.opaque)
    return found


def _window(x: float, y: float, reach: float, shape: tuple[int, int]) -> tuple[slice, slice]:
    return (
        slice(max(0, math.floor(y - reach)), max(0, min(shape[0], math.ceil(y + reach) + 1))),
        slice(max(0, math.floor(x - reach)), max(0, min(shape[1], math.ceil(x + reach) + 1))),
    )


def _at(disc: Disc, shape: tuple[int, int]) -> tuple[int, int]:
    return min(max(round(disc[1]), 0), shape[0] - 1), min(max(round(disc[0]), 0), shape[1] - 1)


def _own(lightness: NDArray[np.float32], disc: Disc) -> float:
    """How light a queen is: that of the darker half of her inside."""
    x, y, radius = disc
    rows, columns = _window(x, y, _CORE * radius, (lightness.shape[0], lightness.shape[1]))
    # not a threshold: the middle of the darker half
    return float(np.quantile(lightness[rows, columns], 0.25)) if lightness[rows, columns].size else 0.0


def _marked(
    residual: BoardResidual,
    discs: tuple[Disc, ...],
    rays: Rays,
    core: NDArray[np.float64],
    ends: NDArray[np.float32],
    rising: NDArray[np.float32],
    config: QueenOutlineConfig,
) -> list[int]:
    """Queens on which something lies that is no highlight.

    Her inside is what lies within `core` (Q, A), in radii; she grows lighter outwards by `rising` (Q, K).
    """
    shape = residual.usable.shape
    hues, thin, light = np.zeros(len(discs)), np.zeros(len(discs)), np.zeros(len(discs))
    for queen, (x, y, radius) in enumerate(discs):
        rows, columns = _window(x, y, radius * float(core[queen].max()), shape)
        patch = residual.lab[rows, columns]
        if not patch.size:
            continue
        turns, shares = _polar((rows, columns), discs[queen])
        inside = shares < core[queen][_turn(turns, rays)]
        count = int(np.count_nonzero(inside))
        if count < config.least_px:
            continue
        weight = inside.astype(np.float32)
        side = max(3, round(config.window * radius)) | 1
        known = np.maximum(cv2.boxFilter(weight, -1, (side, side), normalize=False), 1.0)
        off = (patch - np.median(patch[inside], axis=0).astype(np.float32)) * weight[..., None]
        colors = cv2.boxFilter(off, -1, (side, side), normalize=False) / known[..., None]
        colors[..., 0] = 0.0
        hues[queen] = float(lengths(np.asarray(colors, np.float32))[inside].max())
        smooth = cv2.blur(patch[..., 0], (3, 3))  # not a threshold: a pixel's neighbours
        own = ends[queen, 1] + np.maximum(rising[queen], 0.0)[_place(shares, rays)]
        lit = np.where(inside, smooth - own, np.float32(0.0))
        thin[queen] = _longest_stroke(lit > max(config.light, 0.5 * float(lit.max())), config.gloss) / radius
        bright = inside & (smooth > 0.5 * (ends[queen, 0] + ends[queen, 1]))
        light[queen] = float(np.count_nonzero(bright)) / count
    # What all have alike, the compression of a file makes; but no more than so much of it.
    usual = min(float(np.median(hues)), config.colorful)
    odd = (hues > max(config.colorful, 2.0 * usual)) | (light > config.most_gloss) | (thin > config.thin)
    return [int(queen) for queen in np.flatnonzero(odd)]


def _drawn_over(
    lab: NDArray[np.float32],
    discs: tuple[Disc, ...],
    rays: Rays,
    core: NDArray[np.float64],
    config: EnergyConfig,
    candidate_px: float,
) -> list[int]:
    """Queens whose inside differs from the middle one's, place by place, with more energy than that of others does."""
    seen = rays.sample(lab)
    usual = np.asarray(np.median(seen, axis=0), np.float32)
    # One that is lighter or darker, or more blurred into her cell, all around alike, has nothing on her.
    around = np.asarray(np.median(seen - usual, axis=1), np.float32)
    off = np.zeros_like(lab)
    windows = [_window(x, y, radius, (lab.shape[0], lab.shape[1])) for x, y, radius in discs]
    for queen, window in enumerate(windows):
        turns, shares = _polar(window, discs[queen])
        turn = _turn(turns, rays)
        inside = shares < core[queen][turn]
        place = _place(shares, rays)
        known = np.asarray(usual[turn, place], np.float32)
        patch = lab[window] - known - around[queen, place]
        # The edge of a highlight that all have lies a pixel aside on some.
        pixels = np.ones((3, 3), np.uint8)
        edge = cv2.dilate(known, pixels) - cv2.erode(known, pixels)
        patch = np.sign(patch) * np.maximum(np.abs(patch) - edge, np.float32(0.0))
        off[window] = np.where(inside[..., None], patch, off[window])
    each = energies(off, candidate_px, config)
    power = np.array([float(each[window].sum(dtype=np.float64)) for window in windows])
    area = np.array([math.pi * radius**2 for *_, radius in discs])
    return [int(queen) for queen in np.flatnonzero(config.plainness(power, area, area > 0.0) >= 1.0)]


def _unlike(
    darkness: NDArray[np.floating], core: NDArray[np.float64], rays: Rays, config: QueenOutlineConfig
) -> list[int]:
    """Queens whose inside is not as light at each place, (Q, A, K), as that of the others there.

    A highlight lies at the same place on all of them: they are lit, or drawn, alike. One that has faded in most of her
    inside is told by what is left of her.
    """
    if len(darkness) < config.fewest_alike:
        return []
    inside = rays.shares[None, None, :] < core[..., None]
    darkest = [
        np.quantile(one[own], config.darkest) if own.any() else 1.0 for one, own in zip(darkness, inside, strict=True)
    ]
    darkness = darkness / np.maximum(darkest, 1.0)[:, None, None]
    off = np.abs(darkness - np.median(darkness, axis=0))
    # Places farther from the middle stand for more of the disc.
    area = np.where(inside, rays.shares, 0.0)
    odd = (area * (off > config.unlike)).sum(axis=(1, 2)) / np.maximum(area.sum(axis=(1, 2)), 1e-9)
    return [int(queen) for queen in np.flatnonzero(odd > config.most_unlike)]


def _longest_stroke(lit: NDArray[np.bool_], least: float) -> float:
    """The length of the longest piece that fills less than a share of the circle around it."""
    outlines, _ = cv2.findContours(lit.view(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    longest = 0.0
    for outline in outlines:
        _, radius = cv2.minEnclosingCircle(outline)
        piece = cv2.drawContours(np.zeros(lit.shape, np.uint8), [outline], -1, 1, cv2.FILLED) > 0
        # not a threshold: pixels are squares, whose middles the circle encloses
        if np.count_nonzero(lit & piece) < least * np.pi * (radius + 0.5) ** 2:
            longest = max(longest, 2.0 * radius)
    return longest


def _turn(turns: NDArray[np.float64], rays: Rays) -> NDArray[np.intp]:
    """The ray nearest to each direction."""
    return np.asarray(np.rint(turns / (2.0 * math.pi) * len(rays.turns)).astype(np.intp) % len(rays.turns))


def _place(shares: NDArray[np.float64], rays: Rays) -> NDArray[np.intp]:
    """The rays' place nearest to each distance in radii."""
    step = rays.shares[1] - rays.shares[0]
    return np.asarray(np.clip(np.rint(shares / step - 0.5).astype(np.intp), 0, len(rays.shares) - 1))


def _polar(window: tuple[slice, slice], disc: Disc) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The direction, 0 to 2 pi, and the distance in radii, of each pixel of a window from a queen's middle."""
    rows, columns = window
    down = (np.arange(rows.start, rows.stop) - disc[1])[:, None]
    right = (np.arange(columns.start, columns.stop) - disc[0])[None, :]
    return np.arctan2(down, right) % (2.0 * math.pi), np.hypot(down, right) / disc[2]


def _take_off_companion(
    residual: BoardResidual,
    disc: Disc,
    edges: NDArray[np.float64],
    around: NDArray[np.float32],
    rays: Rays,
    beside: NDArray[np.bool_],
    plan: CloseBoard,
    config: BoardRemainderConfig,
) -> None:
    """Takes off what one queen has of the companion that all have: lightness up to its own, and colour of the cell."""
    x, y, radius = disc
    limits: QueenCompanionConfig = config.companions
    rows, columns = window = _window(x, y, limits.reach * radius, residual.usable.shape)
    turns, shares = _polar(window, disc)
    turn, place = _turn(turns, rays), _place(shares, rays)
    near = shares < limits.reach
    outline = shares < edges[turn] + config.mixing.rim_px / radius
    # Displaced by a ray, or by half a pixel more, it is the same.
    low, high = np.concatenate([around[:, -1:], around, around[:, :1]], axis=1)
    size = np.ones((3, 3), np.uint8)  # not a threshold: a place's neighbours
    most = cv2.dilate(high, size)[1:-1][turn, place] * limits.beyond
    least = cv2.erode(low, size)[1:-1][turn, place] * limits.beyond
    shown = near & (np.maximum(np.abs(most), np.abs(least)) > limits.visible)
    beside[rows, columns] |= shown
    base = residual.base[rows, columns]
    smeared = near & ((shares - edges[turn]) * radius < config.mixing.smear_px / plan.board.factor)
    most_hue = np.where(shown, config.mixing.beyond, np.where(smeared, config.mixing.smear, 0.0))

    def without(values: NDArray[np.float32]) -> NDArray[np.float32]:
        light = values[..., 0] - np.clip(values[..., 0], np.minimum(least, 0.0), np.maximum(most, 0.0))
        away = -base[..., 1:]
        squared = np.maximum((away**2).sum(axis=2), 1e-6)  # not a threshold: against a division by 0
        share = np.clip((values[..., 1:] * away).sum(axis=2) / squared, 0.0, most_hue)
        hue = values[..., 1:] - share[..., None] * away
        return np.concatenate([np.where(shown, light, values[..., 0])[..., None], hue], axis=2).astype(np.float32)

    values = residual.values[rows, columns]
    taken = without(values)
    # Near a line, what is the companion's may have been taken for the line's.
    own = config.mixing.on_lines * without(residual.lab[rows, columns] - base)
    lined = shown & (plan.line_distance[rows, columns] < len(plan.rings))
    better = lined & (channel_sums(own**2) < channel_sums(taken**2))
    values[...] = np.where(better[..., None], own, taken)
    values[outline & near] = 0.0
    usable = residual.usable[rows, columns]
    values[~usable] = 0.0
    usable[outline & near] = False


def settle_outlines(
    residual: BoardResidual, discs: tuple[Disc, ...], distance: NDArray[np.float32], config: BoardRemainderConfig
) -> None:
    """Lowers, in place, what is left just outside of queens where that is so nearly everywhere."""
    if not discs:
        return
    mixing = config.mixing
    radius = float(np.median([one for *_, one in discs]))
    near = rings(np.asarray((distance - 1.0) * radius, np.float32), mixing.edge_px + 2)
    distrust(residual.values, residual.usable, near, config.companions.quantile, mixing.edge_visible)
