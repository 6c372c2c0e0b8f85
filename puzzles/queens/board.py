"""Queens boards: one queen in each row, column and region, no two touching; rules, solver and generator."""

from __future__ import annotations

import enum
import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations

Cell = tuple[int, int]
Regions = tuple[tuple[int, ...], ...]

MIN_SIZE = 4
MAX_SIZE = 12
_REPAIRS_PER_CELL = 1


class ConflictKind(enum.Enum):
    """A rule that queens break."""

    ROW = "row"
    COLUMN = "column"
    REGION = "region"
    TOUCHING = "touching"


@dataclass(frozen=True)
class Conflict:
    """A broken rule and the cells (row, column) of the queens that break it, ascending."""

    kind: ConflictKind
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class QueensBoard:
    """A board with its only solution.

    Attributes
    ----------
    n
        Rows, columns, regions and queens.
    regions
        n rows of n region numbers from 0 to n - 1.
    queens
        n cells (row, column), by row.
    seed
        What it was made with; 0 if it was not generated here.

    Raises
    ------
    ValueError
        If the shapes or numbers do not fit n, or the queens break a rule. That the solution is the only one is not
        checked.
    """

    n: int
    regions: Regions
    queens: tuple[Cell, ...]
    seed: int = 0

    def __post_init__(self) -> None:
        _check_regions(self.regions)
        if len(self.regions) != self.n:
            raise ValueError(f"the regions have {len(self.regions)} rows, not {self.n}")
        if not is_solution(self.queens, self.regions):
            raise ValueError("the queens are no solution of the regions")


def legality(queens: Sequence[Cell], regions: Sequence[Sequence[int]]) -> tuple[Conflict, ...]:
    """Return the rules that queens break; empty if they break none, even if there are too few of them.

    Parameters
    ----------
    queens
        Different cells (row, column).
    regions
        n rows of n region numbers from 0 to n - 1.

    Returns
    -------
    tuple of Conflict
        One for each row, column and region with two queens or more, and one for each pair in neighbouring cells (of
        8), in this order.

    Raises
    ------
    ValueError
        If the regions are not n x n, a number is out of range, a queen is outside the board, or two are in one cell.
    """
    _check_regions(regions)
    n = len(regions)
    cells = sorted(queens)
    for row, column in cells:
        if not (0 <= row < n and 0 <= column < n):
            raise ValueError(f"a queen is outside the board, at row {row}, column {column}")
    if len(set(cells)) != len(cells):
        raise ValueError("two queens are in one cell")
    conflicts = []
    for kind, keys in (
        (ConflictKind.ROW, [row for row, _ in cells]),
        (ConflictKind.COLUMN, [column for _, column in cells]),
        (ConflictKind.REGION, [regions[row][column] for row, column in cells]),
    ):
        for key in sorted(set(keys)):
            together = tuple(cell for cell, its_key in zip(cells, keys, strict=True) if its_key == key)
            if len(together) > 1:
                conflicts.append(Conflict(kind, together))
    for first, second in combinations(cells, 2):
        if max(abs(first[0] - second[0]), abs(first[1] - second[1])) == 1:
            conflicts.append(Conflict(ConflictKind.TOUCHING, (first, second)))
    return tuple(conflicts)


def is_solution(queens: Sequence[Cell], regions: Sequence[Sequence[int]]) -> bool:
    """Whether there are n queens and they break no rule; ValueError as in `legality`."""
    return len(queens) == len(regions) and not legality(queens, regions)


def solutions(
    regions: Sequence[Sequence[int]], limit: int = 2, most_steps: int | None = None
) -> tuple[tuple[Cell, ...], ...]:
    """Return up to ``limit`` solutions, each as cells (row, column) by row.

    ``most_steps`` bounds the search by how often it places a queen; what was found until then is returned.

    The search always goes on at the row, column or region with the fewest free cells.

    Raises
    ------
    ValueError
        If the regions are not n x n or a number is out of range.
    """
    _check_regions(regions)
    n = len(regions)
    found: list[tuple[Cell, ...]] = []
    units = _units(regions)
    steps = itertools.count() if most_steps is None else iter(range(most_steps))
    for placed in _search(units, _blocked(regions, units), (1 << n * n) - 1, steps):
        if len(found) == limit:
            break
        found.append(tuple(sorted(divmod(cell, n) for cell in placed)))
    return tuple(found)


def completed(
    regions: Sequence[Sequence[int]], placed: Sequence[Cell], most_steps: int | None = None
) -> tuple[Cell, ...] | None:
    """Return a solution that has queens in all of the given cells, or None if none was found.

    ``most_steps`` bounds the search as in `solutions`.

    Raises
    ------
    ValueError
        If the regions are not n x n or a number is out of range.
    """
    _check_regions(regions)
    n = len(regions)
    if legality(sorted(placed), regions):
        return None
    units = _units(regions)
    blocked = _blocked(regions, units)
    free = (1 << n * n) - 1
    for row, column in placed:
        cell = row * n + column
        units = [unit for unit in units if not unit >> cell & 1]
        free &= ~blocked[cell]
    steps = itertools.count() if most_steps is None else iter(range(most_steps))
    rest = next(_search(units, blocked, free, steps), None)
    return None if rest is None else tuple(sorted([*placed, *(divmod(cell, n) for cell in rest)]))


def generate_queens(n: int, seed: int = 0) -> QueensBoard:
    """Return a board with connected regions and exactly one solution. The same arguments give the same board.

    Queens are placed, regions grow around them, and while there is another solution one of its cells goes to a
    neighbouring region.

    Parameters
    ----------
    n
        From 4 to 12.
    seed
        Any whole number that is not negative.

    Raises
    ------
    ValueError
        If n or the seed is out of range.
    """
    if not MIN_SIZE <= n <= MAX_SIZE:
        raise ValueError(f"n must be from {MIN_SIZE} to {MAX_SIZE}, not {n}")
    if seed < 0:
        raise ValueError(f"the seed must not be negative, not {seed}")
    dice = random.Random(seed)
    while True:  # each try succeeds with a fair chance, so this ends
        queens = _place_queens(n, dice)
        regions = _grow_regions(n, queens, dice)
        if _repair(regions, queens, dice):
            return QueensBoard(n, tuple(tuple(row) for row in regions), queens, seed)


def _check_regions(regions: Sequence[Sequence[int]]) -> None:
    n = len(regions)
    if n == 0 or any(len(row) != n for row in regions):
        raise ValueError("the regions must be n rows of n numbers")
    numbers = {number for row in regions for number in row}
    if not numbers <= set(range(n)):
        raise ValueError(f"region numbers must be from 0 to {n - 1}")


def _units(regions: Sequence[Sequence[int]]) -> list[int]:
    """Return the rows, columns and regions as bit masks over the cells row * n + column."""
    n = len(regions)
    row = (1 << n) - 1
    column = sum(1 << (n * down) for down in range(n))
    of_regions = [0] * n
    for cell, number in enumerate(chain.from_iterable(regions)):
        of_regions[number] |= 1 << cell
    return [row << n * down for down in range(n)] + [column << right for right in range(n)] + of_regions


def _blocked(regions: Sequence[Sequence[int]], units: list[int]) -> list[int]:
    """Return, for each cell, the mask of the cells that a queen there rules out, its own included."""
    n = len(regions)
    return [
        near | units[cell // n] | units[n + cell % n] | units[2 * n + number]
        for cell, (near, number) in enumerate(zip(_near(n), chain.from_iterable(regions), strict=True))
    ]


@cache
def _near(n: int) -> tuple[int, ...]:
    """Return, for each cell row * n + column, the mask of its up to 8 neighbours."""
    cells = ((row, column) for row in range(n) for column in range(n))
    return tuple(sum(1 << (r * n + c) for r, c in _neighbours(n, *cell, diagonal=True)) for cell in cells)


def _search(units: list[int], blocked: list[int], free: int, steps: Iterator[int]) -> Iterator[list[int]]:
    """Yield the sets of cells that put one queen in each of the units, each set once, until no steps are left."""
    if not units:
        yield []
        return
    # The unit with the fewest free cells: one without any ends the branch at once.
    tightest = min(units, key=lambda unit: (unit & free).bit_count())
    candidates = tightest & free
    while candidates and next(steps, None) is not None:
        bit = candidates & -candidates
        candidates ^= bit
        cell = bit.bit_length() - 1
        rest = [unit for unit in units if not unit & bit]
        for placed in _search(rest, blocked, free & ~blocked[cell], steps):
            yield [cell, *placed]


@cache
def _neighbours(n: int, row: int, column: int, *, diagonal: bool = False) -> tuple[Cell, ...]:
    steps = [(-1, 0), (0, -1), (0, 1), (1, 0)]
    if diagonal:
        steps += [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    cells = [(row + down, column + right) for down, right in steps]
    return tuple((r, c) for r, c in cells if 0 <= r < n and 0 <= c < n)


def _pick(cells: Sequence[Cell], dice: random.Random) -> Cell:
    # Only random() is promised to give the same numbers in every Python version.
    return cells[int(dice.random() * len(cells))]


def _place_queens(n: int, dice: random.Random) -> tuple[Cell, ...]:
    """Return queens in random columns, one a row and a column, none touching the one above."""
    while True:
        queens: list[Cell] = []
        columns = set(range(n))
        for row in range(n):
            above = queens[-1][1] if queens else -2
            free = [(row, column) for column in sorted(columns) if abs(column - above) > 1]
            if not free:
                break
            queens.append(_pick(free, dice))
            columns.remove(queens[-1][1])
        else:
            return tuple(queens)


def _grow_regions(n: int, queens: Sequence[Cell], dice: random.Random) -> list[list[int]]:
    """Return regions that grew one cell at a time from the queens; a queen's region is its row."""
    regions = [[-1] * n for _ in range(n)]
    for number, (row, column) in enumerate(queens):
        regions[row][column] = number
    for _ in range(n * n - n):
        # Each side that a region shares with an empty cell is as likely, so regions with longer outlines grow faster.
        steps = [
            ((row, column), regions[near_row][near_column])
            for row in range(n)
            for column in range(n)
            if regions[row][column] < 0
            for near_row, near_column in _neighbours(n, row, column)
            if regions[near_row][near_column] >= 0
        ]
        (row, column), number = steps[int(dice.random() * len(steps))]
        regions[row][column] = number
    return regions


def _repair(regions: list[list[int]], queens: tuple[Cell, ...], dice: random.Random) -> bool:
    """Move cells of other solutions to neighbouring regions, in place, until none is left; False to give up."""
    n = len(regions)
    everywhere = [(row, column) for row in range(n) for column in range(n)]
    for _ in range(_REPAIRS_PER_CELL * n * n):
        others = [found for found in solutions(regions, 2) if found != queens]
        if not others:
            return True
        # Where no cell of the other solution can move, any move changes what can.
        moves = _moves(regions, others[0], queens) or _moves(regions, everywhere, queens)
        if not moves:
            return False
        (row, column), (near_row, near_column) = moves[int(dice.random() * len(moves))]
        regions[row][column] = regions[near_row][near_column]
    return False


def _moves(regions: list[list[int]], cells: Sequence[Cell], queens: tuple[Cell, ...]) -> list[tuple[Cell, Cell]]:
    """Return (cell, its neighbour in another region) for the cells without a queen that may join that region."""
    n = len(regions)
    masks = _padded_masks(regions)
    moves: list[tuple[Cell, Cell]] = []
    for row, column in cells:
        number = regions[row][column]
        others = [near for near in _neighbours(n, row, column) if regions[near[0]][near[1]] != number]
        if others and (row, column) not in queens:
            rest = masks[number] & ~(1 << (row * (n + 1) + column))
            if rest and _one_piece(rest, n + 1):
                moves.extend(((row, column), other) for other in others)
    return moves


def _padded_masks(regions: Sequence[Sequence[int]]) -> list[int]:
    """Return the regions as bit masks over row * (n + 1) + column: an empty column keeps rows apart in shifts."""
    n = len(regions)
    masks = [0] * n
    for row, numbers in enumerate(regions):
        for column, number in enumerate(numbers):
            masks[number] |= 1 << (row * (n + 1) + column)
    return masks


def _one_piece(mask: int, stride: int) -> bool:
    """Whether the cells of a padded mask, at least one, hang together over their sides."""
    reached = mask & -mask
    while True:
        grown = (reached | reached << 1 | reached >> 1 | reached << stride | reached >> stride) & mask
        if grown == reached:
            return reached == mask
        reached = grown
