"""Where a puzzle's board lies in a frame, and in which colours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.sliding.board import TileBox, board_step, camera_step, correlation, likely_boxes, rectify, stepped
from detectors.sliding.model import NO_CHANGE, ColorMap, TileModel, color_change, recolored


def find_board(
    pixels: NDArray[np.uint8], picture: NDArray[np.uint8], model: TileModel
) -> tuple[TileBox, float, ColorMap]:
    """Finds a puzzle's board in a frame.

    Returns
    -------
    where it is, the normalised correlation with the puzzle's picture (-1 if nothing is like it), and its colours
    """
    goal = model.drawn(model.start)
    best = (TileBox(0, 0, pixels.shape[1], pixels.shape[0]), -1.0, NO_CHANGE)
    shape = picture.shape[1] / picture.shape[0]
    for box in likely_boxes(pixels, picture, model.config.search):
        placed, colors = refined(pixels, box, goal, model, model.config.search.refinements, True)
        stretch = placed.width / placed.height / shape
        if max(stretch, 1 / stretch) > model.config.search.stretch_change:
            continue
        board = rectify(pixels, placed, model.side, model.config.board)
        match = correlation(board, goal)
        if match > best[1]:
            best = (placed, match, colors)
    return best


def refined(
    pixels: NDArray[np.uint8], box: TileBox, goal: NDArray[np.float32], model: TileModel, steps: int, free: bool
) -> tuple[TileBox, ColorMap]:
    """Refines a board's place by what it should look like; also returns its change of colour.

    Parameters
    ----------
    goal : (S, S, 3) float32, what it should look like
    free : whether width and height may change apart
    """
    colors = NO_CHANGE
    everything, rules = np.ones(goal.shape[:2]), model.config.registration
    for _ in range(steps):
        board = rectify(pixels, box, model.side, model.config.board)
        change = color_change(board, goal, everything, model.config.colors)
        colors = NO_CHANGE if change is None else change
        shown = recolored(board, colors)
        step = board_step(goal, shown, rules) if free else camera_step(goal, shown, None, rules)
        box = stepped(box, step, rules)
    return box, colors
