"""Where the put-together picture may lie: all of a candidate, between bars, or where pieces are found on a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from detectors.jigsaw.config import Frame, PageConfig, Pixels
from detectors.jigsaw.pieces import UPRIGHT, LaidPiece

_SMALLEST = 4  # not a threshold: less is no picture to search with


@dataclass(frozen=True)
class _Spot:
    """Where a piece is found on a page, in the page's pixels; how well, and how large it is there."""

    left: int
    top: int
    likeness: float
    width: int
    height: int


def frames_of(picture: Pixels, config: PageConfig) -> list[Frame]:
    """Where the put-together picture may lie: all of a candidate, and what is left between bars of one colour.

    Returns
    -------
    list of (left, top, right, bottom)
    """
    height, width = picture.shape[:2]
    whole = (0, 0, width, height)
    rows = _bars(picture, config)
    columns = _bars(np.ascontiguousarray(picture.transpose(1, 0, 2)), config)
    found = [whole]
    for top, bottom in {(0, height), rows}:
        for left, right in {(0, width), columns}:
            if (left, top, right, bottom) not in found and min(right - left, bottom - top) >= config.least_frame_px:
                found.append((left, top, right, bottom))
    return found


def _bars(picture: Pixels, config: PageConfig) -> tuple[int, int]:
    """Where rows begin and end that are not of one colour."""
    height = len(picture)
    mean = cv2.reduce(picture, 1, cv2.REDUCE_AVG, dtype=cv2.CV_64F).reshape(height, 3)
    power = cv2.reduce(picture.astype(np.float64), 1, cv2.REDUCE_SUM2, dtype=cv2.CV_64F).reshape(height, 3)
    flat = (power / picture.shape[1] - mean**2).max(axis=1) <= config.bar_spread**2
    most = int(config.most_bar * height)
    start = int(np.argmin(flat)) if not flat.all() else 0
    end = int(np.argmin(flat[::-1])) if not flat.all() else 0
    start = start if config.least_bar * height <= start <= most else 0
    end = end if config.least_bar * height <= end <= most else 0
    return start, height - end


def frame_by_pieces(picture: Pixels, laid: Sequence[LaidPiece], config: PageConfig) -> Frame | None:
    """Where upright pieces are found beside and below one another, at one size, on a page that holds no more of them.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
    laid : sequence of LaidPiece
        All pieces in all ways.
    config : PageConfig

    Returns
    -------
    (left, top, right, bottom) in pixels of the picture
        None where fewer than two pieces are found, or all above or all beside one another.
    """
    longest = max(picture.shape[:2])
    scale = config.page_px / longest
    size = (max(_SMALLEST, round(picture.shape[1] * scale)), max(_SMALLEST, round(picture.shape[0] * scale)))
    page = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    pieces = [one.fine for one in laid if one.turn == UPRIGHT]
    shares = np.geomspace(config.least_piece, config.most_piece, config.sizes)
    tried = [list(_spots(page, pieces, float(share) * config.page_px)) for share in shares]
    best = max(tried, key=lambda spots: sum(one.likeness for one in spots), default=[])
    spots = [one for one in best if one.likeness >= config.found]
    if not spots:
        return None
    frame = _around(spots, config)
    if frame is None or not _alone(page, pieces, frame, max(spots[0].width, spots[0].height), config):
        return None
    left, top, right, bottom = (round(edge / scale) for edge in frame)
    return max(0, left), max(0, top), min(picture.shape[1], right), min(picture.shape[0], bottom)


def _spots(page: Pixels, pieces: Sequence[Pixels], longest: float) -> Iterator[_Spot]:
    """Where each piece is most alike at a size."""
    for piece in pieces:
        scale = longest / max(piece.shape[:2])
        width, height = (max(_SMALLEST, round(span * scale)) for span in (piece.shape[1], piece.shape[0]))
        if width > page.shape[1] or height > page.shape[0]:
            continue
        template = cv2.resize(piece, (width, height), interpolation=cv2.INTER_AREA)
        found = cv2.matchTemplate(page, template, cv2.TM_CCOEFF_NORMED)
        found[~np.isfinite(found)] = -1
        _, value, _, place = cv2.minMaxLoc(found)
        yield _Spot(int(place[0]), int(place[1]), float(value), width, height)


def _around(spots: Sequence[_Spot], config: PageConfig) -> Frame | None:
    """The frame of two rows and two columns that places belong to; None where they do not."""
    width, height = spots[0].width, spots[0].height
    edges = []
    for span, starts in ((width, [one.left for one in spots]), (height, [one.top for one in spots])):
        first, last = min(starts), max(starts)
        if not (1 - config.most_apart) * span <= last - first <= (1 + config.most_apart) * span:
            return None
        edges.append((first, last + span))
    return edges[0][0], edges[1][0], edges[0][1], edges[1][1]


def _alone(page: Pixels, pieces: Sequence[Pixels], frame: Frame, longest: int, config: PageConfig) -> bool:
    """Whether the frame takes much of a page, and no piece is found beside it."""
    left, top, right, bottom = frame
    if (right - left) * (bottom - top) < config.least_part * page.shape[0] * page.shape[1]:
        return False
    rest = page.copy()
    rest[max(0, top) : bottom, max(0, left) : right] = np.median(page.reshape(-1, 3), axis=0).astype(np.uint8)
    sizes = longest * np.geomspace(config.smallest_beside, 1, config.sizes_beside)
    return all(one.likeness < config.beside for size in sizes for one in _spots(rest, pieces, float(size)))
