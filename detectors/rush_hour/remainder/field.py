"""The residual of a lot: a small picture less the floor, the bodies, and what mixes into them near edges."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.edges import FEWEST, distrust, rings
from detectors.common.residual.ground import fit_ground
from detectors.common.residual.mixing import (
    channel_sums,
    left_of_two,
    lengths,
    take_off,
    take_off_subsampled,
    take_off_two,
)
from detectors.rush_hour.config.remainder import LotMixingConfig, LotRemainderConfig
from detectors.rush_hour.findings import Flags
from detectors.rush_hour.remainder.plan import FLOOR, OUT, SHARED, BodyPlan, LotPlan

Values = NDArray[np.float32]
_BLACK = np.zeros(3, np.float32)
_LIGHTNESS = np.array([1.0, 0.0, 0.0], np.float32)  # not a threshold: the first axis of the colours
_TANGLED = 2  # not a threshold: several
_TINY = 1e-6  # not a threshold: against a division by 0


@dataclass(frozen=True, eq=False)
class LotResidual:
    """What is left of a small picture of a lot.

    Attributes
    ----------
    values : (h, w, 3) float32, in the colours of `seen`; 0 where not usable
    usable : (h, w) where it is told
    """

    values: Values
    usable: Flags


def lot_residual(lab: Values, plan: LotPlan, unknown: Flags, config: LotRemainderConfig) -> LotResidual:
    """Takes off a small picture what is known of its lot.

    Parameters
    ----------
    lab : (h, w, 3) float32
        The picture in the colours of `seen`.
    plan : LotPlan
        Of it.
    unknown : (h, w)
        Where nothing is told.
    config : LotRemainderConfig
    """
    mixing = config.mixing
    reach = max(mixing.reach_px, mixing.reach * plan.unit)
    outline = mixing.outline * plan.unit + reach
    usable = ~unknown & (plan.owner != OUT) & (plan.owner != SHARED) & (plan.inside > mixing.side_px)
    on_floor = plan.owner == FLOOR
    free = on_floor & ~unknown & (plan.edge > outline + 1.0) & ~plan.exits
    ground = fit_ground(lab, np.flatnonzero(free if free.any() else on_floor), config.ground)
    values = lab - ground.surface
    colors = [_color_of(lab, plan, number, body, outline) for number, body in enumerate(plan.bodies)]
    bare = values.copy()
    _take_off_rails(values, plan, [color - ground.color for color in colors], mixing)
    by_side = plan.inside < mixing.border * plan.unit + reach
    at_exit = plan.exits & on_floor & (plan.inside > mixing.side_px)
    sides = (
        (by_side, _median(lab, np.abs(plan.inside) <= 1.0)),
        (plan.exits, _median(lab, at_exit & (lengths(bare) > mixing.exit_told))),
    )
    _take_off_edges(values, lab, plan, colors, ground.color, sides, reach, mixing)
    _take_off_from_floor(bare, plan, colors, ground.color, sides, reach, mixing)
    # What lies over a rail is not mixed with it.
    less = on_floor & (channel_sums(bare**2) < channel_sums(values**2))
    values[less] = bare[less]
    usable &= _edges_near(plan, reach) + sum(zone.astype(np.int8) for zone, _ in sides) < _TANGLED
    values[~usable] = 0.0
    far = max(mixing.edge_px, math.ceil(outline))
    near_edges = rings(plan.edge, far)[: far + 1]
    # What a blur or a compression leaves on the floor and on bodies differs.
    for which in (on_floor & usable, ~on_floor & usable):
        distrust(values, which, near_edges, mixing.edge_quantile, mixing.edge_visible)
    return LotResidual(values, usable)


def _take_off_edges(
    values: Values, lab: Values, plan: LotPlan, colors: list[Values], floor: Values,
    sides: tuple[tuple[Flags, Values], ...], reach: float, mixing: LotMixingConfig,
) -> None:  # fmt: skip
    """Takes off, in place, bodies' colours, and what edges mix into them and into the floor."""
    _take_off_from_floor(values, plan, colors, floor, sides, reach, mixing)
    for number, (body, color) in enumerate(zip(plan.bodies, colors, strict=True)):
        own = plan.owner[body.window] == number
        values[body.window][own] = lab[body.window][own] - color
    for number, (body, color) in enumerate(zip(plan.bodies, colors, strict=True)):
        part = _without_edges(values[body.window].copy(), plan, number, colors, floor, reach, mixing)
        for zone, other in sides:
            near = (plan.owner[body.window] == number) & (body.depth < reach) & zone[body.window]
            take_off(part, near, other - color, mixing.least, mixing.beyond)
        values[body.window] = part


def _take_off_from_floor(
    values: Values, plan: LotPlan, colors: list[Values], floor: Values, sides: tuple[tuple[Flags, Values], ...],
    reach: float, mixing: LotMixingConfig,
) -> None:  # fmt: skip
    """Takes off the floor, in place, what border, exits and bodies mix into it."""
    on_floor = plan.owner == FLOOR
    for zone, color in sides:
        axis = color - floor
        if np.sqrt((axis**2).sum()) >= mixing.least:
            # Video keeps hues at half the resolution: at an edge a hue lies a pixel beside its lightness.
            take_off_subsampled(values, zone & on_floor, axis)
        _bend(values, zone & on_floor, axis, mixing)
    for body, color in zip(plan.bodies, colors, strict=True):
        zone = (body.depth > -reach) & on_floor[body.window]
        part = values[body.window].copy()
        _take_off_around(part, zone, floor, color, mixing)
        values[body.window] = part


def _take_off_around(values: Values, zone: Flags, base: Values, color: Values, mixing: LotMixingConfig) -> None:
    """Takes off what a body's edge, and an outline of it, mix into a colour around it, in place."""
    take_off_two(values, zone, (color - base, _BLACK - base), mixing.beyond)
    for axis in (color - base, _BLACK - base):
        _bend(values, zone, axis, mixing)


def _edges_near(plan: LotPlan, reach: float) -> NDArray[np.int8]:
    """(h, w) how many bodies' edges are near: where several are, any of all their colours may mix."""
    count = np.zeros(plan.owner.shape, np.int8)
    for body in plan.bodies:
        count[body.window] += np.abs(body.depth) < reach
    return count


def _median(lab: Values, where: Flags) -> Values:
    """(3,) the colour of a place; black where it is empty."""
    shown = lab[where]
    return np.asarray(np.median(shown, axis=0) if len(shown) else _BLACK, np.float32)


def _take_off_rails(values: Values, plan: LotPlan, axes: list[Values], mixing: LotMixingConfig) -> None:
    """Takes off the floor what rails mix into it, in place; where several cross, the one that leaves the least."""
    flat, owner = values.reshape(-1, 3), plan.owner.ravel()
    rails = [rail[owner[rail] == FLOOR] for rail in plan.rails]
    before = [flat[rail] for rail in rails]
    squares = np.full(len(flat), np.inf, np.float32)
    for rail, own, axis in zip(rails, before, axes, strict=False):
        # Compression takes the hue off a thin line, and leaves its lightness.
        left = left_of_two(own, (axis, axis * _LIGHTNESS), mixing.beyond)
        sizes = channel_sums(left**2)
        better = sizes < squares[rail]
        flat[rail[better]], squares[rail[better]] = left[better], sizes[better]
    # Where dashes cross, several mix.
    count = np.bincount(np.concatenate(rails), minlength=len(flat)) if rails else np.zeros(len(flat), np.intp)
    for rail, axis in zip(rails, axes, strict=False):
        zone = np.zeros(len(flat), bool)
        zone[rail[count[rail] > 1]] = True
        take_off(flat[None], zone[None], axis, mixing.least, mixing.beyond)


def _color_of(lab: Values, plan: LotPlan, number: int, body: BodyPlan, outline: float) -> Values:
    """(3,) the colour of a body, away from its edge and its sign."""
    own = plan.owner[body.window] == number
    for inner in (own & (body.depth > outline) & ~body.sign, own & ~body.sign, own):
        if np.count_nonzero(inner) >= FEWEST:
            break
    return _median(lab[body.window], inner)


def _without_edges(
    part: Values, plan: LotPlan, number: int, colors: list[Values], floor: Values, reach: float,
    mixing: LotMixingConfig,
) -> Values:  # fmt: skip
    """The window of a body less what its edge mixes into it and into what lies around."""
    body, color = plan.bodies[number], colors[number]
    owner = plan.owner[body.window]
    own = owner == number
    near, edge = own & (body.depth < mixing.outline * plan.unit + reach), own & (body.depth < reach)
    around = (body.depth <= 0) & (body.depth > -reach)
    take_off_two(part, edge, (floor - color, _BLACK - color), mixing.beyond)
    take_off(part, near & ~edge, _BLACK - color, mixing.least, 1.0)
    _bend(part, edge, floor - color, mixing)
    _bend(part, near, _BLACK - color, mixing)
    _allow_sign(part, own & body.sign, own & body.letter, color, mixing)
    for other in np.unique(owner[around]).tolist():
        if 0 <= other < len(colors):
            base, zone = colors[other], around & (owner == other)
            _take_off_around(part, zone, base, color, mixing)
            take_off(part, edge, base - color, mixing.least, mixing.beyond)
            take_off(part, zone, floor - base, mixing.least, mixing.beyond)
    return part


def _bend(values: Values, zone: Flags, axis: Values, mixing: LotMixingConfig) -> None:
    """Takes off, in place, what bytes mixed are off the straight way from one colour of `seen` to the other."""
    at = np.flatnonzero(zone)
    flat = values.reshape(-1, 3)
    flat[at] = _lessened(flat[at], mixing.bend * float(np.sqrt((axis**2).sum())))


def _allow_sign(values: Values, sign: Flags, letter: Flags, color: Values, mixing: LotMixingConfig) -> None:
    """Takes off what black and white mix into a body's colour, in place: less of its hue, and another lightness.

    White is the letter alone.
    """
    values[sign & letter, 0] = 0.0
    own = values[sign]
    hue = color[1:]
    length = float(np.sqrt((hue**2).sum()))
    own[:, 0] = np.maximum(own[:, 0], 0.0)
    if length > _TINY:
        unit = hue / length
        along = np.clip(own[:, 1] * unit[0] + own[:, 2] * unit[1], -length, 0.0)
        own[:, 1:] -= along[:, None] * unit
    values[sign] = _lessened(own, mixing.sign_hue)


def _lessened(values: Values, by: float) -> Values:
    """What is left, (N, 3), less a contrast."""
    size = np.sqrt(channel_sums(values**2))[:, None]
    return np.asarray(values * (np.maximum(0.0, size - by) / np.maximum(size, _TINY)), np.float32)
