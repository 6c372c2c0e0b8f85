"""Jigsaw puzzles in words: right and wrong answers with the expected reasons, wrong fields, chance."""

from __future__ import annotations

import pytest

import grader
from grader import TextCandidate
from grader.contract.requests import job_from_proto
from grader.model.errors import InvalidRequestError
from grader.model.verdict import Outcome
from grader.tasks.jigsaw.model import AnomalyTruth, JigsawInput
from grader.tasks.jigsaw.spec import SPEC
from grader.v1 import jigsaw_pb2, service_pb2
from puzzles.jigsaw.kinds import PieceChange, QuestionKind

OFFERED = ((2, 3, 1, 4), (2, 4, 3, 1), (3, 4, 2, 1), (4, 1, 3, 2))
PIECE = grader.jigsaw("missing_piece_hard", "C")
CONNECTION = grader.jigsaw("connection", "B")
RESTORATION = grader.jigsaw("order_restoration", "B", options=OFFERED)
GENERATION = grader.jigsaw("order_generation", [2, 3, 1, 4])
CHANGED = grader.jigsaw("anomaly", "C", change="rotated")
INTACT = grader.jigsaw("anomaly")


def lines(judgment="", position="", change=""):
    return f"Judgment: {judgment}\nError Position: {position}\nError Type: {change}"


def graded(task, text):
    return grader.grade(task, TextCandidate(text))


@pytest.mark.parametrize(
    ("task", "text"),
    [
        (PIECE, "C"),
        (CONNECTION, "B"),
        (RESTORATION, "B"),
        (GENERATION, "[2, 3, 1, 4]"),
        (CHANGED, lines("B", "C", "A")),
        (INTACT, lines("A")),
    ],
)
def test_the_right_answer_passes_in_both_readings(task, text):
    verdict = graded(task, text)
    assert (verdict.outcome, verdict.score, verdict.reward, verdict.reasons) == (Outcome.PASS, 1.0, 1.0, ())
    assert (verdict.metric("parse_strict"), verdict.metric("parse_lenient")) == (1.0, 1.0)
    loose = graded(task, f"The answer is:\n\n{text}")
    assert (loose.metric("parse_strict"), loose.metric("parse_lenient")) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("task", "text", "code", "message"),
    [
        (PIECE, "A", "WRONG_CHOICE", "A is not the right answer."),
        (RESTORATION, "[2, 3, 1, 4]", "WRONG_CHOICE", "A is not the right answer."),
        (GENERATION, "[2, 3, 4, 1]", "WRONG_ORDER", "[2, 3, 4, 1] puts 2 pieces in the right place."),
        (GENERATION, "[3, 2, 4, 1]", "WRONG_ORDER", "[3, 2, 4, 1] puts no piece in the right place."),
        (GENERATION, "[2, 3, 1, 1]", "ANSWER_UNREADABLE", None),
        (CHANGED, lines("A"), "WRONG_JUDGMENT", "The judgment is A, but the piece at the bottom left was changed."),
        (INTACT, lines("B", "C", "A"), "WRONG_JUDGMENT", "The judgment is B, but all is as it was."),
        (CHANGED, lines("A", "C", "A"), "LINES_CONTRADICT", None),
        (INTACT, lines("A", "C"), "LINES_CONTRADICT", None),
        (CHANGED, lines("B"), "LINES_MISSING", "A piece is said to be changed, but the piece is not named."),
        (CHANGED, lines("B", "C"), "LINES_MISSING", "A piece is said to be changed, but the change is not named."),
        (CHANGED, "Judgment: B", "LINES_MISSING", None),
        (CHANGED, lines("B", "D", "A"), "WRONG_POSITION",
         "The piece at the bottom right is named, but that at the bottom left was changed."),
        (CHANGED, lines("B", "C", "B"), "WRONG_CHANGE",
         "The right piece is said to be mirrored, but it was rotated."),
        (CHANGED, lines("E", "C", "A"), "ANSWER_UNREADABLE", None),
        (CONNECTION, "", "ANSWER_MISSING", None),
        (CONNECTION, "A or B", "ANSWER_AMBIGUOUS", None),
        (CONNECTION, '{"answer": ""}', "ANSWER_EMPTY", None),
        (CONNECTION, '{"answer": "cannot determine"}', "ANSWER_REFUSED", None),
    ],
)  # fmt: skip
def test_a_wrong_answer_fails_for_its_reason(task, text, code, message):
    verdict = graded(task, text)
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.FAIL, 0.0, 0.0)
    (reason,) = verdict.reasons
    assert reason.code == code
    assert message is None or reason.message == message


@pytest.mark.parametrize(
    ("task", "text", "right"),
    [
        (CHANGED, lines("B", "C", "A"), (1, 1, 1)),
        (CHANGED, lines("B", "C", "B"), (1, 1, 0)),
        (CHANGED, lines("B", "D", "A"), (1, 0, 1)),
        (CHANGED, lines("A"), (0, 0, 0)),
        (CHANGED, "Judgment: B", (1, 0, 0)),
        (INTACT, lines("B", "C", "A"), (0, 0, 0)),
        (INTACT, "Judgment: A", (1, 1, 1)),
        (INTACT, lines("A", "C"), (1, 0, 1)),
        (INTACT, "", (0, 0, 0)),  # asked, and not answered
    ],
)
def test_anomalies_are_judged_by_line_too(task, text, right):
    verdict = graded(task, text)
    assert tuple(verdict.metric(f"{line}_right") for line in ("judgment", "position", "change")) == right
    assert verdict.score == float(min(right) and verdict.outcome is Outcome.PASS)
    assert verdict.metric("places_right") is None


def test_an_order_has_the_share_of_pieces_in_their_places():
    assert graded(GENERATION, "[2, 3, 4, 1]").metric("places_right") == 2 / 4
    assert graded(GENERATION, "nothing").metric("places_right") == 0.0
    assert graded(GENERATION, "[2, 3, 1, 4]").metric("judgment_right") is None


def test_what_was_read_is_marked():
    verdict = grader.grade(GENERATION, TextCandidate("It is [2, 3, 1, 4]."), overlay=True)
    assert ">[2, 3, 1, 4]</mark>" in verdict.overlay.html


@pytest.mark.parametrize(
    ("task", "field", "reason"),
    [
        (JigsawInput(None, (), "A"), "jigsaw.puzzle.kind", "MISSING"),
        (JigsawInput(QuestionKind.CONNECTION, (), "D"), "jigsaw.truth.label", "MISMATCH"),
        (JigsawInput(QuestionKind.CONNECTION, (), ""), "jigsaw.truth.label", "MISMATCH"),
        (JigsawInput(QuestionKind.CONNECTION, (), None), "jigsaw.truth.label", "MISSING"),
        (JigsawInput(QuestionKind.CONNECTION, (), (1, 2, 3, 4)), "jigsaw.truth.label", "MISMATCH"),
        (JigsawInput(QuestionKind.CONNECTION, OFFERED, "A"), "jigsaw.puzzle.options", "MISMATCH"),
        (JigsawInput(QuestionKind.ORDER_RESTORATION, (), "A"), "jigsaw.puzzle.options", "MISSING"),
        (JigsawInput(QuestionKind.ORDER_RESTORATION, OFFERED[:3], "A"), "jigsaw.puzzle.options", "OUT_OF_RANGE"),
        (JigsawInput(QuestionKind.ORDER_RESTORATION, (*OFFERED[:3], OFFERED[0]), "A"),
         "jigsaw.puzzle.options", "OUT_OF_RANGE"),
        (JigsawInput(QuestionKind.ORDER_RESTORATION, (*OFFERED[:3], (1, 2, 3, 3)), "A"),
         "jigsaw.puzzle.options[3].pieces", "OUT_OF_RANGE"),
        (JigsawInput(QuestionKind.ORDER_GENERATION, (), (1, 2, 3)), "jigsaw.truth.order.pieces", "OUT_OF_RANGE"),
        (JigsawInput(QuestionKind.ORDER_GENERATION, (), "A"), "jigsaw.truth.order", "MISMATCH"),
        (JigsawInput(QuestionKind.ANOMALY, (), "A"), "jigsaw.truth.anomaly", "MISMATCH"),
        (JigsawInput(QuestionKind.ANOMALY, (), AnomalyTruth("C")), "jigsaw.truth.anomaly", "MISMATCH"),
        (JigsawInput(QuestionKind.ANOMALY, (), AnomalyTruth("", PieceChange.ROTATED)),
         "jigsaw.truth.anomaly", "MISMATCH"),
        (JigsawInput(QuestionKind.ANOMALY, (), AnomalyTruth("E", PieceChange.ROTATED)),
         "jigsaw.truth.anomaly.position", "OUT_OF_RANGE"),
    ],
)  # fmt: skip
def test_a_wrong_puzzle_is_refused_by_field(task, field, reason):
    with pytest.raises(InvalidRequestError) as caught:
        graded(task, "A")
    assert (field, reason) in [(one.field, one.reason) for one in caught.value.violations]


def request(**fields):
    return service_pb2.GradeRequest(request_id="one", text="A", jigsaw=jigsaw_pb2.JigsawTask(**fields))


def task_of(message):
    return job_from_proto(message, lambda *_: b"").task


def test_messages_hold_all_of_it():
    options = [jigsaw_pb2.JigsawOrder(pieces=order) for order in OFFERED]
    puzzle = jigsaw_pb2.JigsawPuzzle(kind=jigsaw_pb2.JIGSAW_KIND_ORDER_RESTORATION, options=options)
    assert task_of(request(puzzle=puzzle, truth=jigsaw_pb2.JigsawTruth(label="B"))) == RESTORATION
    anomaly = jigsaw_pb2.JigsawAnomaly(position="C", change=jigsaw_pb2.JIGSAW_CHANGE_ROTATED)
    puzzle = jigsaw_pb2.JigsawPuzzle(kind=jigsaw_pb2.JIGSAW_KIND_ANOMALY)
    assert task_of(request(puzzle=puzzle, truth=jigsaw_pb2.JigsawTruth(anomaly=anomaly))) == CHANGED
    nothing = jigsaw_pb2.JigsawTruth(anomaly=jigsaw_pb2.JigsawAnomaly())
    assert task_of(request(puzzle=puzzle, truth=nothing)) == INTACT
    order = jigsaw_pb2.JigsawTruth(order=jigsaw_pb2.JigsawOrder(pieces=[2, 3, 1, 4]))
    puzzle = jigsaw_pb2.JigsawPuzzle(kind=jigsaw_pb2.JIGSAW_KIND_ORDER_GENERATION)
    assert task_of(request(puzzle=puzzle, truth=order)) == GENERATION
    assert task_of(request()) == JigsawInput(None, (), None)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"puzzle": {"kind": 77}}, "jigsaw.puzzle.kind"),
        ({"truth": {"anomaly": {"change": 9}}}, "jigsaw.truth.anomaly.change"),
    ],
)
def test_numbers_that_no_enum_has_are_refused(fields, field):
    with pytest.raises(InvalidRequestError) as caught:
        task_of(request(**fields))
    assert field in [one.field for one in caught.value.violations]


@pytest.mark.parametrize(
    ("task", "chance"),
    [
        (PIECE, 1 / 4),
        (grader.jigsaw("localization_easy", "A"), 1 / 2),
        (CONNECTION, 1 / 3),
        (RESTORATION, 1 / 4),
        (GENERATION, 1 / 24),
        (INTACT, 1 / 2),
        (CHANGED, 1 / 16),  # a half of the judgment, a quarter of the piece, a half of the change
    ],
)
def test_how_often_a_guess_is_right(task, chance):
    (level,) = SPEC.chance.levels(task)
    assert level.probability == chance


def test_words_that_name_no_kind_are_refused():
    with pytest.raises(ValueError, match="kind is 'puzzle'"):
        grader.jigsaw("puzzle", "A")
    with pytest.raises(ValueError, match="change is 'turned'"):
        grader.jigsaw("anomaly", "A", change="turned")
