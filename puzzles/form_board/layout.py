"""Where things lie in a question's picture: the silhouette at the left, the pieces in rows at the right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from puzzles.form_board.generator import FormBoardPuzzle
from puzzles.form_board.rules import Corners, FormBoard, FormPiece, Offset, Point, Tiling

ASPECT: Final = 0.75
"""Height over width of a question's picture."""
_MARGIN: Final = 1.1
_GAP: Final = 1.0
_LABEL: Final = 0.026
"""Height of a label, as a share of the picture's width..."""
_LABEL_ROOM: Final = 2.0
"""...below a piece, in heights of a label."""
_HALVINGS: Final = 24


@dataclass(frozen=True)
class LaidOut:
    """A puzzle in a picture; everything is in pixels.

    Attributes
    ----------
    size : width and height of the picture
    board : the silhouette where its outline is, and the pieces where they are given
    solution : by how much pieces are moved to fill the silhouette
    unit_px : length of a unit
    label_px : height of a label
    labels : where the middle of each piece's label is
    """

    size: tuple[int, int]
    board: FormBoard
    solution: Tiling
    unit_px: float
    label_px: float
    labels: dict[str, Point]


def lay_out(puzzle: FormBoardPuzzle, width_px: int) -> LaidOut:
    """Lays out a puzzle as large as it fits into a picture of a width."""
    size = (width_px, round(ASPECT * width_px))
    low, high = 0.0, width_px / 10
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _rows(puzzle, middle, size) is not None else (low, middle)
    rows = _rows(puzzle, low, size)
    if rows is None:
        raise ValueError(f"a picture {width_px} px wide is too small for this board")
    unit, label_px = low, _LABEL * width_px
    left, top, right, bottom = puzzle.board.polygon.bounds
    board_left = _MARGIN * unit - left * unit
    board_top = (size[1] - (bottom - top) * unit) / 2 - top * unit
    silhouette = _placed(puzzle.board.silhouette, unit, (board_left, board_top))
    used = sum(height for height, _ in rows)
    spare = (size[1] - used) / (len(rows) + 1)
    y = spare
    places: dict[str, Point] = {}
    labels: dict[str, Point] = {}
    tray = (right - left + 2 * _MARGIN) * unit
    for height, row in rows:
        room = height - _LABEL_ROOM * label_px
        free = (size[0] - tray - sum(_box(piece)[0] * unit for piece in row)) / (len(row) + 1)
        x = tray + free
        for piece in row:
            wide, high_ = (side * unit for side in _box(piece))
            places[piece.label] = (x, y + room - high_)
            labels[piece.label] = (x + wide / 2, y + room + 0.55 * _LABEL_ROOM * label_px)
            x += wide + free
        y += height + spare
    pieces = tuple(
        FormPiece(piece.label, _placed(piece.corners, unit, _corner(piece, unit, places[piece.label])))
        for piece in puzzle.board.pieces
    )
    offsets: dict[str, Offset] = {}
    for label, (dx, dy) in puzzle.solution.offsets.items():
        own = _corner(next(piece for piece in puzzle.board.pieces if piece.label == label), unit, places[label])
        offsets[label] = (board_left + dx * unit - own[0], board_top + dy * unit - own[1])
    return LaidOut(size, FormBoard(silhouette, pieces), Tiling(offsets), unit, label_px, labels)


def _rows(puzzle: FormBoardPuzzle, unit: float, size: tuple[int, int]) -> list[tuple[float, list[FormPiece]]] | None:
    """The pieces in rows, each with its height; None where they do not fit."""
    left, top, right, bottom = puzzle.board.polygon.bounds
    if (bottom - top + 2 * _MARGIN) * unit > size[1]:
        return None
    room = size[0] - (right - left + 2 * _MARGIN) * unit
    rows: list[list[FormPiece]] = [[]]
    across = _GAP * unit
    for piece in puzzle.board.pieces:
        wide = (_box(piece)[0] + _GAP) * unit
        if wide + _GAP * unit > room:
            return None
        if across + wide > room:
            rows.append([])
            across = _GAP * unit
        rows[-1].append(piece)
        across += wide
    label = _LABEL_ROOM * _LABEL * size[0]
    heights = [max(_box(piece)[1] for piece in row) * unit + label for row in rows]
    return list(zip(heights, rows, strict=True)) if sum(heights) + 0.5 * unit * (len(rows) + 1) <= size[1] else None


def _box(piece: FormPiece) -> tuple[float, float]:
    left, top, right, bottom = piece.polygon.bounds
    return right - left, bottom - top


def _corner(piece: FormPiece, unit: float, place: Point) -> Offset:
    """What moves a piece's box to a place."""
    left, top, _, _ = piece.polygon.bounds
    return place[0] - left * unit, place[1] - top * unit


def _placed(corners: Corners, unit: float, offset: Offset) -> Corners:
    return tuple((x * unit + offset[0], y * unit + offset[1]) for x, y in corners)
