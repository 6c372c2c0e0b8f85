"""Judges what was seen in a silhouette: every piece as it was given, once, in its place, and nothing left free.

It sees no pixels.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import shapely

from detectors.form_board.board import FormBoardFindings, ShapeSeen
from detectors.form_board.explained import Unexplained
from detectors.form_board.fitting import ShapeChange
from detectors.form_board.page.leftover import LeftOver
from detectors.form_board.scene import Box
from grader.model.places import PixelBox, Place
from grader.model.verdict import Reason
from grader.tasks.common.labels import listed
from grader.tasks.common.progress import FAILED_REWARD, count
from grader.tasks.form_board.puzzle import PreparedBoard
from grader.tasks.form_board.settings import PlacingRules
from puzzles.form_board.rules import Tiling, moved, shared_area

CHANGES = {
    ShapeChange.JOINED: ("PIECES_JOINED", "is larger than any piece: no cut shows which pieces it is made of"),
    ShapeChange.UNKNOWN: ("PIECE_INVENTED", "is none of the pieces"),
    ShapeChange.MIRRORED: ("PIECE_MIRRORED", "mirrored"),
    ShapeChange.TURNED: ("PIECE_TURNED", "turned"),
    ShapeChange.SCALED: ("PIECE_SCALED", "in another size"),
    ShapeChange.ALTERED: ("PIECE_ALTERED", "in another shape"),
}
"""What became of a piece: the code, and how that is said. The gravest first."""


@dataclass(frozen=True)
class BoardFit:
    """What is said of a drawn board.

    Attributes
    ----------
    reasons : gravest first; empty where it is right
    shapes : what lies in the silhouette
    right : of each, whether it is a piece that belongs there
    tiling : the way to fill the silhouette that it comes nearest to
    gaps : share of the silhouette that is left free
    reward : 0 to 1
    """

    reasons: tuple[Reason, ...]
    shapes: tuple[ShapeSeen, ...]
    right: tuple[bool, ...]
    tiling: Tiling
    gaps: float
    reward: float

    @property
    def placed(self) -> float:
        """Share of the pieces of the tiling that lie in their places."""
        return sum(self.right) / len(self.tiling.labels)

    @property
    def intact(self) -> float:
        """Share of the shapes that are pieces as they were given."""
        whole = [one for one in self.shapes if one.change is ShapeChange.AS_GIVEN]
        return len(whole) / len(self.shapes) if self.shapes else 0.0

    @property
    def recognised(self) -> frozenset[str]:
        """The pieces that are there as they were given."""
        return frozenset(one.label for one in self.shapes if one.change is ShapeChange.AS_GIVEN)


def judge_drawn_board(puzzle: PreparedBoard, seen: FormBoardFindings, beside: bool, rules: PlacingRules) -> BoardFit:
    """Judges a drawn board.

    Parameters
    ----------
    puzzle : PreparedBoard
        With outlines.
    seen : FormBoardFindings
    beside : bool
        Whether there are further drawings beside the puzzle.
    rules : PlacingRules
    """
    shapes = vouched(puzzle, seen, rules)
    tiling = max(puzzle.tilings, key=lambda one: sum(right_in(puzzle, shapes, one, rules)))
    right = right_in(puzzle, shapes, tiling, rules)
    gaps = sum((gap.size for gap in seen.gaps), 0.0)
    reasons = tuple(_reasons(puzzle, seen, shapes, tiling, right, gaps, beside, rules))
    # What is drawn beside was added to the puzzle: then nothing is earned, as where a piece was changed.
    spoilt = any(one.change is not ShapeChange.AS_GIVEN for one in shapes) or any(
        reason.code == "DRAWN_BESIDE" for reason in reasons
    )
    progress = 0.0 if spoilt else max(0.0, sum(right) - (len(right) - sum(right))) / len(tiling.labels)
    return BoardFit(reasons, shapes, right, tiling, gaps, 1.0 if not reasons else FAILED_REWARD * min(1.0, progress))


def judge_closely(judged: BoardFit, look: Callable[[Tiling], Unexplained], rules: PlacingRules) -> BoardFit:
    """What is said of a board that seems right, once every pixel of it was compared with pieces in their places."""
    if judged.reasons:
        return judged
    seen = look(judged.tiling)
    reasons = []
    if seen.faint:
        text = f"Piece {seen.faint[0]} is hardly coloured."
        reasons.append(Reason("PIECE_FAINT", text, _boxes(judged, seen.faint)))
    if seen.swapped:
        place, used = seen.swapped[0]
        text = f"Piece {used} lies there in the shape of piece {place}, which is still where it was given."
        reasons.append(Reason("PIECE_ALTERED", text, _boxes(judged, [one for one, _ in seen.swapped])))
    if seen.things:
        places = tuple(Place(box=box_of(box), object=label) for label, box in seen.things)
        reasons.append(Reason("PIECE_INVENTED", f"Something is drawn onto piece {seen.things[0][0]}.", places))
    # What sticks out of a piece in its own colour is told of the piece.
    strange = [
        one for one in seen.left if is_strange(one, rules) and not any(_meet(one.box, box) for _, box in seen.apart)
    ]
    if strange:
        first = max(strange, key=lambda one: (one.size * one.contrast, one.box))
        what = f" in the colour of piece {first.like}" if first.like and first.thick >= rules.solid else ""
        text = (
            f"Something{what} is drawn {'at' if first.away <= rules.touching else 'beside'} the silhouette: "
            f"{100 * first.size:.2g} % of its area, with a contrast of {first.contrast:.2f}."
        )
        reasons.append(Reason("DRAWN_BESIDE", text, tuple(Place(box=box_of(one.box)) for one in strange)))
    spoilt = bool(reasons)
    off = sorted({label for label, _ in seen.apart})
    if off:
        places = tuple(Place(box=box_of(box), object=label) for label, box in seen.apart)
        text = f"Piece {off[0]} does not fill its place to the rim, or sticks out: moved, turned, or in another size."
        reasons.append(Reason("PIECE_MISPLACED", text, places))
    if not reasons:
        return judged
    right = tuple(good and one.label not in off for good, one in zip(judged.right, judged.shapes, strict=True))
    progress = 0.0 if spoilt else max(0.0, sum(right) - (len(right) - sum(right))) / len(judged.tiling.labels)
    return replace(judged, reasons=tuple(reasons), right=right, reward=FAILED_REWARD * progress)


def _meet(one: Box, other: Box) -> bool:
    """Whether two boxes have something in common."""
    return min(one[2], other[2]) > max(one[0], other[0]) and min(one[3], other[3]) > max(one[1], other[1])


def is_strange(one: LeftOver, rules: PlacingRules) -> bool:
    """Whether what is drawn on the page is neither words, nor a sign, a strip along its edge, a piece about."""
    if one.strip or (one.piece and one.away > rules.touching):
        return False
    if one.away <= rules.touching:
        return one.beyond >= rules.bump
    if one.word:
        return False
    solid = one.thick >= rules.solid
    return (
        one.away <= rules.near
        or (solid and bool(one.like))
        or (solid and one.filled >= rules.hull and one.size >= rules.block)
        or (one.extent >= rules.spread and one.hull < 1.0)  # not a threshold: a larger one goes around all of it
    )


def _boxes(judged: BoardFit, labels: Sequence[str]) -> tuple[Place, ...]:
    return tuple(Place(box=box_of(one.box), object=one.label) for one in judged.shapes if one.label in labels)


def vouched(puzzle: PreparedBoard, seen: FormBoardFindings, rules: PlacingRules) -> tuple[ShapeSeen, ...]:
    """What lies in the silhouette; a last piece that is not plain by itself is, where all others are in their places.

    Then what is left of the silhouette is the piece: its outline is that of the others and of the silhouette. Sharp
    corners between dark lines are hard to see.
    """
    shapes = tuple(one for one in seen.shapes if one.inside >= rules.stray)
    vague = [at for at, one in enumerate(shapes) if one.change in (ShapeChange.ALTERED, ShapeChange.SCALED)]
    if len(vague) != 1 or sum(gap.size for gap in seen.gaps) > rules.gap:
        return shapes
    at, one = vague[0], shapes[vague[0]]
    if 1.0 - one.inside > rules.outside:
        return shapes
    for tiling in puzzle.tilings:
        whole = replace(one, change=ShapeChange.AS_GIVEN)
        if one.change is ShapeChange.SCALED and one.label in tiling.offsets:
            # A letter that reaches from rim to rim cuts off what lies beyond it.
            if _box_off(puzzle, one, tiling) > rules.cut * puzzle.side:
                continue
            whole = replace(whole, moved=tiling.offsets[one.label])
        elif one.deviation > rules.vague:
            continue
        made = (*shapes[:at], whole, *shapes[at + 1 :])
        if len(made) == len(tiling.labels) and all(right_in(puzzle, made, tiling, rules)):
            return made
    return shapes


def _box_off(puzzle: PreparedBoard, shape: ShapeSeen, tiling: Tiling) -> float:
    """How far the sides of a shape's box are from those of its piece in its place, at most, in pixels."""
    if puzzle.board is None:
        return math.inf
    piece = next(one for one in puzzle.board.pieces if one.label == shape.label)
    bounds = moved(piece.polygon, tiling.offsets[shape.label]).bounds
    return float(max(abs(one - other) for one, other in zip(shape.box, bounds, strict=True)))


def right_in(
    puzzle: PreparedBoard, shapes: Sequence[ShapeSeen], tiling: Tiling, rules: PlacingRules
) -> tuple[bool, ...]:
    """Of each shape, whether it is a piece of a tiling in its place; each piece counts once."""
    found: list[bool] = []
    taken: set[str] = set()
    for one in shapes:
        goal = tiling.offsets.get(one.label)
        near = (
            goal is not None
            and one.change is ShapeChange.AS_GIVEN
            and one.label not in taken
            and math.dist(one.moved, goal) <= rules.place * puzzle.side
        )
        found.append(near)
        taken |= {one.label} if near else set()
    return tuple(found)


def _reasons(
    puzzle: PreparedBoard,
    seen: FormBoardFindings,
    shapes: Sequence[ShapeSeen],
    tiling: Tiling,
    right: Sequence[bool],
    gaps: float,
    beside: bool,
    rules: PlacingRules,
) -> list[Reason]:
    if not shapes:
        return [Reason("NO_PIECES", "Nothing lies in the silhouette.", (Place(box=puzzle.box),))]
    reasons = []
    hidden = _covered(puzzle, shapes, rules)
    for change, (code, how) in CHANGES.items():
        of_kind = [at for at, one in enumerate(shapes) if one.change is change and at not in hidden]
        if of_kind:
            first = shapes[of_kind[0]]
            text = f"Piece {first.label} lies there {how}." if first.label else f"What lies there {how}."
            reasons.append(Reason(code, text, _places(shapes, of_kind)))
    if hidden:
        text = f"{count(len(hidden), 'piece')} partly covered by another one, such as piece {shapes[hidden[0]].label}."
        reasons.append(Reason("PIECES_OVERLAP", text, _places(shapes, hidden)))
    whole = [at for at, one in enumerate(shapes) if one.change is ShapeChange.AS_GIVEN]
    times = Counter(shapes[at].label for at in whole)
    twice = sorted(label for label, number in times.items() if number > 1)
    if twice:
        again = [at for at in whole if shapes[at].label == twice[0]]
        reasons.append(
            Reason("PIECE_TWICE", f"Piece {twice[0]} is there {times[twice[0]]} times.", _places(shapes, again))
        )
    wrong = [at for at in whole if shapes[at].label not in tiling.labels]
    if wrong:
        labels = sorted({shapes[at].label for at in wrong})
        text = f"{'Piece' if len(labels) == 1 else 'Pieces'} {listed(labels)} {'is' if len(labels) == 1 else 'are'} "
        reasons.append(Reason("WRONG_PIECES", f"{text}not needed.", _places(shapes, wrong)))
    astray = [at for at in whole if not right[at] and at not in wrong and times[shapes[at].label] == 1]
    if astray:
        text = f"Piece {shapes[astray[0]].label} does not lie where it fits."
        reasons.append(Reason("PIECE_MISPLACED", text, _places(shapes, astray)))
    told = {*wrong, *astray, *(at for at, good in enumerate(right) if good)}
    outside = [at for at, one in enumerate(shapes) if 1.0 - one.inside > rules.outside and at not in told]
    if outside:
        reasons.append(
            Reason("OUTSIDE_SILHOUETTE", "What lies there sticks out of the silhouette.", _places(shapes, outside))
        )
    if gaps > rules.gap:
        text = f"{100 * gaps:.1f} % of the silhouette is left free."
        reasons.append(Reason("GAPS", text, tuple(Place(box=box_of(gap.box)) for gap in seen.gaps)))
    missing = sorted(tiling.labels - {shapes[at].label for at in range(len(shapes)) if right[at]})
    if missing and not reasons:
        reasons.append(Reason("PIECES_MISSING", f"{_named(missing)} missing.", (Place(box=puzzle.box),)))
    if seen.lines.size > rules.lines:
        text = "The silhouette's outline, or another line, is seen beside what lies in it."
        reasons.append(Reason("OUTLINE_APART", text, (Place(box=box_of(seen.lines.box)),)))
    things = [thing for thing in seen.beside if thing.size >= rules.beside]
    if things or beside:
        places = tuple(Place(box=box_of(thing.box)) for thing in things)
        reasons.append(Reason("DRAWN_BESIDE", "Something else is drawn beside the silhouette.", places))
    return reasons


def _named(labels: list[str]) -> str:
    return f"Piece {labels[0]} is" if len(labels) == 1 else f"Pieces {listed(labels)} are"


def _covered(puzzle: PreparedBoard, shapes: Sequence[ShapeSeen], rules: PlacingRules) -> list[int]:
    """Shapes that are pieces of which others cover a part."""
    laid = [laid_piece(puzzle, one) for one in shapes]
    found = []
    for at, one in enumerate(shapes):
        here = laid[at]
        if one.change is not ShapeChange.ALTERED or here is None:
            continue
        others = [area for other, area in enumerate(laid) if other != at and area is not None]
        if any(shared_area(here, area) > rules.overlap * here.area for area in others):
            found.append(at)
    return found


def laid_piece(puzzle: PreparedBoard, shape: ShapeSeen) -> shapely.Polygon | None:
    """A piece where it seems to lie; None for what is no piece, or was turned or scaled."""
    if puzzle.board is None or shape.change not in (ShapeChange.AS_GIVEN, ShapeChange.ALTERED):
        return None
    piece = next(one for one in puzzle.board.pieces if one.label == shape.label)
    return moved(piece.polygon, shape.moved)


def _places(shapes: Sequence[ShapeSeen], which: Sequence[int]) -> tuple[Place, ...]:
    return tuple(Place(box=box_of(shapes[at].box), object=shapes[at].label) for at in which)


def box_of(box: Box) -> PixelBox:
    """Left, top, right and bottom as a box."""
    left, top, right, bottom = box
    return PixelBox(left, top, right - left, bottom - top)
