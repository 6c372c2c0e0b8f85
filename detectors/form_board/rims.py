"""How pieces lie in their places, told along their rims to fractions of a pixel.

Where a piece ends is seen from its own colour, in short stretches of its rim. What all rims have in common is the width
of lines or seams between pieces; what varies smoothly over the board is a warp of the picture; and the rest is a piece
that was moved, turned, made larger or smaller, or bent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median
from detectors.common.residual.mixing import channel_medians, contrasts, lengths
from detectors.form_board.config import PieceRimConfig
from detectors.form_board.stretches import Lab, Stretches, Values

_POSE = 4  # not a threshold: across, down, turned, grown
_STRAIGHT = 3  # not a threshold: terms of a map that keeps straight lines


@dataclass(frozen=True)
class PiecePose:
    """How a piece lies, beside what all have in common. Lengths are shares of the silhouette's longer side.

    Attributes
    ----------
    label : the piece
    moved : by how much
    turned : by how much its rim is displaced by a turn about its middle
    grown : by how much its rim lies farther out, on the whole
    bent : by how much a stretch of its rim is displaced besides
    edge : by how much one of its edges is displaced, whatever the reason
    """

    label: str
    moved: float
    turned: float
    grown: float
    bent: float
    edge: float


@dataclass(frozen=True, eq=False)
class Rims:
    """Stretches of rims: of n, where each is, which way is out, how far out the rim is seen, and of which piece.

    Attributes
    ----------
    at, out : (n, 2), in pixels; `out` of length 1
    offset : (n,), in pixels; less than 0 where the piece ends before its rim
    piece : (n,), its place among the labels
    edge : (n,), the number of the edge, among those of all pieces
    outer : (n,) bool, whether it lies along the silhouette
    labels : of the pieces
    lined : whether the piece of each has about the colour of the lines around pieces
    alike : whether it is so near to that colour that its rim is hardly told from its line
    around : whether those lines are the silhouette's own alone, outside of the pieces
    soft : deviation of the Gaussian that makes an edge as soft as rims usually are, in pixels
    absent : pieces whose colour is hardly seen near their rims
    """

    at: Values
    out: Values
    offset: Values
    piece: NDArray[np.intp]
    edge: NDArray[np.intp]
    outer: NDArray[np.bool_]
    labels: tuple[str, ...]
    lined: tuple[bool, ...]
    alike: tuple[bool, ...]
    around: bool
    soft: float
    absent: tuple[str, ...] = ()


def find_rims(
    picture: NDArray[np.uint8],
    where: Stretches,
    colors: Mapping[str, Lab],
    config: PieceRimConfig,
    lit: Mapping[str, Lab] | None = None,
) -> Rims:
    """Looks for the rims of pieces.

    Parameters
    ----------
    picture : (h, w, 3) uint8 RGB
        As pictures are drawn and made smaller: half of a piece's colour is half of its area, in no other colours.
    where : Stretches
    colors : mapping of label to (3,) float32
        Of each piece, in the same.
    config : PieceRimConfig
    lit : mapping of label to (h, w, 3) float32
        Of pieces that are unevenly lit the colour at each pixel.
    """
    labels, piece, steps, side = where.labels, where.piece, where.steps, where.side
    shown = picture.astype(np.float32)  # what is sampled of whole numbers would be rounded to such
    seen = cv2.remap(shown, where.across, where.down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    # Rows of a piece lie one below the other.
    bounds = np.searchsorted(piece, np.arange(len(labels) + 1)) * config.samples
    away = np.zeros(seen.shape[:2], np.float32)
    for label, (start, end) in zip(labels, pairwise(bounds.tolist()), strict=True):
        if end <= start:
            continue
        shown_here = np.asarray(seen[start:end], np.float32)
        if lit is not None and label in lit:
            maps = where.across[start:end], where.down[start:end]
            own = cv2.remap(lit[label], *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            away[start:end] = lengths(shown_here - np.asarray(own, np.float32))
        else:
            away[start:end] = contrasts(shown_here, colors[label])
    ends, soft = _ends(away, np.full(len(away), config.other), steps, side, config)
    near = np.asarray((away <= config.other).any(axis=1), np.bool_)
    # A piece of about the colour of the lines around pieces ends with its own.
    lined, near_line, around = [False] * len(labels), np.zeros(len(labels), np.bool_), False
    told = ends[np.isfinite(ends)]
    if told.size and median(told) < -config.line_px:
        line = channel_medians(seen[:, len(steps) // 2])  # not a threshold: the middle, where the rim should be
        off = _distances(labels, colors, line)
        lined = (off <= config.lined).tolist()
        near_line = off <= config.alike
        if near_line.any():
            other = np.where(near_line, np.maximum(config.other, config.beyond * off), config.other)
            ends, soft = _ends(away, other[np.repeat(piece, config.samples)], steps, side, config, beyond=config.other)
    elif where.outer.any():
        # Where pieces lie over the silhouette's own line, half of that is seen around them.
        outer = seen[np.repeat(where.outer, config.samples)]
        line, paper = (channel_medians(outer[:, at]) for at in (np.searchsorted(steps, config.outside_px), -1))
        if float(np.sqrt(((line - paper) ** 2).sum())) > config.other:
            off = _distances(labels, colors, line)
            lined, around = (off <= config.lined).tolist(), True
            # There it is told where that line ends, which no blur hides.
            beside = np.asarray(where.outer & (off[piece] <= config.lined), np.bool_)
            if beside.any():
                other = np.where(beside, np.maximum(config.other, config.beyond * off[piece]), config.other)
                ends, soft = _ends(away, np.repeat(other, config.samples), steps, side, config, beyond=config.other)
    ordered = np.sort(ends.reshape(-1, config.samples), axis=1)  # NaN last
    known = np.isfinite(ordered).sum(axis=1)
    kept = known >= config.told * config.samples
    # Of an edge of which hardly a stretch is told such a one may be anything.
    edges = np.bincount(where.edge)
    share = np.bincount(where.edge, weights=kept, minlength=len(edges)) / np.maximum(edges, 1)
    kept &= share[where.edge] >= config.shown
    rows, last = np.flatnonzero(kept), known[kept] - 1
    offset = (ordered[rows, last // 2] + ordered[rows, (last + 1) // 2]) / 2  # not a threshold: the median
    return Rims(
        where.middle[kept],
        where.out[kept],
        offset,
        piece[kept],
        where.edge[kept],
        where.outer[kept],
        labels,
        tuple(lined),
        tuple(near_line.tolist()),
        around,
        median(soft[np.isfinite(soft)]) if len(offset) else 0.0,
        tuple(
            label
            for label, (start, end) in zip(labels, pairwise(bounds.tolist()), strict=True)
            if end > start and float(near[start:end].mean()) < config.near
        ),
    )


def _distances(labels: Sequence[str], colors: Mapping[str, Lab], color: Lab) -> Values:
    """How far the colour of each piece is from another one."""
    return np.array([float(np.sqrt(((colors[label] - color) ** 2).sum())) for label in labels])


def _ends(
    away: NDArray[np.float32],
    other: Values,
    steps: Values,
    side: float,
    config: PieceRimConfig,
    beyond: float | None = None,
) -> tuple[Values, Values]:
    """How far out each line across a rim leaves the piece's colour, half way to what comes next, and how softly.

    NaN where nowhere. Where what is nearer to the piece's colour than ``other`` may be a line, it has to begin where
    what differs by ``beyond`` does: behind a gap there may be another one of its colour.
    """
    lines = np.arange(len(away))
    plain = away > other[:, None]
    if beyond is not None:
        whole = np.asarray(away <= beyond, np.bool_)
        # After the last of the piece's own colour no more than the first of what is plainly another one counts.
        last_own = np.where(np.asarray(whole.any(axis=1)), whole.shape[1] - 1 - whole[:, ::-1].argmax(axis=1), -1)
        after_own = np.arange(whole.shape[1]) > last_own[:, None]
        plain |= after_own & np.asarray(np.maximum.accumulate(plain & after_own, axis=1), np.bool_)
    # Where the piece's colour ends nearest to the rim: a letter ends within, and mixtures beside a line may have it.
    ending = np.asarray(~plain[:, :-1] & plain[:, 1:], np.bool_)
    long = ending.copy()
    for before in range(1, config.lasting):
        long[:, before:] &= np.asarray(~plain[:, : -1 - before], np.bool_)
    ending = np.asarray(np.where(np.asarray(long.any(axis=1))[:, None], long, ending), np.bool_)
    last = np.where(ending, np.abs(steps[:-1]), np.inf).argmin(axis=1)
    ahead = max(1, round(config.ahead * side / config.step_px))
    after = np.minimum(last[:, None] + np.arange(1, ahead + 1), len(steps) - 1)
    half = away[lines[:, None], after].max(axis=1) / 2  # not a threshold: half way
    # From where it is to where it is not, the contrast passes the half once.
    passed = away[lines[:, None], after] >= half[:, None]
    high = after[lines, passed.argmax(axis=1)]
    low_away, high_away = away[lines, high - 1], away[lines, high]
    # not a threshold: against a division by 0
    share = np.clip((half - low_away) / np.maximum(high_away - low_away, 1e-9), 0.0, 1.0)
    ends = steps[high - 1] + share * config.step_px
    seen = ending.any(axis=1)
    # Half way through a step that is blurred by a Gaussian, its slope is its height over deviation and root of 2 pi.
    slope = np.maximum(high_away - low_away, 1e-9) / config.step_px  # not a threshold: against a division by 0
    soft = 2 * half / (slope * np.sqrt(2 * np.pi))  # not a threshold: all of its height
    return np.where(seen, ends, np.nan), np.where(seen, soft, np.nan)


def find_poses(rims: Rims, side: float, exact: bool, config: PieceRimConfig) -> tuple[PiecePose, ...]:
    """How each piece lies, once lines, seams and a smooth warp are taken off.

    Parameters
    ----------
    rims : Rims
    side : float
        The silhouette's longer side, in pixels.
    exact : bool
        Whether the picture is known to lie where the puzzle's does.
    config : PieceRimConfig
    """
    if not len(rims.offset):
        return ()
    offset = rims.offset / side
    insets, field, own = _insets(rims), *_designs(rims)
    straight = np.tile(np.arange(field.shape[1] // 2) < _STRAIGHT, 2)  # not a threshold: across and down
    lines = np.full(insets.shape[1], config.lines)
    lines[1] = config.apart
    columns = np.concatenate([insets, field], axis=1)
    warp = config.exact
    for _ in range(2):  # not a threshold: first as if it were not bent
        free = np.concatenate([lines, np.where(straight, config.exact if exact else config.straight, warp)])
        off = offset - _sums(columns, _robust(columns, offset, free, config))
        # A warp moves nearly every rim; where most lie where they should, the picture is not bent.
        warp = min(config.exact if exact else config.warp, config.bends * median(np.abs(off)))
    poses = np.zeros((len(rims.labels), _POSE))
    left = off.copy()
    for number in range(len(rims.labels)):
        here = rims.piece == number
        part = own[here]
        system = _products(part, part) / config.noise**2 + np.eye(_POSE) / config.posed**2
        poses[number] = np.linalg.solve(system, _products(part, off[here, None])[:, 0] / config.noise**2)
        left[here] -= _sums(part, poses[number])
    found = []
    for number, label in enumerate(rims.labels):
        here = rims.piece == number
        # A stretch or two alone may be a letter.
        worst = np.sort(np.abs(left[here]))[::-1]
        bent = float(worst[config.alone]) if len(worst) > config.alone else 0.0
        across, down, turned, grown = poses[number].tolist()
        # Stretches of an edge follow one another.
        own = off[here]
        starts = np.flatnonzero(np.diff(rims.edge[here], prepend=-1))
        edges = [own[start:end] for start, end in pairwise([*starts.tolist(), own.size])]
        edge = max((abs(median(one)) for one in edges if one.size >= config.long), default=0.0)
        found.append(PiecePose(label, float(np.hypot(across, down)), abs(turned), grown, bent, edge))
    return tuple(found)


def find_askew(rims: Rims, side: float, exact: bool, config: PieceRimConfig) -> tuple[str, ...]:
    """Pieces that do not lie as they should; parameters are those of `find_poses`."""
    poses = find_poses(rims, side, exact, config)
    if not poses:
        return rims.absent
    # Where a picture had to be laid onto the puzzle's, that is not exact; it may have been led astray by the pieces.
    more = 1.0 if exact else config.inexact
    coarse = max(1.0, config.fine_px / side)
    more *= coarse
    # Where all pieces lie a little off, it is how they were drawn.
    usual = median(np.array([one.moved for one in poses]))
    for outer in (False, True):
        ends = rims.offset[rims.outer == outer]
        if len(ends) and median(ends) < -config.widest * side:
            # That is no line and no seam: all pieces are too small.
            return tuple(one.label for one in poses)
    most = config.most_moved if not exact else min(config.most_moved, max(config.moved, config.sloppy * usual))
    found = []
    for one, alike in zip(poses, rims.alike, strict=True):
        times = more * (config.vague if alike else 1.0)
        bent = times * config.bent if usual > config.precise or alike else coarse * config.least_bent
        if (
            one.moved > times * most
            or one.turned > times * config.turned
            or not -times * config.shrunk <= one.grown <= times * config.grown
            or one.bent > bent
            or one.edge > times * config.edge
            or one.label in rims.absent
        ):
            found.append(one.label)
    return tuple(found)


def _robust(columns: Values, offset: Values, free: Values, config: PieceRimConfig) -> Values:
    """What explains most offsets: those that it does not explain count less."""
    trust: Values = np.ones(len(offset))
    fit: Values = np.zeros(columns.shape[1])
    # The right side beside the system, so that both are summed at once.
    both, known = np.concatenate([columns, offset[:, None]], axis=1), np.diag(1.0 / free**2)
    for _ in range(config.rounds):
        products = _products(columns * (trust / config.common**2)[:, None], both)
        system = products[:, :-1] + known
        before, fit = fit, np.linalg.solve(system, products[:, -1]).astype(np.float64)
        if np.abs(fit - before).max() <= config.settled:
            break
        trust = 1.0 / (1.0 + ((offset - _sums(columns, fit)) / config.usual) ** 2)
    return fit


def _products(one: Values, other: Values) -> Values:
    """The sums of products of columns of (n, i) and (n, j), (i, j): no BLAS, which may add in any order."""
    return np.asarray(np.einsum("ni,nj->ij", one, other, optimize=False), np.float64)


def _sums(columns: Values, weights: Values) -> Values:
    """The weighted sum of columns of (n, k), (n,)."""
    return np.asarray(np.einsum("nk,k->n", columns, weights, optimize=False), np.float64)


def _insets(rims: Rims) -> Values:
    """By how much lines and seams move each rim outwards: those of all, along the silhouette, of dark pieces."""
    # What is as dark as its own line ends where that does.
    where = rims.outer if rims.around else np.ones(len(rims.piece), np.bool_)
    own = [np.float64((rims.piece == number) & where) for number, lined in enumerate(rims.lined) if lined]
    if not rims.around:
        # What is hardly told from lines between pieces may be told from the silhouette's.
        inner = ~rims.outer
        own += [np.float64((rims.piece == number) & inner) for number, alike in enumerate(rims.alike) if alike]
    return np.stack([np.ones(len(rims.piece)), np.float64(rims.outer), *own], axis=1)


def _designs(rims: Rims) -> tuple[Values, Values]:
    """By how much a rim is moved outwards: by each term of a smooth warp, and by each part of a piece's pose."""
    low, high = rims.at.min(axis=0), rims.at.max(axis=0)
    x, y = (2.0 * (rims.at - low) / np.maximum(high - low, 1e-9) - 1.0).T  # not a threshold: against a division by 0
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    field = np.concatenate([terms * rims.out[:, :1], terms * rims.out[:, 1:]], axis=1)
    own = np.zeros((len(x), _POSE))
    for number in range(len(rims.labels)):
        here = rims.piece == number
        if not here.any():
            continue
        away = rims.at[here] - rims.at[here].mean(axis=0)
        radius = max(1e-9, float(np.sqrt((away**2).sum(axis=1).mean())))  # not a threshold: against a division by 0
        across, down = rims.out[here].T
        parts = (across, down, (down * away[:, 0] - across * away[:, 1]) / radius,
                 (across * away[:, 0] + down * away[:, 1]) / radius)  # fmt: skip
        own[here] = np.stack(parts, axis=1)
    return field, own
