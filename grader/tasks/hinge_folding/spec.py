"""The declaration of the hinge-folding task."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.model.jobs import CandidateKind
from grader.tasks.common.declarations import MetricInfo, ReasonInfo
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.hinge_folding.model import HingeFoldingInput
from grader.tasks.hinge_folding.puzzle import HingeChain, prepare_hinges
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from grader.tasks.hinge_folding.words import judge_hinge_words
from grader.tasks.plans.marks import marked
from grader.tasks.plans.metrics import WORD_METRICS
from grader.tasks.plans.reasons import WORD_REASONS

_TEXT = (CandidateKind.TEXT,)

SPEC: TaskSpec[HingeFoldingInput, HingeChain, HingeFoldingSettings] = TaskSpec(
    name="hinge_folding",
    description="Turns of hinges that fold a chain of pieces into a silhouette, made and compared.",
    input_type=HingeFoldingInput,
    settings_type=HingeFoldingSettings,
    prepare=prepare_hinges,
    judges=Judges(words=marked(judge_hinge_words)),
    metrics=(
        *WORD_METRICS,
        MetricInfo(
            "silhouette_iou",
            "Area that the silhouette of the turns and the right one share, over the area of either.",
            "1",
            True,
            0.0,
            1.0,
            _TEXT,
        ),
    ),
    reasons=(
        *WORD_REASONS,
        ReasonInfo("UNKNOWN_HINGE", "A hinge is turned that is not in the chain.", FailureMode.CONSTRAINT_VIOLATION),
        ReasonInfo(
            "WRONG_SILHOUETTE", "The turns give another silhouette than the right one.", FailureMode.INCOMPLETE_SOLUTION
        ),
    ),
    formats=("mentisoculi",),
    drawn=_TEXT,
)
