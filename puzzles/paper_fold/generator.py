"""Makes paper folds of a level: the folds, the punches, and five patterns of which one is right."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import shapely

from puzzles.paper_fold.patterns import (
    LEAST_CLEARANCE,
    LEAST_DIFFERENCE,
    LEAST_SPACING,
    RADIUS,
    Mistake,
    WrongPattern,
    difference,
    is_drawable,
    spacing,
    wrong_patterns,
)
from puzzles.paper_fold.rules import (
    FLAT,
    GRID,
    Fold,
    FoldedSheet,
    FoldType,
    Outline,
    Point,
    fold_all,
    unfold,
)

LABELS = "ABCDE"
MAX_LEVEL = 6
MOST_HOLES = 20
"""Of a pattern."""
_OFFSETS = 16  # lines lie at so many parts of a side
_PLACES = 128  # holes too
_LEAST_SHARE, _MOST_SHARE = 0.18, 0.5
_LEAST_AREA = 0.07  # of what is left of the sheet
_TRIES = 4000
_FOLD_TRIES = 24
_PUNCH_TRIES = 24
_MOST_PUNCHED = 3


@dataclass(frozen=True)
class PaperFoldPuzzle:
    """A sheet, and what may be seen on it once it is unfolded.

    Attributes
    ----------
    folds : in the order in which they are made
    punches : where the folded sheet is punched through all layers
    options : the patterns that are offered, of the unfolded sheet, by label
    wrong : of each option, the mistake that gives it, and the fold, counted from 1; None for the right one
    """

    folds: tuple[Fold, ...]
    punches: Outline
    options: tuple[Outline, ...]
    wrong: tuple[tuple[Mistake, int] | None, ...]

    @cached_property
    def sheets(self) -> tuple[FoldedSheet, ...]:
        """The flat sheet, and the sheet after each fold."""
        return fold_all(self.folds)

    @cached_property
    def holes(self) -> tuple[Outline, ...]:
        """The holes of the sheet after no fold, after the first, ... and after the last."""
        return unfold(self.sheets, self.folds, self.punches)

    @property
    def level(self) -> int:
        """The number of folds, each of which doubles a hole."""
        return len(self.folds)

    @property
    def label(self) -> str:
        """The label of the right pattern."""
        return LABELS[solve(self)]


def solve(puzzle: PaperFoldPuzzle) -> int:
    """The place of the one option that the unfolded sheet shows; ValueError where that is none, or several."""
    right = [at for at, option in enumerate(puzzle.options) if difference(option, puzzle.holes[0]) <= RADIUS]
    if len(right) != 1:
        raise ValueError(f"{len(right)} options show the unfolded sheet")
    return right[0]


def is_exact(sheets: Sequence[FoldedSheet], folds: Sequence[Fold], punches: Sequence[Point]) -> bool:
    """Whether every fold counts: it doubles a hole, and whoever forgets it sees another pattern."""
    holes = unfold(sheets, folds, punches)
    if any(len(before) <= len(after) for before, after in pairwise(holes)):
        return False
    forgotten = [one for one in wrong_patterns(sheets, folds, punches) if one.mistake is Mistake.FOLD_FORGOTTEN]
    return all(difference(one.holes, holes[0]) >= LEAST_DIFFERENCE for one in forgotten)


def generate_paper_fold(level: int, seed: int) -> PaperFoldPuzzle:
    """Makes a puzzle; the same arguments give the same one.

    Parameters
    ----------
    level : int
        Folds, 1 to 6.
    seed : int
        Not negative.

    Raises
    ------
    ValueError
        If the level is out of range.
    RuntimeError
        If none was found from this seed.
    """
    if not 1 <= level <= MAX_LEVEL:
        raise ValueError(f"the level must be from 1 to {MAX_LEVEL}, not {level}")
    dice = random.Random(f"paper-fold {level} {seed}")
    for _ in range(_TRIES):
        folds = _folds(dice, level)
        if folds is None:
            continue
        sheets = fold_all(folds)
        punches = _punches(dice, sheets, folds)
        if punches is None:
            continue
        made = _with_options(dice, sheets, folds, punches)
        if made is not None:
            return made
    raise RuntimeError(f"no paper fold of level {level} was found from seed {seed}")


def _folds(dice: random.Random, level: int) -> tuple[Fold, ...] | None:
    """Folds that each lay a part over the rest, and leave enough of the sheet; None where chance gives none."""
    folds: list[Fold] = []
    outline = FLAT.silhouette
    for _ in range(level):
        found = next((one for one in (_fold(dice, outline) for _ in range(_FOLD_TRIES)) if one is not None), None)
        if found is None or found[1].area < _LEAST_AREA:
            return None
        folds.append(found[0])
        outline = found[1]
    return tuple(folds)


def _fold(dice: random.Random, outline: shapely.Polygon) -> tuple[Fold, shapely.Polygon] | None:
    """A fold of what a sheet covers, and what it covers then; None where chance gives none that fits."""
    kind = tuple(FoldType)[int(dice.random() * len(FoldType))]
    lowest = -_OFFSETS if kind is FoldType.DIAG_POS else 0
    offset = (int(dice.random() * (2 * _OFFSETS + 1)) + lowest) / _OFFSETS
    fold = Fold(kind, offset, dice.random() < 0.5)
    over = shapely.intersection(outline, fold.half_plane(True), grid_size=GRID)
    if not _LEAST_SHARE * outline.area <= over.area <= _MOST_SHARE * outline.area:
        return None
    stays = shapely.intersection(outline, fold.half_plane(False), grid_size=GRID)
    flap = shapely.Polygon([fold.mirror((x, y)) for x, y in shapely.get_coordinates(over).tolist()])
    return (fold, stays) if shapely.covers(stays, flap) else None


def _punches(dice: random.Random, sheets: Sequence[FoldedSheet], folds: Sequence[Fold]) -> Outline | None:
    """Places clear of edges and creases, of which every fold doubles one; None where chance gives none."""
    left, low, right, high = (round(_PLACES * bound) for bound in sheets[-1].silhouette.bounds)
    lattice = [(x / _PLACES, y / _PLACES) for x in range(left, right + 1) for y in range(low, high + 1)]
    places = [one for one, away in zip(lattice, sheets[-1].clearances(lattice), strict=True) if away >= LEAST_CLEARANCE]
    wanted = 1 + int(dice.random() * _MOST_PUNCHED)
    punches: list[Point] = []
    for _ in range(_PUNCH_TRIES if places else 0):
        more = [*punches, places[int(dice.random() * len(places))]]
        flat = unfold(sheets, folds, more)[0]
        if len(flat) > MOST_HOLES or spacing(flat) < LEAST_SPACING:
            continue
        punches = more
        if len(punches) >= wanted and is_exact(sheets, folds, punches):
            return tuple(punches)
        if len(punches) >= _MOST_PUNCHED:
            return None
    return None


def _with_options(
    dice: random.Random, sheets: Sequence[FoldedSheet], folds: tuple[Fold, ...], punches: Outline
) -> PaperFoldPuzzle | None:
    """The puzzle with wrong patterns of as many mistakes as there are; None where too few can be told apart."""
    right = unfold(sheets, folds, punches)[0]
    wrongs = [*wrong_patterns(sheets, folds, punches), *(_displaced(dice, right, len(folds)) for _ in range(3))]
    wrongs.sort(key=lambda _: dice.random())
    left = [one for one in wrongs if is_drawable(one.holes) and difference(one.holes, right) >= LEAST_DIFFERENCE]
    chosen: list[WrongPattern] = []
    used: Counter[Mistake] = Counter()
    while len(chosen) < len(LABELS) - 1:
        if not left:
            return None
        best = min(left, key=lambda one: used[one.mistake])  # the first of those that are as rare
        chosen.append(best)
        used[best.mistake] += 1
        left = [one for one in left if difference(one.holes, best.holes) >= LEAST_DIFFERENCE]
    place = int(dice.random() * len(LABELS))
    options = [one.holes for one in chosen]
    mistakes: list[tuple[Mistake, int] | None] = [(one.mistake, one.fold) for one in chosen]
    options.insert(place, right)
    mistakes.insert(place, None)
    return PaperFoldPuzzle(folds, punches, tuple(options), tuple(mistakes))


def _displaced(dice: random.Random, right: Outline, fold: int) -> WrongPattern:
    """The right pattern with one hole elsewhere."""
    at = int(dice.random() * len(right))
    place = (round(dice.random() * _PLACES) / _PLACES, round(dice.random() * _PLACES) / _PLACES)
    return WrongPattern((*right[:at], place, *right[at + 1 :]), Mistake.HOLE_DISPLACED, fold)
