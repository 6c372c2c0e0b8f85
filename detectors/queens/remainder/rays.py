"""A picture along rays from the middle of each queen: where she ends, and what lies close around all of them alike."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.queens.remainder.config import QueenCompanionConfig, QueenOutlineConfig

Disc = tuple[float, float, float]
"""A queen in working pixels: x and y of its middle, with pixels' middles at whole numbers, and its radius."""
_INNER = 0.6  # not a threshold: share of the radius within which no outline is looked for


@dataclass(frozen=True)
class Rays:
    """Places along rays from the middles of queens.

    Attributes
    ----------
    discs : the queens
    turns : (A,), angles of the rays in radians
    shares : (K,), distances along them in radii
    x, y : (Q, A, K) float32, the places in the picture
    """

    discs: tuple[Disc, ...]
    turns: NDArray[np.float64]
    shares: NDArray[np.float64]
    x: NDArray[np.float32]
    y: NDArray[np.float32]

    def sample(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        """(Q, A, K, ...), a picture's values there; 0 outside of it."""
        queens, angles, places = self.x.shape
        flat = cv2.remap(
            picture,
            self.x.reshape(queens * angles, places),
            self.y.reshape(queens * angles, places),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=0.0,
        )
        return np.asarray(flat, np.float32).reshape(queens, angles, places, *picture.shape[2:])


def rays_from(discs: tuple[Disc, ...], config: QueenCompanionConfig) -> Rays:
    """Lays rays around queens, as far as their companions reach."""
    middle = float(np.median([radius for _, _, radius in discs]))
    # not a threshold: of so few places at least
    count = max(8, math.ceil(config.reach * middle / config.step_px))
    turns = np.arange(config.rays, dtype=np.float64) * (2.0 * math.pi / config.rays)
    shares = np.asarray((np.arange(count) + 0.5) * config.reach / count, np.float64)
    x, y, radius = (np.array(one, np.float64)[:, None, None] for one in zip(*discs, strict=True))
    along = radius * shares[None, None, :]
    return Rays(
        discs,
        turns,
        shares,
        (x + along * np.cos(turns)[None, :, None]).astype(np.float32),
        (y + along * np.sin(turns)[None, :, None]).astype(np.float32),
    )


@dataclass(frozen=True)
class Outlines:
    """Where queens end.

    Attributes
    ----------
    edges : (Q, A), the distance at each ray, in radii
    uneven : (Q,), how far the outline lies off an ellipse, in radii
    oval : (Q,), by how much more oval than the middle queen, or than a circle where that is less, in radii
    discs : the queens as their outlines have them
    """

    edges: NDArray[np.float64]
    uneven: NDArray[np.float64]
    oval: NDArray[np.float64]
    discs: tuple[Disc, ...]


def outlines(
    darkness: NDArray[np.float32],
    grey: NDArray[np.bool_],
    known: NDArray[np.bool_],
    rays: Rays,
    config: QueenOutlineConfig,
) -> Outlines:
    """Finds where each queen ends, and holds that against an ellipse.

    Parameters
    ----------
    darkness : ndarray of shape (Q, A, K), float32
        Along rays, 1 for the queen's own and 0 for that of her cell.
    grey : ndarray of shape (Q, A, K), bool
        Where nothing of the cell's hue shows: a highlight may lie at the outline, but no bite.
    known : ndarray of shape (Q, A, K), bool
        Where no grid line is.
    rays : Rays
    config : QueenOutlineConfig
    """
    queens, angles, _ = darkness.shape
    start = int(np.searchsorted(rays.shares, _INNER))
    dark = (darkness > config.dark) & known
    first = _stop(dark, start)
    # Beyond a highlight, which is longer than the rim is thick, she goes on, as far as her outline does elsewhere.
    grey_for = np.maximum(_stop(dark | grey, start) - first, 0)
    beyond = np.maximum(grey_for - np.median(grey_for, axis=1, keepdims=True), 0.0)
    before = np.take_along_axis(darkness, np.maximum(first - 1, 0)[..., None], axis=2)[..., 0]
    after = np.take_along_axis(darkness, first[..., None], axis=2)[..., 0]
    part = np.clip((before - config.dark) / np.maximum(before - after, 1e-3), 0.0, 1.0)  # not a threshold: / 0
    step = rays.shares[1] - rays.shares[0]
    edges = (first - 0.5 + part) * step
    # not a threshold: of two places
    lit = (beyond > 1.0) & (edges < np.median(edges, axis=1, keepdims=True) - step)
    highest = edges + (beyond + 1.0) * step  # not a threshold: it is told to a place
    # Where a line is, no outline can be told.
    told = np.take_along_axis(known, first[..., None], axis=2)[..., 0]
    told &= np.take_along_axis(known, np.minimum(first + 1, dark.shape[2] - 1)[..., None], axis=2)[..., 0]
    cos, sin = np.cos(rays.turns), np.sin(rays.turns)
    basis = np.stack([np.ones(angles), cos, sin, np.cos(2 * rays.turns), np.sin(2 * rays.turns)])
    uneven, seconds = np.zeros(queens), np.zeros((queens, 2))
    discs = list(rays.discs)
    for queen in range(queens):
        sure = told[queen] & ~lit[queen]
        weight = sure.astype(np.float64)
        if np.count_nonzero(sure) < angles // 2:
            continue
        fit = np.zeros(len(basis))
        for _ in range(3):  # not a threshold: it settles
            weighted = basis * weight
            # not a threshold: a millionth keeps a system solvable that has no answer
            system = (weighted[:, None, :] * basis[None]).sum(axis=2) + 1e-6 * np.eye(len(basis))
            fit = np.linalg.solve(system, (weighted * edges[queen]).sum(axis=1))
            off = edges[queen] - (fit[:, None] * basis).sum(axis=0)
            weight = sure / (1.0 + (off / (0.5 * config.uneven)) ** 2)
        fitted = (fit[:, None] * basis).sum(axis=0)
        edges[queen] = np.where(lit[queen], np.clip(fitted, edges[queen], highest[queen]), edges[queen])
        off = np.where(told[queen], edges[queen] - fitted, 0.0)
        smooth = sum(np.roll(off, by) for by in (-1, 0, 1)) / 3.0
        uneven[queen] = float(np.abs(smooth).max())
        seconds[queen] = fit[3:]
        x, y, radius = rays.discs[queen]
        discs[queen] = (x + radius * float(fit[1]), y + radius * float(fit[2]), radius * float(fit[0]))
    # A plain disc among ovals is no fault, nor is one that is a little wide where others are a little tall.
    oval = np.minimum(np.hypot(*(seconds - np.median(seconds, axis=0)).T), np.hypot(*seconds.T))
    return Outlines(edges, uneven, oval, tuple(discs))


def _stop(run: NDArray[np.bool_], start: int) -> NDArray[np.intp]:
    """(Q, A), the first place from a start on at which a run along a ray (Q, A, K) has ended; the last one if none."""
    ended = ~run[:, :, start:]
    return np.asarray(start + np.where(ended.any(axis=2), ended.argmax(axis=2), ended.shape[2] - 1), np.intp)


def _middle(values: NDArray[np.floating]) -> NDArray[np.floating]:
    """The median over the first axis of all that is a number; NaN where nothing is."""
    ordered = np.sort(values, axis=0)  # what is no number comes last
    known = np.count_nonzero(~np.isnan(ordered), axis=0)
    return np.asarray(np.take_along_axis(ordered, np.maximum(known - 1, 0)[None] // 2, axis=0)[0])


def companions(
    left: NDArray[np.float32],
    base: NDArray[np.float32],
    known: NDArray[np.bool_],
    edges: NDArray[np.float64],
    rays: Rays,
    config: QueenCompanionConfig,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(2, Q, A, K), by how much at least, and at most, the rim, shadow or glow of all queens makes their cells lighter.

    It covers a share of the cell, (A, K), which is returned second and takes as much of the cell's hue, and is as light
    on all cells.

    Parameters
    ----------
    left : ndarray of shape (Q, A, K, 3), float32
        What is left along rays.
    base : ndarray of shape (Q, 3), float32
        The colours of the queens' cells.
    known : ndarray of shape (Q, A, K), bool
    edges : ndarray of shape (Q, A)
        Where queens end.
    rays : Rays
    config : QueenCompanionConfig
    """
    beyond = known & (rays.shares[None, None, :] > edges[..., None])
    away = -base[:, 1:]
    squared = np.maximum((away**2).sum(axis=1), 1e-6)[:, None, None]  # not a threshold: against a division by 0
    share = (left[..., 1] * away[:, 0, None, None] + left[..., 2] * away[:, 1, None, None]) / squared
    covers = _around(np.where(beyond, np.clip(share, 0.0, 1.0), np.nan), config)
    own = covers[None] * base[:, 0, None, None]
    # Displaced by a pixel it is the same, and a thin rim of one queen lies where that of another does not.
    by = range(-round(1.0 / config.step_px), round(1.0 / config.step_px) + 1)
    light = np.where(beyond, left[..., 0] + own, np.nan)
    shifted = [np.roll(light, one, axis=2) for one in by]
    low, high = (_around(ufunc.reduce(shifted), config) for ufunc in (np.fmin, np.fmax))
    around = np.stack([low[None] - own, high[None] - own])
    # It hangs together with the queens, where they have it: what lies beyond a gap belongs to none.
    strength = np.abs(np.median(_around(light, config)[None] - own, axis=0))
    shown = strength > config.visible
    inside = np.median(edges, axis=0)[:, None] >= rays.shares[None, :]
    # not a threshold: as thin a gap as anti-aliasing leaves, where a light rim turns into a dark shadow
    gap = 4
    reach = np.zeros(shown.shape[0], np.intp)
    for turn in range(shown.shape[0]):
        here = shown[turn] | inside[turn]
        last = 0
        for place in range(here.size):
            if here[place]:
                last = place
            elif place > last + gap:
                break
        if shown[turn, last]:
            last += _fading(strength[turn, last:], config.faintest)
        reach[turn] = last
    reach = np.max(np.stack([np.roll(reach, by) for by in (-1, 0, 1)]), axis=0)
    off = np.arange(shown.shape[1])[None, :] > reach[:, None] + 2
    around[:, :, off] = 0.0
    return np.asarray(around, np.float32), np.where(off, 0.0, covers).astype(np.float32)


def _fading(strength: NDArray[np.floating], faintest: float) -> int:
    """How many places a strength, (K,), falls on from its first one, as long as there is any."""
    on = (strength[1:] > faintest) & (np.diff(strength) <= 0.0)
    return int(on.size if on.all() else on.argmin())


def _around(values: NDArray[np.floating], config: QueenCompanionConfig) -> NDArray[np.floating]:
    """(A, K), what most queens have, and most directions beside each; 0 where nothing is known."""
    # not a threshold: a whole turn
    half = max(1, round(0.5 * config.turn_deg / 360.0 * config.rays))
    middle = _middle(values)
    around = _middle(np.stack([np.roll(middle, by, axis=0) for by in range(-half, half + 1)]))
    return np.asarray(np.nan_to_num(around, nan=0.0))
