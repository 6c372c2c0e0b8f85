"""What is drawn on wide walls, as all are of a maze without cells: beside its floor no piece tells anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import project
from detectors.common.residual.mixing import channel_maxima
from detectors.maze.ink import Ink
from detectors.maze.plan.cell_maps import nearest_cell
from detectors.maze.plan.floorplan import Floorplan

_AROUND = np.ones((3, 3), np.uint8)
_LEAST = 1e-3  # not a threshold: against a division by 0
_LEVEL = 1.0  # not a threshold: by less no two pixels of a picture differ


@dataclass(frozen=True)
class WithinConfig:
    """What counts as drawn on a wall.

    Attributes
    ----------
    edge_px, edge : nearer to the floor than so many working pixels, and this share of a unit, lies a wall's own edge
    rim : nearer to the picture's edge than this share of a unit there may be what lies around it
    line_px, line : nearer to the line that was read than so many working pixels, and this share of a unit, lie its edge
        and its glow
    around : a wall's own colour is told over so many units around...
    trimmed : ...by this share of its pixels, that differ least
    plain : a mark differs from it by so many levels, 0 to 255...
    usual, noisy : ...and by so many times what this quantile of all walls does
    everywhere : ...and by so many times what most squares of a unit have at most
    smear_px : so near to the floor, in picture pixels, compression leaves more...
    ringing, smeared : ...and a mark differs by so many times what this quantile of all that is as near does
    least : smallest mark, as a share of a square of a unit...
    least_px : ...and in working pixels
    bare : a mark that is so far on the way from wall to floor is a hole
    """

    edge_px: float = 3.0
    edge: float = 0.05
    rim: float = 0.08
    line_px: float = 3.0
    line: float = 0.1
    around: float = 1.5
    trimmed: float = 0.7
    plain: float = 22.0
    usual: float = 0.6
    noisy: float = 4.5
    everywhere: float = 3.2
    smear_px: float = 12.0
    ringing: float = 1.6
    smeared: float = 0.9
    least: float = 0.012
    least_px: float = 14.0
    bare: float = 0.6


@dataclass(frozen=True)
class OnWalls:
    """What is drawn on walls.

    Attributes
    ----------
    cells : the pieces of the floor that lie nearest to marks
    contrast : the greatest one of them, as a share of the range of a channel
    holes : borders, by position, beside which a wall looks like floor
    """

    cells: tuple[int, ...]
    contrast: float
    holes: tuple[int, ...]


def find_on_walls(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    ink: Ink,
    line: NDArray[np.bool_],
    free: Callable[[], NDArray[np.bool_]],
    plan: Floorplan,
    config: WithinConfig,
) -> OnWalls:
    """Looks at all walls deeper than their edges, without cells rock included, for what the puzzle does not have there.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    ink : Ink
        Its colours of floor and wall tell holes from marks.
    line : ndarray of shape (h, w), bool
        The strokes that were read, which are told by themselves.
    free : callable
        Tells, as (h, w) bool, what is not looked at; asked only where something is seen.
    plan : Floorplan
        Of the puzzle.
    config : WithinConfig
    """
    nothing = OnWalls((), 0.0, ())
    depth = plan.solid_depth
    core = (depth > max(config.edge_px, config.edge * plan.unit_px)) & ~plan.marker_rims
    if plan.pieces is None:
        core &= plan.walls  # what lies around cells is no part of their walls
    rim = round(config.rim * plan.unit_px)
    core[:rim], core[len(core) - rim :], core[:, :rim], core[:, core.shape[1] - rim :] = False, False, False, False
    red, green, blue = cv2.split(cv2.absdiff(picture, plan.picture))
    changed = cv2.max(cv2.max(red, green), blue)
    if not (changed[core] > config.plain / 2).any():
        return nothing
    if covered is not None:
        # not a threshold: pixels at the candidate's own edge are mixed with what it is continued by
        core &= cv2.erode(covered.view(np.uint8), np.ones((5, 5), np.uint8)) > 0
    around = 2 * round(max(config.line_px, config.line * plan.unit_px)) + 1
    core &= cv2.dilate(line.view(np.uint8), np.ones((around, around), np.uint8)) == 0
    if not (cv2.blur(changed, (3, 3))[core] > config.plain / 2).any():
        return nothing
    core &= ~free()
    if not core.any():
        return nothing
    contrast = _contrast(picture, core, plan, config)
    least = max(config.plain, config.everywhere * _usual_most(contrast, core, round(plan.unit_px)))
    plain = core & (contrast > np.maximum(least, _noise(contrast, core, depth, plan.factor, config)))
    # not a threshold: single pixels are no marks
    shown = cv2.morphologyEx(plain.view(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    # not a threshold: a pixel's neighbours
    count, parts, stats, _ = cv2.connectedComponentsWithStats(shown, connectivity=8)
    least = max(config.least_px, config.least * plan.unit_px**2)
    cells: set[int] = set()
    holes: set[int] = set()
    most = 0.0
    for part in range(1, count):
        if stats[part, cv2.CC_STAT_AREA] < least:
            continue
        pixels = np.argwhere(parts == part)
        own = tuple(pixels.T)
        toward = project(picture[own], ink.wall_rgb, ink.floor_rgb)
        middle = pixels[int(contrast[own].argmax())]
        if float(np.median(toward)) > config.bare and _is_mixed(picture[own], ink):
            holes.add(_nearest_wall(middle, plan))
        else:
            cells.add(nearest_cell(plan.labels, int(middle[0]), int(middle[1])))
        most = max(most, float(contrast[own].max()))
    # not a threshold: the range of a channel
    return OnWalls(tuple(sorted(cells)), most / 255.0, tuple(sorted(holes)))


def _contrast(
    picture: NDArray[np.uint8], core: NDArray[np.bool_], plan: Floorplan, config: WithinConfig
) -> NDArray[np.float32]:
    """(h, w) float32, by how many levels walls differ from the puzzle's, as they do around: they may be repainted."""
    own = plan.picture.astype(np.float32)
    off = picture.astype(np.float32) - own
    side = 2 * round(config.around * plan.unit_px) + 1
    plain = core
    level = np.zeros_like(off)
    # Again without what differs most: it sways what lies around.
    for _ in range(2):
        weight = cv2.boxFilter(plain.astype(np.float32), -1, (side, side))
        level = cv2.boxFilter(off * plain[..., None], -1, (side, side)) / np.maximum(weight, _LEAST)[..., None]
        rest = channel_maxima(np.abs(off - level))
        # On plain walls most differ by what sums are rounded to, and some window might have none that counts.
        plain = core & (rest <= max(float(np.quantile(rest[core], config.trimmed)), _LEVEL))
    # Where the puzzle's own walls have an edge, as of an ornament, it may lie a pixel aside.
    ranged = np.maximum(cv2.dilate(own, _AROUND) - own, own - cv2.erode(own, _AROUND))
    averaged = np.abs(cv2.blur((off - level) * core[..., None], (3, 3)))
    return np.asarray(channel_maxima(np.maximum(averaged - ranged, 0.0)), np.float32)


def _usual_most(contrast: NDArray[np.float32], core: NDArray[np.bool_], side: int) -> float:
    """The middle one of what squares of walls, of so many pixels a side, have at most: a mark is in few of them."""
    height, width = (-(-length // side) * side for length in core.shape)
    padded = np.zeros((height, width), np.float32)
    padded[: core.shape[0], : core.shape[1]] = np.where(core, contrast + _LEAST, 0.0)
    most = padded.reshape(height // side, side, width // side, side).max(axis=(1, 3))
    return float(np.median(most[most > 0.0]))


def _noise(
    contrast: NDArray[np.float32],
    core: NDArray[np.bool_],
    depth: NDArray[np.float32],
    factor: int,
    config: WithinConfig,
) -> NDArray[np.float32]:
    """(h, w) float32, from which contrast on something is no noise, nor what compression leaves beside the floor."""
    found = np.full(depth.shape, config.noisy * float(np.quantile(contrast[core], config.usual)), np.float32)
    for distance in range(1, int(config.smear_px / factor) + 1):
        ring = core & (depth > distance - 1) & (depth <= distance)
        if np.count_nonzero(ring) >= 20:  # not a threshold: of fewer pixels no quantile is told
            found[ring] = np.maximum(found[ring], config.ringing * np.quantile(contrast[ring], config.smeared))
    return found


def _is_mixed(colors: NDArray[np.uint8], ink: Ink) -> bool:
    """Whether most of some colours (n, 3) lie nearer to the floor's than anything with a hue of its own does."""
    step = np.abs(ink.floor_rgb - ink.wall_rgb).max()
    return bool(np.median(np.abs(colors - ink.floor_rgb).max(axis=1)) < 0.5 * step)  # not a threshold: nearer


def _nearest_wall(place: NDArray[np.intp], plan: Floorplan) -> int:
    at, owner = plan.border_pixels
    closed = ~plan.open_borders[owner]
    places = np.stack(np.divmod(at[closed], plan.labels.shape[1]), axis=1)
    return int(owner[closed][int(((places - place) ** 2).sum(axis=1).argmin())])
