"""Takes a silhouette apart into areas of one colour: what is flat grows until areas meet, amid lines between them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.ground import fit_ground
from detectors.common.residual.mixing import lengths
from detectors.form_board.config import SegmentConfig
from detectors.form_board.scene import MASK_PX, SIDES, Mask

Labels = NDArray[np.int32]
_HALF = 50  # not a threshold: the median is the fiftieth of a hundred


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
    lab: NDArray[np.float32], paper: Mask, side_px: float, area_px: float, config: SegmentConfig
) -> Segments:
    """Finds areas of one colour.

    Parameters
    ----------
    lab : (h, w, 3) float32
        The silhouette and what is around it, smoothed a little, in the colours of `seen`.
    paper : (h, w) bool
        Where there is paper in the puzzle's picture.
    side_px, area_px : float
        The silhouette's longer side, and its area.
    config : SegmentConfig
    """
    ground = fit_ground(lab, np.flatnonzero(paper), config.paper)
    off = lab - ground.surface
    slope = _slopes(lab)
    usual = float(np.percentile(slope[paper], _HALF)) if paper.any() else 0.0
    flat = slope <= max(config.slope, config.noise_slopes * usual)
    bound = min(config.most_ground, max(config.ground, config.noise_contrasts * ground.noise))
    contrast = lengths(off)
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
        chosen = (flat & (is_ground if ground else ~is_ground)).astype(np.uint8)
        count, parts, stats, _ = cv2.connectedComponentsWithStats(chosen, connectivity=SIDES)
        depth = cv2.distanceTransform(np.pad(chosen, 1), cv2.DIST_L2, MASK_PX)[1:-1, 1:-1]
        # What is flat was made narrower by the blur on both sides.
        deep = parts[depth >= max(1.0, least * side_px - 1.0)]
        wide = [number for number in np.flatnonzero(np.bincount(deep, minlength=count)).tolist() if number]
        table = np.zeros(count, np.int32)
        for number in wide:
            table[number] = 1 if ground else 2 + len(drawn)
            if not ground:
                drawn[2 + len(drawn)] = int(stats[number, cv2.CC_STAT_AREA])
        seeds += table[parts]
    return seeds, drawn


def _spread(seeds: Labels, lab: NDArray[np.float32], drawn: dict[int, int], config: SegmentConfig) -> Labels:
    """Seeds with what is beside them and has their colour, though it is not flat: sharp corners, mostly."""
    made = seeds.copy()
    kernel = np.ones((3, 3), np.uint8)
    rooms = {number: _room(seeds == number, config.spread_px + 1) for number in drawn}
    alike = {}
    for number, room in rooms.items():
        inside = lab[room][seeds[room] == number]
        color = np.median(inside[:: max(1, len(inside) // config.samples)], axis=0).astype(np.float32)
        alike[number] = lengths(np.ascontiguousarray(lab[room]) - color) <= config.same_color
    for _ in range(config.spread_px):
        for number, room in rooms.items():
            part = made[room]
            near = cv2.dilate((part == number).astype(np.uint8), kernel) > 0
            part[near & alike[number] & (part == 0)] = number
    return made


def _room(mask: Mask, pad: int) -> tuple[slice, slice]:
    """Rows and columns of what is in a mask and so many pixels around it."""
    left, top, wide, high = cv2.boundingRect(mask.astype(np.uint8))
    return slice(max(0, top - pad), top + high + pad), slice(max(0, left - pad), left + wide + pad)


def _grown(seeds: Labels) -> Labels:
    """Every pixel gets the number of the seed that is nearest; paper is 0."""
    if not seeds.any():
        return np.zeros_like(seeds)
    away = (seeds == 0).astype(np.uint8)
    _, nearest = cv2.distanceTransformWithLabels(away, cv2.DIST_L2, MASK_PX, labelType=cv2.DIST_LABEL_PIXEL)
    table = np.zeros(int(nearest.max()) + 1, np.int32)
    at = away == 0
    table[nearest[at]] = seeds[at]
    grown = table[nearest]
    return np.where(grown == 1, 0, grown).astype(np.int32)


def _without_small(labels: Labels, drawn: dict[int, int], area_px: float, config: SegmentConfig) -> tuple[Labels, int]:
    """Small areas become part of the one that they share most of their outline with."""
    made, enclosed = labels.copy(), 0
    kernel = np.ones((3, 3), np.uint8)
    for number in sorted(drawn, key=lambda one: drawn[one]):
        mask = made == number
        size = int(mask.sum())
        if not size or size > max(config.least, config.hole) * area_px:
            continue
        rim = (cv2.dilate(mask.astype(np.uint8), kernel) > 0) & ~mask
        around, counts = np.unique(made[rim], return_counts=True)
        within_one = len(around) == 1 and around[0] != 0
        if size <= config.least * area_px or within_one:
            made[mask] = around[counts.argmax()] if len(around) else 0
            enclosed += within_one
    return _holes_filled(made, config.hole * area_px, enclosed)


def _holes_filled(labels: Labels, most: float, enclosed: int) -> tuple[Labels, int]:
    """Small islands of paper within one area become part of it."""
    count, parts, stats, _ = cv2.connectedComponentsWithStats((labels == 0).astype(np.uint8), connectivity=SIDES)
    kernel = np.ones((3, 3), np.uint8)
    for number in range(1, count):
        if stats[number, cv2.CC_STAT_AREA] > most:
            continue
        mask = parts == number
        rim = (cv2.dilate(mask.astype(np.uint8), kernel) > 0) & ~mask
        around = np.unique(labels[rim])
        if len(around) == 1:
            labels[mask] = around[0]
            enclosed += 1
    return labels, enclosed
