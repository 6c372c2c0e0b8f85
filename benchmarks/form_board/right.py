"""Ways to draw a right board, which all have to pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import shapely

from benchmarks.companions import BENEATH, UPON
from benchmarks.form_board.boards import DrawnOn, points_of
from puzzles.common.lettering import draw_text
from puzzles.common.raster import Picture
from puzzles.form_board.render import cover_shape

Dice = np.random.Generator
Way = Callable[[DrawnOn, Dice], Picture]


def moved_in(board: DrawnOn, _dice: Dice) -> Picture:
    """Pieces are moved, and gone from where they were given."""
    return board.draw(board.solved())


def copied(board: DrawnOn, _dice: Dice) -> Picture:
    """They are still there as well."""
    drawing = board.solved()
    drawing.gone = set()
    return board.draw(drawing)


def cleared(board: DrawnOn, _dice: Dice) -> Picture:
    """All others are gone, too."""
    drawing = board.solved()
    drawing.gone = {piece.label for piece in board.laid.board.pieces}
    return board.draw(drawing)


def recoloured(board: DrawnOn, dice: Dice) -> Picture:
    """In other colours, which can be told from the paper and from each other."""
    drawing = board.solved()
    start = dice.uniform(0, 180)
    count = len(drawing.areas)
    for at, label in enumerate(drawing.areas):
        turn = int(start + 180 * at / count) % 180
        hsv = np.array([[[turn, dice.integers(120, 255), dice.integers(110, 230)]]], np.uint8)
        red, green, blue = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0]
        drawing.colors[label] = (int(red), int(green), int(blue))
    return board.draw(drawing)


def outlined(board: DrawnOn, _dice: Dice) -> Picture:
    """With the silhouette's own line around every piece."""
    style = replace(board.style, edge=board.style.outline, edge_width=board.style.outline_width)
    return replace(board, style=style).draw(board.solved())


def with_seams(board: DrawnOn, dice: Dice) -> Picture:
    """With a seam of paper of up to 0.16 units between pieces."""
    drawing = board.solved()
    by = dice.uniform(0.03, 0.08) * board.unit
    for label in drawing.areas:
        drawing.areas[label] = points_of(shapely.Polygon(drawing.areas[label]).buffer(-by, join_style="mitre"))
    return board.draw(drawing)


def lettered(board: DrawnOn, _dice: Dice) -> Picture:
    """With the label of each piece on it."""
    drawing = board.solved()
    picture = board.draw(drawing)
    for label, corners in drawing.areas.items():
        x, y = shapely.Polygon(corners).representative_point().coords[0]
        draw_text(picture, label, (x, y), 0.55 * board.unit, board.style.letter, board.style.font)
    return picture


def a_little_off(board: DrawnOn, dice: Dice) -> Picture:
    """Each piece up to 0.06 units off its place."""
    drawing = board.solved()
    for label, corners in drawing.areas.items():
        dx, dy = dice.uniform(-0.06, 0.06, 2) * board.unit
        drawing.areas[label] = [(x + dx, y + dy) for x, y in corners]
    return board.draw(drawing)


def casting(board: DrawnOn, dice: Dice) -> Picture:
    """With a soft shadow beneath the finished board."""
    return _with_companions(board, dice, list(BENEATH)[int(dice.integers(len(BENEATH)))], "")


def lit(board: DrawnOn, dice: Dice) -> Picture:
    """With light and shade on each piece."""
    upon = ("gradient", "bevel", "inner_shadow", "inner_glow")
    return _with_companions(board, dice, "", upon[int(dice.integers(len(upon)))])


def _with_companions(board: DrawnOn, dice: Dice, beneath: str, upon: str) -> Picture:
    drawing = board.solved()
    picture = board.canvas.draw({}, drawing.gone)
    covers = {label: cover_shape(picture.shape[:2], corners) for label, corners in drawing.areas.items()}
    if beneath:
        whole = np.minimum(np.sum(list(covers.values()), axis=0), 1).astype(np.float32)
        picture = BENEATH[beneath](picture, whole, 2.4 * board.unit, dice)
    start = int(dice.integers(1 << 30))
    for label, corners in drawing.areas.items():
        board.canvas.lay(picture, corners, drawing.colors[label])
        if upon:
            # The same light on all of them.
            picture = UPON[upon](picture, [covers[label]], 1.2 * board.unit, np.random.default_rng(start))
    return picture


RIGHT: dict[str, Way] = {
    one.__name__: one
    for one in (moved_in, copied, cleared, recoloured, outlined, with_seams, lettered, a_little_off, casting, lit)
}
