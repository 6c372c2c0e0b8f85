"""Form boards: checked, and answers in words judged by the set of pieces that they name."""

from __future__ import annotations

from dataclasses import dataclass

from grader.answers.result import Parsed, Reading
from grader.answers.tasks import read_form_board
from grader.media.types import MediaLimits
from grader.model.jobs import CandidateKind
from grader.model.verdict import Metric
from grader.tasks.common.inputs import Inputs
from grader.tasks.common.judgement import Judgement, optional_metric
from grader.tasks.common.labels import check_labels, listed
from grader.tasks.form_board.model import FormBoardInput
from grader.tasks.form_board.settings import FormBoardSettings
from grader.tasks.plans.answers import PlanFault, PlanJudgement
from grader.tasks.plans.words import judge_whole, judged_in_both

_NONE = "there is no answer"
Chosen = frozenset[str]


@dataclass(frozen=True)
class FormBoard:
    """A form board that was checked: the labels that are offered, and those that fill the silhouette."""

    labels: str
    solution: Chosen

    @property
    def size(self) -> tuple[int, int]:
        """It has no picture."""
        return (1, 1)


def prepare_form_board(
    task: FormBoardInput, _settings: FormBoardSettings, limits: MediaLimits, _kind: CandidateKind
) -> FormBoard:
    """Checks a form board; raises InvalidRequestError naming every wrong field."""
    inputs = Inputs(limits)
    check_labels(inputs, "form_board.puzzle.labels", task.labels)
    field = "form_board.truth.labels"
    strange = [label for label in task.solution if label not in task.labels]
    if not task.solution:
        inputs.fault(field, "MISSING", "give the labels of the pieces that fill the silhouette")
    elif strange:
        inputs.fault(field, "MISMATCH", f"{strange[0][:20]!r} is none of form_board.puzzle.labels")
    elif len(set(task.solution)) != len(task.solution):
        inputs.fault(field, "OUT_OF_RANGE", "a label is there twice; give each once")
    inputs.check()
    return FormBoard("".join(task.labels), frozenset(task.solution))


def judge_form_board_words(puzzle: FormBoard, text: str, _settings: FormBoardSettings) -> Judgement:
    """Judges all that a model wrote, in both readings."""
    return judge_whole(judge_form_board(puzzle, text), lambda one: _metrics(puzzle, one))


def judge_form_board(puzzle: FormBoard, text: str) -> dict[Reading, PlanJudgement[Chosen]]:
    """What is said of all that a model wrote, in each reading."""
    return judged_in_both(read_form_board(text, puzzle.labels), lambda read: _judged(puzzle, read))


def _judged(puzzle: FormBoard, read: Parsed[tuple[str, ...]]) -> PlanJudgement[Chosen]:
    chosen = frozenset(read.value)
    wrong, missing = sorted(chosen - puzzle.solution), sorted(puzzle.solution - chosen)
    fault, message = None, f"{_named(sorted(chosen))} the silhouette."
    if wrong:
        fault, message = PlanFault.WRONG_PIECES, f"{_pieces(wrong)} not needed"
        message += f", and {_pieces(missing, upper=False)} missing." if missing else "."
    elif missing:
        fault, message = PlanFault.PIECES_MISSING, f"{_pieces(missing)} missing."
    return PlanJudgement(Reading.LENIENT, read.value, fault, message, end=chosen)


def _named(labels: list[str]) -> str:
    return f"Piece {labels[0]} fills" if len(labels) == 1 else f"Pieces {listed(labels)} fill"


def _pieces(labels: list[str], *, upper: bool = True) -> str:
    word = "piece" if len(labels) == 1 else "pieces"
    return f"{word.capitalize() if upper else word} {listed(labels)} {'is' if len(labels) == 1 else 'are'}"


def _metrics(puzzle: FormBoard, judged: PlanJudgement[Chosen]) -> tuple[Metric, ...]:
    chosen = judged.end
    right = None if chosen is None else len(chosen & puzzle.solution)
    return (
        optional_metric("piece_precision", None if right is None or not chosen else right / len(chosen), _NONE),
        optional_metric("piece_recall", None if right is None else right / len(puzzle.solution), _NONE),
    )
