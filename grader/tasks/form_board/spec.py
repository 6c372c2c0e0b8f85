"""The declaration of the form-board task."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.model.jobs import CandidateKind
from grader.tasks.common.chance import Walk
from grader.tasks.common.declarations import MetricInfo, ReasonInfo
from grader.tasks.common.guesses import guesses
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.form_board.model import FormBoardInput
from grader.tasks.form_board.puzzle import PreparedBoard, prepare_form_board
from grader.tasks.form_board.settings import FormBoardSettings
from grader.tasks.form_board.words import judge_form_board_words
from grader.tasks.plans.marks import marked
from grader.tasks.plans.metrics import WORD_METRICS
from grader.tasks.plans.reasons import WORD_REASONS

_TEXT = (CandidateKind.TEXT,)
_GUESS = Walk("guess", "chance (a guess)", "One of all sets of pieces, at least one piece, each as likely.")

SPEC: TaskSpec[FormBoardInput, PreparedBoard, FormBoardSettings] = TaskSpec(
    name="form_board",
    description="The pieces that fill a silhouette, by their labels.",
    input_type=FormBoardInput,
    settings_type=FormBoardSettings,
    prepare=prepare_form_board,
    judges=Judges(words=marked(judge_form_board_words)),
    metrics=(
        *WORD_METRICS,
        MetricInfo("piece_precision", "Share of the named pieces that are needed.", "1", True, 0.0, 1.0, _TEXT),
        MetricInfo("piece_recall", "Share of the needed pieces that are named.", "1", True, 0.0, 1.0, _TEXT),
    ),
    reasons=(
        *WORD_REASONS,
        ReasonInfo("WRONG_PIECES", "A piece is named that is not needed.", FailureMode.CONSTRAINT_VIOLATION),
        ReasonInfo("PIECES_MISSING", "Only needed pieces are named, and not all.", FailureMode.INCOMPLETE_SOLUTION),
    ),
    formats=("mentisoculi",),
    drawn=_TEXT,
    chance=guesses("form_board.puzzle.labels", {_GUESS: lambda task: 2 ** len(task.labels) - 1}),
)
