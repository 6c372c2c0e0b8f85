"""The declaration of the form-board task."""

from __future__ import annotations

from dataclasses import replace

from grader.model.failure import FailureMode
from grader.model.jobs import CandidateKind
from grader.tasks.common.chance import Walk
from grader.tasks.common.declarations import MetricInfo, ReasonInfo
from grader.tasks.common.guesses import guesses
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.form_board.clips import judge_form_board_clip
from grader.tasks.form_board.model import FormBoardInput
from grader.tasks.form_board.pictures import judge_form_board_picture, judge_form_board_steps
from grader.tasks.form_board.puzzle import PreparedBoard, prepare_form_board
from grader.tasks.form_board.settings import FormBoardSettings
from grader.tasks.form_board.words import judge_form_board_words
from grader.tasks.plans.marks import marked
from grader.tasks.plans.metrics import EVER_SOLVED, PLAN_METRICS, SOLVED, SOLVED_STRICT, STRICT_LEGAL, WORD_METRICS
from grader.tasks.plans.reasons import PLAN_REASONS, STEP_REASONS, WORD_REASONS
from grader.tasks.plans.steps import STEP_METRICS

_TEXT = (CandidateKind.TEXT,)
_IMAGE = (CandidateKind.IMAGE,)
_SHOWN = (CandidateKind.VIDEO, CandidateKind.FRAMES)
_BOTH = (CandidateKind.IMAGE, CandidateKind.TEXT)
_WRONG = FailureMode.CONSTRAINT_VIOLATION
_INCOMPLETE = FailureMode.INCOMPLETE_SOLUTION
_ALTERED = FailureMode.ALTERED_PUZZLE
_GUESS = Walk("guess", "chance (a guess)", "One of all sets of pieces, at least one piece, each as likely.")

SPEC: TaskSpec[FormBoardInput, PreparedBoard, FormBoardSettings] = TaskSpec(
    name="form_board",
    description="The pieces that fill a silhouette, by their labels or moved into it.",
    input_type=FormBoardInput,
    settings_type=FormBoardSettings,
    prepare=prepare_form_board,
    judges=Judges(
        picture=judge_form_board_picture,
        clip=judge_form_board_clip,
        steps=judge_form_board_steps,
        words=marked(judge_form_board_words),
    ),
    metrics=(
        *WORD_METRICS,
        MetricInfo("piece_precision", "Share of named or drawn pieces that are needed.", "1", True, 0.0, 1.0, _BOTH),
        MetricInfo("piece_recall", "Share of the needed pieces that are named or drawn.", "1", True, 0.0, 1.0, _BOTH),
        MetricInfo(
            "silhouette_iou", "What is in the silhouette and drawn, over what is either.", "1", True, 0.0, 1.0, _IMAGE
        ),
        MetricInfo("pieces_placed", "Share of the needed pieces that lie in place.", "1", True, 0.0, 1.0, _IMAGE),
        MetricInfo(
            "pieces_intact", "Share of what lies there that is a piece as it was given.", "1", True, 0.0, 1.0, _IMAGE
        ),
        MetricInfo("gaps", "Share of the silhouette that is left free.", "1", False, 0.0, 1.0, _IMAGE),
        SOLVED,
        STRICT_LEGAL,
        SOLVED_STRICT,
        EVER_SOLVED,
        *STEP_METRICS,
        *(replace(metric, kinds=_SHOWN) for metric in PLAN_METRICS),
    ),
    reasons=(
        *WORD_REASONS,
        *PLAN_REASONS,
        ReasonInfo("NOT_THE_PUZZLE", "A clip's first frame does not show the puzzle.", _ALTERED),
        ReasonInfo("SCENE_REPLACED", "Most of a clip's picture shows something else for a time.", _ALTERED),
        ReasonInfo("MOVE_HIDDEN", "A piece comes into the silhouette without being seen on its way.", _WRONG),
        ReasonInfo("NOTHING_MOVES", "In a clip, no piece comes into the silhouette.", FailureMode.NO_ANSWER),
        ReasonInfo(
            "SOLVED_THEN_UNDONE",
            "In a clip, the silhouette is filled, and then no more.",
            _INCOMPLETE,
        ),
        ReasonInfo(
            "TARGET_NOT_REACHED",
            "A clip's last frame does not show the silhouette filled.",
            _INCOMPLETE,
        ),
        *STEP_REASONS,
        ReasonInfo("NO_PIECES", "Nothing lies in the silhouette.", FailureMode.NO_ANSWER),
        ReasonInfo("PIECES_JOINED", "No cut shows which pieces an area is made of.", FailureMode.WRONG_FORM),
        ReasonInfo("PIECE_INVENTED", "What lies there is none of the pieces.", _ALTERED),
        ReasonInfo("PIECE_MIRRORED", "A piece lies there mirrored.", _WRONG),
        ReasonInfo("PIECE_TURNED", "A piece lies there turned.", _WRONG),
        ReasonInfo("PIECE_SCALED", "A piece lies there in another size.", _ALTERED),
        ReasonInfo("PIECE_ALTERED", "A piece lies there in another shape.", _ALTERED),
        ReasonInfo("PIECE_FAINT", "A piece is hardly coloured.", _ALTERED),
        ReasonInfo("PIECES_OVERLAP", "A piece covers a part of another one.", _WRONG),
        ReasonInfo("PIECE_TWICE", "A piece is there twice or more.", _WRONG),
        ReasonInfo("WRONG_PIECES", "A piece is named or drawn that is not needed.", _WRONG),
        ReasonInfo("PIECE_MISPLACED", "A needed piece does not lie where it fits.", _WRONG),
        ReasonInfo("OUTSIDE_SILHOUETTE", "What lies there sticks out of the silhouette.", _WRONG),
        ReasonInfo("GAPS", "A part of the silhouette is left free.", _INCOMPLETE),
        ReasonInfo("PIECES_MISSING", "Only needed pieces are there, and not all.", _INCOMPLETE),
        ReasonInfo("OUTLINE_APART", "The silhouette's outline is seen beside what lies in it.", _WRONG),
        ReasonInfo("DRAWN_BESIDE", "Something else is drawn beside the silhouette.", _ALTERED),
    ),
    formats=("mentisoculi",),
    drawn=(CandidateKind.IMAGE, CandidateKind.VIDEO, CandidateKind.TEXT),
    chance=guesses("form_board.puzzle.labels", {_GUESS: lambda task: 2 ** len(task.labels) - 1}),
)
