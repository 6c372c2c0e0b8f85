"""The residual of a board: the candidate less its cells' colours, and less what lines and neighbours mix into them."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.edges import FEWEST, distrust
from detectors.common.residual.ground import GroundConfig
from detectors.common.residual.mixing import channel_medians, channel_sums, seen, times
from detectors.queens.remainder.config import BoardMixingConfig, BoardRemainderConfig
from detectors.queens.remainder.lines import displaced_lines
from detectors.queens.remainder.plan import CloseBoard, region_colors

_TINY = 1e-9  # not a threshold: against a division by 0
_INSIDE = 0.9  # not a threshold: share of a radius; what an outline encloses is left out where it is found


@dataclass(frozen=True)
class BoardResidual:
    """What is left of the cells of a board.

    Attributes
    ----------
    lab : (h, w, 3) float32, the candidate in the colours of `seen`
    base : (h, w, 3) float32, the colour of its cells
    values : (h, w, 3) float32, what is left; 0 where not usable
    usable : (h, w) bool, where cells or lines are in sight
    colors : (regions, 3), the colours of regions
    noise : contrast that most pixels of cells stay below
    """

    lab: NDArray[np.float32]
    base: NDArray[np.float32]
    values: NDArray[np.float32]
    usable: NDArray[np.bool_]
    colors: NDArray[np.float32]
    noise: float


def board_residual(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    discs: NDArray[np.float32],
    plan: CloseBoard,
    config: BoardRemainderConfig,
) -> BoardResidual:
    """Takes off a candidate what is known of its board; what lies around queens is still in it.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    discs : ndarray of shape (h, w), float32
        The distance of each pixel to a queen, in radii of that queen, 1 at its outline.
    plan : CloseBoard
        Of the puzzle.
    config : BoardRemainderConfig
    """
    mixing, cell = config.mixing, plan.cell_px
    lab = seen(picture)
    # Just inside of its outline, as it was read, a rim may begin.
    usable = discs > _INSIDE
    if covered is not None:
        # not a threshold: pixels at the candidate's own edge are mixed with what it is continued by
        usable &= cv2.erode(covered.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    edge = max(1, math.ceil(mixing.frame * cell))
    usable[:edge] = usable[-edge:] = False
    usable[:, :edge] = usable[:, -edge:] = False
    most = mixing.most_reach * cell
    deep = usable & (plan.line_distance > most) & (discs > config.companions.reach)
    if np.count_nonzero(deep) < FEWEST:
        deep = usable & plan.inner
    light = _light(lab, np.flatnonzero(deep), plan, config.ground)
    # A single cell that a queen fills has its colour at its corners, the farther from her rim the better.
    inner = usable & plan.inner
    corners = (inner & (discs > least) for least in (*config.companions.rims, 0.0))
    evenly_lit = np.asarray(lab / cv2.merge([light] * 3), np.float32)
    colors = region_colors(evenly_lit, itertools.chain((deep,), corners), plan)
    base = times(colors.take(plan.regions, axis=0), light)
    noise = _noise(lab, base, deep, config.ground)
    values = times(lab - base, usable.astype(np.float32))
    aside = usable & (discs > config.companions.reach)
    reach = _reach(values, aside, plan, mixing)
    line = channel_medians(lab[plan.board.grid]) if plan.board.grid.any() else plan.line_color
    at = np.concatenate(plan.rings[: math.floor(reach) + 1])
    _take_off_lines(values, at[usable.ravel()[at]], line - base, colors, reach, plan, mixing)
    moved = displaced_lines(plan.deeper(base[..., 0], lab[..., 0]), reach, plan)
    if moved is not None:
        _take_off_lines(values, np.flatnonzero(moved & usable), line - base, colors, most, plan, mixing)
    for along in (0, 1):
        _settle_lines(values, plan, along, math.ceil(reach) + 1, math.ceil(most), mixing)
    usable &= ~plan.near_crossings(math.ceil(reach))
    values = times(values, usable.astype(np.float32))
    values.reshape(-1, 3)[np.concatenate(plan.rings[: math.floor(reach) + 1])] *= mixing.on_lines
    distrust(values, aside, plan.rings[: mixing.edge_px + 1], mixing.edge_quantile, mixing.edge_visible)
    return BoardResidual(lab, base, values, usable, colors, noise)


def _light(
    lab: NDArray[np.float32], at: NDArray[np.intp], plan: CloseBoard, config: GroundConfig
) -> NDArray[np.float32]:
    """(h, w), by how much a picture is lighter or darker at each place than in the middle of it.

    Light scales all three axes of OKLab alike. Its logarithm is a polynomial of second degree, fitted to what varies
    within regions, so that their own colours don't matter.
    """
    height, width = plan.regions.shape
    at = at[:: max(1, at.size // config.samples)]
    region = plan.regions.ravel()[at]
    row, column = np.divmod(at, width)
    x, y = 2.0 * column / max(width - 1, 1) - 1.0, 2.0 * row / max(height - 1, 1) - 1.0
    basis = np.stack([x, y, x * x, x * y, y * y])
    count = int(plan.regions.max()) + 1
    # not a threshold: black has no logarithm
    values = np.log(np.maximum(lab[..., 0].ravel()[at].astype(np.float64), 0.05))
    weight, fit = np.ones(at.size), np.zeros(len(basis))
    for _ in range(config.rounds):
        total = np.maximum(np.bincount(region, weight, count), 1e-6)  # not a threshold: against a division by 0
        inner = np.stack([one - (np.bincount(region, one * weight, count) / total)[region] for one in basis])
        left = values - (np.bincount(region, values * weight, count) / total)[region]
        system = (inner[:, None, :] * inner[None] * weight).sum(axis=2)
        # not a threshold: a small share of the weight keeps a system solvable that has no answer
        system += 1e-5 * weight.sum() * np.eye(len(basis))
        fit = np.linalg.solve(system, (inner * left * weight).sum(axis=1))
        off = left - (fit[:, None] * inner).sum(axis=0)
        weight = 1.0 / (1.0 + (off / max(config.tolerance, 2.0 * float(np.median(np.abs(off))))) ** 2)
    across = np.linspace(-1.0, 1.0, width)
    down = np.linspace(-1.0, 1.0, height)[:, None]
    light = (fit[0] * across + fit[2] * across**2) + (fit[1] * down + fit[4] * down**2) + (fit[3] * down) * across
    return np.asarray(np.exp(light), np.float32)


def _noise(lab: NDArray[np.float32], base: NDArray[np.float32], deep: NDArray[np.bool_], config: GroundConfig) -> float:
    at = np.flatnonzero(deep)
    at = at[:: max(1, at.size // config.samples)]
    off = lab.reshape(-1, 3)[at] - base.reshape(-1, 3)[at]
    return float(np.quantile(np.sqrt(channel_sums(off**2)), config.quantile)) if at.size else 0.0


def _settle_lines(
    values: NDArray[np.float32], plan: CloseBoard, along: int, reach: int, far: int, config: BoardMixingConfig
) -> None:
    """Takes off, in place, what is left alike all along a side of a cell: a line that lies a part of a pixel beside,
    and what compression leaves farther off."""
    turned = values if along == 0 else values.transpose(1, 0, 2)
    starts, lines = plan.bounds[along], plan.bounds[1 - along]
    length = int(np.diff(starts).min())
    rows = slice(int(starts[0]), int(starts[-1]))
    cell = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    for at in lines.tolist():
        first = max(0, at - far)
        strip = turned[:, first : at + far + 1]
        # not a threshold: every third pixel will do for a median
        middles = np.median(np.stack([strip[start : start + length : 3] for start in starts[:-1]]), axis=1)
        size = np.sqrt(channel_sums(middles**2))[..., None]
        near = np.abs(np.arange(strip.shape[1]) + first - at) <= reach
        most = np.where(near, config.beside, config.edge_visible)[None, :, None].astype(np.float32)
        middles *= np.minimum(1.0, most / np.maximum(size, most))
        part, middle = strip[rows], middles[cell]
        # Of a pixel at which nothing is left nothing is taken.
        less = np.minimum(1.0, np.maximum(0.0, channel_sums(part * middle)) / (channel_sums(middles**2) + _TINY)[cell])
        part -= less[..., None] * middle


def _reach(values: NDArray[np.float32], aside: NDArray[np.bool_], plan: CloseBoard, config: BoardMixingConfig) -> float:
    """How far lines mix into cells: a blurred picture's farther."""
    reach = max(config.reach_px, config.reach * plan.cell_px)
    for distance in range(1, len(plan.rings)):
        at = plan.rings[distance]
        near = values.reshape(-1, 3)[at[aside.ravel()[at]]]
        if len(near) < FEWEST or float(np.sqrt((channel_medians(near) ** 2).sum())) < config.blurred:
            break
        # not a threshold: a pixel further than the last one that differs, and half of one for the ring
        reach = max(reach, distance + 1.5)
    return reach


def _take_off_lines(
    values: NDArray[np.float32],
    at: NDArray[np.intp],
    to_line: NDArray[np.float32],
    colors: NDArray[np.float32],
    reach: float,
    plan: CloseBoard,
    config: BoardMixingConfig,
) -> None:
    """Takes off pixels at flat positions, in place, what they have of a line and of the cells beyond it.

    First of the line and then of the neighbours, or the other way round: by what leaves less.
    """
    flat = values.reshape(-1, 3)
    line = to_line.reshape(-1, 3)[at]
    neighbours = [_neighbours(colors, at, reach, plan, across) for across in (False, True)]
    own = flat[at]
    one, other = own, own
    for axes in (line, *neighbours):
        one = _without(one, axes, config)
    bordering = np.flatnonzero(sum((axes != 0).any(axis=1) for axes in neighbours))
    other = own[bordering]
    for axes in (*neighbours, line):
        other = _without(other, axes[bordering], config)
    better = channel_sums(other**2) < channel_sums(one[bordering] ** 2)
    one[bordering[better]] = other[better]
    flat[at] = one


def _without(values: NDArray[np.float32], axes: NDArray[np.float32], config: BoardMixingConfig) -> NDArray[np.float32]:
    """What pixels (N, 3) have beside a mixture, each along an axis of its own."""
    squared = channel_sums(axes**2)
    least = config.least**2
    share = np.where(squared > least, channel_sums(values * axes) / np.maximum(squared, least), 0.0)
    return np.asarray(values - np.clip(share, 0.0, config.beyond)[:, None] * axes, np.float32)


def _neighbours(
    colors: NDArray[np.float32], at: NDArray[np.intp], reach: float, plan: CloseBoard, across: bool
) -> NDArray[np.float32]:
    """The way from the colour of pixels to that beyond a border of regions beside them; 0 where there is none."""
    by = math.ceil(reach) + 1
    height, width = plan.regions.shape
    row, column = np.divmod(at, width)
    names = plan.regions.ravel()
    if across:
        one, other = at - np.minimum(column, by), at + np.minimum(width - 1 - column, by)
    else:
        one, other = at - np.minimum(row, by) * width, at + np.minimum(height - 1 - row, by) * width
    own, before, after = names[at], names[one], names[other]
    return np.asarray(colors[np.where(before != own, before, after)] - colors[own], np.float32)
