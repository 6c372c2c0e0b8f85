"""What of an edited picture is not as predicted, and how much of that is seen in any one place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import HUE_WEIGHT
from detectors.spatial_edit.predicted.changes import displacement_of_all, displacements, grown, recolored
from detectors.spatial_edit.predicted.colors import ColorRange, Colors, colors_of, contrasts, lightness, smoothed
from detectors.spatial_edit.predicted.config import PredictedConfig
from detectors.spatial_edit.predicted.hanging import hanging_boxes
from detectors.spatial_edit.predicted.prediction import Prediction, SceneBefore, StandingBox, predict
from detectors.spatial_edit.predicted.rays import NOTHING, Flags, Floats, Surfaces, seen_surfaces
from detectors.spatial_edit.predicted.traces import traces_left

_LEAST = 1e-6  # not a threshold: guards divisions
_DEVIATION = 1.4826  # not a threshold: standard deviation of normal noise over its median size


@dataclass(frozen=True, eq=False)
class Leftover:
    """What is left of an edited picture.

    Attributes
    ----------
    tone : brightness over that before, of what shows no box
    tint : greatest ratio of two channels' gains
    boxes : of each box that is found, what is left in its worst window, in units of what is seen
    place : and where a box was and none is
    ground : and anywhere else
    changed : share of all windows in which something is left that is seen
    flat : indices of boxes that are flat patches, or are not lit as the lamp would light them
    hanging : and of those that hang in the air
    displaced : how far what shows no box lies off its place, in pixels, where it does most
    recolored : by which contrast the table or the floor beside it has another colour all over
    """

    tone: float
    tint: float
    boxes: tuple[float, ...]
    place: float
    ground: float
    changed: float
    flat: tuple[int, ...]
    hanging: tuple[int, ...] = ()
    displaced: float = 0.0
    recolored: float = 0.0


def left_over(
    before: SceneBefore, picture: NDArray[np.uint8], standing: tuple[StandingBox, ...], config: PredictedConfig
) -> Leftover:
    """Compares an edited picture, (H, W, 3) uint8 RGB of the size of the one before, with what it should show.

    Parameters
    ----------
    before : SceneBefore
    picture : ndarray of shape (H, W, 3), uint8 RGB
    standing : tuple of StandingBox
        What is found in it.
    config : PredictedConfig
    """
    linear = smoothed(picture, config.smooth_px)
    surfaces = seen_surfaces(before.view, [one.box for one in standing], before.plane)
    gains = _gains(before, linear, surfaces)
    light = config.light
    evened = np.asarray(linear / np.clip(gains, light.least_tone, light.most_tone), np.float32)
    after = colors_of(evened)
    prediction = predict(before, after, standing, surfaces, config)
    grain = _grain(before, after, prediction, config)
    power = _power(after, standing, prediction, grain, config)
    # The edges of a box that keeps its pixels are known better than those of one that was found elsewhere.
    firm = _left(after, prediction.range, grain, replace(config, reach_px=config.solid_reach_px))
    solid = np.where(_at_others(before.surfaces, surfaces, standing, config), power, firm)
    seen = _in_windows(power, config)
    # A picture that is wholly another is no noise.
    most = config.most_noise * config.visible
    noise = min(config.noise_times * float(np.median(seen)), most)
    least = max(config.visible, noise)
    close = min(config.noise_times * _beside_boxes(power, surfaces, len(standing), config), most)
    # Each place is judged by what is left in itself, so that one thing is not blamed for its neighbour.
    *off, ground_off = _displaced(before, after, standing, prediction, config)
    *tinged, ground_tinged = _recolored(before, after, standing, prediction, config)
    boxes = tuple(
        max(
            off[index] / config.displaced.most_px,
            tinged[index] / (config.recolored.most_box + config.recolored.compressed * close),
            _worst(
                solid if one.stays else power,
                surfaces.box == index,
                max((config.solid if one.stays else config.elsewhere) * least, config.compressed * close),
                config,
            ),
            _blurred(before, after, one, index, prediction, config),
        )
        for index, one in enumerate(standing)
    )
    ground = (surfaces.box == NOTHING) & ~prediction.vacated
    rim = _rims(before.surfaces, surfaces, config)
    calm = np.where(rim, power * np.float32((least / max(least, close)) ** 2), power)
    return Leftover(
        tone=float(gains.mean()),
        tint=float(gains.max() / max(float(gains.min()), _LEAST)),
        boxes=boxes,
        place=max(
            _worst(power, prediction.vacated, least, config),
            traces_left(before, after, standing, prediction, config.trace),
        ),
        ground=max(_worst(calm, ground, least, config), longest(power, ground & ~rim, config) / least),
        changed=float((seen > least).mean()),
        flat=tuple(sorted({*prediction.flat, *prediction.unlit})),
        hanging=hanging_boxes(before, after, standing, surfaces, prediction.stay, config.hanging),
        displaced=ground_off,
        recolored=ground_tinged,
    )


def _displaced(
    before: SceneBefore,
    after: Colors,
    standing: tuple[StandingBox, ...],
    prediction: Prediction,
    config: PredictedConfig,
) -> tuple[float, ...]:
    """Returns how far each box that stays lies off its place, in pixels, where it does most, and what shows no box."""
    then, now = before.surfaces.box, prediction.surfaces.box
    stays = [index for index, one in enumerate(standing) if one.stays]
    # A shadow may be another, and a box that went or came is.
    there = np.isin(then, [standing[index].was for index in stays]) | (then == NOTHING)
    still = there & (np.isin(now, stays) | (now == NOTHING)) & ~before.shaded.some & ~prediction.shaded.some
    places = [
        grown((now == index) | (then == one.was), config.displaced) & ((now == index) | (now == NOTHING))
        if one.stays
        else np.zeros_like(still)
        for index, one in enumerate(standing)
    ]
    bare = ~grown((then != NOTHING) | (now != NOTHING), config.displaced)
    one, other = contrasts(before.colors), contrasts(after)
    *off, ground = displacements(one, other, still, [*places, bare], config.displaced)
    return *off, max(ground, displacement_of_all(one, other, still & bare, config.displaced))


def _recolored(
    before: SceneBefore,
    after: Colors,
    standing: tuple[StandingBox, ...],
    prediction: Prediction,
    config: PredictedConfig,
) -> tuple[float, ...]:
    """Returns by which contrast each box that stays has another colour all over, and the table or the floor."""
    then, now = before.surfaces, prediction.surfaces
    calm = ~before.shaded.some & ~prediction.shaded.some
    bare = (then.box == NOTHING) & (now.box == NOTHING) & calm
    stays = [index for index, box in enumerate(standing) if box.stays]
    # Codecs shift the hues of a face by itself, but not of all faces of a box.
    boxes = [(now.box == index) & (then.box == standing[index].was) & calm for index in stays]
    places = [*boxes, bare & before.table, bare & ~before.table]
    *tinged, table, floor = recolored(contrasts(before.colors), contrasts(after), places, config.recolored)
    found = [0.0] * len(standing)
    for index, one in zip(stays, tinged, strict=True):
        found[index] = one
    return *found, max(table, floor)


def _gains(before: SceneBefore, linear: Floats, now: Surfaces) -> NDArray[np.float64]:
    """Returns the gain of each channel, (3,): the median ratio where no box is seen before or after."""
    free = (before.surfaces.box == NOTHING) & (now.box == NOTHING)
    if not free.any():
        free = np.ones_like(free)
    ratios = (linear[free] + 1e-3) / (before.linear[free] + 1e-3)  # not a threshold: guards a division
    # not a threshold: more is no light
    return np.asarray(np.clip(np.median(ratios, axis=0), 0.01, 100.0), np.float64)


def _grain(before: SceneBefore, after: Colors, prediction: Prediction, config: PredictedConfig) -> tuple[float, float]:
    """Returns what of a picture's grain is left once it is smoothed: standard deviations of lightness and tint."""
    bare = (before.surfaces.box == NOTHING) & (prediction.surfaces.box == NOTHING)
    bare &= ~before.shaded.some & ~prediction.shaded.some
    if not bare.any():
        return 0.0, 0.0
    off = contrasts(after) - contrasts(before.colors)
    off = np.abs(off - cv2.blur(off, (config.window_px, config.window_px)))[bare]
    light, *tints = (_DEVIATION * float(np.median(off[:, axis])) for axis in range(off.shape[1]))
    return light, max(tints)


def _power(
    after: Colors,
    standing: tuple[StandingBox, ...],
    prediction: Prediction,
    grain: tuple[float, float],
    config: PredictedConfig,
) -> Floats:
    """Returns what is left of each pixel, (H, W).

    Codecs smear hues far beyond edges. Whether this one does is seen beside boxes that stay: if not, hues beside others
    are no smears either, on the table. (Where one box stands before another, a pixel's error mixes two strong hues.)
    """
    surfaces = prediction.surfaces
    sharp = _left(after, prediction.range, grain, replace(config, tint_reach_px=config.tint_sharp_px))
    stay = [index for index, one in enumerate(standing) if one.stays and (surfaces.box == index).any()]
    near = np.ones((2 * config.block_px + 1,) * 2, np.uint8)
    other = prediction.vacated | ((surfaces.box != NOTHING) & ~np.isin(surfaces.box, stay))
    apart = np.where(cv2.dilate(other.astype(np.uint8), near) > 0, np.float32(0), sharp)
    beside = _left_beside(apart, surfaces, stay, 1.0, config)  # not a threshold: in the worst window
    smeared = _left(after, prediction.range, grain, config)
    if beside and max(beside) <= config.sharp_hue * config.visible:
        return np.where(surfaces.box == NOTHING, sharp, smeared)
    return smeared


def _left(after: Colors, prediction: ColorRange, grain: tuple[float, float], config: PredictedConfig) -> Floats:
    """Returns the squared contrast, (H, W), by which pixels are outside of what is predicted anywhere close by."""
    tolerance, tint_tolerance = (
        min(max(least, config.grain_times * one), config.most_tolerance * least)
        for least, one in zip((config.tolerance, config.tint_tolerance), grain, strict=True)
    )
    near = np.ones((2 * config.reach_px + 1,) * 2, np.uint8)
    now = lightness(after.brightness)
    low, high = cv2.erode(lightness(prediction.low), near), cv2.dilate(lightness(prediction.high), near)
    off = np.maximum(np.maximum(low - now, now - high) - np.float32(tolerance), 0)
    power = np.asarray(off**2, np.float32)
    scale = np.cbrt(np.maximum(after.brightness, 0))
    for axis in range(after.tint.shape[2]):
        tint_low = -_smeared(-prediction.tint_low[..., axis], config)
        tint_high = _smeared(prediction.tint_high[..., axis], config)
        tint = after.tint[..., axis]
        off = np.maximum(tint_low - tint, tint - tint_high) * scale - np.float32(tint_tolerance)
        power += np.asarray((HUE_WEIGHT * np.maximum(off, 0)) ** 2, np.float32)
    return np.asarray(power, np.float32)


def _smeared(tint: Floats, config: PredictedConfig) -> Floats:
    """Returns the most of a tint, (H, W), that is smeared to each pixel: all from close by, half from farther off."""
    reaches = (config.tint_near_px, config.tint_reach_px)
    near, wide = (np.ones((2 * reach + 1,) * 2, np.uint8) for reach in reaches)
    half = (tint + cv2.dilate(tint, wide)) / 2  # not a threshold: half
    return np.asarray(np.maximum(cv2.dilate(tint, near), half), np.float32)


def _blurred(
    before: SceneBefore, after: Colors, one: StandingBox, index: int, prediction: Prediction, config: PredictedConfig
) -> float:
    """Returns by how much the edges of a box that stays lost their strength or place, in units of what may be lost."""
    then, surfaces = before.surfaces.box, prediction.surfaces
    mine = (surfaces.box == index) & (then == one.was)
    if not one.stays or not mine.any():
        return 0.0
    near = np.ones((4 * config.reach_px + 1,) * 2, np.uint8)  # not a threshold: twice the reach, to each side
    # Where another box stands before or behind it, or a shadow comes or goes, edges are others.
    strangers = ((surfaces.box != index) & (surfaces.box != NOTHING)) | ((then != one.was) & (then != NOTHING))
    thin = np.ones((2 * config.light.thin_px + 1,) * 2, np.uint8)
    other_shade = (before.shaded.some != prediction.shaded.some).astype(np.uint8)
    strangers |= cv2.morphologyEx(other_shade, cv2.MORPH_OPEN, thin) > 0
    around = (cv2.dilate(mine.astype(np.uint8), near) > 0) & (cv2.dilate(strangers.astype(np.uint8), near) == 0)
    was, here = _gradient(before.colors.brightness), _gradient(after.brightness)
    now = np.asarray(cv2.dilate(here, np.ones((2 * config.reach_px + 1,) * 2, np.uint8)), np.float32)
    if np.count_nonzero(around) < config.paint.least_px:
        return 0.0
    strong = around & (was >= np.quantile(was[around], config.strong))
    kept = float(np.median(now[strong])) / max(float(np.median(was[strong])), _LEAST)
    # Blocks of a coarse picture have strong edges, but not all along those that were there.
    here = np.asarray(cv2.dilate(here, np.ones((3, 3), np.uint8)), np.float32)  # not a threshold: a pixel's neighbours
    all_along = float(np.quantile(here[strong] / np.maximum(was[strong], _LEAST), config.few))
    lost = max(config.sharp / max(kept, _LEAST), config.all_along / max(all_along, _LEAST))
    return lost if lost > 1.0 else 0.0


def _gradient(brightness: Floats) -> Floats:
    return np.asarray(cv2.magnitude(cv2.Sobel(brightness, cv2.CV_32F, 1, 0), cv2.Sobel(brightness, cv2.CV_32F, 0, 1)))


def _in_windows(power: Floats, config: PredictedConfig) -> Floats:
    size = (config.window_px, config.window_px)
    total = cv2.boxFilter(power, -1, size, normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(np.sqrt(np.maximum(total, 0)), np.float32)


def _worst(power: Floats, where: Flags, least: float, config: PredictedConfig) -> float:
    """Returns what is left in the worst window of a place, in units of what is seen."""
    if not where.any():
        return 0.0
    return float(_in_windows(np.where(where, power, np.float32(0)), config).max()) / least


def _rims(then: Surfaces, now: Surfaces, config: PredictedConfig) -> Flags:
    """Tells where the edges of boxes are close by, before or after."""
    near = np.ones((2 * config.block_px + 1,) * 2, np.uint8)
    inside = ((then.box != NOTHING) | (now.box != NOTHING)).astype(np.uint8)
    return np.asarray(cv2.dilate(inside, near) > cv2.erode(inside, near))


def _at_others(then: Surfaces, now: Surfaces, standing: Sequence[StandingBox], config: PredictedConfig) -> Flags:
    """Tells where the edge of a box is close by that does not stay: one that came, or one that went."""
    stay = [index for index, one in enumerate(standing) if one.stays]
    came = (now.box != NOTHING) & ~np.isin(now.box, stay)
    went = (then.box != NOTHING) & ~np.isin(then.box, [standing[index].was for index in stay])
    near = np.ones((4 * config.reach_px + 1,) * 2, np.uint8)  # not a threshold: twice the reach, to each side
    return np.asarray(cv2.dilate((came | went).astype(np.uint8), near) > 0)


def _beside_boxes(power: Floats, now: Surfaces, boxes: int, config: PredictedConfig) -> float:
    """Returns what compression leaves in windows beside boxes: beside half of them at least, if there are two."""
    left = _left_beside(power, now, range(boxes), config.beside, config)
    return sorted(left)[(len(left) - 1) // 2] if len(left) > 1 else 0.0  # not a threshold: the lower median


def _left_beside(
    power: Floats, now: Surfaces, boxes: Iterable[int], share: float, config: PredictedConfig
) -> list[float]:
    """Returns what is left beside each of some boxes, by this quantile of the windows there."""
    near = np.ones((2 * config.block_px + 1,) * 2, np.uint8)
    bare = now.box == NOTHING
    windows = _in_windows(np.where(bare, power, np.float32(0)), config)
    left = []
    for index in boxes:
        beside = bare & (cv2.dilate((now.box == index).astype(np.uint8), near) > 0)
        if beside.any():
            left.append(float(np.quantile(windows[beside], share)))
    return left


def longest(power: Floats, where: Flags, config: PredictedConfig) -> float:
    """Returns what is left along the worst line: a thin strong line counts as a wide faint one does in a window."""
    left = np.where(where, power, np.float32(0))
    if not left.any():
        return 0.0
    length = config.line_share * max(power.shape)
    most = 0.0
    for way in range(config.line_ways):
        total = cv2.filter2D(left, -1, _line(length, math.pi * way / config.line_ways, config.line_px))
        most = max(most, float(total.max()))
    return math.sqrt(most)


def _line(length: float, angle: float, width: int) -> Floats:
    """Returns a line of ones through the middle of a square."""
    reach = math.ceil(length / 2)
    across, down = math.cos(angle) * length / 2, math.sin(angle) * length / 2
    kernel = np.zeros((2 * reach + 1,) * 2, np.uint8)
    start, end = (round(reach - across), round(reach - down)), (round(reach + across), round(reach + down))
    return np.asarray(cv2.line(kernel, start, end, 1, width), np.float32)
