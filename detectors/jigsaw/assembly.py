"""Which of the given pieces lies in each quarter of a picture, which way up, and how far it is what was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from detectors.jigsaw.comparing import beside, detail_of, smoothed
from detectors.jigsaw.config import AssemblyConfig, Box, Flags, Floats, Frame, Pixels
from detectors.jigsaw.expecting import expected
from detectors.jigsaw.framing import frame_by_pieces, frames_of
from detectors.jigsaw.leftover import altered_maps
from detectors.jigsaw.pieces import LaidPiece, PieceTurn
from detectors.jigsaw.placing import Match, Placed, placed, placed_alike, ranked
from detectors.jigsaw.straightening import displaced, straightened, tight_frame

QUARTERS = 4  # not a threshold: a picture has so many


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
    displaced : by how much of a side it is off the place, or the size, that the others have
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
    displaced: float
    box: Box
    space: Box


@dataclass(frozen=True)
class Assembly:
    """What a picture shows: of each quarter what lies there, and the frame that they were looked for in."""

    quarters: tuple[QuarterSeen, ...]
    frame: Frame


def find_assembly(picture: Pixels, laid: Sequence[LaidPiece], config: AssemblyConfig) -> Assembly:
    """Looks for the pieces in the quarters of a candidate.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
    laid : sequence of LaidPiece
        All pieces in all ways.
    config : AssemblyConfig
    """
    height, width = picture.shape[:2]
    times = max(height, width) / config.most_px
    if times <= 1:
        return _find(picture, laid, config)
    size = (max(1, round(width / times)), max(1, round(height / times)))
    found = _find(np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8), laid, config)
    across, down = width / size[0], height / size[1]
    quarters = tuple(
        replace(one, box=_times(one.box, across, down), space=_times(one.space, across, down)) for one in found.quarters
    )
    left, top, right, bottom = _times(found.frame, across, down)
    return Assembly(quarters, (round(left), round(top), round(right), round(bottom)))


def _times(box: Box | Frame, across: float, down: float) -> Box:
    """A box in the pixels of a picture that is larger by so much."""
    return box[0] * across, box[1] * down, box[2] * across, box[3] * down


def _find(picture: Pixels, laid: Sequence[LaidPiece], config: AssemblyConfig) -> Assembly:
    best = _best([_tried(picture, one, laid, config) for one in frames_of(picture, config.framing)], config)
    if best.total < QUARTERS * config.sure or best.least < config.sure_each:
        page = frame_by_pieces(picture, laid, config.framing)
        best = best if page is None else _best([best, _tried(picture, page, laid, config)], config)
    found = _closely(picture, best, config)
    for _ in range(config.tighter_rounds):
        tight = tight_frame(found, best.frame, config)
        if tight is None:
            break
        again = _closely(picture, _tried(picture, tight, laid, config), config)
        if sum(one.detail for one in again) <= sum(one.detail for one in found) - config.most_worse:
            break
        best, found = replace(best, frame=tight), again
    straight = straightened(picture, found, config)
    if straight is None:
        return Assembly(_seen(found, laid, config), best.frame)
    # A photograph of the picture, taken aslant.
    height, width = straight.picture.shape[:2]
    again = _closely(straight.picture, _tried(straight.picture, (0, 0, width, height), laid, config), config)
    seen = tuple(
        replace(one, box=straight.back(one.box), space=straight.back(one.space)) for one in _seen(again, laid, config)
    )
    return Assembly(seen, best.frame)


@dataclass(frozen=True)
class _Tried:
    """A frame, the pieces by how much each quarter of it is like them, and the likeness of the best together."""

    frame: Frame
    matched: tuple[tuple[Match, ...], ...]

    @property
    def total(self) -> float:
        return sum(one[0].likeness for one in self.matched)

    @property
    def least(self) -> float:
        return min(one[0].likeness for one in self.matched)


def _tried(picture: Pixels, frame: Frame, laid: Sequence[LaidPiece], config: AssemblyConfig) -> _Tried:
    return _Tried(frame, tuple(tuple(ranked(picture, frame, at, laid, config)) for at in range(QUARTERS)))


def _best(tried: Sequence[_Tried], config: AssemblyConfig) -> _Tried:
    """The first of those that are much alike."""
    best = tried[0]
    for one in tried[1:]:
        if one.total > best.total + config.least_gained:
            best = one
    return best


def _closely(picture: Pixels, tried: _Tried, config: AssemblyConfig) -> list[Placed]:
    """The best pieces of each quarter again, at the larger size."""
    found = [placed(picture, tried.frame, quarter, one, config) for quarter, one in enumerate(tried.matched)]
    return placed_alike(found, config)


def _seen(found: Sequence[Placed], laid: Sequence[LaidPiece], config: AssemblyConfig) -> tuple[QuarterSeen, ...]:
    """What of the best pieces is not as it was given."""
    wanted = expected(found, config)
    maps = altered_maps(found, wanted, laid, config)
    away = displaced(found, config)
    return tuple(_quarter(*one, config) for one in zip(found, wanted, maps, away, strict=True))


def _quarter(one: Placed, wanted: Floats, altered: Flags, away: float, config: AssemblyConfig) -> QuarterSeen:
    height, width = wanted.shape[:2]
    across, down = round(config.rim * width), round(config.rim * height)
    inner = np.s_[down : height - down, across : width - across]
    soft, want = (smoothed(picture, one.smooth_px)[inner] for picture in (one.aligned, wanted))
    shift, rough = beside(one.aligned, wanted, config.rim, config.rough_px)
    count, _, stats, _ = cv2.connectedComponentsWithStats(altered.astype(np.uint8))
    largest = int(stats[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0
    return QuarterSeen(
        quarter=one.quarter,
        piece=one.best.laid.piece,
        turn=one.best.laid.turn,
        likeness=one.best.likeness,
        other=one.other,
        altered=float(altered.mean()),
        blob=largest / altered.size,
        detail=detail_of(soft, want, config.detail_px),
        shift=shift,
        rough=rough,
        displaced=away,
        box=_around(one),
        space=one.space,
    )


def _around(one: Placed) -> Box:
    """The box around a piece in the candidate."""
    (left, top), (right, bottom) = one.corners.min(axis=0), one.corners.max(axis=0)
    return float(left), float(top), float(right), float(bottom)
