"""What is drawn onto a right board, or sticks out of it a little: thin strokes, faces, spikes."""

from __future__ import annotations

import cv2
import numpy as np
import shapely
from shapely.ops import polylabel

from benchmarks.form_board.boards import DrawnOn
from benchmarks.form_board.faults import Dice, Fault
from puzzles.common.raster import Color, Picture

_BITS = 4  # of a fraction of a pixel, for OpenCV


def cut_across(board: DrawnOn, dice: Dice) -> Picture | None:
    """A line as those between pieces, across the largest piece."""
    return _line_across(board, dice, board.style.edge or board.style.outline, max(2, round(board.style.edge_width)))


def pale_cut(board: DrawnOn, dice: Dice) -> Picture | None:
    """A seam of paper across the largest piece."""
    return _line_across(board, dice, board.style.ground, 3)


def red_line(board: DrawnOn, dice: Dice) -> Picture | None:
    """A red line over the board, and beyond it."""
    picture = board.draw(board.solved())
    middle = np.array(shapely.Polygon(board.laid.board.silhouette).representative_point().coords[0])
    angle = dice.uniform(0, np.pi)
    by = 7 * board.unit * np.array([np.cos(angle), np.sin(angle)])
    return _lines(picture, [middle - by, middle + by], (220, 20, 20), 3)


def face(board: DrawnOn, _dice: Dice) -> Picture | None:
    """A small face where the largest piece is widest."""
    picture, piece = board.draw(board.solved()), _largest(board)
    x, y = polylabel(piece, 1.0).coords[0]
    size = 0.2 * board.unit
    for side in (-1.2, 1.2):
        centre = (round((x + side * size) * 2**_BITS), round(y * 2**_BITS))
        cv2.circle(picture, centre, round(0.6 * size * 2**_BITS), (20, 20, 20), cv2.FILLED, cv2.LINE_AA, _BITS)
    mouth = [(x - 1.5 * size, y + 2 * size), (x, y + 2.8 * size), (x + 1.5 * size, y + 2 * size)]
    return _lines(picture, [np.array(one) for one in mouth], (20, 20, 20), 3)


def spike(board: DrawnOn, dice: Dice) -> Picture | None:
    """A spike of 0.8 units on the rim, in the colour of the piece there."""
    outline = np.array(board.laid.board.silhouette)
    at = int(dice.integers(len(outline)))
    start, end = outline[at], outline[(at + 1) % len(outline)]
    along = (end - start) / np.hypot(*(end - start))
    out = np.array([along[1], -along[0]])
    middle = (start + end) / 2
    if shapely.Polygon(outline).contains(shapely.Point(middle + 3 * out)):
        out = -out
    size = 0.6 * board.unit
    drawing = board.solved()
    label = min(drawing.areas, key=lambda one: shapely.Polygon(drawing.areas[one]).distance(shapely.Point(middle)))
    picture = board.canvas.draw({}, drawing.gone)
    corners = [tuple(one) for one in (middle - along * size, middle + 1.3 * out * size, middle + along * size)]
    board.canvas.lay(picture, corners, drawing.colors[label])
    for piece, area in drawing.areas.items():
        board.canvas.lay(picture, area, drawing.colors[piece])
    return picture


def _largest(board: DrawnOn) -> shapely.Polygon:
    return max((board.placed(label) for label in board.puzzle.order), key=lambda one: one.area)


def _line_across(board: DrawnOn, dice: Dice, color: Color, width: int) -> Picture | None:
    piece = _largest(board)
    middle = np.array(piece.representative_point().coords[0])
    angle = dice.uniform(0, np.pi)
    by = 20 * board.unit * np.array([np.cos(angle), np.sin(angle)])
    cut = piece.intersection(shapely.LineString([middle - by, middle + by]))
    longest = max(getattr(cut, "geoms", [cut]), key=lambda one: one.length)
    return _lines(board.draw(board.solved()), [np.array(one) for one in longest.coords], color, width)


def _lines(picture: Picture, points: list[np.ndarray], color: Color, width: int) -> Picture:
    fixed = np.rint(np.array(points) * 2**_BITS).astype(np.int32)
    cv2.polylines(picture, [fixed], False, color, width, cv2.LINE_AA, _BITS)
    return picture


STROKES: dict[str, Fault] = {one.__name__: one for one in (cut_across, pale_cut, red_line, face, spike)}
