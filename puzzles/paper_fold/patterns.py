"""Patterns of holes on the unfolded sheet: which can be told apart at a glance, and mistakes that give wrong ones."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import shapely

from puzzles.paper_fold.rules import Fold, FoldedSheet, FoldType, Outline, Point, crease_of, doubled, unfold

RADIUS = 0.035
"""Of a hole, in sides of the sheet."""
LEAST_CLEARANCE = 1.6 * RADIUS
"""From a hole's middle to an edge or a crease."""
LEAST_SPACING = 0.1
"""From the middle of a hole to that of the next."""
LEAST_DIFFERENCE = 0.1
"""Of two patterns: so far from some hole of one of them the other has none. A hole's width is 0.07."""


class Mistake(enum.Enum):
    """What somebody who arrives at a wrong pattern did.

    FOLD_FORGOTTEN: a fold was not undone. MIRROR_WRONG: holes were mirrored at another line than the fold's.
    HOLE_NOT_DOUBLED: a hole was left where it is, and not punched through the flap too. HOLE_MOVED: holes went along
    with the flap, and were not left below it. HOLE_DISPLACED: one hole lies elsewhere.
    """

    FOLD_FORGOTTEN = "fold_forgotten"
    MIRROR_WRONG = "mirror_wrong"
    HOLE_NOT_DOUBLED = "hole_not_doubled"
    HOLE_MOVED = "hole_moved"
    HOLE_DISPLACED = "hole_displaced"


@dataclass(frozen=True)
class WrongPattern:
    """A pattern, and the mistake that gives it at a fold, counted from 1."""

    holes: Outline
    mistake: Mistake
    fold: int


def difference(one: Sequence[Point], other: Sequence[Point]) -> float:
    """How far some hole of either pattern lies from all of the other's, at most; 1.5 sides where one is empty."""
    if not one or not other:
        return 1.5 if one or other else 0.0
    return max(
        max(min(math.dist(a, b) for b in second) for a in first) for first, second in ((one, other), (other, one))
    )


def is_drawable(holes: Sequence[Point]) -> bool:
    """Whether holes lie whole on the sheet, and apart."""
    inside = all(LEAST_CLEARANCE <= part <= 1 - LEAST_CLEARANCE for hole in holes for part in hole)
    return bool(holes) and inside and spacing(holes) >= LEAST_SPACING


def spacing(holes: Sequence[Point]) -> float:
    """The least distance of two holes; a side and a half of fewer."""
    pairs = [math.dist(one, other) for at, one in enumerate(holes) for other in holes[:at]]
    return min(pairs, default=1.5)


def wrong_patterns(
    sheets: Sequence[FoldedSheet], folds: Sequence[Fold], punches: Sequence[Point]
) -> Iterator[WrongPattern]:
    """What mistakes give, those of the last fold first; some may be right all the same, or can't be drawn."""
    holes = unfold(sheets, folds, punches)
    for at in range(len(folds) - 1, -1, -1):
        for mistake in (Mistake.FOLD_FORGOTTEN, Mistake.HOLE_MOVED):
            yield WrongPattern(_unfolded(sheets, folds, punches, at, mistake), mistake, at + 1)
        for other in _other_lines(sheets[at], folds[at]):
            mirrored = _unfolded(sheets, folds, punches, at, Mistake.MIRROR_WRONG, other=other)
            yield WrongPattern(mirrored, Mistake.MIRROR_WRONG, at + 1)
        for left in range(len(holes[at]) - len(holes[at + 1])):
            less = _unfolded(sheets, folds, punches, at, Mistake.HOLE_NOT_DOUBLED, left=left)
            yield WrongPattern(less, Mistake.HOLE_NOT_DOUBLED, at + 1)


def _unfolded(
    sheets: Sequence[FoldedSheet],
    folds: Sequence[Fold],
    punches: Sequence[Point],
    wrong: int,
    mistake: Mistake,
    *,
    other: Fold | None = None,
    left: int = 0,
) -> Outline:
    """The holes of the flat sheet with one mistake at one fold."""
    holes = list(punches)
    for at in range(len(folds) - 1, -1, -1):
        both = doubled(sheets[at + 1], holes)
        if at != wrong:
            holes += [folds[at].mirror(one) for one in both]
        elif mistake is Mistake.HOLE_MOVED:
            holes = [folds[at].mirror(one) if one in both else one for one in holes]
        elif mistake is Mistake.MIRROR_WRONG and other is not None:
            holes += [other.mirror(one) for one in both]
        elif mistake is Mistake.HOLE_NOT_DOUBLED:
            holes += [folds[at].mirror(one) for number, one in enumerate(both) if number != left]
        holes = list(dict.fromkeys(holes))
    return tuple(holes)


def _other_lines(sheet: FoldedSheet, fold: Fold) -> list[Fold]:
    """The lines of the other kinds through the middle of the crease."""
    middle = shapely.get_coordinates(shapely.centroid(crease_of(sheet, fold)))[0].tolist()
    through = {
        FoldType.HORIZONTAL: middle[1],
        FoldType.VERTICAL: middle[0],
        FoldType.DIAG_POS: middle[1] - middle[0],
        FoldType.DIAG_NEG: middle[0] + middle[1],
    }
    return [Fold(kind, offset, fold.above) for kind, offset in through.items() if kind is not fold.kind]
