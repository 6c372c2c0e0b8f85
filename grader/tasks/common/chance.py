"""How often random moves solve a puzzle: the level that accuracies are held against.

A number means nothing without its walk. The text of MentisOculi [1]_ says six random actions; its published numbers are
close to six moves among those that move something for rush hour, and equal to twelve for the sliding puzzle.

References
----------
.. [1] MentisOculi, section 3.4 and its table of chance levels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from grader.model.jobs import TaskInput

InputT = TypeVar("InputT", bound=TaskInput)


@dataclass(frozen=True)
class Walk:
    """A random walk; it succeeds once it has been at the goal.

    Attributes
    ----------
    key : for columns
    title : for the heading of a column
    meaning : a sentence for people
    """

    key: str
    title: str
    meaning: str


@dataclass(frozen=True)
class ChanceLevel:
    """The probability that a walk solves a puzzle, 0 to 1; ``exact`` says whether all states were followed."""

    walk: Walk
    probability: float
    exact: bool


@dataclass(frozen=True)
class Sweeps(Generic[InputT]):
    """Plans that look at nothing, cut off after as many moves as a walk has.

    Attributes
    ----------
    walk : what is said of the best of them, in a column
    names : what they are called
    solved : of each, in the order of names, whether it has been at the goal of a puzzle; raises InvalidRequestError if
        the puzzle is none
    """

    walk: Walk
    names: tuple[str, ...]
    solved: Callable[[InputT], tuple[bool, ...]]


@dataclass(frozen=True)
class PlanChance(Generic[InputT]):
    """The walks of a task, the one that the published levels are by first, and their levels for a puzzle; and sweeps,
    None where an answer is no list of moves.

    ``levels`` gives them in the order of ``walks``, in a second or less for a public puzzle, and raises
    InvalidRequestError if the puzzle is none.
    """

    walks: tuple[Walk, ...]
    levels: Callable[[InputT], tuple[ChanceLevel, ...]]
    sweeps: Sweeps[InputT] | None = None
