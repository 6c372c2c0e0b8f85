"""A picture at its working size: its ground, what is paint, and how strongly it changes in which direction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median
from detectors.common.residual.mixing import channel_medians
from detectors.hinge_folding.config import ChainViewConfig
from grader.media.pyramid import Pyramid

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]
Field = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ChainView:
    """A picture at its working size.

    Attributes
    ----------
    pixels : (H, W, 3) float32, evenly lit where that could be told
    change : (H, W, 2) float32, how a channel changes to the right and down, of the channel that changes most
    paint : (H, W) float32, distance from the ground, 0 to 255
    ground : colour of the ground
    noise : standard deviation of noise, 0 to 255
    unit_px : pixels of a unit
    scale : working pixels over the picture's, across and down
    """

    pixels: Field
    change: Field
    paint: Field
    ground: Floats
    noise: float
    unit_px: float
    scale: tuple[float, float]

    @cached_property
    def changes(self) -> tuple[Field, Field]:
        """How it changes to the right, and down, each (H * W,)."""
        across, down = (np.asarray(cv2.extractChannel(self.change, axis), np.float32).ravel() for axis in (0, 1))
        return across, down


def make_view(
    picture: Pyramid,
    unit: tuple[float, float],
    box: tuple[float, float, float, float] | None,
    config: ChainViewConfig,
) -> ChainView:
    """Brings a picture to its working size.

    Parameters
    ----------
    picture : Pyramid
        Of (H, W, 3) uint8 RGB.
    unit : (float, float)
        Pixels of a unit across and down.
    box : (left, top, right, bottom) or None
        Where the ground is taken from, in pixels of the picture; None for all of it.
    config : ChainViewConfig
    """
    height, width = picture.picture.shape[:2]
    least = max(config.unit_px, 1.0)
    pixels, halved = picture.picture, 1
    while (
        max(unit) / halved > least
        or pixels.shape[0] * pixels.shape[1] > config.most_px
        or (pixels.shape[0] * pixels.shape[1] > config.large_px and max(unit) / halved > config.large_unit_px)
    ):
        halved *= 2
        pixels = picture.reduced(halved)
    # Both sides alike: a stretched picture is brought to the smaller scale.
    unit_px = min(unit) / halved
    size = max(1, round(width * unit_px / unit[0])), max(1, round(height * unit_px / unit[1]))
    if abs(size[0] - pixels.shape[1]) > 1 or abs(size[1] - pixels.shape[0]) > 1:
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        scale = (size[0] / width, size[1] / height)
    else:
        scale = (1 / halved, 1 / halved)
    smooth = cv2.GaussianBlur(pixels, (0, 0), config.smooth_px).astype(np.float32)
    where = None
    if box is not None:
        where = (box[0] * scale[0], box[1] * scale[1], box[2] * scale[0], box[3] * scale[1])
    flat, ground, noise = evened(smooth, where, config)
    return ChainView(flat, changes(flat), farthest(flat, ground), ground, noise, unit_px, scale)


def farthest(pixels: Field, color: Floats | Field) -> Field:
    """How far pixels, (..., 3), are from a colour or from others, in the channel that differs most."""
    if (
        color.shape == (3,) and pixels.ndim in (2, 3) and pixels.size and pixels.dtype == np.float32
    ):  # not a threshold: RGB
        # OpenCV's scalars have four channels.
        rows = np.ascontiguousarray(pixels).reshape(-1, pixels.shape[-2], 3)
        off = np.asarray(cv2.absdiff(rows, np.append(color, 0.0))).reshape(pixels.shape)
    else:
        off = np.abs(pixels - np.asarray(color, np.float32))
    # `cv2.split` takes three times as long, to make the channels anew.
    return np.asarray(np.maximum(np.maximum(off[..., 0], off[..., 1]), off[..., 2]), np.float32)


def changes(pixels: Field) -> Field:
    """How a channel changes a pixel, to the right and down, of the channel that changes most."""
    kernel_sum = 8  # not a threshold: of OpenCV's kernel
    across = cv2.Sobel(pixels, cv2.CV_32F, 1, 0, scale=1 / kernel_sum)
    down = cv2.Sobel(pixels, cv2.CV_32F, 0, 1, scale=1 / kernel_sum)
    planes = [[cv2.extractChannel(one, channel) for channel in range(3)] for one in (across, down)]
    first, second, third = (x * x + y * y for x, y in zip(*planes, strict=True))
    second_best, third_best = second > first, third > np.maximum(first, second)
    chosen = []
    for plane in planes:
        change = np.asarray(plane[0], np.float32)
        np.copyto(change, plane[1], where=second_best)
        np.copyto(change, plane[2], where=third_best)
        chosen.append(change)
    return np.asarray(cv2.merge(chosen), np.float32)


def frequent_color(pixels: Field, count: int) -> Floats:
    """The most frequent colour of some pixels, (N, 3), of so many bins of each channel."""
    step = (255 + 1) / count
    bins = np.clip(pixels / step, 0, count - 1).astype(np.int64)
    flat = (bins[:, 0] * count + bins[:, 1]) * count + bins[:, 2]
    at = np.flatnonzero(flat == np.bincount(flat).argmax())
    return channel_medians(pixels.take(at, axis=0)).astype(np.float64)


def evened(
    pixels: Field, box: tuple[float, float, float, float] | None, config: ChainViewConfig
) -> tuple[Field, Floats, float]:
    """A picture with its light evened where its ground is bright; the colour of the ground; the noise on it."""
    height, width = pixels.shape[:2]
    left, top, right, bottom = (0, 0, width, height) if box is None else _within(box, width, height)
    step = max(1, min(right - left, bottom - top) // config.ground_samples)
    colors = np.ascontiguousarray(pixels[top:bottom:step, left:right:step]).reshape(-1, 3)
    ground = frequent_color(colors, config.ground_bins)
    near = farthest(colors, ground) < config.ground_near
    at = np.flatnonzero(near)
    shown = colors.take(at, axis=0)
    if float(ground.min()) <= config.ground_flat or (shown == ground.astype(np.float32)).all():
        return pixels, ground, config.noise_scale * median(np.abs(shown - ground)) if at.size else 0.0
    terms = _terms(((left, right, step), (top, bottom, step)), (width, height))
    for _ in range(config.ground_rounds):
        known = terms.take(at, axis=0)
        # not a threshold: of few places not everything is told
        system = known.T @ known + 1e-9 * np.eye(terms.shape[1])
        factors = np.linalg.solve(system, known.T @ shown.astype(np.float64))
        fitted = terms @ factors
        closer = farthest(colors, fitted.astype(np.float32)) < config.ground_near
        if (closer == near).all() or closer.sum() < terms.shape[1]:
            break
        near, at = closer, np.flatnonzero(closer)
        shown = colors.take(at, axis=0)
    noise = config.noise_scale * median(np.abs(shown - fitted.take(at, axis=0))) if at.size else 0.0
    # Of the whole picture, from a coarse field.
    small = (max(2, width // 8), max(2, height // 8))  # not a threshold: light changes slowly
    # not a threshold: the middle of a pixel
    field = _terms(((0.5, small[0], 1), (0.5, small[1], 1)), small) @ factors
    level = field.mean(axis=1) / ground.mean()
    if float(np.abs(level - 1).max()) <= config.light_even:
        return pixels, ground, noise
    shade = cv2.resize(level.reshape(small[1], small[0]).astype(np.float32), (width, height))
    light = np.minimum(np.maximum(shade, np.float32(config.light_least)), np.float32(2))
    return np.asarray(pixels / cv2.merge([light] * 3), np.float32), ground, noise


_Steps = tuple[float, int, int]


@lru_cache(maxsize=16)  # not a threshold: how much is kept
def _terms(steps: tuple[_Steps, _Steps], size: tuple[int, int]) -> Floats:
    """Of what light is made at places from one on to another in steps, across and down, in a picture of such a size."""
    (left, right, across), (top, bottom, down) = steps
    x, y = np.arange(left, right, across) / size[0] - 0.5, np.arange(top, bottom, down) / size[1] - 0.5
    x, y = (one.ravel() for one in np.meshgrid(x, y))
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    terms.setflags(write=False)
    return terms


def _within(box: tuple[float, float, float, float], width: int, height: int) -> tuple[int, int, int, int]:
    """A box cut to a picture; the whole picture where nothing of it would be left."""
    left, top = max(0, round(box[0])), max(0, round(box[1]))
    right, bottom = min(width, round(box[2])), min(height, round(box[3]))
    if right - left < 2 or bottom - top < 2:
        return 0, 0, width, height
    return left, top, right, bottom
