"""What of a filled silhouette is not explained by pieces in their places: every pixel of it, and around it.

Other than the rest of the detector it is told where pieces have to lie. It is for pictures in which each piece was
found, to say how well they lie there, and what else is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import lengths
from detectors.form_board.config import ExplainConfig
from detectors.form_board.rims import find_askew, find_rims
from detectors.form_board.scene import CORNERS, MASK_PX, BoardScene, Mask, Outline, filled
from detectors.form_board.zoom import Box, Zoom

_WIDEST = 90  # not a threshold: the ninetieth of a hundred
Lab = NDArray[np.float32]


@dataclass(frozen=True)
class Unexplained:
    """What a picture shows besides pieces in their places.

    Attributes
    ----------
    apart : at the rims of pieces, what is not the piece where it should be, or is it where it should not: labels, boxes
    things : within pieces, what is too wide for writing: labels, boxes
    faint : pieces that are hardly coloured
    swapped : pieces in another one's colour that is gone from its place, while they still lie where they were given
    """

    apart: tuple[tuple[str, Box], ...]
    things: tuple[tuple[str, Box], ...]
    faint: tuple[str, ...]
    swapped: tuple[tuple[str, str], ...]


def find_unexplained(
    zoom: Zoom, scene: BoardScene, offsets: Mapping[str, tuple[float, float]], exact: bool, config: ExplainConfig
) -> Unexplained:
    """Compares a picture with pieces in their places.

    Parameters
    ----------
    zoom : Zoom
        What of the candidate holds the silhouette.
    scene : BoardScene
    offsets : mapping of label to (x, y)
        By how much each piece has to be moved, in pixels of the puzzle's picture.
    exact : bool
        Whether the candidate is known to lie where the puzzle's picture does.
    config : ExplainConfig
    """
    lab, size, side = zoom.lab, zoom.size, zoom.side
    places = {label: zoom.here(scene.pieces[label] + by) for label, by in offsets.items()}
    masks = {label: filled(place, size) for label, place in places.items()}
    depths = {label: _depth(mask) for label, mask in masks.items()}
    colors = {label: _color(lab, depth) for label, depth in depths.items()}
    away = {label: lengths(lab - color) for label, color in colors.items()}
    own = {label: one <= _spread(one, depths[label], config) for label, one in away.items()}
    silhouette = zoom.silhouette
    outside, within = _depth(~silhouette), _depth(silhouette)
    paper = _paper(lab, outside, zoom, scene)
    off_paper = lengths(lab - paper)
    free = off_paper <= config.color
    # Seams are narrower than lines may be.
    seams = {label: one | (free & (depths[label] > config.seam * side)) for label, one in own.items()}
    rim = _rim(depths, seams, config.line * side)
    # The silhouette's own line may be wider than those between pieces.
    drawn = free.copy()
    for one in own.values():
        drawn |= one
    outline = max(0.0, _rim({"": within}, {"": drawn}, config.line * side) - rim)
    # A line is neither paper nor a piece; two beside each other are wider than one.
    least_away = off_paper
    for beside in away.values():
        least_away = np.minimum(least_away, beside)
    second = (least_away > config.most_color) * np.float32(rim / 2)  # not a threshold: half the width of a line
    shown = {label: _color(zoom.colors, depth) for label, depth in depths.items()}
    rims = find_rims(zoom.colors, places, shown, np.maximum(outside, within), side, config.rims)
    apart: list[tuple[str, Box]] = []
    things: list[tuple[str, Box]] = []
    for label, mask in masks.items():
        length = float(np.sqrt(mask.sum()))
        reach = rim + max(config.place * length, config.unsteady * side) + config.slack_px
        least = config.least * length * length
        # What runs along the rim is a gap or another piece, however thin; all else may be writing.
        depth = cv2.min(depths[label], within - np.float32(outline)) - second
        gap = rim + max(config.gap * length, config.unsteady * side)
        missing = ((depth > reach) | (free & (depths[label] > gap))) & ~own[label]
        for part, box in _parts(missing, least):
            runs = float((part & (depths[label] <= reach + second + 1)).sum()) > config.run * length
            # A thin one of another colour is writing: that rims lie elsewhere is told by themselves.
            if runs and 2 * (part & free).sum() > part.sum():  # not a threshold: most of it
                apart.append((label, zoom.there(box)))
            elif _is_thick(zoom, box, part, colors[label], rims.soft, config):
                (apart if runs else things).append((label, zoom.there(box)))
        stray = (outside > reach) & (outside <= reach + config.around * side) & own[label] & ~zoom.given
        if stray.any():
            stray &= _from(mask) <= reach + config.around * side
            apart += [(label, zoom.there(box)) for _, box in _parts(stray, least)]
    for label in find_askew(rims, side, exact, config.rims):
        apart.append((label, zoom.there((*places[label].min(axis=0), *places[label].max(axis=0)))))
    given = {label: _given(scene.small, scene, outline) for label, outline in scene.pieces.items()}
    contrast = {label: _away(color, scene.paper) for label, color in given.items()}
    faint = tuple(
        label for label, color in colors.items() if _away(color, paper) < config.faint * min(contrast.values())
    )
    return Unexplained(tuple(apart), tuple(things), faint, _swapped(zoom, scene, colors, given, config))


def _swapped(
    zoom: Zoom, scene: BoardScene, colors: Mapping[str, Lab], given: Mapping[str, Lab], config: ExplainConfig
) -> tuple[tuple[str, str], ...]:
    """Pieces that lie where they were given, and in their places in the colour of one that is gone from where it was.

    Then that one was bent to the other's outline.
    """
    there = {
        label: _away(_given(zoom.small, scene, outline), given[label]) <= config.same
        for label, outline in scene.pieces.items()
    }
    found = []
    for label, color in colors.items():
        away = {other: _away(color, one) for other, one in given.items()}
        nearest = min(away, key=lambda one: (away[one], one))
        gone = nearest not in colors and not there[nearest]
        if gone and there[label] and away[nearest] <= config.same and away[label] > config.apart * config.same:
            found.append((label, nearest))
    return tuple(found)


def _given(small: Lab, scene: BoardScene, outline: Outline) -> Lab:
    """The colour that a picture has where a piece is given."""
    scale = small.shape[1] / scene.size[0]
    left, top = (max(0, int(value)) for value in np.floor(outline.min(axis=0) * scale))
    right, bottom = (int(value) for value in np.ceil(outline.max(axis=0) * scale))
    part = small[top:bottom, left:right]
    if not part.size:
        return np.zeros(3, np.float32)
    return _color(part, _depth(filled(outline * scale - (left, top), (part.shape[1], part.shape[0]))))


def _paper(lab: Lab, outside: NDArray[np.float32], zoom: Zoom, scene: BoardScene) -> Lab:
    free = (outside > 1) & ~zoom.given
    return np.asarray(np.median(lab[free], axis=0), np.float32) if free.any() else scene.paper


def _color(lab: Lab, depth: NDArray[np.float32]) -> Lab:
    """The colour of most of what lies deep in an area."""
    deep = depth > depth.max() / 2
    return np.asarray(np.median(lab[deep], axis=0) if deep.any() else np.zeros(3), np.float32)


def _away(one: Lab, other: Lab) -> float:
    return float(np.sqrt(((one - other) ** 2).sum()))


def _spread(away: NDArray[np.float32], depth: NDArray[np.float32], config: ExplainConfig) -> float:
    """How far colours of one area lie from its own."""
    deep = depth > depth.max() / 2
    noise = float(np.percentile(away[deep], _WIDEST)) if deep.any() else 0.0
    return min(config.most_color, max(config.color, config.noise * noise))


def _rim(depths: Mapping[str, NDArray[np.float32]], own: Mapping[str, Mask], most: float) -> float:
    """How far lines between pieces, or seams, reach into them: where half of what is so deep is the piece's."""
    found = []
    for label, depth in depths.items():
        reach = 0.0
        while reach < most and own[label][(depth > reach) & (depth <= reach + 1)].mean() < 1 / 2:
            reach += 1.0
        found.append(reach)
    return float(min(np.median(found), most))


def _is_thick(zoom: Zoom, box: Box, part: Mask, color: Lab, soft: float, config: ExplainConfig) -> bool:
    """Whether what is drawn onto a piece is wider than writing, without its blurred rim: looked at in full size."""
    near, mask, side = zoom.closer(box, part)
    away = lengths(near - color)
    there = mask & (away > away[mask].max() / 2)  # not a threshold: half way to its colour
    wider = max(0.0, soft * side / zoom.side - config.sharp_px)
    thick = config.closed if soft > config.closing * zoom.side else config.thick
    return float(_depth(there).max()) > thick * side + config.thick_px + config.softer * wider


def _depth(mask: Mask) -> NDArray[np.float32]:
    """How far within a mask each pixel is."""
    padded = np.pad(mask.astype(np.uint8), 1)
    return np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, MASK_PX)[1:-1, 1:-1], np.float32)


def _from(mask: Mask) -> NDArray[np.float32]:
    return np.asarray(cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, MASK_PX), np.float32)


def _parts(mask: Mask, least: float) -> list[tuple[Mask, Box]]:
    """What of a mask hangs together and is large enough, with its box."""
    count, parts, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=CORNERS)
    found = []
    for number in range(1, count):
        left, top, wide, high, pixels = (int(value) for value in stats[number])
        if pixels >= least:
            box = (float(left), float(top), float(left + wide), float(top + high))
            found.append((np.asarray(parts == number), box))
    return found
