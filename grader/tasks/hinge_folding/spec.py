"""The declaration of the hinge-folding task."""

from __future__ import annotations

from dataclasses import replace

from grader.model.jobs import CandidateKind
from grader.tasks.common.chance import Walk
from grader.tasks.common.declarations import MetricInfo
from grader.tasks.common.guesses import guesses
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.hinge_folding.model import HingeFoldingInput
from grader.tasks.hinge_folding.pictures import judge_hinge_clip, judge_hinge_picture
from grader.tasks.hinge_folding.puzzle import HingeChain, prepare_hinges
from grader.tasks.hinge_folding.reasons import REASONS
from grader.tasks.hinge_folding.settings import HingeFoldingSettings
from grader.tasks.hinge_folding.steps import judge_hinge_pictures
from grader.tasks.hinge_folding.words import judge_hinge_words
from grader.tasks.plans.marks import marked
from grader.tasks.plans.metrics import EVER_SOLVED, PLAN_METRICS, WORD_METRICS
from grader.tasks.plans.steps import STEP_METRICS

_DRAWN = (CandidateKind.IMAGE, CandidateKind.VIDEO)
_SHOWN = (*_DRAWN, CandidateKind.TEXT)
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
    description="Turns of hinges that fold a chain of pieces into a silhouette: said, or the folded chain drawn.",
    input_type=HingeFoldingInput,
    settings_type=HingeFoldingSettings,
    prepare=prepare_hinges,
    judges=Judges(
        picture=judge_hinge_picture,
        clip=judge_hinge_clip,
        steps=judge_hinge_pictures,
        words=marked(judge_hinge_words),
    ),
    metrics=(
        *WORD_METRICS,
        *STEP_METRICS,
        *(replace(metric, kinds=(CandidateKind.FRAMES,)) for metric in PLAN_METRICS),
        MetricInfo(
            "silhouette_iou",
            "Area that the silhouette of what is said or drawn shares with the right one, over that of either.",
            "1",
            True,
            0.0,
            1.0,
            _SHOWN,
        ),
        MetricInfo(
            "angle_error",
            "How far the angles of the hinges are off the right ones, in the mean.",
            "degrees",
            False,
            0.0,
            180.0,
            _DRAWN,
        ),
        MetricInfo(
            "joints_joined", "Share of the hinges at which both pieces are joined.", "1", True, 0.0, 1.0, _DRAWN
        ),
        MetricInfo("pieces_found", "Share of the pieces that were found.", "1", True, 0.0, 1.0, _DRAWN),
        EVER_SOLVED,
    ),
    reasons=REASONS,
    formats=("mentisoculi",),
    drawn=_SHOWN,
    chance=guesses(
        "hinge_folding.puzzle.shapes",
        {_QUARTERS: lambda task: _programs(task, 3), _EIGHTHS: lambda task: _programs(task, 7)},
    ),
)
