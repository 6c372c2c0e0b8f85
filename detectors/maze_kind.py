"""What kind of clip this is, told by what is seen: a path that grows, a marker that travels, or nothing."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from detectors.floorplan import Floorplan
from detectors.maze_blobs import Spot, Travel, travel
from detectors.maze_motion_config import MotionConfig, MotionFindings
from detectors.strokes import trace_strokes


class MotionKind(enum.Enum):
    """What moves in a clip."""

    GROWING_PATH = "growing_path"
    MOVING_MARKER = "moving_marker"
    NOTHING = "nothing"


@dataclass(frozen=True)
class KindFindings:
    """The kind of a clip; of a marker, its way and whether it leaves a trail."""

    kind: MotionKind
    has_trail: bool
    travel: Travel


def tell_kind(found: MotionFindings, plan: Floorplan, config: MotionConfig) -> KindFindings:
    """Tells a travelling marker from a growing path.

    Without a trail, far more places are inked in turn than at any one time. With one, the widest spot of the ink is
    wider than the line, and travels.

    Parameters
    ----------
    found : MotionFindings
        Of the whole clip.
    plan : Floorplan
        Of the puzzle.
    config : MotionConfig
    """
    cell_px = plan.cell_width_px * plan.factor
    ever = float(np.count_nonzero(found.ever)) * found.factor**2
    nothing = Travel((), ())
    if ever < config.speck * cell_px**2:
        return KindFindings(MotionKind.NOTHING, False, nothing)
    if found.most_area <= config.passing * ever:
        way = travel(found.sights, 0.0, cell_px, config)
        if _extent(way.spots) >= config.moved * cell_px:
            return KindFindings(MotionKind.MOVING_MARKER, False, way)
    # The line is measured where it stood, whatever became of it.
    lines = trace_strokes(found.most_arrival >= 0)
    radii = [sight.blobs[0].radius for sight in found.sights if sight.blobs]
    if len(lines.pixels) and radii:
        line = float(np.median(lines.half_widths)) * found.factor
        widest = float(np.median(radii))
        if widest >= config.thicker * line:
            way = travel(found.sights, 0.5 * (line + widest), cell_px, config)
            if _extent(way.spots) >= config.moved * cell_px and _seen(way, found) >= 0.5:
                return KindFindings(MotionKind.MOVING_MARKER, True, way)
    return KindFindings(MotionKind.GROWING_PATH, False, nothing)


def _seen(way: Travel, found: MotionFindings) -> float:
    """The share of the frames with ink in which the marker is seen."""
    return len(way.spots) / max(1, sum(1 for sight in found.sights if sight.blobs))


def _extent(spots: Sequence[Spot]) -> float:
    """The diagonal of the box around all places of a marker, in puzzle pixels."""
    if not spots:
        return 0.0
    xs, ys = [one.blob.x for one in spots], [one.blob.y for one in spots]
    return math.hypot(max(xs) - min(xs), max(ys) - min(ys))
