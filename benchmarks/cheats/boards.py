"""The boards that cheats are drawn on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from benchmarks.cheats.subjects import Subject
from grader.tasks.queens.model import QueensInput
from puzzles.amaze.files import png_bytes
from puzzles.common.raster import Color, Picture
from puzzles.queens.board import Cell, QueensBoard, generate_queens
from puzzles.queens.render import QueensPictures, QueensStyle, draw_queen, region_color, render_queens

BOARD_STYLE = QueensStyle(cell_size_px=48, queen_radius_px=12)


@dataclass(frozen=True, eq=False)
class BoardSubject(Subject):
    """A generated Queens board with its only solution."""

    board: QueensBoard
    pictures: QueensPictures

    @property
    def input(self) -> Picture:
        """The empty board."""
        return self.pictures.input

    @property
    def solution(self) -> Picture:
        """The board with its queens."""
        return self.pictures.solution

    @cached_property
    def task(self) -> QueensInput:
        """The board and its queens."""
        return QueensInput(
            image=png_bytes(self.pictures.input),
            size_cells=self.board.n,
            regions=tuple(region for row in self.board.regions for region in row),
            queens=self.board.queens,
            solution_image=None,
        )

    @property
    def n(self) -> int:
        """Rows and columns."""
        return self.board.n

    @property
    def cell(self) -> int:
        """Length of a cell in pixels."""
        return BOARD_STYLE.cell_size_px

    @property
    def queens(self) -> tuple[Cell, ...]:
        """The right cells, by row."""
        return self.board.queens

    @property
    def everywhere(self) -> tuple[Cell, ...]:
        """All cells, by row."""
        return tuple((row, column) for row in range(self.n) for column in range(self.n))

    def middle(self, cell: Sequence[float]) -> tuple[float, float]:
        """Return the middle (x, y) of a cell in pixels."""
        return (cell[1] + 0.5) * self.cell, (cell[0] + 0.5) * self.cell

    def color(self, cell: Cell) -> Color:
        """Return the colour of a cell's region."""
        return region_color(self.board.regions[cell[0]][cell[1]], self.n, BOARD_STYLE)

    def draw(
        self,
        cells: Sequence[Sequence[float]],
        on: Picture | None = None,
        *,
        radius: float | None = None,
        color: Color | None = None,
        rim: Color | None = None,
    ) -> Picture:
        """Draw queens; fractions of cells lie between them."""
        picture = self.input if on is None else on
        for row, column in cells:
            picture = draw_queen(picture, row, column, radius_px=radius, color=color, rim=rim, style=BOARD_STYLE)
        return picture

    @cached_property
    def wrong(self) -> tuple[Cell, ...]:
        """The solution with its first queen in a wrong column."""
        row, column = self.queens[0]
        return ((row, (column + 2) % self.n), *self.queens[1:])

    @cached_property
    def other(self) -> BoardSubject:
        """Another board of the same size, with another solution."""
        seed = self.board.seed + 1
        while True:
            found = board_subject(self.n, seed)
            if found.queens != self.queens:
                return found
            seed += 1


@cache
def board_subject(n: int, seed: int = 0) -> BoardSubject:
    """Return a board of n x n cells."""
    board = generate_queens(n, seed)
    return BoardSubject(board, render_queens(board, BOARD_STYLE))
