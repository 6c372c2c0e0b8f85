"""Answers to jigsaw puzzles in words, judged: whole, and anomalies by line too."""

from __future__ import annotations

from typing import Final

from grader.answers.compounds.anomalies import AnomalyAnswer
from grader.answers.compounds.asked import read_anomaly, read_choice, read_order
from grader.answers.result import Parsed, Reading
from grader.model.verdict import Metric
from grader.tasks.common.judgement import Judgement, optional_metric
from grader.tasks.common.progress import count
from grader.tasks.jigsaw.echoes import echoes_of
from grader.tasks.jigsaw.model import AnomalyTruth
from grader.tasks.jigsaw.puzzle import JigsawPuzzle
from grader.tasks.jigsaw.settings import JigsawSettings
from grader.tasks.plans.answers import PlanFault, PlanJudgement
from grader.tasks.plans.words import judge_whole, judged_in_both
from puzzles.jigsaw.kinds import LABELS, POSITIONS, Order, PieceChange, QuestionKind

Answer = str | Order | AnomalyAnswer
LINES: Final = ("judgment", "position", "change")
"""Metrics of an anomaly's lines, each with ``_right`` behind it."""
_NOT_ASKED = "only anomalies are answered in lines"
_NO_ORDER = "only order generation is answered with an order"
_CHANGED: Final = {change.letter: change.value for change in PieceChange}


def judge_jigsaw_words(puzzle: JigsawPuzzle, text: str, _settings: JigsawSettings) -> Judgement:
    """Judges all that a model wrote, in both readings."""
    return judge_whole(judge_jigsaw(puzzle, text), lambda one: _metrics(puzzle, one.end))


def judge_jigsaw(puzzle: JigsawPuzzle, text: str) -> dict[Reading, PlanJudgement[Answer]]:
    """What is said of all that a model wrote, in each reading."""
    truth = puzzle.truth
    if isinstance(truth, AnomalyTruth):
        return judged_in_both(read_anomaly(text), lambda read: _judge_anomaly(truth, read))
    if isinstance(truth, tuple):
        return judged_in_both(read_order(text), lambda read: _judge_order(truth, read))
    read = read_choice(text, LABELS[puzzle.kind], echoes_of(puzzle.kind), puzzle.options)
    return judged_in_both(read, lambda one: _judge_choice(truth, one))


def _judge_choice(truth: str, read: Parsed[tuple[str, ...]]) -> PlanJudgement[Answer]:
    chosen = read.value[0]
    fault = None if chosen == truth else PlanFault.WRONG_CHOICE
    message = f"{chosen} is right." if fault is None else f"{chosen} is not the right answer."
    return PlanJudgement(Reading.LENIENT, read.value, fault, message, end=chosen)


def _judge_order(truth: Order, read: Parsed[tuple[Order, ...]]) -> PlanJudgement[Answer]:
    order = read.value[0]
    fault, message = None, f"{list(order)} puts the pieces in order."
    if order != truth:
        right = _places_right(order, truth)
        fault = PlanFault.WRONG_ORDER
        message = f"{list(order)} puts {count(right, 'piece') if right else 'no piece'} in the right place."
    return PlanJudgement(Reading.LENIENT, (str(list(order)),), fault, message, end=order)


def _places_right(order: Order, truth: Order) -> int:
    return sum(one == other for one, other in zip(order, truth, strict=True))


def _judge_anomaly(truth: AnomalyTruth, read: Parsed[tuple[AnomalyAnswer, ...]]) -> PlanJudgement[Answer]:
    said = read.value[0]
    fault, message = _fault_of(truth, said)
    return PlanJudgement(Reading.LENIENT, (shown_anomaly(said),), fault, message, end=said)


def shown_anomaly(said: AnomalyAnswer) -> str:
    """The three lines on one."""
    position, change = ("nothing" if one == "" else one or "no line" for one in (said.position, said.change))
    return f"judgment {said.judgment}, position {position}, type {change}"


def _fault_of(truth: AnomalyTruth, said: AnomalyAnswer) -> tuple[PlanFault | None, str]:
    """The gravest fault: what can't be right whatever the truth is comes first."""
    judged_wrong = said.judgment == "B"
    if not judged_wrong and (said.position or said.change):
        return PlanFault.LINES_CONTRADICT, "All is said to be as it was, and still a piece or a change is named."
    if judged_wrong != bool(truth.position):
        what = f"the piece at the {_place(truth.position)} was changed" if truth.position else "all is as it was"
        return PlanFault.WRONG_JUDGMENT, f"The judgment is {said.judgment}, but {what}."
    if not judged_wrong:
        return None, "All is as it was, and so it is said."
    if not said.position or not said.change:
        missing = "the piece" if not said.position else "the change"
        return PlanFault.LINES_MISSING, f"A piece is said to be changed, but {missing} is not named."
    if said.position != truth.position:
        message = (
            f"The piece at the {_place(said.position)} is named, but that at the {_place(truth.position)} was changed."
        )
        return PlanFault.WRONG_POSITION, message
    if truth.change is not None and said.change != truth.change.letter:
        message = f"The right piece is said to be {_CHANGED[said.change]}, but it was {truth.change.value}."
        return PlanFault.WRONG_CHANGE, message
    return None, "The changed piece and the change are right."


def _place(letter: str) -> str:
    return POSITIONS[ord(letter) - ord("A")]


def _metrics(puzzle: JigsawPuzzle, answer: Answer | None) -> tuple[Metric, ...]:
    """Lines and places count as wrong where there is no answer, for they were asked."""
    lines = _lines_right(puzzle.truth, answer) if isinstance(puzzle.truth, AnomalyTruth) else None
    share = None
    if puzzle.kind is QuestionKind.ORDER_GENERATION and isinstance(puzzle.truth, tuple):
        share = _places_right(answer, puzzle.truth) / len(puzzle.truth) if isinstance(answer, tuple) else 0.0
    return (
        *(
            optional_metric(f"{name}_right", None if lines is None else float(lines[name]), _NOT_ASKED)
            for name in LINES
        ),
        optional_metric("places_right", share, _NO_ORDER),
    )


def _lines_right(truth: AnomalyTruth, answer: Answer | None) -> dict[str, bool]:
    """Of each line, whether it is right; a line that is left out is as one that is left blank."""
    if not isinstance(answer, AnomalyAnswer):
        return dict.fromkeys(LINES, False)
    change = "" if truth.change is None else truth.change.letter
    return {
        "judgment": (answer.judgment == "B") == bool(truth.position),
        "position": (answer.position or "") == truth.position,
        "change": (answer.change or "") == change,
    }
