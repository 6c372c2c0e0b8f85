"""The declaration of the jigsaw task."""

from __future__ import annotations

from grader.model.failure import FailureMode
from grader.model.jobs import CandidateKind
from grader.tasks.common.chance import Walk
from grader.tasks.common.declarations import MetricInfo, ReasonInfo
from grader.tasks.common.guesses import guesses
from grader.tasks.common.spec import Judges, TaskSpec
from grader.tasks.jigsaw.model import AnomalyTruth, JigsawInput
from grader.tasks.jigsaw.pictures import judge_jigsaw_picture
from grader.tasks.jigsaw.puzzle import JigsawPuzzle, prepare_jigsaw
from grader.tasks.jigsaw.rollouts import judge_jigsaw_frames, judge_jigsaw_pictures
from grader.tasks.jigsaw.settings import JigsawSettings
from grader.tasks.jigsaw.words import judge_jigsaw_words
from grader.tasks.plans.marks import marked
from grader.tasks.plans.metrics import EVER_SOLVED, WORD_METRICS
from grader.tasks.plans.reasons import STEP_REASONS, WORD_REASONS
from grader.tasks.plans.steps import STEP_METRICS
from puzzles.jigsaw.kinds import LABELS, QuestionKind

_TEXT = (CandidateKind.TEXT,)
_DRAWN = (CandidateKind.IMAGE, CandidateKind.VIDEO)
_ALL = (*_DRAWN, CandidateKind.FRAMES, CandidateKind.TEXT)
_STEPS = ("solved_by_images", "solved_by_words", "agreement", "images", "first_wrong_step")
_WRONG = FailureMode.CONSTRAINT_VIOLATION
_GUESS = Walk("guess", "chance (a guess)", "One of all answers, each as likely; of an anomaly each line by itself.")


def _answers(task: JigsawInput) -> int:
    """One over the probability of a guess: of an anomaly, 2 judgments, and if there is one 4 pieces and 2 changes."""
    if task.kind is None:
        return 0
    if task.kind is QuestionKind.ANOMALY:
        changed = isinstance(task.truth, AnomalyTruth) and task.truth.position
        return 2 * 4 * 2 if changed else 2
    return 24 if task.kind is QuestionKind.ORDER_GENERATION else len(LABELS[task.kind])


SPEC: TaskSpec[JigsawInput, JigsawPuzzle, JigsawSettings] = TaskSpec(
    name="jigsaw",
    description="Photographs cut into pieces: a letter, an order, what is wrong; or the pieces put together.",
    input_type=JigsawInput,
    settings_type=JigsawSettings,
    prepare=prepare_jigsaw,
    judges=Judges(
        picture=judge_jigsaw_picture,
        clip=judge_jigsaw_frames,
        steps=judge_jigsaw_pictures,
        words=marked(judge_jigsaw_words),
    ),
    metrics=(
        *WORD_METRICS,
        MetricInfo("judgment_right", "1 if an anomaly's judgment is right.", "1", True, 0.0, 1.0, _TEXT),
        MetricInfo(
            "position_right", "1 if the changed piece is named, or none if none is.", "1", True, 0.0, 1.0, _TEXT
        ),
        MetricInfo("change_right", "1 if the change is named, or none if there is none.", "1", True, 0.0, 1.0, _TEXT),
        MetricInfo("places_right", "Share of the pieces that an order puts right.", "1", True, 0.0, 1.0, _ALL),
        MetricInfo("pieces_found", "Share of the given pieces that lie in some quarter.", "1", True, 0.0, 1.0, _DRAWN),
        MetricInfo(
            "pieces_intact", "Share of the quarters that show a piece as it was given.", "1", True, 0.0, 1.0, _DRAWN
        ),
        EVER_SOLVED,
        *(one for one in STEP_METRICS if one.name in _STEPS),
    ),
    reasons=(
        *WORD_REASONS,
        ReasonInfo("NO_PIECES", "A picture holds none of the given pieces.", FailureMode.NO_ANSWER),
        ReasonInfo(
            "PIECE_ALTERED", "A piece was painted anew, or something was painted over it.", FailureMode.ALTERED_PUZZLE
        ),
        ReasonInfo(
            "PIECE_MISSING", "A quarter of a picture holds none of the pieces.", FailureMode.INCOMPLETE_SOLUTION
        ),
        ReasonInfo("PIECE_TWICE", "A piece lies in two quarters or more.", _WRONG),
        ReasonInfo("PIECE_TURNED", "A piece lies rotated or mirrored.", _WRONG),
        ReasonInfo(
            "PIECE_JUMPED", "In a clip a quarter changes from one frame to the next.", FailureMode.ALTERED_PUZZLE
        ),
        ReasonInfo("CROSS_FADE", "In a clip a quarter fades into another picture.", FailureMode.ALTERED_PUZZLE),
        ReasonInfo(
            "NOTHING_MOVES", "No piece comes to a place, or all lie there in the first frame.", FailureMode.NO_ANSWER
        ),
        ReasonInfo(
            "SOLVED_THEN_UNDONE", "The pieces lie in order and then no longer do.", FailureMode.INCOMPLETE_SOLUTION
        ),
        *(one for one in STEP_REASONS if one.code in ("NO_IMAGES", "STEP_UNREADABLE", "STEP_ALTERED")),
        ReasonInfo("LINES_CONTRADICT", "All is said to be as it was, and a piece or a change is named.", _WRONG),
        ReasonInfo("WRONG_JUDGMENT", "A changed picture is said to be as it was, or the other way.", _WRONG),
        ReasonInfo(
            "LINES_MISSING", "A piece is said to be changed, without which or how.", FailureMode.INCOMPLETE_SOLUTION
        ),
        ReasonInfo("WRONG_POSITION", "Another piece is named than the changed one.", _WRONG),
        ReasonInfo("WRONG_CHANGE", "The right piece is named, and the wrong change.", _WRONG),
        ReasonInfo("WRONG_ORDER", "The order of the pieces is another one.", _WRONG),
        ReasonInfo("WRONG_CHOICE", "Another letter is named than the right one.", _WRONG),
    ),
    formats=("jigsaw",),
    drawn=(CandidateKind.IMAGE, CandidateKind.VIDEO, CandidateKind.TEXT),
    chance=guesses("jigsaw.puzzle.kind", {_GUESS: _answers}),
)
