"""Shades that all holes of a sheet have in common: of the paper's thickness, of light from one side, of a glow.

Such a companion is the same at every hole, and along each ring about a hole it is strongest on one side alone, if on
any. Deep within a hole it has no edge; around one it fades, is weaker than the hole, and as grey as light is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_sums
from detectors.paper_fold.closer.config import HoleShadeConfig, HoleShapeConfig
from detectors.paper_fold.closer.rays import Floats, HoleRays, Values

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class ShadesLooked:
    """How shades are looked for, and whether rims are told by steep edges beside them, not by contrast."""

    config: HoleShadeConfig
    by_edges: bool


def steepest_edges(
    off: Values, allowed: Flags, steps: Floats, noise: Floats, config: HoleShadeConfig
) -> tuple[Floats, Flags]:
    """Where along each ray the outermost steep edge is, (n, rays), and whether there is one.

    Parameters
    ----------
    off : ndarray of shape (n, k, rays, 3)
        Colours along rays.
    allowed : ndarray of shape (n, k, rays), bool
        Where an edge may be.
    steps : ndarray of shape (k,)
        How far out each is, evenly.
    noise : ndarray of shape (n,)
        Of contrasts.
    config : HoleShadeConfig
    """
    span = config.span
    change = np.zeros(off.shape[:3], np.float32)
    change[:, span:-span] = _lengths(off[:, 2 * span :] - off[:, : -2 * span])
    change[~allowed] = 0.0
    least = np.maximum(config.steep * change.max(axis=1), (config.noise * noise)[:, None])
    peak = np.zeros(change.shape, np.bool_)
    inner = change[:, 1:-1]
    peak[:, 1:-1] = (inner >= change[:, :-2]) & (inner > change[:, 2:]) & (inner >= least[:, None])
    number = len(steps)
    at = np.clip(number - 1 - peak[:, ::-1].argmax(axis=1), 1, number - 2)
    before, here, after = (np.take_along_axis(change, (at + by)[:, None], axis=1)[:, 0] for by in (-1, 0, 1))
    # The top of a parabola through three changes. Not a threshold: against a division by 0.
    bend = np.minimum(before + after - 2 * here, np.float32(-1e-9))
    aside = np.clip((before - after) / (2 * bend), -0.5, 0.5)
    return steps[at] + aside * float(steps[1] - steps[0]), np.asarray(peak.any(axis=1), np.bool_)


def alien_to_shade(
    rays: HoleRays, papers: Values, shape: Floats, told: Flags, plain: Floats, visible: Floats,
    config: HoleShapeConfig, shade: HoleShadeConfig,
) -> Floats:  # fmt: skip
    """The share of each hole's area whose colours are not those of the shade that all have in common, (n,).

    All of it where there is no such shade. Parameters are those of `measure_holes`, of n holes: what is seen along
    their rays, the paper's colours, (n, 3), their rims by rays, (n, rays), which of them are told, how plain rims are,
    and from which contrast a colour is another one.
    """
    count = max(2, round(float(np.median(rays.radius)) / config.step_px))
    shares = np.arange(count) / count
    reach = 1 - config.rim_px / rays.radius
    depths = (shares[:, None] * (reach[:, None] * shape)[:, None]).astype(np.float32)
    values, hidden = rays.look(depths)
    off, seen = np.asarray(values - papers[:, None, None], np.float32), ~hidden & told[:, None]
    deep = shares <= 1 - config.deep
    own = np.median(_lengths(np.median(off, axis=2))[:, deep], axis=1)
    near, there = (np.maximum(visible, config.foreign * one) for one in (np.minimum(own, plain), plain))
    least = np.where(deep, near[:, None], there[:, None])
    least_in_common = np.median(least, axis=0).astype(np.float32)
    usual = shade_within(off, seen, shares, least_in_common, float(np.median(plain)), shade)
    if usual is None:
        return np.ones(len(shape))
    away = away_from(off, usual, shade.aside)
    foreign = (away > least[..., None]) & seen
    weight = np.minimum(away / np.maximum(plain, visible)[:, None, None], 1.0) * depths
    # not a threshold: against nothing
    whole = np.maximum((depths * seen).sum(axis=(1, 2)), 1.0)
    return np.asarray((weight * foreign).sum(axis=(1, 2)) / whole, np.float64)


def area_beside_shade(
    rays: HoleRays, papers: Values, shape: Floats, plain: Floats, level: Floats,
    config: HoleShapeConfig, shade: HoleShadeConfig,
) -> Floats:  # fmt: skip
    """The area around each hole that is drawn on, beside the shade that all have in common, (n,), in pixels.

    Infinite where there is no such shade. Parameters are those of `alien_to_shade`; from ``level`` on something is
    drawn.
    """
    first = (1 + config.clear) * shape + config.clear_px
    step = (config.reach * rays.radius[:, None] - first) / shade.rings
    rings = np.arange(shade.rings) + 0.5  # not a threshold: the middle of a ring
    depths = (first[:, None] + rings[:, None] * step[:, None]).astype(np.float32)
    values, hidden = rays.look(depths)
    off = np.asarray(values - papers[:, None, None], np.float32)
    usual = shade_around(off, ~hidden, float(np.median(plain)), float(np.median(level)), shade)
    if usual is None:
        return np.full(len(shape), np.inf)
    strong = (away_from(off, usual, 1) > level[:, None, None]) & ~hidden
    return np.asarray((depths * strong * step[:, None]).sum(axis=(1, 2)) * 2 * math.pi / config.rays, np.float64)


def shade_within(
    off: Values, told: Flags, shares: Floats, least: Values, plain: float, config: HoleShadeConfig
) -> Values | None:
    """The colours that holes have within in common, less the paper's, (k, rays, 3); None where that is no shade.

    Parameters
    ----------
    off : ndarray of shape (n, k, rays, 3)
        Colours along rays, less the paper's.
    told : ndarray of shape (n, k, rays), bool
        Where they are in sight.
    shares : ndarray of shape (k,)
        How far out each ring is, as a share of the rim.
    least : ndarray of shape (k,)
        The contrast from which a colour is another one.
    plain : float
        The contrast of holes.
    config : HoleShadeConfig
    """
    usual = _usual(off, told)
    core = shares <= config.core * _rim_begins(usual, shares, least, config)
    bare = _lengths(usual) <= min(config.paper, config.paper_share * plain)
    # A ring goes around paper; of a hole that is cut out, what is painted over has the paper's colour.
    is_cut = float(bare[core].mean()) < config.hollow
    if is_cut and float((bare.mean(axis=1) * shares).sum() / shares.sum()) > config.bare:
        return None
    if not _is_one_sided(usual, least):
        return None
    x, y = (
        (shares[core, None] * turn(np.arange(usual.shape[1]) * (2 * np.pi / usual.shape[1]))).ravel()
        for turn in (np.cos, np.sin)
    )
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    values = usual[core].reshape(-1, 3).astype(np.float64)
    fit = np.linalg.solve(_products(terms, terms), _products(terms, values))
    left = values - np.einsum("nt,tc->nc", terms, fit, optimize=False)
    return usual if float(np.sqrt((left * left).sum(axis=1)).max()) <= float(least[core].min()) else None


def _rim_begins(usual: Values, shares: Floats, least: Values, config: HoleShadeConfig) -> float:
    """How far out a line begins that is drawn as a hole's rim, beyond the core; 1 where there is none."""
    rings = np.median(usual, axis=1)
    away = _lengths(rings - rings[0])
    at = int(away.argmax())
    within = np.flatnonzero(away <= away[at] / 2)  # not a threshold: half way to its colour
    begins = shares[min(int(within[-1]) + 1, len(shares) - 1)]
    return float(begins) if away[at] > least[at] and begins >= config.core else 1.0


def shade_around(off: Values, told: Flags, plain: float, level: float, config: HoleShadeConfig) -> Values | None:
    """The colours that are around holes in common, less the paper's, (k, rays, 3); None where that is no shade.

    Parameters
    ----------
    off, told
        As of `shade_within`, from the rim on outwards.
    plain : float
        The contrast of holes.
    level : float
        The contrast from which something is drawn.
    config : HoleShadeConfig
    """
    usual = _usual(off, told)
    away = _lengths(usual)
    most = float(away.max())
    fades = bool((away[1:] <= np.maximum.accumulate(away[::-1], axis=0)[::-1][1:] + level).all())
    rising = away - np.minimum.accumulate(away, axis=0)
    wide = float((away[0] > away[0].max() / 2).mean())  # not a threshold: half of its height
    steps = _lengths(np.diff(usual, axis=0))
    hue = np.sqrt(usual[..., 1] ** 2 + usual[..., 2] ** 2) - config.tinted * np.abs(usual[..., 0])
    is_shade = (
        fades
        and float(rising.max()) <= level
        and float(steps.max()) <= config.abrupt * max(level, most)
        and most <= config.weaker * plain
        and float(away[-1].max()) <= max(level, config.faded * most)
        and wide >= config.wide
        and float(hue.max()) <= level
        and _is_one_sided(usual, np.full(len(usual), level, np.float32))
    )
    return usual if is_shade else None


def away_from(off: Values, usual: Values, aside: int) -> Values:
    """How far colours, (n, k, rays, 3), are from those, (k, rays, 3), of the nearest place so many rings aside."""
    count = len(usual)
    least: Values | None = None
    for by in range(-aside, aside + 1):
        rings = usual[np.clip(np.arange(count) + by, 0, count - 1)]
        for turn in (-1, 0, 1):  # not a threshold: neighbours
            away = _lengths(off - np.roll(rings, turn, axis=1))
            least = away if least is None else np.minimum(least, away)
    return np.zeros(off.shape[:3], np.float32) if least is None else least


def _usual(off: Values, told: Flags) -> Values:
    """The middle colour of all holes at each place; the paper's where none is told."""
    seen = np.where(told[..., None], off, np.float32(np.nan))
    bare = ~told.any(axis=0)
    seen[0][bare] = 0.0
    return np.asarray(np.nanmedian(seen, axis=0), np.float32)


def _is_one_sided(usual: Values, least: Values) -> bool:
    """Whether the colours of each ring, (k, rays, 3), go from one to another and back but once."""
    middle = np.median(usual, axis=1)
    away = _lengths(usual - middle[:, None])
    for ring, far, most in zip(usual - middle[:, None], away, least.tolist(), strict=True):
        at = int(far.argmax())
        if far[at] <= most:
            continue
        along = channel_sums(ring * (ring[at] / far[at]))
        turned = np.roll(along, -at)
        low = int(turned.argmin())
        down, up = turned[: low + 1], turned[low:]
        rises = float((down - np.minimum.accumulate(down)).max())
        falls = float((np.maximum.accumulate(up) - up).max())
        beside = np.sqrt(np.maximum(far * far - along * along, 0.0))
        if max(rises, falls, float(beside.max())) > most:
            return False
    return True


def _products(one: Floats, other: Floats) -> Floats:
    """The sums of products of columns of (n, i) and (n, j), (i, j): no BLAS, which may add in any order."""
    return np.asarray(np.einsum("ni,nj->ij", one, other, optimize=False), np.float64)


def _lengths(values: Values) -> Values:
    return np.asarray(np.sqrt(channel_sums(values * values)), np.float32)
