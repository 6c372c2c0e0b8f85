"""What of a filled silhouette is not explained by pieces in their places: every pixel of it, and around it.

Other than the rest of the detector it is told where pieces have to lie. It is for pictures in which each piece was
found, to say how well they lie there, and what else is there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import quantile
from detectors.common.residual.mixing import channel_medians, channel_sums, contrasts, lengths
from detectors.form_board.config import ExplainConfig
from detectors.form_board.page.leftover import LeftOver
from detectors.form_board.rims import find_askew, find_rims
from detectors.form_board.scene import BoardScene, Box, ZoomFrame, given_color
from detectors.form_board.shapes import CORNERS, MASK_PX, Mask, Outline, depth_of, filled
from detectors.form_board.stretches import Stretches, stretches_of
from detectors.form_board.strokes import PieceInside, find_strokes
from detectors.form_board.zoom import Zoom, levels_of, lit_surface

_WIDEST = 0.9  # not a threshold: nine tenths
_TINY = 1e-9  # not a threshold: against a division by 0
_MOST = 0.5  # not a threshold: most of it
Lab = NDArray[np.float32]
Window = tuple[slice, slice]


@dataclass(frozen=True)
class Unexplained:
    """What a picture shows besides pieces in their places.

    Attributes
    ----------
    apart : at the rims of pieces, what is not the piece where it should be, or is it where it should not: labels, boxes
    things : within pieces, what is too wide for writing: labels, boxes
    faint : pieces that are hardly coloured
    swapped : pieces in another one's colour that is gone from its place, while they still lie where they were given
    left : what else is drawn on the page
    """

    apart: tuple[tuple[str, Box], ...]
    things: tuple[tuple[str, Box], ...]
    faint: tuple[str, ...]
    swapped: tuple[tuple[str, str], ...]
    left: tuple[LeftOver, ...] = ()


@dataclass(frozen=True, eq=False)
class InPlace:
    """A piece in its place: how deep in it pixels are, in the window that holds it. All in pixels of a zoom.

    ``width`` is that of the zoom.
    """

    window: Window
    depth: NDArray[np.float32]
    corners: Outline
    width: int

    @cached_property
    def deep(self) -> NDArray[np.intp]:
        """Flat positions in the zoom of what lies deep in it: its colour is seen there."""
        rows, columns = np.nonzero(self.depth > self.depth.max() / 2)  # not a threshold: half of the way in
        return np.asarray((rows + self.window[0].start) * self.width + columns + self.window[1].start, np.intp)

    def within(self, rim: float) -> NDArray[np.intp]:
        """Flat positions in the zoom of what lies so deep in it; of slim ones what is deep in them."""
        rows, columns = np.nonzero(
            self.depth > min(rim, float(self.depth.max()) / 2)
        )  # not a threshold: half of the way
        return np.asarray((rows + self.window[0].start) * self.width + columns + self.window[1].start, np.intp)

    @cached_property
    def size(self) -> int:
        """How many pixels it has."""
        return int(np.count_nonzero(self.depth))

    def color(self, picture: NDArray[np.generic]) -> Lab:
        """The colour of most of what lies deep in it; black where nothing does."""
        shown = picture.reshape(-1, picture.shape[-1]).take(self.deep, axis=0)
        return channel_medians(shown) if len(shown) else np.zeros(3, np.float32)

    def widened(self, by: float, shape: tuple[int, ...]) -> Window:
        """The window with so many pixels more around it."""
        pad = 1 + math.ceil(by)
        down, across = (
            slice(max(0, one.start - pad), min(most, one.stop + pad))
            for one, most in zip(self.window, shape, strict=True)
        )
        return down, across


@dataclass(frozen=True, eq=False)
class BoardInPlace:
    """Pieces by label where they fill the silhouette, and where their rims are; it depends on the puzzle alone."""

    pieces: Mapping[str, InPlace]
    rims: Stretches


def put_in_place(scene: BoardScene, offsets: Mapping[str, tuple[float, float]], config: ExplainConfig) -> BoardInPlace:
    """Puts pieces in their places.

    Parameters
    ----------
    scene : BoardScene
    offsets : mapping of label to (x, y)
        By how much each piece has to be moved, in pixels of the puzzle's picture.
    config : ExplainConfig
    """
    frame = scene.zoom
    places = {label: frame.here(scene.pieces[label] + by) for label, by in offsets.items()}
    rims = stretches_of(places, np.maximum(frame.outside, frame.within), frame.side, config.rims)
    return BoardInPlace({label: _in_place(frame.size, place) for label, place in places.items()}, rims)


def _in_place(size: tuple[int, int], place: Outline) -> InPlace:
    """A piece within a picture of a size."""
    width, height = size
    low, high = np.floor(place.min(axis=0)).astype(int) - 1, np.ceil(place.max(axis=0)).astype(int) + 1
    left, top = np.clip(low, 0, (width - 1, height - 1)).tolist()
    right, bottom = np.clip(high, (left + 1, top + 1), (width, height)).tolist()
    mask = filled(place - (left, top), (right - left, bottom - top))
    return InPlace((slice(top, bottom), slice(left, right)), depth_of(mask), place, width)


def find_unexplained(
    zoom: Zoom, scene: BoardScene, board: BoardInPlace, exact: bool, config: ExplainConfig
) -> Unexplained:
    """Compares a picture with pieces in their places.

    Parameters
    ----------
    zoom : Zoom
        What of the candidate holds the silhouette.
    scene : BoardScene
    board : BoardInPlace
    exact : bool
        Whether the candidate is known to lie where the puzzle's picture does.
    config : ExplainConfig
    """
    lab, frame, laid = zoom.lab, zoom.frame, board.pieces
    side, outside, within, shape = frame.side, frame.outside, frame.within, frame.silhouette.shape
    colors = {label: one.color(lab) for label, one in laid.items()}
    away = {label: contrasts(lab, color) for label, color in colors.items()}
    lit = _lit(lab, away, laid, side, config)
    for label, surface in lit.items():
        away[label] = lengths(lab - surface)
    own = {label: one <= _spread(one, laid[label], config) for label, one in away.items()}
    paper = _paper(lab, frame, scene)
    off_paper = contrasts(lab, paper)
    free = off_paper <= config.color
    rims_of = []
    for label, one in laid.items():
        # Seams are narrower than lines may be.
        seams = own[label][one.window] | (free[one.window] & (one.depth > config.seam * side))
        rims_of.append(_reach(one.depth, seams, config.line * side))
    rim = float(min(np.median(rims_of), config.line * side))
    # The silhouette's own line may be wider than those between pieces.
    drawn = free.copy()
    for own_one in own.values():
        drawn |= own_one
    outline = max(0.0, min(_reach(within, drawn, config.line * side), config.line * side) - rim)
    # A line is neither paper nor a piece; two beside each other are wider than one.
    least_away = off_paper
    for beside in away.values():
        least_away = np.minimum(least_away, beside)
    second = (least_away > config.most_color) * np.float32(rim / 2)  # not a threshold: half the width of a line
    levels = {
        label: levels_of(zoom.plain, laid[label].within(config.shades.rim * side), config.shades) for label in lit
    }
    plain = {label: one.color(zoom.plain) for label, one in laid.items()}
    rims = find_rims(zoom.plain, board.rims, plain, config.rims, levels)
    apart: list[tuple[str, Box]] = []
    things: list[tuple[str, Box]] = []
    insides: list[PieceInside] = []
    far = config.around * side
    spill = config.spill * side + config.slack_px
    for label, one in laid.items():
        length = float(np.sqrt(one.size))
        reach = rim + max(config.place * length, config.unsteady * side) + config.slack_px
        least = config.least * length * length
        here, mine = one.window, own[label]
        # What runs along the rim is a gap or another piece, however thin; all else may be writing.
        depth = cv2.min(one.depth, within[here] - np.float32(outline)) - second[here]
        insides.append(PieceInside(label, here, depth, reach))
        gap = rim + max(config.gap * length, config.unsteady * side)
        missing = ((depth > reach) | (free[here] & (one.depth > gap))) & ~mine[here]
        for part, box in _parts(missing, min(least, config.spill_px), here, shape):
            size, along = part.sum(), (part[here] & (one.depth <= reach + second[here] + 1)).sum()
            runs = float(along) > config.run * length
            # A thin one of another colour is writing: that rims lie elsewhere is told by themselves. Paper in a corner
            # is a gap, however small.
            bare = (part & free).sum() / size
            if (bare > config.bare and runs and size >= least) or (bare > _MOST and along / size > _MOST):
                apart.append((label, frame.there(box)))
            elif size >= least and _is_thick(zoom, box, part, colors[label], rims.soft, config):
                (apart if runs else things).append((label, frame.there(box)))
        wider = one.widened(reach + far, shape)
        stray = (outside[wider] > spill) & (outside[wider] <= reach + far) & mine[wider] & ~frame.given[wider]
        # Shaded paper may be nearly as a piece is that has some hue of its own.
        # not a threshold: half as near
        if stray.any() and float(_from_shades(colors[label][None], paper)[0]) > config.color / 2:
            at = np.nonzero(stray)
            stray[at] = away[label][wider][at] < _from_shades(lab[wider][at], paper)
        if stray.any():
            mask = np.zeros(shape, np.bool_)
            mask[here] = one.depth > 0
            stray &= _from(mask[wider]) <= reach + far
            # A rim that is soft, or off as a whole, is told by itself. Not a threshold: a pixel farther.
            apart += [
                (label, frame.there(box))
                for part, box in _parts(stray, min(least, config.spill_px), wider, shape)
                if float(outside[part].max()) > spill + 1.0 or np.count_nonzero(part & (outside > reach)) >= least
            ]
    for label in find_askew(rims, side, exact, config.rims):
        corners = laid[label].corners
        apart.append((label, frame.there((*corners.min(axis=0), *corners.max(axis=0)))))
    if not (things or apart):
        # Where pieces lie as they should, no rim of theirs lies within another one.
        strokes = find_strokes(zoom.sharp, insides, side, config.strokes)
        things += [(label, frame.there(box)) for label, box in strokes]
    contrast = min(_away(color, scene.paper) for color in scene.colors.values())
    faint = tuple(label for label, color in colors.items() if _away(color, paper) < config.faint * contrast)
    return Unexplained(tuple(apart), tuple(things), faint, _swapped(zoom, scene, colors, config))


def _lit(
    lab: Lab, away: Mapping[str, NDArray[np.float32]], laid: Mapping[str, InPlace], side: float, config: ExplainConfig
) -> dict[str, Lab]:
    """Of pieces that are unevenly lit their colours, (h, w, 3)."""
    found = {}
    for label, one in laid.items():
        deep = away[label].ravel().take(one.deep)
        # not a threshold: half of what light has to differ by, on both sides of what is usual
        if not deep.size or 2 * quantile(deep, _WIDEST) < config.shades.uneven / 2:
            continue
        surface = lit_surface(lab, one.within(config.shades.rim * side), config.shades)
        if surface is not None:
            found[label] = surface
    return found


def _swapped(
    zoom: Zoom, scene: BoardScene, colors: Mapping[str, Lab], config: ExplainConfig
) -> tuple[tuple[str, str], ...]:
    """Pieces that lie where they were given, and in their places in the colour of one that is gone from where it was.

    Then that one was bent to the other's outline.
    """
    scale = zoom.shrunk.shape[1] / scene.size[0]

    def is_there(label: str) -> bool:
        return _away(given_color(zoom.shrunk, scene.pieces[label] * scale), scene.colors[label]) <= config.same

    found = []
    for label, color in colors.items():
        away = {other: _away(color, one) for other, one in scene.colors.items()}
        nearest = min(away, key=lambda one: (away[one], one))
        alike = nearest not in colors and away[nearest] <= config.same and away[label] > config.apart * config.same
        if alike and not is_there(nearest) and is_there(label):
            found.append((label, nearest))
    return tuple(found)


def _paper(lab: Lab, frame: ZoomFrame, scene: BoardScene) -> Lab:
    shown = lab.reshape(-1, 3).take(frame.free, axis=0)
    return channel_medians(shown) if len(shown) else scene.paper


def _from_shades(colors: Lab, paper: Lab) -> Lab:
    """How far colours, (..., 3), are from those of paper in some shade."""
    share = np.clip(channel_sums(colors * paper) / np.float32(max(float((paper * paper).sum()), _TINY)), 0, 1)
    off = np.asarray(colors - share[..., None] * paper, np.float32)
    return np.asarray(np.sqrt(channel_sums(off * off)), np.float32)


def _away(one: Lab, other: Lab) -> float:
    return math.dist(one.tolist(), other.tolist())


def _spread(away: NDArray[np.float32], piece: InPlace, config: ExplainConfig) -> float:
    """How far colours of one area lie from its own."""
    deep = away.ravel().take(piece.deep)
    noise = quantile(deep, _WIDEST) if deep.size else 0.0
    return min(config.most_color, max(config.color, config.noise * noise))


def _reach(depth: NDArray[np.float32], own: Mask, most: float) -> float:
    """How far a line or seam reaches into a piece: where half of what is so deep is the piece's."""
    reach = 0.0
    while reach < most:
        ring = (depth > reach) & (depth <= reach + 1)
        count = np.count_nonzero(ring)
        if not count or np.count_nonzero(own & ring) >= count / 2:  # not a threshold: half of it
            break
        reach += 1.0
    return reach


def _is_thick(zoom: Zoom, box: Box, part: Mask, color: Lab, soft: float, config: ExplainConfig) -> bool:
    """Whether what is drawn onto a piece is wider than writing, without its blurred rim: looked at in full size."""
    near, mask, side = zoom.closer(box, part)
    away = contrasts(near, color)
    there = mask & (away > away[mask].max() / 2)  # not a threshold: half way to its colour
    wider = max(0.0, soft * side / zoom.frame.side - config.sharp_px)
    thick = config.closed if soft > config.closing * zoom.frame.side else config.thick
    return float(depth_of(there).max()) > thick * side + config.thick_px + config.softer * wider


def _from(mask: Mask) -> NDArray[np.float32]:
    return np.asarray(cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, MASK_PX), np.float32)


def _parts(mask: Mask, least: float, window: Window, shape: tuple[int, ...]) -> list[tuple[Mask, Box]]:
    """What of a mask of a window hangs together and is large enough: in the whole picture's shape, and its box."""
    if np.count_nonzero(mask) < least:
        return []
    count, parts, stats, _ = cv2.connectedComponentsWithStats(mask.view(np.uint8), connectivity=CORNERS)
    y, x = (one.start for one in window)
    found = []
    for number in range(1, count):
        left, top, wide, high, pixels = (int(value) for value in stats[number])
        if pixels >= least:
            whole = np.zeros(shape, np.bool_)
            whole[window] = parts == number
            found.append((whole, (float(x + left), float(y + top), float(x + left + wide), float(y + top + high))))
    return found
