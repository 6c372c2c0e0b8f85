"""Checks a sliding puzzle that a request describes, and makes it ready for judging."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.mixing import channel_maxima
from grader.media.pictures import MediaLimits
from grader.model.jobs import CandidateKind
from grader.tasks.common.inputs import Inputs
from grader.tasks.sliding.model import SlidingInput
from grader.tasks.sliding.progress import least_moves_of_tiles
from grader.tasks.sliding.settings import RimRules, SlidingSettings
from puzzles.sliding.shape import BLANK, MAX_SIZE, MIN_SIZE
from puzzles.sliding.tiles import SlidingPuzzle

_LARGEST_TILE = 1_000_000  # not a threshold: what the contract allows


@dataclass(frozen=True, eq=False)
class TilePuzzle:
    """A sliding puzzle that was checked.

    Attributes
    ----------
    puzzle : SlidingPuzzle
    least_moves : the least number of moves that solve it; None if it takes too many states to say
    picture : the board in its first state without margins, (H, W, 3) uint8 RGB; None where the candidate is words
    """

    puzzle: SlidingPuzzle
    least_moves: int | None
    picture: NDArray[np.uint8] | None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of its picture in pixels."""
        return (1, 1) if self.picture is None else (self.picture.shape[1], self.picture.shape[0])


def prepare_tiles(
    task: SlidingInput, settings: SlidingSettings, limits: MediaLimits, kind: CandidateKind
) -> TilePuzzle:
    """Checks a sliding puzzle; raises InvalidRequestError naming every wrong field."""
    inputs = Inputs(limits)
    if not MIN_SIZE <= task.size_cells <= MAX_SIZE:
        text = f"it is {task.size_cells}; boards have {MIN_SIZE} to {MAX_SIZE} cells in a row"
        inputs.fault("sliding.puzzle.size_cells", "OUT_OF_RANGE", text)
    else:
        _check_state(inputs, "sliding.puzzle.tiles", task.tiles, task.size_cells)
        _check_state(inputs, "sliding.truth.tiles", task.target_tiles, task.size_cells)
    wanted = kind is not CandidateKind.TEXT
    picture = inputs.picture("sliding.puzzle.image", task.image, required=wanted)
    inputs.check()
    puzzle = _made(inputs, task)
    board = _without_rim(picture, settings.rim) if wanted and picture is not None else None
    return TilePuzzle(puzzle, least_moves_of_tiles(puzzle.start, puzzle.target, settings.plan.most_states), board)


def _without_rim(picture: NDArray[np.uint8], rules: RimRules) -> NDArray[np.uint8]:
    """The board without margins or a frame of one colour each, as wide on all sides.

    A board whose own outer cells are of one colour is left whole, for its rim is not as wide on all sides.
    """
    for _ in range(rules.most):
        off = (channel_maxima(np.abs(picture.astype(np.int16) - picture[0, 0])) > rules.levels).astype(np.uint8)
        left, top, width, height = cv2.boundingRect(off)
        right, bottom = picture.shape[1] - left - width, picture.shape[0] - top - height
        rims = (left, top, right, bottom)
        uneven = max(rims) - min(rims) > 1 + rules.spread * max(rims)
        if min(rims) < 1 or uneven or min(width, height) < rules.least_board_px:
            return picture
        picture = np.ascontiguousarray(picture[top : top + height, left : left + width])
    return picture


def _check_state(inputs: Inputs, field: str, tiles: tuple[int, ...], size: int) -> None:
    if len(tiles) != size * size:
        text = f"there are {len(tiles)} numbers; give {size * size}, row by row, -1 for the blank"
        inputs.fault(field, "MISSING" if not tiles else "OUT_OF_RANGE", text)
    elif tiles.count(BLANK) != 1 or len(set(tiles)) != len(tiles):
        inputs.fault(field, "OUT_OF_RANGE", "every tile has a number of its own, and one cell is the blank, -1")
    elif any(not 1 <= tile <= _LARGEST_TILE for tile in tiles if tile != BLANK):
        inputs.fault(field, "OUT_OF_RANGE", f"tiles have numbers from 1 to {_LARGEST_TILE}")


def _made(inputs: Inputs, task: SlidingInput) -> SlidingPuzzle:
    if set(task.tiles) != set(task.target_tiles):
        text = "it has other tiles than sliding.puzzle.tiles; give the same numbers in another order"
        inputs.fault("sliding.truth.tiles", "MISMATCH", text)
        inputs.check()
    try:
        return SlidingPuzzle(task.tiles, task.target_tiles)
    except ValueError as error:
        inputs.fault("sliding.truth.tiles", "MISMATCH", str(error))
        inputs.check()
        raise
