"""What is drawn onto pieces in their places, however thin: all that is neither their colour nor writing.

A thin line is seen as a person sees it: what differs adds up over all that hangs together, contrast times the root of
the area, whatever its shape and direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median, quantile
from detectors.common.residual.ground import fit_ground
from detectors.common.residual.mixing import channel_medians, contrasts, lengths, seen
from detectors.form_board.config import StrokeConfig
from detectors.form_board.shapes import CORNERS, Mask

_USUAL = 0.9  # not a threshold: nine tenths
Window = tuple[slice, slice]


@dataclass(frozen=True, eq=False)
class PieceInside:
    """A piece in its place: its window in a zoom, how deep in it pixels lie, and from how deep on rims can't be."""

    label: str
    window: Window
    depth: NDArray[np.float32]
    reach: float

    @cached_property
    def inside(self) -> Mask:
        """(h, w) bool, what is away from the rim."""
        return np.asarray(self.depth > self.reach, np.bool_)


@dataclass(frozen=True, eq=False)
class _Stroke:
    """Something drawn on a piece.

    Attributes
    ----------
    piece : the piece's place among all
    rows, columns : where its pixels are, in the zoom
    rim : (n,) bool, which of them lie beside where rims may be
    parts : of how many parts away from there it is, where only what is strongest is looked at
    """

    piece: int
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    rim: NDArray[np.bool_]
    parts: int


def find_strokes(
    picture: NDArray[np.uint8], pieces: Sequence[PieceInside], side: float, config: StrokeConfig
) -> tuple[tuple[str, tuple[float, float, float, float]], ...]:
    """Finds what is drawn onto pieces.

    Parameters
    ----------
    picture : (h, w, 3) uint8 RGB
        A zoom of the board.
    pieces : sequence of PieceInside
    side : float
        The silhouette's longer side in pixels.
    config : StrokeConfig

    Returns
    -------
    tuple of (label, box)
        Left, top, right, bottom in pixels of the zoom; the largest of each thing first.
    """
    strokes = [stroke for number, one in enumerate(pieces) for stroke in _strokes(number, one, picture, side, config)]
    specks = [one for one in strokes if len(one.rows) <= config.speck_px]
    if len(specks) > config.specks:
        strokes = [one for one in strokes if len(one.rows) > config.speck_px]
    found: list[tuple[int, str, tuple[float, float, float, float]]] = []
    lettered: dict[int, int] = {}
    for group in _groups(strokes, config.near * side):
        own = [one for one in group if one.parts]
        held = {one.piece for one in own} or {group[0].piece}
        for piece in held:
            lettered[piece] = lettered.get(piece, 0) + 1
        few = all(
            sum(one.parts for one in own if one.piece == piece) <= len(pieces[piece].label) and lettered[piece] == 1
            for piece in held
        )
        if few and _is_letter(group, side, config):
            continue
        for one in group:
            box = (one.columns.min(), one.rows.min(), one.columns.max() + 1, one.rows.max() + 1)
            found.append((len(one.rows), pieces[one.piece].label, tuple(map(float, box))))  # type: ignore[arg-type]
    return tuple((label, box) for _, label, box in sorted(found, key=lambda one: (-one[0], one[2])))


def _strokes(
    number: int, one: PieceInside, picture: NDArray[np.uint8], side: float, config: StrokeConfig
) -> list[_Stroke]:
    """What hangs together and differs plainly from the piece's own colour, which may vary smoothly."""
    at = np.flatnonzero(one.inside)
    if at.size < config.least_px:
        return []
    shown = picture[one.window]
    # In most pictures that models make, most pieces have one colour.
    levels = shown.reshape(-1, 3).take(at, axis=0)
    if int((levels.max(axis=0).astype(np.int16) - levels.min(axis=0)).max()) <= config.even:
        return []
    part = seen(np.asarray(cv2.GaussianBlur(shown, (0, 0), config.smooth_px), np.uint8))
    rough = contrasts(part, channel_medians(part.reshape(-1, 3).take(at[:: max(1, at.size // config.told)], axis=0)))
    if float(rough.ravel().take(at).max()) <= config.visible:
        return []
    away = lengths(part - fit_ground(part, at, config.ground).surface)
    deep = away.ravel()[at]
    # Of what is written large more than a tenth of the piece is covered; then it is no noise.
    noise = min(quantile(deep, _USUAL), config.tail * median(deep))
    level = max(config.visible, config.noise * noise)
    mask = np.asarray(one.inside & (away > level), np.bool_)
    if not mask.any():
        return []
    closed = cv2.morphologyEx(mask.view(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, parts, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=CORNERS)
    down, across = one.window
    found = []
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] < config.least_px:
            continue
        here = (parts == label) & mask
        contrast = away[here]
        # What is not deep anywhere runs along the rim, and is the rim.
        if float(one.depth[here].max()) <= one.reach + config.shallow * side:
            continue
        if float(np.sqrt((np.minimum(contrast, config.most) ** 2).sum())) < config.plain:
            continue
        strong = here & (away > config.strong * float(contrast.max()))
        many, named = cv2.connectedComponents(strong.view(np.uint8), connectivity=CORNERS)
        # not a threshold: beside where rims may be
        rim = np.asarray(one.depth <= one.reach + 1.0, np.bool_)
        sizes = np.bincount(named.ravel(), minlength=many)
        cut_off = np.bincount(named[strong & rim], minlength=many) > 0
        whole = int(np.count_nonzero(((sizes >= config.least_px) & ~cut_off)[1:]))
        rows, columns = np.nonzero(here)
        found.append(_Stroke(number, rows + down.start, columns + across.start, rim[here], whole))
    return found


def _groups(strokes: Sequence[_Stroke], near: float) -> list[list[_Stroke]]:
    """What lies so near to each other that it may be one letter."""
    boxes = [(one.columns.min(), one.rows.min(), one.columns.max(), one.rows.max()) for one in strokes]
    groups: list[list[int]] = []
    for at, box in enumerate(boxes):
        joined = [at]
        left = []
        for group in groups:
            if any(_apart(box, boxes[other]) <= near for other in group):
                joined += group
            else:
                left.append(group)
        groups = [*left, joined]
    return [[strokes[at] for at in sorted(group)] for group in groups]


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    return float(max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3]))


def _is_letter(group: Sequence[_Stroke], side: float, config: StrokeConfig) -> bool:
    """Whether it is as compact as a letter, and no straight stroke."""
    rows = np.concatenate([one.rows for one in group]).astype(np.float64)
    columns = np.concatenate([one.columns for one in group]).astype(np.float64)
    if max(np.ptp(rows), np.ptp(columns)) + 1 > config.letter * side:
        return False
    rows, columns = rows - rows.mean(), columns - columns.mean()
    xx, yy, xy = float((columns**2).mean()), float((rows**2).mean()), float((rows * columns).mean())
    half, off = (xx + yy) / 2, float(np.hypot((xx - yy) / 2, xy))
    # Of an ellipse the deviations along its axes.
    slim = float(np.sqrt(max(0.0, half - off) / max(half + off, 1e-9)))  # not a threshold: against a division by 0
    angle = float(np.arctan2(2 * xy, xx - yy)) / 2  # not a threshold: of the longer axis
    along = np.cos(angle) * columns + np.sin(angle) * rows
    rim = np.concatenate([one.rim for one in group])
    low, high = float(along.min()), float(along.max())
    end = config.end * (high - low)
    crosses = bool(rim[along <= low + end].any() and rim[along >= high - end].any())
    return slim >= (config.slim_across if crosses else config.slim)
