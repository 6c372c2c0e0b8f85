"""Sliding puzzles on a picture: states, and tiles on their way, as pixels.

Tile k shows the part of the picture where k stands in the target; the part under the target's blank is shown by no
tile. This is how the public puzzles are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from puzzles.common.lettering import Font, draw_text
from puzzles.common.raster import Color, Picture, cover_line, new_coverage, paint
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import State, state_size

_MIN_TILE_PX = 4


@dataclass(frozen=True)
class SlidingStyle:
    """The look of a board.

    Attributes
    ----------
    board_share
        The board's side as a share of the picture's shorter one; the rest is margin.
    margin, blank
        Colours, RGB from 0 to 255, of the surroundings and of the blank.
    gap_share, gap
        Width of the gaps between tiles as a share of a tile's side, and their colour; half of one lies along the edge.
    border_share, border
        Width of a frame around the board as a share of a tile's side, and its colour.
    numbers
        Whether each tile has its number on a disc.
    font
        Of the numbers.

    Raises
    ------
    ValueError
        If a share is out of range.
    """

    board_share: float = 1.0
    margin: Color = (255, 255, 255)
    blank: Color = (0, 0, 0)
    gap_share: float = 0.0
    gap: Color = (0, 0, 0)
    border_share: float = 0.0
    border: Color = (27, 38, 59)
    numbers: bool = False
    font: Font = Font.PILLOW

    def __post_init__(self) -> None:
        if not 0 < self.board_share <= 1:
            raise ValueError(f"board_share must be above 0 and at most 1, not {self.board_share}")
        for name in ("gap_share", "border_share"):
            value = getattr(self, name)
            if not 0 <= value <= 0.25:
                raise ValueError(f"{name} must be from 0 to 0.25, not {value}")


@dataclass(frozen=True)
class TilePlace:
    """A tile at a place: row and column from 0, whole at rest and in between on its way."""

    tile: int
    row: float
    column: float


class BoardCanvas:
    """Draws the tiles of one picture.

    Parameters
    ----------
    picture
        Shape (H, W, 3), uint8, RGB; its middle square is used, and resized to the board if it is of another size.
    target
        The solved state.
    style
        The look.
    size
        Of the pictures to draw, (width, height) in pixels.

    Attributes
    ----------
    tile_px : int
        Side of a tile, its share of the gaps included. The board is a whole number of tiles.
    left, top : int
        The board's first column and row.

    Raises
    ------
    ValueError
        If the target is no state, or tiles would have less than 4 pixels a side.
    """

    def __init__(self, picture: Picture, target: State, style: SlidingStyle, size: tuple[int, int]) -> None:
        self._n = state_size(target)
        self._target = target
        self._style = style
        width, height = size
        self.tile_px = math.floor(style.board_share * min(width, height) / self._n + 1e-9)
        if self.tile_px < _MIN_TILE_PX:
            raise ValueError(f"tiles of {self.tile_px} px are too small; give a larger picture size than {size}")
        side = self._n * self.tile_px
        self.left, self.top = (width - side) // 2, (height - side) // 2
        self._gap = round(style.gap_share * self.tile_px)
        self._parts = self._cut(picture, side)
        background = np.full((height, width, 3), style.margin, np.uint8)
        frame = round(style.border_share * self.tile_px)
        background[
            max(0, self.top - frame) : self.top + side + frame, max(0, self.left - frame) : self.left + side + frame
        ] = style.border
        self._background = background
        self._board = (slice(self.top, self.top + side), slice(self.left, self.left + side))

    def part(self, tile: int) -> Picture:
        """Return what a tile shows, (S, S, 3) without its gap; ValueError if the target has no such tile."""
        return self._parts[self._target.index(tile)].copy()

    def missing_part(self) -> Picture:
        """Return the part of the picture that the target's blank hides."""
        return self.part(BLANK)

    def draw(
        self,
        places: Sequence[TilePlace],
        blanks: Sequence[tuple[int, int]],
        parts: dict[int, Picture] | None = None,
    ) -> Picture:
        """Return a new picture (H, W, 3) uint8 RGB with tiles at places.

        Parameters
        ----------
        places
            The tiles, the last one on top; each is drawn at the nearest whole pixel, and only within the board.
        blanks
            The places (row, column) that are shown as blank under the tiles; with gaps the rest is of their colour.
        parts
            What tiles show instead of their part, each as large as `part` returns.
        """
        picture = self._background.copy()
        board = picture[self._board]
        board[:] = self._style.gap if self._gap else self._style.blank
        before = self._gap // 2
        inner = self.tile_px - self._gap
        for row, column in blanks:
            y, x = row * self.tile_px + before, column * self.tile_px + before
            board[y : y + inner, x : x + inner] = self._style.blank
        for place in places:
            shown = parts.get(place.tile) if parts else None
            part = self._parts[self._target.index(place.tile)] if shown is None else shown
            y, x = (math.floor(at * self.tile_px + 0.5) + before for at in (place.row, place.column))
            _paste(board, self._numbered(part, place.tile), y, x)
        return picture

    def _cut(self, picture: Picture, side: int) -> list[Picture]:
        """Return the picture's parts by place, row by row, without gaps."""
        height, width = picture.shape[:2]
        square = min(height, width)
        top, left = (height - square) // 2, (width - square) // 2
        whole = picture[top : top + square, left : left + square]
        if square != side:
            smooth = cv2.INTER_AREA if side < square else cv2.INTER_CUBIC
            whole = np.asarray(cv2.resize(whole, (side, side), interpolation=smooth), np.uint8)
        inner, before = self.tile_px - self._gap, self._gap // 2
        cuts = []
        for row in range(self._n):
            for column in range(self._n):
                y, x = row * self.tile_px + before, column * self.tile_px + before
                cuts.append(np.ascontiguousarray(whole[y : y + inner, x : x + inner]))
        return cuts

    def _numbered(self, part: Picture, tile: int) -> Picture:
        if not self._style.numbers or tile == BLANK:
            return part
        numbered = part.copy()
        radius = 0.16 * self.tile_px
        centre = (1.35 * radius, 1.35 * radius)
        coverage = new_coverage(*numbered.shape[:2])
        cover_line(coverage, np.array([centre]), 2 * radius)
        paint(numbered, coverage, (20, 20, 20))
        draw_text(numbered, str(tile), centre, 0.9 * radius, (255, 255, 255), self._style.font)
        return numbered


def _paste(board: Picture, part: Picture, y: int, x: int) -> None:
    height, width = part.shape[:2]
    top, left, bottom, right = max(0, y), max(0, x), min(board.shape[0], y + height), min(board.shape[1], x + width)
    if top < bottom and left < right:
        board[top:bottom, left:right] = part[top - y : bottom - y, left - x : right - x]


def places_of(state: State) -> tuple[TilePlace, ...]:
    """Return the tiles of a state at their places, row by row; ValueError if it is no state."""
    size = state_size(state)
    return tuple(
        TilePlace(tile, float(place // size), float(place % size)) for place, tile in enumerate(state) if tile != BLANK
    )


def blank_of(state: State) -> tuple[int, int]:
    """Return the row and column of a state's blank; ValueError if it is no state."""
    row, column = divmod(state.index(BLANK), state_size(state))
    return row, column


def render_board(
    picture: Picture,
    state: State,
    target: State,
    style: SlidingStyle | None = None,
    size: tuple[int, int] | None = None,
) -> Picture:
    """Return the picture of a state, (H, W, 3) uint8 RGB; the same arguments give the same bytes.

    Parameters
    ----------
    picture
        What the tiles show in the target: shape (H, W, 3), uint8, RGB; its middle square is used.
    state
        The state to draw.
    target
        The solved state, with the same tiles.
    style
        The look; ``None`` for the published one, without gaps, margin and numbers.
    size
        (width, height) in pixels; ``None`` for the picture's shorter side, both ways.

    Raises
    ------
    ValueError
        If a state is none, their tiles differ, or tiles would have less than 4 pixels a side.
    """
    state_size(state)
    if set(state) != set(target):
        raise ValueError("state and target must have the same tiles")
    side = min(picture.shape[:2])
    canvas = BoardCanvas(picture, target, style or SlidingStyle(), size or (side, side))
    return canvas.draw(places_of(state), [blank_of(state)])
