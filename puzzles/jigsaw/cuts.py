"""Pictures cut into a grid: where pieces lie, which of them can be told, and how they are hidden, turned, joined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from puzzles.common.lettering import Font, draw_text
from puzzles.jigsaw.kinds import PieceChange
from puzzles.jigsaw.rules import JigsawRules, Pixels, brightness

MULTIPLE: Final = 6
"""Sides of pictures are multiples of this, so that halves and thirds are whole pixels."""
_COVER: Final = (128, 128, 128)
_LETTER: Final = (255, 255, 255)
_WHITE: Final = 255
_LETTER_SHARE: Final = 0.4


@dataclass(frozen=True)
class Grid:
    """A grid of ``n`` x ``n`` pieces; pieces are numbered from 0, row by row."""

    n: int

    def box(self, size: tuple[int, int], piece: int) -> tuple[slice, slice]:
        """Rows and columns of a piece in a picture of so much height and width."""
        row, column = divmod(piece, self.n)
        height, width = size[0] // self.n, size[1] // self.n
        return (slice(row * height, (row + 1) * height), slice(column * width, (column + 1) * width))

    def cut(self, picture: Pixels) -> list[Pixels]:
        """All pieces."""
        size = (picture.shape[0], picture.shape[1])
        return [picture[self.box(size, piece)] for piece in range(self.n**2)]

    def neighbours(self, piece: int) -> list[tuple[int, bool]]:
        """Pieces that share a cut with one, and whether the cut is upright."""
        row, column = divmod(piece, self.n)
        found = [(row, column - 1, True), (row, column + 1, True), (row - 1, column, False), (row + 1, column, False)]
        return [
            (down * self.n + across, upright)
            for down, across, upright in found
            if 0 <= down < self.n and 0 <= across < self.n
        ]


HALVES: Final = Grid(2)
THIRDS: Final = Grid(3)


def telling(picture: Pixels, grid: Grid, rules: JigsawRules) -> list[int]:
    """Pieces that can be told: neither they nor a neighbour near-flat, nor without a pattern along more than half of
    their cuts."""
    grey = brightness(picture)
    pieces = [grey[grid.box((grey.shape[0], grey.shape[1]), piece)] for piece in range(grid.n**2)]
    flat = [float(one.std()) < rules.flat_contrast for one in pieces]
    told = []
    for piece in range(grid.n**2):
        beside = grid.neighbours(piece)
        if flat[piece] or any(flat[other] for other, _ in beside):
            continue
        bare = sum(_bare(pieces[piece], pieces[other], upright, other < piece, rules) for other, upright in beside)
        if 2 * bare <= len(beside):
            told.append(piece)
    return told


def _bare(one: NDArray[np.uint8], other: NDArray[np.uint8], upright: bool, before: bool, rules: JigsawRules) -> bool:
    """Whether both strips along a cut are of one brightness; ``before``: whether the other lies left or above."""
    width = rules.strip_px
    if not upright:
        one, other = one.T, other.T
    strips = (one[:, :width], other[:, -width:]) if before else (one[:, -width:], other[:, :width])
    return all(float(strip.mean(axis=1).std()) < rules.flat_seam for strip in strips)


def blank(picture: Pixels, grid: Grid, piece: int) -> Pixels:
    """A picture with a piece left white."""
    made = picture.copy()
    made[grid.box((picture.shape[0], picture.shape[1]), piece)] = _WHITE
    return made


def covered(picture: Pixels, grid: Grid, pieces: list[int], labels: str) -> Pixels:
    """A picture with pieces covered in grey, each with its label and a white rim."""
    made = picture.copy()
    for piece, label in zip(pieces, labels, strict=True):
        rows, columns = grid.box((picture.shape[0], picture.shape[1]), piece)
        made[rows, columns] = _WHITE
        made[rows.start + 1 : rows.stop - 1, columns.start + 1 : columns.stop - 1] = _COVER
        centre = ((columns.start + columns.stop) / 2, (rows.start + rows.stop) / 2)
        draw_text(made, label, centre, _LETTER_SHARE * (rows.stop - rows.start), _LETTER, Font.OPENCV_BOLD)
    return made


def turns(piece: Pixels) -> list[tuple[PieceChange, str, Pixels]]:
    """A piece rotated and mirrored in every way that keeps its shape: by 180 degrees, and if it is square by 90."""
    quarter = [("90", np.rot90(piece, 1)), ("270", np.rot90(piece, 3))] if piece.shape[0] == piece.shape[1] else []
    rotated = [(PieceChange.ROTATED, how, made) for how, made in (("180", np.rot90(piece, 2)), *quarter)]
    mirrored = [(PieceChange.MIRRORED, "left_right", piece[:, ::-1]), (PieceChange.MIRRORED, "top_bottom", piece[::-1])]
    return [(change, how, np.ascontiguousarray(made)) for change, how, made in (*rotated, *mirrored)]


def joined(pieces: list[Pixels]) -> Pixels:
    """Four quarters put together."""
    return np.vstack([np.hstack(pieces[:2]), np.hstack(pieces[2:])])
