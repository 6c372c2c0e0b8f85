"""Makes form boards: a silhouette cut into pieces, among pieces that complete nothing.

The level is the number of pieces that fill the silhouette. Up to level 5 there are five pieces, as in the public
boards; beyond, two more than fill it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Final

import numpy as np
import shapely

from puzzles.form_board.cuts import FitRules, area_of, cut_in_two, cut_up, difference, is_fit
from puzzles.form_board.rules import Corners, FormBoard, FormPiece, Offset, Tiling, sets_of_area, tilings
from puzzles.form_board.shapes import SIDE, SILHOUETTES

MAX_LEVEL: Final = 8
_FEWEST: Final = 5
_BEYOND: Final = 2
_STARTS: Final = 200
_TRIES: Final = 400


@dataclass(frozen=True)
class OfferRules:
    """What a board has to be.

    Attributes
    ----------
    cuts : which pieces are fit
    least_difference : any two pieces differ by at least this share of the smaller one's area
    least_area : a piece that completes nothing has at least this share of the area of the one that it comes from
    least_margin : no other set of pieces has an area within this share of the silhouette's, or if it has, it contains a
        piece that is mirrored or turned, so that it fills nothing
    """

    cuts: FitRules = field(default_factory=FitRules)
    least_difference: float = 0.2
    least_area: float = 0.4
    least_margin: float = 0.03


@dataclass(frozen=True)
class FormBoardPuzzle:
    """A board with the only set of pieces that fills it.

    Attributes
    ----------
    board : silhouette and pieces
    shape : the silhouette's name
    level : the number of pieces that fill it
    solution : where each of them lies
    """

    board: FormBoard
    shape: str
    level: int
    solution: Tiling

    @property
    def labels(self) -> tuple[str, ...]:
        """The pieces that fill the silhouette, in the order of their labels."""
        return tuple(sorted(self.solution.labels))

    @property
    def order(self) -> tuple[str, ...]:
        """The same in the order in which they are laid: from the top down."""
        pieces = {piece.label: piece for piece in self.board.pieces}

        def top(label: str) -> tuple[float, float]:
            x, y = pieces[label].polygon.centroid.coords[0]
            dx, dy = self.solution.offsets[label]
            return y + dy, x + dx

        return tuple(sorted(self.labels, key=top))


def pieces_of_level(level: int) -> int:
    """How many pieces are offered."""
    return max(_FEWEST, level + _BEYOND) if level > _FEWEST else _FEWEST


def generate_form_board(level: int, seed: int, rules: OfferRules | None = None) -> FormBoardPuzzle:
    """Makes a board whose silhouette is filled by just one set of pieces, which has as many as its level.

    The same arguments give the same board.

    Parameters
    ----------
    level : int
        1 to 8.
    seed : int
        Not negative.
    rules : OfferRules or None

    Raises
    ------
    ValueError
        If the level is out of range.
    RuntimeError
        If no board was found from this seed.
    """
    if not 1 <= level <= MAX_LEVEL:
        raise ValueError(f"the level must be from 1 to {MAX_LEVEL}, not {level}")
    rules = rules or OfferRules()
    names = list(SILHOUETTES)
    for start in range(_STARTS):
        dice = random.Random(f"form board {level} {seed} {start}")
        name = names[int(dice.random() * len(names))]
        silhouette = tuple((float(x), float(y)) for x, y in SILHOUETTES[name](dice))
        parts = cut_up(silhouette, level, dice, rules.cuts)
        if parts is None or not _apart(parts, rules):
            continue
        others = _distractors(parts, pieces_of_level(level) - level, dice, rules)
        if others is None:
            continue
        puzzle = _board(silhouette, name, parts, others, dice)
        if puzzle is not None and _is_safe(puzzle, rules):
            return puzzle
    raise RuntimeError(f"no form board of level {level} was found from seed {seed}")


def _board(
    silhouette: Corners, name: str, parts: Sequence[Corners], others: Sequence[Corners], dice: random.Random
) -> FormBoardPuzzle | None:
    """The board with its pieces in an order drawn by chance; None if another set fills the silhouette too."""
    shuffled = sorted(((dice.random(), corners) for corners in (*parts, *others)), key=lambda pair: pair[0])
    pieces = []
    offsets: dict[str, Offset] = {}
    for label, (_, corners) in zip(ascii_uppercase, shuffled, strict=False):
        left, top = (min(values) for values in zip(*corners, strict=True))
        pieces.append(FormPiece(label, tuple((x - left, y - top) for x, y in corners)))
        if corners in parts:
            offsets[label] = (left, top)
    board = FormBoard(silhouette, tuple(pieces))
    found = tilings(board)
    if [one.labels for one in found] != [frozenset(offsets)]:
        return None
    return FormBoardPuzzle(board, name, len(parts), Tiling(offsets))


def _is_safe(puzzle: FormBoardPuzzle, rules: OfferRules) -> bool:
    """Whether no other set comes near to filling the silhouette: areas differ, or pieces stick out."""
    area = puzzle.board.polygon.area
    near = sets_of_area(puzzle.board.pieces, area, rules.least_margin * area)
    others = [one for one in near if {piece.label for piece in one} != puzzle.solution.labels]
    if not others:
        return True
    # What is nearly of the right area is laid with as much slack, and must not fit even so.
    return len(tilings(puzzle.board, rules.least_margin)) == 1


def _apart(pieces: Sequence[Corners], rules: OfferRules) -> bool:
    return all(
        difference(one, other) >= rules.least_difference for at, one in enumerate(pieces) for other in pieces[:at]
    )


def _distractors(
    parts: Sequence[Corners], count: int, dice: random.Random, rules: OfferRules
) -> tuple[Corners, ...] | None:
    """Pieces that come from right ones, changed so that it can be seen; None if not enough are found."""
    made: list[Corners] = []
    for _ in range(_TRIES):
        if len(made) == count:
            return tuple(made)
        source = parts[int(dice.random() * len(parts))]
        change = _CHANGES[int(dice.random() * len(_CHANGES))]
        other = change(source, dice, rules.cuts)
        if other is None or area_of(other) < rules.least_area * area_of(source) or not is_fit(other, rules.cuts):
            continue
        x, y = zip(*other, strict=True)
        if max(max(x) - min(x), max(y) - min(y)) > SIDE:
            continue
        if all(difference(other, one) >= rules.least_difference for one in (*parts, *made)):
            made.append(other)
    return tuple(made) if len(made) == count else None


def _half(source: Corners, dice: random.Random, rules: FitRules) -> Corners | None:
    """A part of a right piece."""
    for _ in range(rules.tries):
        cut = cut_in_two(source, dice, rules)
        if cut is not None:
            return cut[int(2 * dice.random())]
    return None


def _stretched(source: Corners, dice: random.Random, _rules: FitRules) -> Corners:
    """Longer or shorter in one direction."""
    factor = 0.68 + 0.14 * dice.random()
    factor = factor if dice.random() < 0.6 else 1 / factor
    across = dice.random() < 0.5
    return tuple((x * factor, y) if across else (x, y * factor) for x, y in source)


def _mirrored(source: Corners, dice: random.Random, _rules: FitRules) -> Corners:
    """Mirrored left and right, or top and bottom."""
    across = dice.random() < 0.5
    return tuple((-x, y) if across else (x, -y) for x, y in reversed(source))


def _turned(source: Corners, dice: random.Random, _rules: FitRules) -> Corners:
    """Turned by a quarter or a half."""
    way = int(3 * dice.random())
    turns = ((0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    cosine, sine = turns[way]
    return tuple((cosine * x - sine * y, sine * x + cosine * y) for x, y in source)


def _bent(source: Corners, dice: random.Random, _rules: FitRules) -> Corners:
    """With one corner elsewhere."""
    at = int(dice.random() * len(source))
    x, y = source[at]
    middle = np.array(shapely.Polygon(source).centroid.coords[0])
    away = np.array((x, y)) - middle
    factor = 0.45 + 0.25 * dice.random() if dice.random() < 0.5 else 1.3 + 0.3 * dice.random()
    moved = (float(middle[0] + factor * away[0]), float(middle[1] + factor * away[1]))
    return (*source[:at], moved, *source[at + 1 :])


_CHANGES = (_half, _half, _stretched, _mirrored, _turned, _bent)
