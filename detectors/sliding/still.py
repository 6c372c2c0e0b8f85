"""One picture of a sliding puzzle's board read: which tile lies in each cell. The answer is not looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_maxima
from detectors.sliding.board import TileBox, board_step, likely_boxes, rectify, stepped
from detectors.sliding.config import TILE_CONFIG, TileConfig
from detectors.sliding.model import (
    NO_CHANGE,
    Arrangement,
    TileModel,
    color_change,
    make_model,
    recolored,
    split,
)
from detectors.sliding.reading import Content, assign, read_content
from detectors.sliding.remainder.finding import DrawnOnTile, TileRemainderFinder
from detectors.sliding.slides import lines


@dataclass(frozen=True)
class TileStill:
    """What a picture of a board shows.

    Attributes
    ----------
    tiles : the tile of each cell, row by row, -1 the blank; ``None`` where something else is seen
    copies : cells whose tile is seen in another cell too, where it was not expected
    unknown : cells that show no tile of this puzzle
    box : where the board lies in the picture
    confidence : 0 to 1, by the cell that fits its tile worst; at least 0.5 if each cell fits
    drawn : what is drawn over tiles or the blank, the plainest first; looked for where the state is seen
    """

    tiles: tuple[int | None, ...]
    copies: tuple[int, ...]
    unknown: tuple[int, ...]
    box: TileBox
    confidence: float
    drawn: tuple[DrawnOnTile, ...] = ()

    @property
    def state(self) -> tuple[int, ...] | None:
        """The state, if each tile and the blank are seen once."""
        known = [tile for tile in self.tiles if tile is not None]
        return tuple(known) if len(set(known)) == len(self.tiles) else None


def read_board_still(
    pixels: NDArray[np.uint8],
    puzzle_picture: NDArray[np.uint8],
    size: int,
    state: tuple[int, ...],
    previous: tuple[int, ...] | None = None,
    config: TileConfig = TILE_CONFIG,
) -> TileStill:
    """Reads one picture of a board.

    Parameters
    ----------
    pixels : (H, W, 3) uint8 RGB; the board fills it, or lies in it with margins
    puzzle_picture : (h, w, 3) uint8 RGB, the puzzle: the board and nothing else
    size : rows and columns, 2 to 5
    state : the tiles in the puzzle's picture, row by row, -1 the blank
    previous : the state that the picture before showed, the puzzle's if not given. Tiles that look alike are taken to
        be where they were, or where one move brings them

    Raises
    ------
    ValueError
        If a state is no arrangement of that size, or the previous one has other tiles.
    """
    model = make_model(puzzle_picture, size, state, config)
    before = model.start
    if previous is not None:
        if sorted(previous) != sorted(state):
            raise ValueError(f"the previous state {previous} has other tiles than {state}")
        before = tuple(state.index(tile) for tile in previous)
    found = [_read(pixels, box, before, model) for box in _boxes(pixels, puzzle_picture, config)]
    best = max(found, key=lambda one: (one.state is not None, -len(one.unknown), one.confidence))
    if best.state is None:
        return best
    finder = TileRemainderFinder(puzzle_picture, size, model.blank, config)
    return replace(best, drawn=finder.find(pixels, best.box, tuple(state.index(tile) for tile in best.state)))


def _boxes(pixels: NDArray[np.uint8], picture: NDArray[np.uint8], config: TileConfig) -> tuple[TileBox, ...]:
    """Returns where the board may lie: the whole picture, without its flat rim, or where most looks like the puzzle."""
    high, wide = pixels.shape[:2]
    boxes = [TileBox(0, 0, wide, high)]
    differs = channel_maxima(np.abs(pixels.astype(np.int16) - pixels[0, 0])) > config.still.rim_levels
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if len(rows) and (len(rows) < high or len(columns) < wide):
        top, left = int(rows[0]), int(columns[0])
        boxes.append(TileBox(left, top, int(columns[-1]) + 1 - left, int(rows[-1]) + 1 - top))
    return (*boxes, *likely_boxes(pixels, picture, config.search)[:1])


def _read(pixels: NDArray[np.uint8], box: TileBox, before: Arrangement, model: TileModel) -> TileStill:
    config = model.config
    board = rectify(pixels, box, model.side, config.board)
    colors = NO_CHANGE
    for _ in range(config.search.refinements):
        shown = recolored(board, colors)
        goal = model.drawn(assign(np.square(model.distances(split(shown, model.size)))))
        change = color_change(board, goal, _trusted(shown, goal, model), config.colors)
        colors = NO_CHANGE if change is None else change
        step = board_step(goal, recolored(board, colors), config.registration)
        box = stepped(box, step, config.registration)
        board = rectify(pixels, box, model.side, config.board)
    cells = split(recolored(board, colors), model.size)
    model = _in_its_shade(cells, model)
    content = _by_continuity(cells, before, model) or read_content(cells, before, model)
    ratios = [
        1.0 if piece is None else float(model.off(cells, (piece,) * model.size**2)[cell] / model.radius[piece])
        for cell, piece in enumerate(content.pieces)
    ]
    unknown = tuple(cell for cell, piece in enumerate(content.pieces) if piece is None)
    worst = 1 - 0.5 * min(1.0, max(ratios))
    return TileStill(
        tuple(None if piece is None else model.labels[piece] for piece in content.pieces),
        tuple(cell for cell in range(model.size**2) if content.is_copy(cell) and before[cell] != content.pieces[cell]),
        unknown,
        box,
        worst * (1 - len(unknown) / model.size**2),
    )


def _in_its_shade(cells: NDArray[np.float32], model: TileModel) -> TileModel:
    """Returns the model with the blank in the shade that the one cell shows which shows no piece as it was."""
    distances = model.distances(cells)
    lost = np.flatnonzero((distances > model.radius).all(axis=1))
    return model.shaded(cells, int(lost[0])) if len(lost) == 1 else model


def _trusted(board: NDArray[np.float32], goal: NDArray[np.float32], model: TileModel) -> NDArray[np.float64]:
    """Returns 1 for pixels of cells that are about as near to what they should show as the median cell; else 0."""
    off = np.sqrt(np.square(split(board - goal, model.size)).mean(axis=(1, 2, 3), dtype=np.float64))
    trusted = (
        off <= max(model.config.still.trusted * float(np.median(off)), model.config.likeness.least_radius)
    ).astype(np.float64)
    side = model.cell_px
    return np.repeat(np.repeat(trusted.reshape(model.size, model.size), side, axis=0), side, axis=1)


def _by_continuity(cells: NDArray[np.float32], before: Arrangement, model: TileModel) -> Content | None:
    """Returns the arrangement before, or one that is a move away, if a board shows it."""
    near = [before, *(line.after(before) for line in lines(before, model, longest=False))]
    worst = [float((model.off(cells, one) / model.radius[list(one)]).max()) for one in near]
    best = int(np.argmin(worst))
    return Content(near[best]) if worst[best] <= 1 else None
