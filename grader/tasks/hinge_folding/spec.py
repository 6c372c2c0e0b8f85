"""The declaration of the hinge-folding task."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.model.jobs import CandidateKind
from grader.tasks.common.chance import Walk
from grader.tasks.common.declarations import MetricInfo, ReasonInfo
from grader.tasks.common.guesses import guesses
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.hinge_folding.model import HingeFoldingInput
from grader.tasks.hinge_folding.puzzle import HingeChain, prepare_hinges
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from grader.tasks.hinge_folding.words import judge_hinge_words
from grader.tasks.plans.marks import marked
from grader.tasks.plans.metrics import WORD_METRICS
from grader.tasks.plans.reasons import WORD_REASONS

_TEXT = (CandidateKind.TEXT,)
_QUARTERS = Walk(
    "quarters",
    "chance (steps of 90 degrees)",
    "Each hinge turned by 90, 180 or 270 degrees, each as likely; equal to the published levels.",
)
_EIGHTHS = Walk("eighths", "chance (steps of 45 degrees)", "Each hinge turned by 45 to 315 degrees, each as likely.")


def _programs(task: HingeFoldingInput, turns: int) -> int:
    """In how many ways the hinges of a chain can be turned, each in so many."""
    return int(turns ** (len(task.shapes) - 1)) if task.shapes else 0


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
    chance=guesses(
        "hinge_folding.puzzle.shapes",
        {_QUARTERS: lambda task: _programs(task, 3), _EIGHTHS: lambda task: _programs(task, 7)},
    ),
)
