"""What was seen in a frame of a sliding puzzle: the tiles' numbers, the blank, and what is wrong at that time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detectors.sliding.board import TileBox
from detectors.sliding.findings import TileFindings, TileFrame
from grader.drawing.canvas import BLUE, GREY, INK, VERMILION, Canvas, line, tag
from grader.media.frames import Frame
from grader.tasks.sliding.clips.moves import TimedMove
from puzzles.sliding.shape import BLANK


def draw_tiles(frame: Frame, found: TileFindings, moves: tuple[TimedMove, ...]) -> Canvas:
    """The frame with what was seen in it.

    Parameters
    ----------
    frame : Frame
    found : TileFindings
        Of the clip that the frame is of.
    moves : tuple of TimedMove
        A tile on its way is marked.
    """
    canvas = frame.pixels.copy()
    board = found.board
    if board is None or frame.index >= len(found.frames):
        return canvas
    seen = found.frames[frame.index]
    size = max(11, round(board.height / found.size / 6.0))
    width = max(1.5, size / 8.0)
    line(canvas, _corners(board), BLUE if seen.explained else VERMILION, width, closed=True, casing=1.0)
    busy = {move.tile for move in moves if move.first_frame < frame.index <= move.last_frame}
    for tile, row, column in _places(seen, found.size):
        center = np.array(
            [
                board.left + (column + 0.5) * board.width / found.size,
                board.top + (row + 0.5) * board.height / found.size,
            ]
        )
        color = GREY if tile == BLANK else BLUE if tile in busy else INK
        tag(canvas, center, "blank" if tile == BLANK else str(tile), color, size)
    for event in found.events:
        if event.first_frame <= frame.index <= event.last_frame:
            line(canvas, _corners(event.box), VERMILION, 1.5 * width, closed=True, casing=1.0)
            place = np.array([event.box.left + event.box.width / 2.0, event.box.top + size])
            tag(canvas, place, event.kind.name, VERMILION, size)
    return canvas


def _places(seen: TileFrame, size: int) -> list[tuple[int, float, float]]:
    moving = {one.tile: (one.row, one.column) for one in seen.moving}
    places = []
    for cell, tile in enumerate(seen.state):
        row, column = moving.get(tile, (float(cell // size), float(cell % size)))
        places.append((tile, row, column))
    return places


def _corners(box: TileBox) -> NDArray[np.float64]:
    right, bottom = box.left + box.width, box.top + box.height
    return np.array([[box.left, box.top], [right, box.top], [right, bottom], [box.left, bottom]], np.float64)
