"""Holes in the walls of a maze, however small, wherever they lie."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import project
from detectors.maze.ink import Ink
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.remainder.cuts import CutsConfig, cut_walls
from detectors.maze.remainder.joins import JoinConfig, joins

_DARKEST = 3.0  # not a threshold: some walls may be faded, and others then lie beyond what is usual
_LEAST = 0.5  # not a threshold: against a division by 0, for of less than half a pixel no wall is drawn


@dataclass(frozen=True)
class HoleConfig:
    """What counts as a hole in a wall.

    Attributes
    ----------
    reach_px : across a wall between cells it is summed as far as so many working pixels beyond its edges
    noise : up to this share of what it lacks then, beside what the middle one lacks, is noise...
    rough : ...and up to so many times the deviation at the usual quantile of all walls
    noisy : in outer walls, a hole is deeper by so many times their middle deviation
    least_lacking_px : length of a hole, in working pixels, times the share that is gone of its wall
    deepest, rough_middle : in its middle at least this share is gone, and so many times that deviation
    paler : a wall is gone where it is paler by this share than those at the usual quantile of all walls
    usual : this quantile
    darker : outer walls that are so many times as dark as what was taken for the walls' colour are whole, and those
        between cells have faded
    depth : how far on the way from wall to floor the middle of a hole in an outer wall is
    faded : an outer wall is gone if it is so much farther on that way than those at the usual quantile
    length : least length of a hole in an outer wall, as a share of a cell...
    least_px : ...and in working pixels; of a wall of which fewer are in sight nothing is told
    over : in a corner of the picture what also covers what lies around the maze, over a strip of this share of a cell
        beside the wall, is a sign
    hair_line_px : of outer walls thinner than this, in working pixels, one pixel of a wall's width is enough to stand
    alike : difference of the largest channel (0 to 255) up to which walls and what lies around them look alike
    joins : holes that join floor to floor, wherever they lie
    cuts : thin cuts in several walls
    """

    reach_px: int = 2
    noise: float = 0.1
    rough: float = 3.5
    noisy: float = 5.0
    least_lacking_px: float = 0.5
    deepest: float = 0.15
    rough_middle: float = 5.7
    paler: float = 0.34
    usual: float = 0.75
    darker: float = 1.5
    depth: float = 0.4
    faded: float = 0.22
    length: float = 0.07
    least_px: float = 3.0
    over: float = 0.25
    hair_line_px: float = 2.5
    alike: float = 48.0
    joins: JoinConfig = field(default_factory=JoinConfig)
    cuts: CutsConfig = field(default_factory=CutsConfig)


def holes(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    plan: Floorplan,
    ink: Ink,
    config: HoleConfig,
    candidate_px: float,
) -> NDArray[np.float64]:
    """Length of the floor that shows in each wall, in working pixels; 0 where that is no hole.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    plan : Floorplan
    ink : Ink
    config : HoleConfig
    candidate_px : float
        How many pixels of the candidate's own come on one of the frame's, along a side.

    Returns
    -------
    ndarray of shape (len(plan.borders),), float64
        0 for passages, and for walls without a hole.
    """
    at, owner = plan.border_pixels
    outer = plan.outer_borders[owner]
    # Summed across, a wall's edges tell as much as its middle.
    known = np.where(outer, plan.border_walls, plan.walls.ravel()[at] & ~plan.open_borders[owner])
    if covered is not None:
        known &= covered.ravel()[at]
    # A stroke over a wall is a crossing, or paint, and no hole.
    known &= ~(ink.asked | ink.other).ravel()[at]
    inner, rim = np.flatnonzero(known & ~outer), np.flatnonzero(known & outer)
    lengths = np.zeros(len(plan.borders))
    # Where what lies around looks like a wall, the rim's wall stands wherever that begins.
    alike = bool(np.abs(plan.exterior_rgb - plan.wall_rgb).max() < config.alike)
    usual = 0.0
    if rim.size:
        standing = _standing(picture, rim, plan, (ink.floor_rgb, ink.wall_rgb), alike, config)
        lengths += _at_the_rim(standing, rim, plan, alike, config)
        usual = 0.0 if alike else float(np.median(standing))
    if inner.size:
        around = around_rgb(picture, covered, plan)
        # A wall in a small candidate is spread over the pixels of that, but not as far as the next wall.
        # not a threshold: half of the way to a cell's middle
        spread = min(math.ceil(1.0 / candidate_px), round(0.25 * plan.cell_px))
        reach = max(config.reach_px, spread)
        if alike and around is not None and np.abs(around - plan.exterior_rgb).max() < config.alike:
            # What lies around says how dark they have to be.
            lengths += _between_cells(picture, inner, plan, (ink.floor_rgb, around), 1.0, reach, config)
        else:
            least = usual if usual > config.darker else 0.0
            lengths += _between_cells(picture, inner, plan, (ink.floor_rgb, ink.wall_rgb), least, reach, config)
    for one in joins(picture, covered, plan, ink, config.joins):
        nearest = _nearest_wall(one.middle, plan)
        if nearest is not None:
            lengths[nearest] = max(lengths[nearest], one.length)
    return lengths


def _nearest_wall(place: tuple[float, float], plan: Floorplan) -> int | None:
    """The wall, by position, whose border runs nearest to a place; None where a plan has no walls."""
    at, owner = plan.border_pixels
    closed = ~plan.open_borders[owner]
    if not closed.any():
        return None
    rows, columns = np.divmod(at[closed], plan.labels.shape[1])
    return int(owner[closed][int(((rows - place[0]) ** 2 + (columns - place[1]) ** 2).argmin())])


def around_rgb(
    picture: NDArray[np.uint8], covered: NDArray[np.bool_] | None, plan: Floorplan
) -> NDArray[np.float64] | None:
    """The candidate's colour of what lies around the maze, or None where nothing does."""
    at = plan.exterior_sample if covered is None else plan.exterior_sample[covered.ravel()[plan.exterior_sample]]
    return np.median(picture.reshape(-1, 3)[at], axis=0) if at.size else None


def _between_cells(
    picture: NDArray[np.uint8],
    which: NDArray[np.intp],
    plan: Floorplan,
    colors: tuple[NDArray[np.float64], NDArray[np.float64]],
    least_usual: float,
    reach: int,
    config: HoleConfig,
) -> NDArray[np.float64]:
    """By how much walls between cells are less than the puzzle's.

    Summed across, a wall is as dark when it is blurred, or drawn a pixel beside its place, as it was before; so what it
    lacks is told to a part of a pixel. What all walls lack is how the picture as a whole was changed, unless those at
    the rim are darker.
    """
    owner = plan.border_pixels[1][which]
    far = reach + math.ceil(0.5 * plan.wall_px)  # not a threshold: half of a wall to either side
    steps = range(-far, far + 1)
    shown = np.clip(_across(picture, which, plan, colors, steps, 0), 0.0, _DARKEST)
    own_colors = (plan.floor_rgb, plan.wall_rgb)
    own_shown = np.clip(_across(plan.picture, which, plan, own_colors, steps, 0), 0.0, _DARKEST)
    now, own = shown.sum(axis=0), own_shown.sum(axis=0)
    share = _smooth((now / np.maximum(own, _LEAST)).astype(np.float32), which, plan)
    usual = max(float(np.median(share)), 1e-3)  # not a threshold: against a division by 0
    # In a stretched picture walls across are thicker than those along it, and half of them lie off the middle.
    deviation = float(np.quantile(np.abs(share - usual), config.usual)) / usual
    lacking = 1.0 - share / usual
    lacking[lacking < max(config.noise, config.rough * deviation)] = 0.0
    count = len(plan.borders)
    # A border between cells is two pixels wide.
    lengths = np.bincount(owner, weights=lacking, minlength=count) / 2.0
    deepest = np.zeros(count)
    np.maximum.at(deepest, owner, lacking)
    shallow = deepest < max(config.deepest, config.rough_middle * deviation)
    lengths[(lengths < config.least_lacking_px) | shallow] = 0.0
    # Wide walls reach as far as strokes beside them, and are no darker for that.
    standing = share / usual if plan.pieces is None else np.minimum(share / usual, 1.0).astype(np.float32)
    cut = cut_walls(standing, which, min(usual, 1.0) * plan.wall_px, plan, config.cuts)
    lengths[cut] = np.maximum(lengths[cut], config.least_lacking_px)
    known_px = np.bincount(owner, minlength=count)
    mean = np.bincount(owner, weights=share, minlength=count) / np.maximum(known_px, 1)
    walls = known_px >= config.least_px
    if walls.any():
        # A wall that is thinner all along is no paler: it is as dark in its middle.
        dark = shown.max(axis=0) / np.maximum(own_shown.max(axis=0), _LEAST)
        middle = np.bincount(owner, weights=dark, minlength=count) / np.maximum(known_px, 1)
        least = 1.0 - config.paler
        faded = mean < least * float(np.quantile(mean[walls], config.usual))
        faded |= (mean < least * least_usual) & (middle < least * least_usual)
        lengths = np.where(walls & faded, np.maximum(lengths, known_px / 2.0), lengths)
    return lengths


def _at_the_rim(
    standing: NDArray[np.float32], which: NDArray[np.intp], plan: Floorplan, alike: bool, config: HoleConfig
) -> NDArray[np.float64]:
    """Length of the floor that shows in outer walls, at the deepest places only.

    What lies around may look like a wall, so that no sum tells. A wall that stands a pixel beside its place is no hole:
    of the pixels across it the darkest ones count.
    """
    owner = plan.border_pixels[1][which]
    # Thin or short walls do not stand fully in the puzzle's own picture either.
    own = _standing(plan.picture, which, plan, (plan.floor_rgb, plan.wall_rgb), alike, config)
    smooth = _smooth(np.minimum(standing + 1.0 - np.minimum(own, 1.0), 1.0), which, plan)
    usual = float(np.median(smooth))
    deviation = float(np.median(np.abs(smooth - usual)))
    deep = smooth < min(1.0 - config.depth, usual - config.noisy * deviation)
    count = len(plan.borders)
    lengths = np.bincount(owner[deep], minlength=count).astype(np.float64)
    known_px = np.bincount(owner, minlength=count)
    mean = np.bincount(owner, weights=smooth, minlength=count) / np.maximum(known_px, 1)
    walls = known_px >= config.least_px
    if walls.any():
        # Walls that are all as pale are the puzzle's, drawn paler; some of them that are, are faded.
        faded = walls & (mean < min(float(np.quantile(mean[walls], config.usual)), 1.0) - config.faded)
        lengths = np.where(faded, np.maximum(lengths, known_px), lengths)
    lengths[lengths < max(config.least_px, config.length * plan.cell_px)] = 0.0
    return lengths


def _across(
    picture: NDArray[np.uint8],
    which: NDArray[np.intp],
    plan: Floorplan,
    colors: tuple[NDArray[np.float64], NDArray[np.float64]],
    steps: range,
    outwards: int,
) -> NDArray[np.float32]:
    """(len(steps), len(which)), how far pixels are on the way from floor (0) to wall, at steps across borders."""
    at, owner = plan.border_pixels
    row, column = np.divmod(at[which], plan.labels.shape[1])
    normal = plan.border_normals[which]
    outer = plan.outer_borders[owner[which]]
    by = (np.asarray(steps)[:, None] + outer * outwards)[..., None] * normal
    places = np.stack([column + by[..., 1], row + by[..., 0]], axis=-1).astype(np.float32)
    return project(_between_pixels(picture, places), *colors)


def _between_pixels(picture: NDArray[np.uint8], places: NDArray[np.float32]) -> NDArray[np.uint8]:
    """(m, n, 3) colours at (m, n, 2) places (x, y), between pixels in proportion: those next to a slant wall alternate.

    OpenCV takes maps of a limited width, so that they are folded.
    """
    count, width = places.shape[0] * places.shape[1], 1 << 12  # not a threshold: any width that OpenCV takes
    folded = np.zeros((max(1, -(-count // width)) * width, 2), np.float32)
    folded[:count] = places.reshape(-1, 2)
    x, y = (np.ascontiguousarray(one.reshape(-1, width)) for one in folded.T)
    colors = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(colors.reshape(-1, 3)[:count].reshape(*places.shape[:2], 3), np.uint8)


def _smooth(values: NDArray[np.float32], which: NDArray[np.intp], plan: Floorplan) -> NDArray[np.float32]:
    """Values of pixels of borders, averaged with those beside them."""
    at = plan.border_pixels[0][which]
    height, width = plan.labels.shape
    flat, weight = np.zeros(height * width, np.float32), np.zeros(height * width, np.float32)
    flat[at], weight[at] = values, 1.0
    size = (3, 3)  # not a threshold: a pixel's neighbours
    sums, counts = (
        cv2.boxFilter(part.reshape(height, width), -1, size, normalize=False, borderType=cv2.BORDER_CONSTANT).ravel()
        for part in (flat, weight)
    )
    return np.asarray(sums[at] / np.maximum(counts[at], 1.0), np.float32)


def _standing(
    picture: NDArray[np.uint8],
    which: NDArray[np.intp],
    plan: Floorplan,
    colors: tuple[NDArray[np.float64], NDArray[np.float64]],
    alike: bool,
    config: HoleConfig,
) -> NDArray[np.float32]:
    """How far (0 to 1) an outer wall stands at pixels of borders, or beside them."""
    shown = _across(picture, which, plan, colors, range(-2, 3), 2 if alike else 1)
    ordered = np.sort(np.clip(shown, 0.0, _DARKEST), axis=0)
    return np.asarray(ordered[-1 if plan.wall_px < config.hair_line_px else -2], np.float32)
