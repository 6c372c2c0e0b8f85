"""What is said of a plan in words, whatever puzzle it is for."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Generic, TypeVar

from grader.answers.result import NoAnswer, Reading, Span, Unread

EndT = TypeVar("EndT")


class PlanFault(enum.Enum):
    """Why a plan is wrong."""

    ANSWER_MISSING = "ANSWER_MISSING"
    ANSWER_EMPTY = "ANSWER_EMPTY"
    ANSWER_REFUSED = "ANSWER_REFUSED"
    ANSWER_UNREADABLE = "ANSWER_UNREADABLE"
    ANSWER_AMBIGUOUS = "ANSWER_AMBIGUOUS"
    UNKNOWN_VEHICLE = "UNKNOWN_VEHICLE"
    IMMOVABLE_VEHICLE = "IMMOVABLE_VEHICLE"
    OFF_THE_GRID = "OFF_THE_GRID"
    UNKNOWN_HINGE = "UNKNOWN_HINGE"
    WRONG_SILHOUETTE = "WRONG_SILHOUETTE"
    WRONG_PIECES = "WRONG_PIECES"
    PIECES_MISSING = "PIECES_MISSING"
    WRONG_PATTERN = "WRONG_PATTERN"
    WRONG_CHOICE = "WRONG_CHOICE"
    WRONG_ORDER = "WRONG_ORDER"
    LINES_CONTRADICT = "LINES_CONTRADICT"
    LINES_MISSING = "LINES_MISSING"
    WRONG_JUDGMENT = "WRONG_JUDGMENT"
    WRONG_POSITION = "WRONG_POSITION"
    WRONG_CHANGE = "WRONG_CHANGE"
    GOAL_NOT_REACHED = "GOAL_NOT_REACHED"


NO_ANSWER = {
    NoAnswer.MISSING: PlanFault.ANSWER_MISSING,
    NoAnswer.EMPTY: PlanFault.ANSWER_EMPTY,
    NoAnswer.REFUSED: PlanFault.ANSWER_REFUSED,
    NoAnswer.UNREADABLE: PlanFault.ANSWER_UNREADABLE,
    NoAnswer.AMBIGUOUS: PlanFault.ANSWER_AMBIGUOUS,
}


@dataclass(frozen=True)
class PlanJudgement(Generic[EndT]):
    """What is said of a written plan.

    Attributes
    ----------
    reading : how it was read
    moves : the moves as they were understood, such as ``A forward`` or ``up``, or turns, or labels; empty where there
        is no answer
    fault : why it is wrong; None if it solves the puzzle
    message : a sentence that says so, and where
    failed_move : place in ``moves``, from 0, of the first one that cannot be made; None if all can
    solved_without_unknown : whether the moves of vehicles that exist solve the puzzle by themselves; the outcome does
        not depend on it
    spans : where each of the moves stands in the text
    unread : where what could not be read stands; None if that is not why
    end : the state after the moves that could be made: the vehicles' poses in the lot's order, or the tiles; None where
        there is no answer
    """

    reading: Reading
    moves: tuple[str, ...]
    fault: PlanFault | None
    message: str
    failed_move: int | None = None
    solved_without_unknown: bool | None = None
    end: EndT | None = None
    spans: tuple[Span, ...] = ()
    unread: Span | None = None

    @property
    def solved(self) -> bool:
        """Whether the plan is right."""
        return self.fault is None


def no_plan(reading: Reading, read: Unread) -> PlanJudgement[EndT]:
    """What is said of a text without a plan."""
    return PlanJudgement(reading, (), NO_ANSWER[read.why], read.message, unread=read.span)


def sentence(message: str) -> str:
    """A message as a sentence."""
    return f"{message[0].upper()}{message[1:]}."
