"""Answers in words to paper folds, judged by the pattern that they name."""

from __future__ import annotations

from grader.answers.result import Parsed, Reading
from grader.answers.tasks import read_paper_fold
from grader.tasks.common.judgement import Judgement
from grader.tasks.paper_fold.puzzle import FoldedPuzzle
from grader.tasks.paper_fold.settings import PaperFoldSettings
from grader.tasks.plans.answers import PlanFault, PlanJudgement
from grader.tasks.plans.words import judge_whole, judged_in_both


def judge_paper_fold_words(puzzle: FoldedPuzzle, text: str, _settings: PaperFoldSettings) -> Judgement:
    """Judges all that a model wrote, in both readings."""
    return judge_whole(judge_paper_fold(puzzle, text), lambda _: ())


def judge_paper_fold(puzzle: FoldedPuzzle, text: str) -> dict[Reading, PlanJudgement[str]]:
    """What is said of all that a model wrote, in each reading."""
    return judged_in_both(read_paper_fold(text, puzzle.labels), lambda read: _judged(puzzle, read))


def _judged(puzzle: FoldedPuzzle, read: Parsed[tuple[str, ...]]) -> PlanJudgement[str]:
    chosen = read.value[0]
    if chosen == puzzle.solution:
        return PlanJudgement(Reading.LENIENT, read.value, None, f"Pattern {chosen} is right.", end=chosen)
    message = f"Pattern {chosen} is not what the sheet shows."
    return PlanJudgement(Reading.LENIENT, read.value, PlanFault.WRONG_PATTERN, message, end=chosen)
