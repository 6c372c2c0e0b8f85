"""Properties of reading: what is written in any form reads back the same, and the lenient reading only adds."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.answers.grammar.blank import BlankStep
from grader.answers.grammar.hinges import HingeTurn
from grader.answers.grammar.vehicles import SaidDirection, VehicleMove
from grader.answers.result import Parsed, Reading
from grader.answers.tasks import parse_form_board, parse_hinge_folding, parse_paper_fold, parse_rush_hour, parse_sliding
from tests.samples.answers import PARSERS

SEEDED = settings(derandomize=True, deadline=None, max_examples=80)

LETTERS = st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
MOVES = st.lists(st.builds(VehicleMove, LETTERS, st.sampled_from(SaidDirection)), min_size=1, max_size=8)
STEPS = st.lists(st.sampled_from(BlankStep), min_size=1, max_size=12)
TURNS = st.lists(st.builds(HingeTurn, LETTERS, st.sampled_from(range(0, 360, 45))), min_size=1, max_size=6)
PIECES = st.sets(st.sampled_from("ABCDE"), min_size=1)
BETWEEN = st.sampled_from([", ", " ", ",", "  ,\t", "\n"])
BEFORE = st.sampled_from(
    [
        "",
        "I looked {closely} at A.\n",
        '{"answer": "Z forward"} no, that is wrong. ',
        "<|x|>",
        "```json\n",
        "\\boxed{Q} ",
    ]
)
AFTER = st.sampled_from(["", ".", "\n```", "<|im_end|>", " {", "\n\nThat is all."])
CASES = st.sampled_from([str.upper, str.lower, str.title, str])
QUOTES = st.sampled_from([json.dumps, lambda value: json.dumps(value, ensure_ascii=False), repr])
WAYS = {
    SaidDirection.FORWARD: ("forward", "forwards", "fwd", "F", "+1", "+"),
    SaidDirection.BACKWARD: ("backward", "backwards", "back", "B", "-1", "-"),
}


@st.composite
def objects(draw: st.DrawFn, items: list[str]) -> str:
    """The items as one text or as a list, as the value of an object with something around it."""
    value = draw(st.sampled_from([items, draw(BETWEEN).join(items)]))
    quote = draw(QUOTES)
    more = draw(st.sampled_from(["", ', "note": {"n": [1, "}"]}', ","]))
    return draw(BEFORE) + '{"answer": ' + quote(value) + more + "}" + draw(AFTER)


def written_move(draw: st.DrawFn, move: VehicleMove) -> str:
    if draw(st.booleans()):
        return move.label + WAYS[move.direction][3]
    label = draw(st.sampled_from(["R", "red", "red car"])) if move.label == "R" else move.label
    return draw(CASES)(f"{label} {draw(st.sampled_from(WAYS[move.direction]))}")


@SEEDED
@given(st.data(), MOVES, st.sampled_from(Reading))
def test_moves_read_back(data, moves, reading) -> None:
    text = data.draw(objects([written_move(data.draw, move) for move in moves]))
    found = parse_rush_hour(text, reading)
    assert isinstance(found, Parsed), text
    assert found.value == tuple(moves)


@SEEDED
@given(st.data(), STEPS, st.sampled_from(Reading))
def test_steps_read_back(data, steps, reading) -> None:
    text = data.draw(objects([data.draw(CASES)(step.value) for step in steps]))
    assert parse_sliding(text, reading).value == tuple(steps)


@SEEDED
@given(st.data(), TURNS, st.sampled_from(Reading))
def test_turns_read_back(data, turns, reading) -> None:
    def written(turn: HingeTurn) -> str:
        angle = turn.angle_deg + data.draw(st.sampled_from([-720, -360, 0, 360]))
        return f"{data.draw(CASES)(turn.hinge)} {angle}{data.draw(st.sampled_from(['', '°', ' deg', ' degrees']))}"

    text = data.draw(objects([written(turn) for turn in turns]))
    assert parse_hinge_folding(text, reading).value == tuple(turns)


@SEEDED
@given(st.data(), PIECES, st.sampled_from(Reading))
def test_labels_read_back(data, pieces, reading) -> None:
    items = [data.draw(CASES)(piece) for piece in data.draw(st.permutations(sorted(pieces)))]
    assert parse_form_board(data.draw(objects(items)), reading).value == tuple(sorted(pieces))
    assert parse_paper_fold(data.draw(objects(items[:1])), reading).value == items[0].upper()


@SEEDED
@given(st.data(), MOVES)
def test_lenient_forms_read_back(data, moves) -> None:
    form = data.draw(st.sampled_from(["{}: {}", "{} -> {}", "Move {} {}", "car `{}` **{}**", "the car {} moves {}"]))
    number = data.draw(st.sampled_from(["", "{}. ", "{}) ", "Step {}: "]))
    items = [number.format(i + 1) + form.format(move.label, move.direction.value) for i, move in enumerate(moves)]
    begin, end = data.draw(
        st.sampled_from(
            [("", ""), ("Final answer: ", "."), ("$\\boxed{", "}$"), ("<answer>", "</answer>"), ("So:\n", "")]
        )
    )
    text = begin + data.draw(st.sampled_from(["; ", "\n", ", then "])).join(items) + end
    found = parse_rush_hour(text, Reading.LENIENT)
    assert isinstance(found, Parsed), text
    assert found.value == tuple(moves)


ALPHABET = st.sampled_from(
    [
        *("A", "b", "R", "forward", "back", "up", "90", "-", ",", ".", ":", "\n", " ", "{", "}", '"', "'", "[", "]"),
        *('{"answer": "', '{"answer":', '"}', "\\boxed{", "The answer is ", "```", "unknown", "not", "é", "\x00", "²"),
        *("→", "\\"),
    ]
)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.lists(ALPHABET, max_size=30).map("".join))
def test_any_text_is_read_or_not(text: str) -> None:
    for parse in PARSERS.values():
        strict, lenient = parse(text, Reading.STRICT), parse(text, Reading.LENIENT)
        if isinstance(strict, Parsed):
            assert lenient == strict
        spans = [strict.extraction.span, lenient.extraction.span]
        if isinstance(lenient, Parsed):
            assert lenient.value
            spans += lenient.spans
        else:
            spans.append(lenient.span)
        for span in spans:
            assert span is None or 0 <= span.start <= span.end <= len(text)
