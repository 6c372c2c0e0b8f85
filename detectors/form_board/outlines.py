"""Looks for the silhouette in a picture that shows it without the rest of the puzzle, or elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import lengths, seen
from detectors.form_board.scene import BoardScene, Box
from detectors.form_board.shapes import Mask, filled


@dataclass(frozen=True)
class PieceOutlineConfig:
    """How a silhouette is looked for by its shape alone.

    Attributes
    ----------
    side_px : pictures are halved until their longer side is at most this
    rim_px : the paper's colour is that of so wide a rim of the picture
    contrast : what differs by this contrast from the paper is drawn
    closed_px : what is so near to each other hangs together
    least : share of the picture's area that it has at least
    most_things : so many things are looked at, the largest first
    most_stretch : ratio of its scales across and down at most
    iou : what it has in common with the silhouette, over what either has
    tried : so many of those that have most in common are tried
    """

    side_px: int = 640
    rim_px: int = 4
    contrast: float = 0.1
    closed_px: int = 3
    least: float = 0.01
    most_things: int = 8
    most_stretch: float = 1.15
    iou: float = 0.93
    tried: int = 3


def _things(drawn: Mask, config: PieceOutlineConfig) -> list[NDArray[np.int32]]:
    """The outlines of the largest things that are drawn."""
    kernel = np.ones((config.closed_px,) * 2, np.uint8)
    closed = cv2.morphologyEx(drawn.astype(np.uint8), cv2.MORPH_CLOSE, kernel)
    # Not only the outermost: what lies around the puzzle may enclose it.
    contours, _ = cv2.findContours(closed, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    large = [np.asarray(one, np.int32) for one in contours if cv2.contourArea(one) >= config.least * drawn.size]
    return sorted(large, key=cv2.contourArea, reverse=True)[: config.most_things]


def find_silhouettes(picture: NDArray[np.uint8], scene: BoardScene, config: PieceOutlineConfig) -> tuple[Box, ...]:
    """Boxes (left, top, right, bottom) in the picture's pixels of what has the silhouette's shape, the likeliest first.

    A frame around the puzzle, or another piece, may have it too.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
    scene : BoardScene
    config : PieceOutlineConfig
    """
    factor = 1
    while max(picture.shape[:2]) / factor > config.side_px:
        factor *= 2
    size = (max(1, picture.shape[1] // factor), max(1, picture.shape[0] // factor))
    lab = seen(np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8))
    rim = config.rim_px
    edges = (lab[:rim], lab[-rim:], lab[:, :rim], lab[:, -rim:])
    beside = np.concatenate([edge.reshape(-1, 3) for edge in edges])
    # Where something lies around the puzzle, its own paper is what there is most of.
    papers = [np.median(one, axis=0).astype(np.float32) for one in (beside, lab.reshape(-1, 3))]
    contours = [one for paper in papers for one in _things(lengths(lab - paper) > config.contrast, config)]
    # What takes all of the picture is the paper, unless there is nothing else: it was cut out along its rim.
    found: dict[Box, tuple[bool, float]] = {}
    low, high = scene.silhouette.min(axis=0), scene.silhouette.max(axis=0)
    for contour in contours:
        left, top, wide, high_ = cv2.boundingRect(contour)
        scales = np.array([wide, high_]) / (high - low)
        if max(scales) / min(scales) > config.most_stretch:
            continue
        shape = np.zeros((high_, wide), np.uint8)
        cv2.drawContours(shape, [contour], -1, 1, -1, offset=(-left, -top))
        goal = filled((scene.silhouette - low) * scales, (wide, high_))
        iou = float((goal & (shape > 0)).sum()) / float((goal | (shape > 0)).sum())
        if iou >= config.iou:
            across, down = picture.shape[1] / size[0], picture.shape[0] / size[1]
            # not a threshold: a pixel
            whole = min(left, top) <= 1 and left + wide >= size[0] - 1 and top + high_ >= size[1] - 1
            found[(left * across, top * down, (left + wide) * across, (top + high_) * down)] = (whole, -iou)
    return tuple(sorted(found, key=lambda one: (found[one], one))[: config.tried])
