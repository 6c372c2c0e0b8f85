"""Folded sheets: checked, and answers in words judged by the pattern that they name."""

from __future__ import annotations

from dataclasses import dataclass

from grader.answers.result import Parsed, Reading
from grader.answers.tasks import read_paper_fold
from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind
from grader.tasks.common.inputs import Inputs
from grader.tasks.common.judgement import Judgement
from grader.tasks.common.labels import check_labels
from grader.tasks.paper_fold.model import PaperFoldInput
from grader.tasks.paper_fold.settings import PaperFoldSettings
from grader.tasks.plans.answers import PlanFault, PlanJudgement
from grader.tasks.plans.words import judge_whole, judged_in_both


@dataclass(frozen=True)
class FoldedSheet:
    """A sheet that was checked: the labels of the patterns, and of the right one."""

    labels: str
    solution: str

    @property
    def size(self) -> tuple[int, int]:
        """It has no picture."""
        return (1, 1)


def prepare_paper_fold(
    task: PaperFoldInput, _settings: PaperFoldSettings, limits: MediaLimits, _kind: CandidateKind
) -> FoldedSheet:
    """Checks a sheet; raises InvalidRequestError naming every wrong field."""
    inputs = Inputs(limits)
    check_labels(inputs, "paper_fold.puzzle.labels", task.labels)
    if not task.solution:
        inputs.fault("paper_fold.truth.label", "MISSING", "give the label of the right pattern")
    elif task.solution not in task.labels:
        text = f"{task.solution[:20]!r} is none of paper_fold.puzzle.labels"
        inputs.fault("paper_fold.truth.label", "MISMATCH", text)
    inputs.check()
    return FoldedSheet("".join(task.labels), task.solution)


def judge_paper_fold_words(puzzle: FoldedSheet, text: str, _settings: PaperFoldSettings) -> Judgement:
    """Judges all that a model wrote, in both readings."""
    return judge_whole(judge_paper_fold(puzzle, text), lambda _: ())


def judge_paper_fold(puzzle: FoldedSheet, text: str) -> dict[Reading, PlanJudgement[str]]:
    """What is said of all that a model wrote, in each reading."""
    return judged_in_both(read_paper_fold(text, puzzle.labels), lambda read: _judged(puzzle, read))


def _judged(puzzle: FoldedSheet, read: Parsed[tuple[str, ...]]) -> PlanJudgement[str]:
    chosen = read.value[0]
    if chosen == puzzle.solution:
        return PlanJudgement(Reading.LENIENT, read.value, None, f"Pattern {chosen} is right.", end=chosen)
    message = f"Pattern {chosen} is not what the sheet shows."
    return PlanJudgement(Reading.LENIENT, read.value, PlanFault.WRONG_PATTERN, message, end=chosen)
