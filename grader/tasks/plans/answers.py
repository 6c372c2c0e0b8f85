"""Judges what a model wrote as the plan of a rush hour or a sliding puzzle: read, then simulated by the rules."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Generic, TypeVar

from grader.answers.moves import parse_rush_hour, parse_sliding
from grader.answers.result import NoAnswer, Reading, Unread
from puzzles.rush_hour.lot import Lot, Pose
from puzzles.rush_hour.rules import Direction, FaultKind, Move, Trajectory
from puzzles.rush_hour.rules import simulate as drive
from puzzles.sliding.tiles import BlankMove, SlidingPuzzle, State
from puzzles.sliding.tiles import simulate as slide

EndT = TypeVar("EndT")


class PlanFault(enum.Enum):
    """Why a plan is wrong."""

    ANSWER_MISSING = "ANSWER_MISSING"
    ANSWER_EMPTY = "ANSWER_EMPTY"
    ANSWER_REFUSED = "ANSWER_REFUSED"
    ANSWER_UNREADABLE = "ANSWER_UNREADABLE"
    UNKNOWN_VEHICLE = "UNKNOWN_VEHICLE"
    IMMOVABLE_VEHICLE = "IMMOVABLE_VEHICLE"
    OFF_THE_GRID = "OFF_THE_GRID"
    GOAL_NOT_REACHED = "GOAL_NOT_REACHED"


_NO_ANSWER = {
    NoAnswer.MISSING: PlanFault.ANSWER_MISSING,
    NoAnswer.EMPTY: PlanFault.ANSWER_EMPTY,
    NoAnswer.REFUSED: PlanFault.ANSWER_REFUSED,
    NoAnswer.UNREADABLE: PlanFault.ANSWER_UNREADABLE,
}
_AGAINST_THE_RULES = {
    FaultKind.UNKNOWN_LABEL: PlanFault.UNKNOWN_VEHICLE,
    FaultKind.IMMOVABLE: PlanFault.IMMOVABLE_VEHICLE,
}


@dataclass(frozen=True)
class PlanJudgement(Generic[EndT]):
    """What is said of a written plan.

    Attributes
    ----------
    reading : how it was read
    moves : the moves as they were understood, such as ``A forward`` or ``up``; empty where there is no answer
    fault : why it is wrong; None if it solves the puzzle
    message : a sentence that says so, and where
    failed_move : place in ``moves``, from 0, of the first one that cannot be made; None if all can
    solved_without_unknown : whether the moves of vehicles that exist solve the puzzle by themselves; the outcome does
        not depend on it
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

    @property
    def solved(self) -> bool:
        """Whether the plan is right."""
        return self.fault is None


def judge_rush_hour(lot: Lot, text: str, reading: Reading) -> PlanJudgement[tuple[Pose, ...]]:
    """Reads and simulates a plan for a lot.

    Parameters
    ----------
    lot : Lot
        The puzzle.
    text : str
        All that the model wrote.
    reading : Reading
        How to read it; see docs/answers.md.
    """
    read = parse_rush_hour(text, reading)
    if isinstance(read, Unread):
        return PlanJudgement(reading, (), _NO_ANSWER[read.why], read.message)
    moves = tuple(Move(move.label, Direction(move.direction.value)) for move in read.value)
    written = tuple(map(str, moves))
    run = drive(lot, moves)
    end = run.poses[-1]
    if run.failure is not None:
        known = {vehicle.label for vehicle in lot.vehicles if vehicle.movable}
        rest = drive(lot, [move for move in moves if move.label in known])
        fault, message = _AGAINST_THE_RULES[run.failure.kind], _sentence(run.failure.message)
        return PlanJudgement(reading, written, fault, message, run.failure.place, rest.solved, end)
    if not run.solved:
        return PlanJudgement(reading, written, PlanFault.GOAL_NOT_REACHED, _where_red_stopped(run), end=end)
    return PlanJudgement(reading, written, None, f"The red car is at the exit after {_count(len(moves))}.", end=end)


def judge_sliding(puzzle: SlidingPuzzle, text: str, reading: Reading) -> PlanJudgement[State]:
    """Reads and simulates a plan for a sliding puzzle; as `judge_rush_hour`."""
    read = parse_sliding(text, reading)
    if isinstance(read, Unread):
        return PlanJudgement(reading, (), _NO_ANSWER[read.why], read.message)
    moves = tuple(BlankMove(step.value) for step in read.value)
    written = tuple(move.value for move in moves)
    run = slide(puzzle.start, moves)
    end = run.states[-1]
    if run.failure is not None:
        message = _sentence(run.failure.message)
        return PlanJudgement(reading, written, PlanFault.OFF_THE_GRID, message, run.failure.place, end=end)
    if not run.reaches(puzzle.target):
        message = f"After {_count(len(moves))} the tiles are not in their places."
        return PlanJudgement(reading, written, PlanFault.GOAL_NOT_REACHED, message, end=end)
    return PlanJudgement(reading, written, None, f"The tiles are in their places after {_count(len(moves))}.", end=end)


def _where_red_stopped(run: Trajectory) -> str:
    red = [step for step in run.steps if step.move.label == "R"]
    if not red:
        return f"The red car is never moved in {_count(len(run.steps))}."
    body = f" {red[-1].stop.name}" if red[-1].stop.name else ""
    return f"The red car is not at the exit; the last thing that stopped it was {red[-1].stop.kind.value}{body}."


def _count(number: int) -> str:
    return f"{number} move" if number == 1 else f"{number} moves"


def _sentence(message: str) -> str:
    return f"{message[0].upper()}{message[1:]}."
