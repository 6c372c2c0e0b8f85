"""What a candidate shows beside the puzzle: bars and captions, or further drawings."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from grader.media.pyramid import Pyramid


@dataclass(frozen=True)
class SurroundingsConfig:
    """What counts as a further drawing.

    Attributes
    ----------
    area : least share of the candidate that lies beside the puzzle, for it to hold a drawing
    edges : share of that at sharp edges, from which it is drawn on; captions and logos have less, and so have bars,
        blurred backgrounds and textures
    sharp : difference of grey levels, 0 to 255, between a pixel's neighbours that makes a sharp edge
    looked_at_px : the candidate is halved until its longest side is at most this...
    rim_px : ...and is looked at from half so many pixels from the puzzle on
    """

    area: float = 0.15
    edges: float = 0.06
    sharp: int = 56
    looked_at_px: int = 480
    rim_px: int = 9


def drawn_beside(candidate: Pyramid, outline: NDArray[np.float64], config: SurroundingsConfig) -> bool:
    """Whether a candidate shows drawings beside the puzzle, such as panels with other answers.

    Parameters
    ----------
    candidate : Pyramid
        Of a picture of shape (H, W, 3), uint8 RGB.
    outline : ndarray of shape (4, 2)
        The corners (x, y) of the puzzle's frame in the candidate, in order; pixel (0, 0) covers 0 to 1.
    config : SurroundingsConfig
    """
    height, width = candidate.picture.shape[:2]
    corners = np.clip(outline, 0, [width, height])
    (across_x, across_y), (down_x, down_y) = corners[2] - corners[0], corners[3] - corners[1]
    covered = 0.5 * abs(float(across_x * down_y - across_y * down_x))
    if 1.0 - covered / (width * height) < config.area:
        return False
    factor = 1
    while max(height, width) / factor > config.looked_at_px:
        factor *= 2
    grey = cv2.cvtColor(candidate.reduced(factor), cv2.COLOR_RGB2GRAY)
    around = np.ones(grey.shape, np.uint8)
    cv2.fillConvexPoly(around, np.rint(outline / factor).astype(np.int32), 0)
    # The puzzle's own edge is no drawing beside it.
    beside = cv2.erode(around, np.ones((config.rim_px, config.rim_px), np.uint8), borderValue=1) > 0
    edges = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > config.sharp
    count = int(np.count_nonzero(beside))
    return count > 0 and float(np.count_nonzero(edges & beside)) / count > config.edges
