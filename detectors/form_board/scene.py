"""What of a form board is known before an answer is looked at: outlines, and where there is paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import lengths, seen
from detectors.form_board.config import FormBoardConfig

Outline = NDArray[np.float64]
"""Corners in order, (k, 2), x and y in pixels; pixel (0, 0) covers 0 to 1."""
Mask = NDArray[np.bool_]
MASK_PX = 5  # not a threshold: the side of OpenCV's larger mask for distances
SIDES = 4  # not a threshold: pixels that share a side hang together
CORNERS = 8  # not a threshold: so do those that share a corner
_FINE_BITS = 4  # not a threshold: OpenCV's fixed point


@dataclass(frozen=True, eq=False)
class BoardScene:
    """A board as it is looked for. Outlines are in pixels of the puzzle's picture.

    Attributes
    ----------
    size : width and height of the puzzle's picture
    silhouette : its outline
    pieces : outlines by label, where the pieces are given
    side : the silhouette's longer side
    factor : pixels of the puzzle's picture for one that is looked at, a power of two
    given : what is drawn in the puzzle's picture elsewhere than in the silhouette, with some room, at the full size
    near : ``given``, reduced by the factor
    elsewhere : neither that nor the silhouette with its surroundings, at the size at which that is looked for
    small : the puzzle's picture at the size at which what lies elsewhere is looked for, in the colours of `seen`
    paper : the paper's colour
    """

    size: tuple[int, int]
    silhouette: Outline
    pieces: Mapping[str, Outline]
    side: float
    factor: int
    given: Mask
    near: Mask
    elsewhere: Mask
    small: NDArray[np.float32]
    paper: NDArray[np.float32]

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the silhouette."""
        (left, top), (right, bottom) = (self.silhouette.min(axis=0), self.silhouette.max(axis=0))
        return float(left), float(top), float(right), float(bottom)

    @property
    def around(self) -> Mask:
        """What candidates are not aligned by: where pieces are given, and the inside of the silhouette."""
        mask = self.given.copy()
        inner = filled(self.silhouette, self.size)
        reach = max(1, round(_OUTLINE * self.side))
        return mask | cv2.erode(inner.astype(np.uint8), np.ones((2 * reach + 1,) * 2, np.uint8)).astype(np.bool_)


_OUTLINE = 0.03  # not a threshold: so much of the silhouette's inside is its outline, with which answers are aligned


def make_scene(
    picture: NDArray[np.uint8],
    silhouette: Sequence[tuple[float, float]],
    pieces: Mapping[str, Sequence[tuple[float, float]]],
    config: FormBoardConfig,
) -> BoardScene:
    """Prepares a board.

    Parameters
    ----------
    picture : (H, W, 3) uint8 RGB
        As the model was given it.
    silhouette : sequence of (x, y)
    pieces : mapping of label to sequence of (x, y)
    config : FormBoardConfig
    """
    height, width = picture.shape[:2]
    outline = np.array(silhouette, np.float64)
    outlines = {label: np.array(corners, np.float64) for label, corners in pieces.items()}
    side = float(np.ptp(outline, axis=0).max())
    factor = 1
    while side / (2 * factor) >= config.segments.side_px:
        factor *= 2
    within = filled(outline, (width, height))
    zone = _wider(within, config.segments.zone * side)
    lab = seen(picture)
    paper = np.median(lab.reshape(-1, 3)[:: max(1, lab[..., 0].size // config.beside.paper.samples)], axis=0)
    paper = paper.astype(np.float32)
    drawn = lengths(lab - paper) > config.beside.contrast
    given = _wider(drawn & ~zone, config.beside.room * side)
    ratio = min(1.0, config.beside.side_px / max(width, height))
    size = (max(1, round(width * ratio)), max(1, round(height * ratio)))
    small = seen(np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8))
    view = (-(-width // factor), -(-height // factor))
    near = cv2.resize(given.astype(np.uint8), view, interpolation=cv2.INTER_NEAREST) > 0
    elsewhere = cv2.resize((given | zone).astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) == 0
    return BoardScene((width, height), outline, outlines, side, factor, given, near, elsewhere, small, paper)


def _wider(mask: Mask, by: float) -> Mask:
    reach = max(1, round(by))
    return cv2.dilate(mask.astype(np.uint8), np.ones((2 * reach + 1,) * 2, np.uint8)).astype(np.bool_)


def filled(outline: Outline, size: tuple[int, int]) -> Mask:
    """The pixels within an outline, (H, W) bool."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    # OpenCV counts from the middle of a pixel.
    corners = np.rint((outline - 0.5) * (1 << _FINE_BITS)).astype(np.int32)
    cv2.fillPoly(mask, [corners.reshape(-1, 1, 2)], 1, cv2.LINE_8, _FINE_BITS)
    return mask.astype(np.bool_)
