"""Hinge folding in words: turns are made, and silhouettes compared."""

from __future__ import annotations

import json

import pytest

import grader
from grader import TextCandidate
from grader.importers.common.errors import ImportFormatError
from grader.model.errors import InvalidRequestError
from grader.model.verdict import Outcome
from grader.tasks.hinge_folding.model import HingeFoldingInput, HingeTurnInput
from grader.tasks.hinge_folding.spec import SPEC
from puzzles.hinge_folding.chain import HingeShape
from tests.samples.answers import FIXTURES

CHAIN = HingeFoldingInput(
    (HingeShape.DIAMOND, HingeShape.RECTANGLE, HingeShape.TRIANGLE), (HingeTurnInput("A", 90), HingeTurnInput("B", 270))
)


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "A 90, B 270"}',
        '{"answer": "B -90, A 90"}',  # any order, another sign
        "Rotate hinge A by 90 degrees and hinge B by 270 degrees.",
        '{"answer": ["A 45", "B 270", "A 45"]}',  # sums count
        "A: 90 degrees counterclockwise, B: 90 degrees clockwise",
        '{"answer": "A 90, B 270, C 0"}',  # what is not turned is no fault
    ],
)
def test_any_program_of_the_silhouette_passes(text):
    verdict = grader.grade(CHAIN, TextCandidate(text))
    assert (verdict.outcome, verdict.score, verdict.reward, verdict.reasons) == (Outcome.PASS, 1.0, 1.0, ())
    assert verdict.metric("silhouette_iou") == pytest.approx(1.0)


def test_turning_what_comes_to_lie_on_itself_is_right_too():
    # The rectangle at the end is the same upside down, and lies where it lay.
    chain = HingeFoldingInput((HingeShape.RECTANGLE, HingeShape.SQUARE), (HingeTurnInput("A", 0),))
    assert grader.grade(chain, TextCandidate("A 0")).outcome is Outcome.PASS
    assert grader.grade(chain, TextCandidate("A 360")).outcome is Outcome.PASS
    assert grader.grade(chain, TextCandidate("A 180")).outcome is Outcome.FAIL


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"answer": "A 90"}', "WRONG_SILHOUETTE"),
        ('{"answer": "A 90, B 90"}', "WRONG_SILHOUETTE"),
        ('{"answer": "A 90, B 270, C 45"}', "UNKNOWN_HINGE"),
        ("", "ANSWER_MISSING"),
        ('{"answer": ""}', "ANSWER_EMPTY"),
        ('{"answer": "unknown"}', "ANSWER_REFUSED"),
        ('{"answer": "A 90 or A 270"}', "ANSWER_AMBIGUOUS"),
        ('{"answer": "A 30, B 270"}', "ANSWER_UNREADABLE"),
    ],
)
def test_another_silhouette_or_none_fails(text, code):
    verdict = grader.grade(CHAIN, TextCandidate(text))
    assert (verdict.outcome, verdict.score, verdict.reward) == (Outcome.FAIL, 0.0, 0.0)
    assert [one.code for one in verdict.reasons] == [code]
    iou = verdict.metric("silhouette_iou")
    assert iou is None if code.startswith("ANSWER") else 0.0 < iou <= 1.0


@pytest.mark.parametrize(
    ("shapes", "turns", "field", "reason"),
    [
        ((), (("A", 90),), "hinge_folding.puzzle.shapes", "MISSING"),
        ((HingeShape.SQUARE,), (("A", 90),), "hinge_folding.puzzle.shapes", "OUT_OF_RANGE"),
        ((HingeShape.SQUARE, None), (("A", 90),), "hinge_folding.puzzle.shapes[1]", "MISSING"),
        ((HingeShape.SQUARE,) * 2, (), "hinge_folding.truth.turns", "MISSING"),
        ((HingeShape.SQUARE,) * 2, (("B", 90),), "hinge_folding.truth.turns[0].hinge", "OUT_OF_RANGE"),
        ((HingeShape.SQUARE,) * 2, (("", 90),), "hinge_folding.truth.turns[0].hinge", "OUT_OF_RANGE"),
        ((HingeShape.SQUARE,) * 2, (("A", 40),), "hinge_folding.truth.turns[0].angle_deg", "OUT_OF_RANGE"),
    ],
)
def test_a_wrong_puzzle_is_refused_by_field(shapes, turns, field, reason):
    with pytest.raises(InvalidRequestError) as caught:
        grader.grade(HingeFoldingInput(shapes, tuple(HingeTurnInput(*turn) for turn in turns)), TextCandidate("A 90"))
    assert (field, reason) in [(one.field, one.reason) for one in caught.value.violations]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shape_chain": ["square", "circle"]}, r"shape_chain\[1\] must be one of"),
        ({"rotation_steps": [{"hinge_id": "A"}]}, "angle"),
        ({"shape_chain": ["square", 1]}, "must be a text"),
    ],
)
def test_a_broken_record_is_named(tmp_path, change, message):
    steps = [{"hinge_id": "A", "angle": 90}]
    record = {"puzzle_id": "puzzle_0001", "shape_chain": ["square", "square"], "rotation_steps": steps, **change}
    (tmp_path / "metadata.json").write_text(json.dumps(record))
    with pytest.raises(ImportFormatError, match=message):
        grader.load_puzzle(tmp_path)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("folder", "answer"),
    [
        ("hinge-folding", lambda record: record["rotation_sequence"]),
        ("form-board", lambda record: " ".join(record["solution_pieces"])),
        ("paper-fold", lambda record: record["correct_choice"]),
    ],
)
def test_every_public_solution_passes_in_both_readings(folder, answer):
    records = sorted((FIXTURES / folder).glob("*/*/metadata.json"))
    assert len(records) == 20
    for record in records:
        text = json.dumps({"answer": answer(json.loads(record.read_text()))})
        verdict = grader.grade(grader.load_puzzle(record), TextCandidate(text))
        assert (verdict.outcome, verdict.metric("parse_strict")) == (Outcome.PASS, 1.0), record


def test_chance_is_that_of_each_hinge_together():
    assert [level.probability for level in SPEC.chance.levels(CHAIN)] == [1 / 3**2, 1 / 7**2]
