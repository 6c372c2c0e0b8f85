"""Judges a picture of a chain after every turn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from grader.answers.result import Reading
from grader.tasks.common.judgement import Judgement
from grader.tasks.hinge_folding.judge import steps_of, whole_reasons
from grader.tasks.hinge_folding.puzzle import HingeChain
from grader.tasks.hinge_folding.reading import read_chain
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from grader.tasks.hinge_folding.words import judge_hinges
from grader.tasks.plans.model import StepSeen
from grader.tasks.plans.steps import PictureFault, ShownPlan, ShownStep, judge_steps
from puzzles.hinge_folding.chain import ANGLE_STEP, compare

_STEPS = 8  # not a threshold: angles of a hinge
_STEP_DEG = 45  # not a threshold: what they are apart
State = tuple[int, ...]


def judge_hinge_pictures(
    puzzle: HingeChain, images: Sequence[NDArray[np.uint8] | None], text: str, settings: HingeFoldingSettings
) -> Judgement:
    """Judges a picture after every turn; ``puzzle.given`` has to be there."""
    goal: State = tuple(round(angle / ANGLE_STEP) % _STEPS for angle in puzzle.target)
    shown: State = (0,) * len(goal)
    legal, faulty = shown, False
    steps: list[ShownStep] = []
    for image in images:
        step, state = _step(puzzle, shown, image, settings)
        steps.append(step)
        faulty = faulty or step.fault is not None
        shown = state or shown
        legal = legal if faulty else shown
    reached = bool(steps) and _same(puzzle, shown)
    words = judge_hinges(puzzle, text)[Reading.LENIENT]
    return judge_steps(
        ShownPlan(tuple(steps), reached, _left(legal, goal)),
        words.moves if words.end is not None else None,
        words.solved,
        _left((0,) * len(goal), goal),
        settings.plan,
        _matter,
    )


def _step(
    puzzle: HingeChain, before: State, image: NDArray[np.uint8] | None, settings: HingeFoldingSettings
) -> tuple[ShownStep, State | None]:
    if image is None:
        none = PictureFault("STEP_UNREADABLE", "it does not decode.")
        return ShownStep(StepSeen((), False, (none.code,)), none), None
    read = read_chain(puzzle, image, settings)
    whole = whole_reasons(read.seen, read.faults, settings.drawn)
    state = steps_of(read.seen, settings.drawn)
    degrees = () if state is None else tuple(float(step * _STEP_DEG) for step in state)
    fault: PictureFault | None = None
    moves: tuple[str, ...] = ()
    if whole:
        code = "STEP_UNREADABLE" if whole[0].code == "NO_CHAIN" else "STEP_ALTERED"
        code = "STEP_ILLEGAL" if whole[0].code in ("CHAIN_CUT", "CHAIN_TURNED") else code
        fault = PictureFault(code, f"{whole[0].message[0].lower()}{whole[0].message[1:]}")
    elif state is None:
        fault = PictureFault("STEP_ILLEGAL", "a hinge is turned by no multiple of 45 degrees.")
    else:
        turned = [
            (at, (new - old) % _STEPS) for at, (old, new) in enumerate(zip(before, state, strict=True)) if new != old
        ]
        moves = tuple(f"{puzzle.hinges[at]} {by * _STEP_DEG}" for at, by in turned)
        if len(moves) > 1:
            fault = PictureFault("STEP_MISSING", f"{len(moves)} turns at once: {', '.join(moves)}.")
    codes = () if fault is None else (fault.code,)
    seen = StepSeen(moves, fault is None and len(moves) == 1, codes, hinges_deg=degrees)
    return ShownStep(seen, fault), None if whole else state


def _same(puzzle: HingeChain, state: State) -> bool:
    return compare(puzzle.shapes, [step * ANGLE_STEP for step in state], puzzle.target).same


def _left(state: State, goal: State) -> int:
    """How many hinges are still to be turned."""
    return sum(one != other for one, other in zip(state, goal, strict=True))


def _matter(moves: Sequence[str]) -> int | None:
    """How many turns of a list matter: one of each hinge that ends at another angle than at first."""
    ends: dict[str, int] = {}
    for move in moves:
        hinge, _, angle = move.partition(" ")
        ends[hinge] = (ends.get(hinge, 0) + int(angle)) % (_STEPS * _STEP_DEG)
    return sum(map(bool, ends.values()))
