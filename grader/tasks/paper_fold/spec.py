"""The declaration of the paper-fold task."""

from __future__ import annotations

from grader.model.jobs import CandidateKind
from grader.tasks.common.chance import Walk
from grader.tasks.common.guesses import guesses
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.paper_fold.clips import judge_sheet_clip
from grader.tasks.paper_fold.model import PaperFoldInput
from grader.tasks.paper_fold.pictures import judge_sheet_picture
from grader.tasks.paper_fold.puzzle import FoldedPuzzle, prepare_paper_fold
from grader.tasks.paper_fold.reasons import REASONS, SHEET_METRICS
from grader.tasks.paper_fold.settings import PaperFoldSettings
from grader.tasks.paper_fold.steps import judge_sheet_steps
from grader.tasks.paper_fold.words import judge_paper_fold_words
from grader.tasks.plans.marks import marked
from grader.tasks.plans.metrics import EVER_SOLVED, WORD_METRICS
from grader.tasks.plans.steps import STEP_METRICS

STEPS = tuple(one for one in STEP_METRICS if one.name not in ("agreement", "images_minus_actions"))
"""Metrics of a series; the words around one name no steps that could be counted."""
_GUESS = Walk("guess", "chance (a guess)", "One of all patterns, each as likely.")

SPEC: TaskSpec[PaperFoldInput, FoldedPuzzle, PaperFoldSettings] = TaskSpec(
    name="paper_fold",
    description="What a folded and punched sheet shows once it is unfolded: by a label, or drawn.",
    input_type=PaperFoldInput,
    settings_type=PaperFoldSettings,
    prepare=prepare_paper_fold,
    judges=Judges(
        picture=judge_sheet_picture,
        clip=judge_sheet_clip,
        steps=judge_sheet_steps,
        words=marked(judge_paper_fold_words),
    ),
    metrics=(*WORD_METRICS, *STEPS, *SHEET_METRICS, EVER_SOLVED),
    reasons=REASONS,
    formats=("mentisoculi",),
    drawn=(CandidateKind.IMAGE, CandidateKind.VIDEO, CandidateKind.TEXT),
    chance=guesses("paper_fold.puzzle.labels", {_GUESS: lambda task: len(task.labels)}),
)
