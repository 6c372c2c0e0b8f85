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

from detectors.common.residual.mixing import lengths, seen
from detectors.form_board.config import ExplainConfig
from detectors.form_board.scene import CORNERS, MASK_PX, BoardScene, Mask, Outline, filled

_WIDEST = 90  # not a threshold: the ninetieth of a hundred
Lab = NDArray[np.float32]
Box = tuple[float, float, float, float]


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
    view: NDArray[np.uint8], scene: BoardScene, offsets: Mapping[str, tuple[float, float]], config: ExplainConfig
) -> Unexplained:
    """Compares a picture with pieces in their places.

    Parameters
    ----------
    view : (h, w, 3) uint8 RGB
        The candidate in the puzzle's frame, reduced by the scene's factor.
    scene : BoardScene
    offsets : mapping of label to (x, y)
        By how much each piece has to be moved, in pixels of the puzzle's picture.
    config : ExplainConfig
    """
    lab = seen(np.asarray(cv2.GaussianBlur(cv2.medianBlur(view, 3), (0, 0), config.smooth_px), np.uint8))
    size = (view.shape[1], view.shape[0])
    side = scene.side / scene.factor
    places = {label: (scene.pieces[label] + by) / scene.factor for label, by in offsets.items()}
    masks = {label: filled(place, size) for label, place in places.items()}
    depths = {label: _depth(mask) for label, mask in masks.items()}
    colors = {label: _color(lab, depth) for label, depth in depths.items()}
    own = {label: lengths(lab - color) <= _spread(lab, depths[label], color, config) for label, color in colors.items()}
    silhouette = filled(scene.silhouette / scene.factor, size)
    outside, within = _depth(~silhouette), _depth(silhouette)
    paper = _paper(lab, outside, scene)
    free = lengths(lab - paper) <= config.color
    # Seams are narrower than lines may be.
    seams = {label: one | (free & (depths[label] > config.seam * side)) for label, one in own.items()}
    rim = _rim(depths, seams, config.line * side)
    # The silhouette's own line may be wider than those between pieces.
    outline = max(0.0, _rim({"": within}, {"": np.any([free, *own.values()], axis=0)}, config.line * side) - rim)
    # A line is neither paper nor a piece; two beside each other are wider than one.
    line = np.min([lengths(lab - color) for color in (paper, *colors.values())], axis=0) > config.most_color
    second = line * np.float32(rim / 2)  # not a threshold: half the width of a line as wide as others
    apart: list[tuple[str, Box]] = []
    things: list[tuple[str, Box]] = []
    for label, mask in masks.items():
        length = float(np.sqrt(mask.sum()))
        reach = rim + max(config.place * length, config.unsteady * side) + config.slack_px
        least = config.least * length * length
        # What runs along the rim is a gap or another piece, however thin; all else may be writing.
        depth = np.minimum(depths[label], within - outline) - second
        gap = rim + max(config.gap * length, config.unsteady * side)
        missing = ((depth > reach) | (free & (depths[label] > gap))) & ~own[label]
        for part, box in _parts(missing, least):
            if float((part & (depths[label] <= reach + second + 1)).sum()) > config.run * length:
                apart.append((label, _there(box, scene.factor)))
            elif _thickness(lab, part, colors[label]) > config.thick * side + config.thick_px:
                things.append((label, _there(box, scene.factor)))
        stray = (outside > reach) & (outside <= reach + config.around * side) & own[label]
        stray &= ~scene.near[: size[1], : size[0]] & (_from(mask) <= reach + config.around * side)
        apart += [(label, _there(box, scene.factor)) for _, box in _parts(stray, least)]
    given = {label: _given(scene, outline) for label, outline in scene.pieces.items()}
    contrast = {label: _away(color, scene.paper) for label, color in given.items()}
    faint = tuple(
        label for label, color in colors.items() if _away(color, paper) < config.faint * min(contrast.values())
    )
    return Unexplained(tuple(apart), tuple(things), faint, _swapped(lab, scene, colors, given, config))


def _swapped(
    lab: Lab, scene: BoardScene, colors: Mapping[str, Lab], given: Mapping[str, Lab], config: ExplainConfig
) -> tuple[tuple[str, str], ...]:
    """Pieces that lie where they were given, and in their places in the colour of one that is gone from where it was.

    Then that one was bent to the other's outline.
    """
    size = (lab.shape[1], lab.shape[0])
    there = {}
    for label, outline in scene.pieces.items():
        here = _color(lab, _depth(filled(outline / scene.factor, size)))
        there[label] = _away(here, given[label]) <= config.same
    found = []
    for label, color in colors.items():
        away = {other: _away(color, one) for other, one in given.items()}
        nearest = min(away, key=lambda one: (away[one], one))
        gone = nearest not in colors and not there[nearest]
        if gone and there[label] and away[nearest] <= config.same and away[label] > config.apart * config.same:
            found.append((label, nearest))
    return tuple(found)


def _given(scene: BoardScene, outline: Outline) -> Lab:
    height, width = scene.small.shape[:2]
    return _color(scene.small, _depth(filled(outline * (width / scene.size[0]), (width, height))))


def _paper(lab: Lab, outside: NDArray[np.float32], scene: BoardScene) -> Lab:
    free = (outside > 1) & ~scene.near[: lab.shape[0], : lab.shape[1]]
    return np.asarray(np.median(lab[free], axis=0), np.float32) if free.any() else scene.paper


def _color(lab: Lab, depth: NDArray[np.float32]) -> Lab:
    """The colour of most of what lies deep in an area."""
    deep = depth > depth.max() / 2
    return np.asarray(np.median(lab[deep], axis=0) if deep.any() else np.zeros(3), np.float32)


def _away(one: Lab, other: Lab) -> float:
    return float(np.sqrt(((one - other) ** 2).sum()))


def _spread(lab: Lab, depth: NDArray[np.float32], color: Lab, config: ExplainConfig) -> float:
    """How far colours of one area lie from its own."""
    deep = depth > depth.max() / 2
    noise = (
        float(np.percentile(lengths(np.ascontiguousarray(lab[deep][:, None]) - color), _WIDEST)) if deep.any() else 0
    )
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


def _thickness(lab: Lab, part: Mask, color: Lab) -> float:
    """Half the width of what is drawn onto a piece, without its blurred rim."""
    away = lengths(lab - color)
    return float(_depth(part & (away > away[part].max() / 2)).max())  # not a threshold: half way to its colour


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


def _there(box: Box, factor: int) -> Box:
    left, top, right, bottom = (factor * value for value in box)
    return left, top, right, bottom
