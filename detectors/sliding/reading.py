"""One board read: the arrangement that explains it, by continuity first and by content second."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from detectors.sliding.model import (
    Arrangement,
    ColorMap,
    TileModel,
    color_change,
    joined,
    recolored,
    split,
)
from detectors.sliding.slides import Line, TileSlide, fit_slide, lines

_SAME = 1e-3  # not a threshold: a guard against a division by 0


@dataclass(frozen=True, eq=False)
class BoardReading:
    """What explains a board.

    Attributes
    ----------
    arrangement : pieces at rest, or before the slide
    slide : the tiles that are sliding, or ``None``
    offset : how far they have come, 0 to 1 cell
    ratio : largest colour distance of a cell to what it should show, over the distance that is allowed; at most 1 if
        the board is explained
    ratios : the same for each cell
    """

    arrangement: Arrangement
    slide: TileSlide | None
    offset: float
    ratio: float
    ratios: tuple[float, ...]

    @property
    def line(self) -> Line | None:
        """The cells of the tiles that are sliding, and of the blank."""
        return None if self.slide is None else self.slide.line

    def drawn(self, model: TileModel) -> NDArray[np.float32]:
        """Returns what the board should look like, (S, S, 3) float32."""
        cells = model.patches[list(self.arrangement)]
        if self.slide is not None:
            cells[list(self.slide.line.cells)] = self.slide.shown
        return joined(cells, model.size)

    @property
    def explained(self) -> bool:
        """Whether each cell shows what it should."""
        return self.ratio <= 1

    @property
    def bad(self) -> tuple[int, ...]:
        """Cells that do not show what they should."""
        return tuple(cell for cell, ratio in enumerate(self.ratios) if ratio > 1)


def explain(cells: NDArray[np.float32], arrangement: Arrangement, model: TileModel) -> BoardReading:
    """Explains a board by an arrangement, by a tile on its way from it, or by either from an arrangement a move away.

    Parameters
    ----------
    cells : (n * n, c, c, 3) float32, in the colours of the puzzle's picture
    arrangement : what was read last

    Returns
    -------
    The explanation that needs the least change among those that fit; if none fits, the arrangement at rest.
    """
    rest = _at_rest(cells, arrangement, model)
    for longest in (False, True):
        found = _fitting_best(cells, _near(cells, rest, model, longest), model)
        if found.explained:
            return found
    following: list[BoardReading] = []
    for one in lines(arrangement, model, longest=False):
        there = _at_rest(cells, one.after(arrangement), model)
        # A tile on its way back to where it came from was tried already.
        near = _near(cells, there, model, longest=False)
        # Two whole moves between two frames are a jump.
        following.append(near if near.offset < model.config.slide.arrival else there)
    best = _fitting_best(cells, min(following, key=lambda reading: reading.ratio), model)
    return best if best.explained else _fitting_best(cells, rest, model)


def _at_rest(cells: NDArray[np.float32], arrangement: Arrangement, model: TileModel) -> BoardReading:
    off = model.off(cells, arrangement) / model.radius[list(arrangement)]
    ratios = tuple(float(one) for one in off)
    return BoardReading(arrangement, None, 0.0, max(ratios), ratios)


def _fitting_best(cells: NDArray[np.float32], reading: BoardReading, model: TileModel) -> BoardReading:
    """Returns a reading in which cells do not fit that show another piece clearly better than the one they should.

    They are as far from their piece as that other one is, and much nearer to it; so what is alike must be told apart.
    """
    off = model.off(cells, reading.arrangement)
    moving: tuple[int, ...] = ()
    if reading.line is not None and reading.offset >= model.config.slide.least_offset:
        moving = reading.line.cells
    pieces = list(reading.arrangement)
    apart = np.where(np.eye(len(pieces), dtype=bool), np.inf, model.apart).min(axis=1)[pieces]
    margin = model.config.likeness.alike_margin
    doubtful = [cell for cell in np.flatnonzero(off >= margin * apart).tolist() if cell not in moving]
    if not doubtful:
        return reading
    ratios = list(reading.ratios)
    for cell, row in zip(doubtful, model.distances(cells[doubtful]), strict=True):
        own, best = pieces[cell], int(np.argmin(row))
        if best != own and row[best] < margin * row[own] and row[own] >= margin * model.apart[own, best]:
            ratios[cell] = max(ratios[cell], margin * float(row[own]) / max(float(row[best]), _SAME))
    return replace(reading, ratio=max(ratios), ratios=tuple(ratios))


def _near(cells: NDArray[np.float32], rest: BoardReading, model: TileModel, longest: bool) -> BoardReading:
    """Returns the better one of an arrangement at rest and the best slide from it."""
    best = rest
    for slide in _slides(cells, rest, model, longest):
        reading = _sliding(cells, rest, slide, model)
        # At rest a slide of a few pixels may fit as well; it has to explain more.
        if reading.explained and (not best.explained or slide.gain < model.config.slide.gain):
            if best.slide is not None and best.ratio <= reading.ratio:
                continue
            best = reading
    return best


def _slides(cells: NDArray[np.float32], rest: BoardReading, model: TileModel, longest: bool) -> Iterator[TileSlide]:
    for line in lines(rest.arrangement, model, longest):
        # All that is wrong must lie on the line.
        if set(rest.bad) <= set(line.cells):
            slide = fit_slide(cells, rest.arrangement, line, model)
            # Where a board at rest does not fit, any offset that fits is better.
            if slide.offset >= model.config.slide.least_offset or (slide.offset > 0 and not rest.explained):
                yield slide


def _sliding(cells: NDArray[np.float32], rest: BoardReading, slide: TileSlide, model: TileModel) -> BoardReading:
    rim, side = model.config.board.rim_px, model.cell_px
    inner = (slice(rim, side - rim), slice(rim, side - rim))
    ratios = list(rest.ratios)
    radius = model.radius[[rest.arrangement[cell] for cell in slide.line.cells]]
    for place, cell in enumerate(slide.line.cells):
        # A cell shows parts of its own tile and of the one behind it; the last one of the ground, as the first one.
        behind = place + 1 if place + 1 < len(radius) else 0
        allowed = float(max(radius[place], radius[behind]))
        counts = slide.counts[place][inner]
        total = 3 * int(np.count_nonzero(counts))
        squared = np.square(cells[cell][inner] - slide.shown[place][inner])[counts]
        error = float(squared.sum(dtype=np.float64) / total) ** 0.5 if total else 0.0
        ratios[cell] = error / allowed
    return BoardReading(rest.arrangement, slide, slide.offset, max(ratios), tuple(ratios))


@dataclass(frozen=True)
class Content:
    """What each cell shows by content alone: a piece, or ``None``; the expected one has priority if it fits."""

    pieces: tuple[int | None, ...]

    @property
    def arrangement(self) -> Arrangement | None:
        """The arrangement, if each piece is seen once."""
        known = [piece for piece in self.pieces if piece is not None]
        return tuple(known) if len(set(known)) == len(self.pieces) else None

    def is_copy(self, cell: int) -> bool:
        """Whether a cell shows a piece that another cell shows too."""
        piece = self.pieces[cell]
        return piece is not None and self.pieces.count(piece) > 1


def read_content(cells: NDArray[np.float32], expected: Arrangement, model: TileModel) -> Content:
    """Reads each cell by content; cells as for `explain`."""
    distances = model.distances(cells)
    pieces: list[int | None] = []
    for cell, row in enumerate(distances):
        own = float(row[expected[cell]])
        nearest = int(np.argmin(row))
        fits = float(row[nearest]) <= float(model.radius[nearest])
        keeps = own <= float(model.radius[expected[cell]])
        if keeps and not (fits and float(row[nearest]) < model.config.likeness.alike_margin * own):
            pieces.append(expected[cell])
        elif fits:
            pieces.append(nearest)
        else:
            pieces.append(None)
    return Content(_without_lookalike_copies(pieces, distances, expected, model))


def _without_lookalike_copies(
    pieces: list[int | None], distances: NDArray[np.float64], expected: Arrangement, model: TileModel
) -> tuple[int | None, ...]:
    """Gives pieces that look alike out once each: to the cell where they were expected, then to the nearest."""
    found = list(pieces)
    for piece in sorted({one for one in pieces if one is not None}):
        cells = [cell for cell, one in enumerate(found) if one == piece]
        cells.sort(key=lambda cell: (expected[cell] != piece, float(distances[cell, piece])))
        for cell in cells[1:]:
            free = [
                other
                for other in range(len(pieces))
                if other not in found
                and float(model.apart[piece, other]) < model.config.likeness.least_radius
                and float(distances[cell, other]) <= float(model.radius[other])
            ]
            if free:
                found[cell] = min(free, key=lambda other: float(distances[cell, other]))
    return tuple(found)


def clearer(cells: NDArray[np.float32], arrangement: Arrangement, model: TileModel) -> Arrangement:
    """Returns the arrangement that content shows where continuity was lost, if it is much clearer than another one.

    Tiles that look alike are told by small differences: by the assignment of pieces to cells with the least squared
    colour distance. It is taken if that of the cells in which both differ is less by the square of ``alike_margin``.
    """
    squared = np.square(model.distances(cells))
    assigned = assign(squared)
    differ = [cell for cell, piece in enumerate(assigned) if piece != arrangement[cell]]
    least = sum(float(squared[cell, assigned[cell]]) for cell in differ)
    other = sum(float(squared[cell, arrangement[cell]]) for cell in differ)
    fits = all(float(squared[cell, assigned[cell]]) <= float(model.radius[assigned[cell]]) ** 2 for cell in differ)
    return assigned if fits and least < model.config.likeness.alike_margin**2 * other else arrangement


def assign(costs: NDArray[np.float64]) -> Arrangement:
    """Returns the arrangement, each piece once, with the least sum of costs, (cells, pieces)."""
    _, pieces = linear_sum_assignment(costs)
    return tuple(int(piece) for piece in pieces)


def weights(reading: BoardReading, model: TileModel) -> NDArray[np.float64]:
    """Returns how much each pixel of the board, (S, S), counts for colour and place.

    Cells that fit count fully, those that do not fit and the blank, whose shade may be any, not at all.
    """
    blank = reading.arrangement.index(model.blank)
    shares = np.array([1.0 if ratio <= 1 and cell != blank else 0.0 for cell, ratio in enumerate(reading.ratios)])
    side = model.cell_px
    return np.repeat(np.repeat(shares.reshape(model.size, model.size), side, axis=0), side, axis=1)


def read(
    board: NDArray[np.float32], arrangement: Arrangement, colors: ColorMap, model: TileModel
) -> tuple[BoardReading, ColorMap]:
    """Explains a board as it is in the frame; the change of colour that was found last is tried first.

    Parameters
    ----------
    board : (S, S, 3) float32, in the frame's own colours

    Returns
    -------
    The reading, and the change of colour by which it was made.
    """
    reading = explain(split(recolored(board, colors), model.size), arrangement, model)
    drawn, trusted = reading.drawn(model), weights(reading, model)
    if 2 * len(reading.bad) > len(reading.ratios):
        trusted = np.ones_like(trusted)
    change = color_change(board, drawn, trusted, model.config.colors)
    if change is None:
        return reading, colors
    if reading.explained:
        return reading, change
    # The light may have changed with this frame.
    again = explain(split(recolored(board, change), model.size), arrangement, model)
    return (again, change) if again.explained else (reading, colors)
