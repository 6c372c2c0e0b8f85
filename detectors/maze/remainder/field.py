"""The residual of a maze: the candidate less its floor, and less all mixtures of the floor with what belongs there."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import hue_degrees, hue_difference
from detectors.common.residual.edges import FEWEST, rings
from detectors.common.residual.ground import Ground, fit_ground
from detectors.common.residual.mixing import (
    channel_sums,
    distance_to,
    lengths,
    seen,
    seen_color,
    take_off,
    take_off_pattern,
    take_off_subsampled,
)
from detectors.maze.ink import Ink
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.remainder.config import CompanionConfig, EdgeConfig, MixingConfig, RemainderConfig
from detectors.maze.shapes.cast import cast_shadow

_DEEP = 0.15  # not a threshold: share of a cell from walls and markers, where the floor is told
_ASIDE = 0.25  # not a threshold: share of a cell from strokes, where walls are told


@dataclass(frozen=True)
class MazeResidual:
    """What is left of the floor of a maze.

    Attributes
    ----------
    values : (h, w, 3) float32, in the colours of `seen`; 0 where not usable
    usable : (h, w) bool, where the floor is in sight
    ground : the floor
    reach_px : how far things mix into the floor
    companion_px : how far companions of the strokes reach, 0 where there are none
    picture : (h, w, 3) uint8, the candidate
    """

    values: NDArray[np.float32]
    usable: NDArray[np.bool_]
    ground: Ground
    reach_px: float
    companion_px: int
    picture: NDArray[np.uint8]

    def shown(self, box: tuple[slice, slice]) -> NDArray[np.float32]:
        """By how much the usable floor of a box differs from its colour, (h, w), before anything is taken off."""
        return lengths(seen(self.picture[box]) - self.ground.surface[box]) * self.usable[box]

    def without(self, known: NDArray[np.bool_]) -> MazeResidual:
        """What is left apart from what is known, (h, w) bool."""
        usable = self.usable & ~known
        return replace(self, values=self.values * usable[..., None], usable=usable)


def maze_residual(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    plan: Floorplan,
    ink: Ink,
    strokes: NDArray[np.bool_],
    stroke_rgb: NDArray[np.float64] | None,
    config: RemainderConfig,
) -> MazeResidual:
    """Takes off a candidate all that is known of it.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    plan : Floorplan
        Of the puzzle.
    ink : Ink
        The candidate's classified pixels; its colours of floor and wall are used.
    strokes : ndarray of shape (h, w), bool
        The line that was read.
    stroke_rgb : ndarray of shape (3,), or None
        Its colour, 0 to 255.
    config : RemainderConfig
    """
    mixing, cell = config.mixing, plan.cell_px
    lab = seen(picture)
    to_stroke = distance_to(strokes)
    # What lies at a marker's edge is the marker's business.
    usable = plan.open_floor & ~strokes & (plan.marker_distance > mixing.reach_px)
    if covered is not None:
        # not a threshold: pixels at the candidate's own edge are mixed with what it is continued by
        usable &= cv2.erode(covered.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    deep = usable & (plan.wall_distance > _DEEP * cell) & (plan.marker_distance > _DEEP * cell)
    far = np.flatnonzero(deep & (to_stroke > _ASIDE * cell))
    ground = fit_ground(lab, far if far.size > FEWEST else np.flatnonzero(usable), config.ground)
    values = (lab - ground.surface) * usable[..., None]
    if plan.floor_pattern is not None:
        take_off_pattern(values, plan.floor_pattern, mixing.beyond)
    aside = usable & (to_stroke > _ASIDE * cell) & (plan.marker_distance > mixing.most_reach * cell)
    reach = _reach(values, aside, plan, mixing)
    least = config.companions.visible

    def mixed(zone: NDArray[np.bool_], rgb: NDArray[np.float64], most: float) -> None:
        take_off(values, usable & zone, seen_color(rgb) - ground.color, least, most)

    mixed(plan.wall_distance <= reach, ink.wall_rgb, mixing.beyond if plan.wall_px >= mixing.thin_px else mixing.thin)
    if plan.outside.any():
        mixed(plan.outside_distance <= reach, _around_rgb(picture, plan), mixing.beyond)
    smear = max(reach, mixing.smear_px / plan.factor)
    for marker, near in zip(plan.markers, plan.marker_distances, strict=True):
        mixed(near <= max(reach, mixing.marker_reach * cell), marker.rgb, mixing.beyond)
    companion = 0
    if stroke_rgb is not None:
        beside = usable & (plan.wall_distance > reach)
        own = seen_color(stroke_rgb) - ground.color
        companion = _take_off_shadow(values, beside, usable, strokes, to_stroke, own, cell, ground.noise, config)
        for _ in range(config.companions.kinds):
            along = 0.0 if plan.pieces is None else config.companions.along
            further = _take_off_companion(
                values, beside, usable, to_stroke, own, cell, ground.noise, along, config.companions
            )
            companion = max(companion, further)
            if not further:
                break
        # After them, for it takes the stroke's hue off a grey shadow as well.
        mixed(to_stroke <= reach, stroke_rgb, mixing.beyond)
        # not a threshold: to the middle of the pixel beside a stroke, and of one that touches its corner
        near_px = max(1.0, mixing.subsampled_px / plan.factor) + 0.5
        take_off_subsampled(values, usable & (to_stroke <= near_px), seen_color(stroke_rgb) - ground.color)
        mixed(to_stroke <= smear, stroke_rgb, mixing.smear)
        # Between a marker and a stroke that comes to it companions, marker and floor mix.
        meeting = (to_stroke <= reach + companion) & (plan.marker_distance <= mixing.most_reach * cell)
        usable &= ~meeting
        values[meeting] = 0.0
    # After companions too: of a grey shadow a marker's smear would leave the hue opposite to its own.
    for marker, near in zip(plan.markers, plan.marker_distances, strict=True):
        mixed(near <= smear, marker.rgb, mixing.smear)
    trust = np.ones(usable.shape, np.float32)
    edges = config.edges
    _distrust(trust, values, aside, usable, plan.wall_distance, edges.wall_px, edges.wall_quantile, ground, edges)
    near_px = max(edges.stroke_px + companion, round(smear))
    beside = usable & (plan.wall_distance > reach)
    for distance in (to_stroke, plan.marker_distance):
        _distrust(trust, values, beside, usable, distance, near_px, edges.stroke_quantile, ground, edges)
    values *= trust[..., None]
    return MazeResidual(values, usable, ground, reach, companion, picture)


def differences(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    ink: Ink,
    strokes: NDArray[np.bool_],
    darker: NDArray[np.bool_],
    plan: Floorplan,
) -> NDArray[np.uint8]:
    """(h, w), by how much the floor differs from its colour, averaged over a few pixels: 0 in most pictures."""
    floor = np.clip(np.rint(ink.floor_rgb), 0, 255).astype(np.uint8)  # not a threshold: the range of a channel
    red, green, blue = cv2.split(cv2.absdiff(picture, np.broadcast_to(floor, picture.shape)))
    off = cv2.max(cv2.max(red, green), blue)
    # not a threshold: what every stroke has for an edge
    known = cv2.dilate(strokes.view(np.uint8), np.ones((5, 5), np.uint8)) > 0
    off[(known & ~darker) | ~plan.inner_floor] = 0
    if covered is not None:
        off[~covered] = 0
    return np.asarray(cv2.blur(off, (3, 3)), np.uint8)  # not a threshold: as a dot's window


def _reach(values: NDArray[np.float32], aside: NDArray[np.bool_], plan: Floorplan, config: MixingConfig) -> float:
    """How far walls mix into the floor: a blurred picture's farther."""
    reach = max(config.reach_px, config.reach * plan.unit_px)
    for distance in range(1, int(config.most_reach * plan.cell_px) + 1):
        ring = values[_ring(aside, plan.wall_distance, distance)]
        if len(ring) < FEWEST or float(np.sqrt((np.median(ring, axis=0) ** 2).sum())) < config.blurred:
            break
        # not a threshold: a pixel further than the last one that differs, and half of one for the ring
        reach = max(reach, distance + 1.5)
    return reach


def _take_off_companion(
    values: NDArray[np.float32],
    beside: NDArray[np.bool_],
    usable: NDArray[np.bool_],
    to_stroke: NDArray[np.float32],
    stroke: NDArray[np.float32],
    cell: float,
    noise: float,
    along: float,
    config: CompanionConfig,
) -> int:
    """Takes off what goes along the strokes all their way, at any strength; says how far it reaches.

    At each distance there have to be as many pixels as that share of those beside the strokes.
    """
    visible = max(config.visible, config.noisy * noise)
    contrast = lengths(values)
    reach = whole = 0
    for distance in range(2, int(config.reach * cell) + 1):
        ring = contrast[_ring(beside, to_stroke, distance)]
        whole = max(whole, len(ring))
        if len(ring) < max(FEWEST, along * whole):
            break
        if np.mean(ring > visible) >= config.share:
            reach = distance
        elif reach and distance > reach + 2:  # not a threshold: a thin gap, as anti-aliasing leaves
            break
    if not reach:
        return 0
    zone = usable & (to_stroke <= reach + 2)  # not a threshold: its own edge
    # not a threshold: nearer to the stroke its own colour mixes in
    shown = zone & (contrast > visible) & (to_stroke > 1.5)
    return reach if _take_off_shade(values, zone, shown, contrast, stroke, config) else 0


def _take_off_shadow(
    values: NDArray[np.float32],
    beside: NDArray[np.bool_],
    usable: NDArray[np.bool_],
    strokes: NDArray[np.bool_],
    to_stroke: NDArray[np.float32],
    stroke: NDArray[np.float32],
    cell: float,
    noise: float,
    config: RemainderConfig,
) -> int:
    """Takes off what the strokes cast to one side, however little of them runs across it; says how far it reaches."""
    companions = config.companions
    contrast, reach = lengths(values), companions.reach * cell
    shown = contrast > max(companions.visible, companions.noisy * noise)
    # not a threshold: nearer to the stroke its own colour mixes in
    apart = beside & (to_stroke > 1.5)
    near = apart & (to_stroke <= reach)
    if np.count_nonzero(shown & near) < FEWEST:
        return 0
    zone = cast_shadow(strokes, apart, shown, reach, config.cast)
    if zone is None or not _take_off_shade(values, zone & usable, zone & near & shown, contrast, stroke, companions):
        return 0
    return int(np.ceil(to_stroke[zone & near].max()))


def _take_off_shade(
    values: NDArray[np.float32],
    zone: NDArray[np.bool_],
    shown: NDArray[np.bool_],
    contrast: NDArray[np.float32],
    stroke: NDArray[np.float32],
    config: CompanionConfig,
) -> bool:
    """Takes the colour of what is shown off a zone, if that is the shade of a stroke."""
    if not shown.any():
        return False
    strong = shown & (contrast >= np.quantile(contrast[shown], 1.0 - config.strong))
    color = np.median(values[strong], axis=0).astype(np.float32)
    if float(np.hypot(color[1], color[2])) >= config.colorful:
        turn = hue_difference(hue_degrees(color[1:]), hue_degrees(stroke[1:]))
        if float(turn) > config.hue_deg:
            return False
    take_off(values, zone, color, config.visible, config.beyond)
    return True


def _distrust(
    trust: NDArray[np.float32],
    values: NDArray[np.float32],
    told_by: NDArray[np.bool_],
    usable: NDArray[np.bool_],
    distance: NDArray[np.float32],
    near_px: int,
    quantile: float,
    ground: Ground,
    config: EdgeConfig,
) -> None:
    """Lowers the weight of what is left at distances at which something is left nearly everywhere."""
    visible = max(config.visible, config.noisy * ground.noise)
    left, told, lowered = values.reshape(-1, 3), told_by.ravel(), usable.ravel()
    for at in rings(distance, near_px)[1:]:
        ring = left[at[told[at]]]
        if len(ring) < FEWEST:
            continue
        usual = float(np.quantile(np.sqrt(channel_sums(ring**2)), quantile))
        if usual > visible:
            trust.reshape(-1)[at[lowered[at]]] *= visible / usual


def _ring(where: NDArray[np.bool_], distance: NDArray[np.float32], step: int) -> NDArray[np.bool_]:
    # not a threshold: pixels whose distance rounds to this
    return where & (distance > step - 0.5) & (distance <= step + 0.5)


def _around_rgb(picture: NDArray[np.uint8], plan: Floorplan) -> NDArray[np.float64]:
    """The colour of what lies around the maze, as the candidate shows it."""
    at = plan.exterior_sample
    return np.median(picture.reshape(-1, 3)[at], axis=0) if at.size else plan.exterior_rgb
