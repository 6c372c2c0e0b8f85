"""Judges a series of pictures, one after every action, whatever puzzle they are of.

What is told apart: the plan that the pictures show, the plan that the model's own words name, and how many pictures
there are, against the actions in words and against the shortest solution (MentisOculi, E: images against actions and
against the expected number).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.model.jobs import CandidateKind
from grader.model.places import Place
from grader.model.verdict import Metric, Outcome, Reason
from grader.tasks.common.declarations import MetricInfo
from grader.tasks.common.judgement import Judgement, optional_metric
from grader.tasks.plans.model import StepSeen, StepsObservation
from grader.tasks.plans.progress import progress_made, too_long
from grader.tasks.plans.rewards import Matter, plan_reward
from grader.tasks.plans.settings import PlanRules
from grader.tasks.plans.words import TOO_LARGE

_KINDS = (CandidateKind.FRAMES,)

STEP_METRICS: tuple[MetricInfo, ...] = (
    MetricInfo(
        "solved_by_images",
        "1 if every picture follows by at most one legal move and the last shows the goal; the score.",
        "1",
        True,
        0.0,
        1.0,
        _KINDS,
    ),
    MetricInfo("solved_by_words", "1 if the moves that the words name solve the puzzle.", "1", True, 0.0, 1.0, _KINDS),
    MetricInfo(
        "agreement",
        "Share of the longer list, of moves shown and moves named, that is alike.",
        "1",
        True,
        0.0,
        1.0,
        _KINDS,
    ),
    MetricInfo("images", "Pictures in the series.", "count", True, 0.0, 1e6, _KINDS),
    MetricInfo("images_minus_actions", "Pictures less moves that the words name.", "count", True, -1e6, 1e6, _KINDS),
    MetricInfo(
        "images_minus_expected", "Pictures less the moves of a shortest plan.", "count", True, -1e6, 1e6, _KINDS
    ),
    MetricInfo("first_wrong_step", "The first picture that does not follow, from 1.", "count", True, 1.0, 1e6, _KINDS),
    MetricInfo("missing_steps", "Moves that are shown together with another one.", "count", False, 0.0, 1e6, _KINDS),
    MetricInfo("extra_steps", "Pictures that show the state of the one before.", "count", False, 0.0, 1e6, _KINDS),
)


_GRAVEST_FIRST = ("STEP_ALTERED", "STEP_UNREADABLE", "STEP_ILLEGAL", "STEP_MISSING")


@dataclass(frozen=True)
class PictureFault:
    """What is wrong with a picture: a code of `STEP_REASONS`, a sentence, and the object it is about, if one."""

    code: str
    message: str
    object: str = ""


@dataclass(frozen=True)
class ShownStep:
    """What one picture shows against the one before.

    Attributes
    ----------
    seen : for the observation
    fault : what is wrong with it; None if it follows by one legal move, or shows the same state
    """

    seen: StepSeen
    fault: PictureFault | None


@dataclass(frozen=True)
class ShownPlan:
    """What a series shows.

    Attributes
    ----------
    steps : one a picture
    reached : whether the last picture shows the goal
    left : the least number of moves from the state before the first fault; None if it is not known
    """

    steps: tuple[ShownStep, ...]
    reached: bool
    left: int | None


def judge_steps(
    shown: ShownPlan,
    named: tuple[str, ...] | None,
    words_solve: bool,
    needed: int | None,
    rules: PlanRules,
    matter: Matter,
) -> Judgement:
    """Judges a series.

    Parameters
    ----------
    shown : ShownPlan
    named : tuple of str or None
        The moves that the words name; None where they name none.
    words_solve : bool
        Whether these solve the puzzle.
    needed : int or None
        The moves of a shortest solution.
    rules : PlanRules
    matter : callable
        Counts the moves of a plan that matter.
    """
    faults = [(place, step.fault) for place, step in enumerate(shown.steps, start=1) if step.fault is not None]
    reasons = _reasons(faults, shown)
    solved = not reasons
    moves = [move for step in shown.steps for move in step.seen.moves]
    progress = 1.0 if solved else progress_made(needed, shown.left) if shown.steps else 0.0
    spam = too_long(len(moves), needed, rules)
    if spam is not None:
        reasons, progress = (*reasons, spam), 0.0
    passed = not reasons
    altered = any(fault.code == "STEP_ALTERED" for _, fault in faults)
    earned = plan_reward(moves, passed=passed, progress=progress, needed=needed, matter=matter, rules=rules)
    count = len(shown.steps)
    no_words = "the words name no moves"
    return Judgement(
        outcome=Outcome.PASS if passed else Outcome.FAIL,
        score=float(solved),
        reward=0.0 if altered else earned,
        metrics=(
            Metric("solved_by_images", float(solved)),
            Metric("solved_by_words", float(words_solve)),
            optional_metric("agreement", None if named is None else _agreement(moves, named), no_words),
            Metric("images", float(count)),
            optional_metric("images_minus_actions", None if named is None else float(count - len(named)), no_words),
            optional_metric("images_minus_expected", None if needed is None else float(count - needed), TOO_LARGE),
            optional_metric("first_wrong_step", float(faults[0][0]) if faults else None, "no step is wrong"),
            Metric("missing_steps", float(sum(max(0, len(step.seen.moves) - 1) for step in shown.steps))),
            Metric("extra_steps", float(sum(_repeats(step) for step in shown.steps))),
            Metric("moves", float(len(moves))),
            optional_metric("least_moves", None if needed is None else float(needed), TOO_LARGE),
            optional_metric("plan_progress", None if needed is None else progress, TOO_LARGE),
        ),
        reasons=reasons,
        observation=StepsObservation(tuple(step.seen for step in shown.steps), named or ()),
    )


def _repeats(step: ShownStep) -> bool:
    return step.fault is None and not step.seen.moves


def _reasons(faults: list[tuple[int, PictureFault]], shown: ShownPlan) -> tuple[Reason, ...]:
    if not shown.steps:
        return (Reason("NO_IMAGES", "The model drew no picture."),)
    reasons = []
    for code in _GRAVEST_FIRST:
        of_code = [(place, fault) for place, fault in faults if fault.code == code]
        if of_code:
            first, fault = of_code[0]
            places = tuple(Place(step=place, object=one.object) for place, one in of_code)
            reasons.append(Reason(code, f"Picture {first}: {fault.message}", places))
    if not shown.reached and not reasons:
        reasons.append(
            Reason("GOAL_NOT_SHOWN", "The last picture does not show the goal.", (Place(step=len(shown.steps)),))
        )
    return tuple(reasons)


def _agreement(moves: Sequence[str], named: Sequence[str]) -> float:
    """The common prefix over the longer list: order matters, so what comes after a difference does not count."""
    longest = max(len(moves), len(named))
    alike = 0
    for one, other in zip(moves, named, strict=False):
        if one != other:
            break
        alike += 1
    return alike / longest if longest else 1.0
