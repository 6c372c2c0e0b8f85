"""Takes a silhouette apart into areas of one colour: what is flat grows until areas meet, amid lines between them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median
from detectors.common.residual.ground import fit_ground
from detectors.common.residual.mixing import channel_medians, colors_within, contrasts, lengths
from detectors.form_board.config import SegmentConfig
from detectors.form_board.shapes import MASK_PX, SIDES, Mask, depth_of

Labels = NDArray[np.int32]
_AROUND = np.ones((3, 3), np.uint8)  # not a threshold: a pixel and its neighbours


@dataclass(frozen=True, eq=False)
class Segments:
    """Areas of one colour.

    Attributes
    ----------
    labels : (h, w) int32, the number of each pixel's area; 0 is paper
    numbers : of the areas that are drawn, ascending
    marked : (h, w) bool, what differs plainly from the paper, lines too
    enclosed : small areas that lie within one other, as letters do, and were given to it
    """

    labels: Labels
    numbers: tuple[int, ...]
    marked: Mask
    enclosed: int


def take_apart(
    lab: NDArray[np.float32], paper: NDArray[np.intp], side_px: float, area_px: float, config: SegmentConfig
) -> Segments:
    """Finds areas of one colour.

    Parameters
    ----------
    lab : (h, w, 3) float32
        The silhouette and what is around it, smoothed a little, in the colours of `seen`.
    paper : ndarray of int
        Flat positions of pixels that are paper in the puzzle's picture.
    side_px, area_px : float
        The silhouette's longer side, and its area.
    config : SegmentConfig
    """
    ground = fit_ground(lab, paper, config.paper)
    slope = _slopes(lab)
    some = paper[:: max(1, paper.size // config.told)]
    usual = median(slope.ravel()[some]) if some.size else 0.0
    flat = slope <= max(config.slope, config.noise_slopes * usual)
    bound = min(config.most_ground, max(config.ground, config.noise_contrasts * ground.noise))
    contrast = lengths(lab - ground.surface) if ground.surface.strides[0] else contrasts(lab, ground.color)
    is_ground = contrast <= bound
    seeds, drawn = _seeds(flat, is_ground, side_px, config)
    labels = _grown(_spread(seeds, lab, drawn, config))
    labels, enclosed = _without_small(labels, drawn, area_px, config)
    numbers = tuple((np.flatnonzero(np.bincount(labels.ravel())[1:]) + 1).tolist())
    return Segments(labels, numbers, contrast > max(config.marked, 2 * bound), enclosed)


def _slopes(lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """Change of colour a pixel."""
    scale = 1 / 32  # not a threshold: it makes the sum a slope
    across, down = (
        lengths(np.asarray(cv2.Scharr(lab, cv2.CV_32F, dx, 1 - dx, scale=scale), np.float32)) for dx in (1, 0)
    )
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _seeds(flat: Mask, is_ground: Mask, side_px: float, config: SegmentConfig) -> tuple[Labels, dict[int, int]]:
    """Flat areas that are no lines: paper is 1, what is drawn has a number from 2 on; and how large each is."""
    seeds: Labels = np.zeros(flat.shape, np.int32)
    drawn: dict[int, int] = {}
    for ground, least in ((True, config.gap), (False, config.line)):
        chosen = flat & (is_ground if ground else ~is_ground)
        # Without their sizes, which would take OpenCV twice as long again.
        count, found = cv2.connectedComponents(chosen.view(np.uint8), connectivity=SIDES)
        parts = np.asarray(found, np.int32)
        # What is flat was made narrower by the blur on both sides.
        deep = parts[depth_of(chosen) >= max(1.0, least * side_px - 1.0)]
        wide = [number for number in np.flatnonzero(np.bincount(deep, minlength=count)).tolist() if number]
        table = np.zeros(count, np.int32)
        for number in wide:
            table[number] = 1 if ground else 2 + len(drawn)
            if not ground:
                drawn[2 + len(drawn)] = int(np.count_nonzero(parts == number))
        seeds += table.take(parts)
    return seeds, drawn


def _spread(seeds: Labels, lab: NDArray[np.float32], drawn: dict[int, int], config: SegmentConfig) -> Labels:
    """Seeds with what is beside them and has their colour, though it is not flat: sharp corners, mostly."""
    made = seeds.copy()
    near: dict[int, tuple[tuple[slice, slice], Mask]] = {}
    for number in drawn:
        room = _room(seeds == number, config.spread_px + 1)
        own = seeds[room]
        inside = colors_within(lab[room], own == number)
        color = channel_medians(inside[:: max(1, len(inside) // config.samples)])
        near[number] = (room, (contrasts(lab[room], color) <= config.same_color) & (own == 0))
    for _ in range(config.spread_px):
        for number, (room, alike) in list(near.items()):
            part = made[room]
            beside = cv2.dilate((part == number).view(np.uint8), _AROUND).view(np.bool_) & alike
            beside &= part == 0
            if beside.any():
                part[beside] = number
            else:
                del near[number]  # what did not grow won't
    return made


def _room(mask: Mask, pad: int) -> tuple[slice, slice]:
    """Rows and columns of what is in a mask and so many pixels around it."""
    left, top, wide, high = cv2.boundingRect(mask.view(np.uint8))
    return slice(max(0, top - pad), top + high + pad), slice(max(0, left - pad), left + wide + pad)


def _grown(seeds: Labels) -> Labels:
    """Every pixel gets the number of the seed that is nearest; paper is 0."""
    if not seeds.any():
        return np.zeros_like(seeds)
    away = seeds == 0
    _, nearest = cv2.distanceTransformWithLabels(
        away.view(np.uint8), cv2.DIST_L2, MASK_PX, labelType=cv2.DIST_LABEL_PIXEL
    )
    table = np.zeros(int(nearest.max()) + 1, np.int32)
    at = np.flatnonzero(~away)
    own = seeds.ravel()[at]
    table[nearest.ravel()[at]] = np.where(own == 1, 0, own)
    return np.asarray(table.take(nearest), np.int32)


def _without_small(labels: Labels, drawn: dict[int, int], area_px: float, config: SegmentConfig) -> tuple[Labels, int]:
    """Small areas become part of the one that they share most of their outline with."""
    made, enclosed = labels.copy(), 0
    # Areas only grow from here on: those that are large enough now are passed over.
    sizes = np.bincount(made.ravel(), minlength=2 + len(drawn))
    most = max(config.least, config.hole) * area_px
    for number in sorted(drawn, key=lambda one: drawn[one]):
        if not 0 < sizes[number] <= most:
            continue
        mask = made == number
        size = int(np.count_nonzero(mask))
        if size > most:
            continue
        rim = (cv2.dilate(mask.view(np.uint8), _AROUND) > 0) & ~mask
        around, counts = np.unique(made[rim], return_counts=True)
        within_one = len(around) == 1 and around[0] != 0
        if size <= config.least * area_px or within_one:
            made[mask] = around[counts.argmax()] if len(around) else 0
            enclosed += within_one
    return _holes_filled(made, config.hole * area_px, enclosed)


def _holes_filled(labels: Labels, most: float, enclosed: int) -> tuple[Labels, int]:
    """Small islands of paper within one area become part of it."""
    paper = (labels == 0).view(np.uint8)
    count, parts = cv2.connectedComponents(paper, connectivity=SIDES)
    # Mostly there is but one, which goes around all.
    sizes = np.bincount(parts.ravel()) if count > 2 else np.array([0, np.count_nonzero(paper)])
    for number in range(1, count):
        if sizes[number] > most:
            continue
        mask = parts == number
        rim = (cv2.dilate(mask.view(np.uint8), _AROUND) > 0) & ~mask
        around = np.unique(labels[rim])
        if len(around) == 1:
            labels[mask] = around[0]
            enclosed += 1
    return labels, enclosed
