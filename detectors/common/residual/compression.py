"""What compression of a file leaves around edges, told by compressing what a picture should look like."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.quantiles import quantile
from detectors.common.residual.mixing import lengths, seen, times

FEWEST = 200  # not a threshold: of fewer pixels no median is told


@dataclass(frozen=True)
class CompressionConfig:
    """How what compression leaves is told.

    Attributes
    ----------
    most_pixels : where the whole puzzle has more pixels at the candidate's size it is not looked at: it takes too long,
        as of a candidate that shows a small part of a large puzzle
    qualities : of JPEG, from the mildest to the harshest, that are tried
    block_px : as far from an edge as this, in candidate pixels, compression shows: a block with halved colours
    quantile : what is left around edges is told by this quantile of it
    least : compression that leaves less contrast than this around edges is not looked at
    alike : a quality is as harsh as the picture's where it leaves this share of what is left there...
    correlated : ...and it is compression if it lies where compression leaves it, by this correlation...
    spread, clean : ...or, for the rounding of a block's colour hangs on little, if the middle pixel around edges has
        this share of it, and the middle one elsewhere no more than the other
    half : where compression leaves this contrast nearby, half of what is left counts
    """

    most_pixels: float = 6e6
    qualities: tuple[int, ...] = (75, 50, 30, 15)
    block_px: float = 8.0
    quantile: float = 0.9
    least: float = 0.0025
    alike: float = 0.8
    correlated: float = 0.2
    spread: float = 0.2
    clean: float = 0.1
    half: float = 0.01


def without_compression(
    values: NDArray[np.float32],
    usable: NDArray[np.bool_],
    explained: NDArray[np.uint8],
    edges: NDArray[np.bool_],
    candidate_px: float,
    config: CompressionConfig,
) -> NDArray[np.float32] | None:
    """Trusts a residual less where compression leaves something of the picture that is known.

    What is known is compressed at the candidate's own size by JPEG, which WebP is like in this, at the quality that
    leaves as much around edges as is left there.

    Parameters
    ----------
    values : ndarray of shape (h, w, 3), float32
        The residual; 0 where it is not usable.
    usable : ndarray of shape (h, w), bool
    explained : ndarray of shape (h, w, 3), uint8 RGB
        What the picture should look like, edges as they are in it.
    edges : ndarray of shape (h, w), bool
        All that is not ground.
    candidate_px : float
        The candidate's pixels for each of these.
    config : CompressionConfig

    Returns
    -------
    ndarray of shape (h, w, 3), float32, or None
        What counts of it; None where it shows no compression.
    """
    height, width = usable.shape
    if height * width * candidate_px**2 > config.most_pixels:
        return None
    reach = max(1, round(config.block_px / candidate_px))
    near = cv2.dilate(edges.view(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) > 0
    told = np.flatnonzero(usable & near)
    contrast = lengths(values)
    if told.size < FEWEST:
        return None
    left = quantile(contrast.ravel()[told], config.quantile)
    if left < config.least:
        return None
    size = (max(16, round(width * candidate_px)), max(16, round(height * candidate_px)))  # not a threshold: a block
    small = cv2.resize(explained, size, interpolation=cv2.INTER_AREA if candidate_px < 1.0 else cv2.INTER_LINEAR)
    back_by = cv2.INTER_AREA if candidate_px > 1.0 else cv2.INTER_LINEAR
    plain = seen(np.asarray(cv2.resize(small, (width, height), interpolation=back_by), np.uint8))
    leaves, told_of = 0.0, contrast
    for quality in config.qualities:
        data = cv2.imencode(".jpg", small[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        decoded = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR_RGB), np.uint8)
        back = seen(np.asarray(cv2.resize(decoded, (width, height), interpolation=back_by), np.uint8))
        told_of = lengths(back - plain)
        leaves = quantile(told_of.ravel()[told], config.quantile)
        if leaves >= config.alike * left:
            break
    else:
        return None  # it is something else
    spread = reach | 1
    shown, known = (cv2.blur(one, (spread, spread)).ravel()[told] for one in (contrast, told_of))
    if not known.std() or not shown.std() or np.corrcoef(shown, known)[0, 1] < config.correlated:
        far = contrast[usable & ~near]
        if quantile(contrast.ravel()[told], 0.5) < config.spread * left or (  # not a threshold: the middle one
            far.size and quantile(far, 0.5) > config.clean * left
        ):
            return None  # it lies elsewhere
        told_of = np.where(near, np.float32(leaves), np.float32(0.0))
    # The mildest may leave more than is left here.
    told_of *= np.float32(min(1.0, left / leaves))
    most = cv2.blur(cv2.dilate(told_of, np.ones((spread, spread), np.uint8)), (spread, spread))
    return times(values, np.asarray(1.0 / (1.0 + most / np.float32(config.half)), np.float32))
