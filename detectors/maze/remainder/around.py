"""Whether something leads around a maze, through the margin that a candidate shows, from one marker to another."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import distance_to, lengths, seen
from detectors.maze.plan.cell_maps import OUTSIDE
from detectors.maze.plan.floorplan import Floorplan


@dataclass(frozen=True)
class AroundConfig:
    """What leads around a maze from one marker to another.

    Attributes
    ----------
    least, most : it is looked for where a margin is at least this wide, and as far as this, as shares of the puzzle's
        longer side
    edge_px, own_edge : nearer to the maze's outer wall than so many working pixels, and as far as this share of all
        around it shows something, lies its own edge
    band : what comes out of a marker's cell does so over this share of that side...
    share : ...of which it shows at this share of all distances
    window : it is narrower than half of this share of that side, beside what lies around it
    visible : contrast from which it shows...
    times : ...if that is also so many times what the middle pixel outside has
    gap : pieces of it are at most twice this share of that side apart
    all_around : what shows along more than this share of all around the maze, as far from it, is a frame...
    framed : ...and so is what shows as far around its upright box along more than this share of it, with its own edge
    """

    least: float = 0.03
    most: float = 0.3
    edge_px: float = 3.0
    own_edge: float = 0.1
    band: float = 0.03
    share: float = 0.7
    window: float = 0.09
    visible: float = 0.02
    times: float = 4.0
    gap: float = 0.015
    all_around: float = 0.4
    framed: float = 0.85


def leads_around(
    picture: NDArray[np.uint8], covered: NDArray[np.bool_] | None, margin: int, plan: Floorplan, config: AroundConfig
) -> bool:
    """Whether a thing that hangs together comes out of the cells of two markers and joins them outside.

    Frames and the edges of pages go along a maze but do not come out of it; captions come to one marker at most.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame, with a margin on all sides.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    margin : int
        The margin's width in working pixels.
    plan : Floorplan
        Of the puzzle.
    config : AroundConfig
    """
    labels = np.pad(plan.labels, margin, constant_values=OUTSIDE)
    side = max(plan.labels.shape)
    to_maze = distance_to(labels != OUTSIDE)
    fronts: list[NDArray[np.float32]] = []
    for marker in plan.markers:
        distance = distance_to(labels == marker.cell)
        # not a threshold: what is as near to another cell lies in front of that one
        fronts.append(np.where((distance <= to_maze + 1.0) & (to_maze > 0), distance, np.float32(np.inf)))
    known = np.ones(labels.shape, np.bool_) if covered is None else covered
    # not a threshold: a candidate's own edge is mixed with what it is continued by
    known = cv2.erode(known.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    # Half of the outer walls may lie there, or all of them within the cells.
    edges = (config.edge_px, config.edge_px + 0.5 * plan.wall_px)
    return any(_leads(picture, known & (to_maze > edge), to_maze, fronts, edge, side, config) for edge in edges)


def _leads(
    picture: NDArray[np.uint8],
    known: NDArray[np.bool_],
    to_maze: NDArray[np.float32],
    fronts: list[NDArray[np.float32]],
    edge: float,
    side: int,
    config: AroundConfig,
) -> bool:
    """The same, where a maze of some side ends so far outside of its cells."""
    band = config.band * side
    if len(fronts) < 2 or not all((known & (front <= band)).any() for front in fronts):
        return False
    shown = _shown(picture, known, round(config.window * side) | 1, config)
    shown &= to_maze > _own_edge(shown, known, to_maze, edge, config)
    # A frame is alike in front of all cells of the border, or runs straight along the sides of a ragged maze.
    apart = shown & ~_all_around(shown, known, to_maze, config.all_around, config.all_around)
    apart &= ~_all_around(shown, known, _to_box(to_maze), config.own_edge, config.framed)
    ends = [_comes_out(apart & (front <= band), front, band - edge, config) for front in fronts]
    if not all(ends):
        return False
    gap = 2 * round(config.gap * side) + 1
    joined = cv2.dilate((shown & (to_maze > band)).astype(np.uint8), np.ones((gap, gap), np.uint8))
    _, pieces = cv2.connectedComponents(joined)
    reached = [set(np.unique(pieces[front <= band + gap]).tolist()) - {0} for front in fronts]
    return any(one & other for place, one in enumerate(reached) for other in reached[:place])


def _shown(
    picture: NDArray[np.uint8], known: NDArray[np.bool_], window: int, config: AroundConfig
) -> NDArray[np.bool_]:
    """Where something stands out from what lies around it; edges of areas do not."""
    # The maze is as what lies next to it, so that a strip around it is no line.
    hidden = (~known).view(np.uint8)
    # not a threshold: the side of OpenCV's larger mask
    _, nearest = cv2.distanceTransformWithLabels(hidden, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    colors = np.zeros((int(nearest.max()) + 1, picture.shape[2]), np.uint8)
    colors[nearest[known]] = picture[known]
    plain = colors[nearest]
    ground = cv2.medianBlur(plain, window)
    off = lengths(np.asarray(cv2.blur(seen(plain) - seen(ground), (3, 3)), np.float32))  # not a threshold: neighbours
    return (off > max(config.visible, config.times * float(np.median(off[known])))) & known


def _own_edge(
    shown: NDArray[np.bool_],
    known: NDArray[np.bool_],
    to_maze: NDArray[np.float32],
    edge: float,
    config: AroundConfig,
) -> float:
    """How far a maze's own edge reaches, which blur makes wider, and in the notches of a ragged one wider still."""
    steps = np.rint(to_maze).astype(np.intp)
    there = np.bincount(steps[known], minlength=int(steps.max()) + 1)
    showing = np.bincount(steps[shown], minlength=len(there))
    first = math.ceil(edge)
    clear = np.flatnonzero(showing[first:] < config.own_edge * np.maximum(there[first:], 1))
    return float(first + clear[0]) if clear.size else float(len(there))


def _all_around(
    shown: NDArray[np.bool_], known: NDArray[np.bool_], distance: NDArray[np.float32], share: float, most: float
) -> NDArray[np.bool_]:
    """Which pixels lie at distances at which something shows at more than a share of all places, next to each other and
    at one of them at more than the other share: a frame may be slightly aside.
    """
    steps = np.rint(distance).astype(np.intp)
    there = np.bincount(steps[known], minlength=int(steps.max()) + 1)
    showing = np.bincount(steps[shown], minlength=len(there))
    alike = showing > share * there
    alike[0] = False
    # Stretches of such distances, by number.
    stretch = np.cumsum(np.diff(alike, prepend=False))
    alike &= np.isin(stretch, stretch[alike & (showing > most * there)])
    return np.asarray(alike[steps], np.bool_)


def _to_box(to_maze: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far each pixel lies outside of the upright box around the maze; within, 0."""
    ranges = []
    for axis in (0, 1):
        at = np.flatnonzero((to_maze == 0.0).any(axis=1 - axis))
        place = np.arange(to_maze.shape[axis])
        ranges.append(np.maximum(np.maximum(at[0] - place, place - at[-1]), 0))
    return np.asarray(np.maximum(ranges[0][:, None], ranges[1][None, :]), np.float32)


def _comes_out(shown: NDArray[np.bool_], distance: NDArray[np.float32], width: float, config: AroundConfig) -> bool:
    """Whether something goes on outwards, from near a cell, over a band as wide."""
    steps = np.unique(np.rint(distance[shown]))
    return len(steps) >= config.share * width
