"""The picture around a marker: whether the maze is as it was, apart from where the marker stands."""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.light import even_light
from detectors.maze.alterations import find_alterations
from detectors.maze.clips.findings import Blob
from detectors.maze.clips.reading import drift_table
from detectors.maze.ink import find_ink
from detectors.maze.paths import find_path
from detectors.maze.remainder.finding import find_remainder
from grader.alignment.align import warp
from grader.media.pyramid import Pyramid
from grader.model.verdict import Alignment, Reason
from grader.tasks.maze.judge import judge_maze
from grader.tasks.maze.puzzle import MazePuzzle
from grader.tasks.maze.settings import MazeSettings

ALTERED = frozenset(
    {
        "NOT_THE_PUZZLE",
        "OTHER_DRAWINGS",
        "FLOODED",
        "TEXTURE",
        "PUZZLE_REPLACED",
        "WALLS_ERASED",
        "WALLS_ADDED",
        "WALLS_PAINTED",
        "CELLS_COVERED",
        "CUT_OFF",
        "MARKER_ERASED",
        "MARKER_MOVED",
        "MARKER_ADDED",
        "EXTERIOR_PAINTED",
    }
)
"""Reasons of a picture that say that it is not the puzzle as it was."""

_TRAIL = frozenset({"SHORTCUT", "WALL_CROSSED", "OUTSIDE_MAZE"})
"""Reasons that hold for a trail as for a path."""

_ELSEWHERE = frozenset({"FOREIGN_STROKES", "SIDE_BRANCH", "STRAY_STROKES", "INK_SPILLED", "CELLS_FILLED"})
"""Reasons that hold for a trail where the marker has not been."""


def altered_around(
    puzzle: MazePuzzle,
    pixels: NDArray[np.uint8],
    alignment: Alignment,
    hidden: tuple[Blob, ...],
    moved_markers: tuple[int, ...],
    visited: frozenset[int] | None,
    free: int | None,
    settings: MazeSettings,
) -> tuple[Reason, ...]:
    """How a frame with a marker differs from the puzzle elsewhere.

    Parameters
    ----------
    puzzle : MazePuzzle
    pixels : ndarray of shape (H, W, 3), uint8 RGB
        The frame.
    alignment : Alignment
        Of it.
    hidden : tuple of Blob
        The marker, and what else is painted over with the puzzle's own picture before it is looked at.
    moved_markers : tuple of int
        Positions in the plan's markers of those that travel themselves; their places are painted over too.
    visited : frozenset of int or None
        The cells where the marker has been, if it leaves a trail: no ink may be elsewhere, nor cross a wall.
    free : int or None
        A cell that may look otherwise, with its walls.
    settings : MazeSettings

    Returns
    -------
    tuple of Reason
        What is drawn of a path where the marker has been is no reason.
    """
    plan = puzzle.plan
    pyramid = Pyramid(pixels)
    height, width = plan.labels.shape
    view, covered = warp(pyramid, alignment, (width, height), plan.factor)
    view = plan.flattened(view, covered)
    view = even_light(_undrifted(view, puzzle, settings), plan.picture, plan.floor_sample, settings.light)
    rules = settings.travelling
    mask = np.zeros((height, width), np.uint8)
    for blob in hidden:
        center = (round(blob.x / plan.factor), round(blob.y / plan.factor))
        cv2.circle(mask, center, round(rules.rim * blob.radius / plan.factor) + rules.rim_px, 1, -1)
    for index in moved_markers:
        mask[plan.markers[index].box] |= plan.markers[index].mask
    mask = np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)
    if free is not None:
        reach = 2 * math.ceil(plan.wall_reach_px) + 1  # not a threshold: the walls around it, to either side
        cell = np.asarray(plan.labels == free, np.uint8)
        mask = np.maximum(mask, np.asarray(cv2.dilate(cell, np.ones((reach, reach), np.uint8)), np.uint8))
    view = np.where(mask[..., None] > 0, plan.picture, view)
    ink = find_ink(view, covered, plan, puzzle.asked, settings.ink)
    found = find_path(view, ink, plan, settings.path)
    altered = find_alterations(view, covered, ink, plan, settings.alterations, found.grey_line)
    # At the edge of what was painted over the picture does not go on as it was.
    # not a threshold: as far as soft edges reach
    shown = cv2.erode((mask == 0).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    shown = shown if covered is None else shown & covered
    left = find_remainder(
        view, shown, ink, found, plan, settings.remainder, candidate_px=plan.factor / alignment.mean_scale
    )
    beside = puzzle.is_shown_with_more(pyramid, alignment, settings.beside)
    judged = judge_maze(puzzle, alignment, found, altered, left, beside, settings.judging)
    return tuple(_kept(judged.reasons, visited))


def _undrifted(view: NDArray[np.uint8], puzzle: MazePuzzle, settings: MazeSettings) -> NDArray[np.uint8]:
    """Undoes a drift of colours, as of a lamp, that a clip may have; the frame is in the plan's frame.

    Codecs smear hues, so that thin walls have but a part of the drift that their surroundings have. What is left of
    that is taken off too, and lightness kept.
    """
    plan = puzzle.plan
    seen, meant = (
        tuple(
            np.median(one.reshape(-1, 3)[at], axis=0) if at.size else np.zeros(3)
            for at in (plan.floor_sample, plan.wall_sample)
        )
        for one in (view, plan.picture)
    )
    table = drift_table((seen[0], seen[1]), (meant[0], meant[1]), settings.motion.frame)
    if table is None:
        return view
    even, own = (cv2.cvtColor(one, cv2.COLOR_RGB2YCrCb) for one in (cv2.LUT(view, table), plan.picture))
    smeared = cv2.absdiff(even, own)[..., 1:].max(axis=2) <= settings.motion.frame.smeared
    even[smeared, 1:] = own[smeared, 1:]
    return np.asarray(cv2.cvtColor(even, cv2.COLOR_YCrCb2RGB), np.uint8)


def _kept(reasons: tuple[Reason, ...], visited: frozenset[int] | None) -> Iterator[Reason]:
    for reason in reasons:
        if reason.code in ALTERED or (visited is not None and reason.code in _TRAIL):
            yield reason
        elif visited is not None and reason.code in _ELSEWHERE:
            apart = tuple(place for place in reason.places if place.cell is not None and place.cell.id not in visited)
            if apart:
                yield Reason(reason.code, reason.message, apart)
