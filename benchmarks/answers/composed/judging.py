"""What the grader makes of composed answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.answers.composed.compose import Composed
from benchmarks.answers.composed.riddles import Riddle
from grader.answers.result import Reading
from grader.tasks.plans.answers import PlanJudgement
from grader.tasks.rush_hour.words import judge_rush_hour
from grader.tasks.sliding.words import judge_sliding
from puzzles.rush_hour.lot import Lot


@dataclass(frozen=True)
class Judged:
    """An answer, and what was made of it.

    Attributes
    ----------
    seed, number, text, axes : of the answer
    said : the moves that a fair reader takes from it; None for none
    fair : whether it should pass
    read : the moves that the lenient reading found; None for none
    passes, strict : whether it passes leniently, and strictly
    message : what the lenient reading came to
    """

    seed: int
    number: int
    text: str
    axes: dict[str, str]
    said: tuple[str, ...] | None
    fair: bool
    read: tuple[str, ...] | None
    passes: bool
    strict: bool
    message: str

    @property
    def right(self) -> bool:
        """Whether the verdict is the fair one."""
        return self.passes == self.fair


def judge_text(riddle: Riddle, text: str) -> dict[Reading, PlanJudgement[Any]]:
    """What is said of a text in both readings."""
    return (
        judge_rush_hour(riddle.puzzle, text) if isinstance(riddle.puzzle, Lot) else judge_sliding(riddle.puzzle, text)
    )


def judged(answer: Composed) -> Judged:
    """Judges an answer in both readings."""
    said = judge_text(answer.riddle, answer.text)
    lenient, strict = said[Reading.LENIENT], said[Reading.STRICT]
    return Judged(
        seed=answer.seed,
        number=answer.number,
        text=answer.text,
        axes=answer.axes,
        said=None if answer.said is None else tuple(map(str, answer.said)),
        fair=answer.fair,
        read=None if lenient.end is None else tuple(lenient.moves),
        passes=lenient.solved,
        strict=strict.solved,
        message=lenient.message,
    )
