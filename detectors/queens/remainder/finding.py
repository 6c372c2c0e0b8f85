"""From an aligned candidate and the queens that were read to what is left of it, with a role by where it lies."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from detectors.common.residual.energy import energies
from detectors.common.residual.mixing import lengths, times
from detectors.common.residual.signs import signs
from detectors.common.residual.windows import averages
from detectors.queens.queens import QueenMark
from detectors.queens.remainder.colors import faded_regions, painted_cells
from detectors.queens.remainder.config import BoardRemainderConfig, BoardRoleConfig
from detectors.queens.remainder.field import BoardResidual, board_residual
from detectors.queens.remainder.lines import Border, GridLeft, grid_left
from detectors.queens.remainder.plan import CloseBoard
from detectors.queens.remainder.queens import disc_distance, look_at_queens, settle_outlines
from detectors.queens.remainder.rays import Disc

_INSIDE = 0.8  # not a threshold: share of a queen's radius within which nothing of what is around her mixes in
_OF_A_LINE = 0.3  # not a threshold: of a line a pixel wide a dot's window has a third


class BoardRole(enum.Enum):
    """What something is that belongs neither to the board nor to its queens."""

    MARK = "mark"
    WRITING = "writing"
    ON_LINES = "on_lines"
    ON_QUEEN = "on_queen"
    NOT_ONE_DISC = "not_one_disc"
    DECORATION = "decoration"


@dataclass(frozen=True)
class BoardThing:
    """Something that is left.

    Attributes
    ----------
    role : what it is, by where it lies
    cells : (row, column) of the cells in which it shows
    plainness : how many times as plain it is as what is just seen; 1 where that is not told
    """

    role: BoardRole
    cells: tuple[tuple[int, int], ...]
    plainness: float = 1.0


@dataclass(frozen=True)
class BoardRemainder:
    """What a candidate shows beside its board and the queens that were read.

    Attributes
    ----------
    things : what lies on cells, lines and queens, plainest first
    broken_lines : pairs of cells, row * n + column, between which the line is gone or has faded
    lines_gone : length of lines that are, in lengths of a cell
    painted_cells : (row, column) of cells that have left the colour of their region
    faded_regions : regions that have faded into another one
    companions : whether queens have a rim, a shadow or a glow
    told : whether it was looked for
    """

    things: tuple[BoardThing, ...] = ()
    broken_lines: tuple[Border, ...] = ()
    lines_gone: float = 0.0
    painted_cells: tuple[tuple[int, int], ...] = ()
    faded_regions: tuple[int, ...] = ()
    companions: bool = False
    told: bool = False


def find_board_remainder(
    picture: NDArray[np.uint8],
    covered: NDArray[np.bool_] | None,
    queens: Sequence[QueenMark],
    plan: CloseBoard,
    config: BoardRemainderConfig,
    *,
    candidate_px: float,
) -> BoardRemainder:
    """Looks at all that neither the board nor its queens explain.

    Parameters
    ----------
    picture : ndarray of shape (h, w, 3), uint8 RGB
        The candidate in the plan's frame.
    covered : ndarray of shape (h, w), bool, or None
        Where the candidate has pixels; None for everywhere.
    queens : sequence of QueenMark
        As they were read.
    plan : CloseBoard
        Of the puzzle.
    config : BoardRemainderConfig
    candidate_px : float
        How many pixels of the candidate's own come on one of the frame's, along a side.
    """
    n, factor = plan.board.n, plan.board.factor
    discs: tuple[Disc, ...] = tuple(
        (queen.center[0] / factor - 0.5, queen.center[1] / factor - 0.5, queen.radius / factor) for queen in queens
    )
    shape = (picture.shape[0], picture.shape[1])
    distance = disc_distance(discs, shape, config.companions.reach)
    picture = _without_pepper(picture, plan, config)
    residual = board_residual(picture, covered, distance, plan, config)
    look = look_at_queens(residual, discs, plan, config, candidate_px=candidate_px)
    settle_outlines(residual, discs, distance, config)
    painted = painted_cells(residual, plan, config.regions)
    clear = residual.usable & ~look.beside
    lines = GridLeft(0.0, 0.0, (), ())
    if discs:
        # Without a queen nothing tells how black what is drawn is.
        darkness = plan.deeper(residual.base[..., 0], residual.lab[..., 0])
        lines = grid_left(darkness, clear, residual.usable & ~look.covers, look.black, plan, config.grid)
    things = _on_cells(residual, plan, queens, set(painted), candidate_px, config)
    things += [
        BoardThing(BoardRole.NOT_ONE_DISC, ((queens[index].row, queens[index].column),)) for index in look.not_one
    ]
    marked = [queens[index] for index in look.marked]
    things += [
        BoardThing(BoardRole.ON_QUEEN, ((queen.row, queen.column),))
        for queen in marked
        if not _by_a_sign(residual, queen, queens, distance, plan, config)
    ]
    if lines.marked and plan.cell_px >= config.grid.wide_px:
        things.append(BoardThing(BoardRole.ON_LINES, _positions(lines.marked, n)))
    return BoardRemainder(
        things=tuple(sorted(things, key=lambda one: (-one.plainness, one.role.value, one.cells))),
        broken_lines=lines.broken,
        lines_gone=lines.gone_cells,
        painted_cells=_positions(painted, n),
        faded_regions=tuple(
            int(np.unique(plan.board.regions)[region])
            for region in faded_regions(residual.colors, plan.colors, config.regions)
        ),
        companions=look.companions,
        told=True,
    )


def _without_pepper(picture: NDArray[np.uint8], plan: CloseBoard, config: BoardRemainderConfig) -> NDArray[np.uint8]:
    """A picture whose lone pixels, where they are all over it, have the colour of those around.

    What hangs together is a stroke, however thin, and no pepper.
    """
    smooth = np.asarray(cv2.medianBlur(picture, 3), np.uint8)  # not a threshold: a pixel's neighbours
    red, green, blue = cv2.split(cv2.absdiff(picture, smooth))
    lone = (cv2.max(cv2.max(red, green), blue) > config.lone) & plan.inner
    if not lone.any():
        return picture
    pixels = lone.astype(np.uint8)
    _, parts, stats, _ = cv2.connectedComponentsWithStats(pixels, connectivity=8)  # not a threshold: with diagonals
    lone &= stats[parts, cv2.CC_STAT_AREA] <= config.lone_px
    rows, columns = plan.bounds
    peppered = np.logical_or.reduceat(np.logical_or.reduceat(lone, rows[:-1], axis=0), columns[:-1], axis=1)
    return picture if peppered.mean() <= config.peppered else np.where(lone[..., None], smooth, picture)


def _positions(cells: Sequence[int], n: int) -> tuple[tuple[int, int], ...]:
    return tuple((cell // n, cell % n) for cell in sorted(cells))


def _on_cells(
    residual: BoardResidual,
    plan: CloseBoard,
    queens: Sequence[QueenMark],
    painted: set[int],
    candidate_px: float,
    config: BoardRemainderConfig,
) -> list[BoardThing]:
    """What shows in cells, those that adjoin together."""
    n = plan.board.n
    doubt = np.ones(n * n)
    doubt[[queen.row * n + queen.column for queen in queens]] = config.companions.doubt
    # In noise the plainest of many cells is so by chance.
    least = config.roles.by_chance if residual.noise > config.roles.noisy else 1.0
    plain = plainness(residual.values, residual.usable, doubt, plan, candidate_px, config) / least
    left = {int(cell) for cell in np.flatnonzero(plain >= 1.0)} - painted
    found: list[BoardThing] = []
    if left & {0, n - 1, n * (n - 1), n * n - 1}:
        # Without signs in the corners of the picture: where nothing else is in such a cell, it was decoration.
        aside = signs(residual.values, _in_corners(queens, plan, config.roles), residual.noise, config.signs)
        values = times(residual.values, (~aside).astype(np.float32))
        without = plainness(values, residual.usable, doubt, plan, candidate_px, config) / least
        decorated = sorted(cell for cell in left if without[cell] < 1.0)
        left = {int(cell) for cell in np.flatnonzero(without >= 1.0)} - painted
        found += [BoardThing(BoardRole.DECORATION, _positions((cell,), n), float(plain[cell])) for cell in decorated]
    for group in _groups(left, n):
        role = BoardRole.WRITING if len(group) >= config.roles.writing else BoardRole.MARK
        found.append(BoardThing(role, _positions(group, n), float(plain[group].max())))
    return found


def plainness(
    values: NDArray[np.float32],
    usable: NDArray[np.bool_],
    doubt: NDArray[np.float64],
    plan: CloseBoard,
    candidate_px: float,
    config: BoardRemainderConfig,
) -> NDArray[np.float64]:
    """(n * n,), how many times as plain as what is just seen what is left in each cell is.

    Where there is doubt about a cell, what is just seen on an even ground has to be so many times as plain there.
    """
    rows, columns = plan.bounds
    found = np.zeros(plan.board.n**2)
    strongest = np.inf
    for averaged in averages(values, usable, plan.cell_px, config.windows, plain_only=True):
        window, contrast = averaged.window, averaged.contrast
        if window is config.windows.line and strongest < _OF_A_LINE * window.visible:
            break
        most = np.maximum.reduceat(np.maximum.reduceat(contrast, rows[:-1], axis=0), columns[:-1], axis=1).ravel()
        found = np.maximum(found, most / np.maximum(averaged.just_seen(most), window.visible * doubt))
        if window is config.windows.dot:
            strongest = float(most.max())
    power, area = (
        np.asarray(np.add.reduceat(np.add.reduceat(one, rows[:-1], axis=0), columns[:-1], axis=1).ravel(), np.float64)
        for one in (energies(values, candidate_px, config.energy), usable.astype(np.float32))
    )
    # Around a queen more is left of what lies around all of them.
    queened = doubt > 1.0
    near, apart = (config.energy.plainness(power, area, where) for where in (queened, ~queened))
    return np.maximum(found, np.where(queened, near / config.companions.doubted, apart))


def _in_corners(queens: Sequence[QueenMark], plan: CloseBoard, config: BoardRoleConfig) -> NDArray[np.bool_]:
    """(h, w) bool, the corners of the picture; where a queen stands in one, only what lies beyond her middle."""
    height, width = plan.board.picture.shape[:2]
    down, across = np.arange(height), np.arange(width)
    row = np.minimum(down, height - 1 - down) < config.corner * height
    column = np.minimum(across, width - 1 - across) < config.corner * width
    found = np.asarray(row[:, None] & column[None, :], np.bool_)
    last = plan.board.n - 1
    for queen in queens:
        if {queen.row, queen.column} <= {0, last}:
            rows, columns = plan.bounds
            cell = (
                slice(rows[queen.row], rows[queen.row + 1]),
                slice(columns[queen.column], columns[queen.column + 1]),
            )
            x, y = (at / plan.board.factor for at in queen.center)
            beyond = (down < y if queen.row == 0 else down > y)[cell[0], None]
            beside = (across < x if queen.column == 0 else across > x)[None, cell[1]]
            found[cell] &= beyond & beside
    return found


def _by_a_sign(
    residual: BoardResidual,
    queen: QueenMark,
    queens: Sequence[QueenMark],
    distance: NDArray[np.float32],
    plan: CloseBoard,
    config: BoardRemainderConfig,
) -> bool:
    """Whether what lies on a queen is for the most part a sign in a corner of the picture, which overlaps her."""
    if not {queen.row, queen.column} <= {0, plan.board.n - 1}:
        return False
    own = (plan.cells == queen.row * plan.board.n + queen.column) & (distance < _INSIDE)
    values = residual.values.copy()
    values[own] = residual.lab[own] - np.median(residual.lab[own], axis=0)
    sign = signs(values, _in_corners(queens, plan, config.roles), residual.noise, config.signs)
    shown = lengths(values)[own]
    # not a threshold: the greater part
    return float(shown[sign[own]].sum()) > 0.5 * float(shown.sum())


def _groups(cells: set[int], n: int) -> list[list[int]]:
    """Cells that adjoin, together."""
    mask = np.zeros((n, n), np.uint8)
    for cell in cells:
        mask[cell // n, cell % n] = 1
    count, labels = cv2.connectedComponents(mask, connectivity=8)  # not a threshold: words may run askew
    return [np.flatnonzero(labels.ravel() == index).tolist() for index in range(1, count)]
