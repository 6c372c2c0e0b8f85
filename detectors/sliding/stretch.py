"""Stretches of a clip that no slide explains: what happened in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from detectors.sliding.findings import TileEventKind
from detectors.sliding.model import Arrangement, TileModel, split
from detectors.sliding.reading import BoardReading, Content
from detectors.sliding.slides import lines


@dataclass(frozen=True)
class Finding:
    """What happened in a stretch, and in which cells."""

    kind: TileEventKind
    cells: tuple[int, ...]


@dataclass(eq=False)
class Stretch:
    """Successive frames that are not explained.

    Of their boards a bounded number is kept: when there are too many, each second one is dropped.

    Attributes
    ----------
    before : the arrangement read last
    board : the board before the stretch, (S, S, 3) float32, in the colours of the puzzle's picture
    begin : place of the first frame in the list of frames read
    frames : how many frames the stretch has
    bad, copied : for each cell, in how many frames it shows what it should not, and a tile shown elsewhere too
    """

    before: Arrangement
    board: NDArray[np.float32]
    begin: int
    frames: int = 0
    bad: list[int] = field(default_factory=list)
    copied: list[int] = field(default_factory=list)
    _samples: list[NDArray[np.uint8]] = field(default_factory=list)
    _each: int = 1

    def add(self, board: NDArray[np.float32], reading: BoardReading, content: Content, model: TileModel) -> None:
        """Takes in the next frame; its board in the colours of the puzzle's picture."""
        if not self.bad:
            self.bad, self.copied = [0] * model.size**2, [0] * model.size**2
        for cell in reading.bad:
            self.bad[cell] += 1
            self.copied[cell] += content.is_copy(cell)
        if self.frames % self._each == 0:
            self._samples.append(as_sample(board))
            if len(self._samples) > model.config.stretch.samples:
                self._samples = self._samples[::2]
                self._each *= 2
        self.frames += 1

    @property
    def samples(self) -> tuple[NDArray[np.uint8], ...]:
        """Boards of the stretch, in order."""
        return tuple(self._samples)


def as_sample(board: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Returns a board as it is kept, (S, S, 3) uint8."""
    return np.clip(np.rint(board), 0, 255).astype(np.uint8)


def is_fade(
    start: NDArray[np.float32], end: NDArray[np.float32], samples: Sequence[NDArray[np.uint8]], model: TileModel
) -> bool:
    """Whether cells change from one look to another by becoming mixtures of both.

    A cell fades if two samples or more lie between, and most of those are ``(1 - a) start + a end`` up to a small
    error. The board fades if at least half of the cells that change do.

    Parameters
    ----------
    start, end : (S, S, 3) float32, in the colours of the puzzle's picture
    samples : boards between, (S, S, 3) uint8
    """
    config = model.config
    rim = config.board.rim_px
    inner = slice(rim, model.cell_px - rim)
    starts, ends = (split(one, model.size)[:, inner, inner] for one in (start, end))
    way = ends - starts
    length = np.sqrt(np.square(way).mean(axis=(1, 2, 3), dtype=np.float64))
    cells = np.flatnonzero(length > config.likeness.least_radius)
    if not len(cells):
        return False
    errors: list[list[float]] = [[] for _ in cells]
    for sample in samples:
        seen = split(sample.astype(np.float32), model.size)[:, inner, inner] - starts
        for place, cell in enumerate(cells):
            share = float((seen[cell] * way[cell]).mean(dtype=np.float64)) / float(length[cell]) ** 2
            if config.stretch.fade_band < share < 1 - config.stretch.fade_band:
                left = seen[cell] - np.float32(share) * way[cell]
                errors[place].append(math.sqrt(float(np.square(left).mean(dtype=np.float64))) / float(length[cell]))
    mixed = sum(len(one) >= 2 and float(np.median(one)) <= config.stretch.fade_error for one in errors)
    return 2 * mixed >= len(cells)


def change_kind(
    before: Arrangement, after: Arrangement, samples: Sequence[NDArray[np.uint8]], gap: int, model: TileModel
) -> Finding | None:
    """Says how one arrangement became another one where no slide was seen.

    Parameters
    ----------
    samples : boards before, and between, in the colours of the puzzle's picture
    gap : unexplained frames between both

    Returns
    -------
    What happened, or ``None`` for a move of one tile; a line of tiles may slide in frames between.
    """
    changed = tuple(cell for cell, piece in enumerate(before) if after[cell] != piece)
    if is_fade(model.drawn(before), model.drawn(after), samples, model):
        return Finding(TileEventKind.CROSS_FADE, changed)
    blank_stays = before.index(model.blank) == after.index(model.blank)
    if len(changed) == 2:
        if blank_stays:
            return Finding(TileEventKind.TILE_SWAP, changed)
        (row, column), (to_row, to_column) = (divmod(cell, model.size) for cell in changed)
        near = abs(row - to_row) + abs(column - to_column) == 1
        return None if near else Finding(TileEventKind.TILE_TELEPORT, changed)
    if gap and any(line.after(before) == after for line in lines(before, model, longest=True)):
        # As of one tile, what is hidden is no more than a slide.
        return Finding(TileEventKind.TILES_TOGETHER, changed)
    at_once = gap <= model.config.stretch.settle_frames
    return Finding(TileEventKind.HARD_CUT if at_once else TileEventKind.ALL_AT_ONCE, changed)


def lasting_flaws(
    stretch: Stretch, least: int, expected: Arrangement, beside: tuple[int, ...], model: TileModel
) -> tuple[Finding, ...]:
    """Says which cells showed for long what they should not.

    Parameters
    ----------
    least : frames that are long
    expected : what the cells should show
    beside : cells that are excused, because tiles went there
    """
    cells = [cell for cell, frames in enumerate(stretch.bad) if frames >= least and cell not in beside]
    if len(cells) > model.config.stretch.scene_share * model.size**2:
        return (Finding(TileEventKind.SCENE_REPLACED, tuple(cells)),)
    found: list[Finding] = []
    for cell in cells:
        if expected[cell] == model.blank:
            kind = TileEventKind.BLANK_FILLED
        elif 2 * stretch.copied[cell] >= stretch.bad[cell]:
            kind = TileEventKind.DUPLICATE_TILE
        else:
            kind = TileEventKind.FOREIGN_TILE
        found.append(Finding(kind, (cell,)))
    return tuple(found)
