"""Boards as they are drawn on: a puzzle, its picture, and pieces that are laid into the silhouette in any way."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
import shapely

import grader
from puzzles.common.raster import Color, Picture
from puzzles.form_board.generator import FormBoardPuzzle, generate_form_board
from puzzles.form_board.layout import LaidOut, lay_out
from puzzles.form_board.render import FormCanvas, piece_colors, render_question
from puzzles.form_board.rules import Corners, moved
from puzzles.form_board.style import FormStyle
from puzzles.mentis.form_boards import random_form_style

WIDTH_PX = 1024


@dataclass
class Drawing:
    """What is to be drawn: areas by label with their colours, in order, and pieces that have left the tray.

    Attributes
    ----------
    areas : outlines in pixels, the last one on top
    colors : of each
    gone : pieces that are no longer where they were given
    """

    areas: dict[str, list[tuple[float, float]]]
    colors: dict[str, Color]
    gone: set[str] = field(default_factory=set)


@dataclass(frozen=True, eq=False)
class DrawnOn:
    """A board with its look."""

    puzzle: FormBoardPuzzle
    laid: LaidOut
    style: FormStyle

    @property
    def unit(self) -> float:
        """Pixels a unit, of which the silhouette has ten."""
        return self.laid.unit_px

    @cached_property
    def canvas(self) -> FormCanvas:
        """Draws it."""
        return FormCanvas(self.laid, self.style)

    @cached_property
    def question(self) -> Picture:
        """As a model is given it."""
        return render_question(self.laid, self.style)

    @cached_property
    def task(self) -> grader.TaskInput:
        """As a request holds it."""
        board = self.laid.board
        return grader.form_board(
            [piece.label for piece in board.pieces],
            self.puzzle.labels,
            image=self.question,
            silhouette=board.silhouette,
            pieces={piece.label: piece.corners for piece in board.pieces},
        )

    def corners(self, label: str) -> Corners:
        """A piece where it is given."""
        return next(piece.corners for piece in self.laid.board.pieces if piece.label == label)

    def placed(self, label: str) -> shapely.Polygon:
        """A right piece in its place."""
        return moved(shapely.Polygon(self.corners(label)), self.laid.solution.offsets[label])

    @property
    def others(self) -> tuple[str, ...]:
        """Pieces that are not needed."""
        return tuple(one.label for one in self.laid.board.pieces if one.label not in self.puzzle.labels)

    def solved(self) -> Drawing:
        """Every right piece in its place, moved there."""
        colors = piece_colors(self.style, [piece.label for piece in self.laid.board.pieces])
        areas = {label: points_of(self.placed(label)) for label in self.puzzle.order}
        return Drawing(areas, {label: colors[label] for label in areas}, set(areas))

    def draw(self, drawing: Drawing) -> Picture:
        """A drawing on the board."""
        picture = self.canvas.draw({}, drawing.gone)
        for label, corners in drawing.areas.items():
            self.canvas.lay(picture, corners, drawing.colors[label])
        return picture


def points_of(polygon: shapely.Polygon) -> list[tuple[float, float]]:
    """A polygon's corners."""
    return [(float(x), float(y)) for x, y in np.array(polygon.exterior.coords[:-1])]


@lru_cache(maxsize=2)
def board(level: int, seed: int, width_px: int = WIDTH_PX) -> DrawnOn:
    """A board by level and seed, in a look of its own."""
    puzzle = generate_form_board(level, seed)
    return DrawnOn(puzzle, lay_out(puzzle, width_px), random_form_style(seed))
