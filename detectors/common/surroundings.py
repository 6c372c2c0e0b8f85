"""What a candidate shows beside the puzzle: bars, words, axes and frames, or further drawings.

Lines that hang together over a large area both ways are a drawing: walls of a maze, the grid of a board, a path. Words
are of small pieces; rules, ticks and edges of bars spread one way only; and a frame goes around the puzzle.
"""

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
    extent : least width and height of what hangs together in a drawing, as a share of the puzzle's shorter
    thick : width, as such a share, up to which something is a line, and not an area such as a bar or a sheet of paper
    own : a line may also be this many times as wide as those of the puzzle
    sharp : difference of grey levels, 0 to 255, between a line and what it is drawn on
    looked_at_px : the candidate is halved until its longest side is at most this...
    rim_px : ...and is looked at from half so many pixels from the puzzle on
    """

    extent: float = 0.2
    thick: float = 0.06
    own: float = 1.25
    sharp: int = 56
    looked_at_px: int = 720
    rim_px: int = 9


def drawn_beside(
    candidate: Pyramid, outline: NDArray[np.float64], config: SurroundingsConfig, line: float = 0.0
) -> bool:
    """Whether a candidate shows drawings beside the puzzle, such as panels with other answers.

    Parameters
    ----------
    candidate : Pyramid
        Of a picture of shape (H, W, 3), uint8 RGB.
    outline : ndarray of shape (4, 2)
        The corners (x, y) of the puzzle's frame in the candidate, in order; pixel (0, 0) covers 0 to 1.
    config : SurroundingsConfig
    line : float
        Width of the puzzle's own lines, as a share of its shorter side.
    """
    height, width = candidate.picture.shape[:2]
    side = float(np.linalg.norm(outline[1:3] - outline[:2], axis=1).min())
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    if max(left, top, width - right, height - bottom) < config.extent * side:
        return False
    factor = 1
    while max(height, width) / factor > config.looked_at_px:
        factor *= 2
    grey = cv2.cvtColor(candidate.reduced(factor), cv2.COLOR_RGB2GRAY)
    around = np.ones(grey.shape, np.uint8)
    cv2.fillConvexPoly(around, np.rint(outline / factor).astype(np.int32), 0)
    # The puzzle's own edge is no drawing beside it.
    beside = cv2.erode(around, np.ones((config.rim_px, config.rim_px), np.uint8), borderValue=1)
    wide = 2 * max(1, round(0.5 * max(config.thick, config.own * line) * side / factor)) + 1
    puzzle = np.rint(np.array([left, top, right, bottom]) / factor).astype(np.int64)
    middle = (puzzle[:2] + puzzle[2:]) // 2
    least = config.extent * side / factor
    # Dark lines on something light, or light ones on something dark.
    for kind in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        lines = (cv2.morphologyEx(grey, kind, np.ones((wide, wide), np.uint8)) > config.sharp) & (beside > 0)
        _, labels, boxes, _ = cv2.connectedComponentsWithStats(lines.astype(np.uint8))
        for label, (x, y, across, down, _) in enumerate(boxes.tolist()):
            if label == 0 or min(across, down) < least:
                continue
            box = (slice(y, y + down), slice(x, x + across))
            piece = labels[box] == label
            # What is left between letters hangs together too, but it is the ground that they stand on.
            ground = float(np.median(grey[box][beside[box] > 0]))
            if abs(float(grey[box][piece].mean()) - ground) <= config.sharp:
                continue
            if not (x <= middle[0] < x + across and y <= middle[1] < y + down):
                # Along the picture's own edge there are rims of all kinds.
                rest = grey.shape[1] - x - across, grey.shape[0] - y - down
                if min(x, y, *rest) >= wide or _spreads(piece, wide):
                    return True
                continue
            # What goes around the puzzle is a frame, if on none of its sides it is more than one.
            left, top, right, bottom = np.clip(puzzle - (x, y, x, y), 0, (across, down, across, down)).tolist()
            if any(_spreads(one, wide) for one in (piece[:, :left], piece[:top], piece[:, right:], piece[bottom:])):
                return True
    return False


def _spreads(piece: NDArray[np.bool_], rim: int) -> bool:
    """Whether a piece is more than lines along the sides of its own box."""
    rows, columns = (np.flatnonzero(piece.any(axis=axis)) for axis in (1, 0))
    if not rows.size:
        return False
    inside = piece[rows[0] + rim : rows[-1] + 1 - rim, columns[0] + rim : columns[-1] + 1 - rim]
    return bool(inside.any())
