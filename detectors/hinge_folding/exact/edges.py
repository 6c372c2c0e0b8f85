"""Where the outlines of pieces are, to parts of a pixel, from the picture across them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median
from detectors.hinge_folding.exact.close import CloseView, Owners
from detectors.hinge_folding.exact.config import ExactConfig
from detectors.hinge_folding.fits import covered_by, planes_of, samples_of
from detectors.hinge_folding.view import Field, Floats, farthest
from puzzles.hinge_folding.chain import HingeShape, outline_of

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class OutlineFit:
    """How the outline of a piece that is seen lies to where it was laid.

    Attributes
    ----------
    moved : along its axis and across it, upwards, in units
    turned : counter-clockwise, in radians
    unsure : a standard deviation of that
    grown : by how much its edges lie farther out, in units
    seen : the share of its outline that is seen
    run : the longest stretch of edge that is not on it, in units
    """

    moved: tuple[float, float]
    turned: float
    unsure: float
    grown: float
    seen: float
    run: float


@dataclass(frozen=True, eq=False)
class _Points:
    """Points along the outlines of all pieces: of which piece, in its own frame, and where in the picture.

    ``usable`` are those that are not at a hinge; ``clear`` is how far other sides are from what lies within.
    """

    piece: NDArray[np.intp]
    local: Floats
    outward: Floats
    places: Floats
    normals: Floats
    usable: Flags
    clear: Floats


@dataclass(frozen=True, eq=False)
class SeenOutlines:
    """What is seen across the outlines of pieces, at points along all of them.

    Attributes
    ----------
    points : the points
    seen : where an outline is seen
    usable : those of them that are not at a hinge
    middle : how far out it is, in units
    thick : how thick its line is, in units
    line : how thick most of it is
    ink : its colour; None where there is none
    """

    points: _Points
    seen: Flags
    usable: Flags
    middle: Floats
    thick: Floats
    line: float
    ink: Floats | None


def see_outlines(
    close: CloseView,
    owner: Owners,
    colors: Floats,
    shapes: Sequence[HingeShape],
    poses: Floats,
    discs: Sequence[tuple[float, float, float]],
    config: ExactConfig,
    light: Field | None = None,
) -> SeenOutlines:
    """Looks across the outlines of pieces at poses in pixels.

    ``colors`` are those of the pieces and of the ground, and ``discs``, (x, y, radius) in pixels, may lie on any piece;
    ``light``, (h, w, 3), is how much lighter pieces are at each place.
    """
    points = _points(shapes, poses, close.unit, config)
    for x, y, radius in discs:
        # What is looked across may go through a disc that lies beside the edge.
        far = np.array([x, y]) - points.places
        out = np.abs((far * points.normals).sum(axis=1)) - config.reach * close.unit
        aside = np.abs(far[:, 0] * points.normals[:, 1] - far[:, 1] * points.normals[:, 0])
        points.usable[np.hypot(np.maximum(out, 0), aside) <= radius] = False
    count = 2 * int(np.ceil(2 * config.reach * close.unit)) + 1
    reach = np.linspace(-config.reach, config.reach, count)
    # In x and in y apart, since NumPy is slow over an axis of two.
    x, y = (
        place[:, None] + (reach * close.unit) * normal[:, None]
        for place, normal in zip(points.places.T, points.normals.T, strict=True)
    )
    at_x, at_y = ((one - 0.5).astype(np.float32) for one in (x, y))
    drawn = cv2.remap(close.pixels, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    shown = np.asarray(drawn, np.float32)
    beyond, plain = _owned(close, owner, points, (x, y), reach, config)
    for number, shape in enumerate(shapes):
        # The edge of a piece that lies over this one is not this one's.
        on = beyond == number
        plain[on] &= covered_by(points.places[on], shape, poses[number], close.unit, -config.reach)
    own, other = colors[points.piece].astype(np.float32), colors[beyond].astype(np.float32)
    if light is not None:
        # Either side in one light, that which it has at the edge.
        lit = np.asarray(cv2.remap(light, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)
        inner, outer = int((reach < -config.near).sum()) - 1, count - int((reach > config.near).sum())
        for color, part, at in ((own, slice(inner), inner), (other, slice(outer + 1, None), outer)):
            shown[:, part] -= lit[:, part] - lit[:, at : at + 1]
            color += lit[:, at]
    away = farthest(shown, own[:, None])
    beside = farthest(shown, other[:, None])
    contrast = np.abs(own - other).max(axis=1)
    peak, strength = _lines(shown, own, other)
    noise = _noise(shown, own, reach)
    least = config.line + config.noise_weight * noise
    lined = strength > least
    clear = contrast > config.contrast + config.noise_weight * noise
    first = np.where(lined, np.abs(peak - own).max(axis=1), contrast) / 2
    last = np.where(lined, np.abs(peak - other).max(axis=1), contrast) / 2
    begins = _crossing(away, first, reach)
    ends = -_crossing(beside[:, ::-1], last, reach)
    thick, middle = ends - begins, (begins + ends) / 2
    seen = plain & (lined | clear)
    sure = seen & points.usable & (points.clear > config.reach)
    line, ink = 0.0, None
    if sure.any() and float(lined[sure].mean()) > config.lined:
        # Where the line has nearly the colour of what it lies at, one side of it tells where it is.
        ink = np.median(peak[sure & lined], axis=0).astype(np.float64)
        like_own, like_other = (np.abs(ink - color).max(axis=1) < config.alike * least for color in (own, other))
        both = sure & lined & ~like_own & ~like_other
        line = max(0.0, float(np.median(thick[both]))) if both.any() else 0.0
        middle = np.where(like_own, ends - line / 2, np.where(like_other, begins + line / 2, middle))
        thick = np.where(like_own | like_other, line, thick)
        seen &= ~(like_own & like_other)
    elif sure.any():
        line = max(0.0, float(np.median(thick[sure])))
    # Near to a corner the other side's line is seen.
    usable = seen & points.usable & (points.clear > line / 2 + config.corner + config.off_px / close.unit)
    return SeenOutlines(points, seen, usable, middle, thick, line, ink)


def _owned(
    close: CloseView, owner: Owners, points: _Points, tried: tuple[Floats, Floats], reach: Floats, config: ExactConfig
) -> tuple[NDArray[np.int16], Flags]:
    """What lies beyond each point, and whether nothing else is near by."""
    height, width = owner.shape
    left, top, right, bottom = close.inner
    # Of a chain that was cut out closely the outermost edges have little ground beside them.
    shown_x, shown_y = (one[:, np.abs(reach) <= config.rim] for one in tried)
    plain = (shown_x.min(axis=1) > left + 1) & (shown_x.max(axis=1) < right - 1)
    plain &= (shown_y.min(axis=1) > top + 1) & (shown_y.max(axis=1) < bottom - 1)
    # Lines of pieces reach beyond them.
    wider = reach * (1 + config.beside / config.reach)
    inside, outside = reach < -config.near, reach > config.near
    # Where that is in x, and in y.
    (x, y), (out_x, out_y) = (one.T.astype(np.float32)[..., None] for one in (points.places, points.normals))
    far = (wider * close.unit).astype(np.float32)
    to_x, to_y = x + far * out_x, y + far * out_y
    for aside in (0.0, -config.beside, config.beside):
        by = np.float32(aside * close.unit)
        columns = np.clip((to_x - by * out_y).astype(np.int32), 0, width - 1)
        rows = np.clip((to_y + by * out_x).astype(np.int32), 0, height - 1)
        owners = owner.ravel().take(rows * width + columns)
        if aside == 0.0:
            beyond = owners[:, -1]
        plain &= (owners[:, inside] == points.piece[:, None]).all(axis=1)
        plain &= (owners[:, outside] == beyond[:, None]).all(axis=1)
    plain &= beyond != points.piece
    return beyond, plain


@dataclass(frozen=True, eq=False)
class WholeFit:
    """How a whole chain lies to where it was laid: moved, in units, y up; turned, in radians; grown across and up."""

    moved: Floats
    turned: float
    grown: tuple[float, float]

    @property
    def matters(self) -> bool:
        """Whether it is anything but what it was."""
        return bool(self.moved.any()) or self.turned != 0 or self.grown != (1, 1)


def fit_whole(seen: SeenOutlines, first: Floats, unit: float, config: ExactConfig) -> WholeFit:
    """Fits a whole chain, turned and resized about its first piece's centre, in pixels.

    It is only moved where that fits much better, and its two directions are resized apart only where that does.
    """
    points, use = seen.points, seen.usable
    if use.sum() < config.least_points:
        return WholeFit(np.zeros(2), 0.0, (1.0, 1.0))
    out = points.normals[use] * (1, -1)
    at = (points.places[use] - first) / unit * (1, -1)
    along = out * at
    terms = np.column_stack([out, out[:, 1] * at[:, 0] - out[:, 0] * at[:, 1], along.sum(axis=1)])
    wanted = seen.middle[use]
    best = np.zeros(len(config.whole))
    off, far = np.abs(wanted), config.reach / 2
    if float(np.minimum(off, far).mean()) < config.whole_good:
        return WholeFit(np.zeros(2), 0.0, (1.0, 1.0))
    for columns in (terms, np.column_stack([terms, along[:, 0] - along[:, 1]])):
        prior = config.whole[: columns.shape[1]]
        fitted, less, _ = _robust(columns, wanted, config.whole_noise, prior, config)
        if float(np.minimum(less, far).mean()) < config.apart * float(np.minimum(off, far).mean()):
            best = np.zeros(len(config.whole))
            best[: len(fitted)] = fitted
            off = less
    x, y, turned, grown, by = (float(value) for value in best)
    return WholeFit(np.array([x, y]), turned, (1 + grown + by, 1 + grown - by))


def fit_pieces(seen: SeenOutlines, count: int, unit: float, config: ExactConfig) -> tuple[OutlineFit, ...]:
    """Of each of so many pieces how it lies to where it was laid."""
    fits = []
    for number in range(count):
        mine = seen.points.piece == number
        fits.append(
            _fit(
                seen.points.local[mine],
                seen.points.outward[mine],
                float(seen.seen[mine].mean()),
                seen.usable[mine],
                seen.middle[mine],
                (np.abs(seen.thick - seen.line) > config.widest)[mine],
                config.off + config.off_px / unit,
                config.noise + config.noise_px / unit,
                config,
            )
        )
    return tuple(fits)


def _noise(shown: NDArray[np.float32], own: NDArray[np.float32], reach: Floats) -> float:
    """A standard deviation of pixels within pieces."""
    scale = 1.4826  # not a threshold: a standard deviation over the median distance
    return scale * median(np.abs(shown[:, reach < reach[0] / 2] - own[:, None]))


def _points(shapes: Sequence[HingeShape], poses: Floats, unit: float, config: ExactConfig) -> _Points:
    piece, local, outward, places, normals, usable, clear = [], [], [], [], [], [], []
    for number, shape in enumerate(shapes):
        samples = samples_of(shape, config.samples_unit, config.grid)
        cos, sin = np.cos(poses[number][2]), np.sin(poses[number][2])
        turn = np.array([[cos, -sin], [-sin, -cos]])  # y down
        outline = outline_of(shape)
        ends = ([outline.left] if number else []) + ([outline.right] if number < len(shapes) - 1 else [])
        free = np.ones(len(samples.edge), bool)
        for end in ends:
            free &= np.hypot(samples.edge[:, 0] - end, samples.edge[:, 1]) > config.joint
        piece.append(np.full(len(samples.edge), number))
        local.append(samples.edge)
        outward.append(samples.normal)
        places.append(poses[number][:2] + samples.edge @ turn.T * unit)
        normals.append(samples.normal @ turn.T)
        usable.append(free)
        clear.append(_clear_of(shape, config))
    return _Points(*(np.concatenate(one) for one in (piece, local, outward, places, normals, usable, clear)))


@lru_cache(maxsize=16)  # not a threshold: how much is kept
def _clear_of(shape: HingeShape, config: ExactConfig) -> Floats:
    """Of each point along a piece's edge how far its other sides are from what is looked at within the piece."""
    samples = samples_of(shape, config.samples_unit, config.grid)
    outward, out = planes_of(shape)
    lengths = np.hypot(outward[0], outward[1])
    clear = np.full(len(samples.edge), np.inf)
    for depth in (0.0, config.reach):
        inwards = (out - (samples.edge - depth * samples.normal) @ outward) / lengths
        # Its own side is the one that it looks across.
        inwards[samples.normal @ (outward / lengths) > 1 - 1e-9] = np.inf
        clear = np.minimum(clear, inwards.min(axis=1))
    return np.asarray(clear, np.float64)


def _lines(
    shown: NDArray[np.float32], own: NDArray[np.float32], other: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The colour of each profile that is farthest from mixtures of what lies at its ends, and how far it is."""
    axis = other - own
    length = np.maximum((axis * axis).sum(axis=1), np.float32(1e-9))
    away = shown - own[:, None]
    share = np.clip(np.einsum("nkc,nc->nk", away, axis) / length[:, None], 0, 1)
    off = farthest(away, share[..., None] * axis[:, None])
    at = off.argmax(axis=1)
    rows = np.arange(len(shown))
    return shown[rows, at], off[rows, at]


def _crossing(values: NDArray[np.float32], level: NDArray[np.float32], reach: Floats) -> Floats:
    """Where values first rise above a level, between samples."""
    over = values > level[:, None]
    at = over.argmax(axis=1)
    rows = np.arange(len(values))
    before = np.maximum(at - 1, 0)
    low, high = values[rows, before], values[rows, at]
    share = np.clip((level - low) / np.maximum(high - low, np.float32(1e-9)), 0, 1)
    found = reach[before] + share * (reach[at] - reach[before])
    return np.asarray(np.where(over.any(axis=1), np.where(at == 0, reach[0], found), reach[-1]), np.float64)


def _fit(
    local: Floats,
    outward: Floats,
    share: float,
    usable: Flags,
    middle: Floats,
    thick: Flags,
    most: float,
    noise: float,
    config: ExactConfig,
) -> OutlineFit:
    if usable.sum() < config.least_points:
        return OutlineFit((0.0, 0.0), 0.0, np.inf, 0.0, share, 0.0)
    near, out = local[usable], outward[usable]
    terms = np.column_stack([out, out[:, 1] * near[:, 0] - out[:, 0] * near[:, 1], np.ones(len(near))])
    # Where something lies on an outline it does not tell where that is; of a side it may be all that is seen.
    own = ~thick[usable] if (usable & ~thick).sum() >= config.least_points else np.ones(len(near), bool)
    fitted, _, system = _robust(terms[own], middle[usable][own], noise, config.prior, config)
    off = np.abs(middle[usable] - terms @ fitted)
    bad = np.zeros(len(local), bool)
    bad[usable] = (off > most) | thick[usable]
    deviation = noise * float(np.sqrt(np.linalg.inv(system)[2, 2]))
    x, y, turn, grown = (float(value) for value in fitted)
    return OutlineFit((x, y), turn, deviation, grown, share, _longest(bad, usable) / config.samples_unit)


def _robust(
    terms: Floats, wanted: Floats, noise: float, prior: Sequence[float], config: ExactConfig
) -> tuple[Floats, Floats, Floats]:
    """What makes terms what is wanted, without what is far off; how far each is off, and the system that was solved."""
    known = np.diag((noise / np.array(prior)) ** 2)
    weights = np.ones(len(terms))
    for _ in range(config.rounds):
        weighted = terms * weights[:, None]
        system = weighted.T @ terms + known
        fitted = np.linalg.solve(system, weighted.T @ wanted)
        off = np.abs(wanted - terms @ fitted)
        weights = 1 / np.maximum(1, off / noise) ** 2
    return np.asarray(fitted, np.float64), np.asarray(off, np.float64), np.asarray(system, np.float64)


def _longest(bad: Flags, usable: Flags) -> int:
    """The longest run of bad points around a closed outline, where what is not seen says nothing."""
    wrong = bad[usable]
    if not wrong.any():
        return 0
    if wrong.all():
        return len(wrong)
    runs = np.flatnonzero(~np.roll(wrong, -int(wrong.argmin())))
    return int(np.diff(np.append(runs, len(wrong))).max()) - 1
