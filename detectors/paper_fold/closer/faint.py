"""What no average of colours shows: texture of another strength than the paper's, and rings that are hardly there."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import median, quantile
from detectors.common.residual.mixing import distance_to, lengths
from detectors.paper_fold.closer.config import GhostConfig, PaperTextureConfig
from detectors.paper_fold.holes import Blot, BlotKind

_MOST_PLACES = 400  # not a threshold: at more of them it is quicker to look everywhere


def texture_of(picture: NDArray[np.uint8], config: PaperTextureConfig) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """How much each pixel's grey differs from those around it, and 255 where it is a speck, both (H, W).

    Parameters
    ----------
    picture : ndarray of shape (H, W, 3), uint8 RGB
        At its own size: what alternates from pixel to pixel is gone in a smaller one.
    config : PaperTextureConfig
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    away = cv2.absdiff(grey, cv2.blur(grey, (3, 3)))  # not a threshold: a pixel's neighbours
    _, capped = cv2.threshold(away, config.most, 0, cv2.THRESH_TRUNC)
    _, specks = cv2.threshold(away, config.most, 255, cv2.THRESH_BINARY)  # not a threshold: all of a byte
    return np.asarray(capped, np.uint8), np.asarray(specks, np.uint8)


def find_rough(
    texture: tuple[NDArray[np.uint8], NDArray[np.uint8]],
    paper: NDArray[np.bool_],
    radius: float,
    block_px: float,
    config: PaperTextureConfig,
) -> tuple[Blot, ...]:
    """Places whose texture is stronger than the paper's usually is.

    Parameters
    ----------
    texture : pair of ndarray of shape (h, w), uint8
        As `texture_of` has it, in the sheet's working frame.
    paper : ndarray of shape (h, w), bool
        Where nothing but paper should be.
    radius : float
        Of a hole, in the same pixels.
    block_px : float
        How far compression leaves texture beside what is drawn, in the same.
    config : PaperTextureConfig
    """
    strength, specks = texture[0], (texture[1] > 0) & paper
    if not ((strength > 0) & paper).any():
        return ()  # in a picture that was made by a program, and not by a model, there is none
    tile = max(1, round(config.speckled * radius))
    rows, columns = (np.arange(0, length, tile) for length in specks.shape)
    speckled, clear = (
        np.logical_or.reduceat(np.logical_or.reduceat(one, rows, axis=0), columns, axis=1) for one in (specks, paper)
    )
    if speckled.sum() > config.specks * max(1, int(clear.sum())):
        paper = paper & (distance_to(specks) > block_px)
    side = max(3, round(config.side * radius)) | 1  # not a threshold: an odd number of pixels
    plain = paper.astype(np.float32)
    weight = cv2.blur(plain, (side, side), borderType=cv2.BORDER_CONSTANT)
    summed = cv2.blur(strength * plain, (side, side), borderType=cv2.BORDER_CONSTANT)
    told = paper & (weight >= config.filled)
    if not told.any():
        return ()
    mean = summed / np.maximum(weight, config.filled)
    usual = median(mean[told])
    return _blots(told & (mean > config.times * usual + config.levels))


def find_ghosts(
    values: NDArray[np.float32], usable: NDArray[np.bool_], radius: float, config: GhostConfig
) -> tuple[Blot, ...]:
    """Rings of a hole's size that show once all of a ring is averaged.

    Parameters
    ----------
    values : ndarray of shape (h, w, 3), float32
        What is left of the sheet; 0 where it is not usable.
    usable : ndarray of shape (h, w), bool
    radius : float
        Of a hole, in pixels.
    config : GhostConfig
    """
    found = np.zeros(usable.shape, np.bool_)
    small = np.asarray(cv2.resize(values, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)
    for times in config.radii:
        # At half of the size a ring is seen in a tenth of the time, though less plainly.
        glance = _contrast(small, _ring(times * radius / 2, config.thick_px / 2, config.apart_px / 2))
        kernel = _ring(times * radius, config.thick_px, config.apart_px)
        if not _is_seen(values, kernel, glance > config.glance * config.visible, config.visible):
            continue
        seen = _contrast(values, kernel)
        told = seen[usable]
        if not told.size or float(told.max()) <= config.visible:
            continue
        usual, most = median(told), quantile(told, config.quantile)
        found |= usable & (seen > max(config.visible, config.times * usual, config.tail * most))
    return _blots(found)


def _contrast(values: NDArray[np.float32], kernel: NDArray[np.float32]) -> NDArray[np.float32]:
    return lengths(np.asarray(cv2.filter2D(values, -1, kernel, borderType=cv2.BORDER_CONSTANT), np.float32))


def _is_seen(values: NDArray[np.float32], kernel: NDArray[np.float32], may_be: NDArray[np.bool_], least: float) -> bool:
    """Whether a kernel has a greater contrast than this where it may, of which (h / 2, w / 2) bool says, or beside."""
    if not may_be.any():
        return False
    beside = cv2.dilate(may_be.view(np.uint8), np.ones((3, 3), np.uint8))
    near = cv2.resize(beside, (values.shape[1], values.shape[0]), interpolation=cv2.INTER_NEAREST)
    rows, columns = np.nonzero(near)
    if rows.size > _MOST_PLACES:
        return True  # which is to be told everywhere
    reach = len(kernel) // 2
    around = np.pad(values, ((reach, reach), (reach, reach), (0, 0)))
    parts = np.lib.stride_tricks.sliding_window_view(around, kernel.shape, axis=(0, 1))[rows, columns]
    summed = np.einsum("ncij,ij->nc", parts, kernel, optimize=False)
    return float((summed * summed).sum(axis=1).max()) > least**2


def _ring(radius: float, thick: float, apart: float) -> NDArray[np.float32]:
    """A ring less one around it, each of the sum 1; pixels have what falls onto them."""
    reach = int(np.ceil(radius + apart + 2 * thick))  # not a threshold: nearly all of a Gaussian
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    away = np.hypot(x, y)
    inner, outer = (np.exp(-(((away - one) / thick) ** 2) / 2) for one in (radius, radius + apart))
    return np.asarray(inner / inner.sum() - outer / outer.sum(), np.float32)


def _blots(found: NDArray[np.bool_]) -> tuple[Blot, ...]:
    """What of a mask hangs together, as marks."""
    if not found.any():
        return ()
    # not a threshold: neighbours hang together at corners, too
    count, _, stats, _ = cv2.connectedComponentsWithStats(found.view(np.uint8), connectivity=8)
    boxes = stats[1:count].tolist()
    return tuple(Blot(BlotKind.MARK, tuple(map(float, box[:4])), float(box[4])) for box in boxes)  # type: ignore[arg-type]
