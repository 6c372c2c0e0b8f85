"""Whether the line that was read has a second colour: a core, a side, or dashes in another hue."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import hue_degrees, hue_difference
from detectors.common.residual.mixing import distance_to, seen, seen_color
from detectors.maze.plan.floorplan import Floorplan
from detectors.maze.remainder.config import TwoColorsConfig


def second_color(
    picture: NDArray[np.uint8],
    line: NDArray[np.bool_],
    half_width: float,
    floor_rgb: NDArray[np.float64],
    plan: Floorplan,
    config: TwoColorsConfig,
) -> NDArray[np.bool_]:
    """(h, w) bool, pixels in and beside a line with another hue than its own; none where they are but a few.

    Rims, shadows and highlights have no hue, or the line's.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    line : ndarray of shape (h, w), bool
        The line's ink.
    half_width : float
        Half its width in working pixels.
    floor_rgb : ndarray of shape (3,)
        The candidate's floor.
    plan : Floorplan
    config : TwoColorsConfig
    """
    other = np.zeros(line.shape, np.bool_)
    if not line.any():
        return other
    near = distance_to(line) <= max(config.beside_px, config.beside * half_width)
    at = np.flatnonzero(near & plan.open_floor & (plan.marker_distance > config.marker_px))
    ground = seen_color(floor_rgb)
    floor = plan.floor_sample[~near.ravel()[plan.floor_sample]]
    least = _least_lengths(picture, floor, config)
    pixels = picture.reshape(-1, 3)
    hues = (seen(pixels[at]) - ground)[:, 1:]
    own = line.ravel()[at]
    if not own.any():
        return other
    hue = np.median(hues[own], axis=0)
    off = _is_other(hues, hue, least[pixels[at].max(axis=1)], config)
    # On a noisy floor any hue comes by chance.
    chances = least[pixels[floor].max(axis=1)]
    noise = (seen(pixels[floor]) - ground)[:, 1:]
    by_chance = _is_other(noise, hue, chances, config)
    chance = np.count_nonzero(by_chance) / max(floor.size, 1)
    size = np.count_nonzero(line)
    if (
        np.count_nonzero(off) - chance * off.size > config.share * size
        or np.count_nonzero(off & own) - chance * np.count_nonzero(own) > config.within * size
    ):
        other.ravel()[at[off]] = True
        return other
    usual = float(np.median(np.hypot(*noise.T))) if floor.size else 0.0
    length = np.hypot(*hues.T)
    colorful = own & (length > least[pixels[at].max(axis=1)])
    strongest = own & (length >= np.quantile(length[own], config.strongest))
    mixed = _mixed_hues(floor_rgb, np.median(pixels[at[strongest]], axis=0), length)
    other.ravel()[at[_other_side(hues, mixed, colorful, usual, config)]] = True
    return other


def _mixed_hues(
    floor_rgb: NDArray[np.float64], line_rgb: NDArray[np.float64], length: NDArray[np.float32]
) -> NDArray[np.float64]:
    """(n, 2), a and b of what the line and the floor mix to where they are as long: mixtures of RGB turn in hue."""
    share = np.linspace(0.0, 1.0, 33)[1:, None]  # not a threshold: as finely as the hue turns
    mixed = np.rint(floor_rgb + share * (line_rgb - floor_rgb)).astype(np.uint8)
    mixtures = (seen(mixed) - seen_color(floor_rgb))[:, 1:]
    lengths = np.maximum.accumulate(np.hypot(*mixtures.T))
    return np.stack([np.interp(length, lengths, axis) for axis in mixtures.T], axis=1)


def is_varied(
    picture: NDArray[np.uint8], line: NDArray[np.bool_], floor_rgb: NDArray[np.float64], config: TwoColorsConfig
) -> bool:
    """Whether a line's hues are so far apart that they may be two; told from some of its pixels.

    Two hues may have one name: blue and violet, orange and red.
    """
    at = np.flatnonzero(line)
    if not at.size:
        return False
    hues = (seen(picture.reshape(-1, 3)[at[:: max(1, at.size // config.samples)]]) - seen_color(floor_rgb))[:, 1:]
    # not a threshold: a half turn
    turn = (hue_degrees(hues) - hue_degrees(np.median(hues, axis=0)[None]) + 180.0) % 360.0 - 180.0
    low, high = np.quantile(turn, (0.1, 0.9))  # not a threshold: the middle four fifths, as below
    return bool(high - low >= config.spread_deg)


def _other_side(
    hues: NDArray[np.float32],
    mixed: NDArray[np.float64],
    own: NDArray[np.bool_],
    noise: float,
    config: TwoColorsConfig,
) -> NDArray[np.bool_]:
    """Which pixels of a line have the rarer one of two hues that lie close together; none where it has one hue.

    Noise and compression spread a hue too, but most of a line stays near its middle; of two hues neither is the middle.
    Mixed is the hue of a pixel (n, 2) if it is one of a line of one hue and the floor.
    By as many degrees as the noise of the floor, as long as this, spreads a hue as long as the line's, it is more.
    """
    rarer = none = np.zeros(own.shape, np.bool_)
    if not own.any():
        return none
    # not a threshold: four fifths of normal noise span 2.6 deviations, half of it 1.3
    span = 2.6 * float(np.degrees(np.arctan2(noise, np.median(np.hypot(*hues[own].T)))))
    # All of the line may be of one hue, or its paler pixels mixed with the floor.
    for one_hue in (np.median(hues[own], axis=0)[None], mixed):
        # not a threshold: a half turn
        turn = (hue_degrees(hues) - hue_degrees(one_hue) + 180.0) % 360.0 - 180.0
        # not a threshold: where the middle half and the middle four fifths of a line lie
        low, first, middle, last, high = np.quantile(turn[own], (0.1, 0.25, 0.5, 0.75, 0.9))
        half, most = last - first, high - low
        if most >= config.spread_deg + span and half >= max(config.apart_deg + span / 2.0, config.flat * most):
            above = turn > (low + high) / 2.0
            rarer = own & (above if 2 * np.count_nonzero(above & own) < np.count_nonzero(own) else ~above)
            continue
        # Of less than a quarter of the line the other one lies apart from what is spread around the middle.
        rarer = own & (np.abs(turn - middle) > max(config.spread_deg + span, config.outlying * half))
        if np.count_nonzero(rarer) <= config.share * np.count_nonzero(own):
            return none
    return np.asarray(rarer, np.bool_)


def _least_lengths(picture: NDArray[np.uint8], floor: NDArray[np.intp], config: TwoColorsConfig) -> NDArray[np.float32]:
    """(256,), how long a and b have to be by the largest channel of a pixel: noise on what is dark has any hue.

    By chance on the floor nothing is learned of that, for the floor is light. A step of a channel makes more of a hue
    the darker a pixel is, and so the more is asked of it, if there is noise.
    """
    levels = np.arange(np.iinfo(np.uint8).max + 1, dtype=np.float32)
    least = np.full_like(levels, config.colorful)
    soft = cv2.blur(picture, (3, 3)).reshape(-1, 3)[floor]  # not a threshold: a pixel's neighbours
    off = np.abs(picture.reshape(-1, 3)[floor].astype(np.float32) - soft)
    if not floor.size or float(np.median(off)) < config.noisy:
        return least
    tinted = np.stack([levels, *[np.maximum(levels - config.step, 0)] * 2], axis=-1)
    hues = np.hypot(*seen(tinted.astype(np.uint8))[:, 1:].T)
    return np.asarray(least * np.maximum(hues / hues[-1], 1), np.float32)


def _is_other(
    hues: NDArray[np.float32], own: NDArray[np.float32], least: NDArray[np.float32], config: TwoColorsConfig
) -> NDArray[np.bool_]:
    """Which of (n, 2) pairs of a and b have a hue, and another one than a line's own."""
    turn = hue_difference(hue_degrees(hues), hue_degrees(own))
    return np.asarray((np.hypot(hues[:, 0], hues[:, 1]) > least) & (turn > config.turn_deg), np.bool_)
