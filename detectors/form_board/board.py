"""From an aligned picture of a form board to what lies in its silhouette and beside. The answer is not looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import quantile
from detectors.common.residual.mixing import channel_medians, colors_within, contrasts, lengths, seen
from detectors.common.shades import has_no_own_edge, window_around
from detectors.form_board.config import BoardShadeConfig, FormBoardConfig
from detectors.form_board.fitting import Area, Recognised, ShapeChange, recognise
from detectors.form_board.scene import BoardScene, Box, drawn_elsewhere, shrunk
from detectors.form_board.segments import take_apart
from detectors.form_board.shapes import CORNERS, SIDES, Mask, PieceShape, area_of, depth_of, filled
from detectors.form_board.zoom import Zoom
from grader.media.pyramid import Pyramid


@dataclass(frozen=True)
class ShapeSeen:
    """An area of one colour.

    Attributes
    ----------
    label : the piece that it is or is most like; empty if it is like none
    change : what became of that piece
    moved : by how much it lies elsewhere than where it was given, in pixels of the puzzle's picture
    deviation : how far most of its outline is from the piece's, as a share of the silhouette's longer side
    inside : share of it that lies in the silhouette
    size : its area, as a share of the silhouette's
    box : where it is
    """

    label: str
    change: ShapeChange
    moved: tuple[float, float]
    deviation: float
    inside: float
    size: float
    box: Box


_Pieces = Mapping[str, PieceShape]
_Known = tuple[Mask, Area, Recognised]
"""An area, with its outline, and what it is."""


@dataclass(frozen=True)
class GapSeen:
    """Paper in the silhouette: its share of the silhouette's area, and where it is."""

    size: float
    box: Box


@dataclass(frozen=True)
class FormBoardFindings:
    """What is seen of a form board.

    Attributes
    ----------
    shapes : what is drawn in and at the silhouette, from the top down
    gaps : paper in the silhouette, the largest first
    silhouette_iou : what is in the silhouette and drawn, over what is either
    lines : what is drawn around the silhouette apart from it: the share of its area, and where
    beside : things that are drawn elsewhere, each its share of the silhouette's area and its box, the largest first
    loose : pieces that lie about as they were given, neither in the silhouette nor where they were given; in clips
        whatever is on its way
    enclosed : small things within pieces, such as letters
    zoom : where that was seen; None of pictures that were not looked at closely
    """

    shapes: tuple[ShapeSeen, ...]
    gaps: tuple[GapSeen, ...]
    silhouette_iou: float
    lines: GapSeen
    beside: tuple[GapSeen, ...]
    loose: tuple[ShapeSeen, ...]
    enclosed: int
    zoom: Zoom | None = field(default=None, compare=False, repr=False)


def find_board(view: Pyramid, scene: BoardScene, config: FormBoardConfig, *, closely: bool = True,
               covered: Mask | None = None) -> FormBoardFindings:  # fmt: skip
    """Finds what lies in a silhouette.

    Parameters
    ----------
    view : Pyramid
        Of the candidate in the puzzle's frame, reduced by the scene's factor: (h, w, 3) uint8 RGB.
    scene : BoardScene
    config : FormBoardConfig
    closely : bool
        Whether to tell how pieces were changed, and what is drawn beside; else what moves is told, as in clips.
    covered : (h, w) bool, or None
        What of the view the candidate shows; None for all of it.
    """
    zoom = Zoom(view, scene, config.segments, config.light, covered)
    frame = zoom.frame
    side, silhouette, area, pieces = frame.side, frame.silhouette, frame.area, frame.pieces
    found = take_apart(zoom.lab, frame.paper, side, area, config.segments)
    across, down = frame.pixel
    masks = [found.labels == number for number in found.numbers]
    shadows = [mask for mask in masks if _is_shadow(mask, zoom, config)]
    masks = [mask for mask in masks if not any(mask is one for one in shadows)]
    known = [_known(mask, pieces, side, config, closely=closely) for mask in masks]
    if closely:
        known = _rejoined(known, zoom.lab, pieces, side, config)
    shapes = []
    for mask, shape, what in known:
        inside = float(np.count_nonzero(mask & silhouette) / shape.size)
        moved, deviation = ((0.0, 0.0), 1.0) if what.fit is None else (what.fit.moved, what.fit.deviation / side)
        shapes.append(
            ShapeSeen(
                what.label,
                what.change,
                (moved[0] * across, moved[1] * down),
                deviation,
                inside,
                shape.size / area,
                frame.there(shape.box),
            )
        )
    shapes.sort(key=lambda one: (one.box[1], one.box[0]))
    drawn = found.labels > 0
    for mask in shadows:
        drawn &= ~mask
    either = silhouette | drawn
    union = int(np.count_nonzero(either))
    iou = int(np.count_nonzero(drawn & silhouette)) / union if union else 0.0
    gaps = _gaps(silhouette & ~drawn, side, area, frame.there, config)
    beside, loose = find_beside(zoom, scene, config) if closely else ((), find_moving(zoom, scene, config))
    margin = max(1, round(config.segments.line * side))
    near = cv2.dilate(either.view(np.uint8), np.ones((2 * margin + 1,) * 2, np.uint8)).view(np.bool_)
    apart = found.marked & ~near & ~frame.given
    if shadows and _is_shadow(apart, zoom, config):
        apart[:] = False
    lines = _lines(apart, area, frame.there)
    return FormBoardFindings(tuple(shapes), gaps, iou, lines, beside, loose, found.enclosed, zoom if closely else None)


def _is_shadow(mask: Mask, zoom: Zoom, config: FormBoardConfig) -> bool:
    """Whether an area beside the silhouette is the shadow of what lies in it."""
    frame = zoom.frame
    if 2 * np.count_nonzero(mask & frame.silhouette) > np.count_nonzero(mask):  # not a threshold: most of it
        return False
    line = config.segments.line * frame.side
    told = (frame.outside > line) & ~frame.given
    free = frame.free[frame.outside.ravel()[frame.free] > config.explain.around * frame.side]
    if not free.size:
        return False
    paper = channel_medians(zoom.lab.reshape(-1, 3).take(free, axis=0))
    return is_shade(zoom.lab, paper, mask & told, told, frame.outside, config.shades)


def _known(mask: Mask, pieces: _Pieces, side: float, config: FormBoardConfig, *, closely: bool) -> _Known:
    shape = Area(np.asarray(mask, np.bool_), config.fit)
    return mask, shape, recognise(shape, pieces, side, config.fit, closely=closely)


def _rejoined(
    known: list[_Known],
    lab: NDArray[np.float32],
    pieces: _Pieces,
    side: float,
    config: FormBoardConfig,
) -> list[_Known]:
    """Areas, of which two that a letter took apart are the piece that they make together."""
    kernel = np.ones((3, 3), np.uint8)
    parts = [one for one in known if one[2].change is not ShapeChange.AS_GIVEN]
    colors = [channel_medians(colors_within(lab, mask)) for mask, _, _ in parts]
    for at, (mask, _, _) in enumerate(parts):
        for other in range(at):
            if float(np.sqrt(((colors[at] - colors[other]) ** 2).sum())) > 2 * config.segments.same_color:
                continue
            if not ((cv2.dilate(mask.astype(np.uint8), kernel) > 0) & parts[other][0]).any():
                continue
            both = _known(mask | parts[other][0], pieces, side, config, closely=False)
            if both[2].change is ShapeChange.AS_GIVEN:
                left = [one for one in known if one is not parts[at] and one is not parts[other]]
                return _rejoined([*left, both], lab, pieces, side, config)
    return known


def _gaps(
    free: Mask, side: float, area: float, there: Callable[[tuple[float, ...]], Box], config: FormBoardConfig
) -> tuple[GapSeen, ...]:
    """What of the silhouette is paper, where it is wide enough to be more than a seam or a blurred rim."""
    depth = depth_of(free)
    if depth.max() < config.segments.gap * side + 1:
        return ()
    count, parts, stats, _ = cv2.connectedComponentsWithStats(free.view(np.uint8), connectivity=SIDES)
    found = []
    for number in range(1, count):
        left, top, wide, high, size = (int(value) for value in stats[number])
        if float(depth[parts == number].max()) >= config.segments.gap * side + 1:
            found.append(GapSeen(size / area, there((left, top, left + wide, top + high))))
    return tuple(sorted(found, key=lambda one: (-one.size, one.box)))


def _lines(apart: Mask, area: float, there: Callable[[tuple[float, ...]], Box]) -> GapSeen:
    """What is drawn apart from the silhouette: all of it together."""
    left, top, wide, high = cv2.boundingRect(apart.view(np.uint8))
    return GapSeen(float(np.count_nonzero(apart) / area), there((left, top, left + wide, top + high)))


def is_shade(
    lab: NDArray[np.float32],
    paper: NDArray[np.float32],
    part: Mask,
    told: Mask,
    away: NDArray[np.float32] | None,
    config: BoardShadeConfig,
) -> bool:
    """Whether a part of the paper is but shaded.

    Parameters
    ----------
    lab : (h, w, 3) float32
        In the colours of `seen`.
    paper : (h, w, 3) or (3,) float32
        The paper's colours.
    part : (h, w) bool
    told : (h, w) bool
        Where nothing else is drawn.
    away : (h, w) float32, or None
        How far from the silhouette, of which the part may be the shadow; None for no such thing.
    config : BoardShadeConfig
    """
    left, top, wide, high = cv2.boundingRect(part.view(np.uint8))
    window, here, own = window_around(part[top : top + high, left : left + wide], (left, top), told, config.edges)
    if not here.any():
        return False
    values = lab[window] - (paper if paper.ndim == 1 else paper[window])
    light = np.asarray(cv2.blur(values[..., 0], (3, 3)), np.float32)  # not a threshold: neighbours
    strength = float(np.abs(light[here]).max())
    hue = np.hypot(values[..., 1], values[..., 2])
    if strength > config.strongest or quantile(hue[here], config.usual) > config.tinted + config.tint * strength:
        return False
    far = None if away is None else away[window]
    return has_no_own_edge(light, here, own, far, config.edges.step_px, config.edges)


def find_beside(
    zoom: Zoom, scene: BoardScene, config: FormBoardConfig
) -> tuple[tuple[GapSeen, ...], tuple[ShapeSeen, ...]]:
    """Finds what is drawn elsewhere than in the silhouette and where something is given: things, and pieces."""
    if zoom.is_as_given:
        drawn = scene.drawn_there
    else:
        drawn = drawn_elsewhere(zoom.small, scene.elsewhere, scene.free, config.beside)
    found = _things(drawn, scene, config, closely=True, lab=zoom.small)
    things = [GapSeen(one.size, one.box) for one in found if one.change is not ShapeChange.AS_GIVEN]
    loose = tuple(one for one in found if one.change is ShapeChange.AS_GIVEN)
    return tuple(sorted(things, key=lambda one: (-one.size, one.box))), loose


def shows_more(view: Pyramid, covered: Mask | None, scene: BoardScene, config: FormBoardConfig) -> bool:
    """Whether a picture shows more than what is in and at the silhouette.

    Parameters
    ----------
    view : Pyramid
        Of the candidate in the puzzle's frame, reduced by the scene's factor: (h, w, 3) uint8 RGB.
    covered : (h, w) bool, or None
        What of the view the candidate shows; None for all of it.
    scene : BoardScene
    config : FormBoardConfig
    """
    height, width = scene.shrunk.shape[:2]
    lab, tuning = seen(shrunk(view, (width, height))), config.beside
    scale = scene.size[0] / width
    silhouette = filled(scene.silhouette / scale, (width, height)).view(np.uint8)
    room = max(1, round(2 * config.segments.zone * scene.side / scale))
    beyond = cv2.dilate(silhouette, np.ones((2 * room + 1,) * 2, np.uint8)) == 0
    shown = beyond
    if covered is not None:
        here = cv2.resize(covered.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
        shown = beyond & (cv2.erode(here, np.ones((5, 5), np.uint8)) > 0)  # not a threshold: without its rim
    free = np.flatnonzero(shown)
    if not free.size:
        return False
    drawn = shown & (contrasts(lab, channel_medians(lab.reshape(-1, 3).take(free, axis=0))) > tuning.contrast)
    return bool(np.count_nonzero(drawn) >= tuning.more * area_of(scene.silhouette) / scale**2)


def find_moving(zoom: Zoom, scene: BoardScene, config: FormBoardConfig) -> tuple[ShapeSeen, ...]:
    """Finds pieces on their way: what is drawn where the puzzle's picture has another colour."""
    tuning = config.beside
    lab = zoom.small
    other = lengths(lab - scene.small) > tuning.contrast
    drawn = other & (contrasts(lab, scene.paper) > tuning.contrast)
    scale = scene.size[0] / drawn.shape[1]
    drawn &= ~filled(scene.silhouette / scale, (drawn.shape[1], drawn.shape[0]))
    return tuple(_things(drawn, scene, config, closely=False))


def _things(
    drawn: Mask, scene: BoardScene, config: FormBoardConfig, *, closely: bool, lab: NDArray[np.float32] | None = None
) -> list[ShapeSeen]:
    """What is drawn, each thing that hangs together; of a picture in the colours of `seen`, but for mere shades."""
    if not drawn.any():
        return []
    tuning = config.beside
    opened = cv2.morphologyEx(drawn.view(np.uint8), cv2.MORPH_OPEN, np.ones((tuning.opened_px,) * 2, np.uint8))
    count, parts, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=CORNERS)
    scale = scene.size[0] / drawn.shape[1]
    area, side = area_of(scene.silhouette) / scale**2, scene.side / scale
    things = []
    for number, (left, top, wide, high, pixels) in enumerate(stats[1:count].tolist(), 1):
        if pixels < tuning.least * area:
            continue
        if lab is not None and is_shade(lab, scene.paper, parts == number, scene.elsewhere, None, config.shades):
            continue
        what = recognise(Area(parts == number, config.fit), scene.beside, side, config.fit, closely=closely)
        moved, deviation = ((0.0, 0.0), 1.0) if what.fit is None else (what.fit.moved, what.fit.deviation / side)
        box = (left * scale, top * scale, (left + wide) * scale, (top + high) * scale)
        by = (scale * moved[0], scale * moved[1])
        things.append(ShapeSeen(what.label, what.change, by, deviation, 0.0, pixels / area, box))
    return things
