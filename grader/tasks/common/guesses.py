"""How often a guess is right, where an answer is no list of moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from grader.model.errors import FieldViolation, InvalidRequestError
from grader.model.jobs import TaskInput
from grader.tasks.common.chance import ChanceLevel, PlanChance, Walk

InputT = TypeVar("InputT", bound=TaskInput)


def guesses(field: str, answers: Mapping[Walk, Callable[[InputT], int]]) -> PlanChance[InputT]:
    """The chance level of guesses, each of so many answers as likely.

    Parameters
    ----------
    field : str
        Of the task, for the fault of a puzzle that has no answers.
    answers : mapping
        By walk, how many answers can be given to a puzzle; the published one first.
    """

    def levels(task: InputT) -> tuple[ChanceLevel, ...]:
        counts = {walk: count(task) for walk, count in answers.items()}
        if min(counts.values()) < 1:
            raise InvalidRequestError(FieldViolation(field, "MISSING", "the puzzle offers no answers"))
        return tuple(ChanceLevel(walk, 1 / count, True) for walk, count in counts.items())

    return PlanChance(tuple(answers), levels)
