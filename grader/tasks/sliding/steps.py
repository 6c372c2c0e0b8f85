"""What a series of pictures of a sliding puzzle shows: the moves between them, and the first that is not allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from grader.tasks.plans.model import StepSeen
from grader.tasks.plans.settings import PLAN_RULES, PlanRules
from grader.tasks.plans.steps import PictureFault, ShownPlan, ShownStep
from grader.tasks.sliding.progress import least_moves_of_tiles
from puzzles.sliding.shape import BLANK
from puzzles.sliding.tiles import SlidingPuzzle, State, apply_move, legal_moves

ALTERED = "STEP_ALTERED"
UNKNOWN = 0
"""Stands on a cell that shows no tile of the puzzle."""


def read_tile_steps(
    puzzle: SlidingPuzzle,
    pictures: Sequence[State | None],
    rules: PlanRules = PLAN_RULES,
    drawn: Sequence[int | None] = (),
) -> ShownPlan:
    """Reads the moves between pictures.

    Parameters
    ----------
    puzzle : SlidingPuzzle
    pictures : sequence of tuple of int or None
        The tiles in each picture, row by row: -1 the blank, 0 what is no tile; None for a picture that does not decode,
        or does not show the board.
    rules : PlanRules
    drawn : sequence of int or None
        For each picture the tile, or -1, over which something is drawn; None for none.
    """
    steps: list[ShownStep] = []
    shown: State = puzzle.start
    legal: State = puzzle.start
    faulty = False
    for number, picture in enumerate(pictures):
        step = _step(shown, picture)
        if number < len(drawn) and drawn[number] is not None and (step.fault is None or step.fault.code != ALTERED):
            step = _drawn_on(step, drawn[number])
        steps.append(step)
        faulty = faulty or step.fault is not None
        # A state with a tile twice is no state; what follows is compared with the last that was one.
        if picture is not None and sorted(picture) == sorted(puzzle.start):
            shown = picture
        if not faulty:
            legal = shown
    reached = bool(pictures) and pictures[-1] == puzzle.target
    return ShownPlan(tuple(steps), reached, least_moves_of_tiles(legal, puzzle.target, rules.most_states))


def _drawn_on(step: ShownStep, tile: int | None) -> ShownStep:
    where = "the blank" if tile == BLANK else f"tile {tile}"
    fault = PictureFault(ALTERED, f"something is drawn over {where}.", "" if tile == BLANK else str(tile))
    return ShownStep(replace(step.seen, legal=False, faults=(ALTERED,)), fault)


def _step(before: State, picture: State | None) -> ShownStep:
    if picture is None:
        return ShownStep(
            StepSeen((), False, ("STEP_UNREADABLE",)), PictureFault("STEP_UNREADABLE", "it can't be read.")
        )
    fault = _not_a_state(before, picture)
    if fault is not None:
        return ShownStep(StepSeen((), False, (fault.code,), picture), fault)
    if picture == before:
        return ShownStep(StepSeen((), False, (), picture), None)
    for move in legal_moves(before):
        after = apply_move(before, move)
        if after == picture:
            return ShownStep(StepSeen((move.value,), True, (), picture), None)
        for second in legal_moves(after):
            if apply_move(after, second) == picture:
                names = (move.value, second.value)
                fault = PictureFault("STEP_MISSING", f"2 moves at once: {', '.join(names)}.")
                return ShownStep(StepSeen(names, False, (fault.code,), picture), fault)
    moved = sum(one != other for one, other in zip(before, picture, strict=True))
    fault = PictureFault("STEP_ILLEGAL", f"{moved} cells change, which no move does.")
    return ShownStep(StepSeen((), False, (fault.code,), picture), fault)


def _not_a_state(before: State, picture: State) -> PictureFault | None:
    counts = Counter(picture)
    twice = [tile for tile, count in counts.items() if count > 1 and tile not in (UNKNOWN, BLANK)]
    if twice:
        return PictureFault(ALTERED, f"tile {twice[0]} is there {counts[twice[0]]} times.", str(twice[0]))
    if counts[BLANK] != 1:
        return PictureFault(ALTERED, f"there are {counts[BLANK]} blank cells.")
    missing = sorted(set(before) - set(picture))
    if missing:
        return PictureFault(ALTERED, f"tile {missing[0]} is not there.", str(missing[0]))
    return None
