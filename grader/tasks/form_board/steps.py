"""What a series of pictures of a form board shows: pieces that are moved into the silhouette or back, one at a time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from detectors.form_board.board import FormBoardFindings, ShapeSeen
from detectors.form_board.fitting import ShapeChange
from grader.tasks.form_board.judge import CHANGES, judge_drawn_board, laid_piece
from grader.tasks.form_board.puzzle import PreparedBoard
from grader.tasks.form_board.settings import PlacingRules
from grader.tasks.plans.model import StepSeen
from grader.tasks.plans.steps import PictureFault, ShownPlan, ShownStep
from puzzles.form_board.rules import area_without, shared_area

Laid = Mapping[str, ShapeSeen]
"""Pieces in a silhouette by their labels."""
BACK = "-"
"""Stands before the label of a piece that is moved back."""


def read_form_steps(
    puzzle: PreparedBoard, pictures: Sequence[FormBoardFindings | None], rules: PlacingRules
) -> ShownPlan:
    """Reads the moves between pictures.

    Parameters
    ----------
    puzzle : PreparedBoard
        With outlines.
    pictures : sequence of FormBoardFindings or None
        What is seen in each; None for one that does not decode.
    rules : PlacingRules
    """
    steps: list[ShownStep] = []
    before: Laid = {}
    legal: Laid = {}
    faulty = False
    for seen in pictures:
        step, after = _step(puzzle, before, seen, rules)
        steps.append(step)
        faulty = faulty or step.fault is not None
        before = before if after is None else after
        legal = legal if faulty else before
    last = pictures[-1] if pictures else None
    reached = last is not None and not judge_drawn_board(puzzle, last, False, rules).reasons
    return ShownPlan(tuple(steps), reached, moves_left(puzzle, legal, rules))


def moves_left(puzzle: PreparedBoard, laid: Laid, rules: PlacingRules) -> int:
    """The least number of moves from pieces in the silhouette to it being filled."""
    counts = []
    for tiling in puzzle.tilings:
        good = [
            label
            for label, goal in tiling.offsets.items()
            if label in laid and math.dist(laid[label].moved, goal) <= rules.place * puzzle.side
        ]
        # A piece that lies elsewhere in the silhouette is moved at once.
        strangers = [label for label in laid if label not in tiling.labels]
        counts.append(len(tiling.labels) - len(good) + len(strangers))
    return min(counts)


def _step(
    puzzle: PreparedBoard, before: Laid, seen: FormBoardFindings | None, rules: PlacingRules
) -> tuple[ShownStep, Laid | None]:
    """What a picture shows, and the pieces in it; None where they can't be told."""
    if seen is None:
        unread = PictureFault("STEP_UNREADABLE", "it can't be read.")
        return ShownStep(StepSeen((), False, (unread.code,)), unread), None
    shapes = [one for one in seen.shapes if one.inside >= rules.stray]
    fault = _altered(shapes, seen, rules)
    if fault is not None:
        return ShownStep(StepSeen((), False, (fault.code,)), fault), None
    after = {one.label: one for one in shapes}
    reach = rules.place * puzzle.side
    put = [label for label in after if label not in before]
    back = [label for label in before if label not in after]
    shifted = [
        label for label in after if label in before and math.dist(after[label].moved, before[label].moved) > reach
    ]
    moves = (*put, *(f"{BACK}{label}" for label in back), *shifted)
    if len(moves) > 1:
        fault = PictureFault("STEP_MISSING", f"{len(moves)} moves at once: {', '.join(moves)}.")
    elif moves and not back:
        fault = _misplaced(puzzle, after, moves[0], rules)
    step = ShownStep(StepSeen(moves, bool(moves) and fault is None, () if fault is None else (fault.code,)), fault)
    return step, after


def _altered(shapes: Sequence[ShapeSeen], seen: FormBoardFindings, rules: PlacingRules) -> PictureFault | None:
    """What in a picture is no piece as it was given."""
    for one in shapes:
        if one.change is not ShapeChange.AS_GIVEN:
            how = CHANGES[one.change][1]
            text = f"piece {one.label} lies there {how}." if one.label else f"what lies there {how}."
            return PictureFault("STEP_ALTERED", text, one.label)
    labels = [one.label for one in shapes]
    twice = sorted({label for label in labels if labels.count(label) > 1})
    if twice:
        return PictureFault("STEP_ALTERED", f"piece {twice[0]} is there {labels.count(twice[0])} times.", twice[0])
    if any(thing.size >= rules.beside for thing in seen.beside):
        return PictureFault("STEP_ALTERED", "something else is drawn beside the silhouette.")
    return None


def _misplaced(puzzle: PreparedBoard, laid: Laid, label: str, rules: PlacingRules) -> PictureFault | None:
    """Why a piece can't be put where it lies: it sticks out, or lies on another one."""
    here = laid_piece(puzzle, laid[label])
    if here is None or puzzle.board is None:
        return None
    if area_without(here, puzzle.board.polygon) > rules.outside * here.area:
        return PictureFault("STEP_ILLEGAL", f"piece {label} sticks out of the silhouette.", label)
    for other, shape in laid.items():
        area = None if other == label else laid_piece(puzzle, shape)
        if area is not None and shared_area(here, area) > rules.overlap * min(here.area, area.area):
            return PictureFault("STEP_ILLEGAL", f"piece {label} lies on piece {other}.", label)
    return None


def moves_that_matter(puzzle: PreparedBoard, moves: Sequence[str]) -> int | None:
    """How many moves of a plan bring in pieces that stay; None where these do not fill the silhouette."""
    staying = [move for move in dict.fromkeys(moves) if not move.startswith(BACK) and moves.count(f"{BACK}{move}") == 0]
    found = frozenset(staying)
    return len(found) if found in puzzle.right else None
