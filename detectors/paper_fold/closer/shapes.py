"""Whether each hole of a sheet that seems right is one disc: looked at more closely than the rest of the picture.

A disc is laid onto each hole where its rim is seen, and what of the picture it does not explain is told in units of the
noise beside it: a rim that is no circle, another colour within it, something drawn right around it. All is told along
rays from the hole's middle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median, quantile
from detectors.common.residual.mixing import channel_medians, channel_sums, lengths
from detectors.paper_fold.closer.config import HoleShapeConfig
from detectors.paper_fold.closer.rays import Floats, HoleRays, Values
from detectors.paper_fold.closer.shaded import ShadesLooked, alien_to_shade, area_beside_shade, steepest_edges
from detectors.paper_fold.holes import Disc
from detectors.paper_fold.sheet import BareSheet

_ROUND = 2  # not a threshold: an ellipse has so many turns
_AT_ONCE = 64  # not a threshold: more holes need no more memory


@dataclass(frozen=True)
class HoleShape:
    """What of a hole one disc leaves unexplained.

    Attributes
    ----------
    radius : of the hole, in the pixels that were looked at
    uneven : middle distance of its rim from an ellipse, as far as it is no noise, as a share of its radius
    slim : length of that ellipse over its width
    alien : share of its area whose colour is another one than is usual at that depth, by how much it is another
    around : area right around it that is drawn on, as a share of its own
    contrast : of its rim or its inside, whichever is plainer
    inside : the colour deep within it, less the paper's, on the three axes of `seen`
    paper : that of the paper around it
    middle : where its rim has its middle, in pixels from where it was looked for
    rim : how far out that is in the mean, in these pixels
    """

    radius: float
    uneven: float
    slim: float
    alien: float
    around: float
    contrast: float = 0.0
    inside: tuple[float, float, float] = (0.0, 0.0, 0.0)
    middle: tuple[float, float] = (0.0, 0.0)
    rim: float = 0.0
    paper: tuple[float, float, float] = (0.0, 0.0, 0.0)


def find_misshapen(shapes: dict[int, HoleShape], config: HoleShapeConfig) -> list[int]:
    """Which holes are no discs, or unlike the others."""
    usual = float(np.median([one.uneven - config.all_uneven_px / one.radius for one in shapes.values()] or [0.0]))
    unlike = _unlike(list(shapes.values()), config)
    return [
        at
        for number, (at, one) in enumerate(shapes.items())
        if one.uneven > config.uneven + config.uneven_px / one.radius
        or usual > config.all_uneven
        or one.slim > config.slim
        or one.alien > config.alien + config.alien_px / one.radius
        or one.around > config.around
        or unlike[number]
    ]


def _unlike(holes: Sequence[HoleShape], config: HoleShapeConfig) -> list[bool]:
    """Which holes are drawn in another way than the others: in another colour, hollow, or faint."""
    if len(holes) < 2:
        return [False] * len(holes)
    all_papers, all_insides = (np.array([one.paper for one in holes]), np.array([one.inside for one in holes]))
    all_contrasts = np.array([one.contrast for one in holes])
    found = []
    for number, one in enumerate(holes):
        others = np.arange(len(holes)) != number
        papers, insides, contrasts = all_papers[others], all_insides[others], all_contrasts[others]
        off = np.sqrt(((papers - one.paper) ** 2).sum(axis=1))
        # What has one contrast to a paper has that to another one, less or more what lies between the two papers.
        least = float(_middle(np.maximum(contrasts - off, 0.0)))
        away, spread = np.inf, 0.0
        for share in np.linspace(0.0, 1.0, config.papers if (off > config.one_paper).any() else 1).tolist():
            # On papers of two colours, holes that hide this share of the paper differ so much less the paper.
            colors = insides + share * (papers - one.paper)
            usual = _middle(colors)
            far = math.dist(one.inside, usual.tolist())
            if far < away:
                away, spread = far, float(_middle(np.sqrt(((colors - usual) ** 2).sum(axis=1))))
        most = max(config.unlike, config.unlike_share * float(_middle(contrasts)), config.unlike_times * spread)
        found.append(away > most or one.contrast < config.fainter * least)
    return found


def _middle(values: Floats) -> Floats:
    """``numpy.median(values, axis=0)`` of a few, in a fraction of the time."""
    ordered, half = np.sort(values, axis=0), len(values) // 2
    return np.asarray(ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2, np.float64)


def measure_holes(
    view: NDArray[np.uint8], sheet: BareSheet, discs: Sequence[Disc], creased: float, config: HoleShapeConfig,
    shades: ShadesLooked | None = None,
) -> dict[int, HoleShape]:  # fmt: skip
    """The shapes of holes by their place among them.

    Parameters
    ----------
    view : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the puzzle's frame, larger than the sheet's working frame.
    sheet : BareSheet
    discs : sequence of Disc
        In pixels of the puzzle's picture.
    creased : float
        Share of the creases that shows.
    config : HoleShapeConfig
    shades : ShadesLooked or None
        Shades that all holes may have in common, which are their own then; None for none.
    """
    scale = view.shape[1] / sheet.size[0]
    near = (sheet.edge_distance <= config.edge_px) | ~sheet.inside
    if creased > config.creased:
        near = near | sheet.along_creases
    # Holes in pixels of the view.
    holes = np.array([(one.center[0], one.center[1], one.radius) for one in discs], np.float64).reshape(-1, 3) * scale
    chosen = [at for at, disc in enumerate(discs) if not disc.outside and disc.fits]
    found: dict[int, HoleShape] = {}
    for start in range(0, len(chosen), _AT_ONCE):
        some = chosen[start : start + _AT_ONCE]
        rays = HoleRays(view, holes, np.array(some), near, sheet.factor * scale, config)
        found |= _measure(rays, config, shades)
    return found


def _measure(rays: HoleRays, config: HoleShapeConfig, shades: ShadesLooked | None = None) -> dict[int, HoleShape]:
    """What of each hole a disc leaves unexplained; those are left out of which too little is in sight."""
    radius = rays.radius
    steps = np.arange(0.0, config.reach * float(radius.max()), config.step_px)
    depths = np.broadcast_to(steps.astype(np.float32)[None, :, None], (len(radius), len(steps), config.rays))
    values, hidden = rays.look(depths)
    # Small holes are looked at less far.
    within = (steps < config.reach * radius[:, None])[..., None]
    ground = (steps >= config.beside * radius[:, None])[..., None] & within & ~hidden
    papers = np.zeros((len(radius), 3), np.float32)
    noise = np.zeros(len(radius))
    room = within.sum(axis=(1, 2)) * config.rays
    kept = np.count_nonzero(ground, axis=(1, 2)) >= config.paper * room
    places = {hole: np.flatnonzero(ground[hole]) for hole in np.flatnonzero(kept).tolist()}
    for hole, at in places.items():
        papers[hole] = channel_medians(values[hole].reshape(-1, 3).take(at, axis=0))
    off = _less(values, papers)
    contrast = lengths(off.reshape(-1, config.rays, 3)).reshape(depths.shape)
    contrast[~kept] = 0.0
    for hole, at in places.items():
        noise[hole] = quantile(contrast[hole].ravel()[at], config.usual)
    rims, told, plain = _rims(contrast, hidden, steps, radius, noise, config)
    if shades is not None and shades.by_edges:
        far = (steps >= config.rim * radius[:, None]) & (steps < config.beside * radius[:, None])
        rims, told = steepest_edges(off, far[..., None] & ~hidden, steps, noise, shades.config)
    count = np.count_nonzero(told, axis=1)
    kept &= count >= config.told * config.rays
    uneven, shape = np.zeros(len(radius)), np.ones(rims.shape)
    uneven[kept], shape[kept] = _unevenness(rims[kept], told[kept], config)
    visible = np.maximum(config.visible, config.other * noise)
    alien = _alien(rays, papers, shape, told, plain, visible, config)
    if shades is not None:
        alien = np.minimum(alien, alien_to_shade(rays, papers, shape, told, plain, visible, config, shades.config))
    beside = (depths > (1 + config.clear) * shape[:, None] + config.clear_px) & within & ~hidden
    level = np.maximum(np.maximum(config.drawn, config.drawn_noise * noise), config.drawn_share * plain)
    strong = beside & (contrast > level[:, None, None])
    # A step along a ray stands for an area as wide as the rays are apart there.
    area = (depths * strong).sum(axis=(1, 2)) * config.step_px * 2 * math.pi / config.rays
    if shades is not None and area.any():
        area = np.minimum(area, area_beside_shade(rays, papers, shape, plain, level, config, shades.config))
    middle, swing = shape.mean(axis=1), np.ptp(shape, axis=1) / 2  # not a threshold: half of its range
    # Of a rim with a gap the ellipse is not told well enough.
    slim = np.where(
        count >= config.whole * config.rays, (middle + swing) / np.maximum(middle - swing, config.step_px), 1.0
    )
    around = area / (math.pi * radius**2)
    inside = _inside(off, depths, shape, hidden, kept, config)
    most = np.maximum(plain, np.sqrt((inside * inside).sum(axis=1)))
    table = np.stack([radius, uneven / radius, slim, alien, around, most], axis=1).tolist()
    once = _turns(config.rays, 1)[:, 1:]
    moved = np.einsum("nr,rt->nt", shape, once / (once * once).sum(axis=0), optimize=False)
    found = {}
    for hole in np.flatnonzero(kept).tolist():
        colors, (x, y) = inside[hole].tolist(), moved[hole].tolist()
        found[int(rays.at[hole])] = replace(
            HoleShape(*table[hole]),
            inside=(colors[0], colors[1], colors[2]),
            middle=(x, y),
            rim=float(middle[hole]),
            paper=(float(papers[hole, 0]), float(papers[hole, 1]), float(papers[hole, 2])),
        )
    return found


def _inside(
    off: Values, depths: Values, shape: Floats, hidden: NDArray[np.bool_], kept: NDArray[np.bool_],
    config: HoleShapeConfig,
) -> Floats:  # fmt: skip
    """The colour deep within each hole, less the paper's, (n, 3); 0 where it is not in sight."""
    deep = (depths <= (1 - config.deep) * shape[:, None]) & ~hidden
    found = np.zeros((len(off), 3))
    for hole in np.flatnonzero(kept).tolist():
        at = np.flatnonzero(deep[hole])
        if at.size:
            found[hole] = channel_medians(off[hole].reshape(-1, 3).take(at, axis=0))
    return found


def _rims(
    contrast: Values, hidden: NDArray[np.bool_], steps: Floats, radius: Floats, noise: Floats, config: HoleShapeConfig
) -> tuple[Floats, NDArray[np.bool_], Floats]:
    """Where along each ray of each hole the rim is, whether it is in sight, and how plain it usually is."""
    far = (steps >= config.rim * radius[:, None])[..., None]
    close = (steps < config.beside * radius[:, None])[..., None]
    # not a threshold: half way
    half = np.where(far & close & ~hidden, contrast, np.float32(0.0)).max(axis=1) / 2
    plain = 2 * np.median(half, axis=1).astype(np.float64)  # not a threshold: all of it
    drawn = (contrast >= np.maximum(half, config.other * noise[:, None])[:, None]) & close & ~hidden
    number = len(steps)
    last = number - 1 - drawn[:, ::-1].argmax(axis=1)
    after = np.minimum(last + 1, number - 1)
    high, low = (np.take_along_axis(contrast, one[:, None], axis=1)[:, 0] for one in (last, after))
    share = np.clip((high - half) / np.maximum(high - low, 1e-9), 0.0, 1.0)  # not a threshold: against a division by 0
    # Of what goes on behind something else the end is not seen; a ring has the paper's colour somewhere in its blur.
    at, clear = np.arange(number)[None, :, None], round(config.ending_px / config.step_px)
    behind = hidden & (at <= last[:, None] + clear) & (far | (at > last[:, None]))
    return steps[last] + share * config.step_px, drawn.any(axis=1) & ~behind.any(axis=1), plain


def _unevenness(rims: Floats, told: NDArray[np.bool_], config: HoleShapeConfig) -> tuple[Floats, Floats]:
    """How far rims, (n, rays), are from ellipses, less what noise makes of it; and the ellipses, by rays."""
    design = _turns(rims.shape[1], config.turns)
    few = 1 + 2 * _ROUND
    count = np.count_nonzero(told, axis=1)
    shape = _fitted(design[:, :few], rims, told)
    whole = np.flatnonzero(count >= config.many * config.rays)
    close = shape.copy()
    close[whole] = _fitted(design, rims[whole], told[whole])
    left, off = (np.where(told, one, 0.0) for one in (rims - close, close - shape))
    noise = (left * left).sum(axis=1) / np.maximum(1, count - design.shape[1])
    spurious = noise * (design.shape[1] - few) / count
    uneven = np.sqrt(np.maximum(0.0, (off * off).sum(axis=1) / count - spurious))
    # Of a part of a rim only the whole unevenness is told.
    in_part = np.sqrt((left * left).sum(axis=1) / count) * config.in_part
    return np.where(count >= config.many * config.rays, uneven, in_part), shape


def _fitted(design: Floats, rims: Floats, told: NDArray[np.bool_]) -> Floats:
    """The least squares fits to what is told of rims, (n, rays), by rays."""
    # Of all rays, which lie evenly, turns are orthogonal to each other.
    found = np.einsum("nr,rt->nt", rims, design / (design * design).sum(axis=0), optimize=False)
    for at in np.flatnonzero(~told.all(axis=1)).tolist():
        found[at] = np.linalg.lstsq(design[told[at]], rims[at, told[at]], rcond=None)[0]
    return np.asarray(np.einsum("nt,rt->nr", found, design, optimize=False), np.float64)


@cache
def _turns(rays: int, most: int) -> Floats:
    """1, and cosines and sines of so many turns, by rays: (rays, 1 + 2 most)."""
    angles = np.arange(rays) * (2 * math.pi / rays)
    turns = [np.ones_like(angles)]
    turns += [f(k * angles) for k in range(1, most + 1) for f in (np.cos, np.sin)]
    made = np.stack(turns, axis=1)
    made.setflags(write=False)
    return made


def _alien(
    rays: HoleRays, papers: Values, shape: Floats, told: NDArray[np.bool_], plain: Floats, level: Floats,
    config: HoleShapeConfig,
) -> Floats:  # fmt: skip
    """The share of a hole's area whose colours are not those of its rings, of which each may lie a little aside."""
    steps = [np.arange(0.0, 1.0 - config.rim_px / one, config.step_px / one) for one in rays.radius.tolist()]
    counts = np.array([len(one) for one in steps])
    if not counts.max(initial=0):
        return np.zeros(len(steps))
    rings = np.arange(counts.max())
    depths = ((rings * (config.step_px / rays.radius[:, None]))[..., None] * shape[:, None]).astype(np.float32)
    values, hidden = rays.look(depths)
    seen = ~hidden & told[:, None] & (rings < counts[:, None])[..., None]
    # Axis by axis, since NumPy is slow over one of three.
    planes = np.ascontiguousarray(np.moveaxis(_less(values, papers), -1, 0))
    middles = _middles(planes)
    usual = np.moveaxis(middles, 0, -1)
    # The rim is often plainer than what it goes around.
    deep = (depths.mean(axis=2) <= (1 - config.deep) * shape.mean(axis=1)[:, None]) & (rings < counts[:, None])
    own = _lengths(usual)
    inner = np.array([
        median(one[chosen]) if chosen.any() else rim
        for one, chosen, rim in zip(own, deep, plain.tolist(), strict=True)
    ])  # fmt: skip
    near, there = (np.maximum(level, config.foreign * one)[:, None] for one in (np.minimum(inner, plain), plain))
    least = np.where(deep, near, there)[..., None]
    # Mostly each place has the colour of its own ring, and no other ring has to be looked at.
    squares = _off_rings(planes, middles, np.broadcast_to(rings, own.shape))
    told_apart = (np.sqrt(squares) > least) & seen
    odd = np.flatnonzero(told_apart.any(axis=(1, 2)))
    found = np.zeros(len(steps))
    if not odd.size:
        return found
    planes, middles, squares = planes[:, odd], middles[:, odd], squares[odd]
    for aside in range(-config.aside, config.aside + 1):
        at = np.minimum(np.maximum(rings + aside, 0), counts[odd, None] - 1)
        np.minimum(squares, _off_rings(planes, middles, at), out=squares)
    away, depths, seen = np.sqrt(squares), depths[odd], seen[odd]
    foreign = (away > least[odd]) & seen
    # What is as plain as the rim counts whole.
    weight = np.minimum(away / np.maximum(plain, level)[odd, None, None], 1.0) * depths
    whole = np.maximum((depths * seen).sum(axis=(1, 2)), 1.0)  # not a threshold: against nothing
    found[odd] = (weight * foreign).sum(axis=(1, 2)) / whole
    return found


def _off_rings(planes: Values, middles: Values, at: NDArray[np.intp]) -> Values:
    """How far, squared, colours (3, n, k, rays) are from the middle ones of rings, (3, n, k), each from one ring's."""
    first, second, third = (
        plane - np.take_along_axis(middle, at, axis=1)[..., None] for plane, middle in zip(planes, middles, strict=True)
    )
    return np.asarray(first * first + second * second + third * third, np.float32)


def _less(values: Values, colors: Values) -> Values:
    """Colours along rays, (n, k, rays, 3), less one of each hole, (n, 3)."""
    # Along a row of rays at once, since NumPy is slow over an axis of three.
    count, _, rays, _ = values.shape
    rows = values.reshape(count, -1, 3 * rays) - np.tile(colors, rays)[:, None]
    return np.asarray(rows.reshape(values.shape), np.float32)


def _middles(values: Values) -> Values:
    """``numpy.median(values, axis=-1)``; of so few numbers each, sorting them takes a fraction of the time."""
    ordered = np.sort(values, axis=-1)
    half = values.shape[-1] // 2
    return np.asarray((ordered[..., half] + ordered[..., -1 - half]) / 2, np.float32)


def _lengths(values: Values) -> Values:
    return np.asarray(np.sqrt(channel_sums(values * values)), np.float32)
