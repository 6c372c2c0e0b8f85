"""Answers to form boards in words, judged by the set of pieces that they name."""

from __future__ import annotations

from dataclasses import replace

from grader.answers.result import Parsed, Reading
from grader.answers.tasks import read_form_board
from grader.model.verdict import Metric, Note
from grader.tasks.common.judgement import Judgement, optional_metric
from grader.tasks.common.labels import listed
from grader.tasks.form_board.puzzle import PreparedBoard
from grader.tasks.form_board.settings import FormBoardSettings
from grader.tasks.plans.answers import PlanFault, PlanJudgement
from grader.tasks.plans.words import judge_whole, judged_in_both

_NONE = "there is no answer"
Chosen = frozenset[str]


def judge_form_board_words(puzzle: PreparedBoard, text: str, _settings: FormBoardSettings) -> Judgement:
    """Judges all that a model wrote, in both readings."""
    judged = judge_whole(judge_form_board(puzzle, text), lambda one: _metrics(puzzle, one))
    return replace(judged, notes=(rule_note(puzzle),))


def rule_note(puzzle: PreparedBoard) -> Note:
    """What decided which sets are right."""
    if puzzle.board is None:
        return Note("JUDGED_BY_LABELS", "The puzzle has no outlines: only the set that it names is right.")
    sets = len(puzzle.right)
    text = "one set of pieces fills the silhouette" if sets == 1 else f"{sets} sets of pieces fill the silhouette"
    return Note("JUDGED_BY_OUTLINES", f"By the outlines {text}.")


def judge_form_board(puzzle: PreparedBoard, text: str) -> dict[Reading, PlanJudgement[Chosen]]:
    """What is said of all that a model wrote, in each reading."""
    return judged_in_both(read_form_board(text, puzzle.labels), lambda read: _judged(puzzle, read))


def _judged(puzzle: PreparedBoard, read: Parsed[tuple[str, ...]]) -> PlanJudgement[Chosen]:
    chosen = frozenset(read.value)
    right = puzzle.nearest(chosen)
    wrong, missing = sorted(chosen - right), sorted(right - chosen)
    fault, message = None, f"{_named(sorted(chosen))} the silhouette."
    if wrong:
        fault, message = PlanFault.WRONG_PIECES, f"{_pieces(wrong)} not needed"
        message += f", and {_pieces(missing, upper=False)} missing." if missing else "."
    elif missing:
        fault, message = PlanFault.PIECES_MISSING, f"{_pieces(missing)} missing."
    return PlanJudgement(Reading.LENIENT, read.value, fault, message, end=chosen)


def _named(labels: list[str]) -> str:
    return f"Piece {labels[0]} fills" if len(labels) == 1 else f"Pieces {listed(labels)} fill"


def _pieces(labels: list[str], *, upper: bool = True) -> str:
    word = "piece" if len(labels) == 1 else "pieces"
    return f"{word.capitalize() if upper else word} {listed(labels)} {'is' if len(labels) == 1 else 'are'}"


def _metrics(puzzle: PreparedBoard, judged: PlanJudgement[Chosen]) -> tuple[Metric, ...]:
    chosen = judged.end
    goal = puzzle.nearest(chosen or frozenset())
    right = None if chosen is None else len(chosen & goal)
    return (
        optional_metric("piece_precision", None if right is None or not chosen else right / len(chosen), _NONE),
        optional_metric("piece_recall", None if right is None else right / len(goal), _NONE),
    )
