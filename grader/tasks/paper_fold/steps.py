"""Verdicts on a picture after each fold that is undone: each follows from the one before, and the last is flat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.answers.result import Reading
from grader.media.pyramid import Pyramid
from grader.model.places import Place
from grader.model.verdict import Metric, Outcome, Reason
from grader.tasks.common.judgement import Judgement, optional_metric
from grader.tasks.common.progress import FAILED_REWARD, count
from grader.tasks.paper_fold.judge import SHEET_CHANGES, judge_sheet
from grader.tasks.paper_fold.pictures import SheetLook, is_changed, look_at, sheet_metrics
from grader.tasks.paper_fold.puzzle import FoldedPuzzle, SheetState
from grader.tasks.paper_fold.settings import PaperFoldSettings
from grader.tasks.paper_fold.words import judge_paper_fold
from grader.tasks.plans.model import StepSeen, StepsObservation

_GRAVEST_FIRST = ("STEP_ALTERED", "STEP_UNREADABLE", "STEP_ILLEGAL", "STEP_MISSING")
_ALTERED = frozenset({"MARK_NOT_A_HOLE", "HOLE_OUTSIDE", "HOLE_SIZE", "HOLES_EVERYWHERE", *SHEET_CHANGES})


@dataclass(frozen=True)
class _Step:
    """What one picture shows: how many folds are left, None where that can't be told; and what is wrong with it."""

    left: int | None
    look: SheetLook | None
    fault: tuple[str, str] | None
    undone: tuple[int, ...] = ()


def judge_sheet_steps(
    puzzle: FoldedPuzzle, images: Sequence[NDArray[np.uint8] | None], text: str, settings: PaperFoldSettings
) -> Judgement:
    """Judges a series of pictures, and the words around them."""
    left, progress, faulty = puzzle.folds, 0, False
    steps: list[_Step] = []
    for image in images:
        step = _look(puzzle, image, left, settings)
        steps.append(step)
        faulty = faulty or step.fault is not None
        if step.left is not None and (step.fault is None or step.fault[0] != "STEP_ALTERED"):
            left = min(left, step.left)
        if not faulty:
            progress = puzzle.folds - left
    last = steps[-1].look if steps else None
    reached = bool(steps) and steps[-1].left == 0 and last is not None and not last.judged.reasons
    reasons = _reasons(steps, reached)
    altered = any(step.fault is not None and step.fault[0] == "STEP_ALTERED" for step in steps)
    earned = 1.0 if not reasons else 0.0 if altered else FAILED_REWARD * progress / puzzle.folds
    words = judge_paper_fold(puzzle, text)[Reading.LENIENT] if puzzle.labels else None
    flat = puzzle.states[0]
    shown = last.judged if last else judge_sheet(None, flat.holes, flat.radius, settings.rules)
    wrong = next((number for number, step in enumerate(steps, 1) if step.fault is not None), None)
    return Judgement(
        outcome=Outcome.FAIL if reasons else Outcome.PASS,
        score=float(not reasons),
        reward=earned,
        metrics=(
            Metric("solved_by_images", float(not reasons)),
            optional_metric(
                "solved_by_words", None if words is None else float(words.solved), "the request has no labels"
            ),
            Metric("images", float(len(steps))),
            Metric("images_minus_expected", float(len(steps) - puzzle.folds)),
            optional_metric("first_wrong_step", None if wrong is None else float(wrong), "no step is wrong"),
            Metric("missing_steps", float(sum(max(0, len(step.undone) - 1) for step in steps))),
            Metric("extra_steps", float(sum(step.fault is None and not step.undone for step in steps))),
            *sheet_metrics(shown),
        ),
        reasons=reasons,
        observation=StepsObservation(tuple(map(_seen, steps)), () if words is None else words.moves),
    )


def _look(puzzle: FoldedPuzzle, image: NDArray[np.uint8] | None, left: int, settings: PaperFoldSettings) -> _Step:
    """Looks at a picture as one of the next state, and as any other where it is not that one."""
    if image is None:
        return _Step(None, None, ("STEP_UNREADABLE", "it does not decode."))
    pyramid = Pyramid(image)
    states = sorted(puzzle.states, key=lambda state: (state.number != left - 1, abs(state.number - left)))
    looks: list[tuple[SheetState, SheetLook]] = []
    for state in states:
        look = look_at(state, pyramid, settings)
        looks.append((state, look))
        if not is_changed(look) and look.judged.recall >= settings.rules.told:
            break
    state, look = max(looks, key=lambda one: _likeness(one[1]))
    if look.found is None:
        return _Step(None, None, ("STEP_UNREADABLE", "it does not show the sheet."))
    number = state.number
    undone = tuple(range(left, number, -1))
    reason = next(iter(look.judged.reasons), None)
    if reason is not None and reason.code in _ALTERED:
        return _Step(number, look, ("STEP_ALTERED", reason.message), undone)
    if reason is not None:
        return _Step(number, look, ("STEP_ILLEGAL", reason.message), undone)
    if number > left:
        return _Step(number, look, ("STEP_ILLEGAL", f"{count(number, 'fold')} are there again."), undone)
    if len(undone) > 1:
        return _Step(number, look, ("STEP_MISSING", f"{len(undone)} folds are undone at once."), undone)
    return _Step(number, look, None, undone)


def _likeness(look: SheetLook) -> tuple[bool, bool, float]:
    """How well a state explains a picture: wholly, with the sheet as it was, by its holes and its agreement."""
    judged = look.judged
    return (
        not judged.reasons,
        not is_changed(look),
        judged.precision + judged.recall + judged.whole + look.alignment.quality,
    )


def _seen(step: _Step) -> StepSeen:
    moves = tuple(f"unfold {number}" for number in step.undone)
    return StepSeen(moves, step.fault is None and bool(moves), () if step.fault is None else (step.fault[0],))


def _reasons(steps: Sequence[_Step], reached: bool) -> tuple[Reason, ...]:
    if not steps:
        return (Reason("NO_IMAGES", "The model drew no picture."),)
    reasons = []
    for code in _GRAVEST_FIRST:
        wrong = [(number, step.fault) for number, step in enumerate(steps, 1) if step.fault and step.fault[0] == code]
        if wrong:
            first, fault = wrong[0]
            places = tuple(Place(step=number) for number, _ in wrong)
            reasons.append(Reason(code, f"Picture {first}: {fault[1]}", places))
    if not reached and not reasons:
        text = "The last picture does not show the unfolded sheet."
        reasons.append(Reason("GOAL_NOT_SHOWN", text, (Place(step=len(steps)),)))
    return tuple(reasons)
