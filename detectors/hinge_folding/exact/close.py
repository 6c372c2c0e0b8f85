"""The part of a picture that has a chain, close by, and which piece is seen at each pixel of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_maxima
from detectors.hinge_folding.config import ChainViewConfig
from detectors.hinge_folding.exact.config import ExactConfig
from detectors.hinge_folding.view import Field, Floats, Pixels, evened, farthest
from grader.media.pyramid import reduce_picture

Owners = NDArray[np.int16]
SUBPIXEL = 4  # not a threshold: bits of a pixel that OpenCV's corners have


@dataclass(frozen=True, eq=False)
class CloseView:
    """A part of a picture.

    Attributes
    ----------
    pixels : (h, w, 3) float32
    unit : pixels of a unit
    origin : where it begins, in pixels of the picture
    scale : its pixels over the picture's, across and down
    inner : (left, top, right, bottom), where the picture itself ends, in its pixels
    """

    pixels: Field
    unit: float
    origin: Floats
    scale: Floats
    inner: tuple[float, float, float, float]

    def at(self, points: Floats) -> Floats:
        """Points of the picture, in pixels of this part."""
        return np.asarray((points - self.origin) * self.scale, np.float64)


def look_closely(
    picture: Pixels, corners: Sequence[Floats], unit: tuple[float, float], config: ExactConfig, seen: ChainViewConfig
) -> CloseView:
    """The part of a picture around pieces by their corners, in its pixels.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
    corners : sequence of (N, 2)
    unit : (float, float)
        Pixels of a unit across and down.
    config : ExactConfig
    seen : ChainViewConfig
        How light is evened.
    """
    every = np.concatenate(corners)
    height, width = picture.shape[:2]
    factor = 1
    while min(unit) / factor > config.unit_px:
        factor *= 2
    pad = config.pad * np.array(unit)
    left, top = (int(value) for value in np.clip(every.min(axis=0) - pad, 0, (width - 2, height - 2)))
    right, bottom = (int(value) for value in np.clip(every.max(axis=0) + pad + 1, (left + 2, top + 2), (width, height)))
    pixels = reduce_picture(np.ascontiguousarray(picture[top:bottom, left:right]), factor)
    if factor == 1:
        pixels = _without_pepper(pixels, config)
    scale = np.array([1 / factor, 1 / factor])
    least = min(unit)
    if max(unit) > config.stretched * least:
        size = [max(1, round(side * least / one)) for side, one in zip(pixels.shape[1::-1], unit, strict=True)]
        scale = np.array(size) / pixels.shape[1::-1] / factor
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    origin = np.array([left, top], np.float64)
    ends = (*(-origin * scale), *((np.array([width, height]) - origin) * scale))
    return CloseView(
        evened(pixels.astype(np.float32), None, seen)[0],
        least / factor,
        origin,
        scale,
        (ends[0], ends[1], ends[2], ends[3]),
    )


def _without_pepper(pixels: Pixels, config: ExactConfig) -> Pixels:
    """Pixels without those that differ from all around them, where there are many: neither lines nor letters do."""
    around = np.asarray(cv2.medianBlur(pixels, 3), np.uint8)  # not a threshold: a pixel's neighbours
    off = channel_maxima(cv2.absdiff(pixels, around)) > config.speck
    beside = cv2.boxFilter(off.astype(np.float32), -1, (3, 3), normalize=False)  # not a threshold: the same
    lone = off & (beside <= config.specks_beside + 1)
    if np.count_nonzero(lone) < config.peppered * lone.size:
        return pixels
    return np.where(lone[..., None], around, pixels)


def codes_of(close: CloseView, outlines: Sequence[Floats]) -> NDArray[np.int32]:
    """Of each pixel which pieces, by their corners in pixels, cover it: a bit for each."""
    codes = np.zeros(close.pixels.shape[:2], np.int32)
    mask = np.zeros(codes.shape, np.uint8)
    for number, corners in enumerate(outlines):
        mask[:] = 0
        fixed = np.rint((corners - 0.5) * 2**SUBPIXEL).astype(np.int32)
        cv2.fillConvexPoly(mask, fixed, 1, shift=SUBPIXEL)
        codes += mask.astype(np.int32) << number
    return codes


def colors_of_pieces(
    close: CloseView, codes: NDArray[np.int32], outlines: Sequence[Floats], config: ExactConfig
) -> Floats:
    """Of each piece its colour where it lies alone, and last that of the ground, (N + 1, 3)."""
    colors = []
    for number, corners in enumerate(outlines):
        middle = corners.mean(axis=0)
        mask = np.zeros(codes.shape, np.uint8)
        fixed = np.rint((middle + config.middle * (corners - middle) - 0.5) * 2**SUBPIXEL).astype(np.int32)
        cv2.fillConvexPoly(mask, fixed, 1, shift=SUBPIXEL)
        alone = codes == 1 << number
        own = alone & (mask > 0)
        own = own if own.any() else alone
        at = np.flatnonzero(own)
        some = at[:: max(1, at.size // config.own_px)]
        colors.append(middle_of(close.pixels.reshape(-1, 3)[some]) if at.size else np.zeros(3))
    at = np.flatnonzero(codes == 0)
    ground = close.pixels.reshape(-1, 3)[at[:: max(1, at.size // config.own_px)]]
    colors.append(middle_of(ground) if len(ground) else np.full(3, 255.0))
    return np.array(colors, np.float64)


def owners_of(close: CloseView, codes: NDArray[np.int32], colors: Floats, config: ExactConfig) -> Owners:
    """Of each pixel the piece that is seen there, from 0; the number of pieces for the ground.

    Where pieces lie on each other one of them is seen all over what they share.
    """
    count = len(colors) - 1
    owner_of = np.full(1 << count, count, np.int16)
    for code in np.flatnonzero(np.bincount(codes.ravel())):
        bits = [number for number in range(count) if code >> number & 1]
        if len(bits) == 1:
            owner_of[code] = bits[0]
        elif bits:
            at = np.flatnonzero(codes == code)
            pixels = close.pixels.reshape(-1, 3)[at[:: max(1, at.size // config.own_px)]]
            far = [share_of(farthest(pixels, colors[number]), config.own) for number in bits]
            owner_of[code] = bits[int(np.argmin(far))]
    return owner_of[codes]


def share_of(values: NDArray[np.float32], share: float) -> float:
    """What a share of some values is no larger than."""
    at = int(share * (len(values) - 1))
    return float(np.partition(values, at)[at])


def middle_of(values: NDArray[np.float32]) -> Floats:
    """The middle value of each column of (N, K); of an even number the larger of both."""
    at = len(values) // 2
    return np.asarray(np.partition(values, at, axis=0)[at], np.float64)
