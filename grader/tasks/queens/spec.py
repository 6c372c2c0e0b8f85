"""The Queens task: queens drawn on a board with coloured regions."""

from __future__ import annotations

from grader.model.jobs import CandidateKind
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.queens.model import QueensInput
from grader.tasks.queens.pictures import METRICS, judge_board_picture
from grader.tasks.queens.puzzle import QueensPuzzle, prepare_board
from grader.tasks.queens.reasons import REASONS
from grader.tasks.queens.settings import QueensSettings

SPEC: TaskSpec[QueensInput, QueensPuzzle, QueensSettings] = TaskSpec(
    name="queens",
    description="Queens drawn on a board: one a row, column and coloured region, none touching another.",
    input_type=QueensInput,
    settings_type=QueensSettings,
    prepare=prepare_board,
    judges=Judges(picture=judge_board_picture),
    metrics=METRICS,
    reasons=REASONS,
    formats=("amaze",),
    drawn=(CandidateKind.IMAGE,),
)
