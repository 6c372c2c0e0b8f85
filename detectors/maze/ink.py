"""Tells, for each pixel of an aligned maze, whether it was drawn on, and in which colour.

What counts is the difference to the puzzle's picture *and* the colour of the difference, in OKLab. The floor's own
colour is measured first, so a floor that was repainted evenly is no ink.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.colors import LIGHTNESS, ColorName, HuesConfig, hue_degrees, median_rgb, oklab, project
from detectors.common.light import noise_level
from detectors.maze.edges import own_edges
from detectors.maze.plan.floorplan import Floorplan


@dataclass(frozen=True)
class NoiseConfig:
    """How noise raises what counts as ink.

    Attributes
    ----------
    samples : noise is told from about so many pixels of the floor
    noisy : noise, as a standard deviation of OKLab chroma, from which pixels are averaged with their neighbours first
    apart_px : ...beside others so many working pixels away, for resizing gives what is nearer the same noise
    factor : ink's chroma is at least so many standard deviations of the noise of where it lies...
    most : ...but no more than this need it be: a stroke twice as strong is seen in any noise...
    most_dark : ...and on walls and around the maze no more than this: in the dark the same noise has far more chroma
    """

    samples: int = 500
    noisy: float = 0.005
    apart_px: int = 5
    factor: float = 4.5
    most: float = 0.06
    most_dark: float = 0.12


@dataclass(frozen=True)
class ColorConfig:
    """What counts as drawn in colour.

    Attributes
    ----------
    min_chroma : least OKLab chroma, relative to what was there, of ink. An opaque (0, 107, 183) has 0.145; the same at
        a fifth of its opacity, still plain to see on white, 0.030
    min_chroma_on_wall : the same on walls, where JPEG smears colour over the edge
    min_saturation : least chroma relative to the change of lightness: a dark brown is dark, not a red
    vivid_chroma : chroma from which a pixel's own hue is trusted over that of the difference
    hues : the colours by name
    hue_slack_deg : degrees by which the asked colour's range of hues is wider at both ends: who asked for orange takes
        a reddish one
    tinted : OKLab chroma from which a floor or wall has a hue
    mixed : OKLab distance from the line between their colours up to which a colour is then mixed of them
    overshoot : how far that line goes on beyond them, as a share of it: resampling with sharpening overshoots
    same_marker : OKLab distance up to which a marker has kept its colour
    """

    min_chroma: float = 0.018
    min_chroma_on_wall: float = 0.045
    min_saturation: float = 0.1
    vivid_chroma: float = 0.09
    hues: HuesConfig = field(default_factory=HuesConfig)
    hue_slack_deg: float = 6.0
    tinted: float = 0.05
    mixed: float = 0.06
    overshoot: float = 0.3
    same_marker: float = 0.04


@dataclass(frozen=True)
class GreyConfig:
    """What counts as drawn in black, white or grey.

    Attributes
    ----------
    min_lightness : least change of OKLab lightness of ink in black or white
    max_chroma : OKLab chroma, relative to what was there, up to which ink is black or white
    strength : its strength as a share of the change of lightness, so that opaque strokes of any colour come to the same
    wall_edge : reach of a wall's own edge, as a share of the wall's width...
    least_edge_px : ...but at least so many working pixels
    grey : a floor pixel this far or more on the way from floor to wall was drawn on without colour
    dark : a floor pixel this far or more on the way from floor to wall is dark
    tinged : what is dark and has less than so many times the least chroma of ink is a wall or a shadow to the eye
    erased : a wall pixel this far or less on the way from floor to wall is gone
    """

    min_lightness: float = 0.12
    max_chroma: float = 0.06
    strength: float = 0.2
    wall_edge: float = 0.4
    least_edge_px: int = 2
    grey: float = 0.2
    dark: float = 0.3
    tinged: float = 2.5
    erased: float = 0.45


@dataclass(frozen=True)
class InkConfig:
    """What counts as ink.

    Attributes
    ----------
    prefilter : largest channel difference (0 to 255) to what was expected, up to which a pixel is left alone
    very_dark : OKLab lightness up to which walls and exterior may be repainted in any colour and still be read as such
    outdone, line : a floor in a shade of the answer's colour was repainted, and not drawn, if this share of a cell's
        square, or more, is so many times as far from what it was
    patchy : a floor of which more than this share kept its colour was not repainted, but painted over in part
    min_floor_contrast : distance of floor and wall colour, in sum over channels, below which the picture shows no walls
    noise : how noise raises what counts
    color : what counts as colour
    grey : what counts as black, white or grey
    """

    prefilter: int = 14
    very_dark: float = 0.35
    outdone: float = 3.0
    line: float = 0.1
    patchy: float = 0.05
    min_floor_contrast: float = 120.0
    noise: NoiseConfig = field(default_factory=NoiseConfig)
    color: ColorConfig = field(default_factory=ColorConfig)
    grey: GreyConfig = field(default_factory=GreyConfig)


@dataclass(frozen=True)
class Ink:
    """What was drawn, in the floor plan's working frame; masks are (h, w) bool.

    Attributes
    ----------
    asked : drawn in the colour that was asked for
    other : drawn in another colour
    grey : floor that became darker, without colour
    dark : floor that became as dark as a wall
    barrier : what closes a passage if it lies all along it: dark, grey, and strokes asked for in black or white
    erased : wall that became floor
    has_walls : whether floor and wall colour can be told apart
    strength : (h, w) float32, OKLab chroma of what was drawn, 0 elsewhere; of black and white, a fifth of the change of
        lightness, so that opaque strokes of any colour come to the same
    floor_rgb, wall_rgb : (3,) the candidate's colours of floor and wall
    """

    asked: NDArray[np.bool_]
    other: NDArray[np.bool_]
    grey: NDArray[np.bool_]
    dark: NDArray[np.bool_]
    barrier: NDArray[np.bool_]
    erased: NDArray[np.bool_]
    has_walls: bool
    strength: NDArray[np.float32]
    floor_rgb: NDArray[np.float64]
    wall_rgb: NDArray[np.float64]


def find_ink(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    plan: Floorplan,
    asked: ColorName,
    config: InkConfig,
) -> Ink:
    """Classifies the pixels of an aligned candidate.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's working frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    plan : Floorplan
        Of the puzzle.
    asked : ColorName
        The colour that was asked for.
    config : InkConfig
    """
    noise = _noise_at(picture, plan.floor_sample, config.noise)
    if noise > config.noise.noisy:
        picture = np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)
        noise = _noise_at(picture, plan.floor_sample, config.noise)
    floor_rgb = _typical(picture, plan.floor_sample, covered, plan.floor_rgb)
    # A floor in the colour of the answer was flooded, unless an answer stands out from it, and one that is what it was
    # in places was painted over in the others; neither was repainted.
    drawn = _is_drawn(floor_rgb, plan.floor_rgb, asked, config)
    drawn = drawn and (asked in LIGHTNESS or not _is_outdone(picture, floor_rgb, plan, config))
    if drawn or _is_patchy(picture, covered, plan, floor_rgb, config):
        floor_rgb = plan.floor_rgb
    wall_rgb = _typical(picture, plan.wall_sample, covered, plan.wall_rgb)
    expected = plan.picture
    around_rgb = _typical(picture, plan.exterior_sample, covered, plan.exterior_rgb)
    seen_wall = _if_dark(wall_rgb, plan.wall_rgb, config)
    for region, now, before in (
        (plan.open_floor, floor_rgb, plan.floor_rgb),
        (plan.walls, seen_wall, plan.wall_rgb),
        (plan.outside, _if_dark(around_rgb, plan.exterior_rgb, config), plan.exterior_rgb),
    ):
        if np.abs(now - before).max() > config.prefilter / 2:
            # By as much, for a cell may show what lies around the maze in its openings.
            step = np.append((now - before).round(), 0.0)
            shifted = cv2.add(expected, step, dst=expected.copy(), mask=region.view(np.uint8))
            expected = np.asarray(shifted, np.uint8)
    difference = cv2.absdiff(picture, expected)
    red, green, blue = cv2.split(difference)
    changed = cv2.max(cv2.max(red, green), blue) > config.prefilter
    if covered is not None:
        changed &= covered
    at = np.flatnonzero(changed)
    colors = picture.reshape(-1, 3).take(at, axis=0)
    lab = oklab(colors)
    was = expected.reshape(-1, 3).take(at, axis=0)
    on_marker = plan.marker_mask.ravel()[at]
    on_wall = plan.walls.ravel()[at]
    # A faint stroke shows only as a shift from what was there; on a marker the floor is the fairer base, since the
    # difference between blue and red is no hue of either.
    base = _lab_of_base(was, floor_rgb, on_marker | on_wall)
    shift = lab[:, 1:] - base[:, 1:]
    chroma = np.hypot(shift[:, 0], shift[:, 1])
    least = _least_chroma(at, on_wall, picture, noise, plan, config)
    colored = (chroma >= least) & (chroma >= config.color.min_saturation * np.abs(lab[:, 0] - base[:, 0]))
    colored &= ~own_edges(at, lab, on_marker, least, floor_rgb, seen_wall, plan, config)
    if asked in LIGHTNESS:
        contrast = np.sign(LIGHTNESS[asked] - 0.5) * (lab[:, 0] - base[:, 0])
        as_asked = (contrast >= config.grey.min_lightness) & (chroma <= config.grey.max_chroma) & ~on_wall
        as_asked &= _seen_past_walls(at, as_asked, plan, config.grey)
        chroma = np.where(as_asked, config.grey.strength * contrast, chroma)
    else:
        as_asked = colored & _has_hue(lab, shift, asked, config.color)
    # A marker that was repainted in its own hue is still the marker.
    kept = np.flatnonzero(as_asked & on_marker)
    as_asked[kept[np.linalg.norm(lab[kept] - oklab(was[kept]), axis=1) <= config.color.same_marker]] = False
    otherwise = colored & ~as_asked & ~on_marker

    shape = plan.labels.shape
    strength = np.zeros(shape, np.float32)
    strength.ravel()[at] = np.where(as_asked | otherwise, chroma, 0.0)
    has_walls = bool(np.abs(floor_rgb - wall_rgb).sum() >= config.min_floor_contrast)
    toward_wall = project(colors, floor_rgb, wall_rgb if has_walls else plan.wall_rgb)
    plain = ~colored & ~as_asked & ~on_wall & ~on_marker
    # What is dark and only slightly tinged is a wall or a shadow to the eye, not a coloured stroke.
    darkened = ~as_asked & ~on_wall & ~on_marker & (toward_wall >= config.grey.dark)
    darkened &= ~colored | (chroma < config.grey.tinged * config.color.min_chroma)
    grey = plain & (toward_wall >= config.grey.grey)
    # A wall of a floor may be so wide that something is drawn on it.
    gone = on_wall & ~as_asked if plan.pieces is None else on_wall & ~as_asked & ~colored
    # Black across a passage closes it, whether or not black was asked for.
    barrier = darkened | grey | as_asked if asked in LIGHTNESS else darkened | grey
    return Ink(
        asked=_mask(shape, at, as_asked),
        other=_mask(shape, at, otherwise),
        grey=_mask(shape, at, grey),
        barrier=_mask(shape, at, barrier),
        dark=_mask(shape, at, darkened),
        erased=_mask(shape, at, gone & (toward_wall <= config.grey.erased)),
        has_walls=has_walls,
        strength=strength,
        floor_rgb=floor_rgb,
        wall_rgb=wall_rgb,
    )


def _noise_at(picture: NDArray[np.uint8], sample: NDArray[np.intp], config: NoiseConfig) -> float:
    """The standard deviation of chroma along an axis of OKLab, from pixel to pixel, at flat positions.

    From what lies near, since a floor in several tints is not noisy.
    """
    at = sample[:: max(1, sample.size // config.samples)]
    colors = picture.reshape(-1, 3)
    places = (np.minimum(at + step, len(colors) - 1) for step in (0, config.apart_px))
    here, near = (oklab(colors.take(place, axis=0))[:, 1:] for place in places)
    return noise_level(here - near) / math.sqrt(2.0) if len(at) else 0.0


def _least_chroma(
    at: NDArray[np.intp],
    on_wall: NDArray[np.bool_],
    picture: NDArray[np.uint8],
    floor_noise: float,
    plan: Floorplan,
    config: InkConfig,
) -> NDArray[np.float64]:
    """(n,) the least chroma of ink at flat positions, by the noise of where it lies."""
    noise = config.noise
    least = np.where(on_wall, config.color.min_chroma_on_wall, config.color.min_chroma)
    least = np.maximum(least, min(noise.factor * floor_noise, noise.most))
    if floor_noise > 0.0:
        for sample, region in ((plan.wall_sample, plan.walls), (plan.exterior_sample, plan.outside)):
            here = min(noise.factor * _noise_at(picture, sample, noise), noise.most_dark)
            least = np.where(region.ravel()[at], np.maximum(least, here), least)
    return least


def _seen_past_walls(
    at: NDArray[np.intp], drawn: NDArray[np.bool_], plan: Floorplan, config: GreyConfig
) -> NDArray[np.bool_]:
    """Which pixels, at flat positions, belong to something drawn that is more than a wall's blurred or shifted edge.

    Black beside a black wall may be that wall's own edge. What reaches away from the walls is drawn, and so is what it
    continues in up to a wall.
    """
    reach = max(config.least_edge_px, round(config.wall_edge * plan.wall_reach_px))
    edges = cv2.dilate((plan.walls | plan.outside).view(np.uint8), _square(reach))
    mask = _mask(plan.labels.shape, at, drawn).view(np.uint8)
    away = cv2.morphologyEx(cv2.bitwise_and(mask, 1 - edges), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    # The opening may have cut a pixel off.
    seen: NDArray[np.bool_] = cv2.dilate(away, _square(reach + 1)).view(np.bool_).ravel()[at]
    return seen


def _square(reach: int) -> NDArray[np.uint8]:
    return np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)


def _has_hue(
    lab: NDArray[np.float32], shift: NDArray[np.float32], asked: ColorName, config: ColorConfig
) -> NDArray[np.bool_]:
    """Whether colours (n, 3) have the hue asked for: a vivid one's own, else that of its shift (n, 2)."""
    vivid = np.hypot(lab[:, 1], lab[:, 2]) >= config.vivid_chroma
    hues = config.hues.ranges[asked].widened(config.hue_slack_deg)
    chosen = np.stack([np.where(vivid, lab[:, 1 + axis], shift[:, axis]) for axis in (0, 1)])
    return hues.contains(hue_degrees(chosen.T))


def _if_dark(now: NDArray[np.float64], before: NDArray[np.float64], config: InkConfig) -> NDArray[np.float64]:
    """A repainted wall's colour where it is so dark that it looks like a wall, else what it was."""
    return now if oklab(now.round().astype(np.uint8))[0] <= config.very_dark else before


def _lab_of_base(
    colors: NDArray[np.uint8], floor_rgb: NDArray[np.float64], as_floor: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """OKLab of what was there, (n, 3), or of the floor. Nearly all of it is floor, which is converted but once."""
    floor = floor_rgb.round().astype(np.uint8)
    lab = np.empty(colors.shape, np.float32)
    lab[:] = oklab(floor)
    # Column by column, which is several times faster than `any` along a row of three.
    other = (colors[:, 0] != floor[0]) | (colors[:, 1] != floor[1]) | (colors[:, 2] != floor[2])
    rest = np.flatnonzero(other & ~as_floor)
    lab[rest] = oklab(colors[rest])
    return lab


def _is_drawn(rgb: NDArray[np.float64], floor_rgb: NDArray[np.float64], asked: ColorName, config: InkConfig) -> bool:
    lab, floor = oklab(np.stack([rgb, floor_rgb]).round().astype(np.uint8))
    shift = lab[1:] - floor[1:]
    if asked in LIGHTNESS:
        return bool(abs(lab[0] - floor[0]) >= 0.5 * abs(LIGHTNESS[asked] - floor[0]))
    hues, least = config.color.hues.ranges[asked], config.color.min_chroma
    if not (np.hypot(*shift) >= least and hues.contains(hue_degrees(shift))):
        return False
    # A cream floor that turned white moved towards blue, but is not blue.
    return bool(np.hypot(*lab[1:]) >= 0.5 * least and hues.contains(hue_degrees(lab[1:])))


def _is_outdone(picture: NDArray[np.uint8], floor_rgb: NDArray[np.float64], plan: Floorplan, config: InkConfig) -> bool:
    """Whether a line's worth of the floor has moved much farther from the puzzle's floor than most, the same way."""
    before, now = (oklab(rgb[None].round().astype(np.uint8))[0, 1:] for rgb in (plan.floor_rgb, floor_rgb))
    way = now - before
    along = (oklab(picture[plan.open_floor])[:, 1:] - before) @ way
    return int(np.count_nonzero(along >= config.outdone * float(way @ way))) >= config.line * plan.cell_px**2


def _is_patchy(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    plan: Floorplan,
    floor_rgb: NDArray[np.float64],
    config: InkConfig,
) -> bool:
    """Whether the floor's typical colour is another one than before, but parts of the floor are as they were."""
    if np.abs(floor_rgb - plan.floor_rgb).max() <= 2 * config.prefilter:
        return False
    sample = plan.floor_sample if covered is None else plan.floor_sample[covered.ravel()[plan.floor_sample]]
    change = np.abs(picture.reshape(-1, 3)[sample] - plan.floor_rgb).max(axis=1)
    return bool(np.mean(change <= config.prefilter) > config.patchy)


def _typical(
    picture: NDArray[np.uint8],
    sample: NDArray[np.intp],
    covered: NDArray[np.bool_] | None,
    otherwise: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The median colour at the given flat positions; of nowhere, a given colour."""
    if covered is not None:
        sample = sample[covered.ravel()[sample]]
    if not sample.size:
        return otherwise
    return median_rgb(picture.reshape(-1, 3).take(sample, axis=0))


def _mask(shape: tuple[int, ...], at: NDArray[np.intp], chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.bool_)
    mask.ravel()[at[chosen]] = True
    return mask
