"""Tiles between cells: how far one tile, or a line of tiles, has slid towards the blank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.sliding.model import Arrangement, TileModel


@dataclass(frozen=True)
class Line:
    """The blank's cell and the cells of those tiles in a row or column that slide into it, the nearest tile first."""

    cells: tuple[int, ...]

    def after(self, arrangement: Arrangement) -> Arrangement:
        """Returns the arrangement once all of them have moved one cell towards the blank's."""
        pieces = list(arrangement)
        for to, start in zip(self.cells, self.cells[1:], strict=False):
            pieces[to], pieces[start] = pieces[start], pieces[to]
        return tuple(pieces)


@dataclass(frozen=True, eq=False)
class TileSlide:
    """A line of tiles on its way.

    Attributes
    ----------
    line : the cells
    offset : how far the tiles have come, 0 to 1 cell
    shown : (cells of the line, c, c, 3) float32, what they should look like
    counts : (cells of the line, c, c) bool, pixels away from edges of moving tiles
    gain : squared error over that of all tiles at rest; small if the slide explains what is seen
    """

    line: Line
    offset: float
    shown: NDArray[np.float32]
    counts: NDArray[np.bool_]
    gain: float


def lines(arrangement: Arrangement, model: TileModel, longest: bool) -> Iterator[Line]:
    """Yields the lines that can slide: single tiles, or if ``longest`` those of two and more."""
    size = model.size
    row, column = divmod(arrangement.index(model.blank), size)
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        cells = [row * size + column]
        for step in range(1, size):
            r, c = row + step * down, column + step * right
            if not (0 <= r < size and 0 <= c < size):
                break
            cells.append(r * size + c)
            if (step > 1) == longest:
                yield Line(tuple(cells))


def fit_slide(cells: NDArray[np.float32], arrangement: Arrangement, line: Line, model: TileModel) -> TileSlide:
    """Finds how far a line of tiles has slid.

    All whole offsets are tried by squared error; a parabola through the best one's neighbours gives the fraction.

    Parameters
    ----------
    cells : (n * n, c, c, 3) float32, the cells that are seen, in the colours of the puzzle's picture
    arrangement : where the tiles come from
    """
    side = model.cell_px
    ground, tiles, strip = _strips(cells, arrangement, line, model)
    length = tiles.shape[1]
    on_tiles = np.asarray(cv2.matchTemplate(strip, tiles, cv2.TM_SQDIFF), np.float64)[0]
    on_ground = np.square(strip - ground).sum(axis=0).sum(axis=1, dtype=np.float64)
    before = np.concatenate([[0.0], np.cumsum(on_ground)])
    starts = np.arange(side + 1)
    errors = on_tiles + before[starts] + (before[-1] - before[starts + length])
    best = int(np.argmin(errors))
    start = float(best)
    if 0 < best < side:
        left, middle, right = (float(errors[best + shift]) for shift in (-1, 0, 1))
        bend = left - 2 * middle + right
        if bend > 0:
            start += max(-0.5, min(0.5, 0.5 * (left - right) / bend))
    whole = min(int(start), side - 1)
    share = start - whole
    shown = ground.copy()
    shown[:, whole : whole + length] = (1 - share) * tiles
    shown[:, whole + length] = share * tiles[:, -1] + (1 - share) * ground[:, whole + length]
    shown[:, whole + 1 : whole + length] += share * tiles[:, :-1]
    shown[:, whole] += share * ground[:, whole]
    counts = np.ones(strip.shape[:2], bool)
    for edge in range(0, length + 1, side):
        near = np.abs(np.arange(strip.shape[1]) + 0.5 - start - edge) <= model.config.slide.edge_px
        counts[:, near] = False
    offset = (side - start) / side
    rest = float(errors[side])
    gain = max(0.0, float(errors[best])) / rest if rest > 0 else 1.0
    turns = _turns(line, model.size)
    parts = [slice(place * side, (place + 1) * side) for place in range(len(line.cells))]
    return TileSlide(
        line,
        offset,
        np.stack([np.rot90(shown[:, part], -turns) for part in parts]),
        np.stack([np.rot90(counts[:, part], -turns) for part in parts]),
        gain,
    )


def _turns(line: Line, size: int) -> int:
    """How many quarter turns bring a line from the blank to the right."""
    step = line.cells[1] - line.cells[0]
    if abs(step) == size:
        return 1 if step > 0 else 3
    return 0 if step > 0 else 2


def _strips(
    cells: NDArray[np.float32], arrangement: Arrangement, line: Line, model: TileModel
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Returns ground, moving tiles and what is seen, turned so that the tiles lie to the right of the blank."""
    turns = _turns(line, model.size)
    blank = np.rot90(model.patches[model.blank], turns)
    ground = np.concatenate([blank] * len(line.cells), axis=1)
    tiles = np.concatenate([np.rot90(model.patches[arrangement[cell]], turns) for cell in line.cells[1:]], axis=1)
    strip = np.concatenate([np.rot90(cells[cell], turns) for cell in line.cells], axis=1)
    return ground, tiles, strip
