"""What kind of clip this is, told by what is seen: a path that grows, a marker that travels, or nothing."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.maze.clips.blobs import Spot, Travel, travel
from detectors.maze.clips.config import ClipConfig, KindConfig
from detectors.maze.clips.findings import Blob, MotionFindings, Sight
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.strokes.segments import trace_strokes


class MotionKind(enum.Enum):
    """What moves in a clip."""

    GROWING_PATH = "growing_path"
    MOVING_MARKER = "moving_marker"
    NOTHING = "nothing"


@dataclass(frozen=True)
class KindFindings:
    """The kind of a clip.

    Attributes
    ----------
    kind : what moves
    has_trail : whether a marker leaves a trail
    travel : the way of a marker
    beside : pieces of the ways of markers that travel while a path grows
    """

    kind: MotionKind
    has_trail: bool
    travel: Travel
    beside: tuple[tuple[Spot, ...], ...] = ()


def tell_kind(found: MotionFindings, plan: Floorplan, config: ClipConfig) -> KindFindings:
    """Tells a travelling marker from a growing path.

    Where nothing but a spot is inked at any time, a spot that travels is a marker without a trail. Where there is a
    line, a marker draws it if the widest spot of the ink is wider than the line and is where the line grows.

    Parameters
    ----------
    found : MotionFindings
        Of the whole clip.
    plan : Floorplan
        Of the puzzle.
    config : ClipConfig
    """
    cell_px = plan.cell_width_px * plan.factor
    floor = np.median(plan.picture.reshape(-1, 3)[plan.floor_sample], axis=0)
    nothing = Travel((), ())
    if float(np.count_nonzero(found.ever)) * found.factor**2 < config.scene.speck * (plan.cell_px * plan.factor) ** 2:
        return KindFindings(MotionKind.NOTHING, False, nothing)
    line, widest = _line_half_widths(found, cell_px, config.kind)
    if line is None or widest is None:
        way = travel(found.sights, 0.0, cell_px, floor, config.blobs)
    else:
        heads = [sight.blobs[0].radius for sight in found.sights if sight.blobs and _leads(sight, cell_px, config.kind)]
        growing = sum(1 for sight in found.sights if sight.blobs and sight.fresh is not None)
        head = float(np.median(heads or [0.0]))
        if len(heads) < config.kind.leading * growing or head < config.kind.thicker * line or head <= widest:
            beside = tuple(_beside(found, line, cell_px, floor, config))
            return KindFindings(MotionKind.GROWING_PATH, False, nothing, beside)
        way = travel(found.sights, 0.5 * (line + head), cell_px, floor, config.blobs)
    if _extent(way.spots) < config.kind.moved * cell_px:
        return KindFindings(MotionKind.GROWING_PATH, False, nothing)
    return KindFindings(MotionKind.MOVING_MARKER, line is not None, _hidden(way, found, plan, config))


def _beside(
    found: MotionFindings, line: float, cell_px: float, floor_rgb: NDArray[np.float64], config: ClipConfig
) -> Iterator[tuple[Spot, ...]]:
    """Yields the ways of what is wider than the line that grows and goes on evenly, wherever the line does.

    What is widest of a line hops from corner to corner; a marker goes on by a little from frame to frame. One that is
    apart from the line, and no line itself, may be as narrow as it.
    """
    kind = config.kind

    def is_marker(blob: Blob) -> bool:
        apart = blob.area <= kind.compact * math.pi * blob.radius**2
        return blob.radius >= (kind.narrow if apart else kind.thicker) * line

    sights = [replace(one, blobs=tuple(filter(is_marker, one.blobs))) for one in found.sights]
    spots = travel(sights, 0.0, cell_px, floor_rgb, config.blobs).spots
    piece: list[Spot] = []
    for spot in spots:
        if piece and _step(piece[-1], spot) > config.steps.brisk * cell_px:
            if _extent(piece) >= config.kind.moved * cell_px:
                yield tuple(piece)
            piece = []
        piece.append(spot)
    if _extent(piece) >= config.kind.moved * cell_px:
        yield tuple(piece)


def _step(one: Spot, other: Spot) -> float:
    """How far two spots are from one another, in puzzle pixels."""
    return math.hypot(one.blob.x - other.blob.x, one.blob.y - other.blob.y)


def _hidden(way: Travel, found: MotionFindings, plan: Floorplan, config: ClipConfig) -> Travel:
    """A blob that comes from beside a marker of its colour, or vanishes there, lay on it, where it hardly shows."""
    spots = way.spots
    rgb = np.median([spot.blob.rgb for spot in spots], axis=0)
    plain = [sight for sight in found.sights if not sight.other_scene]
    before = [sight for sight in plain if sight.index < spots[0].index]
    after = [sight for sight in plain if sight.index > spots[-1].index]
    for marker in plan.markers:
        if float(np.abs(rgb - marker.rgb).max()) > config.frame.marker_alike:
            continue
        at = (marker.center[0] * plan.factor, marker.center[1] * plan.factor)
        if before and _comes_from(at, way.spots, plan, config.kind):
            blob = replace(way.spots[0].blob, x=at[0], y=at[1])
            spots = (Spot(before[-1].index, before[-1].time_s, blob), *spots)
        if after and _comes_from(at, way.spots[::-1], plan, config.kind):
            blob = replace(way.spots[-1].blob, x=at[0], y=at[1])
            spots = (*spots, Spot(after[0].index, after[0].time_s, blob))
    return replace(way, spots=spots)


def _comes_from(at: tuple[float, float], spots: Sequence[Spot], plan: Floorplan, config: KindConfig) -> bool:
    """Whether the first of some spots is so near to a point that its pace would have brought it from there."""
    first, second = spots[0].blob, spots[min(1, len(spots) - 1)].blob
    pace = math.hypot(first.x - second.x, first.y - second.y)
    near = config.hides * plan.cell_width_px * plan.factor + config.hides_steps * pace
    return math.hypot(first.x - at[0], first.y - at[1]) <= near


def _line_half_widths(
    found: MotionFindings, cell_px: float, config: KindConfig
) -> tuple[float, float] | tuple[None, None]:
    """Half the width of what is drawn beside the widest spot, in puzzle pixels, and where it is widest.

    None where there is no line. It is looked at in the frame that has most ink, whatever became of it. A slant line of
    few pixels is wider by one here and there.
    """
    mask = (found.most_arrival >= 0).astype(np.uint8)
    widest = next((one.blobs[0] for one in found.sights if one.index == found.most_index and one.blobs), None)
    if widest is not None:
        center = (round(widest.x / found.factor - 0.5), round(widest.y / found.factor - 0.5))
        cv2.circle(mask, center, math.ceil(config.rim * widest.radius / found.factor), 0, -1)
    lines = trace_strokes(mask > 0)
    if lines.length * found.factor < config.line * cell_px:
        return None, None
    # not a threshold: the middle one
    usual, most = (float(np.quantile(lines.half_widths, share)) for share in (0.5, config.widest))
    return usual * found.factor, most * found.factor


def _leads(sight: Sight, cell_px: float, config: KindConfig) -> bool:
    """Whether a frame's widest spot is where its ink is fresh."""
    if sight.fresh is None:
        return False
    widest = sight.blobs[0]
    away = math.hypot(sight.fresh[0] - widest.x, sight.fresh[1] - widest.y)
    return away <= widest.radius + config.near * cell_px


def _extent(spots: Sequence[Spot]) -> float:
    """The diagonal of the box around all places of a marker, in puzzle pixels."""
    if not spots:
        return 0.0
    xs, ys = [one.blob.x for one in spots], [one.blob.y for one in spots]
    return math.hypot(max(xs) - min(xs), max(ys) - min(ys))
