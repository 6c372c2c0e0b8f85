"""The declaration of the paper-fold task."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.model.jobs import CandidateKind
from grader.tasks.common.chance import Walk
from grader.tasks.common.declarations import ReasonInfo
from grader.tasks.common.guesses import guesses
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.paper_fold.model import PaperFoldInput
from grader.tasks.paper_fold.settings import PaperFoldSettings
from grader.tasks.paper_fold.words import FoldedSheet, judge_paper_fold_words, prepare_paper_fold
from grader.tasks.plans.marks import marked
from grader.tasks.plans.metrics import WORD_METRICS
from grader.tasks.plans.reasons import WORD_REASONS

_GUESS = Walk("guess", "chance (a guess)", "One of all patterns, each as likely.")

SPEC: TaskSpec[PaperFoldInput, FoldedSheet, PaperFoldSettings] = TaskSpec(
    name="paper_fold",
    description="The pattern that a folded and punched sheet shows once it is unfolded, by its label.",
    input_type=PaperFoldInput,
    settings_type=PaperFoldSettings,
    prepare=prepare_paper_fold,
    judges=Judges(words=marked(judge_paper_fold_words)),
    metrics=WORD_METRICS,
    reasons=(
        *WORD_REASONS,
        ReasonInfo("WRONG_PATTERN", "Another pattern is named than the right one.", FailureMode.CONSTRAINT_VIOLATION),
    ),
    formats=("mentisoculi",),
    drawn=(CandidateKind.TEXT,),
    chance=guesses("paper_fold.puzzle.labels", {_GUESS: lambda task: len(task.labels)}),
)
