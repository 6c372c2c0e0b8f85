"""What the tiles of a puzzle look like, how unlike they are, and how a board should look.

Within these modules an arrangement is a tuple of pieces, one a cell; piece k is what lies in cell k of the puzzle's
picture. One of the pieces is the blank.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.sliding.board import TileBox, rectify
from detectors.sliding.config import BoardColorConfig, TileConfig
from puzzles.sliding.shape import BLANK, MAX_SIZE, MIN_SIZE

Arrangement = tuple[int, ...]
_GREY = 128  # not a threshold: a level about which squares are small, which keeps them exact


@dataclass(frozen=True, eq=False)
class TileModel:
    """A puzzle's pieces.

    Attributes
    ----------
    size : rows and columns
    labels : the tile, or -1, that each piece is
    blank : the piece that is the blank
    patches : (n * n, c, c, 3) float32, the pieces' looks
    apart : (n * n, n * n) float64, colour distance of the pieces' insides
    radius : (n * n,) float64, a cell shows a piece if its colour distance to it is at most this
    config : the settings it was made with
    """

    size: int
    labels: tuple[int, ...]
    blank: int
    patches: NDArray[np.float32]
    apart: NDArray[np.float64]
    radius: NDArray[np.float64]
    config: TileConfig

    @property
    def cell_px(self) -> int:
        """Side of a cell of the rectified board in pixels."""
        return int(self.patches.shape[1])

    @property
    def side(self) -> int:
        """Side of the rectified board in pixels."""
        return self.size * self.cell_px

    @property
    def start(self) -> Arrangement:
        """The arrangement of the puzzle's picture."""
        return tuple(range(self.size**2))

    @property
    def alike(self) -> tuple[int, ...]:
        """The tiles that can't be told apart from another one, ascending; without the blank."""
        others = np.where(np.eye(len(self.labels), dtype=bool), np.inf, self.apart)
        same = others.min(axis=1) < self.config.likeness.told
        return tuple(sorted(label for label, one in zip(self.labels, same, strict=True) if one and label != BLANK))

    def tiles(self, arrangement: Arrangement) -> tuple[int, ...]:
        """Returns the tiles of an arrangement, -1 for the blank."""
        return tuple(self.labels[piece] for piece in arrangement)

    def drawn(self, arrangement: Arrangement) -> NDArray[np.float32]:
        """Returns the board, (S, S, 3) float32, with pieces at rest."""
        return joined(self.patches[list(arrangement)], self.size)

    def shaded(self, cells: NDArray[np.float32], cell: int) -> TileModel:
        """Returns the model with the blank in the shade that a cell shows, if that is the blank in another shade.

        A blank is of one colour, and may become lighter or darker: what is left then is small. Cells as of `split`.
        """
        rim = self.config.board.rim_px
        inner = slice(rim, self.cell_px - rim)
        off = cells[cell][inner, inner] - self.patches[self.blank][inner, inner]
        shade = float(np.median(off.mean(axis=2)))
        left = float(np.sqrt(np.square(off - np.float32(shade)).mean(dtype=np.float64)))
        if abs(shade) < 1 or left > self.config.likeness.least_radius:
            return self
        patches = self.patches.copy()
        patches[self.blank] = np.clip(patches[self.blank] + np.float32(shade), 0, 255)
        return replace(self, patches=patches)

    def off(self, cells: NDArray[np.float32], arrangement: Arrangement) -> NDArray[np.float64]:
        """Returns each cell's colour distance to the piece an arrangement puts there; cells as of `split`."""
        rim = self.config.board.rim_px
        inner = slice(rim, self.cell_px - rim)
        difference = cells[:, inner, inner] - self.patches[list(arrangement)][:, inner, inner]
        return np.asarray(np.sqrt(np.square(difference).mean(axis=(1, 2, 3), dtype=np.float64)), np.float64)

    def distances(self, cells: NDArray[np.float32]) -> NDArray[np.float64]:
        """Returns the colour distance of each cell to each piece, (cells, pieces)."""
        return _distances(cells, self.patches, self.config.board.rim_px)


def _distances(cells: NDArray[np.float32], patches: NDArray[np.float32], rim: int) -> NDArray[np.float64]:
    """Returns the colour distance of each cell to each patch, (cells, patches), without their rims."""
    inner = slice(rim, cells.shape[1] - rim)
    # |a - b|^2 = |a|^2 + |b|^2 - 2 ab, in float64 about the middle grey, so that little is lost.
    seen, pieces = (
        np.asarray(one[:, inner, inner], np.float64).reshape(len(one), -1) - _GREY for one in (cells, patches)
    )
    products = np.einsum("ap,bp->ab", seen, pieces)
    squares = np.square(seen).sum(axis=1)[:, None] + np.square(pieces).sum(axis=1)[None, :]
    return np.asarray(np.sqrt(np.maximum(0, squares - 2 * products) / seen.shape[1]), np.float64)


def make_model(picture: NDArray[np.uint8], size: int, state: tuple[int, ...], config: TileConfig) -> TileModel:
    """Learns a puzzle's pieces from its picture.

    Parameters
    ----------
    picture : (h, w, 3) uint8 RGB, the board and nothing else
    size : rows and columns, 2 to 5
    state : the tiles in the picture, row by row, -1 the blank

    Raises
    ------
    ValueError
        If the state is no arrangement of that size.
    """
    if not MIN_SIZE <= size <= MAX_SIZE or len(state) != size**2:
        raise ValueError(
            f"a board has {MIN_SIZE} to {MAX_SIZE} rows and as many columns, not {len(state)} places for size {size}"
        )
    if state.count(BLANK) != 1 or len(set(state)) != len(state):
        raise ValueError(f"a board holds one blank, -1, and each tile once, not {state}")
    high, wide = picture.shape[:2]
    cell = min(config.board.cell_px, config.board.most_px // size)
    board = rectify(picture, TileBox(0, 0, wide, high), size * cell, config.board)
    patches = split(board, size)
    pieces = size**2
    likeness, rim, blank = config.likeness, config.board.rim_px, state.index(BLANK)
    apart = _distances(patches, patches, rim)
    others = np.where(np.eye(pieces, dtype=bool), np.inf, apart)
    # Pieces that look alike cannot be told by content; they do not make the radius of others senseless either.
    nearest = np.where(others < likeness.least_radius, np.inf, others).min(axis=1)
    # A smooth tile stays nearly the same when it is blurred or misplaced by a pixel; a rich one does not.
    spread = patches[:, rim:-rim, rim:-rim].std(axis=(1, 2), dtype=np.float64).mean(axis=1)
    rich = likeness.least_radius + likeness.texture * spread
    rich[blank] = likeness.most_radius
    radius = np.clip(np.minimum(likeness.radius_share * nearest, rich), likeness.least_radius, likeness.most_radius)
    return TileModel(size, state, blank, patches, apart, radius, config)


def split(board: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """Returns the cells, (n * n, c, c, 3), of a board, (n * c, n * c, 3)."""
    cell = board.shape[0] // size
    parts = board.reshape(size, cell, size, cell, 3).swapaxes(1, 2)
    return np.ascontiguousarray(parts).reshape(size * size, cell, cell, 3)


def joined(cells: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """Returns the board of some cells; the inverse of `split`."""
    cell = cells.shape[1]
    parts = cells.reshape(size, size, cell, cell, 3).swapaxes(1, 2)
    return np.ascontiguousarray(parts).reshape(size * cell, size * cell, 3)


ColorMap = NDArray[np.float64]
"""(3, 4): colours of a frame, and 1, to colours of the puzzle's picture."""

NO_CHANGE: ColorMap = np.eye(3, 4)  # not a threshold: three channels, and 1


def recolored(board: NDArray[np.float32], colors: ColorMap) -> NDArray[np.float32]:
    """Returns a board in the colours of the puzzle's picture."""
    return np.asarray(cv2.transform(board, colors.astype(np.float32)), np.float32)


def color_change(
    seen: NDArray[np.float32], model: NDArray[np.float32], weight: NDArray[np.float64], config: BoardColorConfig
) -> ColorMap | None:
    """Returns the affine change of colour that takes a board to what it should look like.

    Ridge regression towards no change: brightness, contrast, hue and saturation that the whole board shares.

    Parameters
    ----------
    seen, model : (S, S, 3) float32
    weight : (S, S), 0 to 1, how much a pixel counts

    Returns
    -------
    The change, or ``None`` if too few pixels count or it is larger than light and colour explain.
    """
    step = (slice(1, None, config.every_px), slice(1, None, config.every_px))
    shares = np.asarray(weight[step], np.float64).reshape(-1)
    points, goals = (np.asarray(one[step], np.float64).reshape(-1, 3).T.copy() for one in (seen, model))
    total = float(shares.sum())
    if total < config.least_share * shares.size:
        return None
    terms = [*points, np.ones(shares.size)]
    weighed = [term * shares for term in terms]
    off = goals - points
    normal = np.array([[float((one * other).sum()) for other in terms] for one in weighed]) / total
    right = np.array([[float((one * channel).sum()) for one in weighed] for channel in off]) / total
    ridge = np.array([1.0, 1.0, 1.0, config.offset_stiffness]) * config.stiffness
    change = np.asarray(np.linalg.solve(normal + np.diag(ridge), right.T).T, np.float64)
    moved = sum(term[:, None] * change[:, place] for place, term in enumerate(terms))
    if math.sqrt(float(np.square(moved).mean())) > config.shift:
        return None
    return NO_CHANGE + change
