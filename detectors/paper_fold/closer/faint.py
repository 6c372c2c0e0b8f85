"""What no average of colours shows: texture of another strength than the paper's, and rings that are hardly there."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import distance_to, lengths
from detectors.paper_fold.closer.config import GhostConfig, PaperTextureConfig
from detectors.paper_fold.holes import Blot, BlotKind


def texture_of(picture: NDArray[np.uint8], config: PaperTextureConfig) -> NDArray[np.uint8]:
    """(H, W, 2), how much each pixel's grey differs from those around it, and 255 where it is a speck.

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
    return np.asarray(cv2.merge([capped, specks]), np.uint8)


def find_rough(
    texture: NDArray[np.uint8], paper: NDArray[np.bool_], radius: float, block_px: float, config: PaperTextureConfig
) -> tuple[Blot, ...]:
    """Places whose texture is stronger than the paper's usually is.

    Parameters
    ----------
    texture : ndarray of shape (h, w, 2), uint8
        In the sheet's working frame.
    paper : ndarray of shape (h, w), bool
        Where nothing but paper should be.
    radius : float
        Of a hole, in the same pixels.
    block_px : float
        How far compression leaves texture beside what is drawn, in the same.
    config : PaperTextureConfig
    """
    strength, specks = texture[..., 0], (texture[..., 1] > 0) & paper
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
    usual = float(np.median(mean[told]))
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
    for times in config.radii:
        kernel = _ring(times * radius, config)
        seen = lengths(np.asarray(cv2.filter2D(values, -1, kernel, borderType=cv2.BORDER_CONSTANT), np.float32))
        told = seen[usable]
        if not told.size:
            continue
        usual, most = (float(np.quantile(told, part)) for part in (0.5, config.quantile))  # not a threshold: the middle
        found |= usable & (seen > max(config.visible, config.times * usual, config.tail * most))
    return _blots(found)


def _ring(radius: float, config: GhostConfig) -> NDArray[np.float32]:
    """A ring less one around it, each of the sum 1."""
    reach = int(np.ceil(radius + config.apart_px + 2 * config.thick_px))  # not a threshold: nearly all of a Gaussian
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    away = np.hypot(x, y)
    inner, outer = (np.exp(-(((away - one) / config.thick_px) ** 2) / 2) for one in (radius, radius + config.apart_px))
    return np.asarray(inner / inner.sum() - outer / outer.sum(), np.float32)


def _blots(found: NDArray[np.bool_]) -> tuple[Blot, ...]:
    """What of a mask hangs together, as marks."""
    # not a threshold: neighbours hang together at corners, too
    count, _, stats, _ = cv2.connectedComponentsWithStats(found.astype(np.uint8), connectivity=8)
    boxes = stats[1:count].tolist()
    return tuple(Blot(BlotKind.MARK, tuple(map(float, box[:4])), float(box[4])) for box in boxes)  # type: ignore[arg-type]
