"""Which of the given pieces lies in each quarter of a picture, which way up, and how far it is what was given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from detectors.jigsaw.colors import Tint, beside_tint, common_tint
from detectors.jigsaw.pieces import AssemblyConfig, Flags, Floats, LaidPiece, PieceTurn, Pixels, frames_of

QUARTERS = 4  # not a threshold: a picture has so many
_LEVELS = 256  # not a threshold: of a byte
_SMALLEST = 4  # not a threshold: less is no picture to search with


@dataclass(frozen=True)
class QuarterSeen:
    """What lies in a quarter.

    Attributes
    ----------
    quarter : 0 top left, 1 top right, 2 bottom left, 3 bottom right
    piece : the number of the piece that is most like it, from 1
    turn : which way it lies
    likeness : correlation with it, -1 to 1
    other : correlation with the most similar other piece, or the same in another way
    altered : share of it that differs from the piece
    blob : largest coherent share of it that does
    detail : correlation of its fine structure with the piece's, -1 to 1
    shift : by how many levels of 255 it is lighter or darker in the mean, beside what all four pieces are
    rough : how far its finest structure is off the piece's, in levels of 255
    box : left, top, right, bottom of where the piece was found, in the candidate's pixels
    space : the same of the quarter itself
    """

    quarter: int
    piece: int
    turn: PieceTurn
    likeness: float
    other: float
    altered: float
    blob: float
    detail: float
    shift: float
    rough: float
    box: tuple[float, float, float, float]
    space: tuple[float, float, float, float]


@dataclass(frozen=True)
class Assembly:
    """What a picture shows: of each quarter what lies there, and the frame that they were looked for in."""

    quarters: tuple[QuarterSeen, ...]
    frame: tuple[int, int, int, int]


@dataclass(frozen=True)
class _Match:
    laid: LaidPiece
    likeness: float
    left: float
    top: float
    scale: float


def find_assembly(picture: Pixels, laid: Sequence[LaidPiece], config: AssemblyConfig) -> Assembly:
    """Looks for the pieces in the quarters of a candidate.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
    laid : sequence of LaidPiece
        All pieces in all ways.
    config : AssemblyConfig
    """
    best: tuple[float, Assembly] | None = None
    for frame in frames_of(picture, config):
        matched = [_coarse(picture, frame, quarter, laid, config) for quarter in range(QUARTERS)]
        total = sum(one[0].likeness for one in matched)
        if best is None or total > best[0] + config.least_gained:
            best = (total, Assembly(_closely(picture, frame, matched, config), frame))
    if best is None:
        raise RuntimeError("a picture has at least one frame")
    return best[1]


def _window(
    picture: Pixels, frame: tuple[int, int, int, int], quarter: int, size: tuple[int, int], reach: float
) -> Pixels:
    """A quarter with what lies around it, at the size of a piece."""
    left, top, right, bottom = frame
    row, column = divmod(quarter, 2)
    width, height = (right - left) / 2, (bottom - top) / 2
    pad = round(reach * size[0]), round(reach * size[1])
    scale = width / size[0], height / size[1]
    first = left + column * width, top + row * height
    # Reduced by areas first, so that nothing is skipped; then cut with what may lie outside the frame.
    full = (max(1, round(picture.shape[1] / scale[0])), max(1, round(picture.shape[0] / scale[1])))
    way = cv2.INTER_AREA if min(scale) > 1 else cv2.INTER_LINEAR
    small = cv2.resize(picture, full, interpolation=way)
    across, down = full[0] / picture.shape[1], full[1] / picture.shape[0]
    matrix = np.array([[1, 0, pad[0] - first[0] * across], [0, 1, pad[1] - first[1] * down]])
    out = (size[0] + 2 * pad[0], size[1] + 2 * pad[1])
    made = cv2.warpAffine(small, matrix, out, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(made, np.uint8)


def _inner(piece: Pixels, rim: float) -> tuple[Pixels, int, int]:
    """A piece without its rim, and how wide that is."""
    height, width = piece.shape[:2]
    across, down = round(rim * width), round(rim * height)
    return piece[down : height - down, across : width - across], across, down


def _search(window: Pixels, laid: LaidPiece, piece: Pixels, scales: Floats, config: AssemblyConfig) -> _Match:
    """The best place and size of a piece in a window; its corner is in pixels of the window."""
    inner, across, down = _inner(piece, config.rim)
    best = _Match(laid, -1.0, 0.0, 0.0, 1.0)
    for scale in scales:
        size = (max(_SMALLEST, round(inner.shape[1] * scale)), max(_SMALLEST, round(inner.shape[0] * scale)))
        if size[0] > window.shape[1] or size[1] > window.shape[0]:
            continue
        template = cv2.resize(inner, size, interpolation=cv2.INTER_AREA)
        found = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED)
        found[~np.isfinite(found)] = -1
        _, value, _, place = cv2.minMaxLoc(found)
        if value > best.likeness:
            best = _Match(
                laid, float(value), float(place[0] - across * scale), float(place[1] - down * scale), float(scale)
            )
    return best


def _scales(config: AssemblyConfig) -> Floats:
    return np.linspace(config.least_scale, config.most_scale, config.scales, dtype=np.float32)


def _coarse(
    picture: Pixels, frame: tuple[int, int, int, int], quarter: int, laid: Sequence[LaidPiece], config: AssemblyConfig
) -> list[_Match]:
    """All pieces by how much a quarter is like them, at the small size."""
    size = (laid[0].coarse.shape[1], laid[0].coarse.shape[0])
    window = _window(picture, frame, quarter, size, config.reach)
    found = [_search(window, one, one.coarse, _scales(config), config) for one in laid]
    return sorted(found, key=lambda one: -one.likeness)


def _closely(
    picture: Pixels, frame: tuple[int, int, int, int], matched: list[list[_Match]], config: AssemblyConfig
) -> tuple[QuarterSeen, ...]:
    """The best pieces of each quarter again, at the larger size, and what of the best is not as it was given."""
    placed = []
    for quarter, ranked in enumerate(matched):
        fine = ranked[0].laid.fine
        size = (fine.shape[1], fine.shape[0])
        window = _window(picture, frame, quarter, size, config.reach)
        close = sorted(
            (_search(window, one.laid, one.laid.fine, _scales(config), config) for one in ranked[: config.kept]),
            key=lambda one: -one.likeness,
        )
        near = close[0].scale + np.linspace(-config.near_scale, config.near_scale, config.near_scales, dtype=np.float32)
        close[0] = _search(window, close[0].laid, close[0].laid.fine, near, config)
        placed.append(_placed(quarter, window, close, frame, config))
    tint = common_tint([(one.aligned, one.piece) for one in placed], config)
    return tuple(_quarter(one, tint, config) for one in placed)


@dataclass(frozen=True, eq=False)
class _Placed:
    """A quarter with the piece that is most like it: what is shown in the piece's frame, and where that is.

    ``there`` says which pixels lie in the frame; ``smooth_px`` and ``tolerance`` allow for how much it was enlarged.
    """

    quarter: int
    best: _Match
    other: float
    aligned: Pixels
    piece: Pixels
    there: Flags
    smooth_px: float
    tolerance: float
    box: tuple[float, float, float, float]
    space: tuple[float, float, float, float]


def _quarter(placed: _Placed, tint: Tint, config: AssemblyConfig) -> QuarterSeen:
    tinted = tint.of(placed.piece)
    altered, blob, detail = _compared(placed.aligned, tinted, placed.there, placed.smooth_px, placed.tolerance, config)
    shift, rough = beside_tint(placed.aligned, tinted, config)
    best = placed.best
    return QuarterSeen(
        quarter=placed.quarter,
        piece=best.laid.piece,
        turn=best.laid.turn,
        likeness=best.likeness,
        other=placed.other,
        altered=altered,
        blob=blob,
        detail=detail,
        shift=shift,
        rough=rough,
        box=placed.box,
        space=placed.space,
    )


def _placed(
    quarter: int, window: Pixels, close: list[_Match], frame: tuple[int, int, int, int], config: AssemblyConfig
) -> _Placed:
    best = close[0]
    piece = best.laid.fine
    height, width = piece.shape[:2]
    row, column = divmod(quarter, 2)
    across, down = (frame[2] - frame[0]) / 2 / width, (frame[3] - frame[1]) / 2 / height
    # A smaller picture was enlarged, and with it what JPEG and resizing did to its pixels.
    enlarged = max(1.0, 1 / min(across, down))
    smooth_px = config.smooth_px * enlarged**config.enlarged_power
    soft = _smoothed(piece, smooth_px)
    aligned, place = max(
        ((_warped(window, one, piece), one) for one in _refined(window, piece, best, config)),
        key=lambda one: _detail(_smoothed(one[0], smooth_px), soft, config.detail_px),
    )
    there = _shown(window, place, piece, quarter, config)
    left = frame[0] + (column * width + best.left - round(config.reach * width)) * across
    top = frame[1] + (row * height + best.top - round(config.reach * height)) * down
    box = (left, top, float(left + width * best.scale * across), float(top + height * best.scale * down))
    first = (frame[0] + column * width * across, frame[1] + row * height * down)
    space = (first[0], first[1], first[0] + width * across, first[1] + height * down)
    other = close[1].likeness if len(close) > 1 else -1.0
    return _Placed(quarter, best, other, aligned, piece, there, smooth_px, config.tolerance * enlarged, box, space)


def _warped(window: Pixels, place: Floats, piece: Pixels) -> Pixels:
    """What lies where a piece was found, in the piece's frame."""
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (piece.shape[1], piece.shape[0])
    return np.asarray(cv2.warpAffine(window, place, size, flags=way, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _shown(window: Pixels, place: Floats, piece: Pixels, quarter: int, config: AssemblyConfig) -> Flags:
    """Of each pixel of a piece, whether it lies within the frame, and not beyond an edge of it."""
    height, width = piece.shape[:2]
    across, down = round(config.reach * width), round(config.reach * height)
    row, column = divmod(quarter, 2)
    inside = np.zeros(window.shape[:2], np.uint8)
    rows = slice(0 if row else down, window.shape[0] - (down if row else 0))
    columns = slice(0 if column else across, window.shape[1] - (across if column else 0))
    inside[rows, columns] = 1
    way = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    shown = cv2.warpAffine(inside, place, (width, height), flags=way, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(shown > 0, np.bool_)


def _refined(window: Pixels, piece: Pixels, match: _Match, config: AssemblyConfig) -> list[Floats]:
    """Where a piece was found, and the same moved and stretched by what fits better.

    What fits is told by structure, coarse and then fine; where there is little of it, as in a night sky, it may lead
    astray, so that the caller has to choose.
    """
    height, width = piece.shape[:2]
    start = np.array([[match.scale, 0, match.left], [0, match.scale, match.top]], np.float32)
    greys = [cv2.cvtColor(one, cv2.COLOR_RGB2GRAY).astype(np.float32) for one in (window, piece)]
    greys = [one - cv2.GaussianBlur(one, (0, 0), config.structure_px) for one in greys]
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, config.refine_steps, config.refine_step)
    everywhere = np.ones(window.shape[:2], np.uint8)
    places: list[Floats] = [start]
    for smooth_px in (config.refine_coarse_px, config.refine_fine_px):
        grey, target = (cv2.GaussianBlur(one, (0, 0), smooth_px) for one in greys)
        try:
            _, found = cv2.findTransformECC(target, grey, places[-1].copy(), cv2.MOTION_AFFINE, criteria, everywhere, 1)
        except cv2.error:  # it does not converge where nothing is alike
            continue
        off = np.abs(found - start)
        if max(off[:, :2].max(), off[:, 2].max() / max(height, width)) <= config.most_refined:
            places.append(np.asarray(found, np.float32))
    return places


def _compared(
    aligned: Pixels, piece: Floats, there: Flags, smooth_px: float, tolerance: float, config: AssemblyConfig
) -> tuple[float, float, float]:
    """Share that differs, largest coherent share that does, and correlation of fine structure within the rim."""
    height, width = piece.shape[:2]
    across, down = round(config.rim * width), round(config.rim * height)
    inner = np.s_[down : height - down, across : width - across]
    one, other = _smoothed(aligned, smooth_px), _smoothed(piece, smooth_px)
    expected = _drifted(other, one, inner, config)
    difference = np.abs(one - expected).max(axis=2)
    kernel = np.ones((2 * config.edge_px + 1,) * 2, np.uint8)
    change = (cv2.dilate(expected, kernel) - cv2.erode(expected, kernel)).max(axis=2)
    excess = np.maximum(0, difference - tolerance - config.edge_tolerance * change)
    excess[~_compared_there(excess, there, config)] = 0
    beyond = cv2.GaussianBlur(excess, (0, 0), config.blob_smooth_px) > config.blob_level
    count, _, stats, _ = cv2.connectedComponentsWithStats(beyond.astype(np.uint8))
    largest = int(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0
    area = float(beyond.size)
    return float(beyond.sum()) / area, largest / area, _detail(one[inner], expected[inner], config.detail_px)


def _compared_there(excess: Floats, there: Flags, config: AssemblyConfig) -> Flags:
    """Which pixels are compared: those that are shown, without what differs along most of a side, which is a seam.

    A seam runs along all of a cut. What covers a part of it only, as a disc where pieces meet, is none.
    """
    compared = there.copy()
    least = max(1, round(config.least_seam * max(excess.shape)))
    for side in range(4):  # not a threshold: a piece has so many
        differs, shown, kept = (np.rot90(one, side) for one in (excess > 0, there, compared))
        wide = 0
        for depth in range(round(config.rim * len(differs))):
            row = differs[depth][shown[depth]]
            if row.size and row.mean() <= config.seam_share:
                break
            wide = depth + 1
        kept[: max(least, wide + least if wide else 0)] = False
    return compared


def _smoothed(picture: Pixels | Floats, deviation_px: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), deviation_px), np.float32)


def _drifted(piece: Floats, shown: Floats, inner: tuple[slice, slice], config: AssemblyConfig) -> Floats:
    """A piece with the drift of colours that fits most of what is shown: of each channel a gain, an offset, a curve.

    They are taken from ``inner``, which lies within the rim.
    """
    made = np.empty_like(piece)
    for channel in range(3):
        x, y = piece[..., channel][inner], shown[..., channel][inner]
        open_ = (y > config.clipped) & (y < 255 - config.clipped)  # what is clipped says nothing of the gain
        kept = open_ if open_.any() else np.ones(x.shape, np.bool_)
        gain, offset = 1.0, 0.0
        for _ in range(3):
            a, b = x[kept].astype(np.float64), y[kept].astype(np.float64)
            spread = float(((a - a.mean()) ** 2).mean())
            gain = float(((a - a.mean()) * (b - b.mean())).mean()) / spread if spread > 1 else 1.0
            gain = min(config.most_gain, max(config.least_gain, gain))
            offset = min(config.most_offset, max(-config.most_offset, float(b.mean() - gain * a.mean())))
            off = np.abs(gain * x + offset - y)
            near = open_ & (off <= max(config.tolerance / 2, config.outlier * float(np.median(off))))
            kept = near if near.any() else kept
        line = np.clip(gain * piece[..., channel] + offset, 0, 255)
        made[..., channel] = line + _curve(x, y - line[inner], config)(piece[..., channel])
    return made


def _curve(x: Floats, left: Floats, config: AssemblyConfig) -> Callable[[Floats], Floats]:
    """What a curve of brightness explains beyond a line: medians of bins, joined by lines, within bounds."""
    edges = np.linspace(0, _LEVELS, config.curve_bins + 1)
    bins = np.minimum((x.ravel() / _LEVELS * config.curve_bins).astype(np.int64), config.curve_bins - 1)
    flat = left.ravel()
    centres, values = [], []
    for number in range(config.curve_bins):
        inside = flat[bins == number]
        if len(inside) >= config.curve_least * flat.size:
            centres.append((edges[number] + edges[number + 1]) / 2)
            values.append(min(config.most_curve, max(-config.most_curve, float(np.median(inside)))))
    if not centres:
        return np.zeros_like
    return lambda one: np.interp(one, centres, values).astype(np.float32)


def _detail(shown: Floats, piece: Floats, detail_px: float) -> float:
    """Correlation of what is finer than some pixels, over both pictures' greys."""
    greys = (shown.mean(axis=2), piece.mean(axis=2))
    fine = [grey - cv2.GaussianBlur(grey, (0, 0), detail_px) for grey in greys]
    product = float((fine[0] * fine[1]).sum())
    norm = float(np.sqrt((fine[0] ** 2).sum() * (fine[1] ** 2).sum()))
    return product / norm if norm > 0 else 0.0
