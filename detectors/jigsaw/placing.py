"""Where pieces lie in the quarters of a frame, first small and then closely, and what is shown there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.jigsaw.comparing import detail_of, grey_of, smoothed
from detectors.jigsaw.config import AssemblyConfig, Box, Flags, Floats, Frame, Pixels
from detectors.jigsaw.pieces import LaidPiece, resized_to
from grader.media.warping import warp_affine

AnyPixels = TypeVar("AnyPixels", Pixels, Floats)
_SMALLEST = 4  # not a threshold: less is no picture to search with


@dataclass(frozen=True)
class Match:
    """A piece in a way to lay it, how much it is like a place, and where that is, with its scale, in a window."""

    laid: LaidPiece
    likeness: float
    left: float
    top: float
    scale: float


@dataclass(frozen=True, eq=False)
class Placed:
    """A quarter with the piece that is most like it: what is shown in the piece's frame, and where that is.

    Attributes
    ----------
    size : width and height of the candidate
    frame, quarter : where it was looked for
    best, other : the piece, and how much the next one is alike
    window : the quarter with what lies around it, at the size of the piece
    place : leads from the piece's pixels to the window's
    aligned : what is shown there
    detail : correlation of its fine structure with the piece's
    smooth_px, enlarged : by how much it was smoothed for that, and enlarged before
    """

    size: tuple[int, int]
    frame: Frame
    quarter: int
    best: Match
    other: float
    window: Pixels
    place: Floats
    aligned: Pixels
    detail: float
    smooth_px: float
    enlarged: float

    @property
    def piece(self) -> Pixels:
        """The piece, laid so."""
        return self.best.laid.fine

    @property
    def space(self) -> Box:
        """Left, top, right, bottom of the quarter in the candidate."""
        left, top, right, bottom = self.frame
        row, column = divmod(self.quarter, 2)
        width, height = (right - left) / 2, (bottom - top) / 2
        return left + column * width, top + row * height, left + (column + 1) * width, top + (row + 1) * height

    @cached_property
    def corners(self) -> NDArray[np.float64]:
        """Of the piece in the candidate: (4, 2), top left first, clockwise."""
        height, width = self.piece.shape[:2]
        edges = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
        within = edges[:, :1] * self.place[:, 0] + edges[:, 1:] * self.place[:, 1] + self.place[:, 2]
        left, top, right, bottom = self.space
        pixel = ((right - left) / width, (bottom - top) / height)
        return np.asarray((within - self._rims) * pixel + (left, top), np.float64)

    @property
    def _rims(self) -> tuple[int, int]:
        """How much of the window lies before the quarter."""
        height, width = self.piece.shape[:2]
        return (self.window.shape[1] - width) // 2, (self.window.shape[0] - height) // 2

    @cached_property
    def there(self) -> Flags:
        """Of each pixel of the piece, whether it lies within the frame, and within the candidate."""
        height, width = self.piece.shape[:2]
        across, down = self._rims
        row, column = divmod(self.quarter, 2)
        inside = np.zeros(self.window.shape[:2], np.uint8)
        down_to = (0 if row else down, self.window.shape[0] - (down if row else 0))
        across_to = (0 if column else across, self.window.shape[1] - (across if column else 0))
        left, top, right, bottom = self.space
        rows = _within(down_to, down - top * height / (bottom - top), self.size[1] * height / (bottom - top))
        columns = _within(across_to, across - left * width / (right - left), self.size[0] * width / (right - left))
        inside[rows, columns] = 1
        way = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        shown = cv2.warpAffine(
            inside, self.place, (width, height), flags=way, borderMode=cv2.BORDER_CONSTANT, borderValue=0
        )
        return np.asarray(shown > 0, np.bool_)


def _within(span: tuple[int, int], first: float, length: float) -> slice:
    """A span without what lies before a place, and behind it and a length."""
    return slice(max(0, span[0], math.ceil(first)), max(0, min(span[1], math.floor(first + length))))


def _window(picture: Pixels, frame: Frame, quarter: int, size: tuple[int, int], reach: float) -> Pixels:
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
    return warp_affine(np.asarray(small, np.uint8), matrix, out)


def _inner(piece: AnyPixels, rim: float) -> tuple[AnyPixels, int, int]:
    """A piece without its rim, and how wide that is."""
    height, width = piece.shape[:2]
    across, down = round(rim * width), round(rim * height)
    return piece[down : height - down, across : width - across], across, down


def _search(window: Pixels, laid: LaidPiece, piece: Pixels, scales: Floats, config: AssemblyConfig) -> Match:
    """The best place and size of a piece in a window; its corner is in pixels of the window."""
    inner, across, down = _inner(piece, config.rim)
    best = Match(laid, -1.0, 0.0, 0.0, 1.0)
    for scale in scales:
        size = (max(_SMALLEST, round(inner.shape[1] * scale)), max(_SMALLEST, round(inner.shape[0] * scale)))
        if size[0] > window.shape[1] or size[1] > window.shape[0]:
            continue
        template = cv2.resize(inner, size, interpolation=cv2.INTER_AREA)
        found = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED)
        found[~np.isfinite(found)] = -1
        _, value, _, place = cv2.minMaxLoc(found)
        if value > best.likeness:
            best = Match(
                laid, float(value), float(place[0] - across * scale), float(place[1] - down * scale), float(scale)
            )
    return best


def _scales(config: AssemblyConfig) -> Floats:
    return np.linspace(config.least_scale, config.most_scale, config.scales, dtype=np.float32)


def ranked(
    picture: Pixels, frame: Frame, quarter: int, laid: Sequence[LaidPiece], config: AssemblyConfig
) -> list[Match]:
    """All pieces by how much a quarter is like them, at the small size; at all scales only those that come near."""
    size = (laid[0].coarse.shape[1], laid[0].coarse.shape[0])
    window = _window(picture, frame, quarter, size, config.reach)
    scales = _scales(config)
    middle = scales[len(scales) // 2 :][:1]
    found = sorted((_search(window, one, one.coarse, middle, config) for one in laid), key=lambda one: -one.likeness)
    near = [_search(window, one.laid, one.laid.coarse, scales, config) for one in found[: config.kept_coarse]]
    return sorted([*near, *found[config.kept_coarse :]], key=lambda one: -one.likeness)


def placed(picture: Pixels, frame: Frame, quarter: int, matched: Sequence[Match], config: AssemblyConfig) -> Placed:
    """The best pieces of a quarter looked at closely, at the larger size, and the best of these put in its place.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
    frame : tuple of int
        Where the quarters lie.
    quarter : int
    matched : sequence of Match
        Best first.
    config : AssemblyConfig
    """
    best, other = _near(picture, frame, quarter, matched, config)
    height, width = best.laid.fine.shape[:2]
    window = _window(picture, frame, quarter, (width, height), config.reach)
    # A smaller picture was enlarged, and with it what JPEG and resizing did to its pixels.
    enlarged = max(1.0, 2 * width / (frame[2] - frame[0]), 2 * height / (frame[3] - frame[1]))
    # Of what is smoothed farther nothing is left to compare, and it takes seconds.
    smooth_px = min(config.smooth_px * enlarged**config.enlarged_power, config.smooth_most * max(width, height))
    start = np.array([[best.scale, 0, best.left], [0, best.scale, best.top]], np.float32)
    size = (picture.shape[1], picture.shape[0])
    first = Placed(size, frame, quarter, best, other, window, start, best.laid.fine, -1.0, smooth_px, enlarged)
    ways = (
        (cv2.MOTION_TRANSLATION, config.refine_coarse_px),
        (cv2.MOTION_AFFINE, config.refine_coarse_px),
        (cv2.MOTION_AFFINE, config.refine_fine_px),
    )
    return _improved(_at(first, start, config), start, ways, config)


def placed_alike(found: Sequence[Placed], config: AssemblyConfig) -> list[Placed]:
    """Pieces that fit worse than the best one tried as that one lies: as large, and slanted as much.

    Parameters
    ----------
    found : sequence of Placed
    config : AssemblyConfig
    """
    lead = max(found, key=lambda one: one.detail)
    ways = ((cv2.MOTION_TRANSLATION, config.refine_coarse_px), (cv2.MOTION_AFFINE, config.refine_fine_px))
    made = []
    for one in found:
        other = float(np.abs(one.place[:, :2] - lead.place[:, :2]).max()) > config.least_other
        if one.detail < lead.detail - config.least_worse or other:
            height, width = one.piece.shape[:2]
            start = lead.place.copy()
            # Its middle stays where it was found.
            across, down = one.best.left + one.best.scale * width / 2, one.best.top + one.best.scale * height / 2
            start[:, 2] = (across, down) - start[:, 0] * width / 2 - start[:, 1] * height / 2
            alike = _improved(_at(one, start, config), start, ways[:1], config)
            one = _improved(_better(one, alike), start, ways, config)
            # Where there is hardly any structure, as in a night sky, that tells more than what little there is.
            if other and alike.detail >= one.detail - config.most_alike:
                one = alike
        made.append(one)
    return made


def _at(one: Placed, place: Floats, config: AssemblyConfig) -> Placed:
    """A piece in another place."""
    aligned = warp_affine(one.window, place, (one.piece.shape[1], one.piece.shape[0]), inverse=True)
    # Lines around pieces do not tell where they lie.
    soft, piece = (_inner(smoothed(each, one.smooth_px), config.rim)[0] for each in (aligned, one.piece))
    return replace(one, place=place, aligned=aligned, detail=detail_of(soft, piece, config.detail_px))


def _better(one: Placed, other: Placed) -> Placed:
    return other if other.detail > one.detail else one


def _improved(one: Placed, start: Floats, ways: Sequence[tuple[int, float]], config: AssemblyConfig) -> Placed:
    """The best of where a piece is, and of a start moved and stretched by what fits better, in one way after the other.

    What fits is told by structure; where there is little of it, as in a night sky, it may lead astray.
    """
    height, width = one.piece.shape[:2]
    greys = [grey_of(picture) for picture in (one.window, one.piece)]
    greys = [grey - smoothed(grey, config.structure_px) for grey in greys]
    # Beside a piece there may be anything, which tells in what is left of the window's grey.
    inner, across, down = _inner(greys[1], config.refine_rim)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, config.refine_steps, config.refine_step)
    everywhere = np.ones(one.window.shape[:2], np.uint8)
    place = start
    for motion, smooth_px in ways:
        grey, target = (smoothed(picture, smooth_px) for picture in (greys[0], inner))
        moved = place.copy()
        moved[:, 2] += place[:, 0] * across + place[:, 1] * down
        try:
            _, better = cv2.findTransformECC(target, grey, moved, motion, criteria, everywhere, 1)
        except cv2.error:  # it does not converge where nothing is alike
            continue
        found = np.asarray(better, np.float32)
        found[:, 2] -= found[:, 0] * across + found[:, 1] * down
        off = np.abs(found - start)
        if max(off[:, :2].max(), off[:, 2].max() / max(height, width)) <= config.most_refined:
            place = found
            one = _better(one, _at(one, place, config))
    return one


def _near(
    picture: Pixels, frame: Frame, quarter: int, matched: Sequence[Match], config: AssemblyConfig
) -> tuple[Match, float]:
    """The best of those that come near the best one, with its place in a window at the larger size, and the likeness
    of the next one."""
    tried = [one for one in matched[: config.kept] if one.likeness >= matched[0].likeness - config.near]
    fine = tried[0].laid.fine
    half = [resized_to(one.laid.fine, config.search_px) for one in tried]
    size = (half[0].shape[1], half[0].shape[0])
    window = _window(picture, frame, quarter, size, config.reach)
    close = [_search(window, one.laid, piece, _scales(config), config) for one, piece in zip(tried, half, strict=True)]
    order = sorted(range(len(close)), key=lambda at: -close[at].likeness)
    best, piece = close[order[0]], half[order[0]]
    near = best.scale + np.linspace(-config.near_scale, config.near_scale, config.near_scales, dtype=np.float32)
    best = _search(window, best.laid, piece, near, config)
    # From the window at this size to that at the larger one, whose rims are whole pixels too.
    start, end = ([round(config.reach * span) for span in spans] for spans in (size, (fine.shape[1], fine.shape[0])))
    left = (best.left - start[0]) * fine.shape[1] / size[0] + end[0]
    top = (best.top - start[1]) * fine.shape[0] / size[1] + end[1]
    other = close[order[1]].likeness if len(order) > 1 else matched[1].likeness
    return replace(best, left=left, top=top), other
