"""Judges a plan in words in both readings; the lenient one, which is a person's, decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from grader.answers.result import Parsed, Reading, Readings, Unread
from grader.model.places import Place
from grader.model.verdict import Metric, Outcome, Reason
from grader.tasks.common.judgement import Judgement, optional_metric
from grader.tasks.plans.answers import PlanJudgement, no_plan
from grader.tasks.plans.model import PlanObservation, PlanReading
from grader.tasks.plans.progress import progress_made, too_long
from grader.tasks.plans.rewards import Matter, plan_reward
from grader.tasks.plans.settings import PlanRules

EndT = TypeVar("EndT")
MovesT = TypeVar("MovesT")


TOO_LARGE = "the puzzle has too many states to search them all"


def judge_words(
    readings: Mapping[Reading, PlanJudgement[EndT]],
    left: Callable[[EndT], int | None],
    needed: int | None,
    rules: PlanRules,
    matter: Matter,
    extra: Callable[[PlanJudgement[EndT]], tuple[Metric, ...]] = lambda _: (),
) -> Judgement:
    """Judges words.

    Parameters
    ----------
    readings : mapping
        What is said of the words in each reading.
    left : callable
        Gives how many moves are left at least from a state.
    needed : int or None
        How many are needed at first.
    rules : PlanRules
    matter : callable
        Counts the moves of a plan that matter.
    extra : callable
        Further metrics, from the lenient judgement.
    """
    lenient = readings[Reading.LENIENT]
    answered = lenient.end is not None
    progress = 0.0 if lenient.end is None else 1.0 if lenient.solved else progress_made(needed, left(lenient.end))
    reasons: tuple[Reason, ...] = ()
    spam = too_long(len(lenient.moves), needed, rules)
    if spam is not None:
        reasons, progress = (spam,), 0.0
    elif lenient.fault is not None:
        places = () if lenient.failed_move is None else (Place(move=lenient.failed_move + 1),)
        reasons = (Reason(lenient.fault.value, lenient.message, places),)
    return Judgement(
        outcome=Outcome.FAIL if reasons else Outcome.PASS,
        score=float(lenient.solved),
        reward=plan_reward(
            lenient.moves, passed=not reasons, progress=progress, needed=needed, matter=matter, rules=rules
        ),
        metrics=(
            Metric("parse_strict", float(readings[Reading.STRICT].solved)),
            Metric("parse_lenient", float(lenient.solved)),
            *extra(lenient),
            optional_metric("moves", float(len(lenient.moves)) if answered else None, "there is no plan"),
            optional_metric("least_moves", None if needed is None else float(needed), TOO_LARGE),
            optional_metric("plan_progress", None if needed is None else progress, TOO_LARGE),
        ),
        reasons=reasons,
        observation=PlanObservation(tuple(_seen(one) for one in readings.values())),
    )


def judge_whole(
    readings: Mapping[Reading, PlanJudgement[EndT]], extra: Callable[[PlanJudgement[EndT]], tuple[Metric, ...]]
) -> Judgement:
    """Judges an answer that is right or wrong as a whole, and earns all or nothing.

    Parameters
    ----------
    readings : mapping
        What is said of the words in each reading.
    extra : callable
        Further metrics, from the lenient judgement.
    """
    lenient = readings[Reading.LENIENT]
    reasons = () if lenient.fault is None else (Reason(lenient.fault.value, lenient.message),)
    return Judgement(
        outcome=Outcome.FAIL if reasons else Outcome.PASS,
        score=float(lenient.solved),
        reward=float(lenient.solved),
        metrics=(
            Metric("parse_strict", float(readings[Reading.STRICT].solved)),
            Metric("parse_lenient", float(lenient.solved)),
            *extra(lenient),
        ),
        reasons=reasons,
        observation=PlanObservation(tuple(_seen(one) for one in readings.values())),
    )


def _seen(judged: PlanJudgement[EndT]) -> PlanReading:
    return PlanReading(
        judged.reading, judged.end is not None, judged.moves, judged.solved, judged.message, judged.spans, judged.unread
    )


def judged_in_both(
    readings: Readings[MovesT], judge: Callable[[Parsed[MovesT]], PlanJudgement[EndT]]
) -> dict[Reading, PlanJudgement[EndT]]:
    """What is said of a text in each reading; what both read the same is judged once."""
    lenient = _judged(Reading.LENIENT, readings.lenient, judge)
    strict = readings.strict
    if isinstance(strict, Parsed):
        return {Reading.STRICT: replace(lenient, reading=Reading.STRICT), Reading.LENIENT: lenient}
    return {Reading.STRICT: no_plan(Reading.STRICT, strict), Reading.LENIENT: lenient}


def _judged(
    reading: Reading, read: Parsed[MovesT] | Unread, judge: Callable[[Parsed[MovesT]], PlanJudgement[EndT]]
) -> PlanJudgement[EndT]:
    return (
        no_plan(reading, read) if isinstance(read, Unread) else replace(judge(read), reading=reading, spans=read.spans)
    )
