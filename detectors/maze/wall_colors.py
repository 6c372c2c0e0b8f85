"""Walls that have another hue than the rest of them: painted over, or put in anew."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import distance_to, seen, seen_color
from detectors.maze.ink import Ink
from detectors.maze.plan.floorplan import Floorplan


@dataclass(frozen=True)
class WallColorConfig:
    """What counts as a wall in another colour.

    Attributes
    ----------
    length : walls are looked at by pieces of this share of a cell's length...
    known_px : ...of so many pixels or more in sight
    visible, noisy : the hue of one is off that of all by this contrast, and by so many times what the middle one is
    away_px, away : nearer than so many working pixels, or this share of a cell, to the path's ink or a marker lie its
        edge and its glow
    """

    length: float = 0.35
    known_px: int = 4
    visible: float = 0.1
    noisy: float = 6.0
    away_px: float = 4.0
    away: float = 0.2


def recolored_walls(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    ink: Ink,
    plan: Floorplan,
    config: WallColorConfig,
) -> NDArray[np.bool_]:
    """(len(borders),) bool, walls of which a piece has another hue than walls have.

    What mixes floor and wall, as edges do, is no other hue, and what goes on beyond the walls' colour is darker. If all
    have another one, as in a repainted maze, that is theirs.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    ink : Ink
        Its colours of floor and wall, and its coloured pixels.
    plan : Floorplan
        Of the puzzle.
    config : WallColorConfig
    """
    found = np.zeros(len(plan.borders), np.bool_)
    at, owner = plan.border_pixels
    colored = distance_to(ink.asked)
    apart = max(config.away_px, config.away * plan.cell_px)
    known = plan.border_walls & (np.minimum(colored, plan.marker_distance).ravel()[at] > apart)
    if covered is not None:
        # not a threshold: pixels at the candidate's own edge are mixed with what it is continued by
        inner = cv2.erode(covered.view(np.uint8), np.ones((5, 5), np.uint8)) > 0
        known &= inner.ravel()[at]
    if not known.any() or not ink.has_walls:
        return found
    at, owner = at[known], owner[known]
    floor = seen_color(ink.floor_rgb)
    axis = seen_color(ink.wall_rgb) - floor
    own = seen(picture.reshape(-1, 1, 3)[at])[:, 0] - floor
    aside = own - (own @ axis / float(axis @ axis))[:, None] * axis
    # Pieces of each wall, in the order of its pixels.
    order = np.arange(at.size) - np.searchsorted(owner, owner)
    steps = max(config.known_px, round(config.length * plan.cell_px))
    piece = np.unique(owner * plan.labels.size + order // steps, return_inverse=True)[1]
    count = np.bincount(piece)
    mean = np.stack([np.bincount(piece, aside[:, axis_]) for axis_ in range(3)], axis=1) / count[:, None]
    whole = count >= config.known_px
    if not whole.any():
        return found
    off = np.sqrt(((mean - np.median(mean[whole], axis=0)) ** 2).sum(axis=1))
    least = max(config.visible, config.noisy * float(np.median(off[whole])))
    found[owner[(whole & (off > least))[piece]]] = True
    return found
